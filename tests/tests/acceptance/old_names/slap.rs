//! `mysqlslap …`, typed as in posts, against a private MariaDB, with Debian's own beside it: what is printed, what the
//! server was asked, what stays in it, and the exit code. mysqlslap's faults are tests here.
//!
//! It is long because each of its options and faults has its case here, beside the real one.

#![expect(clippy::unwrap_used, reason = "a test may")]

use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};
use tenbin_servers::sandbox::Sandbox;

use tenbin_tests::{certificates, mariadb, output_of, target_dir};

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

/// Which way leads to the server, as Debian's own chooses it: from the option file, the command line, or both.
#[test]
fn a_socket_in_an_option_file_does_not_outdo_a_given_host() {
    let here = tempfile::tempdir().unwrap();
    let file = here.path().join("my.cnf");
    std::fs::write(&file, "[client]\nsocket=/nonexistent/file.sock\nport=1\n").unwrap();
    std::os::unix::fs::symlink(target_dir().join("tenbin"), here.path().join("mysqlslap")).unwrap();
    for (line, way) in [
        ("-h127.0.0.1", "TCP"),
        ("-h127.0.0.1 -S/nonexistent/typed.sock", "TCP"),
        ("-h127.0.0.1 --protocol=socket", "TCP"),
        ("-hlocalhost", "/nonexistent/file.sock"),
        ("-P1", "TCP"),
        ("-S/nonexistent/typed.sock", "/nonexistent/typed.sock"),
        ("-hlocalhost -P1 -S/nonexistent/typed.sock", "/nonexistent/typed.sock"),
        ("--protocol=tcp", "TCP"),
    ] {
        for program in ["/usr/bin/mariadb-slap".to_owned(), here.path().join("mysqlslap").display().to_string()] {
            let mut command = Command::new(&program);
            command.arg(format!("--defaults-file={}", file.display())).args(line.split(' ')).args(["-a", "-uroot"]);
            let (code, _, err) = output_of(command.env("LANG", "C.UTF-8").env_remove("MYSQL_UNIX_PORT"));
            let tcp = !err.contains(".sock") && (err.contains("127.0.0.1") || err.contains("'localhost'"));
            assert!(code != 0 && if way == "TCP" { tcp } else { err.contains(way) }, "{program} {line}: {err}");
        }
    }
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
fn a_client_that_fails_is_told() {
    let here = SlapDir::new(&[]);
    here.ask("CREATE TABLE sbtest.u(a INT PRIMARY KEY)");
    let words = ["--create-schema=sbtest", "--query=insert into u values (1)", "-c", "3"];
    let (code, out, err) = here.ours(&words);
    assert_eq!(code, 1, "{out}{err}");
    assert!(
        out.contains("NOT COMPLETE: iteration 1: 2 clients stopped at an error (query 1: 2 × error 1062)"),
        "{out}"
    );
    // As the real one says it, of each of them.
    let line = "Cannot run query insert into u values (1) ERROR : Duplicate entry '1' for key 'PRIMARY'";
    assert_eq!(err.matches(line).count(), 2, "{err}");
    let (code, out, _) = here.ours(&[&words[..], &["--csv"]].concat());
    assert_eq!(code, 1);
    assert!(out.starts_with(",mixed,0.") && out.contains(",3,1,\"NOT COMPLETE: iteration 1: 3 clients"), "{out}");
    let (code, out, err) = here.ours(&["--query=select 1"]);
    assert_eq!((code, out.as_str()), (1, ""), "no schema, no client, no block");
    assert!(err.contains("Unknown database 'mysqlslap'"), "{err}");
    let (code, out, err) = here.ours(&["-a", "--engine=nonesuch"]);
    assert_eq!((code, out.as_str()), (1, ""));
    assert!(err.contains("nonesuch"), "{err}");
    let (code, out, _) = here.ours(&["-a", "--engine=innodb,nonesuch", "--number-of-queries=2"]);
    assert_eq!((code, out.matches("Benchmark").count()), (1, 1), "what went well is printed");
}

/// As the real one: nothing is run if the result could not be kept, and engines that nothing is created with have a cell each.
#[test]
fn a_result_is_never_lost_and_no_engine_is_left_out() {
    let here = SlapDir::new(&[]);
    let (code, out, err) = here.ours(&["-a", "--csv=/nonexistent/slap.csv"]);
    assert!(code == 1 && out.is_empty() && err.contains("/nonexistent/slap.csv"), "{code} {out}{err}");
    let words = ["--create-schema=sbtest", "--query=select 1", "--engine=innodb,myisam", "--csv"];
    let (code, out, err) = here.ours(&words);
    assert_eq!(code, 0, "{out}{err}");
    let first = |out: &str| out.lines().map(|line| line.split(',').next().unwrap_or("").to_owned()).collect::<Vec<_>>();
    assert_eq!(first(&out), ["innodb", "myisam"]);
    let (code, theirs, err) = here.theirs(&words);
    assert_eq!((code, first(&theirs)), (0, first(&out)), "{theirs}{err}");
    let (_, out, _) = here.ours(&words[..3]);
    assert!(out.contains("Running for engine innodb") && out.contains("Running for engine myisam"), "{out}");
}

#[test]
fn an_engine_that_the_server_replaces_is_told() {
    let here = SlapDir::new(&[("sql_mode", "")]);
    let (code, out, err) = here.ours(&["-a", "--engine=nonesuch"]);
    assert_eq!((code, out.as_str()), (1, ""));
    assert!(err.contains("the server made the table with the engine InnoDB, not nonesuch"), "{err}");
    assert_eq!(here.ask("SHOW DATABASES LIKE 'mysqlslap'"), "", "what was made is dropped");
}

#[test]
fn a_server_lost_in_the_middle_is_told() {
    let here = SlapDir::new(&[]);
    let mut command = here.at_server(&[
        "--create-schema=sbtest",
        "--query=select sleep(0.05)",
        "--number-of-queries=2000",
        "-c",
        "2",
    ]);
    let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let busy = "SELECT ID FROM information_schema.PROCESSLIST WHERE INFO LIKE 'select sleep%' LIMIT 1";
    for _ in 0..2 {
        let mut id = String::new();
        while id.is_empty() {
            std::thread::sleep(Duration::from_millis(20));
            id = here.ask(busy);
        }
        here.ask(&format!("KILL {id}"));
    }
    let output = child.wait_with_output().unwrap();
    let out = String::from_utf8_lossy(&output.stdout);
    assert_eq!(output.status.code(), Some(1), "{out}");
    assert!(out.contains("NOT COMPLETE") && out.contains("2 clients stopped at an error"), "{out}");
}

#[test]
fn what_tenbin_did_not_make_stays() {
    let here = SlapDir::new(&[]);
    here.ask("CREATE SCHEMA mysqlslap; CREATE TABLE mysqlslap.precious(a INT)");
    let some = ["-a", "--number-of-queries=4", "--no-drop", "-i", "2"];
    let (code, out, err) = here.ours(&some);
    assert_eq!((code, out.as_str()), (1, ""), "{err}");
    assert!(err.contains("not made by Tenbin") && err.contains("precious") && err.contains("--allow-drop"), "{err}");
    assert_eq!(here.ask("SHOW TABLES FROM mysqlslap"), "precious");

    here.ask("DROP SCHEMA mysqlslap");
    assert_eq!(here.ours(&some).0, 0, "with --no-drop two iterations go well");
    assert_eq!(here.ask("SELECT COUNT(*) FROM mysqlslap.t1"), "101", "99 rows and two INSERTs of the last iteration");
    assert_eq!(here.ours(&some).0, 0, "our own is made again");
    here.ask("CREATE TABLE mysqlslap.mine(a INT)");
    let (code, _, err) = here.ours(&some);
    assert_eq!(code, 1, "somebody has put a table into it");
    assert!(err.contains("mine"), "{err}");
    assert_eq!(here.ours(&["-a", "--number-of-queries=4", "--allow-drop"]).0, 0);
    assert_eq!(here.ask("SHOW DATABASES LIKE 'mysqlslap'"), "");
}

/// Two jobs at the same time: the second one is refused, and what the first one works on stays.
#[test]
fn a_run_that_is_refused_leaves_the_schema_of_the_other() {
    let here = SlapDir::new(&[]);
    let first = here.at_server(&["-a", "--number-of-queries=8000"]).stdout(Stdio::piped()).spawn().unwrap();
    let begun = Instant::now();
    while here.ask("SELECT COUNT(*) FROM information_schema.PROCESSLIST WHERE INFO LIKE '%t1%' AND ID<>CONNECTION_ID()")
        == "0"
    {
        assert!(begun.elapsed() < Duration::from_secs(60));
        std::thread::sleep(Duration::from_millis(20));
    }
    let (code, out, err) = here.ours(&["-a", "--number-of-queries=4"]);
    assert!(code == 1 && err.contains("another run or load of Tenbin is under way"), "{code} {out}{err}");
    let output = first.wait_with_output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stdout));
    assert_eq!(here.ask("SHOW DATABASES LIKE 'mysqlslap'"), "");
}

/// Whatever character set the server gives new schemas.
#[test]
fn a_schema_may_have_a_name_in_any_script() {
    let here = SlapDir::new(&[("character_set_server", "latin1")]);
    let query = ["-a", "--number-of-queries=4", "--create-schema=新しい売上データ"];
    let (code, out, err) = here.ours(&query);
    assert_eq!(code, 0, "{out}{err}");
    assert_eq!(here.ask("SHOW DATABASES LIKE '新%'"), "", "dropped in the end");
    // A mark that cannot be written, here by a name that is too long for it: the schema does not stay without one.
    let long = format!("--create-schema={}", "s".repeat(60));
    let (code, _, err) = here.ours(&["-a", "--number-of-queries=4", &long]);
    assert!(code == 1 && err.contains("1406"), "{code} {err}");
    assert_eq!(here.ask("SHOW DATABASES LIKE 'sss%'"), "");
}

/// What somebody has put into the schema, or in place of a table of ours, would be lost with it.
#[test]
fn a_schema_in_which_somebody_has_put_something_stays() {
    let here = SlapDir::new(&[]);
    let some = ["-a", "--number-of-queries=4", "--no-drop"];
    for (statement, words) in [
        ("CREATE PROCEDURE mysqlslap.mine() SELECT 1", "procedure mine"),
        ("CREATE EVENT mysqlslap.theirs ON SCHEDULE EVERY 1 DAY DO SELECT 1", "event theirs"),
        ("CREATE TRIGGER mysqlslap.own BEFORE INSERT ON mysqlslap.t1 FOR EACH ROW SET @a = 1", "trigger own"),
        ("DROP TABLE mysqlslap.t1; CREATE TABLE mysqlslap.t1(mine INT)", "t1"),
    ] {
        assert_eq!(here.ours(&some).0, 0, "it is ours");
        here.ask(statement);
        let (code, _, err) = here.ours(&some);
        assert!(code == 1 && err.contains("not made by Tenbin") && err.contains(words), "{statement}: {err}");
        assert_eq!(here.ask("SHOW DATABASES LIKE 'mysqlslap'"), "mysqlslap", "{statement}");
        here.ask("DROP SCHEMA mysqlslap");
    }
    // What the user's own statements create or replace goes with the schema.
    let (code, _, err) = here.ours(&[
        "--create=create table t(a int); create procedure p() select 1",
        "--query=truncate t; drop table t; create table t(b int)",
        "--pre-query=create table log(a int)",
        "--delimiter=;",
        "-i2",
    ]);
    assert_eq!(code, 0, "{err}");
    assert_eq!(here.ask("SHOW DATABASES LIKE 'mysqlslap'"), "");
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

/// Whoever runs many short iterations measures the server, and not what is done beside them.
#[test]
fn an_iteration_costs_few_connections_and_commits_more_than_theirs() {
    let here = SlapDir::new(&[]);
    let counted = |name: &str| {
        here.ask(&format!("SHOW GLOBAL STATUS LIKE '{name}'")).split('\t').nth(1).unwrap().parse::<i64>().unwrap()
    };
    let words = |iterations: i64| {
        let iterations = format!("-i{iterations}");
        ["-a", "-c2", "--number-of-queries=20", &iterations].map(str::to_owned)
    };
    // Of each iteration but the first.
    let each = |run: &dyn Fn(&[&str])| {
        let of = |iterations: i64| {
            let before = COUNTERS.map(counted);
            run(&words(iterations).each_ref().map(String::as_str));
            let after = COUNTERS.map(counted);
            [0, 1].map(|i| after[i] - before[i])
        };
        let (one, eleven) = (of(1), of(11));
        [0, 1].map(|i| (eleven[i] - one[i]) / 10)
    };
    let ours = each(&|words| assert_eq!(here.ours(words).0, 0));
    let theirs = each(&|words| assert_eq!(here.theirs(words).0, 0));
    assert!(ours[0] <= theirs[0] + 16 && ours[1] <= theirs[1] + 16, "{COUNTERS:?}: {ours:?} {theirs:?}");
}

const COUNTERS: [&str; 2] = ["Connections", "Handler_commit"];

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

#[test]
fn tls_and_option_files_reach_every_client() {
    let keys = certificates("mysql");
    let (cert, key) = (keys.path("server.pem"), keys.path("server.key"));
    let here = SlapDir::new(&[("ssl_cert", &cert), ("ssl_key", &key)]);
    here.ask(
        "CREATE TABLE sbtest.lines(cipher TEXT); CREATE USER app IDENTIFIED BY 'se#cret'; GRANT ALL ON *.* TO app",
    );
    std::fs::write(here.path("my.cnf"), format!("[client]\nuser=app\npassword=\"se#cret\"\nhost=127.0.0.1\nport={}\n[mysqlslap]\nconcurrency=3\ncreate-schema=sbtest\n", here.port())).unwrap();
    let lines = |mode: &str| {
        here.ask("TRUNCATE sbtest.lines");
        let mut command = Command::new(here.path("mysqlslap"));
        command.arg("--defaults-file=my.cnf").arg(mode).current_dir(here.dir.path());
        command.arg("--query=insert into `lines` select variable_value from information_schema.session_status where variable_name='Ssl_cipher'");
        let (code, out, err) = output_of(&mut command);
        assert_eq!(code, 0, "{out}{err}");
        assert!(!err.contains("se#cret"));
        here.ask("SELECT CONCAT(COUNT(*), ' ', SUM(cipher <> '')) FROM sbtest.`lines`")
    };
    assert_eq!(lines("--ssl-mode=REQUIRED"), "3 3");
    assert_eq!(lines("--ssl-mode=DISABLED"), "3 0", "mysqlslap of MySQL encrypts all the same");
    assert_eq!(lines("--skip-ssl"), "3 0");
    // Over a Unix socket too, if it is asked for.
    here.ask("TRUNCATE sbtest.lines");
    let sql = "--query=insert into `lines` select variable_value from information_schema.session_status where variable_name='Ssl_cipher'";
    let (code, out, err) = here.ours(&["--create-schema=sbtest", "--ssl-mode=REQUIRED", sql]);
    assert_eq!(code, 0, "{out}{err}");
    assert_eq!(here.ask("SELECT CONCAT(COUNT(*), ' ', SUM(cipher <> '')) FROM sbtest.`lines`"), "1 1");
    for entry in std::fs::read_dir(here.path("runs")).unwrap() {
        for file in std::fs::read_dir(entry.unwrap().path()).unwrap() {
            let text = std::fs::read(file.unwrap().path()).unwrap_or_default();
            assert!(!String::from_utf8_lossy(&text).contains("se#cret"), "no password is written");
        }
    }
}

#[test]
fn a_password_without_a_value_is_asked_for_on_the_terminal() {
    let here = SlapDir::new(&[]);
    here.ask("CREATE USER app@localhost IDENTIFIED BY 'se#cret'; GRANT ALL ON *.* TO app@localhost");
    let line =
        format!("./mysqlslap --no-defaults -S {} -uapp -p --create-schema=sbtest --query='select 1'", here.socket());
    let request_of = |answer: &str| {
        let mut command = Command::new("script");
        command.args(["-qec", &line, "/dev/null"]).current_dir(here.dir.path()).env_remove("MYSQL_PWD");
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        std::io::Write::write_all(child.stdin.as_mut().unwrap(), format!("{answer}\n").as_bytes()).unwrap();
        let output = child.wait_with_output().unwrap();
        (output.status.code().unwrap(), String::from_utf8_lossy(&output.stdout).into_owned())
    };
    let (code, shown) = request_of("se#cret");
    assert_eq!(code, 0, "{shown}");
    assert!(shown.contains("Enter password: ") && shown.contains("Benchmark"), "{shown}");
    let (code, shown) = request_of("wrong");
    assert!(code == 1 && shown.contains("Access denied"), "{shown}");

    // Without a terminal to ask on, the answer is the first line of standard input, here nothing, as for mysqlslap.
    let mut alone = Command::new("setsid");
    alone.args(["-w", "sh", "-c", &line]).current_dir(here.dir.path()).stdin(Stdio::null());
    let (code, out, err) = output_of(&mut alone);
    assert_eq!((code, out.as_str()), (1, ""), "{err}");
    assert!(err.starts_with("Enter password: ") && err.contains("Access denied"), "{err}");
}

#[test]
fn compression_reaches_every_client() {
    let here = SlapDir::new(&[]);
    here.ask("CREATE TABLE sbtest.c(compressed TEXT)");
    let query = "--query=insert into c select variable_value from information_schema.session_status where variable_name='Compression'";
    let statements = |words: &[&str]| {
        here.ask("TRUNCATE sbtest.c");
        let (code, _, err) = here.ours(&[&["--create-schema=sbtest", "-c3", query][..], words].concat());
        assert_eq!(code, 0, "{err}");
        here.ask("SELECT GROUP_CONCAT(compressed) FROM sbtest.c")
    };
    assert_eq!(statements(&["-C"]), "ON,ON,ON");
    assert_eq!(statements(&["--compression-algorithms=zstd,zlib", "-c20"]), ["ON"; 20].join(","));
    assert_eq!(statements(&["--skip-compress"]), "OFF,OFF,OFF");
}

#[test]
fn what_makes_no_sense_is_refused() {
    let here = SlapDir::new(&[]);
    let refused_with = |wanted: i32, line: &str| {
        let words: Vec<&str> = line.split(' ').collect();
        let (code, out, err) = here.ours(&words);
        assert_eq!((code, out.as_str()), (wanted, ""), "{line}: {err}");
        err
    };
    let refused = |line: &str| refused_with(1, line);
    assert!(refused("-a --auto-generate-sql-load-type=zzz").contains("one of mixed, update"));
    assert!(refused("-a --auto-generate-sql-load-type=key").contains("without a primary key"));
    assert!(refused("-a -x0 -y0").contains("neither int nor char"));
    assert!(refused("-a --query=x").contains("--create and --query"));
    assert!(refused("-a -c 0").contains("count up"));
    assert!(refused("-a -c two").contains("not a number of clients"));
    assert!(refused("-a -i 0").contains("--iterations=0"));
    assert!(refused("-a --compression-algorithms=zstd").contains("zlib or uncompressed"));
    assert!(refused_with(9, "-a --number-of-queries=x").contains("whole number"));
    assert!(refused("-a --delimiter=").contains("empty"));
    assert!(refused("-c 2 --number-of-queries=3").contains("no query to execute"));
    assert!(refused("-a --query=").contains("--create and --query"));
    // By the names of the options.
    assert!(refused("-a -x0 -y0").contains("give --number-int-cols or --number-char-cols"));
    for (line, option) in [
        ("--auto-generate-sql-secondary-indexes=65", "--auto-generate-sql-secondary-indexes cannot be 65"),
        ("--auto-generate-sql-unique-write-number=2000000", "--auto-generate-sql-unique-write-number cannot be"),
        ("--auto-generate-sql-unique-query-number=2000000", "--auto-generate-sql-unique-query-number cannot be"),
        (
            "--auto-generate-sql-write-number=9999999999999999",
            "--auto-generate-sql-write-number cannot be 9999999999999999",
        ),
        ("--auto-generate-sql-execute-number=99999999999999999", "--auto-generate-sql-execute-number cannot be"),
        ("--number-of-queries=99999999999999999", "--number-of-queries cannot be"),
        ("--commit=99999999999", "--commit cannot be"),
    ] {
        for only_print in ["", " --only-print"] {
            let err = refused(&format!("-a {line}{only_print}"));
            assert!(err.contains(option), "{err}");
        }
    }
    assert!(refused_with(2, "--nonsense").contains("unknown option"));
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
