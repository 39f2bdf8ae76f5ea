//! (a) What a query costs the client, and how many it can send from one core: the null server, each side on a core of
//! its own.

use crate::measurement::{Column, Goal, Measurement};
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
            Column { figure: "client_us", name: "client CPU µs/query", better: Less, goals: CPU_GOALS.to_vec() },
            Column { figure: "qps", name: "queries/s from one core", better: More, goals: RATE_GOALS.to_vec() },
            Column {
                figure: "over_floor",
                name: "client CPU ÷ bare epoll loop",
                better: Less,
                goals: FLOOR_GOALS.to_vec(),
            },
            Column { figure: "floor_us", name: "bare epoll loop, µs/query", better: Less, goals: vec![] },
            Column { figure: "floor_qps", name: "bare epoll loop, queries/s", better: More, goals: vec![] },
            Column { figure: "ceiling_qps", name: "queries/s per core used", better: More, goals: vec![] },
            Column { figure: "server_us", name: "server CPU µs/query", better: Less, goals: vec![] },
            Column { figure: "client_kib", name: "memory, KiB per client", better: Less, goals: MEMORY_GOALS.to_vec() },
        ],
        points,
    })
}

const CPU_GOALS: &[Goal] = &[
    Goal::ratio("16 clients", 2.2, 3.0),
    Goal::ratio("64 clients", 2.2, 3.0),
    Goal::ratio("256 clients", 4.5, 6.0),
    Goal::ratio("512 clients", 6.0, 8.0),
];

/// What the kernel leaves.
const FLOOR_GOALS: &[Goal] = &[
    Goal::at_most("16 clients", 1.15, 1.08),
    Goal::at_most("64 clients", 1.15, 1.08),
    Goal::at_most("512 clients", 1.25, 1.15),
    Goal::at_most("4096 clients", 1.4, 1.25),
];

const MEMORY_GOALS: &[Goal] = &[Goal::at_most("10000 clients", 24.0, 12.0)];

const RATE_GOALS: &[Goal] = &[
    Goal::absolute("16 clients", 110_000.0, 160_000.0),
    Goal::absolute("64 clients", 110_000.0, 160_000.0),
    Goal::absolute("256 clients", 110_000.0, 160_000.0),
    Goal::absolute("512 clients", 110_000.0, 160_000.0),
    Goal::absolute("4096 clients", 110_000.0, 160_000.0),
];
