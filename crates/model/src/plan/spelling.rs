//! Names of options and variables in their one spelling.

/// `-` and `_` are equivalent in names, and `rand` is short for `rand_type`.
pub fn option_name(name: &str) -> String {
    match name.replace('-', "_").as_str() {
        "rand" => "rand_type".into(),
        other => other.to_owned(),
    }
}

/// The canonical name of a server variable: servers accept `-` for `_`.
pub fn server_name(name: &str) -> String {
    name.replace('-', "_")
}
