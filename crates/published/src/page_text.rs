//! The text of a page without tags, with as many lines: for logs whose figures a highlighter has coloured, and for lists of results.

use html5gum::{Token, Tokenizer};

/// Elements that end a line.
const LINES: [&str; 14] = ["br", "p", "div", "li", "tr", "pre", "h1", "h2", "h3", "h4", "h5", "h6", "table", "ul"];
/// A longer tag is none.
const LONGEST: usize = 2000;

/// The text of a page or of a text with `<pre>`; `None` if it is neither. Headings and items of lists have the signs that they have in Markdown.
pub(crate) fn text_of(text: &str) -> Option<String> {
    let is_page = text.trim_start().starts_with('<') && text.contains("</");
    if !is_page && !text.contains("</pre>") {
        return None;
    }
    let (mut out, mut at, mut end) = (String::with_capacity(text.len()), 0, 0);
    while let Some(begin) = text[at..].find('<').map(|offset| at + offset) {
        out.push_str(&text[at..begin]);
        at = begin + 1;
        if end < at {
            end = text[at..].find('>').map_or(text.len(), |offset| at + offset);
        }
        let is_tag = text[at..].starts_with(|c: char| c.is_ascii_alphabetic() || "/!?".contains(c));
        if !is_tag || end == text.len() || end - at > LONGEST {
            out.push_str("&lt;");
            continue;
        }
        let tag = &text[at..end];
        at = end + 1;
        let rest = &text[at..];
        out.extend(tag.matches('\n'));
        let name = tag.trim_start_matches('/').split(|c: char| !c.is_ascii_alphanumeric()).next().unwrap_or_default();
        let name = name.to_ascii_lowercase();
        let is_end = tag.starts_with('/') || name == "br";
        if is_end && LINES.contains(&name.as_str()) && !rest.starts_with(['\n', '\r']) {
            out.push('\n');
        } else if !is_end && name.len() == 2 && name.starts_with('h') && LINES.contains(&name.as_str()) {
            out.push_str("## ");
        } else if !is_end && name == "li" {
            out.push_str(if out.is_empty() || out.ends_with('\n') { "- " } else { "\n- " });
        }
    }
    out.push_str(&text[at..]);
    // What is left has entities.
    let mut decoded = String::with_capacity(out.len());
    for token in Tokenizer::new(&out) {
        let Ok(token) = token;
        if let Token::String(text) = token {
            decoded.push_str(&String::from_utf8_lossy(&text));
        }
    }
    Some(decoded)
}

#[cfg(test)]
mod tests {
    use super::text_of;

    #[test]
    fn a_page_is_its_text_in_as_many_lines() {
        let page = "<html>\n<h2 class='a\nb'>A &amp; B</h2>\n<pre><code>a: <b>1</b>\n&lt;x&gt; < 2<br>c\n</code></pre>";
        assert_eq!(text_of(page).as_deref(), Some("\n\n## A & B\na: 1\n<x> < 2\nc\n\n"));
        assert_eq!(text_of("a <b\n"), None);
        assert_eq!(text_of("type: <builtin: x>\n"), None);
        let hostile = "<".repeat(100_000) + "</pre>";
        assert!(text_of(&hostile).is_some());
    }
}
