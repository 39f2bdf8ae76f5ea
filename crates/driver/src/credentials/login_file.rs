//! The login file that mysql_config_editor writes, `~/.mylogin.cnf`: an option file with obfuscated
//! lines. The key is at the start of the file, so this is no protection; the file's mode is.
//!
//! The format: four unused bytes; twenty bytes of the key, folded into sixteen by XOR; then for each line its length
//! (four bytes, little-endian) and the line, encrypted with AES-128 in ECB mode with PKCS#7 padding.

use aes::Aes128;
use aes::cipher::{Block, BlockDecrypt, BlockEncrypt, KeyInit};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

/// The path of the file: `MYSQL_TEST_LOGIN_FILE`, as in MySQL's programs, or in the home directory.
pub fn place(home: Option<&Path>) -> Option<PathBuf> {
    let path = std::env::var_os("MYSQL_TEST_LOGIN_FILE").filter(|v| !v.is_empty()).map(PathBuf::from);
    path.or_else(|| home.map(|home| home.join(".mylogin.cnf")))
}

/// Why a login file is not used.
#[derive(Debug)]
pub enum LoginFileError {
    /// It cannot be read.
    Unreadable(std::io::Error),
    /// Its mode permits others to read it.
    OpenToOthers,
    /// It was not written by `mysql_config_editor`.
    Foreign,
}

/// Its text; `None` when there is no file.
pub fn text(path: &Path) -> Result<Option<String>, LoginFileError> {
    let meta = match std::fs::metadata(path) {
        Ok(meta) => meta,
        Err(e) if e.kind() == std::io::ErrorKind::NotFound => return Ok(None),
        Err(e) => return Err(LoginFileError::Unreadable(e)),
    };
    if meta.permissions().mode() & 0o177 != 0 {
        return Err(LoginFileError::OpenToOthers);
    }
    let packed = tenbin_intake::regular_file(path, tenbin_intake::SMALL).map_err(LoginFileError::Unreadable)?;
    unpacked(&packed).map(Some).ok_or(LoginFileError::Foreign)
}

fn unpacked(packed: &[u8]) -> Option<String> {
    let (key, mut rest) = packed.get(4..)?.split_first_chunk::<20>()?;
    let mut folded = [0u8; 16];
    for (i, byte) in key.iter().enumerate() {
        folded[i % 16] ^= byte;
    }
    let cipher = Aes128::new(&folded.into());
    let mut text = Vec::new();
    while !rest.is_empty() {
        let (length, after) = rest.split_first_chunk::<4>()?;
        let (line, after) = after.split_at_checked(u32::from_le_bytes(*length) as usize)?;
        if line.is_empty() || line.len() % 16 != 0 {
            return None;
        }
        for block in line.chunks_exact(16) {
            let mut block = Block::<Aes128>::clone_from_slice(block);
            cipher.decrypt_block(&mut block);
            text.extend_from_slice(&block);
        }
        let fill = usize::from(*text.last()?);
        if !(1..=16).contains(&fill) {
            return None;
        }
        text.truncate(text.len() - fill);
        rest = after;
    }
    String::from_utf8(text).ok()
}

/// A file with these lines, for the tests of those that read one.
pub fn packed(lines: &[&str]) -> Vec<u8> {
    let key: [u8; 20] = std::array::from_fn(|i| (i * 13 + 1) as u8);
    let mut folded = [0u8; 16];
    key.iter().enumerate().for_each(|(i, b)| folded[i % 16] ^= b);
    let cipher = Aes128::new(&folded.into());
    let mut out = vec![0; 4];
    out.extend_from_slice(&key);
    for line in lines {
        let mut line = format!("{line}\n").into_bytes();
        let fill = 16 - line.len() % 16;
        line.extend(std::iter::repeat_n(fill as u8, fill));
        out.extend_from_slice(&(line.len() as u32).to_le_bytes());
        for block in line.chunks_exact(16) {
            let mut block = Block::<Aes128>::clone_from_slice(block);
            cipher.encrypt_block(&mut block);
            out.extend_from_slice(&block);
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn lines_come_back() {
        let lines = ["[client]", "user = \"app\"", "a line of exactly that length, and more", ""];
        assert_eq!(unpacked(&packed(&lines)).unwrap(), lines.join("\n") + "\n");
        assert_eq!(unpacked(&packed(&[])).unwrap(), "");
        assert_eq!(unpacked(b"[client]\nuser=app\npassword=x\n"), None, "an option file is no login file");
    }

    proptest! {
        #[test]
        fn no_bytes_make_it_panic(head in proptest::collection::vec(any::<u8>(), 0..60), cut in 0usize..80) {
            let _ = unpacked(&head);
            let mut file = packed(&["[a]", "user=b"]);
            file.truncate(cut);
            for (to, byte) in file.iter_mut().skip(24).zip(head) {
                *to ^= byte;
            }
            let _ = unpacked(&file);
        }
    }
}
