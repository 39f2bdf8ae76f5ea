//! scheduled = completed + failed + skipped + open: for random schedules, service times, errors and losses, checked
//! against what the workload itself saw.

use crate::fake::{Act, Call, Fake, exact, fake, load, what, work};
use proptest::prelude::*;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;
use tenbin_client::Class;
use tenbin_model::event::Phase;
use tenbin_model::tally::Accounting;
use tenbin_model::trial::{Arrivals, Load, Overload, Policy, Schedule, Workers};

fn schedule() -> impl Strategy<Value = Schedule> {
    let arrivals = prop_oneof![Just(Arrivals::Even), Just(Arrivals::Poisson)];
    let overload = prop_oneof![
        (0u64..20).prop_map(|limit| Overload::Queue { limit }),
        Just(Overload::Skip),
        (1u64..200).prop_map(|limit| Overload::Stop { limit }),
    ];
    let open = (1.0f64..3000.0, arrivals, overload);
    prop_oneof![
        Just(Schedule::Closed),
        open.prop_map(|(rate, arrivals, overload)| Schedule::Open { rate, arrivals, overload })
    ]
}

/// What the `n`-th attempt does, drawn from a seed.
fn act(seed: u64, call: &Call, errors_permille: u64) -> Act {
    let mut word = (seed ^ call.n.wrapping_mul(0x9e37_79b9_7f4a_7c15)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    word ^= word >> 29;
    let time = Duration::from_millis(word % 40);
    if word / 64 % 1000 >= errors_permille {
        return Act::Work(time);
    }
    let class = [Class::Conflict, Class::Lost, Class::Sql, Class::Limit, Class::Protocol][(word / 64_000 % 5) as usize];
    Act::FailAfter(time, class)
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn every_start_is_accounted_for(
        schedule in schedule(),
        clients in 1u32..12,
        workers in 1u32..4,
        (warmup, measure, interval) in (0u64..300, 1u64..900, 1u64..400),
        operations in prop_oneof![Just(None), (1u64..300).prop_map(Some)],
        (reconnect, steady) in any::<(bool, bool)>(),
        stop_on_error in prop::bool::weighted(0.2),
        errors_permille in prop_oneof![Just(0u64), 0u64..300],
        seed in any::<u64>(),
    ) {
        let policy = Policy { retries: 2, reconnect, stop_on_error, ..Policy::default() };
        let load = Load { schedule, operations, policy, workers: Workers::Count(workers), ..load(clients) };
        let (won, lost) = (Arc::new(AtomicU64::new(0)), Arc::new(AtomicU64::new(0)));
        let workload = fake({
            let (won, lost) = (won.clone(), lost.clone());
            move |call| {
                let act = act(seed, call, errors_permille);
                let count = if matches!(act, Act::Work(_)) { &won } else { &lost };
                count.fetch_add(1, Ordering::SeqCst);
                act
            }
        });
        let what = what(load, warmup, measure, interval);
        if steady {
            what.control.steady.ask();
        }
        let recorded = exact(&what, &workload);

        // Each interval balances (asserted by the listener), and so do the phases.
        let mut phases = [(Phase::WarmUp, Accounting::default()), (Phase::Measure, Accounting::default())];
        let mut statements = [0, 0];
        for interval in &recorded.intervals {
            let a = &mut phases[usize::from(interval.phase == Phase::Measure)].1;
            a.merge(&interval.tally.accounting);
            prop_assert!(a.open >= 0, "more has ended than was scheduled: {a:?}");
            for s in interval.tally.statements.values() {
                statements[0] += s.completed;
                statements[1] += s.errors.values().sum::<u64>();
            }
            let by_name = interval.tally.all_transactions();
            prop_assert_eq!(by_name.completed, interval.tally.accounting.completed);
            prop_assert_eq!(by_name.failed, interval.tally.accounting.failed);
            for h in [&by_name.response, &by_name.service, &by_name.wait] {
                prop_assert_eq!(h.count(), by_name.completed);
            }
            prop_assert_eq!(by_name.failed_service.count(), by_name.failed);
        }
        if let Schedule::Open { .. } = schedule {
            let waiting = recorded.tally.unanswered.count();
            prop_assert_eq!(waiting, phases[1].1.open as u64, "what is open has waited that long");
        }
        let all = phases.iter().fold(Accounting::default(), |mut all, (_, a)| { all.merge(a); all });

        // Against what the workload saw: nothing is counted that did not happen, and what happened uncounted was open
        // at the end of its phase.
        let (won, lost) = (won.load(Ordering::SeqCst), lost.load(Ordering::SeqCst));
        prop_assert!(all.completed <= won && won <= all.completed + all.open as u64, "{won} {all:?}");
        prop_assert!(statements[0] <= won && statements[1] <= lost);
        if let Schedule::Closed = schedule {
            prop_assert_eq!(all.skipped, 0);
            prop_assert!(phases.iter().all(|(_, a)| a.open <= i64::from(clients)));
        }
        if let Some(operations) = operations {
            prop_assert!(phases[1].1.scheduled <= operations);
        }
        // Open starts that were never begun can only wait in a queue.
        if let Schedule::Open { overload: Overload::Skip | Overload::Queue { limit: 0 }, .. } = schedule {
            prop_assert!(phases.iter().all(|(_, a)| a.open <= i64::from(clients)), "{phases:?}");
        }
    }
}

#[test]
fn ten_thousand_clients_are_exact_too() {
    let workload: Fake = fake(|_| work(100));
    let recorded = exact(&what(load(10_000), 0, 1050, 1000), &workload);
    let a = recorded.tally.accounting;
    assert_eq!((a.scheduled, a.completed, a.open), (110_000, 100_000, 10_000));
}

/// A start belongs to the run although it took no time and its error ended the run in the same instant.
#[test]
fn the_start_that_stops_the_run_is_accounted_for() {
    let policy = Policy { retries: 2, stop_on_error: true, ..Policy::default() };
    let schedule = Schedule::Open { rate: 1.0, arrivals: Arrivals::Even, overload: Overload::Queue { limit: 0 } };
    let load = Load { schedule, policy, workers: Workers::Count(1), ..load(1) };
    let workload = fake(|_| Act::FailAfter(Duration::ZERO, Class::Sql));
    let recorded = exact(&what(load, 0, 1, 1), &workload);
    let a = recorded.tally.accounting;
    assert_eq!((a.scheduled, a.failed, a.open), (1, 1, 0));
}

/// What ends in the instant in which an error ends the run is counted, also if an interval ends then as well.
#[test]
fn what_ends_together_with_the_run_is_counted() {
    let policy = Policy { stop_on_error: true, ..Policy::default() };
    let schedule = Schedule::Open { rate: 1000.0, arrivals: Arrivals::Even, overload: Overload::Skip };
    let load = Load { schedule, policy, workers: Workers::Count(1), ..load(2) };
    let workload = fake(|call| match call.client {
        0 => work(10),
        _ => Act::FailAfter(Duration::from_millis(9), Class::Sql),
    });
    let recorded = exact(&what(load, 0, 100, 5), &workload);
    let a = recorded.tally.accounting;
    assert_eq!((a.scheduled, a.completed, a.failed, a.skipped, a.open), (10, 1, 1, 8, 0));
    assert_eq!(recorded.tally.unanswered.count(), 0);
}

/// A run that is over with its last transaction counts it also when that ends just as an interval does.
#[test]
fn the_last_transaction_is_counted_when_it_ends_with_an_interval() {
    for (arrivals, clients) in [(None, 1), (None, 3), (Some(Arrivals::Even), 3)] {
        let schedule = arrivals.map_or(Schedule::Closed, |arrivals| Schedule::Open {
            rate: 1000.0,
            arrivals,
            overload: Overload::Queue { limit: 0 },
        });
        let load = Load { schedule, operations: Some(3), workers: Workers::Count(1), ..load(clients) };
        let workload = fake(|_| work(10));
        let recorded = exact(&what(load, 0, 300, 1), &workload);
        let a = recorded.tally.accounting;
        assert_eq!((a.scheduled, a.completed, a.open), (3, 3, 0), "{clients} clients");
    }
}
