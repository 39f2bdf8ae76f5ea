//! Settings that need a restart: an option file, or ALTER SYSTEM, and the user's command.

use super::left_behind::killed;
use super::{about_variables, journals, plan, run, value};
use tenbin_tests::sql::{Address, query};
use tenbin_tests::{Restarting, mariadb, mysql, postgres, read_back};

fn apply(server: &Restarting) -> String {
    format!("apply = {{ file = {:?}, restart = {:?} }}", server.option_file(), server.command())
}

#[test]
fn an_option_file_and_a_restart_and_everything_is_as_it_was() {
    for server in [Restarting::of(mariadb(&[])), Restarting::of(mysql("8.0.31", &[]))] {
        let dir = tempfile::tempdir().unwrap();
        let (before, first) = (value(&server, "innodb_read_io_threads"), server.pid());
        let axis = "order = \"sequential\"\nmatrix = { server.innodb_read_io_threads = [2, 3] }";
        let path = plan(dir.path(), &server.dsn(), &apply(&server), axis);
        let (code, out, err) = run(dir.path(), &["run", &path]);
        assert!(code == 0 || code == 3, "{code} {out}{err}");
        let text =
            "set: innodb_read_io_threads = 2;\nset: innodb_read_io_threads = 3;\nput back: innodb_read_io_threads = 4";
        assert_eq!(about_variables(&err).replace("note     ", ""), text, "{err}");
        assert!(!server.option_file().exists() && journals(dir.path()) == 0 && server.pid() != first);
        assert_eq!(value(&server, "innodb_read_io_threads"), before);
        let (_, json) = read_back(&dir.path().join("runs"));
        assert_eq!(json["trials"].as_array().unwrap().len(), 2);
    }
}

#[test]
fn a_server_that_does_not_come_back_gets_its_old_file_and_the_trial_fails() {
    let server = Restarting::of(mariadb(&[]));
    let dir = tempfile::tempdir().unwrap();
    // No such page size for these data.
    let axis = "order = \"sequential\"\nmatrix = { server.innodb_page_size = [65536, 16384] }";
    let path = plan(dir.path(), &server.dsn(), &apply(&server), axis);
    let (code, out, err) = run(dir.path(), &["run", &path]);
    assert_eq!(code, 2, "{out}{err}");
    assert!(err.contains("the command that restarts the server at") && err.contains("exit code 1"), "{err}");
    assert!(err.contains("[ERROR]") || err.contains("Aborting"), "the server's own words: {err}");
    assert!(!server.option_file().exists() && journals(dir.path()) == 0, "{err}");
    assert_eq!(value(&server, "innodb_page_size"), "16384");
    let (_, json) = read_back(&dir.path().join("runs"));
    let states: Vec<&str> = json["trials"].as_array().unwrap().iter().map(|t| t["state"].as_str().unwrap()).collect();
    assert_eq!(states, ["failed", "complete"], "{out}{err}");
}

#[test]
fn lines_and_values_of_somebody_else_are_left_and_told() {
    let server = Restarting::of(mariadb(&[]));
    let dir = tempfile::tempdir().unwrap();
    let wanted =
        "server = { innodb_read_io_threads = 2, sync_binlog = 17, innodb_io_capacity = 300, thread_cache_size = 7 }";
    killed(dir.path(), &server.dsn(), &format!("{}\n{wanted}", apply(&server)));
    // In the running server, in a line of the file, and in a line that was the run's.
    query(&server, "SET GLOBAL sync_binlog = 5");
    let text = std::fs::read_to_string(server.option_file()).unwrap();
    assert!(text.contains("thread_cache_size = 7\n"), "{text}");
    let text = text.replace("thread_cache_size = 7", "thread_cache_size = 8") + "back_log = 77\n";
    std::fs::write(server.option_file(), text).unwrap();
    let (code, out, err) = run(dir.path(), &["restore-settings"]);
    assert_eq!((code, journals(dir.path())), (0, 0), "{out}{err}");
    assert!(out.contains("put back: innodb_io_capacity = 200, innodb_read_io_threads = 4\n"), "{out}{err}");
    for left in ["sync_binlog", "thread_cache_size"] {
        assert!(
            out.lines().any(|line| line.contains(&format!("{left} of ")) && line.contains("somebody else")),
            "{out}"
        );
    }
    assert!(out.contains("has lines that this run did not write"), "{out}{err}");
    let names = ["innodb_read_io_threads", "sync_binlog", "thread_cache_size", "back_log"];
    assert_eq!(names.map(|name| value(&server, name)), ["4", "5", "8", "77"], "{out}{err}");
    let left = std::fs::read_to_string(server.option_file()).unwrap();
    assert_eq!(left, "[mysqld]\nthread_cache_size = 8\nback_log = 77\n");
}

#[test]
fn a_run_ends_when_somebody_else_changes_its_option_file() {
    let server = Restarting::of(mariadb(&[]));
    let dir = tempfile::tempdir().unwrap();
    let add = format!("hooks = {{ after_trial = \"echo back_log = 77 >>{}\" }}", server.option_file().display());
    let axis = "order = \"sequential\"\nmatrix = { server.innodb_read_io_threads = [2, 3] }";
    let path = plan(dir.path(), &server.dsn(), &format!("{}\n{add}", apply(&server)), axis);
    let (code, out, err) = run(dir.path(), &["run", &path]);
    assert!(code != 0 && err.contains("somebody else has changed the option file"), "{code} {out}{err}");
    assert_eq!((value(&server, "innodb_read_io_threads").as_str(), journals(dir.path())), ("4", 0), "{err}");
    assert!(std::fs::read_to_string(server.option_file()).unwrap().contains("back_log = 77"), "{err}");
}

#[test]
fn postgres_is_restarted_for_shared_buffers() {
    let server = Restarting::of(postgres(&[]));
    // The first restart is without the value on its command line.
    assert!(std::process::Command::new("sh").args(["-c", &server.command()]).status().unwrap().success());
    let connector = tenbin_tests::sql::connector(&server);
    while tenbin_servers::facts::reachable(&connector).is_err() {
        std::thread::sleep(std::time::Duration::from_millis(50));
    }
    let before = value(&server, "shared_buffers");
    let dir = tempfile::tempdir().unwrap();
    let restart = format!("apply = {{ restart = {:?} }}", server.command());
    let path = plan(dir.path(), &server.dsn(), &restart, "matrix = { server.shared_buffers = [\"32MiB\", \"64MiB\"] }");
    let (code, out, err) = run(dir.path(), &["run", &path]);
    assert!(code == 0 || code == 3, "{code} {out}{err}");
    assert_eq!(err.matches("set: shared_buffers = ").count(), 2, "{err}");
    assert_eq!((value(&server, "shared_buffers"), journals(dir.path())), (before.clone(), 0));

    // More than the machine has: the server is down, and what is stored is put back in its file.
    let path = plan(dir.path(), &server.dsn(), &restart, "server = { shared_buffers = \"900GB\" }");
    let (code, out, err) = run(dir.path(), &["run", &path, "--runs", &dir.path().join("second").display().to_string()]);
    assert!(code != 0, "{out}");
    assert!(err.contains("the command that restarts the server at"), "{err}");
    assert_eq!((value(&server, "shared_buffers"), journals(dir.path())), (before, 0), "{err}");
}

/// What others have written for the next start is named beforehand, and a restart for a run does not put it in force unless that is permitted.
#[test]
fn what_others_have_written_for_the_next_start_is_not_put_in_force() {
    let servers = [Restarting::of(mariadb(&[])), Restarting::of(mysql("8.0.31", &[])), Restarting::of(postgres(&[]))];
    for server in servers {
        let (dir, is_postgres) = (tempfile::tempdir().unwrap(), server.dsn().starts_with("postgres"));
        let (theirs, axis) = match is_postgres {
            true => ("max_locks_per_transaction", "server = { max_files_per_process = 900 }"),
            false => ("back_log", "server = { innodb_read_io_threads = 2 }"),
        };
        let before = value(&server, theirs);
        let file = server.option_file().with_file_name("dba.cnf");
        if is_postgres {
            query(&server, "ALTER SYSTEM SET max_locks_per_transaction = 17");
        } else if query(&server, "SELECT VERSION()")[0][0].contains("MariaDB") {
            // A private server reads no files before; and later than the start, of which the server tells whole seconds.
            assert!(std::process::Command::new("sh").args(["-c", &server.command()]).status().unwrap().success());
            std::thread::sleep(std::time::Duration::from_millis(3_000));
            while tenbin_servers::facts::reachable(&tenbin_tests::sql::connector(&server)).is_err() {
                std::thread::sleep(std::time::Duration::from_millis(50));
            }
            std::fs::write(&file, "[mysqld]\nback_log = 17\n").unwrap();
        } else {
            query(&server, "SET PERSIST_ONLY back_log = 17");
        }
        let apply = match is_postgres {
            true => format!("apply = {{ restart = {:?} }}", server.command()),
            false => apply(&server),
        };
        let path = plan(dir.path(), &server.dsn(), &format!("{apply}\n{axis}"), "");
        for command in [&["plan", "check", &path][..], &["run", &path]] {
            let (code, out, err) = run(dir.path(), command);
            let output = format!("{out}{err}");
            assert!(code != 0 && output.contains("would also put in force 1 change"), "{code} {output}");
            assert!(output.contains(&format!("{theirs} = 17 ({before})")), "{output}");
            assert!(output.contains("change-other-settings"), "{output}");
        }
        assert_eq!((value(&server, theirs), journals(dir.path())), (before, 0));

        let allow = format!("{apply}\n{axis}\nallow = [\"change-other-settings\"]");
        let path = plan(dir.path(), &server.dsn(), &allow, "");
        let (code, out, err) = run(dir.path(), &["run", &path]);
        assert!(code == 0 || code == 3, "{code} {out}{err}");
        assert_eq!((value(&server, theirs).as_str(), journals(dir.path())), ("17", 0), "{out}{err}");
    }
}
