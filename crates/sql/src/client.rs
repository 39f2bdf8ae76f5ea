//! One client: chooses a script, executes its commands, sends its statements and checks their results. A transaction is a script, executed once.

use crate::codes::{COMMAND_FAILED, EXPECTATION_FAILED};
use crate::language::{
    CommandKind, EvalError, Expectation, Generator, Machine, Saved, ScriptStep, Slot, SqlCommand, Store, Subject,
    Variable, Variables, shown_bytes,
};
use crate::pipeline::Pipeline;
use crate::settings::{Planned, PreparedText, SqlSettings};
use crate::told::{self, Sent};
use crate::values::{text_of, text_value, value_of};
use crate::{expected, shell};
use std::sync::Arc;
use tenbin_driver::{Class, Connection, Error, Prepared, Reply, Rows, Transport};
use tenbin_words::message::Message;
use tenbin_words::msg;
use tenbin_workload::{BoxFuture, Client, MemoryRange, TransactionContext, ValueForm};

/// MySQL's error number for a statement that cannot be prepared: it is sent as text from then on.
const CANNOT_BE_PREPARED: u32 = 1295;

/// The most bytes of a value that an error shows.
const SHOWN: usize = 100;

pub(crate) struct SqlClient {
    settings: Arc<SqlSettings>,
    connection: Option<Connection>,
    /// By their places; those that are not prepared yet are empty.
    prepared: Vec<Preparation>,
    machine: Machine,
    /// The state with which the transaction began.
    saved: Saved,
    choice: Generator,
    /// The place of its group.
    group: usize,
    /// The script of the transaction.
    at: usize,
    /// Whether a statement has opened a transaction that none has ended.
    open: bool,
    rows: Rows,
    text: Vec<u8>,
    pipeline: Option<Pipeline>,
    /// The names of the columns of statements that store their results, by script and command.
    columns: Vec<((usize, usize), Vec<String>)>,
}

#[derive(Debug, Clone, Copy)]
enum Preparation {
    Open,
    Done(Prepared),
    /// The server cannot prepare it.
    Refused,
}

impl SqlClient {
    pub(crate) fn new(settings: Arc<SqlSettings>, number: u32, of: u32, seed: u64) -> SqlClient {
        let (random, choice, default_seed) = settings.random(number, of, seed);
        let machine = Machine::new(settings.variables(number, seed, default_seed), random);
        SqlClient {
            saved: machine.save(),
            prepared: vec![Preparation::Open; settings.prepared as usize],
            group: settings.group_of(number),
            settings,
            connection: None,
            machine,
            choice,
            at: 0,
            open: false,
            rows: Rows::default(),
            text: Vec::with_capacity(512),
            pipeline: None,
            columns: Vec::new(),
        }
    }

    /// Executes the script to its end, or to the first error.
    async fn run(&mut self, context: &mut TransactionContext) -> Result<(), Error> {
        let settings = Arc::clone(&self.settings);
        let planned = &settings.scripts[self.at];
        self.machine.begin();
        self.pipeline = None;
        loop {
            let step = self.machine.step(&planned.script, &settings.names);
            let step = step.map_err(|error| self.failed(&error))?;
            match step {
                ScriptStep::Meta(_) => {}
                ScriptStep::Sql(at) => self.statement(at, context).await?,
                ScriptStep::Sleep(_, time) => tokio::time::sleep(time).await,
                ScriptStep::Shell(at) | ScriptStep::SetShell(at) => self.shell(at).await?,
                ScriptStep::StartPipeline(_) if self.pipeline.is_some() => {
                    return Err(self.misplaced(msg!("sql-pipeline-in-pipeline")));
                }
                ScriptStep::StartPipeline(_) => self.pipeline = Some(Pipeline::default()),
                ScriptStep::SyncPipeline(_) | ScriptStep::EndPipeline(_) if self.pipeline.is_none() => {
                    return Err(self.misplaced(msg!("sql-no-pipeline")));
                }
                ScriptStep::SyncPipeline(_) => self.flush(context).await?,
                ScriptStep::EndPipeline(_) => {
                    self.flush(context).await?;
                    self.pipeline = None;
                }
                ScriptStep::End => break,
            }
        }
        if self.pipeline.is_some() {
            return Err(self.misplaced(msg!("sql-pipeline-open-at-end")));
        }
        if self.open {
            return Err(Error::new(Class::Sql, msg!("sql-transaction-open-at-end", script = planned.path))
                .state(*COMMAND_FAILED));
        }
        Ok(())
    }

    /// The error of the command that was executed last.
    #[cold]
    fn failed(&self, error: &EvalError) -> Error {
        let (script, line) = self.place();
        told::failure(script, line, error)
    }

    /// The same of a command that cannot stand where it does.
    #[cold]
    fn misplaced(&self, why: Message) -> Error {
        let (script, line) = self.place();
        told::misplaced(script, line, why)
    }

    /// The file and the line of the command that was executed last.
    fn place(&self) -> (&str, u32) {
        let script = &self.settings.scripts[self.at];
        (&script.path, script.script.commands.get(self.machine.last()).map_or(0, |command| command.line))
    }

    /// An error of a statement, with the line of the script that it stands in.
    #[cold]
    fn placed(&self, error: Error, context: &TransactionContext) -> Error {
        let script = &self.settings.scripts[self.at];
        // Statements that were sent together fail when the last of them has been executed.
        let failed = context.records.iter().rev().find(|record| record.error.is_some());
        let of_record = failed.and_then(|record| {
            let is_it =
                |sql: &Option<Planned>| sql.as_ref().is_some_and(|sql| sql.statement == usize::from(record.statement));
            script.sql.iter().position(is_it)
        });
        let at = of_record.unwrap_or_else(|| self.machine.last());
        let prepared = script.sql.get(at).and_then(|sql| sql.as_ref()?.prepared.as_ref());
        let sent = Sent {
            as_parameters: prepared.is_some_and(|wanted| !wanted.parameters.is_empty()),
            reading_only: self.settings.planned().all(|planned| !planned.what.writes),
        };
        told::at_line(&script.path, script.script.commands.get(at).map_or(0, |command| command.line), error, sent)
    }

    /// Sends a statement and handles its result.
    async fn statement(&mut self, at: usize, context: &mut TransactionContext) -> Result<(), Error> {
        let settings = Arc::clone(&self.settings);
        let script = &settings.scripts[self.at];
        let (command, Some(planned)) = (&script.script.commands[at], &script.sql[at]) else { return Ok(()) };
        let CommandKind::Sql(sql) = &command.kind else { return Ok(()) };
        if sql.store.is_some() && self.pipeline.is_some() {
            return Err(self.misplaced(msg!("sql-store-in-pipeline")));
        }
        if let Some(opens) = planned.what.transaction {
            // One that begins and ends in a text is open if the text fails in between.
            self.open = opens || sql.statements > 1;
        }
        let plain = sql.store.is_none() && command.extras.expect.is_empty();
        if plain && self.pipeline.is_some() {
            self.wait(sql, planned, context).await?;
        } else {
            // A result that is needed here ends what was sent ahead.
            self.flush(context).await?;
            match &sql.store {
                Some(store) => self.stored(at, store, planned, context).await?,
                None => {
                    let keep = command.extras.expect.iter().any(|expect| expect.subject == Subject::Value);
                    let reply = self.send(at, planned, keep, context).await?;
                    let value = if keep { self.first_value() } else { None };
                    self.expect(at, reply.all_rows(), value.as_deref(), context)?;
                }
            }
        }
        if sql.statements > 1 && planned.what.transaction == Some(false) {
            self.open = false;
        }
        if let Some(idle) = command.extras.idle {
            tokio::time::sleep(idle).await;
        }
        Ok(())
    }

    /// Adds a statement to the pipeline, prepared or as text, with the values of now.
    async fn wait(
        &mut self,
        sql: &SqlCommand,
        planned: &Planned,
        context: &mut TransactionContext,
    ) -> Result<(), Error> {
        let prepared = self.prepare(planned, None, context).await?;
        let Some(pipeline) = &mut self.pipeline else { return Ok(()) };
        let waiting = pipeline.push(planned);
        match prepared {
            None => sql.write(&self.machine.variables, waiting.text()),
            Some((prepared, wanted)) => {
                for slot in &wanted.parameters {
                    waiting.add(parameter(&self.machine.variables, &self.settings, *slot)?);
                }
                waiting.prepared(prepared);
            }
        }
        Ok(())
    }

    /// Sends a statement, prepared or as text, and keeps its rows in `rows` if they are needed.
    async fn send(
        &mut self,
        at: usize,
        planned: &Planned,
        keep: bool,
        context: &mut TransactionContext,
    ) -> Result<Reply, Error> {
        if let Some((prepared, wanted)) = self.prepare(planned, None, context).await? {
            let sent = self.execute(prepared, wanted, planned.statement, keep, context).await;
            if !wanted.parameters.is_empty() {
                context.sent_as(ValueForm::Parameters);
            }
            return sent;
        }
        let settings = Arc::clone(&self.settings);
        let Some(sql) = settings.scripts[self.at].script.commands[at].sql() else { return Ok(Reply::default()) };
        let Some(connection) = &mut self.connection else { return Err(not_connected()) };
        let text: &[u8] = if planned.constant {
            &sql.text
        } else {
            self.text.clear();
            sql.write(&self.machine.variables, &mut self.text);
            &self.text
        };
        if !keep {
            let sent = context.time(planned.statement, connection.query_bytes(text)).await;
            planned.sent_as_text(context);
            return sent;
        }
        let Ok(text) = std::str::from_utf8(text) else { return Err(Error::new(Class::Sql, msg!("value-is-not-text"))) };
        let sent = context.time(planned.statement, connection.query_rows(text, &mut self.rows)).await;
        planned.sent_as_text(context);
        sent
    }

    /// The statement, prepared on this connection; nothing if it is sent as text, or the server cannot prepare it. `names` receives the names of its
    /// columns.
    async fn prepare<'a>(
        &mut self,
        planned: &'a Planned,
        names: Option<&mut Vec<String>>,
        context: &mut TransactionContext,
    ) -> Result<Option<(Prepared, &'a PreparedText)>, Error> {
        let Some(wanted) = &planned.prepared else { return Ok(None) };
        match self.prepared[wanted.place] {
            Preparation::Done(prepared) if names.is_none() => return Ok(Some((prepared, wanted))),
            Preparation::Refused => return Ok(None),
            Preparation::Open | Preparation::Done(_) => {}
        }
        let Some(connection) = &mut self.connection else { return Err(not_connected()) };
        let prepared = match names {
            None => connection.prepare_bytes(&wanted.text).await,
            Some(names) => connection.prepare_named(&wanted.text).await.map(|(prepared, columns)| {
                *names = columns;
                prepared
            }),
        };
        match prepared {
            Ok(prepared) => {
                self.prepared[wanted.place] = Preparation::Done(prepared);
                Ok(Some((prepared, wanted)))
            }
            Err(error) if error.number() == Some(CANNOT_BE_PREPARED) => {
                self.prepared[wanted.place] = Preparation::Refused;
                Ok(None)
            }
            // It is an error of this statement, which is not sent.
            Err(error) => context.time(planned.statement, async { Err(error) }).await.map(|_| None),
        }
    }

    async fn execute(
        &mut self,
        prepared: Prepared,
        wanted: &PreparedText,
        statement: usize,
        keep: bool,
        context: &mut TransactionContext,
    ) -> Result<Reply, Error> {
        const FEW: usize = 16;
        let Some(connection) = &mut self.connection else { return Err(not_connected()) };
        let parameter = |slot| parameter(&self.machine.variables, &self.settings, slot);
        // Most have few: no memory is needed for them.
        let mut few = [tenbin_driver::Value::Null; FEW];
        let many: Vec<_>;
        let values = if wanted.parameters.len() <= FEW {
            for (value, slot) in few.iter_mut().zip(&wanted.parameters) {
                *value = parameter(*slot)?;
            }
            &few[..wanted.parameters.len()]
        } else {
            many = wanted.parameters.iter().map(|slot| parameter(*slot)).collect::<Result<Vec<_>, _>>()?;
            &many[..]
        };
        match keep {
            false => context.time(statement, connection.execute(prepared, values)).await,
            true => context.time(statement, connection.fetch(prepared, values, &mut self.rows)).await,
        }
    }

    /// Sends a statement whose result is stored in variables. The names of its columns are asked for once: where it is prepared, or with its first
    /// result.
    async fn stored(
        &mut self,
        at: usize,
        store: &Store,
        planned: &Planned,
        context: &mut TransactionContext,
    ) -> Result<(), Error> {
        let settings = Arc::clone(&self.settings);
        let script = &settings.scripts[self.at];
        let line = script.script.commands[at].line;
        let known = self.named(at, planned, context).await?;
        if known.is_some() {
            self.send(at, planned, true, context).await?;
        } else {
            let names = self.send_named(at, planned, context).await?;
            self.columns.push(((self.at, at), names));
        }
        let index = known.unwrap_or(self.columns.len() - 1);
        let (width, described) = (self.rows.width(), self.columns[index].1.len());
        if width != described {
            let what = msg!("sql-other-columns", script = script.path, line, found = width, described);
            let error = Error::new(Class::Sql, what).state(*COMMAND_FAILED);
            return Err(of_last_statement(error.hint(msg!("sql-store-from-text")), context));
        }
        let (count, first) = (self.rows.len(), self.first_value());
        let row = count.saturating_sub(1);
        let scheme = settings.connector.dsn().scheme;
        let of_column = |column| self.rows.get(row, column).and_then(|value| text_of(value, scheme));
        let texts: Vec<Option<Vec<u8>>> = (0..width).map(of_column).collect();
        // With the values before this result.
        self.expect(at, count as u64, first.as_deref(), context)?;
        if !store.every && count != 1 {
            let what = msg!("sql-not-one-row", script = script.path, line, rows = count);
            return Err(of_last_statement(Error::new(Class::Sql, what).state(*COMMAND_FAILED), context));
        }
        if count == 0 {
            return Ok(());
        }
        let named = self.columns[index].1.iter().zip(&texts).map(|(name, text)| (name.as_str(), text.as_deref()));
        let stored = self.machine.stored(store, &settings.names, named);
        stored.map_err(|error| self.failed(&error))
    }

    /// The place of the names of a statement's columns; nothing of text that was not sent yet.
    async fn named(
        &mut self,
        at: usize,
        planned: &Planned,
        context: &mut TransactionContext,
    ) -> Result<Option<usize>, Error> {
        let key = (self.at, at);
        if let Some(index) = self.columns.iter().position(|(known, _)| *known == key) {
            return Ok(Some(index));
        }
        let mut names = Vec::new();
        if self.prepare(planned, Some(&mut names), context).await?.is_none() {
            return Ok(None);
        }
        self.columns.push((key, names));
        Ok(Some(self.columns.len() - 1))
    }

    /// Sends text whose result is stored, and returns the names of the columns. Called once for each statement of a client.
    async fn send_named(
        &mut self,
        at: usize,
        planned: &Planned,
        context: &mut TransactionContext,
    ) -> Result<Vec<String>, Error> {
        let settings = Arc::clone(&self.settings);
        let Some(sql) = settings.scripts[self.at].script.commands[at].sql() else { return Ok(Vec::new()) };
        let Some(connection) = &mut self.connection else { return Err(not_connected()) };
        self.text.clear();
        sql.write(&self.machine.variables, &mut self.text);
        let text = std::str::from_utf8(&self.text);
        let text = text.map_err(|_| Error::new(Class::Sql, msg!("value-is-not-text")))?;
        let mut names = Vec::new();
        let sent = async {
            let (reply, columns) = connection.query_named(text, &mut self.rows).await?;
            names = columns;
            Ok(reply)
        };
        let sent = context.time(planned.statement, sent).await;
        planned.sent_as_text(context);
        sent.map(|_| names)
    }

    /// The text of the first value of the rows that were kept.
    fn first_value(&self) -> Option<Vec<u8>> {
        self.rows.get(0, 0).and_then(|value| text_of(value, self.settings.connector.dsn().scheme))
    }

    /// Compares the result of statement `at`, which was sent last, with what it must be: its rows, and its first value if it has one.
    fn expect(
        &mut self,
        at: usize,
        rows: u64,
        value: Option<&[u8]>,
        context: &mut TransactionContext,
    ) -> Result<(), Error> {
        let settings = Arc::clone(&self.settings);
        let command = &settings.scripts[self.at].script.commands[at];
        for expect in &command.extras.expect {
            self.expect_one(at, expect, rows, value).map_err(|error| of_last_statement(error, context))?;
        }
        Ok(())
    }

    fn expect_one(&mut self, at: usize, expect: &Expectation, rows: u64, value: Option<&[u8]>) -> Result<(), Error> {
        let settings = Arc::clone(&self.settings);
        let script = &settings.scripts[self.at];
        let wanted =
            self.machine.value(&expect.expression, at, &settings.names).map_err(|error| self.failed(&error))?;
        let rows = rows.to_string();
        let value = match expect.subject {
            Subject::Rows => Some(rows.as_bytes()),
            Subject::Value => value,
        };
        if value.is_some_and(|value| expected::holds(value, expect.comparison, wanted)) {
            return Ok(());
        }
        let line = script.script.commands[at].line;
        let value = value.map_or_else(|| String::from("NULL"), |value| shown_bytes(&value[..value.len().min(SHOWN)]));
        let what = msg!("sql-expectation-failed", script = script.path, line, expectation = expect.text, found = value);
        Err(Error::new(Class::Sql, what).state(*EXPECTATION_FAILED))
    }

    /// Sends what a pipeline has collected, and reads all replies.
    async fn flush(&mut self, context: &mut TransactionContext) -> Result<(), Error> {
        let Some(pipeline) = self.pipeline.as_mut().filter(|pipeline| !pipeline.is_empty()) else { return Ok(()) };
        let Some(connection) = &mut self.connection else { return Err(not_connected()) };
        pipeline.flush(connection, &mut self.rows, context).await
    }

    async fn shell(&mut self, at: usize) -> Result<(), Error> {
        let settings = Arc::clone(&self.settings);
        let script = &settings.scripts[self.at];
        let command = &script.script.commands[at];
        shell::run(&script.path, command, &mut self.machine, &settings.names)
    }
}

/// An error of the result of the statement that was sent last: it is counted there.
#[cold]
fn of_last_statement(error: Error, context: &mut TransactionContext) -> Error {
    if let Some(record) = context.records.last_mut() {
        record.error = Some(error.clone());
    }
    error
}

/// The value of a variable as a parameter.
#[inline]
fn parameter<'a>(
    variables: &'a Variables,
    settings: &SqlSettings,
    slot: Slot,
) -> Result<tenbin_driver::Value<'a>, Error> {
    let scheme = settings.connector.dsn().scheme;
    match variables.get(slot) {
        Some(Variable::Value(value)) => Ok(value_of(*value, scheme)),
        Some(Variable::Text(text)) => Ok(text_value(text, scheme)),
        None => Err(told::without_value(settings.names.name(slot))),
    }
}

#[cold]
fn not_connected() -> Error {
    Error::new(Class::Lost, msg!("not-connected"))
}

impl Client for SqlClient {
    fn connect(&mut self, transport: Transport) -> BoxFuture<'_, ()> {
        Box::pin(async move {
            self.connection = None;
            self.prepared.fill(Preparation::Open);
            self.connection = Some(self.settings.connector.connect(transport).await?);
            Ok(())
        })
    }

    fn transaction<'a>(&'a mut self, context: &'a mut TransactionContext) -> BoxFuture<'a, usize> {
        Box::pin(async move {
            if context.attempt == 0 {
                let group = &self.settings.groups[self.group];
                self.at = group.scripts.start + group.choice.next(&mut self.choice);
                self.machine.save_into(&mut self.saved);
            } else {
                // The same values again, and the same script.
                self.machine.restore(&self.saved);
            }
            self.open = false;
            context.transaction = self.at;
            context.retries = self.settings.scripts[self.at].script.extras.retry;
            match self.run(context).await {
                Ok(()) => Ok(self.at),
                Err(error) => Err(self.placed(error, context)),
            }
        })
    }

    fn recover(&mut self) -> BoxFuture<'_, ()> {
        Box::pin(async move {
            self.pipeline = None;
            // Its own error is ignored: there may be nothing to roll back, and a lost connection is noticed by the next statement.
            if let Some(connection) = &mut self.connection {
                let _ = connection.query("ROLLBACK").await;
            }
            Ok(())
        })
    }

    fn close(&mut self) -> BoxFuture<'_, ()> {
        Box::pin(async move {
            if let Some(connection) = self.connection.take() {
                connection.close().await;
            }
            Ok(())
        })
    }

    fn memory(&self) -> Vec<MemoryRange> {
        self.connection.as_ref().map(Connection::memory).unwrap_or_default()
    }
}
