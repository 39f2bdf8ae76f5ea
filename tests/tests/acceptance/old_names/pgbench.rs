//! pgbench by name beside the real one, on the same server: statements by the server's log, values included; tables, reports, logs, exit codes.
//!
//! It is long because each kind of command line has its case here, beside the real one.

#![expect(clippy::unwrap_used, reason = "a test may")]

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;
use tenbin_driver::Transport;
use tenbin_model::dsn::Dsn;
use tenbin_servers::sandbox::Sandbox;
use tenbin_tests::sql::{connector, on, query};
use tenbin_tests::{output_of, postgres, tenbin, tenbin_through};

/// A server that logs each statement, with the session and the name of the program before it.
fn logging() -> Sandbox {
    postgres(&[
        ("logging_collector", "on"),
        ("log_statement", "all"),
        ("log_line_prefix", "%c|%a|"),
        ("log_filename", "all.log"),
    ])
}

/// The real one, which Debian has beside the server.
fn real() -> Command {
    let versions = std::fs::read_dir("/usr/lib/postgresql").unwrap();
    let program = versions.map(|entry| entry.unwrap().path().join("bin/pgbench")).filter(|path| path.is_file()).max();
    Command::new(program.expect("PostgreSQL's pgbench is installed"))
}

/// Ours by its name.
fn ours() -> Command {
    let mut command = tenbin();
    command.arg("pgbench");
    command
}

/// Runs one of them.
fn run(mut command: Command, server: &Sandbox, line: &str, folder: &Path) -> (i32, String, String) {
    let dsn = Dsn::parse(&server.dsn()).unwrap();
    command.args(line.split_whitespace()).current_dir(folder);
    command.env("PGHOST", "127.0.0.1").env("PGPORT", dsn.port.unwrap().to_string());
    command.env("PGUSER", &dsn.user).env("PGDATABASE", &dsn.database).env("TENBIN_QUIET", "1");
    output_of(&mut command)
}

/// What sessions of programs by the name pgbench sent while `work` was done: the statements of each, in their order, with their values.
fn sessions(server: &Sandbox, work: impl FnOnce()) -> Vec<Vec<String>> {
    let log = || query(server, "SELECT pg_read_file(pg_current_logfile())").remove(0).remove(0);
    let before = log().len();
    work();
    // The server writes its log by a process of its own: what was sent before this mark is there once the mark is.
    let mark = format!("the end of what follows byte {before}");
    query(server, &format!("SELECT '{mark}'"));
    let written = loop {
        let written = log()[before..].to_owned();
        if written.contains(&mark) {
            break written;
        }
        std::thread::sleep(std::time::Duration::from_millis(20));
    };
    let mut all: BTreeMap<String, Vec<String>> = BTreeMap::new();
    let mut last = None;
    for line in written.lines() {
        let parts: Vec<&str> = line.splitn(3, '|').collect();
        if let [session, program, text] = parts[..] {
            last = (program == "pgbench").then(|| session.to_owned());
            let text = text.trim_start_matches("LOG:  ").trim_start_matches("statement: ");
            // What pgbench prepares has a number over all scripts.
            let printed = ["ERROR:", "STATEMENT:", "FATAL:"].iter().any(|word| text.starts_with(word));
            if let Some(session) = last.clone().filter(|_| !printed) {
                all.entry(session).or_default().push(text.to_owned());
            }
        } else if let Some(statement) = last.as_ref().and_then(|session| all.get_mut(session)?.last_mut()) {
            *statement += line;
        }
    }
    let mut all: Vec<Vec<String>> = all.into_values().collect();
    all.sort();
    all
}

/// Of our sessions, those that are clients: the others ask the server for its version and settings.
fn clients(sessions: Vec<Vec<String>>) -> Vec<Vec<String>> {
    let of_client = |statement: &String| statement.contains("pgbench_") || statement.contains("/* t");
    let looks = ["tenbin_mark", "relpersistence", "relfilenode"];
    let about = |statement: &String| looks.iter().any(|word| statement.contains(word));
    sessions.into_iter().filter(|all| all.iter().any(of_client) && !all.iter().any(about)).collect()
}

fn script(folder: &Path, name: &str, text: &str) {
    std::fs::write(folder.join(name), text).unwrap();
}

/// Scripts with everything that decides about statements: distributions, functions, conditions, stored results, pipelines, compound statements.
const SCRIPTS: &[(&str, &str)] = &[
    ("uniform.sql", "\\set a random(1, 100000)\n\\set b random(-5, 5)\nSELECT :a::int + :b::int /* t */;\n"),
    (
        "shapes.sql",
        "\\set e random_exponential(1, 1000, 2.5)\n\\set g random_gaussian(1, 1000, 3.0)\n\\set z random_zipfian(1, 1000, 1.2)\nSELECT :e, :g, :z /* t */;\n",
    ),
    (
        "hash.sql",
        "\\set a random(1, 1000000)\nSELECT :a, hash_values.* FROM (VALUES (1)) AS hash_values /* t */;\n\\set h hash(:a)\n\\set f hash_fnv1a(:a, 7)\n\\set p permute(:a, 1000001)\nSELECT :h, :f, :p /* t */;\n",
    ),
    (
        "numbers.sql",
        "\\set d 1.0 / 3\n\\set i 7 / 2\n\\set m -7 % 3\n\\set c case when :i > 2 then 'x' is null else false end\nSELECT 1 /* t */;\n",
    ),
    (
        "types.sql",
        "\\set d 1.0 / 3\n\\set n null\n\\set b true and not false\n\\set big 9223372036854775807\n\\set e 1e30\nSELECT :d, :n, :b, :big, :e /* t */;\n",
    ),
    (
        "ifs.sql",
        "\\set a random(1, 10)\n\\if :a > 5\nSELECT 'more', :a /* t */;\n\\elif :a = 5\nSELECT 'five' /* t */;\n\\else\nSELECT 'less', :a /* t */;\n\\endif\n",
    ),
    (
        "gset.sql",
        "SELECT 41 + 1 AS answer, 'it''s' AS text /* t */ \\gset x_\nSELECT :x_answer /* t */;\nSELECT 1 AS a \\; SELECT 2 AS b /* t */ \\aset\nSELECT :a + :b /* t */;\n",
    ),
    ("left.sql", "\\set a 5\nSELECT '12:30'::text, ':a', 7 AS \":a\", :a::int, 1 /* t :a */;\n"),
    (
        "lines.sql",
        "SELECT abalance\n  FROM pgbench_accounts -- a comment\n  WHERE aid = 7\n;\nSELECT 'a;b' /* t; */;\n",
    ),
    ("dollar.sql", "DO $$ BEGIN PERFORM 1; END $$ /* t */;\nSELECT $x$;$x$ /* t */;\n"),
    ("automatic.sql", "SELECT :scale, :client_id, :random_seed, :default_seed /* t */;\n"),
    ("last.sql", "SELECT 1 /* t */;\nSELECT 2 /* t */"),
    (
        "nested.sql",
        "\\set a random(1, 9)\n\\if :a % 2 = 0\n\\if :a > 4\nSELECT 'large', :a /* t */;\n\\else\nSELECT 'small', :a /* t */;\n\\endif\n\\else\nSELECT 'odd', :a /* t */;\n\\endif\n",
    ),
    (
        "bits.sql",
        "\\set a random(0, 65535)\n\\set b (:a << 3 | 5) & ~7 # 12 >> 1\n\\set c :a <> 7 and not :a is null\nSELECT :a, :b, :c /* t */;\n",
    ),
    (
        "functions.sql",
        "\\set a random(1, 1000)\n\\set b pow(:a, 2) + sqrt(:a) + ln(:a) + exp(1) + pi()\n\\set c greatest(:a, 500) - least(:a, 500) + mod(:a, 7) + abs(-:a)\n\\set d int(double(:a) / 7)\nSELECT :b, :c, :d /* t */;\n",
    ),
    (
        "joined.sql",
        "\\set a random(1, 99)\nSELECT :a /* t */ \\; SELECT :a + 1 \\; SELECT :a + 2;\n\\sleep 1 us\nSELECT :a;\n",
    ),
    ("comments.sql", "\\set a random(1, 99)\n-- :a\nSELECT /* :a -- */ :a -- :a\n, 1 /* t */;\n"),
    (
        "drawn.sql",
        "\\set a random(1, 10)\n\\set b case when :a > 5 then random(1, 1000) else random_gaussian(1, 1000, 4) end\n\\set c :a > 5 and random(1, 2) = 1\n\\set d random(1, 1000)\nSELECT :b, :c, :d /* t */;\n",
    ),
    (
        "strings.sql",
        "\\set a 7\nSELECT E'a\\';:a', U&'d\\0061t', \"a;b\".\":a\" FROM (SELECT 1 AS \":a\") AS \"a;b\" /* t */;\nSELECT 1 /* t */;\n",
    ),
    ("crlf.sql", "\\set a 3\r\nSELECT :a /* t */;\r\n"),
];

/// The same seed, the same clients: the same bytes, in every mode.
#[test]
fn statements_are_the_real_ones_with_their_values() {
    let (server, folder) = (logging(), tempfile::tempdir().unwrap());
    let (code, _, err) = run(real(), &server, "-i -q", folder.path());
    assert_eq!(code, 0, "{err}");
    for (name, text) in SCRIPTS {
        script(folder.path(), name, text);
    }
    let mut lines: Vec<String> = Vec::new();
    for builtin in ["tpcb-like", "simple-update", "select-only"] {
        for mode in ["simple", "prepared"] {
            lines.push(format!("-n -b {builtin} -M {mode} -t 3 -c 4"));
        }
    }
    // Not in the modes with parameters: some of these statements have values within quotes.
    lines.extend(
        SCRIPTS.iter().filter(|(name, _)| *name != "numbers.sql").map(|(name, _)| format!("-n -f {name} -t 4 -c 8")),
    );
    lines.extend(["uniform.sql", "shapes.sql", "ifs.sql"].map(|name| format!("-n -f {name} -M extended -t 4 -c 8")));
    lines.push("-n -f uniform.sql@3 -f ifs.sql@2 -b se@5 -M prepared -t 20 -c 4 -j 4".to_owned());
    lines.push("-n -f uniform.sql -C -t 2 -c 2".to_owned());
    lines.push("-t 2 -c 1 -v".to_owned());
    for line in lines {
        let line = format!("{line} --random-seed=4711");
        let mut ended = Vec::new();
        let theirs = sessions(&server, || ended.push(run(real(), &server, &line, folder.path())));
        let mine = sessions(&server, || ended.push(run(ours(), &server, &line, folder.path())));
        assert!(ended.iter().all(|(code, ..)| *code == 0), "{line}: {ended:?}");
        assert!(!theirs.is_empty(), "{line}: the log has nothing");
        assert_eq!(clients(mine), theirs, "{line}");
    }
    // The server has executed it before it is known for what it is.
    script(folder.path(), "copy.sql", "/* t */ COPY pgbench_branches TO STDOUT;\nSELECT 1;\n");
    for mode in ["simple", "prepared"] {
        let line = format!("-n -f copy.sql -M {mode}");
        let [theirs, mine] = [real as fn() -> Command, ours]
            .map(|program| sessions(&server, || assert_eq!(run(program(), &server, &line, folder.path()).0, 2)));
        assert!(!theirs.is_empty(), "{line}: the log has nothing");
        assert_eq!(clients(mine), theirs, "{line}");
    }
}

/// A transaction that is tried again has its values again, and the next one those that follow.
#[test]
fn retries_are_the_real_ones() {
    let (server, folder) = (logging(), tempfile::tempdir().unwrap());
    query(&server, "CREATE SEQUENCE attempts");
    let fails = "DO $$ BEGIN IF nextval('attempts') % 3 = 1 THEN RAISE serialization_failure; END IF; END $$;";
    let text = format!(
        "\\set a random(1, 9999)\nBEGIN;\nSELECT :a /* t */;\n{fails}\n\\set b random(1, 9999)\nSELECT :a, :b;\nEND;\n"
    );
    script(folder.path(), "retry.sql", &text);
    for mode in ["simple", "prepared"] {
        let line = format!("-n -f retry.sql -t 10 --max-tries=5 --random-seed=4711 -M {mode}");
        let [theirs, mine] = [real as fn() -> Command, ours].map(|program| {
            query(&server, "ALTER SEQUENCE attempts RESTART");
            sessions(&server, || {
                let (code, out, err) = run(program(), &server, &line, folder.path());
                assert!(code == 0 && out.contains("total number of retries: 5\n"), "{line}: {code} {out}{err}");
            })
        });
        assert_eq!(clients(mine), theirs, "{line}");
    }
}

/// Each step of `-i`, with whatever changes its statements.
#[test]
fn tables_are_made_by_the_same_statements() {
    let (server, folder) = (logging(), tempfile::tempdir().unwrap());
    // Both find tables to drop.
    assert_eq!(run(real(), &server, "-i -q", folder.path()).0, 0);
    for options in [
        "-i",
        "-i -s 2 -I dtGvpf --fillfactor=90 --unlogged-tables -q",
        "-i -I dtgp --partitions=3 -n",
        "-i -I dtGp --partitions=2 --partition-method=hash --foreign-keys",
    ] {
        let mut ended = Vec::new();
        let theirs = sessions(&server, || ended.push(run(real(), &server, options, folder.path())));
        let mine =
            sessions(&server, || ended.push(run(ours(), &server, &format!("{options} --allow-drop"), folder.path())));
        assert!(ended.iter().all(|(code, ..)| *code == 0), "{options}: {ended:?}");
        let work = |all: Vec<Vec<String>>| {
            let own = |statement: &String| !statement.contains("tenbin_mark");
            let begins = |all: &Vec<String>| all.iter().any(|s| s.starts_with("drop table if exists pgbench"));
            all.into_iter().find(begins).map(|all| all.into_iter().filter(own).collect::<Vec<_>>())
        };
        assert_eq!(work(mine), work(theirs), "{options}");
        // What both say is the same but for times.
        let text: Vec<String> = ended.iter().map(|(_, _, err)| without_numbers(err)).collect();
        assert_eq!(text[1], text[0], "{options}");
    }
}

/// A text with `N` for each number.
fn without_numbers(text: &str) -> String {
    let mut out = String::new();
    for c in text.chars() {
        match c {
            '0'..='9' | '.' if out.ends_with('N') => {}
            '0'..='9' => out.push('N'),
            c => out.push(c),
        }
    }
    out
}

/// Of others, and of the real pgbench since ours: only on request.
#[test]
fn tables_of_others_are_dropped_only_on_request() {
    let (server, folder) = (postgres(&[]), tempfile::tempdir().unwrap());
    let mine = |line: &str| run(ours(), &server, line, folder.path());
    assert_eq!(mine("-i -q").0, 0);
    assert_eq!(mine("-i -q").0, 0, "ours may be replaced");
    // The same names again, but of somebody else.
    assert_eq!(run(real(), &server, "-i -q", folder.path()).0, 0);
    let number = || query(&server, "SELECT 'pgbench_accounts'::regclass::oid").remove(0);
    let theirs = number();
    let (code, out, err) = mine("-i -q");
    assert_eq!((code, out.as_str()), (1, ""));
    assert!(err.contains("was not made by Tenbin") && err.contains("--allow-drop"), "{err}");
    assert_eq!(number(), theirs, "it was left alone");
    // Nor are they emptied or changed by single steps.
    query(&server, "DELETE FROM pgbench_accounts WHERE aid > 5");
    for steps in ["g", "G", "f"] {
        let (code, out, err) = mine(&format!("-i -q -I {steps}"));
        assert!(code == 1 && err.contains("neither emptied nor changed"), "{steps}: {code} {out}{err}");
        assert!(err.contains("--allow-drop"), "{steps}: {err}");
    }
    let rows = || query(&server, "SELECT COUNT(*) FROM pgbench_accounts").remove(0).remove(0);
    assert_eq!(rows(), "5");
    // What the statement drops is what the names mean in it, in whatever schema.
    query(&server, "CREATE SCHEMA new");
    let along = |path: &str, line: &str| {
        let mut command = ours();
        command.env("PGOPTIONS", format!("-c search_path={path}"));
        run(command, &server, line, folder.path())
    };
    for line in ["-i -q", "-i -q -I g"] {
        let (code, out, err) = along("new,public", line);
        assert!(code == 1 && err.contains("public.pgbench_accounts was not made by Tenbin"), "{code} {out}{err}");
    }
    let (code, out, err) = along("pg_catalog,public", "-i -q");
    assert!(code == 1 && err.contains("pg_catalog"), "{code} {out}{err}");
    assert_eq!((number(), rows().as_str()), (theirs.clone(), "5"));
    assert_eq!(along("new", "-i -q").0, 0, "there are none in it");
    assert_eq!(along("new,public", "-i -q").0, 0, "those of the first schema are ours");
    assert_eq!((number(), rows().as_str()), (theirs.clone(), "5"));
    assert_eq!(mine("-S -t 5").0, 0, "it can be used");
    assert_eq!(mine("-i -q -I g --allow-drop").0, 0);
    assert_eq!((number(), rows().as_str()), (theirs.clone(), "100000"));
    assert_eq!(mine("-i -q --allow-drop").0, 0);
    assert_ne!(number(), theirs);
}

/// Foreign keys are those of pgbench, also to each partition, or of somebody else, who may have given none a name.
#[test]
fn what_others_have_attached_is_dropped_only_on_request() {
    let (server, folder) = (postgres(&[]), tempfile::tempdir().unwrap());
    let mine = |line: &str| run(ours(), &server, line, folder.path());
    let all = "-i -q -I dtgpf --partitions=2";
    for _ in 0..2 {
        let (code, out, err) = mine(all);
        assert_eq!(code, 0, "its foreign keys are its own: {out}{err}");
    }
    query(&server, "CREATE TABLE branches (id INT PRIMARY KEY)");
    for (attach, named, detach) in [
        (
            "ALTER TABLE pgbench_history ADD FOREIGN KEY (delta) REFERENCES branches NOT VALID",
            "pgbench_history has foreign key pgbench_history_delta_fkey (delta) REFERENCES branches(id) NOT VALID",
            "ALTER TABLE pgbench_history DROP CONSTRAINT pgbench_history_delta_fkey",
        ),
        ("CREATE VIEW rich AS SELECT aid FROM pgbench_accounts", "pgbench_accounts has view rich", "DROP VIEW rich"),
    ] {
        query(&server, attach);
        let (code, out, err) = mine(all);
        assert!(code == 1 && err.contains(named) && err.contains("--allow-drop"), "{code} {out}{err}");
        assert_eq!(query(&server, "SELECT COUNT(*) FROM pgbench_accounts"), [["100000"]], "nothing was dropped");
        query(&server, detach);
    }
    query(&server, "CREATE INDEX bi ON pgbench_accounts(filler)");
    assert_eq!(mine(&format!("{all} --allow-drop")).0, 0);
    assert_eq!(mine("-i -q").0, 0, "nothing is attached any more");
}

/// A function of somebody else that reads one of our tables keeps them from being dropped; they are ours still.
#[test]
fn tables_that_could_not_be_dropped_are_still_ours() {
    let (server, folder) = (postgres(&[]), tempfile::tempdir().unwrap());
    let mine = |line: &str| run(ours(), &server, line, folder.path());
    assert_eq!(mine("-i -q").0, 0);
    let body = "BEGIN ATOMIC SELECT COUNT(*) FROM pgbench_accounts; END";
    query(&server, &format!("CREATE FUNCTION rich() RETURNS BIGINT LANGUAGE SQL {body}"));
    for _ in 0..2 {
        let (code, out, err) = mine("-i -q");
        assert!(code != 0 && err.contains("because other objects depend on"), "{code} {out}{err}");
    }
    query(&server, "DROP FUNCTION rich");
    let (code, out, err) = mine("-i -q");
    assert_eq!(code, 0, "{out}{err}");
    let marks = "SELECT COUNT(*) FROM tenbin_mark WHERE made_by LIKE '%oid %'";
    assert_eq!(query(&server, marks), [["4"]]);
}

/// A report has the real one's lines, and a client that ends early has its exit code.
#[test]
fn reports_logs_and_exit_codes_are_the_real_ones() {
    let (server, folder) = (postgres(&[]), tempfile::tempdir().unwrap());
    assert_eq!(run(ours(), &server, "-i -q", folder.path()).0, 0);
    script(folder.path(), "bad.sql", "SELECT nonsense;\n");
    script(folder.path(), "open.sql", "BEGIN;\nSELECT 1;\n");
    script(folder.path(), "ok.sql", "\\set a random(1, 10)\nSELECT :a;\n\\sleep 1 ms\n");
    script(folder.path(), "copies.sql", "SELECT 1 \\; COPY pgbench_branches TO STDOUT;\n");
    script(folder.path(), "copied.sql", "COPY pgbench_branches FROM STDIN;\n");
    let piped = "\\startpipeline\nSELECT 1;\nCOPY pgbench_branches FROM STDIN;\n\\endpipeline\n";
    script(folder.path(), "piped.sql", piped);
    script(folder.path(), "doze.sql", "\\set x 2.7\n\\sleep :x ms\n\\sleep :y ms\nSELECT 1;\n");
    script(folder.path(), "nan.sql", "\\set a debug(least(1, 0.0 / 0))\n\\set b debug(least(0.0 / 0, 1))\n");
    script(folder.path(), "long.sql", &format!("SELECT '{}';\n", "x".repeat(300)));
    let fails = "BEGIN;\nDO $$ BEGIN RAISE EXCEPTION 'x' USING ERRCODE = '40001'; END $$;\nEND;\n";
    script(folder.path(), "late.sql", &format!("\\sleep 1500 ms\n{fails}"));
    script(folder.path(), "fails.sql", fails);
    // A variable keeps its value when the transaction is tried again.
    let again =
        "\\set n :n + 1\nDO $$ BEGIN IF :n < 3 THEN RAISE EXCEPTION 'x' USING ERRCODE = '40001'; END IF; END $$;\n";
    script(folder.path(), "again.sql", again);
    for line in [
        "-S -t 5 -c 2 -j 2",
        "-N -t 3 -r -n",
        "-S -T 1 -n -M prepared",
        "-S -t 20 -C -n -c 2",
        // With a seed, so that both execute each script as often.
        "-n -t 12 -f ok.sql@2 -b se -r --failures-detailed --max-tries=3 --random-seed=7",
        "-n -t 50 -S -R 1000 -L 100",
        "-n -t 2 -f bad.sql",
        "-n -t 2 -f open.sql",
        "-n -t 2 -f nofile.sql",
        "-n -t 2 -f copies.sql",
        "-n -t 2 -f copied.sql",
        "-n -t 2 -f copied.sql -M extended",
        "-n -t 2 -f copied.sql -M prepared",
        "-n -t 2 -f piped.sql -M extended",
        "-n -t 2 -f piped.sql -M prepared",
        "-n -t 2 -f doze.sql -D y=1ms",
        "-n -t 2 -f doze.sql -D y=-0.5",
        "-n -t 2 -f nan.sql",
        "-n -t 2 -f long.sql -r",
        "-n -T 1 -f late.sql",
        "-n -T 1 -f late.sql --max-tries=2 --verbose-errors",
        "-n -t 2 -f fails.sql --max-tries=2 --verbose-errors -r",
        "-n -t 1 -f again.sql -D n=0 --max-tries=5 -r",
        "-n -t 1 -S --max-tries=3x",
        "-n -t 2 -c 0",
        "-n -t 2 -c 99999999999999999999",
        "-n -S --random-seed=5 -c 0",
        "-n -S -c 0 --bad-option",
        "-i --random-seed=5",
        "-i --partitions=0 --partition-method=HASH",
        "--max-tries=-1",
        "--show-script=se",
        "-b list",
    ] {
        let [theirs, mine] = [real(), ours()].map(|program| run(program, &server, line, folder.path()));
        assert_eq!(mine.0, theirs.0, "{line}: {mine:?} {theirs:?}");
        let lines = |text: &str| -> Vec<String> {
            // The option's name in this message differs between minor versions.
            let text = text.replace("-c/--clients must", "-c/--client must");
            let body = text.lines().filter(|line| !line.starts_with("pgbench ("));
            body.map(|line| without_numbers(line).split_whitespace().collect::<Vec<_>>().join(" ")).collect()
        };
        assert_eq!(lines(&mine.1), lines(&theirs.1), "{line}: {}", mine.2);
        assert_eq!(lines(&mine.2), lines(&theirs.2), "{line}");
    }
    let of_log = |program: Command, prefix: &str| {
        let line = format!("-n -S -t 6 -c 2 -l --log-prefix={prefix} -R 500 --max-tries=2");
        assert_eq!(run(program, &server, &line, folder.path()).0, 0);
        let named = |path: &PathBuf| path.file_name().is_some_and(|name| name.to_string_lossy().starts_with(prefix));
        let files: Vec<PathBuf> =
            std::fs::read_dir(folder.path()).unwrap().map(|e| e.unwrap().path()).filter(named).collect();
        assert_eq!(files.len(), 1, "one file for one thread");
        let mut lines: Vec<String> = std::fs::read_to_string(&files[0]).unwrap().lines().map(without_numbers).collect();
        lines.sort();
        lines
    };
    assert_eq!(of_log(ours(), "mine"), of_log(real(), "theirs"));
}

/// What `-d` tells of the commands of a script, also of the one that fails, and in what order.
#[test]
fn each_command_is_shown_before_what_it_shows_and_before_it_fails() {
    let (server, folder) = (postgres(&[]), tempfile::tempdir().unwrap());
    let text = "\\set a 1\n\\set b debug(:a + 1)\n\\if debug(:b > 1)\nSELECT :b;\n\\endif\n\\set c :none\n";
    script(folder.path(), "told.sql", text);
    let [theirs, mine] = [real(), ours()].map(|program| {
        let (code, _, err) = run(program, &server, "-n -t 1 -d -f told.sql", folder.path());
        let is_shown = |line: &&str| ["executing", "debug(", "aborted"].iter().any(|word| line.contains(word));
        (code, err.lines().filter(is_shown).map(str::to_owned).collect::<Vec<_>>())
    });
    assert!(theirs.1.iter().any(|line| line.contains("executing \\set c")), "{theirs:?}");
    assert_eq!(mine, theirs);
}

/// The time of `-T` is not waited for by clients that were aborted: the figures are of the time until the last of them was.
#[test]
fn a_run_whose_clients_are_all_aborted_lasts_until_the_last_of_them_is() {
    let (server, folder) = (postgres(&[]), tempfile::tempdir().unwrap());
    let text = "\\set x random(1, 10)\nSELECT 1 / (CASE WHEN :x = 1 THEN 0 ELSE 1 END);\n";
    script(folder.path(), "err.sql", text);
    // The seconds that they counted, and their exit codes.
    let [theirs, mine] = [real(), ours()].map(|program| {
        let (code, out, _) = run(program, &server, "-c 3 -T 60 -n -f err.sql --random-seed=5", folder.path());
        let number = |before: &str| -> f64 {
            let line = out.lines().find(|line| line.starts_with(before)).unwrap_or_else(|| panic!("{out}"));
            line[before.len()..].split_whitespace().next().unwrap().parse().unwrap()
        };
        (code, number("number of transactions actually processed: ") / number("tps = "))
    });
    assert_eq!((mine.0, theirs.0), (2, 2));
    assert!(theirs.1 < 30.0 && mine.1 < 30.0, "{theirs:?} {mine:?}");
}

/// From PostgreSQL 18 on a run can end with its first aborted client, whose thread is named.
#[test]
fn a_run_that_ends_with_its_first_aborted_client_names_the_thread() {
    let (server, folder) = (postgres(&[]), tempfile::tempdir().unwrap());
    script(folder.path(), "err.sql", "\\if :client_id = 2\n\\set y 1/0\n\\endif\n\\sleep 10 ms\n");
    let (code, out, err) = run(ours(), &server, "-c 3 -j 3 -T 60 -n -f err.sql --exit-on-abort", folder.path());
    assert_eq!(code, 2, "{out}{err}");
    assert!(err.contains("pgbench: error: Run was aborted due to an error in thread 2\n"), "{err}");
}

/// A run of the name leaves what a run of a plan leaves, and says what a failed client met.
#[test]
fn a_run_directory_stands_beside_the_report() {
    let (server, folder) = (postgres(&[]), tempfile::tempdir().unwrap());
    assert_eq!(run(ours(), &server, "-i -q", folder.path()).0, 0);
    let mut command = ours();
    command.env("TENBIN_RUNS", folder.path().join("runs"));
    let (code, out, err) = run(command, &server, "-t 10 -c 2", folder.path());
    assert_eq!((code, err.as_str()), (0, "starting vacuum...end.\n"), "{out}");
    let (_, json) = tenbin_tests::read_back(&folder.path().join("runs"));
    assert_eq!(json["trials"][0]["accounting"]["completed"], 20, "{json}");
}

/// At a rate and with a connection for each transaction, the times of the run directory are those of the log: from the intended start, and the
/// wait for it and the connecting once.
#[test]
fn the_times_of_the_run_directory_are_those_of_the_log() {
    let (server, folder) = (postgres(&[]), tempfile::tempdir().unwrap());
    assert_eq!(run(ours(), &server, "-i -q", folder.path()).0, 0);
    // Of two clients with 10 ms of work more starts fall due than they can serve.
    script(folder.path(), "slow.sql", "SELECT pg_sleep(0.01);\n");
    // The end of a connection is in the response time, and not in the log: on a busy machine it is a tenth of it.
    let cases = [("free", "-n -S -C -t 40 -c 2 -R 50", 0.25), ("late", "-n -f slow.sql -t 40 -c 2 -R 400", 0.02)];
    for (name, line, share) in cases {
        let mut command = ours();
        command.env("TENBIN_RUNS", folder.path().join(name));
        let (code, out, err) = run(command, &server, &format!("{line} -l --log-prefix={name}"), folder.path());
        assert_eq!(code, 0, "{out}{err}");
        let (_, json) = tenbin_tests::read_back(&folder.path().join(name));
        let response = &json["trials"][0]["response"];
        assert_eq!(response["count"], 80, "{json}");
        let median_ms = response["p50_ms"].as_f64().unwrap();
        let is_log =
            |path: &PathBuf| path.is_file() && path.file_name().is_some_and(|n| n.to_string_lossy().starts_with(name));
        let mut files = std::fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().path()).filter(is_log);
        let log = std::fs::read_to_string(files.next().unwrap()).unwrap();
        let mut times: Vec<f64> =
            log.lines().map(|line| line.split(' ').nth(2).unwrap().parse::<f64>().unwrap() / 1e3).collect();
        assert_eq!(times.len(), 80, "{log}");
        times.sort_by(f64::total_cmp);
        // The fortieth of eighty, as the histogram has it, to three digits. What the engine does before and after a transaction is not in the log;
        // a thread that waits for a processor there makes a few much longer, and not the median.
        let truth_ms = times[39];
        assert!(
            (-0.01 * truth_ms..0.5 + share * truth_ms).contains(&(median_ms - truth_ms)),
            "{name}: {median_ms} ms, in the log {truth_ms}"
        );
    }
}

/// What libpq and pgbench do with addresses, lists of hosts and logs, each beside the real one.
#[test]
fn addresses_are_completed_and_mistakes_told_as_by_the_real_one() {
    let server = postgres(&[]);
    let folder = tempfile::tempdir().unwrap();
    let dsn = Dsn::parse(&server.dsn()).unwrap();
    let (port, database) = (dsn.port.unwrap(), dsn.database.clone());
    assert_eq!(run(ours(), &server, "-i -q", folder.path()).0, 0);
    let several = format!("postgresql://127.0.0.1:1,127.0.0.1:{port}/{database}");
    // Blanks within a word of a line.
    let key_words = ["keepalives=1", "target_session_attrs=any", "sslrootcert=/nowhere/ca.pem"].join("\u{1}");
    let key_words = format!("dbname={database}\u{1}{key_words}");
    for line in [
        &format!("-n -S -t 2 postgresql:///{database}"),
        &format!("-n -S -t 2 postgres://127.0.0.1:{port}/{database}?connect_timeout=5"),
        &format!("-n -S -t 2 -h 127.0.0.1,127.0.0.2 {database}"),
        &format!("-n -S -t 2 {several}"),
        &format!("-n -S -t 2 {key_words}"),
        &format!("-n -S -t 2 dbname={database}\u{1}target_session_attrs=read-write"),
        &format!("-n -S -t 2 dbname={database}\u{1}target_session_attrs=prefer-standby"),
        &format!("-n -S -t 2 dbname={database}\u{1}target_session_attrs=standby"),
        &format!("-n -S -t 2 -h 127.0.0.1,127.0.0.2 -p 1,2 {database}"),
        &format!("-n -S -t 2 -h localhost -p 1 {database}"),
        &format!("-n -S -t 2 -h localhost,127.0.0.1 -p 1,2 {database}"),
        &format!("-n -S -t 2 -h localhost {database}-missing"),
        "-n -S -t 2 -C",
        "-d -n -S -t 2 -h 127.0.0.1 -p 1",
        "-n -S -T 1 -l --log-prefix=/nowhere/x",
        "-n -S -t 2 -p 1,2,3",
        "-n -S -t 2 nothing=1",
    ] {
        let with = |mut command: Command| {
            command.args(line.split_whitespace().map(|word| word.replace('\u{1}', " "))).current_dir(folder.path());
            command.env("PGHOST", "127.0.0.1").env("PGPORT", port.to_string()).env("PGUSER", &dsn.user);
            command.env("PGDATABASE", &database).env("TENBIN_QUIET", "1");
            output_of(&mut command)
        };
        let ((code, out, err), (real, theirs, their_err)) = (with(ours()), with(self::real()));
        assert_eq!(code, real, "{line}\n{out}{err}\n{theirs}{their_err}");
        if code == 0 {
            assert!(out.contains("number of transactions actually processed: 2/2"), "{line}\n{out}{err}");
        } else {
            // The real one adds that there is no connection.
            let [text, theirs] = [&err, &their_err].map(|err| without_numbers(err.lines().next().unwrap_or_default()));
            assert_eq!(text, theirs, "{line}");
        }
    }
    // A run makes nothing in the schema of its sessions.
    let mut command = ours();
    command.env("PGOPTIONS", "-c search_path=pg_catalog,public");
    let (code, out, err) = run(command, &server, "-n -S -t 2", folder.path());
    assert_eq!(code, 0, "{out}{err}");
    // The limit of the sessions is that of the clients, not of what Tenbin asks itself.
    let connector = connector(&format!("{}?options=-c%20statement_timeout%3D7s", server.dsn()));
    let limit = async |own: bool| {
        let opened = if own { connector.connect_ready().await } else { connector.connect(Transport::Shared).await };
        opened.unwrap().table("SHOW statement_timeout").await.unwrap().scalar().unwrap().to_owned()
    };
    assert_eq!(on(async { (limit(true).await, limit(false).await) }), ("0".to_owned(), "7s".to_owned()));
    // With a connection for each transaction no transaction takes less than its own.
    let (_, out, err) = run(ours(), &server, "-n -S -C -t 1", folder.path());
    let figure = |name: &str| -> f64 {
        let line = out.lines().find_map(|line| line.strip_prefix(name)).unwrap_or_else(|| panic!("{name}: {out}{err}"));
        line.split_whitespace().next().unwrap().parse().unwrap()
    };
    let (connecting_ms, tps) = (figure("average connection time = "), figure("tps = "));
    assert!(1e3 / tps >= connecting_ms, "{tps} {connecting_ms}\n{out}");
}

/// Mistakes whose words depend on what the environment names, and on the account.
#[test]
fn passwords_services_and_rights_that_are_missing_are_told_as_by_the_real_one() {
    let (server, folder) = (postgres(&[]), tempfile::tempdir().unwrap());
    assert_eq!(run(real(), &server, "-i -q", folder.path()).0, 0);
    query(&server, "CREATE ROLE weak LOGIN");
    let many = format!("\\set x 1\nSELECT {};\n", vec![":x"; 256].join(","));
    script(folder.path(), "many.sql", &many);
    for (line, name, value) in [
        ("-n -t 1", "PGSERVICEFILE", "/nowhere/services"),
        ("-n -t 1", "PGCONNECT_TIMEOUT", "x"),
        ("-n -S -t 1", "PGCONNECT_TIMEOUT", "0"),
        ("-n -t 1 -U weak", "PGAPPNAME", "own"),
        ("-n -t 1 -f many.sql -M extended", "PGAPPNAME", "own"),
    ] {
        let [theirs, mine] = [real(), ours()].map(|mut command| {
            command.env(name, value);
            if name == "PGSERVICEFILE" {
                command.env("PGSERVICE", "own");
            }
            let (code, _, err) = run(command, &server, line, folder.path());
            (code, err)
        });
        assert_eq!(mine, theirs, "{line} {name}");
    }
}

/// Who stops a container kills it after ten seconds: the report is there before.
#[test]
fn a_long_statement_does_not_keep_the_report_from_whoever_stops_it() {
    let server = postgres(&[]);
    let folder = tempfile::tempdir().unwrap();
    script(folder.path(), "long.sql", "SELECT pg_sleep(60);\n");
    let dsn = Dsn::parse(&server.dsn()).unwrap();
    let mut command = tenbin_through("timeout", &["-k", "9", "3"]);
    command.args(["pgbench", "-n", "-f", "long.sql", "-T", "60"]);
    command.current_dir(folder.path()).env("PGHOST", "127.0.0.1").env("PGPORT", dsn.port.unwrap().to_string());
    command.env("PGUSER", &dsn.user).env("PGDATABASE", &dsn.database).env("TENBIN_QUIET", "1");
    let (code, out, err) = output_of(&mut command);
    assert!(code == 124 && out.contains("number of transactions actually processed: 0"), "{code} {out}{err}");
}

/// The server is asked before the clients connect and after they have left: that it has no session of theirs then is no limit.
#[test]
fn a_server_that_sleeps_is_not_said_to_let_nobody_in() {
    let (server, folder) = (postgres(&[]), tempfile::tempdir().unwrap());
    script(folder.path(), "slow.sql", "SELECT pg_sleep(0.01);\n");
    let mut command = ours();
    command.env("TENBIN_RUNS", folder.path().join("runs"));
    let (code, out, err) = run(command, &server, "-n -f slow.sql -T 3 -c 16", folder.path());
    assert_eq!(code, 0, "{out}{err}");
    let why = tenbin_tests::read_back(&folder.path().join("runs")).1["trials"][0]["why"].clone();
    assert!(why["limit"].is_string() && why["limit"] != "admission", "{why}");
    assert!(!why.to_string().contains("connections for"), "{why}");
}
