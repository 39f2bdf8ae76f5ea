//! Debian's own sysbench scripts, unmodified, through our Lua on one MariaDB: they make the same tables, count the same
//! statements as sysbench does with the same options, and send the same texts as our workloads of their names.

#![expect(clippy::unwrap_used, reason = "a test may")]

use std::process::Command;
use tenbin_driver::{Class, Connection, Transport};
use tenbin_model::tally::StatementKind;
use tenbin_script::Script;
use tenbin_servers::sandbox::Sandbox;
use tenbin_tests::sql::{connector, given, on, open};
use tenbin_tests::sysbench::SysbenchDir;
use tenbin_tests::{beside, mariadb, output_of, postgres, tenbin, wait_until_measured};
use tenbin_words::message::foreign;
use tenbin_workload::{TransactionContext, Workload};
use tenbin_workloads::workload;

const SCRIPTS: &[&str] = &[
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
];

fn path(script: &str) -> String {
    format!("/usr/share/sysbench/{script}.lua")
}

fn script(server: &Sandbox, name: &str, command: &str, options: &[(&str, &str)]) -> Script {
    Script::open(&path(name), Some(command), &given(options), connector(server))
        .unwrap_or_else(|p| panic!("{name}: {p}"))
}

/// What sysbench itself says at the end of the same run: reads, writes, others.
fn sysbench(server: &Sandbox, name: &str, options: &[(&str, &str)], command: &str) -> [u64; 3] {
    let options: Vec<String> = options.iter().map(|(k, v)| format!("--{k}={v}")).collect();
    let out = beside::sysbench(server, &path(name), &options, command);
    ["read:", "write:", "other:"].map(|word| {
        let line = out.lines().find(|l| l.trim_start().starts_with(word)).unwrap_or("0");
        line.split_whitespace().last().unwrap().parse().unwrap()
    })
}

/// Runs this many transactions of one client and counts as sysbench does: a write that changed nothing is no write.
fn count(work: &dyn Workload, events: u32, transport: Transport) -> [u64; 3] {
    let mut client = work.client(0, 1, 11);
    tokio::runtime::LocalRuntime::new().unwrap().block_on(async {
        client.connect(transport).await.unwrap_or_else(|e| panic!("{}: {e}", work.name()));
        let (mut turn, mut counts) = (TransactionContext::default(), [0; 3]);
        for _ in 0..events {
            client.transaction(&mut turn).await.unwrap_or_else(|e| panic!("{}: {e}", work.name()));
            let names = work.statements();
            for mark in turn.records.drain(..) {
                let place = match names[usize::from(mark.statement)].1 {
                    StatementKind::Read => 0,
                    StatementKind::Write if mark.rows > 0 => 1,
                    StatementKind::Write | StatementKind::Other => 2,
                };
                counts[place] += 1;
            }
        }
        client.close().await.unwrap();
        counts
    })
}

async fn tables(c: &mut Connection) -> Vec<String> {
    let mut all = Vec::new();
    for row in c.table("SHOW TABLES").await.unwrap().rows {
        let name = row[0].clone().unwrap();
        let shown = c.table(&format!("SHOW CREATE TABLE {name}")).await.unwrap();
        let rows = c.table(&format!("SELECT COUNT(*) FROM {name}")).await.unwrap();
        all.push(format!("{} {}", shown.rows[0][1].clone().unwrap(), rows.scalar().unwrap()));
    }
    all
}

#[test]
fn every_script_of_sysbench_loads_counts_and_cleans_up_as_under_sysbench() {
    let server = mariadb(&[]);
    for name in SCRIPTS {
        let tables_wanted = if name.starts_with("oltp") { "3" } else { "1" };
        let mut options = vec![("rand-type", "uniform"), ("threads", "1"), ("time", "0")];
        if *name != "bulk_insert" {
            options.extend([("tables", tables_wanted), ("table_size", "400")]);
        }
        sysbench(&server, name, &options, "prepare");
        let theirs = on(async { tables(&mut open(&server).await).await });
        let expected = sysbench(&server, name, &[&options[..], &[("events", "40")]].concat(), "run");
        sysbench(&server, name, &options, "cleanup");

        // Its prepare is parallel, so let it be.
        script(&server, name, "prepare", &[&options[..], &[("threads", "2")]].concat())
            .run_command("prepare", 2)
            .unwrap();
        let ours = on(async { tables(&mut open(&server).await).await });
        let ours = if *name == "bulk_insert" { &ours[..1] } else { &ours[..] };
        assert_eq!(ours, theirs, "{name}");
        let work = script(&server, name, "run", &options).workload().unwrap();
        assert!(!work.reach().blocks, "{name} would get a thread for each client");
        let counts = count(work.as_ref(), 40, Transport::Shared);
        match *name {
            // Which rows are gone already depends on the numbers drawn.
            "oltp_delete" => assert_eq!(counts.iter().sum::<u64>(), expected.iter().sum::<u64>()),
            // Its rows are sent after the last event, which sysbench counts and a measured window does not.
            "bulk_insert" => {
                assert_eq!((counts, expected), ([0, 0, 0], [0, 1, 0]));
                let sent = on(async { open(&server).await.table("SELECT COUNT(*) FROM sbtest1").await.unwrap() });
                assert_eq!(sent.scalar(), Some("40"));
            }
            _ => assert_eq!(counts, expected, "{name}"),
        }
        script(&server, name, "cleanup", &[&options[..], &[("threads", "2")]].concat())
            .run_command("cleanup", 1)
            .unwrap();
        assert_eq!(on(async { tables(&mut open(&server).await).await }), Vec::<String>::new(), "{name}");
    }
}

/// Everything that clients have sent since the log was turned on, one line each, white space made one.
async fn sent(c: &mut Connection, run: impl FnOnce()) -> Vec<String> {
    c.query("TRUNCATE mysql.general_log").await.unwrap();
    c.query("SET GLOBAL general_log = 1").await.unwrap();
    run();
    c.query("SET GLOBAL general_log = 0").await.unwrap();
    let log = "SELECT command_type, CONVERT(argument USING utf8mb4) FROM mysql.general_log \
               WHERE command_type IN ('Query', 'Execute') AND argument NOT LIKE 'SET %'";
    let rows = c.table(log).await.unwrap().rows;
    let line = |row: &Vec<Option<String>>| row.iter().flatten().cloned().collect::<Vec<_>>().join(" ");
    rows.iter()
        .map(|row| line(row).split_whitespace().collect::<Vec<_>>().join(" ").replace("( ", "(").replace(" )", ")"))
        .collect()
}

/// Away from this thread, which has a runtime.
fn apart(work: &dyn Workload, transport: Transport) {
    std::thread::scope(|s| s.spawn(|| count(work, 12, transport)).join()).unwrap();
}

#[test]
fn the_same_seed_sends_the_same_from_a_script_and_from_our_workload_of_its_name() {
    let server = mariadb(&[("log_output", "TABLE")]);
    for name in SCRIPTS.iter().filter(|n| **n != "bulk_insert") {
        let tables = if name.starts_with("oltp") { "3" } else { "1" };
        for more in [&[("rand_type", "special")][..], &[("rand_type", "zipfian"), ("ps_mode", "disable")]] {
            let options = [&[("tables", tables), ("table_size", "400")], more].concat();
            script(&server, name, "prepare", &options).run_command("prepare", 1).unwrap();
            let native = workload(name, &given(&options), connector(&server)).unwrap();
            let lua = script(&server, name, "run", &options).workload().unwrap();
            on(async {
                let mut c = open(&server).await;
                let ours = sent(&mut c, || apart(native.as_ref(), Transport::Alone)).await;
                assert!(ours.len() >= 12, "{name}: {ours:?}");
                for transport in [Transport::Alone, Transport::Shared] {
                    let theirs = sent(&mut c, || apart(lua.as_ref(), transport)).await;
                    assert_eq!(ours, theirs, "{name} {more:?} {transport:?}");
                }
            });
            script(&server, name, "cleanup", &options).run_command("cleanup", 1).unwrap();
        }
    }
}

/// `tenbin bench` with a script of this text on a private file; exit code and all it said.
fn bench(text: &str, threads: &str, seconds: &str) -> (i32, String) {
    let dir = tempfile::tempdir().unwrap();
    let (code, out, err) = output_of(&mut command(&dir, text, threads, seconds));
    (code, format!("{out}{err}").replace(&dir.path().display().to_string(), "DIR"))
}

fn command(dir: &tempfile::TempDir, text: &str, threads: &str, seconds: &str) -> Command {
    let script = dir.path().join("bad.lua");
    std::fs::write(&script, text).unwrap();
    let mut tenbin = tenbin();
    tenbin
        .arg("bench")
        .arg(&script)
        .arg(format!("sqlite:{}", dir.path().join("x.db").display()))
        .current_dir(dir.path());
    tenbin.args(["--threads", threads, "--time", seconds, "--warmup", "0", "--interval", "1"]);
    tenbin
}

#[test]
fn a_bad_script_ends_with_a_message_and_an_exit_code() {
    let event = "function event() end\n";
    for (text, code, words) in [
        ("function event(", 1, "the script DIR/bad.lua cannot be run\n  evidence  DIR/bad.lua:1: "),
        ("x = 1", 1, "cannot find the event() function in DIR/bad.lua"),
        (&format!("{event}sysbench.cmdline.options = {{}} error('no')"), 1, "DIR/bad.lua:2: no"),
        (
            &format!("{event}function thread_init(id) if id == 3 then error('not me') end end"),
            1,
            "the script's thread_init(): DIR/bad.lua:2: not me",
        ),
        ("function event(id) local t; return t.x end", 2, "DIR/bad.lua:1: attempt to index local 't' (a nil value)"),
        (
            "function thread_init() con = sysbench.sql.driver():connect() end\n\
             function event() con:query('SELECT * FROM nowhere') end",
            2,
            "DIR/bad.lua:2: SQL error, errno = 1: no such table: nowhere [statement: SELECT * FROM nowhere]",
        ),
    ] {
        let (ended, printed) = bench(text, "8", "20");
        assert!(printed.contains(words), "{text}\n{printed}");
        assert_eq!(ended, code, "{text}\n{printed}");
    }
}

#[test]
fn ctrl_c_ends_a_script_that_never_ends_an_event() {
    for text in [
        "function event() while true do end end",
        "function thread_init() con = sysbench.sql.driver():connect() end\n\
         function event() while true do con:query('SELECT 1') end end",
    ] {
        let dir = tempfile::tempdir().unwrap();
        let runs = dir.path().join("runs");
        let mut running = command(&dir, text, "2", "600").env("TENBIN_RUNS", &runs).spawn().unwrap();
        wait_until_measured(&runs, 1);
        interrupt(&running);
        assert_eq!(running.wait().unwrap().code(), Some(130), "{text}");
    }
}

fn interrupt(running: &std::process::Child) {
    // SAFETY: a signal to a process that the caller has started and not waited for yet.
    unsafe { libc::kill(running.id() as i32, libc::SIGINT) };
}

/// Forty clients of one such script share event loops: a loop that never comes back keeps its own clients, and the
/// report comes all the same.
#[test]
fn ctrl_c_ends_clients_that_share_their_threads_with_an_endless_one() {
    for endless in [
        "while true do end",
        "while true do con:query('SELECT 1') end",
        "while true do pcall(con.query, con, 'SELECT 1') end",
    ] {
        let dir = tempfile::tempdir().unwrap();
        let script = dir.path().join("endless.lua");
        let text = format!(
            "function thread_init() con = sysbench.sql.driver():connect() end\n\
             function event(id) if id == 7 then {endless} end con:query('SELECT 1') end"
        );
        std::fs::write(&script, text).unwrap();
        let mut tenbin = tenbin();
        tenbin.arg("bench").arg(&script).args([
            "null:?delay_us=1000",
            "--threads",
            "40",
            "--time",
            "600",
            "--warmup",
            "0",
            "--workers",
            "1",
        ]);
        let runs = dir.path().join("runs");
        tenbin.env("TENBIN_RUNS", &runs).current_dir(dir.path()).stdout(std::process::Stdio::piped());
        let mut running = tenbin.spawn().unwrap();
        wait_until_measured(&runs, 1);
        interrupt(&running);
        let mut out = String::new();
        std::io::Read::read_to_string(&mut running.stdout.take().unwrap(), &mut out).unwrap();
        assert_eq!(running.wait().unwrap().code(), Some(130), "{endless}\n{out}");
        assert!(out.contains("the trial was stopped before its end"), "{endless}\n{out}");
    }
}

#[test]
fn too_many_prepared_statements_say_so() {
    let server = mariadb(&[("max_prepared_stmt_count", "20")]);
    let options = [("tables", "3"), ("table_size", "10")];
    script(&server, "oltp_read_write", "prepare", &options).run_command("prepare", 1).unwrap();
    let work = script(&server, "oltp_read_write", "run", &options).workload().unwrap();
    let error = on(async { work.client(0, 1, 1).connect(Transport::Alone).await.unwrap_err() });
    assert_eq!(error.number(), Some(1461), "{error}");
    assert!(error.message().contains("oltp_common.lua:") && error.message().contains("[preparing: "), "{error}");
    assert!(error.problem(foreign("")).hint.unwrap().contains("max_prepared_stmt_count"));
}

#[test]
fn tenbin_lists_loads_and_runs_a_script_by_its_path() {
    let server = mariadb(&[]);
    let dir = tempfile::tempdir().unwrap();
    let run = |arguments: &[&str]| {
        let (code, out, err) = output_of(tenbin().args(arguments).current_dir(dir.path()));
        assert_eq!(code, 0, "{arguments:?}\n{out}\n{err}");
        out
    };
    let (script, dsn) = (path("oltp_read_only"), server.dsn());
    let listed = run(&["list", &script, "--execute"]);
    assert!(listed.contains("run, cleanup, help, prepare, prewarm") && listed.contains("point_selects"), "{listed}");
    let loaded = run(&["load", &script, &dsn, "--tables", "2", "--table-size", "300", "--streams", "2"]);
    assert!(loaded.contains("Creating table 'sbtest2'...") && loaded.contains("the command prepare of"), "{loaded}");

    let plan = format!(
        "schema = 1\nname = \"script\"\n[targets.one]\ndsn = {dsn:?}\n[[experiment]]\ntargets = [\"one\"]\n\
         measure = \"10s\"\nwarmup = \"0s\"\nrepeats = 1\ndataset = \"none\"\n[experiment.load]\nworkload = {script:?}\n\
         clients = 2\noperations = 200\ntables = 2\ntable_size = 300\npoint_selects = 3\n"
    );
    std::fs::write(dir.path().join("plan.toml"), plan).unwrap();
    run(&["plan", "check", "plan.toml"]);
    let summary: serde_json::Value = serde_json::from_str(&run(&["run", "plan.toml", "--json"])).unwrap();
    let text = summary.to_string();
    assert!(text.contains("SELECT DISTINCT c FROM sbtest# WHERE id BETWEEN ? AND ? ORDER BY c"), "{summary:#}");
    run(&[
        "bench",
        &script,
        &dsn,
        "--tables",
        "2",
        "--table-size",
        "300",
        "--events",
        "50",
        "--warmup",
        "0",
        "-o",
        "skip_trx=on",
    ]);
    let (code, _, err) =
        output_of(tenbin().args(["bench", &script, &dsn, "-o", "skip_txr=on"]).current_dir(dir.path()));
    assert!(code == 1 && err.contains("write skip_trx, or remove it"), "{err}");
    let dropped = run(&["load", &script, &dsn, "--tables", "2", "--only-drop"]);
    assert!(dropped.contains("Dropping table 'sbtest2'...") && dropped.ends_with("dropped\n"), "{dropped}");
    assert!(on(async { tables(&mut open(&server).await).await }).is_empty());
}

#[test]
fn the_scripts_run_on_postgresql_too() {
    let server = postgres(&[]);
    let options = [("tables", "2"), ("table_size", "200")];
    script(&server, "oltp_read_write", "prepare", &[&options[..], &[("threads", "2")]].concat())
        .run_command("prepare", 2)
        .unwrap();
    for (name, expected) in [
        ("oltp_read_write", [14 * 5, 4 * 5, 2 * 5]),
        ("oltp_write_only", [0, 4 * 5, 2 * 5]),
        ("oltp_insert", [0, 5, 0]),
        ("oltp_point_select", [5, 0, 0]),
    ] {
        for mode in ["auto", "disable"] {
            for transport in [Transport::Alone, Transport::Shared] {
                let options = [&options[..], &[("db_ps_mode", mode)]].concat();
                let work = script(&server, name, "run", &options).workload().unwrap();
                assert_eq!(count(work.as_ref(), 5, transport), expected, "{name} {mode} {transport:?}");
            }
        }
    }
    let rows = "function thread_init() drv = sysbench.sql.driver() con = drv:connect() end\n\
        function event()\n\
        local rs = con:query('SELECT id, NULL, c FROM sbtest1 WHERE id < 4 ORDER BY id')\n\
        local row = rs:fetch_row()\n\
        assert(drv:name() == 'pgsql' and rs.nrows == 3 and rs.nfields == 3 and row[1] == '1' and not row[2] and #row[3] == 120)\n\
        assert(select(2, con:query_row('SELECT 1, 2')) == '2')\n\
        local stmt = con:prepare('SELECT 1') stmt:execute() stmt:close()\n\
        end";
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("rows.lua");
    std::fs::write(&path, rows).unwrap();
    let own = Script::open(path.to_str().unwrap(), Some("run"), &given(&[]), connector(&server)).unwrap();
    assert_eq!(count(own.workload().unwrap().as_ref(), 3, Transport::Shared), [9, 0, 0]);
    script(&server, "oltp_read_write", "cleanup", &options).run_command("cleanup", 1).unwrap();
}

#[test]
fn a_lost_connection_comes_back_with_its_statements() {
    let server = mariadb(&[]);
    let options = [("tables", "2"), ("table_size", "50"), ("mysql_ignore_errors", "all")];
    script(&server, "oltp_read_only", "prepare", &options).run_command("prepare", 1).unwrap();
    // With the hook that prepares again, and with a list that has no such error, where we do it.
    let ways = [Transport::Alone, Transport::Shared];
    for (ignored, transport) in ["all", "1213"].into_iter().flat_map(|ignored| ways.map(|way| (ignored, way))) {
        let options = [&options[..2], &[("mysql_ignore_errors", ignored)]].concat();
        let work = script(&server, "oltp_read_only", "run", &options).workload().unwrap();
        tokio::runtime::LocalRuntime::new().unwrap().block_on(async {
            let (mut client, mut turn) = (work.client(0, 1, 1), TransactionContext::default());
            client.connect(transport).await.unwrap();
            client.transaction(&mut turn).await.unwrap();
            let mut other = connector(&server).connect_alone().unwrap();
            let mine = other.table("SELECT CONNECTION_ID()").await.unwrap().scalar().unwrap().to_owned();
            let all = format!("SELECT id FROM information_schema.PROCESSLIST WHERE id <> {mine} AND command = 'Sleep'");
            // The server says that it sleeps a little after its answer.
            let mut asleep = other.table(&all).await.unwrap().rows;
            while asleep.is_empty() {
                asleep = other.table(&all).await.unwrap().rows;
            }
            for row in asleep {
                other.query(&format!("KILL {}", row[0].as_ref().unwrap())).await.unwrap();
            }
            let error = client.transaction(&mut turn).await.unwrap_err();
            assert_eq!(error.class(), Class::Lost, "{error}");
            client.connect(transport).await.unwrap();
            turn.records.clear();
            client.transaction(&mut turn).await.unwrap();
            assert_eq!(turn.records.len(), 16, "{ignored}");
            client.close().await.unwrap();
        });
    }
}

#[test]
fn the_binary_shows_scripts_the_c_functions_of_sysbench_and_modules_those_of_lua() {
    let (code, output) = bench(
        "function event() assert(ffi.C.sb_rand_uniform(4, 4) == 4) ffi.C.sb_counter_inc(0, ffi.C.SB_CNT_READ) end",
        "2",
        "1",
    );
    assert!([0, 3].contains(&code), "{code} {output}");
    let lua = "ffi.cdef('void *lua_newuserdata(void *, size_t);') assert(ffi.C.lua_newuserdata ~= nil) \
               function event() ffi.C.sb_counter_inc(0, ffi.C.SB_CNT_READ) end";
    let (code, output) = bench(lua, "1", "1");
    assert!([0, 3].contains(&code), "{code} {output}");
}

/// The options of a script may have the name of any key of a plan.
#[test]
fn options_of_a_script_are_called_as_it_likes() {
    let (here, there) = (SysbenchDir::create(), SysbenchDir::create());
    let names = "iterations retries clients connections operations ops operations_per_client qps tps rps kind workload script observe \
                 drain transient calibrate arrivals overload overload_limit on_lost on_error workers group options repeats measure";
    let names: Vec<&str> = names.split_whitespace().collect();
    let declared: String = names.iter().map(|name| format!("{name} = {{'a', 1}}, ")).collect();
    let printed: String = names.iter().map(|name| format!("'{name}=' .. sysbench.opt.{name} .. ' ' .. ")).collect();
    let text = format!("sysbench.cmdline.options = {{ {declared} }}\nfunction event() print({printed} '.') end\n");
    let given: String =
        names.iter().enumerate().map(|(n, name)| format!("--{}={} ", name.replace('_', "-"), n + 2)).collect();
    let line = format!("own.lua --events=1 {given} run");
    let printed = |dir: &SysbenchDir, (code, out, err): (i32, String, String)| -> (i32, Option<String>) {
        assert!(dir.dir.path().join("own.lua").exists());
        let line = out.lines().find(|line| line.starts_with("iterations=")).map(str::to_owned);
        assert!(line.is_some(), "{out}{err}");
        (code, line)
    };
    for dir in [&here, &there] {
        std::fs::write(dir.dir.path().join("own.lua"), &text).unwrap();
    }
    let (ours, theirs) = (printed(&here, here.ours(&line)), printed(&there, there.theirs(&line)));
    assert_eq!(ours, theirs);
    assert_eq!(ours.0, 0);
}
