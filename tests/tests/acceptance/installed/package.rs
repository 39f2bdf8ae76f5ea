//! The packages for Debian, made by the scripts of `make dist` from the binary of this build, and installed by dpkg into a directory with a
//! database of its own.

#![expect(clippy::unwrap_used, reason = "a test may")]

use super::tool;
use std::collections::BTreeSet;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;
use tenbin_tests::{output_of, tenbin};

/// A machine with nothing but dpkg's database.
struct Machine {
    root: tempfile::TempDir,
}

impl Machine {
    fn new() -> Machine {
        let root = tempfile::tempdir().unwrap();
        let database = root.path().join("var/lib/dpkg");
        ["info", "updates"].iter().for_each(|dir| fs::create_dir_all(database.join(dir)).unwrap());
        ["status", "available"].iter().for_each(|file| fs::write(database.join(file), "").unwrap());
        Machine { root }
    }

    /// Runs dpkg; what is installed there has no other packages to depend on.
    fn dpkg(&self, words: &[&str]) -> (i32, String) {
        let mut dpkg = Command::new("dpkg");
        dpkg.arg(format!("--root={}", self.root.path().display())).args(["--force-not-root", "--force-depends"]);
        let (code, out, err) = output_of(dpkg.args(words).env("LC_ALL", "C"));
        (code, out + &err)
    }

    fn install(&self, package: &Path) {
        let (code, output) = self.dpkg(&["-i", package.to_str().unwrap()]);
        assert_eq!(code, 0, "{output}");
    }

    fn path(&self, name: &str) -> PathBuf {
        self.root.path().join(name)
    }

    /// Everything there but dpkg's own files.
    fn files(&self) -> BTreeSet<String> {
        let (_, out, _) = output_of(Command::new("find").arg(".").current_dir(self.root.path()));
        out.lines().filter(|path| !path.starts_with("./var")).map(str::to_owned).collect()
    }
}

/// The packages of a version, without the symbols of this build.
fn packages(dir: &Path, version: &str) -> (PathBuf, PathBuf) {
    let program = tenbin_tests::binary();
    let (small, tree) = (dir.join("tenbin"), dir.join("tree"));
    succeeds(Command::new("strip").arg("-o").arg(&small).arg(&program));
    succeeds(Command::new("bash").arg(tool("tree.sh")).args([&small, &small, &tool("../../LICENSE-MIT"), &tree]));
    let names = said(tenbin().arg("names")).replace('\n', " ");
    let deb = |words: &[&str]| {
        succeeds(
            Command::new("bash").arg(tool("deb.sh")).args(words).arg(version).arg(dir).env("DEB_COMPRESSION", "none"),
        );
    };
    deb(&[tree.to_str().unwrap(), "amd64"]);
    deb(&["--names", &names]);
    (dir.join(format!("tenbin_{version}_amd64.deb")), dir.join(format!("tenbin-names_{version}_all.deb")))
}

/// Debian's package that has the real one of a name, if one has.
fn real(name: &str) -> Option<&'static str> {
    match name {
        "sysbench" => Some("sysbench"),
        "mysqlslap" | "mariadb-slap" => Some("mariadb-client"),
        "pgbench" => Some("postgresql-client-common"),
        "tpcc_load" | "tpcc_start" => None,
        other => panic!("which package has the real {other}? Enter it here, and in tools/dist/deb.sh and rpm.sh"),
    }
}

fn succeeds(command: &mut Command) {
    let (code, out, err) = output_of(command);
    assert_eq!(code, 0, "{command:?}\n{out}{err}");
}

fn said(command: &mut Command) -> String {
    let (code, out, err) = output_of(command);
    assert_eq!(code, 0, "{command:?}\n{out}{err}");
    out
}

#[test]
fn it_works_where_it_was_installed_a_later_one_takes_its_place_and_removed_it_leaves_nothing() {
    let dir = tempfile::tempdir().unwrap();
    let (package, names) = packages(dir.path(), "0.1.0");
    let machine = Machine::new();
    let before = machine.files();
    machine.install(&package);
    machine.install(&names);
    let program = machine.path("usr/bin/tenbin");
    assert!(said(Command::new(&program).arg("--version")).starts_with("tenbin 0.1.0"));
    // A link is enough to be called by another name, and each name that the binary knows has one.
    let sysbench = said(Command::new(machine.path("usr/bin/sysbench")).arg("--version"));
    assert!(sysbench.starts_with("sysbench 1.0"), "{sysbench}");
    let (_, of_names) = machine.dpkg(&["-s", "tenbin-names"]);
    let conflicts = of_names.lines().find_map(|line| line.strip_prefix("Conflicts: ")).unwrap();
    for name in said(tenbin().arg("names")).lines() {
        assert_eq!(fs::read_link(machine.path("usr/bin").join(name)).unwrap(), Path::new("tenbin"), "{name}");
        if let Some(owner) = real(name) {
            assert!(conflicts.split(", ").any(|other| other == owner), "{name} is in {owner}: {conflicts}");
        }
    }
    // Manual pages and completions.
    let page = said(Command::new("gzip").args(["-dc"]).arg(machine.path("usr/share/man/man1/tenbin-run.1.gz")));
    assert!(page.contains(".TH"), "{page}");
    let completions = machine.path("usr/share/bash-completion/completions/tenbin");
    let complete = said(Command::new("bash").args(["-c", "source \"$0\"; complete -p tenbin"]).arg(completions));
    assert!(complete.contains("-F _tenbin"), "{complete}");
    assert!(machine.path("usr/share/zsh/vendor-completions/_tenbin").is_file());
    assert!(machine.path("usr/share/doc/tenbin/copyright").is_file());
    // A later version, installed over it.
    let later = tempfile::tempdir().unwrap();
    let (package, names) = packages(later.path(), "0.1.1");
    machine.install(&package);
    machine.install(&names);
    let (_, installed) = machine.dpkg(&["-s", "tenbin"]);
    assert!(installed.contains("Version: 0.1.1"), "{installed}");
    let (code, removed) = machine.dpkg(&["-r", "tenbin-names", "tenbin"]);
    assert_eq!((code, machine.files()), (0, before), "{removed}");
}

#[test]
fn the_names_do_not_take_the_place_of_the_real_ones() {
    let dir = tempfile::tempdir().unwrap();
    let (package, names) = packages(dir.path(), "0.1.0");
    let machine = Machine::new();
    machine.install(&package);
    // The real one, as far as dpkg is concerned.
    let real = dir.path().join("real");
    fs::create_dir_all(real.join("DEBIAN")).unwrap();
    fs::create_dir_all(real.join("usr/bin")).unwrap();
    fs::write(real.join("usr/bin/sysbench"), "the real one").unwrap();
    fs::write(
        real.join("DEBIAN/control"),
        "Package: sysbench\nVersion: 1.0.20\nArchitecture: all\nMaintainer: nobody\nDescription: benchmark\n",
    )
    .unwrap();
    for directory in [real.as_path(), &real.join("DEBIAN")] {
        fs::set_permissions(directory, PermissionsExt::from_mode(0o755)).unwrap();
    }
    let sysbench = dir.path().join("sysbench.deb");
    succeeds(Command::new("dpkg-deb").args(["--root-owner-group", "--build"]).args([&real, &sysbench]));
    machine.install(&sysbench);
    let (code, refused) = machine.dpkg(&["-i", names.to_str().unwrap()]);
    assert!(code != 0 && refused.contains("sysbench"), "{refused}");
    assert_eq!(fs::read_to_string(machine.path("usr/bin/sysbench")).unwrap(), "the real one");
}

/// What others have in the folder of `make dist` is neither removed nor summed, whatever a list there says.
#[test]
fn files_of_others_beside_the_packages_stay() {
    let dir = tempfile::tempdir().unwrap();
    let path = |name: &str| dir.path().join(name);
    let own = |words: &[&str]| {
        let (list, out) = (path("work/list"), path("out"));
        output_of(Command::new("bash").arg(tool("own.sh")).arg(words[0]).args([list, out]).args(&words[1..]))
    };
    ["work", "out", "made"].iter().for_each(|name| fs::create_dir(path(name)).unwrap());
    let take = |files: &[(&str, &str)]| {
        files.iter().for_each(|(name, text)| fs::write(path("made").join(name), text).unwrap());
        own(&["take", path("made").to_str().unwrap()])
    };
    let there = || {
        let entries = fs::read_dir(path("out")).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
        entries.collect::<BTreeSet<_>>().into_iter().collect::<Vec<_>>().join(" ")
    };
    fs::write(path("out/letter.txt"), "mine").unwrap();
    fs::write(path("outside.txt"), "mine").unwrap();
    for version in ["1", "2"] {
        let (code, out, err) = take(&[("a.deb", version), ("b.rpm", "b")]);
        assert_eq!(code, 0, "{out}{err}");
        assert_eq!(there(), "SHA256SUMS a.deb b.rpm letter.txt");
        let sums = fs::read_to_string(path("out/SHA256SUMS")).unwrap();
        let names: Vec<&str> = sums.lines().map(|line| line.split_once("  ").unwrap().1).collect();
        assert_eq!(names, ["a.deb", "b.rpm"]);
        succeeds(Command::new("sha256sum").args(["--check", "--quiet", "SHA256SUMS"]).current_dir(path("out")));
    }
    // One was changed since, and a name leads out of the folder.
    fs::write(path("out/b.rpm"), "changed").unwrap();
    let sum = said(Command::new("sha256sum").arg("../outside.txt").current_dir(path("out")));
    let list = fs::read_to_string(path("work/list")).unwrap();
    fs::write(path("work/list"), list + &sum).unwrap();
    let (code, out, err) = own(&["remove"]);
    assert_eq!(code, 0, "{out}{err}");
    assert_eq!(there(), "b.rpm letter.txt");
    assert!(path("outside.txt").is_file());
    // A list of others is no list of ours.
    fs::write(path("out/SHA256SUMS"), format!("{sum}{}", said(Command::new("sha256sum").arg("/dev/null")))).unwrap();
    for words in [&["look"][..], &["take", path("made").to_str().unwrap()]] {
        let (code, out, err) = own(words);
        assert!(code == 1 && err.contains("SHA256SUMS was not written by it"), "{code} {out}{err}");
    }
    assert_eq!(own(&["remove"]).0, 0);
    assert_eq!(there(), "SHA256SUMS b.rpm letter.txt");
    assert!(path("outside.txt").is_file());
}
