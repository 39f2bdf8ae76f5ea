//! Words of the page in both its languages, and marks on what is not ours. Both texts stand in the page; its style
//! shows one.
//!
//! What comes from outside (names of targets, a server's message, a plan's keys) is marked `translate="no"`: browsers
//! leave it alone, and a test finds by it that everything else is in the reader's language. The markup is in
//! `templates/parts`.

use minijinja::{Environment, Value, context};
use std::sync::LazyLock;
use tenbin_model::audit::Verdict;
use tenbin_model::axis;
use tenbin_model::event::EndState;
use tenbin_model::language::Language;
use tenbin_model::message::{Message, Piece, foreign as not_ours};
use tenbin_model::msg;
use tenbin_model::older_recording;
use tenbin_model::problem::Problem;

/// A name as it is recorded, and what readers call it.
pub type ReadersName = (&'static str, fn() -> Message);

/// A message in English and in Japanese; what is the same in both came from outside.
pub fn html(message: &Message) -> Value {
    both(message.english(), &message.text(Language::Japanese))
}

/// The same of two texts.
pub fn both(en: &str, ja: &str) -> Value {
    match en {
        "" if ja.is_empty() => Value::from_safe_string(String::new()),
        en if en == ja => foreign(en),
        en => part("both", context! { en => text(en), ja => text(ja) }),
    }
}

/// The same of a sentence that stands in both languages even where they are the same.
pub fn sentence(message: &Message) -> Value {
    part("both", context! { en => text(message.english()), ja => text(&message.text(Language::Japanese)) })
}

/// A message that holds words of the plan or names of products throughout, which stay as they are.
pub fn names(message: &Message) -> Value {
    let (en, ja) = (message.english(), message.text(Language::Japanese));
    if en == ja { foreign(en) } else { part("both_foreign", context! { en => text(en), ja => text(&ja) }) }
}

/// A text from outside.
pub fn foreign(outside: &str) -> Value {
    part("foreign", context! { text => text(outside) })
}

/// A value from outside, which may be long: a list breaks where a reader would.
pub fn foreign_list(outside: &str) -> Value {
    part("foreign_list", context! { items => outside.split(',').map(text).collect::<Vec<_>>() })
}

/// Text made safe for HTML and SVG.
pub fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

fn text(plain: &str) -> Value {
    Value::from_safe_string(escape(plain))
}

macro_rules! parts {
    ($($name:literal),* $(,)?) => {
        &[$(($name, include_str!(concat!("../templates/parts/", $name, ".html")))),*]
    };
}

/// Small pieces of markup that all sections share.
const PARTS: &[(&str, &str)] =
    parts!["badge", "both", "both_foreign", "fault", "figure", "foreign", "foreign_list", "problem", "target"];

/// One of [`PARTS`] with these values.
pub fn part(name: &str, values: Value) -> Value {
    static ENVIRONMENT: LazyLock<Environment<'static>> = LazyLock::new(|| {
        let mut environment = Environment::new();
        environment.set_auto_escape_callback(|_| minijinja::AutoEscape::Html);
        for (name, template) in PARTS {
            // A test draws each of them.
            let _ = environment.add_template(name, template);
        }
        environment
    });
    let drawn = ENVIRONMENT.get_template(name).and_then(|template| template.render(values));
    Value::from_safe_string(drawn.unwrap_or_default())
}

/// An axis of the plan's matrix.
pub fn axis_name(key: &str) -> Message {
    axis::name(key).unwrap_or_else(|| not_ours(key))
}

/// A cell's place in the matrix, the plan's own words marked.
pub fn cell(axes: &[(String, String)]) -> Value {
    let one = |a: &(String, String)| {
        let message = axis::cell(std::slice::from_ref(a));
        let ours = axis::name(&a.0).is_some() && a.1.parse::<f64>().is_ok();
        if ours { html(&message) } else { names(&message) }.to_string()
    };
    Value::from_safe_string(axes.iter().map(one).collect::<Vec<_>>().join(", "))
}

/// How a trial or run ended.
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
    part("badge", context! { name => verdict.name(), word => html(&verdict.word()) })
}

/// A text of a recording that is a word of ours (`yes`, `not seen`) or came from outside.
pub fn recorded(text: &str) -> Value {
    older_recording::recognized(text).map_or_else(|| foreign(text), |message| marked(&message))
}

/// A message in both languages, what is not ours marked.
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

/// What, evidence and hint, each on a line of its own.
pub fn problem(p: &Problem) -> Value {
    let parts = [(&p.evidence, msg!("label-evidence")), (&p.hint, msg!("label-hint"))];
    let parts = parts
        .iter()
        .filter_map(|(part, label)| Some(context! { label => html(label), text => marked(part.as_ref()?) }));
    part("problem", context! { what => marked(&p.what), parts => parts.collect::<Vec<_>>() })
}

/// Trial numbers as people write them: `1–4, 7`.
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
    fn trial_numbers_are_written_short() {
        assert_eq!(numbers(vec![7, 1, 2, 3, 9, 10]), "1–3, 7, 9, 10");
        assert_eq!(numbers(vec![]), "");
    }

    #[test]
    fn what_is_not_ours_is_marked() {
        assert_eq!(foreign("a<b").to_string(), "<span translate=\"no\">a&lt;b</span>");
        assert_eq!(foreign_list("a<b,c").to_string(), "<span translate=\"no\">a&lt;b,<wbr>c</span>");
        let axes = [("load.clients".to_owned(), "8".to_owned()), ("load.ps_mode".to_owned(), "auto".to_owned())];
        assert_eq!(
            cell(&axes).to_string(),
            "<span lang=\"en\">8 clients</span><span lang=\"ja\">8 クライアント</span>, <span translate=\"no\">load.ps_mode auto</span>"
        );
        assert_eq!(recorded("no such sentence").to_string(), "<span translate=\"no\">no such sentence</span>");
    }

    #[test]
    fn every_part_is_drawn() {
        for (name, _) in PARTS {
            let drawn = part(name, context! { items => ["a"], parts => [context! { text => "a" }] }).to_string();
            assert!(drawn.contains(if *name == "problem" { "<br>" } else { "<" }), "{name}: {drawn}");
        }
    }
}
