//! Generated tables: by COPY, LOAD DATA or INSERT the same rows, and as large as the plan asks for.

use super::{folder, run};
use std::fs;
use tenbin_tests::{mariadb, output_of, postgres, read_back, sql, tenbin};

const WORDS: &str = "plain\na\tb\nc\\d\nit's\n\"q\"\n\\N\n日本\n%s\n";

fn plan(target: &str, fill: &str) -> String {
    format!(
        "schema = 1\nname = \"made\"\n[targets]\nserver = {{ {target} }}\n[datasets.bank]\nkind = \"sql\"\ncreate = \"made.sql\"\nstreams = 2\n\
         {fill}\n[[experiment]]\nname = \"e\"\nrepeats = 1\nwarmup = 0\nmeasure = \"200ms\"\ninterval = \"100ms\"\n\
         load = {{ workload = \"sql\", scripts = [\"one.sql\"] }}\n"
    )
}

const FILL: &str = "[datasets.bank.fill.made]\nrows = 45_000\nid = \"serial\"\nword = \"file('words.txt')\"\nwhole = \"uniform(-9, 9)\"\n\
                    cents = \"decimal(0, 100, 2)\"\nday = \"null(0.2, date('2020-01-01', '2020-12-31'))\"\nraw = \"bytes(20, 0.5)\"\n\
                    doc = \"json('{\\\"a\\\": ${uniform(1, 5)}, \\\"b\\\": \\\"${name}\\\"}')\"\n";

/// Loads on a server; what it answers to questions that all databases understand alike.
fn loaded(dsn: &str, schema: &str, hex: &str) -> Vec<Vec<Vec<String>>> {
    let folder = folder();
    for (name, text) in
        [("words.txt", WORDS), ("made.sql", schema), ("one.sql", "SELECT COUNT(*) FROM made WHERE id < 5;\n")]
    {
        fs::write(folder.path().join(name), text).expect("a file can be written");
    }
    let at = if dsn == "sqlite:" { format!("sqlite:{}", folder.path().join("a.db").display()) } else { dsn.to_owned() };
    let (code, printed) = run(folder.path(), &plan(&format!("dsn = \"{at}\""), FILL));
    assert!(code == 0 || code == 3, "{code} {printed}");
    assert!(printed.contains("45,000"), "{printed}");
    [
        "SELECT COUNT(*), COUNT(DISTINCT id), MIN(id), MAX(id) FROM made".to_owned(),
        "SELECT SUM(whole), COUNT(day) FROM made".to_owned(),
        "SELECT id, word, whole, doc FROM made WHERE id % 997 = 0 ORDER BY id".to_owned(),
        "SELECT id, CAST(day AS CHAR(10)) FROM made WHERE id % 997 = 0 AND day IS NOT NULL ORDER BY id".to_owned(),
        format!("SELECT id, LOWER({hex}) FROM made WHERE id % 997 = 0 ORDER BY id"),
    ]
    .iter()
    .map(|question| sql::query(&at, question))
    .collect()
}

#[test]
fn copy_load_data_and_inserts_load_the_same_rows() {
    let columns =
        "id BIGINT PRIMARY KEY, word VARCHAR(40) NOT NULL, whole INT NOT NULL, cents DECIMAL(8, 2) NOT NULL, day DATE";
    let sqlite =
        loaded("sqlite:", &format!("CREATE TABLE made ({columns}, raw BLOB NOT NULL, doc TEXT NOT NULL);"), "HEX(raw)");
    assert_eq!(sqlite[0], [["45000", "45000", "1", "45000"]]);
    assert!(
        sqlite[2].iter().any(|row| row[1] == "a\tb") && sqlite[2].iter().any(|row| row[1] == "\\N"),
        "{:?}",
        sqlite[2]
    );

    let server = postgres(&[("log_statement", "all")]);
    let schema = format!("CREATE TABLE made ({columns}, raw BYTEA NOT NULL, doc TEXT NOT NULL);");
    assert_eq!(loaded(&server.dsn(), &schema, "ENCODE(raw, 'hex')"), sqlite);
    let log = fs::read_to_string(server.dir().join("error.log")).expect("the server's log");
    assert!(log.contains("COPY made (id, word") && !log.contains("INSERT INTO made"));

    let schema = format!("CREATE TABLE made ({columns}, raw BLOB NOT NULL, doc TEXT NOT NULL) CHARACTER SET utf8mb4;");
    for (server, lines) in [
        (mariadb(&[("innodb_autoinc_lock_mode", "2"), ("local_infile", "1")]), true),
        (mariadb(&[("local_infile", "0")]), false),
    ] {
        sql::query(&server, "SET GLOBAL log_output = 'TABLE'");
        sql::query(&server, "SET GLOBAL general_log = 1");
        assert_eq!(loaded(&server.dsn(), &schema, "HEX(raw)"), sqlite, "lines: {lines}");
        let sent = |what: &str| {
            let question = format!("SELECT COUNT(*) FROM mysql.general_log WHERE argument LIKE '{what}%'");
            sql::query(&server, &question)[0][0] != "0"
        };
        assert_eq!((sent("LOAD DATA LOCAL"), sent("INSERT INTO made")), (lines, !lines));
    }
}

#[test]
fn a_value_that_does_not_fit_is_an_error_also_where_lines_are_loaded() {
    let server = mariadb(&[("innodb_autoinc_lock_mode", "2"), ("local_infile", "1")]);
    let folder = folder();
    let schema = "CREATE TABLE made (id BIGINT PRIMARY KEY, word VARCHAR(3) NOT NULL);";
    for (name, text) in [("words.txt", WORDS), ("made.sql", schema), ("one.sql", "SELECT COUNT(*) FROM made;\n")] {
        fs::write(folder.path().join(name), text).expect("a file can be written");
    }
    let fill = "[datasets.bank.fill.made]\nrows = 100\nid = \"serial\"\nword = \"file('words.txt')\"\n";
    let (code, printed) = run(folder.path(), &plan(&format!("dsn = \"{}\"", server.dsn()), fill));
    assert!(code == 2 && printed.contains("Data too long"), "{code} {printed}");
    assert_eq!(sql::query(&server, "SELECT COUNT(*) FROM made"), [["0"]], "nothing was cut off");
}

#[test]
fn a_table_is_filled_until_its_server_says_that_it_has_its_size() {
    const MIB: u64 = 1 << 20;
    let fill = "[datasets.bank.fill.made]\nsize = \"6MiB\"\nid = \"serial\"\nword = \"text(100, 200)\"\n\
                [datasets.bank.fill.other]\nrows = 2_000\nmade = \"ref('made.id')\"\n";
    let schema =
        "CREATE TABLE made (id BIGINT PRIMARY KEY, word TEXT NOT NULL);\nCREATE TABLE other (made BIGINT NOT NULL);\n";
    let (mariadb, postgres) = (mariadb(&[("innodb_file_per_table", "1")]), postgres(&[]));
    let size = [
        "SELECT DATA_LENGTH + INDEX_LENGTH FROM information_schema.TABLES WHERE TABLE_NAME = 'made'",
        "SELECT pg_total_relation_size('made')",
        "SELECT page_count * page_size FROM pragma_page_count(), pragma_page_size()",
    ];
    for (dsn, size) in [mariadb.dsn(), postgres.dsn(), String::from("sqlite:")].into_iter().zip(size) {
        let folder = folder();
        for (name, text) in [("made.sql", schema), ("one.sql", "SELECT COUNT(*) FROM other WHERE made = 1;\n")] {
            fs::write(folder.path().join(name), text).expect("a file can be written");
        }
        let at = if dsn == "sqlite:" { format!("sqlite:{}", folder.path().join("a.db").display()) } else { dsn };
        let text = plan(&format!("dsn = \"{at}\""), fill);
        let (code, printed) = run(folder.path(), &text);
        assert!(code == 0 || code == 3, "{code} {printed}");
        let one = |question: &str| -> u64 { sql::query(&at, question)[0][0].parse().expect("a number") };
        if at.starts_with("mysql:") {
            sql::query(&at, "ANALYZE TABLE made");
        }
        let bytes = one(size);
        assert!((6 * MIB..8 * MIB).contains(&bytes), "{at}: {bytes}\n{printed}");
        let rows = one("SELECT COUNT(*) FROM made");
        assert_eq!(one("SELECT MAX(id) FROM made"), rows, "the first rows, without gaps");
        assert!(one("SELECT MAX(made) FROM other") <= rows, "references are to rows that there are");
        assert!(one("SELECT MAX(made) FROM other") > rows / 2);
        // The number of rows that the run records is that of the server, in this run and in one that finds them.
        let facts = |trial: &str| {
            let (dir, _) = read_back(&folder.path().join("runs"));
            fs::read_to_string(dir.join("trials").join(trial).join("events.jsonl")).expect("the events of the trial")
        };
        let wanted = format!("\"tables.rows\":\"{}\"", rows + 2000);
        assert!(facts("0001").contains(&wanted), "{at}: {wanted}\n{printed}");
        let (code, printed) = run(folder.path(), &text.replace("repeats = 1", "repeats = 1\nrestore = \"require\""));
        assert!(code == 0 || code == 3, "{code} {printed}");
        assert!(facts("0001").contains(&wanted), "{at}: found again");
        // Loaded again, it has the same rows.
        let (code, printed) = run(folder.path(), &text.replace("repeats = 1", "repeats = 2\nrestore = \"before-run\""));
        assert!(code == 0 || code == 3, "{code} {printed}");
        assert!(facts("0001").contains(&wanted) && facts("0002").contains(&wanted), "{at}: {wanted}\n{printed}");
    }
}

#[test]
fn a_reference_to_nothing_is_told_before_anything_is_created() {
    let folder = folder();
    fs::write(folder.path().join("made.sql"), "CREATE TABLE made (id BIGINT, other BIGINT);\n")
        .expect("a file can be written");
    fs::write(folder.path().join("one.sql"), "SELECT 1;\n").expect("a file can be written");
    for (reference, wanted) in [
        ("nowhere.id", "refers to nowhere.id, which the plan does not have"),
        ("made.nothing", "refers to made.nothing"),
        ("made.other", "made.other"),
    ] {
        let fill = format!("[datasets.bank.fill.made]\nrows = 10\nid = \"serial\"\nother = \"ref('{reference}')\"\n");
        fs::write(folder.path().join("plan.toml"), plan("dsn = \"sqlite:a.db\"", &fill))
            .expect("a file can be written");
        for command in [&["plan", "check", "plan.toml"][..], &["run", "plan.toml"]] {
            let (code, out, err) = output_of(tenbin().args(command).current_dir(folder.path()));
            let printed = format!("{out}{err}");
            assert!(code == 1 && printed.contains(wanted), "{reference}: {code} {printed}");
        }
    }
    assert!(!folder.path().join("a.db").exists());
}

/// The plan may name the tables in any order: those that a foreign key refers to are there first.
#[test]
fn a_foreign_key_finds_the_rows_of_a_table_that_stands_behind() {
    let fill = "[datasets.bank.fill.child]\nrows = 500\nid = \"serial\"\nowner = \"ref('parent.id')\"\n\
                [datasets.bank.fill.parent]\nrows = 50\nid = \"serial\"\n";
    let schema = "CREATE TABLE parent (id BIGINT PRIMARY KEY);\n\
                  CREATE TABLE child (id BIGINT PRIMARY KEY, owner BIGINT NOT NULL, FOREIGN KEY (owner) REFERENCES parent (id));\n";
    let (mariadb, postgres) = (mariadb(&[]), postgres(&[]));
    for dsn in [mariadb.dsn(), postgres.dsn()] {
        let folder = folder();
        for (name, text) in [("made.sql", schema), ("one.sql", "SELECT COUNT(*) FROM child;\n")] {
            fs::write(folder.path().join(name), text).expect("a file can be written");
        }
        let (code, printed) = run(folder.path(), &plan(&format!("dsn = \"{dsn}\""), fill));
        assert!(code == 0 || code == 3, "{dsn}: {code} {printed}");
        let joined = "SELECT COUNT(*) FROM child JOIN parent ON child.owner = parent.id";
        assert_eq!(sql::query(&dsn, joined), [["500"]]);
    }
}

/// A small table is loaded within the second in which it was created, and to InnoDB TRUNCATE makes another one of it: it remains ours. What makes another table
/// of one whenever it is executed is told beforehand.
#[test]
fn a_table_that_a_script_empties_remains_ours() {
    let (server, folder) = (mariadb(&[]), folder());
    let script = "\\set k random(1, 20)\nINSERT INTO log VALUES (:k);\n\\if :k = 1\nTRUNCATE TABLE log;\n\\endif\n";
    for (name, text) in [("made.sql", "CREATE TABLE log (k BIGINT NOT NULL);\n"), ("one.sql", script)] {
        fs::write(folder.path().join(name), text).expect("a file can be written");
    }
    let fill = "[datasets.bank.fill.log]\nrows = 100\nk = \"serial\"\n";
    let text = plan(&format!("dsn = \"{}\"", server.dsn()), fill);
    let text = text.replace("repeats = 1", "repeats = 3").replace("measure = \"200ms\"", "measure = \"2s\"");
    let (code, printed) = run(folder.path(), &text);
    assert!(code == 0 || code == 3, "{code} {printed}");
    let (_, json) = read_back(&folder.path().join("runs"));
    for trial in json["trials"].as_array().expect("trials") {
        assert!(trial["accounting"]["completed"].as_u64() > Some(0), "{printed}\n{trial:#}");
    }
    let check = |script: &str| {
        fs::write(folder.path().join("one.sql"), script).expect("a file can be written");
        let (code, out, err) = output_of(tenbin().args(["plan", "check", "plan.toml"]).current_dir(folder.path()));
        (code, format!("{out}{err}"))
    };
    let (code, printed) = check(script);
    assert!(code == 0 && !printed.contains("another table"), "{code} {printed}");
    let (code, printed) = check(&script.replace("TRUNCATE", "OPTIMIZE"));
    assert!(
        code == 0 && printed.contains("another table in place") && printed.contains("one.sql:4: OPTIMIZE"),
        "{code} {printed}"
    );
}

/// As an object-relational mapper writes them; the plan has them without quotes, and one plan is for all servers.
#[test]
fn names_that_were_created_in_quotes_are_found() {
    let server = postgres(&[]);
    let folder = folder();
    fs::write(folder.path().join("made.sql"), "CREATE TABLE \"Account\" (\"Id\" BIGINT PRIMARY KEY, Note TEXT);\n")
        .expect("a file can be written");
    fs::write(folder.path().join("one.sql"), "SELECT \"Id\" FROM \"Account\";\n").expect("a file can be written");
    let fill = "[datasets.bank.fill.Account]\nrows = 20\nId = \"serial\"\nNote = \"name\"\n";
    let (code, printed) = run(folder.path(), &plan(&format!("dsn = \"{}\"", server.dsn()), fill));
    assert!(code == 0 || code == 3, "{code} {printed}");
    assert_eq!(sql::query(&server, "SELECT COUNT(*), COUNT(note) FROM \"Account\""), [["20", "20"]]);
}
