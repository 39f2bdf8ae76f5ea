//! Reports that nothing understood distinguishes, below lines that differ: it is not known whether they are repeats.

use super::commands;
use super::names::{is_passed, key};
use super::unfinished;
use crate::load_in_names::is_of_repeat;
use crate::result::PublishedResult;
use crate::words::{is_among, lower, words};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use tenbin_words::message::Message;
use tenbin_words::msg;
use tenbin_words::text::short;

/// What is shown of a line.
const SHOWN: usize = 60;
/// A line of a report, or of its periods, has figures behind the words of the tool.
const MOST_NUMBERS: usize = 2;
/// Days and months in lines with a time, and commands that change nothing.
const SAY_NOTHING: [&str; 36] = [
    "mon", "tue", "wed", "thu", "fri", "sat", "sun", "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep",
    "oct", "nov", "dec", "utc", "gmt", "jst", "am", "pm", "sleep", "sync", "echo", "date", "cd", "clear", "ls", "cat",
    "time", "exit", "history", "uptime",
];

/// Marks results that are alike in all but the lines above them, and says so.
pub(super) fn mark(text: &str, results: &mut [PublishedResult]) -> Option<Message> {
    if results.len() < 2 {
        return None;
    }
    let lines: Vec<&str> = text.lines().collect();
    let place = |result: &PublishedResult| (result.line as usize).saturating_sub(1).min(lines.len());
    let last = results.iter().map(place).max()?;
    // What every report ends with.
    let mut forms = SaidOfForms::default();
    let end: BTreeSet<String> =
        lines.get(last..).unwrap_or_default().iter().filter_map(|line| forms.of(line)).collect();
    let (mut from, mut first_of) = (0, BTreeMap::<String, BTreeMap<String, &str>>::new());
    let mut unlike = None;
    for result in results.iter_mut() {
        let at = place(result);
        let above = lines.get(from.min(at)..at).unwrap_or_default();
        from = at + 1;
        let own: BTreeMap<String, &str> = above.iter().filter_map(|line| Some((forms.of(line)?, *line))).collect();
        let own: BTreeMap<String, &str> = own.into_iter().filter(|(text, _)| !end.contains(text)).collect();
        let Some(first) = first_of.get(&key(result)) else {
            first_of.insert(key(result), own);
            continue;
        };
        let other = own.iter().find(|(text, _)| !first.contains_key(*text));
        let is_unlike = first.keys().any(|text| !own.contains_key(text));
        if let Some((_, line)) = other.filter(|_| is_unlike) {
            result.is_apart = true;
            unlike = unlike.or_else(|| Some(short(line.trim(), SHOWN)));
        }
    }
    unlike.map(|line| msg!("published-lines-unlike", line))
}

/// What lines say, by their form: those of thousands of reports are the same but for their numbers.
#[derive(Default)]
struct SaidOfForms(HashMap<String, Option<String>>);

impl SaidOfForms {
    fn of(&mut self, line: &str) -> Option<String> {
        let Some(form) = form(line) else { return said(line) };
        if let Some(known) = self.0.get(&form) {
            return known.clone();
        }
        let words = said(line);
        if self.0.len() < MOST_FORMS {
            self.0.insert(form, words.clone());
        }
        words
    }
}

/// This many are kept.
const MOST_FORMS: usize = 10_000;

/// A line with 0 for each of its numbers, which say nothing; none if one is a part of a word, as in `pg16`.
fn form(line: &str) -> Option<String> {
    let (mut form, mut last) = (String::with_capacity(line.len()), ' ');
    for c in line.chars() {
        match (c.is_ascii_digit(), last.is_ascii_digit()) {
            (true, true) => {}
            (true, false) if last.is_alphanumeric() => return None,
            (true, false) => form.push('0'),
            (false, _) => form.push(c),
        }
        last = c;
    }
    Some(form)
}

/// What a line says but for its numbers, if no tool has written it.
fn said(line: &str) -> Option<String> {
    // A long run has a million of them.
    if unfinished::of_period(line.trim()).is_some() {
        return None;
    }
    let numbers = line.split(|c: char| !c.is_ascii_digit() && c != '.');
    let numbers = numbers.filter(|part| part.contains(|c: char| c.is_ascii_digit())).count();
    let is_moment = line.contains(':') && line.contains(['-', '/']);
    if is_passed(line) || commands::names_tool(line) || (numbers > MOST_NUMBERS && !is_moment) {
        return None;
    }
    let says = |word: &String| {
        // `pg16` is a name, and `8t` a number.
        !word.starts_with(|c: char| c.is_ascii_digit())
            && !is_of_repeat(word)
            && !is_among(word, "of-repeat")
            && !SAY_NOTHING.contains(&word.as_str())
    };
    let all: Vec<String> = lower(&words(line)).into_iter().filter(says).collect();
    (!all.is_empty()).then(|| all.join(" "))
}

#[cfg(test)]
mod tests {
    use super::{SaidOfForms, said};

    #[test]
    fn lines_of_one_form_say_the_same() {
        let mut of_forms = SaidOfForms::default();
        for line in [
            "    read:                            14000",
            "    read:                            28000",
            "total time:  60.0012s",
            "total time:  7s",
            "Threads: 8 pg16",
            "Threads: 8 pg17",
            "x 1 2 3",
            "x 1 2",
            "run2 old",
            "at 10:00 on 2024-01-01 new",
            "",
        ] {
            assert_eq!(of_forms.of(line), said(line), "{line}");
        }
        assert_ne!(of_forms.of("db pg16"), of_forms.of("db pg17"));
    }
}
