//! How long ago a golden copy was used: `tenbin data remove --unused` removes those from which no run has restored data for long.

use super::{DESCRIPTION, GoldenCopy, Stored, list, mark};
use std::path::Path;
use std::time::Duration;
use tenbin_words::problem::Problem;

/// The file whose time of change is that of the last use.
pub const USED: &str = "used";

impl GoldenCopy {
    /// How long ago data were restored from it, or it was made.
    pub fn unused_for(&self) -> Duration {
        unused_for(&self.dir)
    }

    /// Notes that data are restored from it. It may be one that only others may change.
    pub(super) fn used(&self) {
        let _ = std::fs::write(self.dir.join(USED), b"\n");
    }
}

/// How long ago anything was done with a directory of ours. A time in the future is now.
fn unused_for(dir: &Path) -> Duration {
    let changed = |name: &str| std::fs::symlink_metadata(dir.join(name)).and_then(|meta| meta.modified()).ok();
    let last = [USED, DESCRIPTION, mark::NAME, ""].iter().find_map(|name| changed(name));
    last.and_then(|last| last.elapsed().ok()).unwrap_or_default()
}

/// The names of those from which no run has restored data for this long, and of remains that are as old.
pub fn unused(store: &Path, least: Duration) -> Result<Vec<String>, Problem> {
    let names = list(store)?.into_iter().map(|stored: Stored| stored.name().to_owned());
    Ok(names.filter(|name| unused_for(&store.join(name)) >= least).collect())
}

#[cfg(test)]
mod tests {
    use super::super::{Making, ServerLogs, Variant, copy_of, find, remove};
    use super::*;
    use std::collections::BTreeMap;
    use tenbin_model::stop::StopSignal;

    fn variant(rows: &str) -> Variant {
        let options = BTreeMap::from([("table_size".to_owned(), rows.to_owned())]);
        Variant { kind: "sysbench".into(), options, series: "mariadb-10.11".into(), layout: BTreeMap::new() }
    }

    fn golden(store: &Path, variant: &Variant) -> Result<GoldenCopy, Problem> {
        let (server, made_by, objects) = ("10.11.19", "copy", BTreeMap::new());
        let logs = &ServerLogs::NONE;
        let making = Making { store, variant, server, made_by, made: "", rows: 1, objects: &objects, logs };
        let data = store.join("source");
        std::fs::create_dir_all(&data).unwrap();
        std::fs::write(data.join("ibdata1"), b"0123456789").unwrap();
        copy_of(&making, &data, &|_| {}, &StopSignal::new())
    }

    #[test]
    fn a_copy_is_unused_since_data_were_restored_from_it_or_it_was_made() {
        let dir = tempfile::tempdir().unwrap();
        let (store, ten, twenty) = (dir.path(), variant("10"), variant("20"));
        let (old, new) = (golden(store, &ten).unwrap(), golden(store, &twenty).unwrap());
        let days = |n: u64| Duration::from_secs(n * 86_400);
        let aged = |copy: &GoldenCopy, name: &str, n: u64| {
            let file = std::fs::File::options().write(true).open(copy.dir.join(name)).unwrap();
            file.set_modified(std::time::SystemTime::now() - days(n)).unwrap();
        };
        assert_eq!(unused(store, days(1)).unwrap(), [""; 0]);
        aged(&old, DESCRIPTION, 40);
        aged(&new, DESCRIPTION, 40);
        new.used();
        assert_eq!(unused(store, days(30)).unwrap(), [old.name.as_str()]);
        aged(&new, USED, 35);
        assert_eq!(unused(store, days(30)).unwrap().len(), 2);
        assert_eq!(unused(store, days(36)).unwrap(), [old.name.as_str()], "the last use counts");
        assert!(find(store, &twenty).unwrap().is_some(), "it is as it was");
        remove(store, &new.name).unwrap();
        assert!(!new.dir.exists());
    }
}
