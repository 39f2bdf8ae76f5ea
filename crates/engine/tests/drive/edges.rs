//! Transactions across the edges of the measured window of a closed loop: what ends in the window counts, with all of its response
//! time, whenever it began. Beside each figure stands the one that the workload itself took down.

use crate::fake::{Act, Call, Fake, Recorded, exact, fake, load, what, work};
use proptest::prelude::*;
use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex};
use std::time::Duration;
use tenbin_client::{Class, Random};
use tenbin_model::event::Phase;
use tenbin_model::statistics::{ALPHA, mean_confidence};
use tenbin_model::tally::Accounting;
use tenbin_model::trial::{Arrivals, Load, Overload, Policy, Schedule, Workers};
use tokio::time::Instant;

/// What a workload saw of its transactions.
#[derive(Clone, Default)]
struct Log(Arc<Mutex<Seen>>);

#[derive(Default)]
struct Seen {
    /// When the first one began.
    origin: Option<Instant>,
    /// Start and end, milliseconds since then.
    transactions: Vec<(u64, u64)>,
}

impl Log {
    /// A workload that takes down its transactions, which last as long as this says of client and number.
    fn of(&self, lasts_ms: impl Fn(u32, u64) -> u64 + Send + Sync + 'static) -> Fake {
        let log = self.0.clone();
        fake(move |call| {
            let lasts = lasts_ms(call.client, call.n);
            let mut entries = log.lock().expect("nothing panics meanwhile");
            let from = entries.origin.get_or_insert_with(Instant::now).elapsed().as_millis() as u64;
            entries.transactions.push((from, from + lasts));
            work(lasts)
        })
    }

    /// Those that overlap the window, in turn.
    fn across(&self, window: (u64, u64)) -> Vec<(u64, u64)> {
        let entries = self.0.lock().expect("nothing panics meanwhile");
        entries.transactions.iter().copied().filter(|(from, to)| *from < window.1 && *to >= window.0).collect()
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_closed_loop_counts_what_ends_in_the_window(
        clients in 1u32..20,
        workers in 1u32..4,
        (warmup, measure, interval) in (0u64..900, 1u64..900, 1u64..400),
        longest in prop_oneof![Just(5u64), Just(60), Just(2000)],
        pauses in any::<bool>(),
        seed in any::<u64>(),
    ) {
        let log = Log::default();
        let workload = log.of(move |client, n| {
            1 + Random::new(seed, u64::from(client) << 32 | n).below(longest)
        });
        let pause: fn(u32) -> Duration = |client| Duration::from_millis(u64::from(client) * 3);
        let workload = Fake { rests: pauses.then_some(pause), ..workload };
        let load = Load { workers: Workers::Count(workers), paced: pauses, ..load(clients) };
        let recorded = exact(&what(load, warmup, measure, interval), &workload);

        let (from, to) = (warmup, warmup + measure);
        let all = log.across((from, to));
        let count = |of: &dyn Fn(&(u64, u64)) -> bool| all.iter().filter(|t| of(t)).count() as u64;
        let a = recorded.tally.accounting;
        let ended = count(&|t| t.1 < to);
        prop_assert_eq!(a.completed, ended);
        prop_assert_eq!(a.begun_before, count(&|t| t.0 < from), "in progress at the start");
        prop_assert_eq!(a.scheduled, count(&|t| t.0 >= from));
        prop_assert_eq!(a.open as u64, count(&|t| t.1 >= to), "in progress at the end");
        // Times: those of what ended in all their length, those of the clients as far as they lie in the window.
        let each = &recorded.ended().per_client;
        let lasted: u64 = all.iter().filter(|t| t.1 < to).map(|t| t.1 - t.0).sum();
        prop_assert_eq!(each.response_ns.iter().sum::<u64>(), lasted * 1_000_000);
        prop_assert_eq!(each.completed.iter().sum::<u64>(), ended);
        let within: u64 = all.iter().map(|t| t.1.min(to) - t.0.max(from)).sum();
        prop_assert_eq!(recorded.tally.in_progress_ns, within * 1_000_000);
        let oldest = all.iter().filter(|t| t.1 >= to).map(|t| to - t.0).max().unwrap_or(0);
        prop_assert_eq!(recorded.ended().oldest_open_ns, Some(oldest * 1_000_000));
        // Little's law, exactly: a client is in a transaction or pauses.
        let clients_ns = u64::from(clients) * measure * 1_000_000;
        prop_assert_eq!(recorded.tally.in_progress_ns + recorded.tally.paused_ns, clients_ns);
    }

    /// Open at the start and scheduled are all that ended, however, and what is open at the end.
    #[test]
    fn at_a_rate_what_began_has_ended_once_or_is_in_progress(
        clients in 1u32..6,
        rate in 1.0f64..300.0,
        (warmup, measure, interval) in (0u64..900, 1u64..900, 1u64..400),
        longest in prop_oneof![Just(5u64), Just(60), Just(500)],
        failing in 0u64..100,
        seed in any::<u64>(),
    ) {
        let schedule = Schedule::Open { rate, arrivals: Arrivals::Poisson, overload: Overload::Queue { limit: 1_000_000 } };
        let workload = fake(move |call| {
            let mut random = Random::new(seed, call.n);
            let (lasts, fails) = (1 + random.below(longest), random.below(100) < failing);
            let lasts = Duration::from_millis(lasts);
            if fails { Act::FailAfter(lasts, Class::Sql) } else { Act::Work(lasts) }
        });
        let policy = Policy { stop_on_error: false, ..load(clients).policy };
        let recorded = exact(&what(Load { schedule, policy, ..load(clients) }, warmup, measure, interval), &workload);
        let mut before = Accounting::default();
        recorded.intervals.iter().filter(|i| i.phase == Phase::WarmUp).for_each(|i| before.merge(&i.tally.accounting));
        let a = recorded.tally.accounting;
        let ended = before.completed + before.failed + a.all_completed() + a.all_failed();
        let begun = workload.begun.load(Ordering::SeqCst);
        prop_assert!(ended <= begun && begun <= ended + u64::from(clients), "{ended} of {begun}: {a:?}");
        let open = before.scheduled + a.scheduled - ended;
        let at_end = before.open + a.open - (a.carried + a.carried_failed) as i64;
        prop_assert_eq!(open as i64, at_end, "{:?}, then {:?}", before, a);
        let named = recorded.tally.all_transactions();
        prop_assert_eq!((named.carried, named.carried_failed), (a.carried, a.carried_failed));
        let codes: u64 = recorded.tally.errors().values().sum();
        prop_assert_eq!(codes, a.all_failed(), "each with its error");
        prop_assert_eq!(recorded.tally.failed_statements(), a.failed);
    }
}

/// 4 clients, a second each, windows of five: four per second, although the window begins and ends in the midst of them.
#[test]
fn long_transactions_are_as_many_as_there_are() {
    for warmup in [0, 2500, 2999] {
        let recorded = exact(&what(load(4), warmup, 5000, 1000), &fake(|_| work(1000)));
        // Without a warm-up all begin together, and the fifth ones end with the window.
        let right = if warmup == 0 { 16 } else { 20 };
        assert_eq!(recorded.tally.accounting.completed, right, "{}", recorded.story());
        assert_eq!(recorded.tally.in_progress_ns, 20_000_000_000);
    }
}

/// Bursts, too: the whole call counts where it ends, and its transactions are in the window as far as it is.
#[test]
fn a_burst_across_the_edge_is_counted_where_it_ends() {
    let workload = Fake { burst: 4, ..fake(|_| Act::Burst(Duration::from_millis(100))) };
    let recorded = exact(&what(load(1), 1000, 1000, 1000), &workload);
    // Calls end at 400, 800, 1200, 1600 and 2000 ms.
    let a = recorded.tally.accounting;
    assert_eq!((a.begun_before, a.scheduled, a.completed, a.open), (1, 8, 8, 1), "{}", recorded.story());
    assert_eq!(recorded.tally.in_progress_ns, 1_000_000_000);
}

/// By a schedule of the workload's own, starts fall due while their client is in another transaction: its time is not that of both.
#[test]
fn a_client_is_not_in_a_transaction_that_is_overdue() {
    let (waited, lasts) = (Duration::from_millis(500), Duration::from_millis(100));
    let workload = Fake { rests: Some(|_| Duration::ZERO), ..fake(move |_| Act::Overdue(waited, lasts)) };
    let recorded = exact(&what(Load { paced: true, ..load(2) }, 0, 1000, 1000), &workload);
    assert_eq!(recorded.tally.in_progress_ns, 2_000_000_000, "{}", recorded.story());
    let each = &recorded.tally.transactions["fake"];
    let ms = |ns: u64| (ns as f64 / 1e6).round();
    assert_eq!([ms(each.response.min_ns()), ms(each.wait.min_ns()), ms(each.service.min_ns())], [600.0, 500.0, 100.0]);
}

/// One of two clients has nothing to start any more after its first transaction: until the end it pauses.
#[test]
fn a_client_with_a_schedule_of_its_own_that_has_ended_pauses() {
    let act = |call: &Call| if call.client == 1 && call.n >= 2 { Act::Quit } else { work(100) };
    let workload = Fake { rests: Some(|_| Duration::ZERO), ..fake(act) };
    let recorded = exact(&what(Load { paced: true, ..load(2) }, 0, 1000, 500), &workload);
    let (busy, pausing) = (recorded.tally.in_progress_ns, recorded.tally.paused_ns);
    assert_eq!((busy, pausing), (1_100_000_000, 900_000_000), "{}", recorded.story());
}

/// One of four clients is in a transaction from the warm-up until after the planned end, and then leaves: its time is that of one client.
#[test]
fn a_transaction_longer_than_a_window_that_drains_is_the_time_of_one_client() {
    let lasts = |call: &Call| work(if call.client == 0 { 3000 } else { 100 });
    let recorded = exact(&what(Load { drain_ms: 5000, ..load(4) }, 1000, 1000, 500), &fake(lasts));
    assert_eq!(recorded.tally.in_progress_ns, 4_000_000_000, "{}", recorded.story());
}

/// Half of the transactions fail, and their ROLLBACK takes as long as they: until it is over their client is not free.
#[test]
fn a_client_that_rolls_back_is_in_a_transaction() {
    let lasts = Duration::from_millis(50);
    let act = move |call: &Call| if call.n % 2 == 1 { Act::FailAfter(lasts, Class::Sql) } else { Act::Work(lasts) };
    for (warmup, measure, drain_ms) in [(0, 1000, 0), (500, 1000, 0), (520, 1010, 0), (530, 1000, 400)] {
        let policy = Policy { stop_on_error: false, ..load(2).policy };
        let workload = Fake { recover: Duration::from_millis(70), ..fake(act) };
        let recorded = exact(&what(Load { policy, drain_ms, ..load(2) }, warmup, measure, 250), &workload);
        assert!(recorded.tally.accounting.failed > 3, "{}", recorded.story());
        assert_eq!(recorded.tally.in_progress_ns, 2 * measure * 1_000_000, "{warmup} {}", recorded.story());
    }
}

fn tps(recorded: &Recorded, measure_ms: u64) -> f64 {
    recorded.tally.accounting.completed as f64 * 1e3 / measure_ms as f64
}

/// Of 1,000 runs of five trials each, the 95 % interval contains the true rate in 93 to 97 %: for times that are nearly fixed, random
/// and heavy-tailed, and for windows of one to a hundred times their mean.
#[test]
fn intervals_of_simulated_runs_contain_the_true_rate() {
    const MEAN_MS: f64 = 200.0;
    // Times in terms of their mean, by a uniform number.
    let uniform: fn(f64) -> f64 = |u| 0.5 + u;
    let exponential: fn(f64) -> f64 = |u| -(1.0 - u).ln();
    // A Pareto distribution with finite variance.
    let pareto: fn(f64) -> f64 = |u| (1.5 / 2.5) * (1.0 - u).powf(-1.0 / 2.5);
    for (name, times, clients, windows) in [
        ("uniform", uniform, 8, 1),
        ("exponential", exponential, 1, 20),
        ("exponential", exponential, 16, 1),
        ("exponential", exponential, 4, 10),
        ("pareto", pareto, 8, 30),
    ] {
        let measure_ms = (MEAN_MS * f64::from(windows)) as u64;
        // The mean of what the clock makes of these times: whole milliseconds, at least one.
        let lasts = move |u: f64| ((times(u) * MEAN_MS).round() as u64).max(1);
        let n = 200_000;
        let mean_ms = (0..n).map(|i| lasts((f64::from(i) + 0.5) / f64::from(n)) as f64).sum::<f64>() / f64::from(n);
        let right = f64::from(clients) * 1e3 / mean_ms;
        let runs = 1000;
        let contained = (0..runs)
            .filter(|run| {
                let trials: Vec<f64> = (0..5)
                    .map(|trial| {
                        let seed = run * 5 + trial;
                        let workload = fake(move |call| {
                            let u = Random::new(seed, u64::from(call.client) << 32 | call.n).unit();
                            work(lasts(u))
                        });
                        tps(&exact(&what(load(clients), 2000, measure_ms, 60_000), &workload), measure_ms)
                    })
                    .collect();
                let of = mean_confidence(&trials, 0.0, ALPHA).expect("five trials");
                (of.low..=of.high).contains(&right)
            })
            .count();
        let share = contained as f64 / runs as f64;
        assert!((0.93..=0.975).contains(&share), "{name}, {clients} clients, {windows} times the mean: {share}");
    }
}

/// Ten per second can be done, and twenty fall due: in the window the clients first do what fell due before it, which is no start of the window, but work.
#[test]
fn what_fell_due_before_the_window_is_told_apart_at_a_rate() {
    let schedule = Schedule::Open { rate: 20.0, arrivals: Arrivals::Even, overload: Overload::Queue { limit: 1000 } };
    let recorded = exact(&what(Load { schedule, ..load(2) }, 2000, 4000, 1000), &fake(|_| work(200)));
    let a = recorded.tally.accounting;
    // Of the 40 before it 18 ended before it; one client ends at 2000, 2200, …, the other at 2050, 2250, ….
    assert_eq!((a.scheduled, a.completed, a.carried, a.open), (80, 18, 22, 62), "{}", recorded.story());
    assert!(a.balances());
    assert_eq!(recorded.tally.carried.service_ns, 4_050_000_000);
    assert_eq!(recorded.tally.transactions["fake"].carried, 22, "by the name of the transaction");
    let each: Vec<u64> = recorded.intervals.iter().map(|i| i.tally.accounting.carried).collect();
    assert_eq!(each, [0, 0, 10, 10, 2, 0], "by the intervals in which they ended");
}

/// The same where every other one fails: none of them is lost.
#[test]
fn what_fell_due_before_the_window_and_failed_in_it_is_counted() {
    let schedule = Schedule::Open { rate: 20.0, arrivals: Arrivals::Even, overload: Overload::Queue { limit: 1000 } };
    let policy = Policy { stop_on_error: false, ..load(2).policy };
    let lasts = Duration::from_millis(200);
    let workload = fake(move |call| if call.n % 2 == 1 { Act::FailAfter(lasts, Class::Sql) } else { Act::Work(lasts) });
    let recorded = exact(&what(Load { schedule, policy, ..load(2) }, 2000, 4000, 1000), &workload);
    let a = recorded.tally.accounting;
    assert_eq!((a.scheduled, a.completed + a.failed, a.open), (80, 18, 62), "{}", recorded.story());
    assert_eq!((a.carried, a.carried_failed), (11, 11));
    assert_eq!(recorded.tally.transactions["fake"].carried_failed, 11, "by the name of the transaction");
    assert_eq!(recorded.tally.statements["only"].carried_errors, [("1213".to_owned(), 11)].into());
    assert_eq!(recorded.tally.carried.failed_statements, 22, "with the ROLLBACKs");
}

/// A number of transactions after a warm-up: its throughput is that of the clients if it is made of all that ended, until the last one has.
#[test]
fn a_number_of_transactions_after_a_warm_up_has_the_throughput_of_the_clients() {
    const MEAN_MS: f64 = 200.0;
    let (clients, operations) = (4, 40);
    let of = |warmup: u64| {
        let (mut all, mut begun_within, mut window_ns) = (0, 0, 0);
        for seed in 0..400 {
            let workload = fake(move |call| {
                let u = Random::new(seed, u64::from(call.client) << 32 | call.n).unit();
                work(((0.5 + u) * MEAN_MS).round() as u64)
            });
            let load = Load { operations: Some(operations), ..load(clients) };
            let recorded = exact(&what(load, warmup, 60_000, 60_000), &workload);
            let (a, ended) = (recorded.tally.accounting, recorded.ended());
            assert_eq!(a.completed, operations);
            assert_eq!(a.carried, if warmup > 0 { u64::from(clients) } else { 0 }, "in progress when the window began");
            (all, begun_within) = (all + a.all_completed(), begun_within + a.completed);
            window_ns += ended.measured_to_ns - ended.measured_from_ns;
        }
        let right = f64::from(clients) * 1e3 / MEAN_MS;
        [all, begun_within].map(|n| n as f64 * 1e9 / window_ns as f64 / right)
    };
    let [all, begun_within] = of(2000);
    assert!((0.97..=1.03).contains(&all) && begun_within < 0.95, "{all} {begun_within}");
    // Without one all begin together, and nothing is carried.
    let [all, begun_within] = of(0);
    assert!(all == begun_within && all < 1.0, "{all}");
}
