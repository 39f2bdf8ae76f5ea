//! The tables of an export: the schema of Parquet is their definition whatever the values are, so that files of several runs
//! can be read together.

#![expect(clippy::unwrap_used, reason = "a test may")]

use crate::common::{PLAN, events};
use crate::variants;
use parquet::file::reader::{FileReader, SerializedFileReader};
use parquet::record::{Field, Row};
use parquet::schema::printer::print_schema;
use std::collections::BTreeSet;
use tenbin_model::event::Event;
use tenbin_model::summary::{StoredRun, Summary};
use tenbin_report::export::{self, Table};
use tenbin_words::language::Language;

/// A run with targets of these names, and an axis with these values.
fn run(targets: [&str; 2], axis: &str, values: &str) -> Summary {
    let [a, b] = targets;
    Summary::of(&events(&format!(
        "schema = 1\nname = \"made up\"\n[targets.\"{a}\"]\ndsn = \"mysql://bench@127.0.0.1:3306/sbtest\"\n\
         [targets.\"{b}\"]\ndsn = \"mysql://bench@127.0.0.1:3307/sbtest\"\n[datasets.small]\nkind = \"sysbench\"\n\
         [[experiment]]\nname = \"threads\"\ndataset = \"small\"\nrepeats = 1\nwarmup = \"2s\"\nmeasure = \"6s\"\n\
         interval = \"1s\"\nload = {{ workload = \"oltp_read_write\" }}\nmatrix = {{ \"{axis}\" = {values} }}\n"
    )))
}

fn parquet<R>(table: &Table<R>) -> SerializedFileReader<bytes::Bytes> {
    SerializedFileReader::new(bytes::Bytes::from(table.parquet().unwrap())).unwrap()
}

fn schema(of: &SerializedFileReader<bytes::Bytes>) -> String {
    let mut text = Vec::new();
    print_schema(&mut text, of.metadata().file_metadata().schema());
    String::from_utf8(text).unwrap()
}

fn column(of: &SerializedFileReader<bytes::Bytes>, name: &str) -> Vec<Field> {
    let rows = of.get_row_iter(None).unwrap().map(Result::unwrap);
    let field = |row: Row| row.into_columns().into_iter().find(|(of, _)| of == name).unwrap().1;
    rows.map(field).collect()
}

#[test]
fn runs_with_other_values_have_the_same_types() {
    let runs = [run(["007", "nan"], "load.rate", "[100, 200]"), run(["a", "1e3"], "load.rate", "[100, 250.5]")];
    let files = runs.each_ref().map(|run| parquet(&export::trials(run, None)));
    assert_eq!(schema(&files[0]), schema(&files[1]));
    let rates = files.each_ref().map(|file| column(file, "load.rate"));
    let number = |n| [Field::Double(n), Field::Double(n)];
    assert_eq!(rates[0], [number(100.0), number(200.0)].concat());
    assert_eq!(rates[1], [number(100.0), number(250.5)].concat(), "nothing is rounded");
    let names = files.each_ref().map(|file| column(file, "target"));
    for name in ["007", "nan"] {
        assert!(names[0].contains(&Field::Str(name.into())), "{:?}", names[0]);
    }
    assert!(names[1].contains(&Field::Str("1e3".into())), "{:?}", names[1]);
    let series = runs.each_ref().map(|run| schema(&parquet(&export::series(run, None))));
    assert_eq!(series[0], series[1]);
    let readings = runs.each_ref().map(|run| schema(&parquet(&export::readings(run, None))));
    assert_eq!(readings[0], readings[1]);
    let groups = runs.each_ref().map(|run| schema(&parquet(&export::groups(run, None))));
    assert_eq!(groups[0], groups[1]);
}

#[test]
fn an_axis_has_the_type_of_its_key() {
    let of = |axis: &str, values: &str| {
        let table = schema(&parquet(&export::trials(&run(["a", "b"], axis, values), None)));
        table.lines().find(|line| line.contains(axis)).unwrap().trim().to_owned()
    };
    assert_eq!(of("load.clients", "[1, 8]"), "OPTIONAL INT64 load.clients;");
    assert_eq!(of("load.rate", "[100, 200]"), "OPTIONAL DOUBLE load.rate;");
    assert_eq!(of("load.workers", "[1, 2]"), "OPTIONAL BYTE_ARRAY load.workers (UTF8);", "it may be a word");
    assert_eq!(of("server.sync_binlog", "[0, 1]"), "OPTIONAL BYTE_ARRAY server.sync_binlog (UTF8);");
}

#[test]
fn a_run_without_trials_has_the_same_columns() {
    let nothing = Summary::default();
    let some = run(["a", "b"], "load.clients", "[1]");
    let lines = |of: String| of.lines().filter(|line| !line.contains("load.clients")).collect::<Vec<_>>().join("\n");
    assert_eq!(
        schema(&parquet(&export::trials(&nothing, None))).trim(),
        lines(schema(&parquet(&export::trials(&some, None)))).trim()
    );
    assert_eq!(export::series(&nothing, None).csv().unwrap().lines().count(), 1, "the head");
}

#[test]
fn what_is_not_known_is_null_and_a_figure_is_not_rounded() {
    let run = run(["a", "b"], "load.clients", "[1]");
    let table = export::trials(&run, None);
    let file = parquet(&table);
    assert_eq!(column(&file, "scale"), [Field::Null, Field::Null]);
    assert_eq!(column(&file, "truncated"), [Field::Bool(false), Field::Bool(false)]);
    assert_eq!(column(&file, "tps")[0], Field::Double(run.trials[0].tps()));
    let rounded = format!(",{:.3},", run.trials[0].tps());
    assert!(table.csv().unwrap().contains(&rounded), "{rounded}");
    let units = file.metadata().file_metadata().key_value_metadata().unwrap();
    assert!(units.iter().any(|unit| unit.key == "unit.mean_ms" && unit.value.as_deref() == Some("ms")), "{units:?}");
}

/// A server that stands still has no response times, and not such of 0 ms.
#[test]
fn an_interval_in_which_nothing_ended_has_no_times() {
    let file = parquet(&export::series(&Summary::of(&variants::named("standstills")), None));
    let tps = column(&file, "tps");
    let silent: Vec<bool> = tps.iter().map(|tps| *tps == Field::Double(0.0)).collect();
    assert!(silent.contains(&true) && silent.contains(&false), "{tps:?}");
    for name in ["mean_ms", "p95_ms", "p99_ms", "service_p99_ms", "wait_p99_ms", "max_ms"] {
        let times = column(&file, name);
        assert_eq!(times.iter().map(|time| *time == Field::Null).collect::<Vec<_>>(), silent, "{name}: {times:?}");
    }
}

/// A server that refused its clients has no throughput, and not one of 0: a mean over the trials would be wrong.
#[test]
fn a_trial_in_which_nothing_was_measured_has_no_figures() {
    let summary = Summary::of(&variants::named("failed"));
    let file = parquet(&export::trials(&summary, None));
    let figures = ["measured_s", "tps", "qps", "p99_ms", "scheduled", "completed", "failed", "retries", "truncated"];
    for name in figures {
        assert!(column(&file, name).iter().all(|figure| *figure == Field::Null), "{name}: {:?}", column(&file, name));
    }
    assert!(column(&file, "verdict").iter().all(|verdict| *verdict == Field::Str("INVALID".into())));
    let json: serde_json::Value = serde_json::from_str(&export::json(&summary, None)).unwrap();
    let trial = &json["trials"][0];
    let values = ["measured_s", "tps", "qps", "accounting", "retries", "truncated"].map(|key| &trial[key]);
    assert!(values.iter().all(|value| value.is_null()), "{values:?}");
    assert_eq!((&trial["response"]["p99_ms"], &trial["response"]["count"]), (&serde_json::Value::Null, &0.into()));
    let metrics = export::open_metrics(&summary, None);
    let series: Vec<&str> = metrics.lines().filter(|line| !line.starts_with('#')).collect();
    assert!(!series.is_empty() && series.iter().all(|line| line.starts_with("tenbin_trial_verdict{")), "{series:?}");
}

/// The end of a plan that was stopped: its trials have neither a result nor a verdict.
#[test]
fn a_trial_that_was_not_begun_has_no_verdict() {
    let all = events(
        "schema = 1\nname = \"made up\"\n[targets.a]\ndsn = \"mysql://bench@127.0.0.1:3306/sbtest\"\n\
        [datasets.small]\nkind = \"sysbench\"\n[[experiment]]\nname = \"e\"\ndataset = \"small\"\nrepeats = 2\nwarmup = \"2s\"\n\
        measure = \"6s\"\ninterval = \"1s\"\nload = { workload = \"oltp_read_write\" }\n",
    );
    let is_kept = |event: &Event| matches!(event, Event::TrialPlanned { .. }) || event.trial() < 2;
    let begun: Vec<Event> = all.into_iter().filter(is_kept).collect();
    let file = parquet(&export::trials(&Summary::of(&begun), None));
    assert_eq!(column(&file, "state"), ["complete", "unfinished"].map(|state| Field::Str(state.into())));
    assert!(
        matches!(column(&file, "verdict").as_slice(), [Field::Str(_), Field::Null]),
        "{:?}",
        column(&file, "verdict")
    );
    assert!(matches!(column(&file, "tps").as_slice(), [Field::Double(_), Field::Null]), "{:?}", column(&file, "tps"));
}

/// pandas reads no file with two columns of one name, and DuckDB gives the second another name in this run only.
#[test]
fn no_two_columns_have_one_name() {
    let data =
        |plan: &str| plan.replacen("[datasets.small]", "[datasets.large]\nkind = \"sysbench\"\n[datasets.small]", 1);
    let of_data = data(PLAN)
        .replace("\"load.clients\" = [1, 8, 64]", "dataset = [\"small\", \"large\"]")
        .replace("dataset = \"small\"\n", "");
    for run in [variants::named("experiments"), events(&of_data)] {
        let summary = Summary::of(&run);
        let table = export::trials(&summary, None);
        let names: BTreeSet<&str> = table.columns.iter().map(|column| &*column.name).collect();
        assert_eq!(names.len(), table.columns.len(), "{:?}", table.columns.iter().map(|c| &c.name).collect::<Vec<_>>());
    }
    let file = parquet(&export::trials(&Summary::of(&events(&of_data)), None));
    let names = column(&file, "axis.dataset");
    assert!(names.contains(&Field::Str("small".into())) && names.contains(&Field::Str("large".into())), "{names:?}");
    let objects = column(&file, "dataset");
    assert!(objects.iter().all(|object| matches!(object, Field::Str(text) if text.starts_with('{'))), "{objects:?}");
    let experiments =
        column(&parquet(&export::trials(&Summary::of(&variants::named("experiments")), None)), "experiment");
    assert!(experiments.contains(&Field::Str("writes".into())), "{experiments:?}");
}

/// What a row is of stands in the row, so that rows of several runs can be put together; the same in every format.
#[test]
fn rows_say_of_which_run_load_data_and_server_they_are() {
    let plan = "schema = 1\nname = \"made up\"\n[targets.a]\nsandbox = \"mariadbd\"\nserver = { sync_binlog = \"1\" }\n\
        [datasets.\"a;=1\"]\nkind = \"sysbench\"\ntable_size = 77\n\
        [[experiment]]\nname = \"e\"\ndataset = \"a;=1\"\nrepeats = 1\nwarmup = \"2s\"\nmeasure = \"6s\"\ninterval = \"1s\"\n\
        load = { workload = \"oltp_read_write\", clients = 3, range_size = 5 }\n";
    let summary = Summary::of(&events(plan));
    let root = tempfile::tempdir().unwrap();
    let named = |name: &str| {
        let dir = root.path().join(name);
        std::fs::create_dir_all(&dir).unwrap();
        dir
    };
    // Two runs of one plan that began in the same second.
    let dirs = [named("2026-11-21T0131-made-up"), named("2026-11-21T0131-made-up-2")];
    let names = ["2026-11-21T0131-made-up", "2026-11-21T0131-made-up-2"];
    for (dir, name) in dirs.iter().zip(names) {
        let file = parquet(&export::trials(&summary, Some(dir)));
        let text = |of: &str| match column(&file, of).remove(0) {
            Field::Str(text) => text,
            other => panic!("{of}: {other:?}"),
        };
        let object = |of: &str| -> serde_json::Value { serde_json::from_str(&text(of)).unwrap() };
        assert_eq!([text("run"), text("workload"), text("server_version")], [name, "oltp_read_write", "11.4"]);
        assert_eq!(object("settings"), serde_json::json!({"sync_binlog": "1"}));
        assert_eq!(object("options"), serde_json::json!({"range_size": "5"}));
        let dataset = object("dataset");
        assert_eq!(
            (&dataset["name"], &dataset["kind"], &dataset["options"]["table_size"]),
            (&"a;=1".into(), &"sysbench".into(), &"77".into())
        );
        let json: serde_json::Value = serde_json::from_str(&export::json(&summary, Some(dir))).unwrap();
        let trial = &json["trials"][0];
        assert_eq!([&json["run"], &trial["run"]], [name; 2]);
        for key in ["options", "dataset", "settings"] {
            assert_eq!(trial[key], object(key), "{key}");
        }
        assert_eq!([&trial["workload"], &trial["server_version"]], [&text("workload"), &text("server_version")]);
        // CSV has what a spreadsheet evaluates with an apostrophe, and is the same object.
        let mut csv =
            csv::Reader::from_reader(std::io::Cursor::new(export::trials(&summary, Some(dir)).csv().unwrap()));
        let head = csv.headers().unwrap().clone();
        let row = csv.records().next().unwrap().unwrap();
        let field = |of: &str| &row[head.iter().position(|name| name == of).unwrap()];
        assert_eq!([field("run"), field("workload"), field("server_version")], [name, "oltp_read_write", "11.4"]);
        assert_eq!(serde_json::from_str::<serde_json::Value>(field("settings")).unwrap(), object("settings"));
        assert!(field("dataset").contains("a;'=1"), "{}", field("dataset"));
        for of in
            [export::readings(&summary, Some(dir)).csv().unwrap(), export::series(&summary, Some(dir)).csv().unwrap()]
        {
            let start = format!("{name},1,a,");
            assert!(of.lines().count() > 6 && of.lines().skip(1).all(|line| line.starts_with(&start)), "{of}");
        }
    }
    // Each line of OpenMetrics is a series of its own: those of the two runs differ in nothing else than the run.
    let series = dirs.each_ref().map(|dir| {
        let text = export::open_metrics(&summary, Some(dir));
        let lines = text.lines().filter(|line| !line.starts_with('#'));
        lines.map(|line| line.rsplit_once(' ').unwrap().0.to_owned()).collect::<Vec<_>>()
    });
    assert!(series[0].len() >= 6 && series[0].iter().all(|name| !series[1].contains(name)), "{series:?}");
    assert!(series[0][0].contains("{run=\"2026-11-21T0131-made-up\",plan=\"sample (made up, not measured)\",started="));
}

/// `doc/format/tables.md` names each column with its unit and its type.
#[test]
fn the_columns_are_documented() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../doc/format/tables.md");
    let text = std::fs::read_to_string(path).unwrap();
    fn rows<R>(table: &Table<R>) -> Vec<String> {
        let row = |column: &export::Column<R>| {
            format!("| `{}` | {} | {} |", column.name, column.unit, column.column_type().name())
        };
        table.columns.iter().map(row).collect()
    }
    let nothing = Summary::default();
    let all = [
        ("Trials", rows(&export::trials(&nothing, None))),
        ("Readings", rows(&export::readings(&nothing, None))),
        ("Series", rows(&export::series(&nothing, None))),
        ("Groups", rows(&export::groups(&nothing, None))),
    ];
    for (title, rows) in all {
        let (_, section) = text.split_once(&format!("## {title}\n")).unwrap();
        let section = section.split("\n## ").next().unwrap();
        let known: Vec<&str> = section.lines().filter(|line| line.starts_with("| `")).collect();
        for (row, line) in rows.iter().zip(&known) {
            assert!(line.starts_with(row), "{title}: {row}, not {line}");
        }
        assert_eq!(rows.len(), known.len(), "{title}");
    }
}

#[test]
fn rows_of_compared_runs_have_the_name_of_their_run() {
    let one = |label: &str| StoredRun { label: label.to_owned(), summary: Summary::of(&variants::named("one-trial")) };
    let two = |label: &str| StoredRun { label: label.to_owned(), summary: Summary::of(&variants::named("plain")) };
    for make in [&one as &dyn Fn(&str) -> StoredRun, &two] {
        let both = Summary::compared(vec![make("before"), make("after")]);
        let csv = export::trials(&both, None).csv().unwrap();
        let mut runs: Vec<&str> = csv.lines().skip(1).map(|row| row.split(',').next().unwrap()).collect();
        runs.dedup();
        assert_eq!(runs, ["before", "after"], "{csv}");
        let metrics = export::open_metrics(&both, None);
        assert!(metrics.contains("run=\"before\"") && metrics.contains("run=\"after\""), "{metrics}");
        assert!(!metrics.contains("run=\"before /"), "{metrics}");
    }
}

/// Runs of two days: each trial has the start of its own, and the page both.
#[test]
fn trials_of_compared_runs_have_the_start_of_their_run() {
    let of = |(label, started): (&str, &str)| {
        let mut summary = Summary::of(&variants::named("one-trial"));
        started.clone_into(&mut summary.started);
        StoredRun { label: label.to_owned(), summary }
    };
    let starts = [("before", "2026-01-10T10:00:00Z"), ("after", "2026-02-20T20:00:00Z")];
    let both = Summary::compared(starts.map(of).to_vec());
    let metrics = export::open_metrics(&both, None);
    for (run, started) in starts {
        let own: Vec<&str> = metrics.lines().filter(|line| line.contains(&format!("run=\"{run}\""))).collect();
        assert!(!own.is_empty() && own.iter().all(|line| line.contains(&format!("started=\"{started}\""))), "{own:?}");
    }
    let page = tenbin_report::page::render(&both, &[], Language::English);
    assert!(page.contains("2026-01-10 10:00:00 Z, 2026-02-20 20:00:00 Z"), "both are in the head");
    let log = export::hdr_log(&both);
    let seconds = |line: &str| line.split(',').nth(1).and_then(|at| at.parse::<f64>().ok());
    let begun: Vec<f64> = log.lines().filter(|line| line.contains("/response,")).filter_map(seconds).collect();
    let apart = (41 * 24 + 10) as f64 * 3600.0;
    assert!(begun.len() == 2 && (begun[1] - begun[0] - apart).abs() < 1.0, "{begun:?}");
}
