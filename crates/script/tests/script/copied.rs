//! Scripts as posts have them: for sysbench 0.5, and copied from a page.

use super::{ScriptDir, connector, given, live};
use tenbin_script::Script;

/// As the post of 2014 had it, beginning with the file of sysbench 0.5 that is not there.
#[test]
fn a_script_of_0_5_finds_its_common_lua() {
    let dir = ScriptDir::new();
    let text = r#"
        pathtest = string.match(test, "(.*/)") or ""
        dofile(pathtest .. "common.lua")
        function thread_init(thread_id)
            set_vars()
            db_connect()
        end
        function event(thread_id)
            local rs = db_query("SELECT pad FROM sbtest" .. oltp_tables_count .. " WHERE id = " .. sb_rand(1, oltp_table_size))
            if not oltp_read_only then db_query("UPDATE sbtest1 SET k = k + 1 WHERE id = 1") end
        end
    "#;
    let text = text.replace("test,", "test or \"\",");
    let path = dir.script(&text);
    let options = given(&[("oltp_table_size", "50"), ("oltp_tables_count", "2")]);
    let open = |command| Script::open(&path, Some(command), &options, dir.sqlite()).unwrap();
    for command in ["prepare", "run"] {
        let script = open(command);
        if command == "prepare" {
            script.run_command("prepare", 1).unwrap();
            continue;
        }
        let events = live(script.workload().unwrap().as_ref(), 0, 1, 2);
        let event =
            "SELECT pad FROM sbtest# WHERE id = ? (Read, 1); UPDATE sbtest# SET k = k + ? WHERE id = ? (Write, 1)";
        assert_eq!(events, [event; 2]);
    }
    // A file of that name beside the script goes first.
    std::fs::write(dir.0.path().join("common.lua"), "error('mine')").unwrap();
    let problem = Script::open(&path, Some("run"), &options, dir.sqlite()).err().unwrap();
    assert!(format!("{problem:?}").contains("mine"), "{problem:?}");
}

#[test]
fn a_script_that_was_copied_from_a_page_is_told_so() {
    let dir = ScriptDir::new();
    let path = dir.script("function event()\n  db_query(“SELECT 1”)\nend\n");
    let problem = Script::open(&path, Some("run"), &given(&[]), connector("null:")).err().unwrap();
    let evidence = problem.evidence.unwrap();
    assert!(evidence.english().starts_with("line 2 has “, a typographic quote"), "{evidence:?}");
    let hint = problem.hint.unwrap();
    // The command that it names mends the script.
    assert!(std::process::Command::new("sh").args(["-c", hint.english()]).status().unwrap().success(), "{hint:?}");
    assert!(Script::open(&path, Some("run"), &given(&[]), connector("null:")).is_ok(), "{hint:?}");
    // Where they stand in a text of the script they are no mistake.
    let path = dir.script("text = \"“\"\nfunction event( db_query('SELECT 1') end\n");
    let problem = Script::open(&path, Some("run"), &given(&[]), connector("null:")).err().unwrap();
    assert!(problem.evidence.unwrap().english().contains("test.lua:2"));
}
