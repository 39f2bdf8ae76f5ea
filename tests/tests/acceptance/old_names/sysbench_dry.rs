//! Where no server is needed: scripts, their names, options and commands under sysbench's name, and dry runs, beside the real one.

#![expect(clippy::unwrap_used, reason = "a test may")]

use std::process::Command;
use tenbin_tests::output_of;
use tenbin_tests::sysbench::{SysbenchDir, form};

fn write(here: &SysbenchDir, name: &str, text: &str) {
    let path = here.dir.path().join(name);
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    std::fs::write(path, text).unwrap();
}

/// Exit code and output without the version line and empty lines, of both.
fn both(here: &SysbenchDir, line: &str) -> [(i32, Vec<String>); 2] {
    let shown = |(code, out, err): (i32, String, String)| {
        let lines = out.lines().chain(err.lines()).filter(|line| !line.is_empty() && !line.starts_with("sysbench 1."));
        // The real one says nothing about the reason of its exit code.
        let lines = lines.filter(|line| !line.ends_with("says that it failed (it returned false)"));
        (code, lines.map(str::to_owned).collect())
    };
    [shown(here.ours(line)), shown(here.theirs(line))]
}

/// Both do the same.
fn same(here: &SysbenchDir, line: &str) -> Vec<String> {
    let [ours, theirs] = both(here, line);
    assert_eq!(ours, theirs, "{line}");
    ours.1
}

/// All options that only 1.1 has.
const OF_1_1: &[&str] = &[
    "warmup_time",
    "thread_init_timeout",
    "luajit_cmd",
    "rand_zipfian_exp",
    "mysql_ssl_key",
    "mysql_ssl_ca",
    "mysql_ssl_cert",
    "mysql_compression_algorithms",
    "pgsql_sslmode",
    "create_table_options",
    "reconnect",
];

#[test]
fn an_option_that_a_script_declares_is_its_own_whatever_1_1_calls_so() {
    let here = SysbenchDir::create();
    for name in OF_1_1 {
        let script = format!(
            "print('body')\nsysbench.cmdline.options = {{ {name} = {{'of its own', 'mine'}} }}\n\
             function init() print(sysbench.version, sysbench.opt.rand_type, sysbench.opt.{name}, (jit.status())) end\n\
             function event() end\n"
        );
        write(&here, "own.lua", &script);
        for value in ["hers", "5", "off"] {
            let line = format!("own.lua --{}={value} --events=1 run", name.replace('_', "-"));
            let ((code, ours, err), (_, theirs, _)) = (here.ours(&line), here.theirs(&line));
            assert_eq!((code, err.as_str(), form(&ours)), (0, "", form(&theirs)), "{line}");
            assert!(ours.starts_with("sysbench 1.0.20 ") && ours.contains("General statistics"), "{line}: {ours}");
            let text_of = |out: &str| out.lines().find(|line| line.starts_with("1.")).map(str::to_owned);
            assert_eq!(text_of(&ours), text_of(&theirs), "{line}");
            assert_eq!(ours.matches("body\n").count(), theirs.matches("body\n").count(), "{line}");
        }
        let of_1_1 = here.ours(&format!("own.lua --{name}=1 --tenbin-form=1.1 --events=1 run")).1;
        assert!(of_1_1.starts_with("sysbench 1.1.0 "), "asked for: {of_1_1}");
    }
    write(&here, "others.lua", "function event() end\n");
    assert!(here.ours("others.lua --thread-init-timeout=9 --events=1 run").1.starts_with("sysbench 1.1.0 "));
    // Options of 1.1's own tables remain those of 1.1.
    write(&here, "tables.lua", "require('oltp_common')\nfunction prepare_statements() end\nfunction event() end\n");
    let mut command: Command = here.command(
        &here.dir.path().join("sysbench").display().to_string(),
        "tables.lua --mysql-dry-run --reconnect=3 --events=1 run",
    );
    let (code, out, err) = output_of(command.env("LUA_PATH", "./?.lua"));
    assert!(code == 0 && out.starts_with("sysbench 1.1.0 "), "{out}{err}");
}

/// A script of sysbench's that the user has changed, in each place where Lua looks.
#[test]
fn a_script_of_sysbenchs_that_was_changed_is_run_by_its_bare_name() {
    const MINE: &str = "sysbench.cmdline.options = {}\n\
                        sysbench.cmdline.commands = { prepare = {function() print('mine') end}, other = {function() print('o') end} }\n";
    let place = SysbenchDir::create();
    for (file, path, test) in [
        ("oltp_common.lua", None, "oltp_point_select"),
        ("oltp_common.lua", None, "oltp_read_write"),
        ("there/oltp_common.lua", Some("there"), "oltp_delete"),
        ("there/oltp_point_select.lua", Some("there"), "oltp_point_select"),
        ("oltp_insert/init.lua", None, "oltp_insert"),
        ("bulk_insert.lua", None, "bulk_insert"),
    ] {
        let here = SysbenchDir::create();
        write(&here, file, MINE);
        let ours = here.dir.path().join("sysbench").display().to_string();
        for command in ["prepare", "other"] {
            let [ours, theirs] = [ours.as_str(), "/usr/bin/sysbench"].map(|program| {
                let mut command = here.command(program, &format!("{test} --mysql-dry-run {command}"));
                let path = path.map(|path| format!("{};;", here.dir.path().join(path).join("?.lua").display()));
                let (code, out, err) = output_of(command.envs(path.map(|path| ("LUA_PATH", path))));
                (code, form(&out), err)
            });
            assert_eq!(ours, theirs, "{file} {test} {command}");
            assert_eq!(ours.0, 0, "{file} {test} {command}");
        }
    }
    let unchanged = place.ours("oltp_point_select --mysql-dry-run prepare").1;
    assert!(unchanged.contains("Creating table 'sbtest1'..."), "{unchanged}");
}

/// `prepare` and `cleanup` as functions and as entries of the table of commands, and what they return.
#[test]
fn commands_of_a_script_work_in_any_schema_and_only_those_of_the_table_fail_by_what_they_return() {
    let here = SysbenchDir::create();
    for value in ["false", "nil", "true", "0"] {
        let functions = format!(
            "function prepare() print('p') return {value} end\nfunction cleanup() print('c') return {value} end\n\
             function help() print('h') return {value} end\nfunction event() end\n"
        );
        let table = "sysbench.cmdline.commands = { prepare = {prepare}, cleanup = {cleanup}, other = {help} }\n";
        write(&here, "functions.lua", &functions);
        write(&here, "table.lua", &(functions + table));
        for line in [
            "functions.lua prepare",
            "functions.lua cleanup",
            "functions.lua help",
            "table.lua prepare",
            "table.lua cleanup",
            "table.lua other",
        ] {
            same(&here, line);
        }
    }
    for schema in ["mysql", "sys", "information_schema", "performance_schema"] {
        for command in ["help", "prepare", "cleanup", "other"] {
            same(&here, &format!("table.lua --mysql-db={schema} {command}"));
        }
    }
}

#[test]
fn a_script_is_called_what_was_typed() {
    let here = SysbenchDir::create();
    write(
        &here,
        "mym.lua",
        "print('varargs', ...)\nsysbench.cmdline.options = { aa = {'x', 1} }\n\
         print(sysbench.cmdline.script_path, test)\nfunction event() end\n",
    );
    write(&here, "exact", "print('varargs', ...)\nprint(sysbench.cmdline.script_path, test)\n");
    for name in ["mym", "./mym", "mym.lua", "./mym.lua", "exact"] {
        for command in ["help", "prepare", "other", ""] {
            if name != "./mym" {
                same(&here, &format!("{name} {command}"));
            }
        }
    }
    assert!(same(&here, "exact run").last().unwrap().ends_with("cannot find the event() function in exact"));
}

/// A script that counts by itself.
const COUNTS: &str = "ffi.cdef('int usleep(int); void sb_counter_inc(int, sb_counter_type);')\n\
    sysbench.cmdline.options = { drv = {'ask for a driver', false} }\n\
    function thread_init() if sysbench.opt.drv then drv = sysbench.sql.driver() end end\n\
    function event()\n  ffi.C.usleep(400000)\n  ffi.C.sb_counter_inc(sysbench.tid, ffi.C.SB_CNT_READ)\n\
    ffi.C.sb_counter_inc(sysbench.tid, ffi.C.SB_CNT_WRITE)\nend\n";

#[test]
fn statistics_of_sql_are_those_of_scripts_that_ask_for_a_driver() {
    let here = SysbenchDir::create();
    write(&here, "counts.lua", COUNTS);
    for drv in ["off", "on"] {
        let line = format!("counts.lua --drv={drv} --events=4 --report-interval=1 run");
        let [ours, theirs] = [here.ours(&line).1, here.theirs(&line).1];
        assert_eq!(form(&ours), form(&theirs), "{line}");
        assert_eq!(ours.contains("SQL statistics"), drv == "on", "{ours}");
        assert_eq!(ours.contains(" eps: "), drv == "off", "{ours}");
    }
}

#[test]
fn clients_that_open_no_connection_need_no_files() {
    let here = SysbenchDir::create();
    write(&here, "empty.lua", "function event() end\n");
    for line in ["oltp_read_write --mysql-dry-run", "empty.lua", "select_random_points --mysql-dry-run"] {
        let line = format!("ulimit -n 1024; exec ./sysbench {line} --threads=1100 --events=1 run");
        let mut shell = here.command("bash", "");
        let (code, out, err) = output_of(shell.args(["-c", &line]));
        assert_eq!(code, 0, "{line}: {out}{err}");
        assert!(out.contains("total number of events:              1\n"), "{line}: {out}");
    }
}

#[test]
fn more_threads_than_the_kernel_has_mappings_for_are_refused() {
    let here = SysbenchDir::create();
    let allowed = std::fs::read_to_string("/proc/sys/vm/max_map_count").unwrap();
    let threads = allowed.trim().parse::<u64>().unwrap() / 4 + 1;
    let (code, out, _) = here.ours(&format!("cpu --threads={threads} --events=1 run"));
    assert_eq!(code, 1, "{out}");
    assert!(out.contains("need more memory mappings") && out.contains("sysctl -w vm.max_map_count="), "{out}");
}

#[test]
fn dry_commands_print_what_the_real_ones_print() {
    let here = SysbenchDir::create();
    for test in ["oltp_point_select", "oltp_insert", "select_random_points", "bulk_insert"] {
        for line in [
            "prepare",
            "prewarm",
            "cleanup",
            "--tables=3 prepare",
            "--tables=3 prewarm",
            "--table-size=0 prepare",
            "--auto-inc=off prepare",
            "--create-secondary=off prepare",
        ] {
            same(&here, &format!("{test} --mysql-dry-run {line}"));
        }
        // Their threads print in any order, those of the real one also into one another's line.
        let [ours, theirs] = both(&here, &format!("{test} --mysql-dry-run --threads=4 --tables=2 prewarm"));
        let sorted = |(code, lines): (i32, Vec<String>)| {
            let apart = lines.join("\n").replace("Prewarming", "\nPrewarming");
            let mut lines: Vec<String> = apart.lines().filter(|line| !line.is_empty()).map(str::to_owned).collect();
            lines.sort();
            (code, lines)
        };
        assert_eq!(sorted(ours), sorted(theirs), "{test}");
    }
}

/// The names of the options that a help page lists with a value.
fn listed(help: &str) -> Vec<String> {
    let names = help.lines().filter_map(|line| line.trim_start().strip_prefix("--"));
    names.filter_map(|line| Some(line.split_once('=')?.0.trim_end_matches('[').to_owned())).collect()
}

/// A value that is not accepted is told by the name of its option as it was typed, or in the words of the real one.
#[test]
fn a_wrong_value_is_told_by_the_name_that_was_typed() {
    let here = SysbenchDir::create();
    let general = listed(&here.ours("--help").1);
    assert!(general.len() > 40, "{general:?}");
    let mut tried = 0;
    for test in
        ["oltp_read_only", "select_random_ranges", "oltp", "no/db/oltp.lua", "cpu", "memory", "threads", "mutex"]
    {
        let own = listed(&here.ours(&format!("{test} help")).1);
        let of_all = if test == "oltp_read_only" { general.clone() } else { Vec::new() };
        for name in own
            .into_iter()
            .chain(of_all)
            .filter(|name| !["help", "version", "config-file", "test"].contains(&name.as_str()))
        {
            for value in ["~", "999999999999"] {
                let line = format!("{test} --mysql-dry-run --time=1 --events=1 --{name}={value} run");
                let mut command = here.command("timeout", "");
                let program = here.dir.path().join("sysbench").display().to_string();
                let (code, out, err) =
                    output_of(command.args(["-s", "INT", "4", &program]).args(line.split_whitespace()));
                tried += 1;
                let text = out + &err;
                if code != 1 || text.contains(&name.replace('_', "-")) || text.contains(&name.replace('-', "_")) {
                    continue;
                }
                let line_of =
                    |text_of: &str| text_of.lines().find(|line| line.starts_with("FATAL: ")).map(str::to_owned);
                let (_, theirs, _) = here.theirs(&line);
                assert_eq!(line_of(&text), line_of(&theirs), "{line}: {text}");
            }
        }
    }
    assert!(tried > 200, "{tried}");
    for (line, words) in [
        ("--test=oltp --mysql-dry-run --oltp-table-size=0 run", "'oltp-table-size'"),
        ("--test=oltp --mysql-dry-run --oltp-dist-pct=200 run", "'oltp-dist-pct'"),
        ("--test=no/db/oltp.lua --mysql-dry-run --oltp-tables-count=0 run", "'oltp-tables-count'"),
        ("oltp_read_only --mysql-dry-run --rand-spec-pct=200 run", "'rand-spec-pct'"),
        ("memory --memory-total-size=512 run", "--memory-total-size"),
        ("oltp_read_only --db-driver=pgsql --pgsql-sslmode=foo run", "'pgsql_sslmode'"),
    ] {
        let (code, out, _) = here.ours(line);
        assert!(code == 1 && out.contains(words) && !out.contains("_size"), "{line}: {out}");
    }
}
