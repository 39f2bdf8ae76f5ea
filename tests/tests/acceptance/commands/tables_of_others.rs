//! What is not Tenbin's is neither written into nor dropped: tables without its mark, and schemas of the server itself.

use tenbin_tests::sql::query;
use tenbin_tests::{mariadb, mysql, output_of, postgres, tenbin};

/// What a script writes is not known before it runs: what is in its reach is told, once and before anything is sent.
#[test]
fn tables_that_a_lua_script_might_write_to_are_told() {
    for server in [mariadb(&[]), postgres(&[])] {
        let dir = tempfile::tempdir().unwrap();
        let script = dir.path().join("own.lua");
        let event = "function event() con:query('SELECT 1') end\n";
        let text = format!("function thread_init() drv = sysbench.sql.driver(); con = drv:connect() end\n{event}");
        std::fs::write(&script, text).unwrap();
        let run = |more: &[&str]| {
            let mut command = tenbin();
            command.arg("bench").arg(&script).arg(server.dsn()).args(["--time", "1"]).args(more);
            output_of(command.arg("--runs").arg(dir.path().join("runs"))).2
        };
        let text_of = |err: &str| err.matches("writes is not known beforehand").count();
        let err = run(&[]);
        assert_eq!(text_of(&err), 0, "there is none: {err}");
        query(&server, "CREATE TABLE precious (a INT)");
        let err = run(&[]);
        assert!(text_of(&err) == 1 && err.contains("precious in "), "{err}");
        let err = run(&["--allow", "write-unmarked"]);
        assert_eq!(text_of(&err), 0, "it is permitted: {err}");
    }
}

#[test]
fn a_users_own_table_of_the_same_shape_is_read_but_not_written() {
    let dir = tempfile::tempdir().unwrap();
    let file = format!("sqlite:{}/own.db", dir.path().display());
    for (server, sum) in [
        (mariadb(&[]).into(), "SELECT SUM(k), COUNT(*), MIN(pad), MAX(c) FROM sbtest1"),
        (postgres(&[]).into(), "SELECT SUM(k), COUNT(*), MIN(pad), MAX(c) FROM sbtest1"),
        (None, "SELECT SUM(k), COUNT(*), MIN(pad), MAX(c) FROM sbtest1"),
    ] {
        let at = server.as_ref().map_or(file.clone(), tenbin_servers::sandbox::Sandbox::dsn);
        let table = ["--tables", "1", "--table-size", "500"];
        // Made by Tenbin, then taken over by its user.
        let (code, _, err) = output_of(tenbin().args(["load", "oltp_read_write", &at]).args(table));
        assert_eq!(code, 0, "{err}");
        query(&at, "DROP TABLE tenbin_mark");
        let before = query(&at, sum);
        let run = |workload: &str, more: &[&str]| {
            let mut command = tenbin();
            command.args(["bench", workload, &at, "--time", "1"]).args(table).args(more);
            output_of(command.arg("--runs").arg(dir.path().join("runs")))
        };
        let writing = ["oltp_write_only", "oltp_read_write", "oltp_update_index", "oltp_delete", "oltp_insert"];
        for workload in writing {
            let (code, out, err) = run(workload, &[]);
            assert_eq!(code, 1, "{out}{err}");
            assert!(err.contains(&format!("{workload} would write into tables that Tenbin did not make")), "{err}");
            assert!(err.contains("sbtest1 in ") && err.contains("--allow write-unmarked"), "{err}");
        }
        assert_eq!(query(&at, sum), before, "{at}");
        let (code, out, err) = run("oltp_read_only", &[]);
        assert!([0, 3].contains(&code), "reading does no harm: {code} {out}{err}");

        // A plan without a data set is no way around it.
        let plan = dir.path().join("plan.toml");
        let text = format!(
            "schema = 1\n[targets.a]\ndsn = {at:?}\n[datasets.x]\nkind = \"none\"\n[[experiment]]\nrepeats = 1\nwarmup = \"0s\"\nmeasure = \"1s\"\n\
             restore = \"never\"\nload.workload = \"oltp_update_index\"\nload.table_size = 500\n"
        );
        std::fs::write(&plan, &text).unwrap();
        let planned = || output_of(tenbin().arg("run").arg(&plan).arg("--runs").arg(dir.path().join("runs")));
        let (code, _, err) = planned();
        assert!(code == 1 && err.contains("would write into tables"), "{code} {err}");
        assert_eq!(query(&at, sum), before, "{at}");

        let (code, out, err) = run("oltp_update_index", &["--allow", "write-unmarked"]);
        assert!([0, 3].contains(&code), "{code} {out}{err}");
        assert_ne!(query(&at, sum), before, "as it was told");
        std::fs::write(&plan, text.replace("[datasets.x]", "allow = [\"write-unmarked\"]\n[datasets.x]")).unwrap();
        let (code, out, err) = planned();
        assert!([0, 3].contains(&code), "{code} {out}{err}");
    }
    let (code, _, err) = output_of(tenbin().args(["load", "oltp_read_write", &file, "--allow", "write-everything"]));
    assert!(
        code == 1 && err.contains("--allow cannot be \"write-everything\"") && err.contains("write-replica"),
        "{err}"
    );
}

/// The mark knows which table it is about.
#[test]
fn a_table_that_somebody_else_creates_under_a_marked_name_is_theirs() {
    let (maria, mysql, pg, dir) = (mariadb(&[]), mysql("8.0.31", &[]), postgres(&[]), tempfile::tempdir().unwrap());
    let file = format!("sqlite:{}/own.db", dir.path().display());
    for at in [maria.dsn(), mysql.dsn(), pg.dsn(), file] {
        let table = ["--tables", "1", "--table-size", "500"];
        let (code, _, err) = output_of(tenbin().args(["load", "oltp_read_write", &at]).args(table));
        assert_eq!(code, 0, "{err}");
        // Changed, it is still ours, where the server does not take it for another.
        if !at.starts_with("mysql") {
            query(&at, "ALTER TABLE sbtest1 ADD COLUMN later int");
            query(&at, "ALTER TABLE sbtest1 DROP COLUMN later");
            query(&at, if at == pg.dsn() { "VACUUM FULL sbtest1" } else { "VACUUM" });
        }
        let (code, _, err) = output_of(tenbin().args(["load", "oltp_read_write", &at, "--drop"]).args(table));
        assert_eq!(code, 0, "{err}");
        // A mark of an older version does not say which table it is about.
        query(&at, "UPDATE tenbin_mark SET made_by = 'tenbin 0.1.0'");
        let (code, _, err) = output_of(tenbin().args(["load", "oltp_read_write", &at, "--drop"]).args(table));
        assert_eq!(code, 0, "{err}");

        replace(&at, "sbtest1");
        query(&at, "INSERT INTO sbtest1 (id, k, c, pad) VALUES (1, 1, 'precious', 'THEIRS')");
        let sum = "SELECT SUM(k), COUNT(*), MIN(pad), MAX(c) FROM sbtest1";
        let before = query(&at, sum);
        let (code, out, err) = output_of(tenbin().args(["bench", "oltp_write_only", &at, "--time", "1"]).args(table));
        assert!(code == 1 && err.contains("would write into tables that Tenbin did not make"), "{code} {out}{err}");
        for drop in ["--drop", "--only-drop"] {
            let (_, out, err) = output_of(tenbin().args(["load", "oltp_read_write", &at, drop]).args(table));
            assert_eq!(query(&at, sum), before, "{drop}: {out}{err}");
            if drop == "--drop" {
                assert!(err.contains("tenbin_mark is about an earlier table of that name"), "{err}");
            }
        }
    }
}

/// Drops a table and creates one with the same columns, as a user does.
fn replace(at: &str, table: &str) {
    // At once: a server may tell the time of a table in whole seconds.
    if at.starts_with("mysql") {
        query(at, &format!("CREATE TABLE theirs LIKE {table}"));
    } else if at.starts_with("postgres") {
        query(at, &format!("CREATE TABLE theirs (LIKE {table} INCLUDING ALL)"));
    }
    if let Some(create) =
        at.starts_with("sqlite").then(|| format!("SELECT sql FROM sqlite_master WHERE name = '{table}'"))
    {
        let create = query(at, &create)[0][0].clone();
        query(at, &format!("DROP TABLE {table}"));
        query(at, &create);
    } else {
        query(at, &format!("DROP TABLE {table}{}", if at.starts_with("postgres") { " CASCADE" } else { "" }));
        query(at, &format!("ALTER TABLE theirs RENAME TO {table}"));
    }
}

/// The same of the tables of TPC-B, TPC-C and a user's own file: nothing of the data set is dropped then.
#[test]
fn no_data_set_takes_a_table_that_was_created_anew_for_its_own() {
    let (maria, pg, dir) = (mariadb(&[]), postgres(&[]), tempfile::tempdir().unwrap());
    let file = format!("sqlite:{}/own.db", dir.path().display());
    std::fs::write(
        dir.path().join("schema.sql"),
        "CREATE TABLE account (id INT PRIMARY KEY, owner VARCHAR(20), balance INT);\nCREATE TABLE entry (id INT);\n",
    )
    .unwrap();
    std::fs::write(dir.path().join("own.sql"), "SELECT balance FROM account WHERE id = 1;\n").unwrap();
    for at in [maria.dsn(), pg.dsn(), file] {
        let is_mysql = at.starts_with("mysql");
        // What changes a table after its rows are loaded is ours.
        let wait = if is_mysql { "\"SELECT SLEEP(1.1)\", " } else { "" };
        let plan = |restore: &str| {
            let text = format!(
                "schema = 1\nname = \"x\"\n[targets.t]\ndsn = {at:?}\n[datasets.d]\nkind = \"sql\"\ncreate = \"schema.sql\"\n\
                 after_load = [{wait}\"CREATE INDEX by_owner ON account (owner)\"]\nfill.account.rows = 3\nfill.account.id = \"serial\"\n\
                 fill.account.owner = \"name\"\nfill.account.balance = \"uniform(7, 7)\"\n[[experiment]]\nname = \"e\"\nrepeats = 1\nwarmup = 0\n\
                 measure = \"300ms\"\nrestore = \"{restore}\"\nload = {{ workload = \"sql\", scripts = [\"own.sql\"], clients = 1 }}\n"
            );
            std::fs::write(dir.path().join("plan.toml"), text).unwrap();
            let run = |args: &[&str]| {
                let (code, out, err) = output_of(tenbin().args(args).current_dir(dir.path()));
                (code, format!("{out}{err}"))
            };
            (run(&["plan", "check", "plan.toml"]), run(&["run", "plan.toml", "--runs", "runs"]))
        };
        for _ in 0..2 {
            let (_, (code, printed)) = plan("before-run");
            assert!([0, 3].contains(&code), "{at}: {code} {printed}");
        }
        if !is_mysql {
            // To MySQL and MariaDB it is another table then.
            query(&at, "CREATE INDEX of_bi ON account (balance)");
            let ((checked, said), (code, printed)) = plan("before-run");
            assert_eq!((checked, code), (1, 1), "{at}: {said} {printed}");
            assert!(
                said.contains("account has index of_bi") && printed.contains("account has index of_bi"),
                "{printed}"
            );
            query(&at, "DROP INDEX of_bi");
        }
        replace(&at, "account");
        query(&at, "INSERT INTO account VALUES (1, 'precious', 42)");
        let ((_, checked), (code, printed)) = plan("before-run");
        assert!(!checked.contains("made by Tenbin") || checked.contains("not made by Tenbin"), "{at}: {checked}");
        assert!(code == 1, "{at}: {code} {printed}");
        assert_eq!(query(&at, "SELECT owner, balance FROM account"), [["precious", "42"]], "{at}");
        assert_eq!(query(&at, "SELECT COUNT(*) FROM entry"), [["0"]], "{at}: nothing is dropped");
        for table in ["account", "entry", "tenbin_mark"] {
            query(&at, &format!("DROP TABLE {table}"));
        }

        let families = [("tpcb_like", "scale", "pgbench_tellers"), ("tpcc", "warehouses", "district")];
        for (family, size, table) in &families[..if is_mysql { 2 } else { 1 }] {
            let load = |more: &[&str]| {
                let one = format!("{size}=1");
                let (code, out, err) = output_of(tenbin().args(["load", family, &at, "-o", &one]).args(more));
                (code, format!("{out}{err}"))
            };
            for drop in [&[][..], &["--drop"]] {
                let (code, printed) = load(drop);
                assert_eq!(code, 0, "{at} {family}: {printed}");
            }
            replace(&at, table);
            for drop in ["--drop", "--only-drop"] {
                let (code, printed) = load(&[drop]);
                assert!(code != 0, "{at} {family}: {printed}");
                assert_eq!(query(&at, &format!("SELECT COUNT(*) FROM {table}")), [["0"]], "{printed}");
            }
        }
    }
}

#[test]
fn the_cleanup_of_a_script_runs_where_all_tables_are_of_scripts() {
    let dir = tempfile::tempdir().unwrap();
    let database = format!("sqlite:{}", dir.path().join("own.db").display());
    let text = "local function run(sql) sysbench.sql.driver():connect():query(sql) end\n\
        function prepare() run('CREATE TABLE own (id INTEGER)') end\n\
        function cleanup() run('DROP TABLE IF EXISTS theirs') run('DROP TABLE own') end\nfunction event() end\n";
    std::fs::write(dir.path().join("own.lua"), text).unwrap();
    std::fs::write(dir.path().join("second.lua"), text.replace("own", "second")).unwrap();
    let run = |script: &str, more: &[&str]| {
        let (code, out, err) = output_of(tenbin().args(["load", script, &database]).args(more).current_dir(dir.path()));
        (code, format!("{out}{err}"))
    };
    let load = |more: &[&str]| run("./own.lua", more);
    query(&database, "CREATE TABLE theirs (id INTEGER)");
    query(&database, "INSERT INTO theirs VALUES (4711)");
    for (more, ends, says) in [
        (&["--only-drop"][..], 1, "no table here has the mark of a script"),
        (&["--drop"], 0, "the command prepare of ./own.lua took"),
        (&[], 1, "own"),
        (&["--drop"], 0, "the command prepare of ./own.lua took"),
        (&["--only-drop"], 0, "dropped"),
        (&["--only-drop"], 1, "no table here has the mark of a script"),
    ] {
        let (code, printed) = load(more);
        assert!(code == ends && printed.contains(says), "{more:?}: {code} {printed}");
        assert_eq!(query(&database, "SELECT id FROM theirs"), [["4711"]], "{more:?}: {printed}");
    }
    assert_eq!(query(&database, "SELECT name FROM sqlite_master WHERE type = 'table'"), [["theirs"]]);
    // Two scripts in one schema, of which neither drops the tables of the other one.
    let (code, printed) = run("./second.lua", &[]);
    assert_eq!(code, 0, "{printed}");
    for (more, ends) in [(&["--drop"][..], 1), (&[], 0), (&["--only-drop"], 1)] {
        let (code, printed) = load(more);
        assert!(code == ends && (code == 0 || printed.contains("by another script")), "{more:?}: {code} {printed}");
        assert_eq!(query(&database, "SELECT COUNT(*) FROM second"), [["0"]], "{more:?}: {printed}");
    }
}

#[test]
fn schemas_of_the_server_are_left_alone() {
    let server = mariadb(&[]);
    let dir = tempfile::tempdir().unwrap();
    let schemas =
        || query(&server, "SELECT TABLE_SCHEMA, COUNT(*) FROM information_schema.TABLES GROUP BY 1 ORDER BY 1");
    let (dsn, before) = (server.dsn(), schemas());
    let port = dsn.rsplit_once(':').unwrap().1.split('/').next().unwrap().to_owned();
    let account = {
        let c = tenbin_tests::sql::connector(&server);
        let word = c.dsn().password.clone().unwrap_or_default();
        let user = c.dsn().user.clone();
        (user, word)
    };
    let user = format!("--user={}", account.0);
    let word = format!("--password={}", account.1);
    for schema in ["sys", "mysql", "performance_schema", "INFORMATION_SCHEMA"] {
        let at = dsn.replace("/sbtest", &format!("/{schema}"));
        let refused = format!("the schema {schema} belongs to the server itself");
        let (port, created) = (format!("--port={port}"), format!("--create-schema={schema}"));
        let slap = ["mysqlslap", "--no-defaults", "-h127.0.0.1", &port, &user, &word, &created, "--auto-generate-sql"];
        for drop in [&[][..], &["--allow-drop"], &["--no-drop"]] {
            let mut command = tenbin();
            let (code, out, err) = output_of(command.args(slap).args(drop).current_dir(dir.path()));
            assert!(code != 0 && format!("{out}{err}").contains(&refused), "{schema} {drop:?}: {code} {out}{err}");
        }
        for words in [
            &["load", "oltp_read_write", &at][..],
            &["load", "oltp_read_write", &at, "--only-drop"],
            &["load", "tpcc", &at],
            &["bench", "oltp_write_only", &at, "--time", "1", "--allow", "write-unmarked"],
        ] {
            let (code, out, err) = output_of(tenbin().args(words).current_dir(dir.path()));
            // There is nothing of ours to drop, which may be said first.
            let nothing = words.contains(&"--only-drop") && code == 0;
            assert!(nothing || code != 0 && err.contains(&refused), "{words:?}: {code} {out}{err}");
        }
        let (port, db) = (format!("--mysql-port={}", &port[7..]), format!("--mysql-db={schema}"));
        let (user, word) = (format!("--mysql-user={}", account.0), format!("--mysql-password={}", account.1));
        for command in ["prepare", "cleanup"] {
            let mut sysbench = tenbin();
            sysbench.args(["sysbench", "oltp_read_write", "--mysql-host=127.0.0.1", &port, &db, &user, &word, command]);
            let (code, out, err) = output_of(sysbench.current_dir(dir.path()));
            assert!(code != 0 && out.contains(&refused), "{schema} {command}: {code} {out}{err}");
        }
    }
    assert_eq!(schemas(), before);
    let server = postgres(&[]);
    for at in [
        server.dsn().replace("/sbtest", "/template1"),
        server.dsn() + if server.dsn().contains('?') { "&" } else { "?" } + "options=-csearch_path%3Dpg_catalog",
    ] {
        let (code, _, err) = output_of(tenbin().args(["load", "oltp_read_write", &at]));
        assert!(code == 1 && err.contains("belongs to the server itself"), "{at}: {err}");
    }
}
