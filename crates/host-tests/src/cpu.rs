//! `cpu`: computes prime numbers by trial division, as sysbench does.

use super::{HostTask, Test};
use std::hint::black_box;
use tenbin_driver::Error;
use tenbin_model::workload::NO_DATA;
use tenbin_workload::options::{Resolved, ValueType, row};
use tenbin_workload::{RunsOn, TransactionContext, WorkloadEntry};

pub(crate) const ENTRY: WorkloadEntry = WorkloadEntry {
    name: "cpu",
    about: "computes prime numbers by trial division in 64-bit arithmetic; needs no database (host:)",
    family: "sysbench",
    runs_on: RunsOn::Host,
    dataset: NO_DATA,
    options: &[&[row(
        "cpu_max_prime",
        "10000",
        ValueType::Count(1, 1 << 32),
        "each event tests all numbers from 3 to below this one",
    )]],
    ..WorkloadEntry::made_by(|name, options, _| {
        let limit = Resolved(options).count("cpu_max_prime");
        Ok(Test::boxed(name, move |_, _, _| Primes { limit }))
    })
};

struct Primes {
    limit: u64,
}

impl HostTask for Primes {
    fn event(&mut self, _: &mut TransactionContext) -> Result<(), Error> {
        black_box(primes(black_box(self.limit)));
        Ok(())
    }
}

/// The number of odd primes below `limit`. Each candidate is divided by 2, 3, 4, … up to its root: the time is spent on
/// 64-bit divisions, which is what sysbench's figure has always measured. For 2 the last bit is tested, as in its
/// binary.
fn primes(limit: u64) -> u64 {
    // Otherwise the compiler adds a test and a 32-bit division before each; it does not do so for an unknown value.
    let unknown = black_box(0);
    let mut count = 0;
    for candidate in 3..limit {
        let root = (candidate as i64 as f64).sqrt();
        if root >= 2.0 && candidate % 2 == 0 {
            continue;
        }
        let dividend = candidate ^ unknown;
        let mut divisor = 3u64;
        while divisor as i64 as f64 <= root && !dividend.is_multiple_of(divisor) {
            divisor += 1;
        }
        count += u64::from(divisor as i64 as f64 > root);
    }
    count
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_finds_the_primes() {
        // 1,229 primes below 10,000 (OEIS A006880), less the 2.
        assert_eq!(primes(10_000), 1228);
        assert_eq!((primes(0), primes(3), primes(4), primes(6), primes(10)), (0, 0, 1, 2, 3));
    }
}
