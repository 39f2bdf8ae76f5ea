//! `[targets.<name>]`: the systems to compare, and their passwords, which are kept separately.

use super::keys::Table;
use super::sections::{MOST_NAMED, PlanContext, at_most, each, head, place_of, server, table_of};
use super::source::{Diagnostic, Diagnostics};
use super::value::{self, Value, in_order};
use crate::dsn::{Dsn, Password, Scheme};
use crate::message::foreign;
use crate::msg;
use crate::problem::Problem;
use crate::trial::{Allow, Target};
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
    let mut target = Target {
        name: (*name.get_ref()).to_owned(),
        place,
        dsn: None,
        password_env: None,
        password_file: None,
        sandbox: None,
        server: BTreeMap::new(),
        allow: Vec::new(),
    };
    let (mut dsn, mut tls) = (None, Vec::new());
    each(Table::Target, value, complaints, |key, name, value, complaints| {
        let Some(key) = key else { return };
        let outcome = match key.name {
            "server" => return server(value, &mut target.server, complaints),
            "dsn" => value::text("dsn", value)
                .and_then(|text| Dsn::parse(text).map_err(refused))
                .map(|read| dsn = Some((read, value.span()))),
            "allow" => return allowed(value, &mut target.allow, complaints),
            "tls" => {
                let modes = ["disabled", "preferred", "required", "verify-ca", "verify-identity"].map(|m| (m, m));
                value::word("tls", value, &modes).map(|mode| tls.push(("tls", mode.to_owned(), value.span())))
            }
            file @ ("tls_ca" | "tls_cert" | "tls_key") => {
                value::text(file, value).map(|path| tls.push((file, path.to_owned(), value.span())))
            }
            other => value::text(other, value).map(|text| {
                let field = match other {
                    "password_env" => &mut target.password_env,
                    "password_file" => &mut target.password_file,
                    _ => &mut target.sandbox,
                };
                *field = Some(text.to_owned());
            }),
        };
        if let Err(refusal) = outcome {
            complaints.add(place_of(&name, value), refusal);
        }
    });
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

/// The values of `allow`, each once.
fn allowed(value: &Value<'_>, allow: &mut Vec<Allow>, complaints: &mut Diagnostics<'_>) {
    let words = match value::texts("allow", value) {
        Ok(words) => words,
        Err((span, refusal)) => return complaints.add(span, refusal),
    };
    for (_, item) in words {
        match value::word("allow", item, &Allow::WORDS) {
            Ok(word) if allow.contains(&word) => {}
            Ok(word) => allow.push(word),
            Err(refusal) => complaints.add(item.span(), refusal),
        }
    }
}

fn refused(problem: Problem) -> Diagnostic {
    Diagnostic { what: problem.what, hint: problem.hint }
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
