//! Scripts under sysbench's name, beside the real one: a command run of their own, and the lines of errors that programs search for.

#![expect(clippy::unwrap_used, reason = "a test may")]

use tenbin_tests::mariadb;
use tenbin_tests::sql::{on, open};
use tenbin_tests::sysbench::{SysbenchDir, address};

const CONNECTED: &str = "function thread_init() con = sysbench.sql.driver():connect() end\n";

fn write(here: &SysbenchDir, name: &str, text: &str) {
    std::fs::write(here.dir.path().join(name), text).unwrap();
}

/// As in the real one.
#[test]
fn a_command_run_of_a_scripts_own_takes_the_place_of_its_events() {
    let here = SysbenchDir::create();
    let own = "function mine() print('mine', sysbench.opt.threads) end\nsysbench.cmdline.commands = {run = {mine}}\n";
    write(&here, "without.lua", own);
    write(&here, "with.lua", &format!("{own}function event() print('an event') end\n"));
    for line in ["without.lua --events=2 run", "with.lua --events=2 run"] {
        let ((code, ours, err), (real, theirs, _)) = (here.ours(line), here.theirs(line));
        assert_eq!((code, ours.lines().last()), (0, Some("mine\t1")), "{line}: {ours}{err}");
        assert_eq!((code, ours.lines().last()), (real, theirs.lines().last()), "{line}: {theirs}");
    }
}

/// What the server says of a statement has MySQL's form whatever number it has, in a built-in test and in a script.
#[test]
fn an_error_number_of_an_application_has_the_lines_that_are_searched_for() {
    let (server, here) = (mariadb(&[]), SysbenchDir::create());
    let at = address(&server);
    assert_eq!(here.ours(&format!("oltp_insert {at} --table-size=100 prepare")).0, 0);
    on(async {
        let mut c = open(&server).await;
        let signal = |number: u32| format!("SIGNAL SQLSTATE '45000' SET MYSQL_ERRNO={number}, MESSAGE_TEXT='quota'");
        c.query(&format!("CREATE PROCEDURE bad() {}", signal(30001))).await.unwrap();
        for event in ["INSERT", "UPDATE"] {
            let name = format!("t{event}");
            c.query(&format!("CREATE TRIGGER {name} BEFORE {event} ON sbtest1 FOR EACH ROW {}", signal(30001)))
                .await
                .unwrap();
        }
    });
    write(&here, "calls.lua", &format!("{CONNECTED}function event() con:query('CALL bad()') end"));
    for test in ["oltp_insert", "oltp_update_index", "calls.lua"] {
        let line = format!("{test} {at} --table-size=100 --events=2 run").replace("calls.lua", "./calls.lua");
        let line = if test == "calls.lua" { line.replace(" --table-size=100", "") } else { line };
        for (code, out, err) in [here.ours(&line), here.theirs(&line)] {
            assert!(code == 1 && out.contains(" returned error 30001 (quota) for query '"), "{line}: {out}{err}");
            assert!(out.contains("errno = 30001, state = '45000': quota"), "{line}: {out}{err}");
        }
    }
}

/// As by the real one, a line that is the last one again is counted.
#[test]
fn an_error_that_a_script_catches_again_and_again_is_printed_once() {
    let (server, here) = (mariadb(&[]), SysbenchDir::create());
    write(
        &here,
        "again.lua",
        &format!("{CONNECTED}function event() pcall(con.query, con, 'SELECT 1 FROM nosuch') end"),
    );
    let line = format!("again.lua {} --events=50 --threads=1 run", address(&server));
    for (_, out, err) in [here.ours(&line), here.theirs(&line)] {
        assert_eq!(out.lines().filter(|line| line.starts_with("FATAL:")).count(), 1, "{out}{err}");
        assert!(out.contains("\n(last message repeated 49 times)\n"), "{out}{err}");
    }
}

/// The real one says it too, and ends with 0.
#[test]
fn what_a_script_could_not_do_at_its_end_is_in_the_exit_code() {
    let here = SysbenchDir::create();
    let late = "function event() end\nfunction done() error('not written') end\n";
    write(&here, "late.lua", late);
    let ((code, ours, _), (_, theirs, _)) =
        (here.ours("late.lua --events=2 run"), here.theirs("late.lua --events=2 run"));
    let line = "FATAL: `done' function failed: late.lua:2: not written";
    assert_eq!(code, 1, "{ours}");
    assert!(ours.contains("total number of events:              2\n"), "the report stands: {ours}");
    assert_eq!([&ours, &theirs].map(|out| out.lines().any(|printed| printed == line)), [true; 2], "{ours}{theirs}");
}
