//! The sides as their users type them: go-tpc, tpcc-mysql, Tenbin.

use crate::options::Options;
use crate::paired_run;
use crate::process::{self, Cpu};
use crate::server::Server;
use crate::tool;
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// How go-tpc is had; it has no package.
const GO_TPC: &str =
    "GOBIN=$PWD/peers go install github.com/pingcap/go-tpc/cmd/go-tpc@v1.0.12, then --go-tpc peers/go-tpc";

/// How tpcc-mysql is had: its makefile leaves out the mathematical library.
const TPCC_MYSQL: &str = "git clone https://github.com/Percona-Lab/tpcc-mysql; apt-get install gcc libmariadb-dev; \
     cd tpcc-mysql/src; gcc -w -O3 $(mariadb_config --cflags) load.c support.c $(mariadb_config --libs) -lm -o ../tpcc_load, \
     then --tpcc-mysql tpcc-mysql";

/// Longest load that is waited for.
const PATIENCE: Duration = Duration::from_secs(1200);

/// A tool that loads or drives TPC-C.
#[derive(Debug)]
pub enum Side {
    /// Its binary.
    GoTpc(PathBuf),
    /// Its folder: `tpcc_load`, `tpcc_start` and the SQL beside them.
    TpccMysql(PathBuf),
    /// Its binary, and more arguments.
    Tenbin(PathBuf, Vec<String>),
}

/// Who is there.
#[derive(Debug)]
pub struct Sides {
    /// Against whom loading and driving are measured.
    pub go_tpc: Option<Side>,
    /// Against whom loading is, and tpcc_start.
    pub tpcc_mysql: Option<Side>,
    /// Ours.
    pub ours: Side,
}

/// What a load took.
#[derive(Debug, Clone, Copy)]
pub struct Loaded {
    /// From an empty schema to the last key.
    pub wall_s: f64,
    /// The loader's CPU.
    pub client: Cpu,
    /// The server's.
    pub server: Cpu,
}

impl Sides {
    /// Those that the options name. With `--against` the other Tenbin stands in for go-tpc, with `--aa` go-tpc for
    /// ours.
    pub fn of(options: &Options) -> io::Result<Sides> {
        let absolute = |path: &PathBuf| std::path::absolute(path);
        let more = options.tenbin_args.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
        let tenbin = match &options.tenbin {
            Some(path) => absolute(path)?,
            None => tool::beside_us("tenbin", "tenbin-cli")?,
        };
        if let Some(other) = &options.against {
            let other = Side::Tenbin(absolute(other)?, more.clone());
            return Ok(Sides { go_tpc: Some(other), tpcc_mysql: None, ours: Side::Tenbin(tenbin, more) });
        }
        let go_tpc = options.go_tpc.as_ref().map(absolute).transpose()?;
        let tpcc_mysql = options.tpcc_mysql.as_ref().map(absolute).transpose()?;
        for (given, what, how) in [(&go_tpc, "go-tpc", GO_TPC), (&tpcc_mysql, "tpcc-mysql", TPCC_MYSQL)] {
            if given.is_none() {
                paired_run::left_out(&format!("comparisons with {what}"), how);
            }
        }
        let ours = match (&go_tpc, options.aa) {
            (Some(again), true) => Side::GoTpc(again.clone()),
            _ => Side::Tenbin(tenbin, more),
        };
        Ok(Sides { go_tpc: go_tpc.map(Side::GoTpc), tpcc_mysql: tpcc_mysql.map(Side::TpccMysql), ours })
    }
}

impl Side {
    /// As progress and tables name it.
    pub fn name(&self) -> &'static str {
        match self {
            Side::GoTpc(_) => "go-tpc",
            Side::TpccMysql(_) => "tpcc_load",
            Side::Tenbin(..) => "tenbin",
        }
    }

    /// Loads this many warehouses into an empty schema; with tpcc-mysql's ten foreign keys when `keys` (tpcc-mysql
    /// always).
    pub fn load(&self, server: &mut Server, schema: &str, warehouses: u32, keys: bool) -> io::Result<Loaded> {
        server.rows(&format!("DROP DATABASE IF EXISTS {schema}"))?;
        server.rows(&format!("CREATE DATABASE {schema}"))?;
        server.rest()?;
        let (started, before) = (Instant::now(), server.cpu()?);
        let client = match self {
            Side::TpccMysql(folder) => {
                server.rows(&format!("USE {schema}"))?;
                script(server, &folder.join("create_table.sql"))?;
                let words = format!("-h 127.0.0.1 -P {} -d {schema} -u root -w {warehouses}", server.port);
                let mut words: Vec<String> = words.split(' ').map(str::to_owned).collect();
                // It takes its password from an empty word.
                words.extend(["-p".to_owned(), String::new()]);
                let cpu = run(&folder.join("tpcc_load"), &words)?;
                script(server, &folder.join("add_fkey_idx.sql"))?;
                cpu
            }
            Side::GoTpc(program) => {
                let mut words = self.go_tpc("prepare", server.port, schema, warehouses, 4);
                words.push("--no-check".into());
                if keys {
                    words.push("--use-fk".into());
                }
                run(program, &words)?
            }
            Side::Tenbin(program, _) => {
                let mut words = vec!["load".into(), "tpcc".into(), dsn(server.port, schema)];
                words.extend(["--streams=4".into(), "--json".into(), format!("-owarehouses={warehouses}")]);
                if keys {
                    words.push("-oforeign_keys=on".into());
                }
                run(program, &words)?
            }
        };
        let wall_s = started.elapsed().as_secs_f64();
        let server_used = server.cpu()?.since(before);
        complete(server, schema, warehouses)?;
        Ok(Loaded { wall_s, client, server: server_used })
    }

    /// The command that drives this many connections until it is killed: any warehouse for each transaction and draws by
    /// weight, as go-tpc does it.
    /// `together`: statements that need nothing from one another at once, which go-tpc cannot.
    pub fn drive(
        &self,
        port: u16,
        schema: &str,
        warehouses: u32,
        connections: u32,
        together: bool,
    ) -> (&Path, Vec<String>) {
        match self {
            Side::GoTpc(program) | Side::TpccMysql(program) => {
                let mut words = self.go_tpc("run", port, schema, warehouses, connections);
                words.extend(
                    ["--time=10m", "--ignore-error", "--silence", "--max-measure-latency=60s"].map(str::to_owned),
                );
                (program, words)
            }
            Side::Tenbin(program, more) => {
                let mut words = vec!["bench".into(), "tpcc".into(), dsn(port, schema)];
                words.extend([format!("--threads={connections}"), "--time=600".into(), "--runs=runs".into()]);
                words.push("--calibrate=never".into());
                words.extend([format!("-owarehouses={warehouses}"), "-omix=weights".into(), "-ohome=random".into()]);
                words.extend(["--json".to_owned()]);
                if together {
                    words.push("-opipeline=on".into());
                }
                words.extend(more.iter().cloned());
                (program, words)
            }
        }
    }

    fn go_tpc(&self, command: &str, port: u16, schema: &str, warehouses: u32, threads: u32) -> Vec<String> {
        let words =
            format!("tpcc {command} -H 127.0.0.1 -P {port} -U root -D {schema} --warehouses {warehouses} -T {threads}");
        words.split(' ').map(str::to_owned).collect()
    }
}

/// The address of a schema.
pub fn dsn(port: u16, schema: &str) -> String {
    format!("mysql://root@127.0.0.1:{port}/{schema}")
}

/// Runs a program to its end; answers with its CPU.
fn run(program: &Path, words: &[String]) -> io::Result<Cpu> {
    let dir = tempfile::tempdir()?;
    let ended = process::start(program, words, None, dir.path())?.wait(PATIENCE)?;
    if !ended.status.success() {
        return Err(io::Error::other(format!("{} {}: {}", program.display(), ended.status, ended.said)));
    }
    Ok(ended.cpu)
}

/// Runs the statements of a file.
fn script(server: &mut Server, path: &Path) -> io::Result<()> {
    let text = std::fs::read_to_string(path).map_err(|e| io::Error::other(format!("{}: {e}", path.display())))?;
    for sql in text.split(';').map(str::trim).filter(|sql| !sql.is_empty()) {
        server.rows(sql).map_err(|e| io::Error::other(format!("{sql}: {e}")))?;
    }
    Ok(())
}

/// Loading less is faster: rows and indexes must be there.
fn complete(server: &mut Server, schema: &str, warehouses: u32) -> io::Result<()> {
    let w = u64::from(warehouses);
    for (table, least, most) in [
        ("warehouse", w, w),
        ("district", w * 10, w * 10),
        ("customer", w * 30_000, w * 30_000),
        ("history", w * 30_000, w * 30_000),
        ("orders", w * 30_000, w * 30_000),
        ("order_line", w * 297_000, w * 303_000),
        ("stock", w * 100_000, w * 100_000),
        ("item", 100_000, 100_000),
    ] {
        let rows = server.rows(&format!("SELECT COUNT(*) FROM {schema}.{table}"))?;
        let count = rows.first().and_then(|r| r.first()?.parse::<u64>().ok()).unwrap_or(0);
        if !(least..=most).contains(&count) {
            return Err(io::Error::other(format!("{schema}.{table} has {count} rows, not {least} to {most}")));
        }
    }
    for (table, column) in [("customer", "c_last"), ("orders", "o_c_id")] {
        if server.rows(&format!("SHOW INDEX FROM {schema}.{table} WHERE Column_name = '{column}'"))?.is_empty() {
            return Err(io::Error::other(format!("{schema}.{table} has no index on {column}")));
        }
    }
    Ok(())
}
