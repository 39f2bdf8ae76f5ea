//! Texts of the terminal in the user's language, English or Japanese.

use tenbin_model::answer::Language;
use tenbin_model::event::Phase;
use tenbin_model::figure;
use tenbin_model::problem::Problem;
use unicode_width::UnicodeWidthStr;

/// Texts in one language.
#[derive(Debug, Clone, Copy)]
pub struct TerminalWords {
    pub language: Language,
}

impl TerminalWords {
    pub fn new(language: Language) -> TerminalWords {
        TerminalWords { language }
    }

    /// The text in the user's language.
    pub fn pick<'t>(&self, english: &'t str, japanese: &'t str) -> &'t str {
        match self.language {
            Language::English => english,
            Language::Japanese => japanese,
        }
    }

    /// What happened, the evidence and the hint, with foreign text escaped.
    pub fn problem(&self, problem: &Problem) -> String {
        problem.text(self.language)
    }

    /// The label of a line, eight columns wide.
    pub fn label(&self, english: &str, japanese: &str) -> String {
        let text = self.pick(english, japanese);
        format!("{text}{}", " ".repeat(8usize.saturating_sub(text.width())))
    }

    /// The same with six columns.
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

    /// The remaining time.
    pub fn left(&self, seconds: f64) -> String {
        match self.language {
            Language::English => format!("{} left", figure::span(seconds)),
            Language::Japanese => format!("残り {}", figure::span_ja(seconds)),
        }
    }
}
