//! Whose tables the scripts write to: which tables without our mark need permission. Used by the workload, before anything is written.
//!
//! A name without a schema means a table of the connection's own schema, unless a statement may have changed that. What is not seen, a view for
//! example, may stand for any table that can be written to.

use crate::language::{Command, Dialect};
use crate::settings::is_shell;
use crate::statement::{self, Sequence, Statement};
use std::collections::BTreeSet;
use tenbin_workload::tables::others::Reach;

/// The tables without our mark that may be written to. `coming`: tables that will be created in the schema of the connection, with our mark.
pub(crate) fn foreign(statements: &[&Statement], reach: &Reach, coming: &[String]) -> Vec<String> {
    let leaves = statements.iter().any(|what| what.leaves_schema);
    // Tables that the scripts create themselves, temporary ones for example.
    let created: Vec<&str> =
        statements.iter().filter(|what| what.creates_table).filter_map(|what| what.table.as_deref()).collect();
    let creates = |written: &str| {
        let bare_too = |name: &str| !written.contains('.') && bare(name) == bare(written);
        created.iter().any(|name| name.eq_ignore_ascii_case(written) || bare_too(name))
    };
    let mut named: Vec<String> = Vec::new();
    for what in statements.iter().filter(|what| what.writes) {
        if !what.sure {
            return reach.foreign.clone();
        }
        for sequence in &what.sequences {
            match owner(sequence, reach, coming, leaves) {
                Owner::Ours => {}
                Owner::Others(names) => named.extend(names),
                Owner::Unknown => return reach.foreign.clone(),
            }
        }
        for written in what.written().filter(|written| !is_own(written, reach, coming, leaves)) {
            let table = bare(written);
            let of_that_name: Vec<&String> = reach.foreign.iter().filter(|other| bare(other) == table).collect();
            // A view, or a table that was not seen, may stand for others. Where there is a view, CREATE TABLE IF NOT EXISTS creates nothing.
            let is_view = reach.views.contains(&table);
            if of_that_name.is_empty() && (is_view || !creates(written)) {
                return reach.foreign.clone();
            }
            named.extend(of_that_name.into_iter().cloned());
        }
    }
    named.sort();
    named.dedup();
    named
}

/// All tables that are written to, as the statements name them; `None` if that is not certain, or if there is none.
pub(crate) fn tables(statements: &[&Statement]) -> Option<Vec<String>> {
    let writing = || statements.iter().filter(|what| what.writes && !what.unlocks && !what.only_sequences);
    let is_certain = |what: &&Statement| what.sure && what.written().next().is_some();
    let is_elsewhere = statements.iter().any(|what| what.leaves_schema);
    let names: BTreeSet<&str> = writing().flat_map(|what| what.written()).collect();
    let names: Vec<String> = names.into_iter().map(str::to_owned).collect();
    (writing().all(is_certain) && !is_elsewhere && !names.is_empty()).then_some(names)
}

/// All tables that the commands name without a schema; `None` if they may do more to a table than change its rows, or mean those of another schema.
pub(crate) fn named<'c>(commands: impl Iterator<Item = &'c Command>, dialect: Dialect) -> Option<Vec<String>> {
    let mut names = BTreeSet::new();
    for command in commands {
        let Some(sql) = command.sql() else {
            if is_shell(&command.kind) {
                return None;
            }
            continue;
        };
        let what = statement::of(sql, dialect);
        if what.leaves_schema || !what.keeps_tables() {
            return None;
        }
        let here = what.table.into_iter().chain(what.others).filter(|name| !name.contains('.'));
        // PostgreSQL reads what is not quoted in lower case.
        names.extend(here.flat_map(|name| [name.to_lowercase(), name]));
    }
    Some(names.into_iter().collect())
}

/// Whose a sequence is.
enum Owner {
    Ours,
    Others(Vec<String>),
    Unknown,
}

fn owner(sequence: &Sequence, reach: &Reach, coming: &[String], leaves: bool) -> Owner {
    let name = match sequence {
        Sequence::Named(name) => name,
        Sequence::OfTable(table) if is_own(table, reach, coming, leaves) => return Owner::Ours,
        Sequence::OfTable(table) => {
            let named: Vec<String> = reach.foreign.iter().filter(|other| bare(other) == bare(table)).cloned().collect();
            return if named.is_empty() { Owner::Unknown } else { Owner::Others(named) };
        }
    };
    let schema = name.rsplit_once('.').map(|(schema, _)| schema.to_lowercase());
    let is_it = |(other, _): &&(String, bool)| match &schema {
        Some(schema) => other.to_lowercase() == format!("{schema}.{}", bare(name)),
        None => bare(other) == bare(name),
    };
    let sequences: Vec<&(String, bool)> = reach.sequences.iter().filter(is_it).collect();
    let is_here = |other: &str| schema.is_some() || !leaves && other.starts_with(&format!("{}.", reach.schema));
    // One of the own schema is found first.
    if sequences.iter().any(|(other, ours)| *ours && is_here(other)) {
        return Owner::Ours;
    }
    if !sequences.is_empty() {
        return Owner::Others(sequences.into_iter().map(|(other, _)| other.clone()).collect());
    }
    // That of a column will have the names of both: `account_id_seq`.
    let will_be = |table: &String| bare(name).starts_with(&format!("{}_", bare(table))) && name.ends_with("_seq");
    let comes =
        coming.iter().any(will_be) && !leaves && schema.is_none_or(|schema| schema == reach.schema.to_lowercase());
    if comes { Owner::Ours } else { Owner::Unknown }
}

/// Whether it is certain that a name means a table of ours, which is there or will be.
fn is_own(written: &str, reach: &Reach, coming: &[String], leaves: bool) -> bool {
    let (schema, table) = match written.rsplit_once('.') {
        Some((schema, table)) => (Some(schema), table),
        None => (None, written),
    };
    let is = |one: &str, other: &str| one.to_lowercase() == other.to_lowercase();
    let here = schema.is_none_or(|schema| is(schema, &reach.schema)) && !(leaves && schema.is_none());
    let Some(own) = reach.marked.iter().chain(coming).find(|name| here && is(name, table)) else { return false };
    // In other letters it may be that of somebody else, who may also have a table with a point in its name.
    let in_its_place = |other: &String| {
        let in_path = reach.path.iter().any(|entry| {
            let name = other.strip_prefix(entry.as_str()).and_then(|rest| rest.strip_prefix('.'));
            name.is_some_and(|name| {
                schema.is_some() && is(name, written) || is(name, table) && (*entry == reach.schema || name != own)
            })
        });
        in_path || is(other, written)
    };
    !reach.foreign.iter().any(in_its_place)
}

/// A table's name without its schema, in lower case: servers differ in which letters are the same.
fn bare(name: &str) -> String {
    name.rsplit('.').next().unwrap_or(name).to_lowercase()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::language::{Names, Script};

    fn needs(script: &str, marked: &[&str], foreign_ones: &[&str], coming: &[&str]) -> Vec<String> {
        let owned = |all: &[&str]| all.iter().map(|&name| name.to_owned()).collect::<Vec<_>>();
        let script = Script::parse("x", script.as_bytes(), Dialect::Mysql, &mut Names::default()).unwrap();
        let all: Vec<Statement> =
            script.commands.iter().filter_map(|c| c.sql()).map(|sql| statement::of(sql, Dialect::Mysql)).collect();
        let path = owned(&["mine", "public"]);
        let reach = Reach {
            schema: "mine".to_owned(),
            path,
            marked: owned(marked),
            foreign: owned(foreign_ones),
            views: owned(&["v"]),
            sequences: vec![("mine.account_id_seq".to_owned(), true), ("mine.orders_seq".to_owned(), false)],
        };
        foreign(&all.iter().collect::<Vec<_>>(), &reach, &owned(coming))
    }

    #[test]
    fn the_tables_of_statements_that_change_rows_are_named() {
        let named = |script: &str, dialect| {
            let script = Script::parse("x", script.as_bytes(), dialect, &mut Names::default()).unwrap();
            super::named(script.commands.iter(), dialect).map(|names| names.join(" "))
        };
        for dialect in [Dialect::Mysql, Dialect::Postgres, Dialect::Sqlite] {
            for (script, names) in [
                ("BEGIN;\nUPDATE b SET a = 1;\nINSERT INTO o2.a VALUES (1);\nSELECT * FROM c;\nCOMMIT;", "b c"),
                ("\\set n random(1, 9)\nDELETE FROM Orders WHERE id = :n;", "Orders orders"),
                ("SELECT a FROM t FOR UPDATE;\n\\sleep 1 ms\nROLLBACK;", "t"),
                ("SELECT 1;", ""),
            ] {
                assert_eq!(named(script, dialect).as_deref(), Some(names), "{script}");
            }
            for more in [
                "ALTER TABLE t ADD b int;",
                "CREATE INDEX i ON t (a);",
                "CREATE TABLE u (a int);",
                "DROP TABLE t;",
                "TRUNCATE TABLE t;",
                "VACUUM;",
                "CALL p();",
                "SELECT 1\\; DROP TABLE t;",
                "UPDATE t SET a = 1\\; ALTER TABLE t ADD b int;",
                "SET search_path = other;",
                "\\shell true",
            ] {
                assert_eq!(named(&format!("SELECT a FROM t;\n{more}\n"), dialect), None, "{more}");
            }
        }
    }

    #[test]
    fn the_tables_that_are_written_to_are_known_or_not() {
        let named = |script: &str| {
            let script = Script::parse("x", script.as_bytes(), Dialect::Mysql, &mut Names::default()).unwrap();
            let all: Vec<Statement> =
                script.commands.iter().filter_map(|c| c.sql()).map(|sql| statement::of(sql, Dialect::Mysql)).collect();
            tables(&all.iter().collect::<Vec<_>>())
        };
        let of = |all: &[&str]| Some(all.iter().map(|&name| name.to_owned()).collect::<Vec<_>>());
        let both = "BEGIN;\nUPDATE b SET a = 1;\nINSERT INTO o2.a VALUES (1);\nSELECT * FROM c;\nCOMMIT;";
        assert_eq!(named(both), of(&["b", "o2.a"]));
        for script in ["SELECT 1;", "CALL p();", "USE o2;\nUPDATE b SET a = 1;", "UPDATE b SET a = 1;\nCALL p();"] {
            assert_eq!(named(script), None, "{script}");
        }
    }

    #[test]
    fn what_is_certain_to_be_ours_needs_no_permission() {
        let others = &["shop.orders", "shop.account"];
        for script in [
            "UPDATE account SET a = 1;",
            "UPDATE mine.account SET a = 1;",
            "DELETE FROM `account`;",
            "BEGIN;\nINSERT INTO Account (a) VALUES (:b);\nCOMMIT;",
            "SELECT a FROM account WHERE id = :x FOR UPDATE;",
            "UPDATE account SET a = :x * (1 + :x) WHERE id IN (:x);",
        ] {
            assert_eq!(needs(script, &["account"], others, &[]), [""; 0], "{script}");
            assert_eq!(needs(script, &[], others, &["account"]), [""; 0], "{script}");
        }
        for script in [
            "UPDATE account a JOIN entry e ON a.id = e.account SET a.x = e.x, e.x = 0;",
            "DELETE a, e FROM account a LEFT JOIN mine.entry e ON a.id = e.account WHERE a.id = 1;",
            "LOCK TABLES account WRITE, entry AS e READ;\nUPDATE account SET x = 1;\nUNLOCK TABLES;",
        ] {
            assert_eq!(needs(script, &["account", "entry"], others, &[]), [""; 0], "{script}");
            assert_eq!(needs(script, &["account"], others, &["entry"]), [""; 0], "{script}");
        }
        // Found before that of another schema in the search path.
        assert_eq!(needs("UPDATE account SET a = 1;", &["account"], &["public.account"], &[]), [""; 0]);
    }

    #[test]
    fn what_may_be_of_others_needs_permission() {
        let all = ["mine.precious", "shop.account", "shop.orders"];
        for (script, expected) in [
            ("DELETE FROM precious;", &all[..1]),
            ("DELETE FROM mine.Precious;", &all[..1]),
            ("DELETE FROM shop.account;", &all[1..2]),
            ("DELETE FROM shop.orders; ", &all[2..]),
            ("DELETE FROM orders;", &all[2..]),
            // A view, perhaps.
            ("DELETE FROM other;", &all),
            ("CREATE TABLE IF NOT EXISTS v (a INT);\nDELETE FROM v;", &all),
            ("CREATE TABLE IF NOT EXISTS mine.V (a INT);\nDELETE FROM mine.V;", &all),
            ("DELETE FROM other.account;", &all[1..2]),
            ("DELETE FROM account, precious;", &all[..1]),
            ("UPDATE account a JOIN shop.account b ON a.id = b.id SET a.x = b.x;", &all[1..2]),
            ("UPDATE account JOIN orders o ON o.id = account.id SET account.x = 1;", &all[2..]),
            ("DELETE account FROM shop.orders AS account;", &all[2..]),
            ("UPDATE account, (SELECT 1) x SET account.x = 1;", &all),
            ("LOCK TABLES account READ, other WRITE;", &all),
            ("DELETE FROM account\\; DELETE FROM precious;", &all),
            ("CALL p();", &all),
            // The name is looked for elsewhere.
            ("USE shop;\nDELETE FROM account;", &all[1..2]),
            ("SELECT 1\\; USE shop;\nDELETE FROM account;", &all[1..2]),
            ("SET search_path = shop;\nDELETE FROM account;", &all[1..2]),
            ("SELECT set_config('search_path', 'shop', false);\nDELETE FROM account;", &all[1..2]),
            ("SET ROLE other;\nDELETE FROM account;", &all[1..2]),
            // A variable may have any text.
            ("\\set account 1\nDELETE FROM :account;", &all),
            ("\\set n 1\nDELETE FROM account:n;", &all),
            ("\\set n 1\nDELETE FROM shop.:n;", &all),
            ("\\set n 1\nSELECT pay_:n (7);", &all),
            ("CREATE TABLE IF NOT EXISTS precious (a int);\nDELETE FROM precious;", &all[..1]),
        ] {
            assert_eq!(needs(script, &["account"], &all, &[]), expected, "{script}");
            assert_eq!(needs(script, &[], &all, &["account"]), expected, "{script}");
        }
        // Beside ours, in other letters or with a point in its name.
        assert_eq!(needs("DELETE FROM account;", &["account"], &["mine.Account"], &[]), ["mine.Account"]);
        assert_eq!(needs("DELETE FROM account;", &["account"], &["public.ACCOUNT"], &[]), ["public.ACCOUNT"]);
        assert_eq!(
            needs("DELETE FROM `mine.account`;", &["account"], &["mine.mine.account"], &[]),
            ["mine.mine.account"]
        );
    }

    #[test]
    fn sequences_of_others_need_permission() {
        let script = |text: &str| {
            let script = Script::parse("x", text.as_bytes(), Dialect::Postgres, &mut Names::default()).unwrap();
            let all: Vec<Statement> = script
                .commands
                .iter()
                .filter_map(|c| c.sql())
                .map(|sql| statement::of(sql, Dialect::Postgres))
                .collect();
            let named = |name: &str, ours| (name.to_owned(), ours);
            let reach = Reach {
                schema: "mine".to_owned(),
                path: vec!["mine".to_owned()],
                marked: vec!["account".to_owned()],
                foreign: vec!["mine.orders".to_owned()],
                views: Vec::new(),
                sequences: vec![named("mine.account_id_seq", true), named("mine.orders_id_seq", false)],
            };
            assert!(all.iter().all(|what| what.writes), "{text}");
            foreign(&all.iter().collect::<Vec<_>>(), &reach, &["entry".to_owned()]).join(" ")
        };
        for text in [
            "SELECT nextval('account_id_seq');",
            "INSERT INTO account VALUES (nextval('mine.account_id_seq'), 1);",
            "SELECT setval(pg_get_serial_sequence('account', 'id'), 7) FROM orders;",
            "INSERT INTO entry VALUES (nextval('entry_id_seq'));",
        ] {
            assert_eq!(script(text), "", "{text}");
        }
        for (text, wanted) in [
            ("SELECT nextval('orders_id_seq');", "mine.orders_id_seq"),
            ("INSERT INTO account VALUES (setval('mine.orders_id_seq', 7));", "mine.orders_id_seq"),
            ("SELECT setval(pg_get_serial_sequence('orders', 'id'), 7);", "mine.orders"),
            ("SELECT nextval('other_seq');", "mine.orders"),
            ("\\set n 1\nSELECT nextval(:n);", "mine.orders"),
        ] {
            assert_eq!(script(text), wanted, "{text}");
        }
    }
}
