//! Statements between `\startpipeline` and `\endpipeline`, prepared or as text: they are sent in one piece, and then their replies are read. Where the
//! protocol has pipelines, each part up to a `\syncpipeline` is a transaction, as under pgbench; elsewhere each statement is.

use crate::settings::Planned;
use std::ops::Range;
use std::time::Duration;
use tenbin_driver::{Class, Command, Connection, Error, PipelinedReply, Prepared, Rows, Value};
use tenbin_words::msg;
use tenbin_workload::{StatementRecord, TransactionContext, ValueForm};
use tokio::time::Instant;

/// The statements that have not been sent.
#[derive(Debug, Default)]
pub(crate) struct Pipeline {
    waiting: Vec<Waiting>,
    /// Those that were sent, whose memory is used again.
    free: Vec<Waiting>,
    replies: Vec<PipelinedReply>,
}

/// A statement that has not been sent.
#[derive(Debug, Default)]
pub(crate) struct Waiting {
    sent: Sent,
    /// `None`: it is text.
    prepared: Option<Prepared>,
    /// Its text, or the texts of its values.
    bytes: Vec<u8>,
    values: Vec<KeptValue>,
}

/// A value of a statement that was prepared.
#[derive(Debug)]
enum KeptValue {
    Null,
    Int(i64),
    Float(f64),
    /// Where it stands among the texts.
    Text(Range<usize>),
}

impl Waiting {
    /// Where its text is to be written.
    pub(crate) fn text(&mut self) -> &mut Vec<u8> {
        &mut self.bytes
    }

    /// Adds a value.
    pub(crate) fn add(&mut self, value: Value<'_>) {
        self.values.push(match value {
            Value::Null => KeptValue::Null,
            Value::Int(value) => KeptValue::Int(value),
            Value::Float(value) => KeptValue::Float(value),
            Value::Text(text) => {
                let from = self.bytes.len();
                self.bytes.extend_from_slice(text);
                KeptValue::Text(from..self.bytes.len())
            }
        });
    }

    /// It is sent as this prepared statement, with the values that were added.
    pub(crate) fn prepared(&mut self, prepared: Prepared) {
        self.prepared = Some(prepared);
        self.sent.form = if self.values.is_empty() { ValueForm::Unknown } else { ValueForm::Parameters };
    }

    fn values(&self) -> impl Iterator<Item = Value<'_>> {
        self.values.iter().map(|value| match value {
            KeptValue::Null => Value::Null,
            KeptValue::Int(value) => Value::Int(*value),
            KeptValue::Float(value) => Value::Float(*value),
            KeptValue::Text(range) => Value::Text(&self.bytes[range.clone()]),
        })
    }

    /// As it is sent, with its values.
    fn command<'a>(&'a self, values: &'a [Value<'a>]) -> Result<Command<'a>, Error> {
        match self.prepared {
            Some(prepared) => Ok(Command::Execute(prepared, values)),
            None => std::str::from_utf8(&self.bytes).map(Command::Query).map_err(|_| not_utf8()),
        }
    }
}

/// What is recorded of a statement.
#[derive(Debug, Clone, Copy, Default)]
struct Sent {
    /// The index of its name.
    statement: usize,
    form: ValueForm,
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
        context.sent_as(self.form);
        context.sent_with(self.more);
    }
}

impl Pipeline {
    /// Adds a statement, whose text or values are still to be written.
    pub(crate) fn push(&mut self, planned: &Planned) -> &mut Waiting {
        let Planned { statement, has_values, more, .. } = *planned;
        let form = if has_values { ValueForm::Text } else { ValueForm::Unknown };
        let memory = self.free.pop().unwrap_or_default();
        let at = self.waiting.len();
        self.waiting.push(Waiting { sent: Sent { statement, form, more }, prepared: None, ..memory });
        &mut self.waiting[at]
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
        let values: Vec<Value<'_>> = self.waiting.iter().flat_map(Waiting::values).collect();
        let mut rest = &values[..];
        let commands = self.waiting.iter().map(|waiting| {
            let (own, others) = rest.split_at(waiting.values.len());
            rest = others;
            waiting.command(own)
        });
        let commands = commands.collect::<Result<Vec<Command<'_>>, Error>>()?;
        // The server executes them one after the other: each lasts from the reply before.
        let mut since = Instant::now();
        let mut outcome = Ok(());
        // A text of several statements has no place in the extended protocol: then each text is sent as it is.
        if connection.has_pipelines() && self.waiting.iter().all(|waiting| waiting.sent.more == 0) {
            outcome = connection.pipelined(&commands, &mut self.replies).await;
            for (waiting, ended) in self.waiting.iter().zip(&self.replies) {
                waiting.sent.record(context, ended.at - since, ended.reply.all_rows(), None);
                since = ended.at;
            }
            // Those after the one that failed were not executed.
            let failed = self.waiting.get(self.replies.len()).zip(outcome.as_ref().err());
            if let Some((waiting, error)) = failed {
                waiting.sent.record(context, since.elapsed(), 0, Some(error.clone()));
            }
        } else if connection.sends_ahead() {
            connection.send(&commands).await?;
            for Waiting { sent, .. } in &self.waiting {
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
            for (Waiting { sent, .. }, command) in self.waiting.iter().zip(&commands) {
                let reply = async {
                    match *command {
                        Command::Query(text) => connection.query(text).await,
                        Command::Execute(prepared, values) | Command::Fetch(prepared, values) => {
                            connection.execute(prepared, values).await
                        }
                    }
                };
                let reply = context.time(sent.statement, reply).await;
                sent.tell(context);
                reply?;
            }
        }
        self.free.extend(self.waiting.drain(..).map(|mut sent| {
            sent.bytes.clear();
            sent.values.clear();
            sent
        }));
        outcome
    }
}

fn not_utf8() -> Error {
    Error::new(Class::Sql, msg!("value-is-not-text"))
}
