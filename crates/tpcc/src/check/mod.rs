//! Performs the checks, one range of warehouses after the other, over many connections at once. Nothing is written.

mod conditions;
mod ground;
mod weighed;

use super::Tables;
use super::metadata;
use conditions::{ALL, Condition, Reach};
use ground::{Ground, read};
use std::collections::VecDeque;
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::{Duration, Instant};
use tenbin_driver::{Connection, Connector, Error};
use tenbin_model::stop::StopSignal;
use tenbin_words::msg;
use tenbin_words::problem::Problem;
use tenbin_workload::tables::admin::{optional, unless_stopped, with_connection};
use tenbin_workload::tables::dialect::Dialect;
use tenbin_workload::tables::stream::at_once;
use tenbin_workload::{Checked, Examined};
use weighed::{Paid, READS, Weights};

/// One piece of the check.
#[derive(Debug, Clone, Copy)]
struct Task<'g> {
    condition: &'static Condition,
    /// The index of its tables among the grounds, and the ground itself.
    at: usize,
    ground: &'g Ground,
    /// First and last warehouse.
    range: (u64, u64),
    way: CheckMethod,
}

/// How it is checked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum CheckMethod {
    /// Sums up the payments, for the pieces that are weighed.
    Sums,
    /// By the condition's statement.
    Exact,
    /// By weighed sums, and by the statement where they differ.
    Weighed,
}

/// Checks all conditions; 11 only when nothing has run since the load.
pub(super) fn check(
    tables: &Tables,
    connector: &Connector,
    streams: u32,
    fresh: bool,
    progress: Examined<'_>,
    stop: &StopSignal,
) -> Result<Vec<Checked>, Problem> {
    examine(tables, connector, streams, (fresh, READS), progress, stop)
}

fn examine(
    tables: &Tables,
    connector: &Connector,
    streams: u32,
    (fresh, reads): (bool, usize),
    progress: Examined<'_>,
    stop: &StopSignal,
) -> Result<Vec<Checked>, Problem> {
    let dialect = tables.form.dialect;
    let grounds = with_connection(connector, msg!("looking-at-tables"), async |c| read(&tables.sets, c).await)?;
    let metadata = with_connection(connector, msg!("looking-at-tables"), async |c| metadata::read(c).await.map(Ok))?;
    let past = Past { fresh, tpcc_mysql_ran: metadata.is_some_and(|m| m.tpcc_mysql_ran) };
    let tasks = tasks(&grounds, past, reads);
    let findings = Mutex::new(Findings::new(&tasks, past));
    let todo = Mutex::new(VecDeque::from(tasks));
    let sums: Vec<OnceLock<Paid>> = grounds.iter().map(|_| OnceLock::new()).collect();
    let weights = Weights::drawn();
    let streams = if dialect == Dialect::Sqlite { 1 } else { streams.clamp(1, 64) };
    // Nothing whose result will not be reported goes on for minutes.
    let end = || lock(&todo).clear();
    at_once(streams, end, || {
        unless_stopped(connector, msg!("checking"), stop, Duration::ZERO, async |c| {
            if dialect == Dialect::Postgres {
                // The planner cannot know how many groups match here, and with nested loops they would take hours.
                optional(c, "SET enable_nestloop=off").await?;
            }
            while let Some(task) = next(&todo, &sums).await {
                if stop.asked() {
                    return Ok(Err(Problem::new(msg!("stopped-while-checking"))));
                }
                let start = Instant::now();
                let answer = match (task.way, sums[task.at].get()) {
                    (CheckMethod::Sums, _) => {
                        let _ = sums[task.at].set(weighed::paid(&weights, task.ground, c).await?);
                        CheckAnswer::default()
                    }
                    (CheckMethod::Weighed, Some(paid)) => {
                        match weighed::agree(&weights, paid, task.range, task.ground, c).await? {
                            (rows, true) => CheckAnswer { rows, ..CheckAnswer::default() },
                            (_, false) => run(&task, c).await?,
                        }
                    }
                    (CheckMethod::Exact | CheckMethod::Weighed, _) => run(&task, c).await?,
                };
                let (rows, of) = lock(&findings).add(&task, answer, start.elapsed(), grounds.len() > 1);
                progress(rows, of);
            }
            Ok(Ok(()))
        })
    })?;
    Ok(findings.into_inner().unwrap_or_else(PoisonError::into_inner).found.into())
}

/// The next piece; waits for the sums if nothing else is left; `None` when all are taken.
async fn next<'g>(todo: &Mutex<VecDeque<Task<'g>>>, sums: &[OnceLock<Paid>]) -> Option<Task<'g>> {
    loop {
        {
            let mut todo = lock(todo);
            let ready = |task: &Task<'_>| task.way != CheckMethod::Weighed || sums[task.at].get().is_some();
            if let Some(at) = todo.iter().position(ready) {
                return todo.remove(at);
            }
            if todo.is_empty() {
                return None;
            }
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// What all streams have found.
struct Findings {
    found: [Checked; 12],
    /// Rows examined.
    rows: u64,
    /// The rows that would have been examined in a fresh population: for the same pieces, and for all pieces.
    nominal: (u64, u64),
}

impl Findings {
    fn new(tasks: &[Task<'_>], past: Past) -> Findings {
        let all = tasks.iter().map(Task::nominal_rows).sum();
        Findings { found: ALL.each_ref().map(|c| outcome(c, past)), rows: 0, nominal: (0, all) }
    }

    /// Returns the rows examined so far and an estimate of the total, assuming that the rest has grown like these.
    fn add(&mut self, task: &Task<'_>, answer: CheckAnswer, took: Duration, many_sets: bool) -> (u64, u64) {
        let checked = &mut self.found[usize::from(task.condition.number) - 1];
        checked.rows += answer.rows;
        checked.wrong += answer.wrong;
        checked.took += took;
        if checked.example.is_none() {
            let of_set = if many_sets { format!("{}, ", task.ground.set) } else { String::new() };
            let example = |key| format!("{of_set}{}", task.condition.example(key, task.range));
            checked.example = answer.example.map(example);
        }
        self.rows += answer.rows;
        let (done, all) = (self.nominal.0 + task.nominal_rows(), self.nominal.1);
        self.nominal.0 = done;
        let of = u128::from(self.rows) * u128::from(all) / u128::from(done.max(1));
        (self.rows, u64::try_from(of).unwrap_or(u64::MAX))
    }
}

/// What is known about what ran on the tables.
#[derive(Debug, Clone, Copy)]
struct Past {
    /// Nothing since the load.
    fresh: bool,
    /// The statements of tpcc-mysql, at least once.
    tpcc_mysql_ran: bool,
}

impl Past {
    /// Why a condition need not hold.
    fn excuses(self, condition: &Condition) -> Option<&'static str> {
        if condition.fresh && !self.fresh {
            return Some("holds only until the first run on fresh tables");
        }
        (condition.number == 12 && self.tpcc_mysql_ran)
            .then_some("the profile tpcc-mysql ran on these tables, whose payments do not write c_ytd_payment")
    }
}

fn outcome(condition: &Condition, past: Past) -> Checked {
    Checked {
        name: format!("condition {}", condition.number),
        says: condition.says.to_owned(),
        rows: 0,
        wrong: 0,
        example: None,
        took: Duration::ZERO,
        left_out: past.excuses(condition).map(str::to_owned),
    }
}

/// All pieces in the order in which they are taken. Those over all warehouses take longest and come first, so that none
/// of them delays the end. The others are ordered by warehouse, not by condition: the next one finds in the server's
/// memory what the previous one read, and the remaining time can be estimated from the elapsed time.
fn tasks(grounds: &[Ground], past: Past, reads: usize) -> Vec<Task<'_>> {
    let conditions = ALL.iter().filter(|c| past.excuses(c).is_none());
    let each = conditions.flat_map(|c| grounds.iter().enumerate().flat_map(move |(at, g)| ranges(c, at, g, reads)));
    let mut all: Vec<Task<'_>> = each.collect();
    all.sort_by_key(|t| {
        let whole = t.way == CheckMethod::Sums || t.condition.reach == Reach::Whole;
        (!whole, t.way != CheckMethod::Sums, t.at, t.range.1, t.condition.number)
    });
    all
}

/// The ranges of warehouses for a condition's statement.
fn ranges<'g>(
    condition: &'static Condition,
    at: usize,
    ground: &'g Ground,
    reads: usize,
) -> impl Iterator<Item = Task<'g>> {
    let last = ground.warehouses;
    let step = condition.reach.warehouses(last);
    let weighed = condition.number == 10 && last.div_ceil(step) > reads as u64;
    let task = move |way, range| Task { condition, at, ground, range, way };
    let sums = weighed.then(|| task(CheckMethod::Sums, (1, last)));
    let way = if weighed { CheckMethod::Weighed } else { CheckMethod::Exact };
    let each = (1..=last).step_by(step as usize).map(move |a| task(way, (a, (a + step - 1).min(last))));
    sums.into_iter().chain(each)
}

impl Task<'_> {
    fn nominal_rows(&self) -> u64 {
        // The rows of payments are counted where they are compared.
        if self.way == CheckMethod::Sums { 0 } else { (self.range.1 - self.range.0 + 1) * self.condition.rows }
    }
}

/// The result of one statement.
#[derive(Debug, Default)]
struct CheckAnswer {
    rows: u64,
    wrong: u64,
    example: Option<u64>,
}

async fn run(task: &Task<'_>, c: &mut Connection) -> Result<CheckAnswer, Error> {
    let (a, b) = task.range;
    let sql = task.condition.sql.replace("{new_orders}", task.ground.new_orders);
    let sql = sql.replace("{a}", &a.to_string()).replace("{b}", &b.to_string());
    let table = c.table(&task.ground.set.sql(&sql)).await?;
    let row = table.rows.first().cloned().unwrap_or_default();
    let number = |at: usize| row.get(at).cloned().flatten().and_then(|n| n.split('.').next()?.parse::<u64>().ok());
    Ok(CheckAnswer {
        rows: number(0).unwrap_or(0),
        // A range without a single row is not a condition that holds.
        wrong: number(1).unwrap_or(1),
        example: number(2),
    })
}

#[cfg(test)]
mod tests {
    use super::super::set::Set;
    use super::*;

    #[test]
    fn ranges_cover_each_warehouse_once() {
        for condition in &ALL {
            for warehouses in [1, 7, 100, 101] {
                let ground = Ground { set: Set::ALONE, warehouses, new_orders: "new_orders" };
                let each = ranges(condition, 0, &ground, READS).filter(|t| t.way != CheckMethod::Sums);
                let covered: Vec<u64> = each.flat_map(|t| t.range.0..=t.range.1).collect();
                assert_eq!(covered, (1..=warehouses).collect::<Vec<_>>());
            }
        }
    }
    /// Condition 10 with weighed sums gives the same result as customer by customer, for correct rows and for wrong
    /// ones.
    #[test]
    fn weighed_sums_find_what_the_exact_statement_finds() {
        let dir = tempfile::tempdir().unwrap();
        let address = format!("sqlite:{}?synchronous=off&journal_mode=delete", dir.path().join("one.db").display());
        let c = Connector::new(tenbin_model::dsn::Dsn::parse(&address).unwrap(), None).unwrap();
        let options = super::super::ENTRY.resolve(&std::collections::BTreeMap::new()).unwrap();
        let tables = Tables::new(&options, c.dsn().scheme).unwrap();
        let stop = StopSignal::new();
        super::super::load::load(&tables, &c, 1, 1, &|_| (), &stop).unwrap();
        // Two districts test the same as ten, five times faster.
        for (table, p) in
            [("customer", "c"), ("history", "h"), ("orders", "o"), ("new_orders", "no"), ("order_line", "ol")]
        {
            execute(&c, &format!("DELETE FROM {table} WHERE {p}_d_id NOT IN (3, 4)"));
        }
        let tenth = |reads| {
            let mut all = examine(&tables, &c, 1, (true, reads), &|rows, of| assert!(rows <= of), &stop).unwrap();
            Checked { took: Duration::ZERO, ..all.remove(9) }
        };
        let whole = tenth(READS);
        assert!(whole.holds() && whole.rows > 50_000, "{whole:?}");
        assert_eq!(tenth(0), whole);
        for (broken, mended) in [
            ("UPDATE history SET h_c_id=6 WHERE h_c_id=5 AND h_c_d_id=3", None),
            ("UPDATE customer SET c_balance=c_balance+1 WHERE c_id=7", Some("c_balance-1 WHERE c_id=7")),
            (
                "UPDATE customer SET c_balance=c_balance+CASE c_id WHEN 7 THEN 1 WHEN 8 THEN -2 ELSE 1 END WHERE c_id IN (7, 8, 9)",
                None,
            ),
            ("UPDATE customer SET c_balance=NULL WHERE c_id=9", None),
        ] {
            execute(&c, broken);
            let outcome = tenth(READS);
            assert!(!outcome.holds(), "{broken}");
            assert_eq!(tenth(0), outcome, "{broken}");
            if let Some(mended) = mended {
                execute(&c, &format!("UPDATE customer SET c_balance={mended}"));
            }
        }
    }

    fn execute(c: &Connector, sql: &str) {
        with_connection(c, tenbin_words::message::foreign("breaking"), async |c| c.query(sql).await.map(|_| Ok(())))
            .unwrap();
    }
}
