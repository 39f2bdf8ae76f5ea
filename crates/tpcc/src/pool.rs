//! Connections that the terminals of one thread share, as through a transaction monitor. Terminals wait for one in
//! order, and response times include the wait.

use super::session::Session;
use super::set::Set;
use std::cell::{Cell, RefCell};
use std::rc::Rc;
use tenbin_driver::{Class, Error};
use tenbin_words::msg;
use tokio::sync::Semaphore;

/// The pool of one thread.
#[derive(Debug)]
pub(super) struct Pool {
    free: RefCell<Vec<Session>>,
    permits: Semaphore,
    /// Sessions that were added and not lost.
    size: Cell<u32>,
}

/// A pool by the number of its plan and the set of tables that its statements name.
type KnownPool = ((u64, Set), Rc<Pool>);

thread_local! {
    /// Pools of this thread; clients never change threads.
    static POOLS: RefCell<Vec<KnownPool>> = const { RefCell::new(Vec::new()) };
}

impl Pool {
    /// This thread's pool for a plan and a set of tables.
    pub(super) fn of(plan: u64, set: Set) -> Rc<Pool> {
        POOLS.with_borrow_mut(|pools| {
            if let Some((_, pool)) = pools.iter().find(|(id, _)| *id == (plan, set)) {
                return Rc::clone(pool);
            }
            let pool = Rc::new(Pool { free: RefCell::default(), permits: Semaphore::new(0), size: Cell::new(0) });
            pools.push(((plan, set), Rc::clone(&pool)));
            pool
        })
    }

    /// Adds a new session.
    pub(super) fn add(&self, session: Session) {
        self.size.set(self.size.get() + 1);
        self.give_back(session);
    }

    /// Takes a session, waiting until one is free.
    pub(super) async fn take(&self) -> Result<Session, Error> {
        if self.size.get() == 0 {
            return Err(Error::new(Class::Limit, msg!("no-connection-to-share")).hint(msg!("set-workers-to-pool")));
        }
        // Never closed, so always granted.
        if let Ok(permit) = self.permits.acquire().await {
            permit.forget();
        }
        let session = self.free.borrow_mut().pop();
        session.ok_or_else(|| Error::new(Class::Lost, msg!("pool-empty")))
    }

    /// Returns one.
    pub(super) fn give_back(&self, session: Session) {
        self.free.borrow_mut().push(session);
        self.permits.add_permits(1);
    }

    /// Removes one permanently, if one is free.
    pub(super) fn retire(&self) -> Option<Session> {
        let permit = self.permits.try_acquire().ok()?;
        permit.forget();
        self.size.set(self.size.get().saturating_sub(1));
        self.free.borrow_mut().pop()
    }
}

/// Whether terminal `number` of `of` opens one of `connections`: as evenly as possible, so that each thread's share of
/// the terminals opens its share.
pub(super) fn brings(number: u64, of: u64, connections: u64) -> bool {
    let before = |n: u64| n * connections.min(of) / of.max(1);
    before(number + 1) > before(number)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_share_of_the_terminals_brings_its_share() {
        let brought = |range: std::ops::Range<u64>| range.filter(|n| brings(*n, 20_000, 1_000)).count();
        assert_eq!(brought(0..20_000), 1_000);
        for worker in 0..8 {
            assert_eq!(brought(worker * 2_500..(worker + 1) * 2_500), 125);
        }
        assert_eq!((0..5).filter(|n| brings(*n, 5, 9)).count(), 5, "never more than terminals");
    }

    #[test]
    fn half_as_many_threads_as_connections_have_one_each() {
        for of in 1..100_u64 {
            for connections in 1..=of {
                let threads = (connections / 2).max(1);
                let part = |n: u64| of * n / threads..of * (n + 1) / threads;
                let has_one = |n: u64| part(n).any(|number| brings(number, of, connections));
                assert!((0..threads).all(has_one), "{connections} connections of {of} terminals on {threads} threads");
            }
        }
    }
}
