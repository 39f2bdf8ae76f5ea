//! Checks the options of a plan, as far as no server is needed.

use crate::test_bed;
use std::collections::BTreeSet;
use tenbin_driver::Connector;
use tenbin_model::dsn::Scheme;
use tenbin_model::plan::{Part, Reading, keys, names};
use tenbin_model::trial::{Trial, Workers};
use tenbin_model::workload::{NO_DATA, SCRIPT_DATA};
use tenbin_words::message::Message;
use tenbin_words::msg;
use tenbin_words::problem::Problem;
use tenbin_workload::OptionError;
use tenbin_workloads::{find_dataset, is_script};

/// How scripts are treated when options are checked: they are programs, and only executing them reveals their options.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scripts {
    /// They are compiled, not executed.
    Compile,
    /// Their top level is executed, as the run will do anyway.
    Run,
}

/// Adds to `reading` all mistakes in the options of its workloads and data sets. Contacts no server.
pub fn options(reading: &mut Reading<'_>, scripts: Scripts) {
    let mut seen = BTreeSet::new();
    let trials = reading.trials();
    for trial in &trials {
        let target = (&trial.target.dsn, &trial.target.sandbox);
        let (load, data) = (&trial.load, &trial.dataset);
        let is_alone = load.workers == Workers::PerClient;
        let key = (target, &trial.experiment, &load.workload, &load.options, is_alone, &data.name, &data.options);
        if !seen.insert(key) {
            continue;
        }
        // The target of a plan that has mistakes may be unknown.
        if trial.target.is_reachable() {
            let fits = test_bed::fits(trial);
            fits.unwrap_or_else(|problem| reading.refuse(trial, Part::Load, Some(("workload", None)), problem));
        }
        if let Some(needed) = tenbin_workloads::lacks_data(&load.workload, &load.options, &data.kind) {
            let (workload, kind) = (load.workload.as_str(), data.kind.as_str());
            let what = msg!("workload-lacks-data", workload, needed, dataset = data.name, kind);
            let problem = Problem::new(what).hint(msg!("give-workload-its-data", workload, needed));
            reading.refuse(trial, Part::Load, Some(("workload", Some(workload))), problem);
            continue;
        }
        let mut of_load =
            tenbin_workloads::wrong_load(&load.workload, &load.options, &data.options, trial.target.scheme());
        if of_load.is_empty() && scripts == Scripts::Run && is_script(&load.workload) {
            let made = Connector::nowhere(Scheme::Null).and_then(|c| test_bed::workload(trial, &c));
            of_load.extend(made.err().map(|problem| OptionError { field: None, problem }));
        }
        if of_load.is_empty() && is_alone {
            of_load.extend(sharing(trial));
        }
        let of_data = match data.kind.as_str() {
            NO_DATA => Vec::new(),
            // Said of the load already.
            SCRIPT_DATA if data.options.get("script") == Some(&load.workload) => Vec::new(),
            kind => tenbin_workloads::wrong_data(kind, &data.options, trial.target.scheme()),
        };
        let parts = [(Part::Load, of_load), (Part::Data, of_data)];
        for (part, wrong) in parts.into_iter().flat_map(|(part, all)| all.into_iter().map(move |wrong| (part, wrong))) {
            let field = wrong.field.as_ref().map(|(name, value)| (name.as_str(), value.as_deref()));
            let named = field.filter(|(_, value)| value.is_none()).map(|(name, _)| name);
            let table = if matches!(part, Part::Data) { keys::Table::Dataset } else { keys::Table::Load };
            let of_data = named.filter(|_| matches!(part, Part::Load)).and_then(|name| of_dataset(trial, name));
            let meant =
                || named.and_then(|name| Some(reading.instead(trial, (part, table), name, names::meant(name)?)));
            let problem = match of_data.or_else(meant) {
                Some(hint) => wrong.problem.hint(hint),
                None => wrong.problem,
            };
            reading.refuse(trial, part, field, problem);
        }
    }
}

/// Clients that share connections and are to have a thread each.
fn sharing(trial: &Trial) -> Option<OptionError> {
    let nowhere = Connector::nowhere(trial.target.scheme()).ok()?;
    test_bed::workload(trial, &nowhere).ok()?.most_threads(trial.load.clients)?;
    let problem = Problem::new(msg!("threads-cannot-share")).hint(msg!("set-workers-to-number"));
    Some(OptionError { field: Some(("workers".to_owned(), Some("per-client".to_owned()))), problem })
}

/// Where to write an option of the load that is one of the trial's data set.
fn of_dataset(trial: &Trial, name: &str) -> Option<Message> {
    let (option, data) = (name.replace('-', "_"), &trial.dataset);
    let entry = find_dataset(&data.kind).ok()?;
    entry.rows().iter().find(|row| row.name == option)?;
    let value = trial.load.options.get(name)?;
    let value = if value.parse::<i64>().is_ok() { value.clone() } else { format!("{value:?}") };
    Some(msg!("write-key-in", key = option, value, section = format!("[datasets.{}]", data.name)))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Terminals of TPC-C that share connections do so on one thread.
    #[test]
    fn clients_that_share_connections_cannot_have_a_thread_each() {
        let problems = |dsn: &str, workers: &str| {
            let text = format!(
                "schema = 1\n[targets.a]\ndsn = \"{dsn}\"\n[datasets.d]\nkind = \"tpcc\"\n[[experiment]]\ndataset = \"d\"\n\
                 load = {{ workload = \"tpcc\", clients = 30, pool = 2, workers = {workers} }}\n"
            );
            let catalog = tenbin_workloads::catalog();
            let mut reading = Reading::of(&text, &catalog);
            options(&mut reading, Scripts::Compile);
            let all = reading.finish().err().unwrap_or_default();
            all.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n")
        };
        let mysql = "mysql://u@h/d";
        assert!(
            problems(mysql, "\"per-client\"").contains("cannot share connections"),
            "{}",
            problems(mysql, "\"per-client\"")
        );
        assert_eq!([problems(mysql, "\"auto\""), problems(mysql, "2")], ["", ""]);
        assert!(
            problems("sqlite:///tmp/d.db", "\"auto\"").contains("connections are shared only"),
            "{}",
            problems("sqlite:///tmp/d.db", "\"auto\"")
        );
    }

    /// Tables of another kind: every statement would fail, or read what is not there.
    #[test]
    fn a_workload_beside_a_data_set_of_another_kind_is_refused_where_it_stands() {
        let problems = |kind: &str, load: &str| {
            let text = format!(
                "schema = 1\n[targets.a]\ndsn = \"mysql://u@h/d\"\n[datasets.small]\nkind = \"{kind}\"\n[[experiment]]\ndataset = \"small\"\n{load}\n"
            );
            let catalog = tenbin_workloads::catalog();
            let mut reading = Reading::of(&text, &catalog);
            options(&mut reading, Scripts::Compile);
            let all = reading.finish().err().unwrap_or_default();
            all.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n")
        };
        let mixed = problems("sysbench", "matrix.load.workload = [\"oltp_read_write\", \"slap\"]");
        let words = "the workload slap needs a data set of kind slap, and small is one of kind sysbench";
        assert!(
            mixed.contains(words)
                && mixed.contains("matrix.load.workload")
                && mixed.contains("describe [datasets.slap]"),
            "{mixed}"
        );
        assert!(!mixed.contains("oltp_read_write needs"), "{mixed}");
        let refused = |kind: &str, load: &str| problems(kind, load).contains("needs a data set of kind");
        assert!(
            refused("sysbench", "load.workload = \"tpcc\"") && refused("slap", "load.workload = \"oltp_read_only\"")
        );
        assert_eq!(problems("sysbench", "load.workload = \"oltp_read_only\""), "");
        // Tables of which only the user knows what they are.
        assert_eq!(
            problems("sysbench", "load = { workload = \"slap\", query = \"SELECT 1 FROM sbtest1\", queries = 10 }"),
            ""
        );
        assert!(!refused("sql", "load.workload = \"oltp_read_only\""));
        // One that is not there is told for itself.
        assert!(!refused("sysbnech", "load.workload = \"oltp_read_only\""));
    }

    #[test]
    fn an_option_of_the_data_set_is_placed_there() {
        let hints = |load: &str| {
            let text = format!(
                "schema = 1\n[targets.a]\ndsn = \"null:\"\n[datasets.bank]\nkind = \"tpcb\"\n[[experiment]]\ndataset = \"bank\"\n\
                 load = {{ workload = \"tpcb_like\", {load} }}\n"
            );
            let catalog = tenbin_workloads::catalog();
            let mut reading = Reading::of(&text, &catalog);
            options(&mut reading, Scripts::Compile);
            let problems = reading.finish().err().unwrap_or_default();
            problems.iter().filter_map(|problem| Some(problem.hint.as_ref()?.english().to_owned())).collect::<Vec<_>>()
        };
        assert_eq!(hints("check = \"run\""), ["write check = \"run\" in [datasets.bank]"]);
        assert_eq!(hints("fillfactor = 90"), ["write fillfactor = 90 in [datasets.bank]"]);
        assert!(hints("clients = 2").is_empty());
    }
}
