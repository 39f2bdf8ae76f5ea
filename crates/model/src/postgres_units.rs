//! Units of PostgreSQL's parameters (its manual, 19.1.1): sizes in powers of 1024, times, and multiples of one such as `8kB`.

/// Units of PostgreSQL's parameters that are written without one (`pg_settings.unit`, PostgreSQL 18).
const USUAL: &[(&str, &[&str])] = &[
    (
        "8kB",
        &[
            "shared_buffers",
            "effective_cache_size",
            "wal_buffers",
            "temp_buffers",
            "backend_flush_after",
            "bgwriter_flush_after",
            "checkpoint_flush_after",
            "wal_writer_flush_after",
            "min_parallel_table_scan_size",
            "min_parallel_index_scan_size",
            "commit_timestamp_buffers",
            "multixact_member_buffers",
            "multixact_offset_buffers",
            "notify_buffers",
            "serializable_buffers",
            "subtransaction_buffers",
            "transaction_buffers",
            "io_combine_limit",
            "io_max_combine_limit",
            "segment_size",
        ],
    ),
    (
        "kB",
        &[
            "work_mem",
            "maintenance_work_mem",
            "autovacuum_work_mem",
            "logical_decoding_work_mem",
            "max_stack_depth",
            "temp_file_limit",
            "wal_skip_threshold",
            "gin_pending_list_limit",
            "log_rotation_size",
            "vacuum_buffer_usage_limit",
            "log_temp_files",
            "huge_page_size",
            "ssl_renegotiation_limit",
        ],
    ),
    (
        "MB",
        &[
            "max_wal_size",
            "min_wal_size",
            "wal_keep_size",
            "max_slot_wal_keep_size",
            "min_dynamic_shared_memory",
            "shared_memory_size",
        ],
    ),
    (
        "ms",
        &[
            "statement_timeout",
            "lock_timeout",
            "idle_in_transaction_session_timeout",
            "idle_session_timeout",
            "transaction_timeout",
            "deadlock_timeout",
            "bgwriter_delay",
            "wal_writer_delay",
            "autovacuum_vacuum_cost_delay",
            "vacuum_cost_delay",
            "log_min_duration_statement",
            "log_autovacuum_min_duration",
            "wal_receiver_timeout",
            "wal_sender_timeout",
            "max_standby_streaming_delay",
            "max_standby_archive_delay",
            "tcp_user_timeout",
            "wal_retrieve_retry_interval",
            "recovery_min_apply_delay",
            "log_min_duration_sample",
            "log_startup_progress_interval",
            "client_connection_check_interval",
            "auto_explain.log_min_duration",
        ],
    ),
    (
        "s",
        &[
            "checkpoint_timeout",
            "archive_timeout",
            "authentication_timeout",
            "autovacuum_naptime",
            "checkpoint_warning",
            "wal_receiver_status_interval",
            "tcp_keepalives_idle",
            "tcp_keepalives_interval",
            "pre_auth_delay",
            "post_auth_delay",
            "idle_replication_slot_timeout",
            "pg_prewarm.autoprewarm_interval",
        ],
    ),
    ("min", &["log_rotation_age", "old_snapshot_threshold", "wal_summary_keep_time"]),
];

/// The unit of a number that is written for this parameter without one.
pub fn usual(name: &str) -> Option<&'static str> {
    USUAL.iter().find(|(_, names)| names.contains(&name)).map(|(unit, _)| *unit)
}

/// Bytes or milliseconds in a unit, a multiple of one included.
pub fn scale(unit: &str) -> Option<f64> {
    let (times, one) = multiple(unit)?;
    let size = match one {
        "B" => 1.0,
        "kB" => 1024.0,
        "MB" => 1_048_576.0,
        "GB" => 1_073_741_824.0,
        "TB" => 1_099_511_627_776.0,
        one => milliseconds(one)?,
    };
    Some(times as f64 * size)
}

/// [`scale`] of a unit in capital or small letters.
pub fn scale_in_any_case(unit: &str) -> Option<f64> {
    let (times, one) = multiple(unit)?;
    let known = ["B", "kB", "MB", "GB", "TB", "us", "ms", "s", "min", "h", "d"];
    let one = known.into_iter().find(|known| known.eq_ignore_ascii_case(one))?;
    Some(times as f64 * scale(one)?)
}

/// A whole number above 0 with this unit: 16384 of `8kB` is `131072kB`. Others have none: 0 and -1 switch something off. A number of a
/// time may have decimals: 0.5 of `ms` is `0.5ms`.
pub fn with_unit(value: &str, unit: &str) -> String {
    let product = || {
        let (times, one) = multiple(unit)?;
        let value = value.trim();
        let is_decimal = value.contains('.') && value.bytes().all(|b| b.is_ascii_digit() || b == b'.');
        if is_decimal && milliseconds(one).is_some() {
            let number = value.parse::<f64>().ok().filter(|number| *number > 0.0)?;
            return Some(format!("{}{one}", number * times as f64));
        }
        let number = value.parse::<u64>().ok().filter(|number| *number > 0)?;
        Some(format!("{}{one}", number.checked_mul(times)?))
    };
    product().unwrap_or_else(|| value.to_owned())
}

/// A time with its unit in milliseconds: `60000ms` for `1min`. None is 0 in any unit.
pub fn in_milliseconds(value: &str) -> Option<String> {
    let end = value.find(|c: char| !c.is_ascii_digit() && c != '.')?;
    let number = value[..end].parse::<f64>().ok()?;
    // 700us is 0.7ms, and not 0.7000000000000001ms.
    let all = (number * milliseconds(value[end..].trim())? * 1e6).round() / 1e6;
    Some(if all == 0.0 { "0".to_owned() } else { format!("{all}ms") })
}

fn milliseconds(unit: &str) -> Option<f64> {
    Some(match unit {
        "us" => 1e-3,
        "ms" => 1.0,
        "s" => 1e3,
        "min" => 6e4,
        "h" => 3.6e6,
        "d" => 8.64e7,
        _ => return None,
    })
}

/// `8kB` as 8 and `kB`.
fn multiple(unit: &str) -> Option<(u64, &str)> {
    let digits = unit.find(|c: char| !c.is_ascii_digit())?;
    let times = if digits == 0 { 1 } else { unit[..digits].parse().ok()? };
    Some((times, &unit[digits..]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_the_units_of_their_parameters() {
        assert_eq!(with_unit("16384", "8kB"), "131072kB");
        assert_eq!(
            ["0", "-1", "on", "1.5", "4GB"].map(|value| with_unit(value, "8kB")),
            ["0", "-1", "on", "1.5", "4GB"]
        );
        assert_eq!(with_unit("5", ""), "5");
        let of_time = ["0.5", "2.0", "0.0", "1.2.3", "."].map(|value| with_unit(value, "ms"));
        assert_eq!(of_time, ["0.5ms", "2ms", "0.0", "1.2.3", "."]);
        assert_eq!(["8kB", "min", "kb", ""].map(scale), [Some(8192.0), Some(6e4), None, None]);
        assert_eq!(in_milliseconds("1.5 s").as_deref(), Some("1500ms"));
        assert_eq!(in_milliseconds("700us").as_deref(), Some("0.7ms"));
        assert_eq!(["0ms", "0 s", "0.0h"].map(in_milliseconds), ["0"; 3].map(|zero| Some(zero.to_owned())));
        assert_eq!(["60", "1 week", "s"].map(in_milliseconds), [None, None, None]);
        assert_eq!((usual("checkpoint_timeout"), usual("max_connections")), (Some("s"), None));
    }
}
