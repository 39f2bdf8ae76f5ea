//! Errors of statements and connections: a class for decisions, a message for the reader.

use std::fmt;
use tenbin_words::message::Message;
use tenbin_words::msg;
use tenbin_words::problem::Problem;

/// How an error can be handled.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Class {
    /// A conflict with another transaction (deadlock, lock wait timeout, changed row): a retry may succeed.
    Conflict,
    /// The connection was lost: reconnect.
    Lost,
    /// The login was refused: address, account, TLS.
    Refused,
    /// The statement is invalid, or refers to an object that does not exist.
    Sql,
    /// A limit of the server or of this process: connections, prepared statements, packet size, open files, disk.
    Limit,
    /// A protocol violation.
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
    /// The server's hint; shown as evidence, not as our hint.
    advice: Option<Message>,
    hint: Option<Message>,
    /// Where the statement stands in a file of the user's.
    place: Option<Message>,
    /// The statement, and whether it was prepared.
    sent: Option<(Box<str>, bool)>,
    /// See [`Error::never_transient`].
    never_transient: bool,
}

impl Error {
    /// An error without an error number. Control characters in the message, which may come from a server, are escaped.
    pub fn new(class: Class, message: impl Into<Message>) -> Self {
        let message = message.into().on_one_line();
        let (code, state, advice, hint, place, sent) = (None, None, None, None, None, None);
        let never_transient = false;
        Error(Box::new(ErrorInner { class, code, state, message, advice, hint, place, sent, never_transient }))
    }

    /// Adds the server's number.
    #[must_use]
    pub fn code(mut self, code: u32) -> Self {
        self.0.code = Some(code);
        self
    }

    /// Adds the SQLSTATE, which identifies errors in PostgreSQL: five letters and digits.
    #[must_use]
    pub fn state(mut self, state: [u8; 5]) -> Self {
        self.0.state = Some(state);
        self
    }

    /// Turns it into a conflict, for callers that know that the cause was another transaction.
    #[must_use]
    pub fn conflict(mut self) -> Self {
        self.0.class = Class::Conflict;
        self
    }

    /// Says that its transaction must not be tried again, even if the plan names its number among those of transient errors: the next
    /// attempt would send the same.
    #[must_use]
    pub fn never_transient(mut self) -> Self {
        self.0.never_transient = true;
        self
    }

    /// Adds the server's own hint, which is shown as a quotation.
    #[must_use]
    pub fn advice(mut self, advice: impl Into<Message>) -> Self {
        self.0.advice = Some(advice.into().on_one_line());
        self
    }

    /// Adds a hint of ours, never a server's text.
    #[must_use]
    pub fn hint(mut self, hint: impl Into<Message>) -> Self {
        self.0.hint = Some(hint.into());
        self
    }

    /// Adds where it was, for example where the statement stands in a file of the user's: shown before what failed.
    #[must_use]
    pub fn at(mut self, place: impl Into<Message>) -> Self {
        self.0.place = Some(place.into());
        self
    }

    /// Adds the statement that the server refused: shown as evidence, if the error is the server's.
    #[must_use]
    pub fn sent(mut self, statement: &str, is_prepared: bool) -> Self {
        self.0.sent = Some((statement.into(), is_prepared));
        self
    }

    /// The same error with another class and message; number, state, hint and place are kept.
    #[must_use]
    pub fn retold(mut self, class: Class, message: impl Into<Message>) -> Self {
        self.0.class = class;
        self.0.message = message.into().on_one_line();
        self
    }

    /// Its class.
    pub fn class(&self) -> Class {
        self.0.class
    }

    /// The server's number.
    pub fn number(&self) -> Option<u32> {
        self.0.code
    }

    /// The SQLSTATE, if the server uses it.
    pub fn sqlstate(&self) -> Option<&str> {
        std::str::from_utf8(self.0.state.as_ref()?).ok()
    }

    /// Whether its class stays what it is, whatever the plan says of transient errors.
    pub fn is_never_transient(&self) -> bool {
        self.0.never_transient
    }

    /// Whether it has a code from the server.
    pub fn has_code(&self) -> bool {
        self.0.code.is_some() || self.0.state.is_some()
    }

    /// Whether this is its number or its SQLSTATE.
    pub fn is(&self, code: &str) -> bool {
        self.sqlstate() == Some(code) || self.0.code.is_some_and(|n| n.to_string() == code)
    }

    /// The name under which such errors are counted: the server's number or SQLSTATE, otherwise the name of the class.
    pub fn label(&self) -> String {
        self.named().unwrap_or_else(|| self.0.class.name().to_owned())
    }

    /// The server's number, else its SQLSTATE.
    fn named(&self) -> Option<String> {
        self.0.code.map(|c| c.to_string()).or_else(|| self.sqlstate().map(str::to_owned))
    }

    /// The server's message or ours, in English. Contains no password.
    pub fn message(&self) -> &str {
        self.0.message.english()
    }

    /// The same as a message, translatable if it is ours.
    pub fn what(&self) -> &Message {
        &self.0.message
    }

    /// The hint.
    pub fn hint_message(&self) -> Option<&Message> {
        self.0.hint.as_ref()
    }

    /// Where it was.
    pub fn place(&self) -> Option<&Message> {
        self.0.place.as_ref()
    }

    /// The problem for the user: `doing` is the operation that failed (`msg!("connecting-to", dsn)`).
    pub fn problem(&self, doing: impl Into<Message>) -> Problem {
        let (doing, why) = (doing.into(), &self.0.message);
        let doing = match &self.0.place {
            Some(place) => msg!("doing-at-place", place, doing),
            None => doing,
        };
        let problem = Problem::new(match self.named() {
            Some(number) => msg!("failed-with-number", doing, why, number),
            None => msg!("failed", doing, why),
        });
        let sent =
            self.0.sent.as_ref().zip(self.sqlstate()).map(|((statement, is_prepared), state)| match is_prepared {
                true => msg!("refused-prepared-statement", statement, state),
                false => msg!("refused-statement", statement, state),
            });
        let advice = self.0.advice.as_ref().map(|advice| msg!("server-hint", advice));
        let parts: Vec<Message> = [advice, sent].into_iter().flatten().collect();
        let evidence = (!parts.is_empty()).then(|| Message::joined(parts, "; "));
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
