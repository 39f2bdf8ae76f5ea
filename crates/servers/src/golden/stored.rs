//! What is in a directory of golden copies, and its removal by name.

use super::{DATA, DESCRIPTION, DIGESTS, GoldenCopy, MAKING, OF_TOOL, age, mark, objects, read};
use crate::{in_use, removal};
use std::path::Path;
use tenbin_words::message::{Message, foreign};
use tenbin_words::msg;
use tenbin_words::problem::Problem;
use tenbin_words::text::visible;

/// An entry of the store.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Stored {
    /// A golden copy.
    Copy(Box<GoldenCopy>),
    /// A directory of ours that is not a copy: its creation was interrupted or is in progress, or its description is damaged.
    Unusable {
        /// Its name.
        name: String,
        /// Why it cannot be used.
        why: Message,
    },
}

impl Stored {
    /// Its name.
    pub fn name(&self) -> &str {
        match self {
            Stored::Copy(copy) => &copy.name,
            Stored::Unusable { name, .. } => name,
        }
    }
}

/// All golden copies and remains of them, by name; empty if the store does not exist. A directory without our mark is left
/// out, whatever is in it.
pub fn list(store: &Path) -> Result<Vec<Stored>, Problem> {
    let entries = match std::fs::read_dir(store) {
        Ok(entries) => entries,
        Err(e) if e.kind() == std::io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(e) => return Err(Problem::new(msg!("file-unreadable", file = store.display())).evidence(foreign(e))),
    };
    let mut all: Vec<Stored> = entries
        .flatten()
        .filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_dir()))
        .filter_map(|entry| entry.file_name().into_string().ok())
        .filter(|name| mark::is_of(&store.join(name), name))
        .map(|name| match read(store, &name) {
            Ok(copy) => Stored::Copy(Box::new(copy)),
            Err(why) => Stored::Unusable { name, why },
        })
        .collect();
    all.sort_by(|a, b| a.name().cmp(b.name()));
    Ok(all)
}

/// Removes a golden copy, or the remains of one, by its name, unless it is in use.
pub fn remove(store: &Path, name: &str) -> Result<(), Problem> {
    let all = list(store)?;
    if !all.iter().any(|stored| stored.name() == name) {
        let names: Vec<&str> = all.iter().map(Stored::name).collect();
        return Err(Problem::new(msg!("golden-copy-unknown", name = visible(name), store = store.display()))
            .evidence(if names.is_empty() {
                msg!("there-are-none")
            } else {
                msg!("there-are-these", names = names.join(", "))
            })
            .hint(msg!("tenbin-data-list")));
    }
    take_away(&store.join(name), name)
}

/// Removes what Tenbin has made in a directory of its own, and then the directory.
pub(super) fn take_away(dir: &Path, name: &str) -> Result<(), Problem> {
    let in_use = |evidence| Problem::new(msg!("golden-copy-in-use", name)).evidence(evidence);
    let Some(_alone) = mark::alone(dir).map_err(|e| in_use(foreign(e)))? else {
        return Err(in_use(msg!("golden-copy-in-use-by-run")));
    };
    if let Some(user) = in_use::user_of(dir) {
        return Err(in_use(user.told(dir)));
    }
    let gone = |name: &str| {
        let path = dir.join(name);
        match std::fs::symlink_metadata(&path) {
            Ok(meta) if meta.is_dir() => removal::tree(&path),
            Ok(_) => std::fs::remove_file(&path),
            Err(_) => Ok(()),
        }
    };
    // The description first, and the mark last: what remains of an interrupted removal is not used, and known to be ours.
    let parts = [DESCRIPTION, age::USED, DIGESTS, objects::NAME, OF_TOOL, DATA, mark::NAME];
    let removed = parts.iter().try_for_each(|part| gone(part)).and_then(|()| std::fs::remove_dir(dir));
    removed.map_err(|e| Problem::new(msg!("file-cannot-be-removed", path = dir.display())).evidence(foreign(e)))
}

/// Removes what killed runs have left of copies that they were making.
pub(super) fn clean(store: &Path) {
    for name in list(store).unwrap_or_default().iter().map(Stored::name).filter(|name| name.starts_with(MAKING)) {
        // One that is being made is in use.
        let _ = take_away(&store.join(name), name);
    }
}
