//! A network link that can be cut: connections stay open, and nothing comes through until it is mended.

use std::io::{Read, Write};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// A port that leads to a server on this machine.
#[derive(Debug)]
pub struct Link {
    port: u16,
    is_cut: Arc<AtomicBool>,
}

impl Link {
    /// To the server on this port; for as long as the test's process lives.
    pub fn to(server: u16) -> Link {
        Link::from("127.0.0.1", server)
    }

    /// The same, listening at another address of this machine.
    pub fn from(address: &str, server: u16) -> Link {
        let listener = TcpListener::bind((address, 0)).expect("a free port");
        let port = listener.local_addr().expect("it is bound").port();
        let is_cut = Arc::new(AtomicBool::new(false));
        let cut = is_cut.clone();
        std::thread::spawn(move || {
            for client in listener.incoming().flatten() {
                let Ok(server) = TcpStream::connect(("127.0.0.1", server)) else { continue };
                let both = || Some((client.try_clone().ok()?, server.try_clone().ok()?));
                let Some((to_client, to_server)) = both() else { continue };
                let (there, back) = (cut.clone(), cut.clone());
                std::thread::spawn(move || carry(client, to_server, &there));
                std::thread::spawn(move || carry(server, to_client, &back));
            }
        });
        Link { port, is_cut }
    }

    /// The port to connect to.
    pub fn port(&self) -> u16 {
        self.port
    }

    /// Lets nothing through any more.
    pub fn cut(&self) {
        self.is_cut.store(true, Ordering::SeqCst);
    }

    /// Lets everything through again, in order.
    pub fn mend(&self) {
        self.is_cut.store(false, Ordering::SeqCst);
    }
}

fn carry(mut from: TcpStream, mut to: TcpStream, is_cut: &AtomicBool) {
    let mut bytes = [0; 65536];
    while let Ok(n @ 1..) = from.read(&mut bytes) {
        while is_cut.load(Ordering::SeqCst) {
            std::thread::sleep(Duration::from_millis(5));
        }
        if to.write_all(&bytes[..n]).is_err() {
            break;
        }
    }
    let _ = to.shutdown(Shutdown::Both);
}
