//! A server as libpq names it, and what libpq says where there is no connection.

use crate::environment;
use std::net::{IpAddr, ToSocketAddrs};
use std::path::Path;
use tenbin_driver::Error;
use tenbin_model::dsn::{Dsn, PASSFILE, Password};
use tenbin_words::message::Message;
use tenbin_words::problem::Problem;

/// Where to connect.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Server {
    /// The address without its password.
    pub dsn: String,
    pub password: Option<Password>,
    /// The host, or the directory of the socket.
    pub host: String,
    pub port: String,
    pub user: String,
    pub database: String,
    /// What was said of servers of the list before this one, a line or more each; empty: nothing.
    pub others: String,
}

/// Why there is no connection to this server, as libpq says it; `None` if it answered.
pub fn refusal(what: &Message, server: &str) -> Option<String> {
    let of = |message: &Message, name: &str| message.arg(name).map_or("", Message::english).to_owned();
    let error = |message: &Message| of(message, "error");
    if let Some(nothing) = what.find("nothing-answers-at-socket") {
        return Some(silent_socket(&of(nothing, "path"), &error(nothing)));
    }
    if let Some(nothing) = what.find("nothing-answers-at-port") {
        return Some(silent_port(server, &error(nothing)));
    }
    let unknown = what.find("host-unknown")?;
    Some(unknown_host(&of(unknown, "host"), &error(unknown)))
}

/// Nothing answers at a socket; `error` is that of the system.
pub fn silent_socket(path: &str, error: &str) -> String {
    let asks = "Is the server running locally and accepting connections on that socket?";
    format!("connection to server on socket \"{path}\" failed: {}\n\t{asks}", environment::plain(error))
}

/// Nothing answers at the port of a server.
pub fn silent_port(server: &str, error: &str) -> String {
    let asks = "Is the server running on that host and accepting TCP/IP connections?";
    format!("connection to server {server} failed: {}\n\t{asks}", environment::plain(error))
}

/// A server as messages of libpq name it, with the address of its host if that is a name and was looked up.
pub fn at(host: &str, port: &str, address: Option<IpAddr>) -> String {
    match address.filter(|address| host.parse() != Ok(*address)) {
        Some(address) => format!("at \"{host}\" ({address}), port {port}"),
        None => format!("at \"{host}\", port {port}"),
    }
}

/// There is no host of this name.
pub fn unknown_host(host: &str, error: &str) -> String {
    let error = environment::plain(error).replace("failed to lookup address information: ", "");
    format!("could not translate host name \"{host}\" to address: {error}")
}

impl Server {
    /// The server as messages of libpq name it.
    pub fn told(&self) -> String {
        self.named(None)
    }

    /// The same with the address of its host if that is a name, which is looked up.
    pub fn told_with_address(&self) -> String {
        let by_tcp = self.port().parse::<u16>().ok().filter(|_| !self.is_socket());
        let mut all = by_tcp.and_then(|port| (self.host.as_str(), port).to_socket_addrs().ok()).into_iter().flatten();
        self.named(all.next().map(|address| address.ip()))
    }

    fn named(&self, address: Option<IpAddr>) -> String {
        let port = self.port();
        match self.is_socket() {
            true => format!("on socket \"{}/.s.PGSQL.{port}\"", self.host.trim_end_matches('/')),
            false => at(&self.host, port, address),
        }
    }

    fn port(&self) -> &str {
        if self.port.is_empty() { "5432" } else { &self.port }
    }

    fn is_socket(&self) -> bool {
        self.host.starts_with('/')
    }

    /// Why there is no connection to it, after what was said of the servers before it.
    pub fn told_failure(&self, failed: &Error) -> String {
        let address = self.told_with_address();
        let own = refusal(failed.what(), &address).unwrap_or_else(|| {
            match failed.sqlstate().filter(|state| *state != "08006") {
                Some(state) => {
                    // What was sent and not given has been read.
                    let file = if state == "28P01" && self.password.is_none() { self.password_file() } else { None };
                    let file =
                        file.map_or_else(String::new, |file| format!("\npassword retrieved from file \"{file}\""));
                    format!("connection to server {address} failed: FATAL:  {}{file}", failed.message())
                }
                None if failed.what().find("server-without-tls").is_some() => {
                    format!("connection to server {address} failed: server does not support SSL, but SSL was required")
                }
                None => format!("connection to server {address} failed: {}", failed.message()),
            }
        });
        format!("{}{own}", self.others)
    }

    /// The file from which its password is read.
    fn password_file(&self) -> Option<String> {
        let named = Dsn::parse(&self.dsn).ok().and_then(|dsn| dsn.options.get(PASSFILE).cloned());
        let usual = || environment::own("HOME").map(|home| format!("{home}/.pgpass"));
        named.or_else(|| environment::own("PGPASSFILE")).or_else(usual)
    }

    /// The same of the first of a run's clients that has no connection, with its number; `None` if the problem is another.
    pub fn told_client(&self, problem: &Problem) -> Option<(String, String)> {
        problem.what.find("connecting-clients")?;
        let why = problem.what.find("failed-with-number")?.arg("why")?.english();
        let connected = problem.evidence.as_ref()?.find("clients-were-connected")?.arg("connected")?.english();
        let server = self.told_with_address();
        Some((format!("connection to server {server} failed: FATAL:  {why}"), connected.to_owned()))
    }
}

/// Why an address cannot be used, as libpq says it, if it has words of its own for that.
pub fn told_address(problem: &Problem) -> String {
    let messages = || std::iter::once(&problem.what).chain(&problem.evidence);
    let argument = |id: &str, name: &str| messages().find_map(|m| Some(m.find(id)?.arg(name)?.english().to_owned()));
    if let Some(name) = argument("service-missing", "name") {
        let gone = environment::own("PGSERVICEFILE").filter(|file| !Path::new(file).exists());
        return match gone {
            Some(file) => format!("service file \"{file}\" not found"),
            None => format!("definition of service \"{name}\" not found"),
        };
    }
    if let (Some(file), Some(line)) = (argument("service-line-wrong", "file"), argument("service-line-wrong", "line")) {
        if problem.evidence.as_ref().is_some_and(|key| key.english() == "service") {
            return format!("nested service specifications not supported in service file \"{file}\", line {line}");
        }
        return format!("syntax error in service file \"{file}\", line {line}");
    }
    match argument("tls-mode-of-option-unknown", "mode") {
        Some(mode) => format!("invalid sslmode value: \"{}\"", mode.trim_matches('"')),
        None => problem.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_host_is_named_with_its_address_if_it_has_a_name() {
        let told = |host: &str| Server { host: host.into(), port: "1".into(), ..Server::default() }.told_with_address();
        let named = told("localhost");
        assert!(["127.0.0.1", "::1"].map(|ip| format!("at \"localhost\" ({ip}), port 1")).contains(&named), "{named}");
        assert_eq!(
            ["127.0.0.1", "::1", "/run"].map(told),
            ["at \"127.0.0.1\", port 1", "at \"::1\", port 1", "on socket \"/run/.s.PGSQL.1\""]
        );
        let what = tenbin_words::msg!("nothing-answers-at-port", host = "127.0.0.1", port = 1, error = "refused");
        let told = refusal(&what, &named).unwrap_or_default();
        assert!(told.starts_with(&format!("connection to server {named} failed: refused\n\tIs the server")), "{told}");
    }
}
