//! (a) What a query costs the client, and how many it can send from one core: the null server, each side on a core of
//! its own.

use crate::measurement::{Column, Measurement};
use crate::options::Options;
use crate::paired::Better::{Less, More};
use crate::paired_run::run_pairs;
use crate::server::Server;
use crate::tool::{self, Job, On};
use crate::window::{Window, measure};
use std::io;

const CLIENTS: &[u32] = &[1, 16, 64, 256, 512, 4096, 10_000];

/// Measures it.
pub fn run(options: &Options) -> io::Result<Measurement> {
    let mut server = Server::null(&[], 1)?;
    let window = Window::new(options, Some(0));
    let points: Vec<_> = options.points(CLIENTS).into_iter().map(|n| (format!("{n} clients"), n)).collect();
    let floor = tool::floor()?;
    let points = run_pairs(options, &points, |tool, clients| {
        let job = Job {
            workload: "oltp_point_select",
            on: On::Mysql,
            at: server.address.clone(),
            tables: 1,
            table_size: 10_000,
            clients: *clients,
            seconds: 600,
        };
        let mut figures = measure(tool, &job, &mut server, window)?;
        // In the same minute, so that both have the same machine under them.
        let bare = measure(&floor, &job, &mut server, window)?;
        figures.extend([("floor_us", bare["client_us"]), ("floor_qps", bare["qps"])]);
        figures.insert("over_floor", figures["client_us"] / bare["client_us"]);
        Ok(figures)
    })?;
    Ok(Measurement {
        key: "a",
        name: "Client CPU per query and ceiling: point select on the null server, client and server on a core each"
            .into(),
        columns: vec![
            Column::new("client_us", "client CPU µs/query", Less),
            Column::new("qps", "queries/s from one core", More),
            Column::new("over_floor", "client CPU ÷ bare epoll loop", Less),
            Column::new("floor_us", "bare epoll loop, µs/query", Less),
            Column::new("floor_qps", "bare epoll loop, queries/s", More),
            Column::new("ceiling_qps", "queries/s per core used", More),
            Column::new("server_us", "server CPU µs/query", Less),
            Column::new("client_kib", "memory, KiB per client", Less),
        ],
        points,
    })
}
