//! What a job reads: the summary on GitHub, and the JSON.

use crate::common::{PLAN, events};
use crate::variants;
use tenbin_model::event::Event;
use tenbin_model::summary::Summary;
use tenbin_model::tally::{Accounting, Tally};
use tenbin_report::export;
use tenbin_words::language::Language;

#[test]
fn the_noise_is_that_of_the_figure_that_answers() {
    let noise = |summary: &Summary| -> Vec<String> {
        let text = export::github(summary, Language::English, None);
        text.lines().filter(|line| line.contains("Noise of this run")).map(str::to_owned).collect()
    };
    let closed = noise(&Summary::of(&events(PLAN)));
    assert!(closed.len() == 1 && closed[0].contains("the transactions per second"), "{closed:?}");
    // Of a rate that is held the throughput is the rate, whatever the server does.
    let at_rate = noise(&Summary::of(&events(&PLAN.replace("load.clients", "load.rate"))));
    assert!(at_rate.len() == 1 && at_rate[0].contains("the p99"), "{at_rate:?}");
}

/// The made-up runs have no figures of a server: that the limit is not known is said, once for all targets.
#[test]
fn what_is_not_known_of_limits_is_said() {
    for (name, targets) in [
        ("one-load", "flush-1, flush-2: "),
        ("along-size", "data set small, data set large: "),
        ("forty-targets", "db-06, …: "),
    ] {
        let summary = Summary::of(&variants::named(name));
        for text in [export::github(&summary, Language::English, None), export::markdown(&summary, Language::English)] {
            let lines: Vec<&str> = text.lines().filter(|line| line.contains("not enough evidence")).collect();
            assert!(lines.len() == 1 && lines[0].contains(targets) && lines[0].contains("--why"), "{lines:?}");
        }
    }
}

#[test]
fn what_follows_a_list_is_no_part_of_its_last_entry() {
    let text =
        export::github(&Summary::of(&variants::named("doubts")), Language::English, Some("https://example.org/"));
    let lines: Vec<&str> = text.lines().collect();
    let entries = lines.iter().filter(|line| line.starts_with("- ")).count();
    assert!(entries > 1, "{text}");
    for pair in lines.windows(2) {
        let [first, second] = [pair[0], pair[1]].map(|line| line.starts_with("- "));
        assert!(first == second || pair.contains(&""), "{pair:?} in {text}");
    }
}

/// A job reads here whether the plan has limits: they can be written in several ways.
#[test]
fn the_limits_of_the_plan_are_in_the_json() {
    let of = |plan: &str| -> serde_json::Value {
        serde_json::from_str(&export::json(&Summary::of(&events(plan)), None)).expect("JSON")
    };
    assert!(of(PLAN)["gate"].is_null());
    let name = "name = \"sample\"\n";
    for gate in [
        "gate.check = \"p99 < 20ms\"\n",
        "gate = { check = [\"p99 < 20ms\"] }\n",
        "  [gate]\ncheck = [\"p99 < 20ms\"]\n",
    ] {
        let summary = of(&PLAN.replace(name, &format!("{name}{gate}")));
        assert_eq!(summary["gate"]["check"], serde_json::json!(["p99 < 20ms"]), "{gate}");
    }
}

/// A target of which every transaction failed has nothing in the figures, and no table says that none of them failed.
#[test]
fn a_table_has_no_failures_of_trials_that_are_in_no_figure() {
    let failing = |is_dead: &dyn Fn(u32) -> bool| {
        let (mut all, mut dead) = (events(PLAN), Vec::new());
        for event in &mut all {
            match event {
                Event::TrialPlanned { planned, .. } if is_dead(planned.target.place) => dead.push(planned.number),
                Event::Interval { trial, tally, .. } if dead.contains(trial) => {
                    let accounting = Accounting { scheduled: 100, failed: 100, ..Accounting::default() };
                    *tally = Tally { accounting, ..Tally::default() };
                }
                _ => {}
            }
        }
        let summary = Summary::of(&all);
        [export::github(&summary, Language::English, None), export::markdown(&summary, Language::English)]
    };
    let in_failed = |text: &str| -> Vec<String> {
        let cells = |line: &str| line.split('|').map(|cell| cell.trim().to_owned()).collect::<Vec<_>>();
        let rows: Vec<Vec<String>> = text.lines().filter(|line| line.starts_with("| ")).map(cells).collect();
        let column = rows[0].iter().position(|name| name == "failed");
        rows.iter().skip(1).filter_map(|row| row.get(column?).cloned()).collect()
    };
    for text in failing(&|_| true) {
        // A column of dashes says nothing, and is left out.
        assert!(in_failed(&text).is_empty(), "{text}");
        // Of all trials, and not of the first one.
        assert!(text.contains("all 7200 transactions failed"), "{text}");
    }
    for text in failing(&|place| place == 1) {
        let failed = in_failed(&text);
        assert_eq!(failed.iter().filter(|text| *text == "–").count(), 3, "{text}");
        assert!(failed.iter().all(|text| text != "0"), "{text}");
    }
}

/// What a program reads of times at a rate says whether they may be compared.
#[test]
fn comparisons_at_a_rate_that_was_not_held_say_so() {
    let held = |events: &[Event]| -> Vec<(bool, bool)> {
        let json: serde_json::Value = serde_json::from_str(&export::json(&Summary::of(events), None)).unwrap();
        let all = json["comparisons"].as_array().unwrap();
        all.iter().map(|c| (c["held"].as_bool().unwrap(), c["answers"].as_bool().unwrap())).collect()
    };
    let mut all = events(&PLAN.replace("load.clients", "load.rate"));
    let of_held = held(&all);
    assert!(of_held.iter().all(|(held, _)| *held) && of_held.iter().any(|(_, answers)| *answers), "{of_held:?}");
    for event in &mut all {
        if let Event::Interval { tally, .. } = event {
            tally.accounting.skipped += tally.accounting.scheduled;
            tally.accounting.scheduled *= 2;
        }
    }
    let not_held = held(&all);
    assert!(!not_held.is_empty() && not_held.iter().all(|both| *both == (false, false)), "{not_held:?}");
    let closed: serde_json::Value = serde_json::from_str(&export::json(&Summary::of(&events(PLAN)), None)).unwrap();
    assert!(closed["comparisons"].as_array().unwrap().iter().all(|c| c.get("held").is_none()));
}
