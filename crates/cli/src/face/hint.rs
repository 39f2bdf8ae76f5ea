//! What resolves a problem, in an old tool's own words: what Tenbin would have written into an address or a plan is an
//! option of that tool, and its own commands make and drop the tables.
//!
//! A hint is taken as a whole, never by replacing words in it: an address has words of ours that are not meant.

use tenbin_model::problem::Problem;

/// The words of one old tool for one server.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Words {
    /// How the account is given, and a command that tries it.
    pub account: String,
    /// A command that asks whether the server is there.
    pub ping: String,
    /// A command that makes the schema or database.
    pub create: String,
    /// The option that turns TLS off.
    pub plain: String,
    /// The option that turns TLS on.
    pub encrypted: String,
    /// The option that names the authority; empty: there is none.
    pub authority: String,
    /// The option that compresses; empty: there is none.
    pub compression: String,
    /// The option that sends statements as text; empty: there is none.
    pub unprepared: String,
    /// A command that makes what the test works on; empty: there is none.
    pub load: String,
    /// A command that drops it; empty: there is none.
    pub drop: String,
    /// The option that ignores an error of this number, up to the number; empty: there is none.
    pub ignore: String,
}

impl Words {
    /// The way out of this problem in these words; `None` when there is none that could be typed here.
    pub fn hint(&self, problem: &Problem) -> Option<String> {
        let ours = problem.mend.as_deref()?;
        let says = |word: &str| ours.contains(word);
        let known = |words: &str| (!words.is_empty()).then(|| words.to_owned());
        if says("--password-env") {
            return known(&self.account);
        }
        if says("name an existing schema in the address") {
            return known(&self.create);
        }
        if says("tenbin doctor") {
            return known(&self.ping).map(|ping| format!("is the server running, and is this its port? {ping}"));
        }
        if says("--drop") || says("restore = \"before-run\"") {
            let dropped = known(&self.drop)?;
            return Some(format!("use it as it is, or drop it first: {dropped}"));
        }
        if says("tenbin load") {
            return known(&self.load);
        }
        if says("tls=required") {
            return known(&self.encrypted).map(|option| format!("add {option}"));
        }
        if says("tls=disabled") || says("sslmode=disable") {
            return known(&self.plain).map(|option| format!("use {option} on a line that you trust"));
        }
        if says("tls_ca=") {
            return known(&self.authority)
                .map(|option| format!("give the authority that signed it: {option}=/path/to/ca.pem"));
        }
        if says("compress") && says("address") {
            return known(&self.compression).map(|option| format!("leave out {option}"));
        }
        if says("ps_mode") {
            let server = ours.split(", or ps_mode").next().unwrap_or_default();
            return known(&self.unprepared).map(|option| format!("{server}, or {option}"));
        }
        if says("on_error = ") {
            let number = problem.what.rsplit_once("(error ").and_then(|(_, rest)| rest.split_once(')')).map(|(n, _)| n);
            let number = number.filter(|n| n.parse::<u32>().is_ok())?;
            return known(&self.ignore)
                .map(|option| format!("to begin the event again after such an error: {option}{number}"));
        }
        // What can only be typed elsewhere is no way out here.
        let elsewhere = ["tenbin ", "the plan", "a plan", "address", "load.", "restore = ", "://", "on_lost", "DSN"];
        let here = without_keys(ours);
        (!elsewhere.iter().any(|word| here.contains(word))).then_some(here)
    }

    /// The problem with its hint in these words.
    pub fn told(&self, problem: &Problem) -> Problem {
        Problem { mend: self.hint(problem), ..problem.clone() }
    }
}

/// Without the parts in brackets that say the same as an option in a plan's keys: `--allow-drop (allow_drop = true)`.
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

/// A word as a shell takes it for one.
pub use tenbin_model::shell::word as quoted;

/// A client program of MySQL's at this server: `mysql -h 127.0.0.1 -P 3306 -u root -p`.
pub fn mysql_client(program: &str, place: &Place<'_>) -> String {
    let Place { host, port, socket, user, password } = *place;
    let place = match (socket, host) {
        ("", "localhost" | "") => String::new(),
        ("", host) => format!(" -h {} -P {port}", quoted(host)),
        (socket, _) => format!(" -S {}", quoted(socket)),
    };
    format!("{program}{place} -u {}{}", quoted(user), if password { " -p" } else { "" })
}

/// Where a server is, and who asks.
#[derive(Debug, Clone, Copy)]
pub struct Place<'a> {
    pub host: &'a str,
    pub port: &'a str,
    pub socket: &'a str,
    pub user: &'a str,
    /// Whether there is one; never what it is.
    pub password: bool,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hints_are_whole_and_never_written_into_an_address() {
        let words = Words {
            account: "others".into(),
            ping: "ping".into(),
            create: "create".into(),
            plain: "--ssl=off".into(),
            encrypted: "--ssl=on".into(),
            load: "prepare".into(),
            drop: "cleanup".into(),
            unprepared: "--text".into(),
            ignore: "--ignore=1213,".into(),
            ..Words::default()
        };
        let hint = |what: &str, mend: &str| words.hint(&Problem::new(what).mend(mend));
        let is = |told: Option<String>, wanted: &str| assert_eq!(told.as_deref().unwrap_or("none"), wanted);
        is(hint("x", "check user and password: --password-env NAME, or password_env in the plan"), "others");
        is(
            hint("x", "is the server running? tenbin doctor 'mysql://u@h/d?tls=disabled'"),
            "is the server running, and is this its port? ping",
        );
        is(hint("x", "load the tables first: tenbin load WORKLOAD DSN"), "prepare");
        is(
            hint("x", "tenbin load oltp_read_write 'mysql://u@h/d?tls=disabled' --drop --tables 2"),
            "use it as it is, or drop it first: cleanup",
        );
        is(
            hint("x", "set it up, or use tls=disabled on a line that you trust"),
            "use --ssl=off on a line that you trust",
        );
        is(hint("x", "add ?tls=required to the address"), "add --ssl=on");
        is(hint("x", "add tls_ca=/path/to/ca.pem to the address"), "none");
        is(
            hint("x", "SET GLOBAL max_prepared_stmt_count = 9, or ps_mode = \"disable\""),
            "SET GLOBAL max_prepared_stmt_count = 9, or --text",
        );
        is(
            hint("failed: gone (error 1062)", "to count such errors and go on: on_error = \"count\""),
            "to begin the event again after such an error: --ignore=1213,1062",
        );
        is(
            hint("failed: gone (error 23505)x", "on_error = \"count\""),
            "to begin the event again after such an error: --ignore=1213,23505",
        );
        is(
            hint("x", "name one with --create-schema (schema = \"x\" in a plan), or as an administrator (root)"),
            "name one with --create-schema, or as an administrator (root)",
        );
        is(hint("x", "set load.workers to a number"), "none");
        is(hint("x", "SET GLOBAL max_connections = 9"), "SET GLOBAL max_connections = 9");
    }

    #[test]
    fn a_word_is_one_to_the_shell() {
        assert_eq!(["a-b", "", "it's", "a b"].map(quoted), ["a-b", "''", "'it'\\''s'", "'a b'"]);
    }
}
