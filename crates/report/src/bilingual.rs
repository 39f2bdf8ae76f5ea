//! The texts of the page in both languages, and the markup of texts that are not Tenbin's own. The page contains both
//! texts of every message; its style sheet hides one of them.
//!
//! Text from outside (names of targets, a server's message, keys of a plan) is marked `translate="no"`: browsers do not
//! translate it, and a test checks that everything without the mark is in the reader's language. The markup is in
//! `templates/parts`.

use minijinja::{Environment, Value, context};
use std::sync::LazyLock;
use tenbin_model::axis;
use tenbin_model::doubt::Verdict;
use tenbin_model::event::EndState;
use tenbin_words::language::Language;
use tenbin_words::message::{Message, Piece, foreign as not_ours};
use tenbin_words::msg;
use tenbin_words::problem::Problem;
use tenbin_words::text::visible_lines;

/// A name in recordings, and the message that is displayed for it.
pub type DisplayName = (&'static str, fn() -> Message);

/// A message in English and in Japanese. If both texts are the same, they are marked as text from outside.
pub fn html(message: &Message) -> Value {
    both(message.english(), &message.text(Language::Japanese))
}

/// The same as [`html`] for two texts.
pub fn both(en: &str, ja: &str) -> Value {
    match en {
        "" if ja.is_empty() => Value::from_safe_string(String::new()),
        en if en == ja => foreign(en),
        en => part("both", context! { en => text(en), ja => text(ja) }),
    }
}

/// A message in both languages that is never marked as text from outside, even if both texts are the same.
pub fn sentence(message: &Message) -> Value {
    part("both", context! { en => text(message.english()), ja => text(&message.text(Language::Japanese)) })
}

/// A message that consists of words of the plan or names of products; both texts are marked as text from outside.
pub fn names(message: &Message) -> Value {
    let (en, ja) = (message.english(), message.text(Language::Japanese));
    if en == ja { foreign(en) } else { part("both_foreign", context! { en => text(en), ja => text(&ja) }) }
}

/// A text from outside, with its mark.
pub fn foreign(outside: &str) -> Value {
    part("foreign", context! { text => text(outside) })
}

/// The name of something in the plan. A short one stays on one line, so that it does not break at its hyphens.
pub fn name(outside: &str) -> Value {
    if visible_lines(outside).chars().map(|c| if c.is_ascii() { 1 } else { 2 }).sum::<usize>() > LONGEST_ON_ONE_LINE {
        return foreign(outside);
    }
    part("name", context! { text => text(outside) })
}

/// The most Latin letters of a name that still fits into a column; a Japanese character is as wide as two.
const LONGEST_ON_ONE_LINE: usize = 28;

/// A value from outside that may be a long list: lines may break after its commas.
pub fn foreign_list(outside: &str) -> Value {
    part("foreign_list", context! { items => outside.split(',').map(text).collect::<Vec<_>>() })
}

/// Text escaped for HTML and SVG. Characters that cannot be seen, or turn the direction of what stands beside them, are shown by
/// their numbers.
pub fn escape(text: &str) -> String {
    visible_lines(text).replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

/// A text from outside in an element that has the mark of such texts itself.
pub fn plain(outside: &str) -> Value {
    text(outside)
}

fn text(plain: &str) -> Value {
    Value::from_safe_string(escape(plain))
}

macro_rules! parts {
    ($($name:literal),* $(,)?) => {
        &[$(($name, include_str!(concat!("../templates/parts/", $name, ".html")))),*]
    };
}

/// Small templates that all sections share.
const PARTS: &[(&str, &str)] = parts![
    "badge",
    "both",
    "both_foreign",
    "drawing",
    "fault",
    "figure",
    "foreign",
    "foreign_list",
    "forest",
    "heat_scale",
    "heat_table",
    "name",
    "problem",
    "target",
    "with_unit",
    "within"
];

/// Renders one of [`PARTS`] with these values.
pub fn part(name: &str, values: Value) -> Value {
    static ENVIRONMENT: LazyLock<Environment<'static>> = LazyLock::new(|| {
        let mut environment = Environment::new();
        environment.set_auto_escape_callback(|_| minijinja::AutoEscape::Html);
        for (name, template) in PARTS {
            // This cannot fail: a test renders each of them.
            let _ = environment.add_template(name, template);
        }
        environment
    });
    let html = ENVIRONMENT.get_template(name).and_then(|template| template.render(values));
    Value::from_safe_string(html.unwrap_or_default())
}

/// The name of an axis of the plan's matrix, by its key.
pub fn axis_name(key: &str) -> Message {
    axis::name(key).unwrap_or_else(|| not_ours(key))
}

/// The values of a cell on the axes of the matrix. Words of the plan are marked.
pub fn cell(axes: &[(String, String)]) -> Value {
    let one = |a: &(String, String)| {
        let message = axis::cell(std::slice::from_ref(a));
        let ours = axis::name(&a.0).is_some() && a.1.parse::<f64>().is_ok();
        if ours { html(&message) } else { names(&message) }.to_string()
    };
    Value::from_safe_string(axes.iter().map(one).collect::<Vec<_>>().join(", "))
}

/// How a trial or run ended; `None`: it has no end.
pub fn state(state: Option<EndState>) -> Value {
    html(&match state {
        None => msg!("state-unfinished"),
        Some(EndState::Complete) => msg!("state-complete"),
        Some(EndState::Partial) => msg!("state-partial"),
        Some(EndState::Failed) => msg!("state-failed"),
    })
}

/// A verdict as a coloured badge.
pub fn badge(verdict: Verdict) -> Value {
    badge_of(verdict.name(), &verdict.word())
}

/// A badge with this word, drawn as its name says.
pub fn badge_of(name: &str, word: &Message) -> Value {
    part("badge", context! { name => name, word => html(word) })
}

/// The value of a fact: a word that Tenbin records in English, in both languages, or else text from outside.
pub fn fact(value: &str) -> Value {
    html(&match value {
        "no" => msg!("fact-no"),
        "none" => msg!("fact-none"),
        "not seen" => msg!("fact-not-seen"),
        "unlimited" => msg!("fact-unlimited"),
        "yes" => msg!("fact-yes"),
        other => return foreign(other),
    })
}

/// A message in both languages; its arguments from outside are marked.
pub fn marked(message: &Message) -> Value {
    let pieces = message.pieces(Language::Japanese);
    if pieces.iter().all(|piece| matches!(piece, Piece::Foreign(_))) {
        return foreign(message.english());
    }
    let ja = pieces.into_iter().map(|piece| match piece {
        Piece::Ours(text) => escape(&text),
        Piece::Foreign(text) => foreign(&text).to_string(),
    });
    let ja = Value::from_safe_string(ja.collect());
    part("both", context! { en => text(message.english()), ja })
}

/// What happened, the evidence and the hint, each on its own line.
pub fn problem(p: &Problem) -> Value {
    let parts = [(&p.evidence, msg!("label-evidence")), (&p.hint, msg!("label-hint"))];
    let parts = parts
        .iter()
        .filter_map(|(part, label)| Some(context! { label => html(label), text => marked(part.as_ref()?) }));
    part("problem", context! { what => marked(&p.what), parts => parts.collect::<Vec<_>>() })
}

/// Trial numbers, sorted and with ranges: `1–4, 7`.
pub fn numbers(mut all: Vec<u32>) -> String {
    all.sort_unstable();
    let mut runs: Vec<(u32, u32)> = Vec::new();
    for n in all {
        match runs.last_mut() {
            Some(run) if run.1 + 1 == n => run.1 = n,
            _ => runs.push((n, n)),
        }
    }
    let each = runs.into_iter().map(|(a, b)| match b - a {
        0 => a.to_string(),
        1 => format!("{a}, {b}"),
        _ => format!("{a}–{b}"),
    });
    each.collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn trial_numbers_are_written_as_ranges() {
        assert_eq!(numbers(vec![7, 1, 2, 3, 9, 10]), "1–3, 7, 9, 10");
        assert_eq!(numbers(vec![]), "");
    }

    #[test]
    fn text_from_outside_is_marked() {
        assert_eq!(foreign("a<b").to_string(), "<span translate=\"no\">a&lt;b</span>");
        assert_eq!(foreign("a\u{202e}b").to_string(), "<span translate=\"no\">a\\u202eb</span>");
        assert_eq!(foreign_list("a<b,c").to_string(), "<span translate=\"no\">a&lt;b,<wbr>c</span>");
        let axes = [("load.clients".to_owned(), "8".to_owned()), ("load.ps_mode".to_owned(), "auto".to_owned())];
        assert_eq!(
            cell(&axes).to_string(),
            "<span lang=\"en\">8 clients</span><span lang=\"ja\">8 クライアント</span>, <span translate=\"no\">load.ps_mode auto</span>"
        );
        assert_eq!(fact("no such word").to_string(), "<span translate=\"no\">no such word</span>");
    }

    #[test]
    fn every_part_can_be_rendered() {
        const NONE: [&str; 0] = [];
        for (name, _) in PARTS {
            let html = part(name, context! { items => ["a"], parts => [context! { text => "a" }], rows => NONE, most => 1, before => NONE, after => NONE, ticks => NONE, columns => NONE }).to_string();
            assert!(html.contains(if *name == "problem" { "<br>" } else { "<" }), "{name}: {html}");
        }
    }
}
