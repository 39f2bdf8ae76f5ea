//! Each limit of each rule: reached by a figure at it, and not by one just below it.

use super::case::{Case, judgement, usual};
use std::collections::BTreeSet;
use tenbin_model::tally::Tally;
use tenbin_verdict::why::Bottleneck;

/// The bottleneck, what its rule looks at, and the trial with a figure at the limit (`true`) or just below it.
type Limit = (Bottleneck, &'static str, fn(bool) -> Case);

/// Its limit is 0.01 s per second, but in ten seconds less than half a second is within the resolution of the heartbeat.
const LAG: &str = "a lag that grows";

const LIMITS: &[Limit] = &[
    (Bottleneck::Client, "processors of its threads", |at| Case { client_cores: of(at, 1.7), ..usual() }),
    (Bottleneck::Client, "processors of its machine", |at| {
        full(elsewhere(), of(at, 1.4)).with("client.process/run_delay_s", 0.6)
    }),
    (Bottleneck::Client, "a quota", |at| throttled(0.3, of(at, 2.5))),
    (Bottleneck::Client, "threads that are never idle", |at| usual().with("client.process/run_delay_s", of(at, 1.6))),
    (Bottleneck::Client, "time between transactions", |at| Case { response_ms: of(!at, 12.8), ..usual() }),
    (Bottleneck::Client, "late starts", |at| {
        let tally: fn(&mut Tally) = if at { |tally| wait(tally, 1002) } else { |tally| wait(tally, 998) };
        Case { load: "clients = 16\nrate = 100", tps: 100, response_ms: 0.3, tally, ..usual() }
    }),
    (Bottleneck::Replica, "confirmations", |at| {
        replicated().counter("server.status", "rpl_semi_sync_master_tx_wait_time", of(at, 3.2e6))
    }),
    (Bottleneck::Replica, LAG, |at| replicated().counter("replica", "r1.lag_s", of(at, 0.05))),
    (Bottleneck::Network, "the rate of the line", |at| line().counter("client.path", "received_bits", of(at, 8e6))),
    (Bottleneck::Network, "segments that are sent again", |at| {
        let line = line().counter("client.path", "received_bits", 1e6).counter("client.path", "tcp_segments", 9900.0);
        line.counter("client.path", "tcp_retransmitted_segments", of(at, 100.0))
    }),
    (Bottleneck::Network, "segments that the server sends again", |at| {
        let line =
            line().counter("client.path", "received_bits", 1e6).counter("server.process", "tcp_segments", 9900.0);
        line.counter("server.process", "tcp_retransmitted_segments", of(at, 100.0))
    }),
    (Bottleneck::Network, "round trips", |at| {
        line().counter("client.path", "received_bits", 1e6).with("client.rtt/rtt_s", of(at, 0.008))
    }),
    (Bottleneck::ServerCpu, "processors of the server", |at| usual().with("server.process/cpu_user_s", of(at, 1.6))),
    (Bottleneck::ServerCpu, "processors of its machine", |at| {
        full(usual(), of(at, 1.4)).with("server.process/run_delay_s", 0.0)
    }),
    (Bottleneck::ServerCpu, "waits for processors that others use", |at| {
        full(usual(), 1.5).with("server.process/cpu_user_s", 0.5).with("server.process/run_delay_s", of(at, 6.4))
    }),
    (Bottleneck::ServerCpu, "a quota", |at| {
        let periods = usual().counter("server.process", "cpu_periods", 10.0);
        periods.counter("server.process", "cpu_throttled_periods", of(at, 2.5))
    }),
    (Bottleneck::ServerCpu, "processors by CloudWatch", |at| {
        usual().without("server.process").gauge("cloudwatch", "CPUUtilization", of(at, 90.0))
    }),
    (Bottleneck::DiskReads, "response time", |at| read().gauge("server.sessions", "read", of(at, 6.4))),
    (Bottleneck::DiskReads, "pressure", |at| read().with("client.host/io_waited_s", of(at, 0.2))),
    (Bottleneck::Commit, "response time", |at| usual().with("server.sessions/commit", of(at, 6.4))),
    (Bottleneck::RowLocks, "response time", |at| usual().with("server.status/innodb_row_lock_time", of(at, 3200.0))),
    (Bottleneck::Latches, "sessions", |at| usual().gauge("server.sessions", "latch", of(at, 3.2))),
    (Bottleneck::Admission, "sessions", |at| usual().gauge("server.sessions", "admission", of(at, 3.2))),
    (Bottleneck::Admission, "connections", |at| usual().with("server.status/threads_connected", of(!at, 12.8))),
    (Bottleneck::Admission, "threads that may work", |at| {
        let case = Case { variables: vec![("innodb_thread_concurrency", "8")], ..usual() };
        case.gauge("server.status", "threads_running", of(at, 10.0))
    }),
    (Bottleneck::Admission, "refused connections", |at| {
        let tally: fn(&mut Tally) = if at { |tally| refuse(tally, 2505) } else { |tally| refuse(tally, 2495) };
        Case { tally, ..usual() }
    }),
];

/// A figure that is a thousandth above this one, or below it.
fn of(above: bool, limit: f64) -> f64 {
    limit * if above { 1.001 } else { 0.999 }
}

fn elsewhere() -> Case {
    Case { target: "dsn = \"mysql://root@192.0.2.1/sbtest\"", ..usual().without("server.process") }
}

/// Of the two processors of the machine, programs use `user` and the kernel 0.4.
fn full(case: Case, user: f64) -> Case {
    case.with("client.host/cpu_user_s", user).with("client.host/cpu_idle_s", 1.5 - user)
}

/// A client that uses this many of the 0.5 processors of its quota, and uses it up this often per second, of ten periods.
pub fn throttled(cores: f64, periods: f64) -> Case {
    let quota = Case { client_cores: cores, ..usual() }.gauge("client.process", "cpu_quota_cores", 0.5);
    quota.counter("client.process", "cpu_periods", 10.0).counter("client.process", "cpu_throttled_periods", periods)
}

fn replicated() -> Case {
    Case { target: "sandbox = \"mariadbd\"\nreplicas = { r1 = { sandbox = true } }", ..usual() }
}

/// A line whose round trips are short.
fn line() -> Case {
    let case = Case { target: "sandbox = \"mariadbd\"\nlink = { rate = \"10Mbit\", delay = \"1ms\" }", ..usual() };
    case.counter("client.path", "sent_bits", 1e6).gauge("client.rtt", "rtt_s", 0.0001)
}

/// Transactions that read two pages each, more than they flush.
fn read() -> Case {
    usual().with("server.status/innodb_buffer_pool_reads", 2000.0)
}

/// Of 1,000 starts 50 wait this many microseconds.
fn wait(tally: &mut Tally, us: u64) {
    let all = tally.transactions.values_mut().next().unwrap();
    all.response.clear();
    for (wait_ns, n) in [(us * 1000, 50), (0, 950)] {
        all.wait.record_n(wait_ns, n);
        all.response.record_n(wait_ns + 300_000, n);
    }
}

/// This many attempts are refused, and made again.
pub fn refuse(tally: &mut Tally, n: u64) {
    tally.transactions.values_mut().next().unwrap().retries = n;
    tally.statements.values_mut().next().unwrap().errors.insert("1040".into(), n);
}

#[test]
fn each_rule_has_its_limit() {
    for (bottleneck, what, case) in LIMITS {
        let [at, below] = [true, false].map(|at| judgement(&case(at), *bottleneck));
        assert!(at.is_limit() && !below.is_limit(), "{bottleneck:?}, {what}: {at:#?}\n{below:#?}");
        // No other figure decides.
        let near = |degree: Option<f64>| degree.is_some_and(|degree| (0.98..=1.02).contains(&degree));
        assert!(
            *what == LAG || (near(at.degree()) && near(below.degree())),
            "{bottleneck:?}, {what}: {at:#?}\n{below:#?}"
        );
    }
    let with_limits: BTreeSet<Bottleneck> = LIMITS.iter().map(|(bottleneck, ..)| *bottleneck).collect();
    assert_eq!(with_limits, BTreeSet::from(Bottleneck::ALL));
}
