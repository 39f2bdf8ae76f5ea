//! `mysqlslap` and `mariadb-slap`: their command line, their block and CSV line, and correct exit codes.
//!
//! | | |
//! |---|---|
//! | parsing | [`options`]: every option as a row; [`defaults`]: the option files; `tenbin_driver::credentials`: the login file |
//! | resolving | [`settings`]; [`plan`] |
//! | running | [`run`] |
//! | output | [`block`]; [`help`] |

mod block;
mod defaults;
mod failure;
mod help;
pub mod options;
mod parts;
mod plan;
mod run;
mod settings;

use super::environment;
use super::grammar::{ArgumentError, ArgumentErrorKind};
use super::parsed_args::{NO_VALUE, ParsedArgs, Source};
use super::terminal;
use block::CellBlock;
use settings::Settings;
use std::path::PathBuf;
use std::process::ExitCode;
use tenbin_slap as slap;
use tenbin_terminal::{exit, signals};
use tenbin_words::problem::Problem;

/// The name it was called by.
#[derive(Debug, Clone, Copy)]
struct Program(&'static str);

impl Program {
    /// Prints a line on standard error.
    fn write(self, line: &str) {
        exit::print_error(&format!("{}: {line}", self.0));
    }

    /// Prints a problem; returns `false`.
    fn complain(self, problem: &Problem) -> bool {
        self.write(&failure::told(problem).to_string());
        false
    }
}

/// As `mysqlslap`.
pub fn mysqlslap(arguments: Vec<String>) -> ExitCode {
    main(Program("mysqlslap"), &arguments)
}

/// As `mariadb-slap`.
pub fn mariadb_slap(arguments: Vec<String>) -> ExitCode {
    main(Program("mariadb-slap"), &arguments)
}

/// Why nothing was run.
#[derive(Debug)]
struct Failure {
    text: String,
    /// The exit code.
    code: u8,
    /// Whether the text is printed without the name of the program.
    is_whole: bool,
}

/// The exit code if an option is given without its value.
const NO_VALUE_CODE: u8 = 5;

impl From<String> for Failure {
    fn from(text: String) -> Failure {
        Failure { text, code: 1, is_whole: false }
    }
}

/// The exit codes are those of MySQL's programs.
impl From<ArgumentError> for Failure {
    fn from(error: ArgumentError) -> Failure {
        let code = match error.kind {
            ArgumentErrorKind::Value => 1,
            ArgumentErrorKind::Unknown => 2,
            ArgumentErrorKind::Ambiguous => 3,
            ArgumentErrorKind::TakesNoValue => 4,
            ArgumentErrorKind::NoValue => NO_VALUE_CODE,
            ArgumentErrorKind::UnknownVariable => 7,
            ArgumentErrorKind::Suffix => 9,
            ArgumentErrorKind::OutOfRange => 13,
        };
        Failure { code, ..error.text.into() }
    }
}

fn main(program: Program, arguments: &[String]) -> ExitCode {
    match obey(program, arguments) {
        Ok(true) => ExitCode::SUCCESS,
        // What was begun is closed and dropped; then it ends as the real one does.
        Ok(false) if signals::received() => ExitCode::from(signals::die()),
        Ok(false) => ExitCode::FAILURE,
        Err(failure) => {
            match failure.is_whole {
                true => exit::print_error(&failure.text),
                false => program.write(&failure.text),
            }
            ExitCode::from(failure.code)
        }
    }
}

/// Runs with these arguments; returns whether everything succeeded.
fn obey(program: Program, arguments: &[String]) -> Result<bool, Failure> {
    let (mut files, rest) = defaults::first(arguments)?;
    if files.suffix.is_empty() {
        files.suffix = environment::own(defaults::SUFFIX).unwrap_or_default();
    }
    let home = std::env::home_dir();
    let folder = defaults::FOLDER.into_iter().find_map(environment::own).map(PathBuf::from);
    let mut from_files = defaults::read(&files, folder.as_deref(), home.as_deref())?;
    // MariaDB's programs do not have it.
    if files.login.is_some() || program.0 == "mysqlslap" {
        match defaults::read_login(&files, home.as_deref()) {
            Ok(words) => from_files.extend(words),
            Err(why) if files.login.is_some() => return Err(why),
            Err(why) if why.is_whole => return Err(why),
            Err(why) => program.write(&why.text),
        }
    }
    if files.print {
        let all: Vec<&str> = from_files.iter().chain(rest).map(String::as_str).collect();
        let shown = all.iter().map(|word| if word.starts_with("--password") { "--password=*****" } else { word });
        exit::print(&format!(
            "{} would have been started with the following arguments:\n{}",
            program.0,
            shown.collect::<Vec<_>>().join(" ")
        ));
        return Ok(true);
    }
    let mut args = ParsedArgs::new(&options::GRAMMAR);
    // MariaDB's has both names.
    args.programs = if program.0 == "mysqlslap" { &[options::MYSQL, options::MARIADB] } else { &[options::MARIADB] };
    // As in every program of MySQL, an option of a shared group that it does not know is an error.
    let in_files = from_files.iter().map(|word| (std::slice::from_ref(word), Source::File));
    let command_line = std::iter::once((rest, Source::CommandLine));
    let read = in_files.chain(command_line).try_for_each(|(words, source)| args.read(words, source));
    args.remarks.iter().for_each(|remark| exit::print_error(&remark.line(program.0)));
    read?;
    if args.on("help") {
        exit::print(&help::help(program.0));
        return Ok(true);
    }
    if args.on("version") {
        // In the form of the real one, which scripts take apart.
        let (version, os, arch) = (env!("CARGO_PKG_VERSION"), std::env::consts::OS, std::env::consts::ARCH);
        exit::print(&format!("{}  Ver 1.0 Distrib {version}-Tenbin, for {os} ({arch})", program.0));
        return Ok(true);
    }
    if args.number("verbose") > 0 {
        args.notes.iter().for_each(|note| program.write(note));
        for word in &args.words {
            program.write(&format!("{word:?} is no option and is passed over, as mysqlslap does"));
        }
    }
    for name in ["password", "password1"] {
        if args.text(name) == NO_VALUE && !args.on("only-print") {
            args.set(name, terminal::password()?);
        }
    }
    let settings = settings::resolve(&args)?;
    for line in settings::doubtful_load_type(&args).into_iter().chain(settings::behind_zero(&args)) {
        program.write(&line);
    }
    if settings.only_print {
        let message = |problem: Problem| failure::told(&settings.words.told(&failure::of_option(problem))).to_string();
        return only_print(&settings).map(|()| true).map_err(|p| message(p).into());
    }
    if args.on("auto-generate-sql") {
        run::stages(&settings, &["Building Create Statements for Auto", "Building Query Statements for Auto"]);
        match settings.load_type {
            "read" => run::stages(&settings, &["Generating SELECT Statements for Auto"]),
            "key" => run::stages(&settings, &["Generating SELECT for keys Statements for Auto"]),
            "write" => run::stages(&settings, &["Generating INSERT Statements for Auto"]),
            _ => {}
        }
    }
    Ok(run::run(&settings, program))
}

/// Prints the statements.
fn only_print(settings: &Settings) -> Result<(), Problem> {
    use std::io::Write;
    let mut out = std::io::BufWriter::new(std::io::stdout().lock());
    let mut engines = settings.engines.clone();
    if engines.is_empty() {
        engines.push(String::new());
    }
    for engine in &engines {
        let mut data = settings.data.clone();
        data.insert("engine".into(), engine.clone());
        for clients in parts::numbers(settings) {
            let mut say = |sql: &[u8]| exit::written(out.write_all(sql).and_then(|()| out.write_all(b";\n")));
            slap::only_print(&data, &settings.load, clients, settings.iterations, !settings.no_drop, &mut say)?;
            // Nothing was timed; mysqlslap has the line nevertheless.
            let line = CellBlock::begin(settings, engine, clients).csv();
            match &settings.csv {
                None => {}
                Some(None) => exit::written(writeln!(out, "{line}")),
                Some(Some(path)) => {
                    let written = run::appended(path).and_then(|mut file| writeln!(file, "{line}"));
                    written.map_err(|e| run::unwritable(path, &e))?;
                }
            }
        }
        if settings.makes && !settings.no_drop {
            exit::written(writeln!(out, "{};", slap::drop_statement(&data)?));
        }
    }
    exit::written(out.flush());
    Ok(())
}
