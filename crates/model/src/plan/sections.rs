//! Common code for the sections of a plan, the defaults and the data sets.

use super::instead::or_axis;
use super::keys::{Key, Table};
use super::names::{self, NameMatch};
use super::path::Path;
use super::scale::PlanScale;
use super::settings::{DatasetSpec, Names, Settings};
use super::source::{Diagnostic, Diagnostics, Part};
use super::spelling::option_name;
use super::tables::{at_most, head, place_of, table_like, telling};
use super::value::{self, Value, in_order};
use super::written::as_list;
use crate::dsn::Password;
use crate::trial::Target;
use crate::workload::{Catalog, NO_DATA};
use std::collections::BTreeMap;
use tenbin_words::message::foreign;
use tenbin_words::msg;
use toml::Spanned;

/// What experiments need to know: the known workloads, and the previous sections.
pub struct PlanContext<'c> {
    pub catalog: &'c Catalog,
    pub defaults: Settings,
    pub targets: Vec<Target>,
    pub passwords: BTreeMap<String, Password>,
    pub datasets: Vec<(String, DatasetSpec)>,
    /// By what data and time are multiplied.
    pub scale: Option<PlanScale>,
}

impl<'c> PlanContext<'c> {
    pub fn new(catalog: &'c Catalog, scale: Option<PlanScale>) -> Self {
        let (defaults, targets, passwords, datasets) = Default::default();
        PlanContext { catalog, defaults, targets, passwords, datasets, scale }
    }
}

/// Passes each key of a table to `take`; unknown, reserved and duplicate keys are reported.
pub fn each<'t, 'a>(
    table: Table,
    value: &'t Value<'a>,
    complaints: &mut Diagnostics<'_>,
    mut take: impl FnMut(Option<&'static Key>, Spanned<&'t str>, &'t Value<'a>, &mut Diagnostics<'_>),
) {
    let hint = match table {
        Table::Load => msg!("write-key", key = "load", value = "{ workload = \"oltp_read_write\" }"),
        _ => msg!("see-tenbin-plan-example"),
    };
    let Some(entries) = table_like(&table.title(), hint, value, complaints) else { return };
    let mut keys: Vec<(&str, &str)> = Vec::new();
    let entries = in_order(entries);
    let most = if table.is_open() { MOST_OPTIONS } else { usize::MAX };
    for (name, value) in at_most(entries, most, msg!("keys-in", section = table.title()), head(value), complaints) {
        match names::find_for(table, name.get_ref(), Some(value)) {
            Err(refusal) => complaints.add(name.span(), refusal),
            Ok(NameMatch::Option) => take(None, name, value, complaints),
            Ok(NameMatch::Key(key)) => match keys.iter().find(|(canonical, _)| *canonical == key.name) {
                Some((_, before)) => {
                    let what = msg!("key-given-twice", key = key.name, before, again = name.get_ref());
                    // Of `workload = "sql"`.
                    let of_sql =
                        value::scalar(value).filter(|file| *name.get_ref() == "script" && file.contains(".sql"));
                    let hint =
                        of_sql.and_then(|_| as_list(value)).map(|value| msg!("write-key", key = "scripts", value));
                    complaints
                        .add(name.span(), Diagnostic::new(what, hint.unwrap_or_else(|| msg!("keep-one-of-them"))));
                }
                None => {
                    keys.push((key.name, *name.get_ref()));
                    take(Some(key), name, value, complaints);
                }
            },
        }
    }
}

/// No table of options has more keys than this.
const MOST_OPTIONS: usize = 128;
/// No plan describes more targets or data sets.
pub const MOST_NAMED: usize = 256;

/// `[defaults]`, and `[metrics]`, whose interval is a default.
pub fn defaults(value: &Value<'_>, table: Table, known: &mut PlanContext<'_>, complaints: &mut Diagnostics<'_>) {
    each(table, value, complaints, |key, name, value, complaints| {
        let Some(key) = key else { return };
        let names = Names { datasets: &[], catalog: known.catalog };
        if let Err(refusal) = known.defaults.set(&Path::Own(key), value, names) {
            complaints.add(place_of(&name, value), refusal);
        }
    });
}

/// `[datasets.<name>]`
pub fn datasets(value: &Value<'_>, known: &mut PlanContext<'_>, complaints: &mut Diagnostics<'_>) {
    let Some(all) = table_like(&foreign("[datasets]"), msg!("write-named-dataset"), value, complaints) else { return };
    for (name, value) in at_most(in_order(all), MOST_NAMED, msg!("data-sets"), head(value), complaints) {
        if table_like(&Table::Dataset.title(), msg!("write-named-dataset"), value, complaints).is_none() {
            continue;
        }
        let mut spec = DatasetSpec::of_kind(known.catalog.default_dataset);
        let owner = *name.get_ref();
        each(Table::Dataset, value, complaints, |key, name, value, complaints| {
            let field = key.map_or_else(|| option_name(name.get_ref()), |k| k.name.to_owned());
            match spec.set(key, &field, value) {
                Ok(()) => {
                    let text = value::scalar(value).unwrap_or_default();
                    complaints.stands((Part::Data, owner.to_owned(), field), text, telling(&name, value));
                }
                Err(refusal) => {
                    if field == "kind" {
                        // Its options cannot be checked.
                        spec.kind = NO_DATA.into();
                    }
                    complaints.add(place_of(&name, value), or_axis(refusal, &format!("dataset.{field}"), key, value));
                }
            }
        });
        known.datasets.push(((*name.get_ref()).to_owned(), spec));
    }
}
