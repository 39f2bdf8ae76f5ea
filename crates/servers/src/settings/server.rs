//! One server: the lock of its variables, and what they are now. [`ServerSettings`] takes the lock before it changes anything, and reads
//! back what it has set.

use super::journal::{FormerValue, Journal};
use super::{Notes, PATIENCE, Present, PresentAndStored, ServerSettings, mysql, postgres};
use crate::claim::{self, ClaimOutcome};
use std::collections::BTreeMap;
use tenbin_driver::{Abandoned, Class, Connection, Connector, Error, event_loop};
use tenbin_model::dsn::Scheme;
use tenbin_model::event::Severity;
use tenbin_model::stop::StopSignal;
use tenbin_model::variables;
use tenbin_words::message::{Message, foreign};
use tenbin_words::msg;
use tenbin_words::problem::Problem;

impl ServerSettings {
    /// Locks the variables of a server, in this account and on the server; fails if another run is changing them. Returns why the
    /// server could not be locked.
    pub(super) fn lock(&mut self, server: &str) -> Result<Option<Message>, Problem> {
        if self.journal.is_none() {
            self.journal = Some(Journal::lock(server)?);
        }
        self.hold()
    }

    /// The same on the server alone, which has forgotten it if it was started again.
    pub(super) fn hold(&mut self) -> Result<Option<Message>, Problem> {
        let locked = match self.lock.take() {
            Some(lock) => lock.renew(),
            None => claim::claim_settings(&self.connector),
        };
        match locked {
            ClaimOutcome::Ours(lock) => {
                self.lock = Some(lock);
                Ok(None)
            }
            ClaimOutcome::Taken { seen: holder, .. } => {
                // What was set stays in the journal.
                if self.journal.as_ref().is_none_or(|journal| journal.text.is_none()) {
                    self.unlock();
                }
                let problem = Problem::new(msg!("settings-in-use")).evidence(foreign(holder));
                Err(problem.hint(msg!("wait-for-other-run")))
            }
            ClaimOutcome::Foreign(problem) => Err(problem),
            ClaimOutcome::Unable(why) => Ok(Some(why)),
        }
    }

    /// Whether another address is that of this server: who asks there for the lock of its variables finds it held by the connection that holds it here.
    pub fn is_at(&mut self, connector: &Connector) -> bool {
        let has_units = |connector: &Connector| connector.dsn().scheme.kind().has_units;
        if has_units(connector) != has_units(&self.connector) {
            return false;
        }
        let (held, for_now) = match self.lock.take() {
            Some(lock) => (lock.renew(), false),
            None => (claim::claim_settings(&self.connector), true),
        };
        let ClaimOutcome::Ours(lock) = held else { return false };
        let outcome = claim::claim_settings(connector);
        let is_same = matches!(&outcome, ClaimOutcome::Taken { connection, .. } if *connection == lock.connection);
        if !for_now {
            self.lock = Some(lock);
        }
        is_same
    }

    pub(super) fn unlock(&mut self) {
        self.journal = None;
        self.lock = None;
    }

    /// The variables that do not have the values any more with which they came when they were set.
    pub(super) fn lost(&self, stop: &StopSignal) -> Result<Option<Problem>, Problem> {
        if self.in_force.is_empty() {
            return Ok(None);
        }
        let present = self.present(&self.connector.until(stop))?;
        let evidence: Vec<Message> = self
            .came
            .iter()
            .filter_map(|(variable, came)| {
                let now = present.get(variable).map_or("", |now| now.value.as_str());
                let value = self.in_force.get(variable)?;
                (came.value != now).then(|| msg!("setting-was-lost", variable, value, now))
            })
            .collect();
        let what = msg!("settings-were-lost", dsn = self.connector.dsn());
        Ok((!evidence.is_empty()).then(|| Problem::new(what).evidence(Message::joined(evidence, "\n"))))
    }

    pub(super) fn present(&self, connector: &Connector) -> Result<BTreeMap<String, Present>, Problem> {
        match connector.dsn().scheme {
            Scheme::Postgres => of_sessions(connector),
            _ => asking(connector, mysql::present),
        }
    }

    /// The values in force, and those that are stored for the next start.
    pub(super) fn present_and_stored(&self, connector: &Connector) -> Result<PresentAndStored, Problem> {
        match connector.dsn().scheme {
            Scheme::Postgres => Ok((of_sessions(connector)?, asking(connector, postgres::stored)?)),
            _ => asking(connector, async |c| Ok((mysql::present(c).await?, mysql::stored(c).await))),
        }
    }

    /// Whether its numbers have units (PostgreSQL).
    pub(super) fn has_units(&self) -> bool {
        self.connector.dsn().scheme.kind().has_units
    }

    /// The values of these variables as the server shows them.
    pub(super) fn shown(&self, of: &BTreeMap<String, String>) -> Result<BTreeMap<String, String>, Problem> {
        let present = self.present(&self.connector)?;
        Ok(of.keys().filter_map(|name| Some((name.clone(), with_unit(present.get(name)?)))).collect())
    }

    /// Reads the values back: a problem if one did not come.
    pub(super) fn compared(
        &self,
        wanted: &BTreeMap<String, String>,
        former: &BTreeMap<String, FormerValue>,
        warnings: &[(String, String)],
    ) -> Result<(), Problem> {
        let (adjusted, _) = self.compared_in(wanted, former, warnings)?;
        adjusted.into_iter().next().map_or(Ok(()), |(_, problem)| Err(problem))
    }

    /// The same; a number that the server has adjusted is a note. Returns what they are, too.
    pub(super) fn compared_in(
        &self,
        wanted: &BTreeMap<String, String>,
        former: &BTreeMap<String, FormerValue>,
        warnings: &[(String, String)],
    ) -> Result<(Notes, BTreeMap<String, Present>), Problem> {
        let postgres = self.connector.dsn().scheme.kind().has_units;
        let present = self.present(&self.connector)?;
        let (mut notes, mut came) = (Vec::new(), BTreeMap::new());
        for (name, value) in wanted {
            let now = present.get(name).cloned().unwrap_or_default();
            came.insert(name.clone(), now.clone());
            if is_value(name, value, &now, postgres) {
                continue;
            }
            let messages = warnings.iter().filter(|(of, _)| of == name).map(|(_, warning)| foreign(warning));
            let evidence = msg!("setting-is-now", variable = name, value = now.value);
            let evidence = Message::joined([evidence].into_iter().chain(messages), "\n");
            let moved = former.get(name).is_some_and(|former| !is_value(name, &former.value, &now, postgres));
            let numbers = now.value.parse::<f64>().is_ok()
                && (value.parse::<f64>().is_ok() || variables::in_bytes(value).is_some());
            if moved && numbers {
                let note = Problem::new(msg!("setting-adjusted", variable = name, value));
                notes.push((Severity::Warning, note.evidence(evidence)));
            } else {
                let problem = Problem::new(msg!("setting-did-not-come", variable = name, value)).evidence(evidence);
                return Err(problem.hint(msg!("give-value-that-server-takes")));
            }
        }
        Ok((notes, came))
    }
}

/// A value with its unit, unless that is a number of others, as `8kB`.
pub(super) fn with_unit(now: &Present) -> String {
    match now.unit.starts_with(|c: char| c.is_alphabetic()) && now.value.parse::<f64>().is_ok() {
        true => format!("{}{}", now.value, now.unit),
        false => now.value.clone(),
    }
}

/// Whether a value that was asked for is the present one of this variable.
pub(crate) fn is_value(name: &str, wanted: &str, now: &Present, postgres: bool) -> bool {
    if postgres { postgres::same(name, wanted, now) } else { variables::has_value(name, wanted, &now.value) }
}

/// The settings of PostgreSQL as sessions have them by the server and the account.
pub(super) fn of_sessions(connector: &Connector) -> Result<BTreeMap<String, Present>, Problem> {
    asking_on(connector, Connector::connect_for_settings, postgres::present).or_else(|problem| {
        // A limit for statements may end the question.
        asking(connector, postgres::present).map_err(|_| problem)
    })
}

/// Asks a server on a new connection.
pub(super) fn asking<T>(
    connector: &Connector,
    what: impl AsyncFnOnce(&mut Connection) -> Result<T, Error>,
) -> Result<T, Problem> {
    asking_on(connector, Connector::connect_ready, what)
}

pub(super) fn asking_on<T>(
    connector: &Connector,
    connect: impl AsyncFnOnce(&Connector) -> Result<Connection, Error>,
    what: impl AsyncFnOnce(&mut Connection) -> Result<T, Error>,
) -> Result<T, Problem> {
    let doing = || msg!("setting-variables-of", dsn = connector.dsn());
    event_loop()?.block_on(async {
        let answer = connector.within(PATIENCE, async {
            let mut c =
                connect(connector).await.map_err(|e| e.problem(msg!("connecting-to", dsn = connector.dsn())))?;
            let answer = what(&mut c).await.map_err(|e| e.problem(doing()))?;
            c.leave().await;
            Ok(answer)
        });
        answer.await.unwrap_or_else(|why| {
            let why = match why {
                Abandoned::Stopped => msg!("command-was-stopped"),
                Abandoned::Slow => msg!("server-did-not-answer-in-time"),
            };
            Err(Error::new(Class::Lost, why).problem(doing()))
        })
    })
}
