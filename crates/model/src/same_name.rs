//! Names under which one and the same variable is known: options have other names than the variables that they set, and versions have
//! given variables new names.

/// Former names and those of options, each with the newest name (manuals of MySQL 5.6 to 9 and MariaDB 10.5 to 11.8). `key_buffer` and
/// the like are beginnings of options that the packages of distributions had for long.
const NAMES: [(&str, &str); 27] = [
    ("tx_isolation", "transaction_isolation"),
    ("tx_read_only", "transaction_read_only"),
    ("default_time_zone", "time_zone"),
    ("slow_query_log", "log_slow_query"),
    ("log_slow_queries", "log_slow_query"),
    ("slow_query_log_file", "log_slow_query_file"),
    ("long_query_time", "log_slow_query_time"),
    ("min_examined_row_limit", "log_slow_min_examined_row_limit"),
    ("wsrep_slave_threads", "wsrep_applier_threads"),
    ("storage_engine", "default_storage_engine"),
    ("table_cache", "table_open_cache"),
    ("table_type", "default_storage_engine"),
    ("key_buffer", "key_buffer_size"),
    ("sort_buffer", "sort_buffer_size"),
    ("join_buffer", "join_buffer_size"),
    ("read_buffer", "read_buffer_size"),
    ("read_rnd_buffer", "read_rnd_buffer_size"),
    ("myisam_sort_buffer", "myisam_sort_buffer_size"),
    ("thread_cache", "thread_cache_size"),
    ("myisam_recover", "myisam_recover_options"),
    ("default_character_set", "character_set_server"),
    ("character_set", "character_set_server"),
    ("default_collation", "collation_server"),
    ("innodb_log_files", "innodb_log_files_in_group"),
    ("force_parallel_mode", "debug_parallel_query"),
    ("sort_mem", "work_mem"),
    ("vacuum_mem", "maintenance_work_mem"),
];

/// The newest name of a variable: `replica` for `slave` and `source` for `master` since MySQL 8.0.26, and what [`NAMES`] has.
pub(crate) fn newest(name: &str) -> String {
    let newer = NAMES.iter().find(|(former, _)| *former == name).map(|(_, newest)| *newest);
    newer.map_or_else(|| name.replace("slave", "replica").replace("master", "source"), str::to_owned)
}

/// All names of the variable with this newest name, that one first.
pub(crate) fn all(newest: &str) -> Vec<String> {
    let former = NAMES.iter().filter(|(_, of)| *of == newest).map(|(former, _)| (*former).to_owned());
    let before = newest.replace("replica", "slave").replace("source", "master");
    let before = Some(before).filter(|name| name != newest);
    [newest.to_owned()].into_iter().chain(before).chain(former).collect()
}

#[cfg(test)]
mod tests {
    use super::{NAMES, all, newest};

    #[test]
    fn each_name_leads_to_the_newest() {
        for (former, of) in NAMES {
            assert!(newest(of) == of && all(of).contains(&former.to_owned()), "{former}");
        }
        assert_eq!(newest("log_slave_updates"), "log_replica_updates");
        assert_eq!(newest("rpl_semi_sync_master_enabled"), "rpl_semi_sync_source_enabled");
        assert_eq!(all("log_replica_updates"), ["log_replica_updates", "log_slave_updates"]);
    }
}
