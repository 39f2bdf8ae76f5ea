//! An address may stand for several: `?hosts=a:3306,b:3307,/x` or `?socket=/x,/y`. The connections of a load use them in rotation, all others
//! the first.

use tenbin_model::dsn::Dsn;
use tenbin_words::message::foreign;
use tenbin_words::msg;
use tenbin_words::problem::Problem;

/// The addresses that an address stands for; itself if it has no list.
pub(crate) fn each(dsn: &Dsn) -> Result<Vec<Dsn>, Problem> {
    let list = |name: &str| dsn.options.get(name).filter(|v| v.contains(',') || name == "hosts");
    if !dsn.scheme.kind().has_address_lists {
        return Ok(vec![dsn.clone()]);
    }
    if let Some(sockets) = list("socket") {
        return Ok(sockets.split(',').map(|path| at_socket(dsn, path)).collect());
    }
    match list("hosts") {
        Some(hosts) => hosts.split(',').map(|host| at(dsn, host)).collect(),
        None => Ok(vec![dsn.clone()]),
    }
}

fn at_socket(dsn: &Dsn, path: &str) -> Dsn {
    let mut one = dsn.clone();
    one.options.insert("socket".into(), path.to_owned());
    one
}

fn at(dsn: &Dsn, host: &str) -> Result<Dsn, Problem> {
    if host.starts_with('/') {
        return Ok(at_socket(dsn, host));
    }
    let (host, port) = match host.rsplit_once(':') {
        Some((host, port)) => (host, port.parse().map(Some)),
        None => (host, Ok(None)),
    };
    let host = host.trim_start_matches('[').trim_end_matches(']').to_owned();
    match port {
        Ok(port) if !host.is_empty() => Ok(Dsn { host, port, ..dsn.clone() }),
        _ => Err(Problem::new(msg!("host-list-unreadable")).evidence(foreign(dsn)).hint(msg!("write-hosts-as"))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(text: &str) -> Vec<(String, Option<u16>, Option<String>)> {
        let all = each(&Dsn::parse(text).unwrap()).unwrap();
        all.into_iter().map(|d| (d.host, d.port, d.options.get("socket").cloned())).collect()
    }

    #[test]
    fn lists_are_taken_apart() {
        let host = |h: &str, p| (h.to_owned(), p, None);
        assert_eq!(of("mysql://u@h:1/d"), [host("h", Some(1))]);
        assert_eq!(
            of("mysql://u@a/d?hosts=a:1,b:2,[::1]:3"),
            [host("a", Some(1)), host("b", Some(2)), host("::1", Some(3))]
        );
        let socket = ("a".to_owned(), None, Some("/run/x.sock".to_owned()));
        assert_eq!(of("mysql://u@a/d?hosts=/run/x.sock,b:2"), [socket, host("b", Some(2))]);
        let sockets: Vec<_> =
            of("mysql://u@localhost/d?socket=/x,/y").into_iter().map(|(_, _, s)| s.unwrap()).collect();
        assert_eq!(sockets, ["/x", "/y"]);
        assert!(each(&Dsn::parse("mysql://u@a/d?hosts=a:x").unwrap()).is_err());
    }
}
