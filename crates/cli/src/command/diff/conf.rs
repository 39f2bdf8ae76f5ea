//! `postgresql.conf` and `postgresql.auto.conf` (PostgreSQL 18, 19.1.2): a parameter and its value in each line.

/// What such a file has.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Conf {
    /// The parameters that it sets.
    pub parameters: Vec<(String, String)>,
    /// The files and directories that it includes.
    pub includes: Vec<String>,
}

/// What a text sets, or `None` if it is no such file.
pub(super) fn read(text: &str) -> Option<Conf> {
    let mut all = Conf::default();
    for line in text.lines() {
        let line = without_comment(line).trim();
        if line.is_empty() {
            continue;
        }
        let end = line.find(|c: char| !c.is_ascii_alphanumeric() && !"_.".contains(c)).unwrap_or(line.len());
        let (name, rest) = line.split_at(end);
        let value = rest.trim_start();
        let value = value.strip_prefix('=').unwrap_or(value).trim();
        let is_name = name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
        // What follows a name in other files, such as a comma, belongs to neither.
        let is_apart = rest.starts_with(['=', ' ', '\t', '\'']);
        // A sentence has more words than a name and a value.
        // So has a statement, and what has a value with another sign needs quotes.
        let is_bare = !value.contains([' ', '\t', '=']) && !value.ends_with([';', ',']);
        let is_value = value.starts_with('\'') && !value.ends_with(';') || is_bare;
        if !is_name || !is_apart || value.is_empty() || !is_value {
            return None;
        }
        match name.to_ascii_lowercase() {
            name if ["include", "include_dir", "include_if_exists"].contains(&name.as_str()) => {
                all.includes.push(unquoted(value));
            }
            name => all.parameters.push((name, unquoted(value))),
        }
    }
    (!all.parameters.is_empty()).then_some(all)
}

/// The line up to a `#` outside of quotes.
fn without_comment(line: &str) -> &str {
    let mut quoted = false;
    for (at, c) in line.char_indices() {
        match c {
            '\'' => quoted = !quoted,
            '#' if !quoted => return &line[..at],
            _ => {}
        }
    }
    line
}

fn unquoted(value: &str) -> String {
    match value.strip_prefix('\'').and_then(|rest| rest.strip_suffix('\'')) {
        Some(text) => text.replace("''", "'").replace("\\'", "'"),
        None => value.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::read;

    #[test]
    fn parameters_are_read_as_postgresql_reads_them() {
        let text = "# x\nshared_buffers = 128MB\t# y\nfsync on\nlog_line_prefix = '%m # %u'\nsearch_path='a, ''b'''\ninclude 'x.conf'\nmy.own=1\n";
        let conf = read(text).unwrap();
        assert_eq!(conf.includes, ["x.conf"]);
        let all: Vec<String> = conf.parameters.into_iter().map(|(name, value)| format!("{name}={value}")).collect();
        assert_eq!(
            all,
            ["shared_buffers=128MB", "fsync=on", "log_line_prefix=%m # %u", "search_path=a, 'b'", "my.own=1"]
        );
        for other in [
            "",
            "# x\n",
            "[mysqld]\nx=1\n",
            "some words of a text\n",
            "a,b\nc,2\n",
            "a:1\n",
            "SET fsync=on;\n",
            "pragma x=1\n",
        ] {
            assert_eq!(read(other), None, "{other}");
        }
    }
}
