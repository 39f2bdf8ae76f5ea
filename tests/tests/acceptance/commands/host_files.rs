//! `fileio` through the real binary: exact numbers of requests and bytes, only our files removed, damage seen, and what
//! is said when something is in the way.

#![expect(clippy::unwrap_used, reason = "a test may")]

use serde_json::Value;
use std::fs;
use std::path::Path;
use tempfile::TempDir;
use tenbin_tests::{output_of, target_dir, tenbin, tenbin_through};

/// Two files of 512 KiB: 64 blocks of 16 KiB.
const SMALL: &[&str] = &["-o", "file_num=2", "-o", "file_total_size=1M"];

/// A directory on a disk: where temporary files lie may have no direct I/O.
fn place() -> TempDir {
    tempfile::tempdir_in(target_dir()).unwrap()
}

fn target(dir: &TempDir) -> String {
    format!("host:{}", dir.path().display())
}

fn names(dir: &Path) -> Vec<String> {
    let mut all: Vec<String> =
        fs::read_dir(dir).unwrap().map(|e| e.unwrap().file_name().to_string_lossy().into_owned()).collect();
    all.sort();
    all
}

/// Exit code and everything said.
fn load(dir: &TempDir, more: &[&str]) -> (i32, String) {
    let (code, out, err) = output_of(tenbin().args(["load", "fileio", &target(dir)]).args(SMALL).args(more));
    (code, out + &err)
}

/// Exit code, what was printed, what was said beside it.
fn bench(dir: &TempDir, more: &[&str]) -> (i32, String, String) {
    let runs = tempfile::tempdir().unwrap();
    let mut command = tenbin();
    command.args(["bench", "fileio", &target(dir), "--time", "60", "--json"]).args(SMALL).args(more);
    output_of(command.arg("--runs").arg(runs.path()))
}

/// Exit code and everything said.
fn told_at_bench(dir: &TempDir, more: &[&str]) -> (i32, String) {
    let (code, out, err) = bench(dir, more);
    (code, out + &err)
}

/// Completed and bytes of each statement, and the events of the one trial.
fn measured(dir: &TempDir, more: &[&str]) -> (u64, String) {
    let (code, out, err) = bench(dir, more);
    assert!(code == 0 || code == 3, "{out}{err}");
    let json: Value = serde_json::from_str(&out).unwrap_or_else(|e| panic!("{e}: {out}{err}"));
    let trial = &json["trials"][0];
    let each = |(name, s): (&String, &Value)| format!("{name} {} {}", s["completed"], s["rows"]);
    let statements: Vec<String> = trial["statements"].as_object().unwrap().iter().map(each).collect();
    (trial["accounting"]["completed"].as_u64().unwrap(), statements.join(", "))
}

#[test]
fn every_mode_in_every_way_does_exactly_its_requests() {
    let dir = place();
    // After 100 requests each of the two files is synced, which is a request too.
    let writes = (204, "fsync 4 0, write 200 3276800".to_owned());
    for way in ["file_io_mode=sync", "file_io_mode=mmap", "file_io_mode=async"] {
        assert_eq!(load(&dir, &[]).0, 0);
        for mode in ["seqrewr", "rndwr"] {
            let mode = format!("file_test_mode={mode}");
            assert_eq!(measured(&dir, &["--events", "204", "-o", &mode, "-o", way]), writes, "{mode} {way}");
        }
        for mode in ["seqrd", "rndrd"] {
            let mode = format!("file_test_mode={mode}");
            let reads = (300, "read 300 4915200".to_owned());
            let threads = ["--threads", "3", "--events", "300", "-o", &mode, "-o", way];
            assert_eq!(measured(&dir, &threads), reads, "{mode} {way}");
        }
        let both =
            measured(&dir, &["--events", "50", "-o", "file_test_mode=rndrw", "-o", "file_fsync_freq=0", "-o", way]);
        // With many under way the order of completion decides which are among the first fifty.
        if way != "file_io_mode=async" {
            assert_eq!(both.1, "read 30 491520, write 20 327680", "{way}");
        }
        assert_eq!(both.0, 50);
        assert_eq!(
            measured(&dir, &["--events", "204", "-o", "file_test_mode=seqwr", "-o", way]),
            writes,
            "seqwr {way}"
        );
        assert_eq!(load(&dir, &["--only-drop"]).0, 0);
    }
}

#[test]
fn requests_are_merged_and_writes_synced_as_asked() {
    let dir = place();
    assert_eq!(load(&dir, &[]).0, 0);
    let merged = measured(&dir, &["--events", "10", "-o", "file_test_mode=seqrd", "-o", "file_merged_requests=4"]);
    assert_eq!(merged, (10, "read 10 655360".to_owned()));
    for flags in ["sync", "dsync,direct"] {
        let options = [
            "--events",
            "10",
            "-o",
            "file_test_mode=rndwr",
            "-o",
            "file_fsync_all=on",
            "-o",
            "file_fsync_mode=fdatasync",
            "-o",
        ];
        let synced = measured(&dir, &[&options[..], &[&format!("file_extra_flags={flags}")]].concat());
        assert_eq!(synced, (10, "fsync 10 0, write 10 163840".to_owned()), "{flags}");
    }
}

#[test]
fn only_what_tenbin_made_is_removed() {
    let dir = place();
    fs::write(dir.path().join("mine.txt"), "mine").unwrap();
    assert_eq!(load(&dir, &[]).0, 0);
    assert_eq!(names(dir.path()), ["mine.txt", "tenbin_mark", "test_file.0", "test_file.1"]);
    assert_eq!(fs::metadata(dir.path().join("test_file.1")).unwrap().len(), 512 << 10);
    let (code, output) = load(&dir, &[]);
    assert!(code == 1 && output.contains("there already"), "{output}");

    // A file that is short is made up again; one that somebody else put there stays.
    fs::write(dir.path().join("test_file.1"), "short").unwrap();
    assert_eq!(load(&dir, &[]).0, 0);
    assert_eq!(fs::metadata(dir.path().join("test_file.1")).unwrap().len(), 512 << 10);
    assert_eq!(load(&dir, &["--only-drop"]).0, 0);
    assert_eq!(names(dir.path()), ["mine.txt"]);
    fs::write(dir.path().join("test_file.1"), "mine too").unwrap();
    for arguments in [&[][..], &["--drop"], &["--only-drop"]] {
        let (code, output) = load(&dir, arguments);
        assert!(code == 1 && output.contains("does not carry Tenbin's mark") && output.contains("rm "), "{output}");
    }
    let (code, output) = told_at_bench(&dir, &["--events", "1", "-o", "file_test_mode=seqwr"]);
    assert!(code != 0 && output.contains("does not carry Tenbin's mark"), "{output}");
    assert_eq!(fs::read_to_string(dir.path().join("test_file.1")).unwrap(), "mine too");
}

/// A link to a file that is not there yet would make it.
#[test]
fn nothing_is_written_through_a_link() {
    let (dir, theirs) = (place(), place());
    std::os::unix::fs::symlink(theirs.path().join("any"), dir.path().join("tenbin_mark")).unwrap();
    let (code, said) = load(&dir, &[]);
    assert!(code == 1 && said.contains("tenbin_mark"), "{code} {said}");
    assert_eq!((names(theirs.path()), names(dir.path())), (Vec::new(), vec!["tenbin_mark".to_owned()]));
}

#[test]
fn a_flipped_byte_is_seen() {
    let dir = place();
    let checked = |mode: &str, n: &str| {
        let mode = format!("file_test_mode={mode}");
        told_at_bench(&dir, &["--events", n, "-o", "validate=on", "-o", &mode])
    };
    assert_eq!(load(&dir, &[]).0, 0);
    let (code, output) = checked("seqrd", "64");
    assert!(code != 0 && output.contains("hold no checked blocks") && output.contains("--drop"), "zeros: {output}");
    assert_eq!(load(&dir, &["--drop", "-o", "validate=on"]).0, 0);
    for mode in ["seqrd", "rndrw", "seqrd"] {
        let (code, output) = checked(mode, "300");
        assert!(code == 0 || code == 3 && !output.contains("is not what was written"), "{mode}: {output}");
    }
    let path = dir.path().join("test_file.1");
    let mut bytes = fs::read(&path).unwrap();
    bytes[100_000] ^= 1;
    fs::write(&path, bytes).unwrap();
    let (code, output) = checked("seqrd", "64");
    assert!(code != 0, "{output}");
    for part in ["test_file.1 at byte 98304 is not what was written", "checksum", "error 74", "validate=on --drop"] {
        assert!(output.contains(part), "{part}: {output}");
    }
}

#[test]
fn what_is_in_the_way_is_told_with_a_hint() {
    let dir = place();
    let (code, output) = told_at_bench(&dir, &["--events", "1"]);
    assert!(code != 0 && output.contains("the files of fileio are not there"), "{output}");
    assert!(output.contains("tenbin load fileio 'host:") && output.contains("-o file_num=2"), "{output}");

    let (code, _, err) = output_of(tenbin().args(["load", "fileio", "host:/nowhere/at/all"]).args(SMALL));
    assert!(code == 1 && err.contains("No such file") && err.contains("mkdir -p '/nowhere/at/all'"), "{err}");
    // Not even root makes files there.
    let (code, _, err) = output_of(tenbin().args(["load", "fileio", "host:/sys/kernel"]).args(SMALL));
    assert!(
        code == 1 && err.contains("/sys/kernel/tenbin_mark cannot be written") && err.contains("that you may write to"),
        "{err}"
    );
    let (code, _, err) = output_of(tenbin().args(["load", "fileio", &target(&dir), "-o", "file_total_size=100T"]));
    assert!(code == 1 && err.contains("no room for the files") && err.contains("are free"), "{err}");
    assert_eq!(names(dir.path()), [""; 0], "nothing was begun");

    let limited = format!("ulimit -f 100; exec \"$0\" load fileio {} {}", target(&dir), SMALL.join(" "));
    let (code, _, err) = output_of(&mut tenbin_through("sh", &["-c", &limited]));
    assert!(code == 1 && err.contains("may not write files so large") && err.contains("ulimit -f unlimited"), "{err}");

    assert_eq!(load(&dir, &[]).0, 0);
    let (code, output) =
        told_at_bench(&dir, &["--events", "9", "-o", "file_extra_flags=direct", "-o", "file_block_size=1000"]);
    assert!(
        code != 0 && output.contains("Invalid argument") && output.contains("a multiple of 4096 instead of 1000"),
        "{output}"
    );
    let (_, output) = told_at_bench(&dir, &["-o", "file_extra_flags=quick"]);
    assert!(
        output.contains("file_extra_flags cannot be \\\"quick\\\"")
            || output.contains("file_extra_flags cannot be \"quick\""),
        "{output}"
    );
    let (_, output) = told_at_bench(&dir, &["-o", "file_block_size=2M"]);
    assert!(output.contains("no room for a single block"), "{output}");
    let (_, output) = told_at_bench(&dir, &["-o", "file_io_mode=async", "-o", "validate=on"]);
    assert!(output.contains("do not go together"), "{output}");
}

#[test]
fn a_plan_weighs_two_directories() {
    let (a, b, work) = (place(), place(), tempfile::tempdir().unwrap());
    let plan = format!(
        "schema = 1\nname = \"two\"\n[targets.a]\ndsn = \"{}\"\n[targets.b]\ndsn = \"{}\"\n[datasets.small]\nkind = \"files\"\nfile_num = 2\n\
         file_total_size = \"1M\"\n[[experiment]]\nrepeats = 1\nwarmup = \"0s\"\nmeasure = \"300ms\"\ninterval = \"100ms\"\n\
         [experiment.load]\nworkload = \"fileio\"\n[experiment.matrix]\n\"load.file_test_mode\" = [\"rndrd\", \"seqwr\", \"rndrw\"]\n",
        target(&a),
        target(&b)
    );
    let path = work.path().join("plan.toml");
    fs::write(&path, plan).unwrap();
    let (code, out, err) = output_of(tenbin().args(["run", "--json"]).arg(&path).arg("--runs").arg(work.path()));
    assert!(code == 0 || code == 3, "{out}{err}");
    let json: Value = serde_json::from_str(&out).unwrap();
    let trials = json["trials"].as_array().unwrap();
    assert_eq!(trials.len(), 6);
    for trial in trials {
        assert!(
            trial["accounting"]["completed"].as_u64().unwrap() > 0 && trial["accounting"]["failed"] == 0,
            "{trial}"
        );
    }
}
