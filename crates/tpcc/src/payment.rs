//! Payment (clause 2.5): a customer pays at a warehouse, in 15 of 100 cases not the customer's own; 60 of 100 give
//! their last name instead of their number.

use super::new_order::other;
use super::nurand::last_name;
use super::session::{Session, StatementCall};
use super::settings::{TerminalGround, TpccSettings};
use super::statements::S;
use super::text::between;
use tenbin_driver::{Error, Value};
use tenbin_model::tpcc::Counter as C;
use tenbin_workload::{Random, TransactionContext};

/// How the terminal's user identifies the customer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum CustomerKey {
    /// By number.
    Id(u64),
    /// By the number of the last name.
    Name(u64),
}

impl CustomerKey {
    /// 60 % by last name (clauses 2.5.1.2 and 2.6.1.2).
    pub(super) fn draw(ground: &TerminalGround, random: &mut Random) -> CustomerKey {
        match random.below(100) < 60 {
            true => CustomerKey::Name(ground.constants.last_name(random)),
            false => CustomerKey::Id(ground.constants.customer(random)),
        }
    }
}

/// The row of ⌈n/2⌉ in a list of `n`, from 0 (clause 2.5.2.2).
pub(super) fn middle(n: usize) -> usize {
    n.div_ceil(2).saturating_sub(1)
}

/// Bytes of c_data (clause 2.5.2.2).
const DATA_MOST: usize = 500;

/// What the terminal's user typed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Payment {
    pub(super) w: u64,
    pub(super) d: u64,
    /// The customer's warehouse and district.
    pub(super) c_w: u64,
    pub(super) c_d: u64,
    pub(super) who: CustomerKey,
    /// Cents.
    pub(super) amount: u64,
}

/// Draws a payment (clause 2.5.1).
pub(super) fn draw(plan: &TpccSettings, ground: &TerminalGround, w: u64, random: &mut Random) -> Payment {
    let d = between(random, 1, 10);
    let remote = random.below(100) < 15 && plan.warehouses > 1;
    let (c_w, c_d) = if remote { (other(w, plan.warehouses, random), between(random, 1, 10)) } else { (w, d) };
    let who = CustomerKey::draw(ground, random);
    Payment { w, d, c_w, c_d, who, amount: between(random, 100, 500_000) }
}

/// Buffers of a terminal that its transactions reuse.
#[derive(Debug, Default)]
pub(super) struct Buffers {
    pub(super) data: Vec<u8>,
    pub(super) names: Vec<u8>,
    last: Vec<u8>,
}

impl Buffers {
    /// The last name of this number.
    pub(super) fn last_name(&mut self, number: u64) -> &[u8] {
        self.last.clear();
        last_name(number, &mut self.last);
        &self.last
    }
}

/// Does one payment.
pub(super) async fn run(
    payment: &Payment,
    buffers: &mut Buffers,
    session: &mut Session,
    context: &mut TransactionContext,
) -> Result<(), Error> {
    let Payment { w, d, c_w, c_d, who, amount } = *payment;
    let [w, d, c_w, c_d, amount] = [w, d, c_w, c_d, amount].map(|n| Value::Int(n as i64));
    session.begin(context, true).await?;
    let (of_warehouse, of_district) = ([amount, w], [amount, w, d]);
    let paid = [
        StatementCall::change(S::PayWarehouse, &of_warehouse, 1),
        StatementCall::change(S::PayDistrict, &of_district, 1),
    ];
    let payer = |c: i64| [w, w, d, c_w, c_d, Value::Int(c)];
    let (c, payer) = match who {
        CustomerKey::Id(c) => {
            session
                .execute_all(context, &[paid[0], paid[1], StatementCall::fetch(S::Payer, &payer(c as i64), 1)])
                .await?;
            (c as i64, session.answer(2))
        }
        CustomerKey::Name(number) => {
            let by_name = [c_w, c_d, Value::Text(buffers.last_name(number))];
            session.execute_all(context, &[paid[0], paid[1], StatementCall::fetch(S::ByName, &by_name, 1)]).await?;
            let customers = session.answer(2);
            let c = customers.int(middle(customers.len()), 0)?;
            session.execute_all(context, &[StatementCall::fetch(S::Payer, &payer(c), 1)]).await?;
            (c, session.answer(0))
        }
    };
    let c_id = Value::Int(c);
    buffers.names.clear();
    buffers.names.extend_from_slice(payer.text(0, 1));
    buffers.names.extend_from_slice(b"    ");
    buffers.names.extend_from_slice(payer.text(0, 2));
    let bad = payer.text(0, 0) == b"BC";
    let history = [c_id, c_d, c_w, d, w, amount, Value::Text(&buffers.names)];
    let history = StatementCall::change(S::History, &history, 1);
    if bad {
        buffers.data.clear();
        shifted_in(c, payment, payer.text(0, 3), &mut buffers.data);
        let paid = [amount, amount, Value::Text(&buffers.data), c_w, c_d, c_id];
        session.execute_all(context, &[StatementCall::change(S::PayBad, &paid, 1), history]).await?;
    } else {
        session
            .execute_all(context, &[StatementCall::change(S::Pay, &[amount, amount, c_w, c_d, c_id], 1), history])
            .await?;
    }

    context.count(C::RemotePayments as usize, u64::from(payment.c_w != payment.w));
    context.count(C::PaymentsByName as usize, u64::from(matches!(who, CustomerKey::Name(_))));
    context.count(C::BadCredit as usize, u64::from(bad));
    session.commit(context).await
}

/// c_data of a customer with bad credit: the payment, before the old text, truncated to the column's length.
pub(super) fn shifted_in(c: i64, payment: &Payment, old: &[u8], out: &mut Vec<u8>) {
    use std::io::Write as _;
    let Payment { w, d, c_w, c_d, amount, .. } = payment;
    // Writing to a Vec cannot fail.
    let _ = write!(out, "{c} {c_d} {c_w} {d} {w} {}.{:02}|", amount / 100, amount % 100);
    out.extend_from_slice(old);
    out.truncate(DATA_MOST);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_middle_is_the_upper_half_of_odd_lists() {
        assert_eq!([1, 2, 3, 4, 5].map(middle), [0, 0, 1, 1, 2]);
    }

    #[test]
    fn bad_credit_shifts_what_was_paid_in() {
        let payment = Payment { w: 3, d: 4, c_w: 5, c_d: 6, who: CustomerKey::Id(7), amount: 1205 };
        let mut out = Vec::new();
        shifted_in(7, &payment, &[b'x'; 500], &mut out);
        assert_eq!(out.len(), 500);
        assert!(out.starts_with(b"7 6 5 4 3 12.05|xxx"), "{}", String::from_utf8_lossy(&out));
    }
}
