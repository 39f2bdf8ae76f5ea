//! Files that others wrote.

use std::fs::File;
use std::io::{Error, ErrorKind};
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;

/// All of a file that a user names, if it has at most `most` bytes. It may be a pipe, which is waited for, or a device.
pub fn file(path: &Path, most: u64) -> std::io::Result<Vec<u8>> {
    let file = File::open(path)?;
    let length = file.metadata().map_or(0, |metadata| metadata.len());
    crate::expected_bytes(file, most, length)
}

/// All of a file that a program looks for by itself. Fails at once if it is anything else: a pipe in the place of a file would be
/// waited for forever.
pub fn regular_file(path: &Path, most: u64) -> std::io::Result<Vec<u8>> {
    crate::bytes(open_regular(path)?, most)
}

fn open_regular(path: &Path) -> std::io::Result<File> {
    // Opening a pipe waits for its other end, unless that is not wanted.
    let flags = rustix::fs::OFlags::NONBLOCK.bits();
    let file = File::options().read(true).custom_flags(flags as i32).open(path)?;
    let is_regular = file.metadata()?.is_file();
    if is_regular { Ok(file) } else { Err(Error::new(ErrorKind::InvalidInput, "not a regular file")) }
}

/// A file that a user names, as text: [`file()`] in UTF-8.
pub fn named_text(path: &Path, most: u64) -> std::io::Result<String> {
    crate::text_of(File::open(path)?, most)
}

/// A file that a program looks for by itself, as text: [`regular_file`] in UTF-8.
pub fn text(path: &Path, most: u64) -> std::io::Result<String> {
    crate::text_of(open_regular(path)?, most)
}

/// The same; empty if it cannot be read.
pub fn text_or_empty(path: &Path, most: u64) -> String {
    text(path, most).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pipe_in_the_place_of_a_file_is_not_waited_for() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("pipe");
        rustix::fs::mknodat(
            rustix::fs::CWD,
            &path,
            rustix::fs::FileType::Fifo,
            rustix::fs::Mode::RUSR | rustix::fs::Mode::WUSR,
            0,
        )
        .unwrap();
        assert_eq!(regular_file(&path, 10).unwrap_err().to_string(), "not a regular file");
        assert_eq!(text(Path::new("/dev/zero"), 10).unwrap_err().to_string(), "not a regular file");
    }

    #[test]
    fn files_have_limits_and_those_of_the_kernel_have_contents() {
        assert!(crate::is_too_long(&file(Path::new("/dev/zero"), 100).unwrap_err()));
        assert!(text(Path::new("/proc/self/status"), 1 << 20).unwrap().starts_with("Name:"));
        assert_eq!(text_or_empty(Path::new("/nowhere"), 10), "");
    }
}
