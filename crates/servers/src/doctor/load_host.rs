//! Whether this machine is fit to be a load host: open files, ports, and its distance to the servers.

use super::client;
use crate::finding::{Finding, Level, finding};
use crate::proc;
use std::time::{Duration, Instant};
use tenbin_driver::{Connector, Error, event_loop};
use tenbin_words::msg;
use tenbin_words::problem::Problem;

/// Besides those of clients: files of the program, its libraries and observers.
const OTHER_FILES: u64 = 100;
/// This many statements are executed to measure the distance to a server; the fastest counts.
const STATEMENTS: usize = 20;
const PATIENCE: Duration = Duration::from_secs(10);

/// A server that clients of this host will load.
#[derive(Debug)]
pub struct LoadedServer {
    /// The name of the target.
    pub target: String,
    /// How to connect to it, or why that is not known here.
    pub connector: Result<Connector, Problem>,
    /// Clients of this host.
    pub clients: u32,
}

/// All checks of a load host.
pub fn load_host(servers: &[LoadedServer]) -> Vec<Finding> {
    let mut all = client();
    // Which servers could be started here does not matter to a host.
    let machine = 1;
    let mut number = 0..;
    all.retain(|finding| number.next().is_some_and(|n| n < machine) || finding.level != Level::Ok);
    let clients = servers.iter().map(|server| u64::from(server.clients)).max().unwrap_or(0);
    all.extend(files(&proc::read("/proc/self/limits"), clients));
    all.extend(ports(&proc::read("/proc/sys/net/ipv4/ip_local_port_range"), clients));
    all.extend(servers.iter().map(distance));
    all
}

/// Whether clients may have this many connections open: a process raises its soft limit to the hard one.
fn files(limits: &str, clients: u64) -> Option<Finding> {
    let line = limits.lines().find_map(|line| line.strip_prefix("Max open files"))?;
    let allowed: u64 = line.split_whitespace().nth(1)?.parse().ok()?;
    let wanted = clients + OTHER_FILES;
    let finding = |level, title| finding(level, title).evidence(msg!("open-files-seen", allowed, clients));
    Some(if allowed >= wanted {
        finding(Level::Ok, msg!("open-files-are-enough"))
    } else {
        finding(Level::Error, msg!("open-files-are-too-few")).hint(msg!("raise-hard-limit-of-files", wanted))
    })
}

/// Whether each client can have a port of its own: they are per address of a server.
fn ports(range: &str, clients: u64) -> Option<Finding> {
    let mut ends = range.split_whitespace().map(str::parse::<u64>);
    let (Some(Ok(first)), Some(Ok(last))) = (ends.next(), ends.next()) else { return None };
    let there = (last + 1).saturating_sub(first);
    let finding = |level, title| finding(level, title).evidence(msg!("ports-seen", there, clients));
    Some(if there >= clients {
        finding(Level::Ok, msg!("ports-are-enough"))
    } else {
        finding(Level::Error, msg!("ports-are-too-few")).hint(msg!("widen-port-range"))
    })
}

/// How far away a server is, or that it cannot be used from here.
fn distance(server: &LoadedServer) -> Finding {
    let target = &server.target;
    let unusable = |problem: Problem| {
        let what = Problem::new(msg!("server-unusable-from-host", target));
        let evidence = match problem.evidence {
            Some(evidence) => msg!("problem-with-evidence", what = problem.what, seen = evidence),
            None => problem.what,
        };
        Finding::of(Level::Error, Problem { hint: problem.hint, ..what.evidence(evidence) })
    };
    let connector = match &server.connector {
        Ok(connector) => connector,
        Err(problem) => return unusable(problem.clone()),
    };
    let runtime = match event_loop() {
        Ok(runtime) => runtime,
        Err(problem) => return unusable(problem),
    };
    let timed = runtime.block_on(async { connector.within(PATIENCE, times(connector)).await });
    match timed {
        Ok(Ok((connect, statement))) => {
            let micros = |time: Duration| format!("{:.0}", time.as_secs_f64() * 1e6);
            let evidence = msg!("distance-seen", statement = micros(statement), connect = micros(connect));
            finding(Level::Ok, msg!("server-usable-from-host", target)).evidence(evidence)
        }
        Ok(Err(error)) => unusable(error.problem(msg!("connecting-to", dsn = connector.dsn()))),
        Err(_) => {
            let what = msg!("server-did-not-answer-questions", dsn = connector.dsn(), patience = PATIENCE.as_secs());
            unusable(Problem::new(what).hint(msg!("look-what-it-is-busy-with")))
        }
    }
}

/// How long it takes to connect and log in, and the shortest time of a statement that does nothing.
async fn times(connector: &Connector) -> Result<(Duration, Duration), Error> {
    let began = Instant::now();
    let mut c = connector.connect_ready().await?;
    let (connect, mut shortest) = (began.elapsed(), Duration::MAX);
    for _ in 0..STATEMENTS {
        let began = Instant::now();
        c.table("SELECT 1").await?;
        shortest = shortest.min(began.elapsed());
    }
    c.leave().await;
    Ok((connect, shortest))
}

#[cfg(test)]
mod tests {
    use super::*;
    use tenbin_words::message::Message;

    fn told(finding: Option<Finding>) -> String {
        let finding = finding.expect("known");
        let text = |message: Option<Message>| message.map_or(String::new(), |message| message.english().to_owned());
        let Finding { level, title, evidence, hint } = finding;
        format!("{level:?} {}: {} {}", title.english(), text(evidence), text(hint)).trim_end().to_owned()
    }

    #[test]
    fn files_and_ports_are_compared_with_clients() {
        let limits = "Max open files            1024                 20000                files     \n";
        assert_eq!(told(files(limits, 19_900)), "Ok open files are enough: 20000 allowed for 19900 clients");
        assert_eq!(
            told(files(limits, 19_901)),
            "Error open files are too few: 20000 allowed for 19901 clients ulimit -Hn 20001 as root, before the program is started"
        );
        assert_eq!(told(ports("32768\t60999\n", 28_232)), "Ok ports are enough: 28232 for 28232 clients");
        assert_eq!(
            told(ports("32768\t60999\n", 28_233)),
            "Error ports are too few: 28232 for 28233 clients sysctl -w net.ipv4.ip_local_port_range='1024 65535'"
        );
        assert_eq!(files("", 1), None);
        assert_eq!(ports("", 1), None);
    }
}
