//! PostgreSQL's answers come to the same whether their bytes arrive at once or in pieces; no message of its makes
//! anything panic, and what is skipped is counted as what is looked at.
#![no_main]

use libfuzzer_sys::fuzz_target;
use tenbin_wire::postgres::auth::{AuthRequest, certificate_hash};
use tenbin_wire::postgres::reply::{Fed, Reply, Rows};
use tenbin_wire::postgres::{Fault, ServerError, marks, message, value};

/// Counts what it is shown.
#[derive(Default)]
struct Seen(u64);

impl Rows for Seen {
    const LOOKS: bool = true;
    fn row(&mut self, body: &[u8]) {
        self.0 += 1;
        let _ = value::row(body);
    }
    fn columns(&mut self, body: &[u8]) {
        let _ = value::columns(body);
    }
}

fuzz_target!(|input: (u8, Vec<u8>)| {
    let (piece, bytes) = input;
    let whole = drive(&bytes, bytes.len().max(1), &mut ());
    let pieces = drive(&bytes, usize::from(piece) + 1, &mut ());
    assert_eq!(whole, pieces);
    let mut seen = Seen::default();
    let looked = drive(&bytes, usize::from(piece) + 1, &mut seen);
    assert_eq!(looked.0, seen.0);
    if whole.2 == Ok(Fed::Done) && looked.2 == Ok(Fed::Done) {
        assert_eq!((whole.0, whole.1), (looked.0, looked.1));
    }
    if let Ok(Ok((_, body, used))) = message::take(&bytes, 4096) {
        assert!(used <= bytes.len() && body.len() + message::HEADER == used);
    }
    let _ = (AuthRequest::parse(&bytes), ServerError::parse(&bytes), certificate_hash(&bytes));
    let _ = (value::parameters(&bytes), value::columns(&bytes), value::row(&bytes));
    if let Ok(sql) = std::str::from_utf8(&bytes) {
        let numbered = marks::numbered(sql);
        if !sql.contains(['?', '$']) {
            assert_eq!(numbered, sql);
        }
    }
});

/// Feeds `piece` bytes at a time; rows, changed rows, and how it ended: `Fed::More` when the bytes do not suffice.
fn drive(bytes: &[u8], piece: usize, rows: &mut impl Rows) -> (u64, u64, Result<Fed, Fault>) {
    let mut reply = Reply::new();
    let (mut start, mut end) = (0, 0);
    loop {
        end = (end + piece).min(bytes.len());
        match reply.feed(&bytes[start..end], rows) {
            Ok((used, Fed::More(wanted))) => {
                assert!(wanted > 0 && used <= end - start);
                start += used;
                if end == bytes.len() {
                    return (reply.rows, reply.affected, Ok(Fed::More(0)));
                }
            }
            Ok((_, fed)) => return (reply.rows, reply.affected, Ok(fed)),
            Err(fault) => return (reply.rows, reply.affected, Err(fault)),
        }
    }
}
