//! Everything outside of a run, passed in so that whole runs can be tested without it: time, servers, facts about them
//! and about this machine, observers, and the engine. [`Live`](crate::Live) is the real one; that of the tests is in
//! `tests/run/fake`.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};
use tenbin_driver::Connector;
use tenbin_engine::Drive;
use tenbin_hosts::{HostEvent, HostsEnded};
use tenbin_model::cloud::CloudAccess;
use tenbin_model::dsn::{Dsn, Password};
use tenbin_model::event::ClientsBeside;
use tenbin_model::inspection::ServerInspection;
use tenbin_model::stop::StopSignal;
use tenbin_model::trial::{LinkSpec, Target, Trial};
use tenbin_observers::{Sampling, Subject};
use tenbin_servers::Waiting;
use tenbin_servers::command::{CommandEnd, UserCommand};
use tenbin_servers::disk::Room;
use tenbin_servers::doctor::Needs;
use tenbin_servers::facts::Facts;
use tenbin_servers::finding::Finding;
use tenbin_servers::link::SimulatedLink;
use tenbin_servers::offline::DataChange;
use tenbin_servers::replica::ReplicaSubject;
use tenbin_servers::role::Role;
use tenbin_servers::sandbox;
use tenbin_servers::settings::SettingsChange;
use tenbin_words::message::Message;
use tenbin_words::problem::Problem;
use tenbin_workload::{Dataset, Progress, Workload};

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
    /// The variables of an existing server, for a run of this name. What an interrupted run has left changed is put
    /// back.
    fn settings(
        &self,
        target: &Target,
        connector: &Connector,
        run: &str,
    ) -> Result<(Box<dyn TargetSettings>, SettingsChange), Problem>;
    /// Opens a simulated link to a private server.
    fn link(&self, server: &Connector, link: LinkSpec) -> Result<SimulatedLink, Problem>;
    /// Lets a server write what it has changed; `private`: Tenbin has started it. `None` if it does nothing in the background.
    fn settling(&self, connector: &Connector, private: bool) -> Result<Option<Box<dyn Settling>>, Problem>;
    /// Lets a private server replicate from another one, with a delay in seconds.
    fn replicate(&self, source: &Connector, replica: &ReplicaSubject, delay_s: u64) -> Result<(), Problem>;
    /// Runs a command of the user.
    fn command(&self, command: &UserCommand<'_>, stop: &StopSignal) -> Result<CommandEnd, Problem>;
    /// What the server of a target says of itself now, and of these tables; `None` if it does not say anything.
    fn inspect(
        &self,
        target: &Target,
        connector: &Connector,
        tables: &[String],
    ) -> Result<Option<ServerInspection>, Problem>;
    /// Facts about a server.
    fn server(&self, connector: &Connector) -> Result<Facts, Problem>;
    /// Facts about the machine of a server, for the table of machines; none if it cannot be looked at. `server` are the
    /// server's own facts, and `pid` is its process if that is known.
    fn machine(
        &self,
        target: &Target,
        connector: &Connector,
        pid: Option<u32>,
        server: &Facts,
    ) -> Result<Facts, Problem>;
    /// What the provider of a managed server says of it: facts, and whether it is ready and has this address.
    fn managed(&self, access: &CloudAccess, dsn: &Dsn, stop: &StopSignal) -> Result<(Facts, Vec<Finding>), Problem>;
    /// The process of a server, if it runs on this machine and can be identified.
    fn process(&self, connector: &Connector) -> Option<u32>;
    /// Whether a process of this machine is known to be in the scheduling group of this process.
    fn same_scheduling_group(&self, pid: u32) -> bool;
    /// Fails if the trial may not write; returns the server's role in replication, `None` for a private one.
    fn may_write(&self, trial: &Trial, connector: &Connector) -> Result<Option<Role>, Problem>;
    /// Fails if our tables must not be dropped, because others have attached something to them.
    fn may_drop(&self, trial: &Trial, connector: &Connector) -> Result<(), Problem>;
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
    /// A workload that does nothing, on the same connections and threads as `like`; `None` if there is no server.
    fn round_trips(&self, connector: &Connector, like: &dyn Workload) -> Option<Arc<dyn Workload>>;
    /// Starts the observers that apply, except for those named in `without`.
    fn observe(&self, subject: &Subject, sampling: Sampling, without: &[&str]) -> Box<dyn Observers>;
    /// What loads the rows of data sets together; `None`: this process loads them alone.
    fn loaders(&self) -> Option<&dyn SliceLoaders>;
    /// The number of threads that was found best on this machine for loads of this description, as it was remembered.
    fn remembered_threads(&self, _scope: &str) -> Option<String> {
        None
    }
    /// Remembers it for later runs.
    fn remember_threads(&self, _scope: &str, _word: &str) {}
    /// [`tenbin_engine::drive`], in this process or on load hosts.
    fn drive(
        &self,
        work: &Work<'_>,
        stop: &StopSignal,
        listener: &mut dyn FnMut(HostEvent) -> Result<(), Problem>,
    ) -> Result<HostsEnded, Problem>;
    /// Several drives at the same time, in this process. Their clients start together, when all of them are connected or have ended.
    fn drive_together(&self, works: &[Work<'_>], stop: &StopSignal, listener: TogetherListener<'_>)
    -> Vec<EndedBeside>;
}

/// How one of several drives at the same time ended.
pub struct EndedBeside {
    /// As if it had been alone; its CPU time is without that of the threads of the others.
    pub ended: Result<HostsEnded, Problem>,
    /// The threads of the others.
    pub beside: ClientsBeside,
}

/// Hears what several drives at the same time report: the number of the drive, and the event.
pub type TogetherListener<'l> = &'l mut dyn FnMut(usize, HostEvent) -> Result<(), Problem>;

/// Processes that load the rows of a data set together, each a slice.
pub trait SliceLoaders: Sync {
    /// How many there are.
    fn count(&self) -> u32;
    /// Fails if one of them is lost.
    fn ready(&self) -> Result<(), Problem>;
    /// Inserts all rows of the trial's data set into tables that exist; returns how many the processes have inserted together.
    fn load(
        &self,
        trial: &Trial,
        connector: &Connector,
        seed: u64,
        progress: Progress<'_>,
        stop: &StopSignal,
    ) -> Result<u64, Problem>;
}

/// What clients do in a drive, with all that a load host needs to know of it.
pub struct Work<'a> {
    /// Clients, time, control.
    pub drive: &'a Drive,
    /// The trial that it belongs to.
    pub trial: &'a Trial,
    /// The connector to the server.
    pub connector: &'a Connector,
    /// The trial's workload, or its round trips.
    pub workload: &'a Arc<dyn Workload>,
    /// Whether it is [`Environment::round_trips`].
    pub round_trips: bool,
}

/// A running private server; dropping it stops it.
pub trait PrivateServer: Send {
    /// Its address.
    fn dsn(&self) -> String;
    /// Its process; `None` if there is none.
    fn pid(&self) -> Option<u32>;
    /// The problem if it has ended unexpectedly; `None` while it runs.
    fn ended(&self) -> Option<Problem>;
    /// Its data directory.
    fn data_directory(&self) -> PathBuf;
    /// Stops it, makes the change of its data, and starts it again; see [`Sandbox::offline`](sandbox::Sandbox::offline).
    fn offline(&mut self, discarded: bool, change: &mut dyn DataChange) -> Result<Duration, Problem>;
}

/// A server that settles.
pub trait Settling {
    /// What it refused to write.
    fn refused(&self) -> Option<Problem>;
    /// How much is left to do, by the names of [`tenbin_verdict::settling`].
    fn debts(&mut self) -> Result<BTreeMap<String, f64>, Problem>;
}

/// The variables of an existing server. Dropping it puts them back.
pub trait TargetSettings: Send {
    /// Sets those of the target, and puts back others that were set. If that fails, all are put back.
    fn bring(&mut self, target: &Target, stop: &StopSignal) -> Result<SettingsChange, Problem>;
    /// The server was started again, and may not have kept them; `stored`: what it stores may have been replaced too.
    fn restarted(&mut self, stored: bool);
    /// Whether another address is that of the same server.
    fn is_at(&mut self, _connector: &Connector) -> bool {
        false
    }
    /// Puts all back.
    fn put_back(&mut self) -> Result<SettingsChange, Problem>;
}

/// Running observers: the operations of a [`Watch`](tenbin_observers::Watch).
pub trait Observers {
    /// The next event.
    fn next(&self) -> Option<tenbin_observers::ObserverEvent>;
    /// Lets all take a sample before the clients connect.
    fn begin(&self);
    /// Lets all take another sample at an edge of the measured window, and waits at most this long for those that read
    /// only then.
    fn edge(&self, patience: Duration);
    /// The number of open connections to servers.
    fn connections(&self) -> u32;
    /// Keeps observers from querying their server while `work` is running.
    fn quietly(&self, work: &mut dyn FnMut());
    /// Lets all take a last sample, and waits for it.
    fn finish(&self);
    /// Those that hang.
    fn hung(&self) -> Vec<&'static str>;
}
