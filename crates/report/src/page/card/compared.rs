//! The cards of comparisons: of two targets, with a row for each cell or each figure, and of several, with a row for each target.

use super::super::columns::number;
use super::super::context::PageContext;
use super::super::forest::{Forest, ForestRow, RowKind};
use super::{MOST_ROWS, at, cells, named, short_name, value, within};
use crate::bilingual;
use crate::chart::Ruler;
use crate::figures::{CellRange, is_by_cell, of_pairs, queries_of_pairs};
use minijinja::{Value, context};
use tenbin_model::figures::{Figure, TIMES};
use tenbin_model::question::Question;
use tenbin_model::statistics::Confidence;
use tenbin_model::summary::Cell;
use tenbin_verdict::answer::{ends, percent, ratio, without_result};
use tenbin_verdict::compared::Compared;
use tenbin_verdict::comparison::{Comparable, Comparison, reading};
use tenbin_words::figure;
use tenbin_words::message::{Message, foreign};
use tenbin_words::msg;

const P99: Figure = Figure::Percentile(990);
/// The most rows of targets that are not folded.
const MOST_TARGETS: usize = 12;
/// The most that are named of those that the first is not shown to be ahead of.
const MOST_RIVALS: usize = 6;

/// The card of two targets.
pub(super) fn two(m: &PageContext<'_>, experiment: &str, question: Question, c: &Comparison) -> Value {
    let beside = |figure| beside(m, experiment, question, c, figure);
    let measured = cells(m, experiment, question);
    let seconds = seconds(m, experiment, question, c, &measured);
    let is_single = c.cells.len() < 2 && c.uncompared() == 0;
    let forest = if is_single { by_figure(m, c, &beside) } else { by_cell(m, c, &measured) };
    context! { winner => m.target(&c.b), other => m.target(&c.a), along => along(c), seconds, forest, ..headline(m, c, &measured) }
}

/// The same two in another figure.
fn beside(m: &PageContext<'_>, experiment: &str, question: Question, c: &Comparison, of: Figure) -> Option<Comparison> {
    m.summary.comparisons(experiment, question, of).into_iter().find(|o| o.b == c.b && o.a == c.a)
}

/// What stands below the large ratio: those of the p99 and of the statements.
fn seconds(
    m: &PageContext<'_>,
    experiment: &str,
    question: Question,
    c: &Comparison,
    measured: &[&Cell],
) -> Vec<Value> {
    let has_times = c.figure != P99 && c.figure != Figure::Seconds;
    let p99 = has_times.then(|| beside(m, experiment, question, c, P99)).flatten();
    p99.map(|p99| second(m, &p99, measured)).into_iter().chain(queries(m, c, measured)).collect()
}

/// The axis whose values are compared, if they are no targets.
fn along(c: &Comparison) -> Option<Value> {
    c.along.as_ref().map(|key| bilingual::html(&bilingual::axis_name(key)))
}

fn lowest_and_highest(c: &Comparison) -> (f64, f64) {
    let ratios = c.cells.iter().map(|cell| cell.ratio);
    ratios.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), r| (low.min(r), high.max(r)))
}

/// The ratio in large, with what may be said of it.
fn headline(m: &PageContext<'_>, c: &Comparison, measured: &[&Cell]) -> Value {
    let what = bilingual::html(&named(m.summary, measured, c.figure));
    let pairs = c.pairs;
    if is_by_cell(c) {
        let cells = CellRange::of(c);
        let (big, is_undecided) = (cells.text(), cells.shown == 0);
        let range = match (c.confidence, c.duet) {
            (None, _) => msg!("card-by-chance"),
            (_, Some(_)) => by_cell_words(msg!("card-by-cell-duet", pairs), &cells),
            _ => by_cell_words(msg!("card-by-cell", pairs), &cells),
        };
        return context! { big, long => true, what, range => bilingual::html(&range), muted => is_undecided };
    }
    let big = format!("{}×", ratio(c.ratio));
    if let Some(n) = c.repeats_to_tell() {
        let range = bilingual::html(&msg!("card-few-pairs", pairs, n));
        return context! { big, what, range, muted => true };
    }
    let (range, muted, note) = match (reading(c.confidence), c.confidence) {
        (Comparable::Chance, _) | (_, None) => (msg!("card-by-chance"), true, None),
        (Comparable::Alike { within }, Some(i)) => {
            (told(i, c), true, Some(msg!("card-alike", within = percent(within))))
        }
        (Comparable::Unclear, Some(i)) => {
            let more = match c.more_repeats {
                Some(n @ 1..=100) => msg!("says-more-repeats", n),
                Some(101..) => msg!("says-too-many-repeats"),
                _ => msg!("says-unclear"),
            };
            (told(i, c), true, Some(more))
        }
        (_, Some(i)) => (told(i, c), false, None),
    };
    context! { big, what, range => bilingual::html(&range), muted, note => note.map(|note| bilingual::html(&note)) }
}

/// That the ratio depends on the cell, and in which part of the cells a difference is shown.
fn by_cell_words(words: Message, cells: &CellRange) -> Message {
    Message::joined(std::iter::once(words).chain(cells.part()), msg!("semicolon"))
}

fn told(i: Confidence, c: &Comparison) -> Message {
    let ([low, high], pairs) = (ends(i.low, i.high), c.pairs);
    match c.duet {
        Some(_) if c.cells.iter().any(|cell| cell.pairs < 2) => msg!("card-interval-duet-once", low, high),
        Some(_) => msg!("card-interval-duet", low, high, pairs),
        None => msg!("card-interval", low, high, pairs),
    }
}

fn span(confidence: Option<Confidence>) -> String {
    confidence.map_or("–".to_owned(), |i| ends(i.low, i.high).join("–"))
}

/// Whether the interval excludes "none".
fn is_decided(c: &Comparison) -> bool {
    matches!(reading(c.confidence), Comparable::Higher | Comparable::Lower)
}

/// The ratio of a figure in smaller type, with the figures if there is one cell.
fn second(m: &PageContext<'_>, c: &Comparison, measured: &[&Cell]) -> Value {
    let figures = match c.cells.as_slice() {
        [only] => of_pairs(m.summary, only, c.figure),
        _ => None,
    };
    let figures = figures.map(|both| {
        let [of_a, of_b] = figure::alike_pair(both);
        bilingual::html(&msg!("card-figures", of_b, of_a, unit = c.figure.unit()))
    });
    let cells = is_by_cell(c).then(|| CellRange::of(c));
    let big = cells.map_or_else(|| format!("{}×", ratio(c.ratio)), |cells| cells.text());
    let range = match cells {
        Some(cells) => cells.part().filter(|_| c.confidence.is_some()).map(|part| bilingual::html(&part)),
        None => c.interval().map(|i| Value::from(span(Some(i)))),
    };
    let is_undecided = cells.map_or_else(|| !is_decided(c) || c.interval().is_none(), |cells| cells.shown == 0);
    let what = bilingual::html(&named(m.summary, measured, c.figure));
    context! { big, what, range, figures, undecided => is_undecided }
}

/// The statements per second of both, where they are counted.
fn queries(m: &PageContext<'_>, c: &Comparison, measured: &[&Cell]) -> Option<Value> {
    let (all, both) = queries_of_pairs(m.summary, c)?;
    let figures = both.map(|both| {
        let [of_a, of_b] = figure::alike_pair(both);
        bilingual::html(&msg!("card-figures", of_b, of_a, unit = "QPS"))
    });
    let what = bilingual::html(&named(m.summary, measured, Figure::Queries));
    // It has no interval of its own, and follows from the transactions.
    let undecided = if is_by_cell(c) { !c.shows_difference() } else { !is_decided(c) || c.interval().is_none() };
    Some(context! { big => format!("{}×", ratio(all)), what, figures, undecided })
}

/// A row for each cell, and one for all of them if they do not differ.
fn by_cell(m: &PageContext<'_>, c: &Comparison, measured: &[&Cell]) -> Value {
    let differ = c.cells_differ == Some(true);
    let style = m.style(&c.b);
    let mut rows: Vec<ForestRow> = c
        .cells
        .iter()
        .map(|r| {
            let shown = c.interval_of(r);
            let both = of_pairs(m.summary, r, c.figure).map_or([None, None], |both| both.map(Some));
            ForestRow {
                label: at(&r.axes),
                style,
                value: Some(r.ratio),
                ends: shown.map(|i| (i.low, i.high)),
                dots: Vec::new(),
                before: both.map(number).into(),
                texts: vec![Value::from(format!("{}×", ratio(r.ratio))), Value::from(span(shown))],
                kind: kind(shown),
            }
        })
        .collect();
    if !differ && c.interval().is_some() {
        rows.push(ForestRow {
            label: bilingual::html(&msg!("all-cells")),
            style,
            value: Some(c.ratio),
            ends: c.confidence.map(|i| (i.low, i.high)),
            dots: Vec::new(),
            before: vec![Value::from(""), Value::from("")],
            texts: vec![Value::from(format!("{}×", ratio(c.ratio))), Value::from(span(c.confidence))],
            kind: if kind(c.confidence) == RowKind::Shown { RowKind::Whole } else { RowKind::WholeUndecided },
        });
    }
    let both = c.unpaired.iter().map(|axes| ([true, true], axes));
    let [of_a, of_b] = &c.of_one_only;
    let of_one = of_a.iter().map(|axes| ([true, false], axes)).chain(of_b.iter().map(|axes| ([false, true], axes)));
    rows.extend(both.chain(of_one).map(|(has, axes)| {
        let of = |name: &str| measured.iter().find(|x| m.is_of(x, name) && m.is_at(x, axes));
        let shown =
            |at: usize, name: &str| number(of(name).filter(|_| has[at]).and_then(|x| value(m.summary, x, c.figure)));
        ForestRow {
            label: at(axes),
            style,
            value: None,
            ends: None,
            dots: Vec::new(),
            before: vec![shown(0, &c.a), shown(1, &c.b)],
            texts: vec![number(None), number(None)],
            kind: RowKind::Undecided,
        }
    }));
    let unit = c.figure.unit();
    let label = bilingual::part("with_unit", context! { name => axis_of(c), unit });
    forest(m, c, rows, label, MOST_ROWS + 1)
}

/// The name of the only axis of the cells, or "cell".
fn axis_of(c: &Comparison) -> Value {
    let all = c.cells.iter().map(|r| &r.axes).chain(&c.unpaired).chain(c.of_one_only.iter().flatten());
    let mut keys: Vec<&str> = all.flat_map(|axes| within(axes)).map(|(key, _)| key.as_str()).collect();
    keys.dedup();
    keys.sort_unstable();
    keys.dedup();
    match keys.as_slice() {
        [key] => bilingual::html(&bilingual::axis_name(key)),
        _ => bilingual::html(&msg!("column-cell")),
    }
}

/// A row for each figure, of a single cell.
fn by_figure(m: &PageContext<'_>, c: &Comparison, beside: &dyn Fn(Figure) -> Option<Comparison>) -> Value {
    let of = |figure| c.cells.first().and_then(|r| of_pairs(m.summary, r, figure)).unwrap_or([f64::NAN; 2]);
    let both = |figure| figure::alike(&of(figure)).into_iter().map(Value::from).collect();
    let others = TIMES.iter().filter(|figure| **figure != c.figure).filter_map(|figure| beside(*figure));
    let rows = std::iter::once(c.clone()).chain(others).map(|one| ForestRow {
        label: label_of(one.figure),
        style: m.style(&c.b),
        value: Some(one.ratio),
        ends: one.interval().map(|i| (i.low, i.high)),
        dots: Vec::new(),
        before: both(one.figure),
        texts: vec![Value::from(format!("{}×", ratio(one.ratio))), Value::from(span(one.interval()))],
        kind: kind(one.interval()),
    });
    forest(m, c, rows.collect(), bilingual::html(&msg!("column-figure")), MOST_ROWS)
}

/// `p99 ms`.
fn label_of(figure: Figure) -> Value {
    let (name, unit) = (bilingual::html(&short_name(figure)), figure.unit());
    match figure {
        Figure::Transactions | Figure::Queries | Figure::NewOrders => name,
        _ => bilingual::part("with_unit", context! { name, unit }),
    }
}

fn kind(confidence: Option<Confidence>) -> RowKind {
    match reading(confidence) {
        Comparable::Higher | Comparable::Lower => RowKind::Shown,
        _ => RowKind::Undecided,
    }
}

/// The rows of a comparison of two, with the figures of both before the drawing.
fn forest(m: &PageContext<'_>, c: &Comparison, mut rows: Vec<ForestRow>, label: Value, most: usize) -> Value {
    let has_intervals = rows.iter().any(|row| row.ends.is_some());
    if !has_intervals {
        rows.iter_mut().for_each(|row| row.texts.truncate(1));
    }
    let values: Vec<f64> = rows.iter().filter_map(|row| row.value).collect();
    let ends: Vec<(f64, f64)> = rows.iter().filter_map(|row| row.ends).collect();
    let (of_b, of_a, scale) = (m.target(&c.b), m.target(&c.a), bilingual::html(&msg!("log-scale-after")));
    let caption = Value::from_safe_string(format!("{of_b} ÷ {of_a}{scale}"));
    let mut after = vec![bilingual::html(&msg!("column-ratio"))];
    after.extend(has_intervals.then(|| bilingual::foreign("95 %")));
    let ruler = Ruler::of_ratios(&values, &ends);
    Forest {
        heads: (label, vec![of_a, of_b], after),
        rows,
        ruler,
        reference: Some(1.0),
        caption,
        most,
        is_narrow: false,
    }
    .html()
}

/// The card of several targets: the best of them in large, a row for each.
pub(super) fn several(m: &PageContext<'_>, experiment: &str, question: Question, all: &[Comparison]) -> Value {
    let Some(first) = all.first() else { return context! {} };
    let is_time = first.figure.is_time();
    let better = |x: f64, y: f64| if is_time { x < y } else { x > y };
    let mut ranked: Vec<&Comparison> = all.iter().collect();
    ranked.sort_by(|x, y| if is_time { x.ratio.total_cmp(&y.ratio) } else { y.ratio.total_cmp(&x.ratio) });
    let Some(best) = ranked.first().copied() else { return context! {} };
    let base_is_best = !better(best.ratio, 1.0);
    let measured = cells(m, experiment, question);
    let single = all.iter().all(|c| c.cells.len() < 2 && c.uncompared() == 0);
    let of = |c: &Comparison, side: usize| {
        let both = c.cells.first().and_then(|r| of_pairs(m.summary, r, c.figure));
        number(both.map(|both| both[side]))
    };
    let row = |c: &Comparison| {
        let cells = is_by_cell(c).then(|| CellRange::of(c));
        let shown = cells.map_or_else(|| format!("{}×", ratio(c.ratio)), |cells| cells.text());
        let (ends, interval) = match (cells, c.interval()) {
            (Some(cells), _) => {
                let part = cells.part().filter(|_| c.confidence.is_some());
                (Some((cells.low, cells.high)), bilingual::html(&part.unwrap_or_else(|| msg!("by-cell"))))
            }
            (_, Some(i)) => (Some((i.low, i.high)), Value::from(span(Some(i)))),
            _ => (None, Value::from("–")),
        };
        let is_shown = cells.map_or_else(|| kind(c.interval()) == RowKind::Shown, |cells| cells.shown > 0);
        ForestRow {
            label: m.target(&c.b),
            style: m.style(&c.b),
            value: Some(c.ratio),
            ends,
            dots: if cells.is_some() { c.cells.iter().map(|cell| cell.ratio).collect() } else { Vec::new() },
            before: if single { vec![of(c, 1)] } else { Vec::new() },
            texts: vec![Value::from(shown), interval],
            kind: if is_shown { RowKind::Shown } else { RowKind::Undecided },
        }
    };
    let mut rows: Vec<ForestRow> = ranked.iter().map(|c| row(c)).collect();
    let index = ranked.iter().filter(|c| better(c.ratio, 1.0)).count();
    let base = ForestRow {
        label: m.target(&first.a),
        style: m.style(&first.a),
        value: Some(1.0),
        ends: None,
        dots: Vec::new(),
        before: if single { vec![of(first, 0)] } else { Vec::new() },
        texts: vec![Value::from("1×"), bilingual::html(&msg!("card-base"))],
        kind: RowKind::Shown,
    };
    rows.insert(index, base);
    let values: Vec<f64> = rows.iter().filter_map(|row| row.value).collect();
    let ends: Vec<(f64, f64)> = rows.iter().filter_map(|row| row.ends).collect();
    let caption =
        Value::from_safe_string(format!("÷ {}{}", m.target(&first.a), bilingual::html(&msg!("log-scale-after"))));
    let before = if single { vec![bilingual::foreign(first.figure.unit())] } else { Vec::new() };
    let after = vec![bilingual::html(&msg!("column-ratio")), bilingual::foreign("95 %")];
    let of_what = along(first).unwrap_or_else(|| bilingual::html(&msg!("column-target")));
    let heads = (of_what, before, after);
    let forest = Forest {
        heads,
        rows,
        ruler: Ruler::of_ratios(&values, &ends),
        reference: Some(1.0),
        caption,
        most: MOST_TARGETS,
        is_narrow: false,
    };
    let (is_ahead, n) = (is_ahead(best, base_is_best, all), all.len() + 1);
    let rivals = if is_ahead && !base_is_best { m.summary.rivals(experiment, question) } else { Vec::new() };
    let first_of = match (base_is_best, is_ahead) {
        (true, true) => msg!("card-base-ahead", n = all.len()),
        (false, true) if rivals.is_empty() => msg!("card-ahead", n),
        (false, true) if is_time => msg!("card-shortest", n),
        (false, true) => msg!("card-highest", n),
        (_, false) if is_time => msg!("card-shortest-by-chance", n),
        (_, false) => msg!("card-highest-by-chance", n),
    };
    let note = match rivals.as_slice() {
        [] => m.summary.leaders(experiment, question).and_then(|c| lead(&c)),
        some => {
            let names = some.iter().map(|c| c.words[0].clone());
            Some(msg!("card-close", n = some.len(), names = Message::list_of_first(MOST_RIVALS, names)))
        }
    };
    let notes: Vec<Message> = note.into_iter().chain(without_result(all)).collect();
    let note = (!notes.is_empty()).then(|| bilingual::html(&Message::joined(notes, msg!("between-sentences"))));
    let leader = m.target(if base_is_best { &first.a } else { &best.b });
    let (winner, other, forest) = (m.target(&best.b), m.target(&first.a), forest.html());
    let (along, seconds) = (along(first), seconds(m, experiment, question, best, &measured));
    context! { rank => bilingual::html(&first_of), leader, winner, other, along, close => note, seconds, forest, ..headline(m, best, &measured) }
}

/// Whether the runs show that what leads by its mean is ahead: of the base, or if it is the base, of all others.
fn is_ahead(best: &Comparison, base_is_best: bool, all: &[Comparison]) -> bool {
    let is_behind = if best.figure.is_time() { Comparable::Higher } else { Comparable::Lower };
    if base_is_best { all.iter().all(|other| other.shows(is_behind)) } else { best.is_ahead() }
}

/// How far the first is ahead of the second, if that is shown.
fn lead(c: &Comparison) -> Option<Message> {
    let (next, i) = (foreign(&c.a), c.interval().filter(|_| c.is_ahead())?);
    if is_by_cell(c) {
        let (low, high) = lowest_and_highest(c);
        let [low, high] = ends(low, high);
        return Some(msg!("card-lead-by-cell", next, low, high));
    }
    let [low, high] = ends(i.low, i.high);
    Some(msg!("card-lead", next, ratio = ratio(c.ratio), low, high))
}
