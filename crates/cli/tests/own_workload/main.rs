//! A workload of one's own, in one file and one line of a list, is one like all others: `list`, `bench`, a plan and the
//! page know it from its entry alone. This program is both: the test, and the `tenbin` that has the workload.

#![expect(clippy::unwrap_used, reason = "a test may")]
#![expect(clippy::print_stdout, reason = "what a runner of tests asks for")]

mod tick;

use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use tenbin_workload::WorkloadEntry;
use tenbin_workloads::add_workload;

const OWN: &[&WorkloadEntry] = &[&tick::ENTRY];

/// Set for the program that is to be `tenbin`.
const AS_TENBIN: &str = "TENBIN_WITH_OWN_WORKLOAD";

fn main() -> ExitCode {
    if std::env::var_os(AS_TENBIN).is_some() {
        OWN.iter().for_each(|entry| add_workload(entry).unwrap());
        return tenbin_cli::main();
    }
    // A runner of tests asks which there are, and which of them are ignored.
    let asks = |what: &str| std::env::args().any(|argument| argument == what);
    if asks("--list") {
        if !asks("--ignored") {
            println!("a_workload_of_ones_own: test");
        }
        return ExitCode::SUCCESS;
    }
    refused_when_it_could_not_be_told_from_another();
    let dir = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("own-workload");
    std::fs::remove_dir_all(&dir).ok();
    std::fs::create_dir_all(&dir).unwrap();
    listed(&dir);
    benched(&dir);
    planned(&dir);
    ExitCode::SUCCESS
}

fn refused_when_it_could_not_be_told_from_another() {
    static TAKEN: WorkloadEntry = WorkloadEntry { name: "tpcc", ..tick::ENTRY };
    static TWICE: WorkloadEntry =
        WorkloadEntry { options: &[tick::ENTRY.options[0], tick::ENTRY.options[0]], ..tick::ENTRY };
    assert_eq!(add_workload(&TAKEN).unwrap_err().what, "there is a workload tpcc already");
    assert_eq!(add_workload(&TWICE).unwrap_err().what, "the workload tick declares the option ticks twice");
}

fn listed(dir: &Path) {
    let all = tenbin(dir, &["list"]);
    assert!(all.lines().any(|l| l.starts_with("  tick ") && l.ends_with("statements that reach no server")), "{all}");
    assert_eq!(
        tenbin(dir, &["list", "tick"]),
        "tick: statements that reach no server\n\nstatements of a transaction, with the default options\n  beat (reads)\n\n\
         options (name, default, meaning)\n  ticks  3  statements of a transaction\n"
    );
}

fn benched(dir: &Path) {
    let text = tenbin(dir, &["bench", "tick", "null:", "--time", "1s", "--warmup", "0s", "-o", "ticks=2"]);
    assert!(text.contains("tick"), "{text}");
    let (events, page) = recorded(dir);
    assert!(events.contains(r#""workload":"tick","options":{"ticks":"2"}"#), "{events}");
    assert!(page.contains("beat"), "the page tells of its statements");
}

fn planned(dir: &Path) {
    let plan = "schema = 1\ntargets.a.dsn = \"null:\"\n[[experiment]]\nrepeats = 1\nwarmup = \"0s\"\nmeasure = \"1s\"\n\
                [experiment.load]\nkind = \"tick\"\nticks = 4\n";
    std::fs::write(dir.join("plan.toml"), plan).unwrap();
    let checked = tenbin(dir, &["plan", "check", "plan.toml"]);
    assert!(!checked.contains("create and fill"), "it needs no data: {checked}");
    tenbin(dir, &["run", "plan.toml"]);
    let (events, page) = recorded(dir);
    assert!(events.contains(r#""dataset":{"name":"none","kind":"none""#), "it works on no data: {events}");
    assert!(events.contains(r#""restore":"never""#), "it only reads: {events}");
    assert!(page.contains("tick") && page.contains("beat"), "the page tells of it");
}

/// The newest run's own events, and its page.
fn recorded(dir: &Path) -> (String, String) {
    let mut runs: Vec<PathBuf> = std::fs::read_dir(dir.join("runs")).unwrap().map(|e| e.unwrap().path()).collect();
    runs.retain(|run| run.join("events.jsonl").exists());
    runs.sort_by_key(|run| std::fs::metadata(run.join("events.jsonl")).unwrap().modified().unwrap());
    let newest = runs.last().unwrap();
    let events = std::fs::read_to_string(newest.join("events.jsonl")).unwrap();
    let page = std::fs::read_to_string(newest.join("report.html")).unwrap();
    (events, page)
}

/// What this program says as `tenbin`.
fn tenbin(dir: &Path, arguments: &[&str]) -> String {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args(arguments).env(AS_TENBIN, "1").env("LANG", "C.UTF-8").current_dir(dir);
    let output = command.output().unwrap();
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    assert!(output.status.success(), "{arguments:?}: {}{}", text(&output.stdout), text(&output.stderr));
    text(&output.stdout)
}
