//! A reason to trust a result less, and what follows from all of them.

use serde::{Deserialize, Serialize};
use tenbin_words::message::Message;
use tenbin_words::msg;
use tenbin_words::problem::Problem;

/// How far a result can be trusted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "UPPERCASE")]
pub enum Verdict {
    /// Nothing was found that weakens it.
    Valid,
    /// It can be used, with the stated reservations.
    Degraded,
    /// It must not be used as a measurement of the target.
    Invalid,
}

impl Verdict {
    /// The word in the user's language.
    pub fn word(self) -> Message {
        match self {
            Verdict::Valid => msg!("verdict-valid"),
            Verdict::Degraded => msg!("verdict-degraded"),
            Verdict::Invalid => msg!("verdict-invalid"),
        }
    }

    /// The fixed word, for programs and terminals.
    pub fn name(self) -> &'static str {
        match self {
            Verdict::Valid => "VALID",
            Verdict::Degraded => "DEGRADED",
            Verdict::Invalid => "INVALID",
        }
    }
}

/// One reason for less than VALID.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Doubt {
    /// Its severity.
    pub verdict: Verdict,
    /// A short fixed name for programs: `errors`, `client-busy`, ….
    pub code: String,
    /// What, evidence, hint.
    pub problem: Problem,
}
