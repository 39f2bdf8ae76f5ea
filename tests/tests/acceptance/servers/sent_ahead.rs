//! Statements that go out together, on real servers: every answer in its place whatever the others do, and TPC-C that
//! stays consistent with them.

#![expect(clippy::unwrap_used, reason = "a test may")]

use tenbin_driver::{Class, Command, Connection, Rows, Value};
use tenbin_tests::sql::{BOTH, on, open, open_as};
use tenbin_tests::tpcc::{bench, check, loaded};
use tenbin_tests::{balanced, mariadb, output_of, postgres};

#[test]
fn every_answer_comes_in_its_place() {
    let (mariadb, postgres) = (mariadb(&[]), postgres(&[]));
    on(async {
        for dsn in [mariadb.dsn(), mariadb.socket_dsn(), postgres.dsn(), postgres.socket_dsn()] {
            for transport in BOTH {
                let mut c = open_as(&dsn, transport).await;
                assert!(c.sends_ahead(), "{dsn}");
                answers(&mut c).await;
                c.close().await;
            }
        }
    });
}

async fn answers(c: &mut Connection) {
    c.query("DROP TABLE IF EXISTS ahead").await.unwrap();
    c.query("CREATE TABLE ahead (id INT PRIMARY KEY, c VARCHAR(2000))").await.unwrap();
    let insert = c.prepare("INSERT INTO ahead VALUES (?, ?)").await.unwrap();
    let read = c.prepare("SELECT id, c FROM ahead WHERE id<=? ORDER BY id").await.unwrap();
    let (mut rows, long) = (Rows::default(), [b'x'; 2000]);

    // Rows only for who asked; a text beside prepared ones; an answer larger than the buffer.
    let [first, second, all] =
        [[Value::Int(1), Value::Text(b"one")], [Value::Int(2), Value::Text(&long)], [Value::Int(9), Value::Null]];
    let asks = [
        Command::Execute(insert, &first),
        Command::Execute(insert, &second),
        Command::Fetch(read, &all[..1]),
        Command::Query("UPDATE ahead SET c='uno' WHERE id=1"),
        Command::Execute(read, &all[..1]),
        Command::Fetch(read, &first[..1]),
    ];
    c.send(&asks).await.unwrap();
    for _ in 0..2 {
        assert_eq!(c.answer(&mut rows).await.unwrap().affected, 1);
        assert!(rows.is_empty());
    }
    assert_eq!(c.answer(&mut rows).await.unwrap().rows, 2);
    assert_eq!((rows.text(0, 1), rows.text(1, 1)), (Some(&b"one"[..]), Some(&long[..])));
    assert_eq!(c.answer(&mut rows).await.unwrap().affected, 1);
    assert_eq!((c.answer(&mut rows).await.unwrap().rows, rows.len()), (2, 0));
    assert_eq!((c.answer(&mut rows).await.unwrap().rows, rows.text(0, 1)), (1, Some(&b"uno"[..])));
    assert_eq!(c.answer(&mut rows).await.unwrap_err().class(), Class::Protocol, "no more is owed");

    // A refusal in the middle: those behind it are answered, and with other types the statement goes on.
    let third = [Value::Int(3), Value::Null];
    c.send(&[Command::Execute(insert, &first), Command::Execute(insert, &third), Command::Fetch(read, &all[..1])])
        .await
        .unwrap();
    let refused = c.answer(&mut rows).await.unwrap_err();
    assert_eq!(refused.class(), Class::Sql, "{refused:?}");
    assert_eq!(c.answer(&mut rows).await.unwrap().affected, 1);
    assert_eq!((c.answer(&mut rows).await.unwrap().rows, rows.get(2, 1)), (3, Some(Value::Null)));
    let fourth = [Value::Int(4), Value::Text(b"four")];
    assert_eq!(c.execute(insert, &fourth).await.unwrap().affected, 1);

    // Nothing goes out when one of them cannot.
    let wrong = c.send(&[Command::Query("DELETE FROM ahead"), Command::Execute(insert, &all[..1])]).await.unwrap_err();
    assert_eq!(wrong.class(), Class::Sql, "{wrong:?}");
    assert_eq!(c.fetch(read, &all[..1], &mut rows).await.unwrap().rows, 4);

    // Answers that are not read: the connection takes nothing more.
    c.send(&[Command::Execute(read, &all[..1]), Command::Fetch(read, &all[..1])]).await.unwrap();
    c.answer(&mut rows).await.unwrap();
    assert_eq!(c.query("SELECT 1").await.unwrap_err().class(), Class::Lost);
}

#[test]
fn what_takes_one_at_a_time_says_so() {
    let server = mariadb(&[]);
    let packed = format!("{}?compress=on", server.dsn());
    on(async {
        let mut c = open(&packed).await;
        assert!(!c.sends_ahead());
        assert_eq!(c.send(&[Command::Query("SELECT 1")]).await.unwrap_err().class(), Class::Sql);
        assert_eq!(c.query("SELECT 1").await.unwrap().rows, 1);
    });
    let runs = tempfile::tempdir().unwrap();
    loaded(&server.dsn(), 1, &[]);
    let (code, _, err) = output_of(&mut bench(&packed, 1, runs.path(), &["-o", "pipeline=on"]));
    assert!(code != 0 && err.contains("one statement at a time, because it is compressed"), "{err}");
    let sqlite = format!("sqlite:{}", runs.path().join("t.db").display());
    let (code, _, err) = output_of(&mut bench(&sqlite, 1, runs.path(), &["-o", "pipeline=on"]));
    assert!(code != 0 && err.contains("SQLite answers in the call") && err.contains("leave out pipeline"), "{err}");
}

#[test]
fn tpcc_stays_consistent_with_statements_sent_together() {
    let (mariadb, postgres, runs) = (mariadb(&[]), postgres(&[]), tempfile::tempdir().unwrap());
    for dsn in [mariadb.dsn(), postgres.dsn()] {
        loaded(&dsn, 2, &[]);
        for isolation in ["isolation=read_committed", "isolation=repeatable_read"] {
            let options = ["-o", "warehouses=2", "-o", "pipeline=on", "-o", isolation, "--json"];
            let (code, out, err) = output_of(&mut bench(&dsn, 3, runs.path(), &options));
            let json: serde_json::Value = serde_json::from_str(&out).unwrap_or_else(|e| panic!("{e}: {err}"));
            // PostgreSQL may leave some that could not be serialized after all attempts.
            assert!(code == 0 || code == 2 && dsn.starts_with("postgres"), "{err}");
            assert!(balanced(&json)["completed"].as_u64().unwrap() > 100, "{out}");
            let statements = &json["trials"][0]["statements"];
            for name in ["new_order_lines", "delivery_balance", "stock_level_low", "commit"] {
                assert!(statements[name]["completed"].as_u64().unwrap() > 0, "{name}: {statements}");
            }
            assert_eq!(statements["begin"].is_object(), dsn.starts_with("postgres"), "{statements}");
        }
        check(&dsn, &[]);
    }
}
