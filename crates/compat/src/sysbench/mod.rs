//! `sysbench`: the command line, reports and exit codes of sysbench 1.0, and command lines of 0.4 and 0.5.
//!
//! | | |
//! |---|---|
//! | parsing | [`arguments`]: command line and file; [`options`], [`options_old`]: every option as a [`mod@row`] |
//! | resolving | [`settings`]: the general options; [`mod@test`]: which test; [`database`]: the address; [`plan`] |
//! | running | [`run`], with [`printer`] listening; [`prepare`] |
//! | output | [`text`]: reports; [`messages`], [`failure`]; [`help`] |

mod arguments;
mod buckets;
mod database;
mod failure;
mod help;
mod host;
mod messages;
mod old;
mod option_names;
pub mod options;
mod options_old;
mod plan;
mod prepare;
mod printer;
pub mod row;
mod run;
mod script;
mod settings;
mod test;
mod text;

use super::option::{OptionSpec, SupportLevel, ValueType, canonical};
use super::parsed_args::{ParsedArgs, UnknownOption};
use arguments::command;
use settings::Settings;
use std::collections::{BTreeMap, BTreeSet};
use std::process::ExitCode;
use tenbin_terminal::exit;
use tenbin_workload::WorkloadEntry;
use test::Test;
use text::ReportForm;

/// The version whose options, defaults and reports these are.
const VERSION: &str = "1.0.20";

/// Options of a workload or data set, by name with `_`.
type Options = BTreeMap<String, String>;

/// The exit code of the process.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Code {
    Done = 0,
    Failed = 1,
    /// Events in progress did not end within the time of --forced-shutdown.
    Forced = 2,
    /// By a signal, whose exit code it has; the report was printed nevertheless.
    Interrupted = 130,
}

/// Why nothing was run, and where sysbench prints it.
enum End {
    /// Standard error, unchanged.
    Usage(String),
    /// Standard output, after `FATAL: `.
    Fatal(String),
    /// Standard output, unchanged.
    Plain(String),
}

/// Runs with these arguments.
pub fn main(arguments: Vec<String>) -> ExitCode {
    let code = match obey(&arguments) {
        Ok(code) => code,
        Err(End::Usage(line)) => {
            usage(&line);
            Code::Failed
        }
        Err(End::Fatal(line)) => {
            messages::complain(&line);
            Code::Failed
        }
        Err(End::Plain(line)) => {
            exit::print(&line);
            Code::Failed
        }
    };
    messages::finish();
    ExitCode::from(match code {
        Code::Interrupted => tenbin_terminal::signals::exit_code(),
        code => code as u8,
    })
}

fn obey(arguments: &[String]) -> Result<Code, End> {
    for _ in 0..arguments::names_of_test(arguments).0 {
        // The text that scripts expect.
        usage(
            "WARNING: the --test option is deprecated. You can pass a script name or path on the command line without any options.",
        );
    }
    let mut args = arguments::parse(arguments, configuration).map_err(End::Usage)?;
    if args.on("help") {
        exit::print(&help::general());
        return Ok(Code::Done);
    }
    leave_to_script(&mut args);
    arguments::checked_first(&args).map_err(End::Usage)?;
    let form = settings::form(&args).map_err(End::Fatal)?;
    if form == ReportForm::V11 {
        args.set_default("rand-type", "uniform");
    }
    args.typed.retain(|word| !canonical(word).starts_with("--tenbin-form"));
    if args.on("version") {
        // Scripts parse this line, so it has sysbench's format only.
        exit::print(&format!("sysbench {}", form.version()));
        if !crate::kept::quiet() && crate::kept::to_a_person() {
            usage(&format!("tenbin: this is Tenbin {} under the name sysbench", env!("CARGO_PKG_VERSION")));
        }
        return Ok(Code::Done);
    }
    name_from_option(&mut args);
    let old = old::translate(&mut args).map_err(End::Fatal)?;
    let verbosity = args.int("verbosity");
    if !(0..=5).contains(&verbosity) {
        return Err(End::Plain(format!("Invalid value for verbosity: {}", verbosity as u8)));
    }
    let settings = settings::resolve(&args).map_err(End::Fatal)?;
    settings::take_old_names(&mut args);
    for warning in &settings.warnings {
        // Printed regardless of the verbosity, as in sysbench.
        exit::print(&format!("WARNING: {warning}"));
    }
    messages::print(settings.verbosity, messages::NOTICE, &format!("{}\n", text::banner(form)));
    let name = arguments::test(&args);
    let by_machine = || matches!(test::find(name), Some(Test::Native(entry)) if host::is(entry));
    if let Some(line) = arguments::wrong(&args, !args.wrong.is_empty() && by_machine()) {
        return Err(End::Usage(line.to_owned()));
    }
    if let Some(mut old) = old {
        if let (ReportForm::V04, Some(other)) = (old.form, args.unknown.iter().find(|o| !o.from_file)) {
            // The scripts of 0.5 accepted any option; 0.4 did not.
            return Err(End::Usage(format!("invalid option: --{}", other.text)));
        }
        let command = match command(&args).unwrap_or_default() {
            // A script of 0.5 whose events create the tables.
            "run" if old.prepares => "prepare",
            command => command,
        };
        if old.form != ReportForm::V04 && old.leave_engine_alone() && command == "prepare" {
            return script::obey_command(&args, &settings, (OF_05, OF_05, script::Modules::Ours), Some(command));
        }
        let (data, load) = plan::split(old.entry, &old.options, &settings, &args);
        if command == "help" {
            exit::print(&help::of_test(old.entry.name, &test::rows_of_old()));
            return Ok(Code::Done);
        }
        return do_command(command, &args, &settings, old.entry, old.form, data, load);
    }
    match test::find(name) {
        Some(Test::Native(entry)) => native(&args, &settings, entry),
        Some(Test::Script(path)) => {
            let typed = name.unwrap_or_default();
            script::obey(&args, &settings, typed, &path.to_string_lossy(), script::Modules::Found)
        }
        Some(Test::Stdin) => script::obey(&args, &settings, "-", "-", script::Modules::Found),
        None => Err(End::Fatal(format!(
            "Cannot find benchmark '{}': no such built-in test, file or module",
            name.unwrap_or_default()
        ))),
    }
}

/// Leaves options that only 1.1 has to a script of 1.0 that declares options of these names. That it does is known only when its body has run.
fn leave_to_script(args: &mut ParsedArgs) {
    let wrong = args.wrong.iter().map(|(row, _)| row.name);
    let named = args.all().map(|(name, _)| name).filter(|name| args.has(name));
    let unknown = args.unknown.iter().map(|option| option.name.as_str());
    let of_1_1: BTreeSet<String> =
        wrong.chain(named).chain(unknown).filter(|name| settings::is_of_1_1(name)).map(str::to_owned).collect();
    let mut words = args.words.iter().map(String::as_str);
    let name = args.given("test").filter(|name| !name.is_empty()).or_else(|| words.next());
    if of_1_1.is_empty() || args.on("version") || name.is_none() {
        return;
    }
    let Some(Test::Script(path)) = test::find(name) else { return };
    let declared = tenbin_script::declared_by(&path.to_string_lossy(), words.next(), &args.typed);
    let Some((declared, loads_oltp_common)) = declared else { return };
    for name in of_1_1.iter().filter(|name| declared.contains(&name.replace('-', "_"))) {
        // Those of the tables of 1.1 are declared by the script that 1.1 has for all of them.
        let is_of_tables = options::OLTP.iter().any(|row| row.name == *name);
        if !(is_of_tables && loads_oltp_common) {
            args.leave_to_test(name);
        }
    }
}

/// The text of a configuration file. As in sysbench one that cannot be opened is none.
fn configuration(path: &str) -> Result<String, String> {
    use std::io::ErrorKind::{InvalidData, InvalidInput, IsADirectory, Other};
    match tenbin_intake::named_text(std::path::Path::new(path), tenbin_intake::SMALL) {
        Err(e) if matches!(e.kind(), InvalidData | InvalidInput | Other) => Err(e.to_string()),
        Err(e) if e.kind() == IsADirectory => Ok(String::new()),
        Err(e) => {
            usage(&format!("{path}: {}", crate::environment::plain(&e.to_string())));
            Ok(String::new())
        }
        Ok(text) => Ok(text),
    }
}

/// `--test=X run`: the name is in an option and the first word is the command. An empty one names nothing.
fn name_from_option(args: &mut ParsedArgs) {
    let Some(name) = args.given("test").filter(|name| !name.is_empty()).map(str::to_owned) else { return };
    match args.words.len() {
        0 | 1 => args.words.insert(0, name),
        _ => args.words[0] = name,
    }
}

/// A native test's command.
fn native(args: &ParsedArgs, settings: &Settings, entry: &'static WorkloadEntry) -> Result<Code, End> {
    let extended =
        |o: &UnknownOption| o.name == "create-table-options" && o.value.as_deref().is_some_and(|v| !v.is_empty());
    if command(args) == Some("prepare") && args.unknown.iter().any(extended) {
        // Tables of another definition than those of the native loader; an installed script of 1.0 does not know the option.
        return script::obey(args, settings, entry.name, entry.name, script::Modules::Ours);
    }
    let rows = test::rows(entry);
    // As a script of 1.0 that declares none.
    let takes_any_option = entry.name == "bulk_insert" && settings.form != ReportForm::V11;
    let Some(command) = command(args) else {
        if entry.name == "bulk_insert" {
            // Of a script without a command only the body is executed.
            return Ok(Code::Done);
        }
        if entry.dataset == "sysbench" {
            let line = "Command is required. Supported commands: prepare, prewarm, run, cleanup, help";
            return Err(End::Fatal(line.to_owned()));
        }
        let line = format!("The '{0}' test requires a command argument. See 'sysbench {0} help'", entry.name);
        return Err(End::Usage(line));
    };
    let of_other = |name: &str| name.starts_with("oltp-") && args.has_here(name) && !takes_any_option;
    if let Some((name, value)) = args.all().find(|(name, _)| of_other(name)) {
        // These options belong to a test of 0.4 or a script of 0.5.
        return Err(End::Usage(format!("invalid option: --{name}={value}")));
    }
    let mut given = given(args, &rows, takes_any_option)?;
    if !host::is(entry) {
        say_what_nothing_reads(args, settings, |name| rows.iter().any(|row| canonical(row.name) == name));
    }
    if command == "run"
        && let Some(size) = given.get_mut("table_size").filter(|size| *size == "0")
    {
        // Of no rows each number that is drawn is 1.
        *size = "1".to_owned();
    }
    let has_more = |engine: &&mut String| engine_of(engine).len() < engine.len();
    if let Some(engine) = given.get_mut("mysql_storage_engine").filter(has_more) {
        if command == "prepare" {
            // Options of tables behind the engine's name: such tables are of another definition, too.
            return script::obey(args, settings, entry.name, entry.name, script::Modules::Ours);
        }
        *engine = engine_of(engine).to_owned();
    }
    let (data, load) = plan::split(entry, &given, settings, args);
    if command == "help" && !rows.is_empty() {
        exit::print(&help::of_test(entry.name, &rows));
        return Ok(Code::Done);
    }
    do_command(command, args, settings, entry, settings.form, data, load)
}

/// Executes a native test's command: `data` are the options of its tables, `load` those of its clients.
fn do_command(
    command: &str,
    args: &ParsedArgs,
    settings: &Settings,
    entry: &'static WorkloadEntry,
    form: ReportForm,
    data: Options,
    load: Options,
) -> Result<Code, End> {
    let host = host::is(entry);
    let done = match command {
        "run" if entry.name == "fileio" && !load.contains_key("file_test_mode") => {
            host::check_files(settings, &data).map_err(End::Fatal)?;
            let options = help::of_test(entry.name, &test::rows(entry));
            return Err(End::Fatal(format!("Missing required argument: --file-test-mode\n\n{options}")));
        }
        "run" => {
            if host {
                host::check(settings, entry, &load, &args.unknown).map_err(End::Fatal)?;
            }
            if load.get("file_test_mode").is_some_and(|mode| mode == "seqwr") {
                host::make_way(settings, &data).map_err(End::Fatal)?;
            }
            let load = plan::TestRun { name: entry.name.to_owned(), sql: Some(!host), options: load, workload: None };
            let address = if host { Ok(host::address()) } else { database::address(args, &settings.words) };
            match address {
                Ok(address) => run::run(args, settings, form, &address, &load, None),
                Err(why) => Err(run::without_address(settings, &load, &why)),
            }
        }
        "prepare" | "cleanup" if entry.name == "fileio" => {
            host::check_flags(&load).map_err(End::Fatal)?;
            host::files(command, settings, &data, &load)
        }
        "prepare" | "prewarm" | "warmup" | "cleanup" if data.get("tables").is_some_and(|n| n == "0") => Ok(Code::Done),
        "prepare" if !host => prepare::prepare(args, settings, entry, &data),
        // The script bulk_insert does not have it.
        "prewarm" | "warmup" if !host && entry.name != "bulk_insert" => prepare::prewarm(args, settings, entry, &data),
        "cleanup" if !host => prepare::cleanup(args, settings, entry, &data),
        "prepare" | "cleanup" | "help" => {
            return Err(End::Usage(format!("'{}' test does not implement the '{command}' command.", entry.name)));
        }
        _ => return Err(End::Usage(format!("Unknown command: {command}"))),
    };
    done.map_err(End::Fatal)
}

/// The test's own options by name with `_`, checked; `any`: others are passed over.
fn given(args: &ParsedArgs, rows: &[OptionSpec], any: bool) -> Result<Options, End> {
    let mut given = Options::new();
    for other in &args.unknown {
        let row = rows.iter().find(|r| canonical(r.name) == other.name);
        let invalid = || End::Usage(format!("invalid option: --{}", other.text));
        let Some(row) = row else {
            if other.from_file || any {
                continue;
            }
            return Err(invalid());
        };
        let mut checked =
            options::GRAMMAR.checked_from(row, whole(row, other.value.as_deref()).as_deref(), !other.from_file);
        if checked.is_err() && row.takes == ValueType::Size && row.name.starts_with("file") {
            // As strtoull(3) reads it; it is refused as such.
            checked = Ok("0".to_owned());
        }
        if row.name == "memory_total_size" && is_no_limit(other.value.as_deref().unwrap_or_default()) {
            checked = Ok("0".to_owned());
        }
        let value = checked.map_err(|wrong| match row.takes {
            // In sysbench sizes are checked by the test itself, which logs the error.
            ValueType::Size => {
                End::Fatal(format!("Invalid value for {}: {}", other.name, other.value.as_deref().unwrap_or_default()))
            }
            // As it was typed.
            takes if takes.is_switch() => invalid(),
            _ => End::Usage(wrong.text),
        })?;
        say_what_was_read(row, other, &value);
        // An empty pattern is none.
        let is_given = row.name != "file_test_mode" || !value.is_empty();
        if row.support == SupportLevel::Full && is_given {
            given.insert(row.name.replace('-', "_"), value);
        }
    }
    Ok(given)
}

/// Says which options of a file the test does not have, as sysbench does of scripts.
pub fn say_what_nothing_reads(args: &ParsedArgs, settings: &Settings, is_known: impl Fn(&str) -> bool) {
    unread(args, is_known).iter().for_each(|line| messages::print(settings.verbosity, messages::WARNING, line));
}

fn unread(args: &ParsedArgs, is_known: impl Fn(&str) -> bool) -> Vec<String> {
    let others = args.unknown.iter().filter(|option| option.from_file && !is_known(&option.name));
    let name = |option: &UnknownOption| option.text.split('=').next().unwrap_or_default().to_owned();
    let line = |name| format!("WARNING: Global option '{name}' will not be exported, because the type is unknown");
    others.map(name).map(line).collect()
}

/// Options of scripts are Lua numbers, read as strtod(3) does: blanks around them do not matter, 1e6 and 0x10 are integers too, and what has no
/// number at its start, or is empty, is 0. Of a fraction loops run its whole part, and a number below 0 means no repetition.
fn whole(row: &OptionSpec, value: Option<&str>) -> Option<String> {
    if !matches!(row.takes, ValueType::Int | ValueType::Number(..)) {
        return value.map(str::to_owned);
    }
    let value = value.unwrap_or_default();
    let number = tenbin_script::leading_number(value);
    if options::OLTP.iter().any(|r| r.name == row.name) {
        return Some(if number.is_finite() { format!("{:.0}", number.max(0.0).trunc()) } else { value.to_owned() });
    }
    let is_whole = is_number(value) && number.is_finite() && number.fract() == 0.0;
    Some(if is_whole { format!("{number:.0}") } else { value.to_owned() })
}

/// Whether a size of which 0 is no limit is none: nothing, as from an unset variable of a shell, or a number below 0.
fn is_no_limit(size: &str) -> bool {
    size.is_empty() || size.parse::<i64>().is_ok_and(|number| number < 0)
}

/// Whether all of a text is a number.
fn is_number(text: &str) -> bool {
    let text = text.trim();
    let hexadecimal = text.strip_prefix("0x").or_else(|| text.strip_prefix("0X"));
    hexadecimal.map_or(text.parse::<f64>().is_ok(), |digits| u32::from_str_radix(digits, 16).is_ok())
}

/// Says on standard error which number was read of a text with more in it, such as a size with letters: sysbench takes it without a word.
fn say_what_was_read(row: &OptionSpec, other: &UnknownOption, read: &str) {
    let typed = other.value.as_deref().unwrap_or_default();
    if matches!(row.takes, ValueType::Int | ValueType::Number(..)) && !typed.trim().is_empty() && !is_number(typed) {
        usage(&format!(
            "tenbin: --{} is taken for {read}, as by sysbench: only the number at the beginning counts",
            other.text
        ));
    }
}

/// The module with which the scripts of 0.5 create tables, with whatever options.
const OF_05: &str = "common";

/// The name of the engine, which sysbench's CREATE TABLE has with everything that follows it.
fn engine_of(text: &str) -> &str {
    let is_of_name = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let text = text.trim_start_matches(|c| !is_of_name(c));
    &text[..text.find(|c| !is_of_name(c)).unwrap_or(text.len())]
}

/// The seed of this run.
fn seed_of(settings: &Settings) -> u64 {
    let clock =
        || std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).map_or(1, |d| d.as_nanos() as u64);
    settings.seed.map_or_else(|| clock() & 0x7FFF_FFFF, |seed| u64::from(seed as u32))
}

fn usage(line: &str) {
    exit::print_error(line);
}

#[cfg(test)]
mod tests {
    use super::*;

    /// As sysbench 1.0.20 reads them.
    #[test]
    fn the_number_at_the_beginning_of_a_text_counts() {
        let row = |name: &str| options::OLTP.iter().find(|row| row.name == name).unwrap();
        for (text, number) in [
            ("1k", "1"),
            ("10", "10"),
            ("1e3", "1000"),
            ("0x10", "16"),
            ("2.9", "2"),
            ("", "0"),
            ("x", "0"),
            ("-1", "0"),
        ] {
            assert_eq!(whole(row("table-size"), Some(text)).as_deref(), Some(number), "{text}");
        }
        assert_eq!(whole(row("tables"), Some("1e400")).as_deref(), Some("1e400"), "it is refused");
        assert_eq!(["1k", "x", ""].map(is_number), [false; 3]);
        assert_eq!(["1e3", " 7 ", "0x10", "-3"].map(is_number), [true; 4]);
    }

    /// As sysbench 1.0.20, which transfers until the time is over.
    #[test]
    fn no_total_of_memory_is_no_limit() {
        let memory = tenbin_workloads::find_workload("memory").unwrap();
        let of = |option: &str| {
            let words = ["memory".to_owned(), option.to_owned(), "run".to_owned()];
            let args = arguments::parse(&words, |_| Err("no files".into())).unwrap();
            given(&args, &test::rows(memory), false).ok().map(|given| given["memory_total_size"].clone())
        };
        for option in ["--memory-total-size=", "--memory-total-size", "--memory_total_size=-1", "--memory-total-size=0"]
        {
            assert_eq!(of(option).as_deref(), Some("0"), "{option}");
        }
        assert_eq!(of("--memory-total-size=1M").as_deref(), Some("1048576"));
        for option in ["--memory-total-size=10X", "--memory-total-size=big"] {
            assert_eq!(of(option), None, "{option}: no limit is not what was meant");
        }
    }

    /// As sysbench 1.0.20 says it: `user` is not `mysql-user`.
    #[test]
    fn options_of_a_file_that_nothing_reads_are_told() {
        let words = ["x", "--config-file=f", "--foo=1", "run"].map(str::to_owned);
        let args = arguments::parse(&words, |_| Ok("user = a\ntable-size=5\nthreads=2\n".into())).unwrap();
        let line = "WARNING: Global option 'user' will not be exported, because the type is unknown";
        assert_eq!(unread(&args, |name| name == "table-size"), [line]);
    }

    #[test]
    fn options_of_tables_may_follow_the_engine() {
        assert_eq!(engine_of("innodb ROW_FORMAT=COMPRESSED KEY_BLOCK_SIZE=8"), "innodb");
        assert_eq!(["'Aria'", "rocksdb", "=x y"].map(engine_of), ["Aria", "rocksdb", "x"]);
        let engine = "--mysql-storage-engine=innodb ROW_FORMAT=COMPRESSED";
        for command in ["prepare", "prewarm", "cleanup"] {
            let words =
                ["oltp_read_only", "--mysql-dry-run", "--tables=1", "--table-size=5", "--verbosity=0", engine, command];
            assert!(matches!(obey(&words.map(str::to_owned)), Ok(Code::Done)), "{command}");
        }
        // As the scripts of 0.5 have them.
        for more in ["--mysql-table-engine=innodb ROW_FORMAT=COMPRESSED", "--mysql-table-options=ROW_FORMAT=COMPRESSED"]
        {
            let words = ["no/db/oltp.lua", "--mysql-dry-run", "--oltp-table-size=5", "--verbosity=0", more];
            for command in ["prepare", "cleanup"] {
                let words: Vec<String> = words.into_iter().chain([command]).map(str::to_owned).collect();
                assert!(matches!(obey(&words), Ok(Code::Done)), "{more} {command}");
            }
        }
    }
}
