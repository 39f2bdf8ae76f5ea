//! Asks a PostgreSQL server for its counters over a connection of our own: a few lines of the simple protocol, as
//! `control.rs` has them for MySQL. Accounts that are trusted only; it speaks to servers that we have started.

use std::io::{self, Error, Read, Write};
use std::net::TcpStream;
use std::time::Duration;

/// One open connection.
#[derive(Debug)]
pub struct AskPostgres(TcpStream);

impl AskPostgres {
    /// Connects to database `sbtest` on 127.0.0.1 as `user`.
    pub fn connect(port: u16, user: &str) -> io::Result<AskPostgres> {
        let stream = TcpStream::connect(("127.0.0.1", port))?;
        stream.set_nodelay(true)?;
        stream.set_read_timeout(Some(Duration::from_secs(120)))?;
        let mut ask = AskPostgres(stream);
        let body = [&0x0003_0000u32.to_be_bytes()[..], b"user\0", user.as_bytes(), b"\0database\0sbtest\0\0"].concat();
        ask.0.write_all(&[&(body.len() as u32 + 4).to_be_bytes()[..], &body].concat())?;
        ask.answer().map(|_| ask)
    }

    /// Sends a statement; rows of texts, NULL as an empty one.
    pub fn rows(&mut self, sql: &str) -> io::Result<Vec<Vec<String>>> {
        let length = (sql.len() as u32 + 5).to_be_bytes();
        self.0.write_all(&[b"Q", &length[..], sql.as_bytes(), b"\0"].concat())?;
        self.answer()
    }

    /// Prepares a statement under a name, and hands over the connection.
    pub fn prepared(mut self, name: &str, sql: &str) -> io::Result<TcpStream> {
        let body = [name.as_bytes(), b"\0", sql.as_bytes(), b"\0\0\0"].concat();
        self.0.write_all(&[b"P", &(body.len() as u32 + 4).to_be_bytes()[..], &body, b"S\0\0\0\x04"].concat())?;
        self.answer().map(|_| self.0)
    }

    /// Reads until the server is ready.
    fn answer(&mut self) -> io::Result<Vec<Vec<String>>> {
        let (mut rows, mut refused) = (Vec::new(), None);
        loop {
            let mut head = [0; 5];
            self.0.read_exact(&mut head)?;
            let length = u32::from_be_bytes([head[1], head[2], head[3], head[4]]).saturating_sub(4);
            let mut body = vec![0; length as usize];
            self.0.read_exact(&mut body)?;
            match head[0] {
                b'D' => rows.push(values(&body).ok_or_else(|| Error::other("a row that cannot be read"))?),
                b'E' => refused = Some(Error::other(String::from_utf8_lossy(&body).replace('\0', " "))),
                b'Z' => return refused.map_or(Ok(rows), Err),
                _ => {}
            }
        }
    }
}

fn values(body: &[u8]) -> Option<Vec<String>> {
    let mut rest = body.get(2..)?;
    let mut all = Vec::new();
    while let Some((length, after)) = rest.split_first_chunk::<4>() {
        let length = usize::try_from(i32::from_be_bytes(*length)).unwrap_or(0);
        all.push(String::from_utf8_lossy(after.get(..length)?).into_owned());
        rest = &after[length..];
    }
    Some(all)
}
