//! send(2) and recv(2) as direct system calls.
//!
//! The functions of these names in the C library are cancellation points (pthreads(7)): in a process with threads, each sets and resets a
//! flag of its thread by two atomic operations. Nothing here cancels threads, and a client makes both calls for every statement.

use std::io;
use std::os::fd::{AsFd, AsRawFd};
use std::ptr::null;

/// Sends bytes from the beginning of `bytes`; returns how many. An interrupted call is repeated. Fails as send(2) does, with
/// [`io::ErrorKind::WouldBlock`] on a nonblocking socket that accepts none, and without a signal if the other side has closed the connection.
#[inline]
pub fn send(socket: &impl AsFd, bytes: &[u8]) -> io::Result<usize> {
    let fd = socket.as_fd().as_raw_fd();
    repeated(|| {
        // SAFETY: the kernel reads `bytes.len()` bytes at that address; there is no address of a receiver.
        unsafe {
            libc::syscall(
                libc::SYS_sendto,
                fd,
                bytes.as_ptr(),
                bytes.len(),
                libc::MSG_NOSIGNAL,
                null::<libc::sockaddr>(),
                0usize,
            )
        }
    })
}

/// Receives bytes to the beginning of `buffer`; returns how many, which is 0 if the other side has closed the connection. An interrupted
/// call is repeated. Fails as recv(2) does, with [`io::ErrorKind::WouldBlock`] on a nonblocking socket that has none.
#[inline]
pub fn receive(socket: &impl AsFd, buffer: &mut [u8]) -> io::Result<usize> {
    let fd = socket.as_fd().as_raw_fd();
    repeated(|| {
        // SAFETY: the kernel writes at most `buffer.len()` bytes to that address; the sender's address is not asked for.
        unsafe {
            libc::syscall(
                libc::SYS_recvfrom,
                fd,
                buffer.as_mut_ptr(),
                buffer.len(),
                0,
                null::<libc::sockaddr>(),
                null::<libc::socklen_t>(),
            )
        }
    })
}

/// Repeats a call that a signal has interrupted.
#[inline]
fn repeated(mut call: impl FnMut() -> libc::c_long) -> io::Result<usize> {
    loop {
        match usize::try_from(call()) {
            Ok(bytes) => return Ok(bytes),
            Err(_) => {
                let error = io::Error::last_os_error();
                if error.kind() != io::ErrorKind::Interrupted {
                    return Err(error);
                }
            }
        }
    }
}
