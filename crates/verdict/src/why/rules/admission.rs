//! Admission is the limit: transactions wait until the server, or a pool in front of it, lets them in.

use crate::why::evidence::Evidence;
use crate::why::judgement::{Bottleneck, Judgement, Proof, percent};
use tenbin_model::names::observer;
use tenbin_model::names::session::SessionClass;
use tenbin_words::figure;
use tenbin_words::msg;

/// The share of the transactions in progress; of refused connections, of all attempts.
const WAITED: f64 = 0.2;
/// Errors of MySQL, MariaDB and PostgreSQL: too many connections, of all or of one account.
const REFUSED: [&str; 4] = ["1040", "1203", "1226", "53300"];

/// InnoDB lets this many threads work at once; 0: any number.
const CONCURRENCY: &str = "innodb_thread_concurrency";

/// Does not apply if there is no sign of a limit.
pub(super) fn judge(e: &Evidence<'_>) -> Option<Judgement> {
    let clients = f64::from(e.t.trial.load.clients);
    let sessions = e.class(SessionClass::Admission);
    let share = sessions.map(|n| e.share(n).min(1.0));
    let queued = sessions.zip(share).map(|(n, share)| {
        Proof::share(msg!("proof-admission-queue", n = figure::grouped(n), percent = percent(share)), share, WAITED)
    });
    // Of the connections that the server has, some are those of observers: there may be fewer for the clients, not more. Not the
    // mean: at the edges of the window clients are connecting, and closing.
    let connections =
        e.most(observer::SERVER_STATUS, "threads_connected").or_else(|| e.most(observer::SERVER_STATUS, "numbackends"));
    let outside = connections.map(|n| (n, (clients.min(e.in_progress) - n) / clients)).map(|(n, share)| {
        let what = msg!("proof-admission-connections", n = figure::grouped(n), clients = e.t.trial.load.clients);
        Proof::share(what, share.max(0.0), WAITED)
    });
    let limit = e.variable(CONCURRENCY).and_then(|value| value.parse::<f64>().ok());
    let tickets = limit.filter(|limit| *limit > 0.0).zip(e.mean(observer::SERVER_STATUS, "threads_running"));
    let tickets = tickets.map(|(limit, running)| {
        let share = ((running - limit) / running.max(1.0)).max(0.0);
        let what =
            msg!("proof-admission-concurrency", variable = CONCURRENCY, limit, running = figure::grouped(running));
        Proof::share(what, share, WAITED)
    });
    let refused: u64 =
        e.t.tally.errors().iter().filter(|(code, _)| REFUSED.contains(&code.as_str())).map(|(_, n)| n).sum();
    let refused = (refused > 0).then(|| {
        let all = e.t.tally.all_transactions();
        // A client that was refused may try again any number of times before its next transaction.
        let (completed, failed) = (all.completed + all.carried, all.failed + all.carried_failed);
        let attempts = (completed + failed + all.retries).max(completed + refused);
        let share = (refused as f64 / attempts.max(1) as f64).min(1.0);
        let (percent, n) = (figure::grouped(100.0 * share), refused);
        Proof::share(msg!("proof-admission-refused", n, percent), share, WAITED)
    });
    let known = queued.is_some() || outside.is_some() || tickets.is_some() || refused.is_some();
    let outside_share = outside.as_ref().map(|proof| proof.value);
    known.then(|| {
        Judgement::of(Bottleneck::Admission, vec![queued, outside, tickets, refused], Vec::new())
            .decisive(share.into_iter().chain(outside_share).reduce(f64::max))
    })
}
