//! Trouble is found before work: what the server, the account or the disk does not allow is refused, with the figures
//! and a hint, before a server is started or a table is made, by `plan check` and by `run` alike.

#![expect(clippy::unwrap_used, reason = "a test may")]

use std::path::Path;
use tenbin_tests::sql::query;
use tenbin_tests::{Balancer, SmallDisk, mariadb, output_of, postgres, tenbin};

/// A plan in a directory of its own, which is also where sandboxes would be made.
struct PlanDir {
    dir: tempfile::TempDir,
}

impl PlanDir {
    fn new(text: &str) -> PlanDir {
        let dir = tempfile::tempdir().unwrap();
        std::fs::write(dir.path().join("plan.toml"), format!("schema = 1\n{SHORT}{text}")).unwrap();
        PlanDir { dir }
    }

    fn does(&self, arguments: &[&str]) -> (i32, String, String) {
        let state = self.dir.path().join("state");
        output_of(tenbin().args(arguments).current_dir(self.dir.path()).env("TENBIN_STATE_DIR", state))
    }

    /// Refused by `plan check` and by `run` with the same words, before anything was made; answers with these.
    fn refused(&self) -> String {
        let (code, out, checked) = self.does(&["plan", "check", "plan.toml"]);
        assert_eq!(code, 1, "{out}{checked}");
        let (code, out, run) = self.does(&["run", "plan.toml", "--runs", "runs"]);
        assert_eq!((code, out.as_str()), (1, ""), "{run}");
        // Others fill and empty the disk meanwhile.
        let words = |text: &str| text.replace(|c: char| c.is_ascii_digit() || c == '.', "");
        assert_eq!(words(&checked), words(&run), "both say the same");
        let left: Vec<_> = std::fs::read_dir(self.dir.path()).unwrap().map(|e| e.unwrap().file_name()).collect();
        assert_eq!(left, ["plan.toml"], "neither a sandbox nor a run");
        checked
    }
}

const SHORT: &str =
    "[defaults]\nwarmup = \"0s\"\nmeasure = \"300ms\"\ninterval = \"100ms\"\nrepeats = 1\nrestore = \"before-run\"\n";

/// One target, described by these lines, and a load on a small data set.
fn one(target: &str, load: &str, data: &str) -> PlanDir {
    PlanDir::new(&format!("[targets.a]\n{target}\n[datasets.d]\n{data}\n[[experiment]]\nload = {{ {load} }}\n"))
}

#[test]
fn limits_of_a_sandbox_are_computed_before_it_is_started() {
    for (server, load, data, words) in [
        (
            "sandbox = \"mariadbd\"\nserver.max_connections = 12",
            "workload = \"oltp_read_only\", clients = 64",
            "table_size = 100",
            "error: plan.toml: line 10: the server does not allow so many connections
  evidence  max_connections 12, 0 in use by others, 67 wanted
            10 | server.max_connections = 12
  hint      set server.max_connections = 77 in the plan
",
        ),
        (
            "sandbox = \"mariadbd\"\nserver.max_prepared_stmt_count = 30",
            "workload = \"oltp_read_only\", clients = 8",
            "table_size = 100",
            "error: plan.toml: line 10: the server does not allow so many prepared statements
  evidence  max_prepared_stmt_count 30, 0 in use; 8 clients × 7 statements = 56
            10 | server.max_prepared_stmt_count = 30
  hint      set server.max_prepared_stmt_count = 156 in the plan (or ps_mode = \"disable\")
",
        ),
        (
            "sandbox = \"mariadbd\"\nserver.max_allowed_packet = \"64KiB\"",
            "workload = \"bulk_insert\", clients = 2",
            "kind = \"bulk_insert\"\ntables = 2",
            "error: plan.toml: line 10: the server does not take statements as long as the workload sends
  evidence  max_allowed_packet 65536, statements of up to 524288 bytes
            10 | server.max_allowed_packet = \"64KiB\"
  hint      set server.max_allowed_packet = 1048576 in the plan
",
        ),
        (
            "sandbox = \"postgres\"\nserver = { max_connections = 12, superuser_reserved_connections = 2 }",
            "workload = \"oltp_read_only\", clients = 64",
            "table_size = 100",
            "error: plan.toml: line 10: the server does not allow so many connections
  evidence  max_connections 12, 2 of them reserved, 0 in use by others, 67 wanted
            10 | server = { max_connections = 12, superuser_reserved_connections = 2 }
  hint      set server.max_connections = 79 in the plan
",
        ),
        // What a sandbox has when the plan does not say.
        (
            "sandbox = \"postgres\"",
            "workload = \"oltp_read_only\", clients = 2100",
            "table_size = 100",
            "error: the server does not allow so many connections
  evidence  max_connections 2100, 3 of them reserved, 0 in use by others, 2103 wanted
  hint      set server.max_connections = 2116 in the plan
",
        ),
    ] {
        assert_eq!(one(server, load, data).refused(), words);
    }
    // What was computed is shown, also where nothing is wrong.
    let (code, out, err) = one(
        "sandbox = \"mariadbd\"\nserver.max_connections = 67",
        "workload = \"oltp_read_only\", clients = 64",
        "table_size = 100",
    )
    .does(&["plan", "check", "plan.toml"]);
    assert_eq!(code, 0, "{err}");
    for line in [
        "  ok     connections are enough: max_connections 67, 0 in use by others, 67 wanted\n",
        "  ok     prepared statements are enough: max_prepared_stmt_count 1048576, 0 in use; 64 clients × 7 statements = 448\n",
        "  ok     the disk has room: about ",
    ] {
        assert!(out.contains(line), "{line} is missing in\n{out}");
    }
}

#[test]
fn limits_of_a_server_are_computed_before_any_table_is_made() {
    let maria = mariadb(&[("max_connections", "12")]);
    let postgres = postgres(&[("max_connections", "12")]);
    for (dsn, figures) in [
        (maria.dsn(), "max_connections 12, 0 in use by others, 68 wanted\n  hint      SET GLOBAL max_connections = 78"),
        (
            postgres.dsn(),
            "max_connections 12, 3 of them reserved, 0 in use by others, 68 wanted\n  hint      ALTER SYSTEM SET max_connections = 81, and restart the server",
        ),
    ] {
        let plan = |load: &str, streams: u32| {
            one(&format!("dsn = \"{dsn}\""), load, &format!("table_size = 100\nstreams = {streams}"))
        };
        let text = plan("workload = \"oltp_read_only\", clients = 64", 2).refused();
        assert_eq!(text, format!("error: the server does not allow so many connections\n  evidence  {figures}\n"));
        // The streams of the load count as well as the clients.
        let text = plan("workload = \"oltp_read_only\", clients = 1", 64).refused();
        assert!(text.contains(figures), "{text}");
    }
    let tables = "SELECT COUNT(*) FROM information_schema.tables WHERE table_schema IN ('sbtest', 'public')";
    assert_eq!(query(&maria, tables), [["0"]]);
    assert_eq!(query(&postgres, tables), [["0"]]);
}

#[test]
fn what_has_changed_since_is_found_before_the_load_of_a_trial() {
    let server = mariadb(&[]);
    let plan = PlanDir::new(&format!(
        "[targets.a]\ndsn = \"{}\"\n[datasets.small]\ntable_size = 100\n[datasets.large]\ntable_size = 200\n\
         [[experiment]]\nname = \"first\"\ndataset = \"small\"\nload = {{ workload = \"shrink.lua\", clients = 1, operations = 1 }}\n\
         [[experiment]]\nname = \"second\"\ndataset = \"large\"\nload = {{ workload = \"oltp_read_only\", clients = 64 }}\n",
        server.dsn()
    ));
    let script = "function thread_init() con = sysbench.sql.driver():connect() end\n\
                  function event() con:query('SET GLOBAL max_connections = 12') end\n";
    std::fs::write(plan.dir.path().join("shrink.lua"), script).unwrap();
    let (code, out, err) = plan.does(&["run", "plan.toml", "--runs", "runs"]);
    assert_eq!(code, 2, "{out}{err}");
    assert!(err.contains("max_connections 12, ") && err.contains("SET GLOBAL max_connections = "), "{err}");
    // The first trial's tables: neither dropped nor loaded again.
    assert_eq!(query(&server, "SELECT COUNT(*) FROM sbtest1"), [["100"]]);
}

#[test]
fn a_plan_too_large_for_the_disk_is_refused_with_the_figures() {
    let huge = "tables = 45\ntable_size = 2_000_000_000";
    let load = "workload = \"oltp_read_only\", clients = 1";
    let figures = |text_of: &str, place: &str| {
        let (title, rest) = text_of.split_once('\n').unwrap();
        assert_eq!(title, "error: the disk has no room for what is to be loaded");
        for part in [
            "  evidence  about ",
            " TiB to load into ",
            place,
            " are free there\n  hint      make the data smaller",
            " there\n",
        ] {
            assert!(rest.contains(part), "{part} is missing in\n{text_of}");
        }
    };
    let sandbox = one("sandbox = \"mariadbd\"", load, huge);
    figures(&sandbox.refused(), &format!("{}/state", sandbox.dir.path().display()));
    let file = tempfile::tempdir().unwrap();
    let file = file.path().join("a.db").display().to_string();
    figures(&one(&format!("dsn = \"sqlite:{file}\""), load, huge).refused(), &file);
    let files = tempfile::tempdir().unwrap();
    let dir = files.path().display().to_string();
    let fileio = one(
        &format!("dsn = \"host:{dir}\""),
        "workload = \"fileio\", clients = 1, file_test_mode = \"rndrd\"",
        "kind = \"files\"\nfile_total_size = \"30T\"",
    );
    figures(&fileio.refused(), &dir);
    let server = mariadb(&[]);
    figures(
        &one(&format!("dsn = \"{}\"", server.dsn()), load, huge).refused(),
        &format!("{}/data", server.dir().display()),
    );
    let server = postgres(&[]);
    figures(
        &one(&format!("dsn = \"{}\"", server.dsn()), load, huge).refused(),
        &format!("{}/data", server.dir().display()),
    );
}

#[test]
fn sandboxes_that_fit_alone_and_not_together_are_refused() {
    let free =
        std::process::Command::new("stat").args(["-f", "-c", "%a %S"]).arg(std::env::temp_dir()).output().unwrap();
    let free: Vec<u64> =
        String::from_utf8(free.stdout).unwrap().split_whitespace().map(|n| n.parse().unwrap()).collect();
    // Six tenths of the room each.
    let rows = free[0] * free[1] / 10 * 6 / 267 / 1000;
    let plan = |targets: &str| {
        PlanDir::new(&format!(
            "{targets}[datasets.d]\ntables = 1000\ntable_size = {rows}\n[[experiment]]\nload = {{ workload = \"oltp_read_only\" }}\n"
        ))
    };
    let (code, out, err) = plan("[targets.a]\nsandbox = \"mariadbd\"\n").does(&["plan", "check", "plan.toml"]);
    assert_eq!(code, 0, "{out}{err}");
    let text = plan("[targets.a]\nsandbox = \"mariadbd\"\n[targets.b]\nsandbox = \"sqlite\"\n").refused();
    assert!(text.starts_with("error: the disk has no room for what is to be loaded\n"), "{text}");
    assert!(text.contains("/state (a ") && text.contains(", b "), "{text}");
}

#[test]
fn the_disk_of_a_server_is_looked_at_where_the_server_sees_it() {
    let server = SmallDisk::start(300, &[("innodb_log_file_size", "16M"), ("innodb_buffer_pool_size", "64M")]);
    let plan = |rows: u64| {
        one(
            &format!("dsn = \"{}\"", server.dsn()),
            "workload = \"oltp_read_only\", clients = 1",
            &format!("table_size = {rows}"),
        )
    };
    let text = plan(2_000_000).refused();
    assert!(text.contains("about 481 MiB to load into ") && text.contains(" MiB are free there"), "{text}");
    let (code, out, err) = plan(1000).does(&["plan", "check", "plan.toml"]);
    assert!(code == 0 && out.contains("  ok     the disk has room: about "), "{out}{err}");
}

#[test]
fn a_disk_that_is_not_seen_is_said_to_be_unknown() {
    let server = mariadb(&[]);
    let dsn = server.dsn();
    let port = tenbin_model::dsn::Dsn::parse(&dsn).unwrap().port.unwrap();
    let proxy = Balancer::start(&[port]);
    let through = dsn.replace(&port.to_string(), &proxy.port().to_string());
    let plan = one(
        &format!("dsn = \"{through}\""),
        "workload = \"oltp_read_only\", clients = 1",
        "tables = 10\ntable_size = 2_000_000_000",
    );
    let (code, out, err) = plan.does(&["plan", "check", "plan.toml"]);
    assert_eq!(code, 0, "{out}{err}");
    let line = "  note   target a: whether the disk has room for what is to be loaded is not known: \
                about 4.58 TiB to load; none of the processes seen on this machine is known to be the server\n";
    assert!(out.contains(line), "{out}");
    let (_, out, _) = plan.does(&["plan", "check", "plan.toml", "--offline"]);
    assert!(out.contains("about 4.58 TiB to load; the target was not looked at (--offline)\n"), "{out}");
}

#[test]
fn an_account_that_may_not_do_it_is_told_before_anything_is_tried() {
    let maria = mariadb(&[]);
    query(&maria, "CREATE USER app@'127.0.0.1'");
    query(&maria, "GRANT SELECT, INSERT, CREATE ON sbtest.* TO app@'127.0.0.1'");
    let load = "workload = \"oltp_read_write\", clients = 1";
    let text = one(&format!("dsn = \"{}\"", maria.dsn().replace("root@", "app@")), load, "table_size = 1000").refused();
    assert_eq!(
        text,
        "error: the account lacks privileges that the run needs
  evidence  privileges of 'app'@'127.0.0.1' missing in sbtest: INDEX
  hint      GRANT INDEX ON sbtest.* TO 'app'@'127.0.0.1' (as an administrator)
"
    );
    let postgres = postgres(&[]);
    query(&postgres, "CREATE ROLE app LOGIN");
    query(&postgres, "REVOKE CREATE ON SCHEMA public FROM PUBLIC");
    let text =
        one(&format!("dsn = \"{}\"", postgres.dsn().replace("postgres@", "app@")), load, "table_size = 100").refused();
    assert_eq!(
        text,
        "error: the account lacks privileges that the run needs
  evidence  privileges of app missing in public: CREATE
  hint      GRANT CREATE ON SCHEMA public TO app (as an administrator)
"
    );
}

#[test]
fn mistakes_of_different_kinds_are_told_at_once() {
    let server = mariadb(&[]);
    query(&server, "CREATE TABLE sbtest1(id INT PRIMARY KEY)");
    let file = tempfile::tempdir().unwrap();
    let plan = PlanDir::new(&format!(
        "[targets.small]\nsandbox = \"mariadbd\"\nserver.max_connections = 12\n\
         [targets.typo]\nsandbox = \"mariadbd\"\nserver.innodb_bufer_pool_size = \"64M\"\n\
         [targets.foreign]\ndsn = \"{}\"\n\
         [targets.gone]\ndsn = \"mysql://root@127.0.0.1:1/sbtest\"\n\
         [targets.file]\ndsn = \"sqlite:{}\"\n\
         [datasets.small]\ntable_size = 100\n[datasets.huge]\ntables = 45\ntable_size = 2_000_000_000\n\
         [[experiment]]\nname = \"one\"\ndataset = \"small\"\ntargets = [\"small\", \"typo\", \"foreign\", \"gone\"]\n\
         load = {{ workload = \"oltp_read_write\", clients = 64 }}\n\
         [[experiment]]\nname = \"two\"\ndataset = \"huge\"\ntargets = [\"file\"]\nload = {{ workload = \"oltp_read_only\" }}\n",
        server.dsn(),
        file.path().join("a.db").display()
    ));
    let text = plan.refused();
    insta::assert_snapshot!(titles(&text), @r"
    plan.toml: line 10: target small: the server does not allow so many connections
    plan.toml: line 13: target typo: mariadbd has no variable innodb_bufer_pool_size
    target foreign: table sbtest1 is not one of sysbench's
    target foreign: oltp_read_write would write into tables that Tenbin did not make
    target gone: connecting to mysql://root@127.0.0.1:1/sbtest failed: nothing answers at 127.0.0.1:1: Connection refused (os error 111)
    the disk has no room for what is to be loaded
    ");
    for line in
        ["evidence  13 | server.innodb_bufer_pool_size = \"64M\"\n", "            10 | server.max_connections = 12\n"]
    {
        assert!(text.contains(line), "{line} is missing in\n{text}");
    }
    assert!(Path::new(&file.path().join("a.db")).metadata().is_err(), "nothing was made");
    assert_eq!(query(&server, "SHOW TABLES"), [["sbtest1"]]);
}

#[test]
fn mistakes_in_the_text_of_a_plan_hide_no_others() {
    let plan = PlanDir::new(
        "[targets.a]\nsandbox = \"mariadbd\"\nserver = { max_connections = 12, innodb_bufer_pool_size = \"64M\" }\n\
         [datasets.d]\ntables = 45\ntable_size = 2_000_000_000\n\
         [[experiment]]\nmeasur = \"1s\"\nload = { workload = \"oltp_read_write\", clients = 64, point_selets = 3 }\n",
    );
    insta::assert_snapshot!(titles(&plan.refused()), @r#"
    plan.toml: line 15, column 1: "measur" is not a key of [[experiment]]
    plan.toml: line 16, column 54: the workload oltp_read_write has no option "point_selets"
    target a: mariadbd has no variable innodb_bufer_pool_size
    the server does not allow so many connections
    the disk has no room for what is to be loaded
    "#);
}

/// The first sentence of each problem.
fn titles(text: &str) -> String {
    text.lines().filter_map(|line| line.strip_prefix("error: ")).collect::<Vec<_>>().join("\n")
}
