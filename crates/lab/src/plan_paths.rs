//! Paths in a plan start at the folder of the plan, whatever the current directory is: here they are given that folder, before anything of
//! them is read. An absolute path, and one that begins with `~/`, is used as it is.

use crate::used_files::OF_STATEMENTS;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use tenbin_model::dsn::{self, Dsn, Scheme};
use tenbin_model::plan::{PathsOf, Reading};
use tenbin_model::ssh_access::SshAccess;
use tenbin_model::trial::{Apply, HostAccess, Load, Target, Trial, TrialDataset};
use tenbin_words::msg;
use tenbin_words::problem::Problem;
use tenbin_workloads::{is_script, sql};

/// The option of the tests of storage that names the directory of their files.
const OF_STORAGE: &str = "file_dir";

/// Lets the paths of a plan start at its folder. Returns those that are only in the current directory, where they do not start.
pub fn from_folder_of(plan: &Path, reading: &mut Reading<'_>) -> Vec<Problem> {
    let Some(mut paths) = PlanFolder::of(plan) else { return Vec::new() };
    reading.change_paths(|at| match at {
        PathsOf::Target(target) => paths.target(target),
        PathsOf::Load(load, data) => paths.work(load, data),
        PathsOf::Ssh(access) => paths.ssh(access),
    });
    let here = std::env::current_dir().unwrap_or_default();
    let problems = paths.elsewhere.into_iter().map(|(path, file)| {
        let evidence = msg!("plan-path-only-here", here = here.join(&path).display(), file);
        Problem::new(msg!("plan-path-elsewhere", path)).evidence(evidence).hint(msg!("paths-start-at-plan"))
    });
    problems.collect()
}

/// The folder in which a plan lies.
pub fn folder(plan: &Path) -> Option<PathBuf> {
    let folder = plan.parent()?;
    let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    folder.canonicalize().ok()
}

/// A trial with whole paths: the same for a plan that was read in its folder as for one that was read elsewhere.
pub fn whole(folder: &Path, trial: &Trial) -> Trial {
    let mut paths = PlanFolder { folder: folder.to_owned(), elsewhere: BTreeMap::new() };
    let mut whole = trial.clone();
    paths.target(&mut whole.target);
    paths.work(&mut whole.load, &mut whole.dataset);
    whole.files.iter_mut().for_each(|file| paths.change(&mut file.path));
    whole
}

/// The folder of a plan that is not the current directory.
struct PlanFolder {
    folder: PathBuf,
    /// Paths that are in the current directory only, and where they were looked for.
    elsewhere: BTreeMap<String, String>,
}

impl PlanFolder {
    /// `None` if paths start at the current directory: the plan lies in it, or is no file.
    fn of(plan: &Path) -> Option<PlanFolder> {
        let folder = plan.parent().filter(|folder| plan.is_file() && !folder.as_os_str().is_empty())?;
        let folder =
            folder.canonicalize().ok().filter(|folder| Some(folder) != Path::new(".").canonicalize().ok().as_ref())?;
        Some(PlanFolder { folder, elsewhere: BTreeMap::new() })
    }

    /// A path of the plan.
    fn path(&mut self, path: &str) -> String {
        let is_whole = path.is_empty() || path.starts_with('/') || path.starts_with("~/");
        let Some(there) = self.folder.join(path).to_str().filter(|_| !is_whole).map(str::to_owned) else {
            return path.to_owned();
        };
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
