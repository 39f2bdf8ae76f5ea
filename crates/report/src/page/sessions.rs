//! What the sessions of the servers were doing: for each trial a sentence, the active sessions by class over time, and
//! their means over the measured window.

use super::Section;
use super::context::PageContext;
use crate::bilingual;
use crate::chart::{self, Chart, ChartLine};
use minijinja::{Value, context};
use tenbin_model::axis;
use tenbin_model::names::session::{ACTIVE, OBSERVER, SessionClass};
use tenbin_model::summary::TrialResult;
use tenbin_verdict::sessions::{self, ActiveSessions};
use tenbin_words::figure;
use tenbin_words::msg;

pub(super) const SECTION: Section = Section {
    id: "sessions",
    heading: || msg!("section-sessions"),
    values,
    template: include_str!("../../templates/sessions.html"),
};

/// The most trials with a sentence and a chart; the table has all.
const MOST_TRIALS: usize = 12;
/// The most points of a line.
const MOST_POINTS: usize = 600;
/// The most lines of a chart: this many can be told apart.
const MOST_LINES: usize = 8;

fn values(m: &PageContext<'_>) -> Option<Value> {
    let seen = m.summary.trials.iter().filter_map(|t| Some((t, sessions::of_trial(t)?)));
    let all: Vec<(&TrialResult, ActiveSessions)> = seen.collect();
    // A class in which no session was ever seen is left out.
    let seen_in = |class: &SessionClass| {
        all.iter().flat_map(|(_, sessions)| &sessions.classes).any(|(name, mean)| name == class && *mean > 0.0)
    };
    let classes: Vec<SessionClass> = SessionClass::ALL.into_iter().filter(seen_in).collect();
    let heads = classes.iter().map(|class| context! { name => class.name(), label => bilingual::html(&class.label()) });
    let heads: Vec<Value> = heads.collect();
    let sentences: Vec<Value> = all.iter().take(MOST_TRIALS).map(|(t, sessions)| sentence(m, t, sessions)).collect();
    let rows: Vec<Value> = all.iter().map(|(t, sessions)| row(m, t, sessions, &classes)).collect();
    let charts: Vec<Value> = all.iter().take(MOST_TRIALS).filter_map(|(t, _)| chart(m, t)).collect();
    (!rows.is_empty()).then(|| context! { sentences, charts, heads, rows })
}

fn sentence(m: &PageContext<'_>, t: &TrialResult, sessions: &ActiveSessions) -> Value {
    let text = bilingual::html(&sessions.sentence());
    context! { trial => t.trial.number, target => m.target(&t.trial.target.name), text }
}

fn row(m: &PageContext<'_>, t: &TrialResult, sessions: &ActiveSessions, classes: &[SessionClass]) -> Value {
    let known = sessions.samples > 0;
    let number = |mean: Option<f64>| mean.filter(|_| known).map_or("–".to_owned(), |mean| format!("{mean:.2}"));
    let of_class = |class: &SessionClass| {
        let mean = sessions.classes.iter().find(|(name, _)| name == class).map(|(_, mean)| *mean);
        let share = mean.map(|mean| format!("{:.0}", 100.0 * sessions.share(mean)));
        context! { mean => number(mean), share }
    };
    context! {
        trial => t.trial.number, target => m.target(&t.trial.target.name), cell => bilingual::cell(&t.trial.axes),
        samples => figure::whole(i128::from(sessions.samples)), active => number(Some(sessions.active)),
        classes => classes.iter().map(of_class).collect::<Vec<_>>(),
        in_transaction => number(sessions.in_transaction), of_others => number(sessions.of_others),
    }
}

/// The active sessions of one trial by class, from the start of the clients.
fn chart(m: &PageContext<'_>, t: &TrialResult) -> Option<Value> {
    let (start_ns, end_ns) = t.series.span_ns()?;
    let at = |at_ns: u64| (i128::from(at_ns) - i128::from(start_ns)) as f64 / 1e9;
    let readings = t.observations.get(OBSERVER)?;
    let mut drawn: Vec<(SessionClass, Vec<(f64, f64)>)> = Vec::new();
    for class in SessionClass::ALL {
        let course = readings.course(class.name()).map(|(sample, n)| (at(sample.at_ns), n));
        let points: Vec<(f64, f64)> = course.filter(|(x, _)| *x >= 0.0).collect();
        if points.iter().any(|(_, n)| *n > 0.0) {
            drawn.push((class, points));
        }
    }
    // What is rarest is left out; the table has it.
    let sum = |points: &[(f64, f64)]| points.iter().map(|(_, n)| n).sum::<f64>();
    while drawn.len() > MOST_LINES {
        let least = drawn.iter().min_by(|a, b| sum(&a.1).total_cmp(&sum(&b.1))).map(|(class, _)| *class);
        drawn.retain(|(class, _)| Some(*class) != least);
    }
    let styles = styles(&drawn.iter().map(|(class, _)| *class).collect::<Vec<_>>());
    // Where samples are missing, the lines are interrupted.
    let longest_s = sessions::longest_ns(t) as f64 / 1e9;
    let lines: Vec<ChartLine> = drawn
        .iter()
        .zip(styles)
        .flat_map(|((class, points), style)| {
            let pieces = points.chunk_by(|a, b| b.0 - a.0 <= longest_s);
            pieces.map(move |piece| ChartLine {
                name: class.name().to_owned(),
                style,
                points: thinned(piece, points.len()),
                ..ChartLine::default()
            })
        })
        .collect();
    let seen_until = readings.course(ACTIVE).last().map_or(0.0, |(sample, _)| at(sample.at_ns));
    let long = at(end_ns).max(seen_until);
    let warm_s = t.warm_up_s();
    let of = axis::cell(&t.trial.axes);
    let chart = Chart {
        title: msg!("chart-active-sessions", trial = t.trial.number),
        of,
        unit: msg!("unit-sessions"),
        x_name: msg!("x-time"),
        x: chart::seconds(long),
        may_be_logarithmic: false,
        shade: (warm_s > 0.0).then_some((0.0, warm_s)),
        reference: None,
        steady: None,
        y: None,
    };
    (!lines.is_empty()).then(|| m.figure(&chart, &lines))
}

/// The style of each class: always the same for the usual ones, so that charts can be compared, and one that is free
/// for the others.
fn styles(classes: &[SessionClass]) -> Vec<usize> {
    let usual = |class: &SessionClass| match class {
        // No server tells both.
        SessionClass::Running | SessionClass::Executing => Some(0),
        SessionClass::RowLock => Some(1),
        SessionClass::Commit => Some(2),
        SessionClass::Read => Some(3),
        SessionClass::Latch => Some(4),
        SessionClass::TableLock => Some(5),
        SessionClass::Client => Some(6),
        _ => None,
    };
    let mut free: Vec<usize> = (0..MOST_LINES).collect();
    free.retain(|style| !classes.iter().any(|class| usual(class) == Some(*style)));
    let mut free = free.into_iter().rev();
    classes.iter().map(|class| usual(class).unwrap_or_else(|| free.next().unwrap_or_default())).collect()
}

/// Means over groups of samples, so that all pieces of a line of this many samples have at most [`MOST_POINTS`] points.
fn thinned(points: &[(f64, f64)], of: usize) -> Vec<(f64, f64)> {
    let group = |group: &[(f64, f64)]| {
        let mean = group.iter().map(|(_, n)| n).sum::<f64>() / group.len() as f64;
        (group[group.len() - 1].0, mean)
    };
    points.chunks(of.div_ceil(MOST_POINTS).max(1)).map(group).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_class_of_a_chart_has_a_style_of_its_own() {
        // What one server can tell at most, without the rarest.
        let mut all: Vec<SessionClass> =
            SessionClass::ALL.into_iter().filter(|c| *c != SessionClass::Running).collect();
        while !all.is_empty() {
            let classes = &all[..all.len().min(MOST_LINES)];
            let mut styles = styles(classes);
            styles.sort_unstable();
            styles.dedup();
            assert_eq!(styles.len(), classes.len(), "{classes:?}");
            all.remove(0);
        }
    }

    #[test]
    fn long_lines_consist_of_means() {
        let points: Vec<(f64, f64)> = (0..1200).map(|i| (f64::from(i), f64::from(i % 2))).collect();
        let few = thinned(&points, points.len());
        assert_eq!((few.len(), few[0], few[599]), (600, (1.0, 0.5), (1199.0, 0.5)));
        assert_eq!(thinned(&points[..3], 3), points[..3]);
    }
}
