//! Comparing along an axis of the matrix on one target: the same answer as that of two targets.

use crate::answers::{run, told, wobble};
use crate::common;
use tenbin_verdict::compared::Compared;

use tenbin_model::compared_axis::ComparedAxis;
use tenbin_model::figures::Figure;
use tenbin_model::plan::{Plan, expand};
use tenbin_model::question::Question;
use tenbin_model::trial::Trial;

const INDEX: &str = "
    schema = 1
    [targets.db]
    dsn = \"mysql://u@h/db\"
    [datasets.without]
    [datasets.with]
    secondary = true
    [[experiment]]
    name = \"e\"
    measure = \"10s\"
    restore = \"before-dataset\"
    load = { workload = \"oltp_read_write\" }
";

fn plan(rest: &str) -> String {
    format!("{INDEX}{rest}\n")
}

/// With the index fifty times the throughput.
fn had(t: &Trial) -> (f64, f64, f64) {
    let speed = if t.dataset.name == "with" { 15_000.0 } else { 300.0 };
    let clients = f64::from(t.load.clients);
    let tps = speed * wobble(t);
    (tps, clients * 1000.0 / tps, clients * 3000.0 / tps)
}

fn refused(rest: &str) -> String {
    let problems = Plan::parse(&plan(rest), &common::catalog()).expect_err("it is refused");
    problems.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n")
}

#[test]
fn before_and_after_an_index_is_answered_as_two_targets_are() {
    let summary = run(&plan("matrix.dataset = [\"without\", \"with\"]"), &had);
    insta::assert_snapshot!(told(&summary), @"
    data set with completed 50.2× the transactions per second of data set without (95 % interval 48.6× to 51.9×, 3 pairs of runs). The p99 response time of data set with was 0.020× that of data set without (95 % interval 0.019× to 0.021×).
    データセット with の毎秒トランザクション数はデータセット without の 50.2 倍です(95% 信頼区間 48.6〜51.9 倍、3 組)。データセット with の応答時間の p99 はデータセット without の 0.020 倍です(95% 信頼区間 0.019〜0.021 倍)。
    ");
    let compared = summary.comparisons("e", Question::Throughput, Figure::Transactions);
    assert_eq!((compared[0].a.as_str(), compared[0].b.as_str(), compared[0].pairs), ("without", "with", 3));
    // Over clients too: each number is a cell.
    let over_clients = plan("matrix = { dataset = [\"without\", \"with\"], load.clients = [1, 8] }");
    let summary = run(&over_clients, &had);
    insta::assert_snapshot!(told(&summary), @"
    data set with completed 50.4× the transactions per second of data set without (95 % interval 49.7× to 51.2×, 6 pairs of runs). The p99 response time of data set with was 0.020× that of data set without (95 % interval 0.0195× to 0.0202×).
    データセット with の毎秒トランザクション数はデータセット without の 50.4 倍です(95% 信頼区間 49.7〜51.2 倍、6 組)。データセット with の応答時間の p99 はデータセット without の 0.020 倍です(95% 信頼区間 0.0195〜0.0202 倍)。
    ");
    let differences = summary.comparisons("e", Question::Throughput, Figure::Transactions);
    let cells: Vec<&str> = differences[0].cells.iter().map(|cell| cell.label.as_str()).collect();
    assert_eq!(cells, ["load.clients 1", "load.clients 8"]);
}

#[test]
fn the_base_of_an_axis_is_the_one_that_the_plan_names() {
    let axis = "compare = { axis = \"dataset\", base = \"with\" }\nmatrix.dataset = [\"without\", \"with\"]";
    insta::assert_snapshot!(told(&run(&plan(axis), &had)), @"
    data set without completed 0.020× the transactions per second of data set with (95 % interval 0.019× to 0.021×, 3 pairs of runs). The p99 response time of data set without was 50.0× that of data set with (95 % interval 48.5× to 52.0×).
    データセット without の毎秒トランザクション数はデータセット with の 0.020 倍です(95% 信頼区間 0.019〜0.021 倍、3 組)。データセット without の応答時間の p99 はデータセット with の 50.0 倍です(95% 信頼区間 48.5〜52.0 倍)。
    ");
    // Several values are compared with the base, each by itself.
    let sizes = "compare = { axis = \"server.innodb_buffer_pool_size\", base = \"128MiB\" }\ndataset = \"with\"
        matrix.server.innodb_buffer_pool_size = [\"32MiB\", \"64MiB\", \"128MiB\"]";
    let had = |t: &Trial| {
        let tps = f64::from(t.cell) * 100.0 * wobble(t);
        (tps, 1000.0 / tps, 1000.0 / tps)
    };
    insta::assert_snapshot!(told(&run(&plan(sizes), &had)), @"
    Transactions per second compared with server.innodb_buffer_pool_size 128MiB: server.innodb_buffer_pool_size 64MiB 0.66× (0.63× to 0.70×); server.innodb_buffer_pool_size 32MiB 0.33× (0.32× to 0.34×) (95 % intervals of 2 comparisons together).
    server.innodb_buffer_pool_size 128MiB と比べた毎秒トランザクション数: server.innodb_buffer_pool_size 64MiB は 0.66 倍(0.63〜0.70 倍)、server.innodb_buffer_pool_size 32MiB は 0.33 倍(0.32〜0.34 倍)(2 個の比較全体での 95% 信頼区間)。
    ");
}

#[test]
fn what_is_compared_has_one_seed_and_follows_one_another() {
    let text = plan(
        "repeats = 4\ndataset = \"with\"\nmatrix = { load.ps_mode = [\"auto\", \"disable\"], load.clients = [1, 8] }",
    );
    let trials = expand(&Plan::parse(&text, &common::catalog()).unwrap());
    assert!(trials.iter().all(|t| t.compare.as_ref().is_some_and(|along| along.keys == ["load.ps_mode"])));
    for pair in trials.chunks(2) {
        let [a, b] = pair else { panic!("{pair:?}") };
        assert_eq!((a.seed, a.repeat, a.load.clients), (b.seed, b.repeat, b.load.clients));
        assert_ne!(a.cell, b.cell);
    }
    let seeds: std::collections::BTreeSet<u64> = trials.iter().map(|t| t.seed).collect();
    assert_eq!(seeds.len(), 8, "one for each repeat of a pair");
    // Back and forth, also where data are loaded anew each time.
    let text = plan("repeats = 4\norder = \"abba\"\nmatrix.dataset = [\"without\", \"with\"]");
    let trials = expand(&Plan::parse(&text, &common::catalog()).unwrap());
    let order: Vec<u32> = trials.iter().map(|t| t.cell).collect();
    assert!(order == [1, 2, 2, 1, 1, 2, 2, 1] || order == [2, 1, 1, 2, 2, 1, 1, 2], "{order:?}");
}

#[test]
fn an_axis_is_found_by_itself_only_where_its_values_are_alternatives() {
    let result_of = |rest: &str| {
        let plan = Plan::parse(&plan(rest), &common::catalog()).unwrap_or_else(|all| panic!("{all:?}"));
        plan.experiments[0].compare.as_ref().map(|along| along.keys.join(" "))
    };
    let of = |axis: &str| result_of(&format!("dataset = \"with\"\nmatrix = {{ {axis} }}"));
    assert_eq!(of("load.ps_mode = [\"auto\", \"disable\"]").as_deref(), Some("load.ps_mode"));
    assert_eq!(of("load.ps_mode = [\"auto\", \"disable\"], load.clients = [1, 2]").as_deref(), Some("load.ps_mode"));
    assert_eq!(of("load.clients = [1, 2]"), None, "amounts of load");
    assert_eq!(of("load.workload = [\"oltp_read_only\", \"oltp_read_write\"]"), None, "loads that are unlike");
    for key in ["load.scripts", "load.query", "load.query_file"] {
        assert!(!ComparedAxis::is_found_by_itself(key), "{key}");
    }
    assert_eq!(of("load.ps_mode = [\"auto\", \"disable\"], load.skip_trx = [\"on\", \"off\"]"), None, "two of them");
    assert_eq!(of("load.ps_mode = [\"auto\"]"), None, "one value");
    let zipped = "load.ps_mode = [\"auto\", \"disable\"], load.skip_trx = [\"on\", \"off\"], zip = [[\"load.ps_mode\", \"load.skip_trx\"]]";
    assert_eq!(of(zipped).as_deref(), Some("load.ps_mode load.skip_trx"));
    let with_clients =
        "load.ps_mode = [\"auto\", \"disable\"], load.clients = [1, 2], zip = [[\"load.ps_mode\", \"load.clients\"]]";
    assert_eq!(of(with_clients), None, "more clients are no alternative");
    assert_eq!(result_of("compare = \"targets\"\nmatrix.dataset = [\"without\", \"with\"]"), None);
    let two = plan("matrix.dataset = [\"without\", \"with\"]")
        .replace("[datasets.without]", "[targets.other]\nsandbox = \"mariadbd\"\n[datasets.without]");
    let plan = Plan::parse(&two, &common::catalog()).unwrap();
    assert_eq!(plan.experiments[0].compare, None, "two targets are compared with each other");
}

#[test]
fn an_axis_that_cannot_be_compared_is_refused_with_the_way_out() {
    let all = [
        "compare = \"dataset\"\ndataset = \"with\"",
        "compare = \"dataset\"\nmatrix.dataset = [\"with\"]",
        "compare = { axis = \"dataset\", base = \"none\" }\nmatrix.dataset = [\"without\", \"with\"]",
        "compare = { base = \"with\" }\nmatrix.dataset = [\"without\", \"with\"]",
        "compare = { axis = \"dataset\", basis = \"with\" }\nmatrix.dataset = [\"without\", \"with\"]",
        "compare = \"datset\"\nmatrix.dataset = [\"without\", \"with\"]",
        "compare = \"dataset\"\nsearch = \"p99 < 20ms\"\nmatrix.dataset = [\"without\", \"with\"]",
    ];
    insta::assert_snapshot!(all.map(refused).join("\n\n"), @r#"
    line 13, column 11: the experiment is to be compared along dataset, which is no axis of its matrix
      evidence  13 | compare = "dataset"
                   |           ^^^^^^^^^
      hint      add "dataset" = […] to the matrix

    line 13, column 11: the axis dataset has one value, so there is nothing to compare
      evidence  13 | compare = "dataset"
                   |           ^^^^^^^^^
      hint      give dataset another value in the matrix, or remove compare

    line 13, column 38: the axis dataset does not have the value that the others are to be compared with
      evidence  13 | compare = { axis = "dataset", base = "none" }
                   |                                      ^^^^^^
      hint      use one of with, without

    line 13, column 11: compare does not say which axis
      evidence  13 | compare = { base = "with" }
                   |           ^^^^^^^^^^^^^^^^^
      hint      write axis = "dataset"

    line 13, column 31: "basis" is not a key of compare
      evidence  13 | compare = { axis = "dataset", basis = "with" }
                   |                               ^^^^^
      hint      write base

    line 13, column 11: "datset" is not a field that can be varied
      evidence  13 | compare = "datset"
                   |           ^^^^^^^^
      hint      use load.NAME, dataset.NAME, server.NAME, targets.TARGET.server.NAME or one of dataset, warmup, measure, max_cell_time, settle, catch_up, interval, restore

    line 13, column 11: a search for a limit cannot be compared along an axis: it has levels of its own
      evidence  13 | compare = "dataset"
                   |           ^^^^^^^^^
      hint      keep one of them
    "#);
}

#[test]
fn two_targets_are_cells_where_an_axis_is_compared() {
    let two = plan("compare = \"dataset\"\nmatrix.dataset = [\"without\", \"with\"]")
        .replace("[datasets.without]", "[targets.other]\ndsn = \"mysql://u@h/other\"\n[datasets.without]");
    let had = |t: &Trial| {
        let factor = if t.target.name == "other" { 2.0 } else { 1.0 };
        let (tps, usual, slow) = had(t);
        if t.dataset.name == "with" { (tps * factor, usual / factor, slow / factor) } else { (tps, usual, slow) }
    };
    insta::assert_snapshot!(told(&run(&two, &had)), @"
    data set with completed 50.2× (db) to 99.8× (other) the transactions per second of data set without in all 2 cells (95 % intervals of the cells together, 6 pairs of runs). The p99 response time of data set with was 0.010× (other) to 0.020× (db) that of data set without.
    2 条件のすべてで、データセット with の毎秒トランザクション数はデータセット without の 50.2 倍(db)〜99.8 倍(other)です(条件全体での 95% 信頼区間による判定、6 組)。データセット with の応答時間の p99 はデータセット without の 0.010 倍(other)〜0.020 倍(db)です。
    ");
}

/// Throughput over clients of one target, by the scalability law with λ = 1000.
fn scaled(clients: f64, sigma: f64, kappa: f64) -> f64 {
    1000.0 * clients / (1.0 + sigma * (clients - 1.0) + kappa * clients * (clients - 1.0))
}

#[test]
fn over_clients_the_answer_is_the_peak_and_from_where_on_it_is_flat() {
    let of = |clients: &str, sigma: f64, kappa: f64| {
        let text = plan(&format!("dataset = \"with\"\nmatrix.load.clients = {clients}"));
        let had = |t: &Trial| {
            let tps = scaled(f64::from(t.load.clients), sigma, kappa) * wobble(t);
            (tps, f64::from(t.load.clients) * 1000.0 / tps, f64::from(t.load.clients) * 1000.0 / tps)
        };
        told(&run(&text, &had))
    };
    let printed = [
        of("[1, 2, 4, 8, 16, 32, 64, 128]", 0.05, 0.0002),
        of("[1, 2, 4, 8, 16, 32]", 0.0, 0.0),
        of("[1, 8, 64]", 0.2, 0.0005),
        of("[1, 8, 64]", 0.2, 0.01),
        of("[1, 8, 64, 128]", 0.5, 0.0),
        of("[8]", 0.5, 0.0),
    ];
    insta::assert_snapshot!(printed.join("\n\n"), @"
    db completed 12,964 transactions per second at 64 clients (95 % interval ± 128, 3 repeats), with a p99 response time of 4.96 ms. By the fitted curve it is flat, within 5 % of its highest, from 40 (95 % of fits to runs drawn anew: 40 to 41) to 64 clients. At 128 clients it was 12,170: 0.94× of that, but these repeats cannot tell the two apart.
    db は、64 クライアントのとき毎秒 12,964 トランザクションを処理しました(95% 信頼区間 ± 128、繰り返し 3 回)。応答時間の p99 は 4.96 ms です。当てはめた曲線では、40(実行を再抽出した当てはめの 95%: 40〜41)〜64 クライアントで頭打ち(最大値との差が 5% 以内)です。128 クライアントでは 12,170 で、最大の 0.94 倍ですが、この繰り返しでは両者の差を判断できません。

    db completed 32,256 transactions per second at 32 clients (95 % interval ± 318, 3 repeats), with a p99 response time of 0.996 ms. It still rose at 32 clients, the most that were measured.
    db は、32 クライアントのとき毎秒 32,256 トランザクションを処理しました(95% 信頼区間 ± 318、繰り返し 3 回)。応答時間の p99 は 0.996 ms です。計測した最大の 32 クライアントでも、まだ増えていました。

    db completed 4,147 transactions per second at 64 clients (95 % interval ± 108, 3 repeats), with a p99 response time of 15.6 ms. It still rose at 64 clients, the most that were measured.
    db は、64 クライアントのとき毎秒 4,147 トランザクションを処理しました(95% 信頼区間 ± 108、繰り返し 3 回)。応答時間の p99 は 15.6 ms です。計測した最大の 64 クライアントでも、まだ増えていました。

    db completed 2,724 transactions per second at 8 clients (95 % interval ± 71, 3 repeats), with a p99 response time of 2.96 ms. At 64 clients it falls to 1,200: 0.44× of that.
    db は、8 クライアントのとき毎秒 2,724 トランザクションを処理しました(95% 信頼区間 ± 71、繰り返し 3 回)。応答時間の p99 は 2.96 ms です。64 クライアントでは 1,200 に下がり、最大の 0.44 倍です。

    db completed 2,016 transactions per second at 128 clients (95 % interval ± 20, 3 repeats), with a p99 response time of 63.8 ms. From 64 clients on the means are flat, within 5 % of that.
    db は、128 クライアントのとき毎秒 2,016 トランザクションを処理しました(95% 信頼区間 ± 20、繰り返し 3 回)。応答時間の p99 は 63.8 ms です。64 クライアント以上では平均が頭打ちで、差は 5% 以内です。

    db completed 1,784 transactions per second at 8 clients (95 % interval ± 19, 3 repeats), with a p99 response time of 4.50 ms.
    db は、8 クライアントのとき毎秒 1,784 トランザクションを処理しました(95% 信頼区間 ± 19、繰り返し 3 回)。応答時間の p99 は 4.50 ms です。
    ");
}

/// With one repeat, and where repeats overlap, nothing is claimed.
#[test]
fn over_clients_what_repeats_do_not_show_is_not_claimed() {
    let of = |repeats: u32, spread: f64| {
        let text = plan(&format!("repeats = {repeats}\ndataset = \"with\"\nmatrix.load.clients = [1, 8, 64]"));
        let had = |t: &Trial| {
            let noise = 1.0 + spread * (f64::from((t.repeat + t.cell) % 3) - 1.0);
            (if t.load.clients == 8 { 2000.0 } else { 1500.0 } * noise, 2.0, 10.0)
        };
        told(&run(&text, &had))
    };
    let once = of(1, 0.0);
    assert!(once.contains("At 64 clients it was 1,500: 0.75× of that (one repeat only"), "{once}");
    let noisy = of(3, 0.5);
    assert!(noisy.contains("0.75× of that, but these repeats cannot tell the two apart."), "{noisy}");
    let clear = of(3, 0.0);
    assert!(clear.contains("At 64 clients it falls to 1,500: 0.75× of that."), "{clear}");
}

/// Flat is what lies around the best without a gap.
#[test]
fn throughput_that_falls_and_rises_again_is_not_flat() {
    let of = |measured: &[(u32, f64)]| {
        let clients: Vec<String> = measured.iter().map(|(clients, _)| clients.to_string()).collect();
        let text = plan(&format!("dataset = \"with\"\nmatrix.load.clients = [{}]", clients.join(", ")));
        let tps =
            |t: &Trial| measured.iter().find(|(clients, _)| *clients == t.load.clients).map_or(0.0, |(_, tps)| *tps);
        told(&run(&text, &|t: &Trial| (tps(t), 2.0, 10.0)))
            .lines()
            .map(|line| {
                let (_, rest) = line.split_once("10 ms").unwrap();
                format!("{}\n", rest.trim_start_matches([')', '.', '。', ' ']))
            })
            .collect::<String>()
    };
    let all = [
        of(&[(8, 368.0), (16, 187.0), (32, 360.0)]),
        of(&[(1, 200.0), (2, 360.0), (4, 368.0), (8, 361.0), (16, 187.0), (32, 360.0)]),
        of(&[(1, 200.0), (2, 368.0), (4, 300.0)]),
        of(&[(1, 200.0), (2, 368.0), (4, 366.0), (8, 355.0)]),
        of(&[(1, 200.0), (2, 100.0), (4, 366.0)]),
    ];
    insta::assert_snapshot!(all.join("\n"), @"
    At 16 clients it falls to 187: 0.51× of that.
    です。16 クライアントでは 187 に下がり、最大の 0.51 倍です。

    From 2 to 8 clients the means are flat, within 5 % of that. At 16 clients it falls to 187: 0.51× of that.
    です。2〜8 クライアントでは平均が頭打ちで、差は 5% 以内です。16 クライアントでは 187 に下がり、最大の 0.51 倍です。

    At 4 clients it falls to 300: 0.82× of that.
    です。4 クライアントでは 300 に下がり、最大の 0.82 倍です。

    From 2 clients on the means are flat, within 5 % of that.
    です。2 クライアント以上では平均が頭打ちで、差は 5% 以内です。

    It still rose at 4 clients, the most that were measured.
    です。計測した最大の 4 クライアントでも、まだ増えていました。
    ");
}

#[test]
fn figures_of_nothing_and_of_a_thousand_million_make_no_sentence_absurd() {
    let text = plan("matrix.dataset = [\"without\", \"with\"]");
    let of = |with: f64, without: f64| {
        let had = |t: &Trial| {
            let tps = if t.dataset.name == "with" { with } else { without };
            (tps * wobble(t), 1.0, 1.0)
        };
        told(&run(&text, &had))
    };
    insta::assert_snapshot!([of(0.0, 1000.0), of(0.0, 0.0), of(1e9, 1.0)].join("\n\n"), @"
    db completed 1,004 transactions per second at data set without (95 % interval ± 10, 3 repeats), with a p99 response time of 1 ms.
    Of data set with there is no result. 3 of 6 trials are INVALID and not in these figures; the first one because nothing was measured.
    db は、データセット without のとき毎秒 1,004 トランザクションを処理しました(95% 信頼区間 ± 10、繰り返し 3 回)。応答時間の p99 は 1 ms です。
    データセット with の結果はありません。6 試行のうち 3 試行は無効(INVALID)で、上の数値に含まれません。最初の試行の理由: 何も計測されていません。

    Nothing was measured.
    計測値がありません。

    data set with completed 1,007,963,088× the transactions per second of data set without (95 % interval 910,753,548× to 1,115,548,316×, 3 pairs of runs). The p99 response times of data set without and data set with cannot be told apart (95 % interval of the ratio 1.000× to 1.000×).
    データセット with の毎秒トランザクション数はデータセット without の 1,007,963,088 倍です(95% 信頼区間 910,753,548〜1,115,548,316 倍、3 組)。データセット without とデータセット with の応答時間の p99 の優劣は判断できません(比の 95% 信頼区間 1.000〜1.000 倍)。
    ");
}

#[test]
fn an_axis_that_changes_the_amount_of_data_too_is_noted_before_and_after() {
    let text = plan("matrix.dataset = [\"without\", \"with\"]")
        .replace("secondary = true", "secondary = true\n    table_size = 20000");
    let parsed = Plan::parse(&text, &common::catalog()).unwrap();
    insta::assert_snapshot!(parsed.notes.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n"), @"
    line 9, column 5: along dataset the amount of data changes too: table_size is 10000 at data set without and 20000 at data set with, so the ratio is not that of dataset alone
      evidence  9 |     [[experiment]]
                  |     ^
      hint      give both the same table_size, unless the question is about the amount of data
    ");
    let alike = Plan::parse(&plan("matrix.dataset = [\"without\", \"with\"]"), &common::catalog()).unwrap();
    assert_eq!(alike.notes, []);
    let request = plan("dataset = \"with\"\nmatrix.dataset.table_size = [10000, 20000]");
    assert_eq!(Plan::parse(&request, &common::catalog()).unwrap().notes, [], "that is the question");
    // Of a run by what its tables had.
    let mut summary = run(&text, &had);
    for t in &mut summary.trials {
        let rows = if t.trial.dataset.name == "with" { "20000" } else { "10000" };
        t.tables.insert(tenbin_model::names::tables::ROWS.to_owned(), rows.to_owned());
    }
    insta::assert_snapshot!(tenbin_verdict::answer::caution(&summary).unwrap().english(), @"What is compared along dataset also has unlike amounts of data (without 10,000 rows, with 20,000 rows): the ratio is not that of dataset alone.");
}

#[test]
fn a_rate_that_is_not_held_is_that_of_a_value_of_the_axis() {
    let text = plan("dataset = \"with\"\nmatrix.\"load.point_selects\" = [1, 40000]")
        .replace("\"oltp_read_write\" }", "\"oltp_read_write\", rate = 400 }");
    let had = |t: &Trial| {
        let is_heavy = t.load.options.get("point_selects").is_some_and(|n| n == "40000");
        if is_heavy { (30.0 * wobble(t), 900.0, 3000.0) } else { (400.0, 2.0 * wobble(t), 4.0) }
    };
    insta::assert_snapshot!(told(&run(&text, &had)), @"
    load.point_selects 1 held the rate of 400 transactions per second. load.point_selects 40000 did not hold the rate: of 400 transactions per second requested it completed 30 in the worst of 3 such trials. Response times are not compared, because they grow with the length of the run where the rate is not held.
    load.point_selects 1 は指定レート(毎秒 400 件)を維持しました。load.point_selects 40000 は指定レートを維持できませんでした。毎秒 400 件の指定に対し、完了は、3 試行のうち最も悪い試行で毎秒 30 件です。応答時間は比較しません。指定レートを維持できないと、計測時間が長いほど応答時間が延びるためです。
    ");
}
