//! The environment of a real run: this machine, its clocks and threads, and servers over real connections.

use crate::environment::{Environment, Observers, PrivateServer};
use crate::{permission, room, test_bed};
use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::{Duration, Instant};
use tenbin_driver::Connector;
use tenbin_engine::{Drive, Ended, EngineEvent};
use tenbin_model::dsn::Password;
use tenbin_model::message::Message;
use tenbin_model::problem::Problem;
use tenbin_model::stop::StopSignal;
use tenbin_model::trial::{Target, Trial};
use tenbin_targets::disk::Room;
use tenbin_targets::doctor::{self, Finding, Needs};
use tenbin_targets::facts::{self, Facts};
use tenbin_targets::observer::{self, Sampling, Subject, Watch};
use tenbin_targets::role::Role;
use tenbin_targets::sandbox::{self, Sandbox};
use tenbin_targets::{Waiting, listener};
use tenbin_workload::{Dataset, Workload};

/// The real [`Environment`].
#[derive(Debug, Clone, Copy)]
pub struct Live<'a> {
    /// The observers of each trial, as far as they apply to it.
    pub observers: &'a [observer::ObserverEntry],
}

impl Default for Live<'_> {
    fn default() -> Self {
        Live { observers: observer::ALL }
    }
}

/// How often work on another thread is checked.
const LOOK: Duration = Duration::from_millis(20);

impl Environment for Live<'_> {
    fn now(&self) -> Instant {
        Instant::now()
    }

    fn date(&self) -> String {
        jiff::Zoned::now().strftime("%Y-%m-%dT%H:%M:%S%:z").to_string()
    }

    fn sleep(&self, time: Duration) {
        std::thread::sleep(time);
    }

    fn beside(&self, work: Box<dyn FnOnce() + Send + '_>, look: &mut dyn FnMut()) -> bool {
        std::thread::scope(|scope| {
            let working = scope.spawn(work);
            while !working.is_finished() {
                std::thread::sleep(LOOK);
                look();
            }
            working.join().is_ok()
        })
    }

    fn client(&self) -> Facts {
        facts::client()
    }

    fn others_at_work(&self) -> Option<Finding> {
        doctor::others_at_work()
    }

    fn connector(&self, target: &Target, passwords: &BTreeMap<String, Password>) -> Result<Connector, Problem> {
        test_bed::connector(target, passwords)
    }

    fn sandbox(&self, options: &sandbox::Options) -> Result<Box<dyn PrivateServer>, Problem> {
        Ok(Box::new(Sandbox::start(options)?))
    }

    fn server(&self, connector: &Connector) -> Result<Facts, Problem> {
        facts::server(connector)
    }

    fn process(&self, connector: &Connector) -> Option<u32> {
        listener::process(connector)
    }

    fn may_write(&self, trial: &Trial, connector: &Connector) -> Result<Option<Role>, Problem> {
        permission::may_write(trial, connector)
    }

    fn preflight(&self, connector: &Connector, needs: &Needs) -> Vec<Finding> {
        doctor::preflight(connector, needs)
    }

    fn room(&self, dataset: &dyn Dataset, connector: &Connector, pid: Option<u32>) -> Result<(Room, u64), Message> {
        room::of_data(dataset, connector, pid)
    }

    fn waiting(&self, connector: &Connector) -> Waiting {
        tenbin_targets::waiting(connector)
    }

    fn dataset(&self, trial: &Trial) -> Result<Option<Box<dyn Dataset>>, Problem> {
        test_bed::dataset(trial)
    }

    fn workload(&self, trial: &Trial, connector: &Connector) -> Result<Arc<dyn Workload>, Problem> {
        test_bed::workload(trial, connector).map(Arc::from)
    }

    fn observe(&self, subject: &Subject, sampling: Sampling, without: &[&str]) -> Box<dyn Observers> {
        let entries: Vec<_> = self.observers.iter().filter(|entry| !without.contains(&entry.name)).copied().collect();
        Box::new(observer::watch(&entries, subject, sampling))
    }

    fn drive(
        &self,
        what: &Drive,
        workload: &Arc<dyn Workload>,
        stop: &StopSignal,
        listener: &mut dyn FnMut(EngineEvent) -> Result<(), Problem>,
    ) -> Result<Ended, Problem> {
        tenbin_engine::drive(what, workload, stop, listener)
    }
}

impl PrivateServer for Sandbox {
    fn dsn(&self) -> String {
        Sandbox::dsn(self)
    }

    fn pid(&self) -> Option<u32> {
        Sandbox::pid(self)
    }

    fn ended(&self) -> Option<Problem> {
        Sandbox::ended(self)
    }
}

impl Observers for Watch {
    fn next(&self) -> Option<observer::ObserverEvent> {
        Watch::next(self)
    }

    fn begin(&self) {
        Watch::begin(self);
    }

    fn sample(&self) {
        Watch::sample(self);
    }

    fn connections(&self) -> u32 {
        Watch::connections(self)
    }

    fn quietly(&self, work: &mut dyn FnMut()) {
        Watch::quietly(self, work);
    }

    fn finish(&self) {
        Watch::finish(self);
    }

    fn hung(&self) -> Vec<&'static str> {
        Watch::hung(self)
    }
}
