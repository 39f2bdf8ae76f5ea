//! Variables that a server changes with those that are set: they are put back too, and each set of values begins with the former ones.

use super::left_behind::killed;
use super::{journals, plan, recorded, run};
use tenbin_tests::mariadb;
use tenbin_tests::sql::query;

/// Sweeps, the last value of which is the former one or near to it, and what the variable beside it must have then.
const SWEEPS: [(&str, &str, &str, &str); 3] = [
    ("innodb_io_capacity", "[5000, 200]", "innodb_io_capacity_max", "2000"),
    ("innodb_max_dirty_pages_pct", "[20, 75]", "innodb_max_dirty_pages_pct_lwm", "50.000000"),
    ("character_set_server", "[\"utf8\", \"latin1\"]", "collation_server", "latin1_swedish_ci"),
];

#[test]
fn what_changes_with_a_variable_is_put_back_too() {
    let server = mariadb(&[
        ("innodb_max_dirty_pages_pct_lwm", "50"),
        ("character_set_server", "latin1"),
        ("collation_server", "latin1_bin"),
    ]);
    let all = || query(&server, "SHOW GLOBAL VARIABLES");
    let before = all();
    let others = || all().into_iter().filter(|row| !before.contains(row)).collect::<Vec<_>>();
    let none = Vec::<Vec<String>>::new();
    let dir = tempfile::tempdir().unwrap();
    for (variable, values, beside, value) in SWEEPS {
        let axis = format!("order = \"sequential\"\nmatrix = {{ server.{variable} = {values} }}");
        let (code, out, err) = run(dir.path(), &["run", &plan(dir.path(), &server.dsn(), "", &axis)]);
        assert!(code == 0 || code == 3, "{code} {out}{err}");
        assert_eq!(recorded(dir.path(), "a", beside), value, "as if it were the first value: {err}");
        assert_eq!((others(), journals(dir.path())), (none.clone(), 0), "{variable}: {err}");
        std::fs::remove_dir_all(dir.path().join("runs")).unwrap();
    }
    let target =
        "server = { innodb_io_capacity = 5000, innodb_max_dirty_pages_pct = 20, character_set_server = \"utf8\" }";
    killed(dir.path(), &server.dsn(), target);
    assert!(others().len() > 3, "{:?}", others());
    let (code, out, err) = run(dir.path(), &["restore-settings"]);
    assert_eq!((code, others(), journals(dir.path())), (0, none, 0), "{out}{err}");
    assert!(out.contains("innodb_io_capacity_max = 2000"), "{out}");
}
