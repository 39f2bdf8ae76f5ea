//! Which statements the five transactions are made of: the option `profile`.

use super::statements::{self, LINES, S, Style, tpcc_mysql};
use tenbin_model::tally::StatementKind;
use tenbin_model::tpcc::{BATCHED, TPCC_MYSQL};

/// One of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Profile {
    /// Several rows in one statement where possible: 7 statements per transaction.
    Batched,
    /// tpcc-mysql's, row by row: 37 statements per transaction.
    TpccMysql,
}

/// The words of the option.
pub(super) const WORDS: &[&str] = &[BATCHED, TPCC_MYSQL];

impl Profile {
    pub(super) fn named(word: &str) -> Profile {
        if word == TPCC_MYSQL { Profile::TpccMysql } else { Profile::Batched }
    }

    /// Names and kinds. The first three are BEGIN, COMMIT and ROLLBACK in each.
    pub(super) fn list(self) -> &'static [(&'static str, StatementKind)] {
        match self {
            Profile::Batched => &statements::LIST,
            Profile::TpccMysql => &tpcc_mysql::LIST,
        }
    }

    /// What a connection prepares, in order: by index in the list, and for inserted lines one more for each further
    /// number of them. Empty: an index that is never executed.
    pub(super) fn texts(self, style: Style) -> Vec<String> {
        match self {
            Profile::Batched => {
                let each = statements::ALL.iter().map(|s| style.sql(*s, 1));
                each.chain((2..=LINES).map(|lines| style.sql(S::Lines, lines))).collect()
            }
            Profile::TpccMysql => tpcc_mysql::SQL.map(str::to_owned).into(),
        }
    }

    /// How many of them a connection keeps prepared.
    pub(super) fn prepared(self) -> u32 {
        (match self {
            Profile::Batched => statements::ALL.len() - 3 + LINES - 1,
            Profile::TpccMysql => tpcc_mysql::SQL.len() - 3,
        }) as u32
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tenbin_workload::tables::dialect::Dialect;

    #[test]
    fn as_many_are_prepared_as_are_told() {
        for profile in [Profile::Batched, Profile::TpccMysql] {
            let texts = profile.texts(Style { dialect: Dialect::Mysql });
            assert_eq!(texts.iter().filter(|sql| !sql.is_empty()).count(), profile.prepared() as usize);
            assert_eq!(profile.list()[..3].iter().map(|s| s.0).collect::<Vec<_>>(), ["begin", "commit", "rollback"]);
        }
    }
}
