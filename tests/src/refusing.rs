//! A server in front of a MySQL server that passes everything on but some statements, which it refuses: what proxies,
//! clusters and other engines do not have.

use std::io::{Read, Write};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::thread;

/// Listens for as long as the test's process lives; answers with its port. A statement that begins with one of the
/// texts is refused with the number and the words beside it. Only for connections without TLS and compression.
pub fn refusing(server: u16, refused: &'static [(&'static str, u16, &'static str)]) -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
    let port = listener.local_addr().expect("it is bound").port();
    thread::spawn(move || {
        for client in listener.incoming().flatten() {
            let Ok(server) = TcpStream::connect(("127.0.0.1", server)) else { continue };
            let (mut answers, mut to) = (server.try_clone().expect("a socket"), client.try_clone().expect("a socket"));
            thread::spawn(move || {
                let _ = std::io::copy(&mut answers, &mut to);
                let _ = to.shutdown(Shutdown::Both);
            });
            thread::spawn(move || {
                let mut server = server;
                let _ = pass_on(client, &mut server, refused);
                let _ = server.shutdown(Shutdown::Both);
            });
        }
    });
    port
}

/// Message after message from the client, until it goes away.
fn pass_on(mut client: TcpStream, server: &mut TcpStream, refused: &[(&str, u16, &str)]) -> std::io::Result<()> {
    const COM_QUERY: u8 = 3;
    loop {
        let mut message = vec![0; 4];
        client.read_exact(&mut message)?;
        let length = usize::from(message[0]) | usize::from(message[1]) << 8 | usize::from(message[2]) << 16;
        message.resize(4 + length, 0);
        client.read_exact(&mut message[4..])?;
        let sql = match &message[3..] {
            [0, COM_QUERY, sql @ ..] => sql,
            _ => &[],
        };
        let Some((_, number, words)) = refused.iter().find(|(begins, ..)| sql.starts_with(begins.as_bytes())) else {
            server.write_all(&message)?;
            continue;
        };
        let error = [&[0xFF][..], &number.to_le_bytes(), b"#HY000", words.as_bytes()].concat();
        client.write_all(&[&(error.len() as u32).to_le_bytes()[..3], &[1], &error].concat())?;
    }
}
