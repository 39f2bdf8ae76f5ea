//! `--metrics ADDRESS`: the figures of the running load for Prometheus and other readers, over HTTP.
//!
//! The run only replaces figures in memory, which a reader copies before it is answered: a slow reader, or one that
//! hangs, holds a thread of its own for a few seconds, and never the run.

mod figures;
mod request;

use figures::LiveFigures;
use request::OwnHosts;
use std::collections::VecDeque;
use std::io::{ErrorKind, Write};
use std::net::{Shutdown, SocketAddr, TcpListener, TcpStream, ToSocketAddrs};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};
use tenbin_model::event::Event;
use tenbin_words::message::foreign;
use tenbin_words::msg;
use tenbin_words::problem::Problem;

/// The formats that a reader may ask for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MetricsFormat {
    /// OpenMetrics 1.0.
    OpenMetrics,
    /// The text format 0.0.4, for readers that do not ask for the other one.
    Text,
}

impl MetricsFormat {
    fn content_type(self) -> &'static str {
        match self {
            MetricsFormat::OpenMetrics => "application/openmetrics-text; version=1.0.0; charset=utf-8",
            MetricsFormat::Text => "text/plain; version=0.0.4; charset=utf-8",
        }
    }
}

/// How long a reader may take to ask and to read.
const PATIENCE: Duration = Duration::from_secs(5);
/// Readers at the same time. A further one takes the place of the one that has been silent for the longest time.
const MOST_READERS: usize = 32;
/// The stack of a reader's thread, bytes.
const STACK: usize = 256 << 10;

/// The endpoint of a run. It answers until the process ends.
pub struct MetricsEndpoint {
    figures: Arc<Mutex<LiveFigures>>,
}

impl MetricsEndpoint {
    /// Listens at an address, `127.0.0.1:9464`; of a port alone on this machine only.
    ///
    /// # Errors
    ///
    /// It is no address, or is in use.
    pub fn listen(address: &str) -> Result<MetricsEndpoint, Problem> {
        let failed = |e: &dyn std::fmt::Display| {
            Problem::new(msg!("metrics-address-failed", address)).evidence(foreign(e.to_string()))
        };
        let full = if address.parse::<u16>().is_ok() { format!("127.0.0.1:{address}") } else { address.to_owned() };
        // An address without a host would be a public one.
        if full.starts_with(':') || !full.contains(':') {
            return Err(Problem::new(msg!("metrics-address-failed", address)).hint(msg!("give-metrics-address")));
        }
        let all: Vec<SocketAddr> =
            full.to_socket_addrs().map_err(|e| failed(&e).hint(msg!("give-metrics-address")))?.collect();
        let listener = TcpListener::bind(&*all).map_err(|e| match e.kind() {
            ErrorKind::AddrInUse => failed(&e).hint(msg!("give-another-metrics-port")),
            _ => failed(&e).hint(msg!("give-metrics-address")),
        })?;
        let figures = Arc::new(Mutex::new(LiveFigures::default()));
        let (shown, hosts) = (figures.clone(), Arc::new(OwnHosts::of(&full)));
        let named = std::thread::Builder::new().name("metrics".into());
        named.spawn(move || serve(&listener, &shown, &hosts)).map_err(|e| failed(&e))?;
        Ok(MetricsEndpoint { figures })
    }

    /// Takes an event of the run.
    pub fn take(&self, event: &Event) {
        self.figures.lock().unwrap_or_else(PoisonError::into_inner).take(event);
    }
}

fn serve(listener: &TcpListener, figures: &Arc<Mutex<LiveFigures>>, hosts: &Arc<OwnHosts>) {
    let readers = Arc::new(Mutex::new(Readers::default()));
    for stream in listener.incoming() {
        let Ok((stream, here)) = stream.and_then(|stream| Readers::enter(&readers, stream)) else {
            // No more files can be opened, for example; the next attempt must not be at once.
            std::thread::sleep(Duration::from_millis(100));
            continue;
        };
        let (figures, hosts) = (figures.clone(), hosts.clone());
        // If there is no thread for it, it is turned away.
        let thread = std::thread::Builder::new().name("metrics-reader".into()).stack_size(STACK);
        let _ = thread.spawn(move || {
            let _ = answer(stream, &here, &figures, &hosts);
        });
    }
}

/// The readers that are connected, the oldest first.
#[derive(Debug, Default)]
struct Readers {
    all: VecDeque<Connected>,
    next: u64,
}

#[derive(Debug)]
struct Connected {
    number: u64,
    /// The same connection, to end it.
    stream: TcpStream,
    has_asked: bool,
}

impl Readers {
    /// Takes a place, if necessary that of the oldest that has asked nothing, or else of the oldest: a client that only connects
    /// must not keep others out.
    fn enter(readers: &Arc<Mutex<Readers>>, stream: TcpStream) -> std::io::Result<(TcpStream, Reader)> {
        let mut inside = readers.lock().unwrap_or_else(PoisonError::into_inner);
        if inside.all.len() >= MOST_READERS {
            let silent = inside.all.iter().position(|reader| !reader.has_asked).unwrap_or(0);
            if let Some(reader) = inside.all.remove(silent) {
                // Its thread notices the end.
                let _ = reader.stream.shutdown(Shutdown::Both);
            }
        }
        let number = inside.next;
        inside.next += 1;
        inside.all.push_back(Connected { number, stream: stream.try_clone()?, has_asked: false });
        Ok((stream, Reader { number, readers: readers.clone() }))
    }
}

/// The place of a reader, until it is dropped.
struct Reader {
    number: u64,
    readers: Arc<Mutex<Readers>>,
}

impl Reader {
    fn has_asked(&self) {
        let mut inside = self.readers.lock().unwrap_or_else(PoisonError::into_inner);
        inside.all.iter_mut().filter(|reader| reader.number == self.number).for_each(|reader| reader.has_asked = true);
    }
}

impl Drop for Reader {
    fn drop(&mut self) {
        let mut inside = self.readers.lock().unwrap_or_else(PoisonError::into_inner);
        inside.all.retain(|reader| reader.number != self.number);
    }
}

/// Answers one request. An error is that of the reader, who has gone away.
fn answer(mut stream: TcpStream, here: &Reader, figures: &Mutex<LiveFigures>, hosts: &OwnHosts) -> std::io::Result<()> {
    let until = Instant::now() + PATIENCE;
    stream.set_write_timeout(Some(PATIENCE))?;
    let request = request::read(&mut stream, until, hosts)?;
    here.has_asked();
    let (status, header, format, with_body) = match request {
        request::MetricsRequest::Figures { format, with_body } => ("200 OK", "", format, with_body),
        request::MetricsRequest::Refused { status, header } => (status, header, MetricsFormat::Text, true),
    };
    let body = if status == "200 OK" {
        let copy = figures.lock().unwrap_or_else(PoisonError::into_inner).clone();
        copy.text(format)
    } else {
        format!("{status}\n")
    };
    let mut text = format!(
        "HTTP/1.1 {status}\r\nContent-Type: {}\r\nContent-Length: {}\r\n{header}Cache-Control: no-store\r\nConnection: close\r\n\r\n",
        format.content_type(),
        body.len()
    );
    if with_body {
        text += &body;
    }
    // At once: the run may end at any time, and a reader must not get the head alone.
    stream.write_all(text.as_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Read;

    #[test]
    fn connections_that_ask_nothing_keep_no_other_out() {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let figures = Arc::default();
        std::thread::spawn(move || serve(&listener, &figures, &Arc::new(OwnHosts::of("127.0.0.1:0"))));
        let idle: Vec<TcpStream> = (0..5 * MOST_READERS).map(|_| TcpStream::connect(address).unwrap()).collect();
        for _ in 0..3 {
            let mut prometheus = TcpStream::connect(address).unwrap();
            prometheus.set_read_timeout(Some(Duration::from_secs(60))).unwrap();
            prometheus.write_all(b"GET /metrics HTTP/1.1\r\nHost: localhost\r\n\r\n").unwrap();
            let mut answer = String::new();
            prometheus.read_to_string(&mut answer).unwrap();
            assert!(answer.starts_with("HTTP/1.1 200 OK"), "{answer}");
        }
        drop(idle);
    }
}
