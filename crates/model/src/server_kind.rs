//! What each kind of database has or lacks: one table, so that a new kind has to say all of it, and a new question is answered for
//! every kind. How something is done differently is matched over [`Scheme`] where it is done.

use crate::dsn::Scheme;

/// What one kind has.
#[derive(Debug)]
pub struct ServerKind {
    /// Whether it is a server with processes of its own, to which connections lead.
    pub is_server: bool,
    /// Whether it runs inside the client, so that its calls block.
    pub is_embedded: bool,
    /// Whether all of its data are one file, without a server that would have to be stopped.
    pub is_file: bool,
    /// Whether it keeps tables.
    pub keeps_tables: bool,
    /// Whether several connections can write at a time, so that rows are loaded in slices.
    pub loads_in_slices: bool,
    /// Whether it takes the statements of MySQL; the null driver takes all.
    pub takes_mysql: bool,
    /// Whether it has the status variables and instruments of MySQL.
    pub has_mysql_status: bool,
    /// Whether it has the statistics views of PostgreSQL.
    pub has_statistics_views: bool,
    /// Whether replicas of it can be started and observed.
    pub has_replicas: bool,
    /// Whether its data can be put back from a copy of its files.
    pub has_copies: bool,
    /// Whether its data can be put back from a physical backup.
    pub has_backups: bool,
    /// Whether its data can be put back from a database that is the template of another one.
    pub has_templates: bool,
    /// Whether the files in its data directory show whose tables they are: a directory for each schema, named as it.
    pub has_schema_directories: bool,
    /// Whether its redo log is a large part of a copy, and can be made smaller before.
    pub has_large_redo_log: bool,
    /// Whether an address may name several of its servers.
    pub has_address_lists: bool,
    /// Whether its programs read accounts from option files.
    pub has_client_files: bool,
    /// Whether its programs read the server and the account from variables of the environment (libpq's, whose names begin with `PG`).
    pub has_client_variables: bool,
    /// Whether a host that is a path means a directory of sockets.
    pub has_socket_directories: bool,
    /// Whether it has schemas of its own that users' scripts must not fill.
    pub has_system_schemas: bool,
    /// Whether it shows its settings in units of each.
    pub has_units: bool,
    /// Whether relative paths among its settings are within its data directory.
    pub has_data_directory_files: bool,
    /// Whether the answer of several statements in one is that of the last one.
    pub answers_last: bool,
    /// Whether a truth value is a type of its own, and no number.
    pub has_booleans: bool,
    /// Whether its driver answers by itself, and sends nothing.
    pub sends_nothing: bool,
    /// The TCP port that it listens on if nothing else is said.
    pub port: Option<u16>,
}

const MYSQL: ServerKind = ServerKind {
    is_server: true,
    is_embedded: false,
    is_file: false,
    keeps_tables: true,
    loads_in_slices: true,
    takes_mysql: true,
    has_mysql_status: true,
    has_statistics_views: false,
    has_replicas: true,
    has_copies: true,
    has_backups: true,
    has_templates: false,
    has_schema_directories: true,
    has_large_redo_log: true,
    has_address_lists: true,
    has_client_files: true,
    has_client_variables: false,
    has_socket_directories: false,
    has_system_schemas: true,
    has_units: false,
    has_data_directory_files: false,
    answers_last: false,
    has_booleans: false,
    sends_nothing: false,
    port: Some(3306),
};

const POSTGRES: ServerKind = ServerKind {
    is_server: true,
    is_embedded: false,
    is_file: false,
    keeps_tables: true,
    loads_in_slices: true,
    takes_mysql: false,
    has_mysql_status: false,
    has_statistics_views: true,
    has_replicas: false,
    has_copies: true,
    has_backups: true,
    has_templates: true,
    has_schema_directories: false,
    has_large_redo_log: false,
    has_address_lists: false,
    has_client_files: false,
    has_client_variables: true,
    has_socket_directories: true,
    has_system_schemas: false,
    has_units: true,
    has_data_directory_files: true,
    answers_last: true,
    has_booleans: true,
    sends_nothing: false,
    port: Some(5432),
};

const SQLITE: ServerKind = ServerKind {
    is_server: false,
    is_embedded: true,
    is_file: true,
    keeps_tables: true,
    loads_in_slices: false,
    takes_mysql: false,
    has_mysql_status: false,
    has_statistics_views: false,
    has_replicas: false,
    has_copies: true,
    has_backups: false,
    has_templates: false,
    has_schema_directories: false,
    has_large_redo_log: false,
    has_address_lists: false,
    has_client_files: false,
    has_client_variables: false,
    has_socket_directories: false,
    has_system_schemas: false,
    has_units: false,
    has_data_directory_files: false,
    answers_last: false,
    has_booleans: false,
    sends_nothing: false,
    port: None,
};

const NULL: ServerKind = ServerKind {
    is_server: false,
    is_embedded: false,
    is_file: false,
    keeps_tables: false,
    loads_in_slices: false,
    takes_mysql: true,
    has_mysql_status: false,
    has_statistics_views: false,
    has_replicas: false,
    has_copies: false,
    has_backups: false,
    has_templates: false,
    has_schema_directories: false,
    has_large_redo_log: false,
    has_address_lists: false,
    has_client_files: false,
    has_client_variables: false,
    has_socket_directories: false,
    has_system_schemas: false,
    has_units: false,
    has_data_directory_files: false,
    answers_last: false,
    has_booleans: false,
    sends_nothing: true,
    port: None,
};

const HOST: ServerKind = ServerKind {
    is_server: false,
    is_embedded: true,
    is_file: false,
    keeps_tables: false,
    loads_in_slices: false,
    takes_mysql: false,
    has_mysql_status: false,
    has_statistics_views: false,
    has_replicas: false,
    has_copies: false,
    has_backups: false,
    has_templates: false,
    has_schema_directories: false,
    has_large_redo_log: false,
    has_address_lists: false,
    has_client_files: false,
    has_client_variables: false,
    has_socket_directories: false,
    has_system_schemas: false,
    has_units: false,
    has_data_directory_files: false,
    answers_last: false,
    has_booleans: false,
    sends_nothing: false,
    port: None,
};

impl Scheme {
    /// What it has and lacks.
    pub const fn kind(self) -> &'static ServerKind {
        match self {
            Scheme::Mysql => &MYSQL,
            Scheme::Postgres => &POSTGRES,
            Scheme::Sqlite => &SQLITE,
            Scheme::Null => &NULL,
            Scheme::Host => &HOST,
        }
    }
}
