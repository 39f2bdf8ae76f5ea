//! Quotes words for a shell, for commands that are suggested to the user.

/// The word, quoted if the shell would interpret it.
pub fn word(text: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_./:@%+=,".contains(c);
    if !text.is_empty() && text.chars().all(plain) { text.to_owned() } else { quoted(text) }
}

/// The word in quotes, even if it needs none.
pub fn quoted(text: &str) -> String {
    format!("'{}'", text.replace('\'', "'\\''"))
}

#[cfg(test)]
mod tests {
    use super::word;

    #[test]
    fn a_shell_takes_the_word_as_it_was() {
        let typed =
            ["plan.toml", "my plan.toml", "it's", "", "$(reboot)", "a=1", "mysql://u@h/x?tls=required"].map(word);
        assert_eq!(
            typed.join(" "),
            r"plan.toml 'my plan.toml' 'it'\''s' '' '$(reboot)' a=1 'mysql://u@h/x?tls=required'"
        );
    }
}
