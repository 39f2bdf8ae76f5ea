//! Loads that meet on one PostgreSQL.

use std::process::Stdio;
use std::time::{Duration, Instant};
use tenbin_model::dsn::{Dsn, Scheme};
use tenbin_tests::sql::{given, on, open, query};
use tenbin_tests::{postgres, tenbin};
use tenbin_workloads::dataset;

/// PostgreSQL lets two that CREATE TABLE IF NOT EXISTS at once meet: the later one waits for the first and is then
/// refused what it would have passed over (23505, or 42710 a moment later). Here the load is sure to be the later
/// one.
#[test]
fn a_mark_that_another_makes_at_the_same_time_is_no_error() {
    let server = postgres(&[]);
    let dsn = server.dsn();
    let create = dataset("tpcc", &given(&[]), Scheme::Postgres).unwrap().statements().remove(0);
    assert!(create.contains("tenbin_mark"), "{create}");
    let at = Dsn::parse(&dsn).unwrap();
    let prepare = on(async {
        let mut first = open(&dsn).await;
        first.query("BEGIN").await.unwrap();
        first.query(&create).await.unwrap();
        let mut prepare = tenbin();
        prepare.args(["sysbench", "oltp_read_write", "--db-driver=pgsql", "--pgsql-host=127.0.0.1"]);
        prepare.arg(format!("--pgsql-port={}", at.port.unwrap())).arg(format!("--pgsql-user={}", at.user));
        prepare.arg(format!("--pgsql-db={}", at.database));
        prepare.args(["--tables=2", "--table-size=100", "--threads=2", "prepare"]);
        let prepare = prepare.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let start = Instant::now();
        let waiting =
            "SELECT COUNT(*) FROM pg_stat_activity WHERE wait_event_type='Lock' AND query LIKE 'CREATE%tenbin_mark%'";
        let mut watch = open(&dsn).await;
        while watch.table(waiting).await.unwrap().scalar() != Some("1") {
            assert!(start.elapsed() < Duration::from_secs(60), "it waits for the mark");
            std::thread::sleep(Duration::from_millis(20));
        }
        first.query("COMMIT").await.unwrap();
        prepare
    });
    let output = prepare.wait_with_output().unwrap();
    let printed = format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success(), "{printed}");
    let marked = "SELECT dataset, COUNT(*) FROM tenbin_mark WHERE complete=1 GROUP BY dataset ORDER BY dataset";
    assert_eq!(query(&dsn, marked), [["sysbench", "2"]], "{printed}");
}
