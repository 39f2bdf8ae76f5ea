//! Load hosts that drove a run together: their shares, what is not known of a lost one, and a page that is otherwise that of one
//! host.

#![expect(clippy::unwrap_used, reason = "a test may")]

use crate::variants;

use std::collections::BTreeMap;
use tenbin_model::event::Event;
use tenbin_model::load_host::host_of_observer;
use tenbin_model::summary::Summary;
use tenbin_report::{export, page};
use tenbin_verdict::host_share::{self, in_one_line};
use tenbin_words::language::Language;

fn run() -> Vec<Event> {
    variants::named("load-hosts")
}

#[test]
fn shares_add_up_to_the_whole_of_each_trial_and_of_all() {
    let summary = Summary::of(&run());
    let groups = summary.trials.iter().map(|t| vec![t]).chain([summary.trials.iter().collect()]);
    for trials in groups {
        let hosts = host_share::of(trials.iter().copied());
        let shares: f64 = hosts.iter().map(|host| host.share.unwrap()).sum();
        assert!((shares - 1.0).abs() < 1e-12, "{shares}");
        let whole: u64 = trials.iter().map(|t| t.tally.accounting.completed).sum();
        assert_eq!(hosts.iter().map(|host| host.completed).sum::<u64>(), whole);
        assert_eq!(hosts.iter().map(|host| host.response.count()).sum::<u64>(), whole);
    }
    let whole = host_share::of(&summary.trials);
    assert_eq!(whole.iter().map(|host| host.clients).collect::<Vec<_>>(), [(3, 30), (2, 20), (1, 10)]);
    assert_eq!(host_share::machines(&whole).len(), 1);
    let line = in_one_line(&whole).unwrap();
    assert!(line.english().starts_with("3: load-1 5"), "{}", line.english());
    assert!(line.english().ends_with("; lost: load-3"), "{}", line.english());
    // Many hosts are not named.
    let many: Vec<_> = (0..64).map(|n| whole[n % 2].clone()).collect();
    assert!(in_one_line(&many).unwrap().english().contains(" % of the throughput each"));
    assert!(in_one_line(&[]).is_none());
}

#[test]
fn what_a_lost_host_did_not_report_is_not_known() {
    let summary = Summary::of(&run());
    let (last, others) = summary.trials.split_last().unwrap();
    let lost = &host_share::of([last])[2];
    assert_eq!((lost.workers, lost.client_cores, lost.late_ns), (None, None, None));
    assert_eq!(lost.lost[0].0, last.trial.number);
    // Its CPU time over all trials is that of the others.
    let (with, without) = (&host_share::of(&summary.trials)[2], &host_share::of(others)[2]);
    assert_eq!(with.client_cores.unwrap(), without.client_cores.unwrap());
    let json: serde_json::Value = serde_json::from_str(&export::json(&summary, None)).unwrap();
    let text = json["trials"].as_array().unwrap().last().unwrap()["hosts"][2].clone();
    assert!(text["client_cpu_s"].is_null() && text["workers"].is_null() && text["late_ms"].is_null(), "{text}");
    assert_eq!((text["late_reports"].as_u64(), text["lost"].is_object()), (Some(2), true), "{text}");
    let page = page::render(&summary, &[], Language::English);
    assert!(page.contains("nothing was heard of it for 3.1 s") && page.contains("3.1 秒間、応答がありません"));
}

/// The sections of a page by their identifiers.
fn sections(page: &str) -> BTreeMap<&str, &str> {
    let parts = page.split("<section id=\"").skip(1);
    parts.map(|part| part.split("</section>").next().unwrap().split_once('"').unwrap()).collect()
}

#[test]
fn the_rest_of_the_page_is_that_of_one_host() {
    let mut together = run();
    let last = together.iter().map(Event::trial).max().unwrap();
    together.retain(|event| event.trial() != last);
    let of_host = |event: &Event| match event {
        Event::HostInterval { .. } | Event::HostFinished { .. } => true,
        Event::ObserverDeclared { observer, .. } | Event::Observation { observer, .. } => {
            host_of_observer(observer).is_some()
        }
        _ => false,
    };
    let mut alone: Vec<Event> = together.iter().filter(|event| !of_host(event)).cloned().collect();
    for event in &mut alone {
        if let Event::TrialPlanned { planned, .. } = event {
            planned.hosts = None;
        }
    }
    let render = |events: &[Event]| page::render(&Summary::of(events), &[], Language::English);
    let (together, alone) = (render(&together), render(&alone));
    let (mut many, one) = (sections(&together), sections(&alone));
    let own = many.remove("load-hosts").unwrap();
    assert!(own.contains("load-2") && !own.contains(">lost<"), "{own}");
    assert!(!one.contains_key("load-hosts") && one.len() > 8);
    let readings =
        |page: &BTreeMap<&str, &str>| page["readings"].split("<details class=\"about\">").next().unwrap().to_owned();
    let (with, without) = (readings(&many), readings(&one));
    let more = with.strip_prefix(without.trim_end()).expect("the others come first, as they are");
    assert!(more.contains("client.process") && !more.contains("client.process@"), "{more}");
    many.remove("readings");
    // Its conditions say that several hosts drove the load.
    let answer = many.remove("answer").unwrap();
    assert!(one["answer"] != answer && answer.contains("load hosts"), "{answer}");
    // Of the client it is said which host has most of a figure.
    let why = many.remove("why").unwrap();
    assert!(why.contains("on load host load-") && !one["why"].contains("on load host"), "{why}");
    for (id, section) in many {
        assert!(one[id] == section, "{id}");
    }
}
