//! Bundles: what is read from one is what is read from the directory, to the byte; and a file that is not a bundle, or is made
//! to harm, is one error.

#![expect(clippy::unwrap_used, reason = "a test may")]

use crate::common;
use crate::verify::written;

use common::{PLAN, events};
use ruzstd::decoding::StreamingDecoder;
use ruzstd::encoding::{CompressionLevel, compress_to_vec};
use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};
use tar::{Builder, EntryType, Header};
use tenbin_model::labels::RunLabels;
use tenbin_model::record::RecordState;
use tenbin_report::store::{self, EarlierTrials, FileState, Listed, Recording, is_bundle, read, verify, write_bundle};
use tenbin_report::{export, page};
use tenbin_words::language::Language;

/// Everything that a reader can see.
fn told(run: &Path) -> [String; 7] {
    let Recording { summary, doubts } = read(run).expect("a run");
    assert_eq!(doubts, []);
    [
        page::render(&summary, &doubts, Language::English),
        page::render(&summary, &doubts, Language::Japanese),
        export::json(&summary, None),
        export::trials(&summary, None).csv().unwrap(),
        export::series(&summary, None).csv().unwrap(),
        export::readings(&summary, None).csv().unwrap(),
        export::hdr_log(&summary),
    ]
}

#[test]
fn a_bundle_is_read_as_its_directory_is() {
    let root = tempfile::tempdir().unwrap();
    let dir = written(root.path(), &events(PLAN));
    let labels = RunLabels { name: Some("before".to_owned()), ..RunLabels::default() };
    store::add_labels(&dir, labels.clone()).unwrap();
    page::write(&dir, Language::English).unwrap();
    fs::write(dir.join("notes.txt"), "mine").unwrap();
    let bundled = write_bundle(&dir, None).unwrap();
    assert_eq!(bundled.file, dir.with_file_name(format!("{}.tar.zst", dir.file_name().unwrap().to_str().unwrap())));
    assert_eq!(bundled.left_out, ["notes.txt"]);
    assert!(is_bundle(&bundled.file) && !is_bundle(&dir) && !is_bundle(&dir.join("notes.txt")));
    assert!(told(&bundled.file) == told(&dir), "pages and exports differ");
    let (of_bundle, mut of_dir) = (verify(&bundled.file).unwrap(), verify(&dir).unwrap());
    assert_eq!(of_dir.files.remove("notes.txt"), Some(FileState::Ignored));
    assert_eq!(of_bundle, of_dir);
    assert!(of_bundle.record.digest.is_some());
    // Trials are taken over from it.
    let earlier = EarlierTrials::open(&bundled.file).unwrap();
    let mut events = 0;
    let mut count = |_| {
        events += 1;
        Ok(())
    };
    earlier.replay(3, &mut count).unwrap();
    assert!(earlier.count() == 12 && events > 10);
    // It is not written to: the page stands beside it, and labels are refused.
    assert_eq!(store::labels(&bundled.file).unwrap(), labels);
    let refused = store::add_labels(&bundled.file, RunLabels::default()).unwrap_err();
    assert!(refused.hint.unwrap().english().contains("tar --zstd -xf"), "{}", refused.what.english());
    let before = fs::read(&bundled.file).unwrap();
    let page = page::write(&bundled.file, Language::English).unwrap();
    assert_eq!(page.display().to_string(), bundled.file.display().to_string().replace(".tar.zst", ".html"));
    assert!(fs::read(&page).unwrap() == fs::read(dir.join("report.html")).unwrap());
    assert!(fs::read(&bundled.file).unwrap() == before);
    // Such a page is replaced, and a file of the user's is not.
    page::write(&bundled.file, Language::English).unwrap();
    fs::write(&page, "mine").unwrap();
    let problem = page::write(&bundled.file, Language::English).unwrap_err();
    assert!(problem.evidence.unwrap().contains("which Tenbin has not written"));
    assert_eq!(fs::read_to_string(&page).unwrap(), "mine");
    // An existing file is left alone, and a bundle is no directory to bundle.
    assert!(write_bundle(&dir, None).unwrap_err().evidence.unwrap().contains("a file of this name already"));
    assert!(write_bundle(&bundled.file, Some(&root.path().join("x"))).unwrap_err().what.contains("a bundle already"));
    assert!(fs::read(&bundled.file).unwrap() == before);
}

/// `tar` with these arguments, in a directory.
fn tar(within: &Path, args: &[&str]) {
    let status = std::process::Command::new("tar").args(args).current_dir(within).status().unwrap();
    assert!(status.success(), "{args:?}");
}

#[test]
fn a_bundle_is_an_archive_for_other_programs_and_theirs_are_bundles() {
    let root = tempfile::tempdir().unwrap();
    let dir = written(root.path(), &events(PLAN));
    let bundle = write_bundle(&dir, Some(&root.path().join("result"))).unwrap().file;
    assert!(is_bundle(&bundle), "by its first bytes");
    let name = dir.file_name().unwrap().to_str().unwrap();
    // What `zstd -d` would give.
    let (mut archive, mut frames) = (Vec::new(), fs::File::open(&bundle).unwrap());
    StreamingDecoder::new(&mut frames).unwrap().read_to_end(&mut archive).unwrap();
    fs::write(root.path().join("archive.tar"), archive).unwrap();
    fs::create_dir(root.path().join("out")).unwrap();
    tar(root.path(), &["-xf", "archive.tar", "-C", "out"]);
    assert!(told(&root.path().join("out").join(name)) == told(&dir));
    // A name that does not fit into a header, and times that do not.
    let long = "long-".repeat(30);
    std::os::unix::fs::symlink(&dir, root.path().join(&long)).unwrap();
    let inside = format!("{long}/.");
    for args in [
        &["-cf", "other.tar", name][..],
        &["-cf", "other.tar", "-C", name, "."],
        &["--format=gnu", "-cf", "other.tar", &inside],
        &["--format=posix", "-cf", "other.tar", name],
    ] {
        tar(root.path(), args);
        let other = root.path().join("other.tzst");
        fs::write(&other, packed(&fs::read(root.path().join("other.tar")).unwrap())).unwrap();
        assert!(told(&other) == told(&dir), "{args:?}");
    }
}

#[test]
fn what_was_altered_in_a_bundle_is_found() {
    let root = tempfile::tempdir().unwrap();
    let dir = written(root.path(), &events(PLAN));
    let log = dir.join("trials/0002/events.jsonl");
    let text = fs::read_to_string(&log).unwrap();
    fs::write(&log, text.replacen("\"completed\":", "\"completed\":9", 1)).unwrap();
    let bundled = write_bundle(&dir, None).unwrap();
    assert_eq!(bundled.verification.record.state, RecordState::Altered);
    assert_eq!(verify(&bundled.file).unwrap(), bundled.verification);
    let recording = read(&bundled.file).unwrap();
    let hint = recording.doubts[0].hint.as_ref().unwrap().english().to_owned();
    assert!(hint.contains(&format!("tenbin verify '{}'", bundled.file.display())), "{hint}");
}

/// An archive of entries: type, path as it is written into the header, content.
fn archive(entries: &[(EntryType, &str, &[u8])]) -> Vec<u8> {
    let mut archive = Builder::new(Vec::new());
    for (kind, path, content) in entries {
        let mut header = Header::new_ustar();
        header.set_entry_type(*kind);
        header.set_size(content.len() as u64);
        header.as_old_mut().name[..path.len()].copy_from_slice(path.as_bytes());
        header.set_cksum();
        archive.append(&header, *content).unwrap();
    }
    archive.into_inner().unwrap()
}

fn packed(bytes: &[u8]) -> Vec<u8> {
    compress_to_vec(bytes, CompressionLevel::Fastest)
}

/// Many frames of zeros: a bomb.
fn bomb() -> Vec<u8> {
    let mut header = Header::new_ustar();
    header.set_entry_type(EntryType::Regular);
    header.set_size(100 << 30);
    header.set_path("events.jsonl").unwrap();
    header.set_cksum();
    let zeros = packed(&vec![0; 32 << 20]);
    [packed(header.as_bytes()), zeros.repeat(64)].concat()
}

/// More empty files than any run has.
fn many() -> Vec<u8> {
    let mut frames = Vec::new();
    for block in 0..41u32 {
        let names: Vec<String> = (0..10_000).map(|n| format!("trials/{block}-{n}/x")).collect();
        let entries: Vec<_> = names.iter().map(|name| (EntryType::Regular, name.as_str(), &b""[..])).collect();
        let mut bytes = archive(&entries);
        bytes.truncate(bytes.len() - 1024);
        frames.extend(packed(&bytes));
    }
    frames
}

fn refusal(path: &Path) -> String {
    let problem = read(path).expect_err("it is no bundle that can be read");
    assert!(verify(path).is_err());
    problem.to_string().replace(&path.display().to_string(), "FILE")
}

#[test]
fn what_is_no_bundle_or_made_to_harm_is_one_error() {
    let root = tempfile::tempdir().unwrap();
    let dir = written(root.path(), &events(PLAN));
    let whole = fs::read(write_bundle(&dir, None).unwrap().file).unwrap();
    let file = ("events.jsonl", &b"{}\n"[..]);
    let regular = |path: &'static str| (EntryType::Regular, path, file.1);
    let middle = whole.len() / 2;
    // The same bytes everywhere: what is wrong with them is said.
    let mut damaged = packed(&archive(&[(EntryType::Regular, file.0, &b"{\"event\":\"note\"}\n".repeat(50))]));
    let place = damaged.len() / 2;
    damaged[place] ^= 0x55;
    let cases: Vec<(&str, Vec<u8>)> = vec![
        ("nothing", Vec::new()),
        ("a text", b"id,tps\n1,2\n".to_vec()),
        ("half", whole[..middle].to_vec()),
        ("without its last byte", whole[..whole.len() - 1].to_vec()),
        ("damaged", damaged),
        ("no archive", packed(&[7; 5000])),
        ("an archive without an end", packed(&archive(&[regular(file.0)])[..1024])),
        ("no run", packed(&archive(&[regular("etc/passwd")]))),
        ("two runs", packed(&archive(&[regular("a/events.jsonl"), regular("b/events.jsonl")]))),
        ("a file twice", packed(&archive(&[regular("events.jsonl"), regular("./events.jsonl")]))),
        ("out of it", packed(&archive(&[regular(file.0), regular("run/../../../tmp/x")]))),
        ("absolute", packed(&archive(&[regular(file.0), regular("/tmp/x")]))),
        ("a link", packed(&archive(&[regular(file.0), (EntryType::Symlink, "run.json", b"")]))),
        ("a hard link", packed(&archive(&[regular(file.0), (EntryType::Link, "run.json", b"")]))),
        ("a device", packed(&archive(&[regular(file.0), (EntryType::Char, "run.json", b"")]))),
        ("a FIFO", packed(&archive(&[regular(file.0), (EntryType::Fifo, "run.json", b"")]))),
        ("a sparse file", packed(&archive(&[regular(file.0), (EntryType::GNUSparse, "run.json", b"")]))),
        ("a long name", packed(&archive(&[(EntryType::GNULongName, "long", &[b'x'; 5000]), regular(file.0)]))),
        ("a bomb", bomb()),
        ("very many files", many()),
    ];
    let mut all = String::new();
    for (what, bytes) in cases {
        let path = root.path().join("foreign.tar.zst");
        fs::write(&path, bytes).unwrap();
        all += &format!("-- {what}\n{}\n", refusal(&path));
    }
    insta::assert_snapshot!(all);
    assert_eq!(left_in(root.path()), 3, "the run, its bundle, and the last of these");
}

fn left_in(root: &Path) -> usize {
    let names: Vec<PathBuf> = fs::read_dir(root).unwrap().map(|entry| entry.unwrap().path()).collect();
    names.len()
}

#[test]
fn a_bundle_cut_off_anywhere_is_refused() {
    let root = tempfile::tempdir().unwrap();
    let dir = written(root.path(), &events(PLAN));
    let whole = fs::read(write_bundle(&dir, None).unwrap().file).unwrap();
    let path = root.path().join("cut.tar.zst");
    for length in (0..whole.len()).step_by(whole.len() / 40) {
        fs::write(&path, &whole[..length]).unwrap();
        assert!(read(&path).is_err(), "{length} of {}", whole.len());
    }
}

#[test]
fn a_bundle_is_in_the_list_of_runs_if_its_directory_is_not() {
    let root = tempfile::tempdir().unwrap();
    let dir = written(root.path(), &events(PLAN));
    let labels = RunLabels { name: Some("before".to_owned()), ..RunLabels::default() };
    store::add_labels(&dir, labels.clone()).unwrap();
    let of_dir = store::list(root.path()).unwrap();
    let bundle = write_bundle(&dir, None).unwrap().file;
    assert_eq!(store::list(root.path()).unwrap(), of_dir, "the run is there once");
    fs::remove_dir_all(&dir).unwrap();
    let of_bundle = store::list(root.path()).unwrap();
    assert_eq!(of_bundle.len(), 1);
    assert_eq!(Listed { dir: dir.clone(), ..of_bundle[0].clone() }, of_dir[0]);
    assert_eq!((&of_bundle[0].dir, &of_bundle[0].labels), (&bundle, &labels));
    // What only has the name of one is no run.
    fs::write(&bundle, "no bundle").unwrap();
    fs::write(root.path().join("notes.txt"), "no run").unwrap();
    assert_eq!(store::list(root.path()).unwrap(), []);
}
