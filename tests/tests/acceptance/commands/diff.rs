//! `tenbin diff`: servers, runs, option files and CSV files side by side.

#![expect(clippy::unwrap_used, reason = "a test may")]

use std::path::Path;
use tenbin_tests::{mariadb, output_of, postgres, tenbin};

/// The published variables of a MySQL 5.6 with its defaults, of one on RDS and of one on a flash card.
const PUBLISHED: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/data/published_variables.csv");

fn diff(arguments: &[&str]) -> (i32, String, String) {
    output_of(tenbin().arg("diff").args(arguments))
}

/// Columns of the published table as a file.
fn published(dir: &Path, columns: &[&str]) -> String {
    let mut reader = csv::Reader::from_path(PUBLISHED).unwrap();
    let heads = reader.headers().unwrap().clone();
    let places: Vec<usize> =
        ["variable"].iter().chain(columns).map(|name| heads.iter().position(|head| head == *name).unwrap()).collect();
    let path = dir.join("published.csv");
    let mut writer = csv::Writer::from_path(&path).unwrap();
    writer.write_record(places.iter().map(|at| &heads[*at])).unwrap();
    for record in reader.records() {
        let record = record.unwrap();
        writer.write_record(places.iter().map(|at| &record[*at])).unwrap();
    }
    writer.flush().unwrap();
    path.display().to_string()
}

#[test]
fn the_published_table_of_differences_comes_out_of_the_published_variables() {
    let dir = tempfile::tempdir().unwrap();
    let file = published(dir.path(), &["rds", "fusionio"]);
    let (code, out, err) = diff(&[&file, "--json"]);
    assert_eq!(code, 0, "{err}");
    let json: serde_json::Value = serde_json::from_str(&out).unwrap();
    let text_of = |wanted: &[&str]| -> Vec<String> {
        let rows = json["variables"].as_array().unwrap().iter();
        let of = rows.filter(|row| wanted.contains(&row["likeness"].as_str().unwrap()));
        of.map(|row| row["name"].as_str().unwrap().to_owned()).collect()
    };
    // The published table has every variable whose value differs as a text.
    let mut reader = csv::Reader::from_path(&file).unwrap();
    let records = reader.records().map(Result::unwrap).filter(|record| record[1] != record[2]);
    let mut differing: Vec<String> = records.map(|record| record[0].to_owned()).collect();
    differing.sort();
    assert_eq!(text_of(&["different", "own-to-server"]), differing);
    assert!(text_of(&["missing"]).is_empty() && differing.len() > 80);
    // What affects a benchmark is set apart from what every server has of its own.
    let settings = text_of(&["different"]);
    for name in ["innodb_buffer_pool_size", "innodb_flush_method", "log_bin", "performance_schema", "thread_cache_size"]
    {
        assert!(settings.contains(&name.to_owned()), "{name}");
    }
    for name in ["server_uuid", "datadir", "pid_file", "timestamp", "pseudo_thread_id", "hostname"] {
        assert!(text_of(&["own-to-server"]).contains(&name.to_owned()), "{name}");
    }
    let (_, csv, _) = diff(&[&file, "--format", "csv"]);
    assert_eq!(csv.lines().count(), settings.len() + 1);
    assert!(
        csv.starts_with("variable,rds,fusionio\n")
            && csv.contains("\ninnodb_buffer_pool_size,193115193344,26843545600\n")
    );
    // Spreadsheets do not evaluate what servers or files say, and passwords in files are not shown.
    let text = "variable,a,=b\nx,=1+1,-5\nreport_password,s3cret,other\n";
    std::fs::write(dir.path().join("formula.csv"), text).unwrap();
    let (_, csv, _) = diff(&[&dir.path().join("formula.csv").display().to_string(), "--format", "csv"]);
    assert_eq!(csv, "variable,a,'=b\nx,'=1+1,-5\n");
    // All three columns.
    let (code, out, _) = diff(&[PUBLISHED]);
    let head: Vec<&str> = out.lines().next().unwrap().split_whitespace().collect();
    assert_eq!((code, head), (0, vec!["variable", "mysql_default", "rds", "fusionio"]));
}

#[test]
fn servers_are_compared_with_one_another_and_with_an_option_file() {
    let dir = tempfile::tempdir().unwrap();
    let (small, large) =
        (mariadb(&[("sync_binlog", "1")]), mariadb(&[("max_connections", "77"), ("sync_binlog", "0")]));
    let (code, out, err) = diff(&[&small.dsn(), &large.dsn()]);
    assert_eq!(code, 0, "{err}");
    let row = |name: &str| {
        let line = out.lines().find(|line| line.split_whitespace().next() == Some(name));
        line.map(|line| line.split_whitespace().skip(1).collect::<Vec<_>>().join(" "))
    };
    assert_eq!(row("sync_binlog").as_deref(), Some("1 * 0 *"), "{out}");
    assert!(row("max_connections").is_some_and(|values| values.ends_with(" 77 *")), "{out}");
    assert_eq!(row("server_uid").or(row("port")).or(row("socket")), None, "{out}");
    assert!(out.contains("* not the value that the server was built with"), "{out}");
    assert!(out.contains("clocks, which differ on every server: ") && !out.contains("password"), "{out}");

    let file = dir.path().join("my.cnf");
    std::fs::write(&file, "[mysqld]\nmax-connections = 77\nsync_binlog = 1\nloose-no_such_thing = 1\n").unwrap();
    let (code, out, _) = diff(&[&large.dsn(), &file.display().to_string()]);
    assert_eq!(code, 0);
    let lines: Vec<&str> = out.lines().collect();
    assert!(lines[1].starts_with("sync_binlog ") && lines[2].is_empty(), "{out}");
    insta::assert_snapshot!(lines[3..].join("\n"), @r"
    * not the value that the server was built with
    1 setting differs, of 2 variables compared
    not compared: 1 that not every server has: no_such_thing
    an option file is compared in what it sets; the rest has defaults that it does not tell
    ");
    // As Debian's: only includes.
    std::fs::create_dir(dir.path().join("conf.d")).unwrap();
    let inside =
        "[mariadb]\nmax-connections = \"78\" # more\nwsrep_sst_auth=sst:s3cret\nno_such = \"x password=s3cret\"\n";
    std::fs::write(dir.path().join("conf.d/a.cnf"), inside).unwrap();
    std::fs::write(&file, format!("[client-server]\n!includedir {}\n", dir.path().join("conf.d").display())).unwrap();
    let (code, out, _) = diff(&[&large.dsn(), &file.display().to_string()]);
    let row: Vec<&str> = out.lines().nth(1).unwrap().split_whitespace().collect();
    assert_eq!((code, row), (0, vec!["max_connections", "77", "*", "78"]), "{out}");
    assert!(out.contains("left out: 2 that may hold a password: no_such, wsrep_sst_auth"), "{out}");
    for form in ["text", "csv", "json"] {
        let (_, out, err) = diff(&[&large.dsn(), &file.display().to_string(), "--all", "--format", form]);
        assert!(!out.contains("s3cret") && !err.contains("s3cret"), "{out}");
    }
    let postgres = postgres(&[]);
    let (code, out, _) = diff(&[&postgres.dsn(), &postgres.dsn()]);
    assert!(code == 0 && out.starts_with("no setting differs, of "), "{out}");
}

#[test]
fn the_targets_of_a_run_are_compared() {
    let dir = tempfile::tempdir().unwrap();
    let runs = dir.path().join("runs").display().to_string();
    let plan = "schema = 1\nname = \"two\"\n[targets.wal]\nsandbox = \"sqlite\"\nserver = { journal_mode = \"wal\" }\n\
                [targets.delete]\nsandbox = \"sqlite\"\nserver = { journal_mode = \"delete\" }\n\
                [[experiment]]\nrepeats = 1\nwarmup = \"0s\"\nmeasure = \"100ms\"\ninterval = \"100ms\"\n\
                [experiment.load]\nworkload = \"oltp_read_only\"\n";
    std::fs::write(dir.path().join("plan.toml"), plan).unwrap();
    let (_, _, err) = output_of(tenbin().args(["run", "plan.toml", "--runs", &runs]).current_dir(dir.path()));
    let run = std::fs::read_dir(&runs).unwrap_or_else(|_| panic!("{err}")).next().unwrap().unwrap().path();
    let (code, out, err) = diff(&[&run.display().to_string()]);
    assert_eq!(code, 0, "{err}");
    assert!(out.starts_with("variable      wal  delete\njournal_mode  wal  delete\n"), "{out}");
    let (code, out, _) = diff(&[&run.display().to_string(), &run.display().to_string(), "--all"]);
    assert!(code == 0 && out.starts_with("variable      wal (1)  delete (1)  wal (2)  delete (2)\n"), "{out}");
}

#[test]
fn what_cannot_be_compared_is_told() {
    let dir = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| {
        let path = dir.path().join(name);
        std::fs::write(&path, text).unwrap();
        path.display().to_string()
    };
    let good = write("good.csv", "variable,a\nx,1\n");
    let cases = [
        vec![good.clone()],
        vec![good.clone(), "nothing".into()],
        vec![good.clone(), write("client.cnf", "[client]\nport = 1\n")],
        vec![good.clone(), write("open.csv", "variable,a\nx,\"1\ny,2\n")],
        vec![good.clone(), write("empty.csv", "")],
        vec![good.clone(), dir.path().display().to_string()],
        vec![good.clone(), write("other.csv", "variable,b\ny,1\n")],
        vec![good, "mysql://root@127.0.0.1:1/".into()],
    ];
    let printed = cases.iter().map(|case| {
        let (code, out, err) = diff(&case.iter().map(String::as_str).collect::<Vec<_>>());
        assert!(code == 1 && out.is_empty(), "{case:?}: {code} {out}");
        err.replace(&dir.path().display().to_string(), "DIR")
    });
    insta::assert_snapshot!(printed.collect::<Vec<_>>().join("\n"));
}

#[test]
fn names_and_values_are_found_by_their_headings() {
    let dir = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| {
        let path = dir.path().join(name);
        std::fs::write(&path, text).unwrap();
        path.display().to_string()
    };
    let base = write("base.txt", "Variable_name\tValue\nsync_binlog\t1\nmax_connections\t151\n");
    for (name, text) in [
        (
            "tidb.txt",
            "| Scope | Variable_name | Value |\n|--|--|--|\n| | sync_binlog | 0 |\n| | max_connections | 151 |\n",
        ),
        ("upper.txt", "VARIABLE_NAME,VARIABLE_VALUE\nSYNC_BINLOG,0\nMAX_CONNECTIONS,151\n"),
        ("of_pages.csv", "Variable_name;Value\nsync_binlog;0\nmax_connections;151\n"),
        (
            "azure.json",
            "[\n {\"name\": \"sync_binlog\", \"value\": \"0\"},\n {\"name\": \"max_connections\", \"value\": \"151\"}\n]\n",
        ),
        ("page.html", "<table><tr><th>パラメータ<th>値<tr><td>sync_binlog<td>0<tr><td>max_connections<td>151</table>"),
        ("postgresql.conf", "include_dir = 'conf.d'\nsync_binlog = 0\nmax_connections = 151\n"),
    ] {
        let (code, out, err) = diff(&[&base, &write(name, text)]);
        assert_eq!(code, 0, "{name}: {err}");
        assert!(out.contains("1 setting differs, of 2 variables compared"), "{name}: {out}");
        assert_eq!(err.contains("conf.d"), name == "postgresql.conf", "{name}: {err}");
    }
}

/// A command that only looks leaves nothing behind.
#[test]
fn a_database_file_that_is_not_there_is_told_and_not_created() {
    let dir = tempfile::tempdir().unwrap();
    let at = |name: &str| format!("sqlite:{}", dir.path().join(name).display());
    for arguments in [
        vec!["diff".to_owned(), at("a.db"), at("b.db")],
        vec!["doctor".to_owned(), at("a.db")],
        vec!["check".to_owned(), at("a.db")],
        vec!["restore-settings".to_owned(), at("a.db")],
    ] {
        let (code, out, err) = output_of(tenbin().args(&arguments));
        assert_eq!(code, 1, "{arguments:?}: {out}{err}");
        let (all, is_refused) = (format!("{out}{err}"), arguments[0] == "restore-settings");
        assert!(!all.contains("unrecognized token") && !all.contains("no setting differs"), "{all}");
        assert!(
            all.contains(if is_refused { "runs change variables of servers" } else { "unable to open database file" }),
            "{all}"
        );
        assert_eq!(std::fs::read_dir(dir.path()).unwrap().count(), 0, "{arguments:?}: {out}{err}");
    }
}
