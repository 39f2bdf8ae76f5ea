//! Our workloads beside Debian's sysbench on one PostgreSQL: the same tables, and for each event the same statements,
//! as the server's own log and counters have them.

#![expect(clippy::unwrap_used, reason = "a test may")]

use std::collections::BTreeMap;
use tenbin_model::dsn::{Dsn, Scheme};
use tenbin_model::stop::StopSignal;
use tenbin_servers::sandbox::Sandbox;
use tenbin_tests::beside::{drive, sysbench};
use tenbin_tests::postgres;
use tenbin_tests::sql::{connector, given, on, query};
use tenbin_tests::sysbench::SysbenchDir;
use tenbin_workload::DatasetState;
use tenbin_workloads::{dataset, split, workload, workloads};

fn empty(server: &Sandbox) {
    query(server, "DROP SCHEMA public CASCADE");
    query(server, "CREATE SCHEMA public");
}

/// Columns, indexes and counters of the first table.
fn definition(server: &Sandbox) -> Vec<Vec<String>> {
    [
        "SELECT column_name, data_type, character_maximum_length, is_nullable, column_default FROM information_schema.columns \
         WHERE table_name='sbtest1' ORDER BY ordinal_position",
        "SELECT indexdef FROM pg_indexes WHERE tablename='sbtest1' ORDER BY 1",
        "SELECT sequencename, last_value FROM pg_sequences ORDER BY 1",
    ]
    .iter()
    .flat_map(|sql| query(server, sql))
    .collect()
}

#[test]
fn tables_are_the_same_by_either_tool() {
    let server = postgres(&[]);
    for options in [
        &[("tables", "2"), ("table_size", "700")][..],
        &[("table_size", "300"), ("auto_inc", "off")],
        &[("table_size", "300"), ("create_secondary", "off")],
    ] {
        let flags: Vec<String> = options.iter().map(|(k, v)| format!("--{k}={v}")).collect();
        let flags: Vec<&str> = flags.iter().map(String::as_str).collect();
        let set = dataset("sysbench", &given(options), Scheme::Postgres).unwrap();

        empty(&server);
        sysbench(&server, "oltp_read_write", &flags, "prepare");
        assert_eq!(set.inspect(&connector(&server)).unwrap(), DatasetState::Ready { ours: false }, "{options:?}");
        let refused = set.drop_ours(&connector(&server)).unwrap_err();
        assert!(refused.what.contains("nothing is dropped"), "{refused}");
        let theirs = definition(&server);

        empty(&server);
        set.load(&connector(&server), 2, 1, &|_| (), &StopSignal::new()).unwrap_or_else(|p| panic!("{options:?}: {p}"));
        assert_eq!(set.inspect(&connector(&server)).unwrap(), DatasetState::Ready { ours: true }, "{options:?}");
        assert_eq!(definition(&server), theirs, "{options:?}");
        let sql = "SELECT COUNT(*) = MAX(id), MIN(id), MIN(LENGTH(c)), MAX(LENGTH(c)), MIN(LENGTH(pad)), MAX(LENGTH(pad)) FROM sbtest1";
        assert_eq!(query(&server, sql), [["t", "1", "119", "119", "59", "59"]]);
        // sysbench's own clean-up does not know our mark; what it leaves must not be in our way.
        sysbench(&server, "oltp_read_write", &flags, "cleanup");
        assert_eq!(set.inspect(&connector(&server)).unwrap(), DatasetState::Nothing);
        set.load(&connector(&server), 1, 1, &|_| (), &StopSignal::new()).unwrap_or_else(|p| panic!("{options:?}: {p}"));
        set.drop_ours(&connector(&server)).unwrap();
        let left = query(
            &server,
            "SELECT count(*) FROM pg_class c JOIN pg_namespace n ON n.oid=c.relnamespace WHERE nspname='public'",
        );
        assert_eq!(left, [["0"]]);
    }
    // What sysbench cannot do here: a plain key instead of the primary one.
    let set = dataset("sysbench", &given(&[("secondary", "on")]), Scheme::Postgres).unwrap();
    set.load(&connector(&server), 1, 1, &|_| (), &StopSignal::new()).unwrap();
    assert_eq!(set.inspect(&connector(&server)).unwrap(), DatasetState::Ready { ours: true });
}

#[test]
fn rows_do_not_depend_on_the_number_of_streams_and_differing_tables_are_told() {
    let server = postgres(&[]);
    let c = connector(&server);
    let data = dataset("sysbench", &given(&[("tables", "2"), ("table_size", "30000")]), Scheme::Postgres).unwrap();
    let sums: Vec<_> = [1, 2, 7]
        .map(|streams| {
            let text = std::sync::Mutex::new(Vec::new());
            data.load(&c, streams, 5, &|rows| text.lock().unwrap().push(rows), &StopSignal::new()).unwrap();
            assert_eq!(text.into_inner().unwrap().into_iter().max(), Some(60_000));
            let sum =
                |t| query(&server, &format!("SELECT count(*), md5(string_agg(t::text, ',' ORDER BY id)) FROM {t} t"));
            let sums = [sum("sbtest1"), sum("sbtest2")].concat();
            assert_eq!(data.inspect(&c).unwrap(), DatasetState::Ready { ours: true });
            data.drop_ours(&c).unwrap();
            sums
        })
        .into();
    assert!(sums.iter().all(|s| *s == sums[0]) && sums[0][0] != sums[0][1], "{sums:?}");

    data.load(&c, 2, 5, &|_| (), &StopSignal::new()).unwrap();
    let text_of = |options: &[(&str, &str)]| {
        let mut all = given(&[("tables", "2"), ("table_size", "30000")]);
        all.extend(given(options));
        match dataset("sysbench", &all, Scheme::Postgres).unwrap().inspect(&c).unwrap() {
            DatasetState::Different { problem, .. } => problem.what,
            other => panic!("{other:?}"),
        }
    };
    assert_eq!(text_of(&[("auto_inc", "off")]), "table sbtest1 has another AUTO_INCREMENT than wanted");
    assert_eq!(text_of(&[("create_secondary", "off")]), "table sbtest1 has another index on k than wanted");
    assert_eq!(text_of(&[("table_size", "40000")]), "table sbtest1 has the wrong size");
    let again = data.load(&c, 2, 5, &|_| (), &StopSignal::new()).unwrap_err();
    assert_eq!(again.what, "table sbtest1 already exists");
}

#[test]
fn every_script_of_sysbench_runs_on_our_tables_and_every_workload_on_its() {
    let server = postgres(&[]);
    for entry in workloads().iter().filter(|e| ["sysbench", "bulk_insert"].contains(&e.dataset)) {
        let ours = given(&[("tables", "1"), ("table_size", "2000")]);
        let (_, data, load) = split(entry.name, &ours, 2).unwrap();
        let set = dataset(entry.dataset, &data, Scheme::Postgres).unwrap();
        empty(&server);
        set.load(&connector(&server), 2, 1, &|_| (), &StopSignal::new()).unwrap();
        let run = ["--table-size=2000", "--threads=2", "--events=300", "--time=0"];
        let text = sysbench(&server, entry.name, &run, "run");
        assert!(text.contains("total number of events:"), "{text}");

        empty(&server);
        sysbench(&server, entry.name, &run[..2], "prepare");
        assert!(
            matches!(set.inspect(&connector(&server)).unwrap(), DatasetState::Ready { ours: false }),
            "{}",
            entry.name
        );
        let work = workload(entry.name, &load, connector(&server)).unwrap();
        on(async {
            for number in 0..2 {
                drive(&*work, number, 2, 50).await;
            }
        });
    }
}

/// What the server logged of statements while `run` ran: kind of protocol, text with its values taken out, and how
/// often.
fn transcript(server: &Sandbox, run: impl FnOnce()) -> BTreeMap<String, usize> {
    let path = server.dir().join("error.log");
    let before = std::fs::read(&path).unwrap().len();
    run();
    let log = String::from_utf8_lossy(&std::fs::read(&path).unwrap()[before..]).into_owned();
    let mut all = BTreeMap::new();
    // A statement of several lines goes on behind a tab.
    for line in log.replace("\n\t", " ").lines() {
        let Some((_, output)) = line.split_once("LOG:  ") else { continue };
        let (kind, sql) = match output.split_once(": ") {
            Some((kind, sql)) if kind.starts_with("execute ") => ("prepared", sql),
            Some(("statement", sql)) => ("text", sql),
            _ => continue,
        };
        // Numbers after `$` are places, those behind a letter are names; the others are values, as are texts.
        let (mut form, mut quoted, mut last) = (String::new(), false, ' ');
        for c in sql.chars() {
            match c {
                '\'' => quoted = !quoted,
                _ if quoted => {}
                _ if c.is_ascii_digit() && !(last.is_alphanumeric() || last == '$') => {}
                _ => form.push(c),
            }
            if !(c.is_ascii_digit() && !last.is_alphanumeric() && last != '$') {
                last = c;
            }
        }
        *all.entry(format!("{kind} {}", form.split_whitespace().collect::<Vec<_>>().join(" "))).or_default() += 1;
    }
    all
}

#[test]
fn the_server_logs_the_same_statements_for_the_same_options() {
    let server = postgres(&[("log_statement", "all")]);
    let set = dataset("sysbench", &given(&[("tables", "2"), ("table_size", "2000")]), Scheme::Postgres).unwrap();
    set.load(&connector(&server), 1, 1, &|_| (), &StopSignal::new()).unwrap();
    for (script, options) in [
        ("oltp_read_write", &[][..]),
        ("oltp_read_write", &[("skip_trx", "on"), ("point_selects", "3"), ("tables", "1")]),
        ("oltp_read_only", &[("simple_ranges", "2"), ("sum_ranges", "3"), ("order_ranges", "0"), ("range_size", "7")]),
        ("oltp_write_only", &[("index_updates", "4"), ("non_index_updates", "0"), ("delete_inserts", "2")]),
        ("oltp_point_select", &[]),
        ("oltp_insert", &[]),
        ("oltp_delete", &[]),
        ("oltp_update_index", &[]),
        ("oltp_update_non_index", &[("non_index_updates", "2")]),
        ("select_random_points", &[]),
        ("select_random_ranges", &[("number_of_ranges", "3")]),
    ] {
        for mode in ["auto", "disable"] {
            let mut all = given(&[("tables", "2"), ("table_size", "2000")]);
            all.extend(given(options));
            let flags: Vec<String> = all.iter().map(|(k, v)| format!("--{k}={v}")).collect();
            all.insert("ps_mode".into(), mode.into());
            let (_, _, load) = split(script, &all, 1).unwrap();
            let work = workload(script, &load, connector(&server)).unwrap();
            let events = 40;
            let mut ours = transcript(&server, || drop(on(drive(&*work, 0, 1, events))));
            let mut theirs = transcript(&server, || {
                let (n, ps) = (format!("--events={events}"), format!("--db-ps-mode={mode}"));
                let flags: Vec<&str> = flags.iter().map(String::as_str).chain(["--time=0", &n, &ps]).collect();
                sysbench(&server, script, &flags, "run");
            });
            // Which of the tables is drawn is chance; how often any of them is, is not.
            for side in [&mut ours, &mut theirs] {
                let merged = std::mem::take(side).into_iter().map(|(sql, n)| (sql.replace("sbtest2", "sbtest1"), n));
                merged.for_each(|(sql, n)| *side.entry(sql).or_default() += n);
            }
            assert!(ours.values().sum::<usize>() >= events as usize, "{script} {mode}: {ours:?}");
            assert_eq!(ours, theirs, "{script} {options:?} {mode}");
        }
    }
}

#[test]
fn bulk_inserts_are_theirs_to_the_byte() {
    let (server, here) = (postgres(&[("log_statement", "all")]), SysbenchDir::create());
    let dsn = Dsn::parse(&server.dsn()).unwrap();
    let at = format!("--pgsql-port={} --pgsql-user={} --pgsql-db={}", dsn.port.unwrap(), dsn.user, dsn.database);
    let line = |command: &str| {
        format!("bulk_insert --db-driver=pgsql --pgsql-host=127.0.0.1 {at} --events=100000 --time=0 {command}")
    };
    let path = server.dir().join("error.log");
    let inserts = |run: &dyn Fn(&str) -> (i32, String, String)| {
        assert_eq!(run(&line("prepare")).0, 0);
        let before = std::fs::read(&path).unwrap().len();
        let (code, out, err) = run(&line("run"));
        assert_eq!(code, 0, "{out}{err}");
        let log = String::from_utf8_lossy(&std::fs::read(&path).unwrap()[before..]).into_owned();
        assert_eq!(run(&line("cleanup")).0, 0);
        let statements = log.lines().filter_map(|line| Some(line.split_once("LOG:  statement: ")?.1.to_owned()));
        statements.filter(|sql| sql.starts_with("INSERT INTO sbtest")).collect::<Vec<_>>()
    };
    let (ours, theirs) = (inserts(&|line| here.ours(line)), inserts(&|line| here.theirs(line)));
    let lengths = |all: &[String]| all.iter().map(String::len).collect::<Vec<_>>();
    assert_eq!((lengths(&ours), ours.len()), (lengths(&theirs), 3));
    assert!(ours == theirs, "the rows differ");
}

#[test]
fn what_a_client_counts_is_what_the_server_counts() {
    // PostgreSQL 15 counts a prepared BEGIN or COMMIT the first time only.
    let server =
        postgres(&[("shared_preload_libraries", "pg_stat_statements"), ("pg_stat_statements.track_utility", "off")]);
    query(&server, "CREATE EXTENSION pg_stat_statements");
    for entry in workloads().iter().filter(|e| ["sysbench", "bulk_insert"].contains(&e.dataset)) {
        let bulk = entry.dataset == "bulk_insert";
        let all = if bulk { given(&[]) } else { given(&[("table_size", "5000")]) };
        let (_, data, load) = split(entry.name, &all, 1).unwrap();
        let set = dataset(entry.dataset, &data, Scheme::Postgres).unwrap();
        if set.inspect(&connector(&server)).unwrap() != (DatasetState::Ready { ours: true }) {
            query(&server, "DROP TABLE IF EXISTS sbtest1, tenbin_mark");
            set.load(&connector(&server), 1, 1, &|_| (), &StopSignal::new()).unwrap();
        }
        query(&server, "SELECT pg_stat_statements_reset()");
        let work = workload(entry.name, &load, connector(&server)).unwrap();
        let mut statements = on(drive(&*work, 0, 1, if bulk { 100_000 } else { 100 }));
        statements.retain(|(name, _)| name != "begin" && name != "commit");
        let text = query(
            &server,
            "SELECT coalesce(sum(calls), 0), coalesce(sum(rows), 0) FROM pg_stat_statements WHERE query NOT LIKE '%pg_stat_statements%'",
        );
        // The last rows of bulk_insert go out uncounted, after the end.
        let rest = if bulk { (1, 100_000 - statements.iter().map(|s| s.1).sum::<u64>()) } else { (0, 0) };
        let counted = [statements.len() as u64 + rest.0, statements.iter().map(|s| s.1).sum::<u64>() + rest.1];
        assert_eq!(text, [counted.map(|n| n.to_string())], "{}", entry.name);
    }
}
