//! What the parts of a plan say and refer to: targets, loads, data sets, experiments.

use super::{HEAD, told, with};

#[test]
fn names_that_are_referred_to_exist() {
    insta::assert_snapshot!(with("targets = [\"mysq\", \"oracle\", \"maria\", \"maria\"]\nload.script = \"x\"\n").replace("sbtest", "x"), @r#"
    line 10, column 12: there is no target "mysq" in the plan
      evidence  10 | targets = ["mysq", "oracle", "maria", "maria"]
                   |            ^^^^^^
      hint      write "mysql"

    line 10, column 20: there is no target "oracle" in the plan
      evidence  10 | targets = ["mysq", "oracle", "maria", "maria"]
                   |                    ^^^^^^^^
      hint      describe it in [targets.oracle], or use one of: mysql, maria

    line 10, column 39: target maria is named twice; against itself it would weigh nothing
      evidence  10 | targets = ["mysq", "oracle", "maria", "maria"]
                   |                                       ^^^^^^^
      hint      name each target once, or describe a second one with the same address
    "#);
    let text = format!("{HEAD}load.script = \"x\"\n").replace("dataset = \"sb\"", "dataset = \"bs\"");
    insta::assert_snapshot!(told(&text), @r#"
    line 9, column 11: there is no data set "bs" in the plan
      evidence  9 | dataset = "bs"
                  |           ^^^^
      hint      describe it in [datasets.bs], or use one of: sb
    "#);
    let text = format!("{HEAD}load.script = \"x\"\n")
        .replace("dataset = \"sb\"\n", "")
        .replace("[datasets.sb]", "[datasets.a]\n[datasets.b]");
    insta::assert_snapshot!(told(&text), @r#"
    line 9, column 1: the experiment does not say which data set it uses: a, b
      evidence  9 | [[experiment]]
                  | ^
      hint      write dataset = "a" in [[experiment]]
    "#);
}

#[test]
fn a_load_says_what_its_clients_do() {
    insta::assert_snapshot!(with(""), @r#"
    line 8, column 1: the experiment does not say what its clients do
      evidence  8 | [[experiment]]
                  | ^
      hint      add [experiment.load] with workload = "oltp_read_write"
    "#);
    insta::assert_snapshot!(with("load = { threads = 4, clients = 8, script = \"\" }\n"), @r#"
    line 10, column 23: clients is given twice, as threads and as clients
      evidence  10 | load = { threads = 4, clients = 8, script = "" }
                   |                       ^^^^^^^
      hint      keep one of them

    line 10, column 45: workload is empty
      evidence  10 | load = { threads = 4, clients = 8, script = "" }
                   |                                             ^^
      hint      give it a value or remove workload
    "#);
    insta::assert_snapshot!(with("load = { script = \"x\", ops = 1, ops_per_client = 1 }\nmeasure = \"0s\"\n"), @r#"
    line 8, column 1: operations and operations_per_client are both given
      evidence  8 | [[experiment]]
                  | ^
      hint      keep the one you mean
    "#);
    insta::assert_snapshot!(with("load = { script = \"x\", arrivals = \"poison\", overload = \"drop\", kind = \"oltp_read_write\" }\n"), @r#"
    line 10, column 35: arrivals cannot be "poison"
      evidence  10 | load = { script = "x", arrivals = "poison", overload = "drop", kind = "oltp_read_write" }
                   |                                   ^^^^^^^^
      hint      write arrivals = "poisson"

    line 10, column 56: overload cannot be "drop"
      evidence  10 | load = { script = "x", arrivals = "poison", overload = "drop", kind = "oltp_read_write" }
                   |                                                        ^^^^^^
      hint      use one of queue, skip, stop

    line 10, column 71: there is no kind of load "oltp_read_write"
      evidence  10 | load = { script = "x", arrivals = "poison", overload = "drop", kind = "oltp_read_write" }
                   |                                                                       ^^^^^^^^^^^^^^^^^
      hint      write kind = "sysbench", or workload = "oltp_read_write" if that is the workload's name
    "#);
    insta::assert_snapshot!(with("load = { script = \"x\" }\nmeasure = \"0s\"\n"), @r#"
    line 8, column 1: nothing would be measured: measure is 0
      evidence  8 | [[experiment]]
                  | ^
      hint      write measure = "60s"
    "#);
    insta::assert_snapshot!(with("load = { script = \"x\" }\nmeasure = \"30d\"\ninterval = \"10ms\"\n"), @r#"
    line 8, column 1: measure 30d in intervals of 10ms makes more than a million intervals
      evidence  8 | [[experiment]]
                  | ^
      hint      choose a longer interval
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
      hint      keep dsn for a server that runs, sandbox for one to start

    line 6, column 22: target none has no address
      evidence  6 |             [targets.none]
                  |                      ^^^^
      hint      give it dsn = "mysql://…" or sandbox = "mariadbd"

    line 8, column 19: the address of the database cannot be read: "oracle" is not a database we speak to (mysql, mariadb, postgres, postgresql, sqlite, null)
      evidence  8 |             dsn = "oracle://x"
                  |                   ^^^^^^^^^^^^
      hint      write it like mysql://user@127.0.0.1:3306/sbtest, postgres://user@127.0.0.1:5432/sbtest, sqlite:/tmp/test.db or null:

    line 11, column 19: tls means nothing to this database
      evidence  11 |             tls = "required"
                   |                   ^^^^^^^^^^
      hint      remove tls

    line 14, column 19: tls cannot be "verify"
      evidence  14 |             tls = "verify"
                   |                   ^^^^^^^^
      hint      write tls = "verify-ca"

    line 16, column 19: the password of target twice is given twice
      evidence  16 |             dsn = "mysql://u@h"
      hint      take it out of the address

    line 20, column 48: list takes one value, not a list
      evidence  20 |             server = { sync_binlog = 1, list = [1] }
                   |                                                ^^^
      hint      write "targets.deaf.server.list" = [1] in [experiment.matrix]
    "#
    );
}

#[test]
fn a_replica_goes_with_its_source() {
    let text_of = |replicas: &str, target: &str| {
        told(&format!(
            "schema = 1\n[targets.a]\n{target}\nreplicas = {replicas}\n[[experiment]]\nload.workload = \"oltp_point_select\"\n"
        ))
    };
    let own = "dsn = \"mysql://a/\"";
    let all = [
        text_of("{ r1 = \"sandbox\" }", own),
        text_of("{ r1 = { dsn = \"mysql://b/\", sandbox = true }, r2 = {}, \"r 3\" = \"mysql://c/\", r4 = 4 }", own),
        text_of(
            "{ r1 = { dsn = \"mysql://b/\", delay = \"5s\" }, r2 = { dsn = \"mysql://b/\", pasword_env = \"X\" } }",
            own,
        ),
        text_of("{ r1 = { sandbox = true, delay = \"500ms\" }, r2 = { sandbox = 1 } }", "sandbox = \"mariadbd\""),
        text_of("{ r1 = \"postgres://b/\" }", own),
        text_of("{ r1 = \"mysql://b/\" }", "dsn = \"postgres://a/\""),
        text_of("\"mysql://b/\"", own),
        text_of("{ r1 = \"sandbox\" }", "sandbox = \"mariadbd\"\nrestore = \"copy\""),
    ];
    insta::assert_snapshot!(all.join("\n--\n"), @r#"
    line 4, column 14: replica r1 cannot be a private server, because its source is not one: it would have none of its data
      evidence  4 | replicas = { r1 = "sandbox" }
                  |              ^^
      hint      give the address of its replica: "mysql://user@host:port"

    --
    line 4, column 14: replica r1 has an address and is a sandbox
      evidence  4 | replicas = { r1 = { dsn = "mysql://b/", sandbox = true }, r2 = {}, "r 3" = "mysql://c/", r4 = 4 }
                  |              ^^
      hint      keep dsn for a server that runs, sandbox for one to start

    line 4, column 59: replica r2 has no address
      evidence  4 | replicas = { r1 = { dsn = "mysql://b/", sandbox = true }, r2 = {}, "r 3" = "mysql://c/", r4 = 4 }
                  |                                                           ^^
      hint      give dsn = "mysql://user@host:port", or sandbox = true

    line 4, column 68: "r 3" is not a name for a replica
      evidence  4 | replicas = { r1 = { dsn = "mysql://b/", sandbox = true }, r2 = {}, "r 3" = "mysql://c/", r4 = 4 }
                  |                                                                    ^^^^^
      hint      use letters, digits, "-" and "_"

    line 4, column 95: r4 is a text, not a whole number
      evidence  4 | replicas = { r1 = { dsn = "mysql://b/", sandbox = true }, r2 = {}, "r 3" = "mysql://c/", r4 = 4 }
                  |                                                                                               ^
      hint      write r4 = "4"

    --
    line 4, column 14: server and delay of replica r1 can be set for a private server only
      evidence  4 | replicas = { r1 = { dsn = "mysql://b/", delay = "5s" }, r2 = { dsn = "mysql://b/", pasword_env = "X"
                  |              ^^
      hint      set them on the replica itself

    line 4, column 98: "pasword_env" is not a key of replicas
      evidence  4 | replicas = { r1 = { dsn = "mysql://b/", delay = "5s" }, r2 = { dsn = "mysql://b/", pasword_env = "X"
                  |                                                                                                  ^^^
      hint      write password_env

    --
    line 4, column 45: the delay of a replica is a whole number of seconds, a day at most
      evidence  4 | replicas = { r1 = { sandbox = true, delay = "500ms" }, r2 = { sandbox = 1 } }
                  |                                             ^^^^^^^
      hint      write delay = "5s"

    line 4, column 73: sandbox of a replica is true or false: the server is of the same kind as its source
      evidence  4 | replicas = { r1 = { sandbox = true, delay = "500ms" }, r2 = { sandbox = 1 } }
                  |                                                                         ^
      hint      write sandbox = true

    --
    line 4, column 14: replicas are observed for MySQL and MariaDB only
      evidence  4 | replicas = { r1 = "postgres://b/" }
                  |              ^^
      hint      remove replicas

    --
    line 4, column 14: replicas are observed for MySQL and MariaDB only
      evidence  4 | replicas = { r1 = "mysql://b/" }
                  |              ^^
      hint      remove replicas

    --
    line 4, column 12: replicas is a table, not a text
      evidence  4 | replicas = "mysql://b/"
                  |            ^^^^^^^^^^^^
      hint      see `tenbin plan example`

    --
    line 2, column 10: target a cannot be restored by "copy", because it has replicas, which would keep the data of before
      evidence  2 | [targets.a]
                  |          ^
      hint      write restore = "reload"
    "#);
}

#[test]
fn server_variables_can_only_be_varied_where_they_can_be_set() {
    let text = format!("{HEAD}load.script = \"x\"\nmatrix.server.sync_binlog = [0, 1]\n");
    insta::assert_snapshot!(told(&text.replace("mysql://bench@db-a:3306/sbtest", "null:")), @r"
    line 11, column 15: target mysql has no server variables that could be set
      evidence  11 | matrix.server.sync_binlog = [0, 1]
                   |               ^^^^^^^^^^^
      hint      remove server
    ");
    insta::assert_snapshot!(told(
        r#"
        schema = 1
        [targets.a]
        dsn = "mysql://u@h"
        apply = "alter-system"
        [targets.b]
        dsn = "postgres://u@h"
        apply = { file = "/etc/x.cnf", restart = "true" }
        [targets.c]
        dsn = "mysql://u@h"
        apply = { restart = "true" }
        [targets.d]
        dsn = "mysql://u@h"
        apply = { file = "/etc/x.cnf", restrat = "true" }
        [targets.e]
        sandbox = "mariadbd"
        apply = "set-global"
        [targets.f]
        dsn = "mysql://u@h"
        apply = "restart"
        [[experiment]]
        load.script = "x"
        "#
    ), @r#"
    line 5, column 17: the server variables of target a cannot be set in this way
      evidence  5 |         apply = "alter-system"
                  |                 ^^^^^^^^^^^^^^
      hint      write apply = "set-global", "persist" or "parameter-group", or give apply.file and apply.restart

    line 8, column 17: the server variables of target b cannot be set in this way
      evidence  8 |         apply = { file = "/etc/x.cnf", restart = "true" }
                  |                 ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
      hint      write apply = "alter-system", or give apply.restart

    line 11, column 17: the server variables of target c cannot be set in this way
      evidence  11 |         apply = { restart = "true" }
                   |                 ^^^^^^^^^^^^^^^^^^^^
      hint      write apply = "set-global", "persist" or "parameter-group", or give apply.file and apply.restart

    line 14, column 9: apply has no command that restarts the server
      evidence  14 |         apply = { file = "/etc/x.cnf", restrat = "true" }
                   |         ^^^^^
      hint      give it, for example restart = "systemctl restart mariadb"

    line 14, column 40: "restrat" is not a key of apply
      evidence  14 |         apply = { file = "/etc/x.cnf", restrat = "true" }
                   |                                        ^^^^^^^
      hint      write restart

    line 17, column 17: the server variables of target e cannot be set in this way
      evidence  17 |         apply = "set-global"
                   |                 ^^^^^^^^^^^^
      hint      remove apply

    line 20, column 17: apply cannot be "restart"
      evidence  20 |         apply = "restart"
                   |                 ^^^^^^^^^
      hint      use one of set-global, persist, alter-system, parameter-group
    "#);
}

#[test]
fn parameter_groups_are_for_managed_instances_of_mysql() {
    insta::assert_snapshot!(told(
        r#"
        schema = 1
        [targets.a]
        dsn = "mysql://u@h"
        apply = "parameter-group"
        [targets.b]
        dsn = "postgres://u@h"
        cloud = { rds = "db-1", region = "eu-west-1" }
        apply = "parameter-group"
        [targets.c]
        dsn = "mysql://u@h"
        cloud = { rds = "db-1", region = "eu-west-1" }
        apply = { kind = "parameter-group", restart = "true" }
        [targets.d]
        dsn = "mysql://u@h"
        apply = { file = "/etc/x.cnf", restart = "true", timeout = "1m" }
        [targets.e]
        dsn = "mysql://u@h"
        cloud = { rds = "db-1", region = "eu-west-1" }
        apply = { kind = "parameter-groups" }
        [targets.f]
        sandbox = "mariadbd"
        apply = { kind = "parameter-group", timeout = "soon" }
        [targets.g]
        dsn = "mysql://u@h"
        apply = { kind = "parameter-group", timeout = "5m" }
        cloud = { rds = "db-1", region = "eu-west-1" }
        allow = ["reboot-instance", "reboot"]
        [[experiment]]
        load.script = "x"
        "#
    ), @r#"
    line 5, column 17: target a: apply = "parameter-group" is for managed instances, and it has no cloud
      evidence  5 |         apply = "parameter-group"
                  |                 ^^^^^^^^^^^^^^^^^
      hint      write cloud = { rds = "db-1", region = "ap-northeast-1" }

    line 9, column 17: the server variables of target b cannot be set in this way
      evidence  9 |         apply = "parameter-group"
                  |                 ^^^^^^^^^^^^^^^^^
      hint      write apply = "alter-system", or give apply.restart

    line 13, column 9: apply is a parameter group or a command that restarts the server, not both
      evidence  13 |         apply = { kind = "parameter-group", restart = "true" }
                   |         ^^^^^
      hint      write apply = { kind = "parameter-group", timeout = "30m" }

    line 16, column 9: timeout in apply is for parameter groups only
      evidence  16 |         apply = { file = "/etc/x.cnf", restart = "true", timeout = "1m" }
                   |         ^^^^^
      hint      remove timeout

    line 20, column 9: kind cannot be "parameter-groups"
      evidence  20 |         apply = { kind = "parameter-groups" }
                   |         ^^^^^
      hint      write kind = "parameter-group"

    line 23, column 9: timeout: "soon" does not begin with a number; write for example "300s"
      evidence  23 |         apply = { kind = "parameter-group", timeout = "soon" }
                   |         ^^^^^
      hint      write for example timeout = "60s"

    line 28, column 37: allow cannot be "reboot"
      evidence  28 |         allow = ["reboot-instance", "reboot"]
                   |                                     ^^^^^^^^
      hint      write allow = "reboot-instance"
    "#);
}

#[test]
fn two_experiments_have_two_names() {
    insta::assert_snapshot!(told(&format!("{HEAD}load.script = \"x\"\n[[experiment]]\nload.script = \"x\"\n")), @r#"
    line 11, column 1: two experiments are called "x"
      evidence  11 | [[experiment]]
                   | ^
      hint      give one of them another name
    "#);
}

/// Found by the fuzz target `plan`: it was reported, and then divided by.
#[test]
fn an_interval_of_nothing_is_refused_and_nothing_else_is_made_of_it() {
    insta::assert_snapshot!(with("interval = \"0s\"\nmeasure = \"1m\"\nload.workload = \"oltp_read_only\"\n"), @r#"
    line 10, column 12: an interval is at least 10ms
      evidence  10 | interval = "0s"
                   |            ^^^^
      hint      write interval = "1s"
    "#);
}

#[test]
fn an_exporter_has_a_name_and_an_address() {
    let text_of = |exporters: &str| {
        told(&format!(
            "schema = 1\n[targets.a]\ndsn = \"null:\"\nexporters = {exporters}\n[[experiment]]\nload.workload = \"oltp_point_select\"\n"
        ))
    };
    let all = [
        text_of("{ node = \"db:9100\", \"a b\" = \"http://c\", d = {}, e = 4 }"),
        text_of("{ node = { url = \"http://u:secret@db\", password_env = \"X\", nams = [\"a\"] } }"),
        text_of("{ node = { url = \"http://db\", every = \"1ms\", names = [4] } }"),
        text_of("[\"http://db:9100\"]"),
    ];
    insta::assert_snapshot!(all.join("\n--\n"), @r#"
    line 4, column 22: "db:9100" is not the address of an exporter
      evidence  4 | exporters = { node = "db:9100", "a b" = "http://c", d = {}, e = 4 }
                  |                      ^^^^^^^^^
      hint      write url = "http://host:9100/metrics"

    line 4, column 33: "a b" is not a name for an exporter
      evidence  4 | exporters = { node = "db:9100", "a b" = "http://c", d = {}, e = 4 }
                  |                                 ^^^^^
      hint      use letters, digits, "-" and "_"

    line 4, column 53: exporter d has no address
      evidence  4 | exporters = { node = "db:9100", "a b" = "http://c", d = {}, e = 4 }
                  |                                                     ^
      hint      write url = "http://host:9100/metrics"

    line 4, column 65: e is a text, not a whole number
      evidence  4 | exporters = { node = "db:9100", "a b" = "http://c", d = {}, e = 4 }
                  |                                                                 ^
      hint      write e = "4"

    --
    line 4, column 79: "nams" is not a key of exporters
      evidence  4 | exporters = { node = { url = "http://u@db", password_env = "X", nams = ["a"] } }
      hint      write names

    --
    line 4, column 51: an exporter is read every 100 ms to 1 h
      evidence  4 | exporters = { node = { url = "http://db", every = "1ms", names = [4] } }
                  |                                                   ^^^^^
      hint      write every = "5s"

    line 4, column 67: names is a text, not a whole number
      evidence  4 | exporters = { node = { url = "http://db", every = "1ms", names = [4] } }
                  |                                                                   ^
      hint      write names = "4"

    --
    line 4, column 13: exporters is a table, not a list
      evidence  4 | exporters = ["http://db:9100"]
                  |             ^^^^^^^^^^^^^^^^^^
      hint      see `tenbin plan example`
    "#);
}

#[test]
fn what_ends_repeats_and_windows_is_read_strictly() {
    let plan = |key: &str| {
        format!(
            "schema = 1\n[targets.a]\ndsn = \"mysql://a@b/c\"\n[datasets.d]\n[[experiment]]\nload.workload = \"oltp_read_write\"\n{key}\n"
        )
    };
    let of = |key| told(&plan(key));
    let all = [
        "repeats = { min = 3, max = 10 }",
        "repeats = { min = 3, max = 3, until = \"ci(tps) < 2%\" }",
        "repeats = { min = 1, until = \"ci(tps) < 2%\" }",
        "repeats = { until = \"tps < 2%\" }",
        "repeats = { untill = \"ci(tps) < 2%\" }",
        "repeats = { until = \"ci(p99) < 2%\" }\norder = \"sequential\"",
        "measure = { until = \"ci(p99) < 2%\" }",
        "measure = { min = \"2h\", until = \"ci(tps) < 2%\" }",
        "measure = { max = \"2h\" }",
    ];
    insta::assert_snapshot!(all.map(of).join("\n\n"), @r#"
    line 7, column 1: repeats as a table needs until
      evidence  7 | repeats = { min = 3, max = 10 }
                  | ^^^^^^^
      hint      write until = "ci(tps) < 2%"


    line 7, column 1: min must be 2 or more, and less than max
      evidence  7 | repeats = { min = 3, max = 3, until = "ci(tps) < 2%" }
                  | ^^^^^^^
      hint      write max = 8


    line 7, column 1: min cannot be 1
      evidence  7 | repeats = { min = 1, until = "ci(tps) < 2%" }
                  | ^^^^^^^
      hint      give a whole number from 2 to 10000


    line 7, column 1: "tps < 2%" is no precision
      evidence  7 | repeats = { until = "tps < 2%" }
                  | ^^^^^^^
      hint      write it as "ci(tps) < 2%": tps, qps, nopm, seconds, mean or p50 to p99.9, and 0.1 to 50 %


    line 7, column 1: "untill" is not a key of repeats
      evidence  7 | repeats = { untill = "ci(tps) < 2%" }
                  | ^^^^^^^
      hint      write until


    line 5, column 1: repeats that end when enough is known need targets that are interleaved
      evidence  5 | [[experiment]]
                  | ^
      hint      set order = "random-block" or "abba"


    line 7, column 1: a measurement can only end by tps: other figures are known from several runs
      evidence  7 | measure = { until = "ci(p99) < 2%" }
                  | ^^^^^^^
      hint      write until = "ci(tps) < 2%"


    line 7, column 1: min must be less than max
      evidence  7 | measure = { min = "2h", until = "ci(tps) < 2%" }
                  | ^^^^^^^
      hint      write max = "20h"


    line 7, column 1: measure as a table needs until
      evidence  7 | measure = { max = "2h" }
                  | ^^^^^^^
      hint      write until = "ci(tps) < 2%"
    "#);
    let right = plan("repeats = { until = \"ci(p99) < 2%\" }\nmeasure = { until = \"ci(tps) < 1.5%\" }");
    assert!(tenbin_model::plan::Plan::parse(&right, &crate::common::catalog()).is_ok());
}

/// Other tools take them one by one.
#[test]
fn the_parts_of_an_address_are_written_as_one() {
    for part in ["port = 3306", "user = \"root\"", "database = \"sbtest\""] {
        let text = told(&format!(
            "schema = 1\n[targets.a]\n{part}\n[[experiment]]\nload = {{ workload = \"oltp_read_only\", clients = 1 }}\n"
        ));
        assert!(text.contains("hint      write dsn = \"mysql://"), "{text}");
    }
}
