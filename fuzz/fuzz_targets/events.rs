//! A log of events, damaged in any way, is read line by line and comes to a summary, doubts and an answer.
#![no_main]

use tenbin_verdict::judged_trial::JudgedTrial;
use libfuzzer_sys::fuzz_target;
use tenbin_verdict::answer::answer;
use tenbin_words::language::Language;
use tenbin_model::event::Event;
use tenbin_model::summary::Summary;

fuzz_target!(|log: &str| {
    let events: Vec<Event> = log.lines().filter_map(|line| serde_json::from_str(line).ok()).collect();
    let summary = Summary::of(&events);
    let _ = answer(&summary).text(Language::Japanese);
    for trial in &summary.trials {
        let _ = (trial.doubts(), trial.tps(), trial.qps());
    }
});
