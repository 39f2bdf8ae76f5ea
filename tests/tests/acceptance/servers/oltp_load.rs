//! Loading into a real server: every way in gives the same rows, and what goes wrong is reported with a hint.

#![expect(clippy::unwrap_used, reason = "a test may")]

use std::sync::atomic::{AtomicBool, Ordering};
use tenbin_model::stop::StopSignal;
use tenbin_tests::mariadb;
use tenbin_tests::sql::{connector, given, query};
use tenbin_workload::{Dataset, DatasetState};
use tenbin_workloads::dataset;

fn set(pairs: &[(&str, &str)]) -> Box<dyn Dataset> {
    dataset("sysbench", &given(pairs), tenbin_model::dsn::Scheme::Mysql).unwrap()
}

#[test]
fn every_way_in_gives_the_same_rows() {
    let sums: Vec<String> = [
        &[][..],
        &[("local_infile", "OFF")],
        &[("local_infile", "OFF"), ("max_allowed_packet", "16384")],
        &[("innodb_autoinc_lock_mode", "2")],
        &[("autocommit", "OFF")],
    ]
    .into_iter()
    .flat_map(|server| {
        let server = mariadb(server);
        let c = connector(&server);
        let data = set(&[("tables", "2"), ("table_size", "30000")]);
        [1, 2, 7].map(|streams| {
            let text = std::sync::Mutex::new(Vec::new());
            data.load(&c, streams, 5, &|rows| text.lock().unwrap().push(rows), &StopSignal::new())
                .unwrap_or_else(|p| panic!("{p}"));
            assert_eq!(text.into_inner().unwrap().into_iter().max(), Some(60_000));
            assert_eq!(data.inspect(&c).unwrap(), DatasetState::Ready { ours: true });
            let sum =
                ["sbtest1", "sbtest2"].map(|t| query(&server, &format!("CHECKSUM TABLE {t}"))[0][1].clone()).join(" ");
            data.drop_ours(&c).unwrap();
            sum
        })
    })
    .collect();
    assert!(sums.iter().all(|s| *s == sums[0] && s.len() > 8), "{sums:?}");
    let (one, two) = sums[0].split_once(' ').unwrap();
    assert_ne!(one, two, "tables do not repeat each other");
}

#[test]
fn a_lost_connection_tells_how_far_the_load_came_and_a_hint() {
    let server = mariadb(&[]);
    let c = connector(&server);
    let data = set(&[("tables", "2"), ("table_size", "300000")]);
    let killed = AtomicBool::new(false);
    let kill = |rows: u64| {
        if rows > 200_000 && !killed.swap(true, Ordering::SeqCst) {
            // The progress is reported by the thread that loads, which has a runtime already.
            std::thread::scope(|s| {
                s.spawn(|| {
                    let own = "SELECT id FROM information_schema.PROCESSLIST WHERE info LIKE 'LOAD DATA%'";
                    for row in query(&server, own) {
                        query(&server, &format!("KILL {}", row[0]));
                    }
                });
            });
        }
    };
    let problem = data.load(&c, 2, 1, &kill, &StopSignal::new()).unwrap_err();
    assert!(problem.what.starts_with("loading failed: "), "{problem}");
    assert!(problem.evidence.as_deref().unwrap().ends_with(" of 600000 rows were loaded"), "{problem}");
    assert!(problem.hint.as_deref().unwrap().ends_with("--drop --tables 2 --table-size 300000"), "{problem}");
    let DatasetState::Different { ours: true, problem } = data.inspect(&c).unwrap() else { panic!() };
    assert_eq!(problem.what, "table sbtest1 was not loaded to the end");
    data.drop_ours(&c).unwrap();
    assert_eq!(data.inspect(&c).unwrap(), DatasetState::Nothing);
    data.load(&c, 2, 1, &|_| (), &StopSignal::new()).unwrap();
}

#[test]
fn a_full_disk_is_told_in_the_servers_words() {
    let small = [("innodb_file_per_table", "OFF"), ("innodb_data_file_path", "ibdata1:12M:autoextend:max:24M")];
    let server = mariadb(&small);
    let c = connector(&server);
    let data = set(&[("table_size", "200000")]);
    let problem = data.load(&c, 1, 1, &|_| (), &StopSignal::new()).unwrap_err();
    assert!(problem.what.contains("is full (error 1114)"), "{problem}");
    assert!(problem.evidence.as_deref().unwrap().ends_with(" of 200000 rows were loaded"), "{problem}");
    data.drop_ours(&c).unwrap();
    assert_eq!(data.inspect(&c).unwrap(), DatasetState::Nothing);
}

#[test]
fn what_does_not_fit_is_named_with_what_was_wanted_and_found() {
    let server = mariadb(&[]);
    let c = connector(&server);
    set(&[("table_size", "4000")]).load(&c, 1, 1, &|_| (), &StopSignal::new()).unwrap();
    let text_of = |pairs: &[(&str, &str)]| match set(pairs).inspect(&c).unwrap() {
        DatasetState::Different { ours: true, problem } => {
            format!("{}; {}", problem.what.english(), problem.evidence.unwrap().english())
        }
        other => panic!("{other:?}"),
    };
    assert_eq!(
        text_of(&[("table_size", "5000")]),
        "table sbtest1 has the wrong size; wanted 5000 rows, found ids 1 to 4000"
    );
    assert_eq!(
        text_of(&[("table_size", "100")]),
        "table sbtest1 has the wrong size; wanted 100 rows, found ids 1 to 4000"
    );
    let same = ("table_size", "4000");
    assert_eq!(text_of(&[same, ("tables", "3")]), "table sbtest2 is missing; 1 of 3 tables are there");
    assert_eq!(
        text_of(&[same, ("auto_inc", "off")]),
        "table sbtest1 has another AUTO_INCREMENT than wanted; wanted auto_inc = off, found on"
    );
    assert_eq!(
        text_of(&[same, ("create_secondary", "off")]),
        "table sbtest1 has another index on k than wanted; wanted create_secondary = off, found on"
    );
    assert_eq!(
        text_of(&[same, ("mysql_storage_engine", "myisam")]),
        "table sbtest1 has another storage engine than wanted; wanted mysql_storage_engine = myisam, found innodb"
    );
    query(&server, "DELETE FROM sbtest1 WHERE id % 2 = 0");
    assert_eq!(
        text_of(&[same]),
        "table sbtest1 has the wrong size; wanted 4000 rows, found ids 1 to 3999; of 1000 ids looked at, spread over the table, 500 are there"
    );
    let refused = set(&[same]).load(&c, 1, 1, &|_| (), &StopSignal::new()).unwrap_err();
    assert_eq!(refused.to_string().lines().next(), Some("table sbtest1 already exists"));
    assert_eq!(query(&server, "SELECT COUNT(*) FROM sbtest1"), [["2000"]], "nothing was changed");

    // A marked table that somebody has made into another one is not ours any more.
    query(&server, "ALTER TABLE sbtest1 DROP COLUMN pad");
    let refused = set(&[same]).drop_ours(&c).unwrap_err();
    // Told by its columns, or by the second in which it was made into it.
    let is_other = ["which Tenbin did not make: nothing is dropped", "so nothing is dropped"];
    assert!(is_other.iter().any(|end| refused.what.ends_with(end)), "{refused}");
    // Nor is another program's table of our mark's name.
    query(&server, "DROP TABLE tenbin_mark");
    query(&server, "CREATE TABLE tenbin_mark(x INT)");
    let foreign = set(&[same]).inspect(&c).unwrap_err();
    assert_eq!(foreign.what, "the table tenbin_mark in this schema is not Tenbin's");
}

#[test]
fn an_address_without_a_schema_is_told() {
    let server = mariadb(&[]);
    let bare = connector(server.dsn().trim_end_matches("/sbtest"));
    let problem = set(&[]).inspect(&bare).unwrap_err();
    assert_eq!(problem.what, "the address of the database names no schema");
}
