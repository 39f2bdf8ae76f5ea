//! What stands before each line of a log that another program has passed on: a container's name, a time, a sign of quotation; and
//! logs of which each line is a text in JSON.

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
        let Some(strip) = STRIPS.iter().find(|strip| is_common(text, **strip)) else { break };
        stripped = Some(text.lines().map(|line| strip(line).unwrap_or_else(|| line.to_owned()) + "\n").collect());
    }
    stripped
}

/// A line without a prefix of this kind, if it has one.
type Strip = fn(&str) -> Option<String>;

const STRIPS: &[Strip] = &[json, bar, quotation, time, month, stream];

fn is_common(text: &str, strip: Strip) -> bool {
    let step = text.lines().count() / SAMPLE + 1;
    let lines = || text.lines().step_by(step).filter(|line| !line.trim().is_empty());
    let (all, with) = (lines().count(), lines().filter(|line| strip(line).is_some()).count());
    all > 2 && with as f64 >= PART * all as f64
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
    Some(program.map_or_else(|| rest.clone(), |(_, said)| said.to_owned()))
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
}
