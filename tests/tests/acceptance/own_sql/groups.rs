//! Groups of clients in one trial: the figures of each are those that the tables show.

use super::{folder, run};
use std::fs;
use std::path::Path;
use tenbin_tests::{mariadb, output_of, read_back, sql, tenbin};

/// Three clients that insert at once, one that does 20 times a second, and one whose statement fails.
fn plan(target: &str) -> String {
    format!(
        "schema = 1\nname = \"groups\"\n[targets]\nserver = {{ {target} }}\n[datasets.bank]\nkind = \"sql\"\ncreate = \"schema.sql\"\n\
         [[experiment]]\nname = \"e\"\nrepeats = 1\nwarmup = 0\nmeasure = \"2s\"\ninterval = \"500ms\"\n\
         [experiment.load]\nworkload = \"sql\"\ndrain = \"10s\"\narrivals = \"even\"\non_error = \"count\"\n\
         [[experiment.load.group]]\nname = \"oltp\"\nscripts = [\"one.sql@3\", \"two.sql\"]\nclients = 3\n\
         [[experiment.load.group]]\nname = \"batch\"\nscripts = \"batch.sql\"\nrate = 20\n\
         [[experiment.load.group]]\nname = \"wrong\"\nscripts = \"wrong.sql\"\nrate = 5\n"
    )
}

fn scripts(folder: &Path) {
    for (name, text) in [
        ("one.sql", "\\set id random(1, 9)\nINSERT INTO entry (account, amount) VALUES (:id, 1);\n"),
        ("two.sql", "INSERT INTO entry (account, amount) VALUES (0, 2);\n"),
        ("batch.sql", "INSERT INTO entry (account, amount) VALUES (:client_id, 3);\n\\sleep 5 ms\n"),
        ("wrong.sql", "SELECT not_there FROM entry;\n"),
    ] {
        fs::write(folder.join(name), text).expect("a file can be written");
    }
}

/// What is in the table, by the amount that each script writes, agrees with what was counted.
fn agrees(folder: &Path, server: &str) {
    let (code, printed) = run(folder, &plan(&format!("dsn = \"{server}\"")));
    assert!(code == 2 || code == 3, "the wrong statement is counted: {code} {printed}");
    let (dir, json) = read_back(&folder.join("runs"));
    let trial = &json["trials"][0];
    let at = if server.starts_with("sqlite:") {
        format!("sqlite:{}", folder.join("bank.db").display())
    } else {
        server.to_owned()
    };
    let rows = sql::query(&at, "SELECT amount, COUNT(*) FROM entry GROUP BY amount ORDER BY amount");
    let of = |amount: &str| -> u64 {
        rows.iter().find(|row| row[0] == amount).map_or(0, |row| row[1].parse().expect("a number"))
    };
    let number = |group: &str, key: &str| trial["groups"][group]["accounting"][key].as_u64().expect("a number");
    assert_eq!(number("oltp", "completed"), of("1") + of("2"), "{printed}\n{:#}", trial["groups"]);
    assert!(of("1") > of("2") && of("2") > 0, "by their weights: {rows:?}");
    assert_eq!(number("batch", "completed"), of("3"));
    assert_eq!(number("batch", "scheduled"), 40, "twenty a second, evenly");
    // Its only client is the fourth.
    assert_eq!(sql::query(&at, "SELECT DISTINCT account FROM entry WHERE amount = 3"), [["3"]]);
    assert_eq!((number("wrong", "completed"), number("wrong", "failed")), (0, 10));
    let errors = |group: &str| -> u64 {
        trial["groups"][group]["errors"].as_object().expect("errors by code").values().filter_map(|n| n.as_u64()).sum()
    };
    assert_eq!((errors("oltp"), errors("batch"), errors("wrong")), (0, 0, 10));
    for key in ["scheduled", "completed", "failed", "skipped"] {
        let sum: u64 = ["oltp", "batch", "wrong"].iter().map(|group| number(group, key)).sum();
        assert_eq!(trial["accounting"][key], sum, "{key} of the trial is the sum of the groups");
    }
    // Those that ended in the two seconds: on a busy machine some do while the rest are waited for.
    let ended = 2.0 * trial["groups"]["batch"]["tps"].as_f64().expect("a number");
    assert!(ended > 0.0 && ended <= of("3") as f64 + 0.01 && (ended - ended.round()).abs() < 0.01, "{ended}");
    let times = &trial["groups"]["batch"]["response"];
    assert!(times["p50_ms"].as_f64().is_some_and(|ms| ms >= 5.0), "it sleeps that long: {times}");
    // One group of which all fail is no measurement, however many the others completed.
    assert!(trial["verdict"] == "INVALID" && printed.contains("group wrong"), "{printed}");
    let report = |format: &str| output_of(tenbin().args(["report", "--format", format]).arg(&dir)).1;
    let csv = report("groups-csv");
    assert_eq!(csv.lines().count(), 4, "{csv}");
    let batch = csv.lines().find(|line| line.contains(",batch,")).unwrap_or_else(|| panic!("{csv}"));
    assert!(batch.contains(&format!(",{},", of("3"))), "{batch}");
    let metrics = report("open-metrics");
    // Metrics are drawn without a verdict beside them: an INVALID trial has no other.
    let of_trial: Vec<&str> = metrics.lines().filter(|line| line.contains("trial=\"1\"")).collect();
    assert!(of_trial.len() == 1 && of_trial[0].starts_with("tenbin_trial_verdict{"), "{metrics}");
    // Values: where they are prepared, they are parameters; the others have none.
    let statement = |name: &str| &trial["statements"][name];
    let insert = statement("oltp: one 2: INSERT entry");
    assert_eq!(insert["as_parameters"], insert["completed"], "{:#}", trial["statements"]);
    assert_eq!((&insert["as_text"], &statement("oltp: two 1: INSERT entry")["as_parameters"]), (&0.into(), &0.into()));
}

/// The figures of groups are on the terminal, as a table, and on the page; not of a trial that is INVALID, as one that others kept from the processors.
#[test]
fn each_group_is_shown_by_itself() {
    let own = folder();
    scripts(own.path());
    let whole = plan("dsn = \"sqlite:bank.db\"");
    let sound = whole.split("[[experiment.load.group]]\nname = \"wrong\"").next().expect("what is before it");
    let (_, printed) = run(own.path(), sound);
    let (dir, json) = read_back(&own.path().join("runs"));
    if json["trials"][0]["verdict"] == "INVALID" {
        return;
    }
    assert!(printed.contains("oltp") && printed.contains("batch") && printed.contains("as parameters"), "{printed}");
    // 40 in two seconds. On a busy machine the other group has too few as well, and stands first.
    let doubts = json["trials"][0]["doubts"].as_array().expect("doubts");
    let of_batch = doubts.iter().any(|doubt| doubt["code"] == "few-samples" && doubt.to_string().contains("batch"));
    assert!(printed.contains("too few transactions for a p99") && of_batch, "{printed}{doubts:?}");
    let page = fs::read_to_string(dir.join("report.html")).expect("the page");
    for name in ["oltp", "batch"] {
        assert!(page.contains("id=\"groups\"") && page.contains(name), "{name}");
    }
    assert!(output_of(tenbin().args(["report", "--format", "markdown"]).arg(&dir)).1.contains("| oltp |"));
}

#[test]
fn each_group_has_the_figures_that_the_tables_tell() {
    let mariadb = mariadb(&[]);
    let own = folder();
    scripts(own.path());
    agrees(own.path(), &mariadb.dsn());
    let own = folder();
    scripts(own.path());
    agrees(own.path(), "sqlite:bank.db");
}

#[test]
fn groups_are_shown_beforehand_and_mistakes_in_them_have_their_line() {
    let folder = folder();
    scripts(folder.path());
    let check = |text: &str| {
        fs::write(folder.path().join("plan.toml"), text).expect("a file can be written");
        let (code, out, err) = output_of(tenbin().args(["plan", "check", "plan.toml"]).current_dir(folder.path()));
        (code, format!("{out}{err}"))
    };
    let whole = plan("dsn = \"sqlite:bank.db\"");
    let (code, printed) = check(&whole);
    assert_eq!(code, 0, "{printed}");
    assert_eq!(printed.matches("-- oltp: one.sql").count(), 1, "once: {printed}");
    assert!(printed.contains("-- oltp: one.sql: 75.0 %") && printed.contains("-- batch: batch.sql"), "{printed}");
    assert!(printed.contains("VALUES (3, 3)  -- prepared"), "its client is the fourth: {printed}");
    let (code, printed) = check(&whole.replace("batch.sql", "nowhere.sql"));
    assert!(code == 1 && printed.contains("nowhere.sql"), "{printed}");
    let (code, printed) = check(&whole.replace("scripts = \"batch.sql\"\n", ""));
    assert!(code == 1 && printed.contains("the group \"batch\" has no scripts"), "{printed}");
    let (code, printed) = check(&whole.replace("name = \"batch\"", "name = \"oltp\""));
    assert!(code == 1 && printed.contains("two groups of clients are called"), "{printed}");
    let (code, printed) = check(&whole.replace("workload = \"sql\"\n", "workload = \"sql\"\nclients = 4\n"));
    assert!(code == 1 && printed.contains("clients is given beside groups"), "{printed}");
}
