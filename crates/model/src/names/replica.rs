//! The observer of replicas and its readings of each.

/// The observer of replicas.
pub const OBSERVER: &str = "replica";

/// The reading of the lower bound of a replica's lag, seconds.
pub fn at_least(replica: &str) -> String {
    format!("{replica}.lag_s")
}

/// The reading of the upper bound, seconds.
pub fn at_most(replica: &str) -> String {
    format!("{replica}.lag_at_most_s")
}

/// The reading of what the replica says itself, seconds.
pub fn seconds_behind(replica: &str) -> String {
    format!("{replica}.seconds_behind")
}

/// The reading that is 1 while what applies the changes on a replica is in a commit, and otherwise 0.
pub fn in_commit(replica: &str) -> String {
    format!("{replica}.applies_commit")
}

/// The reading of InnoDB's flushes to the disk on a replica, of its log and of its data files.
pub fn syncs(replica: &str) -> String {
    format!("{replica}.log_syncs")
}

/// The reading of reads from the disk by InnoDB on a replica.
pub fn reads(replica: &str) -> String {
    format!("{replica}.innodb_data_reads")
}

/// The reading of writes of InnoDB's log on a replica. MySQL counts them among [`writes`], too.
pub fn log_writes(replica: &str) -> String {
    format!("{replica}.innodb_log_writes")
}

/// The reading of writes to the disk by InnoDB on a replica.
pub fn writes(replica: &str) -> String {
    format!("{replica}.innodb_data_writes")
}

/// The reading of the open connections of a replica.
pub fn connections(replica: &str) -> String {
    format!("{replica}.threads_connected")
}
