//! Figures that stand under the wrong target: the search for an exchange that makes all results consistent.

use crate::figure_kind::FigureKind;
use crate::result::Published;
use std::collections::{BTreeMap, BTreeSet};
use tenbin_words::message::{Message, foreign};
use tenbin_words::msg;

/// Of more targets no exchange is searched for.
const MOST_TARGETS: usize = 200;

/// Of two targets, of which each would get the figure of the other, one result that does not agree may have any other mistake.
const LEAST_OF_TWO: usize = 2;

/// A figure of some targets under the names of others, in the results of one group.
#[derive(Debug, Clone, PartialEq)]
pub struct Exchange {
    /// The group: the workload and other words.
    pub group: String,
    /// The targets, each of which has the figure of the next one, the last that of the first.
    pub cycles: Vec<Vec<String>>,
    /// The result whose figure belongs to each result.
    pub belongs: BTreeMap<usize, usize>,
}

/// For each group with results that do not agree, the exchange of a figure between targets after which all do. `agrees`
/// says whether a result agrees with the figure of another result in the place of its own. The second are the results of
/// groups that disagree and have no exchange.
pub fn search(
    published: &Published,
    kind: FigureKind,
    agrees: &dyn Fn(usize, usize) -> bool,
) -> (Vec<Exchange>, BTreeSet<usize>) {
    let mut groups: BTreeMap<(usize, String), Vec<usize>> = BTreeMap::new();
    let files = files(published);
    for (at, result) in published.results.iter().enumerate().filter(|(_, result)| result.get(kind).is_some()) {
        // Tables of one file are one; those of another file are another experiment.
        groups.entry((files.get(result.table).copied().unwrap_or(result.table), result.group())).or_default().push(at);
    }
    let (mut exchanges, mut left) = (Vec::new(), BTreeSet::new());
    for ((_, group), results) in groups {
        let disagree = results.iter().filter(|at| !agrees(**at, **at)).count();
        if disagree == 0 {
            continue;
        }
        match of_group(published, &results, agrees).filter(|(cycles, _)| is_shown_by(cycles, disagree)) {
            Some((cycles, belongs)) => exchanges.push(Exchange { group, cycles, belongs }),
            None => left.extend(results),
        }
    }
    (exchanges, left)
}

fn is_shown_by(cycles: &Cycles, disagree: usize) -> bool {
    disagree >= LEAST_OF_TWO || cycles.iter().any(|cycle| cycle.len() > 2)
}

/// For each table the first one of its file.
fn files(published: &Published) -> Vec<usize> {
    let mut first: BTreeMap<&str, usize> = BTreeMap::new();
    published.tables.iter().enumerate().map(|(at, table)| *first.entry(&table.file).or_insert(at)).collect()
}

type Cycles = Vec<Vec<String>>;

fn of_group(
    published: &Published,
    results: &[usize],
    agrees: &dyn Fn(usize, usize) -> bool,
) -> Option<(Cycles, BTreeMap<usize, usize>)> {
    // The results of each target by what else identifies them.
    let mut by_target: BTreeMap<&str, BTreeMap<String, usize>> = BTreeMap::new();
    for at in results {
        let result = &published.results[*at];
        let of = |kind| result.get(kind).map(|value| value.to_string());
        let key = [FigureKind::Clients, FigureKind::QueriesPerClient, FigureKind::Warehouses].map(of);
        let before = by_target.entry(result.target_name()).or_default().insert(format!("{key:?}"), *at);
        if before.is_some() {
            // Repeats: which belongs to which is not known.
            return None;
        }
    }
    let targets: Vec<&BTreeMap<String, usize>> = by_target.values().collect();
    let same_keys = targets.windows(2).all(|two| two[0].keys().eq(two[1].keys()));
    if !(2..=MOST_TARGETS).contains(&targets.len()) || !same_keys {
        return None;
    }
    // The keys are the same, and in the same order.
    let targets: Vec<Vec<usize>> = targets.iter().map(|target| target.values().copied().collect()).collect();
    let fits = |of: usize, from: usize| targets[of].iter().zip(&targets[from]).all(|(at, other)| agrees(*at, *other));
    let fits: Vec<Vec<bool>> =
        (0..targets.len()).map(|of| (0..targets.len()).map(|from| fits(of, from)).collect()).collect();
    let from = matching(&fits)?;
    let names: Vec<&str> = by_target.keys().copied().collect();
    let mut cycles = Vec::new();
    let mut done = BTreeSet::new();
    for start in 0..from.len() {
        let (mut cycle, mut at) = (Vec::new(), start);
        while done.insert(at) {
            cycle.push(names[at].to_owned());
            at = from[at];
        }
        if cycle.len() > 1 {
            cycles.push(cycle);
        }
    }
    let pairs = from.iter().enumerate();
    let pairs = pairs.flat_map(|(of, from)| targets[of].iter().copied().zip(targets[*from].iter().copied()));
    Some((cycles, pairs.filter(|(of, from)| of != from).collect()))
}

/// For each target another one whose figure fits, each used once; its own wherever that is possible. By augmenting paths.
fn matching(fits: &[Vec<bool>]) -> Option<Vec<usize>> {
    let n = fits.len();
    let mut user: Vec<Option<usize>> = (0..n).map(|at| fits[at][at].then_some(at)).collect();
    for of in 0..n {
        if user.contains(&Some(of)) {
            continue;
        }
        // Breadth first: which target asked for each figure.
        let mut askers: Vec<Option<usize>> = vec![None; n];
        let mut waiting = std::collections::VecDeque::from([of]);
        let mut end = None;
        while let Some(target) = waiting.pop_front() {
            for from in (0..n).filter(|from| fits[target][*from]) {
                if askers[from].is_some() || user[from] == Some(target) {
                    continue;
                }
                askers[from] = Some(target);
                match user[from] {
                    None => end = end.or(Some(from)),
                    Some(other) => waiting.push_back(other),
                }
            }
            if end.is_some() {
                break;
            }
        }
        let mut from = end?;
        loop {
            let target = askers[from]?;
            let before = user.iter().position(|user| *user == Some(target));
            user[from] = Some(target);
            match before {
                Some(before) => {
                    user[before] = None;
                    from = before;
                }
                None => break,
            }
        }
    }
    let mut of = vec![0; n];
    for (from, target) in user.iter().enumerate() {
        of[(*target)?] = from;
    }
    Some(of)
}

/// Which targets have one another's figures, and in which groups if it is not all of the table's.
pub fn words(exchanges: &[Exchange], groups: usize) -> Message {
    let mut all: Vec<(&[Vec<String>], Vec<&str>)> = Vec::new();
    for exchange in exchanges {
        match all.iter_mut().find(|(cycles, _)| *cycles == exchange.cycles) {
            Some((_, of)) => of.push(&exchange.group),
            None => all.push((&exchange.cycles, vec![&exchange.group])),
        }
    }
    let each = all.into_iter().map(|(cycles, of)| {
        let cycles = Message::list(cycles.iter().map(|cycle| match cycle.as_slice() {
            [a, b] => msg!("published-a-and-b", a, b),
            more => msg!("published-in-a-circle", names = more.join(" → ")),
        }));
        let of: Vec<Message> = of.iter().filter(|group| !group.is_empty()).map(foreign).collect();
        match of.len() {
            0 => cycles,
            n if n == groups => cycles,
            _ => msg!("published-in-groups", cycles, groups = Message::list(of)),
        }
    });
    Message::joined(each, "; ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn a_matching_is_a_permutation_that_fits_and_is_found_if_there_is_one(
            shuffled in Just((0..6usize).collect::<Vec<_>>()).prop_shuffle(),
            more in proptest::collection::vec(any::<bool>(), 36),
        ) {
            let fits: Vec<Vec<bool>> =
                (0..6).map(|of| (0..6).map(|from| shuffled[of] == from || more[of * 6 + from]).collect()).collect();
            let matching = matching(&fits).unwrap();
            prop_assert!(matching.iter().enumerate().all(|(of, from)| fits[of][*from]));
            let mut sorted = matching.clone();
            sorted.sort_unstable();
            prop_assert_eq!(sorted, (0..6).collect::<Vec<_>>());
        }
    }

    #[test]
    fn without_one_nothing_is_found_and_what_fits_stays() {
        assert_eq!(matching(&[vec![false, true], vec![false, true]]), None);
        assert_eq!(matching(&[vec![true, true], vec![true, true]]), Some(vec![0, 1]));
        assert_eq!(matching(&[vec![false, true], vec![true, true]]), Some(vec![1, 0]));
    }
}
