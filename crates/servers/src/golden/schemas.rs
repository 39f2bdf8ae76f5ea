//! The schemas of a server of MySQL or MariaDB by its data directory: an account may not be shown all of them.

use crate::rights::Rights;
use std::path::Path;
use tenbin_words::message::foreign;
use tenbin_words::msg;
use tenbin_words::problem::Problem;

/// Directories in a data directory of MySQL or MariaDB that are not the server's own: those of schemas, by their names on disk.
pub fn schema_directories(data: &Path) -> Result<Vec<String>, Problem> {
    let cannot = |e| Problem::new(msg!("file-unreadable", file = data.display())).evidence(foreign(e));
    let own = |name: &str| {
        ["mysql", "performance_schema", "sys", "lost+found"].contains(&name) || name.starts_with(['#', '.'])
    };
    let listed = Rights::of_owner(data)?.within(|| {
        let directories = std::fs::read_dir(data)?.flatten();
        let directories = directories.filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_dir()));
        Ok(directories.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect())
    });
    let mut names: Vec<String> = listed.map_err(cannot)?;
    names.retain(|name| !own(name));
    names.sort();
    Ok(names)
}
