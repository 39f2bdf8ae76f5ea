//! Order-Status: by name the customer is shown without a number, and the orders are those of another customer, drawn
//! separately.

use super::super::order_status::OrderStatus;
use super::super::payment::CustomerKey;
use super::super::session::{Session, StatementCall};
use super::super::statements::tpcc_mysql::T;
use super::{Scratch, int};
use tenbin_driver::{Error, Value};
use tenbin_model::tpcc::Counter as C;
use tenbin_workload::TransactionContext;

pub(super) async fn run(
    wanted: &OrderStatus,
    scratch: &mut Scratch,
    session: &mut Session,
    context: &mut TransactionContext,
) -> Result<(), Error> {
    let [w, d, c] = [wanted.w, wanted.d, wanted.c].map(int);
    match wanted.who {
        CustomerKey::Id(_) => {
            session.one(context, StatementCall::fetch(T::StatusById, &[w, d, c], 1)).await?;
        }
        CustomerKey::Name(number) => {
            let by_name = [w, d, Value::Text(scratch.buffers.last_name(number))];
            session.one(context, StatementCall::fetch(T::StatusCountNames, &by_name, 1)).await?;
            session.one(context, StatementCall::fetch(T::StatusByName, &by_name, 1)).await?;
        }
    }
    let o = session.one(context, StatementCall::fetch(T::LastOrder, &[w, d, c, w, d, c], 1)).await?.int(0, 0)?;
    session.one(context, StatementCall::fetch(T::LinesOf, &[w, d, Value::Int(o)], 1)).await?;
    context.count(C::StatusByName as usize, u64::from(matches!(wanted.who, CustomerKey::Name(_))));
    session.commit(context).await
}
