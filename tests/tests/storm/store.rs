//! Runs that put data back from golden copies into a server that they did not start.

use crate::AttackContext;
use crate::outcome::{Outcome, Running};
use std::path::{Path, PathBuf};
use std::process::Command;
use tenbin_tests::{Restarting, sql, tenbin};

/// Rows that are loaded, and those that a run adds.
const LOADED: u64 = 2000;
const ADDED: u64 = 50;

/// Where such runs keep what they keep.
pub struct Place {
    dir: PathBuf,
}

impl Place {
    pub fn new(world: &mut AttackContext) -> Place {
        Place { dir: world.folder() }
    }

    /// The folder of golden copies.
    pub fn copies(&self) -> PathBuf {
        self.dir.join("store")
    }

    /// `tenbin run` of a plan with this target, with the golden copies and notes of this place.
    pub fn run(&self, target: &str) -> Command {
        self.run_by(tenbin(), target)
    }

    /// The same, started in another way.
    pub fn run_by(&self, mut tenbin: Command, target: &str) -> Command {
        let plan = self.dir.join("plan.toml");
        let text = format!(
            "schema = 1\n{target}\n[datasets.d]\nkind = \"sysbench\"\ntables = 2\ntable_size = {}\n\
             [[experiment]]\ndataset = \"d\"\nrepeats = 1\nwarmup = \"0s\"\nmeasure = \"20s\"\nrestore = \"before-run\"\n\
             [experiment.load]\nworkload = \"oltp_insert\"\nclients = 2\noperations = {ADDED}\n",
            LOADED / 2
        );
        std::fs::write(&plan, text).unwrap();
        tenbin.arg("run").arg(plan).env("TENBIN_DATA_DIR", self.copies()).env("TENBIN_RUNS", self.dir.join("runs"));
        tenbin.env("TENBIN_STATE_DIR", self.dir.join("state"));
        tenbin
    }

    /// Runs it to its end.
    pub fn does(&self, target: &str) -> Outcome {
        Running::start(&mut self.run(target)).end()
    }

    /// Every copy is whole, and there is nothing that a run has left.
    pub fn are_copies_whole(&self) {
        for entry in std::fs::read_dir(self.copies()).into_iter().flatten().flatten() {
            let name = entry.file_name().into_string().unwrap();
            assert!(!name.starts_with(".making-"), "{name} is left");
            let checked =
                Command::new("sha256sum").args(["-c", "--quiet", "digests"]).current_dir(entry.path()).output();
            let checked = checked.unwrap();
            assert!(checked.status.success(), "{name}: {checked:?}");
        }
    }
}

/// The part of a plan about a server that these commands stop and start.
pub fn target(dsn: &str, kind: &str, stop: &str, start: &str) -> String {
    format!("[targets.a]\ndsn = {dsn:?}\nrestore = {{ kind = {kind:?}, stop = {stop:?}, start = {start:?} }}")
}

/// The rows of both tables, after the server has checked them.
pub fn rows(server: &Restarting) -> u64 {
    for table in ["sbtest1", "sbtest2"] {
        let text = sql::query(server, &format!("CHECK TABLE {table} EXTENDED"));
        assert!(text.iter().all(|row| row[3] == "OK"), "{text:?}");
    }
    let sql = "SELECT (SELECT COUNT(*) FROM sbtest1) + (SELECT COUNT(*) FROM sbtest2)";
    sql::query(server, sql)[0][0].parse().unwrap()
}

/// A run that measured had the data put back: the rows that were loaded, and its own.
pub fn is_restored(outcome: &Outcome, server: &Restarting) {
    let text = format!("{}{}", outcome.out, outcome.err);
    assert!(matches!(outcome.code, Some(0 | 2 | 3)) && text.contains("data restored"), "{outcome:?}");
    assert_eq!(rows(server), LOADED + ADDED, "{outcome:?}");
}

/// What is left of an exchange beside or in the data of a server.
pub fn leftovers(dir: &Path) -> Vec<String> {
    let inside =
        [dir.to_owned(), dir.join("data")].into_iter().flat_map(|dir| std::fs::read_dir(dir).into_iter().flatten());
    let names = inside.flatten().map(|entry| entry.file_name().to_string_lossy().into_owned());
    names.filter(|name| name.contains("tenbin-swap") || name.contains("tenbin-incomplete")).collect()
}
