//! The passwords with which this process connects, so that none of them is kept with what another program prints: a shell that shows its commands
//! (`set -x`) shows the passwords in them, in whatever place.

use std::collections::BTreeSet;
use std::fmt::Write;
use std::sync::{Mutex, PoisonError};
use tenbin_model::dsn::redact;

/// Shorter ones, in characters, cannot be told from other text.
const SHORTEST: usize = 4;
/// Up to this length they are looked for as whole words only.
const WORD: usize = 8;

static KNOWN: Mutex<BTreeSet<String>> = Mutex::new(BTreeSet::new());

/// Takes a password into those that are known.
pub(crate) fn note(password: &str) {
    if password.chars().count() >= SHORTEST {
        KNOWN.lock().unwrap_or_else(PoisonError::into_inner).insert(password.to_owned());
    }
}

/// A text of another program without what may be a password, by its place or because it is known. All such texts pass through here before they are
/// shown or kept.
pub fn without_secrets(text: &str) -> String {
    redact(&without_known(text))
}

/// A text without the passwords that are known, as they are, as in an address, and as in a word of a shell.
pub fn without_known(text: &str) -> String {
    let known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner).clone();
    without(text, &known)
}

fn without(text: &str, known: &BTreeSet<String>) -> String {
    let mut forms: Vec<String> = known.iter().flat_map(|password| forms(password)).collect();
    // One may be a part of another.
    forms.sort_by_key(|form| std::cmp::Reverse(form.len()));
    forms.iter().fold(text.to_owned(), |text, form| without_one(&text, form))
}

fn forms(password: &str) -> [String; 4] {
    let (mut upper, mut lower) = (String::new(), String::new());
    for byte in password.bytes() {
        match byte.is_ascii_alphanumeric() || b"-._~".contains(&byte) {
            true => [&mut upper, &mut lower].into_iter().for_each(|form| form.push(char::from(byte))),
            false => {
                let _ = write!(upper, "%{byte:02X}");
                let _ = write!(lower, "%{byte:02x}");
            }
        }
    }
    [password.to_owned(), upper, lower, password.replace('\'', "'\\''")]
}

fn without_one(text: &str, form: &str) -> String {
    let is_word = form.chars().count() < WORD;
    let (mut out, mut done) = (String::with_capacity(text.len()), 0);
    for (at, secret) in text.match_indices(form) {
        let end = at + secret.len();
        let joins = |a: Option<char>, b: Option<char>| {
            [a, b].into_iter().flatten().filter(|c| c.is_alphanumeric()).count() == 2
        };
        let within = joins(text[..at].chars().next_back(), secret.chars().next())
            || joins(secret.chars().next_back(), text[end..].chars().next());
        if !(is_word && within) {
            out.push_str(&text[done..at]);
            out.push('…');
            done = end;
        }
    }
    out.push_str(&text[done..]);
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn passwords_are_found_in_every_form_and_words_stay() {
        let known = ["s3kr1t%pw", "it's long enough", "test"].map(str::to_owned).into();
        for (text, left) in [
            ("+ sshpass -p s3kr1t%pw ssh x", "+ sshpass -p … ssh x"),
            ("ALTER ROLE bob PASSWORD 's3kr1t%pw';s3kr1t%pw", "ALTER ROLE bob PASSWORD '…';…"),
            ("postgres://u:s3kr1t%25pw@h", "postgres://u:…@h"),
            ("echo 'it'\\''s long enough'", "echo '…'"),
            ("it%27s%20long%20enough", "…"),
            ("the database sbtest, a test, testing", "the database sbtest, a …, testing"),
            ("", ""),
        ] {
            assert_eq!(without(text, &known), left);
        }
    }
}
