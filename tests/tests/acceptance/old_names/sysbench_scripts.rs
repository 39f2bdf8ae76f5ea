//! Other people's scripts under sysbench's name: what they find where sysbench is not installed, and what they get back
//! from a server, beside the real one.

#![expect(clippy::unwrap_used, reason = "a test may")]

use std::process::Command;
use tenbin_servers::sandbox::Sandbox;
use tenbin_tests::sql::{on, open};
use tenbin_tests::sysbench::{SysbenchDir, address, form};
use tenbin_tests::{mariadb, output_of, postgres};

/// Ours, where Lua finds no module but those beside the script: as on a machine without sysbench.
fn without_sysbench(here: &SysbenchDir, line: &str) -> (i32, String, String) {
    let mut command: Command = here.command(&here.dir.path().join("sysbench").display().to_string(), line);
    output_of(command.env("LUA_PATH", "./?.lua"))
}

fn write(here: &SysbenchDir, name: &str, text: &str) {
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
    let (server, here) = (mariadb(&[]), SysbenchDir::create());
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
            let (code, out, err) = without_sysbench(&here, &line("--events=20 --threads=1 run"));
            assert_eq!((code, queries(&out).as_deref()), (0, Some(wanted)), "{script}: {out}{err}");
        } else {
            let (code, out, _) = without_sysbench(&here, &line("--events=20 --threads=1 run"));
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
    let (server, here) = (mariadb(&[("log_output", "TABLE")]), SysbenchDir::create());
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
            if (name, command) == ("bulk_insert", "run") {
                // It writes the same rows again.
                on(async { open(&server).await.query("DELETE FROM sbtest1").await.unwrap() });
            }
            let ours = sent(&server, || well(without_sysbench(&here, &line("ours.lua"))));
            assert!(!theirs.is_empty());
            assert_eq!(ours, theirs, "{name} {command}");
        }
    }
}

const CONNECTED: &str = "function thread_init() con = sysbench.sql.driver():connect() end\n";

/// A number of the report, by what stands before it.
fn figure(out: &str, label: &str) -> f64 {
    let line = out.lines().find(|l| l.trim_start().starts_with(label)).unwrap_or_else(|| panic!("{label}\n{out}"));
    let number = line.split(':').nth(1).unwrap().split_whitespace().next().unwrap();
    number.trim_end_matches('s').parse().unwrap()
}

#[test]
fn an_event_longer_than_the_time_ends_and_is_counted_or_is_cut_off_when_told() {
    let (server, here) = (mariadb(&[]), SysbenchDir::create());
    let at = address(&server);
    write(&here, "slow.lua", &format!("{CONNECTED}function event() con:query('SELECT SLEEP(2.2)') end"));
    let line = format!("slow.lua {at} --time=1 --threads=2 --report-interval=1 run");
    let (code, ours, err) = here.ours(&line);
    let (_, theirs, _) = here.theirs(&line);
    assert_eq!((code, form(&ours)), (0, form(&theirs)), "{ours}{err}\n{theirs}");
    assert_eq!([figure(&ours, "total number of events:"), figure(&ours, "read:")], [2.0, 2.0], "{ours}");
    assert!(figure(&ours, "total time:") >= 2.2 && figure(&ours, "min:") >= 2200.0, "{ours}");
    // The account lets in as many as there are threads: no other session is connected while they are.
    on(async {
        let mut c = open(&server).await;
        c.query("CREATE USER narrow IDENTIFIED BY '' WITH MAX_USER_CONNECTIONS 3").await.unwrap();
        c.query("GRANT ALL ON *.* TO narrow").await.unwrap();
    });
    let narrow = at.replace("--mysql-user=root", "--mysql-user=narrow");
    let (code, out, err) = here.ours(&format!("slow.lua {narrow} --time=1 --threads=3 run"));
    assert_eq!((code, figure(&out, "total number of events:")), (0, 3.0), "{out}{err}");

    let line = format!("slow.lua {at} --time=1 --forced-shutdown=1 --threads=2 run");
    let ((code, ours, err), (real, theirs, _)) = (here.ours(&line), here.theirs(&line));
    assert_eq!((code, real), (2, 2), "{ours}{err}{theirs}");
    for words in ["forcing shutdown...", "Number of unfinished transactions on forced shutdown: 2"] {
        assert!(ours.contains(words) && theirs.contains(words), "{ours}{theirs}");
    }
    assert_eq!(figure(&ours, "total number of events:"), 0.0);
}

#[test]
fn what_is_sent_before_and_after_the_events_is_in_the_totals_and_a_fatal_error_is_no_ignored_one() {
    let (server, here) = (mariadb(&[]), SysbenchDir::create());
    let at = address(&server);
    on(async { open(&server).await.query("CREATE TABLE t (a INT PRIMARY KEY)").await.unwrap() });
    write(
        &here,
        "around.lua",
        "function thread_init() con = sysbench.sql.driver():connect() con:query('SELECT 1') con:query('DO 1') end\n\
         function event() con:query('SELECT 1') end\n\
         function thread_done() con:query('SELECT 2') con:query('DELETE FROM t') con:query('SELECT 3') end\n",
    );
    for line in [
        format!("around.lua {at} --events=10 --threads=2 run"),
        format!("bulk_insert {at} --events=10 --threads=2 prepare"),
        format!("bulk_insert {at} --events=10 --threads=2 run"),
    ] {
        let ((code, ours, err), (_, theirs, _)) = (here.ours(&line), here.theirs(&line.replace("prepare", "help")));
        assert_eq!(code, 0, "{ours}{err}");
        if line.ends_with("run") {
            for label in ["read:", "write:", "other:", "total number of events:"] {
                if !line.starts_with("bulk_insert") {
                    assert_eq!(figure(&ours, label), figure(&theirs, label), "{label} {line}\n{ours}\n{theirs}");
                }
            }
            if line.starts_with("bulk_insert") {
                // One of each thread that has had an event.
                let (writes, all) = (figure(&ours, "write:"), figure(&ours, "total:"));
                assert!((1.0..=2.0).contains(&writes) && all == writes, "{ours}");
            }
        }
    }
    write(&here, "fatal.lua", &format!("{CONNECTED}function event() con:query('INSERT INTO t VALUES (1)') end"));
    let (code, out, err) = here.ours(&format!("fatal.lua {at} --events=10 run"));
    assert_eq!((code, figure(&out, "ignored errors:")), (1, 0.0), "{out}{err}");
    let (code, out, err) =
        here.ours(&format!("fatal.lua {at} --time=1 --mysql-ignore-errors=1062 --forced-shutdown=0 run"));
    assert!(code == 2 || code == 0, "{code} {out}{err}");
    let insert = "--test=oltp --oltp-table-size=50 --oltp-test-mode=nontrx --oltp-nontrx-mode=insert";
    assert_eq!(here.ours(&format!("{insert} {at} prepare")).0, 0);
    let (code, out, err) = here.ours(&format!("{insert} {at} --max-requests=30 --num-threads=2 run"));
    assert_eq!((code, figure(&out, "write:")), (0, 30.0), "{out}{err}");
    let rows = on(async { open(&server).await.table("SELECT COUNT(*) FROM sbtest").await.unwrap() });
    assert_eq!(rows.scalar(), Some("80"));
}

/// Errors that a script catches: each is printed, and counted as ignored, as by the real one.
#[test]
fn errors_that_a_script_catches_are_printed_and_counted() {
    let (server, here) = (mariadb(&[]), SysbenchDir::create());
    let at = address(&server);
    on(async { open(&server).await.query("CREATE TABLE t (a INT PRIMARY KEY)").await.unwrap() });
    let caught = |sql: &str| format!("pcall(con.query, con, \"{sql}\") ");
    let event = [caught("SELECT a FROM nosuch"), caught("INSERT INTO t VALUES (1)"), caught("SELECT 1")].concat();
    write(&here, "caught.lua", &format!("{CONNECTED}function event() {event}end"));
    let line = format!("caught.lua {at} --events=5 --threads=1 run");
    let ((code, ours, err), (real, theirs, _)) = (here.ours(&line), here.theirs(&line));
    let fatal =
        |out: &str| out.lines().filter(|line| line.starts_with("FATAL:")).map(str::to_owned).collect::<Vec<_>>();
    assert_eq!(code, real, "{ours}{err}\n{theirs}");
    // The table has a row when the second of them runs: the first error is then repeated, and counted.
    assert_eq!((fatal(&ours).len(), fatal(&theirs).len()), (8, 10), "{ours}\n{theirs}");
    assert_eq!(fatal(&ours)[1..], fatal(&theirs)[3..], "{ours}\n{theirs}");
    assert_eq!([figure(&ours, "ignored errors:"), figure(&theirs, "ignored errors:")], [9.0, 10.0], "{ours}\n{theirs}");
}

/// What a connection says of itself after the server has ended it, and what is printed: in words and numbers those of the real one.
#[test]
fn a_connection_that_is_lost_has_the_number_and_the_state_of_the_client_library() {
    let (server, here) = (mariadb(&[]), SysbenchDir::create());
    let at = address(&server);
    let attempt = |call: &str| {
        format!(
            "pcall(con.{call}) print(tonumber(con.error), con.sql_errno, ffi.string(con.sql_state), ffi.string(con.sql_errmsg)) "
        )
    };
    let calls = ["query, con, 'KILL CONNECTION_ID()'", "query, con, 'SELECT 1'", "query, con, 'SELECT 2'"];
    let event = calls.map(attempt).concat();
    write(&here, "lost.lua", &format!("{CONNECTED}function event() {event} return 1 end"));
    let line = format!("lost.lua {at} --events=1 --threads=1 run");
    let ((_, ours, err), (_, theirs, _)) = (here.ours(&line), here.theirs(&line));
    // Of the first statement after it the number depends on whether the server has closed the connection by then, of either.
    let at_once = |line: &str| {
        let line = line.replace("Lost connection to server during query", "Server has gone away");
        line.replace("\t2013\t", "\t2006\t").replace("error 2013 ", "error 2006 ")
    };
    let all =
        |out: &str, what: &str| out.lines().filter(|line| line.starts_with(what)).map(at_once).collect::<Vec<_>>();
    let told = all(&ours, "2\t");
    assert_eq!(told, all(&theirs, "2\t"), "{ours}{err}\n{theirs}");
    assert!(told.len() == 3 && told[1].starts_with("2\t2006\tHY000\tServer has gone away"), "{told:?}");
    assert_eq!(all(&ours, "FATAL: "), all(&theirs, "FATAL: "), "{ours}{err}\n{theirs}");
}

#[test]
fn reports_and_defaults_are_1_1s_where_asked_for_or_where_the_command_line_is_1_1s() {
    let here = SysbenchDir::create();
    for line in ["cpu --tenbin-form=1.1 --events=3 run", "cpu --thread-init-timeout=20 --events=3 run"] {
        let (code, out, err) = here.ours(line);
        assert_eq!((code, err.as_str()), (0, ""), "{out}");
        let from =
            out.find("\nThroughput:\n    events/s (eps):                      ").unwrap_or_else(|| panic!("{out}"));
        assert!(out[from..].contains("\n    time elapsed:                        "), "{out}");
        assert!(out.starts_with("sysbench 1.1.0 ") && !out.contains("General statistics"), "{out}");
    }
    assert_eq!(here.ours("--tenbin-form=1.1 --version").1, "sysbench 1.1.0\n");
    write(
        &here,
        "is.lua",
        "function init() print(sysbench.version, sysbench.opt.rand_type, sysbench.rand.special, jit.status()) end\n\
         function event() end",
    );
    let text_of = |line: &str| here.ours(line).1.lines().find(|l| l.starts_with("1.")).unwrap_or("").to_owned();
    assert!(
        text_of("is.lua --events=1 --tenbin-form=1.1 --luajit-cmd=off run").starts_with("1.1.0\tuniform\tnil\tfalse")
    );
    assert!(text_of("is.lua --events=1 run").starts_with("1.0.20\tspecial\tfunction"));
}

/// Prints what a statement answers: rows counted, columns, and the rows themselves.
const SHOW: &str = r#"
function show(name, rs)
   if rs == nil then return print(name, "nothing") end
   local line = name .. " " .. rs.nrows .. "x" .. rs.nfields
   for _ = 1, rs.nrows do line = line .. " " .. table.concat(rs:fetch_row(), ",") end
   print(line)
end
function connect() return sysbench.sql.driver():connect() end
"#;

/// The lines that [`SHOW`] printed.
fn shown(out: &str) -> Vec<&str> {
    let from = out.find("Threads started!\n\n").map_or(0, |at| at + 18);
    out[from..].lines().take_while(|l| !l.is_empty() && !l.starts_with("SQL statistics")).collect()
}

#[test]
fn scripts_get_the_answers_that_the_real_one_gives_them_and_more() {
    let (server, other, here) = (mariadb(&[("local_infile", "ON")]), postgres(&[]), SysbenchDir::create());
    let at = address(&server);
    let dsn = tenbin_model::dsn::Dsn::parse(&other.dsn()).unwrap();
    let pg = format!(
        "--pgsql-host=127.0.0.1 --pgsql-port={} --pgsql-user={} --pgsql-db={}",
        dsn.port.unwrap(),
        dsn.user,
        dsn.database
    );
    on(async {
        let mut c = open(&server).await;
        c.query("CREATE TABLE t (a INT, b VARBINARY(9))").await.unwrap();
        c.query("CREATE PROCEDURE p() BEGIN SELECT 7 UNION SELECT 8; SELECT 9, 10; END").await.unwrap();
    });
    // Each on a connection of its own: the real one cannot go on after several results.
    let both = format!(
        "{SHOW}function event()\n\
           show('one', connect():query('SELECT 1, NULL IS NULL'))\n\
           show('two', connect():query('SELECT 1; SELECT 2, 3'))\n\
           show('call', connect():query('CALL p()'))\n\
           show('insert', connect():query('INSERT INTO t VALUES (1, NULL); SELECT 5'))\n\
           show('bytes', connect():query('INSERT INTO t VALUES (2, _binary\\'\\255\\254\\')'))\n\
           show('hex', connect():query('SELECT DISTINCT HEX(b) FROM t WHERE a = 2'))\n\
         end\n\
         local usual = thread_run\n\
         function thread_run(id) print('around') usual(id) end\n"
    );
    write(&here, "both.lua", &both);
    let line = format!("both.lua {at} --events=1 run");
    let ((code, ours, err), (_, theirs, _)) = (here.ours(&line), here.theirs(&line));
    assert_eq!(code, 0, "{ours}{err}");
    assert_eq!(shown(&ours), shown(&theirs), "{ours}\n{theirs}");
    assert_eq!(
        shown(&ours),
        ["around", "one 1x2 1,1", "two 1x1 1", "call 2x1 7 8", "insert\tnothing", "bytes\tnothing", "hex 1x1 FFFE"]
    );
    // And what it does not give: the results behind the first, rows of prepared statements, files of one's own.
    write(&here, "rows.csv", "11\tx\n12\ty\n");
    write(&here, "other.csv", "13\tz\n");
    write(
        &here,
        "more.lua",
        &format!(
            "{SHOW}function event()\n\
               local con = connect()\n\
               show('two', con:query('SELECT 1; SELECT 2, 3'))\n\
               print(con:more_results()) show('next', con:next_result()) print(con:more_results())\n\
               show('file', con:query(\"LOAD DATA LOCAL INFILE 'rows.csv' INTO TABLE t\"))\n\
               show('rows', con:query('SELECT COUNT(*), SUM(a) FROM t WHERE a > 9'))\n\
               print(pcall(con.query, con, \"LOAD DATA LOCAL INFILE 'none.csv' INTO TABLE t\") and 'read' or 'no file')\n\
               show('on', con:query('SELECT 4'))\n\
               show('prepared', con:prepare('SELECT a, b, a / 8 FROM t WHERE a > 10 ORDER BY a'):execute())\n\
               print(sysbench.sql.driver('pgsql'):name(), sysbench.sql.driver('pgsql'):connect():query_row('SELECT 5'))\n\
             end\n"
        ),
    );
    let (code, out, err) = here.ours(&format!("more.lua {at} {pg} --events=1 run"));
    assert_eq!(code, 0, "{out}{err}");
    let (caught, read): (Vec<&str>, Vec<&str>) = shown(&out).into_iter().partition(|line| line.starts_with("FATAL: "));
    assert!(caught.len() == 1 && caught[0].contains("returned error 2 (the file none.csv"), "{caught:?}");
    assert_eq!(
        read,
        [
            "two 1x1 1",
            "true",
            "next 1x2 2,3",
            "false",
            "file\tnothing",
            "rows 1x2 2,23",
            "no file",
            "on 1x1 4",
            "prepared 2x3 11,x,1.3750 12,y,1.5000",
            "pgsql\t5"
        ],
        "{out}{err}"
    );
    // PostgreSQL's library has the last result, and rows of prepared statements.
    write(
        &here,
        "pg.lua",
        &format!(
            "{SHOW}function event()\n\
               show('two', connect():query('SELECT 1; SELECT 2, 3'))\n\
               show('last', connect():query('SELECT 5; CREATE TEMP TABLE x (a INT)'))\n\
               show('prepared', connect():prepare(\"SELECT 'x'::text, 'y'::varchar\"):execute())\n\
             end\n"
        ),
    );
    let line = format!("pg.lua --db-driver=pgsql {pg} --events=1 run");
    let ((code, ours, err), (_, theirs, _)) = (here.ours(&line), here.theirs(&line));
    assert_eq!((code, shown(&ours)), (0, shown(&theirs)), "{ours}{err}\n{theirs}");
    assert_eq!(shown(&ours), ["two 1x2 2,3", "last\tnothing", "prepared 1x2 x,y"]);
}

/// What a script gets for its options.
const OPTIONS: &str = "
sysbench.cmdline.options = {
   flag = {'a switch', true}, count = {'a whole number', 7, sysbench.cmdline.ARG_INT}, number = {'any', 3}, word = {'a text', 'abc'},
   list = {'several', {'a', 'b'}},
}
function init()
   local opt = sysbench.opt
   print('options', opt.flag, opt.count, opt.number, opt.word, table.concat(opt.list, '|'))
end
function event() return true end
";

/// An option with a check of its own.
const CHECKED: &str = "
sysbench.cmdline.options = {
   checked = {'above 3', 5, sysbench.cmdline.ARG_INT, function(name, value)
      return ffi.string(name) == 'checked' and tonumber(ffi.string(value)) > 3
   end},
}
function init() print('options', sysbench.opt.checked) end
function event() return true end
";

#[test]
fn values_of_a_scripts_options_are_read_as_by_the_real_one() {
    let here = SysbenchDir::create();
    write(&here, "options.lua", OPTIONS);
    // The real one gets into disorder with a check beside other options.
    write(&here, "checked.lua", CHECKED);
    let options = "--flag --flag= --flag=TRUE --flag=off --count --count= --count=abc --count=3.5 --count=99999999999 --count=0x10 --number \
                   --number= --number=1e400 --word --word= --list --list= --list=x,,y --list=,";
    let of_options = options.split_whitespace().map(|option| format!("options.lua {option} run"));
    let of_checked = ["9", "1"].map(|value| format!("checked.lua --checked={value} run"));
    for line in of_options.chain(of_checked) {
        let text_of = |(code, out, err): (i32, String, String)| {
            (code, err, out.lines().find(|line| line.starts_with("options")).map(str::to_owned))
        };
        let (ours, theirs) = (text_of(here.ours(&line)), text_of(here.theirs(&line)));
        assert_eq!(ours, theirs, "{line}");
    }
}

#[test]
fn a_connection_says_of_its_last_statement_whether_it_failed() {
    let (server, here) = (mariadb(&[]), SysbenchDir::create());
    write(
        &here,
        "errors.lua",
        "function thread_init() con = sysbench.sql.driver():connect() end\n\
         local function state(of)\n\
           print(of, tonumber(con.error), con.sql_errno, con.sql_state ~= nil and ffi.string(con.sql_state) or 'none')\n\
         end\n\
         function event()\n\
           state('at first')\n\
           print(pcall(con.query, con, 'SELECT nowhere') and 'taken' or 'refused') state('failed')\n\
           local rs = con:query('SELECT 1') state('well')\n\
           print(con:check_error(rs, 'q') == rs, con:check_error(nil, 'q'))\n\
           print(pcall(con.query, con, 'SELECT nowhere') and 'taken' or 'refused')\n\
           print(select(2, pcall(con.check_error, con, nil, 'q')):match('SQL error.*'))\n\
           con:prepare('SELECT 1'):execute() state('executed')\n\
           return true\n\
         end\n",
    );
    let line = format!("errors.lua {} run", address(&server));
    let without_fatal = |out: &str| -> Vec<String> {
        let lines = out.lines().skip_while(|line| *line != "Threads started!");
        lines
            .take_while(|line| *line != "SQL statistics:")
            .filter(|l| !l.starts_with("FATAL") && !l.starts_with("(last message"))
            .map(str::to_owned)
            .collect()
    };
    let ((code, ours, err), (_, theirs, _)) = (here.ours(&line), here.theirs(&line));
    assert_eq!((code, without_fatal(&ours)), (0, without_fatal(&theirs)), "{ours}{err}");
    assert!(theirs.contains("executed\t0\t0\tnone") && theirs.contains("SQL error, errno = 1054"), "{theirs}");
}

#[test]
fn a_thread_that_failed_has_no_end_of_its_own() {
    let (server, here) = (mariadb(&[]), SysbenchDir::create());
    write(
        &here,
        "fails.lua",
        "function thread_init() con = sysbench.sql.driver():connect() end\n\
         function event(id) if id == 0 then error('enough') end con:query('SELECT SLEEP(0.01)') end\n\
         function thread_done(id) print('done', id) con:query('INSERT INTO done VALUES (' .. id .. ')') end\n",
    );
    on(async { open(&server).await.query("CREATE TABLE done (id INT)").await.unwrap() });
    let line = format!("fails.lua {} --threads=3 --time=5 run", address(&server));
    for (code, out, err) in [here.ours(&line), here.theirs(&line)] {
        let mut done: Vec<&str> = out.lines().filter(|line| line.starts_with("done")).collect();
        done.sort_unstable();
        assert_eq!((code, done), (1, vec!["done\t1", "done\t2"]), "{out}{err}");
    }
    let rows = on(async { open(&server).await.table("SELECT COUNT(*) FROM done WHERE id = 0").await.unwrap() });
    assert_eq!(rows.scalar(), Some("0"));
    // Nor has any thread one, or the script, if one of them could not begin.
    write(
        &here,
        "refused.lua",
        "function thread_init(id) if id == 1 then error('not this one') end end\nfunction event() end\n\
         function thread_done(id) print('done', id) end\nfunction done() print('done') end\n",
    );
    let line = format!("refused.lua {} --threads=3 --time=5 run", address(&server));
    for (code, out, err) in [here.ours(&line), here.theirs(&line)] {
        assert!(code == 1 && !out.contains("done") && out.contains("not this one"), "{out}{err}");
    }
    write(&here, "part.lua", "function init() error('not by itself', 0) end\n");
    for (code, out, err) in [here.ours("part.lua run"), here.theirs("part.lua run")] {
        assert!(code == 1 && out.contains("FATAL: `init' function failed: not by itself"), "{out}{err}");
    }
}

#[test]
fn a_statement_that_is_refused_when_it_is_prepared_has_the_lines_that_are_searched_for() {
    let (server, here) = (mariadb(&[]), SysbenchDir::create());
    write(
        &here,
        "prepares.lua",
        "function thread_init() sysbench.sql.driver():connect():prepare('SELECT * FROM x') end\nfunction event() end\n",
    );
    for test in ["prepares.lua", "oltp_read_only"] {
        let line = format!("{test} {} run", address(&server));
        for (code, out, err) in [here.ours(&line), here.theirs(&line)] {
            let text = "FATAL: mysql_stmt_prepare() failed\nFATAL: MySQL error: 1146 \"Table 'sbtest.";
            assert!(
                code == 1 && out.contains(text) && out.contains("FATAL: `thread_init' function failed: "),
                "{out}{err}"
            );
        }
    }
}

#[test]
fn bulk_insert_takes_the_options_of_other_tests_as_a_script_that_declares_none() {
    let (server, here) = (mariadb(&[]), SysbenchDir::create());
    let at = address(&server);
    for run in [SysbenchDir::ours, SysbenchDir::theirs] {
        let text_of = |rest: &str| {
            let (code, out, err) =
                run(&here, &format!("bulk_insert {at} --tables=4 --table-size=100 --oltp-table-size=9 {rest}"));
            (code, out.lines().filter(|line| line.ends_with("'sbtest1'...")).count(), err)
        };
        assert_eq!(text_of("prepare"), (0, 1, String::new()));
        assert_eq!(text_of("--events=5 run"), (0, 0, String::new()));
        assert_eq!(text_of("cleanup"), (0, 1, String::new()));
        assert_eq!(text_of(""), (0, 0, String::new()), "only its body is executed");
        assert_eq!(text_of("help"), (1, 0, "'bulk_insert' test does not implement the 'help' command.\n".to_owned()));
    }
}

/// The server is asked before the clients connect and after they have left: that it has no connection of theirs then is no limit.
#[test]
fn a_server_that_sleeps_is_not_said_to_let_nobody_in() {
    let (server, here) = (mariadb(&[]), SysbenchDir::create());
    write(&here, "slow.lua", &format!("{CONNECTED}function event() con:query('SELECT SLEEP(0.01)') end"));
    let line = format!("slow.lua {} --time=3 --threads=16 run", address(&server));
    let mut command = here.command(&here.dir.path().join("sysbench").display().to_string(), &line);
    let (code, out, err) = output_of(command.env("TENBIN_RUNS", here.dir.path().join("runs")));
    assert_eq!(code, 0, "{out}{err}");
    let why = tenbin_tests::read_back(&here.dir.path().join("runs")).1["trials"][0]["why"].clone();
    assert!(why["limit"].is_string() && why["limit"] != "admission", "{why}");
    assert!(!why.to_string().contains("connections for"), "{why}");
}

/// All threads begin together and take a second each: of a window of 0.7 seconds after a warm-up it is chance how often they begin in it.
#[test]
fn a_window_after_a_warm_up_that_is_shorter_than_its_events_is_doubted() {
    let (server, here) = (mariadb(&[]), SysbenchDir::create());
    write(&here, "slow.lua", &format!("{CONNECTED}function event() con:query('SELECT SLEEP(1)') end"));
    let line = format!("slow.lua {} --warmup-time=1 --time=1 --threads=4 run", address(&server));
    let mut command = here.command(&here.dir.path().join("sysbench").display().to_string(), &line);
    let (code, out, err) = output_of(command.env("TENBIN_RUNS", here.dir.path().join("runs")));
    assert_eq!(code, 0, "{out}{err}");
    let doubts = tenbin_tests::read_back(&here.dir.path().join("runs")).1["trials"][0]["doubts"].clone();
    assert!(doubts.to_string().contains("long-transactions"), "{doubts}");
}
