//! The environment of a real run: this machine, its clocks and threads, and servers over real connections.

use crate::ceiling::RoundTrips;
use crate::environment::{
    EndedBeside, Environment, Observers, PrivateServer, Settling, SliceLoaders, TargetSettings, TogetherListener, Work,
};
use crate::load_hosts::{self, LoadHostSets};
use crate::{permission, room, test_bed, together, variables};
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::{Duration, Instant};
use tenbin_driver::Connector;
use tenbin_hosts::{HostEvent, HostsEnded};
use tenbin_model::cloud::CloudAccess;
use tenbin_model::dsn::{Dsn, Password};
use tenbin_model::inspection::{NO_FILE, ServerInspection};
use tenbin_model::stop::StopSignal;
use tenbin_model::trial::{LinkSpec, Target, Trial};
use tenbin_observers::{Sampling, Subject, Watch};
use tenbin_servers::command::{CommandEnd, UserCommand};
use tenbin_servers::disk::Room;
use tenbin_servers::doctor::{self, Needs};
use tenbin_servers::facts::{self, Facts};
use tenbin_servers::finding::Finding;
use tenbin_servers::inspection::{self, Wanted};
use tenbin_servers::link::SimulatedLink;
use tenbin_servers::offline::DataChange;
use tenbin_servers::replica::ReplicaSubject;
use tenbin_servers::role::Role;
use tenbin_servers::sandbox::{self, Sandbox};
use tenbin_servers::settings::SettingsChange;
use tenbin_servers::settling::SettlingServer;
use tenbin_servers::{Waiting, cloud, machine};
use tenbin_words::message::Message;
use tenbin_words::problem::Problem;
use tenbin_workload::tables::definition;
use tenbin_workload::{Dataset, Workload};

/// The real [`Environment`].
#[derive(Debug, Clone, Copy)]
pub struct Live<'a> {
    /// The observers of each trial, as far as they apply to it.
    pub observers: &'a [tenbin_observers::ObserverEntry],
    /// The load hosts that drive the clients of trials that ask for some; this process drives the others.
    pub hosts: Option<&'a LoadHostSets>,
    /// Whether it is looked at what else the machine does and at the limits of servers before a trial.
    pub checks: bool,
}

/// Begins to look at this machine, for a run that starts soon.
pub fn look_at_machine() {
    machine::ask_ahead();
}

impl Default for Live<'_> {
    fn default() -> Self {
        Live { observers: tenbin_observers::ALL, hosts: None, checks: true }
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
            // Dropped when the work is over, also by a panic: short work is not waited for longer than it takes.
            let (at_work, over) = mpsc::sync_channel::<()>(0);
            let working = scope.spawn(move || {
                let _at_work = at_work;
                work();
            });
            while over.recv_timeout(LOOK) == Err(RecvTimeoutError::Timeout) {
                look();
            }
            working.join().is_ok()
        })
    }

    fn client(&self) -> Facts {
        machine::client()
    }

    fn others_at_work(&self) -> Option<Finding> {
        self.checks.then(doctor::others_at_work).flatten()
    }

    fn connector(&self, target: &Target, passwords: &BTreeMap<String, Password>) -> Result<Connector, Problem> {
        test_bed::connector(target, passwords)
    }

    fn sandbox(&self, options: &sandbox::Options) -> Result<Box<dyn PrivateServer>, Problem> {
        Ok(Box::new(Sandbox::start(options)?))
    }

    fn settings(
        &self,
        target: &Target,
        connector: &Connector,
        run: &str,
    ) -> Result<(Box<dyn TargetSettings>, SettingsChange), Problem> {
        variables::open(target, connector, run)
    }

    fn link(&self, server: &Connector, link: LinkSpec) -> Result<SimulatedLink, Problem> {
        SimulatedLink::to(server.dsn().port.unwrap_or_default(), link)
    }

    fn settling(&self, connector: &Connector, private: bool) -> Result<Option<Box<dyn Settling>>, Problem> {
        let begun = SettlingServer::begin(connector, private)?;
        Ok(begun.map(|server| Box::new(server) as Box<dyn Settling>))
    }

    fn replicate(&self, source: &Connector, replica: &ReplicaSubject, delay_s: u64) -> Result<(), Problem> {
        sandbox::replication::follow(source, replica, delay_s)
    }

    fn command(&self, command: &UserCommand<'_>, stop: &StopSignal) -> Result<CommandEnd, Problem> {
        tenbin_servers::command::run(command, stop)
    }

    fn inspect(
        &self,
        target: &Target,
        connector: &Connector,
        tables: &[String],
    ) -> Result<Option<ServerInspection>, Problem> {
        let wanted = if target.sandbox.is_some() { Wanted::Options } else { Wanted::Variables };
        let mut inspection = inspection::inspect(connector, wanted(&target.server))?;
        if let Some(inspection) = inspection.as_mut().filter(|inspection| inspection.identity != NO_FILE) {
            inspection.facts.extend(definition::found(connector, tables)?);
        }
        Ok(inspection)
    }

    fn server(&self, connector: &Connector) -> Result<Facts, Problem> {
        facts::server(connector)
    }

    fn machine(
        &self,
        target: &Target,
        connector: &Connector,
        pid: Option<u32>,
        server: &Facts,
    ) -> Result<Facts, Problem> {
        machine::of_server(target.host.as_ref(), connector, pid, server)
    }

    fn managed(&self, access: &CloudAccess, dsn: &Dsn, stop: &StopSignal) -> Result<(Facts, Vec<Finding>), Problem> {
        let server = cloud::describe(access, stop)?;
        Ok((server.facts(access), server.findings(access, dsn)))
    }

    fn process(&self, connector: &Connector) -> Option<u32> {
        machine::process_here(connector)
    }

    fn same_scheduling_group(&self, pid: u32) -> bool {
        machine::same_scheduling_group(pid)
    }

    fn may_write(&self, trial: &Trial, connector: &Connector) -> Result<Option<Role>, Problem> {
        permission::may_write(trial, connector)
    }

    fn may_drop(&self, trial: &Trial, connector: &Connector) -> Result<(), Problem> {
        permission::may_drop(&trial.target, connector)
    }

    fn preflight(&self, connector: &Connector, needs: &Needs) -> Vec<Finding> {
        if self.checks { doctor::preflight(connector, needs) } else { Vec::new() }
    }

    fn room(&self, dataset: &dyn Dataset, connector: &Connector, pid: Option<u32>) -> Result<(Room, u64), Message> {
        room::of_data(dataset, connector, pid)
    }

    fn waiting(&self, connector: &Connector) -> Waiting {
        tenbin_servers::waiting(connector)
    }

    fn dataset(&self, trial: &Trial) -> Result<Option<Box<dyn Dataset>>, Problem> {
        let dataset = test_bed::dataset(trial)?;
        Ok(match dataset {
            Some(dataset) if dataset.is_loaded()? => Some(dataset),
            _ => None,
        })
    }

    fn workload(&self, trial: &Trial, connector: &Connector) -> Result<Arc<dyn Workload>, Problem> {
        test_bed::workload(trial, connector).map(Arc::from)
    }

    fn round_trips(&self, connector: &Connector, like: &dyn Workload) -> Option<Arc<dyn Workload>> {
        RoundTrips::like(like, connector).map(|workload| Arc::new(workload) as Arc<dyn Workload>)
    }

    fn observe(&self, subject: &Subject, sampling: Sampling, without: &[&str]) -> Box<dyn Observers> {
        let entries: Vec<_> = self.observers.iter().filter(|entry| !without.contains(&entry.name)).copied().collect();
        let mut subject = subject.clone();
        subject.exporters.retain(|access| !without.contains(&tenbin_observers::exporter::name(&access.exporter.name)));
        Box::new(tenbin_observers::watch(&entries, &subject, sampling))
    }

    fn remembered_threads(&self, scope: &str) -> Option<String> {
        tenbin_servers::remembered::threads(scope)
    }

    fn remember_threads(&self, scope: &str, word: &str) {
        tenbin_servers::remembered::keep_threads(scope, word);
    }

    fn loaders(&self) -> Option<&dyn SliceLoaders> {
        self.hosts.and_then(LoadHostSets::loaders).map(|hosts| hosts as &dyn SliceLoaders)
    }

    fn drive(
        &self,
        work: &Work<'_>,
        stop: &StopSignal,
        listener: &mut dyn FnMut(HostEvent) -> Result<(), Problem>,
    ) -> Result<HostsEnded, Problem> {
        match self.hosts.and_then(|hosts| hosts.of(work.trial)) {
            Some(hosts) => load_hosts::drive(hosts, work, stop, listener),
            None => {
                let mut listener = |event| listener(HostEvent::Together(event));
                let ended = tenbin_engine::drive(work.drive, work.workload, stop, &mut listener)?;
                Ok(HostsEnded { ended, parts: Vec::new() })
            }
        }
    }

    fn drive_together(
        &self,
        works: &[Work<'_>],
        stop: &StopSignal,
        listener: TogetherListener<'_>,
    ) -> Vec<EndedBeside> {
        together::drive(works, stop, listener)
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

    fn data_directory(&self) -> PathBuf {
        self.data()
    }

    fn offline(&mut self, discarded: bool, change: &mut dyn DataChange) -> Result<Duration, Problem> {
        Sandbox::offline(self, discarded, change)
    }
}

impl Settling for SettlingServer {
    fn refused(&self) -> Option<Problem> {
        SettlingServer::refused(self)
    }

    fn debts(&mut self) -> Result<BTreeMap<String, f64>, Problem> {
        SettlingServer::debts(self)
    }
}

impl Observers for Watch {
    fn next(&self) -> Option<tenbin_observers::ObserverEvent> {
        Watch::next(self)
    }

    fn begin(&self) {
        Watch::begin(self);
    }

    fn edge(&self, patience: Duration) {
        Watch::edge(self, patience);
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
