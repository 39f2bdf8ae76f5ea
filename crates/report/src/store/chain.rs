//! The chain of the lines of a log: each line ends in a digest of itself and of the line before, in its key `chain`. A line that
//! was edited, removed, inserted or moved is found, also in the log of a run that was killed or is being written.
//!
//! This does not protect against somebody who computes the digests anew: for that, the digest of the whole run is published
//! beside its result ([`super::sums`]).

use super::files::RunFile;
use super::log::{LogLine, LogLines};
use sha2::{Digest, Sha256};
use std::io;
use tenbin_words::hex::hex;

/// What is before the digest in a line, and behind it.
const BEFORE: &[u8] = b",\"chain\":\"";
const BEHIND: &[u8] = b"\"}";

/// The digest in a line: the first half of SHA-256, which finds every alteration and makes lines only 42 bytes longer.
pub(super) type Link = [u8; 16];

/// The digits of a digest.
const DIGITS: usize = 2 * size_of::<Link>();

/// The state of a chain: the digests that the next line may follow. There are two behind a line that is not as it was written,
/// which may have been edited or inserted; none if it is not known what is before the first line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Chain(Vec<Link>);

/// Whether a line is as it was written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Seal {
    /// It is, and the line before it is that before which it was written.
    Follows,
    /// It is not, or a line before it is missing.
    Broken,
    /// It has no digest.
    Absent,
}

impl Chain {
    /// That of the log of a run.
    pub fn of_run() -> Chain {
        Chain(vec![link(&[], b"tenbin run")])
    }

    /// That of the log of a trial of the run whose log begins with a line of this digest.
    pub fn of_trial(run: Option<&Link>, number: u32) -> Chain {
        Chain(run.map(|run| link(run, format!("trial {number}").as_bytes())).into_iter().collect())
    }

    /// That of a log of which it is not known to what it belongs.
    pub fn unknown() -> Chain {
        Chain(Vec::new())
    }

    /// Adds the digest to a line, an object of JSON without a line break. Returns the digest.
    pub fn seal(&mut self, line: &mut Vec<u8>) -> Link {
        line.pop();
        let own = link(self.0.first().map_or(&[], |before| before), line);
        line.extend_from_slice(BEFORE);
        line.extend_from_slice(hex(&own).as_bytes());
        line.extend_from_slice(BEHIND);
        self.0 = vec![own];
        own
    }

    fn check(&mut self, line: &[u8]) -> (Seal, Option<Link>) {
        let Some((body, stated)) = parts(line) else { return (Seal::Absent, None) };
        let follows = self.0.is_empty() || self.0.iter().any(|before| link(before, body) == stated);
        if follows {
            self.0 = vec![stated];
            return (Seal::Follows, Some(stated));
        }
        self.0.truncate(1);
        self.0.push(stated);
        (Seal::Broken, Some(stated))
    }
}

/// A line without its digest, and the digest.
fn parts(line: &[u8]) -> Option<(&[u8], Link)> {
    let digits = line.strip_suffix(BEHIND)?;
    let (before, digits) = digits.split_at_checked(digits.len().checked_sub(DIGITS)?)?;
    let mut stated = Link::default();
    for (byte, pair) in stated.iter_mut().zip(digits.chunks(2)) {
        *byte = u8::from_str_radix(std::str::from_utf8(pair).ok()?, 16).ok()?;
    }
    Some((before.strip_suffix(BEFORE)?, stated))
}

fn link(before: &[u8], body: &[u8]) -> Link {
    let digest = Sha256::new().chain_update(before).chain_update(body).finalize();
    let mut own = Link::default();
    own.copy_from_slice(&digest[..size_of::<Link>()]);
    own
}

/// What the lines of a log are.
#[derive(Debug, Default)]
pub(super) struct LogScan {
    /// The digest of the first line, if it has one.
    pub first: Option<Link>,
    /// Lines with a digest.
    pub sealed: u64,
    /// Lines that are as they were written.
    pub whole: u64,
    /// The numbers of the others, the first of them; how many there are.
    pub broken: Vec<u64>,
    /// How many there are.
    pub broken_in_all: u64,
}

/// The most numbers of lines that are kept.
const MOST_NUMBERS: usize = 20;

/// Looks at each line of a log. An unfinished last line is not counted: a killed process leaves one.
pub(super) fn scan(log: RunFile, mut chain: Chain) -> io::Result<LogScan> {
    let (mut scan, mut lines) = (LogScan::default(), LogLines::of(log));
    loop {
        let number = lines.number + 1;
        let seal = match lines.next()? {
            LogLine::End => return Ok(scan),
            LogLine::Line([]) => continue,
            LogLine::Line(line) => {
                let (seal, stated) = chain.check(line);
                if number == 1 {
                    scan.first = stated;
                }
                scan.sealed += u64::from(seal != Seal::Absent);
                seal
            }
            LogLine::TooLong(_) => Seal::Absent,
        };
        if seal == Seal::Follows {
            scan.whole += 1;
        } else if lines.is_ended {
            scan.broken_in_all += 1;
            if scan.broken.len() < MOST_NUMBERS {
                scan.broken.push(number);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sealed(lines: &[&str]) -> Vec<String> {
        let mut chain = Chain::of_run();
        let seal = |line: &&str| {
            let mut line = line.as_bytes().to_vec();
            chain.seal(&mut line);
            String::from_utf8(line).unwrap()
        };
        lines.iter().map(seal).collect()
    }

    /// The numbers of the lines that are not as they were written.
    fn broken(lines: &[String]) -> Vec<u64> {
        let (mut chain, mut numbers) = (Chain::of_run(), 1..);
        let mut number = |line: &String| {
            let number = numbers.next().unwrap();
            (chain.check(line.as_bytes()).0 != Seal::Follows).then_some(number)
        };
        lines.iter().filter_map(&mut number).collect()
    }

    #[test]
    fn a_line_keeps_its_content_and_gets_a_digest() {
        let lines = sealed(&["{\"n\":481}", "{\"n\":481}"]);
        assert_eq!(lines[0], "{\"n\":481,\"chain\":\"655b6a0066015f256ce1fcb302986930\"}");
        assert_ne!(lines[0], lines[1], "the same line at another place has another one");
        assert!(broken(&lines).is_empty());
    }

    #[test]
    fn each_alteration_is_found_where_it_was_made() {
        let lines = sealed(&["{\"n\":1}", "{\"n\":481}", "{\"n\":3}", "{\"n\":4}", "{\"n\":5}"]);
        let with = |change: &dyn Fn(&mut Vec<String>)| {
            let mut lines = lines.clone();
            change(&mut lines);
            broken(&lines)
        };
        assert_eq!(with(&|lines| lines[1] = lines[1].replace("481", "981")), [2]);
        assert_eq!(with(&|lines| drop(lines.remove(1))), [2], "the line that stands where it was");
        assert_eq!(with(&|lines| lines.insert(2, lines[0].clone())), [3], "the inserted one only");
        assert_eq!(with(&|lines| lines.insert(2, "{\"n\":9}".to_owned())), [3]);
        assert_eq!(with(&|lines| lines.push("{\"n\":6}".to_owned())), [6]);
        assert_eq!(with(&|lines| lines.swap(1, 2)), [2, 4]);
        let cut = with(&|lines| lines.truncate(3));
        assert!(cut.is_empty(), "the end of a log that is being written is not known");
        assert_eq!(with(&|lines| lines[4] = lines[4].replace("\"chain\":\"", "\"chain\":\"é")), [5]);
    }
}
