//! The answer to a command comes to the same whether its bytes arrive at once or in pieces, and no bytes make it panic.
#![no_main]

use libfuzzer_sys::fuzz_target;
use tenbin_wire::mysql::Fault;
use tenbin_wire::mysql::reply::{Fed, Reply};

fuzz_target!(|input: (u8, Vec<u8>)| {
    let (piece, bytes) = input;
    let whole = drive(&bytes, bytes.len().max(1));
    let pieces = drive(&bytes, usize::from(piece) + 1);
    assert_eq!(whole, pieces);
});

/// Feeds `piece` bytes at a time; rows, changed rows, and how it ended: `Fed::More` when the bytes do not suffice.
fn drive(bytes: &[u8], piece: usize) -> (u64, u64, Result<Fed, Fault>) {
    let mut reply = Reply::new(0);
    let (mut start, mut end) = (0, 0);
    loop {
        end = (end + piece).min(bytes.len());
        match reply.feed(&bytes[start..end], &mut ()) {
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
