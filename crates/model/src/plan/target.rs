//! `[targets.<name>]`: the systems to compare, and their passwords, which are kept separately.

pub mod draft;

use super::keys::{Key, Setter, Table};
use super::sections::{MOST_NAMED, PlanContext, each};
use super::source::{Diagnostic, Diagnostics};
use super::tables::{at_most, head, place_of, table_of};
use super::value::{Value, in_order};
use crate::dsn::{Dsn, Password, Scheme};
use crate::message::foreign;
use crate::msg;
use crate::trial::Target;
use draft::TargetDraft;
use std::collections::BTreeMap;
use std::ops::Range;
use toml::Spanned;

/// All targets, in the plan's order.
pub fn targets(value: &Value<'_>, known: &mut PlanContext<'_>, complaints: &mut Diagnostics<'_>) {
    let Some(all) = table_of(&foreign("[targets]"), value, complaints) else { return };
    let described = at_most(in_order(all), MOST_NAMED, msg!("targets"), head(value), complaints);
    for (place, (name, value)) in described.into_iter().enumerate() {
        target(name, value, place as u32, known, complaints);
    }
    if all.is_empty() {
        complaints.add(value.span(), Diagnostic::new(msg!("no-target-in-targets"), msg!("add-target-with-dsn")));
    }
}

fn target(
    name: Spanned<&str>,
    value: &Value<'_>,
    place: u32,
    known: &mut PlanContext<'_>,
    complaints: &mut Diagnostics<'_>,
) {
    let before = complaints.count();
    let mut draft = TargetDraft::named(name.get_ref(), place);
    each(Table::Target, value, complaints, |key, name, value, complaints| {
        let Some(Key { name: canonical, set: Setter::Target(set), .. }) = key else { return };
        if let Err(refusal) = set(&mut draft, canonical, value, complaints) {
            complaints.add(place_of(&name, value), refusal);
        }
    });
    let TargetDraft { mut target, mut dsn, tls } = draft;
    if target.name.trim().is_empty() {
        complaints.add(name.span(), Diagnostic::new(msg!("target-has-no-name"), msg!("write-named-target")));
    }
    match (&mut dsn, &target.sandbox) {
        (Some((_, span)), Some(_)) => {
            let what = msg!("target-address-and-sandbox", target = target.name);
            complaints.add(span.clone(), Diagnostic::new(what, msg!("keep-dsn-or-sandbox")));
        }
        (None, None) if complaints.count() == before => {
            let what = msg!("target-has-no-address", target = target.name);
            complaints.missing(name.span(), Diagnostic::new(what, msg!("give-dsn-or-sandbox")));
        }
        (Some((dsn, span)), None) => {
            custody(&target, dsn, span.clone(), known, complaints);
            for (option, text, span) in tls {
                if !matches!(dsn.scheme, Scheme::Mysql | Scheme::Postgres) {
                    complaints.add(
                        span,
                        Diagnostic::new(msg!("option-means-nothing", option), msg!("remove-option", option)),
                    );
                } else if dsn.options.insert(option.into(), text).is_some() {
                    let what = msg!("option-in-address-too", option);
                    complaints.add(span, Diagnostic::new(what, msg!("keep-one-of-them")));
                }
            }
            target.dsn = Some(dsn.without_password());
            if let Some(refusal) = deaf(&target, &target.server) {
                complaints.add(name.span(), refusal);
            }
        }
        _ => {}
    }
    known.targets.push(target);
}

/// Separates the password from the address.
fn custody(
    target: &Target,
    dsn: &mut Dsn,
    span: Range<usize>,
    known: &mut PlanContext<'_>,
    complaints: &mut Diagnostics<'_>,
) {
    let in_options = dsn.options.remove("password");
    let Some(password) = dsn.password.take().or(in_options) else { return };
    if target.password_env.is_some() || target.password_file.is_some() {
        let what = msg!("password-given-twice", target = target.name);
        complaints.add(span, Diagnostic::new(what, msg!("take-out-of-address")));
        return;
    }
    known.passwords.insert(target.name.clone(), Password::new(password));
    complaints.note(span, Diagnostic::new(msg!("password-in-plan", target = target.name), msg!("prefer-password-env")));
}

/// The reason why server variables cannot be set on a target, if they cannot.
pub fn deaf(target: &Target, server: &BTreeMap<String, String>) -> Option<Diagnostic> {
    let dsn = target.dsn.as_deref()?;
    if server.is_empty() || dsn.starts_with("sqlite:") {
        return None;
    }
    Some(Diagnostic::not_yet(
        msg!("server-variables-not-yet", target = target.name),
        msg!("set-on-sandboxes-and-sqlite"),
        msg!("set-on-server-itself"),
    ))
}
