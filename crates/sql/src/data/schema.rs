//! Whether the file that creates the tables has those that the plan fills, and their columns, as far as its text shows: a mistake in a
//! name is then told before anything is loaded.

use super::tables::FilledTables;
use super::{created_table, is_named};
use crate::language::Dialect;
use crate::words::names;
use crate::{definition, statement};
use tenbin_words::msg;
use tenbin_words::nearest::nearest;
use tenbin_words::problem::Problem;

/// Fails if the plan fills a table or a column that the statements do not create. What they create in ways that are not seen is not checked.
pub(super) fn check(
    path: &str,
    create: &[(u32, Vec<u8>)],
    tables: &FilledTables,
    dialect: Dialect,
) -> Result<(), Problem> {
    let columns = |text: &[u8]| Some((created_table(text, dialect)?, definition::columns_of(text, dialect)));
    let created: Vec<(String, Option<Vec<String>>)> = create.iter().filter_map(|(_, text)| columns(text)).collect();
    let is_altered = |table: &str| {
        create.iter().any(|(_, text)| {
            let what = statement::of_text(text, dialect);
            what.verb == "ALTER" && what.table.as_deref().is_none_or(|name| is_named(name, table))
        })
    };
    for table in &tables.all {
        let Some((_, columns)) =
            created.iter().find(|(name, _)| is_named(&table.name, name) || is_named(name, &table.name))
        else {
            let names: Vec<&str> = created.iter().map(|(name, _)| name.as_str()).collect();
            let problem = Problem::new(msg!("sql-table-not-created", script = path, table = table.name));
            return Err(hinted(problem, &table.name, &names));
        };
        let Some(columns) = columns.as_ref().filter(|_| !is_altered(&table.name)) else { continue };
        let is_given = |column: &str| {
            table.columns.iter().any(|(name, _)| name.trim_matches(['"', '`']).eq_ignore_ascii_case(column))
        };
        let is_it = |text: &[u8]| created_table(text, dialect).is_some_and(|name| is_named(&table.name, &name));
        let needed = create.iter().filter(|(_, text)| is_it(text));
        let needed: Vec<String> =
            needed.flat_map(|(_, text)| definition::columns_without_default(text, dialect)).collect();
        // A trigger may give values.
        let has_trigger = create.iter().any(|(_, text)| {
            let what = statement::of_text(text, dialect);
            what.verb == "CREATE" && !what.creates_table && statement::of_index(text, "CREATE", dialect).is_none()
        });
        let mut strict = needed.iter().filter(|_| !has_trigger && table.rows > 0);
        if let Some(column) = strict.clone().find(|column| !is_given(column)) {
            let problem = Problem::new(msg!("sql-column-needs-values", script = path, table = table.name, column));
            return Err(problem.hint(msg!("sql-give-generator", column)));
        }
        let is_null = |column: &str| {
            let mut own =
                table.columns.iter().filter(|(name, _)| name.trim_matches(['"', '`']).eq_ignore_ascii_case(column));
            own.any(|(_, generator)| generator.makes_nulls())
        };
        if let Some(column) = strict.find(|column| is_null(column)) {
            let problem = Problem::new(msg!("sql-column-takes-no-null", script = path, table = table.name, column));
            return Err(problem.hint(msg!("sql-give-generator-without-null", column)));
        }
        for (column, _) in &table.columns {
            let bare = column.trim_matches(['"', '`']);
            if !columns.iter().any(|known| known.eq_ignore_ascii_case(bare)) {
                let names: Vec<&str> = columns.iter().map(String::as_str).collect();
                let problem = Problem::new(msg!("sql-column-not-created", script = path, table = table.name, column));
                return Err(hinted(problem, bare, &names));
            }
        }
    }
    Ok(())
}

/// Gives the tables and columns of a plan the letters that the statements give them.
pub(super) fn spell(create: &[(u32, Vec<u8>)], tables: &mut FilledTables, dialect: Dialect) {
    for at in 0..tables.all.len() {
        let is_about = |text: &[u8]| {
            let what = statement::of_text(text, dialect);
            let table = what.table.filter(|_| what.creates_table || what.verb == "ALTER");
            table.is_some_and(|name| is_named(&tables.all[at].name, name.rsplit('.').next().unwrap_or(&name)))
        };
        let names: Vec<(String, bool)> =
            create.iter().filter(|(_, text)| is_about(text)).flat_map(|(_, text)| names(text, dialect)).collect();
        tables.spell(at, &names);
    }
}

fn hinted(problem: Problem, typed: &str, names: &[&str]) -> Problem {
    match nearest(typed, names.iter().copied()) {
        Some(right) => problem.hint(msg!("did-you-mean", nearest = right)),
        None => problem.hint(msg!("sql-use-created", names = names.join(", "))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const CREATE: &str =
        "CREATE TABLE account (id bigint PRIMARY KEY, owner varchar(40), amount decimal(12, 2), KEY (owner));
        CREATE TABLE `order` (id int, `group` int, CHECK (id > 0));
        CREATE TABLE more (id int);
        ALTER TABLE more ADD COLUMN later int;
        CREATE TABLE copied (LIKE account)";

    fn of(fill: &str) -> String {
        let create: Vec<(u32, Vec<u8>)> = (1..).zip(CREATE.split(';').map(|text| text.trim().into())).collect();
        let outcome = FilledTables::parse(fill, 1_000_000)
            .and_then(|tables| check("schema.sql", &create, &tables, Dialect::Mysql));
        let hint = |problem: &Problem| problem.hint.as_ref().map_or(String::new(), |hint| hint.english().to_owned());
        outcome
            .map_or_else(|problem| format!("{} | {}", problem.what.english(), hint(&problem)), |()| "well".to_owned())
    }

    #[test]
    fn names_that_the_file_does_not_create_are_told_before_anything_is_loaded() {
        for fill in [
            "[account]\nrows = 10\nid = serial\nowner = name\namount = decimal(0, 10, 2)",
            "[order]\nrows = 10\nid = serial\ngroup = uniform(1, 5)",
            "[more]\nrows = 10\nid = serial\nlater = uniform(1, 5)",
            "[copied]\nsize = 1MiB\nanything = serial",
            "[\"order\"]\nrows = 0\n\"group\" = serial",
        ] {
            assert_eq!(of(fill), "well", "{fill}");
        }
        let cases = [
            ("[acount]\nrows = 10\nid = serial", "schema.sql creates no table acount | did you mean account?"),
            (
                "[account]\nrows = 10\nownr = name",
                "schema.sql creates the table account without a column ownr | did you mean owner?",
            ),
            (
                "[order]\nrows = 10\nxyz = name",
                "schema.sql creates the table order without a column xyz | it creates: id, group, CHECK",
            ),
        ];
        for (fill, wanted) in cases {
            assert_eq!(of(fill), wanted);
        }
    }

    #[test]
    fn a_column_that_must_have_a_value_needs_a_generator() {
        let of = |create: &str, fill: &str| {
            let create: Vec<(u32, Vec<u8>)> = (1..).zip(create.split(';').map(|text| text.trim().into())).collect();
            let outcome = FilledTables::parse(fill, 1_000_000)
                .and_then(|tables| check("s.sql", &create, &tables, Dialect::Mysql));
            outcome.map_or_else(|problem| problem.what.english().to_owned(), |()| "well".to_owned())
        };
        let fill = "[t]\nrows = 10\na = serial";
        assert_eq!(
            of("CREATE TABLE t (a int PRIMARY KEY, b varchar(10) COLLATE x NOT NULL)", fill),
            "s.sql creates the column b of the table t as NOT NULL without a default, and the plan has no values for it"
        );
        assert_eq!(
            of(
                "CREATE TABLE t (a int NOT NULL, `B` int NOT NULL)",
                "[t]\nrows = 9\na = null(0, serial)\nb = null(0.1, name)"
            ),
            "s.sql creates the column B of the table t as NOT NULL, and its generator makes NULL now and then"
        );
        for create in [
            "CREATE TABLE t (a int PRIMARY KEY, b int NOT NULL DEFAULT 1, c int)",
            "CREATE TABLE t (a int, id bigint NOT NULL AUTO_INCREMENT, n serial NOT NULL, PRIMARY KEY (id))",
            "CREATE TABLE t (a int, id bigint NOT NULL GENERATED ALWAYS AS IDENTITY, CHECK (a IS NOT NULL))",
            "CREATE TABLE t (a int, b int CHECK (b IS NOT NULL), at timestamp NOT NULL)",
            "CREATE TABLE t (a int, b int NOT NULL); CREATE TRIGGER x BEFORE INSERT ON t FOR EACH ROW SET NEW.b = 1",
            "CREATE TABLE t (a int, b int NOT NULL); ALTER TABLE t ALTER b SET DEFAULT 1",
        ] {
            assert_eq!(of(create, fill), "well", "{create}");
        }
        assert_eq!(of("CREATE TABLE t (a int, b int NOT NULL)", "[t]\nrows = 0\na = serial"), "well", "without rows");
    }

    #[test]
    fn names_have_the_letters_that_the_file_gives_them() {
        let create = "CREATE TABLE public.\"Order\" (\"Id\" BIGINT PRIMARY KEY, note TEXT, Plain int, category int REFERENCES \"Category\" (\"Id\"));
            CREATE TABLE \"Category\" (\"Id\" int, name text, \"Text\" text);
            CREATE TABLE Account (Id int)";
        let create: Vec<(u32, Vec<u8>)> = (1..).zip(create.split(';').map(|text| text.trim().into())).collect();
        let fill = "[Order]\nrows = 9\nId = serial\nnote = name\nPlain = serial\ncategory = serial\n\
                    [category]\nrows = 9\nid = serial\nText = name\n[Account]\nrows = 9\nId = serial";
        let mut tables = FilledTables::parse(fill, 1_000_000).unwrap();
        spell(&create, &mut tables, Dialect::Postgres);
        let heads: Vec<String> =
            tables.all.iter().map(|table| super::super::insert::head(table, Dialect::Postgres)).collect();
        assert_eq!(
            heads,
            [
                "INSERT INTO \"Order\" (\"Id\", note, Plain, category) VALUES ",
                "INSERT INTO \"Category\" (\"Id\", \"Text\") VALUES ",
                "INSERT INTO Account (Id) VALUES "
            ]
        );
    }

    #[test]
    fn how_much_is_loaded_is_said_once() {
        assert!(
            of("[account]\nid = serial").starts_with("table account: neither rows nor size says how much is loaded")
        );
        assert_eq!(
            of("[account]\nrows = 10\nsize = 1MiB\nid = serial"),
            "table account: both rows and size say how much is loaded | keep one of them"
        );
        assert!(of("[account]\nrows = many\nid = serial").starts_with("table account, rows: not a number of rows"));
    }
}
