//! Any bytes as a bundle, and any archive in one: it is read as a run, or refused.
#![no_main]

use libfuzzer_sys::fuzz_target;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use tenbin_report::store::{read_within, verify};

fn file() -> &'static PathBuf {
    static FILE: OnceLock<PathBuf> = OnceLock::new();
    FILE.get_or_init(|| {
        let memory = Path::new("/dev/shm");
        let root = if memory.is_dir() { memory.to_path_buf() } else { std::env::temp_dir() };
        root.join(format!("tenbin-fuzz-{}.tar.zst", std::process::id()))
    })
}

/// A frame of one block that is not compressed (RFC 8878, sections 3.1.1 and 3.1.1.2), so that the archive is what is damaged.
fn frame(archive: &[u8]) -> Vec<u8> {
    let archive = &archive[..archive.len().min(100_000)];
    let block = (archive.len() as u32) << 3 | 1;
    [&[0x28, 0xb5, 0x2f, 0xfd, 0x00, 0x58][..], &block.to_le_bytes()[..3], archive].concat()
}

fuzz_target!(|bytes: (bool, &[u8])| {
    let bytes = if bytes.0 { frame(bytes.1) } else { bytes.1.to_vec() };
    fs::write(file(), bytes).expect("there is room");
    let _ = verify(file());
    let _ = read_within(file(), 64 << 20);
});
