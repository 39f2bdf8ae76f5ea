//! Variables of MySQL and MariaDB that are set by statements, and those that the server changes with them: a capacity raises the highest one, and a
//! character set brings its collation. These are put back too, after the ones that were set, and each set of values begins with the former ones.

use super::journal::{FormerValue, JournalText};
use super::{Present, ServerSettings, asking, mysql, set_all};
use std::collections::BTreeMap;
use tenbin_driver::{Class, Connection, Error};
use tenbin_model::stop::StopSignal;
use tenbin_model::trial::Apply;
use tenbin_model::variables;
use tenbin_words::message::Message;
use tenbin_words::msg;
use tenbin_words::problem::Problem;

/// Variables, and those that servers are known to change with them (manuals of MySQL 8.0, InnoDB Startup Options, Server System Variables; seen on
/// MariaDB 10.11). They are noted before anything is set, in case that the run is killed right after it. Others are found by what has changed.
const KNOWN: [(&str, &str); 11] = [
    ("innodb_io_capacity", "innodb_io_capacity_max"),
    ("innodb_io_capacity_max", "innodb_io_capacity"),
    ("innodb_max_dirty_pages_pct", "innodb_max_dirty_pages_pct_lwm"),
    ("character_set_server", "collation_server"),
    ("collation_server", "character_set_server"),
    ("character_set_database", "collation_database"),
    ("collation_database", "character_set_database"),
    ("character_set_connection", "collation_connection"),
    ("collation_connection", "character_set_connection"),
    ("read_only", "super_read_only"),
    ("super_read_only", "read_only"),
];

/// Those that are known to change with these variables, if the server has them.
pub(super) fn known<'p>(
    wanted: &BTreeMap<String, String>,
    present: &'p BTreeMap<String, Present>,
) -> impl Iterator<Item = (&'p String, &'p Present)> {
    let of_wanted = KNOWN.iter().filter(|(name, _)| wanted.contains_key(*name));
    of_wanted.filter_map(|(_, dependent)| present.get_key_value(*dependent)).collect::<Vec<_>>().into_iter()
}

/// Whether a variable may have had another value than the former one during the run.
pub(super) fn was_changed(text: &JournalText, name: &str) -> bool {
    let former = text.former.get(name).map(|former| &former.value);
    let Some(ours) = text.ours.get(name) else { return true };
    ours.is_given || ours.values.iter().any(|value| Some(value) != former)
}

impl ServerSettings {
    /// Sets these variables, and before that puts back those that were set and are `gone` now. Returns the server's warnings by variable.
    pub(super) fn set_by_statements(
        &self,
        wanted: &BTreeMap<String, String>,
        former: &BTreeMap<String, FormerValue>,
        gone: &BTreeMap<String, FormerValue>,
        persist: bool,
        stop: &StopSignal,
    ) -> Result<Vec<(String, String)>, Problem> {
        let text = self.journal.as_ref().and_then(|journal| journal.text.as_ref());
        let is_dependent = |name: &String| text.is_some_and(|text| text.is_dependent(name));
        let moves_one = |name: &String| KNOWN.iter().any(|(of, moved)| of == name && gone.contains_key(*moved));
        // What moves others begins with its former value too, or they would come from the values that were set before.
        let again = former.iter().filter(|(name, _)| wanted.contains_key(*name) && moves_one(name));
        let first: Values = values(gone.iter().filter(|(name, _)| !is_dependent(name)).chain(again));
        let then: Values = values(gone.iter().filter(|(name, _)| is_dependent(name)));
        let rehearsed: Values = values(former.iter().filter(|(name, _)| wanted.contains_key(*name)));
        let wanted: Values = wanted.clone().into_iter().collect();
        asking(&self.connector.until(stop), async |c| {
            if persist {
                for (name, former) in gone.iter().filter(|(name, _)| !is_dependent(name)) {
                    mysql::unstore(c, name, former).await?;
                }
            }
            for values in [&first, &then] {
                let refusals = set_where_other(c, values, stop).await?;
                refusals.into_iter().next().map_or(Ok(()), |refusal| Err(refusal.error()))?;
            }
            goes_back(c, &rehearsed).await?;
            set_all(c, &wanted, persist, stop).await
        })
    }

    /// Gives variables their former values: those that change with others at the end. One that is refused does not keep the others from it.
    pub(super) fn undo_by_statements(
        &self,
        text: &JournalText,
        former: &BTreeMap<String, FormerValue>,
        stop: &StopSignal,
    ) -> Result<(), Problem> {
        let persist = text.head.apply == Apply::Persist;
        let first: Values = values(former.iter().filter(|(name, _)| !text.is_dependent(name)));
        let then: Values = values(former.iter().filter(|(name, _)| text.is_dependent(name)));
        let refusals = asking(&self.connector, async |c| {
            let mut refusals = Vec::new();
            if persist {
                for (name, former) in former.iter().filter(|(name, _)| !text.is_dependent(name)) {
                    if let Err(error) = mysql::unstore(c, name, former).await {
                        refusals.push(RefusedVariable::of(name, former.stored.as_deref().unwrap_or("DEFAULT"), error)?);
                    }
                }
            }
            refusals.extend(set_where_other(c, &first, stop).await?);
            refusals.extend(set_where_other(c, &then, stop).await?);
            Ok(refusals)
        })?;
        if refusals.is_empty() {
            return Ok(());
        }
        Err(Problem::new(Message::joined(refusals.iter().map(RefusedVariable::message), "\n")))
    }

    /// Writes into the journal what has changed with the variables that were set since the server had the values `before`, and what such
    /// variables have now.
    pub(super) fn note_dependents(
        &mut self,
        wanted: &BTreeMap<String, String>,
        before: &BTreeMap<String, Present>,
    ) -> Result<(), Problem> {
        let Some(text) = self.journal.as_ref().and_then(|journal| journal.text.clone()) else { return Ok(()) };
        let (now, stored) = self.present_and_stored(&self.connector)?;
        let is_moved = |(name, then): &(&String, &Present)| {
            let is_other = now.get(*name).is_some_and(|now| now.value != then.value);
            let is_known = text.former.contains_key(*name) || variables::changes_by_itself(name);
            is_other && !is_known && !wanted.keys().any(|set| variables::are_one(set, name))
        };
        let mut moved: BTreeMap<String, FormerValue> = before
            .iter()
            .filter(is_moved)
            .map(|(name, then)| {
                let stored = stored.get(name).cloned();
                (name.clone(), FormerValue { value: then.value.clone(), stored })
            })
            .collect();
        if !moved.is_empty() {
            // What cannot be set comes back with the variables that were.
            let fixed: Vec<String> = asking(&self.connector, async |c| {
                let mut fixed = Vec::new();
                for name in moved.keys() {
                    if mysql::tried(c, name, false).await.is_some() {
                        fixed.push(name.clone());
                    }
                }
                Ok(fixed)
            })?;
            moved.retain(|name, _| !fixed.contains(name));
        }
        let known = text.former.keys().filter(|name| text.is_dependent(name));
        let shown: BTreeMap<String, String> =
            known.chain(moved.keys()).filter_map(|name| Some((name.clone(), now.get(name)?.value.clone()))).collect();
        if let Some(journal) = &mut self.journal {
            if !moved.is_empty() {
                journal.record(&text.head, moved)?;
            }
            journal.set(&shown, true)?;
        }
        Ok(())
    }
}

/// Variables and values in the order in which they are set.
type Values = Vec<(String, String)>;

fn values<'f>(former: impl Iterator<Item = (&'f String, &'f FormerValue)>) -> Values {
    former.map(|(name, former)| (name.clone(), former.value.clone())).collect()
}

/// A former value that the server does not take.
struct RefusedVariable {
    name: String,
    value: String,
    error: Error,
}

impl RefusedVariable {
    /// The error again if it is not one of this variable: the connection is lost.
    fn of(name: &str, value: &str, error: Error) -> Result<RefusedVariable, Error> {
        match error.class() {
            Class::Lost => Err(error),
            _ => Ok(RefusedVariable { name: name.to_owned(), value: value.to_owned(), error }),
        }
    }

    /// The statement and its error.
    fn message(&self) -> Message {
        msg!("setting-not-put-back", variable = self.name, value = self.value, error = self.error.what())
    }

    fn error(&self) -> Error {
        self.error.clone().retold(self.error.class(), self.message())
    }
}

/// Sets those of these variables that have another value, each by itself, and those once more that did not come: the limits of some are the
/// values of others. One that the server does not have any more has nothing to be put back. Returns what the server refuses.
async fn set_where_other(
    c: &mut Connection,
    values: &[(String, String)],
    stop: &StopSignal,
) -> Result<Vec<RefusedVariable>, Error> {
    let mut refusals = Vec::new();
    if values.is_empty() {
        return Ok(refusals);
    }
    for _ in 0..2 {
        refusals.clear();
        let present = mysql::present(c).await?;
        let is_other = |(name, value): &&(String, String)| present.get(name).is_some_and(|now| now.value != *value);
        let others: Vec<&(String, String)> = values.iter().filter(is_other).collect();
        if others.is_empty() {
            break;
        }
        for (name, value) in others {
            if let Err(error) = mysql::set_shown(c, name, value).await {
                refusals.push(RefusedVariable::of(name, value, error)?);
            }
        }
        mysql::wait(c, stop).await?;
    }
    Ok(refusals)
}

/// Makes sure, before they are changed, that the server takes back the values that these variables have now: it does not take all that it
/// shows. Those that have others already are left.
async fn goes_back(c: &mut Connection, former: &[(String, String)]) -> Result<(), Error> {
    let present = mysql::present(c).await?;
    for (name, value) in former.iter().filter(|(name, value)| present.get(name).is_some_and(|now| now.value == *value))
    {
        if let Err(error) = mysql::set_shown(c, name, value).await {
            let what = msg!("setting-would-not-go-back", variable = name, value, error = error.what());
            return Err(error.clone().retold(error.class(), what));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::settings::journal::head;

    fn map(pairs: &[(&str, &str)]) -> BTreeMap<String, String> {
        pairs.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect()
    }

    #[test]
    fn what_changes_with_a_variable_is_noted_before_it_is_set() {
        let present = ["innodb_io_capacity", "innodb_io_capacity_max", "collation_server"];
        let present: BTreeMap<String, Present> =
            present.map(|name| (name.to_owned(), Present::of("1".to_owned()))).into();
        let known = |set: &str| known(&map(&[(set, "2")]), &present).map(|(name, _)| name.as_str()).collect::<Vec<_>>();
        assert_eq!(known("innodb_io_capacity"), ["innodb_io_capacity_max"]);
        assert_eq!(known("character_set_server"), ["collation_server"]);
        assert!(known("read_only").is_empty() && known("sync_binlog").is_empty());
    }

    #[test]
    fn what_the_run_was_given_is_told_from_what_changed_with_it() {
        let mut text = JournalText::of(head("s", "mysql://u@h:1", "run x", &Apply::SetGlobal));
        let former = |value: &str| FormerValue { value: value.into(), stored: None };
        text.former.insert("innodb_io_capacity".into(), former("200"));
        text.former.insert("innodb_io_capacity_max".into(), former("2000"));
        assert!(!text.is_dependent("innodb_io_capacity_max"), "one of an earlier version does not say");
        text.take_set("innodb_io_capacity".into(), "5000".into(), false);
        assert!(text.is_dependent("innodb_io_capacity_max") && was_changed(&text, "innodb_io_capacity_max"));
        text.take_set("innodb_io_capacity".into(), "5000".into(), true);
        text.take_set("innodb_io_capacity_max".into(), "2000".into(), true);
        assert!(!text.is_dependent("innodb_io_capacity") && was_changed(&text, "innodb_io_capacity"));
        assert!(!was_changed(&text, "innodb_io_capacity_max"), "it kept its value");
    }
}
