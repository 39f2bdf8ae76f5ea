//! "Did you mean": the known name that is most similar to what was typed.

/// The name that was probably meant, if one is similar enough.
pub fn nearest<'a>(typed: &str, names: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    names
        .map(|name| (strsim::jaro_winkler(typed, name), name))
        .filter(|(likeness, _)| *likeness > 0.8)
        .max_by(|a, b| a.0.total_cmp(&b.0))
        .map(|(_, name)| name)
}

/// A typing error: one wrong letter, or two swapped. Stricter than [`nearest`], for tables that take other names too.
pub fn nearly<'a>(typed: &str, mut names: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let slips = if typed.len() > 5 { 2 } else { 1 };
    let length = typed.chars().count();
    names.find(|name| {
        name.chars().count().abs_diff(length) <= slips && strsim::damerau_levenshtein(typed, name) <= slips
    })
}
