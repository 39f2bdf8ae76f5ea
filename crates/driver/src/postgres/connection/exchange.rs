//! One command and its reply: sends the one, reads the other to its end. What has to be remembered meanwhile is here and not in
//! futures, so that what a statement touches lies together, however many connections there are.

use crate::postgres::failure::{fault, gone, lost, refused};
use crate::transport::channel::{Channel, Progress, ReadError};
use crate::transport::stream::Stream;
use crate::{Class, Error, Reply};
use std::cell::RefCell;
use std::future::poll_fn;
use std::task::{Context, Poll, ready};
use tenbin_wire::postgres::command::Out;
use tenbin_wire::postgres::reply::{Fed, Reply as Answer, Rows};
use tenbin_words::msg;

/// The message of a command that is sent as text begins with it.
const QUERY: u8 = b'Q';

thread_local! {
    static MESSAGE: RefCell<Out> = RefCell::default();
}

/// Calls `write` with the buffer for messages of this thread, which is empty.
#[inline]
pub fn message<T>(write: impl FnOnce(&mut Out) -> T) -> T {
    MESSAGE.with_borrow_mut(|message| {
        message.clear();
        write(message)
    })
}

/// A connection, and the reply as far as it was read.
pub struct Exchange {
    pub channel: Channel,
    answer: Answer,
    /// A reply was read only in part: the connection cannot be used any more.
    pub broken: bool,
    /// The command whose reply is read was sent as text, and not by the messages that end with a Sync.
    pub is_text: bool,
}

impl Exchange {
    pub fn new(stream: Stream) -> Exchange {
        Exchange { channel: Channel::new(stream), answer: Answer::new(), broken: false, is_text: true }
    }

    /// Sends the command, or several, that `write` writes. Until the reply is complete, the connection cannot be used for anything
    /// else. If the command cannot be sent, the reply says why.
    #[inline]
    pub fn begin<T>(&mut self, write: impl FnOnce(&mut Out) -> Result<T, Error>) -> Result<T, Error> {
        message(|out| {
            let written = write(out)?;
            if self.broken {
                return Err(unread_answer());
            }
            self.broken = true;
            self.is_text = out.bytes().first() == Some(&QUERY);
            self.channel.start(out.bytes());
            self.expect();
            Ok(written)
        })
    }

    /// Expects another reply.
    #[inline]
    pub fn expect(&mut self) {
        self.answer = Answer::new();
    }

    /// Waits until the command is sent.
    pub async fn sent(&mut self) {
        poll_fn(|cx| self.channel.poll_sent(cx)).await;
    }

    /// Sends what `write` writes.
    pub async fn send(&mut self, write: impl FnOnce(&mut Out)) -> Result<(), Error> {
        let mut out = Out::default();
        write(&mut out);
        self.send_out(&out).await
    }

    /// Sends messages that are part of a command, or of the login. If they cannot be sent, the server may have said why.
    pub async fn send_out(&mut self, out: &Out) -> Result<(), Error> {
        let Err(error) = self.channel.send(out.bytes()).await else { return Ok(()) };
        self.expect();
        Err(match self.read(&mut ()).await {
            Ok(Fed::Refused(last_words)) => refused(last_words),
            _ => lost(&error),
        })
    }

    /// Reads until the reply is complete.
    #[inline]
    fn poll_fed(&mut self, cx: &mut Context<'_>, rows: &mut impl Rows) -> Poll<Result<Fed, Error>> {
        let Self { channel, answer, .. } = self;
        let read = |bytes: &[u8]| match answer.feed(bytes, rows).map_err(fault)? {
            (used, Fed::More(wanted)) => Ok((used, Progress::More(wanted))),
            (used, fed) => Ok((used, Progress::Done(fed))),
        };
        match ready!(channel.poll_read(cx, read)) {
            Ok(fed) => Poll::Ready(self.complete(fed)),
            Err(error) => Poll::Ready(Err(self.unread(error))),
        }
    }

    /// [`Self::poll_fed`] as a future.
    #[inline]
    pub async fn read(&mut self, rows: &mut impl Rows) -> Result<Fed, Error> {
        poll_fn(|cx| self.poll_fed(cx, rows)).await
    }

    /// The reply, read to its end; `commits`: of a COMMIT, which fails if the server rolled back. Rows that the server asks for are not
    /// offered.
    #[inline]
    pub async fn finish(&mut self, commits: bool, rows: &mut impl Rows) -> Result<Reply, Error> {
        match poll_fn(|cx| self.poll_fed(cx, rows)).await? {
            Fed::Refused(e) => Err(refused(e)),
            Fed::WantsData => Box::pin(self.decline()).await,
            Fed::Done | Fed::More(_) if commits && self.answer.rolled_back => Err(rolled_back()),
            Fed::Done | Fed::More(_) => Ok(self.reply()),
        }
    }

    /// What the reply says.
    #[inline]
    pub fn reply(&self) -> Reply {
        // In a transaction, or in a failed one.
        let open = matches!(self.answer.status, b'T' | b'E');
        let Answer { rows, affected, changed_and_returned, .. } = self.answer;
        Reply { rows, affected, changed_and_returned, open, ..Reply::default() }
    }

    /// Whether the reply has rows of `COPY … TO STDOUT`.
    pub fn copies_out(&self) -> bool {
        self.answer.copies_out
    }

    /// The transaction status at the end of the reply; 0 before it.
    pub fn status(&self) -> u8 {
        self.answer.status
    }

    /// No rows were offered: the statement fails, and the connection can still be used.
    #[cold]
    pub async fn decline(&mut self) -> Result<Reply, Error> {
        self.broken = true;
        let mut out = Out::default();
        out.copy_fail("no rows were offered").map_err(fault)?;
        if !self.is_text {
            // The server has ignored the Sync that it received while it waited for rows, and skips what it receives up to the next one.
            out.sync();
        }
        self.send_out(&out).await?;
        match self.read(&mut ()).await? {
            Fed::Refused(e) => Err(refused(e)),
            _ => Err(Error::new(Class::Protocol, msg!("server-asks-for-rows"))),
        }
    }

    /// Receives some bytes in addition to those that are unread, with space for `wanted` of them.
    pub async fn fill(&mut self, wanted: usize) -> Result<(), Error> {
        match self.channel.fill(wanted).await {
            Ok(()) => Ok(()),
            Err(error) => Err(self.unread(error)),
        }
    }

    /// After a command that could not be sent, only the server's last words count.
    #[inline]
    fn complete(&mut self, fed: Fed) -> Result<Fed, Error> {
        match (self.channel.take_unsent(), &fed) {
            (None, _) => {
                self.broken = matches!(&fed, Fed::Refused(e) if e.fatal);
                Ok(fed)
            }
            (Some(_), Fed::Refused(_)) => Ok(fed),
            (Some(error), _) => Err(lost(&error)),
        }
    }

    /// An error that the server reported before the connection failed is the better reason.
    #[cold]
    fn unread(&mut self, error: ReadError) -> Error {
        let error = match error {
            ReadError::Refused(error) => return error,
            ReadError::Lost(Some(error)) | ReadError::Unsent(error) => lost(&error),
            ReadError::Lost(None) => gone(),
        };
        std::mem::take(&mut self.answer).error().map_or(error, refused)
    }
}

#[cold]
fn unread_answer() -> Error {
    Error::new(Class::Lost, msg!("earlier-answer-unread")).state(*b"08006")
}

#[cold]
fn rolled_back() -> Error {
    Error::new(Class::Sql, msg!("commit-rolled-back")).state(*b"25P02")
}
