//! The bytes of a file as text: UTF-8, UTF-16 with its mark, Shift_JIS or EUC-JP, and the former encodings of other languages (GBK,
//! Big5, EUC-KR, windows-1251, windows-1252, …) as browsers guess them.

use crate::mhtml;
use chardetng::EncodingDetector;
use encoding_rs::{EUC_JP, Encoding, SHIFT_JIS, UTF_8, WINDOWS_1252};
use tenbin_words::msg;
use tenbin_words::problem::Problem;

/// The text, and the name of the encoding if it is not UTF-8. Fails if the bytes are no text in any of these.
pub fn decode(bytes: Vec<u8>, path: &str) -> Result<(String, Option<&'static str>), Problem> {
    if let Some(pages) = mhtml::pages(&bytes) {
        return Ok((pages, None));
    }
    if let Some((encoding, _)) = Encoding::for_bom(&bytes) {
        let (text, _, wrong) = encoding.decode(&bytes);
        return match wrong || text.contains('\0') {
            false => Ok((text.into_owned(), (encoding != UTF_8).then(|| encoding.name()))),
            true => Err(no_text(&bytes, path)),
        };
    }
    // The usual case, in which a large file is not copied.
    let bytes = match String::from_utf8(bytes) {
        Ok(text) if text.contains('\0') => return Err(no_text(text.as_bytes(), path)),
        Ok(text) => return Ok((text, None)),
        Err(error) => error.into_bytes(),
    };
    let bytes = bytes.as_slice();
    if let Some(text) = of_several(bytes) {
        return Ok((text, Some(UTF_8.name())));
    }
    // Text in one of them is often valid in the other too, as Katakana of half width, which hardly anybody writes.
    let katakana = |text: &str| text.chars().filter(|c| ('\u{ff61}'..='\u{ff9f}').contains(c)).count();
    let read = |encoding: &'static Encoding| {
        let text = encoding.decode_without_bom_handling_and_without_replacement(bytes)?;
        (!text.contains(|c: char| c.is_control() && !"\t\r\n\x1b".contains(c)))
            .then(|| (text.into_owned(), Some(encoding.name())))
    };
    if has_only_signs(bytes)
        && let Some(decoded) = read(WINDOWS_1252)
    {
        return Ok(decoded);
    }
    // Japanese has Hiragana in nearly every sentence and heading, and no text of another language read as Japanese has.
    let kana = |text: &str| text.chars().filter(|c| ('\u{3041}'..='\u{30ff}').contains(c)).count();
    let japanese = [SHIFT_JIS, EUC_JP].into_iter().filter_map(read).min_by_key(|(text, _)| katakana(text));
    let is_japanese = |text: &str| kana(text) > 1 && kana(text) > katakana(text);
    if let Some(decoded) = japanese.as_ref().filter(|(text, _)| is_japanese(text)) {
        return Ok(decoded.clone());
    }
    let mut detector = EncodingDetector::new(chardetng::Iso2022JpDetection::Deny);
    detector.feed(bytes, true);
    let guessed = read(detector.guess(None, chardetng::Utf8Detection::Deny));
    guessed.or(japanese).ok_or_else(|| no_text(bytes, path))
}

/// Fewer characters may be of UTF-8 by chance.
const LEAST: usize = 6;

/// A text in UTF-8 to which lines of another encoding were added, with marks in the place of what is none: at least half of its
/// lines that are not of ASCII are of UTF-8, which text of another encoding hardly ever is.
fn of_several(bytes: &[u8]) -> Option<String> {
    let lines = || bytes.split(|byte| *byte == b'\n').filter(|line| !line.is_ascii());
    let valid: Vec<&str> = lines().filter_map(|line| std::str::from_utf8(line).ok()).collect();
    let characters = valid.iter().flat_map(|line| line.chars()).filter(|c| !c.is_ascii()).count();
    let is_shown = characters >= LEAST || valid.iter().any(|line| has_letter_within_word(line));
    let is_one = 2 * valid.len() >= lines().count() && is_shown && !bytes.contains(&0);
    is_one.then(|| String::from_utf8_lossy(bytes).into_owned())
}

/// Whether a letter beyond ASCII stands between letters of ASCII, as in a European word: those of East Asian texts have their like beside them.
fn has_letter_within_word(line: &str) -> bool {
    let all: Vec<char> = line.chars().collect();
    all.windows(3).any(|three| {
        let is_letter = |c: char| c.is_ascii_alphabetic();
        is_letter(three[0]) && ('\u{c0}'..='\u{24f}').contains(&three[1]) && is_letter(three[2])
    })
}

/// Whether the only characters beyond ASCII are signs of windows-1252 that stand alone, as in `avg (µs)`, `±` and `–`: letters of
/// other encodings have company.
fn has_only_signs(bytes: &[u8]) -> bool {
    // µ ± ° × and the space that does not break, – and —.
    const SIGNS: [u8; 7] = [0xb5, 0xb1, 0xb0, 0xd7, 0xa0, 0x96, 0x97];
    // In Shift_JIS a kanji may begin with the byte of a dash; its second byte is none of these.
    let is_after_dash = |next: &u8| *next < 0x40;
    let mut beyond = bytes.iter().enumerate().filter(|(_, byte)| !byte.is_ascii());
    beyond.all(|(at, byte)| {
        let (last, next) = (at.checked_sub(1).and_then(|at| bytes.get(at)), bytes.get(at + 1));
        let is_dash = [0x96, 0x97].contains(byte);
        SIGNS.contains(byte)
            && last.is_none_or(u8::is_ascii)
            && next.is_none_or(|next| next.is_ascii() && (!is_dash || is_after_dash(next)))
    })
}

fn no_text(bytes: &[u8], path: &str) -> Problem {
    let at = std::str::from_utf8(bytes).map_or_else(|e| e.valid_up_to(), |text| text.find('\0').unwrap_or(0));
    let byte = format!("0x{:02x}", bytes.get(at).copied().unwrap_or(0));
    Problem::new(msg!("published-no-text", file = path))
        .evidence(msg!("published-no-text-seen", byte, at = at + 1))
        .hint(msg!("published-no-text-hint"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn encodings_are_told_apart() {
        let text = "スレッド数,対象,ＴＰＳ\n１,日本語のサーバー,２２６．９５\n";
        let utf16: Vec<u8> = [0xfeff].into_iter().chain(text.encode_utf16()).flat_map(u16::to_le_bytes).collect();
        for (bytes, encoding) in [
            (text.as_bytes().to_vec(), None),
            (format!("\u{feff}{text}").into_bytes(), None),
            (SHIFT_JIS.encode(text).0.into_owned(), Some("Shift_JIS")),
            (EUC_JP.encode(text).0.into_owned(), Some("EUC-JP")),
            (utf16, Some("UTF-16LE")),
        ] {
            assert_eq!(decode(bytes, "x").unwrap(), (text.to_owned(), encoding));
        }
        for (text, encoding) in [
            ("线程数,每秒事务数,平均延迟\n8,100,80\n16,150,106\n", encoding_rs::GBK),
            ("스레드,초당 트랜잭션,평균 지연 시간\n8,100,80\n", encoding_rs::EUC_KR),
            ("Клиентов,Пропускная способность,Средняя задержка\n8,100,80\n", encoding_rs::WINDOWS_1251),
            ("Clients,TPS,Latency avg (µs)\n4,20000,200\n8,30000,266.7\n", WINDOWS_1252),
            ("clients,tps,5 ± 1,a × b,1–2\n4,2,3,4,5\n", WINDOWS_1252),
            ("threads,tps,avg (µs)\n8,100,80000\nDurchsätze für größere\n", WINDOWS_1252),
        ] {
            let (read, name) = decode(encoding.encode(text).0.into_owned(), "x").unwrap();
            assert_eq!(read, text, "{name:?}");
        }
        let mixed = ["Länge,größte\n1,2\nÄÖÜÄ,Ö\n".as_bytes(), b"Gr\xf6\xdfe,3\n"].concat();
        assert_eq!(
            decode(mixed, "x").unwrap(),
            ("Länge,größte\n1,2\nÄÖÜÄ,Ö\nGr\u{fffd}\u{fffd}e,3\n".to_owned(), Some("UTF-8"))
        );
        let mixed = ["Verhältnis,x\n1,2\n".as_bytes(), b"Gr\xf6\xdfe,3\n"].concat();
        assert_eq!(decode(mixed, "x").unwrap().1, Some("UTF-8"));
        assert!(!has_only_signs(&SHIFT_JIS.encode("本,予\n1,2\n").0));
        for bytes in [b"\xff\x00\x80".to_vec(), b"a\0b".to_vec(), vec![0x80, 0x81, 0xfd, 0xfe, 0x01]] {
            assert!(decode(bytes.clone(), "x").is_err(), "{bytes:?}");
        }
    }
}
