//! A try-out of a plan (`--scale`) runs on private servers: those of the plan that have an address are replaced.

use std::collections::BTreeSet;
use tenbin_model::dsn::Scheme;
use tenbin_model::load_host::ClientPlace;
use tenbin_model::trial::{Hooks, Replica, Restore, RestoreKind, RestoreMethod, Target, Trial};
use tenbin_servers::sandbox;
use tenbin_words::message::foreign;
use tenbin_words::msg;
use tenbin_words::problem::Problem;

/// Replaces each target that has an address by a private server of its kind, started from a program of this machine.
/// This machine itself and the driver that does nothing remain.
pub fn on_private_servers(trials: &mut [Trial]) {
    for trial in trials {
        if trial.target.dsn.is_some() {
            let Some(binary) = program(&trial.target) else { continue };
            trial.target = stand_in(&trial.target, binary);
            if trial.target.client.is_some() {
                // A host that reaches the server of the address does not reach the private one.
                trial.hosts = None;
            }
            if trial.restore == Restore::Require {
                // Nothing has loaded a private server.
                trial.restore = Restore::Never;
            }
        }
        for Replica { at, .. } in &mut trial.target.replicas {
            if at.dsn.is_some()
                && let Some(binary) = &trial.target.sandbox
            {
                *at = stand_in(at, binary);
            }
        }
    }
}

/// What the user should know of the replaced targets.
pub fn notes(trials: &[Trial]) -> Vec<Problem> {
    let servers = |t: &Trial| {
        std::iter::once(t.target.clone()).chain(t.target.replicas.iter().map(|r| r.at.clone())).collect::<Vec<_>>()
    };
    let mut named = BTreeSet::new();
    let replaced = trials.iter().flat_map(servers).filter_map(|target| {
        let (address, binary) = (target.stands_for?, target.sandbox?);
        named
            .insert((target.name.clone(), address.clone()))
            .then(|| Problem::new(msg!("target-replaced", target = target.name, address = foreign(address), binary)))
    });
    replaced.collect()
}

fn stand_in(target: &Target, binary: &str) -> Target {
    // The user's commands are for the server of the address.
    let kind = if target.restore.is_golden() { target.restore.kind } else { RestoreKind::Reload };
    let restore = RestoreMethod { kind, ..RestoreMethod::default() };
    Target {
        dsn: None,
        stands_for: target.dsn.clone(),
        password_env: None,
        password_file: None,
        sandbox: Some(binary.to_owned()),
        apply: None,
        pin: None,
        cloud: None,
        host: None,
        line_bits: None,
        client: target.client.as_ref().map(|_| ClientPlace::Here),
        hooks: Hooks::default(),
        allow: Vec::new(),
        exporters: Vec::new(),
        restore,
        ..target.clone()
    }
}

/// The program of a private server of the target's kind: that of its own product if it is installed.
fn program(target: &Target) -> Option<&'static str> {
    let products: &[&'static str] = match target.scheme() {
        Scheme::Mysql if target.dsn.as_ref().is_some_and(|dsn| dsn.starts_with("mariadb")) => &["mariadbd", "mysqld"],
        Scheme::Mysql => &["mysqld", "mariadbd"],
        Scheme::Postgres => &["postgres"],
        Scheme::Sqlite => &["sqlite"],
        Scheme::Null | Scheme::Host => &[],
    };
    let installed = products.iter().find(|binary| sandbox::find_program(binary).is_ok());
    // The checks beforehand report a program that is missing.
    installed.or(products.first()).copied()
}

#[cfg(test)]
mod tests {
    use super::*;
    use tenbin_model::plan::{Plan, expand};

    #[test]
    fn servers_with_addresses_are_replaced_and_nothing_of_theirs_is_used() {
        let text = r#"
            schema = 1
            [targets.db]
            dsn = "postgres://bench:secret@db:5432/sbtest"
            server = { shared_buffers = "1GiB" }
            pin = { version = "15.*" }
            exporters = { node = "http://db:9100" }
            hooks = { before_trial = "ssh db true" }
            restore = { kind = "copy", stop = "systemctl stop postgresql", start = "systemctl start postgresql", store = "/backup" }
            [targets.own]
            sandbox = "postgres"
            hooks = { before_trial = "true" }
            [[experiment]]
            repeats = 1
            restore = "require"
            load = { workload = "oltp_read_only" }
        "#;
        let plan = Plan::parse(text, &tenbin_workloads::catalog()).unwrap();
        let before = expand(&plan);
        let mut trials = before.clone();
        on_private_servers(&mut trials);
        let of = |all: &[Trial], name: &str| all.iter().find(|t| t.target.name == name).unwrap().clone();
        let db = of(&trials, "db");
        assert_eq!(db.target.sandbox.as_deref(), Some("postgres"));
        assert_eq!(db.target.stands_for.as_deref(), Some("postgres://bench@db:5432/sbtest"));
        assert_eq!((&db.target.dsn, &db.target.pin, db.target.hooks.is_empty()), (&None, &None, true));
        assert_eq!(db.target.exporters, []);
        assert_eq!(db.target.restore, RestoreMethod { kind: RestoreKind::Copy, ..RestoreMethod::default() });
        assert_eq!(db.target.server, of(&before, "db").target.server);
        assert_eq!(db.restore, Restore::Never);
        assert_eq!(of(&trials, "own"), of(&before, "own"));
        let notes: Vec<String> = notes(&trials).iter().map(|note| note.what.english().to_owned()).collect();
        insta::assert_snapshot!(notes.join("\n"), @"for this try-out the target db is a private server (postgres) in place of postgres://bench@db:5432/sbtest");
    }
}
