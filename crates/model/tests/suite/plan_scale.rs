//! `--scale`: plans in, trials with a part of the data and the time out.

#![expect(clippy::unwrap_used, reason = "a test may")]

use crate::common;

use tenbin_model::plan::{Plan, PlanScale, Reading, expand, expand_times};
use tenbin_model::trial::Trial;

fn scaled(text: &str, scale: &str) -> Plan {
    let scale = Some(PlanScale::parse(scale).unwrap());
    Reading::scaled(text, &common::catalog(), scale).finish().unwrap_or_else(|problems| panic!("{problems:#?}"))
}

/// One line per cell: axes, data, server variables, clients, operations, and the times in milliseconds.
fn cells(plan: &Plan) -> String {
    let mut all = expand(plan);
    all.retain(|t| t.repeat == 1 && t.target.place == 0);
    all.sort_by_key(|t| t.cell);
    all.iter().map(|t| line(t) + "\n").collect()
}

fn line(t: &Trial) -> String {
    let axes: Vec<_> = t.axes.iter().map(|(name, value)| format!("{name}={value}")).collect();
    format!(
        "{}: {:?} {:?} load {:?} clients {} operations {:?}, {} + {} every {}",
        axes.join(" "),
        t.dataset.options,
        t.target.server,
        t.load.options,
        t.load.clients,
        t.load.operations,
        t.warmup_ms,
        t.measure_ms,
        t.interval_ms
    )
}

#[test]
fn a_published_grid_becomes_a_try_out_with_the_same_cells() {
    let plan = scaled(
        r#"
        schema = 1
        name = "grid"
        [targets.a]
        sandbox = "mariadbd"
        server = { innodb_buffer_pool_size = "64GiB", sync_binlog = 1 }
        [datasets.d]
        kind = "tpcc"
        [[experiment]]
        measure = "1h"
        load = { workload = "tpcc" }
        matrix = { dataset.warehouses = [100, 250, 500], load.clients = [50, 100] }
        "#,
        "0.001",
    );
    assert_eq!((plan.name.as_str(), expand(&plan)[0].scale), ("grid-scale-0.001", Some(0.001)));
    insta::assert_snapshot!(cells(&plan), @r#"
    dataset.warehouses=1 load.clients=50: {"warehouses": "1"} {"innodb_buffer_pool_size": "69206016", "sync_binlog": "1"} load {} clients 50 operations None, 200 + 3600 every 100
    dataset.warehouses=1 load.clients=100: {"warehouses": "1"} {"innodb_buffer_pool_size": "69206016", "sync_binlog": "1"} load {} clients 100 operations None, 200 + 3600 every 100
    dataset.warehouses=2 load.clients=50: {"warehouses": "2"} {"innodb_buffer_pool_size": "69206016", "sync_binlog": "1"} load {} clients 50 operations None, 200 + 3600 every 100
    dataset.warehouses=2 load.clients=100: {"warehouses": "2"} {"innodb_buffer_pool_size": "69206016", "sync_binlog": "1"} load {} clients 100 operations None, 200 + 3600 every 100
    dataset.warehouses=3 load.clients=50: {"warehouses": "3"} {"innodb_buffer_pool_size": "69206016", "sync_binlog": "1"} load {} clients 50 operations None, 200 + 3600 every 100
    dataset.warehouses=3 load.clients=100: {"warehouses": "3"} {"innodb_buffer_pool_size": "69206016", "sync_binlog": "1"} load {} clients 100 operations None, 200 + 3600 every 100
    "#);
}

#[test]
fn defaults_counts_and_durations_are_reduced_too() {
    let plan = scaled(
        r#"
        schema = 1
        [targets.a]
        dsn = "null:"
        [[experiment]]
        name = "times"
        load = { workload = "oltp_read_write", table_size = 20 }
        matrix = { measure = ["60s", "5m"] }
        [[experiment]]
        name = "counts"
        warmup = "0s"
        load = { workload = "slap", clients = 4 }
        matrix = { load.operations_per_client = [10, 1000, 2000] }
        [[experiment]]
        name = "rows"
        load = { workload = "oltp_read_only", operations = 100_000, clients = 8 }
        matrix = { dataset.table_size = [10_000_000, 40_000_000] }
        "#,
        "0.001",
    );
    insta::assert_snapshot!(cells(&plan), @r#"
    experiment=times measure=1s: {"table_size": "20"} {} load {"table_size": "20"} clients 1 operations None, 200 + 1000 every 100
    experiment=times measure=2s: {"table_size": "20"} {} load {"table_size": "20"} clients 1 operations None, 200 + 2000 every 100
    experiment=counts load.operations_per_client=1: {} {} load {"queries_per_client": "1"} clients 4 operations None, 0 + 1000 every 100
    experiment=counts load.operations_per_client=2: {} {} load {"queries_per_client": "2"} clients 4 operations None, 0 + 1000 every 100
    experiment=counts load.operations_per_client=3: {} {} load {"queries_per_client": "3"} clients 4 operations None, 0 + 1000 every 100
    experiment=rows dataset.table_size=10000: {"table_size": "10000"} {} load {} clients 8 operations Some(100), 200 + 1000 every 100
    experiment=rows dataset.table_size=40000: {"table_size": "40000"} {} load {} clients 8 operations Some(100), 200 + 1000 every 100
    "#);
}

#[test]
fn the_trials_of_a_plan_are_the_first_of_those_with_more_repeats() {
    let plan = Plan::parse(
        "schema = 1\n[targets.a]\ndsn = \"null:\"\n[targets.b]\ndsn = \"null:\"\n[[experiment]]\nrepeats = 2\n\
         load = { workload = \"mutex\" }\nmatrix = { load.clients = [1, 2, 4] }\n",
        &common::catalog(),
    )
    .unwrap();
    let (once, thrice) = (expand(&plan), expand_times(&plan, 3));
    assert_eq!((once.len(), thrice.len()), (12, 36));
    assert_eq!(once, thrice[..12]);
    let mut all: Vec<_> = thrice.iter().map(|t| (t.cell, t.repeat, t.target.place)).collect();
    all.sort_unstable();
    all.dedup();
    assert_eq!(all.len(), 36, "each cell has six repeats on each target");
    assert!(thrice.iter().enumerate().all(|(i, t)| t.number == i as u32 + 1));
    let order = |some: &[Trial]| some.iter().map(|t| (t.cell, t.target.place)).collect::<Vec<_>>();
    assert_ne!(order(&thrice[..12]), order(&thrice[12..24]), "further repeats have their own order");
}
