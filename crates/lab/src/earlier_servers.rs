//! A run that is continued must find the servers and the client as its finished trials had them, or its means would be of two
//! systems. What differs is refused, unless the user permits it.

use crate::emitter::{EventEmitter, TrialError};
use crate::request::{EarlierRun, Request, Resumed};
use crate::variables;
use std::collections::{BTreeMap, BTreeSet};
use tenbin_model::changed_server::{differences, differences_of_client, differences_of_machine, variable_of, words};
use tenbin_model::event::Severity;
use tenbin_model::inspection::Changes;
use tenbin_model::trial::{Apply, Target};
use tenbin_servers::facts::Facts;
use tenbin_words::message::Message;
use tenbin_words::msg;
use tenbin_words::problem::Problem;

/// What the finished trials of a continued run had.
pub struct EarlierServers<'a> {
    earlier: &'a dyn EarlierRun,
    /// Whether the user permits that a server changed (`--allow changed-server`).
    is_allowed: bool,
    /// Targets that were compared.
    compared: BTreeSet<String>,
}

impl<'a> EarlierServers<'a> {
    /// `None` if the run is not continued.
    pub fn of(request: &'a Request) -> Option<EarlierServers<'a>> {
        let Resumed(earlier) = request.resumed.as_ref()?;
        let (is_allowed, compared) = (request.allows_changed_server, BTreeSet::new());
        Some(EarlierServers { earlier: earlier.as_ref(), is_allowed, compared })
    }

    /// Before the first trial: the client, and the servers that exist and whose variables need no restart. Those that do not
    /// answer are reported by their trials.
    pub fn compare_existing(
        &mut self,
        request: &Request,
        client: &Facts,
        emitter: &mut EventEmitter,
    ) -> Result<(), TrialError> {
        for note in self.earlier.notes_of_client() {
            emitter.note(Severity::Warning, note)?;
        }
        if let Some(before) = self.earlier.client() {
            let changes = differences_of_client(&before, client);
            self.judge(msg!("client-is-not-that-of-run"), &changes, emitter)?;
        }
        let environment = emitter.environment;
        let planned = emitter.summary().trials.iter().map(|t| &t.trial.target);
        let targets: BTreeMap<String, Target> = planned.map(|target| (target.name.clone(), target.clone())).collect();
        for target in targets.into_values() {
            let needs_start = matches!(variables::apply(&target), Apply::Restart { .. } | Apply::ParameterGroup(_));
            if target.sandbox.is_some() || (needs_start && !target.server.is_empty()) {
                continue;
            }
            let Ok(connector) = environment.connector(&target, &request.passwords) else { continue };
            let Ok(mut now) = environment.server(&connector) else { continue };
            if let Ok(Some(inspection)) = environment.inspect(&target, &connector, &[]) {
                now.extend(inspection.all_facts());
            }
            self.compare(&target, None, &now, emitter)?;
        }
        Ok(())
    }

    /// When a server was started, or its variables were set, for the first time in this run.
    pub fn compare_first(
        &mut self,
        target: &Target,
        now: &Facts,
        emitter: &mut EventEmitter,
    ) -> Result<(), TrialError> {
        if self.compared.contains(&target.name) {
            return Ok(());
        }
        self.compare(target, Some(&target.server), now, emitter)
    }

    /// When the machine of a server was looked at, or its provider was asked.
    pub fn compare_machine(&self, target: &Target, now: &Facts, emitter: &mut EventEmitter) -> Result<(), TrialError> {
        let before = self.earlier.server(&target.name, None).filter(|_| target.sandbox.is_none());
        let changes = before.map(|(before, _)| differences_of_machine(&before, now)).unwrap_or_default();
        self.judge(msg!("server-is-not-that-of-run", target = target.name), &changes, emitter)
    }

    fn compare(
        &mut self,
        target: &Target,
        server: Option<&BTreeMap<String, String>>,
        now: &Facts,
        emitter: &mut EventEmitter,
    ) -> Result<(), TrialError> {
        let Some((before, set)) = self.earlier.server(&target.name, server) else { return Ok(()) };
        let set = set.iter().chain(target.server.keys());
        let planned: BTreeSet<String> = set.map(|name| variable_of(name)).collect();
        let changes = differences(&before, now, &planned, target.sandbox.is_some());
        if server.is_none() {
            self.compared.insert(target.name.clone());
        }
        self.judge(msg!("server-is-not-that-of-run", target = target.name), &changes, emitter)
    }

    fn judge(&self, what: Message, changes: &Changes, emitter: &mut EventEmitter) -> Result<(), TrialError> {
        if changes.is_empty() {
            return Ok(());
        }
        let problem = Problem::new(what).evidence(words(changes));
        match self.is_allowed {
            true => emitter.note(Severity::Warning, problem),
            // Nothing more of this run would be comparable.
            false => Err(TrialError::Listener(problem.hint(msg!("allow-changed-server")))),
        }
    }
}
