//! Servers without a process, and their variables.

use super::{Shared, locked};
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;
use tenbin_lab::{PrivateServer, Settling, TargetSettings};
use tenbin_model::names::debts;
use tenbin_model::stop::StopSignal;
use tenbin_model::trial::Target;
use tenbin_servers::offline::DataChange;
use tenbin_servers::settings::SettingsChange;
use tenbin_words::message::foreign;
use tenbin_words::problem::Problem;

/// A private server of this target.
pub struct FakeServer(pub Arc<Shared>, pub String);

impl PrivateServer for FakeServer {
    fn dsn(&self) -> String {
        format!("mysql://{}/d", self.1)
    }

    fn pid(&self) -> Option<u32> {
        None
    }

    fn ended(&self) -> Option<Problem> {
        locked(&self.0.down).contains(&self.1).then(|| Problem::new(foreign(format!("{} has ended by itself", self.1))))
    }

    fn data_directory(&self) -> PathBuf {
        PathBuf::new()
    }

    fn offline(&mut self, _: bool, _: &mut dyn DataChange) -> Result<Duration, Problem> {
        Err(Problem::new(foreign("it has no data directory")))
    }
}

impl Drop for FakeServer {
    fn drop(&mut self) {
        self.0.line(&format!("  [{} is stopped]", self.1));
    }
}

/// A server that settles as the test says.
pub struct FakeSettling(pub Arc<Shared>, pub fn(u64) -> f64);

impl Settling for FakeSettling {
    fn refused(&self) -> Option<Problem> {
        None
    }

    fn debts(&mut self) -> Result<BTreeMap<String, f64>, Problem> {
        let at_ms = locked(&self.0.passed).as_millis() as u64;
        Ok(BTreeMap::from([(debts::DIRTY_PAGES.to_owned(), (self.1)(at_ms))]))
    }
}

/// Variables of a server that is not private. It refuses the value `refused`.
pub struct FakeSettings {
    pub shared: Arc<Shared>,
    pub server: String,
    pub now: BTreeMap<String, String>,
}

impl TargetSettings for FakeSettings {
    fn bring(&mut self, target: &Target, _: &StopSignal) -> Result<SettingsChange, Problem> {
        let is_lost = self.shared.script.inspected && !self.shared.inspection(target).unlike.is_empty();
        if self.now == target.server && !is_lost {
            return Ok(SettingsChange::default());
        }
        if target.server.values().any(|value| value == "refused") {
            self.put_back()?;
            return Err(Problem::new(foreign("the server refuses it")));
        }
        self.now = target.server.clone();
        locked(&self.shared.variables).entry(self.server.clone()).or_default().extend(self.now.clone());
        self.shared.line(&format!("  [{} has {:?}]", self.server, self.now));
        Ok(SettingsChange { changed: true, notes: Vec::new() })
    }

    fn restarted(&mut self, _: bool) {
        self.now.clear();
    }

    fn put_back(&mut self) -> Result<SettingsChange, Problem> {
        if !self.now.is_empty() {
            self.shared.line(&format!("  [{} is as it was]", self.server));
        }
        self.now.clear();
        Ok(SettingsChange::default())
    }
}

impl Drop for FakeSettings {
    fn drop(&mut self) {
        let _ = self.put_back();
    }
}
