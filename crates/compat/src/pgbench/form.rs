//! The version of PostgreSQL whose options and reports are used.

/// A major version.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Form(u32);

impl Form {
    /// From `--tenbin-form`.
    pub fn named(text: &str) -> Result<Form, String> {
        match text.parse() {
            Ok(n @ 12..=19) => Ok(Form(n)),
            _ => Err(format!("--tenbin-form cannot be \"{text}\": it is a version of PostgreSQL from 12 to 19")),
        }
    }

    /// The release that this form is of: of 15 the one beside which it was tested, of others the first.
    pub fn release(self) -> String {
        let minor = if self.0 == 15 { 18 } else { 0 };
        format!("{}.{minor}", self.0)
    }

    /// Two lines of tps, with and without the time of connecting.
    pub fn has_two_rates(self) -> bool {
        self.0 <= 13
    }

    /// Tries, failures and retries.
    pub fn has_failures(self) -> bool {
        self.0 >= 15
    }

    /// The first line with the version.
    pub fn has_version_line(self) -> bool {
        self.0 >= 14
    }

    /// `-d` is the database.
    pub fn has_dbname(self) -> bool {
        self.0 >= 17
    }

    /// Of several scripts each has its transactions of all kinds, and apart from them those that were processed; nothing is said of failures if nothing
    /// was begun, and all the rest if everything failed.
    pub fn has_script_totals(self) -> bool {
        self.0 >= 18
    }

    /// Failures of other kinds.
    pub fn has_other_failures(self) -> bool {
        self.0 >= 19
    }
}
