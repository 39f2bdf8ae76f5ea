//! The schema that `mysqlslap` creates and drops: what Tenbin did not make in it stays, and what another run uses too.

use super::SlapDir;
use std::process::Stdio;
use std::time::{Duration, Instant};

#[test]
fn what_tenbin_did_not_make_stays() {
    let here = SlapDir::new(&[]);
    here.ask("CREATE SCHEMA mysqlslap; CREATE TABLE mysqlslap.precious(a INT)");
    let some = ["-a", "--number-of-queries=4", "--no-drop", "-i", "2"];
    let (code, out, err) = here.ours(&some);
    assert_eq!((code, out.as_str()), (1, ""), "{err}");
    assert!(err.contains("not made by Tenbin") && err.contains("precious") && err.contains("--allow-drop"), "{err}");
    assert_eq!(here.ask("SHOW TABLES FROM mysqlslap"), "precious");

    here.ask("DROP SCHEMA mysqlslap");
    assert_eq!(here.ours(&some).0, 0, "with --no-drop two iterations go well");
    assert_eq!(here.ask("SELECT COUNT(*) FROM mysqlslap.t1"), "101", "99 rows and two INSERTs of the last iteration");
    assert_eq!(here.ours(&some).0, 0, "our own is made again");
    here.ask("CREATE TABLE mysqlslap.mine(a INT)");
    let (code, _, err) = here.ours(&some);
    assert_eq!(code, 1, "somebody has put a table into it");
    assert!(err.contains("mine"), "{err}");
    assert_eq!(here.ours(&["-a", "--number-of-queries=4", "--allow-drop"]).0, 0);
    assert_eq!(here.ask("SHOW DATABASES LIKE 'mysqlslap'"), "");
    // Of an unset variable of a shell; the real one drops the schema.
    here.ask("CREATE SCHEMA own; CREATE TABLE own.t(a INT)");
    let (code, out, err) = here.ours(&["--create=", "--create-schema=own", "--query=SELECT a FROM t"]);
    assert_eq!((code, here.ask("SHOW TABLES FROM own").as_str()), (0, "t"), "{out}{err}");
}

/// Two jobs at the same time: the second one is refused, and what the first one works on stays.
#[test]
fn a_run_that_is_refused_leaves_the_schema_of_the_other() {
    let here = SlapDir::new(&[]);
    let first = here.at_server(&["-a", "--number-of-queries=8000"]).stdout(Stdio::piped()).spawn().unwrap();
    let begun = Instant::now();
    while here.ask("SELECT COUNT(*) FROM information_schema.PROCESSLIST WHERE INFO LIKE '%t1%' AND ID<>CONNECTION_ID()")
        == "0"
    {
        assert!(begun.elapsed() < Duration::from_secs(60));
        std::thread::sleep(Duration::from_millis(20));
    }
    let (code, out, err) = here.ours(&["-a", "--number-of-queries=4"]);
    assert!(code == 1 && err.contains("another run or load of Tenbin is under way"), "{code} {out}{err}");
    let output = first.wait_with_output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stdout));
    assert_eq!(here.ask("SHOW DATABASES LIKE 'mysqlslap'"), "");
}

/// Whatever character set the server gives new schemas.
#[test]
fn a_schema_may_have_a_name_in_any_script() {
    let here = SlapDir::new(&[("character_set_server", "latin1")]);
    let query = ["-a", "--number-of-queries=4", "--create-schema=新しい売上データ"];
    let (code, out, err) = here.ours(&query);
    assert_eq!(code, 0, "{out}{err}");
    assert_eq!(here.ask("SHOW DATABASES LIKE '新%'"), "", "dropped in the end");
    // A mark that cannot be written, here by a name that is too long for it: the schema does not stay without one.
    let long = format!("--create-schema={}", "s".repeat(60));
    let (code, _, err) = here.ours(&["-a", "--number-of-queries=4", &long]);
    assert!(code == 1 && err.contains("1406"), "{code} {err}");
    assert_eq!(here.ask("SHOW DATABASES LIKE 'sss%'"), "");
}

/// What somebody has put into the schema, or in place of a table of ours, would be lost with it.
#[test]
fn a_schema_in_which_somebody_has_put_something_stays() {
    let here = SlapDir::new(&[]);
    let some = ["-a", "--number-of-queries=4", "--no-drop"];
    for (statement, words) in [
        ("CREATE PROCEDURE mysqlslap.mine() SELECT 1", "procedure mine"),
        ("CREATE EVENT mysqlslap.theirs ON SCHEDULE EVERY 1 DAY DO SELECT 1", "event theirs"),
        ("CREATE TRIGGER mysqlslap.own BEFORE INSERT ON mysqlslap.t1 FOR EACH ROW SET @a = 1", "trigger own"),
        ("DROP TABLE mysqlslap.t1; CREATE TABLE mysqlslap.t1(mine INT)", "t1"),
    ] {
        assert_eq!(here.ours(&some).0, 0, "it is ours");
        here.ask(statement);
        let (code, _, err) = here.ours(&some);
        assert!(code == 1 && err.contains("not made by Tenbin") && err.contains(words), "{statement}: {err}");
        assert_eq!(here.ask("SHOW DATABASES LIKE 'mysqlslap'"), "mysqlslap", "{statement}");
        here.ask("DROP SCHEMA mysqlslap");
    }
    // What the user's own statements create or replace goes with the schema.
    let (code, _, err) = here.ours(&[
        "--create=create table t(a int); create procedure p() select 1",
        "--query=truncate t; drop table t; create table t(b int)",
        "--pre-query=create table log(a int)",
        "--delimiter=;",
        "-i2",
    ]);
    assert_eq!(code, 0, "{err}");
    assert_eq!(here.ask("SHOW DATABASES LIKE 'mysqlslap'"), "");
}

/// While the statements of the user create theirs: it has no mark, and the schema stays.
#[test]
fn a_table_that_somebody_creates_while_the_schema_is_made_stays() {
    let here = SlapDir::new(&[]);
    let create = "--create=create table t(a int); create procedure p() select 1; do sleep(2)";
    let line = [create, "--query=select a from t", "--number-of-queries=4", "--delimiter=;"];
    let running = here.at_server(&line).stdout(Stdio::piped()).spawn().unwrap();
    let begun = Instant::now();
    while here.ask("SELECT COUNT(*) FROM information_schema.TABLES WHERE TABLE_SCHEMA='mysqlslap' AND TABLE_NAME='t'")
        == "0"
    {
        assert!(begun.elapsed() < Duration::from_secs(60));
        std::thread::sleep(Duration::from_millis(20));
    }
    here.ask("CREATE TABLE mysqlslap.theirs(a INT)");
    let output = running.wait_with_output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stdout));
    assert_eq!(here.ask("SELECT COUNT(*) FROM mysqlslap.theirs"), "0");
    let marked = "SELECT GROUP_CONCAT(name ORDER BY name) FROM mysqlslap.tenbin_mark WHERE dataset='slap'";
    assert_eq!(here.ask(marked), "procedure p,schema mysqlslap,t");
}
