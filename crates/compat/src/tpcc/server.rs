//! The server and the account: parsed, as an address of Tenbin, and as printed parameters.

use crate::address::{bracketed, default_socket, escaped};
use crate::environment;
use crate::hint::quoted;
use crate::parsed_args::ParsedArgs;
use tenbin_model::dsn::Password;

/// The server and the account.
#[derive(Debug, Clone)]
pub struct Server {
    host: String,
    port: u16,
    socket: Option<String>,
    database: String,
    user: String,
    tls: Vec<(&'static str, String)>,
    pub password: Option<Password>,
}

/// Parses the server; the error is a line for standard error.
pub fn server(args: &ParsedArgs) -> Result<Server, String> {
    let address = Some(args.text("host")).filter(|h| !h.is_empty()).unwrap_or("localhost");
    let (host, behind) = split(address)?;
    let port = args.has("port").then(|| args.number("port") as u16);
    if let (Some(port), Some(behind)) = (port, behind)
        && port != behind
    {
        return Err(format!("two ports are given: -P {port} and {address}"));
    }
    let port = port.or(behind);
    // The letter l means this machine, through the socket.
    let local = host == "l" || (host == "localhost" && port.is_none());
    let socket = match args.text("socket") {
        "" if local => Some(default_socket()),
        "" => None,
        path => Some(path.to_owned()),
    };
    let user = Some(args.text("user").to_owned()).filter(|u| !u.is_empty());
    let password = args.has("password").then(|| args.text("password").to_owned());
    let password = password.map_or_else(|| environment::mysql_password(&environment::own), |p| Ok(Some(p)))?;
    let password = password.filter(|p| !p.is_empty());
    let mut tls = vec![("tls", args.text("ssl-mode").to_owned())];
    if args.has("ssl-ca") {
        tls.push(("tls_ca", args.text("ssl-ca").to_owned()));
    }
    Ok(Server {
        host: if host == "l" { "localhost".into() } else { host },
        port: port.unwrap_or(3306),
        socket,
        database: args.text("database").to_owned(),
        user: user.unwrap_or_else(environment::login_name),
        tls,
        password: password.map(Password::new),
    })
}

/// `server`, `server:port`, `[address]:port` or a bare IPv6 address.
fn split(address: &str) -> Result<(String, Option<u16>), String> {
    let port = |text: &str| {
        text.parse::<u16>()
            .ok()
            .filter(|p| *p > 0)
            .ok_or_else(|| format!("{address:?} is no server: {text:?} is no port"))
    };
    if let Some((host, rest)) = address.strip_prefix('[').and_then(|s| s.split_once(']')) {
        let behind = rest.strip_prefix(':').map(port).transpose()?;
        return Ok((host.to_owned(), behind));
    }
    match address.split_once(':') {
        Some((_, rest)) if rest.contains(':') => Ok((address.to_owned(), None)),
        Some((host, rest)) => Ok((host.to_owned(), Some(port(rest)?))),
        None => Ok((address.to_owned(), None)),
    }
}

impl Server {
    /// The same server with another database.
    pub fn with_database(&self, database: String) -> Server {
        Server { database, ..self.clone() }
    }

    pub fn database(&self) -> &str {
        &self.database
    }

    /// The address, without the password.
    pub fn dsn(&self) -> String {
        let mut options: Vec<(&str, &String)> = self.socket.iter().map(|path| ("socket", path)).collect();
        options.extend(self.tls.iter().map(|(name, value)| (*name, value)));
        let options: Vec<String> = options.iter().map(|(k, v)| format!("{k}={}", escaped(v, "/"))).collect();
        let (user, database) = (escaped(&self.user, ""), escaped(&self.database, ""));
        format!("mysql://{user}@{}:{}/{database}?{}", bracketed(&self.host), self.port, options.join("&"))
    }

    /// The options that name it for tpcc_load and tpcc_start; PASSWORD replaces a given password.
    pub fn options(&self, database: &str) -> String {
        let mut words = vec![self.location(database)];
        if self.password.is_some() {
            words.push("-p PASSWORD".to_owned());
        }
        for (name, value) in &self.tls {
            match *name {
                "tls" if value == "preferred" => {}
                "tls" => words.push(format!("--ssl-mode {}", quoted(value))),
                _ => words.push(format!("--ssl-ca {}", quoted(value))),
            }
        }
        words.join(" ")
    }

    /// The command line of a client program for it; `asks`: always prompts for a password.
    pub fn client(&self, program: &str, asks: bool) -> String {
        let mut words = vec![program.to_owned()];
        words.extend(self.way());
        words.extend(["-u".to_owned(), quoted(&self.user)]);
        if asks || self.password.is_some() {
            words.push("-p".to_owned());
        }
        words.join(" ")
    }

    /// The options that say where it is, and the account.
    pub fn location(&self, database: &str) -> String {
        let mut words = self.way();
        words.extend(["-d".to_owned(), quoted(database), "-u".to_owned(), quoted(&self.user)]);
        words.join(" ")
    }

    fn way(&self) -> Vec<String> {
        match &self.socket {
            Some(path) => vec!["-S".to_owned(), quoted(path)],
            None => vec!["-h".to_owned(), quoted(&self.host), "-P".to_owned(), self.port.to_string()],
        }
    }

    /// The lines of the parameters block.
    pub fn lines(&self) -> Vec<String> {
        let mut lines = vec![format!("     [server]: {}", self.host)];
        lines.push(match &self.socket {
            None => format!("     [port]: {}", self.port),
            Some(path) => format!("     [socket]: {path}"),
        });
        lines.push(format!("     [DBname]: {}", self.database));
        lines.push(format!("       [user]: {}", self.user));
        lines.push(format!("       [pass]: {}", if self.password.is_some() { "*****" } else { "" }));
        lines
    }
}

#[cfg(test)]
mod tests {
    use super::super::{arguments, options};
    use super::*;
    use tenbin_model::dsn::Dsn;

    fn of(words: &[&str]) -> Result<Server, String> {
        let words: Vec<String> = words.iter().map(|w| (*w).to_owned()).collect();
        server(&arguments::read(&words, &options::START, arguments::START).unwrap().args)
    }

    #[test]
    fn every_way_to_name_a_server() {
        let tail = "?tls=preferred";
        for (words, wanted) in [
            (["-h", "db", "-u", "a"], format!("mysql://a@db:3306/tpcc{tail}")),
            (["-h", "db:3307", "-u", "a"], format!("mysql://a@db:3307/tpcc{tail}")),
            (["-h", "localhost:3307", "-u", "a"], format!("mysql://a@localhost:3307/tpcc{tail}")),
            (["-h", "[::1]:3307", "-u", "a"], format!("mysql://a@[::1]:3307/tpcc{tail}")),
            (["-h", "fe80::1", "-u", "a"], format!("mysql://a@[fe80::1]:3306/tpcc{tail}")),
            (["-S", "/x y/s", "-u", "a"], "mysql://a@localhost:3306/tpcc?socket=/x%20y/s&tls=preferred".into()),
        ] {
            assert_eq!(of(&words).unwrap().dsn(), wanted, "{words:?}");
        }
        assert!(of(&["-h", "db:x"]).unwrap_err().contains("\"x\" is no port"));
        assert!(of(&["-h", "db:1", "-P", "2"]).unwrap_err().contains("two ports"));
        assert_eq!(
            of(&["-h", "l", "-S", "/s"]).unwrap().lines()[..2],
            ["     [server]: localhost", "     [socket]: /s"]
        );
    }

    #[test]
    fn odd_names_survive_and_the_password_is_never_shown() {
        let server = of(&["-h", "db", "-u", "a@b", "-d", "d?e/f", "-p", "p@:/?"]).unwrap();
        let dsn = Dsn::parse(&server.dsn()).unwrap();
        assert_eq!((dsn.user.as_str(), dsn.database.as_str(), dsn.host.as_str()), ("a@b", "d?e/f", "db"));
        assert!(!format!("{server:?}{}{}", server.dsn(), server.lines().concat()).contains("p@:"));
        assert_eq!(server.password.unwrap().reveal(), "p@:/?");
    }
}
