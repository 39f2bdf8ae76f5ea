//! Statements sent before the first of their replies. Each ends with its own Sync, so that an error of one does not
//! suppress the replies to the others.

use super::super::failure::fault;
use super::super::rows::{Fetch, Kind};
use super::{PostgresConnection, bind, commits};
use crate::row_budget::RowBudget;
use crate::{Class, Command, Error, Reply, Rows};
use std::collections::VecDeque;
use std::sync::Arc;
use tenbin_model::msg;
use tenbin_wire::postgres::reply::Reply as Reading;

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
    pub(crate) async fn send(&mut self, commands: &[Command<'_>]) -> Result<(), Error> {
        let sent = match self.write_all(commands) {
            Ok(()) => self.begin().await,
            Err(error) => Err(error),
        };
        if sent.is_err() {
            self.pending.clear();
        }
        sent
    }

    fn write_all(&mut self, commands: &[Command<'_>]) -> Result<(), Error> {
        self.out.clear();
        for command in commands {
            let answer = match *command {
                Command::Query(sql) => {
                    self.out.query(sql).map_err(fault)?;
                    PendingReply { commits: commits(sql), kept: None }
                }
                Command::Execute(statement, values) => {
                    let s = bind(&mut self.out, &self.statements, statement.0, values, true)?;
                    PendingReply { commits: s.commits, kept: None }
                }
                Command::Fetch(statement, values) => {
                    let s = bind(&mut self.out, &self.statements, statement.0, values, false)?;
                    PendingReply { commits: s.commits, kept: Some(Arc::clone(&s.kinds)) }
                }
            };
            self.pending.push_back(answer);
        }
        Ok(())
    }

    pub(crate) async fn answer(&mut self, rows: &mut Rows) -> Result<Reply, Error> {
        let Some(PendingReply { commits, kept }) = self.pending.pop_front() else {
            return Err(Error::new(Class::Protocol, msg!("no-answer-is-owed")));
        };
        let mut reading = Reading::new();
        let reply = match kept {
            None => self.finish(&mut reading, commits, &mut ()).await,
            Some(kinds) => {
                rows.columns(kinds.len());
                let mut fetch = Fetch { rows, kinds: &kinds, seen: RowBudget::default() };
                let reply = self.finish(&mut reading, commits, &mut fetch).await;
                reply.and_then(|reply| fetch.seen.whole().map(|()| reply))
            }
        };
        if self.broken {
            self.pending.clear();
        }
        // Until the last reply is read, the connection cannot be used for anything else.
        self.broken |= !self.pending.is_empty();
        reply
    }
}
