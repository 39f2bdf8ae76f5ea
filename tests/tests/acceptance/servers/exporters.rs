//! Prometheus exporters that a plan names: Debian's beside a real server, and ones that fail in every way.

#![expect(clippy::unwrap_used, reason = "a test may")]

use serde_json::Value;
use std::path::Path;
use std::time::Instant;
use tenbin_model::dsn::Dsn;
use tenbin_tests::{FakeExporter, PrometheusExporter, balanced, mariadb, output_of, read_back, tenbin};

/// A plan of one trial on a target, with these exporters.
fn plan(target: &str, exporters: &str, measure: &str) -> String {
    format!(
        "schema = 1\nname = \"exporters\"\n[defaults]\nwarmup = \"0s\"\nmeasure = \"{measure}\"\nrepeats = 1\n\
         [targets.db]\ndsn = \"{target}\"\nexporters = {{ {exporters} }}\n[datasets.sb]\ntables = 1\ntable_size = 1000\n\
         [[experiment]]\nload = {{ workload = \"oltp_point_select\", clients = 2 }}\n"
    )
}

fn check(plan: &str) -> (i32, String) {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("plan.toml");
    std::fs::write(&file, plan).unwrap();
    let (code, out, err) = output_of(tenbin().args(["plan", "check"]).arg(&file));
    (code, format!("{out}{err}"))
}

/// Runs it, and returns its first trial, what it printed, and all that it wrote.
fn run(plan: &str, runs: &Path) -> (Value, String, String) {
    let file = runs.join("plan.toml");
    std::fs::write(&file, plan).unwrap();
    let (code, out, err) = output_of(tenbin().arg("run").arg(&file).arg("--runs").arg(runs.join("runs")));
    assert!([0, 3].contains(&code), "{code} {out}{err}");
    let (dir, json) = read_back(&runs.join("runs"));
    balanced(&json);
    let written = std::fs::read_to_string(dir.join("trials/0001/events.jsonl")).unwrap();
    let page = std::fs::read_to_string(dir.join("report.html")).unwrap();
    let plan = std::fs::read_to_string(dir.join("plan.toml")).unwrap();
    (json["trials"][0].clone(), out + &err, written + &page + &plan)
}

/// A reading of a trial.
fn reading<'j>(trial: &'j Value, observer: &str, name: &str) -> &'j Value {
    let all = trial["readings"].as_array().unwrap();
    let of = |r: &&Value| r["observer"] == observer && r["name"] == name;
    all.iter().find(of).unwrap_or_else(|| panic!("{observer} {name} is not in {all:#?}"))
}

fn notes(trial: &Value) -> Vec<String> {
    let notes = trial["notes"].as_array().unwrap();
    notes.iter().map(|note| note[1]["what"].as_str().unwrap_or_else(|| panic!("{note}")).to_owned()).collect()
}

#[test]
fn debians_exporters_and_the_server_itself_have_the_same_figures() {
    let server = mariadb(&[]);
    let port = Dsn::parse(&server.dsn()).unwrap().port.unwrap();
    let (node, mysqld) = (PrometheusExporter::node(), PrometheusExporter::mysqld(port, "root:"));
    let exporters = format!("node = \"{}\", mysqld = \"{}\"", node.url(), mysqld.url());
    // At a rate: the exporter and we look at different times, between which a closed loop may be quicker or slower.
    let plan = plan(&server.dsn(), &exporters, "4s").replace("clients = 2", "clients = 2, rate = 1000");

    let (code, text) = check(&plan);
    assert_eq!(code, 0, "{text}");
    for part in ["exporter node can be read: ", "exporter mysqld can be read: ", "node_cpu_seconds_total, ", "mysql_up"]
    {
        assert!(text.contains(part), "{part} is not in\n{text}");
    }

    let runs = tempfile::tempdir().unwrap();
    let (trial, _, written) = run(&plan, runs.path());
    assert_eq!(notes(&trial).iter().filter(|note| note.contains("exporter")).count(), 0, "{:?}", notes(&trial));
    let rate = |observer: &str, name: &str| reading(&trial, observer, name)["per_second"].as_f64().unwrap();
    let selects = rate("exporter.mysqld", "mysql_global_status_commands_total{command=\"select\"}");
    let ours = rate("server.status", "com_select");
    assert!((selects / ours - 1.0).abs() < 0.05, "{selects} by the exporter, {ours} by us");
    let (theirs, ours) = (
        rate("exporter.mysqld", "mysql_global_status_questions"),
        trial["qps"].as_f64().unwrap_or_else(|| panic!("{trial:#?}")),
    );
    assert!((theirs / ours - 1.0).abs() < 0.05, "{theirs} by the exporter, {ours} statements of the clients");

    // The time of all processors passes as the clock does.
    let all = trial["readings"].as_array().unwrap();
    let modes = all.iter().filter(|r| r["name"].as_str().unwrap().starts_with("node_cpu_seconds_total{mode="));
    let cpus: f64 = modes.map(|r| r["per_second"].as_f64().unwrap()).sum();
    // Of the machine: this process may be limited to fewer.
    let stat = std::fs::read_to_string("/proc/stat").unwrap();
    let there = stat.lines().filter(|line| line.starts_with("cpu") && !line.starts_with("cpu ")).count() as f64;
    assert!((cpus / there - 1.0).abs() < 0.1, "{cpus} of {there}");
    let of_exporters = all.iter().filter(|r| r["observer"].as_str().unwrap().starts_with("exporter.")).count();
    assert!((40..150).contains(&of_exporters), "{of_exporters} series are readable on a page");
    assert!(!all.iter().any(|r| r["name"].as_str().unwrap().starts_with("go_")));
    assert!(written.contains("node_memory_MemAvailable_bytes"));
}

/// A text with a counter.
fn sound(count: f64) -> Option<Vec<u8>> {
    FakeExporter::text(&format!("# TYPE app_work_total counter\napp_work_total{{kind=\"a\"}} {count}\napp_depth 7\n"))
}

#[test]
fn what_is_wrong_with_an_exporter_is_told_beforehand() {
    let fake = FakeExporter::start(|_, request| {
        let path = request.split(' ').nth(1).unwrap_or_default().to_owned();
        match path.as_str() {
            "/metrics" => sound(1.0),
            "/page" => FakeExporter::answer("200 OK", "Content-Type: text/html", "<html>an exporter</html>"),
            "/garbage" => FakeExporter::text("\u{1b}[2J \u{0} 17"),
            "/empty" => FakeExporter::text("# nothing\n"),
            "/cut" => FakeExporter::answer("200 OK", "Content-Type: application/openmetrics-text", "a 1\n"),
            "/elsewhere" => FakeExporter::answer("302 Found", "Location: http://u:hidden@127.0.0.1:1/metrics", ""),
            "/login" => FakeExporter::answer("401 Unauthorized", "WWW-Authenticate: Basic", ""),
            "/huge" => FakeExporter::text(&"a_total 1\n".repeat(2 << 20)),
            _ => None,
        }
    });
    let at = fake.address();
    let closed = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let names = ["metrics", "page", "garbage", "empty", "cut", "elsewhere", "login", "huge", "slow"];
    let each = names.map(|name| format!("{name} = \"http://{at}/{name}\""));
    let exporters = format!("{}, gone = \"http://bench@{closed}\"", each.join(", "));
    let (code, text) = check(&plan("null:", &exporters, "1s"));
    assert_eq!(code, 1);
    let text = text.replace(&at, "HOST:PORT").replace(&closed.to_string(), "HOST:CLOSED");
    let printed = text.split("error").skip(1).map(|part| format!("error{part}")).collect::<String>();
    insta::assert_snapshot!(printed, @r#"
    error: exporter page cannot be read
      evidence  http://HOST:PORT/page
                line 1 is no sample: "<html>an exporter</html>"
      hint      name the path of the figures, which usually is /metrics
    error: exporter garbage cannot be read
      evidence  http://HOST:PORT/garbage
                line 1 is no sample: "\u{1b}[2J \0 17"
      hint      try it by hand: curl -sS 'http://HOST:PORT/garbage'
    error: exporter empty cannot be read
      evidence  http://HOST:PORT/empty
                the answer has no sample
      hint      try it by hand: curl -sS 'http://HOST:PORT/empty'
    error: exporter cut cannot be read
      evidence  http://HOST:PORT/cut
                the text ends without # EOF
      hint      try it by hand: curl -sS 'http://HOST:PORT/cut'
    error: exporter elsewhere cannot be read
      evidence  http://HOST:PORT/elsewhere
                HTTP 302: it redirects to http://u@127.0.0.1:1/metrics, which is not followed
      hint      name that address in the plan
    error: exporter login cannot be read
      evidence  http://HOST:PORT/login
                401 Unauthorized
      hint      give user and password: url = "http://user@host:9100/metrics", password_env = "NAME"
    error: exporter huge cannot be read
      evidence  http://HOST:PORT/huge
                the answer has more than 16 MiB
      hint      try it by hand: curl -sS 'http://HOST:PORT/huge'
    error: exporter slow cannot be read
      evidence  http://HOST:PORT/slow
                no complete answer within 900 ms
      hint      in the table of slow: every = "5s"
    error: exporter gone cannot be read
      evidence  http://bench@HOST:CLOSED/metrics
                io: Connection refused (os error 111)
      hint      try it by hand: curl -sS 'http://HOST:CLOSED/metrics'
    "#);
}

#[test]
fn an_exporter_that_fails_during_a_trial_costs_its_own_series_only() {
    // Ten a second, by the clock.
    let begun = Instant::now();
    let count = move || 10.0 * begun.elapsed().as_secs_f64();
    // The first request is that of the check beforehand; then come those at the start and the edges of the window.
    let dies = FakeExporter::start(move |number, _| if number < 5 { sound(count()) } else { Some(Vec::new()) });
    let hangs = FakeExporter::start(move |number, _| if number < 5 { sound(count()) } else { None });
    let resets = FakeExporter::start(move |number, _| sound(count() + if number < 5 { 1e6 } else { 0.0 }));
    let wakes = FakeExporter::start(move |number, _| if number == 3 { Some(b"HTTP".to_vec()) } else { sound(count()) });
    let all = [("dies", &dies), ("hangs", &hangs), ("resets", &resets), ("wakes", &wakes)];
    let each = all.map(|(name, fake)| format!("{name} = \"http://{}\"", fake.address()));
    let runs = tempfile::tempdir().unwrap();
    let (trial, _, _) = run(&plan("null:", &each.join(", "), "6s"), runs.path());
    let mut text: Vec<String> = notes(&trial).into_iter().filter(|note| note.contains("exporter")).collect();
    text.sort();
    insta::assert_snapshot!(text.join("\n"), @r#"
    counters of exporter resets began again at 0 (1, such as app_work_total{kind="a"}); they are counted on
    exporter dies cannot be read
    exporter hangs cannot be read
    exporter wakes cannot be read
    "#);
    let series = "app_work_total{kind=\"a\"}";
    let course = |name: &str| reading(&trial, &format!("exporter.{name}"), series)["per_second"].clone();
    // What was counted from 0 until the first answer after the reset belongs to the rate.
    let rate = course("resets").as_f64().unwrap();
    assert!((5.0..=15.0).contains(&rate), "{rate}: the reset is no jump");
    let rate = course("wakes").as_f64().unwrap();
    assert!((5.0..=15.0).contains(&rate), "{rate}: read again as soon as it answers");
    assert_eq!(reading(&trial, "exporter.wakes", "app_depth")["mean"], 7.0);
    assert!(trial["tps"].as_f64().unwrap() > 1000.0, "the load goes on");
    assert!(dies.asked() > 4, "it is asked again");
}

#[test]
fn a_password_of_an_exporter_stands_nowhere() {
    // "bench:ge@heim" in Base64.
    let secret = "YmVuY2g6Z2VAaGVpbQ==";
    let fake = FakeExporter::start(move |number, request| {
        match request.to_lowercase().contains(&format!("authorization: basic {}", secret.to_lowercase())) {
            true => sound(number as f64),
            false => FakeExporter::answer("403 Forbidden", "X: y", ""),
        }
    });
    let runs = tempfile::tempdir().unwrap();
    let of = |exporter: &str| plan("null:", exporter, "1s");
    let in_address = format!("app = \"http://bench:ge%40heim@{}\"", fake.address());
    let (trial, printed, written) = run(&of(&in_address), runs.path());
    assert_eq!(reading(&trial, "exporter.app", "app_depth")["mean"], 7.0);
    assert!(printed.contains("the password of target db/exporters/app is in the plan"), "{printed}");
    let file = runs.path().join("password");
    std::fs::write(&file, "ge@heim\n").unwrap();
    let elsewhere =
        |key: &str, value: &str| format!("app = {{ url = \"http://bench@{}\", {key} = \"{value}\" }}", fake.address());
    let (code, text) = check(&of(&elsewhere("password_file", &file.display().to_string())));
    assert_eq!(code, 0, "{text}");
    let (code, missing) = check(&of(&elsewhere("password_env", "TENBIN_NO_SUCH_VARIABLE")));
    assert!(code == 1 && missing.contains("TENBIN_NO_SUCH_VARIABLE"), "{missing}");
    for text in [printed, written, text] {
        for hidden in ["ge@heim", "ge%40heim", secret] {
            assert!(!text.contains(hidden), "{hidden} is in\n{text}");
        }
    }
}

#[test]
fn series_are_chosen_by_names_and_every() {
    let fake = FakeExporter::start(|number, _| sound(number as f64));
    let of = |more: &str| plan("null:", &format!("app = {{ url = \"http://{}\", {more} }}", fake.address()), "3s");
    let runs = tempfile::tempdir().unwrap();
    let (trial, ..) = run(&of("names = [\"*{kind=*\"], every = \"200ms\""), runs.path());
    let names: Vec<&Value> =
        trial["readings"].as_array().unwrap().iter().filter(|r| r["observer"] == "exporter.app").collect();
    assert_eq!(names.len(), 1, "{names:?}");
    assert!(fake.asked() > 10, "{}", fake.asked());
    let (_, text) = check(&of("names = [\"nothing\"]"));
    assert!(text.contains("exporter app can be read: 0 of 2 series are recorded"), "{text}");
}
