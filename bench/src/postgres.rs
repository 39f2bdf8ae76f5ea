//! (e) PostgreSQL on the same cores: point selects on a private server over TCP, as (b) has them for MariaDB.
//!
//! The server counts its statements by pg_stat_statements, whose counters are exact at once (pg_stat_database's are a
//! second late); what that costs it is the same for both sides. The peer's tables are vacuumed and analysed first, as
//! ours are.

use crate::measurement::{Column, Measurement};
use crate::options::Options;
use crate::paired::Better::{Less, More};
use crate::paired_run::run_pairs;
use crate::server::Server;
use crate::shared_cores::{both_groups, load_as_the_peer_does};
use crate::tool::{Job, On};
use crate::window::{Window, measure};
use std::io;

const CLIENTS: &[u32] = &[1, 16, 64, 256];
const ROWS: u64 = 1_000_000;

/// Measures it.
pub fn run(options: &Options) -> io::Result<Measurement> {
    let mut server = Server::postgres_over(options.over)?;
    let job = |clients| Job {
        workload: "oltp_point_select",
        on: On::Postgres,
        at: server.address.clone(),
        tables: 1,
        table_size: if options.quick { ROWS / 10 } else { ROWS },
        clients,
        seconds: 600,
    };
    let points = both_groups(options, CLIENTS, "point select", job);
    load_as_the_peer_does(options, &job(1))?;
    server.rows("VACUUM (ANALYZE) sbtest1")?;
    server.rest()?;
    let window = Window::new(options, None);
    let points = run_pairs(options, &points, |tool, (job, own_session)| {
        measure(tool, job, &mut server, Window { own_session: *own_session, ..window })
    })?;
    Ok(Measurement {
        key: "e",
        name: format!(
            "Private PostgreSQL {} on shared cores: one table of a million rows, uniform",
            options.over.name()
        )
        .into(),
        columns: vec![
            Column::new("qps", "queries/s", More),
            Column::new("client_us", "client CPU µs/query", Less),
            Column::new("server_us", "server CPU µs/query", Less),
        ],
        points,
    })
}
