//! `tenbin data list|remove`: the golden copies from which runs restore data.

use crate::args::{DataAction, DataArgs as Arguments};
use crate::exit::{self, Exit};
use crate::table;
use serde_json::json;
use std::path::Path;
use tenbin_model::figure;
use tenbin_model::message::foreign;
use tenbin_model::msg;
use tenbin_model::problem::Problem;
use tenbin_targets::golden::{self, Stored};

pub fn data(a: &Arguments) -> Result<Exit, Problem> {
    let store = a.store.clone().unwrap_or_else(golden::store);
    match &a.action {
        DataAction::List { json } => list(&store, *json),
        DataAction::Remove { names, all, json } => remove(&store, names, *all, *json),
    }
}

fn list(store: &Path, as_json: bool) -> Result<Exit, Problem> {
    let all = golden::list(store)?;
    if as_json {
        let copies: Vec<_> = all
            .iter()
            .map(|stored| match stored {
                Stored::Copy(copy) => {
                    json!({"name": copy.name, "directory": copy.dir, "description": copy.description})
                }
                Stored::Unusable { name, why } => json!({"name": name, "unusable": why.english()}),
            })
            .collect();
        exit::print(&json!({ "store": store, "copies": copies }).to_string());
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
    ];
    let mut rows = vec![head.map(|name| words.text(name)).to_vec()];
    rows.extend(all.iter().map(|stored| match stored {
        Stored::Copy(copy) => {
            let d = &copy.description;
            let (size, count) = (figure::bytes(d.bytes as f64), figure::whole(i128::from(d.rows)));
            vec![copy.name.clone(), size, count, d.made_by.clone(), d.server.clone(), d.made.clone()]
        }
        Stored::Unusable { name, why } => {
            let none = || "-".to_owned();
            vec![name.clone(), none(), none(), none(), words.text(why.clone()), none()]
        }
    }));
    exit::print(table::words(&rows).trim_end());
    exit::print(&format!("\n{}", words.text(foreign(store.display()))));
    Ok(Exit::Ok)
}

fn remove(store: &Path, names: &[String], all: bool, as_json: bool) -> Result<Exit, Problem> {
    let every =
        if all { golden::list(store)?.iter().map(|stored| stored.name().to_owned()).collect() } else { Vec::new() };
    let names = if all { &every } else { names };
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
    if as_json {
        exit::print(&json!({ "removed": removed }).to_string());
    }
    Ok(exit)
}
