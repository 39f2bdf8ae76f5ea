//! A column of a published table while its meaning is being found, and what its heading says of it.

use crate::beside;
use crate::figure_kind::FigureKind;
use crate::heading::{self, HeadingMeaning};
use crate::result::Meaning;
use crate::spelling;
use tenbin_words::text::short;

/// This many characters of what distinguishes results are kept: they are repeated in every result.
const LONGEST_NAME: usize = 200;
/// What is shown of a cell or heading in a sentence.
pub(crate) const SHOWN: usize = 40;

/// A column while its meaning is being found.
pub(crate) struct Column {
    pub heading: String,
    pub meaning: Meaning,
    pub unit: Option<&'static str>,
    pub period_s: Option<f64>,
    pub named: Option<&'static str>,
    /// The number of clients that its heading is.
    pub clients: Option<f64>,
    /// Whether the part of its heading that was taken off says that the columns beside it are of clients.
    pub says_clients: bool,
    /// What its heading is a value of, in a table of two axes.
    pub of_axis: Option<String>,
    /// Whether its heading or its cells show that it is a share, a comparison or several figures at once: no target, and not read.
    pub is_aside: bool,
    /// What the first part of `12:34` counts in it, s, if that is known.
    pub first_s: Option<f64>,
    /// Whether it is the clock of a run whose course the table is.
    pub is_clock: bool,
    /// Whether it is of the time that clients wait between their transactions.
    pub is_of_pause: bool,
}

impl Column {
    /// Whether its heading says that its times are how long something took, and no times of day.
    pub(crate) fn says_duration(&self) -> bool {
        self.first_s.is_some() || beside::says_duration(&self.heading)
    }
}

/// The column with this heading, alone.
pub(crate) fn column(text: &str) -> Column {
    of(text, heading::read(text))
}

/// The column with the heading at this place of all: those near it may say more about it.
pub(crate) fn column_among(at: usize, all: &[&str]) -> Column {
    let text = all.get(at).copied().unwrap_or("");
    let (from, to) = (at.saturating_sub(NEAR).min(all.len()), (at + NEAR).min(all.len()));
    let others = all[from..to].iter().enumerate().filter(|(other, _)| from + *other != at).map(|(_, text)| *text);
    of(text, heading::read_beside(text, others))
}

/// Headings further away belong to something else.
const NEAR: usize = 30;

fn of(text: &str, meaning: HeadingMeaning) -> Column {
    let (meaning, unit, period_s, named) = match meaning {
        HeadingMeaning::Figure(kind, unit, of) => (Meaning::Figure(kind, of), unit, None, None),
        HeadingMeaning::PerPeriod(s) => (Meaning::Figure(FigureKind::PerPeriod, None), None, Some(s), None),
        HeadingMeaning::Named("target") => (Meaning::Target, None, None, Some("target")),
        HeadingMeaning::Named("workload") => (Meaning::Workload, None, None, Some("workload")),
        HeadingMeaning::Named("axis") => (Meaning::Axis, None, None, Some("axis")),
        HeadingMeaning::Named("remark") => (Meaning::Remark, None, None, Some("remark")),
        HeadingMeaning::Named(name) => (Meaning::Unknown, None, None, Some(name)),
        HeadingMeaning::Unknown => (Meaning::Unknown, None, None, None),
    };
    let is_aside = named.is_some_and(|name| heading::ASIDE.contains(&name));
    Column {
        heading: name(text),
        meaning,
        unit,
        period_s,
        named,
        clients: None,
        says_clients: false,
        of_axis: None,
        is_aside,
        first_s: spelling::form_of_clock(text),
        is_clock: false,
        is_of_pause: false,
    }
}

/// A heading or cell that names something.
pub(crate) fn name(text: &str) -> String {
    if text.len() <= LONGEST_NAME { text.to_owned() } else { short(text, LONGEST_NAME) }
}

/// Numbers that describe the load rather than its result.
pub(crate) fn is_of_load(kind: FigureKind) -> bool {
    use FigureKind::{Clients, Period, QueriesPerClient, Seconds, Warehouses};
    matches!(kind, Clients | QueriesPerClient | Period | Warehouses | Seconds)
}
