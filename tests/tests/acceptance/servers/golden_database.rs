//! Data of PostgreSQL restored from a golden database on the same server: the same rows after writes, whatever is interrupted;
//! nothing of others is dropped, no session is ended, and what is missing is reported beforehand.

#![expect(clippy::unwrap_used, reason = "a test may")]

use super::golden::{Bench, wait_for};
use std::path::Path;
use std::process::Stdio;
use tenbin_servers::sandbox::Sandbox;
use tenbin_tests::sql::{self, Address};
use tenbin_tests::{output_of, postgres, standby};

/// A server with an account that is no superuser and may create databases, and its database `shop`.
struct Shop(Sandbox);

impl Shop {
    fn new() -> Shop {
        let shop = Shop(postgres(&[]));
        shop.rule("CREATE ROLE bench LOGIN CREATEDB");
        shop.rule("CREATE DATABASE shop OWNER bench");
        shop
    }

    fn at(&self, account: &str, database: &str) -> String {
        self.0.dsn().replace("postgres@", &format!("{account}@")).replace("/sbtest", &format!("/{database}"))
    }

    /// Asks as the administrator of the server, in another database.
    fn rule(&self, sql: &str) -> Vec<Vec<String>> {
        sql::query(&self.at("postgres", "sbtest"), sql)
    }

    /// Asks as the owner, in the database.
    fn ask(&self, sql: &str) -> Vec<Vec<String>> {
        sql::query(&self.at("bench", "shop"), sql)
    }

    fn target(&self) -> String {
        format!("[targets.a]\ndsn = \"{}\"\nrestore = \"template\"", self.at("bench", "shop"))
    }

    fn checksum(&self) -> String {
        let of = |table: &str| format!("(SELECT md5(string_agg(t::text, ',' ORDER BY id)) FROM {table} t)");
        self.ask(&format!("SELECT {} || {}", of("sbtest1"), of("sbtest2")))[0][0].clone()
    }

    fn rows(&self) -> String {
        self.ask("SELECT (SELECT count(*) FROM sbtest1) + (SELECT count(*) FROM sbtest2)")[0][0].clone()
    }

    /// The databases that are not the server's own.
    fn databases(&self) -> Vec<String> {
        let sql = "SELECT datname FROM pg_database WHERE datname NOT IN ('postgres', 'template0', 'template1', 'sbtest') \
                   ORDER BY datname";
        self.rule(sql).into_iter().map(|row| row[0].clone()).collect()
    }

    fn golden(&self) -> String {
        self.databases().into_iter().find(|name| name.starts_with("tenbin_golden_")).unwrap()
    }
}

const LOADED: &str = "note     loaded ";
const RESTORED: &str = "data restored from the golden database";

#[test]
fn every_trial_and_later_runs_start_with_the_same_rows() {
    let (bench, shop) = (Bench::new(), Shop::new());
    let reads = |plan: &Path| {
        let text = std::fs::read_to_string(plan).unwrap();
        std::fs::write(plan, text.replace("oltp_insert", "oltp_read_only")).unwrap();
        let (_, out, err) = bench.does(&["run", plan.to_str().unwrap()]);
        format!("{out}{err}")
    };
    let printed = reads(&bench.plan(&shop.target().replace("template", "reload"), 1));
    assert!(printed.contains(LOADED) && !printed.contains("golden"), "{printed}");
    let loaded = shop.checksum();
    let plan = bench.plan(&shop.target(), 2);
    let (_, out, err) = bench.does(&["run", plan.to_str().unwrap()]);
    let output = format!("{out}{err}");
    assert_eq!(output.matches("golden database tenbin_golden_").count(), 3, "made once, restored twice: {output}");
    assert_eq!(output.matches(RESTORED).count(), 2, "{output}");
    assert_eq!(shop.rows(), "2050", "2,000 rows and the 50 of the last trial");
    shop.ask("UPDATE sbtest1 SET c = 'changed'");
    assert_ne!(shop.checksum(), loaded);
    let lines = reads(&plan);
    assert_eq!((lines.matches(RESTORED).count(), lines.matches(LOADED).count()), (2, 0), "{lines}");
    assert_eq!(shop.checksum(), loaded);
    assert_eq!(shop.databases().len(), 2, "{:?}", shop.databases());
    let (_, out, _) = bench.does(&["plan", "check", plan.to_str().unwrap()]);
    assert!(out.contains("replace the whole database by a copy of the golden database, 2 times"), "{out}");
}

#[test]
fn private_servers_are_restored_too() {
    let output = Bench::new().run_any("[targets.a]\nsandbox = \"postgres\"\nrestore = \"template\"");
    assert!(output.contains(RESTORED), "{output}");
}

#[test]
fn owner_privileges_settings_and_comment_of_the_database_are_kept() {
    let (bench, shop) = (Bench::new(), Shop::new());
    for sql in [
        "CREATE ROLE reader",
        "GRANT CONNECT ON DATABASE shop TO reader WITH GRANT OPTION",
        "REVOKE TEMPORARY ON DATABASE shop FROM PUBLIC",
        "ALTER DATABASE shop SET search_path TO \"$user\", public, \"Odd, \"\"name\"",
        "ALTER DATABASE shop SET work_mem TO '8MB'",
        "ALTER ROLE bench IN DATABASE shop SET work_mem TO '9MB'",
        "ALTER DATABASE shop CONNECTION LIMIT 77",
        "COMMENT ON DATABASE shop IS 'it''s theirs'",
    ] {
        shop.rule(sql);
    }
    let all = || {
        let sql = "SELECT pg_get_userbyid(datdba), datacl, datconnlimit, datallowconn, datistemplate, \
                   shobj_description(oid, 'pg_database'), (SELECT string_agg(setrole::regrole || ' ' || setconfig::text, ';' \
                   ORDER BY setrole) FROM pg_db_role_setting WHERE setdatabase = d.oid), oid FROM pg_database d \
                   WHERE datname = 'shop'";
        shop.rule(sql).remove(0)
    };
    let before = all();
    let output = bench.run_any(&shop.target());
    assert!(output.contains(RESTORED), "{output}");
    let after = all();
    assert_eq!(before[..7], after[..7]);
    assert_ne!(before[7], after[7], "it is another database");
    // A setting that only a superuser may give to the copy.
    shop.rule("ALTER DATABASE shop SET log_min_duration_statement TO 500");
    let output = bench.run_any(&shop.target());
    assert!(output.contains("cannot give a copy") && output.contains("log_min_duration_statement=500"), "{output}");
    assert_eq!(all()[7], after[7], "nothing was done");
}

/// Runs the plan until it waits for a lock on this catalogue in the statement, kills it there, and ends its session.
fn killed(bench: &Bench, shop: &Shop, catalogue: &str, statement: &str) {
    let plan = bench.plan(&shop.target(), 1);
    let admin = shop.at("postgres", "sbtest");
    let waiting = format!("wait_event_type = 'Lock' AND query LIKE '{statement}%'");
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let mut holder = runtime.block_on(async {
        let mut c = sql::open(&admin).await;
        c.query("BEGIN").await.unwrap();
        c.query(&format!("LOCK TABLE {catalogue} IN SHARE MODE")).await.unwrap();
        c
    });
    let mut run = bench.command(&["run", plan.to_str().unwrap()]);
    let mut child = run.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    let question = format!("SELECT count(*) FROM pg_stat_activity WHERE {waiting}");
    wait_for(|| sql::query(&admin, &question)[0][0] == "1");
    child.kill().unwrap();
    child.wait().unwrap();
    sql::query(&admin, &format!("SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity WHERE {waiting}"));
    runtime.block_on(async {
        holder.query("ROLLBACK").await.unwrap();
        holder.close().await;
    });
}

#[test]
fn a_run_killed_at_any_step_leaves_a_working_database_and_the_next_heals() {
    let (bench, shop) = (Bench::new(), Shop::new());
    let heals = |remains: &str| {
        let output = bench.run_any(&shop.target());
        assert!(
            output.contains("dropped what is left") && output.contains(remains) && output.contains(RESTORED),
            "{output}"
        );
        assert_eq!((shop.rows(), shop.databases().len()), ("2050".into(), 2), "{:?}", shop.databases());
        output
    };
    // The golden database is created, and has no description yet.
    killed(&bench, &shop, "pg_shdescription", "COMMENT ON DATABASE \"tenbin_golden");
    assert_eq!((shop.rows(), shop.databases().len()), ("2000".into(), 2));
    assert!(heals("tenbin_golden_").contains(LOADED), "made anew");
    // The copy is there and the databases are renamed, but not committed.
    killed(&bench, &shop, "pg_shdescription", "COMMENT ON DATABASE \"shop\"");
    assert_eq!(shop.rows(), "2050");
    assert_eq!(shop.databases()[..2], ["shop", "shop_tenbin_new"]);
    heals("shop_tenbin_new");
    // The copy is in place, and the former database is not dropped yet.
    killed(&bench, &shop, "pg_shseclabel", "DROP DATABASE");
    assert_eq!(shop.rows(), "2000");
    assert_eq!(shop.databases()[..2], ["shop", "shop_tenbin_old"]);
    let text = heals("shop_tenbin_old");
    assert!(!text.contains(LOADED), "the golden database was used: {text}");
}

#[test]
fn what_tenbin_did_not_create_is_neither_dropped_nor_brought_back() {
    let (bench, shop) = (Bench::new(), Shop::new());
    shop.ask("CREATE TABLE orders(id SERIAL)");
    shop.ask("CREATE FUNCTION f() RETURNS int LANGUAGE sql AS 'SELECT 1'");
    let plan = bench.plan(&shop.target(), 1);
    let (code, out, err) = bench.does(&["plan", "check", plan.to_str().unwrap()]);
    let output = format!("{out}{err}");
    assert!(
        code != 0 && output.contains("2 tables or other objects") && output.contains("public.orders, public.f()"),
        "{output}"
    );
    assert_eq!(shop.databases(), ["shop"]);
    assert!(bench.run_any(&format!("{}\nallow = [\"replace-server\"]", shop.target())).contains(RESTORED));
    shop.ask("DROP TABLE orders");
    shop.ask("DROP FUNCTION f()");
    // Databases of others with the names that are needed.
    shop.rule("CREATE DATABASE shop_tenbin_new OWNER bench");
    let output = bench.run_any(&shop.target());
    assert!(output.contains("shop_tenbin_new, which Tenbin did not make"), "{output}");
    shop.rule("DROP DATABASE shop_tenbin_new");
    let name = shop.golden();
    shop.rule(&format!("DROP DATABASE {name}"));
    shop.rule(&format!("CREATE DATABASE {name} OWNER bench"));
    let output = bench.run_any(&shop.target());
    assert!(output.contains(&format!("{name}, which Tenbin did not make")), "{output}");
    assert_eq!(shop.databases(), ["shop".to_owned(), name]);
}

#[test]
fn a_golden_database_that_is_not_what_it_was_is_not_used() {
    let (bench, shop) = (Bench::new(), Shop::new());
    bench.run_any(&shop.target());
    let name = shop.golden();
    let comment = format!("SELECT shobj_description(oid, 'pg_database') FROM pg_database WHERE datname = '{name}'");
    let comment = shop.rule(&comment)[0][0].clone();
    assert!(comment.contains("\"rows\":2000"), "{comment}");
    shop.rule(&format!("COMMENT ON DATABASE {name} IS '{}'", comment.replace("\"rows\":2000", "\"rows\":2001")));
    let output = bench.run_any(&shop.target());
    assert!(
        output.contains("dropped what is left") && output.contains(LOADED) && output.contains(RESTORED),
        "{output}"
    );
    shop.rule(&format!("ALTER DATABASE {name} ALLOW_CONNECTIONS true"));
    let output = bench.run_any(&shop.target());
    assert!(output.contains("was opened to connections") && output.contains("DROP DATABASE"), "{output}");
}

#[test]
fn sessions_of_others_are_told_and_not_ended() {
    let (bench, shop) = (Bench::new(), Shop::new());
    bench.run_any(&shop.target());
    let other = format!("{}&application_name=till", shop.at("bench", "shop"));
    let other = if other.contains('?') { other } else { other.replace('&', "?") };
    sql::on(async {
        let mut c = sql::open(&other).await;
        let pid = c.table("SELECT pg_backend_pid()").await.unwrap().scalar().unwrap().to_owned();
        let output = bench.run_any(&shop.target());
        assert!(output.contains("one session of others is connected"), "{output}");
        assert!(output.contains(&format!("process {pid} of bench")) && output.contains("disconnect them"), "{output}");
        assert!(c.query("SELECT 1").await.is_ok(), "it was not ended");
        c.close().await;
    });
    assert!(bench.run_any(&shop.target()).contains(RESTORED));
}

#[test]
fn rights_that_are_missing_are_told_before_anything_is_done() {
    let (bench, shop) = (Bench::new(), Shop::new());
    shop.rule("CREATE ROLE guest LOGIN");
    let plan = bench.plan(&shop.target().replace("bench@", "guest@"), 1);
    let (code, out, err) = output_of(&mut bench.command(&["plan", "check", plan.to_str().unwrap()]));
    let output = format!("{out}{err}");
    assert_ne!(code, 0, "{output}");
    for part in [
        "account guest may not create databases",
        "ALTER ROLE \"guest\" CREATEDB",
        "account guest does not own the database shop",
        "ALTER DATABASE \"shop\" OWNER TO \"guest\"",
    ] {
        assert!(output.contains(part), "{part}: {output}");
    }
    shop.rule("ALTER ROLE guest CREATEDB");
    shop.rule("ALTER DATABASE shop OWNER TO guest");
    assert!(bench.run_any(&shop.target().replace("bench@", "guest@")).contains(RESTORED));
}

#[test]
fn what_a_copy_could_not_be_given_is_told_before_anything_is_done() {
    let (bench, server) = (Bench::new(), postgres(&[("wal_level", "logical")]));
    sql::query(&server, "SELECT pg_create_logical_replication_slot('feed', 'test_decoding')");
    let target = format!("[targets.a]\ndsn = \"{}\"\nrestore = \"template\"", server.dsn());
    let plan = bench.plan(&target, 1);
    let (code, out, err) = output_of(&mut bench.command(&["plan", "check", plan.to_str().unwrap()]));
    let output = format!("{out}{err}");
    assert!(
        code != 0 && output.contains("replication slot feed") && output.contains("restore = \"reload\""),
        "{output}"
    );
    sql::query(&server, "SELECT pg_drop_replication_slot('feed')");
    assert!(bench.run_any(&target).contains(RESTORED));
}

#[test]
fn a_standby_is_refused() {
    let (bench, standby) = (Bench::new(), standby());
    let target = format!("[targets.a]\ndsn = \"{}\"\nrestore = \"template\"", standby.dsn());
    let plan = bench.plan(&format!("{target}\nallow = [\"write-replica\"]"), 1);
    let (code, out, err) = output_of(&mut bench.command(&["plan", "check", plan.to_str().unwrap()]));
    let output = format!("{out}{err}");
    assert!(code != 0 && output.contains("is on a replica, on which no database can be created"), "{output}");
}

#[test]
fn what_others_have_put_beside_the_tables_is_not_replaced() {
    let (bench, shop) = (Bench::new(), Shop::new());
    let plan = bench.plan(&shop.target(), 1);
    let run = || {
        let (code, out, err) = bench.does(&["run", plan.to_str().unwrap()]);
        (code, format!("{out}{err}"))
    };
    let (code, output) = run();
    assert!([0, 2, 3].contains(&code) && output.contains(RESTORED), "{code} {output}");
    for (create, named, remove) in [
        ("CREATE TYPE mood AS ENUM ('a', 'b')", "type public.mood", "DROP TYPE mood"),
        ("CREATE DOMAIN posint AS int CHECK (value > 0)", "type public.posint", "DROP DOMAIN posint"),
        ("CREATE PUBLICATION pub FOR TABLE sbtest1", "publication pub", "DROP PUBLICATION pub"),
        ("CREATE COLLATION mine (locale = 'C')", "collation public.mine", "DROP COLLATION mine"),
        (
            "CREATE TEXT SEARCH CONFIGURATION mine (copy = english)",
            "text search configuration public.mine",
            "DROP TEXT SEARCH CONFIGURATION mine",
        ),
        ("CREATE STATISTICS mine ON id, k FROM sbtest1", "statistics public.mine", "DROP STATISTICS mine"),
        ("CREATE POLICY mine ON sbtest1 USING (true)", "policy mine on sbtest1", "DROP POLICY mine ON sbtest1"),
        ("GRANT SELECT ON sbtest1 TO public", "privileges on public.sbtest1", "REVOKE ALL ON sbtest1 FROM public"),
        ("COMMENT ON TABLE sbtest1 IS 'x'", "comment sbtest1", "COMMENT ON TABLE sbtest1 IS NULL"),
        ("COMMENT ON COLUMN sbtest1.k IS 'x'", "comment sbtest1", "COMMENT ON COLUMN sbtest1.k IS NULL"),
        (
            "ALTER TABLE sbtest1 ADD CONSTRAINT of_bi FOREIGN KEY (k) REFERENCES sbtest1 NOT VALID",
            "foreign key sbtest1.of_bi (k) REFERENCES sbtest1(id) NOT VALID",
            "ALTER TABLE sbtest1 DROP CONSTRAINT of_bi",
        ),
    ] {
        shop.ask(create);
        let (code, output) = run();
        assert!(code == 1 && output.contains(named), "{create}: {code} {output}");
        shop.ask(remove);
    }
    let (code, output) = run();
    assert!([0, 2, 3].contains(&code) && output.contains(RESTORED), "{code} {output}");
}

#[test]
fn what_others_put_into_the_database_while_the_data_are_loaded_is_in_no_golden_database() {
    let (bench, shop) = (Bench::new(), Shop::new());
    let plan = bench.plan(&shop.target(), 1);
    let text = std::fs::read_to_string(&plan).unwrap().replace("table_size = 1000", "table_size = 200000");
    std::fs::write(&plan, text).unwrap();
    let run = || {
        let (code, out, err) = bench.does(&["run", plan.to_str().unwrap()]);
        (code, format!("{out}{err}"))
    };
    let (code, output) = std::thread::scope(|scope| {
        let running = scope.spawn(run);
        while shop.ask("SELECT to_regclass('sbtest1') IS NOT NULL")[0][0] != "t" {
            assert!(!running.is_finished(), "{:?}", running.join().unwrap());
            std::thread::sleep(std::time::Duration::from_millis(5));
        }
        shop.ask("CREATE TABLE orders (id INT)");
        running.join().unwrap()
    });
    assert!(code != 0 && output.contains("public.orders"), "{code} {output}");
    assert_eq!(shop.databases(), ["shop"], "no golden database was made");
    shop.ask("DROP TABLE orders");
    let (code, output) = run();
    assert!([0, 2, 3].contains(&code) && output.contains(RESTORED), "{code} {output}");
}

#[test]
fn what_others_put_into_the_database_while_it_is_copied_is_not_dropped() {
    use tenbin_model::dsn::Dsn;
    use tenbin_servers::golden::{Variant, database};
    let shop = Shop::new();
    shop.ask("CREATE TABLE sbtest1(id INT)");
    let connector = tenbin_driver::Connector::new(Dsn::parse(&shop.at("bench", "shop")).unwrap(), None).unwrap();
    let layout = database::layout(&connector).unwrap();
    let variant = Variant { kind: "sysbench".into(), options: [].into(), series: "postgresql-15".into(), layout };
    let golden = database::make(&connector, &variant, 0, "2026-01-01T00:00:00+00:00").unwrap();
    // When the copy is there.
    let put = || {
        assert!(shop.databases().contains(&"shop_tenbin_new".to_owned()));
        shop.ask("CREATE TABLE orders(id INT)");
        Err(tenbin_words::problem::Problem::new(tenbin_words::message::foreign("orders")))
    };
    assert_eq!(database::put_back(&connector, &golden, &put).unwrap_err().what.english(), "orders");
    shop.ask("DROP TABLE orders");
    assert_eq!(shop.databases(), ["shop".to_owned(), golden.name.clone()]);
    database::put_back(&connector, &golden, &|| Ok(())).unwrap();
    assert_eq!(shop.databases(), ["shop".to_owned(), golden.name]);
}
