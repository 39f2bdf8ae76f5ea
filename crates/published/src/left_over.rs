//! Names that are left over of headings beside a figure: those of targets or series, or a word for something else.

use crate::beside;
use crate::column::{Column, is_of_load};
use crate::figure_kind::{FigureKind, Measure};
use crate::heading;
use crate::heading::named_figure;
use crate::result::Meaning;
use crate::words::{is_among, lower, words};
use std::collections::{BTreeMap, BTreeSet};

/// What is left over of one heading is the name of a target only if other headings have one too; and a figure that a heading names
/// alone is not also that of one with more words, such as `TPS` and `TPS of readers`. A statistic of something that is not said to be a
/// response time, and that no other heading names, is one of something else: `Max threads running`.
pub(crate) fn without_names(columns: &mut [Column]) {
    words_beside_names(columns);
    let plain: Vec<FigureKind> = columns
        .iter()
        .filter_map(|c| if let Meaning::Figure(kind, None) = c.meaning { Some(kind) } else { None })
        .collect();
    let only_one = columns.iter().filter(|c| of_series(&c.meaning).is_some()).count() == 1;
    let is_of_time =
        |c: &Column| matches!(&c.meaning, Meaning::Figure(kind, _) if kind.measure() == Measure::Milliseconds);
    let is_sure = |c: &&Column| !is_of_time(c) || beside::says_latency(&c.heading);
    let sure: BTreeSet<String> =
        columns.iter().filter(is_sure).filter_map(|c| of_series(&c.meaning).map(str::to_owned)).collect();
    // Of each figure of times, the names beside it.
    let mut named: BTreeMap<FigureKind, BTreeSet<String>> = BTreeMap::new();
    for column in columns.iter().filter(|c| is_of_time(c)) {
        if let Meaning::Figure(kind, Some(of)) = &column.meaning {
            named.entry(*kind).or_default().insert(of.clone());
        }
    }
    let of_targets = plain.iter().all(|kind| is_of_load(*kind));
    // Times with names beside a rate of all are those of its parts: `TPS | Lookup latency | Join latency`.
    let is_named_rate = |c: &Column| matches!(&c.meaning, Meaning::Figure(kind, Some(_)) if heading::is_rate(*kind));
    let of_parts = !only_one && plain.iter().any(|kind| heading::is_rate(*kind)) && !columns.iter().any(is_named_rate);
    for column in columns.iter_mut() {
        let Meaning::Figure(kind, Some(of)) = &column.meaning else { continue };
        let (kind, is_workload) = (*kind, heading::is_rate(*kind) && named_figure::is_operation(of));
        let is_of_target = sure.contains(of) || (of_targets && named.get(&kind).is_some_and(|names| names.len() > 1));
        let is_time = kind.measure() == Measure::Milliseconds;
        let is_other = (is_time && (!is_of_target || of_parts))
            || (only_one && heading::is_rate(kind) && !beside::may_be_name(of));
        if plain.contains(&kind) || is_other {
            column.meaning = Meaning::Unknown;
            column.is_aside = true;
        } else if only_one && !is_workload {
            column.meaning = Meaning::Figure(kind, None);
        }
    }
}

/// The words that stand beside each of the names, or the only one, and are no part of them: in `A TPS | B TPS | A ping avg | B ping avg` one that says what the
/// times are of, since what is compared has a rate, and in `A target TPS | B target TPS` what was asked for.
fn words_beside_names(columns: &mut [Column]) {
    let mut kinds: BTreeMap<String, BTreeSet<FigureKind>> = BTreeMap::new();
    for column in columns.iter() {
        if let Meaning::Figure(kind, Some(of)) = &column.meaning {
            kinds.entry(of.clone()).or_default().insert(*kind);
        }
    }
    let mut with_word: BTreeMap<String, Vec<(&str, &str)>> = BTreeMap::new();
    for (name, of) in kinds.keys().flat_map(|name| kinds.keys().map(move |of| (name, of))) {
        if let Some(word) = word_beside(name, of) {
            with_word.entry(word).or_default().push((name, of));
        }
    }
    let longer: BTreeSet<&str> = with_word.values().flatten().map(|(_, of)| *of).collect();
    let names = kinds.keys().filter(|name| !longer.contains(name.as_str())).count();
    let has_rate = |name: &str| kinds[name].iter().any(|kind| heading::is_rate(*kind));
    let is_apart =
        |(name, of): &(&str, &str)| kinds[*name].is_disjoint(&kinds[*of]) || (has_rate(name) && !has_rate(of));
    let mut meanings: BTreeMap<String, Option<&'static str>> = BTreeMap::new();
    for (word, pairs) in with_word.iter().filter(|(_, pairs)| pairs.len() == names) {
        let says = |of: &str| lower(&words(word)).iter().all(|word| is_among(word, of));
        let is_intended = says("of-intention");
        if is_intended || says("of-statistic-of-names") || pairs.iter().all(is_apart) {
            let named = is_intended.then_some(heading::INTENDED);
            meanings.extend(pairs.iter().map(|(_, of)| ((*of).to_owned(), named)));
        }
    }
    for column in columns.iter_mut() {
        let Meaning::Figure(kind, Some(of)) = &column.meaning else { continue };
        if let Some(named) = meanings.get(of) {
            column.named = named.filter(|_| heading::is_rate(*kind)).or(column.named);
            (column.meaning, column.is_aside) = (Meaning::Unknown, true);
        }
    }
}

/// The word that a name has before or behind another one.
fn word_beside(name: &str, of: &str) -> Option<String> {
    let before = of.strip_suffix(name).filter(|word| word.ends_with(' '));
    let word = before.or_else(|| of.strip_prefix(name).filter(|word| word.starts_with(' ')))?;
    Some(word.trim().to_owned())
}

/// The name of the target or series that is part of a heading.
fn of_series(meaning: &Meaning) -> Option<&str> {
    if let Meaning::Figure(_, Some(of)) = meaning { Some(of) } else { None }
}
