//! The servers that are driven: the null server on a core of its own, a private MariaDB, a private PostgreSQL.

use crate::ask_postgres::AskPostgres;
use crate::control::Control;
use crate::process::{self, Cpu, Process};
use crate::reach::{Address, Namespace, Over};
use crate::tool::beside_us;
use std::collections::BTreeMap;
use std::io;
use std::time::{Duration, Instant};
use tempfile::TempDir;
use tenbin_model::dsn::Dsn;
use tenbin_servers::sandbox::{self, Options, Sandbox};

/// A server at work.
#[derive(Debug)]
pub struct Server {
    /// Its port on 127.0.0.1.
    pub port: u16,
    /// Where clients reach it.
    pub address: Address,
    /// The network that they are in, if it is not ours.
    namespace: Option<Namespace>,
    pid: u32,
    control: Asks,
    /// The statement that lists its counters, and the names of two of them: statements, open connections.
    counters: [&'static str; 3],
    /// How many statements our own asking adds to its counter each time.
    own: f64,
    _life: ServerProcess,
}

/// How it is asked.
#[derive(Debug)]
enum Asks {
    Mysql(Control),
    Postgres(AskPostgres),
}

impl Asks {
    fn rows(&mut self, sql: &str) -> io::Result<Vec<Vec<String>>> {
        match self {
            Asks::Mysql(control) => control.rows(sql),
            Asks::Postgres(ask) => ask.rows(sql),
        }
    }

    /// Rows of name and number as a map; what is no number is left out.
    fn figures(&mut self, sql: &str) -> io::Result<BTreeMap<String, f64>> {
        let pair = |row: Vec<String>| Some((row.first()?.clone(), row.get(1)?.parse().ok()?));
        Ok(self.rows(sql)?.into_iter().filter_map(pair).collect())
    }
}

/// What ends with it.
#[derive(Debug)]
enum ServerProcess {
    Null(#[expect(dead_code, reason = "held until it is dropped")] (Process, TempDir)),
    Private(#[expect(dead_code, reason = "held until it is dropped")] Box<Sandbox>),
}

impl Server {
    /// A null server on core `core`.
    pub fn null(arguments: &[&str], core: usize) -> io::Result<Server> {
        let dir = tempfile::tempdir()?;
        let program = beside_us("tenbin-null-server", "tenbin-null-server")?;
        let arguments: Vec<String> = arguments.iter().map(|a| (*a).to_owned()).collect();
        let mut process = process::start(&program, &arguments, Some(core), dir.path())?;
        let deadline = Instant::now() + Duration::from_secs(10);
        let port = loop {
            process.must_run()?;
            if let Some(port) = process.output().lines().next().and_then(|l| l.rsplit(':').next()?.parse().ok()) {
                break port;
            }
            if Instant::now() > deadline {
                return Err(io::Error::other("the null server did not say where it listens"));
            }
            std::thread::sleep(Duration::from_millis(5));
        };
        Ok(Server {
            port,
            address: Address::here(port),
            namespace: None,
            pid: process.id(),
            control: Asks::Mysql(Control::connect(port, "root")?),
            counters: ["SHOW NULL_SERVER STATUS", "queries", "connections_open"],
            own: 0.0,
            _life: ServerProcess::Null((process, dir)),
        })
    }

    /// A private MariaDB with an empty schema `sbtest`, as the facts behind the goals were taken: durable, binary log
    /// and query cache off, everything in memory.
    pub fn mariadb() -> io::Result<Server> {
        Server::mariadb_over(Over::Tcp)
    }

    /// The same for clients that reach it this way.
    pub fn mariadb_over(over: Over) -> io::Result<Server> {
        let mut server: BTreeMap<_, _> = [
            ("innodb_buffer_pool_size", "4G"),
            ("innodb_log_file_size", "2G"),
            ("innodb_flush_log_at_trx_commit", "1"),
            ("innodb_flush_method", "O_DIRECT"),
            ("performance_schema", "OFF"),
            ("query_cache_type", "OFF"),
            ("skip_log_bin", "1"),
            ("local_infile", "ON"),
            ("max_connections", "2000"),
            ("max_prepared_stmt_count", "100000"),
        ]
        .map(|(name, value)| (name.to_owned(), value.to_owned()))
        .into();
        let namespace = (over == Over::Namespace).then(Namespace::new).transpose()?;
        if namespace.is_some() {
            server.insert("bind_address".into(), "*".into());
        }
        let options =
            Options { binary: "mariadbd".into(), name: "bench".into(), server, open: true, ..Options::default() };
        // A run that was killed leaves its files behind; the kernel has ended its server.
        sandbox::clean().map_err(io::Error::other)?;
        let sandbox = Sandbox::start(&options).map_err(io::Error::other)?;
        let port = Dsn::parse(&sandbox.dsn()).ok().and_then(|d| d.port);
        let (Some(port), Some(pid)) = (port, sandbox.pid()) else {
            return Err(io::Error::other(format!("the sandbox has no port or no process: {}", sandbox.dsn())));
        };
        let mut control = Control::connect(port, "root")?;
        control.rows("CREATE DATABASE IF NOT EXISTS sbtest")?;
        if namespace.is_some() {
            let account = format!("root@'{}'", Namespace::THERE);
            control.rows(&format!("CREATE USER {account}"))?;
            control.rows(&format!("GRANT ALL ON *.* TO {account}"))?;
        }
        Ok(Server {
            port,
            address: address(over, &sandbox, port)?,
            namespace,
            pid,
            control: Asks::Mysql(control),
            counters: [
                "SHOW GLOBAL STATUS WHERE Variable_name IN ('Questions', 'Threads_connected')",
                "Questions",
                "Threads_connected",
            ],
            own: 0.0,
            _life: ServerProcess::Private(Box::new(sandbox)),
        })
    }

    /// A private PostgreSQL with an empty database `sbtest`: durable, everything in memory, counting its statements
    /// exactly; for clients that reach it this way.
    pub fn postgres_over(over: Over) -> io::Result<Server> {
        if over == Over::Namespace {
            return Err(io::Error::other(
                "a private PostgreSQL accepts connections from 127.0.0.1 and its Unix socket only",
            ));
        }
        let server = [
            ("shared_buffers", "2GB"),
            ("max_wal_size", "8GB"),
            ("synchronous_commit", "on"),
            ("max_connections", "600"),
            ("shared_preload_libraries", "pg_stat_statements"),
        ];
        let server = server.map(|(name, value)| (name.to_owned(), value.to_owned())).into();
        let options =
            Options { binary: "postgres".into(), name: "bench".into(), server, open: true, ..Options::default() };
        sandbox::clean().map_err(io::Error::other)?;
        let sandbox = Sandbox::start(&options).map_err(io::Error::other)?;
        let port = Dsn::parse(&sandbox.dsn()).ok().and_then(|d| d.port);
        let (Some(port), Some(pid)) = (port, sandbox.pid()) else {
            return Err(io::Error::other(format!("the sandbox has no port or no process: {}", sandbox.dsn())));
        };
        let mut ask = AskPostgres::connect(port, "postgres")?;
        ask.rows("CREATE EXTENSION pg_stat_statements")?;
        Ok(Server {
            port,
            address: address(over, &sandbox, port)?,
            namespace: None,
            pid,
            control: Asks::Postgres(ask),
            counters: [
                "SELECT 'statements', coalesce(sum(calls), 0) FROM pg_stat_statements WHERE query LIKE 'SELECT c FROM sbtest%' \
                 UNION ALL SELECT 'connections', count(*) FROM pg_stat_activity WHERE backend_type = 'client backend'",
                "statements",
                "connections",
            ],
            own: 0.0,
            _life: ServerProcess::Private(Box::new(sandbox)),
        })
    }

    /// Statements answered so far, those of our own asking apart, and connections open now.
    pub fn counts(&mut self) -> io::Result<(f64, f64)> {
        let [sql, statements, connections] = self.counters;
        let figures = self.control.figures(sql)?;
        let get =
            |name: &str| figures.get(name).copied().ok_or_else(|| io::Error::other(format!("no {name} in {sql}")));
        // Elsewhere our own asking is not among what is counted.
        self.own += if sql.starts_with("SHOW GLOBAL") { 1.0 } else { 0.0 };
        Ok((get(statements)? - self.own, get(connections)? - 1.0))
    }

    /// The beginning of a command line that starts a client in the network of its clients.
    pub fn entrance(&self) -> Vec<String> {
        self.namespace.as_ref().map(|namespace| namespace.enter().into()).unwrap_or_default()
    }

    /// CPU time until now.
    pub fn cpu(&self) -> io::Result<Cpu> {
        process::cpu_of_all(self.pid)
    }

    /// Runs a statement, keeps its rows.
    pub fn rows(&mut self, sql: &str) -> io::Result<Vec<Vec<String>>> {
        if let Asks::Mysql(_) = self.control {
            self.own += 1.0;
        }
        self.control.rows(sql)
    }

    /// The null server's own figures.
    pub fn null_figure(&mut self, name: &str) -> io::Result<f64> {
        let all = self.control.figures("SHOW NULL_SERVER STATUS")?;
        all.get(name).copied().ok_or_else(|| io::Error::other(format!("the null server has no figure {name}")))
    }

    /// Waits until `clients` connections are open; fails when `client` ends before or two minutes pass.
    pub fn await_clients(&mut self, clients: u32, client: &mut Process) -> io::Result<()> {
        let deadline = Instant::now() + Duration::from_secs(120);
        loop {
            let (_, open) = self.counts()?;
            if open >= f64::from(clients) {
                return Ok(());
            }
            client.must_run()?;
            if Instant::now() > deadline {
                return Err(io::Error::other(format!("only {open} of {clients} clients connected in two minutes")));
            }
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    /// Waits until the last client's connections are gone and the server rests, at most half a minute.
    pub fn rest(&mut self) -> io::Result<()> {
        let deadline = Instant::now() + Duration::from_secs(30);
        loop {
            let before = self.cpu()?;
            std::thread::sleep(Duration::from_millis(250));
            let idle = self.cpu()?.since(before).total_s() < 0.03;
            if Instant::now() > deadline || (idle && self.counts()?.1 <= 0.0) {
                return Ok(());
            }
        }
    }
}

/// Where clients reach a private server.
fn address(over: Over, sandbox: &Sandbox, port: u16) -> io::Result<Address> {
    match over {
        Over::Tcp => Ok(Address::here(port)),
        Over::Namespace => Ok(Address::Tcp(Namespace::HERE.into(), port)),
        Over::Socket => {
            let dsn = Dsn::parse(&sandbox.socket_dsn()).map_err(io::Error::other)?;
            let path = dsn.options.get("socket").ok_or_else(|| io::Error::other("the server has no Unix socket"))?;
            Ok(Address::Socket(path.into(), port))
        }
    }
}
