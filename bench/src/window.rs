//! One run in one window: start the client, let all its connections open and warm up, then read the counters twice.

use crate::options::Options;
use crate::paired::Figures;
use crate::process;
use crate::server::Server;
use crate::tool::{Job, Tool};
use std::io;
use std::path::Path;
use std::time::{Duration, Instant};

/// How a window is laid.
#[derive(Debug, Clone, Copy)]
pub struct Window {
    /// Seconds between all connections being open and its start.
    pub warmup_s: f64,
    /// Its length in seconds.
    pub length_s: f64,
    /// The core that the client is pinned to.
    pub core: Option<usize>,
    /// The client is started in a session of its own, as from another terminal than the server: where the kernel groups threads by session
    /// (autogroup), it then divides the processors between client and server first.
    pub own_session: bool,
}

impl Window {
    /// Of the length that the options give, on this core.
    pub fn new(options: &Options, core: Option<usize>) -> Window {
        Window { warmup_s: options.window_s() / 3.0, length_s: options.window_s(), core, own_session: false }
    }
}

/// Drives the server with the tool; answers with `qps` and, `ceiling_qps` (queries per second of client CPU) and, per
/// query, `client_us`, `client_user_us`, `client_system_us`, `server_us`; and
/// `observers_percent`, what the threads of Tenbin's observers took of a core; and `client_kib`, the resident memory of the client
/// process divided by its connections.
///
/// The client is killed at the window's end: its start, its report and its farewell are in no figure.
pub fn measure(tool: &Tool, job: &Job, server: &mut Server, window: Window) -> io::Result<Figures> {
    measure_line(tool, &tool.drive(job), job.clients, server, window)
}

/// [`measure`] of a tool with these arguments, which open this many connections.
pub fn measure_line(
    tool: &Tool,
    line: &[String],
    clients: u32,
    server: &mut Server,
    window: Window,
) -> io::Result<Figures> {
    let dir = tempfile::tempdir()?;
    // Programs that become the one that they start, whose number is thus that of what was started: of util-linux.
    let own_session = if window.own_session { vec!["setsid".to_owned()] } else { Vec::new() };
    let line = [&own_session[..], &server.entrance(), &[tool.program.display().to_string()], line].concat();
    let mut client = process::start(Path::new(&line[0]), &line[1..], window.core, dir.path())?;
    server.await_clients(clients, &mut client)?;
    std::thread::sleep(Duration::from_secs_f64(window.warmup_s));

    let (queries, _) = server.counts()?;
    let (client_cpu, server_cpu, start) = (client.cpu()?, server.cpu()?, Instant::now());
    let observers = client.threads_cpu_s(is_observer)?;
    std::thread::sleep(Duration::from_secs_f64(window.length_s));
    let (client_used, server_used) = (client.cpu()?.since(client_cpu), server.cpu()?.since(server_cpu));
    let observers = client.threads_cpu_s(is_observer)? - observers;
    let seconds = start.elapsed().as_secs_f64();
    let queries = server.counts()?.0 - queries;
    let memory_kib = client.memory_kib()?;

    client.must_run()?;
    drop(client);
    server.rest()?;
    if queries < 1.0 {
        return Err(io::Error::other(format!("{} sent nothing in the window", tool.name)));
    }
    let per_query_us = |s: f64| s / queries * 1e6;
    Ok(Figures::from([
        ("qps", queries / seconds),
        ("client_us", per_query_us(client_used.total_s())),
        // What a core would do that belonged to the client alone; holds also when others use the machine.
        ("ceiling_qps", queries / client_used.total_s()),
        ("client_user_us", per_query_us(client_used.user_s)),
        ("client_system_us", per_query_us(client_used.system_s)),
        ("server_us", per_query_us(server_used.total_s())),
        ("observers_percent", observers / seconds * 100.0),
        ("client_kib", memory_kib / f64::from(clients)),
    ]))
}

/// Whether a thread has the name of an observer, as far as the kernel keeps it.
fn is_observer(thread: &str) -> bool {
    tenbin_observers::ALL.iter().any(|entry| entry.name.get(..15).unwrap_or(entry.name) == thread)
}
