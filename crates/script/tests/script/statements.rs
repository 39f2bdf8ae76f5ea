//! What becomes of statements that are sent and counted as sysbench does: bulk INSERTs that fail, and counters.

use crate::{ScriptDir, run};

/// As in sysbench 1.0.20, where `db_bulk_insert_next() failed` is no error that begins an event again.
#[test]
fn a_bulk_insert_that_fails_ends_the_run_and_keeps_its_rows() {
    let dir = ScriptDir::new();
    let text = r#"
        function thread_init()
            con = sysbench.sql.driver():connect()
            con:query("CREATE TABLE t(id INTEGER PRIMARY KEY)")
            con:query("INSERT INTO t VALUES (2)")
            con:bulk_insert_init("INSERT INTO t VALUES")
            for i = 1, 3 do con:bulk_insert_next("(" .. i .. ")") end
        end
        local n = 0
        function event()
            n = n + 1
            if n == 1 then con:bulk_insert_done() end
            con:query("DELETE FROM t")
            con:bulk_insert_done()
            say(con:query_row("SELECT COUNT(*) FROM t"), con.error)
        end
    "#;
    let events = run(&dir, text, dir.sqlite(), &[("mysql_ignore_errors", "all")], 2);
    let is_fatal =
        events[0].contains("=> Sql: ") && events[0].contains("db_bulk_insert_done() failed: SQL error, errno");
    assert!(is_fatal && !events[0].contains("(error "), "{}", events[0]);
    assert_eq!(dir.said(), "3 0\n");
}

/// As in sysbench 1.0.20, where each thread's counters are those of the reports.
#[test]
fn counters_are_those_of_the_threads_statements() {
    let dir = ScriptDir::new();
    let text = r#"
        function thread_init() con = sysbench.sql.driver():connect() end
        local function counted(id)
            local all = {}
            for i = 0, 5 do all[i + 1] = tonumber(ffi.C.sb_counter_val(id, i)) end
            return table.concat(all, " ")
        end
        function event(id)
            con:query("CREATE TABLE IF NOT EXISTS t(id INTEGER PRIMARY KEY)")
            con:query("INSERT INTO t VALUES (1), (2)")
            con:query("SELECT * FROM t")
            con:query("UPDATE t SET id = 9 WHERE id = 7")
            local stmt = con:prepare("DELETE FROM t WHERE id > 0")
            stmt:execute()
            stmt:execute()
            con:bulk_insert_init("INSERT INTO t VALUES")
            con:bulk_insert_next("(5)")
            con:bulk_insert_done()
            con:query("DELETE FROM t")
            pcall(con.query, con, "SELECT * FROM missing")
            con:reconnect()
            say(counted(id), counted(99))
        end
    "#;
    run(&dir, text, dir.sqlite(), &[], 2);
    assert_eq!(dir.said(), "3 1 4 0 1 1 0 0 0 0 0 0\n6 2 8 1 2 2 0 0 0 0 0 0\n");
}

/// As sysbench 1.0.20 names it.
#[test]
fn a_hook_learns_that_a_prepared_statement_has_failed() {
    let dir = ScriptDir::new();
    let text = r#"
        function thread_init()
            con = sysbench.sql.driver():connect()
            con:query("CREATE TABLE t(id INTEGER PRIMARY KEY)")
            stmt = con:prepare("INSERT INTO t VALUES (1)")
        end
        function event() stmt:execute() end
        function sysbench.hooks.before_restart_event(err) say(err.query, err.connection == con) end
    "#;
    let events = run(&dir, text, dir.sqlite(), &[("mysql_ignore_errors", "all")], 2);
    assert!(events[1].contains("=> Conflict: "), "{events:?}");
    assert_eq!(dir.said(), "<prepared statement> true\n");
}

/// As sysbench 1.0.20 counts them.
#[test]
fn a_prepared_statement_is_counted_by_its_answer() {
    let dir = ScriptDir::new();
    let text = r#"
        function thread_init()
            con = sysbench.sql.driver():connect()
            con:query("CREATE TABLE t(id INTEGER)")
            all = {}
            for _, sql in ipairs{"/* c */ SELECT 1", "PRAGMA user_version", "CREATE TABLE IF NOT EXISTS u(id INTEGER)"} do
                all[#all + 1] = con:prepare(sql)
            end
        end
        function event() for _, stmt in ipairs(all) do stmt:execute() end end
    "#;
    let events = run(&dir, text, dir.sqlite(), &[], 2);
    let one = "/* c */ SELECT ? (Read, 1); PRAGMA user_version (Read, 1); CREATE TABLE IF NOT EXISTS u(id INTEGER) (Other, 0)";
    assert_eq!(events, [one, one]);
}

/// As in sysbench 1.0.20; our own ROLLBACK is not among them.
#[test]
fn what_the_hook_between_two_attempts_sends_is_counted() {
    let dir = ScriptDir::new();
    let text = r#"
        local n = 0
        function thread_init() con = sysbench.sql.driver():connect() end
        function event()
            n = n + 1
            con:query("BEGIN")
            if n == 1 then con:query("SELECT * FROM missing") end
            con:query("COMMIT")
        end
        function sysbench.hooks.before_restart_event() con:query("SELECT 7") end
    "#;
    let events = run(&dir, text, dir.sqlite(), &[("mysql_ignore_errors", "all")], 2);
    assert!(events[0].starts_with("BEGIN (Other, 0); SELECT * FROM missing (Read, 0) !1 => Conflict: "), "{events:?}");
    assert_eq!(events[1], "SELECT ? (Read, 1); BEGIN (Other, 0); COMMIT (Other, 0)");
}

/// As in sysbench 1.0.20, whose loop counts nothing beside the statement.
#[test]
fn an_error_in_a_loop_with_something_around_it_counts_once() {
    let dir = ScriptDir::new();
    let text = r#"
        local usual, n = thread_run, 0
        function thread_run(id) usual(id) end
        function thread_init() con = sysbench.sql.driver():connect() end
        function event(id)
            n = n + 1
            if n == 1 then con:query("SELECT * FROM missing") end
            con:query("SELECT 1")
            say(n, tonumber(ffi.C.sb_counter_val(id, ffi.C.SB_CNT_ERROR)))
        end
    "#;
    let events = run(&dir, text, dir.sqlite(), &[("mysql_ignore_errors", "all")], 1);
    assert_eq!(events, ["SELECT * FROM missing (Read, 0) !1; SELECT ? (Read, 1)"]);
    assert_eq!(dir.said(), "2 1\n");
}
