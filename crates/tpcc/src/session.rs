//! One connection with all statements on one set of tables prepared, and the rows of its last answer.

use super::profile::Profile;
use super::set::Set;
use super::settings::{TpccSettings, name_the_loader};
use super::statements::{ALL, S};
use tenbin_driver::{Class, Command as Out, Connection, Connector, Error, Prepared, Reply, Rows, Transport, Value};
use tenbin_model::tally::StatementKind;
use tenbin_words::msg;
use tenbin_workload::TransactionContext;
use tokio::time::Instant;

/// An open connection.
#[derive(Debug)]
pub(super) struct Session {
    connection: Connection,
    /// Names of the profile's statements.
    list: &'static [(&'static str, StatementKind)],
    prepared: Vec<Prepared>,
    /// The last answers, by index of the call.
    answers: Vec<(usize, Reply, Rows)>,
    lenient: bool,
    /// Whether statements of one call are sent together.
    pipeline: bool,
    begins: Option<[&'static str; 2]>,
    /// A BEGIN that is sent with the next statement.
    opening: Option<&'static str>,
}

/// One statement to send.
#[derive(Debug, Clone, Copy)]
pub(super) struct StatementCall<'a> {
    /// Its index among the profile's statements.
    s: usize,
    how: How<'a>,
    /// The required number of rows changed or found.
    wanted: u64,
}

#[derive(Debug, Clone, Copy)]
enum How<'a> {
    Execute(usize, &'a [Value<'a>]),
    Fetch(usize, &'a [Value<'a>]),
    Query(&'static str),
}

impl<'a> StatementCall<'a> {
    /// Changes rows; fails if it changes fewer than `wanted`.
    pub(super) fn change(s: impl Into<usize>, values: &'a [Value<'a>], wanted: u64) -> StatementCall<'a> {
        let s = s.into();
        StatementCall { s, how: How::Execute(s, values), wanted }
    }

    /// Reads rows; fails if there are fewer than `wanted`.
    pub(super) fn fetch(s: impl Into<usize>, values: &'a [Value<'a>], wanted: u64) -> StatementCall<'a> {
        let s = s.into();
        StatementCall { s, how: How::Fetch(s, values), wanted }
    }

    /// Inserts this many lines of an order.
    pub(super) fn lines(values: &'a [Value<'a>], lines: usize) -> StatementCall<'a> {
        let index = if lines == 1 { S::Lines as usize } else { ALL.len() + lines - 2 };
        StatementCall { s: S::Lines as usize, how: How::Execute(index, values), wanted: lines as u64 }
    }

    /// Ends a transaction. May be sent together with other statements if they only read; after a change only when that
    /// has been answered, because what follows a refused change is no longer in its transaction.
    pub(super) fn commit() -> StatementCall<'a> {
        StatementCall { s: COMMIT, how: How::Query("COMMIT"), wanted: 0 }
    }
}

/// The same index in each profile.
const BEGIN: usize = S::Begin as usize;
const COMMIT: usize = S::Commit as usize;
const ROLLBACK: usize = S::Rollback as usize;

impl Session {
    pub(super) async fn open(
        connector: &Connector,
        transport: Transport,
        plan: &TpccSettings,
        set: Set,
        seed: u64,
    ) -> Result<Session, Error> {
        if plan.profile == Profile::TpccMysql && plan.known().is_none() {
            // Read on a separate connection, so that the others send only what tpcc-mysql's do.
            let mut apart = connector.connect(transport).await?;
            plan.ground(&mut apart, seed).await?;
            apart.close().await;
        }
        let mut connection = connector.connect(transport).await?;
        for sql in &plan.setup {
            connection.query(sql).await?;
        }
        if plan.pipeline && !connection.sends_ahead() {
            let what = msg!("connection-compressed");
            return Err(Error::new(Class::Limit, what).hint(msg!("leave-out-pipeline-or-compression")));
        }
        let lenient = plan.ground(&mut connection, seed).await?.lenient;
        let texts = plan.profile.texts(plan.style);
        let mut prepared = Vec::with_capacity(texts.len());
        for sql in &texts {
            prepared.push(match sql.as_str() {
                // An index that is never executed.
                "" => Prepared::default(),
                sql => connection.prepare(&set.sql(sql)).await.map_err(name_the_loader)?,
            });
        }
        let begin = |writes| plan.style.dialect.begin(writes);
        let begins = (!plan.style.begins_itself()).then(|| [begin(false), begin(true)]);
        let answers = Vec::new();
        let list = plan.profile.list();
        Ok(Session { connection, list, prepared, answers, lenient, pipeline: plan.pipeline, begins, opening: None })
    }

    /// Begins a transaction if that needs a statement.
    pub(super) async fn begin(&mut self, context: &mut TransactionContext, writes: bool) -> Result<(), Error> {
        match self.begins.map(|begins| begins[usize::from(writes)]) {
            None => Ok(()),
            Some(begin) if self.pipeline => {
                self.opening = Some(begin);
                Ok(())
            }
            Some(begin) => context.time(BEGIN, self.connection.query(begin)).await.map(|_| ()),
        }
    }

    pub(super) async fn commit(&mut self, context: &mut TransactionContext) -> Result<(), Error> {
        self.execute_all(context, &[StatementCall::commit()]).await
    }

    /// The rollback that a New-Order asks for.
    pub(super) async fn rollback(&mut self, context: &mut TransactionContext) -> Result<(), Error> {
        context.time(ROLLBACK, self.connection.query("ROLLBACK")).await.map(|_| ())
    }

    /// Sends one statement and returns its answer.
    pub(super) async fn one(
        &mut self,
        context: &mut TransactionContext,
        ask: StatementCall<'_>,
    ) -> Result<StatementAnswer<'_>, Error> {
        self.execute_all(context, &[ask]).await?;
        Ok(self.answer(0))
    }

    /// Ends whatever an error left open.
    pub(super) async fn recover(&mut self) -> Result<(), Error> {
        match self.connection.query("ROLLBACK").await {
            Err(error) if error.class() == Class::Lost => Err(error),
            // There may be none to end.
            _ => Ok(()),
        }
    }

    /// Asks what needs nothing from one another's answers, in this order: one after the other, or all in one piece
    /// where the plan says so. [`Self::answer`] has what came.
    pub(super) async fn execute_all(
        &mut self,
        context: &mut TransactionContext,
        asks: &[StatementCall<'_>],
    ) -> Result<(), Error> {
        while self.answers.len() < asks.len() {
            self.answers.push((BEGIN, Reply::default(), Rows::default()));
        }
        if self.pipeline {
            return self.ask_at_once(context, asks).await;
        }
        let Session { connection, list, prepared, answers, lenient, .. } = self;
        for (ask, (s, reply, rows)) in asks.iter().zip(answers) {
            *s = ask.s;
            *reply = match ask.how {
                How::Execute(index, values) => context.time(ask.s, connection.execute(prepared[index], values)).await?,
                How::Fetch(index, values) => {
                    context.time(ask.s, connection.fetch(prepared[index], values, rows)).await?
                }
                How::Query(sql) => context.time(ask.s, connection.query(sql)).await?,
            };
            ask.enough(list, *reply, *lenient)?;
        }
        Ok(())
    }

    /// The times of all count from the moment at which they were sent. Every answer is read and taken down; the first
    /// error is what counts.
    async fn ask_at_once(&mut self, context: &mut TransactionContext, asks: &[StatementCall<'_>]) -> Result<(), Error> {
        let Session { connection, list, prepared, answers, lenient, opening, .. } = self;
        let begin = opening.take();
        let sent: Vec<_> = begin.map(Out::Query).into_iter().chain(asks.iter().map(|ask| ask.out(prepared))).collect();
        let start = Instant::now();
        let first = if begin.is_some() { BEGIN } else { asks[0].s };
        if let Err(error) = connection.send(&sent).await {
            return context.time_since(start, first, async { Err(error) }).await.map(|_| ());
        }
        let mut outcome = Ok(());
        if begin.is_some() {
            let answer = connection.answer(&mut answers[0].2);
            outcome = context.time_since(start, BEGIN, answer).await.map(|_| ());
        }
        for (ask, (s, reply, rows)) in asks.iter().zip(answers) {
            if matches!(&outcome, Err(error) if error.class() == Class::Lost) {
                break;
            }
            *s = ask.s;
            let answered = context.time_since(start, ask.s, connection.answer(rows)).await;
            *reply = *answered.as_ref().unwrap_or(&Reply::default());
            outcome = outcome.and(answered.and_then(|reply| ask.enough(list, reply, *lenient)));
        }
        outcome
    }

    /// What the statement at this place of [`Self::execute_all`] was answered.
    pub(super) fn answer(&self, at: usize) -> StatementAnswer<'_> {
        let (s, reply, rows) = &self.answers[at];
        StatementAnswer { rows, name: self.list[*s].0, reply: *reply, lenient: self.lenient }
    }

    pub(super) async fn close(self) {
        self.connection.close().await;
    }
}

impl<'a> StatementCall<'a> {
    fn out(&self, prepared: &[Prepared]) -> Out<'a> {
        match self.how {
            How::Execute(index, values) => Out::Execute(prepared[index], values),
            How::Fetch(index, values) => Out::Fetch(prepared[index], values),
            How::Query(sql) => Out::Query(sql),
        }
    }

    fn enough(&self, list: &[(&'static str, StatementKind)], reply: Reply, lenient: bool) -> Result<(), Error> {
        let got = match self.how {
            How::Execute(..) => reply.affected,
            // An update that answers with what it took is read too.
            How::Fetch(..) => reply.rows.max(reply.affected),
            How::Query(_) => return Ok(()),
        };
        if got >= self.wanted || lenient { Ok(()) } else { Err(missing(list[self.s].0, got, self.wanted)) }
    }
}

#[cold]
fn missing(name: &str, got: u64, wanted: u64) -> Error {
    Error::new(Class::Sql, msg!("met-fewer-rows", transaction = name, got, wanted))
        .hint(msg!("look-with-check", dsn = "DSN"))
}

/// What came back.
#[derive(Debug)]
pub(super) struct StatementAnswer<'a> {
    rows: &'a Rows,
    /// The statement's.
    name: &'static str,
    reply: Reply,
    lenient: bool,
}

impl StatementAnswer<'_> {
    pub(super) fn len(&self) -> usize {
        self.rows.len()
    }

    /// Whether a change met no row, where there are rows at all.
    pub(super) fn is_nothing(&self) -> bool {
        self.reply.affected == 0 && !self.lenient
    }

    /// The number that an update took: in the id of MySQL's answer, in its rows elsewhere.
    pub(super) fn taken(&self) -> Result<i64, Error> {
        match self.reply.insert_id {
            0 => self.int(0, 0),
            number => Ok(number as i64),
        }
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
                let name = self.name;
                let what = msg!(
                    "no-number-in-column",
                    transaction = name,
                    row,
                    column,
                    found = format_args!("{:?}", self.rows.get(row, column))
                );
                Err(Error::new(Class::Sql, what).hint(msg!("look-with-check", dsn = "DSN")))
            }
        }
    }
}
