//! Passwords on the command line are overwritten as soon as they are read: every account of the machine can read the command line of a process
//! (`ps`, `/proc/PID/cmdline`), for as long as it runs.
//!
//! The words stand one after another in the memory of the process (`arg_start`, proc(5)), which it may write. Where the kernel does not permit that, they
//! stay as they are.

use std::ffi::OsString;
use std::fs::OpenOptions;
use std::ops::Range;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::FileExt;
use std::path::Path;

/// The place of `arg_start` among the fields of `/proc/PID/stat` behind the name of the program (proc(5): the 48th of all).
const ARG_START: usize = 45;

/// Overwrites the passwords in the command line of this process, which these are the words of. What needs them has read them before.
pub fn conceal(words: &[OsString]) {
    let (mut places, mut at) = (Vec::new(), 0);
    for word in words {
        let bytes = word.as_bytes();
        places.extend(secrets(bytes).into_iter().map(|range| at + range.start..at + range.end));
        at += bytes.len() + 1;
    }
    places.extend(secret_words(words));
    if !places.is_empty() {
        let _stays_as_it_is = overwrite(words, &places);
    }
}

/// Writes over these bytes of the command line.
fn overwrite(words: &[OsString], places: &[Range<usize>]) -> Option<()> {
    let of = |file: &str| tenbin_intake::file(Path::new(file), tenbin_intake::SMALL).ok();
    let line = of("/proc/self/cmdline")?;
    // Only what is certain to be these words.
    let mut words = words.iter().map(|word| word.as_bytes());
    line.strip_suffix(b"\0")?.split(|byte| *byte == 0).all(|word| Some(word) == words.next()).then_some(())?;
    let stat = of("/proc/self/stat")?;
    let stat = String::from_utf8_lossy(&stat);
    let start: u64 = stat.rsplit_once(')')?.1.split_whitespace().nth(ARG_START)?.parse().ok()?;
    let memory = OpenOptions::new().write(true).open("/proc/self/mem").ok()?;
    for range in places {
        memory.write_all_at(&vec![b'x'; range.len()], start + range.start as u64).ok()?;
    }
    Some(())
}

/// The passwords within a word: of an address, and what is named like a password in an option, a query or a connection string.
fn secrets(word: &[u8]) -> Vec<Range<usize>> {
    let lower = word.to_ascii_lowercase();
    let mut all = Vec::new();
    if let Some(scheme) = memchr::memmem::find(&lower, b"://").map(|at| at + 3)
        && let Some(at) = word[scheme..].iter().rposition(|byte| *byte == b'@').map(|at| scheme + at)
        && let Some(colon) = word[scheme..at].iter().position(|byte| *byte == b':').map(|colon| scheme + colon)
    {
        all.push(colon + 1..at);
    }
    for (equals, _) in word.iter().enumerate().filter(|(_, byte)| **byte == b'=') {
        let named = |byte: &u8| byte.is_ascii_alphanumeric() || b"_-".contains(byte);
        let from = lower[..equals].iter().rposition(|byte| !named(byte)).map_or(0, |at| at + 1);
        if is_password(&lower[from..equals]) {
            let value = &word[equals + 1..];
            let is_option = lower.starts_with(b"--") && from == 0;
            let quoted = value.first().filter(|quote| **quote == b'\'' && !is_option);
            let end = match quoted {
                Some(quote) => value[1..].iter().position(|byte| byte == quote).map(|at| at + 1),
                None if is_option => None,
                None => value.iter().position(|byte| b"& ".contains(byte)),
            };
            all.push(equals + 1..equals + 1 + end.unwrap_or(value.len()));
        }
    }
    all
}

/// Whether a name is that of a password, and not of where it stands.
fn is_password(name: &[u8]) -> bool {
    let is = |word: &[u8]| memchr::memmem::find(name, word).is_some();
    [&b"pass"[..], b"pwd", b"secret"].iter().any(|word| is(word))
        && ![&b"file"[..], b"env"].iter().any(|end| name.ends_with(end))
}

/// The passwords that are words, or parts of words, under the names of other tools: `-pSECRET` of mysqlslap, `-p SECRET` of tpcc-mysql, and the
/// fourth of its words without a letter.
fn secret_words(words: &[OsString]) -> Vec<Range<usize>> {
    let Some((front_end, arguments)) = tenbin_compat::called(words) else { return Vec::new() };
    let (attached, of_tpcc) = (front_end.name.contains("slap"), front_end.name.starts_with("tpcc_"));
    let first = words.len() - arguments.len();
    let (mut all, mut plain) = (Vec::new(), 0);
    let mut at: usize = words[..first].iter().map(|word| word.len() + 1).sum();
    // The option whose value the next word is, and whether options have ended.
    let (mut option, mut ended): (Option<&[u8]>, bool) = (None, false);
    for word in &words[first..] {
        let bytes = word.as_bytes();
        let is_option = !ended && option.is_none() && bytes.len() > 1 && bytes.starts_with(b"-");
        if is_option && (attached || of_tpcc) && bytes.len() > 2 && bytes.starts_with(b"-p") {
            all.push(at + 2..at + bytes.len());
        }
        if of_tpcc {
            plain += usize::from(option.is_none() && !is_option);
            if matches!(option, Some(b"-p" | b"--password"))
                || (plain == TPCC_PASSWORD && option.is_none() && !is_option)
            {
                all.push(at..at + bytes.len());
            }
            ended |= is_option && bytes == b"--";
            let is_apart = bytes.len() == 2 || (bytes.starts_with(b"--") && !bytes.contains(&b'='));
            option = (is_option && !ended && is_apart).then_some(bytes);
        }
        at += bytes.len() + 1;
    }
    all
}

/// Which of the words of tpcc-mysql without a letter is the password: `tpcc_load localhost tpcc root PASSWORD 500`.
const TPCC_PASSWORD: usize = 4;

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(words: &[&str]) -> String {
        let words: Vec<OsString> = words.iter().map(OsString::from).collect();
        let mut line: Vec<u8> = words.iter().flat_map(|word| [word.as_bytes(), b" "].concat()).collect();
        let mut at = 0;
        for word in &words {
            secrets(word.as_bytes()).into_iter().for_each(|range| line[at + range.start..at + range.end].fill(b'x'));
            at += word.len() + 1;
        }
        secret_words(&words).into_iter().for_each(|range| line[range].fill(b'x'));
        String::from_utf8(line).unwrap().trim_end().to_owned()
    }

    #[test]
    fn passwords_are_found_wherever_they_stand() {
        for (words, left) in [
            (
                &["tenbin", "bench", "mysql://u:se@cr:t@h:3306/d?tls=off"][..],
                "tenbin bench mysql://u:xxxxxxx@h:3306/d?tls=off",
            ),
            (
                &["tenbin", "bench", "postgres://u@h/d?password=secret&x=1"],
                "tenbin bench postgres://u@h/d?password=xxxxxx&x=1",
            ),
            (&["pgbench", "host=h password='se cret' user=u"], "pgbench host=h password=xxxxxxxx' user=u"),
            (&["sysbench", "--mysql-password=a b&c", "run"], "sysbench --mysql-password=xxxxx run"),
            (&["mysqlslap", "-uroot", "-psecret", "--password=secret"], "mysqlslap -uroot -pxxxxxx --password=xxxxxx"),
            (&["tenbin", "mysqlslap", "-uroot", "-psecret"], "tenbin mysqlslap -uroot -pxxxxxx"),
            (&["./mariadb-slap", "-psecret"], "./mariadb-slap -pxxxxxx"),
            (&["tpcc_start", "-h", "h", "-p", "secret", "-w", "1"], "tpcc_start -h h -p xxxxxx -w 1"),
            (&["tenbin", "tpcc_load", "-psecret", "-w1"], "tenbin tpcc_load -pxxxxxx -w1"),
            (&["tpcc_load", "h:3306", "db", "u", "secret", "1"], "tpcc_load h:3306 db u xxxxxx 1"),
            (
                &["tpcc_start", "-i", "5", "--interval-format", "2008", "h", "db", "u", "--", "-ecret", "1"],
                "tpcc_start -i 5 --interval-format 2008 h db u -- xxxxxx 1",
            ),
        ] {
            assert_eq!(shown(words), left);
        }
    }

    #[test]
    fn what_is_no_password_stays() {
        for line in [
            "tenbin bench oltp_read_only mysql://u@h/d?password_file=/run/secret",
            "tenbin run plan.toml --password-env=THE_ENV",
            "pgbench -p 5432 -f a.sql@3 -D scale=3 postgres://u@h:5432/d",
            "sysbench --threads=8 --time=60 oltp_read_only run",
            "tenbin gate a b --max-regression tps=3",
            "tpcc_start -h h -d db -u u -w 1 -c 2 -r 3 -l 4",
            "tenbin run tpcc_load a b c d",
        ] {
            assert_eq!(shown(&line.split(' ').collect::<Vec<_>>()), line);
        }
    }
}
