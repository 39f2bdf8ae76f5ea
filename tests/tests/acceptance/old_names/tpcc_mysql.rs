//! The profile `tpcc-mysql`: its stream of statements against that of the real tool, which `doc/compat` has as its
//! server's general log says it, and tables that agree with themselves after it.
//!
//! With `TPCC_MYSQL` naming a folder with the real `tpcc_start`, as `tools/tpcc-mysql-statements.sh` does, the real one
//! is run too and held to the same text; with `TENBIN_UPDATE_DOCS=1` beside it the text is written anew from what it
//! sends.

#![expect(clippy::unwrap_used, reason = "a test may")]

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;
use tenbin_servers::sandbox::Sandbox;
use tenbin_tests::general_log::{described, kinds};
use tenbin_tests::tpcc::{bench, check, committed, in_background, loaded, number, ordered, query};
use tenbin_tests::{Phoenix, balanced, mariadb, output_of, postgres, read_back, tenbin};

const PROFILE: [&str; 2] = ["-o", "profile=tpcc-mysql"];

/// The text that was measured, and its heading.
fn measured() -> (PathBuf, String, String) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../doc/compat/tpcc-mysql-statements.txt");
    let text = std::fs::read_to_string(&path).unwrap_or_default();
    let (heading, rest) = text.split_once("\n\n").map_or(("", ""), |(heading, rest)| (heading, rest));
    (path, heading.to_owned(), rest.to_owned())
}

/// What the server's general log has of whatever `work` starts.
fn logged(server: &Sandbox, work: impl FnOnce()) -> String {
    let (dsn, path) = (server.dsn(), server.dir().join("general.log"));
    let _ = std::fs::remove_file(&path);
    query(&dsn, &format!("SET GLOBAL general_log_file='{}'", path.display()));
    query(&dsn, "SET GLOBAL general_log=1");
    work();
    query(&dsn, "SET GLOBAL general_log=0");
    std::fs::read_to_string(&path).unwrap()
}

/// Fails with the first line that differs.
fn same(whose: &str, sent: &str, wanted: &str) {
    let differs = sent.lines().zip(wanted.lines()).position(|(a, b)| a != b);
    let at = differs.unwrap_or_else(|| sent.lines().count().min(wanted.lines().count()));
    let around = |text: &str| text.lines().skip(at.saturating_sub(2)).take(5).collect::<Vec<_>>().join("\n");
    assert!(sent == wanted, "{whose}, line {at}: sent\n{}\n\nwanted\n{}", around(sent), around(wanted));
}

#[test]
fn statement_for_statement_and_commit_for_commit() {
    let (server, runs) = (mariadb(&[]), tempfile::tempdir().unwrap());
    let dsn = server.dsn();
    loaded(&dsn, 1, &["-o", "layout=tpcc_mysql", "-o", "foreign_keys=on"]);
    let port = dsn.split_once('@').unwrap().1.split_once('/').unwrap().0.split_once(':').unwrap().1.to_owned();
    let start = |command: &mut Command| {
        let words = ["-h", "127.0.0.1", "-P", &port, "-d", "sbtest", "-u", "root", "-w", "1", "-c", "1"];
        let (code, out, err) = output_of(command.args(words));
        assert_eq!(code, 0, "{out}{err}");
        assert!(out.contains("<TpmC>"), "{out}");
    };

    let (path, heading, mut wanted) = measured();
    if let Ok(folder) = std::env::var("TPCC_MYSQL") {
        let mut real = Command::new(Path::new(&folder).join("tpcc_start"));
        let real = described(&logged(&server, || start(real.args(["-p", "", "-r", "0", "-l", "60", "-i", "60"]))));
        if std::env::var_os("TENBIN_UPDATE_DOCS").is_some() {
            std::fs::write(path, format!("{heading}\n\n{real}")).unwrap();
            wanted = real.clone();
        }
        same("the real one", &real, &wanted);
    }

    // One client, a seed and a number of transactions: the same stream each time, with every kind in it.
    let run = || {
        let mut command = tenbin();
        command.args(["bench", "tpcc", &dsn, "--threads", "1", "--seed", "7", "--events", "700", "--warmup", "0"]);
        let (code, out, err) = output_of(command.args(PROFILE).arg("--runs").arg(runs.path()));
        assert_eq!(code, 0, "{out}{err}");
        assert!(out.contains("Profile tpcc-mysql: the statements of tpcc-mysql, one row each"), "{out}");
    };
    same("ours", &described(&logged(&server, run)), &wanted);

    // By the old name.
    let old_name = || {
        let mut command = tenbin();
        command.arg("tpcc_start").env("TENBIN_RUNS", runs.path().join("old"));
        start(command.args(["-r", "0", "-l", "4", "-i", "4", "--seed", "3"]));
    };
    let (kinds_of_log, all) = (kinds(&described(&logged(&server, old_name))), kinds(&wanted));
    assert!(kinds_of_log.len() > 5, "{kinds_of_log:?}");
    for kind in kinds_of_log {
        assert!(all.contains(&kind), "{kind}\n\nis none of\n\n{wanted}");
    }
    let old = read_back(&runs.path().join("old")).0;
    let plan = std::fs::read_to_string(old.join("plan.toml")).unwrap();
    assert!(plan.contains("profile = \"tpcc-mysql\""), "{plan}");

    // Every form of the result says which profile it has.
    for (format, wanted) in [
        (
            "markdown",
            "Profile tpcc-mysql: the statements of tpcc-mysql, one row each, about 37 a transaction; not comparable",
        ),
        ("json", "\"profile\": \"tpcc-mysql\""),
        ("csv", ",tpcc-mysql,"),
    ] {
        let (code, out, err) = output_of(tenbin().args(["report", "--format", format]).arg(&old));
        assert!(code == 0 && out.contains(wanted), "{format}: {out}{err}");
    }
    let page = std::fs::read_to_string(old.join("report.html")).unwrap();
    assert!(page.contains("not comparable with runs of the profile batched"), "{page}");
    check(&dsn, &[]);
}

#[test]
fn tables_agree_after_it_with_many_clients_and_after_a_crash() {
    let runs = tempfile::tempdir().unwrap();
    let mut server = Phoenix::start(&[("innodb_flush_log_at_trx_commit", "1")]);
    let dsn = server.dsn();
    loaded(&dsn, 1, &[]);
    // Deliveries in eight connections on one warehouse want the same orders.
    let deliveries = ["-o", "mix=weights", "-o", "delivery=30", "-o", "stock_level=0"];
    for isolation in ["isolation=repeatable_read", "isolation=read_committed"] {
        // On a busy machine one of hundreds of conflicts would be the eleventh of its transaction.
        let options = [&PROFILE[..], &deliveries, &["-o", isolation, "--json", "--retries", "1000"]].concat();
        let (code, out, err) = output_of(&mut bench(&dsn, 4, runs.path(), &options));
        let json: serde_json::Value = serde_json::from_str(&out).unwrap_or_else(|e| panic!("{e}: {err}"));
        assert_eq!(code, 0, "{out}{err}");
        assert!(balanced(&json)["completed"].as_u64().unwrap() > 20, "{out}");
        assert!(json["trials"][0]["retries"].as_u64().unwrap() > 0, "no transaction met another: {out}");
    }
    check(&dsn, &[]);

    let before = ordered(&dsn);
    let crashed = runs.path().join("crashed");
    let mut child = in_background(bench(&dsn, 60, &crashed, &PROFILE));
    while ordered(&dsn) < before + 100 {
        std::thread::sleep(Duration::from_millis(100));
    }
    server.crash();
    child.wait().unwrap();
    server.rise();
    check(&dsn, &[]);
    let (text, _) = committed(&read_back(&crashed).0);
    let there = ordered(&dsn) - before;
    // Those that were open had not been reported.
    assert!(there >= text && there <= text + 8, "{text} were told of, {there} are there");
    let (code, out, _) = self::output_of(tenbin().args(["check", &dsn]));
    assert_eq!(code, 0, "{out}");
    assert!(
        out.contains("condition 12  left out") && out.contains("whose payments do not write c_ytd_payment"),
        "{out}"
    );
    assert_eq!(number(&dsn, "SELECT COUNT(*) FROM tenbin_tpcc WHERE name='profile tpcc-mysql'"), 1);
}

#[test]
fn what_would_be_another_stream_is_refused() {
    let (postgres, runs) = (postgres(&[]), tempfile::tempdir().unwrap());
    for (dsn, more, wanted) in [
        ("null:", "pipeline=on", "profile = \"tpcc-mysql\" sends one statement at a time"),
        ("null:", "deferred_delivery=on", "profile = \"tpcc-mysql\" has no queued deliveries"),
        (&postgres.dsn(), "mode=saturate", "profile = \"tpcc-mysql\" is for MySQL and MariaDB"),
    ] {
        let (code, _, err) = output_of(&mut bench(dsn, 1, runs.path(), &[&PROFILE[..], &["-o", more]].concat()));
        assert!(code != 0 && err.contains(wanted), "{code} {err}");
    }
    let (code, _, err) = output_of(&mut bench("null:", 1, runs.path(), &["-o", "profile=lean"]));
    assert!(code != 0 && err.contains("batched") && err.contains("tpcc-mysql"), "{err}");
}

#[test]
fn a_run_of_both_profiles_says_that_they_are_not_to_be_compared() {
    let runs = tempfile::tempdir().unwrap();
    let plan = runs.path().join("both.toml");
    let text = "schema = 1\nname = \"both\"\n[targets.nobody]\ndsn = \"null:\"\n[[experiment]]\nname = \"tpcc\"\n\
                dataset = \"none\"\nrepeats = 1\nwarmup = \"0s\"\nmeasure = \"1s\"\n[experiment.load]\nkind = \"tpcc\"\n\
                clients = 1\n[experiment.matrix]\n\"load.profile\" = [\"batched\", \"tpcc-mysql\"]\n";
    std::fs::write(&plan, text).unwrap();
    let (code, out, err) = output_of(tenbin().arg("run").arg(&plan).arg("--runs").arg(runs.path().join("runs")));
    assert_eq!(code, 0, "{out}{err}");
    let sentence = "compare only trials of one profile";
    assert!(
        out.contains(sentence) && out.contains("Profile batched: ") && out.contains("Profile tpcc-mysql: "),
        "{out}"
    );
    let run = read_back(&runs.path().join("runs")).0;
    for format in ["markdown", "json"] {
        let (_, out, err) = output_of(tenbin().args(["report", "--format", format]).arg(&run));
        assert!(out.contains(sentence), "{format}: {out}{err}");
    }
    assert!(std::fs::read_to_string(run.join("report.html")).unwrap().contains(sentence));
}
