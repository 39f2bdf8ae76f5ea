//! `option_file` of a private server: what it says is given to the server and read back, and nothing of it leads to the server
//! whose file it was.

#![expect(clippy::unwrap_used, reason = "a test may")]

use super::golden::Bench;
use tenbin_tests::mysql_binary;

/// An option file as of a server in production.
const MY_CNF: &str = "[client]\npassword = hunter2\n[mysqld]\nport = 3306\ndatadir = /var/lib/mysql\nsocket = /run/mysqld/mysqld.sock\n\
    pid-file = /run/mysqld/mysqld.pid\nuser = mysql\nbind-address = 0.0.0.0\ninnodb-buffer-pool-size = 96M # not much\n\
    innodb_flush_log_at_trx_commit = 2\nlog_bin = /var/log/mysql/mysql-bin\nskip-name-resolve\nreport_password = hunter2\n";

const POSTGRES: &str = "data_directory = '/var/lib/postgresql/15/main'\nhba_file = '/etc/pg_hba.conf'\nport = 5432\nssl = on\n\
    shared_buffers = 96MB\nsynchronous_commit = off\nwork_mem = '8MB' # more\narchive_mode = on\n\
    archive_command = 'touch /tmp/never-made-by-a-private-server'\nprimary_conninfo = 'host=db password=hunter2'\n";

fn given(bench: &Bench, text: &str, binary: &str, more: &str) -> (i32, String) {
    std::fs::write(bench.path().join("server.cnf"), text).unwrap();
    let plan = bench.plan(&format!("[targets.a]\nsandbox = \"{binary}\"\noption_file = \"server.cnf\"\n{more}"), 1);
    let (code, out, err) = bench.does(&["run", plan.to_str().unwrap()]);
    (code, out + &err)
}

#[test]
fn settings_of_the_file_are_those_of_the_server() {
    let bench = Bench::new();
    for binary in ["mariadbd".to_owned(), mysql_binary("8.0.31")] {
        let (code, output) = given(&bench, MY_CNF, &binary, "server = { innodb_flush_log_at_trx_commit = 0 }\n");
        assert!([0, 2].contains(&code), "{output}");
        assert!(output.contains("not all of the option file server.cnf is used"), "{output}");
        for unused in ["port", "datadir", "socket", "pid_file", "user", "bind_address", "report_password"] {
            assert!(output.contains(unused), "{unused} is told: {output}");
        }
        let of = |name: &str| bench.fact("a", &format!("variable.{name}")).unwrap_or_default();
        assert_eq!(of("innodb_buffer_pool_size"), (96 << 20).to_string());
        assert_eq!(of("innodb_flush_log_at_trx_commit"), "0", "the plan has precedence");
        assert_eq!(of("log_bin"), "ON");
        assert!(of("log_bin_basename").ends_with("data/mysql-bin"), "{}", of("log_bin_basename"));
        assert_ne!(of("port"), "3306");
        let text = bench.fact("a", "option_file").unwrap();
        assert!(text.contains("innodb_buffer_pool_size = 96M") && text.contains("# not used: port\n"), "{text}");
        let log = std::fs::read_to_string(bench.run_directory().join("trials/0001/events.jsonl")).unwrap();
        assert!(!log.contains("hunter2"));
    }
}

#[test]
fn a_postgresql_conf_is_given_to_postgresql() {
    let bench = Bench::new();
    let (code, output) = given(&bench, POSTGRES, "postgres", "");
    assert!([0, 2].contains(&code), "{output}");
    assert!(
        output.contains("archive_command") && output.contains("primary_conninfo") && !output.contains("hunter2"),
        "{output}"
    );
    let of = |name: &str| bench.fact("a", &format!("variable.{name}")).unwrap_or_default();
    assert_eq!((of("synchronous_commit").as_str(), of("archive_mode").as_str()), ("off", "off"));
    assert!(bench.fact("a", "option_file").unwrap().contains("work_mem = 8MB"));
    assert!(!std::path::Path::new("/tmp/never-made-by-a-private-server").exists());
}

#[test]
fn a_file_that_cannot_be_used_is_told_before_anything_is_started() {
    let bench = Bench::new();
    for (text, binary, words) in [
        ("[mysqld]\n!includedir /etc/mysql/conf.d/\n", "mariadbd", "!includedir /etc/mysql/conf.d/"),
        ("[mysqld]\nx=1\n!include /etc/mysql/other.cnf\n", "mariadbd", "!include /etc/mysql/other.cnf"),
        ("[mysqldump]\nquick\n", "mariadbd", "no setting that a private server can use"),
        ("", "mariadbd", "no setting that a private server can use"),
        ("[mysqld]\ninnodb_bufer_pool_size = 1G\n", "mariadbd", "innodb_buffer_pool_size"),
        ("include_dir = 'conf.d'\n", "postgres", "include_dir = 'conf.d'"),
        ("shared_bufers = 96MB\n", "postgres", "shared_buffers"),
        (MY_CNF, "sqlite", "only private servers have a option_file"),
    ] {
        let (code, output) = given(&bench, text, binary, "");
        assert!(code == 1 && output.contains(words), "{text:?}: {code} {output}");
        assert_eq!(output.matches("error:").count(), 1, "{output}");
    }
    std::fs::remove_file(bench.path().join("server.cnf")).unwrap();
    let plan = bench.path().join("plan.toml");
    std::fs::write(&plan, std::fs::read_to_string(&plan).unwrap().replace("\"sqlite\"", "\"mariadbd\"")).unwrap();
    let (code, _, err) = bench.does(&["plan", "check", plan.to_str().unwrap()]);
    assert!(code == 1 && err.contains("cannot be read"), "{err}");
    // A value that the server does not take.
    let (code, output) = given(&bench, "[mysqld]\ninnodb_flush_method = nonsense\n", "mariadbd", "");
    assert!(code != 0 && output.contains("innodb_flush_method"), "{output}");
}
