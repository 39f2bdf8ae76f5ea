//! Rows of others that would change with ours are not written: through foreign keys, inheritance, triggers and rules that somebody else has attached to
//! tables of ours.

#![expect(clippy::unwrap_used, reason = "a test may")]

use tenbin_servers::sandbox::Sandbox;
use tenbin_tests::sql::query;
use tenbin_tests::{mariadb, output_of, postgres, tenbin};

/// Loads tables, lets others attach each of these things in turn, and sees that only reading is permitted. `rows`: of others; they stay as they are.
fn each_is_refused(at: &str, things: &[(&[&str], &str, &[&str])], rows: &str) {
    let dir = tempfile::tempdir().unwrap();
    let table = ["--tables", "1", "--table-size", "500"];
    let (code, _, err) = output_of(tenbin().args(["load", "oltp_read_write", at]).args(table));
    assert_eq!(code, 0, "{err}");
    let run = |workload: &str, more: &[&str]| {
        let mut command = tenbin();
        command.args(["bench", workload, at, "--time", "1"]).args(table).args(more);
        let (code, out, err) = output_of(command.arg("--runs").arg(dir.path().join("runs")));
        (code, format!("{out}{err}"))
    };
    let all = |statements: &[&str]| {
        for sql in statements {
            query(at, sql);
        }
    };
    for (create, named, drop) in things {
        all(create);
        let before = query(at, rows);
        let (code, output) = run("oltp_write_only", &[]);
        assert!(
            code == 1 && output.contains("would write into tables that Tenbin did not make"),
            "{named}: {code} {output}"
        );
        assert!(output.contains(named) && output.contains("--allow write-unmarked"), "{named}: {output}");
        assert_eq!(query(at, rows), before, "{output}");
        all(drop);
    }
    let (create, _, drop) = things[0];
    all(create);
    let (code, output) = run("oltp_read_only", &[]);
    assert!([0, 3].contains(&code), "reading does no harm: {code} {output}");
    let (code, output) = run("oltp_write_only", &["--allow", "write-unmarked"]);
    assert!([0, 3].contains(&code), "{code} {output}");
    all(drop);
    let (code, output) = run("oltp_write_only", &[]);
    assert!([0, 3].contains(&code), "nothing is attached any more: {code} {output}");
}

#[test]
fn to_tables_on_mariadb() {
    let server = mariadb(&[]);
    query(&server, "CREATE TABLE log1 (a INT)");
    each_is_refused(
        &server.dsn(),
        &[
            (
                &[
                    "CREATE TABLE child (id INT PRIMARY KEY, CONSTRAINT c1 FOREIGN KEY (id) REFERENCES sbtest1 (id) ON DELETE CASCADE)",
                    "INSERT INTO child SELECT id FROM sbtest1",
                ],
                "the foreign key c1 of sbtest.child",
                &["DROP TABLE child"],
            ),
            (
                &["CREATE TRIGGER watcher AFTER DELETE ON sbtest1 FOR EACH ROW INSERT INTO log1 VALUES (1)"],
                "sbtest1 has watcher",
                &["DROP TRIGGER watcher"],
            ),
        ],
        "SELECT COUNT(*) FROM log1",
    );
}

#[test]
fn to_tables_on_postgresql() {
    let server = postgres(&[]);
    query(&server, "CREATE TABLE log1 (a INT)");
    each_is_refused(
        &server.dsn(),
        &[
            (
                &[
                    "CREATE TABLE child (id INT PRIMARY KEY, CONSTRAINT c1 FOREIGN KEY (id) REFERENCES sbtest1 (id) ON DELETE SET NULL)",
                ],
                "the foreign key c1 of public.child",
                &["DROP TABLE child"],
            ),
            (&["CREATE TABLE heir () INHERITS (sbtest1)"], "public.heir inherits from sbtest1", &["DROP TABLE heir"]),
            (
                &["CREATE RULE watcher AS ON DELETE TO sbtest1 DO ALSO INSERT INTO log1 VALUES (1)"],
                "sbtest1 has watcher",
                &["DROP RULE watcher ON sbtest1"],
            ),
        ],
        "SELECT COUNT(*) FROM log1",
    );
}

#[test]
fn to_tables_on_sqlite() {
    let dir = tempfile::tempdir().unwrap();
    let file = format!("sqlite:{}/own.db", dir.path().display());
    query(&file, "CREATE TABLE log1 (a INT)");
    let trigger = "CREATE TRIGGER watcher AFTER DELETE ON sbtest1 BEGIN INSERT INTO log1 VALUES (1); END";
    query(&format!("sqlite:{}/keys.db", dir.path().display()), "CREATE TABLE log1 (a INT)");
    let child = "CREATE TABLE child (id INT REFERENCES sbtest1 (id) ON DELETE CASCADE)";
    each_is_refused(
        &file,
        &[(&[trigger], "sbtest1 has watcher", &["DROP TRIGGER watcher"])],
        "SELECT COUNT(*) FROM log1",
    );
    each_is_refused(
        &format!("sqlite:{}/keys.db?foreign_keys=on", dir.path().display()),
        &[(&[child], "the foreign key id of main.child", &["DROP TABLE child"])],
        "SELECT COUNT(*) FROM log1",
    );
}

/// Loads tables, attaches each of these, and sees that the tables are not dropped with it, unless that is permitted.
fn each_keeps_the_tables(server: &Sandbox, things: &[(&[&str], &str, &str)]) {
    let load = |more: &[&str]| {
        let table = ["--tables", "1", "--table-size", "100"];
        let (code, out, err) =
            output_of(tenbin().args(["load", "oltp_read_only", &server.dsn()]).args(table).args(more));
        (code, format!("{out}{err}"))
    };
    assert_eq!(load(&[]).0, 0);
    for (create, named, detach) in things {
        create.iter().for_each(|sql| drop(query(server, sql)));
        for way in ["--drop", "--only-drop"] {
            let (code, output) = load(&[way]);
            assert!(
                code == 1 && output.contains(named) && output.contains("--allow write-unmarked"),
                "{way}: {code} {output}"
            );
        }
        query(server, detach);
    }
    things[0].0.iter().for_each(|sql| drop(query(server, sql)));
    let (code, output) = load(&["--drop", "--allow", "write-unmarked"]);
    assert_eq!(code, 0, "{output}");
    let (code, output) = load(&["--drop"]);
    assert_eq!(code, 0, "nothing is attached any more: {output}");
}

#[test]
fn what_belongs_to_a_table_is_not_dropped_with_it() {
    let (pg, maria) = (postgres(&[]), mariadb(&[]));
    query(&pg, "CREATE ROLE app");
    each_keeps_the_tables(
        &pg,
        &[
            (&["GRANT SELECT ON sbtest1 TO app"], "sbtest1 has privileges of app", "REVOKE ALL ON sbtest1 FROM app"),
            (
                &["GRANT SELECT (k) ON sbtest1 TO app"],
                "sbtest1 has privileges of app",
                "REVOKE ALL (k) ON sbtest1 FROM app",
            ),
            (
                &["GRANT USAGE ON SEQUENCE sbtest1_id_seq TO app"],
                "sbtest1 has privileges of app",
                "REVOKE ALL ON SEQUENCE sbtest1_id_seq FROM app",
            ),
            (&["CREATE INDEX bi ON sbtest1(pad)"], "sbtest1 has index bi", "DROP INDEX bi"),
            (
                &["ALTER TABLE sbtest1 ADD COLUMN note TEXT", "UPDATE sbtest1 SET note = 'of the BI team'"],
                "sbtest1 has column note",
                "ALTER TABLE sbtest1 DROP COLUMN note",
            ),
            (
                &["ALTER TABLE sbtest1 ADD CONSTRAINT of_bi CHECK (k >= 0)"],
                "sbtest1 has constraint of_bi",
                "ALTER TABLE sbtest1 DROP CONSTRAINT of_bi",
            ),
            (
                &[
                    "CREATE TABLE kinds (id INT PRIMARY KEY)",
                    "ALTER TABLE sbtest1 ADD CONSTRAINT of_bi FOREIGN KEY (k) REFERENCES kinds NOT VALID",
                ],
                "sbtest1 has foreign key of_bi (k) REFERENCES kinds(id) NOT VALID",
                "ALTER TABLE sbtest1 DROP CONSTRAINT of_bi",
            ),
            (
                &["CREATE TABLE whole (LIKE sbtest1)", "ALTER TABLE sbtest1 INHERIT whole"],
                "sbtest1 has parent whole",
                "ALTER TABLE sbtest1 NO INHERIT whole",
            ),
            (&["CREATE PUBLICATION p FOR TABLE sbtest1"], "sbtest1 has publication p", "DROP PUBLICATION p"),
            (&["CREATE POLICY own ON sbtest1 USING (true)"], "sbtest1 has policy own", "DROP POLICY own ON sbtest1"),
            (
                &["COMMENT ON TABLE sbtest1 IS 'of the BI team'"],
                "sbtest1 has comment",
                "COMMENT ON TABLE sbtest1 IS NULL",
            ),
        ],
    );
    query(&maria, "CREATE TABLE log1 (a INT)");
    let trigger = "CREATE TRIGGER watcher AFTER DELETE ON sbtest1 FOR EACH ROW INSERT INTO log1 VALUES (1)";
    let child = "CREATE TABLE child (id INT PRIMARY KEY, CONSTRAINT c1 FOREIGN KEY (id) REFERENCES sbtest1 (id))";
    each_keeps_the_tables(
        &maria,
        &[
            (&[trigger], "sbtest1 has watcher", "DROP TRIGGER watcher"),
            (&[child], "sbtest1 has foreign key c1 of sbtest.child", "DROP TABLE child"),
        ],
    );
}

/// Tables of a script's own prepare: runs it twice with each of these attached in between, and sees that it is not dropped with the tables.
fn each_keeps_the_tables_of_a_script(server: &Sandbox, prepare: &[&str], things: &[(&str, &str, &str)]) {
    let dir = tempfile::tempdir().unwrap();
    let script = dir.path().join("orders.lua");
    let prepare: String = prepare.iter().map(|sql| format!("c:query([[{sql}]])\n")).collect();
    let text = format!(
        "function prepare()\nlocal c = sysbench.sql.driver():connect()\n{prepare}end\n\
         function cleanup() sysbench.sql.driver():connect():query('DROP TABLE orders') end\n\
         function thread_init() con = sysbench.sql.driver():connect() end\n\
         function event() con:query('SELECT k FROM orders WHERE id = 1') end\n"
    );
    std::fs::write(&script, text).unwrap();
    let plan = dir.path().join("plan.toml");
    let text = format!(
        "schema = 1\n[defaults]\nwarmup = \"0s\"\nmeasure = \"1s\"\nrepeats = 1\n[targets.a]\ndsn = {:?}\n[[experiment]]\n\
         load = {{ workload = {:?}, clients = 1 }}\ndataset = \"script\"\nrestore = \"before-run\"\n",
        server.dsn(),
        script.display().to_string()
    );
    std::fs::write(&plan, text).unwrap();
    let run = || {
        let mut command = tenbin();
        let (code, out, err) = output_of(command.arg("run").arg(&plan).arg("--runs").arg(dir.path().join("runs")));
        (code, format!("{out}{err}"))
    };
    for _ in 0..2 {
        let (code, output) = run();
        assert!([0, 3].contains(&code), "what the script has made is its own: {code} {output}");
    }
    for (create, named, detach) in things {
        query(server, create);
        let (code, output) = run();
        assert!(code != 0 && output.contains(named) && output.contains("write-unmarked"), "{code} {output}");
        query(server, detach);
    }
    let (code, output) = run();
    assert!([0, 3].contains(&code), "nothing is attached any more: {code} {output}");
}

#[test]
fn what_belongs_to_a_table_of_a_script_is_not_dropped_with_it() {
    let (pg, maria) = (postgres(&[]), mariadb(&[]));
    query(&pg, "CREATE ROLE app");
    each_keeps_the_tables_of_a_script(
        &pg,
        &[
            "CREATE TABLE orders (id INT PRIMARY KEY, k INT CHECK (k >= 0))",
            "CREATE INDEX \"by, k\" ON orders (k)",
            "CREATE RULE own AS ON DELETE TO orders DO NOTHING",
            "INSERT INTO orders VALUES (1, 1)",
        ],
        &[
            ("CREATE INDEX bi ON orders(k)", "orders has index bi", "DROP INDEX bi"),
            ("GRANT SELECT ON orders TO app", "orders has privileges of app", "REVOKE ALL ON orders FROM app"),
            (
                "ALTER TABLE orders ADD CONSTRAINT of_bi CHECK (k < 9)",
                "orders has constraint of_bi",
                "ALTER TABLE orders DROP CONSTRAINT of_bi",
            ),
            (
                "CREATE RULE watcher AS ON UPDATE TO orders DO NOTHING",
                "orders has watcher",
                "DROP RULE watcher ON orders",
            ),
            (
                "CREATE TABLE child (id INT REFERENCES orders (id))",
                "orders has foreign key child_id_fkey of public.child",
                "DROP TABLE child",
            ),
            ("CREATE VIEW report AS SELECT k FROM orders", "orders has view report", "DROP VIEW report"),
        ],
    );
    let trigger =
        |name: &str, event: &str| format!("CREATE TRIGGER {name} AFTER {event} ON orders FOR EACH ROW SET @a = 1");
    each_keeps_the_tables_of_a_script(
        &maria,
        &[
            "CREATE TABLE orders (id INT PRIMARY KEY, k INT)",
            &trigger("own", "DELETE"),
            "INSERT INTO orders VALUES (1, 1)",
        ],
        &[
            (&trigger("watcher", "UPDATE"), "orders has watcher", "DROP TRIGGER watcher"),
            (
                "CREATE TABLE child (id INT PRIMARY KEY, CONSTRAINT c1 FOREIGN KEY (id) REFERENCES orders (id))",
                "orders has foreign key c1 of sbtest.child",
                "DROP TABLE child",
            ),
        ],
    );
}

#[test]
fn a_table_that_somebody_else_creates_while_a_script_prepares_is_not_of_the_script() {
    let dir = tempfile::tempdir().unwrap();
    let path = |name: &str| dir.path().join(name);
    let database = format!("sqlite:{}", path("own.db").display());
    let text = format!(
        "function prepare()\nlocal c = sysbench.sql.driver():connect()\nc:query('CREATE TABLE Orders (id INTEGER PRIMARY KEY)')\n\
         if not io.open({go:?}) then io.open({begun:?}, 'w'):close() end\nwhile not io.open({go:?}) do os.execute('sleep 0.1') end\nend\n\
         function thread_init() con = sysbench.sql.driver():connect() end\n\
         function event() con:query('SELECT id FROM Orders WHERE id = 1') end\n",
        go = path("go"),
        begun = path("begun")
    );
    std::fs::write(path("orders.lua"), text).unwrap();
    let plan = format!(
        "schema = 1\n[defaults]\nwarmup = \"0s\"\nmeasure = \"1s\"\nrepeats = 1\n[targets.a]\ndsn = {database:?}\n[[experiment]]\n\
         load = {{ workload = {:?}, clients = 1 }}\ndataset = \"script\"\nrestore = \"before-run\"\n",
        path("orders.lua")
    );
    std::fs::write(path("plan.toml"), plan).unwrap();
    let run = || {
        let mut command = tenbin();
        let (code, out, err) = output_of(command.arg("run").arg(path("plan.toml")).arg("--runs").arg(path("runs")));
        assert!([0, 3].contains(&code), "{code} {out}{err}");
        err
    };
    let err = std::thread::scope(|scope| {
        let running = scope.spawn(run);
        while !path("begun").exists() && !running.is_finished() {
            std::thread::sleep(std::time::Duration::from_millis(50));
        }
        query(&database, "CREATE TABLE theirs (id INTEGER)");
        std::fs::write(path("go"), "").unwrap();
        running.join().unwrap()
    });
    assert!(err.contains("theirs came into being while"), "{err}");
    // It is restored before the second run.
    run();
    assert_eq!(query(&database, "SELECT count(*) FROM theirs"), [["0"]]);
    assert_eq!(query(&database, "SELECT count(*) FROM tenbin_mark"), [["1"]]);
}

#[test]
fn a_table_that_somebody_puts_in_the_place_of_that_of_a_script_is_not_dropped_by_its_cleanup() {
    let dir = tempfile::tempdir().unwrap();
    let path = |name: &str| dir.path().join(name);
    let database = format!("sqlite:{}", path("own.db").display());
    let plan = format!(
        "schema = 1\n[defaults]\nwarmup = \"0s\"\nmeasure = \"1s\"\nrepeats = 1\n[targets.a]\ndsn = {database:?}\n[[experiment]]\n\
         load = {{ workload = {:?}, clients = 1 }}\ndataset = \"script\"\nrestore = \"before-run\"\n",
        path("orders.lua")
    );
    std::fs::write(path("plan.toml"), plan).unwrap();
    let run = |comment: &str| {
        let text = format!(
            "-- {comment}\nfunction connected() return sysbench.sql.driver():connect() end\n\
             function prepare() connected():query('CREATE TABLE Orders (id INTEGER PRIMARY KEY)') end\n\
             function cleanup() connected():query('DROP TABLE Orders') end\n\
             function thread_init() con = connected() end\nfunction event() con:query('SELECT id FROM Orders') end\n"
        );
        std::fs::write(path("orders.lua"), text).unwrap();
        let mut command = tenbin();
        let (code, out, err) = output_of(command.arg("run").arg(path("plan.toml")).arg("--runs").arg(path("runs")));
        (code, format!("{out}{err}"))
    };
    for comment in ["first", "changed: its own tables are made anew"] {
        let (code, output) = run(comment);
        assert!([0, 3].contains(&code), "{comment}: {code} {output}");
    }
    for sql in [
        "CREATE TABLE x (id INTEGER PRIMARY KEY)",
        "INSERT INTO x VALUES (4711)",
        "DROP TABLE Orders",
        "ALTER TABLE x RENAME TO Orders",
    ] {
        query(&database, sql);
    }
    for comment in ["changed: its own tables are made anew", "changed once more"] {
        let (code, output) = run(comment);
        assert!(![0, 3].contains(&code), "{comment}: {code} {output}");
        assert_eq!(query(&database, "SELECT id FROM Orders"), [["4711"]], "{comment}: {output}");
    }
}
