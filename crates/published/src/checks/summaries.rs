//! A column that sums up the measurements beside it (`Run 1 | Run 2 | Mean`) follows from them, and is no measurement itself.

use super::{in_all, place, precise};
use crate::beside;
use crate::figure_kind::FigureKind;
use crate::heading;
use crate::published_audit::PublishedAudit;
use crate::quantity::{self, CellContent, Quantity};
use crate::result::{Meaning, Published, PublishedTable};
use crate::words::{is_among, lower, words};
use tenbin_model::doubt::Verdict;
use tenbin_words::message::foreign;
use tenbin_words::msg;
use tenbin_words::problem::Problem;

/// Authors leave out a run, or weigh them: so much apart is no error.
const NEAR: f64 = 0.01;

/// How measurements are summed up.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Summary {
    Mean,
    Median,
    Least,
    Most,
    /// A spread, of which there are several kinds: it is not computed.
    Spread,
}

/// What a heading says of the measurements beside it, if it says nothing else: `Mean`, `Avg TPS`, `Average of 3 runs`.
pub(crate) fn of_heading(text: &str) -> Option<Summary> {
    const KINDS: [(&str, Summary); 5] = [
        ("of-mean", Summary::Mean),
        ("median", Summary::Median),
        ("of-min", Summary::Least),
        ("of-max", Summary::Most),
        ("deviation", Summary::Spread),
    ];
    const FILLER: [&str; 3] = ["of-repeat", "of-scale", "throughput"];
    let all = lower(&words(text));
    let kind = |word: &String| KINDS.iter().find(|(of, _)| is_among(word, of)).map(|(_, summary)| *summary);
    let is_rate =
        |word: &String| heading::figure(std::slice::from_ref(word)).is_some_and(|(kind, _)| heading::is_rate(kind));
    let is_filler = |word: &String| {
        FILLER.iter().any(|of| is_among(word, of)) || word.bytes().all(|b| b.is_ascii_digit()) || is_rate(word)
    };
    let mut kinds = all.iter().filter(|word| !is_filler(word)).map(kind);
    let first = kinds.next()??;
    kinds.next().is_none().then_some(first)
}

impl Summary {
    fn of(self, all: &[f64]) -> Option<f64> {
        let mut all = all.to_vec();
        all.sort_by(f64::total_cmp);
        let n = all.len();
        match self {
            Summary::Mean => Some(all.iter().sum::<f64>() / n as f64),
            Summary::Median => Some((all[(n - 1) / 2] + all[n / 2]) / 2.0),
            Summary::Least => all.first().copied(),
            Summary::Most => all.last().copied(),
            Summary::Spread => None,
        }
    }
}

/// The columns of measurements of the same, at least two.
fn runs(table: &PublishedTable) -> Vec<(usize, FigureKind)> {
    let run = |(at, column): (usize, &crate::PublishedColumn)| match &column.meaning {
        Meaning::Figure(kind, Some(of)) if beside::is_repeat(of) => Some((at, *kind)),
        _ => None,
    };
    let all: Vec<(usize, FigureKind)> = table.columns.iter().enumerate().filter_map(run).collect();
    let is_one = all.windows(2).all(|two| two[0].1 == two[1].1);
    if all.len() > 1 && is_one { all } else { Vec::new() }
}

/// The columns that sum them up.
fn columns(table: &PublishedTable) -> Vec<(usize, Summary)> {
    if table.is_log || runs(table).is_empty() {
        return Vec::new();
    }
    let open = table.columns.iter().enumerate().filter(|(_, column)| column.meaning == Meaning::Unknown);
    open.filter_map(|(at, column)| Some((at, of_heading(&column.heading)?))).collect()
}

/// The headings of columns that are checked here, or that say only how far runs are apart.
pub(crate) fn headings(published: &Published) -> Vec<String> {
    let of = |table: &PublishedTable| -> Vec<String> {
        columns(table).into_iter().map(|(at, _)| table.columns[at].heading.clone()).collect()
    };
    published.tables.iter().flat_map(of).collect()
}

pub fn summaries(published: &Published) -> PublishedAudit {
    let (mut held, mut wrong, mut touches) = (0, Vec::new(), Vec::new());
    for (of_table, table) in published.tables.iter().enumerate() {
        let runs = runs(table);
        for (column, summary) in columns(table) {
            for (at, row) in table.rows.iter().enumerate() {
                let number = |column: usize| match quantity::read(row.cells.get(column)?) {
                    CellContent::Number(quantity, ..) => Some(quantity),
                    _ => None,
                };
                let all: Vec<Quantity> = runs.iter().filter_map(|(column, _)| number(*column)).collect();
                let (Some(written), false) = (number(column), all.len() < 2) else { continue };
                let values: Vec<f64> = all.iter().map(|quantity| quantity.value).collect();
                let Some(expected) = summary.of(&values) else { continue };
                let apart = (written.value - expected).abs();
                let rounding = written.half + all.iter().map(|quantity| quantity.half).fold(0.0, f64::max);
                if apart <= rounding {
                    held += 1;
                } else if apart > rounding + NEAR * expected.abs() {
                    let of_row = published.results.iter().enumerate().filter(|(_, result)| {
                        result.figures.values().any(|(_, cell)| {
                            cell.is_some_and(|cell| {
                                cell.0 == of_table && cell.1 == at && runs.iter().any(|(run, _)| *run == cell.2)
                            })
                        })
                    });
                    let of_row: Vec<usize> = of_row.map(|(result, _)| result).collect();
                    touches.extend(of_row.iter().map(|result| (*result, runs[0].1)));
                    let first = of_row.first().map(|result| &published.results[*result]);
                    wrong.push((first, table.columns[column].heading.as_str(), written.value, expected));
                }
            }
        }
    }
    let Some((Some(first), heading, written, expected)) = wrong.first() else {
        return match held {
            0 => PublishedAudit::default(),
            n => PublishedAudit::confirmed(msg!("published-summaries-hold", n)),
        };
    };
    let evidence = msg!(
        "doubt-published-summary-seen",
        place = place(first),
        heading = foreign(*heading),
        said = precise(*written),
        expected = precise((expected * 1e3).round() / 1e3)
    );
    let problem = Problem::new(msg!("doubt-published-summary", n = wrong.len(), all = in_all(held + wrong.len())));
    let problem = problem.evidence(evidence).hint(msg!("doubt-published-look-at-source"));
    PublishedAudit::doubt(Verdict::Degraded, "summary", problem, touches)
}
