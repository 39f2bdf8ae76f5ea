//! Option files of MySQL and MariaDB (`my.cnf`): groups, settings, comments, escapes and includes.

use std::io;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use tenbin_intake as intake;
use tenbin_words::msg;
use tenbin_words::problem::Problem;

/// The maximum nesting depth of included files, as in MySQL.
const DEEPEST: u32 = 10;
/// This many files are read in all.
const MOST_FILES: u32 = 200;
/// The largest file that is read, bytes.
pub const MOST_BYTES: u64 = 16 << 20;

/// A line that sets something.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Setting {
    /// The group in which it is, such as `mysqld`, in lower case.
    pub group: String,
    /// Its name as written.
    pub name: String,
    /// Its value without quotes and escapes; `None` if there is no `=`.
    pub value: Option<String>,
}

/// The meaning of a line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum OptionLine {
    /// `[group]`, in lower case; the settings that follow are in it.
    Group(String),
    /// A setting.
    Set(Setting),
    /// `!include FILE`.
    Include(PathBuf),
    /// `!includedir DIRECTORY`: its files that end with `.cnf`, by name.
    IncludeAll(PathBuf),
}

/// A line at which MySQL's programs refuse a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BrokenLine {
    /// Its number, from 1.
    pub line: usize,
    /// What is wrong with it.
    pub fault: Fault,
}

/// What is wrong with a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fault {
    /// A group without `]`.
    GroupNotClosed,
    /// An option before the first group.
    NoGroup,
    /// This directive without a file or a directory.
    IncludesNothing(&'static str),
}

impl BrokenLine {
    /// The problem of the file.
    pub fn problem(self, file: &Path) -> Problem {
        let (file, line) = (file.display(), self.line);
        match self.fault {
            Fault::GroupNotClosed => {
                Problem::new(msg!("option-file-group-not-closed", file, line)).hint(msg!("close-group"))
            }
            Fault::NoGroup => {
                Problem::new(msg!("option-file-option-without-group", file, line)).hint(msg!("write-group-above"))
            }
            Fault::IncludesNothing(word) => {
                Problem::new(msg!("option-file-includes-nothing", file, line, word)).hint(msg!("include-a-path", word))
            }
        }
    }
}

/// Why a file is not used.
#[derive(Debug)]
pub enum ReadError {
    /// It cannot be read.
    Unreadable(io::Error),
    /// It has such a line.
    Broken(BrokenLine),
    /// Everybody may write it.
    WritableByAll,
    /// It includes a directory that cannot be read.
    NoDirectory(PathBuf, io::Error),
}

/// What a file and those that it includes set.
#[derive(Debug, Default)]
pub struct OptionFile {
    /// In order.
    pub settings: Vec<Setting>,
    /// The files that were read.
    pub files: Vec<PathBuf>,
    /// Included files of which nothing is used, because of such a line.
    pub broken: Vec<(PathBuf, BrokenLine)>,
    /// Included files of which nothing is used, because everybody may write them.
    pub writable: Vec<PathBuf>,
}

/// All settings of a file and of the files that it includes. Included files that cannot be read are passed over, as
/// MySQL's programs do.
pub fn read(path: &Path) -> Result<OptionFile, ReadError> {
    let mut all = OptionFile::default();
    read_into(&mut all, path, 0, &mut 0)?;
    Ok(all)
}

/// Files that include one another, or themselves more than once, would be read without end.
fn read_into(all: &mut OptionFile, path: &Path, depth: u32, files: &mut u32) -> Result<(), ReadError> {
    *files += 1;
    if *files > MOST_FILES {
        return Ok(());
    }
    if path.metadata().is_ok_and(|meta| meta.is_file() && meta.permissions().mode() & 0o002 != 0) {
        return Err(ReadError::WritableByAll);
    }
    // The first may be a pipe that the user names; those that files name are files.
    let text = if depth == 0 { intake::file(path, MOST_BYTES) } else { intake::regular_file(path, MOST_BYTES) };
    let text = text.map_err(ReadError::Unreadable)?;
    all.files.push(path.to_owned());
    for line in lines(&String::from_utf8_lossy(&text)).map_err(ReadError::Broken)? {
        let included = match line {
            OptionLine::Group(_) => continue,
            OptionLine::Set(setting) => {
                all.settings.push(setting);
                continue;
            }
            OptionLine::Include(path) => vec![path],
            OptionLine::IncludeAll(dir) => match std::fs::read_dir(&dir) {
                Err(error) => return Err(ReadError::NoDirectory(dir, error)),
                Ok(_) => files_of(&dir),
            },
        };
        for path in included.iter().filter(|_| depth < DEEPEST) {
            match read_into(all, path, depth + 1, files) {
                Err(ReadError::Broken(line)) => all.broken.push((path.clone(), line)),
                Err(ReadError::WritableByAll) => all.writable.push(path.clone()),
                Err(ReadError::Unreadable(_) | ReadError::NoDirectory(..)) | Ok(()) => {}
            }
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

/// The lines of a text; the error is the first one that MySQL's programs do not accept.
pub fn lines(text: &str) -> Result<Vec<OptionLine>, BrokenLine> {
    let (mut group, mut all) = (None, Vec::new());
    for (at, line) in (1..).zip(text.lines().map(str::trim)) {
        let broken = |fault| BrokenLine { line: at, fault };
        if line.is_empty() || line.starts_with(['#', ';']) {
            continue;
        }
        if let Some(rest) = line.strip_prefix('[') {
            let (name, _) = rest.split_once(']').ok_or_else(|| broken(Fault::GroupNotClosed))?;
            let name = name.trim().to_ascii_lowercase();
            group = Some(name.clone());
            all.push(OptionLine::Group(name));
        } else if let Some(directive) = line.strip_prefix('!').map(str::trim_start) {
            let (word, path) = directive.split_once(char::is_whitespace).unwrap_or((directive, ""));
            let path = path.trim();
            match word {
                "include" | "includedir" if path.is_empty() => {
                    let word = if word == "include" { "!include" } else { "!includedir" };
                    return Err(broken(Fault::IncludesNothing(word)));
                }
                "include" => all.push(OptionLine::Include(path.into())),
                "includedir" => all.push(OptionLine::IncludeAll(path.into())),
                // As by MySQL's programs.
                _ => {}
            }
        } else {
            let group = group.clone().ok_or_else(|| broken(Fault::NoGroup))?;
            let (name, value) = name_and_value(line);
            all.push(OptionLine::Set(Setting { group, name, value }));
        }
    }
    Ok(all)
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
        write("my.cnf", &format!("[a]\nx=1\n!include {here}/gone.cnf\n!includedir {here}/more\nx=4\n"));
        write("more/b.cnf", &format!("[b]\nx=3\n!include {here}/more/b.cnf\n"));
        write("more/a.cnf", "[a]\nx=2\n");
        write("more/c.txt", "[a]\nx=9\n");
        write("more/d.cnf", "[a\nx=8\n");
        let OptionFile { settings: all, broken, .. } = read(&dir.path().join("my.cnf")).unwrap();
        let mut lines: Vec<String> =
            all.iter().map(|s| format!("{} {} {}", s.group, s.name, s.value.as_deref().unwrap_or("-"))).collect();
        lines.dedup();
        assert_eq!(lines, ["a x 1", "a x 2", "b x 3", "a x 4"]);
        assert_eq!(all.len(), 3 + DEEPEST as usize, "a file that includes itself ends");
        let line = BrokenLine { line: 1, fault: Fault::GroupNotClosed };
        assert_eq!(broken, [(dir.path().join("more/d.cnf"), line)]);
        assert!(matches!(read(&dir.path().join("gone.cnf")), Err(ReadError::Unreadable(_))));
        assert!(matches!(read(&dir.path().join("more/d.cnf")), Err(ReadError::Broken(_))));
    }

    #[test]
    fn lines_that_mysqls_programs_refuse() {
        let of = |text: &str| lines(text).map_err(|broken| (broken.line, broken.fault)).map(|all| all.len());
        assert_eq!(of("[client\nuser=x\n"), Err((1, Fault::GroupNotClosed)));
        assert_eq!(of("[a]\nuser=x\n\n[b # ]\nuser=y"), Ok(4), "the comment closes it");
        assert_eq!(of("[a]\nuser=x\n\n[b"), Err((4, Fault::GroupNotClosed)));
        assert_eq!(of("\n# c\n; c\nuser=x\n[client]\n"), Err((4, Fault::NoGroup)));
        assert_eq!(of("!include /x\n[client] more\nuser=x"), Ok(3));
        assert_eq!(of(""), Ok(0));
        assert_eq!(of("[a]\n!include\n"), Err((2, Fault::IncludesNothing("!include"))));
        assert_eq!(of("!includedir \n"), Err((1, Fault::IncludesNothing("!includedir"))));
    }

    /// As MariaDB 10.11's programs read them.
    #[test]
    fn groups_have_no_case_and_directives_may_have_blanks() {
        let all =
            lines("[Client]\nUser=a\n!  include\t/x y \n! includedir /d\n! other\n!INCLUDE /z\n!include=/z\n").unwrap();
        assert_eq!(
            all,
            [
                OptionLine::Group("client".into()),
                OptionLine::Set(Setting { group: "client".into(), name: "User".into(), value: Some("a".into()) }),
                OptionLine::Include("/x y".into()),
                OptionLine::IncludeAll("/d".into()),
            ]
        );
    }

    #[test]
    fn a_file_that_everybody_may_write_is_not_used() {
        let dir = tempfile::tempdir().unwrap();
        let here = dir.path().display();
        let write = |name: &str, mode: u32, text: &str| {
            let path = dir.path().join(name);
            std::fs::write(&path, text).unwrap();
            std::fs::set_permissions(&path, PermissionsExt::from_mode(mode)).unwrap();
            read(&path)
        };
        assert!(matches!(write("open.cnf", 0o646, "[client]\nuser=x\n"), Err(ReadError::WritableByAll)));
        let read = write("my.cnf", 0o644, &format!("[client]\n!include {here}/open.cnf\nuser=y\n")).unwrap();
        assert_eq!((read.settings.len(), read.writable), (1, vec![dir.path().join("open.cnf")]));
        let gone = write("gone.cnf", 0o644, "[client]\nuser=x\n!includedir /no/such/directory\n");
        assert!(matches!(gone, Err(ReadError::NoDirectory(dir, _)) if dir == Path::new("/no/such/directory")));
    }
}
