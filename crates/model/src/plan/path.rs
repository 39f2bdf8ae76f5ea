//! The fields of an experiment by their dotted names, and how a value is set.

use super::instead::or_axis;
use super::keys::{self, Key, Setter, Table};
use super::names::{self, NameMatch};
use super::settings::{DatasetSpec, Names, Settings, server_value};
use super::source::Diagnostic;
use super::spelling::{option_name, server_name};
use super::value::{self, Value};
use crate::workload::NO_DATA;
use tenbin_words::msg;

/// A dotted field, as in a matrix.
#[derive(Debug, Clone, PartialEq)]
pub enum Path {
    Own(&'static Key),
    Load(&'static Key),
    LoadOption(String),
    Dataset(&'static Key),
    DatasetOption(String),
    Server(String),
    /// A variable of one target: its name, and that of the variable.
    TargetServer(String, String),
}

/// What another value of a field costs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cost {
    /// Data are loaded or restored.
    Data,
    /// A server is started, restarted or changed.
    Server,
    /// Nothing.
    None,
}

impl Path {
    /// Parses a dotted name.
    pub fn of(dotted: &str) -> Result<Path, Diagnostic> {
        match dotted.split_once('.') {
            Some(("load", name)) => names::find(Table::Load, name).map(|f| match f {
                NameMatch::Key(key) => Path::Load(key),
                NameMatch::Option => Path::LoadOption(option_name(name)),
            }),
            Some(("dataset", name)) => names::find(Table::Dataset, name).map(|f| match f {
                NameMatch::Key(key) => Path::Dataset(key),
                NameMatch::Option => Path::DatasetOption(option_name(name)),
            }),
            Some(("datasets", rest)) if rest.contains('.') => {
                let name = rest.split_once('.').map_or(rest, |(_, name)| name);
                Err(Diagnostic::new(
                    msg!("field-cannot-be-varied", axis = format_args!("{dotted:?}")),
                    msg!("write-dataset-axis", axis = format_args!("dataset.{name}")),
                ))
            }
            Some(("server", name)) => Ok(Path::Server(server_name(name))),
            Some(("targets", rest)) => match rest.split_once(".server.") {
                Some((target, name)) => Ok(Path::TargetServer(target.to_owned(), server_name(name))),
                None => Err(Diagnostic::new(
                    msg!("field-cannot-be-varied", axis = format_args!("{dotted:?}")),
                    msg!("vary-server-of-target"),
                )),
            },
            _ => match names::find(Table::Experiment, dotted) {
                Ok(NameMatch::Key(key)) if key.varies => Ok(Path::Own(key)),
                Ok(NameMatch::Key(key)) if key.name == "targets" => {
                    Err(Diagnostic::new(msg!("targets-are-no-axis"), msg!("write-targets-in-experiment")))
                }
                _ => Err(Diagnostic::new(
                    msg!("field-cannot-be-varied", axis = format_args!("{dotted:?}")),
                    match keys::of(Table::Load).find(|k| k.name == dotted || k.also.contains(&dotted)) {
                        Some(_) => msg!("write-load-axis", axis = dotted),
                        None => msg!("use-an-axis", swept = swept()),
                    },
                )),
            },
        }
    }

    /// The canonical name of the field, used in tables and charts.
    pub fn name(&self) -> String {
        match self {
            Path::Own(key) => key.name.to_owned(),
            Path::Load(key) => format!("load.{}", key.name),
            Path::LoadOption(name) => format!("load.{name}"),
            Path::Dataset(key) => format!("dataset.{}", key.name),
            Path::DatasetOption(name) => format!("dataset.{name}"),
            Path::Server(name) => format!("server.{name}"),
            Path::TargetServer(target, name) => format!("targets.{target}.server.{name}"),
        }
    }

    /// What another value costs.
    pub fn cost(&self) -> Cost {
        match self {
            Path::Dataset(_) | Path::DatasetOption(_) => Cost::Data,
            Path::Own(key) if key.name == "dataset" => Cost::Data,
            Path::Server(_) | Path::TargetServer(..) => Cost::Server,
            Path::Own(_) | Path::Load(_) | Path::LoadOption(_) => Cost::None,
        }
    }
}

/// Keys of an experiment that a matrix may vary.
fn swept() -> String {
    keys::of(Table::Experiment).filter(|k| k.varies).map(|k| k.name).collect::<Vec<_>>().join(", ")
}

impl Settings {
    /// Sets the field `path` to `value`.
    pub fn set(&mut self, path: &Path, value: &Value<'_>, names: Names<'_>) -> Result<(), Diagnostic> {
        let outcome = self.take(path, value, names);
        if let (Err(_), Path::Own(key) | Path::Load(key)) = (&outcome, path) {
            self.refused.insert(key.name);
        }
        let key = match path {
            Path::Own(key) | Path::Load(key) | Path::Dataset(key) => Some(*key),
            _ => None,
        };
        outcome.map_err(|refusal| or_axis(refusal, &path.name(), key, value))
    }

    fn take(&mut self, path: &Path, value: &Value<'_>, names: Names<'_>) -> Result<(), Diagnostic> {
        match path {
            Path::Own(key) | Path::Load(key) => match key.set {
                Setter::Settings(set) => set(self, key.name, value, names),
                _ => Err(Diagnostic::new(msg!("key-cannot-be-set-here", key = key.name), msg!("see-plan-reference"))),
            },
            Path::LoadOption(name) => {
                self.spec.load.options.insert(name.clone(), value::option(name, value)?);
                Ok(())
            }
            Path::Dataset(key) if !key.varies => {
                Err(Diagnostic::new(msg!("dataset-kind-cannot-be-varied"), msg!("vary-two-datasets")))
            }
            Path::Dataset(key) => {
                let mut spec = DatasetSpec::of_kind(NO_DATA);
                spec.set(Some(key), key.name, value)?;
                self.dataset_options.extend(spec.options);
                self.streams = spec.streams.or(self.streams);
                Ok(())
            }
            Path::DatasetOption(name) => {
                self.dataset_options.insert(name.clone(), value::option(name, value)?);
                Ok(())
            }
            Path::Server(name) => {
                self.spec.server.insert(name.clone(), server_value(name, value)?);
                Ok(())
            }
            Path::TargetServer(target, name) => {
                let value = server_value(name, value)?;
                self.spec.target_server.entry(target.clone()).or_default().insert(name.clone(), value);
                Ok(())
            }
        }
    }
}

impl DatasetSpec {
    /// Sets a key of a data set, or an option of this name, to `value`.
    pub fn set(&mut self, key: Option<&Key>, name: &str, value: &Value<'_>) -> Result<(), Diagnostic> {
        match key.map(|key| key.set) {
            Some(Setter::Dataset(set)) => set(self, name, value),
            _ => {
                let text = if name == TABLES { value::tables(name, value)? } else { value::option(name, value)? };
                self.options.insert(name.to_owned(), text);
                Ok(())
            }
        }
    }
}

/// The option of a data set that has a section for each table.
const TABLES: &str = "fill";
