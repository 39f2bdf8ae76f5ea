//! Users' own SQL: two statements with weights on every database, values like pgbench's, wrong answers, refusals. [`groups`] run together, [`data`] are made
//! by generators, [`pipelines`] are transactions of PostgreSQL, [`paths`] are those of plans,
//! [`values`] are those of results and variables, and [`wrong`] has what cannot be or is unusual.

mod data;
mod groups;
mod guarded;
mod paths;
mod pipelines;
mod values;
mod wrong;

use std::fs;
use std::path::Path;
use std::process::Command;
use tenbin_tests::{mariadb, output_of, postgres, read_back, sql, tenbin};

const PAY: &str = "-- tenbin: retry=3\n\
                   \\set id random(1, 100)\n\
                   \\set amount random(1, 50)\n\
                   BEGIN;\n\
                   -- tenbin: name=debit expect=\"rows = 1\"\n\
                   UPDATE account SET balance = balance - :amount WHERE id = :id;\n\
                   SELECT balance AS now FROM account WHERE id = :id \\gset\n\
                   \\if :now < 0\n\
                   INSERT INTO entry (account, amount) VALUES (:id, :now);\n\
                   \\endif\n\
                   COMMIT;\n";
const LOOK: &str = "\\set id random_zipfian(1, 100, 1.2)\nSELECT owner, balance FROM account WHERE id = :id;\n";
const SCHEMA: &str = "CREATE TABLE account (id BIGINT PRIMARY KEY, owner VARCHAR(60) NOT NULL, balance BIGINT NOT NULL, opened DATE);\n\
                      CREATE TABLE entry (account BIGINT NOT NULL, amount BIGINT NOT NULL);\n";

/// A folder with the scripts.
pub(crate) fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    for (name, text) in [("pay.sql", PAY), ("look.sql", LOOK), ("schema.sql", SCHEMA)] {
        fs::write(folder.path().join(name), text).expect("a file can be written");
    }
    folder
}

/// A plan that loads the tables and runs both scripts on this server.
fn plan(target: &str, load: &str) -> String {
    format!(
        "schema = 1\nname = \"own\"\n[targets]\nserver = {{ {target} }}\n\
         [datasets.bank]\nkind = \"sql\"\ncreate = \"schema.sql\"\nafter_load = [\"CREATE INDEX by_owner ON account (owner)\"]\n\
         [datasets.bank.fill.account]\nrows = 100\nid = \"serial\"\nowner = \"name\"\nbalance = \"uniform(0, 1000)\"\n\
         opened = \"null(0.1, date('2020-01-01', '2024-12-31'))\"\n\
         [[experiment]]\nname = \"e\"\nrepeats = 1\nwarmup = 0\nmeasure = \"2s\"\ninterval = \"500ms\"\n\
         load = {{ workload = \"sql\", scripts = [\"pay.sql@30\", \"look.sql@70\"], {load} }}\n"
    )
}

pub(crate) fn run(folder: &Path, plan: &str) -> (i32, String) {
    fs::write(folder.join("plan.toml"), plan).expect("a file can be written");
    let _ = fs::remove_dir_all(folder.join("runs"));
    let (code, out, err) = output_of(tenbin().args(["run", "plan.toml", "--runs", "runs"]).current_dir(folder));
    (code, format!("{out}{err}"))
}

/// Runs both scripts on a server; each has about its share of the transactions, and nothing fails.
fn runs_on(target: &str) -> tempfile::TempDir {
    let folder = folder();
    let (code, printed) = run(folder.path(), &plan(target, "clients = 3"));
    assert!(tenbin_tests::is_valid_or_disturbed(code, &printed), "{code} {printed}");
    let (_, json) = read_back(&folder.path().join("runs"));
    let trial = &json["trials"][0];
    let count = |name: &str| trial["statements"][name]["completed"].as_u64().unwrap_or(0);
    let (pay, look) = (count("debit"), count("look 2: SELECT account"));
    assert!(pay + look > 50, "{printed}\n{trial:#}");
    let share = pay as f64 / (pay + look) as f64;
    assert!((0.15..0.45).contains(&share), "{pay} of {}", pay + look);
    folder
}

/// Two statements in one text are two to the server, and so they are here.
#[test]
fn statements_that_are_sent_in_one_text_are_counted_each() {
    let server = mariadb(&[]);
    let own = folder();
    fs::write(
        own.path().join("look.sql"),
        "\\set id random(1, 100)\nSELECT 1\\; SELECT balance FROM account WHERE id = :id;\n",
    )
    .expect("a file can be written");
    let whole = plan(&format!("dsn = \"{}\"", server.dsn()), "clients = 2");
    run(own.path(), &whole.replace("\"pay.sql@30\", \"look.sql@70\"", "\"look.sql\""));
    let (_, json) = read_back(&own.path().join("runs"));
    let trial = &json["trials"][0];
    let number = |name: &str| trial[name].as_f64().expect("a number");
    assert!(number("tps") > 50.0 && (number("qps") / number("tps") - 2.0).abs() < 0.01, "{trial:#}");
    let codes = trial["doubts"].as_array().expect("doubts").iter().map(|doubt| doubt["code"].as_str());
    assert!(!codes.clone().any(|code| code == Some("foreign-statements")), "{:#}", trial["doubts"]);
}

#[test]
fn two_scripts_with_weights_run_on_mariadb() {
    let server = mariadb(&[]);
    runs_on(&format!("dsn = \"{}\"", server.dsn()));
    assert_eq!(sql::query(&server, "SELECT COUNT(*), MIN(id), MAX(id) FROM account"), [["100", "1", "100"]]);
    assert_eq!(
        sql::query(&server, "SELECT COUNT(*) FROM information_schema.STATISTICS WHERE INDEX_NAME = 'by_owner'"),
        [["1"]]
    );
}

#[test]
fn two_scripts_with_weights_run_on_postgres() {
    let server = postgres(&[]);
    runs_on(&format!("dsn = \"{}\"", server.dsn()));
    assert_eq!(
        sql::query(
            &server,
            "SELECT COUNT(*) FROM account WHERE opened BETWEEN '2020-01-01' AND '2024-12-31' OR opened IS NULL"
        ),
        [["100"]]
    );
}

#[test]
fn two_scripts_with_weights_run_on_sqlite() {
    runs_on("dsn = \"sqlite:bank.db\"");
}

/// The seed of the only trial, as it is recorded.
fn seed_of_trial(run: &Path) -> u64 {
    let events = fs::read_to_string(run.join("events.jsonl")).expect("the events of the run");
    let planned = events.lines().find_map(|line| line.split_once("\"seed\":")).unwrap_or_else(|| panic!("{events}"));
    let digits = planned.1.find(|c: char| !c.is_ascii_digit()).unwrap_or(planned.1.len());
    planned.1[..digits].parse().expect("a number")
}

/// The statements in a server's log, without values of the run before.
fn logged(log: &str) -> Vec<String> {
    let kept = |line: &&str| {
        line.contains("statement: SELECT :")
            || line.contains("statement: SELECT '")
            || line.contains("statement: UPDATE account")
    };
    log.lines().filter(kept).map(|line| line.split("statement: ").nth(1).unwrap_or_default().to_owned()).collect()
}

#[test]
fn values_are_those_of_pgbench_with_the_seed_of_the_trial() {
    let server = postgres(&[("log_statement", "all")]);
    let folder = folder();
    let text = "\\set a random(1, 1000000)\n\\set b random_gaussian(1, 1000, 2.5)\n\\set c random_zipfian(1, 1000, 1.1)\n\
                \\set d random_exponential(1, 1000, 3)\n\\set e permute(:a, 1000000)\n\\set f hash(:a)\n\
                SELECT 'x', :client_id, :a, :b, :c, :d, :e, :f;\n";
    fs::write(folder.path().join("x.sql"), text).expect("a file can be written");
    fs::write(folder.path().join("y.sql"), text.replace("'x'", "'y'")).expect("a file can be written");
    let text = format!(
        "schema = 1\n[targets]\nserver = {{ dsn = \"{}\" }}\n[[experiment]]\nname = \"e\"\nrepeats = 1\nwarmup = 0\nmeasure = \"1s\"\n\
         load = {{ workload = \"sql\", scripts = [\"x.sql@3\", \"y.sql\"], ps_mode = \"disable\", clients = 2, operations = 400 }}\n",
        server.dsn()
    );
    let (code, printed) = run(folder.path(), &text);
    assert!(code == 0 || code == 3, "{printed}");
    let (run, _) = read_back(&folder.path().join("runs"));
    let seed = seed_of_trial(&run);
    let read = || fs::read_to_string(server.dir().join("error.log")).expect("the server's log");
    let ours = logged(&read());
    assert!(ours.len() >= 40, "{}", ours.len());
    let before = read().len();
    let mut real = Command::new("pgbench");
    real.args([
        "-n",
        "-c",
        "2",
        "-j",
        "2",
        "-t",
        "40",
        "-f",
        "x.sql@3",
        "-f",
        "y.sql",
        &format!("--random-seed={seed}"),
    ]);
    real.arg(server.dsn().replace("postgres://", "postgresql://")).current_dir(folder.path());
    let (code, out, err) = output_of(&mut real);
    assert_eq!(code, 0, "{out}{err}");
    let theirs = logged(&read()[before..]);
    for client in ["0", "1"] {
        let of = |all: &[String]| -> Vec<String> {
            all.iter().filter(|line| line.contains(&format!("', {client}, "))).cloned().collect()
        };
        let (ours, theirs) = (of(&ours), of(&theirs));
        assert!(ours.len() >= 10 && theirs.len() == 40, "{} {}", ours.len(), theirs.len());
        let both = ours.len().min(theirs.len());
        assert_eq!(ours[..both], theirs[..both], "client {client}");
    }
}

#[test]
fn a_wrong_answer_is_an_error_of_its_own() {
    let server = mariadb(&[]);
    sql::query(&server, "CREATE TABLE t (a INT)");
    let folder = folder();
    let text = "SELECT 1;\n-- tenbin: name=empty expect=\"rows = 1\"\nSELECT a FROM t;\n";
    fs::write(folder.path().join("pay.sql"), text).expect("a file can be written");
    let bench = |more: &[&str]| {
        let mut command = tenbin();
        command
            .args(["bench", "pay.sql", &server.dsn(), "--time", "1s", "--runs", "runs"])
            .args(more)
            .current_dir(folder.path());
        let (code, out, err) = output_of(&mut command);
        (code, format!("{out}{err}"))
    };
    let (code, printed) = bench(&[]);
    assert!(code != 0 && printed.contains("expected rows = 1, found 0"), "{code} {printed}");
    fs::remove_dir_all(folder.path().join("runs")).expect("a run is there");
    let (_, printed) = bench(&["-o", "on_error=count"]);
    let (_, json) = read_back(&folder.path().join("runs"));
    let errors = &json["trials"][0]["statements"];
    assert!(errors.to_string().contains("TN001"), "{printed}\n{errors:#}");
}

#[test]
fn tables_of_others_are_written_only_with_permission() {
    let server = postgres(&[]);
    sql::query(&server, "CREATE TABLE account (id BIGINT PRIMARY KEY, owner TEXT, balance BIGINT)");
    sql::query(&server, "CREATE TABLE entry (account BIGINT, amount BIGINT)");
    sql::query(&server, "INSERT INTO account SELECT i, 'x', 5 FROM generate_series(1, 100) i");
    let folder = folder();
    let bench = |scripts: &[&str], more: &[&str]| {
        let mut command = tenbin();
        command
            .arg("bench")
            .args(scripts)
            .args([&server.dsn(), "--time", "500ms"])
            .args(more)
            .current_dir(folder.path());
        let (code, out, err) = output_of(&mut command);
        (code, format!("{out}{err}"))
    };
    let (code, printed) = bench(&["pay.sql@30", "look.sql@70"], &[]);
    assert!(code == 1 && printed.contains("account"), "{code} {printed}");
    assert_eq!(sql::query(&server, "SELECT COUNT(*) FROM account WHERE balance <> 5"), [["0"]]);
    let (code, printed) = bench(&["look.sql"], &[]);
    assert!(code == 0 || code == 3, "reads only: {code} {printed}");
    let (code, printed) = bench(&["pay.sql@30", "look.sql@70"], &["--allow", "write-unmarked"]);
    assert!(code == 0 || code == 3, "{code} {printed}");
    // A file that drops, or creates what is there, is refused before anything happens.
    let text = plan(&format!("dsn = \"{}\"", server.dsn()), "clients = 1");
    let (code, printed) = run(folder.path(), &text);
    assert!(code == 1 && printed.contains("account"), "{code} {printed}");
    fs::write(folder.path().join("schema.sql"), format!("DROP TABLE IF EXISTS account;\n{SCHEMA}"))
        .expect("a file can be written");
    let (code, printed) = run(folder.path(), &text);
    assert!(code == 1 && printed.contains("DROP"), "{code} {printed}");
    assert_eq!(sql::query(&server, "SELECT COUNT(*) FROM account"), [["100"]]);
}

/// Statements that reach a table of others by a name with a schema, in other letters, within another statement, or beside a table of ours.
#[test]
fn no_way_of_writing_a_statement_reaches_tables_of_others_without_permission() {
    let ways = |server: &str, statements: &[&str]| {
        let folder = folder();
        let ask = |text: &str| sql::query(server, text)[0][0].clone();
        for statement in statements {
            fs::write(folder.path().join("t.sql"), format!("{statement}\n")).expect("a file can be written");
            let mut command = tenbin();
            command.args(["bench", "t.sql", server, "--operations", "1", "--time", "1"]).current_dir(folder.path());
            let (code, out, err) = output_of(&mut command);
            assert!(code == 1 && err.contains("precious"), "{statement}: {code} {out}{err}");
            assert_eq!(ask("SELECT COUNT(*) FROM precious"), "2", "{statement}");
        }
        // The same as what follows the load, and in the file that creates the tables.
        let text = |after: &str| {
            format!(
                "schema = 1\nname = \"x\"\n[targets]\nt = {{ dsn = \"{server}\" }}\n[datasets.d]\nkind = \"sql\"\n\
                 create = \"c.sql\"\nafter_load = [\"{after}\"]\nfill.mine.rows = 1\n[[experiment]]\nname = \"e\"\nmeasure = \"1s\"\n\
                 load = {{ workload = \"sql\", scripts = [\"t.sql\"] }}\n"
            )
        };
        fs::write(folder.path().join("t.sql"), "SELECT 1;\n").expect("a file can be written");
        for (create, after) in [
            ("", "DELETE FROM precious"),
            ("", "DROP TABLE precious"),
            ("", "TRUNCATE precious"),
            ("\\; DELETE FROM precious", "SELECT 1"),
        ] {
            fs::write(folder.path().join("c.sql"), format!("CREATE TABLE mine (id INT){create};\n"))
                .expect("a file can be written");
            let (code, printed) = run(folder.path(), &text(after));
            assert_eq!(code, 1, "{create} {after}: {printed}");
            assert_eq!(ask("SELECT COUNT(*) FROM precious"), "2", "{create} {after}");
        }
    };
    let server = postgres(&[]);
    for text in ["CREATE SCHEMA oth", "CREATE TABLE oth.precious (id INT)", "CREATE TABLE precious (id INT)"] {
        sql::query(&server, text);
    }
    sql::query(&server, "INSERT INTO precious VALUES (1), (2)");
    for text in [
        "CREATE FUNCTION wipe() RETURNS int LANGUAGE sql AS 'DELETE FROM precious; SELECT 1'",
        "CREATE FUNCTION wiped(int, int) RETURNS bool LANGUAGE plpgsql AS 'BEGIN DELETE FROM precious; RETURN true; END'",
        "CREATE FUNCTION wiping(int, int) RETURNS int LANGUAGE plpgsql AS 'BEGIN DELETE FROM precious; RETURN 1; END'",
        "CREATE OPERATOR @@@ (FUNCTION = wiped, LEFTARG = int, RIGHTARG = int)",
        "CREATE AGGREGATE wipe_all(int) (SFUNC = wiping, STYPE = int, INITCOND = '0')",
        "CREATE VIEW wiper AS SELECT wipe() AS x",
        "CREATE VIEW above AS SELECT x FROM wiper",
        "CREATE SEQUENCE precious_seq",
    ] {
        sql::query(&server, text);
    }
    ways(
        &server.dsn(),
        &[
            "DELETE FROM public.precious;",
            "DELETE FROM Precious;",
            "DELETE FROM ONLY precious;",
            "DELETE FROM oth.precious;",
            "DROP TABLE IF EXISTS nosuch, precious;",
            "CREATE TABLE zz (a int)\\; TRUNCATE precious;",
            "EXPLAIN ANALYZE DELETE FROM precious;",
            "EXPLAIN ANALYSE DELETE FROM precious;",
            "DELETE FROM U&\"pr\\0065cious\";",
            "SET standard_conforming_strings = off;\nSELECT '\\''; DELETE FROM precious; --';",
            "DO $$ BEGIN DELETE FROM precious; END $$;",
            "PREPARE q AS DELETE FROM precious\\; EXECUTE q;",
            "CREATE TABLE own (id INT);\nINSERT INTO own VALUES (1);\nSELECT wipe();",
            "CREATE TABLE own (id INT);\nINSERT INTO own VALUES (public.Wipe());",
            "CREATE TABLE own (id INT);\nINSERT INTO own VALUES (1);\nSELECT id FROM own WHERE id @@@ 2;",
            "CREATE TABLE own (id INT);\nINSERT INTO own VALUES (1);\nSELECT wipe_all(id) FROM own;",
            "CREATE TABLE own (id INT);\nINSERT INTO own VALUES (1);\nSELECT x FROM above;",
            "CREATE TABLE own (id INT);\nINSERT INTO own VALUES (nextval('precious_seq'));",
            "SELECT setval('public.precious_seq', 9);",
            "CREATE TABLE own (id INT) PARTITION BY LIST (id);\nALTER TABLE own ATTACH PARTITION precious DEFAULT;",
        ],
    );
    let server = mariadb(&[]);
    sql::query(&server, "CREATE TABLE precious (id INT)");
    sql::query(&server, "INSERT INTO precious VALUES (1), (2)");
    sql::query(&server, "CREATE FUNCTION wipe() RETURNS INT BEGIN DELETE FROM precious; RETURN 1; END");
    sql::query(&server, "CREATE VIEW wiper AS SELECT wipe() AS x");
    sql::query(&server, "CREATE VIEW above AS SELECT x FROM wiper");
    sql::query(&server, "CREATE SEQUENCE precious_seq");
    let schema = sql::query(&server, "SELECT DATABASE()")[0][0].clone();
    ways(
        &server.dsn(),
        &[
            &format!("DELETE FROM {schema}.precious;"),
            "/*!50000 DELETE FROM precious */;",
            "ANALYZE DELETE FROM precious;",
            "SET sql_mode = 'NO_BACKSLASH_ESCAPES';\nSELECT 'it\\'; DELETE FROM precious; -- ';",
            "CREATE TABLE own (id INT) ENGINE='MERGE' UNION=(precious) INSERT_METHOD=LAST;\nINSERT INTO own VALUES (1);",
            "EXECUTE IMMEDIATE 'DELETE FROM precious';",
            "RENAME TABLE precious TO p2;",
            "SET STATEMENT max_statement_time=10 FOR DELETE FROM precious;",
            "CREATE TABLE own (id INT);\nINSERT INTO own VALUES (1);\nSET @a = WIPE();",
            "CREATE TABLE own (id INT);\nINSERT INTO own VALUES (1);\nSELECT x FROM above;",
            "DELIMITER //\nBEGIN NOT ATOMIC DELETE FROM precious; END//",
            "SELECT SETVAL(precious_seq, 9);",
            "SELECT NEXT VALUE FOR precious_seq;",
        ],
    );
    let folder = folder();
    let file = format!("sqlite:{}", folder.path().join("t.db").display());
    sql::query(&file, "CREATE TABLE precious (id INT)");
    sql::query(&file, "INSERT INTO precious VALUES (1), (2)");
    ways(&file, &["DELETE FROM PRECIOUS;", "DELETE FROM main.precious;"]);
}

/// Beside tables of others, what is certain to be about ours needs no permission.
#[test]
fn scripts_may_write_to_their_own_tables_beside_those_of_others() {
    let folder = folder();
    let file = format!("sqlite:{}", folder.path().join("t.db").display());
    sql::query(&file, "CREATE TABLE precious (id INT)");
    let text = "CREATE TABLE IF NOT EXISTS own (id INT);\nCREATE INDEX IF NOT EXISTS by_id ON own (id);\nINSERT INTO own (id) VALUES (1);\n\
                DELETE FROM own WHERE id IN (1, 2);\nDROP TABLE own;\n";
    fs::write(folder.path().join("t.sql"), text).expect("a file can be written");
    let mut command = tenbin();
    command.args(["bench", "t.sql", &file, "--runs", "runs", "--operations", "3"]).current_dir(folder.path());
    let (_, out, err) = output_of(&mut command);
    assert_eq!(read_back(&folder.path().join("runs")).1["trials"][0]["accounting"]["completed"], 3, "{out}{err}");
    // An index on a table of others is none of ours.
    fs::write(folder.path().join("t.sql"), "CREATE INDEX by_id ON precious (id);\n").expect("a file can be written");
    let mut command = tenbin();
    command.args(["bench", "t.sql", &file, "--operations", "1"]).current_dir(folder.path());
    let (code, out, err) = output_of(&mut command);
    assert!(code == 1 && err.contains("precious"), "{code} {out}{err}");
}

/// SQLite takes NULL for it, and nothing would be changed.
#[test]
fn a_misspelled_variable_is_an_error_on_sqlite_too() {
    let folder = folder();
    let file = format!("sqlite:{}", folder.path().join("t.db").display());
    sql::query(&file, "CREATE TABLE account (id INT, balance INT)");
    fs::write(folder.path().join("t.sql"), "\\set id random(1, 10)\nUPDATE account SET balance = 1 WHERE id = :idd;\n")
        .expect("a file can be written");
    for mode in ["auto", "disable"] {
        let mut command = tenbin();
        command.args(["bench", "t.sql", &file, "--operations", "5", "--allow", "write-unmarked"]);
        command.args(["-o", &format!("ps_mode={mode}")]).current_dir(folder.path());
        let (code, out, err) = output_of(&mut command);
        assert!(code != 0 && format!("{out}{err}").contains(":idd"), "{mode}: {code} {out}{err}");
    }
}

/// MySQL would compare the word "true" as 0.
#[test]
fn a_boolean_means_the_same_as_parameter_and_as_text() {
    let server = mariadb(&[]);
    sql::query(&server, "CREATE TABLE account (id INT)");
    sql::query(&server, "INSERT INTO account VALUES (1)");
    let folder = folder();
    let text = "-- tenbin: name=q expect=\"rows = 1\"\n\\set b true\nSELECT id FROM account WHERE (id = 1) = :b;\n";
    fs::write(folder.path().join("t.sql"), text).expect("a file can be written");
    for mode in ["auto", "disable"] {
        let mut command = tenbin();
        command.args([
            "bench",
            "t.sql",
            &server.dsn(),
            "--runs",
            "runs",
            "--operations",
            "5",
            "-o",
            &format!("ps_mode={mode}"),
        ]);
        let (_, out, err) = output_of(command.current_dir(folder.path()));
        let json = read_back(&folder.path().join("runs")).1;
        assert_eq!(json["trials"][0]["accounting"]["completed"], 5, "{mode}: {out}{err}");
        fs::remove_dir_all(folder.path().join("runs")).expect("the runs can be removed");
    }
}

#[test]
fn the_first_transaction_is_shown_with_values_before_anything_runs() {
    let folder = folder();
    let text = plan("dsn = \"sqlite:bank.db\"", "clients = 1");
    fs::write(folder.path().join("plan.toml"), text).expect("a file can be written");
    let (code, out, err) = output_of(tenbin().args(["plan", "check", "plan.toml"]).current_dir(folder.path()));
    assert_eq!(code, 0, "{out}{err}");
    let shown: Vec<&str> = out.lines().map(str::trim).collect();
    let debit = shown
        .iter()
        .find(|line| line.starts_with("UPDATE account SET balance = balance - "))
        .unwrap_or_else(|| panic!("{out}"));
    assert!(!debit.contains(':') && debit.ends_with("-- prepared"), "{debit}");
    assert!(shown.iter().any(|line| line.contains("-- depends on a result")), "{out}");
    let (code, out, err) = output_of(tenbin().args(["list", "pay.sql", "look.sql@70"]).current_dir(folder.path()));
    assert!(
        code == 0 && out.contains("debit") && out.contains(":amount") && out.contains("\\set amount random(1, 50)"),
        "{out}{err}"
    );
}

#[test]
fn mistakes_are_told_with_their_line_before_anything_runs() {
    let folder = folder();
    let text_of = |script: &str, more: &[&str]| {
        fs::write(folder.path().join("pay.sql"), script).expect("a file can be written");
        let mut command = tenbin();
        command.args(["bench", "pay.sql", "sqlite:a.db", "--time", "100ms"]).args(more).current_dir(folder.path());
        let (code, out, err) = output_of(&mut command);
        (code, format!("{out}{err}"))
    };
    for (script, wanted) in [
        ("\\set x foo(1)\nSELECT 1;", "line 1"),
        ("SELECT 1;\n\\set x random(1)\n", "line 2"),
        ("\\if true\nSELECT 1;", "\\if without matching \\endif"),
        ("", "it has no statement"),
        ("SELECT 'abc;\n", "has no end"),
        ("BEGIN;\nSELECT 1;\n", "never ends"),
        ("\\set a 1\nSELECT ':a';", "within quotes"),
        ("\\shell date\nSELECT 1;", "not permitted"),
        ("-- tenbin: expct=1\nSELECT 1;", "unknown word"),
    ] {
        let (code, printed) = text_of(script, &[]);
        assert!(code == 1 && printed.contains(wanted), "{script}: {code} {printed}");
        assert!(!folder.path().join("a.db").exists(), "{script}");
    }
    // What only execution shows fails the trial, with the line.
    for (script, wanted) in [
        ("\\set x 1 / (:scale - 1)\nSELECT 1;", "division by zero"),
        ("\\set x :nothing + 1\nSELECT 1;", "nothing has no value"),
        ("SELECT 1 WHERE 1 = 0 \\gset\n", "needs one row"),
        ("SELECT 1 AS a UNION SELECT 2 \\gset\n", "needs one row"),
        ("SELECT * FROM not_there;", "not_there"),
    ] {
        let (code, printed) = text_of(script, &[]);
        assert!(code != 0 && printed.contains(wanted), "{script}: {code} {printed}");
    }
    for script in [
        "\u{feff}SELECT 'a:b;c', \"x\", '12:30', 1 /* ; */; -- tail\r\nSELECT 2;\r\n",
        "\\set a 1\n-- tenbin: text\nSELECT ':a';",
        "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 100000) SELECT i FROM n;",
    ] {
        let (code, printed) = text_of(script, &[]);
        assert!(code == 0 || code == 3, "{script}: {code} {printed}");
    }
    let (code, printed) = text_of("\\setshell n echo 7\nSELECT :n;", &["-o", "shell=on"]);
    assert!(code == 0 || code == 3, "{code} {printed}");
    let (code, printed) = text_of("SELECT 1;", &["-o", "scripts=pay.sql@0"]);
    assert!(code == 1 && printed.contains("all weights are 0"), "{code} {printed}");
}
