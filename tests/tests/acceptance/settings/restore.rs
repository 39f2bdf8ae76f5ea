//! Data restored by a command of the user.

use super::{plan, run, value};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};
use tenbin_tests::sql::{Address, query};
use tenbin_tests::{Restarting, mariadb, output_of, postgres, read_back, tenbin};

/// A plan whose trials write, with this way to restore.
fn writing(dir: &Path, dsn: &str, restore: &str) -> String {
    let path = plan(dir, dsn, &format!("restore = {restore}"), "order = \"sequential\"\nrestore = \"before-run\"");
    let text = std::fs::read_to_string(&path).unwrap();
    let load = "load = { workload = \"oltp_insert\", clients = 1, operations = 5 }";
    let text = text.replace("load = { workload = \"oltp_point_select\", clients = 1 }", load);
    std::fs::write(&path, text.replace("repeats = 1", "repeats = 2").replace("\"300ms\"", "\"30s\"")).unwrap();
    path
}

/// Loads the data of such a plan, and dumps them; returns the command that restores them from the dump.
fn dumped(dir: &Path, at: &(impl Address + ?Sized)) -> String {
    let (dsn, file) = (at.dsn(), dir.join("dump.sql"));
    let load = ["load", "oltp_insert", &dsn, "--tables", "1", "--table-size", "100"];
    let (code, out, err) = output_of(tenbin().args(load));
    assert_eq!(code, 0, "{out}{err}");
    let address = tenbin_model::dsn::Dsn::parse(&dsn).unwrap();
    let (port, database, file) = (address.port.unwrap().to_string(), address.database, file.display());
    let (dump, restore) = match dsn.starts_with("postgres") {
        true => {
            let to = format!("-h 127.0.0.1 -p {port} -U {}", address.user);
            (format!("pg_dump --clean {to} {database} >{file}"), format!("psql -q {to} {database} <{file}"))
        }
        false => {
            let to = format!("-h127.0.0.1 -P{port} -u{}", address.user);
            (format!("mariadb-dump {to} {database} >{file}"), format!("mariadb {to} {database} <{file}"))
        }
    };
    assert!(Command::new("sh").args(["-c", &dump]).status().unwrap().success(), "{dump}");
    restore
}

fn states(dir: &Path) -> Vec<String> {
    let (_, json) = read_back(&dir.join("runs"));
    json["trials"].as_array().unwrap().iter().map(|t| t["state"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn a_command_restores_before_each_trial_and_knows_what_is_wanted() {
    for server in [mariadb(&[]), postgres(&[])] {
        let dir = tempfile::tempdir().unwrap();
        let log = dir.path().join("log");
        let command = dumped(dir.path(), &server);
        let say = "echo $TENBIN_DATASET: $TENBIN_DATASET_OPTIONS, trial $TENBIN_TRIAL, $TENBIN_ADDRESS";
        let restore = format!("{{ command = \"{say} | tee -a {}; {command}\" }}", log.display());
        let path = writing(dir.path(), &server.dsn(), &restore);

        let (code, out, err) = run(dir.path(), &["plan", "check", &path]);
        assert_eq!(code, 0, "{out}{err}");
        assert!(out.contains("run the command of the plan that restores the data, 2 times: echo"), "{out}");
        assert!(!out.contains("create and fill") && !log.exists(), "{out}");

        let (code, out, err) = run(dir.path(), &["run", &path]);
        assert!([0, 3].contains(&code), "{code} {out}{err}");
        let shown = std::fs::read_to_string(&log).unwrap();
        let known = |(line, trial): (&str, u32)| {
            let ends = format!(" table_size=100 tables=1, trial {trial}, {}", server.dsn());
            line.starts_with("d: ") && line.ends_with(&ends)
        };
        assert!(shown.lines().count() == 2 && shown.lines().zip(1..).all(known), "{shown}");
        let kept =
            std::fs::read_to_string(read_back(&dir.path().join("runs")).0.join("trials/0002/events.jsonl")).unwrap();
        assert!(kept.contains("tables=1, trial 2, "), "its output is kept");
        assert_eq!(err.matches("data of target a restored by the command of the plan in ").count(), 2, "{err}");
        assert!(!err.contains("loaded "), "{err}");
        assert_eq!(query(&server, "SELECT COUNT(*) FROM sbtest1")[0][0], "105", "100 rows and those of the last trial");
    }
}

#[test]
fn data_that_are_not_ours_are_the_commands_affair() {
    let server = mariadb(&[]);
    let dir = tempfile::tempdir().unwrap();
    let command = dumped(dir.path(), &server);
    // The dump brings the mark, but what is there now is another table of that name.
    query(&server, "DROP TABLE tenbin_mark");
    query(&server, "DROP TABLE sbtest1");
    query(&server, "CREATE TABLE sbtest1(x INT)");
    let (code, out, err) = run(dir.path(), &["run", &writing(dir.path(), &server.dsn(), "\"reload\"")]);
    assert!(code != 0 && err.contains("sbtest1"), "Tenbin itself refuses: {out}{err}");
    let path = writing(dir.path(), &server.dsn(), &format!("{{ command = \"{command}\" }}"));
    let (code, out, err) = run(dir.path(), &["run", &path]);
    assert!([0, 3].contains(&code), "{code} {out}{err}");
}

#[test]
fn a_table_that_took_the_name_of_ours_stays_foreign() {
    for server in [mariadb(&[]), postgres(&[])] {
        let (dir, dsn) = (tempfile::tempdir().unwrap(), server.dsn());
        let load = ["load", "oltp_insert", &dsn, "--tables", "1", "--table-size", "100"];
        let (code, out, err) = output_of(tenbin().args(load));
        assert_eq!(code, 0, "{out}{err}");
        let steps: &[&str] = match dsn.starts_with("postgres") {
            true => &[
                "CREATE TABLE x (LIKE sbtest1 INCLUDING ALL)",
                "ALTER SEQUENCE sbtest1_id_seq OWNED BY x.id",
                "INSERT INTO x SELECT * FROM sbtest1",
                "DROP TABLE sbtest1",
                "ALTER TABLE x RENAME TO sbtest1",
            ],
            false => &[
                "CREATE TABLE x LIKE sbtest1",
                "INSERT INTO x SELECT * FROM sbtest1",
                "DROP TABLE sbtest1",
                "RENAME TABLE x TO sbtest1",
            ],
        };
        steps.iter().for_each(|sql| _ = query(&server, sql));
        let path = writing(dir.path(), &dsn, "{ command = \"true\" }");
        let (code, out, err) = run(dir.path(), &["run", &path]);
        assert!([1, 2].contains(&code) && err.contains("--allow write-unmarked"), "{code} {out}{err}");
        assert_eq!(query(&server, "SELECT COUNT(*) FROM sbtest1")[0][0], "100", "nothing was written");
        let text = std::fs::read_to_string(&path).unwrap();
        std::fs::write(&path, text.replace("[datasets.d]", "allow = [\"write-unmarked\"]\n[datasets.d]")).unwrap();
        let (code, out, err) = run(dir.path(), &["run", &path]);
        assert!([0, 3].contains(&code), "{code} {out}{err}");
        let drop = ["load", "oltp_insert", &dsn, "--tables", "1", "--only-drop"];
        let (code, out, err) = output_of(tenbin().args(drop));
        assert!(code == 1 && err.contains("sbtest1"), "{code} {out}{err}");
        assert_eq!(query(&server, "SELECT COUNT(*) FROM sbtest1")[0][0], "110", "the rows of two trials");
    }
}

#[test]
fn a_server_that_the_command_restarts_is_waited_for_and_gets_its_variables_again() {
    for (server, variable, other) in [
        (Restarting::of(mariadb(&[])), "innodb_flush_log_at_trx_commit", "2"),
        (Restarting::of(postgres(&[])), "synchronous_commit", "off"),
    ] {
        let dir = tempfile::tempdir().unwrap();
        let restore = dumped(dir.path(), &server);
        let before = value(&server, variable);
        // It returns when the command has ended already; what the server has stored of its variables is gone.
        let forget = format!("truncate -s 0 {}", server.dir().join("data/postgresql.auto.conf").display());
        let forget = if other == "off" { forget } else { "true".to_owned() };
        let (stop, start) = server.commands();
        let script = dir.path().join("restore.sh");
        std::fs::write(&script, format!("{restore} && {stop} && {forget} && ({start} &)\n")).unwrap();
        let command = format!("{{ command = \"sh {}\", timeout = \"60s\" }}", script.display());
        let text = std::fs::read_to_string(writing(dir.path(), &server.dsn(), &command)).unwrap();
        let text = text.replace("[datasets.d]", &format!("server = {{ {variable} = \"{other}\" }}\n[datasets.d]"));
        let path = dir.path().join("plan.toml");
        std::fs::write(&path, text).unwrap();
        let pid = server.pid();
        let (code, out, err) = run(dir.path(), &["run", path.to_str().unwrap()]);
        assert!([0, 3].contains(&code), "{code} {out}{err}");
        assert_ne!(server.pid(), pid);
        assert_eq!(states(dir.path()), ["complete", "complete"]);
        // Before the first trial, and after each restart.
        assert_eq!(err.matches(&format!("set: {variable} = {other}")).count(), 3, "{err}");
        assert_eq!(super::recorded(dir.path(), "a", variable).to_lowercase(), other);
        assert_eq!(value(&server, variable), before, "put back");
    }
}

#[test]
fn a_command_that_does_not_do_its_work_fails_the_trial() {
    let server = Restarting::of(mariadb(&[]));
    let dir = tempfile::tempdir().unwrap();
    dumped(dir.path(), &server);
    let text_of = |restore: &str| {
        let path = writing(dir.path(), &server.dsn(), restore);
        let (code, out, err) = run(dir.path(), &["run", &path]);
        assert!([1, 2].contains(&code), "{code} {out}{err}");
        assert_eq!(states(dir.path()), ["failed", "failed"]);
        std::fs::remove_dir_all(dir.path().join("runs")).unwrap();
        err
    };
    let err = text_of("{ command = \"echo no such snapshot; exit 7\" }");
    let text =
        ["the command that restores the data of target a failed", "exit code 7", "no such snapshot", "try it: sh -c"];
    assert!(text.iter().all(|words| err.contains(words)), "{err}");
    let err = text_of("{ command = \"echo slow; sleep 60\", timeout = \"200ms\" }");
    assert!(err.contains("not ended after") && err.contains("slow"), "{err}");
    assert_eq!(query(&server, "SELECT COUNT(*) FROM sbtest1")[0][0], "100", "nothing was done to the data");
    let (stop, start) = server.commands();
    let err = text_of(&format!("{{ command = \"{stop}\", timeout = \"2s\" }}"));
    assert!(err.contains("does not accept connections") && err.contains("after the start of the command"), "{err}");
    assert!(Command::new("sh").args(["-c", &start]).status().unwrap().success());
    let address = tenbin_model::dsn::Dsn::parse(&server.dsn()).unwrap();
    let drop = format!("mariadb -h127.0.0.1 -P{} -uroot {}", address.port.unwrap(), address.database);
    let err = text_of(&format!("{{ command = \"{drop} -e 'DROP TABLE sbtest1'\" }}"));
    assert!(err.contains("has not brought those of d"), "{err}");
}

/// Half restored data may look like whole ones.
#[test]
fn ctrl_c_waits_for_the_command_and_a_second_one_ends_it_with_its_processes() {
    let server = mariadb(&[]);
    let dir = tempfile::tempdir().unwrap();
    dumped(dir.path(), &server);
    let file = |name: &str| dir.path().join(name);
    let text = "sleep 300 & P=$!; echo $P >DIR/new; mv DIR/new DIR/begun; until [ -e DIR/go ]; do sleep 0.02; done; kill $P; echo >DIR/ended";
    let restore = format!("{{ command = \"{}\" }}", text.replace("DIR", &dir.path().display().to_string()));
    let path = writing(dir.path(), &server.dsn(), &restore);
    for requests in [1, 2] {
        let mut command = tenbin();
        command.args(["run", &path]).env("TENBIN_STATE_DIR", file("state")).env("TENBIN_RUNS", file("runs"));
        let told = || std::fs::read_to_string(file("told")).unwrap();
        command.stdout(Stdio::null()).stderr(std::fs::File::create(file("told")).unwrap());
        let mut child = command.spawn().unwrap();
        let patient = |what: &str, is_there: &dyn Fn() -> bool| {
            let since = Instant::now();
            while !is_there() {
                assert!(since.elapsed() < Duration::from_secs(60), "{what}");
                std::thread::sleep(Duration::from_millis(5));
            }
        };
        patient("it never began", &|| file("begun").exists());
        let sleeping: u32 = std::fs::read_to_string(file("begun")).unwrap().trim().parse().unwrap();
        let pid = child.id().to_string();
        let interrupt = || assert!(Command::new("kill").args(["-INT", &pid]).status().unwrap().success());
        interrupt();
        patient("it is not told", &|| told().contains("waiting for the end of the command"));
        match requests {
            1 => std::fs::write(file("go"), "").unwrap(),
            _ => interrupt(),
        }
        let code = child.wait().unwrap().code();
        let err = told();
        assert_eq!(code, Some(130), "{err}");
        assert_eq!(file("ended").exists(), requests == 1, "{err}");
        patient("its process is left", &|| !tenbin_servers::sandbox::is_alive(sleeping));
        if requests == 1 {
            let (_, json) = read_back(&file("runs"));
            assert_eq!(json["trials"][0]["state"], "partial", "{err}");
            assert!(!err.contains("failed"), "{err}");
        }
        ["begun", "go", "ended"].iter().for_each(|name| _ = std::fs::remove_file(file(name)));
    }
}
