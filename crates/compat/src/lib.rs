//! Front ends: names of other tools under which this binary can be called, directly or as `tenbin NAME …`.
//!
//! A front end converts arguments to a plan, and events to the tool's output and exit codes. A new one is a
//! module and a line in [`FRONT_ENDS`].

#![cfg_attr(not(test), warn(clippy::disallowed_methods))]

mod address;
#[cfg(test)]
mod doc;
mod environment;
mod grammar;
mod help;
mod hint;
mod kept;
mod libmariadb;
mod libpq;
mod libpq_choice;
mod libpq_server;
mod mysql_prefixes;
mod mysqlslap;
mod option;
mod parsed_args;
mod pgbench;
mod sysbench;
mod terminal;
mod tpcc;

use std::ffi::OsString;
use std::path::Path;
use std::process::ExitCode;

/// The permissions of the target under these names: the original tools never check the tables' owner and the server's
/// role.
const AS_OF_OLD: &str = "allow = [\"write-unmarked\", \"write-replica\"]\n";

/// One name.
pub struct FrontEnd {
    /// The name.
    pub name: &'static str,
    /// Runs with the arguments after the name.
    pub main: fn(Vec<String>) -> ExitCode,
}

/// All front ends.
pub const FRONT_ENDS: &[FrontEnd] = &[
    FrontEnd { name: "sysbench", main: sysbench::main },
    FrontEnd { name: "mysqlslap", main: mysqlslap::mysqlslap },
    FrontEnd { name: "mariadb-slap", main: mysqlslap::mariadb_slap },
    FrontEnd { name: "pgbench", main: pgbench::main },
    FrontEnd { name: "tpcc_load", main: tpcc::tpcc_load },
    FrontEnd { name: "tpcc_start", main: tpcc::tpcc_start },
];

/// The front end that was called, with the arguments after its name.
pub fn called(arguments: &[OsString]) -> Option<(&'static FrontEnd, Vec<String>)> {
    let named = |name: &OsString| {
        let name = Path::new(name).file_name()?;
        FRONT_ENDS.iter().find(|front_end| name == front_end.name)
    };
    let text = |rest: &[OsString]| rest.iter().map(|a| a.to_string_lossy().into_owned()).collect();
    match arguments {
        [program, rest @ ..] if named(program).is_some() => Some((named(program)?, text(rest))),
        [_, name, rest @ ..] => Some((FRONT_ENDS.iter().find(|front_end| name == front_end.name)?, text(rest))),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn called_as(words: &[&str]) -> Option<(&'static str, Vec<String>)> {
        let words: Vec<OsString> = words.iter().map(OsString::from).collect();
        called(&words).map(|(front_end, rest)| (front_end.name, rest))
    }

    #[test]
    fn a_face_is_known_by_its_name_in_either_place() {
        let rest = vec!["cpu".to_owned(), "run".to_owned()];
        assert_eq!(called_as(&["/usr/local/bin/sysbench", "cpu", "run"]), Some(("sysbench", rest.clone())));
        assert_eq!(called_as(&["tenbin", "sysbench", "cpu", "run"]), Some(("sysbench", rest)));
        assert_eq!(called_as(&["tenbin", "run", "sysbench"]), None);
        assert_eq!(called_as(&["tenbin", "/usr/bin/sysbench"]), None, "a word is no path");
        assert_eq!(called_as(&["tenbin"]), None);
    }
}
