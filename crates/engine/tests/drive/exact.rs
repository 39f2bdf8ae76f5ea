//! On the paused clock: what is reported, to the nanosecond. `story` shows each event on a line, times in milliseconds,
//! counts as scheduled = completed + failed + skipped + open.

use crate::fake::{Act, Call, Fake, Recorded, exact, exact_with, fake, load, what, work};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;
use tenbin_client::Class;
use tenbin_engine::Drive;
use tenbin_model::event::Phase;
use tenbin_model::histogram::Histogram;
use tenbin_model::trial::{Arrivals, Load, Overload, Policy, Schedule, Transient, Workers};

fn open(rate: f64, arrivals: Arrivals, overload: Overload, clients: u32) -> Load {
    Load { schedule: Schedule::Open { rate, arrivals, overload }, ..load(clients) }
}

const QUEUE: Overload = Overload::Queue { limit: 1_000_000 };

/// Counted values as `milliseconds×count`, to the histogram's precision.
fn shown(histogram: &Histogram) -> String {
    let each = histogram.buckets().map(|(ns, n)| format!("{:.1}×{n}", ns as f64 / 1e6));
    each.collect::<Vec<_>>().join(" ")
}

fn times(recorded: &Recorded) -> [String; 3] {
    let t = &recorded.tally.transactions["fake"];
    [shown(&t.response), shown(&t.service), shown(&t.wait)]
}

#[test]
fn closed_loop_by_time() {
    let recorded = exact(&what(load(2), 0, 2500, 1000), &fake(|_| work(300)));
    assert_eq!(
        recorded.story(),
        "measure at 0\n\
        \x20 0-1000: 8 = 6 + 0 + 0 + 2\n\
        \x20 1000-2000: 6 = 6 + 0 + 0 + 0\n\
        \x20 2000-2500: 4 = 4 + 0 + 0 + 0\n\
         cool-down at 2500\n"
    );
    assert_eq!(recorded.cut_short(), "");
    assert_eq!(times(&recorded), ["300.2×16", "300.2×16", "0.0×16"]);
    assert_eq!(shown(&recorded.tally.statements["only"].service), "300.2×16");
    let each = &recorded.ended().per_client;
    assert_eq!(
        (&each.completed, &each.response_ns),
        (&vec![8, 8], &vec![2_400_000_000; 2]),
        "exact, unlike histograms"
    );
    assert_eq!((&each.min_ns, &each.max_ns), (&vec![300_000_000; 2], &vec![300_000_000; 2]));
    let only = &recorded.tally.statements["only"];
    assert_eq!(recorded.tally.queries().total(), only.completed);
}

#[test]
fn what_is_under_way_at_the_end_is_waited_for_and_counted_where_the_load_drains() {
    let drain = |drain_ms: u64, work_ms: u64| {
        exact(&what(Load { drain_ms, ..load(2) }, 0, 2500, 1000), &fake(move |_| work(work_ms)))
    };
    let recorded = drain(60_000, 300);
    assert_eq!(
        recorded.story(),
        "measure at 0\n\
        \x20 0-1000: 8 = 6 + 0 + 0 + 2\n\
        \x20 1000-2000: 6 = 6 + 0 + 0 + 0\n\
        \x20 2000-2500: 4 = 4 + 0 + 0 + 0\n\
        \x20 2500-2700: 0 = 2 + 0 + 0 + -2\n\
         cool-down at 2700\n"
    );
    assert_eq!((recorded.cut_short(), recorded.ended().per_client.completed.as_slice()), ("", &[9, 9][..]));
    assert!(recorded.intervals.iter().all(|i| i.clients == 2), "who has said goodbye was not lost");
    let drained: Vec<bool> = recorded.intervals.iter().map(|i| i.tally.drained).collect();
    assert_eq!(drained, [false, false, false, true], "what follows the window is told apart");
    // Longer than the intervals, and than the drive was meant to be.
    let recorded = drain(60_000, 4000);
    assert_eq!(
        recorded.story(),
        "measure at 0\n\
        \x20 0-1000: 2 = 0 + 0 + 0 + 2\n\
        \x20 1000-2000: 0 = 0 + 0 + 0 + 0\n\
        \x20 2000-2500: 0 = 0 + 0 + 0 + 0\n\
        \x20 2500-3500: 0 = 0 + 0 + 0 + 0\n\
        \x20 3500-4000: 0 = 2 + 0 + 0 + -2\n\
         cool-down at 4000\n"
    );
    // What does not end in the time that is given stays open.
    let recorded = drain(1200, 4000);
    assert!(recorded.story().ends_with("3500-3700: 0 = 0 + 0 + 0 + 0\ncool-down at 3700\n"), "{}", recorded.story());
    assert_eq!((recorded.tally.accounting.open, recorded.cut_short()), (2, ""));
    // In the open loop no start is meant for later than the end.
    let recorded = exact(
        &what(Load { drain_ms: 9000, ..open(10.0, Arrivals::Even, QUEUE, 1) }, 0, 1000, 1000),
        &fake(|_| work(150)),
    );
    let a = recorded.tally.accounting;
    assert_eq!((a.scheduled, a.completed, a.open), (10, 7, 3), "{}", recorded.story());
}

#[test]
fn what_fails_again_and_again_does_not_outlive_the_drive() {
    let policy = |stop_on_error| Policy { retries: u32::MAX, stop_on_error, ..Policy::default() };
    let endless = |stop_on_error| {
        let load = Load { drain_ms: 3_600_000, policy: policy(stop_on_error), ..load(1) };
        exact(&what(load, 0, 1000, 1000), &fake(|_| Act::FailAfter(Duration::from_millis(100), Class::Conflict)))
    };
    let recorded = endless(true);
    assert_eq!(recorded.cut_short(), "statement only of client 0 failed: told to fail (error 1213)");
    let a = recorded.tally.accounting;
    assert_eq!((a.scheduled, a.completed, a.failed, a.open), (1, 0, 1, 0), "{}", recorded.story());
    let to_ms = recorded.intervals.last().unwrap().to_ns / 1_000_000;
    assert!((4000..4300).contains(&to_ms), "three seconds and an attempt after the end: {to_ms}");
    let recorded = endless(false);
    assert_eq!((recorded.cut_short(), recorded.tally.accounting.failed), ("", 1), "{}", recorded.story());
}

#[test]
fn clients_that_rest_start_when_their_rest_is_over_in_any_order() {
    // Client 0 rests 1 s and works 300 ms, client 1 rests 200 ms: its starts fall between those of client 0.
    let rests = Some((|n| Duration::from_millis(if n == 0 { 1000 } else { 200 })) as fn(u32) -> Duration);
    let recorded = exact(&what(load(2), 0, 3000, 1000), &Fake { rests, ..fake(|_| work(300)) });
    // Client 0 starts at 1000 and 2300, client 1 at 200, 700, 1200, …, 2700, whose end at 3000 comes too late.
    assert_eq!(
        recorded.story(),
        "measure at 0\n\
        \x20 0-1000: 2 = 1 + 0 + 0 + 1\n\
        \x20 1000-2000: 3 = 3 + 0 + 0 + 0\n\
        \x20 2000-3000: 3 = 3 + 0 + 0 + 0\n\
         cool-down at 3000\n"
    );
    assert_eq!(times(&recorded), ["300.2×7", "300.2×7", "0.0×7"]);
    assert_eq!(recorded.ended().per_client.completed, [2, 5]);
    assert_eq!(recorded.cut_short(), "");
    assert_eq!(recorded.tally.counters["seven"], 7 * 7);
}

#[test]
fn a_rest_begins_at_the_end_of_a_failed_transaction_and_its_counts_are_dropped() {
    let rests = Some((|_| Duration::from_millis(500)) as fn(u32) -> Duration);
    let script = |c: &Call| {
        if c.n.is_multiple_of(2) { Act::FailAfter(Duration::from_millis(250), Class::Sql) } else { work(250) }
    };
    let lax = Load { policy: Policy { stop_on_error: false, ..Policy::default() }, ..load(1) };
    let recorded = exact(&what(lax, 0, 3100, 3100), &Fake { rests, ..fake(script) });
    // Starts at 500, 1250, 2000, 2750: failed, completed, failed, completed.
    let t = &recorded.tally.transactions["fake"];
    assert_eq!((t.failed, t.completed, recorded.tally.counters["seven"]), (2, 2, 14));
    assert_eq!(shown(&t.wait), "0.0×2");
}

#[test]
fn a_rate_and_resting_clients_do_not_go_together() {
    let rests = Some((|_| Duration::ZERO) as fn(u32) -> Duration);
    let load = open(10.0, Arrivals::Even, QUEUE, 1);
    let recorded = exact(&what(load, 0, 1000, 1000), &Fake { rests, ..fake(|_| work(1)) });
    assert!(recorded.outcome.as_ref().is_err_and(|p| p.what.contains("keep their own pace")));
}

#[test]
fn clients_that_have_done_all_end_the_drive() {
    // Client 0 does one transaction, client 1 two.
    let part = |c: &Call| {
        if c.client == 0 || c.n > 1 { Act::Last(Duration::from_millis(300)) } else { work(300) }
    };
    let recorded = exact(&what(load(2), 0, 60_000, 1000), &fake(part));
    assert_eq!(recorded.story(), "measure at 0\n\x20 0-600: 3 = 3 + 0 + 0 + 0\ncool-down at 600\n");
    assert_eq!(recorded.cut_short(), "");
}

#[test]
fn a_client_lost_among_those_that_have_done_all_is_told() {
    let part = |c: &Call| {
        if c.client == 0 { Act::Last(Duration::from_millis(300)) } else { Act::Fail(Class::Lost) }
    };
    let mut load = load(2);
    load.policy.reconnect = false;
    let recorded = exact(&what(load, 0, 60_000, 1000), &fake(part));
    assert_eq!(recorded.story(), "measure at 0\n\x20 0-300: 2 = 1 + 1 + 0 + 0\ncool-down at 300\n");
    assert!(recorded.cut_short().contains("before they had done their part"), "{}", recorded.cut_short());
}

#[test]
fn what_ends_in_the_window_is_measured_whenever_it_began() {
    let recorded = exact(&what(load(1), 1000, 1000, 1000), &fake(|_| work(400)));
    assert_eq!(
        recorded.story(),
        "warm-up at 0\n\
        \x20 0-1000: 3 = 2 + 0 + 0 + 1\n\
         measure at 1000\n\
        \x20 1000-2000: 1 + 2 = 2 + 0 + 0 + 1\n\
         cool-down at 2000\n",
        "the one from 800 to 1200 is in progress at the start, the one from 1600 to 2000 at the end"
    );
    let ended = recorded.ended();
    assert_eq!((ended.measured_from_ns, ended.measured_to_ns), (1_000_000_000, 2_000_000_000));
}

#[test]
fn a_warm_up_that_has_become_steady_ends_early_and_the_measure_is_as_long() {
    let early = |load: Load, fake: &Fake| {
        let what = what(load, 60_000, 2000, 1000);
        what.control.steady.ask();
        exact(&what, fake)
    };
    let recorded = early(load(1), &fake(|_| work(400)));
    assert_eq!(
        recorded.story(),
        "warm-up at 0\n\
        \x20 0-1000: 3 = 2 + 0 + 0 + 1\n\
        \x20 1000-2000: 2 = 2 + 0 + 0 + 0\n\
         measure at 2000\n\
        \x20 2000-3000: 1 + 3 = 3 + 0 + 0 + 1\n\
        \x20 3000-4000: 2 = 2 + 0 + 0 + 0\n\
         cool-down at 4000\n",
        "the one from 1600 to 2000 ends as the window begins"
    );
    let ended = recorded.ended();
    assert_eq!((ended.measured_from_ns, ended.measured_to_ns), (2_000_000_000, 4_000_000_000));
    assert_eq!(ended.per_client.completed, [5]);
    // Four clients have taken the starts at 2.0, 2.5, 3.0 and 3.5 s when it is asked, so that these remain warm-up.
    let recorded = early(open(2.0, Arrivals::Even, QUEUE, 4), &fake(|_| work(10)));
    let began = recorded.phases.iter().find(|(phase, _)| *phase == Phase::Measure).map(|(_, at)| at / 1_000_000);
    assert_eq!(began, Some(4000), "{}", recorded.story());
    let a = &recorded.tally.accounting;
    assert_eq!((a.scheduled, a.completed, a.open), (4, 4, 0));
}

#[test]
fn an_end_on_the_boundary_belongs_to_the_next_interval() {
    let recorded = exact(&what(load(1), 0, 2000, 1000), &fake(|_| work(500)));
    assert_eq!(
        recorded.story(),
        "measure at 0\n  0-1000: 2 = 1 + 0 + 0 + 1\n  1000-2000: 2 = 2 + 0 + 0 + 0\ncool-down at 2000\n"
    );
}

#[test]
fn the_cool_down_lets_what_is_under_way_finish_but_not_for_ever() {
    let workload = fake(|_| work(3000));
    let recorded = exact(&what(load(2), 0, 1000, 1000), &workload);
    assert_eq!(recorded.story(), "measure at 0\n  0-1000: 2 = 0 + 0 + 0 + 2\ncool-down at 1000\n");
    assert_eq!(workload.closed.load(Ordering::SeqCst), 2);

    let workload = fake(|_| work(1_000_000_000));
    let recorded = exact(&what(load(2), 0, 1000, 1000), &workload);
    assert_eq!(recorded.tally.accounting.open, 2);
    assert_eq!(workload.closed.load(Ordering::SeqCst), 0, "dropped in the middle of a statement");
}

#[test]
fn operations_are_counted_over_all_clients_and_end_the_drive() {
    let load = Load { operations: Some(7), workers: Workers::Count(3), ..load(3) };
    let recorded = exact(&what(load, 500, 60_000, 1000), &fake(|_| work(200)));
    assert_eq!(
        recorded.story(),
        "warm-up at 0\n  0-500: 9 = 6 + 0 + 0 + 3\n\
         measure at 500\n  500-1200: 7 = 7 + 0 + 0 + 0\n\
         cool-down at 1200\n",
        "three from 600, three from 800, one from 1000"
    );
    assert_eq!((recorded.cut_short(), recorded.ended().workers), ("", 3));
}

#[test]
fn even_arrivals_do_not_wait_for_clients() {
    let recorded = exact(&what(open(100.0, Arrivals::Even, QUEUE, 2), 0, 1000, 500), &fake(|_| work(4)));
    assert_eq!(
        recorded.story(),
        "measure at 0\n  0-500: 50 = 50 + 0 + 0 + 0\n  500-1000: 50 = 50 + 0 + 0 + 0\ncool-down at 1000\n"
    );
    assert_eq!(times(&recorded), ["4.0×100", "4.0×100", "0.0×100"]);
}

#[test]
fn coordinated_omission_is_not_committed() {
    // One transaction stalls for 500 ms; one client, a start every 10 ms.
    let stall = |stalls| fake(move |c| work(if c.n == 20 && stalls { 500 } else { 1 }));
    let recorded = exact(&what(open(100.0, Arrivals::Even, QUEUE, 1), 0, 1000, 1000), &stall(true));
    let t = &recorded.tally.transactions["fake"];
    let late = |h: &Histogram| h.buckets().filter(|(ns, _)| *ns > 100_000_000).map(|(_, n)| n).sum::<u64>();
    assert_eq!(recorded.tally.accounting.completed, 100);
    assert_eq!(late(&t.service), 1, "one was slow");
    assert_eq!(late(&t.wait), 44, "those meant for 210 to 640 waited for more than 100 ms behind it");
    assert_eq!(late(&t.response), 45);
    // In the closed loop the same stall is one bad value among many good ones.
    let recorded = exact(&what(load(1), 0, 1000, 1000), &stall(true));
    let t = &recorded.tally.transactions["fake"];
    assert_eq!((late(&t.response), late(&t.service)), (1, 1));
    assert!(t.completed > 490);
    assert_eq!(exact(&what(load(1), 0, 1000, 1000), &stall(false)).tally.accounting.completed, 999);
}

#[test]
fn random_arrivals_are_the_same_for_the_same_seed_only() {
    let drive = what(open(100.0, Arrivals::Poisson, QUEUE, 50), 0, 10_000, 1000);
    let counts = |drive: &Drive| {
        let recorded = exact(drive, &fake(|_| work(7)));
        recorded.intervals.iter().map(|i| i.tally.accounting.scheduled).collect::<Vec<_>>()
    };
    let first = counts(&drive);
    assert_eq!(first, counts(&drive));
    let more_clients = Drive { load: Load { clients: 80, ..drive.load.clone() }, ..drive.clone() };
    assert_eq!(first, counts(&more_clients), "when is not a matter of who");
    assert_ne!(first, counts(&Drive { seed: 2, ..drive }));
    let sum = first.iter().sum::<u64>() as f64;
    assert!((sum - 1000.0).abs() < 5.0 * 1000f64.sqrt(), "{sum} of 1000");
}

#[test]
fn a_queue_keeps_so_many_and_skips_beyond() {
    // A start every 10 ms, 100 ms of work for one client; three may wait.
    let queue = Overload::Queue { limit: 3 };
    let recorded = exact(&what(open(100.0, Arrivals::Even, queue, 1), 0, 1000, 500), &fake(|_| work(100)));
    assert_eq!(
        recorded.story(),
        "measure at 0\n  0-500: 50 = 4 + 0 + 42 + 4\n  500-1000: 50 = 5 + 0 + 45 + 0\ncool-down at 1000\n",
        "each 100 ms one goes and one of ten is let in"
    );
}

#[test]
fn without_a_queue_a_start_without_a_free_client_is_skipped() {
    let recorded = exact(&what(open(100.0, Arrivals::Even, Overload::Skip, 2), 0, 1000, 1000), &fake(|_| work(35)));
    // Two clients take two starts in a row and are back after 35 ms: two of every four are skipped.
    assert_eq!(recorded.story(), "measure at 0\n  0-1000: 100 = 49 + 0 + 50 + 1\ncool-down at 1000\n");
    assert_eq!(times(&recorded)[2], "0.0×49");
}

#[test]
fn too_long_a_queue_stops_the_drive_where_the_plan_says_so() {
    let overload = Overload::Stop { limit: 5 };
    let recorded = exact(&what(open(100.0, Arrivals::Even, overload, 1), 0, 60_000, 1000), &fake(|_| work(1000)));
    assert!(recorded.cut_short().contains("could not keep up"), "{}", recorded.cut_short());
    // The first is under way, those meant for 10 to 50 ms wait: the fifth ends it.
    assert_eq!(recorded.story(), "measure at 0\n  0-50.000001: 6 = 0 + 0 + 0 + 6\ncool-down at 50.000001\n");
}

#[test]
fn operations_bound_an_open_schedule_too() {
    let load = Load { operations: Some(25), ..open(100.0, Arrivals::Even, QUEUE, 2) };
    let recorded = exact(&what(load, 100, 60_000, 1000), &fake(|_| work(4)));
    assert_eq!(
        recorded.story(),
        "warm-up at 0\n  0-100: 10 = 10 + 0 + 0 + 0\nmeasure at 100\n  100-344: 25 = 25 + 0 + 0 + 0\ncool-down at 344\n"
    );
    assert_eq!(recorded.cut_short(), "");
}

#[test]
fn a_schedule_without_more_starts_before_the_end_runs_to_the_end() {
    let recorded = exact(&what(open(1.0, Arrivals::Even, QUEUE, 3), 0, 2500, 1000), &fake(|_| work(4)));
    assert_eq!(recorded.cut_short(), "");
    assert_eq!(
        recorded.story(),
        "measure at 0\n  0-1000: 1 = 1 + 0 + 0 + 0\n  1000-2000: 1 = 1 + 0 + 0 + 0\n  2000-2500: 1 = 1 + 0 + 0 + 0\n\
         cool-down at 2500\n"
    );
}

#[test]
fn conflicts_are_tried_again_with_a_pause_that_is_wait_and_not_service() {
    let script = |c: &Call| match c.attempt {
        0 | 1 => Act::FailAfter(Duration::from_millis(10), Class::Conflict),
        _ => work(10),
    };
    let workload = Fake { recover: Duration::from_millis(5), ..fake(script) };
    let recorded = exact(&what(Load { operations: Some(1), ..load(1) }, 0, 60_000, 1000), &workload);
    let t = &recorded.tally.transactions["fake"];
    assert_eq!((t.completed, t.failed, t.retries), (1, 0, 2));
    assert_eq!(recorded.tally.statements["only"].errors["1213"], 2);
    assert_eq!(recorded.tally.statements["only"].completed, 1);
    // Three attempts of 10 ms and two ROLLBACKs of 5 ms.
    assert_eq!(shown(&t.service), "40.0×1");
    let (response, wait) = (t.response.max_ns(), t.wait.max_ns());
    assert!(response.abs_diff(40_000_000 + wait) < 100_000, "{response} {wait}");
    assert!((1_400_000..=6_000_000).contains(&wait), "pauses of 0.5 to 1.5 and 1 to 3 ms, rounded up: {wait}");
}

#[test]
fn a_conflict_too_many_is_a_failure_and_ends_nothing() {
    let workload = fake(|_| Act::FailAfter(Duration::from_millis(10), Class::Conflict));
    let recorded = exact(&what(Load { operations: Some(10), ..load(2) }, 0, 60_000, 60_000), &workload);
    let t = &recorded.tally.transactions["fake"];
    assert_eq!((t.completed, t.failed, t.retries), (0, 10, 30));
    assert_eq!(shown(&t.failed_service), "40.0×10", "failures keep their time: four attempts");
    assert_eq!(recorded.tally.statements["only"].errors["1213"], 40);
    assert_eq!((recorded.tally.accounting.failed, recorded.cut_short()), (10, ""));
}

#[test]
fn a_wrong_statement_ends_the_drive_or_is_counted() {
    let script = |c: &Call| if c.n == 20 { Act::Fail(Class::Sql) } else { work(1) };
    let recorded = exact(&what(load(3), 0, 60_000, 1000), &fake(script));
    assert!(recorded.cut_short().starts_with("statement only of client "), "{}", recorded.cut_short());
    assert!(recorded.cut_short().contains("told to fail (error 1213)"), "{}", recorded.cut_short());
    // Seven rounds of three; the failing one in the last.
    assert_eq!(recorded.story(), "measure at 0\n  0-6: 21 = 18 + 1 + 0 + 2\ncool-down at 6\n");

    let policy = Policy { stop_on_error: false, ..Policy::default() };
    let recorded = exact(&what(Load { operations: Some(60), policy, ..load(3) }, 0, 60_000, 1000), &fake(script));
    assert_eq!(
        (recorded.tally.accounting.completed, recorded.tally.accounting.failed, recorded.cut_short()),
        (59, 1, "")
    );
}

/// The tenth transaction loses its connection, and the next `refusals` connections are refused.
fn outage(refusals: u64) -> Fake {
    let workload = fake(|_| work(1));
    let refuse = workload.refuse.clone();
    let script = move |c: &Call| {
        if c.n != 10 {
            return work(1);
        }
        refuse.store(refusals, Ordering::SeqCst);
        Act::FailAfter(Duration::from_millis(1), Class::Lost)
    };
    Fake { script: Arc::new(script), ..workload }
}

#[test]
fn an_outage_is_one_failure_and_one_long_response() {
    let recorded = exact(&what(Load { operations: Some(30), ..load(1) }, 0, 60_000, 60_000), &outage(5));
    assert_eq!((recorded.cut_short(), recorded.tally.reconnects), ("", 1));
    let a = recorded.tally.accounting;
    assert_eq!((a.scheduled, a.completed, a.failed, a.open), (30, 29, 1, 0), "no storm of failures");
    assert_eq!(
        recorded.tally.statements["connect"].errors,
        [("1040".to_owned(), 5)].into(),
        "each connect that failed"
    );
    assert_eq!((recorded.tally.failed_statements(), recorded.tally.statements["connect"].completed), (1, 0));
    let t = &recorded.tally.transactions["fake"];
    // 100 + 200 + 400 + 800 + 1600 ms, each give or take a quarter.
    let long = t.response.max_ns() as f64 / 1e6;
    assert!((2326.0..3900.0).contains(&long), "{long}");
    assert_eq!(t.response.buckets().filter(|(ns, _)| *ns > 50_000_000).count(), 1);
    assert!(t.wait.max_ns() > 2_300_000_000, "the client wanted to go on at once");
    assert_eq!(shown(&t.service), "1.0×29");
}

#[test]
fn a_lost_connection_that_is_to_be_retried_costs_no_transaction() {
    let policy = Policy { transient: Transient::Codes(vec!["1213".into()]), ..Policy::default() };
    let recorded = exact(&what(Load { operations: Some(30), policy, ..load(1) }, 0, 60_000, 60_000), &outage(5));
    let a = recorded.tally.accounting;
    assert_eq!((a.scheduled, a.completed, a.failed, a.open, recorded.tally.reconnects), (30, 30, 0, 0, 1));
    assert_eq!((recorded.cut_short(), recorded.tally.failed_statements()), ("", 1));
    let t = &recorded.tally.transactions["fake"];
    assert_eq!((t.retries, t.response.count()), (1, 30));
    assert!(t.wait.max_ns() > 2_300_000_000 && t.service.max_ns() < 3_000_000, "it waited for the server");
}

#[test]
fn an_outage_in_the_open_loop_leaves_the_starts_to_the_others() {
    let load = Load { operations: Some(100), ..open(100.0, Arrivals::Even, QUEUE, 2) };
    let recorded = exact(&what(load, 0, 60_000, 60_000), &outage(20));
    let a = recorded.tally.accounting;
    assert_eq!((a.scheduled, a.completed, a.failed, a.open), (100, 99, 1, 0));
    assert_eq!(times(&recorded), ["1.0×99", "1.0×99", "0.0×99"], "no client waited");
}

#[test]
fn a_lasting_outage_is_open_and_ends_with_the_window() {
    let recorded = exact(&what(load(1), 0, 1000, 500), &outage(u64::MAX));
    assert_eq!(
        recorded.story(),
        "measure at 0\n  0-500: 12 = 10 + 1 + 0 + 1\n  500-1000: 0 = 0 + 0 + 0 + 0\ncool-down at 1000\n"
    );
    assert_eq!(recorded.intervals.iter().map(|i| i.clients).collect::<Vec<_>>(), [0, 0]);
}

#[test]
fn without_reconnecting_clients_leave_and_the_last_one_ends_the_drive() {
    let policy = Policy { reconnect: false, ..Policy::default() };
    let lose = |c: &Call| {
        let now = c.n >= 10 + 10 * u64::from(c.client);
        if now { Act::FailAfter(Duration::from_millis(1), Class::Lost) } else { work(1) }
    };
    let recorded = exact(&what(Load { policy, ..load(3) }, 0, 60_000, 5), &fake(lose));
    assert!(recorded.cut_short().starts_with("all clients lost their connections"), "{}", recorded.cut_short());
    assert_eq!((recorded.tally.accounting.failed, recorded.tally.accounting.open), (3, 0));
    let clients: Vec<u32> = recorded.intervals.iter().map(|i| i.clients).collect();
    assert!(clients.windows(2).all(|w| w[0] >= w[1]) && clients.contains(&1), "{clients:?}");
}

#[test]
fn asked_once_the_interval_is_finished() {
    let recorded = exact_with(&what(load(1), 0, 60_000, 1000), &fake(|_| work(300)), &[1500]);
    assert_eq!(recorded.cut_short(), "stopped by the user");
    assert_eq!(
        recorded.story(),
        "measure at 0\n  0-1000: 4 = 3 + 0 + 0 + 1\n  1000-2000: 3 = 3 + 0 + 0 + 0\ncool-down at 2000\n"
    );
    assert_eq!(recorded.ended().measured_to_ns, 2_000_000_000);
}

#[test]
fn asked_twice_all_is_dropped_at_once() {
    let workload = fake(|_| work(300));
    let recorded = exact_with(&what(load(1), 0, 60_000, 1000), &workload, &[1500, 1600]);
    assert_eq!(recorded.cut_short(), "stopped at once by the user");
    assert_eq!(
        recorded.story(),
        "measure at 0\n  0-1000: 4 = 3 + 0 + 0 + 1\n  1000-1605: 2 = 2 + 0 + 0 + 0\ncool-down at 1605\n",
        "looked for every 50 ms"
    );
    assert_eq!(workload.closed.load(Ordering::SeqCst), 0);
}

#[test]
fn asked_in_warm_up_nothing_is_measured() {
    let recorded = exact_with(&what(load(1), 5000, 5000, 1000), &fake(|_| work(300)), &[1500]);
    assert_eq!(recorded.phases.iter().map(|p| p.0).collect::<Vec<_>>(), [Phase::WarmUp, Phase::CoolDown]);
    let ended = recorded.ended();
    assert_eq!((ended.measured_from_ns, ended.measured_to_ns), (2_000_000_000, 2_000_000_000));
    assert_eq!(ended.client_cpu_ns, 0);
    assert_eq!(recorded.cut_short(), "stopped by the user");
}

#[test]
fn a_panic_leaves_the_others_counted() {
    let workload = fake(|c| if c.n == 50 { Act::Panic } else { work(1) });
    let recorded = exact(&what(load(4), 0, 60_000, 1000), &workload);
    assert!(recorded.cut_short().contains("panicked"), "{}", recorded.cut_short());
    // Twelve rounds of four; of the thirteenth two and the one that panics, the fourth finds the end has come.
    assert_eq!(recorded.story(), "measure at 0\n  0-12: 51 = 48 + 0 + 0 + 3\ncool-down at 12\n");
    assert_eq!(workload.closed.load(Ordering::SeqCst), 3);
}
