//! Settings in the files by which servers are deployed: option files within them, the flags and parameters in Terraform's resources.

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

fn unquoted(value: &str) -> String {
    let inner = |quote: char| value.strip_prefix(quote).and_then(|rest| rest.strip_suffix(quote));
    inner('"').or_else(|| inner('\'')).unwrap_or(value).to_owned()
}

/// What the blocks `database_flags`, `parameter` and the resources of single parameters of a Terraform file set.
pub(super) fn terraform(text: &str) -> Option<Settings> {
    const BLOCKS: [&str; 4] = ["database_flags {", "parameter {", "_configuration\"", "_parameter\""];
    if !BLOCKS.iter().any(|block| text.contains(block)) {
        return None;
    }
    // Blocks end at braces, and may stand on one line.
    let mut all = Settings::new();
    for block in without_comments(text).split(['{', '}']) {
        let value = |wanted: &str| {
            let mut pairs = block.split(['\n', ',']).filter_map(|part| part.split_once('='));
            pairs.find(|(key, _)| key.trim() == wanted).map(|(_, value)| unquoted(value.trim()))
        };
        // What another expression has is not known.
        let pair = value("name").zip(value("value")).filter(|(_, value)| !value.contains('$'));
        all.extend(pair.map(|(name, value)| (variables::canonical_name(&name), value)));
    }
    (!all.is_empty()).then_some(all)
}

/// A text of HCL without its comments: `#`, `//`, and `/* … */`, outside of quotes.
fn without_comments(text: &str) -> String {
    let (mut out, mut rest, mut is_quoted) = (String::new(), text, false);
    while let Some(c) = rest.chars().next() {
        let skipped = match rest {
            _ if is_quoted => 0,
            rest if rest.starts_with('#') || rest.starts_with("//") => rest.find('\n').unwrap_or(rest.len()),
            rest if rest.starts_with("/*") => rest.find("*/").map_or(rest.len(), |at| at + 2),
            _ => 0,
        };
        if skipped > 0 {
            rest = &rest[skipped..];
            continue;
        }
        is_quoted ^= c == '"';
        // A quote ends with its line.
        is_quoted &= c != '\n';
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
        let commented = "parameter {\n  // name = \"fsync\"\n  name = \"jit\" // why\n  value = \"a//b#c\" # so\n}\n/* parameter {\n name = \"x\"\n value = \"1\"\n} */\n";
        assert_eq!(of(commented), "jit=a//b#c");
        assert_eq!(of("name = x\n"), "");
        assert_eq!(of("parameter {\n  name = \"fsync\"\n  value = \"${var.fsync}\"\n}\n"), "", "it is not known");
    }
}
