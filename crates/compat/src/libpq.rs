//! Where to connect as libpq finds it: from options, from the name of a database, which may be a whole connection string, then from the service
//! that one of them or the environment names, then from the environment.
//!
//! Sources: PostgreSQL manual, "Connection Strings", "Parameter Key Words", "Environment Variables" and "The Connection Service File" of libpq; which
//! of them outranks which was measured of libpq 15.18.

use crate::address::{bracketed, written};
use crate::environment::{self, Environment, Meaning};
use crate::libpq_choice::{self, Suitability, Wanted};
use crate::libpq_server::told_address;
pub use crate::libpq_server::{Server, refusal};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::sync::Once;
use tenbin_driver::credentials::libpq_service;
use tenbin_model::dsn::Password;
use tenbin_terminal::exit;

/// What was typed beside a connection string.
#[derive(Debug, Clone, Copy, Default)]
pub struct TypedServer<'a> {
    pub host: Option<&'a str>,
    pub port: Option<&'a str>,
    pub user: Option<&'a str>,
    pub database: Option<&'a str>,
    pub password: Option<&'a str>,
    pub sslmode: Option<&'a str>,
    /// How the sessions are called if nothing else names them.
    pub application: Option<&'a str>,
    /// Whether this has precedence over a connection string, as of `PQsetdbLogin`.
    pub precedes: bool,
}

/// Key words of the place, the account and the database.
const PLACE: [&str; 6] = ["host", "hostaddr", "port", "user", "dbname", "password"];
/// The directory of sockets in Debian and Red Hat; elsewhere it is `/tmp`.
const SOCKETS: &str = "/var/run/postgresql";
/// The key word for what a server must be.
const ATTRIBUTES: &str = "target_session_attrs";

/// From what was typed and the environment; the error is a line that names what cannot be followed.
pub fn server(typed: TypedServer<'_>, env: Environment<'_>, login: String) -> Result<Server, String> {
    let services = |name: &str| libpq_service(name).map_err(|problem| told_address(&problem));
    server_beside(typed, env, login, services, libpq_choice::look)
}

/// The same for commands that are shown: of a list the first server, none of which is looked at.
pub fn unseen(typed: TypedServer<'_>, env: Environment<'_>, login: String) -> Result<Server, String> {
    let services = |name: &str| libpq_service(name).map_err(|problem| told_address(&problem));
    server_beside(typed, env, login, services, |_, _| Suitability::Fits)
}

/// The same, where `services` has the key words of a service, and `look` says what a server is.
fn server_beside(
    typed: TypedServer<'_>,
    env: Environment<'_>,
    login: String,
    services: impl Fn(&str) -> Result<Vec<(String, String)>, String>,
    look: impl Fn(&Server, Wanted) -> Suitability,
) -> Result<Server, String> {
    let filled = |value: Option<&str>| value.filter(|value| !value.is_empty()).map(str::to_owned);
    let whole = filled(typed.database).or_else(|| env("PGDATABASE")).unwrap_or_default();
    let of_uri = whole.strip_prefix("postgresql://").or_else(|| whole.strip_prefix("postgres://"));
    let is_uri = of_uri.is_some();
    let parameters = match of_uri {
        Some(rest) => uri(rest)?,
        None if whole.contains('=') => conninfo(&whole)?,
        None if whole.is_empty() => Vec::new(),
        None => vec![("dbname".to_owned(), whole)],
    };
    let in_text = |key: &str| last(&parameters, key);
    let either = |key: &str, value: Option<&str>| match typed.precedes {
        true => filled(value).or_else(|| in_text(key)),
        false => in_text(key).or_else(|| filled(value)),
    };
    let service = in_text("service").or_else(|| env("PGSERVICE"));
    let of_service = service.as_deref().map(services).transpose()?.unwrap_or_default();
    let in_service = |key: &str| last(&of_service, key);
    // A service outranks the environment, and fills only what is not said otherwise.
    let of = |key: &str, typed: Option<&str>, variable: &str| {
        either(key, typed).or_else(|| in_service(key)).or_else(|| env(variable))
    };
    let host = of("hostaddr", None, "PGHOSTADDR").or_else(|| of("host", typed.host, "PGHOST"));
    let host = host.unwrap_or_else(|| SOCKETS.to_owned());
    let port = of("port", typed.port, "PGPORT").unwrap_or_else(|| "5432".to_owned());
    let places = places(&host, &port)?;
    let user = of("user", typed.user, "PGUSER").unwrap_or(login);
    let database = in_text("dbname").or_else(|| in_service("dbname")).or_else(|| env("PGDATABASE"));
    let database = database.unwrap_or_else(|| user.clone());
    let attributes = of(ATTRIBUTES, None, "PGTARGETSESSIONATTRS").unwrap_or_default();
    let wanted = Wanted::named(&attributes).ok_or_else(|| format!("invalid {ATTRIBUTES} value: \"{attributes}\""))?;
    let password = of("password", typed.password, "PGPASSWORD");
    let (host, _) = &places[0];
    let mut options: Vec<(String, String)> =
        typed.sslmode.map(|mode| ("sslmode".to_owned(), mode.to_owned())).into_iter().collect();
    let (mut application, by_socket) = (None, host.starts_with('/'));
    let is_said = |name: &str| in_text(name).is_some() || name == "sslmode" && typed.sslmode.is_some();
    let of_service_alone = of_service.iter().filter(|(name, _)| !is_said(name));
    let is_of_service = |name: &str| !is_said(name) && in_service(name).is_some();
    // The service is resolved here.
    let is_beside = |name: &str| name != "service" && !PLACE.contains(&name);
    let beside = parameters.iter().chain(of_service_alone).filter(|(name, value)| !value.is_empty() && is_beside(name));
    for (name, value) in beside {
        match environment::of_key_word(name) {
            Some(Meaning::Option(option)) => options.push(((*option).to_owned(), value.clone())),
            Some(Meaning::Encoding) if environment::is_own_encoding(value) => {}
            Some(Meaning::Encoding) => options.push((name.clone(), value.clone())),
            Some(Meaning::OfSockets) if by_socket => return Err(unsupported(name, value)),
            Some(Meaning::Nothing | Meaning::OfSockets) => {}
            Some(Meaning::Only(values)) if values.contains(&value.to_ascii_lowercase().as_str()) => {}
            Some(Meaning::Only(_) | Meaning::Session(_)) => return Err(unsupported(name, value)),
            None if name == ATTRIBUTES => {}
            None if name == "fallback_application_name" => application = Some(value.as_str()),
            // They may be secrets: the value is not shown.
            None if is_of_service(name) => {
                return Err(format!("{name} in a service is not supported by Tenbin: leave it out"));
            }
            None if is_uri => return Err(format!("invalid URI query parameter: \"{name}\"")),
            None => return Err(format!("invalid connection option \"{name}\"")),
        }
    }
    let given = |option: &str| options.iter().find(|(name, _)| name == option).map(|(_, value)| value.clone());
    let verifies = given("sslmode").or_else(|| env("PGSSLMODE")).is_some_and(|mode| mode.starts_with("verify"));
    // As in libpq, a file that is not there is none, unless the server's certificate is to be verified with it.
    if given("tls_ca").is_some_and(|file| file != "system" && !verifies && !Path::new(&file).exists()) {
        options.retain(|(name, _)| name != "tls_ca");
    }
    let given = |option: &str| options.iter().find(|(name, _)| name == option).map(|(_, value)| value.clone());
    if password.is_none()
        && let Some(file) = passfile_open_to_others(given("passfile"), env)
    {
        static TOLD: Once = Once::new();
        let rights = "has group or world access; permissions should be u=rw (0600) or less";
        TOLD.call_once(|| exit::print_error(&format!("WARNING: password file \"{file}\" {rights}")));
        options.retain(|(name, _)| name != "passfile");
        options.push(("passfile".to_owned(), NO_PASSWORDS.to_owned()));
    }
    let given = |option: &str| options.iter().find(|(name, _)| name == option).map(|(_, value)| value.clone());
    let of_environment = environment::libpq(env, by_socket, given)?;
    // Those of the session are among them.
    options.retain(|(name, _)| name != "options" || !of_environment.iter().any(|(other, _)| *other == "options"));
    options.extend(of_environment.into_iter().map(|(name, value)| (name.to_owned(), value)));
    if !options.iter().any(|(name, _)| name == "application_name") {
        options.extend(application.or(typed.application).map(|name| ("application_name".to_owned(), name.to_owned())));
    }
    if let Some((_, seconds)) = options.iter_mut().find(|(name, _)| name == "connect_timeout_s") {
        let Some(patience) = patience(seconds) else {
            let why = format!("invalid integer value \"{seconds}\" for connection option \"connect_timeout\"");
            let (host, port) = places[0].clone();
            return Err(format!(
                "connection to server {} failed: {why}",
                Server { host, port, ..Server::default() }.told()
            ));
        };
        *seconds = patience.to_string();
    }
    let at = |(host, port): (String, String)| {
        let mut options = options.clone();
        let address = if host.starts_with('/') {
            options.insert(0, ("host".to_owned(), host.clone()));
            format!("localhost:{port}")
        } else {
            format!("{}:{port}", bracketed(&host))
        };
        let dsn = written("postgres", &user, &address, &database, &options);
        let password = password.clone().map(Password::new);
        Server { dsn, password, host, port, user: user.clone(), database: database.clone(), others: String::new() }
    };
    libpq_choice::choose(places.into_iter().map(at).collect(), wanted, look)
}

/// A file in which no password is found.
const NO_PASSWORDS: &str = "/dev/null";

/// The password file, if others than its owner may read or write it: libpq warns, and uses nothing of it.
fn passfile_open_to_others(given: Option<String>, env: Environment<'_>) -> Option<String> {
    let usual = || Some(format!("{}/.pgpass", env("HOME")?));
    let file = given.or_else(|| env("PGPASSFILE")).or_else(usual)?;
    let is_open = |meta: std::fs::Metadata| meta.is_file() && meta.permissions().mode() & 0o077 != 0;
    std::fs::metadata(&file).is_ok_and(is_open).then_some(file)
}

/// How many seconds libpq waits for a connection: at least 2, without an end if it is told 0 or less. `None` if the text is no whole number.
fn patience(seconds: &str) -> Option<i32> {
    const ENDLESS: i32 = 999_999;
    let seconds: i32 = seconds.trim().parse().ok()?;
    Some(if seconds <= 0 { ENDLESS } else { seconds.clamp(2, ENDLESS) })
}

/// The value of a key word that was given last; none if it is empty.
fn last(pairs: &[(String, String)], key: &str) -> Option<String> {
    pairs.iter().rfind(|(name, value)| name == key && !value.is_empty()).map(|(_, value)| value.clone())
}

fn unsupported(name: &str, value: &str) -> String {
    format!("{name}={value} in the connection string is not supported by Tenbin: leave it out")
}

/// The places of a list of hosts, each with its port.
fn places(hosts: &str, ports: &str) -> Result<Vec<(String, String)>, String> {
    let (hosts, ports): (Vec<&str>, Vec<&str>) = (hosts.split(',').collect(), ports.split(',').collect());
    if ports.len() > 1 && ports.len() != hosts.len() {
        return Err(format!("could not match {} port numbers to {} hosts", ports.len(), hosts.len()));
    }
    let port = |at: usize| if ports.len() == 1 { ports[0] } else { ports[at] };
    for at in 0..hosts.len() {
        let port = port(at);
        if !port.is_empty() && !port.parse::<u16>().is_ok_and(|port| port > 0) {
            return Err(match port.trim().parse::<i32>() {
                Ok(_) => format!("invalid port number: \"{port}\""),
                Err(_) => format!("invalid integer value \"{port}\" for connection option \"port\""),
            });
        }
    }
    let or = |text: &str, default: &str| if text.is_empty() { default.to_owned() } else { text.to_owned() };
    Ok((0..hosts.len()).map(|at| (or(hosts[at], SOCKETS), or(port(at), "5432"))).collect())
}

/// The key words of an address: `user:password@host:port,host2/dbname?name=value`.
fn uri(rest: &str) -> Result<Vec<(String, String)>, String> {
    let decoded = |text: &str| {
        // Behind each sign there are two digits.
        let is_whole = |rest: &str| rest.len() >= 2 && rest.bytes().take(2).all(|digit| digit.is_ascii_hexdigit());
        if !text.split('%').skip(1).all(is_whole) {
            return Err(format!("invalid percent-encoded token: \"{text}\""));
        }
        percent_encoding::percent_decode_str(text)
            .decode_utf8()
            .map(|text| text.into_owned())
            .map_err(|_| format!("invalid percent-encoded token: \"{text}\""))
    };
    let mut all = Vec::new();
    let (before, query) = rest.split_once('?').unwrap_or((rest, ""));
    let (authority, database) = before.split_once('/').unwrap_or((before, ""));
    let (account, places) = authority.rsplit_once('@').unwrap_or(("", authority));
    let (user, password) = account.split_once(':').unwrap_or((account, ""));
    let (mut hosts, mut ports) = (Vec::new(), Vec::new());
    for address in places.split(',') {
        let (host, port) = match address.strip_prefix('[') {
            Some(inner) => {
                let (host, behind) = inner.split_once(']').ok_or_else(|| {
                    format!(
                        "end of string reached when looking for matching \"]\" in IPv6 host address in URI: \"{address}\""
                    )
                })?;
                (host, behind.strip_prefix(':').unwrap_or_default())
            }
            None => address.split_once(':').unwrap_or((address, "")),
        };
        hosts.push(decoded(host)?);
        ports.push(port);
    }
    // Ports that are not given are those of options and environment, if none is.
    let ports = if ports.iter().all(|port| port.is_empty()) { String::new() } else { ports.join(",") };
    for (name, value) in [
        ("user", decoded(user)?),
        ("password", decoded(password)?),
        ("host", hosts.join(",")),
        ("port", ports),
        ("dbname", decoded(database)?),
    ] {
        all.push((name.to_owned(), value));
    }
    for pair in query.split('&').filter(|pair| !pair.is_empty()) {
        let (name, value) = pair
            .split_once('=')
            .ok_or_else(|| format!("missing key/value separator \"=\" in URI query parameter: \"{pair}\""))?;
        // As JDBC has it.
        let (name, value) = if (name, value) == ("ssl", "true") { ("sslmode", "require") } else { (name, value) };
        all.push((decoded(name)?, decoded(value)?));
    }
    Ok(all)
}

/// `key=value` pairs, with values in single quotes where they have spaces.
fn conninfo(text: &str) -> Result<Vec<(String, String)>, String> {
    let (mut all, mut chars) = (Vec::new(), text.chars().peekable());
    loop {
        while chars.next_if(|c| c.is_whitespace()).is_some() {}
        if chars.peek().is_none() {
            return Ok(all);
        }
        let mut name = String::new();
        while let Some(c) = chars.next_if(|c| *c != '=' && !c.is_whitespace()) {
            name.push(c);
        }
        while chars.next_if(|c| c.is_whitespace()).is_some() {}
        if chars.next() != Some('=') {
            return Err(format!("missing \"=\" after \"{name}\" in connection info string"));
        }
        while chars.next_if(|c| c.is_whitespace()).is_some() {}
        let quote = chars.next_if_eq(&'\'').is_some();
        let mut value = String::new();
        loop {
            match chars.next() {
                Some('\\') => value.extend(chars.next()),
                Some('\'') if quote => break,
                Some(c) if !quote && c.is_whitespace() => break,
                Some(c) => value.push(c),
                None if quote => return Err("unterminated quoted string in connection info string".to_owned()),
                None => break,
            }
        }
        all.push((name, value));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(typed: TypedServer<'_>, set: &[(&str, &str)]) -> Result<Server, String> {
        let env = |name: &str| set.iter().find(|(n, _)| *n == name).map(|(_, value)| (*value).to_owned());
        let typed = TypedServer { application: Some("pgbench"), ..typed };
        let look = |server: &Server, _: Wanted| match server.host.as_str() {
            "up" => Suitability::Fits,
            host => Suitability::Unfit(format!("{host} is not there")),
        };
        let services = |name: &str| match name {
            "zz" => Ok(pairs(&[("host", "/tmp/x"), ("port", "7777")])),
            "full" => Ok(pairs(&[
                ("host", "/tmp/x"),
                ("port", "7777"),
                ("dbname", "sdb"),
                ("user", "suser"),
                ("password", "spass"),
                ("application_name", "sapp"),
                ("options", "-c a=1"),
                ("sslmode", "require"),
            ])),
            "open" => Ok(pairs(&[("application_name", "x")])),
            "own" => Ok(pairs(&[("oauth_client_secret", "hidden")])),
            name => Err(format!("definition of service \"{name}\" not found")),
        };
        server_beside(typed, &env, "me".to_owned(), services, look)
    }

    fn pairs(pairs: &[(&str, &str)]) -> Vec<(String, String)> {
        pairs.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect()
    }

    fn database(text: &str) -> TypedServer<'_> {
        TypedServer { database: Some(text), ..TypedServer::default() }
    }

    #[test]
    fn what_is_not_given_is_taken_from_the_environment_as_libpq_does() {
        let plain = of(TypedServer::default(), &[]).unwrap();
        assert_eq!(plain.dsn, "postgres://me@localhost:5432/me?host=/var/run/postgresql&application_name=pgbench");
        assert_eq!(plain.told(), "on socket \"/var/run/postgresql/.s.PGSQL.5432\"");
        let set =
            [("PGHOST", "/tmp/x"), ("PGPORT", "7"), ("PGUSER", "you"), ("PGDATABASE", "bank"), ("PGAPPNAME", "a")];
        assert_eq!(
            of(TypedServer::default(), &set).unwrap().dsn,
            "postgres://you@localhost:7/bank?host=/tmp/x&application_name=a"
        );
        let typed = TypedServer {
            host: Some("db"),
            port: Some("8"),
            user: Some("u"),
            database: Some("other"),
            ..TypedServer::default()
        };
        let here = of(typed, &set).unwrap();
        assert_eq!(
            (here.dsn.as_str(), here.told().as_str()),
            ("postgres://u@db:8/other?application_name=a", "at \"db\", port 8")
        );
        let set = [("PGOPTIONS", "-c synchronous_commit=off"), ("PGPASSWORD", "p@:/?")];
        let here = of(TypedServer::default(), &set).unwrap();
        assert!(here.dsn.contains("options=-c%20synchronous_commit%3Doff") && !here.dsn.contains("p@"), "{}", here.dsn);
        assert_eq!(here.password.unwrap().reveal(), "p@:/?");
        assert!(
            of(TypedServer { port: Some("x"), ..TypedServer::default() }, &[])
                .unwrap_err()
                .contains("invalid integer value \"x\" for connection option \"port\"")
        );
    }

    // Measured of pgbench 15.18, whose startup packet names account, database and settings.
    #[test]
    fn a_service_is_between_what_is_said_and_the_environment() {
        let host = |host| TypedServer { host: Some(host), ..TypedServer::default() };
        let (none, env) = (TypedServer::default(), |more: &[(&'static str, &'static str)]| more.to_vec());
        let all = env(&[("PGHOST", "127.0.0.1"), ("PGPORT", "1"), ("PGUSER", "eu"), ("PGDATABASE", "edb")]);
        let with = |service, more: &[(&'static str, &'static str)]| [&[("PGSERVICE", service)], more].concat();
        for (typed, set, wanted) in [
            (none, with("zz", &[("PGHOST", "127.0.0.1"), ("PGPORT", "1")]), "me@localhost:7777/me?host=/tmp/x"),
            (database("service=zz"), env(&[("PGPORT", "99")]), "me@localhost:7777/me?host=/tmp/x"),
            (host("/tmp/y"), with("zz", &[]), "me@localhost:7777/me?host=/tmp/y"),
            (database("service=zz host=/tmp/y"), env(&[]), "me@localhost:7777/me?host=/tmp/y"),
            (database("service=zz"), all.clone(), "eu@localhost:7777/edb?host=/tmp/x"),
            (none, with("zz", &[("PGHOSTADDR", "127.0.0.1")]), "me@127.0.0.1:7777/me"),
            (TypedServer { port: Some("99"), ..none }, with("zz", &[]), "me@localhost:99/me?host=/tmp/x"),
            (none, with("open", &all), "eu@127.0.0.1:1/edb"),
            (none, with("full", &[]), "suser@localhost:7777/sdb?host=/tmp/x"),
            (database("service=full"), all.clone(), "suser@localhost:7777/sdb?host=/tmp/x"),
            (database("postgresql:///d?service=full"), all.clone(), "suser@localhost:7777/d?host=/tmp/x"),
            (TypedServer { user: Some("u"), ..database("db") }, with("full", &all), "u@localhost:7777/db?host=/tmp/x"),
            // A plain name of a database that the environment has stands for one that was typed.
            (none, with("full", &all), "suser@localhost:7777/edb?host=/tmp/x"),
        ] {
            let dsn = of(typed, &set).unwrap().dsn;
            let shown = dsn.strip_prefix("postgres://").unwrap();
            let next = shown.strip_prefix(wanted).map(|rest| rest.chars().next());
            assert!(matches!(next, Some(Some('&' | '?'))), "{dsn} {wanted} {set:?}");
        }
        let missing = of(none, &with("missing", &[("PGHOST", "/tmp/y")])).unwrap_err();
        assert_eq!(missing, "definition of service \"missing\" not found");
        let set = with(
            "full",
            &[("PGPASSWORD", "epass"), ("PGSSLMODE", "disable"), ("PGAPPNAME", "ea"), ("PGOPTIONS", "-c b=2")],
        );
        let here = of(none, &set).unwrap();
        assert_eq!(
            here.dsn,
            "postgres://suser@localhost:7777/sdb?host=/tmp/x&application_name=sapp&sslmode=require&options=-c%20a%3D1"
        );
        assert_eq!(here.password.unwrap().reveal(), "spass");
        let typed = TypedServer {
            sslmode: Some("disable"),
            password: Some("t"),
            precedes: true,
            ..database("application_name=q")
        };
        let here = of(typed, &set).unwrap();
        assert!(
            here.dsn.ends_with("/sdb?host=/tmp/x&sslmode=disable&application_name=q&options=-c%20a%3D1"),
            "{}",
            here.dsn
        );
        assert_eq!(here.password.unwrap().reveal(), "t");
        let here = of(database("options='-c c=3'"), &[("PGOPTIONS", "-c b=2"), ("PGTZ", "UTC")]).unwrap();
        assert!(
            here.dsn.ends_with("&options=-c%20c%3D3%20-c%20timezone%3DUTC&application_name=pgbench"),
            "{}",
            here.dsn
        );
        assert!(of(none, &with("open", &[("PGOPTIONS", "-c b=2")])).unwrap().dsn.contains("options=-c%20b%3D2"));
        let error = of(none, &with("own", &[])).unwrap_err();
        assert_eq!(error, "oauth_client_secret in a service is not supported by Tenbin: leave it out");
    }

    // Measured of libpq 15.18.
    #[test]
    fn no_patience_is_endless_and_text_is_none() {
        let of = |seconds: &str| of(TypedServer::default(), &[("PGHOST", "db"), ("PGCONNECT_TIMEOUT", seconds)]);
        for (seconds, wanted) in [("0", "999999"), ("-1", "999999"), (" 5 ", "5"), ("1", "2"), ("2147483647", "999999")]
        {
            let dsn = of(seconds).unwrap().dsn;
            assert!(dsn.contains(&format!("connect_timeout_s={wanted}&")), "{seconds}: {dsn}");
        }
        for seconds in ["x", "5x", "1.5", "99999999999"] {
            let why = format!("invalid integer value \"{seconds}\" for connection option \"connect_timeout\"");
            assert_eq!(of(seconds).unwrap_err(), format!("connection to server at \"db\", port 5432 failed: {why}"));
        }
    }

    #[test]
    fn the_name_of_a_database_may_be_all_of_the_address() {
        let here = of(database("host=db user=u dbname='my bank' connect_timeout=3 password=s"), &[]).unwrap();
        assert_eq!(here.dsn, "postgres://u@db:5432/my%20bank?connect_timeout_s=3&application_name=pgbench");
        assert_eq!(here.password.unwrap().reveal(), "s");
        let here = of(database("postgresql://u:s@db:6/bank"), &[]).unwrap();
        assert!(here.dsn.starts_with("postgres://u@db:6/bank") && !here.dsn.contains(":s@"), "{}", here.dsn);
        assert!(of(database("host db=x"), &[]).unwrap_err().contains("missing \"=\" after \"host\""));
    }

    #[test]
    fn a_uri_is_completed_by_options_and_environment() {
        let set = [("PGHOST", "/tmp/x"), ("PGPORT", "7"), ("PGUSER", "you"), ("PGAPPNAME", "a")];
        let dsn = |typed, set: &[(&str, &str)]| of(typed, set).unwrap().dsn;
        assert_eq!(
            dsn(database("postgresql:///bank"), &set),
            "postgres://you@localhost:7/bank?host=/tmp/x&application_name=a"
        );
        assert_eq!(
            dsn(database("postgres://10.0.0.1/bank"), &set),
            "postgres://you@10.0.0.1:7/bank?application_name=a"
        );
        let typed = TypedServer {
            host: Some("db"),
            port: Some("8"),
            user: Some("u"),
            database: Some("postgresql://"),
            ..TypedServer::default()
        };
        assert_eq!(dsn(typed, &[]), "postgres://u@db:8/u?application_name=pgbench");
        assert_eq!(
            dsn(database("postgresql://[::1]:9/b%20c?ssl=true&connect_timeout=2"), &[]),
            "postgres://me@[::1]:9/b%20c?sslmode=require&connect_timeout_s=2&application_name=pgbench"
        );
        let of_environment = of(TypedServer::default(), &[("PGDATABASE", "host=db dbname=bank password=s")]).unwrap();
        assert_eq!(of_environment.dsn, "postgres://me@db:5432/bank?application_name=pgbench");
        assert_eq!(of_environment.database, "bank");
        for (text, words) in [
            ("postgresql://[::1/b", "matching \"]\""),
            ("postgresql://h/b?x", "separator"),
            ("postgresql://h/b?x=1", "invalid URI query parameter: \"x\""),
            ("postgresql://%zz", "invalid percent-encoded token: \"%zz\""),
            ("host=h nothing=1", "invalid connection option \"nothing\""),
        ] {
            assert!(of(database(text), &[]).unwrap_err().contains(words), "{text}");
        }
    }

    #[test]
    fn a_password_file_that_others_may_read_is_passed_over() {
        let home = tempfile::tempdir().unwrap();
        let file = home.path().join(".pgpass");
        std::fs::write(&file, "*:*:*:*:secret\n").unwrap();
        let dsn = |mode: u32, text: &str| {
            std::fs::set_permissions(&file, PermissionsExt::from_mode(mode)).unwrap();
            of(database(text), &[("HOME", &home.path().display().to_string())]).unwrap().dsn
        };
        assert!(dsn(0o644, "host=db").ends_with("?passfile=/dev/null&application_name=pgbench"));
        assert!(!dsn(0o600, "host=db").contains("passfile"));
        assert!(!dsn(0o644, "host=db password=own").contains("passfile"));
        let named = format!("host=db passfile={}", file.display());
        assert!(dsn(0o640, &named).ends_with("?passfile=/dev/null&application_name=pgbench"));
    }

    #[test]
    fn of_several_hosts_the_first_one_that_answers_is_taken() {
        let address = |text: &str| of(database(text), &[]).map(|server| server.told());
        assert_eq!(address("host=down,up,other port=1,2,3"), Ok("at \"up\", port 2".to_owned()));
        assert_eq!(address("postgresql://down:1,up/b"), Ok("at \"up\", port 5432".to_owned()));
        assert_eq!(address("host=down,gone port=6"), Ok("at \"gone\", port 6".to_owned()));
        assert!(address("host=a,b port=1,2,3").unwrap_err().contains("could not match 3 port numbers to 2 hosts"));
        assert!(address("host=a,b port=1,x").unwrap_err().contains("invalid integer value \"x\""));
        let typed = TypedServer { host: Some("down,up"), ..TypedServer::default() };
        assert_eq!(of(typed, &[("PGPORT", "1,33")]).unwrap().port, "33");
    }

    #[test]
    fn a_server_is_looked_at_if_it_must_be_of_a_kind() {
        let read_write = "host=up target_session_attrs=read-write";
        assert!(of(database(read_write), &[]).unwrap().dsn.starts_with("postgres://me@up:5432/me?application_name"));
        let error = of(database("host=down,gone target_session_attrs=standby"), &[]).unwrap_err();
        assert_eq!(error, "down is not there\ngone is not there");
        let error = of(database("host=db"), &[("PGTARGETSESSIONATTRS", "primary")]).unwrap_err();
        assert_eq!(error, "db is not there");
        let error = of(database("target_session_attrs=nonsense"), &[]).unwrap_err();
        assert_eq!(error, "invalid target_session_attrs value: \"nonsense\"");
        assert_eq!(of(database("host=down,gone"), &[]).unwrap().others, "down is not there\n");
    }

    #[test]
    fn key_words_of_libpq_that_change_nothing_here_are_accepted() {
        let text = "host=db keepalives=1 keepalives_idle=30 tcp_user_timeout=9 gssencmode=disable client_encoding=UTF8 \
                    target_session_attrs=any sslrootcert=/nowhere/ca.pem fallback_application_name=mine";
        assert_eq!(of(database(text), &[]).unwrap().dsn, "postgres://me@db:5432/me?application_name=mine");
        let error = of(database("host=db load_balance_hosts=random"), &[]).unwrap_err();
        assert!(error.contains("load_balance_hosts=random"), "{error}");
        assert!(
            of(database("host=db sslmode=verify-ca sslrootcert=/nowhere/ca.pem"), &[]).unwrap().dsn.contains("tls_ca")
        );
    }
}
