//! Savepoints of SQLite: outside of a transaction the first one begins it, and its release commits it (sqlite.org/lang_savepoint.html). Elsewhere they stand
//! within transactions only. Used by [`crate::settings`].

use super::Statement;
use crate::language::Dialect;
use crate::words::words;

/// What is open where a script stands.
#[derive(Debug, Default)]
pub(crate) struct Savepoints {
    is_open: bool,
    /// The savepoints of a transaction that one of them has begun.
    names: Vec<String>,
}

impl Savepoints {
    /// Says of the next statement of a script whether it opens or ends a transaction by a savepoint.
    pub(crate) fn follow(&mut self, text: &[u8], what: &mut Statement, dialect: Dialect) {
        if dialect != Dialect::Sqlite {
            return;
        }
        let name = || {
            let mut words = words(text, dialect);
            words.retain(|word| word != ";");
            words.pop().unwrap_or_default().to_lowercase()
        };
        match what.verb.as_str() {
            "SAVEPOINT" if !self.is_open || !self.names.is_empty() => {
                self.names.push(name());
                what.transaction = Some(true);
            }
            "RELEASE" => {
                let name = name();
                if let Some(at) = self.names.iter().rposition(|other| *other == name) {
                    self.names.truncate(at);
                    what.transaction = self.names.is_empty().then_some(false);
                }
            }
            _ => {}
        }
        match what.transaction {
            Some(true) => self.is_open = true,
            Some(false) => *self = Savepoints::default(),
            None => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::statement::of_text;

    #[test]
    fn the_first_savepoint_begins_a_transaction_and_its_release_ends_it() {
        let of = |script: &str, dialect| -> String {
            let mut savepoints = Savepoints::default();
            let each = script.split("; ").map(|text| {
                let mut what = of_text(text.as_bytes(), dialect);
                savepoints.follow(text.as_bytes(), &mut what, dialect);
                what.transaction.map_or('-', |opens| if opens { '+' } else { '.' })
            });
            each.collect()
        };
        for (script, wanted) in [
            ("SAVEPOINT a; SELECT 1; RELEASE a", "+-."),
            ("SAVEPOINT a; SAVEPOINT \"B\"; RELEASE SAVEPOINT b; RELEASE a", "++-."),
            ("SAVEPOINT a; SAVEPOINT b; RELEASE a", "++."),
            ("SAVEPOINT a; SAVEPOINT a; RELEASE a; RELEASE a", "++-."),
            ("SAVEPOINT a; ROLLBACK TO a", "+-"),
            ("SAVEPOINT a; SELECT 1; COMMIT", "+-."),
            // Within a transaction they end nothing.
            ("BEGIN; SAVEPOINT a; RELEASE a; COMMIT", "+--."),
        ] {
            assert_eq!(of(script, Dialect::Sqlite), wanted, "{script}");
        }
        assert_eq!(of("SAVEPOINT a; RELEASE a", Dialect::Mysql), "--");
    }
}
