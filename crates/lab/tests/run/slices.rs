//! Load hosts load the rows of a data set, between what is done once.

use crate::fake::{Happening, Script, When, told};
use crate::{ONE, plan};

#[test]
fn load_hosts_load_the_rows_and_the_coordinator_does_the_rest() {
    let plan = plan(ONE, "repeats = 1\nrestore = \"before-run\"");
    let hosts = |lost| Script { hosts: Some((3, lost)), ..Script::default() };
    insta::assert_snapshot!(told(&plan, hosts(false)), @"
    run
    planned 1 of 1: a 1
      facts of client: cores, tenbin
    0 trial 1
      facts of a: version
      load at 0
      tables
      slices of sysbench by seed 0
      indexes of 100 rows
      Info: loaded 100 rows in 0.2 s (500 rows/s, 4 streams of 3 load hosts)
      facts of a: tables.bytes, tables.rows, tables.unit
      measure at 200
      200-700: 10 = 8 + 0 + 0 + 2, 2 clients
      700-1200: 10 = 10 + 0 + 0 + 0, 2 clients
      cool-down at 1200
    1205 Complete, measured 200-1200
    1205 run Complete
    => Complete
    ");
    insta::assert_snapshot!(told(&plan, hosts(true)), @"
    run
    planned 1 of 1: a 1
      facts of client: cores, tenbin
    0 trial 1
      facts of a: version
      Error: load host 2 was lost
    0 Failed, measured 0-0
    0 run Failed
    => Failed
    ");
    let stopped = Script { happens: vec![(When::At(120), Happening::Stop)], ..hosts(false) };
    insta::assert_snapshot!(told(&plan, stopped), @"
    run
    planned 1 of 1: a 1
      facts of client: cores, tenbin
    0 trial 1
      facts of a: version
      load at 0
      tables
      slices of sysbench by seed 0
      ! Stop
      Info: stopped while loading
    200 Partial, measured 0-0
    200 run Partial
    => Partial
    ");
}
