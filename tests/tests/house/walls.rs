//! The walls of ARCHITECTURE.md, held: who may know whom, what each floor must not touch, and how files read.
//!
//! A wall that is in the way is moved here and in ARCHITECTURE.md in the same commit, with the reason in
//! `doc/decision/`.

#![expect(clippy::unwrap_used, reason = "a test may")]

use super::root;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// One crate: which others of ours it may know, and what its sources must not name.
struct Floor {
    name: &'static str,
    knows: &'static [&'static str],
    must_not_name: &'static [&'static str],
}

const SPEAKS: &[&str] = &["println!", "eprintln!", "print!", "eprint!"];
const FILES: &[&str] = &["std::fs", "fs::", "File::"];
const CLOCK: &[&str] = &["Instant", "SystemTime"];
const SOCKETS: &[&str] = &["std::net", "TcpStream", "UnixStream", "tokio::"];
const THREADS: &[&str] = &["std::thread", "thread::"];

/// What a family of workloads may know: what a workload is, and not the other families.
const FAMILY_KNOWS: &[&str] = &["workload", "driver", "intake", "model", "words"];

/// Command lines are turned into plans; SQL and statistics belong to the floors below.
const NOT_OF_FRONT_ENDS: &[&str] =
    &["\"SELECT ", "\"INSERT ", "\"UPDATE ", "\"DELETE ", "\"CREATE ", "\"DROP ", "\"SHOW ", "model::statistics"];

/// Pacing, measuring and results are not a workload's business.
const NOT_OF_WORKLOADS: &[&str] = &["model::event", "model::plan", "model::histogram", "Histogram", "Schedule"];

/// From the bottom up.
const FLOORS: &[Floor] = &[
    Floor { name: "wire", knows: &[], must_not_name: &[] },
    Floor { name: "words", knows: &[], must_not_name: &["std::env"] },
    Floor { name: "model", knows: &["words"], must_not_name: &["std::env"] },
    Floor { name: "verdict", knows: &["model", "words"], must_not_name: &["std::env"] },
    Floor { name: "client", knows: &["model", "words"], must_not_name: NOT_OF_WORKLOADS },
    Floor {
        name: "intake",
        knows: &["words"],
        must_not_name: &["Instant", "SystemTime", "thread::spawn", "fs::write"],
    },
    Floor { name: "sockets", knows: &[], must_not_name: &["Instant", "SystemTime", "thread::spawn"] },
    Floor {
        name: "driver",
        knows: &["wire", "client", "intake", "sockets", "model", "words"],
        must_not_name: &["model::plan", "model::tally", "model::statistics", "Workload"],
    },
    Floor {
        name: "published",
        knows: &["model", "words"],
        must_not_name: &["model::plan", "model::event", "model::summary"],
    },
    Floor { name: "report", knows: &["published", "intake", "verdict", "model", "words"], must_not_name: &[] },
    Floor { name: "workload", knows: &["driver", "client", "model", "words"], must_not_name: NOT_OF_WORKLOADS },
    Floor {
        name: "servers",
        knows: &["driver", "intake", "model", "words"],
        must_not_name: &["model::plan", "Schedule", "model::tally"],
    },
    Floor {
        name: "observers",
        knows: &["servers", "driver", "model", "words"],
        must_not_name: &["model::plan", "Schedule", "model::tally", "fs::write", "File::create", "ureq"],
    },
    Floor {
        name: "engine",
        // No driver, and no workload but by what every one of them is.
        knows: &["client", "sockets", "model", "words"],
        must_not_name: &["Scheme::"],
    },
    Floor {
        name: "hosts",
        knows: &["engine", "observers", "servers", "driver", "intake", "client", "model", "words"],
        // What is assigned is a trial: where it comes from and what becomes of the result is decided above.
        must_not_name: &["model::plan", "model::summary", "Scheme::"],
    },
    Floor { name: "oltp", knows: FAMILY_KNOWS, must_not_name: NOT_OF_WORKLOADS },
    Floor { name: "slap", knows: FAMILY_KNOWS, must_not_name: NOT_OF_WORKLOADS },
    Floor { name: "tpcc", knows: FAMILY_KNOWS, must_not_name: NOT_OF_WORKLOADS },
    Floor { name: "tpcb", knows: FAMILY_KNOWS, must_not_name: NOT_OF_WORKLOADS },
    Floor {
        name: "pgbench",
        // The clients of a name, from two families: its language and its tables.
        knows: &["sql", "tpcb", "workload", "driver", "intake", "model", "words"],
        must_not_name: NOT_OF_WORKLOADS,
    },
    Floor { name: "sql", knows: FAMILY_KNOWS, must_not_name: NOT_OF_WORKLOADS },
    Floor { name: "script", knows: FAMILY_KNOWS, must_not_name: NOT_OF_WORKLOADS },
    Floor { name: "host-tests", knows: FAMILY_KNOWS, must_not_name: NOT_OF_WORKLOADS },
    Floor {
        name: "workloads",
        knows: &[
            "oltp",
            "slap",
            "tpcc",
            "tpcb",
            "pgbench",
            "script",
            "sql",
            "host-tests",
            "workload",
            "driver",
            "model",
            "words",
        ],
        must_not_name: NOT_OF_WORKLOADS,
    },
    Floor {
        name: "lab",
        knows: &[
            "hosts",
            "engine",
            "workloads",
            "workload",
            "observers",
            "servers",
            "driver",
            "intake",
            "verdict",
            "model",
            "words",
        ],
        // argv and the run directory belong to the floor above; a password file may be read.
        must_not_name: &["env::args", "fs::write", "File::create", "create_dir", "::oltp", "::sysbench"],
    },
    Floor {
        name: "terminal",
        knows: &["lab", "workloads", "servers", "intake", "verdict", "model", "words"],
        must_not_name: NOT_OF_FRONT_ENDS,
    },
    Floor {
        name: "compat",
        knows: &[
            "terminal",
            "lab",
            "report",
            "intake",
            "verdict",
            "model",
            "words",
            "workloads",
            "workload",
            "script",
            "slap",
            "pgbench",
            "driver",
        ],
        must_not_name: NOT_OF_FRONT_ENDS,
    },
    Floor {
        name: "cli",
        knows: &[
            "compat",
            "terminal",
            "lab",
            "report",
            "published",
            "intake",
            "verdict",
            "model",
            "words",
            "hosts",
            "servers",
            "workloads",
            "workload",
            "script",
            "driver",
        ],
        must_not_name: NOT_OF_FRONT_ENDS,
    },
    Floor { name: "null-server", knows: &["wire", "model"], must_not_name: &[] },
];

/// What whole groups of floors must not name.
const GROUPS: &[(&[&str], &[&[&str]])] = &[
    (&["wire", "words", "model", "verdict", "published"], &[SPEAKS, FILES, CLOCK, SOCKETS, THREADS]),
    (
        &[
            "client",
            "intake",
            "sockets",
            "driver",
            "report",
            "workload",
            "oltp",
            "slap",
            "tpcc",
            "tpcb",
            "pgbench",
            "script",
            "sql",
            "host-tests",
            "workloads",
            "servers",
            "observers",
            "engine",
            "lab",
        ],
        &[SPEAKS],
    ),
    (
        &[
            "sockets",
            "workload",
            "oltp",
            "slap",
            "tpcc",
            "tpcb",
            "pgbench",
            "script",
            "sql",
            "host-tests",
            "workloads",
            "engine",
        ],
        &[FILES],
    ),
];

/// Files, or folders, that may open files although their floor does not, and what for.
const OPENS_FILES: &[(&str, &str)] = &[
    ("crates/slap/src/file.rs", "a query file too large for memory is read while it is sent"),
    ("crates/engine/src/limits.rs", "the kernel lists in a folder which files a process has open"),
    ("crates/engine/src/mappings.rs", "the kernel says in a file how many memory mappings a process may have"),
    ("crates/engine/src/processor_queue.rs", "the kernel says in a file how long a thread has waited for a processor"),
    ("crates/host-tests/", "there a machine's own storage is what is weighed"),
];

/// Crates that only some may use: they are how a floor is recognised.
const RESERVED: &[(&str, &[&str])] = &[
    ("clap", &["cli", "null-server"]),
    ("httparse", &["cli"]),
    ("indicatif", &["cli"]),
    ("signal-hook", &["terminal", "cli", "null-server"]),
    ("rusqlite", &["driver"]),
    ("rustls", &["driver"]),
    ("tokio-rustls", &["driver"]),
    ("socket2", &["driver", "null-server"]),
    ("rsa", &["wire"]),
    ("ureq", &["servers"]),
    ("roxmltree", &["cli", "servers"]),
    ("ring", &["servers"]),
    ("postgres-protocol", &["wire"]),
    ("mio", &["null-server"]),
    ("encoding_rs", &["published"]),
    ("saphyr-parser", &["published"]),
    ("minijinja", &["report"]),
    ("mlua", &["script"]),
    ("corosensei", &["script"]),
    ("toml", &["model", "verdict", "cli"]),
    (
        "tokio",
        &[
            "client",
            "sockets",
            "driver",
            "workload",
            "oltp",
            "slap",
            "tpcc",
            "sql",
            "pgbench",
            "servers",
            "observers",
            "engine",
            "lab",
        ],
    ),
];

/// The files that may hold `unsafe`, and what for. Each block says SAFETY.
const UNSAFE: &[(&str, &str)] = &[
    ("crates/cli/src/address_space.rs", "a parameter of the C library's allocator"),
    ("crates/driver/src/sqlite.rs", "a prepared statement lives beside its connection"),
    ("crates/engine/src/prefetch.rs", "the instruction that fetches memory into caches"),
    ("crates/engine/src/scheduling.rs", "the scheduling class of a thread"),
    ("crates/sockets/src/poller.rs", "the runtime watches a file descriptor that the poller owns"),
    ("crates/script/src/api.rs", "C functions that Lua calls through ffi"),
    ("crates/script/src/coroutine.rs", "a stack for each client's Lua, left and entered while statements wait"),
    ("crates/script/src/coroutine_handle.rs", "the stack is left from code that runs on it"),
    ("crates/script/src/machine.rs", "LuaJIT with all its libraries; a stop from another thread"),
    ("crates/script/src/lib.rs", "the main Lua state moves between threads, behind a lock"),
    ("crates/script/src/symbols.rs", "sysbench's C functions, which scripts know by name"),
    ("crates/script/src/static_symbols.rs", "the linker's functions that a static binary lacks"),
    ("crates/host-tests/src/raw.rs", "the host tests' mapped files and huge pages, and requests to io_uring"),
];

#[test]
fn crates_know_only_the_floors_below() {
    let named: BTreeSet<&str> = FLOORS.iter().map(|f| f.name).collect();
    let there: BTreeSet<String> =
        fs::read_dir(root().join("crates")).unwrap().map(|e| file_name(&e.unwrap().path())).collect();
    assert_eq!(
        there.iter().map(String::as_str).collect::<BTreeSet<_>>(),
        named,
        "every crate has its floor in this file"
    );
    for floor in FLOORS {
        for (dependency, dev) in dependencies(floor.name) {
            if let Some(ours) = dependency.strip_prefix("tenbin-") {
                let allowed = floor.knows.contains(&ours) || (dev && ours == "null-server");
                assert!(allowed, "{} must not know {ours}", floor.name);
            }
            if let Some((_, users)) = RESERVED.iter().find(|(name, _)| *name == dependency && !dev) {
                assert!(users.contains(&floor.name), "{} must not use {dependency}; only {users:?} may", floor.name);
            }
        }
    }
}

#[test]
fn floors_do_not_touch_what_is_not_theirs() {
    let mut findings = Vec::new();
    for floor in FLOORS {
        let of_groups =
            GROUPS.iter().filter(|(names, _)| names.contains(&floor.name)).flat_map(|(_, words)| words.concat());
        let words: Vec<&str> = floor.must_not_name.iter().copied().chain(of_groups).collect();
        for (path, line, code) in code(floor.name) {
            for word in &words {
                let allowed = FILES.contains(word) && OPENS_FILES.iter().any(|(place, _)| path.starts_with(place));
                if names(&code, word) && !allowed {
                    findings.push(format!("{path}:{line}: {} must not name {word}: {}", floor.name, code.trim()));
                }
            }
        }
    }
    assert!(findings.is_empty(), "{}", findings.join("\n"));
}

/// A comparison is passed over when a kind of server is added; the table of what each has, and a `match` over all, are not.
#[test]
fn kinds_of_servers_are_told_apart_by_what_they_have() {
    let compares = |line: &str| {
        let (_, matched) = line.split_once("matches!(").unwrap_or_default();
        matched.contains("Scheme::") || ["== Scheme::", "!= Scheme::"].iter().any(|word| line.contains(word))
    };
    assert!(compares("if dsn.scheme == Scheme::Null {") && compares("matches!(scheme, Scheme::Null | Scheme::Host)"));
    let mut findings = Vec::new();
    for floor in FLOORS {
        let lines = code(floor.name).into_iter().filter(|(_, _, line)| compares(line));
        findings.extend(lines.map(|(path, line, code)| format!("{path}:{line}: {}", code.trim())));
    }
    assert!(findings.is_empty(), "ask a field of `server_kind::ServerKind`, or match:\n{}", findings.join("\n"));
}

#[test]
fn unsafe_stands_where_it_is_audited_and_says_why() {
    let mut findings = Vec::new();
    for floor in FLOORS {
        for path in sources(floor.name) {
            let text = fs::read_to_string(&path).unwrap();
            let lines: Vec<&str> = text.lines().collect();
            for (i, line) in lines.iter().enumerate() {
                let code = without_comment(line);
                if !names(code, "unsafe") || code.contains("unsafe_") {
                    continue;
                }
                let explained = lines[i.saturating_sub(8)..=i].iter().any(|l| l.contains("SAFETY:"));
                if !explained || !UNSAFE.iter().any(|(file, _)| *file == shown(&path)) {
                    findings.push(format!("{}:{}: {}", shown(&path), i + 1, line.trim()));
                }
            }
        }
    }
    assert!(
        findings.is_empty(),
        "unsafe in a file that is not in the list, or without SAFETY:\n{}",
        findings.join("\n")
    );
}

/// A run that a test starts goes where the test says, or below `target`: the helper sees to it for every test that uses
/// it. By an old name there is no helper; those tests have a directory of their own.
#[test]
fn tests_start_the_binary_through_their_helper() {
    let around = ["get_program(", "CARGO_BIN_EXE"];
    let sources = walk(&root().join("tests/tests")).into_iter().filter(|p| file_name(p) != "walls.rs");
    let around: Vec<String> = sources
        .filter(|p| fs::read_to_string(p).is_ok_and(|text| around.iter().any(|name| text.contains(name))))
        .map(|p| shown(&p))
        .collect();
    assert!(around.is_empty(), "use tenbin() or tenbin_through() of tests/src/lib.rs: {}", around.join(", "));
}

#[test]
fn a_file_tells_its_story_and_stays_short() {
    let mut findings = Vec::new();
    for path in tracked().into_iter().filter(|p| p.extension().is_some_and(|e| e == "rs")) {
        let Ok(text) = fs::read_to_string(&path) else { continue };
        if !text.starts_with("//!") {
            findings.push(format!("{} does not open with //!", shown(&path)));
        }
        let head: String = text.lines().take_while(|l| l.starts_with("//!")).collect();
        if text.lines().count() > 600 && !head.contains("long because") {
            let lines = text.lines().count();
            findings.push(format!(
                "{} has {lines} lines; split it, or say at its head that it is `long because …`",
                shown(&path)
            ));
        }
    }
    assert!(findings.is_empty(), "{}", findings.join("\n"));
}

/// A file of tests that no `main.rs` names is not compiled, and one that git does not know is not run elsewhere: both
/// pass for ever.
#[test]
fn every_file_of_tests_is_run() {
    let tracked = tracked();
    let mut findings = Vec::new();
    let folders: BTreeSet<PathBuf> = walk(&root().join("tests/tests"))
        .into_iter()
        .chain(walk(&root().join("crates")).into_iter().filter(|p| shown(p).contains("/tests/")))
        .filter(|p| p.extension().is_some_and(|e| e == "rs"))
        .filter(|p| p.parent().is_some_and(|dir| file_name(dir) != "tests"))
        .map(|p| p.parent().unwrap().to_path_buf())
        .collect();
    for folder in folders {
        let places = [folder.join("main.rs"), folder.join("mod.rs"), folder.with_extension("rs")];
        let main = places.into_iter().find(|p| p.is_file());
        let Some(main) = main else {
            findings.push(format!("{} has no main.rs", shown(&folder)));
            continue;
        };
        let text = fs::read_to_string(&main).unwrap();
        let of_folder = |p: &&PathBuf| p.extension().is_some_and(|e| e == "rs") && p.parent() == Some(&*folder);
        for file in walk(&folder).iter().filter(of_folder) {
            let name = file.file_stem().unwrap().to_string_lossy().into_owned();
            let by_path = walk(folder.parent().unwrap()).iter().any(|p| {
                // By a file beside the folder, or by one in it that others take by its path, too.
                let from =
                    if p.parent() == Some(&*folder) { String::new() } else { format!("{}/", file_name(&folder)) };
                let path = format!("#[path = \"{from}{name}.rs\"]");
                fs::read_to_string(p).is_ok_and(|text| text.contains(&path))
            });
            if *file != main && !text.contains(&format!("mod {name};")) && !by_path {
                findings.push(format!("{} is not named by {}", shown(file), shown(&main)));
            }
            if !tracked.contains(file) {
                findings.push(format!("git ignores or does not know {}", shown(file)));
            }
        }
    }
    assert!(findings.is_empty(), "{}", findings.join("\n"));
}

#[test]
fn banned_crates_are_not_built_in() {
    let text = |name: &str| fs::read_to_string(root().join(name)).unwrap();
    let rules: toml::Table = text("deny.toml").parse().unwrap();
    let banned: Vec<&str> =
        rules["bans"]["deny"].as_array().unwrap().iter().filter_map(|b| b.get("crate")?.as_str()).collect();
    assert!(banned.contains(&"openssl"), "{banned:?}");
    let lock = text("Cargo.lock");
    let built: Vec<&&str> = banned.iter().filter(|name| lock.contains(&format!("\nname = \"{name}\"\n"))).collect();
    assert!(built.is_empty(), "banned by deny.toml: {built:?}");
}

#[test]
fn nothing_names_the_machine_it_was_written_on() {
    // Put together here, so that this file does not name them either.
    let machine = ["work", "root", "home/runner"].map(|dir| format!("/{dir}/"));
    let mut findings = Vec::new();
    for path in tracked() {
        let Ok(text) = fs::read_to_string(&path) else { continue };
        for (number, line) in text.lines().enumerate() {
            let registry = match file_name(&path).as_str() {
                "Cargo.lock" if line.starts_with("source = ") => {
                    Some(line.contains("registry+https://github.com/rust-lang/crates.io-index"))
                }
                "package-lock.json" if line.contains("\"resolved\":") => {
                    Some(line.contains("\"https://registry.npmjs.org/"))
                }
                _ => None,
            };
            if registry == Some(false) || machine.iter().any(|dir| line.contains(dir.as_str())) {
                findings.push(format!("{}:{}: {line}", shown(&path), number + 1));
            }
        }
    }
    assert!(findings.is_empty(), "{}", findings.join("\n"));
}

#[test]
fn the_walls_have_eyes() {
    assert!(names("let x = std::fs::read(p);", "fs::"));
    assert!(!names("let offs::et", "fs::"), "only whole words");
    assert!(names("println!(\"x\")", "println!") && !names("eprintln!(\"x\")", "println!"));
    assert_eq!(without_comment("let a = 1; // Instant"), "let a = 1; ");
    assert_eq!(without_comment("let a = \"//x\"; // y"), "let a = \"//x\"; ");
    assert!(!code("model").is_empty() && !dependencies("cli").is_empty() && tracked().len() > 50);
}

/// Whether `code` names `word` as a word of its own.
fn names(code: &str, word: &str) -> bool {
    let part = |c: char| c.is_alphanumeric() || c == '_';
    code.match_indices(word).any(|(at, _)| {
        let before = code[..at].chars().next_back();
        let after = code[at + word.len()..].chars().next();
        let goes_on =
            word.starts_with(part) && before.is_some_and(part) || word.ends_with(part) && after.is_some_and(part);
        !goes_on
    })
}

/// Lines of code of a crate, without comments and without the tests at a file's end: path, number, text.
fn code(name: &str) -> Vec<(String, usize, String)> {
    let mut all = Vec::new();
    for path in sources(name) {
        let text = fs::read_to_string(&path).unwrap();
        for (number, line) in crate::without_tests(&text).lines().enumerate() {
            all.push((shown(&path), number + 1, without_comment(line).to_owned()));
        }
    }
    all
}

fn without_comment(line: &str) -> &str {
    let mut quoted = false;
    let bytes = line.as_bytes();
    for i in 0..bytes.len() {
        match bytes[i] {
            b'"' if i == 0 || bytes[i - 1] != b'\\' => quoted = !quoted,
            b'/' if !quoted && bytes.get(i + 1) == Some(&b'/') => return &line[..i],
            _ => {}
        }
    }
    line
}

/// The sources of a crate that are not tests from their first line on.
fn sources(name: &str) -> Vec<PathBuf> {
    let folder = root().join("crates").join(name).join("src");
    let rust = |p: &PathBuf| p.extension().is_some_and(|e| e == "rs") && !file_name(p).contains("test");
    walk(&folder).into_iter().filter(rust).collect()
}

/// Names of a crate's dependencies, and whether they are for its tests only.
fn dependencies(name: &str) -> BTreeMap<String, bool> {
    let text = fs::read_to_string(root().join("crates").join(name).join("Cargo.toml")).unwrap();
    let manifest: toml::Table = text.parse().unwrap();
    let mut all = BTreeMap::new();
    for (section, dev) in [("dev-dependencies", true), ("build-dependencies", false), ("dependencies", false)] {
        let keys = manifest.get(section).and_then(|s| s.as_table()).into_iter().flat_map(|t| t.keys());
        all.extend(keys.map(|k| (k.clone(), dev)));
    }
    all
}

/// Every file of the project: what git tracks, or all that is no build result where git is absent.
pub(super) fn tracked() -> Vec<PathBuf> {
    let listed = Command::new("git").arg("-C").arg(root()).args(["ls-files", "-z"]).output();
    match listed {
        Ok(output) if output.status.success() && !output.stdout.is_empty() => String::from_utf8_lossy(&output.stdout)
            .split('\0')
            .filter(|p| !p.is_empty())
            .map(|p| root().join(p))
            .filter(|p| p.is_file())
            .collect(),
        _ => walk(root()),
    }
}

fn walk(folder: &Path) -> Vec<PathBuf> {
    // Where they stand, so that a folder of ours that happens to have such a name is walked.
    const NOT_OURS: &[&str] =
        &[".git", "target", "runs", "web/node_modules", "web/dist", "fuzz/target", "fuzz/corpus", "fuzz/artifacts"];
    let mut all = Vec::new();
    for entry in fs::read_dir(folder).unwrap_or_else(|e| panic!("{folder:?}: {e}")) {
        let path = entry.unwrap().path();
        match path.is_dir() {
            true if NOT_OURS.contains(&shown(&path).as_str()) => {}
            true => all.extend(walk(&path)),
            false => all.push(path),
        }
    }
    all.sort();
    all
}

fn file_name(path: &Path) -> String {
    path.file_name().map(|n| n.to_string_lossy().into_owned()).unwrap_or_default()
}

fn shown(path: &Path) -> String {
    path.strip_prefix(root()).unwrap_or(path).display().to_string()
}
