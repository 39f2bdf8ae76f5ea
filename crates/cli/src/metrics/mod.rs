//! `--metrics ADDRESS`: the figures of the running load for Prometheus and other readers, over HTTP.
//!
//! The run only replaces figures in memory, which a reader copies before it is answered: a slow reader, or one that
//! hangs, holds a thread of its own for a few seconds, and never the run.

mod figures;
mod request;

use figures::LiveFigures;
use std::io::{ErrorKind, Write};
use std::net::{SocketAddr, TcpListener, TcpStream, ToSocketAddrs};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};
use tenbin_model::event::Event;
use tenbin_model::message::foreign;
use tenbin_model::msg;
use tenbin_model::problem::Problem;

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
/// Readers at the same time. Further ones are turned away.
const MOST_READERS: usize = 16;

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
        let shown = figures.clone();
        let named = std::thread::Builder::new().name("metrics".into());
        named.spawn(move || serve(&listener, &shown)).map_err(|e| failed(&e))?;
        Ok(MetricsEndpoint { figures })
    }

    /// Takes an event of the run.
    pub fn take(&self, event: &Event) {
        self.figures.lock().unwrap_or_else(PoisonError::into_inner).take(event);
    }
}

fn serve(listener: &TcpListener, figures: &Arc<Mutex<LiveFigures>>) {
    let readers = Arc::new(AtomicUsize::new(0));
    for stream in listener.incoming() {
        let Ok(stream) = stream else {
            // No more files can be opened, for example; the next attempt must not be at once.
            std::thread::sleep(Duration::from_millis(100));
            continue;
        };
        if readers.fetch_add(1, Ordering::SeqCst) >= MOST_READERS {
            readers.fetch_sub(1, Ordering::SeqCst);
            continue;
        }
        let (figures, here) = (figures.clone(), Reader(readers.clone()));
        // If there is no thread for it, it is turned away, too.
        let _ = std::thread::Builder::new().name("metrics-reader".into()).spawn(move || {
            let _here = here;
            let _ = answer(stream, &figures);
        });
    }
}

/// Counts a reader until it is dropped.
struct Reader(Arc<AtomicUsize>);

impl Drop for Reader {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::SeqCst);
    }
}

/// Answers one request. An error is that of the reader, who has gone away.
fn answer(mut stream: TcpStream, figures: &Mutex<LiveFigures>) -> std::io::Result<()> {
    let until = Instant::now() + PATIENCE;
    stream.set_write_timeout(Some(PATIENCE))?;
    let (status, header, format, with_body) = match request::read(&mut stream, until)? {
        request::MetricsRequest::Figures { format, with_body } => ("200 OK", "", format, with_body),
        request::MetricsRequest::Refused { status, header } => (status, header, MetricsFormat::Text, true),
    };
    let body = if status == "200 OK" {
        let copy = figures.lock().unwrap_or_else(PoisonError::into_inner).clone();
        copy.text(format)
    } else {
        format!("{status}\n")
    };
    let head = format!(
        "HTTP/1.1 {status}\r\nContent-Type: {}\r\nContent-Length: {}\r\n{header}Cache-Control: no-store\r\nConnection: close\r\n\r\n",
        format.content_type(),
        body.len()
    );
    stream.write_all(head.as_bytes())?;
    if with_body {
        stream.write_all(body.as_bytes())?;
    }
    Ok(())
}
