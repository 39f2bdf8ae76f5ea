//! Order-Status: by name the customer is shown without a number, and the orders are those of the customer drawn beside it.

use super::super::counters::C;
use super::super::order_status::OrderStatus;
use super::super::payment::Who;
use super::super::session::{Ask, Session};
use super::statements::T;
use super::{Scratch, int};
use crate::client::Turn;
use tenbin_driver::{Error, Value};

pub(super) async fn run(
    wanted: &OrderStatus,
    scratch: &mut Scratch,
    session: &mut Session,
    turn: &mut Turn,
) -> Result<(), Error> {
    let [w, d, c] = [wanted.w, wanted.d, wanted.c].map(int);
    match wanted.who {
        Who::Id(_) => {
            session.one(turn, Ask::fetch(T::StatusById, &[w, d, c], 1)).await?;
        }
        Who::Name(number) => {
            let by_name = [w, d, Value::Text(scratch.buffers.last_name(number))];
            session.one(turn, Ask::fetch(T::StatusCountNames, &by_name, 1)).await?;
            session.one(turn, Ask::fetch(T::StatusByName, &by_name, 1)).await?;
        }
    }
    let o = session.one(turn, Ask::fetch(T::LastOrder, &[w, d, c, w, d, c], 1)).await?.int(0, 0)?;
    session.one(turn, Ask::fetch(T::LinesOf, &[w, d, Value::Int(o)], 1)).await?;
    turn.count(C::StatusByName as usize, u64::from(matches!(wanted.who, Who::Name(_))));
    session.commit(turn).await
}
