//! New-Order (clause 2.4): a customer orders five to fifteen items, of which one in a hundred comes from another
//! warehouse. One order in a hundred names an unused item at its end and is rolled back after the work on the others is
//! done.

use super::schema::ITEMS;
use super::session::{Session, StatementAnswer, StatementCall};
use super::settings::{TerminalGround, TpccSettings};
use super::statements::{LINES, S};
use super::text::{ORIGINAL, between};
use std::ops::Range;
use tenbin_driver::{Error, Value};
use tenbin_model::tpcc::Counter as C;
use tenbin_workload::{Random, TransactionContext};

/// An item that does not exist.
pub(super) const UNUSED: u64 = ITEMS + 1;

/// What the terminal's user typed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Order {
    pub(super) w: u64,
    pub(super) d: u64,
    pub(super) c: u64,
    /// How many lines. They are ordered by supplying warehouse, then item: concurrent orders take their locks in the
    /// same order.
    pub(super) n: usize,
    pub(super) lines: [OrderLine; LINES],
}

/// One line of it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct OrderLine {
    pub(super) supply: u64,
    pub(super) item: u64,
    pub(super) quantity: u64,
}

/// Draws an order (clause 2.4.1).
pub(super) fn draw(plan: &TpccSettings, ground: &TerminalGround, w: u64, random: &mut Random) -> Order {
    let d = between(random, 1, 10);
    let c = ground.constants.customer(random);
    let n = between(random, 5, 15) as usize;
    let bad = random.below(100) == 0;
    let mut lines = [OrderLine::default(); LINES];
    for (at, line) in lines[..n].iter_mut().enumerate() {
        let item = if bad && at + 1 == n { UNUSED } else { ground.constants.item(random) };
        let remote = random.below(100) == 0 && plan.warehouses > 1;
        let supply = if remote { other(w, plan.warehouses, random) } else { w };
        *line = OrderLine { supply, item, quantity: between(random, 1, 10) };
    }
    // The unused item stays last.
    let real = n - usize::from(bad);
    lines[..real].sort_unstable_by_key(|l| (l.supply, l.item));
    Order { w, d, c, n, lines }
}

/// Any other warehouse.
pub(super) fn other(w: u64, warehouses: u64, random: &mut Random) -> u64 {
    let drawn = between(random, 1, warehouses - 1);
    drawn + u64::from(drawn >= w)
}

/// What is known about a line after its item and stock were read.
#[derive(Debug, Clone, Copy, Default)]
struct NewOrderKnown {
    price: i64,
    original: bool,
    dist: [u8; 24],
    dist_len: usize,
}

/// Executes one order; returns the total shown to the user, in cents.
pub(super) async fn run(order: &Order, session: &mut Session, context: &mut TransactionContext) -> Result<i64, Error> {
    let Order { w, d, c, n, lines } = *order;
    let [w, d, c] = [w, d, c].map(int);
    session.begin(context, true).await?;
    let bad = lines[..n].last().is_some_and(|l| l.item == UNUSED);
    let mut known = [NewOrderKnown::default(); LINES];
    let (customer, district) = ([w, w, d, w, d, c], [w, d]);
    let ordered = ordered(&customer, &lines[..n]);
    let wanted = distinct(&lines[..n - usize::from(bad)]);
    let asks = [StatementCall::fetch(S::Ordered, &ordered, wanted), StatementCall::fetch(S::Advance, &district, 1)];
    session.execute_all(context, &asks).await?;
    let [discount, w_tax, d_tax] = read(&session.answer(0), &lines[..n], &mut known)?;
    let o_id = Value::Int(session.answer(1).taken()?);

    let local = lines[..n].iter().all(|l| l.supply == order.w);
    let head = [o_id, d, w, c, int(n as u64), int(local.into())];
    let waiting = [o_id, d, w];
    // The stock of each supplying warehouse is read, then updated in the same round trip as reading that of the next
    // one.
    let real = n - usize::from(bad);
    let mut at = group(&lines[..real], 0);
    let mut reading = stock(order, &lines[at.clone()]);
    let asks = [
        StatementCall::change(S::Order, &head, 1),
        StatementCall::change(S::NewOrder, &waiting, 1),
        StatementCall::fetch(S::Stock, &reading, distinct(&lines[at.clone()])),
    ];
    session.execute_all(context, &asks).await?;
    let mut last = 2;
    let (taken, count) = loop {
        let (taken, count) = take(order, &lines[at.clone()], &mut known[at.clone()], &session.answer(last))?;
        if at.end == real {
            break (taken, count);
        }
        at = group(&lines[..real], at.end);
        reading = stock(order, &lines[at.clone()]);
        let wanted = distinct(&lines[at.clone()]);
        session
            .execute_all(
                context,
                &[StatementCall::change(S::TakeStock, &taken, count), StatementCall::fetch(S::Stock, &reading, wanted)],
            )
            .await?;
        last = 1;
    };

    let (mut values, mut sum) = ([Value::Null; LINES * 9], 0);
    for (at, (line, known)) in lines[..real].iter().zip(&known).enumerate() {
        let amount = line.quantity as i64 * known.price;
        sum += amount;
        let dist = Value::Text(&known.dist[..known.dist_len]);
        let [number, item, supply, quantity] = [at as u64 + 1, line.item, line.supply, line.quantity].map(int);
        values[at * 9..][..9].copy_from_slice(&[o_id, d, w, number, item, supply, quantity, Value::Int(amount), dist]);
    }
    let asks = [StatementCall::change(S::TakeStock, &taken, count), StatementCall::lines(&values[..real * 9], real)];
    session.execute_all(context, &asks).await?;

    context.count(C::Lines as usize, n as u64);
    let remote = lines[..n].iter().filter(|l| l.supply != order.w).count() as u64;
    context.count(C::RemoteLines as usize, remote);
    context.count(C::RemoteOrders as usize, u64::from(remote > 0));
    if bad {
        context.count(C::RolledBack as usize, 1);
        session.rollback(context).await?;
        return Ok(0);
    }
    session.commit(context).await?;
    // Rates are in 1/10,000; rounded to the nearest cent.
    let total = i128::from(sum) * i128::from(10_000 - discount) * i128::from(10_000 + w_tax + d_tax);
    Ok(((total + 50_000_000) / 100_000_000) as i64)
}

/// The lines from here that one warehouse supplies.
fn group(lines: &[OrderLine], from: usize) -> Range<usize> {
    from..from + lines[from..].iter().take_while(|l| l.supply == lines[from].supply).count()
}

/// The values of [`S::Ordered`].
fn ordered(customer: &[Value<'static>; 6], lines: &[OrderLine]) -> [Value<'static>; 6 + LINES] {
    let mut values = [Value::Null; 6 + LINES];
    values[..6].copy_from_slice(customer);
    values[6..].copy_from_slice(&padded(lines));
    values
}

/// Reads the items; returns discount and taxes.
fn read(answer: &StatementAnswer<'_>, lines: &[OrderLine], known: &mut [NewOrderKnown]) -> Result<[i64; 3], Error> {
    for row in 0..answer.len() {
        let (item, price) = (answer.int(row, 0)?, answer.cents(row, 1)?);
        let original = contains_original(answer.text(row, 3));
        for (_, known) in lines.iter().zip(known.iter_mut()).filter(|(l, _)| l.item as i64 == item) {
            (known.price, known.original) = (price, original);
        }
    }
    Ok([answer.rate(0, 4)?, answer.rate(0, 7)?, answer.rate(0, 8)?])
}

/// The warehouse that supplies these lines.
fn supplier(order: &Order, lines: &[OrderLine]) -> u64 {
    lines.first().map_or(order.w, |l| l.supply)
}

/// The values of [`S::Stock`] for the lines of one supplying warehouse.
fn stock(order: &Order, lines: &[OrderLine]) -> [Value<'static>; LINES + 2] {
    let mut values = [int(supplier(order, lines)); LINES + 2];
    values[0] = int(order.d);
    values[2..].copy_from_slice(&padded(lines));
    values
}

/// The values of [`S::TakeStock`], from the answer of [`S::Stock`], and how many rows they change.
fn take(
    order: &Order,
    lines: &[OrderLine],
    known: &mut [NewOrderKnown],
    answer: &StatementAnswer<'_>,
) -> Result<([Value<'static>; LINES * 9 + 1], u64), Error> {
    let supply = supplier(order, lines);
    // By item: quantity left, ordered, times, remote times.
    let (mut taken, mut count) = ([(0i64, 0i64, 0i64, 0i64, 0i64); LINES], 0);
    for row in 0..answer.len().min(LINES) {
        let (item, mut quantity) = (answer.int(row, 0)?, answer.int(row, 1)?);
        let original = contains_original(answer.text(row, 2));
        let (mut ordered, mut times) = (0, 0);
        for (line, known) in lines.iter().zip(known.iter_mut()).filter(|(l, _)| l.item as i64 == item) {
            quantity = left(quantity, line.quantity as i64);
            ordered += line.quantity as i64;
            times += 1;
            // The generic brand "B" (clause 2.4.2.2) is shown, not stored.
            known.original &= original;
            let dist = answer.text(row, 3);
            known.dist_len = dist.len().min(24);
            known.dist[..known.dist_len].copy_from_slice(&dist[..known.dist_len]);
        }
        taken[count] = (item, quantity, ordered, times, if supply == order.w { 0 } else { times });
        count += 1;
    }
    let mut values = [int(supply); LINES * 9 + 1];
    for at in 0..LINES {
        let (item, quantity, ordered, times, remote) = taken[at.min(count.saturating_sub(1))];
        for (column, value) in [quantity, ordered, times, remote].into_iter().enumerate() {
            values[column * LINES * 2 + at * 2] = Value::Int(item);
            values[column * LINES * 2 + at * 2 + 1] = Value::Int(value);
        }
        values[LINES * 8 + 1 + at] = Value::Int(item);
    }
    Ok((values, count as u64))
}

/// What is left in stock (clause 2.4.2.2): if fewer than ten would be left, 91 are added.
pub(super) fn left(quantity: i64, ordered: i64) -> i64 {
    if quantity >= ordered + 10 { quantity - ordered } else { quantity - ordered + 91 }
}

/// The lines' items, the last repeated.
fn padded(lines: &[OrderLine]) -> [Value<'static>; LINES] {
    std::array::from_fn(|at| int(lines.get(at).or(lines.last()).map_or(UNUSED, |l| l.item)))
}

/// How many different items; lines of one warehouse are ordered by item, others may count one twice.
fn distinct(lines: &[OrderLine]) -> u64 {
    let differs = |at: &usize| lines[..*at].iter().all(|l| l.item != lines[*at].item);
    (0..lines.len()).filter(differs).count() as u64
}

fn contains_original(data: &[u8]) -> bool {
    data.windows(ORIGINAL.len()).any(|w| w == ORIGINAL)
}

fn int(n: u64) -> Value<'static> {
    Value::Int(n as i64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stock_is_filled_up_as_the_clause_says() {
        assert_eq!([left(20, 10), left(19, 10), left(15, 5), left(14, 5), left(10, 10)], [10, 100, 10, 100, 91]);
    }

    #[test]
    fn items_are_counted_once_wherever_they_come_from() {
        let line = |supply, item| OrderLine { supply, item, quantity: 1 };
        assert_eq!(distinct(&[line(1, 5), line(1, 5), line(1, 7), line(2, 5)]), 2);
        assert_eq!(distinct(&[]), 0);
    }
}
