//! Connections that the terminals of one thread share, as through a transaction monitor. Terminals wait for one in
//! order, and response times include the wait.

use super::session::Session;
use super::set::Set;
use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
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

/// The terminals of each set of tables on each load host, by their numbers, with whether each opens a connection: host by host as evenly as possible, so
/// that each has the share of the set's connections that it has of its terminals. `host`: on which one a terminal is.
pub(super) fn on_hosts(
    terminals: u32,
    connections: u64,
    sets: &[Set],
    host: &dyn Fn(u32) -> u32,
) -> BTreeMap<(Set, u32), Vec<(u32, bool)>> {
    let mut all: BTreeMap<(Set, u32), Vec<(u32, bool)>> = BTreeMap::new();
    for number in 0..terminals {
        let (set, ..) = Set::of_client(number.into(), terminals.into(), sets);
        all.entry((set, host(number))).or_default().push((number, false));
    }
    for set in sets {
        let of_set = || (*set, 0)..=(*set, u32::MAX);
        let there = all.range(of_set()).map(|(_, of_host)| of_host.len() as u64).sum();
        let share = set.share(connections, sets.len() as u64);
        for (place, (_, opens)) in all.range_mut(of_set()).flat_map(|(_, of_host)| of_host).enumerate() {
            *opens = brings(place as u64, there, share);
        }
    }
    all
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

    /// Terminals of alternating warehouses, every second of which opens a connection: by their numbers alone all of these would be on one host.
    #[test]
    fn each_load_host_has_its_share_of_the_connections() {
        for sets in [1, 3] {
            let sets = Set::all(sets, false);
            for (terminals, warehouses, hosts, connections) in
                [(20, 2, 2, 10), (40, 4, 2, 20), (60, 3, 3, 9), (64, 10, 4, 32), (100, 7, 3, 90), (30, 6, 2, 1000)]
            {
                let host = |n: u32| (n / sets.len() as u32) % warehouses % hosts;
                let all = on_hosts(terminals, connections, &sets, &host);
                let opened = |of_host: &Vec<(u32, bool)>| of_host.iter().filter(|(_, opens)| *opens).count();
                let sum: usize = all.values().map(opened).sum();
                assert_eq!(sum as u64, connections.min(terminals.into()), "{terminals} {hosts} {connections}");
                for ((set, host), of_host) in &all {
                    let own = set.share(connections, sets.len() as u64) as f64;
                    let of_set: usize = all.iter().filter(|((of, _), _)| of == set).map(|(_, all)| all.len()).sum();
                    let share = own.min(of_set as f64) * of_host.len() as f64 / of_set as f64;
                    let n = opened(of_host);
                    assert!((n as f64 - share).abs() < 1.0 && n > 0, "{set} on host {host}: {n} for {share}");
                    // And each of half as many threads as a host has connections has one.
                    let threads = (n / 2).max(1);
                    for thread in 0..threads {
                        let part = of_host.len() * thread / threads..of_host.len() * (thread + 1) / threads;
                        assert!(of_host[part].iter().any(|(_, opens)| *opens), "{set}, thread {thread} of {threads}");
                    }
                }
            }
        }
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
