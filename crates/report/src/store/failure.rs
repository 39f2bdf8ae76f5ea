//! Why a file cannot be written, told with the way out that fits: a full disk, a folder that is read-only or somebody else's, a name too long.

use rustix::io::Errno;
use std::io;
use std::path::Path;
use tenbin_model::problem::Problem;

/// `what` says what cannot be written, because of `e`. `place` is the directory it was to be in, `elsewhere` names another one (`name another
/// folder with --runs`).
pub fn cannot_write(what: &str, place: &Path, e: &io::Error, elsewhere: &str) -> Problem {
    Problem::new(what).evidence(e.to_string()).mend(way_out(place, e, elsewhere))
}

/// One thing to do about it.
fn way_out(place: &Path, e: &io::Error, elsewhere: &str) -> String {
    let place = if place.as_os_str().is_empty() { ".".to_owned() } else { format!("'{}'", place.display()) };
    match e.raw_os_error().map(Errno::from_raw_os_error) {
        Some(Errno::NOSPC) => format!("free space there (df -h {place}; df -i {place}), or {elsewhere}"),
        Some(Errno::DQUOT) => format!("free space there or have the quota raised (quota -s), or {elsewhere}"),
        Some(Errno::FBIG) => format!("allow longer files (ulimit -f unlimited), or {elsewhere}"),
        Some(Errno::ROFS) => format!("the file system is mounted read-only: {elsewhere}"),
        Some(Errno::ACCESS | Errno::PERM) => format!("this account may not write there (ls -ld {place}): {elsewhere}"),
        Some(Errno::NAMETOOLONG) => format!("the name is too long for the file system: {elsewhere}"),
        Some(Errno::NOENT) => format!("the folder is not there, or was deleted: {elsewhere}"),
        Some(Errno::NOTDIR | Errno::EXIST | Errno::LOOP | Errno::ISDIR) => {
            format!("something else is in the way there (ls -l {place}): {elsewhere}")
        }
        Some(Errno::MFILE | Errno::NFILE) => "allow more open files: ulimit -n 4096".to_owned(),
        Some(Errno::IO | Errno::NODEV | Errno::STALE) => format!("the storage fails (dmesg | tail): {elsewhere}"),
        _ => elsewhere.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fmt::Write;

    #[test]
    fn the_way_out_fits_the_cause() {
        let mut told = String::new();
        for errno in [
            Errno::NOSPC,
            Errno::DQUOT,
            Errno::FBIG,
            Errno::ROFS,
            Errno::ACCESS,
            Errno::NAMETOOLONG,
            Errno::NOENT,
            Errno::NOTDIR,
            Errno::IO,
            Errno::INVAL,
        ] {
            let e = io::Error::from(errno);
            let problem = cannot_write("it", Path::new("/runs"), &e, "name another folder with --runs");
            writeln!(told, "{}: {}", e, problem.mend.unwrap()).unwrap();
        }
        insta::assert_snapshot!(told);
    }
}
