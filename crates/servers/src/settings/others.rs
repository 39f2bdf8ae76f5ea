//! What somebody else has set since a run set its variables: compared with what was set before anything is put back, and left.

use super::journal::{FormerValue, JournalText};
use super::{
    Notes, Present, ServerSettings, asking, parameter_group, postgres, restart, set_all, waiting_for_start, with_unit,
};
use std::collections::{BTreeMap, BTreeSet};
use tenbin_model::event::Severity;
use tenbin_model::stop::StopSignal;
use tenbin_model::trial::Apply;
use tenbin_model::variables;
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
            self.undo(text, &former, stop)?;
        }
        let present = self.present(&self.connector)?;
        let (there, gone): (BTreeMap<_, _>, BTreeMap<_, _>) =
            former.into_iter().partition(|(name, _)| present.contains_key(name));
        let values = there.iter().map(|(name, former)| (name.clone(), former.value.clone())).collect();
        self.compared(&values, &there, &[])?;
        let note = |variable: &String| (Severity::Warning, Problem::new(msg!("server-has-no-variable", variable)));
        Ok((others, gone.keys().map(note).collect()))
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
        let command = (restart, text.head.directory.as_deref());
        restart::restart(command, &self.connector, &text.head.server, stop)?;
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
        let warning = kept.map(|lines| {
            let lines = Message::joined(lines.iter().take(MOST_LINES).map(foreign), "\n");
            (Severity::Warning, Problem::new(msg!("option-file-has-other-lines", file)).evidence(lines))
        });
        Ok((others, warning.into_iter().collect()))
    }

    /// What somebody else has set since is put back at the end, and not what was there before. Returns what the user should know.
    pub(super) fn keep_for_end(&mut self, wanted: &BTreeMap<String, String>) -> Result<Notes, Problem> {
        let Some(text) = self.journal.as_ref().and_then(|journal| journal.text.clone()) else {
            return Ok(Notes::new());
        };
        // The next start, or the group, has what it had; a value of the running server is not put into it.
        if let Apply::Restart { file: Some(_), .. } | Apply::ParameterGroup(_) = &text.head.apply {
            return Ok(Notes::new());
        }
        let mut others = self.changed_by_others(&text)?;
        others.retain(|name, _| wanted.contains_key(name));
        if others.is_empty() {
            return Ok(Notes::new());
        }
        let (present, stored) = self.present_and_stored(&self.connector)?;
        let (mut theirs, mut notes) = (BTreeMap::new(), Notes::new());
        for (name, theirs_now) in &others {
            let (Some(now), Some(former)) = (present.get(name), text.former.get(name)) else { continue };
            let is_ours = |kept: &String| {
                let now = Present { value: kept.clone(), ..now.clone() };
                !self.is_set_by_others(&text, name, &now) && former.stored.as_ref() != Some(kept)
            };
            let stored = match stored.get(name) {
                Some(kept) if is_ours(kept) => former.stored.clone(),
                kept => kept.cloned(),
            };
            // One that is only stored is not in force yet.
            let value = match self.is_set_by_others(&text, name, now) {
                true => {
                    let ours = self.came.get(name).map_or("", |came| came.value.as_str());
                    variables::without_ours(&with_unit(now), ours, &former.value)
                }
                false if self.has_units() => stored.clone().unwrap_or_else(|| former.value.clone()),
                false => former.value.clone(),
            };
            let shown = if self.is_set_by_others(&text, name, now) { &value } else { theirs_now };
            let what =
                msg!("setting-of-somebody-else-kept", variable = name, value = shown, dsn = self.connector.dsn());
            let was = msg!("setting-was", variable = name, value = former.value);
            notes.push((Severity::Warning, Problem::new(what).evidence(was)));
            theirs.insert(name.clone(), FormerValue { value, stored });
        }
        self.journal.as_mut().map_or(Ok(()), |journal| journal.record(&text.head, theirs))?;
        Ok(notes)
    }

    /// Whether a variable has neither its former value nor one that was set for the run.
    fn is_set_by_others(&self, text: &JournalText, name: &str, now: &Present) -> bool {
        let postgres = self.connector.dsn().scheme.kind().has_units;
        let Some(ours) = text.ours.get(name) else { return false };
        let known = text.former.get(name).map(|former| &former.value).into_iter().chain(&ours.values);
        ours.settled && !known.into_iter().any(|value| is_whole(name, value, now, postgres))
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
        let (present, stored) = match (self.present_and_stored(&self.connector), &text.head.apply) {
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
            let known = |now: &Present| ours.values.iter().any(|value| is_whole(name, value, now, postgres));
            let in_force = is_whole(name, &former.value, &now, postgres) || known(&now);
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

/// Whether a value is the whole present one.
fn is_whole(name: &str, value: &str, now: &Present, postgres: bool) -> bool {
    if postgres { postgres::same(name, value, now) } else { variables::is_whole(value, &now.value) }
}

/// The most lines of an option file that are shown.
const MOST_LINES: usize = 8;
