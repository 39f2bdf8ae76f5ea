//! What statements do beyond rows: the server itself, the file of SQLite, whether a session may write. Used by [`crate::statement`].

/// Whether the words, in capitals, are those of a statement that changes the server itself.
pub(crate) fn beyond_rows(upper: &[String]) -> bool {
    begins_beyond_rows(upper) || changes_by_call(upper)
}

/// The same by its verb alone, and not by the functions that it calls.
pub(crate) fn begins_beyond_rows(upper: &[String]) -> bool {
    let has = |all: &[&str]| upper.iter().any(|word| all.contains(&word.as_str()));
    let [verb, second] = [0, 1].map(|at| upper.get(at).map_or("", String::as_str));
    let object =
        || upper.iter().skip(1).find(|word| !["OR", "REPLACE", "IF", "NOT", "EXISTS"].contains(&word.as_str()));
    match verb {
        "SET" => {
            // White space may stand in front of the point.
            let scoped = |word: &String| word.split('.').next() == Some("@@GLOBAL") || word.starts_with("@@PERSIST");
            has(&["GLOBAL", "PERSIST", "PERSIST_ONLY", "PASSWORD"])
                || upper.iter().any(scoped)
                || upper.windows(2).any(|two| two[0] == "DEFAULT" && two[1] == "ROLE")
        }
        "GRANT" | "REVOKE" | "KILL" | "SHUTDOWN" | "PURGE" | "INSTALL" | "UNINSTALL" | "CHANGE" | "CLONE"
        | "RESTART" => true,
        "RESET" => ["MASTER", "REPLICA", "SLAVE", "BINARY", "PERSIST"].contains(&second),
        "STOP" => true,
        "START" => ["REPLICA", "SLAVE", "ALL", "GROUP_REPLICATION"].contains(&second),
        "CREATE" | "DROP" | "ALTER" => object().is_some_and(|object| OBJECTS.contains(&object.as_str())),
        "COPY" => has(&["TO", "PROGRAM"]) && !has(&["STDOUT", "STDIN"]),
        "SELECT" | "VALUES" | "TABLE" | "WITH" | "(" => {
            upper.windows(2).any(|two| two[0] == "INTO" && ["OUTFILE", "DUMPFILE"].contains(&two[1].as_str()))
        }
        _ => false,
    }
}

/// What is not in a schema.
const OBJECTS: [&str; 14] = [
    "SYSTEM",
    "USER",
    "ROLE",
    "GROUP",
    "DATABASE",
    "SCHEMA",
    "SERVER",
    "TABLESPACE",
    "INSTANCE",
    "EVENT",
    "EXTENSION",
    "SUBSCRIPTION",
    "PUBLICATION",
    "LOGFILE",
];

/// Whether a statement calls a function whose effect is not in rows of its table.
pub(crate) fn changes_by_call(upper: &[String]) -> bool {
    // `CREATE TABLE dblink (…)` names a table.
    let is_name = |at: usize| at > 0 && ["TABLE", "INTO", "EXISTS"].contains(&&*upper[at - 1]);
    let has_effect = |word: &String| {
        let name = word.rsplit('.').next().unwrap_or_default();
        EFFECTS.contains(&name) || KINDS_OF_EFFECTS.iter().any(|kind| name.starts_with(kind))
    };
    upper.windows(2).enumerate().any(|(at, two)| two[1] == "(" && has_effect(&two[0]) && !is_name(at))
}

/// Functions of PostgreSQL whose effect is not in rows, and that read-only transactions permit (PostgreSQL manual 9.27, 35.4; those of large objects up to
/// version 15).
const EFFECTS: [&str; 31] = [
    "PG_TERMINATE_BACKEND",
    "PG_CANCEL_BACKEND",
    "PG_RELOAD_CONF",
    "PG_ROTATE_LOGFILE",
    "PG_ROTATE_LOGFILE_OLD",
    "PG_LOG_BACKEND_MEMORY_CONTEXTS",
    "PG_LOG_STANDBY_SNAPSHOT",
    "PG_PROMOTE",
    "PG_SWITCH_WAL",
    "PG_CREATE_RESTORE_POINT",
    "PG_START_BACKUP",
    "PG_STOP_BACKUP",
    "PG_REPLICATION_SLOT_ADVANCE",
    "PG_SYNC_REPLICATION_SLOTS",
    "PG_REPLICATION_ORIGIN_CREATE",
    "PG_REPLICATION_ORIGIN_DROP",
    "PG_REPLICATION_ORIGIN_ADVANCE",
    "PG_REPLICATION_ORIGIN_SESSION_SETUP",
    "PG_REPLICATION_ORIGIN_XACT_SETUP",
    "PG_LOGICAL_EMIT_MESSAGE",
    "PG_STAT_STATEMENTS_RESET",
    "PG_IMPORT_SYSTEM_COLLATIONS",
    "LO_EXPORT",
    "LO_IMPORT",
    "LO_CREAT",
    "LO_CREATE",
    "LO_FROM_BYTEA",
    "LO_PUT",
    "LO_UNLINK",
    "LOWRITE",
    "DBLINK",
];

/// The first letters of more of them, and of those of the module `dblink`, which execute statements in sessions of their own.
const KINDS_OF_EFFECTS: [&str; 13] = [
    "PG_STAT_RESET",
    "PG_LOGICAL_SLOT_GET",
    "PG_WAL_REPLAY_",
    "PG_BACKUP_",
    "PG_CREATE_PHYSICAL_",
    "PG_CREATE_LOGICAL_",
    "PG_DROP_",
    "PG_COPY_",
    "PG_FILE_",
    "PG_CLEAR_",
    "PG_RESTORE_",
    "LO_TRUNCATE",
    "DBLINK_",
];

/// Whether a statement may let its session write again: those of scripts that only read are read-only. `text`: the whole of which the words are.
pub(crate) fn unlocks(verb: &str, upper: &[String], text: &[u8]) -> bool {
    let has = |word: &str| upper.iter().any(|other| other == word);
    let is_variable = |word: &String| word.contains(':');
    match verb {
        "BEGIN" | "START" | "SET" | "RESET" => {
            let writes = upper.windows(2).any(|two| two[0] == "READ" && two[1] == "WRITE");
            // The name of what is set, or the mode, may be any.
            let scopes = ["SESSION", "LOCAL"];
            let name = upper.iter().skip(1).find(|word| !scopes.contains(&word.as_str()));
            let is_any = match verb == "SET" && !has("TRANSACTION") {
                true => name.is_some_and(is_variable) || upper.iter().any(|word| word.rfind(':') > Some(0)),
                false => upper.iter().any(is_variable),
            };
            writes || is_any || upper.iter().any(|word| word.ends_with("READ_ONLY"))
        }
        _ => {
            let calls = |word: &String| word.rsplit('.').next() == Some("SET_CONFIG");
            upper.iter().any(calls) && !sets_another(text)
        }
    }
}

/// Whether each call of `set_config` in a text names what it sets, and that is not whether a session may write.
fn sets_another(text: &[u8]) -> bool {
    let lower = String::from_utf8_lossy(text).to_lowercase();
    let names_it = |rest: &str| {
        let quoted = rest.trim_start().strip_prefix('(').and_then(|rest| rest.trim_start().strip_prefix('\''));
        quoted.and_then(|rest| rest.split_once('\'')).is_some_and(|(name, rest)| {
            let is_plain = name.bytes().all(|b| b.is_ascii_alphanumeric() || b"_.".contains(&b));
            is_plain && rest.trim_start().starts_with(',')
        })
    };
    !lower.contains("read_only") && lower.split("set_config").skip(1).all(names_it)
}

/// What a PRAGMA of SQLite does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Pragma {
    /// It reads, or sets what only this connection has.
    Reads,
    /// It may let the connection write.
    Unlocks,
    /// It may change the file.
    Writes,
}

/// What one does, by its name and by whether the text has an argument for it (sqlite.org/pragma.html).
pub(crate) fn pragma(name: &str, text: &[u8]) -> Pragma {
    const WRITE_ALONE: [&str; 3] = ["incremental_vacuum", "optimize", "wal_checkpoint"];
    const READ_WITH: [&str; 36] = [
        "analysis_limit",
        "automatic_index",
        "busy_timeout",
        "cache_size",
        "cache_spill",
        "case_sensitive_like",
        "cell_size_check",
        "checkpoint_fullfsync",
        "collation_list",
        "count_changes",
        "defer_foreign_keys",
        "empty_result_callbacks",
        "foreign_key_check",
        "foreign_key_list",
        "foreign_keys",
        "full_column_names",
        "fullfsync",
        "hard_heap_limit",
        "index_info",
        "index_list",
        "index_xinfo",
        "integrity_check",
        "mmap_size",
        "quick_check",
        "read_uncommitted",
        "recursive_triggers",
        "reverse_unordered_selects",
        "short_column_names",
        "soft_heap_limit",
        "synchronous",
        "table_info",
        "table_list",
        "table_xinfo",
        "temp_store",
        "threads",
        "wal_autocheckpoint",
    ];
    let name = name.rsplit('.').next().unwrap_or_default().to_ascii_lowercase();
    let has_argument = text.iter().any(|byte| b"=(".contains(byte));
    match (has_argument, name.as_str()) {
        (true, "query_only") => Pragma::Unlocks,
        (true, name) if READ_WITH.contains(&name) => Pragma::Reads,
        (false, name) if !WRITE_ALONE.contains(&name) && !name.contains(':') => Pragma::Reads,
        _ => Pragma::Writes,
    }
}
