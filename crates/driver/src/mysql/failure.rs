//! Sorts what goes wrong into classes, with a way out where there is one.

use crate::{Class, Error};
use std::io;
use tenbin_wire::mysql::{Fault, ServerError};

/// An error as the server tells it.
#[cold]
pub fn refused(e: ServerError) -> Error {
    let class = match e.code {
        // Deadlock, lock wait timeout, record changed since (MariaDB snapshot), could not get lock (NOWAIT).
        1213 | 1205 | 1020 | 3572 => Class::Conflict,
        // Shutdown in progress, killed, idle too long, gone away, lost.
        1053 | 1317 | 1927 | 4031 | 2006 | 2013 | 1152 | 1159 | 1161 | 1158 | 1160 => Class::Lost,
        // Account, host, schema, password.
        1044 | 1045 | 1049 | 1130 | 1251 | 1275 | 1698 | 1862 | 3118 | 3159 => Class::Refused,
        // Connections, prepared statements, packet, disk, memory, files.
        1040 | 1203 | 1226 | 1461 | 1153 | 1114 | 1021 | 1041 | 1037 | 1038 | 1016 | 1135 | 1129 => Class::Limit,
        _ => Class::Sql,
    };
    let error = Error::new(class, e.message).code(e.code.into());
    match e.code {
        1040 | 1203 => error.mend("SET GLOBAL max_connections = … (as an administrator), or fewer clients"),
        1045 | 1698 => error.mend("check user and password: --password-env NAME, or password_env in the plan"),
        1049 => error.mend("CREATE DATABASE …, or name an existing schema in the address"),
        1130 => error.mend("GRANT the account access from this host"),
        1129 => error.mend("mysqladmin flush-hosts"),
        1461 => error.mend("SET GLOBAL max_prepared_stmt_count = …, or ps_mode = \"disable\""),
        1153 => error.mend("SET GLOBAL max_allowed_packet = …"),
        1114 | 1021 => error.mend("free space on the server's disk"),
        3159 => error.mend("add ?tls=required to the address"),
        _ => error,
    }
}

/// The line broke.
#[cold]
pub fn lost(e: &io::Error) -> Error {
    Error::new(Class::Lost, format!("the connection to the server is lost: {e}")).code(2013)
}

/// The server said goodbye in the middle.
#[cold]
pub fn gone() -> Error {
    Error::new(Class::Lost, "the server has closed the connection").code(2013)
}

/// Not our protocol.
#[cold]
pub fn fault(f: Fault) -> Error {
    Error::new(Class::Protocol, format!("the server does not speak the MySQL protocol as we know it: {f}"))
}
