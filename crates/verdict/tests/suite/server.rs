//! What is doubted about the work of the server: statements of others, more statements than clients, a cache that fills.

use crate::trust::{SECOND, TrialShape, doubts, rose, sound};
use tenbin_model::tally::{CONNECT, StatementTally, TransactionTally};

#[test]
fn statements_of_others_are_counted_against_ours() {
    let with_statements = |questions: f64| {
        let mut shape = rose("server.status/questions", questions);
        let mut select = StatementTally { completed: 200_000, ..Default::default() };
        select.service.record_n(390_000, 200_000);
        shape.more.statements.insert("select".into(), select);
        shape
    };
    assert_eq!(doubts("", with_statements(200_100.0)), "");
    // A ROLLBACK for each of 40,000 attempts that ended in a deadlock is ours too, and so are statements of transactions that had
    // not ended at the end.
    let mut conflicts = with_statements(280_100.0);
    let tried = TransactionTally { retries: 40_000, ..TransactionTally::default() };
    conflicts.more.transactions.insert("tried again".into(), tried);
    conflicts.more.statements.get_mut("select").unwrap().errors.insert("1213".into(), 40_000);
    assert_eq!(doubts("", conflicts), "");
    assert_eq!(
        doubts("", with_statements(260_000.0)),
        "DEGRADED foreign-statements: 5,999 per second besides 20,000 of Tenbin (limit 5 %)\n"
    );
    let mut longer = sound();
    let mut select = StatementTally { completed: 200_000, ..Default::default() };
    select.service.record_n(500_000, 200_000);
    longer.more.statements.insert("select".into(), select);
    let text = doubts("", longer);
    assert!(text.contains("\nDEGRADED statement-times: 100.0 s in statements, 80.0 s in transactions"), "{text}");
}

#[test]
fn transactions_of_others_on_postgresql_are_counted_against_ours() {
    // 20,000 transactions per second for ten seconds; what the server counted of its databases.
    let with_workers = |begin: bool, here: f64, elsewhere: f64, workers: Option<f64>| {
        let mut shape = sound();
        for (name, count) in [("begin", 200_000), ("select", 800_000), ("commit", 200_000)] {
            let statement = StatementTally { completed: count, ..Default::default() };
            if begin || name == "select" {
                shape.more.statements.insert(name.into(), statement);
            }
        }
        let zero = |name| (0, name, 0.0);
        let names = ["xact_commit", "xact_rollback", "other_databases_xact_commit", "other_databases_xact_rollback"];
        let names = names.map(|name| -> &'static str { format!("server.status/{name}").leak() });
        // One sample each at the start and at the end.
        shape.observations = names.map(zero).to_vec();
        let values = [here, 0.0, elsewhere, 0.0];
        shape.observations.extend(names.into_iter().zip(values).map(|(name, value)| (10 * SECOND, name, value)));
        shape.observations.extend(workers.map(|n| (10 * SECOND, "server.status/parallel_workers", n)));
        doubts("", shape)
    };
    let text_of = |begin: bool, here: f64, elsewhere: f64| with_workers(begin, here, elsewhere, Some(0.0));
    assert_eq!(text_of(true, 200_100.0, 300.0), "", "observers and autovacuum");
    assert_eq!(text_of(true, 239_000.0, 0.0), "", "what was late at both edges");
    assert_eq!(
        text_of(true, 260_000.0, 10_000.0),
        "DEGRADED foreign-transactions: 6,999 per second (1,000 of them in other databases) besides 20,000 of Tenbin (limit 20 %)\n"
    );
    // Each of the four statements may have been a transaction.
    assert_eq!(text_of(false, 800_000.0, 0.0), "");
    assert!(text_of(false, 800_000.0, 200_000.0).starts_with("DEGRADED foreign-transactions: 20,000 per second"));
    // Parallel workers count transactions of their own, but not in other databases.
    for workers in [Some(0.5), None] {
        assert_eq!(with_workers(true, 700_000.0, 0.0, workers), "", "{workers:?}");
        let elsewhere = with_workers(true, 200_000.0, 100_000.0, workers);
        assert!(elsewhere.starts_with("DEGRADED foreign-transactions: 10,000 per second (10,000 of"), "{elsewhere}");
    }
}

#[test]
fn more_statements_at_a_time_than_clients_cannot_be() {
    let of = |name: &str, mean_us: u64| {
        let mut shape = sound();
        let mut select = StatementTally { completed: 200_000, ..Default::default() };
        select.service.record_n(mean_us * 1000, 200_000);
        shape.more.statements.insert(name.into(), select);
        doubts("", shape)
    };
    let text_of =
        |us| of("select", us).lines().filter(|line| line.contains("in-flight")).collect::<Vec<_>>().join("\n");
    assert_eq!(text_of(400), "", "8.00 at a time, of eight clients");
    assert_eq!(text_of(403), "", "the histogram has three digits");
    assert_eq!(
        text_of(410),
        "INVALID statements-in-flight: 200,000 × 0.410 ms in 10.0 s are 8.20 at a time on average, by 8 clients"
    );
    assert_eq!(of(CONNECT, 900), "", "clients may have connected before the window");
}

#[test]
fn a_cache_that_fills_in_the_window_is_told() {
    let reads = |at: [f64; 3]| {
        let name = "server.status/innodb_buffer_pool_reads";
        let at = [0, 3, 7, 10].into_iter().zip([0.0, at[0], at[0] + at[1], at[0] + at[1] + at[2]]);
        TrialShape { observations: at.map(|(s, value)| (s * SECOND, name, value)).collect(), ..sound() }
    };
    assert_eq!(
        doubts("", reads([60_000.0, 30_000.0, 3_000.0])),
        "DEGRADED cold-cache: 20,000 pages per second were read from the disk in the first quarter of the window, 1,000 in the last\n"
    );
    assert_eq!(doubts("", reads([60_000.0, 80_000.0, 60_000.0])), "");
    assert_eq!(doubts("", reads([600.0, 80.0, 6.0])), "");
}
