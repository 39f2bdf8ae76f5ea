//! A command line that is right in the place of one that is not: an example of the help, with what was typed.

use super::misplaced::{self, Thing, misplaced};
use super::synonyms;
use crate::args::{Arguments, Command};
use crate::load_keys;
use clap::{Arg, CommandFactory, Parser};
use tenbin_model::dsn::redact;
use tenbin_words::shell;
use tenbin_workloads::find_workload;

/// The first example in the help of a command.
pub fn of(definition: &clap::Command) -> Option<String> {
    all(definition).into_iter().next()
}

fn all(definition: &clap::Command) -> Vec<String> {
    let help = definition.get_after_help().map(ToString::to_string).unwrap_or_default();
    let lines = help.lines().map(str::trim).filter(|line| line.starts_with("tenbin "));
    // What it does stands behind it.
    lines.map(|line| line.split("  ").next().unwrap_or(line).to_owned()).collect()
}

/// An option with a value that it takes: `--time 60s`.
pub fn with_value(definition: &clap::Command, option: &Arg) -> Option<String> {
    let name = format!("--{}", option.get_long()?);
    let of_key =
        || load_keys::all().find(|key| key.name == option.get_id().as_str()).map(|key| key.example.replace('"', ""));
    let shown = || all(definition).iter().find_map(|line| behind(line, &name));
    let default = || option.get_default_values().first().map(|value| value.to_string_lossy().into_owned());
    let described = || option.get_value_names()?.first()?.split('|').next().map(str::to_owned);
    let value = of_key().or_else(shown).or_else(default).or_else(described)?;
    Some(format!("{name} {value}"))
}

/// The value of an option in an example, with its quotes.
fn behind(line: &str, name: &str) -> Option<String> {
    let (_, rest) = line.split_once(&format!("{name} "))?;
    let end = match rest.strip_prefix('\'') {
        Some(quoted) => quoted.find('\'')? + 2,
        None => rest.find(' ').unwrap_or(rest.len()),
    };
    rest.get(..end).map(str::to_owned)
}

/// What `tenbin bench` and `tenbin load` lack of workload and address, and the command line with an example of it.
pub fn completed(definition: &clap::Command, typed: &[String]) -> Option<(&'static str, String)> {
    let example = of(definition)?;
    let [_, command @ ("bench" | "load"), workload, dsn, ..] = example.split(' ').collect::<Vec<_>>()[..] else {
        return None;
    };
    let mut words: Vec<&str> = typed.iter().skip(1).map(String::as_str).collect();
    let at = |thing| words.iter().position(|word| Thing::of(word) == thing);
    let missing = match (at(Thing::Workload), at(Thing::Address)) {
        (Some(at), None) => {
            let of_machine = find_workload(words[at]).is_ok_and(|entry| !entry.needs_database());
            words.insert(at + 1, if of_machine { "host:" } else { dsn });
            "<DSN>"
        }
        (None, Some(at)) => {
            words.insert(at, workload);
            "<WORKLOAD>"
        }
        _ => return None,
    };
    (words.first() == Some(&command)).then(|| parsed(&words)).flatten().map(|_| (missing, misplaced::shown(&words)))
}

/// The command line without a word of it that is too many, or names another command: `bench oltp_insert DSN run`, and
/// `bench oltp_insert prepare DSN`, which means `load`.
pub fn without(word: &str, typed: &[String]) -> Option<String> {
    let words: Vec<&str> = typed.iter().skip(1).map(String::as_str).collect();
    let root = ["tenbin".to_owned()];
    let definition = Arguments::command();
    let theirs = |word: &str| synonyms::command(&root, word);
    let is_command = |word: &str| theirs(word).is_some() || definition.find_subcommand(word).is_some();
    let commands = (0..words.len()).filter(|at| is_command(words[*at]));
    commands.chain(words.iter().position(|typed| *typed == word)).find_map(|at| {
        let rest: Vec<&str> = words.iter().enumerate().filter(|(i, _)| *i != at).map(|(_, word)| *word).collect();
        let command = parsed(&rest)?;
        let meant = theirs(words[at]).filter(|meant| meant.contains("WORKLOAD DSN"));
        Some(match (command, meant) {
            (
                Command::Bench(crate::args::Bench { what, .. }) | Command::Load(crate::args::LoadArgs { what, .. }),
                Some(meant),
            ) => {
                let both = [&what.workload, &what.dsn].map(|word| shell::word(&redact(word)));
                meant.replace("WORKLOAD DSN", &both.join(" "))
            }
            _ => misplaced::shown(&rest),
        })
    })
}

/// The command of words that can be read, and stand where they belong.
fn parsed(words: &[&str]) -> Option<Command> {
    let typed: Vec<String> = std::iter::once("tenbin").chain(words.iter().copied()).map(str::to_owned).collect();
    let command = Arguments::try_parse_from(&typed).ok()?.command;
    misplaced(&command, &typed).is_none().then_some(command)
}
