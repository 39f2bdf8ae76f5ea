//! The readings of a server that settles, which a run takes itself before the load ([`crate::settling`]).

use tenbin_model::names::debts::{CHECKPOINT_AGE, DIRTY_PAGES, PURGE, VACUUM};
use tenbin_model::reading::{ReadingSpec, Whose};

/// The declared readings.
pub fn readings() -> Vec<ReadingSpec> {
    let gauge = |name: &'static str, unit| ReadingSpec::gauge(name, unit, Whose::Server);
    vec![
        gauge(DIRTY_PAGES, "%").label("dirty pages before the load", "負荷の前のダーティーページ"),
        gauge(PURGE, "").label("history list before the load", "負荷の前のヒストリーリスト"),
        gauge(CHECKPOINT_AGE, "bytes").label("checkpoint age before the load", "負荷の前のチェックポイント経過量"),
        gauge(VACUUM, "").label("autovacuum workers before the load", "負荷の前の autovacuum ワーカー"),
    ]
}
