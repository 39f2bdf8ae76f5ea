//! Statements sent before the first of their replies.

use super::MysqlConnection;
use super::exchange::message;
use crate::transport::stream::Stream;
use crate::{Class, Command, Error, Reply, Rows};
use std::collections::VecDeque;
use tenbin_wire::mysql::{command, packet};
use tenbin_words::msg;

/// Replies that are still to be read.
pub(super) type PendingReplies = VecDeque<PendingReply>;

/// One of them.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct PendingReply {
    /// The statement, if it is a prepared one.
    statement: Option<u32>,
    /// It was sent with parameter types.
    fresh: bool,
    /// Its rows are kept.
    kept: bool,
}

impl MysqlConnection {
    /// Frame numbers start again with each command.
    pub(crate) fn sends_ahead(&self) -> bool {
        !matches!(self.exchange.channel.stream, Stream::Frames(_))
    }

    /// If they cannot be sent, the first reply says why.
    pub(crate) async fn send(&mut self, commands: &[Command<'_>]) -> Result<(), Error> {
        let begun = message(|out| {
            self.write_all(out, commands)?;
            self.exchange.begin(out, 1)
        });
        match begun {
            Ok(()) => self.exchange.sent().await,
            Err(_) => self.forget_pending(),
        }
        begun
    }

    fn write_all(&mut self, out: &mut Vec<u8>, commands: &[Command<'_>]) -> Result<(), Error> {
        if !self.sends_ahead() {
            return Err(Error::new(Class::Sql, msg!("compressed-takes-one-statement")));
        }
        for command in commands {
            let answer = match *command {
                Command::Query(sql) => {
                    packet::message(out, 0, |out| command::text(out, command::QUERY, sql.as_bytes()));
                    PendingReply::default()
                }
                Command::Execute(statement, values) | Command::Fetch(statement, values) => {
                    let (_, fresh) = self.bind(out, statement.0, values)?;
                    let kept = matches!(command, Command::Fetch(..));
                    PendingReply { statement: Some(statement.0), fresh, kept }
                }
            };
            self.pending.push_back(answer);
        }
        Ok(())
    }

    pub(crate) async fn answer(&mut self, rows: &mut Rows) -> Result<Reply, Error> {
        let Some(PendingReply { statement, fresh, kept }) = self.pending.pop_front() else {
            return Err(Error::new(Class::Protocol, msg!("no-answer-is-owed")));
        };
        self.exchange.expect(1);
        let reply = match statement {
            None => self.exchange.finish(&mut ()).await,
            Some(statement) if kept => self.finish_fetch(statement, fresh, rows).await,
            Some(statement) => self.finish_execution(statement, fresh).await,
        };
        if self.exchange.broken {
            self.forget_pending();
        }
        // Until the last reply is read, the connection cannot be used for anything else.
        self.exchange.broken |= !self.pending.is_empty();
        reply
    }

    /// No reply is expected any more.
    #[cold]
    fn forget_pending(&mut self) {
        for PendingReply { statement, fresh, .. } in std::mem::take(&mut self.pending) {
            statement.into_iter().filter(|_| fresh).for_each(|statement| self.unsure(statement));
        }
    }
}
