//! What the first words of statements show, as text in and text out.

use super::*;
use crate::language::{Names, Script};

fn line(text: &str) -> String {
    // PostgreSQL has no such quotes.
    let dialect = if text.contains('`') { Dialect::Mysql } else { Dialect::Postgres };
    let script = Script::parse("x", text.as_bytes(), dialect, &mut Names::default()).unwrap();
    let s = of(script.commands[0].sql().unwrap(), dialect);
    let writes = if s.writes { "writes" } else { "reads" };
    let more = match s.transaction {
        Some(true) => " opens",
        Some(false) => " ends",
        None => "",
    };
    let prepared = if s.preparable { " prepared" } else { "" };
    format!("{} {} {writes}{prepared}{more}", s.verb, s.table.unwrap_or_default())
}

#[test]
fn a_transaction_may_begin_and_end_in_one_text() {
    for text in
        ["BEGIN\\; UPDATE t SET a = 1\\; COMMIT;", "begin \\; SELECT 1 \\; end;", "UPDATE t SET a = 1\\; COMMIT;"]
    {
        assert!(line(text).ends_with(" ends"), "{text}: {}", line(text));
    }
    assert!(line("BEGIN\\; UPDATE t SET a = 1;").ends_with(" opens"));
}

#[test]
fn where_a_statement_may_write_elsewhere_it_is_not_sure() {
    let sure = |text: &str| {
        let script = Script::parse("x", text.as_bytes(), Dialect::Mysql, &mut Names::default()).unwrap();
        let s = of(script.commands[0].sql().unwrap(), Dialect::Mysql);
        (s.writes, s.sure)
    };
    for text in [
        "DELETE FROM t WHERE a IN (1, 2);",
        "DELETE FROM ONLY t;",
        "UPDATE t SET a = 1, b = 2;",
        "INSERT INTO t (a, b) SELECT a, b FROM u;",
        "INSERT INTO t (a) VALUES (1) ON CONFLICT (a) DO UPDATE SET b = 2;",
        "TRUNCATE TABLE t;",
        "CREATE TEMPORARY TABLE t (a int, b int);",
        "WITH x AS (SELECT 1) INSERT INTO t SELECT * FROM x;",
        "DROP TABLE IF EXISTS t;",
        "CREATE TABLE t (a int) ENGINE=InnoDB PARTITION BY HASH (a) PARTITIONS 4;",
        "/*!50000 DELETE FROM t */;",
        "DELETE t FROM t, u;",
        "DELETE t.*, u.* FROM t LEFT JOIN u USING (a) WHERE t.a = 1;",
        "DELETE FROM t USING t JOIN u USING (a);",
        "DELETE FROM t ORDER BY a, b LIMIT 5;",
        "UPDATE t, u SET u.a = 1;",
        "UPDATE t AS x JOIN u y ON coalesce(x.a, 0) = y.a AND x.b IN (SELECT b FROM v JOIN w) SET y.b = 1, x.b = 2;",
        "LOCK TABLES t WRITE, u AS x READ LOCAL;",
        "LOCK TABLE ONLY t IN EXCLUSIVE MODE;",
    ] {
        assert_eq!(sure(text), (true, true), "{text}");
    }
    for text in [
        "DELETE FROM t USING (t JOIN u);",
        "DELETE x FROM (t AS x JOIN u) WHERE x.a = 1;",
        "UPDATE t JOIN (SELECT a FROM u) v ON t.a = v.a SET t.b = 1;",
        "UPDATE t, :u SET t.a = 1;",
        "LOCK INSTANCE FOR BACKUP;",
        "DROP TABLE t, u;",
        "TRUNCATE t, u;",
        "CREATE OR REPLACE TABLE t (a int);",
        "CREATE TRIGGER x BEFORE INSERT ON t FOR EACH ROW DELETE FROM u;",
        "EXPLAIN ANALYZE DELETE FROM t;",
        "EXPLAIN (ANALYZE) DELETE FROM t;",
        "ANALYZE DELETE FROM t;",
        "SET STATEMENT max_statement_time = 10 FOR DELETE FROM t;",
        "SELECT 1 \\; DELETE FROM t;",
        "WITH x AS (DELETE FROM u RETURNING *) INSERT INTO t SELECT * FROM x;",
        "INSERT INTO t WITH x AS (UPDATE u SET a = 1 RETURNING *) SELECT * FROM x;",
        "CALL p();",
        "DO 1;",
        "EXECUTE IMMEDIATE 'DELETE FROM t';",
        "PREPARE q FROM 'DELETE FROM t';",
        "RENAME TABLE t TO u;",
        "CREATE TABLE t () INHERITS (u);",
        "CREATE TABLE t PARTITION OF u DEFAULT;",
        "ALTER TABLE t ATTACH PARTITION u DEFAULT;",
        "ALTER TABLE t EXCHANGE PARTITION p WITH TABLE u;",
        "CREATE TABLE t (a int) ENGINE=MERGE UNION=(u) INSERT_METHOD=LAST;",
    ] {
        assert_eq!(sure(text), (true, false), "{text}");
    }
    for text in [
        "SELECT a, b FROM t;",
        "EXPLAIN SELECT 1;",
        "SET @a = 1;",
        "EXPLAIN DELETE FROM t;",
        "SHOW TABLES;",
        "UNLOCK TABLES;",
    ] {
        assert_eq!(sure(text), (false, true), "{text}");
    }
    // The script has to commit.
    assert_eq!(of_text(b"SET autocommit = 0", Dialect::Mysql).transaction, Some(true));
    assert_eq!(of_text(b"SET autocommit = 1", Dialect::Mysql).transaction, None);
}

/// Which of them a statement changes is not looked into.
#[test]
fn all_tables_of_a_join_or_a_list_are_written_to() {
    for (text, wanted) in [
        ("UPDATE account a JOIN shop.orders AS o ON a.id = o.id, entry SET a.x = 1", "account shop.orders entry"),
        ("DELETE a FROM shop.orders AS a JOIN entry USING (id)", "shop.orders entry"),
        ("DELETE FROM a USING account AS a JOIN entry", "a account entry"),
        ("DELETE FROM account USING entry WHERE account.id = entry.id", "account entry"),
        ("LOCK TABLES account WRITE, `shop`.orders READ", "account shop.orders"),
    ] {
        let what = of_text(text.as_bytes(), Dialect::Mysql);
        assert_eq!((what.written().collect::<Vec<_>>().join(" ").as_str(), what.sure), (wanted, true), "{text}");
    }
}

#[test]
fn what_changes_the_server_itself_is_told_from_what_changes_rows() {
    for text in [
        "SET GLOBAL sync_binlog = 7",
        "SET @@global.sync_binlog = 9",
        "SET @a = 1, @@GLOBAL.sync_binlog = 6",
        "SET PERSIST max_connections = 9",
        "SET @@persist.max_connections = 9",
        "SET PASSWORD FOR 'root'@'localhost' = PASSWORD('x')",
        "SET DEFAULT ROLE r TO u",
        "ALTER SYSTEM SET fsync = off",
        "ALTER USER u IDENTIFIED BY 'x'",
        "GRANT ALL ON d.* TO u",
        "CREATE DATABASE d",
        "CREATE OR REPLACE USER u",
        "DROP SCHEMA IF EXISTS d",
        "KILL 7",
        "SHUTDOWN",
        "SELECT 1 INTO OUTFILE '/tmp/x'",
        "SELECT a FROM t INTO DUMPFILE '/tmp/x'",
        "VALUES (1) INTO OUTFILE '/tmp/x'",
        "WITH x AS (SELECT 1) SELECT * FROM x INTO OUTFILE '/tmp/x'",
        "(SELECT 1 INTO OUTFILE '/tmp/x')",
        "COPY t TO '/tmp/x'",
        "COPY t FROM PROGRAM 'x'",
        "SELECT pg_create_physical_replication_slot('x')",
        "SELECT pg_catalog.lo_export(4711, '/tmp/x')",
        "SELECT pg_stat_reset_single_table_counters('precious'::regclass)",
        "SELECT pg_stat_reset_slru('Notify'), pg_log_backend_memory_contexts(7)",
        "SELECT * FROM pg_logical_slot_get_binary_changes('s', NULL, NULL)",
        "SELECT pg_start_backup('x')",
        "SELECT pg_replication_origin_drop('x')",
        "SELECT pg_logical_emit_message(false, 'a', 'b')",
        "SELECT dblink_send_query('a', 'b')",
    ] {
        let s = of_text(text.as_bytes(), Dialect::Mysql);
        assert!(s.beyond_rows && s.writes && !s.sure, "{text}: {s:?}");
    }
    for text in [
        "SET @a = 1",
        "SET @password = 'x'",
        "SET SESSION sort_buffer_size = 1",
        "SET search_path = x",
        "SELECT a FROM t WHERE global = 1",
        "SELECT 'INTO OUTFILE'",
        "CREATE TABLE user (a int)",
        "CREATE INDEX role ON t (a)",
        "START TRANSACTION",
        "INSERT INTO event (a) VALUES (1)",
        "COPY t FROM STDIN",
        "SELECT pg_stat_get_numscans(1), pg_get_wal_replay_pause_state(), lo_get(5), pg_logical_slot_peek_changes('s', 1)",
    ] {
        assert!(!of_text(text.as_bytes(), Dialect::Mysql).beyond_rows, "{text}");
    }
    assert_eq!(of_text(b"SET @@autocommit = 0", Dialect::Mysql).transaction, Some(true));
    assert_eq!(of_text(b"SET @autocommit = 0", Dialect::Mysql).transaction, None);
}

#[test]
fn the_first_words_tell_what_a_statement_does() {
    let table = [
        ("select a from accounts where b = 1;", "SELECT accounts reads prepared"),
        ("(select 1) union (select 2);", "SELECT  reads prepared"),
        ("SELECT a FROM t FOR UPDATE;", "SELECT t writes prepared"),
        ("insert into s.t values (1);", "INSERT s.t writes prepared"),
        ("/* c */ update only \"my table\" set a = 1;", "UPDATE my table writes prepared"),
        ("update low_priority `a`.`b` set c = 1;", "UPDATE a.b writes prepared"),
        ("delete from t where 'from x' = a;", "DELETE t writes prepared"),
        ("with x as (select 1) insert into t select * from x;", "WITH t writes prepared"),
        ("with x as (select 1) select * from x;", "WITH x reads prepared"),
        ("begin;", "BEGIN  reads opens"),
        ("start transaction read only;", "START  reads opens"),
        ("end;", "END  reads ends"),
        ("rollback to savepoint a;", "ROLLBACK  reads"),
        ("truncate table t;", "TRUNCATE t writes"),
        ("create table if not exists t(a int);", "CREATE t writes"),
        ("create unlogged table t(a int);", "CREATE t writes"),
        ("vacuum;", "VACUUM  writes"),
        ("select 1\\; delete from t;", "SELECT t writes"),
    ];
    for (text, wanted) in table {
        assert_eq!(line(text), wanted, "{text}");
    }
}

#[test]
fn statements_that_rebuild_a_table_are_known() {
    let rebuilds = |text: &str| of_text(text.as_bytes(), Dialect::Mysql).rebuilds();
    for text in [
        "ALTER TABLE t ADD COLUMN b int",
        "OPTIMIZE TABLE t",
        "RENAME TABLE t TO u",
        "CREATE UNIQUE INDEX i ON t (a)",
        "DROP INDEX i ON t",
    ] {
        assert!(rebuilds(text), "{text}");
    }
    for text in [
        "TRUNCATE TABLE t",
        "ANALYZE TABLE t",
        "ALTER USER u IDENTIFIED BY 'x'",
        "CREATE TABLE u (a int)",
        "CREATE TRIGGER x BEFORE INSERT ON t FOR EACH ROW SET NEW.a = 1",
        "INSERT INTO t VALUES (1)",
    ] {
        assert!(!rebuilds(text), "{text}");
    }
}

/// `reads`, `reads with a session that may write`, `writes` to its table only, or `may write anything`.
fn does(text: &str, dialect: Dialect) -> &'static str {
    let s = of_text(text.as_bytes(), dialect);
    match (s.writes, s.sure, s.unlocks) {
        (false, ..) => "reads",
        (true, true, true) => "unlocks",
        (true, true, false) => "writes",
        (true, false, _) => "anything",
    }
}

#[test]
fn what_changes_the_file_of_sqlite_or_lets_a_session_write_is_not_reading() {
    for (text, wanted) in [
        ("PRAGMA journal_mode", "reads"),
        ("PRAGMA main.page_count;", "reads"),
        ("PRAGMA cache_size = -2000", "reads"),
        ("PRAGMA table_info(account)", "reads"),
        ("PRAGMA journal_mode = WAL", "anything"),
        ("PRAGMA journal_mode='wal'", "anything"),
        ("PRAGMA main.user_version(9)", "anything"),
        ("PRAGMA writable_schema = ON", "anything"),
        ("PRAGMA optimize", "anything"),
        ("PRAGMA query_only = OFF", "unlocks"),
        ("PRAGMA query_only(0)", "unlocks"),
        ("PRAGMA :name = 1", "anything"),
    ] {
        assert_eq!(does(text, Dialect::Sqlite), wanted, "{text}");
    }
    for (text, wanted) in [
        ("BEGIN", "reads"),
        ("BEGIN ISOLATION LEVEL SERIALIZABLE, READ WRITE", "unlocks"),
        ("BEGIN :mode", "unlocks"),
        ("START TRANSACTION READ ONLY", "reads"),
        ("START TRANSACTION READ WRITE", "unlocks"),
        ("SET TRANSACTION READ WRITE", "unlocks"),
        ("SET SESSION CHARACTERISTICS AS TRANSACTION READ WRITE", "unlocks"),
        ("SET default_transaction_read_only = off", "unlocks"),
        ("SET :name = off", "unlocks"),
        ("SET SESSION default_:name = off", "unlocks"),
        ("SET work_mem = :memory", "reads"),
        ("SET search_path = x", "reads"),
        ("SELECT set_config('search_path', '', false)", "reads"),
        ("SELECT pg_catalog.set_config('transaction_read_only', 'off', false)", "unlocks"),
        ("SELECT set_config('transaction_' || 'read' || '_only', 'off', false)", "unlocks"),
        ("SELECT set_config(:name, 'off', false)", "unlocks"),
        ("RESET ALL", "reads"),
        ("DISCARD ALL", "reads"),
        ("LISTEN x", "reads"),
        ("WITH x AS (SELECT 1) SELECT * FROM t FOR SHARE", "writes"),
        ("WITH x AS (SELECT a FROM t FOR UPDATE) SELECT * FROM x", "writes"),
        ("WITH x AS (SELECT replace(a, 'b', 'c') FROM t) SELECT * FROM x", "reads"),
        ("SELECT lo_unlink(16400)", "anything"),
        ("UPDATE t SET a = lo_put(5, 0, 'x')", "anything"),
        ("SELECT dblink_exec('x', 'DELETE FROM t')", "anything"),
    ] {
        assert_eq!(does(text, Dialect::Postgres), wanted, "{text}");
    }
    for (text, wanted) in [
        ("SET SESSION TRANSACTION READ WRITE", "unlocks"),
        ("SET @@session.transaction_read_only = 0", "unlocks"),
        ("SET @a = :x", "reads"),
        ("SET SESSION sql_mode = REPLACE(@@sql_mode, 'a', '')", "reads"),
        ("SELECT a INTO @b FROM t", "reads"),
        ("SELECT a, b FROM t INTO @a, @b", "reads"),
        ("SELECT a FROM t WHERE owner = \"INTO\"", "reads"),
        ("SELECT a FROM t INTO OUTFILE '/tmp/x'", "anything"),
        ("SELECT 5--3 INTO OUTFILE '/tmp/x'", "anything"),
        ("SELECT 'it\\'s' INTO OUTFILE '/tmp/x'", "anything"),
        ("SELECT 1 # INTO OUTFILE '/tmp/x'", "reads"),
        ("DESCRIBE t", "reads"),
        ("DESC t", "reads"),
        ("DESC ANALYZE DELETE FROM t", "anything"),
        ("CHECKSUM TABLE t", "reads"),
        ("RESET QUERY CACHE", "anything"),
        // With another delimiter.
        ("SELECT 1; DELETE FROM t", "anything"),
        ("INSERT INTO t VALUES (1); SELECT 1;", "anything"),
        ("SELECT 1; SET GLOBAL sync_binlog = 7", "anything"),
        ("SELECT 1; SELECT ';';", "reads"),
    ] {
        assert_eq!(does(text, Dialect::Mysql), wanted, "{text}");
    }
    let rows = vec!["(1, 2, 'a;b')"; 500].join(", ");
    let insert = |more: &str| format!("INSERT INTO t (a, b, c) VALUES {rows}{more}");
    assert_eq!(does(&insert(";"), Dialect::Mysql), "writes");
    for more in ["; DELETE FROM u", ", (1, pg_reload_conf(), 3)"] {
        assert_eq!(does(&insert(more), Dialect::Postgres), "anything", "{more}");
    }
}

#[test]
fn only_what_begins_a_transaction_opens_one() {
    let of = |text: &str, dialect| {
        let s = of_text(text.as_bytes(), dialect);
        (s.transaction, s.writes)
    };
    for text in [
        "BEGIN",
        "BEGIN WORK",
        "BEGIN TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY, NOT DEFERRABLE",
        "BEGIN IMMEDIATE",
        "START TRANSACTION WITH CONSISTENT SNAPSHOT, READ ONLY",
        "COMMIT AND CHAIN",
        "ROLLBACK AND CHAIN",
    ] {
        assert_eq!(of(text, Dialect::Postgres), (Some(true), false), "{text}");
    }
    for text in ["COMMIT", "END", "ROLLBACK WORK", "COMMIT AND NO CHAIN", "COMMIT RELEASE"] {
        assert_eq!(of(text, Dialect::Postgres), (Some(false), false), "{text}");
    }
    assert_eq!(of("PREPARE TRANSACTION 'x'", Dialect::Postgres), (Some(false), true));
    assert_eq!(of("COMMIT PREPARED 'x'", Dialect::Postgres), (None, true));
    assert_eq!(of("BEGIN NOT ATOMIC SELECT 1; END", Dialect::Mysql), (None, true));
}

#[test]
fn whatever_stands_before_it_a_statement_that_writes_is_seen() {
    for verb in [
        "BEGIN",
        "BEGIN NOT ATOMIC",
        "START",
        "START TRANSACTION",
        "COMMIT PREPARED",
        "DECLARE",
        "DECLARE x INT;",
        "IF 1 THEN",
        "SET",
        "SET STATEMENT max_statement_time=5 FOR",
        "EXPLAIN ANALYZE",
        "ANALYZE",
        "WITH x AS (SELECT 1)",
        "USE",
        "DEALLOCATE",
        "FETCH",
        "CLOSE",
        "RESET",
        "DISCARD",
        "UNLISTEN",
        "BEGIN SELECT 1;",
    ] {
        assert_eq!(does(&format!("{verb} DELETE FROM precious"), Dialect::Mysql), "anything", "{verb}");
    }
    for text in [
        "BEGIN NOT ATOMIC SET GLOBAL long_query_time = 77; END",
        "BEGIN NOT ATOMIC SELECT 1; SET GLOBAL long_query_time = 77; END",
        "BEGIN NOT ATOMIC IF 1 THEN SET GLOBAL long_query_time = 77; END IF; END",
        "SET STATEMENT max_statement_time=5 FOR KILL 999999",
        "SET STATEMENT max_statement_time=5 FOR RESET MASTER",
    ] {
        let s = of_text(text.as_bytes(), Dialect::Mysql);
        assert!(s.beyond_rows && !s.sure, "{text}: {s:?}");
    }
    assert_eq!(does("SET STATEMENT max_statement_time=5 FOR FLUSH STATUS", Dialect::Mysql), "anything");
    assert_eq!(does("SET STATEMENT max_statement_time=5 FOR SELECT a FROM t", Dialect::Mysql), "reads");
    assert_eq!(does("SHOW CREATE TABLE t", Dialect::Mysql), "reads");
}

#[test]
fn what_only_another_setting_of_the_server_executes_is_seen() {
    for (text, dialect, wanted) in [
        ("SELECT '\\''; DELETE FROM precious; --'", Dialect::Postgres, "anything"),
        ("SELECT 'it\\''; pg_reload_conf(); '", Dialect::Postgres, "reads"),
        ("INSERT INTO t VALUES ('a\\', nextval('x_seq'), '')", Dialect::Postgres, "writes"),
        ("INSERT INTO t VALUES ('\\''), ('c:\\')", Dialect::Postgres, "writes"),
        ("SELECT 'a\\', 1 INTO OUTFILE 'b\\'", Dialect::Mysql, "anything"),
        ("SELECT \"a\\\", 1 INTO OUTFILE \"/x\"", Dialect::Mysql, "anything"),
        ("SELECT /*!99999 ' */ 1 INTO OUTFILE '/x'", Dialect::Mysql, "anything"),
        ("INSERT INTO t VALUES ('it\\'); DELETE FROM precious; ')", Dialect::Mysql, "anything"),
        ("INSERT INTO t VALUES ('it\\'s; delete it')", Dialect::Mysql, "writes"),
        ("INSERT INTO t VALUES ('it\\'s'), (\"c:\\\\\")", Dialect::Mysql, "writes"),
        ("SELECT /*!50000 STRAIGHT_JOIN */ a FROM t WHERE b = 'it\\'s'", Dialect::Mysql, "reads"),
    ] {
        assert_eq!(does(text, dialect), wanted, "{text}");
    }
    let exported = of_text(b"SELECT 'a\\', 1 INTO OUTFILE 'b\\'", Dialect::Mysql);
    assert!(exported.beyond_rows, "{exported:?}");
}

#[test]
fn other_spellings_of_what_writes_are_seen() {
    for text in [
        "EXPLAIN ANALYSE DELETE FROM precious",
        "EXPLAIN (ANALYSE, VERBOSE) UPDATE precious SET a = 1",
        "DELETE FROM U&\"pr\\0065cious\"",
        "SELECT u&\"w\\0069pe\"()",
        // They take what depends on it with it.
        "TRUNCATE t CASCADE",
        "DROP TABLE t CASCADE",
        "ALTER TABLE t DROP COLUMN a CASCADE",
    ] {
        assert_eq!(does(text, Dialect::Postgres), "anything", "{text}");
    }
    for text in ["TRUNCATE t RESTRICT", "ALTER TABLE t ADD FOREIGN KEY (a) REFERENCES u ON DELETE CASCADE"] {
        assert_eq!(does(text, Dialect::Postgres), "writes", "{text}");
    }
    for text in ["SET @@GLOBAL .sync_binlog = 7", "SET @@global/* */.sync_binlog = 7"] {
        assert!(of_text(text.as_bytes(), Dialect::Mysql).beyond_rows, "{text}");
    }
    assert!(!of_text(b"SET @@globally = 7", Dialect::Mysql).beyond_rows);
}

#[test]
fn a_variable_that_is_the_number_of_a_column_is_sent_as_text() {
    let prepared = |text: &str| {
        let s = of_text(text.as_bytes(), Dialect::Postgres);
        s.preparable
    };
    for text in [
        "SELECT id FROM t ORDER BY :n DESC LIMIT 1",
        "SELECT a, b FROM t ORDER BY a, :n",
        "SELECT a, count(*) FROM t GROUP BY :n",
        "SELECT * FROM (SELECT a FROM t ORDER BY :n) x",
        "INSERT INTO u SELECT a FROM t ORDER BY :n LIMIT 5",
    ] {
        assert!(!prepared(text), "{text}");
    }
    for text in [
        "SELECT id FROM t ORDER BY id LIMIT :n",
        "SELECT id FROM t ORDER BY id, abs(id - :n) LIMIT 5, :n",
        "SELECT id FROM t ORDER BY :n + id",
        "SELECT id FROM t WHERE a IN (1, :n)",
        "SELECT sum(a) OVER (ORDER BY b), :n FROM t",
    ] {
        assert!(prepared(text), "{text}");
    }
}

#[test]
fn a_comment_is_about_its_table() {
    let of = |text: &str| {
        let s = of_text(text.as_bytes(), Dialect::Postgres);
        (s.table.unwrap_or_default(), s.sure)
    };
    for (text, table) in [
        ("COMMENT ON TABLE t IS 'a; b'", "t"),
        ("COMMENT ON TABLE public.t IS NULL", "public.t"),
        ("COMMENT ON COLUMN t.a IS 'x'", "t"),
        ("COMMENT ON COLUMN public.t.a IS 'x'", "public.t"),
    ] {
        assert_eq!(of(text), (table.to_owned(), true), "{text}");
    }
    for text in ["COMMENT ON DATABASE d IS 'x'", "COMMENT ON COLUMN a IS 'x'", "COMMENT ON INDEX i IS 'x'"] {
        assert!(!of(text).1, "{text}");
    }
}
