//! The option files of MySQL's programs: which are read, and the contents of their groups as arguments.

use super::{Failure, NO_VALUE_CODE, environment};
use std::path::{Path, PathBuf};
use tenbin_driver::credentials::login_file::{self, LoginFileError};
use tenbin_driver::credentials::option_file::{self, BrokenLine, Fault, OptionLine, ReadError, Setting};
use tenbin_terminal::exit;

/// Which files are read: the options that must be first on the command line.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub struct Files {
    pub none: bool,
    pub only: Option<PathBuf>,
    pub extra: Option<PathBuf>,
    pub suffix: String,
    pub print: bool,
    /// A group of the login file.
    pub login: Option<String>,
    pub no_login: bool,
}

/// The groups that are read.
const GROUPS: [&str; 5] = ["mysqlslap", "mariadb-slap", "client", "client-server", "client-mariadb"];

/// The variable of the environment for `--defaults-group-suffix`.
pub const SUFFIX: &str = "MYSQL_GROUP_SUFFIX";

/// The variables of the environment with a folder of a `my.cnf`; the first that is set counts. MySQL has only the second.
pub const FOLDER: [&str; 2] = ["MARIADB_HOME", "MYSQL_HOME"];

/// Separates the options about files, which are first, from the rest.
pub fn first(arguments: &[String]) -> Result<(Files, &[String]), Failure> {
    let mut files = Files::default();
    let mut rest = arguments;
    while let [word, after @ ..] = rest {
        let at = rest;
        let (name, mut value) = match word.split_once('=') {
            Some((name, value)) => (name, Some(value.to_owned())),
            None => (word.as_str(), None),
        };
        let name = name.replace('_', "-");
        rest = after;
        if matches!(
            name.as_str(),
            "--defaults-file" | "--defaults-extra-file" | "--defaults-group-suffix" | "--login-path"
        ) && value.is_none()
        {
            let [next, after @ ..] = after else {
                return Err(Failure { code: NO_VALUE_CODE, ..format!("option '{name}' wants a value").into() });
            };
            (value, rest) = (Some(next.clone()), after);
        }
        let value = value.unwrap_or_default();
        match name.as_str() {
            "--no-defaults" => files.none = true,
            "--print-defaults" => files.print = true,
            // Beside --no-defaults they are none of the options that stand first.
            "--defaults-file" | "--defaults-extra-file" if files.none => return Ok((files, at)),
            "--defaults-file" => files.only = Some(value.into()),
            "--defaults-extra-file" => files.extra = Some(value.into()),
            "--defaults-group-suffix" => files.suffix = value,
            "--login-path" => files.login = Some(value),
            "--no-login-paths" => files.no_login = true,
            _ => return Ok((files, at)),
        }
    }
    Ok((files, rest))
}

/// The contents of the files in their order, as arguments. `folder` is that of [`FOLDER`].
pub fn read(files: &Files, folder: Option<&Path>, home: Option<&Path>) -> Result<Vec<String>, Failure> {
    let mut arguments = Vec::new();
    if files.none {
        return Ok(arguments);
    }
    if let Some(only) = &files.only {
        file(only, &files.suffix, true, &mut arguments)?;
        return Ok(arguments);
    }
    for path in ["/etc/my.cnf", "/etc/mysql/my.cnf"] {
        file(Path::new(path), &files.suffix, false, &mut arguments)?;
    }
    if let Some(folder) = folder {
        file(&folder.join("my.cnf"), &files.suffix, false, &mut arguments)?;
    }
    if let Some(extra) = &files.extra {
        file(extra, &files.suffix, true, &mut arguments)?;
    }
    if let Some(home) = home {
        file(&home.join(".my.cnf"), &files.suffix, false, &mut arguments)?;
    }
    Ok(arguments)
}

/// The contents of the login file in our groups and in the one named by `--login-path`. MySQL's programs read it after
/// all others, even with `--no-defaults`.
pub fn read_login(files: &Files, home: Option<&Path>) -> Result<Vec<String>, Failure> {
    let Some(path) = login_file::place(home).filter(|_| !files.no_login || files.login.is_some()) else {
        return Ok(Vec::new());
    };
    let at = path.display();
    let text = login_file::text(&path).map_err(|error| match error {
        LoginFileError::Unreadable(e) => format!("the login file {at} cannot be read: {e}"),
        LoginFileError::OpenToOthers => {
            format!("the login file {at} may be read by others and is not used: chmod 600 {at}")
        }
        LoginFileError::Foreign => format!("{at} is no login file of mysql_config_editor's"),
    })?;
    let own = files.login.as_deref().filter(|name| !name.is_empty());
    let (mut there, mut arguments) = (Vec::new(), Vec::new());
    for line in option_file::lines(text.as_deref().unwrap_or("")).map_err(|line| refused(&path, line))? {
        match line {
            OptionLine::Group(group) => there.push(group),
            OptionLine::Set(setting) => arguments.extend(argument(&setting, &files.suffix, own)),
            OptionLine::Include(_) | OptionLine::IncludeAll(_) => {}
        }
    }
    match own {
        Some(own) if !there.iter().any(|group| group.eq_ignore_ascii_case(own)) => {
            let all = if there.is_empty() { "none".to_owned() } else { there.join(", ") };
            Err(format!(
                "there is no login path {own:?} in {} (there are: {all}): mysql_config_editor set --login-path={own} --host=… --user=… --password",
                path.display()
            )
            .into())
        }
        _ => Ok(arguments),
    }
}

fn file(path: &Path, suffix: &str, must: bool, arguments: &mut Vec<String>) -> Result<(), Failure> {
    match option_file::read(path) {
        Ok(all) => {
            // Nothing of them is used, and the rest is.
            all.broken.iter().for_each(|(path, line)| exit::print_error(&told(path, *line)));
            all.writable.iter().for_each(|path| ignored(path));
            arguments.extend(all.settings.iter().filter_map(|setting| argument(setting, suffix, None)));
        }
        Err(ReadError::Broken(line)) => return Err(refused(path, line)),
        Err(ReadError::WritableByAll) => ignored(path),
        Err(ReadError::NoDirectory(directory, error)) => {
            let (number, why) = (error.raw_os_error().unwrap_or_default(), error.to_string());
            let why = environment::plain(&why);
            let place = directory.display();
            return Err(aborted(&format!("mysqlslap: Can't read dir of '{place}' (Errcode: {number} \"{why}\")")));
        }
        Err(ReadError::Unreadable(_)) if must => {
            return Err(aborted(&format!("Could not open required defaults file: {}", whole(path).display())));
        }
        Err(ReadError::Unreadable(_)) => {}
    }
    Ok(())
}

/// What MySQL's programs print of a file that everybody may write, of which they use nothing.
fn ignored(path: &Path) {
    exit::print_error(&format!("Warning: World-writable config file '{}' is ignored", whole(path).display()));
}

fn whole(path: &Path) -> PathBuf {
    std::path::absolute(path).unwrap_or_else(|_| path.to_owned())
}

/// What MySQL's programs print of such a file before they exit.
fn refused(path: &Path, line: BrokenLine) -> Failure {
    aborted(&told(path, line))
}

fn aborted(why: &str) -> Failure {
    Failure { is_whole: true, ..format!("{why}\nFatal error in defaults handling. Program aborted").into() }
}

fn told(path: &Path, BrokenLine { line, fault }: BrokenLine) -> String {
    let path = whole(path);
    let path = path.display();
    match fault {
        Fault::GroupNotClosed => format!("error: Wrong group definition in config file: {path} at line {line}"),
        Fault::NoGroup => format!("error: Found option without preceding group in config file: {path} at line: {line}"),
        Fault::IncludesNothing(word) => {
            format!("error: Wrong '{word}' directive in config file: {path} at line {line}")
        }
    }
}

/// A setting as an argument, `--name=value`; `None` if its group is neither in [`GROUPS`] nor `own`. Groups have no case.
fn argument(setting: &Setting, suffix: &str, own: Option<&str>) -> Option<String> {
    let group = setting.group.as_str();
    let is_wanted = |name: &str| {
        group.eq_ignore_ascii_case(name) || !suffix.is_empty() && group.eq_ignore_ascii_case(&format!("{name}{suffix}"))
    };
    GROUPS.into_iter().chain(own).any(is_wanted).then(|| match &setting.value {
        Some(value) => format!("--{}={value}", setting.name),
        None => format!("--{}", setting.name),
    })
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
        let all = words("--no-defaults --print-defaults --defaults-file=/x -a");
        let (files, rest) = first(&all).unwrap();
        assert_eq!((files.none, files.print, files.only, rest.len()), (true, true, None, 2));
    }

    #[test]
    fn a_login_path_is_a_group_of_the_packed_file() {
        let dir = std::env::temp_dir().join(format!("tenbin-login-{}", std::process::id()));
        std::fs::create_dir_all(&dir).unwrap();
        let path = dir.join(".mylogin.cnf");
        let lines =
            ["[client]", "user = \"everyone\"", "[db1]", "user = \"app\"", "password = \"p#w\"", "[other]", "host=x"];
        std::fs::write(&path, login_file::packed(&lines)).unwrap();
        let chmod = |mode| std::fs::set_permissions(&path, std::os::unix::fs::PermissionsExt::from_mode(mode)).unwrap();
        chmod(0o600);
        let read = |login: Option<&str>, no_login| {
            let files = Files { login: login.map(str::to_owned), none: true, no_login, ..Files::default() };
            read_login(&files, Some(&dir))
        };
        assert_eq!(read(Some("db1"), false).unwrap(), ["--user=everyone", "--user=app", "--password=p#w"]);
        assert_eq!(read(None, false).unwrap(), ["--user=everyone"]);
        assert_eq!(read(None, true).unwrap().len(), 0);
        assert!(read(Some("db2"), false).unwrap_err().text.contains("(there are: client, db1, other)"));
        chmod(0o640);
        assert!(read(Some("db1"), false).unwrap_err().text.contains("chmod 600"));
        std::fs::remove_file(&path).unwrap();
        assert!(read(Some("db1"), false).unwrap_err().text.contains("there are: none"));
        assert_eq!(read(None, false).unwrap().len(), 0);
        std::fs::remove_dir_all(dir).unwrap();
    }

    #[test]
    fn groups_have_no_case_and_open_files_are_ignored() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("my.cnf");
        std::fs::write(&path, "[CLIENT]\nuser=a\n[MysqlSlap_A]\niterations=3\n").unwrap();
        let files = Files { only: Some(path.clone()), suffix: "_a".into(), ..Files::default() };
        assert_eq!(read(&files, None, None).unwrap(), ["--user=a", "--iterations=3"]);
        std::fs::set_permissions(&path, std::os::unix::fs::PermissionsExt::from_mode(0o666)).unwrap();
        assert!(read(&files, None, None).unwrap().is_empty());
        std::fs::set_permissions(&path, std::os::unix::fs::PermissionsExt::from_mode(0o644)).unwrap();
        std::fs::write(&path, "[client]\nuser=a\n!includedir /no/such\n").unwrap();
        assert_eq!(
            read(&files, None, None).unwrap_err().text,
            "mysqlslap: Can't read dir of '/no/such' (Errcode: 2 \"No such file or directory\")\n\
             Fatal error in defaults handling. Program aborted"
        );
    }

    #[test]
    fn a_broken_file_is_refused_in_the_words_that_scripts_know() {
        let dir = tempfile::tempdir().unwrap();
        let of = |text: &str| {
            std::fs::write(dir.path().join("my.cnf"), text).unwrap();
            let read = read(&Files { only: Some(dir.path().join("my.cnf")), ..Files::default() }, None, None);
            let failure = read.unwrap_err();
            assert!(failure.is_whole && failure.code == 1);
            failure.text.replace(&dir.path().display().to_string(), "")
        };
        insta::assert_snapshot!(of("[client\nuser=x\n"), @r"
        error: Wrong group definition in config file: /my.cnf at line 1
        Fatal error in defaults handling. Program aborted
        ");
        insta::assert_snapshot!(of("\nuser=x\n[client]\n"), @r"
        error: Found option without preceding group in config file: /my.cnf at line: 2
        Fatal error in defaults handling. Program aborted
        ");
        std::fs::write(dir.path().join("part.cnf"), "user=x\n").unwrap();
        let whole = format!("[client]\nhost=h\n!include {}\n", dir.path().join("part.cnf").display());
        std::fs::write(dir.path().join("my.cnf"), whole).unwrap();
        let arguments =
            read(&Files { extra: Some(dir.path().join("my.cnf")), ..Files::default() }, None, None).unwrap();
        assert!(arguments.contains(&"--host=h".to_owned()), "the rest of a file counts");
    }

    /// As `mariadb-slap --help` lists them.
    #[test]
    fn the_folder_of_the_environment_is_before_the_extra_file_and_the_home() {
        let dir = tempfile::tempdir().unwrap();
        let write = |name: &str, text: &str| {
            let path = dir.path().join(name);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(&path, format!("[client]\n{text}\n")).unwrap();
            path
        };
        write("variable/my.cnf", "host=variable");
        write("home/.my.cnf", "host=home");
        let files = Files { extra: Some(write("extra.cnf", "host=extra")), ..Files::default() };
        let [folder, home] = ["variable", "home"].map(|name| dir.path().join(name));
        let arguments = read(&files, Some(&folder), Some(&home)).unwrap();
        let ours: Vec<&str> = arguments.iter().map(String::as_str).filter(|word| word.starts_with("--host")).collect();
        assert!(ours.ends_with(&["--host=variable", "--host=extra", "--host=home"]), "{ours:?}");
    }

    #[test]
    fn groups_and_forms_of_a_file() {
        let dir = std::env::temp_dir().join(format!("tenbin-cnf-{}", std::process::id()));
        std::fs::create_dir_all(dir.join("more")).unwrap();
        let text = format!(
            "[mysqld]\nport=1\n[client]\n# a comment\nuser = app\npassword=\"se#cret\" # x\ndefault-character-set=utf8\n\
             [mysqlslap]\nno-drop\niterations=3 # three\n[mysqlslap_a]\ncommit=9\n!includedir {}\n",
            dir.join("more").display()
        );
        std::fs::write(dir.join("my.cnf"), text).unwrap();
        std::fs::write(dir.join("more/b.cnf"), "[mariadb-slap]\ndelimiter=\\n\n").unwrap();
        std::fs::write(dir.join("more/c.txt"), "[mysqlslap]\nsilent\n").unwrap();
        let files = Files { only: Some(dir.join("my.cnf")), ..Files::default() };
        let arguments = read(&files, None, None).unwrap();
        assert_eq!(
            arguments,
            [
                "--user=app",
                "--password=se#cret",
                "--default-character-set=utf8",
                "--no-drop",
                "--iterations=3",
                "--delimiter=\n",
            ]
        );
        let with = read(&Files { suffix: "_a".into(), ..files.clone() }, None, None).unwrap();
        assert!(with.contains(&"--commit=9".to_owned()));
        let missing = read(&Files { only: Some("no/where.cnf".into()), ..Files::default() }, None, None).unwrap_err();
        let here = std::env::current_dir().unwrap();
        assert!(missing.is_whole && missing.code == 1);
        assert_eq!(
            missing.text,
            format!(
                "Could not open required defaults file: {}/no/where.cnf\n\
                 Fatal error in defaults handling. Program aborted",
                here.display()
            )
        );
        let home = Files { extra: Some(dir.join("my.cnf")), ..Files::default() };
        assert!(read(&home, None, None).unwrap().contains(&"--user=app".to_owned()));
        std::fs::remove_dir_all(dir).unwrap();
    }
}
