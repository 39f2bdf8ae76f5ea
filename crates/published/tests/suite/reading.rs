//! How texts are read, in one line each.

use tenbin_published::read;

/// Each result as its target, what distinguishes it, and its figures.
pub fn shown(text: &str) -> String {
    let Ok(published) = read(text.as_bytes(), "x") else { return "nothing".to_owned() };
    let one = |result: &tenbin_published::PublishedResult| {
        let axes = result.axes.iter().map(|(name, value)| format!("{name}={value}"));
        let figures = result.figures.iter().map(|(kind, (quantity, _))| {
            let value = (quantity.value * 1e6).round() / 1e6;
            format!("{} {value}", kind.name())
        });
        result.target.iter().cloned().chain(axes).chain(figures).collect::<Vec<_>>().join(" ")
    };
    published.results.iter().map(one).collect::<Vec<_>>().join("; ")
}

/// Texts with the results that are right.
pub fn agree(cases: &[(&str, &str)]) {
    let wrong: Vec<String> = cases
        .iter()
        .filter(|(text, expected)| shown(text) != *expected)
        .map(|(text, expected)| format!("{text}\n  is read as {}\n  and not as {expected}\n", shown(text)))
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// What is said of the reading: the identifiers of the messages.
pub fn remarks(text: &str) -> Vec<String> {
    let read = read(text.as_bytes(), "x").unwrap_or_else(|problem| panic!("{problem:?}: {text}"));
    read.remarks.iter().filter_map(|remark| remark.id().map(str::to_owned)).collect()
}
