//! The driver against real servers of three generations: what a workload needs works on each, errors have their class.

#![expect(clippy::unwrap_used, reason = "a test may")]

use tenbin_driver::{Class, Transport, Value};
use tenbin_servers::sandbox::Sandbox;
use tenbin_tests::sql::{BOTH, Lines, connector, on, open_as};

/// Everything that is alike on all of them.
fn everything(server: &Sandbox, version: &str) {
    on(async {
        let packed = |dsn: String| format!("{dsn}{}compress=on", if dsn.contains('?') { "&" } else { "?" });
        for (dsn, transport) in [
            (server.dsn(), Transport::Shared),
            (server.dsn(), Transport::Alone),
            (server.socket_dsn(), Transport::Shared),
            (server.socket_dsn(), Transport::Alone),
            (packed(server.dsn()), Transport::Shared),
            (packed(server.socket_dsn()), Transport::Alone),
        ] {
            let mut c = open_as(&dsn, transport).await;
            assert!(c.server_version().starts_with(version), "{}", c.server_version());
            let compression = c.table("SHOW SESSION STATUS LIKE 'Compression'").await.unwrap();
            assert_eq!(compression.rows[0][1].as_deref() == Some("ON"), dsn.contains("compress"), "{dsn}");
            c.query("DROP TABLE IF EXISTS t").await.unwrap();
            c.query("CREATE TABLE t(id INT PRIMARY KEY, c VARCHAR(100), big LONGTEXT) ENGINE=InnoDB").await.unwrap();
            let loaded = c
                .load_local(
                    "LOAD DATA LOCAL INFILE 'x' INTO TABLE t FIELDS TERMINATED BY '\\t' (id, c)",
                    &mut Lines(20_000),
                )
                .await
                .unwrap();
            assert_eq!(loaded.affected, 20_000);
            let point = c.prepare("SELECT c FROM t WHERE id=?").await.unwrap();
            let range = c.prepare("SELECT id, c FROM t WHERE id BETWEEN ? AND ?").await.unwrap();
            let change = c.prepare("UPDATE t SET c=? WHERE id=?").await.unwrap();
            for id in 1..50 {
                assert_eq!(c.execute(point, &[Value::Int(id)]).await.unwrap().rows, 1);
            }
            assert_eq!(c.execute(range, &[Value::Int(1), Value::Int(20_000)]).await.unwrap().rows, 20_000);
            assert_eq!(c.execute(change, &[Value::Text(b"it's"), Value::Int(3)]).await.unwrap().affected, 1);
            assert_eq!(c.execute(change, &[Value::Null, Value::Int(4)]).await.unwrap().affected, 1);
            let table = c.table("SELECT id, c FROM t WHERE id IN (3, 4) ORDER BY id").await.unwrap();
            assert_eq!(table.columns, ["id", "c"]);
            assert_eq!(table.rows, [[Some("3".into()), Some("it's".into())], [Some("4".into()), None::<String>]]);
            // Several results in one answer.
            assert_eq!(
                c.query("SELECT 1; SELECT 2 UNION SELECT 3; UPDATE t SET c='x' WHERE id=5").await.unwrap().rows,
                3
            );
            // A value and a row of more than one packet of 16 MiB.
            c.query("SET GLOBAL max_allowed_packet=67108864").await.unwrap();
            let mut d = open_as(&dsn, transport).await;
            let big = vec![b'a'; 20_000_000];
            let put = d.prepare("UPDATE t SET big=? WHERE id=1").await.unwrap();
            assert_eq!(d.execute(put, &[Value::Text(&big)]).await.unwrap().affected, 1);
            assert_eq!(d.query("SELECT big FROM t WHERE id IN (1, 2)").await.unwrap().rows, 2);
            assert_eq!(d.table("SELECT LENGTH(big) FROM t WHERE id=1").await.unwrap().scalar(), Some("20000000"));
            let wrong = c.query("SELECT nonsense FROM t").await.unwrap_err();
            assert_eq!((wrong.class(), wrong.number()), (Class::Sql, Some(1054)));
            assert_eq!(
                c.execute(point, &[Value::Int(1)]).await.unwrap().rows,
                1,
                "the connection goes on after an error"
            );
            d.close().await;
            c.close().await;
        }
    });
}

#[test]
fn mariadb_10_11() {
    everything(&tenbin_tests::mariadb(&[]), "10.11");
}

#[test]
fn mariadb_11_4() {
    everything(&tenbin_tests::mariadb_11_4(&[]), "11.4");
}

#[test]
fn mysql_5_6() {
    everything(&tenbin_tests::mysql_5_6(&[]), "5.6");
}

#[test]
fn conflicts_losses_and_limits_have_their_class() {
    let server = tenbin_tests::mariadb(&[("innodb_lock_wait_timeout", "1"), ("max_prepared_stmt_count", "3")]);
    on(async {
        let dsn = server.dsn();
        let mut a = open_as(&dsn, Transport::Shared).await;
        let mut b = open_as(&dsn, Transport::Shared).await;
        a.query("CREATE TABLE t(id INT PRIMARY KEY, n INT) ENGINE=InnoDB").await.unwrap();
        a.query("INSERT INTO t VALUES (1, 0), (2, 0)").await.unwrap();
        a.query("BEGIN").await.unwrap();
        b.query("BEGIN").await.unwrap();
        a.query("UPDATE t SET n=1 WHERE id=1").await.unwrap();
        let wait = b.query("UPDATE t SET n=1 WHERE id=1").await.unwrap_err();
        assert_eq!((wait.class(), wait.number()), (Class::Conflict, Some(1205)));
        // A deadlock: each wants what the other has.
        b.query("UPDATE t SET n=1 WHERE id=2").await.unwrap();
        let (x, y) = tokio::join!(a.query("UPDATE t SET n=2 WHERE id=2"), b.query("UPDATE t SET n=2 WHERE id=1"));
        let error = x.err().or(y.err()).expect("one of them must give way");
        assert_eq!((error.class(), error.number()), (Class::Conflict, Some(1213)));
        a.query("ROLLBACK").await.unwrap();
        b.query("ROLLBACK").await.unwrap();

        for _ in 0..3 {
            a.prepare("SELECT 1").await.unwrap();
        }
        let many = a.prepare("SELECT 1").await.unwrap_err();
        assert_eq!((many.class(), many.number()), (Class::Limit, Some(1461)));

        let id = b.table("SELECT CONNECTION_ID()").await.unwrap().scalar().unwrap().to_owned();
        a.query(&format!("KILL {id}")).await.unwrap();
        assert_eq!(b.query("SELECT 1").await.unwrap_err().class(), Class::Lost);

        let file = a.query("LOAD DATA LOCAL INFILE '/etc/passwd' INTO TABLE t").await.unwrap_err();
        assert!(file.message().contains("/etc/passwd") && file.message().contains("not offered"), "{file}");
        assert_eq!(a.table("SELECT COUNT(*) FROM t").await.unwrap().scalar(), Some("2"));
    });
}

#[test]
fn accounts_and_wrong_doors() {
    let server = tenbin_tests::mariadb(&[("plugin_load_add", "auth_ed25519")]);
    on(async {
        let mut root = open_as(&server.dsn(), Transport::Shared).await;
        root.query("CREATE USER n@'127.0.0.1' IDENTIFIED BY 'secret-n'; GRANT ALL ON *.* TO n@'127.0.0.1'")
            .await
            .unwrap();
        root.query("CREATE USER e@'127.0.0.1' IDENTIFIED VIA ed25519 USING PASSWORD('secret-e'); GRANT ALL ON *.* TO e@'127.0.0.1'")
            .await
            .unwrap();
        let with = |account: &str| server.dsn().replace("root@", &format!("{account}@"));
        open_as(&with("n:secret-n"), Transport::Shared).await;
        open_as(&with("e:secret-e"), Transport::Alone).await;
        for account in ["n:wrong-word", "e:wrong-word", "nobody:wrong-word"] {
            let error = connector(&with(account)).connect(Transport::Shared).await.unwrap_err();
            assert_eq!(error.class(), Class::Refused, "{error}");
            assert!(!error.to_string().contains("wrong-word"), "{error}");
        }
        let tls = connector(&format!("{}?tls=required", server.dsn()));
        let error = tls.connect(Transport::Shared).await.unwrap_err();
        assert!(error.message().contains("does not offer TLS"), "{error}");
        let closed = connector("mysql://root@127.0.0.1:1/x");
        assert!(
            closed.connect(Transport::Shared).await.unwrap_err().message().contains("nothing answers at 127.0.0.1:1")
        );
        let lost = connector("mysql://root@no-such-host.invalid/x");
        assert!(lost.connect(Transport::Alone).await.unwrap_err().message().contains("is not known"));
    });
}

#[test]
fn tls_modes_verify_what_they_say() {
    let made = tenbin_tests::certificates("mysql");
    let path = |name: &str| made.path(name);
    let server = tenbin_tests::mariadb(&[
        ("ssl_ca", &path("ca.pem")),
        ("ssl_cert", &path("server.pem")),
        ("ssl_key", &path("server.key")),
    ]);
    on(async {
        let try_with = async |options: &str, transport| {
            let dsn = format!("{}?{options}", server.dsn());
            let mut c = connector(&dsn).connect(transport).await?;
            let cipher = c.table("SHOW STATUS LIKE 'Ssl_cipher'").await?.rows[0][1].clone().unwrap_or_default();
            assert_eq!(cipher.is_empty(), c.encrypted().is_none(), "what we say is what the server sees");
            Ok::<bool, tenbin_driver::Error>(!cipher.is_empty())
        };
        for transport in BOTH {
            assert!(!try_with("tls=disabled", transport).await.unwrap());
            assert!(try_with("tls=preferred", transport).await.unwrap());
            assert!(try_with("tls=required", transport).await.unwrap());
            assert!(try_with(&format!("tls=verify-ca&tls_ca={}", path("ca.pem")), transport).await.unwrap());
            let other = try_with(&format!("tls=verify-ca&tls_ca={}", path("other.pem")), transport).await.unwrap_err();
            assert!(other.message().contains("TLS with the server failed"), "{other}");
            // The certificate is for db.example, not for 127.0.0.1.
            try_with(&format!("tls=verify-identity&tls_ca={}", path("ca.pem")), transport).await.unwrap_err();
        }
    });
}
