//! Prometheus exporters on free ports: Debian's, and one that answers as a test wants it.

use std::io::{Read, Write};
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

/// An exporter of Debian's; runs until it is dropped.
pub struct PrometheusExporter {
    process: Child,
    port: u16,
}

impl PrometheusExporter {
    /// `prometheus-node-exporter`, of this machine.
    pub fn node() -> PrometheusExporter {
        PrometheusExporter::start(&mut Command::new("prometheus-node-exporter"))
    }

    /// `prometheus-mysqld-exporter`, of the server on this port, with this account and password.
    pub fn mysqld(port: u16, login: &str) -> PrometheusExporter {
        let source = format!("{login}@(127.0.0.1:{port})/");
        PrometheusExporter::start(Command::new("prometheus-mysqld-exporter").env("DATA_SOURCE_NAME", source))
    }

    fn start(command: &mut Command) -> PrometheusExporter {
        let free = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).and_then(|l| l.local_addr()).expect("a port is free");
        let started = command
            .arg(format!("--web.listen-address={free}"))
            .env_remove("HTTP_PROXY")
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn();
        let process = started.unwrap_or_else(|e| panic!("{:?}: {e}; hint: make test", command.get_program()));
        let exporter = PrometheusExporter { process, port: free.port() };
        let since = Instant::now();
        while TcpStream::connect(free).is_err() {
            assert!(since.elapsed() < Duration::from_secs(60), "the exporter does not answer");
            std::thread::sleep(Duration::from_millis(20));
        }
        exporter
    }

    /// Its address.
    pub fn url(&self) -> String {
        format!("http://127.0.0.1:{}/metrics", self.port)
    }
}

impl Drop for PrometheusExporter {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// An exporter that answers its requests as a function says: from the number of the request, from 1, and the request
/// to the bytes of the answer; `None` answers never.
pub struct FakeExporter {
    port: u16,
    asked: Arc<AtomicUsize>,
}

impl FakeExporter {
    /// Starts it. Its thread ends with the test.
    pub fn start(answer: impl Fn(usize, &str) -> Option<Vec<u8>> + Send + 'static) -> FakeExporter {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).expect("a port is free");
        let port = listener.local_addr().expect("it is bound").port();
        let asked = Arc::new(AtomicUsize::new(0));
        let count = asked.clone();
        std::thread::spawn(move || {
            let mut open = Vec::new();
            for mut stream in listener.incoming().flatten() {
                let mut request = Vec::new();
                let mut some = [0; 1024];
                while !request.ends_with(b"\r\n\r\n") {
                    match stream.read(&mut some) {
                        Ok(n) if n > 0 => request.extend_from_slice(&some[..n]),
                        _ => break,
                    }
                }
                let number = count.fetch_add(1, Ordering::SeqCst) + 1;
                match answer(number, &String::from_utf8_lossy(&request)) {
                    // Who has read enough hangs up.
                    Some(bytes) => drop(stream.write_all(&bytes)),
                    None => open.push(stream),
                }
            }
        });
        FakeExporter { port, asked }
    }

    /// The answer with this text, of a sound exporter.
    pub fn text(text: &str) -> Option<Vec<u8>> {
        FakeExporter::answer("200 OK", "Content-Type: text/plain; version=0.0.4", text)
    }

    /// An answer with this status, one header, and this text.
    pub fn answer(status: &str, header: &str, text: &str) -> Option<Vec<u8>> {
        let length = text.len();
        let head = format!("HTTP/1.1 {status}\r\n{header}\r\nContent-Length: {length}\r\nConnection: close\r\n\r\n");
        Some([head.as_bytes(), text.as_bytes()].concat())
    }

    /// Host and port.
    pub fn address(&self) -> String {
        format!("127.0.0.1:{}", self.port)
    }

    /// The number of requests so far.
    pub fn asked(&self) -> usize {
        self.asked.load(Ordering::SeqCst)
    }
}
