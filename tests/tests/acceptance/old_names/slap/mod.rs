//! `mysqlslap …`, typed as in posts, against a private MariaDB, with Debian's own beside it: what is printed, what the
//! server was asked, and how often. mysqlslap's faults are tests here.

#![expect(clippy::unwrap_used, reason = "a test may")]

mod connections;
mod failures;
mod schemas;

use std::path::PathBuf;
use std::process::Command;
use tenbin_servers::sandbox::Sandbox;
use tenbin_tests::{mariadb, output_of, target_dir};

/// Tenbin under mysqlslap's name in a directory of its own, and a server.
struct SlapDir {
    dir: tempfile::TempDir,
    server: Sandbox,
}

impl SlapDir {
    fn new(server: &[(&str, &str)]) -> SlapDir {
        let dir = tempfile::tempdir().unwrap();
        std::os::unix::fs::symlink(target_dir().join("tenbin"), dir.path().join("mysqlslap")).unwrap();
        SlapDir { dir, server: mariadb(server) }
    }

    fn socket(&self) -> String {
        self.server.dir().join("s.sock").display().to_string()
    }

    fn port(&self) -> String {
        self.server.dsn().rsplit(':').next().unwrap().split('/').next().unwrap().to_owned()
    }

    fn path(&self, name: &str) -> PathBuf {
        self.dir.path().join(name)
    }

    fn command(&self, program: &str, words: &[&str]) -> Command {
        let mut command = Command::new(program);
        command.arg("--no-defaults").args(words).current_dir(self.dir.path()).env("LANG", "C.UTF-8");
        command.env_remove("TENBIN_RUNS").env_remove("TENBIN_QUIET").env_remove("MYSQL_UNIX_PORT");
        command
    }

    fn ours(&self, words: &[&str]) -> (i32, String, String) {
        output_of(&mut self.at_server(words))
    }

    fn at_server(&self, words: &[&str]) -> Command {
        let mut command = self.command(&self.path("mysqlslap").display().to_string(), words);
        command.args(["--socket", &self.socket(), "--user", "root"]);
        command
    }

    fn theirs(&self, words: &[&str]) -> (i32, String, String) {
        output_of(self.command("/usr/bin/mariadb-slap", words).args(["--socket", &self.socket(), "--user", "root"]))
    }

    /// The first column of an answer of the server.
    fn ask(&self, sql: &str) -> String {
        let socket = self.socket();
        let (code, out, err) = output_of(Command::new("mariadb").args([
            "--no-defaults",
            "-S",
            &socket,
            "-u",
            "root",
            "-N",
            "-B",
            "-e",
            sql,
        ]));
        assert_eq!(code, 0, "{sql}: {err}");
        out.trim().to_owned()
    }
}

/// The text with every figure of seconds as S.
fn masked(text: &str) -> String {
    let seconds = |w: &str| {
        w.split_once('.').is_some_and(|(a, b)| b.len() == 3 && (a.to_owned() + b).bytes().all(|c| c.is_ascii_digit()))
    };
    let mask = |line: &str| {
        line.split([' ', ',']).fold(line.to_owned(), |l, w| if seconds(w) { l.replacen(w, "S", 1) } else { l })
    };
    text.lines().map(|line| mask(line) + "\n").collect()
}

#[test]
fn what_is_printed_is_theirs() {
    let here = SlapDir::new(&[]);
    for line in [
        // E4's, with smaller numbers.
        "--concurrency=3 --engine=innodb --auto-generate-sql --auto-generate-sql-add-autoincrement --auto-generate-sql-load-type=mixed --number-of-queries=30 --iterations 3",
        "--concurrency=2 --engine=innodb --auto-generate-sql --auto-generate-sql-add-autoincrement --auto-generate-sql-load-type=key --number-of-queries=20 --iterations 2 --csv",
        "-a -c 1,4 --auto-generate-sql-execute-number=5 -vv",
        "-a -c 2 --auto-generate-sql-load-type=update --auto-generate-sql-guid-primary --number-of-queries=10 --commit=3",
        "-a -s",
        "--create-schema=sbtest --query=select+1 -c 2 -i 2 -vv",
        "-a -c 1 --auto-generate-sql-load-type=write --number-of-queries=3 -vv",
        "-a --create-schema=my-own+schema --number-of-queries=3",
    ] {
        let words: Vec<String> = line.split(' ').map(|w| w.replace('+', " ")).collect();
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        let (ours, theirs) = (here.ours(&words), here.theirs(&words));
        assert_eq!((ours.0, masked(&ours.1)), (theirs.0, masked(&theirs.1)), "{line}\n{}\n{}", ours.2, theirs.2);
    }
    assert_eq!(here.ask("SHOW DATABASES LIKE 'mysqlslap'"), "", "dropped in the end");
    assert_eq!(std::fs::read_dir(here.path("runs")).unwrap().count(), 8, "each run is kept");
}

#[test]
fn verbosity_shows_stages_and_statements_as_theirs() {
    let here = SlapDir::new(&[]);
    // Whether there is a schema to drop is looked up first here, keys are read where they are used, and theirs shows
    // CREATE SCHEMA twice.
    let alike = |text: &str| {
        let ours = |l: &String| !l.starts_with("DROP") && l != "SELECT id from t1;";
        let shown: Vec<String> = masked(text).lines().map(str::to_owned).filter(ours).collect();
        let once = |i: &usize| *i == 0 || !(shown[*i].starts_with("CREATE SCHEMA") && shown[*i] == shown[*i - 1]);
        (0..shown.len()).filter(once).map(|i| shown[i].clone() + "\n").collect::<String>()
    };
    for line in [
        "-a -c 1 --number-of-queries=12 --auto-generate-sql-write-number=5 -i 2 -vvv",
        "-a -c 1 --auto-generate-sql-load-type=read --auto-generate-sql-guid-primary --auto-generate-sql-write-number=3 --number-of-queries=3 -vvv",
        "--create=create+table+t(a+int) --query=insert+into+t+values(1) -c 1 --number-of-queries=3 --pre-query=select+1 --post-query=select+2 -vvv",
        "--create-schema=sbtest --query=select+1 -c 1 -vvv",
    ] {
        let words: Vec<String> = line.split(' ').map(|w| w.replace('+', " ")).collect();
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        let (ours, theirs) = (here.ours(&words), here.theirs(&words));
        assert_eq!((ours.0, alike(&ours.1)), (theirs.0, alike(&theirs.1)), "{line}\n{}", ours.2);
    }
    let keyed = "-a -c 2 --auto-generate-sql-load-type=key --auto-generate-sql-add-autoincrement --number-of-queries=20 --commit=5 -vvv";
    let (_, shown, _) = here.ours(&keyed.split(' ').collect::<Vec<_>>());
    let times = |what: &str| shown.lines().filter(|line| line.starts_with(what)).count();
    let statements =
        ["SELECT id from t1;", "connected!", "SELECT intcol1,charcol1 FROM t1 WHERE id =  '", "COMMIT;"].map(times);
    // Ten each: after five, and after ten, which is the end.
    assert_eq!(statements, [1, 2, 20, 4], "{shown}");
}

#[test]
fn statements_are_theirs_to_the_byte() {
    let here = SlapDir::new(&[]);
    std::fs::write(here.path("t.sql"), "create table t(a int);\ninsert into t values (1)").unwrap();
    for line in [
        "-a --number-of-queries=22",
        "-a --number-of-queries=30 -c 1,5 -i 2 --engine=innodb,memory:max_rows=10",
        "-a --auto-generate-sql-guid-primary --auto-generate-sql-load-type=key -y2:1 -x3:1 --number-of-queries=30",
        "-a --auto-generate-sql-add-autoincrement --auto-generate-sql-load-type=update -y3 -x2 --auto-generate-sql-execute-number=7 -c2",
        "-a --auto-generate-sql-load-type=write --auto-generate-sql-secondary-indexes=2 --auto-generate-sql-unique-query-number=3 --number-of-queries=9",
        "-a --auto-generate-sql-load-type=read --auto-generate-sql-write-number=1 -c 3",
        "-a --auto-generate-sql-unique-write-number=3 --auto-generate-sql-write-number=9 --no-drop",
        "--create=t.sql --query=t.sql --delimiter=; --create-schema=x --engine=innodb -c 2",
        "--query=t.sql --delimiter=; --number-of-queries=6 -c 3",
    ] {
        let words: Vec<&str> = line.split(' ').chain(["--only-print"]).collect();
        let (ours, mut theirs) = (here.ours(&words), here.theirs(&words));
        assert_eq!(ours.0, 0, "{line}: {}", ours.2);
        // Its clients print when their threads get to it: on a busy machine one text in three has two of them changed
        // about.
        for _ in 0..20 {
            if ours.1 != theirs.1 {
                theirs = here.theirs(&words);
            }
        }
        // --no-drop leaves theirs without a DROP as well; file by file the texts are the same.
        assert!(ours.1 == theirs.1, "{line}\n{}", first_difference(&ours.1, &theirs.1));
    }
}

fn first_difference(a: &str, b: &str) -> String {
    let pair = a.lines().zip(b.lines()).find(|(a, b)| a != b);
    pair.map_or_else(
        || format!("{} lines, {} lines", a.lines().count(), b.lines().count()),
        |(a, b)| format!("{a}\n{b}"),
    )
}

#[test]
fn totals_are_exact() {
    let here = SlapDir::new(&[]);
    here.ask("CREATE TABLE sbtest.n(a INT)");
    let count = |words: &[&str]| {
        here.ask("TRUNCATE sbtest.n");
        let fixed = ["--create-schema=sbtest", "--query=insert into n values (1)"];
        let (code, _, err) = here.ours(&[&fixed[..], words].concat());
        assert_eq!(code, 0, "{words:?} {err}");
        here.ask("SELECT COUNT(*) FROM sbtest.n")
    };
    assert_eq!(count(&["--number-of-queries=7", "-c", "2"]), "7", "the remainder is not lost");
    assert_eq!(count(&["--number-of-queries=3", "-c", "4"]), "3", "fewer than clients is no licence for more");
    assert_eq!(count(&["--number-of-queries=0", "-c", "3", "-i", "2"]), "6", "0 is once each");
    assert_eq!(count(&["--number-of-queries=9", "-c", "3", "--detach=2", "--commit=2"]), "9", "committed to the last");
}

#[test]
fn files_of_any_bytes_and_size_and_delimiters_of_any_length() {
    let here = SlapDir::new(&[]);
    here.ask("CREATE TABLE sbtest.b(a VARBINARY(20))");
    std::fs::write(
        here.path("binary.sql"),
        b"insert into b values ('\xff\xfe;$$\x80')$$ -- it's; $$ a comment\n insert into b values (x'00')$$",
    )
    .unwrap();
    let (code, out, err) = here.ours(&["--create-schema=sbtest", "--query=binary.sql", "--delimiter=$$", "-c", "2"]);
    assert_eq!(code, 0, "{err}");
    assert!(out.contains("queries per client: 2\n"), "{out}");
    assert_eq!(
        here.ask("SELECT COUNT(*), GROUP_CONCAT(DISTINCT HEX(a) ORDER BY a) FROM sbtest.b"),
        "4\t00,FFFE3B242480"
    );

    // Larger than what is kept in memory: each client reads it while it sends.
    let padded = format!("do 1 /* {} */;\n", "x".repeat(2000));
    std::fs::write(here.path("large.sql"), padded.repeat(3000)).unwrap();
    let before: u64 = here.ask("SHOW GLOBAL STATUS LIKE 'Com_do'").split('\t').nth(1).unwrap().parse().unwrap();
    let (code, out, err) = here.ours(&["--create-schema=sbtest", "--query=large.sql", "--delimiter=;", "-c", "2"]);
    assert_eq!(code, 0, "{err}");
    assert!(out.contains("queries per client: 3000\n"), "{out}");
    let (code, ..) =
        here.ours(&["--create-schema=sbtest", "--query=large.sql", "--delimiter=;", "--number-of-queries=4001"]);
    assert_eq!(code, 0, "from its beginning again");
    let after: u64 = here.ask("SHOW GLOBAL STATUS LIKE 'Com_do'").split('\t').nth(1).unwrap().parse().unwrap();
    assert_eq!(after - before, 2 * 3000 + 4001);

    let (code, _, err) = here.ours(&["--create-schema=sbtest", "--query=nowhere.sql"]);
    assert_eq!(code, 1);
    assert!(err.contains("there is no file nowhere.sql"), "{err}");
}

#[test]
fn a_query_file_of_a_gibibyte_takes_little_memory() {
    let here = SlapDir::new(&[]);
    // A thousand statements, a mebibyte of comment behind each: holes, which take no room on the disk.
    let mut file = std::fs::File::create(here.path("huge.sql")).unwrap();
    for i in 0..1024 {
        std::io::Seek::seek(&mut file, std::io::SeekFrom::Start(i << 20)).unwrap();
        std::io::Write::write_all(&mut file, b"\n; do 1 # ").unwrap();
    }
    std::io::Write::write_all(&mut file, b"\n").unwrap();
    assert!(file.metadata().unwrap().len() > 1023 << 20);
    // A program that keeps it in memory comes to an end here. The limit is on data: one on addresses (-v) would also count
    // what the allocator reserves for each thread and never touches.
    let line = format!(
        "ulimit -d 400000; exec ./mysqlslap --no-defaults -S {} -u root --create-schema=sbtest --query=huge.sql --delimiter=';' -c 2",
        here.socket()
    );
    let request_of =
        || here.ask("SHOW GLOBAL STATUS LIKE 'Com_do'").split('\t').nth(1).unwrap().parse::<u64>().unwrap();
    let before = request_of();
    let (code, out, err) = output_of(Command::new("sh").args(["-c", &line]).current_dir(here.dir.path()));
    assert_eq!(code, 0, "{out}{err}");
    assert!(out.contains("queries per client: 1024\n"), "{out}");
    assert_eq!(request_of() - before, 2 * 1024);
}

#[test]
fn around_each_iteration() {
    let here = SlapDir::new(&[]);
    let (code, _, err) = here.ours(&[
        "--create=create table t(a int); create table log(a int)",
        "--query=insert into t values (1)",
        "--pre-query=insert into log values (1)",
        "--post-query=insert into log select count(*) from t",
        "--pre-system=echo before >> said",
        "--post-system=echo after >> said",
        "--delimiter=;",
        "-c3",
        "-i2",
        "--no-drop",
    ]);
    assert_eq!(code, 0, "{err}");
    assert_eq!(std::fs::read_to_string(here.path("said")).unwrap(), "before\nafter\nbefore\nafter\n");
    assert_eq!(here.ask("SELECT GROUP_CONCAT(a ORDER BY a) FROM mysqlslap.log"), "1,3");
    let (code, _, err) = here.ours(&["-a", "--pre-system=exit 3"]);
    assert_eq!(code, 1);
    assert!(err.contains("the command failed: exit 3"), "{err}");
}

#[test]
fn clients_commit_as_often_as_theirs() {
    let here = SlapDir::new(&[]);
    let words =
        ["--create-schema=sbtest", "--query=select 1;select 2;select 3", "--delimiter=;", "--commit=2", "-c3", "-i2"];
    let commits = |run: &dyn Fn() -> i32| {
        let counted =
            || here.ask("SHOW GLOBAL STATUS LIKE 'Com_commit'").split('\t').nth(1).unwrap().parse::<i64>().unwrap();
        let before = counted();
        assert_eq!(run(), 0);
        counted() - before
    };
    assert_eq!([commits(&|| here.ours(&words).0), commits(&|| here.theirs(&words).0)], [12, 12]);
}

/// Many short iterations measure the server, and not what is done beside them.
#[test]
fn beside_the_clients_there_are_few_connections_and_commits_more_than_theirs() {
    let here = SlapDir::new(&[]);
    let counted = |name: &str| {
        here.ask(&format!("SHOW GLOBAL STATUS LIKE '{name}'")).split('\t').nth(1).unwrap().parse::<i64>().unwrap()
    };
    let tcp = ["-h127.0.0.1".to_owned(), format!("-P{}", here.port())];
    let words = |iterations: i64| {
        let iterations = format!("-i{iterations}");
        ["-a", "-c2", "--number-of-queries=20", &iterations].map(str::to_owned)
    };
    // Of a run, and of each iteration but the first. Each look at a counter is a connection itself.
    let both = |run: &dyn Fn(&[&str])| {
        let of = |iterations: i64| {
            let before = COUNTERS.map(counted);
            run(&words(iterations).each_ref().map(String::as_str));
            let after = COUNTERS.map(counted);
            [0, 1, 2].map(|i| after[i] - before[i])
        };
        let (one, eleven) = (of(1), of(11));
        (one, [0, 1, 2].map(|i| (eleven[i] - one[i]) / 10))
    };
    let (of_ours, ours) = both(&|words| assert_eq!(here.ours(words).0, 0));
    let (of_theirs, theirs) = both(&|words| assert_eq!(here.theirs(words).0, 0));
    assert_eq!(ours[..2], theirs[..2], "{COUNTERS:?} of an iteration");
    assert!(ours[2] <= theirs[2] + 7, "{COUNTERS:?} of an iteration: {ours:?} {theirs:?}");
    // A lock, the looks, some of them at the same time, and the schema that is dropped at the end.
    assert!(of_ours[0] <= of_theirs[0] + 5, "{COUNTERS:?} of a run: {of_ours:?} {of_theirs:?}");
    assert_eq!(of_ours[1], 0, "no transaction around what is read");
    let by_tcp = both(&|words| {
        let words: Vec<&str> = words.iter().copied().chain(tcp.iter().map(String::as_str)).collect();
        let (code, _, err) =
            output_of(here.command(&here.path("mysqlslap").display().to_string(), &words).args(["--user", "root"]));
        assert_eq!(code, 0, "{err}");
    });
    // Six more, by which it is seen whether several servers answer at the address.
    assert!(by_tcp.0[0] <= of_theirs[0] + 11 && by_tcp.1[0] == theirs[0], "{COUNTERS:?} over TCP: {by_tcp:?}");
}

const COUNTERS: [&str; 3] = ["Connections", "Com_commit", "Handler_commit"];

/// By its first letter; words that are none of its own are in public scripts.
#[test]
fn a_load_type_is_taken_as_by_theirs_and_told_if_it_is_none() {
    let here = SlapDir::new(&[]);
    for word in ["insert", "w", "reads", "Read", ""] {
        let word = format!("--auto-generate-sql-load-type={word}");
        let line = ["-a", "--auto-generate-sql-add-autoincrement", "--number-of-queries=4", &word, "--csv"];
        let (ours, theirs) = (here.ours(&line), here.theirs(&line));
        assert_eq!((ours.0, masked(&ours.1)), (theirs.0, masked(&theirs.1)), "{word}: {}", ours.2);
        let is_none = ["insert", "reads", "Read"].iter().any(|none| word.ends_with(none));
        assert_eq!(ours.2.contains("it is one of mixed, update, write, key, read"), is_none, "{word}: {}", ours.2);
    }
}

/// Scripts take the line apart.
#[test]
fn its_version_has_the_form_of_the_real_one() {
    let here = SlapDir::new(&[]);
    let form = |program: &str| {
        let (code, out, err) = output_of(Command::new(program).arg("--version").current_dir(here.dir.path()));
        assert_eq!(code, 0, "{out}{err}");
        let words: Vec<&str> = out.split_whitespace().collect();
        let [_, ver, _, distrib, version, by, .., machine] = words.as_slice() else { panic!("{out}") };
        assert!(version.starts_with(|c: char| c.is_ascii_digit()) && version.ends_with(','), "{out}");
        assert!(machine.starts_with('(') && machine.ends_with(')'), "{out}");
        [*ver, *distrib, *by].map(str::to_owned)
    };
    assert_eq!(form("./mysqlslap"), form("mysqlslap"));
}

/// Tables alone, statements before and after the clients, or nothing at all: blocks without a query.
#[test]
fn what_has_no_query_is_done_as_by_theirs() {
    let here = SlapDir::new(&[]);
    here.ask("CREATE DATABASE IF NOT EXISTS test");
    for line in [
        &["-c", "2"][..],
        &["--create=CREATE TABLE t(a int)"],
        &["--create=CREATE TABLE t(a int)", "-c", "1,3", "-i", "2"],
        &["--pre-query=create table test.seen(a int)"],
        &["--pre-query=insert into test.seen values (1)", "--post-query=insert into test.seen values (2)", "-i", "2"],
        &["--auto-generate-sql-write-number=100"],
        &["--create-schema=mysql", "--csv"],
        &["--query=", "--engine=innodb"],
        &["--commit=3"],
    ] {
        let before = here.ask("SELECT COUNT(*) FROM information_schema.tables");
        let rows = || here.ask("SELECT COALESCE(GROUP_CONCAT(a ORDER BY a), '') FROM test.seen");
        let has_rows = line[0].contains("test.seen");
        let (theirs, their_rows) = (here.theirs(line), has_rows.then(rows));
        match line[0].contains("create table test.seen") {
            true => drop(here.ask("DROP TABLE test.seen")),
            false if has_rows => drop(here.ask("DELETE FROM test.seen")),
            false => {}
        }
        let (ours, our_rows) = (here.ours(line), has_rows.then(rows));
        assert_eq!((ours.0, masked(&ours.1)), (theirs.0, masked(&theirs.1)), "{line:?}: {}", ours.2);
        assert_eq!(our_rows, their_rows, "{line:?}");
        if !has_rows {
            assert_eq!(here.ask("SELECT COUNT(*) FROM information_schema.tables"), before, "{line:?}");
        }
        let print = [line, &["--only-print"]].concat();
        let (ours, theirs) = (here.ours(&print), here.theirs(&print));
        assert_eq!((ours.0, ours.1.contains("t1")), (0, false), "{print:?}");
        if !line.contains(&"--commit=3") {
            assert_eq!(masked(&ours.1), masked(&theirs.1), "{print:?}");
        }
    }
}

#[test]
fn a_cell_that_takes_too_long_is_cut_off_and_marked() {
    let dir = tempfile::tempdir().unwrap();
    let plan = "schema = 1\n[targets.a]\nsandbox = \"mariadbd\"\n[datasets.d]\nkind = \"slap\"\n[[experiment]]\nrepeats = 1\n\
                warmup = \"0s\"\nmax_cell_time = \"3s\"\n[experiment.load]\nkind = \"slap\"\nquery = \"select sleep(0.01)\"\n\
                [experiment.matrix]\n\"load.clients\" = [1, 2]\n\"load.operations_per_client\" = [10, 100_000]\n";
    std::fs::write(dir.path().join("plan.toml"), plan).unwrap();
    let (code, out, err) =
        output_of(tenbin_tests::tenbin().args(["run", "plan.toml", "--runs", "runs"]).current_dir(dir.path()));
    assert_eq!(code, 0, "{out}{err}");
    let run = std::fs::read_dir(dir.path().join("runs")).unwrap().next().unwrap().unwrap().path();
    let page = std::fs::read_to_string(run.join("report.html")).unwrap();
    assert_eq!(page.matches("3.000 [3.000 – 3.000] ✂<").count(), 2, "the two long cells");
    assert_eq!(page.matches("✂<").count(), 2, "and only those");
    assert_eq!(out.matches(" ✂\n").count(), 2, "on the terminal too\n{out}");
    assert!(out.contains("(✂: truncated"), "{out}");
    assert_eq!(err.matches("  (truncated)\n").count(), 2, "{err}");
    let report = |form: &str| output_of(tenbin_tests::tenbin().args(["report", "--format", form]).arg(&run)).1;
    let csv = report("csv");
    let cells: Vec<Vec<&str>> = csv.lines().map(|line| line.split(',').collect()).collect();
    let truncated = cells[0].iter().position(|name| *name == "truncated").unwrap();
    assert_eq!(cells.iter().filter(|row| row[truncated] == "yes").count(), 2, "{csv}");
    assert_eq!(report("markdown").matches("✂ |").count(), 2);
    assert_eq!(report("json").matches("\"truncated\": true").count(), 2);
}
