//! The rules: one file for each possible limit, and one list of them in the order in which they are examined. The first
//! one whose figures reach a limit is the verdict; those after it may be its consequence.
//!
//! The limits follow the USE method (Gregg) and common practice; each rule names its own.

mod admission;
mod client;
mod commit;
mod disk_reads;
mod latches;
mod network;
mod replica;
mod row_locks;
mod server_cpu;

use super::evidence::Evidence;
use super::judgement::Judgement;

/// A rule: `None` if it does not apply to the trial.
type Rule = fn(&Evidence<'_>) -> Option<Judgement>;

/// The rules in the order in which they are examined.
const RULES: &[Rule] = &[
    client::judge,
    replica::judge,
    network::judge,
    server_cpu::judge,
    disk_reads::judge,
    commit::judge,
    row_locks::judge,
    latches::judge,
    admission::judge,
];

/// What all rules say that apply.
pub(super) fn judgements(e: &Evidence<'_>) -> Vec<Judgement> {
    RULES.iter().filter_map(|judge| judge(e)).collect()
}
