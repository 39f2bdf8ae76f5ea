//! Reading from the disk is put to the test by twice the memory, which says nothing before the load has filled it.

use super::case::{Case, at_the_ends, ran, usual};
use crate::common;
use tenbin_model::plan::{Plan, expand};
use tenbin_verdict::why::{Refutation, Ruling, of_trial, refutation};

const MARIADB: &str = "sandbox = \"mariadbd\"";
const POSTGRES: &str = "sandbox = \"postgres\"";

/// Sixteen clients of which twelve wait for reads: 1,000 pages per second, one of each transaction. `free` of 8,192 pages of 16 KiB are free.
fn reads(free: f64) -> Case {
    let memory = vec![("innodb_buffer_pool_size", "134217728"), ("innodb_page_size", "16384")];
    let case = Case { variables: memory, ..usual() }.with("server.status/innodb_buffer_pool_reads", 1000.0);
    case.gauge("server.sessions", "read", 12.0).gauge("server.status", "innodb_buffer_pool_pages_free", free)
}

/// The same of PostgreSQL, which reports no free pages and reads this many per second.
fn reads_of_postgres(pages: f64) -> Case {
    let memory = vec![("shared_buffers", "128MB"), ("block_size", "8192")];
    let case = Case { target: POSTGRES, variables: memory, ..usual() };
    let counters = case.lacking("server.status/innodb_buffer_pool_reads").counter("server.status", "blks_read", pages);
    counters.counter("server.status", "blks_hit", 1000.0).gauge("server.sessions", "read", 12.0)
}

fn plan_of(case: &Case) -> Option<String> {
    let diagnosis = case.diagnosis();
    assert_eq!(diagnosis.outcome.code(), "disk-reads");
    diagnosis.experiment.map(|experiment| experiment.plan)
}

fn warmups_ms(plan: &str) -> Vec<(u64, Option<u64>)> {
    let plan = Plan::parse(plan, &common::catalog()).unwrap_or_else(|problems| panic!("{problems:#?}\n{plan}"));
    let mut all: Vec<_> =
        expand(&plan).iter().map(|trial| (trial.warmup_ms, trial.warmup_until.map(|until| until.min_ms))).collect();
    all.dedup();
    all
}

#[test]
fn the_warm_up_is_as_long_as_it_takes_to_fill_twice_the_memory() {
    // 256 MiB by 1,000 pages of 16 KiB per second are 16.4 s, and a quarter more.
    assert_eq!(warmups_ms(&plan_of(&reads(0.0)).unwrap()), [(21_000, None)]);
    // 256 MiB by 500 pages of 8 KiB.
    assert_eq!(warmups_ms(&plan_of(&reads_of_postgres(500.0)).unwrap()), [(82_000, None)]);
    let with = |warmup: &str, load: &'static str| {
        let plan = format!(
            "schema = 1\n[targets.a]\n{MARIADB}\n[[experiment]]\nrepeats = 1\nwarm_up = {warmup}\nmeasure = \"10s\"\n\
             [experiment.load]\nworkload = \"oltp_read_write\"\n{load}\n"
        );
        warmups_ms(&plan_of(&Case { plan: Some(plan), ..reads(0.0) }).unwrap())
    };
    assert_eq!(with("\"60s\"", "clients = 16"), [(60_000, None)], "it is long enough");
    assert_eq!(with("\"auto\"", "clients = 16"), [(900_000, Some(30_000))], "it is long enough");
    let short = "{ min = \"5s\", max = \"30s\" }";
    assert_eq!(with(short, "clients = 16"), [(42_000, Some(21_000))]);
    assert_eq!(
        with("\"0s\"", "clients = 16\noperations = 10000"),
        [(0, None)],
        "its clients would do their part in it"
    );
}

#[test]
fn more_memory_is_not_tried_by_a_load_that_has_not_filled_what_there_is() {
    assert_eq!(plan_of(&reads(820.0)), None);
    assert!(plan_of(&reads(819.0)).is_some());
    // What the server keeps free is not to be filled, unless it is most of the memory.
    let keeps = |depth: &'static str, free: f64| {
        let mut case = reads(free);
        case.variables.extend([("innodb_lru_scan_depth", depth), ("innodb_buffer_pool_instances", "2")]);
        plan_of(&case).is_some()
    };
    assert!(keeps("512", 1843.0) && !keeps("512", 1844.0));
    assert!(keeps("4096", 4096.0) && !keeps("4096", 4097.0));
    // Memory stays as full as the clients made it when they have left.
    let at_ends = |free| plan_of(&at_the_ends(reads(free).with("client.host/io_waited_s", 0.9))).is_some();
    assert!(at_ends(819.0) && !at_ends(820.0));
}

/// What a run of the plan shows in which twice the memory changes nothing: `changed` are the trials with it.
fn tested(case: fn(bool) -> Case) -> (Refutation, Option<String>) {
    let summary = ran(&plan_of(&case(false)).unwrap(), |trial| {
        let size = trial.target.server.values().next().unwrap();
        let is_changed = ["268435456", "262144kB"].contains(&size.as_str());
        let tps = if trial.repeat.is_multiple_of(2) { 990 } else { 1010 };
        let mut case = Case { tps, ..case(is_changed) };
        if is_changed {
            let doubled = if case.target == POSTGRES { "256MB" } else { "268435456" };
            case.variables[0].1 = doubled;
        }
        case
    });
    let again = of_trial(&summary, &summary.trials[0]).unwrap().experiment;
    (refutation::of_run(&summary).unwrap(), again.map(|again| again.plan))
}

#[test]
fn memory_that_is_full_refutes() {
    let (shown, _) = tested(|_| reads(0.0));
    assert_eq!((shown.ruling, shown.trials), (Ruling::Refuted, 5));
    // All fits into twice the memory, half of which is free, and nothing is read any more.
    let fits = |is_changed| {
        if is_changed { reads(8192.0).with("server.status/innodb_buffer_pool_reads", 0.0) } else { reads(0.0) }
    };
    assert_eq!(tested(fits).0.ruling, Ruling::Refuted);
    // It read 40,000 pages until the end of the window, and 32,768 fill its memory.
    assert_eq!(tested(|_| reads_of_postgres(2000.0)).0.ruling, Ruling::Refuted);
}

#[test]
fn memory_that_is_not_full_does_not_refute() {
    let (shown, again) = tested(|is_changed| reads(if is_changed { 8192.0 } else { 0.0 }));
    assert_eq!((shown.ruling, shown.not_filled), (Ruling::Undecided, 5));
    insta::assert_snapshot!(shown.words().english(), @"not decided: 1.00× (95 % interval 1.00× to 1.00×), expected 1.05× or more; in 5 of 5 pairs the larger memory was not full yet");
    assert_eq!(warmups_ms(&again.unwrap()), [(42_000, None)], "it is offered again with twice the warm-up");
    // 20,000 pages.
    assert_eq!(tested(|_| reads_of_postgres(1000.0)).0.ruling, Ruling::Undecided);
}

#[test]
fn what_does_not_read_without_the_change_does_not_refute() {
    let shown = ran(&plan_of(&reads(0.0)).unwrap(), |_| reads(0.0).with("server.status/innodb_buffer_pool_reads", 1.0));
    let shown = refutation::of_run(&shown).unwrap();
    assert_eq!((shown.ruling, shown.not_read), (Ruling::Undecided, 5));
    insta::assert_snapshot!(shown.words().english(), @"not decided: 1.00× (95 % interval 1.00× to 1.00×), expected 1.05× or more; in 5 of 5 pairs nothing was read from the disk without the change");
}
