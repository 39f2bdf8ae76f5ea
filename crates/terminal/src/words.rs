//! What the terminal says in the reader's language, piped or not.

use tenbin_model::event::Phase;
use tenbin_words::figure;
use tenbin_words::language::Language;
use tenbin_words::message::Message;
use tenbin_words::msg;
use tenbin_words::problem::Problem;
use unicode_width::UnicodeWidthStr;

/// Messages in one language.
#[derive(Debug, Clone, Copy)]
pub struct TerminalWords {
    /// The language.
    pub language: Language,
}

impl TerminalWords {
    /// Those of a language.
    pub fn new(language: Language) -> TerminalWords {
        TerminalWords { language }
    }

    /// The message in the reader's language.
    pub fn text(&self, message: Message) -> String {
        message.text(self.language)
    }

    /// What happened, the evidence and the hint, each as far as it is ours.
    pub fn problem(&self, problem: &Problem) -> String {
        problem.text(self.language)
    }

    /// The label of a line, eight columns wide.
    pub fn label(&self, message: Message) -> String {
        self.wide(message, 8)
    }

    /// The same with six columns.
    pub fn short_label(&self, message: Message) -> String {
        self.wide(message, 6)
    }

    /// With this many columns at least.
    pub fn wide(&self, message: Message, columns: usize) -> String {
        let text = self.text(message);
        format!("{text}{}", " ".repeat(columns.saturating_sub(text.width())))
    }

    /// The name of a phase of a trial.
    pub fn phase(&self, phase: Phase) -> String {
        self.text(match phase {
            Phase::Restore => msg!("phase-restore"),
            Phase::Load => msg!("phase-load"),
            Phase::Settle => msg!("phase-settle"),
            Phase::WarmUp => msg!("phase-warm-up"),
            Phase::Measure => msg!("phase-measure"),
            Phase::CoolDown => msg!("phase-cool-down"),
            Phase::CatchUp => msg!("phase-catch-up"),
            Phase::Check => msg!("phase-check"),
        })
    }

    /// The remaining time.
    pub fn left(&self, seconds: f64) -> String {
        self.text(msg!("time-left", time = figure::duration(seconds)))
    }
}
