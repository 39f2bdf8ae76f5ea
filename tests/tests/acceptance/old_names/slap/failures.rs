//! Runs of `mysqlslap` that fail, and lines that are refused: messages, exit codes, and what is printed of the rest.

use super::SlapDir;
use std::os::unix::process::ExitStatusExt;
use std::process::Stdio;
use std::time::Duration;

/// As Debian's own: nothing is printed, and who waits for it sees the signal. Only the schema is not left.
#[test]
fn a_signal_ends_it_without_a_word() {
    let here = SlapDir::new(&[]);
    let words = ["-a", "-c2", "--number-of-queries=1000000000"];
    let mut command = here.at_server(&words);
    let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let rows = "SELECT COALESCE(MAX(TABLE_ROWS), 0) > 0 FROM information_schema.TABLES WHERE TABLE_SCHEMA='mysqlslap' AND TABLE_NAME='t1'";
    while here.ask(rows) != "1" {
        std::thread::sleep(Duration::from_millis(20));
    }
    std::thread::sleep(Duration::from_millis(500));
    let killed = std::process::Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    let output = child.wait_with_output().unwrap();
    assert!(killed.success());
    let told = [&output.stdout, &output.stderr].map(|text| String::from_utf8_lossy(text).into_owned());
    assert_eq!((output.status.signal(), told), (Some(2), [String::new(), String::new()]));
    assert_eq!(here.ask("SHOW DATABASES LIKE 'mysqlslap'"), "");
}

#[test]
fn a_client_that_fails_is_told() {
    let here = SlapDir::new(&[]);
    here.ask("CREATE TABLE sbtest.u(a INT PRIMARY KEY)");
    let words = ["--create-schema=sbtest", "--query=insert into u values (1)", "-c", "3"];
    let (code, out, err) = here.ours(&words);
    assert_eq!(code, 1, "{out}{err}");
    assert!(
        out.contains("NOT COMPLETE: iteration 1: 2 clients stopped at an error (query 1: 2 × error 1062)"),
        "{out}"
    );
    // As the real one says it, of each of them.
    let line = "Cannot run query insert into u values (1) ERROR : Duplicate entry '1' for key 'PRIMARY'";
    assert_eq!(err.matches(line).count(), 2, "{err}");
    let (code, out, _) = here.ours(&[&words[..], &["--csv"]].concat());
    assert_eq!(code, 1);
    assert!(out.starts_with(",mixed,0.") && out.contains(",3,1,\"NOT COMPLETE: iteration 1: 3 clients"), "{out}");
    let (code, out, err) = here.ours(&["--query=select 1"]);
    assert_eq!((code, out.as_str()), (1, ""), "no schema, no client, no block");
    assert!(err.contains("Unknown database 'mysqlslap'"), "{err}");
    let (code, out, err) = here.ours(&["-a", "--engine=nonesuch"]);
    assert_eq!((code, out.as_str()), (1, ""));
    assert!(err.contains("nonesuch"), "{err}");
    let (code, out, _) = here.ours(&["-a", "--engine=innodb,nonesuch", "--number-of-queries=2"]);
    assert_eq!((code, out.matches("Benchmark").count()), (1, 1), "what went well is printed");
}

/// As the real one: nothing is run if the result could not be kept, and engines that nothing is created with have a cell each.
#[test]
fn a_result_is_never_lost_and_no_engine_is_left_out() {
    let here = SlapDir::new(&[]);
    let (code, out, err) = here.ours(&["-a", "--csv=/nonexistent/slap.csv"]);
    assert!(code == 1 && out.is_empty() && err.contains("/nonexistent/slap.csv"), "{code} {out}{err}");
    let words = ["--create-schema=sbtest", "--query=select 1", "--engine=innodb,myisam", "--csv"];
    let (code, out, err) = here.ours(&words);
    assert_eq!(code, 0, "{out}{err}");
    let first = |out: &str| out.lines().map(|line| line.split(',').next().unwrap_or("").to_owned()).collect::<Vec<_>>();
    assert_eq!(first(&out), ["innodb", "myisam"]);
    let (code, theirs, err) = here.theirs(&words);
    assert_eq!((code, first(&theirs)), (0, first(&out)), "{theirs}{err}");
    let (_, out, _) = here.ours(&words[..3]);
    assert!(out.contains("Running for engine innodb") && out.contains("Running for engine myisam"), "{out}");
}

#[test]
fn an_engine_that_the_server_replaces_is_told() {
    let here = SlapDir::new(&[("sql_mode", "")]);
    let (code, out, err) = here.ours(&["-a", "--engine=nonesuch"]);
    assert_eq!((code, out.as_str()), (1, ""));
    assert!(err.contains("the server made the table with the engine InnoDB, not nonesuch"), "{err}");
    assert_eq!(here.ask("SHOW DATABASES LIKE 'mysqlslap'"), "", "what was made is dropped");
}

#[test]
fn a_server_lost_in_the_middle_is_told() {
    let here = SlapDir::new(&[]);
    let mut command = here.at_server(&[
        "--create-schema=sbtest",
        "--query=select sleep(0.05)",
        "--number-of-queries=2000",
        "-c",
        "2",
    ]);
    let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let busy = "SELECT ID FROM information_schema.PROCESSLIST WHERE INFO LIKE 'select sleep%' LIMIT 1";
    for _ in 0..2 {
        let mut id = String::new();
        while id.is_empty() {
            std::thread::sleep(Duration::from_millis(20));
            id = here.ask(busy);
        }
        here.ask(&format!("KILL {id}"));
    }
    let output = child.wait_with_output().unwrap();
    let out = String::from_utf8_lossy(&output.stdout);
    assert_eq!(output.status.code(), Some(1), "{out}");
    assert!(out.contains("NOT COMPLETE") && out.contains("2 clients stopped at an error"), "{out}");
}

#[test]
fn what_makes_no_sense_is_refused() {
    let here = SlapDir::new(&[]);
    let refused_with = |wanted: i32, line: &str| {
        let words: Vec<&str> = line.split(' ').collect();
        let (code, out, err) = here.ours(&words);
        assert_eq!((code, out.as_str()), (wanted, ""), "{line}: {err}");
        err
    };
    let refused = |line: &str| refused_with(1, line);
    assert!(refused("-a --auto-generate-sql-load-type=key").contains("without a primary key"));
    assert!(refused("-a -x0 -y0").contains("neither int nor char"));
    assert!(refused("-a --query=x").contains("--create and --query"));
    assert!(refused("-a -c two").contains("not a number of clients"));
    assert!(refused("-a -i 0").contains("--iterations=0"));
    assert!(refused("-a --compression-algorithms=zstd").contains("zlib or uncompressed"));
    assert!(refused_with(9, "-a --number-of-queries=x").contains("whole number"));
    assert!(refused("-a --delimiter=").contains("empty"));
    assert!(refused("-c 2 --number-of-queries=3").contains("no query to execute"));
    assert!(refused("-a --query=").contains("--create and --query"));
    // By the names of the options.
    assert!(refused("-a -x0 -y0").contains("give --number-int-cols or --number-char-cols"));
    for (line, option) in [
        ("--auto-generate-sql-secondary-indexes=65", "--auto-generate-sql-secondary-indexes cannot be 65"),
        ("--auto-generate-sql-unique-write-number=2000000", "--auto-generate-sql-unique-write-number cannot be"),
        ("--auto-generate-sql-unique-query-number=2000000", "--auto-generate-sql-unique-query-number cannot be"),
        (
            "--auto-generate-sql-write-number=9999999999999999",
            "--auto-generate-sql-write-number cannot be 9999999999999999",
        ),
        ("--auto-generate-sql-execute-number=99999999999999999", "--auto-generate-sql-execute-number cannot be"),
        ("--number-of-queries=99999999999999999", "--number-of-queries cannot be"),
        ("--commit=99999999999", "--commit cannot be"),
    ] {
        for only_print in ["", " --only-print"] {
            let err = refused(&format!("-a {line}{only_print}"));
            assert!(err.contains(option), "{err}");
        }
    }
    assert!(refused_with(2, "--nonsense").contains("unknown option"));
}
