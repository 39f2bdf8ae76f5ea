//! Stored runs among others: labels, the list with what each found, the history of a plan; and what a search for a limit leaves.

use std::path::{Path, PathBuf};
use tenbin_model::event::{EndState, Event, FORMAT, Phase, Sink};
use tenbin_model::labels::RunLabels;
use tenbin_model::plan::{Plan, expand};
use tenbin_model::summary::Summary;
use tenbin_model::tally::{Tally, TransactionTally};
use tenbin_report::store::{self, Store};
use tenbin_tests::{NullServer, output_of, tenbin};

fn run(dir: &Path, experiment: &str, more: &[&str]) -> (i32, PathBuf, String) {
    let server = NullServer::start(&["--delay", "2ms"]);
    let plan = dir.join("plan.toml");
    let text = format!(
        "schema = 1\nname = \"nightly\"\n[targets.a]\ndsn = {:?}\nprice = \"36 EUR/h\"\n[[experiment]]\nmeasure = \"1s\"\n\
         warmup = \"0s\"\ninterval = \"250ms\"\nload.clients = 2\nload.workload = \"oltp_point_select\"\n{experiment}\n",
        server.dsn()
    );
    std::fs::write(&plan, text).expect("a plan");
    let (code, out, err) = output_of(tenbin().arg("run").arg(&plan).arg("--runs").arg(dir.join("runs")).args(more));
    let saved = out.lines().find_map(|line| line.strip_prefix("saved    ")).unwrap_or_else(|| panic!("{out}\n{err}"));
    (code, PathBuf::from(saved.trim()), out)
}

fn listed(dir: &Path, arguments: &[&str]) -> (i32, String, String) {
    output_of(tenbin().args(arguments).arg("--runs").arg(dir.join("runs")))
}

#[test]
fn labels_answers_and_histories_of_runs() {
    let dir = tempfile::tempdir().unwrap();
    let repeats = "repeats = 2";
    let (_, first, _) =
        run(dir.path(), repeats, &["--name", "before \x1b[31m", "--tag", "8.0", "--note", "<b>new</b> disk"]);
    let (strict, second, out) = run(dir.path(), repeats, &["--strict"]);
    // Fewer than 1,000 transactions: DEGRADED.
    assert_eq!(strict, 3, "{out}");
    assert!(first.display().to_string().contains("before"), "{first:?}");
    let (code, out, _) = output_of(tenbin().arg("label").arg(&second).args(["--tag", "8.4", "--tag", "8.4", "--json"]));
    let labels: serde_json::Value = serde_json::from_str(&out).unwrap();
    assert!(code == 0 && labels["tags"] == serde_json::json!(["8.4"]), "{labels}");
    let (code, out, err) = listed(dir.path(), &["list", "--lang", "en"]);
    assert!(code == 0 && out.contains("DEGRADED  2 trials  before"), "{out}{err}");
    assert!(out.contains("a completed") && !out.contains('\x1b'), "{out}");
    let (_, out, _) = listed(dir.path(), &["list", "--tag", "8.4", "--lang", "ja"]);
    assert!(out.contains("8.4") && !out.contains("before") && out.contains("トランザクション"), "{out}");
    let page = std::fs::read_to_string(first.join("report.html")).unwrap();
    assert!(
        page.contains("&lt;b&gt;new&lt;&#x2f;b&gt; disk") || page.contains("&lt;b&gt;new&lt;/b&gt; disk"),
        "the note is escaped"
    );
    let plan = dir.path().join("plan.toml");
    let (code, out, err) = listed(dir.path(), &["history", plan.to_str().unwrap()]);
    assert!(
        code == 0 && out.contains("tps (TPS)") && out.contains("no change of the level was found in 2 runs"),
        "{out}{err}"
    );
    let (_, out, _) = listed(dir.path(), &["history", "nightly", "--figure", "p99", "--json"]);
    let history: serde_json::Value = serde_json::from_str(&out).unwrap();
    assert_eq!(history[0]["values"].as_array().map(Vec::len), Some(2), "{history}");
    assert!(history[0]["values"][0]["value"].as_f64().unwrap() >= 2.0, "{history}");
    let (code, _, err) = listed(dir.path(), &["history", "weekly"]);
    assert!(code == 1 && err.contains("no run of a plan named weekly"), "{err}");
    let (code, _, err) = listed(dir.path(), &["history", "nightly", "--figure", "speed"]);
    assert!(code == 1 && err.contains("p50 to p99.9"), "{err}");
    let (code, out, err) = listed(dir.path(), &["history", "nightly", "--figure", "nopm", "--lang", "en"]);
    assert!(code == 1 && out.is_empty() && err.contains("has the figure nopm"), "{out}{err}");
    let (code, _, err) = output_of(tenbin().arg("label").arg(dir.path()).args(["--tag", "x"]));
    assert!(code == 1 && err.contains("tenbin list"), "{err}");
}

#[test]
fn a_search_tells_the_limit_and_its_price() {
    let dir = tempfile::tempdir().unwrap();
    // Two clients, 2 ms each: fewer than 1,000 transactions per second.
    let search = "search = { until = \"p99 < 1s\", trials = 4 }";
    let (_, run, out) = run(dir.path(), search, &[]);
    let (_, json, _) = output_of(tenbin().args(["report", "--json"]).arg(&run));
    let history: serde_json::Value = serde_json::from_str(&json).unwrap();
    let (_, japanese, _) = output_of(tenbin().args(["report", "--format", "text", "--lang", "ja"]).arg(&run));
    match history["limits"][0]["holds"].as_f64() {
        Some(holds) => {
            assert!(out.contains("a holds p99 < 1s") && out.contains("EUR per 1,000 transactions"), "{out}");
            assert!((10.0..=1060.0).contains(&holds), "{holds}");
            assert!(japanese.contains("を満たし"), "{japanese}");
        }
        // On a machine whose processors others have, no rate is reached; then that is the answer, with its reason.
        None => {
            assert!(out.contains("a does not hold p99 < 1s even at"), "{out}");
            assert!(
                json.contains("others-busy") || json.contains("client-delayed") || json.contains("client-late"),
                "{out}"
            );
        }
    }
    let page = std::fs::read_to_string(run.join("report.html")).unwrap();
    assert!(page.contains("id=\"limits\"") && page.contains("p99 &lt; 1s"), "the page has the limit");
}

const SECOND: u64 = 1_000_000_000;

/// A stored run of a plan of this name that was not measured: two repeats of ten seconds, with these completions per second, of 2 ms
/// each.
fn stored(runs: &Path, dir: &str, plan: &str, started: &str, tps: [u64; 2]) -> PathBuf {
    stored_with(runs, dir, plan, started, tps, "load.clients = 2\nload.workload = \"oltp_point_select\"\n")
}

/// The same of a plan with this experiment.
fn stored_with(runs: &Path, dir: &str, plan: &str, started: &str, tps: [u64; 2], experiment: &str) -> PathBuf {
    let text = format!(
        "schema = 1\nname = {plan:?}\n[targets.a]\ndsn = \"null:\"\n[[experiment]]\nname = \"e\"\nmeasure = \"10s\"\n\
         warmup = \"0s\"\nrepeats = 2\n{experiment}"
    );
    let trials = expand(&Plan::parse(&text, &tenbin_workloads::catalog()).expect("a plan"));
    let (name, tool, started) = (plan.to_owned(), "0.0.0".to_owned(), started.to_owned());
    let mut events = vec![Event::RunStarted { format: FORMAT, name, tool, started, plan: text }];
    let expected = trials.len() as u32;
    events.extend(trials.iter().map(|t| Event::TrialPlanned { planned: Box::new(t.clone()), expected }));
    let mut now = SECOND;
    for (t, tps) in trials.iter().zip(tps) {
        let trial = t.number;
        events.push(Event::TrialStarted { trial, at_ns: now });
        events.push(Event::PhaseStarted { trial, phase: Phase::Measure, at_ns: now });
        let from = now;
        for _ in 0..10 {
            let mut of_all = TransactionTally { completed: tps, ..TransactionTally::default() };
            [&mut of_all.response, &mut of_all.service].into_iter().for_each(|times| times.record_n(2_000_000, tps));
            of_all.wait.record_n(0, tps);
            let mut tally = Tally::default();
            (tally.accounting.scheduled, tally.accounting.completed) = (tps, tps);
            tally.transactions.insert("oltp_point_select".into(), of_all);
            let (from_ns, to_ns, phase) = (now, now + SECOND, Phase::Measure);
            let (clients, completions, per_client) = (t.load.clients, None, Default::default());
            events.push(Event::Interval { trial, phase, from_ns, to_ns, clients, tally, completions, per_client });
            now += SECOND;
        }
        events.push(Event::TrialFinished {
            trial,
            at_ns: now,
            state: EndState::Complete,
            measured_from_ns: from,
            measured_to_ns: now,
            client_cpu_ns: SECOND,
            workers: 1,
            per_client: Default::default(),
            client_halts: Default::default(),
            oldest_open_ns: None,
            beside: Default::default(),
        });
    }
    events.push(Event::RunFinished { at_ns: now, state: EndState::Complete });
    let mut store = Store::create(runs, dir).expect("a new directory");
    events.iter().for_each(|event| store.receive(event).expect("there is room"));
    store.conclude(&Summary::of(&events));
    // Its own name begins with the time at which this is executed.
    let (written, named) = (store.close().expect("there is room"), runs.join(dir));
    std::fs::rename(written, &named).expect("the name is free");
    named
}

/// 23 runs of `nightly`, whose names do not have the order of their times, and one of `weekly`. Returns what each one completed per
/// second, the newest first.
fn many(runs: &Path) -> Vec<u64> {
    const RUNS: u64 = 23;
    for n in 0..RUNS {
        // The names are in another order, and some times are those of another place: 08:00 there is 23:00 of the day before.
        let started = match n % 5 {
            4 => format!("2026-03-{:02}T08:00:00+09:00", n + 2),
            _ => format!("2026-03-{:02}T23:00:00Z", n + 1),
        };
        let dir = stored(runs, &format!("run-{:02}", n * 7 % RUNS), "nightly", &started, [1000 + n * 10; 2]);
        if n == 3 {
            let labels =
                RunLabels { name: Some("before, the \"new\" disk".into()), tags: vec!["8.4".into()], note: None };
            std::fs::write(dir.join("labels.json"), serde_json::to_vec_pretty(&labels).expect("JSON"))
                .expect("there is room");
        }
    }
    stored(runs, "other", "weekly", "2026-03-12T00:00:00Z", [5000, 5100]);
    (0..RUNS).rev().map(|n| 1000 + n * 10).collect()
}

#[test]
fn lists_and_histories_begin_with_the_newest_run_and_have_twenty_unless_asked() {
    let dir = tempfile::tempdir().unwrap();
    let runs = dir.path().join("runs");
    let tps = many(&runs);
    let place = |n: usize| runs.join(format!("run-{:02}", (22 - n) * 7 % 23)).display().to_string();
    let shown = |out: &str| -> Vec<String> {
        let dirs = out.lines().map(str::trim).filter(|line| line.starts_with(runs.to_str().unwrap()));
        dirs.map(str::to_owned).collect()
    };
    let of = |arguments: &[&str]| {
        let (code, out, err) = listed(dir.path(), &[arguments, &["--lang", "en"]].concat());
        assert_eq!(code, 0, "{arguments:?}: {out}{err}");
        out
    };
    let newest = |n: usize| (0..n).map(place).collect::<Vec<_>>();
    let out = of(&["list", "--plan", "nightly"]);
    assert_eq!(shown(&out), newest(20), "{out}");
    assert!(out.contains("and 3 older runs: --all") && !out.contains("oltp_read_write"), "{out}");
    assert_eq!(shown(&of(&["list", "--plan", "nightly", "--all"])), newest(23));
    assert_eq!(shown(&of(&["list", "--plan", "nightly", "--last", "2"])), newest(2));
    assert_eq!(shown(&of(&["list", "--plan", "weekly"])), [runs.join("other").display().to_string()]);
    assert_eq!(shown(&of(&["list", "--tag", "8.4"])), [place(19)]);
    assert_eq!(shown(&of(&["list", "--all"])).len(), 24);
    let all = of(&["list"]);
    assert!(shown(&all).len() == 20 && all.contains("and 4 older runs") && all.contains("oltp_read_write"), "{all}");
    // A plan is named by its file too.
    let plan = dir.path().join("nightly.toml");
    std::fs::write(&plan, "schema = 1\nname = \"nightly\"\n[targets.a]\ndsn = \"null:\"\n[[experiment]]\nload.workload = \"oltp_point_select\"\n")
        .unwrap();
    assert_eq!(shown(&of(&["list", "--plan", plan.to_str().unwrap(), "--last", "5"])), newest(5));
    // Programs get all.
    let rows = |text: &str| -> Vec<Vec<String>> {
        let mut csv = csv::Reader::from_reader(text.as_bytes());
        assert_eq!(csv.headers().unwrap().iter().take(4).collect::<Vec<_>>(), ["run", "date", "label", "verdict"]);
        csv.records().map(|row| row.unwrap().iter().map(str::to_owned).collect()).collect()
    };
    let csv = rows(&of(&["list", "--csv", "--plan", "nightly"]));
    assert_eq!(csv.iter().map(|row| row[0].clone()).collect::<Vec<_>>(), newest(23));
    let verdict = store::read(Path::new(&place(0))).unwrap();
    let verdict = tenbin_verdict::judged::Judged::verdict(&verdict.summary).name();
    let (first, named) = (&csv[0], &csv[19]);
    assert_eq!([&first[1], &first[2], &first[3]], ["2026-03-23T23:00:00Z", "", verdict], "{first:?}");
    assert_eq!([&named[1], &named[2]], ["2026-03-04T23:00:00Z", "before, the \"new\" disk"]);
    let json: serde_json::Value = serde_json::from_str(&of(&["list", "--json", "--plan", "nightly"])).unwrap();
    let dirs: Vec<&str> = json["runs"].as_array().unwrap().iter().map(|run| run["dir"].as_str().unwrap()).collect();
    assert_eq!(dirs, newest(23));
    assert_eq!(json["runs"][0]["outcome"]["verdict"].as_str(), Some(verdict));
    let two: serde_json::Value = serde_json::from_str(&of(&["list", "--json", "--last", "2"])).unwrap();
    assert_eq!(two["runs"].as_array().map(Vec::len), Some(2));

    // The history of a plan has the figure that was planted, in the same order.
    let out = of(&["history", "nightly"]);
    let dates = out.lines().filter(|line| line.starts_with("  2026-")).collect::<Vec<_>>();
    assert!(dates.len() == 20 && out.contains("and 3 older runs: --all"), "{out}");
    assert!(dates[0].starts_with("  2026-03-23T23:00:00Z  1,220") && dates[19].contains("1,030"), "{out}");
    assert!(dates[19].contains("before, the \"new\" disk, 8.4"), "{out}");
    assert_eq!(of(&["history", "nightly", "--all"]).lines().filter(|line| line.starts_with("  2026-")).count(), 23);
    let csv = rows(&of(&["history", "nightly", "--csv"]));
    assert_eq!(csv.iter().map(|row| row[0].clone()).collect::<Vec<_>>(), newest(23));
    assert_eq!(csv.iter().map(|row| row[9].parse::<f64>().unwrap().round() as u64).collect::<Vec<_>>(), tps);
    assert_eq!(csv[0][4..9], ["e", "", "a", "tps", "TPS"]);
    let json: serde_json::Value = serde_json::from_str(&of(&["history", "nightly", "--json", "--last", "4"])).unwrap();
    let values: Vec<u64> =
        json[0]["values"].as_array().unwrap().iter().map(|v| v["value"].as_f64().unwrap().round() as u64).collect();
    assert_eq!(values, tps[..4]);
    assert_eq!(json[0]["values"][0]["started"], "2026-03-23T23:00:00Z");
    assert!(of(&["history", "nightly", "--last", "4"]).contains("and 19 older runs: --all"));
    let page = dir.path().join("nightly.html");
    of(&["history", "nightly", "--page", page.to_str().unwrap()]);
    let html = std::fs::read_to_string(&page).unwrap();
    let places: Vec<usize> =
        newest(23).iter().map(|dir| html.find(dir.as_str()).unwrap_or_else(|| panic!("{dir}"))).collect();
    assert!(places.is_sorted(), "the newest first: {places:?}");
}

/// The last runs of hundreds are there at once: the others are not read, and nothing is said of what is wrong with them.
/// What is read of a run has them escaped.
#[test]
fn a_plan_with_a_control_character_in_its_name_has_a_history() {
    let dir = tempfile::tempdir().unwrap();
    let (name, runs) = ("night\tly", dir.path().join("runs"));
    std::fs::create_dir(&runs).unwrap();
    stored(&runs, "2026-11-01T000000-a", name, "2026-11-01T00:00:00+00:00", [1000, 1010]);
    let (code, out, err) = listed(dir.path(), &["history", name]);
    assert!(code == 0 && out.contains("tps (TPS)") && out.contains("in 1 run ("), "{out}{err}");
}

#[test]
fn a_history_of_the_last_runs_reads_no_others() {
    let dir = tempfile::tempdir().unwrap();
    let runs = dir.path().join("runs");
    for n in 1..=4 {
        stored(&runs, &format!("run-{n}"), "nightly", &format!("2026-03-0{n}T00:00:00Z"), [1000 + n; 2]);
    }
    std::fs::write(runs.join("run-1/events.jsonl"), "damaged\n").expect("there is room");
    let (code, out, err) = listed(dir.path(), &["history", "nightly", "--last", "2", "--lang", "en"]);
    let dates: Vec<&str> = out
        .lines()
        .filter_map(|line| line.trim().split("T00").next())
        .filter(|line| line.starts_with("2026"))
        .collect();
    assert_eq!((code, dates.as_slice()), (0, ["2026-03-04", "2026-03-03"].as_slice()), "{out}{err}");
    assert!(
        !err.contains("run-1") && out.contains("and 2 older runs: --all") && out.contains("in 2 runs"),
        "{out}{err}"
    );
    let (code, out, err) = listed(dir.path(), &["history", "nightly", "--lang", "en"]);
    assert!(code != 0 || !err.is_empty(), "all are read: {out}{err}");
}

/// Figures of an edited plan stand in one history with those from before: not without a word.
#[test]
fn runs_of_an_edited_plan_are_marked_in_their_history() {
    let dir = tempfile::tempdir().unwrap();
    let runs = dir.path().join("runs");
    let experiment = |clients: u32, rows: u32, keys: &str| {
        format!(
            "dataset = \"d\"\nload.clients = {clients}\nload.workload = \"oltp_point_select\"\nload.rand_type = {keys:?}\n\
             [datasets.d]\nkind = \"sysbench\"\ntable_size = {rows}\n"
        )
    };
    let all =
        [(2, 1000, "special"), (2, 1000, "special"), (4, 1000, "special"), (4, 2000, "special"), (4, 2000, "uniform")];
    for (n, (clients, rows, keys)) in (1u64..).zip(all) {
        let (name, started) = (format!("run-{n}"), format!("2026-03-0{n}T00:00:00Z"));
        stored_with(&runs, &name, "edited", &started, [1000 + n; 2], &experiment(clients, rows, keys));
    }
    let (code, out, err) = listed(dir.path(), &["history", "edited", "--lang", "en"]);
    assert_eq!(code, 0, "{out}{err}");
    let marks: Vec<&str> = out.lines().filter_map(|line| line.strip_prefix("  not as in the run before: ")).collect();
    assert_eq!(marks, ["options of the workload", "dataset", "clients"], "{out}");
    let after = |line: &str| out.lines().skip_while(|other| !other.contains(line)).nth(1).map(str::to_owned);
    assert_eq!(after("2026-03-03T").as_deref(), Some("  not as in the run before: clients"), "{out}");
    let warnings: Vec<&str> = err.lines().filter(|line| line.contains("stand in one history")).collect();
    let [options, size, clients] = [2, 1, 0].map(|at| warnings.get(at).copied().unwrap_or_default());
    assert!(warnings.len() == 3 && clients.contains("clients differ between"), "{err}");
    assert!(size.contains("dataset differ") && options.contains("options of the workload differ"), "{err}");
    let (_, csv, _) = listed(dir.path(), &["history", "edited", "--csv"]);
    let last: Vec<&str> = csv.lines().map(|line| line.rsplit(',').nth(2).unwrap()).collect();
    assert_eq!(last, ["edited", "options of the workload", "dataset", "clients", "", ""], "{csv}");
    let (_, json, _) = listed(dir.path(), &["history", "edited", "--json"]);
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!(json[0]["values"][2]["edited"], "clients", "{json}");
    assert!(json[0]["values"][4]["edited"].is_null(), "{json}");
    let page = dir.path().join("edited.html");
    let (code, _, err) = listed(dir.path(), &["history", "edited", "--page", page.to_str().unwrap(), "--lang", "ja"]);
    let html = std::fs::read_to_string(&page).unwrap();
    assert!(code == 0 && html.contains("前の実行と異なる: ") && html.contains("not as in the run before: "), "{err}");
}

#[test]
fn a_job_on_github_has_the_answer_the_table_its_own_noise_and_a_link() {
    let dir = tempfile::tempdir().unwrap();
    // Two repeats of 1000 and 1100: their mean is 1050, and their standard deviation 100 / √2 = 70.7, which is 6.7 %.
    let run = stored(dir.path(), "one", "a|b <script>", "2026-03-01T00:00:00Z", [1000, 1100]);
    let of = |environment: &[(&str, &str)], more: &[&str]| {
        let mut command = tenbin();
        for name in ["GITHUB_SERVER_URL", "GITHUB_REPOSITORY", "GITHUB_RUN_ID"] {
            command.env_remove(name);
        }
        command.envs(environment.iter().copied());
        let (code, out, err) = output_of(command.args(["report", "--format", "github"]).arg(&run).args(more));
        assert!([0, 3].contains(&code), "{out}{err}");
        out
    };
    let out = of(&[], &["--lang", "en"]);
    let first = out.lines().next().unwrap();
    assert!(first.starts_with("### ") && first.contains("a\\|b &lt;script&gt;"), "{out}");
    assert!(out.contains("**a completed 1,050 transactions per second"), "{out}");
    let table: Vec<&str> = out.lines().filter(|line| line.starts_with('|')).collect();
    assert!(table.len() == 3 && table[2].contains("1,050"), "the head, the line, and a row: {out}");
    assert!(out.contains("differ by 6.7 %"), "{out}");
    assert!(!out.contains("]("), "there is no job: {out}");
    let job = [
        ("GITHUB_SERVER_URL", "https://github.com"),
        ("GITHUB_REPOSITORY", "example/repository"),
        ("GITHUB_RUN_ID", "17"),
    ];
    let out = of(&job, &["--lang", "en"]);
    assert!(out.contains("](https://github.com/example/repository/actions/runs/17)"), "{out}");
    let out = of(&job, &["--lang", "ja"]);
    assert!(out.contains("トランザクション") && out.contains("6.7%"), "{out}");
    // An address that would end its own markup is left out.
    let out = of(&[job[0], job[1], ("GITHUB_RUN_ID", "17) [x](javascript:alert(1)")], &["--lang", "en"]);
    assert!(!out.contains("]("), "{out}");
}
