//! One command and its reply: sends the one, reads the other to its end. What has to be remembered meanwhile is here and not in
//! futures, so that what a statement touches lies together, however many connections there are.

use crate::Error;
use crate::mysql::failure::{GONE, NO_STATE, fault, gone, lost, refused, unsent};
use crate::transport::channel::{Channel, Progress, ReadError};
use crate::transport::stream::Stream;
use crate::{Class, Reply};
use std::cell::RefCell;
use std::future::poll_fn;
use std::task::{Context, Poll, ready};
use tenbin_wire::mysql::reply::{Fed, Reply as Answer, Rows};
use tenbin_wire::mysql::{ServerError, packet};
use tenbin_words::msg;

thread_local! {
    static MESSAGE: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
}

/// Calls `write` with the buffer for messages of this thread, which is empty.
#[inline]
pub fn message<T>(write: impl FnOnce(&mut Vec<u8>) -> T) -> T {
    MESSAGE.with_borrow_mut(|message| {
        message.clear();
        write(message)
    })
}

/// A connection, and the reply as far as it was read.
pub struct Exchange {
    pub channel: Channel,
    answer: Answer,
    /// The connection cannot be used any more: a reply was read only in part, or the server closed the connection.
    pub broken: bool,
    /// Whether the server leaves out definitions of columns that are known here.
    pub caches: bool,
}

impl Exchange {
    pub fn new(stream: Stream) -> Exchange {
        Exchange { channel: Channel::new(stream), answer: Answer::default(), broken: false, caches: false }
    }

    /// Sends a command, or several, and expects a reply whose first packet has the number `next`. Until it is complete, the connection
    /// cannot be used for anything else. If the command cannot be sent, the reply says why.
    #[inline]
    pub fn begin(&mut self, command: &[u8], next: u8) -> Result<(), Error> {
        if self.broken {
            return Err(of_no_use());
        }
        self.broken = true;
        if let Stream::Frames(frames) = &mut self.channel.stream {
            frames.start();
        }
        self.channel.start(command);
        self.expect(next);
        Ok(())
    }

    /// Expects a reply whose first packet has the number `next`.
    #[inline]
    pub fn expect(&mut self, next: u8) {
        let answer = match &self.channel.stream {
            Stream::Frames(_) => Answer::in_frames(),
            _ => Answer::new(next),
        };
        self.answer = answer.caches(self.caches);
    }

    /// The number of the packet that would follow the reply.
    pub fn sequence(&self) -> u8 {
        self.answer.sequence()
    }

    /// What the reply says.
    #[inline]
    pub fn reply(&self) -> Reply {
        let Answer { rows, affected, insert_id, open, .. } = self.answer;
        Reply { rows, affected, insert_id, open, ..Reply::default() }
    }

    /// Waits until the command is sent.
    pub async fn sent(&mut self) {
        poll_fn(|cx| self.channel.poll_sent(cx)).await;
    }

    /// Reads until the reply is complete.
    #[inline]
    pub fn poll_fed(&mut self, cx: &mut Context<'_>, rows: &mut impl Rows) -> Poll<Result<Fed, Error>> {
        let Self { channel, answer, .. } = self;
        let read = |bytes: &[u8]| match answer.feed(bytes, rows).map_err(fault)? {
            (used, Fed::More(wanted)) => Ok((used, Progress::More(wanted))),
            (used, fed) => Ok((used, Progress::Done(fed))),
        };
        match ready!(channel.poll_read(cx, read)) {
            Ok(fed) => Poll::Ready(self.complete(fed)),
            Err(error) => Poll::Ready(Err(unread(error))),
        }
    }

    /// [`Self::poll_fed`] as a future.
    pub async fn read(&mut self, rows: &mut impl Rows) -> Result<Fed, Error> {
        poll_fn(|cx| self.poll_fed(cx, rows)).await
    }

    /// The reply, read to its end. A file that the server requests is declined.
    #[inline]
    pub async fn finish(&mut self, rows: &mut impl Rows) -> Result<Reply, Error> {
        match poll_fn(|cx| self.poll_fed(cx, rows)).await? {
            Fed::Refused(e) => Err(self.refusal(e)),
            Fed::WantsFile(name) => Box::pin(self.decline(&name)).await,
            Fed::Done | Fed::More(_) => Ok(self.reply()),
        }
    }

    /// Receives some bytes in addition to those that are unread, with space for `wanted` of them.
    pub async fn fill(&mut self, wanted: usize) -> Result<(), Error> {
        self.channel.fill(wanted).await.map_err(unread)
    }

    /// Sends a message that is part of a command, or has no reply.
    pub async fn send(&mut self, message: &[u8]) -> Result<(), Error> {
        self.channel.send(message).await.map_err(|e| unsent(&e))
    }

    /// An error from the server. If it closed the connection with it, the connection remains broken.
    #[cold]
    pub fn refusal(&mut self, error: ServerError) -> Error {
        let error = refused(error);
        self.broken = self.channel.take_unsent().is_some() || error.class() == Class::Lost;
        error
    }

    /// The server requests a file that was not offered: an empty file completes the request, and nothing is read.
    #[cold]
    pub async fn decline(&mut self, name: &str) -> Result<Reply, Error> {
        self.broken = true;
        let mut empty = Vec::new();
        let next = packet::message(&mut empty, self.answer.sequence(), |_| ());
        self.send(&empty).await?;
        self.expect(next);
        if let Fed::WantsFile(_) = self.read(&mut ()).await? {
            // It requests a file again, which no real server does.
            self.broken = true;
        }
        Err(Error::new(Class::Protocol, msg!("server-asked-for-a-file", file = format_args!("{name:?}"))))
    }

    /// After a command that could not be sent, only the server's last word counts.
    #[inline]
    fn complete(&mut self, fed: Fed) -> Result<Fed, Error> {
        match self.channel.take_unsent() {
            None => {
                self.broken = false;
                Ok(fed)
            }
            Some(error) => Err(if let Fed::Refused(last_word) = fed { refused(last_word) } else { unsent(&error) }),
        }
    }
}

#[cold]
fn unread(error: ReadError) -> Error {
    match error {
        ReadError::Refused(error) => error,
        ReadError::Lost(Some(error)) => lost(&error),
        ReadError::Lost(None) => gone(),
        ReadError::Unsent(error) => unsent(&error),
    }
}

#[cold]
fn of_no_use() -> Error {
    Error::new(Class::Lost, msg!("connection-of-no-use")).code(GONE).state(NO_STATE)
}
