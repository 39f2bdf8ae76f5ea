//! `bulk_insert`: a row a transaction, sent 512 KiB at a time. As in sysbench a transaction is one *row* appended to a
//! buffer; most take no time at all and send nothing, and now and then one sends the whole buffer as an INSERT.
//! Transactions therefore count rows, statements count INSERTs.

use super::session::Session;
use crate::sysbench::{bulk, name_of};
use std::collections::BTreeMap;
use std::sync::Arc;
use tenbin_driver::{Class, Connector, Error, Transport};
use tenbin_model::tally::StatementKind;
use tenbin_words::msg;
use tenbin_words::problem::Problem;
use tenbin_workload::tables::engines;
use tenbin_workload::tables::mark;
use tenbin_workload::{
    BoxFuture, Client, MemoryRange, StatementRecord, TargetReach, TransactionContext, Workload, WorkloadEntry, digits,
};

pub(crate) const ENTRY: WorkloadEntry = WorkloadEntry {
    name: "bulk_insert",
    about: "inserts rows of two numbers into one table per client, in INSERTs of 512 KiB; a transaction is a row",
    family: "sysbench",
    dataset: bulk::ENTRY.kind,
    ..WorkloadEntry::made_by(|name, _, connector| Ok(Box::new(BulkInsert { name, connector })))
};

/// An INSERT is sent before it would grow longer than this.
const LIMIT: usize = 512 * 1024;

/// As much of an INSERT that failed is shown, bytes.
const SHOWN: usize = 200;

#[derive(Debug)]
struct BulkInsert {
    name: &'static str,
    connector: Connector,
}

impl Workload for BulkInsert {
    fn name(&self) -> &str {
        self.name
    }

    fn unmarked(&self, clients: u32, _coming: &[String]) -> Result<Vec<String>, Problem> {
        mark::without(&self.connector, &(1..=clients).map(name_of).collect::<Vec<_>>())
    }

    fn tables(&self) -> Result<BTreeMap<String, String>, Problem> {
        // All of them have the same definition.
        engines::found(&self.connector, Some(&[name_of(1)]))
    }

    fn transactions(&self) -> Vec<String> {
        vec![self.name.to_owned()]
    }

    fn statements(&self) -> Vec<(String, StatementKind)> {
        vec![("insert".to_owned(), StatementKind::Write)]
    }

    fn prepared_per_connection(&self) -> u32 {
        0
    }

    fn longest_statement(&self) -> u64 {
        LIMIT as u64
    }

    fn reach(&self) -> TargetReach {
        self.connector.reach()
    }

    fn client(&self, number: u32, _of: u32, _seed: u64) -> Box<dyn Client> {
        let head = format!("INSERT INTO sbtest{} VALUES", number + 1).into_bytes();
        let buffer = Buffer { text: Vec::with_capacity(LIMIT + 64), rows: 0, last: 0, head };
        Box::new(BulkInsertClient {
            buffer,
            session: Session::new(self.connector.clone(), Arc::default()),
            given_up: 0,
            refused: None,
            parting: Vec::new(),
        })
    }
}

/// The INSERT that is being built. Pure.
struct Buffer {
    text: Vec<u8>,
    /// Rows in the text.
    rows: u64,
    /// The number of the last row.
    last: i64,
    head: Vec<u8>,
}

impl Buffer {
    /// Whether the next row does not fit any more, by the rule of sysbench 1.0.20 (`db_bulk_insert_next`): with a byte beside it, a comma or the end.
    fn full(&self) -> bool {
        let digits = (self.last + 1).checked_ilog10().map_or(1, |powers| powers as usize + 1);
        self.text.len() + (2 * digits + "(,)".len()) + 1 > LIMIT
    }

    fn push(&mut self) {
        if self.rows == 0 {
            self.text.extend_from_slice(&self.head);
        } else {
            self.text.push(b',');
        }
        self.last += 1;
        self.rows += 1;
        self.text.push(b'(');
        digits::push(&mut self.text, self.last);
        self.text.push(b',');
        digits::push(&mut self.text, self.last);
        self.text.push(b')');
    }

    fn empty(&mut self) {
        self.text.clear();
        self.rows = 0;
    }
}

struct BulkInsertClient {
    buffer: Buffer,
    session: Session,
    /// Rows of counted transactions that were given up, when a connection was lost or the server refused their INSERT.
    given_up: u64,
    /// Why it first refused one.
    refused: Option<Error>,
    /// Statements sent at the end.
    parting: Vec<StatementRecord>,
}

impl BulkInsertClient {
    /// Sends the buffer and clears it. If that fails for another reason than a conflict, trying again would send the same rows: whatever
    /// the plan says of transient errors, they are given up.
    async fn flush(&mut self, context: &mut TransactionContext) -> Result<(), Error> {
        let text = std::str::from_utf8(&self.buffer.text).map_err(|_| Error::new(Class::Sql, msg!("not-text")))?;
        let Err(error) = context.time(0, self.session.query(text)).await else {
            self.buffer.empty();
            return Ok(());
        };
        let error = error.sent(&text[..text.len().min(SHOWN)], false);
        if matches!(error.class(), Class::Conflict | Class::Lost) {
            return Err(error);
        }
        self.give_up_rows();
        self.refused.get_or_insert_with(|| error.clone());
        Err(error.never_transient())
    }

    fn give_up_rows(&mut self) {
        self.given_up += self.buffer.rows;
        self.buffer.empty();
    }
}

impl Client for BulkInsertClient {
    fn connect(&mut self, transport: Transport) -> BoxFuture<'_, ()> {
        // It is unknown whether rows sent before a loss arrived; sending them again could collide with them.
        self.give_up_rows();
        Box::pin(self.session.open(transport))
    }

    fn transaction<'a>(&'a mut self, context: &'a mut TransactionContext) -> BoxFuture<'a, usize> {
        Box::pin(async move {
            // A retry after a conflict finds the buffer unchanged and sends it again, before its own row.
            if self.buffer.full() {
                self.flush(context).await?;
            }
            self.buffer.push();
            Ok(0)
        })
    }

    fn memory(&self) -> Vec<MemoryRange> {
        self.session.memory()
    }

    fn recover(&mut self) -> BoxFuture<'_, ()> {
        self.session.roll_back()
    }

    /// Sends the last rows first, because the run is over.
    fn close(&mut self) -> BoxFuture<'_, ()> {
        Box::pin(async move {
            let rows = self.buffer.rows;
            let mut written = Ok(());
            if rows > 0 {
                let mut context = TransactionContext::default();
                written = self.flush(&mut context).await;
                self.parting = context.records;
            }
            let closed = self.session.close().await;
            written.map_err(|error| {
                let (class, what) = (error.class(), msg!("last-rows-not-written", rows, why = error.what()));
                error.retold(class, what)
            })?;
            closed?;
            match (self.given_up, self.refused.take()) {
                (0, _) => Ok(()),
                (rows, Some(error)) => {
                    let (class, what) = (error.class(), msg!("rows-of-failed-inserts", rows, why = error.what()));
                    Err(error.retold(class, what))
                }
                (rows, None) => Err(Error::new(Class::Lost, msg!("rows-lost-with-connection", rows))),
            }
        })
    }

    fn unwritten(&self) -> u64 {
        self.given_up + self.buffer.rows
    }

    fn aside(&mut self, context: &mut TransactionContext) {
        context.records.append(&mut self.parting);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_fill_statements_up_to_the_limit() {
        let mut buffer = Buffer { text: Vec::new(), rows: 0, last: 0, head: b"INSERT INTO sbtest3 VALUES".to_vec() };
        (0..3).for_each(|_| buffer.push());
        assert_eq!(std::str::from_utf8(&buffer.text), Ok("INSERT INTO sbtest3 VALUES(1,1),(2,2),(3,3)"));
        while !buffer.full() {
            buffer.push();
        }
        // Each of the last rows, as `,(37892,37892)`, has 14 bytes.
        assert!(buffer.text.len() <= LIMIT && buffer.text.len() + 14 > LIMIT, "{}", buffer.text.len());
        let last = buffer.last;
        buffer.empty();
        buffer.push();
        assert_eq!(buffer.text, format!("INSERT INTO sbtest3 VALUES({n},{n})", n = last + 1).as_bytes());
    }

    #[test]
    fn rows_that_a_lost_connection_takes_along_are_told_at_the_end() {
        let connector = Connector::nowhere(tenbin_model::dsn::Scheme::Null).unwrap();
        let mut client = BulkInsert { name: "bulk_insert", connector }.client(0, 1, 1);
        let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap();
        let message = runtime.block_on(async {
            let mut context = TransactionContext::default();
            for rows in [3, 2] {
                client.connect(Transport::Alone).await.unwrap();
                for _ in 0..rows {
                    client.transaction(&mut context).await.unwrap();
                }
            }
            assert_eq!(client.unwritten(), 5);
            client.close().await.unwrap_err().message().to_owned()
        });
        let wanted = "the 3 rows that were not yet confirmed when a connection was lost were given up";
        assert_eq!((message.as_str(), client.unwritten()), (wanted, 3));
    }
}
