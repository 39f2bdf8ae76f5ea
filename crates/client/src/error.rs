//! What went wrong with a statement or a connection: a class for the machine, a sentence for the reader.

use std::fmt;
use tenbin_model::message::Message;
use tenbin_model::msg;
use tenbin_model::problem::Problem;

/// What can be done about an error.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Class {
    /// Another transaction was in the way (deadlock, lock wait timeout, changed row): the same again may well work.
    Conflict,
    /// The connection is gone: reconnect.
    Lost,
    /// The server would not let us in: address, account, TLS.
    Refused,
    /// The statement is wrong, or what it names is not there.
    Sql,
    /// A limit of the server or of this process: connections, prepared statements, packet size, open files, disk.
    Limit,
    /// The other side does not speak the protocol as we know it.
    Protocol,
}

impl Class {
    /// A short name, for counting errors that carry no number.
    pub fn name(self) -> &'static str {
        match self {
            Class::Conflict => "conflict",
            Class::Lost => "lost",
            Class::Refused => "refused",
            Class::Sql => "sql",
            Class::Limit => "limit",
            Class::Protocol => "protocol",
        }
    }
}

/// An error of a driver. One pointer wide, so that results of the hot path stay small.
#[derive(Clone)]
pub struct Error(Box<ErrorInner>);

#[derive(Clone)]
struct ErrorInner {
    class: Class,
    code: Option<u32>,
    state: Option<[u8; 5]>,
    message: Message,
    /// What the server advises: evidence, not our hint.
    advice: Option<Message>,
    hint: Option<Message>,
}

impl Error {
    /// An error without a server's number. Control characters in the message, which may be a server's, are written out.
    pub fn new(class: Class, message: impl Into<Message>) -> Self {
        let message = message.into().on_one_line();
        Error(Box::new(ErrorInner { class, code: None, state: None, message, advice: None, hint: None }))
    }

    /// Adds the server's number.
    #[must_use]
    pub fn code(mut self, code: u32) -> Self {
        self.0.code = Some(code);
        self
    }

    /// Adds the SQLSTATE, which is how PostgreSQL names errors: five letters and digits.
    #[must_use]
    pub fn state(mut self, state: [u8; 5]) -> Self {
        self.0.state = Some(state);
        self
    }

    /// Takes it for a conflict: for one who knows that here another transaction was in the way.
    #[must_use]
    pub fn conflict(mut self) -> Self {
        self.0.class = Class::Conflict;
        self
    }

    /// Adds what the server itself advises, to be told as its words.
    #[must_use]
    pub fn advice(mut self, advice: impl Into<Message>) -> Self {
        self.0.advice = Some(advice.into().on_one_line());
        self
    }

    /// Adds what resolves it: ours, never a server's words.
    #[must_use]
    pub fn hint(mut self, hint: impl Into<Message>) -> Self {
        self.0.hint = Some(hint.into());
        self
    }

    /// The same error in another class and other words: its number, state and hint stay.
    #[must_use]
    pub fn retold(mut self, class: Class, message: impl Into<Message>) -> Self {
        self.0.class = class;
        self.0.message = message.into().on_one_line();
        self
    }

    /// What can be done about it.
    pub fn class(&self) -> Class {
        self.0.class
    }

    /// The server's number.
    pub fn number(&self) -> Option<u32> {
        self.0.code
    }

    /// The SQLSTATE, where the server names errors so.
    pub fn sqlstate(&self) -> Option<&str> {
        std::str::from_utf8(self.0.state.as_ref()?).ok()
    }

    /// Whether the server gave it a code.
    pub fn has_code(&self) -> bool {
        self.0.code.is_some() || self.0.state.is_some()
    }

    /// Whether this is its number or its SQLSTATE.
    pub fn is(&self, code: &str) -> bool {
        self.sqlstate() == Some(code) || self.0.code.is_some_and(|n| n.to_string() == code)
    }

    /// What errors of this kind are counted under: the server's number or SQLSTATE, or else the class's name.
    pub fn label(&self) -> String {
        self.named().unwrap_or_else(|| self.0.class.name().to_owned())
    }

    /// The server's number, else its SQLSTATE.
    fn named(&self) -> Option<String> {
        self.0.code.map(|c| c.to_string()).or_else(|| self.sqlstate().map(str::to_owned))
    }

    /// The server's words or ours, in English. Holds no password.
    pub fn message(&self) -> &str {
        self.0.message.english()
    }

    /// The same as a message, in every language as far as the words are ours.
    pub fn what(&self) -> &Message {
        &self.0.message
    }

    /// What resolves it.
    pub fn way_out(&self) -> Option<&Message> {
        self.0.hint.as_ref()
    }

    /// As a user reads it: `doing` is what was being done (`msg!("connecting-to", dsn)`).
    pub fn problem(&self, doing: impl Into<Message>) -> Problem {
        let (doing, why) = (doing.into(), &self.0.message);
        let problem = Problem::new(match self.named() {
            Some(number) => msg!("failed-with-number", doing, why, number),
            None => msg!("failed", doing, why),
        });
        let evidence = self.0.advice.as_ref().map(|advice| msg!("server-hint", advice));
        Problem { evidence, hint: self.0.hint.clone(), ..problem }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.named() {
            Some(code) => write!(f, "{} (error {code})", self.message()),
            None => f.write_str(self.message()),
        }
    }
}

impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}: {self}", self.0.class)
    }
}

impl std::error::Error for Error {}
