//! What a user reads when a plan is wrong: text in, text out, one test per kind of mistake.
//!
//! This file is long because every message stands in it word for word.

use tenbin_model::plan::Plan;

/// All that is wrong with a plan, as a user reads it.
fn told(text: &str) -> String {
    let problems = Plan::parse(text).expect_err("this plan should be refused");
    problems.iter().map(|p| format!("{p}\n")).collect::<Vec<_>>().join("\n")
}

const HEAD: &str = r#"schema = 1
[targets.mysql]
dsn = "mysql://bench@db-a:3306/sbtest"
[targets.maria]
sandbox = "mariadbd"
[datasets.sb]
tables = 16
[[experiment]]
dataset = "sb"
"#;

fn with(rest: &str) -> String {
    told(&format!("{HEAD}{rest}"))
}

#[test]
fn a_wrong_key_gives_its_line_and_the_nearest_right_one() {
    insta::assert_snapshot!(with("load.script = \"oltp_read_write\"\nmesure = \"5m\"\n"), @r#"
    line 11, column 1: "mesure" is not a key of [[experiment]]
      evidence  11 | mesure = "5m"
                   | ^^^^^^
      mend      write measure
    "#);
}

#[test]
fn a_key_in_the_wrong_place_is_sent_home() {
    insta::assert_snapshot!(with("threads = 4\nload.script = \"oltp_read_write\"\n"), @r#"
    line 10, column 1: "threads" is not a key of [[experiment]]
      evidence  10 | threads = 4
                   | ^^^^^^^
      mend      threads belongs in [experiment.load]
    "#);
}

#[test]
fn a_slip_in_a_table_that_takes_options_is_seen_too() {
    insta::assert_snapshot!(with("[experiment.load]\nscript = \"oltp_read_write\"\nthreds = 4\npoint_selects = 1\n"), @r#"
    line 12, column 1: "threds" is not a key of [experiment.load]
      evidence  12 | threds = 4
                   | ^^^^^^
      mend      write threads
    "#);
}

#[test]
fn a_duration_needs_a_unit_that_exists() {
    insta::assert_snapshot!(with("warmup = 60\nmeasure = \"300 sec onds\"\nsettle = true\nload.script = \"x\"\n"), @r#"
    line 10, column 10: warmup = 60 has no unit of time
      evidence  10 | warmup = 60
                   |          ^^
      mend      write warmup = "60s" if seconds are meant (ms, s, m, h, d are known)

    line 11, column 11: measure: "sec onds" is not a unit of time (ms, s, m, h, d)
      evidence  11 | measure = "300 sec onds"
                   |           ^^^^^^^^^^^^^^
      mend      write for example measure = "60s"

    line 12, column 10: settle is a duration, not true or false
      evidence  12 | settle = true
                   |          ^^^^
      mend      write for example settle = "60s"
    "#);
}

#[test]
fn counts_have_bounds() {
    insta::assert_snapshot!(
        with("repeats = 0\n[experiment.load]\nscript = \"x\"\nclients = 0\nworkers = -1\nrate = -5\nretries = \"3\"\n"),
        @r#"
    line 10, column 11: repeats cannot be 0
      evidence  10 | repeats = 0
                   |           ^
      mend      give a whole number from 1 to 10000

    line 13, column 11: clients cannot be 0
      evidence  13 | clients = 0
                   |           ^
      mend      give a whole number from 1 to 1000000

    line 14, column 11: workers cannot be -1
      evidence  14 | workers = -1
                   |           ^^
      mend      give a whole number from 1 to 4096

    line 15, column 8: rate cannot be -5
      evidence  15 | rate = -5
                   |        ^^
      mend      give rate a number of at least 0

    line 16, column 11: retries is a whole number, not a text
      evidence  16 | retries = "3"
                   |           ^^^
      mend      write retries = 3
    "#
    );
}

#[test]
fn an_empty_matrix_has_no_cells() {
    insta::assert_snapshot!(with("load.script = \"x\"\n[experiment.matrix]\n\"load.clients\" = []\n\"load.rate\" = 5\n"), @r#"
    line 12, column 18: load.clients has no values, so the matrix has no cells
      evidence  12 | "load.clients" = []
                   |                  ^^
      mend      give at least one value, or remove the axis

    line 13, column 15: load.rate takes a list of values, not a whole number
      evidence  13 | "load.rate" = 5
                   |               ^
      mend      write "load.rate" = [5]
    "#);
}

#[test]
fn zero_clients_in_the_matrix_are_found_where_they_stand() {
    insta::assert_snapshot!(with("load.script = \"x\"\nmatrix.load.clients = [1, 0, \"2\", 1]\n"), @r#"
    line 11, column 27: clients cannot be 0
      evidence  11 | matrix.load.clients = [1, 0, "2", 1]
                   |                           ^
      mend      give a whole number from 1 to 1000000

    line 11, column 30: clients is a whole number, not a text
      evidence  11 | matrix.load.clients = [1, 0, "2", 1]
                   |                              ^^^
      mend      write clients = 2

    line 11, column 35: 1 stands twice in load.clients
      evidence  11 | matrix.load.clients = [1, 0, "2", 1]
                   |                                   ^
      mend      keep one; repeats says how often a cell is run
    "#);
}

#[test]
fn axes_must_be_fields() {
    insta::assert_snapshot!(
        with("load.script = \"x\"\n[experiment.matrix]\nthreads = [1]\nlaod.threads = [1]\ntarget = [\"mysql\"]\nrepeats = [1]\n"),
        @r#"
    line 12, column 1: "threads" is not a field that can be varied
      evidence  12 | threads = [1]
                   | ^^^^^^^
      mend      write "load.threads"

    line 13, column 1: "laod" is not a field that can be varied
      evidence  13 | laod.threads = [1]
                   | ^^^^
      mend      use load.NAME, dataset.NAME, server.NAME or one of dataset, measure, warmup, settle, interval, restore

    line 14, column 1: the targets are no axis of the matrix: every cell is run on all of them
      evidence  14 | target = ["mysql"]
                   | ^^^^^^
      mend      write targets = ["…"] in [[experiment]]

    line 15, column 1: "repeats" is not a field that can be varied
      evidence  15 | repeats = [1]
                   | ^^^^^^^
      mend      use load.NAME, dataset.NAME, server.NAME or one of dataset, measure, warmup, settle, interval, restore
    "#
    );
}

#[test]
fn zip_and_exclude_name_axes_and_values_that_are_there() {
    insta::assert_snapshot!(
        with(
            "load.script = \"x\"\n[experiment.matrix]\n\"load.clients\" = [1, 2]\n\"load.rate\" = [1, 2, 3]\n\
             zip = [[\"load.clients\", \"load.rate\"], [\"load.workers\"], [\"load.rate\"]]\n\
             exclude = [{ \"load.clients\" = 9 }, {}, { \"load.retries\" = 1 }]\n"
        ),
        @r#"
    line 14, column 8: axes that step together need equally many values, not [2, 3]
      evidence  14 | zip = [["load.clients", "load.rate"], ["load.workers"], ["load.rate"]]
                   |        ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
      mend      make their lists equally long

    line 14, column 40: load.workers is not an axis of this matrix
      evidence  14 | zip = [["load.clients", "load.rate"], ["load.workers"], ["load.rate"]]
                   |                                        ^^^^^^^^^^^^^^
      mend      add "load.workers" = […] to the matrix

    line 14, column 58: load.rate steps with others already
      evidence  14 | zip = [["load.clients", "load.rate"], ["load.workers"], ["load.rate"]]
                   |                                                          ^^^^^^^^^^^
      mend      name each axis once in zip

    line 15, column 31: load.clients never has this value, so nothing would be left out
      evidence  15 | exclude = [{ "load.clients" = 9 }, {}, { "load.retries" = 1 }]
                   |                               ^
      mend      use a value of its list in the matrix

    line 15, column 36: an empty exclude leaves out nothing
      evidence  15 | exclude = [{ "load.clients" = 9 }, {}, { "load.retries" = 1 }]
                   |                                    ^^
      mend      name the axes and values to leave out

    line 15, column 42: load.retries is not an axis of this matrix
      evidence  15 | exclude = [{ "load.clients" = 9 }, {}, { "load.retries" = 1 }]
                   |                                          ^^^^^^^^^^^^^^
      mend      add "load.retries" = […] to the matrix
    "#
    );
}

#[test]
fn a_billion_trials_are_counted_not_made() {
    let list = (1..=1000).map(|i| i.to_string()).collect::<Vec<_>>().join(", ");
    let text = format!(
        "{HEAD}load.script = \"x\"\n[experiment.matrix]\nload.clients = [{list}]\nload.rate = [{list}]\nload.a = [{list}]\n"
    );
    insta::assert_snapshot!(told(&text), @r#"
    line 8, column 1: the plan comes to 6,000,000,000 trials (1000 values of load.clients × 1000 values of load.rate × 1000 values of load.a × 3 repeats × 2 targets), more than 10,000
      evidence  8 | [[experiment]]
                  | ^
      mend      shorten the lists of the matrix, or tie axes together with zip
    "#);
}

#[test]
fn every_cell_left_out_is_no_plan() {
    insta::assert_snapshot!(
        with("load.script = \"x\"\n[experiment.matrix]\nload.clients = [1]\nexclude = [{ load.clients = 1 }]\n"),
        @r#"
    line 8, column 1: every cell of the matrix is left out
      evidence  8 | [[experiment]]
                  | ^
      mend      take something out of exclude
    "#
    );
}

#[test]
fn names_that_are_referred_to_exist() {
    insta::assert_snapshot!(with("targets = [\"mysq\", \"oracle\", \"maria\", \"maria\"]\nload.script = \"x\"\n").replace("sbtest", "x"), @r#"
    line 10, column 12: there is no target "mysq" in the plan
      evidence  10 | targets = ["mysq", "oracle", "maria", "maria"]
                   |            ^^^^^^
      mend      write "mysql"

    line 10, column 20: there is no target "oracle" in the plan
      evidence  10 | targets = ["mysq", "oracle", "maria", "maria"]
                   |                    ^^^^^^^^
      mend      describe it in [targets.oracle], or use one of: mysql, maria

    line 10, column 39: target maria is named twice; against itself it would weigh nothing
      evidence  10 | targets = ["mysq", "oracle", "maria", "maria"]
                   |                                       ^^^^^^^
      mend      name each target once, or describe a second one with the same address
    "#);
    let text = format!("{HEAD}load.script = \"x\"\n").replace("dataset = \"sb\"", "dataset = \"bs\"");
    insta::assert_snapshot!(told(&text), @r#"
    line 9, column 11: there is no data set "bs" in the plan
      evidence  9 | dataset = "bs"
                  |           ^^^^
      mend      describe it in [datasets.bs], or use one of: sb
    "#);
    let text = format!("{HEAD}load.script = \"x\"\n")
        .replace("dataset = \"sb\"\n", "")
        .replace("[datasets.sb]", "[datasets.a]\n[datasets.b]");
    insta::assert_snapshot!(told(&text), @r#"
    line 9, column 1: the experiment does not say which data set it uses: a, b
      evidence  9 | [[experiment]]
                  | ^
      mend      write dataset = "a" in [[experiment]]
    "#);
}

#[test]
fn a_load_says_what_its_clients_do() {
    insta::assert_snapshot!(with(""), @r#"
    line 8, column 1: the experiment does not say what its clients do
      evidence  8 | [[experiment]]
                  | ^
      mend      add [experiment.load] with workload = "oltp_read_write"
    "#);
    insta::assert_snapshot!(with("load = { threads = 4, clients = 8, script = \"\" }\n"), @r#"
    line 10, column 23: clients is given twice, as threads and as clients
      evidence  10 | load = { threads = 4, clients = 8, script = "" }
                   |                       ^^^^^^^
      mend      keep one of them

    line 10, column 45: workload is empty
      evidence  10 | load = { threads = 4, clients = 8, script = "" }
                   |                                             ^^
      mend      give it a value or remove workload
    "#);
    insta::assert_snapshot!(with("load = { script = \"x\", ops = 1, ops_per_client = 1 }\nmeasure = \"0s\"\n"), @r#"
    line 8, column 1: operations and operations_per_client are both given
      evidence  8 | [[experiment]]
                  | ^
      mend      keep the one you mean
    "#);
    insta::assert_snapshot!(with("load = { script = \"x\", arrivals = \"poison\", overload = \"drop\", kind = \"oltp_read_write\" }\n"), @r#"
    line 10, column 35: arrivals cannot be "poison"
      evidence  10 | load = { script = "x", arrivals = "poison", overload = "drop", kind = "oltp_read_write" }
                   |                                   ^^^^^^^^
      mend      write arrivals = "poisson"

    line 10, column 56: overload cannot be "drop"
      evidence  10 | load = { script = "x", arrivals = "poison", overload = "drop", kind = "oltp_read_write" }
                   |                                                        ^^^^^^
      mend      use one of queue, skip, stop

    line 10, column 71: there is no kind of load "oltp_read_write"
      evidence  10 | load = { script = "x", arrivals = "poison", overload = "drop", kind = "oltp_read_write" }
                   |                                                                       ^^^^^^^^^^^^^^^^^
      mend      write kind = "sysbench", or workload = "oltp_read_write" if that is the workload's name
    "#);
    insta::assert_snapshot!(with("load = { script = \"x\" }\nmeasure = \"0s\"\n"), @r#"
    line 8, column 1: nothing would be measured: measure is 0
      evidence  8 | [[experiment]]
                  | ^
      mend      write measure = "60s"
    "#);
    insta::assert_snapshot!(with("load = { script = \"x\" }\nmeasure = \"30d\"\ninterval = \"10ms\"\n"), @r#"
    line 8, column 1: measure 30d in intervals of 10ms makes more than a million intervals
      evidence  8 | [[experiment]]
                  | ^
      mend      choose a longer interval
    "#);
}

#[test]
fn a_target_has_one_address() {
    insta::assert_snapshot!(
        told(
            r#"
            schema = 1
            [targets.both]
            dsn = "null:"
            sandbox = "mariadbd"
            [targets.none]
            [targets.odd]
            dsn = "oracle://x"
            [targets.tls]
            dsn = "sqlite:/tmp/x"
            tls = "required"
            [targets.verify]
            dsn = "mysql://u@h"
            tls = "verify"
            [targets.twice]
            dsn = "mysql://u:secret@h"
            password_env = "PW"
            [targets.deaf]
            dsn = "mysql://u@h"
            server = { sync_binlog = 1, list = [1] }
            [[experiment]]
            load.workload = "x"
            "#
        ),
        @r#"
    line 4, column 19: target both has an address and is a sandbox
      evidence  4 |             dsn = "null:"
                  |                   ^^^^^^^
      mend      keep dsn for a server that runs, sandbox for one to start

    line 6, column 22: target none has no address
      evidence  6 |             [targets.none]
                  |                      ^^^^
      mend      give it dsn = "mysql://…" or sandbox = "mariadbd"

    line 8, column 19: the address of the database cannot be read: "oracle" is not a database we speak to (mysql, mariadb, postgres, postgresql, sqlite, null)
      evidence  8 |             dsn = "oracle://x"
                  |                   ^^^^^^^^^^^^
      mend      write it like mysql://user@127.0.0.1:3306/sbtest, postgres://user@127.0.0.1:5432/sbtest, sqlite:/tmp/test.db or null:

    line 11, column 19: tls means nothing to this database
      evidence  11 |             tls = "required"
                   |                   ^^^^^^^^^^
      mend      remove tls

    line 14, column 19: tls cannot be "verify"
      evidence  14 |             tls = "verify"
                   |                   ^^^^^^^^
      mend      write tls = "verify-ca"

    line 16, column 19: the password of target twice is given twice
      evidence  16 |             dsn = "mysql://u@h"
      mend      take it out of the address

    line 18, column 22: not yet: server variables of deaf (they are set on sandboxes and SQLite only)
      evidence  18 |             [targets.deaf]
                   |                      ^^^^
      mend      set them on the server itself, or use sandbox = "mariadbd"

    line 20, column 48: list takes one value, not a list
      evidence  20 |             server = { sync_binlog = 1, list = [1] }
                   |                                                ^^^
      mend      write list = VALUE, or sweep it in [experiment.matrix]
    "#
    );
}

#[test]
fn server_variables_can_only_be_varied_where_they_can_be_set() {
    insta::assert_snapshot!(with("load.script = \"x\"\nmatrix.server.sync_binlog = [0, 1]\n"), @r#"
    line 11, column 15: not yet: server variables of mysql (they are set on sandboxes and SQLite only)
      evidence  11 | matrix.server.sync_binlog = [0, 1]
                   |               ^^^^^^^^^^^
      mend      set them on the server itself, or use sandbox = "mariadbd"
    "#);
}

#[test]
fn what_is_not_toml_is_said_with_its_place() {
    insta::assert_snapshot!(told("schema = 1\nname = \"open\n[targets.a\nseed 5\n"), @r#"
    line 2, column 13: this is not TOML: invalid basic string, expected `"`
      evidence  2 | name = "open
                  |             ^
      mend      texts stand in "quotes", lists in [brackets], and each key has its own line

    line 3, column 11: this is not TOML: unclosed table, expected `]`
      evidence  3 | [targets.a
                  |           ^
      mend      texts stand in "quotes", lists in [brackets], and each key has its own line

    line 4, column 6: this is not TOML: key with no value, expected `=`
      evidence  4 | seed 5
                  |      ^
      mend      texts stand in "quotes", lists in [brackets], and each key has its own line
    "#);
    insta::assert_snapshot!(told("schema = 1\nschema = 1\n"), @r#"
    line 2, column 1: this is not TOML: duplicate key
      evidence  2 | schema = 1
                  | ^^^^^^
      mend      texts stand in "quotes", lists in [brackets], and each key has its own line
    "#);
}

#[test]
fn an_empty_plan_is_told_what_it_lacks() {
    insta::assert_snapshot!(told(""), @r#"
    line 1, column 1: the plan does not say which schema it follows
      mend      begin it with schema = 1

    line 1, column 1: the plan has no targets
      mend      add [targets.a] with dsn = "mysql://user@host:3306/schema" or sandbox = "mariadbd"

    line 1, column 1: the plan has no experiment
      mend      add [[experiment]] with [experiment.load] and workload = "oltp_read_write"
    "#);
    insta::assert_snapshot!(told("schema = 2\nlang = \"de\"\nseed = -1\ntargets = 5\nexperiment = []\ndatasets = [1]"), @r#"
    line 1, column 10: schema 2 is not known to this version
      evidence  1 | schema = 2
                  |          ^
      mend      write schema = 1, or get a newer Tenbin

    line 2, column 8: lang cannot be "de"
      evidence  2 | lang = "de"
                  |        ^^^^
      mend      use one of en, ja

    line 3, column 8: seed cannot be -1
      evidence  3 | seed = -1
                  |        ^^
      mend      give a whole number from 0 to 9223372036854775807

    line 4, column 11: [targets] is a table, not a whole number
      evidence  4 | targets = 5
                  |           ^
      mend      see `tenbin plan example`

    line 5, column 14: the list of experiments is empty
      evidence  5 | experiment = []
                  |              ^^
      mend      add [[experiment]]

    line 6, column 12: [datasets] is a table, not a list
      evidence  6 | datasets = [1]
                  |            ^^^
      mend      see `tenbin plan example`
    "#);
}

#[test]
fn two_experiments_have_two_names() {
    insta::assert_snapshot!(told(&format!("{HEAD}load.script = \"x\"\n[[experiment]]\nload.script = \"x\"\n")), @r#"
    line 11, column 1: two experiments are called "x"
      evidence  11 | [[experiment]]
                   | ^
      mend      give one of them another name
    "#);
}

#[test]
fn what_this_version_cannot_do_is_refused_honestly() {
    insta::assert_snapshot!(
        told(
            r#"
            schema = 1
            [defaults]
            warmup = "auto"
            settle = "flush"
            repeats = { min = 3, max = 10, until = "ci(tps) < 2%" }
            restore = "before-cell"
            [metrics]
            host = ["client", "server"]
            server = ["status"]
            [targets.mysql]
            dsn = "mysql://bench@host:3306"
            pin = { version = "8.4.*" }
            host = { ssh = "user@host" }
            cloud = { kind = "rds", id = "db-1" }
            replicas = { r1 = "mysql://mon@replica:3306" }
            apply = "restart"
            [targets.mysql.restore]
            kind = "physical"
            [datasets.tpcc]
            kind = "tpcc"
            warehouses = 100
            [[experiment]]
            load.kind = "sql"
            measure = "30m"
            [experiment.watch]
            binlog = "10s"
            [experiment.search]
            vary = "load.rate"
            [experiment.check]
            abort = ["lag > 1800s for 300s"]
            [[experiment.table]]
            rows = "load.clients"
            [[experiment.chart]]
            kind = "timeline"
            "#
        ),
        @r#"
    line 4, column 22: not yet: a warm-up that finds its own end (steady state is not recognised)
      evidence  4 |             warmup = "auto"
                  |                      ^^^^^^
      mend      give a duration, for example warmup = "60s"

    line 5, column 22: not yet: settling until the server has flushed (dirty pages are not watched)
      evidence  5 |             settle = "flush"
                  |                      ^^^^^^^
      mend      give a duration, for example settle = "30s"

    line 6, column 13: not yet: repeats until the interval is narrow enough (repeats are counted)
      evidence  6 |             repeats = { min = 3, max = 10, until = "ci(tps) < 2%" }
                  |             ^^^^^^^
      mend      give a number, for example repeats = 5

    line 7, column 23: not yet: restore = "before-cell" (data are restored before every run or never)
      evidence  7 |             restore = "before-cell"
                  |                       ^^^^^^^^^^^^^
      mend      write restore = "before-run" or "never"

    line 9, column 13: not yet: host of [metrics] (the client and servers on this machine are observed always, other hosts not yet)
      evidence  9 |             host = ["client", "server"]
                  |             ^^^^
      mend      take it out; the rest of the plan does not need it

    line 10, column 13: not yet: server of [metrics] (the status variables are observed always, choosing among observers comes later)
      evidence  10 |             server = ["status"]
                   |             ^^^^^^
      mend      take it out; the rest of the plan does not need it

    line 13, column 13: not yet: pin of [targets.<name>] (the version and variables are recorded, but not yet compared with a wish)
      evidence  13 |             pin = { version = "8.4.*" }
                   |             ^^^
      mend      take it out; the rest of the plan does not need it

    line 14, column 13: not yet: host of [targets.<name>] (a server's own machine is not observed over ssh yet)
      evidence  14 |             host = { ssh = "user@host" }
                   |             ^^^^
      mend      take it out; the rest of the plan does not need it

    line 15, column 13: not yet: cloud of [targets.<name>] (a provider's metrics are not fetched yet)
      evidence  15 |             cloud = { kind = "rds", id = "db-1" }
                   |             ^^^^^
      mend      take it out; the rest of the plan does not need it

    line 16, column 13: not yet: replicas of [targets.<name>] (replicas are not observed yet)
      evidence  16 |             replicas = { r1 = "mysql://mon@replica:3306" }
                   |             ^^^^^^^^
      mend      take it out; the rest of the plan does not need it

    line 17, column 13: not yet: apply of [targets.<name>] (server variables are set on sandboxes and SQLite only)
      evidence  17 |             apply = "restart"
                   |             ^^^^^
      mend      take it out; the rest of the plan does not need it

    line 18, column 28: not yet: restore of [targets.<name>] (data are restored by loading them again; backups and snapshots come later)
      evidence  18 |             [targets.mysql.restore]
                   |                            ^^^^^^^
      mend      take it out; the rest of the plan does not need it

    line 24, column 25: not yet: a load of kind "sql" (there are the workloads of sysbench, TPC-C and mysqlslap)
      evidence  24 |             load.kind = "sql"
                   |                         ^^^^^
      mend      write kind = "sysbench"

    line 26, column 25: not yet: watch of [[experiment]] (replica lag, binary logs and cloud metrics are not watched yet)
      evidence  26 |             [experiment.watch]
                   |                         ^^^^^
      mend      take it out; the rest of the plan does not need it

    line 28, column 25: not yet: search of [[experiment]] (the limit is not searched for yet; sweep load.rate in the matrix)
      evidence  28 |             [experiment.search]
                   |                         ^^^^^^
      mend      take it out; the rest of the plan does not need it

    line 30, column 25: not yet: check of [[experiment]] (conditions that pass or abort a run come later)
      evidence  30 |             [experiment.check]
                   |                         ^^^^^
      mend      take it out; the rest of the plan does not need it

    line 32, column 26: not yet: table of [[experiment]] (the page chooses its own tables)
      evidence  32 |             [[experiment.table]]
                   |                          ^^^^^
      mend      take it out; the rest of the plan does not need it

    line 34, column 26: not yet: chart of [[experiment]] (the page chooses its own charts)
      evidence  34 |             [[experiment.chart]]
                   |                          ^^^^^
      mend      take it out; the rest of the plan does not need it
    "#
    );
}

#[test]
fn what_is_found_wrong_later_is_placed_in_the_plan() {
    let text = "schema = 1\n[targets.a]\ndsn = \"null:\"\n[[experiment]]\n[experiment.load]\nworkload = \"oltp_raed\"\n\
                # range_size = 1\nrange-size = \"x\"\n[experiment.matrix]\n\"load.point_selcts\" = [1]\nload.workload = [\"oltp_b\"]\n";
    let plan = Plan::parse(text).unwrap();
    let placed = [
        "there is no workload \"oltp_raed\"",
        "the workload oltp_read_only has no option \"point_selcts\"",
        "the workload oltp_read_only: range_size cannot be \"x\"",
        "there is no workload \"oltp_b\"",
        "the disk is full",
    ]
    .map(|what| plan.place(tenbin_model::problem::Problem::new(what)).to_string())
    .join("\n");
    insta::assert_snapshot!(placed, @r#"
    line 6, column 13: there is no workload "oltp_raed"
      evidence  6 | workload = "oltp_raed"
                  |             ^^^^^^^^^
    line 10, column 7: the workload oltp_read_only has no option "point_selcts"
      evidence  10 | "load.point_selcts" = [1]
                   |       ^^^^^^^^^^^^
    line 8, column 1: the workload oltp_read_only: range_size cannot be "x"
      evidence  8 | range-size = "x"
                  | ^^^^^^^^^^
    line 11, column 19: there is no workload "oltp_b"
      evidence  11 | load.workload = ["oltp_b"]
                   |                   ^^^^^^
    the disk is full
    "#);
}

/// The plans of the published series: what they ask for and this version cannot do is refused with that word, nothing else.
#[test]
fn the_seed_series_is_run_or_refused_honestly() {
    const TARGETS: &str = "[targets.mysql]\ndsn = \"mysql://bench@db-a:3306\"\n[targets.maria]\ndsn = \"mysql://bench@db-b:3306\"\n\
                           [datasets.sb]\nkind = \"sysbench\"\ntables = 16\nrows = 1_000_000\n";
    let grid = r#"
        [[experiment]]
        name = "slap"
        targets = ["mysql"]
        repeats = 3
        restore = "before-run"
        warmup = "0s"
        [experiment.load]
        kind = "slap"
        profile = "mysqlslap"
        primary_key = "autoincrement"
        count_connect = true
        [experiment.matrix]
        "load.type" = ["read", "write", "update", "mixed"]
        "load.clients" = [1, 10, 30, 50, 100]
        "load.ops_per_client" = [1_000, 10_000, 100_000, 1_000_000]
        [[experiment.table]]
        title = "Average seconds"
    "#;
    let threads = r#"
        [[experiment]]
        name = "oltp"
        targets = ["mysql", "maria"]
        dataset = "sb"
        measure = "300s"
        warmup = "60s"
        [experiment.load]
        kind = "sysbench"
        [experiment.matrix]
        "load.script" = ["oltp_read_only", "oltp_read_write"]
        "load.threads" = [1, 2, 4, 8, 16, 32, 64, 128, 256]
    "#;
    let chart = format!("{threads}\n[[experiment.chart]]\nx = \"load.threads\"\n");
    let tpcc = r#"
        [datasets.tpcc]
        kind = "tpcc"
        warehouses = 100
        [[experiment]]
        name = "tpcc"
        dataset = "tpcc"
        repeats = 2
        [experiment.load]
        kind = "tpcc"
        [experiment.matrix]
        "dataset.warehouses" = [100, 250, 500]
        "load.connections" = [50, 100, 200]
    "#;
    let pool = r#"
        [[experiment]]
        name = "bufferpool"
        targets = ["mysql"]
        dataset = "sb"
        restore = "never"
        warmup = { min = "2m", max = "30m" }
        [experiment.load]
        kind = "sysbench"
        script = "oltp_read_only"
        rand = "uniform"
        threads = 64
        [experiment.matrix]
        "server.innodb_buffer_pool_size" = ["1GiB", "2GiB", "4GiB", "8GiB", "16GiB"]
    "#;
    let lag = r#"
        [targets.mysql.replicas]
        r1 = "mysql://mon@replica-1:3306"
        [[experiment]]
        name = "lag-2h"
        targets = ["mysql"]
        dataset = "sb"
        repeats = 1
        warmup = "5m"
        measure = "2h"
        [experiment.load]
        kind = "sysbench"
        script = "oltp_read_write"
        threads = 64
        [experiment.watch]
        lag = { method = "heartbeat", every = "200ms", also = ["sbm", "gtid", "ps"] }
        [experiment.check]
        abort = ["lag > 1800s for 300s", "disk.free < 10%"]
    "#;
    let limit = r#"
        [[experiment]]
        name = "slo"
        targets = ["mysql", "maria"]
        dataset = "sb"
        [experiment.load]
        kind = "sysbench"
        script = "oltp_read_write"
        connections = 256
        arrivals = "poisson"
        [experiment.search]
        vary = "load.rate"
    "#;
    for (runs, trials) in [(threads, 108), (tpcc, 36)] {
        let plan = Plan::parse(&format!("schema = 1\n{TARGETS}{runs}")).unwrap();
        assert_eq!(tenbin_model::plan::expand(&plan).len(), trials);
    }
    for asked in [grid, &chart, pool, lag, limit] {
        let problems = Plan::parse(&format!("schema = 1\nname = \"series\"\n{TARGETS}{asked}")).unwrap_err();
        let others: Vec<_> = problems.iter().filter(|p| !p.what.contains(": not yet: ")).collect();
        assert!(others.is_empty(), "{asked}\n{others:#?}");
    }
}
