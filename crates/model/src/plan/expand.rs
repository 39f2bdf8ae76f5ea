//! The order of the trials of a plan: pure, and the same for the same seed.
//!
//! A pair is one cell in one repeat on different targets. Its trials have the same seed, and in a random block they
//! directly follow one another, so drift (temperature, other users of the host, fragmentation) affects both alike.

use super::settings::{self, Order};
use super::{Experiment, MatrixCell, Plan};
use crate::trial::{Target, Trial};
use std::collections::BTreeMap;

/// All trials of the plan, in order.
pub fn expand(plan: &Plan) -> Vec<Trial> {
    let mut trials = Vec::new();
    let mut first_cell = 1;
    for experiment in &plan.experiments {
        let mut random = OrderRandom(mix(plan.seed, u64::from(first_cell)));
        for turn in order(experiment, &mut random) {
            let number = trials.len() as u32 + 1;
            trials.push(trial(plan, experiment, first_cell, number, turn));
        }
        first_cell += experiment.cells.len() as u32;
    }
    trials
}

/// One entry in the order: repeat from 0, and indexes of the cell and the target.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Position {
    repeat: u32,
    cell: usize,
    target: usize,
}

fn order(experiment: &Experiment, random: &mut OrderRandom) -> Vec<Position> {
    let (repeats, targets) = (experiment.repeats, experiment.targets.len());
    let groups = by_cost(&experiment.cells);
    let mut turns = Vec::new();
    match experiment.order {
        Order::RandomBlock => {
            for repeat in 0..repeats {
                for group in random.shuffled(groups.clone()) {
                    for cell in random.shuffled(group) {
                        let targets = random.shuffled((0..targets).collect());
                        turns.extend(targets.into_iter().map(|target| Position { repeat, cell, target }));
                    }
                }
            }
        }
        Order::Abba => {
            for cell in groups.into_iter().flatten() {
                for repeat in 0..repeats {
                    let there = (0..targets).map(|target| Position { repeat, cell, target });
                    if repeat % 2 == 0 { turns.extend(there) } else { turns.extend(there.rev()) }
                }
            }
        }
        Order::Sequential => {
            for target in 0..targets {
                for &cell in groups.iter().flatten() {
                    turns.extend((0..repeats).map(|repeat| Position { repeat, cell, target }));
                }
            }
        }
    }
    turns
}

/// Groups cells that share data and servers, so that each is loaded or started once; otherwise in the plan's order.
fn by_cost(cells: &[MatrixCell]) -> Vec<Vec<usize>> {
    let mut groups: Vec<Vec<usize>> = Vec::new();
    let mut known = BTreeMap::new();
    for (place, cell) in cells.iter().enumerate() {
        let group = *known.entry(&cell.expensive).or_insert_with(|| {
            groups.push(Vec::new());
            groups.len() - 1
        });
        groups[group].push(place);
    }
    groups
}

fn trial(plan: &Plan, experiment: &Experiment, first_cell: u32, number: u32, turn: Position) -> Trial {
    let cell = &experiment.cells[turn.cell];
    let r = &cell.resolved;
    let mut target: Target = experiment.targets[turn.target].clone();
    target.server.extend(r.server.clone());
    let scheme = target.scheme();
    target.server.values_mut().for_each(|value| *value = settings::for_server(scheme, value));
    let cell_number = first_cell + turn.cell as u32;
    Trial {
        number,
        cell: cell_number,
        repeat: turn.repeat + 1,
        experiment: experiment.name.clone(),
        target,
        dataset: r.dataset.clone(),
        load: r.load.clone(),
        axes: cell.axes.clone(),
        restore: r.restore,
        settle_ms: r.settle_ms,
        warmup_ms: r.warmup_ms,
        measure_ms: r.measure_ms,
        interval_ms: r.interval_ms,
        seed: mix(plan.seed, u64::from(cell_number) << 32 | u64::from(turn.repeat)),
    }
}

/// SplitMix64 (Steele, Lea and Flood, 2014): sufficient for shuffling, and the same on every machine.
struct OrderRandom(u64);

impl OrderRandom {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// Fisher and Yates; the bias of the multiplication is below 2⁻⁵⁰ for lists this short.
    fn shuffled<T>(&mut self, mut all: Vec<T>) -> Vec<T> {
        for last in (1..all.len()).rev() {
            let pick = (u128::from(self.next()) * (last as u128 + 1)) >> 64;
            all.swap(last, pick as usize);
        }
        all
    }
}

fn mix(seed: u64, with: u64) -> u64 {
    let mut random = OrderRandom(seed);
    let first = random.next();
    OrderRandom(first ^ with.wrapping_mul(0xd6e8_feb8_6659_fd93)).next()
}
