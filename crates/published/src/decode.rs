//! The bytes of a file as text: UTF-8, UTF-16 with its mark, Shift_JIS or EUC-JP, and the former encodings of other languages (GBK,
//! Big5, EUC-KR, windows-1251, windows-1252, …) as browsers guess them.

use chardetng::EncodingDetector;
use encoding_rs::{EUC_JP, Encoding, SHIFT_JIS, UTF_8};
use tenbin_words::msg;
use tenbin_words::problem::Problem;

/// The text, and the name of the encoding if it is not UTF-8. Fails if the bytes are no text in any of these.
pub fn decode(bytes: Vec<u8>, path: &str) -> Result<(String, Option<&'static str>), Problem> {
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
    // Text in one of them is often valid in the other too, as Katakana of half width, which hardly anybody writes.
    let katakana = |text: &str| text.chars().filter(|c| ('\u{ff61}'..='\u{ff9f}').contains(c)).count();
    let read = |encoding: &'static Encoding| {
        let text = encoding.decode_without_bom_handling_and_without_replacement(bytes)?;
        (!text.contains(|c: char| c.is_control() && !"\t\r\n\x1b".contains(c)))
            .then(|| (text.into_owned(), Some(encoding.name())))
    };
    // Japanese has Hiragana in nearly every sentence and heading, and no text of another language read as Japanese has.
    let kana = |text: &str| text.chars().filter(|c| ('\u{3041}'..='\u{30ff}').contains(c)).count();
    let japanese = [SHIFT_JIS, EUC_JP].into_iter().filter_map(read).min_by_key(|(text, _)| katakana(text));
    let is_japanese = |text: &str| kana(text) > 1 && kana(text) > katakana(text);
    if let Some(found) = japanese.as_ref().filter(|(text, _)| is_japanese(text)) {
        return Ok(found.clone());
    }
    let mut detector = EncodingDetector::new(chardetng::Iso2022JpDetection::Deny);
    detector.feed(bytes, true);
    let guessed = read(detector.guess(None, chardetng::Utf8Detection::Deny));
    guessed.or(japanese).ok_or_else(|| no_text(bytes, path))
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
            ("threads,tps,avg (µs)\n8,100,80000\nDurchsätze für größere\n", encoding_rs::WINDOWS_1252),
        ] {
            let (read, found) = decode(encoding.encode(text).0.into_owned(), "x").unwrap();
            assert_eq!(read, text, "{found:?}");
        }
        for bytes in [b"\xff\x00\x80".to_vec(), b"a\0b".to_vec(), vec![0x80, 0x81, 0xfd, 0xfe, 0x01]] {
            assert!(decode(bytes.clone(), "x").is_err(), "{bytes:?}");
        }
    }
}
