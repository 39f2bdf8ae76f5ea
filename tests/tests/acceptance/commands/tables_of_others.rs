//! What is not Tenbin's is neither written into nor dropped: tables without its mark, and schemas of the server itself.

use tenbin_tests::sql::query;
use tenbin_tests::{mariadb, output_of, postgres, tenbin};

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
        assert_eq!(code, 0, "reading does no harm: {out}{err}");

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
        assert_eq!(code, 0, "{out}{err}");
        assert_ne!(query(&at, sum), before, "as it was told");
        std::fs::write(&plan, text.replace("[datasets.x]", "allow = [\"write-unmarked\"]\n[datasets.x]")).unwrap();
        let (code, out, err) = planned();
        assert_eq!(code, 0, "{out}{err}");
    }
    let (code, _, err) = output_of(tenbin().args(["load", "oltp_read_write", &file, "--allow", "write-everything"]));
    assert!(
        code == 1 && err.contains("--allow cannot be \"write-everything\"") && err.contains("write-replica"),
        "{err}"
    );
}

/// Of PostgreSQL the mark knows which table it means.
#[test]
fn a_table_that_somebody_else_creates_under_a_marked_name_is_theirs() {
    let server = postgres(&[]);
    let (at, table) = (server.dsn(), ["--tables", "1", "--table-size", "500"]);
    let (code, _, err) = output_of(tenbin().args(["load", "oltp_read_write", &at]).args(table));
    assert_eq!(code, 0, "{err}");
    // Changed, it is still ours.
    for sql in
        ["ALTER TABLE sbtest1 ADD COLUMN later int", "ALTER TABLE sbtest1 DROP COLUMN later", "VACUUM FULL sbtest1"]
    {
        query(&server, sql);
    }
    let (code, _, err) = output_of(tenbin().args(["load", "oltp_read_write", &at, "--drop"]).args(table));
    assert_eq!(code, 0, "{err}");

    for sql in [
        "CREATE TABLE theirs (id SERIAL PRIMARY KEY, k INTEGER DEFAULT 0 NOT NULL, c CHAR(120) NOT NULL, pad CHAR(60) NOT NULL)",
        "INSERT INTO theirs (k, c, pad) SELECT k, c, 'THEIRS' FROM sbtest1",
        "DROP TABLE sbtest1",
        "ALTER TABLE theirs RENAME TO sbtest1",
    ] {
        query(&server, sql);
    }
    let sum = "SELECT SUM(k), COUNT(*), MIN(pad), MAX(c) FROM sbtest1";
    let before = query(&server, sum);
    let (code, out, err) = output_of(tenbin().args(["bench", "oltp_write_only", &at, "--time", "1"]).args(table));
    assert!(code == 1 && err.contains("would write into tables that Tenbin did not make"), "{code} {out}{err}");
    for drop in ["--drop", "--only-drop"] {
        let (_, out, err) = output_of(tenbin().args(["load", "oltp_read_write", &at, drop]).args(table));
        assert_eq!(query(&server, sum), before, "{drop}: {out}{err}");
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
