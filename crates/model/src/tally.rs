//! The counts of a period: transactions, statements and errors, with what became of every scheduled start.

use crate::accounting::add;
use crate::histogram::Histogram;
use crate::omit;
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::ops::Not;

pub use crate::accounting::{Accounting, CountedBy};

/// Counts and times of one transaction name.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct TransactionTally {
    /// Ended successfully.
    pub completed: u64,
    /// Ended with an error after all retries.
    pub failed: u64,
    /// Attempts beyond the first, after transient conflicts or lost connections.
    pub retries: u64,
    /// Completed in the measured window of those that had fallen due before it: its part of [`Accounting::carried`].
    #[serde(default, skip_serializing_if = "omit::zero")]
    pub carried: u64,
    /// The same of those that failed.
    #[serde(default, skip_serializing_if = "omit::zero")]
    pub carried_failed: u64,
    /// Intended start to last row, of completed ones.
    pub response: Histogram,
    /// Actual start to last row, of completed ones.
    pub service: Histogram,
    /// Intended start to actual start, of completed ones.
    pub wait: Histogram,
    /// Actual start to the error, of failed ones: the time of failures is recorded too.
    pub failed_service: Histogram,
}

/// The kind of a statement, as counted by sysbench.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum StatementKind {
    /// Returns rows.
    Read,
    /// Changes rows.
    Write,
    /// BEGIN, COMMIT and the like.
    #[default]
    Other,
}

/// Counts and times of one statement name.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct StatementTally {
    /// The kind of the statements of this name. Absent in older logs: `other`.
    #[serde(default)]
    pub kind: StatementKind,
    /// Ended successfully.
    pub completed: u64,
    /// Statements beyond the first in the texts of these, where one text had several (`\;` in scripts): the server counts each of them.
    #[serde(default, skip_serializing_if = "omit::zero")]
    pub more: u64,
    /// The same in the texts of those that failed: the server executed at most this number of them beside the one that failed.
    #[serde(default, skip_serializing_if = "omit::zero")]
    pub more_failed: u64,
    /// Of these, those that neither returned nor changed a row (a DELETE of a row that no longer exists).
    #[serde(default)]
    pub empty: u64,
    /// Rows returned or changed; bytes for the tests of CPU, memory and storage, which have no rows.
    pub rows: u64,
    /// Of these, those whose values were sent as parameters, as far as the workload says.
    #[serde(default, skip_serializing_if = "omit::zero")]
    pub as_parameters: u64,
    /// The same of values that were written into the text.
    #[serde(default, skip_serializing_if = "omit::zero")]
    pub as_text: u64,
    /// Sent to last row, of completed ones.
    pub service: Histogram,
    /// Number of occurrences by error code (the server's number, or a class name such as `lost`).
    pub errors: BTreeMap<String, u64>,
    /// Completed in the measured window for starts that had fallen due before it: its part of [`Carried::statements`].
    #[serde(default, skip_serializing_if = "omit::zero")]
    pub carried: u64,
    /// The errors of those that failed in the measured window for starts that had fallen due before it ([`Carried::failed_statements`]).
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub carried_errors: BTreeMap<String, u64>,
}

/// The name under which connects are counted: all that failed after a loss or in the middle of a trial; and those that succeeded, if
/// the workload times them. They are no statements that the server executed.
pub const CONNECT: &str = "connect";

/// All counts of a period, by name.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Tally {
    /// What became of every intended start.
    pub accounting: Accounting,
    /// Connections reopened after a loss.
    pub reconnects: u64,
    /// Statements that clients sent when they had connected again, in no transaction.
    #[serde(default, skip_serializing_if = "omit::zero")]
    pub session_statements: u64,
    /// Completed transactions after whose last statement a transaction of the session was open, as far as the server says: they were not committed
    /// with it.
    #[serde(default, skip_serializing_if = "omit::zero")]
    pub left_open: u64,
    /// Time that clients spent without a connection after losing it, all clients together, nanoseconds.
    #[serde(default, skip_serializing_if = "omit::zero")]
    pub unavailable_ns: u64,
    /// Time that clients spent in transactions, all clients together, nanoseconds: of each one as far as it lies within its phase,
    /// also of those that had not ended at the end of the measured window, and of those that are counted in no phase, and with the ROLLBACK
    /// after one that failed. Absent for a process that did not report it.
    #[serde(default, skip_serializing_if = "omit::zero")]
    pub in_progress_ns: u64,
    /// Time that clients paused between transactions by themselves, likewise.
    #[serde(default, skip_serializing_if = "omit::zero")]
    pub paused_ns: u64,
    /// What was done in the measured window for starts that had fallen due before it, where the start decides.
    #[serde(default, skip_serializing_if = "Carried::is_none")]
    pub carried: Carried,
    /// Open loop, in the last interval: starts that were due and not answered at the end, by how long they had waited.
    #[serde(default, skip_serializing_if = "is_empty")]
    pub unanswered: Histogram,
    /// By transaction name.
    pub transactions: BTreeMap<String, TransactionTally>,
    /// By statement name.
    pub statements: BTreeMap<String, StatementTally>,
    /// Counters of the workload, by name; only for completed transactions.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub counters: BTreeMap<String, u64>,
    /// What became of the starts of each group of clients, by its name; their sums are those above. Its transactions and statements have names that
    /// begin with its own ([`group_prefix`]).
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub groups: BTreeMap<String, GroupTally>,
    /// Of an interval after the end of the measured window, in which transactions in progress were waited for.
    #[serde(default, skip_serializing_if = "Not::not")]
    pub drained: bool,
}

/// What was done in the measured window for starts that had fallen due before it, where the start decides ([`CountedBy::Start`]). It is in no other
/// count of statements and times but what each name of a statement has of it; how many of these completed is [`Accounting::carried`].
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Carried {
    /// Statements that completed.
    pub statements: u64,
    /// Statements that failed, and the ROLLBACKs after them.
    #[serde(default, skip_serializing_if = "omit::zero")]
    pub failed_statements: u64,
    /// Actual start to last row or error, as far as it lies within the window, all together, nanoseconds.
    pub service_ns: u64,
}

impl Carried {
    /// Whether there was nothing.
    pub fn is_none(&self) -> bool {
        *self == Carried::default()
    }

    /// Adds another period.
    pub fn merge(&mut self, other: &Carried) {
        let Carried { statements, failed_statements, service_ns } = other;
        add(&mut self.statements, *statements);
        add(&mut self.failed_statements, *failed_statements);
        add(&mut self.service_ns, *service_ns);
    }
}

/// How the names of the transactions and statements of a group of clients begin.
pub fn group_prefix(name: &str) -> String {
    format!("{name}: ")
}

/// What became of the starts of one group of clients.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct GroupTally {
    /// Its starts.
    pub accounting: Accounting,
    /// At a rate, in the last interval: its starts that were due and not answered at the end, by how long they had waited.
    #[serde(default, skip_serializing_if = "is_empty")]
    pub unanswered: Histogram,
}

/// The figures of one group of clients.
#[derive(Debug, Clone, PartialEq)]
pub struct GroupFigures {
    /// What became of its starts.
    pub accounting: Accounting,
    /// All of its transactions, with its starts that were not answered in their response times ([`Tally::all_starts`]).
    pub all: TransactionTally,
    /// Errors of its statements, by code.
    pub errors: BTreeMap<String, u64>,
}

fn is_empty(histogram: &Histogram) -> bool {
    histogram.count() == 0
}

/// Completed statements by what they did.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Queries {
    /// Returned rows.
    pub reads: u64,
    /// Changed rows.
    pub writes: u64,
    /// Neither.
    pub others: u64,
}

impl Queries {
    /// All together.
    pub fn total(&self) -> u64 {
        self.reads + self.writes + self.others
    }
}

/// What each client completed in the measured window, by its number: shows how evenly the load was distributed.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PerClient {
    /// Completed transactions.
    pub completed: Vec<u64>,
    /// The sum of their response times, nanoseconds.
    pub response_ns: Vec<u64>,
    /// The shortest of them, nanoseconds; 0 when there is none.
    pub min_ns: Vec<u64>,
    /// The longest, nanoseconds.
    pub max_ns: Vec<u64>,
    /// Of the completed ones, those whose rows were not written, because what the client sent at last, or sent for many at once, failed;
    /// empty if there are none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub unwritten: Vec<u64>,
}

impl PerClient {
    /// Completed transactions of each client whose rows, if any, were written.
    pub fn written(&self) -> impl Iterator<Item = u64> + '_ {
        let unwritten = self.unwritten.iter().copied().chain(std::iter::repeat(0));
        self.completed.iter().zip(unwritten).map(|(completed, unwritten)| completed.saturating_sub(unwritten))
    }

    /// Whether there is no client in it.
    pub fn is_empty(&self) -> bool {
        self.completed.is_empty()
    }
}

impl TransactionTally {
    /// The time in the server, nanoseconds: from the actual start to the last row or to the error, all added up. What failed
    /// took time too.
    pub fn service_ns(&self) -> f64 {
        self.service.sum_ns() + self.failed_service.sum_ns()
    }

    /// Adds another period of the same name.
    pub fn merge(&mut self, other: &TransactionTally) {
        let TransactionTally {
            completed,
            failed,
            retries,
            carried,
            carried_failed,
            response,
            service,
            wait,
            failed_service,
        } = other;
        add(&mut self.completed, *completed);
        add(&mut self.failed, *failed);
        add(&mut self.retries, *retries);
        add(&mut self.carried, *carried);
        add(&mut self.carried_failed, *carried_failed);
        self.response.merge(response);
        self.service.merge(service);
        self.wait.merge(wait);
        self.failed_service.merge(failed_service);
    }
}

impl GroupTally {
    /// Adds another period of the same group.
    pub fn merge(&mut self, other: &GroupTally) {
        let GroupTally { accounting, unanswered } = other;
        self.accounting.merge(accounting);
        self.unanswered.merge(unanswered);
    }
}

impl StatementTally {
    /// How many statements the server executed for those that completed.
    pub fn executed(&self) -> u64 {
        self.completed.saturating_add(self.more)
    }

    /// Adds another period of the same name.
    pub fn merge(&mut self, other: &StatementTally) {
        let StatementTally {
            kind,
            completed,
            more,
            more_failed,
            empty,
            rows,
            as_parameters,
            as_text,
            service,
            errors,
            carried,
            carried_errors,
        } = other;
        self.kind = *kind;
        add(&mut self.carried, *carried);
        add(&mut self.completed, *completed);
        add(&mut self.more, *more);
        add(&mut self.more_failed, *more_failed);
        add(&mut self.empty, *empty);
        add(&mut self.rows, *rows);
        add(&mut self.as_parameters, *as_parameters);
        add(&mut self.as_text, *as_text);
        self.service.merge(service);
        for (all, more) in [(&mut self.errors, errors), (&mut self.carried_errors, carried_errors)] {
            more.iter().for_each(|(code, n)| add(all.entry(code.clone()).or_default(), *n));
        }
    }

    /// Its errors by code, also for starts that had fallen due before the measured window.
    pub fn all_errors(&self) -> BTreeMap<String, u64> {
        errors_of([self].into_iter())
    }
}

impl Tally {
    /// Adds another period, name by name.
    pub fn merge(&mut self, other: &Tally) {
        let Tally {
            accounting,
            reconnects,
            session_statements,
            left_open,
            unavailable_ns,
            in_progress_ns,
            paused_ns,
            carried,
            unanswered,
            transactions,
            statements,
            counters,
            groups,
            drained,
        } = other;
        self.drained |= drained;
        self.carried.merge(carried);
        add(&mut self.in_progress_ns, *in_progress_ns);
        add(&mut self.paused_ns, *paused_ns);
        self.accounting.merge(accounting);
        add(&mut self.reconnects, *reconnects);
        add(&mut self.session_statements, *session_statements);
        add(&mut self.left_open, *left_open);
        add(&mut self.unavailable_ns, *unavailable_ns);
        self.unanswered.merge(unanswered);
        for (name, t) in transactions {
            self.transactions.entry(name.clone()).or_default().merge(t);
        }
        for (name, s) in statements {
            self.statements.entry(name.clone()).or_default().merge(s);
        }
        for (name, n) in counters {
            *self.counters.entry(name.clone()).or_default() += n;
        }
        for (name, group) in groups {
            self.groups.entry(name.clone()).or_default().merge(group);
        }
    }

    /// The figures of the group of clients with this name.
    pub fn group(&self, name: &str) -> GroupFigures {
        let (prefix, starts) = (group_prefix(name), self.groups.get(name).cloned().unwrap_or_default());
        let mut all = TransactionTally::default();
        let own = self.transactions.iter().filter(|(name, _)| name.starts_with(&prefix));
        own.for_each(|(_, transaction)| all.merge(transaction));
        add_unanswered(&mut all.response, &starts.unanswered);
        let statements = self.statements.iter().filter(|(name, _)| name.starts_with(&prefix));
        GroupFigures { accounting: starts.accounting, all, errors: errors_of(statements.map(|(_, s)| s)) }
    }

    /// What the group of clients with this name counted, as if it had been alone.
    pub fn of_group(&self, name: &str) -> Tally {
        let (prefix, starts) = (group_prefix(name), self.groups.get(name).cloned().unwrap_or_default());
        let transactions = self.transactions.iter().filter(|(name, _)| name.starts_with(&prefix));
        let statements = self.statements.iter().filter(|(name, _)| name.starts_with(&prefix));
        Tally {
            accounting: starts.accounting,
            unanswered: starts.unanswered,
            transactions: transactions.map(|(name, t)| (name.clone(), t.clone())).collect(),
            statements: statements.map(|(name, s)| (name.clone(), s.clone())).collect(),
            ..Tally::default()
        }
    }

    /// Its histograms, in an order that depends on its names only.
    pub(crate) fn histograms(&mut self) -> impl Iterator<Item = &mut Histogram> {
        let transactions = self.transactions.values_mut();
        let of_transactions =
            transactions.flat_map(|t| [&mut t.response, &mut t.service, &mut t.wait, &mut t.failed_service]);
        let of_statements = self.statements.values_mut().map(|s| &mut s.service);
        let of_groups = self.groups.values_mut().map(|group| &mut group.unanswered);
        [&mut self.unanswered].into_iter().chain(of_transactions).chain(of_statements).chain(of_groups)
    }

    /// Makes its histograms small until more is added; see [`Histogram::pack`].
    pub fn pack(&mut self) {
        self.histograms().for_each(Histogram::pack);
    }

    /// All transaction names together.
    pub fn all_transactions(&self) -> TransactionTally {
        let mut each = self.transactions.values();
        let mut all = each.next().cloned().unwrap_or_default();
        each.for_each(|t| all.merge(t));
        all
    }

    /// The same without a copy, if there is one name.
    pub fn transactions_together(&self) -> Cow<'_, TransactionTally> {
        let mut each = self.transactions.values();
        match (each.next(), each.next()) {
            (Some(only), None) => Cow::Borrowed(only),
            _ => Cow::Owned(self.all_transactions()),
        }
    }

    /// [`Self::all_transactions`], but starts of the open loop that were not answered at the end are included in the
    /// response times with the time they had waited, so that mean, percentiles and maximum are lower bounds. Otherwise a
    /// server that no longer answers would have the percentiles of its earlier responses. Those that had waited for less than
    /// any that was answered count with the shortest of these: they would not have been answered sooner.
    pub fn all_starts(&self) -> TransactionTally {
        let mut all = self.all_transactions();
        add_unanswered(&mut all.response, &self.unanswered);
        all
    }

    /// Completed statements, all that the server executed for them. Connects, which some workloads time, are none.
    pub fn executed(&self) -> u64 {
        self.statements.iter().filter(|(name, _)| name.as_str() != CONNECT).map(|(_, s)| s.executed()).sum()
    }

    /// Completed statements by what they did, as sysbench counts them: a write that changed nothing is `other`.
    pub fn queries(&self) -> Queries {
        let mut all = Queries::default();
        for s in self.statements.values() {
            match s.kind {
                StatementKind::Read => add(&mut all.reads, s.executed()),
                StatementKind::Write => {
                    add(&mut all.writes, s.executed() - s.empty.min(s.completed));
                    add(&mut all.others, s.empty.min(s.completed));
                }
                StatementKind::Other => add(&mut all.others, s.executed()),
            }
        }
        all
    }

    /// The same with those for starts that had fallen due before the measured window. Of these it is not known which changed nothing.
    pub fn all_queries(&self) -> Queries {
        let mut all = self.queries();
        for s in self.statements.values() {
            match s.kind {
                StatementKind::Read => add(&mut all.reads, s.carried),
                StatementKind::Write => add(&mut all.writes, s.carried),
                StatementKind::Other => add(&mut all.others, s.carried),
            }
        }
        all
    }

    /// Statements that the server refused: all errors but those of connects.
    pub fn failed_statements(&self) -> u64 {
        let statements = self.statements.iter().filter(|(name, _)| *name != CONNECT);
        statements.flat_map(|(_, s)| s.errors.values()).fold(0, |all, n| all.saturating_add(*n))
    }

    /// How many statements the server executed at most in texts of several that failed, beside those that failed themselves.
    pub fn before_failures(&self) -> u64 {
        self.statements.values().fold(0, |all, statement| all.saturating_add(statement.more_failed))
    }

    /// Errors of connects, by code.
    pub fn connect_errors(&self) -> BTreeMap<String, u64> {
        self.statements.get(CONNECT).map(|connects| connects.errors.clone()).unwrap_or_default()
    }

    /// Errors of all statements and connects, by code; also for starts that had fallen due before the measured window.
    pub fn errors(&self) -> BTreeMap<String, u64> {
        errors_of(self.statements.values())
    }
}

/// Adds starts that were not answered to the response times of those that were.
fn add_unanswered(answered: &mut Histogram, unanswered: &Histogram) {
    if unanswered.count() == 0 {
        return;
    }
    let shortest_ns = answered.min_ns();
    if unanswered.min_ns() >= shortest_ns {
        return answered.merge(unanswered);
    }
    unanswered.buckets().for_each(|(ns, count)| answered.record_n(ns.max(shortest_ns), count));
}

fn errors_of<'s>(statements: impl Iterator<Item = &'s StatementTally>) -> BTreeMap<String, u64> {
    let mut all = BTreeMap::new();
    for (code, n) in statements.flat_map(|s| s.errors.iter().chain(&s.carried_errors)) {
        add(all.entry(code.clone()).or_default(), *n);
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_write_that_changed_nothing_is_neither_read_nor_write() {
        let of = |kind, completed, empty| StatementTally { kind, completed, empty, ..StatementTally::default() };
        let mut tally = Tally::default();
        tally.statements.insert("select".into(), of(StatementKind::Read, 14, 3));
        tally.statements.insert("delete".into(), of(StatementKind::Write, 4, 1));
        tally.statements.insert("commit".into(), of(StatementKind::Other, 2, 2));
        tally.merge(&tally.clone());
        let queries = tally.queries();
        assert_eq!(queries, Queries { reads: 28, writes: 6, others: 6 });
        assert_eq!(queries.total(), 40);
    }

    #[test]
    fn logs_of_before_kinds_were_kept_are_read() {
        let old = r#"{"completed":2,"rows":2,"service":"SERVICE","errors":{}}"#;
        let old = old.replace("SERVICE", &Histogram::new().to_text());
        let read: StatementTally = serde_json::from_str(&old).expect("it is read");
        assert_eq!((read.kind, read.completed, read.empty), (StatementKind::Other, 2, 0));
    }

    #[test]
    fn nonsense_from_a_damaged_log_is_no_panic() {
        let most = u64::MAX;
        let accounting = Accounting {
            begun_before: 0,
            scheduled: most,
            completed: most,
            failed: most,
            skipped: most,
            open: i64::MAX,
            carried: most,
            carried_failed: most,
        };
        let mut tally = Tally { accounting, reconnects: most, ..Tally::default() };
        let statement = StatementTally {
            completed: most,
            rows: most,
            errors: [("1".into(), most)].into(),
            ..StatementTally::default()
        };
        let transaction =
            TransactionTally { completed: most, failed: most, retries: most, ..TransactionTally::default() };
        for name in ["a", "b"] {
            tally.statements.insert(name.into(), statement.clone());
            tally.transactions.insert(name.into(), transaction.clone());
        }
        let again = tally.clone();
        tally.merge(&again);
        assert_eq!((tally.accounting.completed, tally.accounting.open), (most, i64::MAX));
        assert!(!tally.accounting.balances());
        assert_eq!((tally.all_transactions().failed, tally.errors()["1"]), (most, most));
    }

    #[test]
    fn a_start_without_an_answer_lasts_no_less_than_any_that_has_one() {
        let prefix = group_prefix("slow");
        let mut tally = Tally::default();
        let mut done = TransactionTally { completed: 14, ..TransactionTally::default() };
        done.response.record_n(500_000_000, 14);
        tally.transactions.insert(prefix + "sleep", done.clone());
        let mut starts = GroupTally::default();
        [40_000_000, 160_000_000, 300_000_000].into_iter().for_each(|ns| starts.unanswered.record(ns));
        tally.unanswered.merge(&starts.unanswered);
        tally.groups.insert("slow".into(), starts);
        for all in [tally.all_starts(), tally.group("slow").all] {
            assert_eq!((all.response.count(), all.response.min_ns()), (17, done.response.min_ns()));
            assert!(all.response.mean_ns() >= done.response.mean_ns(), "{}", all.response.mean_ns());
        }
        // Those that had waited longer count with that.
        tally.unanswered.record_n(4_000_000_000, 17);
        let all = tally.all_starts().response;
        assert!((all.mean_ns() / 2_250_000_000.0 - 1.0).abs() < 0.001, "{}", all.mean_ns());
        // Without any that was answered nothing else is known.
        tally.transactions.clear();
        assert!(tally.all_starts().response.min_ns() < 50_000_000);
    }
}
