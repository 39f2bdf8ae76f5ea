//! A machine for tests: its files as they were recorded, and nothing else.

use super::{FileTexts, MachineFiles};
use tenbin_words::problem::Problem;

/// Files by their paths.
pub struct RecordedFiles<'a>(pub &'a [(&'static str, &'static str)]);

impl MachineFiles for RecordedFiles<'_> {
    fn files(&self, patterns: &[&str]) -> Result<FileTexts, Problem> {
        // A pattern with more than one `*` is in no test.
        let matches = |pattern: &&str, path: &str| match pattern.split_once('*') {
            None => *pattern == path,
            Some((start, end)) => path.starts_with(start) && path.ends_with(end),
        };
        let meant = self.0.iter().filter(|(path, _)| patterns.iter().any(|pattern| matches(pattern, path)));
        Ok(meant.map(|(path, text)| ((*path).to_owned(), (*text).to_owned())).collect())
    }
    fn links(&self, _: &str) -> Result<FileTexts, Problem> {
        Ok(FileTexts::new())
    }
    fn resolved(&self, _: &str) -> Result<Option<String>, Problem> {
        Ok(None)
    }
    fn programs(&self) -> Result<FileTexts, Problem> {
        Ok(FileTexts::new())
    }
}
