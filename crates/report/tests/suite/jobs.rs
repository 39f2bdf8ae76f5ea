//! The summary of a job on GitHub.

use crate::common::{PLAN, events};
use crate::variants;
use tenbin_model::summary::Summary;
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
        let found = of(&PLAN.replace(name, &format!("{name}{gate}")));
        assert_eq!(found["gate"]["check"], serde_json::json!(["p99 < 20ms"]), "{gate}");
    }
}
