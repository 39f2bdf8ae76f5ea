//! The commands that a script brings with it.

use super::{ScriptDir, connector, given};
use tenbin_script::Script;

#[test]
fn a_run_of_the_scripts_own_is_no_load() {
    let dir = ScriptDir::new();
    let text = "function event() end\nsysbench.cmdline.commands = { run = { function() say('once') end } }";
    let path = dir.script(&(dir.say() + text));
    let script = Script::open(&path, Some("run"), &given(&[]), connector("null:")).unwrap();
    let problem = script.workload().map(|_| ()).unwrap_err();
    assert_eq!(problem.code(), Some("script-replaces-run"), "{problem}");
    assert!(problem.to_string().contains(&format!("tenbin sysbench {path} run")), "{problem}");
    script.run_command("run", 1).unwrap();
    assert_eq!(dir.said(), "once\n");
}
