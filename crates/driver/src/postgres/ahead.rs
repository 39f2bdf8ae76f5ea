//! Statements sent before the first of their answers. Each ends with a Sync of its own, so that an error of one does not
//! swallow the answers of the others.

use super::connection::{PostgresConnection, bind, commits};
use super::failure::fault;
use super::rows::{Fetch, Kind};
use crate::seen::Seen;
use crate::{Ask, Class, Error, Reply, Rows};
use std::collections::VecDeque;
use std::sync::Arc;
use tenbin_model::msg;
use tenbin_wire::postgres::reply::Reply as Reading;

/// Answers that are to come.
pub(super) type Owed = VecDeque<Answer>;

/// One of them.
#[derive(Debug)]
pub(super) struct Answer {
    commits: bool,
    /// The columns, where its rows are kept.
    kept: Option<Arc<[Kind]>>,
}

impl PostgresConnection {
    pub(crate) async fn send(&mut self, asks: &[Ask<'_>]) -> Result<(), Error> {
        let sent = match self.write_all(asks) {
            Ok(()) => self.begin().await,
            Err(error) => Err(error),
        };
        if sent.is_err() {
            self.owed.clear();
        }
        sent
    }

    fn write_all(&mut self, asks: &[Ask<'_>]) -> Result<(), Error> {
        self.out.clear();
        for ask in asks {
            let answer = match *ask {
                Ask::Query(sql) => {
                    self.out.query(sql).map_err(fault)?;
                    Answer { commits: commits(sql), kept: None }
                }
                Ask::Execute(statement, values) => {
                    let s = bind(&mut self.out, &self.statements, statement.0, values, true)?;
                    Answer { commits: s.commits, kept: None }
                }
                Ask::Fetch(statement, values) => {
                    let s = bind(&mut self.out, &self.statements, statement.0, values, false)?;
                    Answer { commits: s.commits, kept: Some(Arc::clone(&s.kinds)) }
                }
            };
            self.owed.push_back(answer);
        }
        Ok(())
    }

    pub(crate) async fn answer(&mut self, rows: &mut Rows) -> Result<Reply, Error> {
        let Some(Answer { commits, kept }) = self.owed.pop_front() else {
            return Err(Error::new(Class::Protocol, msg!("no-answer-is-owed")));
        };
        let mut reading = Reading::new();
        let reply = match kept {
            None => self.finish(&mut reading, commits, &mut ()).await,
            Some(kinds) => {
                rows.columns(kinds.len());
                let mut fetch = Fetch { rows, kinds: &kinds, seen: Seen::default() };
                let reply = self.finish(&mut reading, commits, &mut fetch).await;
                reply.and_then(|reply| fetch.seen.whole().map(|()| reply))
            }
        };
        if self.broken {
            self.owed.clear();
        }
        // Until the last is read the connection is not good for anything else.
        self.broken |= !self.owed.is_empty();
        reply
    }
}
