//! `sysbench …`, typed as in posts, against a private MariaDB: what is printed, what is left on disk, and the exit
//! code. Debian's sysbench runs the same lines beside it, so the forms are compared with the real thing.

#![expect(clippy::unwrap_used, reason = "a test may")]

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use tenbin_tests::sql::{on, open, query};
use tenbin_tests::sysbench::{SysbenchDir, address, address_of, assert_same_form, form, port};
use tenbin_tests::{Phoenix, beside_doubts, mariadb, output_of, wait_until_completed, wait_until_measured};

/// E5 as it was published, with a smaller table and a shorter run.
#[test]
fn a_managed_server_is_loaded_and_driven_as_in_the_post() {
    let (server, here) = (mariadb(&[]), SysbenchDir::create());
    let line = |rest: &str| format!("oltp_read_write {} {rest}", address(&server));
    let (code, out, err) = here.ours(&line("--table-size=10000 prepare"));
    assert_eq!((code, err.as_str()), (0, ""), "{out}");
    let text: Vec<&str> = out.lines().skip(2).collect();
    assert_eq!(
        text,
        [
            "Creating table 'sbtest1'...",
            "Inserting 10000 records into 'sbtest1'",
            "Creating a secondary index on 'sbtest1'..."
        ]
    );
    let run = line("--table-size=10000 --time=2 --threads=16 run");
    let (code, ours, err) = here.ours(&run);
    assert_eq!(code, 0, "{ours}\n{err}");
    let (_, theirs, _) = here.theirs(&run);
    assert_eq!(form(&ours), form(&theirs), "\n{ours}\n{theirs}");
    let banner: Vec<&str> = ours.lines().next().unwrap_or_default().split(' ').collect();
    assert!(
        matches!(banner[..], ["sysbench", "1.0.20", "(using", _, "LuaJIT", version] if version.ends_with(')')),
        "{ours}"
    );

    // What is printed adds up, and the run directory has it all.
    let number = |label: &str| -> f64 {
        let line =
            ours.lines().find(|l| l.trim_start().starts_with(label)).unwrap_or_else(|| panic!("{label}\n{ours}"));
        line.split(':').nth(1).unwrap().split_whitespace().next().unwrap().trim_end_matches('s').parse().unwrap()
    };
    assert_eq!(number("total:"), number("read:") + number("write:") + number("other:"));
    assert_eq!(number("transactions:"), number("total number of events:"));
    assert!((number("read:") / number("transactions:") - 14.0).abs() < 0.5, "{ours}");
    assert!(
        number("sum:") <= 16.0 * number("total time:") * 1000.0 * 1.02 && number("95th percentile:") <= number("max:"),
        "{ours}"
    );
    let [dir] = &here.runs()[..] else { panic!("one run directory: {:?}", here.runs()) };
    assert_eq!(beside_doubts(&err), "", "programs merge the streams: what Tenbin adds is for a terminal");
    assert!(dir.join("report.html").is_file());
    let (_, json, _) = output_of(tenbin_tests::tenbin().args(["report", "--json"]).arg(dir));
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!(json["trials"][0]["accounting"]["completed"].as_f64().unwrap(), number("transactions:"));

    let (code, out, _) = here.ours(&line("cleanup"));
    assert_eq!((code, out.lines().nth(2)), (0, Some("Dropping table 'sbtest1'...")));
    let (code, out, _) = here.ours(&run);
    assert!(code == 1 && out.contains("FATAL: ") && out.contains("1146"), "{code} {out}");
}

/// E3 as it was published: sysbench 0.4, the server on this machine's socket, a smaller table and a shorter run.
#[test]
fn the_flash_card_is_measured_with_the_words_of_0_4() {
    let (server, here) = (mariadb(&[]), SysbenchDir::create());
    let program = here.dir.path().join("sysbench").display().to_string();
    let socket = server.dir().join("s.sock").display().to_string();
    let typed = |line: &str| output_of(here.command(&program, line).env("MYSQL_UNIX_PORT", &socket));
    let prepare = "--test=oltp --oltp-table-size=5000 --db-driver=mysql --mysql-user=root prepare";
    let (code, out, err) = typed(prepare);
    assert!(code == 0 && out.contains("Creating 5000 records in table 'sbtest'..."), "{out}{err}");
    let run = "--test=oltp --oltp-table-size=5000 --db-driver=mysql --mysql-user=root --num-threads=16 \
               --max-requests=0 --max-time=2 --init-rng=on --oltp-read-only=on --oltp-dist-type=uniform run";
    let (code, out, err) = typed(run);
    assert_eq!(code, 0, "{out}{err}");
    for part in [
        "Number of threads: 16",
        "OLTP test statistics:",
        "        write:                           0",
        "    transactions:                        ",
        "    deadlocks:                           0      (0.00 per sec.)",
        "    read/write requests:                 ",
        "    other operations:                    ",
        "Test execution summary:",
        "    total time taken by event execution: ",
        "         approx.  95 percentile:         ",
        "Threads fairness:",
    ] {
        assert!(out.contains(part), "{part} is missing in\n{out}");
    }
    let figure = |label: &str| -> f64 {
        let line = out.lines().find(|l| l.trim_start().starts_with(label)).unwrap();
        line.split(':').nth(1).unwrap().split_whitespace().next().unwrap().trim_end_matches('s').parse().unwrap()
    };
    assert!((figure("read:") / figure("transactions:") - 14.0).abs() < 0.5, "ten points and four ranges\n{out}");
    assert!(figure("total time:") < 2.5, "{out}");
    // Everything of it, with the limits of that age.
    let (code, out, err) = typed("--test=oltp --oltp-table-size=5000 --mysql-user=root --max-requests=300 run");
    assert!(code == 0 && out.contains("total number of events:              300"), "{out}{err}");
    assert!(!out.contains("        write:                           0\n"), "{out}");
    // A script of 0.5 that is no longer there has its native test.
    assert_eq!(typed("oltp_read_write --mysql-user=root --tables=2 --table-size=500 prepare").0, 0);
    let (code, out, err) = typed(
        "--test=/usr/share/doc/sysbench/tests/db/oltp.lua --mysql-user=root --oltp-tables-count=2 --oltp-table-size=500 \
         --max-requests=50 --rand-init=on run",
    );
    assert!(code == 0 && out.contains("total number of events:              50"), "{out}{err}");
    let (code, out, _) = typed("--test=oltp --mysql-user=root --oltp-reconnect-mode=query run");
    assert!(code == 1 && out.contains("refused"), "{out}");
    assert_eq!(typed("--test=oltp --mysql-user=root cleanup").0, 0);
}

/// `--oltp-table-name`: by its name the table is loaded, used and dropped, and nothing else.
#[test]
fn the_table_of_0_4_may_have_another_name() {
    let (server, here) = (mariadb(&[]), SysbenchDir::create());
    let line = |command: &str| {
        format!(
            "--test=oltp {} --oltp-table-name=my_test --oltp-table-size=300 --max-requests=20 {command}",
            address(&server)
        )
    };
    let tables = || {
        let sql =
            "SELECT GROUP_CONCAT(table_name ORDER BY 1) FROM information_schema.tables WHERE table_schema = 'sbtest'";
        query(&server, sql)[0][0].clone()
    };
    let (code, out, err) = here.ours(&line("prepare"));
    assert_eq!(code, 0, "{out}{err}");
    assert!(out.contains("Creating table 'my_test'...\nCreating 300 records in table 'my_test'..."), "{out}");
    assert_eq!(tables(), "my_test,tenbin_mark");
    assert_eq!(query(&server, "SELECT COUNT(*) FROM sbtest.my_test")[0][0], "300");
    assert_eq!(query(&server, "SELECT name FROM sbtest.tenbin_mark")[0][0], "my_test");
    let (code, out, err) = here.ours(&line("run"));
    assert!(code == 0 && out.contains("transactions:                        20"), "{out}{err}");
    let (code, out, err) = here.ours(&line("cleanup"));
    assert!(code == 0 && out.contains("Dropping table 'my_test'..."), "{out}{err}");
    assert!(!tables().contains("my_test"), "{}", tables());
}

#[test]
fn what_mends_an_error_is_said_in_sysbenchs_words() {
    let (server, here) = (mariadb(&[]), SysbenchDir::create());
    let at = address(&server);
    assert_eq!(here.ours(&format!("oltp_read_only {at} --table-size=100 prepare")).0, 0);
    let (tables, size) = ("--tables=2", "--table-size=100");
    for (line, hint) in [
        (
            format!("oltp_read_only {tables} --time=1 run"),
            format!("sysbench {at} oltp_read_only {tables} --time=1 prepare"),
        ),
        (
            format!("oltp_read_only {size} prepare"),
            format!("use it as it is, or drop it first: sysbench {at} oltp_read_only {size} cleanup"),
        ),
        (
            "oltp_read_only --mysql-user=nobody --mysql-password=wrong --time=1 run".into(),
            format!(
                "give others with --mysql-user and --mysql-password; try them: mysql -h 127.0.0.1 -P {} -u nobody -p sbtest",
                port(&server)
            ),
        ),
        (
            "oltp_read_only --mysql-db=none --time=1 run".into(),
            format!("mysqladmin -h 127.0.0.1 -P {} -u root create none", port(&server)),
        ),
        ("oltp_read_only --mysql-ssl=on --time=1 run".into(), "use --mysql-ssl=off on a line that you trust".into()),
        (
            "oltp_read_only --mysql-port=1 prepare".into(),
            "is the server running, and is this its port? mysqladmin -h 127.0.0.1 -P 1 -u root ping".into(),
        ),
    ] {
        let (code, out, err) = here.ours(&format!("{at} {line}"));
        assert_eq!(code, 1, "{line}: {out}{err}");
        let last = out.lines().rfind(|l| l.starts_with("FATAL: ")).unwrap_or_else(|| panic!("{line}: {out}{err}"));
        assert_eq!(last, format!("FATAL: {hint}"), "{line}: {out}{err}");
        for word in ["tenbin ", "--password-env", "--drop", "wrong"] {
            assert!(!out.contains(word), "{line} says {word}: {out}");
        }
    }
}

/// One file for all tests of a comparison: each takes what it knows, as the real one does.
#[test]
fn a_configuration_file_may_have_options_of_other_tests() {
    let (server, here) = (mariadb(&[]), SysbenchDir::create());
    let port = port(&server);
    std::fs::write(
        here.dir.path().join("all.cfg"),
        format!(
            "mysql-host=127.0.0.1\nmysql-port={port}\nmysql-user=root\ntables=2\ntable-size=300\nevents=20\nrandom-points=4\n\
             file-num=3\ncpu-max-prime=500\noltp-table-size=7\nnot-known-to-anybody=1\n"
        ),
    )
    .unwrap();
    let own = "sysbench.cmdline.options = { tables = {\"how many\", 1} }\n\
               function event() assert(sysbench.opt.tables == 2 and sysbench.opt.file_num == nil) end\n";
    std::fs::write(here.dir.path().join("own.lua"), own).unwrap();
    for line in ["oltp_read_only prepare", "oltp_read_only run", "cpu run", "own.lua run", "oltp_read_only cleanup"] {
        let (code, out, err) = here.ours(&format!("--config-file=all.cfg {line}"));
        assert_eq!((code, err.as_str()), (0, ""), "{line}: {out}");
        if line.ends_with("prepare") {
            assert!(out.contains("Inserting 300 records into 'sbtest2'"), "what it knows it takes: {out}");
        }
    }
    // What is typed is meant for the test that is named.
    assert_eq!(here.ours("--config-file=all.cfg cpu --file-num=3 run").2, "invalid option: --file-num=3\n");
}

/// sysbench 1.0.20 cannot open a connection again; the numbers are those that upstream's own suite wants of 1.1.
#[test]
fn new_connections_after_so_many_events_are_counted_as_reconnects_alone() {
    let (server, here) = (mariadb(&[]), SysbenchDir::create());
    let at = address(&server);
    assert_eq!(here.ours(&format!("oltp_read_write {at} --table-size=500 prepare")).0, 0);
    std::fs::write(
        here.dir.path().join("again.lua"),
        "function thread_init() drv = sysbench.sql.driver() con = drv:connect() end\n\
         function event() con:query('DO 1') con:reconnect() end",
    )
    .unwrap();
    for (test, reconnects, queries) in [
        ("oltp_read_write --reconnect=5", 20, 2000),
        ("oltp_point_select --reconnect=3", 33, 100),
        ("oltp_insert --reconnect=100", 1, 100),
        ("select_random_ranges --reconnect=50 --db-ps-mode=disable", 2, 100),
        ("oltp_point_select", 0, 100),
        ("again.lua", 100, 100),
    ] {
        let (code, out, err) = here.ours(&format!("{test} {at} --table-size=500 --events=100 --time=0 run"));
        let of = |label: &str| lines_of(&out, label)[0].split_whitespace().nth(1).unwrap().parse::<u64>().unwrap();
        assert_eq!((code, of("reconnects:"), of("queries:")), (0, reconnects, queries), "{test}: {out}{err}");
    }
}

#[test]
fn every_form_of_report_is_that_of_the_real_one() {
    let (server, here) = (mariadb(&[]), SysbenchDir::create());
    let at = address(&server);
    assert_eq!(here.ours(&format!("oltp_read_write {at} --tables=2 --table-size=1000 --threads=2 prepare")).0, 0);
    for rest in [
        "oltp_read_write --tables=2 --table-size=1000 --threads=2 --time=3 --report-interval=1 run",
        "oltp_read_only --tables=2 --table-size=1000 --time=2 --rand-seed=5 --percentile=99 --verbosity=4 run",
        "oltp_point_select --table-size=1000 --time=3 --report-checkpoints=1 --percentile=0 run",
        "oltp_update_index --table-size=1000 --events=50 --time=0 --rate=200 --validate --forced-shutdown=9 run",
        "select_random_points --table-size=1000 --time=1 --verbosity=0 run",
        "oltp_delete --table-size=1000 --events=20 --db-ps-mode=disable run",
    ] {
        let (code, ours, err) = here.ours(&format!("{at} {rest}"));
        let (real, theirs, _) = here.theirs(&format!("{at} {rest}"));
        assert_eq!(code, real, "{rest}\n{ours}\n{err}\n{theirs}");
        assert_same_form(rest, &ours, &theirs);
    }
}

#[test]
fn what_is_typed_wrong_is_told_where_sysbench_tells_it() {
    let here = SysbenchDir::create();
    for line in [
        "oltp_read_write --foo=1 run",
        "oltp_read_write --skip_trx=zz run",
        "oltp_read_write --time=x run",
        "oltp_read_write run x",
        "oltp_read_write --delta=5 run",
        "oltp_read_write frobnicate",
    ] {
        let (code, out, err) = here.ours(line);
        assert!(code == 1 && !err.is_empty() && !out.contains("Running"), "{line}: {code}\n{out}\n{err}");
    }
    for (line, words) in [
        ("oltp_read_write --foo=1 run", "invalid option: --foo=1\n"),
        ("oltp_read_write --skip_trx=zz run", "invalid option: --skip_trx=zz\n"),
        ("oltp_read_write --time=x run", "Invalid value for the 'time' option: 'x'\n"),
        ("oltp_read_write run x", "Unrecognized command line argument: x\n"),
        (
            "--test=cpu run x y",
            "WARNING: the --test option is deprecated. You can pass a script name or path on the command line without any options.\n\
             Unrecognized command line argument: x\n",
        ),
        ("oltp_read_write --delta=5 run", "invalid option: --delta=5\n"),
        ("oltp_read_write frobnicate", "Unknown command: frobnicate\n"),
    ] {
        assert_eq!(here.ours(line).2, words, "{line}");
    }
    for (line, words) in [
        ("nonesuch run", "FATAL: Cannot find benchmark 'nonesuch': no such built-in test, file or module"),
        ("missing.lua run", "FATAL: Cannot find benchmark 'missing.lua': no such built-in test, file or module"),
        ("oltp_read_write --threads=0 run", "FATAL: Invalid value for --threads: 0."),
        ("oltp_read_write --db-driver=help run", "FATAL: invalid database driver name: 'help'"),
        ("oltp_read_write --mysql-host=127.0.0.1 --mysql-port=1 run", "FATAL: "),
        ("oltp_read_write --mysql-host=127.0.0.1 --mysql-port=1 prepare", "FATAL: "),
    ] {
        let (code, out, err) = here.ours(line);
        assert!(code == 1 && out.contains(words), "{line}: {code}\n{out}\n{err}");
    }
    let (code, out, err) = here.ours("--version");
    assert_eq!((code, out.as_str(), err.as_str()), (0, "sysbench 1.0.20\n", ""), "one line, also with 2>&1");
    let (code, out, _) = here.ours("oltp_read_write run --help");
    assert!(code == 0 && out.contains("--report-checkpoints=[LIST,...]"), "{out}");
    let (code, out, _) = here.ours("--test=oltp help");
    assert!(code == 0 && out.contains("oltp options:") && out.contains("  --oltp-read-only[=on|off] "), "{out}");
    let (code, out, _) = here.ours("oltp_read_write help");
    assert!(code == 0 && out.contains("oltp_read_write options:") && out.contains("  --table_size=N "), "{out}");
}

#[test]
fn a_dry_run_needs_no_server_and_leaves_a_run_directory() {
    let here = SysbenchDir::create();
    let runs = here.dir.path().join("elsewhere");
    let mut command = here.command(
        &here.dir.path().join("sysbench").display().to_string(),
        "oltp_write_only --mysql-dry-run --time=1 --threads=2 --percentile=50,99.9 run",
    );
    let (code, out, err) = output_of(command.env("TENBIN_RUNS", &runs));
    assert_eq!(code, 0, "{out}{err}");
    assert!(out.contains("         50th percentile:") && out.contains("       99.9th percentile:"), "{out}");
    assert_eq!(std::fs::read_dir(&runs).unwrap().count(), 1);
    let (code, _, err) = here.ours("oltp_write_only --mysql-dry-run --time=0.5 --verbosity=1 run");
    assert_eq!((code, err.as_str()), (0, ""), "quiet is quiet");
}

fn interrupted(child: &std::process::Child) {
    let status = Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    assert!(status.success());
}

#[test]
fn ctrl_c_still_brings_the_report() {
    let (server, here) = (mariadb(&[]), SysbenchDir::create());
    let at = address(&server);
    assert_eq!(here.ours(&format!("oltp_read_write {at} --table-size=1000 prepare")).0, 0);
    let program = here.dir.path().join("sysbench").display().to_string();
    let mut run = here.command(&program, &format!("oltp_read_write {at} --table-size=1000 --time=60 run"));
    let runs = here.dir.path().join("kept");
    let child = run.env("TENBIN_RUNS", &runs).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    wait_until_measured(&runs, 1);
    interrupted(&child);
    let output = child.wait_with_output().unwrap();
    let out = String::from_utf8_lossy(&output.stdout);
    assert_eq!(output.status.code(), Some(130), "{out}");
    assert!(out.contains("    transactions:") && out.contains("Threads fairness:"), "{out}");
}

fn lines_of<'a>(text: &'a str, start: &str) -> Vec<&'a str> {
    text.lines().filter(|l| l.trim_start().starts_with(start)).collect()
}

#[test]
fn deadlocks_are_ignored_errors_and_end_no_thread() {
    let (server, here) = (mariadb(&[]), SysbenchDir::create());
    let at = address(&server);
    assert_eq!(here.ours(&format!("oltp_read_write {at} --table-size=200 prepare")).0, 0);
    let run = "--table-size=200 --rand-type=special --threads=16 --time=3 run";
    let (code, out, err) = here.ours(&format!("oltp_read_write {at} {run}"));
    assert_eq!(code, 0, "{out}{err}");
    let ignored: u64 = lines_of(&out, "ignored errors:")[0].split_whitespace().nth(2).unwrap().parse().unwrap();
    assert!(ignored > 0, "sixteen clients on the hot rows of 200 meet: {out}");
    // A script's too, whether its clients have a thread each or share event loops, and the rows are all there
    // afterwards.
    for threads in [16, 40] {
        let script = run.replace("--threads=16", &format!("--threads={threads}"));
        let (code, out, err) = here.ours(&format!("/usr/share/sysbench/oltp_read_write.lua {at} {script}"));
        assert_eq!(code, 0, "{out}{err}");
        let ignored: u64 = lines_of(&out, "ignored errors:")[0].split_whitespace().nth(2).unwrap().parse().unwrap();
        assert!(ignored > 0, "{threads} clients of a script on the hot rows of 200 meet: {out}");
    }
    let rows = on(async { open(&server).await.table("SELECT COUNT(*) FROM sbtest1").await.unwrap() });
    assert_eq!(rows.scalar(), Some("200"), "what met a deadlock was rolled back whole");
    // Not ignored they end the run, with its report.
    let (code, out, _) = here.ours(&format!("oltp_read_write {at} --mysql-ignore-errors=1020 {run}"));
    assert!(code == 1 && out.contains("FATAL: ") && out.contains("Threads fairness:"), "{code} {out}");
}

#[test]
fn hosts_and_sockets_are_taken_in_turn_and_prepare_fails_loudly() {
    let (server, here) = (mariadb(&[]), SysbenchDir::create());
    let hosts = format!(
        "--mysql-host=127.0.0.1,127.0.0.1 --mysql-port={0},{0} --mysql-user=root --mysql-db=sbtest",
        port(&server)
    );
    let line = |rest: &str| format!("oltp_read_only {hosts} --tables=3 --table-size=100 --threads=4 {rest}");
    assert_eq!(here.ours(&line("prepare")).0, 0);
    let (code, out, _) = here.ours(&line("prepare"));
    assert!(code == 1 && out.contains("returned error 1050 (Table 'sbtest"), "several threads: {code} {out}");
    let (code, out, err) = here.ours(&line("--time=1 run"));
    assert_eq!(code, 0, "{out}{err}");
    assert_eq!(here.ours(&line("prewarm")).0, 0);
    assert_eq!(here.ours(&line("cleanup")).0, 0);
    assert!(Path::new("/usr/bin/sysbench").exists());
}

#[test]
fn the_first_client_and_what_prepares_connect_to_the_first_of_a_list() {
    let (server, here) = (mariadb(&[]), SysbenchDir::create());
    let at = |ports: &str| format!("--mysql-host=127.0.0.1 --mysql-port={ports} --mysql-user=root --mysql-db=sbtest");
    // Nothing answers at port 1: a client that connects there fails.
    let first = at(&format!("{},1", port(&server)));
    std::fs::write(here.dir.path().join("own.lua"), OWN_ADDRESS).unwrap();
    let second = at(&format!("1,{}", port(&server)));
    for test in ["oltp_read_only --table-size=50", "own.lua"] {
        let line = |at: &str, command: &str| format!("{test} {at} {command}");
        for (tool, is_ours) in [("ours", true), ("theirs", false)] {
            let run = |line: &str| if is_ours { here.ours(line) } else { here.theirs(line) };
            for command in ["prepare", "--events=3 run", "cleanup"] {
                let (code, out, err) = run(&line(&first, command));
                assert_eq!(code, 0, "{tool}: {test} {command}: {out}{err}");
            }
            assert_eq!(run(&line(&second, "--events=3 run")).0, 1, "{tool}: {test}");
        }
    }
}

/// One connection for each command and each thread.
const OWN_ADDRESS: &str = "
function prepare() sysbench.sql.driver():connect():query('CREATE TABLE IF NOT EXISTS own (a INT)') end
function thread_init() con = sysbench.sql.driver():connect() end
function event() con:query('SELECT * FROM own') end
function cleanup() sysbench.sql.driver():connect():query('DROP TABLE IF EXISTS own') end
";

#[test]
fn scripts_of_debians_sysbench_and_ones_own_run_as_they_are() {
    let (server, here) = (mariadb(&[]), SysbenchDir::create());
    let at = address(&server);
    let mut scripts: Vec<PathBuf> =
        std::fs::read_dir("/usr/share/sysbench").unwrap().map(|e| e.unwrap().path()).collect();
    scripts.retain(|p| p.extension().is_some_and(|e| e == "lua") && !p.ends_with("oltp_common.lua"));
    assert!(scripts.len() >= 11);
    for script in scripts {
        let name = script.display();
        let size = if script.ends_with("bulk_insert.lua") { "" } else { "--table-size=500" };
        let line = |rest: &str| format!("{name} {at} {size} --threads=2 {rest}");
        for command in ["prepare", "--events=40 run", "cleanup"] {
            let (code, out, err) = here.ours(&line(command));
            assert_eq!(code, 0, "{name} {command}\n{out}{err}");
            if command.ends_with("run") {
                assert!(
                    out.contains("SQL statistics:") && out.contains("total number of events:              40"),
                    "{out}"
                );
            }
        }
    }
    std::fs::write(
        here.dir.path().join("own.lua"),
        "sysbench.cmdline.options = { size = {\"how big\", 3} }\nfunction event() return nil end\n",
    )
    .unwrap();
    let (code, out, _) = here.ours("own --events=5 --size=4 run");
    assert!(code == 0 && out.contains("events:              5") && !out.contains("SQL statistics"), "{out}");
    assert_eq!(here.ours("own.lua --sise=4 run").2, "invalid option: --sise=4\n");
    std::fs::write(here.dir.path().join("none.lua"), "function prepare() end\n").unwrap();
    let (code, out, _) = here.ours("none.lua run");
    assert!(code == 1 && out.contains("FATAL: cannot find the event() function in none.lua"), "{out}");
}

/// Killed without a word, and a new server on the same data and port: sysbench's users ask for a run that outlives it.
#[test]
fn a_server_that_restarts_under_a_run_is_reconnected_to_and_counted() {
    let (mut server, here) = (Phoenix::start(&[]), SysbenchDir::create());
    let at = address_of(&server.dsn());
    assert_eq!(here.ours(&format!("oltp_read_only {at} --table-size=500 prepare")).0, 0);
    let program = here.dir.path().join("sysbench").display().to_string();
    // Our own, and a script: three clients, which have a thread each, and forty, which share event loops. All at the same time, so that
    // one crash is that of all, and they can be given the time that a server needs to come back on a slow machine.
    let cases = [
        ("oltp_point_select", 3, "1213", 1),
        ("oltp_point_select", 3, "1213,2013,2006", 0),
        ("/usr/share/sysbench/oltp_read_only.lua", 3, "1213,2013,2006", 0),
        ("/usr/share/sysbench/oltp_read_only.lua", 40, "1213,2013,2006", 0),
    ];
    let runs = |case: usize| here.dir.path().join(format!("runs{case}"));
    let begin = |(case, (test, threads, ignore, _)): (usize, &(&str, u64, &str, i32))| {
        let line = format!(
            "{test} {at} --table-size=500 --threads={threads} --time=20 --report-interval=1 --mysql-ignore-errors={ignore} run"
        );
        let mut command = here.command(&program, &line);
        command.env("TENBIN_RUNS", runs(case)).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
    };
    let children: Vec<_> = cases.iter().enumerate().map(begin).collect();
    (0..cases.len()).for_each(|case| wait_until_completed(&runs(case), 1));
    server.crash();
    server.rise();
    for ((test, threads, ignore, wanted), child) in cases.into_iter().zip(children) {
        let output = child.wait_with_output().unwrap();
        let (out, err) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
        let reconnects: u64 = lines_of(&out, "reconnects:")[0].split_whitespace().nth(1).unwrap().parse().unwrap();
        assert!(reconnects >= threads, "{test}: {threads} clients were cut off: {out}{err}");
        let lines = lines_of(&out, "[ ");
        assert_eq!(lines.len(), 20, "{test}: the run went on to its end: {out}{err}");
        let tps = |line: &&str| line.split("tps: ").nth(1).unwrap().split(' ').next().unwrap().parse::<f64>().unwrap();
        assert!(tps(&lines[0]) > 0.0 && tps(&lines[19]) > 0.0, "{test}: before and after: {out}{err}");
        assert_eq!(output.status.code(), Some(wanted), "{test} {ignore}: {out}{err}");
        let of_losses = ["2006 (Server has gone away)", "2013 (Lost connection to server during query)"];
        let text = of_losses.iter().any(|l| out.contains(&format!("FATAL: mysql_drv_query() returned error {l} for")));
        assert_eq!(text, wanted == 1, "{test} {ignore}: {out}{err}");
    }
}

#[test]
fn a_script_that_prepares_too_many_statements_says_so_and_what_to_do() {
    let (server, here) = (mariadb(&[("max_prepared_stmt_count", "100")]), SysbenchDir::create());
    let at = address(&server);
    let line = |rest: &str| format!("/usr/share/sysbench/oltp_read_write.lua {at} --tables=3 --table-size=100 {rest}");
    assert_eq!(here.ours(&line("prepare")).0, 0);
    for threads in [8, 40] {
        let (code, out, err) = here.ours(&line(&format!("--threads={threads} --time=5 run")));
        assert_eq!(code, 1, "{out}{err}");
        assert!(
            out.contains("FATAL: ") && out.contains("1461") && out.contains("max_prepared_stmt_count"),
            "{out}{err}"
        );
        assert!(out.contains("oltp_common.lua:") && !out.contains("Threads started!"), "{out}{err}");
    }
    // As text there is nothing to prepare.
    let (code, out, err) = here.ours(&line("--threads=40 --db-ps-mode=disable --time=1 run"));
    assert_eq!(code, 0, "{out}{err}");
}

#[test]
fn postgres_is_loaded_by_several_threads_and_driven() {
    let (server, here) = (tenbin_tests::postgres(&[]), SysbenchDir::create());
    let dsn = tenbin_model::dsn::Dsn::parse(&server.dsn()).unwrap();
    let at = format!(
        "--db-driver=pgsql --pgsql-host=127.0.0.1 --pgsql-port={} --pgsql-user={} --pgsql-db={}",
        dsn.port.unwrap(),
        dsn.user,
        dsn.database
    );
    let line = |rest: &str| format!("oltp_read_write {at} --tables=4 --table-size=1000 --threads=4 {rest}");
    let (code, out, err) = here.ours(&line("prepare"));
    assert_eq!(code, 0, "{out}{err}");
    let run = line("--time=2 --report-interval=1 run");
    let (code, ours, err) = here.ours(&run);
    assert_eq!(code, 0, "{ours}{err}");
    let (_, theirs, _) = here.theirs(&run);
    assert_same_form(&run, &ours, &theirs);
    let (code, out, _) =
        here.ours(&format!("/usr/share/sysbench/{}", line("--events=20 run").replacen(' ', ".lua ", 1)));
    assert!(code == 0 && out.contains("total number of events:              20"), "{out}");
    assert_eq!(here.ours(&line("cleanup")).0, 0);
}
