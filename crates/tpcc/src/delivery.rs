//! Delivery (clause 2.7): the oldest order of each district that is not delivered gets its carrier. One database
//! transaction for all ten; the oldest is read with a lock, so that two deliveries never take the same order. A
//! district without one is skipped and counted.

use super::session::{Session, StatementCall};
use super::statements::{DISTRICTS, S};
use super::text::between;
use tenbin_driver::{Error, Value};
use tenbin_model::tpcc::Counter as C;
use tenbin_workload::{Random, TransactionContext};

/// What the terminal's user typed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Delivery {
    pub(super) w: u64,
    pub(super) carrier: u64,
}

/// Draws one (clause 2.7.1).
pub(super) fn draw(w: u64, random: &mut Random) -> Delivery {
    Delivery { w, carrier: between(random, 1, 10) }
}

/// Pairs of district and number, filled up by the last.
#[derive(Debug, Default)]
struct Pairs {
    all: [(i64, i64); DISTRICTS],
    n: usize,
}

impl Pairs {
    fn push(&mut self, district: i64, number: i64) {
        if let Some(slot) = self.all.get_mut(self.n) {
            *slot = (district, number);
            self.n += 1;
        }
    }

    /// As values: `first`, then the pairs.
    fn values<const N: usize>(&self, first: &[i64]) -> [Value<'static>; N] {
        let pairs = (0..DISTRICTS).flat_map(|at| {
            let (district, number) = self.all[at.min(self.n.saturating_sub(1))];
            [district, number]
        });
        let mut values = [Value::Null; N];
        for (slot, value) in values.iter_mut().zip(first.iter().copied().chain(pairs)) {
            *slot = Value::Int(value);
        }
        values
    }
}

/// Does one.
pub(super) async fn run(
    delivery: &Delivery,
    session: &mut Session,
    context: &mut TransactionContext,
) -> Result<(), Error> {
    let w = delivery.w as i64;
    session.begin(context, true).await?;
    let mut orders = Pairs::default();
    session.execute_all(context, &[StatementCall::fetch(S::Oldest, &[Value::Int(w); DISTRICTS], 0)]).await?;
    let oldest = session.answer(0);
    for row in 0..oldest.len() {
        orders.push(oldest.int(row, 0)?, oldest.int(row, 1)?);
    }
    let (n, of_w) = (orders.n as u64, orders.values::<21>(&[w]));
    let carried = orders.values::<22>(&[delivery.carrier as i64, w]);
    if n > 0 {
        let asks = [
            StatementCall::change(S::Remove, &of_w, n),
            StatementCall::fetch(S::Customers, &of_w, n),
            StatementCall::change(S::Carry, &carried, n),
            StatementCall::fetch(S::Amounts, &of_w, n),
            StatementCall::change(S::Deliver, &of_w, n),
        ];
        session.execute_all(context, &asks).await?;
        let (mut customers, mut amounts) = (Pairs::default(), Pairs::default());
        let (buyers, summed) = (session.answer(1), session.answer(3));
        for row in 0..buyers.len() {
            customers.push(buyers.int(row, 0)?, buyers.int(row, 1)?);
        }
        for row in 0..summed.len() {
            amounts.push(summed.int(row, 0)?, summed.cents(row, 1)?);
        }
        let mut values = [Value::Null; 41];
        values[..20].copy_from_slice(&amounts.values::<20>(&[]));
        values[20..].copy_from_slice(&customers.values::<21>(&[w]));
        session.execute_all(context, &[StatementCall::change(S::Balance, &values, n)]).await?;
    }
    let skipped = DISTRICTS as u64 - n;
    context.count(C::Deliveries as usize, n);
    context.count(C::SkippedDistricts as usize, skipped);
    context.count(C::SkippedDeliveries as usize, u64::from(skipped > 0));
    session.commit(context).await
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn short_lists_repeat_their_last_pair() {
        let mut pairs = Pairs::default();
        pairs.push(2, 2101);
        pairs.push(5, 2107);
        let values = pairs.values::<21>(&[9]);
        let numbers: Vec<i64> = values.iter().map(|v| if let Value::Int(n) = v { *n } else { -1 }).collect();
        assert_eq!(numbers[..7], [9, 2, 2101, 5, 2107, 5, 2107]);
        assert_eq!(numbers[19..], [5, 2107]);
    }
}
