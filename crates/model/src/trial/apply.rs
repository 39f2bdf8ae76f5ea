//! How server variables of an existing server are set.

use crate::cloud::CloudAccess;
use crate::dsn::Scheme;
use serde::{Deserialize, Serialize};

/// How server variables of an existing server are set.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Apply {
    /// `SET GLOBAL` (MySQL, MariaDB): until the server restarts.
    SetGlobal,
    /// `SET PERSIST` (MySQL from 8.0 on): also after a restart.
    Persist,
    /// `ALTER SYSTEM`, and a reload of the configuration (PostgreSQL).
    AlterSystem,
    /// An option file that Tenbin writes (with PostgreSQL: `ALTER SYSTEM`), and the user's command that restarts the
    /// server.
    Restart {
        /// The option file; `None` with PostgreSQL.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        file: Option<String>,
        /// The command, for `sh -c`.
        restart: String,
        /// Whether the restart may put in force what others have written for it.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        may_change_others: bool,
    },
    /// The DB parameter group of an instance of Amazon RDS, and a reboot if a parameter needs one (MySQL, MariaDB).
    ParameterGroup(ParameterGroupAccess),
}

/// The parameter group of a managed instance, and what may be done with it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ParameterGroupAccess {
    /// The instance whose group it is.
    pub cloud: CloudAccess,
    /// Whether the instance may be rebooted.
    pub may_reboot: bool,
    /// Whether other instances may be using the group.
    pub may_be_shared: bool,
    /// The longest wait until values are in effect and the instance is available again, milliseconds.
    pub timeout_ms: u64,
}

impl ParameterGroupAccess {
    /// A reboot takes minutes, longer if the engine has to recover.
    pub const TIMEOUT_MS: u64 = 1_800_000;
}

impl Apply {
    /// Whether this kind of database can do it.
    pub fn is_of(&self, scheme: Scheme) -> bool {
        match (self, scheme) {
            (Apply::SetGlobal | Apply::Persist | Apply::ParameterGroup(_), Scheme::Mysql)
            | (Apply::AlterSystem, Scheme::Postgres) => true,
            (Apply::Restart { file, .. }, Scheme::Mysql) => file.is_some(),
            (Apply::Restart { file, .. }, Scheme::Postgres) => file.is_none(),
            _ => false,
        }
    }

    /// What is done if a plan does not say it.
    pub fn of_kind(scheme: Scheme) -> Apply {
        match scheme {
            Scheme::Postgres => Apply::AlterSystem,
            Scheme::Mysql | Scheme::Sqlite | Scheme::Null | Scheme::Host => Apply::SetGlobal,
        }
    }
}
