//! The file with the digests of a golden copy, in the format of `sha256sum`, which can check it: `sha256sum -c digests` in the
//! directory of the copy.

use super::DATA;
use super::tree::{Digests, below};
use sha2::{Digest, Sha256};
use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use tenbin_words::hex::hex;

/// The digest of a text.
pub fn of(text: &[u8]) -> String {
    hex(&Sha256::digest(text))
}

/// The content of the file; `None` if a name has a line break.
pub fn written(digests: &Digests) -> Option<Vec<u8>> {
    let mut text = Vec::new();
    for (path, digest) in digests {
        let path = below(Path::new(DATA), path);
        let path = path.as_os_str().as_bytes();
        if path.contains(&b'\n') {
            return None;
        }
        text.extend([digest.as_bytes(), b"  ", path, b"\n"].concat());
    }
    Some(text)
}

/// The digests in a file; `None` if it is not one of ours.
pub fn read(text: &[u8]) -> Option<Digests> {
    let lines = text.split(|byte| *byte == b'\n').filter(|line| !line.is_empty());
    let one = |line: &[u8]| {
        let (digest, path) = line.split_at_checked(64)?;
        let path = Path::new(OsStr::from_bytes(path.strip_prefix(b"  ")?)).strip_prefix(DATA).ok()?;
        Some((PathBuf::from(path), String::from_utf8(digest.to_vec()).ok()?))
    };
    lines.map(one).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read() {
        let digest = |byte: &str| byte.repeat(64);
        for digests in [
            Digests::from([(PathBuf::from("a b"), digest("0")), (PathBuf::from("c/d"), digest("f"))]),
            Digests::from([(PathBuf::new(), digest("7"))]),
        ] {
            assert_eq!(read(&written(&digests).unwrap()).unwrap(), digests);
        }
        assert_eq!(written(&Digests::from([(PathBuf::from("a\nb"), digest("0"))])), None);
        assert_eq!((read(b"short"), read(format!("{}  /etc/x\n", digest("0")).as_bytes())), (None, None));
    }
}
