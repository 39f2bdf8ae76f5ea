//! Writes a bundle ([`super::bundle`]): the files of a run directory, as an archive that other programs read too (`tar --zstd`).

use super::bundle::{self, is_bundle};
use super::failure::cannot_write;
use super::files::Folder;
use super::verify::{LOG, Verification, examine};
use super::{LABELS, PAGE, about, file_name, run_folder, summary, sums};
use ruzstd::encoding::{CompressionLevel, compress_to_vec};
use std::ffi::OsStr;
use std::fs::File;
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use tar::{Builder, EntryType, Header};
use tenbin_words::msg;
use tenbin_words::problem::Problem;
use tenbin_words::shell;

/// A bundle that was written.
#[derive(Debug)]
pub struct Bundled {
    /// Its file.
    pub file: PathBuf,
    /// Whether the files of the run are as they were written.
    pub verification: Verification,
    /// Files of the directory that are not of the run, and not in the bundle.
    pub left_out: Vec<String>,
}

/// Writes the bundle of a run directory: beside it, or as `file`. An existing file is never overwritten.
pub fn write(run: &Path, file: Option<&Path>) -> Result<Bundled, Problem> {
    if is_bundle(run) {
        let what = Problem::new(msg!("bundle-is-one-already", bundle = run.display()));
        return Err(what.hint(bundle::unpack_by_hand(run)));
    }
    let folder = run_folder(run)?;
    let whole = run.canonicalize().unwrap_or_else(|_| run.to_owned());
    let name = file_name(&whole);
    let file = file.map_or_else(|| beside_run(run, &whole, &name), Path::to_owned);
    let verification = examine(&folder);
    let left_out = files(&folder)
        .and_then(|(paths, left_out)| pack(&folder, &name, &paths, &file).map(|()| left_out))
        .map_err(|e| not_written(run, &file, &e))?;
    Ok(Bundled { file, verification, left_out })
}

fn beside_run(run: &Path, whole: &Path, name: &str) -> PathBuf {
    let path = if file_name(run) == name { run } else { whole };
    path.with_file_name(format!("{name}.tar.zst"))
}

fn not_written(run: &Path, file: &Path, e: &io::Error) -> Problem {
    let run = shell::word(&run.display().to_string());
    let elsewhere = msg!("bundle-elsewhere", run);
    let what = msg!("bundle-cannot-be-written", file = file.display());
    match e.kind() {
        io::ErrorKind::AlreadyExists => Problem::new(what).evidence(msg!("file-is-there")).hint(elsewhere),
        _ => cannot_write(what, parent(file), e, elsewhere),
    }
}

fn parent(file: &Path) -> &Path {
    file.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// The files of a run by their paths, in the order in which they are read, and those that are not of the run. A run may go on meanwhile: files that
/// have digests are complete, so the digests are first.
fn files(run: &Folder) -> io::Result<(Vec<String>, Vec<String>)> {
    let (mut paths, mut others) = (Vec::new(), Vec::new());
    let of_run = [sums::NAME, about::NAME, LABELS, "plan.toml", LOG, PAGE];
    paths.extend(of_run.iter().filter(|name| run.has(name)).map(|name| (*name).to_owned()));
    let names = |folder: &Folder| -> io::Result<Vec<String>> {
        Ok(folder.names()?.into_iter().map(|name| name.to_string_lossy().into_owned()).collect())
    };
    others.extend(names(run)?.into_iter().filter(|name| name != "trials" && !of_run.contains(&name.as_str())));
    let Ok(trials) = run.folder("trials") else { return Ok((paths, others)) };
    for name in names(&trials)? {
        let Some(trial) = trials.folder(&name).ok().filter(|_| name.parse::<u32>().is_ok()) else {
            others.push(format!("trials/{name}"));
            continue;
        };
        for file in names(&trial)? {
            let is_read = ["trial.json", LOG, summary::NAME].contains(&file.as_str());
            (if is_read { &mut paths } else { &mut others }).push(format!("trials/{name}/{file}"));
        }
    }
    Ok((paths, others))
}

fn pack(run: &Folder, name: &str, paths: &[String], file: &Path) -> io::Result<()> {
    // The archive is one directory, named as the run is; a longer name than this would not be read by every program.
    let top: String = name.chars().take(MOST_NAME).collect();
    Folder::reach(parent(file))?.create(file.file_name().unwrap_or(OsStr::new("")), |out| {
        let mut archive = Builder::new(FrameWriter { out, waiting: Vec::new() });
        paths.iter().try_for_each(|path| add(run, &top, path, &mut archive))?;
        archive.into_inner()?.end()
    })
}

/// The longest name of the directory in the archive, characters.
const MOST_NAME: usize = 60;

/// Adds a file, as long as it is now. It says nothing about this machine: neither owner nor rights.
fn add(run: &Folder, top: &str, path: &str, archive: &mut Builder<FrameWriter<'_>>) -> io::Result<()> {
    let mut parts: Vec<&str> = path.split('/').collect();
    let name = parts.pop().unwrap_or_default();
    let file = match parts.as_slice() {
        [trials, trial] => run.folder(trials)?.folder(trial)?.file(name)?,
        _ => run.file(name)?,
    };
    let size = file.length()?;
    let mut header = Header::new_ustar();
    header.set_entry_type(EntryType::Regular);
    header.set_size(size);
    header.set_mode(0o644);
    header.set_uid(0);
    header.set_gid(0);
    header.set_mtime(file.changed_s());
    let mut content = file.take(size);
    archive.append_data(&mut header, format!("{top}/{path}"), &mut content)?;
    match content.limit() {
        0 => Ok(()),
        _ => Err(io::Error::other(format!("{path} became shorter meanwhile"))),
    }
}

/// How much is compressed at a time. The encoder looks back no further than within it.
const FRAME_BYTES: usize = 8 << 20;

/// Compresses what is written to it, in frames. The encoder only writes into memory and cannot fail there.
struct FrameWriter<'f> {
    out: &'f mut File,
    waiting: Vec<u8>,
}

impl FrameWriter<'_> {
    fn end(mut self) -> io::Result<()> {
        self.compress()?;
        self.out.sync_data()
    }

    fn compress(&mut self) -> io::Result<()> {
        if self.waiting.is_empty() {
            return Ok(());
        }
        self.out.write_all(&compress_to_vec(self.waiting.as_slice(), CompressionLevel::Fastest))?;
        self.waiting.clear();
        Ok(())
    }
}

impl Write for FrameWriter<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.waiting.extend_from_slice(bytes);
        if self.waiting.len() >= FRAME_BYTES {
            self.compress()?;
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
