//! Files of the user that load hosts without them need: scripts with the modules beside them, and files of statements.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use tenbin_model::trial::Trial;
use tenbin_words::message::foreign;
use tenbin_words::msg;
use tenbin_words::problem::Problem;
use tenbin_workloads::{QUERY_FILE, is_script, sql};

/// The files that trials need, and their names on the hosts.
#[derive(Debug, Default)]
pub struct CarriedFiles {
    /// By their names there, relative to the working directory of a host.
    pub files: BTreeMap<String, PathBuf>,
    /// The names there of files that trials name.
    names: BTreeMap<String, String>,
}

impl CarriedFiles {
    /// Of these trials.
    pub fn of(trials: &[Trial]) -> Result<CarriedFiles, Problem> {
        let mut carried = CarriedFiles::default();
        for trial in trials {
            let script = Some(&trial.load.workload).filter(|name| is_script(name));
            let is_sql = trial.load.workload == sql::NAME;
            let of_sql = if is_sql { sql::files(&trial.load.options) } else { Vec::new() };
            for named in script.into_iter().chain(trial.load.options.get(QUERY_FILE)).chain(&of_sql) {
                let path = Path::new(named);
                if carried.names.contains_key(named) || !path.is_file() {
                    // A script that is found elsewhere is found there by the same rule.
                    continue;
                }
                let folder = format!("files/{}", carried.names.len() + 1);
                let own = name_of(path);
                if script == Some(named) {
                    for module in modules(path)? {
                        carried.files.insert(format!("{folder}/{}", name_of(&module)), module);
                    }
                }
                carried.names.insert(named.clone(), format!("{folder}/{own}"));
                carried.files.insert(format!("{folder}/{own}"), path.to_owned());
            }
        }
        Ok(carried)
    }

    /// The trial with the names that its files have on the hosts.
    pub fn trial(&self, trial: &Trial) -> Trial {
        let mut there = trial.clone();
        let names = Some(&mut there.load.workload).into_iter().chain(there.load.options.get_mut(QUERY_FILE));
        for name in names {
            if let Some(carried) = self.names.get(name) {
                name.clone_from(carried);
            }
        }
        if there.load.workload == sql::NAME {
            let name = |file: &str| self.names.get(file).map_or(file, String::as_str).to_owned();
            sql::rename_files(&mut there.load.options, name);
        }
        there
    }
}

fn name_of(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

/// The Lua files in the folder of a script, any of which it may `require`.
fn modules(script: &Path) -> Result<Vec<PathBuf>, Problem> {
    let folder = script.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let unreadable = |error: std::io::Error| {
        Problem::new(msg!("script-of-hosts-unreadable", file = folder.display())).evidence(foreign(error))
    };
    let mut modules = Vec::new();
    for entry in folder.read_dir().map_err(unreadable)? {
        let path = entry.map_err(unreadable)?.path();
        if path.extension().is_some_and(|extension| extension == "lua") && path.is_file() {
            modules.push(path);
        }
    }
    Ok(modules)
}

#[cfg(test)]
mod tests {
    use super::*;
    use tenbin_model::plan::{Plan, expand};

    fn trial(load: &str) -> Trial {
        let text = format!(
            "schema = 1\nname = \"p\"\n[targets]\na = {{ dsn = \"mysql://u@127.0.0.1/x\" }}\n[[experiment]]\nname = \"e\"\nload = {{ {load}, clients = 1 }}\n\
             warmup = 0\nmeasure = \"1s\"\n"
        );
        let plan = Plan::parse(&text, &tenbin_workloads::catalog()).expect("a plan");
        expand(&plan).remove(0)
    }

    #[test]
    fn a_script_is_carried_with_the_modules_beside_it() {
        let dir = tempfile::tempdir().expect("a folder");
        for name in ["own.lua", "common.lua", "notes.txt", "queries.sql", "pay.sql", "look.sql"] {
            std::fs::write(dir.path().join(name), "").expect("written");
        }
        let at = |name: &str| dir.path().join(name).display().to_string();
        let scripted = trial(&format!("workload = \"{}\"", at("own.lua")));
        let listed = trial(&format!("workload = \"slap\", query_file = \"{}\"", at("queries.sql")));
        let elsewhere = trial("workload = \"oltp_read_only.lua\"");
        let carried = CarriedFiles::of(&[scripted.clone(), listed.clone(), elsewhere.clone()]).expect("readable");
        let names: Vec<&str> = carried.files.keys().map(String::as_str).collect();
        assert_eq!(names, ["files/1/common.lua", "files/1/own.lua", "files/2/queries.sql"]);
        assert_eq!(carried.trial(&scripted).load.workload, "files/1/own.lua");
        assert_eq!(carried.trial(&listed).load.options[QUERY_FILE], "files/2/queries.sql");
        assert_eq!(carried.trial(&elsewhere).load.workload, "oltp_read_only.lua");

        let own = trial(&format!("workload = \"sql\", scripts = [\"{}@30\", \"{}\"]", at("pay.sql"), at("look.sql")));
        let carried = CarriedFiles::of(std::slice::from_ref(&own)).expect("files");
        assert_eq!(carried.files.keys().collect::<Vec<_>>(), ["files/1/pay.sql", "files/2/look.sql"]);
        assert_eq!(carried.trial(&own).load.options["scripts"], "files/1/pay.sql@30, files/2/look.sql@1");
    }
}
