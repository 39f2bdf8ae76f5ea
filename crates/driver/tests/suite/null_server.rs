//! The MySQL driver over real sockets, against a server that shares no code with it.

#![expect(clippy::unwrap_used, reason = "a test may")]

use std::future::poll_fn;
use std::io::{Read, Write};
use std::net::TcpListener;
use std::pin::pin;
use std::time::Duration;
use tenbin_driver::{Class, Connection, Connector, Error, Reply, Rows, Source, Transport, Value};
use tenbin_model::dsn::Dsn;
use tenbin_null_server::{Options, RunningServer, spawn};
use tenbin_sockets::Poller;
use tenbin_words::message::foreign;

const BOTH: [Transport; 2] = [Transport::Shared, Transport::Alone];

fn server(change: impl FnOnce(&mut Options)) -> RunningServer {
    let mut options = Options::default();
    change(&mut options);
    spawn(options).unwrap()
}

fn address(server: &RunningServer) -> String {
    format!("mysql://anybody@127.0.0.1:{}/sbtest?tls=disabled", server.port())
}

async fn connect(dsn: &str, transport: Transport) -> Result<Connection, Error> {
    Connector::new(Dsn::parse(dsn).unwrap(), Some("not-to-be-told".into())).unwrap().connect(transport).await
}

/// Does the work twice: with sockets of the runtime, and with those of a poller, as the clients of an event loop have them.
fn on(work: impl AsyncFn()) {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(work());
    runtime.block_on(async {
        let _entered = Poller::enter().unwrap();
        polled(work()).await;
    });
}

/// Polls the work when its sockets have received something, and when it is woken otherwise.
async fn polled(work: impl Future<Output = ()>) {
    let (poller, mut work) = (Poller::current().unwrap(), pin!(work));
    poll_fn(|cx| {
        poller.wake_on_arrival(cx);
        let mut ready = Vec::new();
        loop {
            poller.begin(0, cx.waker());
            let done = work.as_mut().poll(cx);
            poller.end();
            poller.look(Duration::ZERO, &mut ready);
            if done.is_ready() || std::mem::take(&mut ready).is_empty() {
                return done;
            }
        }
    })
    .await;
}

/// This many chunks of 100 kB each.
struct Chunks(u32);

impl Source for Chunks {
    fn fill(&mut self, out: &mut Vec<u8>) {
        if self.0 > 0 {
            self.0 -= 1;
            out.resize(out.len() + 100_000, b'x');
        }
    }
}

#[test]
fn fetched_rows_are_those_counted_and_the_memory_is_used_again() {
    let server = server(|o| o.rows = 7);
    on(async || {
        for transport in BOTH {
            let mut c = connect(&address(&server), transport).await.unwrap();
            let range = c.prepare("SELECT id, c FROM sbtest1 WHERE id BETWEEN ? AND ?").await.unwrap();
            let change = c.prepare("UPDATE sbtest1 SET k=k+1 WHERE id=?").await.unwrap();
            let mut rows = Rows::default();
            for _ in 0..3 {
                let reply = c.fetch(range, &[Value::Int(1), Value::Int(7)], &mut rows).await.unwrap();
                assert_eq!((reply.rows, rows.len()), (7, 7));
                for row in 0..7 {
                    assert!(rows.get(row, 0).is_some() && rows.text(row, 1).is_some(), "{rows:?}");
                    assert!(rows.get(row, 2).is_none());
                }
                let reply = c.fetch(change, &[Value::Int(1)], &mut rows).await.unwrap();
                assert_eq!((reply.affected, rows.len()), (1, 0), "rows of an earlier answer are gone");
            }
        }
    });
}

#[test]
fn statements_rows_and_loads_over_every_kind_of_socket() {
    let dir = tempfile::tempdir().unwrap();
    let socket = dir.path().join("s");
    let server = server(|o| (o.socket, o.rows) = (Some(socket.clone()), 7));
    on(async || {
        let by_socket = format!("mysql://anybody@localhost/sbtest?socket={}", socket.display());
        for dsn in [address(&server), by_socket] {
            for transport in BOTH {
                let mut c = connect(&dsn, transport).await.unwrap();
                assert!(!c.server_version().is_empty());
                assert_eq!(c.encrypted(), None);
                let point = c.prepare("SELECT c FROM sbtest1 WHERE id=?").await.unwrap();
                let range = c.prepare("SELECT c FROM sbtest1 WHERE id BETWEEN ? AND ?").await.unwrap();
                let insert = c.prepare("INSERT INTO sbtest1 (id, k, c, pad) VALUES (?, ?, ?, ?)").await.unwrap();
                for id in 1..20 {
                    let one = Reply { rows: 1, ..Reply::default() };
                    assert_eq!(c.execute(point, &[Value::Int(id)]).await.unwrap(), one);
                }
                // Types that change between executions are sent again.
                assert_eq!(c.execute(point, &[Value::Text(b"7")]).await.unwrap().rows, 1);
                assert_eq!(c.execute(range, &[Value::Int(1), Value::Int(7)]).await.unwrap().rows, 7);
                let row = [Value::Int(1), Value::Null, Value::Text(&[b'c'; 300]), Value::Float(0.5)];
                assert_eq!(c.execute(insert, &row).await.unwrap(), Reply { affected: 1, ..Reply::default() });
                let short = c.execute(range, &[Value::Int(1)]).await.unwrap_err();
                assert_eq!(short.class(), Class::Sql, "{short}");

                assert_eq!(c.query("UPDATE sbtest1 SET k=k+1 WHERE id=1").await.unwrap().affected, 1);
                let wrong = c.query("SELECT @@nonsense").await.unwrap_err();
                assert_eq!((wrong.class(), wrong.number()), (Class::Sql, Some(1193)));
                let table = c.table("SHOW VARIABLES LIKE 'local_infile'").await.unwrap();
                assert_eq!(table.rows, [[Some("local_infile".to_owned()), Some("ON".to_owned())]]);
                assert_eq!(table.columns.len(), 2);

                let sql = "LOAD DATA LOCAL INFILE 'offered' INTO TABLE sbtest1";
                c.load_local(sql, &mut Chunks(30)).await.unwrap();
                c.load_local(sql, &mut Chunks(0)).await.unwrap();
                let request = c.query("LOAD DATA LOCAL INFILE '/etc/passwd' INTO TABLE sbtest1").await.unwrap_err();
                assert!(request.message().contains("/etc/passwd"), "{request}");
                assert_eq!(c.execute(point, &[Value::Int(1)]).await.unwrap().rows, 1, "it goes on after a refusal");
                c.close().await;
            }
        }
    });
}

#[test]
fn injected_errors_and_dropped_connections_have_their_class() {
    let failing = server(|o| (o.error_rate, o.error_code) = (1.0, 1213));
    let dropping = server(|o| o.drop_every = Some(1));
    on(async || {
        for transport in BOTH {
            let mut c = connect(&address(&failing), transport).await.unwrap();
            for _ in 0..3 {
                let error = c.query("SELECT c FROM sbtest1 WHERE id=1").await.unwrap_err();
                assert_eq!((error.class(), error.number()), (Class::Conflict, Some(1213)));
            }
            let mut c = connect(&address(&dropping), transport).await.unwrap();
            for number in [2013, 2006] {
                let error = c.query("SELECT c FROM sbtest1 WHERE id=1").await.unwrap_err();
                assert_eq!((error.class(), error.number()), (Class::Lost, Some(number)), "{error}");
                assert_eq!(error.sqlstate(), Some("HY000"));
            }
        }
    });
}

#[test]
fn a_connection_whose_answer_was_abandoned_says_so() {
    // The login is held back as well.
    let slow = server(|o| o.delay = Duration::from_secs(1));
    on(async || {
        let mut c = connect(&address(&slow), Transport::Shared).await.unwrap();
        // Sent, looked at once, dropped.
        tokio::time::timeout(Duration::ZERO, c.query("SELECT c FROM sbtest1 WHERE id=1")).await.unwrap_err();
        let error = c.query("SELECT 1").await.unwrap_err();
        assert_eq!(error.class(), Class::Lost, "{error}");
        assert!(error.message().contains("not read to its end"), "{error}");
    });
}

/// Accepts, says `first`, and nothing more until the client has gone.
fn says(first: &'static [u8]) -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    std::thread::spawn(move || {
        for stream in listener.incoming().take(8) {
            let mut stream = stream.unwrap();
            stream.write_all(first).unwrap();
            let _ = stream.read_to_end(&mut Vec::new());
        }
    });
    port
}

#[test]
fn a_silent_server_is_given_up_and_a_strange_one_refused() {
    let cases: [(&'static [u8], Class, &str); 6] = [
        (b"", Class::Refused, "did not let us in within 0.2 s"),
        (b"\x4a\x00\x00\x00\x0a5.", Class::Refused, "did not let us in within 0.2 s"),
        (b"SSH-2.0-OpenSSH_9.2\r\n", Class::Protocol, "does not speak the MySQL protocol"),
        (b"\x01\x00\x00\x00\x09", Class::Protocol, "does not speak the MySQL protocol"),
        // A greeting of 16 MiB is refused before it has come.
        (b"\xff\xff\xff\x00\x0a", Class::Protocol, "does not speak the MySQL protocol"),
        (b"\x17\x00\x00\x00\xff\x10\x04Too many connections", Class::Limit, "Too many connections"),
    ];
    on(async || {
        for (first, class, words) in cases {
            // What is refused at once is refused by a busy machine too.
            let limit = if words.contains("0.2 s") { "0.2" } else { "20" };
            let dsn = format!("mysql://x@127.0.0.1:{}/?connect_timeout_s={limit}", says(first));
            for transport in BOTH {
                let error = connect(&dsn, transport).await.unwrap_err();
                assert_eq!(error.class(), class, "{first:?}: {error}");
                assert!(error.message().contains(words), "{first:?}: {error}");
                assert!(!format!("{error} {error:?}").contains("not-to-be-told"));
            }
        }
    });
}

#[test]
fn wrong_doors_and_wrong_options() {
    let server = server(|_| ());
    on(async || {
        for transport in BOTH {
            let dsn = address(&server).replace("disabled", "required");
            let error = connect(&dsn, transport).await.unwrap_err();
            assert_eq!(error.class(), Class::Refused, "{error}");
            assert!(error.message().contains("does not offer TLS"), "{error}");
            let error = connect("mysql://x@localhost/?socket=/nonexistent/s", transport).await.unwrap_err();
            assert!(
                error.message().contains("/nonexistent/s") && error.problem(foreign("x")).hint.is_some(),
                "{error}"
            );
        }
    });
    for options in [
        "tls=verify-ca",
        "tls=verify-ca&tls_ca=/nonexistent.pem",
        "tls=verify-ca&tls_ca=/dev/zero",
        "connect_timeout_s=soon",
    ] {
        let dsn = Dsn::parse(&format!("mysql://x@127.0.0.1/?{options}")).unwrap();
        assert!(Connector::new(dsn, None).is_err(), "{options}");
    }
}
