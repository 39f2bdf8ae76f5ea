//! What a server would refuse, before anything is changed: names that it does not know, variables that cannot be set
//! while it runs, privileges, files, and runs that are at it.

use super::identity::nothing_left_elsewhere;
use super::journal::{self, Journal};
use super::parameter_group::ParameterGroup;
use super::{
    Identity, Present, asking, identity, mysql, of_sessions, postgres, restart, set_at_connect, waiting,
    waiting_for_start,
};
use std::collections::BTreeMap;
use tenbin_driver::{Connection, Connector, Error};
use tenbin_model::dsn::Scheme;
use tenbin_model::stop::StopSignal;
use tenbin_model::trial::Apply;
use tenbin_model::variables::canonical_name;
use tenbin_words::message::foreign;
use tenbin_words::msg;
use tenbin_words::nearest::nearest;
use tenbin_words::problem::Problem;
use tenbin_words::secret;

/// Everything that would keep these variables from being set to these values in this way, with the variable that it concerns, if it
/// concerns one.
pub fn check(
    connector: &Connector,
    wanted: &BTreeMap<String, Vec<String>>,
    apply: &Apply,
    stop: &StopSignal,
) -> Vec<(Option<String>, Problem)> {
    let mut all = Vec::new();
    if wanted.is_empty() && journal::list().is_empty() {
        return all;
    }
    let mut is_left = false;
    match identity(connector).and_then(|server| is_free(&server).map(|()| server)) {
        Ok(server) => is_left = journal::exists(&server.text),
        Err(problem) => all.push((None, problem)),
    }
    if wanted.is_empty() {
        return all;
    }
    if let Apply::Restart { file: Some(file), .. } = apply {
        all.extend(restart::check_file(file).err().map(|problem| (None, problem)));
    }
    let group = match apply {
        Apply::ParameterGroup(access) => match ParameterGroup::find(access, is_left, stop) {
            Ok(group) => Some(group),
            Err(problem) => {
                all.push((None, problem));
                return all;
            }
        },
        _ => None,
    };
    let answer = match connector.dsn().scheme {
        Scheme::Postgres => of_sessions(connector)
            .and_then(|present| asking(connector, async |c| of_postgres(c, wanted, apply, &present).await)),
        _ => asking(connector, async |c| of_mysql(c, wanted, apply, group.as_ref()).await),
    };
    if *apply == Apply::AlterSystem && !is_left {
        all.extend(waiting::nothing_of_others(connector, &BTreeMap::new()).err().map(|problem| (None, problem)));
    }
    if let Apply::Restart { file, may_change_others: false, .. } = apply
        && !is_left
    {
        let names = wanted.keys().map(|name| canonical_name(name)).collect();
        let waits = waiting_for_start::nothing_of_others(connector, &names, file.as_deref());
        all.extend(waits.err().map(|problem| (None, problem)));
    }
    match answer {
        Ok(more) => all.extend(more.into_iter().map(|(name, problem)| (Some(name), problem))),
        Err(problem) => all.push((None, problem)),
    }
    match set_at_connect(connector, wanted.keys()) {
        Ok(more) => all.extend(more.into_iter().map(|(name, problem)| (Some(name), problem))),
        Err(problem) => all.push((None, problem)),
    }
    all
}

/// Fails if another run has changed variables of the server, or if what it left cannot be used.
fn is_free(server: &Identity) -> Result<(), Problem> {
    nothing_left_elsewhere(server)?;
    if journal::exists(&server.text) { Journal::lock(&server.text).map(drop) } else { Ok(()) }
}

async fn of_mysql(
    c: &mut Connection,
    wanted: &BTreeMap<String, Vec<String>>,
    apply: &Apply,
    group: Option<&ParameterGroup<'_>>,
) -> Result<Vec<(String, Problem)>, Error> {
    let present = mysql::present(c).await?;
    let mut all = Vec::new();
    for (name, values) in wanted {
        let variable = canonical_name(name);
        if let Some(problem) = refused(&variable, &present) {
            all.push((name.clone(), problem));
        } else if matches!(apply, Apply::SetGlobal | Apply::Persist) && mysql::is_command(&variable) {
            let problem = Problem::new(msg!("variable-is-command", variable));
            all.push((name.clone(), problem.hint(msg!("give-apply-with-restart"))));
        } else if let Some(group) = group {
            all.extend(group.refusal(&variable, values).map(|problem| (name.clone(), problem)));
        } else if !matches!(apply, Apply::Restart { .. })
            && let Some(error) = mysql::tried(c, &variable, *apply == Apply::Persist).await
        {
            all.push((name.clone(), of_error(c, &variable, &error).await));
        }
    }
    Ok(all)
}

/// The problem of a variable that cannot be set at all.
fn refused(variable: &str, present: &BTreeMap<String, Present>) -> Option<Problem> {
    let plain = |c: char| c.is_ascii_alphanumeric() || "_.$".contains(c);
    if !present.contains_key(variable) || !variable.chars().all(plain) {
        let problem = Problem::new(msg!("server-has-no-variable", variable));
        return Some(match nearest(variable, present.keys().map(String::as_str)) {
            Some(nearest) => problem.hint(msg!("did-you-mean", nearest)),
            None => problem,
        });
    }
    let problem = || Problem::new(msg!("variable-may-hold-secret", variable));
    secret::is_named(variable).then(|| problem().hint(msg!("remove-option", option = variable)))
}

async fn of_error(c: &mut Connection, variable: &str, error: &Error) -> Problem {
    let evidence = foreign(error);
    if error.is("1238") {
        let problem = Problem::new(msg!("variable-is-read-only", variable)).evidence(evidence);
        return problem.hint(msg!("give-apply-with-restart"));
    }
    if error.is("1064") {
        return Problem::new(msg!("server-cannot-persist")).evidence(evidence).hint(msg!("write-apply-set-global"));
    }
    if error.is("1227") {
        const PRIVILEGE: &str = "SYSTEM_VARIABLES_ADMIN";
        let account = c.table("SELECT CURRENT_USER()").await.ok();
        let account = account.and_then(|table| table.scalar().map(str::to_owned)).unwrap_or_default();
        let account = account.rsplit_once('@').map_or(account.clone(), |(user, host)| format!("'{user}'@'{host}'"));
        let privilege = if error.message().contains(PRIVILEGE) { PRIVILEGE } else { "SUPER" };
        let hint = msg!("grant-privilege", privilege, account);
        return Problem::new(msg!("variable-not-permitted", variable))
            .evidence(evidence)
            .hint(msg!("as-administrator", hint));
    }
    Problem::new(msg!("variable-cannot-be-set", variable)).evidence(evidence)
}

async fn of_postgres(
    c: &mut Connection,
    wanted: &BTreeMap<String, Vec<String>>,
    apply: &Apply,
    present: &BTreeMap<String, Present>,
) -> Result<Vec<(String, Problem)>, Error> {
    // Who may not look may not set anything either, which is told.
    let stored = postgres::stored(c).await.unwrap_or_default();
    let session = c.table("SELECT quote_ident(current_user), quote_ident(current_database())").await?;
    let session = session.rows.into_iter().next().unwrap_or_default();
    let [account, database] = [0, 1].map(|at| session.get(at).cloned().flatten().unwrap_or_default());
    let mut all = Vec::new();
    for (name, values) in wanted {
        let variable = &canonical_name(name);
        let problem = refused(variable, present).or_else(|| {
            let now = &present[variable];
            let Present { context, source, .. } = now;
            match (context.as_str(), source.as_str(), apply) {
                ("internal", ..) => {
                    let problem = Problem::new(msg!("variable-cannot-be-set", variable));
                    Some(problem.hint(msg!("remove-option", option = variable)))
                }
                (_, "command line", _) => {
                    let problem = Problem::new(msg!("variable-on-command-line", variable));
                    Some(problem.hint(msg!("take-off-command-line")))
                }
                // Its sessions have that value, whatever the server has.
                (_, "user" | "database" | "database user", _)
                    if !values.iter().all(|value| postgres::same(variable, value, now)) =>
                {
                    let reset = match source.as_str() {
                        "user" => format!("ALTER ROLE {account} RESET {variable}"),
                        "database" => format!("ALTER DATABASE {database} RESET {variable}"),
                        _ => format!("ALTER ROLE {account} IN DATABASE {database} RESET {variable}"),
                    };
                    let problem = Problem::new(msg!("variable-set-for-sessions", variable, source));
                    Some(problem.hint(msg!("execute-as-administrator", sql = reset)))
                }
                ("postmaster", _, Apply::AlterSystem) => {
                    Some(Problem::new(msg!("variable-is-read-only", variable)).hint(msg!("give-apply-restart-only")))
                }
                _ => None,
            }
        });
        if let Some(problem) = problem {
            all.push((name.clone(), problem));
        } else if !postgres::permitted(c, variable).await? {
            let hint = msg!("grant-alter-system", variable, account = &account);
            let problem = Problem::new(msg!("variable-not-permitted", variable));
            all.push((name.clone(), problem.hint(msg!("as-administrator", hint))));
        } else if postgres::cannot_be_empty(c, variable, values.iter().chain(stored.get(variable))).await? {
            let problem = Problem::new(msg!("list-cannot-be-empty", variable));
            all.push((name.clone(), problem.hint(msg!("give-value-that-server-takes"))));
        }
    }
    Ok(all)
}
