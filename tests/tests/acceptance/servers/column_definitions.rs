//! MariaDB leaves out the definitions of columns that a client knows: rows are read rightly whatever has changed since, and a reply has
//! as many bytes as with MariaDB's own library, which sysbench uses.

#![expect(clippy::unwrap_used, reason = "a test may")]

use tenbin_driver::{Command, Connection, Rows, Value};
use tenbin_tests::sql::{BOTH, on, open, open_as, query};
use tenbin_tests::sysbench::{SysbenchDir, address};
use tenbin_tests::{mariadb, mysql};

#[test]
fn rows_are_read_as_the_table_is_now() {
    let (mariadb, mysql) = (mariadb(&[]), mysql("8.0.31", &[]));
    on(async {
        for dsn in [mariadb.dsn(), format!("{}?compress=on", mariadb.dsn()), mysql.dsn()] {
            for transport in BOTH {
                let mut c = open_as(&dsn, transport).await;
                changes(&mut c, &mut open(&dsn).await).await;
                c.close().await;
            }
        }
    });
}

async fn changes(c: &mut Connection, other: &mut Connection) {
    c.query("DROP TABLE IF EXISTS defined").await.unwrap();
    c.query("CREATE TABLE defined (id INT PRIMARY KEY, v INT UNSIGNED)").await.unwrap();
    c.query("INSERT INTO defined VALUES (1, 4294967295)").await.unwrap();
    let (mut rows, id) = (Rows::default(), [Value::Int(1)]);
    let all = c.prepare("SELECT * FROM defined WHERE id=?").await.unwrap();
    for _ in 0..2 {
        assert_eq!(c.fetch(all, &id, &mut rows).await.unwrap().rows, 1);
        assert_eq!((rows.width(), rows.get(0, 1)), (2, Some(Value::Int(4_294_967_295))));
    }
    // The definitions come with the first execution after a change, here one whose rows are not wanted.
    other.query("ALTER TABLE defined MODIFY v VARCHAR(20)").await.unwrap();
    assert_eq!(c.execute(all, &id).await.unwrap().rows, 1);
    assert_eq!(c.fetch(all, &id, &mut rows).await.unwrap().rows, 1);
    assert_eq!(rows.get(0, 1), Some(Value::Text(b"4294967295")));
    other.query("ALTER TABLE defined ADD w DOUBLE NOT NULL DEFAULT 0.5").await.unwrap();
    for _ in 0..2 {
        assert_eq!(c.fetch(all, &id, &mut rows).await.unwrap().rows, 1);
        assert_eq!((rows.width(), rows.get(0, 2)), (3, Some(Value::Float(0.5))));
    }
    // A text between two executions; statements that are sent together, if the connection does that.
    assert_eq!(c.table("SELECT v, w FROM defined").await.unwrap().rows.len(), 1);
    other.query("ALTER TABLE defined DROP v").await.unwrap();
    if c.sends_ahead() {
        c.send(&[Command::Execute(all, &id), Command::Fetch(all, &id), Command::Query("SELECT 1")]).await.unwrap();
        assert_eq!((c.answer(&mut rows).await.unwrap().rows, rows.len()), (1, 0));
        assert_eq!((c.answer(&mut rows).await.unwrap().rows, rows.width()), (1, 2));
        assert_eq!(rows.get(0, 1), Some(Value::Float(0.5)));
        assert_eq!(c.answer(&mut rows).await.unwrap().rows, 1);
    }
    // Another character set changes definitions, too; and another statement does not.
    c.query("SET NAMES latin1").await.unwrap();
    let text = c.prepare("SELECT CONCAT('a', ?), 7").await.unwrap();
    for value in ["b", "c"] {
        assert_eq!(c.fetch(text, &[Value::Text(value.as_bytes())], &mut rows).await.unwrap().rows, 1);
        assert_eq!((rows.text(0, 0), rows.get(0, 1)), (Some(&*[b"a", value.as_bytes()].concat()), Some(Value::Int(7))));
        c.query("SET NAMES utf8mb4").await.unwrap();
    }
    // The results of a procedure are always defined.
    c.query("DROP PROCEDURE IF EXISTS twice").await.unwrap();
    c.query("CREATE PROCEDURE twice() BEGIN SELECT w FROM defined; SELECT 1, 2, 3; END").await.unwrap();
    let call = c.prepare("CALL twice()").await.unwrap();
    for _ in 0..2 {
        assert_eq!(c.execute(call, &[]).await.unwrap().rows, 2);
        assert_eq!(c.fetch(call, &[], &mut rows).await.unwrap().rows, 2);
        assert_eq!((rows.width(), rows.len(), rows.get(0, 0)), (1, 1, Some(Value::Float(0.5))));
    }
    c.query("DROP PROCEDURE twice").await.unwrap();
}

#[test]
fn a_reply_has_as_many_bytes_as_with_the_real_sysbench() {
    let (server, dir) = (mariadb(&[]), SysbenchDir::create());
    let line = format!("oltp_point_select {} --table-size=1000 --time=0 --events=20000", address(&server));
    let well = |(code, out, err): (i32, String, String)| assert_eq!(code, 0, "{out}{err}");
    let sent = || query(&server, "SHOW GLOBAL STATUS LIKE 'Bytes_sent'")[0][1].parse::<f64>().unwrap();
    well(dir.theirs(&format!("{line} prepare")));
    let per_event = |run: &dyn Fn(&str) -> (i32, String, String)| {
        let before = sent();
        well(run(&format!("{line} run")));
        (sent() - before) / 20_000.0
    };
    let bytes = [per_event(&|line| dir.theirs(line)), per_event(&|line| dir.ours(line))];
    // What we ask beside the load is some 100 KB, the same for any number of events.
    assert!(bytes[0] > 140.0 && bytes[1] < bytes[0] + 30.0, "bytes for an event: {bytes:?}");
}
