//! The language of scripts: pgbench's statements and backslash commands, its expressions, functions and random numbers, with comments for what
//! pgbench does not have. Nothing here opens a file or a connection, or reads a clock.
//!
//! A [`Script`] is a list of [`Command`]s. A [`Machine`] executes one client's commands, one per call of [`Machine::step`]: it evaluates
//! expressions itself and returns what the client has to do (send a statement, sleep). Names of variables are resolved to [`Slot`]s when a script is
//! parsed. What values are, and which, was measured of pgbench 15.18, to the bit (`tests/language.rs`).

mod body;
mod bytes;
mod command;
mod error;
mod evaluate;
mod expression;
mod extras;
mod function;
mod hash;
mod lexer;
mod machine;
mod meta;
mod names;
mod number;
mod random;
mod script;
mod template;
mod tokens;
mod value;

pub use bytes::bytes;
pub(crate) use bytes::{shown, shown_bytes};
pub use command::{Argument, Command, CommandKind, SleepUnit};
pub use error::{EvalError, ScriptError, ScriptErrorCode};
pub use evaluate::{DebugValue, Evaluation};
pub use expression::Expression;
pub use extras::{CommandExtras, Comparator, Expectation, ScriptExtras, Subject};
pub use function::Function;
pub use hash::{hash_fnv1a, hash_murmur2, permute};
pub(crate) use lexer::continuation;
pub use machine::{Machine, Saved, ScriptStep};
pub use names::{Names, Slot, Variable, Variables, is_name};
pub use random::{Choice, Generator, Seeds, ThreadSeeds};
pub use script::Script;
pub use template::{MOST_PARAMETERS, Part, SqlCommand, Store};
pub use tenbin_workload::tables::dialect::Dialect;
pub use value::Value;
