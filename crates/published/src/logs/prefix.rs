//! What stands before each line of a log that another program has passed on: a container's name, a time, a sign of quotation, or
//! anything else that stands before a line which the tool itself begins; and logs that are texts in JSON, in each line or as a whole.

use super::find::lines_with;
use super::grepped::ENDS;
use memchr::memchr_iter;
use serde_json::Value;
use std::borrow::Cow;
use std::collections::BTreeMap;

/// This many prefixes may stand before one another, such as a container's name and a time.
const MOST: usize = 3;
/// The part of the lines that has a prefix, if the log has one: some lines may be of the program that passes it on.
const PART: f64 = 0.8;
/// At least as many lines of a long log show that, from all of it.
const SAMPLE: usize = 10_000;

/// The same lines without their prefix, or `None` if they have none. There are as many lines as before.
pub(super) fn without(text: &str) -> Option<String> {
    let mut stripped: Option<String> = None;
    for _ in 0..MOST {
        let text = stripped.as_deref().unwrap_or(text);
        let sample = sample(text);
        let Some(strip) = STRIPS.iter().find(|strip| is_common(&sample, *strip)) else { break };
        stripped = Some(each_line(text, |line| strip(line).map_or(Cow::Borrowed(line), Cow::Owned)));
    }
    stripped
}

/// The text with another line for each. A large one needs no more memory than the text.
fn each_line<'t>(text: &'t str, other: impl Fn(&'t str) -> Cow<'t, str>) -> String {
    let mut out = String::with_capacity(text.len() + 1);
    for line in text.lines() {
        out.push_str(&other(line));
        out.push('\n');
    }
    out
}

/// The same lines without what stands before one that begins like one of these, `db1: ` or `[INFO] 12:34 `, if most lines have it.
pub(super) fn without_that_of(text: &str, begins: &[&str]) -> Option<String> {
    let before = |line: &'_ str| {
        let at = begins.iter().find_map(|begin| line.find(begin))?;
        Some(line[..at].trim_end().to_owned()).filter(|before| !before.is_empty() && before.len() <= LONGEST)
    };
    let shape = lines_with(text, begins).into_iter().find_map(before)?;
    let own = |line: &str| after_shape(line, &shape).map(one_space);
    if !is_common(&sample(text), &own) || is_of_several(text, &shape) || is_of_files(text, &shape) {
        return None;
    }
    Some(each_line(text, |line| own(line).map_or(Cow::Borrowed(line), Cow::Owned)))
}

/// A longer text before a line is a sentence.
const LONGEST: usize = 200;
/// In the log of one host few prefixes come again after another one, as those of one second may.
const RETURNS: f64 = 0.05;

/// What follows a prefix of this shape: digits stand for any digits, and spaces for any number of them.
fn after_shape<'l>(line: &'l str, shape: &str) -> Option<&'l str> {
    let (mut rest, mut shape) = (line, shape);
    while let Some(first) = shape.chars().next() {
        let is_same_kind: fn(char) -> bool = match first {
            c if c.is_ascii_digit() => |c| c.is_ascii_digit(),
            c if c.is_whitespace() => char::is_whitespace,
            _ => {
                (rest, shape) = (rest.strip_prefix(first)?, &shape[first.len_utf8()..]);
                continue;
            }
        };
        let after = rest.trim_start_matches(is_same_kind);
        if after.len() == rest.len() {
            return None;
        }
        (rest, shape) = (after, shape.trim_start_matches(is_same_kind));
    }
    Some(rest)
}

/// Whether prefixes are names of several files, as `grep` writes them: `8-threads.log:`. They tell reports apart.
fn is_of_files(text: &str, shape: &str) -> bool {
    let name = shape.trim_end_matches([':', '-', ' ']);
    let mut prefixes =
        text.lines().filter_map(|line| after_shape(line, shape).map(|rest| &line[..line.len() - rest.len()]));
    let first = prefixes.next();
    name.len() < shape.len()
        && ENDS.iter().any(|end| name.ends_with(end))
        && prefixes.any(|prefix| Some(prefix) != first)
}

/// Whether prefixes that differ in their digits come again, as those of several hosts do whose logs are mixed: no report is of one.
fn is_of_several(text: &str, shape: &str) -> bool {
    let (mut last, mut blocks, mut of) = ("", BTreeMap::<&str, usize>::new(), 0_usize);
    for line in text.lines() {
        let Some(prefix) = after_shape(line, shape).map(|rest| line[..line.len() - rest.len()].trim_end()) else {
            continue;
        };
        of += 1;
        if prefix != last {
            *blocks.entry(prefix).or_default() += 1;
        }
        last = prefix;
    }
    let returns: usize = blocks.values().map(|blocks| blocks - 1).sum();
    returns as f64 > RETURNS * of as f64
}

/// The texts of several lines in a file that is JSON as a whole and contains logs, such as Ansible's results, also as lists of lines; one after the
/// other and each once.
pub(super) fn texts_of_json(text: &str, is_log: &dyn Fn(&str) -> bool) -> Option<String> {
    if text.len() > MOST_OF_JSON || !text.trim_start().starts_with(['{', '[']) || !is_log(text) {
        return None;
    }
    let whole: Value = serde_json::from_str(text).ok()?;
    let (mut logs, mut left) = (Vec::<String>::new(), vec![&whole]);
    let line = |value: &Value| value.as_str().filter(|line| !line.contains('\n')).map(str::to_owned);
    while let Some(value) = left.pop() {
        let text = match value {
            Value::String(text) => Some(text.clone()),
            Value::Array(all) => all.iter().map(line).collect::<Option<Vec<_>>>().map(|lines| lines.join("\n")),
            _ => None,
        };
        if let Some(text) = text.filter(|text| text.contains('\n') && is_log(text)) {
            if !logs.iter().any(|log| log.trim() == text.trim()) {
                logs.push(text);
            }
            continue;
        }
        match value {
            Value::Array(all) => left.extend(all.iter().rev()),
            Value::Object(all) => left.extend(all.values().rev()),
            _ => {}
        }
    }
    (!logs.is_empty()).then(|| logs.join("\n"))
}

/// The values of a larger text take many times its size.
const MOST_OF_JSON: usize = 16 << 20;

/// A line without a prefix of this kind, if it has one.
type Strip = fn(&str) -> Option<String>;

const STRIPS: &[Strip] = &[json, bar, quotation, time, month, stream];

/// The lines that show whether a text has a prefix.
fn sample(text: &str) -> Vec<&str> {
    let step = memchr_iter(b'\n', text.as_bytes()).count() / SAMPLE + 1;
    text.lines().step_by(step).filter(|line| !line.trim().is_empty()).collect()
}

fn is_common(sample: &[&str], strip: &dyn Fn(&str) -> Option<String>) -> bool {
    let with = sample.iter().filter(|line| strip(line).is_some()).count();
    sample.len() > 2 && with as f64 >= PART * sample.len() as f64
}

/// `{"log":"…\n","stream":"stdout"}` of Docker's files, or the text alone.
fn json(line: &str) -> Option<String> {
    let line = line.trim().trim_end_matches(',');
    let text = match line.chars().next()? {
        '"' => serde_json::from_str::<String>(line).ok()?,
        '{' => {
            let fields: serde_json::Map<String, serde_json::Value> = serde_json::from_str(line).ok()?;
            ["log", "message", "msg", "MESSAGE"]
                .iter()
                .find_map(|name| fields.get(*name)?.as_str().map(str::to_owned))?
        }
        _ => return None,
    };
    Some(text.trim_end_matches(['\n', '\r']).replace('\n', " "))
}

/// `bench-1  | ` of Docker Compose, `[pod/bench-1] `, `host: `.
fn bar(line: &str) -> Option<String> {
    let (name, rest) = line.split_once('|')?;
    let is_name =
        !name.trim().is_empty() && name.trim().chars().all(|c| c.is_ascii_alphanumeric() || "-_.".contains(c));
    // A name is padded to the longest one and two spaces.
    (is_name && (name.contains(['-', '_']) || name.ends_with("  ")))
        .then(|| rest.strip_prefix(' ').unwrap_or(rest).to_owned())
}

/// `> `.
fn quotation(line: &str) -> Option<String> {
    line.strip_prefix('>').map(|rest| rest.strip_prefix(' ').unwrap_or(rest).to_owned())
}

/// `2025-01-02T03:04:05.1234567Z `, `[2025-01-02 03:04:05] `, `[03:04:05] `, `03:04:05 `.
fn time(line: &str) -> Option<String> {
    let (inner, closed) = match line.strip_prefix(['[', '(']) {
        Some(rest) => {
            let (inner, rest) = rest.split_once([']', ')'])?;
            (inner, Some(rest))
        }
        None => (line, None),
    };
    let mut rest = after_digits(inner, &[4, 2, 2], &['-', '/'])
        .map_or(inner, |rest| rest.strip_prefix(['T', ' ', '_']).or_else(|| rest.strip_prefix(": ")).unwrap_or(rest));
    rest = after_digits(rest, &[2, 2, 2], &[':'])?;
    if let Some(fraction) = rest.strip_prefix(['.', ',']) {
        rest = fraction.trim_start_matches(|c: char| c.is_ascii_digit());
    }
    let zone = rest.trim_start_matches(' ');
    rest = match zone.strip_prefix("UTC").or_else(|| zone.strip_prefix('Z')) {
        Some(rest) => rest,
        None => match zone.strip_prefix(['+', '-']) {
            Some(digits) if digits.starts_with(|c: char| c.is_ascii_digit()) => {
                digits.trim_start_matches(|c: char| c.is_ascii_digit() || c == ':')
            }
            _ => rest,
        },
    };
    match closed {
        Some(after) => rest.trim().is_empty().then(|| one_space(after)),
        None => rest.starts_with([' ', ':', '\t', ']']).then(|| one_space(rest.trim_start_matches([':', ']']))),
    }
}

/// `Jan  2 03:04:05 host program[12]: `, and without host and program as `ts` writes it.
fn month(line: &str) -> Option<String> {
    const MONTHS: [&str; 12] = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
    let rest = MONTHS.iter().find_map(|month| line.strip_prefix(month))?.trim_start();
    let rest = rest.trim_start_matches(|c: char| c.is_ascii_digit()).strip_prefix(' ')?;
    let rest = after_digits(rest, &[2, 2, 2], &[':'])?;
    let rest = one_space(rest);
    // A program of syslog has its number.
    let program = rest.split_once("]: ").filter(|(before, _)| before.contains('[') && before.len() < 100);
    Some(program.map_or_else(|| rest.clone(), |(_, message)| message.to_owned()))
}

/// `stdout: `, `stdout F ` of Kubernetes.
fn stream(line: &str) -> Option<String> {
    ["stdout", "stderr"].iter().find_map(|name| {
        let rest = line.strip_prefix(name)?;
        [": ", " F ", " P ", " | "].iter().find_map(|between| rest.strip_prefix(between)).map(str::to_owned)
    })
}

/// Numbers of this many digits with one of these signs between them; what follows.
fn after_digits<'l>(line: &'l str, lengths: &[usize], between: &[char]) -> Option<&'l str> {
    let mut rest = line;
    for (at, length) in lengths.iter().enumerate() {
        if at > 0 {
            rest = rest.strip_prefix(between)?;
        }
        let digits = rest.get(..*length)?;
        if !digits.bytes().all(|b| b.is_ascii_digit()) {
            return None;
        }
        rest = &rest[*length..];
    }
    (!rest.starts_with(|c: char| c.is_ascii_digit())).then_some(rest)
}

/// Without the one space that separates a prefix: more of them are the line's own.
fn one_space(line: &str) -> String {
    line.strip_prefix([' ', '\t']).unwrap_or(line).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prefixes_of_programs_that_pass_logs_on_are_left_out() {
        for prefix in [
            "bench-1  | ",
            "2025-01-02 03:04:05 ",
            "2025-01-02T03:04:05.1234567Z ",
            "2025-01-02T03:04:05+09:00 ",
            "[2025-01-02 03:04:05] ",
            "[03:04:05] ",
            "Jan 02 03:04:05 ",
            "Jan  2 03:04:05 db1 bench[12]: ",
            "> ",
            "bench-1  | 2025/01/02 03:04:05 ",
            "2025-01-02T03:04:05.1Z stdout F ",
        ] {
            let lines = ["Number of threads: 4", "    read:   12", "[ 1s ] thds: 4 tps: 5.00", "a: 1", "b: 2"];
            let text: String = lines.iter().map(|line| format!("{prefix}{line}\n")).collect();
            let plain: String = lines.iter().map(|line| format!("{line}\n")).collect();
            assert_eq!(without(&text), Some(plain), "{prefix}");
        }
        let json = "{\"log\":\"a: 1\\n\"}\n{\"log\":\"  b: 2\\n\"}\n{\"log\":\"c\\n\"}\n";
        assert_eq!(without(json).as_deref(), Some("a: 1\n  b: 2\nc\n"));
        for own in ["[ 1s ] thds: 4\n[ 2s ] thds: 4\n[ 3s ] thds: 4\n", "a | b\n1 | 2\n3 | 4\n", "1\n2\n3\n", ""] {
            assert_eq!(without(own), None, "{own}");
        }
    }

    #[test]
    fn what_stands_before_a_line_of_the_tool_is_left_out_of_all() {
        let lines =
            ["Running the test", "    queries performed:", "        read: 12", "[ 1s ] thds: 4", "a: 1", "b: 2"];
        let plain: String = lines.iter().map(|line| format!("{}\n", line.trim())).collect();
        let stripped = |prefix: &dyn Fn(usize) -> String| {
            let text: String = (0..).zip(lines).map(|(at, line)| format!("{}{line}\n", prefix(at))).collect();
            let text = without_that_of(&text, &["queries performed:"])?;
            Some(text.lines().map(|line| format!("{}\n", line.trim())).collect::<String>())
        };
        for prefix in [
            "db1: ",
            "10.0.0.1: ",
            "[bench] ",
            "[pod/x] ",
            "[INFO] ",
            "# ",
            "-- ",
            "job\tstep\t2024-01-02T03:04:05.6Z ",
        ] {
            assert_eq!(stripped(&|_| prefix.to_owned()).as_ref(), Some(&plain), "{prefix}");
        }
        for prefix in [
            |at: usize| format!("17145582{at}.{} ", at * 70),
            |at: usize| format!("2024-01-02 03:04:0{at},12{at} INFO "),
        ] {
            assert_eq!(stripped(&prefix).as_ref(), Some(&plain), "{}", prefix(1));
        }
        // Two hosts in turn, one line among others, and no prefix.
        assert_eq!(stripped(&|at| format!("db{}: ", at % 2)), None);
        assert_eq!(stripped(&|at| if at == 1 { "x " } else { "" }.to_owned()), None);
        assert_eq!(stripped(&|_| String::new()), None);
    }

    #[test]
    fn logs_within_json_are_found_once() {
        let is_log = |text: &str| text.contains("tps:");
        let of = |text: &str| texts_of_json(text, &is_log);
        assert_eq!(of(r#"{"output":"tps: 1\nb"}"#).as_deref(), Some("tps: 1\nb"));
        let results = r#"{"a":[{"stdout":"tps: 1\nb","stdout_lines":["tps: 1","b"]},{"msg":"tps: 1\nb"},{"stdout":"tps: 2\nb"}]}"#;
        assert_eq!(of(results).as_deref(), Some("tps: 1\nb\ntps: 2\nb"));
        assert_eq!(of(r#"["a","tps: 1","b"]"#).as_deref(), Some("a\ntps: 1\nb"));
        for other in ["{\"a\":\"tps: 1\"}", "[ 1s ] tps: 1\n", "tps: 1", "[1]"] {
            assert_eq!(of(other), None, "{other}");
        }
    }
}
