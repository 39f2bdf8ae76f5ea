//! Greetings, errors, messages in parts and rows: whatever a server sends is read or refused.
#![no_main]

use libfuzzer_sys::fuzz_target;
use tenbin_wire::mysql::handshake::Greeting;
use tenbin_wire::mysql::{ServerError, packet, value};

fuzz_target!(|input: (u8, Vec<(u8, bool)>, &[u8])| {
    let (sequence, columns, bytes) = input;
    let _ = (Greeting::parse(bytes), ServerError::parse(bytes));
    let mut next = sequence;
    if let Ok(Some(message)) = packet::take(bytes, &mut next, 1 << 20) {
        assert!(message.used <= bytes.len() && message.payload.len() < message.used);
    }
    assert!(value::text_row(bytes).take(bytes.len() + 2).count() <= bytes.len() + 1);
    if let Ok(row) = value::binary_row(bytes, &columns) {
        assert_eq!(row.len(), columns.len());
    }
});
