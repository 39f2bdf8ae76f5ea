//! Whose figures are shown: the same in every form, with a word beside them where they are not those of all transactions. The values are counted by hand.

#![expect(clippy::unwrap_used, reason = "a test may")]

use crate::common::events;
use std::collections::BTreeMap;
use tenbin_model::event::Event;
use tenbin_model::figures::Figure;
use tenbin_model::question::Question;
use tenbin_model::summary::Summary;
use tenbin_model::tally::{GroupTally, StatementTally, Tally, TransactionTally, group_prefix};
use tenbin_report::{export, figures, page};
use tenbin_verdict::compared::Compared;
use tenbin_verdict::judged::Judged;
use tenbin_words::language::Language;

const P99: Figure = Figure::Percentile(990);

/// A run of this plan, each second of which on each target counts what `second` says.
fn run(plan: &str, second: &dyn Fn(&str) -> Tally) -> Summary {
    let mut all = events(plan);
    let planned = |event: &Event| match event {
        Event::TrialPlanned { planned, .. } => Some((planned.number, planned.target.name.clone())),
        _ => None,
    };
    let targets: BTreeMap<u32, String> = all.iter().filter_map(planned).collect();
    for event in &mut all {
        if let Event::Interval { trial, tally, .. } = event {
            *tally = second(&targets[trial]);
        }
    }
    Summary::of(&all)
}

/// Adds `n` transactions of this name that all take `ms`.
fn count(tally: &mut Tally, name: &str, n: u64, ms: u64) {
    let mut transaction = TransactionTally { completed: n, ..TransactionTally::default() };
    for times in [&mut transaction.response, &mut transaction.service] {
        times.record_n(ms * 1_000_000, n);
    }
    transaction.wait.record_n(0, n);
    tally.transactions.insert(name.to_owned(), transaction);
    tally.accounting.scheduled += n;
    tally.accounting.completed += n;
}

/// In a second 1,000 New-Orders of 2 ms, 1,000 Payments of 1 ms and 300 others of 50 ms. Of all of them the 99th percentile is 50 ms.
fn tpcc() -> Summary {
    let plan = "schema = 1\nname = \"c\"\n[targets.a]\ndsn = \"mysql://bench@127.0.0.1:3306/tpcc\"\n[datasets.ten]\nkind = \"tpcc\"\n\
                warehouses = 10\n[[experiment]]\nname = \"e\"\ndataset = \"ten\"\nrepeats = 1\nwarmup = \"2s\"\nmeasure = \"10s\"\n\
                interval = \"1s\"\n[experiment.load]\nkind = \"tpcc\"\nclients = 16\n";
    run(plan, &|_| {
        let mut tally = Tally::default();
        let all = [("new_order", 1000, 2), ("payment", 1000, 1), ("order_status", 100, 50), ("delivery", 100, 50)];
        all.into_iter().chain([("stock_level", 100, 50)]).for_each(|(name, n, ms)| count(&mut tally, name, n, ms));
        tally
    })
}

/// In a second on `a` 1,000 transactions of OLTP of 2 ms, on `b` 2,000 of 1 ms; on both the 500 batches of 30 ms for which a rate asks.
fn groups() -> Summary {
    let plan = "schema = 1\nname = \"g\"\n[targets]\na = { dsn = \"mysql://u@h/a\", baseline = true }\nb = { dsn = \"mysql://u@h/b\" }\n\
                [[experiment]]\nname = \"e\"\nrepeats = 3\nwarmup = \"2s\"\nmeasure = \"10s\"\ninterval = \"1s\"\n[experiment.load]\n\
                workload = \"sql\"\n[[experiment.load.group]]\nname = \"oltp\"\nscripts = \"oltp.sql\"\nclients = 3\n\
                [[experiment.load.group]]\nname = \"batch\"\nscripts = \"batch.sql\"\nrate = 500\nclients = 20\n";
    run(plan, &|target| {
        let mut tally = Tally::default();
        let (n, ms) = if target == "b" { (2000, 1) } else { (1000, 2) };
        for (group, n, ms) in [("oltp", n, ms), ("batch", 500, 30)] {
            count(&mut tally, &(group_prefix(group) + "script"), n, ms);
            let statement = StatementTally { completed: 3 * n, ..StatementTally::default() };
            tally.statements.insert(group_prefix(group) + "read", statement);
            let mut starts = GroupTally::default();
            (starts.accounting.completed, starts.accounting.scheduled) = (n, n);
            tally.groups.insert(group.to_owned(), starts);
        }
        tally
    })
}

/// The fields of a table of Markdown, by the names of its columns: the first table, a map for each row.
fn markdown(summary: &Summary) -> Vec<BTreeMap<String, String>> {
    let text = export::markdown(summary, Language::English);
    let mut rows = text
        .lines()
        .filter(|line| line.starts_with('|'))
        .map(|line| line.trim_matches('|').split('|').map(|field| field.trim().to_owned()).collect::<Vec<_>>());
    let head = rows.next().unwrap();
    let of_first = rows.skip(1).take_while(|row| row.len() == head.len());
    of_first.map(|row| head.iter().cloned().zip(row).collect()).collect()
}

/// The fields of the table of trials as CSV.
fn csv(text: &str) -> Vec<BTreeMap<String, String>> {
    let mut reader = csv::Reader::from_reader(std::io::Cursor::new(text.to_owned()));
    reader.deserialize().map(Result::unwrap).collect()
}

fn near(value: f64, expected: f64) {
    assert!((value / expected - 1.0).abs() < 0.01, "{value} for {expected}");
}

/// The value of a series of OpenMetrics whose labels have all of this.
fn metric(text: &str, name: &str, labels: &[&str]) -> f64 {
    let is_it = |line: &&str| line.starts_with(&format!("{name}{{")) && labels.iter().all(|label| line.contains(label));
    text.lines().find(is_it).unwrap_or_else(|| panic!("{name} {labels:?}")).rsplit(' ').next().unwrap().parse().unwrap()
}

#[test]
fn every_form_has_the_times_of_the_new_orders_of_tpcc() {
    let summary = tpcc();
    let cell = &summary.cells()[0];
    near(figures::value(&summary, cell, P99).unwrap(), 2.0);
    let table = &markdown(&summary)[0];
    for (column, expected) in [("p50", 2.0), ("p99", 2.0), ("max", 2.0), ("NOPM", 60_000.0), ("TPS", 2300.0)] {
        near(table[column].replace(',', "").parse().unwrap(), expected);
    }
    let trial = &csv(&export::trials(&summary, None).csv().unwrap())[0];
    for (column, expected) in [("mean_ms", 2.0), ("p99_ms", 2.0), ("max_ms", 2.0), ("nopm", 60_000.0), ("tps", 2300.0)]
    {
        near(trial[column].parse().unwrap(), expected);
    }
    assert_eq!([&trial["tps_of"], &trial["times_of"]], ["all", "new_orders"]);
    assert_eq!(trial["completed"], "23000", "the account is of all");
    let json: serde_json::Value = serde_json::from_str(&export::json(&summary, None)).unwrap();
    let trial = &json["trials"][0];
    for value in [&trial["response"]["p99_ms"], &trial["service"]["p99_ms"], &trial["response"]["max_ms"]] {
        near(value.as_f64().unwrap(), 2.0);
    }
    assert_eq!((&trial["response"]["count"], &trial["times_of"]), (&10_000.into(), &"new_orders".into()));
    near(trial["nopm"].as_f64().unwrap(), 60_000.0);
    let text = export::open_metrics(&summary, None);
    near(metric(&text, "tenbin_trial_response_seconds", &["quantile=\"0.99\""]), 0.002);
    near(metric(&text, "tenbin_trial_new_orders_per_minute", &[]), 60_000.0);
    let interval = &csv(&export::series(&summary, None).csv().unwrap())[0];
    near(interval["p99_ms"].parse().unwrap(), 2.0);
    near(interval["tps"].parse().unwrap(), 2300.0);
    assert_eq!(interval["times_of"], "new_orders");
    let page = page::render(&summary, &[], Language::English);
    for title in ["Response time by percentile: New-Orders", "99th percentile over time: New-Orders"] {
        assert!(page.contains(title), "{title}");
    }
    assert!(!page.contains("99th percentile over time<"), "nothing else has that name");
}

#[test]
fn what_a_rate_asks_for_is_in_no_figure_that_is_compared() {
    let summary = groups();
    // Of all groups it would be 2,500 over 1,500.
    let all = summary.comparisons("e", Question::Throughput, Figure::Transactions);
    near(all[0].ratio, 2.0);
    let (_, queries) = figures::queries_of_pairs(&summary, &all[0]).unwrap();
    assert_eq!(queries.unwrap(), [3000.0, 6000.0]);
    let cells = summary.cells();
    let tps = |at: usize| figures::value(&summary, &cells[at], Figure::Transactions).unwrap();
    assert_eq!([tps(0), tps(1)], [1000.0, 2000.0]);
    let name = figures::named(&summary, &[&cells[0]], Figure::Transactions);
    assert_eq!(name.english(), "the transactions per second of the groups without a rate");
    let table = markdown(&summary);
    assert_eq!([&table[0]["TPS"], &table[1]["TPS"]], ["1,000", "2,000"]);
    let trials = csv(&export::trials(&summary, None).csv().unwrap());
    let of = |target: &str| trials.iter().find(|row| row["target"] == target).unwrap();
    assert_eq!([&of("a")["tps"], &of("b")["tps"], &of("b")["qps"]], ["1000.000", "2000.000", "6000.000"]);
    assert_eq!([&of("b")["tps_of"], &of("b")["times_of"]], ["groups_without_rate", "all_groups"]);
    let json: serde_json::Value = serde_json::from_str(&export::json(&summary, None)).unwrap();
    assert_eq!(json["comparisons"][0]["subset"], "groups_without_rate");
    assert_eq!(json["cells"][1]["tps"], serde_json::json!([2000.0, 2000.0, 2000.0]));
    let text = export::open_metrics(&summary, None);
    assert_eq!(metric(&text, "tenbin_trial_transactions_per_second", &["target=\"b\""]), 2000.0);
    assert_eq!(metric(&text, "tenbin_group_transactions_per_second", &["target=\"b\"", "group=\"batch\""]), 500.0);
    let page = page::render(&summary, &[], Language::English);
    for text in [
        "the transactions per second of the groups without a rate",
        "Throughput over time: all groups together",
        "TPS is that of the groups of clients without a rate; the counts are of all.",
    ] {
        assert!(page.contains(text), "{text}");
    }
}

/// Of all groups together the curve of both targets would be that of the batches from the median on.
#[test]
fn each_group_has_a_chart_of_its_percentiles() {
    let page = page::render(&groups(), &[], Language::English);
    let words = |title: &str| {
        let at = page.find(&format!("{title}, ms by percentile: ")).unwrap_or_else(|| panic!("{title}"));
        page[at..].split("</figure>").next().unwrap().to_owned()
    };
    let oltp = words("Response time by percentile: group oltp");
    assert!(oltp.contains("p99 → 2,") && oltp.contains("p99 → 1,") && !oltp.contains("→ 30"), "{oltp}");
    let batch = words("Response time by percentile: group batch");
    assert!(batch.contains("p99 → 30") && !batch.contains("→ 2,"), "{batch}");
    assert!(!page.contains("Response time by percentile<"), "none of all together");
}
