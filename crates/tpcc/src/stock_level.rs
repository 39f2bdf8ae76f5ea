//! Stock-Level (clause 2.8), which only reads: how many items of the last twenty orders of the terminal's own district
//! are low in stock.

use super::session::{Session, StatementCall};
use super::statements::S;
use super::text::between;
use tenbin_driver::{Error, Value};
use tenbin_workload::{Random, TransactionContext};

/// What the terminal's user typed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct StockLevel {
    pub(super) w: u64,
    pub(super) d: u64,
    pub(super) threshold: u64,
}

/// Draws one (clause 2.8.1).
pub(super) fn draw(w: u64, d: u64, random: &mut Random) -> StockLevel {
    StockLevel { w, d, threshold: between(random, 10, 20) }
}

/// Does one.
pub(super) async fn run(
    wanted: &StockLevel,
    session: &mut Session,
    context: &mut TransactionContext,
) -> Result<(), Error> {
    let [w, d, threshold] = [wanted.w, wanted.d, wanted.threshold].map(|n| Value::Int(n as i64));
    session.begin(context, false).await?;
    session.execute_all(context, &[StatementCall::fetch(S::NextOrder, &[w, d], 1)]).await?;
    let next = session.answer(0).int(0, 0)?;
    let (below, from) = (Value::Int(next), Value::Int(next - 20));
    let low = [w, d, below, from, w, threshold];
    session.execute_all(context, &[StatementCall::fetch(S::Low, &low, 1), StatementCall::commit()]).await
}
