//! Loaders that meet on one PostgreSQL.

use std::process::Stdio;
use std::time::{Duration, Instant};
use tenbin_tests::sql::{ask, given, on, open};
use tenbin_tests::{postgres, tenbin};
use tenbin_workload::dataset;

/// PostgreSQL lets two that CREATE TABLE IF NOT EXISTS at once meet: the later one waits for the first and is then refused
/// what it would have passed over (23505). Here both loaders are sure to be the later one.
#[test]
fn loaders_that_make_the_mark_at_once_all_pass() {
    let server = postgres(&[]);
    let dsn = server.dsn();
    let create = dataset("tpcc", &given(&[]), tenbin_model::dsn::Scheme::Postgres).unwrap().statements().remove(0);
    assert!(create.contains("tenbin_mark"), "{create}");
    let load = |arguments: &[&str]| {
        let mut command = tenbin();
        command.args(["load", arguments[0], &dsn]).args(&arguments[1..]);
        command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
    };
    let loads = on(async {
        let mut first = open(&dsn).await;
        first.query("BEGIN").await.unwrap();
        first.query(&create).await.unwrap();
        let loads = [load(&["oltp_read_write", "--table-size", "100"]), load(&["tpcc", "-o", "warehouses=1"])];
        let start = Instant::now();
        let waiting =
            "SELECT COUNT(*) FROM pg_stat_activity WHERE wait_event_type='Lock' AND query LIKE 'CREATE%tenbin_mark%'";
        let mut watch = open(&dsn).await;
        while watch.table(waiting).await.unwrap().scalar() != Some("2") {
            assert!(start.elapsed() < Duration::from_secs(60), "both loaders wait for the mark");
            std::thread::sleep(Duration::from_millis(20));
        }
        first.query("COMMIT").await.unwrap();
        loads
    });
    for load in loads {
        let output = load.wait_with_output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    }
    let marked = "SELECT dataset, COUNT(*) FROM tenbin_mark WHERE complete=1 GROUP BY dataset ORDER BY dataset";
    assert_eq!(ask(&dsn, marked), [["sysbench", "1"], ["tpcc", "10"]]);
}
