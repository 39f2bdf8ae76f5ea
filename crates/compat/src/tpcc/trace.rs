//! `-f` and `-t`: a line for each New-Order. The workload is wrapped, so that each terminal records the start and end
//! of its orders; a separate thread writes, so that no client waits for a file.

use super::like::like;
use super::settings::Settings;
use crate::hint::quoted;
use std::collections::VecDeque;
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::Path;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{Arc, OnceLock};
use std::thread::JoinHandle;
use std::time::{Duration, Instant, SystemTime};
use tenbin_driver::Transport;
use tenbin_model::tpcc::{Counter, TransactionType};
use tenbin_words::message::foreign;
use tenbin_words::msg;
use tenbin_words::problem::Problem;
use tenbin_workload::{BoxFuture, Client, TransactionContext, Workload};

/// Orders that a terminal collects before it passes them on.
const BATCH: usize = 512;

/// One New-Order.
struct TracedOrder {
    terminal: u32,
    begun: Instant,
    ended: Instant,
    committed: bool,
}

/// The measured window: its start, once it is known, and its length.
pub struct Window {
    from: OnceLock<Instant>,
    length: Duration,
}

impl Window {
    /// Sets the start. This is called slightly later, when the first orders have arrived already.
    pub fn began(&self, at: Instant) {
        let _ = self.from.set(at);
    }
}

/// How long orders are kept before the start of the window is known.
const UNPLACED: Duration = Duration::from_secs(10);

/// This many batches may wait for the disk; then the clients wait for it, which is better than memory without end.
const MOST_WAITING: usize = 16_384;

/// The files of a run.
pub struct Trace {
    pub window: Arc<Window>,
    orders: SyncSender<Vec<TracedOrder>>,
    writer: JoinHandle<std::io::Result<()>>,
}

impl Trace {
    /// Opens the files; `None` if none is requested.
    pub fn open(settings: &Settings) -> Result<Option<Trace>, Problem> {
        let create = |path: &Path| File::create(path).map_err(|e| refused(path, &e));
        let report = settings.report.as_deref().map(create).transpose()?;
        let transactions = settings.transactions.as_deref().map(create).transpose()?;
        if report.is_none() && transactions.is_none() {
            return Ok(None);
        }
        let window = Arc::new(Window { from: OnceLock::new(), length: Duration::from_secs(settings.measure_s) });
        let (orders, received) = sync_channel(MOST_WAITING);
        let shared = Arc::clone(&window);
        let write = move || write(&received, &shared, report, transactions);
        let writer = std::thread::Builder::new().name("orders".into()).spawn(write);
        let writer = writer.map_err(|e| {
            Problem::new(msg!("no-thread-for-trace-files")).evidence(foreign(e)).hint(msg!("ulimit-u-tells-how-many"))
        })?;
        Ok(Some(Trace { window, orders, writer }))
    }

    /// The same workload with tracing.
    pub fn wrap(&self, inner: Arc<dyn Workload>) -> Option<Arc<dyn Workload>> {
        let index_of = |names: Vec<String>, name: &str| names.iter().position(|n| n == name);
        let new_order = index_of(inner.transactions(), TransactionType::NewOrder.name()).unwrap_or(usize::MAX);
        let rolled_back = index_of(inner.counters(), Counter::RolledBack.name()).unwrap_or(usize::MAX) as u16;
        let orders = self.orders.clone();
        like(vec![inner.clone()], move |number, of, seed| {
            let (inner, orders) = (inner.client(number, of, seed), orders.clone());
            let kept = Vec::with_capacity(BATCH);
            Box::new(TracedTerminal { inner, number, begun: None, kept, new_order, rolled_back, orders })
        })
    }

    /// Waits until everything is written. All clients must have ended.
    pub fn close(self) -> Result<(), Problem> {
        drop(self.orders);
        let written = self.writer.join().unwrap_or_else(|_| Err(std::io::Error::other("the writing thread panicked")));
        written.map_err(|e| Problem::new(msg!("trace-files-not-whole")).evidence(foreign(e)))
    }
}

/// The problem for a file that cannot be created, with a hint.
fn refused(path: &Path, error: &std::io::Error) -> Problem {
    let word = |path: &Path| quoted(&path.display().to_string());
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let hint = if path.is_dir() {
        msg!("name-file-in-it", path = word(&path.join("new_orders.txt")))
    } else if !folder.exists() {
        msg!("mkdir-p-unquoted", folder = word(folder))
    } else {
        msg!("ls-ld-tells-who-may", folder = word(folder))
    };
    Problem::new(msg!("file-cannot-be-written", file = path.display())).evidence(foreign(error)).hint(hint)
}

/// Writes orders until all terminals have ended.
fn write(
    orders: &Receiver<Vec<TracedOrder>>,
    window: &Window,
    report: Option<File>,
    transactions: Option<File>,
) -> std::io::Result<()> {
    let (mut report, mut transactions) = (report.map(BufWriter::new), transactions.map(BufWriter::new));
    // Both clocks are read once, so that steps of the wall clock do not make orders end before they start.
    let (here, wall) = (Instant::now(), SystemTime::now());
    let since_epoch = |at: Instant| {
        let wall = if at >= here { wall + (at - here) } else { wall - (here - at) };
        wall.duration_since(SystemTime::UNIX_EPOCH).unwrap_or(Duration::ZERO)
    };
    let mut unplaced = VecDeque::new();
    let mut record = |order: &TracedOrder, from: Instant| {
        // As the report counts them: by when they end.
        if order.ended < from || order.ended > from + window.length {
            return Ok(());
        }
        if let Some(file) = &mut report {
            let ms = (order.ended - order.begun).as_nanos() as f64 / 1e6;
            writeln!(file, "{} {ms:.3}", (order.ended - from).as_secs())?;
        }
        if let Some(file) = transactions.as_mut().filter(|_| order.committed) {
            let [end, start] = [order.ended, order.begun].map(since_epoch);
            let (e, en, s, sn) = (end.as_secs(), end.subsec_nanos(), start.as_secs(), start.subsec_nanos());
            writeln!(file, "t_num: {} finish: {e} {en} start: {s} {sn}", order.terminal)?;
        }
        Ok::<(), std::io::Error>(())
    };
    for order in orders.iter().flatten() {
        unplaced.push_back(order);
        match window.from.get() {
            Some(from) => unplaced.drain(..).try_for_each(|order| record(&order, *from))?,
            None => {
                while unplaced.front().is_some_and(|first| first.ended.elapsed() > UNPLACED) {
                    unplaced.pop_front();
                }
            }
        }
    }
    if let Some(from) = window.from.get() {
        unplaced.drain(..).try_for_each(|order| record(&order, *from))?;
    }
    [report, transactions].into_iter().flatten().try_for_each(|mut file| file.flush())
}

struct TracedTerminal {
    inner: Box<dyn Client>,
    number: u32,
    /// Start of the first attempt.
    begun: Option<Instant>,
    kept: Vec<TracedOrder>,
    new_order: usize,
    rolled_back: u16,
    orders: SyncSender<Vec<TracedOrder>>,
}

impl TracedTerminal {
    fn hand_on(&mut self) {
        if !self.kept.is_empty() {
            // The writer may have ended because of a full disk, which is reported when the files are closed.
            let _ = self.orders.send(std::mem::replace(&mut self.kept, Vec::with_capacity(BATCH)));
        }
    }
}

impl Client for TracedTerminal {
    fn connect(&mut self, transport: Transport) -> BoxFuture<'_, ()> {
        self.inner.connect(transport)
    }

    fn has_work(&self) -> bool {
        self.inner.has_work()
    }

    fn pause(&mut self) -> Duration {
        self.inner.pause()
    }

    fn transaction<'a>(&'a mut self, turn: &'a mut TransactionContext) -> BoxFuture<'a, usize> {
        Box::pin(async move {
            if turn.attempt == 0 {
                self.begun = Some(Instant::now());
            }
            let done = self.inner.transaction(turn).await;
            if done.as_ref().is_ok_and(|n| *n == self.new_order)
                && let Some(begun) = self.begun
            {
                let committed = turn.counts.iter().all(|(counter, _)| *counter != self.rolled_back);
                self.kept.push(TracedOrder { terminal: self.number, begun, ended: Instant::now(), committed });
                if self.kept.len() == BATCH {
                    self.hand_on();
                }
            }
            done
        })
    }

    fn recover(&mut self) -> BoxFuture<'_, ()> {
        self.inner.recover()
    }

    fn close(&mut self) -> BoxFuture<'_, ()> {
        self.inner.close()
    }
}

impl Drop for TracedTerminal {
    fn drop(&mut self) {
        self.hand_on();
    }
}
