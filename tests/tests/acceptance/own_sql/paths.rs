//! Paths in a plan start at the folder of the plan, whatever the current directory is.

use std::fs;
use std::path::Path;
use tenbin_tests::{output_of, read_back, tenbin};

/// A plan beside all that it names.
const PLAN: &str = "schema = 1\nname = \"paths\"\n[defaults]\nrepeats = 1\nwarmup = 0\nmeasure = \"300ms\"\n\
    [targets.a]\ndsn = \"sqlite:data/a.db\"\n\
    [datasets.own]\nkind = \"sql\"\ncreate = \"sql/create.sql\"\n\
    [datasets.own.fill.colour]\nrows = 10\nname = 'file(\"words.txt\")'\n\
    [[experiment]]\nname = \"sql\"\ndataset = \"own\"\nload = { workload = \"sql\", scripts = [\"sql/q.sql@3\", \"sql/r.sql\"] }\n\
    [[experiment]]\nname = \"groups\"\ndataset = \"own\"\nload.workload = \"sql\"\n\
    [[experiment.load.group]]\nname = \"g\"\nscripts = \"sql/q.sql\"\nclients = 2\n\
    [[experiment]]\nname = \"lua\"\nload = { workload = \"own.lua\" }\n";

fn write(folder: &Path, name: &str, text: &str) {
    let path = folder.join(name);
    fs::create_dir_all(path.parent().expect("it lies in a folder")).expect("a folder can be made");
    fs::write(path, text).expect("a file can be written");
}

/// A folder with the plan and what it names.
fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder can be made");
    let event = "function event() con:query('SELECT 1') end\n";
    let lua = format!("function thread_init() drv = sysbench.sql.driver(); con = drv:connect() end\n{event}");
    for (name, text) in [
        ("plan.toml", PLAN),
        ("sql/create.sql", "CREATE TABLE colour (name TEXT);\n"),
        ("sql/q.sql", "SELECT name FROM colour;\n"),
        ("sql/r.sql", "SELECT 1;\n"),
        ("words.txt", "red\nblue\n"),
        ("own.lua", &lua),
        ("data/keep", ""),
    ] {
        write(folder.path(), name, text);
    }
    folder
}

fn run(plan: &Path, from: &Path) -> (i32, String) {
    let (code, out, err) = output_of(tenbin().args(["run", "--runs", "runs"]).arg(plan).current_dir(from));
    (code, format!("{out}{err}"))
}

#[test]
fn a_plan_runs_from_any_directory() {
    let (beside, elsewhere) = (folder(), tempfile::tempdir().expect("a folder"));
    let (code, printed) = run(&beside.path().join("plan.toml"), elsewhere.path());
    assert!([0, 3].contains(&code), "{code} {printed}");
    assert!(beside.path().join("data/a.db").is_file() && !elsewhere.path().join("data").exists());
    // By a path that is relative itself, and from where the plan is.
    fs::remove_file(beside.path().join("data/a.db")).expect("it is ours");
    let (code, printed) = run(Path::new("../plan.toml"), &beside.path().join("sql"));
    assert!([0, 3].contains(&code) && beside.path().join("data/a.db").is_file(), "{code} {printed}");
    let (code, printed) = run(Path::new("plan.toml"), beside.path());
    assert!([0, 3].contains(&code), "{code} {printed}");
    // What the run tells of its scripts is as the plan has it there, and the data were recognised.
    let (_, json) = read_back(&beside.path().join("runs"));
    assert!(json.to_string().contains("\"sql/q.sql@3, sql/r.sql"), "{json}");
}

/// The run finds its files where they are; the plan of one of its trials stands in another folder, and finds them too.
#[test]
fn the_plan_of_a_trial_finds_its_files_from_another_folder() {
    let (beside, elsewhere) = (folder(), tempfile::tempdir().expect("a folder"));
    let plan = "schema = 1\nname = \"idle\"\n[targets.a]\nsandbox = \"mariadbd\"\n[[experiment]]\nrepeats = 1\nwarmup = 0\n\
                measure = \"3s\"\nload = { workload = \"sql\", scripts = [\"sql/r.sql\"], clients = 1, rate = 20 }\n";
    write(beside.path(), "idle.toml", plan);
    let (code, printed) = run(&beside.path().join("idle.toml"), elsewhere.path());
    assert!([0, 3].contains(&code), "{code} {printed}");
    let (run_folder, _) = read_back(&elsewhere.path().join("runs"));
    let refute = elsewhere.path().join("refute.toml");
    let (code, out, err) = output_of(tenbin().args(["show", "--why", "--plan"]).arg(&refute).arg(run_folder));
    assert!(code == 0 && refute.is_file(), "{out}{err}");
    let (code, out, err) = output_of(tenbin().args(["plan", "check", "--offline"]).arg(&refute).current_dir("/"));
    assert_eq!(code, 0, "{out}{err}");
}

#[test]
fn a_path_that_is_only_in_the_current_directory_is_refused_with_both_places() {
    for name in ["sql/q.sql", "sql/create.sql", "words.txt", "own.lua"] {
        let (beside, elsewhere) = (folder(), tempfile::tempdir().expect("a folder"));
        let text = fs::read_to_string(beside.path().join(name)).expect("it is ours");
        write(elsewhere.path(), name, &text);
        fs::remove_file(beside.path().join(name)).expect("it is ours");
        let (code, printed) = run(&beside.path().join("plan.toml"), elsewhere.path());
        let places = [beside.path(), elsewhere.path()].map(|folder| folder.join(name).display().to_string());
        assert!(code == 1 && places.iter().all(|place| printed.contains(place)), "{name}: {printed}");
        assert!(printed.contains("start at the folder of the plan"), "{printed}");
        assert!(!elsewhere.path().join("runs").exists(), "{name}");
    }
    // Where it is nowhere, it is looked for beside the plan.
    let (beside, elsewhere) = (folder(), tempfile::tempdir().expect("a folder"));
    fs::remove_file(beside.path().join("sql/q.sql")).expect("it is ours");
    let (code, printed) = run(&beside.path().join("plan.toml"), elsewhere.path());
    assert!(code == 1 && printed.contains(&beside.path().join("sql/q.sql").display().to_string()), "{printed}");
}

/// Files of targets, by their own keys and by the options of an address.
#[test]
fn files_of_targets_lie_beside_the_plan_too() {
    let (beside, elsewhere) = (tempfile::tempdir().expect("a folder"), tempfile::tempdir().expect("a folder"));
    for (name, target) in [
        ("password", "dsn = \"mysql://u@127.0.0.1:1/x\"\npassword_file = \"password\""),
        ("ca.pem", "dsn = \"mysql://u@127.0.0.1:1/x?tls=verify-ca&tls_ca=ca.pem\""),
        ("ca.pem", "dsn = \"mysql://u@127.0.0.1:1/x\"\ntls = \"verify-ca\"\ntls_ca = \"ca.pem\""),
        ("my.cnf", "sandbox = \"mariadbd\"\noption_file = \"my.cnf\""),
    ] {
        let plan =
            format!("schema = 1\n[targets.a]\n{target}\n[[experiment]]\nload = {{ workload = \"oltp_read_only\" }}\n");
        write(beside.path(), "plan.toml", &plan);
        write(elsewhere.path(), name, "");
        let (code, printed) = run(&beside.path().join("plan.toml"), elsewhere.path());
        let places = [beside.path(), elsewhere.path()].map(|folder| folder.join(name).display().to_string());
        assert!(code == 1 && places.iter().all(|place| printed.contains(place)), "{target}: {printed}");
        fs::remove_file(elsewhere.path().join(name)).expect("it is ours");
    }
}
