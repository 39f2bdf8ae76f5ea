//! Variables of existing servers: set for a run, read back, and put back at its end.
//!
//! [`ServerSettings`] is one server in one run. Former values are in its [`journal`] before anything is changed, so that
//! a run that is killed leaves a note of them; [`ServerSettings::open`] and [`restore`] finish what it left. [`check()`]
//! finds beforehand what a server would refuse.

mod check;
mod dependents;
mod identity;
pub mod journal;
mod mysql;
mod others;
mod parameter_group;
mod postgres;
mod restart;
mod server;
mod sessions;
mod waiting;
mod waiting_for_start;

pub use check::check;
pub use identity::{Identity, identity, left_of};
pub(crate) use server::is_value;
pub use sessions::set_at_connect;

use crate::claim::SchemaClaim;
use crate::rights::Rights;
use crate::{disk, in_use, lasting};
use journal::{FormerValue, Journal, JournalHead, JournalText};
use others::option_lines;
use parameter_group::ParameterGroup;
use server::{asking, of_sessions, with_unit};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::time::{Duration, Instant};
use tenbin_driver::{Connection, Connector, Error};
use tenbin_model::event::Severity;
use tenbin_model::stop::StopSignal;
use tenbin_model::trial::Apply;
use tenbin_model::variables;
use tenbin_words::message::{Message, foreign};
use tenbin_words::msg;
use tenbin_words::problem::Problem;
use tenbin_words::secret;

/// A variable as the server has it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Present {
    /// Its value.
    pub value: String,
    /// The unit of the value (PostgreSQL).
    pub unit: String,
    /// When it can be changed (PostgreSQL).
    pub context: String,
    /// Where the value comes from (PostgreSQL).
    pub source: String,
    /// Whether the value is a list of names (PostgreSQL).
    pub is_list: bool,
}

impl Present {
    pub(crate) fn of(value: String) -> Present {
        Present { value, ..Present::default() }
    }
}

/// Who changes variables, for the journal.
#[derive(Debug, Clone, Default)]
pub struct Origin {
    /// The run, its process and its start, in one line.
    pub run: String,
    /// The environment variable that holds the password.
    pub password_env: Option<String>,
    /// The file that holds the password.
    pub password_file: Option<String>,
}

/// What changing variables came to.
#[derive(Debug, Clone, Default)]
pub struct SettingsChange {
    /// Whether anything is different now.
    pub changed: bool,
    /// What the user should know.
    pub notes: Vec<(Severity, Problem)>,
}

/// What the user should know.
type Notes = Vec<(Severity, Problem)>;

/// The values in force, and the texts of those that are stored for the next start.
type PresentAndStored = (BTreeMap<String, Present>, BTreeMap<String, String>);

/// The former values of all variables that a run sets, and the values in force.
type FormerAndPresent = (BTreeMap<String, FormerValue>, BTreeMap<String, Present>);

/// How long a server may take to answer; changes that it makes in the background have their own limits.
const PATIENCE: Duration = Duration::from_secs(1800);
/// How long a reload of PostgreSQL's configuration may take, and how often it is looked for.
const RELOAD: Duration = Duration::from_secs(10);
const LOOK: Duration = Duration::from_millis(20);

/// The variables of one server in one run.
#[derive(Debug)]
pub struct ServerSettings {
    connector: Connector,
    origin: Origin,
    /// Locked as soon as something is changed.
    journal: Option<Journal>,
    /// The same for other accounts and machines: a lock on the server itself.
    lock: Option<SchemaClaim>,
    /// What was set, by canonical name.
    in_force: BTreeMap<String, String>,
    /// The values that the server then had: it may have adjusted some.
    came: BTreeMap<String, Present>,
}

/// Puts back what an interrupted run has left changed, for `tenbin restore-settings`. `connector` must be that of the
/// server of this journal.
pub fn restore(connector: &Connector, text: &JournalText, path: &Path) -> Result<SettingsChange, Problem> {
    // A managed server is the instance of that name: its host may be another one since.
    if text.head.managed.is_none() {
        let server = identity(connector)?;
        if !server.has(text, connector.dsn()) {
            return Err(match server.may_be(&text.head.server) {
                true => identity::left_elsewhere(path, text),
                false => journal::unusable(path, msg!("journal-of-other-server", server = text.head.server)),
            });
        }
    }
    let mut settings = ServerSettings {
        connector: connector.clone(),
        origin: Origin::default(),
        journal: None,
        lock: None,
        in_force: BTreeMap::new(),
        came: BTreeMap::new(),
    };
    settings.lock(&text.head.server)?;
    settings.put_back()
}

/// Fails if a start of the server would put in force what others have written for it. Blocks the calling thread.
pub fn nothing_waits_for_start(connector: &Connector) -> Result<(), Problem> {
    waiting_for_start::nothing_of_others(connector, &BTreeSet::new(), None)
}

impl ServerSettings {
    /// A server of a run. What an interrupted run has left changed on it is put back. Fails if another run is changing
    /// its variables.
    pub fn open(connector: &Connector, origin: Origin) -> Result<(ServerSettings, SettingsChange), Problem> {
        let (journal, lock, in_force, came) = (None, None, BTreeMap::new(), BTreeMap::new());
        let mut settings =
            ServerSettings { connector: connector.despite_stop(), origin, journal, lock, in_force, came };
        if journal::list().is_empty() {
            return Ok((settings, SettingsChange::default()));
        }
        let server = identity(connector)?;
        identity::nothing_left_elsewhere(&server)?;
        if !journal::exists(&server.text) {
            return Ok((settings, SettingsChange::default()));
        }
        settings.lock(&server.text)?;
        let text = settings.journal.as_ref().and_then(|journal| journal.text.as_ref());
        let Some(head) = text.map(|text| text.head.clone()) else {
            settings.unlock();
            return Ok((settings, SettingsChange::default()));
        };
        let mut change = settings.put_back()?;
        let what = Problem::new(msg!("interrupted-run-left-settings", dsn = connector.dsn()));
        change.notes.insert(0, (Severity::Warning, what.evidence(foreign(head.run))));
        Ok((settings, change))
    }

    /// Sets these variables, and puts back those that were set and are not among them. If that fails, all are put back.
    /// What was set before is looked at: if the server was started again, or somebody else has changed it, it is set again.
    pub fn bring(
        &mut self,
        wanted: &BTreeMap<String, String>,
        apply: &Apply,
        stop: &StopSignal,
    ) -> Result<SettingsChange, Problem> {
        let wanted: BTreeMap<String, String> =
            wanted.iter().map(|(name, value)| (variables::canonical_name(name), value.clone())).collect();
        let other = self.journal.as_ref().and_then(|j| j.text.as_ref()).is_some_and(|text| text.head.apply != *apply);
        // One that could not be had is tried again.
        let holds = self.lock.is_some() || self.journal.as_ref().is_some_and(|journal| journal.text.is_some());
        if holds && let Err(taken) = self.hold() {
            return Err(self.given_up(taken));
        }
        let lost = if wanted.is_empty() { None } else { self.lost(stop)? };
        if wanted == self.in_force && !other && lost.is_none() {
            return Ok(SettingsChange::default());
        }
        if wanted.is_empty() || other {
            let back = self.put_back()?;
            if wanted.is_empty() {
                return Ok(back);
            }
        }
        // Also what they have only stored for the next start.
        match self.keep_for_end(&wanted).and_then(|kept| Ok((kept, self.change(&wanted, apply, stop)?))) {
            Ok((kept, mut notes)) => {
                self.in_force = wanted;
                notes.splice(0..0, lost.map(|problem| (Severity::Warning, problem)).into_iter().chain(kept));
                Ok(SettingsChange { changed: true, notes })
            }
            Err(problem) => Err(self.given_up(problem)),
        }
    }

    /// Puts everything back because of a problem, and adds to it what is not put back.
    fn given_up(&mut self, problem: Problem) -> Problem {
        match self.put_back() {
            Ok(_) => problem,
            Err(back) => {
                let evidence = [back.what].into_iter().chain(back.evidence);
                problem.and_then(Message::joined(evidence, "\n"), msg!("finish-with-restore-settings"))
            }
        }
    }

    /// The server was started again: variables that were only set in the running server have their former values.
    /// `stored`: its data directory may have been replaced, so those that it stores there may have former values too.
    pub fn restarted(&mut self, stored: bool) {
        let applied = self.journal.as_ref().and_then(|journal| journal.text.as_ref()).map(|text| &text.head.apply);
        let lost = match applied {
            Some(Apply::SetGlobal) => true,
            Some(Apply::Persist | Apply::AlterSystem | Apply::Restart { file: None, .. }) => stored,
            Some(Apply::Restart { file: Some(_), .. } | Apply::ParameterGroup(_)) | None => false,
        };
        if lost {
            self.in_force.clear();
        }
    }

    /// Puts everything back. If that fails, the journal remains.
    pub fn put_back(&mut self) -> Result<SettingsChange, Problem> {
        self.in_force.clear();
        let Some(text) = self.journal.as_ref().and_then(|journal| journal.text.clone()) else {
            self.unlock();
            return Ok(SettingsChange::default());
        };
        if let Err(taken) = self.hold() {
            // What that run sets and puts back is what was set here: it is put back after it.
            let evidence = [taken.what].into_iter().chain(taken.evidence);
            let what = msg!("settings-not-put-back", dsn = self.connector.dsn());
            let problem = Problem::new(what).evidence(Message::joined(evidence, "\n"));
            return Err(problem.hint(msg!("finish-with-restore-settings")));
        }
        let stop = StopSignal::new();
        let undone = match &text.head.apply {
            Apply::Restart { file: Some(file), restart, .. } => self.undo_by_file(&text, file, restart, &stop),
            _ => self.undo_others_left(&text, &stop),
        };
        let (foreign_values, mut kept) = undone.map_err(|problem| {
            let what = msg!("settings-not-put-back", dsn = self.connector.dsn());
            // What is stored is right: that reload, or that restart, puts it in force too.
            let waits = ["settings-wait-for-reload", "settings-wait-for-restart"];
            let reload = problem.hint.filter(|_| waits.iter().any(|code| problem.what.is(code)));
            let evidence = [problem.what].into_iter().chain(problem.evidence);
            let hint = reload.unwrap_or_else(|| msg!("finish-with-restore-settings"));
            Problem::new(what).evidence(Message::joined(evidence, "\n")).hint(hint)
        })?;
        let is_put_back = |name: &String| !foreign_values.contains_key(name) && dependents::was_changed(&text, name);
        let ours = text.former.iter().filter(|(name, _)| is_put_back(name));
        let values: BTreeMap<String, String> =
            ours.map(|(name, former)| (name.clone(), former.value.clone())).collect();
        if let Some(journal) = self.journal.take() {
            journal.finish()?;
        }
        self.unlock();
        let mut notes = Vec::new();
        if !values.is_empty() {
            let what = msg!("settings-put-back", variables = listed(&values));
            notes.push((Severity::Info, Problem::new(what).evidence(foreign(self.connector.dsn()))));
        }
        for (name, now) in foreign_values {
            let was = text.former.get(&name).map(|former| former.value.clone()).unwrap_or_default();
            let what = msg!("setting-of-somebody-else", variable = name, value = now, dsn = self.connector.dsn());
            notes.push((
                Severity::Warning,
                Problem::new(what).evidence(msg!("setting-was", variable = name, value = was)),
            ));
        }
        notes.append(&mut kept);
        Ok(SettingsChange { changed: true, notes })
    }

    fn change(
        &mut self,
        wanted: &BTreeMap<String, String>,
        apply: &Apply,
        stop: &StopSignal,
    ) -> Result<Vec<(Severity, Problem)>, Problem> {
        let connector = self.connector.until(stop);
        let server = identity(&connector)?;
        let mut unlocked = self.lock(&server.text)?;
        let mut group = match apply {
            Apply::ParameterGroup(access) => {
                let ours = self.journal.as_ref().is_some_and(|journal| journal.text.is_some());
                Some(ParameterGroup::find(access, ours, stop)?)
            }
            _ => None,
        };
        if *apply == Apply::AlterSystem {
            let ours = self.journal.as_ref().and_then(|journal| journal.text.as_ref()).map(|text| text.former.clone());
            waiting::nothing_of_others(&connector, &ours.unwrap_or_default())?;
        }
        if let Apply::Restart { file, may_change_others: false, .. } = apply {
            waiting_for_start::nothing_of_others(&connector, &self.names(wanted.keys()), file.as_deref())?;
        }
        let (former, before) = self.record(wanted, apply, &server, &connector, group.as_ref())?;
        let mut gone = former.clone();
        gone.retain(|name, _| !wanted.contains_key(name));
        if let Some(text) = self.journal.as_ref().and_then(|journal| journal.text.as_ref()).filter(|_| !gone.is_empty())
        {
            let others = self.changed_by_others(text)?;
            gone.retain(|name, _| !others.contains_key(name));
        }
        let written_before = self.journal.as_ref().and_then(|journal| journal.text.as_ref()).map(option_lines);
        let written_before = written_before.unwrap_or_default();
        self.note_set(wanted, false)?;
        let (since, mut done) = (Instant::now(), Vec::new());
        let warnings = match apply {
            Apply::SetGlobal | Apply::Persist => {
                let persist = *apply == Apply::Persist;
                let outcome = self.set_by_statements(wanted, &former, &gone, persist, stop);
                let noted = self.note_dependents(wanted, &before);
                let warnings = outcome?;
                noted?;
                warnings
            }
            Apply::AlterSystem => {
                store(&connector, wanted, &gone)?;
                reload(&connector, wanted)?;
                Vec::new()
            }
            Apply::Restart { file, restart, .. } => {
                match file {
                    Some(file) => restart::write_file(file, wanted, &written_before)?,
                    None => store(&connector, wanted, &gone)?,
                }
                restart::restart((restart, None), &self.connector, &server.text, stop)?;
                Vec::new()
            }
            Apply::ParameterGroup(_) => {
                if let Some(group) = &mut group {
                    done = group.bring(&connector, wanted, &gone, stop)?;
                }
                Vec::new()
            }
        };
        if matches!(apply, Apply::Restart { .. } | Apply::ParameterGroup(_)) {
            unlocked = self.hold()?;
        }
        let (mut notes, came) = self.compared_in(wanted, &former, &warnings)?;
        self.came = came;
        self.note_set(&self.shown(wanted)?, true)?;
        if let Some(why) = unlocked {
            let what = msg!("settings-not-locked", dsn = self.connector.dsn());
            notes.push((Severity::Warning, Problem::new(what).evidence(why)));
        }
        let seconds = format!("{:.1}", since.elapsed().as_secs_f64());
        let what = msg!("settings-are-set", variables = listed(wanted), seconds);
        let text = self.journal.as_ref().and_then(|journal| journal.text.as_ref());
        let is_given = |name: &String| !text.is_some_and(|text| text.is_dependent(name));
        let given = former.iter().filter(|(name, _)| is_given(name));
        let before = given.map(|(name, former)| (name.clone(), former.value.clone())).collect();
        let note = Problem::new(what).evidence(msg!("settings-before", variables = listed(&before)));
        notes.splice(0..0, [(Severity::Info, note)].into_iter().chain(done));
        Ok(notes)
    }

    /// The variables that the run has set so far, and these.
    fn names<'n>(&self, more: impl Iterator<Item = &'n String>) -> BTreeSet<String> {
        let text = self.journal.as_ref().and_then(|journal| journal.text.as_ref());
        text.into_iter().flat_map(|text| text.former.keys()).cloned().chain(more.cloned()).collect()
    }

    fn note_set(&mut self, values: &BTreeMap<String, String>, shown: bool) -> Result<(), Problem> {
        self.journal.as_mut().map_or(Ok(()), |journal| journal.set(values, shown))
    }

    /// Writes the former values of variables that were not changed before into the journal, and of those that are known to change with them. Returns all
    /// former values, and what the server has now.
    fn record(
        &mut self,
        wanted: &BTreeMap<String, String>,
        apply: &Apply,
        server: &Identity,
        connector: &Connector,
        group: Option<&ParameterGroup<'_>>,
    ) -> Result<FormerAndPresent, Problem> {
        let (present, stored) = self.present_and_stored(connector)?;
        let stored = group.map_or(stored, ParameterGroup::stored);
        let Some(journal) = &mut self.journal else { return Ok((BTreeMap::new(), present)) };
        let mut known = journal.text.as_ref().map(|text| text.former.clone()).unwrap_or_default();
        let mut fresh = BTreeMap::new();
        for name in wanted.keys().filter(|name| !known.contains_key(*name)) {
            let Some(now) = present.get(name) else {
                return Err(Problem::new(msg!("server-has-no-variable", variable = name)));
            };
            fresh.insert(name.clone(), FormerValue { value: with_unit(now), stored: stored.get(name).cloned() });
        }
        if matches!(apply, Apply::SetGlobal | Apply::Persist) {
            for (name, now) in dependents::known(wanted, &present).filter(|(name, _)| !known.contains_key(*name)) {
                let stored = stored.get(name).cloned();
                fresh.entry(name.clone()).or_insert(FormerValue { value: now.value.clone(), stored });
            }
        }
        // Not as the server says, but as its process shows: a file there may be written when it does not start.
        let is_first = journal.text.is_none() && connector.dsn().scheme.kind().has_data_directory_files;
        let directory = is_first.then(|| disk::data_directory_here(connector).ok()).flatten();
        let head = JournalHead {
            data_directory: directory.map(|directory| directory.display().to_string()),
            directory: matches!(apply, Apply::Restart { .. }).then(|| lasting::path(".")),
            password_env: self.origin.password_env.clone(),
            password_file: self.origin.password_file.as_deref().map(lasting::path),
            managed: group.map(|group| group.at.clone()),
            place: server.place.clone(),
            ..journal::head(&server.text, &lasting::address(connector.dsn()), &self.origin.run, apply)
        };
        journal.record(&head, fresh.clone())?;
        known.extend(fresh);
        Ok((known, present))
    }

    /// Gives the variables their former values, whatever they have now.
    fn undo(
        &self,
        text: &JournalText,
        former: &BTreeMap<String, FormerValue>,
        stop: &StopSignal,
    ) -> Result<(), Problem> {
        let (connector, head) = (&self.connector, &text.head);
        match &head.apply {
            Apply::SetGlobal | Apply::Persist => self.undo_by_statements(text, former, stop),
            Apply::AlterSystem => {
                let stored = store(connector, &BTreeMap::new(), former);
                let waits = waiting::nothing_of_others(connector, former);
                if stored.is_err() && waits.is_ok() {
                    // The others come back.
                    let _ = asking(connector, postgres::reload);
                }
                stored.and(waits)?;
                let values = former.iter().map(|(name, former)| (name.clone(), former.value.clone())).collect();
                reload(connector, &values)
            }
            Apply::Restart { restart, may_change_others, .. } => {
                store(connector, &BTreeMap::new(), former).or_else(|problem| offline(head, former, problem))?;
                if !may_change_others {
                    waiting_for_start::nothing_of_others(connector, &former.keys().cloned().collect(), None)?;
                }
                let command = (restart.as_str(), head.directory.as_deref());
                restart::restart(command, connector, &head.server, stop)
            }
            Apply::ParameterGroup(access) => {
                let at = head.managed.as_ref();
                at.map_or(Ok(()), |at| parameter_group::undo(access, at, former, connector))
            }
        }
    }
}

impl Drop for ServerSettings {
    /// On a panic, and on ways out that have not put anything back; then there is no way to report it.
    fn drop(&mut self) {
        let _ = self.put_back();
    }
}

/// What others have given a variable, for readers: no secret.
fn shown(name: &str, value: &str) -> String {
    format!("{name} = {}", if secret::is_held(name, value) { "…" } else { value })
}

/// The same with the value in force.
fn shown_with(name: &str, value: &str, now: &str) -> String {
    let text = shown(name, value);
    if [value, now].into_iter().any(|value| secret::is_held(name, value)) { text } else { format!("{text} ({now})") }
}

fn listed(values: &BTreeMap<String, String>) -> String {
    values.iter().map(|(name, value)| format!("{name} = {value}")).collect::<Vec<_>>().join(", ")
}

/// Sets variables of MySQL and waits for their effect; then those once more that did not come, because the limits of
/// some are the values of others. Returns the server's warnings by variable.
async fn set_all(
    c: &mut Connection,
    values: &[(String, String)],
    persist: bool,
    stop: &StopSignal,
) -> Result<Vec<(String, String)>, Error> {
    let mut warnings = Vec::new();
    for again in [false, true] {
        let present = if again { mysql::present(c).await? } else { BTreeMap::new() };
        for (name, value) in values {
            if again && present.get(name).is_none_or(|now| variables::has_value(name, value, &now.value)) {
                continue;
            }
            let answer = mysql::set(c, name, value, persist).await;
            let answer = answer
                .map_err(|e| e.clone().retold(e.class(), msg!("setting-refused", variable = name, error = e.what())))?;
            warnings.retain(|(of, _)| of != name);
            warnings.extend(answer.map(|warning| (name.clone(), warning)));
        }
        mysql::wait(c, stop).await?;
    }
    Ok(warnings)
}

/// Stores settings of PostgreSQL, and puts back those that are gone: one that is refused does not keep the others from it.
fn store(
    connector: &Connector,
    wanted: &BTreeMap<String, String>,
    gone: &BTreeMap<String, FormerValue>,
) -> Result<(), Problem> {
    asking(connector, async |c| {
        let refusal = |name: &String, e: Error| {
            e.clone().retold(e.class(), msg!("setting-refused", variable = name, error = e.what()))
        };
        let mut unset = Ok(());
        for (name, former) in gone {
            let outcome = postgres::unset(c, name, former).await.map_err(|e| refusal(name, e));
            unset = unset.and(outcome);
        }
        unset?;
        for (name, value) in wanted {
            postgres::set(c, name, value).await.map_err(|e| refusal(name, e))?;
        }
        Ok(())
    })
}

/// Makes PostgreSQL read what is stored, and waits until it has these values or does not take them.
fn reload(connector: &Connector, wanted: &BTreeMap<String, String>) -> Result<(), Problem> {
    asking(connector, postgres::reload)?;
    let since = Instant::now();
    loop {
        // A connection keeps some of its settings: a new one each time.
        let present = of_sessions(connector)?;
        let there =
            |(name, value): (&String, &String)| present.get(name).is_some_and(|now| postgres::same(name, value, now));
        if wanted.iter().all(there) || since.elapsed() > RELOAD {
            return Ok(());
        }
        std::thread::sleep(LOOK);
    }
}

/// Puts back the file of stored values of a PostgreSQL that is down, if it is on this machine.
fn offline(head: &JournalHead, former: &BTreeMap<String, FormerValue>, down: Problem) -> Result<(), Problem> {
    let Some(directory) = &head.data_directory else { return Err(down) };
    let file = postgres::stored_file(directory);
    let cannot = |e| Problem::new(msg!("file-cannot-be-written", file = file.display())).evidence(foreign(e));
    let owner = Rights::of_owner(Path::new(directory))?;
    if let Some(user) = in_use::user_of(Path::new(directory)) {
        return Err(down.evidence(user.told(Path::new(directory))));
    }
    let text = owner.within(|| postgres::stored_file_text(&file)).map_err(|_| down)?;
    // With the rights of the server, so that it remains the server's.
    let fresh = postgres::stored_text(&text, former);
    owner.within(|| postgres::write_stored_file(&file, &fresh)).map_err(cannot)
}
