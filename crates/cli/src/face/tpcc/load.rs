//! `tpcc_load`: fills tpcc-mysql's tables, all of them or a part, and prints what it prints.

use super::Program;
use super::hint::Here;
use super::server::{Server, server};
use super::text::{self, LOADER};
use super::typed::Typed;
use crate::exit::{self, Exit};
use crate::signals;
use std::collections::BTreeMap;
use std::io::Write;
use std::sync::Mutex;
use std::time::Instant;
use tenbin_driver::Connector;
use tenbin_model::dsn::{Dsn, Scheme};
use tenbin_model::figure;
use tenbin_workload::{Dataset, Found};

/// Parts 1 to 4 by the data set's names.
const PARTS: [&str; 4] = ["items", "warehouse", "customer", "orders"];

/// What was asked.
struct Asked {
    server: Server,
    warehouses: u64,
    /// Part, first and last warehouse.
    slice: Option<(u64, u64, u64)>,
    streams: u32,
    seed: u64,
    foreign_keys: bool,
}

/// Loads; how it ended.
pub fn load(typed: &Typed, program: Program) -> Result<Exit, String> {
    let asked = asked(typed, program)?;
    let stop = signals::listen().map_err(|p| p.to_string())?;
    let here = Here { server: &asked.server, load: again(&asked), loads: true };
    let password = asked.server.password.as_ref().map(|p| p.reveal().to_owned());
    let connector =
        Dsn::parse(&asked.server.dsn()).and_then(|dsn| Connector::new(dsn, password)).map(|c| c.until(&stop));
    let dataset = tenbin_workload::dataset("tpcc", &options(&asked), Scheme::Mysql);
    let (connector, dataset) = match connector.and_then(|connector| Ok((connector, dataset?))) {
        Ok(both) => both,
        Err(problem) => {
            program.complain(&here.told(&problem));
            return Ok(Exit::Usage);
        }
    };
    exit::say(&text::banner(program.0, LOADER));
    repeat(typed);
    exit::say(&parameters(&asked).join("\n"));
    exit::say("TPCC Data Load Started...");
    let dots = Mutex::new(Dots { rows: dataset.rows(), start: Instant::now(), before: None, told: 0 });
    let progress = |rows: u64| {
        if let Ok(mut dots) = dots.lock() {
            dots.show(rows);
        }
    };
    let outcome = dataset.load(&connector, asked.streams, asked.seed, &progress, &stop);
    let left_out = match outcome {
        Ok(left_out) => left_out,
        Err(problem) => {
            exit::say("");
            program.complain(&here.told(&problem));
            return Ok(if stop.asked() { Exit::Interrupted } else { Exit::Usage });
        }
    };
    exit::say("\n\n...DATA LOADING COMPLETED SUCCESSFULLY.");
    left_out.iter().for_each(exit::remark);
    hint(&*dataset, &connector, program);
    Ok(Exit::Ok)
}

/// The lines `option x with value 'y'`.
pub fn repeat(typed: &Typed) {
    for (name, value) in &typed.order {
        let value = if *name == "password" && !value.is_empty() { "*****" } else { value };
        exit::say(&line(name, value));
    }
}

/// One of them; letters are what parsers know.
fn line(name: &str, value: &str) -> String {
    let start = super::option::START.iter().find(|r| r.name == name);
    let row = start.or_else(|| super::option::LOAD.iter().find(|r| r.name == name));
    match row.map(|r| r.letter).unwrap_or(' ') {
        ' ' => format!("option {name} with value '{value}'"),
        'S' => format!("option S (socket) with value '{value}'"),
        'm' if name == "schemas" => format!("option m (multiple schemas) with value '{value}'"),
        'o' => format!("option o (multiple schemas offset) with value '{value}'"),
        n @ '0'..='4' => format!("option {n} (response time limit for transaction {n}) '{value}'"),
        letter => format!("option {letter} with value '{value}'"),
    }
}

fn asked(typed: &Typed, program: Program) -> Result<Asked, String> {
    if typed.text("database").is_empty() {
        return Err("no database is named: -d DATABASE".into());
    }
    if !typed.has("warehouses") {
        return Err("how many warehouses? -w N".into());
    }
    let warehouses = typed.number("warehouses", 1);
    let range = ["first-warehouse", "last-warehouse"].iter().any(|n| typed.has(n));
    let slice = match typed.number("part", 0) {
        0 if range => {
            return Err("-m and -n are warehouses of a part: give -l 1, 2, 3 or 4 too, or leave them out".into());
        }
        0 => None,
        part => {
            let (first, last) = (typed.number("first-warehouse", 1), typed.number("last-warehouse", warehouses));
            if last > warehouses {
                program.tell(&format!("-n {last} is beyond -w {warehouses}: loading to {warehouses}"));
            }
            let last = last.min(warehouses);
            if first > last {
                return Err(format!("warehouses {first} to {last} are none of {warehouses}"));
            }
            // Items belong to no warehouse.
            Some(if part == 1 { (1, 1, warehouses) } else { (part, first, last) })
        }
    };
    Ok(Asked {
        server: server(typed, "")?,
        warehouses,
        slice,
        streams: typed.number("streams", 4) as u32,
        seed: typed.number("seed", 0),
        foreign_keys: typed.text("foreign-keys") != "off",
    })
}

/// The same as options of the data set.
fn options(asked: &Asked) -> BTreeMap<String, String> {
    let mut all = vec![
        ("warehouses", asked.warehouses.to_string()),
        ("layout", "tpcc_mysql".into()),
        ("foreign_keys", if asked.foreign_keys { "on" } else { "off" }.into()),
        // create_table.sql may have been run before, as tpcc_load wants it.
        ("adopt", "on".into()),
    ];
    if let Some((part, first, last)) = asked.slice {
        all.push(("part", PARTS[part as usize - 1].into()));
        all.push(("first_warehouse", first.to_string()));
        all.push(("last_warehouse", last.to_string()));
    }
    all.into_iter().map(|(name, value)| (name.to_owned(), value)).collect()
}

/// The options, after those of the server, that ask for the same again.
fn again(asked: &Asked) -> String {
    let mut words = vec![format!("-w {}", asked.warehouses)];
    if let Some((part, first, last)) = asked.slice {
        words.push(format!("-l {part} -m {first} -n {last}"));
    }
    if asked.seed != 0 {
        words.push(format!("--seed {}", asked.seed));
    }
    if !asked.foreign_keys {
        words.push("--foreign-keys off".to_owned());
    }
    words.join(" ")
}

fn parameters(asked: &Asked) -> Vec<String> {
    let mut lines = vec!["<Parameters>".to_owned()];
    lines.extend(asked.server.lines());
    lines.push(format!("  [warehouse]: {}", asked.warehouses));
    if let Some((part, first, last)) = asked.slice {
        lines.push(format!("  [part(1-4)]: {part}"));
        lines.push(format!("     [MIN WH]: {first}"));
        lines.push(format!("     [MAX WH]: {last}"));
    }
    lines
}

/// Tables that somebody else made have the indexes and keys that he made.
fn hint(dataset: &dyn Dataset, connector: &Connector, program: Program) {
    if let Ok(Found::Ready { ours: false }) = dataset.inspect(connector) {
        program.tell("the tables were there: their indexes and foreign keys are left to add_fkey_idx.sql");
    }
}

/// Progress: a dot for each 100,000 rows, and where it stands after fifty of them.
struct Dots {
    rows: u64,
    start: Instant,
    /// Rows that were in at the beginning.
    before: Option<u64>,
    told: u64,
}

impl Dots {
    const ROWS: u64 = 100_000;

    fn show(&mut self, rows: u64) {
        let before = *self.before.get_or_insert_with(|| {
            self.told = rows / Self::ROWS;
            let (all, there) = (figure::whole(i128::from(self.rows)), figure::whole(i128::from(rows)));
            let so_far = if rows > 0 { format!(", {there} are in already") } else { String::new() };
            exit::say(&format!("Loading about {all} rows{so_far}"));
            rows
        });
        let mut out = std::io::stdout().lock();
        while self.told < rows / Self::ROWS {
            self.told += 1;
            exit::written(out.write_all(b"."));
            if self.told.is_multiple_of(50) {
                let per_second = (rows - before) as f64 / self.start.elapsed().as_secs_f64().max(1e-9);
                let left = figure::span(self.rows.saturating_sub(rows) as f64 / per_second.max(1.0));
                exit::written(writeln!(
                    out,
                    " {} rows, {left} left",
                    figure::whole(i128::from(self.told * Self::ROWS))
                ));
            }
        }
        exit::written(out.flush());
    }
}
