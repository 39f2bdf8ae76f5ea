//! Every plan that comes with the project or is shown in its guide names workloads, data sets and options that exist.

#![expect(clippy::unwrap_used, reason = "a test may")]

use std::fs;
use std::path::{Path, PathBuf};
use tenbin_model::plan::{self, Plan};
use tenbin_model::trial::Trial;
use tenbin_tests::{output_of, tenbin};
use tenbin_workloads::{catalog, find_dataset, find_workload};

#[test]
fn plans_name_workloads_and_options_that_exist() {
    let all = shown_plans();
    assert!(all.len() > 8, "{} plans found", all.len());
    for (whence, text) in all {
        let plan = Plan::parse(&text, &catalog()).unwrap_or_else(|e| panic!("{whence}: {e:#?}"));
        for trial in plan::expand(&plan) {
            resolve(&trial).unwrap_or_else(|e| panic!("{whence}: {e}"));
        }
    }
}

#[test]
fn the_guides_show_the_plan_that_is_printed_and_it_takes_minutes() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let (code, printed, err) = output_of(tenbin().args(["plan", "example"]));
    assert_eq!(code, 0, "{err}");
    for page in [
        "README.md",
        "README.ja.md",
        "doc/guide/en/first-steps.md",
        "doc/guide/ja/first-steps.md",
        "doc/guide/en/plan.md",
        "doc/guide/ja/plan.md",
    ] {
        let text = fs::read_to_string(root.join(page)).unwrap();
        assert!(
            text.contains(&format!("```toml\n{printed}```")),
            "{page} shows another plan than `tenbin plan example`"
        );
        // Nothing is run before its tables are loaded.
        if let Some(bench) = text.find("tenbin bench oltp") {
            assert!(text[..bench].contains("tenbin load oltp"), "{page}: bench stands before load");
        }
    }
    let trials = plan::expand(&Plan::parse(&printed, &catalog()).unwrap());
    let minutes = trials.iter().map(|t| t.settle_ms + t.warmup_ms + t.measure_ms).sum::<u64>() / 60_000;
    assert!(minutes <= 6, "the plan to start from takes {minutes} minutes");
}

/// Each has another data set, with what the load says of its tables.
#[test]
fn a_plan_that_describes_no_data_loads_what_its_workload_needs() {
    let dir = tempfile::tempdir().unwrap();
    let loads = [
        ("oltp", "table_size = 50", "one table of 50"),
        ("oltp_read_only", "tables = 2, table_size = 60", "two tables of 60"),
        ("bulk_insert", "clients = 2", "two empty tables"),
    ];
    for (workload, options, what) in loads {
        let plan = dir.path().join(format!("{workload}.toml"));
        let text = format!(
            "schema = 1\ntargets.a.sandbox = \"sqlite\"\n[[experiment]]\nrepeats = 1\nwarmup = \"0s\"\nmeasure = \"60s\"\n\
             load = {{ operations = 5, workload = \"{workload}\", {options} }}\n"
        );
        fs::write(&plan, text).unwrap();
        let (code, out, err) = output_of(tenbin().args(["run", "--runs"]).arg(dir.path().join("runs")).arg(&plan));
        // A busy machine may make the result INVALID, but not the clients fail.
        let clients_worked = !err.contains("error") && err.contains("TPS");
        assert!([0, 3].contains(&code) && clients_worked, "{workload} on {what}: {out}{err}");
    }
}

/// The options of load and data set in the recording of a run with this load.
fn recorded(dir: &Path, load: &str) -> String {
    let (plan, runs) = (dir.join("plan.toml"), dir.join("runs"));
    let text = format!(
        "schema = 1\ntargets.a.dsn = \"null:\"\n[[experiment]]\nrepeats = 1\nwarmup = \"0s\"\nmeasure = \"60s\"\n\
         restore = \"never\"\nload = {{ operations = 5, {load} }}\n"
    );
    fs::write(&plan, text).unwrap();
    let (code, _, err) = output_of(tenbin().args(["run", "--runs"]).arg(&runs).arg(&plan));
    // What it measured does not matter here, nor that a busy machine makes it INVALID.
    assert!([0, 3].contains(&code), "{err}");
    let run = fs::read_dir(&runs).unwrap().next().unwrap().unwrap().path();
    let json = fs::read_to_string(run.join("trials/0001/trial.json")).unwrap();
    let recorded: serde_json::Value = serde_json::from_str(&json).unwrap();
    fs::remove_dir_all(&runs).unwrap();
    let trial = &recorded["trial"];
    format!("{} {}\n{} {}", load, trial["load"]["options"], trial["dataset"]["kind"], trial["dataset"]["options"])
}

#[test]
fn a_recording_has_every_option_with_the_value_that_was_used() {
    let dir = tempfile::tempdir().unwrap();
    let script = dir.path().join("own.lua");
    fs::write(
        &script,
        "sysbench.cmdline.options = { depth = {'how deep', 3}, name = {'what', 'x'} }\nfunction event() end\n",
    )
    .unwrap();
    let all = [
        "workload = \"oltp_point_select\", table_size = 500, rand-type = \"Uniform\"",
        "workload = \"tpcc\", mode = \"paced\", pace = 0.001, warehouses = 2, clients = 2",
        "workload = \"SCRIPT\", depth = 5",
    ]
    .map(|load| recorded(dir.path(), &load.replace("SCRIPT", &script.display().to_string())))
    .join("\n");
    insta::assert_snapshot!(all.replace(&script.display().to_string(), "SCRIPT"), @r#"
    workload = "oltp_point_select", table_size = 500, rand-type = "Uniform" {"ps_mode":"auto","rand_pareto_h":"0.2","rand_spec_iter":"12","rand_spec_pct":"1","rand_spec_res":"75","rand_type":"uniform","rand_zipfian_exp":"0.8","reconnect":"0","table_size":"500","tables":"1"}
    "sysbench" {"auto_inc":"on","create_secondary":"on","first_table":"1","mysql_storage_engine":"innodb","rand_pareto_h":"0.2","rand_spec_iter":"12","rand_spec_pct":"1","rand_spec_res":"75","rand_type":"special","rand_zipfian_exp":"0.8","secondary":"off","table_size":"500","tables":"1"}
    workload = "tpcc", mode = "paced", pace = 0.001, warehouses = 2, clients = 2 {"deferred_delivery":"on","deliverers":"0","delivery":"4","home":"fixed","isolation":"repeatable_read","mix":"deck","mode":"paced","new_order":"45","numbered":"off","order_status":"4","pace":"0.001","payment":"43","pipeline":"off","pool":"0","profile":"batched","stock_level":"4","tables":"1","warehouses":"2"}
    "tpcc" {"adopt":"off","check":"off","first_warehouse":"1","foreign_keys":"off","last_warehouse":"0","layout":"spec","mysql_storage_engine":"innodb","numbered":"off","part":"all","tables":"1","warehouses":"2"}
    workload = "SCRIPT", depth = 5 {"depth":"5","name":"x","rand_pareto_h":"0.2","rand_spec_iter":"12","rand_spec_pct":"1","rand_spec_res":"75","rand_type":"special","rand_zipfian_exp":"0.8"}
    "script" {"depth":"5","script":"SCRIPT","script_digest":"fef7d1b836c26b953ab1d7af0c2383a9"}
    "#);
}

fn resolve(trial: &Trial) -> Result<(), tenbin_words::problem::Problem> {
    if trial.load.workload.ends_with(".lua") {
        // The reader's own script: what it takes is known when it is opened.
        return Ok(());
    }
    let entry = find_workload(&trial.load.workload)?;
    entry.resolve(&entry.inherit(&trial.load.options, &trial.dataset.options))?;
    find_dataset(&trial.dataset.kind)?.resolve(&trial.dataset.options)?;
    Ok(())
}

/// The plans in `plans/`, and every block of TOML in the guide and the READMEs: where from, and the text.
fn shown_plans() -> Vec<(String, String)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the workspace is above this crate");
    let mut all = Vec::new();
    for path in files(&root.join("plans"), "toml") {
        all.push((path.display().to_string(), fs::read_to_string(&path).unwrap()));
    }
    let pages = files(&root.join("doc/guide/en"), "md").into_iter().chain(files(&root.join("doc/guide/ja"), "md"));
    for path in pages.chain([root.join("README.md"), root.join("README.ja.md")]) {
        let text = fs::read_to_string(&path).unwrap();
        for block in text.split("```toml\n").skip(1) {
            all.push((path.display().to_string(), block.split("```").next().unwrap_or("").to_owned()));
        }
    }
    all
}

fn files(folder: &Path, extension: &str) -> Vec<PathBuf> {
    let all = fs::read_dir(folder).unwrap_or_else(|e| panic!("{folder:?}: {e}"));
    all.map(|e| e.unwrap().path()).filter(|p| p.extension().is_some_and(|e| e == extension)).collect()
}

#[test]
fn the_time_of_a_plan_includes_the_ceilings_of_the_clients() {
    let dir = tempfile::tempdir().unwrap();
    let plan = dir.path().join("plan.toml");
    let drive_s = |calibrate: &str, measure: &str, axes: &str| {
        let text = format!(
            "schema = 1\n[defaults]\nwarmup = \"1s\"\nmeasure = {measure:?}\nrepeats = 2\n\
             [targets.a]\ndsn = \"mysql://a@b/c\"\n[targets.p]\ndsn = \"postgres://a@b/c\"\n[targets.n]\ndsn = \"null:\"\n\
             [[experiment]]\nload = {{ workload = \"oltp_point_select\", calibrate = {calibrate:?} }}\nmatrix = {{ {axes} }}\n"
        );
        std::fs::write(&plan, text).unwrap();
        let (code, out, err) = output_of(tenbin().args(["plan", "check", "--offline", "--json"]).arg(&plan));
        assert_eq!(code, 0, "{err}");
        serde_json::from_str::<serde_json::Value>(&out).unwrap()["drive_s"].as_f64().unwrap()
    };
    // Once for each number of clients on each of two servers, in twelve trials; the third target is not a server.
    let clients = "load.clients = [2, 4]";
    assert_eq!(drive_s("auto", "10s", clients), 12.0 * 11.0 + 4.0 * 1.25);
    assert_eq!(drive_s("never", "10s", clients), 12.0 * 11.0);
    assert_eq!(drive_s("auto", "2s", clients), 12.0 * 3.0, "short trials have none");
    assert_eq!(drive_s("always", "2s", clients), 12.0 * 3.0 + 4.0 * 1.25);
    // Prepared, and as text.
    let protocols = "load.ps_mode = [\"auto\", \"disable\"]";
    assert_eq!(drive_s("auto", "10s", protocols), 12.0 * 11.0 + 4.0 * 1.25);
    assert_eq!(drive_s("auto", "10s", "load.rand_type = [\"uniform\", \"pareto\"]"), 12.0 * 11.0 + 2.0 * 1.25);
}

/// The key of another table is sent there, and not written again where it stands.
#[test]
fn a_key_of_the_load_in_a_data_set_is_sent_to_the_load() {
    let dir = tempfile::tempdir().unwrap();
    let plan = dir.path().join("plan.toml");
    let text = "schema = 1\n[targets.n]\ndsn = \"null:\"\n[datasets.d]\nworkload = \"oltp_read_write\"\n\
                [[experiment]]\ndataset = \"d\"\nload = { workload = \"oltp_read_write\" }\n";
    fs::write(&plan, text).unwrap();
    let (code, _, err) = output_of(tenbin().args(["plan", "check", "--offline"]).arg(&plan));
    assert!(code == 1 && err.contains("has no option \"workload\""), "{code} {err}");
    assert!(err.contains("in [experiment.load]"), "{err}");
}

/// A plan can be checked where neither its servers nor their programs and passwords are.
#[test]
fn an_offline_check_needs_no_password_no_connection_and_no_program() {
    let dir = tempfile::tempdir().unwrap();
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    listener.set_nonblocking(true).unwrap();
    let port = listener.local_addr().unwrap().port();
    let program = dir.path().join("mysqld");
    fs::write(&program, format!("#!/bin/sh\ntouch {}\n", dir.path().join("was-run").display())).unwrap();
    fs::set_permissions(&program, std::os::unix::fs::PermissionsExt::from_mode(0o755)).unwrap();
    let text = format!(
        "schema = 1\n[targets.env]\ndsn = \"mysql://a@127.0.0.1:{port}/c\"\npassword_env = \"NOT_SET_ANYWHERE\"\n\
         exporters = {{ x = {{ url = \"http://127.0.0.1:{port}/metrics\", password_env = \"NOT_SET_EITHER\" }} }}\n\
         [targets.file]\ndsn = \"postgres://a@127.0.0.1:{port}/c\"\npassword_file = \"/nowhere/password\"\n\
         restore = {{ kind = \"backup\", stop = \"false\", start = \"false\" }}\n\
         [targets.in_address]\ndsn = \"mysql://127.0.0.1:{port}/c?option_file=/nowhere/my.cnf\"\n\
         [targets.own]\nsandbox = \"{}\"\nserver = {{ anything = 1 }}\nrestore = \"backup\"\n\
         [targets.absent]\nsandbox = \"/nowhere/bin/mysqld\"\nserver = {{ anything = 1 }}\nreplicas = {{ r = \"sandbox\" }}\n\
         [[experiment]]\nload = {{ workload = \"oltp_read_write\" }}\n",
        program.display()
    );
    let plan = dir.path().join("plan.toml");
    fs::write(&plan, &text).unwrap();
    let check = |more: &[&str]| output_of(tenbin().args(["plan", "check"]).arg(&plan).args(more));
    let (code, out, err) = check(&["--offline"]);
    assert_eq!((code, err.as_str()), (0, ""), "{out}");
    // The further mistakes of a plan that has one are not looked for in programs either.
    fs::write(&plan, text.replace("oltp_read_write", "oltp_read_rite")).unwrap();
    let (code, _, err) = check(&["--offline"]);
    assert!(code == 1 && err.contains("oltp_read_rite") && err.matches("error:").count() == 1, "{err}");
    assert!(!dir.path().join("was-run").exists());
    assert_eq!(listener.accept().unwrap_err().kind(), std::io::ErrorKind::WouldBlock, "no client has connected");
    fs::write(&plan, &text).unwrap();
    let (code, _, err) = check(&[]);
    assert!(code == 1 && err.contains("NOT_SET_ANYWHERE") && err.contains("/nowhere/bin/mysqld"), "{err}");
    assert!(dir.path().join("was-run").exists());
}

/// How much a script creates is known to the script alone: no figure is made up for it.
#[test]
fn data_that_a_script_prepares_are_told_without_a_size() {
    let dir = tempfile::tempdir().unwrap();
    let plan = dir.path().join("plan.toml");
    let script = "function prepare() sysbench.sql.driver():connect():query('CREATE TABLE own (id INTEGER)') end\n\
                  function thread_init() con = sysbench.sql.driver():connect() end\n\
                  function event() con:query('SELECT COUNT(*) FROM own') end\n";
    fs::write(dir.path().join("own.lua"), script).unwrap();
    let text = "schema = 1\ntargets.a.sandbox = \"sqlite\"\n[[experiment]]\nrepeats = 1\nwarmup = 0\nmeasure = \"1s\"\n\
                load = { workload = \"./own.lua\" }\n";
    fs::write(&plan, text).unwrap();
    let does = |words: &[&str]| {
        output_of(tenbin().args(words).arg("plan.toml").current_dir(dir.path()).env("TENBIN_RUNS", "runs"))
    };
    let (code, out, err) = does(&["plan", "check"]);
    assert!(code == 0 && out.contains("run the command prepare of ./own.lua") && !out.contains("0 rows"), "{out}{err}");
    let (code, out, err) = does(&["run"]);
    assert!([0, 3].contains(&code), "{out}{err}");
    assert!(err.contains("the command prepare of ./own.lua took"), "{err}");
    assert!(!out.contains("0 rows") && !err.contains("0 of 0"), "{out}{err}");
}

/// Targets stand in the order of the plan, as everywhere.
#[test]
fn the_check_of_a_plan_has_its_targets_in_their_order() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("plan.toml");
    let targets = "[targets.zebra]\nsandbox = \"sqlite\"\n[targets.apple]\nsandbox = \"sqlite\"\n";
    fs::write(&path, format!("schema = 1\n{targets}[[experiment]]\nload.workload = \"oltp_read_only\"\n")).unwrap();
    let (code, out, err) = output_of(tenbin().args(["plan", "check"]).arg(&path));
    let named = |line: &str| line.strip_prefix("target   ")?.split(':').next().map(str::to_owned);
    let order: Vec<String> = out.lines().filter_map(named).collect();
    assert!(code == 0 && order == ["zebra", "apple"], "{code} {order:?} {out}{err}");
}
