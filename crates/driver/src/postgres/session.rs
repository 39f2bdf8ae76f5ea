//! A connection as PostgreSQL's own library offers it: all results of a text, statements with values as text under a name or none, pipelines,
//! and whether a transaction is open. For clients that do on the wire what pgbench does.

use super::connection::PostgresConnection;
use super::failure::{fault, refused};
use crate::{Class, Connection, Error, Reply, Source};
use tenbin_wire::postgres::command::Out;
use tenbin_wire::postgres::reply::{Fed, Rows};
use tenbin_wire::postgres::value;
use tenbin_wire::postgres::{Fault, ServerError};
use tenbin_words::message::foreign;

/// A connection with such an interface.
#[derive(Debug)]
pub struct PostgresSession {
    connection: Box<PostgresConnection>,
    /// What was sent in a pipeline since its last synchronization.
    queued: Out,
    status: OpenTransaction,
    /// The last reply was that of a COPY from or to the client.
    copied: bool,
    /// What the server has said beside its replies.
    notices: Vec<String>,
}

/// The most notices that are kept until somebody takes them.
const MOST_NOTICES: usize = 1000;

/// Whether a transaction is open, as the last reply said.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OpenTransaction {
    /// None.
    None,
    /// One.
    Open,
    /// One that has failed and can only be rolled back.
    Failed,
}

/// An error, and the lines in which the server's own programs show it.
#[derive(Debug, Clone)]
pub struct SessionError {
    /// The error.
    pub error: Error,
    /// `ERROR:  …`, with the place in the statement, detail, hint and context.
    pub lines: String,
}

/// One result of a text.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub struct KeptResult {
    /// Whether it has columns, though it may have no rows.
    pub has_columns: bool,
    /// Their names.
    pub columns: Vec<String>,
    /// How many rows it had.
    pub rows: u64,
    /// The last of them.
    pub last: Vec<Option<String>>,
}

/// The results of a text, if they are kept.
#[derive(Debug, Default)]
pub struct KeptResults {
    /// In their order.
    pub all: Vec<KeptResult>,
    notices: Notices,
    open: bool,
    broken: bool,
}

/// The notices of a reply, as the server's own programs show them.
#[derive(Debug, Default)]
struct Notices(Vec<String>);

impl Rows for Notices {
    const LOOKS: bool = false;
    const NOTICES: bool = true;

    #[cold]
    fn notice(&mut self, body: &[u8]) {
        // What cannot be read is no notice; the reply itself does not depend on it.
        if let Ok(mut notice) = ServerError::parse(body)
            && self.0.len() < MOST_NOTICES
        {
            // Shown for errors only.
            notice.report.context = None;
            self.0.push(lines(&notice, None));
        }
    }
}

impl PostgresSession {
    /// The session of a connection to PostgreSQL.
    pub fn of(connection: Connection) -> Option<PostgresSession> {
        let Connection::Postgres(connection) = connection else { return None };
        Some(PostgresSession {
            connection,
            queued: Out::default(),
            status: OpenTransaction::None,
            copied: false,
            notices: Vec::new(),
        })
    }

    /// Sends SQL text of one statement or several, which need not be UTF-8.
    pub async fn query(&mut self, sql: &[u8], kept: Option<&mut KeptResults>) -> Result<Reply, SessionError> {
        let begun = self.connection.exchange.begin(|out| out.query_bytes(sql).map_err(fault));
        begun.map_err(SessionError::own)?;
        self.finish(Some(sql), kept).await
    }

    /// Prepares a statement with `$1`, `$2`, … under a name.
    pub async fn prepare(&mut self, name: &str, sql: &[u8]) -> Result<(), SessionError> {
        let begun = self.connection.exchange.begin(|out| {
            out.parse(name, sql).map_err(fault)?;
            out.sync();
            Ok(())
        });
        begun.map_err(SessionError::own)?;
        self.finish(Some(sql), None).await.map(|_| ())
    }

    /// Executes a statement that is parsed for this execution only.
    pub async fn execute(
        &mut self,
        sql: &[u8],
        values: &[Option<&[u8]>],
        kept: Option<&mut KeptResults>,
    ) -> Result<Reply, SessionError> {
        let begun = self.connection.exchange.begin(|out| {
            out.parse("", sql).map_err(fault)?;
            out.execute_text("", values.iter().copied()).map_err(fault)?;
            out.sync();
            Ok(())
        });
        begun.map_err(SessionError::own)?;
        self.finish(Some(sql), kept).await
    }

    /// Executes a statement that was prepared under a name.
    #[inline]
    pub async fn execute_prepared(
        &mut self,
        name: &str,
        values: &[Option<&[u8]>],
        kept: Option<&mut KeptResults>,
    ) -> Result<Reply, SessionError> {
        let begun = self.connection.exchange.begin(|out| {
            out.execute_text(name, values.iter().copied()).map_err(fault)?;
            out.sync();
            Ok(())
        });
        begun.map_err(SessionError::own)?;
        self.finish(None, kept).await
    }

    /// Adds a statement to the pipeline: one that is parsed for this execution only, or a prepared one.
    pub fn queue(&mut self, name: &str, sql: Option<&[u8]>, values: &[Option<&[u8]>]) -> Result<(), SessionError> {
        let mut write = || {
            if let Some(sql) = sql {
                self.queued.parse(name, sql)?;
            }
            self.queued.execute_text(name, values.iter().copied())
        };
        write().map_err(fault).map_err(SessionError::own)
    }

    /// Sends the pipeline and waits for all its replies. After an error the server skips the rest.
    pub async fn sync(&mut self) -> Result<Reply, SessionError> {
        self.queued.sync();
        let Self { connection, queued, .. } = self;
        let begun = connection.exchange.begin(|out| {
            out.append(queued);
            Ok(())
        });
        self.queued.clear();
        begun.map_err(SessionError::own)?;
        self.finish(None, None).await
    }

    /// Sends `COPY … FROM STDIN` and the rows of `source`.
    pub async fn load(&mut self, sql: &str, source: &mut dyn Source) -> Result<(), SessionError> {
        let loaded = self.connection.load_local(sql, source).await;
        loaded.map(|_| ()).map_err(|error| {
            let lines = format!("ERROR:  {}", error.message());
            SessionError { error, lines }
        })
    }

    /// What the server has said beside its replies since the last call, a text of one line or more each.
    #[inline]
    pub fn notices(&mut self) -> std::vec::Drain<'_, String> {
        self.notices.drain(..)
    }

    /// Whether a transaction is open.
    pub fn transaction(&self) -> OpenTransaction {
        self.status
    }

    /// Whether the last statement was a COPY from or to the client, or one of several in its text.
    pub fn copied(&self) -> bool {
        self.copied
    }

    /// Whether its transactions only read, as the server's library asks before it takes a connection.
    pub async fn is_read_only(&mut self) -> Result<bool, SessionError> {
        self.says(b"SHOW transaction_read_only", "on").await
    }

    /// Whether the server is a standby, which repeats what another one does.
    pub async fn is_standby(&mut self) -> Result<bool, SessionError> {
        self.says(b"SELECT pg_catalog.pg_is_in_recovery()", "t").await
    }

    async fn says(&mut self, sql: &[u8], text: &str) -> Result<bool, SessionError> {
        let mut kept = KeptResults::default();
        self.query(sql, Some(&mut kept)).await?;
        let answer = kept.all.first().and_then(|result| result.last.first());
        Ok(answer.and_then(Option::as_deref) == Some(text))
    }

    /// Ends the connection in order. What is still in the pipeline reaches the server, which executes it and rolls it back.
    pub async fn close(self) {
        self.connection.close_after(self.queued).await;
    }

    async fn finish(&mut self, sql: Option<&[u8]>, kept: Option<&mut KeptResults>) -> Result<Reply, SessionError> {
        let exchange = &mut self.connection.exchange;
        let mut notices = Notices::default();
        let read = match kept {
            None => exchange.read(&mut notices).await,
            Some(kept) => {
                kept.clear();
                let read = exchange.read(kept).await;
                notices.0 = std::mem::take(&mut kept.notices.0);
                match read {
                    Ok(Fed::Done) if kept.broken => Err(fault(Fault::Malformed("row"))),
                    read => read,
                }
            }
        };
        if self.notices.len() < MOST_NOTICES {
            self.notices.append(&mut notices.0);
        }
        self.status = match exchange.status() {
            b'T' => OpenTransaction::Open,
            b'E' => OpenTransaction::Failed,
            _ => OpenTransaction::None,
        };
        self.copied = exchange.copies_out() || matches!(read, Ok(Fed::WantsData));
        match read.map_err(SessionError::own)? {
            Fed::Done | Fed::More(_) => Ok(exchange.reply()),
            Fed::Refused(error) => Err(SessionError::told(error, sql)),
            // A script cannot offer rows: the statement is declined, and the connection can be used further.
            Fed::WantsData => match exchange.decline().await {
                Ok(reply) => Ok(reply),
                Err(error) => Err(SessionError::own(error)),
            },
        }
    }
}

impl SessionError {
    /// An error that no server reported.
    fn own(error: Error) -> SessionError {
        let lines = match error.class() {
            Class::Lost => GONE.to_owned(),
            _ => error.message().to_owned(),
        };
        SessionError { error, lines }
    }

    fn told(error: ServerError, sql: Option<&[u8]>) -> SessionError {
        let lines = lines(&error, sql);
        SessionError { error: refused(error), lines }
    }

    /// A problem of a client's own with what it received.
    pub fn of_client(lines: String) -> SessionError {
        SessionError { error: Error::new(Class::Sql, foreign(&lines)), lines }
    }
}

/// What PostgreSQL's programs say of a lost connection.
const GONE: &str = "server closed the connection unexpectedly";

/// An error as the server's own programs show it.
fn lines(error: &ServerError, sql: Option<&[u8]>) -> String {
    let report = &error.report;
    let mut text = format!("{}:  {}", report.severity, report.message);
    if let (Some(position), Some(sql)) = (report.position, sql) {
        text += &place(&String::from_utf8_lossy(sql), position as usize);
    }
    for (word, part) in [("DETAIL", &report.detail), ("HINT", &error.hint), ("CONTEXT", &report.context)] {
        if let Some(part) = part {
            text += &format!("\n{word}:  {part}");
        }
    }
    text
}

/// The most characters of a statement's line that are shown.
const SHOWN: usize = 60;

/// How many of them stand behind the place, if there are that many.
const KEPT_BEHIND: usize = 10;

/// The line of a statement in which character `position` (from 1) is, with a mark below it.
fn place(sql: &str, position: usize) -> String {
    let chars: Vec<char> = sql.chars().collect();
    let at = position.saturating_sub(1).min(chars.len());
    let from = chars[..at].iter().rposition(|c| *c == '\n').map_or(0, |n| n + 1);
    let to = chars[at..].iter().position(|c| *c == '\n').map_or(chars.len(), |n| at + n);
    let number = chars[..at].iter().filter(|c| **c == '\n').count() + 1;
    let (mut first, mut last) = (from, to);
    if last - first > SHOWN {
        // As PostgreSQL's library cuts a line: its end first, unless the place is near it.
        last = (from + SHOWN).max(to.min(at + KEPT_BEHIND));
        first = from.max(last.saturating_sub(SHOWN));
    }
    let (before, after) = (if first > from { "..." } else { "" }, if last < to { "..." } else { "" });
    let shown: String = chars[first..last].iter().map(|c| if c.is_control() { ' ' } else { *c }).collect();
    let head = format!("LINE {number}: {before}");
    format!("\n{head}{shown}{after}\n{}^", " ".repeat(head.chars().count() + at - first))
}

impl KeptResults {
    fn clear(&mut self) {
        self.all.clear();
        (self.open, self.broken) = (false, false);
    }
}

impl Rows for KeptResults {
    const LOOKS: bool = true;
    const NOTICES: bool = true;

    fn notice(&mut self, body: &[u8]) {
        self.notices.notice(body);
    }

    fn columns(&mut self, body: &[u8]) {
        let mut result = KeptResult { has_columns: true, ..KeptResult::default() };
        match value::columns(body) {
            Ok(all) => result.columns = all.iter().map(|c| String::from_utf8_lossy(c.name).into_owned()).collect(),
            Err(_) => self.broken = true,
        }
        self.open = true;
        self.all.push(result);
    }

    fn row(&mut self, body: &[u8]) {
        let Some(result) = self.all.last_mut() else { return };
        result.rows += 1;
        match value::row(body) {
            Ok(values) if values.len() == result.columns.len() => {
                let text = |v: Option<&[u8]>| v.map(|v| String::from_utf8_lossy(v).into_owned());
                result.last = values.into_iter().map(text).collect();
            }
            _ => self.broken = true,
        }
    }

    fn changed(&mut self, _rows: u64) {
        if !self.open {
            self.all.push(KeptResult::default());
        }
    }

    fn end(&mut self) {
        self.open = false;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_error_is_shown_with_its_place() {
        let fields = b"SERROR\0VERROR\0C42703\0Mcolumn \"nonsense\" does not exist\0P8\0\0";
        let error = ServerError::parse(fields).unwrap();
        assert_eq!(
            lines(&error, Some(b"SELECT nonsense;")),
            "ERROR:  column \"nonsense\" does not exist\nLINE 1: SELECT nonsense;\n               ^"
        );
        let fields = b"SERROR\0VERROR\0C22P02\0Minvalid\0Dthe detail\0Hthe hint\0Wunnamed portal\0\0";
        let error = ServerError::parse(fields).unwrap();
        let shown = "ERROR:  invalid\nDETAIL:  the detail\nHINT:  the hint\nCONTEXT:  unnamed portal";
        assert_eq!(lines(&error, None), shown);
        let mut notices = Notices::default();
        notices.notice(b"SNOTICE\0VNOTICE\0C00000\0Mhi\0WPL/pgSQL function f() line 1 at RAISE\0\0");
        assert_eq!(notices.0, ["NOTICE:  hi"]);
    }

    #[test]
    fn long_lines_are_cut_around_the_place() {
        let sql = format!("BEGIN;\n{} X {}", "a".repeat(80), "b".repeat(80));
        let shown = place(&sql, 89);
        let [_, line, mark] = shown.split('\n').collect::<Vec<_>>()[..] else { panic!("{shown}") };
        assert!(line.starts_with("LINE 2: ...") && line.ends_with("..."), "{line}");
        assert_eq!(line.chars().nth(mark.chars().count() - 1), Some('X'));
        // As of pgbench 15.18.
        let sql = "select 5::text, '12:30', 'x5', ':aa', 55, ::a, :a1 from (values(1)) v(x) where x=5-4;";
        let shown = "\nLINE 1: select 5::text, '12:30', 'x5', ':aa', 55, ::a, :a1 from (val...\n";
        assert_eq!(place(sql, 43), format!("{shown}{}^", " ".repeat(50)));
        assert_eq!(place("", 1), "\nLINE 1: \n        ^");
    }
}
