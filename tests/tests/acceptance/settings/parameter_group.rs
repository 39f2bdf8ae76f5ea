//! Settings of a managed instance by its DB parameter group: a real server behind an imitated Amazon RDS.

use super::{about_variables, journals, plan, recorded, value};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use tenbin_tests::sql::{Address, query};
use tenbin_tests::{
    FakeRds, FakeRdsFaults, Restarting, mariadb, mysql, output_of, read_back, tenbin, wait_until_measured,
};

/// `tenbin` with a state directory of its own, and credentials that no AWS knows.
fn with_credentials(dir: &Path) -> Command {
    let mut command = tenbin();
    for (name, _) in std::env::vars().filter(|(name, _)| name.starts_with("AWS_")) {
        command.env_remove(name);
    }
    command.env("TENBIN_STATE_DIR", dir.join("state")).env("TENBIN_RUNS", dir.join("runs")).env("HOME", dir);
    command.env("AWS_ACCESS_KEY_ID", "AKIDEXAMPLE").env("AWS_SECRET_ACCESS_KEY", "wJalrXUtnFEMI");
    command
}

fn run(dir: &Path, arguments: &[&str]) -> (i32, String, String) {
    output_of(with_credentials(dir).args(arguments))
}

fn states(dir: &Path) -> Vec<String> {
    let (_, json) = read_back(&dir.join("runs"));
    json["trials"].as_array().unwrap().iter().map(|t| t["state"].as_str().unwrap().to_owned()).collect()
}

const MAY_REBOOT: &str = "allow = [\"reboot-instance\"]";

#[test]
fn dynamic_and_static_parameters_are_set_rebooted_read_back_and_put_back() {
    for server in [Restarting::of(mariadb(&[])), Restarting::of(mysql("8.0.31", &[]))] {
        let (rds, dir) = (FakeRds::of(server), tempfile::tempdir().unwrap());
        rds.set_own("sync_binlog", "3");
        let names = ["sync_binlog", "innodb_read_io_threads", "slow_query_log", "innodb_io_capacity"];
        let before = names.map(|name| value(&rds, name));
        let target = format!("{}\n{MAY_REBOOT}\nserver = {{ sync_binlog = 7, slow_query_log = true }}", rds.target());
        let axis = "order = \"sequential\"\nmatrix = { server.innodb_read_io_threads = [2, 3], load.clients = [1, 2] }";
        let path = plan(dir.path(), &rds.dsn(), &target, axis);
        let (code, out, err) = run(dir.path(), &["run", &path]);
        assert!(code == 0 || code == 3, "{code} {out}{err}");
        let text = "note     set: innodb_read_io_threads = 2, slow_query_log = ON, sync_binlog = 7;\n\
                    note     set: innodb_read_io_threads = 3, slow_query_log = ON, sync_binlog = 7;\n\
                    note     put back: innodb_read_io_threads = 4, slow_query_log = OFF, sync_binlog = 3";
        assert_eq!(about_variables(&err), text, "{err}");
        assert!(err.contains("the parameter group own of db-1 was changed"), "{err}");
        assert!(err.contains("db-1 was rebooted for it"), "{err}");
        assert_eq!(states(dir.path()), ["complete"; 4]);
        assert_eq!(recorded(dir.path(), "a", "sync_binlog"), "7");
        assert_eq!(names.map(|name| value(&rds, name)), before);
        // The group has what its user gave it, and nothing else.
        let own = names.map(|name| rds.own(name));
        assert_eq!(own, [Some("3".to_owned()), None, None, None]);
        assert_eq!((rds.reboots(), rds.status(), journals(dir.path())), (3, ("available", "in-sync"), 0));
        let modify = "ModifyDBParameterGroup";
        let reboot = "RebootDBInstance";
        assert_eq!(rds.changes(), [modify, reboot, modify, reboot, modify, "ResetDBParameterGroup", reboot]);
    }
}

#[test]
fn no_request_has_more_than_twenty_parameters() {
    let (rds, dir) = (FakeRds::of(Restarting::of(mariadb(&[]))), tempfile::tempdir().unwrap());
    let seconds = ["net_read_timeout", "net_write_timeout", "wait_timeout", "interactive_timeout", "connect_timeout"];
    let bytes = ["sort_buffer_size", "read_buffer_size", "tmp_table_size", "max_heap_table_size"];
    let more = ["lock_wait_timeout", "innodb_lock_wait_timeout", "max_error_count", "net_retry_count", "sync_binlog"];
    let last = ["table_open_cache", "thread_cache_size", "slow_launch_time", "long_query_time", "max_connect_errors"];
    let others = ["group_concat_max_len", "innodb_old_blocks_time", "innodb_io_capacity"];
    let given =
        |names: &[&str], value: &str| names.iter().map(|name| format!("{name} = {value}, ")).collect::<String>();
    let all = [
        given(&seconds, "333"),
        given(&bytes, "\"1MiB\""),
        given(&more, "77"),
        given(&last, "88"),
        given(&others, "999"),
    ];
    let target = format!("{}\nserver = {{ {} }}", rds.target(), all.concat().trim_end_matches(", "));
    let (code, out, err) = run(dir.path(), &["run", &plan(dir.path(), &rds.dsn(), &target, "")]);
    assert!(code == 0 || code == 3, "{code} {out}{err}");
    let (modify, reset) = ("ModifyDBParameterGroup", "ResetDBParameterGroup");
    assert_eq!(rds.changes(), [modify, modify, reset, reset], "22 of them: {err}");
    assert_eq!((value(&rds, "sync_binlog"), rds.own("sync_binlog"), rds.reboots()), ("0".into(), None, 0));
}

#[test]
fn what_rds_would_refuse_is_told_beforehand_and_nothing_is_touched() {
    let (rds, dir) = (FakeRds::of(Restarting::of(mariadb(&[]))), tempfile::tempdir().unwrap());
    let text_of = |target: &str| {
        let path = plan(dir.path(), &rds.dsn(), &format!("{}\n{target}", rds.target()), "");
        let (code, out, err) = run(dir.path(), &["plan", "check", &path]);
        assert_eq!(code, 1, "{out}{err}");
        err.trim().replace(&rds.endpoint(), "http://ENDPOINT").replace(&format!("{}/", dir.path().display()), "")
    };
    let mut all =
        text_of("server = { max_connections = 5000, innodb_flush_log_at_trx_commit = 3, inodb_io_capacity = 200 }");
    all += &format!(
        "\n{}",
        text_of("server = { innodb_read_io_threads = 8, sync_binlog = \"many\", binlog_format = \"COLUMN\" }")
    );
    rds.set_group("default.mysql8.0", &[], "in-sync");
    all += &format!("\n{}", text_of("server = { sync_binlog = 1 }"));
    rds.set_group("own", &["db-2", "db-3"], "in-sync");
    all += &format!("\n{}", text_of("server = { sync_binlog = 1 }"));
    rds.set_group("own", &[], "pending-reboot");
    all += &format!("\n{}", text_of("server = { sync_binlog = 1 }"));
    insta::assert_snapshot!(all);
    // With permission another instance's group is changed.
    rds.set_group("own", &["db-2"], "in-sync");
    let target = format!("{}\nallow = [\"change-shared-group\"]\nserver.sync_binlog = 1", rds.target());
    let (code, out, err) = run(dir.path(), &["plan", "check", &plan(dir.path(), &rds.dsn(), &target, "")]);
    assert_eq!(code, 0, "{out}{err}");
    assert!(out.contains("change the parameter group of db-1") && !out.contains("reboot"), "{out}");
    let target = format!(
        "{}\nallow = [\"change-shared-group\", \"reboot-instance\"]\nserver.innodb_read_io_threads = 2",
        rds.target()
    );
    let (code, out, err) = run(dir.path(), &["plan", "check", &plan(dir.path(), &rds.dsn(), &target, "")]);
    assert!(code == 0 && out.contains("and reboot db-1 for parameters that need it"), "{out}{err}");
    assert_eq!((rds.changes(), journals(dir.path())), (Vec::new(), 0));
}

#[test]
fn an_account_that_may_not_set_variables_is_shown_the_way_of_managed_servers() {
    let (rds, dir) = (FakeRds::of(Restarting::of(mariadb(&[]))), tempfile::tempdir().unwrap());
    query(&rds, "CREATE USER low@'127.0.0.1' IDENTIFIED BY 'x'");
    query(&rds, "GRANT ALL ON sbtest.* TO low@'127.0.0.1'");
    let dsn = rds.dsn().replace("root@", "low:x@").split('?').next().unwrap().to_owned();
    let target = rds.target().replace("apply = \"parameter-group\"", "server.sync_binlog = 7");
    let (code, _, err) = run(dir.path(), &["plan", "check", &plan(dir.path(), &dsn, &target, "")]);
    assert!(code == 1 && err.contains("the account may not set sync_binlog"), "{code} {err}");
    assert!(err.contains("hint      write apply = \"parameter-group\""), "{err}");
    let target = rds.target() + "\nserver.sync_binlog = 7";
    let (code, out, err) = run(dir.path(), &["run", &plan(dir.path(), &dsn, &target, "")]);
    assert!(code == 0 || code == 3, "{code} {out}{err}");
    assert_eq!((value(&rds, "sync_binlog").as_str(), recorded(dir.path(), "a", "sync_binlog").as_str()), ("0", "7"));
}

#[test]
fn a_refusing_aws_fails_the_trial_and_leaves_nothing_behind() {
    let (rds, dir) = (FakeRds::of(Restarting::of(mariadb(&[]))), tempfile::tempdir().unwrap());
    let target = format!("{}\nserver.sync_binlog = 7", rds.target());
    let path = plan(dir.path(), &rds.dsn(), &target, "");
    for (status, code, words) in [
        (403, "AccessDenied", "the credentials for AWS do not permit rds:ModifyDBParameterGroup"),
        (403, "ExpiredToken", "the credentials for AWS have expired"),
        (400, "Throttling", "AWS did not answer rds:ModifyDBParameterGroup: 5 attempts in"),
        (400, "InvalidDBParameterGroupState", "its parameter group is in a state that does not permit it"),
    ] {
        rds.set_faults(FakeRdsFaults { refused: vec![("ModifyDBParameterGroup", status, code)], ..Default::default() });
        let (exit, out, err) = run(dir.path(), &["run", &path]);
        assert!(exit == 1 && err.contains(words) && err.contains(code), "{code}: {exit} {out}{err}");
        assert_eq!(journals(dir.path()), 0, "{err}");
        assert!(!err.contains("could not be put back"), "{err}");
    }
    assert_eq!(rds.changes(), Vec::<String>::new());
}

#[test]
fn values_that_do_not_reach_the_server_fail_their_trial() {
    let (rds, dir) = (FakeRds::of(Restarting::of(mariadb(&[]))), tempfile::tempdir().unwrap());
    rds.set_faults(FakeRdsFaults { values_are_lost: true, ..Default::default() });
    let target = format!("{}\n{MAY_REBOOT}", rds.target());
    let axis = "order = \"sequential\"\nmatrix = { server.innodb_read_io_threads = [2, 4] }";
    let (code, out, err) = run(dir.path(), &["run", &plan(dir.path(), &rds.dsn(), &target, axis)]);
    assert_eq!(code, 2, "{out}{err}");
    assert_eq!(states(dir.path()), ["failed", "complete"], "{out}{err}");
    assert!(err.contains("the server did not take innodb_read_io_threads = 2"), "{err}");
    assert_eq!((rds.own("innodb_read_io_threads"), journals(dir.path())), (None, 0), "{err}");
}

#[test]
fn a_group_that_keeps_applying_is_told_and_finished_later() {
    let (rds, dir) = (FakeRds::of(Restarting::of(mariadb(&[]))), tempfile::tempdir().unwrap());
    rds.set_faults(FakeRdsFaults { keeps_applying: true, values_are_lost: true, ..Default::default() });
    let target = rds.target().replace("\"parameter-group\"", "{ kind = \"parameter-group\", timeout = \"1s\" }");
    let path = plan(dir.path(), &rds.dsn(), &format!("{target}\nserver.sync_binlog = 7"), "");
    let (code, out, err) = run(dir.path(), &["run", &path]);
    assert_eq!(code, 1, "{out}{err}");
    for words in ["values in the parameter group own are not in effect on db-1", "its status is applying", "waited 1 s"]
    {
        assert!(err.contains(words), "{words}: {err}");
    }
    // The group was reset, but it is not known whether that is in effect.
    assert_eq!((rds.own("sync_binlog"), journals(dir.path())), (None, 1), "{err}");
    let (code, _, err) = run(dir.path(), &["restore-settings"]);
    assert!(code == 0 || err.contains("are not in effect"), "{code} {err}");
    rds.set_faults(FakeRdsFaults::default());
    let (_, out, err) = run(dir.path(), &["restore-settings"]);
    assert_eq!((value(&rds, "sync_binlog").as_str(), journals(dir.path())), ("0", 0), "{out}{err}");
}

#[test]
fn an_instance_that_does_not_come_back_is_told_and_finished_later() {
    let (rds, dir) = (FakeRds::of(Restarting::of(mariadb(&[]))), tempfile::tempdir().unwrap());
    rds.set_faults(FakeRdsFaults { stays_down: true, ..Default::default() });
    let target = rds.target().replace("\"parameter-group\"", "{ kind = \"parameter-group\", timeout = \"2s\" }");
    let target = format!("{target}\n{MAY_REBOOT}\nserver.innodb_read_io_threads = 2");
    let (code, out, err) = run(dir.path(), &["run", &plan(dir.path(), &rds.dsn(), &target, "")]);
    assert_eq!((code, journals(dir.path())), (1, 1), "{out}{err}");
    for words in ["the managed instance db-1 is not available", "its status is rebooting", "tenbin restore-settings"] {
        assert!(err.contains(words), "{words}: {err}");
    }
    rds.set_faults(FakeRdsFaults::default());
    let (code, out, err) = run(dir.path(), &["restore-settings"]);
    assert_eq!((code, journals(dir.path())), (0, 0), "{out}{err}");
    assert!(out.contains("put back: innodb_read_io_threads = 4"), "{out}");
    assert_eq!((rds.own("innodb_read_io_threads"), rds.status()), (None, ("available", "in-sync")));
}

#[test]
fn an_instance_that_does_not_start_with_a_value_gets_the_old_one() {
    let (rds, dir) = (FakeRds::of(Restarting::of(mariadb(&[]))), tempfile::tempdir().unwrap());
    // No such page size for these data.
    let target = format!("{}\n{MAY_REBOOT}", rds.target());
    let axis = "order = \"sequential\"\nmatrix = { server.innodb_page_size = [65536, 16384] }";
    let (code, out, err) = run(dir.path(), &["run", &plan(dir.path(), &rds.dsn(), &target, axis)]);
    assert_eq!(code, 2, "{out}{err}");
    assert_eq!(states(dir.path()), ["failed", "complete"], "{out}{err}");
    assert!(err.contains("its status is incompatible-parameters"), "{err}");
    assert_eq!(
        (value(&rds, "innodb_page_size").as_str(), rds.reboots(), journals(dir.path())),
        ("16384", 2, 0),
        "{err}"
    );
}

/// A run that has begun to measure; its problems go into a file of that name.
fn long_run(dir: &Path, rds: &FakeRds, target: &str, measure: &str, name: &str) -> Child {
    let path = plan(dir, &rds.dsn(), target, "");
    let text = std::fs::read_to_string(&path).unwrap().replace("300ms", measure);
    std::fs::write(dir.join("long.toml"), text).unwrap();
    let (runs, file) = (dir.join(name), std::fs::File::create(dir.join(format!("{name}.txt"))).unwrap());
    let mut command = with_credentials(dir);
    command.arg("run").arg(dir.join("long.toml")).arg("--runs").arg(&runs);
    let running = command.stdout(Stdio::null()).stderr(file).spawn().unwrap();
    wait_until_measured(&runs, 2);
    running
}

#[test]
fn a_stopped_run_puts_back_and_reboots() {
    let (rds, dir) = (FakeRds::of(Restarting::of(mariadb(&[]))), tempfile::tempdir().unwrap());
    let target = format!("{}\n{MAY_REBOOT}\nserver = {{ sync_binlog = 17, innodb_read_io_threads = 2 }}", rds.target());
    let mut running = long_run(dir.path(), &rds, &target, "120s", "stopped");
    output_of(Command::new("kill").arg("-INT").arg(running.id().to_string()));
    assert_eq!(running.wait().unwrap().code(), Some(130));
    assert_eq!(["sync_binlog", "innodb_read_io_threads"].map(|name| value(&rds, name)), ["0", "4"]);
    assert_eq!((rds.own("innodb_read_io_threads"), rds.reboots(), journals(dir.path())), (None, 2, 0));
}

#[test]
fn credentials_that_expire_in_a_run_leave_a_journal_that_is_finished_with_new_ones() {
    let (rds, dir) = (FakeRds::of(Restarting::of(mariadb(&[]))), tempfile::tempdir().unwrap());
    let target = format!("{}\nserver.sync_binlog = 17", rds.target());
    let mut running = long_run(dir.path(), &rds, &target, "5s", "expired");
    let refused = ["DescribeDBInstances", "DescribeDBParameters", "ModifyDBParameterGroup", "ResetDBParameterGroup"];
    let refused = refused.map(|action| (action, 403, "ExpiredToken")).to_vec();
    rds.set_faults(FakeRdsFaults { refused, ..Default::default() });
    assert_ne!(running.wait().unwrap().code(), Some(0));
    let text = std::fs::read_to_string(dir.path().join("expired.txt")).unwrap();
    for words in ["could not be put back", "the credentials for AWS have expired", "tenbin restore-settings"] {
        assert!(text.contains(words), "{words}: {text}");
    }
    assert_eq!((value(&rds, "sync_binlog").as_str(), journals(dir.path())), ("17", 1));
    let (code, _, err) = run(dir.path(), &["restore-settings"]);
    assert!(code == 2 && err.contains("the credentials for AWS have expired"), "{code} {err}");
    rds.set_faults(FakeRdsFaults::default());
    let (code, out, err) = run(dir.path(), &["restore-settings"]);
    assert_eq!((code, value(&rds, "sync_binlog").as_str(), journals(dir.path())), (0, "0", 0), "{out}{err}");
}

#[test]
fn what_a_killed_run_left_in_a_group_is_put_back() {
    let (rds, dir) = (FakeRds::of(Restarting::of(mariadb(&[]))), tempfile::tempdir().unwrap());
    rds.set_own("sync_binlog", "3");
    let target = format!("{}\n{MAY_REBOOT}\nserver = {{ sync_binlog = 17, innodb_read_io_threads = 2 }}", rds.target());
    let left = |name: &str| {
        let mut running = long_run(dir.path(), &rds, &target, "120s", name);
        running.kill().unwrap();
        running.wait().unwrap();
        assert_eq!(["sync_binlog", "innodb_read_io_threads"].map(|name| value(&rds, name)), ["17", "2"]);
        assert_eq!(journals(dir.path()), 1);
    };
    let is_back = |text_of: &str| {
        assert_eq!(["sync_binlog", "innodb_read_io_threads"].map(|name| value(&rds, name)), ["3", "4"], "{text_of}");
        let own = [rds.own("sync_binlog"), rds.own("innodb_read_io_threads")];
        assert_eq!((own, journals(dir.path())), ([Some("3".to_owned()), None], 0), "{text_of}");
    };
    left("first");
    let journal = std::fs::read_dir(dir.path().join("state/.settings")).unwrap().next().unwrap().unwrap().path();
    let text = std::fs::read_to_string(journal).unwrap();
    assert!(text.contains("\"group\":\"own\"") && !text.contains("wJalrXUtnFEMI"), "{text}");
    let (code, out, err) = run(dir.path(), &["restore-settings"]);
    assert_eq!(code, 0, "{out}{err}");
    is_back(&format!("{out}{err}"));
    // The next run does the same, also if it sets nothing itself.
    left("second");
    let (code, out, err) = run(dir.path(), &["run", &plan(dir.path(), &rds.dsn(), "", "")]);
    assert!(code == 0 || code == 3, "{code} {out}{err}");
    assert!(err.contains("an interrupted run had left variables of"), "{err}");
    is_back(&err);
}

#[test]
fn what_somebody_else_has_given_the_group_is_left_and_told() {
    let (rds, dir) = (FakeRds::of(Restarting::of(mariadb(&[]))), tempfile::tempdir().unwrap());
    rds.set_own("sync_binlog", "3");
    let wanted = "server = { sync_binlog = 17, innodb_read_io_threads = 2, innodb_io_capacity = 300 }";
    let target = format!("{}\n{MAY_REBOOT}\n{wanted}", rds.target());
    let mut running = long_run(dir.path(), &rds, &target, "120s", "killed");
    running.kill().unwrap();
    running.wait().unwrap();
    rds.set_own("sync_binlog", "5");
    let (code, out, err) = run(dir.path(), &["restore-settings"]);
    assert_eq!((code, journals(dir.path())), (0, 0), "{out}{err}");
    assert!(out.contains("put back: innodb_io_capacity = 200, innodb_read_io_threads = 4"), "{out}{err}");
    assert!(out.contains("sync_binlog of ") && out.contains("is 5") && out.contains("somebody else"), "{out}{err}");
    let names = ["sync_binlog", "innodb_read_io_threads", "innodb_io_capacity"];
    assert_eq!(names.map(|name| rds.own(name)), [Some("5".to_owned()), None, None], "{out}{err}");
    assert_eq!(names.map(|name| value(&rds, name)), ["5", "4", "200"], "{out}{err}");
}
