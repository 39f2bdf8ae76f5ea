//! Where the data of a private server lie, if the plan says it (`data_directory`): in a directory of ours within it, which has
//! the mark of the sandbox and is removed with it. Nothing else there is touched.

use super::ending;
use super::launch::{account, as_root, numbers};
use super::mark;
use super::record::KnownSandbox;
use super::{mysql, place, postgres};
use crate::rights::Rights;
use rustix::fs::{Access, AtFlags, CWD, accessat};
use std::path::{Path, PathBuf};
use tenbin_model::dsn::Scheme;
use tenbin_words::message::{Message, foreign};
use tenbin_words::msg;
use tenbin_words::problem::Problem;
use tenbin_words::shell;

/// The prefix of the names of our directories within it.
const PREFIX: &str = "tenbin-";

/// The directory that a plan names, without links; fails if no private server of this binary can have its data there.
pub fn usable(directory: &Path, binary: &str) -> Result<PathBuf, Problem> {
    let shown = directory.display();
    let word = shell::word(&directory.to_string_lossy());
    let wrong = |evidence: Message| Problem::new(msg!("data-directory-unusable", directory = shown)).evidence(evidence);
    let real = directory.canonicalize().map_err(|e| match e.kind() {
        std::io::ErrorKind::NotFound => wrong(foreign(&e)).hint(msg!("make-directory", word)),
        _ => wrong(foreign(&e)).hint(msg!("give-a-directory")),
    })?;
    if !real.is_dir() {
        return Err(wrong(msg!("no-directory")).hint(msg!("give-a-directory")));
    }
    if let Err(e) = accessat(CWD, &real, Access::WRITE_OK | Access::EXEC_OK, AtFlags::EACCESS) {
        return Err(wrong(foreign(std::io::Error::from(e))).hint(msg!("ls-tells-who-may-write", word)));
    }
    // A server does not run as root.
    let Some((account, rights)) = account_rights(binary)? else { return Ok(real) };
    let passes = rights.within(|| Ok(accessat(CWD, &real, Access::EXEC_OK, AtFlags::EACCESS)?));
    passes.map(|()| real).map_err(|e| {
        let evidence = msg!("account-cannot-pass", account, error = e);
        wrong(evidence).hint(msg!("let-account-pass", word))
    })
}

/// The account as which a server of this binary runs if we are root, and its rights; `None`: as ourselves.
fn account_rights(binary: &str) -> Result<Option<(&'static str, Rights)>, Problem> {
    let wanted = match super::scheme(binary) {
        Scheme::Sqlite => return Ok(None),
        Scheme::Postgres => postgres::ACCOUNT,
        _ => mysql::ACCOUNT,
    };
    let name = account(wanted);
    match numbers(name).filter(|_| as_root()) {
        Some((user, _)) => Rights::of_user(user).map(|rights| Some((name, rights))),
        None => Ok(None),
    }
}

/// The path of the directory of a sandbox there.
pub fn path(directory: &Path, known: &KnownSandbox) -> PathBuf {
    directory.join(format!("{PREFIX}{}-{}", known.name, known.id.get(..8).unwrap_or_default()))
}

/// Removes what killed runs have left there and no note mentions: the notes are in a directory for temporary files, which a start
/// of the machine may empty.
pub fn clean(directory: &Path) {
    for entry in std::fs::read_dir(directory).into_iter().flatten().flatten() {
        let named = entry.file_name().to_str().is_some_and(|name| name.starts_with(PREFIX));
        let Some(known) = named.then(|| left(&entry.path())).flatten() else { continue };
        let _ = ending::emptied_storage(&known);
    }
}

/// The sandbox to which such a directory belongs, if its run is gone and no note refers to it.
fn left(path: &Path) -> Option<KnownSandbox> {
    let (text, owner) = mark::text_of(&path.join(mark::NAME)).ok()?;
    let known: KnownSandbox = serde_json::from_str(&text).ok()?;
    let is_ours = owner == rustix::process::geteuid().as_raw() && known.storage() == path;
    let noted = place::record_of(known.dir.parent()?, &known.name);
    let gone = !known.dir.exists() && !noted.exists() && ["left over", "dead"].contains(&known.clone().found().state());
    (is_ours && gone).then_some(known)
}
