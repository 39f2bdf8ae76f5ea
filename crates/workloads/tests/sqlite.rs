//! Every workload against SQLite: loaded by us, driven for some transactions, dropped again.

#![expect(clippy::unwrap_used, reason = "a test may")]

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};
use tenbin_driver::{Class, Connector, Transport};
use tenbin_model::dsn::Dsn;
use tenbin_model::stop::StopSignal;
use tenbin_workload::{DatasetState, TransactionContext, ValueForm, WorkloadEntry};
use tenbin_workloads::{dataset, split, workload, workloads};

fn connector(dir: &std::path::Path) -> Connector {
    let dsn = format!("sqlite:{}?journal_mode=wal&synchronous=off", dir.join("test.db").display());
    Connector::new(Dsn::parse(&dsn).unwrap(), None).unwrap()
}

fn options(pairs: &[(&str, &str)]) -> BTreeMap<String, String> {
    pairs.iter().map(|(k, v)| ((*k).to_owned(), (*v).to_owned())).collect()
}

#[test]
fn every_workload_runs_on_tables_of_its_dataset() {
    // mysqlslap's SQL is MySQL's; those of scripts have no tables of ours.
    let with_tables = |w: &&&WorkloadEntry| w.name != "slap" && w.dataset != "none" && w.needs_database();
    for entry in workloads().iter().filter(with_tables) {
        let dir = tempfile::tempdir().unwrap();
        let c = connector(dir.path());
        let (_, data, load) = split(entry.name, &options(&[("tables", "2"), ("table_size", "500")]), 3).unwrap();
        let set = dataset(entry.dataset, &data, c.dsn().scheme).unwrap();
        assert_eq!(set.inspect(&c).unwrap(), DatasetState::Nothing);
        let counter = AtomicU64::new(0);
        set.load(&c, 4, 1, &|n| counter.store(n, Ordering::SeqCst), &StopSignal::new()).unwrap();
        assert_eq!(set.inspect(&c).unwrap(), DatasetState::Ready { ours: true }, "{}", entry.name);
        let work = workload(entry.name, &load, c.clone()).unwrap();
        // As a trial does before its clients start.
        work.tables().unwrap();
        assert_eq!(work.unmarked(3, &[]).unwrap(), Vec::<String>::new(), "{}", entry.name);
        assert_eq!(work.beyond_rows(), None);
        let names = work.statements();
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(async {
            for number in 0..3 {
                let mut client = work.client(number, 3, 7);
                client.connect(Transport::Alone).await.unwrap();
                let mut context = TransactionContext::default();
                for _ in 0..20 {
                    context.records.clear();
                    context.counts.clear();
                    assert!(client.transaction(&mut context).await.unwrap() < work.transactions().len());
                    assert!(
                        context.records.iter().all(|m| m.error.is_none() && usize::from(m.statement) < names.len())
                    );
                }
                client.close().await.unwrap();
            }
        });
        let checked = set.check(&c, 1, false, &|_, _| (), &StopSignal::new()).unwrap();
        assert!(checked.iter().all(tenbin_workload::Checked::holds), "{}: {checked:?}", entry.name);
        set.drop_ours(&c).unwrap();
        assert_eq!(set.inspect(&c).unwrap(), DatasetState::Nothing);
    }
}

#[test]
fn wrong_shapes_and_sizes_are_told_and_nothing_foreign_is_dropped() {
    let dir = tempfile::tempdir().unwrap();
    let c = connector(dir.path());
    let set = |pairs: &[(&str, &str)]| dataset("sysbench", &options(pairs), c.dsn().scheme).unwrap();
    let small = set(&[("table_size", "100")]);
    small.load(&c, 1, 1, &|_| (), &StopSignal::new()).unwrap();
    let DatasetState::Different { ours: true, problem } = set(&[("table_size", "200")]).inspect(&c).unwrap() else {
        panic!()
    };
    assert_eq!(problem.what, "table sbtest1 has the wrong size");
    let DatasetState::Different { ours: true, problem } =
        set(&[("tables", "2"), ("table_size", "100")]).inspect(&c).unwrap()
    else {
        panic!()
    };
    assert_eq!(problem.what, "table sbtest2 is missing");
    assert!(small.load(&c, 1, 1, &|_| (), &StopSignal::new()).unwrap_err().what.contains("already exists"));

    let other = tempfile::tempdir().unwrap();
    let c = connector(other.path());
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        let mut connection = c.connect(Transport::Alone).await.unwrap();
        connection.query("CREATE TABLE sbtest1(id INTEGER PRIMARY KEY, name TEXT)").await.unwrap();
    });
    let DatasetState::Different { ours: false, problem } = small.inspect(&c).unwrap() else { panic!() };
    assert_eq!(problem.what, "table sbtest1 is not one of sysbench's");
    assert!(small.drop_ours(&c).unwrap_err().what.contains("nothing is dropped"));
    assert!(matches!(small.inspect(&c).unwrap(), DatasetState::Different { ours: false, .. }), "it is still there");
}

#[test]
fn a_stopped_load_is_told_and_can_be_dropped() {
    let dir = tempfile::tempdir().unwrap();
    let c = connector(dir.path());
    let set = dataset("sysbench", &options(&[("table_size", "300000")]), c.dsn().scheme).unwrap();
    let stop = StopSignal::new();
    let problem = set
        .load(
            &c,
            1,
            1,
            &|n| {
                if n >= 100_000 {
                    stop.ask()
                }
            },
            &stop,
        )
        .unwrap_err();
    assert!(problem.evidence.as_deref().is_some_and(|e| e.contains("of 300000 rows were loaded")), "{problem}");
    assert!(matches!(set.inspect(&c).unwrap(), DatasetState::Different { ours: true, .. }));
    set.drop_ours(&c).unwrap();
    assert_eq!(set.inspect(&c).unwrap(), DatasetState::Nothing);
}

#[test]
fn a_conflict_is_recovered_from_and_readers_do_not_wait_for_a_writer() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("test.db");
    let address = format!("sqlite:{}?journal_mode=wal&synchronous=off&busy_timeout_ms=1", file.display());
    let c = Connector::new(Dsn::parse(&address).unwrap(), None).unwrap();
    let size = options(&[("table_size", "1000")]);
    dataset("sysbench", &size, c.dsn().scheme).unwrap().load(&c, 1, 1, &|_| (), &StopSignal::new()).unwrap();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        for name in ["oltp_read_write", "oltp_update_index", "oltp_insert", "oltp_delete"] {
            let mut client = workload(name, &size, c.clone()).unwrap().client(0, 1, 1);
            client.connect(Transport::Alone).await.unwrap();
            let mut other = c.connect(Transport::Alone).await.unwrap();
            other.query("BEGIN IMMEDIATE").await.unwrap();
            let mut context = TransactionContext::default();
            let error = client.transaction(&mut context).await.unwrap_err();
            assert_eq!(error.class(), Class::Conflict, "{name}: {error}");
            assert!(context.records.last().unwrap().error.is_some());
            client.recover().await.unwrap();
            other.query("ROLLBACK").await.unwrap();
            context.attempt = 1;
            client.transaction(&mut context).await.unwrap_or_else(|e| panic!("{name}: {e}"));
            client.close().await.unwrap();
        }
        // Clients that only read are not kept waiting by one that writes.
        let mut other = c.connect(Transport::Alone).await.unwrap();
        other.query("BEGIN IMMEDIATE").await.unwrap();
        let mut client = workload("oltp_read_only", &size, c.clone()).unwrap().client(0, 1, 1);
        client.connect(Transport::Alone).await.unwrap();
        client.transaction(&mut TransactionContext::default()).await.unwrap();
    });
}

/// A text that would end a literal, and one that would be another statement, arrive as they are: in the first execution of a statement whose result is
/// stored, and in a pipeline.
#[test]
fn values_of_own_sql_are_parameters_from_the_first_execution_on() {
    let dir = tempfile::tempdir().unwrap();
    let c = connector(dir.path());
    let script = dir.path().join("s.sql");
    let statements = "SELECT 'O''Brien; --' AS name \\gset\n\
        SELECT :name AS again, length(:name) AS length \\gset\n\
        \\startpipeline\nINSERT INTO t VALUES (:name);\nINSERT INTO t VALUES (:again);\nINSERT INTO t VALUES (:length);\n\\endpipeline\n";
    std::fs::write(&script, statements).unwrap();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        let mut connection = c.connect(Transport::Alone).await.unwrap();
        connection.query("CREATE TABLE t(v)").await.unwrap();
        let given = options(&[("scripts", &script.display().to_string())]);
        let (_, _, load) = split("sql", &given, 1).unwrap();
        let mut client = workload("sql", &load, c.clone()).unwrap().client(0, 1, 7);
        client.connect(Transport::Alone).await.unwrap();
        for _ in 0..2 {
            let mut context = TransactionContext::default();
            client.transaction(&mut context).await.unwrap();
            let forms: Vec<ValueForm> = context.records.iter().map(|record| record.values).collect();
            let parameters = ValueForm::Parameters;
            assert_eq!(forms, [ValueForm::Unknown, parameters, parameters, parameters, parameters]);
        }
        let rows =
            connection.table("SELECT v, typeof(v), COUNT(*) FROM t GROUP BY 1, 2 ORDER BY 2").await.unwrap().rows;
        let rows: Vec<Vec<String>> = rows.into_iter().map(|row| row.into_iter().flatten().collect()).collect();
        assert_eq!(rows, [["11", "integer", "2"], ["O'Brien; --", "text", "4"]]);
    });
}

/// Executes a script once with these options; the text of its error, and the rows of table `t` after it.
fn executed(script: &str, more: &[(&str, &str)]) -> (String, Vec<String>) {
    let dir = tempfile::tempdir().unwrap();
    let (c, file) = (connector(dir.path()), dir.path().join("s.sql"));
    std::fs::write(&file, script).unwrap();
    let file = file.display().to_string();
    let given = options(&[more, &[("scripts", file.as_str())]].concat());
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        let mut connection = c.connect(Transport::Alone).await.unwrap();
        connection.query("CREATE TABLE t(v)").await.unwrap();
        let (_, _, load) = split("sql", &given, 1).unwrap();
        let ended = match workload("sql", &load, c.clone()) {
            Err(problem) => problem.what.to_string(),
            Ok(work) => {
                let mut client = work.client(0, 1, 7);
                client.connect(Transport::Alone).await.unwrap();
                let ended = client.transaction(&mut TransactionContext::default()).await;
                client.recover().await.unwrap();
                ended.map_or_else(|error| error.message().to_string(), |_| String::new())
            }
        };
        let rows = connection.table("SELECT v FROM t ORDER BY 1").await.unwrap().rows;
        (ended.replace(&file, "s.sql"), rows.into_iter().flatten().flatten().collect())
    })
}

#[test]
fn commands_of_pipelines_fail_where_they_cannot_stand() {
    let (start, end, insert) = ("\\startpipeline\n", "\\endpipeline\n", "INSERT INTO t VALUES (1);\n");
    assert_eq!(executed(&format!("{start}{insert}{insert}{end}"), &[]), (String::new(), vec!["1".to_owned(); 2]));
    // Beforehand where it is certain, and otherwise by the transaction.
    for (open, close) in [("", ""), ("\\set x 1\n\\if :x\n", "\\endif\n")] {
        let maybe = |inner: &str| format!("{open}{inner}{close}");
        let line = |n: usize| n + open.lines().count();
        for (script, at, why) in [
            (format!("{start}{insert}{}{insert}{end}", maybe(start)), line(3), "a pipeline is open already"),
            (maybe(end), line(1), "no pipeline is open"),
            (maybe("\\syncpipeline\n"), line(1), "no pipeline is open"),
            (
                format!("{start}{}{end}", maybe("SELECT 1 AS x \\gset\n")),
                line(2),
                "\\gset and \\aset cannot stand in a pipeline",
            ),
            (
                format!("{start}{}{end}", maybe("SELECT 1 AS x \\aset\n")),
                line(2),
                "\\gset and \\aset cannot stand in a pipeline",
            ),
        ] {
            let (outcome, rows) = executed(&script, &[]);
            assert_eq!((outcome.as_str(), rows.len()), (format!("s.sql, line {at}: {why}").as_str(), 0), "{script}");
        }
        let (outcome, rows) = executed(&(maybe(start) + insert), &[]);
        assert!(outcome.ends_with("the script ends with a pipeline open") && rows.is_empty(), "{outcome} {rows:?}");
    }
}

#[test]
fn a_shell_sets_no_variable_with_a_name_that_is_none() {
    let shell = [("shell", "on")];
    let insert = |name: &str| format!("\\setshell {name} echo 7\nINSERT INTO t VALUES (7);\n");
    assert_eq!(executed(&insert("x1"), &shell), (String::new(), vec!["7".to_owned()]));
    assert_eq!(
        executed(&insert("1x"), &shell),
        ("s.sql, line 1: 1x cannot be the name of a variable".to_owned(), vec![])
    );
}

#[test]
fn a_result_that_is_stored_is_compared_too() {
    for mode in ["auto", "disable"] {
        for (select, expect, outcome) in [
            ("SELECT 7 AS x \\gset", "value = 7", ""),
            ("SELECT 7 AS x \\gset", "value = 8", "expected value = 8, found 7"),
            ("SELECT 7 AS x \\gset", "rows = 2", "expected rows = 2, found 1"),
            ("SELECT :y AS x \\gset", "value = :y + 1", "expected value = :y + 1, found 4"),
            ("SELECT NULL AS x \\gset", "value = 8", "expected value = 8, found NULL"),
            ("SELECT 7 AS x WHERE :y = 0 \\gset", "rows = 1", "expected rows = 1, found 0"),
            ("SELECT 1 AS x UNION ALL SELECT 2 \\aset", "rows = 2", ""),
            ("SELECT 1 AS x UNION ALL SELECT 2 \\aset", "rows < 2", "expected rows < 2, found 2"),
            ("SELECT 1 AS x UNION ALL SELECT 2 \\aset", "value = 2", "expected value = 2, found 1"),
        ] {
            let script = format!("\\set y 4\n-- tenbin: expect=\"{expect}\"\n{select}\n");
            let wanted = if outcome.is_empty() { String::new() } else { format!("s.sql, line 3: {outcome}") };
            assert_eq!(executed(&script, &[("ps_mode", mode)]).0, wanted, "{script} {mode}");
        }
    }
}

#[test]
fn a_double_is_the_same_value_as_a_parameter_and_as_text() {
    for mode in ["auto", "disable"] {
        let script = "\\set w 10.0 / 2\n\\set d 1.0 / 3\n\\set m -2.0\n\
            INSERT INTO t VALUES (:w / 2), (:d = 0.333333333333333), (:m / 4.0), (typeof(:m));\n";
        let (outcome, rows) = executed(script, &[("ps_mode", mode)]);
        assert_eq!((outcome.as_str(), rows.join(" ").as_str()), ("", "-0.5 1 2 integer"), "{mode}");
    }
}
