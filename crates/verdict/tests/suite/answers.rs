//! The sentence that answers a plan's question: what it claims, and what it does not.

use crate::common;
use tenbin_verdict::compared::Compared;

use tenbin_model::event::{EndState, Event, FORMAT, Phase};
use tenbin_model::figures::Figure;
use tenbin_model::plan::{Plan, expand};
use tenbin_model::question::Question;
use tenbin_model::summary::Summary;
use tenbin_model::tally::{Tally, TransactionTally};
use tenbin_model::trial::{Schedule, Trial};
use tenbin_verdict::answer::{answers, ends};
use tenbin_verdict::comparison::{Comparable, reading};
use tenbin_verdict::counting;
use tenbin_verdict::judged::Judged;
use tenbin_words::language::Language;

const SECOND: u64 = 1_000_000_000;

/// What the trials of a run had: transactions per second, and the milliseconds of nine in ten transactions and of the tenth.
pub type Had<'f> = &'f dyn Fn(&Trial) -> (f64, f64, f64);

/// The run of a plan whose trials had this.
pub fn run(plan: &str, had: Had<'_>) -> Summary {
    let plan = Plan::parse(plan, &common::catalog()).unwrap_or_else(|problems| panic!("{problems:?}"));
    let trials = expand(&plan);
    let (name, tool, started) = ("run".to_owned(), "0.0.0".to_owned(), "2026-11-23T00:00:00Z".to_owned());
    let mut all = vec![Event::RunStarted { format: FORMAT, name, tool, started, plan: plan.text.clone() }];
    let expected = trials.len() as u32;
    all.extend(trials.iter().map(|t| Event::TrialPlanned { planned: Box::new(t.clone()), expected }));
    let mut at_ns = SECOND;
    for t in &trials {
        let trial = t.number;
        all.push(Event::TrialStarted { trial, at_ns });
        all.push(Event::PhaseStarted { trial, phase: Phase::Measure, at_ns });
        let (tps, usual_ms, slow_ms) = had(t);
        // A number of statements ends the trial, else its time.
        let seconds = tenbin_model::counted::expected(&t.load).map_or(10, |n| n / tps as u64);
        for _ in 0..seconds {
            let clients = t.load.clients;
            all.push(Event::Interval {
                trial,
                phase: Phase::Measure,
                from_ns: at_ns,
                to_ns: at_ns + SECOND,
                clients,
                tally: tally(t, tps as u64, usual_ms, slow_ms),
                completions: None,
                per_client: Default::default(),
            });
            at_ns += SECOND;
        }
        all.push(Event::TrialFinished {
            trial,
            at_ns,
            state: EndState::Complete,
            measured_from_ns: at_ns - seconds * SECOND,
            measured_to_ns: at_ns,
            client_cpu_ns: SECOND,
            workers: 1,
            per_client: Default::default(),
            client_halts: Default::default(),
            oldest_open_ns: None,
            beside: Default::default(),
        });
        at_ns += SECOND;
    }
    all.push(Event::RunFinished { at_ns, state: EndState::Complete });
    Summary::of(&all)
}

fn tally(t: &Trial, completed: u64, usual_ms: f64, slow_ms: f64) -> Tally {
    let mut transaction = TransactionTally { completed, ..TransactionTally::default() };
    for (ms, n) in [(usual_ms, completed - completed / 10), (slow_ms, completed / 10)] {
        transaction.response.record_n((ms * 1e6) as u64, n);
        transaction.service.record_n((ms * 1e6) as u64, n);
        transaction.wait.record_n(0, n);
    }
    let mut tally = Tally::default();
    tally.accounting.completed = completed;
    tally.accounting.scheduled = match t.load.schedule {
        Schedule::Closed => completed,
        Schedule::Open { rate, .. } => (rate as u64).max(completed),
    };
    tally.accounting.open = (tally.accounting.scheduled - completed) as i64;
    tally.transactions.insert(t.load.workload.clone(), transaction);
    tally
}

/// The answer in both languages.
pub fn told(summary: &Summary) -> String {
    let all = answers(summary);
    let in_language = |language| all.iter().map(|a| a.text(language)).collect::<Vec<_>>().join("\n");
    format!("{}\n{}", in_language(Language::English), in_language(Language::Japanese))
}

fn plan(targets: &[&str], load: &str, matrix: &str, repeats: u32) -> String {
    let targets: String =
        targets.iter().map(|name| format!("[targets.{name}]\ndsn = \"mysql://u@h/{name}\"\n")).collect();
    format!(
        "schema = 1\n{targets}[[experiment]]\nname = \"e\"\nrepeats = {repeats}\nmeasure = \"10s\"\n{matrix}\n[experiment.load]\n{load}\n"
    )
}

const CLIENTS: &str = "matrix.load.clients = [1, 8, 32]";

/// A little above or below 1, as repeats differ.
pub fn wobble(t: &Trial) -> f64 {
    1.0 + 0.004 * f64::from((7 * t.repeat + 3 * t.target.place + 5 * t.cell) % 6)
}

#[test]
fn cells_that_disagree_are_not_pooled() {
    let plan = plan(&["a", "b"], "workload = \"oltp_read_write\"", CLIENTS, 3);
    let ratio = |t: &Trial, of: [f64; 3]| match (t.target.name.as_str(), t.load.clients) {
        ("a", _) => 1.0,
        (_, 1) => of[0],
        (_, 8) => of[1],
        _ => of[2],
    };
    let with = |of: [f64; 3]| {
        let had = |t: &Trial| {
            let tps = 1000.0 * ratio(t, of) * wobble(t);
            (tps, f64::from(t.load.clients) * 1000.0 / tps, f64::from(t.load.clients) * 1000.0 / tps)
        };
        told(&run(&plan, &had))
    };
    insta::assert_snapshot!(with([2.04, 1.3, 1.2]), @"
    b completed 1.19× (32 clients) to 2.06× (1 client) the transactions per second of a in all 3 cells (95 % intervals of the cells together, 9 pairs of runs). The p99 response time of b was 0.48× (1 client) to 0.83× (32 clients) that of a.
    3 条件のすべてで、b の毎秒トランザクション数は a の 1.19 倍(32 クライアント)〜2.06 倍(1 クライアント)です(条件全体での 95% 信頼区間による判定、9 組)。b の応答時間の p99 は a の 0.48 倍(1 クライアント)〜0.83 倍(32 クライアント)です。
    ");
    insta::assert_snapshot!(with([2.04, 1.0, 1.0]), @"
    b completed 2.06× (1 client) the transactions per second of a; at 8 clients, 32 clients they cannot be told apart (95 % intervals of the cells together, 9 pairs of runs). The p99 response time of b was 0.48× (1 client) that of a in 1 of 3 cells; in the rest they cannot be told apart.
    b の毎秒トランザクション数は a の 2.06 倍(1 クライアント)です。8 クライアント、32 クライアントでは優劣を判断できません(条件全体での 95% 信頼区間による判定、9 組)。3 条件のうち 1 条件で、b の応答時間の p99 は a の 0.48 倍(1 クライアント)です。残りの条件では優劣を判断できません。
    ");
    insta::assert_snapshot!(with([1.5, 1.0, 0.6]), @"
    a completed 1.67× (32 clients) the transactions per second of b; a completed 0.66× (1 client) the transactions per second of b; at 8 clients they cannot be told apart (95 % intervals of the cells together, 9 pairs of runs). The p99 response time of a was 0.60× (32 clients) to 1.52× (1 client) that of b in 2 of 3 cells; in the rest they cannot be told apart.
    a の毎秒トランザクション数は b の 1.67 倍(32 クライアント)です。a の毎秒トランザクション数は b の 0.66 倍(1 クライアント)です。8 クライアントでは優劣を判断できません(条件全体での 95% 信頼区間による判定、9 組)。3 条件のうち 2 条件で、a の応答時間の p99 は b の 0.60 倍(32 クライアント)〜1.52 倍(1 クライアント)です。残りの条件では優劣を判断できません。
    ");
    // Repeats that differ by a factor say nothing certain, and not that the targets are alike.
    let scattered = |t: &Trial| {
        let scatter =
            if t.load.clients == 1 && t.target.name == "b" { [1.0, 2.5, 0.4][t.repeat as usize % 3] } else { 1.0 };
        let tps = 1000.0 * ratio(t, [40.0, 2.0, 3.0]) * wobble(t) * scatter;
        (tps, f64::from(t.load.clients) * 1000.0 / tps, f64::from(t.load.clients) * 1000.0 / tps)
    };
    insta::assert_snapshot!(told(&run(&plan, &scattered)), @"
    b completed 2.01× (8 clients) to 2.99× (32 clients) the transactions per second of a in 2 of 3 cells; 40.5× (1 client) is uncertain with so few repeats (95 % intervals of the cells together, 9 pairs of runs). The p99 response time of b was 0.22× that of a (95 % interval 0.10× to 0.36×). That is a mean over 3 cells: 0.062× (1 client) to 0.50× (8 clients).
    3 条件のうち 2 条件で、b の毎秒トランザクション数は a の 2.01 倍(8 クライアント)〜2.99 倍(32 クライアント)です。40.5 倍(1 クライアント)は、この繰り返し数では確実とは言えません(条件全体での 95% 信頼区間による判定、9 組)。b の応答時間の p99 は a の 0.22 倍です(95% 信頼区間 0.10〜0.36 倍)。これは 3 条件の平均です(条件ごとには 0.062 倍(1 クライアント)〜0.50 倍(8 クライアント))。
    ");
    // They agree: one ratio speaks for all.
    insta::assert_snapshot!(with([1.5, 1.5, 1.5]), @"
    b completed 1.51× the transactions per second of a (95 % interval 1.49× to 1.52×, 9 pairs of runs). The p99 response time of b was 0.66× that of a (95 % interval 0.65× to 0.67×).
    b の毎秒トランザクション数は a の 1.51 倍です(95% 信頼区間 1.49〜1.52 倍、9 組)。b の応答時間の p99 は a の 0.66 倍です(95% 信頼区間 0.65〜0.67 倍)。
    ");
    insta::assert_snapshot!(with([1.0, 1.0, 1.0]), @"
    No difference between a and b is larger than 1.3 %: b completed 1.004× the transactions per second of a (95 % interval 0.995× to 1.01×, 9 pairs of runs). The p99 response times of a and b cannot be told apart (95 % interval of the ratio 0.98× to 1.005×).
    a と b に 1.3% を超える差はありません。b の毎秒トランザクション数は a の 1.004 倍です(95% 信頼区間 0.995〜1.01 倍、9 組)。a と b の応答時間の p99 の優劣は判断できません(比の 95% 信頼区間 0.98〜1.005 倍)。
    ");
}

/// A ratio is a fact only where an interval says so.
#[test]
fn a_response_time_that_differs_from_pair_to_pair_cannot_be_told_apart() {
    let plan = |matrix| plan(&["a", "b"], "workload = \"oltp_read_write\"\nclients = 4", matrix, 3);
    let slow = |t: &Trial| [0.1, 1.0, 30.0][(t.repeat - 1) as usize % 3];
    let had = |t: &Trial| match t.target.name.as_str() {
        "a" => (1000.0 * wobble(t), 0.05, 10.0),
        _ => (1500.0 * wobble(t), 0.05, slow(t)),
    };
    let summary = run(&plan(""), &had);
    let answer = told(&summary);
    assert!(answer.contains("b completed 1.5") && answer.contains("(95 % interval "), "{answer}");
    assert!(
        answer.contains(
            "The p99 response times of a and b cannot be told apart: they differ too much from pair to pair."
        ),
        "{answer}"
    );
    assert!(
        answer.contains("優劣は判断できません(組ごとの差が大きすぎます)") && !answer.contains("that of a."),
        "{answer}"
    );
    // In one of two cells the pairs agree.
    let by_cell = |t: &Trial| match (t.axes.first().map(|(_, value)| value.as_str()), had(t)) {
        (Some("8"), (tps, usual, _)) if t.target.name == "b" => (tps, usual, 2.0 * wobble(t)),
        (_, had) => had,
    };
    let answer = told(&run(&plan("matrix.load.clients = [1, 8]").replace("\nclients = 4", ""), &by_cell));
    let facts = ["in 1 of 2 cells; in the rest they cannot be told apart", "differ too much from pair to pair"];
    assert!(facts.iter().any(|fact| answer.contains(fact)), "{answer}");
    // One repeat in several cells: their range, as of the throughput.
    let once = plan("matrix.load.clients = [1, 8]").replace("\nclients = 4", "").replace("repeats = 3", "repeats = 1");
    let answer = told(&run(&once, &|t| if t.load.clients == 8 { had(t) } else { (1000.0, 0.05, 10.0) }));
    assert!(
        answer.contains("The p99 response time of b was 0.0") && answer.contains("to 1.000× (1 client) that of a."),
        "{answer}"
    );
}

#[test]
fn of_a_rate_the_answer_is_whether_it_was_held_and_how_long_it_took() {
    let plan = plan(&["quick", "slow"], "workload = \"oltp_read_write\"\nclients = 4\nrate = 1000", "", 3);
    let had = |slow_tps: f64, slow_ms: f64| {
        let had = move |t: &Trial| match t.target.name.as_str() {
            "quick" => (1000.0, 2.0 * wobble(t), 4.0 * wobble(t)),
            _ => (slow_tps, 3.0 * wobble(t), slow_ms * wobble(t)),
        };
        told(&run(&plan, &had))
    };
    insta::assert_snapshot!(had(1000.0, 9.0), @"
    quick, slow held the rate of 1,000 transactions per second. quick had 0.44× the p99 response time of slow (95 % interval 0.438× to 0.440×, 3 pairs of runs).
    quick、slow は指定レート(毎秒 1,000 件)を維持しました。quick の応答時間の p99 は slow の 0.44 倍です(95% 信頼区間 0.438〜0.440 倍、3 組)。
    ");
    insta::assert_snapshot!(had(759.0, 9.0), @"
    quick held the rate of 1,000 transactions per second. slow did not hold the rate: of 1,000 transactions per second requested it completed 759 in the worst of 3 such trials. Response times are not compared, because they grow with the length of the run where the rate is not held.
    quick は指定レート(毎秒 1,000 件)を維持しました。slow は指定レートを維持できませんでした。毎秒 1,000 件の指定に対し、完了は、3 試行のうち最も悪い試行で毎秒 759 件です。応答時間は比較しません。指定レートを維持できないと、計測時間が長いほど応答時間が延びるためです。
    ");
}

#[test]
fn of_mysqlslap_the_answer_is_seconds() {
    let plan = plan(&["a", "b"], "workload = \"slap\"\nclients = 2\nqueries = 20000", "", 2);
    let had = |t: &Trial| (if t.target.name == "a" { 1500.0 + 500.0 * f64::from(t.repeat) } else { 4000.0 }, 1.0, 1.0);
    let summary = run(&plan, &had);
    assert_eq!(summary.questions("e"), [Question::Seconds]);
    let c = summary.comparisons("e", Question::Seconds, Figure::Seconds);
    assert_eq!((c.len(), c[0].figure), (1, Figure::Seconds));
    insta::assert_snapshot!(told(&summary), @"
    b took 0.56× the time of a (2 pairs of runs are too few to say how sure that is: it takes at least 41 more repeats).
    b の所要時間は a の 0.56 倍です(2 組だけでは、どこまで確かかを判断できません。繰り返しがあと 41 回以上必要です)。
    ");
}

#[test]
fn several_targets_are_compared_with_the_baseline() {
    let speeds = |t: &Trial| match t.target.name.as_str() {
        "old" => 1000.0,
        "new" => 1500.0,
        "tuned" => 1003.0,
        _ => 800.0 + 200.0 * f64::from(t.repeat),
    };
    let had = |t: &Trial| {
        let tps = speeds(t) * wobble(t);
        (tps, 1000.0 / tps, 1000.0 / tps)
    };
    let text = plan(&["new", "old", "tuned", "odd"], "workload = \"oltp_read_write\"", "", 3);
    insta::assert_snapshot!(told(&run(&text, &had)), @"
    Transactions per second compared with new: odd cannot be told apart from it (0.38× to 1.69×); old 0.67× (0.674× to 0.675×); tuned 0.67× (0.6685× to 0.6688×) (95 % intervals of 3 comparisons together).
    new と比べた毎秒トランザクション数: odd との優劣は判断できない(0.38〜1.69 倍)、old は 0.67 倍(0.674〜0.675 倍)、tuned は 0.67 倍(0.6685〜0.6688 倍)(3 個の比較全体での 95% 信頼区間)。
    ");
    let named = text.replace("[targets.old]\n", "[targets.old]\nbaseline = true\n");
    insta::assert_snapshot!(told(&run(&named, &had)), @"
    Transactions per second compared with old: new 1.48× (1.482× to 1.483×); odd cannot be told apart from it (0.57× to 2.50×); tuned 0.991× (0.9909× to 0.9914×) (95 % intervals of 3 comparisons together). Of the first two: These runs cannot tell odd and new apart: new completed 1.25× the transactions per second of odd, but anything from 0.43× to 3.59× would fit (95 % interval, 3 pairs of runs). About 46 more repeats would narrow it to ±5 %.
    old と比べた毎秒トランザクション数: new は 1.48 倍(1.482〜1.483 倍)、odd との優劣は判断できない(0.57〜2.50 倍)、tuned は 0.991 倍(0.9909〜0.9914 倍)(3 個の比較全体での 95% 信頼区間)。上位 2 つの比較: 今回の試行では odd と new の優劣を判断できません。new の毎秒トランザクション数は odd の 1.25 倍ですが、95% 信頼区間は 0.43〜3.59 倍に及びます(3 組)。信頼区間を ±5% に狭めるには、繰り返しがあと 46 回ほど必要です。
    ");
    // More comparisons, wider intervals.
    let interval = |targets: &[&str]| {
        let summary = run(&plan(targets, "workload = \"oltp_read_write\"", "", 3), &had);
        let compared = summary.comparisons("e", Question::Throughput, Figure::Transactions);
        let i = compared.iter().find(|c| c.b == "new" || c.a == "new").and_then(|c| c.confidence).unwrap();
        i.high.ln() - i.low.ln()
    };
    // t at 0.05 and 0.05 / 3 with two degrees of freedom: 4.303 and 7.649.
    let wider = interval(&["old", "new", "tuned", "odd"]) / interval(&["old", "new"]);
    assert!((wider - 7.649 / 4.303).abs() < 0.01, "{wider}");
}

#[test]
fn of_two_targets_the_baseline_is_the_base_even_if_it_is_the_better_one() {
    let text = plan(&["old", "new"], "workload = \"oltp_read_write\"", "", 3);
    let had = |t: &Trial| {
        let tps = if t.target.name == "old" { 1000.0 } else { 500.0 } * wobble(t);
        (tps, 1000.0 / tps, 3000.0 / tps)
    };
    insta::assert_snapshot!(told(&run(&text, &had)), @"
    old completed 1.98× the transactions per second of new (95 % interval 1.976× to 1.977×, 3 pairs of runs). The p99 response time of old was 0.51× that of new (95 % interval 0.50× to 0.51×).
    old の毎秒トランザクション数は new の 1.98 倍です(95% 信頼区間 1.976〜1.977 倍、3 組)。old の応答時間の p99 は new の 0.51 倍です(95% 信頼区間 0.50〜0.51 倍)。
    ");
    let named = text.replace("[targets.old]\n", "[targets.old]\nbaseline = true\n");
    insta::assert_snapshot!(told(&run(&named, &had)), @"
    new completed 0.51× the transactions per second of old (95 % interval 0.5059× to 0.5061×, 3 pairs of runs). The p99 response time of new was 1.98× that of old (95 % interval 1.97× to 1.98×).
    new の毎秒トランザクション数は old の 0.51 倍です(95% 信頼区間 0.5059〜0.5061 倍、3 組)。new の応答時間の p99 は old の 1.98 倍です(95% 信頼区間 1.97〜1.98 倍)。
    ");
    let both = named.replace("[targets.new]\n", "[targets.new]\nbaseline = true\n");
    let refused = Plan::parse(&both, &common::catalog()).unwrap_err();
    insta::assert_snapshot!(refused[0].to_string(), @"
    line 5, column 10: targets old and new are both the baseline
      evidence  5 | [targets.new]
                  |          ^^^
      hint      remove baseline
    ");
}

#[test]
fn a_ratio_has_the_digits_that_tell_it_from_others() {
    let shown = |value| tenbin_verdict::answer::ratio(value);
    assert_eq!([1.0034, 0.9951, 1.234, 9.99, 12.3].map(shown), ["1.003", "0.995", "1.23", "9.99", "12.3"]);
    assert_eq!([99.94, 99.96, 123.4, 12_345.0].map(shown), ["99.9", "100", "123", "12,345"]);
    assert_eq!([0.5, 0.1, 0.0994, 0.0312].map(shown), ["0.50", "0.10", "0.099", "0.031"]);
    assert_eq!([0.00312, 0.000312, 0.00001, 0.0].map(shown), ["0.0031", "0.00031", "<0.0001", "0.00"]);
}

#[test]
fn the_ratios_of_a_column_have_as_many_decimals_in_each() {
    let column =
        |all: &[f64]| -> Vec<String> { all.iter().copied().map(tenbin_verdict::answer::ratio_as_in(all)).collect() };
    assert_eq!(column(&[1.55, 1.0034, 2.3]), ["1.550", "1.003", "2.300"]);
    assert_eq!(column(&[1.0034, 12.34, 123.4]), ["1.00", "12.34", "123.40"]);
    assert_eq!(column(&[0.0312, 0.5]), ["0.031", "0.500"]);
    assert_eq!(column(&[0.000_01, 0.5, 12_345.0]), ["<0.0001", "0.50", "12,345"], "too far apart");
    assert_eq!(column(&[]), Vec::<String>::new());
}

/// Two transactions in each of three pairs of runs are as many by chance; ten thousand are not.
#[test]
fn counts_that_are_the_same_do_not_show_that_targets_are_alike() {
    let plan = plan(&["a", "b"], "workload = \"oltp_read_write\"\nclients = 4", "", 3);
    let interval = |completed: Option<u64>| {
        let mut summary = run(&plan, &|_| (1000.0, 1.0, 2.0));
        if let Some(completed) = completed {
            for t in &mut summary.trials {
                (t.tally.accounting.scheduled, t.tally.accounting.completed) = (completed, completed);
            }
        }
        let all = summary.comparisons("e", Question::Throughput, Figure::Transactions);
        all[0].confidence.expect("three pairs")
    };
    let few = interval(Some(2));
    assert!(few.value == 1.0 && few.low < 0.5 && few.high > 2.0, "{few:?}");
    assert_eq!(reading(Some(few)), Comparable::Unclear);
    let many = interval(None);
    assert!(many.high < 1.001 && many.low > 0.999, "{many:?}");
}

/// Transactions of 36 and of 54 % of the window, of clients that all begin together: of one three waves end in it and of the other one, in each repeat. Neither
/// says more of a rate than what its clients did across the edges leaves open.
#[test]
fn waves_that_cross_an_edge_in_every_repeat_are_no_exact_count() {
    let plan = plan(&["a", "b"], "workload = \"oltp_read_write\"\nclients = 4", "", 4);
    let mut summary = run(&plan, &|_| (1000.0, 1.0, 2.0));
    for t in &mut summary.trials {
        let (waves, share) = if t.trial.target.name == "a" { (3, 0.36) } else { (1, 0.54) };
        let (window_ns, completed) = (t.counted_ns(), 4 * waves);
        let mut transaction = TransactionTally { completed, ..TransactionTally::default() };
        transaction.response.record_n((window_ns as f64 * share) as u64, completed);
        t.tally.transactions = [("t".to_owned(), transaction)].into();
        (t.tally.accounting.scheduled, t.tally.accounting.completed) = (completed, completed);
        t.tally.in_progress_ns = 4 * window_ns;
    }
    let all = summary.comparisons("e", Question::Throughput, Figure::Transactions);
    let of = all[0].confidence.expect("four pairs");
    // The second is the base: 1.5 is the truth.
    assert!((of.value - 3.0).abs() < 1e-9 && of.low < 1.5 && of.high > 1.5, "{of:?}");
    // Of the time of its clients, the transactions of the second took 54 %.
    let second = summary.cells().iter().find(|cell| cell.target == "b").expect("a cell");
    let least = counting::of_cell(&summary, second, Figure::Transactions);
    assert!((least * 1.96 - -f64::ln(0.54)).abs() < 1e-2, "{least}");
    assert_eq!(counting::of_cell(&summary, second, Figure::Mean), 0.0);
}

#[test]
fn a_cell_has_no_interval_where_there_are_too_few_pairs_for_one() {
    let of = |repeats| {
        let plan = plan(&["a", "b"], "workload = \"oltp_read_write\"\nclients = 4", "", repeats);
        let tps = |t: &Trial| if t.target.name == "a" { 1000.0 } else { 1200.0 } + f64::from(t.repeat);
        let summary = run(&plan, &|t| (tps(t), 1.0, 2.0));
        let all = summary.comparisons("e", Question::Throughput, Figure::Transactions);
        (all[0].cells[0].confidence.is_some(), all[0].interval_of(&all[0].cells[0]).is_some())
    };
    assert_eq!((of(2), of(3)), ((true, false), (true, true)));
}

#[test]
fn the_ends_of_an_interval_are_two() {
    let shown = |low, high| ends(low, high).join(" ");
    assert_eq!(shown(0.9, 1.1), "0.90 1.10");
    assert_eq!(shown(24.02, 24.04), "24.02 24.04");
    assert_eq!(shown(123.1, 123.4), "123.1 123.4");
    assert_eq!(shown(0.9998, 1.0001), "0.9998 1.0001");
    assert_eq!(shown(0.02031, 0.02041), "0.0203 0.0204");
    // Without a difference of interest, or of all.
    assert_eq!(shown(12_345.1, 12_345.2), "12,345 12,345");
    assert_eq!(shown(1.0, 1.0), "1.000 1.000");
    assert_eq!(shown(0.000_01, 0.000_02), "<0.0001 <0.0001");
}

/// All but these trials were not begun, as of a run that was stopped.
fn stopped(plan: &str, had: Had<'_>, begun: &dyn Fn(&Trial) -> bool) -> Summary {
    let mut summary = run(plan, had);
    for t in summary.trials.iter_mut().filter(|t| !begun(&t.trial)) {
        (t.begun, t.state, t.tally, t.window_ns) = (false, None, Tally::default(), (0, 0));
    }
    summary
}

/// Both have results in it, so that neither lacks any; and there is nothing to compare.
#[test]
fn a_cell_in_which_no_repeat_has_both_is_named_and_not_passed_over() {
    let had = |t: &Trial| {
        let is_lost = t.load.clients == 8 && (t.target.name == "a") == (t.repeat == 1);
        let tps = 1000.0 * f64::from(1 + t.target.place) * wobble(t);
        (if is_lost { 0.0 } else { tps }, 1.0, 1.0)
    };
    let summary = run(&plan(&["a", "b"], "workload = \"oltp_read_write\"", "matrix.load.clients = [1, 8]", 2), &had);
    let all = summary.comparisons("e", Question::Throughput, Figure::Transactions);
    assert_eq!(all[0].unpaired, [vec![("load.clients".to_owned(), "8".to_owned())]]);
    let answer = told(&summary);
    assert!(
        answer.contains("(1 client)")
            && answer.contains("At 8 clients no repeat has a result of both a and b: nothing is compared there.")
            && answer.contains("8 クライアントでは、a と b の両方の結果がある繰り返しがないため、比較していません。"),
        "{answer}"
    );
}

#[test]
fn cells_of_which_one_target_has_no_result_are_named_and_not_counted_as_compared() {
    let of = |targets: &[&str], dead: &[u32]| {
        let had = |t: &Trial| {
            let speed = if t.target.name == "b" { 1100.0 } else { 1000.0 * f64::from(1 + t.target.place) };
            let tps = if t.target.name == "a" && dead.contains(&t.load.clients) { 0.0 } else { speed * wobble(t) };
            (tps * (1.0 + 0.4 * f64::from(u8::from(t.load.clients == 8 && t.target.name == "b"))), 1.0, 1.0)
        };
        let summary = run(&plan(targets, "workload = \"oltp_read_write\"", CLIENTS, 3), &had);
        let all = summary.comparisons("e", Question::Throughput, Figure::Transactions);
        let alone =
            all[0].of_one_only.clone().map(|cells| cells.into_iter().flatten().map(|(_, value)| value).collect());
        (told(&summary), alone)
    };
    let (answer, alone) = of(&["a", "b"], &[32]);
    assert!(
        answer.contains("1.11× (1 client) to 1.55× (8 clients) the transactions per second of a in 2 of 3 cells"),
        "{answer}"
    );
    assert!(
        answer.contains("At 32 clients there is no result of a.")
            && answer.contains("32 クライアントでは a の結果がありません。"),
        "{answer}"
    );
    let alone: [Vec<String>; 2] = alone;
    assert_eq!(alone, [vec![], vec!["32".to_owned()]]);
    // A single cell that both have is named.
    let (answer, _) = of(&["a", "b"], &[8, 32]);
    assert!(
        answer.contains("b completed 1.11× (1 client) the transactions per second of a (95 % interval"),
        "{answer}"
    );
    assert!(answer.contains("At 8 clients, 32 clients there is no result of a."), "{answer}");
    let (answer, _) = of(&["a", "b", "c"], &[8, 32]);
    assert!(
        answer.contains("c 3.0") && answer.contains("× (1 client)") && answer.contains("no result of a."),
        "{answer}"
    );
}

#[test]
fn what_was_not_run_is_said_and_has_no_verdict() {
    let text = plan(&["a", "b"], "workload = \"oltp_read_write\"", "", 2);
    let (_, experiment) = text.split_once("[[experiment]]").unwrap();
    let text = format!("{text}[[experiment]]{}", experiment.replace("\"e\"", "\"write\""));
    let had = |t: &Trial| (1000.0 * wobble(t) * f64::from(1 + t.target.place), 1.0, 1.0);
    let summary = stopped(&text, &had, &|t| t.experiment == "e" && t.repeat == 1);
    let answer = told(&summary);
    assert!(answer.contains("Of the experiment write there is no result. 6 of 8 trials were not run."), "{answer}");
    assert!(answer.contains("実験 write の結果はありません。8 試行のうち 6 試行は実行されていません。"), "{answer}");
    let begun: Vec<(&str, bool)> = summary.cells().iter().map(|c| (c.experiment.as_str(), c.is_begun())).collect();
    assert_eq!(begun, [("e", true), ("e", true), ("write", false), ("write", false)]);
}

/// Three targets of which the base is noisy: what the others are to one another is seen from their own pairs.
#[test]
fn the_two_best_of_several_are_compared_with_each_other() {
    let text = plan(&["a", "b", "c"], "workload = \"oltp_read_write\"", "", 3);
    let answer = |c: f64| {
        let had = |t: &Trial| match t.target.name.as_str() {
            "a" => ([605.0, 1675.0, 1605.0][t.repeat as usize - 1] * 0.5, 1.0, 1.0),
            "b" => (1600.0 * wobble(t), 1.0, 1.0),
            _ => (c * wobble(t), 1.0, 1.0),
        };
        let summary = run(&text, &had);
        (told(&summary), summary.leaders("e", Question::Throughput))
    };
    let (sentence, leaders) = answer(17_600.0);
    let leaders = leaders.expect("both are better than the base");
    assert_eq!((leaders.a.as_str(), leaders.b.as_str()), ("b", "c"));
    assert!(
        sentence.contains("Of the first two: c completed 10.9×") && sentence.contains("上位 2 つの比較: c の"),
        "{sentence}"
    );
    let (sentence, _) = answer(1605.0);
    assert!(
        sentence.contains("Of the first two: ") && !sentence.contains("Of the first two: c completed"),
        "{sentence}"
    );
    // The base is one of them: its own comparison says it.
    assert_eq!(answer(300.0).1, None);
}

#[test]
fn one_ratio_for_cells_that_lie_apart_says_how_far() {
    let text = plan(&["a", "b"], "workload = \"oltp_read_write\"", CLIENTS, 2);
    // Too few repeats to show that cells differ.
    let had = |t: &Trial| {
        let apart = match (t.load.clients, t.target.name.as_str()) {
            (_, "a") => 1.0,
            (1, _) => 1.2,
            (8, _) => 1.6,
            _ => 2.2,
        };
        let noise = if t.target.name == "b" { [0.88, 1.12][t.repeat as usize - 1] } else { 1.0 };
        (1000.0 * apart * noise, 1.0, 1.0)
    };
    let summary = run(&text, &had);
    let c = &summary.comparisons("e", Question::Throughput, Figure::Transactions)[0];
    assert_eq!(c.cells_differ, Some(false));
    let answer = told(&summary);
    assert!(answer.contains("That is a mean over 3 cells: 1.19× (1 client) to 2.18× (32 clients)."), "{answer}");
    // Unlike loads have no ratio for all of them, however alike.
    let kinds = "matrix.load.workload = [\"oltp_read_write\", \"oltp_point_select\"]";
    let text = plan(&["a", "b"], "clients = 4", kinds, 3);
    let summary = run(&text, &|t| (1000.0 * wobble(t) * f64::from(1 + t.target.place), 1.0, 1.0));
    assert_eq!(summary.comparisons("e", Question::Throughput, Figure::Transactions)[0].cells_differ, Some(true));
}

/// A sweep of rates ends beyond what is held.
#[test]
fn response_times_are_compared_at_the_rates_that_are_held() {
    let text =
        plan(&["quick", "slow"], "workload = \"oltp_read_write\"\nclients = 4", "matrix.load.rate = [50, 200, 800]", 3);
    let had = |t: &Trial| {
        let rate = match t.load.schedule {
            Schedule::Open { rate, .. } => rate,
            Schedule::Closed => 0.0,
        };
        match t.target.name.as_str() {
            "quick" => (rate, 2.0 * wobble(t), 4.0 * wobble(t)),
            _ => (rate.min(300.0), 3.0 * wobble(t), 9.0 * wobble(t)),
        }
    };
    let summary = run(&text, &had);
    let answer = told(&summary);
    assert!(summary.may_be_compared("e", Question::Rate), "{answer}");
    assert!(answer.contains("quick had 0.44× the p99 response time of slow (95 % interval"), "{answer}");
    assert!(answer.contains("At rate 800 response times are not compared") || answer.contains("800"), "{answer}");
    assert!(answer.contains("では応答時間を比較しません"), "{answer}");
}
