//! Whether results are of one and the same server: what differs between the facts of two trials although the plan does not set
//! it. Asked of the trials of a run, of a run that is continued, and of stored runs that are compared. Pure.

use crate::inspection::{self, Changes, IDENTITY, ServerFacts, without};
use crate::names::tables::PARTS;
use crate::summary::{StoredRun, Summary, TrialResult};
use crate::variables::{canonical_name, is_own_to_server};
use std::collections::{BTreeMap, BTreeSet};
use tenbin_words::message::{Message, foreign};
use tenbin_words::msg;
use tenbin_words::problem::Problem;

/// Facts of the client that must be the same: of its machine, and the build of Tenbin.
const OF_CLIENT: &[&str] = &["cores", "cpu", "machine.cpu", TENBIN];

/// The fact of the client that names the build of Tenbin.
pub const TENBIN: &str = "tenbin";

/// Facts of the machine of a server, or of the instance that a provider runs, that must be the same. That of a private server is the client's.
const OF_MACHINE: &[&str] =
    &["machine.cpu", "machine.cores", "machine.threads", "machine.cloud_class", "machine.cloud_storage"];

/// What a server is in replication, among the facts that differ.
const ROLE: &str = "role";

/// The most facts that a message names.
const MOST: usize = 8;

/// What differs between two servers that should be one: identity, version, and variables that are not among `planned`. A
/// private server is a new one in every run, so that only the latter two count.
pub fn differences(before: &ServerFacts, now: &ServerFacts, planned: &BTreeSet<String>, is_private: bool) -> Changes {
    let is_compared = |fact: &str| match fact.strip_prefix("variable.") {
        Some(name) => !planned.contains(name) && !is_own_to_server(name),
        None => fact == "version" || fact.starts_with("status.innodb_") || (fact == IDENTITY && !is_private),
    };
    let mut all = inspection::changes(before, now);
    all.retain(|fact, _| is_compared(fact));
    all
}

/// The same of the client.
pub fn differences_of_client(before: &ServerFacts, now: &ServerFacts) -> Changes {
    let mut all = inspection::changes(before, now);
    all.retain(|fact, _| OF_CLIENT.contains(&fact.as_str()));
    all
}

/// The same of the machine of a server.
pub fn differences_of_machine(before: &ServerFacts, now: &ServerFacts) -> Changes {
    let mut all = inspection::changes(before, now);
    all.retain(|fact, _| OF_MACHINE.contains(&fact.as_str()));
    all
}

/// The variables that the trials of a target set.
pub fn planned<'a>(trials: impl Iterator<Item = &'a TrialResult>) -> BTreeSet<String> {
    trials.flat_map(|t| t.trial.target.server.keys().map(|name| variable_of(name))).collect()
}

/// The variable that an option sets: `skip-log-bin` sets `log_bin`.
pub fn variable_of(option: &str) -> String {
    let name = canonical_name(option);
    match name.strip_prefix("skip_").or_else(|| name.strip_prefix("disable_")) {
        Some(variable) if name != "skip_name_resolve" && name != "skip_networking" => variable.to_owned(),
        _ => name,
    }
}

/// The differences in words, one a line.
pub fn words(changes: &Changes) -> Message {
    let name = |fact: &str| match fact {
        "version" => msg!("changed-version"),
        IDENTITY => msg!("changed-identity"),
        PARTS => msg!("changed-tables"),
        ROLE => msg!("changed-role"),
        _ => foreign(fact.strip_prefix("variable.").unwrap_or(fact)),
    };
    let mut all: Vec<_> = changes.iter().collect();
    all.sort_by_key(|(fact, _)| fact.starts_with("variable."));
    let each =
        all.iter().take(MOST).map(|(fact, [former, now])| msg!("changed-server-seen", name = name(fact), former, now));
    let more = (all.len() > MOST).then(|| msg!("and-more-settings", more = all.len() - MOST));
    Message::joined(each.chain(more), "; ")
}

/// Of the trials of a run: the targets whose server was not the same in all of them, and what differs.
pub fn within(summary: &Summary) -> Option<Message> {
    let all = summary.targets().into_iter().filter_map(|target| {
        let begun = || summary.trials.iter().filter(|t| t.begun && t.trial.target.name == target);
        let planned = planned(begun());
        let mut changed = Changes::new();
        let mut first: BTreeMap<&BTreeMap<String, String>, &ServerFacts> = BTreeMap::new();
        for t in begun() {
            let Some(facts) = t.facts.as_deref() else { continue };
            // Private servers with other variables may differ in what follows from these.
            let is_private = t.trial.target.sandbox.is_some();
            let like = first.entry(&t.trial.target.server).or_insert(facts);
            let of_machine = if is_private { Changes::new() } else { differences_of_machine(like, facts) };
            for (fact, [former, now]) in differences(like, facts, &planned, is_private).into_iter().chain(of_machine) {
                changed.entry(fact).or_insert([former, now]);
            }
        }
        let mut roles = begun().filter_map(|t| t.before.as_ref()).map(|inspected| inspected.inspection.role.join(", "));
        if let Some(former) = roles.next()
            && let Some(now) = roles.find(|role| *role != former)
        {
            let shown = |role: String| if role.is_empty() { "–".to_owned() } else { role };
            changed.insert(ROLE.to_owned(), [shown(former), shown(now)]);
        }
        // Of one cell the tables are the same in all trials, by whomever they were loaded.
        let mut tables: BTreeMap<(&str, u32), &String> = BTreeMap::new();
        for t in begun() {
            let Some(now) = t.before.as_ref().and_then(|of| of.inspection.facts.get(PARTS)) else { continue };
            let former: &String = tables.entry((t.trial.experiment.as_str(), t.trial.cell)).or_insert(now);
            if former != now {
                changed.entry(PARTS.to_owned()).or_insert_with(|| [without(former, now), without(now, former)]);
            }
        }
        (!changed.is_empty()).then(|| msg!("server-changed-in-run", target, seen = words(&changed)))
    });
    let all: Vec<Message> = all.collect();
    (!all.is_empty()).then(|| Message::joined(all, msg!("between-sentences")))
}

/// What was noted in a run each time that it was continued with another client.
pub fn notes_of_client(summary: &Summary) -> impl Iterator<Item = &Problem> {
    summary.notes.iter().map(|(_, problem)| problem).filter(|problem| problem.what.is("client-is-not-that-of-run"))
}

/// Of a run that was continued with another client: what differs of it.
pub fn of_client(summary: &Summary) -> Option<Message> {
    let note = notes_of_client(summary).next()?;
    Some(msg!("client-changed-in-run", seen = note.evidence.clone().unwrap_or_default()))
}

/// A server that two stored runs have in common by its name, and what differs of it.
#[derive(Debug, Clone, PartialEq)]
pub struct ChangedServer {
    /// The target.
    pub target: String,
    /// Whether it is the same server of the same version, as far as servers say so; a difference in its variables is not
    /// seen. An upgrade is what runs are compared for.
    pub is_same: bool,
    /// What differs.
    pub changes: Changes,
}

/// Of stored runs: what differs of the targets that have the same name in the first run and in another one. What either plan sets
/// does not count.
pub fn between(runs: &[StoredRun]) -> Vec<ChangedServer> {
    let Some((first, others)) = runs.split_first() else { return Vec::new() };
    let last = |run: &StoredRun, target: &str| -> Option<(ServerFacts, bool)> {
        let mut begun = run.summary.trials.iter().rev().filter(|t| t.begun && t.trial.target.name == target);
        let last = begun.next()?;
        Some((run.summary.target_facts(&last.trial)?.clone(), last.trial.target.sandbox.is_some()))
    };
    let of = |run: &StoredRun| {
        first
            .summary
            .targets()
            .into_iter()
            .filter_map(|target| {
                let ((before, was_private), (now, is_private)) = last(first, &target).zip(last(run, &target))?;
                let of_target =
                    |run: &'_ StoredRun| planned(run.summary.trials.iter().filter(|t| t.trial.target.name == target));
                let planned: BTreeSet<String> = of_target(first).into_iter().chain(of_target(run)).collect();
                let is_private = was_private || is_private;
                let identity = before.get(IDENTITY).zip(now.get(IDENTITY));
                let mut changes = differences(&before, &now, &planned, true);
                if !is_private {
                    changes.extend(differences_of_machine(&before, &now));
                }
                let is_same = !is_private
                    && identity.is_some_and(|(before, now)| before == now)
                    && !changes.contains_key("version");
                (!changes.is_empty()).then_some(ChangedServer { target, is_same, changes })
            })
            .collect::<Vec<_>>()
    };
    others.iter().flat_map(of).collect()
}
