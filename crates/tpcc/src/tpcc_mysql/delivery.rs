//! Delivery: seven statements and a COMMIT for each district. The oldest order is read without a lock, so two
//! deliveries may want the same: the one that finds it gone rolls back and restarts that district, and no order is
//! delivered twice.

use super::super::delivery::Delivery;
use super::super::session::{Session, StatementCall};
use super::super::statements::DISTRICTS;
use super::super::statements::tpcc_mysql::T;
use super::{Scratch, int, money};
use tenbin_driver::{Class, Error, Value};
use tenbin_model::tpcc::Counter as C;
use tenbin_words::msg;
use tenbin_workload::TransactionContext;

/// The progress of a delivery, over all its attempts.
#[derive(Debug, Default)]
pub(super) struct Progress {
    /// Districts that are done.
    over: usize,
    /// Those of them that had no order.
    skipped: u64,
}

pub(super) async fn run(
    delivery: &Delivery,
    scratch: &mut Scratch,
    session: &mut Session,
    context: &mut TransactionContext,
) -> Result<(), Error> {
    let Scratch { clock, progress, .. } = scratch;
    if context.attempt == 0 {
        *progress = Progress::default();
    }
    let (w, carrier, now) = (int(delivery.w), int(delivery.carrier), Value::Text(clock.now()));
    while progress.over < DISTRICTS {
        let d = int(progress.over as u64 + 1);
        let oldest = session.one(context, StatementCall::fetch(T::Oldest, &[d, w], 1)).await?.int(0, 0)?;
        if oldest == 0 {
            // tpcc-mysql sends no COMMIT here either.
            (progress.over, progress.skipped) = (progress.over + 1, progress.skipped + 1);
            continue;
        }
        let order = [Value::Int(oldest), d, w];
        let [o, ..] = order;
        if session.one(context, StatementCall::change(T::Remove, &order, 0)).await?.is_nothing() {
            return Err(Error::new(Class::Conflict, msg!("order-taken-by-another")));
        }
        let c = session.one(context, StatementCall::fetch(T::OfCustomer, &order, 1)).await?.int(0, 0)?;
        session.one(context, StatementCall::change(T::Carry, &[carrier, o, d, w], 1)).await?;
        session.one(context, StatementCall::change(T::Deliver, &[now, o, d, w], 1)).await?;
        let amount = session.one(context, StatementCall::fetch(T::Amount, &order, 1)).await?.cents(0, 0)?;
        session.one(context, StatementCall::change(T::Balance, &[money(amount), Value::Int(c), d, w], 1)).await?;
        session.commit(context).await?;
        progress.over += 1;
    }
    context.count(C::Deliveries as usize, DISTRICTS as u64 - progress.skipped);
    context.count(C::SkippedDistricts as usize, progress.skipped);
    context.count(C::SkippedDeliveries as usize, u64::from(progress.skipped > 0));
    Ok(())
}
