//! Totals beside rates and times: transactions = TPS × seconds, and the like.

use super::{COARSE, in_all, percent, place, precise, shown};
use crate::figure_kind::FigureKind;
use crate::figure_kind::FigureKind::{
    ClientSeconds, Clients, Deviation, EventsPerClient, Mean, NewOrders, Nopm, PerPeriod, Period, Qps, Queries,
    QueriesPerClient, Seconds, Sum, Total, Tpm, Tps, Transactions,
};
use crate::published_audit::PublishedAudit;
use crate::quantity::Quantity;
use crate::result::{Published, PublishedResult};
use tenbin_model::doubt::Verdict;
use tenbin_words::message::Message;
use tenbin_words::msg;
use tenbin_words::problem::Problem;

/// A product of two figures that is a third one; the factor is that of their units.
const EQUATIONS: &[(FigureKind, FigureKind, FigureKind, f64)] = &[
    (Tps, Seconds, Transactions, 1.0),
    (Qps, Seconds, Queries, 1.0),
    (EventsPerClient, Clients, Transactions, 1.0),
    (Mean, Transactions, Sum, 1.0),
    (ClientSeconds, Clients, Sum, 1e3),
    (Nopm, Seconds, NewOrders, 1.0 / 60.0),
    (Tpm, Seconds, Transactions, 1.0 / 60.0),
    (QueriesPerClient, Clients, Queries, 1.0),
];

/// The tool whose time is longer than the one that was asked for.
const PGBENCH: &str = "pgbench";
/// Clients start and end at slightly different times.
const TOLERANCE: f64 = 0.02;
/// The rate and the time of a tool's report are of two clocks, s: what sysbench 1.0 prints of a run of 0.2 s was up to 9 ms apart.
const CLOCKS_S: f64 = 0.02;
/// A larger difference is not one of clocks.
const LARGE: f64 = 0.1;

pub fn totals(published: &Published) -> PublishedAudit {
    let (mut all, mut held, mut worst) = (PublishedAudit::default(), Vec::<Message>::new(), 0.0_f64);
    for (a, b, c, factor) in EQUATIONS {
        let (mut n, mut wrong, mut is_fine) = (0, Vec::new(), false);
        for (at, result) in published.results.iter().enumerate() {
            let (Some(x), Some(y), Some(z)) = (result.quantity(*a), result.quantity(*b), result.quantity(*c)) else {
                continue;
            };
            // A factor printed as 0.00 says only that it is smaller than that.
            if z.value <= 0.0 || [x, y].iter().any(|factor| factor.value.abs() < factor.half) {
                continue;
            }
            // A rate that does not include the time of connecting is one of the rest.
            let counted = if *b == Seconds { y.value - result.connecting_s } else { y.value };
            let y = Quantity { value: counted, ..y };
            n += 1;
            let log = published.tables.get(result.table).filter(|table| table.is_log);
            let clocks = if log.is_some() && *b == Seconds { CLOCKS_S } else { 0.0 };
            let y = match log {
                Some(log) if log.caption == PGBENCH && (*a, *b) == (Tps, Seconds) => {
                    until_the_last(result, y, z.value / x.value)
                }
                _ => y,
            };
            let off = x.value * y.value * factor / z.value - 1.0;
            if !agree(x, Quantity { half: y.half + clocks, ..y }, z, *factor) {
                wrong.push((at, off, x.value * y.value * factor));
            } else {
                worst = worst.max(off.abs());
                // A time was asked for: `1 h` was not rounded.
                let of_factor = if *b == Seconds { 0.0 } else { y.rounding() };
                is_fine |= x.rounding() + of_factor + z.rounding() < COARSE;
            }
        }
        if n == 0 {
            continue;
        }
        let Some((at, off, product)) = wrong.first().copied() else {
            held.extend(is_fine.then(|| msg!("published-equation", a = a.words(), b = b.words(), c = c.words())));
            continue;
        };
        let result = &published.results[at];
        let evidence = msg!(
            "doubt-published-total-seen",
            place = place(result),
            product = shown(*c, product),
            total = shown(*c, result.get(*c).unwrap_or(0.0)),
            percent = percent(off)
        );
        let equation = msg!("published-equation", a = a.words(), b = b.words(), c = c.words());
        let large = wrong.iter().any(|(_, off, _)| off.abs() > LARGE);
        let verdict = if large { Verdict::Invalid } else { Verdict::Degraded };
        let touches = wrong.iter().flat_map(|(at, ..)| [(*at, *a), (*at, *b), (*at, *c)]).collect();
        let problem =
            Problem::new(msg!("doubt-published-total", equation, n = wrong.len(), all = n)).evidence(evidence);
        let problem = problem.hint(msg!("doubt-published-look-at-source"));
        all = all.and(PublishedAudit::doubt(verdict, "total", problem, touches));
    }
    if !held.is_empty() {
        let holds = msg!(
            "published-totals-hold",
            equations = Message::joined(held, "; "),
            percent = percent(worst.min(TOLERANCE))
        );
        all = all.and(PublishedAudit::confirmed(holds));
    } else if all.doubts.is_empty() {
        all = all.and(PublishedAudit::not_checked(msg!("published-wants-totals")));
    }
    all
}

/// The time by which pgbench divides: with `--time` no transaction starts after its end, and those in progress are completed, which takes a
/// few of their response times at most. `y`: the time that was asked for, without that of connecting; `real`: transactions over rate.
fn until_the_last(result: &PublishedResult, y: Quantity, real: f64) -> Quantity {
    const FEW: f64 = 3.0;
    let ms = result.get(Mean).unwrap_or(0.0) + result.get(Deviation).unwrap_or(0.0);
    let longest = result.get(Seconds).unwrap_or(y.value).max(y.value) + FEW * ms / 1e3;
    match real.is_finite() && longest > y.value {
        true => Quantity { value: real.clamp(y.value, longest), ..y },
        false => y,
    }
}

/// Whether the product of two figures can be a third one with what rounding leaves open of all three.
fn agree(x: Quantity, y: Quantity, z: Quantity, factor: f64) -> bool {
    let low = |of: Quantity| (of.value - of.half).max(0.0);
    let high = |of: Quantity| of.value + of.half;
    low(x) * low(y) * factor * (1.0 - TOLERANCE) <= high(z) && high(x) * high(y) * factor * (1.0 + TOLERANCE) >= low(z)
}

/// A total over the mean of each period is a whole number of periods.
pub fn whole_periods(published: &Published) -> PublishedAudit {
    let (mut periods, mut wrong) = (Vec::new(), Vec::new());
    for (at, result) in published.results.iter().enumerate() {
        let (Some(total), Some(mean)) = (result.quantity(Total), result.quantity(PerPeriod)) else { continue };
        if mean.value <= 0.0 || total.value <= 0.0 {
            continue;
        }
        let n = total.value / mean.value;
        let open = n * (total.rounding() + mean.rounding());
        match (n - n.round()).abs() <= open.max(1e-6) {
            true => periods.push((at, n.round(), open)),
            false => wrong.push((at, n)),
        }
    }
    if let Some((at, n)) = wrong.first() {
        let result = &published.results[*at];
        let of = |kind| precise(result.get(kind).unwrap_or(0.0));
        let (total, mean) = (of(Total), of(PerPeriod));
        let evidence = msg!("doubt-published-periods-seen", place = place(result), total, mean, n = precise(*n));
        let touches = wrong.iter().flat_map(|(at, _)| [(*at, Total), (*at, PerPeriod)]).collect();
        let problem = Problem::new(msg!("doubt-published-periods")).evidence(evidence);
        let problem = problem.hint(msg!("doubt-published-look-at-source"));
        return PublishedAudit::doubt(Verdict::Degraded, "periods", problem, touches);
    }
    let Some((at, n, open)) = periods.first().copied() else { return PublishedAudit::default() };
    // With this few digits every number would be near a whole one.
    if open > 0.25 || periods.iter().any(|(_, other, _)| *other != n) {
        return PublishedAudit::default();
    }
    let result = &published.results[at];
    let seconds = result.get(Period).unwrap_or(0.0);
    let all = in_all(periods.len());
    let whole = match seconds > 0.0 {
        true => msg!("published-periods-hold", n = precise(n), seconds = precise(seconds), all),
        false => msg!("published-periods-of-no-length-hold", n = precise(n), all),
    };
    let Some((of, from)) = result.counted_s.filter(|_| seconds > 0.0) else { return PublishedAudit::confirmed(whole) };
    let expected = (of - from) / seconds;
    match n - expected {
        0.0 | 1.0 => PublishedAudit::confirmed(msg!(
            "published-periods-of-note",
            whole,
            from = precise(from),
            to = precise(of),
            expected = precise(expected)
        )),
        _ => {
            let evidence = msg!(
                "doubt-published-note-seen",
                n = precise(n),
                from = precise(from),
                to = precise(of),
                expected = precise(expected)
            );
            let problem = Problem::new(msg!("doubt-published-note")).evidence(evidence);
            let problem = problem.hint(msg!("doubt-published-look-at-source"));
            let touches = periods.iter().map(|(at, ..)| (*at, Total)).collect();
            PublishedAudit::doubt(Verdict::Degraded, "periods", problem, touches)
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::{audit, read};

    #[test]
    fn a_factor_that_is_printed_as_zero_is_not_multiplied() {
        let table = |mean: &str| format!("threads,transactions,avg_ms,sum_ms\n1,2000000,{mean},9980\n");
        let codes = |text: String| {
            let doubts = audit(&read(text, "x.csv").unwrap()).doubts;
            doubts.into_iter().map(|doubt| doubt.doubt.code).collect::<Vec<_>>()
        };
        assert!(!codes(table("0.00")).contains(&"total".to_owned()), "{:?}", codes(table("0.00")));
        assert!(codes(table("0.05")).contains(&"total".to_owned()), "{:?}", codes(table("0.05")));
        // What is printed as 0.01 may be half of it.
        let table = |sum: &str| format!("threads,transactions,avg_ms,sum_ms\n1,154341,0.01,{sum}\n");
        for (sum, agrees) in [("866.56", true), ("2300", true), ("700", false), ("2400", false)] {
            assert_eq!(!codes(table(sum)).contains(&"total".to_owned()), agrees, "{sum}");
        }
    }
}
