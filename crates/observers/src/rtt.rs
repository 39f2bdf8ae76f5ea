//! The round-trip time to a server on another machine, or behind a simulated link: of some statements that do nothing, the
//! shortest and the median. They contain the network, and the little that the server and this machine need to answer; under load
//! also the queues in both. The shortest of a whole trial, most of them before the load, is the path alone; the median in the
//! measured window shows how long the queues are.

use super::session::ObserverSession;
use super::{Observer, ObserverEntry, Sample, Subject};
use std::collections::BTreeMap;
use std::time::{Duration, Instant};
use tenbin_driver::{Connection, Error};
use tenbin_model::dsn::Scheme;
use tenbin_model::names::round_trip::{RTT, RTT_MEDIAN, RTT_OBSERVER};
use tenbin_model::reading::{ReadingSpec, Whose};
use tenbin_servers::route;
use tenbin_words::msg;
use tenbin_words::problem::Problem;

pub(super) const ENTRY: ObserverEntry = ObserverEntry {
    name: RTT_OBSERVER,
    readings: |_| {
        let gauge = |name| ReadingSpec::gauge(name, "s", Whose::Network);
        vec![
            gauge(RTT).label("round-trip time to the server", "サーバーとの往復時間"),
            gauge(RTT_MEDIAN).label("round-trip time to the server, median", "サーバーとの往復時間(中央値)"),
        ]
    },
    connects: true,
    make,
    ..ObserverEntry::REGULAR
};

/// This many statements are sent for one sample.
const STATEMENTS: usize = 5;

fn make(subject: &Subject) -> Option<Box<dyn Observer>> {
    let dsn = subject.connector.dsn();
    let statement = match dsn.scheme {
        Scheme::Mysql => "DO 0",
        Scheme::Postgres => "SELECT",
        _ => return None,
    };
    let is_elsewhere = || {
        let to = route::host(dsn)?;
        Some(route::interface(to).ok()?.name != "lo")
    };
    let there = subject.link.is_some() || is_elsewhere().unwrap_or(false);
    there.then(|| Box::new(RoundTrips { session: ObserverSession::new(subject), statement }) as Box<dyn Observer>)
}

/// The round trips to one server.
struct RoundTrips {
    session: ObserverSession<()>,
    statement: &'static str,
}

impl Observer for RoundTrips {
    fn read(&mut self) -> Result<Sample, Problem> {
        let statement = self.statement;
        let taken = self.session.ask(async |_| Ok(()), async |connection, ()| taken(connection, statement).await)?;
        let read = [(RTT, taken[0]), (RTT_MEDIAN, taken[STATEMENTS / 2])];
        Ok(BTreeMap::from(read.map(|(name, time)| (name.to_owned(), time.as_secs_f64()))).into())
    }

    fn disconnect(&mut self) {
        self.session.close();
    }
}

/// How long each statement takes, the shortest first.
async fn taken(connection: &mut Connection, statement: &str) -> Result<[Duration; STATEMENTS], Problem> {
    let mut taken = [Duration::MAX; STATEMENTS];
    for one in &mut taken {
        let sent = Instant::now();
        let failed = |e: Error| e.problem(msg!("reading-round-trip"));
        connection.query(statement).await.map_err(failed)?;
        *one = sent.elapsed();
    }
    taken.sort_unstable();
    Ok(taken)
}
