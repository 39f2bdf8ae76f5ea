//! The tests of the machine under sysbench's name (cpu, memory, threads, mutex, fileio), beside the real one: reports, messages, exit codes,
//! and the files that fileio makes.

use tenbin_tests::sysbench::{SysbenchDir, assert_same_form};
use tenbin_tests::{output_of, tenbin};

#[test]
fn tests_of_the_machine_report_as_the_real_ones() {
    let (here, there) = (SysbenchDir::create(), SysbenchDir::create());
    for line in [
        "cpu --time=1 --cpu-max-prime=500 run",
        "cpu --time=2 --report-interval=1 --threads=2 --rate=50 run",
        "memory --memory-total-size=64M --memory-block-size=4K --threads=2 run",
        "threads --time=1 --thread-yields=10 run",
        "mutex --mutex-locks=100 --mutex-loops=10 --threads=2 run",
        "memory --memory-block-size=3 run",
        "fileio --file-test-mode=bogus run",
        "fileio --file-test-mode=rndrd --file-io-mode=bogus run",
        "fileio --file-test-mode=rndrd --file-fsync-mode=bogus run",
        "fileio --file-num=2 --file-total-size=2M --file-test-mode=rndrd run",
        "cpu --events=3 --verbosity=5 run",
        "cpu --events=3 --debug run",
        "threads --events=3 --thread-yields=10 --verbosity=4 run",
        "mutex --mutex-locks=100 --mutex-loops=10 --verbosity=4 run",
        "fileio --file-num=2 --file-total-size=2M prepare",
        "fileio --file-num=2 --file-total-size=2M prepare",
        "fileio --file-num=4 --file-total-size=8M prepare",
        "fileio --file-num=3 --file-total-size=3M prepare",
        "fileio --file-num=4 --file-total-size=8M cleanup",
        "fileio --file-num=4 --file-total-size=8M cleanup",
        "fileio --file-num=2 --file-total-size=2M prepare",
        "fileio --file-num=2 --file-total-size=2M --file-test-mode=rndrw --time=2 --report-interval=1 run",
        "fileio --file-num=2 --file-total-size=2M --file-test-mode=seqrd --time=1 --threads=2 run",
        "fileio --file-num=2 --file-total-size=2M --file-test-mode=rndwr --file-fsync-all --events=20 run",
        "fileio --file-num=2 --file-total-size=2M --file-test-mode=rndrd --file-extra-flags=sync --events=9 run",
        "fileio --file-num=2 --file-total-size=2M --file-test-mode=rndrd --file-extra-flags=direct --events=9 run",
        "fileio --file-num=2 --file-total-size=2M cleanup",
        "fileio --file-num=2 --file-total-size=2M --validate prepare",
        "fileio --file-num=2 --file-total-size=2M --file-test-mode=rndwr --validate --events=300 --time=0 run",
        "fileio --file-num=2 --file-total-size=2M --file-test-mode=seqrd --validate --time=1 run",
        "cpu prepare",
        "cpu",
    ] {
        let (code, ours, our_err) = here.ours(line);
        let (real, theirs, their_err) = there.theirs(line);
        assert_eq!(code, real, "{line}\n{ours}\n{our_err}\n{theirs}");
        assert_same_form(line, &ours, &theirs);
        if !their_err.is_empty() {
            assert_eq!(our_err, their_err, "{line}");
        }
    }
}

#[test]
fn files_of_either_tool_that_are_there_are_reused_or_made_longer() {
    let here = SysbenchDir::create();
    let path = |n: u32| here.dir.path().join(format!("test_file.{n}"));
    let length = |n: u32| std::fs::metadata(path(n)).map(|m| m.len()).ok();
    let four = "fileio --file-num=4 --file-total-size=256K";
    assert_eq!(here.theirs(&format!("{four} prepare")).0, 0);
    std::fs::write(path(0), vec![7; 32768]).unwrap();
    std::fs::write(path(1), vec![7; 70_000]).unwrap();
    std::fs::remove_file(path(2)).unwrap();
    let (code, out, err) = here.ours(&format!("{four} prepare"));
    assert_eq!(code, 0, "{out}{err}");
    let lines: Vec<&str> = out.lines().filter(|l| l.contains("file test_file.")).collect();
    assert_eq!(
        lines,
        [
            "Extending existing file test_file.0",
            "Reusing existing file test_file.1",
            "Creating file test_file.2",
            "Reusing existing file test_file.3"
        ]
    );
    assert!(out.contains("\n98304 bytes written in "), "32 KiB of one and 64 KiB of another: {out}");
    assert_eq!([0, 1, 2, 3].map(length), [Some(65536), Some(70_000), Some(65536), Some(65536)]);
    let bytes = std::fs::read(path(0)).unwrap();
    assert!(bytes[..32768].iter().all(|b| *b == 7) && bytes[32768..].iter().all(|b| *b == 0), "what was there stays");
    assert_eq!(here.theirs(&format!("{four} prepare")).1.matches("Reusing").count(), 4, "good for the real one too");

    // Under its own name Tenbin still makes nothing beside what it did not make, and removes only its own.
    let ours =
        format!("load fileio host:{} -o file_num=4 -o file_total_size=256K --only-drop", here.dir.path().display());
    let (code, _, err) = output_of(tenbin().args(ours.split(' ')));
    assert!(code == 1 && err.contains("does not carry Tenbin's mark"), "{err}");
    assert_eq!(here.ours(&format!("{four} cleanup")).0, 0);
    let left = std::fs::read_dir(here.dir.path()).unwrap().map(|e| e.unwrap().file_name());
    assert_eq!(left.collect::<Vec<_>>(), ["sysbench"]);

    // Zeros are no checked blocks, so our own are written anew for --validate, and what is read then agrees.
    assert_eq!(here.ours(&format!("{four} prepare")).0, 0);
    let (_, out, _) = here.ours(&format!("{four} --validate prepare"));
    assert_eq!(out.matches("Creating file test_").count(), 4, "{out}");
    let read = format!("{four} --validate --file-test-mode=seqrd --time=1 run");
    let (code, out, err) = here.ours(&read);
    assert_eq!(code, 0, "{out}{err}");
    let mut bytes = std::fs::read(path(2)).unwrap();
    bytes[20_000] ^= 1;
    std::fs::write(path(2), bytes).unwrap();
    let (code, out, err) = here.ours(&read);
    assert!(code == 1 && out.contains("FATAL: ") && out.contains("test_file.2"), "{out}{err}");

    // seqwr makes them anew, as the real one does, whichever of the two made those that are there.
    assert_eq!(here.ours(&format!("{four} cleanup")).0, 0);
    assert_eq!(here.theirs(&format!("{four} prepare")).0, 0);
    let (code, out, err) = here.ours(&format!("{four} --file-test-mode=seqwr --events=16 run"));
    assert_eq!(code, 0, "{out}{err}");
    assert!(out.contains("total number of events:              16\n"), "{out}");
}
