//! The keys of a plan's `[experiment.load]` as options of `tenbin bench`, generated from the plan's list of keys, so
//! that everything that a plan or a hint can name is available.

use clap::builder::PossibleValuesParser;
use clap::{Arg, ArgMatches, Args, Command, FromArgMatches};
use std::collections::BTreeMap;
use tenbin_model::plan::keys::{self, Key, KeyType, Table};
use tenbin_model::plan::quoted;
use tenbin_words::units;

/// The arguments by the key's name in a plan.
#[derive(Debug, Clone, Default)]
pub struct LoadKeys(pub BTreeMap<&'static str, String>);

/// Keys that are given otherwise, the workload as the first argument, or in a plan only.
const ELSEWHERE: &[&str] = &["kind", "workload", "group", "options"];

/// The keys in the plan's order.
pub fn all() -> impl Iterator<Item = &'static Key> {
    keys::of(Table::Load).filter(|key| !ELSEWHERE.contains(&key.name))
}

impl LoadKeys {
    /// The corresponding lines of a plan.
    pub fn lines(&self) -> String {
        let line = |key: &Key| Some(format!("{} = {}\n", key.name, literal(key, self.0.get(key.name)?)));
        all().filter_map(line).collect()
    }
}

/// A value in the form of the key: a number if it takes one, otherwise a text.
fn literal(key: &Key, typed: &str) -> String {
    let plain = typed.replace('_', "");
    let takes_number = key.takes.is_number();
    // `10k` and `1e6` are what they are for `--table-size` too; `16,128` may be a list.
    let is_written_so = takes_number && plain.parse::<u64>().is_err() && !typed.contains(',');
    if let Some(count) = units::count(typed).filter(|_| is_written_so) {
        return count.to_string();
    }
    let number = takes_number && plain.parse::<f64>().is_ok_and(f64::is_finite);
    if number && plain.parse::<toml::Value>().is_ok() { plain } else { quoted(typed) }
}

impl FromArgMatches for LoadKeys {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let typed = |key: &'static Key| Some((key.name, matches.get_one::<String>(key.name)?.clone()));
        Ok(LoadKeys(all().filter_map(typed).collect()))
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        self.0.extend(Self::from_arg_matches(matches)?.0);
        Ok(())
    }
}

impl Args for LoadKeys {
    fn augment_args(command: Command) -> Command {
        all().fold(command, |command, key| command.arg(option(key)))
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

fn option(key: &'static Key) -> Arg {
    let names = || std::iter::once(key.name).chain(key.also.iter().copied());
    let default =
        if key.default.is_empty() { String::new() } else { format!(" [not given: {}]", key.default.replace('"', "")) };
    // The names live as long as the program.
    let dashed = |name: &str| -> &'static str { name.replace('_', "-").leak() };
    let underscored = names().filter(|name| name.contains('_'));
    let option = Arg::new(key.name)
        .long(dashed(key.name))
        .visible_aliases(key.also.iter().copied().map(dashed))
        .aliases(underscored)
        .value_name(value_name(key))
        .allow_negative_numbers(true)
        .help(format!("{}{default}", key.meaning.trim_end_matches('.')));
    match key.takes {
        KeyType::Words(words) => option.value_parser(PossibleValuesParser::new(words)).hide_possible_values(true),
        _ => option,
    }
}

fn value_name(key: &Key) -> &'static str {
    let name = match key.takes {
        KeyType::Whole(_) | KeyType::Number => "N".to_owned(),
        KeyType::Words(words) => words.join("|"),
        KeyType::WordsOrWhole(words) => format!("{}|N", words.join("|")),
        KeyType::WordsOr(words, other) => format!("{}|{other}", words.join("|")),
        KeyType::Form(text) => text.to_owned(),
    };
    // It lives as long as the program.
    name.leak()
}

#[cfg(test)]
mod tests {
    use super::*;
    use tenbin_model::plan::Plan;

    #[test]
    fn every_key_of_a_load_can_be_typed() {
        for key in all() {
            let example = key.example.trim_matches('"');
            for name in std::iter::once(key.name).chain(key.also.iter().copied()) {
                let typed = ["bench".to_owned(), format!("--{}", name.replace('_', "-")), example.to_owned()];
                let matches = LoadKeys::augment_args(Command::new("bench")).try_get_matches_from(typed).unwrap();
                let lines = LoadKeys::from_arg_matches(&matches).unwrap().lines();
                let plan = format!(
                    "schema = 1\n[targets.a]\ndsn = \"null:\"\n[[experiment]]\n[experiment.load]\nworkload = \"x\"\n{lines}"
                );
                assert!(lines.starts_with(key.name), "{lines}");
                Plan::parse(&plan, &tenbin_workloads::catalog()).unwrap_or_else(|e| panic!("{lines}: {e:?}"));
            }
        }
    }

    /// A list is no number: `--threads 1,2,4` is not 124.
    #[test]
    fn numbers_are_read_as_people_write_them() {
        let clients = all().find(|key| key.name == "clients").unwrap();
        let read = ["8", "1_000", "10k", "1,2,4", "16,128", "1e3"].map(|typed| literal(clients, typed));
        assert_eq!(read, ["8", "1000", "10000", "\"1,2,4\"", "\"16,128\"", "1000"]);
    }

    #[test]
    fn the_help_is_the_list_of_keys() {
        let help = LoadKeys::augment_args(Command::new("bench").term_width(110)).render_long_help().to_string();
        let help: Vec<&str> = help.lines().map(str::trim_end).collect();
        insta::assert_snapshot!(help.join("\n"), @r"
    Usage: bench [OPTIONS]

    Options:
          --clients <N>
              Number of concurrent clients, each with its own connection [not given: 1]

              [aliases: --threads, --connections]

          --workers <auto|per-client|N>
              Number of threads that run the clients [not given: auto]

          --rate <N>
              Intended starts per second of all clients together; 0: each client starts again as soon as it has
              ended [not given: 0]

          --arrivals <even|poisson>
              Distribution of the intervals between intended starts [not given: poisson]

          --overload <queue|skip|stop>
              What to do with a start for which no client is free [not given: queue]

          --overload-limit <N>
              Number of starts that may wait before queue skips and stop stops [not given: 100000]

          --operations <N>
              Stop after this many transactions of all clients together

              [aliases: --ops, --events]

          --operations-per-client <N>
              The same, multiplied by the number of clients

              [alias: --ops-per-client]

          --drain <duration>
              Time that transactions in progress at the end of measure may take to finish; they are then counted
              [not given: 0s]

          --observe <always|ends>
              When the server is observed: continuously, over a separate connection, or only before the clients
              connect and after they have disconnected [not given: always]

          --calibrate <auto|always|never>
              Measure the ceiling of the clients before the first trial with them on a target: for 1.25 seconds
              all clients execute a statement that does nothing. auto: if warm-up and window together last at
              least 10 seconds, only time ends the window, clients do not pause, and the server is observed always
              [not given: auto]

          --retries <N>
              Number of retries of a transaction after a deadlock or a lock wait timeout [not given: 10]

          --transient <known|all|codes>
              Errors that count as conflicts and are retried: those that the driver knows, the listed codes of the
              server (numbers; SQLSTATEs for PostgreSQL), or all errors with a code. If one of them has ended the
              connection, it is reopened first [not given: known]

              [alias: --transient-errors]

          --on-lost <reconnect|give-up>
              What a client does when its connection is lost [not given: reconnect]

          --on-error <stop|count>
              What any other failed statement does: stop the trial, or be counted [not given: stop]

      -h, --help
              Print help
    ");
    }
}
