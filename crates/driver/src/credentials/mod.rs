//! Addresses and passwords where the programs of MySQL and PostgreSQL keep them: what an address leaves open is taken from
//! the option file, login path, service or password file that it names, and for PostgreSQL also from `~/.pgpass`, as libpq
//! does. What the address says itself has precedence.

pub mod known;
pub mod login_file;
pub mod option_file;
mod postgres;

use login_file::LoginFileError;
use option_file::{OptionLine, ReadError, Setting};
use std::io;
use std::path::{Path, PathBuf};
use tenbin_model::dsn::{Dsn, LOGIN_PATH, OPTION_FILE, Scheme};
use tenbin_words::message::foreign;
use tenbin_words::msg;
use tenbin_words::problem::Problem;
use tenbin_words::shell;

/// The groups of an option file that all clients read, MySQL's and MariaDB's.
const GROUPS: [&str; 3] = ["client", "client-server", "client-mariadb"];

/// Completes an address. The files are read now, and nothing of them is kept but what the address lacks.
pub fn complete(dsn: Dsn) -> Result<Dsn, Problem> {
    let home = std::env::home_dir();
    match dsn.scheme {
        Scheme::Mysql => complete_mysql(dsn, home.as_deref()),
        Scheme::Postgres => postgres::complete(dsn, home.as_deref()),
        Scheme::Sqlite | Scheme::Null | Scheme::Host => Ok(dsn),
    }
}

/// The key words of a service of libpq, from the file in which libpq looks for it. Fails if there is none of the name, or a line of it is wrong.
pub fn libpq_service(name: &str) -> Result<Vec<(String, String)>, Problem> {
    postgres::service(name, std::env::home_dir().as_deref())
}

/// The login path has precedence over the option file, as in MySQL's programs, which read it last.
fn complete_mysql(mut dsn: Dsn, home: Option<&Path>) -> Result<Dsn, Problem> {
    if let Some(name) = dsn.options.get(LOGIN_PATH).cloned() {
        dsn = dsn.completed(of_login_path(&name, home)?)?;
    }
    if let Some(path) = dsn.options.get(OPTION_FILE) {
        let path = in_home(path, home);
        dsn = dsn.completed(of_option_file(&path)?)?;
    }
    Ok(dsn)
}

/// The settings of these groups as the options of an address; of several settings of one name the last one counts.
fn pairs(settings: impl Iterator<Item = Setting>) -> Vec<(String, String)> {
    let mut all: Vec<(String, String)> = Vec::new();
    for setting in settings {
        // A name without a value switches something on.
        let (name, value) = (setting.name.replace('-', "_"), setting.value.unwrap_or_else(|| "1".to_owned()));
        all.retain(|(before, _)| *before != name);
        // Empty values stand for the default.
        all.extend((!value.is_empty()).then_some((name, value)));
    }
    all
}

fn of_option_file(path: &Path) -> Result<Vec<(String, String)>, Problem> {
    let at = path.display();
    let unreadable = |e: io::Error| {
        let problem = Problem::new(msg!("option-file-unreadable", file = at)).evidence(foreign(e));
        problem.hint(msg!("look-at-file", name = at))
    };
    // MySQL's programs pass over such a file.
    let writable = |path: &Path| {
        let problem = Problem::new(msg!("option-file-writable-by-all", file = path.display()));
        problem.hint(msg!("close-to-writers", file = shell::word(&path.to_string_lossy())))
    };
    let read = option_file::read(path).map_err(|error| match error {
        ReadError::Unreadable(e) => unreadable(e),
        ReadError::Broken(line) => line.problem(path),
        ReadError::WritableByAll => writable(path),
        ReadError::NoDirectory(directory, e) => {
            unreadable(io::Error::new(e.kind(), format!("{}: {e}", directory.display())))
        }
    })?;
    if let Some(included) = read.writable.first() {
        return Err(writable(included));
    }
    if let Some((included, line)) = read.broken.first() {
        return Err(line.problem(included));
    }
    let pairs = pairs(read.settings.into_iter().filter(|setting| GROUPS.contains(&setting.group.as_str())));
    if pairs.is_empty() {
        let problem = Problem::new(msg!("option-file-without-client", file = at));
        return Err(problem.hint(msg!("write-client-group")));
    }
    Ok(pairs)
}

fn of_login_path(name: &str, home: Option<&Path>) -> Result<Vec<(String, String)>, Problem> {
    let set = || msg!("set-login-path", name = shell::word(name));
    let Some(path) = login_file::place(home) else {
        return Err(Problem::new(msg!("login-path-missing", name)).hint(set()));
    };
    let at = path.display();
    let text = login_file::text(&path).map_err(|error| match error {
        LoginFileError::Unreadable(e) => Problem::new(msg!("login-file-unreadable", file = at)).evidence(foreign(e)),
        LoginFileError::OpenToOthers => {
            let problem = Problem::new(msg!("secrets-open-to-others", file = at));
            problem.hint(msg!("close-to-others", file = shell::word(&path.to_string_lossy())))
        }
        LoginFileError::Foreign => Problem::new(msg!("login-file-foreign", file = at)).hint(set()),
    })?;
    let (mut groups, mut shared, mut own) = (Vec::new(), Vec::new(), Vec::new());
    for line in option_file::lines(text.as_deref().unwrap_or("")).map_err(|line| line.problem(&path))? {
        match line {
            OptionLine::Group(group) => groups.push(group),
            OptionLine::Set(setting) if setting.group.eq_ignore_ascii_case(name) => own.push(setting),
            OptionLine::Set(setting) if setting.group == "client" => shared.push(setting),
            OptionLine::Set(_) | OptionLine::Include(_) | OptionLine::IncludeAll(_) => {}
        }
    }
    if !groups.iter().any(|group| group.eq_ignore_ascii_case(name)) {
        let problem = Problem::new(msg!("login-path-missing", name)).hint(set());
        return Err(problem.evidence(match groups.is_empty() {
            true => msg!("login-file-is-empty", file = at),
            false => msg!("login-file-has", file = at, names = groups.join(", ")),
        }));
    }
    Ok(pairs(shared.into_iter().chain(own)))
}

/// A path of the user, in which `~/` is the home directory.
fn in_home(path: &str, home: Option<&Path>) -> PathBuf {
    match (path.strip_prefix("~/"), home) {
        (Some(rest), Some(home)) => home.join(rest),
        _ => PathBuf::from(path),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_an_address_leaves_open_comes_from_the_files_that_it_names() {
        let home = tempfile::tempdir().unwrap();
        let write = |name: &str, bytes: &[u8], mode: u32| {
            let path = home.path().join(name);
            std::fs::write(&path, bytes).unwrap();
            std::fs::set_permissions(&path, std::os::unix::fs::PermissionsExt::from_mode(mode)).unwrap();
        };
        write(
            ".my.cnf",
            b"[mysqld]\nport=1\n[client]\nuser=app\npassword=\"se#cret\"\nhost=db\nport=3307\nssl-mode=REQUIRED\n\
              default-character-set=utf8\nsocket=/run/s\n[client-mariadb]\nuser=maria\n",
            0o600,
        );
        let lines =
            ["[client]", "user = \"all\"", "[prod]", "host = \"far\"", "password = \"p#w\"", "[other]", "user=x"];
        write(".mylogin.cnf", &login_file::packed(&lines), 0o600);
        let of = |address: &str| {
            complete_mysql(Dsn::parse(address).unwrap(), Some(home.path())).map_or_else(
                |problem| problem.to_string().replace(&home.path().display().to_string(), "~"),
                |dsn| format!("{dsn} {}", dsn.password.as_deref().unwrap_or("-")),
            )
        };
        for (address, completed) in [
            ("mysql://h/d", "mysql://h/d -"),
            (
                "mysql:///d?option_file=~/.my.cnf",
                "mysql://maria@db:3307/d?option_file=~/.my.cnf&socket=/run/s&tls=required se#cret",
            ),
            (
                "mysql://me:own@h:1/d?option_file=~/.my.cnf&tls=disabled",
                "mysql://me@h:1/d?option_file=~/.my.cnf&tls=disabled own",
            ),
            ("mysql:///d?login_path=prod", "mysql://all@far/d?login_path=prod p#w"),
            (
                "mysql:///d?login_path=prod&option_file=~/.my.cnf",
                "mysql://all@far:3307/d?login_path=prod&option_file=~/.my.cnf&tls=required p#w",
            ),
        ] {
            assert_eq!(of(address), completed, "{address}");
        }
        insta::assert_snapshot!(of("mysql:///d?login_path=pord"), @r#"
        there is no login path "pord"
          evidence  login paths in ~/.mylogin.cnf: client, prod, other
          hint      mysql_config_editor set --login-path=pord --host=HOST --user=USER --password
        "#);
        insta::assert_snapshot!(of("mysql:///d?option_file=~/gone.cnf"), @"
        the option file ~/gone.cnf cannot be read
          evidence  No such file or directory (os error 2)
          hint      look at the file: ls -l ~/gone.cnf
        ");
        write("empty.cnf", b"[mysqld]\nuser=x\n", 0o600);
        insta::assert_snapshot!(of("mysql:///d?option_file=~/empty.cnf"), @"
        the option file ~/empty.cnf sets nothing for clients
          hint      write user, password and host below a line [client]
        ");
        write("broken.cnf", b"[client\nuser=x\n", 0o600);
        insta::assert_snapshot!(of("mysql:///d?option_file=~/broken.cnf"), @"
        line 1 of the option file ~/broken.cnf begins a group without ] at its end
          hint      write the group as [NAME]
        ");
        write("outside.cnf", format!("[client]\nuser=x\n!include {}/own.cnf", home.path().display()).as_bytes(), 0o600);
        write("own.cnf", b"# mine\npassword=geheim\n[client]\n", 0o600);
        insta::assert_snapshot!(of("mysql:///d?option_file=~/outside.cnf"), @"
        line 2 of the option file ~/own.cnf is an option before any group
          hint      write the line of its group above it, such as [client] or [mysqld]
        ");
        write("open.cnf", b"[client]\nuser=x\n", 0o606);
        insta::assert_snapshot!(of("mysql:///d?option_file=~/open.cnf"), @"
        the option file ~/open.cnf may be written by everybody and is not used
          hint      chmod o-w ~/open.cnf
        ");
        write(".mylogin.cnf", &login_file::packed(&lines), 0o640);
        insta::assert_snapshot!(of("mysql:///d?login_path=prod"), @"
        ~/.mylogin.cnf may be read by others and is not used
          hint      chmod 600 ~/.mylogin.cnf
        ");
        write(".mylogin.cnf", &login_file::packed(&["user = \"x\"", "[prod]"]), 0o600);
        insta::assert_snapshot!(of("mysql:///d?login_path=prod"), @"
        line 1 of the option file ~/.mylogin.cnf is an option before any group
          hint      write the line of its group above it, such as [client] or [mysqld]
        ");
        write(".mylogin.cnf", b"[client]\nuser=x\npassword=secret\n", 0o600);
        insta::assert_snapshot!(of("mysql:///d?login_path=prod"), @"
        ~/.mylogin.cnf was not written by mysql_config_editor
          hint      mysql_config_editor set --login-path=prod --host=HOST --user=USER --password
        ");
    }
}
