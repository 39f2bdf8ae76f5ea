//! Small scripts against SQLite and the null driver: script in, what it printed or sent out.

#![expect(clippy::unwrap_used, reason = "a test may")]

mod commands;
mod copied;
mod data;
mod statements;
mod threads;

use std::collections::BTreeMap;
use tenbin_driver::{Connector, Transport};
use tenbin_model::dsn::Dsn;
use tenbin_script::{Hook, Script};
use tenbin_words::message::foreign;
use tenbin_workload::{Client, TransactionContext, Workload};
use tokio::runtime::LocalRuntime;

struct ScriptDir(tempfile::TempDir);

impl ScriptDir {
    fn new() -> ScriptDir {
        ScriptDir(tempfile::tempdir().unwrap())
    }

    /// Writes a script and answers with its path.
    fn script(&self, text: &str) -> String {
        let path = self.0.path().join("test.lua");
        std::fs::write(&path, text).unwrap();
        path.display().to_string()
    }

    fn sqlite(&self) -> Connector {
        connector(&format!("sqlite:{}", self.0.path().join("test.db").display()))
    }

    /// What a script wrote with `say()`.
    fn said(&self) -> String {
        std::fs::read_to_string(self.0.path().join("said")).unwrap_or_default()
    }

    /// A function that scripts write lines with, since their standard output is this test's own.
    fn say(&self) -> String {
        let path = self.0.path().join("said").display().to_string();
        format!(
            "function say(...) local f = io.open({path:?}, 'a') local t = {{...}} \
             for i = 1, select('#', ...) do t[i] = tostring(t[i]) end f:write(table.concat(t, ' '), '\\n') f:close() end\n"
        )
    }
}

fn connector(dsn: &str) -> Connector {
    Connector::new(Dsn::parse(dsn).unwrap(), None).unwrap()
}

fn given(pairs: &[(&str, &str)]) -> BTreeMap<String, String> {
    pairs.iter().map(|(k, v)| ((*k).to_owned(), (*v).to_owned())).collect()
}

/// One client's life: connect, this many events, goodbye. What each event came to, and its statements.
fn live(workload: &dyn Workload, number: u32, of: u32, events: u32) -> Vec<String> {
    live_by(Transport::Shared, workload, number, of, events)
}

/// The same with or without other clients on its thread.
fn live_by(transport: Transport, workload: &dyn Workload, number: u32, of: u32, events: u32) -> Vec<String> {
    let mut client: Box<dyn Client> = workload.client(number, of, 7);
    LocalRuntime::new().unwrap().block_on(async {
        let mut context = TransactionContext::default();
        let mut all = Vec::new();
        if let Err(error) = client.connect(transport).await {
            return vec![format!("{error:?}")];
        }
        for _ in 0..events {
            let outcome = client.transaction(&mut context).await;
            let names = workload.statements();
            let marks: Vec<String> = context
                .records
                .drain(..)
                .map(|m| {
                    let (name, kind) = &names[usize::from(m.statement)];
                    let label = m.error.map(|e| format!(" !{}", e.label())).unwrap_or_default();
                    format!("{name} ({kind:?}, {}){label}", m.rows)
                })
                .collect();
            all.push(match outcome {
                Ok(_) if context.quit => "quit".to_owned(),
                Ok(_) => marks.join("; "),
                Err(error) => format!("{} => {error:?}", marks.join("; ")),
            });
            if all.last().is_some_and(|l| l.contains("=>")) {
                let _ = client.recover().await;
            }
        }
        let _ = client.close().await;
        all
    })
}

fn run(dir: &ScriptDir, text: &str, dsn: Connector, options: &[(&str, &str)], events: u32) -> Vec<String> {
    let script = Script::open(&dir.script(&(dir.say() + text)), Some("run"), &given(options), dsn).unwrap();
    live(script.workload().unwrap().as_ref(), 0, 1, events)
}

#[test]
fn statements_are_waited_for_on_a_shared_thread_and_on_an_own_one() {
    let dir = ScriptDir::new();
    let text =
        "function thread_init() con = sysbench.sql.driver():connect() end\nfunction event() con:query('SELECT 1') end";
    for transport in [Transport::Shared, Transport::Alone] {
        let connector = connector("null:?delay_us=100");
        let script = Script::open(&dir.script(text), Some("run"), &given(&[]), connector).unwrap();
        let events = live_by(transport, script.workload().unwrap().as_ref(), 0, 1, 3);
        assert_eq!(events, ["SELECT ? (Read, 1)"; 3], "{transport:?}");
    }
}

#[test]
fn statements_and_their_results() {
    let dir = ScriptDir::new();
    let text = r#"
        function thread_init()
            drv = sysbench.sql.driver()
            con = drv:connect()
            con:query("CREATE TABLE t(id INTEGER PRIMARY KEY, c TEXT)")
            con:bulk_insert_init("INSERT INTO t VALUES")
            for i = 1, 5 do con:bulk_insert_next("(" .. i .. ", 'row " .. i .. "')") end
            con:bulk_insert_done()
            stmt = con:prepare("UPDATE t SET c = ? WHERE id = ?")
            c = stmt:bind_create(sysbench.sql.type.CHAR, 4)
            id = stmt:bind_create(sysbench.sql.type.INT)
            assert(stmt:bind_param(c, id) == 0 and stmt:bind_param() == nil)
            say(drv, con, stmt, c, drv:name())
        end
        function event()
            local rs = con:query("SELECT id, c FROM t WHERE id > 3")
            say(rs, rs.nrows, rs.nfields, rs ~= nil)
            for i = 1, rs.nrows do say(unpack(rs:fetch_row(), 1, rs.nfields)) end
            say(rs:fetch_row())
            rs:free()
            local none = con:query("UPDATE t SET c = NULL WHERE id = 1")
            say(none == nil, not none, none, nil == none, none ~= nil, none == rs, rs == none)
            none:free()
            say(pcall(function() return none.nrows end))
            say(pcall(function() return none:fetch_row() end))
            c:set("too long") id:set(2)
            stmt:execute()
            id:set(99)
            stmt:execute()
            say(con:query_row("SELECT c, id FROM t WHERE id = 2"))
            local row = con:query("SELECT c, 7 FROM t WHERE id = 1"):fetch_row()
            say(row[1], row[2])
            say(pcall(stmt.bind_create, stmt, sysbench.sql.type.DATE))
        end
        function thread_done() stmt:close() con:disconnect() end
    "#;
    let events = run(&dir, text, dir.sqlite(), &[], 1);
    insta::assert_snapshot!(events.join("\n").replace("; ", "\n"), @"
    SELECT id, c FROM t WHERE id > ? (Read, 2)
    UPDATE t SET c = NULL WHERE id = ? (Write, 1)
    UPDATE t SET c = ? WHERE id = ? (Write, 1)
    UPDATE t SET c = ? WHERE id = ? (Write, 0)
    SELECT c, id FROM t WHERE id = ? (Read, 1)
    SELECT c, ? FROM t WHERE id = ? (Read, 1)
    ");
    insta::assert_snapshot!(dir.said().replace(&dir.script(""), "test.lua"), @"
    <sql_driver> <sql_connection> <sql_statement> <sql_param> sqlite
    <sql_result> 2 2 true
    4 row 4
    5 row 5
    nil
    true false <sql_result> true false false false
    false test.lua:25: the statement has returned no rows, so its result has no nrows: compare it with nil first
    false test.lua:26: the statement has returned no rows, so its result has no fetch_row: compare it with nil first
    too  2
    nil 7
    false test.lua:34: Unsupported argument type: 8
    ");
}

#[test]
fn options_commands_and_what_a_body_sees() {
    let dir = ScriptDir::new();
    let text = r#"
        say("body", sysbench.tid, sysbench.cmdline.command, sysbench.opt, sysbench.version, ffi ~= nil, thread_id)
        sysbench.cmdline.options = {
            size = {"Number of rows", 10000},
            skip = {"Leave it out", false},
            name = {"What it is called", "some"},
            kinds = {"A list", {"a", "b"}},
            nothing = {"No default"},
            whole = {"A whole number", 3, sysbench.cmdline.ARG_INT, function(_, text) return tonumber(text) < 10 end},
        }
        sysbench.cmdline.commands = {
            warm = {function() say("warm", sysbench.tid, sysbench.opt.threads) end, sysbench.cmdline.PARALLEL_COMMAND},
            fail = {function() return false end},
        }
        function prepare()
            local o = sysbench.opt
            say(o.size, o.skip, o.name, table.concat(o.kinds, "+"), o.nothing, o.whole, o.threads, o.percentile, o.mysql_db)
        end
        function cleanup() error("cannot") end
    "#;
    let path = dir.script(&(dir.say() + text));
    let options = given(&[("size", "5"), ("skip", "on"), ("kinds", "x,y,z"), ("whole", "7")]);
    let script = Script::open(&path, Some("prepare"), &options, connector("null:")).unwrap();
    let declared: Vec<String> =
        script.options().iter().map(|o| format!("{} {:?} {:?} {}", o.name, o.kind, o.default, o.help)).collect();
    insta::assert_snapshot!(declared.join("\n"), @r#"
    kinds List Some("a,b") A list
    name String Some("some") What it is called
    nothing String None No default
    size Double Some("10000") Number of rows
    skip Bool Some("off") Leave it out
    whole Int Some("3") A whole number
    "#);
    let commands: Vec<String> = script.commands().iter().map(|c| format!("{} {}", c.name, c.parallel)).collect();
    assert_eq!(commands.join(", "), "cleanup false, fail false, help false, prepare false, warm true");
    script.run_command("prepare", 4).unwrap();
    let printed = dir.said();
    insta::assert_snapshot!(printed, @"
    body 0 prepare nil 1.0.20 true 0
    5 true some x+y+z  7 1 95 sbtest
    ");
    script.run_command("warm", 3).unwrap();
    let warm = dir.said()[printed.len()..].lines().filter(|l| l.starts_with("warm")).map(str::to_owned).collect();
    assert_eq!(sorted(warm), ["warm 0 3", "warm 1 3", "warm 2 3"]);
    let failed = |name| script.run_command(name, 1).unwrap_err().to_string().replace(&path, "test.lua");
    assert_eq!(failed("fail"), "the script's fail says that it failed (it returned false)");
    assert_eq!(failed("cleanup"), "the script's cleanup failed: test.lua:20: cannot");
    assert!(failed("warn").contains("use one of: cleanup, fail, help, prepare, warm"));
    assert!(Script::open(&path, Some("run"), &given(&[("whole", "12")]), connector("null:")).is_err());
    let none = script.workload().map(|_| ()).unwrap_err().to_string();
    assert!(none.starts_with("cannot find the event() function in "), "{none}");
}

fn sorted(mut all: Vec<String>) -> Vec<String> {
    all.sort();
    all
}

#[test]
fn what_goes_wrong_names_file_line_and_statement() {
    let dir = ScriptDir::new();
    let text_of = |text: &str| {
        let events = run(&dir, text, connector(&format!("sqlite:{}/x.db", dir.0.path().display())), &[], 1);
        events.join("\n").trim().replace(&dir.0.path().join("test.lua").display().to_string(), "test.lua")
    };
    insta::assert_snapshot!(text_of("function event() local x = nil; x.y = 1 end"), @r"
    => Sql: the script's event(): test.lua:2: attempt to index local 'x' (a nil value)
    ");
    insta::assert_snapshot!(text_of("function thread_init() con = sysbench.sql.driver():connect() end\n\
        function event() con:query('SELECT 1') error('enough') end"), @r"
    SELECT ? (Read, 1) => Sql: the script's event(): test.lua:3: enough [after: SELECT ?]
    ");
    insta::assert_snapshot!(text_of("function thread_init() con = sysbench.sql.driver():connect() end\n\
        function event()\n con:query('SELECT * FROM missing WHERE id = 7') end"), @r"
    SELECT * FROM missing WHERE id = ? (Read, 0) !1 => Sql: the script's event(): test.lua:4: SQL error, errno = 1: no such table: missing [statement: SELECT * FROM missing WHERE id = 7] (error 1)
    ");
    let caught = "function thread_init() con = sysbench.sql.driver():connect() end\n\
        local n = 0\n\
        function event() n = n + 1 if n == 1 then pcall(con.query, con, 'SELECT * FROM missing') else error('later') end end";
    let events = run(&dir, caught, connector(&format!("sqlite:{}/x.db", dir.0.path().display())), &[], 2);
    assert!(
        events[1].ends_with(": later") && !events[1].contains("missing"),
        "caught in the event before: {}",
        events[1]
    );
    insta::assert_snapshot!(text_of("function thread_init(id) error('not today ' .. id) end function event() end"), @r"
    Refused: the script's thread_init(): test.lua:2: not today 0
    ");
    insta::assert_snapshot!(text_of("function init() error('no') end function event() end"), @r"
    Refused: the script's init(): test.lua:2: no
    ");
}

#[test]
fn a_script_that_cannot_be_read_says_why() {
    let dir = ScriptDir::new();
    let text_of = |name: &str| match Script::open(name, Some("run"), &given(&[]), connector("null:")) {
        Ok(script) => script.workload().map(|_| ()).unwrap_err().to_string(),
        Err(problem) => problem.to_string(),
    };
    assert!(text_of("/nowhere/x.lua").starts_with("there is no script /nowhere/x.lua"));
    assert!(text_of("no_such_module").contains("module 'no_such_module' not found"));
    let path = dir.script("function event(\n  con:query() end");
    let text = text_of(&path).replace(&path, "test.lua");
    insta::assert_snapshot!(text, @"
    the script test.lua cannot be run
      evidence  test.lua:2: ')' expected near ':'
      hint      correct the line
    ");
    assert!(text_of(&dir.script("sysbench.cmdline.options = 7\nfunction event() end")).contains("cannot be used"));
}

#[test]
fn an_event_may_begin_again_or_be_the_last() {
    let dir = ScriptDir::new();
    let text = r#"
        local n = 0
        function sysbench.hooks.before_restart_event(err) say("again", err.sql_errno, err.note) end
        function event()
            n = n + 1
            if n == 2 then error({ errcode = sysbench.error.RESTART_EVENT, sql_errno = 42, note = "mine" }) end
            return n == 4
        end
        function thread_done(id) say("done", id, n) end
        function done() say("all done") end
    "#;
    let events = run(&dir, text, connector("null:"), &[], 4);
    assert_eq!(events[0], "");
    assert!(events[1].contains("=> Conflict: the script's event(): a table was thrown"), "{}", events[1]);
    assert_eq!(events[2..], ["", "quit"]);
    assert_eq!(dir.said(), "again 42 mine\ndone 0 4\nall done\n");
}

#[test]
fn errors_in_the_list_begin_the_event_again_and_a_hook_may_add_to_it() {
    let dir = ScriptDir::new();
    let text = r#"
        function thread_init() con = sysbench.sql.driver():connect() end
        function event() con:query("SELECT * FROM missing") end
        function sysbench.hooks.before_restart_event(err)
            say(err.sql_errno, err.errcode, err.query, con.error, err.connection == con)
        end
    "#;
    let events = run(&dir, text, dir.sqlite(), &[("mysql_ignore_errors", "7,1")], 1);
    assert!(events[0].contains("=> Conflict: "), "{events:?}");
    assert_eq!(dir.said(), "1 1 SELECT * FROM missing 1 true\n");
    let hook = "function sysbench.hooks.sql_error_ignorable(err) return err.sql_errno == 1 end\n".to_owned();
    assert!(run(&dir, &(hook + text), dir.sqlite(), &[], 1)[0].contains("=> Conflict: "));
    assert!(run(&dir, text, dir.sqlite(), &[], 1)[0].contains("=> Sql: "));
    assert!(run(&dir, text, dir.sqlite(), &[("mysql_ignore_errors", "7,all")], 1)[0].contains("=> Conflict: "));
}

#[test]
fn random_numbers_come_from_the_seed_and_the_thread() {
    let dir = ScriptDir::new();
    let text = r#"
        function event()
            local r = sysbench.rand
            say(sysbench.tid, r.uniform(1, 1000), r.default(1, 1000), r.gaussian(1, 1000), r.special(1, 1000),
                r.pareto(1, 1000), r.zipfian(1, 1000), r.string('##-@@'), #r.varstring(3, 9) >= 3, r.unique(),
                r.uniform_uint64(), r.uniform_double() < 1)
            local a, b = r.uniform(5, 5), sb_rand_uniform(7, 7)
            say(a, b, sb_rand(1, 1), sb_rand_str("x-x"), sb_rand_special(2, 2), sb_rand_gaussian(3, 3))
            local most = 0
            for _ = 1, 100 do most = math.max(most, sb_rnd()) end
            assert(type(most) == "number" and most > 2147483647 and most < 4294967296, most)
            assert(r.uniform(1, 0) == 1 and r.uniform(-5, -5) == 4294967291)
        end
    "#;
    let text_of = |number| {
        let path = dir.script(&(dir.say() + text));
        let script = Script::open(&path, Some("run"), &given(&[]), connector("null:")).unwrap();
        let before = dir.said().len();
        assert_eq!(live(script.workload().unwrap().as_ref(), number, 3, 2), ["", ""]);
        dir.said()[before..].to_owned()
    };
    let (first, again, other) = (text_of(0), text_of(0), text_of(1));
    assert_eq!(first, again);
    assert_ne!(first, other);
    assert_eq!(first.lines().nth(1), Some("5 7 1 x-x 2 3"));
    assert!(first.lines().next().unwrap().split(' ').nth(7).unwrap().as_bytes()[2] == b'-', "{first}");
}

#[test]
fn c_functions_of_sysbench_are_there_through_ffi() {
    let dir = ScriptDir::new();
    let text = r#"
        ffi.cdef("int usleep(unsigned); int getpid(void);")
        function event()
            ffi.C.usleep(10)
            ffi.C.sb_counter_inc(sysbench.tid, ffi.C.SB_CNT_READ)
            ffi.C.sb_counter_add(sysbench.tid, ffi.C.SB_CNT_WRITE, 2)
            say(ffi.C.getpid() > 0, ffi.C.sb_rand_uniform(4, 4), tonumber(ffi.C.sb_counter_val(0, ffi.C.SB_CNT_WRITE)),
                ffi.C.sb_more_events(0), ffi.C.SB_CNT_TRX)
            local buffer = ffi.new("char[3]")
            ffi.C.sb_rand_str("a#b", buffer)
            say(ffi.string(buffer, 3):match("^a%db$") ~= nil)
        end
    "#;
    let events = run(&dir, text, connector("null:"), &[], 1);
    assert_eq!(dir.said(), "true 4 2 true 3\ntrue\n");
    let write = "(counted by the script: write) (Write, 1)";
    assert_eq!(events[0], format!("(counted by the script: read) (Read, 1); {write}; {write}"));
}

#[test]
fn a_script_of_sysbench_0_5_runs_unmodified() {
    let dir = ScriptDir::new();
    std::fs::write(
        dir.0.path().join("shared.lua"),
        r#"
        function set_vars()
            rows = tonumber(oltp_table_size) or 10000
            tables = oltp_tables_count or 1
            reads_only = oltp_read_only == "on"
        end
        function prepare()
            set_vars()
            db_connect()
            for i = 1, tables do
                db_query("CREATE TABLE IF NOT EXISTS sbtest" .. i .. "(id INTEGER PRIMARY KEY, k INTEGER, c TEXT)")
                db_bulk_insert_init("INSERT INTO sbtest" .. i .. " VALUES")
                for j = 1, rows do
                    db_bulk_insert_next("(" .. j .. ", " .. sb_rand(1, rows) .. ", '" .. sb_rand_str('###-@@') .. [[')]])
                end
                db_bulk_insert_done()
            end
        end
        "#,
    )
    .unwrap();
    let text = r#"
        pathtest = string.match(test, "(.*/)") or ""
        dofile(pathtest .. "shared.lua")
        function thread_init(thread_id)
            set_vars()
            values = { 1, "x" }
            stmt = db_prepare("UPDATE sbtest1 SET c = ? WHERE id = ?")
            values = { "new", 1 }
            db_bind_param(stmt, values)
        end
        function event(thread_id)
            db_query("BEGIN")
            rs = db_query("SELECT c FROM sbtest" .. sb_rand_uniform(1, tables) .. " WHERE id=" .. sb_rand(1, rows))
            if not reads_only then
                values[2] = sb_rand_uniform(1, rows)
                rs = db_execute(stmt)
                db_store_results(rs)
                db_free_results(rs)
            end
            db_query("COMMIT")
            say(thread_id, num_threads, db_driver, mysql_table_engine, DB_ERROR_RESTART_TRANSACTION, oltp_table_size)
        end
    "#;
    let options = [("oltp_table_size", "20"), ("oltp-tables-count", "2"), ("oltp_read_only", "off")];
    let path = dir.script(&(dir.say() + text));
    let script = Script::open(&path, Some("prepare"), &given(&options), dir.sqlite()).unwrap();
    assert!(script.takes_any_option());
    script.run_command("prepare", 1).unwrap();
    let events = run(&dir, text, dir.sqlite(), &options, 2);
    assert_eq!(
        events[1],
        "BEGIN (Other, 0); SELECT c FROM sbtest# WHERE id=? (Read, 1); UPDATE sbtest1 SET c = ? WHERE id = ? (Write, 1); \
         COMMIT (Other, 0)"
            .replace("sbtest1", "sbtest#")
    );
    assert_eq!(dir.said().lines().next(), Some("0 1 sqlite innodb 1 20"));
}

#[test]
fn reports_of_its_own() {
    let dir = ScriptDir::new();
    let text = "function event() end\n\
        function sysbench.hooks.report_intermediate(stat) say(stat.time_total, stat.events, stat.latency_pct) end";
    let path = dir.script(&(dir.say() + text));
    let script = Script::open(&path, Some("run"), &given(&[]), connector("null:")).unwrap();
    assert!(script.reports(Hook::Intermediate) && !script.reports(Hook::Cumulative));
    let stat = [("time_total", 1.5), ("events", 10.0), ("latency_pct", 0.25)];
    assert_eq!(script.report(Hook::Intermediate, &stat), Ok(true));
    assert_eq!(script.report(Hook::Cumulative, &stat), Ok(false));
    assert_eq!(dir.said(), "1.5 10 0.25\n");
    // The last report comes when the clients have been asked to leave.
    script.workload().unwrap().interrupt();
    assert_eq!(script.report(Hook::Intermediate, &stat), Ok(true));
}

#[test]
fn an_endless_loop_can_be_stopped() {
    // Compiled code that calls nothing does not come round, so the loop must call something of ours or be interpreted.
    for body in [
        "local n = 0 while true do n = n + 1 pcall(string.rep, 'x', -n) end",
        "while true do con:query('SELECT 1') end",
    ] {
        let dir = ScriptDir::new();
        let text = format!(
            "{}jit.off()\nfunction thread_init() con = sysbench.sql.driver():connect() end\nfunction event() say('begun') {body} end",
            dir.say()
        );
        let script = Script::open(&dir.script(&text), Some("run"), &given(&[]), dir.sqlite()).unwrap();
        let workload = script.workload().unwrap();
        let outcome = std::thread::scope(|scope| {
            let running = scope.spawn(|| live(workload.as_ref(), 0, 1, 1));
            while dir.said().is_empty() && !running.is_finished() {
                std::thread::sleep(std::time::Duration::from_millis(5));
            }
            workload.interrupt();
            running.join().unwrap()
        });
        assert!(outcome[0].contains("stopped"), "{outcome:?}");
    }
}

#[test]
fn a_state_that_is_full_or_has_no_words_says_so() {
    let dir = ScriptDir::new();
    let text_of = |body: &str| {
        let text = format!("function event() {body} end");
        let options = given(&[("script_memory", "16M")]);
        let script = Script::open(&dir.script(&text), Some("run"), &options, connector("null:")).unwrap();
        let workload = script.workload().unwrap();
        let mut client = workload.client(0, 1, 7);
        LocalRuntime::new().unwrap().block_on(async {
            client.connect(Transport::Alone).await.unwrap();
            let mut context = TransactionContext::default();
            let error = client.transaction(&mut context).await.unwrap_err();
            // A state that was full goes on.
            let second = client.transaction(&mut context).await.unwrap_err();
            assert_eq!(error.message(), second.message());
            let problem = error.problem(foreign(""));
            format!("{}\n  {}", error.message(), problem.hint.unwrap().english())
                .replace(&dir.script(&text), "test.lua")
        })
    };
    let all = [
        "local t = {} for i = 1, 1e9 do t[i] = {i} end",
        "local s = string.rep('x', 1e9)",
        "local s = 'x' while true do s = s .. s end",
        "jit.off() local t = {} for i = 1, 1e9 do t[i] = {i} end",
        "local t = {} for i = 1, 1e9 do t[i] = coroutine.create(function() end) end",
        "local t, ffi = {}, require('ffi') for i = 1, 1e6 do t[i] = ffi.new('char[?]', 1e6) end",
        "local function f() return 1 + f() end f()",
        "error('caf\\233 \\255', 0)",
        "error('')",
        "error()",
        "error(setmetatable({}, { __tostring = function() error('none') end }))",
    ]
    .map(text_of);
    insta::assert_snapshot!(all.join("\n"), @r#"
    the script's event(): not enough memory: its Lua state has reached its limit of 16 MiB
      let the script keep less, or give each client more: script_memory = "32M"
    the script's event(): not enough memory: its Lua state has reached its limit of 16 MiB
      let the script keep less, or give each client more: script_memory = "32M"
    the script's event(): not enough memory: its Lua state has reached its limit of 16 MiB
      let the script keep less, or give each client more: script_memory = "32M"
    the script's event(): not enough memory: its Lua state has reached its limit of 16 MiB
      let the script keep less, or give each client more: script_memory = "32M"
    the script's event(): not enough memory: its Lua state has reached its limit of 16 MiB
      let the script keep less, or give each client more: script_memory = "32M"
    the script's event(): not enough memory: its Lua state has reached its limit of 16 MiB
      let the script keep less, or give each client more: script_memory = "32M"
    the script's event(): test.lua:1: stack overflow
      correct the script at that line
    the script's event(): caf� �
      correct the script at that line
    the script's event(): test.lua:1: 
      correct the script at that line
    the script's event(): nil
      correct the script at that line
    the script's event(): error in error handling
      correct the script at that line
    "#);
}

#[test]
fn the_limit_of_memory_holds_for_the_body_and_for_commands_too() {
    let dir = ScriptDir::new();
    let options = given(&[("script_memory", "16M")]);
    let bomb = "local t = {} for i = 1, 1e9 do t[i] = {i} end";
    let open = |text: &str| Script::open(&dir.script(text), Some("prepare"), &options, connector("null:"));
    let of_body = open(bomb).unwrap_err();
    let of_command = open(&format!("function prepare() {bomb} end")).unwrap().run_command("prepare", 1).unwrap_err();
    let small = Script::open(&dir.script(""), None, &given(&[("script_memory", "1M")]), connector("null:"));
    let printed = format!("{of_body}\n{of_command}\n{}", small.unwrap_err()).replace(&dir.script(""), "test.lua");
    insta::assert_snapshot!(printed, @r#"
    the script test.lua cannot be run
      evidence  not enough memory: its Lua state has reached its limit of 16 MiB
      hint      let the script keep less, or give each client more: script_memory = "32M"
    the script's prepare failed: not enough memory: its Lua state has reached its limit of 16 MiB
      hint      let the script keep less, or give each client more: script_memory = "32M"
    script_memory cannot be "1M"
      hint      give a size of at least 8M, for example 256M; 0 parts 2G among the clients
    "#);
}

#[test]
fn looking_at_a_script_runs_none_of_it() {
    let dir = ScriptDir::new();
    let path = dir.script(&format!("{}say('run')\nfunction event() end", dir.say()));
    assert_eq!(tenbin_script::unreadable(&path), None);
    assert_eq!(dir.said(), "");
    let path = dir.script("#!/usr/bin/sysbench\nfunction event( end");
    let text = tenbin_script::unreadable(&path).unwrap().to_string();
    insta::assert_snapshot!(text.replace(&path, "test.lua"), @r"
    the script test.lua cannot be run
      evidence  test.lua:2: <name> or '...' expected near 'end'
      hint      correct the line
    ");
}
