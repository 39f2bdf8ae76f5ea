//! Counts of one event loop (or of a few one-client threads), kept apart per phase and handed over at every interval.
//!
//! Locked twice per transaction, never between its start and its last row.

use std::collections::BTreeMap;
use tenbin_driver::Error;
use tenbin_model::event::Phase;
use tenbin_model::tally::{Accounting, StatementTally, Tally, TransactionTally};
use tenbin_workload::Mark;

/// Counts by index of name; turned into a [`Tally`] by the collector.
#[derive(Debug)]
pub struct Counts {
    accounting: Accounting,
    reconnects: u64,
    transactions: Vec<TransactionTally>,
    statements: Vec<StatementTally>,
}

/// The counts under way: one set per phase, and a spare so that an interval's end allocates nothing here.
#[derive(Debug)]
pub struct Shard {
    warm_up: Counts,
    measure: Counts,
    spare: Option<Counts>,
}

/// How one transaction went, told when it is over.
pub struct Outcome<'a> {
    /// Index of its name.
    pub transaction: usize,
    pub response_ns: u64,
    pub service_ns: u64,
    pub retries: u64,
    pub error: Option<&'a Error>,
}

impl Shard {
    pub fn new(transactions: usize, statements: usize) -> Self {
        let counts = || Counts::new(transactions, statements);
        Shard { warm_up: counts(), measure: counts(), spare: Some(counts()) }
    }

    fn of(&mut self, phase: Phase) -> &mut Counts {
        if phase == Phase::WarmUp { &mut self.warm_up } else { &mut self.measure }
    }

    /// A transaction begins; in the closed loop that is when it is scheduled.
    #[inline]
    pub fn begin(&mut self, phase: Phase, closed: bool) {
        let accounting = &mut self.of(phase).accounting;
        accounting.scheduled += u64::from(closed);
        accounting.open += 1;
    }

    /// A transaction that had begun is over. `outcome` is `None` when it outlasted its phase: it stays open.
    #[inline]
    pub fn end(&mut self, phase: Phase, marks: &[Mark], outcome: Option<Outcome<'_>>) {
        let Some(outcome) = outcome else { return };
        let counts = self.of(phase);
        counts.accounting.open -= 1;
        let tally = &mut counts.transactions[outcome.transaction];
        tally.retries += outcome.retries;
        if outcome.error.is_none() {
            counts.accounting.completed += 1;
            tally.completed += 1;
            tally.response.record(outcome.response_ns);
            tally.service.record(outcome.service_ns);
            tally.wait.record(outcome.response_ns - outcome.service_ns);
        } else {
            counts.accounting.failed += 1;
            tally.failed += 1;
            tally.failed_service.record(outcome.service_ns);
        }
        counts.mark(marks);
    }

    /// Statements of an attempt that will be made again.
    pub fn attempt(&mut self, phase: Phase, marks: &[Mark]) {
        self.of(phase).mark(marks);
    }

    pub fn reconnected(&mut self, phase: Phase) {
        self.of(phase).reconnects += 1;
    }

    /// Hands over a phase's counts and goes on with empty ones.
    pub fn take(&mut self, phase: Phase) -> Counts {
        let (transactions, statements) = (self.measure.transactions.len(), self.measure.statements.len());
        let fresh = self.spare.take().unwrap_or_else(|| Counts::new(transactions, statements));
        std::mem::replace(self.of(phase), fresh)
    }

    /// Takes handed-over counts back, to be used again.
    pub fn give_back(&mut self, mut counts: Counts) {
        counts.clear();
        self.spare = Some(counts);
    }
}

impl Counts {
    fn new(transactions: usize, statements: usize) -> Self {
        Counts {
            accounting: Accounting::default(),
            reconnects: 0,
            transactions: vec![TransactionTally::default(); transactions],
            statements: vec![StatementTally::default(); statements],
        }
    }

    #[inline]
    fn mark(&mut self, marks: &[Mark]) {
        for mark in marks {
            let tally = &mut self.statements[usize::from(mark.statement)];
            match &mark.error {
                None => {
                    tally.completed += 1;
                    tally.rows += mark.rows;
                    tally.service.record(mark.service_ns);
                }
                Some(error) => *tally.errors.entry(error.label()).or_default() += 1,
            }
        }
    }

    /// Adds these counts to `tally` under their names; names that nothing happened to are left out.
    pub fn add_to(&self, transactions: &[String], statements: &[String], tally: &mut Tally) {
        tally.accounting.merge(&self.accounting);
        tally.reconnects += self.reconnects;
        for (name, t) in transactions.iter().zip(&self.transactions) {
            if t.completed + t.failed + t.retries > 0 {
                tally.transactions.entry(name.clone()).or_default().merge(t);
            }
        }
        for (name, s) in statements.iter().zip(&self.statements) {
            if s.completed > 0 || !s.errors.is_empty() {
                tally.statements.entry(name.clone()).or_default().merge(s);
            }
        }
    }

    fn clear(&mut self) {
        let Counts { accounting, reconnects, transactions, statements } = self;
        (*accounting, *reconnects) = (Accounting::default(), 0);
        for t in transactions {
            let TransactionTally { completed, failed, retries, response, service, wait, failed_service } = t;
            (*completed, *failed, *retries) = (0, 0, 0);
            [response, service, wait, failed_service].into_iter().filter(|h| h.count() > 0).for_each(|h| h.clear());
        }
        for s in statements {
            let StatementTally { completed, rows, service, errors } = s;
            (*completed, *rows, *errors) = (0, 0, BTreeMap::new());
            service.clear();
        }
    }
}
