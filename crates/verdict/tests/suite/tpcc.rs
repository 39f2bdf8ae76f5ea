//! What a run of the workload derived from TPC-C comes to: plan and counts in, figures, verdicts and departures out.

#![expect(clippy::unwrap_used, reason = "a test may")]

use crate::common;
use crate::finished::finished;
use tenbin_verdict::answer::answer;
use tenbin_verdict::conditions::conditions;
use tenbin_verdict::judged::Judged;
use tenbin_verdict::question::TimesOf;

use std::collections::BTreeMap;
use tenbin_model::event::{EndState, Event, FORMAT, Phase};
use tenbin_model::plan::{Plan, expand};
use tenbin_model::summary::{StoredRun, Summary};
use tenbin_model::tally::{Tally, TransactionTally};
use tenbin_model::tpcc;
use tenbin_model::trial::Trial;
use tenbin_verdict::tpcc_result::{self, From};
use tenbin_words::language::Language;

const SECOND: u64 = 1_000_000_000;

/// A run of one trial with these lines for data set and load; each second counts what `second` says.
pub fn run(data: &str, load: &str, seconds: u64, second: impl Fn(u64) -> Tally) -> Summary {
    run_by(1, data, load, seconds, second)
}

/// The same with intervals of this many seconds.
fn run_by(step: u64, data: &str, load: &str, seconds: u64, interval: impl Fn(u64) -> Tally) -> Summary {
    let plan = format!(
        "schema = 1\n[targets.one]\ndsn = \"mysql://a@127.0.0.1/tpcc\"\n[datasets.d]\nkind = \"tpcc\"\n{data}\n\
         [[experiment]]\nname = \"e\"\ndataset = \"d\"\nrepeats = 1\nwarmup = \"0s\"\nmeasure = \"{seconds}s\"\n\
         interval = \"{step}s\"\n[experiment.load]\nkind = \"tpcc\"\n{load}\n"
    );
    let mut trials = expand(&Plan::parse(&plan, &common::catalog()).unwrap());
    trials.iter_mut().for_each(complete);
    let clients = trials[0].load.clients;
    let started = Event::RunStarted {
        format: FORMAT,
        name: "made up".into(),
        tool: "0".into(),
        started: "2026-01-01T00:00:00+00:00".into(),
        plan,
    };
    let mut all = vec![started];
    all.extend(trials.into_iter().map(|t| Event::TrialPlanned { planned: Box::new(t), expected: 1 }));
    all.push(Event::TrialStarted { trial: 1, at_ns: 0 });
    all.extend((0..seconds / step).map(|s| Event::Interval {
        trial: 1,
        phase: Phase::Measure,
        from_ns: s * step * SECOND,
        to_ns: (s + 1) * step * SECOND,
        clients,
        tally: interval(s),
        completions: None,
        per_client: Default::default(),
    }));
    all.push(finished(1, seconds * SECOND, (0, seconds * SECOND)));
    all.push(Event::RunFinished { at_ns: seconds * SECOND, state: EndState::Complete });
    Summary::of(&all)
}

/// The options that the plan leaves open, as a run completes them.
fn complete(trial: &mut Trial) {
    let is = |name: &str, value: &str| trial.load.options.get(name).is_some_and(|given| given == value);
    let as_tpcc_mysql = is("profile", tpcc::TPCC_MYSQL);
    let deferred = if is("mode", "paced") && !as_tpcc_mysql { "on" } else { "off" };
    let isolation = if as_tpcc_mysql { "server" } else { "repeatable_read" };
    let of_load = [
        ("profile", "batched"),
        ("mode", "saturate"),
        ("pace", "1"),
        ("home", "fixed"),
        ("mix", "deck"),
        ("new_order", "45"),
        ("payment", "43"),
        ("order_status", "4"),
        ("delivery", "4"),
        ("stock_level", "4"),
        ("deferred_delivery", deferred),
        ("pipeline", "off"),
        ("isolation", isolation),
    ];
    for (name, value) in of_load {
        trial.load.options.entry(name.to_owned()).or_insert_with(|| value.to_owned());
    }
    for (name, value) in [("warehouses", "1"), ("tables", "1"), ("layout", "spec")] {
        trial.dataset.options.entry(name.to_owned()).or_insert_with(|| value.to_owned());
    }
}

/// This many decks of 23 cards, each transaction of this many milliseconds.
pub fn decks(n: u64, ms: u64) -> Tally {
    let mut tally = Tally::default();
    for (name, cards) in [("new_order", 10), ("payment", 10), ("order_status", 1), ("delivery", 1), ("stock_level", 1)]
    {
        let mut t = TransactionTally { completed: cards * n, ..TransactionTally::default() };
        t.response.record_n(ms * 1_000_000, cards * n);
        tally.accounting.completed += cards * n;
        tally.accounting.scheduled += cards * n;
        tally.transactions.insert(name.into(), t);
    }
    let counts = [
        ("new_order_rolled_back", n / 10),
        ("new_order_lines", 100 * n),
        ("new_order_remote_lines", n),
        ("payment_remote", 10 * n * 15 / 100),
        ("payment_by_name", 6 * n),
        ("order_status_by_name", n * 6 / 10),
    ];
    tally.counters = counts.into_iter().map(|(name, n)| (name.to_owned(), n)).collect();
    tally
}

fn result(summary: &Summary) -> tpcc_result::Result {
    tpcc_result::result(summary, &summary.cells()[0]).unwrap()
}

fn clauses(r: &tpcc_result::Result) -> Vec<&str> {
    r.deviations.iter().map(|d| d.clause).collect()
}

#[test]
fn new_orders_are_counted_as_the_specification_and_as_others_count_them() {
    let r = result(&run("warehouses = 10", "clients = 16", 60, |_| decks(10, 5)));
    assert_eq!((r.nopm, r.nopm_committed, r.warehouses, r.sets, r.terminals), (6000.0, 5940.0, 10, 1, 16));
    assert_eq!(r.efficiency, None, "without pauses it means nothing");
    assert!(r.types.iter().all(|t| t.in_time() && t.enough()), "{:?}", r.types);
    assert!(r.shares.iter().all(tpcc_result::Share::in_range) && r.shares.len() == 7, "{:?}", r.shares);
    assert_eq!(clauses(&r), ["2.2", "2.7.2", "3.4", "3.5", "4.2.2", "4.3.3.1", "5.2.5", "5.5.2", "7, 8, 9"]);
}
/// At a rate throughput is made of what ended in the window, New-Orders too; which of them had fallen due before it is another question.
#[test]
fn orders_that_had_fallen_due_before_the_window_are_a_part_of_its_orders() {
    let backlog = |_| {
        let mut tally = decks(10, 5);
        tally.accounting.carried = 46;
        for (name, carried) in [("new_order", 20), ("payment", 26)] {
            tally.transactions.get_mut(name).unwrap().carried = carried;
        }
        tally
    };
    let summary = run("warehouses = 10", "clients = 16\nrate = 230", 60, backlog);
    let r = result(&summary);
    assert_eq!((r.nopm, r.nopm_committed), (7200.0, 7128.0));
    let t = &summary.trials[0];
    assert_eq!((t.tps(), tpcc_result::new_orders_per_minute(t)), (276.0, Some(7200.0)));
    assert!(t.series.points().all(|p| p.completed["new_order"] == 120));
    // Also where those in progress at its end are waited for.
    let drained = run("warehouses = 10", "clients = 16\nrate = 230\ndrain = \"5s\"", 60, backlog);
    assert_eq!(result(&drained).nopm, 7200.0);
}

#[test]
fn users_at_their_pace_have_an_efficiency_and_queue_their_deliveries() {
    let paced = "mode = \"paced\"\nclients = 100\nisolation = \"serializable\"";
    let queued = |_| {
        let mut tally = decks(10, 5);
        tally.counters.insert("delivery_deferred_done".into(), 10);
        tally.counters.insert("delivery_deferred_late".into(), 2);
        tally
    };
    let r = result(&run_by(60, "warehouses = 10", paced, 7200, queued));
    assert!((r.efficiency.unwrap() - 100.0 / 128.6).abs() < 1e-9, "{:?}", r.efficiency);
    assert_eq!(clauses(&r), ["2.2", "2.7.3.4", "3.5", "4.3.3.1", "7, 8, 9"]);
    let late = r.shares.iter().find(|s| s.what == "queued deliveries done within 80 s").unwrap();
    assert!((late.value - 0.8).abs() < 1e-9 && !late.in_range(), "{late:?}");
    assert_eq!(r.types[3].limit_ns, 5 * SECOND, "of the answer, not of what is done later");
    let r = result(&run("warehouses = 10", &format!("{paced}\npace = 0.5"), 60, queued));
    assert!(r.efficiency.is_none() && clauses(&r).contains(&"5.2.5"), "half the pauses are no pauses");
}

#[test]
fn every_departure_is_named() {
    let load = "clients = 4\nhome = \"random\"\nmix = \"weights\"\ndeferred_delivery = \"on\"";
    let r = result(&run("warehouses = 5\ntables = 4\nlayout = \"tpcc_mysql\"", load, 60, |_| decks(1, 5)));
    assert_eq!((r.warehouses, r.sets, r.size().english()), (20, 4, "20 warehouses (4 sets of 5)"));
    for clause in ["1.2", "1.3", "2.4.1.1", "5.2.4.2", "2.7.3.4", "4.2.2"] {
        assert!(clauses(&r).contains(&clause), "{clause}: {:?}", clauses(&r));
    }
    assert!(
        r.deviations.iter().all(|d| !d.what.is_empty() && !d.what.text(Language::Japanese).is_ascii()),
        "in both languages"
    );
}

#[test]
fn what_was_found_in_the_tables_counts_and_not_what_they_were_called() {
    let result_of = |data: &str, facts: &[(&str, &str)]| {
        let mut summary = run(data, "clients = 10", 60, |_| decks(1, 5));
        let facts = facts.iter().map(|(name, value)| (format!("tables.{name}"), (*value).to_owned())).collect();
        summary.take(&Event::Facts { trial: 1, about: "one".into(), facts });
        assert!(summary.facts.is_empty(), "they are the trial's, not the target's");
        result(&summary)
    };
    let text_of = |r: &tpcc_result::Result, clause: &str| {
        let all = r.deviations.iter().filter(|d| d.clause == clause);
        all.map(|d| d.what.english().to_owned() + "\n" + &d.what.text(Language::Japanese) + "\n").collect::<String>()
    };
    let narrow = [("rate_decimals", "2"), ("limit_decimals", "0"), ("warehouse_bits", "16")];
    let r = result_of("warehouses = 1", &narrow);
    insta::assert_snapshot!(text_of(&r, "1.3"), @r"
    tax and discount have 2 decimals (it says 4), limits of credit 0 (it says 2), numbers of warehouses 16 bits
    税率と割引率は小数 2 桁(規定は 4 桁)、信用限度額は小数 0 桁(規定は 2 桁)、倉庫番号は 16 ビットです
    ");
    let called = result(&run("layout = \"tpcc_mysql\"", "clients = 10", 60, |_| decks(1, 5)));
    assert_eq!(text_of(&called, "1.3"), text_of(&r, "1.3"), "not looked at: as the layout has it");
    let wide = [("rate_decimals", "4"), ("limit_decimals", "2"), ("warehouse_bits", "64")];
    assert_eq!(text_of(&result_of("layout = \"tpcc_mysql\"", &wide), "1.3"), "");

    let r = result_of("warehouses = 1", &[("loaded_by", "another program"), ("databases", "2")]);
    assert_eq!((r.warehouses, r.sets), (2, 2));
    assert!(text_of(&r, "1.2").starts_with("2 databases with 1 warehouse each: "), "{}", text_of(&r, "1.2"));
    assert!(text_of(&r, "4.2.2").starts_with("10 terminals on 2 warehouses"), "{}", text_of(&r, "4.2.2"));
    assert!(text_of(&r, "2.1.6.1").contains("C-Load") && text_of(&r, "4.3.3.1").contains("another program"), "{r:?}");
    let at = |level: &str| {
        let mut summary = run("warehouses = 1", "clients = 10\nisolation = \"server\"", 60, |_| decks(1, 5));
        let facts = [("variable.tx_isolation".to_owned(), level.to_owned())].into();
        summary.take(&Event::Facts { trial: 1, about: "one".into(), facts });
        text_of(&result(&summary), "3.4")
    };
    assert!(at("READ-COMMITTED").starts_with("isolation level read_committed; "), "{}", at("READ-COMMITTED"));
    assert_eq!(at("SERIALIZABLE"), "", "as it says, from either source");
    let ours = result_of("warehouses = 1", &[("loaded_by", "tenbin")]);
    assert!(text_of(&ours, "2.1.6.1").is_empty() && text_of(&ours, "4.3.3.1").contains("2020-01-01"), "{ours:?}");
}

#[test]
fn a_deck_of_other_cards_is_a_departure_and_a_multiple_of_the_right_one_is_none() {
    let of = |load: &str| {
        result(&run("warehouses = 1", &format!("clients = 10\nmix = \"cards\"\n{load}"), 60, |_| decks(1, 5)))
    };
    let other = of("stock_level = 0");
    let deviation = other.deviations.iter().find(|d| d.clause == "5.2.4.2").unwrap();
    assert!(
        [Language::English, Language::Japanese].iter().all(|l| deviation.what.text(*l).contains("45:43:4:4:0")),
        "{deviation:?}"
    );
    let right = of("new_order = 20\npayment = 20\norder_status = 2\ndelivery = 2\nstock_level = 2");
    assert!(!clauses(&right).contains(&"5.2.4.2"), "{:?}", clauses(&right));
}

#[test]
fn limits_minimums_and_ranges_that_are_not_kept_are_seen() {
    let slow = |_| {
        let mut tally = decks(10, 6000);
        tally.transactions.remove("order_status");
        tally.counters.insert("new_order_rolled_back".into(), 20);
        tally
    };
    let r = result(&run("warehouses = 1", "clients = 16", 60, slow));
    let kept: BTreeMap<&str, (bool, bool)> = r.types.iter().map(|t| (t.of.name(), (t.in_time(), t.enough()))).collect();
    assert_eq!(kept["new_order"], (false, true));
    assert_eq!(kept["order_status"], (false, false));
    assert_eq!((kept["delivery"].0, kept["stock_level"].0), (true, true), "their limits are longer");
    let outside: Vec<&str> = r.shares.iter().filter(|s| !s.in_range()).map(|s| s.what.english()).collect();
    assert_eq!(outside, ["orders rolled back"]);
    assert!(r.shares.iter().all(|s| !s.what.contains("remote")), "one warehouse has no other");
}

#[test]
fn the_steady_part_begins_after_the_ramp() {
    let r = result(&run("warehouses = 10", "clients = 16", 300, |s| decks((s + 1).min(40), 5)));
    let steady = r.steady.unwrap();
    let From::At(seconds) = steady.from else { panic!("{steady:?}") };
    assert!((20.0..=40.0).contains(&seconds), "{seconds}");
    assert!(
        (steady.mean - 24_000.0).abs() < 600.0 && steady.deviation < 1500.0,
        "{} {}",
        steady.mean,
        steady.deviation
    );
    assert_eq!((steady.series.len(), steady.series[0].len()), (1, 30));
    assert_eq!(steady.seconds, 300.0 - seconds);
    let all: u64 = steady.series[0].iter().map(|s| s.orders).sum();
    assert_eq!(all as f64 / 5.0, r.nopm, "the series is all there was");
    assert!(steady.render().starts_with("Steady from "), "{:?}", steady.render());

    let rising = result(&run("warehouses = 10", "clients = 16", 300, |s| decks(10 + s, 5))).steady.unwrap();
    assert_eq!(rising.from, From::Never);
    let short = result(&run("warehouses = 10", "clients = 16", 60, |_| decks(10, 5))).steady.unwrap();
    assert_eq!((short.from, short.mean, short.deviation), (From::TooShort, 6000.0, 0.0));
    assert!(result(&run("warehouses = 10", "clients = 16", 15, |_| decks(10, 5))).steady.is_none());
}

#[test]
fn another_workload_has_no_such_result() {
    let plan = "schema = 1\n[targets.one]\ndsn = \"mysql://a@127.0.0.1/x\"\n[datasets.d]\nkind = \"sysbench\"\n\
                [[experiment]]\nname = \"e\"\ndataset = \"d\"\nload = { workload = \"oltp_read_only\" }\n";
    let trials = expand(&Plan::parse(plan, &common::catalog()).unwrap());
    let started = Event::RunStarted {
        format: FORMAT,
        name: "x".into(),
        tool: "0".into(),
        started: "2026-01-01T00:00:00+00:00".into(),
        plan: plan.into(),
    };
    let mut all = vec![started];
    all.extend(trials.into_iter().map(|t| Event::TrialPlanned { planned: Box::new(t), expected: 1 }));
    let summary = Summary::of(&all);
    assert!(summary.cells().iter().all(|cell| tpcc_result::result(&summary, cell).is_none()));
}

#[test]
fn each_profile_names_itself_and_both_together_are_cautioned() {
    let of = |load: &str| run("warehouses = 1", load, 60, |_| decks(1, 5));
    let (batched, theirs) = (of("clients = 10"), of("clients = 10\nprofile = \"tpcc-mysql\""));
    assert_eq!([result(&batched).profile, result(&theirs).profile], [tpcc::BATCHED, tpcc::TPCC_MYSQL]);
    for clause in ["2.4.2.2", "2.5.2.2", "2.6.2.2"] {
        assert!(
            !clauses(&result(&batched)).contains(&clause) && clauses(&result(&theirs)).contains(&clause),
            "{clause}"
        );
    }
    let isolation = |s: &Summary| {
        let deviation = result(s).deviations.into_iter().find(|d| d.clause == "3.4").unwrap();
        deviation.what
    };
    assert_eq!(
        isolation(&batched),
        "isolation level repeatable_read; rows that are written later are read with a lock"
    );
    assert_eq!(isolation(&theirs), "isolation level server; a delivery reads its oldest order without a lock");
    assert_eq!((tpcc_result::caution(&batched), tpcc_result::caution(&theirs)), (None, None));
    let mut both = batched;
    both.trials.extend(theirs.trials);
    let caution = tenbin_verdict::answer::caution(&both).unwrap().english().to_owned();
    assert!(caution.contains("compare only trials of one profile"), "{caution}");
}

#[test]
fn the_answer_is_in_new_orders() {
    use tenbin_verdict::answer::answer;
    let summary = run("warehouses = 10", "clients = 16", 60, |_| decks(10, 5));
    let printed = [Language::English, Language::Japanese].map(|l| answer(&summary).text(l));
    assert!(
        printed[0].starts_with("one completed 6,000 New-Orders per minute (one repeat only: how much of this is chance is not known), with a p99"),
        "{printed:?}"
    );
    assert!(
        printed[0].contains("for a New-Order.") && printed[1].contains("毎分 6,000 件の新規注文を処理しました"),
        "{printed:?}"
    );
}

/// Pauses and shared connections decide how much is done, as the number of terminals does.
#[test]
fn the_conditions_name_pauses_and_shared_connections() {
    let of = |load: &str| conditions(&run("warehouses = 10", load, 60, |_| decks(10, 5))).unwrap();
    let paced = of("clients = 30\nmode = \"paced\"\npace = 0.02\npool = 2");
    let (en, ja) = (paced.english(), paced.text(Language::Japanese));
    assert!(en.starts_with("tpcc (profile batched, 2 connections shared)"), "{en}");
    assert!(en.contains("30 clients; closed loop with keying and think times, multiplied by 0.02;"), "{en}");
    assert!(ja.contains("共有接続 2 本") && ja.contains("思考時間 × 0.02"), "{ja}");
    let usual = of("clients = 30");
    assert!(usual.english().contains("tpcc (profile batched)"), "{}", usual.english());
    assert!(usual.english().contains("30 clients; closed loop;"), "{}", usual.english());
    let run = |ms| run("warehouses = 10", "clients = 30\nmode = \"paced\"", 60, move |_| decks(10, ms));
    let runs = [("before", run(5)), ("after", run(6))];
    let runs = runs.map(|(label, summary)| StoredRun { label: label.to_owned(), summary });
    let answer = answer(&Summary::compared(runs.to_vec())).english().to_owned();
    assert!(answer.contains("New-Orders per minute of before") && answer.contains("and no capacity"), "{answer}");
    assert!(of("clients = 30\nmode = \"paced\"").english().contains("closed loop with keying and think times;"));
}

/// Six of ten transactions are New-Orders, and so are six of ten starts that were not answered for five seconds.
#[test]
fn starts_that_were_not_answered_are_new_orders_in_proportion() {
    let mut tally = Tally::default();
    for (name, n, ms) in [("new_order", 60, 2), ("payment", 40, 1)] {
        let mut transaction = TransactionTally { completed: n, ..TransactionTally::default() };
        transaction.response.record_n(ms * 1_000_000, n);
        tally.transactions.insert(name.to_owned(), transaction);
    }
    tally.unanswered.record_n(5_000_000_000, 10);
    let orders = TimesOf::NewOrders.in_tally(&tally);
    assert_eq!((orders.completed, orders.response.count()), (60, 66));
    assert!(orders.response.quantile_ns(0.9) < 3_000_000 && orders.response.quantile_ns(0.92) > 4_900_000_000);
}

/// Nothing counts as a New-Order where the mix has none: what such a load completes is compared.
#[test]
fn a_mix_without_new_orders_is_compared_by_its_transactions() {
    let load = "mix = \"weights\"\nnew_order = 0\npayment = 100";
    let summary = run("", load, 10, |_| {
        let mut tally = decks(10, 3);
        tally.transactions.retain(|name, _| name == "payment");
        (tally.accounting.completed, tally.accounting.scheduled) = (100, 100);
        tally
    });
    let answer = answer(&summary).english().to_owned();
    assert!(answer.contains("100 transactions per second") && !answer.contains("New-Order"), "{answer}");
}
