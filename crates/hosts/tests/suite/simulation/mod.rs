//! Load hosts, simulated: the real coordinator and the real engine on tokio's paused clock, and connections that delay, lose, repeat
//! and close, drawn from a seed. Whatever happens: every event that a host counted and the coordinator took is in the result once,
//! and the others are of a host that was given up.
//!
//! `TENBIN_SIM_CASES=10000` draws this many cases, `TENBIN_SIM_SEED=7` repeats one. `TENBIN_SIM_FULL=1` is 1,000 hosts with
//! 1,000 terminals each, which takes 7 GB of memory.

#![expect(clippy::unwrap_used, reason = "a test may")]

mod case;
mod check;
mod draw;
mod host;
mod link;
mod network;
mod terminals;

use case::Case;
use check::Outcome;
use std::collections::BTreeMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

fn number(variable: &str) -> Option<u64> {
    std::env::var(variable).ok()?.parse().ok()
}

#[test]
fn events_are_counted_once_whatever_happens_to_hosts_and_connections() {
    if let Some(seed) = number("TENBIN_SIM_SEED") {
        let case = Case::drawn(seed);
        println!("{case:#?}");
        println!("{:?}", check::run(&case));
        return;
    }
    let cases = number("TENBIN_SIM_CASES").unwrap_or(100);
    let next = AtomicU64::new(0);
    let outcomes: Mutex<BTreeMap<Outcome, u64>> = Mutex::default();
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(|| {
                loop {
                    let seed = next.fetch_add(1, Ordering::Relaxed);
                    if seed >= cases {
                        return;
                    }
                    let case = Case::drawn(seed);
                    let driven = std::panic::catch_unwind(|| check::run(&case));
                    let outcome = driven.unwrap_or_else(|_| panic!("TENBIN_SIM_SEED={seed} fails: {case:#?}"));
                    *outcomes.lock().unwrap().entry(outcome).or_default() += 1;
                }
            });
        }
    });
    let outcomes = outcomes.into_inner().unwrap();
    for outcome in Outcome::ALL {
        assert!(outcomes.contains_key(&outcome), "{outcome:?} does not occur: {outcomes:?}");
    }
    if number("TENBIN_SIM_CASES").is_some() {
        println!("{cases} cases: {outcomes:?}");
    }
}

#[test]
fn many_hosts_act_as_one() {
    let is_full = number("TENBIN_SIM_FULL").is_some();
    let (hosts, terminals) = if is_full { (1000, 1000) } else { (200, 20) };
    assert_eq!(check::run(&Case::large(1, hosts, terminals)), Outcome::WithoutTheLost);
}
