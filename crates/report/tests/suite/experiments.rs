//! Runs of several experiments: each is distinguished in the table and has an answer of its own.

use crate::common::{PLAN, events};
use crate::variants;

use tenbin_model::summary::Summary;
use tenbin_report::page;
use tenbin_verdict::answer::answers;
use tenbin_words::language::Language;

fn summary() -> Summary {
    Summary::of(&variants::named("experiments"))
}

#[test]
fn each_experiment_has_its_answer() {
    let answers: Vec<String> = answers(&summary()).iter().map(|a| a.english().to_string()).collect();
    insta::assert_snapshot!(answers.join("\n"), @"
    writes: after completed 1.55× the transactions per second of before (2 pairs of runs are too few to say how sure that is: it takes at least 1 more repeat). The p99 response time of after was 0.62× that of before.
    threads: after completed 1.53× the transactions per second of before (95 % interval 1.50× to 1.55×, 4 pairs of runs). The p99 response time of after was 0.66× that of before (95 % interval 0.61× to 0.71×).
    ");
}

#[test]
fn the_best_figures_of_a_cell_stand_out_whatever_axes_its_experiment_has() {
    let html = page::render(&summary(), &[], Language::English);
    let (_, section) = html.split_once("<section id=\"results\">").expect("there are results");
    let (section, _) = section.split_once("</section>").expect("the section ends");
    let (head, body) = section.split_once("<tbody>").expect("there is a table");
    let columns: Vec<&str> = head.split("<th").skip(2).collect();
    let tps = columns.iter().position(|column| column.contains("TPS")).expect("a column of throughput");
    let rows: Vec<Vec<&str>> = body.split("<tr").skip(1).map(|row| row.split("<td").skip(1).collect()).collect();
    assert_eq!(rows.len(), 6, "three cells on two targets");
    assert!(rows.iter().all(|row| row.len() == columns.len()), "{columns:?} {rows:?}");
    let best = rows.iter().filter(|row| row[tps].contains("best")).count();
    assert_eq!(best, 3, "one of each cell: {rows:?}");
    // Neither the number of repeats before it nor the interval after it.
    assert!(rows.iter().all(|row| !row[tps - 1].contains("best") && !row[tps + 1].contains("best")), "{rows:?}");
}

/// On the card of one target: two repeats have no interval, and three have one.
#[test]
fn a_spread_is_called_an_interval_only_where_it_is_one() {
    let page = |repeats: u32| {
        let plan = PLAN
            .replace("\", \"<script>alert(1)</script>\"]", "\"]")
            .replace("repeats = 2", &format!("repeats = {repeats}"))
            .replace("[1, 8, 64]", "[8]");
        page::render(&Summary::of(&events(&plan)), &[], Language::English)
    };
    let (two, three) = (page(2), page(3));
    assert!(two.contains("(lowest and highest of 2 repeats)") && !two.contains("(95 %, "));
    assert!(three.contains("(95 %, 3 repeats)") && !three.contains("lowest and highest of"));
}
