//! Statements sent before the first of their replies.

use super::super::rows::Fetch;
use super::MysqlConnection;
use crate::row_budget::RowBudget;
use crate::transport::stream::Stream;
use crate::{Class, Command, Error, Reply, Rows};
use std::collections::VecDeque;
use tenbin_model::msg;
use tenbin_wire::mysql::{command, packet};

/// Replies that are still to be read.
pub(super) type PendingReplies = VecDeque<PendingReply>;

/// One of them.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct PendingReply {
    /// The statement that was sent with parameter types.
    fresh: Option<u32>,
    /// Its rows are kept.
    kept: bool,
}

impl MysqlConnection {
    /// Frame numbers start again with each command.
    pub(crate) fn sends_ahead(&self) -> bool {
        !matches!(self.stream, Stream::Frames(_))
    }

    pub(crate) async fn send(&mut self, commands: &[Command<'_>]) -> Result<(), Error> {
        let sent = match self.write_all(commands) {
            Ok(()) => self.begin().await,
            Err(error) => Err(error),
        };
        if sent.is_err() {
            self.forget_pending();
        }
        sent
    }

    fn write_all(&mut self, commands: &[Command<'_>]) -> Result<(), Error> {
        if !self.sends_ahead() {
            return Err(Error::new(Class::Sql, msg!("compressed-takes-one-statement")));
        }
        self.out.clear();
        for command in commands {
            let answer = match *command {
                Command::Query(sql) => {
                    packet::message(&mut self.out, 0, |out| command::text(out, command::QUERY, sql.as_bytes()));
                    PendingReply::default()
                }
                Command::Execute(statement, values) | Command::Fetch(statement, values) => {
                    let fresh = self.bind(statement.0, values)?.then_some(statement.0);
                    PendingReply { fresh, kept: matches!(command, Command::Fetch(..)) }
                }
            };
            self.pending.push_back(answer);
        }
        Ok(())
    }

    pub(crate) async fn answer(&mut self, rows: &mut Rows) -> Result<Reply, Error> {
        let Some(PendingReply { fresh, kept }) = self.pending.pop_front() else {
            return Err(Error::new(Class::Protocol, msg!("no-answer-is-owed")));
        };
        let mut answer = self.expect(1);
        let reply = if kept {
            let mut fetch = Fetch { rows, over: false, seen: RowBudget::default() };
            let reply = self.finish(&mut answer, &mut fetch).await;
            reply.and_then(|reply| fetch.seen.whole().map(|()| reply))
        } else {
            self.finish(&mut answer, &mut ()).await
        };
        if let (Err(_), Some(statement)) = (&reply, fresh) {
            self.unsure(statement);
        }
        if self.broken {
            self.forget_pending();
        }
        // Until the last reply is read, the connection cannot be used for anything else.
        self.broken |= !self.pending.is_empty();
        reply
    }

    /// No reply is expected any more.
    #[cold]
    fn forget_pending(&mut self) {
        for PendingReply { fresh, .. } in std::mem::take(&mut self.pending) {
            fresh.into_iter().for_each(|statement| self.unsure(statement));
        }
    }
}
