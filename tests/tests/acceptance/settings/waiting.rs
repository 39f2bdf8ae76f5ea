//! What an administrator has written into the configuration of PostgreSQL, and wants to put in force later, is not put in force by a run.

use super::{journals, plan, run, value};
use std::io::Write;
use tenbin_servers::sandbox::Sandbox;
use tenbin_tests::postgres;
use tenbin_tests::sql::query;

fn write(server: &Sandbox, variable: &str, text: &str) {
    let file = query(server, &format!("SHOW {variable}"))[0][0].clone();
    // Later than the last reload, in whole seconds.
    std::thread::sleep(std::time::Duration::from_millis(1_100));
    let mut file = std::fs::File::options().append(true).open(file).unwrap();
    file.write_all(text.as_bytes()).unwrap();
}

fn values(server: &Sandbox) -> [String; 3] {
    ["work_mem", "random_page_cost", "log_min_duration_statement"].map(|name| value(server, name))
}

#[test]
fn what_waits_for_a_reload_is_named_and_waits_on() {
    let (server, dir) = (postgres(&[]), tempfile::tempdir().unwrap());
    let target = "server = { work_mem = \"64MB\", random_page_cost = 2.5 }";
    let path = plan(dir.path(), &server.dsn(), target, "");
    let before = values(&server);
    for (file, text, named) in [
        ("config_file", "log_min_duration_statement = 0\nwork_mem = 16MB\n", "work_mem = 16MB"),
        ("hba_file", "# nothing new\n", "pg_hba.conf"),
    ] {
        write(&server, file, text);
        for command in ["plan check", "run"] {
            let words: Vec<&str> = command.split(' ').chain([path.as_str()]).collect();
            let (code, out, err) = run(dir.path(), &words);
            assert!(code == 1 && err.contains("would also put in force"), "{command}: {code} {out}{err}");
            assert!(err.contains(named) && err.contains("SELECT pg_reload_conf()"), "{command}: {err}");
            assert!(!err.contains("could not be put back"), "{err}");
        }
        if file == "config_file" {
            assert_eq!((values(&server), journals(dir.path())), (before.clone(), 0));
        }
        query(&server, "SELECT pg_reload_conf()");
        std::thread::sleep(std::time::Duration::from_millis(300));
    }
    let now = values(&server);
    assert_eq!(now[0], "16MB");
    let (code, out, err) = run(dir.path(), &["run", &path]);
    assert!(code == 0 || code == 3, "{code} {out}{err}");
    assert!(err.contains("put back: ") && values(&server) == now, "{err}");
}

#[test]
fn what_is_written_during_a_run_waits_on_at_its_end() {
    let (server, dir) = (postgres(&[]), tempfile::tempdir().unwrap());
    let file = query(&server, "SHOW config_file")[0][0].clone();
    let target = format!(
        "server = {{ work_mem = \"64MB\" }}\nhooks = {{ with_data = \"sleep 1.1; echo log_min_duration_statement = 0 >> {file}\" }}"
    );
    let path = plan(dir.path(), &server.dsn(), &target, "");
    let before = values(&server);
    let (code, out, err) = run(dir.path(), &["run", &path]);
    assert!(code != 0 && err.contains("could not be put back"), "{code} {out}{err}");
    assert!(err.contains("log_min_duration_statement = 0") && err.contains("SELECT pg_reload_conf()"), "{err}");
    assert_eq!(value(&server, "log_min_duration_statement"), before[2]);
    query(&server, "SELECT pg_reload_conf()");
    std::thread::sleep(std::time::Duration::from_millis(300));
    assert_eq!(value(&server, "work_mem"), before[0], "what is stored is right");
    let (code, out, err) = run(dir.path(), &["restore-settings"]);
    assert!(code == 0 && journals(dir.path()) == 0, "{code} {out}{err}");
}

#[test]
fn what_is_shown_in_another_form_does_not_wait_and_passwords_are_not_told() {
    let (server, dir) = (postgres(&[]), tempfile::tempdir().unwrap());
    // Nothing is archived, so it is shown as "(disabled)".
    query(&server, "ALTER SYSTEM SET archive_command = 'cp %p /arch/%f'");
    query(&server, "ALTER SYSTEM SET log_file_mode = 416");
    query(&server, "SELECT pg_reload_conf()");
    let path = plan(dir.path(), &server.dsn(), "server = { work_mem = \"64MB\" }", "");
    let before = values(&server);
    for _ in 0..2 {
        let (code, out, err) = run(dir.path(), &["run", &path]);
        assert!(code == 0 || code == 3, "{code} {out}{err}");
        assert_eq!((values(&server), journals(dir.path())), (before.clone(), 0));
    }
    std::thread::sleep(std::time::Duration::from_millis(1_100));
    query(&server, "ALTER SYSTEM SET primary_conninfo = 'host=10.0.0.1 user=repl password=hunter2xyz'");
    query(&server, "ALTER SYSTEM SET archive_cleanup_command = 'curl -u bob:hunter5xyz --token hunter7xyz x'");
    for command in ["plan check", "run"] {
        let words: Vec<&str> = command.split(' ').chain([path.as_str()]).collect();
        let (code, out, err) = run(dir.path(), &words);
        assert!(code == 1 && err.contains("primary_conninfo = …"), "{command}: {code} {out}{err}");
        assert!(err.contains("archive_cleanup_command = …") && !err.contains("xyz"), "{command}: {err}");
    }
}
