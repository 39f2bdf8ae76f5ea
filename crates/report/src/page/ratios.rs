//! The figures of each target relative to a base target, with confidence intervals, overall and per cell, and what follows
//! from them: a table for each question of an experiment.

use super::Section;
use super::along::{self, Along, Group};
use super::context::PageContext;
use crate::bilingual;
use crate::chart::{self, Chart, ChartLine};
use crate::figures::throughput_of;
use minijinja::{Value, context};
use tenbin_model::axis;
use tenbin_model::figures::{Figure, TIMES};
use tenbin_model::question::Question;
use tenbin_model::statistics::Confidence;
use tenbin_model::summary::Cell;
use tenbin_verdict::answer::{ends, percent, ratio, ratio_as_in};
use tenbin_verdict::compared::Compared;
use tenbin_verdict::comparison::{Comparable, Comparison, reading};
use tenbin_words::message::{Message, foreign};
use tenbin_words::msg;
use tenbin_words::text::short;

pub(super) const SECTION: Section = Section {
    id: "ratios",
    heading: || msg!("section-ratios"),
    values,
    template: include_str!("../../templates/ratios.html"),
};

fn values(m: &PageContext<'_>) -> Option<Value> {
    let experiments = m.summary.experiments();
    let questions = experiments.iter().flat_map(|experiment| {
        m.summary.questions(experiment).into_iter().map(move |question| (*experiment, question))
    });
    let mut charts = Vec::new();
    let mut tables = Vec::new();
    let mut count = 0;
    let mut folded = true;
    for (experiment, question) in questions.filter(|(experiment, of)| m.summary.may_be_compared(experiment, *of)) {
        let main = m.summary.comparisons(experiment, question, question.figure());
        let Some(base) = main.first().map(|c| c.a.clone()) else { continue };
        // The card has the rows of the only one.
        folded &= main.len() == 1;
        let times: Vec<Vec<Comparison>> =
            TIMES.iter().map(|figure| m.summary.comparisons(experiment, question, *figure)).collect();
        if let Some(axis) = along::along(m.cells).filter(|_| main.len() > 1) {
            charts.extend(self::charts(m, &axis, &main));
        }
        count += main.iter().map(|c| c.cells.len() + 1).sum::<usize>();
        let column = main.iter().flat_map(|c| std::iter::once(c.ratio).chain(c.cells.iter().map(|cell| cell.ratio)));
        let of_column = ratio_as_in(&column.collect::<Vec<_>>());
        let bodies: Vec<Value> = main
            .iter()
            .map(|c| {
                let beside: Vec<Option<&Comparison>> =
                    times.iter().map(|all| all.iter().find(|other| other.b == c.b)).collect();
                context! { target => m.target(&c.b), rows => rows(c, &beside, &of_column) }
            })
            .collect();
        let of_experiment: Vec<&Cell> = m.cells.iter().filter(|cell| cell.experiment == experiment).collect();
        let is_given = throughput_of(m.summary, &of_experiment).is_some();
        let what = match question {
            Question::Throughput if is_given => msg!("ratios-of-transactions-without-rate"),
            // Of searches the limits are compared, on the card.
            Question::Throughput | Question::Limit => msg!("ratios-of-transactions"),
            Question::Rate => msg!("ratios-of-response-times"),
            Question::NewOrders => msg!("ratios-of-new-orders"),
            Question::NewOrdersAtRate => msg!("ratios-of-times-of-new-orders"),
            Question::Seconds => msg!("ratios-of-seconds"),
        };
        let times: Vec<String> = TIMES.iter().map(|figure| figure.code()).collect();
        let experiment = (experiments.len() > 1).then(|| experiment.to_owned());
        // With too few pairs there is none.
        let has_intervals =
            main.iter().any(|c| c.interval().is_some() || c.cells.iter().any(|r| c.interval_of(r).is_some()));
        tables.push(context! { has_intervals, base => m.target(&base), what => bilingual::html(&what), experiment, times, bodies });
    }
    (!tables.is_empty()).then(|| context! { charts, count, tables, folded })
}

fn rows(c: &Comparison, times: &[Option<&Comparison>], of_column: &impl Fn(f64) -> String) -> Vec<Value> {
    // As the card and the answer say it.
    let too_few = c.repeats_to_tell().map(|n| msg!("says-few-pairs", n));
    let row = |cell: Value,
               (value, confidence, shown): (f64, Option<Confidence>, Option<Confidence>),
               pairs: usize,
               more,
               times: Vec<String>| {
        // With an interval that is not shown there are more pairs than one, and not enough.
        let says = match &too_few {
            _ if confidence.is_none() || shown.is_some() => says(c.figure, shown, more),
            Some(too_few) => too_few.clone(),
            None => unclear(more),
        };
        context! {
            cell, ratio => of_column(value), pairs, says => bilingual::html(&says),
            interval => interval(shown), times,
        }
    };
    // The experiment, if the plan has several.
    let of = c.cells.first().and_then(|cell| cell.axes.first()).filter(|(key, _)| key == axis::EXPERIMENT);
    let whole = match of {
        Some((_, experiment)) => msg!("all-cells-of", experiment),
        None => msg!("all-cells"),
    };
    let of_all = times.iter().map(|c| c.map_or("–".into(), |c| with_interval(c.ratio, c.interval()))).collect();
    let all = row(bilingual::html(&whole), (c.ratio, c.confidence, c.interval()), c.pairs, c.more_repeats, of_all);
    let each = c.cells.iter().map(|r| {
        let of_cell = |c: &Option<&Comparison>| {
            let of = |c: &Comparison| {
                let cell = c.cells.iter().find(|cell| cell.cell == r.cell)?;
                Some(with_interval(cell.ratio, c.interval_of(cell)))
            };
            c.and_then(of).unwrap_or_else(|| "–".into())
        };
        let of_cell = times.iter().map(of_cell).collect();
        row(bilingual::cell(&r.axes), (r.ratio, r.confidence, c.interval_of(r)), r.pairs, None, of_cell)
    });
    // The row of a single cell would repeat the first row; one ratio of cells that differ describes none of them.
    match (c.cells.len(), c.cells_differ) {
        (0 | 1, _) => vec![all],
        (_, Some(true)) => each.collect(),
        _ => std::iter::once(all).chain(each).collect(),
    }
}

fn interval(confidence: Option<Confidence>) -> String {
    confidence.map_or("–".into(), |i| ends(i.low, i.high).join(" – "))
}

fn with_interval(value: f64, confidence: Option<Confidence>) -> String {
    match confidence {
        Some(i) => format!("{}× ({})", ratio(value), ends(i.low, i.high).join("–")),
        None => format!("{}×", ratio(value)),
    }
}

fn says(figure: Figure, confidence: Option<Confidence>, more: Option<usize>) -> Message {
    match (reading(confidence), confidence) {
        (Comparable::Higher, Some(i)) if figure.is_time() && i.high >= 3.0 => {
            let [low, high] = ends(i.low, i.high);
            msg!("says-times-as-long", low, high)
        }
        (Comparable::Higher, Some(i)) if figure.is_time() => {
            msg!("says-longer", low = percent(i.low - 1.0), high = percent(i.high - 1.0))
        }
        (Comparable::Lower, Some(i)) if figure.is_time() => {
            msg!("says-shorter", low = percent(1.0 - i.high), high = percent(1.0 - i.low))
        }
        // Above 200 % faster, a factor is easier to understand than a percentage.
        (Comparable::Higher, Some(i)) if i.high >= 3.0 => {
            let [low, high] = ends(i.low, i.high);
            msg!("says-times-as-fast", low, high)
        }
        (Comparable::Higher, Some(i)) => {
            msg!("says-faster", low = percent(i.low - 1.0), high = percent(i.high - 1.0))
        }
        (Comparable::Lower, Some(i)) => {
            msg!("says-slower", low = percent(1.0 - i.high), high = percent(1.0 - i.low))
        }
        (Comparable::Alike { within }, _) => msg!("says-alike", within = percent(within)),
        (Comparable::Unclear, _) => unclear(more),
        _ => msg!("says-chance"),
    }
}

fn unclear(more: Option<usize>) -> Message {
    match more {
        Some(n @ 1..=100) => msg!("says-more-repeats", n),
        Some(101..) => msg!("says-too-many-repeats"),
        _ => msg!("says-unclear"),
    }
}

fn charts(m: &PageContext<'_>, axis: &Along, comparisons: &[Comparison]) -> Vec<Value> {
    let Some(first) = comparisons.first() else { return Vec::new() };
    let groups = along::groups(m.cells, axis);
    let of_group = |group: &Group| -> Vec<ChartLine> {
        let line = |c: &Comparison| {
            let mut line = ChartLine { name: c.b.clone(), style: m.style(&c.b), ..ChartLine::default() };
            for r in c.cells.iter().filter(|r| axis.rest(&r.axes) == *group) {
                let Some(x) = axis.place(&r.axes) else { continue };
                line.points.push((x, r.ratio));
                line.bars.extend(c.interval_of(r).map(|i| (x, i.low, i.high)));
            }
            line.points.sort_by(|a, b| a.0.total_cmp(&b.0));
            line
        };
        comparisons.iter().map(line).filter(|l| l.points.len() > 1).collect()
    };
    let lines: Vec<Vec<ChartLine>> = groups.iter().map(of_group).collect();
    // All of them are ratios to the same base.
    let y = chart::common_y(false, Some(1.0), &lines);
    let title = match first.figure {
        Figure::Transactions => msg!("chart-ratio"),
        Figure::Queries => msg!("chart-ratio-queries"),
        Figure::NewOrders => msg!("chart-ratio-new-orders"),
        Figure::Seconds => msg!("chart-ratio-seconds"),
        Figure::Mean => msg!("chart-ratio-mean"),
        Figure::Percentile(_) => msg!("chart-ratio-percentile", percentile = first.figure.name()),
    };
    let drawn = groups.iter().zip(&lines).filter(|(_, lines)| !lines.is_empty()).map(|(group, lines)| {
        let chart = Chart {
            title: title.clone(),
            of: tenbin_model::axis::cell(group),
            unit: foreign(format_args!("× {}", short(&first.a, 24))),
            reference: Some(1.0),
            y: y.clone(),
            ..Chart::over(bilingual::axis_name(&axis.key), axis.x.clone())
        };
        m.figure(&chart, lines)
    });
    drawn.collect()
}
