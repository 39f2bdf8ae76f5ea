//! Variables of a server in the hands of several: it is restarted, a third party sets them, two Tenbins want them, a Tenbin is
//! killed. No trial counts with a value that is not in its label, and in the end no party's value is lost.

use crate::AttackContext;
use crate::outcome::{Outcome, Running};
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;
use std::time::{Duration, SystemTime};
use tenbin_driver::Transport;
use tenbin_tests::sql::{self, Address};
use tenbin_tests::{Restarting, mariadb, tenbin};

/// A variable that can be set at any time, the values that a plan sets, and those of a third party.
struct Variable {
    name: &'static str,
    planned: [u64; 2],
    of_others: [u64; 3],
}

const VARIABLES: &[Variable] = &[
    Variable { name: "innodb_flush_log_at_timeout", planned: [11, 12], of_others: [21, 22, 23] },
    Variable { name: "sync_binlog", planned: [11, 12], of_others: [21, 22, 23] },
    Variable { name: "long_query_time", planned: [31, 32], of_others: [41, 42, 43] },
];

/// The value of a variable and the seconds that the server is up, as an account saw them between two times.
struct Sample {
    asked: SystemTime,
    answered: SystemTime,
    value: u64,
    uptime_s: u64,
}

/// An observer that looks at a variable all the time.
struct Watch {
    is_over: Arc<AtomicBool>,
    thread: JoinHandle<Vec<Sample>>,
}

impl Watch {
    fn of(dsn: String, variable: &'static str) -> Watch {
        let is_over = Arc::new(AtomicBool::new(false));
        let end = is_over.clone();
        let thread = std::thread::spawn(move || {
            let mut all = Vec::new();
            while !end.load(Ordering::Relaxed) {
                sql::on(look(&dsn, variable, &mut all, &end));
                std::thread::sleep(Duration::from_millis(20));
            }
            all
        });
        Watch { is_over, thread }
    }

    fn end(self) -> Vec<Sample> {
        self.is_over.store(true, Ordering::Relaxed);
        self.thread.join().unwrap()
    }
}

/// Looks until the server is gone.
async fn look(dsn: &String, variable: &str, all: &mut Vec<Sample>, is_over: &AtomicBool) {
    let Ok(mut c) = sql::connector(dsn).connect(Transport::Alone).await else { return };
    let ask = format!(
        "SELECT CAST(@@GLOBAL.{variable} AS UNSIGNED), VARIABLE_VALUE FROM information_schema.GLOBAL_STATUS \
         WHERE VARIABLE_NAME = 'UPTIME'"
    );
    while !is_over.load(Ordering::Relaxed) {
        let asked = SystemTime::now();
        let Ok(table) = c.table(&ask).await else { return };
        let number = |at: usize| table.rows.first().and_then(|row| row[at].as_ref()?.parse().ok());
        if let (Some(value), Some(uptime_s)) = (number(0), number(1)) {
            all.push(Sample { asked, answered: SystemTime::now(), value, uptime_s });
        }
        tokio::time::sleep(Duration::from_millis(40)).await;
    }
    c.close().await;
}

/// Says something to the server, which may be down; answers whether it took it.
fn say(dsn: &String, sql: &str) -> bool {
    sql::on(async {
        let Ok(mut c) = sql::connector(dsn).connect(Transport::Alone).await else { return false };
        let took = c.query(sql).await.is_ok();
        c.close().await;
        took
    })
}

fn value(server: &Restarting, variable: &str) -> u64 {
    sql::query(server, &format!("SELECT CAST(@@GLOBAL.{variable} AS UNSIGNED)"))[0][0].parse().unwrap()
}

/// Folders of one account that runs Tenbin.
struct Account {
    dir: PathBuf,
}

impl Account {
    fn new(world: &mut AttackContext) -> Account {
        Account { dir: world.folder() }
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = tenbin();
        command.args(arguments).env("TENBIN_STATE_DIR", self.dir.join("state")).env("TENBIN_RUNS", self.runs());
        command
    }

    fn runs(&self) -> PathBuf {
        self.dir.join("runs")
    }

    /// A run with each planned value, more than once.
    fn run(&self, dsn: &str, variable: &Variable, more: &str) -> Command {
        let plan = self.dir.join("plan.toml");
        let [first, second] = variable.planned;
        let text = format!(
            "schema = 1\n[targets.a]\ndsn = {dsn:?}\n{more}\n[datasets.d]\ntables = 1\ntable_size = 100\n\
             [[experiment]]\nrepeats = 2\nwarmup = \"200ms\"\nmeasure = \"1s\"\ninterval = \"200ms\"\norder = \"sequential\"\n\
             load = {{ workload = \"oltp_point_select\", clients = 1, calibrate = \"never\" }}\n\
             matrix = {{ server.{} = [{first}, {second}] }}\n",
            variable.name
        );
        std::fs::write(&plan, text).unwrap();
        self.command(&["run", plan.to_str().unwrap()])
    }

    /// Finishes what is left; nothing may be left then.
    fn restored(&self) -> Outcome {
        let outcome = Outcome::of(&mut self.command(&["restore-settings"]));
        assert_eq!(outcome.code, Some(0), "{outcome:?}");
        let left = std::fs::read_dir(self.dir.join("state/.settings")).map_or(0, Iterator::count);
        assert_eq!(left, 0, "{outcome:?}");
        outcome
    }
}

/// Checks every trial of an account's runs against what was seen of the server. Returns how many were sound, and how many were not.
fn judged(account: &Account, variable: &Variable, samples: &[Sample]) -> (u32, u32) {
    let (mut sound, mut text) = (0, 0);
    for run in std::fs::read_dir(account.runs()).into_iter().flatten().flatten() {
        let report = Outcome::of(tenbin().args(["report", "--json"]).arg(run.path()));
        let Some(json) = report.json() else { continue };
        for trial in json["trials"].as_array().unwrap() {
            let number = trial["trial"].as_u64().unwrap_or_else(|| panic!("{trial}"));
            let Some(window) = Window::of(&run.path(), number) else { continue };
            let label = window.label(variable);
            let wrong = window.wrong(label, samples);
            let doubts: Vec<&str> =
                trial["doubts"].as_array().unwrap().iter().filter_map(|d| d["code"].as_str()).collect();
            // A busy machine makes trials DEGRADED: what counts is what is reported of the server.
            let is_told = doubts.iter().any(|code| code.contains("server") || code.contains("settings"));
            match wrong {
                Some(wrong) => {
                    text += 1;
                    assert!(
                        is_told && trial["verdict"] != "VALID",
                        "trial {number} of {:?} is told as {} = {label}, but {wrong}; doubts {doubts:?}",
                        run.path(),
                        variable.name
                    );
                }
                None => sound += u32::from(!is_told),
            }
        }
    }
    (sound, text)
}

/// The measured window of a trial.
struct Window {
    trial: Value,
    from: SystemTime,
    to: SystemTime,
}

impl Window {
    /// `None` if nothing was measured.
    fn of(run: &Path, number: u64) -> Option<Window> {
        let dir = run.join(format!("trials/{number:04}"));
        let trial = serde_json::from_str(&std::fs::read_to_string(dir.join("trial.json")).ok()?).ok()?;
        let log = std::fs::read_to_string(dir.join("events.jsonl")).ok()?;
        let events: Vec<Value> = log.lines().filter_map(|line| serde_json::from_str(line).ok()).collect();
        let of = |name: &str| events.iter().find(|event| event["event"] == name);
        let (from, to) =
            of("trial-finished").map(|end| (end["measured_from_ns"].as_u64(), end["measured_to_ns"].as_u64()))?;
        // The clock of the run began before the directory of the trial was made, by the time at which the trial started.
        let made = std::fs::metadata(&dir).ok()?.created().ok()?;
        let start = made - Duration::from_nanos(of("trial-started")?["at_ns"].as_u64()?);
        let at = |ns: u64| start + Duration::from_nanos(ns);
        Some(Window { trial, from: at(from?), to: at(to?) }).filter(|window| window.from < window.to)
    }

    fn label(&self, variable: &Variable) -> u64 {
        let text = &self.trial["trial"]["target"]["server"][variable.name];
        text.as_str().and_then(|text| text.parse().ok()).unwrap_or_else(|| panic!("{text} of {}", variable.name))
    }

    /// What was seen in it that does not go with its label.
    fn wrong(&self, label: u64, samples: &[Sample]) -> Option<String> {
        // A directory is made some time after the clock was read.
        let margin = Duration::from_millis(150);
        let inside = |sample: &&Sample| sample.asked > self.from + margin && sample.answered < self.to - margin;
        let inside: Vec<&Sample> = samples.iter().filter(inside).collect();
        let other = inside.iter().find(|sample| sample.value != label).map(|sample| format!("it was {}", sample.value));
        let restarted = inside.windows(2).any(|pair| pair[1].uptime_s < pair[0].uptime_s);
        other.or_else(|| restarted.then(|| "the server was restarted".to_owned()))
    }
}

/// What is done to the server at some moment of a run.
#[derive(Debug, Clone, Copy)]
enum Disturbance {
    Restart,
    Set(u64),
}

/// A server that is restarted at any moment, and a third party that sets the variable.
pub fn disturbed(world: &mut AttackContext) -> String {
    let variable = world.one_of(VARIABLES);
    let (server, account) = (Restarting::of(mariadb(&[])), Account::new(world));
    let (dsn, command) = (server.dsn(), server.command());
    let former = value(&server, variable.name);
    let hook = match world.between(0, 2) {
        0 => format!("hooks = {{ before_trial = {command:?} }}"),
        _ => String::new(),
    };
    let mut steps: Vec<(u64, Disturbance)> = Vec::new();
    for _ in 0..world.between(1, 4) {
        let what = match world.between(0, 2) {
            0 => Disturbance::Restart,
            _ => Disturbance::Set(*world.one_of(&variable.of_others)),
        };
        steps.push((world.between(500, 4000), what));
    }
    let watch = Watch::of(dsn.clone(), variable.name);
    let running = Running::start(&mut account.run(&dsn, variable, &hook));
    for (pause, what) in &steps {
        std::thread::sleep(Duration::from_millis(*pause));
        match what {
            // A hook may do the same in this moment.
            Disturbance::Restart if hook.is_empty() => _ = Command::new("sh").args(["-c", &command]).output(),
            Disturbance::Restart => {}
            Disturbance::Set(value) => _ = say(&dsn, &format!("SET GLOBAL {} = {value}", variable.name)),
        }
    }
    let outcome = running.end();
    std::thread::sleep(Duration::from_millis(100));
    let samples = watch.end();
    let (sound, printed) = judged(&account, variable, &samples);
    account.restored();
    let last = value(&server, variable.name);
    assert!(last == former || variable.of_others.contains(&last), "{} is left: {outcome:?}", last);
    if last != former {
        let text = format!("{}{}", outcome.out, outcome.err);
        let in_run = samples.last().is_some_and(|_| text.contains("somebody else has changed it"));
        // What was set before the run looked is what it puts back.
        let first = samples.iter().map(|sample| sample.value).find(|value| *value != former);
        let put_back = first == Some(last) && text.contains(&format!("put back: {} = {last}", variable.name));
        // What was set after the run needs no word of it.
        assert!(in_run || put_back || has_ended_before(&account, &samples, last), "{last} is not told: {outcome:?}");
    }
    let hook = if hook.is_empty() { "" } else { ", restarted before each trial" };
    format!("{} {steps:?}{hook} → {sound} sound, {printed} told; {former} → {last}", variable.name)
}

/// Whether all runs of an account had put back what they had set before this value came, which came last.
fn has_ended_before(account: &Account, samples: &[Sample], value: u64) -> bool {
    let since = samples.iter().rev().take_while(|sample| sample.value == value).last().map(|sample| sample.answered);
    let logs = std::fs::read_dir(account.runs()).into_iter().flatten().flatten();
    let mut written = logs.filter_map(|run| run.path().join("events.jsonl").metadata().ok()?.modified().ok());
    since.is_none_or(|since| written.all(|written| written < since + Duration::from_millis(200)))
}

/// Two accounts with the same wish, one of which may be killed.
pub fn wanted_by_two(world: &mut AttackContext) -> String {
    let variable = world.one_of(VARIABLES);
    let server = Restarting::of(mariadb(&[]));
    let accounts = [Account::new(world), Account::new(world)];
    sql::query(&server, "CREATE DATABASE elsewhere");
    let dsns = [server.dsn(), server.dsn().replace("/sbtest", "/elsewhere")];
    let former = value(&server, variable.name);
    let (pause, killed, after) =
        (world.between(0, 4000), *world.one_of(&[None, None, Some(0), Some(1)]), world.between(0, 6000));
    let watch = Watch::of(server.dsn(), variable.name);
    let first = Running::start(&mut accounts[0].run(&dsns[0], variable, ""));
    std::thread::sleep(Duration::from_millis(pause));
    let second = Running::start(&mut accounts[1].run(&dsns[1], variable, ""));
    let ids = [first.child.id(), second.child.id()];
    if let Some(which) = killed {
        std::thread::sleep(Duration::from_millis(after));
        let id: &u32 = &ids[which];
        let _ = Command::new("kill").args(["-KILL", &id.to_string()]).output();
    }
    let ends = [first.end(), second.end()];
    let samples = watch.end();
    let figures: Vec<String> = accounts
        .iter()
        .map(|account| {
            let (sound, text) = judged(account, variable, &samples);
            format!("{sound} sound, {text} told")
        })
        .collect();
    // The one that was killed has the value that was there before both.
    let which = killed.unwrap_or(0);
    accounts[1 - which].restored();
    accounts[which].restored();
    assert_eq!(value(&server, variable.name), former, "{ends:?}");
    let ends = ends.map(|end| end.end());
    format!("{}, {pause} ms apart, killed {killed:?} → {ends:?}, {figures:?}", variable.name)
}
