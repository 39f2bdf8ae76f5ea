//! Hints in the terms of another tool: instead of an address or a plan they name an option of that tool, and its own commands to
//! create and drop tables.
//!
//! What a hint resolves is an attribute of its entry in the catalogue ([`Remedy`]). A hint is replaced as a whole, never by
//! replacing words in it, because an address may contain the same words.

use crate::libpq_server::Server;
use std::collections::BTreeMap;
use std::sync::OnceLock;
use tenbin_words::catalogue::{Entry, fill};
use tenbin_words::message::{Message, foreign};
use tenbin_words::msg;
use tenbin_words::problem::Problem;
use tenbin_words::remedy::Remedy;

/// A server as the client library of an old tool names it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum ServerName {
    /// Messages do not name it.
    #[default]
    Unnamed,
    /// Of MySQL or MariaDB: `host 'db', port 3306`, `socket '/run/mysqld.sock'`.
    Mysql(String),
    /// Of PostgreSQL.
    Postgres(Box<Server>),
}

/// The hints of one tool for one server.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct HintWords {
    /// The server in the tool's own messages.
    pub server: ServerName,
    /// Of a list of servers of PostgreSQL the one that was chosen; set when there is an address to connect to.
    pub chosen: OnceLock<Server>,
    /// The function of the tool in which its tests connect; empty: its messages do not name it.
    pub connects_in: &'static str,
    /// How to specify the account, and a command that tries it.
    pub account: String,
    /// A command that checks whether the server is running.
    pub ping: String,
    /// How the server of this machine is given over TCP, if it is given by its socket; empty: it is not.
    pub over_tcp: String,
    /// A command that creates the schema or database.
    pub create: String,
    /// The option that turns TLS off.
    pub plain: String,
    /// The option that turns TLS on.
    pub encrypted: String,
    /// The option for the certificate authority; empty: there is none.
    pub authority: String,
    /// The option for compression; empty: there is none.
    pub compression: String,
    /// The option for statements as text; empty: there is none.
    pub unprepared: String,
    /// A command that creates the data of the test; empty: there is none.
    pub load: String,
    /// A command that drops them; empty: there is none.
    pub drop: String,
    /// The option that ignores an error, without the error number; empty: there is none.
    pub ignore: String,
    /// Options of a workload or a data set, with `_`, and the names by which they were typed.
    pub typed: BTreeMap<String, String>,
}

/// Errors of MySQL and MariaDB that an event which is begun again may not meet again: rows that others have changed, locked or inserted, too many
/// connections, a server that does not take writes at the moment.
const MAY_PASS: [u32; 14] = [1020, 1040, 1047, 1062, 1203, 1205, 1213, 1226, 1290, 1614, 1792, 1836, 3101, 3572];

impl HintWords {
    /// The hint for this problem in the terms of the tool; `None` if there is none.
    pub fn hint(&self, problem: &Problem) -> Option<Message> {
        let ours = problem.hint.as_ref()?;
        let known = |words: &str| (!words.is_empty()).then(|| foreign(words));
        match ours.remedy() {
            None if ours.is("is-server-running") && !self.over_tcp.is_empty() => {
                Some(msg!("is-server-running-here", option = self.over_tcp))
            }
            None => Some(self.elsewhere(ours).unwrap_or_else(|| foreign(ours.english()))),
            Some(Remedy::Tenbin) => self.elsewhere(ours),
            Some(Remedy::Account) => known(&self.account),
            Some(Remedy::Schema) => known(&self.create),
            Some(Remedy::Server) => known(&self.ping).map(|ping| msg!("is-server-running-ping", ping)),
            Some(Remedy::Recreate) => known(&self.drop).map(|drop| msg!("use-it-or-drop-first", drop)),
            Some(Remedy::Load) => known(&self.load),
            Some(Remedy::RequireTls) => known(&self.encrypted).map(|option| msg!("add-option", option)),
            Some(Remedy::DisableTls) => known(&self.plain).map(|option| msg!("use-option-on-trusted-line", option)),
            Some(Remedy::TlsMode) => known(&self.encrypted).and_then(|_| self.elsewhere(ours)),
            Some(Remedy::Authority) => known(&self.authority).map(|option| msg!("give-authority-by-option", option)),
            Some(Remedy::Compression) => known(&self.compression).map(|option| msg!("leave-out-option", option)),
            Some(Remedy::Unprepared) => {
                let raise = ours.find("raise-max-prepared-stmt-count").and_then(|hint| hint.arg("raise"));
                let server = raise.unwrap_or(ours);
                known(&self.unprepared).map(|option| msg!("server-or-option", server, option))
            }
            Some(Remedy::Ignore) => self.ignoring(problem),
        }
    }

    /// The words that the catalogue has for users of other tools.
    fn elsewhere(&self, ours: &Message) -> Option<Message> {
        let words = ours.entries().into_iter().map(Entry::elsewhere).find(|words| !words.is_empty())?;
        // The mode of an address is the value of an option here.
        let (name, _) = self.encrypted.split_once('=').unwrap_or_default();
        let value = |argument: &str| match (argument, ours.arg(argument)) {
            ("mode", _) => format!("{name}="),
            ("option", _) | (_, None) => self.encrypted.clone(),
            (_, Some(own)) => own.english().to_owned(),
        };
        Some(foreign(fill(words, value)))
    }

    fn ignoring(&self, problem: &Problem) -> Option<Message> {
        let number = problem.what.find("failed-with-number")?.arg("number")?.english();
        let is_of_rows =
            ["last-rows-not-written", "rows-of-failed-inserts"].iter().any(|id| problem.what.find(id).is_some());
        // These are not sent again, whatever the list says.
        let (_, list) = self.ignore.split_once('=').filter(|_| !is_of_rows)?;
        if list.split(',').any(|listed| listed.trim() == number || listed.trim() == "all") {
            return Some(msg!("event-given-up-after-end"));
        }
        let may_pass = number.parse().is_ok_and(|number| MAY_PASS.contains(&number));
        may_pass.then(|| msg!("ignore-error", option = format_args!("{}{number}", self.ignore)))
    }

    /// The problem with its hint in the terms of the tool.
    pub fn told(&self, problem: &Problem) -> Problem {
        Problem { hint: self.hint(problem), ..problem.clone() }
    }
}

/// The option, with `_`, and its value, if the problem is a value that a workload or a data set does not accept. The old names have
/// words of their own for it.
pub fn refused_value(problem: &Problem) -> Option<(String, String)> {
    let refused = problem.what.find("option-cannot-be")?;
    let plain = |name: &str| refused.arg(name).map(|text| text.english().trim_matches('"').to_owned());
    Some((plain("option")?, plain("value")?))
}

/// A word quoted for a shell.
pub use tenbin_words::shell::word as quoted;

/// The command line of a MySQL client program for this server: `mysql -h 127.0.0.1 -P 3306 -u root -p`.
pub fn mysql_client(program: &str, server: &ServerLocation<'_>) -> String {
    let ServerLocation { host, port, socket, user, password } = *server;
    let address = match (socket, host) {
        ("", "localhost" | "") => String::new(),
        ("", host) => format!(" -h {} -P {port}", quoted(host)),
        (socket, _) => format!(" -S {}", quoted(socket)),
    };
    format!("{program}{address} -u {}{}", quoted(user), if password { " -p" } else { "" })
}

/// The location of a server, and the account.
#[derive(Debug, Clone, Copy)]
pub struct ServerLocation<'a> {
    pub host: &'a str,
    pub port: &'a str,
    pub socket: &'a str,
    pub user: &'a str,
    /// Whether there is a password; never the password itself.
    pub password: bool,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hints_are_whole_and_never_written_into_an_address() {
        let words = HintWords {
            account: "others".into(),
            ping: "ping".into(),
            create: "create".into(),
            plain: "--ssl=off".into(),
            encrypted: "--ssl=on".into(),
            load: "prepare".into(),
            drop: "cleanup".into(),
            unprepared: "--text".into(),
            ignore: "--ignore=1213,".into(),
            ..HintWords::default()
        };
        let hint = |hint: Message| words.hint(&Problem::new(foreign("x")).hint(hint));
        let is = |completed: Option<Message>, wanted: &str| {
            assert_eq!(completed.as_ref().map_or("none", |hint| hint.english()), wanted);
        };
        is(hint(msg!("check-user-and-password")), "others");
        let options = "give a larger --file-total-size, fewer files (--file-num) or smaller blocks (--file-block-size)";
        is(hint(msg!("give-larger-files")), options);
        let address = "'mysql://u@h/d?tls=disabled'";
        is(hint(msg!("is-server-running-at-port", address)), "is the server running, and is this its port? ping");
        is(hint(msg!("load-tables-first", workload = "WORKLOAD", dsn = "DSN")), "prepare");
        is(
            hint(msg!("tenbin-load-oltp", address, tables = 2, table_size = 3)),
            "use it as it is, or drop it first: cleanup",
        );
        is(hint(msg!("set-up-tls-mysql", plain = "tls=disabled")), "use --ssl=off on a line that you trust");
        is(hint(msg!("add-tls-required")), "add --ssl=on");
        is(hint(msg!("add-tls-ca")), "none");
        is(
            hint(msg!("certificate-for-another-name")),
            "the server's certificate is for another name: connect by a name that is in it, or use --ssl=verify-ca, \
             which does not check the name",
        );
        let raise = "SET GLOBAL max_prepared_stmt_count = 9";
        is(hint(msg!("raise-max-prepared-stmt-count", raise)), "SET GLOBAL max_prepared_stmt_count = 9, or --text");
        let failed = |number: &str| {
            let what = msg!("failed-with-number", doing = "x", why = "gone", number);
            words.hint(&Problem::new(what).hint(msg!("count-errors-and-go-on")))
        };
        is(failed("1062"), "to begin the event again after such an error: --ignore=1213,1062");
        is(failed("1213"), "the event was begun again after such errors, and given up 3 s after the end of the run");
        is(failed("1054"), "none");
        is(failed("23505"), "none");
        is(failed("40P01"), "none");
        is(
            hint(msg!("name-another-schema-or-allow-drop")),
            "name another with --create-schema, or add --allow-drop to lose it",
        );
        is(hint(msg!("set-workers-to-number")), "none");
        is(hint(msg!("wait-or-share-tables")), "wait until it has ended, or use another schema");
        is(hint(foreign("SET GLOBAL max_connections = 9")), "SET GLOBAL max_connections = 9");
    }

    #[test]
    fn a_word_is_one_to_the_shell() {
        assert_eq!(["a-b", "", "it's", "a b"].map(quoted), ["a-b", "''", "'it'\\''s'", "'a b'"]);
    }
}
