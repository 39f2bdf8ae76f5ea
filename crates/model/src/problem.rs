//! What a user reads when something is wrong: what happened, the evidence, and one command that mends it.

use std::fmt;

/// A failure told to a person. Machines look at the error class of the crate that raised it instead.
///
/// Never holds a password: whoever builds one from a DSN uses [`crate::dsn::Dsn`]'s `Display`, which leaves it out.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Problem {
    /// One sentence: what happened.
    pub what: String,
    /// What was seen that makes us say so: the server's words, a line of the file, two numbers.
    pub evidence: Option<String>,
    /// One command or one edit that mends it.
    pub mend: Option<String>,
}

impl Problem {
    /// A problem with nothing but its sentence; add evidence and the way out where they are known.
    pub fn new(what: impl Into<String>) -> Self {
        Problem { what: what.into(), evidence: None, mend: None }
    }

    /// Adds what was seen.
    #[must_use]
    pub fn evidence(mut self, evidence: impl Into<String>) -> Self {
        self.evidence = Some(evidence.into());
        self
    }

    /// Adds the way out.
    #[must_use]
    pub fn mend(mut self, mend: impl Into<String>) -> Self {
        self.mend = Some(mend.into());
        self
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.what)?;
        if let Some(evidence) = &self.evidence {
            write!(f, "\n  evidence  {}", evidence.replace('\n', "\n            "))?;
        }
        if let Some(mend) = &self.mend {
            write!(f, "\n  mend      {}", mend.replace('\n', "\n            "))?;
        }
        Ok(())
    }
}

impl std::error::Error for Problem {}
