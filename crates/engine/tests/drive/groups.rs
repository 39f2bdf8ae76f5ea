//! Groups of clients in one drive: each has its own schedule and its own accounting, and together they are the whole.

use crate::fake::{Recorded, exact, fake, load, what, work};
use std::sync::{Arc, Mutex};
use tenbin_engine::{Drive, LoadPart};
use tenbin_model::tally::{Accounting, Tally};
use tenbin_model::trial::{Arrivals, ClientGroup, Load, Overload, Schedule};

fn group(name: &str, clients: u32, schedule: Schedule) -> ClientGroup {
    ClientGroup { name: name.to_owned(), clients, schedule }
}

fn even(rate: f64, overload: Overload) -> Schedule {
    Schedule::Open { rate, arrivals: Arrivals::Even, overload }
}

/// Three clients that start again at once, and two at this rate.
fn two(schedule: Schedule) -> Load {
    Load { groups: vec![group("a", 3, Schedule::Closed), group("b", 2, schedule)], ..load(5) }
}

/// What became of the starts of a group; the sums are checked.
fn of(tally: &Tally, name: &str) -> Accounting {
    let mut sum = Accounting::default();
    tally.groups.values().for_each(|group| sum.merge(&group.accounting));
    assert_eq!(sum, tally.accounting, "the whole is the sum of the groups");
    let own = tally.groups[name].accounting;
    assert!(own.balances(), "{own:?}");
    own
}

#[test]
fn each_group_is_counted_by_itself() {
    let ended = Arc::new(Mutex::new([0_u32; 5]));
    let begun = ended.clone();
    let script = fake(move |call| {
        begun.lock().unwrap()[call.client as usize] += 1;
        // 130 ms end at 520, 650, … within the window of 500 to 2500 ms.
        work(if call.client < 3 { 130 } else { 30 })
    });
    let recorded = exact(&what(two(even(20.0, Overload::Skip)), 500, 2000, 1000), &script);
    let (a, b) = (of(&recorded.tally, "a"), of(&recorded.tally, "b"));
    // By their ends: 16 of each of the three; those that cross the edges count once.
    assert_eq!(a, Accounting { begun_before: 3, scheduled: 48, completed: 48, open: 3, ..Accounting::default() });
    // By their intended starts: every 50 ms.
    assert_eq!(b, Accounting { scheduled: 40, completed: 40, ..Accounting::default() });
    let calls = *ended.lock().unwrap();
    // 19 ended and one was in progress at the end of 2500 ms.
    assert_eq!(calls[..3], [20; 3]);
    assert_eq!(calls[3] + calls[4], 50);
    assert_eq!(recorded.tally.transactions["fake"].completed, 88);
    assert_eq!(recorded.ended().per_client.completed[..3], [16; 3]);
}

#[test]
fn a_group_that_does_not_keep_its_rate_skips_its_own_starts_only() {
    let slow = || fake(|call| work(if call.client < 3 { 130 } else { 200 }));
    let recorded = exact(&what(two(even(20.0, Overload::Skip)), 500, 2000, 1000), &slow());
    // Two clients begin at 0 and 50 ms of every 200 ms, the starts at 100 and 150 find none; the last two are in progress at the end,
    // and two of the warm-up are at its start.
    let wanted = Accounting { scheduled: 40, completed: 18, skipped: 20, open: 2, carried: 2, ..Accounting::default() };
    assert_eq!(of(&recorded.tally, "b"), wanted);
    assert_eq!(of(&recorded.tally, "a").completed, 48, "the others are not disturbed");
    assert_eq!(recorded.tally.unanswered.count(), 2);
    assert_eq!(recorded.tally.groups["b"].unanswered, recorded.tally.unanswered);

    let queue = even(20.0, Overload::Queue { limit: 1000 });
    let recorded = exact(&what(two(queue), 500, 2000, 1000), &slow());
    let b = of(&recorded.tally, "b");
    assert_eq!((b.scheduled, b.skipped), (40, 0));
    assert_eq!(recorded.tally.groups["b"].unanswered.count(), b.open as u64);
}

#[test]
fn parts_of_groups_add_up_to_the_whole() {
    let drive = what(two(even(50.0, Overload::Queue { limit: 1_000_000 })), 500, 2200, 1000);
    let parts = |of: u32| -> Tally {
        let part = |number| -> Recorded {
            let script = fake(|call| work(if call.client < 3 { 70 } else { 1 }));
            exact(&Drive { part: LoadPart { number, of }, ..drive.clone() }, &script)
        };
        let mut all = Tally::default();
        (0..of).map(part).for_each(|part| all.merge(&part.tally));
        all
    };
    let one = parts(1);
    assert_eq!(of(&one, "b").completed, 110);
    for hosts in [2, 3] {
        let several = parts(hosts);
        assert_eq!(several.groups, one.groups, "{hosts} hosts");
        assert_eq!(several.accounting, one.accounting);
    }
}

#[test]
fn streams_of_arrivals_differ_between_groups() {
    let poisson = Schedule::Open { rate: 100.0, arrivals: Arrivals::Poisson, overload: Overload::Skip };
    let load = Load { groups: vec![group("a", 2, poisson), group("b", 2, poisson)], ..load(4) };
    let starts = Arc::new(Mutex::new(Vec::new()));
    let heard = starts.clone();
    let script = fake(move |call| {
        heard.lock().unwrap().push((call.client / 2, tokio::time::Instant::now()));
        work(1)
    });
    let recorded = exact(&what(load, 0, 1000, 1000), &script);
    let (a, b) = (of(&recorded.tally, "a"), of(&recorded.tally, "b"));
    assert!(a.scheduled > 50 && b.scheduled > 50, "{a:?} {b:?}");
    let of = |group| starts.lock().unwrap().iter().filter(|(g, _)| *g == group).map(|(_, at)| *at).collect::<Vec<_>>();
    assert_ne!(of(0), of(1));
}
