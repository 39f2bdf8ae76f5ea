//! A simulated link to a private server: a port whose connections lead to the server at a limited rate and with a
//! delay, like a leased line. It needs no privileges and no network interface.
//!
//! Per direction the connections share one line. A piece of data waits until the line is free, occupies it for its
//! length divided by the rate, and arrives after the delay. So no more than the rate passes in any period, nothing arrives
//! before the delay, and connections share the line piece by piece. Only the payload of TCP counts, not its headers.
//!
//! Each direction of a connection has two threads: one takes data from the sender and assigns them the line, one hands
//! them over when they arrive. Threads can sleep to some 0.05 ms; timers of event loops only to 1 ms.

use std::io::{Read, Write};
use std::net::{Ipv4Addr, Shutdown, TcpListener, TcpStream};
use std::num::NonZeroU64;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};
use tenbin_model::trial::LinkSpec;
use tenbin_words::message::foreign;
use tenbin_words::msg;
use tenbin_words::problem::Problem;

/// Data are assigned the line in pieces of this many bytes, so that long replies do not keep short ones of other
/// connections waiting.
const PIECE: usize = 4096;
/// The most line time that may be assigned ahead: more than a thread oversleeps, so that the line is never idle.
const AHEAD: Duration = Duration::from_millis(2);
/// The most pieces under way on a connection.
const UNDER_WAY: usize = 4096;
/// Threads copy data and need little stack.
const STACK: usize = 128 << 10;

/// A running link. Dropping it closes its port and its connections.
#[derive(Debug)]
pub struct SimulatedLink {
    port: u16,
    lines: Arc<Lines>,
}

#[derive(Debug)]
struct Lines {
    to_server: Line,
    to_client: Line,
    is_closed: AtomicBool,
    open: Mutex<Vec<TcpStream>>,
}

/// One direction.
#[derive(Debug)]
struct Line {
    bytes_per_s: Option<f64>,
    delay: Duration,
    /// When the line is free again.
    free: Mutex<Instant>,
    passed: AtomicU64,
}

impl SimulatedLink {
    /// Opens a port of this machine that leads to `server`, another one.
    pub fn to(server: u16, spec: LinkSpec) -> Result<SimulatedLink, Problem> {
        let failed = |e: std::io::Error| Problem::new(msg!("link-cannot-be-opened")).evidence(foreign(e));
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).map_err(failed)?;
        let port = listener.local_addr().map_err(failed)?.port();
        let lines = Arc::new(Lines {
            to_server: Line::of(spec),
            to_client: Line::of(spec),
            is_closed: AtomicBool::new(false),
            open: Mutex::default(),
        });
        let accepting = lines.clone();
        spawn(move || accept(&listener, server, &accepting)).map_err(failed)?;
        Ok(SimulatedLink { port, lines })
    }

    /// The port to connect to.
    pub fn port(&self) -> u16 {
        self.port
    }

    /// The bytes that have entered the line so far: to the server, and to the clients.
    pub fn passed(&self) -> (u64, u64) {
        let bytes = |line: &Line| line.passed.load(Ordering::Relaxed);
        (bytes(&self.lines.to_server), bytes(&self.lines.to_client))
    }
}

impl Drop for SimulatedLink {
    fn drop(&mut self) {
        self.lines.is_closed.store(true, Ordering::SeqCst);
        // Its thread waits for a connection.
        drop(TcpStream::connect((Ipv4Addr::LOCALHOST, self.port)));
        locked(&self.lines.open).drain(..).for_each(|stream| drop(stream.shutdown(Shutdown::Both)));
    }
}

impl Line {
    fn of(spec: LinkSpec) -> Line {
        let bytes_per_s = spec.bits_per_s.map(|bits| bits as f64 / 8.0);
        let delay = Duration::from_micros(spec.delay_us);
        Line { bytes_per_s, delay, free: Mutex::new(Instant::now()), passed: AtomicU64::new(0) }
    }

    /// Assigns the line to a piece that is there now: when it has left the sender, and when it arrives.
    fn assign(&self, bytes: usize, now: Instant) -> (Instant, Instant) {
        self.passed.fetch_add(bytes as u64, Ordering::Relaxed);
        let Some(rate) = self.bytes_per_s else { return (now, now + self.delay) };
        let mut free = locked(&self.free);
        let left = now.max(*free) + Duration::from_secs_f64(bytes as f64 / rate);
        *free = left;
        (left, left + self.delay)
    }
}

fn accept(listener: &TcpListener, server: u16, lines: &Arc<Lines>) {
    for client in listener.incoming().flatten() {
        if lines.is_closed.load(Ordering::SeqCst) {
            return;
        }
        // A connection that cannot be continued is closed: its client reports that.
        let Ok(server) = TcpStream::connect((Ipv4Addr::LOCALHOST, server)) else { continue };
        drop(join(&client, &server, lines));
    }
}

/// Starts the threads of a connection.
fn join(client: &TcpStream, server: &TcpStream, lines: &Arc<Lines>) -> std::io::Result<()> {
    for stream in [client, server] {
        stream.set_nodelay(true)?;
        let mut open = locked(&lines.open);
        // Those that both ends have closed need not be closed again.
        open.retain(|stream| stream.peer_addr().is_ok());
        open.push(stream.try_clone()?);
    }
    carry(client, server, lines, |lines| &lines.to_server)?;
    carry(server, client, lines, |lines| &lines.to_client)
}

/// Starts the threads of one direction.
fn carry(from: &TcpStream, to: &TcpStream, lines: &Arc<Lines>, line: fn(&Lines) -> &Line) -> std::io::Result<()> {
    let (from, to, lines) = (from.try_clone()?, to.try_clone()?, lines.clone());
    let (sender, receiver) = sync_channel(UNDER_WAY);
    spawn(move || take(from, line(&lines), &sender))?;
    spawn(move || deliver(to, &receiver))
}

/// A piece, and when it arrives.
type Piece = (Instant, Vec<u8>);

fn take(mut from: TcpStream, line: &Line, to: &SyncSender<Piece>) {
    let mut bytes = [0; PIECE];
    while let Ok(n @ 1..) = from.read(&mut bytes) {
        let (left, arrives) = line.assign(n, Instant::now());
        if to.send((arrives, bytes[..n].to_vec())).is_err() {
            break;
        }
        sleep_until(left.checked_sub(AHEAD).unwrap_or(left));
    }
}

fn deliver(mut to: TcpStream, from: &Receiver<Piece>) {
    // The kernel may otherwise wake it 0.05 ms late.
    let _ = rustix::thread::set_current_timer_slack(NonZeroU64::new(1));
    for (arrives, bytes) in from {
        sleep_until(arrives);
        if to.write_all(&bytes).is_err() {
            // The sender learns it too.
            drop(to.shutdown(Shutdown::Both));
            return;
        }
    }
    drop(to.shutdown(Shutdown::Write));
}

fn sleep_until(time: Instant) {
    let left = time.saturating_duration_since(Instant::now());
    if !left.is_zero() {
        thread::sleep(left);
    }
}

fn spawn(work: impl FnOnce() + Send + 'static) -> std::io::Result<()> {
    thread::Builder::new().name("link".into()).stack_size(STACK).spawn(work).map(drop)
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A server that sends everything back, for each connection.
    fn echo() -> u16 {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
        let port = listener.local_addr().unwrap().port();
        thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                thread::spawn(move || std::io::copy(&mut stream.try_clone().unwrap(), &mut &stream));
            }
        });
        port
    }

    fn connect(link: &SimulatedLink) -> TcpStream {
        let stream = TcpStream::connect((Ipv4Addr::LOCALHOST, link.port())).unwrap();
        stream.set_nodelay(true).unwrap();
        stream
    }

    #[test]
    fn nothing_arrives_before_the_delay_and_everything_arrives_in_order() {
        let link = SimulatedLink::to(echo(), LinkSpec { bits_per_s: None, delay_us: 5_000 }).unwrap();
        let mut stream = connect(&link);
        let mut fastest = Duration::MAX;
        for n in 0..20u8 {
            let (sent, mut back) = (Instant::now(), [0; 3]);
            stream.write_all(&[n, 1, 2]).unwrap();
            stream.read_exact(&mut back).unwrap();
            assert_eq!(back, [n, 1, 2]);
            fastest = fastest.min(sent.elapsed());
        }
        assert!(fastest >= Duration::from_millis(10), "{fastest:?}");
        assert_eq!(link.passed(), (60, 60));
    }

    /// All connections together get no more than the rate, over the whole time and at any moment.
    #[test]
    fn connections_share_the_rate() {
        let bits_per_s = Some(8_000_000);
        let link = SimulatedLink::to(echo(), LinkSpec { bits_per_s, delay_us: 1000 }).unwrap();
        let start = Instant::now();
        let clients: Vec<_> = (0..4u8)
            .map(|n| {
                let mut stream = connect(&link);
                thread::spawn(move || {
                    let mut to = stream.try_clone().unwrap();
                    let sent: Vec<u8> = (0..50_000u32).map(|i| (i % 251) as u8 ^ n).collect();
                    let sending = sent.clone();
                    let sender = thread::spawn(move || to.write_all(&sending).unwrap());
                    let mut back = vec![0; sent.len()];
                    stream.read_exact(&mut back).unwrap();
                    sender.join().unwrap();
                    assert!(back == sent);
                })
            })
            .collect();
        clients.into_iter().for_each(|client| client.join().unwrap());
        // 200 kB at 1 MB/s; the reply overlaps.
        assert!(start.elapsed() >= Duration::from_millis(200), "{:?}", start.elapsed());
        assert_eq!(link.passed(), (200_000, 200_000));
    }

    #[test]
    fn the_line_is_never_idle_while_something_waits() {
        let line = Line::of(LinkSpec { bits_per_s: Some(8_000_000), delay_us: 2_000 });
        let now = Instant::now() + Duration::from_secs(1);
        let ms = |from: Instant| from.duration_since(now).as_micros() as f64 / 1e3;
        let times: Vec<_> = [(1000, 0), (500, 0), (1000, 0), (2000, 10)]
            .map(|(bytes, at)| line.assign(bytes, now + Duration::from_millis(at)))
            .map(|(left, arrives)| (ms(left), ms(arrives)))
            .into();
        assert_eq!(times, [(1.0, 3.0), (1.5, 3.5), (2.5, 4.5), (12.0, 14.0)]);
    }

    #[test]
    fn a_closed_end_closes_the_other_and_a_dropped_link_closes_all() {
        let link = SimulatedLink::to(echo(), LinkSpec { bits_per_s: None, delay_us: 1000 }).unwrap();
        let mut stream = connect(&link);
        stream.write_all(b"last words").unwrap();
        stream.shutdown(Shutdown::Write).unwrap();
        let mut back = String::new();
        stream.read_to_string(&mut back).unwrap();
        assert_eq!(back, "last words");
        let mut other = connect(&link);
        other.write_all(b"x").unwrap();
        other.read_exact(&mut [0]).unwrap();
        let port = link.port();
        drop(link);
        assert!(matches!(other.read(&mut [0]), Ok(0) | Err(_)));
        // Its thread ends and with it the listener.
        while TcpStream::connect((Ipv4Addr::LOCALHOST, port)).is_ok() {
            thread::yield_now();
        }
    }

    #[test]
    fn a_server_that_is_not_there_closes_the_connection() {
        let closed = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap().local_addr().unwrap().port();
        let link = SimulatedLink::to(closed, LinkSpec { bits_per_s: None, delay_us: 0 }).unwrap();
        assert!(matches!(connect(&link).read(&mut [0]), Ok(0) | Err(_)));
    }
}
