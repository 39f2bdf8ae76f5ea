//! What two trials differ in although their figures stand side by side: of stored runs that are compared, and of runs in one history. What of a trial,
//! its load and its target counts is beside their fields, each of which is named there: a new one does not compile until it is decided.

use std::collections::{BTreeMap, BTreeSet};
use tenbin_words::message::{Message, foreign};
use tenbin_words::msg;

/// One thing in which they differ.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Differing {
    /// A key of the plan.
    Key(&'static str),
    /// A key of a group of clients, after its name.
    OfGroup(String, &'static str),
    /// The client's machine.
    Machine,
    /// The build of Tenbin.
    Tool,
    /// What the tables consist of.
    Tables,
    /// Options of the workload.
    Options,
    /// What the plan does not set of the servers.
    Server,
    /// The key of the plan that sets a variable of a server.
    Setting(String),
    /// The content of a file of this name.
    File(String),
}

impl Differing {
    /// All of them in words, the first ten by name.
    pub(crate) fn words<'d>(all: impl IntoIterator<Item = &'d Differing>) -> Message {
        const MOST: usize = 10;
        let all: BTreeSet<&Differing> = all.into_iter().collect();
        let more = (all.len() > MOST).then(|| msg!("and-more-settings", more = all.len() - MOST));
        Message::list(all.into_iter().take(MOST).map(Differing::name).chain(more))
    }

    fn name(&self) -> Message {
        match self {
            Differing::Machine => msg!("stored-runs-machine"),
            Differing::Tool => msg!("stored-runs-tool"),
            Differing::Tables => msg!("stored-runs-tables"),
            Differing::Options => msg!("stored-runs-options"),
            Differing::Server => msg!("stored-runs-server"),
            Differing::Key(key) => foreign(key),
            Differing::Setting(key) => foreign(key),
            Differing::OfGroup(group, key) => msg!("stored-runs-group", group, key),
            Differing::File(file) => msg!("stored-runs-file", file),
        }
    }
}

/// The keys of the plan that differ.
pub(super) fn keys(all: &[(&'static str, bool)]) -> impl Iterator<Item = Differing> {
    all.iter().copied().filter(|(_, differ)| *differ).map(|(key, _)| Differing::Key(key))
}

/// Whether an option that both have differs: one that only one of them has is no difference.
pub(super) fn options_differ(a: &BTreeMap<String, String>, b: &BTreeMap<String, String>) -> bool {
    a.iter().any(|(name, value)| b.get(name).is_some_and(|other| other != value))
}
