//! The loop: one thread, one `epoll`, edge-triggered; reads, lets the session answer, sends at once or when due.

use crate::Options;
use crate::session::{Flow, Reply, ServerContext, Session};
use crate::socket::{Listeners, Stream, TCP, UNIX};
use crate::stats::Snapshot;
use mio::unix::SourceFd;
use mio::{Events, Interest, Poll, Registry, Token};
use rustix::time::{Itimerspec, TimerfdClockId, TimerfdFlags, TimerfdTimerFlags, Timespec};
use std::collections::BTreeMap;
use std::io::{self, ErrorKind, Write};
use std::os::fd::{AsRawFd, OwnedFd};
use std::rc::Rc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

/// The token that wakes the loop to stop.
pub const WAKER: Token = Token(0);
const TIMER: Token = Token(3);
const FIRST_CLIENT: usize = 4;

/// Serves until `stop` is set and the waker woken; answers with the figures at the end.
pub fn serve(options: &Options, mut poll: Poll, mut listeners: Listeners, stop: &AtomicBool) -> io::Result<Snapshot> {
    listeners.register(poll.registry())?;
    let mut events = Events::with_capacity(1024);
    let mut server = Server::new(options, poll.registry().try_clone()?)?;
    let mut next_line = options.stats_interval.map(|every| server.start + every);
    loop {
        let patience = next_line.map(|at| at.saturating_duration_since(Instant::now()));
        match poll.poll(&mut events, patience) {
            Err(e) if e.kind() == ErrorKind::Interrupted => continue,
            other => other?,
        }
        // Everything that this wake tells of counts as having arrived now.
        let now_ns = server.wake();
        server.release(now_ns);
        for event in &events {
            match event.token() {
                WAKER if stop.load(Ordering::SeqCst) => return Ok(server.world.stats.snapshot()),
                WAKER => {}
                TCP | UNIX => server.accept(&listeners, now_ns),
                TIMER => server.armed_ns = None,
                Token(token) => server.client(token - FIRST_CLIENT, event.is_writable(), now_ns),
            }
        }
        if server.turned_away && !server.free.is_empty() {
            server.accept(&listeners, now_ns);
        }
        server.arm()?;
        if let (Some(at), Some(every)) = (next_line, options.stats_interval)
            && Instant::now() >= at
        {
            writeln!(io::stdout(), "{}", server.world.stats.snapshot().json())?;
            next_line = Some(at + every);
        }
    }
}

struct Server {
    start: Instant,
    registry: Registry,
    world: ServerContext,
    clients: Vec<Option<ClientState>>,
    /// Slots of clients who have left.
    free: Vec<usize>,
    sessions: u64,
    /// Somebody could not be let in for want of a descriptor.
    turned_away: bool,
    /// What is held back, by the time at which it is due, and a running number.
    held: BTreeMap<(u64, u64), DelayedAnswers>,
    held_so_far: u64,
    timer: OwnedFd,
    armed_ns: Option<u64>,
    buffer: Box<[u8]>,
    replies: Vec<Reply>,
    joined: Vec<u8>,
}

struct ClientState {
    stream: Stream,
    session: Session,
    /// What the socket would not take; while there is any, nothing is read.
    unsent: Vec<u8>,
    /// To be closed when everything is sent.
    closing: bool,
    /// Requests with statements that were answered, now or later.
    requests: u64,
    /// When its last answer is due: no later one goes before it.
    due_ns: u64,
}

/// Answers that are held back, of one client.
struct DelayedAnswers {
    arrived_ns: u64,
    slot: usize,
    /// The session's number, because slots are used again.
    session: u64,
    replies: Vec<Reply>,
    flow: Flow,
}

impl Server {
    fn new(options: &Options, registry: Registry) -> io::Result<Server> {
        // epoll's own time-out counts milliseconds; delays are to be exact.
        let flags = TimerfdFlags::NONBLOCK | TimerfdFlags::CLOEXEC;
        let timer = rustix::time::timerfd_create(TimerfdClockId::Monotonic, flags)?;
        registry.register(&mut SourceFd(&timer.as_raw_fd()), TIMER, Interest::READABLE)?;
        let mut world = ServerContext::new(options);
        world.stats.reset();
        Ok(Server {
            start: Instant::now(),
            registry,
            world,
            clients: Vec::new(),
            free: Vec::new(),
            sessions: 0,
            turned_away: false,
            held: BTreeMap::new(),
            held_so_far: 0,
            timer,
            armed_ns: None,
            buffer: vec![0; 64 << 10].into(),
            replies: Vec::new(),
            joined: Vec::new(),
        })
    }

    fn now_ns(&self) -> u64 {
        self.start.elapsed().as_nanos() as u64
    }

    fn wake(&mut self) -> u64 {
        let now_ns = self.now_ns();
        self.world.uptime_s = now_ns / 1_000_000_000;
        now_ns
    }

    fn accept(&mut self, listeners: &Listeners, now_ns: u64) {
        self.turned_away = false;
        loop {
            let mut stream = match listeners.accept() {
                Ok(stream) => stream,
                Err(e) if e.kind() == ErrorKind::WouldBlock => return,
                Err(e) if matches!(e.kind(), ErrorKind::ConnectionAborted | ErrorKind::Interrupted) => continue,
                // Out of descriptors: those who are in are served on, the others wait until one leaves.
                Err(_) => {
                    self.turned_away = true;
                    return;
                }
            };
            let slot = self.free.pop().unwrap_or_else(|| {
                self.clients.push(None);
                self.clients.len() - 1
            });
            if self.registry.register(stream.source(), Token(slot + FIRST_CLIENT), Interest::READABLE).is_err() {
                self.free.push(slot);
                continue;
            }
            self.sessions += 1;
            let (session, greeting) = Session::open(self.sessions);
            self.clients[slot] =
                Some(ClientState { stream, session, unsent: Vec::new(), closing: false, requests: 0, due_ns: 0 });
            self.replies.push(Reply { bytes: Rc::from(greeting), statement: false });
            self.answer(slot, now_ns, Flow::On);
        }
    }

    /// Something happened at a client's socket.
    fn client(&mut self, slot: usize, writable: bool, now_ns: u64) {
        if writable {
            self.flush(slot);
        }
        // Edge-triggered: read until a read comes short.
        loop {
            let Some(Some(client)) = self.clients.get_mut(slot) else { return };
            if client.session.is_over() || !client.unsent.is_empty() {
                return;
            }
            let got = match client.stream.read(&mut self.buffer) {
                Ok(0) => return self.close(slot),
                Ok(got) => got,
                Err(e) if e.kind() == ErrorKind::WouldBlock => return,
                Err(e) if e.kind() == ErrorKind::Interrupted => continue,
                Err(_) => return self.close(slot),
            };
            let flow = client.session.take(&self.buffer[..got], &mut self.world, &mut self.replies);
            self.answer(slot, now_ns, flow);
            if got < self.buffer.len() {
                return;
            }
        }
    }

    /// Sends what a session answered, or holds it back until it is due.
    #[inline]
    fn answer(&mut self, slot: usize, arrived_ns: u64, flow: Flow) {
        let Some(Some(client)) = self.clients.get_mut(slot) else { return self.replies.clear() };
        let due_ns = match self.replies.iter().any(|reply| reply.statement) {
            true => {
                client.requests += 1;
                self.world.faults.release_ns(arrived_ns, client.session.number, client.requests)
            }
            false => self.world.faults.after_stall_ns(arrived_ns),
        };
        let due_ns = due_ns.max(client.due_ns);
        let mut replies = std::mem::take(&mut self.replies);
        if due_ns > arrived_ns {
            if !(replies.is_empty() && flow == Flow::On) {
                client.due_ns = due_ns;
                let session = client.session.number;
                self.held_so_far += 1;
                let answers = DelayedAnswers { arrived_ns, slot, session, replies, flow };
                self.held.insert((due_ns, self.held_so_far), answers);
            }
            return;
        }
        // Nothing of this client is held back now: what was, was due no later than this, and has been released.
        self.send(slot, arrived_ns, &replies, flow);
        replies.clear();
        self.replies = replies;
    }

    /// Sends what has become due.
    fn release(&mut self, now_ns: u64) {
        while let Some(first) = self.held.first_entry().filter(|first| first.key().0 <= now_ns) {
            let held = first.remove();
            if self.clients[held.slot].as_ref().is_some_and(|c| c.session.number == held.session) {
                self.send(held.slot, held.arrived_ns, &held.replies, held.flow);
            }
        }
    }

    /// Has the timer wake us when the next answer is due.
    fn arm(&mut self) -> io::Result<()> {
        let Some(due_ns) = self.held.first_key_value().map(|((due_ns, _), _)| *due_ns) else { return Ok(()) };
        if self.armed_ns == Some(due_ns) {
            return Ok(());
        }
        self.armed_ns = Some(due_ns);
        let left_ns = due_ns.saturating_sub(self.now_ns()).max(1);
        let value = Timespec { tv_sec: (left_ns / 1_000_000_000) as i64, tv_nsec: (left_ns % 1_000_000_000) as i64 };
        let once = Itimerspec { it_interval: Timespec { tv_sec: 0, tv_nsec: 0 }, it_value: value };
        rustix::time::timerfd_settime(&self.timer, TimerfdTimerFlags::empty(), &once)?;
        Ok(())
    }

    #[inline]
    fn send(&mut self, slot: usize, arrived_ns: u64, replies: &[Reply], flow: Flow) {
        let residence_ns = self.now_ns() - arrived_ns;
        for _ in replies.iter().filter(|r| r.statement) {
            self.world.stats.residence.record(residence_ns);
        }
        let Some(Some(client)) = self.clients.get_mut(slot) else { return };
        let bytes: &[u8] = match replies {
            [] => &[],
            [one] => &one.bytes,
            many => {
                self.joined.clear();
                many.iter().for_each(|r| self.joined.extend_from_slice(&r.bytes));
                &self.joined
            }
        };
        client.closing |= flow == Flow::Close;
        if !client.unsent.is_empty() {
            client.unsent.extend_from_slice(bytes);
            return;
        }
        let sent = match push(&mut client.stream, bytes) {
            Ok(sent) => sent,
            Err(_) => return self.close(slot),
        };
        if sent < bytes.len() {
            client.unsent.extend_from_slice(&bytes[sent..]);
            let token = Token(slot + FIRST_CLIENT);
            if self.registry.reregister(client.stream.source(), token, Interest::WRITABLE).is_err() {
                self.close(slot);
            }
        } else if client.closing {
            self.close(slot);
        }
    }

    /// The socket takes bytes again.
    fn flush(&mut self, slot: usize) {
        let Some(Some(client)) = self.clients.get_mut(slot) else { return };
        if client.unsent.is_empty() {
            return;
        }
        let Ok(sent) = push(&mut client.stream, &client.unsent) else { return self.close(slot) };
        client.unsent.drain(..sent);
        if !client.unsent.is_empty() {
            return;
        }
        client.unsent = Vec::new();
        let token = Token(slot + FIRST_CLIENT);
        if client.closing || self.registry.reregister(client.stream.source(), token, Interest::READABLE).is_err() {
            self.close(slot);
        }
    }

    fn close(&mut self, slot: usize) {
        if let Some(mut client) = self.clients.get_mut(slot).and_then(Option::take) {
            let _ = self.registry.deregister(client.stream.source());
            self.world.stats.open -= u64::from(client.session.is_open());
            self.free.push(slot);
        }
    }
}

/// Writes as much as the socket takes.
fn push(stream: &mut Stream, bytes: &[u8]) -> io::Result<usize> {
    let mut sent = 0;
    while sent < bytes.len() {
        match stream.write(&bytes[sent..]) {
            Ok(0) => return Err(ErrorKind::WriteZero.into()),
            Ok(n) => sent += n,
            Err(e) if e.kind() == ErrorKind::WouldBlock => break,
            Err(e) if e.kind() == ErrorKind::Interrupted => {}
            Err(e) => return Err(e),
        }
    }
    Ok(sent)
}
