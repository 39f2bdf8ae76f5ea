//! What the parts of a plan say and refer to: targets, loads, data sets, experiments.

use crate::{HEAD, told, with};

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

    line 18, column 22: not yet: server variables of deaf (they are set on sandboxes and SQLite only)
      evidence  18 |             [targets.deaf]
                   |                      ^^^^
      hint      set them on the server itself, or use sandbox = "mariadbd"

    line 20, column 48: list takes one value, not a list
      evidence  20 |             server = { sync_binlog = 1, list = [1] }
                   |                                                ^^^
      hint      write list = VALUE, or sweep it in [experiment.matrix]
    "#
    );
}

#[test]
fn server_variables_can_only_be_varied_where_they_can_be_set() {
    insta::assert_snapshot!(with("load.script = \"x\"\nmatrix.server.sync_binlog = [0, 1]\n"), @r#"
    line 11, column 15: not yet: server variables of mysql (they are set on sandboxes and SQLite only)
      evidence  11 | matrix.server.sync_binlog = [0, 1]
                   |               ^^^^^^^^^^^
      hint      set them on the server itself, or use sandbox = "mariadbd"
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

/// Found by the fuzz target `plan`: it was told, and then divided by.
#[test]
fn an_interval_of_nothing_is_refused_and_nothing_else_is_made_of_it() {
    insta::assert_snapshot!(with("interval = \"0s\"\nmeasure = \"1m\"\nload.workload = \"oltp_read_only\"\n"), @r#"
    line 10, column 12: an interval is at least 10ms
      evidence  10 | interval = "0s"
                   |            ^^^^
      hint      write interval = "1s"
    "#);
}
