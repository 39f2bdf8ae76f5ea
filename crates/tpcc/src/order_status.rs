//! Order-Status (clause 2.6), which only reads: a customer's last order and its lines.

use super::payment::{Buffers, CustomerKey, middle};
use super::session::{Session, StatementCall};
use super::settings::TerminalGround;
use super::statements::S;
use super::text::between;
use tenbin_driver::{Error, Value};
use tenbin_model::tpcc::Counter as C;
use tenbin_workload::{Random, TransactionContext};

/// What the terminal's user typed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct OrderStatus {
    pub(super) w: u64,
    pub(super) d: u64,
    pub(super) who: CustomerKey,
    /// Whose orders are read if the statements do not return whom they found by name.
    pub(super) c: u64,
}

/// Draws one (clause 2.6.1).
pub(super) fn draw(ground: &TerminalGround, w: u64, random: &mut Random) -> OrderStatus {
    let (d, who) = (between(random, 1, 10), CustomerKey::draw(ground, random));
    let c = if let CustomerKey::Id(c) = who { c } else { 0 };
    OrderStatus { w, d, who, c }
}

/// Does one.
pub(super) async fn run(
    wanted: &OrderStatus,
    buffers: &mut Buffers,
    session: &mut Session,
    context: &mut TransactionContext,
) -> Result<(), Error> {
    let [w, d] = [wanted.w, wanted.d].map(|n| Value::Int(n as i64));
    session.begin(context, false).await?;
    let last = match wanted.who {
        CustomerKey::Id(c) => {
            let customer = [w, d, Value::Int(c as i64)];
            let (by_id, last) =
                (StatementCall::fetch(S::StatusById, &customer, 1), StatementCall::fetch(S::LastOrder, &customer, 1));
            session.execute_all(context, &[by_id, last]).await?;
            session.answer(1)
        }
        CustomerKey::Name(number) => {
            let by_name = [w, d, Value::Text(buffers.last_name(number))];
            session.execute_all(context, &[StatementCall::fetch(S::StatusByName, &by_name, 1)]).await?;
            let customers = session.answer(0);
            let customer = [w, d, Value::Int(customers.int(middle(customers.len()), 0)?)];
            session.execute_all(context, &[StatementCall::fetch(S::LastOrder, &customer, 1)]).await?;
            session.answer(0)
        }
    };
    let o = Value::Int(last.int(0, 0)?);
    session.execute_all(context, &[StatementCall::fetch(S::LinesOf, &[w, d, o], 5), StatementCall::commit()]).await?;
    context.count(C::StatusByName as usize, u64::from(matches!(wanted.who, CustomerKey::Name(_))));
    Ok(())
}
