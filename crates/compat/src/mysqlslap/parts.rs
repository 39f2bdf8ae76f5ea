//! The parts of a run that has more iterations, or more numbers of clients, than one plan: each is a plan with a run directory of its own, so that what is
//! remembered of the iterations does not grow without end.

use super::settings::Settings;
use std::iter;
use tenbin_model::plan::MOST_TRIALS;

/// A part of a run.
pub struct Part {
    pub settings: Settings,
    /// How many iterations of its cell the parts before it have had.
    pub before: u32,
    /// Whether its cells end with it.
    pub is_last: bool,
}

/// The most trials of a part, if there are several.
const MOST: u32 = 2000;

/// The most clients that are counted up to.
const MOST_CLIENTS: u32 = 100_000;

/// All numbers of clients: those of the list, or without one from 1 on.
pub fn numbers(settings: &Settings) -> Box<dyn Iterator<Item = u32>> {
    match settings.concurrency.is_empty() {
        true => Box::new(1..=MOST_CLIENTS),
        false => Box::new(settings.concurrency.clone().into_iter()),
    }
}

/// The parts in order; one, if a plan has room for everything.
pub fn of(settings: &Settings) -> Box<dyn Iterator<Item = Part> + '_> {
    let cells = settings.concurrency.len() * settings.engines.len().max(1);
    if cells > 0 && cells as u128 * u128::from(settings.iterations) <= MOST_TRIALS {
        return Box::new(iter::once(Part { settings: settings.clone(), before: 0, is_last: true }));
    }
    let mut engines: Vec<Vec<String>> = settings.engines.iter().map(|engine| vec![engine.clone()]).collect();
    if engines.is_empty() {
        engines.push(Vec::new());
    }
    Box::new(engines.into_iter().flat_map(move |engines| {
        let mut all = numbers(settings);
        let room = (MOST / settings.iterations).max(1) as usize;
        let lists = iter::from_fn(move || Some(all.by_ref().take(room).collect::<Vec<u32>>()));
        lists.take_while(|list| !list.is_empty()).flat_map(move |concurrency| {
            let engines = engines.clone();
            (0..settings.iterations).step_by(MOST as usize).map(move |before| {
                let iterations = MOST.min(settings.iterations - before);
                let is_last = before + iterations == settings.iterations;
                let (engines, concurrency) = (engines.clone(), concurrency.clone());
                Part { settings: Settings { engines, concurrency, iterations, ..settings.clone() }, before, is_last }
            })
        })
    }))
}

#[cfg(test)]
mod tests {
    use super::super::options::GRAMMAR;
    use super::super::settings;
    use super::*;
    use crate::parsed_args::{ParsedArgs, Source};

    fn parts(line: &str, most: usize) -> String {
        let words: Vec<String> = line.split(' ').map(str::to_owned).collect();
        let mut args = ParsedArgs::new(&GRAMMAR);
        args.read(&words, Source::CommandLine).unwrap();
        let settings = settings::resolve(&args).unwrap();
        let told = |Part { settings: Settings { engines, concurrency, iterations, .. }, before, is_last }| {
            let (first, last) = (concurrency.first().copied(), concurrency.last().copied());
            format!("{engines:?} {}..{} {before}+{iterations} {is_last}\n", first.unwrap_or(0), last.unwrap_or(0))
        };
        of(&settings).take(most).map(told).collect()
    }

    #[test]
    fn a_plan_has_what_it_has_room_for() {
        assert_eq!(parts("-a -c 1,2,4 -i 3 -e a,b", 9), "[\"a\", \"b\"] 1..4 0+3 true\n");
        assert_eq!(parts("-a -i 10000", 9), "[] 1..1 0+10000 true\n");
        assert_eq!(
            parts("-a -i 10001 -c 8,9", 9),
            "[] 8..8 0+2000 false\n[] 8..8 2000+2000 false\n[] 8..8 4000+2000 false\n[] 8..8 6000+2000 false\n\
             [] 8..8 8000+2000 false\n[] 8..8 10000+1 true\n[] 9..9 0+2000 false\n[] 9..9 2000+2000 false\n\
             [] 9..9 4000+2000 false\n"
        );
        assert_eq!(
            parts("-a -e a,b -c 1,2,3 -i 1900", 9),
            "[\"a\"] 1..1 0+1900 true\n[\"a\"] 2..2 0+1900 true\n[\"a\"] 3..3 0+1900 true\n\
             [\"b\"] 1..1 0+1900 true\n[\"b\"] 2..2 0+1900 true\n[\"b\"] 3..3 0+1900 true\n"
        );
    }

    /// As mysqlslap counts: up from 1, without an end of its own.
    #[test]
    fn no_number_of_clients_is_every_number() {
        assert_eq!(parts("-a -c 0 -i 10", 2), "[] 1..200 0+10 true\n[] 201..400 0+10 true\n");
        assert_eq!(parts("-a -c 4,0,8", 2), "[] 4..4 0+1 true\n", "a 0 ends the list");
    }
}
