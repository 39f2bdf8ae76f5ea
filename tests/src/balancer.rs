//! A balancer of TCP connections, as HAProxy is one: each new connection goes to the next server of its list.

use std::io;
use std::net::{Ipv4Addr, Shutdown, SocketAddr, TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;

/// Runs until it is dropped.
pub struct Balancer {
    address: SocketAddr,
    over: Arc<AtomicBool>,
    accepting: Option<JoinHandle<()>>,
}

impl Balancer {
    /// In front of servers on these ports of this machine.
    pub fn start(ports: &[u16]) -> Balancer {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).expect("a port is free");
        let address = listener.local_addr().expect("it is bound");
        let over = Arc::new(AtomicBool::new(false));
        let (ports, stop) = (ports.to_vec(), over.clone());
        let accepting = std::thread::spawn(move || {
            for (line, port) in listener.incoming().zip(ports.iter().cycle()) {
                if stop.load(Ordering::Acquire) {
                    break;
                }
                if let (Ok(client), Ok(server)) = (line, TcpStream::connect((Ipv4Addr::LOCALHOST, *port))) {
                    let _ = pass(&client, &server).and_then(|()| pass(&server, &client));
                }
            }
        });
        Balancer { address, over, accepting: Some(accepting) }
    }

    /// Its port.
    pub fn port(&self) -> u16 {
        self.address.port()
    }
}

impl Drop for Balancer {
    fn drop(&mut self) {
        self.over.store(true, Ordering::Release);
        let _ = TcpStream::connect(self.address);
        if let Some(thread) = self.accepting.take() {
            let _ = thread.join();
        }
    }
}

/// One direction, on a thread of its own that ends with the line.
fn pass(from: &TcpStream, to: &TcpStream) -> io::Result<()> {
    let (mut from, mut to) = (from.try_clone()?, to.try_clone()?);
    to.set_nodelay(true)?;
    std::thread::spawn(move || {
        let _ = io::copy(&mut from, &mut to);
        let _ = to.shutdown(Shutdown::Both);
        let _ = from.shutdown(Shutdown::Both);
    });
    Ok(())
}
