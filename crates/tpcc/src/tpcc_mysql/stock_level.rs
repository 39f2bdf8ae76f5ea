//! Stock-Level: the items of the last twenty orders, then the stock of each by a separate statement.

use super::super::session::{Session, StatementCall};
use super::super::statements::tpcc_mysql::T;
use super::super::stock_level::StockLevel;
use super::{Scratch, int};
use tenbin_driver::{Error, Value};
use tenbin_workload::TransactionContext;

pub(super) async fn run(
    wanted: &StockLevel,
    scratch: &mut Scratch,
    session: &mut Session,
    context: &mut TransactionContext,
) -> Result<(), Error> {
    let [w, d, threshold] = [wanted.w, wanted.d, wanted.threshold].map(int);
    let next = session.one(context, StatementCall::fetch(T::NextOrder, &[d, w], 1)).await?.int(0, 0)?;
    let next = Value::Int(next);
    let recent = session.one(context, StatementCall::fetch(T::Items, &[w, d, next, next], 0)).await?;
    scratch.items.clear();
    for row in 0..recent.len() {
        scratch.items.push(recent.int(row, 0)?);
    }
    for item in &scratch.items {
        session.one(context, StatementCall::fetch(T::Low, &[w, Value::Int(*item), threshold], 1)).await?;
    }
    session.commit(context).await
}
