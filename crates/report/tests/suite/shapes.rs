//! Synthetic runs of the shapes that a page must carry: one load and twelve targets, a search, two axes; names made to harm; trials
//! that are INVALID, a target that is dead, figures of nothing and of a thousand millions.

use super::{failed, plan};
use crate::common::events;
use tenbin_model::event::{EndState, Event};
use tenbin_model::search::{Objective, Search, Varied};
use tenbin_words::message::foreign;
use tenbin_words::problem::Problem;

/// All of them: name and events.
pub fn all() -> Vec<super::Variant> {
    vec![
        ("one-load", || events(&plan(&["flush-1", "flush-2"], "16", 5))),
        ("twelve-targets", twelve),
        ("search", search),
        ("two-axes", || two_axes(&["before", "after"])),
        ("two-axes-alone", || two_axes(&["only"])),
        ("harmful-names", harmful_names),
        ("one-invalid", || invalid(&[5])),
        ("all-invalid", || invalid(&[1, 2, 3, 4, 5, 6, 7, 8])),
        ("one-dead", one_dead),
        ("nothing-and-much", nothing_and_much),
        ("along-size", along_size),
    ]
}

fn twelve() -> Vec<Event> {
    let names: Vec<String> = (1..=12).map(|n| format!("db-{n:02}")).collect();
    events(&plan(&names.iter().map(String::as_str).collect::<Vec<_>>(), "8, 64", 3))
}

/// The levels 4 to 64, of which those that are too slow for the objective do not hold, and a closed loop.
fn search() -> Vec<Event> {
    let mut all = events(&plan(&["flush-1", "flush-2"], "16, 4, 64, 32, 24", 2));
    let (until, vary) = (Objective::parse("p99 < 20ms").expect("it is one"), Varied::Rate);
    for event in &mut all {
        if let Event::TrialPlanned { planned, .. } = event {
            let level = Some(f64::from(planned.load.clients) * 100.0).filter(|level| *level < 6400.0);
            let until = until.clone();
            planned.search = Some(Search { vary, until, from: 100.0, to: None, trials: 12, cell: 1, level });
            planned.axes.clear();
        }
    }
    all
}

fn two_axes(targets: &[&str]) -> Vec<Event> {
    let plan = plan(targets, "1, 2, 4, 8", 3).replace(
        "matrix = { ",
        "matrix = { \"load.workload\" = [\"oltp_read_write\", \"oltp_insert\", \"oltp_read_only\"], ",
    );
    events(&plan)
}

/// 200 characters, marks that turn the direction of text, and an end of a script in every text.
fn harmful_names() -> Vec<Event> {
    let names = ["a-".repeat(100), "\u{202e}desrever\u{202c} </script><b>b</b>".to_owned()];
    let mut all = events(&plan(&[&names[0], &names[1]], "1, 8", 3).replace("made up", "</script><b>plan</b>"));
    for event in &mut all {
        match event {
            Event::RunStarted { name, started, .. } => {
                *name = format!("</script><b>\u{202e}{}", "long-name-".repeat(20));
                *started = "</script><b>".into();
            }
            Event::Facts { facts, .. } => {
                facts.values_mut().for_each(|value| *value = format!("</script><b>{value}"));
                facts.insert("</script><b>".into(), "</script><b>".into());
            }
            Event::Interval { tally, .. } => {
                for all in [tally.statements.remove("commit")].into_iter().flatten() {
                    tally.statements.insert("</script><b>commit".into(), all);
                }
            }
            Event::Note { problem, .. } => *problem = Problem::new(foreign("</script><b>")).hint(foreign("</script>")),
            _ => {}
        }
    }
    all
}

/// Eight trials, of which these are INVALID because their clients were stopped.
fn invalid(trials: &[u32]) -> Vec<Event> {
    let mut all = events(&plan(&["before", "after"], "8", 4));
    for event in &mut all {
        if let Event::TrialFinished { trial, client_halts, measured_from_ns, measured_to_ns, .. } = event
            && trials.contains(trial)
        {
            client_halts.suspended_ns = *measured_to_ns - *measured_from_ns;
        }
    }
    all
}

/// Every trial of the second target fails.
fn one_dead() -> Vec<Event> {
    let all = events(&plan(&["alive", "dead"], "1, 8, 64", 3));
    let of_dead =
        |event: &&Event| matches!(event, Event::TrialPlanned { planned, .. } if planned.target.name == "dead");
    let dead: Vec<u32> = all
        .iter()
        .filter(of_dead)
        .filter_map(|event| match event {
            Event::TrialPlanned { planned, .. } => Some(planned.number),
            _ => None,
        })
        .collect();
    // What a failed trial says.
    let refused = failed().into_iter().find_map(|event| match event {
        Event::Note { severity, problem, .. } => Some((severity, problem)),
        _ => None,
    });
    let Some((severity, problem)) = refused else { return all };
    let mut kept = Vec::new();
    for mut event in all {
        let trial = event.trial();
        if !dead.contains(&trial) {
            kept.push(event);
            continue;
        }
        match &mut event {
            Event::Interval { .. } | Event::Observation { .. } | Event::Note { .. } => continue,
            Event::TrialFinished { state, measured_from_ns, measured_to_ns, at_ns, .. } => {
                let (at_ns, problem) = (*at_ns, problem.clone());
                kept.push(Event::Note { trial, at_ns, severity, problem });
                (*state, *measured_to_ns) = (EndState::Failed, *measured_from_ns);
            }
            _ => {}
        }
        kept.push(event);
    }
    kept
}

/// One target, compared along an axis that also changes the data's size.
fn along_size() -> Vec<Event> {
    let plan = plan(&["only"], "1, 8", 3)
        .replace(
            "[datasets.small]\nkind = \"sysbench\"\n",
            "[datasets.small]\nkind = \"sysbench\"\n[datasets.large]\nkind = \"sysbench\"\ntable_size = 1000000\n",
        )
        .replace("dataset = \"small\"\n", "compare = \"dataset\"\n")
        .replace("matrix = { ", "matrix = { dataset = [\"small\", \"large\"], ");
    events(&plan)
}

/// One target completes nothing, the other a thousand millions per second.
fn nothing_and_much() -> Vec<Event> {
    let mut all = events(&plan(&["nothing", "much"], "1, 8", 3));
    let mut of_much = Vec::new();
    for event in &mut all {
        match event {
            Event::TrialPlanned { planned, .. } if planned.target.name == "much" => of_much.push(planned.number),
            Event::Interval { trial, tally, .. } => {
                let much = of_much.contains(trial);
                for t in tally.transactions.values_mut() {
                    t.completed = if much { 1_000_000_000 } else { 0 };
                    t.failed = 0;
                    for times in [&mut t.response, &mut t.service, &mut t.wait] {
                        *times = Default::default();
                        times.record_n(1, t.completed);
                    }
                }
                for s in tally.statements.values_mut() {
                    s.completed = if much { 10_000_000_000 } else { 0 };
                    s.service = Default::default();
                    s.service.record_n(1, s.completed);
                }
                tally.accounting.completed = if much { 1_000_000_000 } else { 0 };
                tally.accounting.failed = 0;
                tally.accounting.scheduled = tally.accounting.completed;
            }
            _ => {}
        }
    }
    all
}
