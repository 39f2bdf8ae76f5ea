//! Scripts that are wrong, large or unusual, and retries beside the server's log.

use super::folder;
use std::fs;
use std::path::Path;
use tenbin_tests::{mariadb, output_of, postgres, read_back, sql, tenbin};

/// Runs this script on a server.
pub(super) fn bench(folder: &Path, script: &[u8], dsn: &str, more: &[&str]) -> (i32, String) {
    fs::write(folder.join("own.sql"), script).expect("a file can be written");
    let _ = fs::remove_dir_all(folder.join("runs"));
    let mut command = tenbin();
    command.args(["bench", "own.sql", dsn, "--runs", "runs"]).args(more).current_dir(folder);
    let (code, out, err) = output_of(&mut command);
    (code, format!("{out}{err}"))
}

pub(super) fn ran(code: i32) -> bool {
    code == 0 || code == 3
}

const SHORT: &[&str] = &["--time", "300ms"];

#[test]
fn a_file_of_64_mb_runs_and_a_larger_one_is_refused() {
    let folder = folder();
    let mut text = b"SELECT 1;\n".to_vec();
    let line = [&b"-- "[..], &[b'x'; 1000][..], b"\n"].concat();
    while text.len() + line.len() + 10 <= 64 << 20 {
        text.extend_from_slice(&line);
    }
    text.extend_from_slice(b"SELECT 2;\n");
    text.resize(64 << 20, b' ');
    let (code, printed) = bench(folder.path(), &text, "sqlite:a.db", SHORT);
    assert!(ran(code), "{code} {printed}");
    let (_, json) = read_back(&folder.path().join("runs"));
    let statements = json["trials"][0]["statements"].as_object().expect("statements");
    assert_eq!(statements.len(), 2, "{:?}", statements.keys());
    text.push(b' ');
    let (code, printed) = bench(folder.path(), &text, "sqlite:a.db", SHORT);
    assert!(code == 1 && printed.contains("own.sql") && printed.contains("64"), "{code} {printed}");
}

#[test]
fn text_that_is_not_utf_8_is_the_servers_business_and_a_command_is_told() {
    let folder = folder();
    let latin = b"SELECT 'caf\xe9';\n";
    let server = postgres(&[]);
    let (code, printed) = bench(folder.path(), latin, &server.dsn(), SHORT);
    assert!(code != 0 && printed.contains("invalid byte sequence"), "{code} {printed}");
    let mariadb = mariadb(&[]);
    sql::query(&mariadb, "CREATE TABLE t (a VARCHAR(10) CHARACTER SET latin1)");
    let (code, printed) = bench(folder.path(), latin, &mariadb.dsn(), SHORT);
    assert!((ran(code) || printed.contains("Invalid utf8")) && !printed.contains("panicked"), "{code} {printed}");
    let (code, printed) = bench(folder.path(), latin, "sqlite:a.db", SHORT);
    assert!(!printed.contains("panicked") && (ran(code) || code == 2), "{code} {printed}");
    let (code, printed) = bench(folder.path(), b"\\set a caf\xe9\nSELECT 1;\n", "sqlite:a.db", SHORT);
    assert!(code == 1 && printed.contains("no function caf") && printed.contains("line 1"), "{code} {printed}");
}

#[test]
fn a_million_rows_are_counted_and_stored_only_where_that_is_asked() {
    let (folder, server) = (folder(), mariadb(&[]));
    let once = &["--ops", "2", "--threads", "1"][..];
    let script = b"-- tenbin: name=all expect=\"rows = 1000000\"\nSELECT seq FROM seq_1_to_1000000;\n";
    let (code, printed) = bench(folder.path(), script, &server.dsn(), once);
    assert!(ran(code), "{code} {printed}");
    let (_, json) = read_back(&folder.path().join("runs"));
    let all = &json["trials"][0]["statements"]["all"];
    assert_eq!(all["rows"].as_u64(), all["completed"].as_u64().map(|n| n * 1_000_000), "{all}");
    // The last row counts.
    let script =
        b"SELECT seq AS last FROM seq_1_to_1000000 \\aset\n-- tenbin: expect=\"value = 1000000\"\nSELECT :last;\n";
    let (code, printed) = bench(folder.path(), script, &server.dsn(), once);
    assert!(ran(code), "{code} {printed}");
    let (code, printed) = bench(folder.path(), b"SELECT seq FROM seq_1_to_1000000 \\gset\n", &server.dsn(), once);
    assert!(code != 0 && printed.contains("needs one row"), "{code} {printed}");
}

#[test]
fn a_procedure_stands_between_delimiters() {
    let (folder, server) = (folder(), mariadb(&[]));
    sql::query(&server, "CREATE TABLE t (a INT)");
    let script = b"DELIMITER //\nCREATE OR REPLACE PROCEDURE twice() BEGIN INSERT INTO t VALUES (1); INSERT INTO t VALUES (2); END//\n\
                   DELIMITER ;\nCALL twice();\n";
    let more = &["--ops", "3", "--threads", "1", "--allow", "write-unmarked"][..];
    let (code, printed) = bench(folder.path(), script, &server.dsn(), more);
    assert!(ran(code), "{code} {printed}");
    assert_eq!(sql::query(&server, "SELECT a, COUNT(*) FROM t GROUP BY a ORDER BY a"), [["1", "3"], ["2", "3"]]);
}

#[test]
fn a_transaction_that_is_left_open_when_it_runs_is_an_error_and_is_rolled_back() {
    let (folder, server) = (folder(), postgres(&[]));
    sql::query(&server, "CREATE TABLE t (a INT)");
    let script = b"BEGIN;\nINSERT INTO t VALUES (1);\n\\if :client_id < 0\nCOMMIT;\n\\endif\n";
    let more = &["--time", "300ms", "--threads", "2", "--allow", "write-unmarked"][..];
    let (code, printed) = bench(folder.path(), script, &server.dsn(), more);
    assert!(code == 2 && printed.contains("ended with an open transaction"), "{code} {printed}");
    assert_eq!(sql::query(&server, "SELECT COUNT(*) FROM t"), [["0"]]);
}

#[test]
fn a_weight_of_0_is_never_chosen() {
    let folder = folder();
    fs::write(folder.path().join("never.sql"), "SELECT not_there;\n").expect("a file can be written");
    fs::write(folder.path().join("always.sql"), "SELECT 1;\n").expect("a file can be written");
    let (code, printed) =
        bench(folder.path(), b"", "sqlite:a.db", &["-o", "scripts=never.sql@0,always.sql@2", "--time", "300ms"]);
    assert!(ran(code), "{code} {printed}");
    let (_, json) = read_back(&folder.path().join("runs"));
    let names: Vec<&String> = json["trials"][0]["statements"].as_object().expect("statements").keys().collect();
    assert_eq!(names, ["always 1: SELECT"], "{printed}");
}

#[test]
fn retries_are_as_many_as_the_servers_log_has_conflicts() {
    let (folder, server) = (folder(), postgres(&[]));
    sql::query(&server, "CREATE TABLE t (a INT PRIMARY KEY, b INT)");
    sql::query(&server, "INSERT INTO t SELECT i, 0 FROM generate_series(1, 3) i");
    let script = b"-- tenbin: retry=2\n\\set a random(1, 3)\nBEGIN ISOLATION LEVEL SERIALIZABLE;\nUPDATE t SET b = b + 1 WHERE a = :a;\nCOMMIT;\n";
    let more = &["--ops", "800", "--threads", "8", "--allow", "write-unmarked", "-o", "on_error=count"][..];
    let (code, printed) = bench(folder.path(), script, &server.dsn(), more);
    assert!(code == 0 || code == 2 || code == 3, "{code} {printed}");
    let (_, json) = read_back(&folder.path().join("runs"));
    let trial = &json["trials"][0];
    let number = |value: &serde_json::Value| value.as_u64().unwrap_or_else(|| panic!("{trial:#}"));
    let (retries, failed) = (number(&trial["retries"]), number(&trial["accounting"]["failed"]));
    let completed = number(&trial["accounting"]["completed"]);
    let log = fs::read_to_string(server.dir().join("error.log")).expect("the server's log");
    let conflicts = log.lines().filter(|line| line.contains("ERROR:  could not serialize access")).count() as u64;
    assert!(conflicts > 0, "eight clients on three rows: {printed}");
    assert_eq!(retries + failed, conflicts, "each conflict was tried again, or was the last: {printed}");
    assert_eq!(sql::query(&server, "SELECT SUM(b) FROM t"), [[completed.to_string()]]);
    let errors: u64 = trial["statements"]
        .as_object()
        .into_iter()
        .flat_map(|all| all.values())
        .filter_map(|statement| statement["errors"]["40001"].as_u64())
        .sum();
    assert_eq!(errors, conflicts);
}

/// What a server does not understand is told with the file and the line, and with what mends it: to count such errors does not.
#[test]
fn a_statement_that_the_server_does_not_understand_is_told_with_its_line() {
    let folder = folder();
    let script = b"SELECT 1;\n\\set a 1\n\nSELECT nowhere(\n  :a);\n";
    let together = b"\\startpipeline\nSELECT 1;\nSELECT nowhere(1);\nSELECT 2;\n\\endpipeline\n";
    let (maria, pg) = (mariadb(&[]), postgres(&[]));
    for dsn in [maria.dsn(), pg.dsn(), "sqlite:a.db".to_owned()] {
        for (script, line) in [(&script[..], 4), (&together[..], 3)] {
            let (code, printed) = bench(folder.path(), script, &dsn, SHORT);
            let place = format!("own.sql, line {line}: statement {line}: ");
            assert!(code == 2 && printed.contains(&place) && printed.contains("nowhere"), "{dsn}: {code} {printed}");
            assert!(!printed.contains("to count such errors") && !printed.contains("tenbin load"), "{dsn}: {printed}");
            assert!(printed.contains("correct the script at that line"), "{dsn}: {printed}");
        }
        // A table that is nowhere is told before anything is sent.
        let (code, printed) = bench(folder.path(), b"SELECT 1;\nSELECT a\n FROM nowhere;\n", &dsn, SHORT);
        let text = printed.contains("own.sql, line 2: there is no table nowhere");
        assert!(code == 1 && text, "{dsn}: {code} {printed}");
    }
    // One that another value would not have is counted if the user wants that.
    sql::query(&maria, "CREATE TABLE one (id INT PRIMARY KEY)");
    let more = ["--time", "300ms", "--allow", "write-unmarked"];
    let (code, printed) = bench(folder.path(), b"INSERT INTO one VALUES (1);\n", &maria.dsn(), &more);
    assert!(
        code == 2 && printed.contains("own.sql, line 1") && printed.contains("to count such errors"),
        "{code} {printed}"
    );
}

#[test]
fn a_variable_that_nothing_sets_is_told_before_a_run() {
    let folder = folder();
    fs::write(folder.path().join("own.sql"), "\\set id 1\nSELECT :id, :idd;\nSELECT 2 AS b \\gset\nSELECT :b;\n")
        .expect("a file");
    let plan = "schema = 1\n[targets.a]\ndsn = \"sqlite:a.db\"\n[[experiment]]\nload = { workload = \"sql\", scripts = [\"own.sql\"] }\n";
    fs::write(folder.path().join("plan.toml"), plan).expect("a file");
    let (code, out, err) = output_of(tenbin().args(["plan", "check", "plan.toml"]).current_dir(folder.path()));
    assert!(code == 0 && out.contains("SELECT 1, :idd  -- prepared; :idd has no value"), "{out}{err}");
    assert!(!out.contains(":b has no value"), "it comes from a result: {out}");
    // A script is looked for beside the plan; one of a command line, where Tenbin was started.
    let below = made(folder.path(), "below");
    let (code, out, err) = output_of(tenbin().args(["plan", "check", "../plan.toml"]).current_dir(&below));
    assert!(code == 0 && out.contains("SELECT 1, :idd"), "{out}{err}");
    let (code, out, err) = output_of(tenbin().args(["bench", "own.sql", "sqlite:a.db"]).current_dir(&below));
    assert!(code == 1 && err.contains(&format!("in which Tenbin was started: {}", below.display())), "{out}{err}");
}

fn made(folder: &Path, name: &str) -> std::path::PathBuf {
    let made = folder.join(name);
    fs::create_dir(&made).expect("a directory can be made");
    made
}

/// A script that has changed under its name: what was measured with it is not added to what was measured before, and a comparison says so.
#[test]
fn a_script_that_has_changed_is_not_the_one_that_was_measured() {
    let folder = folder();
    let write = |text: &str| fs::write(folder.path().join("q.sql"), text).expect("a file");
    let plan = "schema = 1\nname = \"q\"\n[targets.a]\ndsn = \"sqlite:a.db\"\n[[experiment]]\nrepeats = 1\nwarmup = 0\nmeasure = \"300ms\"\n\
                load = { workload = \"sql\", scripts = [\"q.sql\"], clients = 1 }\n";
    fs::write(folder.path().join("plan.toml"), plan).expect("a file");
    let tenbin_here = |args: &[&str]| {
        let (code, out, err) = output_of(tenbin().args(args).current_dir(folder.path()));
        (code, format!("{out}{err}"))
    };
    write("-- token='t' password='hidden'\nSELECT 1;\n");
    let (code, printed) = tenbin_here(&["run", "plan.toml", "--runs", "runs"]);
    assert!(ran(code), "{code} {printed}");
    let first = read_back(&folder.path().join("runs")).0;
    let log = fs::read_to_string(first.join("events.jsonl")).expect("a log");
    let used: Vec<&str> = log.lines().filter(|line| line.contains("\"event\":\"file-used\"")).collect();
    assert!(used.len() == 1 && used[0].contains("SELECT 1") && !used[0].contains("hidden"), "{used:?}");

    write("SELECT 1 FROM (SELECT 1 UNION SELECT 2);\n");
    let run = first.to_str().expect("a path");
    let again = ["run", "plan.toml", "--resume", run, "--redo", "--runs", "more"];
    let (code, printed) = tenbin_here(&again);
    assert!(code == 1 && printed.contains("q.sql") && printed.contains("--allow changed-files"), "{code} {printed}");
    let (code, printed) = tenbin_here(&[&again[..], &["--allow", "changed-files"]].concat());
    assert!(ran(code) && printed.contains("different contents of q.sql"), "{code} {printed}");

    let (code, printed) = tenbin_here(&["run", "plan.toml", "--runs", "second"]);
    assert!(ran(code), "{code} {printed}");
    let second = read_back(&folder.path().join("second")).0;
    let second = second.to_str().expect("a path");
    let (_, printed) = tenbin_here(&["compare", run, second]);
    assert!(printed.contains("They also differ in the file q.sql"), "{printed}");
    let (_, printed) = tenbin_here(&["gate", run, second, "--max-regression", "tps 99%"]);
    assert!(printed.contains("the file q.sql"), "{printed}");
    fs::rename(second, folder.path().join("runs/9999-q")).expect("moved");
    let (_, printed) = tenbin_here(&["history", "plan.toml", "--runs", "runs"]);
    assert!(printed.contains("the content of q.sql changed between"), "{printed}");
    // With the script as it was there is nothing to refuse.
    write("-- token='t' password='hidden'\nSELECT 1;\n");
    let (code, printed) = tenbin_here(&again);
    assert!(ran(code), "{code} {printed}");
}
