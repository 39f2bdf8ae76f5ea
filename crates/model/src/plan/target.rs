//! `[targets.<name>]`: the systems to compare, and their passwords, which are kept separately.

use super::keys::{Key, Setter, Table};
use super::of_target::apply;
use super::of_target::draft::{ReplicaDraft, TargetDraft};
use super::sections::{MOST_NAMED, PlanContext, each};
use super::settings::for_server;
use super::source::{Diagnostic, Diagnostics};
use super::tables::{at_most, head, place_of, table_like};
use super::value::{Value, in_order};
use crate::dsn::{Dsn, Password};
use crate::load_host::ClientPlace;
use crate::server_kind::ServerKind;
use crate::trial::{HostAccess, Replica, RestoreKind, Target};
use std::collections::BTreeMap;
use std::ops::Range;
use tenbin_words::message::foreign;
use tenbin_words::msg;
use toml::Spanned;

/// All targets, in the plan's order.
pub fn targets(value: &Value<'_>, known: &mut PlanContext<'_>, complaints: &mut Diagnostics<'_>) {
    let Some(all) = table_like(&foreign("[targets]"), msg!("write-named-target"), value, complaints) else { return };
    let described = at_most(in_order(all), MOST_NAMED, msg!("targets"), head(value), complaints);
    for (place, (name, value)) in described.into_iter().enumerate() {
        // The key of a target whose name is missing is none itself.
        if table_like(&Table::Target.title(), msg!("write-named-target"), value, complaints).is_none() {
            continue;
        }
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
    let TargetDraft { mut target, mut dsn, tls, apply, replicas, exporters } = draft;
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
                if !dsn.scheme.kind().is_server {
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
            apply::resolve(&mut target, apply, complaints);
            if let Some(refusal) = deaf(&target, &target.server) {
                complaints.add(name.span(), refusal);
            }
        }
        (None, Some(_)) => apply::resolve(&mut target, apply, complaints),
        _ => {}
    }
    for draft in replicas {
        let span = draft.span.clone();
        match replica(&target, draft, known, complaints) {
            Ok(replica) => target.replicas.push(replica),
            Err(refusal) => complaints.add(span, refusal),
        }
    }
    for (mut exporter, url, span) in exporters {
        exporter.url = url.without_password();
        if url.has_secrets() {
            known.passwords.insert(exporter.secret_address(&target.name), Password::new(url.complete()));
        }
        let given = (exporter.password_env.is_some() || exporter.password_file.is_some(), url.password);
        let name = exporter.secret_name(&target.name);
        entrust(&name, given, span, known, complaints);
        target.exporters.push(exporter);
    }
    if target.sandbox.is_some() && matches!(target.host, Some(HostAccess::Ssh(_))) {
        let what = msg!("host-of-sandbox", target = target.name);
        complaints.add(name.span(), Diagnostic::new(what, msg!("remove-option", option = "host")));
    }
    let of_files = !target.scheme().kind().is_server;
    for (key, means_nothing) in [
        ("data_directory", target.data_directory.is_some() && target.sandbox.is_none()),
        ("option_file", target.option_file.is_some() && (target.sandbox.is_none() || of_files)),
    ] {
        if means_nothing && target.is_reachable() {
            let what = msg!("key-of-private-servers", target = target.name, key);
            complaints.add(name.span(), Diagnostic::new(what, msg!("remove-option", option = key)));
        }
    }
    if target.cloud.is_some()
        && target.is_reachable()
        && !(target.sandbox.is_none() && target.scheme().kind().is_server)
    {
        let what = msg!("cloud-of-existing-servers", target = target.name);
        complaints.add(name.span(), Diagnostic::new(what, msg!("remove-option", option = "cloud")));
    }
    let scheme = target.scheme();
    for value in target.pin.iter_mut().flat_map(|pin| pin.variables.values_mut()) {
        *value = for_server(scheme, value);
    }
    if target.link.is_some() && target.is_reachable() && !(target.sandbox.is_some() && target.scheme().kind().is_server)
    {
        let what = msg!("link-of-private-servers", target = target.name);
        complaints.add(name.span(), Diagnostic::new(what, msg!("remove-option", option = "link")));
    }
    if matches!(target.client, Some(ClientPlace::Host(_))) && target.scheme().kind().is_embedded {
        let what = msg!("hosts-of-embedded", target = target.name);
        complaints.add(name.span(), Diagnostic::new(what, msg!("remove-option", option = "client")));
    }
    if let Some(refusal) = unrestorable(&target) {
        complaints.add(name.span(), refusal);
    }
    if let Some(other) = known.targets.iter().find(|other| other.baseline && target.baseline) {
        let what = msg!("two-baselines", one = other.name, other = target.name);
        complaints.add(name.span(), Diagnostic::new(what, msg!("remove-option", option = "baseline")));
    }
    known.targets.push(target);
}

/// Why data cannot be restored from golden copies as the target says, if they cannot.
fn unrestorable(target: &Target) -> Option<Diagnostic> {
    let (method, scheme) = (&target.restore, target.scheme());
    if let Some(refusal) = by_command(target) {
        return Some(refusal);
    }
    if !method.is_golden() || !target.is_reachable() {
        return None;
    }
    let kind = RestoreKind::WORDS.iter().find(|(_, kind)| *kind == method.kind).map_or("", |(word, _)| *word);
    if !target.replicas.is_empty() {
        // Its replicas would keep the data of before, and could not follow it any more.
        let what = msg!("restore-with-replicas", target = target.name, kind = format_args!("{kind:?}"));
        return Some(Diagnostic::new(what, msg!("write-key", key = "restore", value = "\"reload\"")));
    }
    let ServerKind { has_templates, has_copies, has_backups, .. } = *scheme.kind();
    let possible = match method.kind {
        RestoreKind::Template => has_templates,
        RestoreKind::Copy => has_copies,
        _ => has_backups,
    };
    if !possible {
        let what = msg!("restore-unsupported", target = target.name, kind = format_args!("{kind:?}"));
        return Some(Diagnostic::new(what, msg!("write-key", key = "restore", value = "\"reload\"")));
    }
    if method.kind == RestoreKind::Template {
        let others = method.store.is_some() || method.stop.is_some() || method.start.is_some();
        let refusal =
            || Diagnostic::new(msg!("restore-template-is-all", target = target.name), msg!("keep-template-only"));
        return others.then(refusal);
    }
    let (both, any) =
        (method.stop.is_some() && method.start.is_some(), method.stop.is_some() || method.start.is_some());
    match (scheme.kind().is_server && target.sandbox.is_none(), both, any) {
        (true, false, _) => Some(Diagnostic::new(
            msg!("restore-needs-commands", target = target.name),
            msg!(
                "write-key",
                key = "restore",
                value = format_args!(
                    "{{ kind = {kind:?}, stop = \"systemctl stop mariadb\", start = \"systemctl start mariadb\" }}"
                )
            ),
        )),
        (false, _, true) => Some(Diagnostic::new(
            msg!("restore-commands-unused", target = target.name),
            msg!("take-stop-and-start-out"),
        )),
        _ => None,
    }
}

/// Why data cannot be restored by a command as the target says, if they cannot.
fn by_command(target: &Target) -> Option<Diagnostic> {
    let method = &target.restore;
    let others = method.store.is_some() || method.stop.is_some() || method.start.is_some();
    match (method.kind == RestoreKind::Command, method.command.is_some()) {
        (true, true) if !others => None,
        (false, false) => None,
        (true, false) => Some(Diagnostic::new(
            msg!("restore-has-no-command", target = target.name),
            msg!("write-key", key = "restore", value = "{ command = \"./restore-the-data\" }"),
        )),
        _ => Some(Diagnostic::new(msg!("restore-command-is-all", target = target.name), msg!("keep-command-only"))),
    }
}

/// A replica, if it goes with its source.
fn replica(
    source: &Target,
    draft: ReplicaDraft,
    known: &mut PlanContext<'_>,
    complaints: &mut Diagnostics<'_>,
) -> Result<Replica, Diagnostic> {
    let ReplicaDraft { mut replica, dsn, is_private, .. } = draft;
    let name = replica.at.name.clone();
    let foreign = dsn.as_ref().is_some_and(|(dsn, _)| !dsn.scheme.kind().has_replicas);
    if source.is_reachable() && !source.scheme().kind().has_replicas || foreign {
        return Err(Diagnostic::new(msg!("replicas-of-mysql-only"), msg!("remove-option", option = "replicas")));
    }
    match (dsn, is_private) {
        (Some(_), true) => {
            let what = msg!("replica-address-and-sandbox", replica = name);
            return Err(Diagnostic::new(what, msg!("keep-dsn-or-sandbox")));
        }
        (None, false) => {
            let what = msg!("replica-has-no-address", replica = name);
            return Err(Diagnostic::new(what, msg!("give-replica-dsn-or-sandbox")));
        }
        (None, true) if replica.at.cloud.is_some() => {
            let what = msg!("cloud-of-existing-servers", target = name);
            return Err(Diagnostic::new(what, msg!("remove-option", option = "cloud")));
        }
        (None, true) => {
            let Some(binary) = &source.sandbox else {
                let what = msg!("private-replica-of-own-server", replica = name);
                return Err(Diagnostic::new(what, msg!("give-replica-address")));
            };
            replica.at.sandbox = Some(binary.clone());
        }
        (Some((mut dsn, span)), false) => {
            if replica.delay_s > 0 || !replica.at.server.is_empty() {
                let what = msg!("replica-settings-of-sandboxes", replica = name);
                return Err(Diagnostic::new(what, msg!("set-on-replica-itself")));
            }
            replica.at.name = replica.secret_name(source);
            custody(&replica.at, &mut dsn, span, known, complaints);
            replica.at.name = name;
            replica.at.dsn = Some(dsn.without_password());
        }
    }
    let scheme = source.scheme();
    replica.at.server.values_mut().for_each(|value| *value = for_server(scheme, value));
    Ok(replica)
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
    let password = dsn.password.take().or(in_options);
    let elsewhere = target.password_env.is_some() || target.password_file.is_some();
    entrust(&target.name, (elsewhere, password), span, known, complaints);
}

/// Keeps a password that stands in an address; `given` says whether there is another one, too.
fn entrust(
    name: &str,
    given: (bool, Option<String>),
    span: Range<usize>,
    known: &mut PlanContext<'_>,
    complaints: &mut Diagnostics<'_>,
) {
    let (elsewhere, Some(password)) = given else { return };
    if elsewhere {
        let what = msg!("password-given-twice", target = name);
        complaints.add(span, Diagnostic::new(what, msg!("take-out-of-address")));
        return;
    }
    known.passwords.insert(name.to_owned(), Password::new(password));
    complaints.note(span, Diagnostic::new(msg!("password-in-plan", target = name), msg!("prefer-password-env")));
}

/// The reason why server variables cannot be set on a target, if they cannot.
pub fn deaf(target: &Target, server: &BTreeMap<String, String>) -> Option<Diagnostic> {
    let dsn = target.dsn.as_deref()?;
    if server.is_empty() || !["null:", "host:"].iter().any(|scheme| dsn.starts_with(scheme)) {
        return None;
    }
    let what = msg!("variables-cannot-be-set", target = target.name);
    Some(Diagnostic::new(what, msg!("remove-option", option = "server")))
}
