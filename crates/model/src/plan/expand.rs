//! The order of the trials of a plan: pure, and the same for the same seed.
//!
//! A pair is one cell in one repeat on different targets. Its trials have the same seed, and in a random block they
//! directly follow one another, so drift (temperature, other users of the host, fragmentation) affects both alike.

use super::settings::{self, Order};
use super::{Experiment, MatrixCell, Plan, PlanScale};
use crate::axis;
use crate::random::SplitMix;
use crate::search::Search;
use crate::trial::{Target, Trial};
use std::collections::BTreeMap;

/// All trials of the plan, in order.
pub fn expand(plan: &Plan) -> Vec<Trial> {
    expand_times(plan, 1)
}

/// All trials of the plan, and after them all repeats again, until there are `times` as many. Those of fewer times are
/// the first of those of more.
pub fn expand_times(plan: &Plan, times: u32) -> Vec<Trial> {
    let mut trials = Vec::new();
    for time in 0..times {
        add_all(plan, time, &mut trials);
    }
    trials
}

fn add_all(plan: &Plan, time: u32, trials: &mut Vec<Trial>) {
    let mut first_cell = 1;
    for experiment in &plan.experiments {
        let mut random = SplitMix(mix(plan.seed, u64::from(time) << 32 | u64::from(first_cell)));
        let beside = beside(experiment);
        for turn in order(experiment, time * experiment.repeats, &mut random) {
            let number = trials.len() as u32 + 1;
            trials.push(trial(plan, experiment, (first_cell, &beside), number, turn));
        }
        first_cell += experiment.cells.len() as u32;
    }
}

/// One entry in the order: repeat from 0, and indexes of the cell and the target.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Position {
    repeat: u32,
    cell: usize,
    target: usize,
}

/// `first`: the number of repeats before these.
fn order(experiment: &Experiment, first: u32, random: &mut SplitMix) -> Vec<Position> {
    let (repeats, targets) = (first..first + experiment.repeats, experiment.targets.len());
    let beside = beside(experiment);
    let groups = by_cost(&experiment.cells, &beside);
    let mut turns = Vec::new();
    match experiment.order {
        Order::RandomBlock | Order::Duet => {
            for repeat in repeats {
                for of_data in shuffled(random, groups.clone()) {
                    for of_server in shuffled(random, of_data) {
                        // What is compared follows one another.
                        for cells in shuffled(random, of_server) {
                            for cell in shuffled(random, cells) {
                                let targets = shuffled(random, (0..targets).collect());
                                turns.extend(targets.into_iter().map(|target| Position { repeat, cell, target }));
                            }
                        }
                    }
                }
            }
        }
        Order::Abba => {
            let compared = match experiment.compare {
                Some(_) => grouped((0..experiment.cells.len()).collect(), |place| beside[*place]),
                None => groups.into_iter().flatten().flatten().collect(),
            };
            for cells in compared {
                // Who begins is drawn for each cell, so that no target is always the first on a machine that warms up.
                let targets = shuffled(random, (0..targets).collect());
                let cells = if cells.len() > 1 { shuffled(random, cells) } else { cells };
                for repeat in repeats.clone() {
                    let of_cell = |cell: &usize| targets.iter().map(|&target| (*cell, target)).collect::<Vec<_>>();
                    let there = cells.iter().flat_map(of_cell).map(|(cell, target)| Position { repeat, cell, target });
                    let mut there: Vec<Position> = there.collect();
                    if repeat % 2 == 1 {
                        there.reverse();
                    }
                    turns.extend(there);
                }
            }
        }
        Order::Sequential => {
            for target in 0..targets {
                for &cell in groups.iter().flatten().flatten().flatten() {
                    turns.extend(repeats.clone().map(|repeat| Position { repeat, cell, target }));
                }
            }
        }
    }
    turns
}

/// Groups cells that share data, within them those that share servers, so that data are loaded as rarely as possible and servers
/// changed as rarely as that permits, and within them those that are compared with one another; otherwise in the plan's order.
fn by_cost(cells: &[MatrixCell], beside: &[usize]) -> Vec<Vec<Vec<Vec<usize>>>> {
    let of_data = grouped((0..cells.len()).collect(), |place| &cells[*place].data);
    let of_servers = of_data.into_iter().map(|group| grouped(group, |place| &cells[*place].servers));
    let compared = |group: Vec<usize>| grouped(group, |place| beside[*place]);
    of_servers.map(|groups| groups.into_iter().map(compared).collect()).collect()
}

/// Of each cell the first one that is compared with it: itself, unless the experiment compares along an axis.
fn beside(experiment: &Experiment) -> Vec<usize> {
    let Some(along) = &experiment.compare else { return (0..experiment.cells.len()).collect() };
    let mut first = BTreeMap::new();
    let rest = experiment.cells.iter().map(|cell| along.rest(&cell.axes));
    rest.enumerate().map(|(place, rest)| *first.entry(rest).or_insert(place)).collect()
}

/// Items with equal keys together, in the order of first use.
fn grouped<K: Ord>(items: Vec<usize>, key: impl Fn(&usize) -> K) -> Vec<Vec<usize>> {
    let mut groups: Vec<Vec<usize>> = Vec::new();
    let mut known = BTreeMap::new();
    for item in items {
        let group = *known.entry(key(&item)).or_insert_with(|| {
            groups.push(Vec::new());
            groups.len() - 1
        });
        groups[group].push(item);
    }
    groups
}

fn trial(
    plan: &Plan,
    experiment: &Experiment,
    (first_cell, beside): (u32, &[usize]),
    number: u32,
    turn: Position,
) -> Trial {
    let cell = &experiment.cells[turn.cell];
    let r = &cell.spec;
    let mut target: Target = experiment.targets[turn.target].clone();
    target.server.extend(r.server.clone());
    target.server.extend(r.target_server.get(&target.name).into_iter().flatten().map(|(k, v)| (k.clone(), v.clone())));
    let scheme = target.scheme();
    target.server.values_mut().for_each(|value| *value = settings::for_server(scheme, value));
    // Cells of several experiments are distinguished like values of an axis.
    let of_several = (plan.experiments.len() > 1).then(|| (axis::EXPERIMENT.to_owned(), experiment.name.clone()));
    let of_several = of_several.into_iter();
    let catch_up_ms = if target.replicas.is_empty() { 0 } else { r.catch_up_ms };
    let cell_number = first_cell + turn.cell as u32;
    let hosts = match &target.client {
        None => plan.hosts.clone(),
        Some(place) => place.hosts(plan.hosts.as_ref()),
    };
    Trial {
        number,
        cell: cell_number,
        repeat: turn.repeat + 1,
        experiment: experiment.name.clone(),
        target,
        dataset: r.dataset.clone(),
        load: r.load.clone(),
        files: Vec::new(),
        hosts,
        axes: of_several.chain(cell.axes.iter().cloned()).collect(),
        compare: experiment.compare.clone(),
        duet: experiment.order == Order::Duet,
        restore: r.restore,
        settle_ms: r.settle_ms,
        settle_until: r.settle_until,
        catch_up_ms,
        warmup_ms: r.warmup_ms,
        warmup_until: r.warmup_until,
        measure_ms: r.measure_ms,
        measure_until: r.measure_until,
        repeats_until: experiment.repeats_until,
        search: experiment.search.as_ref().map(|search| Search { cell: cell_number, ..search.clone() }),
        interval_ms: r.interval_ms,
        scale: plan.scale.map(PlanScale::factor),
        // Pairs have the same.
        seed: mix(plan.seed, u64::from(first_cell + beside[turn.cell] as u32) << 32 | u64::from(turn.repeat)),
    }
}

/// Fisher and Yates.
fn shuffled<T>(random: &mut SplitMix, mut all: Vec<T>) -> Vec<T> {
    for last in (1..all.len()).rev() {
        all.swap(last, random.below(last + 1));
    }
    all
}

fn mix(seed: u64, with: u64) -> u64 {
    let mut random = SplitMix(seed);
    let first = random.next_bits();
    SplitMix(first ^ with.wrapping_mul(0xd6e8_feb8_6659_fd93)).next_bits()
}
