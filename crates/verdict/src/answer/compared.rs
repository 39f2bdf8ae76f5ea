//! The sentences that compare targets: what the intervals allow to say, and nothing more.

use super::{ends, percent, ratio};
use crate::compared::Compared;
use crate::compared_cells::Cells;
use crate::comparison::{CellRatio, Comparable, Comparison, DuetUnit, reading};
use crate::contender;
use crate::judged_trial::JudgedTrial;
use crate::rate;
use std::collections::BTreeMap;
use tenbin_model::axis;
use tenbin_model::figures::Figure;
use tenbin_model::question::Question;
use tenbin_model::statistics::Confidence;
use tenbin_model::summary::{Summary, TrialResult};
use tenbin_model::tpcc;
use tenbin_model::trial::Schedule;
use tenbin_words::figure;
use tenbin_words::message::{Message, foreign};
use tenbin_words::msg;

/// The most targets that are compared in one sentence; the page has all.
const MOST: usize = 6;
/// The most cells that a sentence names.
const MOST_CELLS: usize = 4;

/// The comparison of all targets that were measured, in the figures that answer the question. Empty if there is one only.
pub fn compared(summary: &Summary, experiment: &str, question: Question) -> Vec<Message> {
    let main = summary.comparisons(experiment, question, question.figure());
    let mut all = Vec::new();
    if question.is_at_rate() {
        all.extend(rates(summary, experiment, question));
    }
    match main.as_slice() {
        [] => {}
        _ if !summary.may_be_compared(experiment, question) => all.push(msg!("answer-times-not-compared")),
        [one] => {
            all.push(of_two(one));
            all.extend(mean_of_cells(one));
            // Throughput has latency beside it.
            if matches!(question, Question::Throughput | Question::NewOrders) {
                let times = summary.comparisons(experiment, question, Figure::Percentile(990));
                all.extend(times.first().map(|times| beside(times, one)));
                let is_told = |c: &&Comparison| matches!(reading(c.interval()), Comparable::Higher | Comparable::Lower);
                all.extend(times.first().filter(is_told).and_then(mean_of_cells));
            }
        }
        several => {
            all.push(of_several(several));
            let leaders = summary.leaders(experiment, question).filter(|c| c.interval().is_some());
            all.extend(leaders.map(|c| msg!("answer-leaders", told = of_two(&c))));
        }
    }
    let own = || summary.trials.iter().filter(|t| t.trial.experiment == experiment && t.counts());
    if question == Question::Throughput
        && !main.is_empty()
        && own().any(|t| Question::of(t) == question && t.trial.load.groups_without_rate().is_some())
    {
        all.push(msg!("answer-throughput-without-rate"));
    }
    if !main.is_empty() && !question.figure().is_time() && has_pauses(summary, experiment, question) {
        all.push(msg!("answer-paced"));
    }
    if summary.may_be_compared(experiment, question) && !main.is_empty() {
        let has_times = question.is_at_rate() || main.len() == 1;
        all.extend((has_times && question.has(Figure::NewOrders)).then(|| msg!("answer-times-of-orders")));
        all.extend(rates_not_compared(summary, experiment, question, &main));
    }
    all.extend(without_result(&main));
    all
}

/// Whether clients pause between their transactions, so that what they complete is what they ask for.
fn has_pauses(summary: &Summary, experiment: &str, question: Question) -> bool {
    let own = summary.trials.iter().filter(|t| t.trial.experiment == experiment && t.counts());
    own.filter(|t| Question::of(t) == question).any(|t| t.trial.load.paced || tpcc::paced(&t.trial))
}

/// Of one ratio for all cells how far these lie apart, unless they lie within what the repeats leave open: that cells are not shown to differ
/// does not show that they are alike.
fn mean_of_cells(c: &Comparison) -> Option<Message> {
    is_mean_of_unlike(c).then(|| msg!("answer-mean-of-cells", n = c.cells.len(), ratios = range_of_all(c)))
}

/// How far the ratios of cells may lie apart that are told as one.
const ALIKE_CELLS: f64 = 1.05;

fn is_mean_of_unlike(c: &Comparison) -> bool {
    let ratios = || c.cells.iter().map(|cell| cell.ratio);
    let (low, high) = (ratios().fold(f64::INFINITY, f64::min), ratios().fold(0.0, f64::max));
    let is_beyond = c.confidence.is_some_and(|i| low < i.low || high > i.high);
    c.cells_differ == Some(false) && is_beyond && high > ALIKE_CELLS * low
}

/// One of those that are compared, and cells of which it has no result.
type Without<'c> = (Message, Vec<&'c Vec<(String, String)>>);

/// The cells of which one of those that are compared has no result: nothing is said of them, although the other has one.
pub fn without_result(main: &[Comparison]) -> Vec<Message> {
    let mut all: Vec<Without<'_>> = Vec::new();
    for c in main {
        for (of, cells) in c.words.iter().zip(c.of_one_only.iter().rev()) {
            match all.iter_mut().find(|(known, _)| known == of) {
                Some((_, known)) => {
                    let new: Vec<&Vec<(String, String)>> = cells.iter().filter(|cell| !known.contains(cell)).collect();
                    known.extend(new);
                }
                None => all.push((of.clone(), cells.iter().collect())),
            }
        }
    }
    let sentence = |(target, cells): Without<'_>| match cells.len() {
        0 => None,
        n if n > MOST_CELLS => Some(msg!("answer-many-cells-without", target, n)),
        _ => {
            let cells = Message::list(cells.into_iter().map(|axes| axis::cell(within(axes))));
            Some(msg!("answer-cells-without", target, cells))
        }
    };
    let unpaired = main.iter().filter(|c| !c.unpaired.is_empty()).map(|c| {
        let [a, b] = &c.words;
        match c.unpaired.len() {
            n if n > MOST_CELLS => msg!("answer-many-cells-unpaired", a, b, n),
            _ => {
                let cells = Message::list(c.unpaired.iter().map(|axes| axis::cell(within(axes))));
                msg!("answer-cells-unpaired", a, b, cells)
            }
        }
    });
    all.into_iter().filter_map(sentence).chain(unpaired).collect()
}

/// The cells of these that are left out of the comparison because their rate was not held.
fn rates_not_compared(summary: &Summary, experiment: &str, question: Question, main: &[Comparison]) -> Option<Message> {
    let cells = Cells::of(summary, experiment);
    let is_compared = |number: &u32| main.iter().flat_map(|c| &c.cells).any(|cell| cell.cell == *number);
    let unheld = paced(summary, experiment, question).into_iter().filter(|(t, _)| rate::is_held(t) == Some(false));
    let all: BTreeMap<u32, Message> = unheld
        .map(|(t, _)| (cells.number(t), axis::cell(within(&cells.axes(t)))))
        .filter(|(number, _)| !is_compared(number))
        .collect();
    match all.len() {
        0 => None,
        n if n > MOST_CELLS => Some(msg!("answer-times-not-compared-in", n)),
        _ => Some(msg!("answer-times-not-compared-at", cells = Message::list(all.into_values()))),
    }
}

/// `b completed 1.32× the transactions per second of a`.
fn statement(c: &Comparison, ratio: Message) -> Message {
    let [a, b] = &c.words;
    match c.figure {
        Figure::Transactions => msg!("ratio-of-transactions", a, b, ratio),
        Figure::Queries => msg!("ratio-of-queries", a, b, ratio),
        Figure::NewOrders => msg!("ratio-of-new-orders", a, b, ratio),
        Figure::Seconds => msg!("ratio-of-seconds", a, b, ratio),
        Figure::Mean => msg!("ratio-of-mean", a, b, ratio),
        Figure::Percentile(_) => msg!("ratio-of-percentile", a, b, ratio, percentile = c.figure.code()),
    }
}

fn times(value: f64) -> Message {
    msg!("ratio-times", n = ratio(value))
}

/// The ratio over all cells; of a single one of several, where that is.
fn whole(c: &Comparison) -> Message {
    let is_one_of_several = c.cells.len() == 1 && all_cells(c) > 1;
    if is_one_of_several { range_of_all(c) } else { times(c.ratio) }
}

fn interval(i: Confidence) -> Message {
    let [low, high] = ends(i.low, i.high);
    msg!("ratio-interval", low, high)
}

/// How many pairs of runs were driven at the same time, and whether the interval comes from their instants; `None`: they were driven
/// one after another.
fn duet(c: &Comparison) -> Option<Message> {
    let pairs = c.pairs;
    c.duet.map(|unit| match unit {
        DuetUnit::Instants if c.cells.iter().any(|cell| cell.pairs < 2) => msg!("duet-by-instants-once", pairs),
        DuetUnit::Instants => msg!("duet-by-instants", pairs),
        DuetUnit::Pairs => msg!("duet-by-pairs", pairs),
    })
}

/// The interval and what it comes from.
fn sure(c: &Comparison, i: Confidence) -> Message {
    match duet(c) {
        Some(duet) => msg!("answer-interval-duet", interval = interval(i), duet),
        None => msg!("answer-interval", interval = interval(i), pairs = c.pairs),
    }
}

fn of_two(c: &Comparison) -> Message {
    if c.cells_differ == Some(true) {
        return of_cells(c);
    }
    let (pairs, statement) = (c.pairs, statement(c, whole(c)));
    let [a, b] = &c.words;
    if let Some(n) = c.repeats_to_tell() {
        return msg!("answer-ratio", statement, sure = msg!("answer-few-pairs", pairs, n));
    }
    match (reading(c.confidence), c.confidence) {
        (Comparable::Alike { within }, Some(i)) => {
            let within = percent(within);
            match duet(c) {
                Some(_) => msg!("answer-alike-duet", a, b, within, statement, sure = sure(c, i)),
                None => msg!("answer-alike", a, b, within, statement, interval = interval(i), pairs),
            }
        }
        (Comparable::Unclear, Some(i)) => {
            let more = match c.more_repeats {
                Some(n @ 1..=100) => msg!("answer-more-repeats", n),
                Some(101..) => msg!("answer-too-many-repeats"),
                _ => foreign(""),
            };
            match duet(c) {
                Some(duet) => msg!("answer-unclear-duet", a, b, statement, interval = interval(i), duet, more),
                None => msg!("answer-unclear", a, b, statement, interval = interval(i), pairs, more),
            }
        }
        (_, Some(i)) => msg!("answer-ratio", statement, sure = sure(c, i)),
        // Nothing says whether the cells differ.
        (_, None) => {
            let statement = if c.cells.len() > 1 { self::statement(c, range_of_all(c)) } else { statement };
            msg!("answer-ratio", statement, sure = msg!("answer-chance"))
        }
    }
}

/// The sentence on a response time that stands beside the answer `main`.
fn beside(c: &Comparison, main: &Comparison) -> Message {
    let ([a, b], percentile) = (&c.words, c.figure.code());
    let statement = |ratio: Message| msg!("ratio-beside", a, b, ratio, percentile);
    if c.cells_differ == Some(true) {
        return beside_by_cell(c, &statement);
    }
    if c.is_scattered() {
        return msg!("answer-beside-scattered", a, b, percentile);
    }
    let whole = statement(whole(c));
    if let Some(n) = c.repeats_to_tell() {
        // What the answer says of its own pairs holds for these, too.
        return match main.interval() {
            None => msg!("answer-ratio-alone", statement = whole),
            Some(_) => msg!("answer-ratio", statement = whole, sure = msg!("answer-few-pairs", pairs = c.pairs, n)),
        };
    }
    match (reading(c.confidence), c.confidence) {
        (Comparable::Alike { .. } | Comparable::Unclear, Some(i)) => {
            msg!("answer-beside-unclear", a, b, percentile, interval = interval(i))
        }
        (_, Some(i)) => {
            msg!("answer-ratio", statement = whole, sure = msg!("answer-interval-alone", interval = interval(i)))
        }
        (_, None) if c.cells.len() > 1 => msg!("answer-ratio-alone", statement = statement(range_of_all(c))),
        (_, None) => msg!("answer-ratio-alone", statement = whole),
    }
}

/// The same where the cells differ: of those in which the response times can be told apart.
fn beside_by_cell(c: &Comparison, statement: &dyn Fn(Message) -> Message) -> Message {
    let is_decided = |cell: &&CellRatio| matches!(reading(c.interval_of(cell)), Comparable::Higher | Comparable::Lower);
    let (decided, rest): (Vec<&CellRatio>, Vec<&CellRatio>) = c.cells.iter().partition(is_decided);
    let statement = statement(range(&decided));
    match decided.len() {
        0 => {
            let [a, b] = &c.words;
            msg!("answer-beside-no-cell", a, b, percentile = c.figure.code())
        }
        _ if rest.is_empty() => msg!("answer-ratio-alone", statement),
        n => msg!("answer-beside-cells", statement, n, all = all_cells(c)),
    }
}

/// From this ratio on, targets that cannot be told apart in a cell are not called alike.
const FAR: f64 = 1.5;

/// What holds of the cells one by one, because one ratio for all would describe none of them.
fn of_cells(c: &Comparison) -> Message {
    let of = |wanted: &dyn Fn(Comparable) -> bool| -> Vec<&CellRatio> {
        c.cells.iter().filter(|cell| wanted(reading(cell.among_cells))).collect()
    };
    let (higher, lower) =
        (of(&|comparable| comparable == Comparable::Higher), of(&|comparable| comparable == Comparable::Lower));
    let rest = of(&|comparable| !matches!(comparable, Comparable::Higher | Comparable::Lower));
    let (both, all) = (c.cells.len(), all_cells(c));
    // Where a ratio is that large, repeats were too few; it would not be credible that the targets are alike.
    let is_far = |cell: &&CellRatio| rest.len() < both && cell.ratio.ln().abs() > FAR.ln();
    let (far, rest): (Vec<&CellRatio>, Vec<&CellRatio>) = rest.clone().into_iter().partition(is_far);
    let n = rest.len();
    let one_side = |cells: &Vec<&CellRatio>| match (statement(c, range(cells)), cells.len()) {
        (statement, n) if n == all => msg!("cells-all", statement, n),
        (statement, 1) => msg!("cells-one", statement),
        (statement, n) => msg!("cells-some", statement, n, all),
    };
    let mut parts: Vec<Message> =
        [&higher, &lower].into_iter().filter(|cells| !cells.is_empty()).map(one_side).collect();
    if !far.is_empty() {
        parts.push(msg!("cells-uncertain", ratio = range(&far)));
    }
    // Runs that all say the same are not denied because none of the cells is certain by itself.
    let of_all = reading(c.confidence);
    let one_way = c.cells.iter().all(|cell| cell.ratio > 1.0) || c.cells.iter().all(|cell| cell.ratio < 1.0);
    if n == both && one_way && matches!(of_all, Comparable::Higher | Comparable::Lower) {
        let (ratio, interval) = (ratio(c.ratio), c.confidence.map_or(foreign(""), interval));
        parts.push(msg!("cells-only-together", statement = statement(c, range(&rest)), ratio, interval));
    } else if n == both {
        parts.push(msg!("cells-none-told-apart", a = c.words[0], b = c.words[1], ratio = range(&rest)));
    } else if n > MOST_CELLS {
        parts.push(msg!("cells-many-not-told-apart", n));
    } else if n > 0 {
        let cells = Message::list(rest.iter().map(|cell| axis::cell(within(&cell.axes))));
        parts.push(msg!("cells-not-told-apart", cells));
    }
    let parts = Message::joined(parts, msg!("between-claims"));
    match duet(c) {
        Some(duet) => msg!("answer-cells-duet", parts, duet),
        None => msg!("answer-cells", parts, pairs = c.pairs),
    }
}

/// How many cells there are, with those in which nothing is compared.
fn all_cells(c: &Comparison) -> usize {
    c.cells.len() + c.unpaired.len() + c.of_one_only.iter().map(Vec::len).sum::<usize>()
}

/// Those of all cells.
fn range_of_all(c: &Comparison) -> Message {
    range(&c.cells.iter().collect::<Vec<_>>())
}

/// The ratios of some cells: `1.20× (32 clients) to 1.54× (8 clients)`, or that of the only one.
fn range(cells: &[&CellRatio]) -> Message {
    let by_ratio = |x: &&&CellRatio, y: &&&CellRatio| x.ratio.total_cmp(&y.ratio);
    let at = |cell: &CellRatio| msg!("ratio-at-cell", n = ratio(cell.ratio), cell = axis::cell(within(&cell.axes)));
    match (cells.iter().min_by(by_ratio), cells.iter().max_by(by_ratio)) {
        (Some(low), Some(high)) if low.cell != high.cell => msg!("from-to", from = at(low), to = at(high)),
        (Some(only), _) => at(only),
        _ => foreign(""),
    }
}

/// All others compared with the base.
fn of_several(all: &[Comparison]) -> Message {
    let Some(base) = all.first().map(|c| &c.words[0]) else { return foreign("") };
    let figure = all.first().map_or(Figure::Transactions, |c| c.figure);
    let what = match figure {
        Figure::Transactions => msg!("unit-transactions-per-second"),
        Figure::Queries => msg!("unit-queries-per-second"),
        Figure::NewOrders => msg!("unit-new-orders-per-minute"),
        Figure::Seconds => msg!("unit-seconds-needed"),
        Figure::Mean | Figure::Percentile(_) => msg!("unit-response-time", percentile = figure.code()),
    };
    let mut ranked: Vec<&Comparison> = all.iter().collect();
    ranked.sort_by(|x, y| if figure.is_time() { x.ratio.total_cmp(&y.ratio) } else { y.ratio.total_cmp(&x.ratio) });
    let left_out = ranked.len().saturating_sub(MOST);
    // The best and the worst say most.
    if left_out > 0 {
        ranked.drain(MOST / 2..MOST / 2 + left_out);
    }
    let parts: Vec<Message> = ranked.into_iter().map(beside_base).collect();
    let more = if left_out > 0 { msg!("answer-more-targets", n = left_out) } else { foreign("") };
    let parts = Message::joined(parts, msg!("semicolon"));
    let few = all.iter().filter_map(Comparison::repeats_to_tell).max();
    let are_duets = all.iter().all(|c| c.duet.is_some());
    match (few, all.iter().any(|c| c.confidence.is_some())) {
        (None, true) if are_duets => msg!("answer-several-duet", base, what, parts, more, n = all.len()),
        (Some(n), _) => msg!("answer-several-few-pairs", base, what, parts, more, n),
        (None, true) => msg!("answer-several", base, what, parts, more, n = all.len()),
        (None, false) => msg!("answer-several-by-chance", base, what, parts, more),
    }
}

fn beside_base(c: &Comparison) -> Message {
    let b = &c.words[1];
    if c.repeats_to_tell().is_some() {
        return msg!("beside-base-alone", b, ratio = whole(c));
    }
    if c.cells_differ == Some(true) {
        let cells: Vec<&CellRatio> = c.cells.iter().collect();
        return msg!("beside-base-by-cell", b, ratio = range(&cells));
    }
    let ratio = whole(c);
    match (reading(c.confidence), c.confidence) {
        (_, Some(i)) if is_mean_of_unlike(c) => {
            msg!("beside-base-mean", b, ratio, interval = interval(i), cells = range_of_all(c))
        }
        (Comparable::Alike { within }, _) => msg!("beside-base-alike", b, within = percent(within)),
        (Comparable::Unclear, Some(i)) => msg!("beside-base-unclear", b, interval = interval(i)),
        (_, Some(i)) => msg!("beside-base", b, ratio, interval = interval(i)),
        (_, None) => msg!("beside-base-alone", b, ratio),
    }
}

/// The trials of an experiment that ask a question of a rate, and that rate.
fn paced<'s>(summary: &'s Summary, experiment: &str, question: Question) -> Vec<(&'s TrialResult, f64)> {
    let of_experiment = summary.trials.iter().filter(|t| t.trial.experiment == experiment && t.counts());
    let with_rate = |t: &'s TrialResult| match t.trial.load.schedule {
        Schedule::Open { rate, .. } if Question::of(t) == question => Some((t, rate)),
        _ => None,
    };
    of_experiment.filter_map(with_rate).collect()
}

/// Whether the rate was held, by what is compared: of those that did not, the worst of their trials.
fn rates(summary: &Summary, experiment: &str, question: Question) -> Vec<Message> {
    let (paced, mut all, mut holding) = (paced(summary, experiment, question), Vec::new(), Vec::new());
    for one in contender::all(paced.iter().map(|(t, _)| *t)) {
        let trials: Vec<&(&TrialResult, f64)> = paced.iter().filter(|(t, _)| contender::name(t) == one.name).collect();
        let Some(target) = trials.first().map(|(t, _)| contender::words(t)) else { continue };
        let failed = || trials.iter().filter(|(t, _)| rate::is_held(t) == Some(false));
        let share = |(t, rate): &(&TrialResult, f64)| t.tps() / rate;
        match failed().min_by(|x, y| share(x).total_cmp(&share(y))) {
            Some((worst, rate)) => {
                let (rate, done) = (figure::grouped(*rate), figure::grouped(worst.tps()));
                all.push(msg!("rate-not-held", target, asked = rate, done, failed = failed().count()));
            }
            None => holding.push(target),
        }
    }
    if !holding.is_empty() {
        let rates = || paced.iter().map(|(_, rate)| *rate);
        let (low, high) = (rates().fold(f64::INFINITY, f64::min), rates().fold(0.0, f64::max));
        let (from, to) = (figure::grouped(low), figure::grouped(high));
        let range = if low < high { msg!("from-to", from, to) } else { foreign(to) };
        all.insert(0, msg!("rate-held", targets = Message::list(holding), asked = range));
    }
    all
}

/// Matrix values of a cell without its experiment, which the sentence names.
pub fn within(axes: &[(String, String)]) -> &[(String, String)] {
    match axes {
        [(key, _), rest @ ..] if key == axis::EXPERIMENT => rest,
        axes => axes,
    }
}
