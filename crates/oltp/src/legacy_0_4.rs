//! `oltp`, the test of sysbench 0.4: one table `sbtest`, with equal rows, and transactions as in `oltp_read_write`
//! except for ranges that end at the table's end and an INSERT of constants. The modes of 0.4 without transactions are
//! here too.

use super::event::{Script, StatementGroup, Verb};
use super::reconnect::RECONNECT;
use super::transaction::{in_transaction, made, reads, script, writes};
use super::{PS_MODE, READS, SKIP_TRX, WRITES};
use crate::sysbench;
use tenbin_workload::WorkloadEntry;
use tenbin_workload::options::{OptionMap, OptionSpec, RANDOM, Resolved, ValueType, row};

pub(crate) const ENTRY: WorkloadEntry = WorkloadEntry {
    name: "oltp",
    about: "sysbench 0.4's oltp: transactions on the one table sbtest",
    family: "sysbench_0_4",
    dataset: sysbench::OF_0_4.kind,
    shared: SHARED_WITH_NAME,
    options: &[OPTIONS, READS, WRITES, SKIP_TRX, RANDOM],
    ..WorkloadEntry::made_by(|name, options, connector| {
        let table = Resolved(options).text("table_name").to_owned();
        let script = Script { tables: 1, legacy_0_4: Some(table), ..script(options, groups(options)) };
        Ok(made(name, options, connector, script))
    })
};

/// What it has in common with its data set.
const SHARED_WITH_NAME: &[&str] = &["tables", "table_size", "auto_inc", "table_name"];

const OPTIONS: &[OptionSpec] = &[
    row(
        "table_size",
        "10000",
        ValueType::Count(1, u32::MAX as u64),
        "rows of the table: keys are drawn from 1 to this",
    ),
    sysbench::TABLE_NAME,
    PS_MODE,
    RECONNECT,
    row(
        "test_mode",
        "complex",
        ValueType::Word(&["complex", "simple", "nontrx"]),
        "complex: transactions; simple: one SELECT; nontrx: one statement of nontrx_mode",
    ),
    row(
        "nontrx_mode",
        "select",
        ValueType::Word(&["select", "update_key", "update_nokey", "insert", "delete"]),
        "the statement of test_mode nontrx",
    ),
    row("read_only", "off", ValueType::Switch, "without the statements that write"),
    row("write_only", "off", ValueType::Switch, "without the statements that read"),
];

fn groups(options: &OptionMap) -> Vec<StatementGroup> {
    let o = Resolved(options);
    let one = |verbs| vec![StatementGroup::new(1, verbs)];
    match (o.text("test_mode"), o.text("nontrx_mode")) {
        ("simple", _) | ("nontrx", "select") => one(&[Verb::PointSelect]),
        ("nontrx", "update_key") => one(&[Verb::IndexUpdate]),
        ("nontrx", "update_nokey") => one(&[Verb::NonIndexUpdate]),
        ("nontrx", "insert") => one(&[Verb::AppendingInsert]),
        ("nontrx", _) => one(&[Verb::Delete]),
        _ => {
            let mut all = if o.on("write_only") { Vec::new() } else { reads(options) };
            if !o.on("read_only") {
                all.extend(writes(options).into_iter().map(plain));
            }
            in_transaction(options, all)
        }
    }
}

/// The same with 0.4's INSERT.
fn plain(group: StatementGroup) -> StatementGroup {
    match group.verbs {
        [Verb::Delete, Verb::Insert] => StatementGroup::new(group.times, &[Verb::Delete, Verb::PlainInsert]),
        _ => group,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tenbin_workload::tables::dialect::Dialect;

    fn statements(given: &[(&str, &str)]) -> Vec<String> {
        let given = given.iter().map(|(k, v)| ((*k).to_owned(), (*v).to_owned())).collect();
        let options = ENTRY.resolve(&given).unwrap();
        groups(&options)
            .iter()
            .filter(|g| g.times > 0)
            .flat_map(|g| g.verbs.iter().map(|v| format!("{} x{}", v.sql("sbtest", Dialect::Mysql, true), g.times)))
            .collect()
    }

    #[test]
    fn the_statements_of_0_4() {
        insta::assert_snapshot!(statements(&[]).join("\n"), @r"
BEGIN x1
SELECT c FROM sbtest WHERE id=? x10
SELECT c FROM sbtest WHERE id BETWEEN ? AND ? x1
SELECT SUM(k) FROM sbtest WHERE id BETWEEN ? AND ? x1
SELECT c FROM sbtest WHERE id BETWEEN ? AND ? ORDER BY c x1
SELECT DISTINCT c FROM sbtest WHERE id BETWEEN ? AND ? ORDER BY c x1
UPDATE sbtest SET k=k+1 WHERE id=? x1
UPDATE sbtest SET c=? WHERE id=? x1
DELETE FROM sbtest WHERE id=? x1
INSERT INTO sbtest (id, k, c, pad) VALUES (?, 0, ' ', 'aaaaaaaaaaffffffffffrrrrrrrrrreeeeeeeeeeyyyyyyyyyy') x1
COMMIT x1
");
        assert_eq!(statements(&[("read_only", "on")]).len(), 7);
        assert_eq!(statements(&[("test_mode", "simple")]), ["SELECT c FROM sbtest WHERE id=? x1"]);
        let update = [("test_mode", "nontrx"), ("nontrx_mode", "update_key")];
        assert_eq!(statements(&update), ["UPDATE sbtest SET k=k+1 WHERE id=? x1"]);
        let insert =
            "INSERT INTO sbtest (k, c, pad) VALUES (0, ' ', 'aaaaaaaaaaffffffffffrrrrrrrrrreeeeeeeeeeyyyyyyyyyy') x1";
        assert_eq!(statements(&[("test_mode", "nontrx"), ("nontrx_mode", "insert")]), [insert]);
    }
}
