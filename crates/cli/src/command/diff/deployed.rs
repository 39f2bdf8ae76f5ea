//! Settings in the files by which servers are deployed: option files within them, the flags and parameters in Terraform's resources, and the
//! parameters of a group as the command line of AWS prints them.

use super::arguments::Settings;
use super::{conf, option_files};
use tenbin_driver::credentials::option_file::{self, OptionLine};
use tenbin_model::variables;

/// The settings of a file within a file: an option file, or a `postgresql.conf`.
pub(super) fn of_file(name: &str, text: &str) -> Settings {
    let of_group =
        |line: &OptionLine| matches!(line, OptionLine::Set(setting) if option_files::is_of_server(&setting.group));
    if let Ok(lines) = option_file::lines(text)
        && lines.iter().any(of_group)
    {
        let sets = lines.into_iter().filter(of_group).filter_map(|line| match line {
            OptionLine::Set(setting) => Some(variables::of_file(&setting.name, setting.value.as_deref())),
            _ => None,
        });
        return sets.collect();
    }
    let is_conf = name.contains("conf") || name.contains("postgres");
    conf::read(text).filter(|_| is_conf).map_or_else(Settings::new, |read| read.parameters)
}

/// The value of an expression of HCL that is known without its variables: a string, a number, `true` or `false`.
fn literal(expression: &str) -> Option<String> {
    let inner = expression.strip_prefix('"').and_then(|rest| rest.strip_suffix('"'));
    // Between two strings stands an operator.
    let is_one = |text: &str| !text.replace("\\\\", "").replace("\\\"", "").contains('"');
    match inner {
        Some(text) if text.contains("${") || text.contains("%{") || !is_one(text) => None,
        Some(text) => Some(text.replace("\\\"", "\"").replace("\\\\", "\\")),
        None if expression == "true" || expression == "false" => Some(expression.to_owned()),
        None => expression.parse::<f64>().is_ok_and(f64::is_finite).then(|| expression.to_owned()),
    }
}

/// What the blocks `database_flags`, `parameter`, the lists of them and the resources of single parameters of a Terraform file set.
pub(super) fn terraform(text: &str) -> Option<Settings> {
    const BLOCKS: [&str; 4] = ["database_flags{", "parameter{", "database_flags=[", "parameters=["];
    const RESOURCES: [&str; 2] = ["_configuration\"", "_parameter\""];
    let begins_block = |line: &str| {
        let line: String = line.split_whitespace().collect();
        BLOCKS.iter().any(|block| line.starts_with(block))
    };
    if !RESOURCES.iter().any(|resource| text.contains(resource)) && !text.lines().any(begins_block) {
        return None;
    }
    // Blocks end at braces, and may stand on one line.
    let mut all = Settings::new();
    let text = without_comments(text);
    for block in split(&text, &['{', '}']) {
        let pairs: Vec<(&str, &str)> =
            split(block, &['\n', ',']).into_iter().filter_map(|part| part.split_once('=')).collect();
        let value = |wanted: &str| {
            let (_, value) = pairs.iter().find(|(key, _)| key.trim() == wanted)?;
            literal(value.trim())
        };
        let pair = value("name").zip(value("value"));
        all.extend(pair.map(|(name, value)| (variables::canonical_name(&name), value)));
    }
    (!all.is_empty()).then_some(all)
}

/// The lines of `aws rds describe-db-parameters --output text`: the fields of a parameter in the order of their names. What a parameter lacks is left
/// out of its line, such as the value of one that is not set.
pub(super) fn aws_text(text: &str) -> Option<Settings> {
    const SOURCES: [&str; 3] = ["user", "system", "engine-default"];
    let mut all = Settings::new();
    for line in text.lines().filter(|line| !line.is_empty() && !line.starts_with("SUPPORTEDENGINEMODES\t")) {
        let fields: Vec<&str> = line.strip_prefix("PARAMETERS\t")?.split('\t').collect();
        let is_modifiable = fields.iter().position(|field| ["True", "False"].contains(field))?;
        let behind = &fields[is_modifiable + 1..];
        let source = behind.iter().rposition(|field| SOURCES.contains(field))?;
        // The oldest version of the server that has it stands before its name.
        let named = match &behind[..source] {
            [version, rest @ ..] if version.starts_with(|c: char| c.is_ascii_digit()) => rest,
            all => all,
        };
        match named {
            [name, value] => all.push((variables::canonical_name(name), (*value).to_owned())),
            [_] => {}
            _ => return None,
        }
    }
    (!all.is_empty()).then_some(all)
}

/// The parts of a text of HCL between these signs, outside of quotes.
fn split<'t>(text: &'t str, signs: &[char]) -> Vec<&'t str> {
    let (mut quotes, mut from, mut all) = (Quotes::default(), 0, Vec::new());
    for (at, c) in text.char_indices() {
        if !quotes.contain(c) && signs.contains(&c) {
            all.push(&text[from..at]);
            from = at + c.len_utf8();
        }
    }
    all.push(&text[from..]);
    all
}

/// Whether the signs of a text, given one after the other, stand in quotes.
#[derive(Default)]
struct Quotes {
    is_open: bool,
    is_escaped: bool,
}

impl Quotes {
    fn contain(&mut self, c: char) -> bool {
        match c {
            _ if self.is_escaped => self.is_escaped = false,
            '\\' if self.is_open => self.is_escaped = true,
            '"' => self.is_open = !self.is_open,
            // A quote ends with its line.
            '\n' => self.is_open = false,
            _ => {}
        }
        self.is_open
    }
}

/// A text of HCL without its comments: `#`, `//`, and `/* … */`, outside of quotes.
fn without_comments(text: &str) -> String {
    let (mut out, mut rest, mut quotes) = (String::new(), text, Quotes::default());
    while let Some(c) = rest.chars().next() {
        let skipped = match rest {
            _ if quotes.is_open => 0,
            rest if rest.starts_with('#') || rest.starts_with("//") => rest.find('\n').unwrap_or(rest.len()),
            rest if rest.starts_with("/*") => rest.find("*/").map_or(rest.len(), |at| at + 2),
            _ => 0,
        };
        if skipped > 0 {
            rest = &rest[skipped..];
            continue;
        }
        quotes.contain(c);
        out.push(c);
        rest = &rest[c.len_utf8()..];
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_of_terraform_are_read() {
        let blocks = "resource \"x\" \"y\" {\n  name = \"instance\"\n  settings {\n    database_flags {\n      name  = \"max_connections\"\n      value = \"100\"\n    }\n    database_flags { name = \"fsync\", value = \"off\" }\n  }\n}\n";
        let of = |text: &str| {
            terraform(text)
                .unwrap_or_default()
                .iter()
                .map(|(name, value)| format!("{name}={value}"))
                .collect::<Vec<_>>()
                .join(" ")
        };
        assert_eq!(of(blocks), "max_connections=100 fsync=off");
        assert_eq!(
            of(
                "resource \"azurerm_mysql_flexible_server_configuration\" \"x\" {\n  name = \"sync_binlog\"\n  value = \"1\"\n}\n"
            ),
            "sync_binlog=1"
        );
        assert_eq!(
            of(
                "module \"db\" {\n  name = \"x\"\n  parameters   = [\n    {\n      name  = \"fsync\"\n      value = \"off\"\n    },\n    { name = \"jit\", value = 0 },\n  ]\n}\n"
            ),
            "fsync=off jit=0"
        );
        let commented = "parameter {\n  // name = \"fsync\"\n  name = \"jit\" // why\n  value = \"a//b#c\" # so\n}\n/* parameter {\n name = \"x\"\n value = \"1\"\n} */\n";
        assert_eq!(of(commented), "jit=a//b#c");
        assert_eq!(of("name = x\n"), "");
        for unknown in [
            "\"${var.fsync}\"",
            "var.fsync",
            "tostring(5)",
            "local.flags[\"fsync\"]",
            "\"a",
            "\"a\" == \"b\" ? \"1\" : \"0\"",
        ] {
            assert_eq!(of(&format!("parameter {{\n  name = \"fsync\"\n  value = {unknown}\n}}\n")), "", "{unknown}");
        }
    }

    #[test]
    fn lines_of_the_command_line_of_aws_are_read_without_what_is_not_set() {
        let of = |text: &str| {
            let all = aws_text(text)?;
            Some(all.iter().map(|(name, value)| format!("{name}={value}")).collect::<Vec<_>>().join(" "))
        };
        let set = "PARAMETERS\t1-100000\timmediate\tdynamic\tinteger\tThe number of connections\tTrue\tmax_connections\t500\tuser\n";
        let unset = "PARAMETERS\t0-65535\tpending-reboot\tstatic\tinteger\tThe queue\tTrue\tback_log\tengine-default\n";
        let of_version = "PARAMETERS\tpending-reboot\tstatic\tstring\tThe log\tFalse\t5.7\tlog-bin\tON\tsystem\nSUPPORTEDENGINEMODES\tprovisioned\n";
        assert_eq!(of(&[set, unset, of_version].concat()).as_deref(), Some("max_connections=500 log_bin=ON"));
        assert_eq!(of(unset), None);
        assert_eq!(of(&format!("{set}just words\n")), None);
        assert_eq!(of("PARAMETERS\t1\tsync_binlog\n"), None);
    }

    #[test]
    fn a_value_of_terraform_is_whole_whatever_signs_it_has() {
        for (value, read) in [
            ("\"{DBInstanceClassMemory*3/4}\"", "{DBInstanceClassMemory*3/4}"),
            ("\"A,B\"", "A,B"),
            ("\"a=b\"", "a=b"),
            ("\"it is \\\"x, y\\\" # so\"", "it is \"x, y\" # so"),
            ("\"\"", ""),
            ("100", "100"),
            ("true", "true"),
        ] {
            for text in [
                format!("parameter {{\n  name = \"n\"\n  value = {value} # why\n  apply_method = \"immediate\"\n}}\n"),
                format!("database_flags {{ value = {value}, name = \"n\" }}\n"),
            ] {
                assert_eq!(terraform(&text), Some(vec![("n".to_owned(), read.to_owned())]), "{text}");
            }
        }
    }
}
