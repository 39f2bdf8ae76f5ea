//! Clients that do several transactions in one call.

use crate::fake::{Act, Fake, exact, fake, load, ms, what};
use std::time::Duration;
use tenbin_model::trial::Load;

fn bursts(burst: u32) -> Fake {
    Fake { burst, ..fake(|_| Act::Burst(Duration::from_millis(10))) }
}

#[test]
fn a_burst_is_counted_one_by_one() {
    let recorded = exact(&what(load(2), 0, 1000, 500), &bursts(7));
    assert_eq!(
        recorded.story(),
        "measure at 0\n\
        \x20 0-500: 100 = 98 + 0 + 0 + 2\n\
        \x20 500-1000: 98 = 98 + 0 + 0 + 0\n\
         cool-down at 1000\n",
        "7 bursts of 70 ms for each client end before 500, 7 more before 1000; of the last each only its scheduled_start is known"
    );
    let times = &recorded.tally.transactions["fake"];
    assert_eq!((times.completed, times.response.count(), times.wait.max_ns()), (196, 196, 0));
    assert_eq!(ms(times.service.max_ns() / 100_000 * 100_000), "10");
    assert_eq!(recorded.tally.statements["only"].completed, 196);
}

#[test]
fn no_bursts_where_operations_are_counted() {
    let recorded = exact(&what(Load { operations: Some(5), ..load(2) }, 0, 60_000, 1000), &bursts(7));
    // Each call did one, as ordered.
    assert_eq!(recorded.tally.accounting.completed, 5);
    assert_eq!(recorded.story(), "measure at 0\n  0-30: 5 = 5 + 0 + 0 + 0\ncool-down at 30\n");
}
