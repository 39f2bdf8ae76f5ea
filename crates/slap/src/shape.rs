//! The definition of an auto-generated table and the load on it, read once from the options.

use super::options;
use tenbin_words::msg;
use tenbin_words::problem::Problem;
use tenbin_workload::options::{OptionMap, Resolved};

/// Which statements and values.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Profile {
    /// mysqlslap's own statements, in its order, with its values.
    Mysqlslap,
    /// A primary key always, distinct rows, each client's own random choice.
    Fixed,
}

/// The table's first column.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Key {
    /// None: every statement that searches a row reads all of them.
    None,
    /// Auto-incremented by the server.
    Autoincrement,
    /// `uuid()`.
    Guid,
}

/// What the clients do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    Read,
    Write,
    Key,
    Update,
    Mixed,
}

/// This many columns of one type.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Columns {
    pub count: u32,
    pub indexed: bool,
}

/// The table and the number of texts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TableShape {
    pub profile: Profile,
    pub key: Key,
    pub secondary: u32,
    pub ints: Columns,
    pub chars: Columns,
    /// Rows before the clients start.
    pub preload: u64,
    /// Distinct INSERTs that the preload repeats.
    pub unique_writes: u32,
}

impl TableShape {
    /// From checked options.
    pub fn of(given: &OptionMap) -> TableShape {
        let o = Resolved(given);
        let columns = |count, indexed| Columns { count: o.count32(count), indexed: o.on(indexed) };
        let profile = if o.text(options::PROFILE) == "fixed" { Profile::Fixed } else { Profile::Mysqlslap };
        TableShape {
            profile,
            key: match o.text("primary_key") {
                "guid" => Key::Guid,
                "autoincrement" => Key::Autoincrement,
                _ if profile == Profile::Fixed => Key::Autoincrement,
                _ => Key::None,
            },
            secondary: o.count32("secondary_indexes"),
            ints: columns("int_cols", "int_indexes"),
            chars: columns("char_cols", "char_indexes"),
            preload: o.count("preload"),
            unique_writes: o.count32("unique_writes"),
        }
    }

    /// Rejects options that lead to a syntax error with mysqlslap, and a key load without a key.
    pub fn check(&self, kind: Kind) -> Result<(), Problem> {
        if kind == Kind::Key && self.key == Key::None {
            return Err(Problem::new(msg!("key-load-needs-primary-key")).hint(msg!("give-a-primary-key")));
        }
        let heads = u32::from(self.key != Key::None) + u32::from(self.secondary > 0);
        let writes_only =
            kind == Kind::Write && (heads == 1 && self.key != Key::Guid || self.profile == Profile::Fixed);
        if self.ints.count + self.chars.count > 0 || writes_only {
            return Ok(());
        }
        Err(Problem::new(msg!("table-without-columns"))
            .evidence(msg!("mysqlslap-sends-no-sql"))
            .hint(msg!("give-a-column")))
    }
}

/// The kind of load of this name.
pub fn kind_of(name: &str) -> Kind {
    match name {
        "read" => Kind::Read,
        "write" => Kind::Write,
        "key" => Kind::Key,
        "update" => Kind::Update,
        _ => Kind::Mixed,
    }
}
