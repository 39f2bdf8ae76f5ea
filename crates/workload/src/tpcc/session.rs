//! One connection with all statements on one set of tables prepared, and the rows of its last answer.

use super::plan::{Plan, name_the_loader};
use super::set::Set;
use super::statements::{ALL, LINES, S};
use crate::client::Turn;
use tenbin_driver::{Class, Connection, Connector, Error, Prepared, Reply, Rows, Transport, Value};

/// An open connection.
#[derive(Debug)]
pub(super) struct Session {
    connection: Connection,
    prepared: Vec<Prepared>,
    rows: Rows,
    lenient: bool,
    begins: Option<[&'static str; 2]>,
}

/// Statements that each connection keeps prepared.
pub(super) const PREPARED: u32 = (ALL.len() - 3 + LINES - 1) as u32;

impl Session {
    pub(super) async fn open(
        connector: &Connector,
        transport: Transport,
        plan: &Plan,
        set: Set,
        seed: u64,
    ) -> Result<Session, Error> {
        let mut connection = connector.connect(transport).await?;
        for sql in &plan.setup {
            connection.query(sql).await?;
        }
        let lenient = plan.ground(&mut connection, seed).await?.lenient;
        let mut prepared = Vec::with_capacity(PREPARED as usize + 3);
        for s in ALL {
            let sql = plan.style.sql(s, 1);
            prepared.push(match sql.as_str() {
                // A place that is never executed.
                "" => Prepared::default(),
                sql => connection.prepare(&set.sql(sql)).await.map_err(name_the_loader)?,
            });
        }
        for lines in 2..=LINES {
            prepared.push(connection.prepare(&set.sql(&plan.style.sql(S::Lines, lines))).await?);
        }
        let begin = |writes| plan.style.dialect.begin(writes);
        let begins = (!plan.style.begins_itself()).then(|| [begin(false), begin(true)]);
        Ok(Session { connection, prepared, rows: Rows::default(), lenient, begins })
    }

    /// Begins a transaction where that takes a statement.
    pub(super) async fn begin(&mut self, turn: &mut Turn, writes: bool) -> Result<(), Error> {
        match self.begins {
            None => Ok(()),
            Some(begins) => {
                turn.time(S::Begin as usize, self.connection.query(begins[usize::from(writes)])).await.map(|_| ())
            }
        }
    }

    pub(super) async fn commit(&mut self, turn: &mut Turn) -> Result<(), Error> {
        turn.time(S::Commit as usize, self.connection.query("COMMIT")).await.map(|_| ())
    }

    /// The rollback that a New-Order asks for.
    pub(super) async fn rollback(&mut self, turn: &mut Turn) -> Result<(), Error> {
        turn.time(S::Rollback as usize, self.connection.query("ROLLBACK")).await.map(|_| ())
    }

    /// Ends whatever an error left open.
    pub(super) async fn recover(&mut self) -> Result<(), Error> {
        match self.connection.query("ROLLBACK").await {
            Err(error) if error.class() == Class::Lost => Err(error),
            // There may be none to end.
            _ => Ok(()),
        }
    }

    /// Executes a statement that changes rows; fails when it changed fewer than wanted.
    pub(super) async fn change(
        &mut self,
        turn: &mut Turn,
        s: S,
        values: &[Value<'_>],
        wanted: u64,
    ) -> Result<(), Error> {
        let reply = turn.time(s as usize, self.connection.execute(self.prepared[s as usize], values)).await?;
        self.enough(s, reply.affected, wanted)
    }

    /// Takes a district's next order number.
    pub(super) async fn take_number(&mut self, turn: &mut Turn, values: &[Value<'_>]) -> Result<i64, Error> {
        let taken = self.connection.fetch(self.prepared[S::Advance as usize], values, &mut self.rows);
        let reply = turn.time(S::Advance as usize, taken).await?;
        self.enough(S::Advance, reply.affected, 1)?;
        match reply.insert_id {
            0 => Answer { rows: &self.rows, s: S::Advance, lenient: self.lenient }.int(0, 0),
            number => Ok(number as i64),
        }
    }

    /// Inserts so many lines of an order.
    pub(super) async fn insert_lines(
        &mut self,
        turn: &mut Turn,
        values: &[Value<'_>],
        lines: usize,
    ) -> Result<(), Error> {
        let place = if lines == 1 { S::Lines as usize } else { ALL.len() + lines - 2 };
        let reply = turn.time(S::Lines as usize, self.connection.execute(self.prepared[place], values)).await?;
        self.enough(S::Lines, reply.affected, lines as u64)
    }

    /// Executes a statement and keeps its rows; fails when there are fewer than wanted.
    pub(super) async fn fetch(
        &mut self,
        turn: &mut Turn,
        s: S,
        values: &[Value<'_>],
        wanted: u64,
    ) -> Result<Answer<'_>, Error> {
        let fetched = self.connection.fetch(self.prepared[s as usize], values, &mut self.rows);
        let Reply { rows, .. } = turn.time(s as usize, fetched).await?;
        self.enough(s, rows, wanted)?;
        Ok(Answer { rows: &self.rows, s, lenient: self.lenient })
    }

    fn enough(&self, s: S, got: u64, wanted: u64) -> Result<(), Error> {
        if got >= wanted || self.lenient { Ok(()) } else { Err(missing(s, got, wanted)) }
    }

    pub(super) async fn close(self) {
        self.connection.close().await;
    }
}

#[cold]
fn missing(s: S, got: u64, wanted: u64) -> Error {
    let name = super::statements::LIST[s as usize].0;
    Error::new(Class::Sql, format!("{name} met {got} of {wanted} rows: the tables are not as they were loaded"))
        .mend("look with: tenbin check DSN")
}

/// Rows that came back.
#[derive(Debug)]
pub(super) struct Answer<'a> {
    rows: &'a Rows,
    s: S,
    lenient: bool,
}

impl Answer<'_> {
    pub(super) fn len(&self) -> usize {
        self.rows.len()
    }

    pub(super) fn int(&self, row: usize, column: usize) -> Result<i64, Error> {
        self.or_one(self.rows.int(row, column), row, column)
    }

    /// Money in cents: decimals where there are such, whole cents elsewhere.
    pub(super) fn cents(&self, row: usize, column: usize) -> Result<i64, Error> {
        self.scaled(row, column, 2)
    }

    /// A rate in 1/10,000.
    pub(super) fn rate(&self, row: usize, column: usize) -> Result<i64, Error> {
        self.scaled(row, column, 4)
    }

    /// Text; empty where there is none.
    pub(super) fn text(&self, row: usize, column: usize) -> &[u8] {
        self.rows.text(row, column).unwrap_or_default()
    }

    fn scaled(&self, row: usize, column: usize, scale: u32) -> Result<i64, Error> {
        let value = match self.rows.get(row, column) {
            Some(Value::Int(n)) => Some(n),
            _ => self.rows.decimal(row, column, scale),
        };
        self.or_one(value, row, column)
    }

    fn or_one(&self, value: Option<i64>, row: usize, column: usize) -> Result<i64, Error> {
        match value {
            Some(value) => Ok(value),
            None if self.lenient => Ok(1),
            None => {
                let name = super::statements::LIST[self.s as usize].0;
                let what = format!("{name}: no number in row {row}, column {column}: {:?}", self.rows.get(row, column));
                Err(Error::new(Class::Sql, what).mend("look with: tenbin check DSN"))
            }
        }
    }
}
