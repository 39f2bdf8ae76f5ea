//! Who looks on while load is driven. One file per observer, one list of them; readings are raw counters, their names end in the unit.

mod host;
mod own;
mod postgres;
mod process;
mod status;

use std::collections::BTreeMap;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};
use tenbin_driver::Connector;
use tenbin_model::dsn::Scheme;
use tenbin_model::problem::Problem;
use tenbin_model::summary::LOST;
use tenbin_model::trial::Observe;

/// Somebody who looks at one thing.
pub trait Observer {
    /// Who looks at what: `client.host`.
    fn name(&self) -> &str;
    /// One look.
    fn look(&mut self) -> Result<BTreeMap<String, f64>, Problem>;
    /// Whether it looks at a server, on a connection of its own.
    fn connects(&self) -> bool {
        false
    }
    /// Closes its connection until the next look.
    fn disconnect(&mut self) {}
}

/// All observers that fit a target. `pid` is its server's process when that is ours.
fn all(connector: &Connector, pid: Option<u32>) -> Vec<Box<dyn Observer>> {
    let mut list: Vec<Box<dyn Observer>> = vec![Box::new(host::Host), Box::new(own::Own::default())];
    list.extend(pid.map(|pid| Box::new(process::Process::new(pid)) as Box<dyn Observer>));
    match connector.dsn().scheme {
        Scheme::Mysql => list.push(Box::new(status::Status::new(connector.clone()))),
        Scheme::Postgres => list.push(Box::new(postgres::Postgres::new(connector.clone()))),
        Scheme::Sqlite | Scheme::Null | Scheme::Host => {}
    }
    list
}

/// How long the last look may take.
const LAST_LOOK: Duration = Duration::from_secs(10);

/// One look, with its time.
#[derive(Debug, Clone)]
pub struct Look {
    /// Who looked.
    pub observer: String,
    /// When, nanoseconds since the origin.
    pub at_ns: u64,
    /// What was read.
    pub values: BTreeMap<String, f64>,
}

/// Observers at work on a thread of their own.
pub struct Watch {
    looks: Receiver<Result<Look, Problem>>,
    ask: Sender<Ask>,
    thread: std::cell::Cell<Option<JoinHandle<()>>>,
    /// Hangs up when the thread ends.
    gone: Receiver<()>,
}

/// What is asked of the observers between their regular looks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Ask {
    /// One look more, now.
    Look,
    /// The last look.
    End,
}

/// Lets all observers that fit a target look at once and then every `every`, until [`Watch::finish`]. Where the server is
/// to be observed at the ends only, it has been looked at and left when this returns, and is looked at again at the finish.
pub fn watch(connector: &Connector, pid: Option<u32>, every: Duration, origin: Instant, observe: Observe) -> Watch {
    let connector = connector.clone();
    let (tell, looks) = mpsc::channel();
    let (ask, asked) = mpsc::channel::<Ask>();
    let (here, gone) = mpsc::channel::<()>();
    let (begun, first) = mpsc::channel::<()>();
    let thread = std::thread::Builder::new().name("observers".into()).spawn(move || {
        let _here = here;
        // Made here: connections belong to the thread that uses them.
        let mut observers: Vec<_> = all(&connector, pid).into_iter().map(|o| (o, Sight::Clear)).collect();
        let mut next = Instant::now();
        let mut begun = Some(begun);
        loop {
            let away = |o: &dyn Observer, at_first: bool| observe == Observe::Ends && o.connects() && !at_first;
            for (observer, sight) in &mut observers {
                if away(observer.as_ref(), begun.is_some()) {
                    continue;
                }
                for look in look(observer.as_mut(), sight, origin) {
                    let _ = tell.send(look);
                }
                if observe == Observe::Ends {
                    observer.disconnect();
                }
            }
            begun.take();
            if next <= Instant::now() {
                next = (next + every).max(Instant::now());
            }
            match asked.recv_timeout(next.saturating_duration_since(Instant::now())) {
                Err(RecvTimeoutError::Timeout) | Ok(Ask::Look) => {}
                Ok(Ask::End) => {
                    // The last look, so that counters span the whole window. Who saw nothing before need not try again.
                    for (observer, sight) in observers.iter_mut().filter(|(_, sight)| *sight == Sight::Clear) {
                        for look in look(observer.as_mut(), sight, origin) {
                            let _ = tell.send(look);
                        }
                    }
                    return;
                }
                Err(RecvTimeoutError::Disconnected) => return,
            }
        }
    });
    if observe == Observe::Ends {
        // Hung up once all have looked. A server that does not answer does not keep the clients from finding that out.
        let _ = first.recv_timeout(LAST_LOOK);
    }
    Watch { looks, ask, thread: std::cell::Cell::new(thread.ok()), gone }
}

/// Whether an observer saw something the last time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Sight {
    Clear,
    Lost,
}

/// One look. A failure is told when it begins, not at every look while it lasts: as a problem, and with its time as a look
/// that read [`LOST`].
fn look(observer: &mut dyn Observer, sight: &mut Sight, origin: Instant) -> Vec<Result<Look, Problem>> {
    let at_ns = origin.elapsed().as_nanos() as u64;
    let name = observer.name().to_owned();
    let before = *sight;
    match observer.look() {
        Ok(values) => {
            *sight = Sight::Clear;
            vec![Ok(Look { observer: name, at_ns, values })]
        }
        Err(problem) => {
            *sight = Sight::Lost;
            match before {
                Sight::Clear => {
                    let values = BTreeMap::from([(LOST.to_owned(), 1.0)]);
                    vec![Ok(Look { observer: name, at_ns, values }), Err(problem)]
                }
                Sight::Lost => Vec::new(),
            }
        }
    }
}

impl Watch {
    /// What was seen since the last call.
    pub fn taken(&self) -> impl Iterator<Item = Result<Look, Problem>> + '_ {
        self.looks.try_iter()
    }

    /// Lets all look now as well, without waiting for it: where a measured window begins or ends.
    pub fn look(&self) {
        let _ = self.ask.send(Ask::Look);
    }

    /// Lets all look once more and waits for it; not for ever: a server may have fallen silent in the middle of a look.
    pub fn finish(&self) {
        let _ = self.ask.send(Ask::End);
        if let Some(thread) = self.thread.take()
            && self.gone.recv_timeout(LAST_LOOK) == Err(RecvTimeoutError::Disconnected)
        {
            let _ = thread.join();
        }
    }
}
