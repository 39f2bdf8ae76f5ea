//! The measured window begins with an interval that the caller names, after asking which it can be.

use crate::fake::{Fake, Recorded, exact_while, fake, load, what, work};
use proptest::prelude::*;
use std::collections::BTreeMap;
use std::sync::atomic::Ordering;
use tenbin_engine::{Drive, DriveControl, LoadPart};
use tenbin_model::event::Phase;
use tenbin_model::stop::StopSignal;
use tenbin_model::tally::Tally;
use tenbin_model::trial::{Arrivals, Load, Overload, Schedule};

/// Drives and asks at `ask_ms`; the window is named at a time, as an interval.
fn named(what: &Drive, fake: &Fake, ask_ms: u64, name: Option<(u64, u64)>) -> Recorded {
    let what = Drive { control: DriveControl::default(), ..what.clone() };
    let (request, given) = (what.control.inquiries.clone(), what.control.measure_from.clone());
    let mut meanwhile: Vec<(u64, Box<dyn FnOnce()>)> = vec![(
        ask_ms,
        Box::new(move || {
            request.fetch_add(1, Ordering::SeqCst);
        }),
    )];
    if let Some((ms, interval)) = name {
        meanwhile.push((ms, Box::new(move || given.set(interval).expect("once"))));
    }
    exact_while(&what, fake, &StopSignal::new(), meanwhile)
}

fn began_ms(recorded: &Recorded) -> Option<u64> {
    recorded.phases.iter().find(|(phase, _)| *phase == Phase::Measure).map(|(_, at)| at / 1_000_000)
}

fn by_interval(all: &[Recorded]) -> BTreeMap<(bool, u64, u64), Tally> {
    let mut sum: BTreeMap<_, Tally> = BTreeMap::new();
    for interval in all.iter().flat_map(|part| &part.intervals) {
        let measured = interval.phase == Phase::Measure;
        sum.entry((measured, interval.from_ns, interval.to_ns)).or_default().merge(&interval.tally);
    }
    sum
}

#[test]
fn a_window_that_is_named_begins_with_that_interval_or_fails_the_drive() {
    let (drive, work_400) = (what(load(1), 60_000, 2000, 1000), fake(|_| work(400)));
    let recorded = named(&drive, &work_400, 1500, Some((2900, 4)));
    assert_eq!(recorded.undecided, [4], "asked at 1.5 s, nothing is decided about what begins after 3.5 s");
    assert_eq!((began_ms(&recorded), recorded.cut_short()), (Some(4000), ""));
    let ended = recorded.ended();
    assert_eq!((ended.measured_from_ns, ended.measured_to_ns), (4_000_000_000, 6_000_000_000));
    // Named when it has begun: warm-up has been counted in it.
    let recorded = named(&drive, &work_400, 1500, Some((4100, 4)));
    assert_eq!(
        (began_ms(&recorded), recorded.cut_short()),
        (None, "the start of the measured window was named too late")
    );
    assert_eq!(recorded.tally, Tally::default(), "nothing is mixed");
    // It is asked within 50 ms. Soon after 3.5 s four clients may have taken the starts at 4, 4.5, 5 and 5.5 s, and 6 s is the next.
    let schedule = Schedule::Open { rate: 2.0, arrivals: Arrivals::Even, overload: Overload::Queue { limit: 100 } };
    let drive = what(Load { schedule, ..load(4) }, 60_000, 2000, 1000);
    assert_eq!(named(&drive, &fake(|_| work(10)), 1500, None).undecided, [7]);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, failure_persistence: None, ..ProptestConfig::default() })]

    /// Hosts that are asked at different times begin with the latest interval that one of them says, named until 2 s after the first
    /// answer; and whatever the rate, they count what one would that begins with it.
    #[test]
    fn parts_begin_to_measure_with_the_same_interval(
        rate in prop_oneof![Just(None), (1u32..400).prop_map(Some)],
        poisson: bool,
        clients in 5u32..12,
        of in 1u32..5,
        interval in 200u64..1200,
        ask_ms in 100u64..6000,
        named_after_ms in 0u64..1900,
        seed: u64,
    ) {
        let arrivals = if poisson { Arrivals::Poisson } else { Arrivals::Even };
        let queue = Overload::Queue { limit: 1_000_000 };
        let schedule = rate.map_or(Schedule::Closed, |rate| Schedule::Open { rate: f64::from(rate), arrivals, overload: queue });
        let drive = Drive { seed, ..what(Load { schedule, ..load(clients) }, 30_000, 3000, interval) };
        let fake = fake(|call| work(3 + u64::from(call.client) % 3));
        let part = |number| Drive { part: LoadPart { number, of }, ..drive.clone() };
        let request: Vec<u64> = (0..of).flat_map(|n| named(&part(n), &fake, ask_ms, None).undecided).collect();
        prop_assert_eq!(request.len(), of as usize, "each answers once");
        let first = request.into_iter().max().expect("one");
        let when = Some((ask_ms + named_after_ms, first));
        let parts: Vec<Recorded> = (0..of).map(|n| named(&part(n), &fake, ask_ms, when)).collect();
        let begins_ms = (first * interval).min(30_000);
        for words in &parts {
            prop_assert_eq!((began_ms(words), words.cut_short()), (Some(begins_ms), ""));
        }
        let one = named(&drive, &fake, ask_ms, when);
        prop_assert_eq!(one.cut_short(), "");
        // Which client takes a start decides when it ends; without a rate each has its own starts.
        let (sum, whole) = (by_interval(&parts), by_interval(&[one]));
        for ((key, sum), (of_one, whole)) in sum.iter().zip(&whole) {
            prop_assert_eq!(key, of_one);
            prop_assert_eq!(sum.accounting.scheduled, whole.accounting.scheduled, "{:?}", key);
            prop_assert!(rate.is_some() || sum.accounting == whole.accounting, "{:?}", key);
        }
        prop_assert_eq!(sum.len(), whole.len());
    }
}
