//! The page: one file that answers the question at a glance and holds everything the answer rests on. No request to anywhere.
//!
//! A [`Section`] is a file beside this one: what it shows and how. [`SECTIONS`] is the list of them in reading order. Every number
//! comes from the summary, every text from outside is escaped and marked as not ours.

mod accounting;
mod context;
mod durability;
mod environment;
mod errors;
mod glance;
mod head;
mod notes;
mod observed;
mod plan;
mod ratios;
mod readings;
mod results;
mod series;
mod settings;
mod slap;
mod spectrum;
mod statements;
mod tpcc;
mod trust;

use crate::bilingual::Bilingual;
use context::PageContext;
use minijinja::{Environment, Value, context};
use std::path::{Path, PathBuf};
use tenbin_model::answer::Language;
use tenbin_model::problem::Problem;
use tenbin_model::summary::Summary;

/// One part of the page under a heading.
struct Section {
    /// Its place in addresses: `report.html#results`.
    id: &'static str,
    /// Its heading, in English and Japanese.
    title: (&'static str, &'static str),
    /// What the template shows; `None` where there is nothing to show.
    values: fn(&PageContext<'_>) -> Option<Value>,
    /// Its markup. Every sentence of ours stands in both languages: `{{ t("English", "日本語") }}`.
    template: &'static str,
}

/// The sections in reading order.
const SECTIONS: &[Section] = &[
    durability::SECTION,
    trust::SECTION,
    glance::SECTION,
    results::SECTION,
    tpcc::SECTION,
    ratios::SECTION,
    slap::SECTION,
    spectrum::SECTION,
    series::SECTION,
    statements::SECTION,
    errors::SECTION,
    accounting::SECTION,
    observed::SECTION,
    readings::SECTION,
    environment::SECTION,
    settings::SECTION,
    notes::SECTION,
    plan::SECTION,
];

const FRAME: &str = include_str!("../../templates/page.html");
const SHARED: &str = include_str!("../../templates/shared.html");
const STYLE: &str = include_str!("../../templates/page.css");
/// Bundled from `web/` by build.rs; both empty where there was no node.
const SCRIPT: &str = include_str!(concat!(env!("OUT_DIR"), "/page.js"));
const CHART_STYLE: &str = include_str!(concat!(env!("OUT_DIR"), "/uplot.css"));

/// Reads a run directory, writes `report.html` into it and answers with its path.
pub fn write(dir: &Path, language: Language) -> Result<PathBuf, Problem> {
    let recording = crate::store::read(dir)?;
    let text = render(&recording.summary, &recording.doubts, language);
    crate::store::write_page(dir, &text)
}

/// The page's text. `doubts` are what reading the run directory found missing.
pub fn render(summary: &Summary, doubts: &[Problem], language: Language) -> String {
    // A fault of a template is ours; the figures must still reach the reader.
    drawn(&PageContext::new(summary), doubts, language).unwrap_or_else(|e| {
        format!(
            "<!doctype html><title>Tenbin</title><p>The page could not be drawn: {}</p><pre>{}</pre>",
            crate::bilingual::escape(&format!("{e:#}")),
            crate::bilingual::escape(&crate::export::json(summary, None))
        )
    })
}

fn drawn(material: &PageContext<'_>, doubts: &[Problem], language: Language) -> Result<String, minijinja::Error> {
    let mut environment = Environment::new();
    environment.set_auto_escape_callback(|_| minijinja::AutoEscape::Html);
    environment.add_function("t", |en: String, ja: String| Bilingual::new(en, ja).value());
    environment.add_function("own", |text: String| Value::from_safe_string(crate::bilingual::foreign(&text)));
    environment.add_template("shared", SHARED)?;
    let mut sections = Vec::new();
    for section in SECTIONS {
        let Some(values) = (section.values)(material) else { continue };
        let template = format!("{{%- from \"shared\" import folded -%}}{}", section.template);
        let body = environment.render_named_str(section.id, &template, values)?;
        sections.push(context! {
            id => section.id,
            title => Bilingual::new(section.title.0, section.title.1).value(),
            body => Value::from_safe_string(body),
        });
    }
    environment.render_str(
        FRAME,
        context! {
            style => STYLE,
            chart_style => CHART_STYLE,
            script => SCRIPT,
            // Nothing in it may end the element it stands in.
            charts => serde_json::to_string(&material.charts()).unwrap_or_default().replace('<', "\\u003c"),
            lang => if language == Language::Japanese { "ja" } else { "en" },
            head => head::values(material, doubts),
            sections,
        },
    )
}
