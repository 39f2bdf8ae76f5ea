//! A run in one file, `RUN.tar.zst`: an archive of its directory, compressed. Whatever reads a run directory reads a bundle in the
//! same way ([`super::files::Folder`]).
//!
//! A bundle may come from anybody. What it contains is written into one file without a name ([`super::unpacked`]), so that no path in it
//! means anything on this machine; links and devices are refused, and size and number of files are limited.

use super::files::Folder;
use super::unpacked::Unpacked;
use super::{MOST_JSON, MOST_TRIALS, about, sums, verify};
use ruzstd::decoding::{FrameDecoder, StreamingDecoder};
use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use tar::{Archive, Entry, EntryType};
use tenbin_words::figure;
use tenbin_words::message::{Message, foreign};
use tenbin_words::msg;
use tenbin_words::problem::Problem;
use tenbin_words::shell;
use tenbin_words::text::visible;

/// The names of bundles end in one of these.
const ENDINGS: [&str; 2] = [".tar.zst", ".tzst"];

/// The first bytes of a file that is compressed with zstd (RFC 8878, section 3.1.1).
const MAGIC: [u8; 4] = [0x28, 0xb5, 0x2f, 0xfd];

/// The most bytes that are unpacked: this many, but at most this many times those that are read. Logs become 4 to 10 times smaller.
const MOST_BYTES: u64 = 16 << 30;
const MOST_TIMES: u64 = 200;
/// A bundle of this size is not large, whatever its compression.
const ALWAYS_BYTES: u64 = 64 << 20;

/// The most entries: three files and a directory of each trial, and those of the run.
const MOST_ENTRIES: u64 = 4 * MOST_TRIALS as u64 + 100;

/// The longest path.
const MOST_PATH: usize = 1024;

/// The most memory that a frame may ask for, as of the programs of zstd.
const MOST_WINDOW: u64 = 128 << 20;

/// Whether a file is a bundle, by its name or its first bytes. What it contains is not looked at.
pub fn is_bundle(path: &Path) -> bool {
    let starts = || {
        let mut first = [0; 4];
        let read = File::open(path).and_then(|mut file| file.read_exact(&mut first));
        read.is_ok() && first == MAGIC
    };
    // A pipe is not opened, which would wait for its other end.
    path.is_file() && (ending(path).is_some() || starts())
}

/// Whether a file has the name of a bundle.
pub(super) fn is_named_so(path: &Path) -> bool {
    ending(path).is_some()
}

fn ending(path: &Path) -> Option<&'static str> {
    let name = path.file_name()?.to_str()?;
    ENDINGS.into_iter().find(|ending| name.ends_with(ending))
}

/// The name of a file beside a bundle, with another ending.
pub fn beside(bundle: &Path, new: &str) -> PathBuf {
    let name = bundle.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let stem = ending(bundle).and_then(|ending| name.strip_suffix(ending)).unwrap_or(&name);
    bundle.with_file_name(format!("{stem}{new}"))
}

/// The problem that something is to be written into a bundle.
pub(super) fn is_only_read(bundle: &Path) -> Problem {
    Problem::new(msg!("bundle-is-only-read", bundle = bundle.display())).hint(unpack_by_hand(bundle))
}

pub(super) fn unpack_by_hand(bundle: &Path) -> Message {
    msg!("bundle-unpack", bundle = shell::word(&bundle.display().to_string()))
}

/// Reads a bundle.
pub(super) fn open(path: &Path) -> Result<Folder, Problem> {
    let refused = |why: Message| Problem::new(msg!("bundle-cannot-be-read", bundle = path.display())).evidence(why);
    let unpacked = unpack(path).map_err(|why| match why {
        BundleError::Foreign(why) => refused(why).hint(msg!("bundle-how-made")),
        BundleError::Here(e) => refused(foreign(e)).hint(unpack_by_hand(path)),
    })?;
    Ok(Folder::of_bundle(unpacked, path))
}

/// Why a bundle is not read.
enum BundleError {
    /// By its content.
    Foreign(Message),
    /// By this machine: there is no space.
    Here(io::Error),
}

impl From<Message> for BundleError {
    fn from(why: Message) -> Self {
        BundleError::Foreign(why)
    }
}

fn unpack(path: &Path) -> Result<Unpacked, BundleError> {
    let packed = File::open(path).map_err(BundleError::Here)?;
    let bytes = packed.metadata().map_err(BundleError::Here)?.len();
    let most = MOST_BYTES.min(ALWAYS_BYTES.saturating_add(bytes.saturating_mul(MOST_TIMES)));
    unpack_within(packed, most, MOST_ENTRIES)
}

fn unpack_within(packed: File, most: u64, most_entries: u64) -> Result<Unpacked, BundleError> {
    let mut all = tempfile::tempfile().map_err(BundleError::Here)?;
    let mut files = BTreeMap::new();
    let mut archive = Archive::new(Source { frames: FrameReader::of(packed), left: most, is_at_end: false });
    let entries = archive.entries().map_err(|e| unreadable(&e, most))?.raw(true);
    let (mut at, mut count, mut long) = (0, 0, None);
    for entry in entries {
        let mut entry = entry.map_err(|e| unreadable(&e, most))?;
        count += 1;
        if count > most_entries {
            return Err(msg!("bundle-too-many-files", most = figure::whole(most_entries as i128)).into());
        }
        let header = String::from_utf8_lossy(&entry.header().path_bytes()).into_owned();
        match entry.header().entry_type() {
            // The name of the next entry (GNU tar), which does not fit into its header.
            EntryType::GNULongName => {
                let path = long_path(&mut entry);
                long = Some(path.map_err(|_| msg!("bundle-path-leads-out", path = visible(&header)))?);
            }
            // Times and the like.
            EntryType::XHeader | EntryType::XGlobalHeader => {}
            EntryType::Directory => {
                path_within(&long.take().unwrap_or(header))?;
            }
            EntryType::Regular => {
                let path = path_within(&long.take().unwrap_or(header))?;
                let size = entry.size();
                let copied = copy(&mut entry, &mut all, most)?;
                if copied != size {
                    return Err(msg!("bundle-cut-off").into());
                }
                if files.insert(path.clone(), (at, at + size)).is_some() {
                    return Err(msg!("bundle-file-twice", path).into());
                }
                at += size;
            }
            _ => return Err(msg!("bundle-has-links", path = visible(&header)).into()),
        }
    }
    // The end of an archive is a block of zeros.
    if archive.into_inner().is_at_end {
        return Err(msg!("bundle-cut-off").into());
    }
    Ok(Unpacked::of(all, of_run(files)?))
}

/// The files of these names that the run itself has in a bundle, as far as they stand before its trials: what a list of runs needs, without
/// unpacking all of it. Of an archive that somebody else made, as far as they are near its beginning.
pub(super) fn first_files(path: &Path, names: &[&str]) -> BTreeMap<String, Vec<u8>> {
    let mut files = BTreeMap::new();
    let Ok(packed) = File::open(path) else { return files };
    let mut archive = Archive::new(Source { frames: FrameReader::of(packed), left: ALWAYS_BYTES, is_at_end: false });
    let Ok(entries) = archive.entries() else { return files };
    // What cannot be read ends the search; a command that reads the bundle says why.
    for mut entry in entries.map_while(Result::ok) {
        let Ok(path) = path_within(&String::from_utf8_lossy(&entry.path_bytes())) else { continue };
        let parts: Vec<&str> = path.split('/').collect();
        let is_of_trial = parts.iter().rev().skip(1).any(|part| *part == "trials");
        if is_of_trial && !files.is_empty() {
            break;
        }
        let Some(name) = parts.last().filter(|name| parts.len() <= 2 && names.contains(*name)) else { continue };
        if let Ok(content) = tenbin_intake::bytes(&mut entry, MOST_JSON) {
            files.insert((*name).to_owned(), content);
        }
    }
    files
}

fn long_path(entry: &mut Entry<'_, Source>) -> io::Result<String> {
    let mut path = tenbin_intake::bytes(entry, MOST_PATH as u64)?;
    path.retain(|byte| *byte != 0);
    Ok(String::from_utf8_lossy(&path).into_owned())
}

/// A path within the archive. Fails for one that leads out of it.
fn path_within(path: &str) -> Result<String, BundleError> {
    let parts: Vec<&str> = path.split('/').filter(|part| !part.is_empty() && *part != ".").collect();
    if path.starts_with('/') || parts.contains(&"..") || path.contains('\0') || path.len() > MOST_PATH {
        return Err(msg!("bundle-path-leads-out", path = visible(path)).into());
    }
    Ok(parts.join("/"))
}

/// The files by their paths in the run directory, which is the top of the archive, or the only directory there.
fn of_run(files: BTreeMap<String, (u64, u64)>) -> Result<BTreeMap<String, (u64, u64)>, BundleError> {
    let is_run = |path: &str| [verify::LOG, about::NAME, sums::NAME].contains(&path) || path.starts_with("trials/");
    if files.keys().any(|path| is_run(path)) {
        return Ok(files);
    }
    let tops: BTreeSet<&str> = files.keys().filter_map(|path| path.split_once('/')).map(|(top, _)| top).collect();
    let inner = || files.iter().filter_map(|(path, position)| Some((path.split_once('/')?.1.to_owned(), *position)));
    match tops.len() {
        1 if inner().any(|(path, _)| is_run(&path)) => Ok(inner().collect()),
        0 | 1 => Err(msg!("bundle-has-no-run").into()),
        n => Err(msg!("bundle-has-several", n).into()),
    }
}

/// Copies the content of an entry.
fn copy(from: &mut impl Read, to: &mut File, most: u64) -> Result<u64, BundleError> {
    let (mut copied, mut buffer) = (0, vec![0; 64 << 10]);
    loop {
        let read = match from.read(&mut buffer) {
            Ok(0) => return Ok(copied),
            Ok(read) => read,
            Err(e) if e.kind() == io::ErrorKind::Interrupted => continue,
            Err(e) => return Err(unreadable(&e, most)),
        };
        to.write_all(&buffer[..read]).map_err(BundleError::Here)?;
        copied += read as u64;
    }
}

fn unreadable(e: &io::Error, most: u64) -> BundleError {
    if tenbin_intake::is_too_long(e) {
        return msg!("bundle-too-large", most = figure::bytes(most as f64)).into();
    }
    if e.kind() == io::ErrorKind::UnexpectedEof {
        return msg!("bundle-cut-off").into();
    }
    // The reader of archives quotes the bytes that it did not expect.
    let why: String = visible(&e.to_string()).chars().take(MOST_WHY).collect();
    msg!("bundle-is-none", why = foreign(why)).into()
}

/// The longest reason of another program, characters.
const MOST_WHY: usize = 80;

/// The unpacked content, up to a limit.
struct Source {
    frames: FrameReader,
    /// This many bytes more are read.
    left: u64,
    /// Whether more was asked for than there is.
    is_at_end: bool,
}

impl Read for Source {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.frames.read(buffer)?;
        self.is_at_end |= read == 0 && !buffer.is_empty();
        self.left = self.left.checked_sub(read as u64).ok_or_else(|| tenbin_intake::too_long(0))?;
        Ok(read)
    }
}

/// The frames of a compressed file, one after the other.
enum FrameReader {
    Between(BufReader<File>),
    Within(Box<StreamingDecoder<BufReader<File>, FrameDecoder>>),
    /// An error was reported.
    Failed,
}

impl FrameReader {
    fn of(packed: File) -> FrameReader {
        FrameReader::Between(BufReader::with_capacity(256 << 10, packed))
    }
}

impl Read for FrameReader {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            match std::mem::replace(self, FrameReader::Failed) {
                FrameReader::Failed => return Err(io::Error::other("it could not be read")),
                FrameReader::Between(mut packed) => {
                    if packed.fill_buf()?.is_empty() {
                        *self = FrameReader::Between(packed);
                        return Ok(0);
                    }
                    let decoder = StreamingDecoder::new_with_max_window_size(packed, MOST_WINDOW);
                    *self = FrameReader::Within(Box::new(decoder.map_err(io::Error::other)?));
                }
                FrameReader::Within(mut decoder) => {
                    let read = decoder.read(buffer).map_err(|e| cut_off(e, decoder.get_mut()))?;
                    if read > 0 || buffer.is_empty() {
                        *self = FrameReader::Within(decoder);
                        return Ok(read);
                    }
                    let (packed, frame) = decoder.into_parts();
                    if frame.get_checksum_from_data().is_some_and(|sum| Some(sum) != frame.get_calculated_checksum()) {
                        return Err(io::Error::other("a checksum is wrong"));
                    }
                    *self = FrameReader::Between(packed);
                }
            }
        }
    }
}

/// The decoder has an error of its own for the end of the file.
fn cut_off(e: io::Error, packed: &mut BufReader<File>) -> io::Error {
    match packed.fill_buf() {
        Ok([]) => io::ErrorKind::UnexpectedEof.into(),
        _ => e,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_stays_within_the_archive() {
        let within = |path| path_within(path).ok();
        assert_eq!(within("./run//trials/./0001/trial.json"), Some("run/trials/0001/trial.json".to_owned()));
        for path in ["/etc/passwd", "run/../../x", "..", "a\0b", &"x/".repeat(600)] {
            assert_eq!(within(path), None, "{path:?}");
        }
    }

    #[test]
    fn what_stands_beside_a_bundle_has_its_name() {
        let page = |bundle: &str| beside(Path::new(bundle), ".html").display().to_string();
        assert_eq!(page("runs/a.b.tar.zst"), "runs/a.b.html");
        assert_eq!(page("x.tzst"), "x.html");
        assert_eq!(page("runs/x"), "runs/x.html");
    }
}
