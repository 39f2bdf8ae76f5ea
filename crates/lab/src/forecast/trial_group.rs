//! The trials on one server that use one data set: what is done with the data before each of them, what of that is refused, and what the server
//! needs for them.

use super::{Effect, Forecast, Targets, per_second};
use crate::complete::Complete;
use crate::data::{self, DataAction};
use crate::own_tables::OwnTables;
use crate::used_files::UsedFiles;
use crate::{golden, hint, permission, preflight, test_bed, variables};
use std::collections::{BTreeMap, BTreeSet};
use tenbin_driver::Connector;
use tenbin_model::data_use::DataUses;
use tenbin_model::dsn::{Scheme, redact};
use tenbin_model::plan::line_of_variable;
use tenbin_model::trial::{Hooks, Restore, RestoreKind, Trial};
use tenbin_servers::doctor::limits::{self, ConnectionsInUse, Raise};
use tenbin_servers::doctor::{self, Needs};
use tenbin_servers::finding::Level;
use tenbin_servers::sandbox;
use tenbin_words::figure;
use tenbin_words::message::{Message, foreign};
use tenbin_words::msg;
use tenbin_words::problem::Problem;
use tenbin_workload::{Dataset, DatasetState};
use tenbin_workloads::is_script;

/// What the previous trials on a server have done with its data.
#[derive(Default)]
pub(super) struct SoFar<'a> {
    /// What they have loaded, by kind.
    made: BTreeMap<&'a str, &'a BTreeMap<String, String>>,
    uses: DataUses,
}

/// The trials on one server that use one data set.
pub(super) struct TrialGroup<'a> {
    pub(super) trials: Vec<&'a Trial>,
    pub(super) dataset: Option<Box<dyn Dataset>>,
    pub(super) effect: Effect,
    /// The data before the first trial; `None` if they were not inspected.
    found: Option<DatasetState>,
    /// What is done with the data before each trial.
    steps: Vec<(&'a Trial, DataAction)>,
    /// Whether the preparation of some trial is refused.
    refused: bool,
    /// Whether the database is a file that does not exist yet: inspecting it would create it.
    absent: bool,
}

impl<'a> TrialGroup<'a> {
    pub(super) fn look(
        trials: &[&'a Trial],
        dataset: Option<Box<dyn Dataset>>,
        connector: Option<&Connector>,
        targets: &Targets<'_>,
        forecast: &mut Forecast,
    ) -> Self {
        let target = &trials[0].target;
        let mut effect = Effect { target: target.name.clone(), ..Effect::default() };
        let (mut state, absent) = (None, connector.is_some_and(data::is_absent));
        if let Some(binary) = &target.sandbox {
            effect.address = msg!("a-private-server", binary);
            effect.found = msg!("found-new");
            state = Some(DatasetState::Nothing);
        } else if let Some(connector) = connector {
            effect.address = foreign(connector.dsn());
            if targets.offline {
                effect.found = msg!("found-not-looked");
            } else if absent {
                effect.found = msg!("found-no-file");
                state = Some(DatasetState::Nothing);
            } else if let Some(dataset) = &dataset {
                match dataset.inspect(connector) {
                    Ok(inspection) => {
                        effect.found = data::words(&inspection);
                        state = Some(inspection);
                    }
                    Err(problem) => {
                        effect.found = msg!("found-unseen");
                        let problem = targets.said(target, problem);
                        forecast.refuse([hint::complete(problem, target, Some(&trials[0].load.workload))]);
                    }
                }
            }
        } else {
            effect.found = msg!("found-unseen");
        }
        TrialGroup { trials: trials.to_vec(), dataset, effect, found: state, steps: Vec::new(), refused: false, absent }
    }

    /// What is done with the tables before this trial, given the previous ones.
    pub(super) fn walk(
        &mut self,
        trial: &'a Trial,
        connector: &Connector,
        so_far: &mut SoFar<'a>,
        targets: &Targets<'_>,
        forecast: &mut Forecast,
    ) {
        if self.dataset.is_none() {
            let rule = so_far.uses.rule(trial);
            so_far.uses.used_by(trial);
            return self.steps.push((trial, data::without_dataset(trial, rule)));
        }
        let (kind, options) = (trial.dataset.kind.as_str(), &trial.dataset.options);
        let now = match so_far.made.get(kind) {
            Some(same) if *same == options => Some(DatasetState::Ready { ours: true }),
            // Other tables of ours, possibly with the same names.
            Some(_) => None,
            None => self.found.clone(),
        };
        let rule = so_far.uses.rule(trial);
        so_far.uses.used_by(trial);
        let by_command = trial.target.restore.kind == RestoreKind::Command;
        let step = match (now, rule) {
            (Some(now), rule) => data::step(trial, rule, now, connector),
            (None, Restore::BeforeRun) if by_command => Ok(DataAction::Command),
            (None, Restore::BeforeRun) => Ok(DataAction::Replace),
            (None, _) => Ok(DataAction::Use),
        };
        match step {
            Ok(step) => {
                if step != DataAction::Use {
                    so_far.made.insert(kind, options);
                }
                self.steps.push((trial, step));
            }
            Err(problem) => {
                let problem = targets.said(&trial.target, problem);
                forecast.refuse([hint::complete(problem, &trial.target, Some(&trial.load.workload))]);
                self.refused = true;
                // Its needs are computed nevertheless.
                self.steps.push((trial, DataAction::Use));
            }
        }
    }

    /// Compares what the trials need with the limits of the server, and describes what is done.
    pub(super) fn conclude(&mut self, connector: Option<&Connector>, targets: &Targets<'_>, forecast: &mut Forecast) {
        let first = self.trials[0];
        if let Some(connector) = connector {
            let needs = self.needs(connector);
            match &first.target.sandbox {
                Some(_) if !targets.programs => {}
                Some(binary) => {
                    let variables = sandbox::planned_variables(binary, &first.target.server);
                    self.effect.computed = match sandbox::scheme(binary) {
                        Scheme::Mysql => limits::mysql(&variables, ConnectionsInUse::default(), &needs, Raise::InPlan),
                        Scheme::Postgres => {
                            limits::postgres(&variables, ConnectionsInUse::default(), &needs, Raise::InPlan)
                        }
                        Scheme::Sqlite | Scheme::Null | Scheme::Host => Vec::new(),
                    };
                }
                None if targets.offline || self.absent => {}
                None => {
                    // Its variables will be set before its trials.
                    let least = |(name, values): (String, Vec<String>)| {
                        let number = |value: &String| value.parse::<f64>().unwrap_or(f64::INFINITY);
                        Some((name, values.into_iter().min_by(|a, b| number(a).total_cmp(&number(b)))?))
                    };
                    let planned = variables::planned(&self.trials).into_iter().filter_map(least).collect();
                    let needs = Needs { planned, ..needs };
                    let findings = doctor::preflight(connector, &needs);
                    self.effect.computed = findings.into_iter().filter(|f| f.level != Level::Note).collect();
                    self.writing(connector, targets, forecast);
                    self.absent(connector, targets, forecast);
                }
            }
        }
        let restored = first.target.restore.is_golden() && self.first_step() != DataAction::Use;
        if restored && targets.programs {
            let server = connector.filter(|_| !targets.offline && !self.absent);
            // As a run will find its golden copy.
            let mut whole = Complete::default().trial(first, None);
            whole.files = UsedFiles::default().of(&whole);
            let own = OwnTables::of(&targets.request.trials);
            for problem in golden::obstacles(&whole, server, &own) {
                let problem = targets.said(&first.target, problem);
                forecast.refuse([hint::complete(problem, &first.target, Some(&first.load.workload))]);
            }
        }
        for finding in &self.effect.computed {
            let mut finding = finding.clone();
            if let (Some(_), Some(evidence)) = (&first.target.sandbox, &finding.evidence) {
                // The line of the plan that sets it, if any.
                let line = evidence.arg("variable").and_then(|variable| {
                    line_of_variable(&targets.request.plan, &first.target.name, variable.english())
                });
                let parts = [evidence.clone()].into_iter().chain(line);
                finding.evidence = Some(Message::joined(parts, "\n"));
            }
            finding.hint = hint::complete(finding.clone().problem(), &first.target, Some(&first.load.workload)).hint;
            forecast.take(&finding, &|problem| targets.said(&first.target, problem));
        }
        self.effects(forecast);
    }

    /// The combined needs of all its trials.
    fn needs(&self, connector: &Connector) -> Needs {
        let mut all = Needs::default();
        let mut made = BTreeMap::new();
        for (trial, step) in &self.steps {
            let workload = made.entry((&trial.load.workload, &trial.load.options)).or_insert_with(|| {
                (!is_script(&trial.load.workload)).then(|| test_bed::workload(trial, connector).ok()).flatten()
            });
            let needs = preflight::needs(trial, workload.as_deref(), self.dataset.as_deref(), *step);
            all.clients = all.clients.max(needs.clients);
            all.streams = all.streams.max(needs.streams);
            all.beside = all.beside.max(needs.beside);
            all.prepared_per_client = all.prepared_per_client.max(needs.prepared_per_client);
            all.statement = all.statement.max(needs.statement);
            all.writes |= needs.writes;
            all.schema = needs.schema;
            if all.statements.len() < needs.statements.len() {
                all.statements = needs.statements;
            }
        }
        all
    }

    /// Whether writing is permitted, if its trials write.
    fn writing(&self, connector: &Connector, targets: &Targets<'_>, forecast: &mut Forecast) {
        let mut refuse = |trial: &Trial, problem: Problem| {
            let problem = targets.said(&trial.target, problem);
            forecast.refuse([hint::complete(problem, &trial.target, Some(&trial.load.workload))]);
        };
        let mut seen = BTreeSet::new();
        for (trial, step) in &self.steps {
            let writes = permission::writes(trial);
            if !(writes || step.creates()) || !seen.insert((&trial.load.workload, writes)) {
                continue;
            }
            if let Err(problem) = permission::may_write(trial, connector) {
                refuse(trial, problem);
            } else if *step == DataAction::Replace
                // What a golden copy has comes back with it.
                && !trial.target.restore.is_golden()
                && let Err(problem) = permission::may_drop(&trial.target, connector)
            {
                refuse(trial, problem);
            } else if writes
                // What they will be is known when they exist.
                && let Some(coming) = self.coming(*step)
                && !is_script(&trial.load.workload)
                && let Ok(workload) = test_bed::workload(trial, connector)
                && let Err(problem) = permission::to_write_tables(trial, &*workload, connector, &coming)
            {
                refuse(trial, problem);
            }
        }
    }

    /// Tables that loads name and that are nowhere: a mistake in a script.
    fn absent(&self, connector: &Connector, targets: &Targets<'_>, forecast: &mut Forecast) {
        let mut seen = BTreeSet::new();
        for (trial, step) in &self.steps {
            let Hooks { before_run, before_trial, with_data, .. } = &trial.target.hooks;
            // Commands may create what is missing.
            let may_come = [before_run, before_trial, with_data].into_iter().any(Option::is_some);
            if may_come || is_script(&trial.load.workload) || !seen.insert((&trial.load.workload, &trial.load.options))
            {
                continue;
            }
            let Some(coming) = self.coming(*step) else { continue };
            // What the server does not say is left to the run.
            let Ok(workload) = test_bed::workload(trial, connector) else { continue };
            if let Ok(Some(problem)) = workload.absent(&coming) {
                let problem = targets.said(&trial.target, problem);
                forecast.refuse([hint::complete(problem, &trial.target, Some(&trial.load.workload))]);
            }
        }
    }

    /// The tables that are created before a trial with this step, as far as that can be known.
    fn coming(&self, step: DataAction) -> Option<Vec<String>> {
        match (step, self.dataset.as_deref()) {
            (DataAction::Command, _) => None,
            (DataAction::Load | DataAction::Replace, Some(dataset)) => dataset.creates(),
            _ => Some(Vec::new()),
        }
    }

    fn effects(&mut self, forecast: &mut Forecast) {
        let times = |wanted: &[DataAction]| self.steps.iter().filter(|(_, step)| wanted.contains(step)).count();
        if let Some(command) = &self.trials[0].target.restore.command {
            let n = times(&[DataAction::Command]);
            let will = msg!("will-restore-by-command", n, command = redact(&command.run));
            self.effect.will.extend((n > 0).then_some(will));
        }
        let Some(dataset) = self.dataset.as_deref() else { return };
        let (loads, drops) = (times(&[DataAction::Load, DataAction::Replace]), times(&[DataAction::Replace]));
        forecast.disk_bytes = forecast.disk_bytes.saturating_add(dataset.bytes());
        let effect = &mut self.effect;
        let directory = self.trials[0].target.data_directory.as_ref();
        effect.will.extend(directory.map(|directory| msg!("will-lie-in", directory)));
        effect.will.extend(variables::effects(&self.trials));
        let (rows, size) = (figure::whole(i128::from(dataset.rows())), figure::bytes(dataset.bytes() as f64));
        if loads > 0 && self.trials[0].target.restore.is_golden() {
            let data = (rows, data::unit(dataset.unit()), dataset.bytes());
            let [created, put_back] = golden::will(&self.trials[0].target, data, loads);
            let prepared = dataset.prepared_by().map(|script| msg!("will-prepare", script, n = 1));
            effect.will.extend([prepared.unwrap_or(created), put_back]);
            effect.statements = dataset.statements();
            forecast.load_s += dataset.rows() as f64 / per_second(dataset);
            return;
        }
        if drops > 0 {
            effect.will.push(msg!("will-drop", n = drops));
        }
        if loads > 0 {
            effect.will.push(match dataset.prepared_by() {
                Some(script) => msg!("will-prepare", script, n = loads),
                None => msg!("will-create", rows, unit = data::unit(dataset.unit()), size, n = loads),
            });
            effect.statements = dataset.statements();
            forecast.load_s += loads as f64 * dataset.rows() as f64 / per_second(dataset);
        } else if !self.refused && times(&[DataAction::Command]) == 0 {
            effect.will.push(msg!("will-use"));
        }
    }

    /// What is done with the data before the first trial that changes them.
    pub(super) fn first_step(&self) -> DataAction {
        self.steps.iter().map(|(_, step)| *step).find(|step| *step != DataAction::Use).unwrap_or(DataAction::Use)
    }
}
