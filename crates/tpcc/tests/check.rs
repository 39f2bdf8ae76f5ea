//! Each of TPC-C's consistency conditions is broken on purpose, and the check says so of that one.

#![expect(clippy::unwrap_used, reason = "a test may")]

use std::path::Path;
use tenbin_driver::{Connector, Transport};
use tenbin_model::dsn::Dsn;
use tenbin_model::stop::StopSignal;
use tenbin_workload::{Checked, Dataset};

fn connector(file: &Path) -> Connector {
    let address = format!("sqlite:{}?synchronous=off&journal_mode=delete", file.display());
    Connector::new(Dsn::parse(&address).unwrap(), None).unwrap()
}

fn tpcc(c: &Connector) -> Box<dyn Dataset> {
    let entry = &tenbin_tpcc::DATASETS[0];
    let options = entry.resolve(&[("foreign_keys".to_owned(), "off".to_owned())].into()).unwrap();
    (entry.make)(&options, c.dsn().scheme).unwrap()
}

fn execute(c: &Connector, statements: &[&str]) {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        let mut connection = c.connect(Transport::Alone).await.unwrap();
        for sql in statements {
            connection.query(sql).await.unwrap_or_else(|e| panic!("{sql}: {e}"));
        }
        connection.close().await;
    });
}

fn checked(c: &Connector) -> Vec<Checked> {
    tpcc(c).check(c, 2, true, &|_, _| (), &StopSignal::new()).unwrap()
}

/// Numbers of the conditions that fail.
fn failing(c: &Connector) -> Vec<usize> {
    checked(c).iter().enumerate().filter(|(_, c)| !c.holds()).map(|(at, _)| at + 1).collect()
}

/// What is done to a consistent warehouse, and which conditions it breaks.
const BREAKS: &[(&str, &[usize])] = &[
    ("UPDATE warehouse SET w_ytd=w_ytd+1", &[1, 8]),
    ("UPDATE warehouse SET w_ytd=NULL", &[1, 8]),
    ("UPDATE district SET d_ytd=d_ytd-1", &[1, 9]),
    ("UPDATE district SET d_next_o_id=d_next_o_id+1", &[2]),
    ("UPDATE district SET d_next_o_id=NULL", &[2]),
    ("DELETE FROM new_orders WHERE no_o_id=2500", &[3, 5, 11]),
    ("INSERT INTO order_line (ol_o_id, ol_d_id, ol_w_id, ol_number) VALUES (9999, 1, 1, 1)", &[4, 7]),
    ("DELETE FROM order_line WHERE ol_o_id=2999 AND ol_number=1", &[4, 6]),
    ("UPDATE orders SET o_carrier_id=5 WHERE o_id=2999", &[5, 7]),
    ("UPDATE orders SET o_carrier_id=NULL WHERE o_id=7", &[5, 7]),
    ("UPDATE orders SET o_ol_cnt=o_ol_cnt+CASE o_id WHEN 7 THEN 1 ELSE -1 END WHERE o_id IN (7, 8)", &[6]),
    ("UPDATE order_line SET ol_delivery_d=NULL WHERE ol_o_id=7 AND ol_number=1", &[7]),
    ("UPDATE history SET h_amount=h_amount+1 WHERE h_c_id=5", &[8, 9, 10]),
    ("UPDATE history SET h_c_id=6 WHERE h_c_id=5", &[10]),
    ("UPDATE customer SET c_balance=c_balance+1, c_ytd_payment=c_ytd_payment-1 WHERE c_id=5", &[10]),
    ("UPDATE customer SET c_balance=NULL WHERE c_id=5", &[10, 12]),
    ("UPDATE order_line SET ol_amount=ol_amount+1 WHERE ol_o_id=7 AND ol_number=2", &[10, 12]),
    ("UPDATE customer SET c_ytd_payment=c_ytd_payment+1 WHERE c_id=5", &[12]),
];

/// An order delivered as it should be: only a fresh population may not have it.
const DELIVERED: &[&str] = &[
    "DELETE FROM new_orders WHERE no_o_id=2101",
    "UPDATE orders SET o_carrier_id=3 WHERE o_id=2101",
    "UPDATE order_line SET ol_delivery_d=CURRENT_TIMESTAMP WHERE ol_o_id=2101",
    "UPDATE customer SET c_balance=c_balance+(SELECT SUM(ol_amount) FROM order_line WHERE ol_o_id=2101) \
     WHERE c_id=(SELECT o_c_id FROM orders WHERE o_id=2101)",
];

#[test]
fn each_condition_is_broken_on_purpose_and_seen() {
    let dir = tempfile::tempdir().unwrap();
    let whole = dir.path().join("whole.db");
    let c = connector(&whole);
    tpcc(&c).load(&c, 1, 1, &|_| (), &StopSignal::new()).unwrap();
    let all = checked(&c);
    assert_eq!((all.len(), failing(&c)), (12, vec![]), "a fresh load holds: {all:#?}");
    assert!(all.iter().all(|c| c.rows >= 11 && c.left_out.is_none()), "{all:#?}");
    assert!(all[6].rows > 290_000, "every line is looked at: {}", all[6].rows);
    let later = tpcc(&c).check(&c, 1, false, &|_, _| (), &StopSignal::new()).unwrap();
    assert!(later[10].left_out.is_some() && later[10].rows == 0);

    // One district is as good as ten, and ten times faster.
    let mut less: Vec<String> =
        [("customer", "c"), ("history", "h"), ("orders", "o"), ("new_orders", "no"), ("order_line", "ol")]
            .map(|(table, p)| format!("DELETE FROM {table} WHERE {p}_d_id>1"))
            .to_vec();
    less.push("DELETE FROM district WHERE d_id>1".into());
    less.push("UPDATE warehouse SET w_ytd=w_ytd/10".into());
    execute(&c, &less.iter().map(String::as_str).collect::<Vec<_>>());
    execute(&c, &["DELETE FROM stock", "DELETE FROM item", "VACUUM"]);
    assert_eq!(failing(&c), Vec::<usize>::new());

    let broken = dir.path().join("broken.db");
    for (statements, wanted) in
        BREAKS.iter().map(|(sql, wanted)| (vec![*sql], *wanted)).chain([(DELIVERED.to_vec(), &[11][..])])
    {
        std::fs::copy(&whole, &broken).unwrap();
        let c = connector(&broken);
        execute(&c, &statements);
        assert_eq!(failing(&c), wanted, "{statements:?}");
        let text = Checked::problem(&checked(&c)).unwrap().to_string();
        assert!(wanted.iter().all(|n| text.contains(&format!("condition {n} ("))), "{text}");
    }
    let conditions: std::collections::BTreeSet<usize> = BREAKS.iter().flat_map(|(_, w)| w.iter().copied()).collect();
    assert_eq!(conditions.len(), 12);
}

#[test]
fn what_is_not_tpcc_is_told() {
    let dir = tempfile::tempdir().unwrap();
    let c = connector(&dir.path().join("empty.db"));
    let problem = tpcc(&c).check(&c, 1, false, &|_, _| (), &StopSignal::new()).unwrap_err();
    assert_eq!(problem.what, "there are no tables of TPC-C to check");
    // The tables of go-tpc, HammerDB and BenchBase: a name without its s.
    execute(&c, &["CREATE TABLE warehouse(w_id INTEGER)", "CREATE TABLE new_order(no_o_id INTEGER)"]);
    let tables = tpcc(&c);
    let inspection = tables.inspect(&c).unwrap();
    let tenbin_workload::DatasetState::Different { ours: false, problem } = inspection else {
        panic!("{inspection:?}")
    };
    assert!(problem.evidence.unwrap().contains("new_order, as go-tpc, HammerDB or BenchBase make it"));
    assert!(tables.load(&c, 1, 1, &|_| (), &StopSignal::new()).unwrap_err().what.contains("did not make"));
    assert!(tables.drop_ours(&c).unwrap_err().what.contains("nothing is dropped"));
}
