//! Inspects tables without reading all rows: the catalogue for the definition, the ends of the key and some ranges
//! between them for the size. Counting 50 million rows would take minutes and evict the hot pages from memory.

use super::{COLUMNS, Tables};
use std::collections::HashSet;
use tenbin_driver::{Connection, Connector, Error};
use tenbin_words::message::{Message, foreign};
use tenbin_words::msg;
use tenbin_words::problem::Problem;
use tenbin_words::shell;
use tenbin_workload::tables::catalogue::{self, Catalogue, Described};
use tenbin_workload::tables::mark;
use tenbin_workload::{Dataset, DatasetState};

pub(super) async fn inspect(
    wanted: &Tables,
    connector: &Connector,
    c: &mut Connection,
) -> Result<Result<DatasetState, Problem>, Error> {
    if c.server_version().contains("null-server") {
        // The null server accepts everything and stores nothing, so there is nothing to inspect.
        return Ok(Ok(DatasetState::Ready { ours: false }));
    }
    let catalogue = match catalogue::read(wanted.dialect, c, &wanted.base).await? {
        Ok(catalogue) => catalogue,
        Err(problem) => return Ok(Err(problem)),
    };
    let marked = match mark::read(c, &catalogue).await? {
        Ok(marked) => marked,
        Err(problem) => return Ok(Err(problem)),
    };
    let names = wanted.names();
    let present: Vec<&String> = names.iter().filter(|n| catalogue.contains_key(*n)).collect();
    if present.is_empty() {
        return Ok(Ok(DatasetState::Nothing));
    }
    let ours: HashSet<&str> = marked.iter().filter(|m| m.dataset == wanted.kind()).map(|m| m.name.as_str()).collect();
    let ours = present.iter().all(|p| ours.contains(p.as_str()));
    let needed: HashSet<&String> = names.iter().collect();
    let unfinished = marked.iter().find(|m| !m.complete && needed.contains(&m.name)).map(|m| {
        Problem::new(msg!("table-not-loaded-to-end", table = m.name))
            .evidence(msg!("mark-says-unfinished", mark = mark::NAME))
    });
    let mut problem = unfinished.or_else(|| wrong_shape(wanted, &catalogue, &names));
    for name in &names {
        if problem.is_none() {
            problem = wrong_size(wanted.table_size, name, c).await?;
        }
    }
    Ok(Ok(match problem {
        None => DatasetState::Ready { ours },
        Some(problem) => DatasetState::Different { ours, problem: with_hint(problem, wanted, connector, ours) },
    }))
}

/// The first table that is missing or differs from the options.
fn wrong_shape(wanted: &Tables, catalogue: &Catalogue, names: &[String]) -> Option<Problem> {
    names.iter().find_map(|name| match catalogue.get(name) {
        None => {
            let there = names.iter().filter(|n| catalogue.contains_key(*n)).count();
            Some(Problem::new(msg!("table-is-missing", table = name)).evidence(msg!(
                "tables-are-there",
                there,
                tables = names.len()
            )))
        }
        Some(table) => catalogue::misshapen(name, table, &COLUMNS).or_else(|| other_option(wanted, name, table)),
    })
}

/// An option with which the table was created differently, and which affects the cost of statements or whether they
/// work.
fn other_option(wanted: &Tables, name: &str, described: &Described) -> Option<Problem> {
    let differs = |what: Message, option: &str, wanted: &str, actual: &str| {
        Problem::new(msg!("table-differs", table = name, property = what)).evidence(msg!(
            "wanted-found",
            option,
            wanted,
            found = actual
        ))
    };
    let switch = |on: bool| if on { "on" } else { "off" };
    let check = |what, option, wanted: bool, actual: bool| {
        (wanted != actual).then(|| differs(what, option, switch(wanted), switch(actual)))
    };
    if let Some(engine) = &described.engine
        && *engine != wanted.engine.to_ascii_lowercase()
    {
        return Some(differs(msg!("storage-engine"), "mysql_storage_engine", &wanted.engine, engine));
    }
    // If there is no choice the key is auto-incremented.
    let counting = if wanted.dialect.counting_is_a_choice() { described.counting } else { wanted.auto_inc };
    check(msg!("index-on-k"), "create_secondary", wanted.create_secondary, described.indexed.contains("k"))
        .or_else(|| check(msg!("index-on-id"), "an index on id", true, described.indexed.contains("id")))
        .or_else(|| check(foreign("AUTO_INCREMENT"), "auto_inc", wanted.auto_inc, counting))
}

/// This many ranges of the key are counted, evenly distributed,
const STRETCHES: u64 = 8;
/// of this many ids each.
const STRETCH: u64 = 125;

/// Compares the ends of the key and the ranges between with `size` rows numbered from 1 without gaps.
async fn wrong_size(size: u32, name: &str, c: &mut Connection) -> Result<Option<Problem>, Error> {
    let size = u64::from(size);
    // One subquery each: together SQLite would read the whole table for the two ends.
    let mut columns = format!("(SELECT MIN(id) FROM {name}), (SELECT MAX(id) FROM {name})");
    let (mut looked_at, spread) = (0, size.saturating_sub(STRETCH) / (STRETCHES - 1));
    for n in 0..STRETCHES {
        let from = 1 + n * spread;
        // In a small table the ranges are adjacent.
        let to = (from + STRETCH - 1).min(size).min(if n + 1 < STRETCHES { from + spread.max(1) - 1 } else { size });
        if from <= to {
            looked_at += to - from + 1;
            columns += &format!(", (SELECT COUNT(*) FROM {name} WHERE id BETWEEN {from} AND {to})");
        }
    }
    let answer = c.table(&format!("SELECT {columns}")).await?;
    let row = answer.rows.first().cloned().unwrap_or_default();
    let number = |at: usize| row.get(at).cloned().flatten().and_then(|n| n.parse::<u64>().ok());
    let (first, last) = (number(0), number(1));
    let there: u64 = (2..row.len()).filter_map(number).sum();
    let sizes = match (first, last) {
        (Some(first), Some(last)) => msg!("wanted-rows-found-ids", size, first, last),
        _ => msg!("wanted-rows-found-none", size),
    };
    let wrong =
        |evidence: Message| Ok(Some(Problem::new(msg!("table-has-wrong-size", table = name)).evidence(evidence)));
    // Runs also delete and insert at the key's ends, and oltp_insert appends rows: such differences are tolerated.
    let last = last.unwrap_or(0);
    if last + STRETCH.min(size / 10) < size || last > size + size / 2 + 1000 {
        return wrong(sizes);
    }
    if there * 100 < looked_at * 98 {
        return wrong(msg!("ids-there", sizes, looked = looked_at, there));
    }
    Ok(None)
}

fn with_hint(problem: Problem, wanted: &Tables, connector: &Connector, ours: bool) -> Problem {
    if problem.hint.is_some() {
        return problem;
    }
    problem.hint(if ours {
        msg!(
            "load-again-or-restore",
            address = shell::quoted(&connector.dsn().to_string()),
            tables = wanted.tables,
            table_size = wanted.table_size
        )
    } else {
        msg!("give-options-of-tables")
    })
}
