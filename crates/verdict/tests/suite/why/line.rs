//! A line that is full although its rate is not known: found by what it does, and not taken for a server that is busy.

use super::case::{Case, overdue, usual};
use std::collections::BTreeMap;
use tenbin_model::event::Event;
use tenbin_model::summary::Summary;
use tenbin_verdict::judged_trial::JudgedTrial;
use tenbin_verdict::why::{Bottleneck, Diagnosis, of_trial};

/// A statement that does nothing takes 14 ms under load, of a response time of 16 ms, and this time before the load; the server
/// is reached through an interface of its own machine.
fn queued(target: &'static str) -> Case {
    let case = Case { target, ..usual() };
    let case = case.counter("client.path", "sent_bits", 1e6).counter("client.path", "received_bits", 2e7);
    case.gauge("client.rtt", "rtt_s", 0.010).gauge("client.rtt", "rtt_median_s", 0.014)
}

const CONTAINER: &str = "dsn = \"mysql://root@172.17.0.2/sbtest\"";
const ELSEWHERE: &str = "dsn = \"mysql://root@192.0.2.1/sbtest\"\nhost = \"none\"";

/// With a round trip before the load, and a second trial with this many clients whose line carried this share of the first one.
fn summary(case: &Case, idle_s: f64, other: Option<(u32, f64)>) -> Summary {
    let mut summary = case.summary();
    let values = BTreeMap::from([("rtt_s".to_owned(), idle_s), ("rtt_median_s".to_owned(), idle_s)]);
    let (observer, source_unix_ns) = ("client.rtt".to_owned(), None);
    summary.take(&Event::Observation { trial: 1, observer, at_ns: 500_000_000, source_unix_ns, values });
    if let Some((clients, share)) = other {
        let less = |one: &(&'static str, &'static str, f64)| match one.0 {
            "client.path" => (one.0, one.1, one.2 * share),
            _ => *one,
        };
        let counters = case.counters.iter().map(less).collect();
        let mut second =
            Case { counters, target: case.target, jitter: case.jitter, ..usual() }.summary().trials[0].clone();
        (second.trial.number, second.trial.load.clients) = (2, clients);
        summary.trials.push(second);
    }
    summary
}

fn diagnosis(case: &Case, idle_s: f64, other: Option<(u32, f64)>) -> Diagnosis {
    let summary = summary(case, idle_s, other);
    let trial = summary.trials[0].clone();
    of_trial(&summary, &trial).unwrap_or_else(|| panic!("{:?}", trial.doubts()))
}

fn found(case: &Case, idle_s: f64) -> String {
    diagnosis(case, idle_s, None).words().english().to_owned()
}

#[test]
fn a_queue_before_the_line_is_the_network_where_the_server_is_not_busy() {
    insta::assert_snapshot!(found(&queued(CONTAINER), 0.0002), @"the limit was the network (a statement that does nothing takes 14.000 ms under load and 0.200 ms without: this queue is 86 % of the response time; limit 40 %; 20 Mbit/s, even from sample to sample)");
    let limit = |case: Case, idle_s| diagnosis(&case, idle_s, None).outcome.code();
    let short = || queued(CONTAINER).with("client.rtt/rtt_median_s", 0.0003).with("client.rtt/rtt_s", 0.0002);
    assert_ne!(limit(short(), 0.0002), "network", "it is hardly longer under load");
    assert_eq!(limit(queued(CONTAINER).with("server.process/cpu_user_s", 1.7), 0.0002), "server-cpu");
    // What lets no session in makes a statement that does nothing wait, too.
    assert_eq!(limit(queued(CONTAINER).gauge("server.sessions", "admission", 9.0), 0.0002), "admission");
    let uneven = Case { jitter: 0.2, ..queued(CONTAINER) };
    assert_ne!(limit(uneven, 0.0002), "network", "a line that is full carries the same all the time");
    // At twice the rate that the line carries, starts wait for a free client besides.
    assert_eq!(limit(overdue(queued(CONTAINER)), 0.0002), "network");
}

#[test]
fn of_a_server_that_cannot_be_seen_the_rate_must_be_the_same_with_other_clients() {
    let unseen = || queued(ELSEWHERE).without("server.process");
    let alone = diagnosis(&unseen(), 0.0002, None);
    assert_eq!(alone.outcome.code(), "not-enough-evidence");
    let line = alone.missing.iter().find(|missing| missing.what.english() == "the rate of the line").unwrap();
    assert_eq!(line.how.english(), "write it in [targets.a], for example line = \"1Gbit\"");
    let flat = diagnosis(&unseen(), 0.0002, Some((4, 1.0)));
    insta::assert_snapshot!(flat.words().english(), @"the limit was the network (a statement that does nothing takes 14.000 ms under load and 0.200 ms without: this queue is 86 % of the response time; limit 20 %; 20 Mbit/s, the same with 4, 16 clients)");
    let limit = |case: Case, other| diagnosis(&case, 0.0002, Some(other)).outcome.code();
    assert_eq!(limit(unseen(), (4, 0.8)), "not-enough-evidence", "more clients got more through");
    assert_eq!(limit(unseen(), (16, 1.0)), "not-enough-evidence", "the same number of clients tells nothing");
    let uneven = Case { jitter: 0.02, ..unseen() };
    assert_eq!(limit(uneven, (4, 1.0)), "not-enough-evidence", "as even as a busy server's");
}

#[test]
fn a_rate_in_the_plan_decides() {
    let with = |line: &'static str| {
        let case = Case { target: line, ..queued(ELSEWHERE) }.without("server.process");
        diagnosis(&case, 0.0002, Some((4, 1.0)))
    };
    let full = with("dsn = \"mysql://root@192.0.2.1/sbtest\"\nhost = \"none\"\nline = \"20Mbit\"");
    assert!(
        full.words().english().starts_with("the limit was the network (20 of 20 Mbit/s, 100 % of the line"),
        "{full:?}"
    );
    let wide = with("dsn = \"mysql://root@192.0.2.1/sbtest\"\nhost = \"none\"\nline = \"1Gbit\"");
    let network = wide.judgements.iter().find(|judgement| judgement.bottleneck == Bottleneck::Network).unwrap();
    assert!(network.degree().unwrap() < 1.0, "{network:?}");
}

/// Between containers of one machine a round trip is processor time.
#[test]
fn round_trips_within_one_machine_are_the_network_only_if_something_delays_them() {
    let limit = |rtt_s: f64| {
        let case = Case { target: CONTAINER, statements: 100, ..usual() };
        let case = case.counter("client.path", "sent_bits", 1e6).counter("client.path", "received_bits", 2e6);
        diagnosis(&case.gauge("client.rtt", "rtt_s", rtt_s), rtt_s, None).outcome.code()
    };
    assert_eq!((limit(0.0001) == "network", limit(0.002)), (false, "network"));
}
