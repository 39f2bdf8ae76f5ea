//! What may be replaced by a page without being asked: an earlier page, and nothing of the user's.

use std::io::Read;
use std::path::Path;

/// What every page of Tenbin has in its head: the line that names what wrote it. Without quotation marks, as pages are written compactly.
fn sign() -> String {
    let head = include_str!("../../templates/head.html");
    head.lines().find(|line| line.contains("\"generator\"")).unwrap_or(head).replace('"', "")
}

/// The sign stands in the first bytes of a page.
const HEAD: u64 = 1 << 12;

/// Whether a page may be written there: there is nothing, an empty file, a page of Tenbin, or what keeps nothing, such as a pipe.
#[cfg_attr(not(test), expect(clippy::disallowed_methods, reason = "it ends at the limit"))]
pub fn may_be_replaced(path: &Path) -> bool {
    let Ok(meta) = path.metadata() else { return path.symlink_metadata().is_err() };
    if !meta.is_file() || meta.len() == 0 {
        return !meta.is_dir();
    }
    let mut head = Vec::new();
    let read = std::fs::File::open(path).and_then(|file| file.take(HEAD).read_to_end(&mut head));
    read.is_ok() && String::from_utf8_lossy(&head).replace('"', "").contains(&sign())
}

/// Whether two paths are of one file, by whatever links.
pub fn is_one_file(a: &Path, b: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    let identity = |path: &Path| {
        let meta = path.metadata().ok().filter(std::fs::Metadata::is_file)?;
        Some((meta.dev(), meta.ino()))
    };
    identity(a).is_some_and(|own| identity(b) == Some(own))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn only_pages_of_tenbin_are_replaced() {
        let dir = tempfile::tempdir().unwrap();
        let at = |name: &str| dir.path().join(name);
        let head = include_str!("../../templates/head.html");
        fs::write(at("ours.html"), format!("{head}<p>figures</p>")).unwrap();
        fs::write(at("theirs.html"), "<!doctype html><title>mine</title>").unwrap();
        fs::write(at("empty.html"), "").unwrap();
        std::os::unix::fs::symlink("theirs.html", at("link.html")).unwrap();
        std::os::unix::fs::symlink("nowhere", at("dangling.html")).unwrap();
        for (name, may_be) in [
            ("ours.html", true),
            ("empty.html", true),
            ("new.html", true),
            ("theirs.html", false),
            ("link.html", false),
            ("dangling.html", false),
        ] {
            assert_eq!(may_be_replaced(&at(name)), may_be, "{name}");
        }
        assert!(is_one_file(&at("theirs.html"), &at("link.html")));
        assert!(!is_one_file(&at("theirs.html"), &at("ours.html")) && !is_one_file(&at("new.html"), &at("new.html")));
    }
}
