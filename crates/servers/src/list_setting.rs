//! Settings of PostgreSQL whose value is a list of names: how such a value is read, and how a statement writes it. Used for settings of a server and of
//! a database.

use tenbin_driver::Quoting;

/// Their names: those with `GUC_LIST_QUOTE` in PostgreSQL's `guc_tables.c`, which extensions cannot have. A statement that gives one text for the whole
/// list stores a single name.
const LISTS: [&str; 6] = [
    "local_preload_libraries",
    "search_path",
    "session_preload_libraries",
    "shared_preload_libraries",
    "temp_tablespaces",
    "unix_socket_directories",
];

/// Those whose names are identifiers: without quotes they have no capitals.
const IDENTIFIERS: [&str; 2] = ["search_path", "temp_tablespaces"];

/// Whether the value of a setting is a list of names.
pub fn is_list(setting: &str) -> bool {
    LISTS.iter().any(|list| list.eq_ignore_ascii_case(setting))
}

/// The list as a statement writes it, a text for each name; `None` if it is empty, for which there is no statement.
pub fn written(setting: &str, value: &str) -> Option<String> {
    let names = names(value);
    let is_identifier = IDENTIFIERS.iter().any(|name| name.eq_ignore_ascii_case(setting));
    let written = |ListedName { name, is_quoted }| if is_identifier && !is_quoted { name.to_lowercase() } else { name };
    (!names.is_empty()).then(|| Quoting::POSTGRES.texts(names.into_iter().map(written)))
}

/// Whether two lists have the same names.
pub fn are_same(a: &str, b: &str) -> bool {
    let lower = |text: &str| names(text).into_iter().map(|listed| listed.name.to_lowercase()).collect::<Vec<_>>();
    lower(a) == lower(b)
}

/// A name of a list.
struct ListedName {
    name: String,
    is_quoted: bool,
}

/// The names of a list as files and `pg_settings` have it: `"$user", public`. Without quotes, spaces around a name do not belong to it.
fn names(value: &str) -> Vec<ListedName> {
    let (mut all, mut rest) = (Vec::new(), value.trim());
    if rest.is_empty() {
        return all;
    }
    loop {
        let (listed, after) = match rest.strip_prefix('"') {
            Some(inside) => quoted(inside),
            None => {
                let end = rest.find(',').unwrap_or(rest.len());
                let name = rest[..end].trim_end().to_owned();
                (ListedName { name, is_quoted: false }, &rest[end..])
            }
        };
        all.push(listed);
        match after.find(',') {
            Some(comma) => rest = after[comma + 1..].trim_start(),
            None => return all,
        }
    }
}

/// A name whose opening quote has been read, and what follows its closing one.
fn quoted(inside: &str) -> (ListedName, &str) {
    let (mut name, mut rest) = (String::new(), inside);
    while let Some(end) = rest.find('"') {
        name.push_str(&rest[..end]);
        rest = &rest[end + 1..];
        match rest.strip_prefix('"') {
            Some(more) => {
                name.push('"');
                rest = more;
            }
            None => return (ListedName { name, is_quoted: true }, rest),
        }
    }
    name.push_str(rest);
    (ListedName { name, is_quoted: true }, "")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_name_of_a_list_is_a_text_of_its_own() {
        for (setting, value, sql) in [
            ("shared_preload_libraries", "pg_stat_statements,auto_explain", "'pg_stat_statements', 'auto_explain'"),
            ("Search_Path", r#""$user", Public, "Odd, ""name""#, r#"'$user', 'public', 'Odd, "name'"#),
            ("shared_preload_libraries", r#" "$libdir/A" , My lib "#, r"'$libdir/A', 'My lib'"),
            ("unix_socket_directories", "/tmp", "'/tmp'"),
            ("search_path", r#""""#, "''"),
            ("search_path", "it's", "'it''s'"),
        ] {
            assert!(is_list(setting));
            assert_eq!(written(setting, value).as_deref(), Some(sql), "{value}");
        }
        assert_eq!([written("search_path", ""), written("search_path", "  ")], [None, None]);
        assert!(!is_list("work_mem") && !is_list("listen_addresses"));
    }

    #[test]
    fn lists_are_compared_by_their_names() {
        assert!(are_same("a,b", "a, b") && are_same(r#""a", B"#, "a,b") && are_same("", " "));
        assert!(!are_same("a, b", r#""a, b""#) && !are_same("", r#""""#) && !are_same("a,b", "b,a"));
    }
}
