//! The server and the account: from options, from the name of the database (which may be a whole address), and from the environment as libpq reads it.

use crate::address::{bracketed, escaped};
use crate::environment::{self, Environment};
use crate::hint::{HintWords, quoted};
use tenbin_model::dsn::Password;

/// Where to connect.
#[derive(Debug, Clone, Default)]
pub struct Server {
    /// The address without its password.
    pub dsn: String,
    pub password: Option<Password>,
    host: String,
    port: String,
    user: String,
    database: String,
}

/// What was typed.
#[derive(Debug, Clone, Copy, Default)]
pub struct TypedServer<'a> {
    pub host: Option<&'a str>,
    pub port: Option<&'a str>,
    pub user: Option<&'a str>,
    pub database: Option<&'a str>,
}

/// The directory of sockets in Debian and Red Hat; elsewhere it is `/tmp`.
const SOCKETS: &str = "/var/run/postgresql";

/// From what was typed and the environment; the error is a line that names what cannot be followed.
pub fn server(typed: TypedServer<'_>, env: Environment<'_>, login: String) -> Result<Server, String> {
    let whole = typed.database.unwrap_or_default();
    if let Some(rest) = whole.strip_prefix("postgresql://").or_else(|| whole.strip_prefix("postgres://")) {
        return address(rest, env);
    }
    let said = if whole.contains('=') { conninfo(whole)? } else { Vec::new() };
    let in_text = |key: &str| said.iter().rfind(|(name, _)| name == key).map(|(_, value)| value.clone());
    let of = |key: &str, typed: Option<&str>, variable: &str| {
        in_text(key).or_else(|| typed.filter(|value| !value.is_empty()).map(str::to_owned)).or_else(|| env(variable))
    };
    // A service completes what nothing else names.
    let service = in_text("service").or_else(|| env("PGSERVICE"));
    let open = |value: Option<String>, default: String| {
        value.unwrap_or(if service.is_some() { String::new() } else { default })
    };
    let host = of("hostaddr", None, "PGHOSTADDR").or_else(|| of("host", typed.host, "PGHOST"));
    let host = open(host, SOCKETS.to_owned());
    let port = open(of("port", typed.port, "PGPORT"), "5432".to_owned());
    let user = open(of("user", typed.user, "PGUSER"), login);
    let named = (!whole.is_empty() && said.is_empty()).then(|| whole.to_owned());
    let database = in_text("dbname").or(named).or_else(|| env("PGDATABASE"));
    let database = open(database, user.clone());
    if !port.is_empty() && !port.parse::<u16>().is_ok_and(|port| port > 0) {
        return Err(format!("invalid port number: \"{port}\""));
    }
    let mut options: Vec<(String, String)> = Vec::new();
    for (name, value) in &said {
        match name.as_str() {
            "host" | "hostaddr" | "port" | "user" | "dbname" | "password" => {}
            "connect_timeout" => options.push(("connect_timeout_s".to_owned(), value.clone())),
            "sslrootcert" => options.push(("tls_ca".to_owned(), value.clone())),
            "sslcert" => options.push(("tls_cert".to_owned(), value.clone())),
            "sslkey" => options.push(("tls_key".to_owned(), value.clone())),
            _ => options.push((name.clone(), value.clone())),
        }
    }
    let place = if host.starts_with('/') {
        options.insert(0, ("host".to_owned(), host.clone()));
        format!("localhost:{port}")
    } else if port.is_empty() {
        bracketed(&host)
    } else {
        format!("{}:{port}", bracketed(&host))
    };
    let given = |option: &str| options.iter().find(|(name, _)| name == option).map(|(_, value)| value.clone());
    let of_environment = environment::libpq(env, given)?;
    options.extend(of_environment.into_iter().map(|(name, value)| (name.to_owned(), value)));
    if !options.iter().any(|(name, _)| name == "application_name") {
        options.push(("application_name".to_owned(), "pgbench".to_owned()));
    }
    let password = in_text("password").or_else(|| env("PGPASSWORD")).map(Password::new);
    Ok(Server { dsn: written(&user, &place, &database, &options), password, host, port, user, database })
}

/// From an address of libpq's form.
fn address(rest: &str, env: Environment<'_>) -> Result<Server, String> {
    let (before, query) = rest.split_once('?').unwrap_or((rest, ""));
    let mut options: Vec<(String, String)> = Vec::new();
    for pair in query.split('&').filter(|pair| !pair.is_empty()) {
        let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
        options.push((name.to_owned(), value.to_owned()));
    }
    let given = |option: &str| options.iter().find(|(name, _)| name == option).map(|(_, value)| value.clone());
    let added = environment::libpq(env, given)?;
    let added = added.into_iter().chain([("application_name", "pgbench".to_owned())]);
    let mut text = format!("postgres://{before}?{query}");
    for (name, value) in added.filter(|(name, _)| given(name).is_none()) {
        text += &format!("&{name}={}", escaped(&value, "/,:"));
    }
    let (dsn, password) = tenbin_model::dsn::Dsn::parse(&text)
        .map(|mut dsn| {
            let password = dsn.password.take().map(Password::new);
            (dsn, password)
        })
        .map_err(|problem| problem.what.english().to_owned())?;
    let (host, user, database) = (dsn.host.clone(), dsn.user.clone(), dsn.database.clone());
    let port = dsn.port.map_or_else(String::new, |port| port.to_string());
    Ok(Server {
        dsn: dsn.to_string(),
        password: password.or_else(|| env("PGPASSWORD").map(Password::new)),
        host,
        port,
        user,
        database,
    })
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

fn written(user: &str, place: &str, database: &str, options: &[(String, String)]) -> String {
    let options: Vec<String> =
        options.iter().map(|(name, value)| format!("{name}={}", escaped(value, "/,:[]"))).collect();
    let mark = if options.is_empty() { "" } else { "?" };
    format!("postgres://{}@{place}/{}{mark}{}", escaped(user, ""), escaped(database, ""), options.join("&"))
}

impl Server {
    /// The server as messages of libpq name it.
    pub fn told(&self) -> String {
        let port = if self.port.is_empty() { "5432" } else { &self.port };
        match self.host.starts_with('/') {
            true => format!("on socket \"{}/.s.PGSQL.{port}\"", self.host.trim_end_matches('/')),
            false => format!("at \"{}\", port {port}", self.host),
        }
    }

    /// The host, or the directory of the socket.
    pub fn host(&self) -> &str {
        &self.host
    }

    /// The port.
    pub fn port(&self) -> &str {
        &self.port
    }

    /// The name of the database.
    pub fn database(&self) -> &str {
        &self.database
    }

    /// Hints in pgbench's terms.
    pub fn words(&self) -> HintWords {
        let at = format!("-h {} -p {} -U {}", quoted(&self.host), self.port, quoted(&self.user));
        let database = quoted(&self.database);
        HintWords {
            account: format!("give others with -U and PGPASSWORD or ~/.pgpass; try them: psql {at} {database}"),
            ping: format!("pg_isready {at}"),
            create: format!("createdb {at} {database}"),
            plain: "PGSSLMODE=disable".into(),
            encrypted: "PGSSLMODE=require".into(),
            load: format!("pgbench -i {at} {database}"),
            ..HintWords::default()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(typed: TypedServer<'_>, set: &[(&str, &str)]) -> Result<Server, String> {
        let env = |name: &str| set.iter().find(|(n, _)| *n == name).map(|(_, value)| (*value).to_owned());
        server(typed, &env, "me".to_owned())
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
        let typed = TypedServer { host: Some("db"), port: Some("8"), user: Some("u"), database: Some("other") };
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
                .contains("invalid port number")
        );
    }

    #[test]
    fn a_service_fills_what_is_open() {
        let here = of(TypedServer::default(), &[("PGSERVICE", "prod")]).unwrap();
        assert!(here.dsn.starts_with("postgres://@/?service=prod"), "{}", here.dsn);
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
}
