//! The answer in one sentence: what stands first on the page and last on the terminal.

mod compared;
mod groups;
mod limits;
mod seconds;

pub use compared::within;
pub use compared::without_result;
pub use limits::lead;

use crate::apart;
use crate::audit;
use crate::compared::Compared;
use crate::comparison::{Comparable, reading};
use crate::contender::{self, Contender};
use crate::counting;
use crate::durability;
use crate::judged::Judged;
use crate::judged_trial::JudgedTrial;
use crate::lag;
use crate::question::{self, TimesOf};
use crate::rate;
use crate::scaling::{self, Scaling};
use crate::tpcc_result;
use std::collections::BTreeMap;
use tenbin_model::axis;
use tenbin_model::changed_files;
use tenbin_model::changed_server;
use tenbin_model::compared_axis::kind_of_load;
use tenbin_model::doubt::Verdict;
use tenbin_model::event::{EndState, Severity};
use tenbin_model::figures::Figure;
use tenbin_model::question::Question;
use tenbin_model::statistics::{self, ALPHA, LogRatio};
use tenbin_model::summary::{Cell, Summary, TrialResult};
use tenbin_model::unlike_tables;
use tenbin_words::figure;
use tenbin_words::message::{Message, foreign};
use tenbin_words::msg;

/// The result of the run in one or two sentences for each experiment, as one text.
pub fn answer(summary: &Summary) -> Message {
    sentences(answers(summary))
}

/// The result of the run: one or two sentences for each experiment, and what concerns all of them. Claims a difference
/// only if the interval excludes "none".
pub fn answers(summary: &Summary) -> Vec<Message> {
    let (cells, targets) = (summary.cells(), summary.targets());
    let cells: Vec<&Cell> = cells.iter().filter(|cell| !cell.tps.is_empty()).collect();
    let is_measured = |target: &&String| cells.iter().any(|cell| cell.target == **target);
    let measured: Vec<&String> = targets.iter().filter(is_measured).collect();
    if measured.is_empty() {
        let is_any_left = summary.trials.iter().any(|t| !t.begun);
        return std::iter::once(nothing(summary)).chain(not_run(summary).filter(|_| is_any_left)).collect();
    }
    let experiments = summary.experiments();
    let (mut all, mut without) = (Vec::new(), Vec::new());
    for experiment in &experiments {
        match of_experiment(summary, experiment, &cells, &measured) {
            // The only experiment of a plan needs no name.
            Some(answer) if experiments.len() == 1 => all.push(answer),
            Some(answer) => all.push(msg!("answer-of-experiment", experiment, answer)),
            None if experiments.len() == 1 => {}
            None => without.push(foreign(experiment)),
        }
    }
    let values = unmeasured(summary).into_iter();
    let values = values.map(|(experiment, value)| contender::words_of_name(summary, experiment, &value));
    let unmeasured: Vec<Message> =
        targets.iter().filter(|t| !measured.contains(t)).map(foreign).chain(values).collect();
    let rest = (!unmeasured.is_empty())
        .then(|| msg!("answer-without-result", targets = Message::list_of_first(MOST_WITHOUT, unmeasured)));
    all.extend(replicas(summary));
    let without = (!without.is_empty()).then(|| msg!("answer-without-experiments", names = Message::list(without)));
    let rest: Vec<Message> = rest.into_iter().chain(without).chain(left_out(summary)).chain(not_run(summary)).collect();
    all.extend((!rest.is_empty()).then(|| sentences(rest)));
    all
}

/// The values of which there is no result, in experiments that compare along an axis and have a result of another one.
pub fn unmeasured(summary: &Summary) -> Vec<(&str, String)> {
    let of_experiment = |experiment| {
        let is_own =
            |t: &&TrialResult| t.trial.experiment == experiment && t.trial.compare.is_some() && t.of_run.is_none();
        let trials = || summary.trials.iter().filter(is_own);
        let is_measured = |one: &Contender| trials().any(|t| t.counts() && contender::name(t) == one.name);
        let is_any = trials().any(JudgedTrial::counts);
        let without = contender::all(trials()).into_iter().filter(|one| is_any && !is_measured(one));
        without.map(|one| (experiment, one.name)).collect::<Vec<_>>()
    };
    summary.experiments().into_iter().flat_map(of_experiment).collect()
}

/// The result of one experiment: an answer to each question that its trials ask; `None` if nothing of it was measured.
fn of_experiment(summary: &Summary, experiment: &str, cells: &[&Cell], targets: &[&String]) -> Option<Message> {
    let mut all = Vec::new();
    for question in summary.questions(experiment) {
        if question == Question::Limit {
            all.extend(limits::found(summary, experiment));
            continue;
        }
        match compared::compared(summary, experiment, question) {
            // Targets that share no cell cannot be compared; each is reported by itself, after whether a rate was held, which is the first thing to
            // know of it.
            none if none.is_empty() || !is_compared(summary, experiment, question) => {
                all.extend(none);
                all.extend(targets.iter().filter_map(|target| alone(summary, experiment, question, target, cells)));
                // Of groups that all have a rate nothing is compared together.
                all.extend(groups::compared(summary, experiment));
            }
            sentences => {
                all.extend(sentences);
                all.extend(groups::compared(summary, experiment));
                all.extend(apart::sentence(summary, experiment, question));
                let rest = targets.iter().filter(|target| contender::is_alone(summary, target));
                all.extend(rest.filter_map(|target| alone(summary, experiment, question, target, cells)));
            }
        }
    }
    (!all.is_empty()).then(|| sentences(all))
}

fn is_compared(summary: &Summary, experiment: &str, question: Question) -> bool {
    !summary.comparisons(experiment, question, question.figure()).is_empty()
}

/// One after the other.
fn sentences(all: Vec<Message>) -> Message {
    Message::joined(all, msg!("between-sentences"))
}

/// Whether the replicas kept up: of each the trial in which it fell behind most.
fn replicas(summary: &Summary) -> Option<Message> {
    let mut worst: Vec<lag::ReplicaLag> = Vec::new();
    for replica in lag::of(summary) {
        match worst.iter_mut().find(|known| (&known.target, &known.replica) == (&replica.target, &replica.replica)) {
            Some(known) if known.slope.unwrap_or(0.0) >= replica.slope.unwrap_or(0.0) => {}
            Some(known) => *known = replica,
            None => worst.push(replica),
        }
    }
    worst.truncate(MOST_REPLICAS);
    let all: Vec<Message> = worst.iter().map(|replica| msg!("answer-replica", sentence = replica.sentence())).collect();
    (!all.is_empty()).then(|| sentences(all))
}

/// The most targets without a result that the answer names.
const MOST_WITHOUT: usize = 8;

/// The most replicas that the answer speaks of; the page has all.
const MOST_REPLICAS: usize = 3;

/// How many trials are excluded from these figures, and why the first of them is.
fn left_out(summary: &Summary) -> Option<Message> {
    let judged = || summary.trials.iter().filter(|t| t.is_judged());
    let (begun, invalid) = (judged().count(), judged().filter(|t| t.verdict() == Verdict::Invalid));
    let invalid: Vec<&TrialResult> = invalid.collect();
    Some(msg!("answer-left-out", n = invalid.len(), begun, why = why(invalid.first()?)?))
}

/// How many trials of the plan were never begun, or stopped by the user before there was something to measure.
fn not_run(summary: &Summary) -> Option<Message> {
    let n = summary.trials.iter().filter(|t| !t.is_judged()).count();
    (n > 0).then(|| msg!("answer-not-run", n, all = summary.trials.len()))
}

/// The most serious doubt about a trial, with its evidence as far as that fits into a sentence. All of it stands among the reasons.
fn why(trial: &TrialResult) -> Option<Message> {
    let doubts = trial.doubts();
    let gravest = doubts.iter().find(|d| d.verdict == audit::verdict(doubts))?;
    let what = gravest.problem.what.without_full_stop();
    Some(match gravest.problem.evidence.as_ref().map(what_happened).filter(|evidence| !evidence.contains('\n')) {
        None => what,
        Some(evidence) => msg!("doubt-with-evidence", what, seen = evidence),
    })
}

/// Evidence that quotes a whole problem, reduced to what happened: outputs of programs and statements are no part of a sentence.
fn what_happened(evidence: &Message) -> Message {
    if evidence.is("seen-then") {
        return evidence.with("why", &what_happened);
    }
    match audit::quoted(evidence) {
        Some(what) => what.without_full_stop(),
        None => evidence.clone(),
    }
}

/// That the run was a try-out of its plan with a part of its data and time, if it was.
pub fn try_out(summary: &Summary) -> Option<Message> {
    summary.scale().map(|scale| msg!("answer-try-out", scale))
}

/// Warnings that accompany the answer: that it is a try-out, or of stored runs, that a server changed, differing durability, which the page shows as a table and other outputs as a
/// sentence, and differing profiles of TPC-C.
pub fn caution(summary: &Summary) -> Option<Message> {
    let durability = durability::difference(summary).map(|d| durability::sentence(&d));
    let compared = weakened(summary);
    let all: Vec<Message> =
        try_out(summary).into_iter().chain(compared).chain(durability).chain(tpcc_result::caution(summary)).collect();
    (!all.is_empty()).then(|| sentences(all))
}

/// What makes a comparison weaker than it looks: that it is of stored runs, that the server of a target or the client was not the same in all
/// of its trials, that targets have unlike tables, and that what is compared along an axis has unlike amounts of data too.
pub fn weakened(summary: &Summary) -> Vec<Message> {
    let unlike = contender::unlike_sizes(summary);
    summary
        .of_stored_runs()
        .into_iter()
        .chain(changed_server::within(summary))
        .chain(changed_server::of_client(summary))
        .chain(changed_files::within(summary))
        .chain(unlike_tables::of_targets(summary))
        .chain(unlike)
        .collect()
}

/// What must be known of the figures in the table of cells: of whom they are, where not of all, and the meaning of ‡.
pub fn footnotes(summary: &Summary) -> Vec<Message> {
    let measured = || summary.trials.iter().filter(|t| t.begun);
    let are_of = |of: TimesOf| measured().any(|t| TimesOf::trial(t) == of);
    let are_given = measured().any(|t| t.trial.load.groups_without_rate().is_some());
    let longest_ns = summary.cells().iter().filter_map(|c| c.standstill).map(|s| s.longest_ns).max();
    let still = |ns: u64| msg!("footnote-standstill", seconds = figure::seconds(ns as f64 / 1e9));
    let all = [
        are_given.then(|| msg!("footnote-without-rate")),
        are_of(TimesOf::AllGroups).then(|| msg!("footnote-groups")),
        are_of(TimesOf::NewOrders).then(|| msg!("footnote-types")),
        longest_ns.map(still),
    ];
    all.into_iter().flatten().collect()
}

fn centre(cell: &Cell) -> f64 {
    tenbin_model::statistics::mean(&cell.tps).unwrap_or(0.0)
}

fn nothing(summary: &Summary) -> Message {
    let some: Vec<&TrialResult> = summary.trials.iter().filter(|t| t.begun && t.tps() > 0.0).collect();
    if let Some(why) = some.first().and_then(|t| why(t)) {
        return msg!("answer-all-invalid", n = summary.trials.iter().filter(|t| t.begun).count(), why);
    }
    let of_run = || summary.notes.iter().find(|(severity, _)| *severity == Severity::Error).map(|(_, p)| p);
    let failed = summary.trials.iter().find_map(|t| t.failure()).or_else(of_run).map(|p| p.what.without_full_stop());
    // A warning that was given before is not the reason.
    let partial = |t: &TrialResult| t.state == Some(EndState::Partial);
    let stopped = || summary.trials.iter().any(partial).then(|| msg!("stopped-by-user"));
    let all_failed = || audit::all_failed(summary.trials.iter().filter(|t| t.begun));
    match failed.or_else(stopped).or_else(all_failed) {
        None => msg!("answer-nothing"),
        Some(why) => msg!("answer-nothing-because", why),
    }
}

/// The result of a target by itself: seconds, or throughput in the cell in which it is best, for each load of its own kind.
fn alone(summary: &Summary, experiment: &str, question: Question, target: &str, cells: &[&Cell]) -> Option<Message> {
    let asks = |cell: &&&Cell| {
        let first = cell.trials.first().and_then(|number| summary.trial(*number));
        cell.experiment == experiment && cell.target == target && first.is_some_and(|t| Question::of(t) == question)
    };
    let own: Vec<&Cell> = cells.iter().filter(asks).copied().collect();
    if question == Question::Seconds {
        return seconds::alone(summary, target, &own);
    }
    let mut loads: Vec<Vec<&str>> = Vec::new();
    for load in own.iter().map(|cell| kind_of_load(&cell.axes)) {
        if !loads.contains(&load) {
            loads.push(load);
        }
    }
    let of_load = |load: &Vec<&str>| -> Vec<&Cell> {
        own.iter().filter(|cell| kind_of_load(&cell.axes) == *load).copied().collect()
    };
    let each: Vec<Message> =
        loads.iter().take(MOST_LOADS).filter_map(|load| best(summary, question, target, &of_load(load))).collect();
    (!each.is_empty()).then(|| sentences(each))
}

/// The most unlike loads of an experiment that the answer speaks of; the page has all.
const MOST_LOADS: usize = 4;

/// The throughput of a target in the cell in which it is best.
fn best(summary: &Summary, question: Question, target: &str, cells: &[&Cell]) -> Option<Message> {
    // Of TPC-C its New-Orders, which are what is answered.
    let nopm = |cell: &Cell| {
        let trials: Vec<&TrialResult> = cell.trials.iter().filter_map(|number| summary.trial(*number)).collect();
        question::of_repeats(Figure::NewOrders, &trials).filter(|_| question.has(Figure::NewOrders))
    };
    let done = |cell: &Cell| nopm(cell).unwrap_or_else(|| centre(cell));
    let by_centre = |x: &&&Cell, y: &&&Cell| done(x).total_cmp(&done(y));
    // At a rate, of those that were held: otherwise times say nothing.
    let held = cells.iter().filter(|cell| !rate::is_behind(summary, cell)).max_by(by_centre);
    let cell = held.or(cells.iter().max_by(by_centre))?;
    let milliseconds = |ns: u64| figure::milliseconds(ns as f64);
    let first = cell.trials.first().and_then(|number| summary.trial(*number))?;
    let times_of = TimesOf::trial(first);
    let time = milliseconds(times_of.in_tally(&cell.tally).response.quantile_ns(0.99));
    let p99 = match times_of {
        TimesOf::NewOrders => msg!("p99-of-new-orders", time),
        TimesOf::AllGroups => msg!("p99-of-groups", time),
        TimesOf::All => msg!("p99-of-transactions", time),
    };
    let done = match nopm(cell) {
        Some(nopm) => msg!("done-new-orders", n = figure::grouped(nopm)),
        None if first.trial.load.groups_without_rate().is_some() => {
            msg!("done-transactions-without-rate", n = figure::grouped(centre(cell)))
        }
        None => msg!("done-transactions", n = figure::grouped(centre(cell))),
    };
    let at = match compared::within(&cell.axes) {
        [] => foreign(""),
        axes => msg!("answer-alone-at", cell = axis::cell(axes)),
    };
    let still = match cell.standstill {
        None => foreign(""),
        Some(still) => msg!("answer-alone-still", seconds = figure::seconds(still.longest_ns as f64 / 1e9)),
    };
    let least = if question == Question::Throughput { beside_best(summary, target, cell, cells) } else { foreign("") };
    let sure = sure(summary, question, cell, &least);
    Some(msg!("answer-alone", target, done, at, sure, p99, still, least))
}

/// How sure the figure of a cell is: the interval of its repeats, or the lowest and the highest. At a rate it is what was asked for, however many
/// repeats there are. With one repeat nothing is known, which is said once: `least` may say it too.
fn sure(summary: &Summary, question: Question, cell: &Cell, least: &Message) -> Message {
    let figure = if question.has(Figure::NewOrders) { Figure::NewOrders } else { Figure::Transactions };
    let by_chance = ["answer-alone-least-by-chance", "answer-alone-lower-by-chance", "answer-alone-most-by-chance"];
    let n = cell.tps.len();
    match counting::spread_of(summary, cell, figure) {
        None if least.mentions(&by_chance) => foreign(""),
        None => msg!("answer-alone-once"),
        Some(_) if question.is_at_rate() => foreign(""),
        Some((spread, true)) => msg!("answer-alone-interval", spread, n),
        Some((spread, false)) => msg!("answer-alone-range", spread, n),
    }
}

/// What stands beside the best cell of a target. Over numbers of clients: where it is flat, and whether it falls. Else the
/// least favourable cell: what a sweep of a parameter is made for.
fn beside_best(summary: &Summary, target: &str, best: &Cell, cells: &[&Cell]) -> Message {
    let within = |cell: &Cell| compared::within(&cell.axes).to_vec();
    let words = |cell: &Cell| axis::cell(compared::within(&cell.axes));
    if cells.iter().all(|cell| within(cell).iter().any(|(key, _)| key == scaling::CLIENTS)) {
        return over_clients(summary, target, best, cells);
    }
    let least = cells.iter().min_by(|x, y| centre(x).total_cmp(&centre(y))).filter(|least| least.cell != best.cell);
    let Some(least) = least.filter(|least| centre(best) > 0.0 && !within(least).is_empty()) else {
        return foreign("");
    };
    let (n, ratio) = (figure::grouped(centre(least)), ratio(centre(least) / centre(best)));
    let cell = words(least);
    match below(summary, best, least, cells.len()) {
        Comparable::Lower => msg!("answer-alone-least", n, cell, ratio),
        Comparable::Chance => msg!("answer-alone-least-by-chance", n, cell, ratio),
        _ => msg!("answer-alone-least-unclear", n, cell, ratio),
    }
}

/// What the repeats show of a cell of a target and of its best one: the ratio of the two in the same repeats, as of what is compared. `n` cells of
/// the target might have been the one.
fn below(summary: &Summary, best: &Cell, other: &Cell, n: usize) -> Comparable {
    let by_repeat = |cell: &Cell| -> BTreeMap<u32, &TrialResult> {
        let trials = cell.trials.iter().filter_map(|number| summary.trial(*number));
        trials.map(|t| (t.trial.repeat, t)).collect()
    };
    let (of_best, of_other) = (by_repeat(best), by_repeat(other));
    let pairs: Vec<(&TrialResult, &TrialResult)> =
        of_best.iter().filter_map(|(repeat, t)| Some((*t, *of_other.get(repeat)?))).collect();
    let tps: Vec<(f64, f64)> = pairs.iter().map(|(a, b)| (question::tps(a), question::tps(b))).collect();
    let ratio = LogRatio::of_pairs(&tps).map(|ratio| counting::of_trials(Figure::Transactions, ratio, &pairs));
    let alpha = best.share.min(other.share) * ALPHA / n.saturating_sub(1).max(1) as f64;
    reading(ratio.and_then(|ratio| statistics::pooled_ratio(&[ratio], alpha)?.1))
}

/// Over which numbers of clients around its best the throughput of a target is flat, and whether it falls after them.
fn over_clients(summary: &Summary, target: &str, best: &Cell, cells: &[&Cell]) -> Message {
    let clients = |cell: &Cell| cell.axis_value(scaling::CLIENTS).parse::<f64>().unwrap_or_default();
    let rest = |cell: &Cell| -> Vec<(String, String)> {
        cell.axes.iter().filter(|(key, _)| key != scaling::CLIENTS).cloned().collect()
    };
    // With the other axes as in the best cell.
    let mut own: Vec<&Cell> = cells.iter().filter(|cell| rest(cell) == rest(best)).copied().collect();
    own.sort_by(|x, y| clients(x).total_cmp(&clients(y)));
    let at = own.iter().position(|cell| cell.cell == best.cell).filter(|_| own.len() > 1);
    let Some((below, above)) = at.and_then(|at| Some((own.get(..at)?, own.get(at + 1..)?))) else {
        return foreign("");
    };
    let is_flat = |cell: &&&Cell| centre(cell) >= scaling::FLAT * centre(best);
    let first = below.iter().rev().take_while(is_flat).last();
    let last = above.iter().take_while(is_flat).last();
    let after = above.iter().find(|cell| !is_flat(cell));
    let fitted = flat_by_fit(summary, target, best, &rest(best));
    let [from, to] = [first, last].map(|cell| clients(cell.unwrap_or(&best)));
    let Some(after) = after else {
        return match fitted {
            Some((from, between)) => msg!("answer-alone-flat-by-fit", cell = clients_of(from), between),
            None if from < to => msg!("answer-alone-flat", cell = clients_of(from)),
            None => match below.last().map(|before| self::below(summary, best, before, own.len())) {
                Some(Comparable::Lower) => msg!("answer-alone-rises", cell = clients_of(to)),
                Some(Comparable::Chance) | None => msg!("answer-alone-most-by-chance", cell = clients_of(to)),
                Some(_) => msg!("answer-alone-most-unclear", cell = clients_of(to)),
            },
        };
    };
    let flat = match fitted.filter(|(from, _)| *from < to) {
        Some((from, between)) => msg!("answer-alone-flat-by-fit-to", from, between, cell = clients_of(to)),
        None if from < to => msg!("answer-alone-flat-to", from, cell = clients_of(to)),
        None => foreign(""),
    };
    let (n, ratio) = (figure::grouped(centre(after)), ratio(centre(after) / centre(best)));
    let cell = clients_of(clients(after));
    let falls = match self::below(summary, best, after, own.len()) {
        Comparable::Lower => msg!("answer-alone-falls", n, cell, ratio),
        Comparable::Chance => msg!("answer-alone-lower-by-chance", n, cell, ratio),
        _ => msg!("answer-alone-lower-unclear", n, cell, ratio),
    };
    Message::joined([flat, falls], "")
}

/// From where on the fitted curve is flat, with the interval of the fits to runs drawn anew in words.
fn flat_by_fit(summary: &Summary, target: &str, best: &Cell, rest: &[(String, String)]) -> Option<(f64, Message)> {
    let is_own = |s: &Scaling| s.experiment == best.experiment && s.target == target && s.axes == rest;
    let scaling = scaling::of(summary).into_iter().find(is_own)?;
    let flat = scaling.flat.filter(|_| scaling.describes())?;
    let between = flat.between.map_or(foreign(""), |(low, high)| {
        msg!("scaling-between", low = figure::grouped(low.round()), high = figure::grouped(high.round()))
    });
    Some((flat.from.round(), between))
}

fn clients_of(n: f64) -> Message {
    axis::cell(&[(scaling::CLIENTS.to_owned(), format!("{n:.0}"))])
}

/// A ratio that is not shown in digits.
const SMALLEST: &str = "<0.0001";

/// The ratios of a column with as many decimals in each as any of them has alone, so that their digits stand below one another; each as
/// alone if they are too far apart for that.
pub fn ratio_as_in(column: &[f64]) -> impl Fn(f64) -> String + use<> {
    let texts = || column.iter().map(|v| ratio(*v));
    let decimals = texts().map(|text| text.split_once('.').map_or(0, |(_, decimals)| decimals.len())).max();
    let (low, high) = column.iter().fold((f64::INFINITY, 0.0f64), |(low, high), v| (low.min(*v), high.max(*v)));
    // The third decimal of a ratio near 1 says nothing beside 12.3.
    let most = if high >= 9.995 && low >= 0.0995 { 2 } else { usize::MAX };
    let decimals =
        decimals.map(|n| n.min(most)).filter(|_| high / low <= 900.0 && texts().all(|text| text != SMALLEST));
    move |value| decimals.map_or_else(|| ratio(value), |n| format!("{value:.n$}"))
}

/// A ratio, with more digits near 1, where they matter, three of a large one and two of a small one.
pub fn ratio(value: f64) -> String {
    match value {
        v if (v - 1.0).abs() < 0.01 => format!("{v:.3}"),
        v if v >= 99.95 => figure::whole(v.round() as i128),
        v if v >= 9.995 => format!("{v:.1}"),
        v if v > 0.0 && v < 0.0001 => SMALLEST.to_owned(),
        // 0.032, 0.0032, 0.00032.
        v if v > 0.0 && v < 0.0995 => format!(
            "{v:.*}",
            if v < 0.000_995 {
                5
            } else if v < 0.00995 {
                4
            } else {
                3
            }
        ),
        v => format!("{v:.2}"),
    }
}

/// The ends of an interval, or of a range of ratios, with enough digits to differ.
pub fn ends(low: f64, high: f64) -> [String; 2] {
    let usual = [low, high].map(ratio);
    let decimals = usual[0].split_once('.').map_or(0, |(_, decimals)| decimals.len());
    let is_finer = usual[0] == usual[1] && low < high && usual[0] != SMALLEST && high < MOST_WITH_DIGITS;
    let finer = |decimals: usize| [low, high].map(|v| format!("{v:.decimals$}"));
    let told_apart = (decimals + 1..=decimals + 4).map(finer).find(|[low, high]| low != high);
    told_apart.filter(|_| is_finer).unwrap_or(usual)
}

/// From here on the ends of an interval that are rounded to the same integer differ by nothing of interest.
const MOST_WITH_DIGITS: f64 = 1000.0;

/// A share in percent: `3.1 %`, `3.1%`.
pub fn percent(share: f64) -> Message {
    let (value, decimals) = (share * 100.0, if share >= 0.1 { 0 } else { 1 });
    msg!("percent", n = format_args!("{value:.decimals$}"))
}
