//! Which server variables a binary knows, and which values they would have in a sandbox, according to the binary itself
//! and without starting a server: misspelt or too small variables of a plan are reported before anything is created.

use super::launch::{as_account, program};
use super::{available, scheme};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::{Mutex, PoisonError};
use tenbin_model::dsn::{Scheme, sqlite_options};
use tenbin_words::nearest::nearest;

/// A variable that the server does not know.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unknown {
    /// As it was written.
    pub name: String,
    /// The nearest known name.
    pub nearest: Option<String>,
}

/// The variables that this server does not know. None if the binary cannot be queried: starting it will report the
/// reason.
pub fn unknown_variables(binary: &str, server: &BTreeMap<String, String>) -> Vec<Unknown> {
    let Ok(path) = available(binary) else { return Vec::new() };
    if server.is_empty() {
        return Vec::new();
    }
    match scheme(binary) {
        Scheme::Postgres => of_postgres(&path, server),
        Scheme::Sqlite => of_sqlite(server),
        Scheme::Mysql | Scheme::Null | Scheme::Host => of_mysql(&path, server),
    }
}

/// The variables that a sandbox of this binary would have with these of the plan, named with `_`: the binary's
/// defaults, overridden by those of Tenbin, overridden by the plan's. Unknown ones are omitted.
pub fn planned_variables(binary: &str, server: &BTreeMap<String, String>) -> BTreeMap<String, String> {
    let Ok(path) = available(binary) else { return BTreeMap::new() };
    let (mut all, ours) = match scheme(binary) {
        Scheme::Sqlite => return BTreeMap::new(),
        Scheme::Postgres => (of_manual(), super::postgres::DEFAULTS),
        Scheme::Mysql | Scheme::Null | Scheme::Host => {
            let mut help = program(&path);
            super::mysql::dress_help(&mut help, &path);
            (values_in(&said(&mut help)), super::mysql::DEFAULTS)
        }
    };
    let plain = |name: &str| name.replace('-', "_").to_ascii_lowercase();
    all.extend(ours.iter().map(|(name, value)| (plain(name), (*value).to_owned())));
    all.extend(server.iter().map(|(name, value)| (plain(name), value.clone())));
    all
}

/// The values set by `initdb` and the defaults (PostgreSQL manual 20.3.1), which `postgres --describe-config` does not
/// print.
fn of_manual() -> BTreeMap<String, String> {
    [("superuser_reserved_connections", "3"), ("reserved_connections", "0")]
        .map(|(name, value)| (name.to_owned(), value.to_owned()))
        .into()
}

/// Names and values in the table at the end of `--verbose --help`, named with `_`.
pub(super) fn values_in(help: &str) -> BTreeMap<String, String> {
    let Some(at) = help.find("\n-----") else { return BTreeMap::new() };
    let rows = help[at..].lines().skip(2).take_while(|line| !line.is_empty());
    rows.filter_map(|line| {
        let (name, value) = line.split_once("  ")?;
        Some((name.replace('-', "_"), value.trim().to_owned()))
    })
    .collect()
}

/// Prefixes of option names (MariaDB and MySQL manuals, "Program Option Modifiers").
const MODIFIERS: &[&str] = &["loose-", "skip-", "disable-", "enable-", "maximum-"];

/// Options that determine the plugins, and thus the variables.
const PLUGINS: &[&str] =
    &["plugin-load", "plugin-load-add", "plugin-dir", "plugin-maturity", "early-plugin-load", "lc-messages-dir"];

/// Variables whose options have other names (MariaDB and MySQL manuals, "Server System Variables").
const OPTIONS_OF_VARIABLES: [(&str, &str); 4] = [
    ("tx-isolation", "transaction-isolation"),
    ("tx-read-only", "transaction-read-only"),
    ("time-zone", "default-time-zone"),
    ("storage-engine", "default-storage-engine"),
];

fn of_mysql(binary: &Path, server: &BTreeMap<String, String>) -> Vec<Unknown> {
    let mut help = program(binary);
    super::mysql::dress_help(&mut help, binary);
    let dashed = |name: &str| name.replace('_', "-").to_ascii_lowercase();
    for (name, value) in server.iter().filter(|(name, _)| PLUGINS.contains(&dashed(name).as_str())) {
        help.arg(format!("--{}={value}", dashed(name)));
    }
    let names = options_in(&said(&mut help));
    let meant = |name: &str| {
        let name = dashed(name);
        MODIFIERS.iter().find_map(|m| name.strip_prefix(m).map(str::to_owned)).unwrap_or(name)
    };
    let unknown = server.keys().filter(|name| {
        // `loose` is for unknown variables.
        let known = |name: &str| is_known(&names, name);
        !(names.is_empty() || known(&dashed(name)) || known(&meant(name)) || dashed(name).starts_with("loose-"))
    });
    let option_of = |name: &str| {
        let (_, option) = OPTIONS_OF_VARIABLES.iter().find(|(variable, _)| dashed(name) == *variable)?;
        names.contains(*option).then(|| option.replace('-', "_"))
    };
    let nearest = |name: &str| option_of(name).or_else(|| near(&meant(name), &names, '-', '_'));
    unknown.map(|name| Unknown { name: name.clone(), nearest: nearest(name) }).collect()
}

/// Whether it is a name, or the beginning of one only: with that of several the server says that it is ambiguous, and MariaDB starts without InnoDB.
fn is_known(names: &BTreeSet<String>, name: &str) -> bool {
    names.contains(name) || names.iter().filter(|known| known.starts_with(name)).count() == 1
}

/// The names of all options in the text of `--verbose --help`: the table of their values at its end, and the list
/// before it.
fn options_in(help: &str) -> BTreeSet<String> {
    let (list, table) = match help.find("\n-----") {
        Some(at) => help.split_at(at),
        None => (help, ""),
    };
    let words = |c: char| !(c.is_ascii_alphanumeric() || c == '-' || c == '_');
    let listed = list.lines().filter_map(|line| {
        // Descriptions are indented further, and may mention options too.
        let line = line.strip_prefix("  ").unwrap_or(line);
        let short = line.strip_prefix('-').and_then(|rest| rest.get(1..)?.strip_prefix(", --"));
        let option = line.strip_prefix("--").or(short)?;
        option.split(words).next()
    });
    let shown = table.lines().skip(2).filter(|l| l.starts_with(|c: char| c.is_ascii_lowercase()));
    let shown = shown.filter(|l| l.contains("  ")).filter_map(|line| line.split_whitespace().next());
    listed.chain(shown).map(|name| name.replace('_', "-")).filter(|name| name.len() > 1).collect()
}

/// Options of SQLite's addresses, which are its pragmas.
fn of_sqlite(server: &BTreeMap<String, String>) -> Vec<Unknown> {
    let names = sqlite_options();
    let is_known = |name: &str| names.contains(&name.to_ascii_lowercase().as_str());
    let unknown = server.keys().filter(|name| !is_known(name));
    let near = |name: &str| nearest(&name.to_ascii_lowercase(), names.iter().copied()).map(str::to_owned);
    unknown.map(|name| Unknown { name: name.clone(), nearest: near(name) }).collect()
}

fn of_postgres(binary: &Path, server: &BTreeMap<String, String>) -> Vec<Unknown> {
    let described = said(program(binary).arg("--describe-config"));
    let names: BTreeSet<String> =
        described.lines().filter_map(|l| l.split('\t').next()).map(str::to_ascii_lowercase).collect();
    let unknown = server.keys().filter(|name| {
        // A name with a dot may belong to an extension that is loaded later.
        let plain = name.to_ascii_lowercase();
        !(names.is_empty() || names.contains(&plain) || plain.contains('.') || taken_by_postgres(binary, &plain))
    });
    unknown
        .map(|name| Unknown { name: name.clone(), nearest: near(&name.to_ascii_lowercase(), &names, ' ', ' ') })
        .collect()
}

/// Tries one setting, with a data directory that does not exist: the list omits developer options.
fn taken_by_postgres(binary: &Path, name: &str) -> bool {
    let account = as_account(super::postgres::ACCOUNT);
    let mut ask = match (super::place::find("setpriv"), account.is_empty()) {
        (Ok(setpriv), false) => {
            let mut command = program(&setpriv);
            command.args(account).arg(binary);
            command
        }
        _ => program(binary),
    };
    ask.args(["-c", &format!("{name}=1"), "-D", "/nonexistent/tenbin"]).current_dir("/");
    let output = tenbin_intake::output_within(ask.stdin(Stdio::null()), tenbin_intake::SMALL, tenbin_intake::SILENCE);
    // Only settings that it reports as unknown are unknown.
    output.is_ok_and(|o| !String::from_utf8_lossy(&o.stderr).contains("unrecognized configuration parameter"))
}

/// What commands have printed, by the command. A plan may have many servers of one binary, which takes a tenth of a second
/// to start.
static SAID: Mutex<BTreeMap<String, String>> = Mutex::new(BTreeMap::new());

fn said(command: &mut Command) -> String {
    let mut outputs = SAID.lock().unwrap_or_else(PoisonError::into_inner);
    let called = format!("{command:?}");
    if let Some(text) = outputs.get(&called) {
        return text.clone();
    }
    let output =
        tenbin_intake::output_within(command.stdin(Stdio::null()), tenbin_intake::SMALL, tenbin_intake::SILENCE);
    let text = output.map(|o| String::from_utf8_lossy(&o.stdout).into_owned()).unwrap_or_default();
    if !text.is_empty() {
        outputs.insert(called, text.clone());
    }
    text
}

/// The nearest of the names, in the form used in plans.
fn near(typed: &str, names: &BTreeSet<String>, from: char, to: char) -> Option<String> {
    nearest(typed, names.iter().map(String::as_str)).map(|name| name.replace(from, &to.to_string()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_beginning_of_several_names_is_none() {
        let names = ["innodb", "innodb-buffer-pool-size", "innodb-buffer-pool-filename", "sql-mode"];
        let names: BTreeSet<String> = names.map(str::to_owned).into();
        let known =
            ["innodb", "innodb-buffer-pool", "innodb-buffer-pool-s", "sql-m", "x"].map(|name| is_known(&names, name));
        assert_eq!(known, [true, false, true, true, false]);
    }

    #[test]
    fn the_options_of_a_help_text() {
        let text = "mysqld  Ver 8.0.31\nUsage: mysqld [OPTIONS]\n\n  -b, --basedir=name  Path\n  --innodb-buffer-pool-size=# \n\
                    \x20 --[no-]x\n                      like --this\n\nVariables (--variable-name=value)\n\
                    and boolean options {FALSE|TRUE}            Value (after reading options)\n\
                    ------------------------------------------- ------------------------\n\
                    abort-slave-event-count                     0\nmax_connections                             151\n\n\
                    To see what values a running MySQL server is using, type\n";
        let names: Vec<String> = options_in(text).into_iter().collect();
        assert_eq!(names, ["abort-slave-event-count", "basedir", "innodb-buffer-pool-size", "max-connections"]);
        let values = values_in(text);
        assert_eq!(values.get("max_connections").map(String::as_str), Some("151"));
        assert_eq!(values.len(), 2, "{values:?}");
    }
}
