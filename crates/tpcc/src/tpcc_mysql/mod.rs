//! The profile `tpcc-mysql`: the five transactions in the statements of Percona-Lab's tpcc-mysql (revision 1ec1c5e of
//! 2017), one row per statement, in its order, with its commits. Values are the specification's where the statements
//! allow them; `doc/compat/tpcc-mysql.md` lists where they do not.
//!
//! `doc/compat/tpcc-mysql-statements.txt` is the order in which the real tool sends them, from the server's general
//! log; a test compares this module with it.

mod clock;
mod delivery;
mod new_order;
mod order_status;
mod payment;
mod stock_level;

use super::input::Input;
use super::payment::{Buffers, CustomerKey};
use super::session::Session;
use super::settings::TerminalGround;
use super::text::between;
use tenbin_driver::{Error, Value};
use tenbin_workload::{Random, TransactionContext};

/// What a terminal keeps from one statement to the next, and a delivery from one attempt to the next.
#[derive(Debug, Default)]
pub(super) struct Scratch {
    buffers: Buffers,
    clock: clock::Clock,
    progress: delivery::Progress,
    items: Vec<i64>,
}

/// What is typed, as tpcc-mysql draws it.
pub(super) fn typed(mut input: Input, ground: &TerminalGround, random: &mut Random) -> Input {
    match &mut input {
        // The unused item is sorted among the others: lines after it are never sent.
        Input::NewOrder(order) => order.lines[..order.n].sort_unstable_by_key(|l| (l.supply, l.item)),
        // Its statements search by name, and do not return whom they found.
        Input::OrderStatus(wanted) if matches!(wanted.who, CustomerKey::Name(_)) => {
            wanted.c = ground.constants.customer(random);
        }
        Input::StockLevel(wanted) => wanted.d = between(random, 1, 10),
        _ => {}
    }
    input
}

/// Does one transaction.
pub(super) async fn run(
    input: &Input,
    scratch: &mut Scratch,
    session: &mut Session,
    context: &mut TransactionContext,
) -> Result<(), Error> {
    match input {
        Input::NewOrder(order) => new_order::run(order, scratch, session, context).await,
        Input::Payment(payment) => payment::run(payment, scratch, session, context).await,
        Input::OrderStatus(wanted) => order_status::run(wanted, scratch, session, context).await,
        Input::Delivery(delivery) => delivery::run(delivery, scratch, session, context).await,
        Input::StockLevel(wanted) => stock_level::run(wanted, scratch, session, context).await,
    }
}

fn int(n: u64) -> Value<'static> {
    Value::Int(n as i64)
}

/// Money as tpcc-mysql binds it, as a floating-point number: exact to the cent in the columns' decimals.
fn money(cents: i64) -> Value<'static> {
    Value::Float(cents as f64 / 100.0)
}
