//! The journal of a server whose variables a run has changed: their former values, on disk before the first change, and
//! the values that were set, so that a value which somebody else has set since is not overwritten. A run that is killed
//! leaves it behind, and the next one, or `tenbin restore-settings`, puts the former values back.
//!
//! One file per server in `.settings` of the directory of what outlives a restart of the machine ([`state`]), lines of JSON, only appended to and synchronised before
//! each change: an incomplete last line belongs to a change that was not made. It is locked while a run uses it, and
//! removed when all values are put back.

use crate::state;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fs::{File, TryLockError};
use std::io::Write;
use std::os::unix::fs::{FileTypeExt, MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use tenbin_model::trial::Apply;
use tenbin_words::message::{Message, foreign};
use tenbin_words::msg;
use tenbin_words::problem::Problem;
use tenbin_words::shell;

/// The version of its lines; the first one has no values that were set.
const FORMAT: u32 = 2;
const OLDEST_FORMAT: u32 = 1;
/// The longest file that is read, bytes.
const MOST_BYTES: u64 = 4 << 20;

/// The first line: which server, who has changed it, and how.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct JournalHead {
    /// The version of the format.
    pub format: u32,
    /// The server's own identity, see [`super::identity()`].
    pub server: String,
    /// Its address, without password.
    pub address: String,
    /// The environment variable that holds the password.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub password_env: Option<String>,
    /// The file that holds the password.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub password_file: Option<String>,
    /// The data directory of a PostgreSQL server, if its account may know it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub data_directory: Option<String>,
    /// The port and the data directory of a PostgreSQL server, as it says them itself to an account that may know them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub place: Option<String>,
    /// The directory in which the command that restarts the server is run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub directory: Option<String>,
    /// The run that has changed the variables: its name, process and start.
    pub run: String,
    /// How the variables are set.
    pub apply: Apply,
    /// The parameter group that is changed, and its instance.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub managed: Option<ManagedGroup>,
}

/// A DB parameter group of Amazon RDS.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ManagedGroup {
    /// The identifier of the instance.
    pub instance: String,
    /// The name of the group.
    pub group: String,
}

/// The former state of a variable.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FormerValue {
    /// Its value.
    pub value: String,
    /// The value that was stored for the next start of the server (`SET PERSIST`, `ALTER SYSTEM`), or that the user had
    /// given the parameter.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stored: Option<String>,
}

/// A further line.
#[derive(Serialize, Deserialize)]
#[serde(untagged)]
enum JournalLine {
    /// The former value, before anything is changed.
    Former { setting: String, former: FormerValue },
    /// A value that is about to be set, or that the server has shown after it was set.
    Set { set: String, value: String, shown: bool },
}

/// The values that were set.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct OurValues {
    /// As they were given, and as the server showed them.
    pub values: Vec<String>,
    /// Whether the last of them was set for certain: a run may have been killed before, or before it saw the result.
    pub settled: bool,
    /// Whether the run was given one of them; otherwise the server has changed the variable with another.
    pub is_given: bool,
}

/// What a journal says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct JournalText {
    /// Its first line.
    pub head: JournalHead,
    /// Former values by name.
    pub former: BTreeMap<String, FormerValue>,
    /// What was set, by name; nothing is known of a journal of the first version.
    pub ours: BTreeMap<String, OurValues>,
}

impl JournalText {
    pub(super) fn of(head: JournalHead) -> JournalText {
        JournalText { head, former: BTreeMap::new(), ours: BTreeMap::new() }
    }

    /// Whether a variable is one that the server changes, or might have changed, with those that were set.
    pub(super) fn is_dependent(&self, name: &str) -> bool {
        !self.ours.is_empty() && !self.ours.get(name).is_some_and(|ours| ours.is_given)
    }

    pub(super) fn take_set(&mut self, name: String, value: String, shown: bool) {
        let ours = self.ours.entry(name).or_default();
        ours.settled = shown;
        ours.is_given |= !shown;
        if !ours.values.contains(&value) {
            ours.values.push(value);
        }
    }
}

/// A journal that this process has locked.
#[derive(Debug)]
pub struct Journal {
    path: PathBuf,
    file: File,
    /// `None` until something is about to be changed.
    pub text: Option<JournalText>,
}

/// What is known of a journal on disk.
#[derive(Debug)]
pub struct JournalFound {
    /// Where it is.
    pub path: PathBuf,
    /// Its content, or why it cannot be used.
    pub text: Result<JournalText, Problem>,
}

/// Journals with changes that this process has not put back yet.
static CHANGED: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

/// Whether this process has changed variables of servers that are not put back yet.
pub fn are_changed() -> bool {
    !CHANGED.lock().unwrap_or_else(PoisonError::into_inner).is_empty()
}

/// Where the journals are.
pub fn directory() -> PathBuf {
    state::directory().join(".settings")
}

/// The journal of a server.
fn path_of(server: &str) -> PathBuf {
    let plain: String = server.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '-' }).take(60).collect();
    // FNV-1a: names that differ in other characters, or in their ends, are kept apart.
    let digest = server
        .bytes()
        .fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3));
    directory().join(format!("{plain}-{digest:016x}.jsonl"))
}

/// All journals, in use or left behind.
pub fn list() -> Vec<JournalFound> {
    let journals = paths().into_iter().map(|path| {
        let text = open(&path, false).and_then(|mut file| read(&path, &mut file));
        JournalFound {
            path,
            text: text.and_then(|(text, _)| text.ok_or_else(|| msg!("journal-is-empty")).map_err(Problem::new)),
        }
    });
    // One that is empty changed nothing.
    journals
        .filter(|journal| !journal.text.as_ref().is_err_and(|problem| problem.what.is("journal-is-empty")))
        .collect()
}

fn paths() -> Vec<PathBuf> {
    let entries = std::fs::read_dir(directory()).into_iter().flatten().flatten();
    let mut paths: Vec<PathBuf> =
        entries.map(|entry| entry.path()).filter(|path| path.extension().is_some_and(|e| e == "jsonl")).collect();
    paths.sort();
    paths
}

/// Removes those of runs that were killed before they recorded anything.
pub fn remove_empty() {
    for path in paths() {
        let Ok(mut file) = open(&path, false) else { continue };
        let is_free = file.try_lock().is_ok() && is_at(&file, &path);
        if is_free && read(&path, &mut file).is_ok_and(|(text, _)| text.is_none()) {
            drop(Journal { path, file, text: None });
        }
    }
}

/// Whether this file is still at its place: its last holder may have removed it.
fn is_at(file: &File, path: &Path) -> bool {
    let same = |a: &std::fs::Metadata, b: &std::fs::Metadata| (a.dev(), a.ino()) == (b.dev(), b.ino());
    file.metadata().and_then(|a| std::fs::symlink_metadata(path).map(|b| same(&a, &b))).unwrap_or(false)
}

/// Whether a server has a journal.
pub fn exists(server: &str) -> bool {
    path_of(server).symlink_metadata().is_ok()
}

/// Whether a process has locked a journal.
pub fn is_in_use(path: &Path) -> bool {
    open(path, false).is_ok_and(|file| matches!(file.try_lock_shared(), Err(TryLockError::WouldBlock)))
}

impl Journal {
    /// Locks the journal of a server, which is created if there is none. Fails if another process has it, or if it is
    /// damaged.
    pub fn lock(server: &str) -> Result<Journal, Problem> {
        state::make()?;
        let path = path_of(server);
        let dir = path.parent().map_or_else(directory, Path::to_path_buf);
        state::make_directory(&dir, 0o700).map_err(|e| unusable(&path, foreign(e)))?;
        let is_ours =
            dir.symlink_metadata().is_ok_and(|meta| meta.is_dir() && meta.uid() == rustix::process::geteuid().as_raw());
        if !is_ours {
            return Err(unusable(&path, msg!("journal-not-ours")));
        }
        // The file may have just been removed by its last holder, so that our lock is on a deleted file: then try again.
        for _ in 0..10 {
            let mut file = open(&path, true)?;
            match file.try_lock() {
                Ok(()) => {}
                Err(TryLockError::WouldBlock) => return Err(taken(&path, &mut file)),
                Err(TryLockError::Error(e)) => return Err(unusable(&path, foreign(e))),
            }
            if is_at(&file, &path) {
                let (text, complete) = read(&path, &mut file)?;
                if let Some(other) = text.as_ref().filter(|text| text.head.server != server) {
                    return Err(unusable(&path, msg!("journal-of-other-server", server = other.head.server)));
                }
                // An incomplete line is of a change that was not made, and the next one must not continue it.
                file.set_len(complete).map_err(|e| unusable(&path, foreign(e)))?;
                state::keep_names(&dir).map_err(|e| unusable(&path, foreign(e)))?;
                return Ok(Journal { path, file, text });
            }
        }
        Err(unusable(&path, msg!("lock-file-replaced", file = path.display())))
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Records former values before they are changed. `head` is written the first time.
    pub fn record(&mut self, head: &JournalHead, former: BTreeMap<String, FormerValue>) -> Result<(), Problem> {
        let mut lines = String::new();
        if self.text.is_none() {
            lines = line(head);
        }
        for (setting, former) in &former {
            lines += &line(&JournalLine::Former { setting: setting.clone(), former: former.clone() });
        }
        let path = self.path.clone();
        let kept = self.file.write_all(lines.as_bytes()).and_then(|()| self.file.sync_all());
        kept.map_err(|e| unusable(&path, foreign(e)))?;
        let text = self.text.get_or_insert_with(|| JournalText::of(head.clone()));
        text.former.extend(former);
        let mut changed = CHANGED.lock().unwrap_or_else(PoisonError::into_inner);
        if !changed.contains(&path) {
            changed.push(path);
        }
        Ok(())
    }

    /// Records values that are about to be set, or, if they are `shown`, that the server has now.
    pub fn set(&mut self, values: &BTreeMap<String, String>, shown: bool) -> Result<(), Problem> {
        let Some(text) = &mut self.text else { return Ok(()) };
        // A journal of the first version stays one: of its other values it is not known what was set.
        if text.head.format < FORMAT {
            return Ok(());
        }
        let mut lines = String::new();
        for (name, value) in values {
            lines += &line(&JournalLine::Set { set: name.clone(), value: value.clone(), shown });
            text.take_set(name.clone(), value.clone(), shown);
        }
        let kept = self.file.write_all(lines.as_bytes()).and_then(|()| self.file.sync_all());
        kept.map_err(|e| unusable(&self.path, foreign(e)))
    }

    /// Everything is put back: removes it, while it is still locked.
    pub fn finish(self) -> Result<(), Problem> {
        let removed = std::fs::remove_file(&self.path).map_err(|e| unusable(&self.path, foreign(e)));
        CHANGED.lock().unwrap_or_else(PoisonError::into_inner).retain(|path| *path != self.path);
        removed
    }
}

impl Drop for Journal {
    /// One in which nothing was recorded is of no use.
    fn drop(&mut self) {
        if self.text.is_none() {
            let _ = std::fs::remove_file(&self.path);
        }
    }
}

fn line(of: &impl Serialize) -> String {
    serde_json::to_string(of).unwrap_or_default() + "\n"
}

/// Opens it if it is a plain file of ours.
fn open(path: &Path, write: bool) -> Result<File, Problem> {
    // A pipe in its place would be waited for forever.
    let flags = (rustix::fs::OFlags::NOFOLLOW | rustix::fs::OFlags::NONBLOCK).bits() as i32;
    let mut options = File::options();
    options.read(true).append(write).create(write).mode(0o600).custom_flags(flags);
    let file = options.open(path).map_err(|e| unusable(path, foreign(e)))?;
    let meta = file.metadata().map_err(|e| unusable(path, foreign(e)))?;
    let kind = meta.file_type();
    if kind.is_fifo() {
        return Err(unusable(path, msg!("file-is-a-pipe")));
    } else if kind.is_dir() {
        return Err(unusable(path, msg!("file-is-a-directory")));
    } else if !kind.is_file() {
        return Err(unusable(path, msg!("file-is-a-device")));
    }
    let ours = meta.uid() == rustix::process::geteuid().as_raw() && meta.nlink() <= 1;
    // With no link it has just been removed, which the caller detects.
    if ours { Ok(file) } else { Err(unusable(path, msg!("journal-not-ours"))) }
}

/// The content, `None` if nothing was recorded, and the length of its complete lines.
fn read(path: &Path, file: &mut File) -> Result<(Option<JournalText>, u64), Problem> {
    let bytes = tenbin_intake::bytes(file, MOST_BYTES).map_err(|e| unusable(path, tenbin_intake::why(&e)))?;
    let text = String::from_utf8_lossy(&bytes);
    let complete = bytes.iter().rposition(|byte| *byte == b'\n').map_or(0, |end| end + 1);
    let known = parsed(&text).map(|text| (text, complete as u64));
    known.map_err(|(number, e)| unusable(path, msg!("journal-line-damaged", line = number, error = e)))
}

/// The content of complete lines, or the number of the first one that is not ours.
fn parsed(text: &str) -> Result<Option<JournalText>, (usize, Message)> {
    let complete = text.rfind('\n').map_or("", |end| &text[..=end]);
    let mut lines = (1..).zip(complete.lines());
    let Some((_, first)) = lines.next() else { return Ok(None) };
    let head: JournalHead = serde_json::from_str(first).map_err(|e| (1, foreign(e)))?;
    if !(OLDEST_FORMAT..=FORMAT).contains(&head.format) {
        return Err((1, msg!("journal-of-other-version", format = head.format)));
    }
    let mut text = JournalText::of(head);
    for (number, line) in lines {
        match serde_json::from_str(line).map_err(|e| (number, foreign(e)))? {
            JournalLine::Former { setting, former } => _ = text.former.insert(setting, former),
            JournalLine::Set { set, value, shown } => text.take_set(set, value, shown),
        }
    }
    Ok(Some(text))
}

/// The first line's fixed part.
pub(super) fn head(server: &str, address: &str, run: &str, apply: &Apply) -> JournalHead {
    JournalHead {
        format: FORMAT,
        server: server.to_owned(),
        address: address.to_owned(),
        password_env: None,
        password_file: None,
        data_directory: None,
        place: None,
        directory: None,
        run: run.to_owned(),
        apply: apply.clone(),
        managed: None,
    }
}

fn taken(path: &Path, file: &mut File) -> Problem {
    let who = read(path, file).ok().and_then(|(text, _)| text).map(|text| text.head);
    let problem = Problem::new(msg!("settings-in-use"));
    match who {
        Some(head) => problem.evidence(foreign(head.run)),
        None => problem.evidence(foreign(path.display())),
    }
    .hint(msg!("wait-for-other-run"))
}

/// Why a journal cannot be used.
pub(super) fn unusable(path: &Path, why: Message) -> Problem {
    Problem::new(msg!("journal-unusable", file = path.display()))
        .evidence(why)
        .hint(msg!("look-at-journal", file = shell::word(&path.display().to_string())))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_stands_in_the_place_of_a_journal_is_said() {
        let dir = tempfile::tempdir().unwrap();
        let evidence = |name: &str| {
            let problem = open(&dir.path().join(name), false).unwrap_err();
            problem.evidence.unwrap().english().to_owned()
        };
        let pipe = dir.path().join("pipe");
        rustix::fs::mknodat(rustix::fs::CWD, &pipe, rustix::fs::FileType::Fifo, rustix::fs::Mode::RUSR, 0).unwrap();
        std::fs::create_dir(dir.path().join("directory")).unwrap();
        std::fs::write(dir.path().join("file"), "").unwrap();
        std::fs::hard_link(dir.path().join("file"), dir.path().join("link")).unwrap();
        assert_eq!(evidence("pipe"), "it is a named pipe, and no file");
        assert_eq!(evidence("directory"), "it is a directory, and no file");
        assert_eq!(evidence("link"), "it is a link, or belongs to another user");
    }

    #[test]
    fn complete_lines_count_and_damaged_ones_are_told() {
        let head = head("s", "mysql://u@h:1", "run x", &Apply::SetGlobal);
        let former = FormerValue { value: "1".into(), stored: None };
        let former_values = BTreeMap::from([("sync_binlog".to_owned(), former.clone())]);
        let mut text = JournalText { former: former_values, ..JournalText::of(head.clone()) };
        let whole = line(&head) + &line(&JournalLine::Former { setting: "sync_binlog".into(), former });
        assert_eq!(parsed(&whole), Ok(Some(text.clone())));
        // Cut anywhere: either the change is known, or it was not made.
        for end in 0..whole.len() {
            let known = parsed(&whole[..end]).unwrap();
            assert!(known.is_none_or(|known| known.head == head && known.former.is_empty()), "{end}");
        }
        // What was set is known as soon as it was intended, and is certain when the server has shown it.
        let set =
            |value: &str, shown| line(&JournalLine::Set { set: "sync_binlog".into(), value: value.into(), shown });
        text.take_set("sync_binlog".into(), "17".into(), false);
        assert_eq!(parsed(&(whole.clone() + &set("17", false))), Ok(Some(text.clone())));
        text.take_set("sync_binlog".into(), "17".into(), true);
        assert!(text.ours["sync_binlog"].settled);
        assert_eq!(parsed(&(whole.clone() + &set("17", false) + &set("17", true))), Ok(Some(text)));
        assert_eq!(parsed(&whole.replace("setting", "set")).map_err(|(line, _)| line), Err(2));
        assert_eq!(parsed("garbage\n").map_err(|(line, _)| line), Err(1));
        assert_eq!(parsed(&whole.replace("\"format\":2", "\"format\":3")).map_err(|(line, _)| line), Err(1));
        assert!(!whole.contains("password"), "{whole}");
    }
}
