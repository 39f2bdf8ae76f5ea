//! `tpcc_load …` and `tpcc_start …`, typed as in posts, against a private MariaDB: what is printed, what is in the
//! tables, what is kept, and the exit code. tpcc-mysql's faults are tests here.

#![expect(clippy::unwrap_used, reason = "a test may")]

use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use tenbin_servers::sandbox::Sandbox;
use tenbin_tests::{beside_doubts, mariadb, output_of, read_back, target_dir, tenbin, wait_until_measured};

const TABLES: [&str; 9] =
    ["warehouse", "district", "item", "customer", "history", "stock", "orders", "new_orders", "order_line"];

/// Tenbin under both names in a directory of its own, and a server that is found as a client library finds it.
struct TpccDir {
    dir: tempfile::TempDir,
    server: Sandbox,
}

impl TpccDir {
    fn new(server: &[(&str, &str)]) -> TpccDir {
        let dir = tempfile::tempdir().unwrap();
        for name in ["tpcc_load", "tpcc_start"] {
            std::os::unix::fs::symlink(target_dir().join("tenbin"), dir.path().join(name)).unwrap();
        }
        TpccDir { dir, server: mariadb(server) }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.dir.path().join(name)
    }

    fn socket(&self) -> String {
        self.server.dir().join("s.sock").display().to_string()
    }

    /// 127.0.0.1:PORT
    fn address(&self) -> String {
        let dsn = self.server.dsn();
        dsn.split_once('@').unwrap().1.split('/').next().unwrap().to_owned()
    }

    /// A command line as it stands in a post: words apart, `""` for nothing.
    fn command(&self, line: &str) -> Command {
        let mut words = line.split(' ').map(|word| if word == "\"\"" { "" } else { word });
        let mut command = Command::new(self.path(words.next().unwrap()));
        command.args(words).current_dir(self.dir.path()).env("MYSQL_UNIX_PORT", self.socket()).env("LANG", "C.UTF-8");
        command.env_remove("TENBIN_RUNS").env_remove("TENBIN_QUIET").env_remove("MYSQL_PWD");
        command
    }

    fn does(&self, line: &str) -> (i32, String, String) {
        output_of(&mut self.command(line))
    }

    /// An answer of the server.
    fn ask(&self, sql: &str) -> String {
        let (code, out, err) = output_of(Command::new("mariadb").args([
            "--no-defaults",
            "-S",
            &self.socket(),
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

/// The text with every number as N and every verdict as V.
fn masked(text: &str) -> String {
    let (mut out, mut in_number) = (String::new(), false);
    for c in text.chars() {
        let part = c.is_ascii_digit() || (in_number && c == '.');
        if part && !in_number {
            out.push('N');
        }
        if !part {
            out.push(c);
        }
        in_number = part;
    }
    let out = out.replace("[NG] *", "[V]").replace("[OK]\n", "[V]\n");
    // The width of a field is not its form.
    out.lines().map(|line| line.trim_end().to_owned() + "\n").collect()
}

/// Counts of the five transactions in a block: in time, late, retries, failed.
fn counts(text: &str, block: &str) -> Vec<[u64; 4]> {
    let (_, rest) = text.split_once(block).unwrap_or_else(|| panic!("no {block} in {text}"));
    let numbers = |line: &str| {
        ["sc:", "lt:", "rt:", "fl:"].map(|name| {
            let (_, rest) = line.split_once(name).unwrap();
            rest.split(' ').next().unwrap().parse().unwrap()
        })
    };
    rest.lines().skip(1).take(5).map(numbers).collect()
}

#[test]
fn the_published_lines_as_they_stand() {
    let here = TpccDir::new(&[]);
    here.ask("CREATE DATABASE tpcc");
    let (code, out, err) = here.does("tpcc_load localhost tpcc root \"\" 1");
    assert_eq!(code, 0, "{out}{err}");
    insta::assert_snapshot!(masked(&out.replace(&here.socket(), "SOCKET")), @r"
    *************************************
    *** TPCC-mysql Data Loader        ***
    *************************************
    tpcc_load, answered by Tenbin N Derived from TPC-C; not comparable with published TPC-C results, and not compliant with all its requirements.
    <Parameters>
         [server]: localhost
         [socket]: SOCKET
         [DBname]: tpcc
           [user]: root
           [pass]:
      [warehouse]: N
    TPCC Data Load Started...
    Loading about N,N rows
    .....

    ...DATA LOADING COMPLETED SUCCESSFULLY.
    ");
    let (code, out, err) = here.does("tpcc_load localhost tpcc root \"\" 1");
    assert!(code == 1 && err.contains("already, complete") && !out.contains("SUCCESSFULLY"), "{out}{err}");

    let (code, out, err) = here.does("tpcc_start -d tpcc -u root -p \"\" -w 1 -c 4 -r 1 -l 6 -i 2");
    assert_eq!(code, 0, "{out}{err}");
    insta::assert_snapshot!(masked(&out.replace(&here.socket(), "SOCKET")), @r"
    ***************************************
    *** ###easy### TPC-C Load Generator ***
    ***************************************
    tpcc_start, answered by Tenbin N Derived from TPC-C; not comparable with published TPC-C results, and not compliant with all its requirements. Profile tpcc-mysql: the statements of tpcc-mysql, one row each, about N a transaction; not comparable with runs of the profile batched.
    option d with value 'tpcc'
    option u with value 'root'
    option p with value ''
    option w with value 'N'
    option c with value 'N'
    option r with value 'N'
    option l with value 'N'
    option i with value 'N'
    <Parameters>
         [server]: localhost
         [socket]: SOCKET
         [DBname]: tpcc
           [user]: root
           [pass]:
      [warehouse]: N
     [connection]: N
         [rampup]: N (sec.)
        [measure]: N (sec.)

    RAMP-UP TIME.(N sec.)

    MEASURING START.

       N, trx: N, N%: N, N%: N, max_rt: N, N|N, N|N, N|N, N|N
       N, trx: N, N%: N, N%: N, max_rt: N, N|N, N|N, N|N, N|N
       N, trx: N, N%: N, N%: N, max_rt: N, N|N, N|N, N|N, N|N

    STOPPING THREADS....

    <Raw Results>
      [N] sc:N lt:N  rt:N  fl:N avg_rt: N (N)
      [N] sc:N lt:N  rt:N  fl:N avg_rt: N (N)
      [N] sc:N lt:N  rt:N  fl:N avg_rt: N (N)
      [N] sc:N lt:N  rt:N  fl:N avg_rt: N (N)
      [N] sc:N lt:N  rt:N  fl:N avg_rt: N (N)
     in N sec.

    <Raw ResultsN(sum ver.)>
      [N] sc:N  lt:N  rt:N  fl:N
      [N] sc:N  lt:N  rt:N  fl:N
      [N] sc:N  lt:N  rt:N  fl:N
      [N] sc:N  lt:N  rt:N  fl:N
      [N] sc:N  lt:N  rt:N  fl:N

    <Constraint Check> (all must be [OK])
     [transaction percentage]
            Payment: N% (>=N%) [V]
       Order-Status: N% (>= N%) [V]
           Delivery: N% (>= N%) [V]
        Stock-Level: N% (>= N%) [V]
     [response time (at least N% passed)]
          New-Order: N%  [V]
            Payment: N%  [V]
       Order-Status: N%  [V]
           Delivery: N%  [V]
        Stock-Level: N%  [V]

    <TpmC>
                     N TpmC
    ");
    assert_eq!(beside_doubts(&err), "", "where the run is kept is told on a terminal only");
    // The figures are those of the recording.
    let (run, _) = read_back(&here.path("runs"));
    let (code, json, err) = output_of(tenbin().args(["report", "--format", "json"]).arg(&run));
    assert_eq!(code, 0, "{err}");
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    let raw = counts(&out, "<Raw Results>");
    assert_eq!(raw, counts(&out, "<Raw Results2(sum ver.)>"), "they agree, always");
    let done: u64 = raw.iter().map(|[sc, lt, ..]| sc + lt).sum();
    assert_eq!(json["trials"][0]["accounting"]["completed"].as_u64(), Some(done), "{json}");
    let lines: Vec<u64> =
        out.lines().filter_map(|line| line.split_once(", trx: ")?.1.split(',').next()?.parse().ok()).collect();
    assert_eq!((lines.len(), lines.iter().sum::<u64>()), (3, raw[0][0] + raw[0][1]), "whole seconds, all of them");
    let tpmc: f64 = out.trim_end().rsplit('\n').next().unwrap().trim().trim_end_matches(" TpmC").parse().unwrap();
    let of_counts = (raw[0][0] + raw[0][1]) as f64 * 10.0;
    assert!((tpmc - of_counts).abs() < of_counts * 0.02, "{tpmc} {of_counts}");
    // What it printed can be read again.
    std::fs::write(here.path("tpcc.log"), &out).unwrap();
    let (_, audit, err) = output_of(tenbin().args(["audit", "--json"]).arg(here.path("tpcc.log")));
    let audit: serde_json::Value = serde_json::from_str(&audit).unwrap_or_else(|e| panic!("{e}: {err}"));
    let figure = |name: &str| audit["results"][0]["figures"][name].as_f64();
    assert_eq!((figure("nopm"), figure("transactions")), (Some(tpmc), Some(done as f64)), "{audit:#}");
    assert_eq!(figure("new_orders"), Some((raw[0][0] + raw[0][1]) as f64), "{audit:#}");

    // And its page names what departs from the specification as that of a run by Tenbin's own name does.
    let by_name = tenbin()
        .args(["bench", "tpcc", &here.server.dsn().replace("/sbtest", "/tpcc")])
        .args([
            "-o",
            "warehouses=1",
            "-o",
            "layout=tpcc_mysql",
            "-o",
            "foreign_keys=on",
            "-o",
            "home=random",
            "-o",
            "profile=tpcc-mysql",
            "-o",
            "isolation=server",
            "--clients",
            "4",
            "--warmup",
            "1",
            "--time",
            "6",
            "--runs",
        ])
        .arg(here.path("native"))
        .output()
        .unwrap();
    assert!(by_name.status.success(), "{}", String::from_utf8_lossy(&by_name.stderr));
    let departures = |page: String| -> Vec<String> {
        let (_, list) = page.split_once("by clause:").unwrap();
        let list = list.split_once("<ul>").unwrap().1.split_once("</ul>").unwrap().0;
        list.split("<li>").skip(1).map(|item| item.split(':').next().unwrap().to_owned()).collect()
    };
    let page = |runs: &str| std::fs::read_to_string(read_back(&here.path(runs)).0.join("report.html")).unwrap();
    let of_face = departures(page("runs"));
    assert_eq!(of_face, departures(page("native")));
    assert!(
        ["1.3", "2.4.1.1", "2.7.2", "4.2.2", "4.3.3.1"].iter().all(|c| of_face.contains(&(*c).to_owned())),
        "{of_face:?}"
    );

    // With words, shares, files; -i above -l; an older form; limits.
    let line = format!(
        "tpcc_start {} tpcc root \"\" 1 2 0 3 0 0 0 1 1 -i 10 -3 0 -f report -t orders --interval-format=2008",
        here.address()
    );
    let (code, out, err) = here.does(&line);
    assert_eq!(code, 0, "{out}{err}");
    let raw = counts(&out, "<Raw Results>");
    assert_eq!((raw[0], raw[1], raw[2], raw[3][0], raw[4][1]), ([0; 4], [0; 4], [0; 4], 0, 0), "{out}");
    assert!(raw[3][1] > 2 && raw[4][0] > 2 && out.contains("      [ratio]: 0:0:0:1:1\n"), "{out}");
    // Each of the two decks holds one of each, and two transactions are open at the end.
    assert!(raw[3][1].abs_diff(raw[4][0]) <= 4, "a deck, not draws: {out}");
    assert!(out.contains("MEASURING START.\n\n\nSTOPPING THREADS..\n\n<RT Histogram>\n"), "no interval: {out}");
    assert!(!out.contains("NaN") && !out.contains("nan"), "{out}");
    assert_eq!(std::fs::read_to_string(here.path("report")).unwrap(), "", "no New-Order");

    let (code, out, err) = here.does("tpcc_start -w 1 -u root -c 3 -r 1 -l 3 -i 1 -f report -t orders --seed 7");
    assert_eq!(code, 0, "{out}{err}");
    let [sc, lt, ..] = counts(&out, "<Raw Results>")[0];
    let report = std::fs::read_to_string(here.path("report")).unwrap();
    let seconds: Vec<u64> = report.lines().map(|l| l.split_once(' ').unwrap().0.parse().unwrap()).collect();
    assert!(seconds.iter().all(|s| *s < 3) && seconds.contains(&0) && seconds.contains(&2), "of the measurement only");
    // Those that were under way when the measurement began, too. One may end between the two looks at the clock.
    let counted = (sc + lt) as usize;
    assert!(seconds.len().abs_diff(counted) <= 1, "{} lines, {sc} + {lt} orders", seconds.len());
    let orders = std::fs::read_to_string(here.path("orders")).unwrap();
    assert!(orders.lines().all(|l| masked(l) == "t_num: N finish: N N start: N N\n"), "{orders}");
    assert!(orders.lines().count() <= seconds.len(), "rolled-back ones are not committed");

    // What was loaded is what it says, and stays so.
    let (code, out, err) = output_of(tenbin().args(["check", &here.server.dsn().replace("/sbtest", "/tpcc")]));
    assert!(code == 0 && out.contains("all hold"), "{out}{err}");

    // More warehouses than are there.
    let (code, out, err) = here.does("tpcc_start -w 2 -u root -c 2 -r 0 -l 2");
    assert!(code == 1 && err.contains("2 warehouses are wanted, 1 is loaded"), "{out}{err}");
    assert!(
        err.contains("-w 1, or load the others: tpcc_load -S ") && err.contains(" -d tpcc -u root -w 2\n"),
        "{err}"
    );
    assert!(!out.contains("TpmC"), "{out}");

    // Stopped by the user: everything until then is reported.
    let mut run = here.command("tpcc_start -w 1 -u root -c 2 -r 0 -l 600 -i 1");
    let runs = tempfile::tempdir().unwrap();
    let run = run.env("TENBIN_RUNS", runs.path()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    wait_until_measured(runs.path(), 4);
    assert!(Command::new("kill").args(["-INT", &run.id().to_string()]).status().unwrap().success());
    let output = run.wait_with_output().unwrap();
    let out = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(output.status.code() == Some(130) && out.contains(" TpmC\n"), "{out}");
    assert!(counts(&out, "<Raw Results>")[0][0] > 0, "{out}");
}

#[test]
fn slices_into_tables_of_create_table_sql() {
    // What the server knows of the tables then is what the load made known to it.
    let here = TpccDir::new(&[("innodb_stats_auto_recalc", "OFF")]);
    here.ask("CREATE DATABASE tpcc");
    // The tables as tpcc-mysql's script leaves them, by its own statements' meaning: same layout, no rows, no secondary
    // indexes.
    let (code, out, err) = here.does("tpcc_load -h l -d sbtest -u root -w 1 --foreign-keys off --streams 2");
    assert_eq!(code, 0, "{out}{err}");
    for table in TABLES {
        here.ask(&format!("CREATE TABLE tpcc.{table} LIKE sbtest.{table}"));
    }
    for (table, index) in [
        ("customer", "idx_customer"),
        ("orders", "idx_orders"),
        ("stock", "fkey_stock_2"),
        ("order_line", "fkey_order_line_2"),
    ] {
        here.ask(&format!("ALTER TABLE tpcc.{table} DROP INDEX {index}"));
    }
    let address = here.address();
    let (host, port) = address.split_once(':').unwrap();
    let slices = [
        format!("tpcc_load -h {host} -P {port} -d tpcc -u root -p \"\" -w 1 -l 1 -m 1 -n 1"),
        format!("tpcc_load -h {host} -P {port} -d tpcc -u root -p \"\" -w 1 -l 2 -m 1 -n 100"),
        format!("tpcc_load -h {address} -d tpcc -u root -p \"\" -w 1 -l 3 -m 1 -n 100"),
        format!("tpcc_load {address} tpcc root \"\" 1 4 1 1"),
    ];
    let begun: Vec<Child> = slices
        .iter()
        .map(|line| here.command(line).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap())
        .collect();
    let mut text = String::new();
    for child in begun {
        let output = child.wait_with_output().unwrap();
        let (out, err) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
        assert!(output.status.success() && out.contains("...DATA LOADING COMPLETED SUCCESSFULLY."), "{out}{err}");
        text += &err;
    }
    assert!(text.contains("-n 100 is beyond -w 1") && text.contains("left to add_fkey_idx.sql"), "{text}");
    let sums = |schema: &str| {
        let all: Vec<String> = TABLES.iter().map(|t| format!("{schema}.{t}")).collect();
        here.ask(&format!("CHECKSUM TABLE {}", all.join(", "))).replace(&format!("{schema}."), "")
    };
    assert_eq!(sums("tpcc"), sums("sbtest"), "row by row the same");
    let indexes = "SELECT COUNT(*) FROM information_schema.STATISTICS WHERE TABLE_SCHEMA='tpcc' AND INDEX_NAME LIKE '%key_%' OR TABLE_SCHEMA='tpcc' AND INDEX_NAME LIKE 'idx%'";
    assert_eq!(here.ask(indexes), "0", "the user's tables are the user's");
    assert_eq!(here.ask("SELECT name FROM tpcc.tenbin_mark"), "tenbin_tpcc");
    let known = "SELECT CARDINALITY > 10000 FROM information_schema.STATISTICS WHERE TABLE_SCHEMA='tpcc' AND TABLE_NAME='order_line' AND INDEX_NAME='PRIMARY' AND SEQ_IN_INDEX=3";
    assert_eq!(here.ask(known), "1", "plans are not made for empty tables");
    let (code, _, err) = here.does("tpcc_start -w 1 -u root -c 1 -r 0 -l 1 -i 1");
    assert_eq!(code, 0, "{err}");

    // Tables with rows are not for Tenbin to fill.
    here.ask("DROP TABLE tpcc.tenbin_tpcc, tpcc.tenbin_mark");
    let before = sums("tpcc");
    let (code, out, err) = here.does("tpcc_load localhost tpcc root \"\" 1");
    assert!(code == 1 && err.contains("that Tenbin did not make") && err.contains("rows are in"), "{out}{err}");
    assert_eq!(sums("tpcc"), before, "and left alone");

    // -m: the same two populations as databases with numbers.
    for (from, to) in [("tpcc", "many_3"), ("sbtest", "many_4")] {
        here.ask(&format!("CREATE DATABASE {to}"));
        TABLES.iter().for_each(|t| drop(here.ask(&format!("RENAME TABLE {from}.{t} TO {to}.{t}"))));
    }
    let orders =
        || ["many_3", "many_4"].map(|s| here.ask(&format!("SELECT COUNT(*) FROM {s}.orders")).parse::<u64>().unwrap());
    let before = orders();
    std::fs::remove_dir_all(here.path("runs")).unwrap();
    let (code, out, err) = here.does("tpcc_start -d many -m 2 -o 3 -u root -w 1 -c 3 -r 0 -l 3 -f report");
    assert_eq!(code, 0, "{out}{err}");
    assert!(out.contains("option m (multiple schemas) with value '2'\n") && out.contains("many_3 to many_4"), "{out}");
    let after = orders();
    assert!(after[0] > before[0] && after[1] > before[1], "{before:?} {after:?}");
    let (run, _) = read_back(&here.path("runs"));
    let log = std::fs::read_to_string(run.join("trials/0001/events.jsonl")).unwrap();
    assert!(log.contains("connections work in 2 databases in turn, many_3 to many_4"), "the recording says so");
    let page = std::fs::read_to_string(run.join("report.html")).unwrap();
    assert!(
        page.contains("2 databases with 1 warehouse each") && page.contains("3 terminals on 2 warehouses"),
        "{page}"
    );
    let (code, out, err) = here.does("tpcc_start -d many -m 3 -o 3 -u root -w 1 -c 3 -r 0 -l 1");
    assert!(code == 1 && err.contains("many_5") && !out.contains("TpmC"), "{out}{err}");
}

#[test]
fn what_is_wrong_ends_with_1_and_a_reason() {
    let here = TpccDir::new(&[]);
    here.ask("CREATE USER 'app'@'%' IDENTIFIED BY 's3cret-word'");
    let address = here.address();
    for (line, wanted) in [
        ("tpcc_load".to_owned(), "no database is named"),
        ("tpcc_load -d x".to_owned(), "how many warehouses?"),
        ("tpcc_load -d x -w 10 -m 2 -n 3".to_owned(), "-m and -n are warehouses of a part"),
        ("tpcc_load -d x -w 10 -l 2 -m 11 -n 20".to_owned(), "warehouses 11 to 10 are none of 10"),
        ("tpcc_load -d x -w 10 -l 5".to_owned(), "from 1 to 4"),
        ("tpcc_load -q".to_owned(), "unknown option '-q'"),
        ("tpcc_load localhost tpcc root \"\"".to_owned(), "4 words without a letter"),
        ("tpcc_load localhost nowhere root \"\" 1".to_owned(), " -u root create nowhere"),
        ("tpcc_load 127.0.0.1:1 tpcc root \"\" 1".to_owned(), "mysqladmin -h 127.0.0.1 -P 1 -u root ping"),
        ("tpcc_start -w".to_owned(), "option -w (warehouses) wants a value: -w, --warehouses=N"),
        ("tpcc_start -x 1".to_owned(), "unknown option '-x'"),
        ("tpcc_start -c many".to_owned(), "-c (connections) cannot be \"many\""),
        ("tpcc_start -o 4".to_owned(), "-o numbers the databases of -m"),
        ("tpcc_start -f /nowhere/at/all -u root".to_owned(), "hint      mkdir -p /nowhere/at"),
        ("tpcc_start -t . -u root".to_owned(), "name a file in it: ./new_orders.txt"),
        ("tpcc_start -w 1 -m 2 -d many -u root -r 0 -l 1".to_owned(), " create many_0 && tpcc_load -S "),
        ("tpcc_load -d x -w 1 --ssl-mode verify-ca".to_owned(), "--ssl-ca=/path/to/ca.pem"),
        ("tpcc_start -d x --ssl-mode verify-ca".to_owned(), "--ssl-ca=/path/to/ca.pem"),
        ("tpcc_start a b c d 1 2 3 4 1 1 1 1 x".to_owned(), "(stock-levels): it is a whole number from 0 to 1000000"),
        ("tpcc_start 127.0.0.1:1 tpcc root \"\" 1 1 1 1".to_owned(), "127.0.0.1:1"),
        (format!("tpcc_start -h {address} -d sbtest -u app -p s3cret-wrong -c 1 -r 0 -l 1"), "Access denied"),
        (
            format!("tpcc_load {address} sbtest app s3cret-wrong 1"),
            "with -u and -p (or MYSQL_PWD); try them: mysql -h 127",
        ),
    ] {
        let (code, out, err) = here.does(&line);
        assert!(code == 1 && err.contains(wanted), "{line}: {code} {out}{err}");
        assert!(!out.contains("SUCCESSFULLY") && !out.contains("TpmC"), "{line}: {out}");
        assert!(!out.contains("s3cret") && !err.contains("s3cret"), "{line}: {out}{err}");
        assert!(
            !err.contains("mysql://") && !err.contains("tenbin doctor"),
            "in these programs' own options: {line}: {err}"
        );
    }
    // The hint is a command that mends it.
    let line = format!("tpcc_start {address} sbtest root \"\" 1 1 0 1");
    let (code, _, err) = here.does(&line);
    assert_eq!(code, 1, "{err}");
    let hint = err.lines().find_map(|line| line.trim().strip_prefix("hint ")).unwrap().trim().to_owned();
    assert!(hint.starts_with("tpcc_load -h 127.0.0.1 -P ") && hint.ends_with(" -d sbtest -u root -w 1"), "{hint}");
    let (code, out, err) = here.does(&hint);
    assert_eq!(code, 0, "{hint}: {out}{err}");
    let (code, out, err) = here.does(&line);
    assert!(code == 0 && out.contains(" TpmC\n"), "{out}{err}");

    for line in ["tpcc_load --help", "tpcc_start -?", "tpcc_start --version"] {
        let (code, out, _) = here.does(line);
        assert!(code == 0 && out.contains("answered by Tenbin"), "{out}");
    }
    let (code, out, _) = output_of(tenbin().args(["tpcc_start", "--help"]));
    assert!(code == 0 && out.contains("--interval-format=2008|2011|2012|2016"), "{out}");
    // A password that is right is nowhere to be read either.
    here.ask("GRANT ALL ON sbtest.* TO 'app'@'%'");
    let (_, out, err) = here.does(&format!("tpcc_start {address} sbtest app s3cret-word 1 1 0 1"));
    assert!(out.contains("[pass]: *****") && !out.contains("s3cret") && !err.contains("s3cret"), "{out}{err}");
    let (_, kept, _) = output_of(Command::new("grep").args(["-rl", "s3cret"]).arg(here.path("runs")));
    assert_eq!(kept, "", "nothing kept has it");
}
