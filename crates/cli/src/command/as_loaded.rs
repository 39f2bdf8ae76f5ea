//! Options that are not given are taken from the loaded tables: after loading eight warehouses with
//! foreign keys, `tenbin bench tpcc DSN` uses those.

use crate::args::WorkloadArgs;
use crate::command::target::target;
use std::collections::BTreeMap;
use tenbin_terminal::exit;
use tenbin_words::msg;
use tenbin_words::problem::Problem;
use tenbin_workloads::{find_dataset, find_workload};

/// Options of the data set that were not given, except for `but`, and whose values in the tables differ from the
/// default.
pub fn left_open(what: &WorkloadArgs, typed: &BTreeMap<String, String>, but: &[&str]) -> BTreeMap<String, String> {
    let Some(entry) = find_workload(&what.workload).ok().and_then(|w| find_dataset(w.dataset).ok()) else {
        return BTreeMap::new();
    };
    let Some(loaded_with) = entry.loaded_with else { return BTreeMap::new() };
    // An error here will be reported when it matters.
    let Ok(connector) = tenbin_lab::connector(&target(&what.dsn, &what.secret), &BTreeMap::new()) else {
        return BTreeMap::new();
    };
    let mut options = loaded_with(&connector);
    let typed = |name: &str| typed.keys().any(|t| t.replace('-', "_") == name) || (name == "tables" && what.tables > 1);
    let usual = |name: &str, value: &str| entry.rows().iter().any(|row| row.name == name && row.default == value);
    options.retain(|name, value| !but.contains(&name.as_str()) && !typed(name) && !usual(name, value));
    if !options.is_empty() {
        let all: Vec<String> = options.iter().map(|(name, value)| format!("{name} = {value}")).collect();
        exit::remark(&Problem::new(msg!("tables-are-taken-as-they", all = all.join(", "))));
    }
    options
}
