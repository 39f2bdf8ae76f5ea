//! What scripts do, for `plan check` and `tenbin list`: the first transaction of each with its values, its statements and its variables.

use crate::language::{CommandKind, Expression, Machine, Names, ScriptStep, Slot, shown, shown_bytes};
use crate::settings::{PlannedScript, SqlSettings};
use crate::told;
use std::collections::BTreeSet;
use tenbin_words::problem::Problem;

/// The most commands that are executed for a preview: a script has no loops, so that it ends anyway, and a long one need not be seen whole.
const MOST: usize = 200;

/// The first transaction of each script with the values of the first of the `clients` clients that executes it, one line for each
/// statement. Where a value comes from a result, its name stands.
pub(crate) fn first_transactions(settings: &SqlSettings, clients: u32, seed: u64) -> Result<Vec<String>, Problem> {
    let mut lines = Vec::new();
    let mut number = 0;
    for group in &settings.groups {
        let scripts = &settings.scripts[group.scripts.clone()];
        for script in scripts {
            lines.push(format!("-- {}", heading(scripts, script)));
            lines.extend(first_transaction(settings, script, (number, clients), seed)?);
        }
        number = group.end;
    }
    Ok(lines)
}

/// Name of a script, and its share among those of its group.
fn heading(scripts: &[PlannedScript], script: &PlannedScript) -> String {
    let all: u64 = scripts.iter().map(|script| script.weight).sum();
    let percent = script.weight as f64 * 100.0 / all.max(1) as f64;
    let share = if scripts.len() == 1 { String::new() } else { format!(": {percent:.1} %") };
    format!("{}{}{share}", script.prefix, script.path)
}

fn first_transaction(
    settings: &SqlSettings,
    script: &PlannedScript,
    (number, clients): (u32, u32),
    seed: u64,
) -> Result<Vec<String>, Problem> {
    let (random, _, default_seed) = settings.random(number, clients, seed);
    let mut machine = Machine::new(settings.variables(number, seed, default_seed), random);
    let mut lines = Vec::new();
    let commands = &script.script.commands;
    machine.begin();
    for _ in 0..MOST {
        let step = match machine.step(&script.script, &settings.names) {
            Ok(step) => step,
            // What depends on a result is not known beforehand.
            Err(_) if stores_before(script, machine.last()) => {
                lines.push(format!("{}  -- depends on a result", commands[machine.last()].first_line));
                break;
            }
            Err(error) => return Err(told::failure_beforehand(&script.path, commands[machine.last()].line, &error)),
        };
        match step {
            ScriptStep::Sql(at) => {
                let Some(sql) = commands[at].sql() else { continue };
                let mut text = Vec::new();
                sql.write(&machine.variables, &mut text);
                let text = shown_bytes(&text);
                let one_line = text.split_whitespace().collect::<Vec<_>>().join(" ");
                let is_prepared = script.sql[at].as_ref().is_some_and(|planned| planned.prepared.is_some());
                let mut remarks = Vec::from_iter(is_prepared.then(|| "prepared".to_owned()));
                let has_none = |slot: &&Slot| machine.variables.get(**slot).is_none() && !stores_before(script, at);
                let names = sql.parameters.iter().filter(has_none).map(|slot| settings.names.name(*slot));
                remarks.extend(names.map(|name| format!(":{} has no value", shown(name))));
                lines.push(if remarks.is_empty() {
                    one_line
                } else {
                    format!("{one_line}  -- {}", remarks.join("; "))
                });
            }
            ScriptStep::End => break,
            ScriptStep::Meta(_) => {}
            ScriptStep::Sleep(at, _)
            | ScriptStep::Shell(at)
            | ScriptStep::SetShell(at)
            | ScriptStep::StartPipeline(at)
            | ScriptStep::SyncPipeline(at)
            | ScriptStep::EndPipeline(at) => {
                lines.push(commands[at].first_line.clone());
            }
        }
    }
    Ok(lines)
}

/// Whether a command before this one stores a result, or what a shell prints.
fn stores_before(script: &PlannedScript, at: usize) -> bool {
    script.script.commands[..at].iter().any(|command| match &command.kind {
        CommandKind::Sql(sql) => sql.store.is_some(),
        CommandKind::SetShell { .. } => true,
        _ => false,
    })
}

/// A variable of a script, and where its value comes from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ScriptVariable {
    /// Its name.
    pub name: String,
    /// The command that sets it, as it is written; `None`: nothing in the script.
    pub set: Option<String>,
}

/// The variables that a script mentions, in alphabetical order.
pub(crate) fn variables(script: &PlannedScript, names: &Names) -> Vec<ScriptVariable> {
    let mut mentioned: BTreeSet<Slot> = BTreeSet::new();
    let of = |expression: &Expression, mentioned: &mut BTreeSet<Slot>| {
        expression.variables(&mut |slot| _ = mentioned.insert(slot))
    };
    for command in &script.script.commands {
        match &command.kind {
            CommandKind::Sql(sql) => mentioned.extend(&sql.parameters),
            CommandKind::Set { slot, expression, .. } => {
                mentioned.insert(*slot);
                of(expression, &mut mentioned);
            }
            CommandKind::SetShell { slot, .. } => _ = mentioned.insert(*slot),
            CommandKind::If(expression) | CommandKind::Elif(expression) => of(expression, &mut mentioned),
            _ => {}
        }
    }
    let set = |slot: Slot| {
        let sets = |kind: &CommandKind| match kind {
            CommandKind::Set { slot: set, .. } | CommandKind::SetShell { slot: set, .. } => *set == slot,
            CommandKind::Sql(sql) => sql
                .store
                .as_ref()
                .is_some_and(|store| names.name(slot).starts_with(&store.prefix) && !store.prefix.is_empty()),
            _ => false,
        };
        let commands = || script.script.commands.iter();
        // A result without a prefix may set any variable that nothing else sets.
        let automatic = ["scale", "client_id", "random_seed", "default_seed"].contains(&names.name(slot));
        let stores = |kind: &CommandKind| matches!(kind, CommandKind::Sql(sql) if !automatic && sql.store.as_ref().is_some_and(|store| store.prefix.is_empty()));
        let setter = commands().find(|command| sets(&command.kind));
        setter.or_else(|| commands().find(|command| stores(&command.kind))).map(|command| command.first_line.clone())
    };
    let mut all: Vec<ScriptVariable> = mentioned
        .into_iter()
        .map(|slot| ScriptVariable { name: shown(names.name(slot)).into_owned(), set: set(slot) })
        .collect();
    all.sort_by(|a, b| a.name.cmp(&b.name));
    all
}
