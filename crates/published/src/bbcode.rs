//! Tables of forums: `[table][tr][td]…[/td][/tr][/table]`, read as the page that they become.

use memchr::memchr_iter;
use std::borrow::Cow;

/// The tags that make a table, or end within one.
const TAGS: [&str; 6] = ["table", "tr", "td", "th", "caption", "b"];

/// A text with tags in angle brackets, if it has tables of a forum.
pub fn as_page(text: &str) -> Option<String> {
    let mut tables = memchr_iter(b'[', text.as_bytes())
        .filter(|at| text[*at..].get(..7).is_some_and(|tag| tag.eq_ignore_ascii_case("[table]")));
    tables.next()?;
    let (mut out, mut rest) = (String::from("<html>"), text);
    while let Some((before, after)) = rest.split_once('[') {
        out.push_str(&escaped(before));
        let tag = after.split_once(']').filter(|(tag, _)| TAGS.iter().any(|name| is(tag, name)));
        rest = match tag {
            Some((tag, after)) => {
                out.extend(["<", tag, ">"]);
                after
            }
            None => {
                out.push('[');
                after
            }
        };
    }
    Some(out + &escaped(rest))
}

fn is(tag: &str, name: &str) -> bool {
    tag.strip_prefix('/').unwrap_or(tag).eq_ignore_ascii_case(name)
}

fn escaped(text: &str) -> Cow<'_, str> {
    match text.contains(['<', '&']) {
        true => Cow::Owned(text.replace('&', "&amp;").replace('<', "&lt;")),
        false => Cow::Borrowed(text),
    }
}
