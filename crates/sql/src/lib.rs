//! Users' own SQL as a workload: scripts of statements and backslash commands, in the language of pgbench.
//!
//! [`language`] is the language, without connections, files or clocks. The workload: [`options`] are its options, [`groups`] reads groups of clients,
//! [`mod@file`] the scripts,
//! [`statement`] finds out what a statement does, from its [`mod@words`], with [`effects`]; [`written`] whose tables they write to, [`settings`] is what
//! all clients share, [`client`] executes and sends, with [`pipeline`] and [`shell`]; [`misplaced`] finds commands of pipelines that stand in wrong
//! places; [`expected`] compares results with expectations; [`preview`] shows what would be sent; [`told`] has the errors, [`codes`] their codes. The data set is
//! in [`data`].

#![cfg_attr(not(test), warn(clippy::disallowed_methods))]

mod absent;
mod client;
mod codes;
mod data;
mod definition;
mod effects;
mod expected;
mod file;
mod groups;
pub mod language;
mod misplaced;
mod options;
mod pipeline;
mod preview;
mod settings;
mod shell;
mod statement;
mod told;
mod values;
mod words;
mod written;

pub use options::{GROUPS, SCRIPTS};
pub use preview::ScriptVariable;

use language::{Dialect, Script};
use settings::SqlSettings;
use std::collections::BTreeMap;
use std::sync::Arc;
use tenbin_driver::Connector;
use tenbin_model::dsn::Scheme;
use tenbin_model::names::tables::SET_BY_LOAD;
use tenbin_model::tally::StatementKind;
use tenbin_model::workload::NO_DATA;
use tenbin_words::message::foreign;
use tenbin_words::msg;
use tenbin_words::problem::Problem;
use tenbin_workload::options::OptionMap;
use tenbin_workload::tables::{engines, others, writers};
use tenbin_workload::{Client, DatasetEntry, TargetReach, Workload, WorkloadEntry};

/// The workload of this family.
pub const WORKLOADS: &[WorkloadEntry] = &[ENTRY];

/// Its kinds of data sets.
pub const DATASETS: &[DatasetEntry] = &[data::ENTRY];

/// The name of the workload.
pub const NAME: &str = "sql";

pub(crate) const ENTRY: WorkloadEntry = WorkloadEntry {
    name: NAME,
    about: "scripts of your own statements, in the language of pgbench; a transaction is a script, executed once",
    family: NAME,
    dataset: NO_DATA,
    options: &[options::OPTIONS],
    ..WorkloadEntry::made_by(|_, given, connector| {
        Ok(Box::new(Sql { settings: Arc::new(SqlSettings::new(given, &connector)?) }))
    })
};

struct Sql {
    settings: Arc<SqlSettings>,
}

impl Workload for Sql {
    fn name(&self) -> &str {
        NAME
    }

    fn transactions(&self) -> Vec<String> {
        self.settings.scripts.iter().map(|script| script.name.clone()).collect()
    }

    fn statements(&self) -> Vec<(String, StatementKind)> {
        self.settings.statements.clone()
    }

    fn outline(&self) -> Vec<String> {
        // Mistakes that only execution shows are reported by the run.
        preview::first_transactions(&self.settings, 1, 0).unwrap_or_default()
    }

    fn tables(&self) -> Result<BTreeMap<String, String>, Problem> {
        let statements: Vec<_> = self.settings.planned().map(|planned| &planned.what).collect();
        let engines = |names: Option<&[String]>| engines::found(&self.settings.connector, names).unwrap_or_default();
        let named = written::tables(&statements).map(|names| engines(Some(&names))).filter(|facts| !facts.is_empty());
        let mut facts = named.unwrap_or_else(|| engines(None));
        facts.extend(self.settings.sets_durability().map(|statement| (SET_BY_LOAD.to_owned(), statement)));
        Ok(facts)
    }

    fn unmarked(&self, _clients: u32, coming: &[String]) -> Result<Vec<String>, Problem> {
        self.refuse_loadable()?;
        let all = || self.settings.planned().map(|planned| &planned.what);
        if !all().any(|what| what.writes) {
            return Ok(Vec::new());
        }
        let Some(reach) = others::reach(&self.settings.connector)? else { return Ok(Vec::new()) };
        let foreign = written::foreign(&all().collect::<Vec<_>>(), &reach, coming);
        // Their sessions are not read-only, and what a function does is not seen in a statement.
        let may_hide = foreign.is_empty() && !reach.foreign.is_empty();
        if !may_hide {
            return Ok(foreign);
        }
        let writers = writers::writers(&self.settings.connector)?;
        let uses = self.settings.has_text(|text| writers.are_in(text));
        Ok(if uses { reach.foreign } else { foreign })
    }

    fn absent(&self, coming: &[String]) -> Result<Option<Problem>, Problem> {
        absent::first(&self.settings, coming)
    }

    fn beyond_rows(&self) -> Option<String> {
        self.settings.beyond_rows()
    }

    fn named_tables(&self) -> Option<Vec<String>> {
        named_tables(self.settings.executed().map(|script| &script.script), &self.settings.connector)
    }

    fn truncates(&self) -> bool {
        self.settings.has_text(|text| writers::is_in(text, "truncate"))
    }

    fn session_statements(&self) -> u32 {
        self.settings.connector.session_statements()
    }

    fn prepared_per_connection(&self) -> u32 {
        self.settings.prepared
    }

    fn longest_statement(&self) -> u64 {
        let lengths = self.settings.scripts.iter().flat_map(|script| &script.script.commands).filter_map(|c| c.sql());
        lengths.map(|sql| sql.text.len() as u64).max().unwrap_or(0)
    }

    fn reach(&self) -> TargetReach {
        let reach = self.settings.connector.reach();
        TargetReach { blocks: reach.blocks || self.settings.has_shell(), ..reach }
    }

    fn client(&self, number: u32, of: u32, seed: u64) -> Box<dyn Client> {
        Box::new(client::SqlClient::new(Arc::clone(&self.settings), number, of, seed))
    }
}

impl Sql {
    /// Fails if a statement may call a function that a library has brought into the server: no session limits what it does.
    fn refuse_loadable(&self) -> Result<(), Problem> {
        let connector = &self.settings.connector;
        if writers::loadable(connector)?.is_empty() {
            return Ok(());
        }
        // Views and stored functions may call it too.
        let writers = writers::writers(connector)?;
        match self.settings.naming(|text| writers.are_in(text)) {
            None => Ok(()),
            Some(statement) => {
                Err(Problem::new(msg!("sql-calls-loadable")).evidence(foreign(statement)).hint(msg!("sql-permit-call")))
            }
        }
    }
}

/// Whether scripts change nothing in a database of this kind, as far as their first words show. Fails if they cannot be read.
pub fn reads_only(options: &OptionMap, scheme: Scheme) -> Result<bool, Problem> {
    let settings = nowhere(options, scheme)?;
    Ok(!settings.has_shell() && settings.planned().all(|planned| !planned.what.writes))
}

/// The first statement of scripts, with its file and line, after which a table that was there is another one to MySQL and MariaDB. Fails if they cannot
/// be read.
pub fn rebuilds(options: &OptionMap, scheme: Scheme) -> Result<Option<String>, Problem> {
    Ok(nowhere(options, scheme)?.rebuilds())
}

/// The tables that these scripts name in the schema of their connections, if it is certain that they change no more than rows of tables. A function or
/// a trigger of PostgreSQL may do more. Blocks the calling thread.
pub fn named_tables<'s>(scripts: impl Iterator<Item = &'s Script>, connector: &Connector) -> Option<Vec<String>> {
    let scheme = connector.dsn().scheme;
    let names = written::named(scripts.flat_map(|script| &script.commands), Dialect::of(scheme))?;
    let is_certain = match scheme {
        Scheme::Postgres => {
            names.is_empty() || writers::writers(connector).is_ok_and(|writers| writers.functions.is_empty())
        }
        Scheme::Mysql | Scheme::Sqlite | Scheme::Null | Scheme::Host => true,
    };
    is_certain.then_some(names)
}

/// The first transaction of each script with the values of the first of `clients` clients, one line for each statement.
pub fn first_transactions(
    options: &OptionMap,
    connector: &Connector,
    clients: u32,
    seed: u64,
) -> Result<Vec<String>, Problem> {
    preview::first_transactions(&SqlSettings::new(&ENTRY.resolve(options)?, connector)?, clients, seed)
}

/// What a script consists of, for `tenbin list`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Listed {
    /// Its file.
    pub path: String,
    /// Its weight.
    pub weight: u64,
    /// The names of its statements, and their kinds.
    pub statements: Vec<(String, StatementKind)>,
    /// Its variables.
    pub variables: Vec<ScriptVariable>,
}

/// The statements and variables of scripts for a database of this kind.
pub fn listed(scripts: &str, scheme: Scheme) -> Result<Vec<Listed>, Problem> {
    let options = OptionMap::from([(SCRIPTS.to_owned(), scripts.to_owned()), ("shell".to_owned(), "on".to_owned())]);
    let settings = nowhere(&options, scheme)?;
    let one = |script: &settings::PlannedScript| Listed {
        path: script.path.clone(),
        weight: script.weight,
        statements: script.sql.iter().flatten().map(|planned| settings.statements[planned.statement].clone()).collect(),
        variables: preview::variables(script, &settings.names),
    };
    Ok(settings.scripts.iter().map(one).collect())
}

/// Of no database of this kind in particular.
fn nowhere(options: &OptionMap, scheme: Scheme) -> Result<SqlSettings, Problem> {
    let connector = Connector::nowhere(scheme)?;
    SqlSettings::new(&ENTRY.resolve(options)?, &connector)
}

/// Whether a word names scripts of SQL: files that end in `.sql`, each with a weight or without.
pub fn is_scripts(word: &str) -> bool {
    !word.is_empty() && groups::items(word).all(groups::is_script)
}

/// The files of scripts that options name.
pub fn files(options: &OptionMap) -> Vec<String> {
    groups::files(options)
}

/// The files of values that the generators of a data set name.
pub fn word_files(options: &OptionMap) -> Vec<String> {
    data::word_files(options)
}

/// Gives the files of values other names in the generators that name them.
pub fn rename_word_files(options: &mut OptionMap, name: impl FnMut(&str) -> String) {
    data::rename_word_files(options, name);
}

/// Gives the files of scripts other names in the options that name them.
pub fn rename_files(options: &mut OptionMap, name: impl FnMut(&str) -> String) {
    groups::rename(options, name);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_of_sql_is_known_by_its_name() {
        for word in [
            "pay.sql",
            "pay.sql@5",
            "pay.sql@x",
            "/home/me@corp.example/pay.sql",
            "dir@x/p.sql@5",
            "a@2.sql",
            "pay.SQL",
        ] {
            assert!(is_scripts(word), "{word}");
        }
        for word in ["", ".sql", "pay.sql@x/oltp.lua", "oltp_read_only", "a.sql, b.lua"] {
            assert!(!is_scripts(word), "{word}");
        }
        let path = |word: &str| files(&OptionMap::from([(SCRIPTS.to_owned(), word.to_owned())])).join(" ");
        assert_eq!(path("dir@x/p.sql@5, a@2.sql"), "dir@x/p.sql a@2.sql");
    }

    #[test]
    fn a_script_reads_as_its_database_reads_it() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("x.sql");
        let path = file.display().to_string();
        let options = OptionMap::from([(SCRIPTS.to_owned(), path.clone())]);
        let operator = "SELECT data #>> '{a}' FROM t WHERE id = 1;\nUPDATE t SET x = 1;\n";
        for (text, scheme, reads, statements) in [
            (operator, Scheme::Postgres, false, 2),
            (operator, Scheme::Sqlite, false, 2),
            // A comment to the end of the line.
            (operator, Scheme::Mysql, true, 1),
            ("SELECT $$it's$$, 1;\n", Scheme::Postgres, true, 1),
            ("SELECT [a;b], 1 FROM t;\n", Scheme::Sqlite, true, 1),
            ("SELECT 'it\\'s; DELETE FROM t';\n", Scheme::Mysql, true, 1),
        ] {
            std::fs::write(&file, text).unwrap();
            assert_eq!(reads_only(&options, scheme).unwrap(), reads, "{text} {scheme:?}");
            assert_eq!(listed(&path, scheme).unwrap()[0].statements.len(), statements, "{text} {scheme:?}");
        }
    }

    #[test]
    fn a_script_that_no_client_chooses_decides_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name).display().to_string();
        std::fs::write(path("look.sql"), "SELECT 1;\n").unwrap();
        std::fs::write(
            path("rare.sql"),
            "DELETE FROM t WHERE a = victim();\nSET GLOBAL sync_binlog = 7;\n\\shell true\n",
        )
        .unwrap();
        let of = |weight: u32, shell: &str| {
            let scripts = format!("{}, {}@{weight}", path("look.sql"), path("rare.sql"));
            OptionMap::from([(SCRIPTS.to_owned(), scripts), ("shell".to_owned(), shell.to_owned())])
        };
        assert!(reads_only(&of(0, "off"), Scheme::Mysql).unwrap());
        assert!(reads_only(&of(1, "off"), Scheme::Mysql).unwrap_err().what.is("sql-shell-not-permitted"));
        assert!(!reads_only(&of(1, "on"), Scheme::Mysql).unwrap());
        for (weight, decides) in [(0, false), (1, true)] {
            let settings = nowhere(&of(weight, "on"), Scheme::Mysql).unwrap();
            assert_eq!(settings.beyond_rows().is_some(), decides);
            assert_eq!(settings.has_text(|text| writers::is_in(text, "victim")), decides);
            assert_eq!(settings.planned().any(|planned| planned.what.writes), decides);
        }
    }
}
