//! Runs observers: a thread for each, which takes a sample once per period and on request. All events go to one
//! receiver.
//!
//! No observer can end a run: one that panics or hangs is reported and abandoned; readings that it did not declare
//! and values that are not numbers are dropped and reported.

use super::session::ANSWER;
use super::{Observer, ObserverEntry, Sample, Subject};
use std::any::Any;
use std::cell::Cell;
use std::collections::{BTreeMap, BTreeSet};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, SyncSender};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};
use tenbin_model::digest::DigestReport;
use tenbin_model::reading::ReadingSpec;
use tenbin_model::readings::LOST;
use tenbin_model::trial::Observe;
use tenbin_words::message::{Message, foreign};
use tenbin_words::msg;
use tenbin_words::problem::Problem;

/// When observers take samples.
#[derive(Debug, Clone, Copy)]
pub struct Sampling {
    /// The period of those without their own.
    pub every: Duration,
    /// Whether those that connect to a server do so all the time, or only before and after the clients.
    pub observe: Observe,
    /// The origin of the run's clock.
    pub origin: Instant,
}

/// An event of an observer.
#[derive(Debug, Clone, PartialEq)]
pub enum ObserverEvent {
    /// It starts; its first event.
    Declared {
        /// Who.
        observer: &'static str,
        /// How long it waits from one sample to the next.
        period: Duration,
        /// What it may read.
        readings: Vec<ReadingSpec>,
    },
    /// A sample.
    Sampled {
        /// Who.
        observer: &'static str,
        /// When it was requested, or taken if the sample says so; nanoseconds since the origin.
        at_ns: u64,
        /// What was read.
        sample: Sample,
    },
    /// The statements that the server counted in the measured window.
    Statements(DigestReport),
    /// What the reader of the result should know.
    Trouble(Problem),
}

/// Running observers. When this is dropped, their threads end by themselves.
pub struct Watch {
    events: Receiver<Box<ObserverEvent>>,
    observers: Vec<RunningObserver>,
    sampling: Sampling,
    /// Whether those that connect must not query their server.
    quiet: Arc<AtomicBool>,
}

struct RunningObserver {
    entry: ObserverEntry,
    ask: SyncSender<SampleRequest>,
    /// Disconnected when the thread ends.
    gone: Receiver<()>,
    thread: Cell<Option<JoinHandle<()>>>,
    /// The start of the current sample, nanoseconds since the origin; 0 between samples.
    since_ns: Arc<AtomicU64>,
    /// Whether its connection to a server is open.
    connected: Arc<AtomicBool>,
    hung: Cell<Hung>,
}

/// Whether an observer hangs, and whether that was reported.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Hung {
    No,
    Found,
    Told,
}

/// Requests to observers between their regular samples.
enum SampleRequest {
    /// The clients are about to connect, or, for those that read only then, the window begins or ends. The sender is
    /// dropped after the sample.
    Begin(SyncSender<()>),
    /// One more sample.
    Sample,
    /// The last sample.
    Last,
}

/// Starts all observers that apply to the subject. Each takes a sample at once and then once per period, until
/// [`Watch::finish`]; if servers are to be observed at the ends only, those that connect do so at [`Watch::begin`] and
/// at the finish.
pub fn watch(entries: &[ObserverEntry], subject: &Subject, sampling: Sampling) -> Watch {
    let (tell, events) = mpsc::sync_channel(MOST_EVENTS);
    let quiet = Arc::new(AtomicBool::new(false));
    let entries = entries.iter().flat_map(|entry| match entry.each {
        None => vec![(*entry, subject.clone())],
        Some(each) => each(subject).into_iter().map(|(name, part)| (ObserverEntry { name, ..*entry }, part)).collect(),
    });
    let observers = entries.filter_map(|(entry, part)| start(entry, &part, sampling, &tell, &quiet)).collect();
    Watch { events, observers, sampling, quiet }
}

fn start(
    entry: ObserverEntry,
    subject: &Subject,
    sampling: Sampling,
    tell: &SyncSender<Box<ObserverEvent>>,
    quiet: &Arc<AtomicBool>,
) -> Option<RunningObserver> {
    let ((ask, requests), (here, gone)) = (mpsc::sync_channel(MOST_REQUESTS), mpsc::sync_channel::<()>(1));
    let since_ns = Arc::new(AtomicU64::new(0));
    let connected = Arc::new(AtomicBool::new(false));
    let Sampling { every, observe, origin } = sampling;
    let subject = Subject { quiet: quiet.clone(), origin, every, observe, ..subject.clone() };
    let tell_own = tell.clone();
    let mut work = ObserverThread {
        entry,
        sampling,
        tell: tell_own,
        since_ns: since_ns.clone(),
        connected: connected.clone(),
        quiet: quiet.clone(),
        clear: true,
        strange: false,
        period: sampling.every,
        declared: BTreeSet::new(),
    };
    let thread = std::thread::Builder::new().name(entry.name.into()).spawn(move || {
        let _here = here;
        // It is created here, because a connection belongs to the thread that uses it.
        if let Err(panic) = catch_unwind(AssertUnwindSafe(|| work.all(&subject, &requests))) {
            let what = msg!("observer-panicked", observer = entry.name);
            let _ = work.tell.send(Box::new(ObserverEvent::Trouble(Problem::new(what).evidence(message(&*panic)))));
        }
    });
    match thread {
        Ok(thread) => Some(RunningObserver {
            entry,
            ask,
            gone,
            thread: Cell::new(Some(thread)),
            since_ns,
            connected,
            hung: Cell::new(Hung::No),
        }),
        Err(e) => {
            let what = msg!("observer-not-started", observer = entry.name);
            let _ = tell.send(Box::new(ObserverEvent::Trouble(Problem::new(what).evidence(foreign(e)))));
            None
        }
    }
}

/// The state of one thread.
struct ObserverThread {
    entry: ObserverEntry,
    sampling: Sampling,
    tell: SyncSender<Box<ObserverEvent>>,
    since_ns: Arc<AtomicU64>,
    connected: Arc<AtomicBool>,
    quiet: Arc<AtomicBool>,
    /// Whether the last sample succeeded.
    clear: bool,
    /// Whether invalid readings were reported.
    strange: bool,
    /// The time from one sample to the next.
    period: Duration,
    /// The names of the readings that may be returned.
    declared: BTreeSet<String>,
}

impl ObserverThread {
    fn all(&mut self, subject: &Subject, requests: &Receiver<SampleRequest>) {
        let (entry, origin) = (self.entry, self.sampling.origin);
        self.since_ns.store(now_ns(origin), Ordering::Relaxed);
        let made = (entry.make)(subject);
        self.since_ns.store(0, Ordering::Relaxed);
        let Some(mut observer) = made else { return };
        let period = observer.period().or(entry.period).unwrap_or(self.sampling.every);
        let readings = (entry.readings)(subject);
        self.period = period;
        self.declared = readings.iter().map(|spec| spec.name.clone().into_owned()).collect();
        if !entry.edges {
            let _ = self.tell.send(Box::new(ObserverEvent::Declared { observer: entry.name, period, readings }));
        }
        let at_the_ends = self.sampling.observe == Observe::Ends && entry.connects;
        let mut next = Instant::now();
        loop {
            let ask = if at_the_ends || entry.edges {
                requests.recv().map_err(|_| RecvTimeoutError::Disconnected)
            } else {
                requests.recv_timeout(next.saturating_duration_since(Instant::now()))
            };
            match &ask {
                Err(RecvTimeoutError::Disconnected) => return,
                Ok(SampleRequest::Sample) if at_the_ends => continue,
                // If the previous sample failed, it need not try again.
                Ok(SampleRequest::Last) if !self.clear => return,
                _ => {}
            }
            self.sample(observer.as_mut());
            if at_the_ends && entry.edges && matches!(ask, Ok(SampleRequest::Begin(_))) {
                // The time under load is the window.
                self.sample(observer.as_mut());
            }
            if next <= Instant::now() {
                next = (next + period).max(Instant::now());
            }
            let last = matches!(ask, Ok(SampleRequest::Last));
            if last || at_the_ends {
                observer.disconnect();
                self.connected.store(false, Ordering::SeqCst);
            }
            if let Ok(SampleRequest::Begin(begun)) = ask {
                drop(begun);
            }
            if last {
                return;
            }
        }
    }

    fn since_origin(&self, at: Instant) -> u64 {
        at.saturating_duration_since(self.sampling.origin).as_nanos() as u64
    }

    /// Records what was declared. What was not is reported once.
    fn tell_sample(&mut self, at_ns: u64, mut sample: Sample) {
        let (name, declared) = (self.entry.name, &self.declared);
        let strange: Vec<String> = sample
            .values
            .extract_if(.., |reading, value| !declared.contains(reading) || !value.is_finite())
            .map(|(reading, value)| format!("{reading} {value}"))
            .collect();
        if !strange.is_empty() && !std::mem::replace(&mut self.strange, true) {
            let what = msg!("observer-read-undeclared", observer = name);
            let some = strange.into_iter().take(8).collect::<Vec<_>>().join(", ");
            let _ = self.tell.send(Box::new(ObserverEvent::Trouble(Problem::new(what).evidence(foreign(some)))));
        }
        if !self.entry.edges {
            let _ = self.tell.send(Box::new(ObserverEvent::Sampled { observer: name, at_ns, sample }));
        }
    }

    /// Takes one sample. A failure is reported when it starts, not at every sample while it lasts: as a problem, and
    /// with its time as a sample with the reading [`LOST`].
    fn sample(&mut self, observer: &mut dyn Observer) {
        let name = self.entry.name;
        let at_ns = now_ns(self.sampling.origin);
        self.since_ns.store(at_ns, Ordering::SeqCst);
        // A caller of `quietly` sets this first and then waits for the current sample: one of the two notices the
        // other.
        if self.entry.connects && self.quiet.load(Ordering::SeqCst) {
            self.since_ns.store(0, Ordering::SeqCst);
            return;
        }
        let read = observer.read();
        // What is one of several has no connection to the server itself.
        let connects = self.entry.connects && self.entry.each.is_none();
        self.connected.store(connects && read.is_ok(), Ordering::SeqCst);
        self.since_ns.store(0, Ordering::SeqCst);
        let was_clear = std::mem::replace(&mut self.clear, read.is_ok());
        match read {
            Ok(mut sample) => {
                for note in std::mem::take(&mut sample.notes) {
                    let _ = self.tell.send(Box::new(ObserverEvent::Trouble(note)));
                }
                let readings = std::mem::take(&mut sample.declares);
                if !readings.is_empty() {
                    self.declared.extend(readings.iter().map(|spec| spec.name.clone().into_owned()));
                    let _ = self.tell.send(Box::new(ObserverEvent::Declared {
                        observer: name,
                        period: self.period,
                        readings,
                    }));
                }
                if let Some(report) = sample.statements.take() {
                    let _ = self.tell.send(Box::new(ObserverEvent::Statements(report)));
                }
                let samples = match sample.past.take() {
                    Some(past) => past.into_iter().map(|past| (Some(past.at), past.values.into())).collect(),
                    None => vec![(sample.at, sample)],
                };
                for (at, sample) in samples {
                    self.tell_sample(at.map_or(at_ns, |at| self.since_origin(at)), sample);
                }
            }
            Err(problem) if was_clear => {
                let lost = Sample::from(BTreeMap::from([(LOST.to_owned(), 1.0)]));
                let _ = self.tell.send(Box::new(ObserverEvent::Sampled { observer: name, at_ns, sample: lost }));
                let _ = self.tell.send(Box::new(ObserverEvent::Trouble(problem)));
            }
            Err(_) => {}
        }
    }
}

/// This many events may wait to be taken, a quarter of an hour of all observers, of which each waits then. There is room for all of them from the
/// start, in each trial.
const MOST_EVENTS: usize = 10_000;
/// This many requests may wait for an observer. One that hangs needs no more of them.
const MOST_REQUESTS: usize = 64;

/// How long the clients wait at most for the first samples of observers that read all the time.
const FIRST_SAMPLE: Duration = Duration::from_secs(10);

/// Never 0, which stands for no sample under way.
fn now_ns(origin: Instant) -> u64 {
    (origin.elapsed().as_nanos() as u64).max(1)
}

/// The message of a panic.
fn message(panic: &(dyn Any + Send)) -> Message {
    let text = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
    text.or_else(|| panic.downcast_ref::<String>().cloned()).map_or_else(|| msg!("without-a-message"), foreign)
}

impl Watch {
    /// The next event; `None` if there is none at the moment. An observer that hangs is reported once.
    pub fn next(&self) -> Option<ObserverEvent> {
        self.events.try_recv().ok().map(|event| *event).or_else(|| {
            let now_ns = now_ns(self.sampling.origin);
            let hung = self.observers.iter().find(|o| {
                let since_ns = o.since_ns.load(Ordering::Relaxed);
                let late = since_ns > 0 && now_ns.saturating_sub(since_ns) > o.entry.patience.as_nanos() as u64;
                o.hung.get() == Hung::Found || late && o.hung.get() == Hung::No
            })?;
            hung.hung.set(Hung::Told);
            let what = msg!("observer-hangs", observer = hung.entry.name);
            let waited = msg!("waited-for", seconds = hung.entry.patience.as_secs());
            Some(ObserverEvent::Trouble(Problem::new(what).evidence(waited)))
        })
    }

    /// Lets all take a sample before the clients connect, and waits for it: to connect to another machine may take
    /// seconds, which would be missing in a short window. If a server is observed at the ends only, it was sampled and
    /// disconnected when this returns, unless it takes too long, which will affect the clients as well.
    pub fn begin(&self) {
        let ((begun, first), (sampled, others)) = (mpsc::sync_channel(1), mpsc::sync_channel(1));
        for o in &self.observers {
            let waits = self.at_the_ends(o) || o.entry.edges;
            let _ = o.ask.try_send(SampleRequest::Begin(if waits { begun.clone() } else { sampled.clone() }));
        }
        drop((begun, sampled));
        let start = Instant::now();
        let patience = self.observers.iter().map(|o| o.entry.patience).max();
        let _ = first.recv_timeout(patience.unwrap_or_default());
        let _ = others.recv_timeout(FIRST_SAMPLE.saturating_sub(start.elapsed()));
    }

    /// Lets all take an additional sample, at the start and end of a measured window. Waits at most this long for those
    /// that read only then, and for no others.
    pub fn edge(&self, patience: Duration) {
        let (taken, all) = mpsc::sync_channel(1);
        for o in &self.observers {
            let waits = o.entry.edges && !self.at_the_ends(o);
            let _ = o.ask.try_send(if waits { SampleRequest::Begin(taken.clone()) } else { SampleRequest::Sample });
        }
        drop(taken);
        let _ = all.recv_timeout(patience);
    }

    /// Whether an observer is called before and after the clients only.
    fn at_the_ends(&self, observer: &RunningObserver) -> bool {
        observer.entry.connects && self.sampling.observe == Observe::Ends
    }

    /// The number of open connections to servers.
    pub fn connections(&self) -> u32 {
        self.observers.iter().filter(|o| o.connected.load(Ordering::SeqCst)).count() as u32
    }

    /// Keeps those that connect from querying their server while `work` is running: any activity on it is then that of
    /// others.
    pub fn quietly<T>(&self, work: impl FnOnce() -> T) -> T {
        self.quiet.store(true, Ordering::SeqCst);
        let start = Instant::now();
        let busy = |o: &&RunningObserver| o.entry.connects && o.since_ns.load(Ordering::SeqCst) > 0;
        while start.elapsed() < ANSWER && self.observers.iter().any(|o| busy(&o)) {
            std::thread::sleep(Duration::from_millis(1));
        }
        let done = work();
        self.quiet.store(false, Ordering::SeqCst);
        done
    }

    /// Lets all take a last sample and waits for it; with a time limit, and not for those that hang.
    pub fn finish(&self) {
        for o in &self.observers {
            let _ = o.ask.try_send(SampleRequest::Last);
        }
        let start = Instant::now();
        for o in self.observers.iter().filter(|o| o.hung.get() == Hung::No) {
            let Some(thread) = o.thread.take() else { continue };
            match o.gone.recv_timeout(o.entry.patience.saturating_sub(start.elapsed())) {
                Err(RecvTimeoutError::Disconnected) => drop(thread.join()),
                _ => o.hung.set(Hung::Found),
            }
        }
    }

    /// Those that hang: their threads cannot be ended.
    pub fn hung(&self) -> Vec<&'static str> {
        self.observers.iter().filter(|o| o.hung.get() != Hung::No).map(|o| o.entry.name).collect()
    }
}
