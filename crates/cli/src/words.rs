//! What the terminal says in the reader's language, English or Japanese, piped or not.

use tenbin_model::answer::Language;
use tenbin_model::event::Phase;
use tenbin_model::figure;
use tenbin_model::problem::Problem;
use unicode_width::UnicodeWidthStr;

/// Phrases in one language.
#[derive(Debug, Clone, Copy)]
pub struct TerminalWords {
    pub language: Language,
}

impl TerminalWords {
    pub fn new(language: Language) -> TerminalWords {
        TerminalWords { language }
    }

    /// The one of two phrases that is the reader's.
    pub fn pick<'t>(&self, english: &'t str, japanese: &'t str) -> &'t str {
        match self.language {
            Language::English => english,
            Language::Japanese => japanese,
        }
    }

    /// What happened, the evidence and the way out, each as far as it is ours.
    pub fn problem(&self, problem: &Problem) -> String {
        problem.text(self.language)
    }

    /// What stands before a line, eight columns wide.
    pub fn label(&self, english: &str, japanese: &str) -> String {
        let text = self.pick(english, japanese);
        format!("{text}{}", " ".repeat(8usize.saturating_sub(text.width())))
    }

    /// The same of six columns.
    pub fn short_label(&self, english: &str, japanese: &str) -> String {
        let text = self.pick(english, japanese);
        format!("{text}{}", " ".repeat(6usize.saturating_sub(text.width())))
    }

    /// The name of a phase of a trial.
    pub fn phase(&self, phase: Phase) -> &'static str {
        let japanese = match phase {
            Phase::Restore => "リストア",
            Phase::Load => "ロード",
            Phase::Settle => "待機",
            Phase::WarmUp => "ウォームアップ",
            Phase::Measure => "測定",
            Phase::CoolDown => "クールダウン",
            Phase::Check => "検査",
        };
        self.pick(phase.name(), japanese)
    }

    /// How long something still takes.
    pub fn left(&self, seconds: f64) -> String {
        match self.language {
            Language::English => format!("{} left", figure::span(seconds)),
            Language::Japanese => format!("残り {}", figure::span_ja(seconds)),
        }
    }
}
