//! The card of the values of an axis on one target has the figures that the card of targets has.

#![expect(clippy::unwrap_used, reason = "a test may")]

use crate::common::events;
use tenbin_model::summary::{Summary, TrialResult};
use tenbin_report::page;
use tenbin_words::language::Language;

fn summary(rest: &str) -> Summary {
    Summary::of(&events(&format!(
        "schema = 1\nname = \"made up\"\n[targets.db]\ndsn = \"mysql://bench@127.0.0.1:3306/sbtest\"\n[datasets.small]\n\
         kind = \"sysbench\"\n[[experiment]]\nname = \"e\"\ndataset = \"small\"\nrepeats = 3\nwarmup = \"2s\"\n\
         measure = \"6s\"\ninterval = \"1s\"\nload = {{ workload = \"oltp_read_write\" }}\n{rest}\n"
    )))
}

/// The mean of a figure over the trials with these values of the matrix.
fn mean(summary: &Summary, values: &[&str], of: fn(&TrialResult) -> f64) -> f64 {
    let at = |t: &&TrialResult| values.iter().all(|value| t.trial.axes.iter().any(|(_, has)| has == value));
    let all: Vec<f64> = summary.trials.iter().filter(at).map(of).collect();
    assert_eq!(all.len(), 3, "{values:?}");
    all.iter().sum::<f64>() / 3.0
}

/// The card's markup.
fn card(summary: &Summary) -> String {
    let html = page::render(summary, &[], Language::English);
    let (_, answer) = html.split_once("<section id=\"answer\">").unwrap();
    answer.split("</section>").next().unwrap().to_owned()
}

fn plain(markup: &str) -> String {
    let text: String = markup.split('<').map(|part| part.split_once('>').map_or(part, |(_, text)| text)).collect();
    text.trim().to_owned()
}

/// The texts of the rows of a forest plot: the label, what stands before the drawing, and what stands behind it.
fn rows(card: &str) -> Vec<Vec<String>> {
    let (_, table) = card.split_once("<table class=\"forest").unwrap();
    let body = table.split_once("<tbody>").unwrap().1.split("<tr class=\"scale\">").next().unwrap();
    let cells = |row: &str| {
        let label = plain(row.split("</th>").next().unwrap().split_once("<th").unwrap().1.split_once('>').unwrap().1);
        let cells = row.split("<td").skip(1).filter(|cell| !cell.starts_with(" class=\"plot"));
        std::iter::once(label).chain(cells.map(|cell| plain(cell.split_once('>').unwrap().1))).collect()
    };
    body.split("<tr").skip(1).map(cells).collect()
}

/// A number as it is shown, with three digits at least.
fn is(shown: &str, value: f64) -> bool {
    shown.replace(',', "").parse::<f64>().is_ok_and(|shown| (shown / value - 1.0).abs() < 0.006)
}

#[test]
fn two_values_have_a_row_for_each_figure() {
    let summary = summary("compare = \"load.clients\"\nmatrix.load.clients = [1, 8]");
    let [of_one, of_eight] = ["1", "8"].map(|value| mean(&summary, &[value], TrialResult::tps));
    let card = card(&summary);
    let rows = rows(&card);
    let first = &rows[0];
    assert!(is(&first[1], of_one) && is(&first[2], of_eight), "{of_one} {of_eight} {first:?}");
    assert!(rows.len() > 1 && rows.iter().all(|row| row[1..3].iter().all(|figure| figure != "–")), "{rows:?}");
    // The queries too, with their own ratio.
    let [one, eight] = ["1", "8"].map(|value| mean(&summary, &[value], TrialResult::qps));
    let queries = card.split("<dt").map(plain).find(|part| part.contains("QPS")).unwrap_or_else(|| panic!("{card}"));
    let ratio = queries.split('×').next().unwrap();
    assert!(is(ratio, eight / one), "{ratio} {}", eight / one);
    assert!(plain(&card).contains("clients"), "it is said along which axis");
}

#[test]
fn cells_of_other_axes_have_a_row_each() {
    let summary = summary(
        "compare = \"load.clients\"\nmatrix = { load.workload = [\"oltp_read_write\", \"oltp_insert\"], load.clients = [1, 8] }",
    );
    let rows = rows(&card(&summary));
    for (row, workload) in rows.iter().zip(["oltp_read_write", "oltp_insert"]) {
        let [of_one, of_eight] = ["1", "8"].map(|value| mean(&summary, &[workload, value], TrialResult::tps));
        assert!(row[0].contains(workload) && is(&row[1], of_one) && is(&row[2], of_eight), "{row:?}");
    }
}

#[test]
fn several_values_are_rows_beside_the_base() {
    let summary = summary("compare = { axis = \"load.clients\", base = \"1\" }\nmatrix.load.clients = [1, 8, 64]");
    let rows = rows(&card(&summary));
    assert_eq!(rows.len(), 3, "{rows:?}");
    for row in &rows {
        let tps = mean(&summary, &[row[0].as_str()], TrialResult::tps);
        assert!(is(&row[1], tps), "{tps} {row:?}");
    }
}
