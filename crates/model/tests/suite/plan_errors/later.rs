//! What this version cannot do, and what others find wrong when the plan has been read.

use super::told;
use tenbin_model::plan::{Part, Plan, Reading};
use tenbin_words::message::foreign;
use tenbin_words::msg;
use tenbin_words::problem::Problem;

#[test]
fn what_this_version_cannot_do_is_refused_honestly() {
    insta::assert_snapshot!(
        told(
            r#"
            schema = 1
            [defaults]
            warmup = "auto"
            [metrics]
            host = ["client", "server"]
            server = ["status"]
            [targets.mysql]
            dsn = "mysql://bench@host:3306"
            replicas = { r1 = "mysql://mon@replica:3306" }
            [datasets.tpcc]
            kind = "tpcc"
            warehouses = 100
            [[experiment]]
            measure = "30m"
            [experiment.watch]
            binlog = "10s"
            [experiment.search]
            vary = "load.rate"
            [experiment.check]
            abort = ["lag > 1800s for 300s"]
            [[experiment.table]]
            rows = "load.clients"
            [[experiment.chart]]
            kind = "timeline"
            "#
        ),
        @r#"
        line 6, column 13: not yet: host of [metrics] (the machines of the client and of the servers are observed always, choosing among observers comes later)
          evidence  6 |             host = ["client", "server"]
                      |             ^^^^
          hint      take it out; the rest of the plan does not need it

        line 7, column 13: not yet: server of [metrics] (the status variables are observed always, choosing among observers comes later)
          evidence  7 |             server = ["status"]
                      |             ^^^^^^
          hint      take it out; the rest of the plan does not need it

        line 14, column 13: the experiment does not say what its clients do
          evidence  14 |             [[experiment]]
                       |             ^
          hint      add [experiment.load] with workload = "oltp_read_write"

        line 16, column 25: not yet: watch of [[experiment]] (replicas, their binary logs and CloudWatch are observed always)
          evidence  16 |             [experiment.watch]
                       |                         ^^^^^
          hint      take it out; the rest of the plan does not need it

        line 18, column 25: search as a table needs until
          evidence  18 |             [experiment.search]
                       |                         ^^^^^^
          hint      write until = "p99 < 20ms"

        line 20, column 25: not yet: check of [[experiment]] (conditions that pass or abort a run come later)
          evidence  20 |             [experiment.check]
                       |                         ^^^^^
          hint      take it out; the rest of the plan does not need it

        line 22, column 26: not yet: table of [[experiment]] (the page chooses its own tables)
          evidence  22 |             [[experiment.table]]
                       |                          ^^^^^
          hint      take it out; the rest of the plan does not need it

        line 24, column 26: not yet: chart of [[experiment]] (the page chooses its own charts)
          evidence  24 |             [[experiment.chart]]
                       |                          ^^^^^
          hint      take it out; the rest of the plan does not need it
        "#
    );
}

#[test]
fn what_is_found_wrong_later_is_placed_in_the_plan() {
    let text = "schema = 1\n[targets.a]\ndsn = \"null:\"\n[[experiment]]\n[experiment.load]\nworkload = \"oltp_raed\"\n\
                # range_size = 1\nrange-size = \"x\"\n[experiment.matrix]\n\"load.point_selcts\" = [1]\nload.workload = [\"oltp_b\"]\n";
    let mut reading = Reading::of(text, &crate::common::catalog());
    let trial = reading.trials().remove(0);
    for (field, what) in [
        (Some(("workload", Some("oltp_raed"))), msg!("no-such-name", kind = "workload", name = "\"oltp_raed\"")),
        (
            Some(("point_selcts", None)),
            msg!("option-unknown", whose = "the workload oltp_read_only", option = "\"point_selcts\""),
        ),
        (
            Some(("range_size", Some("x"))),
            msg!("option-cannot-be", whose = "the workload oltp_read_only", option = "range_size", value = "\"x\""),
        ),
        (Some(("workload", Some("oltp_b"))), msg!("no-such-name", kind = "workload", name = "\"oltp_b\"")),
        (None, foreign("range_size and point_selcts do not go together")),
        (None, msg!("no-such-name", kind = "table", name = "\"oltp_b\"")),
    ] {
        reading.refuse(&trial, Part::Load, field, Problem::new(what));
    }
    let placed: Vec<String> = reading.finish().unwrap_err().iter().map(Problem::to_string).collect();
    insta::assert_snapshot!(placed.join("\n"), @r#"
    line 6, column 1: there is no workload "oltp_raed"
      evidence  6 | workload = "oltp_raed"
                  | ^^^^^^^^^^^^^^^^^^^^^^
    line 6, column 1: range_size and point_selcts do not go together
      evidence  6 | workload = "oltp_raed"
                  | ^^^^^^^^^^^^^^^^^^^^^^
    line 8, column 1: the workload oltp_read_only: range_size cannot be "x"
      evidence  8 | range-size = "x"
                  | ^^^^^^^^^^^^^^^^
    line 10, column 1: the workload oltp_read_only has no option "point_selcts"
      evidence  10 | "load.point_selcts" = [1]
                   | ^^^^^^^^^^^^^^^^^^^
    line 11, column 18: there is no workload "oltp_b"
      evidence  11 | load.workload = ["oltp_b"]
                   |                  ^^^^^^^^
    line 11, column 18: there is no table "oltp_b"
      evidence  11 | load.workload = ["oltp_b"]
                   |                  ^^^^^^^^
    "#);
}

/// The plans of the published series: what they ask for and this version cannot do is refused with that word, nothing
/// else.
#[test]
fn the_seed_series_is_run_or_refused_honestly() {
    const TARGETS: &str = "[targets.mysql]\ndsn = \"mysql://bench@db-a:3306\"\n[targets.maria]\ndsn = \"mysql://bench@db-b:3306\"\n\
                           [datasets.sb]\nkind = \"sysbench\"\ntables = 16\nrows = 1_000_000\n";
    let grid = r#"
        [[experiment]]
        name = "slap"
        targets = ["mysql"]
        repeats = 3
        restore = "before-run"
        warmup = "0s"
        [experiment.load]
        kind = "slap"
        profile = "mysqlslap"
        primary_key = "autoincrement"
        count_connect = true
        [experiment.matrix]
        "load.type" = ["read", "write", "update", "mixed"]
        "load.clients" = [1, 10, 30, 50, 100]
        "load.ops_per_client" = [1_000, 10_000, 100_000, 1_000_000]
        [[experiment.table]]
        title = "Average seconds"
    "#;
    let threads = r#"
        [[experiment]]
        name = "oltp"
        targets = ["mysql", "maria"]
        dataset = "sb"
        measure = "300s"
        warmup = "60s"
        [experiment.load]
        kind = "sysbench"
        [experiment.matrix]
        "load.script" = ["oltp_read_only", "oltp_read_write"]
        "load.threads" = [1, 2, 4, 8, 16, 32, 64, 128, 256]
    "#;
    let chart = format!("{threads}\n[[experiment.chart]]\nx = \"load.threads\"\n");
    let tpcc = r#"
        [datasets.tpcc]
        kind = "tpcc"
        warehouses = 100
        [[experiment]]
        name = "tpcc"
        dataset = "tpcc"
        repeats = 2
        [experiment.load]
        kind = "tpcc"
        [experiment.matrix]
        "dataset.warehouses" = [100, 250, 500]
        "load.connections" = [50, 100, 200]
    "#;
    let pool = r#"
        [[experiment]]
        name = "bufferpool"
        targets = ["mysql"]
        dataset = "sb"
        restore = "never"
        warmup = { min = "2m", max = "30m" }
        [experiment.load]
        kind = "sysbench"
        script = "oltp_read_only"
        rand = "uniform"
        threads = 64
        [experiment.matrix]
        "server.innodb_buffer_pool_size" = ["1GiB", "2GiB", "4GiB", "8GiB", "16GiB"]
    "#;
    let lag = r#"
        [targets.mysql.replicas]
        r1 = "mysql://mon@replica-1:3306"
        [[experiment]]
        name = "lag-2h"
        targets = ["mysql"]
        dataset = "sb"
        repeats = 1
        warmup = "5m"
        measure = "2h"
        [experiment.load]
        kind = "sysbench"
        script = "oltp_read_write"
        threads = 64
        [experiment.watch]
        lag = { method = "heartbeat", every = "200ms", also = ["sbm", "gtid", "ps"] }
        [experiment.check]
        abort = ["lag > 1800s for 300s", "disk.free < 10%"]
    "#;
    let limit = r#"
        [[experiment]]
        name = "slo"
        targets = ["mysql", "maria"]
        dataset = "sb"
        [experiment.load]
        kind = "sysbench"
        script = "oltp_read_write"
        connections = 256
        arrivals = "poisson"
        [experiment.search]
        vary = "load.rate"
        from = 200
        until = "p99 <= 20ms, errors <= 0.1%"
    "#;
    for (runs, trials) in [(threads, 108), (tpcc, 36), (limit, 24), (pool, 15)] {
        let plan = Plan::parse(&format!("schema = 1\n{TARGETS}{runs}"), &crate::common::catalog()).unwrap();
        assert_eq!(tenbin_model::plan::expand(&plan).len(), trials);
    }
    for request in [grid, &chart, lag] {
        let problems =
            Plan::parse(&format!("schema = 1\nname = \"series\"\n{TARGETS}{request}"), &crate::common::catalog())
                .unwrap_err();
        let others: Vec<_> = problems.iter().filter(|p| !p.what.contains(": not yet: ")).collect();
        assert!(others.is_empty(), "{request}\n{others:#?}");
    }
}

#[test]
fn a_mistake_in_a_data_set_is_placed_there() {
    let text = "schema = 1\n[targets.a]\ndsn = \"null:\"\n[[experiment]]\nload.workload = \"oltp_read_only\"\ndataset = \"d\"\n\
                [datasets.d]\nkind = \"sysbench\"\ntable_size = 5\n";
    let mut reading = Reading::of(text, &crate::common::catalog());
    let trial = reading.trials().remove(0);
    for what in [
        msg!("sql-table-without-rows", table = "t"),
        msg!("sql-create-does-more", script = "5", line = 1, verb = "DROP"),
    ] {
        reading.refuse(&trial, Part::Data, None, Problem::new(what));
    }
    let placed: Vec<String> = reading.finish().unwrap_err().iter().map(Problem::to_string).collect();
    let lines: Vec<&str> = placed.iter().map(|problem| problem.split(',').next().unwrap()).collect();
    assert_eq!(lines, ["line 8", "line 9"], "the first of its fields, and that which names the file");
}
