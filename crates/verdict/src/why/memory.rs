//! The memory in which a server keeps pages: its size, whether the load has filled it, and how long that takes. The plan that
//! refutes reads from the disk doubles it, and says nothing as long as the larger memory is not full.

use super::cost::{PAGES_READ, per_second};
use super::evidence::Evidence;
use tenbin_model::dsn::Scheme;
use tenbin_model::names::observer;
use tenbin_model::variables::in_bytes;

/// From this many pages of one transaction on, reads are what it may wait for.
pub(super) const PAGES: f64 = 0.02;
/// With this share of its pages free, beside those that the server keeps free, memory is not full: of twice the memory it is a fifth of
/// what was added.
const FREE: f64 = 0.1;
/// With half of them free it is not, although the server keeps them free.
const MOST_FREE: f64 = 0.5;
/// Reads slow down as more pages are found in memory: a warm-up takes so much longer than at the rate that was seen.
const SLOWER: f64 = 1.25;

/// Its size, bytes.
pub(super) fn bytes(e: &Evidence<'_>) -> Option<u64> {
    match e.t.trial.target.scheme() {
        Scheme::Mysql => e.variable("innodb_buffer_pool_size")?.parse().ok(),
        Scheme::Postgres => in_bytes(e.variable("shared_buffers")?),
        _ => None,
    }
}

fn page_bytes(e: &Evidence<'_>) -> Option<f64> {
    let name = match e.t.trial.target.scheme() {
        Scheme::Mysql => "innodb_page_size",
        Scheme::Postgres => "block_size",
        _ => return None,
    };
    e.variable(name)?.parse().ok().filter(|bytes| *bytes > 0.0)
}

/// Pages that one transaction reads from the disk.
pub(super) fn pages_read(e: &Evidence<'_>) -> Option<f64> {
    per_second(e, PAGES_READ).map(|pages| e.per_operation(pages))
}

/// Whether no transaction waits for reads from the disk.
pub(super) fn reads_nothing(e: &Evidence<'_>) -> bool {
    pages_read(e).is_some_and(|pages| pages < PAGES)
}

/// Whether the server read pages while it reported free memory for them: they had not been in memory yet.
pub(super) fn is_being_filled(e: &Evidence<'_>) -> bool {
    let (observer, name) = (observer::SERVER_STATUS, "innodb_buffer_pool_pages_free");
    let free = e.mean(observer, name).or_else(|| e.last(observer, name));
    let share = |pages: f64| Some(pages * page_bytes(e)? / bytes(e)? as f64);
    let most = FREE + kept_free(e).and_then(share).unwrap_or(0.0);
    pages_read(e).is_some_and(|pages| pages >= PAGES)
        && free.and_then(share).is_some_and(|free| free > most.min(MOST_FREE))
}

/// The pages that InnoDB keeps free for what is read next: in each part of its buffer pool as many as it looks at in one pass.
fn kept_free(e: &Evidence<'_>) -> Option<f64> {
    let number = |name: &str| e.variable(name)?.parse::<f64>().ok();
    Some(number("innodb_lru_scan_depth")? * number("innodb_buffer_pool_instances").unwrap_or(1.0))
}

/// The same of a server that was started for this trial or since its memory has this size. PostgreSQL reports no free memory: it has
/// some if all pages that were read until the end of the window are fewer than it holds.
pub(super) fn is_being_filled_since_start(e: &Evidence<'_>) -> bool {
    let read = || e.t.observations.get(observer::SERVER_STATUS)?.increase("blks_read", (0, e.t.window_ns.1));
    let share = || Some(read()?.change * page_bytes(e)? / bytes(e)? as f64);
    let of_postgres = || pages_read(e).is_some_and(|pages| pages >= PAGES) && share().is_some_and(|of| of < 1.0 - FREE);
    is_being_filled(e) || of_postgres()
}

/// How long the load takes to fill twice this memory, milliseconds, by what it read in the window.
pub(super) fn twice_filled_ms(e: &Evidence<'_>) -> Option<u64> {
    let per_s = per_second(e, PAGES_READ).filter(|pages| *pages > 0.0)? * page_bytes(e)?;
    Some((2.0 * bytes(e)? as f64 / per_s * SLOWER).ceil() as u64 * 1000)
}
