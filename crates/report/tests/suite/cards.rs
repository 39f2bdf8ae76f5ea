//! The cards of several targets: which of them is called ahead.

#![expect(clippy::unwrap_used, reason = "a test may")]

use crate::common::events;
use std::collections::BTreeMap;
use tenbin_model::event::{Event, Phase};
use tenbin_model::figures::Figure;
use tenbin_model::question::Question;
use tenbin_model::summary::Summary;
use tenbin_model::tally::{StatementTally, Tally, TransactionTally};
use tenbin_report::{export, figures, page};
use tenbin_verdict::answer;
use tenbin_verdict::compared::Compared;
use tenbin_verdict::judged::Judged;
use tenbin_verdict::limit_ratio;
use tenbin_words::language::Language;

fn plan(targets: &[&str], repeats: u32) -> String {
    let each = |(i, name): (usize, &&str)| {
        format!("[targets.{name}]\ndsn = \"mysql://bench@127.0.0.1:{}/sbtest\"\n", 3306 + i)
    };
    let targets: String = targets.iter().enumerate().map(each).collect();
    format!(
        "schema = 1\nname = \"made up\"\n{targets}[datasets.small]\nkind = \"sysbench\"\n[[experiment]]\nname = \"e\"\ndataset = \"small\"\n\
         repeats = {repeats}\nwarmup = \"2s\"\nmeasure = \"6s\"\ninterval = \"1s\"\nload = {{ workload = \"oltp_read_write\", clients = 8 }}\n"
    )
}

/// What the card says of the place of the one that leads, in English.
fn rank(events: &[Event]) -> String {
    let page = page::render(&Summary::of(events), &[], Language::English);
    let rank = page.split("<p class=\"rank\">").nth(1).unwrap().split("</p>").next().unwrap();
    let words = rank.split('<').map(|part| part.split_once('>').map_or(part, |(_, text)| text));
    words.collect::<String>()
}

/// Three targets that are the same server: what they measured are repeats of one.
fn alike(repeats: u32) -> Vec<Event> {
    let measured = |event: &Event| match event {
        Event::Interval { phase: Phase::Measure, tally, .. } => Some(tally.clone()),
        _ => None,
    };
    let one = events(&plan(&["a"], 3 * repeats));
    let mut tallies = one.iter().filter_map(measured).collect::<Vec<Tally>>().into_iter();
    let mut all = events(&plan(&["a", "b", "c"], repeats));
    for event in &mut all {
        if let Event::Interval { phase: Phase::Measure, tally, .. } = event {
            *tally = tallies.next().unwrap();
        }
    }
    all
}

#[test]
fn what_cannot_be_told_apart_is_not_called_ahead() {
    for repeats in [1, 2, 3, 5] {
        let text = rank(&alike(repeats));
        assert!(text.contains("not shown to be ahead"), "{repeats} repeats: {text}");
        assert!(!text.contains("is first of") && !text.contains("is ahead of all"), "{repeats} repeats: {text}");
    }
    // Targets that are unlike, with too few repeats to show it.
    for repeats in [1, 2] {
        let text = rank(&events(&plan(&["a", "b", "c"], repeats)));
        assert!(text.contains("not shown to be ahead"), "{repeats} repeats: {text}");
    }
}

#[test]
fn what_the_runs_show_to_be_ahead_is_called_that() {
    let plan = plan(&["a", "b", "c"], 3);
    let text = rank(&events(&plan));
    assert!(text.contains("is first of 3"), "{text}");
    let text = rank(&events(&plan.replace("[targets.c]\n", "[targets.c]\nbaseline = true\n")));
    assert!(text.contains("is ahead of all 2 others"), "{text}");
}

/// Two of twelve are alike and lead: a buyer of the first would not know that the second is as good.
#[test]
fn what_is_ahead_of_the_base_and_not_of_the_second_is_not_called_first() {
    let all = crate::variants::named("twelve-targets");
    let (summary, text) = (Summary::of(&all), rank(&all));
    assert!(text.contains("has the highest mean of 12") && !text.contains("is first"), "{text}");
    let rivals = summary.rivals("threads", Question::Throughput);
    let [rival] = rivals.as_slice() else { panic!("{rivals:?}") };
    let leaders = summary.leaders("threads", Question::Throughput).unwrap();
    assert_eq!((&rival.a, &rival.b), (&leaders.a, &leaders.b));
    let page = page::render(&summary, &[], Language::English);
    assert!(page.contains(&format!("Not shown to be ahead of {}.", rival.a)) && !page.contains(", the second ("));
}

#[test]
fn the_card_of_several_has_the_p99_and_the_queries_of_the_one_that_leads() {
    let summary = Summary::of(&events(&plan(&["a", "b", "c"], 3)));
    let page = page::render(&summary, &[], Language::English);
    let card = page.split("<div class=\"card\">").nth(1).unwrap().split("<div class=\"rows\">").next().unwrap();
    let times = summary.comparisons("e", Question::Throughput, Figure::Percentile(990));
    let p99 = times.iter().find(|c| c.b == "c").unwrap();
    assert!(card.contains(&format!("{}×</dt>", answer::ratio(p99.ratio))) && card.contains("the p99"), "{card}");
    assert!(card.contains("the queries"), "{card}");
}

/// With two pairs the card says how many more are needed, and the table of ratios too: it does not say that they are alike.
#[test]
fn too_few_pairs_are_called_that_in_the_table_of_ratios_too() {
    let summary = Summary::of(&events(&plan(&["a", "b", "c"], 2)));
    let page = page::render(&summary, &[], Language::English);
    let table = page.split("<section id=\"ratios\">").nth(1).unwrap().split("</section>").next().unwrap();
    assert!(table.contains("too few pairs: at least ") && !table.contains("cannot be told apart"), "{table}");
    // Programs read no more from them: the figures of these pairs are all but the same.
    let json: serde_json::Value = serde_json::from_str(&export::json(&summary, None)).unwrap();
    let of_json = json["comparisons"].as_array().unwrap();
    assert!(of_json.len() > 4 && of_json.iter().all(|c| c["shows_difference"] == false), "{of_json:?}");
    let shown = &summary.comparisons("e", Question::Throughput, Figure::Transactions)[1];
    assert!(shown.confidence.is_some_and(|i| i.low > 1.0), "its interval would say it: {shown:?}");
}

/// Reads, inserts and updates by one target: the most of all of them would be that of the easiest load.
#[test]
fn the_card_of_one_target_has_the_best_of_each_kind_of_load() {
    let summary = Summary::of(&crate::variants::named("two-axes-alone"));
    let page = page::render(&summary, &[], Language::English);
    let card = page.split("<div class=\"card\">").nth(1).unwrap().split("<div class=\"rows\">").next().unwrap();
    for load in ["oltp_read_write", "oltp_insert", "oltp_read_only"] {
        assert!(card.contains(load), "{load}: {card}");
    }
    let of = |load: &str| {
        let own = summary.cells().iter().filter(|cell| cell.axis_value("load.workload") == load);
        let best = own.map(|cell| figures::value(&summary, cell, Figure::Transactions).unwrap()).fold(0.0, f64::max);
        tenbin_words::figure::grouped(best)
    };
    assert!(card.contains(&format!("<strong>{}</strong>", of("oltp_read_write"))), "{card}");
    for load in ["oltp_insert", "oltp_read_only"] {
        assert!(card.contains(&format!("<dt>{}</dt>", of(load))), "{load}: {card}");
    }
}

/// Of forty of which all but one are dead: what has a result is not pushed off the first screen.
#[test]
fn few_are_named_of_those_that_have_no_result() {
    let mut all = events(&plan(&["a", "b", "c", "d", "e", "f", "g", "h", "i", "j"], 1));
    let planned = |event: &Event| match event {
        Event::TrialPlanned { planned, .. } if planned.target.name == "a" => Some(planned.number),
        _ => None,
    };
    let alive = all.iter().find_map(planned).unwrap();
    for event in &mut all {
        if let Event::Interval { trial, tally, .. } = event
            && *trial != alive
        {
            *tally = Tally::default();
        }
    }
    let page = page::render(&Summary::of(&all), &[], Language::English);
    let chips = page.split("<div class=\"chips\">").nth(1).unwrap().split("</div>").next().unwrap();
    assert_eq!(chips.matches(">no result").count(), 7, "{chips}");
    assert!(chips.contains("+ 3 <b>"), "{chips}");
}

/// One pair, by whose instants the interval is narrow: of how much runs differ it knows nothing.
#[test]
fn the_interval_of_one_duet_says_what_it_does_not_know() {
    let plan = plan(&["a", "b"], 1)
        .replace("repeats = 1", "repeats = 1\norder = \"duet\"")
        .replace("\"6s\"", "\"30s\"")
        .replace("[targets.a]", "[targets.a]\nallow = [\"shared-machine\"]")
        .replace("127.0.0.1:3307", "192.0.2.7:3307");
    let mut all = events(&plan);
    let start = |trial: u32| {
        all.iter().find_map(|event| match event {
            Event::TrialStarted { trial: of, at_ns } if *of == trial => Some(*at_ns),
            _ => None,
        })
    };
    let apart = start(2).unwrap() - start(1).unwrap();
    for event in all.iter_mut().filter(|event| event.trial() == 2) {
        match event {
            Event::Interval { from_ns, to_ns, .. } => (*from_ns, *to_ns) = (*from_ns - apart, *to_ns - apart),
            Event::TrialStarted { at_ns, .. } | Event::PhaseStarted { at_ns, .. } => *at_ns -= apart,
            Event::TrialFinished { at_ns, measured_from_ns, measured_to_ns, .. } => {
                for ns in [at_ns, measured_from_ns, measured_to_ns] {
                    *ns -= apart;
                }
            }
            _ => {}
        }
    }
    let card = page::render(&Summary::of(&all), &[], Language::English);
    let card = card.split("<div class=\"card\">").nth(1).unwrap().split("<div class=\"rows\">").next().unwrap();
    assert!(card.contains("within one pair at the same time; how much runs differ is not known"), "{card}");
}

/// Two kinds of statements, 100 and 1,000 of them, by one client; of each size two repeats that took these seconds.
fn timed() -> Summary {
    let plan = "schema = 1\nname = \"made up\"\n[targets.m]\ndsn = \"mysql://bench@127.0.0.1/slap\"\n[[experiment]]\nname = \"e\"\n\
                repeats = 2\nwarmup = \"0s\"\nmeasure = \"1s\"\ninterval = \"1s\"\nload = { workload = \"slap\", clients = 1 }\n\
                matrix = { \"load.type\" = [\"key\", \"update\"], \"load.queries\" = [100, 1000] }\n";
    let mut all = events(plan);
    let took_ms = |kind: &str, queries: u64, repeat: u32| match (kind, queries) {
        ("key", 100) => [100, 150][repeat as usize - 1],
        ("key", _) => [2000, 3000][repeat as usize - 1],
        (_, 100) => [200, 300][repeat as usize - 1],
        _ => [4000, 6000][repeat as usize - 1],
    };
    let mut loads: BTreeMap<u32, (u64, u64)> = BTreeMap::new();
    for event in &mut all {
        match event {
            Event::TrialPlanned { planned, .. } => {
                let of = |key: &str| planned.axes.iter().find(|(name, _)| name == key).unwrap().1.clone();
                let queries: u64 = of("load.queries").parse().unwrap();
                loads.insert(planned.number, (queries, took_ms(&of("load.type"), queries, planned.repeat) * 1_000_000));
            }
            Event::Interval { trial, from_ns, to_ns, tally, .. } => {
                let (queries, ns) = loads[trial];
                *to_ns = *from_ns + ns;
                *tally = Tally::default();
                (tally.accounting.scheduled, tally.accounting.completed) = (queries, queries);
                let mut transaction = TransactionTally { completed: queries, ..TransactionTally::default() };
                transaction.response.record_n(ns / queries, queries);
                transaction.service.record_n(ns / queries, queries);
                tally.transactions.insert("slap".into(), transaction);
                let statement = StatementTally { completed: queries, rows: queries, ..StatementTally::default() };
                tally.statements.insert("slap".into(), statement);
            }
            Event::TrialFinished { trial, measured_from_ns, measured_to_ns, .. } => {
                *measured_to_ns = *measured_from_ns + loads[trial].1;
            }
            _ => {}
        }
    }
    Summary::of(&all)
}

/// The smallest time is that of the smallest load, and says nothing of the others.
#[test]
fn the_card_of_numbers_of_statements_has_the_seconds_of_the_largest_of_each_kind() {
    let page = page::render(&timed(), &[], Language::English);
    let card = page.split("<div class=\"card\">").nth(1).unwrap().split("<div class=\"rows\">").next().unwrap();
    assert!(card.contains("<strong>2.5") && card.contains("<dt>5"), "{card}");
    assert!(!card.contains("0.125") && !card.contains("0.25"), "{card}");
}

/// Statements per second are all statements over all seconds: the mean of the rates of 2 and 3 seconds would be 417.
#[test]
fn each_table_of_numbers_of_statements_has_seconds() {
    let summary = timed();
    let markdown = export::markdown(&summary, Language::English);
    let head: Vec<&str> = markdown
        .lines()
        .find(|line| line.starts_with('|') && line.contains("TPS"))
        .unwrap()
        .split('|')
        .map(str::trim)
        .collect();
    let mut rows = markdown.lines().filter(|line| line.starts_with('|'));
    let line = rows.find(|line| line.contains("key") && line.contains("1000")).unwrap();
    let row: Vec<&str> = line.split('|').map(str::trim).collect();
    let of = |name: &str| {
        let text = row[head.iter().position(|head| *head == name).unwrap_or_else(|| panic!("{name} {head:?}"))];
        text.replace(',', "").parse::<f64>().unwrap()
    };
    assert_eq!(
        ["seconds", "min s", "max s", "ms per statement", "TPS", "QPS"].map(of),
        [2.5, 2.0, 3.0, 2.5, 400.0, 400.0]
    );
    assert!(!head.contains(&"spread"), "{head:?}");
}

/// A trial of one target that failed: its partner is in no ratio, and in none of the figures beside it.
#[test]
fn the_figures_beside_a_ratio_are_those_of_its_pairs() {
    let mut all = events(&plan(&["a", "b"], 3));
    let planned = |event: &Event| match event {
        Event::TrialPlanned { planned, .. } if planned.target.name == "b" && planned.repeat == 3 => {
            Some(planned.number)
        }
        _ => None,
    };
    let failed = all.iter().find_map(planned).unwrap();
    for event in &mut all {
        if let Event::Interval { trial, tally, .. } = event
            && *trial == failed
        {
            *tally = Tally::default();
        }
    }
    let summary = Summary::of(&all);
    let c = &summary.comparisons("e", Question::Throughput, Figure::Transactions)[0];
    let [r] = c.cells.as_slice() else { panic!("{c:?}") };
    let both = figures::of_pairs(&summary, r, Figure::Transactions).unwrap();
    for (numbers, mean) in r.trials.iter().zip(both) {
        assert_eq!(numbers.len(), 2);
        let all: f64 = numbers.iter().map(|number| summary.trial(*number).unwrap().tps()).sum();
        assert!((all / 2.0 / mean - 1.0).abs() < 1e-9);
    }
    let cells: Vec<f64> =
        summary.cells().iter().map(|cell| cell.tps.iter().sum::<f64>() / cell.tps.len() as f64).collect();
    assert!(!cells.contains(&both[0]) || !cells.contains(&both[1]), "one of them is of three trials");
    let page = page::render(&summary, &[], Language::English);
    let card = page.split("<div class=\"card\">").nth(1).unwrap().split("<div class=\"rows\">").next().unwrap();
    let of_queries = figures::of_pairs(&summary, r, Figure::Queries).unwrap();
    for shown in of_queries.map(tenbin_words::figure::grouped) {
        assert!(card.contains(&shown), "{shown} {card}");
    }
    // Each transaction has as many statements.
    let (queries, of_both) = figures::queries_of_pairs(&summary, c).unwrap();
    assert!((queries / c.ratio - 1.0).abs() < 0.01 && of_both.is_some(), "{queries} {}", c.ratio);
}

/// What lies between the first two is not seen from their ratios to a third.
#[test]
fn the_card_says_how_far_the_first_is_ahead_of_the_second() {
    let page = page::render(&Summary::of(&events(&plan(&["a", "b", "c"], 3))), &[], Language::English);
    let leaders = Summary::of(&events(&plan(&["a", "b", "c"], 3))).leaders("e", Question::Throughput).unwrap();
    let ratio = tenbin_verdict::answer::ratio(leaders.ratio);
    assert!(page.contains(&format!("{ratio}× of {}, the second (", leaders.a)), "{ratio} {leaders:?}");
}

/// A script may call its transactions as TPC-C does: its times are those of all of them, on the card as in the table.
#[test]
fn transactions_that_are_called_as_those_of_tpcc_are_not_taken_for_them() {
    let mut all = events(&plan(&["a"], 1));
    for event in &mut all {
        if let Event::Interval { tally, .. } = event {
            let mut quick = TransactionTally::default();
            quick.response.record_n(1_000, 1);
            tally.transactions.insert("new_order".to_owned(), quick);
        }
    }
    let summary = Summary::of(&all);
    let (cell, p99) = (&summary.cells()[0], Figure::Percentile(990));
    let of_all = cell.tally.all_starts().response.quantile_ns(0.99) as f64 / 1e6;
    assert_eq!(figures::value(&summary, cell, p99), Some(of_all));
    assert_eq!(figures::named(&summary, &[cell], p99).english(), "the p99");
}

/// A run at a rate of which the trials of this target completed one of two starts that fell due.
fn behind(targets: &[&str], target: &str) -> Summary {
    let mut all = events(&plan(targets, 3).replace("clients = 8", "clients = 8, rate = 100"));
    let planned = |event: &Event| match event {
        Event::TrialPlanned { planned, .. } if planned.target.name == target => Some(planned.number),
        _ => None,
    };
    let own: Vec<u32> = all.iter().filter_map(planned).collect();
    for event in &mut all {
        if let Event::Interval { trial, tally, .. } = event
            && own.contains(trial)
        {
            let waiting = tally.accounting.completed;
            tally.accounting.scheduled += waiting;
            tally.accounting.open += waiting as i64;
        }
    }
    Summary::of(&all)
}

#[test]
fn times_of_a_rate_that_was_not_held_are_named_so_and_are_never_the_best() {
    let page = |summary: &Summary| page::render(summary, &[], Language::English);
    let words = "the p99, of a rate that was not held";
    assert!(page(&behind(&["a"], "a")).contains(words));
    assert!(!page(&behind(&["a"], "none")).contains(words));
    let best = |summary: &Summary| page(summary).matches("class=\"best\"").count();
    let (held, behind) = (best(&behind(&["a", "b"], "none")), best(&behind(&["a", "b"], "b")));
    assert!(held > 2 && behind < 2, "{held} {behind}");
}

/// Loads that time cut off would have needed longer than what was measured: what is large is what they did.
#[test]
fn the_card_has_no_seconds_of_loads_that_did_not_come_to_their_end() {
    let mut summary = timed();
    for t in &mut summary.trials {
        let half = t.tally.accounting.completed / 2;
        (t.tally.accounting.completed, t.tally.accounting.open) = (half, half as i64);
    }
    let page = page::render(&summary, &[], Language::English);
    let card = page.split("<div class=\"card\">").nth(1).unwrap().split("<div class=\"rows\">").next().unwrap();
    assert!(card.contains("Transactions per second") && !card.contains("Time needed"), "{card}");
}

/// The ratio of two limits, with what the levels leave open, is the same on the card, in words and for programs.
#[test]
fn the_limits_of_a_search_are_compared_alike_in_every_form() {
    let summary = Summary::of(&crate::variants::named("search"));
    let [lead] = limit_ratio::leads(&summary).try_into().unwrap();
    let (sentence, times) = (answer::lead(&lead), answer::ratio(lead.interval.value));
    let [low, high] = answer::ends(lead.interval.low, lead.interval.high);
    let english = sentence.english();
    assert!([&times, &low, &high].iter().all(|figure| english.contains(&format!("{figure}×"))), "{english}");
    let page = page::render(&summary, &[], Language::English);
    let card = page.split("<div class=\"card\">").nth(1).unwrap().split("<div class=\"rows\">").next().unwrap();
    assert!(card.contains(&format!(">{times}×</dt>")) && card.contains(&format!("{low}–{high}")), "{card}");
    let json: serde_json::Value = serde_json::from_str(&export::json(&summary, None)).unwrap();
    let of_json = &json["limit_comparisons"][0];
    assert_eq!((&of_json["ratio"], &of_json["sentence"]), (&lead.interval.value.into(), &english.into()));
    assert_eq!(json["comparisons"], serde_json::json!([]), "levels that both tried are no result");
    let (markdown, github) =
        (export::markdown(&summary, Language::English), export::github(&summary, Language::English, None));
    for text in [page.as_str(), &markdown, &github, json["answer"].as_str().unwrap()] {
        assert!(text.contains(english), "{english}");
    }
    // What is large would be read as the limit of a winner.
    assert_eq!(lead.is_decided(), !card.contains("cannot tell the limits of"), "{card}");
}

#[test]
fn the_latency_budget_is_of_all_transactions_as_the_table_of_results() {
    let mut all = crate::variants::named("observed");
    let last = all.iter().map(Event::trial).max().unwrap();
    // The last trial completes a third, each of which takes three times as long.
    for event in &mut all {
        let Event::Interval { trial, tally, .. } = event else { continue };
        if *trial != last {
            continue;
        }
        for t in tally.transactions.values_mut() {
            let slow_ns = 3 * t.response.mean_ns() as u64;
            t.completed /= 3;
            for (times, ns) in [(&mut t.response, slow_ns), (&mut t.service, slow_ns), (&mut t.wait, 0)] {
                *times = Default::default();
                times.record_n(ns, t.completed);
            }
        }
        tally.accounting.completed /= 3;
        tally.accounting.scheduled = tally.accounting.completed + tally.accounting.failed;
    }
    let summary = Summary::of(&all);
    let page = page::render(&summary, &[], Language::English);
    let table = page.split("<table class=\"budgets\">").nth(1).unwrap().split("</table>").next().unwrap();
    let rows = table.split("<tr>").skip(2);
    let shown = rows.map(|row| row.split("<td>").nth(1).unwrap().split('<').next().unwrap().parse::<f64>().unwrap());
    let means: Vec<f64> = summary.cells().iter().map(|cell| figures::times(&summary, cell).mean_ns() / 1e6).collect();
    let shown: Vec<f64> = shown.collect();
    assert_eq!(shown.len(), means.len());
    assert!(shown.iter().zip(&means).all(|(shown, mean)| (shown / mean - 1.0).abs() < 0.01), "{shown:?} {means:?}");
}
