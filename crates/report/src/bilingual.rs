//! Words of the page in both its languages, and marks on what is not ours. Both texts stand in the page; its style shows one.
//!
//! What comes from outside (names of targets, a server's message, a plan's keys) is marked `translate="no"`: browsers leave it alone,
//! and a test finds by it that everything else is in the reader's language.

use minijinja::Value;
use tenbin_model::answer::Language;
use tenbin_model::audit::Verdict;
use tenbin_model::axis;
use tenbin_model::event::EndState;
use tenbin_model::message::{Message, Piece};
use tenbin_model::older_recording;
use tenbin_model::problem::Problem;

/// A text in English and in Japanese, not yet escaped.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Bilingual {
    pub en: String,
    pub ja: String,
}

impl Bilingual {
    /// The two texts.
    pub fn new(en: impl Into<String>, ja: impl Into<String>) -> Bilingual {
        Bilingual { en: en.into(), ja: ja.into() }
    }

    /// A text that is the same in both and not ours.
    pub fn same(text: impl Into<String>) -> Bilingual {
        let text = text.into();
        Bilingual { en: text.clone(), ja: text }
    }

    /// Made for each language.
    pub fn of(make: impl Fn(Language) -> String) -> Bilingual {
        Bilingual { en: make(Language::English), ja: make(Language::Japanese) }
    }

    /// As markup.
    pub fn html(&self) -> String {
        if self.en == self.ja {
            return if self.en.is_empty() { String::new() } else { foreign(&self.en) };
        }
        format!("<span lang=\"en\">{}</span><span lang=\"ja\">{}</span>", escape(&self.en), escape(&self.ja))
    }

    /// As markup that a template takes as it is.
    pub fn value(&self) -> Value {
        Value::from_safe_string(self.html())
    }
}

/// A text from outside, as markup.
pub fn foreign(text: &str) -> String {
    format!("<span translate=\"no\">{}</span>", escape(text))
}

/// Text made safe for HTML and SVG.
pub fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

/// An axis of the plan's matrix.
pub fn axis_name(key: &str) -> Bilingual {
    match (axis::name(key, Language::English), axis::name(key, Language::Japanese)) {
        (Some(en), Some(ja)) => Bilingual::new(en, ja),
        _ => Bilingual::same(key),
    }
}

/// A cell's place in the matrix. Where it holds words of the plan, these stay as they are.
pub fn cell(axes: &[(String, String)]) -> Bilingual {
    Bilingual::of(|language| axis::cell(axes, language))
}

/// The same as markup, the plan's own words marked.
pub fn cell_html(axes: &[(String, String)]) -> String {
    let one = |a: &(String, String)| {
        let both = cell(std::slice::from_ref(a));
        let ours = axis::name(&a.0, Language::English).is_some() && a.1.parse::<f64>().is_ok();
        if ours { both.html() } else { both.html().replace("<span lang", "<span translate=\"no\" lang") }
    };
    axes.iter().map(one).collect::<Vec<_>>().join(", ")
}

/// How a trial or run ended.
pub fn state(state: Option<EndState>) -> Bilingual {
    match state {
        None => Bilingual::new("unfinished", "未完了"),
        Some(EndState::Complete) => Bilingual::new("complete", "完了"),
        Some(EndState::Partial) => Bilingual::new("partial", "途中まで"),
        Some(EndState::Failed) => Bilingual::new("failed", "失敗"),
    }
}

/// A verdict as a coloured badge.
pub fn badge(verdict: Verdict) -> Value {
    let words = Bilingual::of(|language| verdict.word(language).to_owned());
    Value::from_safe_string(format!("<span class=\"badge {}\">{}</span>", verdict.name(), words.html()))
}

/// A text of a recording that is a word of ours (`yes`, `not seen`) or came from outside, as markup.
pub fn sentence(text: &str) -> String {
    older_recording::recognized(text).map_or_else(|| foreign(text), |message| message_html(&message))
}

/// A message in both languages, what is not ours marked, as markup.
pub fn message_html(message: &Message) -> String {
    let pieces = message.pieces(Language::Japanese);
    if pieces.iter().all(|piece| matches!(piece, Piece::Foreign(_))) {
        return foreign(message.english());
    }
    let ja = pieces.into_iter().map(|piece| match piece {
        Piece::Ours(text) => escape(&text),
        Piece::Foreign(text) => foreign(&text),
    });
    format!("<span lang=\"en\">{}</span><span lang=\"ja\">{}</span>", escape(message.english()), ja.collect::<String>())
}

/// What, evidence and hint, each on a line of its own.
pub fn problem(p: &Problem) -> Value {
    let mut out = message_html(&p.what);
    for (part, label) in [(&p.evidence, Bilingual::new("evidence", "根拠")), (&p.hint, Bilingual::new("hint", "対処"))]
    {
        if let Some(text) = part {
            out += &format!("<br><small>{}:</small> {}", label.html(), message_html(text));
        }
    }
    Value::from_safe_string(out)
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
        assert_eq!(foreign("a<b"), "<span translate=\"no\">a&lt;b</span>");
        let axes = [("load.clients".to_owned(), "8".to_owned()), ("load.ps_mode".to_owned(), "auto".to_owned())];
        assert_eq!(
            cell_html(&axes),
            "<span lang=\"en\">8 clients</span><span lang=\"ja\">8 クライアント</span>, <span translate=\"no\">load.ps_mode auto</span>"
        );
        assert_eq!(sentence("no such sentence"), "<span translate=\"no\">no such sentence</span>");
    }
}
