//! Nothing is written to a replica or a read-only server unless the user says so, and the doctor names a server's role.

use tenbin_tests::sql::{Address, query};
use tenbin_tests::{output_of, read_back, replication, standby, tenbin, wait_until_measured};

const TABLE: [&str; 4] = ["--tables", "1", "--table-size", "1000"];

#[test]
fn a_replica_is_written_to_only_when_it_is_allowed() {
    let both = replication(&[]);
    let dir = tempfile::tempdir().unwrap();
    let (source, replica) = (both.source.dsn(), both.replica.dsn());
    let run = |name: &str, words: &[&str]| {
        let mut command = tenbin();
        command.args(words).args(TABLE);
        if words[0] == "bench" {
            command.args(["--time", "1", "--threads", "2", "--runs"]).arg(dir.path().join(name));
        }
        output_of(&mut command)
    };

    // The replica has no read_only: its server would take every row, and replication would stop at the first CREATE.
    let (code, _, err) = run("load", &["load", "oltp_read_write", &replica]);
    assert_eq!(code, 1, "{err}");
    assert!(err.contains("the server is a replica: rows written to it would make its data differ"), "{err}");
    assert!(err.contains("replica of 127.0.0.1:") && err.contains("--allow write-replica"), "{err}");
    assert_eq!(run("source", &["load", "oltp_read_write", &source]).0, 0);
    both.caught_up();
    let sums = || [&both.source, &both.replica].map(|s| query(s, "CHECKSUM TABLE sbtest1")[0][1].clone());
    assert_eq!(sums()[0], sums()[1]);

    for words in [
        &["bench", "oltp_write_only", &replica][..],
        &["bench", "oltp_write_only", &replica, "--allow", "write-unmarked"],
        &["load", "oltp_read_write", &replica, "--drop"],
        &["load", "oltp_read_write", &replica, "--only-drop"],
    ] {
        let (code, _, err) = run("write", words);
        assert!(code == 1 && err.contains("the server is a replica"), "{words:?}: {code} {err}");
    }
    let (code, out, err) = run("read", &["bench", "oltp_point_select", &replica]);
    assert!([0, 3].contains(&code), "{code} {out}{err}");
    let own = |script: &str| {
        std::fs::write(dir.path().join("own.sql"), script).unwrap();
        let words = ["bench", "own.sql", &replica, "--time", "1", "--threads", "1", "--allow", "write-unmarked"];
        output_of(tenbin().args(words).args(["--runs", "own"]).current_dir(dir.path()))
    };
    let (code, _, err) = own("UPDATE sbtest1 SET k = k + 1 WHERE id = 1;\n");
    assert!(code == 1 && err.contains("the server is a replica"), "{code} {err}");
    let (code, out, err) = own("SELECT k FROM sbtest1 WHERE id = 1;\n");
    assert!([0, 3].contains(&code), "{code} {out}{err}");
    assert!(both.runs() && sums()[0] == sums()[1], "nothing was written to it");

    // As root, whom read_only does not keep from writing.
    query(&both.replica, "SET GLOBAL read_only = 1");
    let (code, _, err) = run("read-only", &["bench", "oltp_write_only", &replica]);
    assert!(code == 1 && err.contains("; read_only ON"), "{err}");
    assert_eq!(sums()[0], sums()[1]);
    let (code, out, err) = run("allowed", &["bench", "oltp_write_only", &replica, "--allow", "write-replica"]);
    assert!([0, 3].contains(&code), "{code} {out}{err}");
    assert!(err.contains("this run writes to a replica") && sums()[0] != sums()[1], "as it was told: {err}");

    let doctor = |at: &str| output_of(tenbin().args(["doctor", at])).1;
    let text = doctor(&replica);
    assert!(text.contains("warning  the server is a replica\n           replica of 127.0.0.1:"), "{text}");
    assert!(text.contains("s behind by its own account; read_only ON"), "{text}");
    let text = doctor(&source);
    assert!(
        text.contains("what is written to the server goes to its replicas too\n           source of 1 replica"),
        "{text}"
    );
    query(&both.replica, "STOP SLAVE");
    assert!(doctor(&replica).contains("how far behind is not known (replication may be stopped)"));

    // A server that is only set read-only.
    query(&both.replica, "RESET SLAVE ALL");
    let (code, _, err) = run("alone", &["load", "oltp_read_write", &replica, "--drop"]);
    assert!(code == 1 && err.contains("the server is read-only: nothing is written to it"), "{err}");
    query(&both.replica, "SET GLOBAL read_only = 0");
    assert!(doctor(&replica).contains("the server is no replica and has none connected"));
    assert_eq!(run("again", &["load", "oltp_read_write", &replica, "--drop"]).0, 0);
}

/// What a commit of a replica survives is a part of what its lag means, and is looked at after the load as that of the source is.
#[test]
fn what_others_set_on_a_replica_in_a_trial_makes_it_invalid() {
    let both = replication(&[]);
    let dir = tempfile::tempdir().unwrap();
    let plan = dir.path().join("plan.toml");
    let text = format!(
        "schema = 1\n[targets.a]\ndsn = \"{}\"\nreplicas = {{ r1 = {{ dsn = \"{}\" }} }}\n[datasets.sb]\nkind = \"sysbench\"\n\
         tables = 1\ntable_size = 1000\n[[experiment]]\ndataset = \"sb\"\nrepeats = 1\nwarmup = \"0s\"\nmeasure = \"3s\"\n\
         load = {{ workload = \"oltp_write_only\", clients = 1, calibrate = \"never\" }}\n",
        both.source.dsn(),
        both.replica.dsn()
    );
    std::fs::write(&plan, text).unwrap();
    let doubts = |name: &str, statement: &str| -> Vec<String> {
        let runs = dir.path().join(name);
        let run = || output_of(tenbin().arg("run").arg(&plan).arg("--runs").arg(&runs));
        std::thread::scope(|scope| {
            let running = scope.spawn(run);
            wait_until_measured(&runs, 1);
            query(&both.replica, statement);
            running.join().unwrap()
        });
        let doubts = read_back(&runs).1["trials"][0]["doubts"].as_array().unwrap().clone();
        let of_settings = doubts.iter().filter(|doubt| doubt["code"].as_str().unwrap().contains("settings"));
        of_settings
            .map(|doubt| format!("{} {}", doubt["verdict"].as_str().unwrap(), doubt["problem"]["evidence"]))
            .collect()
    };
    assert_eq!(doubts("same", "SELECT 1"), Vec::<String>::new());
    let changed = doubts("changed", "SET GLOBAL innodb_flush_log_at_trx_commit = 0");
    let evidence = "\"r1: innodb_flush_log_at_trx_commit was 1 before the load, and 0 after it\"";
    assert_eq!(changed, [format!("INVALID {evidence}")]);
}

#[test]
fn a_standby_of_postgresql_is_known() {
    let both = standby();
    let dir = tempfile::tempdir().unwrap();
    let mut load = tenbin();
    assert_eq!(output_of(load.args(["load", "oltp_read_write", &both.primary.dsn()]).args(TABLE)).0, 0);
    let (code, _, err) = output_of(tenbin().args(["load", "oltp_read_write", &both.dsn(), "--drop"]).args(TABLE));
    assert!(code == 1 && err.contains("the server is a replica") && err.contains("replica of 127.0.0.1:"), "{err}");
    let mut write = tenbin();
    write.args(["bench", "oltp_write_only", &both.dsn(), "--time", "1", "--runs"]).arg(dir.path()).args(TABLE);
    let (code, _, err) = output_of(&mut write);
    assert!(code == 1 && err.contains("the server is a replica"), "{code} {err}");
    let text_of = |at: &str| output_of(tenbin().args(["doctor", at])).1;
    assert!(text_of(&both.dsn()).contains("warning  the server is a replica\n           replica of 127.0.0.1:"));
    assert!(text_of(&both.primary.dsn()).contains("source of 1 replica"));
}
