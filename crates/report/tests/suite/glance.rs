//! The charts and tables of all cells: each figure where it was measured, and the colour of the target that is ahead.

#![expect(clippy::unwrap_used, reason = "a test may")]

use crate::common::events;
use crate::variants::five_types;
use tenbin_model::event::Event;
use tenbin_model::summary::Summary;
use tenbin_report::page;
use tenbin_words::language::Language;

const TARGETS: &str = "schema = 1\nname = \"made up\"\n[targets.before]\ndsn = \"mysql://bench@127.0.0.1:3306/sbtest\"\n\
                       [targets.after]\ndsn = \"mysql://bench@127.0.0.1:3307/sbtest\"\n[datasets.small]\nkind = \"sysbench\"\n";

fn experiment(name: &str, dataset: &str, workload: &str, matrix: &str) -> String {
    format!(
        "[[experiment]]\nname = \"{name}\"\ndataset = \"{dataset}\"\nrepeats = 3\nwarmup = \"2s\"\nmeasure = \"6s\"\n\
         interval = \"1s\"\nload = {{ workload = \"{workload}\" }}\nmatrix = {{ {matrix} }}\n"
    )
}

/// The page: what leads stands on its first screen, the rest in a section.
fn page(summary: &Summary) -> String {
    page::render(summary, &[], Language::English)
}

/// The figures with this title.
fn titled<'p>(page: &'p str, title: &str) -> Vec<&'p str> {
    let figures = page.split("<figure").skip(1).map(|part| part.split("</figure>").next().unwrap());
    let caption = |figure: &str| figure.split("</figcaption>").next().unwrap().to_owned();
    figures.filter(|figure| caption(figure).contains(&format!("{title}</span>"))).collect()
}

/// TPC-C, and reads beside it, with these matrices.
fn orders_and_reads(matrices: [&str; 2]) -> Summary {
    let plan = [
        TARGETS.to_owned(),
        "[datasets.ten]\nkind = \"tpcc\"\nwarehouses = 10\n".to_owned(),
        experiment("orders", "ten", "tpcc", matrices[0]),
        experiment("reads", "small", "oltp_read_write", matrices[1]),
    ];
    let mut all = events(&plan.concat());
    let mut of_orders = Vec::new();
    for event in &mut all {
        match event {
            Event::TrialPlanned { planned, .. } if planned.load.workload == "tpcc" => of_orders.push(planned.number),
            Event::Interval { trial, tally, .. } if of_orders.contains(trial) => five_types(tally, 50),
            _ => {}
        }
    }
    Summary::of(&all)
}

#[test]
fn new_orders_are_drawn_of_the_experiments_that_have_them() {
    let summary = orders_and_reads(["\"load.clients\" = [1, 8]", "\"load.clients\" = [1, 8]"]);
    let page = page(&summary);
    let captions = |title| -> Vec<&str> {
        titled(&page, title).into_iter().map(|figure| figure.split("</figcaption>").next().unwrap()).collect()
    };
    let (orders, throughput) = (captions("New-Orders per minute"), captions("Throughput"));
    assert!(orders.len() == 1 && orders[0].contains("orders"), "{orders:?}");
    assert!(throughput.len() == 1 && throughput[0].contains("reads"), "{throughput:?}");
}

/// Categories are rows: of each figure the cells that have it.
#[test]
fn new_orders_are_rows_of_the_cells_that_have_them() {
    let tables = "\"load.mode\" = [\"a\", \"b\"]";
    let summary = orders_and_reads([tables, tables]);
    let page = page(&summary);
    let rows = |title| titled(&page, title).first().map_or(0, |figure| figure.matches("<tr").count());
    // Two cells on two targets, of eight; the heading and the scale are rows too.
    let (orders, throughput, all) = (
        rows("New-Orders per minute"),
        rows("Throughput"),
        rows("99th percentile of response time: of TPC-C New-Orders"),
    );
    assert!(orders == throughput && all == orders + 4, "{orders} {throughput} {all}");
}

/// The tables of two axes, and the styles of their coloured cells.
fn maps(page: &str) -> (Vec<&str>, Vec<&str>) {
    let all = page.split("<figure class=\"map\">").skip(1).map(|part| part.split("</figure>").next().unwrap());
    let maps: Vec<&str> = all.filter(|map| map.contains("class=\"heats\"")).collect();
    let cells = maps.iter().flat_map(|map| map.split("<td class=\"s").skip(1));
    let styles = cells.map(|part| part.split('"').next().unwrap()).collect();
    (maps, styles)
}

#[test]
fn of_times_the_lower_one_is_ahead() {
    let at_rates = "\"load.rate\" = [100, 200], \"load.clients\" = [8, 16]";
    let mut all = events(&(TARGETS.to_owned() + &experiment("e", "small", "oltp_read_write", at_rates)));
    // The second target takes two thirds of the time.
    let of_times = page(&Summary::of(&all));
    let (tables, styles) = maps(&of_times);
    assert_eq!((tables.len(), styles), (1, vec!["1"; 4]), "{tables:?}");
    let closed = "\"load.clients\" = [8, 16], \"load.workload\" = [\"oltp_read_write\", \"oltp_insert\"]";
    let plan = TARGETS.to_owned() + &experiment("e", "small", "oltp_read_write", closed);
    let of_throughput = page(&Summary::of(&events(&plan)));
    let (tables, styles) = maps(&of_throughput);
    assert_eq!((tables.len(), styles), (1, vec!["1"; 4]), "{tables:?}");
    // A rate that was not held: response times are not compared, here neither.
    for event in &mut all {
        if let Event::Interval { tally, .. } = event {
            tally.accounting.skipped += tally.accounting.scheduled;
            tally.accounting.scheduled *= 2;
        }
    }
    let not_held = page(&Summary::of(&all));
    let (tables, _) = maps(&not_held);
    assert_eq!(tables.len(), 2, "a table of throughput for each target: {tables:?}");
    assert!(!tables.concat().contains('÷') && !not_held.contains("<section id=\"ratios\">"), "{tables:?}");
}

/// Two data sets over two numbers of clients, of one target: a table of ratios would have no cell to put them in.
#[test]
fn the_table_of_values_that_are_compared_along_an_axis_has_their_figures() {
    let page = page(&Summary::of(&crate::variants::named("along-size")));
    let (tables, styles) = maps(&page);
    assert!(tables.len() == 1 && styles.len() == 4 && !tables[0].contains('÷'), "{styles:?} {tables:?}");
}
