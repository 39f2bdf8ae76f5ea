//! Which other tables the definition of a table makes its own: rows of a parent, of a partition, of the tables that it stands for. Used by
//! [`crate::statement`], and by [`crate::data`] for tables that may be tied to each other.

/// The tables to which a definition ties its own, as they are written; `None` if one of them is not seen.
pub(crate) fn tied(words: &[String]) -> Option<Vec<String>> {
    /// Engines whose tables are elsewhere, or anywhere.
    const ELSEWHERE: [&str; 5] = ["FEDERATED", "FEDERATEDX", "CONNECT", "SPIDER", "OQGRAPH"];
    let is = |at: usize, word: &str| words.get(at).is_some_and(|other| other.eq_ignore_ascii_case(word));
    let mut tables = Vec::new();
    for at in 0..words.len() {
        let partition = at > 0 && is(at - 1, "PARTITION");
        // Between double quotes, which MySQL's words keep, the name of an engine is one too.
        match words[at].trim_matches('"').to_ascii_uppercase().as_str() {
            "INHERITS" | "UNION" if is(at + 1, "(") => {
                let list: Vec<&String> = words[at + 2..].iter().take_while(|word| *word != ")").collect();
                tables.extend(list.into_iter().filter(|word| *word != ",").cloned());
            }
            "INHERIT" => tables.push(words.get(at + 1)?.clone()),
            "OF" if partition => tables.push(words.get(at + 1)?.clone()),
            // Other words of PARTITION.
            "ATTACH" | "EXCHANGE" if is(at + 1, "PARTITION") => {
                let exchanges = words[at].eq_ignore_ascii_case("EXCHANGE");
                let with =
                    words[at..].iter().position(|word| word.eq_ignore_ascii_case("TABLE")).map(|table| at + table);
                let place = if exchanges { with? + 1 } else { at + 2 };
                tables.push(words.get(place)?.clone());
            }
            "CONVERT" if is(at + 1, "TABLE") => tables.push(words.get(at + 2)?.clone()),
            // Of PostgreSQL: its rows are wherever its server says.
            "FOREIGN" if is(at + 1, "TABLE") => return None,
            "MERGE" | "MRG_MYISAM"
                if is_engine(words, at) && !words.iter().any(|w| w.eq_ignore_ascii_case("UNION")) =>
            {
                return None;
            }
            // That of a variable may be any.
            engine if is_engine(words, at) && (ELSEWHERE.contains(&engine) || engine.starts_with(':')) => return None,
            _ => {}
        }
    }
    Some(tables)
}

/// Whether the word at this place is the engine of a table.
fn is_engine(words: &[String], at: usize) -> bool {
    at > 0 && ["ENGINE", "TYPE"].iter().any(|word| words[at - 1].eq_ignore_ascii_case(word))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::language::Dialect;
    use crate::words::words;

    #[test]
    fn the_tables_that_a_definition_reaches_into_are_known_or_not() {
        let of = |text: &str| tied(&words(text.as_bytes(), Dialect::Mysql)).map(|tables| tables.join(" "));
        for (text, tables) in [
            ("CREATE TABLE t (a int, inherits int, partition int) ENGINE=InnoDB PARTITION BY HASH (a)", ""),
            ("CREATE TABLE t (a int) INHERITS (u, shop.v)", "u shop.v"),
            ("CREATE TABLE t PARTITION OF u FOR VALUES FROM (0) TO (9)", "u"),
            ("ALTER TABLE t INHERIT u", "u"),
            ("ALTER TABLE t ATTACH PARTITION u DEFAULT", "u"),
            ("ALTER TABLE t EXCHANGE PARTITION p WITH TABLE u", "u"),
            ("CREATE TABLE t (a int) ENGINE=MERGE UNION=(u, v) INSERT_METHOD=LAST", "u v"),
            ("CREATE TABLE t (a int) ENGINE='MERGE' UNION=(`u`, v) INSERT_METHOD=LAST", "u v"),
            ("CREATE TABLE t (type int, engine int) ENGINE='InnoDB' COMMENT='MERGE'", ""),
            ("ALTER TABLE t CONVERT TABLE u TO PARTITION p VALUES LESS THAN (9)", "u"),
            ("ALTER TABLE t CONVERT PARTITION p TO TABLE u", ""),
            ("CREATE TABLE t (a int, FOREIGN KEY (a) REFERENCES u (a) ON DELETE CASCADE)", ""),
        ] {
            assert_eq!(of(text).as_deref(), Some(tables), "{text}");
        }
        for text in [
            "CREATE TABLE t (a int) ENGINE=FEDERATED",
            "CREATE TABLE t (a int) ENGINE = MERGE",
            "CREATE TABLE t (a int) ENGINE='MERGE'",
            "CREATE TABLE t (a int) ENGINE = \"mrg_myisam\"",
            "ALTER TABLE t ENGINE 'CONNECT'",
            "CREATE TABLE t (a int) ENGINE=:engine",
            "CREATE FOREIGN TABLE t (a int) SERVER s OPTIONS (table_name 'precious')",
        ] {
            assert_eq!(of(text), None, "{text}");
        }
    }
}
