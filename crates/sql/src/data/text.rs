//! Texts of generators: words, names, identifiers, bytes.

use crate::language::Generator as Random;

/// Short words of English, in the order in which Zipf's law chooses them.
const WORDS: &[&str] = &[
    "the", "of", "and", "to", "in", "is", "you", "that", "it", "he", "was", "for", "on", "are", "as", "with", "his",
    "they", "at", "be", "this", "have", "from", "or", "one", "had", "by", "word", "but", "not", "what", "all", "were",
    "we", "when", "your", "can", "said", "there", "use", "an", "each", "which", "she", "do", "how", "their", "if",
    "will", "up", "other", "about", "out", "many", "then", "them", "these", "so", "some", "her", "would", "make",
    "like", "him", "into", "time", "has", "look", "two", "more", "write", "go", "see", "number", "no", "way", "could",
    "people", "my", "than", "first", "water", "been", "call", "who", "oil", "its", "now", "find", "long", "down",
    "day", "did", "get", "come", "made", "may", "part",
];

const FIRST_NAMES: &[&str] = &[
    "Aiko", "Akira", "Alice", "Anna", "Ben", "Carlos", "Chen", "Clara", "Daniel", "Elena", "Emma", "Fatima", "Felix",
    "Grace", "Hana", "Hiro", "Ines", "Ivan", "Jan", "Jun", "Karin", "Kenji", "Lea", "Liam", "Lina", "Luca", "Maria",
    "Mei", "Mia", "Nadia", "Noah", "Olga", "Omar", "Paul", "Priya", "Rina", "Sara", "Sofia", "Tom", "Yuki",
];

const LAST_NAMES: &[&str] = &[
    "Abe",
    "Baker",
    "Becker",
    "Brown",
    "Chen",
    "Costa",
    "Diaz",
    "Endo",
    "Fischer",
    "Garcia",
    "Hayashi",
    "Ito",
    "Jensen",
    "Kato",
    "Kim",
    "Kimura",
    "Kobayashi",
    "Lee",
    "Lopez",
    "Martin",
    "Meyer",
    "Mori",
    "Müller",
    "Nakamura",
    "Novak",
    "Okada",
    "Patel",
    "Rossi",
    "Saito",
    "Sato",
    "Schmidt",
    "Silva",
    "Singh",
    "Smith",
    "Suzuki",
    "Takahashi",
    "Tanaka",
    "Wang",
    "Yamada",
    "Zhang",
];

fn one<'a>(list: &[&'a str], random: &mut Random) -> &'a str {
    list[random.within(list.len() as u64 - 1) as usize]
}

/// From `least` to `most` words, frequent ones more often.
pub(crate) fn words(least: u64, most: u64, random: &mut Random) -> String {
    let count = least + random.within(most - least);
    let mut text = String::new();
    for at in 0..count {
        if at > 0 {
            text.push(' ');
        }
        text.push_str(WORDS[random.zipfian(0, WORDS.len() as i64 - 1, 1.2) as usize]);
    }
    text
}

/// From `least` to `most` small letters.
pub(crate) fn letters(least: u64, most: u64, random: &mut Random) -> String {
    let count = least + random.within(most - least);
    (0..count).map(|_| char::from(b'a' + random.within(25) as u8)).collect()
}

/// A first and a last name.
pub(crate) fn name(random: &mut Random) -> String {
    format!("{} {}", one(FIRST_NAMES, random), one(LAST_NAMES, random))
}

/// An address in a domain that exists for examples only, another one for each row.
pub(crate) fn email(row: u64, random: &mut Random) -> String {
    let name: String = name(random).to_lowercase().replace('ü', "ue").replace(' ', ".");
    format!("{name}.{row}@example.com")
}

/// `-12.05`
pub(crate) fn decimal(value: i64, places: u32) -> String {
    if places == 0 {
        return value.to_string();
    }
    let unit = 10u64.pow(places);
    let (sign, size) = (if value < 0 { "-" } else { "" }, value.unsigned_abs());
    format!("{sign}{}.{:0width$}", size / unit, size % unit, width = places as usize)
}

/// An identifier of this version (RFC 9562), of random bits or a head of 48 bits of time and 16 random ones.
pub(crate) fn uuid(head: u64, tail: u64, version: u64) -> String {
    let head = head & !0xF000 | version << 12;
    let tail = tail & !(3 << 62) | 1 << 63;
    format!(
        "{:08x}-{:04x}-{:04x}-{:04x}-{:012x}",
        head >> 32,
        head >> 16 & 0xFFFF,
        head & 0xFFFF,
        tail >> 48,
        tail & 0xFFFF_FFFF_FFFF
    )
}

/// Bytes of which a share is zeros, in blocks of 64.
pub(crate) fn bytes(length: u64, compressible: f64, random: &mut Random) -> Vec<u8> {
    let mut all = Vec::with_capacity(length as usize);
    while (all.len() as u64) < length {
        let block = (length - all.len() as u64).min(64) as usize;
        let noise = block - (block as f64 * compressible).round() as usize;
        for at in 0..block {
            all.push(if at < noise { random.word() as u8 } else { 0 });
        }
    }
    all
}
