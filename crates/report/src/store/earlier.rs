//! The finished trials of a run directory, for a run that continues it.

use super::files::Folder;
use super::read::{MOST_HISTOGRAMS, lines, read_open};
use super::run_folder;
use super::verify::Verification;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use tenbin_model::changed_server;
use tenbin_model::event::{EndState, Event};
use tenbin_model::inspection::ServerFacts;
use tenbin_model::trial::Trial;
use tenbin_words::msg;
use tenbin_words::problem::Problem;

/// An earlier run whose finished trials are taken over. A trial whose files are damaged or altered is not finished.
#[derive(Debug)]
pub struct EarlierTrials {
    dir: PathBuf,
    folder: Folder,
    finished: BTreeMap<u32, Trial>,
    /// The facts of their servers.
    facts: BTreeMap<u32, Arc<ServerFacts>>,
    client: Option<ServerFacts>,
    notes_of_client: Vec<Problem>,
    planned: usize,
    state: Option<EndState>,
    last_ns: u64,
}

impl EarlierTrials {
    /// Reads a run directory or a bundle. Fails if there is no run, or if its own files are altered.
    pub fn open(dir: &Path) -> Result<EarlierTrials, Problem> {
        let folder = run_folder(dir)?;
        let (recording, verified) = read_open(&folder, dir, MOST_HISTOGRAMS)?;
        // A trial that is missing or altered is run again; what all of them have in common cannot be.
        let own = |(path, _): (&String, &_)| Verification::trial_of(path).is_none();
        if let Some(problem) = verified.problem(None, dir).filter(|_| verified.altered().any(own)) {
            return Err(problem);
        }
        let altered = verified.altered_trials();
        let summary = recording.summary;
        let mut earlier = EarlierTrials {
            dir: dir.to_owned(),
            folder,
            finished: BTreeMap::new(),
            facts: BTreeMap::new(),
            client: summary.facts.get("client").cloned(),
            notes_of_client: changed_server::notes_of_client(&summary).cloned().collect(),
            planned: summary.trials.len(),
            state: summary.state,
            last_ns: summary.last_ns,
        };
        for result in summary.trials.iter().filter(|result| result.state == Some(EndState::Complete)) {
            if altered.contains(&result.trial.number) {
                continue;
            }
            let mut doubts = Vec::new();
            earlier.log(result.trial.number, &mut doubts, |_| {})?;
            if doubts.is_empty() {
                earlier.finished.insert(result.trial.number, result.trial.clone());
                earlier.facts.extend(result.facts.clone().map(|facts| (result.trial.number, facts)));
            }
        }
        Ok(earlier)
    }

    /// Fails if nothing is left to do in it.
    pub fn is_unfinished(&self) -> Result<(), Problem> {
        // A run whose trials depend on one another may have been stopped before it planned the next.
        if self.finished.len() < self.planned || self.state != Some(EndState::Complete) {
            return Ok(());
        }
        Err(Problem::new(msg!("nothing-to-resume", dir = self.dir.display()))
            .evidence(msg!("all-trials-finished", trials = self.planned))
            .hint(msg!("add-repeats-or-report", dir = self.dir.display())))
    }

    /// The number of its trials, finished or not.
    pub fn planned(&self) -> usize {
        self.planned
    }

    /// Its directory.
    pub fn dir(&self) -> &Path {
        &self.dir
    }

    /// The number of its finished trials.
    pub fn count(&self) -> usize {
        self.finished.len()
    }

    /// The finished trial of this number, as it was run.
    pub fn finished(&self, number: u32) -> Option<&Trial> {
        self.finished.get(&number)
    }

    /// The facts of the server of a finished trial at that time.
    pub fn facts(&self, number: u32) -> Option<Arc<ServerFacts>> {
        self.facts.get(&number).cloned()
    }

    /// The facts of the server of a target's last finished trial, with these variables if they are given, and the names of all
    /// variables that its trials set.
    pub fn server(&self, target: &str, server: Option<&ServerFacts>) -> Option<(Arc<ServerFacts>, Vec<String>)> {
        let of_target = || self.finished.values().filter(|trial| trial.target.name == target);
        let mut such = of_target().rev().filter(|trial| server.is_none_or(|server| trial.target.server == *server));
        let facts = such.find_map(|trial| self.facts(trial.number))?;
        Some((facts, of_target().flat_map(|trial| trial.target.server.keys().cloned()).collect()))
    }

    /// The facts of its client.
    pub fn client(&self) -> Option<&ServerFacts> {
        self.client.as_ref()
    }

    /// What was noted in it of other clients that had some of its trials.
    pub fn notes_of_client(&self) -> &[Problem] {
        &self.notes_of_client
    }

    /// The time of its last event, nanoseconds since its start.
    pub fn last_ns(&self) -> u64 {
        self.last_ns
    }

    /// The events of a finished trial, in their order.
    pub fn replay(&self, number: u32, each: &mut dyn FnMut(Event) -> Result<(), Problem>) -> Result<(), Problem> {
        let (mut doubts, mut outcome) = (Vec::new(), Ok(()));
        self.log(number, &mut doubts, |event| {
            if event.trial() == number && outcome.is_ok() {
                outcome = each(event);
            }
        })?;
        outcome?;
        doubts.into_iter().next().map_or(Ok(()), Err)
    }

    fn log(&self, number: u32, doubts: &mut Vec<Problem>, take: impl FnMut(Event)) -> Result<(), Problem> {
        let folder =
            self.folder.folder("trials").and_then(|trials| trials.folder(&super::place(number))).map_err(|e| {
                Problem::new(msg!("file-unreadable", file = self.dir.display()))
                    .evidence(tenbin_words::message::foreign(e))
            })?;
        lines(&folder, "events.jsonl", doubts, take)
    }
}
