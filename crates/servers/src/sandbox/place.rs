//! The location of sandboxes: one directory per user, accessible to the server's account, and short enough for a
//! socket's path.

use std::fs::Metadata;
use std::os::unix::fs::{DirBuilderExt, MetadataExt};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};
use tenbin_words::message::{Message, foreign};
use tenbin_words::msg;
use tenbin_words::problem::Problem;

/// The directory, created if it does not exist.
pub fn base() -> Result<PathBuf, Problem> {
    let path = usable()?;
    // Others may traverse it (the server's account must), but not list it.
    if let Err(e) = std::fs::DirBuilder::new().recursive(true).mode(0o711).create(&path) {
        return Err(wrong(&path, foreign(e)));
    }
    let meta = std::fs::symlink_metadata(&path).map_err(|e| wrong(&path, foreign(e)))?;
    is_own(&path, &meta)?;
    Ok(path)
}

/// The same, which may not exist yet. Fails if it cannot be used.
pub fn usable() -> Result<PathBuf, Problem> {
    let path = crate::sandbox_directory::intended();
    // Addresses, settings of servers and notes are text.
    if path.to_str().is_none() {
        return Err(wrong(&path, msg!("directory-is-no-text")));
    }
    if let Ok(meta) = std::fs::symlink_metadata(&path) {
        is_own(&path, &meta)?;
    }
    Ok(path)
}

/// Refuses what is no directory of this user alone.
fn is_own(path: &Path, meta: &Metadata) -> Result<(), Problem> {
    let user = rustix::process::geteuid().as_raw();
    if !meta.is_dir() || meta.uid() != user {
        return Err(wrong(path, msg!("directory-of-another-user", owner = meta.uid(), user)));
    }
    if crate::state::is_open_to_others(meta) {
        return Err(wrong(path, msg!("directory-open-to-others")));
    }
    Ok(())
}

fn wrong(path: &Path, evidence: Message) -> Problem {
    let problem = Problem::new(msg!("sandbox-directory-unusable", path = path.display()));
    problem.evidence(evidence).hint(msg!("export-state-dir"))
}

/// A name that no other sandbox has. Of a long one only the start is used: the path of a socket has to fit.
pub fn unique(base: &Path, name: &str) -> String {
    static COUNT: AtomicU32 = AtomicU32::new(0);
    let name = &name[..name.floor_char_boundary(LONGEST)];
    loop {
        let candidate = format!("{name}-{}-{}", std::process::id(), COUNT.fetch_add(1, Ordering::Relaxed));
        if !base.join(&candidate).exists() && !record_of(base, &candidate).exists() {
            return candidate;
        }
    }
}

/// Bytes of a target's name in that of its sandbox.
const LONGEST: usize = 40;

/// The directory of a sandbox of this name; refused if the path of a socket in it would be too long.
pub fn fits(base: &Path, name: &str) -> Result<PathBuf, Problem> {
    let dir = base.join(name);
    // The path of a Unix socket has at most 107 bytes.
    if dir.join(".s.PGSQL.65535").as_os_str().len() > 107 {
        return Err(Problem::new(msg!("sandbox-path-too-long"))
            .evidence(foreign(dir.display()))
            .hint(msg!("export-short-state-dir")));
    }
    if dir.exists() && !record_of(base, name).exists() {
        return Err(Problem::new(msg!("sandbox-directory-without-note", dir = dir.display()))
            .hint(msg!("clean-sandboxes-or-name")));
    }
    Ok(dir)
}

/// The note of the sandbox of this name.
pub fn record_of(base: &Path, name: &str) -> PathBuf {
    base.join(format!("{name}.json"))
}

/// The servers that are meant by the names of systems and of their clients.
const SERVERS: [(&str, &str); 4] =
    [("mariadb", "mariadbd"), ("mysql", "mysqld"), ("postgresql", "postgres"), ("psql", "postgres")];

fn server_of(name: &str) -> Option<&'static str> {
    SERVERS.iter().find(|(other, _)| *other == name).map(|(_, server)| *server)
}

/// A program by name, in PATH and where Debian keeps servers, or by path.
pub fn find(binary: &str) -> Result<PathBuf, Problem> {
    if binary.contains('/') {
        let path = PathBuf::from(binary);
        // It would not start, and say that it does not know the options of a server.
        if let Some(server) = path.file_name().and_then(|name| server_of(name.to_str()?)) {
            return Err(Problem::new(msg!("binary-is-a-client", binary)).hint(msg!("give-path-of-server", server)));
        }
        return if path.is_file() { Ok(path) } else { Err(Problem::new(msg!("no-such-binary", binary))) };
    }
    let name = server_of(binary).unwrap_or(binary);
    let path = std::env::var_os("PATH").unwrap_or_default();
    let more = ["/usr/sbin", "/usr/local/sbin", "/usr/libexec", "/usr/bin"].map(PathBuf::from);
    let all = std::env::split_paths(&path).chain(more).chain(postgres_homes());
    all.map(|dir| dir.join(name)).find(|p| p.is_file()).ok_or_else(|| {
        let problem = Problem::new(msg!("binary-not-on-machine", binary));
        match name {
            "mariadbd" | "mariadb-install-db" => problem.evidence(msg!("looked-in-path")).hint(msg!("install-mariadb")),
            "postgres" | "initdb" => {
                problem.evidence(msg!("looked-in-path-postgresql")).hint(msg!("install-postgresql"))
            }
            _ => problem.evidence(msg!("looked-in-path")).hint(msg!("install-or-give-path", binary)),
        }
    })
}

/// Debian's directories of PostgreSQL versions, which are not in PATH; the newest first.
fn postgres_homes() -> Vec<PathBuf> {
    let entries = std::fs::read_dir("/usr/lib/postgresql").into_iter().flatten().flatten();
    let version = |dir: &Path| dir.file_name()?.to_str()?.parse::<u32>().ok();
    let mut all: Vec<(u32, PathBuf)> = entries.filter_map(|e| Some((version(&e.path())?, e.path()))).collect();
    all.sort_by_key(|(version, _)| std::cmp::Reverse(*version));
    all.into_iter().map(|(_, dir)| dir.join("bin")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use tenbin_model::trial::sandbox_scheme;

    #[test]
    fn a_target_may_have_a_long_name() {
        let base = Path::new("/tmp/tenbin-1000");
        for name in ["a".repeat(200), "\u{5929}\u{79e4}".repeat(60)] {
            let names = [unique(base, &name), unique(base, &name)];
            assert!(names[0] != names[1] && name.starts_with(names[0].split('-').next().unwrap()));
            assert!(fits(base, &names[0]).is_ok(), "{}", names[0]);
        }
    }

    #[test]
    fn the_name_of_a_system_or_its_client_means_the_server() {
        assert_eq!([server_of("mariadb"), server_of("psql")], [Some("mariadbd"), Some("postgres")]);
        for (name, server) in SERVERS {
            assert_eq!(sandbox_scheme(name), sandbox_scheme(server), "{name}");
        }
        // By name: whether it is on this machine or not, it is the server that was looked for.
        match find("mariadb") {
            Ok(path) => assert_eq!(path.file_name().unwrap(), "mariadbd", "{path:?}"),
            Err(problem) => assert!(problem.hint.unwrap().english().contains("mariadb-server"), "it can be installed"),
        }
        let problem = find("/usr/bin/mariadb").unwrap_err();
        assert_eq!(problem.what.english(), "/usr/bin/mariadb is a client program, not a server");
        assert!(problem.hint.unwrap().english().contains("mariadbd"));
    }
}
