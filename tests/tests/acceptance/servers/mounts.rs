//! A file system that is mounted in a directory of ours, or in the data of a server, is not emptied with it: nothing is removed, and it is named.

#![expect(clippy::unwrap_used, reason = "a test may")]

use super::golden::{Bench, existing};
use std::path::{Path, PathBuf};
use tenbin_tests::{Restarting, mariadb, output_of, tenbin_through};

/// A directory of others with a file.
fn theirs(bench: &Bench) -> PathBuf {
    let dir = bench.path().join("theirs");
    std::fs::create_dir_all(dir.join("deep")).unwrap();
    std::fs::write(dir.join("thesis"), "x").unwrap();
    std::fs::write(dir.join("deep/thesis"), "x").unwrap();
    dir
}

fn is_whole(theirs: &Path) -> bool {
    theirs.join("thesis").exists() && theirs.join("deep/thesis").exists()
}

/// What a shell says in a mount namespace of its own; `"$0"` is tenbin.
fn apart(bench: &Bench, script: &str) -> (i32, String) {
    let mut command = tenbin_through("unshare", &["--mount", "bash", "-c", script]);
    command.current_dir(bench.path()).envs(bench.command(&[]).get_envs().filter_map(|(k, v)| Some((k, v?))));
    let (code, out, err) = output_of(&mut command);
    (code, format!("{out}{err}"))
}

#[test]
fn in_the_data_directory_of_a_server_that_is_restored() {
    let (bench, server) = (Bench::new(), Restarting::of(mariadb(&[])));
    let (theirs, data) = (theirs(&bench), server.dir().join("data"));
    let target = existing(&server, "copy");
    assert!(bench.run_any(&target).contains("data restored"));
    let pid = server.pid();
    std::fs::create_dir(data.join("backups")).unwrap();
    let plan = bench.plan(&format!("{target}\nallow = [\"replace-server\"]"), 1);
    let mount = format!("mount --bind {} {}/backups", theirs.display(), data.display());
    for command in ["plan check", "run"] {
        let (code, output) = apart(&bench, &format!("{mount} && \"$0\" {command} {}", plan.display()));
        assert_eq!(code, 1, "{output}");
        assert!(output.contains("/backups is mounted in ") && output.contains("umount "), "{output}");
        assert!(is_whole(&theirs) && server.pid() == pid, "{output}");
    }
    std::fs::remove_dir(data.join("backups")).unwrap();
}

#[test]
fn in_a_private_server_that_is_stopped() {
    let bench = Bench::new();
    let theirs = theirs(&bench);
    let script = format!(
        "ext=$TENBIN_STATE_DIR/mine/files/ext; \"$0\" sandbox start mariadbd --name mine && mkdir $ext && mount --bind {} $ext && \
         {{ \"$0\" sandbox stop mine; echo code $?; umount $ext; \"$0\" sandbox list --clean; }}",
        theirs.display()
    );
    let (_, output) = apart(&bench, &script);
    assert!(output.contains("code 1") && output.contains("is a mount point") && output.contains("umount "), "{output}");
    assert!(is_whole(&theirs), "{output}");
}

#[test]
fn in_the_data_of_a_private_server_of_a_run() {
    let bench = Bench::new();
    let (theirs, place) = (theirs(&bench), bench.path().join("place"));
    std::fs::create_dir(&place).unwrap();
    let hook = format!(
        "for d in {}/tenbin-*; do mkdir $d/ext && mount --bind {} $d/ext; done",
        place.display(),
        theirs.display()
    );
    let target = format!(
        "[targets.a]\nsandbox = \"mariadbd\"\ndata_directory = \"{}\"\nhooks = {{ with_data = \"{hook}\" }}",
        place.display()
    );
    let plan = bench.plan(&target, 1);
    let (_, output) = apart(&bench, &format!("\"$0\" run {}", plan.display()));
    assert!(is_whole(&theirs), "{output}");
    assert!(
        output.contains("is a mount point") && output.contains("was not removed"),
        "what is left is told: {output}"
    );
}
