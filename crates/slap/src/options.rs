//! The options of the workload and of its data set, row by row. Options of both determine the table, and with it the
//! texts.

use tenbin_model::workload::Counts;
use tenbin_workload::options::{OptionSpec, ValueType, row};

/// Which statements: mysqlslap's own or those without its peculiarities.
pub const PROFILE: &str = "profile";

/// The table and its values: options of the data set that the load inherits.
pub const TABLE: &[OptionSpec] = &[
    row(
        PROFILE,
        "mysqlslap",
        ValueType::Word(&["mysqlslap", "fixed"]),
        "mysqlslap: its statements one for one; fixed: keyed, seeded, each client's own choice",
    ),
    row("schema", "mysqlslap", ValueType::Name, "the schema, which is created and dropped whole"),
    row(
        "primary_key",
        "none",
        ValueType::Word(&["none", "autoincrement", "guid"]),
        "the table's first column; fixed takes autoincrement for none",
    ),
    row("secondary_indexes", "0", ValueType::Count(0, 64), "unique columns filled with uuid()"),
    row("int_cols", "1", ValueType::Count(0, 512), "columns INT(32)"),
    row("int_indexes", "off", ValueType::Switch, "an index on each of them"),
    row("char_cols", "1", ValueType::Count(0, 512), "columns VARCHAR(128), filled with 126 letters"),
    row("char_indexes", "off", ValueType::Switch, "an index on each of them"),
    row(
        "preload",
        "99",
        ValueType::Count(0, 1 << 40),
        "rows before the clients start (mysqlslap's write-number less 1)",
    ),
    row("unique_writes", "10", ValueType::Count(0, 1_000_000), "distinct INSERTs that mysqlslap repeats to preload"),
];

/// Of the data set only.
pub const DATA: &[OptionSpec] = &[
    row("engine", "", ValueType::Text, "the storage engine, or engine:table options"),
    row("generate", "on", ValueType::Switch, "make table and rows; off: only what create says"),
    row("create", "", ValueType::Text, "own statements that make the tables"),
    row("create_file", "", ValueType::Text, "a file of them"),
    row("delimiter", "\n", ValueType::Text, "what parts statements, outside quotes and comments"),
    row("pre_query", "", ValueType::Text, "own statements before each trial, not measured"),
    row("pre_query_file", "", ValueType::Text, "a file of them"),
    row("post_query", "", ValueType::Text, "own statements after each trial, not measured"),
    row("post_query_file", "", ValueType::Text, "a file of them"),
    row("pre_system", "", ValueType::Text, "a shell command before each trial"),
    row("post_system", "", ValueType::Text, "a shell command after each trial"),
    row("allow_drop", "off", ValueType::Switch, "drop the schema even if Tenbin did not make it"),
];

/// Of the workload only.
pub const LOAD: &[OptionSpec] = &[
    row(
        "type",
        "mixed",
        ValueType::Word(&["mixed", "read", "write", "key", "update"]),
        "what the clients do with the table",
    ),
    row(
        "unique_queries",
        "10",
        ValueType::Count(0, 1_000_000),
        "distinct statements, less one: mysqlslap's list is one longer",
    ),
    row("read_percent", "50", ValueType::Count(0, 100), "fixed, mixed: share of SELECTs"),
    row(
        "queries",
        "0",
        ValueType::Count(0, 1 << 53),
        "statements of all clients together, shared out to the last one; 0: no limit",
    ),
    row("queries_per_client", "0", ValueType::Count(0, 1 << 53), "statements of each client; 0: no limit"),
    row("once", "off", ValueType::Switch, "each client runs the list once and leaves"),
    row("query", "", ValueType::Text, "own statements in place of generated ones"),
    row("query_file", "", ValueType::Text, "a file of them; read while it is sent when it is large"),
    row("delimiter", "\n", ValueType::Text, "what parts statements, outside quotes and comments"),
    row("commit", "0", ValueType::Count(0, 1 << 32), "autocommit off, COMMIT after so many statements and at the end"),
    row("detach", "0", ValueType::Count(0, 1 << 32), "a new connection after so many statements"),
    row("init_command", "", ValueType::Text, "a statement that each connection begins with"),
    row("leave_on_error", "off", ValueType::Switch, "a client leaves after its first error, as mysqlslap's do"),
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
