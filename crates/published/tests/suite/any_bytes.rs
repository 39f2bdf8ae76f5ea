//! Whatever a file holds, it is read or refused; what is read refers to cells that are there.

use proptest::prelude::*;
use tenbin_published::{Published, audit, read};

/// Cells that mean something, and some that do not.
const CELLS: &[&str] = &[
    "threads",
    "target",
    "workload",
    "tps",
    "qps",
    "avg_ms",
    "p99_ms",
    "max",
    "min",
    "total",
    "avg_per_10s",
    "metric",
    "value",
    "variable",
    "queries_per_client",
    "avg_s",
    "a tps",
    "b tps",
    "1",
    "2",
    "8",
    "64",
    "0",
    "-1",
    "1e30",
    "1e-30",
    "226.95",
    "42.39",
    "",
    "same",
    "x",
    "3600 s; from 900 s on",
    "１２",
    "1１２",
    "1日本",
    "ß99 ×１",
    "\"",
    "|",
    "---",
    "N/A",
    "±",
    "日本",
    "<script>",
    "16",
    "TPMTOTAL",
    "PREFIX",
];
const SEPARATORS: &[&str] = &[",", ";", "\t", " | ", "\n", "\n", "\n|---|---|\n", "\r\n"];

/// Lines of logs, in any order.
const LINES: &[&str] = &[
    "Number of threads: 4",
    "queries performed:",
    "read: 1400",
    "total: 2000",
    "transactions: 100 (98.11 per sec.)",
    "queries: 2000 (-1 per sec.)",
    "Latency (ms):",
    "avg: 10.15",
    "99th percentile: 15",
    "0th percentile: 1",
    "events (avg/stddev): 1/2",
    "[ 1s ] thds: 1 tps: 0",
    "[ x",
    "[0] sc:1 lt:2 rt:0 fl:0",
    "<Raw Results>",
    "<TpmC>",
    "1.0 TpmC",
    "10, trx: 1,",
    ", 1(",
    "Benchmark",
    "Average number of seconds to run all queries: 0.6 seconds",
    "innodb,mixed,1,1,1,1,1",
    "tpmC: 1, tpmTotal: 2",
    "[Summary] NEW_ORDER - Count: 1",
    "TEST RESULT : System achieved 1 NOPM from 2 MySQL TPM",
    "number of transactions actually processed: 10/10",
    "tps = 1",
    "transaction type: x",
    "progress: 1.0 s, 2 tps",
    "<Constraint Check>",
    "[NG]",
    "| PREFIX | OPERATION | COUNT |",
    "| [Summary] | NEW_ORDER | 1 |",
    "| TPMC | TPMTOTAL |",
    "| 1 | 2 |",
    "[{\"Prefix\":\"[Summary] \",\"Operation\":\"NEW_ORDER\",\"Count\":\"1\"}]",
    "[{\"tpmC\":\"1\",\"tpmTotal\":\"2\"}]",
];

/// Signs of markup of tables, in any order.
const MARKUP: &[&str] = &[
    "{|",
    "|}",
    "|-",
    "|+ x",
    "! a !! b",
    "| colspan=3 | 1 || 2",
    "| rowspan=2 | x",
    "|===",
    "[cols=\"2*,1\"]",
    ".2+|a 3+|b",
    "2*|1",
    "\\begin{tabular}{l}",
    "\\end{tabular}",
    "a & b \\\\",
    "\\multicolumn{2}{c}{x} & 1 \\\\",
    "\\hline",
    "\\caption{x",
    "{",
    "}",
    "-[ RECORD 1 ]--",
    "tps | 1",
    "**** 1. row ****",
    "threads: 8",
    "----- ---",
    "===== ===",
    "1     2",
    "日本 1",
    "┌─┬─┐",
    "│ 1 │ 2 │",
    "||a||b||",
    "|_. a |_. b |",
    "^ a ^ b ^",
    "|1|2|",
    "|---+---|",
    "threads=8 tps=1",
    "- threads: 8",
    "  tps: 1",
    "- {threads: 8, tps: 1}",
    "{\"tps\": 1}",
    "[[\"tps\"],[1]]",
    "[table][tr][td]1",
    "[/td][td]é",
    "# x",
    "== x ==",
    "h2. x",
    "",
];

fn sound(published: &Published) -> Result<(), TestCaseError> {
    let audited = audit(published);
    for result in &published.results {
        prop_assert!(result.table < published.tables.len());
        for (quantity, place) in result.figures.values() {
            prop_assert!(quantity.value.is_finite() && quantity.half.is_finite());
            if let Some((table, row, column)) = place {
                let table = &published.tables[*table];
                prop_assert!(table.rows[*row].cells.len() == table.columns.len() && *column < table.columns.len());
            }
        }
    }
    for finding in &audited.doubts {
        prop_assert!(finding.touches.iter().all(|(at, _)| *at < published.results.len()));
        prop_assert!(finding.doubt.problem.evidence.is_some());
    }
    Ok(())
}

/// A row of more cells than headings, of which one begins with a digit and goes on in full width.
#[test]
fn digits_of_both_widths_in_one_cell() {
    for cell in ["1１２", "12１", "１23", "1é2", "ß1"] {
        let text = format!("threads,tps\n1,2\n1,{cell},3\n");
        if let Ok(published) = read(text.as_bytes(), "x") {
            sound(&published).unwrap_or_else(|error| panic!("{text}: {error}"));
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(700))]

    #[test]
    fn any_bytes(bytes in proptest::collection::vec(any::<u8>(), 0..400)) {
        if let Ok(published) = read(bytes.clone(), "x") {
            sound(&published)?;
        }
    }

    #[test]
    fn any_table(cells in proptest::collection::vec((0..CELLS.len(), 0..SEPARATORS.len()), 0..60)) {
        let text: String = cells.iter().flat_map(|(cell, separator)| [CELLS[*cell], SEPARATORS[*separator]]).collect();
        if let Ok(published) = read(text.as_bytes(), "x") {
            sound(&published)?;
        }
    }

    #[test]
    fn any_figures(
        head in proptest::collection::vec(0..CELLS.len(), 2..7),
        rows in proptest::collection::vec(proptest::collection::vec(0..CELLS.len(), 2..7), 1..20),
    ) {
        let line = |cells: &Vec<usize>| cells.iter().map(|cell| CELLS[*cell].replace('"', "")).collect::<Vec<_>>().join(",") + "\n";
        let text: String = std::iter::once(&head).chain(&rows).map(line).collect();
        if let Ok(published) = read(text.as_bytes(), "x") {
            sound(&published)?;
        }
    }

    #[test]
    fn any_log(lines in proptest::collection::vec(0..LINES.len(), 0..40)) {
        let text = lines.iter().map(|line| LINES[*line]).collect::<Vec<_>>().join("\n");
        if let Ok(published) = read(text.as_bytes(), "x") {
            sound(&published)?;
        }
    }

    #[test]
    fn any_markup(lines in proptest::collection::vec((0..MARKUP.len(), any::<bool>()), 0..40)) {
        let line = |(at, ends): &(usize, bool)| [MARKUP[*at], if *ends { "\n" } else { " " }].concat();
        let text: String = lines.iter().map(line).collect();
        if let Ok(published) = read(text.as_bytes(), "x") {
            sound(&published)?;
        }
    }
}
