//! A case: the load, what becomes of each host and its connection, and what the user does; all drawn from the seed.

use super::draw::Draw;
use super::host::Clock;
use super::link::Faults;
use super::terminals::Habits;
use std::time::Duration;
use tenbin_model::load_host::IfLost;
use tenbin_model::trial::{Arrivals, Overload, Schedule};

#[derive(Debug, Clone)]
pub struct Case {
    pub seed: u64,
    pub clients: u32,
    pub schedule: Schedule,
    pub habits: Habits,
    pub warmup_ms: u64,
    pub measure_ms: u64,
    pub interval_ms: u64,
    pub if_lost: IfLost,
    /// After this many intervals, this happens.
    pub ends: Option<(usize, End)>,
    /// By host.
    pub fates: Vec<Fate>,
    /// Messages are late, and nothing else is wrong.
    pub is_calm: bool,
}

/// What ends a drive early.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum End {
    Enough,
    Stop,
    StopAtOnce,
}

/// What becomes of a host.
#[derive(Debug, Clone, Default)]
pub struct Fate {
    pub clock: Clock,
    /// From the coordinator to the host.
    pub down: Faults,
    /// From the host to the coordinator.
    pub up: Faults,
    /// When its machine dies, and says nothing.
    pub dies: Option<Duration>,
}

impl Case {
    /// A small one.
    pub fn drawn(seed: u64) -> Case {
        let mut draw = Draw::new(seed, 0);
        let hosts = draw.between(1, 9) as u32;
        let clients = hosts + draw.between(0, 20) as u32;
        let habits = Habits {
            longest_ms: draw.between(1, 300),
            rest_ms: if draw.chance(200) { draw.between(1, 500) } else { 0 },
            failing_permille: if draw.chance(500) { draw.between(0, 200) } else { 0 },
        };
        let arrivals = if draw.chance(500) { Arrivals::Even } else { Arrivals::Poisson };
        let overload =
            if draw.chance(500) { Overload::Skip } else { Overload::Queue { limit: draw.between(1, 100_000) } };
        let schedule = match habits.rest_ms == 0 && draw.chance(500) {
            true => Schedule::Open { rate: draw.between(1, 300) as f64, arrivals, overload },
            false => Schedule::Closed,
        };
        let is_calm = draw.chance(250);
        let warmup_ms = if draw.chance(500) { 0 } else { draw.between(1, 1500) };
        let measure_ms = draw.between(1, 7000);
        let horizon_ms = warmup_ms + measure_ms + 4000;
        let ends = [End::Enough, End::Stop, End::StopAtOnce][draw.between(0, 3) as usize];
        let at = draw.between(1, 8) as usize;
        Case {
            seed,
            clients,
            schedule,
            habits,
            warmup_ms,
            measure_ms,
            interval_ms: draw.between(150, 1500),
            if_lost: if draw.chance(500) { IfLost::Continue } else { IfLost::Stop },
            ends: draw.chance(300).then_some((at, ends)),
            fates: (0..hosts).map(|_| fate(&mut draw, horizon_ms, if is_calm { 0 } else { 250 })).collect(),
            is_calm,
        }
    }

    /// This many hosts with this many terminals each, of which some have something happen to them.
    pub fn large(seed: u64, hosts: u32, terminals: u32) -> Case {
        let mut draw = Draw::new(seed, 0);
        Case {
            seed,
            clients: hosts * terminals,
            schedule: Schedule::Closed,
            habits: Habits { longest_ms: 200, rest_ms: 6000, failing_permille: 10 },
            warmup_ms: 1000,
            measure_ms: 7000,
            interval_ms: 1000,
            if_lost: IfLost::Continue,
            ends: None,
            // Of this many hosts one would be lost before the start, which ends the drive.
            fates: (0..hosts).map(|_| later(fate(&mut draw, 4000, 30), Duration::from_secs(7))).collect(),
            is_calm: false,
        }
    }
}

/// Nothing happens before this time.
fn later(mut fate: Fate, from: Duration) -> Fate {
    for faults in [&mut fate.down, &mut fate.up] {
        faults.partitions.iter_mut().for_each(|(begins, ends)| (*begins, *ends) = (*begins + from, *ends + from));
        faults.silent_from = faults.silent_from.map(|at| at + from);
        faults.closed_from = faults.closed_from.map(|at| at + from);
        faults.lost = 0;
    }
    fate.dies = fate.dies.map(|at| at + from);
    fate.clock.step = fate.clock.step.map(|(at_ns, by_ns)| (at_ns + from.as_nanos() as u64, by_ns));
    fate
}

fn fate(draw: &mut Draw, horizon_ms: u64, trouble_permille: u64) -> Fate {
    let by_ns = draw.between(3_000_000_000, 20_000_000_000) as i64 * if draw.chance(500) { 1 } else { -1 };
    let step = draw
        .chance(if trouble_permille > 0 { 80 } else { 0 })
        .then(|| (draw.between(0, horizon_ms) * 1_000_000, by_ns));
    let ahead_ns = draw.between(20_000_000_000, 40_000_000_000);
    let clock = Clock { ahead_ns, fast_ppm: draw.between(0, 100), step };
    let slow = if draw.chance(100) { 200 } else { 3 };
    // There and back, that is less than the lease.
    let slower = Duration::from_millis(if trouble_permille < 100 { 800 } else { 2000 });
    let mut fate = Fate { clock, down: delays(draw, slow, slower), up: delays(draw, slow, slower), dies: None };
    if !draw.chance(trouble_permille) {
        return fate;
    }
    let at = draw.ms(0, horizon_ms);
    match draw.between(0, 7) {
        0 => fate.dies = Some(at),
        1 => fate.up.silent_from = Some(at),
        2 => fate.down.silent_from = Some(at),
        3 => fate.up.closed_from = Some(at),
        4 => {
            let ends = at + draw.ms(0, 6000);
            let (down, up) = [(true, true), (true, false), (false, true)][draw.between(0, 3) as usize];
            [(&mut fate.down, down), (&mut fate.up, up)]
                .into_iter()
                .filter(|(_, is_cut)| *is_cut)
                .for_each(|(faults, _)| faults.partitions.push((at, ends)));
        }
        5 => (fate.up.lost, fate.down.lost) = (draw.between(0, 500), draw.between(0, 200)),
        _ => (fate.up.repeated, fate.down.repeated) = (draw.between(0, 5000), draw.between(0, 5000)),
    }
    fate
}

fn delays(draw: &mut Draw, slow_permille: u64, slower: Duration) -> Faults {
    let slowest = [1, 20, 300][draw.between(0, 3) as usize];
    Faults { delay: draw.ms(0, slowest), jitter: draw.ms(0, slowest), slow_permille, slower, ..Faults::default() }
}
