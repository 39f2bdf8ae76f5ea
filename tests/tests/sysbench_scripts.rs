//! Other people's scripts under sysbench's name: what they find where sysbench is not installed, and what they get back
//! from a server, beside the real one.

#![expect(clippy::unwrap_used, reason = "a test may")]

use std::process::Command;
use tenbin_target::sandbox::Sandbox;
use tenbin_tests::sql::{on, open};
use tenbin_tests::sysbench::{Here, address};
use tenbin_tests::{mariadb, told};

/// Ours, where Lua finds no module but those beside the script: as on a machine without sysbench.
fn without_sysbench(here: &Here, line: &str) -> (i32, String, String) {
    let mut command: Command = here.command(&here.dir.path().join("sysbench").display().to_string(), line);
    told(command.env("LUA_PATH", "./?.lua"))
}

fn write(here: &Here, name: &str, text: &str) {
    std::fs::write(here.dir.path().join(name), text).unwrap();
}

/// As a published script is built: sysbench's own prepare and options, statements and an event of one's own.
const THIRD_PARTY: &str = r#"
require("oltp_common")
sysbench.cmdline.options.skew = {"of one's own", 3}
function prepare_statements()
   prepare_begin()
   prepare_commit()
   prepare_point_selects()
   prepare_for_each_table("simple_ranges")
   prepare_delete_inserts()
end
function event()
   begin()
   execute_point_selects()
   execute_simple_ranges()
   execute_delete_inserts()
   commit()
   con:query("SELECT " .. #get_c_value() .. ", " .. #get_pad_value())
   check_reconnect()
end
"#;

#[test]
fn scripts_that_need_sysbenchs_own_run_where_it_is_not_installed() {
    let (server, here) = (mariadb(&[]), Here::create());
    let at = address(&server);
    write(&here, "third.lua", THIRD_PARTY);
    write(&here, "loads.lua", "dofile('/no/such/share/sysbench/oltp_point_select.lua')\n");
    write(&here, "builds.lua", "require('oltp_write_only')\nlocal once = event\nfunction event() once() once() end\n");
    let queries = |out: &str| {
        out.lines().find(|l| l.contains("queries:  ")).map(|l| l.split_whitespace().nth(1).unwrap().to_owned())
    };
    for (script, wanted) in [
        ("third.lua", "320"),
        ("loads.lua", "20"),
        ("builds.lua", "240"),
        ("/no/such/share/sysbench/oltp_read_write.lua", "400"),
        ("--test=/no/such/share/sysbench/oltp_read_only.lua", "320"),
        ("oltp_common", ""),
    ] {
        let line = |rest: &str| format!("{script} {at} --tables=2 --table-size=300 --threads=2 {rest}");
        let (code, out, err) = without_sysbench(&here, &line("prepare"));
        assert_eq!(code, 0, "{script} prepare: {out}{err}");
        assert!(out.contains("Creating a secondary index on 'sbtest2'..."), "{script}: {out}");
        if !wanted.is_empty() {
            let (code, out, err) = without_sysbench(&here, &line("--events=20 run"));
            assert_eq!((code, queries(&out).as_deref()), (0, Some(wanted)), "{script}: {out}{err}");
        } else {
            let (code, out, _) = without_sysbench(&here, &line("--events=20 run"));
            assert!(code == 1 && out.contains("oltp_common"), "{out}");
        }
        let (code, out, err) = without_sysbench(&here, &line("cleanup"));
        assert_eq!(code, 0, "{script} cleanup: {out}{err}");
    }
    let (code, out, _) = without_sysbench(&here, "third.lua help");
    assert!(code == 0 && out.contains("--skew=N") && out.contains("--table_size=N"), "{out}");
}

/// What clients sent while `run` ran, in order, white space made one.
fn sent(server: &Sandbox, run: impl FnOnce()) -> Vec<String> {
    let ask = |sql: &'static str| on(async { open(server).await.table(sql).await.unwrap().rows });
    ask("TRUNCATE mysql.general_log");
    ask("SET GLOBAL general_log = 1");
    run();
    ask("SET GLOBAL general_log = 0");
    let rows = ask("SELECT CONVERT(argument USING utf8mb4) FROM mysql.general_log \
                    WHERE command_type IN ('Query', 'Execute') AND argument REGEXP 'sbtest|BEGIN|COMMIT'");
    let line = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    rows.iter().map(|row| line(row[0].as_deref().unwrap()).replace("( ", "(").replace(" )", ")")).collect()
}

#[test]
fn our_own_modules_send_what_sysbenchs_scripts_send() {
    let (server, here) = (mariadb(&[("log_output", "TABLE")]), Here::create());
    let at = address(&server);
    for name in [
        "oltp_read_write",
        "oltp_read_only",
        "oltp_write_only",
        "oltp_point_select",
        "oltp_insert",
        "oltp_delete",
        "oltp_update_index",
        "oltp_update_non_index",
        "select_random_points",
        "select_random_ranges",
        "bulk_insert",
    ] {
        write(&here, "ours.lua", &format!("require('{name}')"));
        let more = match name {
            "bulk_insert" => "",
            "select_random_points" | "select_random_ranges" => "--table-size=200",
            _ => "--tables=3 --table-size=200",
        };
        for command in ["prepare", "run", "cleanup"] {
            let line = |script: &str| format!("{script} {at} {more} --rand-seed=11 --events=9 {command}");
            let well = |(code, out, err): (i32, String, String)| assert_eq!(code, 0, "{name} {command}: {out}{err}");
            let theirs = sent(&server, || well(here.ours(&line(&format!("/usr/share/sysbench/{name}.lua")))));
            if command == "prepare" {
                on(async {
                    open(&server).await.query("DROP TABLE IF EXISTS sbtest1, sbtest2, sbtest3").await.unwrap()
                });
            }
            let ours = sent(&server, || well(without_sysbench(&here, &line("ours.lua"))));
            assert!(!theirs.is_empty());
            assert_eq!(ours, theirs, "{name} {command}");
        }
    }
}
