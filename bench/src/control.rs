//! Asks a server for its counters over a connection of our own: a few lines of the text protocol, so that the driver
//! under test is not part of the instrument. Accounts without a password only; it speaks to servers that we have
//! started.

use std::io::{self, Error, Read, Write};
use std::net::TcpStream;
use std::time::Duration;

/// One open connection.
#[derive(Debug)]
pub struct Control(TcpStream);

/// PROTOCOL_41, TRANSACTIONS, SECURE_CONNECTION.
const CAPABILITIES: u32 = 1 << 9 | 1 << 13 | 1 << 15;
/// MariaDB's own, which other servers do not look at: CACHE_METADATA, as all clients that are compared here ask for it.
const OF_MARIADB: u32 = 1 << 4;

impl Control {
    /// Connects to 127.0.0.1 as `user`.
    pub fn connect(port: u16, user: &str) -> io::Result<Control> {
        let stream = TcpStream::connect(("127.0.0.1", port))?;
        stream.set_nodelay(true)?;
        stream.set_read_timeout(Some(Duration::from_secs(120)))?;
        let mut control = Control(stream);
        control.packet()?;
        let mut response = CAPABILITIES.to_le_bytes().to_vec();
        response.extend_from_slice(&[0, 0, 0, 1, 33]);
        response.extend_from_slice(&[0; 19]);
        response.extend_from_slice(&OF_MARIADB.to_le_bytes());
        response.extend_from_slice(user.as_bytes());
        response.extend_from_slice(&[0, 0]);
        control.send(1, &response)?;
        match control.packet()?.as_slice() {
            [0, ..] => Ok(control),
            // The server asks for another plugin's answer: without a password that is nothing.
            [0xfe, ..] => {
                control.send(3, &[])?;
                control.packet().and_then(refuse_errors).map(|_| control)
            }
            other => Err(refuse_errors(other.to_vec()).err().unwrap_or_else(|| Error::other("no OK after the login"))),
        }
    }

    /// Sends a statement; rows of texts, NULL as an empty one. None for a statement without rows.
    pub fn rows(&mut self, sql: &str) -> io::Result<Vec<Vec<String>>> {
        self.send(0, &[b"\x03", sql.as_bytes()].concat())?;
        let first = refuse_errors(self.packet()?)?;
        if first[0] == 0 {
            return Ok(Vec::new());
        }
        while !is_eof(&self.packet()?) {}
        let mut rows = Vec::new();
        loop {
            let packet = refuse_errors(self.packet()?)?;
            if is_eof(&packet) {
                return Ok(rows);
            }
            rows.push(values(&packet).ok_or_else(|| Error::other("a row that cannot be read"))?);
        }
    }

    /// Prepares a statement, and hands over the connection and the number of the statement.
    pub fn prepared(mut self, sql: &str) -> io::Result<(TcpStream, [u8; 4])> {
        self.send(0, &[b"\x16", sql.as_bytes()].concat())?;
        let first = refuse_errors(self.packet()?)?;
        let count = |at: usize| first.get(at..at + 2).map_or(0, |b| u16::from_le_bytes([b[0], b[1]]));
        for columns in [count(7), count(5)].into_iter().filter(|n| *n > 0) {
            // The definitions and the mark behind them.
            for _ in 0..=columns {
                self.packet()?;
            }
        }
        let number = first.get(1..5).and_then(|bytes| bytes.try_into().ok());
        Ok((self.0, number.ok_or_else(|| Error::other("the statement has no number"))?))
    }

    fn send(&mut self, seq: u8, payload: &[u8]) -> io::Result<()> {
        let head = (payload.len() as u32).to_le_bytes();
        self.0.write_all(&[&head[..3], &[seq], payload].concat())
    }

    fn packet(&mut self) -> io::Result<Vec<u8>> {
        let mut head = [0; 4];
        self.0.read_exact(&mut head)?;
        let mut payload = vec![0; u32::from_le_bytes([head[0], head[1], head[2], 0]) as usize];
        self.0.read_exact(&mut payload)?;
        if payload.is_empty() { Err(Error::other("an empty packet")) } else { Ok(payload) }
    }
}

fn is_eof(packet: &[u8]) -> bool {
    packet[0] == 0xfe && packet.len() < 9
}

fn refuse_errors(packet: Vec<u8>) -> io::Result<Vec<u8>> {
    match packet[0] {
        0xff => Err(Error::other(String::from_utf8_lossy(&packet[3..]).into_owned())),
        _ => Ok(packet),
    }
}

fn values(mut packet: &[u8]) -> Option<Vec<String>> {
    let mut values = Vec::new();
    while let Some((&first, rest)) = packet.split_first() {
        let (length, rest) = match first {
            0xfb => (0, rest),
            0xfc => (u16::from_le_bytes([*rest.first()?, *rest.get(1)?]).into(), rest.get(2..)?),
            n => (usize::from(n), rest),
        };
        values.push(String::from_utf8_lossy(rest.get(..length)?).into_owned());
        packet = &rest[length..];
    }
    Some(values)
}
