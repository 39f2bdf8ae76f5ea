//! `tenbin names`: prints the names of other tools under which this binary can be called, or makes links of them.

use crate::args::Names;
use std::io;
use std::path::Path;
use tenbin_compat::FRONT_ENDS;
use tenbin_terminal::exit::{self, Exit};
use tenbin_words::message::foreign;
use tenbin_words::msg;
use tenbin_words::problem::Problem;

pub fn names(a: &Names) -> Result<Exit, Problem> {
    let Some(dir) = &a.dir else {
        FRONT_ENDS.iter().for_each(|front_end| exit::print(front_end.name));
        return Ok(Exit::Ok);
    };
    let unwritable = |e: io::Error| {
        let problem = Problem::new(msg!("names-cannot-be-linked", dir = dir.display())).evidence(foreign(e));
        problem.hint(msg!("name-folder-for-links"))
    };
    let program = std::env::current_exe().map_err(unwritable)?;
    std::fs::create_dir_all(dir).map_err(unwritable)?;
    // All of them or none: what is there already is somebody else's, or what this command made before.
    let taken = |name: &str| {
        let there = dir.join(name);
        std::fs::symlink_metadata(&there).is_ok() && !leads_to(&there, &program)
    };
    if let Some(front_end) = FRONT_ENDS.iter().find(|front_end| taken(front_end.name)) {
        let path = dir.join(front_end.name);
        return Err(Problem::new(msg!("name-is-taken", path = path.display()))
            .hint(msg!("link-names-elsewhere", example = "tenbin names --dir ~/.local/bin")));
    }
    for front_end in FRONT_ENDS {
        let link = dir.join(front_end.name);
        if std::fs::symlink_metadata(&link).is_err() {
            std::os::unix::fs::symlink(&program, &link).map_err(unwritable)?;
        }
        exit::print(&format!("{} -> {}", link.display(), program.display()));
    }
    Ok(Exit::Ok)
}

/// Whether this path is a link that ends at this program.
fn leads_to(link: &Path, program: &Path) -> bool {
    let end = |path: &Path| std::fs::canonicalize(path).ok();
    std::fs::symlink_metadata(link).is_ok_and(|m| m.is_symlink()) && end(link).is_some() && end(link) == end(program)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn linked(dir: &Path) -> Result<(), String> {
        let made = names(&Names { dir: Some(dir.to_owned()) });
        made.map(|_| ()).map_err(|problem| problem.code().unwrap_or_default().to_owned())
    }

    #[test]
    fn every_name_becomes_a_link_to_this_program() {
        let dir = tempfile::tempdir().unwrap();
        let below = dir.path().join("bin");
        linked(&below).unwrap();
        let program = std::env::current_exe().unwrap();
        for front_end in FRONT_ENDS {
            assert_eq!(std::fs::read_link(below.join(front_end.name)).unwrap(), program, "{}", front_end.name);
        }
        linked(&below).expect("once more changes nothing");
    }

    #[test]
    fn what_is_there_already_is_left_alone_and_no_link_is_made() {
        let dir = tempfile::tempdir().unwrap();
        let (first, last) = (FRONT_ENDS[0].name, FRONT_ENDS[FRONT_ENDS.len() - 1].name);
        std::fs::write(dir.path().join(last), "the real one").unwrap();
        assert_eq!(linked(dir.path()), Err("name-is-taken".to_owned()));
        assert!(!dir.path().join(first).exists());
        assert_eq!(std::fs::read_to_string(dir.path().join(last)).unwrap(), "the real one");
    }
}
