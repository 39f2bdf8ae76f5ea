//! What people type, and how it is answered: files of a run in the place of the run, words of other tools, values of private servers,
//! arguments in the wrong order, and all of it in the reader's language.

#![expect(clippy::unwrap_used, reason = "a test may")]

use std::fs;
use std::path::{Path, PathBuf};
use tenbin_tests::{output_of, tenbin};

/// Runs tenbin in a directory, in no language but the given one.
fn typed(dir: &Path, lang: &str, args: &[&str]) -> (i32, String, String) {
    let mut command = tenbin();
    command.args(args).current_dir(dir).env("TENBIN_RUNS", dir.join("runs"));
    ["LC_ALL", "LC_MESSAGES", "LANGUAGE"].iter().for_each(|name| _ = command.env_remove(name));
    output_of(command.env("LANG", lang))
}

const PLAN: &str = "schema = 1\nname = \"p\"\n[targets.a]\nsandbox = \"sqlite\"\n[datasets.d]\ntable_size = 100\n[[experiment]]\n\
                    repeats = 1\nwarmup = \"0s\"\nmeasure = \"100ms\"\ninterval = \"50ms\"\n[experiment.load]\nworkload = \"oltp_read_only\"\n";

fn run_in(dir: &Path) -> PathBuf {
    fs::write(dir.join("plan.toml"), PLAN).unwrap();
    let (code, out, err) = typed(dir, "C", &["run", "plan.toml"]);
    assert!([0, 3].contains(&code), "{code} {out}{err}");
    fs::read_dir(dir.join("runs")).unwrap().next().unwrap().unwrap().path()
}

/// All files below a directory, with their lengths.
fn files(dir: &Path) -> Vec<(PathBuf, u64)> {
    let mut all = Vec::new();
    for entry in fs::read_dir(dir).unwrap().flatten() {
        match entry.file_type().unwrap().is_dir() {
            true => all.extend(files(&entry.path())),
            false => all.push((entry.path(), entry.metadata().unwrap().len())),
        }
    }
    all.sort();
    all
}

#[test]
fn a_file_within_a_run_stands_for_the_run() {
    let dir = tempfile::tempdir().unwrap();
    let other = dir.path().join("other");
    fs::rename(run_in(dir.path()), &other).unwrap();
    let run = run_in(dir.path());
    let before = files(&run);
    let text = |path: &Path| path.display().to_string();
    let (whole, other) = (text(&run), text(&other));
    let same = |args: &[&str], inner: &str| {
        let text_of = |word: &str| {
            let args: Vec<&str> = args.iter().map(|arg| if *arg == "RUN" { word } else { *arg }).collect();
            typed(dir.path(), "C", &args)
        };
        let (of_run, of_file) = (text_of(&whole), text_of(inner));
        assert_eq!(of_run, of_file, "{args:?} {inner}");
        assert!([0, 2, 3, 4].contains(&of_run.0), "{args:?}: {of_run:?}");
    };
    for (path, _) in &before {
        let inner = text(path);
        same(&["show", "RUN"], &inner);
        same(&["report", "RUN", "--format", "json"], &inner);
        same(&["verify", "RUN"], &inner);
        same(&["compare", &other, "RUN"], &inner);
        same(&["gate", &other, "RUN", "--max-regression", "tps 99%"], &inner);
        same(&["label", "RUN"], &inner);
        let (code, out, err) = typed(dir.path(), "C", &["audit", &inner]);
        assert!(
            code == 1 && out.is_empty() && err.contains("is a part of a run of Tenbin"),
            "{inner}: {code} {out}{err}"
        );
    }
    for inner in ["trials", "trials/0001"] {
        same(&["show", "RUN"], &text(&run.join(inner)));
    }
    // The page of the run is written anew, and nothing beside it.
    let (code, out, err) = typed(dir.path(), "C", &["report", &text(&run.join("report.html"))]);
    assert!([0, 3].contains(&code) && out.trim() == text(&run.join("report.html")), "{code} {out}{err}");
    let bundle = text(&dir.path().join("b.tar.zst"));
    let (code, out, err) = typed(dir.path(), "C", &["bundle", &text(&run.join("run.json")), &bundle]);
    assert!(code == 0 && out.trim() == bundle, "{code} {out}{err}");
    let (code, _, err) =
        typed(dir.path(), "C", &["report", &whole, "--format", "csv", "--out", &text(&run.join("events.jsonl"))]);
    assert!(code == 1 && err.contains("never overwritten"), "{code} {err}");
    let names = |all: &[(PathBuf, u64)]| all.iter().map(|(path, _)| path.clone()).collect::<Vec<_>>();
    assert_eq!(names(&files(&run)), names(&before));
    // From within the run too.
    let (code, out, err) = typed(&run.join("trials"), "C", &["show", "0001/events.jsonl"]);
    assert_eq!((code, out, err), typed(dir.path(), "C", &["show", &whole]));
}

/// Words of other tools with a value each; where the plan has them; what the hint makes of it.
const WORDS: &[(&str, &str)] = &[
    ("time", "5"),
    ("duration", "\"5s\""),
    ("max_time", "\"7s\""),
    ("run_time", "\"1m 30s\""),
    ("runtime", "5"),
    ("test_time", "\"500ms\""),
    ("warmup_time", "\"3s\""),
    ("ramp_up", "2"),
    ("report_interval", "\"2s\""),
    ("max_requests", "1234"),
    ("max_events", "\"1k\""),
    ("num_threads", "17"),
    ("concurrency", "\"17\""),
    ("users", "17"),
    ("iterations", "7"),
    ("runs", "7"),
    ("qps", "250"),
    ("target_rate", "12.5"),
    ("num_rows", "777"),
    ("oltp_tables_count", "3"),
    ("threads", "[1, 4]"),
    ("connections", "[1, 4]"),
    ("concurrency", "[2, 3]"),
    ("duration", "[\"1s\", \"2s\"]"),
    ("tables", "[1, 2]"),
    ("table_size", "[100, 200]"),
    ("point_selects", "[1, 2]"),
    ("rate", "[10, 20]"),
    ("measure", "\"5 seconds\""),
    ("clients", "\"16\""),
    ("table_size", "1e3"),
    ("table_size", "\"10k\""),
];

/// The plan with the line in this section in place of the one that is wrong.
fn mended(plan: &str, hint: &str) -> String {
    let (line, section) = match hint.trim_start_matches("write ").split_once(" in [") {
        Some((line, section)) => (line.to_owned(), format!("[{section}")),
        None => (hint.trim_start_matches("write ").to_owned(), String::new()),
    };
    let without = |plan: &str| {
        plan.lines().filter(|line| !line.ends_with("# wrong")).map(|l| format!("{l}\n")).collect::<String>()
    };
    let section = section.replace("<name>", "d");
    match section.as_str() {
        "" => {
            // The plan has the right key already.
            let key = format!("{} =", line.split(" = ").next().unwrap());
            let kept = plan.lines().filter(|l| l.ends_with("# wrong") || !l.starts_with(&key));
            kept.map(|l| if l.ends_with("# wrong") { format!("{line}\n") } else { format!("{l}\n") }).collect()
        }
        "[experiment.matrix]" => without(plan) + &format!("{section}\n{line}\n"),
        _ => {
            let key = line.split(" = ").next().unwrap();
            let mut there = String::new();
            let mut inside = false;
            for l in without(plan).lines() {
                inside = if l.starts_with('[') { l == section } else { inside };
                if !(inside && l.starts_with(&format!("{key} ="))) {
                    there += &format!("{l}\n");
                }
                if l == section {
                    there += &format!("{line}\n");
                }
            }
            there
        }
    }
}

#[test]
fn a_hint_keeps_the_value_and_what_it_says_is_a_plan() {
    let dir = tempfile::tempdir().unwrap();
    let check = |plan: &str| {
        fs::write(dir.path().join("plan.toml"), plan).unwrap();
        typed(dir.path(), "C", &["plan", "check", "--offline", "plan.toml"])
    };
    assert_eq!(check(PLAN).0, 0);
    let mut wrong = Vec::new();
    for (word, value) in WORDS {
        for (place, section) in
            [("[experiment.load]", "load"), ("[[experiment]]", "experiment"), ("[datasets.d]", "data")]
        {
            let plan = PLAN.replace(place, &format!("{place}\n{word} = {value} # wrong"));
            let plan: String = match *word {
                "measure" => plan.replace("measure = \"100ms\"\n", ""),
                "table_size" => plan.replace("table_size = 100\n", ""),
                // Which options a data set has is shown with the list.
                "point_selects" if section == "data" => continue,
                _ => plan,
            };
            let (code, _, err) = check(&plan);
            if code == 0 {
                // It is a right key there.
                continue;
            }
            let Some(hint) = err.lines().find_map(|line| line.trim().strip_prefix("hint ")).map(str::trim) else {
                wrong.push(format!("{section}: {word} = {value}: no hint\n{err}"));
                continue;
            };
            // The line as it stands belongs elsewhere.
            if hint.contains(" belongs in ") || hint.starts_with("use one of") || hint.starts_with("take it out") {
                continue;
            }
            let (code, _, after) = check(&mended(&plan, hint));
            // The value may only be written in another way.
            let plain = |text: &str| text.replace(['"', ' ', '[', ']'], "");
            let meant =
                ["\"1k\"", "\"10k\"", "1e3", "\"5 seconds\""].contains(value) || plain(hint).contains(&plain(value));
            if code != 0 || !meant || hint.contains("for example") {
                wrong.push(format!("{section}: {word} = {value}: {hint}\n{after}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    // The plainest of them, to the letter.
    let (_, _, err) = check(&PLAN.replace("measure = \"100ms\"", "duration = \"5s\""));
    assert!(err.contains("hint      write measure = \"5s\"\n"), "{err}");
    let (_, _, err) = check(&PLAN.replace("[experiment.load]\n", "[experiment.load]\nthreads = [1, 4]\n"));
    assert!(err.contains("hint      write \"load.clients\" = [1, 4] in [experiment.matrix]\n"), "{err}");
    let (_, _, err) = check(&PLAN.replace("[experiment.load]\n", "[experiment.load]\nduration = \"5s\"\n"));
    assert!(err.contains("hint      write measure = \"5s\" in [[experiment]]\n"), "{err}");
}

#[test]
fn values_that_a_private_server_does_not_take_are_refused_before_it_is_started() {
    let dir = tempfile::tempdir().unwrap();
    let text_of = |binary: &str, server: &str| {
        let plan = PLAN.replace("sandbox = \"sqlite\"", &format!("sandbox = \"{binary}\"\nserver = {{ {server} }}"));
        fs::write(dir.path().join("plan.toml"), plan).unwrap();
        let (code, _, err) = typed(dir.path(), "C", &["plan", "check", "plan.toml"]);
        (code, err)
    };
    for (binary, server, right) in [
        ("mariadbd", "innodb_flush_log_at_trx_commit = 7", "write server.innodb_flush_log_at_trx_commit = 3"),
        ("mariadbd", "innodb_flush_method = \"O_DIRCT\"", "write server.innodb_flush_method = \"O_DIRECT\""),
        (
            "mariadbd",
            "innodb_buffer_pool_size = \"64X\"",
            "write for example server.innodb_buffer_pool_size = 134217728",
        ),
        ("mariadbd", "slow_query_log = \"maybe\"", "use one of ON, OFF"),
        ("mariadbd", "max_connections = \"many\"", "write for example server.max_connections = 151"),
        ("mariadbd", "innodb_flush_log_at_trx_comit = 1", "did you mean innodb_flush_log_at_trx_commit?"),
        ("mariadbd", "tx_isolation = \"READ-COMMITTED\"", "did you mean transaction_isolation?"),
        ("mariadbd", "time_zone = \"+00:00\"", "did you mean default_time_zone?"),
        ("mariadbd", "datadir = \"/var/lib/mysql\"", "leave datadir out of the variables"),
        ("mariadbd", "innodb_data_home_dir = \"/prod\"", "give innodb_data_home_dir a path within the data directory"),
        ("postgres", "data_directory = \"/var/lib/postgresql\"", "leave data_directory out of the variables"),
        ("postgres", "synchronous_commit = \"locl\"", "write server.synchronous_commit = \"local\""),
        ("postgres", "shared_buffers = \"64M\"", "write server.shared_buffers = \"64MB\""),
        ("postgres", "fsync = \"perhaps\"", "use one of on, off"),
        ("sqlite", "journal_mode = \"wall\"", "write server.journal_mode = \"wal\""),
        ("sqlite", "synchronous = \"offf\"", "write server.synchronous = \"off\""),
        ("sqlite", "journal_mod = \"wal\"", "did you mean journal_mode?"),
    ] {
        let (code, err) = text_of(binary, server);
        assert!(code == 1 && err.contains(right), "{server}: {code} {err}");
        assert!(
            err.contains("error: plan.toml: line 5: target a: ") && err.contains("5 | server = { "),
            "{server}: {err}"
        );
    }
    // A file that an address names is opened with the same variables.
    for (server, right) in [
        ("innodb_buffer_pool_size = 1", "sqlite has no variable innodb_buffer_pool_size"),
        ("journal_mode = \"wall\"", "write server.journal_mode = \"wal\""),
    ] {
        for at in ["sandbox = \"sqlite\"", "dsn = \"sqlite:x.db\""] {
            let plan = PLAN.replace("sandbox = \"sqlite\"", &format!("{at}\nserver = {{ {server} }}"));
            fs::write(dir.path().join("plan.toml"), plan).unwrap();
            for offline in [&[][..], &["--offline"]] {
                let (code, _, err) = typed(dir.path(), "C", &[&["plan", "check", "plan.toml"], offline].concat());
                assert!(code == 1 && err.contains(right), "{at} {server} {offline:?}: {code} {err}");
            }
        }
    }
    for (binary, server) in [
        (
            "mariadbd",
            "innodb_flush_log_at_trx_commit = 2, innodb_buffer_pool_size = \"64MiB\", log_bin = false, sync_binlog = 0",
        ),
        ("mariadbd", "max_allowed_packet = 1_000_000, skip_name_resolve = true, sql_mode = \"ANSI\""),
        (
            "postgres",
            "synchronous_commit = \"off\", shared_buffers = \"64MiB\", checkpoint_timeout = \"5min\", wal_level = \"minimal\", max_wal_senders = 0",
        ),
    ] {
        let (code, err) = text_of(binary, server);
        assert_eq!(code, 0, "{server}: {err}");
    }
}

/// A contradiction among the keys of the plan that is made of them, too.
#[test]
fn hints_of_bench_name_its_own_options() {
    let dir = tempfile::tempdir().unwrap();
    let bench = |time: &str| typed(dir.path(), "C", &["bench", "oltp_read_only", "sqlite:x.db", "--time", time]);
    let (code, _, err) = bench("0");
    assert!(code == 1 && err.contains("hint      --time 60s\n"), "{err}");
    let (_, _, err) = bench("60s");
    assert!(!err.contains("nothing would be measured"), "{err}");
}

#[test]
fn everything_is_said_in_the_language_of_the_environment() {
    let dir = tempfile::tempdir().unwrap();
    let has_japanese = |text: &str| text.chars().any(|c| ('\u{3040}'..='\u{30ff}').contains(&c));
    let run = run_in(dir.path());
    let run = run.display().to_string();
    fs::write(dir.path().join("bad.toml"), PLAN.replace("repeats", "repeat")).unwrap();
    let lines: &[&[&str]] = &[
        &["doctor"],
        &["plan", "check", "plan.toml"],
        &["plan", "check", "bad.toml"],
        &["run", "missing.toml"],
        &["load", "oltp_insert", "sqlite:x.db", "--table-size", "10"],
        &["load", "oltp_insrt", "sqlite:x.db"],
        &["bench", "oltp_insert", "sqlite:x.db", "-o", "table_size=many"],
        &["bench", "oltp_insert", "sqlite:x.db", "--duration", "5s"],
        &["bench", "sqlite:x.db", "oltp_insert"],
        &["list"],
        &["list", "tpcc"],
        &["list", "fileio"],
        &["show", &run],
        &["report", &run, "--format", "text"],
        &["verify", &run],
        &["data", "list"],
        &["sandbox", "stop", "nobody"],
        &["diff", "mysql://u@127.0.0.1:1/", "mysql://u@127.0.0.1:1/"],
        &["quux"],
    ];
    for args in lines {
        let (code, out, err) = typed(dir.path(), "ja_JP.UTF-8", args);
        assert!(has_japanese(&format!("{out}{err}")), "{args:?}: {code} {out}{err}");
        let (_, out, err) = typed(dir.path(), "en_US.UTF-8", args);
        assert!(!has_japanese(&format!("{out}{err}")), "{args:?}: {out}{err}");
    }
    let with = |pairs: &[(&str, &str)], args: &[&str]| {
        let mut command = tenbin();
        ["LC_ALL", "LC_MESSAGES", "LANGUAGE", "LANG"].iter().for_each(|name| _ = command.env_remove(name));
        command.args(args).envs(pairs.iter().copied()).current_dir(dir.path());
        output_of(&mut command).2
    };
    let wrong: &[&str] = &["run", "missing.toml"];
    assert!(has_japanese(&with(&[("LANG", "C.UTF-8"), ("LC_ALL", "ja_JP.UTF-8")], wrong)));
    assert!(has_japanese(&with(&[("LANG", "en_US.UTF-8"), ("LANGUAGE", "ja:en")], wrong)));
    assert!(!has_japanese(&with(&[("LANG", "ja_JP.UTF-8"), ("LC_ALL", "C")], wrong)));
    assert!(!has_japanese(&with(&[("LANG", "ja_JP.UTF-8"), ("LC_MESSAGES", "en_US.UTF-8")], wrong)));
    // What other programs read stays as it is.
    let (_, json, _) = typed(dir.path(), "ja_JP.UTF-8", &["list", "tpcc", "--json"]);
    assert!(!has_japanese(&json), "{json}");
    let (_, out, err) = typed(dir.path(), "ja_JP.UTF-8", &["sysbench", "nothing_of_this_name", "run"]);
    assert!(!has_japanese(&format!("{out}{err}")), "{out}{err}");
}

#[test]
fn arguments_in_the_place_of_others_are_recognised() {
    let dir = tempfile::tempdir().unwrap();
    let run = run_in(dir.path());
    let run = run.display().to_string();
    for (args, what, hint) in [
        (&["bench", "sqlite:x.db", "oltp_insert"][..], "in the wrong order", "tenbin bench oltp_insert sqlite:x.db"),
        (
            &["load", "mysql://a:s3cret@h/x", "oltp_insert"],
            "in the wrong order",
            "tenbin load oltp_insert mysql://a@h/x",
        ),
        (
            &["compare", "mysql://a@h/x", "mysql://a@g/x"],
            "takes stored runs",
            "tenbin diff mysql://a@h/x mysql://a@g/x",
        ),
        (&["show", "plan.toml"], "is a plan, and tenbin show takes a run", "tenbin run plan.toml"),
        (&["report", "plan.toml"], "is a plan, and tenbin report takes a run", "tenbin run plan.toml"),
        (&["run", &run], "is a run, and tenbin run takes a plan", "tenbin show "),
        (&["run", "oltp_insert"], "is a workload, and tenbin run takes a plan", "tenbin bench oltp_insert DSN"),
        (&["plan", "check", "sqlite:x.db"], "is an address, and tenbin plan check takes a plan", "tenbin bench "),
        (&["doctor", "plan.toml"], "is a plan, and tenbin doctor takes an address", "tenbin plan check plan.toml"),
        (&["bundle", "b.tar.zst", &run], "in the wrong order", "b.tar.zst"),
        (&["plan.toml"], "no command", "tenbin run plan.toml"),
        (&["load", "cpu", "host:"], "no tables that Tenbin could load", "tenbin bench cpu host:"),
        (&["load", "pay.sql", "sqlite:x.db"], "no tables that Tenbin could load", "tenbin bench pay.sql sqlite:x.db"),
        (&["bench", "oltp_insert", "127.0.0.1:3306/x"], "cannot be read", "write mysql://127.0.0.1:3306/x"),
        (&["bench", "oltp_insert", "sqlite:x.db", "-o", "range_size"], "not NAME=VALUE", "tenbin list oltp_insert"),
        (&["bench", "oltp_insert", "sqlite:x.db", "--duration", "5s"], "no option \"--duration\"", "write --time"),
    ] {
        let (code, out, err) = typed(dir.path(), "C", args);
        assert!(code == 1 && out.is_empty() && err.contains(what) && err.contains(hint), "{args:?}: {code} {out}{err}");
        assert!(!err.contains("s3cret"), "{err}");
    }
    assert!(!dir.path().join("x.db").exists());
}

#[test]
fn counts_are_taken_as_people_write_them() {
    let dir = tempfile::tempdir().unwrap();
    let load =
        |size: &str| typed(dir.path(), "C", &["load", "oltp_insert", "sqlite:x.db", "--drop", "--table-size", size]);
    for (size, rows) in [("1k", "1,000 "), ("2e3", "2,000 "), ("1_500", "1,500 "), ("0.5k", "500 ")] {
        let (code, out, err) = load(size);
        assert!(code == 0 && out.contains(rows), "{size}: {code} {out}{err}");
    }
    for size in ["10x", "1.5", "many"] {
        let (code, _, err) = load(size);
        assert!(code == 1 && err.contains("10000, 10k, 1M or 1e6"), "{size}: {code} {err}");
    }
    let bench = ["bench", "oltp_point_select", "sqlite:x.db", "--table-size", "500", "--events", "1e2", "--time", "5s"];
    let (code, out, err) = typed(dir.path(), "C", &bench);
    assert!([0, 3].contains(&code) && out.contains("oltp_point_select"), "{code} {out}{err}");
    let (code, _, err) = typed(dir.path(), "C", &["bench", "oltp_read_only", "null:", "-o", "point_selects=1k"]);
    assert!(code == 1 && err.contains("write point_selects = 1000"), "{code} {err}");
}

/// A list that is empty says whether there are runs at all.
#[test]
fn a_list_without_entries_says_what_was_asked_for() {
    let dir = tempfile::tempdir().unwrap();
    let text_of = |args: &[&str]| typed(dir.path(), "C", &[&["list"], args].concat());
    let (code, out, err) = text_of(&["--plan", "p"]);
    assert!(code == 0 && out.contains("no runs in "), "{code} {out}{err}");
    run_in(dir.path());
    run_in(dir.path());
    for request in [&["--plan", "nope"][..], &["--tag", "x"], &["--last", "0"], &["--plan", "p", "--tag", "x y"]] {
        let (code, out, err) = text_of(request);
        let named = request.join(" ").replace("x y", "'x y'").replace("p --tag", "p, --tag");
        let says = out.contains("none of the 2 runs in") && out.trim_end().ends_with(&format!("with {named}"));
        assert!(code == 0 && says, "{request:?}: {code} {out}{err}");
    }
    let (code, out, _) = text_of(&["--plan", "p"]);
    assert!(code == 0 && out.contains("runs, the newest"), "{code} {out}");
    let (code, _, err) = typed(dir.path(), "C", &["history", "p", "--tag", "x"]);
    assert!(code == 1 && err.contains("with the tag x"), "{code} {err}");
}
