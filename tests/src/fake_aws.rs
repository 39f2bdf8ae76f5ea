//! An AWS that answers what a test says: refusals, throttling, and states that moto does not have.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::sync::{Arc, Mutex};

/// What is answered to a request: the status and the body.
type Answer = dyn Fn(&str) -> (u16, String) + Send + Sync;

/// Listens until the test ends.
pub struct FakeAws {
    port: u16,
    requests: Arc<Mutex<Vec<String>>>,
}

impl FakeAws {
    /// `answer` gets the request: its headers, an empty line, its body.
    pub fn start(answer: impl Fn(&str) -> (u16, String) + Send + Sync + 'static) -> FakeAws {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).expect("a port is free");
        let port = listener.local_addr().expect("it has an address").port();
        let (requests, answer): (Arc<Mutex<Vec<String>>>, Arc<Answer>) = (Arc::default(), Arc::new(answer));
        let received = requests.clone();
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let (received, answer) = (received.clone(), answer.clone());
                std::thread::spawn(move || _ = serve(stream, &received, &*answer));
            }
        });
        FakeAws { port, requests }
    }

    /// The refusal of Amazon RDS with this code.
    pub fn refusal(code: &str, message: &str) -> String {
        format!(
            "<ErrorResponse xmlns=\"http://rds.amazonaws.com/doc/2014-10-31/\"><Error><Type>Sender</Type><Code>{code}</Code>\
             <Message>{message}</Message></Error><RequestId>1</RequestId></ErrorResponse>"
        )
    }

    /// Its address, for `endpoint` of `cloud`.
    pub fn endpoint(&self) -> String {
        format!("http://127.0.0.1:{}", self.port)
    }

    /// All requests so far.
    pub fn requests(&self) -> Vec<String> {
        self.requests.lock().expect("no thread panics with it").clone()
    }
}

/// One connection, which may carry several requests.
fn serve(stream: TcpStream, received: &Mutex<Vec<String>>, answer: &Answer) -> std::io::Result<()> {
    let mut reader = BufReader::new(stream.try_clone()?);
    let mut writer = stream;
    loop {
        let mut request = String::new();
        while !request.ends_with("\r\n\r\n") {
            if reader.read_line(&mut request)? == 0 {
                return Ok(());
            }
        }
        let length = request
            .lines()
            .find_map(|line| line.to_ascii_lowercase().strip_prefix("content-length:")?.trim().parse().ok());
        let mut body = vec![0; length.unwrap_or(0)];
        reader.read_exact(&mut body)?;
        request += &String::from_utf8_lossy(&body);
        received.lock().expect("no thread panics with it").push(request.clone());
        let (status, text) = answer(&request);
        write!(writer, "HTTP/1.1 {status} x\r\ncontent-length: {}\r\n\r\n{text}", text.len())?;
    }
}
