//! What a run is asked to do.

use crate::option_files::OptionFileTexts;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;
use tenbin_model::dsn::Password;
use tenbin_model::event::Event;
use tenbin_model::inspection::ServerFacts;
use tenbin_model::trial::Trial;
use tenbin_words::problem::Problem;
use tenbin_workload::Workload;

/// What to run.
#[derive(Debug, Clone, Default)]
pub struct Request {
    /// The program that runs it, with its version and commit, for the record.
    pub tool: String,
    /// The plan's name.
    pub name: String,
    /// The plan as given, for the record; passwords left out.
    pub plan: String,
    /// Its trials as far as they are known beforehand, in order.
    pub trials: Vec<Trial>,
    /// Passwords from addresses, by target; those in files and the environment are read when they are needed.
    pub passwords: BTreeMap<String, Password>,
    /// The option files of targets as they are recorded, by target.
    pub option_files: OptionFileTexts,
    /// The workload if it was created already (a script that was opened); otherwise it is named by the loads of the
    /// trials.
    pub workload: Option<PrebuiltWorkload>,
    /// When it is looked at what else the machine does and at the limits of the server. What must not be written to is refused all the same.
    pub checks: Checks,
    /// The folder of the plan, at which its paths start, if it is a file.
    pub folder: Option<PathBuf>,
    /// An earlier run of the same plan whose finished trials are taken over instead of being run again.
    pub resumed: Option<Resumed>,
    /// Whether that run may be continued although a server or the client has changed.
    pub allows_changed_server: bool,
    /// Whether it may be continued although the files that the plan names have changed.
    pub allows_changed_files: bool,
}

/// When the limits of servers are compared with what trials need.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Checks {
    /// Before each trial.
    #[default]
    EachTrial,
    /// Before the first trial of a cell on a target: its repeats need the same, and are short. What is done beside the clients keeps its connections.
    EachCell,
    /// The run starts at once.
    Never,
}

/// Finished trials of an earlier run.
pub trait EarlierRun: Send + Sync {
    /// Where it is.
    fn place(&self) -> String;
    /// The number of its finished trials.
    fn count(&self) -> usize;
    /// The finished trial of this number, as it was run.
    fn finished(&self, number: u32) -> Option<&Trial>;
    /// The events of a finished trial, in their order.
    fn replay(&self, number: u32, each: &mut dyn FnMut(Event) -> Result<(), Problem>) -> Result<(), Problem>;
    /// The facts of the server of this finished trial at that time.
    fn facts(&self, number: u32) -> Option<Arc<ServerFacts>>;
    /// The facts of the server of a target's last finished trial, with these variables if they are given, and the variables that
    /// the trials of the target set.
    fn server(&self, target: &str, server: Option<&ServerFacts>) -> Option<(Arc<ServerFacts>, Vec<String>)>;
    /// The facts of its client.
    fn client(&self) -> Option<ServerFacts>;
    /// What was noted in it of other clients that had some of its trials: it may have continued a run itself.
    fn notes_of_client(&self) -> Vec<Problem>;
    /// The time of its last event, nanoseconds since its start. The run continues from then on its clock.
    fn last_ns(&self) -> u64;
}

/// An earlier run that is continued.
#[derive(Clone)]
pub struct Resumed(pub Arc<dyn EarlierRun>);

impl std::fmt::Debug for Resumed {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Resumed({})", self.0.place())
    }
}

/// A workload that was created beforehand.
#[derive(Clone)]
pub struct PrebuiltWorkload(pub Arc<dyn Workload>);

impl std::fmt::Debug for PrebuiltWorkload {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "PrebuiltWorkload({})", self.0.name())
    }
}
