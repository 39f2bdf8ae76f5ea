//! How the clients of `mysqlslap` reach the server: socket or TCP, option files, TLS, a password typed on the terminal, compression.

use super::SlapDir;
use std::process::{Command, Stdio};
use tenbin_tests::{certificates, output_of, target_dir};

/// Which way leads to the server, as Debian's own chooses it: from the option file, the command line, or both.
#[test]
fn a_socket_in_an_option_file_does_not_outdo_a_given_host() {
    let here = tempfile::tempdir().unwrap();
    let file = here.path().join("my.cnf");
    std::fs::write(&file, "[client]\nsocket=/nonexistent/file.sock\nport=1\n").unwrap();
    std::os::unix::fs::symlink(target_dir().join("tenbin"), here.path().join("mysqlslap")).unwrap();
    for (line, way) in [
        ("-h127.0.0.1", "TCP"),
        ("-h127.0.0.1 -S/nonexistent/typed.sock", "TCP"),
        ("-h127.0.0.1 --protocol=socket", "TCP"),
        ("-hlocalhost", "/nonexistent/file.sock"),
        ("-P1", "TCP"),
        ("-S/nonexistent/typed.sock", "/nonexistent/typed.sock"),
        ("-hlocalhost -P1 -S/nonexistent/typed.sock", "/nonexistent/typed.sock"),
        ("--protocol=tcp", "TCP"),
        ("-S/nonexistent/typed.sock -P1", "TCP"),
        ("--protocol=tcp -S/nonexistent/typed.sock", "/nonexistent/typed.sock"),
    ] {
        for program in ["/usr/bin/mariadb-slap".to_owned(), here.path().join("mysqlslap").display().to_string()] {
            let mut command = Command::new(&program);
            command.arg(format!("--defaults-file={}", file.display())).args(line.split(' ')).args(["-a", "-uroot"]);
            let (code, _, err) = output_of(command.env("LANG", "C.UTF-8").env_remove("MYSQL_UNIX_PORT"));
            let named = if line.contains("127.0.0.1") { "on '127.0.0.1'" } else { "on 'localhost'" };
            let tcp = !err.contains(".sock") && err.contains(named);
            assert!(code != 0 && if way == "TCP" { tcp } else { err.contains(way) }, "{program} {line}: {err}");
        }
    }
}

#[test]
fn tls_and_option_files_reach_every_client() {
    let keys = certificates("mysql");
    let (cert, key) = (keys.path("server.pem"), keys.path("server.key"));
    let here = SlapDir::new(&[("ssl_cert", &cert), ("ssl_key", &key)]);
    here.ask(
        "CREATE TABLE sbtest.lines(cipher TEXT); CREATE USER app IDENTIFIED BY 'se#cret'; GRANT ALL ON *.* TO app",
    );
    std::fs::write(here.path("my.cnf"), format!("[client]\nuser=app\npassword=\"se#cret\"\nhost=127.0.0.1\nport={}\n[mysqlslap]\nconcurrency=3\ncreate-schema=sbtest\n", here.port())).unwrap();
    let lines = |mode: &str| {
        here.ask("TRUNCATE sbtest.lines");
        let mut command = Command::new(here.path("mysqlslap"));
        command.arg("--defaults-file=my.cnf").arg(mode).current_dir(here.dir.path());
        command.arg("--query=insert into `lines` select variable_value from information_schema.session_status where variable_name='Ssl_cipher'");
        let (code, out, err) = output_of(&mut command);
        assert_eq!(code, 0, "{out}{err}");
        assert!(!err.contains("se#cret"));
        here.ask("SELECT CONCAT(COUNT(*), ' ', SUM(cipher <> '')) FROM sbtest.`lines`")
    };
    assert_eq!(lines("--ssl-mode=REQUIRED"), "3 3");
    assert_eq!(lines("--ssl-mode=DISABLED"), "3 0", "mysqlslap of MySQL encrypts all the same");
    assert_eq!(lines("--skip-ssl"), "3 0");
    // Over a Unix socket too, if it is asked for.
    here.ask("TRUNCATE sbtest.lines");
    let sql = "--query=insert into `lines` select variable_value from information_schema.session_status where variable_name='Ssl_cipher'";
    let (code, out, err) = here.ours(&["--create-schema=sbtest", "--ssl-mode=REQUIRED", sql]);
    assert_eq!(code, 0, "{out}{err}");
    assert_eq!(here.ask("SELECT CONCAT(COUNT(*), ' ', SUM(cipher <> '')) FROM sbtest.`lines`"), "1 1");
    for entry in std::fs::read_dir(here.path("runs")).unwrap() {
        for file in std::fs::read_dir(entry.unwrap().path()).unwrap() {
            let text = std::fs::read(file.unwrap().path()).unwrap_or_default();
            assert!(!String::from_utf8_lossy(&text).contains("se#cret"), "no password is written");
        }
    }
}

#[test]
fn a_password_without_a_value_is_asked_for_on_the_terminal() {
    let here = SlapDir::new(&[]);
    here.ask("CREATE USER app@localhost IDENTIFIED BY 'se#cret'; GRANT ALL ON *.* TO app@localhost");
    let line =
        format!("./mysqlslap --no-defaults -S {} -uapp -p --create-schema=sbtest --query='select 1'", here.socket());
    let request_of = |answer: &str| {
        let mut command = Command::new("script");
        command.args(["-qec", &line, "/dev/null"]).current_dir(here.dir.path()).env_remove("MYSQL_PWD");
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        std::io::Write::write_all(child.stdin.as_mut().unwrap(), format!("{answer}\n").as_bytes()).unwrap();
        let output = child.wait_with_output().unwrap();
        (output.status.code().unwrap(), String::from_utf8_lossy(&output.stdout).into_owned())
    };
    let (code, shown) = request_of("se#cret");
    assert_eq!(code, 0, "{shown}");
    assert!(shown.contains("Enter password: ") && shown.contains("Benchmark"), "{shown}");
    let (code, shown) = request_of("wrong");
    assert!(code == 1 && shown.contains("Access denied"), "{shown}");

    // Without a terminal to ask on, the answer is the first line of standard input, here nothing, as for mysqlslap.
    let mut alone = Command::new("setsid");
    alone.args(["-w", "sh", "-c", &line]).current_dir(here.dir.path()).stdin(Stdio::null());
    let (code, out, err) = output_of(&mut alone);
    assert_eq!((code, out.as_str()), (1, ""), "{err}");
    assert!(err.starts_with("Enter password: ") && err.contains("Access denied"), "{err}");
}

#[test]
fn compression_reaches_every_client() {
    let here = SlapDir::new(&[]);
    here.ask("CREATE TABLE sbtest.c(compressed TEXT)");
    let query = "--query=insert into c select variable_value from information_schema.session_status where variable_name='Compression'";
    let statements = |words: &[&str]| {
        here.ask("TRUNCATE sbtest.c");
        let (code, _, err) = here.ours(&[&["--create-schema=sbtest", "-c3", query][..], words].concat());
        assert_eq!(code, 0, "{err}");
        here.ask("SELECT GROUP_CONCAT(compressed) FROM sbtest.c")
    };
    assert_eq!(statements(&["-C"]), "ON,ON,ON");
    assert_eq!(statements(&["--compression-algorithms=zstd,zlib", "-c20"]), ["ON"; 20].join(","));
    assert_eq!(statements(&["--skip-compress"]), "OFF,OFF,OFF");
}
