//! What is said of a command line that cannot be read: what is wrong with it, how the command is used, and the word that was meant, if that is
//! known. Similar spelling is not enough: `--duration` is not `--drain`.

mod example;
pub mod misplaced;
mod synonyms;

use crate::args::{Arguments, WrongValue};
use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Command, CommandFactory, Error, Parser};
use std::num::ParseIntError;
use std::process::ExitCode;
use tenbin_model::plan::PlanScale;
use tenbin_terminal::exit::{self, Exit};
use tenbin_terminal::language::{language, language_of_environment};
use tenbin_words::language::Language;
use tenbin_words::message::{Message, foreign};
use tenbin_words::msg;
use tenbin_words::nearest::nearly;
use tenbin_words::problem::Problem;
use tenbin_words::shell;
use tenbin_workload::DatasetEntry;
use tenbin_workloads::{find_dataset, find_workload};

/// Prints the help or the version that was asked for, or what is wrong; a wrong command line is an error of usage.
pub fn conclude(error: &Error, typed: &[String]) -> ExitCode {
    if !error.use_stderr() {
        exit::written(error.print());
        return exit::ended(Exit::Ok.into(), Exit::Errors);
    }
    exit::speak(language_of(typed));
    match problem(error, typed) {
        Some(problem) => exit::complain(&problem),
        None => _ = error.print(),
    }
    Exit::Usage.into()
}

/// The language of a command line that cannot be read as a whole.
fn language_of(typed: &[String]) -> Language {
    let behind = |(at, word): (usize, &String)| match word.strip_prefix("--lang") {
        Some("") => typed.get(at + 1).cloned(),
        Some(rest) => rest.strip_prefix('=').map(str::to_owned),
        None => None,
    };
    let name = typed.iter().enumerate().find_map(behind);
    language(name.as_deref()).ok().flatten().unwrap_or_else(language_of_environment)
}

/// The command that was typed: `tenbin plan check`, and its definition.
struct TypedCommand {
    path: Vec<String>,
    definition: Command,
}

impl TypedCommand {
    fn of(typed: &[String]) -> TypedCommand {
        let mut all = Arguments::command();
        all.build();
        let (mut path, mut definition) = (vec!["tenbin".to_owned()], all);
        for word in typed.iter().skip(1) {
            match definition.find_subcommand(word).cloned() {
                Some(subcommand) => {
                    path.push(subcommand.get_name().to_owned());
                    definition = subcommand;
                }
                None if word.starts_with('-') => continue,
                None => break,
            }
        }
        TypedCommand { path, definition }
    }

    fn name(&self) -> String {
        self.path.join(" ")
    }

    /// The long names of its options, with aliases.
    fn options(&self) -> Vec<String> {
        let names =
            self.definition.get_arguments().flat_map(|arg| arg.get_long_and_visible_aliases().unwrap_or_default());
        names.map(str::to_owned).collect()
    }

    /// How it is used, in one line.
    fn usage(&self) -> Message {
        let usage = self.definition.clone().bin_name(self.name()).render_usage().to_string();
        let line: Vec<&str> = usage.trim_start_matches("Usage:").split_whitespace().collect();
        msg!("usage-is", usage = foreign(line.join(" ")))
    }

    /// An option with the value that was typed after another one, if it takes one: `--time 5s`.
    fn with_value(&self, name: &str, typed: &[&str]) -> String {
        let takes = |arg: &clap::Arg| arg.get_long_and_visible_aliases().is_some_and(|all| all.contains(&name));
        let takes_value =
            self.definition.get_arguments().find(|arg| takes(arg)).is_some_and(|arg| arg.get_action().takes_values());
        let behind = typed.first().and_then(|word| word.split_once('=')).map(|(_, value)| value);
        let value = behind.or_else(|| typed.get(1).copied().filter(|next| !next.starts_with('-')));
        match value.filter(|_| takes_value) {
            Some(value) => format!("--{name} {}", shell::word(&tenbin_model::dsn::redact(value))),
            None => format!("--{name}"),
        }
    }

    /// An option, as it is shown in errors, with a value that it takes.
    fn example_of(&self, option: &str) -> Option<Message> {
        let option = self.definition.get_arguments().find(|arg| arg.to_string() == option)?;
        Some(msg!("usage-write-option", option = example::with_value(&self.definition, option)?))
    }

    /// The option that has this word among its values: `--on mariadb`.
    fn option_of_value(&self, word: &str) -> Option<String> {
        let takes = |arg: &clap::Arg| arg.get_possible_values().iter().any(|value| value.matches(word, true));
        let name = self.definition.get_arguments().find_map(|arg| arg.get_long().filter(|_| takes(arg)))?;
        Some(format!("--{name} {word}"))
    }

    fn help(&self) -> Message {
        msg!("usage-see-help", command = self.name())
    }
}

/// The part that `--scale 10%` means, or else an example.
fn part_meant(argument: &str, value: &str) -> Option<Message> {
    let name = argument.strip_suffix(" <PART>")?;
    let percent = value.strip_suffix('%').and_then(|percent| percent.trim().parse::<f64>().ok());
    let part = percent.map(|percent| (percent * 1e6).round() / 1e8);
    let part = part.filter(|part| PlanScale::parse(&part.to_string()).is_ok()).unwrap_or(0.001);
    Some(msg!("usage-write-option", option = format_args!("{name} {part}")))
}

/// What is wrong, in our words; `None` for what is said in clap's.
fn problem(error: &Error, typed: &[String]) -> Option<Problem> {
    let command = TypedCommand::of(typed);
    let text = |kind| match error.get(kind) {
        Some(ContextValue::String(text)) => Some(text.clone()),
        Some(ContextValue::Strings(all)) => Some(all.join(", ")),
        _ => None,
    };
    let argument = text(ContextKind::InvalidArg);
    let (what, hint) = match error.kind() {
        ErrorKind::UnknownArgument if command_behind_options(typed).is_some() => {
            // It is an option of the command that follows it.
            let what = msg!("usage-option-unknown", command = "tenbin", option = quoted(&argument?));
            let evidence = TypedCommand::of(&typed[..1]).usage();
            return Some(Problem::new(what).evidence(evidence).hint(foreign(command_behind_options(typed)?)));
        }
        ErrorKind::UnknownArgument => {
            let word = argument?;
            let (name, is_option) = (command.name(), word.starts_with('-'));
            let what = match is_option {
                true => msg!("usage-option-unknown", command = &name, option = quoted(&word)),
                false => msg!("usage-argument-too-many", command = &name, argument = quoted(&word)),
            };
            let hint = match name.as_str() {
                _ if is_option => option_meant(&command, &word, typed),
                "tenbin check" | "tenbin doctor" => foreign(format_args!("{name} DSN")),
                _ => match (command.option_of_value(&word), example::without(&word, typed)) {
                    (Some(option), _) => msg!("usage-write-option", option),
                    (None, Some(right)) => foreign(right),
                    (None, None) => command.help(),
                },
            };
            (what, hint)
        }
        ErrorKind::InvalidSubcommand => {
            let word = text(ContextKind::InvalidSubcommand)?;
            let what = msg!("usage-command-unknown", command = command.name(), word = quoted(&word));
            (what, command_meant(&command, &word))
        }
        ErrorKind::MissingRequiredArgument | ErrorKind::TooFewValues | ErrorKind::WrongNumberOfValues => {
            let (argument, name) = (argument?, command.name());
            let example = || example::of(&command.definition).map(foreign);
            let (arguments, hint) = match example::completed(&command.definition, typed) {
                Some((missing, right)) => (missing.to_owned(), foreign(right)),
                None => {
                    let hint = command.example_of(&argument).or_else(example).unwrap_or_else(|| command.help());
                    (argument, hint)
                }
            };
            (msg!("usage-argument-missing", command = name, arguments), hint)
        }
        ErrorKind::InvalidValue | ErrorKind::ValueValidation => {
            let (argument, value) = (argument?, text(ContextKind::InvalidValue)?);
            let why = std::error::Error::source(error).map(|why| match why.downcast_ref::<WrongValue>() {
                Some(WrongValue(why)) => why.clone(),
                // What the standard library says of a number is English.
                None if why.is::<ParseIntError>() => msg!("not-a-whole-number"),
                None => foreign(why),
            });
            let what = match value.is_empty() {
                true => msg!("usage-value-missing", argument = &argument),
                false => msg!("usage-value-wrong", argument = &argument, value = quoted(&value)),
            };
            let words = text(ContextKind::ValidValue).filter(|words| !words.is_empty());
            let meant =
                words.as_ref().and_then(|words| nearly(&value.to_lowercase(), words.split(", ")).map(str::to_owned));
            let hint = match (meant, words) {
                (Some(meant), _) => msg!("write-it", near = meant),
                (None, Some(names)) => msg!("use-one-of-all", names),
                (None, None) => part_meant(&argument, &value)
                    .or_else(|| command.example_of(&argument))
                    .unwrap_or_else(|| command.help()),
            };
            let problem = Problem::new(what).hint(hint);
            return Some(match why {
                Some(why) => problem.evidence(why),
                None => problem,
            });
        }
        ErrorKind::ArgumentConflict => match text(ContextKind::PriorArg) {
            Some(prior) if argument.as_ref() != Some(&prior) => {
                (msg!("usage-conflict", argument = argument?, prior), command.help())
            }
            _ => (msg!("usage-given-twice", argument = argument?), command.help()),
        },
        _ => return None,
    };
    Some(Problem::new(what).evidence(command.usage()).hint(hint))
}

/// The command line with the options that stand before the command behind it, if it can be read then.
fn command_behind_options(typed: &[String]) -> Option<String> {
    let words: Vec<&str> = typed.iter().skip(1).map(String::as_str).collect();
    if !words.first()?.starts_with('-') {
        return None;
    }
    let all = Arguments::command();
    let at = words.iter().position(|word| all.find_subcommand(word).is_some())?;
    let ordered = [&words[at..], &words[..at]].concat();
    let whole = std::iter::once("tenbin").chain(ordered.iter().copied());
    Arguments::try_parse_from(whole).is_ok().then(|| misplaced::shown(&ordered))
}

fn quoted(word: &str) -> Message {
    foreign(format_args!("{:?}", tenbin_model::dsn::redact(word)))
}

/// The option that was meant by one that the command does not have.
fn option_meant(command: &TypedCommand, word: &str, typed: &[String]) -> Message {
    let word = word.split('=').next().unwrap_or(word);
    let name = word.trim_start_matches('-').replace('_', "-");
    // The case of a letter tells options of other tools apart: pgbench's -t and -T.
    let name = if name.len() > 1 { name.to_lowercase() } else { name };
    let options = command.options();
    let own = |name: &str| options.iter().any(|option| option == name);
    if own(&name) {
        return msg!("usage-write-option", option = format_args!("--{name}"));
    }
    // `--csv` for `--format csv`.
    let format = command.definition.get_arguments().find(|arg| arg.get_long() == Some("format"));
    let forms = format.map(clap::Arg::get_possible_values).unwrap_or_default();
    if forms.iter().any(|form| form.matches(&name, true)) {
        return msg!("usage-write-option", option = format_args!("--format {name}"));
    }
    let values: Vec<&str> = typed.iter().skip_while(|typed| !typed.starts_with(word)).map(String::as_str).collect();
    if let Some(hint) = option_of_workload(&name, &values, typed) {
        return hint;
    }
    if let Some(hint) = synonyms::instead(&command.path, &name, &values) {
        return hint;
    }
    let meant = synonyms::options(&name).find(|name| own(name)).map(str::to_owned);
    let near = || nearly(&name, options.iter().map(String::as_str)).map(str::to_owned);
    match meant.or_else(near) {
        Some(name) => msg!("usage-write-option", option = command.with_value(&name, &values)),
        None => command.help(),
    }
}

/// `-o warehouses=10` for `--warehouses 10`, if the workload that was typed or its data set has this option.
fn option_of_workload(name: &str, values: &[&str], typed: &[String]) -> Option<Message> {
    let entry = typed.iter().skip(2).find_map(|word| find_workload(word).ok())?;
    let dataset = find_dataset(entry.dataset).map(DatasetEntry::rows).unwrap_or_default();
    let name = name.replace('-', "_");
    entry.rows().iter().chain(&dataset).find(|row| row.name == name)?;
    let value = values.first()?.split_once('=').map(|(_, value)| value).or(values.get(1).copied()).unwrap_or("…");
    Some(msg!("usage-write-option", option = format_args!("-o {name}={}", shell::word(value))))
}

/// The command that was meant by a word.
fn command_meant(command: &TypedCommand, word: &str) -> Message {
    let file = || shell::word(word);
    if command.path.len() == 1 && word.ends_with(".toml") {
        return foreign(format_args!("tenbin run {}", file()));
    }
    if command.path == ["tenbin", "plan"] && (word.ends_with(".toml") || word.contains('/')) {
        return foreign(format_args!("tenbin plan check {}", file()));
    }
    if let Some(meant) = synonyms::command(&command.path, word) {
        return foreign(meant);
    }
    let names = command.definition.get_subcommands().filter(|c| !c.is_hide_set()).map(Command::get_name);
    match nearly(word, names) {
        Some(near) => foreign(format_args!("{} {near}", command.name())),
        None => command.help(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(line: &str) -> String {
        let typed: Vec<String> = line.split(' ').map(str::to_owned).collect();
        let error = Arguments::try_parse_from(&typed).expect_err("this command line should be refused");
        let problem = problem(&error, &typed).unwrap_or_else(|| panic!("{line}: {error}"));
        let hint = problem.hint.map(|hint| hint.english().to_owned()).unwrap_or_default();
        format!("{line}\n  {}\n  {hint}\n", problem.what.english())
    }

    #[test]
    fn the_word_that_was_meant_is_named_and_no_other() {
        let lines = [
            "tenbin bench oltp_insert mysql://h/ --duration 5s",
            "tenbin bench oltp_insert mysql://h/ --concurrency=4",
            "tenbin bench oltp_insert mysql://h/ --qps 100",
            "tenbin bench oltp_insert mysql://h/ --host db",
            "tenbin bench oltp_insert mysql://h/ --password x",
            "tenbin bench oltp_insert mysql://h/ --rows 100",
            "tenbin bench oltp_insert mysql://h/ --wramup 5s",
            "tenbin bench oltp_insert mysql://h/ --frobnicate",
            "tenbin bench tpcc mysql://h/ --warehouses 10",
            "tenbin load oltp_insert mysql://h/ --create_secondary=off",
            "tenbin bench oltp_insert mysql://h/ --durration 5s",
            "tenbin run --plan plan.toml",
            "tenbin run plan.toml --dry-run",
            "tenbin run plan.toml --output x",
            "tenbin show runs/x --csv",
            "tenbin report runs/x --csv",
            "tenbin report runs/x --output x.html",
            "tenbin gate a b --threshold 5",
            "tenbin compare a b --langauge ja",
            "tenbin validate plan.toml",
            "tenbin plan.toml",
            "tenbin --lang ja run plan.toml",
            "tenbin --json show runs/x",
            "tenbin --frobnicate run plan.toml",
            "tenbin plan plan.toml",
            "tenbin benchmark",
            "tenbin data rm x",
            "tenbin quux",
            "tenbin check oltp_insert mysql://h/",
            "tenbin compare a",
            "tenbin demo --on mariadbb",
            "tenbin demo --on oracle",
            "tenbin demo mariadb",
            "tenbin bench",
            "tenbin bench cpu",
            "tenbin bench oltp_insert --threads 4",
            "tenbin bench mysql://h/ --threads 4",
            "tenbin bench oltp_insert mysql://h/ run",
            "tenbin bench oltp_insert prepare mysql://h/",
            "tenbin bench oltp_insert mysql://h/ cleanup",
            "tenbin bench oltp_insert mysql://h/ --threads 4 8",
            "tenbin bench oltp_insert mysql://h/ -c 4 -T 60",
            "tenbin bench oltp_insert mysql://h/ --threads",
            "tenbin bench oltp_insert mysql://h/ --time 5sec",
            "tenbin bench oltp_insert mysql://h/ --seed x",
            "tenbin gate a b --max-regression",
            "tenbin run plan.toml --scale 10%",
            "tenbin plan check plan.toml --scale 0.7%",
            "tenbin plan check plan.toml --scale 50",
            "tenbin run plan.toml --redo",
            "tenbin run plan check plan.toml",
            "tenbin run a.toml b.toml",
            "tenbin run -c 4 plan.toml",
            "tenbin run -c plan.toml",
            "tenbin -v",
            "tenbin version",
        ];
        insta::assert_snapshot!(lines.map(told).concat());
    }

    #[test]
    fn why_a_value_is_wrong_is_in_the_language_of_the_command_line() {
        for line in ["tenbin bench oltp_insert mysql://h/ --time 5sec", "tenbin bench oltp_insert mysql://h/ --seed x"]
        {
            let typed: Vec<String> = line.split(' ').map(str::to_owned).collect();
            let error = Arguments::try_parse_from(&typed).expect_err("this value should be refused");
            let evidence = problem(&error, &typed).and_then(|problem| problem.evidence).unwrap_or_default();
            assert_ne!(evidence.text(Language::Japanese), evidence.english(), "{line}");
        }
    }

    #[test]
    fn every_command_that_shows_a_run_takes_json() {
        const OF_RUNS: [&str; 14] = [
            "demo", "run", "bench", "report", "show", "compare", "gate", "history", "list", "label", "verify",
            "bundle", "audit", "diff",
        ];
        const OF_NONE: [&str; 12] = [
            "plan",
            "hosts",
            "doctor",
            "restore-settings",
            "sandbox",
            "data",
            "load",
            "check",
            "completions",
            "man",
            "names",
            "load-host",
        ];
        let all = Arguments::command();
        for command in all.get_subcommands() {
            let takes = command.get_arguments().any(|argument| argument.get_long() == Some("json"));
            let name = command.get_name();
            assert!(OF_NONE.contains(&name) || (OF_RUNS.contains(&name) && takes), "{name}");
        }
        for name in OF_RUNS {
            assert!(all.find_subcommand(name).is_some(), "{name}");
        }
    }

    #[test]
    fn every_synonym_is_of_something_that_there_is() {
        let mut all = Arguments::command();
        all.build();
        let mut options: Vec<String> = Vec::new();
        let mut names: Vec<String> = Vec::new();
        let mut left = vec![(String::new(), all)];
        while let Some((path, command)) = left.pop() {
            options.extend(
                command
                    .get_arguments()
                    .flat_map(|a| a.get_long_and_visible_aliases().unwrap_or_default())
                    .map(str::to_owned),
            );
            left.extend(command.get_subcommands().map(|c| (format!("{path} {}", c.get_name()), c.clone())));
            names.push(path.trim().to_owned());
        }
        for (theirs, ours) in synonyms::OPTIONS {
            assert!(
                !ours.is_empty() && ours.iter().all(|name| options.iter().any(|o| o == name)),
                "{theirs}: {ours:?}"
            );
        }
        for (theirs, ours) in synonyms::COMMANDS {
            let words = ours.trim_start_matches("tenbin ");
            assert!(names.iter().any(|name| words.starts_with(name.as_str()) && !name.is_empty()), "{theirs}: {ours}");
            assert!(!names.iter().any(|name| name == theirs), "{theirs} is a command");
        }
    }
}
