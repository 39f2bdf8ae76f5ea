//! Accounts and passwords where the programs of MySQL and PostgreSQL keep them, in a home directory of the test.

#![expect(clippy::unwrap_used, reason = "a test may")]

use serde_json::Value;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::Command;
use tenbin_driver::credentials::login_file;
use tenbin_model::dsn::Dsn;
use tenbin_tests::sql::query;
use tenbin_tests::{mariadb, output_of, postgres, read_back, tenbin};

const SECRET: &str = "se#cret:word";

fn write(home: &Path, name: &str, bytes: &[u8]) {
    let path = home.join(name);
    std::fs::write(&path, bytes).unwrap();
    std::fs::set_permissions(path, PermissionsExt::from_mode(0o600)).unwrap();
}

fn at(home: &Path) -> Command {
    let mut command = tenbin();
    command.env("HOME", home).env_remove("PGPASSFILE").env_remove("MYSQL_TEST_LOGIN_FILE");
    command
}

/// No file below contains the password.
fn nothing_written(dir: &Path) {
    for entry in std::fs::read_dir(dir).unwrap().flatten() {
        if entry.file_type().unwrap().is_dir() {
            nothing_written(&entry.path());
        } else {
            let text = std::fs::read(entry.path()).unwrap();
            assert!(!String::from_utf8_lossy(&text).contains(SECRET), "{}", entry.path().display());
        }
    }
}

/// Runs a point select at the address, and returns the run.
fn run_at(home: &Path, address: &str) -> Value {
    let runs = tempfile::tempdir().unwrap();
    let plan = home.join("plan.toml");
    let text = format!(
        "schema = 1\nname = \"credentials\"\n[defaults]\nwarmup = \"0s\"\nmeasure = \"1s\"\nrepeats = 1\n\
         [targets.db]\ndsn = \"{address}\"\n[datasets.d]\ntables = 1\ntable_size = 100\n\
         [[experiment]]\nload = {{ workload = \"oltp_point_select\", clients = 2 }}\n"
    );
    std::fs::write(&plan, text).unwrap();
    let (code, out, err) = output_of(at(home).arg("run").arg(&plan).arg("--runs").arg(runs.path()));
    assert!([0, 3].contains(&code) && !out.contains(SECRET) && !err.contains(SECRET), "{code} {out}{err}");
    nothing_written(runs.path());
    read_back(runs.path()).1
}

#[test]
fn mysql_option_files_and_login_paths() {
    let (server, home) = (mariadb(&[]), tempfile::tempdir().unwrap());
    let port = Dsn::parse(&server.dsn()).unwrap().port.unwrap();
    query(&server.dsn(), &format!("CREATE USER app@'%' IDENTIFIED BY '{SECRET}'"));
    query(&server.dsn(), "GRANT ALL ON *.* TO app@'%'");
    let account = format!("[client]\nuser = app\npassword = \"{SECRET}\"\n");
    write(home.path(), ".my.cnf", account.as_bytes());
    let run = run_at(home.path(), &format!("mysql://127.0.0.1:{port}/sbtest?option_file=~/.my.cnf"));
    assert!(run["trials"][0]["accounting"]["completed"].as_u64().unwrap() > 0, "{run}");

    // The host is in the file too: what the run says of it is said of that host.
    let (port, password) = (format!("port = {port}"), format!("password = \"{SECRET}\""));
    let lines = ["[bench]", "user = app", &password, "host = 127.0.0.1", &port];
    write(home.path(), ".mylogin.cnf", &login_file::packed(&lines));
    let run = run_at(home.path(), "mysql:///sbtest?login_path=bench");
    assert!(run["conditions"].as_str().unwrap().contains("client and server on one machine"), "{}", run["conditions"]);
    let (code, out, err) = output_of(at(home.path()).args(["doctor", "mysql:///sbtest?login_path=bench"]));
    assert!(code == 0 && !out.contains(SECRET), "{out}{err}");
    let (code, _, err) = output_of(at(home.path()).args(["doctor", "mysql:///sbtest?login_path=prod"]));
    assert_eq!(code, 1);
    let err = err.replace(&home.path().display().to_string(), "~");
    insta::assert_snapshot!(err, @r#"
    error: there is no login path "prod"
      evidence  login paths in ~/.mylogin.cnf: bench
      hint      mysql_config_editor set --login-path=prod --host=HOST --user=USER --password
    "#);
}

#[test]
fn postgresql_password_files_and_services() {
    let (server, home) = (postgres(&[]), tempfile::tempdir().unwrap());
    let port = Dsn::parse(&server.dsn()).unwrap().port.unwrap();
    query(&server.dsn(), &format!("CREATE ROLE app LOGIN SUPERUSER PASSWORD '{SECRET}'"));
    let doors = "local all all trust\nhost all app 127.0.0.1/32 scram-sha-256\nhost all all 127.0.0.1/32 trust\n";
    std::fs::write(server.dir().join("data/pg_hba.conf"), doors).unwrap();
    query(&server.dsn(), "SELECT pg_reload_conf()");
    let database = Dsn::parse(&server.dsn()).unwrap().database;
    let address = format!("postgres://app@127.0.0.1:{port}/{database}");
    let (code, out, err) = output_of(at(home.path()).args(["doctor", &address]));
    assert!(code != 0, "this account needs its password: {out}{err}");
    write(home.path(), ".pgpass", format!("127.0.0.1:{port}:*:app:{}\n", SECRET.replace(':', "\\:")).as_bytes());
    let run = run_at(home.path(), &address);
    assert!(run["trials"][0]["accounting"]["completed"].as_u64().unwrap() > 0, "{run}");
    let service = format!("[bench]\nhost=127.0.0.1\nport={port}\ndbname={database}\nuser=app\n");
    write(home.path(), ".pg_service.conf", service.as_bytes());
    let run = run_at(home.path(), "postgres:///?service=bench");
    assert!(run["conditions"].as_str().unwrap().contains("client and server on one machine"), "{}", run["conditions"]);
}

/// Every account can read the command line of a process.
#[test]
fn passwords_on_the_command_line_are_overwritten() {
    const PASSWORD: &str = "S3cr3tOfTheTest";
    let server = tenbin_tests::NullServer::start(&["--delay", "2ms"]);
    let port = Dsn::parse(&server.dsn()).unwrap().port.unwrap();
    let runs = tempfile::tempdir().unwrap();
    let address = format!("mysql://u:{PASSWORD}@127.0.0.1:{port}/sbtest");
    let own: Vec<String> =
        ["bench", "oltp_point_select", &address, "--time", "20"].iter().map(ToString::to_string).collect();
    let option = format!("--mysql-password={PASSWORD}");
    let (host, port) = ("--mysql-host=127.0.0.1", format!("--mysql-port={port}"));
    let old: Vec<String> = ["oltp_point_select", host, &port, &option, "--mysql-ssl=off", "--time=20", "run"]
        .iter()
        .map(ToString::to_string)
        .collect();
    for (name, words) in [("tenbin", own), ("sysbench", old)] {
        let mut command = tenbin();
        std::os::unix::process::CommandExt::arg0(&mut command, name);
        command.args(&words).env("TENBIN_RUNS", runs.path()).current_dir(runs.path());
        command.stdout(std::process::Stdio::null()).stderr(std::process::Stdio::null());
        let mut child = command.spawn().unwrap();
        let file = format!("/proc/{}/cmdline", child.id());
        tenbin_tests::wait_until("the password is gone", || {
            let line = String::from_utf8_lossy(&std::fs::read(&file).unwrap_or_default()).into_owned();
            line.contains("xxxxxxxxxx") && !line.contains(PASSWORD)
        });
        assert!(child.try_wait().unwrap().is_none(), "{name}: it is at work");
        child.kill().unwrap();
        child.wait().unwrap();
    }
}
