//! The schemas that a run or a load has locked while it works: a second run is refused, with a message that names the
//! first.

use crate::emitter::{EventEmitter, TrialError};
use crate::identity::who;
use crate::test_bed::TestBed;
use std::collections::BTreeMap;
use tenbin_driver::Connector;
use tenbin_model::event::Severity;
use tenbin_model::trial::{Allow, Target};
use tenbin_servers::claim::{ClaimOutcome, SchemaClaim, claim, claim_use};
use tenbin_servers::table_users::user;
use tenbin_words::message::{Message, foreign};
use tenbin_words::msg;
use tenbin_words::problem::Problem;
use tenbin_workload::Dataset;
use tenbin_workload::tables::announcement::{announce, announced, withdraw};

/// The locks of a run, until this is dropped.
#[derive(Debug, Default)]
pub struct Claims {
    held: BTreeMap<(String, Option<String>), HeldClaim>,
    /// What says that trials without a data set of ours use tables, with their addresses.
    uses: Vec<(Connector, SchemaClaim)>,
    /// What others see of the run.
    who: String,
}

#[derive(Debug)]
struct HeldClaim {
    /// `None` if another run has it and sharing is allowed, or if it could not be locked.
    claim: Option<SchemaClaim>,
    /// The other run that has it, if any.
    taken: Option<Problem>,
    connector: Connector,
    /// Whether the run has stored its identity.
    announced: bool,
    /// The connection of the lock that is stored with it.
    noted: Option<String>,
    /// Whether it was said that it could not be locked.
    told: bool,
}

impl HeldClaim {
    /// Removes the stored identity, and gives up the lock.
    fn end(self, schema: Option<&str>) {
        if self.announced {
            // If the server is gone, the stored identity is invalid too, because its connection no longer exists.
            let _ = withdraw(&self.connector, schema);
        }
    }
}

impl Claims {
    /// No locks yet; `run` is the name shown to others.
    pub fn new(run: &str) -> Claims {
        Claims { held: BTreeMap::new(), uses: Vec::new(), who: who(run) }
    }

    /// For a trial: once per schema. Fails if another run has it, unless the tables may be shared.
    pub(crate) fn take_for_trial(
        &mut self,
        target: &Target,
        connector: &Connector,
        dataset: &dyn Dataset,
        emitter: &mut EventEmitter,
    ) -> Result<(), TrialError> {
        let unable = self.take(target, connector, dataset).map_err(TrialError::Trial)?;
        unable.map_or(Ok(()), |why| {
            let what = msg!("tables-not-locked");
            emitter.note(Severity::Info, Problem::new(what).evidence(why))
        })
    }

    /// Locks the schema of a data set, or makes sure that it is still locked: a server that was started again between two trials has forgotten it. What
    /// could not be locked is tried again. Returns the reason if it could not, unless that was said already.
    pub fn take(
        &mut self,
        target: &Target,
        connector: &Connector,
        dataset: &dyn Dataset,
    ) -> Result<Option<Message>, Problem> {
        if !is_claimed(target, dataset) {
            return Ok(None);
        }
        let key = key(connector, dataset);
        let (schema, mut unable) = (dataset.schema(), None);
        let mut held = HeldClaim {
            claim: None,
            taken: None,
            connector: connector.clone(),
            announced: false,
            noted: None,
            told: false,
        };
        let outcome = match self.held.remove(&key) {
            Some(HeldClaim { claim: Some(claim), announced, noted, .. }) => {
                (held.announced, held.noted) = (announced, noted);
                claim.renew()
            }
            Some(shared @ HeldClaim { taken: Some(_), .. }) => {
                self.held.insert(key, shared);
                return Ok(None);
            }
            // It could not be locked then: the server was just starting, or had no connection left.
            Some(HeldClaim { announced, told, .. }) => {
                (held.announced, held.told) = (announced, told);
                claim(connector, schema, &self.who)
            }
            None => claim(connector, schema, &self.who),
        };
        match outcome {
            ClaimOutcome::Ours(claim) => (held.claim, held.told) = (Some(claim), false),
            ClaimOutcome::Foreign(problem) => return Err(problem),
            ClaimOutcome::Unable(why) => unable = (!std::mem::replace(&mut held.told, true)).then_some(why),
            // The same server and schema by another address in the same plan.
            ClaimOutcome::Taken { connection, seen } if self.is_ours(&connection, &seen) => {}
            ClaimOutcome::Taken { connection, seen } => {
                let announcement = announced(connector, schema, &connection);
                let first = announcement.map_or(seen.clone(), |who| format!("{who} ({seen})"));
                let problem = taken(connector, schema, &first);
                if !target.allow.contains(&Allow::ShareTables) {
                    return Err(problem);
                }
                held.taken = Some(problem);
            }
        }
        self.held.insert(key, held);
        Ok(unable)
    }

    /// After a trial: a problem if the lock of its tables was lost meanwhile, because somebody has ended the connection that held it or removed the file;
    /// an error if another run has it now, which works on the tables, unless these may be shared.
    pub(crate) fn lost(
        &mut self,
        target: &Target,
        connector: &Connector,
        dataset: &dyn Dataset,
    ) -> Option<(Severity, Problem)> {
        let key = key(connector, dataset);
        let claim = self.held.get_mut(&key)?.claim.take()?;
        let dsn = connector.dsn();
        match claim.renew() {
            ClaimOutcome::Ours(claim) => {
                let lost =
                    claim.was_lost.then(|| Problem::new(msg!("lock-was-lost", dsn)).hint(msg!("look-for-other-runs")));
                self.held.get_mut(&key)?.claim = Some(claim);
                lost.map(|lost| (Severity::Warning, lost))
            }
            ClaimOutcome::Taken { connection, seen } if self.is_ours(&connection, &seen) => None,
            ClaimOutcome::Taken { connection, seen } => {
                let holder = announced(connector, dataset.schema(), &connection);
                let holder = holder.map_or(seen.clone(), |who| format!("{who} ({seen})"));
                let problem = Problem::new(msg!("lock-was-lost-to-other", dsn)).evidence(foreign(holder));
                let is_shared = target.allow.contains(&Allow::ShareTables);
                let severity = if is_shared { Severity::Warning } else { Severity::Error };
                Some((severity, problem.hint(msg!("look-for-other-runs"))))
            }
            // Whether it was is not known: the server does not answer any more, or has no such locks.
            ClaimOutcome::Unable(_) | ClaimOutcome::Foreign(_) => None,
        }
    }

    /// The number of connections to a server that hold locks.
    pub(crate) fn open(&self, connector: &Connector) -> u32 {
        self.numbers(connector).count() as u32
    }

    /// The server's numbers of these connections.
    pub(crate) fn connections(&self, connector: &Connector) -> Vec<u32> {
        let uses = self.uses.iter().filter(|(of, _)| is_same_server(of, connector));
        let uses = uses.map(|(_, claim)| claim.connection.as_str());
        self.numbers(connector).chain(uses).filter_map(|number| number.parse().ok()).collect()
    }

    fn numbers(&self, connector: &Connector) -> impl Iterator<Item = &str> {
        let claims = self.held.values().filter(|held| is_same_server(&held.connector, connector));
        let claims = claims.filter_map(|held| held.claim.as_ref());
        claims.map(|claim| claim.connection.as_str()).filter(|number| !number.is_empty())
    }

    /// Called before tables are dropped or created: fails if they are shared with another run, or used by one that has not locked them.
    pub fn alone(&self, connector: &Connector, dataset: &dyn Dataset) -> Result<(), Problem> {
        let Some(held) = self.held.get(&key(connector, dataset)) else { return Ok(()) };
        if let Some(problem) = &held.taken {
            return Err(problem.clone());
        }
        match user(connector, dataset.schema(), &self.connections(connector)) {
            Some(seen) => Err(taken(connector, dataset.schema(), &seen)),
            None => Ok(()),
        }
    }

    /// Says that a trial without a data set of ours uses the tables of the address, until [`Self::end_uses`]; others may do so at the same time. Of a
    /// target with commands of the user nothing is said: they may load its tables. `connections`: as many must be left for the trial.
    pub(crate) fn say_use(&mut self, target: &Target, connector: &Connector, connections: u32) {
        if target.sandbox.is_none() && target.hooks.is_empty() {
            self.uses.extend(claim_use(connector, connections).map(|claim| (connector.clone(), claim)));
        }
    }

    /// Called after a trial.
    pub(crate) fn end_uses(&mut self) {
        self.uses.clear();
    }

    /// Called when the mark of the tables is dropped and created again.
    pub(crate) fn unsay(&mut self, connector: &Connector, dataset: &dyn Dataset) {
        if let Some(held) = self.held.get_mut(&key(connector, dataset)) {
            held.noted = None;
        }
    }

    /// Stores the identity of the run in the mark of the tables, if that may be written and was not done; `make`: creates the mark if
    /// needed.
    pub fn say(&mut self, connector: &Connector, dataset: &dyn Dataset, make: bool) {
        let who = self.who.clone();
        let Some(held) = self.held.get_mut(&key(connector, dataset)) else { return };
        let Some(claim) = held.claim.as_ref().filter(|claim| !claim.connection.is_empty()) else { return };
        if !make && held.noted.as_ref() == Some(&claim.connection) {
            return;
        }
        // Without it others see only the connection.
        if announce(connector, dataset.schema(), &claim.connection, &who, make).is_ok() {
            (held.announced, held.noted) = (true, Some(claim.connection.clone()));
        }
    }

    /// Gives up the lock of a trial's schema before its server is stopped: the connection that holds it would be lost.
    pub(crate) fn release(&mut self, test_bed: &TestBed) {
        let Some(dataset) = test_bed.dataset.as_deref() else { return };
        if let Some(held) = self.held.remove(&key(&test_bed.connector, dataset)) {
            held.end(dataset.schema());
        }
    }

    /// `holder`: the content of a locked file, which has no connection.
    fn is_ours(&self, connection: &str, holder: &str) -> bool {
        let same = |held: &HeldClaim| held.claim.as_ref().is_some_and(|claim| claim.connection == connection);
        (!connection.is_empty() || holder == self.who) && self.held.values().any(same)
    }
}

/// Whether the schema is locked while a trial uses it: not needed for a data set that creates nothing, or on a private
/// server.
pub(crate) fn is_claimed(target: &Target, dataset: &dyn Dataset) -> bool {
    target.sandbox.is_none() && !dataset.statements().is_empty()
}

fn is_same_server(one: &Connector, other: &Connector) -> bool {
    let (one, other) = (one.dsn(), other.dsn());
    (&one.scheme, &one.host, one.port) == (&other.scheme, &other.host, other.port)
}

fn key(connector: &Connector, dataset: &dyn Dataset) -> (String, Option<String>) {
    (connector.dsn().to_string(), dataset.schema().map(str::to_owned))
}

fn taken(connector: &Connector, schema: Option<&str>, first: &str) -> Problem {
    let dsn = connector.dsn();
    let location = schema.map_or_else(|| foreign(dsn), |schema| msg!("schema-of", schema, dsn));
    Problem::new(msg!("schema-in-use", place = location)).evidence(foreign(first)).hint(msg!("wait-or-share-tables"))
}

impl Drop for Claims {
    fn drop(&mut self) {
        for ((_, schema), held) in std::mem::take(&mut self.held) {
            held.end(schema.as_deref());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tenbin_model::dsn::{Dsn, Scheme};

    #[test]
    fn what_could_not_be_locked_is_tried_again() {
        let dir = tempfile::tempdir().unwrap();
        let directory = dir.path().join("later");
        let dsn = format!("sqlite:{}", directory.join("a.db").display());
        let connector = Connector::new(Dsn::parse(&dsn).unwrap(), None).unwrap();
        let target = Target { dsn: Some(dsn), ..Target::named("a", 0) };
        let dataset = tenbin_workloads::dataset("sysbench", &BTreeMap::new(), Scheme::Sqlite).unwrap();
        let (mut claims, mut other) = (Claims::new("run a"), Claims::new("run b"));
        let take = |claims: &mut Claims| claims.take(&target, &connector, &*dataset);
        assert!(take(&mut claims).unwrap().is_some(), "there is no such directory");
        assert!(take(&mut claims).unwrap().is_none(), "which is said once");
        std::fs::create_dir(&directory).unwrap();
        assert!(take(&mut claims).unwrap().is_none());
        assert_eq!(take(&mut other).unwrap_err().code(), Some("schema-in-use"));
        // By another address it is the same file to the same run, and to another one.
        std::os::unix::fs::symlink(directory.join("a.db"), dir.path().join("link.db")).unwrap();
        let dsn = format!("sqlite:{}", dir.path().join("link.db").display());
        let linked = Connector::new(Dsn::parse(&dsn).unwrap(), None).unwrap();
        assert!(claims.take(&target, &linked, &*dataset).unwrap().is_none());
        assert_eq!(other.take(&target, &linked, &*dataset).unwrap_err().code(), Some("schema-in-use"));
    }

    #[test]
    fn a_lock_that_was_lost_in_a_trial_is_told() {
        let dir = tempfile::tempdir().unwrap();
        let dsn = format!("sqlite:{}", dir.path().join("a.db").display());
        let connector = Connector::new(Dsn::parse(&dsn).unwrap(), None).unwrap();
        let target = Target { dsn: Some(dsn), ..Target::named("a", 0) };
        let dataset = tenbin_workloads::dataset("sysbench", &BTreeMap::new(), Scheme::Sqlite).unwrap();
        let (mut claims, mut other) = (Claims::new("run a"), Claims::new("run b"));
        let lost = |claims: &mut Claims| {
            let lost = claims.lost(&target, &connector, &*dataset);
            lost.map(|(severity, problem)| (severity, problem.code().unwrap_or_default().to_owned()))
        };
        assert_eq!(lost(&mut claims), None, "nothing was locked");
        assert!(claims.take(&target, &connector, &*dataset).unwrap().is_none());
        assert_eq!(lost(&mut claims), None);
        let file = dir.path().join("a.db-tenbin");
        std::fs::remove_file(&file).unwrap();
        assert_eq!(lost(&mut claims), Some((Severity::Warning, "lock-was-lost".to_owned())));
        assert!(file.exists(), "it is locked again");
        assert_eq!(lost(&mut claims), None);
        std::fs::remove_file(&file).unwrap();
        assert!(other.take(&target, &connector, &*dataset).unwrap().is_none());
        assert_eq!(lost(&mut claims), Some((Severity::Error, "lock-was-lost-to-other".to_owned())));
        assert_eq!(claims.take(&target, &connector, &*dataset).unwrap_err().code(), Some("schema-in-use"));
        assert!(file.exists(), "the other one keeps its lock");
    }
}
