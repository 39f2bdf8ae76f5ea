//! What wrappers of the old tools depend on beside the reports: how long a prepare of many tables takes, names and values as they have
//! always been written, and folders that cannot be written.

use std::process::{Command, Stdio};
use tenbin_tests::sql::query;
use tenbin_tests::sysbench::{SysbenchDir, address, port};
use tenbin_tests::{beside_doubts, mariadb, output_of, target_dir, tenbin_through};

/// What the server's general log has between two moments, one entry per statement or connection.
fn logged(server: &tenbin_servers::sandbox::Sandbox, work: impl FnOnce()) -> Vec<String> {
    query(server, "SET GLOBAL log_output = 'TABLE'");
    query(server, "TRUNCATE TABLE mysql.general_log");
    query(server, "SET GLOBAL general_log = ON");
    work();
    query(server, "SET GLOBAL general_log = OFF");
    let rows = query(server, "SELECT command_type, LEFT(argument, 60) FROM mysql.general_log");
    let lines = rows.into_iter().map(|row| row.join(" "));
    lines.filter(|line| !line.contains("general_log") && !line.starts_with("Quit")).collect()
}

/// The time of many small tables is that of statements and commits, whose number does not depend on the machine.
#[test]
fn a_table_costs_prepare_and_cleanup_few_statements() {
    let (server, here) = (mariadb(&[]), SysbenchDir::create());
    let count = |log: &[String], word: &str| log.iter().filter(|line| line.contains(word)).count();
    for (rows, each) in [(10, 5), (600, 5)] {
        let line = |n: u32, command: &str| {
            format!("oltp_read_write {} --tables={n} --table-size={rows} --threads=2 {command}", address(&server))
        };
        let run = |line: String| {
            logged(&server, || {
                let (code, out, err) = here.ours(&line);
                assert!(code == 0 && err.is_empty(), "{out}{err}");
            })
        };
        let (few, many) = (run(line(4, "prepare")), {
            run(line(4, "cleanup"));
            run(line(24, "prepare"))
        });
        // One more or less: our own connection for the questions above.
        let added = many.len() - few.len();
        assert!(added <= 20 * each + 2, "{rows} rows: {added} statements for 20 tables\n{}", many.join("\n"));
        assert_eq!(count(&many, "information_schema"), count(&few, "information_schema"), "once for all tables");
        let connections = count(&many, "Connect ").abs_diff(count(&few, "Connect "));
        assert!(connections <= 1, "a connection is used again: {connections} more");
        let marks = query(&server, "SELECT COUNT(*), SUM(complete) FROM sbtest.tenbin_mark");
        assert_eq!(marks, [["24", "24"]]);
        let cleaned = run(line(24, "cleanup"));
        assert!(cleaned.len() <= 24 + 20, "{}", cleaned.join("\n"));
        assert_eq!(query(&server, "SHOW TABLES FROM sbtest"), Vec::<Vec<String>>::new());
    }
}

/// A table of another owner among many: those before it are created, as under sysbench, and it is left as it is.
#[test]
fn prepare_leaves_a_table_that_exists_as_it_is() {
    let (server, here) = (mariadb(&[]), SysbenchDir::create());
    query(&server, "CREATE TABLE sbtest.sbtest2(theirs INTEGER)");
    let line = format!("oltp_read_write {} --tables=3 --table-size=10 prepare", address(&server));
    let (code, out, _) = here.ours(&line);
    assert!(code == 1 && out.contains("returned error 1050 (Table 'sbtest2' already exists)"), "{out}");
    assert_eq!(query(&server, "SELECT name FROM sbtest.tenbin_mark"), [["sbtest1"]]);
    assert_eq!(query(&server, "SELECT COUNT(*) FROM sbtest.sbtest1"), [["10"]]);
    assert_eq!(query(&server, "SHOW COLUMNS FROM sbtest.sbtest2")[0][0], "theirs");
}

#[test]
fn a_test_is_the_same_by_its_option_and_as_first_word() {
    let here = SysbenchDir::create();
    std::fs::write(here.dir.path().join("own.lua"), "function event() end\n").unwrap();
    let warning = "WARNING: the --test option is deprecated.";
    for (name, rest) in [
        ("/no/such/doc/sysbench/tests/db/oltp.lua", "help"),
        ("tests/db/select.lua", "help"),
        ("/no/such/include/oltp_legacy/insert.lua", "help"),
        ("/no/such/share/sysbench/oltp_read_only.lua", "help"),
        ("oltp_point_select", "help"),
        ("oltp", "help"),
        ("cpu", "help"),
        ("own.lua", "--events=3 --verbosity=0 run"),
        ("own", "--events=3 --verbosity=0 run"),
        ("no_such_test", "run"),
        ("/home/me/missing.lua", "run"),
    ] {
        let (code, out, err) = here.ours(&format!("{name} {rest}"));
        let (option, text, warned) = here.ours(&format!("--test={name} {rest}"));
        assert_eq!((code, out), (option, text), "{name}");
        assert!(warned.starts_with(warning) && !err.contains(warning), "{name}: {err} {warned}");
        assert_eq!(code, i32::from(name.contains("no_such_test") || name.contains("missing")), "{name}");
    }
}

#[test]
fn numbers_are_read_as_c_reads_them() {
    let here = SysbenchDir::create();
    let program = here.dir.path().join("sysbench").display().to_string();
    let (mut both, limits) = (Vec::new(), "cpu --cpu-max-prime=500 --time=1 --events=2");
    for option in [
        "--threads= 2",
        "--threads=2 ",
        "--threads=-1",
        "--threads=",
        "--events=-1",
        "--events= 3",
        "--report-interval=-1",
        "--rand-seed=-1",
        "--verbosity=",
        "--debug=",
        "--num-threads= 2",
        "--max-requests=-1",
        "--rate=",
        "--percentile=",
        "--percentile",
        "--thread-stack-size=",
        "--forced-shutdown=",
        "--time=",
        "--histogram=",
        "--mysql-ssl=",
        "--mysql-ssl",
        "--config-file=",
        "--config-file=none",
    ] {
        let code = |program: &str| output_of(here.command(program, limits).arg(option).arg("run")).0;
        both.push((option, code(&program), code("/usr/bin/sysbench")));
    }
    let differ: Vec<_> = both.iter().filter(|(_, ours, theirs)| ours != theirs).collect();
    assert!(differ.is_empty(), "option, our code, theirs: {differ:?}");
}

#[test]
fn tests_of_the_machine_name_their_options_with_hyphens() {
    let here = SysbenchDir::create();
    for test in ["fileio", "cpu", "memory", "threads", "mutex"] {
        let names = |text: &str| {
            let options = text.lines().filter_map(|line| line.trim_start().strip_prefix("--"));
            let name = |option: &str| option.split(['=', '[', ' ']).next().unwrap_or_default().to_owned();
            options.map(name).collect::<Vec<_>>()
        };
        let (ours, theirs) =
            (names(&here.ours(&format!("{test} help")).1), names(&here.theirs(&format!("{test} help")).1));
        assert!(!theirs.is_empty() && theirs.iter().all(|name| ours.contains(name)), "{test}: {theirs:?} {ours:?}");
        assert!(ours.iter().all(|name| !name.contains('_')), "{ours:?}");
    }
}

/// As in a container with a read-only root: there is no place for a run directory, and no reader at a terminal.
#[test]
fn where_nothing_can_be_stored_the_work_is_done_without_a_word() {
    let server = mariadb(&[]);
    let here = tempfile::tempdir().unwrap();
    let file = here.path().join("a_file");
    std::fs::write(&file, "").unwrap();
    let socket = server.dir().join("s.sock").display().to_string();
    let run = |words: &[&str]| {
        let mut command = Command::new(target_dir().join("tenbin"));
        command.args(words).current_dir(here.path()).env("TENBIN_RUNS", file.join("runs")).env("LANG", "C.UTF-8");
        output_of(&mut command)
    };
    query(&server, "CREATE DATABASE tpcc");
    let load = ["tpcc_load", "-S", &socket, "-u", "root", "-d", "tpcc", "-w", "1"];
    let start = [
        "tpcc_start",
        "-S",
        &socket,
        "-u",
        "root",
        "-d",
        "tpcc",
        "-w",
        "1",
        "-c",
        "2",
        "-r",
        "0",
        "-l",
        "2",
        "-i",
        "1",
    ];
    let slap = ["mysqlslap", "--no-defaults", "-S", &socket, "-u", "root", "-a"];
    for (words, report) in [
        (&["sysbench", "cpu", "--time=1", "--cpu-max-prime=500", "run"][..], "total number of events:"),
        (&slap[..], "Average number of seconds"),
        (&load[..], "COMPLETED SUCCESSFULLY"),
        (&start[..], "TpmC"),
    ] {
        let (code, out, err) = run(words);
        assert!(code == 0 && out.contains(report) && beside_doubts(&err).is_empty(), "{words:?}: {code}\n{out}\n{err}");
    }
}

/// MySQL's programs ask on the terminal, and read standard input if there is none.
#[test]
fn a_password_is_read_from_standard_input_without_a_terminal() {
    let server = mariadb(&[]);
    query(&server, "CREATE USER app@localhost IDENTIFIED BY 'ge heim'");
    query(&server, "GRANT ALL ON *.* TO app@localhost");
    let socket = server.dir().join("s.sock").display().to_string();
    let words = ["--no-defaults", "-S", &socket, "-uapp", "-p", "--create-schema=sbtest", "--query=SELECT 1"];
    let ours = target_dir().join("tenbin").display().to_string();
    let given = |program: &[&str], password: &str| {
        let mut command = Command::new("setsid");
        command.arg("--wait").args(program).args(words).env("TENBIN_QUIET", "1").env_remove("MYSQL_PWD");
        let dir = tempfile::tempdir().unwrap();
        let mut child = command
            .current_dir(dir.path())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        std::io::Write::write_all(&mut child.stdin.take().unwrap(), password.as_bytes()).unwrap();
        let output = child.wait_with_output().unwrap();
        (output.status.code(), String::from_utf8_lossy(&output.stderr).contains("Enter password: "))
    };
    for (password, code) in [("ge heim\nmore\n", 0), ("ge heim", 0), ("wrong\n", 1), ("", 1)] {
        assert_eq!(given(&[&ours, "mariadb-slap"], password), (Some(code), true), "{password:?}");
        assert_eq!(given(&["/usr/bin/mariadb-slap"], password), (Some(code), true), "theirs: {password:?}");
    }
}

/// mysqlslap runs what is listed, as often as it is listed.
#[test]
fn a_number_of_clients_that_is_given_twice_is_run_twice() {
    let server = mariadb(&[]);
    let socket = server.dir().join("s.sock").display().to_string();
    let dir = tempfile::tempdir().unwrap();
    let clients = |program: &[&str], words: &[&str]| {
        let mut command = Command::new(program[0]);
        command.args(&program[1..]).args(["--no-defaults", "-S", &socket, "-uroot", "--csv"]).args(words);
        let (code, out, err) = output_of(command.current_dir(dir.path()).env("TENBIN_QUIET", "1"));
        assert_eq!(code, 0, "{words:?} {err}");
        let column = |line: &str| [0, 5].map(|n| line.split(',').nth(n).unwrap_or_default().to_owned()).join(" ");
        out.lines().map(column).collect::<Vec<_>>()
    };
    let ours = target_dir().join("tenbin").display().to_string();
    for words in [
        &["--query=SELECT 1", "--create-schema=sbtest", "-c", "2,2,1"][..],
        &["-a", "-c", "2,1,2", "-e", "innodb,myisam"],
        &["-a", "-e", "innodb,innodb"],
    ] {
        assert_eq!(clients(&[&ours, "mariadb-slap"], words), clients(&["/usr/bin/mariadb-slap"], words), "{words:?}");
    }
}

/// A test without connections needs no open files for them.
#[test]
fn many_threads_of_the_machine_start_with_few_open_files() {
    let script = "ulimit -n 100; exec \"$0\" sysbench cpu --threads=200 --events=200 --time=0 run";
    let (code, out, err) = output_of(tenbin_through("bash", &["-c", script]).env("TENBIN_QUIET", "1"));
    assert!(code == 0 && out.contains("total number of events:              200"), "{code} {out}{err}");
}

/// What is enough for the real ones is enough: what is open counts, and not what could be.
#[test]
fn twenty_open_files_are_enough_for_four_clients() {
    let (server, here) = (mariadb(&[]), SysbenchDir::create());
    let (code, out, err) = here.ours(&format!("oltp_read_only {} --table-size=100 prepare", address(&server)));
    assert_eq!(code, 0, "{out}{err}");
    let limited = |files: u32, program: &str, line: &str| {
        // None of those that a test inherits.
        let closed: String = (3..20).map(|file| format!("exec {file}>&-; ")).collect();
        let script = format!("{closed} ulimit -n {files}; exec \"$0\" {line}");
        let mut command = Command::new("bash");
        output_of(command.args(["-c", &script, program]).current_dir(here.dir.path()).env("LANG", "C.UTF-8"))
    };
    let ours = target_dir().join("tenbin").display().to_string();
    let line = |threads: u32| format!("oltp_read_only {} --threads={threads} --time=1 run", address(&server));
    for (program, line) in [("/usr/bin/sysbench", line(4)), (&*ours, format!("sysbench {}", line(4)))] {
        let (code, out, err) = limited(20, program, &line);
        assert!(code == 0 && out.contains("Threads fairness:"), "{program}: {code} {out}{err}");
        assert!(!out.contains("FATAL"), "{out}");
    }
    let socket = server.dir().join("s.sock").display().to_string();
    for what in ["-a", "--create-schema=sbtest --query='SELECT 1'"] {
        let line = format!("--no-defaults -S {socket} -uroot -c 4 {what}");
        for (program, line) in [("/usr/bin/mysqlslap", line.clone()), (&*ours, format!("mysqlslap {line}"))] {
            let (code, out, err) = limited(20, program, &line);
            assert!(code == 0 && out.contains("Number of clients running queries: 4"), "{program}: {code} {out}{err}");
            assert!(!out.contains("NOT COMPLETE") && !err.contains("INVALID"), "{program}: {out}{err}");
        }
    }
    let (code, out, err) = limited(20, &ours, &format!("sysbench {}", line(40)));
    assert!(code == 1 && out.contains("40 clients need more open files"), "{out}{err}");
}

/// Command lines that the real one refuses: with the same exit code and the same last line, but for the file of its scripts that it names.
#[test]
fn refused_command_lines_are_told_as_by_the_real_one() {
    let here = SysbenchDir::create();
    for line in [
        "oltp_read_only",
        "cpu",
        "cpu run --report-interval=x",
        "cpu run --debug=x",
        "cpu run --debug=yes",
        "cpu run --histogram=ON",
        "cpu run --percentile=abc",
        "cpu run --percentile=101",
        "memory run --memory-block-size=3K",
        "oltp_read_only --skip_trx=yes run",
        "cpu run --histogram=",
        "cpu run --mysql-ssl=",
        "cpu run --verbosity=9",
        "cpu run --thread-stack-size=x",
        "cpu run --threads",
        "cpu run --rate=-1",
        "oltp_read_only --mysql-host= run",
        "oltp_read_only --db-driver=foo cleanup",
        "oltp_read_only --db-ps-mode=foo run",
        "oltp_read_only --mysql-host=127.0.0.1 --mysql-port=99999 prepare",
        "oltp_read_only --pgsql-port=x --db-driver=pgsql run",
        "fileio run --file-test-mode=seqrd --file-rw-ratio=-1",
        "fileio prepare --file-total-size=x",
        "fileio prepare --file-num=0",
        "fileio run --file-test-mode=rndrd --file-io-mode=foo",
    ] {
        let last = |(code, out, err): (i32, String, String)| {
            let all = out + &err;
            let line = all.lines().rfind(|line| !line.trim().is_empty()).unwrap_or_default().to_owned();
            let place = line.split_once("/usr/share/sysbench/oltp_common.lua:");
            let place = place.and_then(|(before, rest)| Some(format!("{before}{}", rest.split_once(": ")?.1)));
            (code, place.unwrap_or(line))
        };
        assert_eq!(last(here.ours(line)), last(here.theirs(line)), "{line}");
    }
}

/// A file that is not there is told and passed over; what cannot be a test is told after the banner.
#[test]
fn what_the_real_one_passes_over_is_passed_over() {
    let here = SysbenchDir::create();
    let (code, out, err) = here.ours("cpu --config-file=none --events=1 run");
    assert_eq!((code, err.as_str()), (0, "none: No such file or directory\n"), "{out}");
    assert_eq!(here.theirs("cpu --config-file=none --events=1 run").2, err);
    for (line, has_banner) in [
        ("cpu --histogram= run", true),
        ("cpu --rate=x run", false),
        ("cpu --verbosity=9 run", false),
        ("oltp_read_only --db-driver=foo prepare", true),
    ] {
        let both = [here.ours(line).1, here.theirs(line).1].map(|out| out.starts_with("sysbench 1.0.20"));
        assert_eq!(both, [has_banner; 2], "{line}");
    }
}

/// Of several servers the one that cannot be connected to is named.
#[test]
fn the_host_that_failed_is_named() {
    let (server, here) = (mariadb(&[]), SysbenchDir::create());
    let port = port(&server);
    let line = |rest: &str| format!("oltp_read_only --mysql-user=root --mysql-db=sbtest --table-size=10 {rest}");
    assert_eq!(here.ours(&line(&format!("--mysql-host=127.0.0.1 --mysql-port={port} prepare"))).0, 0);
    let (code, out, err) =
        here.ours(&line(&format!("--mysql-host=127.0.0.1 --mysql-port={port},1 --threads=2 --time=1 run")));
    let text = "FATAL: unable to connect to MySQL server on host '127.0.0.1', port 1, aborting...";
    assert!(code == 1 && out.contains(text), "{out}{err}");
}

/// Scripts that come to the driver without naming it: where the address cannot be, there is no figure, whatever their text says.
#[test]
fn a_script_without_an_address_has_no_figure_by_whatever_way_it_finds_the_driver() {
    let here = SysbenchDir::create();
    let write = |name: &str, text: &str| std::fs::write(here.dir.path().join(name), text).expect("it is ours");
    write("module.lua", "function begin() con = sysbench.sql.driver():connect() end\n");
    let event = "function event() con:query('SELECT 1') end\n";
    write("by_module.lua", &format!("require('module')\nfunction thread_init() begin() end\n{event}"));
    write("by_index.lua", &format!("function thread_init() con = sysbench['sql'].driver():connect() end\n{event}"));
    for script in ["by_module.lua", "by_index.lua"] {
        for address in ["--mysql-host=", "--mysql-port=", "--db-driver=foo", "--mysql-host=127.0.0.1 --mysql-port=1"] {
            let line = format!("{script} {address} --time=1 run");
            let ((code, ours, err), (real, theirs, _)) = (here.ours(&line), here.theirs(&line));
            assert!(!ours.contains("transactions:"), "{line}\n{ours}");
            assert_eq!((code, real, theirs.contains("transactions:")), (1, 1, false), "{line}\n{ours}{err}\n{theirs}");
        }
    }
}
