//! What a load host may say about a drive: as many observers, readings, samples and notes as it can have, of the length that they
//! can have. What it says becomes a part of the run's events, and so of its directory.

use crate::protocol::PartInterval;
use std::collections::{BTreeMap, BTreeSet};
use tenbin_driver::credentials::known::without_known;
use tenbin_model::reading::ReadingSpec;
use tenbin_model::readings::LOST;
use tenbin_words::message::{Message, foreign};
use tenbin_words::problem::Problem;
use tenbin_words::text::short;

/// A machine has fewer observers, and each of them fewer readings: one for each core, disk or network interface.
const MOST_OBSERVERS: usize = 64;
const MOST_READINGS: usize = 4096;
/// Their names are no longer.
const LONGEST_NAME: usize = 200;
/// Samples beyond those of the time that has passed: an observer starts before the clients, and its clock is another one.
const MOST_EARLY_SAMPLES: u64 = 100;
/// This many things are noted of a host, and in this many characters each.
const MOST_NOTES: u32 = 50;
const LONGEST_NOTE: usize = 2000;
/// An interval has fewer periods without a completion, transactions of other names, and errors of other codes.
const MOST_IDLE: usize = 100_000;
const MOST_NAMES: usize = 10_000;

/// What one host has said about a drive.
#[derive(Debug, Default)]
pub struct Admission {
    observers: BTreeMap<String, Declared>,
    notes: u32,
}

#[derive(Debug, Default)]
struct Declared {
    period_ms: u64,
    readings: BTreeSet<String>,
    samples: u64,
}

/// A note of a host.
#[derive(Debug, PartialEq, Eq)]
pub enum Note {
    /// Is kept.
    Kept(Problem),
    /// It is the first of those that are not.
    FirstLeftOut(u32),
    /// Is left out.
    LeftOut,
}

impl Admission {
    /// Whether an observer may be declared, or further readings of one.
    pub fn declare(&mut self, observer: &str, period_ms: u64, readings: &[ReadingSpec]) -> bool {
        let known = self.observers.get(observer);
        let of_it = known.map_or(0, |known| known.readings.len());
        let fits = observer.len() <= LONGEST_NAME
            && readings.len() + of_it <= MOST_READINGS
            && readings.iter().all(|reading| reading.name.len() <= LONGEST_NAME)
            && (known.is_some() || self.observers.len() < MOST_OBSERVERS);
        if fits {
            let of_it = self.observers.entry(observer.to_owned()).or_default();
            of_it.period_ms = period_ms.max(1);
            of_it.readings.extend(readings.iter().map(|reading| reading.name.clone().into_owned()));
        }
        fits
    }

    /// Whether a sample may be taken of an observer, this many milliseconds after the drive was ordered.
    pub fn sample(&mut self, observer: &str, values: &BTreeMap<String, f64>, since_ms: u64) -> bool {
        let Some(declared) = self.observers.get_mut(observer) else { return false };
        declared.samples = declared.samples.saturating_add(1);
        let due = since_ms / declared.period_ms + MOST_EARLY_SAMPLES;
        let is_known = values.keys().all(|name| name == LOST || declared.readings.contains(name));
        is_known && declared.samples <= due.saturating_mul(2)
    }

    /// A note as it is kept.
    pub fn note(&mut self, problem: Problem) -> Note {
        self.notes = self.notes.saturating_add(1);
        match self.notes {
            ..=MOST_NOTES => Note::Kept(shortened(problem)),
            n if n == MOST_NOTES + 1 => Note::FirstLeftOut(MOST_NOTES),
            _ => Note::LeftOut,
        }
    }
}

/// Whether an interval has no more parts than one can have.
pub fn is_plausible(part: &PartInterval) -> bool {
    let tally = &part.tally;
    let names = tally
        .transactions
        .keys()
        .map(String::len)
        .chain(tally.statements.values().flat_map(|s| s.errors.keys().map(String::len)))
        .chain(tally.statements.keys().map(String::len))
        .chain(tally.counters.keys().map(String::len));
    let (count, longest) = names.fold((0, 0), |(count, longest), length| (count + 1, longest.max(length)));
    part.idle.len() <= MOST_IDLE && count <= MOST_NAMES && longest <= 10 * LONGEST_NAME
}

/// A problem of a host, with long texts cut and without passwords: of a message with one only the text remains.
pub fn shortened(problem: Problem) -> Problem {
    let cut = |message: Message| {
        let text = without_known(message.english());
        match text != message.english() || text.len() > LONGEST_NOTE {
            true => foreign(short(&text, LONGEST_NOTE)),
            false => message,
        }
    };
    Problem { what: cut(problem.what), evidence: problem.evidence.map(cut), hint: problem.hint.map(cut) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tenbin_model::reading::{ReadingKind, Whose};

    #[test]
    fn notes_are_kept_up_to_a_number_and_a_length() {
        let mut admission = Admission::default();
        let long = || Problem::new(foreign("x".repeat(1 << 20)));
        let kept: Vec<Note> = (0..1000).map(|_| admission.note(long())).collect();
        let length = |note: &Note| match note {
            Note::Kept(problem) => problem.what.english().len(),
            _ => 0,
        };
        assert!(kept.iter().map(length).sum::<usize>() < 150_000);
        assert_eq!(kept.iter().filter(|note| matches!(note, Note::Kept(_))).count(), 50);
        assert_eq!(kept.iter().filter(|note| matches!(note, Note::FirstLeftOut(50))).count(), 1);
    }

    #[test]
    fn samples_are_those_of_declared_observers_at_their_pace() {
        let mut admission = Admission::default();
        let values = BTreeMap::from([("a".to_owned(), 1.0)]);
        assert!(!admission.sample("cpu", &values, 1000), "it is not declared");
        let reading = |name: &str| ReadingSpec {
            name: name.to_owned().into(),
            kind: ReadingKind::Gauge,
            unit: "".into(),
            whose: Whose::Client,
            label: None,
            mean_over_ms: 0,
        };
        assert!(admission.declare("cpu", 1000, &[reading("a")]));
        assert!(!admission.declare(&"x".repeat(300), 1000, &[reading("a")]));
        assert!(
            !admission.sample("cpu", &BTreeMap::from([("b".to_owned(), 1.0)]), 1000),
            "of a reading that it has not"
        );
        assert_eq!((0..10_000).filter(|_| admission.sample("cpu", &values, 3_600_000)).count(), 2 * 3700 - 1);
        let declared = (0..1000).filter(|n| admission.declare(&format!("o{n}"), 1000, &[])).count();
        assert_eq!(declared, MOST_OBSERVERS - 1);
    }
}
