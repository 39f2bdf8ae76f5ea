//! Compares a server with the version and the variables that a plan pins, so that a wrong server is refused.

use crate::names::server_facts;
use crate::trial::Target;
use crate::variables::{canonical_name, is_same, mean_same};
use std::collections::BTreeMap;
use tenbin_words::message::{Message, foreign};
use tenbin_words::msg;
use tenbin_words::problem::Problem;
use tenbin_words::text::is_like;

/// The problem if the server with these facts is not the one that the target pins. Variables that the plan sets are not
/// compared.
pub fn differs(target: &Target, facts: &BTreeMap<String, String>) -> Option<Problem> {
    let pin = target.pin.as_ref()?;
    let mut all: Vec<Message> = Vec::new();
    let version = facts.get(server_facts::VERSION).or_else(|| facts.get("version")).map_or("", String::as_str);
    all.extend(
        pin.version
            .iter()
            .filter(|wanted| !is_version(wanted, version))
            .map(|wanted| msg!("pin-is-and-wants", name = msg!("pin-version"), found = version, wanted)),
    );
    for (name, wanted) in &pin.variables {
        let name = canonical_name(name);
        if target.server.keys().any(|set| canonical_name(set) == name) {
            continue;
        }
        match facts.get(&format!("variable.{name}")) {
            Some(value) if is_same(wanted, value) || mean_same(&name, wanted, value) => {}
            Some(value) => all.push(msg!("pin-is-and-wants", name = foreign(&name), found = value, wanted)),
            None => all.push(msg!("server-has-no-variable", variable = name)),
        }
    }
    let what = msg!("pin-differs", target = target.name);
    let hint = msg!("change-pin-or-address", target = target.name);
    (!all.is_empty()).then(|| Problem::new(what).evidence(Message::joined(all, "\n")).hint(hint))
}

/// Whether a version, or the numbers that it begins with, is the one that is wanted: `10.11.*` and `10.11.19` both are
/// `10.11.19-MariaDB-0+deb12u1`.
fn is_version(wanted: &str, version: &str) -> bool {
    let end = version.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(version.len());
    is_like(wanted, version) || is_like(wanted, &version[..end])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::trial::Pin;

    #[test]
    fn versions_are_compared_by_pattern() {
        let version = "10.11.19-MariaDB-0+deb12u1";
        for wanted in ["10.11.*", "10.11.19", "10.*", "*MariaDB*", version] {
            assert!(is_version(wanted, version), "{wanted}");
        }
        for wanted in ["10.1.*", "10.11", "8.0.*", "", "*MySQL*"] {
            assert!(!is_version(wanted, version), "{wanted}");
        }
    }

    #[test]
    fn what_differs_is_named_and_what_the_plan_sets_is_not_compared() {
        let texts = |pairs: &[(&str, &str)]| -> BTreeMap<String, String> {
            pairs.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect()
        };
        let facts = texts(&[
            ("status.version", "8.0.31"),
            ("variable.sync_binlog", "1"),
            ("variable.innodb_doublewrite", "ON"),
            ("variable.log_output", "FILE,TABLE"),
            ("variable.innodb_buffer_pool_size", "16777216"),
        ]);
        let mut target = Target::named("a", 0);
        let same = [
            ("sync_binlog", "on"),
            ("innodb-doublewrite", "1"),
            ("innodb_buffer_pool_size", "16M"),
            ("log_output", "TABLE,FILE"),
        ];
        target.pin = Some(Pin { version: Some("8.0.*".into()), variables: texts(&same) });
        assert_eq!(differs(&target, &facts), None);
        let other = [("sync_binlog", "0"), ("innodb_buffer_pool_size", "32M"), ("no_such", "1")];
        target.pin = Some(Pin { version: Some("8.4.*".into()), variables: texts(&other) });
        target.server = texts(&[("innodb-buffer-pool-size", "1")]);
        insta::assert_snapshot!(differs(&target, &facts).unwrap(), @r"
    the server of target a is not the one that the plan is for
      evidence  the version is 8.0.31, pinned is 8.4.*
                the server has no variable no_such
                sync_binlog is 1, pinned is 0
      hint      give the address of another server, or change pin in [targets.a]
    ");
    }
}
