//! The server as a client meets it: bytes over real sockets, cut in unkind places.

#![expect(clippy::unwrap_used, reason = "a failed step fails the test")]

use std::io::{Read, Write};
use std::net::TcpStream;
use std::os::unix::net::UnixStream;
use std::time::{Duration, Instant};
use tenbin_null_server::{Options, RunningServer, spawn};

/// PROTOCOL_41, SECURE_CONNECTION, PLUGIN_AUTH; without and with DEPRECATE_EOF.
const CLASSIC: u32 = 1 << 9 | 1 << 15 | 1 << 19;
const EOFLESS: u32 = CLASSIC | 1 << 24;

const QUERY: u8 = 0x03;
const PREPARE: u8 = 0x16;
const EXECUTE: u8 = 0x17;

/// A client that knows just enough.
struct Client<S>(S);

impl Client<TcpStream> {
    fn connect(server: &RunningServer, capabilities: u32) -> Self {
        let stream = TcpStream::connect(("127.0.0.1", server.port())).unwrap();
        stream.set_nodelay(true).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(20))).unwrap();
        Client(stream).login(capabilities)
    }
}

impl<S: Read + Write> Client<S> {
    fn login(mut self, capabilities: u32) -> Self {
        let (seq, greeting) = self.packet().unwrap();
        assert_eq!((seq, greeting[0]), (0, 10));
        let mut response = capabilities.to_le_bytes().to_vec();
        response.extend_from_slice(&[0, 0, 0, 1, 33]);
        response.extend_from_slice(&[0; 23]);
        response.extend_from_slice(b"anybody\0\x00mysql_native_password\0");
        self.send(1, &response);
        let (seq, ok) = self.packet().unwrap();
        assert_eq!((seq, ok[0]), (2, 0), "{ok:?}");
        self
    }

    fn send(&mut self, seq: u8, payload: &[u8]) {
        self.0.write_all(&framed(seq, payload)).unwrap();
    }

    fn packet(&mut self) -> Option<(u8, Vec<u8>)> {
        let mut head = [0; 4];
        self.0.read_exact(&mut head).ok()?;
        let mut payload = vec![0; u32::from_le_bytes([head[0], head[1], head[2], 0]) as usize];
        self.0.read_exact(&mut payload).ok()?;
        Some((head[3], payload))
    }

    fn command(&mut self, command: u8, body: &[u8]) -> Vec<Vec<u8>> {
        self.send(0, &[&[command], body].concat());
        self.answer()
    }

    /// The packets of one answer without DEPRECATE_EOF: one, or columns, EOF, rows, EOF.
    fn answer(&mut self) -> Vec<Vec<u8>> {
        let first = self.packet().unwrap().1;
        let mut all = vec![first];
        if !matches!(all[0][0], 0 | 0xff | 0xfb) {
            for _ in 0..2 {
                while all.last().unwrap()[0] != 0xfe || all.len() == 1 {
                    all.push(self.packet().unwrap().1);
                }
                if all.iter().filter(|p| p[0] == 0xfe).count() < 2 {
                    all.push(self.packet().unwrap().1);
                }
            }
        }
        all
    }

    fn rows(&mut self, sql: &str) -> usize {
        let all = self.command(QUERY, sql.as_bytes());
        all.len() - 1 - usize::from(all[0][0]) - 2
    }

    /// `name, value` rows as the server's own table gives them.
    fn figure(&mut self, name: &str) -> u64 {
        let all = self.command(QUERY, b"SHOW NULL_SERVER STATUS");
        let row = all.iter().find(|p| p[1..].starts_with(name.as_bytes()) && p.len() > name.len() + 1).unwrap();
        std::str::from_utf8(&row[name.len() + 2..]).unwrap().parse().unwrap()
    }

    /// Prepares; answers with the statement's number, columns and parameters.
    fn prepare(&mut self, sql: &str) -> (u32, u16, u16) {
        self.send(0, &[&[PREPARE], sql.as_bytes()].concat());
        let head = self.packet().unwrap().1;
        assert_eq!(head[0], 0);
        let (columns, parameters) = (u16::from_le_bytes([head[5], head[6]]), u16::from_le_bytes([head[7], head[8]]));
        for group in [parameters, columns].into_iter().filter(|n| *n > 0) {
            for _ in 0..=group {
                self.packet().unwrap();
            }
        }
        (u32::from_le_bytes([head[1], head[2], head[3], head[4]]), columns, parameters)
    }

    fn execute(&mut self, statement: u32) -> Vec<Vec<u8>> {
        self.command(EXECUTE, &[&statement.to_le_bytes()[..], &[0, 1, 0, 0, 0]].concat())
    }
}

fn framed(seq: u8, payload: &[u8]) -> Vec<u8> {
    [&(payload.len() as u32).to_le_bytes()[..3], &[seq], payload].concat()
}

fn error_code(answer: &[Vec<u8>]) -> Option<u16> {
    (answer[0][0] == 0xff).then(|| u16::from_le_bytes([answer[0][1], answer[0][2]]))
}

fn server(change: impl FnOnce(&mut Options)) -> RunningServer {
    let mut options = Options::default();
    change(&mut options);
    spawn(options).unwrap()
}

#[test]
fn text_queries_get_rows_ok_or_variables() {
    let server = server(|o| o.rows = 7);
    let mut client = Client::connect(&server, CLASSIC);
    assert_eq!(client.rows("SELECT c FROM sbtest1 WHERE id=5"), 1);
    assert_eq!(client.rows("SELECT c FROM sbtest1 WHERE id BETWEEN 5 AND 104"), 7);
    assert_eq!(client.rows("SELECT SUM(k) FROM sbtest1 WHERE id BETWEEN 5 AND 104"), 1);
    assert_eq!(client.rows("SHOW VARIABLES LIKE 'max_connections'"), 1);
    assert_eq!(client.rows("SELECT @@max_allowed_packet"), 1);
    assert_eq!(client.command(QUERY, b"UPDATE sbtest1 SET k=k+1 WHERE id=1")[0][..2], [0, 1], "one row changed");
    assert_eq!(client.command(QUERY, b"COMMIT")[0][..2], [0, 0]);
    assert_eq!(error_code(&client.command(QUERY, b"SELECT @@nonsense")), Some(1193));
    assert_eq!(error_code(&client.command(0x7f, b"")), Some(1047));
    assert_eq!(client.figure("queries"), 5, "SHOW, SET and @@ are not counted");
}

#[test]
fn prepared_statements_answer_in_binary() {
    let server = server(|_| ());
    let mut client = Client::connect(&server, CLASSIC);
    let (point, columns, parameters) = client.prepare("SELECT c FROM sbtest1 WHERE id=?");
    assert_eq!((columns, parameters), (1, 1));
    let all = client.execute(point);
    let row = &all[3];
    assert_eq!(row[..2], [0, 0], "header and null bitmap of a binary row");
    assert_eq!((row[2], row.len()), (119, 3 + 119), "sysbench's c is 119 long");
    let (insert, columns, parameters) = client.prepare("INSERT INTO sbtest1 (id, k, c, pad) VALUES (?, ?, ?, ?)");
    assert_eq!((columns, parameters), (0, 4));
    assert_eq!(client.execute(insert)[0][..2], [0, 1]);
    let (range, ..) = client.prepare("SELECT id, k FROM sbtest1 WHERE id BETWEEN ? AND ?");
    let all = client.execute(range);
    assert_eq!(all.len(), 1 + 2 + 1 + 100 + 1);
    assert_eq!(all[5], [&[0u8, 0][..], &2i64.to_le_bytes(), &2i64.to_le_bytes()].concat());

    client.send(0, &[&[0x19u8][..], &point.to_le_bytes()].concat());
    assert_eq!(error_code(&client.execute(point)), Some(1243), "closed statements are gone");
    assert_eq!(client.prepare("SELECT k FROM sbtest1 WHERE id=?").0, point, "and their numbers are given again");
}

#[test]
fn packets_may_be_cut_anywhere_and_come_together() {
    let server = server(|_| ());
    let mut client = Client::connect(&server, CLASSIC);
    let query = framed(0, b"\x03SELECT c FROM sbtest1 WHERE id=1");
    for byte in &query {
        client.0.write_all(&[*byte]).unwrap();
        client.0.flush().unwrap();
    }
    assert_eq!(client.answer().len(), 5);
    let burst = query.repeat(50);
    client.0.write_all(&burst[..burst.len() - 3]).unwrap();
    client.0.write_all(&burst[burst.len() - 3..]).unwrap();
    for _ in 0..50 {
        assert_eq!(client.answer().len(), 5);
    }
}

#[test]
fn a_statement_longer_than_a_packet_is_joined() {
    let server = server(|_| ());
    let mut client = Client::connect(&server, CLASSIC);
    let mut sql = b"\x03INSERT INTO sbtest1 VALUES ".to_vec();
    sql.resize(0xff_ffff + 5, b' ');
    client.send(0, &sql[..0xff_ffff]);
    client.send(1, &sql[0xff_ffff..]);
    assert_eq!(client.answer()[0][..2], [0, 1]);
    assert_eq!(client.rows("SELECT 1"), 1);
}

#[test]
fn a_reader_who_is_slow_gets_everything() {
    let server = server(|o| o.rows = 5000);
    let mut client = Client::connect(&server, CLASSIC);
    let query = framed(0, b"\x03SELECT c FROM sbtest1 WHERE id BETWEEN 1 AND 2");
    client.0.write_all(&query.repeat(20)).unwrap();
    std::thread::sleep(Duration::from_millis(100));
    for _ in 0..20 {
        assert_eq!(client.answer().len(), 1 + 1 + 1 + 5000 + 1);
    }
}

#[test]
fn without_eof_packets_when_the_client_says_so() {
    let server = server(|_| ());
    let mut client = Client::connect(&server, EOFLESS);
    client.send(0, b"\x03SELECT c FROM sbtest1 WHERE id=1");
    let all: Vec<Vec<u8>> = (0..4).map(|_| client.packet().unwrap().1).collect();
    assert_eq!(all[0], [1]);
    assert_eq!(all[2][0], 119, "the row follows its column at once");
    assert_eq!((all[3][0], all[3].len()), (0xfe, 7), "an OK packet in EOF's place");
}

#[test]
fn a_local_file_is_asked_for_and_swallowed() {
    let server = server(|_| ());
    let mut client = Client::connect(&server, CLASSIC);
    client.send(0, b"\x03LOAD DATA LOCAL INFILE 'stream' INTO TABLE sbtest1");
    assert_eq!(client.packet().unwrap(), (1, b"\xfbstream".to_vec()));
    for seq in 2..40u8 {
        client.send(seq, &vec![b'x'; 100_000]);
    }
    client.send(40, b"");
    let (seq, ok) = client.packet().unwrap();
    assert_eq!((seq, ok[0]), (41, 0));
    assert_eq!(client.rows("SELECT 1"), 1);
}

#[test]
fn a_delay_holds_every_answer_and_is_seen_as_residence() {
    let delay = Duration::from_millis(20);
    let server = server(|o| o.delay = delay);
    let mut client = Client::connect(&server, CLASSIC);
    let (point, ..) = client.prepare("SELECT c FROM sbtest1 WHERE id=?");
    for _ in 0..5 {
        let start = Instant::now();
        client.execute(point);
        assert!(start.elapsed() >= delay, "answered after {:?}", start.elapsed());
    }
    assert_eq!(client.figure("residence_count"), 5);
    // The histogram's step is a tenth of a per cent.
    assert!(client.figure("residence_ns_p50") >= 19_980_000);
    client.command(QUERY, b"RESET NULL_SERVER");
    assert_eq!((client.figure("residence_count"), client.figure("queries")), (0, 0));
}

#[test]
fn a_stall_stops_everything_for_its_length() {
    let server = server(|o| {
        o.stall_every = Some(Duration::from_millis(200));
        o.stall_for = Some(Duration::from_millis(150));
    });
    let mut client = Client::connect(&server, CLASSIC);
    let start = Instant::now();
    // One of the stalls is met from its beginning, however often this thread sleeps through the beginning of another.
    while client.figure("residence_ns_max") < 50_000_000 {
        assert!(start.elapsed() < Duration::from_secs(30), "{}", client.figure("residence_ns_max"));
        (0..100).for_each(|_| _ = client.rows("SELECT c FROM sbtest1 WHERE id=1"));
    }
}

#[test]
fn errors_come_as_often_as_asked_the_same_ones_each_time() {
    let outcomes = |seed| {
        let server = server(|o| (o.error_rate, o.error_code, o.seed) = (0.2, 1205, seed));
        let mut client = Client::connect(&server, CLASSIC);
        let (update, ..) = client.prepare("UPDATE sbtest1 SET k=k+1 WHERE id=?");
        let all: Vec<Option<u16>> = (0..300).map(|_| error_code(&client.execute(update))).collect();
        let errors = all.iter().flatten().count();
        assert_eq!(client.figure("errors_injected"), errors as u64);
        assert!((30..90).contains(&errors), "{errors} of 300");
        assert!(all.iter().flatten().all(|code| *code == 1205));
        all
    };
    assert_eq!(outcomes(1), outcomes(1));
    assert_ne!(outcomes(1), outcomes(2));
}

#[test]
fn every_nth_statement_loses_its_connection() {
    let server = server(|o| o.drop_every = Some(3));
    let mut client = Client::connect(&server, CLASSIC);
    client.rows("SELECT 1");
    client.rows("SELECT 1");
    client.send(0, b"\x03SELECT 1");
    assert!(client.packet().is_none(), "closed without an answer");
    let mut client = Client::connect(&server, CLASSIC);
    client.rows("SELECT 1");
    assert_eq!((client.figure("connections_dropped"), client.figure("connections_open")), (1, 1));
}

#[test]
fn a_unix_socket_serves_too_and_is_removed() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("null.sock");
    // Left behind by a server that was killed.
    drop(std::os::unix::net::UnixListener::bind(&path).unwrap());
    let server = server(|o| o.socket = Some(path.clone()));
    let mut client = Client(UnixStream::connect(&path).unwrap()).login(CLASSIC);
    assert_eq!(client.rows("SELECT 1"), 1);
    let counts = server.stop().unwrap();
    assert_eq!((counts.get("queries"), counts.get("connections")), (Some(1), Some(1)));
    assert!(!path.exists());
}

#[test]
fn strangers_do_no_harm() {
    let server = server(|_| ());
    for junk in [&b"\x00\x00\x00\x00"[..], b"\x01\x00\x00\x01\xff", b"GET / HTTP/1.0\r\n\r\n", &[0xff; 300]] {
        let mut stream = TcpStream::connect(("127.0.0.1", server.port())).unwrap();
        stream.write_all(junk).unwrap();
    }
    let mut client = Client::connect(&server, CLASSIC);
    assert_eq!(client.rows("SELECT 1"), 1);
    let mut zero = Client::connect(&server, CLASSIC);
    zero.send(0, b"");
    assert!(zero.packet().is_none());
    assert_eq!(client.rows("SELECT 1"), 1);
}
