//! What can limit the throughput of a target: the names of the limits that a diagnosis (`tenbin_verdict::why`) finds, and that a plan
//! puts to the test ([`crate::tested_limit`]).

use tenbin_words::message::Message;
use tenbin_words::msg;

/// What limits the throughput of a target.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Bottleneck {
    /// The clients' machine, or Tenbin itself.
    Client,
    /// A replica, by what the source may do without it falling behind.
    Replica,
    /// The rate of the line, or the round trips.
    Network,
    /// The processors of the server.
    ServerCpu,
    /// Reading data from the disk.
    DiskReads,
    /// Log and disk in commits.
    Commit,
    /// Locks on rows.
    RowLocks,
    /// Latches, mutexes and other short locks in memory.
    Latches,
    /// A limit of connections or of statements at once.
    Admission,
}

impl Bottleneck {
    /// All of them, in the order in which they are examined.
    pub const ALL: [Bottleneck; 9] = [
        Bottleneck::Client,
        Bottleneck::Replica,
        Bottleneck::Network,
        Bottleneck::ServerCpu,
        Bottleneck::DiskReads,
        Bottleneck::Commit,
        Bottleneck::RowLocks,
        Bottleneck::Latches,
        Bottleneck::Admission,
    ];

    /// Its name in JSON.
    pub fn code(self) -> &'static str {
        match self {
            Bottleneck::Client => "client",
            Bottleneck::Replica => "replica",
            Bottleneck::Network => "network",
            Bottleneck::ServerCpu => "server-cpu",
            Bottleneck::DiskReads => "disk-reads",
            Bottleneck::Commit => "commit",
            Bottleneck::RowLocks => "row-locks",
            Bottleneck::Latches => "latches",
            Bottleneck::Admission => "admission",
        }
    }

    /// What it is called in a sentence.
    pub fn label(self) -> Message {
        match self {
            Bottleneck::Client => msg!("bottleneck-client"),
            Bottleneck::Replica => msg!("bottleneck-replica"),
            Bottleneck::Network => msg!("bottleneck-network"),
            Bottleneck::ServerCpu => msg!("bottleneck-server-cpu"),
            Bottleneck::DiskReads => msg!("bottleneck-disk-reads"),
            Bottleneck::Commit => msg!("bottleneck-commit"),
            Bottleneck::RowLocks => msg!("bottleneck-row-locks"),
            Bottleneck::Latches => msg!("bottleneck-latches"),
            Bottleneck::Admission => msg!("bottleneck-admission"),
        }
    }
}
