//! The argument that names a workload: any text is accepted (it may be a script's path), and shell completions list the
//! known workloads.

use clap::builder::{PossibleValue, StringValueParser, TypedValueParser};
use std::ffi::{OsStr, OsString};
use tenbin_model::dsn::Dsn;
use tenbin_workloads::sql;

/// The command line with the scripts of SQL that follow each other (`bench pay.sql@30 look.sql@70 DSN`) as one word, `pay.sql@30,look.sql@70`.
pub fn scripts_together(words: Vec<OsString>) -> Vec<OsString> {
    if !words.get(1).is_some_and(|command| command == "bench" || command == "list") {
        return words;
    }
    // An address may end like a script.
    let is_script = |word: &OsString| {
        let named = word.to_str().filter(|word| !word.starts_with('-') && sql::is_scripts(word));
        named.is_some_and(|word| Dsn::parse(word).is_err())
    };
    let mut together: Vec<OsString> = Vec::with_capacity(words.len());
    let mut after_script = false;
    for (at, word) in words.into_iter().enumerate() {
        let is_script = at > 1 && is_script(&word);
        match together.last_mut().filter(|_| is_script && after_script) {
            Some(last) => {
                last.push(",");
                last.push(word);
            }
            None => together.push(word),
        }
        after_script = is_script;
    }
    together
}

/// Parses a workload's name or a script's path.
#[derive(Debug, Clone, Copy)]
pub struct WorkloadName;

impl TypedValueParser for WorkloadName {
    type Value = String;

    fn parse_ref(
        &self,
        command: &clap::Command,
        argument: Option<&clap::Arg>,
        value: &OsStr,
    ) -> Result<String, clap::Error> {
        StringValueParser::new().parse_ref(command, argument, value)
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(Box::new(tenbin_workloads::workloads().into_iter().map(|w| PossibleValue::new(w.name).help(w.about))))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scripts_that_follow_each_other_are_one_word() {
        let words = |line: &str| line.split(' ').map(OsString::from).collect::<Vec<_>>();
        let together = |line: &str| scripts_together(words(line)).join(OsStr::new(" ")).into_string().unwrap();
        let dsn = "mysql://u@h/a.sql --time 5s";
        assert_eq!(
            together(&format!("tenbin bench pay.sql@30 x/look.sql@70 {dsn}")),
            format!("tenbin bench pay.sql@30,x/look.sql@70 {dsn}")
        );
        for alike in [
            "tenbin bench pay.sql sqlite:a.db",
            "tenbin bench pay.sql sqlite:a.sql",
            "tenbin run a.sql b.sql",
            "tenbin bench oltp_insert sqlite:a.sql",
        ] {
            assert_eq!(together(alike), alike);
        }
    }
}
