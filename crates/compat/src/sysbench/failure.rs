//! Failures as sysbench reports them: the lines after `FATAL: ` that programs search its output for.
//!
//! The names of functions of the client libraries are part of these lines. Tenbin has no client library; the lines have the
//! names nevertheless, with the server's own error number and message.

use crate::hint::{HintWords, ServerName};
use crate::libmariadb;
use crate::libpq;
use std::fmt;
use tenbin_driver::{Class, Error};
use tenbin_model::tally::{CONNECT, Tally};
use tenbin_script::SentAs;
use tenbin_words::message::Message;
use tenbin_words::problem::Problem;

/// The lines for what happened, or none if sysbench has no line of its own for it. They say what [`Problem::what`] says.
pub fn lines(words: &HintWords, problem: &Problem) -> Vec<String> {
    let what = &problem.what;
    let text = |message: &Message, argument: &str| message.arg(argument).map_or("", Message::english).to_owned();
    let numbered = what.find("failed-with-number");
    let number = numbered.map_or_else(String::new, |failed| text(failed, "number"));
    // What a client says of its rows stands before the server's words.
    let of_rows = ["last-rows-not-written", "rows-of-failed-inserts"];
    let server_words = of_rows.iter().find_map(|id| numbered?.find(id));
    let why = server_words.or(numbered).or_else(|| what.find("failed"));
    let why = why.map_or_else(String::new, |failed| text(failed, "why"));
    let is_refused = libmariadb::refusal(what).is_some() || OF_CONNECTING.contains(&number.as_str());
    if what.find("connecting-to").is_some() || what.find("connecting-clients").is_some() && is_refused {
        let mut lines = not_connected(words, what, &number, &why);
        if !words.connects_in.is_empty() {
            lines.extend(function(words.connects_in, "connection creation failed"));
        }
        return lines;
    }
    if let Some(thrown) = what.find("script-function-says") {
        let place = text(thrown, "place");
        let sent = ["[statement: ", "[preparing: "].iter().find_map(|start| place.trim().strip_prefix(start));
        let sent = sent.and_then(|rest| rest.strip_suffix(']')).unwrap_or("");
        let (function, message) = (text(thrown, "function"), text(thrown, "message"));
        return match of_server(&message).filter(|_| place.trim().starts_with("[preparing: ")) {
            Some((number, why)) if errno_of_mysql(number) => {
                let mut lines = not_prepared(number, why);
                lines.extend(self::function(&function, &message));
                lines
            }
            _ => of_script(words, what, &function, &number, &message, sent),
        };
    }
    if let Some(doing) = what.find("scripts-function") {
        let sent = problem.evidence.as_ref().and_then(|evidence| evidence.find("statement-sent"));
        let sent = sent.map_or_else(String::new, |sent| text(sent, "statement"));
        return of_script(words, what, &text(doing, "function"), &number, &why, &sent);
    }
    // A built-in test's.
    let commands = words.connects_in != "thread_init";
    if let Some(exists) = what.find("table-exists").filter(|_| commands) {
        return table_exists(words, &text(exists, "table"));
    }
    if number.is_empty() {
        return Vec::new();
    }
    let doing = ["statement-of-client", "transaction-of-client"];
    let function_name = match doing.iter().any(|id| what.find(id).is_some()) {
        true => "event()",
        false if what.find("end-of-client").is_some() => "thread_done",
        false if commands && what.find("connecting-clients").is_none() => words.connects_in,
        false => "",
    };
    if !function_name.is_empty()
        && let Some(refused) = Refused::of(problem)
    {
        return refused.lines(words, &number, &why, function_name);
    }
    let is_mysql = of_mysql(words, &number);
    let errno = if is_mysql { number.clone() } else { format!("0, state = '{number}'") };
    let thrown = format!("SQL error, errno = {errno}: {why}");
    if what.find("connecting-clients").is_some() {
        let of_postgres = || vec![format!("PQprepare() failed: ERROR:  {why}")];
        let mut lines = if is_mysql { not_prepared(&number, &why) } else { of_postgres() };
        lines.extend(function("thread_init()", &thrown));
        return lines;
    }
    if function_name.is_empty() { Vec::new() } else { function(function_name, &thrown) }
}

/// The errors with which a server refuses a connection: too many of them, and accounts, databases and hosts that it does not let in.
const OF_CONNECTING: [&str; 13] = [
    "1040", "1044", "1045", "1049", "1129", "1130", "1203", "1226", // MySQL
    "28000", "28P01", "3D000", "53300", "57P03", // PostgreSQL
];

/// A statement of a built-in test that the server has refused.
struct Refused {
    statement: String,
    state: String,
    is_prepared: bool,
}

impl Refused {
    fn of(problem: &Problem) -> Option<Refused> {
        let evidence = problem.evidence.as_ref()?;
        let prepared = evidence.find("refused-prepared-statement");
        let refused = prepared.or_else(|| evidence.find("refused-statement"))?;
        let text = |argument: &str| refused.arg(argument).map_or("", Message::english).to_owned();
        Some(Refused { statement: text("statement"), state: text("state"), is_prepared: prepared.is_some() })
    }

    fn lines(&self, words: &HintWords, number: &str, why: &str, name: &str) -> Vec<String> {
        let Refused { statement, state, is_prepared } = self;
        let (mut lines, number) = match (of_mysql(words, number), is_prepared) {
            (true, true) => (vec![of_prepared(number, why, statement)], number),
            (true, false) => (vec![of_mysql_statement(number, why, statement)], number),
            (false, true) => (vec![format!("PQexecPrepared() failed: 7 {why}")], "0"),
            (false, false) => (of_postgres_statement(why, statement), "0"),
        };
        lines.extend(function(name, &format!("SQL error, errno = {number}, state = '{state}': {why}")));
        lines
    }
}

/// What prepare says of a table that there is already: no statement was sent that the lines could name.
fn table_exists(words: &HintWords, table: &str) -> Vec<String> {
    let of_mysql = matches!(words.server, ServerName::Mysql(_));
    let why = if of_mysql {
        format!("Table '{table}' already exists")
    } else {
        format!("relation \"{table}\" already exists")
    };
    let (first, number, state) = match of_mysql {
        true => (format!("mysql_drv_query() returned error 1050 ({why})"), "1050", "42S01"),
        false => (format!("PQexec() failed: 7 {why}"), "0", "42P07"),
    };
    let thrown = function(words.connects_in, &format!("SQL error, errno = {number}, state = '{state}': {why}"));
    std::iter::once(first).chain(thrown).collect()
}

/// Whether this is an error number of MySQL or MariaDB, of whatever length; PostgreSQL has SQLSTATEs, which may be digits too.
fn of_mysql(words: &HintWords, number: &str) -> bool {
    match words.server {
        ServerName::Mysql(_) => true,
        ServerName::Postgres(_) => false,
        ServerName::Unnamed => number.len() != 5 && number.bytes().all(|digit| digit.is_ascii_digit()),
    }
}

/// The same of the number in what a connection of a script threw, which may be to either: for PostgreSQL it is always 0.
fn errno_of_mysql(number: &str) -> bool {
    number != "0"
}

/// Why no connection was tried, and what that means for the function that wanted one.
pub fn without_address(words: &HintWords, why: &str) -> String {
    let thrown = match why.starts_with("unable to connect") {
        true => "connection creation failed",
        false => "failed to initialize the DB driver",
    };
    let lines = [why.to_owned()].into_iter().chain(function(words.connects_in, thrown));
    lines.collect::<Vec<_>>().join("\nFATAL: ")
}

/// The server of a list to which there is no connection, as in [`ServerName::Mysql`].
fn one_of_list(what: &Message) -> Option<String> {
    let address = what.find("address-of-list")?.arg("address")?.english();
    Some(match address.rsplit_once(':').filter(|_| !address.starts_with('/')) {
        Some((host, port)) => format!("host '{host}', port {port}"),
        None => format!("socket '{address}'"),
    })
}

/// Why there is no connection.
fn not_connected(words: &HintWords, what: &Message, number: &str, why: &str) -> Vec<String> {
    let server = match &words.server {
        ServerName::Unnamed => return vec![format!("Connection to database failed: {why}")],
        ServerName::Postgres(server) => {
            let chosen = words.chosen.get().unwrap_or(server);
            let (server, others) = (chosen.told_with_address(), &chosen.others);
            let refused = || match number {
                "" => why.to_owned(),
                _ => format!("connection to server {server} failed: FATAL:  {why}"),
            };
            let why = libpq::refusal(what, &server).unwrap_or_else(refused);
            return vec![format!("Connection to database failed: {others}{why}")];
        }
        ServerName::Mysql(server) => one_of_list(what).unwrap_or_else(|| server.clone()),
    };
    let error = match number {
        "" => libmariadb::refusal(what)
            .map(|(number, why)| format!("{number}: {why}"))
            .unwrap_or_else(|| format!("2002: Can't connect to server: {why}")),
        number => format!("{number}: {why}"),
    };
    vec![format!("unable to connect to MySQL server on {server}, aborting..."), format!("error {error}")]
}

/// What a function of a script threw, after what the server said to the statement `sent`, if that was the reason.
fn of_script(words: &HintWords, what: &Message, name: &str, number: &str, thrown: &str, sent: &str) -> Vec<String> {
    let mut lines = Vec::new();
    let mut thrown = thrown;
    if let Some((before, why)) = thrown.split_once("connection creation failed: ") {
        lines = not_connected(words, &libmariadb::of_text(why).unwrap_or_else(|| what.clone()), number, why);
        thrown = &thrown[..before.len() + "connection creation failed".len()];
    } else if let Some((number, why)) = of_server(thrown).filter(|_| !sent.is_empty()) {
        lines = match errno_of_mysql(number) {
            true => vec![of_mysql_statement(number, why, sent)],
            false => of_postgres_statement(why, sent),
        };
        // What sysbench's own function says of a bulk INSERT has no reason.
        if let Some(at) = thrown.find("() failed: SQL error, ") {
            thrown = &thrown[..at + "() failed".len()];
        }
    }
    lines.extend(function(name, thrown));
    lines
}

/// The lines for a statement that has failed, of which a script has caught the error.
pub fn of_caught(error: &Error, sent: &str, sent_as: SentAs) -> Vec<String> {
    let number = error.number().map(|number| number.to_string());
    let lost = LOSSES.iter().find(|(of, _)| error.class() == Class::Lost && number.as_deref() == Some(*of));
    let why = lost.map_or(error.message(), |(_, why)| *why);
    match (number, error.sqlstate()) {
        (Some(number), _) => match sent_as {
            SentAs::Text => vec![of_mysql_statement(number, why, sent)],
            SentAs::Preparing => not_prepared(&number, why),
            SentAs::Prepared => vec![of_prepared(&number, why, sent)],
        },
        (None, Some(_)) => of_postgres_statement(why, sent),
        (None, None) => vec![why.to_owned()],
    }
}

/// The lines for statements with which connections were lost: the run goes on, but sysbench would have ended. `caught`: the numbers of those that a
/// script has caught, which have their lines already; they are taken away.
pub fn of_losses(words: &HintWords, tally: &Tally, caught: &mut Vec<u32>) -> Vec<String> {
    let statements = tally.statements.iter().filter(|(name, _)| *name != CONNECT);
    let errors =
        statements.flat_map(|(name, counts)| counts.errors.iter().map(move |(code, times)| (name, code, times)));
    let lines = errors.filter_map(|(name, code, times)| {
        let line = match (LOSSES.iter().find(|(of, _)| of == code), &words.server) {
            (None, _) => return None,
            (Some((_, why)), ServerName::Postgres(_)) => of_postgres_statement(why, name).join("\nFATAL: "),
            (Some((number, why)), _) => {
                let number = if *number == "lost" { "2013" } else { number };
                of_mysql_statement(number, why, name)
            }
        };
        let times = usize::try_from(*times).unwrap_or(usize::MAX);
        let printed = caught.extract_if(.., |number| number.to_string() == *code).take(times).count();
        Some(std::iter::repeat_n(line, times - printed))
    });
    lines.flatten().collect()
}

/// The errors with which a connection ends, as they are counted, and what the client libraries say of them.
const LOSSES: [(&str, &str); 7] = [
    ("1053", "Server shutdown in progress"),
    ("1927", "Connection was killed"),
    ("2006", "Server has gone away"),
    ("2013", "Lost connection to server during query"),
    ("4031", "The client was disconnected by the server because of inactivity"),
    ("57P01", "FATAL:  terminating connection due to administrator command"),
    ("lost", "Lost connection to server during query"),
];

/// A statement that failed on MySQL or MariaDB.
fn of_mysql_statement(number: impl fmt::Display, why: &str, sent: &str) -> String {
    format!("mysql_drv_query() returned error {number} ({why}) for query '{sent}'")
}

/// One that had been prepared.
fn of_prepared(number: &str, why: &str, sent: &str) -> String {
    format!("mysql_stmt_execute() returned error {number} ({why}) for query '{sent}'")
}

/// One that could not be prepared there.
fn not_prepared(number: &str, why: &str) -> Vec<String> {
    vec!["mysql_stmt_prepare() failed".to_owned(), format!("MySQL error: {number} \"{why}\"")]
}

/// One that failed on PostgreSQL.
fn of_postgres_statement(why: &str, sent: &str) -> Vec<String> {
    vec![format!("PQexec() failed: 7 {why}"), format!("failed query was: {sent}")]
}

/// The number and the message of the server in what a script's connection threw:
/// `x.lua:1: SQL error, errno = 1146, state = '42S02': Table …`.
fn of_server(thrown: &str) -> Option<(&str, &str)> {
    let (_, rest) = thrown.split_once("SQL error, errno = ")?;
    let (number, rest) = rest.split_once(',')?;
    Some((number, rest.split_once("': ")?.1))
}

/// The line about a function of a test; without the one that connects, no client can start.
fn function(name: &str, thrown: &str) -> Vec<String> {
    let name = match name.trim_end_matches("()") {
        "event" => "thread_run",
        name => name,
    };
    let mut lines = vec![format!("`{name}' function failed: {thrown}")];
    if name == "thread_init" {
        lines.push("Thread initialization failed!".to_owned());
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;
    use tenbin_words::message::foreign;
    use tenbin_words::msg;

    fn named(server: &str) -> ServerName {
        let here = || libpq::Server { host: "127.0.0.1".into(), ..libpq::Server::default() };
        if server.is_empty() { ServerName::Postgres(Box::new(here())) } else { ServerName::Mysql(server.into()) }
    }

    fn of(server: &str, problem: &Problem) -> String {
        lines(&HintWords { server: named(server), connects_in: "thread_init", ..HintWords::default() }, problem)
            .join("\n")
    }

    fn thrown(function: &str, message: &str, place: &str) -> Problem {
        let why = msg!("script-function-says", function, message, place);
        Problem::new(msg!("failed-with-number", doing = msg!("transaction-of-client", number = 0), why, number = 1146))
    }

    /// As sysbench 1.0.20 prints them.
    #[test]
    fn an_error_that_a_script_catches_is_told_once_and_by_how_it_was_sent() {
        let of = |error: &Error, sent_as| of_caught(error, "SELECT 1", sent_as).join("\n");
        let syntax = Error::new(Class::Sql, foreign("no")).code(1064);
        let lost = Error::new(Class::Lost, foreign("the server has closed the connection")).code(2013);
        assert_eq!(
            [SentAs::Text, SentAs::Preparing, SentAs::Prepared].map(|sent_as| of(&syntax, sent_as)),
            [
                "mysql_drv_query() returned error 1064 (no) for query 'SELECT 1'",
                "mysql_stmt_prepare() failed\nMySQL error: 1064 \"no\"",
                "mysql_stmt_execute() returned error 1064 (no) for query 'SELECT 1'",
            ]
        );
        let line =
            "mysql_drv_query() returned error 2013 (Lost connection to server during query) for query 'SELECT 1'";
        assert_eq!(of(&lost, SentAs::Text), line);
        let mut tally = Tally::default();
        tally.statements.entry("SELECT 1".into()).or_default().errors.insert("2013".into(), 3);
        let (words, mut caught) =
            (HintWords { server: ServerName::Mysql("s".into()), ..HintWords::default() }, vec![2006, 2013, 2013]);
        assert_eq!(of_losses(&words, &tally, &mut caught), [line], "two of them were caught");
        assert_eq!(caught, [2006]);
    }

    #[test]
    fn clients_that_postgresql_refuses_have_the_lines_of_its_library() {
        let doing = || msg!("connecting-clients");
        let refused =
            |why: &str, number| of("", &Problem::new(msg!("failed-with-number", doing = doing(), why, number)));
        let both = [refused("no table t", "42P01"), refused("sorry, too many clients already", "53300")];
        insta::assert_snapshot!(both.join("\n"), @r#"
        PQprepare() failed: ERROR:  no table t
        `thread_init' function failed: SQL error, errno = 0, state = '42P01': no table t
        Thread initialization failed!
        Connection to database failed: connection to server at "127.0.0.1", port 5432 failed: FATAL:  sorry, too many clients already
        `thread_init' function failed: connection creation failed
        Thread initialization failed!
        "#);
    }

    #[test]
    fn what_programs_search_for_in_the_output() {
        let server = "host '127.0.0.1', port 1";
        let connecting = || msg!("connecting-to", dsn = "mysql://u@127.0.0.1:1/d");
        let nothing =
            msg!("nothing-answers-at-port", host = "127.0.0.1", port = 1, error = "Connection refused (os error 111)");
        let unknown = msg!("host-unknown", host = "nowhere", error = "no name");
        let why = "Unknown database 'nodb'";
        let denied = Problem::new(msg!("failed-with-number", doing = connecting(), why, number = 1049));
        let table = "x.lua:1: SQL error, errno = 1146, state = '42S02': Table 'd.x' doesn't exist";
        let path = "/run/mysqld.sock";
        let closed = msg!("nothing-answers-at-socket", path, error = "No such file or directory (os error 2)");
        let of_list = |address: &str, number: &str| {
            let place = msg!("address-of-list", address);
            let doing = msg!("doing-at-place", place, doing = connecting());
            Problem::new(msg!("failed-with-number", doing, why = "no", number))
        };
        let of_clients = |number: &str| {
            let doing = msg!(
                "doing-at-place",
                place = msg!("address-of-list", address = "b:2"),
                doing = msg!("connecting-clients")
            );
            Problem::new(msg!("failed-with-number", doing, why = "no", number))
        };
        let of_end = |number: &str, state: &str| {
            let why = msg!("last-rows-not-written", rows = 10, why = "no such column");
            let what = msg!("failed-with-number", doing = msg!("end-of-client", number = 0), why, number);
            let evidence = msg!("refused-statement", statement = "INSERT INTO sbtest1 VALUES(1,1)", state);
            Problem::new(what).evidence(evidence)
        };
        let all = [
            of(server, &Problem::new(msg!("failed", doing = connecting(), why = nothing.clone()))),
            of(server, &Problem::new(msg!("failed", doing = connecting(), why = closed))),
            of("", &Problem::new(msg!("failed", doing = connecting(), why = nothing))),
            of(server, &of_list("b:2", "1045")),
            of(server, &of_list("/y.sock", "1040")),
            of(server, &Problem::new(msg!("failed", doing = connecting(), why = unknown))),
            of(server, &denied),
            of("", &Problem::new(msg!("failed-with-number", doing = connecting(), why, number = "3D000"))),
            of("", &Problem::new(msg!("failed", doing = connecting(), why = foreign("refused")))),
            of(server, &thrown("event()", table, " [statement: SELECT 1 FROM x]")),
            of("", &thrown("event()", &table.replace("1146", "0"), " [statement: SELECT 1 FROM x]")),
            of(
                server,
                &thrown("event()", &table.replace("SQL", "db_bulk_insert_next() failed: SQL"), " [statement: INSERT]"),
            ),
            of(server, &thrown("thread_init()", table, " [preparing: SELECT 1 FROM x]")),
            of(server, &thrown("thread_init()", "x.lua:1: connection creation failed: gone", "")),
            of(server, &thrown("thread_done()", "x.lua:2: late", " [after: SELECT 1]")),
            of(
                server,
                &Problem::new(msg!("failed", doing = msg!("scripts-function", function = "prepare"), why = "boom")),
            ),
            of(
                server,
                &Problem::new(msg!(
                    "failed-with-number",
                    doing = msg!("connecting-clients"),
                    why = "no table",
                    number = 1146
                )),
            ),
            of(
                server,
                &Problem::new(msg!(
                    "failed-with-number",
                    doing = msg!("transaction-of-client", number = 3),
                    why = "no table",
                    number = "42P01"
                )),
            ),
            of(server, &Problem::new(foreign("something else"))),
            of(server, &of_clients("1045")),
            of(server, &of_end("1136", "21S01")),
            of("", &of_end("42601", "42601")),
        ];
        insta::assert_snapshot!(all.join("\n--\n"), @r#"
        unable to connect to MySQL server on host '127.0.0.1', port 1, aborting...
        error 2002: Can't connect to server on '127.0.0.1' (115)
        `thread_init' function failed: connection creation failed
        Thread initialization failed!
        --
        unable to connect to MySQL server on host '127.0.0.1', port 1, aborting...
        error 2002: Can't connect to local server through socket '/run/mysqld.sock' (2)
        `thread_init' function failed: connection creation failed
        Thread initialization failed!
        --
        Connection to database failed: connection to server at "127.0.0.1", port 5432 failed: Connection refused
        	Is the server running on that host and accepting TCP/IP connections?
        `thread_init' function failed: connection creation failed
        Thread initialization failed!
        --
        unable to connect to MySQL server on host 'b', port 2, aborting...
        error 1045: no
        `thread_init' function failed: connection creation failed
        Thread initialization failed!
        --
        unable to connect to MySQL server on socket '/y.sock', aborting...
        error 1040: no
        `thread_init' function failed: connection creation failed
        Thread initialization failed!
        --
        unable to connect to MySQL server on host '127.0.0.1', port 1, aborting...
        error 2005: Unknown server host 'nowhere' (-2)
        `thread_init' function failed: connection creation failed
        Thread initialization failed!
        --
        unable to connect to MySQL server on host '127.0.0.1', port 1, aborting...
        error 1049: Unknown database 'nodb'
        `thread_init' function failed: connection creation failed
        Thread initialization failed!
        --
        Connection to database failed: connection to server at "127.0.0.1", port 5432 failed: FATAL:  Unknown database 'nodb'
        `thread_init' function failed: connection creation failed
        Thread initialization failed!
        --
        Connection to database failed: refused
        `thread_init' function failed: connection creation failed
        Thread initialization failed!
        --
        mysql_drv_query() returned error 1146 (Table 'd.x' doesn't exist) for query 'SELECT 1 FROM x'
        `thread_run' function failed: x.lua:1: SQL error, errno = 1146, state = '42S02': Table 'd.x' doesn't exist
        --
        PQexec() failed: 7 Table 'd.x' doesn't exist
        failed query was: SELECT 1 FROM x
        `thread_run' function failed: x.lua:1: SQL error, errno = 0, state = '42S02': Table 'd.x' doesn't exist
        --
        mysql_drv_query() returned error 1146 (Table 'd.x' doesn't exist) for query 'INSERT'
        `thread_run' function failed: x.lua:1: db_bulk_insert_next() failed
        --
        mysql_stmt_prepare() failed
        MySQL error: 1146 "Table 'd.x' doesn't exist"
        `thread_init' function failed: x.lua:1: SQL error, errno = 1146, state = '42S02': Table 'd.x' doesn't exist
        Thread initialization failed!
        --
        unable to connect to MySQL server on host '127.0.0.1', port 1, aborting...
        error 1146: gone
        `thread_init' function failed: x.lua:1: connection creation failed
        Thread initialization failed!
        --
        `thread_done' function failed: x.lua:2: late
        --
        `prepare' function failed: boom
        --
        mysql_stmt_prepare() failed
        MySQL error: 1146 "no table"
        `thread_init' function failed: SQL error, errno = 1146: no table
        Thread initialization failed!
        --
        `thread_run' function failed: SQL error, errno = 42P01: no table
        --

        --
        unable to connect to MySQL server on host 'b', port 2, aborting...
        error 1045: no
        `thread_init' function failed: connection creation failed
        Thread initialization failed!
        --
        mysql_drv_query() returned error 1136 (no such column) for query 'INSERT INTO sbtest1 VALUES(1,1)'
        `thread_done' function failed: SQL error, errno = 1136, state = '21S01': no such column
        --
        PQexec() failed: 7 no such column
        failed query was: INSERT INTO sbtest1 VALUES(1,1)
        `thread_done' function failed: SQL error, errno = 0, state = '42601': no such column
        "#);
    }

    #[test]
    fn without_an_address_the_function_fails_that_wanted_it() {
        let of = |connects_in, why: &str| without_address(&HintWords { connects_in, ..HintWords::default() }, why);
        assert_eq!(
            of("thread_init", "No MySQL hosts specified, aborting"),
            "No MySQL hosts specified, aborting\n\
             FATAL: `thread_init' function failed: failed to initialize the DB driver\n\
             FATAL: Thread initialization failed!"
        );
        assert_eq!(
            of("cleanup", "unable to connect to MySQL server on host 'h', port 0, aborting..."),
            "unable to connect to MySQL server on host 'h', port 0, aborting...\n\
             FATAL: `cleanup' function failed: connection creation failed"
        );
    }

    #[test]
    fn built_in_tests_have_the_same_lines() {
        use tenbin_driver::Class;
        let mysql = || Error::new(Class::Sql, foreign("too long")).code(1406).state(*b"22001");
        let postgres = || Error::new(Class::Sql, foreign("read-only")).state(*b"25006").advice(foreign("write not"));
        let doing = || msg!("statement-of-client", name = "update", number = 0);
        let of_command = |command, server: &str, problem: &Problem| {
            lines(&HintWords { server: named(server), connects_in: command, ..HintWords::default() }, problem)
                .join("\n")
        };
        let exists = Problem::new(msg!("table-exists", table = "sbtest1"));
        let all = [
            of("host 'h'", &mysql().sent("UPDATE t SET c=?", true).problem(doing())),
            of("host 'h'", &mysql().sent("UPDATE t SET c='x'", false).problem(doing())),
            of("", &postgres().sent("UPDATE t SET c=$1", true).problem(doing())),
            of("", &postgres().sent("UPDATE t SET c='x'", false).problem(doing())),
            of("host 'h'", &mysql().problem(doing())),
            of_command("cleanup", "host 'h'", &mysql().sent("DROP TABLE t", false).problem(msg!("dropping-tables"))),
            of_command("sysbench.cmdline.call_command", "host 'h'", &exists),
            of_command("sysbench.cmdline.call_command", "", &exists),
        ];
        insta::assert_snapshot!(all.join("\n--\n"), @r#"
        mysql_stmt_execute() returned error 1406 (too long) for query 'UPDATE t SET c=?'
        `thread_run' function failed: SQL error, errno = 1406, state = '22001': too long
        --
        mysql_drv_query() returned error 1406 (too long) for query 'UPDATE t SET c='x''
        `thread_run' function failed: SQL error, errno = 1406, state = '22001': too long
        --
        PQexecPrepared() failed: 7 read-only
        `thread_run' function failed: SQL error, errno = 0, state = '25006': read-only
        --
        PQexec() failed: 7 read-only
        failed query was: UPDATE t SET c='x'
        `thread_run' function failed: SQL error, errno = 0, state = '25006': read-only
        --
        `thread_run' function failed: SQL error, errno = 1406: too long
        --
        mysql_drv_query() returned error 1406 (too long) for query 'DROP TABLE t'
        `cleanup' function failed: SQL error, errno = 1406, state = '22001': too long
        --
        mysql_drv_query() returned error 1050 (Table 'sbtest1' already exists)
        `sysbench.cmdline.call_command' function failed: SQL error, errno = 1050, state = '42S01': Table 'sbtest1' already exists
        --
        PQexec() failed: 7 relation "sbtest1" already exists
        `sysbench.cmdline.call_command' function failed: SQL error, errno = 0, state = '42P07': relation "sbtest1" already exists
        "#);
    }
}
