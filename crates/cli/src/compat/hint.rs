//! Hints in the terms of another tool: instead of an address or a plan they name an
//! option of that tool, and its own commands to create and drop tables.
//!
//! A hint is replaced as a whole, never by replacing words in it, because an address may contain the same words.

use tenbin_words::message::{Message, foreign};
use tenbin_words::msg;
use tenbin_words::problem::Problem;

/// The hints of one tool for one server.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct HintWords {
    /// How to specify the account, and a command that tries it.
    pub account: String,
    /// A command that checks whether the server is running.
    pub ping: String,
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
}

impl HintWords {
    /// The hint for this problem in the terms of the tool; `None` if there is none.
    pub fn hint(&self, problem: &Problem) -> Option<Message> {
        let ours = problem.hint.as_ref()?;
        let says = |ids: &[&str]| ours.mentions(ids);
        let known = |words: &str| (!words.is_empty()).then(|| foreign(words));
        if says(&["check-user-and-password", "give-password-env"]) {
            return known(&self.account);
        }
        if says(&["create-or-name-schema"]) {
            return known(&self.create);
        }
        if says(&["is-server-running-at-port", "is-port-right"]) {
            return known(&self.ping).map(|ping| msg!("is-server-running-ping", ping));
        }
        if says(MAKES_AGAIN) {
            return known(&self.drop).map(|drop| msg!("use-it-or-drop-first", drop));
        }
        if says(LOADS) {
            return known(&self.load);
        }
        if says(&[
            "add-tls-required",
            "add-tls-or-allow-cleartext",
            "add-tls-or-drop-channel-binding",
            "add-pg-hba-line",
        ]) {
            return known(&self.encrypted).map(|option| msg!("add-option", option));
        }
        if says(&["set-up-tls-mysql", "set-up-tls-postgresql", "tls-too-old", "socket-needs-no-tls"]) {
            return known(&self.plain).map(|option| msg!("use-option-on-trusted-line", option));
        }
        if says(&["certificate-version-1", "certificate-for-another-name", "look-at-certificate"]) {
            // The mode of an address is the value of an option here; none of these hints has an address.
            let mode = self.encrypted.split('=').next().unwrap_or_default();
            let text = ours.english().replace("tls=required", &self.encrypted).replace("tls=", &format!("{mode}="));
            return known(&self.encrypted).map(|_| foreign(text));
        }
        if says(&["add-tls-ca", "give-the-authority"]) {
            return known(&self.authority).map(|option| msg!("give-authority-by-option", option));
        }
        if says(&["ask-for-compression-algorithms", "leave-out-pipeline-or-compression"]) {
            return known(&self.compression).map(|option| msg!("leave-out-option", option));
        }
        if says(&[
            "raise-max-prepared-stmt-count",
            "or-ps-mode-disable",
            "proxy-in-between",
            "pool-in-transaction-mode",
        ]) {
            let server = ours.find("raise-max-prepared-stmt-count").and_then(|hint| hint.arg("raise")).unwrap_or(ours);
            return known(&self.unprepared).map(|option| msg!("server-or-option", server, option));
        }
        if says(&["count-errors-and-go-on"]) {
            let number = problem.what.find("failed-with-number")?.arg("number")?.english();
            number.parse::<u32>().ok()?;
            return known(&self.ignore)
                .map(|option| msg!("ignore-error", option = format_args!("{}{number}", option.english())));
        }
        // Hints that apply only to Tenbin's own commands are of no use here.
        let elsewhere = [
            "tenbin ",
            "the plan",
            "a plan",
            "address",
            "load.",
            "restore = ",
            "://",
            "on_lost",
            "DSN",
            "tls=",
            "--runs",
        ];
        let here = without_keys(ours);
        (!elsewhere.iter().any(|word| here.contains(word))).then(|| foreign(here))
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

/// Hints to recreate tables or files.
const MAKES_AGAIN: &[&str] = &[
    "use-them-as-they-are",
    "tenbin-load-oltp",
    "load-again-or-restore",
    "restore-or-load-bulk-insert",
    "load-with-drop-or-empty-schema",
    "use-it-or-load-with-drop",
    "load-with-drop-again",
    "use-them-or-load-again",
    "set-option-or-load-again",
    "load-makes-files-anew",
    "set-restore-never-to-load",
    "restore-before-run-or-name-schema",
    "make-room-for-files",
];

/// Hints to create missing data.
const LOADS: &[&str] = &[
    "load-tables-first",
    "load-tpcc-first",
    "load-tpcc-with-warehouses",
    "tenbin-load",
    "tenbin-load-makes-tables",
    "set-warehouses-or-load",
];

/// Without the parts in parentheses that name the corresponding key of a plan: `--allow-drop (allow_drop = true)`.
fn without_keys(hint: &str) -> String {
    let mut parts = hint.split(" (");
    let mut told = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        match part.split_once(')') {
            Some((inside, rest)) if inside.contains(" = ") || inside.starts_with("bench: ") => told += rest,
            _ => told += &format!(" ({part}"),
        }
    }
    told
}

/// A word quoted for a shell.
pub use tenbin_words::shell::word as quoted;

/// The command line of a MySQL client program for this server: `mysql -h 127.0.0.1 -P 3306 -u root -p`.
pub fn mysql_client(program: &str, place: &ServerLocation<'_>) -> String {
    let ServerLocation { host, port, socket, user, password } = *place;
    let place = match (socket, host) {
        ("", "localhost" | "") => String::new(),
        ("", host) => format!(" -h {} -P {port}", quoted(host)),
        (socket, _) => format!(" -S {}", quoted(socket)),
    };
    format!("{program}{place} -u {}{}", quoted(user), if password { " -p" } else { "" })
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
        let is = |told: Option<Message>, wanted: &str| {
            assert_eq!(told.as_ref().map_or("none", |hint| hint.english()), wanted);
        };
        is(hint(msg!("check-user-and-password")), "others");
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
            "the server's certificate is for another name: connect by a name that stands in it, or use --ssl=verify-ca, \
             which does not ask for the name",
        );
        let raise = "SET GLOBAL max_prepared_stmt_count = 9";
        is(hint(msg!("raise-max-prepared-stmt-count", raise)), "SET GLOBAL max_prepared_stmt_count = 9, or --text");
        let failed = |number: &str| {
            let what = msg!("failed-with-number", doing = "x", why = "gone", number);
            words.hint(&Problem::new(what).hint(msg!("count-errors-and-go-on")))
        };
        is(failed("1062"), "to begin the event again after such an error: --ignore=1213,1062");
        is(failed("23505"), "to begin the event again after such an error: --ignore=1213,23505");
        is(failed("40P01"), "none");
        is(
            hint(foreign("name one with --create-schema (schema = \"x\" in a plan), or as an administrator (root)")),
            "name one with --create-schema, or as an administrator (root)",
        );
        is(hint(foreign("set load.workers to a number")), "none");
        is(hint(foreign("SET GLOBAL max_connections = 9")), "SET GLOBAL max_connections = 9");
    }

    #[test]
    fn a_word_is_one_to_the_shell() {
        assert_eq!(["a-b", "", "it's", "a b"].map(quoted), ["a-b", "''", "'it'\\''s'", "'a b'"]);
    }
}
