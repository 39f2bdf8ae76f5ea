//! Settings in the files by which servers are deployed: the lists of `command` in Docker Compose, the files and parameters in Kubernetes'
//! ConfigMaps and Helm's values, the flags and parameters in Terraform's resources.

use super::arguments::{self, Settings};
use super::{conf, option_files};
use tenbin_driver::credentials::option_file::{self, OptionLine};
use tenbin_model::variables;

/// What a server of such a file is called, if the file has several, and its settings.
type Deployed = Vec<(Option<String>, Settings)>;

/// Keys above a map of parameters, in YAML.
const MAPS: [&str; 8] = [
    "parameters",
    "databaseflags",
    "database_flags",
    "postgresqlparameters",
    "serverparameters",
    "mysqlparameters",
    "mariadbparameters",
    "configurationoverrides",
];
/// Keys above a list of arguments, or one line of them.
const COMMANDS: [&str; 5] = ["command", "args", "extraargs", "extraflags", "entrypoint"];

/// What a YAML file sets, or `None` if it sets nothing of a server.
pub(super) fn yaml(text: &str) -> Option<Deployed> {
    let lines: Vec<(usize, &str)> =
        text.lines().map(|line| (line.len() - line.trim_start().len(), line.trim_end())).collect();
    let mut of_text =
        lines.iter().map(|(_, line)| line.trim_start()).filter(|line| !line.is_empty() && !line.starts_with('#'));
    // A text of another kind may have such lines too, and tables.
    let is_yaml = of_text.next().is_some_and(|line| line.starts_with("---") || pair(line).is_some());
    if !is_yaml || lines.iter().any(|(_, line)| line.starts_with('|') || line.starts_with("```")) {
        return None;
    }
    let mut all = Deployed::new();
    // The keys that the current line is below, and how far they are indented.
    let mut above: Vec<(usize, String)> = Vec::new();
    let mut at = 0;
    while let Some((indent, line)) = lines.get(at).copied() {
        at += 1;
        let content = line.trim_start();
        if content.is_empty() || content.starts_with('#') || content.starts_with("---") {
            continue;
        }
        let Some((key, value)) = pair(content.trim_start_matches("- ")) else { continue };
        above.retain(|(of, _)| *of < indent);
        let block = |from: usize| {
            let inner = lines[from..].iter().take_while(|(of, line)| *of > indent || line.is_empty());
            inner.map(|(_, line)| line.trim_start()).collect::<Vec<_>>()
        };
        let name = key.to_ascii_lowercase();
        let mut found = Settings::new();
        if value.starts_with(['|', '>']) {
            let inner = block(at);
            at += inner.len();
            found = match COMMANDS.contains(&name.as_str()) {
                true => arguments::of_words(&arguments::words(&inner.join(" "))),
                false => of_file(&name, &inner.join("\n")),
            };
        } else if COMMANDS.contains(&name.as_str()) {
            let inner = match value.is_empty() {
                true => items(&lines[at..], indent),
                false => flow(value),
            };
            found = arguments::of_words(&inner);
        } else if MAPS.contains(&name.as_str()) && value.is_empty() {
            for line in block(at).into_iter().filter(|line| !line.is_empty() && !line.starts_with('#')) {
                // A list of names and values is of other files.
                let Some((name, value)) = pair(line).filter(|(name, value)| is_name(name) && !value.is_empty()) else {
                    continue;
                };
                found.push((variables::canonical_name(name), unquoted(value)));
            }
        }
        if !found.is_empty() {
            // A service of Docker Compose.
            let service = above.windows(2).find(|two| two[0].1 == "services").map(|two| two[1].1.clone());
            match all.iter_mut().find(|(known, _)| *known == service) {
                Some((_, settings)) => settings.extend(found),
                None => all.push((service, found)),
            }
        }
        above.push((indent, key.to_owned()));
    }
    (!all.is_empty()).then_some(all)
}

/// The settings of a file within a file: an option file, or a `postgresql.conf`.
fn of_file(name: &str, text: &str) -> Settings {
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

/// `key: value`, without quotes around the key and a comment behind the value.
fn pair(line: &str) -> Option<(&str, &str)> {
    let (key, value) = line.split_once(':')?;
    let key = key.trim().trim_matches(['"', '\'']);
    if !(value.is_empty() || value.starts_with(' ')) || key.is_empty() || key.contains(' ') {
        return None;
    }
    Some((key, value.split(" #").next().unwrap_or(value).trim()))
}

fn unquoted(value: &str) -> String {
    let inner = |quote: char| value.strip_prefix(quote).and_then(|rest| rest.strip_suffix(quote));
    inner('"').or_else(|| inner('\'')).unwrap_or(value).to_owned()
}

/// The items of a list that stand below a key, or beside it.
fn items(lines: &[(usize, &str)], indent: usize) -> Vec<String> {
    let mut all = Vec::new();
    for (of, line) in lines {
        let content = line.trim_start();
        if content.is_empty() || content.starts_with('#') {
            continue;
        }
        let Some(item) = content.strip_prefix("- ").filter(|_| *of >= indent) else { break };
        all.push(unquoted(item.split(" #").next().unwrap_or(item).trim()));
    }
    // An item may be several words.
    all.iter()
        .flat_map(
            |item| {
                if item.starts_with('-') && item.contains(' ') { arguments::words(item) } else { vec![item.clone()] }
            },
        )
        .collect()
}

/// `["mysqld", "--x=1"]`, or a line of words.
fn flow(value: &str) -> Vec<String> {
    match value.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
        Some(inner) => inner.split(", ").map(|item| unquoted(item.trim().trim_end_matches(','))).collect(),
        None => arguments::words(&unquoted(value)),
    }
}

fn is_name(name: &str) -> bool {
    name.bytes().all(|b| b.is_ascii_alphanumeric() || b"_.-".contains(&b))
}

/// What the blocks `database_flags`, `parameter` and the resources of single parameters of a Terraform file set.
pub(super) fn terraform(text: &str) -> Option<Settings> {
    const BLOCKS: [&str; 4] = ["database_flags {", "parameter {", "_configuration\"", "_parameter\""];
    if !BLOCKS.iter().any(|block| text.contains(block)) {
        return None;
    }
    // Blocks end at braces, and may stand on one line.
    let lines = text.lines().map(|line| line.split('#').next().unwrap_or(line));
    let mut all = Settings::new();
    for block in lines.collect::<Vec<_>>().join("\n").split(['{', '}']) {
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

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(found: Option<Deployed>) -> String {
        let settings =
            |all: &Settings| all.iter().map(|(name, value)| format!("{name}={value}")).collect::<Vec<_>>().join(" ");
        let one =
            |(name, all): &(Option<String>, Settings)| format!("{}: {}", name.as_deref().unwrap_or("-"), settings(all));
        found.unwrap_or_default().iter().map(one).collect::<Vec<_>>().join("; ")
    }

    #[test]
    fn files_that_deploy_servers_are_read() {
        for (text, servers) in [
            (
                "services:\n  a:\n    image: mysql:8.0\n    command:\n      - --innodb-buffer-pool-size=1G\n      - --sync-binlog=0 # x\n    ports:\n      - 3306:3306\n  b:\n    image: postgres\n    command: postgres -c shared_buffers=1GB -c fsync=off\n",
                "a: innodb_buffer_pool_size=1G sync_binlog=0; b: shared_buffers=1GB fsync=off",
            ),
            (
                "services:\n  a:\n    command: [\"mysqld\", \"--sync-binlog=0\", \"--skip-log-bin\"]\n",
                "a: sync_binlog=0 log_bin=OFF",
            ),
            (
                "services:\n  a:\n    command: >\n      --sync-binlog=0\n      --max-connections=500\n    restart: always\n",
                "a: sync_binlog=0 max_connections=500",
            ),
            (
                "kind: ConfigMap\ndata:\n  my.cnf: |\n    [mysqld]\n    sync_binlog=0\n    [client]\n    port=1\n",
                "-: sync_binlog=0",
            ),
            (
                "data:\n  postgresql.conf: |-\n    shared_buffers = 1GB\n    fsync = off # x\n",
                "-: shared_buffers=1GB fsync=off",
            ),
            (
                "spec:\n  postgresql:\n    parameters:\n      shared_buffers: \"1GB\"\n      max_connections: '200'\n  storage:\n    size: 1Gi\n",
                "-: shared_buffers=1GB max_connections=200",
            ),
            ("a: b\nc:\n  - d\n", ""),
            ("# Text\n\nSome words\n\ncommand: x --threads=8\n", ""),
            ("a:\ncommand: x --threads=8\n\n| Variable | A |\n|--|--|\n| x | 1 |\n", ""),
        ] {
            assert_eq!(shown(yaml(text)), servers, "{text}");
        }
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
        assert_eq!(of("name = x\n"), "");
        assert_eq!(of("parameter {\n  name = \"fsync\"\n  value = \"${var.fsync}\"\n}\n"), "", "it is not known");
    }
}
