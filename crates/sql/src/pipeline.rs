//! Statements between `\startpipeline` and `\endpipeline`: they are sent in one piece, and then their replies are read. Where the protocol has
//! pipelines, each part up to a `\syncpipeline` is a transaction, as under pgbench; elsewhere each statement is.

use crate::settings::Planned;
use std::time::Duration;
use tenbin_driver::{Class, Command, Connection, Error, PipelinedReply, Rows};
use tenbin_words::msg;
use tenbin_workload::{StatementRecord, TransactionContext, ValueForm};
use tokio::time::Instant;

/// The statements that have not been sent.
#[derive(Debug, Default)]
pub(crate) struct Pipeline {
    /// How each was planned, and its text.
    waiting: Vec<(Sent, Vec<u8>)>,
    /// Memory that is used again.
    free: Vec<Vec<u8>>,
    replies: Vec<PipelinedReply>,
}

/// What is recorded of a statement.
#[derive(Debug, Clone, Copy)]
struct Sent {
    /// The index of its name.
    statement: usize,
    has_values: bool,
    /// Statements in its text beyond the first.
    more: u32,
}

impl Sent {
    /// Records its end.
    fn record(self, context: &mut TransactionContext, took: Duration, rows: u64, error: Option<Error>) {
        context.records.push(StatementRecord::of(self.statement as u16, took.as_nanos() as u64, rows, error));
        self.tell(context);
    }

    /// Says of the statement that was recorded last that it was this one.
    fn tell(self, context: &mut TransactionContext) {
        if self.has_values {
            context.sent_as(ValueForm::Text);
        }
        context.sent_with(self.more);
    }
}

impl Pipeline {
    /// Adds a statement; returns memory for the next one.
    pub(crate) fn push(&mut self, planned: &Planned, text: Vec<u8>) -> Vec<u8> {
        let Planned { statement, has_values, more, .. } = *planned;
        self.waiting.push((Sent { statement, has_values, more }, text));
        self.free.pop().unwrap_or_default()
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.waiting.is_empty()
    }

    /// Sends all of them, one after the other if the driver cannot send them together, and reads the replies. Returns the first error.
    pub(crate) async fn flush(
        &mut self,
        connection: &mut Connection,
        rows: &mut Rows,
        context: &mut TransactionContext,
    ) -> Result<(), Error> {
        let texts = self.waiting.iter().map(|(.., text)| std::str::from_utf8(text).map_err(|_| not_utf8()));
        let texts = texts.collect::<Result<Vec<&str>, Error>>()?;
        // The server executes them one after the other: each lasts from the reply before.
        let mut since = Instant::now();
        let mut outcome = Ok(());
        // A text of several statements has no place in the extended protocol: then each text is sent as it is.
        if connection.has_pipelines() && self.waiting.iter().all(|(sent, _)| sent.more == 0) {
            outcome = connection.pipelined(&texts, &mut self.replies).await;
            for ((sent, _), ended) in self.waiting.iter().zip(&self.replies) {
                sent.record(context, ended.at - since, ended.reply.all_rows(), None);
                since = ended.at;
            }
            // Those after the one that failed were not executed.
            let failed = self.waiting.get(self.replies.len()).zip(outcome.as_ref().err());
            if let Some(((sent, _), error)) = failed {
                sent.record(context, since.elapsed(), 0, Some(error.clone()));
            }
        } else if connection.sends_ahead() {
            let commands: Vec<Command<'_>> = texts.iter().map(|text| Command::Query(text)).collect();
            connection.send(&commands).await?;
            for (sent, _) in &self.waiting {
                let reply = context.time_since(since, sent.statement, connection.answer(rows)).await;
                since = Instant::now();
                sent.tell(context);
                if let Err(error) = reply {
                    let lost = error.class() == Class::Lost;
                    outcome = outcome.and(Err(error));
                    if lost {
                        break;
                    }
                }
            }
        } else {
            for ((sent, _), text) in self.waiting.iter().zip(&texts) {
                let reply = context.time(sent.statement, connection.query(text)).await;
                sent.tell(context);
                reply?;
            }
        }
        self.free.extend(self.waiting.drain(..).map(|(.., mut text)| {
            text.clear();
            text
        }));
        outcome
    }
}

fn not_utf8() -> Error {
    Error::new(Class::Sql, msg!("value-is-not-text"))
}
