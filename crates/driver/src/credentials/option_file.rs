//! Option files of MySQL and MariaDB (`my.cnf`): groups, settings, comments, escapes and includes.

use std::io;
use std::path::{Path, PathBuf};
use tenbin_intake as intake;

/// The maximum nesting depth of included files, as in MySQL.
const DEEPEST: u32 = 10;
/// This many files are read in all.
const MOST_FILES: u32 = 200;
/// The largest file that is read, bytes.
pub const MOST_BYTES: u64 = 16 << 20;

/// A line that sets something.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Setting {
    /// The group in which it is, such as `mysqld`.
    pub group: String,
    /// Its name as written.
    pub name: String,
    /// Its value without quotes and escapes; `None` if there is no `=`.
    pub value: Option<String>,
}

/// The meaning of a line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum OptionLine {
    /// `[group]`; the settings that follow are in it.
    Group(String),
    /// A setting.
    Set(Setting),
    /// `!include FILE`.
    Include(PathBuf),
    /// `!includedir DIRECTORY`: its files that end with `.cnf`, by name.
    IncludeAll(PathBuf),
}

/// All settings of a file and of the files that it includes, in order. Included files that cannot be read are passed
/// over, as MySQL's programs do.
pub fn read(path: &Path) -> io::Result<Vec<Setting>> {
    let mut all = Vec::new();
    read_into(&mut all, path, 0, &mut 0)?;
    Ok(all)
}

/// Files that include one another, or themselves more than once, would be read without end.
fn read_into(all: &mut Vec<Setting>, path: &Path, depth: u32, files: &mut u32) -> io::Result<()> {
    *files += 1;
    if *files > MOST_FILES {
        return Ok(());
    }
    // The first may be a pipe that the user names; those that files name are files.
    let text = if depth == 0 { intake::file(path, MOST_BYTES) } else { intake::regular_file(path, MOST_BYTES) }?;
    for line in lines(&String::from_utf8_lossy(&text)) {
        let included = match line {
            OptionLine::Group(_) => continue,
            OptionLine::Set(setting) => {
                all.push(setting);
                continue;
            }
            OptionLine::Include(path) => vec![path],
            OptionLine::IncludeAll(dir) => files_of(&dir),
        };
        for path in included.iter().filter(|_| depth < DEEPEST) {
            let _passed_over = read_into(all, path, depth + 1, files);
        }
    }
    Ok(())
}

/// The files that `!includedir` reads in a directory, by name.
pub fn files_of(dir: &Path) -> Vec<PathBuf> {
    let mut inside: Vec<PathBuf> =
        std::fs::read_dir(dir).map(|all| all.flatten().map(|entry| entry.path()).collect()).unwrap_or_default();
    inside.retain(|path| path.extension().is_some_and(|e| e == "cnf"));
    inside.sort();
    inside
}

/// The lines of a text; settings that are not in any group have no meaning and are left out.
pub fn lines(text: &str) -> Vec<OptionLine> {
    let (mut group, mut all) = (None, Vec::new());
    for line in text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with(['#', ';'])) {
        if let Some(name) = line.strip_prefix('[').and_then(|rest| rest.split(']').next()) {
            let name = name.trim().to_owned();
            group = Some(name.clone());
            all.push(OptionLine::Group(name));
        } else if let Some(dir) = line.strip_prefix("!includedir ") {
            all.push(OptionLine::IncludeAll(dir.trim().into()));
        } else if let Some(path) = line.strip_prefix("!include ") {
            all.push(OptionLine::Include(path.trim().into()));
        } else if let Some(group) = &group {
            let (name, value) = name_and_value(line);
            all.push(OptionLine::Set(Setting { group: group.clone(), name, value }));
        }
    }
    all
}

/// `name = "value" # comment` without quotes and comment.
fn name_and_value(line: &str) -> (String, Option<String>) {
    let line = without_comment(line).trim();
    let Some((name, value)) = line.split_once('=') else { return (line.to_owned(), None) };
    let value = value.trim();
    let quoted = ['"', '\''].iter().find_map(|q| value.strip_prefix(*q)?.strip_suffix(*q));
    (name.trim().to_owned(), Some(unescaped(quoted.unwrap_or(value))))
}

/// The line up to a `#` outside of quotes.
fn without_comment(line: &str) -> &str {
    let (mut quote, mut escaped) = (None, false);
    for (at, c) in line.char_indices() {
        match (c, quote) {
            ('"' | '\'', None) if !escaped => quote = Some(c),
            (_, Some(q)) if c == q && !escaped => quote = None,
            ('#', None) => return &line[..at],
            _ => {}
        }
        escaped = quote.is_some() && c == '\\' && !escaped;
    }
    line
}

/// Resolves escape sequences.
fn unescaped(value: &str) -> String {
    let mut plain = String::with_capacity(value.len());
    let mut rest = value.chars();
    while let Some(c) = rest.next() {
        if c != '\\' {
            plain.push(c);
            continue;
        }
        match rest.next() {
            Some('n') => plain.push('\n'),
            Some('t') => plain.push('\t'),
            Some('r') => plain.push('\r'),
            Some('b') => plain.push('\u{8}'),
            Some('s') => plain.push(' '),
            Some(c @ ('"' | '\'' | '\\')) => plain.push(c),
            other => plain.extend(['\\'].into_iter().chain(other)),
        }
    }
    plain
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_read_as_mysqls_programs_read_them() {
        for (line, name, value) in [
            ("password=se#cret", "password", Some("se")),
            ("password = \"se#cret\" # x", "password", Some("se#cret")),
            (r#"password="a\"b\\n""#, "password", Some(r#"a"b\n"#)),
            (r"delimiter=\n", "delimiter", Some("\n")),
            (r"socket='C:\sx\y'", "socket", Some(r"C: x\y")),
            ("compress # thin", "compress", None),
            ("password=\"half", "password", Some("\"half")),
        ] {
            assert_eq!(name_and_value(line), (name.to_owned(), value.map(str::to_owned)), "{line}");
        }
    }

    #[test]
    fn included_files_are_read_where_they_are_included() {
        let dir = tempfile::tempdir().unwrap();
        let write = |name: &str, text: &str| std::fs::write(dir.path().join(name), text).unwrap();
        std::fs::create_dir(dir.path().join("more")).unwrap();
        let here = dir.path().display();
        write("my.cnf", &format!("x=0\n[a]\nx=1\n!include {here}/gone.cnf\n!includedir {here}/more\nx=4\n"));
        write("more/b.cnf", &format!("y=0\n[b]\nx=3\n!include {here}/more/b.cnf\n"));
        write("more/a.cnf", "[a]\nx=2\n");
        write("more/c.txt", "[a]\nx=9\n");
        let all = read(&dir.path().join("my.cnf")).unwrap();
        let mut said: Vec<String> =
            all.iter().map(|s| format!("{} {} {}", s.group, s.name, s.value.as_deref().unwrap_or("-"))).collect();
        said.dedup();
        assert_eq!(said, ["a x 1", "a x 2", "b x 3", "a x 4"]);
        assert_eq!(all.len(), 3 + DEEPEST as usize, "a file that includes itself ends");
        assert!(read(&dir.path().join("gone.cnf")).is_err());
    }
}
