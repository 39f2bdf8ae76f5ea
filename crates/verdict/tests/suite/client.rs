//! What is doubted about the client and the machines: starved clients, swapping, heat, slow or stolen processors, a ceiling.

use crate::trust::{SECOND, TrialShape, doubts, rose, run, sound};
use std::collections::BTreeMap;
use tenbin_model::ceiling::ClientCeiling;
use tenbin_model::event::Event;
use tenbin_model::tally::StatementTally;
use tenbin_verdict::judged_trial::JudgedTrial;

#[test]
fn a_starved_client_is_told_wherever_the_server_is() {
    let remote = |waited_s| TrialShape { host: "db.example", ..rose("client.process/run_delay_s", waited_s) };
    assert_eq!(doubts("", remote(0.4)), "");
    assert_eq!(
        doubts("", remote(1.0)),
        "DEGRADED client-delayed: the only thread waited 10 % of the window (limit 5 %)\n"
    );
    assert!(doubts("", remote(6.0)).starts_with("INVALID client-delayed"));
    assert!(doubts("", remote(22.1)).contains("the only thread waited 100 % of the window"), "of the whole process");
    // What others than the clients' threads waited does not count.
    let observations = [("client.process/run_delay_s", 22.1), ("client.process/worker_run_delay_s", 0.4)]
        .iter()
        .flat_map(|(name, by)| [(0, *name, 100.0), (10 * SECOND, *name, 100.0 + by)])
        .collect();
    assert_eq!(doubts("", TrialShape { host: "db.example", observations, ..sound() }), "");
    // Beside the server both want the same processors.
    assert_eq!(doubts("", rose("client.process/run_delay_s", 1.0)), "");
    assert!(doubts("", rose("client.process/run_delay_s", 4.0)).starts_with("DEGRADED client-delayed"));
}

#[test]
fn machines_that_swap_throttle_or_lack_memory_are_told() {
    let text_of = |name, by| doubts("", rose(name, by));
    assert_eq!(text_of("client.host/swapped_in_pages", 2_000.0), "");
    assert_eq!(text_of("client.host/swapped_in_pages", 5_000.0), "DEGRADED swap: 500 pages per second (limit 256)\n");
    assert_eq!(text_of("server.host/memory_waited_s", 2.0), "DEGRADED memory: in 20 % of the window (limit 10 %)\n");
    assert_eq!(text_of("server.host/memory_waited_s", 0.5), "");
    assert_eq!(text_of("client.host/thermal_throttles", 3.0), "DEGRADED heat: 3 times in the window\n");
    assert_eq!(text_of("client.host/thermal_throttles", 0.0), "");
    assert!(text_of("client.process/clock_step_s", -3600.0).starts_with("DEGRADED clock: it was set by -3600.0 s"));
    assert_eq!(text_of("client.process/clock_step_s", 0.01), "");
}

#[test]
fn processors_of_a_busy_machine_that_run_slowly_are_told() {
    // Eight processors, busy for this many of the 80 s that they have in the window; MHz by name.
    let text_of = |busy_s: f64, mhz: &[(&'static str, f64)]| {
        let counters = [
            ("client.host/cpu_user_s", busy_s),
            ("client.host/cpu_nice_s", 0.0),
            ("client.host/cpu_system_s", 0.0),
            ("client.host/cpu_irq_s", 0.0),
            ("client.host/cpu_softirq_s", 0.0),
            ("client.host/cpu_iowait_s", 0.0),
            ("client.host/cpu_idle_s", 80.0 - busy_s),
        ];
        let mut shape = sound();
        for (at, share) in [(0, 0.0), (10 * SECOND, 1.0)] {
            shape.observations.extend(counters.map(|(name, value)| (at, name, value * share)));
            shape.observations.extend(mhz.iter().map(|(name, value)| (at, *name, *value)));
        }
        doubts("", shape)
    };
    let (now, base, max) = ("client.host/cpu_mhz", "client.host/cpu_base_mhz", "client.host/cpu_max_mhz");
    let governor = "client.host/cpu_governor_performance";
    assert_eq!(
        text_of(72.0, &[(now, 1200.0), (base, 2400.0), (max, 4000.0), (governor, 0.0)]),
        "DEGRADED slow-clock: 1,200 MHz on average are 50 % (limit 90 %) of 2,400 MHz, at 90 % use; the governor is not performance\n"
    );
    assert_eq!(text_of(72.0, &[(now, 2300.0), (base, 2400.0), (max, 4000.0)]), "", "all cores at work");
    assert_eq!(text_of(40.0, &[(now, 1200.0), (base, 2400.0)]), "", "it saves power, as it should");
    assert!(text_of(72.0, &[(now, 2320.0), (max, 4000.0)]).contains("58 % (limit 60 %) of 4,000 MHz"));
    assert_eq!(text_of(72.0, &[(now, 2500.0), (max, 4000.0)]), "");
    assert_eq!(text_of(72.0, &[(base, 2400.0)]), "", "no reading");
}

/// Of eight processors, of which Tenbin may use fewer: what the hypervisor took is a part of all that the machine has.
#[test]
fn stolen_time_is_a_share_of_all_processors_of_the_machine() {
    let text_of = |stolen_s: f64| {
        let none = ["cpu_nice_s", "cpu_system_s", "cpu_irq_s", "cpu_softirq_s", "cpu_iowait_s"];
        let none = none.map(|name| (["client.host/", name].concat(), 0.0));
        let some = [("cpu_user_s", 30.0), ("cpu_idle_s", 50.0 - stolen_s), ("cpu_steal_s", stolen_s)];
        let some = some.map(|(name, value)| (["client.host/", name].concat(), value));
        let mut shape = sound();
        for (name, value) in none.into_iter().chain(some) {
            let name: &'static str = name.leak();
            shape.observations.extend([(0, name, 0.0), (10 * SECOND, name, value)]);
        }
        doubts("", shape)
    };
    assert_eq!(text_of(0.7), "");
    assert_eq!(text_of(1.6), "DEGRADED steal: steal 2.0 % of 8 cores in the measured window\n");
}

#[test]
fn clients_at_their_ceiling_are_told_if_tenbin_was_the_limit_of_it() {
    let text_of = |per_s: u64, client_cpu_ns: u64| {
        let mut shape = sound();
        let mut select = StatementTally { completed: 200_000, ..Default::default() };
        select.service.record_n(390_000, 200_000);
        shape.more.statements.insert("select".into(), select);
        let mut summary = run("", &[shape]);
        let facts = BTreeMap::from([("cores".to_owned(), "2".to_owned())]);
        summary.take(&Event::Facts { trial: 0, about: "client".into(), facts });
        let ceiling = ClientCeiling {
            statement: "DO 0".into(),
            prepared: true,
            clients: 8,
            workers: 8,
            from_ns: SECOND,
            to_ns: 3 * SECOND,
            round_trips: 2 * per_s,
            client_cpu_ns,
        };
        summary.take(&Event::ClientCeiling { trial: 1, ceiling });
        let of = |d: &tenbin_model::doubt::Doubt| {
            format!(
                "{} {}: {}",
                d.verdict.name(),
                d.code,
                d.problem.evidence.as_ref().map_or("", |evidence_text| evidence_text.english())
            )
        };
        summary.trials[0].doubts().iter().map(of).collect::<Vec<_>>().join("\n")
    };
    assert_eq!(
        text_of(22_000, 3 * SECOND),
        "DEGRADED client-ceiling: 20,000 statements per second are 91 % (limit 80 %) of what these 8 clients reached with \
         DO 0, which does nothing: 22,000 per second, for which Tenbin used 1.50 of 2 cores"
    );
    assert_eq!(text_of(25_100, 3 * SECOND), "", "79.7 %");
    assert_eq!(text_of(22_000, SECOND), "", "the server, or the way to it, was the limit");
    assert_eq!(text_of(15_000, 3 * SECOND), "", "1.33 times it: it is none");
}
