//! The options of the workload.

use tenbin_workload::options::{OptionSpec, ValueType, row};

/// The option with the scripts.
pub const SCRIPTS: &str = "scripts";

/// The option with groups of clients and their scripts.
pub const GROUPS: &str = "groups";

/// All of them.
pub(crate) const OPTIONS: &[OptionSpec] = &[
    row(
        SCRIPTS,
        "",
        ValueType::Text,
        "files with the statements of a transaction, each with its weight: pay.sql@30, look.sql@70",
    ),
    row(
        GROUPS,
        "",
        ValueType::Text,
        "clients with scripts of their own, as [[experiment.load.group]] passes them on: oltp*16: pay.sql@1; report*1: report.sql@1",
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
