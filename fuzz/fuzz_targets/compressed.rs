//! Frames of MySQL's compressed protocol: whatever arrives, in whatever pieces, comes to the same, makes nothing panic,
//! and takes no more memory than the frames can hold; what we pack ourselves comes back.
#![no_main]

use libfuzzer_sys::fuzz_target;
use tenbin_wire::mysql::Fault;
use tenbin_wire::mysql::compressed::{Compressed, HEADER, Unpacked};

/// zlib makes at most about a thousand bytes of one.
const GAIN: usize = 1100;

fuzz_target!(|input: (u8, Vec<u8>)| {
    let (piece, bytes) = input;
    let whole = drive(&bytes, bytes.len().max(1));
    let pieces = drive(&bytes, usize::from(piece) + 1);
    assert_eq!(whole, pieces);

    let mut sent = Vec::new();
    Compressed::default().frames(&mut sent, &bytes);
    assert_eq!(drive(&sent, usize::from(piece) + 1), (Ok(()), bytes));
});

/// Takes frames as `piece` bytes at a time arrive; what was in them, and how it ended.
fn drive(bytes: &[u8], piece: usize) -> (Result<(), Fault>, Vec<u8>) {
    let (mut codec, mut plain) = (Compressed::default(), Vec::new());
    let (mut start, mut end) = (0, 0);
    loop {
        match codec.take(&bytes[start..end], &mut plain) {
            Ok(Unpacked::Used(used)) => {
                assert!(used >= HEADER && used <= end - start);
                start += used;
            }
            Ok(Unpacked::Needs(needs)) => {
                assert!(needs > 0);
                if end == bytes.len() {
                    return (Ok(()), plain);
                }
                end = (end + piece).min(bytes.len());
            }
            Err(fault) => return (Err(fault), Vec::new()),
        }
        assert!(plain.capacity() <= 2 * 64 * 1024 + 4 * GAIN * bytes.len(), "{} for {}", plain.capacity(), bytes.len());
    }
}
