//! Our own sentences that stand in a recording in English, in Japanese: a list of pairs with places for what was seen.
//!
//! A recording keeps what was told in one language. A reader of the other one finds the sentence here; what is not ours
//! (a server's message, a path) and what is not in the list stays as it came.

use crate::answer::Language;
use crate::problem::Problem;

/// English and Japanese; each `{}` stands for what was seen, in the same order, or as `{1}`, `{2}` where Japanese wants another.
/// `tests/tests/phrases.rs` compares the list with the sentences in the sources.
pub const PHRASES: &[(&str, &str)] = &[
    // Notes of a trial.
    ("loaded {} rows in {} ({} rows/s, {} streams)", "{1} 行を {2} でロードしました(毎秒 {3} 行、{4} 並列)"),
    ("stopped by the user", "ユーザーが停止しました"),
    ("stopped at once by the user", "ユーザーが即時停止しました"),
];

/// A sentence in the language asked for; `None` when it is not ours and stays as it came.
pub fn said(text: &str, language: Language) -> Option<String> {
    if language == Language::English {
        return Some(text.to_owned());
    }
    PHRASES.iter().find_map(|(en, ja)| Some(filled(ja, &seen(en, text)?)))
}

/// A problem in the language asked for, each part as far as it is ours.
pub fn problem(problem: &Problem, language: Language) -> Problem {
    let told = |text: &String| said(text, language).unwrap_or_else(|| text.clone());
    Problem {
        what: told(&problem.what),
        evidence: problem.evidence.as_ref().map(told),
        mend: problem.mend.as_ref().map(told),
    }
}

/// What stands at the places of a pattern, when the text fits it.
fn seen<'t>(pattern: &str, text: &'t str) -> Option<Vec<&'t str>> {
    let mut parts = pattern.split("{}");
    let mut rest = text.strip_prefix(parts.next()?)?;
    let mut found = Vec::new();
    let parts: Vec<&str> = parts.collect();
    for (i, part) in parts.iter().enumerate() {
        let last = i + 1 == parts.len();
        let end = match (last, part.is_empty()) {
            (true, true) => rest.len(),
            (true, false) => rest.ends_with(part).then(|| rest.len() - part.len())?,
            (false, _) => rest.find(part)?,
        };
        found.push(&rest[..end]);
        rest = &rest[end + part.len()..];
    }
    rest.is_empty().then_some(found)
}

fn filled(pattern: &str, values: &[&str]) -> String {
    let mut out = String::new();
    let mut rest = pattern;
    let mut next = 0;
    while let Some((before, after)) = rest.split_once('{') {
        let Some((number, after)) = after.split_once('}') else { break };
        out.push_str(before);
        let place = number.parse::<usize>().map_or(next, |n| n - 1);
        next += 1;
        out.push_str(values.get(place).unwrap_or(&"–"));
        rest = after;
    }
    out + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_seen_goes_to_its_place() {
        let ja = said("loaded 25,000 rows in 3 s (8,333 rows/s, 4 streams)", Language::Japanese);
        assert_eq!(ja.as_deref(), Some("25,000 行を 3 s でロードしました(毎秒 8,333 行、4 並列)"));
        assert_eq!(said("Table 'x' doesn't exist", Language::Japanese), None);
        assert_eq!(said("anything", Language::English).as_deref(), Some("anything"));
        assert_eq!(seen("a {} b {}", "a 1 b 2 b 3"), Some(vec!["1", "2 b 3"]));
        assert_eq!(seen("{} failed: {}", "x failed: y"), Some(vec!["x", "y"]));
        assert_eq!(seen("a", "ab"), None);
    }

    #[test]
    fn both_sides_have_the_same_places() {
        for (en, ja) in PHRASES {
            let places = en.matches("{}").count();
            let all = (1..=places).all(|n| ja.contains(&format!("{{{n}}}")));
            assert!(ja.matches("{}").count() == places || all && ja.matches('{').count() == places, "{en} | {ja}");
        }
    }
}
