//! The cards of several targets: which of them is called ahead.

#![expect(clippy::unwrap_used, reason = "a test may")]

use crate::common::events;
use tenbin_model::event::{Event, Phase};
use tenbin_model::summary::Summary;
use tenbin_model::tally::Tally;
use tenbin_report::page;
use tenbin_words::language::Language;

fn plan(targets: &[&str], repeats: u32) -> String {
    let each = |(i, name): (usize, &&str)| {
        format!("[targets.{name}]\ndsn = \"mysql://bench@127.0.0.1:{}/sbtest\"\n", 3306 + i)
    };
    let targets: String = targets.iter().enumerate().map(each).collect();
    format!(
        "schema = 1\nname = \"made up\"\n{targets}[datasets.small]\nkind = \"sysbench\"\n[[experiment]]\nname = \"e\"\ndataset = \"small\"\n\
         repeats = {repeats}\nwarmup = \"2s\"\nmeasure = \"6s\"\ninterval = \"1s\"\nload = {{ workload = \"oltp_read_write\", clients = 8 }}\n"
    )
}

/// What the card says of the place of the one that leads, in English.
fn rank(events: &[Event]) -> String {
    let page = page::render(&Summary::of(events), &[], Language::English);
    let rank = page.split("<p class=\"rank\">").nth(1).unwrap().split("</p>").next().unwrap();
    let words = rank.split('<').map(|part| part.split_once('>').map_or(part, |(_, text)| text));
    words.collect::<String>()
}

/// Three targets that are the same server: what they measured are repeats of one.
fn alike(repeats: u32) -> Vec<Event> {
    let measured = |event: &Event| match event {
        Event::Interval { phase: Phase::Measure, tally, .. } => Some(tally.clone()),
        _ => None,
    };
    let one = events(&plan(&["a"], 3 * repeats));
    let mut tallies = one.iter().filter_map(measured).collect::<Vec<Tally>>().into_iter();
    let mut all = events(&plan(&["a", "b", "c"], repeats));
    for event in &mut all {
        if let Event::Interval { phase: Phase::Measure, tally, .. } = event {
            *tally = tallies.next().unwrap();
        }
    }
    all
}

#[test]
fn what_cannot_be_told_apart_is_not_called_ahead() {
    for repeats in [1, 2, 3, 5] {
        let said = rank(&alike(repeats));
        assert!(said.contains("not shown to be ahead"), "{repeats} repeats: {said}");
        assert!(!said.contains("is first of") && !said.contains("is ahead of all"), "{repeats} repeats: {said}");
    }
    // Targets that are unlike, with too few repeats to show it.
    for repeats in [1, 2] {
        let said = rank(&events(&plan(&["a", "b", "c"], repeats)));
        assert!(said.contains("not shown to be ahead"), "{repeats} repeats: {said}");
    }
}

#[test]
fn what_the_runs_show_to_be_ahead_is_called_that() {
    let plan = plan(&["a", "b", "c"], 3);
    let said = rank(&events(&plan));
    assert!(said.contains("is first of 3"), "{said}");
    let said = rank(&events(&plan.replace("[targets.c]\n", "[targets.c]\nbaseline = true\n")));
    assert!(said.contains("is ahead of all 2 others"), "{said}");
}
