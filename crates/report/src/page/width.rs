//! How wide a text is on the page, before a browser has it: some tables stand in another way if their texts are long.

use minijinja::Value;

/// How many Latin letters are as wide as a text that may be markup in both languages: of the longer one.
pub(super) fn width(text: &Value) -> usize {
    let text = text.to_string();
    let key = if text.contains("<svg") { 5 } else { 0 };
    let in_language = |other: &str| -> usize {
        let mut parts = text.split(other);
        let first = parts.next().unwrap_or_default();
        let rest = parts.filter_map(|part| part.split_once("</span>")).map(|(_, rest)| rest);
        let plain = std::iter::once(first).chain(rest).flat_map(|part| {
            part.split('<')
                .enumerate()
                .map(|(at, part)| if at == 0 { part } else { part.split_once('>').map_or("", |(_, text)| text) })
        });
        plain.flat_map(str::chars).map(|c| if c.is_ascii() { 1 } else { 2 }).sum()
    };
    key + ["<span lang=\"ja\">", "<span lang=\"en\">"].map(in_language).into_iter().max().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_width_of_a_label_is_that_of_its_longer_language() {
        let of = |text: &str| width(&Value::from(text));
        assert_eq!(of("1.42–1.67"), 10);
        assert_eq!(of("<span lang=\"en\">8 clients</span><span lang=\"ja\">8 クライアント</span> <b>x</b>"), 16);
        assert_eq!(of("<span><svg><path/></svg><span>db-01</span></span>"), 10);
    }
}
