//! The page: a single file with the answer and all data that it is based on. It makes no network requests.
//!
//! Each [`Section`] is a file in this directory. [`GROUPS`] lists them in reading order. All numbers come from the
//! summary; all text from outside is escaped and marked.

mod accounting;
mod along;
mod card;
mod clocks;
mod columns;
mod compact;
mod context;
mod digests;
mod durability;
mod environment;
mod errors;
mod forest;
mod glance;
mod groups;
mod head;
mod heat;
mod heat_table;
mod kind;
mod limits;
mod load_hosts;
mod machines;
mod network;
mod notes;
mod observed;
mod order;
mod other_language;
mod plan;
mod ratios;
mod readings;
mod replicas;
mod results;
mod scaling;
mod series;
mod sessions;
mod settings;
mod slap;
mod spectrum;
mod statements;
mod table;
mod tpcc;
mod trust;
mod why;
mod width;

use crate::bilingual;
use crate::chart::legend_marks;
use crate::chart_data::ChartData;
pub use context::Drawing;
use context::PageContext;
use minijinja::value::Kwargs;
use minijinja::{Environment, Value, context};
use std::path::{Path, PathBuf};
use std::sync::LazyLock;
use tenbin_model::summary::Summary;
use tenbin_words::language::Language;
use tenbin_words::message::{Message, foreign};
use tenbin_words::msg;
use tenbin_words::problem::Problem;

/// A part of the page with a heading.
struct Section {
    /// Its fragment in addresses: `report.html#results`.
    id: &'static str,
    /// Its heading.
    heading: fn() -> Message,
    /// The values of its template; `None` if there is nothing to show.
    values: fn(&PageContext<'_>) -> Option<Value>,
    /// Its markup, a file of `templates`, or that of all tables ([`table::TEMPLATE`]). Texts are messages of the catalogue: `{{ t("column-trial") }}`, with
    /// arguments `{{ t("trials-counted", n=count) }}`. Text from outside is `{{ own(name) }}`.
    template: &'static str,
}

/// Whether a section is shown at once, or only its heading.
#[derive(Clone, Copy, PartialEq)]
enum Shown {
    Open,
    Folded,
}

/// Sections that belong together.
struct Group {
    id: &'static str,
    heading: fn() -> Message,
    /// Whether the whole group is folded.
    is_folded: bool,
    sections: &'static [(Section, Shown)],
}

/// The groups and their sections in reading order.
const GROUPS: &[Group] = &[
    Group {
        id: "result",
        heading: || msg!("group-result"),
        is_folded: false,
        sections: &[
            (limits::SECTION, Shown::Open),
            (glance::SECTION, Shown::Open),
            (ratios::SECTION, Shown::Open),
            (why::SECTION, Shown::Open),
            (durability::SECTION, Shown::Open),
            (trust::SECTION, Shown::Open),
            (results::SECTION, Shown::Open),
            (groups::SECTION, Shown::Open),
            (tpcc::SECTION, Shown::Open),
        ],
    },
    Group {
        id: "evidence",
        heading: || msg!("group-evidence"),
        is_folded: false,
        sections: &[
            (spectrum::SECTION, Shown::Folded),
            (series::SECTION, Shown::Folded),
            (scaling::SECTION, Shown::Folded),
            (clocks::SECTION, Shown::Folded),
            (slap::SECTION, Shown::Open),
            (load_hosts::SECTION, Shown::Folded),
            (sessions::SECTION, Shown::Folded),
            (network::SECTION, Shown::Folded),
            (replicas::SECTION, Shown::Folded),
            (statements::SECTION, Shown::Folded),
            (digests::SECTION, Shown::Folded),
            (errors::SECTION, Shown::Folded),
            (order::SECTION, Shown::Folded),
            (accounting::SECTION, Shown::Folded),
            (observed::SECTION, Shown::Folded),
        ],
    },
    Group {
        id: "record",
        heading: || msg!("group-record"),
        is_folded: true,
        sections: &[
            (readings::SECTION, Shown::Open),
            (machines::SECTION, Shown::Open),
            (environment::SECTION, Shown::Open),
            (settings::SECTION, Shown::Open),
            (notes::SECTION, Shown::Open),
            (plan::SECTION, Shown::Open),
        ],
    },
];

/// The sections in reading order.
fn sections() -> impl Iterator<Item = &'static (Section, Shown)> {
    GROUPS.iter().flat_map(|group| group.sections)
}

const FRAME: &str = include_str!("../../templates/page.html");
const SHARED: &str = include_str!("../../templates/shared.html");
/// The head of every page, with what it may load: nothing.
const HEAD: &str = include_str!("../../templates/head.html");
/// Without its comments and line ends.
static STYLE: LazyLock<String> = LazyLock::new(|| short_style(include_str!("../../templates/page.css")));
/// Bundled from `web/` by build.rs; empty if Node.js was not available.
const SCRIPT: &str = include_str!(concat!(env!("OUT_DIR"), "/page.js"));

/// Reads a run directory, writes `report.html` into it, and returns its path. Fails if the directory is no run that can
/// be read, or the file cannot be written.
pub fn write(dir: &Path, language: Language) -> Result<PathBuf, Problem> {
    let recording = crate::store::read(dir)?;
    let text = file(&recording.summary, &recording.doubts, language);
    crate::store::write_page(dir, &text)
}

/// The charts of the page, each as an SVG file of its own.
pub fn drawings(summary: &Summary, language: Language) -> Vec<Drawing> {
    let context = PageContext::drawing(summary, language);
    sections().for_each(|(section, _)| _ = (section.values)(&context));
    context.drawings()
}

/// The page as it is in a file: as [`render`] makes it, without markup that browsers do not need, and with the texts of the other language
/// where only the page's script finds them.
pub fn file(summary: &Summary, doubts: &[Problem], language: Language) -> String {
    other_language::moved(compact::compact(render(summary, doubts, language)), language)
}

/// The page as HTML. `doubts` are the problems found while the run directory was read.
pub fn render(summary: &Summary, doubts: &[Problem], language: Language) -> String {
    // An error in a template is a bug; the user gets the results nevertheless.
    try_render(&PageContext::new(summary), doubts, language).unwrap_or_else(|e| {
        let (error, figures) = (format!("{e:#}"), crate::export::json(summary, None));
        bilingual::part("fault", context! { error, figures }).to_string()
    })
}

/// A page of another frame, with the style, the script and the data of its charts.
pub(crate) fn frame(frame: &str, figures: &[serde_json::Value], language: Language, values: Value) -> String {
    let mut charts = ChartData::default();
    figures.iter().for_each(|figure| _ = charts.keep(figure.clone()));
    let shared = context! {
        style => STYLE.as_str(),
        script => SCRIPT,
        keys => legend_marks(charts.styles()),
        chart_data => charts.packed(),
        lang => if language == Language::Japanese { "ja" } else { "en" },
    };
    let rendered = environment().render_named_str("frame", frame, context! { ..values, ..shared });
    rendered.unwrap_or_else(|e| bilingual::part("fault", context! { error => format!("{e:#}") }).to_string())
}

/// A style sheet without its comments and line ends.
fn short_style(style: &str) -> String {
    let parts = style.split("/*").enumerate();
    let code = parts.map(|(at, part)| if at == 0 { part } else { part.split_once("*/").map_or("", |(_, rest)| rest) });
    code.flat_map(str::lines).map(str::trim).collect()
}

/// What all templates have.
fn environment() -> Environment<'static> {
    let mut environment = Environment::new();
    environment.set_auto_escape_callback(|_| minijinja::AutoEscape::Html);
    environment.add_function("t", t);
    environment.add_function("own", |text: String| bilingual::foreign(&text));
    environment.add_function("plain", |text: String| bilingual::plain(&text));
    // This cannot fail: every test of a page renders it.
    let _ = environment.add_template("head", HEAD);
    environment
}

fn try_render(m: &PageContext<'_>, doubts: &[Problem], language: Language) -> Result<String, minijinja::Error> {
    let mut environment = environment();
    environment.add_template("shared", SHARED)?;
    // Without a matrix, a column of cells would be empty.
    let with_cells = m.summary.trials.iter().any(|t| !t.trial.axes.is_empty());
    environment.add_global("with_cells", Value::from(with_cells));
    let (mut groups, mut bytes) = (Vec::new(), FRAME_BYTES);
    for group in GROUPS {
        let mut sections = Vec::new();
        for (section, shown) in group.sections {
            let Some(values) = (section.values)(m) else { continue };
            // One that repeats what stands above says so itself.
            let is_folded = *shown == Shown::Folded || values.get_attr("folded").is_ok_and(|folded| folded.is_true());
            let body = environment.render_named_str(section.id, section.template, values)?;
            bytes += body.len();
            sections.push(context! {
                id => section.id, folded => is_folded,
                title => bilingual::html(&(section.heading)()),
                body => Value::from_object(Long(body)),
            });
        }
        let title = bilingual::html(&(group.heading)());
        groups.push(context! { id => group.id, title, folded => group.is_folded, sections });
    }
    let head = head::values(m, doubts);
    let card = card::values(m);
    let (styles, charts) = (m.styles(), Long(m.charts()));
    let mut page = Vec::with_capacity(bytes + charts.0.len());
    environment.set_formatter(|out, state, value| match value.downcast_object_ref::<Long>() {
        Some(Long(markup)) => out.write_str(markup).map_err(minijinja::Error::from),
        None => minijinja::escape_formatter(out, state, value),
    });
    environment.template_from_str(FRAME)?.render_captured_to(
        context! {
            style => STYLE.as_str(),
            script => SCRIPT,
            keys => legend_marks(styles),
            chart_data => Value::from_object(charts),
            lang => if language == Language::Japanese { "ja" } else { "en" },
            head,
            card,
            lead => m.lead(),
            groups,
        },
        &mut page,
    )?;
    let no_text = |e| minijinja::Error::new(minijinja::ErrorKind::WriteFailure, format!("{e}"));
    String::from_utf8(page).map_err(no_text)
}

/// The frame with its style and script is shorter.
const FRAME_BYTES: usize = SCRIPT.len() + (96 << 10);

/// A long text of markup, of which the template engine makes no copy.
#[derive(Debug)]
struct Long(String);

impl minijinja::value::Object for Long {}

/// The function `t` of templates: a message of the catalogue by its identifier, with named arguments. Fails if the
/// catalogue has no such message, or one with other arguments.
fn t(id: &str, arguments: Kwargs) -> Result<Value, minijinja::Error> {
    let mut all = Vec::new();
    for name in arguments.args() {
        all.push((name.to_owned(), foreign(arguments.get::<Value>(name)?)));
    }
    let message = Message::named(id, all).ok_or_else(|| {
        minijinja::Error::new(
            minijinja::ErrorKind::InvalidOperation,
            format!("{id:?} is not in the catalogue, or has other arguments"),
        )
    })?;
    Ok(bilingual::html(&message))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rendered(template: &str) -> Result<String, minijinja::Error> {
        let mut environment = Environment::new();
        environment.add_function("t", t);
        environment.render_str(template, context! { count => 2 })
    }

    #[test]
    fn templates_contain_messages_by_their_identifiers() {
        assert_eq!(
            rendered("{{ t(\"column-trial\") }}").unwrap(),
            "<span lang=\"en\">trial</span><span lang=\"ja\">試行</span>"
        );
        assert_eq!(
            rendered("{{ t(\"trials-counted\", n=count) }}").unwrap(),
            "<span lang=\"en\">2 trials</span><span lang=\"ja\">2 試行</span>"
        );
        for wrong in
            ["{{ t(\"no-such-message\") }}", "{{ t(\"trials-counted\") }}", "{{ t(\"column-trial\", n=count) }}"]
        {
            assert!(rendered(wrong).unwrap_err().to_string().contains("is not in the catalogue"), "{wrong}");
        }
    }

    #[test]
    fn the_style_sheet_is_smaller_and_has_all_of_its_rules() {
        assert_eq!(short_style("/* a */\n a{b:c}\n  d{e:f} /* g */\nh{}"), "a{b:c}d{e:f}h{}");
        let whole = include_str!("../../templates/page.css");
        assert_eq!(STYLE.matches('}').count(), whole.matches('}').count());
        assert!(STYLE.starts_with(":root{--t1:") && !STYLE.contains("/*") && STYLE.len() < whole.len());
    }

    #[test]
    fn every_message_of_every_template_is_in_the_catalogue() {
        let sections = sections().map(|(section, _)| section.template);
        let mut calls = 0;
        for template in sections.chain([FRAME, SHARED]) {
            for (at, _) in template.match_indices(" t(\"") {
                let call = template[at..].split_once(')').unwrap().0;
                // Only the names of arguments are checked, so the values may be anything.
                let names = call.split(", ").skip(1).map(|argument| argument.split_once('=').unwrap().0);
                let arguments: String = names.map(|name| format!(", {name}=count")).collect();
                let id = call.split('"').nth(1).unwrap();
                rendered(&format!("{{{{ t(\"{id}\"{arguments}) }}}}")).unwrap();
                calls += 1;
            }
        }
        assert!(calls > 100, "{calls} were found");
    }
}
