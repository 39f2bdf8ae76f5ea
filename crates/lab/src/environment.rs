//! What a run touches outside of itself, handed in so that whole runs can be tested without any of it: time, servers, what is
//! known of them and of this machine, observers, and the engine. [`Live`](crate::Live) is the real one; the tests' is in
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

/// Everything outside of a run. A server is asked through these functions, or by the data set and the workload that they make.
pub trait Environment {
    /// Now, on the clock that events count from.
    fn now(&self) -> Instant;
    /// Now by the wall clock, RFC 3339 with offset.
    fn date(&self) -> String;
    /// Lets time pass.
    fn sleep(&self, time: Duration);
    /// Does `work` on a thread of its own, and calls `look` on this one from time to time until it has ended. Answers whether it
    /// came to its end: `false` when it panicked.
    fn beside(&self, work: Box<dyn FnOnce() + Send + '_>, look: &mut dyn FnMut()) -> bool;

    /// What is known of this machine.
    fn client(&self) -> Facts;
    /// Whether something else uses this machine's processors.
    fn others_at_work(&self) -> Option<Finding>;

    /// The way to a server that is already there.
    fn connector(&self, target: &Target, passwords: &BTreeMap<String, Password>) -> Result<Connector, Problem>;
    /// Starts a private server and waits until it takes connections.
    fn sandbox(&self, options: &sandbox::Options) -> Result<Box<dyn PrivateServer>, Problem>;
    /// What a server says of itself.
    fn server(&self, connector: &Connector) -> Result<Facts, Problem>;
    /// A server's process, when it runs on this machine, as far as it can be told.
    fn process(&self, connector: &Connector) -> Option<u32>;
    /// Fails where the trial may not write; answers with the server's part in replication, `None` for a private one.
    fn may_write(&self, trial: &Trial, connector: &Connector) -> Result<Option<Role>, Problem>;
    /// Compares what a trial needs with what its server allows.
    fn preflight(&self, connector: &Connector, needs: &Needs) -> Vec<Finding>;
    /// The disk that a data set goes to, and how many bytes of it may be there already; or why that is not known.
    fn room(&self, dataset: &dyn Dataset, connector: &Connector, pid: Option<u32>) -> Result<(Room, u64), Message>;
    /// What a server is busy with that has not answered for a while.
    fn waiting(&self, connector: &Connector) -> Waiting;

    /// The trial's data set, its options checked; `None` when it has none.
    fn dataset(&self, trial: &Trial) -> Result<Option<Box<dyn Dataset>>, Problem>;
    /// The trial's workload, its options checked.
    fn workload(&self, trial: &Trial, connector: &Connector) -> Result<Arc<dyn Workload>, Problem>;
    /// Starts the observers that fit, but for those named in `without`.
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

/// A private server that is up; dropping it stops it.
pub trait PrivateServer {
    /// Its address.
    fn dsn(&self) -> String;
    /// Its process; `None` where there is none.
    fn pid(&self) -> Option<u32>;
    /// That it has ended without having been told to; `None` while it runs.
    fn ended(&self) -> Option<Problem>;
}

/// Observers at work: what a [`Watch`](observer::Watch) does.
pub trait Observers {
    /// What was seen and not taken yet.
    fn next(&self) -> Option<observer::ObserverEvent>;
    /// Lets all read before the clients connect.
    fn begin(&self);
    /// Lets all read once more, without waiting for it.
    fn sample(&self);
    /// How many connections to servers are open.
    fn connections(&self) -> u32;
    /// Keeps those that connect from asking their server while this works.
    fn quietly(&self, work: &mut dyn FnMut());
    /// Lets all read a last time, and waits for it.
    fn finish(&self);
    /// Those that hang.
    fn hung(&self) -> Vec<&'static str>;
}
