//! Statements sent before the first of their replies. Each ends with its own Sync, so that an error of one does not
//! suppress the replies to the others.

use super::super::failure::fault;
use super::super::rows::{Fetch, Kind};
use super::{PostgresConnection, Statement, bind, commits};
use crate::row_budget::RowBudget;
use crate::{Class, Command, Error, Reply, Rows};
use std::collections::VecDeque;
use std::sync::Arc;
use tenbin_wire::postgres::command::Out;
use tenbin_words::msg;

/// Replies that are still to be read.
pub(super) type PendingReplies = VecDeque<PendingReply>;

/// One of them.
#[derive(Debug)]
pub(super) struct PendingReply {
    commits: bool,
    /// The columns, where its rows are kept.
    kept: Option<Arc<[Kind]>>,
}

impl PostgresConnection {
    /// If they cannot be sent, the first reply says why.
    pub(crate) async fn send(&mut self, commands: &[Command<'_>]) -> Result<(), Error> {
        let Self { exchange, statements, pending, .. } = self;
        let begun = exchange.begin(|out| write_all(out, statements, pending, commands));
        match begun {
            Ok(()) => exchange.sent().await,
            Err(_) => pending.clear(),
        }
        begun
    }

    pub(crate) async fn answer(&mut self, rows: &mut Rows) -> Result<Reply, Error> {
        let Some(PendingReply { commits, kept }) = self.pending.pop_front() else {
            return Err(Error::new(Class::Protocol, msg!("no-answer-is-owed")));
        };
        self.exchange.expect();
        let reply = match kept {
            None => self.exchange.finish(commits, &mut ()).await,
            Some(kinds) => {
                rows.columns(kinds.len());
                let mut fetch = Fetch { rows, kinds: &kinds, seen: RowBudget::default() };
                let reply = self.exchange.finish(commits, &mut fetch).await;
                reply.and_then(|reply| fetch.seen.whole().map(|()| reply))
            }
        };
        if self.exchange.broken {
            self.pending.clear();
        }
        // Until the last reply is read, the connection cannot be used for anything else.
        self.exchange.broken |= !self.pending.is_empty();
        reply
    }
}

/// Writes all commands, and what their replies will be.
fn write_all(
    out: &mut Out,
    statements: &[Statement],
    pending: &mut PendingReplies,
    commands: &[Command<'_>],
) -> Result<(), Error> {
    for command in commands {
        let answer = match *command {
            Command::Query(sql) => {
                out.query(sql).map_err(fault)?;
                PendingReply { commits: commits(sql), kept: None }
            }
            Command::Execute(statement, values) => {
                let s = bind(out, statements, statement.0, values, true)?;
                PendingReply { commits: s.commits, kept: None }
            }
            Command::Fetch(statement, values) => {
                let s = bind(out, statements, statement.0, values, false)?;
                PendingReply { commits: s.commits, kept: Some(Arc::clone(&s.kinds)) }
            }
        };
        pending.push_back(answer);
    }
    Ok(())
}
