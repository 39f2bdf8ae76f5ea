//! Settings in JSON and YAML, wherever they stand in it: lists of names and values (`aws rds describe-db-parameters`, flags of Cloud SQL, rows of
//! MySQL Shell), maps of parameters (CloudFormation, operators of Kubernetes), commands of containers, and option files within the text.
//!
//! An object of other things is no list of settings: of a map, one name at least must be a known variable.

use super::arguments::{self, Settings};
use super::deployed;
use serde_json::{Map, Value};
use tenbin_model::postgres_units::with_unit;
use tenbin_model::{defaults, variables};

/// The settings of one server in such a text.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct DeployedSettings {
    /// What it is called, for a text with several.
    pub place: String,
    /// Names and values, in their order.
    pub settings: Settings,
    /// Whether these are only those that are set.
    pub is_partial: bool,
    /// Whether a name that stands there again is one of another server: in a list, not in a command.
    pub is_list: bool,
}

/// Keys above a map or a list of what is set.
const SET: [&str; 11] = [
    "databaseflags",
    "database_flags",
    "flags",
    "postgresqlparameters",
    "serverparameters",
    "mysqlparameters",
    "mariadbparameters",
    "configurationoverrides",
    "parameters",
    "settings",
    "mysqld",
];
/// Keys above a command or its arguments, in the order in which a container has them.
const COMMANDS: [&str; 5] = ["entrypoint", "command", "args", "extraargs", "extraflags"];
/// Deeper values are of something else.
const DEEPEST: usize = 24;

/// The servers of a text of JSON, or of several values of JSON one after the other.
pub(super) fn json(text: &str) -> Option<Vec<DeployedSettings>> {
    if !text.trim_start().starts_with(['{', '[']) || text.trim_start().starts_with("[mysql") {
        return None;
    }
    let mut all = serde_json::Deserializer::from_str(without_footer(text))
        .into_iter::<Value>()
        .collect::<Result<Vec<_>, _>>()
        .ok()?;
    servers(&if all.len() == 1 { all.remove(0) } else { Value::Array(all) })
}

/// Without the line that MySQL Shell prints below the rows: `2 rows in set (0.0010 sec)`.
fn without_footer(text: &str) -> &str {
    let text = text.trim_end();
    text.rsplit_once('\n').filter(|(_, last)| last.contains(" in set (")).map_or(text, |(rows, _)| rows)
}

/// The servers of a text of YAML.
pub(super) fn yaml(text: &str) -> Option<Vec<DeployedSettings>> {
    servers(&tenbin_published::yaml(text)?)
}

fn servers(value: &Value) -> Option<Vec<DeployedSettings>> {
    let mut all = Vec::new();
    find(value, &mut Vec::new(), &mut all);
    (!all.is_empty()).then_some(all)
}

fn find<'v>(value: &'v Value, path: &mut Vec<&'v str>, all: &mut Vec<DeployedSettings>) {
    if path.len() > DEEPEST {
        return;
    }
    match value {
        Value::Array(items) => {
            if let Some(server) = of_list(items, path) {
                return all.push(server);
            }
            items.iter().for_each(|item| find(item, path, all));
        }
        Value::Object(map) => {
            if let Some(server) = of_persisted(value) {
                return all.push(server);
            }
            all.extend(of_container(map, path));
            let of_map = of_map(map, path);
            let is_taken = of_map.is_some();
            all.extend(of_map);
            for (key, value) in map {
                // What a map merges in is in it already; x-… are parts for others.
                if is_taken && !value.is_object() && !value.is_array() || key == "<<" || key.starts_with("x-") {
                    continue;
                }
                path.push(key);
                find(value, path, all);
                path.pop();
            }
        }
        Value::String(text) if text.contains('\n') => {
            let settings = deployed::of_file(path.last().unwrap_or(&""), text);
            if !settings.is_empty() {
                all.push(DeployedSettings { place: place(path), settings, is_partial: true, is_list: false });
            }
        }
        _ => {}
    }
}

/// The key that says which of several servers it is: a file's name, a service's, `primary` above `configuration`.
fn place(path: &[&str]) -> String {
    const GENERAL: [&str; 9] =
        ["configuration", "parameters", "settings", "postgresql", "mysql", "properties", "spec", "config", "mysqld"];
    let is_own = |key: &&&str| {
        let key = key.to_ascii_lowercase();
        !GENERAL.contains(&key.as_str()) && !SET.contains(&key.as_str())
    };
    path.iter().rev().find(is_own).or(path.last()).map(|key| (*key).to_owned()).unwrap_or_default()
}

fn word(value: &Value) -> Option<String> {
    match value {
        Value::String(text) if !text.contains('\n') => Some(text.clone()),
        Value::Number(_) | Value::Bool(_) => Some(value.to_string()),
        _ => None,
    }
}

/// Objects of a name and a value, or lists of both.
fn of_list(items: &[Value], path: &[&str]) -> Option<DeployedSettings> {
    let of = |entry: &Value, names: &[&str]| names.iter().find_map(|name| word(entry.get(*name)?));
    let pair = |entry: &Value| {
        if let Value::Array(two) = entry {
            let [name, value] = two.as_slice() else { return None };
            return Some((word(name)?, word(value)?));
        }
        let name = of(entry, &["ParameterName", "parameterName", "name", "Variable_name", "VARIABLE_NAME", "option"])?;
        let within = entry.get("properties").unwrap_or(entry);
        let value = of(within, &["ParameterValue", "parameterValue", "value", "Value", "VARIABLE_VALUE", "setting"])?;
        let unit = of(entry, &["unit"]).unwrap_or_default();
        Some((name, with_unit(&value, &unit)))
    };
    let settings: Settings =
        items.iter().filter_map(pair).map(|(name, value)| (variables::canonical_name(&name), value)).collect();
    let is_set = path.last().is_some_and(|key| SET[..3].contains(&key.to_ascii_lowercase().as_str()));
    let has_own_words =
        items.iter().any(|entry| ["ParameterName", "Variable_name"].iter().any(|key| entry.get(*key).is_some()));
    if settings.is_empty() || !(is_set || has_own_words || settings.iter().any(|(name, _)| defaults::is_known(name))) {
        return None;
    }
    let is_of_user = |entry: &Value| of(entry, &["Source", "source"]).is_some_and(|source| source.starts_with("user"));
    let is_partial = is_set || items.iter().all(is_of_user);
    Some(DeployedSettings { place: place(path), settings, is_partial, is_list: true })
}

/// A map of names and values, if one of them is a known variable; in a map of other things, most of them.
fn of_map(map: &Map<String, Value>, path: &[&str]) -> Option<DeployedSettings> {
    let is_set = path.last().is_some_and(|key| SET.contains(&key.to_ascii_lowercase().as_str()));
    let pairs: Vec<(&String, String)> = map.iter().filter_map(|(name, value)| Some((name, word(value)?))).collect();
    let known = pairs.iter().filter(|(name, _)| defaults::is_known(&variables::canonical_name(name))).count();
    if known == 0 || !(is_set || path.is_empty() || 2 * known >= pairs.len()) {
        return None;
    }
    let settings = pairs.into_iter().map(|(name, value)| (variables::canonical_name(name), value)).collect();
    Some(DeployedSettings { place: place(path), settings, is_partial: is_set || !path.is_empty(), is_list: true })
}

/// What a container of a server is started with: its image is one of a server, or a word of its command is.
fn of_container(map: &Map<String, Value>, path: &[&str]) -> Option<DeployedSettings> {
    let mut all = Vec::new();
    for wanted in COMMANDS {
        for (_, value) in map.iter().filter(|(key, _)| key.to_ascii_lowercase() == wanted) {
            match value {
                Value::String(line) => all.extend(arguments::words(line)),
                Value::Array(items) => {
                    // An item may be several words; what follows -c of a shell is one.
                    for item in items.iter().filter_map(word) {
                        match item.starts_with('-') && item.contains(' ') {
                            true => all.extend(arguments::words(&item)),
                            false => all.push(item),
                        }
                    }
                }
                _ => {}
            }
        }
    }
    all.extend(of_environment(map));
    let image = map.get("image").and_then(Value::as_str);
    let is_server = all.iter().any(|word| arguments::is_server(word)) || image.is_some_and(arguments::is_server);
    let begins = arguments::program(&all).map_or(0, |at| at + 1);
    let is_shell = all.first().is_some_and(|word| ["sh", "bash"].contains(&word.rsplit('/').next().unwrap_or(word)));
    let settings = arguments::of_words(if is_shell { &all } else { &all[begins..] });
    let is_known = |(name, _): &(String, String)| defaults::is_known(name);
    let is_of_server = is_server || is_shell || image.is_none() && settings.iter().any(is_known);
    if settings.is_empty() || !is_of_server {
        return None;
    }
    let own = map.get("container_name").or_else(|| map.get("name")).and_then(Value::as_str);
    let place = own.filter(|_| path.last() == Some(&"containers")).map_or_else(|| place(path), str::to_owned);
    Some(DeployedSettings { place, settings, is_partial: true, is_list: false })
}

/// `MARIADB_EXTRA_FLAGS=--max-connections=500` of Bitnami's images.
fn of_environment(map: &Map<String, Value>) -> Vec<String> {
    const END: &str = "_EXTRA_FLAGS";
    let of = |value: &Value| -> Vec<String> {
        match value {
            Value::Object(all) => {
                all.iter().filter(|(key, _)| key.ends_with(END)).filter_map(|(_, value)| word(value)).collect()
            }
            Value::Array(all) => {
                let of_pair = |entry: &Value| {
                    let name = entry.get("name")?.as_str()?;
                    name.ends_with(END).then(|| word(entry.get("value")?)).flatten()
                };
                let of_line = |entry: &Value| {
                    let (name, value) = entry.as_str()?.split_once('=')?;
                    name.ends_with(END).then(|| value.to_owned())
                };
                all.iter().filter_map(|entry| of_pair(entry).or_else(|| of_line(entry))).collect()
            }
            _ => Vec::new(),
        }
    };
    let lines = ["environment", "env"].iter().filter_map(|key| map.get(*key)).flat_map(of);
    lines.flat_map(|line| arguments::words(&line)).collect()
}

/// `mysqld-auto.cnf` of SET PERSIST: `{"Version": 1, "mysql_server": {"sync_binlog": {"Value": "0", "Metadata": {…}}}}`.
fn of_persisted(value: &Value) -> Option<DeployedSettings> {
    fn collect(value: &Value, all: &mut Settings) {
        for (name, inner) in value.as_object().into_iter().flatten() {
            match inner.get("Value").and_then(Value::as_str) {
                Some(value) => all.push((variables::canonical_name(name), value.to_owned())),
                None => collect(inner, all),
            }
        }
    }
    value.get("Version")?;
    let mut settings = Settings::new();
    collect(value, &mut settings);
    (!settings.is_empty()).then(|| DeployedSettings {
        place: String::new(),
        settings,
        is_partial: true,
        is_list: false,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Each server as `place: name=value …`, with `only` before those of which only what is set is there.
    fn shown(servers: Option<Vec<DeployedSettings>>) -> String {
        let one = |server: &DeployedSettings| {
            let each = server.settings.iter().map(|(name, value)| format!("{name}={value}"));
            let only = if server.is_partial { "only " } else { "" };
            format!("{only}{}: {}", server.place, each.collect::<Vec<_>>().join(" "))
        };
        servers.unwrap_or_default().iter().map(one).collect::<Vec<_>>().join("; ")
    }

    #[test]
    fn settings_are_found_wherever_they_stand_in_json() {
        for (text, servers) in [
            (
                r#"{"Parameters":[{"ParameterName":"sync_binlog","ParameterValue":"1"},{"ParameterName":"x"}]}"#,
                "Parameters: sync_binlog=1",
            ),
            (
                r#"{"settings":{"databaseFlags":[{"name":"cloudsql.x","value":"on"}],"tier":"t"}}"#,
                "only databaseFlags: cloudsql.x=on",
            ),
            (
                r#"{"hasData":true,"rows":[{"Variable_name":"sync_binlog","Value":"1"}],"info":""}"#,
                "rows: sync_binlog=1",
            ),
            (
                "{\"Variable_name\":\"fsync\",\"Value\":\"on\"}\n{\"Variable_name\":\"jit\",\"Value\":\"off\"}\n",
                ": fsync=on jit=off",
            ),
            (
                "{\n    \"Variable_name\": \"fsync\",\n    \"Value\": \"on\"\n}\n{\n    \"Variable_name\": \"jit\",\n    \"Value\": \"off\"\n}\n2 rows in set (0.0010 sec)\n",
                ": fsync=on jit=off",
            ),
            (
                r#"{"Resources":{"G":{"Properties":{"Family":"f","Parameters":{"sync_binlog":"1","x":2}}}}}"#,
                "only G: sync_binlog=1 x=2",
            ),
            (
                r#"{"kind":"ConfigMap","data":{"a.cnf":"[mysqld]\nsync_binlog=0\n","b":"text\n"}}"#,
                "only a.cnf: sync_binlog=0",
            ),
            (
                r#"{"Version":1,"mysql_server":{"sync_binlog":{"Value":"0","Metadata":{"User":"a"}}}}"#,
                "only : sync_binlog=0",
            ),
            (r#"[{"name":"shared_buffers","setting":"16384","unit":"8kB"}]"#, ": shared_buffers=131072kB"),
            (r#"{"value":[{"name":"sync_binlog","properties":{"value":"1"}}]}"#, "value: sync_binlog=1"),
            (r#"[["sync_binlog","1"],["x","2"]]"#, ": sync_binlog=1 x=2"),
            (r#"{"sync_binlog":1,"x":2}"#, ": sync_binlog=1 x=2"),
            (r#"{"backendType":"SECOND_GEN","settings":{"tier":"t"}}"#, ""),
            (r#"{"AWSTemplateFormatVersion":"2010-09-09","Description":"d"}"#, ""),
            (r#"[{"name":"PATH","value":"/bin"}]"#, ""),
        ] {
            assert_eq!(shown(json(text)), servers, "{text}");
        }
    }

    #[test]
    fn commands_and_files_of_servers_are_found_in_yaml() {
        for (text, servers) in [
            (
                "a:\n  image: mysql:8\n  args: [\"--sync-binlog=0\",\"--max-connections=5\"]\n",
                "only a: sync_binlog=0 max_connections=5",
            ),
            ("a:\n  image: postgres\n  command: postgres -c fsync=off\n    -c jit=on\n", "only a: fsync=off jit=on"),
            (
                "a:\n  image: mysql\n  command: --sync-binlog=0 --datadir /var/lib/mysql --user mysql --max-connections=5\n",
                "only a: sync_binlog=0 datadir=/var/lib/mysql max_connections=5",
            ),
            (
                "a:\n  image: postgres\n  command: [-c, fsync=off, -D, /var/lib/postgresql, -c, jit=on]\n",
                "only a: fsync=off jit=on",
            ),
            (
                "a:\n  image: shop\n  command: serve --workers=4\nb:\n  image: mariadb\n  command: --sync-binlog=0\n",
                "only b: sync_binlog=0",
            ),
            (
                "containers:\n- name: db\n  image: mysql\n  args:\n  - --sync-binlog=0\n- name: watch\n  image: prom/mysqld-exporter\n  args:\n  - --web.listen-address=:9\n",
                "only db: sync_binlog=0",
            ),
            (
                "x-db: &db\n  image: mysql\n  command: --sync-binlog=0\nservices:\n  a:\n    <<: *db\n    restart: always\n",
                "only a: sync_binlog=0",
            ),
            (
                "kind: StorageClass\nparameters:\n  type: gp3\n---\nspec:\n  parameters: {fsync: 'off'}\n",
                "only parameters: fsync=off",
            ),
            (
                "data:\n  a.cnf: |\n    [mysqld]\n    log-bin\n  b.cnf: |\n    [mysqld]\n    read-only\n",
                "only a.cnf: log_bin=ON; only b.cnf: read_only=ON",
            ),
            (
                "R:\n  P:\n    Type: String\n    Default: !Ref X\n  G:\n    Parameters:\n      sync_binlog: 1\n",
                "only G: sync_binlog=1",
            ),
            (
                "a:\n  image: bitnami/mariadb\n  environment:\n    - MARIADB_EXTRA_FLAGS=--sync-binlog=0\n",
                "only a: sync_binlog=0",
            ),
            (
                "a:\n  image: mysql\n  command: [sh, -c, 'mysql -ps3cret=x; exec mysqld --sync-binlog=0']\n",
                "only a: sync_binlog=0",
            ),
            ("backendType: SECOND_GEN\nsettings:\n  tier: t\n", ""),
        ] {
            assert_eq!(shown(yaml(text)), servers, "{text}");
        }
    }
}
