//! Every example of the guides and of the READMEs is run: plans as a try-out (`--scale`), which replaces servers that are not there
//! by private ones, and command lines on a private server. What cannot be run here is listed with the reason.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Mutex;
use std::thread;
use tenbin_servers::sandbox::Sandbox;
use tenbin_tests::{mariadb, output_of, read_back, sql, state_directory, target_dir, tenbin};

/// One block of code of a document.
struct Block {
    language: String,
    text: String,
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the workspace is above this crate").to_path_buf()
}

fn blocks(document: &str) -> Vec<Block> {
    let text = fs::read_to_string(root().join(document)).expect("the document is there");
    let (mut all, mut open) = (Vec::new(), None::<Block>);
    for line in text.lines() {
        match (&mut open, line.strip_prefix("```")) {
            (None, Some(language)) => open = Some(Block { language: language.to_owned(), text: String::new() }),
            (Some(_), Some(_)) => all.extend(open.take()),
            (Some(block), None) => block.text = format!("{}{line}\n", block.text),
            (None, None) => {}
        }
    }
    all
}

/// Writes the scripts of a document, each to the file that its first line names.
fn write_scripts(blocks: &[Block], folder: &Path) {
    for block in blocks.iter().filter(|block| ["lua", "sql"].contains(&block.language.as_str())) {
        let name =
            block.text.lines().next().and_then(|line| line.strip_prefix("-- ")).expect("a script has its file's name");
        let file = folder.join(name);
        fs::create_dir_all(file.parent().expect("it is in a folder")).expect("a folder can be made");
        fs::write(file, &block.text).expect("a script can be written");
    }
}

/// Without what is different in another language: the comments, and the language itself.
fn without_comments(plan: &str) -> String {
    let line = |line: &str| line.split(" #").next().unwrap_or_default().trim_end().to_owned() + "\n";
    plan.lines().filter(|line| *line != "lang = \"ja\"").map(line).collect()
}

/// The plan with one repeat, and of each list or range of numbers the first two: that it runs is to be seen, and what it gives is not.
fn smaller(plan: &str) -> String {
    let line = |line: &str| match line.split_once(" = ") {
        Some((key, _)) if key.trim() == "repeats" => format!("{key} = 1\n"),
        _ => shortened(line).replace("to = 256,", "to = 2,").replace("to = \"1GiB\"", "to = \"512MiB\"") + "\n",
    };
    let text: String = plan.lines().map(line).collect();
    if text.lines().any(|line| line.trim_start().starts_with("repeats = ")) {
        return text;
    }
    let head = text.lines().find(|line| line.starts_with("schema = ")).expect("a plan says its schema").to_owned();
    match text.contains("[defaults]\n") {
        true => text.replacen("[defaults]\n", "[defaults]\nrepeats = 1\n", 1),
        false => text.replacen(&head, &format!("{head}\ndefaults.repeats = 1"), 1),
    }
}

fn shortened(line: &str) -> String {
    let Some((before, list)) = line.split_once("load.clients = [").or_else(|| line.split_once("\"load.clients\" = ["))
    else {
        return line.to_owned();
    };
    let (numbers, after) = list.split_once(']').expect("a list ends in its line");
    let first: Vec<&str> = numbers.split(", ").take(2).collect();
    format!("{before}load.clients = [{}]{after}", first.join(", "))
}

/// Runs the plans of a document as a try-out, two at a time: most of it is waiting.
fn try_out(document: &str) {
    let folder = tempfile::tempdir().expect("a folder");
    let blocks = blocks(document);
    write_scripts(&blocks, folder.path());
    for disk in ["ssd", "disk"] {
        fs::create_dir(folder.path().join(disk)).expect("a folder can be made");
    }
    let plans: Vec<(usize, &Block)> = blocks.iter().filter(|block| block.language == "toml").enumerate().collect();
    assert!(!plans.is_empty(), "{document} has no plan");
    let state = state_directory(folder.path());
    let next = Mutex::new(plans.into_iter());
    let take = || next.lock().expect("no thread has panicked").next();
    thread::scope(|threads| {
        for _ in 0..2 {
            threads.spawn(|| {
                while let Some((number, plan)) = take() {
                    try_out_plan(document, number, plan, folder.path(), &state);
                }
            });
        }
    });
}

fn try_out_plan(document: &str, number: usize, plan: &Block, folder: &Path, state: &Path) {
    let file = folder.join(format!("plan-{number}.toml"));
    // Two disks of the reader.
    let text = smaller(&plan.text).replace("host:/mnt/", &format!("host:{}/", folder.display()));
    fs::write(&file, text).expect("a plan can be written");
    let runs = folder.join(format!("runs-{number}"));
    let mut run = tenbin();
    run.args(["run", "--scale", "0.001", "--runs"]).arg(&runs).arg(&file).current_dir(folder);
    run.env("TENBIN_STATE_DIR", state);
    run.env("BENCH_PASSWORD", "secret").env("PW", "secret").env("HERE", "secret").env("THERE", "secret");
    let (code, out, err) = output_of(&mut run);
    assert!(
        tenbin_tests::is_valid_or_disturbed(code, &err),
        "{document}, plan {number}: exit code {code}\n{}{out}{err}",
        plan.text
    );
    let (_, json) = read_back(&runs);
    let trials = json["trials"].as_array().expect("trials");
    let failed: Vec<_> = trials.iter().filter(|trial| trial["state"] != "complete").collect();
    assert!(!trials.is_empty() && failed.is_empty(), "{document}, plan {number}:\n{}{out}{err}", plan.text);
}

#[test]
fn plans_of_the_recipes() {
    try_out("doc/guide/en/recipes.md");
}

#[test]
fn plans_of_the_guide_of_scripts() {
    try_out("doc/guide/en/lua.md");
}

#[test]
fn plans_of_the_guide_of_plans() {
    try_out("doc/guide/en/plan.md");
}

#[test]
fn plans_of_the_readme() {
    try_out("README.md");
}

#[test]
fn plans_of_the_other_guides() {
    for document in ["first-steps", "mysqlslap", "pgbench", "tpcc", "host", "observers", "workloads", "sql"] {
        try_out(&format!("doc/guide/en/{document}.md"));
    }
}

/// Those of load hosts need machines that ssh reaches, beside one that needs processes only.
const WITH_MACHINES: [&str; 1] = ["hosts.md"];

#[test]
fn every_guide_is_run_and_its_japanese_form_has_the_same_plans_and_commands() {
    let run = [
        "recipes.md",
        "lua.md",
        "plan.md",
        "first-steps.md",
        "mysqlslap.md",
        "pgbench.md",
        "tpcc.md",
        "host.md",
        "observers.md",
        "workloads.md",
        "sql.md",
    ];
    let known: BTreeSet<&str> = run.into_iter().chain(WITH_MACHINES).collect();
    for entry in fs::read_dir(root().join("doc/guide/en")).expect("the guide is there") {
        let name = entry.expect("readable").file_name().into_string().expect("text");
        let of = |language: &str| blocks(&format!("doc/guide/{language}/{name}"));
        let plans = |language: &str| -> Vec<String> {
            let code = |block: &&Block| ["toml", "lua", "sql", "sh"].contains(&block.language.as_str());
            of(language).iter().filter(code).map(|block| without_comments(&block.text)).collect()
        };
        assert_eq!(plans("en"), plans("ja"), "{name}");
        let has_plans = of("en").iter().any(|block| block.language == "toml");
        assert!(!has_plans || known.contains(name.as_str()), "the plans of {name} are run by no test");
    }
}

/// Commands that are not run, by how they start.
const NOT_RUN: &[(&str, &str)] = &[
    ("make ", "what runs this test, or is run by another"),
    ("mkdir ", "done by the test: the names are links"),
    ("kubectl ", "needs Kubernetes"),
    ("HEAD=", "needs Kubernetes"),
    ("psql -h db", "needs a server of this name"),
    ("tenbin demo", "the tests of the demonstrations run it"),
    ("tenbin run plan.toml --hosts ", "the tests of load hosts run it"),
    ("tenbin hosts check", "the tests of load hosts run it"),
    ("tenbin run plans/", "hours; the tests of try-outs run them with --scale"),
    ("tenbin load fileio", "8 GiB"),
    ("tenbin bench fileio", "8 GiB"),
    ("sysbench --test=oltp --oltp-table-size=50000000", "50 million rows"),
];

/// The commands of a document, one line each, without comments.
fn commands(document: &str) -> Vec<String> {
    let shell: String = blocks(document).iter().filter(|b| b.language == "sh").map(|b| b.text.as_str()).collect();
    let joined = shell.replace("\\\n", " ");
    let lines = joined.lines().map(|line| line.split(" #").next().unwrap_or_default().trim().to_owned());
    let words = |line: String| line.split_whitespace().collect::<Vec<_>>().join(" ");
    lines.filter(|line| !line.is_empty() && !line.starts_with('#')).map(words).collect()
}

/// A folder with the names as links, a server with the account of the guides, and files that they name.
struct Reader {
    folder: tempfile::TempDir,
    server: Sandbox,
}

impl Reader {
    fn new() -> Reader {
        let folder = tempfile::tempdir().expect("a folder");
        let names = folder.path().join("bin");
        fs::create_dir(&names).expect("a folder can be made");
        for name in ["tenbin", "sysbench", "mysqlslap", "tpcc_load", "tpcc_start"] {
            std::os::unix::fs::symlink(target_dir().join("tenbin"), names.join(name)).expect("a link");
        }
        let server = mariadb(&[]);
        sql::query(&server, "CREATE USER bench@'%' IDENTIFIED BY 'secret'");
        sql::query(&server, "GRANT ALL ON *.* TO bench@'%'");
        Reader { folder, server }
    }

    /// The command for this server, with less to do.
    fn here(&self, command: &str) -> String {
        let port = self
            .server
            .dsn()
            .rsplit_once(':')
            .and_then(|(_, rest)| rest.split('/').next().map(str::to_owned))
            .expect("a port");
        let mut command = command.to_owned();
        for (from, to) in [
            ("root@127.0.0.1:3306", "root@127.0.0.1:PORT"),
            ("root@127.0.0.1/", "root@127.0.0.1:PORT/"),
            ("bench@127.0.0.1:3306", "bench@127.0.0.1:PORT"),
            ("bench@127.0.0.1/", "bench@127.0.0.1:PORT/"),
            ("root@old/", "root@127.0.0.1:PORT/"),
            ("root@new/", "root@127.0.0.1:PORT/"),
            ("bench@old:3306/", "bench@127.0.0.1:PORT/"),
            ("bench@new:3306/", "bench@127.0.0.1:PORT/"),
            ("--mysql-host=db1", "--mysql-host=127.0.0.1 --mysql-port=PORT"),
            ("--mysql-password=…", "--mysql-password=secret"),
            ("localhost tpcc root \"\" 10", "127.0.0.1:PORT tpcc root \"\" 1"),
            ("tpcc_start -d tpcc", "tpcc_start -h 127.0.0.1 -P PORT -d tpcc"),
            ("-w 10 -c 16 -r 300 -l 3600", "-w 1 -c 2 -r 1 -l 2"),
            ("mysql -u root", "mariadb -h 127.0.0.1 -P PORT -u root"),
            ("--user root", "--user root --host 127.0.0.1 --port PORT"),
            ("--number-of-queries=10000", "--number-of-queries=100"),
            ("--time 60", "--time 1"),
            ("--time 10", "--time 1"),
            ("--time=300", "--time=1"),
            ("--table-size=1000000", "--table-size=100"),
            (
                "--oltp-table-size=40000000",
                "--oltp-table-size=100 --mysql-host=127.0.0.1 --mysql-port=PORT --mysql-user=root",
            ),
            ("--max-time=60", "--max-time=1"),
            ("--table-size 100000", "--table-size 100"),
            ("warehouses=100", "warehouses=1"),
            ("warehouses=500", "warehouses=2"),
            ("/etc/mysql/my.cnf", "my.cnf"),
            ("tenbin run plan.toml", "tenbin run --scale 0.001 plan.toml"),
            ("tenbin run refute.toml", "tenbin run --scale 0.001 refute.toml"),
        ] {
            command = command.replace(from, to);
        }
        // A run of the reader's, where the document has a name for one.
        let runs = self.folder.path().join("runs");
        let first = fs::read_dir(&runs).ok().and_then(|mut all| all.next()).and_then(Result::ok);
        if let Some(first) = first.and_then(|entry| entry.file_name().into_string().ok()) {
            command = command.replace("runs/…", &format!("runs/{first}"));
        }
        command.replace("PORT", &port)
    }

    /// The two runs before and after a change, by the names that documents have for them.
    fn two_runs(&self) {
        for name in ["before", "after"] {
            if !self.folder.path().join("runs").join(name).exists() {
                let bench = "tenbin bench oltp_point_select 'null:?delay_us=500' --threads 1 --time 1";
                // Beside other tests it may be INVALID.
                let (code, printed) = self.run(&format!("{bench} --runs new; mkdir -p runs && mv new/* runs/{name}"));
                assert_eq!(code, 0, "{printed}");
            }
        }
    }

    /// Runs one command in this folder; answers with its exit code and all that it printed.
    fn run(&self, command: &str) -> (i32, String) {
        let path =
            format!("{}:{}", self.folder.path().join("bin").display(), std::env::var("PATH").unwrap_or_default());
        let mut shell = Command::new("bash");
        shell.args(["-c", command]).current_dir(self.folder.path()).env("PATH", path).env("PW", "secret");
        shell
            .env("TENBIN_STATE_DIR", state_directory(self.folder.path()))
            .env_remove("TENBIN_RUNS")
            .env("LANG", "C.UTF-8");
        let (code, out, err) = output_of(&mut shell);
        (code, format!("{out}{err}"))
    }
}

/// Runs the commands of these documents one after the other, as a reader would who goes through them; `databases` and `files` are there before.
fn follow(documents: &[&str], databases: &[&str], files: &[(&str, &str)]) {
    let reader = Reader::new();
    for name in databases {
        sql::query(&reader.server, &format!("CREATE DATABASE {name}"));
    }
    for (name, text) in files {
        fs::write(reader.folder.path().join(name), text).expect("a file can be written");
    }
    for document in documents {
        write_scripts(&blocks(document), reader.folder.path());
        for command in commands(document) {
            if NOT_RUN.iter().any(|(start, _)| command.starts_with(start)) {
                continue;
            }
            if command.contains("runs/before") {
                reader.two_runs();
            }
            let (code, printed) = reader.run(&reader.here(&command));
            // A short measurement beside other tests may be INVALID; diff ends with 1 if the servers differ.
            let may = code == 0
                || code == 3
                || command.starts_with("tenbin diff") && code == 1 && printed.contains("settings differ");
            assert!(may, "{document}: {command}\nas {}\nended with {code}: {printed}", reader.here(&command));
        }
    }
}

#[test]
fn commands_of_the_guides_of_old_names() {
    follow(&["doc/guide/en/sysbench.md", "doc/guide/en/mysqlslap.md", "doc/guide/en/tpcc-mysql.md"], &[], &[]);
}

#[test]
fn commands_of_the_guides_of_workloads() {
    let script = "function prepare() sysbench.sql.driver():connect():query('CREATE TABLE s (a INTEGER)') end\n\
                  sysbench.cmdline.options = { scale = {'', 1} }\n\
                  function thread_init() con = sysbench.sql.driver():connect() end\n\
                  function event() con:query('SELECT 1') end\n";
    follow(
        &["doc/guide/en/lua.md", "doc/guide/en/tpcc.md", "doc/guide/en/host.md", "doc/guide/en/sql.md"],
        &["tpcc"],
        &[("script.lua", script)],
    );
}

#[test]
fn commands_of_the_readme() {
    let published = "threads,target,TPS,avg (ms)\n8,A,1000,8\n16,A,1500,10.7\n8,B,900,8.9\n16,B,1400,11.4\n";
    follow(&["README.md"], &[], &[("published.csv", published)]);
}

#[test]
fn no_reason_for_leaving_a_command_out_is_left_over() {
    let guides = fs::read_dir(root().join("doc/guide/en")).expect("the guide is there");
    let guides = guides.map(|e| format!("doc/guide/en/{}", e.expect("readable").file_name().to_string_lossy()));
    let all: Vec<String> = guides.chain(["README.md".to_owned()]).flat_map(|document| commands(&document)).collect();
    for (start, why) in NOT_RUN {
        assert!(all.iter().any(|command| command.starts_with(start)), "no command starts with {start:?} ({why})");
    }
}
