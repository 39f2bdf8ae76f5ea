//! One attempt of a transaction: the commands of its script, one after the other.

use crate::client::{Failure, PgbenchClient};
use crate::counts::Outcome;
use crate::settings::QueryMode;
use crate::shell;
use std::sync::Arc;
use std::time::{Duration, Instant};
use tenbin_driver::{Class, KeptResults, OpenTransaction, PostgresSession, Reply, SessionError, Transport};
use tenbin_sql::language::{CommandKind, EvalError, ScriptStep, SqlCommand, Store};
use tenbin_workload::{StatementRecord, TransactionContext, ValueForm};

/// How long a client that has its thread for itself sleeps before it looks whether it is to end.
const SLICE: Duration = Duration::from_millis(100);

impl PgbenchClient {
    /// Executes a script to its end.
    pub(crate) async fn attempt(&mut self, script: usize, context: &mut TransactionContext) -> Result<(), Failure> {
        let shared = Arc::clone(&self.shared);
        let (commands, names) = (&shared.scripts[script], &shared.names);
        loop {
            let start = shared.settings.per_command.then(Instant::now);
            let step = self.machine.step(commands, names);
            // Before what its expressions show, and also of one that fails.
            match &step {
                Ok(ScriptStep::End | ScriptStep::Sql(_)) => {}
                Ok(
                    ScriptStep::Meta(at)
                    | ScriptStep::Sleep(at, _)
                    | ScriptStep::Shell(at)
                    | ScriptStep::SetShell(at)
                    | ScriptStep::StartPipeline(at)
                    | ScriptStep::SyncPipeline(at)
                    | ScriptStep::EndPipeline(at),
                ) => self.tell_step(script, *at),
                Err(_) => self.tell_step(script, self.machine.last()),
            }
            self.tell_debug_values(script);
            let at = match step {
                Err(error) => {
                    let at = self.machine.last();
                    // Of an empty text, as that of NULL, pgbench says nothing.
                    if !matches!(&error, EvalError::MalformedVariable { text, .. } if text.is_empty()) {
                        shared.output.error(&error.to_string());
                    }
                    let what = match commands.commands[at].kind {
                        _ if matches!(error, EvalError::InvalidName { .. }) => "assignment of meta-command failed",
                        CommandKind::Sleep { .. } => "execution of meta-command failed",
                        _ => "evaluation of meta-command failed",
                    };
                    return Err(self.failed(script, at, what));
                }
                Ok(ScriptStep::End) => return self.at_end(),
                Ok(ScriptStep::Meta(at)) => at,
                Ok(ScriptStep::Sql(at)) => {
                    self.sql(script, at, context).await?;
                    at
                }
                Ok(ScriptStep::Sleep(at, time)) => {
                    self.sleep(time).await;
                    at
                }
                Ok(ScriptStep::Shell(at) | ScriptStep::SetShell(at)) => {
                    self.shell(script, at)?;
                    at
                }
                Ok(ScriptStep::StartPipeline(at)) => {
                    self.start_pipeline(script, at).await?;
                    at
                }
                Ok(ScriptStep::SyncPipeline(at) | ScriptStep::EndPipeline(at)) => {
                    self.sync_pipeline(script, at, context).await?;
                    at
                }
            };
            if let Some(start) = start {
                let us = start.elapsed().as_nanos() as f64 / 1e3;
                shared.count(self.id).commands[script][at].time.add(us);
            }
        }
    }

    /// Whether a transaction or a pipeline is open at the end of a script, which ends the client.
    fn at_end(&mut self) -> Result<(), Failure> {
        let open = self.session.as_ref().is_some_and(|session| session.transaction() != OpenTransaction::None);
        let what = match (self.pipelined, open) {
            (true, _) => "end of script reached with pipeline open",
            (false, true) => "end of script reached without completing the last transaction",
            (false, false) => return Ok(()),
        };
        let line = format!("client {} aborted: {what}", self.id);
        if self.pipelined {
            self.shared.output.error(&line);
            return Err(Failure::Abort(PgbenchClient::own_error(what)));
        }
        Err(Failure::Unfinished(line))
    }

    /// Tells that a command failed, and ends the client.
    fn failed(&self, script: usize, at: usize, what: &str) -> Failure {
        self.failed_as(name_of(&self.shared.scripts[script].commands[at].kind), script, at, what)
    }

    fn failed_as(&self, name: &str, script: usize, at: usize, what: &str) -> Failure {
        let line = format!("client {} aborted in command {at} ({name}) of script {script}; {what}", self.id);
        self.shared.output.error(&line);
        Failure::Abort(PgbenchClient::own_error(&line))
    }

    fn tell_debug_values(&mut self, script: usize) {
        for entry in self.machine.debug.drain(..) {
            let mut value = Vec::new();
            entry.value.write(&mut value);
            let (kind, value) = (entry.value.type_name(), String::from_utf8_lossy(&value));
            let text = if kind == "null" { "null".to_owned() } else { format!("{kind} {value}") };
            self.shared.output.plain(&format!("debug(script={script},command={}): {text}", entry.command));
        }
    }

    /// What the server has said beside its replies.
    fn tell_notices(&mut self) {
        if let Some(session) = &mut self.session {
            let output = &self.shared.output;
            session.notices().for_each(|notice| output.plain(&notice));
        }
    }

    fn tell_step(&self, script: usize, at: usize) {
        if self.shared.settings.debug {
            let command = &self.shared.scripts[script].commands[at];
            let line = &command.first_line;
            // Expressions are no words of their commands.
            let shown = match &command.kind {
                CommandKind::Set { slot, .. } => format!("\\set {}", self.shared.names.name(*slot)),
                CommandKind::If(_) => "\\if".to_owned(),
                CommandKind::Elif(_) => "\\elif".to_owned(),
                _ => line.clone(),
            };
            self.shared.output.tell(&format!("client {} executing {shown}", self.id));
        }
    }

    async fn sleep(&self, time: Duration) {
        if self.transport == Transport::Shared {
            return tokio::time::sleep(time).await;
        }
        let start = Instant::now();
        while let Some(left) = time.checked_sub(start.elapsed()).filter(|left| !left.is_zero()) {
            if self.shared.interrupted() {
                return;
            }
            std::thread::sleep(left.min(SLICE));
        }
    }

    async fn sql(&mut self, script: usize, at: usize, context: &mut TransactionContext) -> Result<(), Failure> {
        let shared = Arc::clone(&self.shared);
        let CommandKind::Sql(sql) = &shared.scripts[script].commands[at].kind else { return Ok(()) };
        if self.pipelined {
            return self.queue(script, at, sql).await;
        }
        // Results are kept where they are stored, and where an error has to be named by its number among several.
        let mut kept = (sql.store.is_some() || sql.statements > 1).then(KeptResults::default);
        let start = Instant::now();
        let sent = self.send(script, at, sql, kept.as_mut()).await;
        self.tell_receiving(1);
        let service_ns = start.elapsed().as_nanos() as u64;
        self.tell_notices();
        let (rows, open, error) = match &sent {
            Ok(reply) => (reply.all_rows(), reply.open, None),
            Err(failed) => (0, false, Some(failed.error.clone())),
        };
        let (statement, more) = ((shared.first[script] + at) as u16, sql.statements.saturating_sub(1));
        let values = match (sql.parameters.is_empty(), shared.settings.mode) {
            (true, _) => ValueForm::Unknown,
            (false, QueryMode::Simple) => ValueForm::Text,
            (false, QueryMode::Extended | QueryMode::Prepared) => ValueForm::Parameters,
        };
        context.records.push(StatementRecord { statement, service_ns, rows, error, values, more, open });
        self.refuse_copy()?;
        match (sent, &sql.store) {
            (Err(failed), _) => Err(self.refused(script, at, kept.map_or(0, |kept| kept.all.len()), failed)),
            (Ok(_), Some(store)) => self.store(script, at, store, &kept.unwrap_or_default()),
            (Ok(_), None) => Ok(()),
        }
    }

    /// Ends the client if the last statement was a COPY from or to it.
    fn refuse_copy(&self) -> Result<(), Failure> {
        if !self.session.as_ref().is_some_and(PostgresSession::copied) {
            return Ok(());
        }
        let what = "COPY is not supported in pgbench, aborting";
        self.shared.output.error(what);
        Err(Failure::Abort(PgbenchClient::own_error(what)))
    }

    /// Sends a statement and reads its replies.
    async fn send(
        &mut self,
        script: usize,
        at: usize,
        sql: &SqlCommand,
        kept: Option<&mut KeptResults>,
    ) -> Result<Reply, SessionError> {
        let shared = Arc::clone(&self.shared);
        let Some(parsed) = &shared.parsed[script][at] else {
            let mut text = std::mem::take(&mut self.text);
            text.clear();
            sql.write(&self.machine.variables, &mut text);
            self.tell_sending(&text);
            self.tell_receiving(1);
            let sent = self.session()?.query(&text, kept).await;
            self.text = text;
            return sent;
        };
        let prepares = shared.settings.mode == QueryMode::Prepared;
        if prepares {
            self.prepare(script, at).await?;
        }
        self.tell_sending(if prepares { parsed.name.as_bytes() } else { &parsed.text });
        self.tell_receiving(1);
        let mut values = std::mem::take(&mut self.values);
        let places = self.write_values(sql, &mut values);
        let texts: Vec<Option<&[u8]>> =
            places.iter().map(|range| range.as_ref().and_then(|range| values.get(range.clone()))).collect();
        let session = self.session()?;
        let sent = match prepares {
            true => session.execute_prepared(&parsed.name, &texts, kept).await,
            false => session.execute(&parsed.text, &texts, kept).await,
        };
        self.values = values;
        sent
    }

    /// Prepares a statement, once for each connection. An error is reported; the execution then fails.
    async fn prepare(&mut self, script: usize, at: usize) -> Result<(), SessionError> {
        let shared = Arc::clone(&self.shared);
        let number = shared.first[script] + at;
        let Some(parsed) = shared.parsed[script][at].as_ref().filter(|_| !self.prepared[number]) else { return Ok(()) };
        self.prepared[number] = true;
        if shared.settings.debug {
            shared.output.tell(&format!("client {} preparing {}", self.id, parsed.name));
        }
        match self.session()?.prepare(&parsed.name, &parsed.text).await {
            Err(failed) if failed.error.class() != Class::Lost => shared.output.error(&failed.lines),
            outcome => outcome?,
        }
        Ok(())
    }

    /// The values of a statement's parameters, one behind the other, and their places; `None`: a variable that is not set.
    fn write_values(&self, sql: &SqlCommand, out: &mut Vec<u8>) -> Vec<Option<std::ops::Range<usize>>> {
        out.clear();
        let mut one = |slot| {
            let from = out.len();
            self.machine.variables.write(slot, out).then_some(from..out.len())
        };
        sql.parameters.iter().map(|slot| one(*slot)).collect()
    }

    fn session(&mut self) -> Result<&mut PostgresSession, SessionError> {
        self.session.as_mut().ok_or_else(|| SessionError::of_client("no connection".to_owned()))
    }

    fn tell_sending(&self, text: &[u8]) {
        if self.shared.settings.debug {
            let output = &self.shared.output;
            output.tell(&format!("client {} sending {}", self.id, String::from_utf8_lossy(text)));
        }
    }

    /// Tells that the client looks for a reply, which pgbench does before there is one, and for each of them.
    fn tell_receiving(&self, times: usize) {
        if self.shared.settings.debug {
            (0..times).for_each(|_| self.shared.output.tell(&format!("client {} receiving", self.id)));
        }
    }

    /// What an error of a statement means for the client.
    fn refused(&self, script: usize, at: usize, query: usize, failed: SessionError) -> Failure {
        let SessionError { error, lines } = failed;
        if error.class() == Class::Lost && !error.has_code() || error.sqlstate() == Some("08006") {
            return self.failed(script, at, "perhaps the backend died while processing");
        }
        let outcome = match error.sqlstate() {
            Some("40001") => Outcome::Serialization,
            Some("40P01") => Outcome::Deadlock,
            _ if self.shared.settings.continue_on_error && error.class() != Class::Lost => Outcome::Other,
            _ => {
                let what = format!("client {} script {script} aborted in command {at} query {query}: {lines}", self.id);
                self.shared.output.error(&what);
                return Failure::Abort(error);
            }
        };
        Failure::Transaction { outcome, error, at, lines }
    }

    /// Stores results as `\gset` and `\aset` do.
    fn store(&mut self, script: usize, at: usize, store: &Store, kept: &KeptResults) -> Result<(), Failure> {
        let shared = Arc::clone(&self.shared);
        let last = kept.all.len().saturating_sub(1);
        let location = |query: usize| format!("client {} script {script} command {at} query {query}", self.id);
        let wrong = |what: String| {
            shared.output.error(&what);
            Failure::Abort(PgbenchClient::own_error(&what))
        };
        if kept.all.is_empty() && !store.every {
            return Err(wrong(format!("{}: expected one row, got 0", location(0))));
        }
        for (query, result) in kept.all.iter().enumerate() {
            if !store.every && query != last || store.every && result.rows == 0 {
                continue;
            }
            if !store.every && result.rows != 1 {
                return Err(wrong(format!("{}: expected one row, got {}", location(query), result.rows)));
            }
            let values = result.last.iter().map(|value| value.as_ref().map(String::as_bytes));
            let columns = result.columns.iter().map(String::as_str).zip(values);
            for (column, value) in columns {
                let name = format!("{}{column}", store.prefix);
                if self.machine.stored(store, &shared.names, std::iter::once((column, value))).is_err() {
                    shared.output.error(&format!("{}: invalid variable name: \"{name}\"", store.command()));
                    return Err(wrong(format!("{}: error storing into variable {name}", location(query))));
                }
            }
        }
        Ok(())
    }

    async fn start_pipeline(&mut self, script: usize, at: usize) -> Result<(), Failure> {
        let shared = Arc::clone(&self.shared);
        if shared.settings.mode == QueryMode::Simple {
            return Err(self.failed(script, at, "cannot use pipeline mode with the simple query protocol"));
        }
        if self.pipelined {
            return Err(self.failed(script, at, "already in pipeline mode"));
        }
        if shared.settings.mode == QueryMode::Prepared {
            // A statement cannot be prepared between those of a pipeline.
            let commands = &shared.scripts[script].commands;
            let inside = commands.iter().enumerate().skip(at + 1);
            for (n, _) in inside.take_while(|(_, command)| !matches!(command.kind, CommandKind::EndPipeline)) {
                if let Err(failed) = self.prepare(script, n).await {
                    return Err(self.refused(script, at, 0, failed));
                }
            }
        }
        self.pipelined = true;
        Ok(())
    }

    /// Adds a statement to the pipeline.
    async fn queue(&mut self, script: usize, at: usize, sql: &SqlCommand) -> Result<(), Failure> {
        if let Some(store) = &sql.store {
            let name = store.command();
            return Err(self.failed_as(name, script, at, &format!("\\{name} is not allowed in pipeline mode")));
        }
        let shared = Arc::clone(&self.shared);
        let Some(parsed) = &shared.parsed[script][at] else { return Ok(()) };
        let prepares = shared.settings.mode == QueryMode::Prepared;
        self.tell_sending(if prepares { parsed.name.as_bytes() } else { &parsed.text });
        let mut values = std::mem::take(&mut self.values);
        let places = self.write_values(sql, &mut values);
        let texts: Vec<Option<&[u8]>> =
            places.iter().map(|range| range.as_ref().and_then(|range| values.get(range.clone()))).collect();
        let (name, text) = if prepares { (parsed.name.as_str(), None) } else { ("", Some(&parsed.text[..])) };
        let queued = self.session().and_then(|session| session.queue(name, text, &texts));
        self.values = values;
        self.queued += 1;
        queued.map_err(|failed| self.refused(script, at, 0, failed))
    }

    /// `\syncpipeline`, `\endpipeline`.
    async fn sync_pipeline(
        &mut self,
        script: usize,
        at: usize,
        context: &mut TransactionContext,
    ) -> Result<(), Failure> {
        let shared = Arc::clone(&self.shared);
        if !self.pipelined {
            return Err(self.failed(script, at, "not in pipeline mode"));
        }
        self.pipelined = !matches!(shared.scripts[script].commands[at].kind, CommandKind::EndPipeline);
        self.tell_receiving(1);
        let start = Instant::now();
        let synced = match self.session() {
            Ok(session) => session.sync().await,
            Err(failed) => Err(failed),
        };
        // A reply for each statement, and one for the synchronization.
        let replies = std::mem::take(&mut self.queued) + 1;
        self.tell_receiving(replies);
        if shared.settings.debug && synced.is_ok() && !self.pipelined {
            shared.output.tell(&format!("client {} pipeline ending", self.id));
        }
        self.tell_notices();
        let (rows, error) = match &synced {
            Ok(reply) => (reply.all_rows(), None),
            Err(failed) => (0, Some(failed.error.clone())),
        };
        let (statement, service_ns) = ((shared.first[script] + at) as u16, start.elapsed().as_nanos() as u64);
        context.records.push(StatementRecord::of(statement, service_ns, rows, error));
        self.refuse_copy()?;
        synced.map(|_| ()).map_err(|failed| {
            self.pipelined = false;
            self.refused(script, at, 0, failed)
        })
    }

    /// `\shell`, `\setshell`: blocks, as in pgbench.
    fn shell(&mut self, script: usize, at: usize) -> Result<(), Failure> {
        let shared = Arc::clone(&self.shared);
        shell::run(&shared.scripts[script].commands[at].kind, &mut self.machine, &shared.names).map_err(|what| {
            shared.output.error(&what);
            self.failed(script, at, "execution of meta-command failed")
        })
    }
}

/// The name of a command in messages.
fn name_of(kind: &CommandKind) -> &'static str {
    match kind {
        CommandKind::Sql(_) => "SQL",
        CommandKind::Set { .. } => "set",
        CommandKind::SetShell { .. } => "setshell",
        CommandKind::Shell { .. } => "shell",
        CommandKind::Sleep { .. } => "sleep",
        CommandKind::If(_) => "if",
        CommandKind::Elif(_) => "elif",
        CommandKind::Else => "else",
        CommandKind::EndIf => "endif",
        CommandKind::StartPipeline => "startpipeline",
        CommandKind::SyncPipeline => "syncpipeline",
        CommandKind::EndPipeline => "endpipeline",
    }
}
