//! New-Order: each line is an item read, a stock read with a lock, a stock written and a line inserted.

use super::super::new_order::{Order, UNUSED, left};
use super::super::schema::ITEMS;
use super::super::session::{Session, StatementCall};
use super::super::statements::tpcc_mysql::T;
use super::{Scratch, int, money};
use tenbin_driver::{Error, Value};
use tenbin_model::tpcc::Counter as C;
use tenbin_workload::TransactionContext;

/// The column of s_dist_01 in what [`T::Stock`] answers.
const DIST: usize = 2;

pub(super) async fn run(
    order: &Order,
    scratch: &mut Scratch,
    session: &mut Session,
    context: &mut TransactionContext,
) -> Result<(), Error> {
    let Order { n, lines, .. } = *order;
    let [w, d, c] = [order.w, order.d, order.c].map(int);
    let now = Value::Text(scratch.clock.now());
    session.one(context, StatementCall::fetch(T::Customer, &[w, d, c], 1)).await?;
    let o = session.one(context, StatementCall::fetch(T::Next, &[d, w], 1)).await?.int(0, 0)?;
    let o = Value::Int(o);
    session.one(context, StatementCall::change(T::Advance, &[o, d, w], 1)).await?;
    let local = lines[..n].iter().all(|l| l.supply == order.w);
    let head = [o, d, w, c, now, int(n as u64), int(local.into())];
    session.one(context, StatementCall::change(T::Order, &head, 1)).await?;
    session.one(context, StatementCall::change(T::NewOrder, &[o, d, w], 1)).await?;

    let mut bad = false;
    for (at, line) in lines[..n].iter().enumerate() {
        let [item, supply, quantity] = [line.item, line.supply, line.quantity].map(int);
        if line.item == UNUSED {
            // Read, and not found.
            session.one(context, StatementCall::fetch(T::Item, &[item], 0)).await?;
            bad = true;
            break;
        }
        let price = session.one(context, StatementCall::fetch(T::Item, &[item], 1)).await?.cents(0, 0)?;
        let stock = session.one(context, StatementCall::fetch(T::Stock, &[item, supply], 1)).await?;
        let rest = left(stock.int(0, 0)?, line.quantity as i64);
        let (mut dist, text) = ([0; 24], stock.text(0, DIST + order.d as usize - 1));
        let long = text.len().min(dist.len());
        dist[..long].copy_from_slice(&text[..long]);
        session.one(context, StatementCall::change(T::TakeStock, &[Value::Int(rest), item, supply], 1)).await?;
        let amount = money(line.quantity as i64 * price);
        let values = [o, d, w, int(at as u64 + 1), item, supply, quantity, amount, Value::Text(&dist[..long])];
        session.one(context, StatementCall::change(T::Line, &values, 1)).await?;
    }

    context.count(C::Lines as usize, n as u64);
    let remote = lines[..n].iter().filter(|l| l.supply != order.w).count() as u64;
    context.count(C::RemoteLines as usize, remote);
    context.count(C::RemoteOrders as usize, u64::from(remote > 0));
    if bad {
        context.count(C::RolledBack as usize, 1);
        return session.rollback(context).await;
    }
    session.commit(context).await
}

const _: () = assert!(UNUSED == ITEMS + 1, "as tpcc-mysql's");
