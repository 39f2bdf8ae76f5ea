//! Plans in, trials out: the example plans, the order of trials, and what holds for every plan.

use crate::common;

use crate::common::trials::{TWO, trials};
use proptest::prelude::*;
use std::collections::{BTreeMap, BTreeSet};
use tenbin_model::plan::keys::{self, Key, LATER, Table};
use tenbin_model::plan::{Plan, expand, outline};
use tenbin_model::trial::{Arrivals, Overload, Restore, Schedule, Trial, Workers};

/// One line per trial: number, experiment, target, cell, repeat, axes.
pub fn lines(trials: &[Trial]) -> String {
    let line = |t: &Trial| {
        let axes: Vec<_> = t.axes.iter().map(|(k, v)| format!("{k}={v}")).collect();
        format!(
            "{} {} {} cell {} repeat {} {}",
            t.number,
            t.experiment,
            t.target.name,
            t.cell,
            t.repeat,
            axes.join(" ")
        )
    };
    trials.iter().map(line).collect::<Vec<_>>().join("\n")
}

#[test]
fn the_plans_that_come_with_the_project_are_plans() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../plans");
    let mut known = BTreeMap::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let plan = Plan::parse(&std::fs::read_to_string(&path).unwrap(), &common::catalog())
            .unwrap_or_else(|e| panic!("{path:?}: {e:#?}"));
        assert!(plan.notes.is_empty(), "{path:?}: {:?}", plan.notes);
        known.insert(path.file_name().unwrap().to_string_lossy().into_owned(), expand(&plan));
    }
    let demo = &known["demo-sqlite.toml"];
    assert_eq!(demo.len(), 24);
    let size = outline(demo, |_| 300);
    assert_eq!((size.targets.join(" "), size.cells, size.loads, size.driven_ms), ("wal delete".into(), 4, 24, 48_000));
    assert_eq!(known["demo-mariadb.toml"].len(), 24);
    assert_eq!(known["first.toml"].len(), 12);
}

#[test]
fn a_run_is_named_after_its_first_experiment_or_all_of_its_workloads() {
    let of = |rest: &str| {
        let text = format!("schema = 1\n[targets.a]\ndsn = \"mysql://u@h/s\"\n[[experiment]]\n{rest}\n");
        Plan::parse(&text, &common::catalog()).unwrap_or_else(|problems| panic!("{problems:?}")).name
    };
    let axis = |workloads: &[&str]| format!("matrix.load.workload = {workloads:?}");
    assert_eq!(of("load.workload = \"oltp_insert\""), "oltp_insert");
    assert_eq!(of(&axis(&["oltp_read_only", "oltp_insert"])), "oltp_read_only+oltp_insert");
    let all = ["oltp_read_only", "oltp_insert", "oltp_delete", "oltp_read_write", "oltp_point_select"];
    assert_eq!(of(&axis(&all)), "oltp_read_only+oltp_insert+oltp_delete+2");
    assert_eq!(of(&format!("name = \"mine\"\n{}", axis(&all))), "mine");
}

#[test]
fn every_key_reaches_its_trial() {
    let all = trials(
        r#"
        schema = 1
        name = "all"
        seed = 7
        lang = "ja"
        [defaults]
        repeats = 1
        warmup = "1m"
        [metrics]
        interval = "2s"
        [targets.a]
        dsn = "mysql://bench@db:3307/x?compress=1"
        password_env = "PW"
        tls = "verify-ca"
        tls_ca = "/etc/ca.pem"
        [datasets.big]
        tables = 8
        rows = 1_000_000
        streams = 2
        auto-inc = false
        [[experiment]]
        measure = "2h"
        settle = "10s"
        restore = "require"
        [experiment.load]
        kind = "sysbench"
        script = "oltp_read_write"
        threads = 64
        workers = 2
        rate = 1_000.5
        arrivals = "poisson"
        overload = "stop"
        overload_limit = 50
        ops_per_client = 10
        retries = 3
        transient = "1213, 1020"
        on_lost = "give-up"
        on_error = "count"
        rand = "uniform"
        skip-trx = true
        range_size = 0x10
        "#,
    );
    insta::assert_snapshot!(serde_json::to_string_pretty(&all[0]).unwrap(), @r#"
    {
      "number": 1,
      "cell": 1,
      "repeat": 1,
      "experiment": "oltp_read_write",
      "target": {
        "name": "a",
        "place": 0,
        "dsn": "mysql://bench@db:3307/x?compress=1&tls=verify-ca&tls_ca=/etc/ca.pem",
        "password_env": "PW",
        "password_file": null,
        "sandbox": null,
        "server": {}
      },
      "dataset": {
        "name": "big",
        "kind": "sysbench",
        "options": {
          "auto_inc": "off",
          "table_size": "1000000",
          "tables": "8"
        },
        "streams": 2
      },
      "load": {
        "workload": "oltp_read_write",
        "options": {
          "rand_type": "uniform",
          "range_size": "16",
          "skip_trx": "on"
        },
        "clients": 64,
        "workers": {
          "count": 2
        },
        "schedule": {
          "open": {
            "rate": 1000.5,
            "arrivals": "poisson",
            "overload": {
              "stop": {
                "limit": 50
              }
            }
          }
        },
        "operations": 640,
        "drain_ms": 0,
        "observe": "always",
        "policy": {
          "retries": 3,
          "reconnect": false,
          "stop_on_error": false,
          "transient": {
            "codes": [
              "1213",
              "1020"
            ]
          }
        }
      },
      "axes": [],
      "restore": "require",
      "settle_ms": 10000,
      "warmup_ms": 60000,
      "measure_ms": 7200000,
      "interval_ms": 2000,
      "seed": 7961549732920963778
    }
    "#);
}

#[test]
fn server_variables_of_plan_experiment_and_cell_lie_upon_each_other() {
    let all = trials(
        r#"
        schema = 1
        [targets.a]
        sandbox = "mariadbd"
        server = { innodb-doublewrite = false, sync_binlog = 0, max_connections = 9 }
        [[experiment]]
        repeats = 1
        load.workload = "oltp_read_only"
        server.sync_binlog = 1
        [experiment.matrix]
        server.innodb_buffer_pool_size = ["1GiB", "512MiB"]
        "#,
    );
    let servers: BTreeSet<_> = all.iter().map(|t| format!("{:?} {:?}", t.axes, t.target.server)).collect();
    insta::assert_debug_snapshot!(servers, @r#"
    {
        "[(\"server.innodb_buffer_pool_size\", \"1GiB\")] {\"innodb_buffer_pool_size\": \"1073741824\", \"innodb_doublewrite\": \"OFF\", \"max_connections\": \"9\", \"sync_binlog\": \"1\"}",
        "[(\"server.innodb_buffer_pool_size\", \"512MiB\")] {\"innodb_buffer_pool_size\": \"536870912\", \"innodb_doublewrite\": \"OFF\", \"max_connections\": \"9\", \"sync_binlog\": \"1\"}",
    }
    "#);
}

#[test]
fn a_random_block_keeps_pairs_together_and_servers_up() {
    let text = format!(
        "{TWO}order = \"random-block\"\n[experiment.matrix]\n\"load.clients\" = [1, 2]\n\"server.sync_binlog\" = [0, 1]\n"
    );
    insta::assert_snapshot!(lines(&trials(&text)), @r#"
    1 e b cell 1 repeat 1 load.clients=1 server.sync_binlog=0
    2 e a cell 1 repeat 1 load.clients=1 server.sync_binlog=0
    3 e b cell 3 repeat 1 load.clients=2 server.sync_binlog=0
    4 e a cell 3 repeat 1 load.clients=2 server.sync_binlog=0
    5 e b cell 2 repeat 1 load.clients=1 server.sync_binlog=1
    6 e a cell 2 repeat 1 load.clients=1 server.sync_binlog=1
    7 e a cell 4 repeat 1 load.clients=2 server.sync_binlog=1
    8 e b cell 4 repeat 1 load.clients=2 server.sync_binlog=1
    9 e a cell 1 repeat 2 load.clients=1 server.sync_binlog=0
    10 e b cell 1 repeat 2 load.clients=1 server.sync_binlog=0
    11 e b cell 3 repeat 2 load.clients=2 server.sync_binlog=0
    12 e a cell 3 repeat 2 load.clients=2 server.sync_binlog=0
    13 e b cell 2 repeat 2 load.clients=1 server.sync_binlog=1
    14 e a cell 2 repeat 2 load.clients=1 server.sync_binlog=1
    15 e a cell 4 repeat 2 load.clients=2 server.sync_binlog=1
    16 e b cell 4 repeat 2 load.clients=2 server.sync_binlog=1
    "#);
}

#[test]
fn a_variable_of_one_target_is_an_axis_too() {
    let text = format!(
        "{TWO}order = \"abba\"\n[experiment.matrix]\ntargets.b.server.sync-binlog = [0, 1]\n\
         catch_up = [\"1m\"]\nmax_cell_time = [\"1s\", \"2s\"]\n"
    );
    let shown: Vec<String> = trials(&text)
        .iter()
        .filter(|t| t.repeat == 1)
        .map(|t| format!("{} {:?} {} ms, {:?}", t.target.name, t.target.server, t.measure_ms, t.axes[0]))
        .collect();
    insta::assert_snapshot!(shown.join("\n"), @r#"
    a {} 1000 ms, ("targets.b.server.sync_binlog", "0")
    b {"sync_binlog": "0"} 1000 ms, ("targets.b.server.sync_binlog", "0")
    a {} 2000 ms, ("targets.b.server.sync_binlog", "0")
    b {"sync_binlog": "0"} 2000 ms, ("targets.b.server.sync_binlog", "0")
    b {"sync_binlog": "1"} 1000 ms, ("targets.b.server.sync_binlog", "1")
    a {} 1000 ms, ("targets.b.server.sync_binlog", "1")
    b {"sync_binlog": "1"} 2000 ms, ("targets.b.server.sync_binlog", "1")
    a {} 2000 ms, ("targets.b.server.sync_binlog", "1")
    "#);
}

#[test]
fn axes_step_together_and_cells_are_left_out() {
    let text = format!(
        "{TWO}targets = [\"b\"]\norder = \"sequential\"\nrepeats = 1\n[experiment.matrix]\n\
         \"load.clients\" = [1, 2, 4]\n\"load.rate\" = [10, 20, 40]\n\"load.range_size\" = [5, 6]\n\
         zip = [[\"load.clients\", \"load.rate\"]]\nexclude = [{{ load.clients = 2, load.range_size = 6 }}]\n"
    )
    .replacen("repeats = 2\n", "", 1);
    insta::assert_snapshot!(lines(&trials(&text)), @r#"
    1 e b cell 1 repeat 1 load.clients=1 load.rate=10 load.range_size=5
    2 e b cell 2 repeat 1 load.clients=1 load.rate=10 load.range_size=6
    3 e b cell 3 repeat 1 load.clients=2 load.rate=20 load.range_size=5
    4 e b cell 4 repeat 1 load.clients=4 load.rate=40 load.range_size=5
    5 e b cell 5 repeat 1 load.clients=4 load.rate=40 load.range_size=6
    "#);
}

#[test]
fn a_value_of_zipped_axes_may_repeat() {
    let text = format!(
        "{TWO}targets = [\"b\"]\norder = \"sequential\"\nrepeats = 1\n[experiment.matrix]\n\
         \"load.workload\" = [\"oltp_read_only\", \"oltp_insert\", \"oltp_insert\"]\nmeasure = [\"10s\", \"10s\", \"30s\"]\n\
         \"server.sync_binlog\" = [0, 1, 0]\nload.clients = [1, 2]\n\
         zip = [[\"load.workload\", \"measure\", \"server.sync_binlog\"]]\nexclude = [{{ measure = \"10s\", load.clients = 2 }}]\n"
    )
    .replacen("repeats = 2\n", "", 1);
    let all = trials(&text);
    // Servers with equal variables follow one another.
    insta::assert_snapshot!(lines(&all), @"
    1 e b cell 1 repeat 1 load.workload=oltp_read_only measure=10s server.sync_binlog=0 load.clients=1
    2 e b cell 3 repeat 1 load.workload=oltp_insert measure=30s server.sync_binlog=0 load.clients=1
    3 e b cell 4 repeat 1 load.workload=oltp_insert measure=30s server.sync_binlog=0 load.clients=2
    4 e b cell 2 repeat 1 load.workload=oltp_insert measure=10s server.sync_binlog=1 load.clients=1
    ");
    assert_eq!(all.iter().map(|t| t.measure_ms / 1000).collect::<Vec<_>>(), [10, 30, 30, 10]);
}

#[test]
fn a_range_is_as_the_list_of_its_values() {
    let of = |clients: &str, size: &str, measure: &str| {
        trials(&format!(
            "{TWO}targets = [\"b\"]\n[experiment.matrix]\nload.clients = {clients}\ndataset.table_size = {size}\n\
             measure = {measure}\ntargets.b.server.innodb_buffer_pool_size = [\"1GiB\", \"2GiB\"]\n\
             exclude = [{{ load.clients = 4, measure = \"20s\" }}]\n"
        ))
    };
    let listed = of("[1, 2, 4]", "[1000, 3000, 5000]", "[\"10s\", \"20s\"]");
    let ranges = of(
        "{ from = 1, to = 7, times = 2 }",
        "{ from = 1_000, to = 5_000, step = 2000 }",
        "{ from = \"10s\", to = \"20s\", step = \"10s\" }",
    );
    assert_eq!(listed.len(), (3 * 3 * 2 - 3) * 2 * 2);
    assert_eq!(ranges, listed);
    let quoted = format!("{TWO}[experiment.matrix]\n\"load.clients\" = {{ from = 1, to = 4, times = 2 }}\n");
    assert_eq!(trials(&quoted).len(), 3 * 2 * 2);
}

#[test]
fn the_one_data_set_and_all_targets_need_no_naming() {
    let all = trials("schema = 1\n[targets.a]\ndsn = \"null:\"\n[experiment]\nload.workload = \"oltp_point_select\"\n");
    assert_eq!(all.len(), 3);
    assert_eq!((all[0].dataset.name.as_str(), all[0].dataset.kind.as_str()), ("sysbench", "sysbench"));
    assert_eq!(all[0].restore, Restore::Never, "a load that only reads needs no restoring");
    assert_eq!((all[0].load.clients, all[0].load.workers, all[0].load.schedule), (1, Workers::Auto, Schedule::Closed));
}

#[test]
fn bulk_insert_has_a_table_for_each_client() {
    let all = trials(
        "schema = 1\ntargets.a.sandbox = \"mariadbd\"\n[[experiment]]\nload.workload = \"bulk_insert\"\nmatrix.load.clients = [1, 8]\n",
    );
    let data: BTreeSet<_> = all.iter().map(|t| format!("{} {:?}", t.dataset.kind, t.dataset.options)).collect();
    assert_eq!(
        data.into_iter().collect::<Vec<_>>(),
        ["bulk_insert {\"tables\": \"1\"}", "bulk_insert {\"tables\": \"8\"}"]
    );
}

#[test]
fn a_plan_without_data_gets_what_its_workload_states() {
    let of = |load: &str| {
        let all =
            trials(&format!("schema = 1\ntargets.a.sandbox = \"mariadbd\"\n[[experiment]]\nload = {{ {load} }}\n"));
        let t = &all[0];
        format!("{} {} {:?} {:?} {}", t.dataset.name, t.dataset.kind, t.dataset.options, t.restore, t.warmup_ms)
    };
    insta::assert_snapshot!(
        [
            "workload = \"oltp\", table_size = 50",
            "workload = \"oltp-read-only\", tables = 2, range_size = 5",
            "workload = \"mutex\"",
            "kind = \"tpcc\", warehouses = 3, mode = \"paced\"",
            "kind = \"slap\", queries = 100",
            "workload = \"own.lua\", tables = 2",
            "workload = \"oltp_read_only.lua\"",
        ]
        .map(of)
        .join("\n"),
        @r#"
    sysbench_0_4 sysbench_0_4 {"table_size": "50"} BeforeRun 30000
    sysbench sysbench {"tables": "2"} Never 30000
    none none {} BeforeRun 0
    tpcc tpcc {"warehouses": "3"} BeforeRun 30000
    slap slap {} BeforeRun 0
    script script {"script": "own.lua", "tables": "2"} BeforeRun 30000
    sysbench sysbench {} Never 30000
    "#
    );
}

#[test]
fn a_rate_opens_the_loop() {
    let all = trials("schema = 1\ntargets.a.dsn = \"null:\"\n[[experiment]]\nload = { workload = \"x\", rate = 5 }\n");
    let open = Schedule::Open { rate: 5.0, arrivals: Arrivals::Poisson, overload: Overload::Queue { limit: 100_000 } };
    assert_eq!(all[0].load.schedule, open);
    assert_eq!(all[0].restore, Restore::BeforeRun, "an unknown load may write");
}

#[test]
fn a_password_in_an_address_is_taken_out_and_told() {
    let text = "schema = 1\n[targets.a]\ndsn = \"mysql://u:hid'den@h/x\" # mysql://u:hid'den@h\n[[experiment]]\nload.workload = \"x\"\n";
    let plan = Plan::parse(text, &common::catalog()).unwrap();
    assert_eq!(plan.passwords["a"].reveal(), "hid'den");
    assert_eq!(plan.experiments[0].targets[0].dsn.as_deref(), Some("mysql://u@h/x"));
    assert!(!format!("{plan:?}").contains("hid'den"), "{plan:?}");
    insta::assert_snapshot!(plan.notes[0], @r#"
    line 3, column 7: the password of target a is in the plan; it is left out of everything that is written
      evidence  3 | dsn = "mysql://u@h/x" # mysql://u@h
      hint      prefer password_env = "NAME" or password_file = "PATH": then the stored plan can be run again
    "#);
    // What is stored can be read again.
    assert_eq!(expand(&Plan::parse(&plan.text, &common::catalog()).unwrap()), expand(&plan));
}

/// A small plan from random parts; counts stay below the limit.
fn any_plan() -> impl Strategy<Value = String> {
    let order = prop_oneof![Just("random-block"), Just("abba"), Just("sequential")];
    (1usize..4, 1u32..4, order, 1usize..4, 1usize..4, 0u64..1 << 40).prop_map(
        |(targets, repeats, order, clients, pools, seed)| {
            let targets: String = (0..targets).map(|i| format!("t{i} = {{ sandbox = \"mariadbd\" }}\n")).collect();
            let list = |n: usize| (1..=n).map(|i| i.to_string()).collect::<Vec<_>>().join(", ");
            format!(
                "schema = 1\nseed = {seed}\n[targets]\n{targets}[[experiment]]\nrepeats = {repeats}\norder = \"{order}\"\n\
                 load.workload = \"oltp_read_write\"\n[experiment.matrix]\nload.clients = [{}]\nserver.v = [{}]\n",
                list(clients),
                list(pools)
            )
        },
    )
}

proptest! {
    #[test]
    fn every_cell_is_run_once_per_target_and_repeat(text in any_plan()) {
        let all = trials(&text);
        let runs: BTreeSet<_> = all.iter().map(|t| (t.cell, t.repeat, t.target.place)).collect();
        prop_assert_eq!(runs.len(), all.len());
        let count = |f: fn(&Trial) -> u32| all.iter().map(f).collect::<BTreeSet<_>>().len();
        prop_assert_eq!(all.len(), count(|t| t.cell) * count(|t| t.repeat) * count(|t| t.target.place));
        prop_assert!(all.iter().enumerate().all(|(i, t)| t.number as usize == i + 1));
        // Pairs share their seed, of targets or along an axis, and no other trial has it.
        let shared = |t: &Trial| t.compare.as_ref().map_or_else(|| t.axes.clone(), |along| along.rest(&t.axes));
        let seeds: BTreeSet<_> = all.iter().map(|t| t.seed).collect();
        let pairs: BTreeSet<_> = all.iter().map(|t| (shared(t), t.repeat, t.seed)).collect();
        prop_assert_eq!(seeds.len(), pairs.len());
        prop_assert_eq!(pairs.len(), all.iter().map(|t| (shared(t), t.repeat)).collect::<BTreeSet<_>>().len());
        // The same text gives the same trials.
        prop_assert_eq!(trials(&text), all);
    }

    #[test]
    fn a_random_block_changes_servers_as_seldom_as_it_can(text in any_plan()) {
        let text = text.replace("abba", "random-block").replace("sequential", "random-block");
        let all = trials(&text);
        for repeat in 1..=all.iter().map(|t| t.repeat).max().unwrap() {
            let block: Vec<&Trial> = all.iter().filter(|t| t.repeat == repeat).collect();
            prop_assert!(block.windows(2).all(|w| w[1].number == w[0].number + 1), "a repeat is one block");
            let runs_of = |key: fn(&Trial) -> String| {
                let mut keys: Vec<String> = block.iter().map(|t| key(t)).collect();
                let different = keys.iter().collect::<BTreeSet<_>>().len();
                keys.dedup();
                (keys.len(), different)
            };
            let (runs, different) = runs_of(|t| t.target.server["v"].clone());
            prop_assert_eq!(runs, different, "each server setting is set up once per block");
            let (runs, different) = runs_of(|t| t.cell.to_string());
            prop_assert_eq!(runs, different, "the targets of a cell are neighbours");
        }
    }

    #[test]
    fn any_text_is_a_plan_or_has_problems(text in "\\PC{0,200}") {
        if let Err(problems) = Plan::parse(&text, &common::catalog()) {
            prop_assert!(!problems.is_empty());
        }
    }

    #[test]
    fn a_plan_with_a_piece_broken_out_never_panics(text in any_plan(), from in 0usize..300, length in 0usize..30, put in "[\\[\\]=\"{},.a1 \n-]{0,6}") {
        let chars: Vec<char> = text.chars().collect();
        let from = from.min(chars.len());
        let to = (from + length).min(chars.len());
        let broken: String = chars[..from].iter().chain(put.chars().collect::<Vec<_>>().iter()).chain(&chars[to..]).collect();
        let _ = Plan::parse(&broken, &common::catalog()).map(|p| expand(&p));
    }

    #[test]
    fn a_password_is_never_repeated(before in "[a-z]{0,5}[:@/\"' \\\\]?", after in "[@:'/]?[a-z]{0,5}", broken in "[\"\n=]?") {
        let hidden = "Zq7Zq7";
        let password = format!("{before}{hidden}{after}").replace('\\', "\\\\").replace('"', "\\\"");
        for quoted in [format!("\"mysql://user:{password}@host:3306/db\""), format!("\"mysql://user@host/db?password={hidden}\"")] {
            let text = format!("schema = 1{broken}\n[targets.a]\ndsn = {quoted}\npasword = \"{hidden}\"\n[[experiment]]\n");
            match Plan::parse(&text, &common::catalog()) {
                Ok(plan) => prop_assert!(!format!("{plan:?}").contains(hidden), "{plan:?}"),
                Err(problems) => prop_assert!(!format!("{problems:?}").contains(hidden), "{problems:#?}"),
            }
            let whole = text.replace("pasword =", "# pasword =").replace("[[experiment]]", "[[experiment]]\nload.workload = \"x\"");
            if let Ok(plan) = Plan::parse(&whole, &common::catalog()) {
                prop_assert!(!format!("{plan:?}").contains(hidden), "{plan:?}");
            }
        }
    }
}

/// A whole plan in which `key` has its example's value.
fn plan_with(key: &Key) -> String {
    let line = format!("{} = {}\n", key.name, key.example);
    let table = *key.tables.last().expect("every key stands in a table");
    let of = |wanted: Table| if table == wanted { line.as_str() } else { "" };
    let unless = |name: &str, otherwise: &'static str| if key.name == name { "" } else { otherwise };
    let (top, metrics, dataset, load) = (of(Table::Top), of(Table::Metrics), of(Table::Dataset), of(Table::Load));
    if table == Table::Top
        && ["targets", "datasets", "experiment", "defaults", "metrics", "gate", "hosts", "schema"].contains(&key.name)
    {
        return format!(
            "{}{line}{}{}",
            unless("schema", "schema = 1\n"),
            unless("targets", "targets.a.sandbox = \"mariadbd\"\n"),
            unless("experiment", "[[experiment]]\nload = { workload = \"x\", clients = 2 }\n")
        );
    }
    let target = match (table, key.name) {
        (Table::Target, "dsn" | "sandbox") => line.clone(),
        (Table::Target, "server" | "restore" | "link" | "data_directory" | "option_file") => {
            format!("sandbox = \"mariadbd\"\n{line}")
        }
        (Table::Target, _) => format!("dsn = \"mysql://u@h\"\n{line}"),
        _ => "sandbox = \"mariadbd\"\n".into(),
    };
    let experiment = of(Table::Experiment);
    let workload = if (table, key.name) == (Table::Load, "workload") || (table, key.name) == (Table::Experiment, "load")
    {
        ""
    } else if table == Table::Hosts {
        "load = { workload = \"x\", clients = 2 }\n"
    } else {
        "load.workload = \"x\"\n"
    };
    // What the other keys of a group are, if this is one of them.
    let of_group: Vec<&str> = [("name", "name = \"a\""), ("scripts", "scripts = \"a.sql\"")]
        .into_iter()
        .filter(|(name, _)| table == Table::Group && *name != key.name)
        .map(|(_, line)| line)
        .chain((table == Table::Group).then_some(line.trim_end()))
        .collect();
    let group =
        if of_group.is_empty() { String::new() } else { format!("load.group = [{{ {} }}]\n", of_group.join(", ")) };
    let load = if load.is_empty() { String::new() } else { format!("load.{load}") };
    let matrix = if table == Table::Matrix {
        format!("[experiment.matrix]\n\"load.clients\" = [8, 9]\n\"load.rate\" = [1, 2]\n{line}")
    } else {
        String::new()
    };
    let gate = match table {
        Table::Gate => format!("[gate]\n{line}"),
        Table::Refutes => {
            let required = [("limit", "limit = \"commit\"\n"), ("expects", "expects = \"holds\"\n")];
            let others: String = required.iter().filter(|(name, _)| *name != key.name).map(|(_, line)| *line).collect();
            format!("[refutes]\n{others}{line}")
        }
        Table::Hosts if key.name == "count" => format!("[hosts]\n{line}"),
        Table::Hosts => format!("[hosts]\ncount = 2\n{line}"),
        _ => String::new(),
    };
    format!(
        "schema = 1\n{top}{gate}[metrics]\n{metrics}[targets.a]\n{target}[datasets.small]\n{dataset}[[experiment]]\n{workload}{experiment}{load}{group}{matrix}"
    )
}

#[test]
fn every_key_takes_its_example_and_its_other_names() {
    for key in keys::all() {
        let text = plan_with(key);
        let first = Plan::parse(&text, &common::catalog()).unwrap_or_else(|e| panic!("{text}\n{e:#?}"));
        for other in key.also {
            let renamed =
                text.replacen(&format!("{} = {}", key.name, key.example), &format!("{other} = {}", key.example), 1);
            let second = Plan::parse(&renamed, &common::catalog()).unwrap_or_else(|e| panic!("{renamed}\n{e:#?}"));
            assert_eq!(expand(&second), expand(&first), "{other} should mean {}", key.name);
        }
    }
}

#[test]
fn what_comes_later_is_no_key_yet() {
    for later in LATER {
        assert!(keys::all().all(|k| k.name != later.name || !k.tables.contains(&later.table)), "{later:?} is both");
    }
}

#[test]
fn clients_with_a_part_of_their_own_do_it_in_the_measured_window() {
    let plan = |more: &str| {
        let head = "schema = 1\n[targets.a]\ndsn = \"null:\"\n[[experiment]]\n";
        Plan::parse(
            &format!("{head}{more}\n[experiment.load]\nkind = \"slap\"\nclients = 3\noperations_per_client = 7\n"),
            &common::catalog(),
        )
    };
    let trial = expand(&plan("max_cell_time = \"5s\"").unwrap()).remove(0);
    assert_eq!((trial.warmup_ms, trial.measure_ms, trial.load.operations), (0, 5000, None));
    assert_eq!(trial.load.options["queries_per_client"], "7");
    assert_eq!(trial.dataset.kind, "slap");
    assert!(plan("warmup = \"0s\"").is_ok());
    assert!(plan("warmup = \"1s\"").unwrap_err()[0].what.contains("in the warm-up"));
}
