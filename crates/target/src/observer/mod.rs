//! Who looks on while load is driven. One file per observer, one list of them; readings are raw counters, their names end in the unit.

mod host;
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

/// Somebody who looks at one thing.
pub trait Observer {
    /// Who looks at what: `client.host`.
    fn name(&self) -> &str;
    /// One look.
    fn look(&mut self) -> Result<BTreeMap<String, f64>, Problem>;
}

/// All observers that fit a target. `pid` is its server's process when that is ours.
fn all(connector: &Connector, pid: Option<u32>) -> Vec<Box<dyn Observer>> {
    let mut list: Vec<Box<dyn Observer>> = vec![Box::new(host::Host)];
    list.extend(pid.map(|pid| Box::new(process::Process { pid }) as Box<dyn Observer>));
    match connector.dsn().scheme {
        Scheme::Mysql => list.push(Box::new(status::Status::new(connector.clone()))),
        Scheme::Postgres => list.push(Box::new(postgres::Postgres::new(connector.clone()))),
        Scheme::Sqlite | Scheme::Null => {}
    }
    list
}

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
    end: Sender<()>,
    thread: std::cell::Cell<Option<JoinHandle<()>>>,
}

/// Lets all observers that fit a target look at once and then every `every`, until [`Watch::finish`].
pub fn watch(connector: &Connector, pid: Option<u32>, every: Duration, origin: Instant) -> Watch {
    let connector = connector.clone();
    let (tell, looks) = mpsc::channel();
    let (end, ended) = mpsc::channel::<()>();
    let thread = std::thread::Builder::new().name("observers".into()).spawn(move || {
        // Made here: connections belong to the thread that uses them.
        let mut observers = all(&connector, pid);
        let mut next = Instant::now();
        loop {
            observers.retain_mut(|observer| {
                let at_ns = origin.elapsed().as_nanos() as u64;
                let look = observer.look().map(|values| Look { observer: observer.name().to_owned(), at_ns, values });
                // One that fails is told once and looks no more.
                let go_on = look.is_ok();
                tell.send(look).is_ok() && go_on
            });
            next = (next + every).max(Instant::now());
            match ended.recv_timeout(next - Instant::now()) {
                Err(RecvTimeoutError::Timeout) => {}
                Ok(()) => {
                    // The last look, so that counters span the whole window.
                    for observer in &mut observers {
                        let at_ns = origin.elapsed().as_nanos() as u64;
                        let name = observer.name().to_owned();
                        let _ = tell.send(observer.look().map(|values| Look { observer: name, at_ns, values }));
                    }
                    return;
                }
                Err(RecvTimeoutError::Disconnected) => return,
            }
        }
    });
    Watch { looks, end, thread: std::cell::Cell::new(thread.ok()) }
}

impl Watch {
    /// What was seen since the last call.
    pub fn taken(&self) -> impl Iterator<Item = Result<Look, Problem>> + '_ {
        self.looks.try_iter()
    }

    /// Lets all look once more and waits for it.
    pub fn finish(&self) {
        let _ = self.end.send(());
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}
