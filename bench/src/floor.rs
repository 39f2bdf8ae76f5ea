//! The floor under any client: a bare epoll loop that sends one fixed packet for each reply it receives and looks at
//! nothing. No protocol, no latency, no random keys, no counting; a dozen instructions between two system calls. What
//! it costs is what the kernel charges for a query on this machine at this minute, so `client ÷ floor` tells how much
//! of a tool's cost is the tool's own. A single client blocks instead, which saves a system call.
//!
//! Run as `tenbin-bench floor PORT CLIENTS [LINES [ROUNDS]]`; it drives until it is killed. With `LINES` it touches so many cache lines of each
//! client's own, and with `ROUNDS` it counts so far, for each query: what a client that has something to do may cost at least.

use crate::control::Control;
use rustix::event::epoll;
use std::io::{self, Error, Read, Write};
use std::net::TcpStream;
use std::os::fd::AsFd;

/// COM_STMT_EXECUTE of statement 1 with one BIGINT, types included: what a point select looks like on the wire.
const EXECUTE: [u8; 25] = [21, 0, 0, 0, 0x17, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 8, 0, 0x39, 0x30, 0, 0, 0, 0, 0];

/// What was typed after `floor`.
pub fn asked() -> Option<Vec<String>> {
    let mut all = std::env::args().skip(1);
    (all.next()? == "floor").then(|| all.collect())
}

/// Drives the server at that port with so many clients, without end.
pub fn drive(arguments: &[String]) -> io::Result<()> {
    let number = |i: usize| arguments.get(i).and_then(|a| a.parse::<u16>().ok());
    let (Some(port), Some(clients)) = (number(0), number(1)) else {
        return Err(Error::other("floor wants a port and a number of clients"));
    };
    let mut work = Work::new(clients.into(), number(2).unwrap_or(0).into(), number(3).unwrap_or(0));
    let mut streams = (0..clients)
        .map(|_| Control::connect(port, "root")?.prepared("SELECT c FROM sbtest1 WHERE id=?"))
        .collect::<io::Result<Vec<_>>>()?;
    streams.iter_mut().try_for_each(|s| s.write_all(&EXECUTE))?;
    let mut reply = [0; 4096];
    if let [stream] = &mut streams[..] {
        loop {
            exchange(stream, &mut reply)?;
            work.of(0);
        }
    }
    let epoll = epoll::create(epoll::CreateFlags::CLOEXEC)?;
    for (n, stream) in streams.iter().enumerate() {
        stream.set_nonblocking(true)?;
        epoll::add(&epoll, stream.as_fd(), epoll::EventData::new_u64(n as u64), epoll::EventFlags::IN)?;
    }
    let mut ready = Vec::with_capacity(256);
    loop {
        ready.clear();
        epoll::wait(&epoll, rustix::buffer::spare_capacity(&mut ready), None)?;
        for event in &ready {
            let client = event.data.u64() as usize;
            exchange(&mut streams[client], &mut reply)?;
            work.of(client);
        }
    }
}

/// Receives a reply, which is one small segment and comes whole, and sends the next query.
fn exchange(stream: &mut TcpStream, reply: &mut [u8]) -> io::Result<()> {
    if stream.read(reply)? == 0 {
        return Err(Error::other("the server has closed the connection"));
    }
    stream.write_all(&EXECUTE)
}

/// What is done for each query beside the system calls.
struct Work {
    memory: Vec<u8>,
    /// Bytes of it for each client.
    each: usize,
    rounds: u16,
}

impl Work {
    const LINE: usize = 64;

    fn new(clients: usize, lines: usize, rounds: u16) -> Work {
        let each = lines * Self::LINE;
        Work { memory: vec![1; clients * each], each, rounds }
    }

    fn of(&mut self, client: usize) {
        for line in self.memory[client * self.each..][..self.each].chunks_exact_mut(Self::LINE) {
            line[0] = line[0].wrapping_add(1);
        }
        for round in 0..self.rounds {
            std::hint::black_box(round);
        }
    }
}
