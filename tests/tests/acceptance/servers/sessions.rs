//! Sampled sessions: each staged case is seen as the class that it is, on real servers; idle sessions and those of the
//! observers are not counted, and what an account may not see is reported.

#![expect(clippy::unwrap_used, reason = "a test may")]

use serde_json::Value;
use std::collections::BTreeMap;
use std::time::{Duration, Instant};
use tenbin_driver::{Command, Connection, Rows, Transport};
use tenbin_model::trial::Observe;
use tenbin_observers::{ALL, ObserverEvent, Sampling, Subject, Watch, watch};
use tenbin_tests::sql::{connector, on, open_as, query};
use tenbin_tests::{Seekdb, mariadb, mariadb_11_4, mysql, mysql_5_6, output_of, postgres, read_back, tenbin};
use tokio::task::{LocalSet, spawn_local};

type Counts = BTreeMap<String, f64>;

/// The observers of a server, all or that of the sessions only, with samples as often as they take them.
fn watching(dsn: &str, all: bool) -> Watch {
    let entries: Vec<_> = ALL.iter().filter(|entry| all || entry.name == "server.sessions").copied().collect();
    let every = Duration::from_millis(20);
    let sampling = Sampling { every, observe: Observe::Always, origin: Instant::now() };
    watch(&entries, &Subject::at(connector(dsn)), sampling)
}

/// The first sample of the sessions that is as wanted, which is what is waited for.
async fn seen(watch: &Watch, what: &str, wanted: impl Fn(&Counts) -> bool) -> Counts {
    let mut last = String::new();
    for _ in 0..3000 {
        while let Some(event) = watch.next() {
            match event {
                // One that came too early, or failed, has no counts.
                ObserverEvent::Sampled { observer: "server.sessions", sample, .. }
                    if sample.values.contains_key("active") =>
                {
                    if wanted(&sample.values) {
                        return sample.values;
                    }
                    last = format!("{:?}", sample.values);
                }
                ObserverEvent::Trouble(problem) => panic!("{problem}"),
                _ => {}
            }
        }
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    panic!("{what}: not seen within 30 s; the last sample: {last}");
}

async fn session(dsn: &str) -> Connection {
    open_as(dsn, Transport::Shared).await
}

async fn run(c: &mut Connection, statement: &str) {
    c.query(statement).await.unwrap_or_else(|e| panic!("{statement}: {e}"));
}

/// While one session has executed some statements, another one waits in a statement: it is the only active session, in
/// this class. Then the first one releases it.
async fn waits_as(
    class: &str,
    dsn: &str,
    watch: &Watch,
    first: &[&str],
    second: &'static str,
    release: &str,
) -> Counts {
    let (mut holder, mut waiter) = (session(dsn).await, session(dsn).await);
    for statement in first {
        run(&mut holder, statement).await;
    }
    let mut waiting = spawn_local(async move {
        run(&mut waiter, second).await;
        waiter.close().await;
    });
    let counts = tokio::select! {
        counts = seen(watch, second, |counts| counts.get(class) == Some(&1.0)) => counts,
        ended = &mut waiting => panic!("{second} has ended: {ended:?}"),
    };
    assert_eq!(counts["active"], 1.0, "{second}: {counts:?}");
    run(&mut holder, release).await;
    waiting.await.unwrap();
    holder.close().await;
    seen(watch, "all idle again", |counts| counts["active"] == 0.0 && counts.get("in_transaction") == Some(&0.0)).await;
    counts
}

/// Some sessions insert rows, one transaction each, until a sample shows one of them in its commit.
async fn commits_are_seen(dsn: &'static str, watch: &Watch) {
    let inserting: Vec<_> = (0..4)
        .map(|_| {
            spawn_local(async move {
                let mut c = session(dsn).await;
                loop {
                    run(&mut c, "INSERT INTO hot (v) VALUES (1)").await;
                }
            })
        })
        .collect();
    seen(watch, "commits", |counts| counts["commit"] >= 1.0).await;
    inserting.iter().for_each(tokio::task::JoinHandle::abort);
    for one in inserting {
        assert!(one.await.unwrap_err().is_cancelled());
    }
    seen(watch, "no more inserts", |counts| counts["active"] == 0.0).await;
}

/// A session whose client does not read the rows of its answer.
async fn a_client_that_does_not_read_is_seen(dsn: &str, rows: &str, watch: &Watch) {
    let mut c = session(dsn).await;
    c.send(&[Command::Query(rows)]).await.unwrap();
    seen(watch, rows, |counts| counts["client"] == 1.0).await;
    c.answer(&mut Rows::default()).await.unwrap();
    c.close().await;
}

fn leaked(dsn: String) -> &'static str {
    Box::leak(dsn.into_boxed_str())
}

/// The cases that MySQL and MariaDB have in common.
async fn of_the_mysql_family(dsn: &'static str) {
    let watch = watching(dsn, false);
    let idle = [session(dsn).await, session(dsn).await];
    let counts = seen(&watch, "anything", |_| true).await;
    assert_eq!((counts["active"], counts["in_transaction"], counts["of_others"]), (0.0, 0.0, 0.0), "{counts:?}");
    assert!(!counts.contains_key("running") && !counts.contains_key("read"), "not told by default: {counts:?}");

    let update = ["BEGIN", "UPDATE hot SET v = 2 WHERE id = 1"];
    let counts = waits_as("row_lock", dsn, &watch, &update, "UPDATE hot SET v = 3 WHERE id = 1", "COMMIT").await;
    assert_eq!(counts["in_transaction"], 1.0, "the other one: {counts:?}");
    waits_as("table_lock", dsn, &watch, &["LOCK TABLES hot WRITE"], "UPDATE hot SET v = 4", "UNLOCK TABLES").await;
    let read = ["BEGIN", "SELECT * FROM hot"];
    waits_as("table_lock", dsn, &watch, &read, "ALTER TABLE hot ADD COLUMN w INT", "COMMIT").await;
    waits_as("requested_wait", dsn, &watch, &[], "SELECT SLEEP(1)", "DO 1").await;
    waits_as("requested_wait", dsn, &watch, &["DO GET_LOCK('l', 0)"], "DO GET_LOCK('l', 9)", "DO RELEASE_LOCK('l')")
        .await;
    commits_are_seen(dsn, &watch).await;
    run(&mut session(dsn).await, "INSERT INTO hot (v) SELECT 1 FROM information_schema.columns LIMIT 100").await;
    let rows = "SELECT REPEAT('x', 60000) FROM hot a, hot b LIMIT 1000";
    a_client_that_does_not_read_is_seen(dsn, rows, &watch).await;

    // Another account is of others, and it is reported that it does not see ours.
    let mut c = session(dsn).await;
    run(&mut c, "CREATE USER 'app'@'%' IDENTIFIED BY 'a'").await;
    run(&mut c, "GRANT SELECT ON sbtest.* TO 'app'@'%'").await;
    let (address, parameters) = dsn.split_once('@').unwrap();
    assert!(address.starts_with("mysql://"));
    let app = leaked(format!("mysql://app:a@{}", parameters.split('?').next().unwrap()));
    let sleeping = spawn_local(async move { run(&mut session(app).await, "SELECT SLEEP(1)").await });
    let counts = seen(&watch, "others", |counts| counts["of_others"] == 1.0).await;
    assert_eq!(counts["active"], 0.0, "{counts:?}");
    sleeping.await.unwrap();
    let watch = watching(app, false);
    let mut text = Vec::new();
    while text.len() < 2 {
        match watch.next() {
            Some(ObserverEvent::Trouble(problem)) => text.push(problem.code().unwrap_or_default().to_owned()),
            Some(ObserverEvent::Sampled { sample: sampled, .. }) => {
                assert!(!sampled.values.contains_key("row_lock") && !sampled.values.contains_key("of_others"));
                text.push("sampled".to_owned());
            }
            _ => tokio::time::sleep(Duration::from_millis(10)).await,
        }
    }
    text.sort();
    assert_eq!(text, ["row-locks-not-visible", "sampled"]);
    for c in idle {
        c.close().await;
    }
}

const HOT: &str = "CREATE TABLE hot (id INT AUTO_INCREMENT PRIMARY KEY, v INT)";

/// On a runtime of its own, with tasks beside it.
fn staged(work: impl Future<Output = ()>) {
    on(LocalSet::new().run_until(work));
}

#[test]
fn mariadb_shows_what_its_sessions_wait_for() {
    let server = mariadb(&[]);
    let dsn = leaked(server.dsn());
    query(dsn, HOT);
    query(dsn, "INSERT INTO hot (v) VALUES (1), (1)");
    staged(of_the_mysql_family(dsn));
}

#[test]
fn mysql_shows_what_its_sessions_wait_for_and_more_if_waits_are_recorded() {
    let server = mysql("8.0.31", &[]);
    let dsn = leaked(server.dsn());
    query(dsn, HOT);
    query(dsn, "INSERT INTO hot (v) VALUES (1), (1)");
    staged(of_the_mysql_family(dsn));

    query(dsn, "UPDATE performance_schema.setup_consumers SET enabled = 'YES' WHERE name = 'events_waits_current'");
    query(dsn, "UPDATE performance_schema.setup_instruments SET enabled = 'YES' WHERE name LIKE 'wait/synch/%'");
    staged(async {
        let watch = watching(dsn, false);
        let counts = seen(&watch, "anything", |_| true).await;
        assert!(["read", "write", "latch"].iter().all(|class| counts[*class] == 0.0), "{counts:?}");
        let read = ["BEGIN", "SELECT * FROM hot"];
        waits_as("table_lock", dsn, &watch, &read, "ALTER TABLE hot ADD COLUMN x INT", "COMMIT").await;
        let update = ["BEGIN", "UPDATE hot SET v = 2 WHERE id = 1"];
        waits_as("row_lock", dsn, &watch, &update, "UPDATE hot SET v = 3 WHERE id = 1", "COMMIT").await;
        waits_as("requested_wait", dsn, &watch, &[], "SELECT SLEEP(1)", "DO 1").await;
    });
}

#[test]
fn mariadb_shows_statements_that_wait_for_a_thread_of_the_pool() {
    // One group with one worker thread and a second one if that stalls, so that the third statement waits.
    let pool = [("thread_handling", "pool-of-threads"), ("thread_pool_size", "1"), ("thread_pool_max_threads", "2")];
    let server = mariadb(&pool);
    let dsn = leaked(server.dsn());
    staged(async {
        let watch = watching(dsn, false);
        let counts = seen(&watch, "anything", |_| true).await;
        assert_eq!(counts["admission"], 0.0, "{counts:?}");
        let working: Vec<_> = (0..6)
            .map(|_| {
                spawn_local(async {
                    let mut c = session(dsn).await;
                    loop {
                        // Statements that sleep tell the pool that they wait, and those that work do not. They are
                        // short, because the observer has to wait in the queue as well.
                        run(&mut c, "SELECT BENCHMARK(50000, MD5('a'))").await;
                    }
                })
            })
            .collect();
        seen(&watch, "the queue", |counts| counts.get("admission") >= Some(&1.0)).await;
        working.iter().for_each(tokio::task::JoinHandle::abort);
    });
}

#[test]
fn postgres_shows_what_its_sessions_wait_for() {
    let server = postgres(&[]);
    let dsn = leaked(server.dsn());
    query(dsn, "CREATE TABLE hot (id SERIAL PRIMARY KEY, v INT)");
    query(dsn, "INSERT INTO hot (v) VALUES (1), (1)");
    staged(async {
        let watch = watching(dsn, false);
        let idle = [session(dsn).await, session(dsn).await];
        let counts = seen(&watch, "anything", |_| true).await;
        assert_eq!((counts["active"], counts["in_transaction"], counts["of_others"]), (0.0, 0.0, 0.0), "{counts:?}");

        let update = ["BEGIN", "UPDATE hot SET v = 2 WHERE id = 1"];
        let counts = waits_as("row_lock", dsn, &watch, &update, "UPDATE hot SET v = 3 WHERE id = 1", "COMMIT").await;
        assert_eq!(counts["in_transaction"], 1.0, "the other one: {counts:?}");
        let lock = ["BEGIN", "LOCK TABLE hot IN ACCESS EXCLUSIVE MODE"];
        waits_as("table_lock", dsn, &watch, &lock, "SELECT * FROM hot", "COMMIT").await;
        waits_as("requested_wait", dsn, &watch, &[], "SELECT pg_sleep(1)", "SELECT 1").await;
        let lock = ["SELECT pg_advisory_lock(7)"];
        waits_as("requested_wait", dsn, &watch, &lock, "SELECT pg_advisory_lock(7)", "SELECT pg_advisory_unlock(7)")
            .await;
        commits_are_seen(dsn, &watch).await;
        let rows = "SELECT repeat('x', 60000) FROM generate_series(1, 1000)";
        a_client_that_does_not_read_is_seen(dsn, rows, &watch).await;
        // A commit that waits for a replica which is not there.
        let mut c = session(dsn).await;
        run(&mut c, "ALTER SYSTEM SET synchronous_standby_names = 'nobody'").await;
        run(&mut c, "SELECT pg_reload_conf()").await;
        let waiting = spawn_local(async {
            let mut c = session(dsn).await;
            loop {
                run(&mut c, "INSERT INTO hot (v) VALUES (1)").await;
            }
        });
        let waited = async |watch: &Watch| {
            let counts = seen(watch, "a commit without its replica", |counts| counts["commit"] == 1.0).await;
            assert_eq!(counts["active"], 1.0, "{counts:?}");
        };
        for _ in 0..20 {
            waited(&watch).await;
        }
        waiting.abort();
        run(&mut c, "ALTER SYSTEM RESET synchronous_standby_names").await;
        run(&mut c, "SELECT pg_reload_conf()").await;

        run(&mut c, "CREATE ROLE app LOGIN PASSWORD 'a'").await;
        let after = dsn.split_once('@').unwrap().1;
        let app = leaked(format!("postgres://app:a@{}", after.split('?').next().unwrap()));
        let sleeping = spawn_local(async move { run(&mut session(app).await, "SELECT pg_sleep(1)").await });
        let counts = seen(&watch, "others", |counts| counts["of_others"] == 1.0).await;
        assert_eq!(counts["active"], 0.0, "{counts:?}");
        sleeping.await.unwrap();
        // It does not see ours, and says so.
        let watch = watching(app, false);
        loop {
            match watch.next() {
                Some(ObserverEvent::Trouble(problem)) => {
                    assert_eq!(problem.code(), Some("sessions-of-others-not-visible"));
                    break;
                }
                Some(ObserverEvent::Sampled { sample, .. }) => {
                    assert!(sample.values.contains_key("active") && !sample.values.contains_key("of_others"));
                }
                _ => tokio::time::sleep(Duration::from_millis(10)).await,
            }
        }
        for c in idle {
            c.close().await;
        }
    });
}

#[test]
fn sessions_of_the_observers_are_not_counted() {
    let servers = [mariadb(&[]), postgres(&[])];
    for server in &servers {
        let watch = watching(&server.dsn(), true);
        let (mut sessions, mut others) = (0, 0);
        // The others query the server every 20 ms, so that a sample would find one of them soon.
        while sessions < 40 || others < 200 {
            match watch.next() {
                Some(ObserverEvent::Sampled { observer: "server.sessions", sample, .. })
                    if sample.values.contains_key("active") =>
                {
                    assert_eq!((sample.values["active"], sample.values["of_others"]), (0.0, 0.0), "{sample:?}");
                    sessions += 1;
                }
                Some(ObserverEvent::Sampled { observer: "server.status", .. }) => others += 1,
                Some(_) => {}
                None => std::thread::sleep(Duration::from_millis(1)),
            }
        }
    }
}

const PLAN: &str = r#"schema = 1
name = "sessions"
[defaults]
warmup = "0s"
interval = "200ms"
repeats = 1
[targets.db]
dsn = "DSN"
[datasets.d]
tables = 1
table_size = 1000
[[experiment]]
measure = "4s"
load = { workload = "oltp_update_index", clients = 6 }
"#;

/// Runs the plan on a server. Returns the trial, and the section of the page.
fn trial(dsn: &str) -> (Value, String) {
    let folder = tempfile::tempdir().unwrap();
    let (plan, runs) = (folder.path().join("plan.toml"), folder.path().join("runs"));
    std::fs::write(&plan, PLAN.replace("DSN", dsn)).unwrap();
    let (code, out, err) = output_of(tenbin().arg("run").arg(&plan).arg("--runs").arg(&runs));
    assert!([0, 3].contains(&code), "{code} {out}{err}");
    let (dir, json) = read_back(&runs);
    let page = std::fs::read_to_string(dir.join("report.html")).unwrap();
    let (_, section) = page.split_once("<section id=\"sessions\">").unwrap();
    (json["trials"][0].clone(), section.split_once("</section>").unwrap().0.to_owned())
}

#[test]
fn a_run_shows_on_what_the_sessions_of_its_clients_spent_their_time() {
    for server in [mariadb(&[]), postgres(&[])] {
        let (trial, section) = trial(&server.dsn());
        let sessions = &trial["sessions"];
        assert!(sessions["samples"].as_u64().unwrap() >= 5, "{sessions}");
        let active = sessions["active_mean"].as_f64().unwrap();
        assert!(active > 0.0 && active <= 6.0, "{sessions}");
        let classes = sessions["classes"].as_array().unwrap();
        let sum = |key: &str| classes.iter().map(|class| class[key].as_f64().unwrap()).sum::<f64>();
        assert!((sum("mean") - active).abs() < 1e-9 && (sum("share") - 1.0).abs() < 1e-9, "{sessions}");
        // Each transaction is one update, so it is mostly its commit.
        let commit = classes.iter().find(|class| class["class"] == "commit").unwrap();
        assert!(commit["mean"].as_f64().unwrap() > 0.0, "{sessions}");
        assert_eq!(sessions["of_others_mean"], 0.0, "{sessions}");
        // That of the lock of the schema is idle in a transaction with PostgreSQL, and is not counted.
        assert!(sessions["in_transaction_mean"].as_f64().unwrap() < 1.0, "{sessions}");
        assert!(section.contains("class=budget") && section.contains("active sessions on average"), "{section}");
        assert!(section.contains(sessions["sentence"].as_str().unwrap()), "{section}");
        let readings = trial["readings"].as_array().unwrap();
        let reading = readings.iter().find(|r| r["observer"] == "server.sessions" && r["name"] == "commit").unwrap();
        assert_eq!((reading["kind"].as_str(), reading["unit"].as_str()), (Some("gauge"), Some("sessions")));
    }
}

#[test]
fn a_server_that_does_not_show_its_sessions_gets_no_figures() {
    let server = postgres(&[("track_activities", "off")]);
    let (trial, section) = trial(&server.dsn());
    let sessions = &trial["sessions"];
    assert_eq!((sessions["samples"].as_u64(), sessions["active_mean"].as_f64()), (Some(0), None), "{sessions}");
    assert!(section.contains("were not sampled in the measured window"), "{section}");
    assert!(!section.contains("data-chart=") && !section.contains("0.00"), "{section}");
    let notes = trial["notes"].to_string();
    assert!(notes.contains("track_activities") && notes.contains("ALTER SYSTEM SET track_activities = on"), "{notes}");
}

#[test]
fn older_and_newer_servers_show_the_same() {
    for server in [mariadb_11_4(&[]), mysql_5_6(&[])] {
        let dsn = leaked(server.dsn());
        query(dsn, HOT);
        query(dsn, "INSERT INTO hot (v) VALUES (1), (1)");
        staged(of_the_mysql_family(dsn));
    }
}

#[test]
fn seekdb_tells_which_sessions_are_active_and_no_more_is_made_of_it() {
    let server = Seekdb::start();
    let dsn = leaked(server.dsn());
    query(dsn, HOT);
    query(dsn, "INSERT INTO hot (v) VALUES (1), (1)");
    staged(async {
        let watch = watching(dsn, false);
        let mut holder = session(dsn).await;
        run(&mut holder, "BEGIN").await;
        run(&mut holder, "UPDATE hot SET v = 2 WHERE id = 1").await;
        let waiting = spawn_local(async { run(&mut session(dsn).await, "UPDATE hot SET v = 3 WHERE id = 1").await });
        let counts = seen(&watch, "the second update", |counts| counts.get("active") == Some(&1.0)).await;
        let text: Vec<String> = counts.iter().map(|(name, n)| format!("{name} {n}")).collect();
        assert_eq!(text, ["active 1", "executing 1", "of_others 0"]);
        run(&mut holder, "COMMIT").await;
        waiting.await.unwrap();
    });
}
