//! `tenbin data list|remove`: the golden copies from which runs restore data.

use crate::args::{DataAction, DataArgs as Arguments};
use crate::kept_copies::together;
use crate::table;
use serde_json::json;
use std::path::Path;
use std::time::Duration;
use tenbin_servers::golden::{self, GoldenCopy, Stored};
use tenbin_terminal::exit::{self, Exit};
use tenbin_words::figure;
use tenbin_words::msg;
use tenbin_words::problem::Problem;

pub fn data(a: &Arguments) -> Result<Exit, Problem> {
    let store = a.store.clone().unwrap_or_else(golden::store);
    match &a.action {
        DataAction::List { json } => list(&store, *json),
        DataAction::Remove { names, all, unused, days, json } => {
            let every = match (all, unused) {
                (true, _) => Some(golden::list(&store)?.iter().map(|stored| stored.name().to_owned()).collect()),
                (_, true) => Some(golden::unused(&store, Duration::from_secs(u64::from(*days) * 86_400))?),
                _ => None,
            };
            remove(&store, every.as_ref().unwrap_or(names), every.is_some(), *json)
        }
    }
}

fn list(store: &Path, as_json: bool) -> Result<Exit, Problem> {
    let all = golden::list(store)?;
    if as_json {
        let copies: Vec<_> = all
            .iter()
            .map(|stored| match stored {
                Stored::Copy(copy) => {
                    let (directory, unused_s) = (copy.dir.to_string_lossy(), copy.unused_for().as_secs());
                    json!({"name": copy.name, "directory": directory, "description": copy.description, "unused_s": unused_s})
                }
                Stored::Unusable { name, why } => json!({"name": name, "unusable": why.english()}),
            })
            .collect();
        exit::print(&json!({ "store": store.to_string_lossy(), "copies": copies }).to_string());
        return Ok(Exit::Ok);
    }
    let words = exit::words();
    if all.is_empty() {
        exit::print(&words.text(msg!("golden-copies-none", store = store.display())));
        return Ok(Exit::Ok);
    }
    let head = [
        msg!("column-name"),
        msg!("column-size"),
        msg!("column-rows"),
        msg!("column-made-by"),
        msg!("column-server"),
        msg!("column-made"),
        msg!("column-unused-for"),
    ];
    let mut rows = vec![head.map(|name| words.text(name)).to_vec()];
    rows.extend(all.iter().map(|stored| match stored {
        Stored::Copy(copy) => {
            let d = &copy.description;
            let (size, count) = (figure::bytes(d.bytes as f64), figure::whole(i128::from(d.rows)));
            vec![copy.name.clone(), size, count, d.made_by.clone(), d.server.clone(), d.made.clone(), days(copy)]
        }
        Stored::Unusable { name, why } => {
            let none = || "-".to_owned();
            vec![name.clone(), none(), none(), none(), words.text(why.clone()), none(), none()]
        }
    }));
    exit::print(table::words(&rows).trim_end());
    let bytes = all.iter().map(|stored| if let Stored::Copy(copy) = stored { copy.description.bytes } else { 0 }).sum();
    exit::print(&format!("\n{}", words.text(together(all.len(), bytes, &store.display().to_string()))));
    Ok(Exit::Ok)
}

/// Whole days since the last use.
fn days(copy: &GoldenCopy) -> String {
    format!("{} d", copy.unused_for().as_secs() / 86_400)
}

/// `all`: they were found, and not named.
fn remove(store: &Path, names: &[String], all: bool, as_json: bool) -> Result<Exit, Problem> {
    let (mut removed, mut exit) = (Vec::new(), Exit::Ok);
    for name in names {
        match golden::remove(store, name) {
            Ok(()) => removed.push(name),
            // One that is in use keeps none of the others.
            Err(problem) if all => {
                exit::complain(&problem);
                exit = Exit::Errors;
                continue;
            }
            Err(problem) => return Err(problem),
        }
        if !as_json {
            exit::print(&format!("{} {name}", exit::words().label(msg!("label-removed"))));
        }
    }
    if names.is_empty() && !as_json {
        exit::print(&exit::words().text(msg!("golden-copies-none-to-remove", store = store.display())));
    }
    if as_json {
        exit::print(&json!({ "removed": removed }).to_string());
    }
    Ok(exit)
}
