//! Statements sent before the first of their replies: either each ends with its own Sync, so that an error of one does not suppress the replies to
//! the others, or all of them with one, and are a transaction (the chapter about the protocol in PostgreSQL's manual, "Pipelining").

use super::super::failure::fault;
use super::super::rows::{Fetch, Kind};
use super::{PostgresConnection, Statement, bind, bind_part, commits};
use crate::row_budget::RowBudget;
use crate::{Class, Command, Error, Reply, Rows};
use std::collections::VecDeque;
use std::sync::Arc;
use tenbin_wire::postgres::command::Out;
use tenbin_wire::postgres::reply;
use tenbin_words::msg;
use tokio::time::Instant;

/// Replies that are still to be read.
pub(super) type PendingReplies = VecDeque<PendingReply>;

/// One of them.
#[derive(Debug)]
pub(super) struct PendingReply {
    commits: bool,
    /// The statement was sent as text.
    is_text: bool,
    /// The columns, where its rows are kept.
    kept: Option<Arc<[Kind]>>,
}

/// A statement of a pipeline that was executed.
#[derive(Debug, Clone, Copy)]
pub struct PipelinedReply {
    /// When its reply was complete.
    pub at: Instant,
    /// What it returned and changed.
    pub reply: Reply,
}

impl PostgresConnection {
    /// Executes statements that are sent in one piece, with one Sync at their end. `replies` receives those that were executed: after an error
    /// the server skips the rest, and rolls back what no COMMIT among them has ended.
    pub(crate) async fn pipelined(
        &mut self,
        commands: &[Command<'_>],
        replies: &mut Vec<PipelinedReply>,
    ) -> Result<(), Error> {
        replies.clear();
        let Self { exchange, statements, .. } = self;
        let commits = exchange.begin(|out| {
            let mut any_commits = false;
            for command in commands {
                any_commits |= match *command {
                    Command::Query(sql) => {
                        out.parse("", sql.as_bytes()).map_err(fault)?;
                        out.execute_text("", std::iter::empty()).map_err(fault)?;
                        commits(sql)
                    }
                    Command::Execute(statement, values) | Command::Fetch(statement, values) => {
                        bind_part(out, statements, statement.0, values, true)?.commits
                    }
                };
            }
            out.sync();
            Ok(any_commits)
        })?;
        exchange.finish(commits, &mut Ends { replies, next: Reply::default(), returned: 0 }).await.map(|_| ())
    }

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
        let Some(PendingReply { commits, is_text, kept }) = self.pending.pop_front() else {
            return Err(Error::new(Class::Protocol, msg!("no-answer-is-owed")));
        };
        self.exchange.expect();
        self.exchange.is_text = is_text;
        let reply = match kept {
            None => self.exchange.finish(commits, &mut ()).await,
            Some(kinds) => {
                rows.columns(kinds.len());
                let mut fetch = Fetch { rows, kinds: &kinds, budget: RowBudget::default() };
                let reply = self.exchange.finish(commits, &mut fetch).await;
                reply.and_then(|reply| fetch.budget.whole().map(|()| reply))
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

/// Receives when the statements of a pipeline were complete.
struct Ends<'a> {
    replies: &'a mut Vec<PipelinedReply>,
    /// That of the current statement.
    next: Reply,
    /// Rows that the statements before it returned.
    returned: u64,
}

impl reply::Rows for Ends<'_> {
    const LOOKS: bool = false;

    fn changed(&mut self, rows: u64) {
        self.next.affected = rows;
    }

    fn returned(&mut self, rows: u64) {
        self.next.rows = rows - self.returned;
        self.returned = rows;
        self.next.changed_and_returned = self.next.rows.min(self.next.affected);
    }

    fn end(&mut self) {
        self.replies.push(PipelinedReply { at: Instant::now(), reply: std::mem::take(&mut self.next) });
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
                PendingReply { commits: commits(sql), is_text: true, kept: None }
            }
            Command::Execute(statement, values) => {
                let s = bind(out, statements, statement.0, values, true)?;
                PendingReply { commits: s.commits, is_text: false, kept: None }
            }
            Command::Fetch(statement, values) => {
                let s = bind(out, statements, statement.0, values, false)?;
                PendingReply { commits: s.commits, is_text: false, kept: Some(Arc::clone(&s.kinds)) }
            }
        };
        pending.push_back(answer);
    }
    Ok(())
}
