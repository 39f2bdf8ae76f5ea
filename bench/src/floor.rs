//! The floor under any client: a bare epoll loop that sends one packet for each reply it receives and looks at
//! nothing. No protocol, no latency, no counting; two dozen instructions between two system calls. What
//! it costs is what the kernel charges for a query on this machine at this minute, so `client ÷ floor` shows how much
//! of a tool's cost is the tool's own. A single client blocks instead, which saves a system call.
//!
//! Run as `tenbin-bench floor PORT CLIENTS [LOOPS [LINES [ROUNDS]]]`, for PostgreSQL with `postgres:PORT`; it drives until it is killed. The clients are divided among `LOOPS` threads, by
//! default one; a thread with a single client blocks, so that as many loops as clients are a thread for each. With `LINES` it touches this many cache lines
//! of each client's own, and with `ROUNDS` it counts so far, for each query: what a client that has something to do may cost at least.
//! `chrt --batch 0` before it gives it the class for batch work.

use crate::ask_postgres::AskPostgres;
use crate::control::Control;
use rustix::event::epoll;
use std::io::{self, Error, Read, Write};
use std::net::TcpStream;
use std::os::fd::AsFd;

/// COM_STMT_EXECUTE with one BIGINT, types included: what a point select looks like on the wire. The numbers of statement and row are filled in.
const EXECUTE: &[u8] = &[22, 0, 0, 0, 0x17, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 8, 0, 0x39, 0x30, 0, 0, 0, 0, 0, 0];

/// The same for PostgreSQL: Bind of the statement `s` with one binary integer of four bytes, Execute, Sync. The integer is filled in.
const BIND: &[u8] =
    b"B\0\0\0\x19\0s\0\0\x01\0\x01\0\x01\0\0\0\x04\0\0\x30\x39\0\x01\0\x01E\0\0\0\x09\0\0\0\0\0S\0\0\0\x04";

/// What the server speaks.
#[derive(Clone, Copy)]
enum Protocol {
    Mysql,
    Postgres,
}

/// What was typed after `floor`.
pub fn asked() -> Option<Vec<String>> {
    let mut all = std::env::args().skip(1);
    (all.next()? == "floor").then(|| all.collect())
}

/// Drives the server at that port with this many clients, without end.
pub fn drive(arguments: &[String]) -> io::Result<()> {
    let number = |i: usize| arguments.get(i).and_then(|a| a.trim_start_matches("postgres:").parse::<u16>().ok());
    let postgres = arguments.first().is_some_and(|server| server.starts_with("postgres:"));
    let protocol = if postgres { Protocol::Postgres } else { Protocol::Mysql };
    let (Some(port), Some(clients)) = (number(0), number(1)) else {
        return Err(Error::other("floor wants a port and a number of clients"));
    };
    let (lines, rounds) = (number(3).unwrap_or(0), number(4).unwrap_or(0));
    let connect = |_| match protocol {
        Protocol::Mysql => {
            let prepared = Control::connect(port, "root")?.prepared("SELECT c FROM sbtest.sbtest1 WHERE id=?");
            prepared.map(|(stream, statement)| Client { stream, statement })
        }
        Protocol::Postgres => {
            let prepared = AskPostgres::connect(port, "postgres")?.prepared("s", "SELECT c FROM sbtest1 WHERE id=$1");
            prepared.map(|stream| Client { stream, statement: [0; 4] })
        }
    };
    let mut clients = (0..clients).map(connect).collect::<io::Result<Vec<_>>>()?;
    let loops = usize::from(number(2).unwrap_or(1)).clamp(1, clients.len().max(1));
    let mut threads = Vec::new();
    for left in (1..=loops).rev() {
        let own = clients.split_off(clients.len() - clients.len() / left);
        let work = Work::new(protocol, own.len(), lines.into(), rounds, left as u64);
        threads.push(std::thread::spawn(move || carry(own, work)));
    }
    let never = |thread: std::thread::JoinHandle<_>| thread.join().map_err(|_| Error::other("a loop has panicked"))?;
    threads.into_iter().try_for_each(never)
}

struct Client {
    stream: TcpStream,
    /// The number of its prepared statement, on MySQL.
    statement: [u8; 4],
}

/// One loop.
fn carry(mut clients: Vec<Client>, mut work: Work) -> io::Result<()> {
    clients.iter_mut().enumerate().try_for_each(|(n, c)| c.stream.write_all(work.of(n, c.statement)))?;
    let mut reply = [0; 4096];
    if let [client] = &mut clients[..] {
        loop {
            exchange(&mut client.stream, &mut reply, work.of(0, client.statement))?;
        }
    }
    let epoll = epoll::create(epoll::CreateFlags::CLOEXEC)?;
    for (n, Client { stream, .. }) in clients.iter().enumerate() {
        stream.set_nonblocking(true)?;
        epoll::add(&epoll, stream.as_fd(), epoll::EventData::new_u64(n as u64), epoll::EventFlags::IN)?;
    }
    let mut ready = Vec::with_capacity(256);
    loop {
        ready.clear();
        epoll::wait(&epoll, rustix::buffer::spare_capacity(&mut ready), None)?;
        for event in &ready {
            let n = event.data.u64() as usize;
            let client = &mut clients[n];
            exchange(&mut client.stream, &mut reply, work.of(n, client.statement))?;
        }
    }
}

/// Receives a reply, which is one small segment and comes whole, and sends the next query.
fn exchange(stream: &mut TcpStream, reply: &mut [u8], query: &[u8]) -> io::Result<()> {
    match stream.read(reply)? {
        0 => Err(Error::other("the server has closed the connection")),
        // What costs a server less than a row is no floor. MySQL: the header of a packet, and the byte that begins an error; PostgreSQL:
        // ErrorResponse.
        n @ 5.. if reply[4] == 0xff || reply[0] == b'E' && reply[1] == 0 => {
            Err(Error::other(format!("the server says: {}", String::from_utf8_lossy(&reply[5..n]))))
        }
        _ => stream.write_all(query),
    }
}

/// What is done for each query beside the system calls.
struct Work {
    /// The next one: its key goes through all that a table of a million rows has, so that a real server reads different rows.
    query: Vec<u8>,
    protocol: Protocol,
    key: u64,
    memory: Vec<u8>,
    /// Bytes of it for each client.
    each: usize,
    rounds: u16,
}

impl Work {
    const LINE: usize = 64;
    const ROWS: u64 = 1_000_000;

    fn new(protocol: Protocol, clients: usize, lines: usize, rounds: u16, seed: u64) -> Work {
        let each = lines * Self::LINE;
        let query = match protocol {
            Protocol::Mysql => EXECUTE.to_vec(),
            Protocol::Postgres => BIND.to_vec(),
        };
        Work { query, protocol, key: seed * 7919, memory: vec![1; clients * each], each, rounds }
    }

    /// Does it; returns the client's next query.
    fn of(&mut self, client: usize, statement: [u8; 4]) -> &[u8] {
        for line in self.memory[client * self.each..][..self.each].chunks_exact_mut(Self::LINE) {
            line[0] = line[0].wrapping_add(1);
        }
        for round in 0..self.rounds {
            std::hint::black_box(round);
        }
        // A step that has no divisor in common with the number of rows.
        self.key = (self.key + 618_033) % Self::ROWS;
        match self.protocol {
            Protocol::Mysql => {
                self.query[5..9].copy_from_slice(&statement);
                self.query[18..].copy_from_slice(&(self.key + 1).to_le_bytes());
            }
            Protocol::Postgres => self.query[18..22].copy_from_slice(&(self.key as u32 + 1).to_be_bytes()),
        }
        &self.query
    }
}
