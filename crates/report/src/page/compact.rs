//! The page's markup without what HTML does not need: end tags of cells, rows and items, and quotation marks around values of
//! attributes that are one word. A page has thousands of them.

/// End tags that are implied by what follows them: the next cell, row or item, or the end of what they are in.
const IMPLIED: [&[u8]; 4] = [b"</td>", b"</th>", b"</tr>", b"</li>"];
/// Elements whose content is no markup.
const RAW: [(&[u8], &[u8]); 2] = [(b"<script", b"</script>"), (b"<style", b"</style>")];

/// The same page, shorter. In place: a page may have megabytes.
pub(super) fn compact(page: String) -> String {
    let mut bytes = page.into_bytes();
    let (mut from, mut to) = (0, 0);
    while from < bytes.len() {
        let rest = &bytes[from..];
        if let Some(implied) = IMPLIED.iter().find(|tag| rest.starts_with(tag)) {
            from += implied.len();
            continue;
        }
        let raw = RAW.iter().find(|(start, _)| rest.starts_with(start));
        let long = match raw {
            Some((_, end)) => {
                rest.windows(end.len()).position(|part| part == *end).map_or(rest.len(), |at| at + end.len())
            }
            None if rest[0] == b'<' => {
                let long = tag(rest);
                to = without_quotes(&mut bytes, from..from + long, to);
                from += long;
                continue;
            }
            None => rest.iter().position(|b| *b == b'<').unwrap_or(rest.len()),
        };
        bytes.copy_within(from..from + long, to);
        (from, to) = (from + long, to + long);
    }
    bytes.truncate(to);
    String::from_utf8(bytes).unwrap_or_default()
}

/// How long the tag is that the text begins with. A `>` in a value does not end it.
pub(super) fn tag(text: &[u8]) -> usize {
    let mut is_quoted = false;
    let ends = |b: &u8| {
        is_quoted ^= *b == b'"';
        !is_quoted && *b == b'>'
    };
    text.iter().position(ends).map_or(text.len(), |at| at + 1)
}

/// Moves a tag to where it begins, and returns where it ends.
fn without_quotes(bytes: &mut [u8], tag: std::ops::Range<usize>, mut to: usize) -> usize {
    let (mut at, end) = (tag.start, tag.end);
    while at < end {
        // Identifiers stay as those who look for a part of the page in its text write them.
        let before = &bytes[tag.start..at];
        let opens = bytes[at] == b'"' && before.ends_with(b"=") && !before.ends_with(b" id=");
        let closes = opens.then(|| bytes[at + 1..end].iter().position(|b| *b == b'"')).flatten();
        let Some(long) = closes else {
            bytes[to] = bytes[at];
            (at, to) = (at + 1, to + 1);
            continue;
        };
        let value = at + 1..at + 1 + long;
        let is_word =
            long > 0 && bytes[value.clone()].iter().all(|b| b.is_ascii_alphanumeric() || b"-_.:#%".contains(b));
        // Behind a value without quotation marks, the slash of an empty element would be a part of it.
        let kept = if is_word && bytes.get(value.end + 1) != Some(&b'/') { value.clone() } else { at..value.end + 1 };
        at = value.end + 1;
        let long = kept.len();
        bytes.copy_within(kept, to);
        to += long;
    }
    to
}

#[cfg(test)]
mod tests {
    use super::compact;

    #[test]
    fn only_what_html_does_not_need_is_left_out() {
        let of = |page: &str| compact(page.to_owned());
        assert_eq!(
            of("<table><tr class=\"first\"><th>a</th><td class=\"w wide\">b &lt;/td&gt;</td></tr></table><p>c</p>"),
            "<table><tr class=first><th>a<td class=\"w wide\">b &lt;/td&gt;</table><p>c</p>"
        );
        // A value that is not one word, one that is empty, one before a slash, text with quotation marks, and a sign of the end in a value.
        for same in [
            "<a href=\"a/b\">x</a>",
            "<a title=\"\">x</a>",
            "<use href=\"#key0\"/>",
            "<section id=\"why\">",
            "<p>class=\"w\"</p>",
            "<a title=\"a > b=\" x>y</a>",
            "<script>if (a<b) f(\"</td>\", x=\"y\")</script>",
            "<style>a[b=\"c\"]{}</style>",
            "日本語 < 3",
        ] {
            assert_eq!(of(same), same);
        }
        assert_eq!(of("<i a=\"b\" c=\"d e\" f=\"g\"></i>日本<td>語</td>"), "<i a=b c=\"d e\" f=g></i>日本<td>語");
        assert_eq!(of(""), "");
    }
}
