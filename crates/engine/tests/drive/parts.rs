//! A load in parts, as several load hosts drive it: together they do what one would.

use crate::fake::{Recorded, exact, fake, load, what, work};
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};
use tenbin_engine::{Drive, LoadPart};
use tenbin_model::histogram::Histogram;
use tenbin_model::tally::Tally;
use tenbin_model::trial::{Arrivals, Load, Overload, Schedule};

/// All parts, each driven by itself.
fn parts(what: &Drive, of: u32, work_ms: impl Fn(u32) -> u64 + Clone + Send + Sync + 'static) -> Vec<Recorded> {
    let part = |number| {
        let work_ms = work_ms.clone();
        exact(&Drive { part: LoadPart { number, of }, ..what.clone() }, &fake(move |call| work(work_ms(call.client))))
    };
    (0..of).map(part).collect()
}

/// Their tallies by interval, added.
fn together(parts: &[Recorded]) -> BTreeMap<(u64, u64), Tally> {
    let mut all: BTreeMap<_, Tally> = BTreeMap::new();
    for interval in parts.iter().flat_map(|part| &part.intervals) {
        all.entry((interval.from_ns, interval.to_ns)).or_default().merge(&interval.tally);
    }
    all
}

#[test]
fn parts_add_up_to_the_whole_bucket_by_bucket() {
    let rates =
        [Schedule::Closed].into_iter().chain([Arrivals::Even, Arrivals::Poisson].map(|arrivals| Schedule::Open {
            rate: 777.0,
            arrivals,
            overload: Overload::Queue { limit: 1_000_000 },
        }));
    for schedule in rates {
        let drive = what(Load { schedule, ..load(37) }, 500, 2200, 1000);
        // The time of a transaction depends on its client, where clients have starts of their own.
        let work_ms = move |client| if schedule == Schedule::Closed { 3 + u64::from(client) } else { 2 };
        let one = together(&parts(&drive, 1, work_ms));
        assert!(one.values().all(|tally| tally.accounting.completed > 0), "{schedule:?}");
        for of in [2, 5] {
            assert_eq!(together(&parts(&drive, of, work_ms)), one, "{schedule:?} in {of} parts");
        }
    }
}

#[test]
fn each_client_has_its_number_whichever_part_it_belongs_to() {
    let known = Arc::new(Mutex::new(BTreeMap::new()));
    for number in 0..3 {
        let heard = known.clone();
        let script = fake(move |call| {
            *heard.lock().unwrap().entry(call.client).or_insert(0) += 1;
            work(100)
        });
        let recorded = exact(&Drive { part: LoadPart { number, of: 3 }, ..what(load(8), 0, 1050, 1050) }, &script);
        let clients = if number < 2 { 3 } else { 2 };
        assert_eq!(recorded.ended().per_client.completed, vec![10; clients], "by the order of their numbers");
        assert_eq!(recorded.intervals[0].clients as usize, clients);
    }
    assert_eq!(*known.lock().unwrap(), (0..8).map(|client| (client, 11)).collect(), "one was in progress at the end");
}

#[test]
fn operations_and_places_in_the_queue_are_those_of_all_parts_together() {
    for schedule in [
        Schedule::Closed,
        Schedule::Open { rate: 1000.0, arrivals: Arrivals::Poisson, overload: Overload::Queue { limit: 10_000 } },
    ] {
        let drive = what(Load { schedule, operations: Some(101), ..load(7) }, 100, 10_000, 1000);
        for of in [1, 2, 5] {
            let all = parts(&drive, of, |_| 1);
            let completed: u64 = all.iter().map(|part| part.tally.accounting.completed).sum();
            assert_eq!(completed, 101, "{schedule:?} in {of} parts");
        }
    }
    // No client is free after the first start, and all but this many are skipped.
    let overload = Overload::Queue { limit: 12 };
    let schedule = Schedule::Open { rate: 1000.0, arrivals: Arrivals::Even, overload };
    let drive = what(Load { schedule, ..load(6) }, 0, 1000, 1000);
    for of in [1, 2, 3] {
        let counts = parts(&drive, of, |_| 100_000).iter().fold((0, 0), |(skipped, open), part| {
            let all = part.tally.accounting;
            (skipped + all.skipped, open + all.open)
        });
        assert_eq!(counts, (1000 - 6 - 12, 6 + 12), "{of} parts");
    }
}

#[test]
fn clients_are_dealt_out_as_each_part_takes_them() {
    for (of, clients) in [(1, 5), (2, 5), (5, 5), (7, 3), (3, 100)] {
        let fake = fake(|_| work(1));
        let each = (0..of).map(|number| LoadPart { number, of }.clients(&fake, clients));
        assert_eq!(LoadPart::deal(of, &fake, clients), each.collect::<Vec<_>>(), "{clients} clients, {of} parts");
    }
}

#[test]
fn a_part_without_clients_is_refused() {
    let drive = Drive { part: LoadPart { number: 4, of: 5 }, ..what(load(3), 0, 1000, 1000) };
    assert!(exact(&drive, &fake(|_| work(1))).outcome.is_err());
}

#[test]
fn all_begin_at_the_common_start_and_end_with_the_interval_that_is_named() {
    let drive = what(load(2), 1000, 60_000, 1000);
    let start = Instant::now() + Duration::from_millis(300);
    drive.control.start.set(start).unwrap();
    drive.control.last.set(3).unwrap();
    let recorded = crate::fake::run(&drive, &fake(|_| work(20)), &Default::default());
    let (ended, since) = (recorded.ended(), |at_ns: u64| at_ns as i64 - (start - drive.origin).as_nanos() as i64);
    assert_eq!(since(ended.measured_from_ns), 1_000_000_000, "the grid begins at the common start");
    assert_eq!(since(ended.measured_to_ns), 4_000_000_000, "two of warm-up and measure each end with number 3");
    assert_eq!((recorded.intervals.len(), recorded.cut_short()), (4, ""));
    assert!(ended.late_ns < 2_000_000_000, "{}", ended.late_ns);
    let completed: u64 = recorded.tally.accounting.completed;
    assert!((30..=302).contains(&completed), "{completed} in three seconds");

    // A common start that has passed: starts with intended times have waited since then.
    let schedule =
        Schedule::Open { rate: 10.0, arrivals: Arrivals::Even, overload: Overload::Queue { limit: 1_000_000 } };
    let late = what(Load { schedule, ..load(2) }, 0, 3000, 500);
    late.control.start.set(late.origin).unwrap();
    std::thread::sleep(Duration::from_millis(250));
    let recorded = crate::fake::run(&late, &fake(|_| work(1)), &Default::default());
    assert!(recorded.ended().late_ns >= 250_000_000);
    assert_eq!(recorded.tally.accounting.scheduled, 30);
    let wait: &Histogram = &recorded.tally.transactions["fake"].wait;
    assert!(wait.max_ns() >= 249_000_000, "{}", wait.max_ns());
}
