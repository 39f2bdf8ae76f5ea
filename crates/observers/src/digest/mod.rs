//! What a server counts by statement: read once at the start and once at the end of the measured window, so that it
//! costs the server two queries in a trial.
//!
//! A server that does not count statements is no failure of the observer: the report says why, and which command
//! changes it.

mod mysql;
mod postgres;

use super::session::ObserverSession;
use super::{Observer, ObserverEntry, Sample, Subject};
use std::time::Instant;
use tenbin_driver::{Connection, Table};
use tenbin_model::digest::{DigestCounts, DigestReport, DigestSnapshot, MOST, StatementDigest, between};
use tenbin_model::dsn::Scheme;
use tenbin_words::msg;
use tenbin_words::problem::Problem;
use tenbin_words::secret;
use tenbin_words::text::short;

pub(super) const ENTRY: ObserverEntry = ObserverEntry {
    name: "server.statements",
    readings: |_| Vec::new(),
    connects: true,
    edges: true,
    make: |subject| {
        let scheme = subject.connector.dsn().scheme;
        scheme.kind().is_server.then(|| Box::new(Digests::of(subject)) as Box<dyn Observer>)
    },
    ..ObserverEntry::REGULAR
};

/// The most characters of a statement that are recorded.
const MOST_CHARACTERS: usize = 500;

/// The counters of a server's statements, step by step.
struct Digests {
    session: ObserverSession<Source>,
    scheme: Scheme,
    /// The schema or database of the clients.
    schema: String,
    origin: Instant,
    step: DigestStep,
}

/// What was read so far.
enum DigestStep {
    /// Nothing: the first call only connects.
    Connect,
    /// The connection is open: the next call reads the counters.
    First,
    /// The counters at the start of the window, and when that was; or why there are none.
    Second(Result<DigestRead, Problem>, u64),
    /// Everything.
    Done,
}

/// How a server is asked for its counters.
struct Source {
    /// The query, whose columns are those of [`digest`] and the key.
    query: String,
    /// The size of the table that holds them, if the server has that as a variable.
    size: Option<String>,
}

/// The counters at one time.
#[derive(Default)]
struct DigestRead {
    statements: DigestSnapshot,
    /// Prepared statements, whose counters the server drops when a connection closes.
    prepared: DigestSnapshot,
    /// The same of other schemas.
    prepared_by_others: DigestSnapshot,
    /// Executions that the server could not attribute to a statement, or statements that it gave up for others, because
    /// the table was full.
    lost: u64,
    /// The size of the table, if it is known.
    size: Option<String>,
}

impl Digests {
    fn of(subject: &Subject) -> Digests {
        let dsn = subject.connector.dsn();
        Digests {
            session: ObserverSession::new(subject),
            scheme: dsn.scheme,
            schema: dsn.database.clone(),
            origin: subject.origin,
            step: DigestStep::Connect,
        }
    }

    fn ask(&mut self, read: bool) -> Result<DigestRead, Problem> {
        let (scheme, schema) = (self.scheme, self.schema.as_str());
        let learn = async |connection: &mut Connection| match scheme {
            Scheme::Postgres => postgres::source(connection).await,
            _ => mysql::source(connection).await,
        };
        let ask = async |connection: &mut Connection, source: &Source| {
            if !read {
                return Ok(DigestRead::default());
            }
            let table = connection.table(&source.query).await.map_err(|e| match scheme {
                Scheme::Postgres => postgres::refused(&e),
                _ => mysql::refused(&e),
            })?;
            let mut counted = DigestRead { size: source.size.clone(), ..DigestRead::default() };
            for row in &table.rows {
                match scheme {
                    Scheme::Postgres => postgres::take(row, schema, &mut counted),
                    _ => mysql::take(row, schema, &mut counted),
                }
            }
            Ok(counted)
        };
        self.session.ask(learn, ask)
    }

    fn report(
        &self,
        before: Result<DigestRead, Problem>,
        from_ns: u64,
        after: Result<DigestRead, Problem>,
    ) -> DigestReport {
        let mut report = DigestReport { from_ns, to_ns: self.now_ns(), ..DigestReport::default() };
        match (before, after) {
            (Ok(before), Ok(after)) => {
                let (mut all, reset) = between(&before.statements, &after.statements);
                // What others prepared and closed does not matter.
                all.extend(between(&before.prepared_by_others, &after.prepared_by_others).0);
                let (prepared, closed) = between(&before.prepared, &after.prepared);
                report.problems.extend(closed.then(|| Problem::new(msg!("prepared-statements-closed"))));
                // MariaDB 10.11 lists prepared statements, and counts no executions of them.
                let not_counted = !after.prepared.is_empty() && prepared.is_empty();
                report.problems.extend(not_counted.then(|| {
                    Problem::new(msg!("prepared-statements-not-counted")).hint(msg!("send-statements-as-text"))
                }));
                all.extend(prepared);
                all.sort_by_key(|digest| std::cmp::Reverse(digest.counts.total_ns));
                let rest = all.split_off(all.len().min(MOST));
                rest.iter().for_each(|digest| report.others.add(&digest.counts));
                report.statements = all;
                let lost = after.lost.saturating_sub(before.lost);
                let size = after.size.as_deref();
                report.problems.extend(match self.scheme {
                    // Statements that were given up are missing, which is no reset.
                    Scheme::Postgres if lost > 0 => Some(postgres::full(lost, size)),
                    _ if reset => Some(counters_reset()),
                    _ if lost > 0 => Some(mysql::full(lost, size)),
                    _ => None,
                });
            }
            (Err(problem), _) | (_, Err(problem)) => report.problems.push(problem),
        }
        report
    }

    fn now_ns(&self) -> u64 {
        self.origin.elapsed().as_nanos() as u64
    }
}

impl Observer for Digests {
    fn disconnect(&mut self) {
        self.session.close();
    }

    fn read(&mut self) -> Result<Sample, Problem> {
        let mut statements = None;
        self.step = match std::mem::replace(&mut self.step, DigestStep::Done) {
            DigestStep::Connect => match self.ask(false) {
                Ok(_) => DigestStep::First,
                Err(problem) => DigestStep::Second(Err(problem), self.now_ns()),
            },
            DigestStep::First => {
                let from_ns = self.now_ns();
                DigestStep::Second(self.ask(true), from_ns)
            }
            DigestStep::Second(before, from_ns) => {
                let after = if before.is_ok() { self.ask(true) } else { Ok(DigestRead::default()) };
                statements = Some(self.report(before, from_ns, after));
                DigestStep::Done
            }
            DigestStep::Done => DigestStep::Done,
        };
        Ok(Sample { statements, ..Sample::default() })
    }
}

/// A row of key, schema, text and counts in the order of [`DigestCounts`], times in units of `unit_ns` nanoseconds.
fn digest(row: &[Option<String>], schema: &str, unit_ns: f64) -> Option<(String, StatementDigest)> {
    let number = |at: usize| row.get(at)?.as_deref()?.parse::<f64>().ok();
    let whole = |at: usize| number(at).unwrap_or(0.0) as u64;
    let own = row.get(1)?.clone().filter(|schema| !schema.is_empty());
    let counts = DigestCounts {
        count: number(3)? as u64,
        total_ns: (number(4)? * unit_ns) as u64,
        errors: whole(5),
        rows: whole(6),
        rows_examined: whole(7),
        no_index: whole(8),
        tmp_disk_tables: whole(9),
    };
    let text = short(&secret::without_literals(row.get(2)?.as_deref()?.trim_end()), MOST_CHARACTERS);
    let foreign = own.as_deref().is_some_and(|own| own != schema);
    Some((row.first()?.clone()?, StatementDigest { text, schema: own.map(|s| short(&s, 64)), foreign, counts }))
}

fn counters_reset() -> Problem {
    Problem::new(msg!("statement-counters-reset")).hint(msg!("keep-counters-from-resets"))
}

/// The first column of all rows.
fn first_column(table: &Table) -> Vec<&str> {
    table.rows.iter().filter_map(|row| row.first()?.as_deref()).collect()
}
