//! `tenbin restore-settings [DSN]`: puts back variables of servers that an interrupted run has left changed.

use crate::args::RestoreSettings;
use crate::command::target::target;
use std::collections::BTreeMap;
use tenbin_driver::Connector;
use tenbin_lab::hint;
use tenbin_model::trial::Target;
use tenbin_servers::service;
use tenbin_servers::settings::{self, journal};
use tenbin_terminal::exit::{self, Exit};
use tenbin_words::msg;
use tenbin_words::problem::Problem;

pub fn restore_settings(a: &RestoreSettings) -> Result<Exit, Problem> {
    let given = match &a.dsn {
        Some(dsn) => {
            let target = target(dsn, &a.secret);
            let connector = tenbin_lab::connector(&target, &BTreeMap::new())?;
            if !connector.dsn().scheme.kind().is_server {
                let what = msg!("no-settings-of-server-there", dsn = connector.dsn());
                return Err(Problem::new(what).hint(msg!("name-server-or-none")));
            }
            let server = settings::identity(&connector).map_err(|problem| hint::complete(problem, &target, None))?;
            Some((connector, server))
        }
        None => None,
    };
    if !a.list {
        journal::remove_empty();
    }
    let left = given.as_ref().map_or_else(journal::list, |(_, server)| settings::left_of(server));
    let words = exit::words();
    // Their data may be half replaced: the plan knows how to finish that.
    let stopped = if given.is_none() { service::left_stopped() } else { Vec::new() };
    stopped.iter().for_each(exit::complain);
    let mut whole = stopped.is_empty();
    if left.is_empty() {
        exit::print(&words.text(msg!("no-settings-left")));
    }
    for journal in left {
        let text = match journal.text {
            Ok(text) => text,
            Err(problem) => {
                exit::complain(&problem);
                whole = false;
                continue;
            }
        };
        let head = &text.head;
        exit::print(&words.text(msg!("settings-left", address = head.address, run = head.run)));
        for (name, former) in &text.former {
            exit::print(&format!("  {name} = {}", former.value));
        }
        if a.list {
            continue;
        }
        let connector = match &given {
            Some((connector, _)) => Ok(connector.clone()),
            None => connector(a, head),
        };
        match connector.and_then(|connector| settings::restore(&connector, &text, &journal.path)) {
            Ok(change) => {
                for (_, note) in change.notes {
                    exit::print(&note.what.text(words.language));
                }
            }
            Err(problem) => {
                exit::complain(&problem);
                whole = false;
            }
        }
    }
    Ok(if whole { Exit::Ok } else { Exit::Errors })
}

/// The connector to the server of a journal. The password comes from the given source, else from that of the run.
fn connector(a: &RestoreSettings, head: &journal::JournalHead) -> Result<Connector, Problem> {
    let mut target = target(&head.address, &a.secret);
    if target.password_env.is_none() && target.password_file.is_none() {
        target =
            Target { password_env: head.password_env.clone(), password_file: head.password_file.clone(), ..target };
    }
    tenbin_lab::connector(&target, &BTreeMap::new())
}
