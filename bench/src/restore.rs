//! (j) Putting a golden copy of 1 GiB back: by copying, against `cp -a`; and by sharing blocks, on an XFS image of its own where
//! one can be made (root, with mkfs.xfs).

use crate::measurement::{Column, Measurement};
use crate::options::Options;
use crate::paired::Better::Less;
use crate::paired::Figures;
use crate::paired_run::run_pairs_between;
use std::collections::BTreeMap;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Instant;
use tenbin_model::stop::StopSignal;
use tenbin_servers::golden::{self, GoldenCopy, Making, ServerLogs, Variant};

const FILES: u64 = 64;
const FILE: usize = 16 << 20;

/// Who puts the data back.
#[derive(Debug)]
enum Side {
    Cp,
    Tenbin,
}

/// Where it happens.
struct Place {
    data: PathBuf,
    golden: GoldenCopy,
    /// Further arguments of `cp`.
    cp: &'static [&'static str],
}

/// Measures it.
pub fn run(options: &Options) -> io::Result<Measurement> {
    let files = if options.quick { FILES / 8 } else { FILES };
    std::fs::create_dir_all("target/bench")?;
    let here = tempfile::tempdir_in("target/bench")?;
    let image = Image::mount(here.path())?;
    let mut points =
        vec![("copy, 1 GiB".to_owned(), Place::fill(&here.path().join("copied"), files, &["--reflink=never"])?)];
    if let Some(image) = &image {
        let place = Place::fill(&image.0.join("shared"), files, &["--reflink=always"])?;
        points.push(("shared blocks (XFS), 1 GiB".to_owned(), place));
    }
    let points = run_pairs_between(options, [("cp", &Side::Cp), ("tenbin", &Side::Tenbin)], &points, |side, place| {
        let start = Instant::now();
        match side {
            Side::Cp => {
                std::fs::remove_dir_all(&place.data)?;
                let start = Instant::now();
                run_quietly(Command::new("cp").arg("-a").args(place.cp).arg(place.golden.data()).arg(&place.data))?;
                let seconds = start.elapsed().as_secs_f64();
                run_quietly(Command::new("sync").arg("-f").arg(&place.data))?;
                Ok(Figures::from([("seconds", seconds), ("with_sync_s", start.elapsed().as_secs_f64())]))
            }
            Side::Tenbin => {
                let failed = |problem: tenbin_words::problem::Problem| io::Error::other(problem.to_string());
                place.golden.verify().map_err(failed)?;
                let put =
                    golden::put_back((&place.golden, &ServerLogs::NONE), &place.data, &|_| {}, &StopSignal::new())
                        .map_err(failed)?;
                let (seconds, all) = (put.copying.as_secs_f64(), start.elapsed().as_secs_f64());
                put.keep();
                Ok(Figures::from([("seconds", seconds), ("with_sync_s", all)]))
            }
        }
    })?;
    Ok(Measurement {
        key: "j",
        name: "Putting a golden copy of 1 GiB in 64 files back, verification and sync in the second row".into(),
        columns: vec![Column::new("seconds", "seconds", Less), Column::new("with_sync_s", "seconds with sync", Less)],
        points,
    })
}

impl Place {
    /// A directory of files and its golden copy, beside each other.
    fn fill(at: &Path, files: u64, cp: &'static [&'static str]) -> io::Result<Place> {
        let data = at.join("data");
        std::fs::create_dir_all(&data)?;
        // No two blocks are equal, and none is a hole.
        let mut content = vec![0_u8; FILE];
        for n in 0..files {
            for (at, block) in content.chunks_mut(4096).enumerate() {
                block.fill((at % 251) as u8 + 1);
                block[..16].copy_from_slice(&(u128::from(n) << 64 | at as u128).to_le_bytes());
            }
            std::fs::File::create(data.join(format!("table{n}.ibd")))?.write_all(&content)?;
        }
        let variant = Variant {
            kind: "bench".to_owned(),
            options: BTreeMap::new(),
            series: "none-0".to_owned(),
            layout: BTreeMap::new(),
        };
        let store = at.join("store");
        let (server, made_by, objects) = ("", "copy", BTreeMap::new());
        let logs = &ServerLogs::NONE;
        let making =
            Making { store: &store, variant: &variant, server, made_by, made: "", rows: 0, objects: &objects, logs };
        let golden = golden::copy_of(&making, &data, &|_| {}, &StopSignal::new())
            .map_err(|problem| io::Error::other(problem.to_string()))?;
        Ok(Place { data, golden, cp })
    }
}

/// A file system in a file, mounted until this is dropped.
struct Image(PathBuf);

impl Image {
    /// `None` where it cannot be made.
    fn mount(dir: &Path) -> io::Result<Option<Image>> {
        let (file, at) = (dir.join("xfs.img"), dir.join("xfs"));
        std::fs::create_dir(&at)?;
        std::fs::File::create(&file)?.set_len(6 << 30)?;
        let made = run_quietly(Command::new("mkfs.xfs").args(["-q", "-m", "reflink=1"]).arg(&file));
        let mounted = made.and_then(|()| run_quietly(Command::new("mount").args(["-o", "loop"]).arg(&file).arg(&at)));
        Ok(mounted.is_ok().then_some(Image(at)))
    }
}

impl Drop for Image {
    fn drop(&mut self) {
        // What is still mounted then is seen when its directory cannot be removed.
        let _ = run_quietly(Command::new("umount").arg(&self.0));
    }
}

fn run_quietly(command: &mut Command) -> io::Result<()> {
    let output = command.stdin(Stdio::null()).output()?;
    match output.status.success() {
        true => Ok(()),
        false => Err(io::Error::other(format!("{command:?}: {}", String::from_utf8_lossy(&output.stderr).trim()))),
    }
}
