//! What a look at a machine or a server finds: how grave it is, what was seen, and what resolves it.

use serde::{Deserialize, Serialize};
use tenbin_words::message::Message;
use tenbin_words::problem::Problem;

/// The severity of a finding.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Level {
    /// In order.
    Ok,
    /// For information.
    Note,
    /// May weaken a result.
    Warning,
    /// A run would fail.
    Error,
}

/// One finding.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    /// Its severity.
    pub level: Level,
    /// The finding in one sentence.
    pub title: Message,
    /// What was seen.
    pub evidence: Option<Message>,
    /// One command that resolves it.
    pub hint: Option<Message>,
}

/// A finding of this severity, without evidence and hint.
pub fn finding(level: Level, title: Message) -> Finding {
    Finding { level, title, evidence: None, hint: None }
}

impl Finding {
    /// With what was seen.
    #[must_use]
    pub fn evidence(self, evidence: impl Into<Message>) -> Finding {
        Finding { evidence: Some(evidence.into()), ..self }
    }

    /// With one command that resolves it.
    #[must_use]
    pub fn hint(self, hint: Message) -> Finding {
        Finding { hint: Some(hint), ..self }
    }

    /// Converts it to a problem, whatever its severity.
    pub fn problem(self) -> Problem {
        Problem { what: self.title, evidence: self.evidence, hint: self.hint }
    }

    /// Converts a problem to a finding.
    pub fn of(level: Level, problem: Problem) -> Finding {
        Finding { level, title: problem.what, evidence: problem.evidence, hint: problem.hint }
    }
}
