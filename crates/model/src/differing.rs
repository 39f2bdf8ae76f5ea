//! What two trials differ in although their figures stand side by side: of stored runs that are compared, and of runs in one history. Every field of a
//! trial is named, so that a new one does not compile until it is decided whether it counts.

use crate::changed_files;
use crate::summary::Differing;
use crate::trial::{ClientGroup, Load, Policy, Replica, Schedule, Target, Trial, TrialDataset};
use std::collections::{BTreeMap, BTreeSet};
use tenbin_words::message::{Message, foreign};
use tenbin_words::msg;

/// The most differences that a message names.
const MOST: usize = 10;

/// What was found, in words.
pub(crate) fn words<'d>(all: impl IntoIterator<Item = &'d Differing>) -> Message {
    let all: BTreeSet<&Differing> = all.into_iter().collect();
    let more = (all.len() > MOST).then(|| msg!("and-more-settings", more = all.len() - MOST));
    Message::list(all.into_iter().take(MOST).map(one).chain(more))
}

fn one(what: &Differing) -> Message {
    match what {
        Differing::Machine => msg!("stored-runs-machine"),
        Differing::Options => msg!("stored-runs-options"),
        Differing::Server => msg!("stored-runs-server"),
        Differing::Key(key) => foreign(key),
        Differing::Setting(key) => foreign(key),
        Differing::OfGroup(group, key) => msg!("stored-runs-group", group, key),
        Differing::File(file) => msg!("stored-runs-file", file),
    }
}

/// What two trials of a cell differ in, but for their targets. An option or a file that an older recording does not have is no difference.
pub(crate) fn of_trials(a: &Trial, b: &Trial) -> Vec<Differing> {
    let Trial {
        dataset,
        load,
        hosts,
        duet,
        restore,
        settle_ms,
        settle_until,
        catch_up_ms,
        warmup_ms,
        warmup_until,
        measure_ms,
        measure_until,
        search,
        scale,
        // The caller decides which targets are the same.
        target: _,
        // Compared by their contents.
        files: _,
        // What the trial is among others.
        number: _,
        cell: _,
        repeat: _,
        experiment: _,
        axes: _,
        seed: _,
        // What is made of its figures.
        compare: _,
        repeats_until: _,
        interval_ms: _,
    } = a;
    // How many connections load the rows does not change them, nor what they are called.
    let TrialDataset { kind, options, name: _, streams: _ } = dataset;
    let searched = |of: &Trial| of.search.as_ref().map(|search| (search.vary, search.until.clone()));
    let keys = [
        ("dataset", *kind != b.dataset.kind || differ(options, &b.dataset.options)),
        ("hosts", hosts.as_ref().map(|h| (&h.at, h.count)) != b.hosts.as_ref().map(|h| (&h.at, h.count))),
        ("order", *duet != b.duet),
        ("restore", *restore != b.restore),
        ("settle", (settle_ms, settle_until) != (&b.settle_ms, &b.settle_until)),
        ("catch_up", *catch_up_ms != b.catch_up_ms),
        ("warmup", (warmup_ms, warmup_until) != (&b.warmup_ms, &b.warmup_until)),
        ("measure", (measure_ms, measure_until) != (&b.measure_ms, &b.measure_until)),
        ("search", search.is_some() && searched(a) != searched(b)),
        ("scale", *scale != b.scale),
    ];
    let files = changed_files::between(a, b).into_iter().map(Differing::File);
    named(&keys).chain(of_loads(load, &b.load)).chain(files).collect()
}

fn of_loads(a: &Load, b: &Load) -> Vec<Differing> {
    let Load {
        workload,
        options,
        clients,
        workers,
        schedule,
        operations,
        drain_ms,
        observe,
        policy,
        groups,
        // Before the first trial.
        calibrate: _,
        // What the workload and its options make of it; older recordings do not say it.
        paced: _,
    } = a;
    let Policy { retries, reconnect, stop_on_error, transient } = policy;
    let keys = [
        ("workload", *workload != b.workload),
        ("clients", *clients != b.clients),
        ("workers", *workers != b.workers),
        ("operations", *operations != b.operations),
        ("drain", *drain_ms != b.drain_ms),
        ("observe", *observe != b.observe),
        ("retries", *retries != b.policy.retries),
        ("on_lost", *reconnect != b.policy.reconnect),
        ("on_error", *stop_on_error != b.policy.stop_on_error),
        ("transient", *transient != b.policy.transient),
    ];
    let names = |groups: &[ClientGroup]| groups.iter().map(|group| group.name.clone()).collect::<BTreeSet<_>>();
    let of_groups = [("group", names(groups) != names(&b.groups))];
    let each = groups.iter().filter_map(|group| {
        let ClientGroup { name, clients, schedule } = group;
        let other = b.groups.iter().find(|other| other.name == *name)?;
        let keys = [("clients", *clients != other.clients)].into_iter().chain(of_schedules(schedule, &other.schedule));
        Some(keys.filter(|(_, differ)| *differ).map(move |(key, _)| Differing::OfGroup(name.clone(), key)))
    });
    let options = differ(options, &b.options).then_some(Differing::Options);
    let schedule = of_schedules(schedule, &b.schedule);
    named(&keys).chain(named(&schedule)).chain(named(&of_groups)).chain(each.flatten()).chain(options).collect()
}

fn of_schedules(a: &Schedule, b: &Schedule) -> [(&'static str, bool); 3] {
    match (*a, *b) {
        (Schedule::Closed, Schedule::Closed) => [("rate", false), ("arrivals", false), ("overload", false)],
        (
            Schedule::Open { rate, arrivals, overload },
            Schedule::Open { rate: other, arrivals: others, overload: then },
        ) => [("rate", rate != other), ("arrivals", arrivals != others), ("overload", overload != then)],
        _ => [("rate", true), ("arrivals", false), ("overload", false)],
    }
}

/// What the plans say of a target that two trials have in common. Where it is does not count: [`crate::changed_server`] knows whether its server is another
/// one.
pub(crate) fn of_targets(a: &Target, b: &Target) -> Vec<Differing> {
    let Target {
        sandbox,
        data_directory,
        server,
        hooks,
        restore,
        link,
        client,
        replicas,
        // What it is called, and what it costs.
        name: _,
        place: _,
        baseline: _,
        price: _,
        // Where it is, and how it is reached.
        dsn: _,
        stands_for: _,
        password_env: _,
        password_file: _,
        cloud: _,
        // Its settings are among `server`.
        option_file: _,
        apply: _,
        // What is asked, looked at and permitted.
        pin: _,
        host: _,
        line_bits: _,
        allow: _,
        exporters: _,
    } = a;
    let is_other = |(a, b): (&Replica, &Replica)| a.delay_s != b.delay_s || !of_targets(&a.at, &b.at).is_empty();
    let keys = [
        ("sandbox", *sandbox != b.sandbox),
        ("data_directory", *data_directory != b.data_directory),
        ("hooks", *hooks != b.hooks),
        ("restore", restore.kind != b.restore.kind),
        ("link", *link != b.link),
        ("client", *client != b.client),
        ("replicas", replicas.len() != b.replicas.len() || replicas.iter().zip(&b.replicas).any(is_other)),
    ];
    let variables: BTreeSet<&String> = server.keys().chain(b.server.keys()).collect();
    let settings = variables.into_iter().filter(|name| server.get(*name) != b.server.get(*name));
    named(&keys).chain(settings.map(|name| Differing::Setting(format!("server.{name}")))).collect()
}

/// Whether an option that both have differs.
fn differ(a: &BTreeMap<String, String>, b: &BTreeMap<String, String>) -> bool {
    a.iter().any(|(name, value)| b.get(name).is_some_and(|other| other != value))
}

fn named(keys: &[(&'static str, bool)]) -> impl Iterator<Item = Differing> {
    keys.iter().copied().filter(|(_, differ)| *differ).map(|(key, _)| Differing::Key(key))
}
