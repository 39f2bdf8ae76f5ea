//! Many mistakes: all are reported in one pass, up to the number that a person would read, and the time to find them
//! grows with the text alone.

use super::{HEAD, told, with};
use std::fmt::Write;
use tenbin_model::plan::Plan;
use tenbin_model::plan::keys::{self, Table};

#[test]
fn mistakes_of_every_kind_are_told_in_one_pass() {
    insta::assert_snapshot!(
        told(
            r#"schema = 1
nmae = "x
[targets.a]
dsn = "null:"
[datasets.d]
tabels = 3
[[experiment]]
targets = ["a", "b"]
dataset = "e"
time = 60
measure = "5 parsecs"
[experiment.load]
clients = 0
[[experiment]]
dataset = "d"
measure = "0s"
[experiment.load]
operations = 0
[experiment.matrix]
load.clients = [1, "x", 1]
server.sync_binlog = [1]
"#
        ),
        @r#"
    line 2, column 10: this is not TOML: invalid basic string, expected `"`
      evidence  2 | nmae = "x
                  |          ^
      hint      texts are in "quotes", lists in [brackets], and each key is on its own line

    line 6, column 1: "tabels" is not a key of [datasets.<name>]
      evidence  6 | tabels = 3
                  | ^^^^^^
      hint      write tables

    line 8, column 17: there is no target "b" in the plan
      evidence  8 | targets = ["a", "b"]
                  |                 ^^^
      hint      describe it in [targets.b], or use one of: a

    line 9, column 11: there is no data set "e" in the plan
      evidence  9 | dataset = "e"
                  |           ^^^
      hint      describe it in [datasets.e], or use one of: d

    line 10, column 1: "time" is not a key of [[experiment]]
      evidence  10 | time = 60
                   | ^^^^
      hint      write measure = 60

    line 11, column 11: measure: "parsecs" is not a unit of time (ms, s, m, h, d)
      evidence  11 | measure = "5 parsecs"
                   |           ^^^^^^^^^^^
      hint      write for example measure = "60s"

    line 13, column 11: clients cannot be 0
      evidence  13 | clients = 0
                   |           ^
      hint      give a whole number from 1 to 1000000

    line 18, column 14: operations cannot be 0
      evidence  18 | operations = 0
                   |              ^
      hint      give a whole number from 1 to 9007199254740992

    line 20, column 20: clients is a whole number, not a text
      evidence  20 | load.clients = [1, "x", 1]
                   |                    ^^^
      hint      write for example clients = 1

    line 20, column 25: 1 stands twice in load.clients
      evidence  20 | load.clients = [1, "x", 1]
                   |                         ^
      hint      keep one; repeats says how often a cell is run

    line 21, column 8: target a has no server variables that could be set
      evidence  21 | server.sync_binlog = [1]
                   |        ^^^^^^^^^^^
      hint      remove server
    "#
    );
}

#[test]
fn nothing_is_concluded_from_what_was_refused() {
    // Without its targets or its matrix it is not known whether the load is whole.
    insta::assert_snapshot!(told("schema = 1\n[targets]\n[[experiment]]\nmatrix.load.workload = \"x\"\nmeasure = true\n"), @r#"
    line 2, column 1: there is no target in [targets]
      evidence  2 | [targets]
                  | ^^^^^^^^^
      hint      add [targets.a] with dsn = "…"

    line 4, column 24: load.workload takes a list of values, not a text
      evidence  4 | matrix.load.workload = "x"
                  |                        ^^^
      hint      write "load.workload" = ["x"]

    line 5, column 11: measure is a duration, not true or false
      evidence  5 | measure = true
                  |           ^^^^
      hint      write for example measure = "60s"
    "#);
    insta::assert_snapshot!(told("schema = 1\n[targets.a]\ndsn = 5\n[[experiment]]\nwarmup = 9\nload = { workload = \"slap\", ops = 1, ops_per_client = 2 }\n"), @r#"
    line 3, column 7: dsn is a text, not a whole number
      evidence  3 | dsn = 5
                  |       ^
      hint      write dsn = "5"

    line 4, column 1: operations and operations_per_client are both given
      evidence  4 | [[experiment]]
                  | ^
      hint      keep the one you mean

    line 4, column 1: clients that have a part of their own would do it in the warm-up
      evidence  4 | [[experiment]]
                  | ^
      hint      write warmup = "0s", or measure by time
    "#);
    insta::assert_snapshot!(told("schema = 1\n[targets.a]\ndsn = 5\n[targets.b\n[[experiment]]\nload.workload = \"x\"\n"), @r#"
    line 4, column 11: this is not TOML: unclosed table, expected `]`
      evidence  4 | [targets.b
                  |           ^
      hint      texts are in "quotes", lists in [brackets], and each key is on its own line
    "#);
    insta::assert_snapshot!(told("schema = 1\n[targets.a]\ndsn = \"null:\n[[experiment]]\nload.workload = x\nnmae = 1\n"), @r#"
    line 3, column 13: this is not TOML: invalid basic string, expected `"`
      evidence  3 | dsn = "null:
                  |             ^
      hint      texts are in "quotes", lists in [brackets], and each key is on its own line

    line 5, column 17: this is not TOML: string values must be quoted, expected literal string
      evidence  5 | load.workload = x
                  |                 ^
      hint      write "x"

    line 6, column 1: "nmae" is not a key of [[experiment]]
      evidence  6 | nmae = 1
                  | ^^^^
      hint      write name
    "#);
}

#[test]
fn the_first_hundred_are_shown_and_the_rest_counted() {
    let mut text = format!("{HEAD}load.script = \"x\"\n");
    for n in 0..32_000 {
        let _ = writeln!(text, "k{n} = {n}");
    }
    let problems = Plan::parse(&text, &crate::common::catalog()).unwrap_err();
    assert_eq!(problems.len(), 101);
    let last: Vec<String> = problems[99..].iter().map(|p| format!("{p}\n")).collect();
    // Whatever keys there are.
    let names: Vec<&str> = keys::of(Table::Experiment).map(|key| key.name).collect();
    let last: Vec<String> = last.iter().map(|text| text.replace(&names.join(", "), "KEYS")).collect();
    insta::assert_snapshot!(last.join("\n"), @r#"
    line 110, column 1: "k99" is not a key of [[experiment]]
      evidence  110 | k99 = 99
                    | ^^^
      hint      use one of KEYS

    and 31900 more mistakes; the first 100 are shown
      hint      correct these and look again with: tenbin plan check PLAN
    "#);
}

/// Each of these took minutes and more when a line was looked for from the beginning of the text, or a name among all
/// names.
#[test]
fn a_long_text_takes_no_longer_than_its_length() {
    let repeated = |n: u32, one: &dyn Fn(u32) -> String| (0..n).map(one).collect::<String>();
    let one_line =
        with(&format!("load.script = \"x\"\nserver = {{{}}}\n", repeated(30_000, &|n| format!("k{n} = [1],"))));
    let passwords =
        with(&format!("load.script = \"x\"\nwarmup = 1\nwarm_up = \"{}\"\n", repeated(300_000, &|_| "pwd=x,".into())));
    let targets = told(&format!(
        "schema = 1\n[[experiment]]\nload.script = \"x\"\n{}",
        repeated(20_000, &|n| format!("[targets.t{n}]\ndns = 1\n"))
    ));
    let experiments = with(&repeated(20_000, &|n| format!("[[experiment]]\nname = \"{n}\"\nload.script = \"x\"\n")));
    let axes = with(&format!(
        "load.script = \"x\"\n[experiment.matrix]\n{}",
        repeated(20_000, &|n| format!("load.k{n} = [1]\n"))
    ));
    let values = with(&format!("matrix.load.a = [{}]\n", repeated(200_000, &|n| format!("{n},"))));
    let excluded = repeated(50_000, &|n| format!("{{ load.a = {} }},", n % 9000));
    let values_of_a = repeated(9000, &|n| format!("{n},"));
    let exclusions = with(&format!("matrix = {{ load.a = [{values_of_a}], exclude = [{excluded}] }}\n"));
    let broken = told(&repeated(50_000, &|n| format!("a {n}\n")));
    let text_of = |text: String| text.lines().filter(|l| !l.contains(" | ")).take(2).collect::<Vec<_>>().join("\n");
    let all = [one_line, passwords, targets, experiments, axes, values, exclusions, broken].map(text_of);
    insta::assert_snapshot!(all.join("\n\n"), @r#"
    line 11, column 10: there are 30000 server variables, more than 1000
      hint      keep those you mean; a plan may be parted into several

    line 12, column 1: warmup is given twice, as warmup and as warm_up
      hint      keep one of them

    line 4, column 2: there are 20000 targets, more than 256
      hint      keep those you mean; a plan may be parted into several

    line 8, column 1: there are 20001 experiments, more than 1000
      hint      keep those you mean; a plan may be parted into several

    line 76, column 6: the matrix has more than 64 axes
      hint      vary less at once, or in several experiments

    line 10, column 17: there are 200000 values of load.a, more than 10000
      hint      keep those you mean; a plan may be parted into several

    line 10, column 43925: there are 50000 exclusions, more than 1000
      hint      keep those you mean; a plan may be parted into several

    line 1, column 3: this is not TOML: key with no value, expected `=`
      hint      texts are in "quotes", lists in [brackets], and each key is on its own line
    "#);
}

#[test]
fn names_of_other_tools_lead_to_ours() {
    insta::assert_snapshot!(with("time = 60\nreport_interval = 1\niterations = 3\nload.workload = \"x\"\n[defaults]\nduration = 1\n"), @r#"
    line 10, column 1: "time" is not a key of [[experiment]]
      evidence  10 | time = 60
                   | ^^^^
      hint      write measure = 60

    line 11, column 1: "report_interval" is not a key of [[experiment]]
      evidence  11 | report_interval = 1
                   | ^^^^^^^^^^^^^^^
      hint      write interval = 1

    line 12, column 1: "iterations" is not a key of [[experiment]]
      evidence  12 | iterations = 3
                   | ^^^^^^^^^^
      hint      write repeats = 3

    line 15, column 1: "duration" is not a key of [defaults]
      evidence  15 | duration = 1
                   | ^^^^^^^^
      hint      write measure = 1
    "#);
}

/// Quotes and spaces of a page of the web; in a text they are no mistake.
#[test]
fn a_plan_that_was_copied_from_a_page_is_told_so() {
    let text_of = |text: &str| -> Vec<String> {
        let mut reading = tenbin_model::plan::Reading::of(text, &crate::common::catalog());
        reading.copied_from_a_page(text, &tenbin_words::message::foreign("sed …"));
        let problems = reading.finish().err().unwrap_or_default();
        let copied = problems.iter().map(ToString::to_string).filter(|problem| problem.contains("pages of the web"));
        copied.map(|problem| problem.lines().next().unwrap_or_default().to_owned()).collect()
    };
    assert_eq!(
        text_of("schema = 1\nname = “a”\n"),
        [
            "line 2, column 8: “ is a typographic quote as pages of the web show them: TOML reads only \" and ' and plain spaces"
        ]
    );
    assert_eq!(
        text_of("schema\u{a0}= 1\n"),
        [
            "line 1, column 7: there is a no-break space as pages of the web have them: TOML reads only \" and ' and plain spaces"
        ]
    );
    assert_eq!(text_of("schema = 1\nname = \"“a”\" # it’s\n"), Vec::<String>::new());
}

#[test]
fn what_is_not_utf8_is_told_with_its_place_and_the_rest_too() {
    let bytes = b"schema = 1\n# caf\xe9\nname = \"\xc0\xc1\"\n[targets.a]\ndsn = 5\n";
    let text = String::from_utf8_lossy(bytes);
    let mut reading = tenbin_model::plan::Reading::of(&text, &crate::common::catalog());
    reading.not_utf8(bytes, &tenbin_words::message::foreign("iconv …"));
    let printed: Vec<String> = reading.finish().unwrap_err().iter().map(|p| format!("{p}\n")).collect();
    insta::assert_snapshot!(printed.join("\n"), @r#"
    line 1, column 1: the plan has no experiment
      evidence  1 | schema = 1
                  | ^
      hint      add [[experiment]] with [experiment.load] and workload = "oltp_read_write"

    line 2, column 6: the byte 0xE9 is not UTF-8, which plans are written in
      evidence  2 | # caf�
                  |      ^
      hint      iconv …

    line 3, column 9: the byte 0xC0 is not UTF-8, which plans are written in
      evidence  3 | name = "��"
                  |         ^
      hint      iconv …

    line 3, column 10: the byte 0xC1 is not UTF-8, which plans are written in
      evidence  3 | name = "��"
                  |          ^
      hint      iconv …

    line 5, column 7: dsn is a text, not a whole number
      evidence  5 | dsn = 5
                  |       ^
      hint      write dsn = "5"
    "#);
}

/// A plan of a beginner, with what stands below `[[experiment]]` or in the place of a line of it: the hints, in order.
fn hints(line: &str, instead: &str) -> String {
    let text = "schema = 1\n[targets.a]\ndsn = \"null:\"\n[targets.b]\ndsn = \"null:\"\n[[experiment]]\ntargets = [\"a\", \"b\"]\nload = { workload = \"oltp_read_write\" }\n";
    assert!(text.contains(line), "{line}");
    let problems = Plan::parse(&text.replacen(line, instead, 1), &crate::common::catalog()).expect_err("it is wrong");
    problems.iter().map(|p| p.hint.as_ref().map_or("", |hint| hint.english()).to_owned()).collect::<Vec<_>>().join("\n")
}

#[test]
fn what_a_beginner_writes_is_told_as_it_is_written() {
    let load = "load = { workload = \"oltp_read_write\" }";
    let mut wrong = Vec::new();
    for (line, instead, wanted) in [
        ("dsn = \"null:\"", "dsn = mysql://root:geheim@127.0.0.1/x", "write \"mysql://root@127.0.0.1/x\""),
        (
            "dsn = \"null:\"",
            "dsn = \"null:\"\npassword = geheim",
            "texts are in \"quotes\", lists in [brackets], and each key is on its own line",
        ),
        ("[[experiment]]", "[[experiment]]\nmeasure = 20ms", "write \"20ms\""),
        ("targets = [\"a\", \"b\"]", "targets = [a, \"b\"]", "write \"a\""),
        ("targets = [\"a\", \"b\"]", "targets = \"a, b\"", "write targets = [\"a\", \"b\"]"),
        ("[targets.a]", "[[targets]]", "write [targets.a]\ndescribe it in [targets.a]\ndescribe it in [targets.b]"),
        ("[targets.a]", "[targets]", "write [targets.a]\ndescribe it in [targets.a], or use one of: b"),
        ("dsn = \"null:\"", "sandbox = true", "write sandbox = \"…\""),
        ("dsn = \"null:\"", "dsn = \"null:\"\npassword_env = \"${PW}\"", "write password_env = \"PW\""),
        ("dsn = \"null:\"", "dsn = \"null:\"\nclients = 4", "clients belongs in [experiment.load]"),
        ("dsn = \"null:\"", "dsn = \"null:\"\nserver = \"a=1\"", "write server = { innodb_buffer_pool_size = \"1G\" }"),
        ("[[experiment]]", "[datasets]\nkind = \"sysbench\"\n[[experiment]]", "write [datasets.d]"),
        (load, "load = { workload = \"pay.sql\" }", "write workload = \"sql\", scripts = [\"pay.sql\"]"),
        (
            load,
            "[experiment.load]\nworkload = \"oltp_read_write\"\nmatrix = { load.clients = [1, 2] }",
            "matrix belongs in [[experiment]]",
        ),
        (
            load,
            "load = { workload = \"oltp_read_write\" }\nmatrix = { load.clients = \"1..64\" }",
            "write \"load.clients\" = { from = 1, to = 64, times = 2 }",
        ),
        (
            load,
            "load = { workload = \"oltp_read_write\" }\nmatrix = { load.clients = [1 4] }",
            "put a comma between them",
        ),
        (load, "load = \"oltp_read_write\"", "write load = { workload = \"oltp_read_write\" }"),
        (load, "workload = \"oltp_read_write\"", "workload belongs in [experiment.load]"),
        (load, "load = { workload = \"sql\", script = \"pay.sql\" }", "write scripts = [\"pay.sql\"]"),
        (load, "load = { workload = \"oltp_read_write\"\nclients = 4 }", "put a comma between them"),
        (
            load,
            "load = { workload = \"oltp_read_write\" }\n[[experiment.load.group]]\nname = \"x\"",
            "a table in braces cannot be continued: write [experiment.load] and below it a line for each key",
        ),
    ] {
        let told = hints(line, instead);
        if told != wanted {
            wrong.push(format!("{instead}\n- {wanted}\n+ {told}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    let variable = hints("dsn = \"null:\"", "sandbox = \"mariadbd\"\ninnodb_buffer_pool_size = \"1G\"");
    assert!(variable.contains("write server = { innodb_buffer_pool_size = \"…\" }; the keys are dsn"), "{variable}");
}
