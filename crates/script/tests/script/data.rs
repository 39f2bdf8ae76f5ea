//! What a script's own prepare creates, as a data set: found again by its mark, prepared anew when the script has changed, and no
//! tables of others are touched.

use std::collections::BTreeMap;
use std::path::Path;
use tenbin_driver::{Connection, Connector};
use tenbin_model::dsn::{Dsn, Scheme};
use tenbin_model::stop::StopSignal;
use tenbin_script::data;
use tenbin_words::message::foreign;
use tenbin_workload::tables::admin::with_connection;
use tenbin_workload::{Dataset, DatasetState};

const SCRIPT: &str = "sysbench.cmdline.options = { rows = {'how many', 3} }\n\
    local function run(sql) sysbench.sql.driver():connect():query(sql) end\n\
    function prepare()\n  run('CREATE TABLE \"Order\" (id INTEGER)')\n  run('CREATE TABLE lines (id INTEGER, n INTEGER)')\n\
    for i = 1, sysbench.opt.rows do run('INSERT INTO lines VALUES (' .. i .. ', 0)') end\nend\n\
    function cleanup() run('DROP TABLE \"Order\"') run('DROP TABLE lines') end\nfunction event() end\n";

fn at(dir: &Path) -> Connector {
    Connector::new(Dsn::parse(&format!("sqlite:{}/db", dir.display())).unwrap(), None).unwrap()
}

fn of(dir: &Path, rows: &str) -> Box<dyn Dataset> {
    let script = dir.join("own.lua").display().to_string();
    let options = BTreeMap::from([("script".to_owned(), script), ("rows".to_owned(), rows.to_owned())]);
    data::dataset(&options, Scheme::Sqlite).unwrap()
}

fn tables(at: &Connector) -> Vec<String> {
    let sql = "SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name";
    let all = with_connection(at, foreign("looking"), async |c: &mut Connection| c.table(sql).await.map(Ok)).unwrap();
    all.rows.into_iter().filter_map(|row| row.into_iter().next()?).collect()
}

fn execute(at: &Connector, sql: &str) {
    with_connection(at, foreign("executing"), async |c: &mut Connection| c.query(sql).await.map(Ok)).unwrap();
}

fn load(data: &dyn Dataset, at: &Connector) -> Result<(), tenbin_words::problem::Problem> {
    data.load(at, 1, 1, &|_| {}, &StopSignal::default()).map(|_| ())
}

#[test]
fn prepared_tables_are_found_again_until_script_or_options_change() {
    let dir = tempfile::tempdir().unwrap();
    std::fs::write(dir.path().join("own.lua"), SCRIPT).unwrap();
    let (at, data) = (at(dir.path()), of(dir.path(), "3"));
    assert!(data.is_loaded().unwrap());
    assert_eq!(data.inspect(&at).unwrap(), DatasetState::Nothing);
    load(&*data, &at).unwrap();
    assert_eq!(tables(&at), ["Order", "lines", "tenbin_mark"]);
    assert_eq!(data.inspect(&at).unwrap(), DatasetState::Ready { ours: true });
    assert!(matches!(of(dir.path(), "4").inspect(&at).unwrap(), DatasetState::Different { ours: true, .. }));
    std::fs::write(dir.path().join("own.lua"), format!("{SCRIPT}-- changed\n")).unwrap();
    let changed = of(dir.path(), "3");
    assert!(matches!(changed.inspect(&at).unwrap(), DatasetState::Different { ours: true, .. }));
    changed.drop_ours(&at).unwrap();
    assert_eq!(tables(&at), [""; 0], "the mark too");
}

#[test]
fn a_table_may_have_a_name_in_any_script() {
    let dir = tempfile::tempdir().unwrap();
    let renamed = SCRIPT.replace("\"Order\"", "注文").replace("lines", "明細_2");
    std::fs::write(dir.path().join("own.lua"), renamed).unwrap();
    let (at, data) = (at(dir.path()), of(dir.path(), "3"));
    load(&*data, &at).unwrap();
    assert_eq!(data.inspect(&at).unwrap(), DatasetState::Ready { ours: true });
    data.drop_ours(&at).unwrap();
    assert_eq!(tables(&at), [""; 0]);
}

#[test]
fn only_marked_tables_are_dropped() {
    let dir = tempfile::tempdir().unwrap();
    // Its cleanup drops a table that it has not made.
    let greedy = SCRIPT.replace("function event()", "local c = cleanup\nfunction cleanup() c() sysbench.sql.driver():connect():query('DROP TABLE theirs') end\nfunction event()");
    std::fs::write(dir.path().join("own.lua"), greedy).unwrap();
    let (at, data) = (at(dir.path()), of(dir.path(), "3"));
    execute(&at, "CREATE TABLE theirs (id INTEGER)");
    load(&*data, &at).unwrap();
    data.drop_ours(&at).unwrap();
    assert_eq!(tables(&at), ["theirs"]);
    // A table that has the name of one of ours now, and other columns.
    load(&*data, &at).unwrap();
    execute(&at, "DROP TABLE lines");
    execute(&at, "CREATE TABLE lines (theirs INTEGER)");
    let refused = data.drop_ours(&at).unwrap_err();
    let evidence = refused.evidence.unwrap();
    assert!(evidence.is("mark-of-earlier-table"), "{evidence:?}");
    assert!(tables(&at).contains(&"lines".to_owned()));
    execute(&at, "DROP TABLE theirs");
    data.drop_ours(&at).unwrap_err();
    assert!(tables(&at).contains(&"lines".to_owned()), "not by the script's cleanup either");
}

#[test]
fn a_changed_script_is_told_from_another_one() {
    let dir = tempfile::tempdir().unwrap();
    std::fs::write(dir.path().join("own.lua"), SCRIPT).unwrap();
    std::fs::write(dir.path().join("other.lua"), SCRIPT.replace("lines", "others").replace("Order", "Other")).unwrap();
    let other = BTreeMap::from([("script".to_owned(), dir.path().join("other.lua").display().to_string())]);
    let (at, other) = (at(dir.path()), data::dataset(&other, Scheme::Sqlite).unwrap());
    load(&*other, &at).unwrap();
    let problem_of = |data: &dyn Dataset| match data.inspect(&at).unwrap() {
        DatasetState::Different { ours: true, problem } => problem.code().map(str::to_owned),
        state => panic!("{state:?}"),
    };
    assert_eq!(problem_of(&*of(dir.path(), "3")).as_deref(), Some("table-of-other-script"));
    std::fs::write(dir.path().join("other.lua"), "function prepare() end -- changed\n").unwrap();
    let changed = BTreeMap::from([("script".to_owned(), dir.path().join("other.lua").display().to_string())]);
    let changed = data::dataset(&changed, Scheme::Sqlite).unwrap();
    assert_eq!(problem_of(&*changed).as_deref(), Some("tables-of-another-script"));
}

#[test]
fn where_nothing_is_marked_the_cleanup_is_not_run() {
    let dir = tempfile::tempdir().unwrap();
    std::fs::write(dir.path().join("own.lua"), SCRIPT).unwrap();
    let (at, data) = (at(dir.path()), of(dir.path(), "3"));
    data.drop_ours(&at).unwrap();
    execute(&at, "CREATE TABLE lines (theirs INTEGER)");
    assert_eq!(data.drop_ours(&at).unwrap_err().code(), Some("no-table-marked-for-script"));
    assert_eq!(tables(&at), ["lines"]);
}

#[test]
fn a_script_without_tables_of_its_own_has_no_data() {
    let dir = tempfile::tempdir().unwrap();
    std::fs::write(dir.path().join("own.lua"), "function event() end\n").unwrap();
    let script = BTreeMap::from([("script".to_owned(), dir.path().join("own.lua").display().to_string())]);
    assert!(!data::dataset(&script, Scheme::Sqlite).unwrap().is_loaded().unwrap());
    std::fs::write(dir.path().join("own.lua"), "function prepare() end\nfunction event() end\n").unwrap();
    let data = data::dataset(&script, Scheme::Sqlite).unwrap();
    assert_eq!(load(&*data, &at(dir.path())).unwrap_err().code(), Some("script-prepare-made-no-table"));
    assert!(data::dataset(&BTreeMap::new(), Scheme::Sqlite).is_err(), "no script is named");
}
