//! Further synthetic runs for tests of the page: few and many targets and trials, long names, runs that were stopped or
//! failed, every doubt.
//!
//! It is long because every kind of run that a page must carry is a function here.

use crate::common::{PLAN, events};
use std::collections::BTreeMap;
use tenbin_model::digest::{DigestCounts, DigestReport, StatementDigest};
use tenbin_model::event::{EndState, Event, Phase, Severity};
use tenbin_model::load_host::{LoadHostPart, observer_of_host};
use tenbin_model::names::path;
use tenbin_model::names::replica;
use tenbin_model::names::session::{self, SessionClass};
use tenbin_model::reading::{ReadingSpec, Whose};
use tenbin_model::readings::LOST;
use tenbin_model::tally::{Accounting, Tally, TransactionTally};
use tenbin_model::trial::{Arrivals, Overload, Schedule};
use tenbin_words::message::foreign;
use tenbin_words::msg;
use tenbin_words::problem::Problem;

#[path = "shapes.rs"]
mod shapes;

/// A name, and what makes its events.
pub type Variant = (&'static str, fn() -> Vec<Event>);

/// The events of those that are wanted, one after another: all of them at once fill gigabytes.
pub fn each(wanted: impl Fn(&str) -> bool) -> impl Iterator<Item = (&'static str, Vec<Event>)> {
    all().into_iter().filter(move |(name, _)| wanted(name)).map(|(name, make)| (name, make()))
}

/// The events of one.
pub fn named(name: &str) -> Vec<Event> {
    each(|other| other == name).next().expect("it is one of them").1
}

fn all() -> Vec<Variant> {
    let mut all: Vec<Variant> = vec![
        ("plain", || events(PLAN)),
        ("one-target", || events(&plan(&["only"], "1, 2, 4, 8, 16, 32, 64, 128, 256, 512", 3))),
        ("one-trial", || events(&plan(&["only"], "8", 1))),
        ("five-targets", five),
        ("forty-targets", forty),
        ("many-trials", || events(&plan(&["before", "after"], "1, 4, 16, 64, 256", 20))),
        ("words", words),
        ("partial", partial),
        ("failed", failed),
        ("noisy", noisy),
        ("durability", durability),
        ("doubts", doubts),
        ("standstills", standstills),
        ("tpcc", tpcc),
        ("observed", observed),
        ("experiments", experiments),
        ("load-hosts", load_hosts),
    ];
    all.extend(shapes::all());
    all
}

fn plan(targets: &[&str], clients: &str, repeats: u32) -> String {
    let named: String = targets
        .iter()
        .enumerate()
        .map(|(i, t)| format!("[targets.\"{t}\"]\ndsn = \"mysql://bench@127.0.0.1:{}/sbtest\"\n", 3306 + i))
        .collect();
    format!(
        "schema = 1\nname = \"made up\"\n{named}[datasets.small]\nkind = \"sysbench\"\n[[experiment]]\nname = \"threads\"\ndataset = \"small\"\nrepeats = {repeats}\nwarmup = \"2s\"\nmeasure = \"6s\"\ninterval = \"1s\"\nload = {{ workload = \"oltp_read_write\" }}\nmatrix = {{ \"load.clients\" = [{clients}] }}\n"
    )
}

/// Two experiments, of which only the second has a matrix.
fn experiments() -> Vec<Event> {
    let one = "[[experiment]]\nname = \"writes\"\ndataset = \"small\"\nrepeats = 2\nwarmup = \"2s\"\nmeasure = \"6s\"\ninterval = \"1s\"\n\
               load = { workload = \"oltp_insert\", clients = 2 }\n[[experiment]]";
    events(&plan(&["before", "after"], "1, 8", 2).replacen("[[experiment]]", one, 1))
}

fn forty() -> Vec<Event> {
    let names: Vec<String> = (1..=40).map(|n| format!("db-{n:02}")).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let mut all = events(&plan(&names, "8, 64", 3));
    // Each on a machine of its own, with settings of its own.
    for event in &mut all {
        let Event::Facts { about, facts, .. } = event else { continue };
        if let Some(n) = about.strip_prefix("db-") {
            let of_machine =
                [("machine.cpu", "a processor"), ("machine.kernel", "6.1.0"), ("machine.memory", "64 GiB")];
            facts.extend(of_machine.map(|(name, value)| (name.to_owned(), format!("{value}, number {n}"))));
            let mode = "ONLY_FULL_GROUP_BY,STRICT_TRANS_TABLES,NO_ZERO_IN_DATE,ERROR_FOR_DIVISION_BY_ZERO,NO_ENGINE_SUBSTITUTION";
            facts.insert("variable.sql_mode".to_owned(), mode.to_owned());
            facts.insert(
                "variable.innodb_data_file_path".to_owned(),
                format!("/mnt/volume{n}/mysql/ibdata1:12M:autoextend"),
            );
        }
    }
    all
}

fn five() -> Vec<Event> {
    let names = [
        "MariaDB 11.4 on the old machines, InnoDB with a buffer pool of 12 GiB",
        "mysql-8.4.3-innodb-doublewrite-detect-and-recover-on-nvme-raid10-xfs",
        "クラウドのマネージド MySQL 8.4(4 vCPU、16 GiB、プロビジョンド IOPS 3,000)",
        "pg",
        "percona",
    ];
    events(&plan(&names, "1, 8, 64, 512", 2))
}

fn words() -> Vec<Event> {
    let all = "\"oltp_read_write\", \"oltp_read_only\", \"oltp_point_select\", \"oltp_update_non_index\", \"oltp_insert\", \"oltp_delete\"";
    events(
        &plan(&["before", "after"], "1", 2).replace("\"load.clients\" = [1]", &format!("\"load.workload\" = [{all}]")),
    )
}

/// A run that the user stopped in the fifth trial.
fn partial() -> Vec<Event> {
    let mut kept: Vec<Event> = events(PLAN).into_iter().take_while(|e| e.trial() < 6).collect();
    let cut = kept.iter().rposition(|e| matches!(e, Event::Interval { .. })).unwrap_or(0);
    kept.remove(cut);
    if let Some(Event::TrialFinished { state, measured_to_ns, at_ns, .. }) = kept.last_mut() {
        *state = EndState::Partial;
        *measured_to_ns -= 1_000_000_000;
        let note = Problem::new(foreign("stopped by the user"));
        let (trial, at_ns) = (5, *at_ns);
        kept.push(Event::Note { trial, at_ns, severity: Severity::Info, problem: note });
        kept.push(Event::RunFinished { at_ns, state: EndState::Partial });
    }
    kept
}

/// A run without any measurement, because all connections were refused.
fn failed() -> Vec<Event> {
    let doing = msg!("connecting-to", dsn = "mysql://bench@127.0.0.1:3306/sbtest");
    let why = "Access denied for user 'bench'@'localhost' (using password: YES)";
    let refused =
        Problem::new(msg!("failed-with-number", doing, why, number = 1045)).hint(msg!("check-user-and-password"));
    let mut all: Vec<Event> = events(PLAN)
        .into_iter()
        .filter(|e| !matches!(e, Event::Interval { .. } | Event::Observation { .. } | Event::Note { .. }))
        .collect();
    let started: Vec<u32> = all.iter().filter(|e| matches!(e, Event::TrialStarted { .. })).map(Event::trial).collect();
    for e in &mut all {
        match e {
            Event::TrialFinished { state, measured_from_ns, measured_to_ns, .. } => {
                *state = EndState::Failed;
                *measured_to_ns = *measured_from_ns;
            }
            Event::RunFinished { state, .. } => *state = EndState::Failed,
            _ => {}
        }
    }
    for trial in started {
        let at =
            all.iter().position(|e| matches!(e, Event::TrialFinished { trial: t, .. } if *t == trial)).unwrap_or(0);
        all.insert(at, Event::Note { trial, at_ns: 0, severity: Severity::Error, problem: refused.clone() });
    }
    all
}

/// A run whose repeats differ much more than its targets.
fn noisy() -> Vec<Event> {
    let mut all = events(&plan(&["before", "after"], "1, 2, 4", 5));
    let trials: BTreeMap<u32, f64> = all
        .iter()
        .filter_map(|event| {
            let Event::TrialPlanned { planned: t, .. } = event else { return None };
            let swing = f64::from((t.repeat * 7 + t.cell * 3 + t.target.place * 5) % 6) / 5.0;
            Some((t.number, (0.65 + 0.7 * swing) * 0.65f64.powf(1.0 - f64::from(t.target.place)) / 0.65))
        })
        .collect();
    for e in &mut all {
        if let Event::Interval { trial, tally, .. } = e {
            let scaled = |n: u64| (n as f64 / trials[trial]) as u64;
            for t in tally.transactions.values_mut() {
                t.completed = scaled(t.completed);
            }
            tally.accounting.completed = scaled(tally.accounting.completed);
            tally.accounting.scheduled = tally.accounting.completed + tally.accounting.failed;
        }
    }
    all
}

fn durability() -> Vec<Event> {
    let mut all = events(&plan(&["safe", "fast"], "1, 8, 64", 2));
    for e in &mut all {
        if let Event::Facts { about, facts, .. } = e
            && about != "client"
        {
            let flush = if about == "safe" { "1" } else { "2" };
            facts.insert("variable.innodb_flush_log_at_trx_commit".into(), flush.into());
            facts.insert("variable.sync_binlog".into(), "1".into());
            facts.insert("variable.datadir".into(), format!("/srv/{about}"));
            facts.insert("variable.optimizer_switch".into(), "index_merge=on,index_merge_union=on,index_merge_sort_union=on,index_merge_intersection=on,index_merge_sort_intersection=off,engine_condition_pushdown=off,index_condition_pushdown=on".into());
        }
    }
    all
}

/// The workload `tpcc` on two targets for four minutes, with an increasing and then constant throughput.
fn tpcc() -> Vec<Event> {
    let plan = "schema = 1\nname = \"derived from TPC-C\"\n[targets.before]\ndsn = \"mysql://bench@127.0.0.1:3306/tpcc\"\n\
                [targets.after]\ndsn = \"mysql://bench@127.0.0.1:3307/tpcc\"\n[datasets.ten]\nkind = \"tpcc\"\nwarehouses = 10\n\
                tables = 2\n[[experiment]]\nname = \"warehouses\"\ndataset = \"ten\"\nrepeats = 2\nwarmup = \"10s\"\n\
                measure = \"240s\"\ninterval = \"1s\"\n[experiment.load]\nkind = \"tpcc\"\nclients = 16\n";
    let mut all = events(plan);
    let mut second = 0;
    for e in &mut all {
        match e {
            Event::TrialPlanned { planned, .. } => {
                planned.load.options.insert("profile".to_owned(), "batched".to_owned());
            }
            Event::TrialStarted { .. } => second = 0,
            Event::Interval { tally, .. } => {
                second += 1;
                five_types(tally, second);
            }
            _ => {}
        }
    }
    all
}

/// Replaces the transactions of a second by the five of TPC-C; fewer of them in the first 50 seconds.
pub fn five_types(tally: &mut Tally, second: u64) {
    let ramp = second.min(50);
    let whole = tally.transactions.remove("oltp_read_write").unwrap_or_default();
    tally.accounting = Accounting::default();
    for (name, cards) in [("new_order", 10), ("payment", 10), ("order_status", 1), ("delivery", 1), ("stock_level", 1)]
    {
        let n = whole.completed * cards * ramp / (23 * 50);
        let mut part = TransactionTally { completed: n, ..TransactionTally::default() };
        let ns = whole.response.quantile_ns(0.5) * (1 + cards % 3);
        for h in [&mut part.response, &mut part.service] {
            h.record_n(ns, n - n / 20);
            h.record_n(3 * ns, n / 20);
        }
        part.wait.record_n(0, n);
        tally.accounting.scheduled += n;
        tally.accounting.completed += n;
        tally.transactions.insert(name.into(), part);
    }
    let orders = tally.transactions["new_order"].completed;
    let (payments, few) = (tally.transactions["payment"].completed, tally.transactions["delivery"].completed);
    // 1 % of the orders, counted in every second interval to reduce rounding.
    let counts = [
        ("new_order_rolled_back", u64::from(second.is_multiple_of(2)) * orders / 50),
        ("new_order_lines", 10 * orders),
        ("new_order_remote_lines", orders / 10),
        ("payment_remote", payments * 15 / 100),
        ("payment_by_name", payments * 6 / 10),
        ("order_status_by_name", few * 6 / 10),
        ("delivery_districts", 10 * few),
    ];
    tally.counters = counts.into_iter().map(|(name, n)| (name.to_owned(), n)).collect();
}

/// Servers that died, hung or stopped for a time (trials 1 to 4), clients that were stopped or suspended (4, 5), and a
/// trial without problems (6).
fn standstills() -> Vec<Event> {
    let mut all = events(&plan(&["before", "after"], "1, 8, 64", 2));
    let number = |e: &Event| match e {
        Event::Interval { from_ns, .. } => *from_ns,
        _ => 0,
    };
    for trial in 1..=6 {
        let measured = |e: &&Event| e.trial() == trial && matches!(e, Event::Interval { phase: Phase::Measure, .. });
        let from: Vec<u64> = all.iter().filter(measured).map(number).collect();
        let silent = match trial {
            // 1: the server is killed; 2: it hangs until the end; 3 and 4: it stops for two of six seconds.
            1 | 2 => from[3]..u64::MAX,
            3 | 4 => from[2]..from[4],
            _ => continue,
        };
        for e in all.iter_mut().filter(|e| e.trial() == trial) {
            match e {
                Event::Interval { from_ns, clients, tally, .. } if silent.contains(from_ns) => {
                    let connected = if trial == 1 { 0 } else { *clients };
                    *tally =
                        Tally { unavailable_ns: u64::from(*clients - connected) * 1_000_000_000, ..Tally::default() };
                    *clients = connected;
                }
                Event::Interval { phase: Phase::Measure, from_ns, tally, .. } if *from_ns == from[0] => {
                    tally.accounting.open += 1;
                    tally.accounting.scheduled += 1;
                    let t = tally.transactions.values_mut().next();
                    t.into_iter().for_each(|t| t.response.record(if trial < 3 { 1 } else { 2_000_000_000 }));
                }
                Event::TrialFinished { client_halts, .. } if trial == 4 => client_halts.stopped_ns = 2_000_000_000,
                _ => {}
            }
        }
    }
    for e in &mut all {
        if let Event::TrialFinished { trial: 5, client_halts, .. } = e {
            client_halts.suspended_ns = 300_000_000;
        }
    }
    let at_ns = 1_500_000_000;
    let gone = |value: &str| [(value.to_owned(), 1.0)].into();
    let sample = |value| Event::Observation {
        trial: 1,
        observer: "server.process".into(),
        at_ns,
        source_unix_ns: None,
        values: gone(value),
    };
    let begin = all.iter().position(|e| matches!(e, Event::TrialStarted { trial: 1, .. })).unwrap_or(0);
    all.splice(begin + 1..begin + 1, [sample("cpu_user_s"), sample("lost")]);
    all
}

/// A run in which each doubt occurs at least once.
fn doubts() -> Vec<Event> {
    // Long enough for doubts that need several samples of the machine.
    let plan = plan(&["before", "after"], "1, 8, 64", 2).replace("measure = \"6s\"", "measure = \"12s\"");
    let mut all = events(&plan);
    // The server of trial 7 is observed too, so that its CPU time is not attributed to other processes.
    let samples: Vec<usize> =
        (0..all.len()).filter(|i| matches!(&all[*i], Event::Observation { trial: 7, .. })).rev().collect();
    for at in samples {
        if let Event::Observation { at_ns, .. } = &all[at] {
            let values = ["cpu_user_s", "cpu_system_s"].map(|name| (name.to_owned(), *at_ns as f64 / 2e9)).into();
            let sample = Event::Observation {
                trial: 7,
                observer: "server.process".into(),
                at_ns: *at_ns,
                source_unix_ns: None,
                values,
            };
            all.insert(at, sample);
        }
    }
    for e in &mut all {
        match e {
            // Hardly ever in a transaction; and in one for longer than the window.
            Event::Interval { trial: 8, tally, .. } => tally.in_progress_ns = 1,
            Event::TrialFinished { trial: 9, oldest_open_ns, .. } => *oldest_open_ns = Some(60_000_000_000),
            _ => {}
        }
    }
    for e in &mut all {
        match e {
            Event::TrialPlanned { planned, .. } if planned.number == 5 => {
                planned.load.schedule = Schedule::Open {
                    rate: 5000.0,
                    arrivals: Arrivals::Poisson,
                    overload: Overload::Queue { limit: 1000 },
                };
            }
            Event::Interval { trial: 2, tally, .. } => tally.accounting.scheduled += 1,
            Event::Interval { trial: 3, tally, .. } => {
                tally.accounting.failed = 0;
                tally.accounting.scheduled = tally.accounting.completed;
                tally.transactions.values_mut().for_each(|t| t.failed = 0);
                // Half of the transactions are missing, which contradicts Little's law.
                tally.accounting.completed /= 2;
                tally.accounting.scheduled = tally.accounting.completed;
            }
            Event::Interval { trial: 5, tally, .. } => {
                tally.accounting.skipped += 900;
                tally.accounting.scheduled += 900;
            }
            Event::Interval { trial: 6, tally, .. } => {
                tally.accounting.failed += 40;
                tally.accounting.scheduled += 40;
                tally.reconnects = 3;
                tally.transactions.values_mut().for_each(|t| (t.failed, t.retries) = (t.failed + 40, 12));
                tally.statements.values_mut().for_each(|s| {
                    s.errors.insert("1205".into(), 20);
                    s.errors.insert("2013".into(), 20);
                });
            }
            Event::Interval { trial: 9, tally, .. } => {
                tally.accounting.completed /= 50;
                tally.accounting.scheduled = tally.accounting.completed + tally.accounting.failed;
            }
            Event::Observation { trial: 7, at_ns, values, observer, .. } if observer == "client.host" => {
                values.insert("cpu_steal_s".into(), *at_ns as f64 / 1e9);
                for (name, cores) in [
                    ("user", 3.0),
                    ("nice", 0.0),
                    ("system", 1.0),
                    ("irq", 0.0),
                    ("softirq", 0.0),
                    ("idle", 0.1),
                    ("iowait", 0.0),
                ] {
                    values.insert(format!("cpu_{name}_s"), cores * *at_ns as f64 / 1e9);
                }
            }
            Event::TrialFinished { trial: 8, client_cpu_ns, measured_from_ns, measured_to_ns, .. } => {
                *client_cpu_ns = 2 * (*measured_to_ns - *measured_from_ns);
            }
            Event::TrialFinished { trial: 10, state, .. } => *state = EndState::Partial,
            Event::TrialFinished { trial: 11, state, .. } => *state = EndState::Failed,
            _ => {}
        }
    }
    // The log of the last trial is lost.
    all.retain(|e| !(e.trial() == 12 && matches!(e, Event::Interval { .. } | Event::TrialFinished { .. })));
    all
}

/// The declarations of the observers of such a run beside those of every run.
fn declared_beside(trial: u32, second: &str) -> Vec<Event> {
    let path = [path::SENT, path::RECEIVED].map(|name| ReadingSpec::counter(name, "bits", Whose::Network));
    let segments = [path::SEGMENTS, path::RETRANSMITTED].map(|name| ReadingSpec::counter(name, "", Whose::Network));
    let lags = ["r1", second].into_iter().flat_map(|name| {
        let names = [replica::at_least(name), replica::at_most(name), replica::seconds_behind(name)];
        names.map(|name| ReadingSpec::gauge(name, "s", Whose::Replica))
    });
    let classes = SessionClass::ALL.iter().filter(|class| **class != SessionClass::Running).map(|class| class.name());
    let classes = classes.chain([session::ACTIVE, session::IN_TRANSACTION, session::OF_OTHERS]);
    let of_sessions = classes.map(|name| ReadingSpec::gauge(name, "", Whose::Server));
    let binlog = vec![ReadingSpec::counter("binlog_bytes", "bytes", Whose::Server)];
    let all = [
        (path::OBSERVER, path.into_iter().chain(segments).collect()),
        (replica::OBSERVER, lags.collect()),
        ("server.binlog", binlog),
        (session::OBSERVER, of_sessions.collect::<Vec<_>>()),
    ];
    let declared = |(observer, readings): (&str, Vec<ReadingSpec>)| Event::ObserverDeclared {
        trial,
        observer: observer.into(),
        period_ms: 500,
        readings,
    };
    all.into_iter().map(declared).collect()
}

/// A run whose source has two replicas, one of which falls behind, whose server is behind a network that sends segments
/// again, and which has counted its statements, also those of others.
fn observed() -> Vec<Event> {
    let second = "replica-in-the-other-data-centre";
    let servers = format!("r1 = \"mysql://r1/\", {second} = \"mysql://r2/\"");
    let plan = plan(&["source", "クラウドのマネージド MySQL 8.4(4 vCPU)"], "8, 64", 1);
    let plan = plan.replacen("/sbtest\"\n", &format!("/sbtest\"\nreplicas = {{ {servers} }}\n"), 1);
    let mut all = Vec::new();
    let mut begun: BTreeMap<u32, u64> = BTreeMap::new();
    let mut source = std::collections::BTreeSet::new();
    for event in events(&plan) {
        if let Event::TrialPlanned { planned, .. } = &event
            && planned.target.name == "source"
        {
            source.insert(planned.number);
        }
        if let Event::Interval { trial, from_ns, .. } = &event {
            if !begun.contains_key(trial) {
                all.extend(declared_beside(*trial, second));
            }
            let start_ns = *begun.entry(*trial).or_insert(*from_ns);
            for half in 0..2 {
                let at_ns = from_ns + half * 500_000_000;
                let s = (at_ns - start_ns) as f64 / 1e9;
                let observation = |observer: &str, values: &[(String, f64)]| Event::Observation {
                    trial: *trial,
                    observer: observer.to_owned(),
                    at_ns,
                    source_unix_ns: None,
                    values: values.iter().cloned().collect(),
                };
                if source.contains(trial) {
                    let lag = |name: &str, lag_s: f64| {
                        [
                            (replica::at_least(name), lag_s),
                            (replica::at_most(name), lag_s + 0.2),
                            (replica::seconds_behind(name), lag_s.floor()),
                        ]
                    };
                    all.push(observation(replica::OBSERVER, &[lag("r1", 0.5 * s), lag(second, 0.1)].concat()));
                    let binlog = ("binlog_bytes".to_owned(), 1e8 + 4e6 * s);
                    all.push(observation("server.binlog", &[binlog]));
                }
                // The sessions of the source are sampled, except for some seconds; those of the other server never are.
                let asleep = (2.0..4.9).contains(&s);
                let sampled = SessionClass::ALL.iter().filter(|class| **class != SessionClass::Running);
                let sampled = sampled.enumerate().map(|(n, class)| (class.name().to_owned(), (n % 4) as f64));
                let more = [(session::ACTIVE, 16.0), (session::IN_TRANSACTION, 3.0), (session::OF_OTHERS, 0.0)];
                let sampled = sampled.chain(more.map(|(name, n)| (name.to_owned(), n))).collect::<Vec<_>>();
                if source.contains(trial) && !asleep {
                    all.push(observation(session::OBSERVER, &sampled));
                } else if s == 0.0 {
                    all.push(observation(session::OBSERVER, &[(LOST.to_owned(), 1.0)]));
                }
                let path = [
                    (path::SENT, 2e7 * s),
                    (path::RECEIVED, 9e7 * s),
                    (path::SEGMENTS, 9e3 * s),
                    (path::RETRANSMITTED, 1e3 * s),
                ];
                all.push(observation(path::OBSERVER, &path.map(|(name, value)| (name.to_owned(), value))));
            }
        }
        if let Event::TrialFinished { trial, measured_from_ns, measured_to_ns, .. } = &event {
            let counts = |count: u64| DigestCounts {
                count,
                total_ns: count * 120_000,
                errors: count / 1000,
                rows: count,
                rows_examined: 100 * count,
                no_index: count / 2,
                tmp_disk_tables: 1,
            };
            let statement = |text: &str, schema: &str, foreign, count| StatementDigest {
                text: text.to_owned(),
                schema: Some(schema.to_owned()),
                foreign,
                counts: counts(count),
            };
            let long = format!("SELECT `{}` FROM `sbtest1` WHERE `id` BETWEEN ? AND ? ORDER BY `c`", "c".repeat(300));
            let report = DigestReport {
                from_ns: *measured_from_ns,
                to_ns: *measured_to_ns,
                statements: vec![
                    statement(&long, "sbtest", false, 60_000),
                    statement("SELECT * FROM `orders` WHERE `note` = '<script>alert(1)</script>'", "shop", true, 4_000),
                ],
                others: counts(17),
                problems: vec![Problem::new(foreign("a consumer <is> off")).hint(foreign("UPDATE setup_consumers"))],
            };
            all.push(Event::ServerStatements { trial: *trial, report });
        }
        all.push(event);
    }
    all
}

/// A run that three load hosts drive together, with 3, 2 and 1 of 6 clients. In the last trial the third is lost.
fn load_hosts() -> Vec<Event> {
    let second = 1_000_000_000;
    let planned = events(&plan(&["before", "after"], "6, 60", 2));
    let last = planned.iter().map(Event::trial).max().unwrap_or(0);
    let (mut all, mut in_window, mut all_clients) = (Vec::new(), 0, 0);
    for mut event in planned {
        match &mut event {
            Event::TrialPlanned { planned, .. } => {
                planned.hosts = serde_json::from_str(r#"{"at":"local","count":3,"if_lost":"continue"}"#).ok();
            }
            Event::TrialStarted { trial, .. } => {
                in_window = 0;
                for host in 1..=3 {
                    let readings = vec![ReadingSpec::counter("run_delay_s", "s", Whose::Client)];
                    let observer = observer_of_host("client.process", host);
                    all.push(Event::ObserverDeclared { trial: *trial, observer, period_ms: 1000, readings });
                }
            }
            Event::Interval { trial, phase, from_ns, to_ns, clients, tally, completions, .. } => {
                in_window += u64::from(*phase == Phase::Measure);
                let hosts = if *trial == last && in_window > 3 { 1..=2 } else { 1..=3 };
                let whole = std::mem::take(tally);
                all_clients = std::mem::take(clients);
                for host in hosts {
                    let part = share_of(&whole, 4 - u64::from(host));
                    let clients_of_host = all_clients * (4 - host) / 6;
                    tally.merge(&part);
                    *clients += clients_of_host;
                    all.push(Event::HostInterval {
                        trial: *trial,
                        host,
                        phase: *phase,
                        from_ns: *from_ns,
                        to_ns: *to_ns,
                        clients: clients_of_host,
                        tally: part,
                        completions: *completions,
                    });
                    all.push(Event::Observation {
                        trial: *trial,
                        observer: observer_of_host("client.process", host),
                        at_ns: *from_ns,
                        source_unix_ns: None,
                        values: [("run_delay_s".to_owned(), *from_ns as f64 / 1e12)].into(),
                    });
                }
            }
            Event::TrialFinished { trial, .. } => {
                for host in 1..=3 {
                    let part = LoadHostPart {
                        name: format!("load-{host}"),
                        machine: "0d4f3a52-6b0e-4a1f-9d3c-5f7a1c2b3e4d".into(),
                        cores: Some(8.0),
                        clients: all_clients * (4 - host) / 6,
                        offset_ns: -1_200_000 * i64::from(host),
                        offset_error_ns: 4_000 + 1_000 * u64::from(host),
                        drift_ns: 300,
                        drift_error_ns: 9_000,
                        ..LoadHostPart::default()
                    };
                    let part = if *trial == last && host == 3 {
                        let why = msg!("host-silent-for", seconds = "3.1");
                        let lost = Problem::new(msg!("host-lost", host = part.name)).evidence(why);
                        LoadHostPart { lost: Some(lost), late_reports: 2, ..part }
                    } else {
                        let client_cpu_ns = second * u64::from(4 - host) / 2;
                        LoadHostPart { workers: 2, client_cpu_ns, late_ns: 2_000_000, ..part }
                    };
                    all.push(Event::HostFinished { trial: *trial, host, part });
                }
            }
            _ => {}
        }
        all.push(event);
    }
    all
}

/// This many sixths of a tally, with the same mean response time.
fn share_of(whole: &Tally, sixths: u64) -> Tally {
    let (all, mut part) = (whole.all_starts(), TransactionTally::default());
    part.completed = all.completed * sixths / 6;
    let slow = part.completed / 20;
    for (times, of_all) in [(&mut part.response, &all.response), (&mut part.service, &all.service)] {
        let mean_ns = of_all.mean_ns();
        times.record_n((0.9 * mean_ns) as u64, part.completed - slow);
        times.record_n((2.9 * mean_ns) as u64, slow);
    }
    part.wait.record_n(0, part.completed);
    let mut tally = Tally::default();
    (tally.accounting.scheduled, tally.accounting.completed) = (part.completed, part.completed);
    tally.transactions.insert("oltp_read_write".into(), part);
    tally
}
