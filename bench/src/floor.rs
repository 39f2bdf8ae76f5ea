//! The floor under any client: a bare epoll loop that sends one fixed packet for each reply it receives and looks at
//! nothing. No protocol, no latency, no random keys, no counting; a dozen instructions between two system calls. What
//! it costs is what the kernel charges for a query on this machine at this minute, so `client ÷ floor` tells how much
//! of a tool's cost is the tool's own. Run as `tenbin-bench floor PORT CLIENTS`; it drives until it is killed.

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
    let epoll = epoll::create(epoll::CreateFlags::CLOEXEC)?;
    let mut streams = Vec::new();
    for n in 0..clients {
        let stream = Control::connect(port, "root")?.prepared("SELECT c FROM sbtest1 WHERE id=?")?;
        stream.set_nonblocking(true)?;
        epoll::add(&epoll, stream.as_fd(), epoll::EventData::new_u64(n.into()), epoll::EventFlags::IN)?;
        streams.push(stream);
    }
    streams.iter_mut().try_for_each(|s| s.write_all(&EXECUTE))?;
    turn(&epoll, &mut streams)
}

fn turn(epoll: &impl AsFd, streams: &mut [TcpStream]) -> io::Result<()> {
    let mut ready = Vec::with_capacity(256);
    let mut reply = [0; 4096];
    loop {
        ready.clear();
        epoll::wait(epoll, rustix::buffer::spare_capacity(&mut ready), None)?;
        for event in &ready {
            let stream = &mut streams[event.data.u64() as usize];
            // A reply is one small segment: it comes whole.
            if stream.read(&mut reply)? == 0 {
                return Err(Error::other("the server has closed the connection"));
            }
            stream.write_all(&EXECUTE)?;
        }
    }
}
