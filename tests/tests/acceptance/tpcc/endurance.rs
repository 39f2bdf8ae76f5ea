//! A long mixed run on a real server that is killed again and again: nothing that was reported as committed is lost, and
//! the twelve conditions hold at the end. Short here; for an hour: `TENBIN_ENDURANCE_S=3600 cargo nextest run
//! --no-default-features --no-capture -E 'test(endurance)'`.

use std::fs::File;
use std::process::Stdio;
use std::time::{Duration, Instant};
use tenbin_tests::tpcc::{bench, check, committed, loaded, ordered};
use tenbin_tests::{Phoenix, balanced, read_back, wait_until_measured};

const CLIENTS: u64 = 16;
/// Times that the server is killed, evenly over the run.
const KILLS: u32 = 4;

#[test]
fn all_conditions_hold_after_a_long_run_with_kills_in_between() {
    let request =
        std::env::var("TENBIN_ENDURANCE_S").map(|s| s.parse().expect("TENBIN_ENDURANCE_S is a number of seconds"));
    let seconds: u32 = request.unwrap_or(20);
    // One in five minutes, in a long run.
    let kills = KILLS.max(seconds / 300);
    let mut server = Phoenix::start(&[("innodb_flush_log_at_trx_commit", "1")]);
    let dsn = server.dsn();
    loaded(&dsn, 2, &["-o", "foreign_keys=on"]);

    // A rate that leaves the machine to others; one half with each statement on its own, one with what may go together.
    let threads = CLIENTS.to_string();
    let mut text = 0;
    for pipeline in ["pipeline=off", "pipeline=on"] {
        let dir = tempfile::tempdir().unwrap();
        let runs = dir.path().join("runs");
        let options = ["-o", "warehouses=2", "-o", "foreign_keys=on", "-o", pipeline, "--threads", &threads];
        let mut run = bench(&dsn, seconds / 2, &runs, &[&options[..], &["--rate", "200", "--json"]].concat());
        // What it says on the way is shown if it never measures; a kill before that would be a server that is not there.
        let file = File::create(runs.with_extension("log")).expect("the directory is ours");
        let run = run.stdout(Stdio::piped()).stderr(file).spawn().expect("tenbin runs");
        wait_until_measured(&runs, 1);
        let (start, between) = (Instant::now(), Duration::from_secs(u64::from(seconds / 2)) / (kills / 2 + 1));
        for kill in 1..=kills / 2 {
            std::thread::sleep((between * kill).saturating_sub(start.elapsed()));
            server.crash();
            server.rise();
            eprintln!("{pipeline}: killed and risen, {kill} of {} ({} s)", kills / 2, start.elapsed().as_secs());
        }
        let output = run.wait_with_output().expect("tenbin ends");
        let json: serde_json::Value = serde_json::from_slice(&output.stdout).expect("it prints its result");
        balanced(&json);
        let of_trial = |name: &str| json["trials"][0][name].as_u64().unwrap();
        // On a busy machine the last recovery may outlast the run.
        assert!(
            of_trial("reconnects") >= CLIENTS || of_trial("clients_at_end") < CLIENTS,
            "the clients came back: {json}"
        );
        check(&dsn, &[]);
        let (run, _) = read_back(&runs);
        let (committed, counters) = committed(&run);
        assert!(committed > u64::from(seconds) * 5 && counters["delivery_districts"] > 0, "{committed}: {counters:?}");
        text += committed;
    }

    // What each client had under way when the server died, and at the end, may be there or not.
    let (there, open) = (ordered(&dsn), CLIENTS * u64::from(kills + 2));
    eprintln!("{text} New-Orders told as committed, {there} in the tables");
    assert!((text..=text + open).contains(&there), "{text} told, {there} there");
}
