//! Failures in mysqlslap's words: of a connection, and of a statement before or after the clients' work.

use crate::hint::refused_value;
use crate::libmariadb;
use tenbin_words::message::{Message, foreign};
use tenbin_words::msg;
use tenbin_words::problem::Problem;

/// What mysqlslap says of a key load on a table without a key.
const NO_KEY: &str = "Can't perform key test without a primary key!";
/// The options that give the table one.
const KEYS: &str = "--auto-generate-sql-add-autoincrement, --auto-generate-sql-guid-primary";

/// The problem with mysqlslap's line for what happened, if it has one. Evidence beside it and the hint stay.
pub fn told(problem: &Problem) -> Problem {
    let what = &problem.what;
    let text = |message: &Message, argument: &str| message.arg(argument).map_or("", Message::english).to_owned();
    let failed = what.find("failed-with-number").or_else(|| what.find("failed"));
    let why = failed.map_or_else(String::new, |failed| text(failed, "why"));
    let evidence = problem.evidence.as_ref();
    if what.is("key-load-needs-primary-key") {
        return Problem { what: foreign(NO_KEY), hint: Some(foreign(KEYS)), ..problem.clone() };
    }
    if what.find("connecting-to").is_some() {
        let why = libmariadb::refusal(what).map_or(why, |(_, why)| why);
        let line = format!("Error when connecting to server: {why}");
        return Problem { what: foreign(line), ..problem.clone() };
    }
    if what.find("connecting-clients").is_some() && failed.is_some_and(|failed| failed.is("failed-with-number")) {
        let number = failed.map_or_else(String::new, |failed| text(failed, "number"));
        let line = format!("Error when connecting to server: {number} {why}");
        return Problem { what: foreign(line), ..problem.clone() };
    }
    if let Some(refused) = evidence.and_then(|evidence| evidence.find("refused-statement")) {
        let line = format!("Cannot run query {} ERROR : {why}", text(refused, "statement"));
        let evidence = evidence.and_then(|evidence| evidence.find("server-hint")).cloned();
        return Problem { what: foreign(line), evidence, ..problem.clone() };
    }
    problem.clone()
}

/// The problem with the option of these programs that has set what is not accepted.
pub fn of_option(problem: Problem) -> Problem {
    let Some((option, value)) = refused_value(&problem) else { return problem };
    // The CREATE TABLE is included in what was typed.
    let typed = (option == "preload").then(|| value.parse::<u64>().ok()).flatten().map(|rows| (rows + 1).to_string());
    let what = msg!("old-option-cannot-be", option = option_of(&option), value = typed.unwrap_or(value));
    Problem { what, evidence: None, ..problem }
}

/// The option of these programs that sets an option of the load or of its data.
fn option_of(name: &str) -> String {
    let name = match name {
        "unique_queries" => "auto-generate-sql-unique-query-number",
        "unique_writes" => "auto-generate-sql-unique-write-number",
        "preload" => "auto-generate-sql-write-number",
        "secondary_indexes" => "auto-generate-sql-secondary-indexes",
        "queries_per_client" => "auto-generate-sql-execute-number",
        "queries" => "number-of-queries",
        "int_cols" => "number-int-cols",
        "char_cols" => "number-char-cols",
        "schema" => "create-schema",
        name => name,
    };
    format!("--{}", name.replace('_', "-"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use tenbin_driver::{Class, Error};

    #[test]
    fn what_programs_search_for_in_the_output() {
        let denied = Error::new(Class::Refused, foreign("Access denied for user 'x'")).code(1045).state(*b"28000");
        let nothing = msg!("nothing-answers-at-socket", path = "/s", error = "No such file or directory (os error 2)");
        let closed = Error::new(Class::Refused, nothing);
        let table = Error::new(Class::Sql, foreign("Unknown storage engine 'x'")).code(1286).state(*b"42000");
        let connecting = || msg!("connecting-to", dsn = "mysql://x@h/");
        let of_clients = Error::new(Class::Refused, foreign("Unknown database 'x'")).code(1049);
        let all = [
            told(&of_clients.problem(msg!("connecting-clients"))),
            told(&denied.problem(connecting())),
            told(&closed.problem(connecting())),
            told(&table.sent("CREATE TABLE t1 (a INT)", false).problem(msg!("making-schema"))),
            told(&Problem::new(msg!("key-load-needs-primary-key")).hint(msg!("give-a-primary-key"))),
            told(&Problem::new(foreign("another")).hint(foreign("go on"))),
        ];
        insta::assert_snapshot!(all.map(|problem| problem.to_string()).join("\n"), @r"
        Error when connecting to server: 1049 Unknown database 'x'
        Error when connecting to server: Access denied for user 'x'
        Error when connecting to server: Can't connect to local server through socket '/s' (2)
        Cannot run query CREATE TABLE t1 (a INT) ERROR : Unknown storage engine 'x'
        Can't perform key test without a primary key!
          hint      --auto-generate-sql-add-autoincrement, --auto-generate-sql-guid-primary
        another
          hint      go on
        ");
    }
}
