//! The card of results that are not compared: what each target did best, with a row for each cell, or the percentiles of a single one.

use super::super::columns::number;
use super::super::context::PageContext;
use super::super::forest::{Forest, ForestRow, RowKind};
use super::{MOST_ROWS, at, cells, named, times, value, within};
use crate::bilingual;
use crate::chart::Ruler;
use crate::figures::{self, queries, throughput_of};
use minijinja::{Value, context};
use tenbin_model::axis;
use tenbin_model::compared_axis::kind_of_load;
use tenbin_model::counted;
use tenbin_model::figures::Figure;
use tenbin_model::question::Question;
use tenbin_model::summary::Cell;
use tenbin_verdict::counting;
use tenbin_verdict::rate;
use tenbin_verdict::seconds_needed::{self, SecondsNeeded};
use tenbin_words::figure;
use tenbin_words::message::{Message, foreign};
use tenbin_words::msg;

/// The percentiles of a single cell.
const AT: [(&str, f64); 5] = [("p50", 0.5), ("p90", 0.9), ("p95", 0.95), ("p99", 0.99), ("p99.9", 0.999)];
/// The most kinds of load beside the first one that are shown in large; the rows below have all.
const MOST_KINDS: usize = 5;
/// A percentile needs at least this many transactions beyond it.
const BEYOND: f64 = 10.0;

/// The card; `None` if nothing was measured.
pub(super) fn card(m: &PageContext<'_>, experiment: &str, question: Question) -> Option<Value> {
    let measured = cells(m, experiment, question);
    // What a rate leads to are times, but what is large is what was done.
    let figure = match question {
        Question::Rate => Figure::Transactions,
        Question::NewOrdersAtRate => Figure::NewOrders,
        other => other.figure(),
    };
    // The smallest time of all would be that of the smallest load.
    let kinds = match figure {
        Figure::Seconds => seconds_needed::largest(m.summary, measured.iter().copied()),
        _ => Vec::new(),
    };
    // Where none of the loads came to its end, what was done is all that is known.
    let figure = if figure == Figure::Seconds && kinds.is_empty() { Figure::Transactions } else { figure };
    let (loads, best) = match kinds.first() {
        Some((largest, _)) => (Vec::new(), *largest),
        None => {
            let best = best_of_each_load(m, &measured, figure);
            (best.clone(), *best.first()?)
        }
    };
    let big = figure::grouped(value(m.summary, best, figure)?);
    let axes = within(&best.axes);
    let single = measured.len() == 1;
    let of_kind = |(cell, needed): &(&Cell, SecondsNeeded)| {
        let what = msg!("card-seconds-at", cell = axis::cell(within(&cell.axes)));
        context! { big => figure::grouped(needed.mean), what => bilingual::html(&what) }
    };
    let of_load = |cell: &&Cell| {
        let what = msg!("card-done-at", unit = figure.unit(), cell = axis::cell(within(&cell.axes)));
        Some(context! { big => figure::grouped(value(m.summary, cell, figure)?), what => bilingual::html(&what) })
    };
    let mut seconds: Vec<Value> = kinds.iter().skip(1).take(MOST_KINDS).map(of_kind).collect();
    let all = times(m.summary, best);
    if all.count() > 0 && figure != Figure::Seconds {
        let ms = figure::milliseconds(all.quantile_ns(0.99) as f64);
        let p99 = Figure::Percentile(990);
        let what = match rate::is_behind(m.summary, best) {
            true => msg!("card-percentile-behind", percentile = p99.code()),
            false => named(m.summary, &[best], p99),
        };
        seconds.push(context! { big => ms, what => bilingual::html(&what) });
    }
    let queries = queries(m.summary, best).map(figure::grouped);
    let whose = throughput_of(m.summary, &[best]);
    let what = figures::of(msg!("card-queries-per-second"), whose.clone());
    seconds.extend(queries.map(|big| context! { big, what => bilingual::html(&what) }));
    seconds.extend(loads.iter().skip(1).take(MOST_KINDS).filter_map(of_load));
    let forest = if single { percentiles(m, best) } else { Some(by_cell(m, &measured, figure)) };
    let repeats = best.tps.len();
    Some(context! {
        alone => m.target(&best.target), big, what => bilingual::html(&named_alone(m, best, figure, whose)),
        at => (!axes.is_empty()).then(|| at(&best.axes)), seconds, forest,
        range => interval(m, best, figure).unwrap_or_else(|| bilingual::html(&msg!("card-repeats", n = repeats))),
    })
}

/// Of each kind of load the cell in which most was done, in the order of the plan: the most of all of them would be that of the easiest one. Of
/// several targets the one of all, which says whose it is.
fn best_of_each_load<'m>(m: &PageContext<'_>, measured: &[&'m Cell], figure: Figure) -> Vec<&'m Cell> {
    let of = |cell: &&Cell| value(m.summary, cell, figure).unwrap_or(0.0);
    let by_value = |x: &&&'m Cell, y: &&&'m Cell| of(x).total_cmp(&of(y));
    let is_one_target = measured.iter().all(|cell| cell.target == measured[0].target);
    let kind = |cell: &Cell| if is_one_target { kind_of_load(&cell.axes).join(" ") } else { String::new() };
    let mut kinds: Vec<String> = Vec::new();
    for kind in measured.iter().map(|cell| kind(cell)) {
        if !kinds.contains(&kind) {
            kinds.push(kind);
        }
    }
    let best = |wanted: &String| {
        let own = || measured.iter().filter(|cell| kind(cell) == *wanted);
        // At a rate, of those that were held: otherwise times say nothing.
        let held = own().filter(|cell| !rate::is_behind(m.summary, cell)).max_by(by_value);
        held.or_else(|| own().max_by(by_value)).copied()
    };
    kinds.iter().filter_map(best).collect()
}

/// The interval of the mean of the repeats, or the lowest and the highest of them.
fn interval(m: &PageContext<'_>, cell: &Cell, figure: Figure) -> Option<Value> {
    let n = cell.tps.len();
    Some(bilingual::html(&match counting::spread_of(m.summary, cell, figure)? {
        (spread, true) => msg!("card-spread", spread, n),
        (spread, false) => msg!("card-range", spread, n),
    }))
}

/// `whose`: of which groups of clients throughput is.
fn named_alone(m: &PageContext<'_>, cell: &Cell, figure: Figure, whose: Option<Message>) -> Message {
    match figure {
        Figure::Transactions => figures::of(msg!("unit-transactions-per-second"), whose),
        Figure::Queries => figures::of(msg!("unit-queries-per-second"), whose),
        Figure::NewOrders => msg!("unit-new-orders-per-minute"),
        Figure::Seconds => msg!("unit-seconds-needed"),
        Figure::Mean | Figure::Percentile(_) => named(m.summary, &[cell], figure),
    }
}

/// A row for each cell and target.
fn by_cell(m: &PageContext<'_>, measured: &[&Cell], figure: Figure) -> Value {
    let several = measured.iter().any(|cell| cell.target != measured[0].target);
    let rows: Vec<ForestRow> = measured
        .iter()
        .map(|cell| {
            let is_short = |number: &u32| m.summary.trial(*number).is_some_and(counted::is_short);
            let is_whole = figure != Figure::Seconds || !cell.trials.iter().any(is_short);
            let shown = value(m.summary, cell, figure).filter(|_| is_whole);
            let ends = (figure == Figure::Transactions).then(|| counting::interval(m.summary, cell)).flatten();
            let label = match (several, within(&cell.axes).is_empty()) {
                (false, _) => at(&cell.axes),
                (true, true) => m.target(&cell.target),
                (true, false) => Value::from_safe_string(format!("{} {}", m.target(&cell.target), at(&cell.axes))),
            };
            let p99 = Some(times(m.summary, cell)).filter(|t| t.count() > 0);
            let p99 = p99.map(|t| t.quantile_ns(0.99) as f64 / 1e6);
            ForestRow {
                label,
                style: m.style(&cell.target),
                value: shown,
                ends: ends.map(|i| (i.low, i.high)),
                dots: if figure == Figure::Transactions && cell.tps.len() > 1 { cell.tps.clone() } else { Vec::new() },
                before: Vec::new(),
                texts: vec![number(shown), number(p99)],
                kind: RowKind::Shown,
            }
        })
        .collect();
    let values: Vec<f64> = rows.iter().filter_map(|row| row.value).collect();
    let ends: Vec<(f64, f64)> = rows.iter().filter_map(|row| row.ends).collect();
    let p99 = figures::titled(foreign("p99 ms"), m.summary, measured);
    let after = vec![bilingual::foreign(figure.unit()), bilingual::html(&p99)];
    let heads = (bilingual::html(&msg!("column-cell")), Vec::new(), after);
    let (ruler, caption) = (Ruler::of_amounts(&values, &ends), bilingual::foreign(figure.unit()));
    Forest { heads, rows, ruler, reference: None, caption, most: MOST_ROWS, is_narrow: false }.html()
}

/// The response times of a single cell.
fn percentiles(m: &PageContext<'_>, cell: &Cell) -> Option<Value> {
    let all = times(m.summary, cell);
    let known = AT.iter().filter(|(_, q)| (1.0 - q) * all.count() as f64 >= BEYOND);
    let percentiles: Vec<(&str, f64)> = known.map(|(name, q)| (*name, all.quantile_ns(*q) as f64 / 1e6)).collect();
    let values: Vec<f64> = percentiles.iter().map(|(_, ms)| *ms).collect();
    let texts = figure::alike(&values);
    let row = |((name, ms), text): (&(&str, f64), String)| ForestRow {
        label: bilingual::foreign(name),
        style: 0,
        value: Some(*ms),
        ends: None,
        dots: Vec::new(),
        before: Vec::new(),
        texts: vec![Value::from(text)],
        kind: RowKind::Shown,
    };
    let rows: Vec<ForestRow> = percentiles.iter().zip(texts).map(row).collect();
    let head = figures::titled(msg!("column-response-time"), m.summary, &[cell]);
    let heads = (bilingual::html(&head), Vec::new(), vec![bilingual::foreign("ms")]);
    let (ruler, caption) = (Ruler::of_amounts(&values, &[]), bilingual::foreign("ms"));
    (!rows.is_empty())
        .then(|| Forest { heads, rows, ruler, reference: None, caption, most: MOST_ROWS, is_narrow: false }.html())
}
