//! Looks at what is there without reading it all: columns from the catalogue, size from the ends of the key.

use super::{Tables, mark};
use crate::dataset::Found;
use crate::dialect::Dialect;
use tenbin_driver::{Connection, Error};
use tenbin_model::problem::Problem;

pub async fn inspect(tables: &Tables, c: &mut Connection) -> Result<Result<Found, Problem>, Error> {
    let marked = mark::read(tables.dialect, c).await?;
    let (mut present, mut missing) = (Vec::new(), Vec::new());
    for name in tables.names() {
        if mark::exists(tables.dialect, c, &name).await? { present.push(name) } else { missing.push(name) }
    }
    let ours = !present.is_empty() && present.iter().all(|p| marked.iter().any(|m| m.name == *p));
    let different = |problem: Problem| {
        let mend = if ours {
            "load again: tenbin load … --drop, or restore = \"before-run\" in the plan"
        } else {
            "give the tables' true number and size, or use an empty schema: Tenbin did not make these and does not drop them"
        };
        Ok(Ok(Found::Different { ours, problem: problem.mend(mend) }))
    };
    if present.is_empty() {
        return Ok(Ok(Found::Nothing));
    }
    if let Some(first) = missing.first() {
        return different(Problem::new(format!("table {first} is missing")).evidence(format!(
            "{} of {} tables are there",
            present.len(),
            tables.tables
        )));
    }
    if let Some(broken) = marked.iter().find(|m| !m.complete && present.contains(&m.name)) {
        return different(
            Problem::new("the tables were not loaded to the end")
                .evidence(format!("{} is marked as incomplete", broken.name)),
        );
    }
    for name in &present {
        if let Some(problem) = misshapen(tables.dialect, c, name).await? {
            return different(problem);
        }
        let wanted = u64::from(tables.table_size);
        let at_load = marked.iter().find(|m| m.name == *name).map(|m| m.rows);
        let found = c
            .table(&format!("SELECT MAX(id) FROM {name}"))
            .await?
            .scalar()
            .and_then(|n| n.parse::<u64>().ok())
            .unwrap_or(0);
        // Runs insert behind the end and delete inside, so the last id may have moved on a little since the load.
        let fits =
            at_load.map_or(found >= wanted && found <= wanted.saturating_mul(3) / 2 + 1000, |size| size == wanted);
        if !fits {
            let size = at_load.unwrap_or(found);
            return different(
                Problem::new(format!("table {name} has the wrong size"))
                    .evidence(format!("wanted {wanted} rows, its last id is {size}")),
            );
        }
    }
    Ok(Ok(Found::Ready { ours }))
}

/// What is wrong with the columns; `None` when they are right.
async fn misshapen(dialect: Dialect, c: &mut Connection, name: &str) -> Result<Option<Problem>, Error> {
    let sql = match dialect {
        Dialect::Sqlite => format!("SELECT name FROM pragma_table_info('{name}')"),
        Dialect::Mysql => format!(
            "SELECT COLUMN_NAME FROM information_schema.COLUMNS WHERE TABLE_SCHEMA=DATABASE() AND TABLE_NAME='{name}' ORDER BY ORDINAL_POSITION"
        ),
    };
    let found: Vec<String> =
        c.table(&sql).await?.rows.into_iter().filter_map(|r| r.into_iter().next().flatten()).collect();
    let right = ["id", "k", "c", "pad"];
    let fits = right.iter().all(|r| found.iter().any(|f| f.eq_ignore_ascii_case(r)));
    Ok((!fits).then(|| {
        Problem::new(format!("table {name} is not one of sysbench's")).evidence(format!(
            "wanted columns {}, found {}",
            right.join(", "),
            found.join(", ")
        ))
    }))
}
