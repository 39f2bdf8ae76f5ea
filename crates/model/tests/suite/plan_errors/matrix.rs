//! The matrix: axes, values, what is left out, and how many trials that makes.

use super::{HEAD, told, with};

#[test]
fn an_empty_matrix_has_no_cells() {
    insta::assert_snapshot!(with("load.script = \"x\"\n[experiment.matrix]\n\"load.clients\" = []\n\"load.rate\" = 5\n"), @r#"
    line 12, column 18: load.clients has no values, so the matrix has no cells
      evidence  12 | "load.clients" = []
                   |                  ^^
      hint      give at least one value, or remove the axis

    line 13, column 15: load.rate takes a list of values, not a whole number
      evidence  13 | "load.rate" = 5
                   |               ^
      hint      write "load.rate" = [5]
    "#);
}

/// As on the command lines of the old names.
#[test]
fn values_in_a_text_become_a_list() {
    insta::assert_snapshot!(with("load.script = \"x\"\n[experiment.matrix]\n\"load.clients\" = \"1, 2,4\"\n\"load.x\" = \"a,b\"\n"), @r#"
    line 12, column 18: load.clients takes a list of values, not a text
      evidence  12 | "load.clients" = "1, 2,4"
                   |                  ^^^^^^^^
      hint      write "load.clients" = [1, 2, 4]

    line 13, column 12: load.x takes a list of values, not a text
      evidence  13 | "load.x" = "a,b"
                   |            ^^^^^
      hint      write "load.x" = ["a", "b"]
    "#);
}

/// The same in the place of one value: it is no number with commas between its thousands.
#[test]
fn a_list_in_a_text_is_an_axis() {
    insta::assert_snapshot!(with("[experiment.load]\nscript = \"x\"\nclients = \"1,2,4\"\nrate = \"1,500\"\n"), @r#"
    line 12, column 11: clients is a whole number, not a text
      evidence  12 | clients = "1,2,4"
                   |           ^^^^^^^
      hint      write "load.clients" = [1, 2, 4] in [experiment.matrix]

    line 13, column 8: rate is a number, not a text
      evidence  13 | rate = "1,500"
                   |        ^^^^^^^
      hint      write rate = 1500
    "#);
    insta::assert_snapshot!(with("measure = \"10s,20s\"\nload.script = \"x\"\nload.threads = \"8, 16\"\n"), @r#"
    line 10, column 11: measure: "s," is not a unit of time (ms, s, m, h, d)
      evidence  10 | measure = "10s,20s"
                   |           ^^^^^^^^^
      hint      write "measure" = ["10s", "20s"] in [experiment.matrix]

    line 12, column 16: clients is a whole number, not a text
      evidence  12 | load.threads = "8, 16"
                   |                ^^^^^^^
      hint      write "load.clients" = [8, 16] in [experiment.matrix]
    "#);
}

#[test]
fn zero_clients_in_the_matrix_are_found_where_they_stand() {
    insta::assert_snapshot!(with("load.script = \"x\"\nmatrix.load.clients = [1, 0, \"2\", 1]\n"), @r#"
    line 11, column 27: clients cannot be 0
      evidence  11 | matrix.load.clients = [1, 0, "2", 1]
                   |                           ^
      hint      give a whole number from 1 to 1000000

    line 11, column 30: clients is a whole number, not a text
      evidence  11 | matrix.load.clients = [1, 0, "2", 1]
                   |                              ^^^
      hint      write clients = 2

    line 11, column 35: 1 stands twice in load.clients
      evidence  11 | matrix.load.clients = [1, 0, "2", 1]
                   |                                   ^
      hint      keep one; repeats says how often a cell is run
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
      hint      write "load.clients" = [1] in [experiment.matrix]

    line 13, column 1: "laod" is not a field that can be varied
      evidence  13 | laod.threads = [1]
                   | ^^^^
      hint      use load.NAME, dataset.NAME, server.NAME, targets.TARGET.server.NAME or one of dataset, warmup, measure, max_cell_time, settle, catch_up, interval, restore

    line 14, column 1: the targets are no axis of the matrix: every cell is run on all of them
      evidence  14 | target = ["mysql"]
                   | ^^^^^^
      hint      write targets = ["…"] in [[experiment]]

    line 15, column 1: "repeats" is not a field that can be varied
      evidence  15 | repeats = [1]
                   | ^^^^^^^
      hint      use load.NAME, dataset.NAME, server.NAME, targets.TARGET.server.NAME or one of dataset, warmup, measure, max_cell_time, settle, catch_up, interval, restore
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
      hint      make their lists equally long

    line 14, column 40: load.workers is not an axis of this matrix
      evidence  14 | zip = [["load.clients", "load.rate"], ["load.workers"], ["load.rate"]]
                   |                                        ^^^^^^^^^^^^^^
      hint      add "load.workers" = […] to the matrix

    line 14, column 58: load.rate steps with others already
      evidence  14 | zip = [["load.clients", "load.rate"], ["load.workers"], ["load.rate"]]
                   |                                                          ^^^^^^^^^^^
      hint      name each axis once in zip

    line 15, column 31: load.clients never has this value, so nothing would be left out
      evidence  15 | exclude = [{ "load.clients" = 9 }, {}, { "load.retries" = 1 }]
                   |                               ^
      hint      use a value of its list in the matrix

    line 15, column 36: an empty exclude leaves out nothing
      evidence  15 | exclude = [{ "load.clients" = 9 }, {}, { "load.retries" = 1 }]
                   |                                    ^^
      hint      name the axes and values to leave out

    line 15, column 42: load.retries is not an axis of this matrix
      evidence  15 | exclude = [{ "load.clients" = 9 }, {}, { "load.retries" = 1 }]
                   |                                          ^^^^^^^^^^^^^^
      hint      add "load.retries" = […] to the matrix
    "#
    );
}

#[test]
fn zipped_values_do_not_all_repeat() {
    insta::assert_snapshot!(
        with(
            "load.script = \"x\"\n[experiment.matrix]\nload.clients = [1, 2, 1]\nload.rate = [5, 5, 5]\nload.retries = [1, 1]\n\
             zip = [[\"load.clients\", \"load.rate\"]]\n"
        ),
        @"
    line 12, column 23: load.clients 1, load.rate 5 stand twice in axes that step together
      evidence  12 | load.clients = [1, 2, 1]
                   |                       ^
      hint      keep one; repeats says how often a cell is run

    line 14, column 20: 1 stands twice in load.retries
      evidence  14 | load.retries = [1, 1]
                   |                    ^
      hint      keep one; repeats says how often a cell is run
    "
    );
}

#[test]
fn bad_ranges_are_refused_where_they_stand() {
    insta::assert_snapshot!(
        with(
            "load.script = \"x\"\n[experiment.matrix]\nload.clients = { from = 1, to = 8, times = 1 }\n\
             load.rate = { from = 1, to = 8, step = 0 }\nload.retries = { from = 8, to = 1, step = 1 }\n\
             load.drain = { from = \"1s\", to = \"8s\", step = \"1s\", times = 2 }\nload.workers = { from = 0, to = 8 }\n\
             measure = { from = 1, to = 100_000, step = 1 }\nload.overload_limit = { start = 1, end = 8 }\n\
             load.operations = { from = 1, to = \"8MiB\", step = 1 }\nload.range_size = { from = true, to = 8, step = 1 }\n"
        ),
        @r#"
    line 12, column 16: times in the range of load.clients is a number above 1
      evidence  12 | load.clients = { from = 1, to = 8, times = 1 }
                   |                ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
      hint      write load.clients = { from = 1, to = 256, times = 2 }

    line 13, column 13: step in the range of load.rate must be more than 0
      evidence  13 | load.rate = { from = 1, to = 8, step = 0 }
                   |             ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
      hint      write load.rate = { from = 1, to = 256, times = 2 }

    line 14, column 16: the range of load.retries ends before it begins
      evidence  14 | load.retries = { from = 8, to = 1, step = 1 }
                   |                ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
      hint      exchange from and to

    line 15, column 14: the range of load.drain has both times and step
      evidence  15 | load.drain = { from = "1s", to = "8s", step = "1s", times = 2 }
                   |              ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
      hint      keep the one you mean

    line 16, column 16: the range of load.workers says neither times nor step
      evidence  16 | load.workers = { from = 0, to = 8 }
                   |                ^^^^^^^^^^^^^^^^^^^^
      hint      write load.workers = { from = 1, to = 256, times = 2 }

    line 17, column 11: the range of measure has more than 10,000 values
      evidence  17 | measure = { from = 1, to = 100_000, step = 1 }
                   |           ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
      hint      let it grow faster, or end earlier

    line 18, column 25: "start" is not a key of load.overload_limit
      evidence  18 | load.overload_limit = { start = 1, end = 8 }
                   |                         ^^^^^
      hint      use one of from, to, times, step

    line 18, column 36: "end" is not a key of load.overload_limit
      evidence  18 | load.overload_limit = { start = 1, end = 8 }
                   |                                    ^^^
      hint      use one of from, to, times, step

    line 19, column 19: the range of load.operations has units that are no multiples of one another: no unit, MiB
      evidence  19 | load.operations = { from = 1, to = "8MiB", step = 1 }
                   |                   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
      hint      write all with one unit

    line 20, column 28: from in the range of load.range_size is a number, perhaps with a unit, not true or false
      evidence  20 | load.range_size = { from = true, to = 8, step = 1 }
                   |                            ^^^^
      hint      list the values themselves: "load.range_size" = […]
    "#
    );
    insta::assert_snapshot!(
        with(
            "load.script = \"x\"\n[experiment.matrix]\nload.workload = { from = 1, to = 8, step = 1 }\n\
             load.clients = { from = 0, to = 8, step = 1 }\nrepeats = { from = 1, to = 8, step = 1 }\nload.rate = { from = -1, to = 3, step = 1 }\n"
        ),
        @r#"
    line 12, column 17: workload is a text, not a whole number
      evidence  12 | load.workload = { from = 1, to = 8, step = 1 }
                   |                 ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
      hint      write workload = "1"

    line 13, column 16: clients cannot be 0
      evidence  13 | load.clients = { from = 0, to = 8, step = 1 }
                   |                ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
      hint      give a whole number from 1 to 1000000

    line 14, column 1: "repeats" is not a field that can be varied
      evidence  14 | repeats = { from = 1, to = 8, step = 1 }
                   | ^^^^^^^
      hint      use load.NAME, dataset.NAME, server.NAME, targets.TARGET.server.NAME or one of dataset, warmup, measure, max_cell_time, settle, catch_up, interval, restore

    line 15, column 13: rate cannot be -1
      evidence  15 | load.rate = { from = -1, to = 3, step = 1 }
                   |             ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
      hint      give rate a number of at least 0
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
      hint      shorten the lists of the matrix, or tie axes together with zip
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
      hint      take something out of exclude
    "#
    );
}

#[test]
fn variables_of_single_targets_must_be_of_targets_of_the_experiment() {
    insta::assert_snapshot!(
        with("load.script = \"x\"\n[experiment.matrix]\ntargets.nobody.server.x = [1]\ntargets.mysql.tls = [\"required\"]\n"),
        @r#"
    line 12, column 23: targets.nobody.server.x is of a target that the experiment does not have
      evidence  12 | targets.nobody.server.x = [1]
                   |                       ^
      hint      use one of mysql, maria

    line 13, column 15: "targets.mysql.tls" is not a field that can be varied
      evidence  13 | targets.mysql.tls = ["required"]
                   |               ^^^
      hint      of a target only server variables can be varied: "targets.NAME.server.VARIABLE"
    "#
    );
}

/// The axis is of the data set of the experiment, whatever its name.
#[test]
fn an_axis_of_a_data_set_by_its_name_is_told_the_one_to_write() {
    insta::assert_snapshot!(
        with("load.script = \"x\"\n[experiment.matrix]\n\"datasets.sb.tables\" = [1]\ndatasets.sb.after_load = [[\"a\"]]\n"),
        @r#"
    line 12, column 1: "datasets.sb.tables" is not a field that can be varied
      evidence  12 | "datasets.sb.tables" = [1]
                   | ^^^^^^^^^^^^^^^^^^^^
      hint      write "dataset.tables" = [1] in [experiment.matrix]

    line 13, column 13: "datasets.sb.after_load" is not a field that can be varied
      evidence  13 | datasets.sb.after_load = [["a"]]
                   |             ^^^^^^^^^^
      hint      write "dataset.after_load": it is of the data set that the experiment uses
    "#
    );
}
