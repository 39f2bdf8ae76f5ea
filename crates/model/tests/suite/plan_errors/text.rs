//! What is typed: TOML, keys in their tables, units and bounds.

use super::{told, with};

#[test]
fn a_wrong_key_gives_its_line_and_the_nearest_right_one() {
    insta::assert_snapshot!(with("load.script = \"oltp_read_write\"\nmesure = \"5m\"\n"), @r#"
    line 11, column 1: "mesure" is not a key of [[experiment]]
      evidence  11 | mesure = "5m"
                   | ^^^^^^
      hint      write measure
    "#);
}

#[test]
fn a_key_in_the_wrong_place_is_sent_home() {
    insta::assert_snapshot!(with("threads = 4\nload.script = \"oltp_read_write\"\n"), @r#"
    line 10, column 1: "threads" is not a key of [[experiment]]
      evidence  10 | threads = 4
                   | ^^^^^^^
      hint      threads belongs in [experiment.load]
    "#);
}

#[test]
fn a_slip_is_not_sent_to_the_table_that_has_the_name() {
    let text = with("load = { workload = \"oltp_read_write\", client = 8 }\n");
    assert!(text.contains("hint      write clients\n"), "{text}");
    let text = told_of_head("[target.a]\ndsn = \"null:\"\n");
    assert!(text.contains("hint      write [targets.a]\n"), "{text}");
}

fn told_of_head(rest: &str) -> String {
    super::told(&format!("schema = 1\n{rest}[[experiment]]\nload = \"cpu\"\n"))
}

#[test]
fn a_slip_in_a_table_that_takes_options_is_seen_too() {
    insta::assert_snapshot!(with("[experiment.load]\nscript = \"oltp_read_write\"\nthreds = 4\npoint_selects = 1\n"), @r#"
    line 12, column 1: "threds" is not a key of [experiment.load]
      evidence  12 | threds = 4
                   | ^^^^^^
      hint      write threads
    "#);
}

#[test]
fn a_duration_needs_a_unit_that_exists() {
    insta::assert_snapshot!(with("warmup = 60\nmeasure = \"300 sec onds\"\nsettle = true\nload.script = \"x\"\n"), @r#"
    line 11, column 11: measure: "sec onds" is not a unit of time (ms, s, m, h, d)
      evidence  11 | measure = "300 sec onds"
                   |           ^^^^^^^^^^^^^^
      hint      write for example measure = "60s"

    line 12, column 10: settle is a duration, not true or false
      evidence  12 | settle = true
                   |          ^^^^
      hint      write for example settle = "60s"
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
      hint      give a whole number from 1 to 10000

    line 13, column 11: clients cannot be 0
      evidence  13 | clients = 0
                   |           ^
      hint      give a whole number from 1 to 1000000

    line 14, column 11: workers cannot be -1
      evidence  14 | workers = -1
                   |           ^^
      hint      give a whole number from 1 to 4096

    line 15, column 8: rate cannot be -5
      evidence  15 | rate = -5
                   |        ^^
      hint      give rate a number of at least 0

    line 16, column 11: retries is a whole number, not a text
      evidence  16 | retries = "3"
                   |           ^^^
      hint      write retries = 3
    "#
    );
}

#[test]
fn a_rate_with_its_unit_is_taken_for_what_is_meant() {
    for (text, hint) in [("1000/s", "rate = 1000\n"), ("2k /s", "rate = 2000\n"), ("fast", "example rate = 200\n")] {
        let told = with(&format!("[experiment.load]\nscript = \"x\"\nrate = \"{text}\"\n"));
        assert!(format!("{told}\n").contains(hint), "{told}");
    }
}

#[test]
fn what_is_not_toml_is_said_with_its_place() {
    insta::assert_snapshot!(told("schema = 1\nname = \"open\n[targets.a\nseed 5\n"), @r#"
    line 2, column 13: this is not TOML: invalid basic string, expected `"`
      evidence  2 | name = "open
                  |             ^
      hint      texts are in "quotes", lists in [brackets], and each key is on its own line

    line 3, column 11: this is not TOML: unclosed table, expected `]`
      evidence  3 | [targets.a
                  |           ^
      hint      texts are in "quotes", lists in [brackets], and each key is on its own line

    line 4, column 6: this is not TOML: key with no value, expected `=`
      evidence  4 | seed 5
                  |      ^
      hint      texts are in "quotes", lists in [brackets], and each key is on its own line
    "#);
    insta::assert_snapshot!(told("schema = 1\nschema = 1\n"), @r#"
    line 2, column 1: this is not TOML: duplicate key
      evidence  2 | schema = 1
                  | ^^^^^^
      hint      keep one of them
    "#);
}

#[test]
fn an_empty_plan_is_told_what_it_lacks() {
    insta::assert_snapshot!(told(""), @r#"
    line 1, column 1: the plan does not say which schema it follows
      hint      begin it with schema = 1

    line 1, column 1: the plan has no targets
      hint      add [targets.a] with dsn = "mysql://user@host:3306/schema" or sandbox = "mariadbd"

    line 1, column 1: the plan has no experiment
      hint      add [[experiment]] with [experiment.load] and workload = "oltp_read_write"
    "#);
    insta::assert_snapshot!(told("schema = 2\nlang = \"de\"\nseed = -1\ntargets = 5\nexperiment = []\ndatasets = [1]"), @r#"
    line 1, column 10: schema 2 is not known to this version
      evidence  1 | schema = 2
                  |          ^
      hint      write schema = 1, or get a newer Tenbin

    line 2, column 8: lang cannot be "de"
      evidence  2 | lang = "de"
                  |        ^^^^
      hint      use one of en, ja

    line 3, column 8: seed cannot be -1
      evidence  3 | seed = -1
                  |        ^^
      hint      give a whole number from 0 to 9223372036854775807

    line 4, column 11: [targets] is a table, not a whole number
      evidence  4 | targets = 5
                  |           ^
      hint      write [targets.a]

    line 5, column 14: the list of experiments is empty
      evidence  5 | experiment = []
                  |              ^^
      hint      add [[experiment]]

    line 6, column 12: [datasets] is a table, not a list
      evidence  6 | datasets = [1]
                  |            ^^^
      hint      write [datasets.d]
    "#);
}
