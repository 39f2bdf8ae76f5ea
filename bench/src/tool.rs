//! The two sides of the balance as their users type them: command lines in, reported figures out.

use crate::options::Options;
use crate::paired::Figures;
use crate::reach::Address;
use std::io;
use std::path::PathBuf;

/// A load generator under measurement.
#[derive(Debug, Clone)]
pub struct Tool {
    /// As tables name it.
    pub name: &'static str,
    /// Its binary.
    pub program: PathBuf,
    kind: Kind,
    more: Vec<String>,
    /// Whether Tenbin is called by the name sysbench.
    by_name: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Sysbench,
    Tenbin,
    Floor,
}

/// Which kind of server a job is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum On {
    /// MariaDB, or the null server.
    Mysql,
    /// PostgreSQL.
    Postgres,
}

/// What a tool is to drive.
#[derive(Debug, Clone)]
pub struct Job {
    /// The workload's name, the same for both.
    pub workload: &'static str,
    /// The kind of server.
    pub on: On,
    /// The server's address.
    pub at: Address,
    /// Tables.
    pub tables: u32,
    /// Rows of each.
    pub table_size: u64,
    /// Concurrent clients, or loading streams.
    pub clients: u32,
    /// Seconds to drive; ignored for loading, and a limit where the number of events is given.
    pub seconds: u64,
}

/// The peer and ours; with `--aa` the peer twice.
pub fn both(options: &Options) -> io::Result<[Tool; 2]> {
    let peer = Tool {
        name: "sysbench",
        program: options.sysbench.clone(),
        kind: Kind::Sysbench,
        more: Vec::new(),
        by_name: false,
    };
    if options.aa {
        return Ok([peer.clone(), Tool { name: "sysbench again", ..peer }]);
    }
    let ours = ours(options)?;
    let peer = match &options.against {
        Some(path) => Tool { name: "other tenbin", program: std::path::absolute(path)?, ..ours.clone() },
        None => peer,
    };
    Ok([peer, ours])
}

/// Tenbin.
pub fn ours(options: &Options) -> io::Result<Tool> {
    let program = match &options.tenbin {
        Some(path) => std::path::absolute(path)?,
        None => beside_us("tenbin", "tenbin-cli")?,
    };
    let more = options.tenbin_args.split_whitespace().map(str::to_owned).collect();
    Ok(Tool { name: "tenbin", program, kind: Kind::Tenbin, more, by_name: options.by_name })
}

/// The bare loop that no client can be cheaper than (see `floor.rs`).
pub fn floor() -> io::Result<Tool> {
    let program = std::env::current_exe()?;
    Ok(Tool { name: "bare epoll", program, kind: Kind::Floor, more: Vec::new(), by_name: false })
}

/// This many clients, as points are named.
pub fn counted(clients: u32) -> String {
    format!("{clients} client{}", if clients == 1 { "" } else { "s" })
}

/// A binary that was built into the same folder as this one.
pub fn beside_us(name: &str, package: &str) -> io::Result<PathBuf> {
    let path = std::env::current_exe()?.with_file_name(name);
    if path.exists() {
        return Ok(path);
    }
    Err(io::Error::other(format!("{} is not there\n  hint      cargo build --release -p {package}", path.display())))
}

/// Events of a test, and its seconds.
#[derive(Debug, Clone, Copy)]
pub struct Events {
    /// How many.
    pub number: f64,
    /// In what time.
    pub seconds: f64,
}

fn sysbench_events(text: &str) -> Option<Events> {
    let after = |label: &str| text.split_once(label)?.1.split_whitespace().next()?.trim_end_matches('s').parse().ok();
    Some(Events { number: after("total number of events:")?, seconds: after("total time:")? })
}

fn tenbin_events(text: &str) -> Option<Events> {
    let from = text.find('{')?;
    let json = serde_json::Deserializer::from_str(&text[from..]).into_iter::<serde_json::Value>().next()?.ok()?;
    let trial = json.get("trials")?.get(0)?;
    Some(Events { number: trial["accounting"]["completed"].as_f64()?, seconds: trial["measured_s"].as_f64()? })
}

impl Tool {
    /// The same with one more argument at the end.
    pub fn with(mut self, argument: &str) -> Tool {
        self.more.push(argument.to_owned());
        self
    }

    /// Arguments that drive the job.
    pub fn drive(&self, job: &Job) -> Vec<String> {
        match self.kind {
            Kind::Sysbench => sysbench(job, "run"),
            Kind::Floor => {
                let (Address::Tcp(_, port) | Address::Socket(_, port)) = &job.at;
                vec!["floor".into(), port.to_string(), job.clients.to_string()]
            }
            Kind::Tenbin if self.by_name => self.script(job, &[]),
            Kind::Tenbin => {
                let mut all = vec!["bench".to_owned(), job.workload.to_owned(), dsn(job)];
                all.extend(sizes(job));
                all.extend([
                    format!("--threads={}", job.clients),
                    format!("--time={}", job.seconds),
                    "--rand-type=uniform".into(),
                    "--runs=runs".into(),
                    "--json".into(),
                    // Some of the tables are the peer's.
                    "--allow=write-unmarked".into(),
                    // The statements that measure the ceiling do nothing, and servers count them too: in a window they would be queries.
                    "--calibrate=never".into(),
                ]);
                all.extend(self.more.iter().cloned());
                all
            }
        }
    }

    /// Arguments that run a script, the job's workload, by sysbench's own command line on either side.
    pub fn script(&self, job: &Job, more: &[&str]) -> Vec<String> {
        let mut all = if self.kind == Kind::Tenbin { vec!["sysbench".to_owned()] } else { Vec::new() };
        all.extend(more.iter().map(|option| (*option).to_owned()));
        all.extend(sysbench(job, "run"));
        all
    }

    /// Arguments of a command for the job's tables, by sysbench's own command line on either side.
    pub fn tables(&self, job: &Job, command: &str) -> Vec<String> {
        let mut all = if self.kind == Kind::Tenbin { vec!["sysbench".to_owned()] } else { Vec::new() };
        all.extend(sysbench(job, command));
        all
    }

    /// Arguments that run this many events of the job and end; `script` by sysbench's own command line, as [`Self::script`].
    pub fn events_only(&self, job: &Job, script: bool, events: u64) -> Vec<String> {
        let mut all = match script {
            true => self.script(job, &[]),
            false => self.drive(job),
        };
        let at = if script || self.kind == Kind::Sysbench { all.len() - 1 } else { all.len() };
        all.insert(at, format!("--events={events}"));
        all
    }

    /// Arguments that load the job's tables with `clients` streams.
    pub fn load(&self, job: &Job) -> Vec<String> {
        match self.kind {
            Kind::Sysbench => sysbench(job, "prepare"),
            Kind::Floor => Vec::new(),
            Kind::Tenbin => {
                let mut all = vec!["load".to_owned(), job.workload.to_owned(), dsn(job)];
                all.extend(sizes(job));
                all.extend([format!("--streams={}", job.clients), "--json".into()]);
                all
            }
        }
    }

    /// Arguments that run a test of the machine itself, in the current directory; options as sysbench names them.
    pub fn host(&self, test: &str, options: &[&str], seconds: u64) -> Vec<String> {
        let mut all = match self.kind {
            Kind::Tenbin => {
                vec!["bench".to_owned(), test.to_owned(), "host:".to_owned(), "--runs=runs".into(), "--json".into()]
            }
            Kind::Sysbench | Kind::Floor => vec![test.to_owned()],
        };
        all.push(format!("--time={seconds}"));
        for option in options {
            match self.kind {
                Kind::Tenbin => all.extend(["-o".to_owned(), (*option).to_owned()]),
                Kind::Sysbench | Kind::Floor => all.push(format!("--{option}")),
            }
        }
        match self.kind {
            Kind::Tenbin => all.extend(self.more.iter().cloned()),
            Kind::Sysbench | Kind::Floor => all.push("run".into()),
        }
        all
    }

    /// How many events a test of the machine itself had, and in what time, as the tool reported it.
    pub fn events(&self, text: &str) -> io::Result<Events> {
        let result = match self.kind {
            Kind::Sysbench => sysbench_events(text),
            Kind::Tenbin => tenbin_events(text),
            Kind::Floor => None,
        };
        result.ok_or_else(|| io::Error::other(format!("{} reported no events: {text}", self.name)))
    }

    /// Latency of a transaction as the tool reported it: `mean_ms` and `p99_ms`.
    pub fn latency(&self, text: &str) -> io::Result<Figures> {
        let result = match self.kind {
            Kind::Sysbench => sysbench_latency(text),
            Kind::Tenbin => tenbin_latency(text),
            Kind::Floor => None,
        };
        result.ok_or_else(|| io::Error::other(format!("{} reported no latency: {text}", self.name)))
    }
}

fn sizes(job: &Job) -> [String; 2] {
    [format!("--tables={}", job.tables), format!("--table-size={}", job.table_size)]
}

fn dsn(job: &Job) -> String {
    match (job.on, &job.at) {
        (On::Mysql, Address::Tcp(host, port)) => format!("mysql://root@{host}:{port}/sbtest"),
        (On::Mysql, Address::Socket(path, _)) => format!("mysql://root@localhost/sbtest?socket={}", path.display()),
        (On::Postgres, Address::Tcp(host, port)) => format!("postgres://postgres@{host}:{port}/sbtest"),
        (On::Postgres, Address::Socket(directory, port)) => {
            format!("postgres://postgres@localhost:{port}/sbtest?socket={}", directory.display())
        }
    }
}

fn sysbench(job: &Job, command: &str) -> Vec<String> {
    let mut all = vec![job.workload.to_owned()];
    all.extend(match job.on {
        On::Mysql => vec![
            "--db-driver=mysql".into(),
            "--mysql-user=root".into(),
            "--mysql-db=sbtest".into(),
            "--mysql-ignore-errors=1213,1020,1205".into(),
        ],
        On::Postgres => vec!["--db-driver=pgsql".into(), "--pgsql-user=postgres".into(), "--pgsql-db=sbtest".into()],
    });
    all.extend(match (job.on, &job.at) {
        (On::Mysql, Address::Tcp(host, port)) => vec![format!("--mysql-host={host}"), format!("--mysql-port={port}")],
        (On::Mysql, Address::Socket(path, _)) => vec![format!("--mysql-socket={}", path.display())],
        (On::Postgres, Address::Tcp(host, port)) => {
            vec![format!("--pgsql-host={host}"), format!("--pgsql-port={port}")]
        }
        // libpq's rule: a host that is a path is the socket's directory.
        (On::Postgres, Address::Socket(directory, port)) => {
            vec![format!("--pgsql-host={}", directory.display()), format!("--pgsql-port={port}")]
        }
    });
    all.extend(sizes(job));
    all.extend([
        format!("--threads={}", job.clients),
        format!("--time={}", job.seconds),
        "--rand-type=uniform".into(),
        "--percentile=99".into(),
        command.into(),
    ]);
    all
}

/// `avg:` and `99th percentile:` of the report's latency block, in milliseconds.
fn sysbench_latency(text: &str) -> Option<Figures> {
    let after = |label: &str| {
        let line = text.lines().map(str::trim).find(|line| line.starts_with(label))?;
        line[label.len()..].trim().parse::<f64>().ok()
    };
    Some(Figures::from([("mean_ms", after("avg:")?), ("p99_ms", after("99th percentile:")?)]))
}

/// The response time of the measured window in `tenbin bench --json`.
fn tenbin_latency(text: &str) -> Option<Figures> {
    let from = text.find('{')?;
    let result = serde_json::Deserializer::from_str(&text[from..]).into_iter::<serde_json::Value>().next()?.ok()?;
    let ms = |name: &str| result.pointer(name).and_then(serde_json::Value::as_f64);
    Some(Figures::from([("mean_ms", ms("/trials/0/response/mean_ms")?), ("p99_ms", ms("/trials/0/response/p99_ms")?)]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reports_are_read() {
        let text = "Latency (ms):\n         min:      0.05\n         avg:                                   20.60\n         \
                    max:    40.10\n         99th percentile:                        29.19\n         sum:   1.0\n";
        assert_eq!(sysbench_latency(text), Some(Figures::from([("mean_ms", 20.6), ("p99_ms", 29.19)])));
        let text = "{\"trials\": [{\"response\": {\"mean_ms\": 20.6, \"p99_ms\": 22.5}}]}\nwarning: {}\n";
        assert_eq!(tenbin_latency(text), Some(Figures::from([("mean_ms", 20.6), ("p99_ms", 22.5)])));
        let text = "    total time:                          2.0001s\n    total number of events:              9043\n";
        assert_eq!(sysbench_events(text).map(|e| (e.number, e.seconds)), Some((9043.0, 2.0001)));
        let text = "{\"trials\": [{\"accounting\": {\"completed\": 7}, \"measured_s\": 2.5}]}";
        assert_eq!(tenbin_events(text).map(|e| (e.number, e.seconds)), Some((7.0, 2.5)));
        assert_eq!(tenbin_latency("error: no {"), None);
        assert_eq!(sysbench_latency("FATAL: unable to connect"), None);
    }
}
