//! A disk that is really full, to the last byte, under the tables and under the binary log of a real MariaDB.

use std::collections::BTreeSet;
use std::io::{BufRead, BufReader};
use std::process::{Command, Stdio};
use tenbin_tests::tpcc::{bench, check, load, loaded, number};
use tenbin_tests::{SmallDisk, balanced, output_of, read_back};

/// Little of the disk for what is not the tables.
const SERVER: [(&str, &str); 2] = [("innodb_log_file_size", "16M"), ("innodb_buffer_pool_size", "64M")];

/// What MariaDB says of a table, or of a table's file, that cannot grow.
const FULL: [&str; 2] = ["1114", "14"];

/// Whether a message is about that.
fn full(message: &str) -> bool {
    FULL.iter().any(|code| message.contains(&format!("(error {code})")))
}

#[test]
fn a_full_disk_is_told_and_the_load_goes_on_and_a_run_counts_its_errors() {
    let server = SmallDisk::start(500, &SERVER);
    let (dsn, runs) = (server.dsn(), tempfile::tempdir().expect("a directory"));
    server.fill_but(60);
    let (code, out, err) = output_of(&mut load(&dsn, 1, &[]));
    assert!(code == 1 && full(&err), "{out}{err}\n{}", server.log());
    assert!(err.contains("rows are in, and stay"), "{err}");
    assert!(err.contains("free space on the server's disk; then the same again goes on from there"), "{err}");
    server.make_room();
    loaded(&dsn, 1, &[]);
    check(&dsn, &["--fresh"]);
    assert_eq!(number(&dsn, "SELECT COUNT(*) FROM history"), 30_000, "no row twice");

    // What fits into what the files have already goes on; the rest is refused, and the first refusal ends the run. Not
    // more of them: MariaDB 10.11 ends itself in a rollback that finds no room ("Out of disk space in rollback"). So it
    // has room for what rollbacks need, from a run before.
    let before = tempfile::tempdir().expect("a directory");
    let (code, _, err) = output_of(&mut bench(&dsn, 3, before.path(), &[]));
    assert!([0, 3].contains(&code), "{code} {err}");
    server.fill_but(2);
    // The refusal ends it, long before its time on any machine.
    let (code, out, err) = output_of(&mut bench(&dsn, 240, runs.path(), &[]));
    assert!(code == 2 || code == 3, "{code}: {out}{err}");
    assert!(full(&out) && out.contains("free space on the server's disk"), "{out}");
    let (dir, json) = read_back(runs.path());
    assert!(balanced(&json)["failed"].as_u64() > Some(0), "{out}{err}");
    let trial = &json["trials"][0];
    let statements = trial["statements"].as_object().expect("statements");
    let codes = statements.values().filter_map(|s| s["errors"].as_object()).flat_map(|errors| errors.keys());
    let codes: BTreeSet<&String> = codes.collect();
    let code = codes.iter().find(|code| FULL.contains(&code.as_str()));
    let code = code.unwrap_or_else(|| panic!("nothing says that the disk is full: {codes:?} {trial}"));
    let page = std::fs::read_to_string(dir.join("report.html")).expect("it has a page");
    assert!(page.contains(code.as_str()), "the page names the error");
    server.make_room();
    check(&dsn, &[]);
}

#[test]
fn a_server_that_waits_for_room_is_named_can_be_left_and_the_load_goes_on() {
    let server = SmallDisk::of_binary_log(100, &[SERVER[0], SERVER[1], ("binlog_format", "ROW")]);
    let dsn = server.dsn();
    server.fill_but(30);
    let mut child =
        load(&dsn, 1, &["--streams", "2"]).stdout(Stdio::null()).stderr(Stdio::piped()).spawn().expect("tenbin runs");
    let lines = BufReader::new(child.stderr.take().expect("a pipe")).lines().map_while(Result::ok);
    let (mut all, mut lines) = (String::new(), lines);
    for line in lines.by_ref() {
        all += &format!("{line}\n");
        if line.contains("the server waits for room: its disk is full") {
            break;
        }
    }
    assert!(all.contains("waits for room"), "it ended without a word of it: {all}\n{}", server.log());
    // One Ctrl-C is enough, though the server answers nothing.
    let sent = Command::new("kill").arg("-INT").arg(child.id().to_string()).status();
    assert!(sent.expect("kill runs").success());
    all.extend(lines.map(|line| line + "\n"));
    let code = child.wait().expect("it ends").code();
    assert_eq!(code, Some(130), "{all}");
    assert!(
        all.contains("Waiting for someone to free space") && all.contains("the server's answer was not waited for")
    );
    assert!(server.log().contains("Disk is full writing"), "the server itself was not stuck: {}", server.log());
    // The server looks once a minute; what the first load left there is taken back or comes in, and never twice.
    server.make_room();
    loaded(&dsn, 1, &[]);
    check(&dsn, &["--fresh"]);
    assert_eq!(number(&dsn, "SELECT COUNT(*) FROM history"), 30_000, "no row twice");
}
