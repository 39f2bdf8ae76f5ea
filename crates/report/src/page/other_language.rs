//! The texts of the language that the page does not open in: the page's script alone can show them, so they stand for it at the end of the page,
//! deflated, and not beside those of the page's language. They are a third of the markup otherwise.

use crate::chart_data::packed;
use tenbin_words::language::Language;

/// Where they stand, in the frames of pages that have a script.
const PLACE: &str = "<script type=\"text/plain\" id=\"texts\">";
/// Elements that have texts of a language, and elements whose content is no markup.
const WITH_TEXTS: [&str; 2] = ["span", "text"];
const RAW: [&str; 2] = ["script", "style"];
/// What a `<span>` of the page's language is written as. The script makes it one again.
const SHORT: (&[u8], &[u8]) = (b"<t->", b"</t->");

/// An element that has not ended: the number of its text, if it has one of the page's language, and whether it is a short one.
struct Opened {
    text: Option<usize>,
    is_short: bool,
}

/// A page as [`super::compact`] makes it, without the texts of the other language. In place: a page may have megabytes.
pub(super) fn moved(page: String, language: Language) -> String {
    let Some(body) = page.find("<body").filter(|_| page.contains(PLACE)) else { return page };
    let [own, other] = if language == Language::Japanese { ["ja", "en"] } else { ["en", "ja"] };
    let mut bytes = page.into_bytes();
    let (mut from, mut to) = (body, body);
    let mut texts = vec![other.to_owned()];
    let mut opened: Vec<Opened> = Vec::new();
    // The English text of a message stands before the Japanese one. The text of the page's language that ended last, and where; the one of the
    // other language that stands before the next.
    let (mut last, mut before) = ((0, 0), String::new());
    while from < bytes.len() {
        let rest = &bytes[from..];
        let tag = Tag::of(rest);
        let name = tag.as_ref().map_or("", |tag| tag.name);
        let mut long = tag.as_ref().map_or_else(|| to_next_tag(rest), |tag| tag.long);
        let mut instead: Option<&[u8]> = None;
        match &tag {
            Some(tag) if RAW.contains(&name) && !tag.is_end => {
                let end = format!("</{name}>");
                long = memchr::memmem::find(rest, end.as_bytes()).map_or(rest.len(), |at| at + end.len());
            }
            Some(tag) if WITH_TEXTS.contains(&name) && tag.is_end => {
                let ended = opened.pop();
                instead = ended.as_ref().is_some_and(|ended| ended.is_short).then_some(SHORT.1);
                if let Some(text) = ended.and_then(|ended| ended.text) {
                    last = (text, to + instead.map_or(long, <[u8]>::len));
                }
            }
            Some(tag) if WITH_TEXTS.contains(&name) => {
                if tag.is_of(other) {
                    let (content, whole) = end_of(rest, name);
                    let next =
                        Tag::of(&rest[whole..]).filter(|next| next.name == name && !next.is_end && next.is_of(own));
                    let text = match language {
                        Language::English if last.0 > 0 && last.1 == to => Some(&mut texts[last.0]),
                        Language::Japanese if next.is_some() => Some(&mut before),
                        _ => None,
                    };
                    if let Some(text) = text {
                        *text = String::from_utf8_lossy(&rest[tag.long..content]).into_owned();
                        from += whole;
                        continue;
                    }
                }
                let text = tag.is_of(own).then(|| {
                    texts.push(std::mem::take(&mut before));
                    texts.len() - 1
                });
                let is_short = rest.starts_with(format!("<span lang={own}>").as_bytes());
                opened.push(Opened { text, is_short });
                instead = is_short.then_some(SHORT.0);
            }
            _ => {}
        }
        match instead {
            Some(short) => {
                bytes[to..to + short.len()].copy_from_slice(short);
                to += short.len();
            }
            None => {
                bytes.copy_within(from..from + long, to);
                to += long;
            }
        }
        from += long;
    }
    bytes.truncate(to);
    let mut page = String::from_utf8(bytes).unwrap_or_default();
    if let Some(place) = page.rfind(PLACE) {
        page.insert_str(place + PLACE.len(), &packed(&serde_json::to_vec(&texts).unwrap_or_default()));
    }
    page
}

/// A tag of an element.
struct Tag<'t> {
    name: &'t str,
    is_end: bool,
    long: usize,
    attributes: &'t [u8],
}

impl<'t> Tag<'t> {
    /// The tag that the text begins with.
    fn of(text: &'t [u8]) -> Option<Tag<'t>> {
        let is_end = text.get(1) == Some(&b'/');
        let named = text.strip_prefix(if is_end { b"</".as_slice() } else { b"<" })?;
        let long = named.iter().position(|b| !b.is_ascii_alphanumeric()).unwrap_or(named.len());
        let all = super::compact::tag(text);
        Some(Tag { name: std::str::from_utf8(&named[..long]).ok()?, is_end, long: all, attributes: &text[..all] })
    }

    /// Whether its text is of this language.
    fn is_of(&self, language: &str) -> bool {
        let [middle, end] = [" ", ">"].map(|after| format!(" lang={language}{after}"));
        let has = |part: &str| self.attributes.windows(part.len()).any(|found| found == part.as_bytes());
        has(&middle) || has(&end)
    }
}

fn to_next_tag(text: &[u8]) -> usize {
    1 + text[1..].iter().position(|b| *b == b'<').unwrap_or(text.len() - 1)
}

/// Where the content of the element ends that the text begins with, and where the element does.
fn end_of(text: &[u8], name: &str) -> (usize, usize) {
    let (mut at, mut depth) = (0, 0usize);
    while at < text.len() {
        let Some(tag) = Tag::of(&text[at..]) else {
            at += to_next_tag(&text[at..]);
            continue;
        };
        if tag.name == name {
            depth = if tag.is_end { depth.saturating_sub(1) } else { depth + 1 };
            if depth == 0 {
                return (at, at + tag.long);
            }
        }
        at += tag.long;
    }
    (text.len(), text.len())
}

#[cfg(test)]
mod tests {
    use super::*;
    use base64::Engine;
    use std::io::Read;

    /// What stands for a page that has these elements, and the texts at its end.
    fn of(elements: &str, language: Language) -> (String, Vec<String>) {
        let page = moved(format!("<html lang=en><body>{elements}{PLACE}</script><script>a</script>"), language);
        let (elements, rest) = page.strip_prefix("<html lang=en><body>").unwrap().split_once(PLACE).unwrap();
        let packed = base64::prelude::BASE64_STANDARD.decode(rest.strip_suffix("</script><script>a</script>").unwrap());
        let (packed, mut json) = (packed.unwrap(), Vec::new());
        flate2::read::DeflateDecoder::new(packed.as_slice()).read_to_end(&mut json).unwrap();
        (elements.to_owned(), serde_json::from_slice(&json).unwrap())
    }

    #[test]
    fn texts_of_the_other_language_stand_at_the_end_in_the_order_of_the_others() {
        let page = "<td><span lang=en>trial</span><span lang=ja>試行</span> <span translate=no>a</span>\
                    <svg><text lang=en x=4>log</text><text lang=ja x=4>対数</text></svg>\
                    <p><span translate=no lang=en>b</span><span translate=no lang=ja><span translate=no>7</span> 秒</span>\
                    <span lang=en>alone</span> <span lang=ja>離れて</span><style>a<span lang=ja></style>";
        let (kept, texts) = of(page, Language::English);
        assert_eq!(
            kept,
            "<td><t->trial</t-> <span translate=no>a</span><svg><text lang=en x=4>log</text></svg>\
             <p><span translate=no lang=en>b</span><t->alone</t-> <span lang=ja>離れて</span><style>a<span lang=ja></style>"
        );
        assert_eq!(texts, ["ja", "試行", "対数", "<span translate=no>7</span> 秒", ""]);
    }

    #[test]
    fn a_japanese_page_has_its_english_at_the_end() {
        // The English text of a message stands before the Japanese one.
        let (kept, texts) = of("<span lang=en>trial</span><span lang=ja>試行</span>", Language::Japanese);
        assert_eq!((kept.as_str(), texts), ("<t->試行</t->", vec!["en".to_owned(), "trial".to_owned()]));
    }

    #[test]
    fn a_page_without_script_keeps_both() {
        let page = "<body><span lang=en>trial</span><span lang=ja>試行</span>";
        assert_eq!(moved(page.to_owned(), Language::English), page);
    }
}
