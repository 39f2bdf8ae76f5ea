//! Checks whether this machine and a server are ready to be measured. Findings have evidence and a hint.
//!
//! [`preflight`] contains the checks before a trial starts, so that limits are not reached in the middle of a run.

pub mod limits;
pub mod load_host;
mod postgres;
mod privileges;
mod servers;

use crate::finding::{Finding, Level, finding};
use crate::role::{self, Role};
use crate::server_query::{NoAnswer, PATIENCE, query_server};
use crate::{facts, machine, proc, sandbox};
use limits::{ConnectionsInUse, Raise};
use std::collections::BTreeMap;
use std::time::Duration;
use tenbin_driver::{Abandoned, Connection, Connector, Error};
use tenbin_model::dsn::Scheme;
use tenbin_model::names::machine_facts::PREFIX;
use tenbin_model::promise;
use tenbin_model::variables::canonical_name;
use tenbin_words::message::{Message, foreign};
use tenbin_words::msg;
use tenbin_words::problem::Problem;

/// What a run requires of a server.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Needs {
    /// Connections of the clients, at the same time.
    pub clients: u32,
    /// Connections of a load that comes before them.
    pub streams: u32,
    /// Further connections of ours: one that observes the server, one that holds the lock on the tables.
    pub beside: u32,
    /// How many of the further connections are open already.
    pub open: u32,
    /// Statements each client keeps prepared.
    pub prepared_per_client: u32,
    /// The length of the longest statement in bytes; 0 if it is far below any limit, or unknown.
    pub statement: u64,
    /// The statements that will create or drop tables.
    pub statements: Vec<String>,
    /// Their schema, if it is not that of the address.
    pub schema: Option<String>,
    /// Whether clients write.
    pub writes: bool,
    /// Variables that will be set before, by name.
    pub planned: BTreeMap<String, String>,
}

impl Needs {
    /// All connections at the same time.
    fn connections(&self) -> u64 {
        u64::from(self.clients.max(self.streams)) + u64::from(self.beside)
    }

    /// The variables that will be set, named as servers name them.
    fn planned(&self) -> impl Iterator<Item = (String, String)> {
        self.planned.iter().map(|(name, value)| (canonical_name(name), value.clone()))
    }
}

/// This machine.
pub fn client() -> Vec<Finding> {
    let facts = machine::client();
    let get = |name: &str| facts.get(name).map_or("", String::as_str);
    let of_machine = |name: &str| get(&format!("{PREFIX}{name}")).to_owned();
    let mut all = about_client(&facts);
    let governor = of_machine("governor");
    if !["", "performance"].contains(&governor.as_str()) {
        all.push(
            finding(Level::Warning, msg!("processor-speed-varies"))
                .evidence(msg!("governor", governor))
                .hint(msg!("set-performance-governor")),
        );
    }
    all.extend(others_at_work());
    let stat = proc::cpu(&proc::read("/proc/stat"));
    let (steal, whole) = (stat.get("cpu_steal_s").copied().unwrap_or(0.0), stat.values().sum::<f64>());
    if whole > 0.0 && steal / whole > 0.01 {
        all.push(
            finding(Level::Warning, msg!("steal"))
                .evidence(msg!("steal-since-boot", percent = format_args!("{:.1}", 100.0 * steal / whole))),
        );
    }
    for binary in ["mariadbd", "mysqld", "postgres"] {
        if let Ok(path) = sandbox::available(binary) {
            all.push(finding(Level::Ok, msg!("sandbox-is-here", binary, path = path.display())));
        }
    }
    all
}

/// What this machine is, and its system. Without the kernel's files hardly anything of it is known.
fn about_client(facts: &BTreeMap<String, String>) -> Vec<Finding> {
    let of = |name: &str| match facts.get(name).map(String::as_str) {
        None | Some("") => msg!("fact-not-known"),
        Some(value) => foreign(value),
    };
    let of_machine = |name: &str| of(&format!("{PREFIX}{name}"));
    let (cpu, cores, memory) = (of_machine("cpu"), of("cores"), of_machine("memory"));
    let (system, kernel) = (of_machine("system"), of_machine("kernel"));
    vec![
        finding(Level::Ok, msg!("client-machine", cpu, cores, memory)),
        finding(Level::Ok, msg!("client-system", system, kernel)),
    ]
}

/// Other programs that are using this machine's processors right now, or that this cannot be known. The load average alone still includes our own
/// last run, so if it is high the running tasks are counted, several times within a tenth of a second.
pub fn others_at_work() -> Option<Finding> {
    let pause = || std::thread::sleep(Duration::from_millis(20));
    others_in_proc(&proc::read("/proc/loadavg"), || proc::read("/proc/stat"), pause)
}

/// As [`others_in`]. Without the kernel's files nothing is known: of others, of the processor time of client and server, of their memory.
fn others_in_proc(average: &str, stat: impl Fn() -> String, pause: impl Fn()) -> Option<Finding> {
    if average.is_empty() && stat().is_empty() {
        return Some(finding(Level::Warning, msg!("no-proc")).evidence(msg!("no-proc-seen")).hint(msg!("mount-proc")));
    }
    others_in(average, stat, pause)
}

/// By the load average, and texts of `/proc/stat` with a pause between them. Both are of the whole machine, and so are the processors that
/// they are divided by: this process may be limited to some of them, on which the others need not run.
fn others_in(average: &str, stat: impl Fn() -> String, pause: impl Fn()) -> Option<Finding> {
    let load: f64 = average.split(' ').next()?.parse().ok()?;
    let cores = proc::processors(&stat()).max(1) as f64;
    (load > BUSY * cores).then_some(())?;
    // One of them is this process.
    let looks = (0..5).filter_map(|n| {
        if n > 0 {
            pause();
        }
        Some(f64::from(proc::running(&stat())?.saturating_sub(1)))
    });
    let looks: Vec<f64> = looks.collect();
    let running = looks.iter().sum::<f64>() / looks.len().max(1) as f64;
    (running > BUSY * cores).then(|| {
        finding(Level::Warning, msg!("machine-busy"))
            .evidence(msg!("load-of-others", load, cores, running = format_args!("{running:.1}")))
            .hint(msg!("top"))
    })
}

/// Tasks of others per core above which they are reported.
const BUSY: f64 = 0.3;

/// All checks of a server for `tenbin doctor DSN`.
pub fn server(connector: &Connector, needs: &Needs) -> Vec<Finding> {
    examine(connector, needs, true)
}

/// The checks before a trial starts.
pub fn preflight(connector: &Connector, needs: &Needs) -> Vec<Finding> {
    examine(connector, needs, false)
}

fn examine(connector: &Connector, needs: &Needs, whole: bool) -> Vec<Finding> {
    let problem = match query_server(connector, async |c| Ok(check(connector, c, needs, whole).await)) {
        Ok(Ok(findings)) => return findings,
        Ok(Err(NoAnswer::Connecting(e) | NoAnswer::Querying(e))) => {
            e.problem(msg!("connecting-to", dsn = connector.dsn()))
        }
        Ok(Err(NoAnswer::Abandoned(Abandoned::Stopped))) => Problem::new(msg!("stopped-asking-server")),
        Ok(Err(NoAnswer::Abandoned(Abandoned::Slow))) => {
            let (dsn, patience) = (connector.dsn(), PATIENCE.as_secs());
            Problem::new(msg!("server-did-not-answer-questions", dsn, patience)).hint(msg!("look-what-it-is-busy-with"))
        }
        Err(problem) => problem,
    };
    vec![Finding::of(Level::Error, problem)]
}

async fn check(connector: &Connector, c: &mut Connection, needs: &Needs, whole: bool) -> Vec<Finding> {
    let called = facts::called(connector, c).await;
    let mut all = vec![finding(Level::Ok, msg!("server-at", called, dsn = connector.dsn()))];
    let answer = match connector.dsn().scheme {
        Scheme::Mysql => mysql(connector, c, needs, whole).await,
        Scheme::Postgres => postgres::check(connector, c, needs, whole).await,
        Scheme::Sqlite | Scheme::Null | Scheme::Host => Ok(Vec::new()),
    };
    match answer {
        Ok(more) => all.extend(more),
        Err(e) => all.push(finding(Level::Warning, msg!("not-everything-seen")).evidence(foreign(e))),
    }
    all.extend(servers::check(connector, c).await);
    all
}

async fn mysql(connector: &Connector, c: &mut Connection, needs: &Needs, whole: bool) -> Result<Vec<Finding>, Error> {
    let mut variables = pairs(c, "SHOW GLOBAL VARIABLES").await?;
    variables.extend(needs.planned());
    let variables = variables;
    let text = |name: &str| variables.get(name).map_or("", String::as_str);
    let mut taken = taken(c, needs).await?;
    let mut all = limits::mysql(&variables, taken, needs, Raise::OnServer);
    // Connections that a load or an earlier trial has just closed are still counted for a moment.
    let mut looks = 0;
    while !whole && looks < LOOKS && taken != ConnectionsInUse::default() && all.iter().any(|f| f.level == Level::Error)
    {
        tokio::time::sleep(LOOK).await;
        taken = self::taken(c, needs).await?;
        all = limits::mysql(&variables, taken, needs, Raise::OnServer);
        looks += 1;
    }
    if taken.connections > 0 && whole {
        all.push(
            finding(Level::Note, msg!("others-connected"))
                .evidence(msg!("connections-besides-ours", connections = taken.connections))
                .hint(msg!("show-processlist")),
        );
    }
    all.extend(privileges::check(connector, c, needs).await?);
    all.extend(at_work(c).await);
    all.extend(in_replication(&role::of(connector.dsn().scheme, c).await?, whole));
    if text("local_infile") == "OFF" {
        all.push(
            finding(Level::Note, msg!("load-data-local-off"))
                .evidence(msg!("local-infile-off"))
                .hint(msg!("set-local-infile")),
        );
    }
    all.push(as_durable(connector, c, &variables, &[], whole).await);
    if connector.dsn().is_local() || machine::process_here(connector).is_some() {
        all.push(shared_machine(connector));
    }
    Ok(all)
}

/// How often, and at what interval, a server is queried again for connections of others.
const LOOKS: u32 = 10;
const LOOK: Duration = Duration::from_millis(100);

/// How much of a MySQL server's limits others are using.
async fn taken(c: &mut Connection, needs: &Needs) -> Result<ConnectionsInUse, Error> {
    let status = pairs(c, "SHOW GLOBAL STATUS").await?;
    let number = |name: &str| status.get(name).and_then(|v| v.parse::<u64>().ok()).unwrap_or(0);
    // Our own connection, which sends this query, is included in the count.
    let ours = 1 + u64::from(needs.open);
    let connections = number("threads_connected").saturating_sub(ours);
    Ok(ConnectionsInUse { connections, prepared: number("prepared_stmt_count") })
}

/// The server's role in replication.
fn in_replication(role: &Role, whole: bool) -> Option<Finding> {
    let known = |level, what: Message| {
        let evidence = role.words();
        Some(Finding { evidence, ..finding(level, what) })
    };
    // A trial that gets here only reads, or is permitted to write.
    let weight = if whole { Level::Warning } else { Level::Note };
    let reads = msg!("use-read-only-workload");
    if !role.copies.is_empty() {
        return known(weight, msg!("server-is-replica")).map(|f| f.hint(reads));
    }
    if !role.read_only.is_empty() {
        return known(weight, msg!("server-is-read-only")).map(|f| f.hint(reads));
    }
    if role.replicas > 0 {
        return known(Level::Note, msg!("writes-go-to-replicas"));
    }
    match &role.unseen {
        Some(why) => Some(finding(Level::Note, msg!("replica-unknown")).evidence(foreign(why))),
        None => whole.then(|| finding(Level::Ok, msg!("server-is-no-replica"))),
    }
}

fn shared_machine(connector: &Connector) -> Finding {
    let what = msg!("server-on-same-machine");
    finding(Level::Note, what).evidence(foreign(connector.dsn()))
}

/// Other sessions that are active right now, as far as they are visible to our account. Their statements are not
/// reported.
async fn at_work(c: &mut Connection) -> Option<Finding> {
    const IDLE: [&str; 4] = ["sleep", "daemon", "binlog dump", "binlog dump gtid"];
    const THREADS: [&str; 2] = ["system user", "event_scheduler"];
    let own = c.table("SELECT CONNECTION_ID()").await.ok()?.scalar()?.to_owned();
    let rows = c.table("SHOW PROCESSLIST").await.ok()?.rows;
    let mut others: BTreeMap<String, u32> = BTreeMap::new();
    for row in rows {
        // Id, User, Host, db, Command, Time, …
        if let [Some(id), Some(user), _, _, Some(command), _, ..] = row.as_slice()
            && *id != own
            && !IDLE.contains(&command.to_lowercase().as_str())
            && !THREADS.contains(&user.as_str())
        {
            *others.entry(user.clone()).or_default() += 1;
        }
    }
    let who: Vec<String> = others.iter().map(|(user, n)| format!("{n} × {user}")).collect();
    (!who.is_empty()).then(|| {
        finding(Level::Warning, msg!("others-at-work")).evidence(foreign(who.join(", "))).hint(msg!("show-processlist"))
    })
}

/// What commits survive with these settings, if `whole`, in tables of the default engine; `more` are shown too, unless
/// they are empty.
async fn as_durable(
    connector: &Connector,
    c: &mut Connection,
    settings: &BTreeMap<String, String>,
    more: &[&str],
    whole: bool,
) -> Finding {
    let mut known = facts::beyond_variables(connector.dsn().scheme, c).await;
    known.extend(settings.iter().map(|(name, value)| (format!("variable.{name}"), value.clone())));
    let promise = promise::words(promise::of_server(&known));
    let more = more.iter().filter_map(|name| Some((name, settings.get(*name).filter(|value| !value.is_empty())?)));
    let mut shown = promise::settings(&known);
    shown.extend(more.map(|(name, value)| format!("{name} {value}")));
    // A trial's tables may have another engine, which the page reports.
    let title = if whole { msg!("durability-of-tables", promise) } else { msg!("durability-as-it-is-set") };
    finding(Level::Note, title).evidence(foreign(shown.join(", ")))
}

async fn pairs(c: &mut Connection, sql: &str) -> Result<BTreeMap<String, String>, Error> {
    let rows = c.table(sql).await?.rows;
    Ok(rows
        .into_iter()
        .filter_map(|row| {
            let mut fields = row.into_iter().flatten();
            Some((fields.next()?.to_lowercase(), fields.next()?))
        })
        .collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tasks_of_others_are_judged_by_the_processors_of_the_machine() {
        // Four processors, whichever of them this process may use; this process is one of those that run.
        let stat =
            |running: u32| format!("cpu  1 2\ncpu0 1\ncpu1 1\ncpu2 1\ncpu3 1\nintr 7\nprocs_running {running}\n");
        let evidence_of = |average: &str, running: u32| {
            others_in(average, || stat(running), || ()).map(|finding| finding.evidence.unwrap())
        };
        assert_eq!(evidence_of("1.00 0.5 0.1 1/200 9", 4), None, "the load average is low");
        assert_eq!(evidence_of("3.00 0.5 0.1 1/200 9", 2), None, "that was our own last run");
        let text = evidence_of("3.00 0.5 0.1 1/200 9", 4).unwrap().to_string();
        assert_eq!(text, "load average 3 on 4 cores; 3.0 other tasks run or wait for a processor");
    }

    #[test]
    fn without_the_kernels_files_the_machine_is_not_called_idle() {
        let title = others_in_proc("", String::new, || ()).map(|finding| finding.title.to_string());
        assert!(title.is_some_and(|title| title.contains("/proc")));
        let of_nothing = about_client(&BTreeMap::new());
        let of_nothing: Vec<String> = of_nothing.iter().map(|finding| finding.title.to_string()).collect();
        assert!(of_nothing[0].ends_with("(not known), (not known) cores, (not known)"), "{of_nothing:?}");
        assert!(of_nothing[1].ends_with("(not known), Linux (not known)"), "{of_nothing:?}");
        assert_eq!(
            others_in_proc("0.10 0.5 0.1 1/200 9", || "cpu  1 2\ncpu0 1\nprocs_running 1\n".to_owned(), || ()),
            None
        );
    }
}
