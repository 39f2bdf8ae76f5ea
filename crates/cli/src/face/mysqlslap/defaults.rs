//! The option files of MySQL's programs: which are read, and what their groups say, as arguments.

use std::path::{Path, PathBuf};

/// How the files are to be read: the options that stand first on the command line.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub struct Files {
    pub none: bool,
    pub only: Option<PathBuf>,
    pub extra: Option<PathBuf>,
    pub suffix: String,
    pub print: bool,
}

/// The groups that are read, and those of them that are shared with other programs, whose options need not be ours.
const GROUPS: &[(&str, bool)] = &[
    ("mysqlslap", false),
    ("mariadb-slap", false),
    ("client", true),
    ("client-server", true),
    ("client-mariadb", true),
];

/// Files deeper in one another than this are not files.
const DEEPEST: u32 = 10;

/// Parts the options about files, which stand first, from the rest.
pub fn first(arguments: &[String]) -> Result<(Files, &[String]), String> {
    let mut files = Files::default();
    let mut rest = arguments;
    while let [word, after @ ..] = rest {
        let (name, mut value) = match word.split_once('=') {
            Some((name, value)) => (name, Some(value.to_owned())),
            None => (word.as_str(), None),
        };
        let name = name.replace('_', "-");
        rest = after;
        if matches!(name.as_str(), "--defaults-file" | "--defaults-extra-file" | "--defaults-group-suffix")
            && value.is_none()
        {
            let [next, after @ ..] = after else { return Err(format!("option '{name}' wants a value")) };
            (value, rest) = (Some(next.clone()), after);
        }
        let value = value.unwrap_or_default();
        match name.as_str() {
            "--no-defaults" => files.none = true,
            "--print-defaults" => files.print = true,
            "--defaults-file" => files.only = Some(value.into()),
            "--defaults-extra-file" => files.extra = Some(value.into()),
            "--defaults-group-suffix" => files.suffix = value,
            _ => return Ok((files, &arguments[arguments.len() - after.len() - 1..])),
        }
    }
    Ok((files, rest))
}

/// What the files say, in their order: arguments, and whether they come from a group for all clients.
pub fn read(files: &Files, home: Option<&Path>) -> Result<Vec<(String, bool)>, String> {
    let mut said = Vec::new();
    if files.none {
        return Ok(said);
    }
    if let Some(only) = &files.only {
        file(only, &files.suffix, true, 0, &mut said)?;
        return Ok(said);
    }
    for path in ["/etc/my.cnf", "/etc/mysql/my.cnf"] {
        file(Path::new(path), &files.suffix, false, 0, &mut said)?;
    }
    if let Some(extra) = &files.extra {
        file(extra, &files.suffix, true, 0, &mut said)?;
    }
    if let Some(home) = home {
        file(&home.join(".my.cnf"), &files.suffix, false, 0, &mut said)?;
    }
    Ok(said)
}

fn file(path: &Path, suffix: &str, must: bool, depth: u32, said: &mut Vec<(String, bool)>) -> Result<(), String> {
    let text = match std::fs::read(path) {
        Ok(bytes) => String::from_utf8_lossy(&bytes).into_owned(),
        Err(e) if must => return Err(format!("the defaults file {} cannot be read: {e}", path.display())),
        Err(_) => return Ok(()),
    };
    let mut group: Option<bool> = None;
    for line in text.lines().map(str::trim) {
        if line.is_empty() || line.starts_with(['#', ';']) {
            continue;
        }
        if let Some(name) = line.strip_prefix('[').and_then(|l| l.split(']').next()) {
            let name = name.trim();
            let wanted = |(g, shared): &(&str, bool)| {
                (name == *g || !suffix.is_empty() && name.strip_suffix(suffix) == Some(g)).then_some(*shared)
            };
            group = GROUPS.iter().find_map(wanted);
        } else if let Some(dir) = line.strip_prefix("!includedir ") {
            let mut inside: Vec<PathBuf> =
                std::fs::read_dir(dir.trim()).map(|all| all.flatten().map(|e| e.path()).collect()).unwrap_or_default();
            inside.retain(|p| p.extension().is_some_and(|e| e == "cnf"));
            inside.sort();
            for path in inside.iter().filter(|_| depth < DEEPEST) {
                file(path, suffix, false, depth + 1, said)?;
            }
        } else if let Some(other) = line.strip_prefix("!include ") {
            if depth < DEEPEST {
                file(Path::new(other.trim()), suffix, false, depth + 1, said)?;
            }
        } else if let Some(shared) = group {
            said.push((argument(line), shared));
        }
    }
    Ok(())
}

/// `key = "value" # comment` as `--key=value`.
fn argument(line: &str) -> String {
    let Some((key, value)) = line.split_once('=') else {
        return format!("--{}", line.split('#').next().unwrap_or(line).trim());
    };
    let value = value.trim();
    let plain = match value.chars().next().filter(|c| matches!(c, '"' | '\'')) {
        Some(quote) => value[1..].split(quote).next().unwrap_or("").to_owned(),
        None => value.split(" #").next().unwrap_or(value).trim().to_owned(),
    };
    format!(
        "--{}={}",
        key.trim(),
        plain.replace("\\n", "\n").replace("\\t", "\t").replace("\\s", " ").replace("\\\\", "\\")
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(line: &str) -> Vec<String> {
        line.split(' ').map(str::to_owned).collect()
    }

    #[test]
    fn options_about_files_stand_first() {
        let all = words("--defaults-file=/x --defaults-group-suffix _a -a --no-defaults");
        let (files, rest) = first(&all).unwrap();
        assert_eq!((files.only, files.suffix, files.none), (Some("/x".into()), "_a".to_owned(), false));
        assert_eq!(rest, words("-a --no-defaults"));
        assert_eq!(first(&words("--no-defaults")).unwrap().1.len(), 0);
        assert!(first(&words("--defaults-file")).is_err());
    }

    #[test]
    fn groups_and_forms_of_a_file() {
        let dir = std::env::temp_dir().join(format!("tenbin-cnf-{}", std::process::id()));
        std::fs::create_dir_all(dir.join("more")).unwrap();
        let text = format!(
            "user=nobody\n[mysqld]\nport=1\n[client]\n# a comment\nuser = app\npassword=\"se#cret\" # x\ndefault-character-set=utf8\n\
             [mysqlslap]\nno-drop\niterations=3 # three\n[mysqlslap_a]\ncommit=9\n!includedir {}\n",
            dir.join("more").display()
        );
        std::fs::write(dir.join("my.cnf"), text).unwrap();
        std::fs::write(dir.join("more/b.cnf"), "[mariadb-slap]\ndelimiter=\\n\n").unwrap();
        std::fs::write(dir.join("more/c.txt"), "[mysqlslap]\nsilent\n").unwrap();
        let files = Files { only: Some(dir.join("my.cnf")), ..Files::default() };
        let said = read(&files, None).unwrap();
        let shown: Vec<(&str, bool)> = said.iter().map(|(a, shared)| (a.as_str(), *shared)).collect();
        assert_eq!(
            shown,
            [
                ("--user=app", true),
                ("--password=se#cret", true),
                ("--default-character-set=utf8", true),
                ("--no-drop", false),
                ("--iterations=3", false),
                ("--delimiter=\n", false),
            ]
        );
        let with = read(&Files { suffix: "_a".into(), ..files.clone() }, None).unwrap();
        assert!(with.contains(&("--commit=9".to_owned(), false)));
        assert!(read(&Files { only: Some("/nowhere".into()), ..Files::default() }, None).is_err());
        let home = Files { extra: Some(dir.join("my.cnf")), ..Files::default() };
        assert!(read(&home, None).unwrap().contains(&("--user=app".to_owned(), true)));
        std::fs::remove_dir_all(dir).unwrap();
    }
}
