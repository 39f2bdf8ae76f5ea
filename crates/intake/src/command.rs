//! The output of commands that print a few lines and end: versions, variables.

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use std::io::{Error, ErrorKind, Read};
use std::process::{Child, Command, Output, Stdio};
use std::time::Duration;

/// Runs a command to its end and returns what it has printed, like [`Command::output`], if standard output and standard error have
/// at most `most` bytes each. One that prints more is killed. It may take any time: see [`output_within`].
pub fn output(command: &mut Command, most: u64) -> std::io::Result<Output> {
    run(command, most, None)
}

/// The same for a command that only says something: one that prints nothing during `silence` is killed, and has timed out.
pub fn output_within(command: &mut Command, most: u64, silence: Duration) -> std::io::Result<Output> {
    let seconds = i64::try_from(silence.as_secs()).unwrap_or(i64::MAX);
    run(command, most, Some(Timespec { tv_sec: seconds, tv_nsec: silence.subsec_nanos().into() }))
}

fn run(command: &mut Command, most: u64, silence: Option<Timespec>) -> std::io::Result<Output> {
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn()?;
    let printed = printed(&mut child, most, silence.as_ref());
    if printed.is_err() {
        let _ = child.kill();
    }
    let status = child.wait();
    let (stdout, stderr) = printed?;
    Ok(Output { status: status?, stdout, stderr })
}

/// What a child prints to both, read as it comes: it must not wait for the one while the other is read.
fn printed(child: &mut Child, most: u64, silence: Option<&Timespec>) -> std::io::Result<(Vec<u8>, Vec<u8>)> {
    let (Some(mut out), Some(mut err)) = (child.stdout.take(), child.stderr.take()) else {
        return Err(Error::other("no pipe"));
    };
    let (mut of_out, mut of_err, mut buffer) = (Vec::new(), Vec::new(), [0; 8192]);
    let (mut is_out_open, mut is_err_open) = (true, true);
    while is_out_open || is_err_open {
        let mut both = [PollFd::new(&out, PollFlags::IN), PollFd::new(&err, PollFlags::IN)];
        // At its end an output is ready whether it is asked for or not.
        let open = match (is_out_open, is_err_open) {
            (true, true) => &mut both[..],
            (true, false) => &mut both[..1],
            (false, _) => &mut both[1..],
        };
        match poll(open, silence) {
            Err(rustix::io::Errno::INTR) => continue,
            Ok(0) => return Err(ErrorKind::TimedOut.into()),
            other => other?,
        };
        let [out_says, err_says] = both.map(|fd| !fd.revents().is_empty());
        if out_says {
            is_out_open = take(&mut out, &mut buffer, &mut of_out, most)?;
        }
        if err_says {
            is_err_open = take(&mut err, &mut buffer, &mut of_err, most)?;
        }
    }
    Ok((of_out, of_err))
}

/// Reads once; `false` at the end.
fn take(from: &mut impl Read, buffer: &mut [u8], kept: &mut Vec<u8>, most: u64) -> std::io::Result<bool> {
    let read = from.read(buffer)?;
    kept.extend_from_slice(&buffer[..read]);
    if kept.len() as u64 > most { Err(crate::too_long(most)) } else { Ok(read > 0) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(text: &str) -> std::io::Result<Output> {
        output(Command::new("sh").args(["-c", text]), 100_000)
    }

    #[test]
    fn both_outputs_are_read_and_the_status() {
        let both = of("echo a; echo b >&2; exit 3").unwrap();
        assert_eq!((both.status.code(), &*both.stdout, &*both.stderr), (Some(3), &b"a\n"[..], &b"b\n"[..]));
        let much = of("head -c 90000 /dev/zero >&2; head -c 90000 /dev/zero").unwrap();
        assert_eq!((much.stdout.len(), much.stderr.len()), (90_000, 90_000));
    }

    #[test]
    fn a_command_that_hangs_is_ended() {
        for text in ["exec sleep 600", "echo a; exec 2>&-; exec sleep 600", "echo a; exec >&-; exec sleep 600"] {
            let hung = output_within(Command::new("sh").args(["-c", text]), 100_000, Duration::from_millis(300));
            assert_eq!(hung.unwrap_err().kind(), ErrorKind::TimedOut, "{text}");
        }
        let ends = output_within(Command::new("sh").args(["-c", "echo a"]), 100_000, Duration::from_secs(60)).unwrap();
        assert_eq!(ends.stdout, b"a\n");
    }

    #[test]
    fn a_command_that_prints_without_end_is_ended() {
        assert!(crate::is_too_long(&of("cat /dev/zero").unwrap_err()));
        assert!(crate::is_too_long(&of("cat /dev/zero >&2").unwrap_err()));
    }
}
