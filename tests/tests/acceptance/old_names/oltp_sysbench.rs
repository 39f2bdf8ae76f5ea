//! Our workloads beside Debian's sysbench on one MariaDB: the same tables, and for each event the same statements,
//! counted by the server itself.

#![expect(clippy::unwrap_used, reason = "a test may")]

use std::collections::BTreeMap;
use tenbin_driver::Connection;
use tenbin_model::stop::StopSignal;
use tenbin_servers::sandbox::Sandbox;
use tenbin_tests::beside::{drive, sysbench};
use tenbin_tests::mariadb;
use tenbin_tests::sql::{connector, given, on, open};
use tenbin_words::problem::Problem;
use tenbin_workload::{DatasetState, WorkloadEntry};
use tenbin_workloads::{dataset, split, workload, workloads};

fn fresh_schema(server: &Sandbox) {
    on(async {
        let mut c = open(server).await;
        c.query("DROP DATABASE sbtest").await.unwrap();
        c.query("CREATE DATABASE sbtest").await.unwrap();
    });
}

async fn definition(c: &mut Connection, table: &str) -> String {
    let shown = c.table(&format!("SHOW CREATE TABLE {table}")).await.unwrap();
    // The counter stands behind the last row, which is the only thing that may differ.
    let text = shown.rows[0][1].clone().unwrap();
    text.split(" AUTO_INCREMENT=")
        .enumerate()
        .map(|(n, part)| if n == 0 { part } else { part.trim_start_matches(|c: char| c.is_ascii_digit()) })
        .collect()
}

#[test]
fn tables_are_the_same_by_either_tool() {
    let server = mariadb(&[]);
    for options in [
        &[("tables", "2"), ("table_size", "700")][..],
        &[("table_size", "300"), ("auto_inc", "off")],
        &[("table_size", "300"), ("secondary", "on")],
        &[("table_size", "300"), ("create_secondary", "off")],
        &[("table_size", "300"), ("mysql_storage_engine", "aria")],
    ] {
        let flags: Vec<String> = options.iter().map(|(k, v)| format!("--{k}={v}")).collect();
        let flags: Vec<&str> = flags.iter().map(String::as_str).collect();
        let set = dataset("sysbench", &given(options), connector(&server).dsn().scheme).unwrap();

        fresh_schema(&server);
        sysbench(&server, "oltp_read_write", &flags, "prepare");
        assert_eq!(set.inspect(&connector(&server)).unwrap(), DatasetState::Ready { ours: false }, "{options:?}");
        let refused = set.drop_ours(&connector(&server)).unwrap_err();
        assert!(refused.what.contains("nothing is dropped"), "{refused}");
        let theirs = on(async { definition(&mut open(&server).await, "sbtest1").await });

        fresh_schema(&server);
        set.load(&connector(&server), 2, 1, &|_| (), &StopSignal::new()).unwrap_or_else(|p| panic!("{options:?}: {p}"));
        assert_eq!(set.inspect(&connector(&server)).unwrap(), DatasetState::Ready { ours: true }, "{options:?}");
        let ours = on(async { definition(&mut open(&server).await, "sbtest1").await });
        assert_eq!(ours, theirs, "{options:?}");
        on(async {
            let sql = "SELECT COUNT(*), MIN(id), MAX(id), MIN(LENGTH(c)), MAX(LENGTH(c)), MIN(LENGTH(pad)), MAX(LENGTH(pad)) FROM sbtest1";
            let rows = open(&server).await.table(sql).await.unwrap().rows;
            let row: Vec<&str> = rows[0].iter().map(|v| v.as_deref().unwrap()).collect();
            assert_eq!(row[1..], ["1", row[0], "119", "119", "59", "59"]);
        });
        // sysbench's own clean-up does not know our mark; what it leaves must not be in our way.
        sysbench(&server, "oltp_read_write", &flags, "cleanup");
        assert_eq!(set.inspect(&connector(&server)).unwrap(), DatasetState::Nothing);
        set.load(&connector(&server), 1, 1, &|_| (), &StopSignal::new()).unwrap_or_else(|p| panic!("{options:?}: {p}"));
        set.drop_ours(&connector(&server)).unwrap();
        assert_eq!(on(async { open(&server).await.table("SHOW TABLES").await.unwrap().rows.len() }), 0);
    }
}

#[test]
fn every_script_of_sysbench_runs_on_our_tables_and_every_workload_on_its() {
    let mut server = mariadb(&[]);
    for entry in workloads().iter().filter(|w| ["sysbench", "bulk_insert"].contains(&w.dataset) && w.needs_database()) {
        if let Err(problem) = crossed(&server, entry) {
            // MariaDB 10.11 itself falls now and then when schemas come and go (a null pointer of its own, reported by the
            // kernel's log). Only then may a second server try; what a living one says is ours.
            let port = connector(&server).dsn().port.unwrap_or(3306);
            assert!(std::net::TcpStream::connect(("127.0.0.1", port)).is_err(), "{}: {problem}", entry.name);
            server = mariadb(&[]);
            crossed(&server, entry).unwrap_or_else(|p| panic!("{}: {p}", entry.name));
        }
    }
}

/// Their script on our tables, our workload on theirs.
fn crossed(server: &Sandbox, entry: &WorkloadEntry) -> Result<(), Problem> {
    let ours = given(&[("tables", "1"), ("table_size", "2000")]);
    let (_, data, load) = split(entry.name, &ours, 2)?;
    let set = dataset(entry.dataset, &data, connector(server).dsn().scheme)?;
    fresh_schema(server);
    set.load(&connector(server), 2, 1, &|_| (), &StopSignal::new())?;
    let run = ["--table-size=2000", "--threads=2", "--events=300", "--time=0"];
    let text = sysbench(server, entry.name, &run, "run");
    assert!(text.contains("total number of events:"), "{text}");

    fresh_schema(server);
    sysbench(server, entry.name, &run[..2], "prepare");
    assert!(matches!(set.inspect(&connector(server))?, DatasetState::Ready { ours: false }), "{}", entry.name);
    let work = workload(entry.name, &load, connector(server))?;
    on(async {
        for number in 0..2 {
            drive(&*work, number, 2, 50).await;
        }
    });
    Ok(())
}

/// Waits until all other sessions have ended, because what one did last is counted then. Returns how often it looked.
async fn alone(c: &mut Connection) -> i64 {
    for looks in 1..300 {
        let shown = c.table("SHOW GLOBAL STATUS LIKE 'Threads_connected'").await.unwrap();
        if shown.rows[0][1].as_deref() == Some("1") {
            return looks;
        }
        tokio::time::sleep(std::time::Duration::from_millis(100)).await;
    }
    panic!("a session of the run before does not end");
}

/// What the server has counted.
async fn counters(c: &mut Connection) -> BTreeMap<String, i64> {
    let shown = c.table("SHOW GLOBAL STATUS").await.unwrap();
    let kept = |name: &str| {
        name.starts_with("Com_") || name.starts_with("Handler_") || ["Questions", "Connections"].contains(&name)
    };
    let pairs = shown.rows.into_iter().filter_map(|r| Some((r[0].clone()?, r[1].clone()?.parse().ok()?)));
    pairs.filter(|(name, _)| kept(name)).collect()
}

/// For what can be run again and again on the same tables.
fn no_step() {}

/// Per event: counters after `many` events less those after `few`, so that connecting and preparing cancel out. `ready`
/// comes before each and is not counted: a load that waits for a slow disk asks the server what for.
fn per_event(
    server: &Sandbox,
    few: u32,
    many: u32,
    ready: impl Fn(),
    mut run: impl FnMut(u32),
) -> BTreeMap<String, f64> {
    let mut counted = |events: u32| {
        let look = || {
            on(async {
                let mut connection = open(server).await;
                let looks = alone(&mut connection).await;
                (counters(&mut connection).await, looks)
            })
        };
        ready();
        let (before, _) = look();
        run(events);
        let (mut after, looks) = look();
        for name in ["Com_show_status", "Questions"] {
            *after.get_mut(name).unwrap() -= looks;
        }
        after.into_iter().map(|(name, n)| (name.clone(), n - before[&name])).collect::<BTreeMap<_, _>>()
    };
    let (less, more) = (counted(few), counted(many));
    let each = |name: &String| (more[name] - less[name]) as f64 / f64::from(many - few);
    less.keys().map(|name| (name.clone(), each(name))).filter(|(_, n)| *n != 0.0).collect()
}

#[test]
fn the_server_counts_the_same_for_each_event() {
    let server = mariadb(&[]);
    // Gaussian draws keep away from the table's ends, so that no range is cut off and what the engine does for an event
    // is the same each time too.
    let (few, many) = (20, 120);
    for entry in workloads().iter().filter(|w| ["sysbench", "bulk_insert"].contains(&w.dataset) && w.needs_database()) {
        for mode in ["auto", "disable"] {
            let bulk = entry.name == "bulk_insert";
            let (few, many) = if bulk { (100_000, 400_000) } else { (few, many) };
            let all = match entry.name {
                "bulk_insert" => given(&[]),
                _ => given(&[("table_size", "20000"), ("rand_type", "gaussian"), ("ps_mode", mode)]),
            };
            let (_, data, load) = split(entry.name, &all, 1).unwrap();
            let set = dataset(entry.dataset, &data, connector(&server).dsn().scheme).unwrap();
            let reload = || {
                fresh_schema(&server);
                set.load(&connector(&server), 1, 1, &|_| (), &StopSignal::new()).unwrap();
            };
            reload();
            // Only bulk_insert cannot run twice on the same tables: it numbers its rows from 1.
            let ready = || {
                if bulk {
                    reload()
                }
            };
            let ours = per_event(&server, few, many, ready, |events| {
                let work = workload(entry.name, &load, connector(&server)).unwrap();
                on(drive(&*work, 0, 1, events));
            });
            let theirs = per_event(&server, few, many, ready, |events| {
                let (ps, n) = (format!("--db-ps-mode={mode}"), format!("--events={events}"));
                let options = ["--table-size=20000", "--rand-type=gaussian", "--time=0", &ps, &n];
                sysbench(&server, entry.name, if bulk { &options[2..] } else { &options }, "run");
            });
            assert!(ours.len() > 2, "nothing was counted: {ours:?}");
            for name in ours.keys().chain(theirs.keys()) {
                let of = |all: &BTreeMap<String, f64>| all.get(name).copied().unwrap_or(0.0);
                // How many rows a random key of k meets, and whether a deleted row is still there, is chance.
                let chance = match entry.name {
                    "select_random_points" | "select_random_ranges" | "oltp_delete" => name.starts_with("Handler_"),
                    _ => false,
                };
                // A connection that has just ended may count its last words (statements closed) a little later.
                let late = name == "Com_stmt_close";
                let slack = match &name[..7] {
                    "Handler" => 0.3,
                    "Questio" => 0.05,
                    _ => 0.0,
                };
                let near = (of(&ours) - of(&theirs)).abs() <= slack;
                assert!(
                    chance || late || near,
                    "{} {mode}: {name} is {} per event, {} in sysbench\nours   {ours:?}\ntheirs {theirs:?}",
                    entry.name,
                    of(&ours),
                    of(&theirs)
                );
            }
        }
    }
}

#[test]
fn options_change_the_statements_as_they_do_in_sysbench() {
    let server = mariadb(&[]);
    let set = dataset("sysbench", &given(&[("tables", "3"), ("table_size", "5000")]), connector(&server).dsn().scheme)
        .unwrap();
    set.load(&connector(&server), 3, 1, &|_| (), &StopSignal::new()).unwrap();
    for (script, options) in [
        ("oltp_read_write", &[("skip_trx", "on"), ("point_selects", "3")][..]),
        ("oltp_read_only", &[("range_selects", "off")]),
        ("oltp_read_only", &[("simple_ranges", "2"), ("sum_ranges", "3"), ("order_ranges", "0"), ("range_size", "7")]),
        ("oltp_write_only", &[("index_updates", "4"), ("non_index_updates", "0"), ("delete_inserts", "2")]),
        ("oltp_update_index", &[("index_updates", "3")]),
        ("oltp_update_non_index", &[("non_index_updates", "2")]),
    ] {
        let mut all = given(options);
        all.extend(given(&[("tables", "3"), ("table_size", "5000"), ("rand_type", "gaussian")]));
        let flags: Vec<String> =
            all.iter().map(|(k, v)| format!("--{k}={v}").replace("rand_type", "rand-type")).collect();
        let ours = per_event(&server, 10, 60, no_step, |events| {
            let (_, _, load) = split(script, &all, 1).unwrap();
            on(drive(&*workload(script, &load, connector(&server)).unwrap(), 0, 1, events));
        });
        let theirs = per_event(&server, 10, 60, no_step, |events| {
            let n = format!("--events={events}");
            let flags: Vec<&str> = flags.iter().map(String::as_str).chain(["--time=0", &n]).collect();
            sysbench(&server, script, &flags, "run");
        });
        let statements = |all: &BTreeMap<String, f64>| {
            all.iter()
                .filter(|(n, _)| n.starts_with("Com_") && *n != "Com_stmt_close")
                .map(|(n, v)| (n.clone(), *v))
                .collect::<Vec<_>>()
        };
        assert_eq!(statements(&ours), statements(&theirs), "{script} {options:?}");
    }
}

/// sysbench 1.0.20 has no `--reconnect`, but its scripts can do by hand what those of 1.1 do with it.
#[test]
fn a_new_connection_is_opened_and_prepared_as_sysbench_would() {
    let server = mariadb(&[]);
    let dir = tempfile::tempdir().unwrap();
    let set = dataset("sysbench", &given(&[("table_size", "20000")]), connector(&server).dsn().scheme).unwrap();
    set.load(&connector(&server), 1, 1, &|_| (), &StopSignal::new()).unwrap();
    let (few, many, every) = (20, 120, 5);
    for script in ["oltp_read_write", "oltp_point_select", "oltp_insert"] {
        let all = given(&[("table_size", "20000"), ("rand_type", "gaussian"), ("reconnect", "5")]);
        let (_, _, load) = split(script, &all, 1).unwrap();
        let ours = per_event(&server, few, many, no_step, |events| {
            on(drive(&*workload(script, &load, connector(&server)).unwrap(), 0, 1, events));
        });
        let by_hand = dir.path().join(format!("{script}_again.lua"));
        let text = format!(
            "require('{script}')\nlocal one, done = event, 0\nfunction event()\n  one()\n  done = done + 1\n\
             \n  if done % {every} == 0 then\n    close_statements()\n    con:disconnect()\n    con = drv:connect()\n\
             \n    prepare_statements()\n  end\nend\n"
        );
        std::fs::write(&by_hand, text).unwrap();
        let theirs = per_event(&server, few, many, no_step, |events| {
            let n = format!("--events={events}");
            let options = ["--table-size=20000", "--rand-type=gaussian", "--time=0", &n];
            sysbench(&server, &by_hand.display().to_string(), &options, "run");
        });
        let of = |all: &BTreeMap<String, f64>, name: &str| all.get(name).copied().unwrap_or(0.0);
        assert!((of(&ours, "Connections") - 0.2).abs() < 1e-9, "{script}: one in five: {ours:?}");
        for name in ours.keys().chain(theirs.keys()) {
            // The last connections may count their last words (statements closed) a little later; so may deleted rows.
            let slack = match &name[..7] {
                "Handler" => 0.3,
                "Com_stm" | "Questio" => 0.1,
                _ => 0.0,
            };
            assert!((of(&ours, name) - of(&theirs, name)).abs() <= slack, "{script}: {name}\n{ours:?}\n{theirs:?}");
        }
    }
}
