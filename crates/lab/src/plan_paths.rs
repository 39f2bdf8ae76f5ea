//! Paths in a plan start at the folder of the plan, whatever the current directory is: here they are given that folder, before anything of
//! them is read. `~/` at their start is the home directory, as in a shell, and an absolute path is used as it is. The plan in the directory of a run, from
//! which the run is resumed, has been in another folder: its paths start at the current directory, and what they name must be there.

use crate::used_files::OF_STATEMENTS;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use tenbin_model::dsn::{self, Dsn, Scheme};
use tenbin_model::plan::{PathsOf, Reading};
use tenbin_model::ssh_access::SshAccess;
use tenbin_model::trial::{Apply, HostAccess, Load, Target, Trial, TrialDataset};
use tenbin_words::msg;
use tenbin_words::problem::Problem;
use tenbin_workloads::{is_script, pgbench, sql};

/// The option of the tests of storage that names the directory of their files.
const OF_STORAGE: &str = "file_dir";

/// Lets the paths of a plan start at its folder or at the home directory. Returns those for which that is not possible: they are only in the
/// current directory, where they do not start, or the home directory is not known.
pub fn from_folder_of(plan: &Path, reading: &mut Reading<'_>) -> Vec<Problem> {
    let is_of_run = is_of_run(plan);
    let folder = if is_of_run { None } else { other_folder(plan) };
    let mut paths = PlanPaths { folder, is_of_run, home: home(), ..PlanPaths::default() };
    reading.change_paths(|at| match at {
        PathsOf::Target(target) => paths.target(target),
        PathsOf::Load(load, data) => paths.work(load, data),
        PathsOf::Ssh(access) => paths.ssh(access),
    });
    let here = std::env::current_dir().unwrap_or_default();
    let elsewhere = paths.elsewhere.into_iter().map(|(path, file)| {
        let evidence = msg!("plan-path-only-here", here = here.join(&path).display(), file);
        Problem::new(msg!("plan-path-elsewhere", path)).evidence(evidence).hint(msg!("paths-start-at-plan"))
    });
    let homeless = paths
        .homeless
        .into_iter()
        .map(|path| Problem::new(msg!("plan-path-without-home", path)).hint(msg!("set-home-or-write-whole-path")));
    let lost = paths
        .lost
        .into_iter()
        .map(|path| Problem::new(msg!("plan-path-of-run", path)).hint(msg!("paths-of-run-start-here")));
    elsewhere.chain(homeless).chain(lost).collect()
}

/// The folder at which the paths of a plan start.
pub fn folder(plan: &Path) -> Option<PathBuf> {
    if is_of_run(plan) {
        return std::env::current_dir().ok();
    }
    let folder = plan.parent()?;
    let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    folder.canonicalize().ok()
}

/// A trial with whole paths: the same for a plan that was read in its folder as for one that was read elsewhere.
pub fn whole(folder: &Path, trial: &Trial) -> Trial {
    let mut paths = PlanPaths { folder: Some(folder.to_owned()), home: home(), ..PlanPaths::default() };
    let mut whole = trial.clone();
    paths.target(&mut whole.target);
    paths.work(&mut whole.load, &mut whole.dataset);
    whole.files.iter_mut().for_each(|file| paths.change(&mut file.path));
    whole
}

/// The folder of a plan; `None` if paths start at the current directory: the plan lies in it, or is no file.
fn other_folder(plan: &Path) -> Option<PathBuf> {
    let folder = plan.parent().filter(|folder| plan.is_file() && !folder.as_os_str().is_empty())?;
    folder.canonicalize().ok().filter(|folder| Some(folder) != Path::new(".").canonicalize().ok().as_ref())
}

/// Whether a plan is that in the directory of a run.
fn is_of_run(plan: &Path) -> bool {
    let beside = |name: &str| plan.with_file_name(name);
    plan.is_file() && beside("events.jsonl").is_file() && beside("trials").is_dir()
}

/// The home directory.
fn home() -> Option<PathBuf> {
    std::env::home_dir().filter(|home| home.is_absolute())
}

/// Where the paths of a plan start.
#[derive(Default)]
struct PlanPaths {
    /// `None`: the current directory.
    folder: Option<PathBuf>,
    home: Option<PathBuf>,
    /// Whether the plan is that in the directory of a run.
    is_of_run: bool,
    /// Paths of such a plan that are not in the current directory.
    lost: BTreeSet<String>,
    /// Paths that are in the current directory only, and where they were looked for.
    elsewhere: BTreeMap<String, String>,
    /// Paths in a home directory that is not known.
    homeless: BTreeSet<String>,
}

impl PlanPaths {
    /// A path of the plan.
    fn path(&mut self, path: &str) -> String {
        if let Some(rest) = path.strip_prefix("~/") {
            let there = self.home.as_ref().and_then(|home| Some(home.join(rest).to_str()?.to_owned()));
            return there.unwrap_or_else(|| {
                self.homeless.insert(path.to_owned());
                path.to_owned()
            });
        }
        let is_whole = path.is_empty() || path.starts_with('/');
        if self.is_of_run && !is_whole && !Path::new(path).exists() {
            self.lost.insert(path.to_owned());
        }
        let there = self.folder.as_ref().filter(|_| !is_whole).map(|folder| folder.join(path));
        let Some(there) = there.and_then(|there| Some(there.to_str()?.to_owned())) else { return path.to_owned() };
        if !Path::new(&there).exists() && Path::new(path).exists() {
            self.elsewhere.insert(path.to_owned(), there.clone());
        }
        there
    }

    fn change(&mut self, path: &mut String) {
        *path = self.path(path);
    }

    fn target(&mut self, target: &mut Target) {
        let named = [&mut target.password_file, &mut target.option_file, &mut target.restore.store];
        named.into_iter().flatten().for_each(|path| self.change(path));
        if let Some(program) = target.sandbox.as_mut().filter(|program| program.contains('/')) {
            self.change(program);
        }
        if let Some(address) = &mut target.dsn {
            self.address(address);
        }
        if let Some(Apply::Restart { file: Some(file), .. }) = &mut target.apply {
            self.change(file);
        }
        if let Some(HostAccess::Ssh(access)) = &mut target.host {
            self.ssh(access);
        }
        for exporter in &mut target.exporters {
            [&mut exporter.ca, &mut exporter.password_file].into_iter().flatten().for_each(|path| self.change(path));
        }
        target.replicas.iter_mut().for_each(|replica| self.target(&mut replica.at));
    }

    /// The file of SQLite, the directory of a machine, and files that the options of an address name.
    fn address(&mut self, address: &mut String) {
        let Ok(mut dsn) = Dsn::parse(address) else { return };
        let before = dsn.clone();
        for name in dsn::FILES {
            if let Some(path) = dsn.options.get_mut(name) {
                self.change(path);
            }
        }
        match dsn.scheme {
            Scheme::Sqlite | Scheme::Host => self.change(&mut dsn.database),
            Scheme::Mysql | Scheme::Postgres | Scheme::Null => {}
        }
        if dsn != before {
            *address = dsn.to_string();
        }
    }

    fn ssh(&mut self, access: &mut SshAccess) {
        if let Some(config) = &mut access.config {
            self.change(config);
        }
    }

    fn work(&mut self, load: &mut Load, data: &mut TrialDataset) {
        if is_script(&load.workload) {
            self.change(&mut load.workload);
        } else {
            self.files(&mut load.options);
        }
        if load.workload == sql::NAME {
            sql::rename_files(&mut load.options, |path| self.path(path));
        } else if load.workload == pgbench::NAME {
            pgbench::rename_files(&mut load.options, |path| self.path(path));
        }
        match data.kind.as_str() {
            sql::NAME => {
                data.options.get_mut("create").into_iter().for_each(|path| self.change(path));
                sql::rename_word_files(&mut data.options, |path| self.path(path));
            }
            tenbin_model::workload::SCRIPT_DATA => {
                data.options.get_mut("script").into_iter().for_each(|path| self.change(path));
            }
            _ => self.files(&mut data.options),
        }
    }

    fn files(&mut self, options: &mut BTreeMap<String, String>) {
        for name in OF_STATEMENTS.into_iter().chain([OF_STORAGE]) {
            options.get_mut(name).into_iter().for_each(|path| self.change(path));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_start_at_home_or_at_the_folder_of_the_plan() {
        let home = Some(PathBuf::from("/home/dba"));
        let here = || PlanPaths { home: home.clone(), ..PlanPaths::default() };
        let there = || PlanPaths { folder: Some(PathBuf::from("/srv/plans")), ..here() };
        for mut paths in [here(), there()] {
            let of = ["~/a.sql", "/a.sql", "~b/a.sql"].map(|path| paths.path(path));
            let other = if paths.folder.is_some() { "/srv/plans/~b/a.sql" } else { "~b/a.sql" };
            assert_eq!(of, ["/home/dba/a.sql", "/a.sql", other], "the home directory of others is not known");
            assert!(paths.homeless.is_empty());
        }
        assert_eq!(there().path("a.sql"), "/srv/plans/a.sql");
        let mut nowhere = PlanPaths { home: None, ..there() };
        assert_eq!(nowhere.path("~/a.sql"), "~/a.sql");
        assert_eq!(nowhere.homeless, ["~/a.sql".to_owned()].into());
    }

    /// It names files that were beside the plan, and not in that directory.
    #[test]
    fn paths_in_the_plan_of_a_run_do_not_start_at_its_directory() {
        let dir = tempfile::tempdir().unwrap();
        let plan = dir.path().join("plan.toml");
        let text = "schema = 1\nname = \"p\"\n[targets.a]\ndsn = \"sqlite:of-no-folder.db\"\n[[experiment]]\nload.workload = \"oltp_read_only\"\n";
        std::fs::write(&plan, text).unwrap();
        let read = || {
            let mut reading = Reading::of(text, &tenbin_workloads::catalog());
            let problems = from_folder_of(&plan, &mut reading);
            let codes = problems.iter().filter_map(|problem| problem.code().map(str::to_owned)).collect::<Vec<_>>();
            (codes, reading.trials().remove(0).target.dsn.unwrap_or_default())
        };
        let (codes, dsn) = read();
        assert!(codes.is_empty() && dsn.ends_with("/of-no-folder.db") && dsn != "sqlite:of-no-folder.db", "{dsn}");
        assert_eq!(folder(&plan), dir.path().canonicalize().ok());
        std::fs::write(dir.path().join("events.jsonl"), "").unwrap();
        std::fs::create_dir(dir.path().join("trials")).unwrap();
        assert_eq!(read(), (vec!["plan-path-of-run".to_owned()], "sqlite:of-no-folder.db".to_owned()));
        assert_eq!(folder(&plan), std::env::current_dir().ok());
    }

    /// Addresses, option files, scripts, files of statements and of words, and the files of data.
    #[test]
    fn every_path_of_a_trial_may_begin_with_home() {
        let plan = "schema = 1\nname = \"p\"\n[targets.a]\ndsn = \"sqlite:~/x.db\"\npassword_file = \"~/pw\"\n\
            [targets.b]\nsandbox = \"~/bin/mariadbd\"\noption_file = \"~/my.cnf\"\n\
            [targets.c]\ndsn = \"mysql://u@db/x?option_file=~/.my.cnf&tls_ca=~/ca.pem\"\n\
            [targets.d]\ndsn = \"host:~/disk\"\n\
            [datasets.s]\nkind = \"sql\"\ncreate = \"~/create.sql\"\n[[experiment]]\ndataset = \"s\"\nload = { workload = \"sql\", scripts = [\"~/a.sql@2\", \"~/b.sql\"] }\n";
        let mut reading = Reading::of(plan, &tenbin_workloads::catalog());
        let mut paths = PlanPaths { home: Some(PathBuf::from("/home/dba")), ..PlanPaths::default() };
        let mut all = Vec::new();
        reading.change_paths(|at| match at {
            PathsOf::Target(target) => {
                paths.target(target);
                all.push(format!(
                    "{:?} {:?} {:?} {:?}",
                    target.dsn, target.password_file, target.option_file, target.sandbox
                ));
            }
            PathsOf::Load(load, data) => {
                paths.work(load, data);
                all.push(format!("{:?} {:?}", load.options, data.options));
            }
            PathsOf::Ssh(access) => paths.ssh(access),
        });
        let all = all.join("\n");
        assert!(!all.contains("~/"), "{all}");
        let places =
            ["x.db", "pw", "bin/mariadbd", "my.cnf", ".my.cnf", "ca.pem", "disk", "create.sql", "a.sql", "b.sql"];
        for place in places {
            assert!(all.contains(&format!("/home/dba/{place}")), "{place}: {all}");
        }
    }
}
