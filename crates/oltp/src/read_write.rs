//! `oltp_read_write`: point selects, four kinds of ranges, two updates, a delete and an insert, in one transaction.

use super::transaction::{in_transaction, reads, workload, writes};
use super::{COMMON, READS, SKIP_TRX, WRITES};
use tenbin_workload::options::RANDOM;
use tenbin_workload::{SHARED, WorkloadEntry};

pub(crate) const ENTRY: WorkloadEntry = WorkloadEntry {
    name: "oltp_read_write",
    about: "10 point selects, 4 ranges, 2 updates, delete and insert in a transaction (20 statements)",
    family: "sysbench",
    dataset: "sysbench",
    shared: SHARED,
    options: &[COMMON, READS, WRITES, SKIP_TRX, RANDOM],
    ..WorkloadEntry::made_by(|name, options, connector| {
        let groups = [reads(options), writes(options)].concat();
        Ok(workload(name, options, connector, in_transaction(options, groups)))
    })
};

#[cfg(test)]
mod tests {
    use super::*;
    use crate::event::{Script, test::transcript};
    use tenbin_workload::distribution::DistributionKind;
    use tenbin_workload::tables::dialect::Dialect;

    #[test]
    fn seed_in_statements_out() {
        let options = ENTRY.resolve(&Default::default()).unwrap();
        let groups = in_transaction(&options, [reads(&options), writes(&options)].concat());
        let script = Script {
            groups,
            tables: 3,
            table_size: 1000,
            range_size: 100,
            shape: DistributionKind::Uniform,
            legacy_0_4: None,
        };
        insta::assert_snapshot!(transcript(&script, Dialect::Mysql, 1), @r#"
        BEGIN
        SELECT c FROM sbtest1 WHERE id=? | 307
        SELECT c FROM sbtest1 WHERE id=? | 362
        SELECT c FROM sbtest1 WHERE id=? | 915
        SELECT c FROM sbtest1 WHERE id=? | 830
        SELECT c FROM sbtest1 WHERE id=? | 505
        SELECT c FROM sbtest1 WHERE id=? | 779
        SELECT c FROM sbtest1 WHERE id=? | 751
        SELECT c FROM sbtest1 WHERE id=? | 120
        SELECT c FROM sbtest1 WHERE id=? | 704
        SELECT c FROM sbtest1 WHERE id=? | 592
        SELECT c FROM sbtest3 WHERE id BETWEEN ? AND ? | 755 | 854
        SELECT SUM(k) FROM sbtest2 WHERE id BETWEEN ? AND ? | 189 | 288
        SELECT c FROM sbtest3 WHERE id BETWEEN ? AND ? ORDER BY c | 289 | 388
        SELECT DISTINCT c FROM sbtest1 WHERE id BETWEEN ? AND ? ORDER BY c | 215 | 314
        UPDATE sbtest3 SET k=k+1 WHERE id=? | 13
        UPDATE sbtest1 SET c=? WHERE id=? | 46902502464-18857131992-66878233185-82797556079-99074473966-27649796868-73824800338-91128311976-13038273553-42452639099 | 732
        DELETE FROM sbtest2 WHERE id=? | 708
        INSERT INTO sbtest2 (id, k, c, pad) VALUES (?, ?, ?, ?) | 708 | 856 | 08911603227-22029660851-69020057728-83491683555-90762043347-25317063006-31238110557-47973695853-59608455384-25796835252 | 71664849817-91365096528-02374799821-29653781270-33634779608
        COMMIT
        "#);
        assert_eq!(transcript(&script, Dialect::Mysql, 2).lines().count(), 40);
    }
}
