//! One connection's side of the protocol: bytes in, answers out. No socket, no clock.

use crate::answer::Answers;
use crate::encode::{self, Protocol};
use crate::fault::{FaultAction, Faults};
use crate::shape::{self, StatementShape};
use crate::stats::Stats;
use crate::{Options, system};
use std::rc::Rc;

/// What all sessions share.
#[derive(Debug)]
pub struct ServerContext {
    /// Ready-made answers.
    pub answers: Answers,
    /// What goes wrong on purpose.
    pub faults: Faults,
    /// What was counted.
    pub stats: Stats,
    /// Seconds since the server's start, as of the last wake.
    pub uptime_s: u64,
}

impl ServerContext {
    /// A fresh one.
    pub fn new(options: &Options) -> ServerContext {
        ServerContext {
            answers: Answers::new(options),
            faults: Faults::new(options),
            stats: Stats::default(),
            uptime_s: 0,
        }
    }
}

/// One answer on its way.
#[derive(Debug)]
pub struct Reply {
    /// Whole packets.
    pub bytes: Rc<[u8]>,
    /// Whether it answers a statement: such are counted and timed. Greetings and the server's own commands are not.
    pub statement: bool,
}

/// Whether the connection goes on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Flow {
    /// It does.
    On,
    /// It is to be closed once the replies so far are sent.
    Close,
}

/// A packet longer than this is not from a client that means well.
const MOST_BYTES: usize = 256 << 20;

/// One connection.
#[derive(Debug)]
pub struct Session {
    /// Its number since the server's start, from 1.
    pub number: u64,
    state: SessionState,
    /// Bytes of a packet that has not come whole.
    partial: Vec<u8>,
    statements: Vec<Option<Statement>>,
    /// Numbers of closed statements, from 0.
    free: Vec<usize>,
    /// The number prepared last; 0 when none was.
    latest: usize,
    eofless: bool,
    /// Past the handshake.
    counted: bool,
    /// Statements so far.
    nth: u64,
}

#[derive(Debug)]
enum SessionState {
    Handshake,
    Command,
    /// Swallowing a LOAD DATA stream: this many bytes of the current packet are still to come.
    Swallow {
        left: usize,
    },
    /// It said goodbye, or was ended: what comes is ignored.
    Over,
}

#[derive(Debug)]
struct Statement {
    answer: Rc<[u8]>,
    control: bool,
    /// Asked anew at each execution, because the answer changes.
    text: Option<Box<str>>,
}

impl Session {
    /// A connection that was just accepted; the bytes greet it.
    pub fn open(number: u64) -> (Session, Vec<u8>) {
        // No one is kept out, so the scramble may be a constant.
        let greeting = encode::greeting(system::VERSION, number as u32, b"tenbin null server !");
        let state = SessionState::Handshake;
        let session = Session {
            number,
            state,
            partial: Vec::new(),
            statements: Vec::new(),
            free: Vec::new(),
            latest: 0,
            eofless: false,
            counted: false,
            nth: 0,
        };
        (session, greeting)
    }

    /// Whether it got past the handshake.
    pub fn is_open(&self) -> bool {
        self.counted
    }

    /// Whether it takes no more bytes.
    pub fn is_over(&self) -> bool {
        matches!(self.state, SessionState::Over)
    }

    /// Takes bytes as they came, cut anywhere, and adds the answers to every packet that is whole.
    pub fn take(&mut self, input: &[u8], world: &mut ServerContext, replies: &mut Vec<Reply>) -> Flow {
        if self.partial.is_empty() {
            let (used, flow) = self.packets(input, world, replies);
            self.partial.extend_from_slice(&input[used..]);
            return flow;
        }
        let mut all = std::mem::take(&mut self.partial);
        all.extend_from_slice(input);
        let (used, flow) = self.packets(&all, world, replies);
        all.drain(..used);
        if all.capacity() > 1 << 20 && all.is_empty() {
            all = Vec::new();
        }
        self.partial = all;
        flow
    }

    /// Handles whole packets; answers with how many bytes they took.
    fn packets(&mut self, bytes: &[u8], world: &mut ServerContext, replies: &mut Vec<Reply>) -> (usize, Flow) {
        let mut at = 0;
        loop {
            if let SessionState::Swallow { left } = &mut self.state
                && *left > 0
            {
                let some = (*left).min(bytes.len() - at);
                *left -= some;
                at += some;
            }
            let Some(&[a, b, c, seq]) = bytes.get(at..at + 4) else { return (at, Flow::On) };
            let length = u32::from_le_bytes([a, b, c, 0]) as usize;
            if let SessionState::Swallow { left } = &mut self.state {
                at += 4;
                *left = length;
                if length == 0 {
                    self.state = SessionState::Command;
                    let bytes = encode::ok(seq.wrapping_add(1), 0).into();
                    self.answer(bytes, true, world, replies);
                }
                continue;
            }
            let flow = if length == 0xff_ffff {
                match joined(&bytes[at..]) {
                    Some((payload, taken)) => {
                        at += taken;
                        self.packet(seq, &payload, world, replies)
                    }
                    None if bytes.len() - at > MOST_BYTES => {
                        self.state = SessionState::Over;
                        return (bytes.len(), Flow::Close);
                    }
                    None => return (at, Flow::On),
                }
            } else {
                let Some(payload) = bytes.get(at + 4..at + 4 + length) else { return (at, Flow::On) };
                at += 4 + length;
                self.packet(seq, payload, world, replies)
            };
            if flow == Flow::Close {
                self.state = SessionState::Over;
                return (bytes.len(), flow);
            }
        }
    }

    fn packet(&mut self, seq: u8, payload: &[u8], world: &mut ServerContext, replies: &mut Vec<Reply>) -> Flow {
        match self.state {
            SessionState::Handshake => self.handshake(seq, payload, world, replies),
            _ => self.command(payload, world, replies),
        }
    }

    /// Lets everybody in who speaks this century's protocol.
    fn handshake(&mut self, seq: u8, payload: &[u8], world: &mut ServerContext, replies: &mut Vec<Reply>) -> Flow {
        let seq = seq.wrapping_add(1);
        let capabilities = payload.get(..4).map_or(0, |b| u32::from_le_bytes([b[0], b[1], b[2], b[3]]));
        let refusal = if capabilities & encode::PROTOCOL_41 == 0 {
            Some("The null server needs the protocol of MySQL 4.1 or later")
        } else if capabilities & encode::SSL != 0 {
            Some("The null server has no TLS")
        } else {
            None
        };
        if let Some(message) = refusal {
            let bytes = encode::error(seq, 1043, "08S01", message).into();
            self.answer(bytes, false, world, replies);
            return Flow::Close;
        }
        self.eofless = capabilities & encode::DEPRECATE_EOF != 0;
        self.state = SessionState::Command;
        self.counted = true;
        world.stats.connections += 1;
        world.stats.open += 1;
        self.answer(encode::ok(seq, 0).into(), false, world, replies);
        Flow::On
    }

    fn command(&mut self, payload: &[u8], world: &mut ServerContext, replies: &mut Vec<Reply>) -> Flow {
        let Some((command, body)) = payload.split_first() else { return Flow::Close };
        let bytes: Rc<[u8]> = match command {
            // COM_STMT_EXECUTE
            0x17 => return self.execute(body, world, replies),
            // COM_QUERY
            0x03 => return self.query(text(body), Protocol::Text, world, replies),
            // COM_STMT_PREPARE
            0x16 => self.prepare(text(body), world),
            // COM_STMT_CLOSE has no answer
            0x19 => {
                self.forget(body);
                return Flow::On;
            }
            // COM_STMT_SEND_LONG_DATA has no answer
            0x18 => return Flow::On,
            // COM_QUIT
            0x01 => return Flow::Close,
            // COM_INIT_DB, COM_PING, COM_STMT_RESET, COM_REFRESH
            0x02 | 0x0e | 0x1a | 0x07 => world.answers.done.clone(),
            // COM_CHANGE_USER, COM_RESET_CONNECTION
            0x11 | 0x1f => {
                self.statements.clear();
                self.free.clear();
                self.latest = 0;
                world.answers.done.clone()
            }
            // COM_FIELD_LIST, COM_SET_OPTION
            0x04 | 0x1b => encode::eof(1).into(),
            _ => encode::error(1, 1047, "08S01", "Unknown command").into(),
        };
        self.answer(bytes, false, world, replies);
        Flow::On
    }

    fn prepare(&mut self, sql: &str, world: &mut ServerContext) -> Rc<[u8]> {
        let mut prepared = world.answers.prepared(sql, self.eofless);
        let (answer, control, again) = match shape::shape(sql) {
            StatementShape::Rows { columns, rows } => {
                (world.answers.rows(columns, rows, Protocol::Binary, self.eofless), false, false)
            }
            StatementShape::Write => (world.answers.changed.clone(), false, false),
            StatementShape::Done => (world.answers.done.clone(), false, false),
            StatementShape::Expressions(_)
            | StatementShape::Catalogue { .. }
            | StatementShape::Show(_)
            | StatementShape::Reset
            | StatementShape::LoadLocal(_) => (world.answers.done.clone(), true, true),
        };
        let statement = Statement { answer, control, text: again.then(|| sql.into()) };
        let slot = self.free.pop().unwrap_or_else(|| {
            self.statements.push(None);
            self.statements.len() - 1
        });
        self.statements[slot] = Some(statement);
        self.latest = slot + 1;
        encode::set_statement(&mut prepared, slot as u32 + 1);
        prepared.into()
    }

    fn forget(&mut self, body: &[u8]) {
        if let Some(slot) = number(body).map(|n| n as usize - 1)
            && self.statements.get_mut(slot).and_then(Option::take).is_some()
        {
            self.free.push(slot);
        }
    }

    #[inline]
    fn execute(&mut self, body: &[u8], world: &mut ServerContext, replies: &mut Vec<Reply>) -> Flow {
        // MariaDB's clients may name the statement prepared last as −1.
        let number = match number(body) {
            Some(u32::MAX) => self.latest,
            Some(n) => n as usize,
            None => 0,
        };
        match self.statements.get(number.wrapping_sub(1)) {
            Some(Some(Statement { text: Some(text), .. })) => {
                let text = text.clone();
                self.query(&text, Protocol::Binary, world, replies)
            }
            Some(Some(Statement { answer, control, .. })) => {
                let (answer, statement) = (answer.clone(), !control);
                self.fated(answer, statement, world, replies)
            }
            _ => {
                let bytes =
                    encode::error(1, 1243, "HY000", "Unknown prepared statement handler given to execute").into();
                self.fated(bytes, true, world, replies)
            }
        }
    }

    fn query(&mut self, sql: &str, protocol: Protocol, world: &mut ServerContext, replies: &mut Vec<Reply>) -> Flow {
        let sheet =
            |(columns, rows): system::Sheet, eofless| Rc::from(encode::result_set(&columns, &rows, protocol, eofless));
        let (bytes, statement) = match shape::shape(sql) {
            StatementShape::Rows { columns, rows } => (world.answers.rows(columns, rows, protocol, self.eofless), true),
            StatementShape::Write => (world.answers.changed.clone(), true),
            // SET is what clients say to one another's servers on arrival.
            StatementShape::Done => (world.answers.done.clone(), !shape::starts(sql.trim_start(), "SET ")),
            StatementShape::Expressions(text) => match system::expressions(text) {
                Ok(answer) => (sheet(answer, self.eofless), !text.contains("@@")),
                Err(name) => {
                    let message = format!("Unknown system variable '{name}'");
                    (encode::error(1, 1193, "HY000", &message).into(), false)
                }
            },
            StatementShape::Catalogue { columns, table } => {
                (sheet(system::catalogue(columns, table), self.eofless), false)
            }
            StatementShape::Show(what) => {
                (sheet(system::show(what, &world.stats.snapshot(), world.uptime_s), self.eofless), false)
            }
            StatementShape::Reset => {
                world.stats.reset();
                (world.answers.done.clone(), false)
            }
            StatementShape::LoadLocal(name) => {
                self.state = SessionState::Swallow { left: 0 };
                (encode::local_infile(name.as_bytes()).into(), false)
            }
        };
        self.fated(bytes, statement, world, replies)
    }

    /// Answers a statement, unless fate has something else in store for it.
    #[inline]
    fn fated(&mut self, bytes: Rc<[u8]>, statement: bool, world: &mut ServerContext, replies: &mut Vec<Reply>) -> Flow {
        if !statement {
            self.answer(bytes, false, world, replies);
            return Flow::On;
        }
        self.nth += 1;
        world.stats.queries += 1;
        match world.faults.action(self.number, self.nth, world.stats.queries) {
            FaultAction::Answer => replies.push(Reply { bytes, statement: true }),
            FaultAction::Error => {
                world.stats.errors += 1;
                replies.push(Reply { bytes: world.answers.injected.clone(), statement: true });
            }
            FaultAction::Drop => {
                world.stats.drops += 1;
                return Flow::Close;
            }
        }
        Flow::On
    }

    fn answer(&mut self, bytes: Rc<[u8]>, statement: bool, world: &mut ServerContext, replies: &mut Vec<Reply>) {
        if statement {
            self.nth += 1;
            world.stats.queries += 1;
        }
        replies.push(Reply { bytes, statement });
    }
}

/// Joins a payload that was cut at 2²⁴−1 bytes; `None` when its end has not come. Answers with the bytes it took, too.
fn joined(bytes: &[u8]) -> Option<(Vec<u8>, usize)> {
    let (mut payload, mut at) = (Vec::new(), 0);
    loop {
        let head = bytes.get(at..at + 4)?;
        let length = u32::from_le_bytes([head[0], head[1], head[2], 0]) as usize;
        payload.extend_from_slice(bytes.get(at + 4..at + 4 + length)?);
        at += 4 + length;
        if length < 0xff_ffff {
            return Some((payload, at));
        }
    }
}

/// The statement's text as far as it is UTF-8: what decides the answer stands at its start.
fn text(bytes: &[u8]) -> &str {
    bytes.utf8_chunks().next().map_or("", |chunk| chunk.valid())
}

/// A statement's number; never 0.
fn number(body: &[u8]) -> Option<u32> {
    let bytes = body.get(..4)?;
    Some(u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]])).filter(|n| *n > 0)
}
