//! The round-trip time to a server on another machine, or behind a simulated link: of some statements that do nothing, the
//! shortest. It contains the network, and the little that the server and this machine need to answer; under load also the
//! queues in both. The shortest of a whole trial, most of them before the load, is the path alone.

use super::session::ObserverSession;
use super::{Observer, ObserverEntry, PATIENCE, Sample, Subject};
use crate::route;
use std::collections::BTreeMap;
use std::time::{Duration, Instant};
use tenbin_driver::{Connection, Error};
use tenbin_model::dsn::Scheme;
use tenbin_model::msg;
use tenbin_model::problem::Problem;
use tenbin_model::reading::{ReadingSpec, Whose};
use tenbin_model::why::{RTT, RTT_OBSERVER};

pub(super) const ENTRY: ObserverEntry = ObserverEntry {
    name: RTT_OBSERVER,
    readings: |_| {
        let spec = ReadingSpec::gauge(RTT, "s", Whose::Network);
        vec![spec.label("round-trip time to the server", "サーバーとの往復時間")]
    },
    period: None,
    patience: PATIENCE,
    connects: true,
    edges: false,
    each: None,
    make,
};

/// So many statements are sent for one sample.
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
        let shortest =
            self.session.ask(async |_| Ok(()), async |connection, ()| shortest(connection, statement).await)?;
        Ok(BTreeMap::from([(RTT.to_owned(), shortest.as_secs_f64())]).into())
    }

    fn disconnect(&mut self) {
        self.session.close();
    }
}

async fn shortest(connection: &mut Connection, statement: &str) -> Result<Duration, Problem> {
    let mut shortest = Duration::MAX;
    for _ in 0..STATEMENTS {
        let sent = Instant::now();
        let failed = |e: Error| e.problem(msg!("reading-round-trip"));
        connection.query(statement).await.map_err(failed)?;
        shortest = shortest.min(sent.elapsed());
    }
    Ok(shortest)
}
