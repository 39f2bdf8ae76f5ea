//! Reads the request of a reader of the live figures: its path, and the format that it prefers.

use super::MetricsFormat;
use std::io::{Error, ErrorKind, Read};
use std::net::{IpAddr, TcpStream};
use std::path::Path;
use std::time::Instant;

/// Most bytes of a request.
const LONGEST: usize = 16 << 10;
/// Most headers of it.
const MOST_HEADERS: usize = 64;

/// What a reader is answered.
#[derive(Debug, PartialEq, Eq)]
pub enum MetricsRequest {
    /// The figures.
    Figures {
        /// In this format.
        format: MetricsFormat,
        /// Whether more than the head is wanted.
        with_body: bool,
    },
    /// A refusal.
    Refused {
        /// The status line.
        status: &'static str,
        /// A further header, with its line end.
        header: &'static str,
    },
}

/// The status of a request for a host that this machine is not.
const FOREIGN_HOST: &str = "421 Misdirected Request: ask by IP address, or give this name in --metrics NAME:PORT";

const BAD: MetricsRequest = MetricsRequest::Refused { status: "400 Bad Request", header: "" };

/// The names by which a reader may call this machine. A page of another site can make a browser of this machine ask for a name of its
/// own that leads here (DNS rebinding); the figures are not for it.
#[derive(Debug)]
pub struct OwnHosts {
    names: Vec<String>,
}

impl OwnHosts {
    /// Those of an endpoint at this address, `HOST:PORT`: its host, that of this machine, and addresses in digits.
    pub fn of(address: &str) -> OwnHosts {
        let own = tenbin_intake::text_or_empty(Path::new("/proc/sys/kernel/hostname"), tenbin_intake::SMALL);
        let given = host_of(address);
        OwnHosts { names: vec!["localhost".to_owned(), own.trim().to_owned(), given.to_owned()] }
    }

    fn is_own(&self, header: &str) -> bool {
        let host = host_of(header.trim());
        let name = host.strip_suffix('.').unwrap_or(host);
        let digits = host.trim_matches(['[', ']']).parse::<IpAddr>().is_ok();
        digits || !name.is_empty() && self.names.iter().any(|own| own.eq_ignore_ascii_case(name))
    }
}

/// The host of `HOST:PORT`.
fn host_of(address: &str) -> &str {
    match address.rsplit_once(':') {
        Some((host, port)) if port.bytes().all(|byte| byte.is_ascii_digit()) && !host.ends_with(':') => host,
        _ => address,
    }
}

/// Reads a request, until this time.
pub fn read(stream: &mut TcpStream, until: Instant, hosts: &OwnHosts) -> std::io::Result<MetricsRequest> {
    let (mut text, mut some) = (Vec::new(), [0; 2048]);
    loop {
        let left = until.saturating_duration_since(Instant::now());
        if left.is_zero() {
            return Err(Error::from(ErrorKind::TimedOut));
        }
        stream.set_read_timeout(Some(left))?;
        match stream.read(&mut some)? {
            0 => return Err(Error::from(ErrorKind::UnexpectedEof)),
            n => text.extend_from_slice(&some[..n]),
        }
        if let Some(request) = parsed(&text, hosts) {
            return Ok(request);
        }
        if text.len() > LONGEST {
            return Ok(MetricsRequest::Refused { status: "431 Request Header Fields Too Large", header: "" });
        }
    }
}

/// The request, if the text is complete.
fn parsed(text: &[u8], hosts: &OwnHosts) -> Option<MetricsRequest> {
    let mut headers = [httparse::EMPTY_HEADER; MOST_HEADERS];
    let mut request = httparse::Request::new(&mut headers);
    match request.parse(text) {
        Ok(httparse::Status::Partial) => return None,
        Ok(httparse::Status::Complete(_)) => {}
        Err(_) => return Some(BAD),
    }
    let mut named = request.headers.iter().filter(|header| header.name.eq_ignore_ascii_case("host"));
    match (named.next(), named.next(), request.version) {
        (None, _, Some(0)) => {}
        // One without the name of a host, or with several (RFC 9112, section 3.2).
        (None, ..) | (_, Some(_), _) => return Some(BAD),
        (Some(host), None, _) if std::str::from_utf8(host.value).is_ok_and(|host| hosts.is_own(host)) => {}
        _ => return Some(MetricsRequest::Refused { status: FOREIGN_HOST, header: "" }),
    }
    let method = request.method.unwrap_or_default();
    let path = request.path.unwrap_or_default().split('?').next().unwrap_or_default();
    Some(match (path, method) {
        ("/metrics", "GET" | "HEAD") => {
            let accepted = request.headers.iter().filter(|header| header.name.eq_ignore_ascii_case("accept"));
            let open = accepted.filter_map(|header| std::str::from_utf8(header.value).ok()).any(wants_open_metrics);
            let format = if open { MetricsFormat::OpenMetrics } else { MetricsFormat::Text };
            MetricsRequest::Figures { format, with_body: method == "GET" }
        }
        ("/metrics", _) => MetricsRequest::Refused { status: "405 Method Not Allowed", header: "Allow: GET, HEAD\r\n" },
        _ => MetricsRequest::Refused { status: "404 Not Found, see /metrics", header: "" },
    })
}

/// Whether OpenMetrics is among the accepted types, not with the weight 0. Prometheus prefers it over the older format.
fn wants_open_metrics(accepted: &str) -> bool {
    accepted.split(',').any(|part| {
        let mut parameters = part.split(';').map(str::trim);
        let kind = parameters.next().unwrap_or_default();
        let weight = parameters.find_map(|parameter| parameter.strip_prefix("q="));
        kind.eq_ignore_ascii_case("application/openmetrics-text")
            && weight.is_none_or(|weight| weight.parse::<f64>().is_ok_and(|weight| weight > 0.0))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn requests_are_answered_by_path_method_and_accepted_types() {
        let hosts = OwnHosts::of("bench-1.example.com:9464");
        let of = |text: &str| parsed(text.as_bytes(), &hosts).map(|request| format!("{request:?}")).unwrap_or_default();
        let get = |accept: &str| of(&format!("GET /metrics?x HTTP/1.1\r\nHost: localhost\r\naccept: {accept}\r\n\r\n"));
        let prometheus = "application/openmetrics-text;version=1.0.0;q=0.5,text/plain;version=0.0.4;q=0.3,*/*;q=0.2";
        let all = [
            get(prometheus),
            get("*/*"),
            get("application/openmetrics-text;q=0, text/plain"),
            of("GET /metrics HTTP/1.0\r\n\r\n"),
            of("HEAD /metrics HTTP/1.1\r\nHost: [::1]:9464\r\n\r\n"),
            of("POST /metrics HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"),
            of("GET / HTTP/1.1\r\nHost: 10.0.0.7:80\r\n\r\n"),
            of("GET /metrics HTTP/1.1\r\nHost"),
            of("\u{16}\u{3}\u{1} tls\r\n\r\n"),
        ];
        insta::assert_snapshot!(all.join("\n"), @r#"
        Figures { format: OpenMetrics, with_body: true }
        Figures { format: Text, with_body: true }
        Figures { format: Text, with_body: true }
        Figures { format: Text, with_body: true }
        Figures { format: Text, with_body: false }
        Refused { status: "405 Method Not Allowed", header: "Allow: GET, HEAD\r\n" }
        Refused { status: "404 Not Found, see /metrics", header: "" }

        Refused { status: "400 Bad Request", header: "" }
        "#);
    }

    #[test]
    fn only_names_of_this_machine_are_answered() {
        let hosts = OwnHosts::of("bench-1.example.com:9464");
        let of = |host: &str| match parsed(format!("GET /metrics HTTP/1.1\r\n{host}\r\n").as_bytes(), &hosts) {
            Some(MetricsRequest::Figures { .. }) => 200,
            Some(MetricsRequest::Refused { status, .. }) => status[..3].parse().unwrap(),
            None => 0,
        };
        for own in [
            "localhost",
            "LOCALHOST:9464",
            "127.0.0.1:9464",
            "[::1]:9464",
            "[::1]",
            "bench-1.example.com",
            "localhost.:1",
        ] {
            assert_eq!(of(&format!("Host: {own}\r\n")), 200, "{own}");
        }
        for foreign in ["evil.example", "localhost.evil.example:9464", "127.0.0.1.evil.example", "", ":9464", "\u{e9}"]
        {
            assert_eq!(of(&format!("Host: {foreign}\r\n")), 421, "{foreign}");
        }
        assert_eq!(of(""), 400, "HTTP/1.1 has a host");
        assert_eq!(of("Host: localhost\r\nHost: evil.example\r\n"), 400);
    }
}
