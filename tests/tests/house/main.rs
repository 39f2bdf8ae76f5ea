//! The house itself: its walls, its words.

mod catalogue;
mod commands;
mod described;
mod glossary;
mod limits;
mod markup;
mod rings;
mod top;
mod walls;

/// A source without the module of tests at its end.
fn without_tests(text: &str) -> &str {
    let tests = text.match_indices("#[cfg(test)]\n").find(|(at, line)| {
        let next = text[at + line.len()..].lines().next().unwrap_or_default();
        next.contains("mod ") && next.ends_with('{')
    });
    tests.map_or(text, |(at, _)| &text[..at])
}
