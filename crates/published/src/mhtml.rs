//! Pages that a browser or a spreadsheet saves as one file (`.mht`, `.mhtml`; RFC 2557): the HTML of its parts, decoded.

use encoding_rs::{Encoding, UTF_8};

/// The headers of the file are within this many bytes.
const HEAD: usize = 4000;

/// The pages of such a file, one behind another, or `None` if it is none.
pub fn pages(bytes: &[u8]) -> Option<String> {
    let head = &bytes[..bytes.len().min(HEAD)];
    let is_ascii = |byte: &u8| byte.is_ascii() && *byte != 0;
    if !head.first()?.is_ascii_alphabetic() || !head.iter().take(100).all(is_ascii) {
        return None;
    }
    let (headers, body) = part(bytes)?;
    let kind = header(&headers, "content-type")?;
    header(&headers, "mime-version")?;
    let mut all = String::new();
    match parameter(&kind, "boundary") {
        Some(boundary) if kind.to_ascii_lowercase().starts_with("multipart/") => {
            for (headers, body) in split(body, format!("--{boundary}").as_bytes()).into_iter().skip(1).filter_map(part)
            {
                all.extend(page(&headers, body));
            }
        }
        _ => all.extend(page(&headers, body)),
    }
    (!all.is_empty()).then_some(all)
}

/// The text of a part, if it is a page.
fn page(headers: &str, body: &[u8]) -> Option<String> {
    let kind = header(headers, "content-type").filter(|kind| kind.to_ascii_lowercase().starts_with("text/html"))?;
    let form = header(headers, "content-transfer-encoding").unwrap_or_default().to_ascii_lowercase();
    let decoded = match form.as_str() {
        "quoted-printable" => quoted_printable(body),
        "base64" => base64(body),
        _ => body.to_vec(),
    };
    let charset = parameter(&kind, "charset").and_then(|name| Encoding::for_label(name.as_bytes()));
    let encoding = charset.filter(|_| std::str::from_utf8(&decoded).is_err()).unwrap_or(UTF_8);
    Some(encoding.decode(&decoded).0.into_owned())
}

/// The headers, which end with an empty line and of which one may go on below it, and what stands below them.
fn part(bytes: &[u8]) -> Option<(String, &[u8])> {
    let ends: [&[u8]; 2] = [b"\r\n\r\n", b"\n\n"];
    let begin = bytes.iter().position(|byte| !byte.is_ascii_whitespace())?;
    let bytes = &bytes[begin..];
    let within = &bytes[..bytes.len().min(HEAD)];
    let end = |end: &&[u8]| within.windows(end.len()).position(|four| four == *end).map(|at| (at, at + end.len()));
    let (at, from) = ends.iter().filter_map(end).min()?;
    let headers = String::from_utf8_lossy(&bytes[..at]).replace("\r\n", "\n");
    Some((headers.replace("\n\t", " ").replace("\n ", " "), &bytes[from..]))
}

/// The value of a header.
fn header(headers: &str, name: &str) -> Option<String> {
    let mut all = headers.lines().filter_map(|line| line.split_once(':'));
    all.find(|(of, _)| of.eq_ignore_ascii_case(name)).map(|(_, value)| value.trim().to_owned())
}

/// `multipart/related; boundary="x"`: the value of a parameter.
fn parameter(value: &str, name: &str) -> Option<String> {
    let mut all = value.split(';').filter_map(|part| part.split_once('='));
    let (_, of) = all.find(|(of, _)| of.trim().eq_ignore_ascii_case(name))?;
    Some(of.trim().trim_matches('"').to_owned()).filter(|of| !of.is_empty())
}

/// What stands between these bytes.
fn split<'b>(bytes: &'b [u8], by: &[u8]) -> Vec<&'b [u8]> {
    let (mut all, mut from, mut at) = (Vec::new(), 0, 0);
    while at + by.len() <= bytes.len() {
        let Some(next) = bytes[at..].iter().position(|byte| *byte == by[0]) else { break };
        at += next;
        if bytes[at..].starts_with(by) {
            all.push(&bytes[from..at]);
            from = at + by.len();
            at = from;
        } else {
            at += 1;
        }
    }
    all.push(&bytes[from..]);
    all
}

/// `=3D` is a byte, and `=` at its end joins a line to the next (RFC 2045, 6.7).
fn quoted_printable(body: &[u8]) -> Vec<u8> {
    let (mut out, mut at) = (Vec::with_capacity(body.len()), 0);
    while at < body.len() {
        let rest = &body[at + 1..];
        let hex = || u8::from_str_radix(std::str::from_utf8(rest.get(..2)?).ok()?, 16).ok();
        at += match body[at] {
            b'=' if rest.starts_with(b"\r\n") => 3,
            b'=' if rest.starts_with(b"\n") => 2,
            b'=' => match hex() {
                Some(byte) => {
                    out.push(byte);
                    3
                }
                None => {
                    out.push(b'=');
                    1
                }
            },
            byte => {
                out.push(byte);
                1
            }
        };
    }
    out
}

/// RFC 4648, 4; what is none of its characters is passed over.
fn base64(body: &[u8]) -> Vec<u8> {
    let six = |byte: u8| match byte {
        b'A'..=b'Z' => Some(byte - b'A'),
        b'a'..=b'z' => Some(byte - b'a' + 26),
        b'0'..=b'9' => Some(byte - b'0' + 52),
        b'+' => Some(62),
        b'/' => Some(63),
        _ => None,
    };
    let digits: Vec<u8> = body.iter().take_while(|byte| **byte != b'=').filter_map(|byte| six(*byte)).collect();
    let mut out = Vec::with_capacity(digits.len() * 3 / 4);
    for four in digits.chunks(4) {
        let bits = four.iter().fold(0u32, |all, six| all << 6 | u32::from(*six)) << (6 * (4 - four.len()));
        out.extend_from_slice(&bits.to_be_bytes()[1..four.len()]);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::pages;
    use crate::{FigureKind, read};

    const PAGE: &str = "<html><body><table><tr><th>スレッド数</th><th>TPS</th></tr><tr><td>8</td><td>1000</td></tr><tr><td>16</td><td>1900</td></tr></table></body></html>";

    fn quoted(text: &str) -> String {
        let byte = |b: u8| if b.is_ascii() && b != b'=' { char::from(b).to_string() } else { format!("={b:02X}") };
        let all: Vec<String> = text.bytes().map(byte).collect();
        all.chunks(60).map(<[String]>::concat).collect::<Vec<_>>().join("=\r\n")
    }

    fn saved(form: &str, body: &str) -> String {
        format!(
            "From: <Saved by Blink>\r\nSubject: Results\r\nMIME-Version: 1.0\r\nContent-Type: multipart/related;\r\n\ttype=\"text/html\";\r\n\tboundary=\"----Boundary--x----\"\r\n\r\n\r\n------Boundary--x----\r\nContent-Type: text/html\r\nContent-Transfer-Encoding: {form}\r\nContent-Location: https://x/\r\n\r\n{body}\r\n------Boundary--x----\r\nContent-Type: text/css\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\n@charset \"utf-8\";\r\n------Boundary--x------\r\n"
        )
    }

    #[test]
    fn the_page_of_a_saved_file_is_read() {
        let of_bytes = "PGh0bWw+PHRhYmxlPjx0cj48dGQ+dGhyZWFkczx0ZD50cHM8dHI+PHRkPjg8dGQ+MTAwMA0KPC90YWJsZT4=";
        for text in [saved("quoted-printable", &quoted(PAGE)), saved("8bit", PAGE), saved("base64", of_bytes)] {
            let read = read(text.as_bytes(), "x.mht").unwrap();
            assert_eq!(
                (read.results[0].get(FigureKind::Clients), read.results[0].get(FigureKind::Tps)),
                (Some(8.0), Some(1000.0)),
                "{text}"
            );
        }
        let of_one = format!(
            "MIME-Version: 1.0\nContent-Type: text/html; charset=\"utf-8\"\nContent-Transfer-Encoding: quoted-printable\n\n{}",
            quoted(PAGE)
        );
        assert_eq!(pages(of_one.as_bytes()).as_deref(), Some(PAGE));
    }

    #[test]
    fn other_bytes_are_none() {
        for bytes in [
            "",
            "a",
            "threads,tps\n8,100\n",
            "MIME-Version: 1.0\n\n",
            "Content-Type: text/html\n\nx",
            "\n\n",
            "a: b\n\n=",
        ] {
            assert_eq!(pages(bytes.as_bytes()), None, "{bytes:?}");
        }
        let cut = saved("quoted-printable", "=4");
        let _ = (pages(cut.as_bytes()), pages(&cut.as_bytes()[..300]));
    }
}
