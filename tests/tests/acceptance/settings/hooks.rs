//! Commands of the user around the trials of a target.

use super::{plan, run};
use tenbin_tests::mariadb;
use tenbin_tests::sql::query;

/// Two trials, each on tables that are loaded for it.
const TWICE: &str = "matrix = { load.clients = [1, 2] }\norder = \"sequential\"\nrestore = \"before-run\"";

#[test]
fn they_know_their_trial_and_their_output_and_failure_are_kept() {
    let server = mariadb(&[]);
    let dir = tempfile::tempdir().unwrap();
    let log = dir.path().join("log");
    let say =
        |hook: &str| format!("{hook} = \"echo {hook} $TENBIN_TARGET $TENBIN_TRIAL $TENBIN_STATE >>{}\"", log.display());
    let hooks = format!(
        "hooks = {{ {}, {}, {}, {}, after_run = \"echo mysql://u:geheim@h/; exit 3\" }}",
        say("before_run"),
        say("before_trial"),
        say("with_data"),
        say("after_trial")
    );
    let path = plan(dir.path(), &server.dsn(), &hooks, "matrix = { load.clients = [1, 2] }\norder = \"sequential\"");
    let (code, out, err) = run(dir.path(), &["run", &path]);
    assert!(code == 0 || code == 3, "{code} {out}{err}");
    insta::assert_snapshot!(std::fs::read_to_string(&log).unwrap().trim(), @r"
    before_run a 1
    before_trial a 1
    with_data a 1
    after_trial a 1 complete
    before_trial a 2
    with_data a 2
    after_trial a 2 complete
    ");
    assert!(err.contains("after_run of target a failed") && err.contains("exit code 3"), "{err}");
    assert!(!err.contains("echo mysql://u:geheim"), "{err}");

    let hooks = "hooks = { before_trial = \"echo broken >&2; sleep 60\", timeout = \"200ms\" }";
    let (code, _, err) = run(dir.path(), &["run", &plan(dir.path(), &server.dsn(), hooks, "")]);
    assert!(code == 1 || code == 2, "{code} {err}");
    assert!(err.contains("before_trial of target a failed") && err.contains("broken"), "{err}");
}

/// An index that the command makes is there while the load runs, on tables that each trial loads anew.
#[test]
fn they_reach_a_private_server_and_find_its_data() {
    let dir = tempfile::tempdir().unwrap();
    let log = dir.path().join("log");
    let client = |sql: &str| {
        let client = "mariadb --defaults-extra-file=\"$TENBIN_OPTION_FILE\" -N sbtest -e";
        format!("{client} \"{sql}\" >>{}", log.display())
    };
    let count = "SELECT COUNT(*) FROM information_schema.statistics WHERE index_name = 'of_hook'";
    let text = format!(
        "schema = 1\n[defaults]\nwarmup = \"0s\"\nmeasure = \"1s\"\nrepeats = 2\nrestore = \"before-run\"\n[targets.a]\nsandbox = \"mariadbd\"\n\
         [targets.a.hooks]\nbefore_trial = {:?}\nwith_data = {:?}\nafter_trial = {:?}\n\
         [[experiment]]\nload = {{ workload = \"oltp_read_write\", table_size = 100, clients = 1 }}\n",
        client("SELECT 1"),
        client("CREATE INDEX of_hook ON sbtest1 (c)"),
        client(count),
    );
    let path = dir.path().join("private.toml");
    std::fs::write(&path, text).unwrap();
    let (code, out, err) = run(dir.path(), &["run", path.to_str().unwrap()]);
    assert!(code == 0 || code == 3, "{code} {out}{err}");
    // Each trial found no index (the command would have failed) and had one.
    assert_eq!(std::fs::read_to_string(&log).unwrap().lines().collect::<Vec<_>>(), ["1", "1", "1", "1"], "{err}");
}

/// psql finds it without an option, and by the address.
#[test]
fn they_reach_a_private_postgres_with_its_own_programs() {
    let dir = tempfile::tempdir().unwrap();
    let log = dir.path().join("log");
    let mode = format!("stat -c %a \"$PGPASSFILE\" >>{}", log.display());
    let count = "SELECT COUNT(*) FROM pg_indexes WHERE indexname = 'of_hook'";
    let text = format!(
        "schema = 1\n[defaults]\nrepeats = 1\nwarmup = \"0s\"\nmeasure = \"1s\"\n[targets.a]\nsandbox = \"postgres\"\n\
         [targets.a.hooks]\nbefore_run = {mode:?}\nwith_data = {:?}\nafter_trial = {:?}\n\
         [[experiment]]\nload = {{ workload = \"oltp_read_only\", table_size = 100, clients = 1 }}\n",
        "psql -c 'CREATE INDEX of_hook ON sbtest1 (c)'",
        format!("psql \"$TENBIN_ADDRESS\" -tAc \"{count}\" >>{}", log.display()),
    );
    let path = dir.path().join("private.toml");
    std::fs::write(&path, text).unwrap();
    let (code, out, err) = run(dir.path(), &["run", path.to_str().unwrap()]);
    assert!(code == 0 || code == 3, "{code} {out}{err}");
    assert_eq!(std::fs::read_to_string(&log).unwrap().lines().collect::<Vec<_>>(), ["600", "1"], "{err}");
}

/// To MySQL and MariaDB a table is another one after its definition was changed: those that a command of the plan has changed are ours.
#[test]
fn tables_that_a_command_has_changed_are_loaded_anew() {
    let server = mariadb(&[]);
    let dir = tempfile::tempdir().unwrap();
    let socket = query(&server, "SELECT @@socket").remove(0).remove(0);
    let user = query(&server, "SELECT SUBSTRING_INDEX(USER(), '@', 1)").remove(0).remove(0);
    // Later than the second in which they were created.
    let command = |sql: &str| format!("sleep 1.5; mariadb --no-defaults -S {socket} -u {user} sbtest -e '{sql}'");
    let (with, after) = (command("CREATE INDEX of_hook ON sbtest1 (c)"), command("DROP INDEX of_hook ON sbtest1"));
    let hooks = format!("hooks = {{ with_data = {with:?}, after_trial = {after:?} }}");
    let path = plan(dir.path(), &server.dsn(), &hooks, TWICE);
    let (code, out, err) = run(dir.path(), &["run", &path]);
    assert!((code == 0 || code == 3) && !err.contains("tenbin_mark"), "{code} {out}{err}");
    for hook in ["with_data", "after_trial"] {
        assert_eq!(err.matches(&format!("{hook} of target a ended")).count(), 2, "{err}");
    }
}

/// It is dropped with the table, and one that somebody else has made is not.
#[test]
fn an_index_that_a_command_has_made_belongs_to_the_table() {
    let dir = tempfile::tempdir().unwrap();
    let file = format!("sqlite:{}/own.db", dir.path().display());
    let make = format!("sqlite3 {}/own.db 'CREATE INDEX of_hook ON sbtest1 (c)'", dir.path().display());
    let path = plan(dir.path(), &file, &format!("hooks = {{ with_data = {make:?} }}"), TWICE);
    for _ in 0..2 {
        let (code, out, err) = run(dir.path(), &["run", &path]);
        assert!(code == 0 || code == 3, "{code} {out}{err}");
        assert_eq!(err.matches("with_data of target a ended").count(), 2, "{err}");
    }
    query(&file, "CREATE INDEX of_bi ON sbtest1 (pad)");
    let (code, out, err) = run(dir.path(), &["run", &path]);
    assert!(code == 1 && err.contains("sbtest1 has index of_bi") && !err.contains("index of_hook"), "{out}{err}");
}
