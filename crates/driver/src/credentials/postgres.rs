//! libpq's service file and password file.
//!
//! Sources: PostgreSQL manual, "The Password File" and "The Connection Service File".

use super::in_home;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use tenbin_model::dsn::{Dsn, PASSFILE, SERVICE};
use tenbin_words::message::foreign;
use tenbin_words::msg;
use tenbin_words::problem::Problem;
use tenbin_words::shell;

/// Completes an address by its service, and its password by the password file.
pub(super) fn complete(mut dsn: Dsn, home: Option<&Path>) -> Result<Dsn, Problem> {
    if let Some(name) = dsn.options.get(SERVICE).cloned() {
        dsn = dsn.completed(service(&name, home)?)?;
    }
    if dsn.password.is_none() && !dsn.options.contains_key(tenbin_model::dsn::PASSWORD_FILE) {
        let named = dsn.options.get(PASSFILE).map(|path| in_home(path, home));
        let usual = || {
            let path = std::env::var_os("PGPASSFILE").filter(|path| !path.is_empty()).map(PathBuf::from);
            path.or_else(|| Some(home?.join(".pgpass"))).filter(|path| path.is_file())
        };
        if let Some(path) = named.or_else(usual) {
            dsn.password = of_password_file(&path, &dsn)?;
        }
    }
    Ok(dsn)
}

/// The key words of a service.
pub(super) fn service(name: &str, home: Option<&Path>) -> Result<Vec<(String, String)>, Problem> {
    of_service(name, &service_files(home))
}

/// Where a service is looked for, in this order.
fn service_files(home: Option<&Path>) -> Vec<PathBuf> {
    let set = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    let own = set("PGSERVICEFILE").or_else(|| home.map(|home| home.join(".pg_service.conf")));
    let shared = set("PGSYSCONFDIR").unwrap_or_else(|| PathBuf::from("/etc/postgresql-common"));
    own.into_iter().chain([shared.join("pg_service.conf")]).collect()
}

/// What a service may set: the keywords of connections of PostgreSQL 18 and those before it (manual, "Parameter Key Words").
const KEYWORDS: &[&str] = &[
    "application_name",
    "channel_binding",
    "client_encoding",
    "connect_timeout",
    "dbname",
    "fallback_application_name",
    "gssdelegation",
    "gssencmode",
    "gsslib",
    "host",
    "hostaddr",
    "keepalives",
    "keepalives_count",
    "keepalives_idle",
    "keepalives_interval",
    "krbsrvname",
    "load_balance_hosts",
    "max_protocol_version",
    "min_protocol_version",
    "oauth_client_id",
    "oauth_client_secret",
    "oauth_issuer",
    "oauth_scope",
    "options",
    "passfile",
    "password",
    "port",
    "replication",
    "require_auth",
    "requirepeer",
    "requiressl",
    "scram_client_key",
    "scram_server_key",
    "ssl_max_protocol_version",
    "ssl_min_protocol_version",
    "sslcert",
    "sslcertmode",
    "sslcompression",
    "sslcrl",
    "sslcrldir",
    "sslkey",
    "sslkeylogfile",
    "sslmode",
    "sslnegotiation",
    "sslpassword",
    "sslrootcert",
    "sslsni",
    "target_session_attrs",
    "tcp_user_timeout",
    "user",
];

fn of_service(name: &str, files: &[PathBuf]) -> Result<Vec<(String, String)>, Problem> {
    let mut there = Vec::new();
    for path in files {
        let text = match tenbin_intake::regular_file(path, tenbin_intake::SMALL) {
            Ok(bytes) => String::from_utf8_lossy(&bytes).into_owned(),
            Err(e) if e.kind() == std::io::ErrorKind::NotFound => continue,
            Err(e) => {
                let problem = Problem::new(msg!("service-file-unreadable", file = path.display()));
                return Err(problem.evidence(foreign(e)));
            }
        };
        let mut group = None;
        let mut settings: Option<Vec<(String, String)>> = None;
        let lines = text.lines().map(str::trim).zip(1_u32..);
        for (line, number) in lines.filter(|(line, _)| !line.is_empty() && !line.starts_with('#')) {
            if let Some(of) = line.strip_prefix('[').and_then(|line| line.strip_suffix(']')) {
                // The first group of the name counts.
                group = Some(of.to_owned()).filter(|_| settings.is_none() || of != name);
                settings = settings.or_else(|| (of == name).then(Vec::new));
                if !there.iter().any(|name| name == of) {
                    there.push(of.to_owned());
                }
            } else if let Some(settings) = settings.as_mut().filter(|_| group.as_deref() == Some(name)) {
                // A misspelled `host` would lead to another server.
                let setting = line.split_once('=').map(|(key, value)| (key.trim(), value.trim()));
                let Some((key, value)) = setting.filter(|(key, _)| KEYWORDS.contains(key)) else {
                    let problem = Problem::new(msg!("service-line-wrong", file = path.display(), line = number));
                    let key = setting.map_or(line, |(key, _)| key);
                    return Err(problem.evidence(foreign(key)).hint(msg!("correct-line")));
                };
                // Of one key the first value counts, as for libpq.
                if settings.iter().all(|(before, _)| before != key) {
                    settings.push((key.to_owned(), value.to_owned()));
                }
            }
        }
        if let Some(settings) = settings {
            return Ok(settings);
        }
    }
    let all: Vec<String> = files.iter().map(|file| file.display().to_string()).collect();
    let problem = Problem::new(msg!("service-missing", name)).hint(msg!("write-service", name, file = all[0]));
    Err(problem.evidence(match there.is_empty() {
        true => msg!("no-service-in", files = all.join(", ")),
        false => msg!("services-are", names = there.join(", ")),
    }))
}

/// The password of the first line that matches the address; `None` if there is none.
fn of_password_file(path: &Path, dsn: &Dsn) -> Result<Option<String>, Problem> {
    let at = path.display();
    let unreadable = |e| Problem::new(msg!("passfile-unreadable", file = at)).evidence(foreign(e));
    let mode = path.metadata().map_err(unreadable)?.permissions().mode();
    let text = tenbin_intake::file(path, tenbin_intake::SMALL).map_err(unreadable)?;
    let text = String::from_utf8_lossy(&text);
    let password = text.lines().filter(|line| !line.starts_with('#')).find_map(|line| matching(line, dsn));
    // The first line that matches counts, also one without a password.
    let password = password.filter(|password| !password.is_empty());
    if password.is_some() && mode & 0o077 != 0 {
        // libpq passes over such a file, and the login would fail for no visible reason.
        let problem = Problem::new(msg!("secrets-open-to-others", file = at));
        return Err(problem.hint(msg!("close-to-others", file = shell::word(&path.to_string_lossy()))));
    }
    Ok(password)
}

/// `host:port:database:user:password`: the password, if the others are those of the address or `*`. A backslash takes the
/// meaning from the next character.
fn matching(line: &str, dsn: &Dsn) -> Option<String> {
    let mut fields = vec![String::new()];
    let mut characters = line.chars();
    while let Some(c) = characters.next() {
        match c {
            ':' => fields.push(String::new()),
            '\\' => fields.last_mut()?.extend(characters.next()),
            c => fields.last_mut()?.push(c),
        }
    }
    // As libpq, whatever follows the password.
    fields.truncate(5);
    let [host, port, database, user, password] = <[String; 5]>::try_from(fields).ok()?;
    let own = |text: &str, default: &str| if text.is_empty() { default.to_owned() } else { text.to_owned() };
    // A Unix socket in the usual directory is called localhost; that of another directory by its path.
    let at = match dsn.options.get("socket") {
        Some(path) if !["/var/run/postgresql", "/run/postgresql", "/tmp"].contains(&path.as_str()) => path.clone(),
        _ => own(&dsn.host, "localhost"),
    };
    let is = |field: &str, value: &str| field == "*" || field == value;
    let fits = is(&host, &at)
        && is(&port, &dsn.port.unwrap_or(5432).to_string())
        && is(&database, &own(&dsn.database, &dsn.user))
        && is(&user, &dsn.user);
    fits.then_some(password)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_line_that_matches_has_the_password() {
        let dsn = |text: &str| Dsn::parse(text).unwrap();
        for (line, address, password) in [
            ("db:5432:bench:app:se\\:cr\\\\et", "postgres://app@db/bench", Some("se:cr\\et")),
            ("db:5432:bench:app:secret:more", "postgres://app@db/bench", Some("secret")),
            ("db:5432:bench:app:secret", "postgres://app@db:5433/bench", None),
            ("*:*:*:app:secret", "postgres://app@db:5433/bench", Some("secret")),
            ("*:*:*:app:secret", "postgres://other@db/bench", None),
            ("\\:\\:1:*:*:*:x", "postgres://a@[::1]/d", Some("x")),
            ("localhost:*:*:*:x", "postgres:///d?socket=/run/postgresql", Some("x")),
            ("/srv/pg:*:*:*:x", "postgres:///d?socket=/srv/pg", Some("x")),
            ("*:*:a:a:x", "postgres://a@h/", Some("x")),
            ("*:*:*:*", "postgres://a@h/d", None),
            ("*:*:*:*:", "postgres://a@h/d", Some("")),
            ("", "postgres://a@h/d", None),
        ] {
            assert_eq!(matching(line, &dsn(address)).as_deref(), password, "{line} {address}");
        }
    }

    #[test]
    fn a_service_completes_an_address() {
        let home = tempfile::tempdir().unwrap();
        let write = |name: &str, text: &str, mode: u32| {
            let path = home.path().join(name);
            std::fs::write(&path, text).unwrap();
            std::fs::set_permissions(&path, PermissionsExt::from_mode(mode)).unwrap();
        };
        let of = |address: &str| {
            complete(Dsn::parse(address).unwrap(), Some(home.path())).map_or_else(
                |problem| problem.to_string().replace(&home.path().display().to_string(), "~"),
                |dsn| format!("{dsn} {}", dsn.password.as_deref().unwrap_or("-")),
            )
        };
        assert_eq!(of("postgres://a@h/d"), "postgres://a@h/d -");
        insta::assert_snapshot!(of("postgres:///?service=prod"), @r#"
        there is no service "prod"
          evidence  no service in ~/.pg_service.conf, /etc/postgresql-common/pg_service.conf
          hint      write [prod] with host, port, dbname and user into ~/.pg_service.conf
        "#);
        let text = "# services\n[test]\nhost=x\n[prod]\nhost=db\nport = 5433\ndbname=bench\nuser=app\n\
                    sslmode=require\ngssencmode=disable\nuser=third\n[prod]\nuser=second\n";
        write(".pg_service.conf", text, 0o644);
        assert_eq!(of("postgres:///?service=prod"), "postgres://app@db:5433/bench?service=prod&tls=required -");
        insta::assert_snapshot!(of("postgres:///?service=prd"), @r#"
        there is no service "prd"
          evidence  services: test, prod
          hint      write [prd] with host, port, dbname and user into ~/.pg_service.conf
        "#);
        write(".pg_service.conf", "[other]\nhots=x\n[prod]\nport=1\nhots=db\npassword=hidden\n", 0o644);
        insta::assert_snapshot!(of("postgres:///?service=prod"), @"
        ~/.pg_service.conf, line 5: a service cannot set this
          evidence  hots
          hint      correct the line
        ");
        write(".pg_service.conf", text, 0o644);
        write(".pgpass", "db:*:bench:app:hidden\n", 0o600);
        assert_eq!(of("postgres:///?service=prod"), "postgres://app@db:5433/bench?service=prod&tls=required hidden");
        assert_eq!(of("postgres://app:own@db/bench"), "postgres://app@db/bench own");
        assert_eq!(of("postgres://other@db/bench"), "postgres://other@db/bench -");
        write(".pgpass", "db:*:bench:app:hidden\n", 0o644);
        insta::assert_snapshot!(of("postgres://app@db/bench"), @"
        ~/.pgpass may be read by others and is not used
          hint      chmod 600 ~/.pgpass
        ");
        assert_eq!(of("postgres://other@db/bench"), "postgres://other@db/bench -");
        insta::assert_snapshot!(of("postgres://app@db/bench?passfile=~/gone"), @"
        the password file ~/gone cannot be read
          evidence  No such file or directory (os error 2)
        ");
        write("mine", "db:*:*:app:\n*:*:*:*:other\n", 0o600);
        assert_eq!(of("postgres://app@db/bench?passfile=~/mine"), "postgres://app@db/bench?passfile=~/mine -");
        write("mine", "*:*:*:*:other\n", 0o600);
        assert_eq!(of("postgres://app@db/bench?passfile=~/mine"), "postgres://app@db/bench?passfile=~/mine other");
    }
}
