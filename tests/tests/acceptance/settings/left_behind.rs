//! Runs that are killed, stopped or beside another: what they changed is put back by them or by the next one.

use super::{about_variables, journals, plan, recorded, run, value};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Stdio};
use tenbin_tests::sql::{Address, query};
use tenbin_tests::{Phoenix, Restarting, mariadb, mysql, output_of, postgres, tenbin, wait_until_measured};

/// A long run that has begun to measure.
fn long_run(dir: &Path, dsn: &str, target: &str) -> Child {
    let path = plan(dir, dsn, target, "");
    let text = std::fs::read_to_string(&path).unwrap().replace("300ms", "120s");
    let path = dir.join("long.toml");
    std::fs::write(&path, text).unwrap();
    let runs = dir.join("long");
    let mut command = tenbin();
    command.arg("run").arg(path).env("TENBIN_STATE_DIR", dir.join("state")).arg("--runs").arg(&runs);
    let file = std::fs::File::create(runs.with_extension("log")).unwrap();
    let child = command.stdout(Stdio::null()).stderr(file).spawn().unwrap();
    wait_until_measured(&runs, 2);
    child
}

fn journal(dir: &Path) -> PathBuf {
    let mut all = std::fs::read_dir(dir.join("state/.settings")).unwrap();
    all.next().unwrap().unwrap().path()
}

/// A run that has set these variables and was killed.
pub(super) fn killed(dir: &Path, dsn: &str, target: &str) {
    let mut running = long_run(dir, dsn, target);
    running.kill().unwrap();
    running.wait().unwrap();
}

#[test]
fn what_a_killed_run_left_is_put_back_by_the_next_one() {
    let (maria, oracle, pg) = (mariadb(&[]), mysql("8.0.31", &[]), postgres(&[]));
    let cases: [(&dyn Fn() -> String, &str, &str, &str); 3] = [
        (&|| maria.dsn(), "sync_binlog", "server.sync_binlog = 17", "17"),
        (&|| oracle.dsn(), "sync_binlog", "apply = \"persist\"\nserver.sync_binlog = 17", "17"),
        (&|| pg.dsn(), "work_mem", "server.work_mem = \"17MB\"", "17MB"),
    ];
    for (dsn, variable, target, changed) in cases {
        let (dir, dsn) = (tempfile::tempdir().unwrap(), dsn());
        let before = value(&dsn, variable);
        killed(dir.path(), &dsn, target);
        assert_eq!(value(&dsn, variable), changed);
        let mode = journal(dir.path()).metadata().unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o600, "{mode:o}");
        // One that sets nothing itself would measure what was left.
        let (code, out, err) = run(dir.path(), &["run", &plan(dir.path(), &dsn, "", "")]);
        assert!(code == 0 || code == 3, "{code} {out}{err}");
        assert!(err.contains("an interrupted run had left variables of"), "{err}");
        assert_eq!((value(&dsn, variable), journals(dir.path())), (before, 0), "{err}");
    }
}

#[test]
fn restore_settings_lists_and_finishes() {
    let server = mariadb(&[("sync_binlog", "3")]);
    let dir = tempfile::tempdir().unwrap();
    let (code, out, _) = run(dir.path(), &["restore-settings"]);
    assert_eq!((code, out.as_str()), (0, "no run has left variables of a server changed\n"));
    killed(dir.path(), &server.dsn(), "server = { sync_binlog = 17, max_connections = 99 }");
    let plain = |text: &str| {
        let who = text.find(" by process ").map(|at| (at, text[at..].find(';').map_or(text.len(), |end| at + end)));
        let text = who.map_or(text.to_owned(), |(from, to)| format!("{} …{}", &text[..from], &text[to..]));
        let host = server.dsn().split('@').nth(1).unwrap().split('?').next().unwrap().to_owned();
        text.replace(&host, "SERVER")
    };
    let (code, listed, err) = run(dir.path(), &["restore-settings", "--list"]);
    assert_eq!((code, value(&server, "sync_binlog").as_str()), (0, "17"), "{err}");
    insta::assert_snapshot!(plain(&listed), @r"
    mysql://root@SERVER, changed by run settings …; former values:
      max_connections = 10100
      sync_binlog = 3
    ");
    // Another server has nothing left.
    let other = mariadb(&[]);
    let (_, out, _) = run(dir.path(), &["restore-settings", &other.dsn()]);
    assert_eq!(out, "no run has left variables of a server changed\n");
    let (code, out, err) = run(dir.path(), &["restore-settings"]);
    assert_eq!((code, journals(dir.path())), (0, 0), "{out}{err}");
    insta::assert_snapshot!(plain(&out), @r"
    mysql://root@SERVER, changed by run settings …; former values:
      max_connections = 10100
      sync_binlog = 3
    put back: max_connections = 10100, sync_binlog = 3
    ");
    assert_eq!(value(&server, "sync_binlog"), "3");
}

#[test]
fn what_a_killed_run_left_is_put_back_from_any_directory() {
    let server = Restarting::of(mariadb(&[]));
    query(&server, "CREATE USER bench@'127.0.0.1' IDENTIFIED BY 'Tb1'");
    query(&server, "GRANT ALL ON *.* TO bench@'127.0.0.1'");
    let dsn = server.dsn().replace("root@", "bench@");
    let (address, _) = dsn.split_once('?').unwrap_or((&dsn, ""));
    let in_file = format!("{address}?password_file=password");
    let option_file = server.option_file();
    for (dsn, target) in [
        (address, "password_file = \"password\"\nserver.sync_binlog = 17".to_owned()),
        (&in_file, "server.sync_binlog = 17".to_owned()),
        (
            &in_file,
            format!("apply = {{ file = {option_file:?}, restart = \"sh restart.sh\" }}\nserver.sync_binlog = 17"),
        ),
    ] {
        let dir = tempfile::tempdir().unwrap();
        std::fs::write(dir.path().join("password"), "Tb1\n").unwrap();
        std::fs::write(dir.path().join("restart.sh"), server.command()).unwrap();
        let text = std::fs::read_to_string(plan(dir.path(), dsn, &target, "")).unwrap().replace("300ms", "120s");
        std::fs::write(dir.path().join("plan.toml"), text).unwrap();
        let mut command = tenbin();
        command.args(["run", "plan.toml", "--runs", "runs"]).current_dir(dir.path());
        command.env("TENBIN_STATE_DIR", dir.path().join("state"));
        let mut running = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        wait_until_measured(&dir.path().join("runs"), 2);
        running.kill().unwrap();
        running.wait().unwrap();
        assert_eq!(value(&server, "sync_binlog"), "17");
        let (code, out, err) = run(dir.path(), &["restore-settings"]);
        assert_eq!((code, value(&server, "sync_binlog").as_str()), (0, "0"), "{target}: {out}{err}");
        assert_eq!((journals(dir.path()), option_file.exists()), (0, false));
    }
}

#[test]
fn restore_settings_names_a_server_that_was_left_stopped() {
    let server = Restarting::of(mariadb(&[]));
    let (dir, (stop, start), pid) = (tempfile::tempdir().unwrap(), server.commands(), server.pid());
    let restored = |start: &str| {
        let store = dir.path().join("store");
        let restore = format!("restore = {{ kind = \"copy\", stop = {stop:?}, start = {start:?}, store = {store:?} }}");
        plan(dir.path(), &server.dsn(), &restore, "restore = \"before-run\"")
    };
    let mut command = tenbin();
    command.args(["run", &restored(&format!("sleep 60; {start}"))]).env("TENBIN_RUNS", dir.path().join("runs"));
    command.env("TENBIN_STATE_DIR", dir.path().join("state"));
    let mut running = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    while Path::new(&format!("/proc/{pid}")).exists() {
        assert!(running.try_wait().unwrap().is_none(), "it did not stop the server");
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
    running.kill().unwrap();
    running.wait().unwrap();
    let (code, out, err) = run(dir.path(), &["restore-settings"]);
    assert!(code == 2 && err.contains("a run that was killed has left the server"), "{code} {out}{err}");
    assert!(err.contains("the same plan") && err.contains(&start), "{err}");
    let (_, _, err) = run(dir.path(), &["run", &restored(&start)]);
    assert!(err.contains("put in order and the server started"), "{err}");
    let (code, out, err) = run(dir.path(), &["restore-settings"]);
    assert_eq!((code, out.as_str()), (0, "no run has left variables of a server changed\n"), "{err}");
}

#[test]
fn a_server_that_is_gone_keeps_its_journal() {
    let mut server = Phoenix::start(&[]);
    let dir = tempfile::tempdir().unwrap();
    let before = value(&server, "max_connections");
    killed(dir.path(), &server.dsn(), "server.max_connections = 99");
    server.signal("STOP");
    server.crash();
    let (code, _, err) = run(dir.path(), &["restore-settings"]);
    assert!(code == 2 && journals(dir.path()) == 1, "{code} {err}");
    server.rise();
    let (code, out, err) = run(dir.path(), &["restore-settings"]);
    // The restart has put it back already, which is read and not assumed.
    assert_eq!((code, journals(dir.path()), value(&server, "max_connections")), (0, 0, before), "{out}{err}");
}

#[test]
fn a_stopped_run_puts_back_and_a_second_run_is_refused_meanwhile() {
    let server = mariadb(&[]);
    let before = value(&server, "sync_binlog");
    let dir = tempfile::tempdir().unwrap();
    let mut running = long_run(dir.path(), &server.dsn(), "server.sync_binlog = 17");
    let path = plan(dir.path(), &server.dsn(), "server.sync_binlog = 18", "");
    for arguments in [["run", &path].as_slice(), &["plan", "check", &path]] {
        let (code, _, err) = run(dir.path(), arguments);
        let who = format!("run settings by process {} on ", running.id());
        assert!(code == 1 && err.contains("another run is changing variables") && err.contains(&who), "{code} {err}");
    }
    let (code, _, err) = run(dir.path(), &["restore-settings"]);
    assert!(code == 2 && err.contains("another run is changing variables"), "{code} {err}");
    assert_eq!(value(&server, "sync_binlog"), "17");
    output_of(std::process::Command::new("kill").arg("-INT").arg(running.id().to_string()));
    assert_eq!(running.wait().unwrap().code(), Some(130));
    assert_eq!((value(&server, "sync_binlog"), journals(dir.path())), (before, 0));
}

#[test]
fn what_somebody_else_has_set_meanwhile_is_left_and_told() {
    let (maria, pg) = (mariadb(&[]), postgres(&[]));
    for (dsn, variable, ours, theirs, set) in [
        (maria.dsn(), "sync_binlog", "17", "5", vec!["SET GLOBAL sync_binlog = 5"]),
        (pg.dsn(), "work_mem", "\"17MB\"", "5MB", vec!["ALTER SYSTEM SET work_mem = '5MB'", "SELECT pg_reload_conf()"]),
    ] {
        let dir = tempfile::tempdir().unwrap();
        // A second variable that is changed by nothing else is put back.
        let (other, value_of_other) =
            if variable == "work_mem" { ("synchronous_commit", "\"off\"") } else { ("max_connections", "99") };
        let before = value(&dsn, other);
        killed(dir.path(), &dsn, &format!("server = {{ {variable} = {ours}, {other} = {value_of_other} }}"));
        set.into_iter().for_each(|sql| _ = query(&dsn, sql));
        while value(&dsn, variable) != theirs {}
        let (code, out, err) = run(dir.path(), &["restore-settings"]);
        assert_eq!((code, journals(dir.path())), (0, 0), "{out}{err}");
        assert!(out.contains(&format!("put back: {other} = ")), "{out}{err}");
        assert!(out.contains(&format!("{variable} of ")) && out.contains("somebody else has changed it"), "{out}{err}");
        assert_eq!((value(&dsn, variable), value(&dsn, other)), (theirs.to_owned(), before), "{out}{err}");
    }
}

#[test]
fn what_somebody_else_sets_between_two_trials_is_told_and_put_back_at_the_end() {
    let (maria, pg) = (mariadb(&[]), postgres(&[]));
    for (dsn, axis, variable, theirs, set) in [
        (maria.dsn(), "server.sync_binlog = [17, 18]", "sync_binlog", "5", vec!["SET GLOBAL sync_binlog = 5"]),
        (
            pg.dsn(),
            "server.work_mem = [\"17MB\", \"18MB\"]",
            "work_mem",
            "5MB",
            vec!["ALTER SYSTEM SET work_mem = '5MB'", "SELECT pg_reload_conf()"],
        ),
        // Of a list of switches they have changed another one.
        (
            maria.dsn(),
            "server.optimizer_switch = [\"mrr=on\", \"mrr_cost_based=on\"]",
            "optimizer_switch",
            "index_merge=off,",
            vec!["SET GLOBAL optimizer_switch = 'index_merge=off'"],
        ),
    ] {
        let dir = tempfile::tempdir().unwrap();
        let (done, go) = (dir.path().join("done"), dir.path().join("go"));
        let command = format!("touch {}; until test -e {}; do sleep 0.05; done", done.display(), go.display());
        let hooks = format!("hooks = {{ after_trial = {command:?} }}");
        let axis = format!("order = \"sequential\"\nmatrix = {{ {axis} }}");
        let path = plan(dir.path(), &dsn, &hooks, &axis);
        let before = value(&dsn, variable);
        let (code, out, err) = std::thread::scope(|scope| {
            let running = scope.spawn(|| run(dir.path(), &["run", &path]));
            while !done.exists() && !running.is_finished() {
                std::thread::sleep(std::time::Duration::from_millis(20));
            }
            set.iter().for_each(|sql| _ = query(&dsn, sql));
            std::fs::write(&go, "").unwrap();
            running.join().unwrap()
        });
        assert!(code == 0 || code == 3, "{code} {out}{err}");
        assert!(err.contains(&format!("somebody else has set {variable} of ")), "{err}");
        let now = value(&dsn, variable);
        match variable {
            "optimizer_switch" => assert_eq!(now, before.replace("index_merge=on,", theirs), "{err}"),
            _ => assert_eq!(now, theirs, "{err}"),
        }
        assert_eq!(journals(dir.path()), 0);
    }
}

#[test]
fn what_is_left_of_a_server_is_found_by_each_of_its_addresses() {
    let pg = postgres(&[]);
    let before = value(&pg, "work_mem");
    let by_name = pg.dsn().replace("127.0.0.1", "localhost");
    let dir = tempfile::tempdir().unwrap();
    killed(dir.path(), &pg.dsn(), "server.work_mem = \"17MB\"");
    let (code, out, err) = run(dir.path(), &["restore-settings", &by_name]);
    assert_eq!((code, journals(dir.path())), (0, 0), "{out}{err}");
    assert_eq!(value(&pg, "work_mem"), before);
    // By an address that is not known to be the same machine's, as an earlier version noted it.
    std::fs::remove_dir_all(dir.path().join("long")).unwrap();
    killed(dir.path(), &pg.dsn(), "server.work_mem = \"17MB\"");
    let left = journal(dir.path());
    let elsewhere = std::fs::read_to_string(&left).unwrap().replace("localhost:", "db1:").replace("127.0.0.1:", "db1:");
    std::fs::remove_file(&left).unwrap();
    std::os::unix::fs::OpenOptionsExt::mode(std::fs::File::options().write(true).create_new(true), 0o600)
        .open(left.with_file_name("earlier.jsonl"))
        .and_then(|mut file| std::io::Write::write_all(&mut file, elsewhere.as_bytes()))
        .unwrap();
    for arguments in
        [vec!["restore-settings".to_owned(), by_name], vec!["run".into(), plan(dir.path(), &pg.dsn(), "", "")]]
    {
        let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
        let (code, out, err) = run(dir.path(), &arguments);
        assert!(code != 0 && err.contains("by another address: postgres://"), "{code} {out}{err}");
        assert!(err.contains("tenbin restore-settings") && journals(dir.path()) == 1, "{err}");
    }
}

#[test]
fn another_account_or_machine_is_refused_while_a_run_sets_variables() {
    let (maria, pg) = (mariadb(&[]), postgres(&[]));
    // On another database of PostgreSQL too: its settings are those of the whole server.
    let other_database = pg.dsn().replace("/sbtest", "/postgres");
    for (dsn, other, variable) in
        [(maria.dsn(), maria.dsn(), "sync_binlog"), (pg.dsn(), other_database, "deadlock_timeout")]
    {
        let (dir, elsewhere) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let before = value(&dsn, variable);
        let mut running = long_run(dir.path(), &dsn, &format!("server.{variable} = 1234"));
        let during = value(&dsn, variable);
        assert_ne!(during, before);
        // With a state directory of its own, as another account has.
        let path = plan(elsewhere.path(), &other, &format!("server.{variable} = 18"), "");
        let (code, out, err) = run(elsewhere.path(), &["run", &path]);
        assert!(code != 0 && err.contains("another run is changing variables"), "{code} {out}{err}");
        assert_eq!((value(&dsn, variable), journals(elsewhere.path())), (during, 0));
        output_of(std::process::Command::new("kill").arg("-INT").arg(running.id().to_string()));
        assert_eq!(running.wait().unwrap().code(), Some(130));
        assert_eq!((value(&dsn, variable), journals(dir.path())), (before, 0));
    }
}

#[test]
fn a_lock_that_a_restart_of_the_server_has_ended_is_that_of_who_takes_it() {
    for (server, settings, words) in [
        (mariadb(&[]), Some(("sync_binlog", "17", "18")), "another run is changing variables"),
        // These outlive the restart.
        (postgres(&[]), Some(("work_mem", "\"17MB\"", "\"18MB\"")), "another run is changing variables"),
        (mariadb(&[]), None, "another run or load of Tenbin is under way"),
    ] {
        let server = Restarting::of(server);
        let (dir, elsewhere) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let now = || settings.map(|(variable, ..)| value(&server, variable));
        let before = now();
        let set = |value: &str| settings.map_or(String::new(), |(variable, ..)| format!("server.{variable} = {value}"));
        let (again, go) = (dir.path().join("again"), dir.path().join("go"));
        let command = format!(
            "test $TENBIN_REPEAT = 1 || {{ {} && touch {} && until test -e {}; do sleep 0.05; done; }}",
            server.command(),
            again.display(),
            go.display()
        );
        let target = format!("{}\nhooks = {{ before_trial = {command:?} }}", set(settings.map_or("", |(_, a, _)| a)));
        let path = plan(dir.path(), &server.dsn(), &target, "");
        let text = std::fs::read_to_string(&path).unwrap().replace("repeats = 1", "repeats = 2");
        std::fs::write(&path, text).unwrap();
        std::thread::scope(|scope| {
            let first = scope.spawn(|| run(dir.path(), &["run", &path]));
            while !again.exists() {
                assert!(!first.is_finished(), "{:?}", first.join());
                std::thread::sleep(std::time::Duration::from_millis(20));
            }
            let mut other = long_run(elsewhere.path(), &server.dsn(), &set(settings.map_or("", |(_, _, b)| b)));
            let during = now();
            std::fs::write(&go, "").unwrap();
            let (code, out, err) = first.join().unwrap();
            assert!(code != 0 && err.contains(words), "{code} {out}{err}");
            assert_eq!(now(), during, "those of the other run: {err}");
            output_of(std::process::Command::new("kill").arg("-INT").arg(other.id().to_string()));
            assert_eq!(other.wait().unwrap().code(), Some(130));
        });
        let (code, out, err) = run(dir.path(), &["restore-settings"]);
        assert_eq!((code, now(), journals(dir.path()), journals(elsewhere.path())), (0, before, 0, 0), "{out}{err}");
    }
}

#[test]
fn a_damaged_foreign_or_linked_journal_is_refused_and_left_alone() {
    let server = mariadb(&[]);
    let dir = tempfile::tempdir().unwrap();
    killed(dir.path(), &server.dsn(), "server.sync_binlog = 17");
    let path = journal(dir.path());
    let good = std::fs::read_to_string(&path).unwrap();
    assert!(!good.contains("Tb1"), "no password: {good}");
    let target = dir.path().join("elsewhere");
    let next = plan(dir.path(), &server.dsn(), "server.sync_binlog = 18", "");
    let refused = |what: &str| {
        let (code, _, err) = run(dir.path(), &["run", &next]);
        assert!(code == 1 && err.contains("the journal of changed variables cannot be used"), "{what}: {code} {err}");
        assert_eq!(value(&server, "sync_binlog"), "17", "{what}");
        let (code, _, err) = run(dir.path(), &["restore-settings"]);
        assert!(code == 2 && err.contains("rm "), "{what}: {code} {err}");
    };
    std::fs::write(&path, good.replace("\"setting\"", "\"seting\"")).unwrap();
    refused("damaged");
    // By its data directory, which comes last.
    let (before, after) = good.split_once("\"server\":\"").unwrap();
    std::fs::write(&path, format!("{before}\"server\":\"{}", after.replacen('"', "x\"", 1))).unwrap();
    refused("of another server");
    std::fs::remove_file(&path).unwrap();
    std::fs::write(&target, &good).unwrap();
    std::os::unix::fs::symlink(&target, &path).unwrap();
    refused("a link");
    assert_eq!(std::fs::read_to_string(&target).unwrap(), good);
    std::fs::remove_file(&path).unwrap();
    // A change that was not made: its line is incomplete.
    std::fs::write(&path, format!("{good}{{\"setting\":\"max_conn")).unwrap();
    let (code, out, err) = run(dir.path(), &["restore-settings"]);
    assert_eq!((code, value(&server, "sync_binlog").as_str()), (0, "0"), "{out}{err}");
    assert_eq!(about_variables(&out), "put back: sync_binlog = 0");
}

#[test]
fn two_targets_on_one_server_have_their_own_values() {
    let server = mariadb(&[]);
    query(&server, "SET GLOBAL sync_binlog = 3");
    let dir = tempfile::tempdir().unwrap();
    let dsn = server.dsn();
    let target = format!(
        "server.sync_binlog = 11\n[targets.b]\ndsn = {dsn:?}\nserver.sync_binlog = 12\n[targets.c]\ndsn = {dsn:?}"
    );
    let path = plan(dir.path(), &dsn, &target, "order = \"sequential\"");
    let (code, out, err) = run(dir.path(), &["run", &path]);
    assert!(code == 0 || code == 3, "{code} {out}{err}");
    insta::assert_snapshot!(about_variables(&err), @r"
    note     set: sync_binlog = 11;
    note     set: sync_binlog = 12;
    note     put back: sync_binlog = 3
    ");
    let of = |target: &str| recorded(dir.path(), target, "sync_binlog");
    assert_eq!([of("a"), of("b"), of("c")], ["11", "12", "3"]);
}

#[test]
fn two_addresses_of_one_server_are_one_server() {
    let (maria, pg) = (mariadb(&[]), postgres(&[]));
    for (server, variable, values) in [(&maria, "sync_binlog", ["7", "8"]), (&pg, "deadlock_timeout", ["7s", "8s"])] {
        let dir = tempfile::tempdir().unwrap();
        let before = value(&server.dsn(), variable);
        let set = |value: &str| format!("server.{variable} = {value:?}");
        let more = |name: &str, dsn: String, set: &str| format!("[targets.{name}]\ndsn = {dsn:?}\n{set}");
        let targets = [
            set(values[0]),
            more("b", server.socket_dsn(), &set(values[1])),
            // It has what the server has.
            more("c", server.socket_dsn(), ""),
        ];
        let path = plan(dir.path(), &server.dsn(), &targets.join("\n"), "order = \"sequential\"");
        let (code, out, err) = run(dir.path(), &["run", &path]);
        assert!(code == 0 || code == 3, "{code} {out}{err}");
        let of = |target: &str| recorded(dir.path(), target, variable);
        assert_eq!([of("a"), of("b"), of("c")], [values[0], values[1], &before], "{err}");
        assert_eq!((value(&server.dsn(), variable), journals(dir.path())), (before, 0), "{err}");
    }
}

#[test]
fn an_empty_journal_of_a_killed_run_is_removed() {
    let dir = tempfile::tempdir().unwrap();
    let settings = dir.path().join("state/.settings");
    std::fs::create_dir_all(&settings).unwrap();
    // It was killed before it wrote anything, and in its first line.
    std::fs::write(settings.join("mysql-a.jsonl"), "").unwrap();
    std::fs::write(settings.join("mysql-b.jsonl"), "{\"format\":2,\"serv").unwrap();
    let restore = |more: &[&str]| {
        let mut command = tenbin();
        command.arg("restore-settings").args(more).env("TENBIN_STATE_DIR", dir.path().join("state"));
        let (code, _, err) = output_of(&mut command);
        assert_eq!(code, 0, "{err}");
        std::fs::read_dir(&settings).unwrap().count()
    };
    assert_eq!((restore(&["--list"]), restore(&[])), (2, 0));
}
