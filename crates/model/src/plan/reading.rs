//! A plan while it is read: as far as it can be understood, with the mistakes found so far.
//!
//! The options of workloads are not known in this crate. The code that knows them examines the [`Reading::trials`] of a
//! plan, which may have other mistakes, and adds its findings, so that one pass reports everything.

use super::instead::instead;
use super::keys::{Key, Table};
use super::scale::PlanScale;
use super::source::{Diagnostic, Diagnostics, Part};
use super::value::Value;
use super::written::with_first_value;
use super::{Plan, expand, read_sections};
use crate::dsn::{redact, redact_line};
use crate::load_host::LoadHostsAt;
use crate::ssh_access::SshAccess;
use crate::trial::{Load, Target, Trial, TrialDataset};
use crate::workload::Catalog;
use std::collections::BTreeMap;
use std::ops::Range;
use tenbin_words::copied;
use tenbin_words::message::{Message, foreign};
use tenbin_words::msg;
use tenbin_words::problem::Problem;
use toml::Spanned;
use toml::de::{DeTable, DeValue, Error};

/// What has paths in a plan.
#[derive(Debug)]
pub enum PathsOf<'p> {
    /// A target.
    Target(&'p mut Target),
    /// A load, and the data that it works on.
    Load(&'p mut Load, &'p mut TrialDataset),
    /// How a load host is reached.
    Ssh(&'p mut SshAccess),
}

/// A plan that is being read.
pub struct Reading<'a> {
    plan: Plan,
    complaints: Diagnostics<'a>,
}

impl<'a> Reading<'a> {
    /// Reads the plan as far as possible. `catalog` contains the workloads that it may name.
    pub fn of(text: &'a str, catalog: &Catalog) -> Self {
        Reading::scaled(text, catalog, None)
    }

    /// The same for a try-out, with a part of the plan's data and time.
    pub fn scaled(text: &'a str, catalog: &Catalog, scale: Option<PlanScale>) -> Self {
        let mut complaints = Diagnostics::about(text);
        let (document, broken) = DeTable::parse_recoverable(text);
        if broken.is_empty() {
            let plan = read(text, document, (catalog, scale), &mut complaints);
            return Reading { plan, complaints };
        }
        for error in &broken {
            let what = msg!("not-toml", message = said(error.message()));
            complaints.add(error.span().unwrap_or(0..0), Diagnostic::new(what, as_toml(text, error)));
        }
        // The results of an error-recovering parser would lead to false errors; therefore invalid lines are blanked
        // out.
        let whole = without(text, &broken);
        let (document, broken) = DeTable::parse_recoverable(whole.as_deref().unwrap_or_default());
        let mut beside = Diagnostics::about_part_of(text);
        let plan = read(text, document, (catalog, scale), &mut beside);
        if whole.is_some() && broken.is_empty() {
            complaints.take_over(beside);
        }
        Reading { plan, complaints }
    }

    /// Adds the positions at which `bytes`, of which this text is the lossy decoding, are not UTF-8; `hint` says how to
    /// convert them.
    pub fn not_utf8(&mut self, bytes: &[u8], hint: &Message) {
        let mut at = 0;
        for chunk in bytes.utf8_chunks() {
            at += chunk.valid().len();
            if let [byte, ..] = chunk.invalid() {
                let what = msg!("not-utf-8", byte = format_args!("{byte:02X}"));
                self.complaints.add(at..at + '\u{FFFD}'.len_utf8(), Diagnostic::new(what, hint.clone()));
                at += '\u{FFFD}'.len_utf8();
            }
        }
    }

    /// Adds that the text, which is not TOML, was copied from a page of the web, if it looks so; `hint` says how to put that right.
    pub fn copied_from_a_page(&mut self, text: &str, hint: &Message) {
        if let Some((at, c)) = copied::in_toml(text).filter(|_| self.is_refused()) {
            let what = msg!("toml-copied", character = copied::words(c));
            self.complaints.add(at..at + c.len_utf8(), Diagnostic::new(what, hint.clone()));
        }
    }

    /// Whether there are mistakes so far.
    pub fn is_refused(&self) -> bool {
        self.complaints.count() > 0
    }

    /// The trials of what was understood: all if there are no mistakes, otherwise each cell once.
    pub fn trials(&self) -> Vec<Trial> {
        if self.complaints.count() == 0 {
            return expand(&self.plan);
        }
        let mut once = self.plan.clone();
        once.experiments.iter_mut().for_each(|experiment| experiment.repeats = 1);
        expand(&once)
    }

    /// Lets the paths of the plan be changed.
    pub fn change_paths(&mut self, mut change: impl FnMut(PathsOf<'_>)) {
        for experiment in &mut self.plan.experiments {
            experiment.targets.iter_mut().for_each(|target| change(PathsOf::Target(target)));
            for spec in experiment.cells.iter_mut().map(|cell| &mut cell.spec) {
                change(PathsOf::Load(&mut spec.load, &mut spec.dataset));
            }
        }
        if let Some(LoadHostsAt::Ssh(all)) = self.plan.hosts.as_mut().map(|hosts| &mut hosts.at) {
            all.iter_mut().for_each(|access| change(PathsOf::Ssh(access)));
        }
    }

    /// Adds a mistake in the load or the data of `trial`: in a field, in a value of the field, or
    /// otherwise in what the message names.
    pub fn refuse(&mut self, trial: &Trial, part: Part, field: Option<(&str, Option<&str>)>, problem: Problem) {
        let span = self.place(trial, part, field, &problem.what);
        self.complaints.add_problem(span, problem);
    }

    /// What to write instead of a name in the load or the data of `trial` that means this key, with the value that was given.
    pub fn instead(&self, trial: &Trial, (part, table): (Part, Table), name: &str, key: &Key) -> Message {
        let span = self.place(trial, part, Some((name, None)), &foreign(""));
        let text = self.complaints.text();
        let write = |value: &Value<'_>| instead(key, table, value);
        let own = text.get(span.clone()).and_then(|text| with_first_value(text, write));
        own.or_else(|| with_first_value(text.get(span.start..)?, write)).unwrap_or_else(|| key.hint(table))
    }

    fn place(
        &self,
        trial: &Trial,
        part: Part,
        field: Option<(&str, Option<&str>)>,
        sentence: &Message,
    ) -> Range<usize> {
        let (experiment, dataset) = (&trial.experiment, &trial.dataset.name);
        let (name, value) = field.unwrap_or_default();
        // An option of the data may have been given in the load, and vice versa.
        let places = match part {
            Part::Load => [(Part::Load, experiment), (Part::Varied, experiment), (Part::Data, dataset)],
            Part::Varied | Part::Data => [(Part::Varied, experiment), (Part::Data, dataset), (Part::Load, experiment)],
        };
        let find = |(part, owner): (Part, &String), name: &str| {
            self.complaints.find(&(part, owner.clone(), name.to_owned()), value)
        };
        places
            .into_iter()
            .find_map(|place| find(place, name))
            .or_else(|| places.iter().find_map(|(part, owner)| self.complaints.find_named((*part, owner), sentence)))
            .or_else(|| match part {
                // What fills the tables is most of it.
                Part::Data => {
                    find((Part::Data, dataset), "fill").or_else(|| self.complaints.find_first((part, dataset)))
                }
                Part::Load | Part::Varied => None,
            })
            .or_else(|| find((Part::Load, experiment), "workload"))
            .unwrap_or(0..0)
    }

    /// The same for a text generated from a command line: the evidence is what was typed for a key, and
    /// no line numbers of the generated text are shown.
    pub fn finish_typed(self, typed: &BTreeMap<String, String>) -> Result<Plan, Vec<Problem>> {
        let plan = self.plan;
        self.complaints.finish_typed(typed).map(|()| plan)
    }

    /// The plan, or all mistakes in the order of the text; neither contains a password.
    pub fn finish(self) -> Result<Plan, Vec<Problem>> {
        let plan = self.plan;
        self.complaints.finish().map(|notes| Plan { notes, ..plan })
    }
}

fn read(
    text: &str,
    document: Spanned<DeTable<'_>>,
    (catalog, scale): (&Catalog, Option<PlanScale>),
    complaints: &mut Diagnostics<'_>,
) -> Plan {
    let document = Spanned::new(document.span(), DeValue::Table(document.into_inner()));
    read_sections(text, document, catalog, scale, complaints)
}

/// What to write in the place of what is not TOML.
fn as_toml(text: &str, error: &Error) -> Message {
    let span = error.span().unwrap_or(0..0);
    let written = redact(text.get(span.clone()).unwrap_or_default());
    match error.message() {
        "duplicate key" => msg!("keep-one-of-them"),
        // `measure = 20s` and `dsn = mysql://…`
        message if message.starts_with("string values must be quoted") => {
            let line = text.get(..span.start).map_or(0, |before| before.rfind('\n').map_or(0, |at| at + 1));
            let line = redact_line(text[line..].lines().next().unwrap_or_default());
            let is_plain = !written.is_empty() && !written.contains(|c| "\"'".contains(c) || copied::is_copied(c));
            let is_list = written.contains(' ') && written.chars().all(|c| c.is_ascii_digit() || c == ' ');
            // A password is not repeated.
            if is_list {
                msg!("toml-put-comma")
            } else if is_plain && line.contains(&*written) {
                msg!("write-it", near = toml::Value::String(written))
            } else {
                msg!("toml-in-short")
            }
        }
        message if message.starts_with("missing comma between") => msg!("toml-put-comma"),
        message if message.contains("value of type inline table") => msg!("toml-table-in-lines"),
        _ => msg!("toml-in-short"),
    }
}

/// What the parser says most often; its other messages are English in every language.
fn said(message: &str) -> Message {
    match message {
        "string values must be quoted, expected literal string" => msg!("toml-says-no-quotes"),
        "duplicate key" => msg!("toml-says-twice"),
        "missing comma between key-value pairs, expected `,`" => msg!("toml-says-no-comma"),
        "key with no value, expected `=`" => msg!("toml-says-no-value"),
        "invalid basic string, expected `\"`" => msg!("toml-says-no-end"),
        "unclosed table, expected `]`" => msg!("toml-says-no-bracket"),
        "invalid unquoted key, expected letters, numbers, `-`, `_`" => msg!("toml-says-no-key"),
        other => foreign(other),
    }
}

/// The text with blanks for the lines that are not TOML; `None` if a table header is among them, because the keys
/// below it would then be attributed to another table.
fn without(text: &str, broken: &[Error]) -> Option<String> {
    let mut lines: Vec<Range<usize>> = Vec::new();
    for error in broken {
        let at = error.span()?.start.min(text.len());
        if lines.last().is_some_and(|line| line.start <= at && at <= line.end) {
            continue;
        }
        let start = text.get(..at)?.rfind('\n').map_or(0, |i| i + 1);
        let end = text.get(at..)?.find('\n').map_or(text.len(), |i| at + i);
        if text[start..end].trim_start().starts_with('[') {
            return None;
        }
        lines.push(start..end);
    }
    let mut bytes = text.as_bytes().to_vec();
    lines.into_iter().for_each(|line| bytes[line].fill(b' '));
    String::from_utf8(bytes).ok()
}
