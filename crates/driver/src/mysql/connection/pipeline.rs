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
                    let fresh = self.bind(statement.0, values)?;
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
        let mut answer = self.expect(1);
        let reply = match statement.filter(|_| kept || self.caches) {
            None => self.finish(&mut answer, &mut ()).await,
            Some(statement) => {
                let mut known = self.columns_of(statement);
                let (reply, whole) = if kept {
                    let mut fetch = Fetch { rows, known: &mut known, seen: RowBudget::default() };
                    let reply = self.finish(&mut answer, &mut fetch).await;
                    (reply, fetch.seen.whole())
                } else {
                    (self.finish(&mut answer, &mut known).await, Ok(()))
                };
                self.statements[statement as usize].columns = known.kinds;
                reply.and_then(|reply| whole.map(|()| reply))
            }
        };
        if let (Err(_), Some(statement), true) = (&reply, statement, fresh) {
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
        for PendingReply { statement, fresh, .. } in std::mem::take(&mut self.pending) {
            statement.into_iter().filter(|_| fresh).for_each(|statement| self.unsure(statement));
        }
    }
}
