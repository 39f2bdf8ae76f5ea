//! What stands between a client and its server: a balancer of connections in front of two servers, and a pool that
//! lends its connections for a transaction at a time.

#![expect(clippy::unwrap_used, reason = "a test may")]

use tenbin_model::dsn::Dsn;
use tenbin_tests::{Balancer, PgBouncer, mariadb, output_of, postgres, sql, tenbin, tpcc};

fn port(dsn: &str) -> u16 {
    Dsn::parse(dsn).unwrap().port.unwrap()
}

const TABLES: [&str; 4] = ["--tables", "1", "--table-size", "1000"];

#[test]
fn two_servers_behind_one_address_are_seen() {
    let servers = [mariadb(&[]), mariadb(&[])];
    for server in &servers {
        let (code, _, err) = output_of(tenbin().args(["load", "oltp_point_select", &server.dsn()]).args(TABLES));
        assert_eq!(code, 0, "{err}");
    }
    let ports = servers.each_ref().map(|s| port(&s.dsn()));
    let balancer = Balancer::start(&ports);
    let through = servers[0].dsn().replace(&format!(":{}", ports[0]), &format!(":{}", balancer.port()));
    let (_, out, _) = output_of(tenbin().args(["doctor", &through]));
    let told_of = |port| out.contains(&format!("port {port}"));
    assert!(out.contains("the address leads to more than one server") && ports.iter().all(told_of), "{out}");

    let runs = tempfile::tempdir().unwrap();
    let bench = |dsn: &str| {
        let mut command = tenbin();
        command
            .args(["bench", "oltp_point_select", dsn, "--threads", "2", "--time", "1", "--json", "--runs"])
            .arg(runs.path());
        output_of(command.args(TABLES)).1
    };
    assert!(bench(&through).contains("\"many-servers\""));
    assert!(!bench(&servers[0].dsn()).contains("many-servers"));
    // A name that keeps its connections looks as well.
    let slap = |port: u16| {
        let runs = tempfile::tempdir().unwrap();
        let mut command = tenbin();
        let port = port.to_string();
        command.args(["mysqlslap", "--no-defaults", "-h127.0.0.1", "-uroot", "-P", &port, "-q", "SELECT 1", "-c2"]);
        command.arg("--create-schema=sbtest");
        let (code, out, err) = output_of(command.env("TENBIN_RUNS", runs.path()));
        assert_eq!(code, 0, "{out}{err}");
        tenbin_tests::read_back(runs.path()).1.to_string()
    };
    assert!(slap(balancer.port()).contains("\"many-servers\""));
    assert!(!slap(ports[0]).contains("many-servers"));

    // One server behind a balancer is one server.
    let alone = Balancer::start(&ports[..1]);
    let through = servers[0].dsn().replace(&format!(":{}", ports[0]), &format!(":{}", alone.port()));
    let (_, out, _) = output_of(tenbin().args(["doctor", &through]));
    assert!(out.contains("connections are enough") && !out.contains("more than one server"), "{out}");
    // A server is called what it calls itself, with what it says of its make.
    let comment = &sql::query(&servers[0], "SELECT CONCAT(VERSION(), ' (', @@version_comment, ')')")[0][0];
    assert!(out.contains(comment.as_str()), "{comment} in {out}");
}

#[test]
fn a_pool_in_transaction_mode_gets_its_hint_and_keeps_no_lock() {
    let server = postgres(&[]);
    let pool = PgBouncer::start(port(&server.dsn()), 3);
    let dsn = pool.dsn();
    let (code, _, err) = output_of(tenbin().args(["load", "oltp_point_select", &dsn]).args(TABLES));
    assert_eq!(code, 0, "{err}");
    let runs = tempfile::tempdir().unwrap();
    let bench = |more: &[&str]| {
        let mut command = tenbin();
        command.args(["bench", "oltp_point_select", &dsn, "--threads", "4", "--time", "1", "--runs"]).arg(runs.path());
        output_of(command.args(TABLES).args(more))
    };
    let (code, out, err) = bench(&[]);
    let both = out + &err;
    assert_ne!(code, 0, "prepared statements do not survive a pool in transaction mode");
    assert!(both.contains("42P05") || both.contains("26000"), "{both}");
    assert!(both.contains("ps_mode=disable"), "{both}");
    let (code, out, err) = bench(&["-o", "ps_mode=disable"]);
    assert!([0, 3].contains(&code), "{code} {out}{err}");

    tpcc::loaded(&dsn, 1, &[]);
    let locks = sql::query(&server, "SELECT count(*) FROM pg_locks WHERE locktype = 'advisory'");
    assert_eq!(locks[0][0], "0", "a lock is left on a connection of the pool");
}
