//! Everything outside of a run, passed in so that whole runs can be tested without it: time, servers, facts about them
//! and about this machine, observers, and the engine. [`Live`](crate::Live) is the real one; that of the tests is in
//! `tests/run/fake.rs`.

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
use tenbin_targets::Waiting;
use tenbin_targets::disk::Room;
use tenbin_targets::doctor::{Finding, Needs};
use tenbin_targets::facts::Facts;
use tenbin_targets::observer::{self, Sampling, Subject};
use tenbin_targets::role::Role;
use tenbin_targets::sandbox;
use tenbin_workload::{Dataset, Workload};

/// Everything outside of a run. Servers are accessed through these functions, or by the data set and the workload that
/// they create.
pub trait Environment {
    /// Now, on the clock that events count from.
    fn now(&self) -> Instant;
    /// Now by the wall clock, RFC 3339 with offset.
    fn date(&self) -> String;
    /// Lets time pass.
    fn sleep(&self, time: Duration);
    /// Does `work` on another thread, and calls `look` on this one from time to time until it has ended. Returns
    /// `false` if `work` panicked.
    fn beside(&self, work: Box<dyn FnOnce() + Send + '_>, look: &mut dyn FnMut()) -> bool;

    /// Facts about this machine.
    fn client(&self) -> Facts;
    /// Whether something else uses this machine's processors.
    fn others_at_work(&self) -> Option<Finding>;

    /// The connector to an existing server.
    fn connector(&self, target: &Target, passwords: &BTreeMap<String, Password>) -> Result<Connector, Problem>;
    /// Starts a private server and waits until it accepts connections.
    fn sandbox(&self, options: &sandbox::Options) -> Result<Box<dyn PrivateServer>, Problem>;
    /// Facts about a server.
    fn server(&self, connector: &Connector) -> Result<Facts, Problem>;
    /// The process of a server, if it runs on this machine and can be identified.
    fn process(&self, connector: &Connector) -> Option<u32>;
    /// Fails if the trial may not write; returns the server's role in replication, `None` for a private one.
    fn may_write(&self, trial: &Trial, connector: &Connector) -> Result<Option<Role>, Problem>;
    /// Compares what a trial needs with what its server allows.
    fn preflight(&self, connector: &Connector, needs: &Needs) -> Vec<Finding>;
    /// The disk on which a data set is stored, and how many bytes of it may exist already; or why that is unknown.
    fn room(&self, dataset: &dyn Dataset, connector: &Connector, pid: Option<u32>) -> Result<(Room, u64), Message>;
    /// The activity of a server that has not answered for a while.
    fn waiting(&self, connector: &Connector) -> Waiting;

    /// The trial's data set, its options checked; `None` when it has none.
    fn dataset(&self, trial: &Trial) -> Result<Option<Box<dyn Dataset>>, Problem>;
    /// The trial's workload, its options checked.
    fn workload(&self, trial: &Trial, connector: &Connector) -> Result<Arc<dyn Workload>, Problem>;
    /// Starts the observers that apply, except for those named in `without`.
    fn observe(&self, subject: &Subject, sampling: Sampling, without: &[&str]) -> Box<dyn Observers>;
    /// [`tenbin_engine::drive`].
    fn drive(
        &self,
        what: &Drive,
        workload: &Arc<dyn Workload>,
        stop: &StopSignal,
        listener: &mut dyn FnMut(EngineEvent) -> Result<(), Problem>,
    ) -> Result<Ended, Problem>;
}

/// A running private server; dropping it stops it.
pub trait PrivateServer {
    /// Its address.
    fn dsn(&self) -> String;
    /// Its process; `None` if there is none.
    fn pid(&self) -> Option<u32>;
    /// The problem if it has ended unexpectedly; `None` while it runs.
    fn ended(&self) -> Option<Problem>;
}

/// Running observers: the operations of a [`Watch`](observer::Watch).
pub trait Observers {
    /// The next event.
    fn next(&self) -> Option<observer::ObserverEvent>;
    /// Lets all take a sample before the clients connect.
    fn begin(&self);
    /// Lets all take another sample, without waiting for it.
    fn sample(&self);
    /// The number of open connections to servers.
    fn connections(&self) -> u32;
    /// Keeps observers from querying their server while `work` is running.
    fn quietly(&self, work: &mut dyn FnMut());
    /// Lets all take a last sample, and waits for it.
    fn finish(&self);
    /// Those that hang.
    fn hung(&self) -> Vec<&'static str>;
}
