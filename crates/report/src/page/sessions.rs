//! What the sessions of the servers were doing: for each trial a bar of its active sessions by class, their means over the measured
//! window.

use super::Section;
use super::context::PageContext;
use crate::bilingual;
use minijinja::{Value, context};
use tenbin_model::names::session::SessionClass;
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

/// The most trials with a bar before a fold.
const MOST_TRIALS: usize = 12;
/// The number of styles of the classes: no more could be told apart.
const STYLES: usize = 8;

fn values(m: &PageContext<'_>) -> Option<Value> {
    let observed = m.summary.trials.iter().filter_map(|t| Some((t, sessions::of_trial(t)?)));
    let all: Vec<(&TrialResult, ActiveSessions)> = observed.collect();
    // A class in which no session was ever seen is left out.
    let seen_in = |class: &SessionClass| {
        all.iter().flat_map(|(_, sessions)| &sessions.classes).any(|(name, mean)| name == class && *mean > 0.0)
    };
    let classes: Vec<SessionClass> = SessionClass::ALL.into_iter().filter(seen_in).collect();
    let styles = styles(&classes);
    let heads = classes.iter().zip(&styles).map(|(class, style)| {
        context! { name => class.name(), label => bilingual::html(&class.label()), class => style_class(*style) }
    });
    let heads: Vec<Value> = heads.collect();
    let most = all.iter().map(|(_, sessions)| sessions.active).fold(0.0, f64::max);
    let bars: Vec<Value> = all.iter().map(|(t, sessions)| bar(m, t, sessions, (&classes, &styles), most)).collect();
    let rows: Vec<Value> = all.iter().map(|(t, sessions)| row(m, t, sessions, &classes)).collect();
    (!rows.is_empty()).then(|| context! { bars, most => MOST_TRIALS, heads, rows })
}

/// A style has a colour; the rarest classes beyond that share one.
fn style_class(style: Option<usize>) -> String {
    style.map_or("rest".to_owned(), |style| format!("f{style}"))
}

/// The bar of a trial, as long as it has active sessions.
fn bar(
    m: &PageContext<'_>,
    t: &TrialResult,
    sessions: &ActiveSessions,
    (classes, styles): (&[SessionClass], &[Option<usize>]),
    most: f64,
) -> Value {
    let mut x = 0.0;
    let mut parts = Vec::new();
    for (class, style) in classes.iter().zip(styles) {
        let mean = sessions.classes.iter().find(|(name, _)| name == class).map_or(0.0, |(_, mean)| *mean);
        let width = if most > 0.0 { 100.0 * mean / most } else { 0.0 };
        parts.push(context! { class => style_class(*style), x => format!("{x:.2}"), width => format!("{width:.2}") });
        x += width;
    }
    let known = sessions.samples > 0;
    context! {
        trial => t.trial.number, repeat => t.trial.repeat, target => m.target(&t.trial.target.name),
        cell => bilingual::cell(&t.trial.axes), parts, known, active => format!("{:.1}", sessions.active),
        text => bilingual::html(&sessions.sentence()),
    }
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

/// The style of each class: always the same for the usual ones, so that pages can be compared, one that is free for the others, and
/// none for the last ones if there are more.
fn styles(classes: &[SessionClass]) -> Vec<Option<usize>> {
    let usual = |class: &SessionClass| match class {
        // No server reports both.
        SessionClass::Running | SessionClass::Executing => Some(0),
        SessionClass::RowLock => Some(1),
        SessionClass::Commit => Some(2),
        SessionClass::Read => Some(3),
        SessionClass::Latch => Some(4),
        SessionClass::TableLock => Some(5),
        SessionClass::Client => Some(6),
        _ => None,
    };
    let mut free: Vec<usize> = (0..STYLES).collect();
    free.retain(|style| !classes.iter().any(|class| usual(class) == Some(*style)));
    let mut free = free.into_iter().rev();
    classes.iter().map(|class| usual(class).or_else(|| free.next())).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_class_of_a_bar_has_a_colour_of_its_own_as_long_as_there_are_any() {
        // The most that one server can report.
        let mut all: Vec<SessionClass> =
            SessionClass::ALL.into_iter().filter(|c| *c != SessionClass::Running).collect();
        while !all.is_empty() {
            let mut styles: Vec<usize> = styles(&all).into_iter().flatten().collect();
            styles.sort_unstable();
            styles.dedup();
            assert_eq!(styles.len(), all.len().min(STYLES), "{all:?}");
            all.remove(0);
        }
    }
}
