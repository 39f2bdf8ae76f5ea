//! Deferred deliveries (clause 2.7.2): a terminal queues its delivery and continues at once; deliverers, threads with a
//! connection each, execute them in order. What they sent and counted is handed to the next transaction of any
//! terminal, so that it is in the run's events like everything else.
//!
//! Conflicts are retried and lost connections reopened as long as there are terminals. Deliveries that are still queued
//! when the last terminal ends are dropped: they were counted as queued and not as done.

use super::delivery::{self, Delivery};
use super::session::Session;
use super::set::Set;
use super::settings::TpccSettings;
use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};
use tenbin_driver::{Class, Connector, Error, Transport, event_loop};
use tenbin_model::tpcc::Counter as C;
use tenbin_words::msg;
use tenbin_workload::{StatementRecord, TransactionContext};

/// A delivery must be done within this time after it was queued (clause 2.7.2.3, for 90 %).
const LIMIT: Duration = Duration::from_secs(80);

/// Attempts at a delivery that meets conflicts.
const ATTEMPTS: u32 = 50;

/// Pause before a connection is opened again.
const PATIENCE: Duration = Duration::from_millis(200);

/// How long the last terminal waits for the deliverers' connections to close.
const FAREWELL: Duration = Duration::from_secs(1);

/// Terminals per deliverer, if the number of deliverers is not given: at full speed, and at the pace of users.
const TERMINALS: [u64; 2] = [8, 1000];

/// The number of deliverers for this many terminals: at least one for each set of tables.
pub(super) fn deliverers(plan: &TpccSettings, terminals: u64) -> u64 {
    let wanted = match plan.deliverers {
        0 => terminals.div_ceil(TERMINALS[usize::from(plan.pace.is_some())]),
        n => n,
    };
    wanted.max(plan.sets.len() as u64)
}

/// The part of them on one of several load hosts, each of which executes what its own terminals queue: at least one for each set of tables there.
pub(super) fn deliverers_of(all: u64, (part, hosts): (u32, u32), plan: &TpccSettings) -> u64 {
    let before = |part: u64| all * part / u64::from(hosts.max(1));
    (before(u64::from(part) + 1) - before(part.into())).max(plan.sets.len() as u64)
}

/// The queue and its deliverers; shared by all terminals, and over when the last of them drops it.
#[derive(Debug)]
pub(super) struct Desk(Arc<DeliveryQueue>);

#[derive(Debug)]
struct DeliveryQueue {
    queue: Mutex<Queue>,
    changed: Condvar,
    done: Mutex<DeliveryDone>,
    any_done: AtomicBool,
}

#[derive(Debug, Default)]
struct Queue {
    /// By place of the set.
    waiting: Vec<VecDeque<(Delivery, Instant)>>,
    closed: bool,
    deliverers: u64,
}

/// What the deliverers did since it was last collected.
#[derive(Debug, Default)]
struct DeliveryDone {
    marks: Vec<StatementRecord>,
    counts: Vec<(u16, u64)>,
}

impl Desk {
    /// Opens the desk with this many deliverers.
    pub(super) fn open(plan: &Arc<TpccSettings>, connector: &Connector, number: u64, seed: u64) -> Desk {
        let sets = &plan.sets;
        let waiting = sets.iter().map(|_| VecDeque::new()).collect();
        let queue = Mutex::new(Queue { waiting, closed: false, deliverers: number });
        let shared =
            DeliveryQueue { queue, changed: Condvar::new(), done: Mutex::default(), any_done: AtomicBool::new(false) };
        let shared = Arc::new(shared);
        for n in 0..number {
            let set = sets[(n % sets.len() as u64) as usize];
            let at = Deliverer {
                shared: Arc::clone(&shared),
                plan: Arc::clone(plan),
                connector: connector.clone(),
                set,
                seed,
            };
            let began = std::thread::Builder::new().name(format!("deliverer {n}")).spawn(move || at.work());
            if began.is_err() {
                shared.lock().deliverers -= 1;
            }
        }
        Desk(shared)
    }

    /// Queues a delivery.
    pub(super) fn queue(&self, delivery: Delivery, set: Set) {
        if let Some(waiting) = self.0.lock().waiting.get_mut(set.place() as usize) {
            waiting.push_back((delivery, Instant::now()));
        }
        self.0.changed.notify_all();
    }

    /// Hands over what was done since the last time.
    #[inline]
    pub(super) fn collect(&self, context: &mut TransactionContext) {
        // Most find nothing, and a load alone lets all of them keep the cache line.
        if self.0.any_done.load(Ordering::Relaxed) && self.0.any_done.swap(false, Ordering::Acquire) {
            let mut done = lock(&self.0.done);
            context.records.append(&mut done.marks);
            context.counts.append(&mut done.counts);
        }
    }
}

impl Drop for Desk {
    fn drop(&mut self) {
        let (shared, start) = (&self.0, Instant::now());
        let mut queue = shared.lock();
        queue.closed = true;
        shared.changed.notify_all();
        while queue.deliverers > 0 && start.elapsed() < FAREWELL {
            let waited = shared.changed.wait_timeout(queue, FAREWELL);
            queue = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl DeliveryQueue {
    fn lock(&self) -> MutexGuard<'_, Queue> {
        lock(&self.queue)
    }

    /// The next delivery of a set; `None` when the desk is closed.
    fn next(&self, set: Set) -> Option<(Delivery, Instant)> {
        let mut queue = self.lock();
        loop {
            if queue.closed {
                return None;
            }
            if let Some(due) = queue.waiting.get_mut(set.place() as usize)?.pop_front() {
                return Some(due);
            }
            queue = self.changed.wait(queue).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// Records what an attempt sent, and what it counted if it was the last.
    fn put_down(&self, context: &mut TransactionContext, queued: Option<Instant>) {
        if let Some(queued) = queued {
            let took = queued.elapsed();
            context.count(C::DeferredDone as usize, 1);
            context.count(C::DeferredLate as usize, u64::from(took > LIMIT));
            context.count(C::DeferredMs as usize, took.as_millis() as u64);
        }
        let mut done = lock(&self.done);
        done.marks.append(&mut context.records);
        done.counts.append(&mut context.counts);
        self.any_done.store(true, Ordering::Release);
    }
}

/// One of the threads that execute what is queued.
struct Deliverer {
    shared: Arc<DeliveryQueue>,
    plan: Arc<TpccSettings>,
    connector: Connector,
    set: Set,
    seed: u64,
}

impl Deliverer {
    fn work(&self) {
        if let Ok(runtime) = event_loop() {
            runtime.block_on(self.deliver());
        }
        self.shared.lock().deliverers -= 1;
        self.shared.changed.notify_all();
    }

    async fn deliver(&self) {
        let (mut session, mut context) = (None, TransactionContext::default());
        while let Some((delivery, queued)) = self.shared.next(self.set) {
            context.attempt = 0;
            loop {
                let outcome = self.attempt(&delivery, &mut session, &mut context).await;
                let Err(error) = outcome else {
                    self.shared.put_down(&mut context, Some(queued));
                    break;
                };
                context.counts.clear();
                match error.class() {
                    // No attempt: it waits for the server to come back.
                    Class::Lost | Class::Limit => {
                        session = None;
                        self.shared.put_down(&mut context, None);
                        if self.closed_after(PATIENCE) {
                            return;
                        }
                    }
                    class => {
                        if let Some(open) = &mut session
                            && open.recover().await.is_err()
                        {
                            session = None;
                        }
                        context.attempt += 1;
                        let again = class == Class::Conflict && context.attempt < ATTEMPTS;
                        context.count(if again { C::DeferredRetries } else { C::DeferredFailed } as usize, 1);
                        self.shared.put_down(&mut context, None);
                        if !again {
                            break;
                        }
                    }
                }
            }
        }
        if let Some(session) = session {
            session.close().await;
        }
    }

    async fn attempt(
        &self,
        delivery: &Delivery,
        session: &mut Option<Session>,
        context: &mut TransactionContext,
    ) -> Result<(), Error> {
        if session.is_none() {
            *session = Some(Session::open(&self.connector, Transport::Alone, &self.plan, self.set, self.seed).await?);
        }
        match session {
            Some(session) => delivery::run(delivery, session, context).await,
            None => Err(Error::new(Class::Lost, msg!("not-connected"))),
        }
    }

    /// Waits; returns whether the desk was closed meanwhile.
    fn closed_after(&self, wait: Duration) -> bool {
        let queue = self.shared.lock();
        if queue.closed {
            return true;
        }
        let waited = self.shared.changed.wait_timeout_while(queue, wait, |q| !q.closed);
        waited.unwrap_or_else(PoisonError::into_inner).0.closed
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tenbin_model::dsn::Dsn;

    /// On the null driver, whose results have no meaning and whose statements all succeed.
    #[test]
    fn what_is_queued_is_done_and_handed_over() {
        let connector = Connector::new(Dsn::parse("null:").unwrap(), None).unwrap();
        let given = [("tables", "2"), ("deferred_delivery", "on")].map(|(k, v)| (k.to_owned(), v.to_owned())).into();
        let options = super::super::terminal::ENTRY.resolve(&given).unwrap();
        let plan = Arc::new(TpccSettings::new(&options, &connector).unwrap());
        assert_eq!([1, 16, 64, 65].map(|n| deliverers(&plan, n)), [2, 2, 8, 9]);
        // Of 9 on 2 hosts each executes its share, and of 2 on 3 hosts each has one for each set.
        assert_eq!([(0, 2), (1, 2)].map(|part| deliverers_of(9, part, &plan)), [4, 5]);
        assert_eq!([(0, 3), (2, 3)].map(|part| deliverers_of(2, part, &plan)), [2, 2]);
        let desk = Desk::open(&plan, &connector, deliverers(&plan, 4), 1);
        for (n, set) in Set::all(2, false).into_iter().cycle().take(20).enumerate() {
            desk.queue(Delivery { w: 1, carrier: n as u64 % 10 + 1 }, set);
        }
        let (mut context, start) = (TransactionContext::default(), Instant::now());
        let of = |context: &TransactionContext, c: C| {
            context.counts.iter().filter(|(at, _)| *at == c as u16).map(|(_, n)| n).sum::<u64>()
        };
        while of(&context, C::DeferredDone) < 20 {
            assert!(start.elapsed() < Duration::from_secs(20), "{context:?}");
            std::thread::sleep(Duration::from_millis(5));
            desk.collect(&mut context);
        }
        assert_eq!((of(&context, C::DeferredLate), of(&context, C::DeferredFailed)), (0, 0));
        assert!(context.records.len() >= 20, "their statements are counted too: {}", context.records.len());
        let shared = Arc::clone(&desk.0);
        drop(desk);
        assert_eq!(shared.lock().deliverers, 0, "the last client ends the deliverers");
    }
}
