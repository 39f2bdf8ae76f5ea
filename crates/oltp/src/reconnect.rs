//! `reconnect`: a client that reconnects after this many transactions, as with `--reconnect` of
//! sysbench 1.1.
//!
//! sysbench does so at the end of a successful event: it closes its statements and its connection, connects, and
//! prepares again, all within the event and its latency. It counts one reconnect, and no query. Events are counted
//! per client, without failed ones.

use std::time::Duration;
use tenbin_driver::{Class, Error, Transport};
use tenbin_workload::options::{OptionSpec, ValueType, row};
use tenbin_workload::{BoxFuture, Client, MemoryRange, TransactionContext};
use tokio::time::{Instant, sleep};

pub(super) const RECONNECT: OptionSpec = row(
    "reconnect",
    "0",
    ValueType::Count(0, 2_147_483_647),
    "each client reconnects after this many transactions, within the last of them; 0: never",
);

/// How long the server may take to release the previous connection, if it has no free one.
const PATIENCE: Duration = Duration::from_secs(1);
const PAUSE: Duration = Duration::from_millis(1);

/// The client itself if it keeps its connection, without a wrapper.
pub(super) fn after(every: u32, client: impl Client + 'static) -> Box<dyn Client> {
    match every {
        0 => Box::new(client),
        _ => Box::new(Restless { client, every, done: 0, transport: Transport::Shared }),
    }
}

struct Restless<C> {
    client: C,
    every: u32,
    /// Successful transactions on the current connection.
    done: u32,
    /// The transport to connect with.
    transport: Transport,
}

impl<C: Client> Restless<C> {
    /// Every connect that fails is added to `failed`.
    async fn renew(&mut self, failed: &mut Vec<Error>) -> Result<(), Error> {
        self.client.close().await?;
        let start = Instant::now();
        loop {
            let connected = self.client.connect(self.transport).await;
            failed.extend(connected.as_ref().err().cloned());
            match connected {
                Err(e) if e.class() == Class::Limit && start.elapsed() < PATIENCE => sleep(PAUSE).await,
                // Nothing answers any more: the engine continues to try, as after any loss.
                Err(e) if e.class() == Class::Refused && !e.has_code() => {
                    let message = e.what().clone();
                    return Err(e.retold(Class::Lost, message));
                }
                other => return other,
            }
        }
    }
}

impl<C: Client> Client for Restless<C> {
    fn connect(&mut self, transport: Transport) -> BoxFuture<'_, ()> {
        self.transport = transport;
        self.client.connect(transport)
    }

    fn has_work(&self) -> bool {
        self.client.has_work()
    }

    fn pause(&mut self) -> Duration {
        self.client.pause()
    }

    fn transaction<'a>(&'a mut self, context: &'a mut TransactionContext) -> BoxFuture<'a, usize> {
        Box::pin(async move {
            let name = self.client.transaction(context).await?;
            self.done += 1;
            if self.done >= self.every {
                self.done = 0;
                self.renew(&mut context.connect_errors).await?;
                context.reconnects += 1;
            }
            Ok(name)
        })
    }

    fn memory(&self) -> Vec<MemoryRange> {
        self.client.memory()
    }

    fn recover(&mut self) -> BoxFuture<'_, ()> {
        self.client.recover()
    }

    fn close(&mut self) -> BoxFuture<'_, ()> {
        self.client.close()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::RefCell;
    use std::rc::Rc;

    /// Records its calls; fails at the connect or transaction with the given number.
    struct Scribe {
        log: Rc<RefCell<Vec<&'static str>>>,
        connects: Vec<Result<(), Error>>,
        works: Vec<Result<usize, Error>>,
    }

    impl Client for Scribe {
        fn connect(&mut self, _: Transport) -> BoxFuture<'_, ()> {
            self.log.borrow_mut().push("connect");
            Box::pin(async { self.connects.pop().unwrap_or(Ok(())) })
        }

        fn transaction<'a>(&'a mut self, _: &'a mut TransactionContext) -> BoxFuture<'a, usize> {
            self.log.borrow_mut().push("work");
            Box::pin(async { self.works.pop().unwrap_or(Ok(0)) })
        }

        fn recover(&mut self) -> BoxFuture<'_, ()> {
            Box::pin(async { Ok(()) })
        }

        fn close(&mut self) -> BoxFuture<'_, ()> {
            self.log.borrow_mut().push("close");
            Box::pin(async { Ok(()) })
        }
    }

    /// The calls of a client in this many transactions, the connections it counted and the classes of its errors.
    fn told(
        every: u32,
        times: u32,
        connects: Vec<Result<(), Error>>,
        works: Vec<Result<usize, Error>>,
    ) -> (String, u32, Vec<Class>) {
        let (log, reconnects, errors, _) = counted(every, times, connects, works);
        (log, reconnects, errors)
    }

    /// The same with the number of connects that failed, as they are counted.
    fn counted(
        every: u32,
        times: u32,
        connects: Vec<Result<(), Error>>,
        works: Vec<Result<usize, Error>>,
    ) -> (String, u32, Vec<Class>, usize) {
        let log = Rc::new(RefCell::new(Vec::new()));
        let mut client = after(every, Scribe { log: Rc::clone(&log), connects, works });
        let (mut context, mut errors) = (TransactionContext::default(), Vec::new());
        let runtime = tokio::runtime::Builder::new_current_thread().enable_time().start_paused(true).build().unwrap();
        for _ in 0..times {
            errors.extend(runtime.block_on(client.transaction(&mut context)).err().map(|e| e.class()));
        }
        let log = log.borrow().join(" ");
        (log, context.reconnects, errors, context.connect_errors.len())
    }

    fn failing(class: Class) -> Error {
        Error::new(class, tenbin_words::message::foreign("no"))
    }

    #[test]
    fn after_every_so_many_transactions_that_went_well() {
        assert_eq!(told(0, 3, vec![], vec![]).0, "work work work");
        let (log, reconnects, _) = told(2, 5, vec![], vec![]);
        assert_eq!((log.as_str(), reconnects), ("work work close connect work work close connect work", 2));
        let (log, reconnects, errors) = told(2, 3, vec![], vec![Err(failing(Class::Conflict))]);
        assert_eq!((log.as_str(), reconnects), ("work work work close connect", 1));
        assert_eq!(errors, [Class::Conflict]);
    }

    #[test]
    fn a_server_that_has_not_let_go_is_asked_again_and_one_that_is_gone_is_a_loss() {
        let (log, reconnects, errors, failed) = counted(1, 1, vec![Ok(()), Err(failing(Class::Limit))], vec![]);
        assert_eq!((log.as_str(), reconnects, errors.len(), failed), ("work close connect connect", 1, 0, 1));
        let (_, _, _, failed) = counted(1, 1, vec![Err(failing(Class::Refused))], vec![]);
        assert_eq!(failed, 1, "of a transaction that fails with it");
        let (_, reconnects, errors) = told(1, 1, vec![Err(failing(Class::Refused))], vec![]);
        assert_eq!((reconnects, errors), (0, vec![Class::Lost]));
        let (_, _, errors) = told(1, 1, vec![Err(failing(Class::Refused).code(1045))], vec![]);
        assert_eq!(errors, [Class::Refused]);
        let (_, _, errors) = told(1, 1, (0..5000).map(|_| Err(failing(Class::Limit))).collect(), vec![]);
        assert_eq!(errors, [Class::Limit], "patience has an end");
    }
}
