//! The driver against Debian's PostgreSQL: statements, values, COPY, and the class of what goes wrong.

#![expect(clippy::unwrap_used, reason = "a test may")]

use tenbin_driver::{Class, Command, Connection, Rows, Value};
use tenbin_model::dsn::Dsn;
use tenbin_servers::sandbox::Sandbox;
use tenbin_tests::postgres;
use tenbin_tests::sql::{BOTH, Lines, connector, on, open_as};
use tenbin_words::message::foreign;

fn scalar(table: &tenbin_driver::Table) -> &str {
    table.scalar().unwrap()
}

#[test]
fn statements_values_and_loads_over_every_kind_of_socket() {
    let server = postgres(&[]);
    on(async {
        for (dsn, transport) in [
            (server.dsn(), BOTH[0]),
            (server.dsn(), BOTH[1]),
            (server.socket_dsn(), BOTH[0]),
            (server.socket_dsn(), BOTH[1]),
        ] {
            let mut c = open_as(&dsn, transport).await;
            assert!(c.server_version().starts_with("PostgreSQL 1"), "{}", c.server_version());
            c.query("DROP TABLE IF EXISTS t; CREATE TABLE t(id INT PRIMARY KEY, c CHAR(20), big TEXT, n NUMERIC(6,2), s SMALLINT, l BIGINT, f FLOAT8)")
                .await
                .unwrap();
            let copied = c.load_local("COPY t (id, c) FROM STDIN", &mut Lines(20_000)).await.unwrap();
            assert_eq!(copied.affected, 20_000);
            let point = c.prepare("SELECT c FROM t WHERE id=?").await.unwrap();
            let range = c.prepare("SELECT id, c FROM t WHERE id BETWEEN ? AND ?").await.unwrap();
            let change = c.prepare("UPDATE t SET c=? WHERE id=?").await.unwrap();
            for id in 1..50 {
                assert_eq!(c.execute(point, &[Value::Int(id)]).await.unwrap().rows, 1);
            }
            assert_eq!(c.execute(range, &[Value::Int(1), Value::Int(20_000)]).await.unwrap().rows, 20_000);
            assert_eq!(c.execute(change, &[Value::Text(b"it's"), Value::Int(3)]).await.unwrap().affected, 1);
            assert_eq!(c.execute(change, &[Value::Null, Value::Int(4)]).await.unwrap().affected, 1);
            let table = c.table("SELECT id, rtrim(c) AS c FROM t WHERE id IN (3, 4) ORDER BY id").await.unwrap();
            assert_eq!(table.columns, ["id", "c"]);
            assert_eq!(table.rows, [[Some("3".into()), Some("it's".into())], [Some("4".into()), None::<String>]]);
            // A value of every form, in and out again.
            let put = c.prepare("UPDATE t SET n=?, s=?, l=?, f=?, big=? WHERE id=?").await.unwrap();
            let values = [
                Value::Text(b"12.50"),
                Value::Int(-3),
                Value::Int(i64::MIN),
                Value::Float(0.1),
                Value::Int(7),
                Value::Int(5),
            ];
            assert_eq!(c.execute(put, &values).await.unwrap().affected, 1);
            let (get, mut rows) = (
                c.prepare("SELECT n, s, l, f, big, c IS NULL FROM t WHERE id >= ? AND id <= ? ORDER BY id")
                    .await
                    .unwrap(),
                Rows::default(),
            );
            for _ in 0..2 {
                assert_eq!(c.fetch(get, &[Value::Int(5), Value::Int(6)], &mut rows).await.unwrap().rows, 2);
                let row: Vec<Value> = (0..6).map(|column| rows.get(0, column).unwrap()).collect();
                let wanted = [
                    Value::Text(b"12.50"),
                    Value::Int(-3),
                    Value::Int(i64::MIN),
                    Value::Float(0.1),
                    Value::Text(b"7"),
                    Value::Text(b"f"),
                ];
                assert_eq!(
                    (row.as_slice(), rows.decimal(0, 0, 2), rows.get(1, 0)),
                    (&wanted[..], Some(1250), Some(Value::Null))
                );
            }
            // Several statements in one text; the rows of all of them.
            assert_eq!(
                c.query("SELECT 1; SELECT 2 UNION SELECT 3; UPDATE t SET c='x' WHERE id<6").await.unwrap(),
                tenbin_driver::Reply { rows: 3, affected: 5, changed_and_returned: 0, ..Default::default() }
            );
            assert_eq!(c.query("").await.unwrap().rows, 0);
            let big = vec![b'a'; 20_000_000];
            let put = c.prepare("UPDATE t SET big=? WHERE id=1").await.unwrap();
            assert_eq!(c.execute(put, &[Value::Text(&big)]).await.unwrap().affected, 1);
            assert_eq!(c.query("SELECT big FROM t WHERE id IN (1, 2)").await.unwrap().rows, 2);
            assert_eq!(scalar(&c.table("SELECT length(big), big FROM t WHERE id=1").await.unwrap()), "20000000");
            // Many parameters; BEGIN and COMMIT prepared; what has no columns.
            let marks = vec!["?"; 3000].join(", ");
            let many = c.prepare(&format!("SELECT count(*) FROM t WHERE id IN ({marks})")).await.unwrap();
            let values: Vec<Value> = (1..=3000).map(Value::Int).collect();
            assert_eq!(c.execute(many, &values).await.unwrap().rows, 1);
            let (begin, commit) = (c.prepare("BEGIN").await.unwrap(), c.prepare("COMMIT").await.unwrap());
            c.execute(begin, &[]).await.unwrap();
            assert_eq!(c.query("DELETE FROM t WHERE id=6").await.unwrap().affected, 1);
            c.execute(commit, &[]).await.unwrap();
            c.close().await;
        }
    });
}

#[test]
fn errors_have_their_class_and_the_connection_goes_on() {
    let server = postgres(&[("max_connections", "8"), ("superuser_reserved_connections", "3")]);
    on(async {
        let dsn = server.dsn();
        for transport in BOTH {
            let mut c = open_as(&dsn, transport).await;
            c.query("DROP TABLE IF EXISTS t; CREATE TABLE t(id INT PRIMARY KEY, n INT); INSERT INTO t VALUES (1, 0), (2, 0)").await.unwrap();
            let put = c.prepare("INSERT INTO t VALUES (?, ?)").await.unwrap();
            let of = |e: tenbin_driver::Error| (e.class(), e.label());
            let sql = |state: &str| (Class::Sql, state.to_owned());
            assert_eq!(of(c.query("SELECT nonsense FROM t").await.unwrap_err()), sql("42703"));
            assert_eq!(of(c.prepare("SELECT FROM WHERE").await.unwrap_err()), sql("42601"));
            assert_eq!(of(c.prepare("SELECT * FROM missing").await.unwrap_err()), sql("42P01"));
            assert_eq!(of(c.execute(put, &[Value::Int(1), Value::Int(1)]).await.unwrap_err()), sql("23505"));
            assert_eq!(of(c.execute(put, &[Value::Int(1 << 40), Value::Int(1)]).await.unwrap_err()), sql("22003"));
            assert!(c.execute(put, &[Value::Int(1)]).await.unwrap_err().message().contains("1 value for 2 parameters"));
            assert_eq!(of(c.load_local("COPY t FROM STDIN", &mut Lines(10)).await.unwrap_err()), sql("22P02"));
            assert_eq!(of(c.load_local("COPY missing FROM STDIN", &mut Lines(10)).await.unwrap_err()), sql("42P01"));
            assert_eq!(of(c.query("COPY t FROM STDIN").await.unwrap_err()), sql("57014"));
            // However it is sent: neither side waits for the other.
            let copy = c.prepare("COPY t FROM STDIN").await.unwrap();
            assert_eq!(of(c.execute(copy, &[]).await.unwrap_err()), sql("57014"));
            assert_eq!(of(c.fetch(copy, &[], &mut Rows::default()).await.unwrap_err()), sql("57014"));
            let mut replies = Vec::new();
            for command in [Command::Execute(copy, &[]), Command::Query("COPY t FROM STDIN")] {
                let both = [Command::Query("SELECT 1"), command];
                assert_eq!(of(c.pipelined(&both, &mut replies).await.unwrap_err()), sql("57014"));
                assert_eq!(replies.len(), 1);
                c.send(&both).await.unwrap();
                assert_eq!(c.answer(&mut Rows::default()).await.unwrap().rows, 1);
                assert_eq!(of(c.answer(&mut Rows::default()).await.unwrap_err()), sql("57014"));
            }
            assert_eq!(c.query("COPY t TO STDOUT").await.unwrap().affected, 2);
            // A failed transaction takes nothing more until it is rolled back, and its COMMIT is not one.
            c.query("BEGIN").await.unwrap();
            c.query("SELECT 1/0").await.unwrap_err();
            assert_eq!(of(c.execute(put, &[Value::Int(9), Value::Int(1)]).await.unwrap_err()), sql("25P02"));
            let end = c.query("COMMIT").await.unwrap_err();
            assert!(end.message().contains("rolled the transaction back"), "{end}");
            c.query("BEGIN; INSERT INTO t VALUES (9, 9)").await.unwrap();
            c.query("ROLLBACK").await.unwrap();
            assert_eq!(c.execute(put, &[Value::Int(3), Value::Int(1)]).await.unwrap().affected, 1);
        }
        let (mut a, mut b) = (open_as(&dsn, BOTH[0]).await, open_as(&dsn, BOTH[0]).await);
        // A deadlock: each wants what the other has.
        a.query("BEGIN; UPDATE t SET n=1 WHERE id=1").await.unwrap();
        b.query("BEGIN; UPDATE t SET n=1 WHERE id=2").await.unwrap();
        let (x, y) = tokio::join!(a.query("UPDATE t SET n=2 WHERE id=2"), b.query("UPDATE t SET n=2 WHERE id=1"));
        let error = x.err().or(y.err()).expect("one of them must give way");
        assert_eq!((error.class(), error.sqlstate()), (Class::Conflict, Some("40P01")));
        a.query("ROLLBACK").await.unwrap();
        b.query("ROLLBACK").await.unwrap();
        // A serialization failure, and a lock that is not waited for.
        for c in [&mut a, &mut b] {
            c.query("BEGIN ISOLATION LEVEL REPEATABLE READ; SELECT * FROM t").await.unwrap();
        }
        a.query("UPDATE t SET n=5 WHERE id=1; COMMIT").await.unwrap();
        let late = b.query("UPDATE t SET n=6 WHERE id=1").await.unwrap_err();
        assert_eq!((late.class(), late.sqlstate()), (Class::Conflict, Some("40001")));
        b.query("ROLLBACK").await.unwrap();
        a.query("BEGIN; UPDATE t SET n=5 WHERE id=1").await.unwrap();
        let locked = b.query("SELECT * FROM t WHERE id=1 FOR UPDATE NOWAIT").await.unwrap_err();
        assert_eq!((locked.class(), locked.sqlstate()), (Class::Conflict, Some("55P03")));
        a.query("ROLLBACK").await.unwrap();
        // Killed, while idle and in the middle of a statement.
        let id = scalar(&b.table("SELECT pg_backend_pid()").await.unwrap()).to_owned();
        a.query(&format!("SELECT pg_terminate_backend({id})")).await.unwrap();
        let there = format!("SELECT count(*) FROM pg_stat_activity WHERE pid = {id}");
        while scalar(&a.table(&there).await.unwrap()) != "0" {
            tokio::time::sleep(std::time::Duration::from_millis(20)).await;
        }
        let killed = b.query("SELECT 1").await.unwrap_err();
        assert_eq!((killed.class(), killed.sqlstate()), (Class::Lost, Some("57P01")), "{killed}");
        assert_eq!(b.query("SELECT 1").await.unwrap_err().class(), Class::Lost);
        let mut b = open_as(&dsn, BOTH[0]).await;
        let id = scalar(&b.table("SELECT pg_backend_pid()").await.unwrap()).to_owned();
        let kill = format!("SELECT pg_sleep(0.2), pg_terminate_backend({id})");
        let (_, slept) = tokio::join!(a.query(&kill), b.query("SELECT pg_sleep(30)"));
        assert_eq!(slept.unwrap_err().sqlstate(), Some("57P01"));
        // Too many connections, for an ordinary account.
        a.query("DROP ROLE IF EXISTS plain; CREATE ROLE plain LOGIN").await.unwrap();
        let plain = dsn.replace("postgres@", "plain@");
        let mut held = Vec::new();
        let full = loop {
            match connector(&plain).connect(BOTH[0]).await {
                Ok(c) => held.push(c),
                Err(e) => break e,
            }
            assert!(held.len() < 10);
        };
        assert_eq!((full.class(), full.sqlstate()), (Class::Limit, Some("53300")), "{full}");
        let denied = held[0].query("SELECT * FROM t").await.unwrap_err();
        assert_eq!((denied.class(), denied.sqlstate()), (Class::Refused, Some("42501")));
    });
}

/// Rewrites who may come in how, and tells the server.
async fn let_in(server: &Sandbox, root: &mut Connection, lines: &str) {
    std::fs::write(server.dir().join("data/pg_hba.conf"), format!("local all all trust\n{lines}\n")).unwrap();
    // Which a new connection inherits from the process that lets it in.
    let read_at = async || {
        let mut anew = open_as(&server.socket_dsn(), BOTH[0]).await;
        scalar(&anew.table("SELECT pg_conf_load_time()").await.unwrap()).to_owned()
    };
    let before = read_at().await;
    root.query("SELECT pg_reload_conf()").await.unwrap();
    while read_at().await == before {
        tokio::time::sleep(std::time::Duration::from_millis(20)).await;
    }
}

#[test]
fn every_kind_of_login() {
    let server = postgres(&[]);
    on(async {
        let mut root = open_as(&server.socket_dsn(), BOTH[0]).await;
        root.query("CREATE ROLE s LOGIN PASSWORD 'secret-s'").await.unwrap();
        root.query("SET password_encryption = md5; CREATE ROLE m LOGIN PASSWORD 'secret-m'").await.unwrap();
        root.query("CREATE ROLE shut; CREATE ROLE open LOGIN").await.unwrap();
        let_in(
            &server,
            &mut root,
            "host all s 127.0.0.1/32 scram-sha-256\nhost all m 127.0.0.1/32 md5\nhost all open 127.0.0.1/32 trust\nhost all shut 127.0.0.1/32 trust\n\
             host all p 127.0.0.1/32 password\nhost all g 127.0.0.1/32 gss",
        )
        .await;
        root.query("CREATE ROLE p LOGIN PASSWORD 'secret-p'; CREATE ROLE g LOGIN").await.unwrap();
        let with = |account: &str| server.dsn().replace("postgres@", &format!("{account}@"));
        let try_with = async |dsn: &str| {
            let error = connector(dsn).connect(BOTH[0]).await.map(|_| ()).unwrap_err();
            let message = error.problem(foreign("connecting")).to_string();
            assert!(!message.contains("secret-") && !message.contains("wrong-word"), "{message}");
            (error.class(), message)
        };
        for transport in BOTH {
            open_as(&with("s:secret-s"), transport).await;
            open_as(&with("m:secret-m"), transport).await;
            open_as(&with("open"), transport).await;
            open_as(&(with("p:secret-p") + "?cleartext=allow"), transport).await;
        }
        for account in ["s:wrong-word", "m:wrong-word"] {
            let (class, message) = try_with(&with(account)).await;
            assert!(
                class == Class::Refused && message.contains("28P01") && message.contains("--password-env"),
                "{message}"
            );
        }
        for (dsn, words) in [
            (with("s"), "asks for a password, and none was given"),
            (with("p:secret-p"), "clear text over an open line; it was not sent"),
            (with("shut"), "is not permitted to log in"),
            (with("stranger"), "SHOW hba_file"),
            (with("g:secret-g"), "GSSAPI, which Tenbin does not speak"),
            (with("open").replace("/sbtest", "/nowhere"), "CREATE DATABASE"),
            (with("open") + "?tls=required", "does not offer TLS"),
            (with("s:secret-s") + "?channel_binding=require", "channel binding is required"),
            (with("open") + "?channel_binding=require", "channel binding is required"),
            ("postgres://x@127.0.0.1:1/x".into(), "nothing answers at 127.0.0.1:1"),
            ("postgres://x@no-such-host.invalid/x".into(), "is not known"),
            ("postgres://x@/x?host=/nowhere&port=1".into(), "/nowhere/.s.PGSQL.1"),
        ] {
            let (class, message) = try_with(&dsn).await;
            assert!(class == Class::Refused && message.contains(words), "{dsn}: {message}");
        }
        let wrong = Dsn::parse(&(with("open") + "?sslmod=require")).unwrap_err();
        assert!(wrong.what.contains("\"sslmod\""), "{wrong}");
    });
}

#[test]
fn tls_modes_verify_what_they_say_and_bind_the_password() {
    let made = tenbin_tests::certificates("postgres");
    let server = postgres(&[
        ("ssl", "on"),
        ("ssl_cert_file", &made.path("server.pem")),
        ("ssl_key_file", &made.path("server.key")),
        ("log_connections", "on"),
    ]);
    on(async {
        let mut root = open_as(&server.socket_dsn(), BOTH[0]).await;
        root.query(
            "CREATE ROLE s LOGIN PASSWORD 'secret-s'; CREATE ROLE p LOGIN PASSWORD 'secret-p'; CREATE ROLE n LOGIN",
        )
        .await
        .unwrap();
        let lines = "hostssl all s 127.0.0.1/32 scram-sha-256\nhostssl all p 127.0.0.1/32 password\nhostnossl all n 127.0.0.1/32 trust\nhost all postgres 127.0.0.1/32 trust";
        let_in(&server, &mut root, lines).await;
        let try_as = async |account: &str, options: &str, transport| {
            let dsn = format!("{}?{options}", server.dsn().replace("postgres@", &format!("{account}@")));
            let mut c = connector(&dsn).connect(transport).await?;
            let encryption = c.table("SELECT ssl::text FROM pg_stat_ssl WHERE pid = pg_backend_pid()").await?;
            assert_eq!(scalar(&encryption) == "true", c.encrypted().is_some(), "what we say is what the server sees");
            Ok::<bool, tenbin_driver::Error>(c.encrypted().is_some())
        };
        for transport in BOTH {
            let root = async |options: &str| try_as("postgres", options, transport).await;
            for (options, encrypted) in [
                ("tls=disabled", false),
                ("sslmode=disable", false),
                ("tls=preferred", true),
                ("sslmode=prefer", true),
                ("", true),
                ("tls=required", true),
                (&format!("tls=verify-ca&tls_ca={}", made.path("ca.pem")), true),
                (&format!("sslmode=verify-ca&sslrootcert={}", made.path("ca.pem")), true),
            ] {
                assert_eq!(root(options).await.unwrap(), encrypted, "{options}");
            }
            let other = root(&format!("tls=verify-ca&tls_ca={}", made.path("other.pem"))).await.unwrap_err();
            assert!(other.message().contains("TLS with the server failed"), "{other}");
            // The certificate is for db.example, not for 127.0.0.1.
            root(&format!("sslmode=verify-full&sslrootcert={}", made.path("ca.pem"))).await.unwrap_err();
            // Bound to the channel where both can, unbound where the address says so; the server insists on neither.
            for options in ["", "channel_binding=require", "channel_binding=disable"] {
                assert!(try_as("s:secret-s", options, transport).await.unwrap(), "{options}");
            }
            assert!(try_as("s:wrong-word", "", transport).await.is_err());
            assert!(try_as("p:secret-p", "", transport).await.unwrap(), "clear text is safe inside of TLS");
            let only_tls = try_as("s:secret-s", "tls=disabled", transport).await.unwrap_err();
            assert_eq!((only_tls.class(), only_tls.sqlstate()), (Class::Refused, Some("28000")));
            assert!(!try_as("n", "", transport).await.unwrap(), "preferred comes in where the server wants no TLS");
            assert!(try_as("n", "tls=required", transport).await.is_err());
        }
    });
    // What the server logged is the only witness of how it was proven.
    let log = std::fs::read_to_string(server.dir().join("error.log")).unwrap();
    assert!(log.contains("authenticated: identity=\"s\" method=scram-sha-256"), "{log}");
}
