//! What somebody else has set since a run set its variables: compared with what was set before anything is put back, and left.

use super::journal::JournalText;
use super::{
    Present, ServerSettings, asking, is_value, mysql, parameter_group, postgres, restart, set_all, waiting_for_start,
};
use std::collections::{BTreeMap, BTreeSet};
use tenbin_model::event::Severity;
use tenbin_model::stop::StopSignal;
use tenbin_model::trial::Apply;
use tenbin_words::message::{Message, foreign};
use tenbin_words::msg;
use tenbin_words::problem::Problem;

/// Variables that were left as somebody else has set them, with their values, and what else the user should know.
pub(super) type Left = (BTreeMap<String, String>, Vec<(Severity, Problem)>);

/// The lines that an option file may have from a run.
pub(super) fn option_lines(text: &JournalText) -> BTreeSet<String> {
    let of = |(name, ours): (&String, &super::journal::OurValues)| {
        ours.values.iter().map(|value| restart::option_line(name, value)).collect::<Vec<_>>()
    };
    text.ours.iter().flat_map(of).collect()
}

impl ServerSettings {
    /// Puts back what was set by statements or in a parameter group, but for what somebody else has changed.
    pub(super) fn undo_others_left(&self, text: &JournalText, stop: &StopSignal) -> Result<Left, Problem> {
        let others = self.changed_by_others(text)?;
        let mut former = text.former.clone();
        former.retain(|name, _| !others.contains_key(name));
        if !former.is_empty() {
            self.undo(&text.head, &former, stop)?;
        }
        let values = former.iter().map(|(name, former)| (name.clone(), former.value.clone())).collect();
        self.compared(&values, &former, &[])?;
        Ok((others, Vec::new()))
    }

    /// Takes the lines of the run out of its option file, restarts the server, and compares. What somebody else has set in the
    /// running server is set again, since the restart would lose it.
    pub(super) fn undo_by_file(
        &self,
        text: &JournalText,
        file: &str,
        restart: &str,
        stop: &StopSignal,
    ) -> Result<Left, Problem> {
        let running = self.present(&self.connector).unwrap_or_default();
        let theirs = |present: &BTreeMap<String, Present>| -> BTreeMap<String, String> {
            let is_theirs =
                |name: &&String| present.get(*name).is_some_and(|now| self.is_set_by_others(text, name, now));
            text.former.keys().filter(is_theirs).map(|name| (name.clone(), present[name].value.clone())).collect()
        };
        let set_meanwhile = theirs(&running);
        let kept = restart::take_back(file, &option_lines(text))?;
        if let Apply::Restart { may_change_others: false, .. } = &text.head.apply {
            let ours = text.former.keys().cloned().collect();
            waiting_for_start::nothing_of_others(&self.connector, &ours, Some(file))?;
        }
        let (command, server) = ((restart, text.head.directory.as_deref()), text.head.server.clone());
        restart::restart(command, &self.connector, &super::Identity(server), stop)?;
        let after = self.present(&self.connector)?;
        let lost = |(name, value): &(String, String)| after.get(name).is_some_and(|now| now.value != *value);
        let lost: Vec<(String, String)> = set_meanwhile.into_iter().filter(lost).collect();
        if !lost.is_empty() {
            // One that cannot be set in a running server was not.
            let _ = asking(&self.connector, async |c| set_all(c, &lost, false, stop).await);
        }
        let mut others = theirs(&self.present(&self.connector)?);
        let mut ours = text.former.clone();
        ours.retain(|name, _| !others.contains_key(name));
        if let Some(lines) = &kept {
            // Lines that are not the run's may name its variables, with its values too.
            let present = self.present(&self.connector)?;
            let named = |name: &String| lines.iter().any(|line| restart::names(line, name));
            for name in text.former.keys().filter(|name| named(name)) {
                ours.remove(name);
                others.insert(name.clone(), present.get(name).map(|now| now.value.clone()).unwrap_or_default());
            }
        }
        let values = ours.iter().map(|(name, former)| (name.clone(), former.value.clone())).collect();
        self.compared(&values, &ours, &[])?;
        let told = kept.map(|lines| {
            let lines = Message::joined(lines.iter().take(MOST_LINES).map(foreign), "\n");
            (Severity::Warning, Problem::new(msg!("option-file-has-other-lines", file)).evidence(lines))
        });
        Ok((others, told.into_iter().collect()))
    }

    /// Whether a variable has neither its former value nor one that was set for the run.
    fn is_set_by_others(&self, text: &JournalText, name: &str, now: &Present) -> bool {
        let postgres = self.connector.dsn().scheme.kind().has_units;
        let Some(ours) = text.ours.get(name) else { return false };
        let known = text.former.get(name).map(|former| &former.value).into_iter().chain(&ours.values);
        ours.settled && !known.into_iter().any(|value| is_value(value, now, postgres))
    }

    /// Variables that have neither their former value nor one that was set for the run, with their present values: somebody else
    /// has set them since, and they are left alone.
    pub(super) fn changed_by_others(&self, text: &JournalText) -> Result<BTreeMap<String, String>, Problem> {
        let postgres = self.connector.dsn().scheme.kind().has_units;
        let by_statement = match &text.head.apply {
            Apply::SetGlobal | Apply::Persist | Apply::AlterSystem | Apply::Restart { file: None, .. } => true,
            Apply::ParameterGroup(access) => {
                let at = text.head.managed.as_ref();
                return at.map_or(Ok(BTreeMap::new()), |at| parameter_group::changed_by_others(access, at, text));
            }
            Apply::Restart { file: Some(_), .. } => false,
        };
        if !by_statement || text.ours.is_empty() {
            return Ok(BTreeMap::new());
        }
        let read = asking(&self.connector, async |c| {
            Ok(match postgres {
                true => (postgres::present(c).await?, postgres::stored(c).await?),
                false => (mysql::present(c).await?, mysql::stored(c).await),
            })
        });
        let (present, stored) = match (read, &text.head.apply) {
            (Ok(read), _) => read,
            // It may not start with what was set.
            (Err(_), Apply::Restart { .. }) => return Ok(BTreeMap::new()),
            (Err(problem), _) => return Err(problem),
        };
        let is_stored = text.head.apply != Apply::SetGlobal;
        let mut others = BTreeMap::new();
        for (name, former) in &text.former {
            let Some(ours) = text.ours.get(name).filter(|ours| ours.settled) else { continue };
            let now = present.get(name).cloned().unwrap_or_default();
            let known = |now: &Present| ours.values.iter().any(|value| is_value(value, now, postgres));
            let in_force = is_value(&former.value, &now, postgres) || known(&now);
            let kept = stored.get(name);
            let as_shown = |value: &String| Present { value: value.clone(), ..now.clone() };
            let kept_is_known = kept == former.stored.as_ref()
                || kept.is_some_and(|kept| ours.values.contains(kept) || known(&as_shown(kept)));
            if !in_force {
                others.insert(name.clone(), now.value);
            } else if is_stored && !kept_is_known {
                others.insert(name.clone(), kept.cloned().unwrap_or(now.value));
            }
        }
        Ok(others)
    }
}

/// The most lines of an option file that are shown.
const MOST_LINES: usize = 8;
