//! `tenbin check DSN`: TPC-C's twelve consistency conditions, with the rows examined and what violates them.

use crate::args::Check;
use crate::command::target::target;
use crate::progress::Progress;
use serde_json::json;
use std::collections::BTreeMap;
use std::time::Instant;
use tenbin_lab::hint;
use tenbin_model::tpcc;
use tenbin_terminal::exit::{self, Exit};
use tenbin_terminal::signals;
use tenbin_words::figure;
use tenbin_words::problem::Problem;
use tenbin_workload::Checked;

pub fn check(a: &Check) -> Result<Exit, Problem> {
    checked(a).map_err(|problem| hint::complete(problem, &target(&a.dsn, &a.secret), Some(tpcc::WORKLOAD)))
}

fn checked(a: &Check) -> Result<Exit, Problem> {
    let stop = signals::listen()?;
    let connector = tenbin_lab::connector(&target(&a.dsn, &a.secret), &BTreeMap::new())?.existing()?.until(&stop);
    // The layout is read from the tables; the options matter only for a load.
    let tables = a.tables.map(|n| ("tables".to_owned(), n.to_string()));
    let dataset = tenbin_workloads::dataset(tpcc::WORKLOAD, &tables.into_iter().collect(), connector.dsn().scheme)?;
    let start = Instant::now();
    // The total is known with the first rows.
    let progress = Progress::new(0, "rows", a.json);
    let outcome = dataset.check(&connector, a.streams, a.fresh, &|rows, of| progress.at(rows, of), &stop);
    drop(progress);
    if stop.asked() {
        return Ok(Exit::Interrupted);
    }
    let checked = outcome?;
    let seconds = start.elapsed().as_secs_f64();
    exit::print(&if a.json { render(&checked, seconds) } else { table(&checked, seconds, a.streams) });
    Ok(if checked.iter().all(Checked::holds) { Exit::Ok } else { Exit::Invalid })
}

fn table(checked: &[Checked], seconds: f64, streams: u32) -> String {
    let mut text = String::new();
    for c in checked {
        let (mark, more) = match (&c.left_out, c.holds()) {
            (Some(why), _) => ("left out", format!(" ({why})")),
            (None, true) => ("holds", String::new()),
            (None, false) => {
                let example = c.example.as_ref().map(|e| format!(", such as {e}")).unwrap_or_default();
                ("FAILS", format!(": {} violations{example}", c.wrong))
            }
        };
        let (rows, took) = (figure::whole(i128::from(c.rows)), format!("{:.1} s", c.took.as_secs_f64()));
        text += &format!("{:<12}  {mark:<8}  {rows:>13} rows  {took:>9}  {}{more}\n", c.name, c.says);
    }
    let failing = checked.iter().filter(|c| !c.holds()).count();
    let looked = checked.iter().filter(|c| c.left_out.is_none()).count();
    let rows = figure::whole(i128::from(checked.iter().map(|c| c.rows).sum::<u64>()));
    let ends = if failing == 0 { "all hold".to_owned() } else { format!("{failing} fail") };
    let (took, streams) =
        (figure::span(seconds), if streams == 1 { "1 stream".into() } else { format!("{streams} streams") });
    text + &format!("\n{looked} conditions looked at, {ends}; {rows} rows examined in {took} ({streams})")
}

fn render(checked: &[Checked], seconds: f64) -> String {
    let each = |c: &Checked| {
        json!({"name": c.name, "says": c.says, "rows": c.rows, "violations": c.wrong, "example": c.example, "seconds": c.took.as_secs_f64(),
               "left_out": c.left_out, "holds": c.left_out.is_none().then(|| c.holds())})
    };
    json!({"holds": checked.iter().all(Checked::holds), "seconds": seconds,
           "conditions": checked.iter().map(each).collect::<Vec<_>>()})
    .to_string()
}
