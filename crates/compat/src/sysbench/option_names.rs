//! The names by which options were typed: of several versions of sysbench, each has the same meaning under another name, and messages say the one
//! that the user knows.

use crate::option::canonical;
use crate::parsed_args::ParsedArgs;
use std::collections::BTreeMap;

/// The options of keys' distribution, and their old names.
pub const DISTRIBUTION: &[(&str, &str)] = &[
    ("rand-type", "oltp-dist-type"),
    ("rand-spec-iter", "oltp-dist-iter"),
    ("rand-spec-pct", "oltp-dist-pct"),
    ("rand-spec-res", "oltp-dist-res"),
];

/// The options of our workloads and data sets that were given, with the names by which they were typed.
pub fn of_given(args: &ParsedArgs) -> BTreeMap<String, String> {
    let known = args.all().map(|(name, _)| name.to_owned());
    let unknown = args.unknown.iter().map(|option| option.name.clone());
    let as_typed = args.typed.iter().filter_map(|word| word.strip_prefix("--"));
    let as_typed = as_typed.map(|text| canonical(text.split_once('=').map_or(text, |(name, _)| name)));
    // Last those that were typed: options of 0.4 have been given the names of 1.0, too.
    known.chain(unknown).chain(as_typed).map(|name| (of_ours(&name), name)).collect()
}

/// Our name of an option.
fn of_ours(name: &str) -> String {
    if let Some((new, _)) = DISTRIBUTION.iter().find(|(_, old)| *old == name) {
        return new.replace('-', "_");
    }
    match name {
        "mysql-table-engine" => "mysql_storage_engine".to_owned(),
        "oltp-tables-count" => "tables".to_owned(),
        "random-ranges-delta" => "delta".to_owned(),
        "db-ps-mode" => "ps_mode".to_owned(),
        name => name.strip_prefix("oltp-").unwrap_or(name).replace('-', "_"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sysbench::arguments;

    #[test]
    fn an_option_is_called_as_it_was_typed() {
        let words = ["oltp", "--oltp_dist_pct=200", "--oltp-tables-count=0", "--db-ps-mode=x", "--rand-spec-res=5"];
        let mut args = arguments::parse(&words.map(str::to_owned), |_| Ok(String::new())).unwrap();
        args.set_default("rand-spec-pct", "200");
        let typed = of_given(&args);
        let named = |option: &str| typed.get(option).map(String::as_str);
        assert_eq!(named("rand_spec_pct"), Some("oltp-dist-pct"));
        assert_eq!((named("tables"), named("ps_mode")), (Some("oltp-tables-count"), Some("db-ps-mode")));
        assert_eq!((named("rand_spec_res"), named("table_size")), (Some("rand-spec-res"), None));
    }
}
