//! On the paused clock: servers that die, hang or come back, as the intervals show them. `quiet` shows each interval on
//! a line: first and last completion, the longest stretch between two, client time without a connection; milliseconds.

use crate::fake::{Act, Call, Fake, exact, fake, load, what, work};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;
use tenbin_client::Class;
use tenbin_model::trial::{Arrivals, Load, Overload, Schedule};

/// Up to transaction `n` each takes 100 ms; those after it never end.
fn hangs_after(n: u64) -> Fake {
    fake(move |c: &Call| if c.n < n { work(100) } else { work(3_600_000) })
}

/// Transaction `n` and all that are under way then lose their connections; `refusals` new ones are refused.
fn dies_at(n: u64, refusals: u64) -> Fake {
    let workload = fake(|_| work(100));
    let refuse = workload.refuse.clone();
    let script = move |c: &Call| {
        if c.n == n {
            refuse.store(refusals, Ordering::SeqCst);
        }
        // Two clients: both have one under way.
        if c.n == n || c.n == n + 1 { Act::FailAfter(Duration::from_millis(50), Class::Lost) } else { work(100) }
    };
    Fake { script: Arc::new(script), ..workload }
}

#[test]
fn a_server_that_hangs_completes_nothing_any_more() {
    let recorded = exact(&what(load(2), 0, 4000, 1000), &hangs_after(30));
    assert_eq!(
        recorded.quiet(),
        "0-1000: 100-900, gap 0; without 0\n1000-2000: 1000-1500, gap 0; without 0\n2000-3000: nothing; without 0\n\
         3000-4000: nothing; without 0\n"
    );
    assert_eq!(recorded.intervals.iter().map(|i| i.clients).collect::<Vec<_>>(), [2; 4], "connections stay open");
    assert_eq!(recorded.ended().oldest_open_ns, Some(2_500_000_000), "what is open began when the last one ended");
}

#[test]
fn a_stretch_without_a_completion_is_exact_within_an_interval() {
    // Client 0 takes 100 ms each but once 700 ms; client 1 joins the standstill at its own time.
    let slow = fake(|c: &Call| match (c.client, c.n) {
        (_, 10) => work(700),
        (_, 11) => work(650),
        _ => work(100),
    });
    let recorded = exact(&what(load(2), 0, 3000, 3000), &slow);
    assert_eq!(recorded.quiet(), "0-3000: 100-2950, gap 650; without 0\n");
}

#[test]
fn a_server_that_dies_leaves_clients_without_connections_to_the_end() {
    let recorded = exact(&what(load(2), 0, 4000, 1000), &dies_at(20, u64::MAX));
    assert_eq!(
        recorded.quiet(),
        "0-1000: 100-900, gap 0; without 0\n1000-2000: 1000-1000, gap 0; without 1900\n2000-3000: nothing; without 2000\n\
         3000-4000: nothing; without 2000\n"
    );
    assert_eq!(recorded.intervals.iter().map(|i| i.clients).collect::<Vec<_>>(), [2, 0, 0, 0]);
    assert_eq!((recorded.tally.accounting.failed, recorded.tally.accounting.open), (2, 2));
}

#[test]
fn time_until_the_next_connection_counts_as_unavailable() {
    let recorded = exact(&what(load(2), 0, 4000, 1000), &dies_at(20, 4));
    let lines: Vec<u64> = recorded.intervals.iter().map(|i| i.tally.unavailable_ns).collect();
    assert_eq!((lines[0], lines[2], lines[3]), (0, 0, 0));
    // Two pauses for each client, 100 and 200 ms give or take a quarter.
    assert!((450..=750).contains(&(lines[1] / 1_000_000)), "{lines:?}");
    assert_eq!(recorded.tally.reconnects, 2);
    assert_eq!(recorded.intervals.iter().map(|i| i.clients).collect::<Vec<_>>(), [2; 4]);
}

fn at_a_rate(clients: u32, overload: Overload) -> Load {
    Load { schedule: Schedule::Open { rate: 10.0, arrivals: Arrivals::Even, overload }, ..load(clients) }
}

#[test]
fn starts_that_are_never_answered_count_with_the_time_they_waited() {
    // Ten a second; from the tenth on nothing is answered. Three clients hold one each, the others wait.
    let queue = Overload::Queue { limit: 1000 };
    let recorded = exact(&what(at_a_rate(3, queue), 0, 5000, 1000), &hangs_after(10));
    let (a, unanswered) = (recorded.tally.accounting, &recorded.tally.unanswered);
    assert_eq!((a.scheduled, a.completed, a.open, unanswered.count()), (50, 10, 40, 40));
    assert_eq!(recorded.ended().oldest_open_ns, Some(4_000_000_000), "due at 1 s");
    let all = recorded.tally.all_starts().response;
    assert_eq!((all.count(), all.quantile_ns(0.5) / 100_000_000), (50, 15), "the median start had waited 1.5 s");
    assert!(all.quantile_ns(0.99) >= 3_999_000_000, "{all:?}");
    assert!(recorded.tally.all_transactions().response.max_ns() < 101_000_000, "what completed took 100 ms");

    // Where nothing may wait, those under way are all there is.
    let recorded = exact(&what(at_a_rate(3, Overload::Skip), 0, 5000, 1000), &hangs_after(10));
    let a = recorded.tally.accounting;
    assert_eq!((a.completed, a.skipped, a.open, recorded.tally.unanswered.count()), (10, 37, 3, 3));
}

#[test]
fn an_open_loop_that_is_answered_has_only_what_is_under_way() {
    let recorded = exact(&what(at_a_rate(3, Overload::Queue { limit: 9 }), 1000, 2050, 1000), &fake(|_| work(100)));
    // The last is due at 3000 and would end at 3100.
    let (a, unanswered) = (recorded.tally.accounting, &recorded.tally.unanswered);
    assert_eq!((a.scheduled, a.completed, a.open, unanswered.count()), (21, 20, 1, 1));
    assert_eq!(recorded.ended().oldest_open_ns, Some(50_000_000));
}

#[test]
fn clients_that_rest_have_nothing_under_way() {
    let rests = Some((|_| Duration::from_secs(30)) as fn(u32) -> Duration);
    let recorded = exact(&what(load(2), 0, 20_000, 10_000), &Fake { rests, ..fake(|_| work(100)) });
    assert_eq!(recorded.quiet(), "0-10000: nothing; without 0\n10000-20000: nothing; without 0\n");
    assert_eq!(recorded.ended().oldest_open_ns, Some(0));
}

#[test]
fn what_a_client_without_a_connection_has_not_written_is_told() {
    let dies = |call: &Call| if call.client == 0 || call.n < 4 { work(100) } else { Act::Fail(Class::Lost) };
    let workload = Fake { goodbye: (Duration::ZERO, 7), ..fake(dies) };
    let mut load = load(2);
    load.policy.reconnect = false;
    let recorded = exact(&what(load, 0, 1000, 1000), &workload);
    assert_eq!(recorded.ended().per_client.unwritten, [0, 7]);
    let problem = recorded.ended().cut_short.clone().unwrap();
    assert_eq!(
        format!("{}: {}", problem.what.english(), problem.evidence.unwrap_or_default().english()),
        "the end of client 1 failed: not connected: the end of 1 client failed; \
         7 transactions that were counted have not written their rows"
    );
}

#[test]
fn a_last_statement_that_is_not_answered_is_told_with_what_it_should_have_written() {
    let ends = |goodbye: (u64, u64)| {
        let workload = Fake { goodbye: (Duration::from_millis(goodbye.0), goodbye.1), ..fake(|_| work(100)) };
        let recorded = exact(&what(load(2), 0, 1000, 1000), &workload);
        recorded.ended().cut_short.clone().map(|problem| {
            let evidence = problem.evidence.unwrap_or_default();
            format!("{}: {}", problem.what.english(), evidence.english())
        })
    };
    assert_eq!(ends((1500, 7)), None, "slow, but answered");
    assert_eq!(ends((60_000, 0)), None, "a goodbye without an answer writes nothing");
    assert_eq!(
        ends((60_000, 7)).as_deref(),
        Some(
            "the end of clients failed: their last statement was not answered within 2 s: the end of 2 clients failed; \
             14 transactions that were counted have not written their rows"
        )
    );
}
