//! What the text of a script does not show is refused by the server: sessions of scripts that only read are read-only. What changes the
//! server itself is refused by its text. And what UPDATE reports is the same on every server.

use super::wrong::{bench, ran};
use super::{folder, run};
use std::fs;
use tenbin_tests::sql::query;
use tenbin_tests::{mariadb, output_of, postgres, read_back, tenbin};

const ONCE: &[&str] = &["--ops", "2", "--threads", "1"];

#[test]
fn a_function_that_writes_is_refused_by_the_server_unless_it_is_permitted() {
    let on_mariadb = "CREATE FUNCTION f() RETURNS INT BEGIN UPDATE precious SET a = a + 1; RETURN 1; END";
    let on_postgres = "CREATE FUNCTION f() RETURNS INT LANGUAGE sql AS 'UPDATE precious SET a = a + 1; SELECT 1'";
    for (server, function, said) in
        [(mariadb(&[]), on_mariadb, "READ ONLY transaction"), (postgres(&[]), on_postgres, "read-only transaction")]
    {
        let folder = folder();
        query(&server, "CREATE TABLE precious (a INT)");
        query(&server, "INSERT INTO precious VALUES (5)");
        query(&server, function);
        let value = || query(&server, "SELECT a FROM precious")[0][0].clone();
        let (code, printed) = bench(folder.path(), b"SELECT f();\n", &server.dsn(), ONCE);
        assert!(code != 0 && printed.contains(said), "{code} {printed}");
        assert_eq!(value(), "5", "{printed}");
        // What only reads is executed.
        let (code, printed) = bench(folder.path(), b"SELECT a FROM precious;\n", &server.dsn(), ONCE);
        assert!(ran(code), "{code} {printed}");
        let more = [ONCE, &["--allow", "write-unmarked"]].concat();
        let (code, printed) = bench(folder.path(), b"SELECT f();\n", &server.dsn(), &more);
        assert!(ran(code), "{code} {printed}");
        assert_eq!(value(), "7", "two transactions, as it was told");
    }
}

/// A function of a library is limited by no session: one that is known to the server needs permission also where a script only reads.
#[test]
fn a_call_of_a_loadable_function_needs_permission() {
    let (server, folder) = (mariadb(&[]), folder());
    query(&server, "CREATE TABLE t (a INT)");
    // The library is not there: the server says so when a statement calls the function.
    query(&server, "INSERT INTO mysql.func VALUES ('sys_eval', 0, 'none.so', 'function')");
    query(&server, "CREATE FUNCTION around() RETURNS INT RETURN 1");
    let look =
        |script: &str, more: &[&str]| bench(folder.path(), script.as_bytes(), &server.dsn(), &[ONCE, more].concat());
    for script in ["SELECT Sys_Eval('id');\n", "SELECT around();\n"] {
        let (code, printed) = look(script, &[]);
        assert!(
            code == 1 && printed.contains("may call a loadable function") && printed.contains(":1: SELECT"),
            "{printed}"
        );
        let (_, printed) = look(script, &["--allow", "write-unmarked"]);
        assert!(!printed.contains("may call a loadable function"), "{printed}");
    }
    let (code, printed) = look("SELECT COUNT(*) FROM t;\n", &[]);
    assert!(ran(code), "{code} {printed}");
}

#[test]
fn what_changes_the_server_itself_needs_permission() {
    let server = mariadb(&[]);
    let folder = folder();
    let value = || query(&server, "SELECT @@GLOBAL.sync_binlog")[0][0].clone();
    let before = value();
    for script in ["SET GLOBAL sync_binlog = 77;\n", "SET @a = 1, @@GLOBAL.sync_binlog = 77;\n"] {
        let (code, printed) = bench(folder.path(), script.as_bytes(), &server.dsn(), ONCE);
        assert!(code == 1 && printed.contains("changes the server itself") && printed.contains(":1: SET"), "{printed}");
        assert_eq!(value(), before, "{printed}");
    }
    let more = [ONCE, &["--allow", "write-unmarked"]].concat();
    let (_, printed) = bench(folder.path(), b"SET GLOBAL sync_binlog = 77;\n", &server.dsn(), &more);
    assert_eq!(value(), "77", "{printed}");
}

#[test]
fn a_row_that_is_found_counts_though_it_stays_as_it_was() {
    for server in [mariadb(&[]), postgres(&[])] {
        let folder = folder();
        query(&server, "CREATE TABLE t (a INT PRIMARY KEY, b INT)");
        query(&server, "INSERT INTO t VALUES (1, 7)");
        let script = b"-- tenbin: name=same expect=\"rows = 1\"\nUPDATE t SET b = 7 WHERE a = 1;\n";
        let more = [ONCE, &["--allow", "write-unmarked"]].concat();
        let (code, printed) = bench(folder.path(), script, &server.dsn(), &more);
        assert!(ran(code), "{code} {printed}");
        let (_, json) = read_back(&folder.path().join("runs"));
        let same = &json["trials"][0]["statements"]["same"];
        assert_eq!((same["rows"].as_u64(), same["completed"].as_u64()), (Some(2), Some(2)), "{same}");
    }
}

/// What is on the server besides is not reached by a statement that is certain to be about the tables of the data set: neither before they exist nor
/// when they are marked. What is not certain needs permission still.
#[test]
fn the_tables_of_the_data_set_are_written_to_beside_schemas_and_databases_of_others() {
    let maria = mariadb(&[]);
    for text in ["CREATE DATABASE shop", "CREATE TABLE shop.account (id INT)", "INSERT INTO shop.account VALUES (1)"] {
        query(&maria, text);
    }
    let pg = postgres(&[]);
    query(&pg, "CREATE DATABASE shop");
    for dsn in [maria.dsn(), pg.dsn()] {
        let folder = folder();
        fs::write(folder.path().join("own.sql"), "UPDATE account SET balance = balance + 1 WHERE id = 1;\n")
            .expect("a file");
        let text = format!(
            "schema = 1\nname = \"own\"\n[targets.s]\ndsn = \"{dsn}\"\n[datasets.bank]\nkind = \"sql\"\ncreate = \"schema.sql\"\n\
             [datasets.bank.fill.account]\nrows = 10\nid = \"serial\"\nowner = \"name\"\nbalance = \"uniform(0, 1000)\"\n\
             opened = \"date('2020-01-01', '2024-12-31')\"\n[[experiment]]\nname = \"e\"\nrepeats = 1\nwarmup = 0\nmeasure = \"300ms\"\n\
             load = {{ workload = \"sql\", scripts = [\"own.sql\"], clients = 1 }}\n"
        );
        for time in ["before they exist", "when they are marked"] {
            let (code, printed) = run(folder.path(), &text);
            assert!(ran(code), "{dsn} {time}: {code} {printed}");
        }
        if dsn == maria.dsn() {
            // Also where several of them stand in a statement, and not beside one of others.
            let joined = "LOCK TABLES account WRITE, entry WRITE;\nUNLOCK TABLES;\n\
                          UPDATE account a LEFT JOIN entry ON a.id = entry.account SET a.balance = 1;\n\
                          DELETE entry FROM account JOIN entry ON account.id = entry.account;\n";
            fs::write(folder.path().join("own.sql"), joined).expect("a file");
            let (code, printed) = run(folder.path(), &text);
            assert!(ran(code), "{code} {printed}");
            fs::write(folder.path().join("own.sql"), joined.replace("entry ON", "shop.account b ON")).expect("a file");
            let (code, printed) = run(folder.path(), &text);
            assert!(
                code == 1 && printed.contains("would write into tables that Tenbin did not make"),
                "{code} {printed}"
            );
        }
        fs::write(folder.path().join("own.sql"), "CALL p();\nUPDATE account SET balance = 1;\n").expect("a file");
        let (code, printed) = run(folder.path(), &text);
        // Of PostgreSQL, other databases are not reached from this one.
        let refused = code == 1 && printed.contains("would write into tables that Tenbin did not make");
        assert_eq!(refused, dsn == maria.dsn(), "{code} {printed}");
    }
    assert_eq!(query(&maria, "SELECT COUNT(*) FROM shop.account"), [["1"]]);
}

/// What only looks like a table of the script's own, or is of a kind of its own.
#[test]
fn views_and_tables_with_a_history_are_of_others_too() {
    let maria = mariadb(&[]);
    for text in [
        "CREATE TABLE history (a INT) WITH SYSTEM VERSIONING",
        "INSERT INTO history VALUES (1)",
        "CREATE VIEW stands AS SELECT * FROM history",
    ] {
        query(&maria, text);
    }
    let pg = postgres(&[]);
    for text in [
        "CREATE TABLE history (a INT)",
        "INSERT INTO history VALUES (1)",
        "CREATE VIEW stands AS SELECT * FROM history",
    ] {
        query(&pg, text);
    }
    for server in [&maria, &pg] {
        let folder = folder();
        for script in ["CREATE TABLE IF NOT EXISTS stands (a INT);\nDELETE FROM stands;\n", "DELETE FROM history;\n"] {
            let (code, printed) = bench(folder.path(), script.as_bytes(), &server.dsn(), ONCE);
            let lines =
                printed.contains("would write into tables that Tenbin did not make") && printed.contains("history");
            assert!(code == 1 && lines, "{script} {code} {printed}");
        }
        assert_eq!(query(server, "SELECT COUNT(*) FROM history"), [["1"]]);
        // A table that is not there is the script's own.
        let own = b"CREATE TABLE IF NOT EXISTS mine (a INT);\nDELETE FROM mine;\n";
        let (code, printed) = bench(folder.path(), own, &server.dsn(), ONCE);
        assert!(ran(code), "{code} {printed}");
    }
}

/// What commits survive is not told from the server's settings if the script has others.
#[test]
fn a_script_that_sets_what_its_commits_survive_is_named() {
    let pg = postgres(&[]);
    let folder = folder();
    for (script, words) in [
        ("SELECT 1;\n", "commits survive a power failure"),
        ("SET synchronous_commit = off;\nSELECT 1;\n", "is set by the load: own.sql:1: SET synchronous_commit = off"),
    ] {
        let (code, printed) = bench(folder.path(), script.as_bytes(), &pg.dsn(), ONCE);
        assert!(ran(code) && printed.contains(words), "{script} {code} {printed}");
        assert_eq!(printed.contains("commits survive a power failure"), script.starts_with("SELECT"), "{printed}");
    }
    // So does one in Lua.
    let lua = folder.path().join("own.lua");
    let text = "function thread_init()\n con = sysbench.sql.driver():connect()\n con:query('SET synchronous_commit = off')\nend\n\
                function event() con:query('SELECT 1') end\n";
    std::fs::write(&lua, text).unwrap();
    let mut command = tenbin();
    command.arg("bench").arg(&lua).arg(pg.dsn()).args(ONCE).arg("--runs").arg(folder.path().join("runs"));
    let (code, out, err) = output_of(&mut command);
    assert!(ran(code) && out.contains("own.lua:3: con:query('SET synchronous_commit = off')"), "{code} {out}{err}");
}

/// The tables that it writes to decide what its commits survive, and not the others of the schema.
#[test]
fn the_tables_of_a_script_decide_what_its_commits_survive() {
    let more = [ONCE, &["--allow", "write-unmarked"]].concat();
    let maria = mariadb(&[("innodb_flush_log_at_trx_commit", "1")]);
    for sql in [
        "CREATE TABLE kept (a INT) ENGINE = InnoDB",
        "CREATE TABLE beside (a INT) ENGINE = MyISAM",
        "CREATE DATABASE o2",
        "CREATE TABLE o2.plain (a INT) ENGINE = MyISAM",
    ] {
        query(&maria, sql);
    }
    let pg = postgres(&[]);
    for sql in ["CREATE TABLE kept (a INT)", "CREATE UNLOGGED TABLE beside (a INT)", "CREATE SCHEMA o2"] {
        query(&pg, sql);
    }
    query(&pg, "CREATE UNLOGGED TABLE o2.plain (a INT)");
    for (dsn, words) in [(maria.dsn(), "have no transactions"), (pg.dsn(), "empties the tables")] {
        for (table, weak) in [("kept", false), ("beside", true), ("o2.plain", true)] {
            let folder = folder();
            let script = format!("INSERT INTO {table} VALUES (1);\n");
            let (code, printed) = bench(folder.path(), script.as_bytes(), &dsn, &more);
            assert!(ran(code), "{code} {printed}");
            assert_eq!(printed.contains(words), weak, "{table}: {printed}");
        }
    }
}

/// What lets a session write again, or changes the file of SQLite, is not reading.
#[test]
fn a_script_that_lets_its_session_write_is_asked_for_permission() {
    let on_mariadb = "CREATE FUNCTION f() RETURNS INT BEGIN UPDATE precious SET a = a + 1; RETURN 1; END";
    let on_postgres = "CREATE FUNCTION f() RETURNS INT LANGUAGE sql AS 'UPDATE precious SET a = a + 1; SELECT 1'";
    let (maria, pg) = (mariadb(&[]), postgres(&[]));
    let of_mariadb: &[&str] = &[
        "START TRANSACTION READ WRITE;\nSELECT f();\nCOMMIT;\n",
        "SET SESSION TRANSACTION READ WRITE;\nSELECT f();\n",
        "SET @@session.tx_read_only = 0;\nSELECT f();\n",
    ];
    let of_postgres: &[&str] = &[
        "BEGIN READ WRITE;\nSELECT f();\nCOMMIT;\n",
        "SET default_transaction_read_only = off;\nSELECT f();\n",
        "SELECT set_config('default_transaction_read_only', 'off', false);\nSELECT f();\n",
    ];
    let read_on_mariadb: &[&str] = &[
        "SELECT a INTO @b FROM precious;\n",
        "SELECT a FROM precious WHERE 'x' = \"INTO\";\n",
        "DESCRIBE precious;\n",
        "CHECKSUM TABLE precious;\n",
    ];
    let read_on_postgres: &[&str] = &["RESET ALL;\nSELECT a FROM precious;\n", "LISTEN x;\n"];
    for (server, function, writing, reading) in
        [(&maria, on_mariadb, of_mariadb, read_on_mariadb), (&pg, on_postgres, of_postgres, read_on_postgres)]
    {
        let folder = folder();
        for text in ["CREATE TABLE precious (a INT)", "INSERT INTO precious VALUES (5)", function] {
            query(server, text);
        }
        for script in writing {
            let (code, printed) = bench(folder.path(), script.as_bytes(), &server.dsn(), ONCE);
            assert!(code == 1 && printed.contains("would write into tables"), "{script} {code} {printed}");
            assert_eq!(query(server, "SELECT a FROM precious"), [["5"]], "{script}");
        }
        for script in reading {
            let (code, printed) = bench(folder.path(), script.as_bytes(), &server.dsn(), ONCE);
            assert!(ran(code), "{script} {code} {printed}");
        }
    }
    // A session that may only read cannot lock rows.
    let locks = b"WITH x AS (SELECT 1) SELECT a FROM precious FOR SHARE;\n";
    let more = [ONCE, &["--allow", "write-unmarked"]].concat();
    let folder = folder();
    let (code, printed) = bench(folder.path(), locks, &pg.dsn(), ONCE);
    assert!(code == 1 && printed.contains("would write into tables"), "{code} {printed}");
    let (code, printed) = bench(folder.path(), locks, &pg.dsn(), &more);
    assert!(ran(code), "{code} {printed}");

    let file = format!("sqlite:{}", folder.path().join("t.db").display());
    query(&file, "CREATE TABLE precious (a INT)");
    for script in [
        "PRAGMA journal_mode = WAL;\nSELECT a FROM precious;\n",
        "PRAGMA query_only = OFF;\nPRAGMA user_version = 9;\n",
        "SELECT 1\\; PRAGMA user_version = 9;\n",
    ] {
        let (code, printed) = bench(folder.path(), script.as_bytes(), &file, ONCE);
        assert!(code == 1 && printed.contains("would write into tables"), "{script} {code} {printed}");
        assert_eq!(query(&file, "PRAGMA journal_mode"), [["delete"]], "{script}");
        assert_eq!(query(&file, "PRAGMA user_version"), [["0"]], "{script}");
    }
    for script in ["SELECT COUNT(*) FROM pragma_table_list;\n", "PRAGMA cache_size = 100;\nPRAGMA page_count;\n"] {
        let (code, printed) = bench(folder.path(), script.as_bytes(), &file, ONCE);
        assert!(ran(code), "{script} {code} {printed}");
    }
}

/// Of the tables of SQLite, only those are its own whose names begin with `sqlite_`.
#[test]
fn a_table_of_sqlite_may_have_a_name_like_one_of_its_own() {
    let folder = folder();
    let file = format!("sqlite:{}", folder.path().join("t.db").display());
    query(&file, "CREATE TABLE sqlitedata (a INT)");
    query(&file, "INSERT INTO sqlitedata VALUES (5)");
    let (code, printed) = bench(folder.path(), b"DELETE FROM sqlitedata;\n", &file, ONCE);
    assert!(code == 1 && printed.contains("sqlitedata in "), "{code} {printed}");
    let planned = |create: &str, after: &str| {
        fs::write(folder.path().join("c.sql"), create).expect("a file");
        fs::write(folder.path().join("t.sql"), "SELECT 1;\n").expect("a file");
        let text = format!(
            "schema = 1\nname = \"x\"\n[targets]\nt = {{ dsn = \"{file}\" }}\n[datasets.d]\nkind = \"sql\"\ncreate = \"c.sql\"\n\
             after_load = [\"{after}\"]\n[[experiment]]\nname = \"e\"\nrepeats = 1\nwarmup = 0\nmeasure = \"200ms\"\n\
             load = {{ workload = \"sql\", scripts = [\"t.sql\"] }}\n"
        );
        run(folder.path(), &text)
    };
    let (code, printed) = planned("CREATE TABLE IF NOT EXISTS sqlitedata (a INT);\n", "UPDATE sqlitedata SET a = 9");
    assert!(code == 1 && printed.contains("sqlitedata"), "{code} {printed}");
    assert_eq!(query(&file, "SELECT a FROM sqlitedata"), [["5"]]);
    let (code, printed) = planned("CREATE TABLE sqlite2 (a INT);\n", "UPDATE sqlite2 SET a = 9");
    assert!(ran(code), "{code} {printed}");
    assert_eq!(query(&file, "SELECT name FROM tenbin_mark"), [["sqlite2"]]);
}

/// Dumps of PostgreSQL name the schema `public`; elsewhere the tables would not be known for ours.
#[test]
fn a_file_that_names_the_schema_public_needs_a_connection_that_creates_tables_there() {
    let pg = postgres(&[]);
    query(&pg, "CREATE SCHEMA shop");
    query(&pg, "CREATE TABLE victim (a INT)");
    query(&pg, "CREATE FUNCTION wipe() RETURNS int LANGUAGE sql AS 'DROP TABLE victim; SELECT 1'");
    query(&pg, "CREATE VIEW wiper AS SELECT wipe() AS x");
    let folder = folder();
    fs::write(folder.path().join("t.sql"), "SELECT id FROM public.made;\n").expect("a file");
    let planned = |dsn: &str, create: &str, after: &str| {
        fs::write(folder.path().join("c.sql"), create).expect("a file");
        let text = format!(
            "schema = 1\nname = \"x\"\n[targets]\nt = {{ dsn = \"{dsn}\" }}\n[datasets.d]\nkind = \"sql\"\ncreate = \"c.sql\"\n\
             after_load = [{after}]\n[[experiment]]\nname = \"e\"\nrepeats = 1\nwarmup = 0\nmeasure = \"200ms\"\n\
             load = {{ workload = \"sql\", scripts = [\"t.sql\"] }}\n"
        );
        run(folder.path(), &text)
    };
    let public = "CREATE TABLE public.made (id serial);\n";
    let in_shop = pg.dsn() + if pg.dsn().contains('?') { "&" } else { "?" } + "options=-csearch_path%3Dshop";
    let (code, printed) = planned(&in_shop, public, "");
    assert!(code == 1 && printed.contains("names the schema public"), "{code} {printed}");
    assert_eq!(query(&pg, "SELECT to_regclass('public.made') IS NULL"), [["t"]]);
    for (create, after) in [
        (&*format!("{public}COMMENT ON TABLE victim IS 'mine';\n"), "\"SELECT 1\""),
        (public, "\"COMMENT ON TABLE public.victim IS 'mine'\""),
        (public, "\"INSERT INTO made SELECT wipe()\""),
        ("CREATE TABLE public.made (id serial, z int DEFAULT wipe());\n", ""),
        ("CREATE TABLE public.made (id serial CHECK (wipe() > 0));\n", ""),
        ("CREATE TABLE public.made (id serial) INHERITS (victim);\n", ""),
        (public, "\"ALTER TABLE made ADD COLUMN z int DEFAULT wipe()\""),
        (public, "\"SELECT x FROM wiper\""),
    ] {
        let (code, printed) = planned(&pg.dsn(), create, after);
        assert!(!ran(code) && printed.contains("may change what is not ours"), "{create} {after} {code} {printed}");
    }
    assert_eq!(
        query(&pg, "SELECT to_regclass('victim') IS NULL, obj_description('victim'::regclass) IS NULL"),
        [["f", "t"]]
    );
    let dump = "SELECT pg_catalog.set_config('search_path', '', false);\nCREATE TABLE public.made (id serial);\n\
                COMMENT ON TABLE public.made IS 'a dump';\nCOMMENT ON COLUMN public.made.id IS 'a number';\n\
                INSERT INTO public.made VALUES (1);\nSELECT pg_catalog.setval('public.made_id_seq', 7, true);\n";
    let after = "\"INSERT INTO made DEFAULT VALUES\", \"CREATE INDEX by_id ON public.made (id)\", \"ANALYZE\", \"VACUUM FULL made\"";
    let (code, printed) = planned(&pg.dsn(), dump, after);
    assert!(ran(code), "{code} {printed}");
    assert_eq!(query(&pg, "SELECT id FROM made ORDER BY id"), [["1"], ["8"]]);
    assert_eq!(query(&pg, "SELECT name, complete FROM tenbin_mark"), [["made", "1"]]);
}

/// Counting up the sequence of a column of ours needs no permission, before it is there and when it is.
#[test]
fn the_sequence_of_a_table_of_the_data_set_is_ours() {
    let pg = postgres(&[]);
    query(&pg, "CREATE TABLE victim (id serial)");
    let folder = folder();
    fs::write(folder.path().join("c.sql"), "CREATE TABLE made (id serial, n int);\n").expect("a file");
    let planned = |script: &str| {
        fs::write(folder.path().join("t.sql"), script).expect("a file");
        let text = format!(
            "schema = 1\nname = \"x\"\n[targets]\nt = {{ dsn = \"{}\" }}\n[datasets.d]\nkind = \"sql\"\ncreate = \"c.sql\"\n\
             fill.made.rows = 10\nfill.made.n = \"serial\"\n[[experiment]]\nname = \"e\"\nrepeats = 1\nwarmup = 0\nmeasure = \"200ms\"\n\
             load = {{ workload = \"sql\", scripts = [\"t.sql\"] }}\n",
            pg.dsn()
        );
        run(folder.path(), &text)
    };
    for script in ["INSERT INTO made VALUES (nextval('made_id_seq'), 1);\n", "SELECT nextval('public.made_id_seq');\n"]
    {
        let (code, printed) = planned(script);
        assert!(ran(code), "{script} {code} {printed}");
    }
    let (code, printed) = planned("SELECT nextval('victim_id_seq');\n");
    assert!(code == 1 && printed.contains("victim_id_seq"), "{code} {printed}");
    assert_eq!(query(&pg, "SELECT last_value FROM victim_id_seq"), [["1"]]);
}
