//! The files of `fileio`: creates, recognises and removes them. `rows` are bytes here.

use super::files::{Files, FilesMark, NO_LINK, trouble};
use super::{FILES, block};
use std::fs::{self, OpenOptions};
use std::io::{self, Seek, SeekFrom, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::PathBuf;
use tenbin_driver::Connector;
use tenbin_model::stop::StopSignal;
use tenbin_words::msg;
use tenbin_words::problem::Problem;
use tenbin_workload::options::{OptionMap, Resolved};
use tenbin_workload::{Dataset, DatasetEntry, DatasetState, PartState, Progress, Random};

pub(crate) const ENTRY: DatasetEntry = DatasetEntry {
    kind: "files",
    about: "files test_file.0, test_file.1, … for fileio, filled with zeros or with blocks that have checksums",
    options: &[FILES],
    sizes: &[("file_total_size", 16 << 20)],
    columns: |_| Vec::new(),
    made_of: "files",
    ..DatasetEntry::made_by(|options, _| Ok(Box::new(Set { options: options.clone() })))
};

/// Bytes written at once.
const PIECE: usize = 1 << 20;

struct Set {
    options: OptionMap,
}

impl Set {
    fn files(&self, connector: &Connector) -> Result<Files, Problem> {
        let files = Files::new(&Resolved(&self.options), connector)?;
        files.inspect()?;
        Ok(files)
    }

    /// Length of the checked blocks in them; 0: filled with zeros.
    fn checked(&self) -> u64 {
        let options = Resolved(&self.options);
        if options.on("validate") { options.size("file_block_size") } else { 0 }
    }

    fn each(&self) -> (u64, u64) {
        let options = Resolved(&self.options);
        let num = options.count("file_num").max(1);
        (num, options.size("file_total_size") / num)
    }

    /// Whether the test creates its files itself.
    fn made_by_the_test(&self) -> bool {
        Resolved(&self.options).text("file_test_mode") == "seqwr"
    }
}

impl Dataset for Set {
    fn kind(&self) -> &str {
        "files"
    }

    fn rows(&self) -> u64 {
        let (num, size) = self.each();
        num * size
    }

    fn unit(&self) -> &'static str {
        "bytes"
    }

    fn bytes(&self) -> u64 {
        self.rows()
    }

    fn directory(&self, connector: &Connector) -> Option<PathBuf> {
        Files::new(&Resolved(&self.options), connector).ok().map(|files| files.dir)
    }

    fn statements(&self) -> Vec<String> {
        let (num, size) = self.each();
        vec![format!("write test_file.0 to test_file.{}, {size} bytes each, and tenbin_mark", num - 1)]
    }

    fn inspect(&self, connector: &Connector) -> Result<DatasetState, Problem> {
        let files = self.files(connector)?;
        let mark = files.mark()?;
        let (mut there, mut whole, mut foreign, mut short) = (0, 0, None, None);
        for name in files.names() {
            let length = files.length(&name)?;
            there += u64::from(length.is_some());
            if length.is_some() && !mark.names.contains(&name) {
                foreign.get_or_insert((name.clone(), length == Some(files.size)));
            }
            match length {
                Some(length) if length >= files.size => whole += 1,
                length => _ = short.get_or_insert((name, length.unwrap_or(0))),
            }
        }
        if let Some((name, _)) = foreign {
            // No matter who created them: their number and length are as required.
            let fits = whole == files.num && !self.made_by_the_test();
            let exact = |n: String| files.length(&n).map(|l| l == Some(files.size));
            return Ok(match fits && files.names().map(exact).collect::<Result<Vec<_>, _>>()?.iter().all(|e| *e) {
                true => DatasetState::Ready { ours: false },
                false => DatasetState::Different { ours: false, problem: files.foreign(&name) },
            });
        }
        if self.made_by_the_test() {
            return Ok(DatasetState::Ready { ours: true });
        }
        if there > 0 && self.checked() != 0 && mark.checked != self.checked() {
            let problem =
                Problem::new(msg!("files-without-checked-blocks", dir = files.dir.display(), block = files.block))
                    .evidence(match mark.checked {
                        0 => msg!("filled-with-zeros"),
                        length => msg!("blocks-of-length", length),
                    })
                    .hint(msg!("load-with-drop-again", load = files.load_command()));
            return Ok(DatasetState::Different { ours: true, problem });
        }
        Ok(match short {
            None => DatasetState::Ready { ours: true },
            Some(_) if there == 0 => DatasetState::Nothing,
            Some((name, length)) => DatasetState::Unfinished {
                problem: Problem::new(msg!(
                    "file-has-wrong-size",
                    file = files.path(&name).display(),
                    length,
                    size = files.size
                ))
                .evidence(msg!("files-are-complete", whole, num = files.num))
                .hint(files.load_command()),
            },
        })
    }

    fn streams_used(&self, _connector: &Connector, _streams: u32) -> u32 {
        1
    }

    fn load(
        &self,
        connector: &Connector,
        _streams: u32,
        seed: u64,
        progress: Progress<'_>,
        stop: &StopSignal,
    ) -> Result<Vec<Problem>, Problem> {
        let files = self.files(connector)?;
        let mut there = 0;
        for name in files.names() {
            there += files.length(&name)?.unwrap_or(0).min(files.size);
        }
        if !self.made_by_the_test() {
            files.room(self.rows() - there)?;
        }
        files.claim(self.checked())?;
        if self.made_by_the_test() {
            return Ok(Vec::new());
        }
        let mut done = 0;
        let mut piece = vec![0; PIECE];
        for file in 0..files.num {
            if stop.asked() {
                return Ok(Vec::new());
            }
            let path = files.path(&Files::name(file));
            let mut go_on = |bytes| {
                progress(done + bytes);
                !stop.asked()
            };
            self.fill(&files, file, seed, &mut piece, &mut go_on)
                .map_err(|e| trouble(msg!("file-cannot-be-written-here", path = path.display()), &e))?;
            done += files.size;
            progress(done);
        }
        files.bind()?;
        Ok(Vec::new())
    }

    /// Files of others are kept or extended, and remain theirs. Our own are rewritten if checked blocks are required
    /// that they do not contain, or vice versa.
    fn load_named(
        &self,
        connector: &Connector,
        seed: u64,
        tell: &dyn Fn(PartState, &str),
        stop: &StopSignal,
    ) -> Result<u64, Problem> {
        let files = self.files(connector)?;
        let mut mark = files.mark()?;
        let anew = mark.checked != self.checked();
        let (mut there, mut lengths) = (0, Vec::with_capacity(files.num as usize));
        for name in files.names() {
            let length_on_disk = files.length(&name)?;
            let length = if anew && mark.names.contains(&name) { 0 } else { length_on_disk.unwrap_or(0) };
            if length_on_disk.is_none() {
                mark.names.insert(name);
            }
            there += length.min(files.size);
            lengths.push((length_on_disk, length));
        }
        files.room(self.rows() - there)?;
        mark.checked = self.checked();
        files.write(&mark)?;
        let (mut written, mut piece) = (0, vec![0; PIECE]);
        for (file, (length_on_disk, length)) in lengths.into_iter().enumerate() {
            if stop.asked() {
                break;
            }
            let name = Files::name(file as u64);
            let path = files.path(&name);
            let made = match length {
                0 => PartState::New,
                _ if length < files.size => PartState::Longer,
                _ => PartState::Kept,
            };
            tell(made, &name);
            if made == PartState::Kept {
                continue;
            }
            if length_on_disk.is_some() && length == 0 {
                let emptied = OpenOptions::new().write(true).truncate(true).custom_flags(NO_LINK).open(&path);
                emptied.map_err(|e| trouble(msg!("file-cannot-be-emptied", path = path.display()), &e))?;
            }
            self.fill(&files, file as u64, seed, &mut piece, &mut |_| !stop.asked())
                .map_err(|e| trouble(msg!("file-cannot-be-written-here", path = path.display()), &e))?;
            written += files.size - length;
        }
        files.bind()?;
        Ok(written)
    }

    fn drop_ours(&self, connector: &Connector) -> Result<(), Problem> {
        let files = self.files(connector)?;
        let mark = files.mark()?;
        for name in files.names() {
            if !mark.names.contains(&name) && files.length(&name)?.is_some() {
                return Err(files.foreign(&name));
            }
        }
        for name in &mark.names {
            remove(&files, name)?;
        }
        files.write(&FilesMark::default())
    }

    fn drop_named(&self, connector: &Connector, tell: &dyn Fn(&str)) -> Result<(), Problem> {
        let files = self.files(connector)?;
        let mut mark = files.mark()?;
        for name in files.names() {
            tell(&name);
            remove(&files, &name)?;
            mark.names.remove(&name);
        }
        files.write(&mark)
    }
}

impl Set {
    /// Extends a file to the required length and syncs it; existing content is kept. `progress` says whether to go on.
    fn fill(
        &self,
        files: &Files,
        file: u64,
        seed: u64,
        piece: &mut [u8],
        progress: &mut dyn FnMut(u64) -> bool,
    ) -> io::Result<()> {
        let path = files.path(&Files::name(file));
        let mut options = OpenOptions::new();
        options.write(true).create(true).truncate(false).mode(0o600).custom_flags(NO_LINK);
        let mut out = options.open(&path)?;
        let checked = self.checked();
        // A truncated block is rewritten.
        let mut at = out.metadata()?.len().min(files.size) / checked.max(1) * checked.max(1);
        out.seek(SeekFrom::Start(at))?;
        let mut random = Random::new(seed, file);
        while at < files.size {
            let length = match checked {
                0 => (PIECE as u64).min(files.size - at),
                // The rest of a file is not a block and never read.
                length if length <= files.size - at => length,
                _ => files.size - at,
            } as usize;
            let bytes = if length <= piece.len() { &mut piece[..length] } else { &mut vec![0; length][..] };
            if length as u64 == checked {
                block::fill(bytes, file as usize, at / checked, &mut random);
            }
            out.write_all(bytes)?;
            at += length as u64;
            if !progress(at) {
                return Ok(());
            }
        }
        out.sync_all()
    }
}

fn remove(files: &Files, name: &str) -> Result<(), Problem> {
    let path = files.path(name);
    match fs::remove_file(&path) {
        Err(e) if e.kind() != io::ErrorKind::NotFound => {
            Err(trouble(msg!("file-cannot-be-removed", path = path.display()), &e))
        }
        _ => Ok(()),
    }
}
