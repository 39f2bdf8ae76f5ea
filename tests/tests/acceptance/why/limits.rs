//! Causes that are known, each staged on a real server: every limit but latches, which no server reports by default, and nothing.

use super::{Staged, assert_found, assert_limit};
use tenbin_tests::{ControlGroup, Namespace, NullServer, mariadb, postgres, replication, sql, tenbin};

/// E2: a line between clients and server, once too narrow and once too long.
#[test]
fn a_narrow_line_is_the_network() {
    let why = Staged::plan(
        "[targets.far]\nsandbox = \"mariadbd\"\nlink = { rate = \"2Mbit\", delay = \"1ms\" }\n\
         [datasets.sb]\ntable_size = 1000\n[[experiment]]\nload = { workload = \"oltp_point_select\", clients = 16 }\n",
    );
    assert_found(&why, tenbin, "network", &["Mbit/s"]);
}

/// E1's leased line and E2's cloud network: the rate of the line is not known, and it is full with 4 clients as with 16. Once
/// the server's processors are seen, as those of a container of this machine, and once nothing of the server is.
#[test]
fn a_full_line_whose_rate_is_not_given_is_the_network() {
    let (server, network) = (mariadb(&[("bind_address", "*")]), Namespace::new());
    let account = format!("far@'{}'", network.client());
    sql::query(&server, &format!("CREATE USER {account}"));
    sql::query(&server, &format!("GRANT ALL ON *.* TO {account}"));
    let port = sql::connector(&server).dsn().port.expect("a test's server has a port");
    network.limit("20mbit");
    for (host, load) in [("local", "oltp_point_select"), ("none", "oltp_read_only")] {
        let why = Staged::plan(&format!(
            "[targets.far]\ndsn = \"mysql://far@{}:{port}/sbtest\"\nhost = \"{host}\"\n[datasets.sb]\ntable_size = 1000\n\
             [[experiment]]\nmeasure = \"6s\"\nload = {{ workload = \"{load}\" }}\nmatrix = {{ load.clients = [16, 4] }}\n",
            network.server()
        ));
        let words = ["a statement that does nothing takes"];
        match host {
            "none" => assert_limit(&why.diagnosed_by(|| network.tenbin()), "network", &words),
            _ => assert_found(&why, || network.tenbin(), "network", &words),
        }
    }
    // The key of the plan says it outright.
    let why = Staged::plan(&format!(
        "[targets.far]\ndsn = \"mysql://far@{}:{port}/sbtest\"\nline = \"20Mbit\"\n[datasets.sb]\ntable_size = 1000\n\
         [[experiment]]\nload = {{ workload = \"oltp_read_only\", clients = 4 }}\n",
        network.server()
    ));
    assert_limit(&why.diagnosed_by(|| network.tenbin()), "network", &["of 20 Mbit/s"]);
}

/// A line that loses packets in both directions: what each lost one delays is most of the response time.
#[test]
fn a_line_that_loses_packets_is_the_network() {
    let (server, network) = (mariadb(&[("bind_address", "*")]), Namespace::new());
    let account = format!("far@'{}'", network.client());
    sql::query(&server, &format!("CREATE USER {account}"));
    sql::query(&server, &format!("GRANT ALL ON *.* TO {account}"));
    let port = sql::connector(&server).dsn().port.expect("a test's server has a port");
    network.lose(3);
    let why = Staged::plan(&format!(
        "[targets.far]\ndsn = \"mysql://far@{}:{port}/sbtest\"\nhost = \"local\"\n[datasets.sb]\ntable_size = 1000\n\
         [[experiment]]\nload = {{ workload = \"oltp_read_only\", clients = 4 }}\n",
        network.server()
    ));
    assert_found(&why, || network.tenbin(), "network", &["were sent again"]);
}

#[test]
fn a_long_line_is_the_network() {
    let why = Staged::plan(
        "[targets.far]\nsandbox = \"postgres\"\nlink = { delay = \"3ms\" }\n\
         [datasets.sb]\ntable_size = 1000\n[[experiment]]\nload = { workload = \"oltp_read_only\", clients = 4 }\n",
    );
    // Its refuting plan removes the link, as that of the narrow line does.
    assert_limit(&why.diagnosed(), "network", &["round trips"]);
}

/// E5: a replica whose storage completes fewer writes per second than the source commits.
#[test]
fn a_replica_on_a_slower_disk_is_the_replica() {
    let both = replication(&[("innodb_flush_log_at_trx_commit", "1"), ("sync_binlog", "1")]);
    let _group = ControlGroup::with_writes(both.replica.pid().expect("it runs"), both.replica.dir(), 100);
    let why = Staged::plan(&format!(
        "[targets.source]\ndsn = \"{}\"\nreplicas = {{ r1 = {{ dsn = \"{}\" }} }}\n\
         [datasets.sb]\ntable_size = 100\n\
         [[experiment]]\nmeasure = \"4s\"\ncatch_up = \"none\"\nload = {{ workload = \"oltp_update_non_index\", clients = 4, rate = 60 }}\n",
        both.source.dsn(),
        both.replica.dsn()
    ));
    assert_found(&why, tenbin, "replica", &["falls behind", "its disk"]);
}

#[test]
fn a_quota_of_its_control_group_is_the_processors_of_the_server() {
    let server = mariadb(&[]);
    let _group = ControlGroup::with_processor(server.pid().expect("it runs"), 30);
    let why = Staged::plan(&format!(
        "[targets.small]\ndsn = \"{}\"\n[datasets.sb]\ntable_size = 1000\n\
         [[experiment]]\nload = {{ workload = \"oltp_read_only\", clients = 16 }}\n",
        server.dsn()
    ));
    assert_found(&why, tenbin, "server-cpu", &["0.30 processors"]);
}

#[test]
fn a_throttled_disk_is_reading_from_the_disk() {
    // MariaDB keeps as many pages free as the depth of its scan says, by default more than both pools have.
    let server = mariadb(&[
        ("innodb_buffer_pool_size", "8M"),
        ("innodb_lru_scan_depth", "100"),
        ("innodb_flush_method", "O_DIRECT"),
    ]);
    // Enough that twice the memory is filled before the window of two seconds begins.
    let _group = ControlGroup::with_reads(server.pid().expect("it runs"), server.dir(), 2000);
    let why = Staged::plan(&format!(
        "[targets.slow]\ndsn = \"{}\"\n[datasets.sb]\ntable_size = 100000\n\
         [[experiment]]\nload = {{ workload = \"oltp_point_select\", clients = 8, rand_type = \"uniform\" }}\n",
        server.dsn()
    ));
    assert_found(&why, tenbin, "disk-reads", &[]);
}

#[test]
fn flushes_of_the_log_are_the_commit() {
    let why = Staged::plan(
        "[targets.safe]\nsandbox = \"mariadbd\"\n\
         server = { innodb_flush_log_at_trx_commit = 1, log_bin = \"bin\", sync_binlog = 1 }\n\
         [datasets.sb]\ntable_size = 10000\n[[experiment]]\nload = { workload = \"oltp_update_non_index\", clients = 4 }\n",
    );
    assert_found(&why, tenbin, "commit", &[]);
}

/// The refuting plan is the same for every hot row: half the clients. It is run of quick transactions on one server, and of slow ones on
/// the other.
#[test]
fn one_hot_row_is_row_locks() {
    assert_found(&one_hot_row("mariadbd"), tenbin, "row-locks", &[]);
}

#[test]
fn one_hot_row_of_postgresql_is_row_locks() {
    assert_limit(&one_hot_row("postgres").diagnosed(), "row-locks", &[]);
}

fn one_hot_row(sandbox: &str) -> Staged {
    let why = Staged::plan(&format!(
        "[targets.hot]\nsandbox = \"{sandbox}\"\n[datasets.sb]\ntable_size = 100\n\
         [[experiment]]\ndataset = \"sb\"\nload = {{ workload = \"DIR/hot.lua\", clients = 16 }}\n"
    ));
    // One transaction after the other leaves the processors idle, so that the refuting plan's windows differ by little.
    let hold = if sandbox == "postgres" { "SELECT 1" } else { "DO SLEEP(0.001)" };
    let event = format!(
        "con:query('BEGIN')\ncon:query('UPDATE sbtest1 SET k = k + 1 WHERE id = 1')\ncon:query('{hold}')\ncon:query('COMMIT')"
    );
    why.script("hot.lua", &event)
}

/// Each of 24 clients holds the row for 50 ms, so that a transaction takes a third of the window, and longer than the warm-up.
#[test]
fn one_hot_row_with_slow_transactions_is_row_locks() {
    for (sandbox, sleep) in [("mariadbd", "SELECT SLEEP(0.05)"), ("postgres", "SELECT pg_sleep(0.05)")] {
        let why = Staged::plan(&format!(
            "[targets.hot]\nsandbox = \"{sandbox}\"\n[datasets.sb]\ntable_size = 100\n\
             [[experiment]]\ndataset = \"sb\"\nload = {{ workload = \"DIR/hot.lua\", clients = 24 }}\n"
        ));
        let event = format!(
            "con:query('BEGIN')\ncon:query('UPDATE sbtest1 SET k = k + 1 WHERE id = 1')\ncon:query('{sleep}')\ncon:query('COMMIT')"
        );
        let why = why.script("hot.lua", &event);
        match sandbox {
            "postgres" => assert_found(&why, tenbin, "row-locks", &[]),
            _ => assert_limit(&why.diagnosed(), "row-locks", &[]),
        }
    }
}

/// A quarter of each transaction waits for the row, and three quarters wait for nothing: with fewer clients it is slower. Its figures say
/// row locks; the run of the plan that would refute that says that they are not, and does not name them again.
#[test]
fn a_limit_that_its_refuting_plan_refutes_is_not_said_again() {
    let why = Staged::plan(
        "[targets.warm]\nsandbox = \"mariadbd\"\nserver = { innodb_flush_log_at_trx_commit = 2 }\n[datasets.sb]\ntable_size = 100\n\
         [[experiment]]\ndataset = \"sb\"\nload = { workload = \"DIR/warm.lua\", clients = 8 }\n",
    );
    let event = "con:query('DO SLEEP(0.04)')\ncon:query('BEGIN')\ncon:query('UPDATE sbtest1 SET k = k + 1 WHERE id = 1')\n\
                 con:query('DO SLEEP(0.008)')\ncon:query('COMMIT')";
    let why = why.script("warm.lua", event);
    let diagnosed = why.diagnosed();
    assert_limit(&diagnosed, "row-locks", &[]);
    if diagnosed.why["limit"] != "row-locks" {
        return;
    }
    let (tested, disturbed) = why.tested(&why.dir.path().join("refute.toml"), "row-locks", &tenbin);
    assert!(tested["outcome"] == "refuted" || (disturbed && !tenbin_tests::more_attempts_follow()), "{tested}");
    assert!(tested["ratio"].as_f64().is_some_and(|ratio| ratio < 0.9), "{tested}");
}

#[test]
fn a_thread_pool_that_is_too_small_is_admission() {
    let why = Staged::plan(
        "[targets.pool]\nsandbox = \"mariadbd\"\n\
         server = { thread_handling = \"pool-of-threads\", thread_pool_size = 1, thread_pool_max_threads = 20 }\n\
         [datasets.sb]\ntable_size = 100\n[[experiment]]\ndataset = \"sb\"\nload = { workload = \"DIR/work.lua\", clients = 100 }\n",
    );
    // One of its threads may be kept for listening: of two, that would be half of them. They wait and use no processor: two that are busy
    // would be the limit on a machine that has two.
    let why = why.script("work.lua", "con:query('SELECT SLEEP(0.02)')");
    assert_found(&why, tenbin, "admission", &[]);
}

/// Two connections to the server for sixteen clients, by a pool in front of it.
#[test]
fn a_pool_of_connections_that_is_too_small_is_admission() {
    let server = postgres(&[]);
    let port = tenbin_tests::sql::connector(&server).dsn().port.expect("a test's server has a port");
    let pool = tenbin_tests::PgBouncer::start(port, 2);
    let why = Staged::plan(&format!(
        "[targets.pool]\ndsn = \"{}\"\n[datasets.sb]\ntable_size = 100\n\
         [[experiment]]\ndataset = \"sb\"\nload = {{ workload = \"DIR/work.lua\", clients = 16 }}\n",
        pool.dsn()
    ));
    let why = why.script("work.lua", "con:query('SELECT pg_sleep(0.005)')");
    // Its refuting plan is that of the pool of threads: half the clients.
    assert_limit(&why.diagnosed(), "admission", &[]);
}

#[test]
fn a_server_that_answers_at_once_leaves_the_client() {
    let server = NullServer::start(&[]);
    let why = Staged::plan(&format!(
        "[targets.null]\ndsn = \"{}\"\nallow = [\"write-unmarked\"]\n[datasets.sb]\ntable_size = 100\n\
         [[experiment]]\nrestore = \"require\"\nload = {{ workload = \"oltp_point_select\", clients = 64, workers = 1 }}\n",
        server.dsn()
    ));
    // Its refuting plan gives the client more threads. On two processors the server takes the other one, and either may be right.
    match std::thread::available_parallelism() {
        Ok(processors) if processors.get() > 2 => assert_found(&why, tenbin, "client", &[]),
        _ => assert_limit(&why.diagnosed(), "client", &[]),
    }
}

/// A container that may use two fifths of a processor, and a server outside of it.
#[test]
fn a_quota_of_the_clients_control_group_is_the_client() {
    let (server, group) = (mariadb(&[]), ControlGroup::of_programs(40));
    let why = Staged::plan(&format!(
        "[targets.fast]\ndsn = \"{}\"\n[datasets.sb]\ntable_size = 1000\n\
         [[experiment]]\nload = {{ workload = \"oltp_point_select\", clients = 32 }}\n",
        server.dsn()
    ));
    assert_found(&why, || group.tenbin(), "client", &["0.40 processors"]);
}

#[test]
fn a_low_rate_is_limited_by_nothing() {
    let why = Staged::plan(
        "[targets.idle]\nsandbox = \"mariadbd\"\n[datasets.sb]\ntable_size = 1000\n\
         [[experiment]]\nload = { workload = \"oltp_read_only\", clients = 4, rate = 20 }\n",
    );
    assert_found(&why, tenbin, "none", &[]);
}
