//! The options of the workload and of its data set, row by row. Options of both determine the table, and with it the
//! texts.

use tenbin_model::workload::Counts;
use tenbin_workload::options::{OptionSpec, ValueType, row};

/// Which statements: mysqlslap's own or those without its peculiarities.
pub const PROFILE: &str = "profile";
/// The load's option that names a file of statements, which the clients read.
pub const QUERY_FILE: &str = "query_file";

/// The type of load whose list is empty.
pub const NOTHING: &str = "none";

/// The table and its values: options of the data set that the load inherits.
pub const TABLE: &[OptionSpec] = &[
    row(
        PROFILE,
        "mysqlslap",
        ValueType::Word(&["mysqlslap", "fixed"]),
        "mysqlslap: exactly its statements; fixed: a primary key, distinct rows, and random statements per client",
    ),
    row("schema", "mysqlslap", ValueType::SchemaOrNone, "the schema, which is created and dropped as a whole"),
    row(
        "primary_key",
        "none",
        ValueType::Word(&["none", "autoincrement", "guid"]),
        "the table's first column; with profile fixed, none means autoincrement",
    ),
    row("secondary_indexes", "0", ValueType::Count(0, 64), "number of unique columns filled with uuid()"),
    row("int_cols", "1", ValueType::Count(0, 4096), "number of INT(32) columns"),
    row("int_indexes", "off", ValueType::Switch, "an index on each INT column"),
    row("char_cols", "1", ValueType::Count(0, 4096), "number of VARCHAR(128) columns, filled with 126 letters"),
    row("char_indexes", "off", ValueType::Switch, "an index on each VARCHAR column"),
    row(
        "preload",
        "99",
        ValueType::Count(0, 1 << 40),
        "rows inserted before the clients start (mysqlslap's write-number minus 1)",
    ),
    row(
        "unique_writes",
        "10",
        ValueType::Count(0, 1_000_000),
        "profile mysqlslap: number of distinct INSERTs that are repeated to preload rows",
    ),
];

/// Of the data set only.
pub const DATA: &[OptionSpec] = &[
    row("engine", "", ValueType::Text, "storage engine, or engine:table options"),
    row("generate", "on", ValueType::Switch, "create the table and rows; off: execute only the statements of create"),
    row("create", "", ValueType::Text, "own statements that create the tables"),
    row("create_file", "", ValueType::Text, "file with these statements"),
    row("delimiter", "\n", ValueType::Text, "separator of statements, outside quotes and comments"),
    row("pre_query", "", ValueType::Text, "own statements before each trial, not measured"),
    row("pre_query_file", "", ValueType::Text, "file with these statements"),
    row("post_query", "", ValueType::Text, "own statements after each trial, not measured"),
    row("post_query_file", "", ValueType::Text, "file with these statements"),
    row("pre_system", "", ValueType::Text, "a shell command before each trial"),
    row("post_system", "", ValueType::Text, "a shell command after each trial"),
    row("allow_drop", "off", ValueType::Switch, "drop the schema even if Tenbin did not create it"),
];

/// Of the workload only.
pub const LOAD: &[OptionSpec] = &[
    row(
        "type",
        "mixed",
        ValueType::Word(&["mixed", "read", "write", "key", "update", NOTHING]),
        "which statements the clients execute; none: they connect and leave",
    ),
    row(
        "unique_queries",
        "10",
        ValueType::Count(0, 1_000_000),
        "number of distinct statements minus 1 (mysqlslap's list has one more)",
    ),
    row("read_percent", "50", ValueType::Count(0, 100), "profile fixed, type mixed: percentage of SELECTs"),
    row(
        "queries",
        "0",
        ValueType::Count(0, 1 << 53),
        "statements of all clients together, all of which are executed; 0: no limit",
    ),
    row("queries_per_client", "0", ValueType::Count(0, 1 << 53), "statements of each client; 0: no limit"),
    row("once", "off", ValueType::Switch, "each client executes the list once and ends"),
    row("query", "", ValueType::Text, "own statements instead of generated ones"),
    row(QUERY_FILE, "", ValueType::Text, "file with these statements; a large file is read while it is sent"),
    row("delimiter", "\n", ValueType::Text, "separator of statements, outside quotes and comments"),
    row(
        "commit",
        "0",
        ValueType::Count(0, 1 << 32),
        "without autocommit, COMMIT after this many statements and at the end; 0: autocommit",
    ),
    row("detach", "0", ValueType::Count(0, 1 << 32), "reconnect after this many statements; 0: never"),
    row("init_command", "", ValueType::Text, "statement executed first on each connection"),
    row("leave_on_error", "off", ValueType::Switch, "a client ends after its first error, as in mysqlslap"),
];

/// The amount of work of the clients; with any of these each client has its own part and ends after it.
pub const COUNTS: Counts = Counts { total: "queries", per_client: "queries_per_client", others: &["once"] };

/// Names that data set and load share.
pub const SHARED: &[&str] = &[
    PROFILE,
    "schema",
    "primary_key",
    "secondary_indexes",
    "int_cols",
    "int_indexes",
    "char_cols",
    "char_indexes",
    "preload",
    "unique_writes",
    "delimiter",
];
