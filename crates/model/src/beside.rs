//! Several stored runs as one, as if each had measured targets of its own: before and after an upgrade, this machine and that.

use crate::changed_server::{self, TENBIN};
use crate::dsn::Scheme;
use crate::event::EndState;
use crate::names::tables::PARTS;
use crate::summary::{NamedRun, OfRun, StoredRun, Summary, TrialResult};
use crate::trial::{Differing, Target, Trial};
use std::collections::{BTreeMap, BTreeSet};
use tenbin_words::message::Message;
use tenbin_words::msg;

/// What a cell is in every run: its experiment, unless each run has only one, and its matrix values.
type CellKey = (Option<String>, Vec<(String, String)>);

impl Summary {
    /// These runs as one. Cells with equal matrix values are one cell; a run's target has the run's name, or both names if the
    /// run has several. The first run's first target is the baseline, unless a plan names one.
    pub fn beside(runs: Vec<StoredRun>) -> Summary {
        let several_experiments = runs.iter().any(|run| run.summary.experiments().len() > 1);
        let mut all = Summary { state: Some(EndState::Complete), ..Summary::default() };
        let mut cells: BTreeMap<CellKey, u32> = BTreeMap::new();
        let mut first: BTreeMap<u32, Trial> = BTreeMap::new();
        let mut first_of_target: BTreeMap<(u32, String), Target> = BTreeMap::new();
        let mut tables: BTreeMap<(u32, String), (Scheme, String)> = BTreeMap::new();
        let mut differing: BTreeSet<Differing> = BTreeSet::new();
        let mut offset = 0;
        differing.extend(changed_server::between(&runs).iter().map(|_| Differing::Server));
        let has_baseline = runs.first().is_some_and(|run| run.summary.trials.iter().any(|t| t.trial.target.baseline));
        // The same experiment may have another name in another plan.
        let experiment = runs.first().and_then(|run| Some((*run.summary.experiments().first()?).to_owned()));
        for (number, run) in runs.into_iter().enumerate() {
            let targets = run.summary.targets();
            let names: BTreeMap<String, String> = targets.iter().map(|t| (t.clone(), run.target_name(t))).collect();
            let name = |target: &str| names.get(target).cloned().unwrap_or_default();
            let StoredRun { label, summary } = run;
            for about in targets.iter().map(String::as_str).chain(["client"]) {
                // The client of the first run keeps its name.
                let new = match about {
                    "client" if number == 0 => about.to_owned(),
                    "client" => format!("client ({label})"),
                    target => name(target),
                };
                all.facts.extend(summary.facts.get(about).cloned().map(|facts| (new, facts)));
            }
            let machine = |facts: Option<&BTreeMap<String, String>>| {
                ["cores", "cpu", "machine.cpu"].map(|name| facts.and_then(|facts| facts.get(name)).cloned())
            };
            if machine(summary.facts.get("client")) != machine(all.facts.get("client")) {
                differing.insert(Differing::Machine);
            }
            let tool = |all: &Summary| all.facts.get("client").and_then(|facts| facts.get(TENBIN)).cloned();
            if tool(&summary).zip(tool(&all)).is_some_and(|(one, other)| one != other) {
                differing.insert(Differing::Tool);
            }
            for ((target, variables), facts) in &summary.by_variables {
                all.by_variables.insert((name(target), variables.clone()), facts.clone());
            }
            // Cells have the order of the plan, trials that of their execution.
            let key = |t: &Trial| (several_experiments.then(|| t.experiment.clone()), t.axes.clone());
            let of_plan: BTreeMap<u32, CellKey> =
                summary.trials.iter().map(|t| (t.trial.cell, key(&t.trial))).collect();
            for key in of_plan.into_values() {
                let next = cells.len() as u32 + 1;
                cells.entry(key).or_insert(next);
            }
            for mut trial in summary.trials {
                let t = &mut trial.trial;
                t.cell = cells.get(&key(t)).copied().unwrap_or_default();
                differing.extend(first.entry(t.cell).or_insert_with(|| t.clone()).differing(t));
                let of_target = first_of_target.entry((t.cell, t.target.name.clone()));
                differing.extend(of_target.or_insert_with(|| t.target.clone()).differing(&t.target));
                if let Some(parts) = trial.before.as_ref().and_then(|of| of.inspection.facts.get(PARTS)) {
                    let now = (t.target.scheme(), parts.clone());
                    let of_target = tables.entry((t.cell, t.target.name.clone())).or_insert_with(|| now.clone());
                    // Each kind of server names them in its own way.
                    differing.extend((of_target.0 == now.0 && of_target.1 != now.1).then_some(Differing::Tables));
                }
                t.number = all.trials.len() as u32 + 1;
                // Runs are compared, in each cell, and were not driven at the same time.
                (t.compare, t.duet) = (None, false);
                t.target.baseline &= number == 0;
                t.target.baseline |= number == 0 && !has_baseline && t.target.place == 0;
                t.target.place += offset;
                t.target.name = name(&t.target.name);
                if let Some(only) = experiment.as_ref().filter(|_| !several_experiments) {
                    t.experiment.clone_from(only);
                }
                trial.stored_run = Some(NamedRun { name: label.clone(), started: summary.started.clone() });
                all.trials.push(trial);
            }
            offset += targets.len() as u32;
            all.plan += &format!("# {label}: {} ({})\n{}\n", summary.name, summary.started, summary.plan);
            all.last_ns += summary.last_ns;
            all.notes.extend(summary.notes);
            all.name = if number == 0 { label } else { format!("{} / {label}", all.name) };
            (all.tool, all.started) = (summary.tool, summary.started);
        }
        all.stored = Some(differing.into_iter().collect());
        all
    }

    /// The same, to be compared: if a run has several targets, and the first has one that another has too, each target with that of the
    /// same name in the first run. Else all are compared with the baseline, as the targets of one run are.
    pub fn compared(runs: Vec<StoredRun>) -> Summary {
        let targets: Vec<Vec<String>> = runs.iter().map(|run| run.summary.targets()).collect();
        let is_common = targets
            .split_first()
            .is_some_and(|(first, others)| others.iter().any(|names| names.iter().any(|name| first.contains(name))));
        let is_by_name = is_common && targets.iter().any(|names| names.len() > 1);
        let mut of_target: BTreeMap<String, OfRun> = BTreeMap::new();
        for (place, run) in (0..).zip(&runs).filter(|_| is_by_name) {
            for target in run.summary.targets() {
                of_target.insert(run.target_name(&target), OfRun { run: run.label.clone(), place, target });
            }
        }
        let mut all = Summary::beside(runs);
        for t in &mut all.trials {
            t.of_run = of_target.get(&t.trial.target.name).cloned();
        }
        all
    }

    /// Of stored runs that are compared: what makes the comparison weaker than that of one run; `None` of one run.
    pub fn of_stored_runs(&self) -> Option<Message> {
        let differing = self.stored.as_ref()?;
        Some(match differing.is_empty() {
            true => msg!("stored-runs"),
            false => msg!("stored-runs-differ", differing = Differing::words(differing)),
        })
    }

    /// Whether at least two stored runs have a cell in common; if targets of the same name are compared, a cell of such a target.
    pub fn has_common_cell(&self) -> bool {
        let mut runs: BTreeMap<(u32, Option<&str>), BTreeSet<&str>> = BTreeMap::new();
        for t in self.trials.iter().filter(|t: &&TrialResult| t.begun) {
            let target = t.of_run.as_ref().map(|of| of.target.as_str());
            runs.entry((t.trial.cell, target)).or_default().extend(t.stored_run.as_ref().map(|run| run.name.as_str()));
        }
        runs.values().any(|runs| runs.len() > 1)
    }
}
