//! The names of observers, of their readings and of facts, as recordings have them: what observes and what judges share.

pub mod replica;
pub mod session;

/// The process that drives the clients, and its readings of the control group with the smallest quota.
pub mod client_process {
    /// The observer.
    pub const OBSERVER: &str = "client.process";
    /// The time in which the threads that run clients were ready to run and waited for a processor.
    pub const WORKERS_DELAY: &str = "worker_run_delay_s";
    /// What the names of these threads begin with.
    pub const WORKERS: &str = "worker-";
    /// Processors by the quota.
    pub const QUOTA: &str = "cpu_quota_cores";
    /// The periods of the quota so far, and those in which it was used up.
    pub const PERIODS: &str = "cpu_periods";
    /// See [`PERIODS`].
    pub const THROTTLED_PERIODS: &str = "cpu_throttled_periods";
}

/// The figures of CloudWatch.
pub mod cloud_metrics {
    /// The observer.
    pub const OBSERVER: &str = "cloudwatch";
    /// The length of the periods of which CloudWatch has figures.
    pub const MINUTE_S: i64 = 60;
    /// The same in milliseconds.
    pub const MINUTE_MS: u64 = 60_000;
}

/// What a server still has to do in the background.
pub mod debts {
    /// The observer.
    pub const OBSERVER: &str = "server.settling";
    /// Changed pages of InnoDB that are not in the files yet, percent of the buffer pool.
    pub const DIRTY_PAGES: &str = "dirty_pages";
    /// The length of InnoDB's history list, transactions.
    pub const PURGE: &str = "purge";
    /// InnoDB's redo log since the last checkpoint, bytes.
    pub const CHECKPOINT_AGE: &str = "checkpoint_age";
    /// Workers of PostgreSQL's autovacuum in the database.
    pub const VACUUM: &str = "vacuum_workers";
}

/// The machines of client and servers.
pub mod machine_facts {
    /// What the names of these facts start with.
    pub const PREFIX: &str = "machine.";
}

/// Observers that judges and pages read too; their readings have the names of the kernel, or those of the server.
pub mod observer {
    /// The machine of the client.
    pub const CLIENT_HOST: &str = "client.host";
    /// The machine of a server, if it is another one.
    pub const SERVER_HOST: &str = "server.host";
    /// The processes of a server on this machine.
    pub const SERVER_PROCESS: &str = "server.process";
    /// What a server counts and shows of itself.
    pub const SERVER_STATUS: &str = "server.status";
    /// Times of reads and flushes of files by `performance_schema`.
    pub const SERVER_FILES: &str = "server.files";
    /// The binary logs of a server.
    pub const SERVER_BINLOG: &str = "server.binlog";
}

/// The network path to a target.
pub mod path {
    /// The observer.
    pub const OBSERVER: &str = "client.path";
    /// Bits sent through the interface of the route.
    pub const SENT: &str = "sent_bits";
    /// Bits received through that interface.
    pub const RECEIVED: &str = "received_bits";
    /// TCP segments sent, without those sent again.
    pub const SEGMENTS: &str = "tcp_segments";
    /// TCP segments sent again.
    pub const RETRANSMITTED: &str = "tcp_retransmitted_segments";
    /// The rate of the interface, bits per second, if the interface says it.
    pub const SPEED: &str = "speed_bits";
    /// The fact about a target that names the interface.
    pub const INTERFACE: &str = "network_interface";
}

/// The round-trip time to a server.
pub mod round_trip {
    /// The observer.
    pub const RTT_OBSERVER: &str = "client.rtt";
    /// Its reading: the shortest of some round trips, seconds.
    pub const RTT: &str = "rtt_s";
    /// Its reading: the median of these round trips, seconds.
    pub const RTT_MEDIAN: &str = "rtt_median_s";
}

/// Facts about a server that determine what a commit survives, beside its variables.
pub mod server_facts {
    /// Whether InnoDB writes its redo log (MySQL from 8.0.21 on).
    pub const REDO_LOG: &str = "status.innodb_redo_log_enabled";
    /// InnoDB's page size according to its status, empty if there is no such status.
    pub const PAGE_SIZE: &str = "status.innodb_page_size";
    /// The result of `SELECT version()`.
    pub const VERSION: &str = "status.version";
}

/// Facts about the tables of a trial.
pub mod tables {
    /// The number of rows (or bytes) of the data set.
    pub const ROWS: &str = "tables.rows";
    /// Their unit: `rows` or `bytes`.
    pub const UNIT: &str = "tables.unit";
    /// Their approximate size on disk, bytes.
    pub const BYTES: &str = "tables.bytes";
    /// The storage engines of the tables, in lower case, separated by commas.
    pub const ENGINE: &str = "tables.engine";
    /// `logged` or `unlogged`: the persistence of the tables in PostgreSQL.
    pub const PERSISTENCE: &str = "tables.persistence";
    /// What a table consists of, and which it is, before its name: a list.
    pub const DEFINITION: &str = "tables.definition.";
    /// What all tables of a trial consist of, as far as it lasts when they are loaded again: a list.
    pub const PARTS: &str = "tables.definition.*";
    /// What stands between the items of a list.
    pub const SEPARATOR: &str = "; ";
    /// A statement of the load that sets what commits survive in its own sessions.
    pub const SET_BY_LOAD: &str = "tables.durability_set_by_load";
}
