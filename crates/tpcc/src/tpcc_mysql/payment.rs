//! Payment: warehouse and district are written and read by two statements each, the customers of a name are counted
//! before they are read, and the balance is read and written back.

use super::super::payment::{CustomerKey, Payment, middle, shifted_in};
use super::super::session::{Session, StatementCall};
use super::super::statements::tpcc_mysql::T;
use super::{Scratch, int, money};
use tenbin_driver::{Error, Value};
use tenbin_model::tpcc::Counter as C;
use tenbin_workload::TransactionContext;

/// Columns of what [`T::Payer`], [`T::Warehouse`] and [`T::District`] answer.
const CREDIT: usize = 9;
const BALANCE: usize = 12;
const NAME: usize = 5;

pub(super) async fn run(
    payment: &Payment,
    scratch: &mut Scratch,
    session: &mut Session,
    context: &mut TransactionContext,
) -> Result<(), Error> {
    let Payment { who, amount, .. } = *payment;
    let [w, d, c_w, c_d] = [payment.w, payment.d, payment.c_w, payment.c_d].map(int);
    let Scratch { buffers, clock, .. } = scratch;
    let (paid, now) = (money(amount as i64), Value::Text(clock.now()));

    session.one(context, StatementCall::change(T::PayWarehouse, &[paid, w], 1)).await?;
    let names = &mut buffers.names;
    names.clear();
    names.extend_from_slice(session.one(context, StatementCall::fetch(T::Warehouse, &[w], 1)).await?.text(0, NAME));
    names.extend_from_slice(b"    ");
    session.one(context, StatementCall::change(T::PayDistrict, &[paid, w, d], 1)).await?;
    names.extend_from_slice(session.one(context, StatementCall::fetch(T::District, &[w, d], 1)).await?.text(0, NAME));

    let c = match who {
        CustomerKey::Id(c) => c as i64,
        CustomerKey::Name(number) => {
            let by_name = [c_w, c_d, Value::Text(buffers.last_name(number))];
            session.one(context, StatementCall::fetch(T::CountNames, &by_name, 1)).await?;
            let customers = session.one(context, StatementCall::fetch(T::ByName, &by_name, 1)).await?;
            customers.int(middle(customers.len()), 0)?
        }
    };
    let customer = [c_w, c_d, Value::Int(c)];
    let payer = session.one(context, StatementCall::fetch(T::Payer, &customer, 1)).await?;
    let (bad, balance) = (payer.text(0, CREDIT) == b"BC", payer.cents(0, BALANCE)?);
    let balance = money(balance - amount as i64);
    let [_, _, c_id] = customer;
    if bad {
        let old = session.one(context, StatementCall::fetch(T::Data, &customer, 1)).await?;
        buffers.data.clear();
        shifted_in(c, payment, old.text(0, 0), &mut buffers.data);
        let pay = [balance, Value::Text(&buffers.data), c_w, c_d, c_id];
        session.one(context, StatementCall::change(T::PayBad, &pay, 1)).await?;
    } else {
        session.one(context, StatementCall::change(T::Pay, &[balance, c_w, c_d, c_id], 1)).await?;
    }
    let history = [c_d, c_w, c_id, d, w, now, paid, Value::Text(&buffers.names)];
    session.one(context, StatementCall::change(T::History, &history, 1)).await?;

    context.count(C::RemotePayments as usize, u64::from(payment.c_w != payment.w));
    context.count(C::PaymentsByName as usize, u64::from(matches!(who, CustomerKey::Name(_))));
    context.count(C::BadCredit as usize, u64::from(bad));
    session.commit(context).await
}
