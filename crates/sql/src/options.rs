//! The options of the workload.

use tenbin_workload::options::{OptionSpec, ValueType, row};

/// The option with the scripts.
pub const SCRIPTS: &str = "scripts";

/// All of them.
pub(crate) const OPTIONS: &[OptionSpec] = &[
    row(
        SCRIPTS,
        "",
        ValueType::Text,
        "files with the statements of a transaction, each with its weight: pay.sql@30, look.sql@70",
    ),
    row("define", "", ValueType::Text, "values of variables: hot=100, region=eu"),
    row("scale", "1", ValueType::Count(1, 1 << 40), "the variable :scale"),
    row(
        "ps_mode",
        "auto",
        ValueType::Word(&["auto", "disable"]),
        "auto: statements with variables are prepared, and values are parameters; disable: values are written into the text",
    ),
    row("shell", "off", ValueType::Switch, "permit \\shell and \\setshell, which execute any command on this machine"),
];
