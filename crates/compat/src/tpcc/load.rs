//! `tpcc_load`: loads tpcc-mysql's tables, all of them or a part, with its output.

use super::Program;
use super::arguments::Arguments;
use super::hint::HintContext;
use super::server::{Server, server};
use super::text::{self, LOADER};
use crate::option::OptionSpec;
use crate::parsed_args::ParsedArgs;
use std::collections::BTreeMap;
use std::io::Write;
use std::sync::Mutex;
use std::time::Instant;
use tenbin_driver::Connector;
use tenbin_model::dsn::{Dsn, Scheme};
use tenbin_terminal::exit::{self, Exit};
use tenbin_terminal::signals;
use tenbin_words::figure;
use tenbin_workload::{Dataset, DatasetState};

/// Parts 1 to 4 by the data set's names.
const PARTS: [&str; 4] = ["items", "warehouse", "customer", "orders"];

/// The settings.
struct LoadSettings {
    server: Server,
    warehouses: u64,
    /// Part, first and last warehouse.
    slice: Option<(u64, u64, u64)>,
    streams: u32,
    seed: u64,
    foreign_keys: bool,
}

/// Loads, and returns the exit code.
pub fn load(arguments: &Arguments, program: Program) -> Result<Exit, String> {
    let args = &arguments.args;
    let settings = resolve(args, program)?;
    let stop = signals::listen().map_err(|p| p.to_string())?;
    let here = HintContext { server: &settings.server, load: again(&settings), loads: true };
    let password = settings.server.password.as_ref().map(|p| p.reveal().to_owned());
    let connector =
        Dsn::parse(&settings.server.dsn()).and_then(|dsn| Connector::new(dsn, password)).map(|c| c.until(&stop));
    let dataset = tenbin_workloads::dataset("tpcc", &options(&settings), Scheme::Mysql);
    let (connector, dataset) = match connector.and_then(|connector| Ok((connector, dataset?))) {
        Ok(both) => both,
        Err(problem) => {
            program.complain(&here.told(&problem));
            return Ok(Exit::Usage);
        }
    };
    exit::print(&text::banner(program.0, LOADER));
    repeat(args);
    exit::print(&parameters(&settings).join("\n"));
    exit::print("TPCC Data Load Started...");
    let dots = Mutex::new(Dots { rows: dataset.rows(), start: Instant::now(), before: None, printed: 0 });
    let progress = |rows: u64| {
        if let Ok(mut dots) = dots.lock() {
            dots.show(rows);
        }
    };
    let outcome = dataset.load(&connector, settings.streams, settings.seed, &progress, &stop);
    let left_out = match outcome {
        Ok(left_out) => left_out,
        Err(problem) => {
            exit::print("");
            program.complain(&here.told(&problem));
            return Ok(if stop.asked() { Exit::Interrupted } else { Exit::Usage });
        }
    };
    exit::print("\n\n...DATA LOADING COMPLETED SUCCESSFULLY.");
    left_out.iter().for_each(exit::remark);
    hint(&*dataset, &connector, program);
    Ok(Exit::Ok)
}

/// The lines `option x with value 'y'`.
pub fn repeat(args: &ParsedArgs) {
    for (row, value) in &args.order {
        let value = if row.name == "password" && !value.is_empty() { "*****" } else { value };
        exit::print(&line(row, value));
    }
}

/// One of them, with the letter, which parsers expect.
fn line(row: &OptionSpec, value: &str) -> String {
    let name = row.name;
    match row.letter {
        ' ' => format!("option {name} with value '{value}'"),
        'S' => format!("option S (socket) with value '{value}'"),
        'm' if name == "schemas" => format!("option m (multiple schemas) with value '{value}'"),
        'o' => format!("option o (multiple schemas offset) with value '{value}'"),
        n @ '0'..='4' => format!("option {n} (response time limit for transaction {n}) '{value}'"),
        letter => format!("option {letter} with value '{value}'"),
    }
}

fn resolve(args: &ParsedArgs, program: Program) -> Result<LoadSettings, String> {
    if args.text("database").is_empty() {
        return Err("no database is named: -d DATABASE".into());
    }
    if !args.has("warehouses") {
        return Err("how many warehouses? -w N".into());
    }
    let warehouses = args.number("warehouses");
    let range = ["first-warehouse", "last-warehouse"].iter().any(|n| args.has(n));
    let slice = match args.number("part") {
        0 if range => {
            return Err("-m and -n are warehouses of a part: give -l 1, 2, 3 or 4 too, or leave them out".into());
        }
        0 => None,
        part => {
            let (first, last) = (
                args.number("first-warehouse"),
                args.given("last-warehouse").map_or(warehouses, |_| args.number("last-warehouse")),
            );
            if last > warehouses {
                program.write(&format!("-n {last} is beyond -w {warehouses}: loading to {warehouses}"));
            }
            let last = last.min(warehouses);
            if first > last {
                return Err(format!("warehouses {first} to {last} are none of {warehouses}"));
            }
            // Items do not belong to a warehouse.
            Some(if part == 1 { (1, 1, warehouses) } else { (part, first, last) })
        }
    };
    Ok(LoadSettings {
        server: server(args)?,
        warehouses,
        slice,
        streams: args.number("streams") as u32,
        seed: args.number("seed"),
        foreign_keys: args.on("foreign-keys"),
    })
}

/// The same as options of the data set.
fn options(settings: &LoadSettings) -> BTreeMap<String, String> {
    let mut all = vec![
        ("warehouses", settings.warehouses.to_string()),
        ("layout", "tpcc_mysql".into()),
        ("foreign_keys", if settings.foreign_keys { "on" } else { "off" }.into()),
        // create_table.sql may have been run before, as required by the original tpcc_load.
        ("adopt", "on".into()),
    ];
    if let Some((part, first, last)) = settings.slice {
        all.push(("part", PARTS[part as usize - 1].into()));
        all.push(("first_warehouse", first.to_string()));
        all.push(("last_warehouse", last.to_string()));
    }
    all.into_iter().map(|(name, value)| (name.to_owned(), value)).collect()
}

/// The options, after those of the server, for the same load.
fn again(settings: &LoadSettings) -> String {
    let mut words = vec![format!("-w {}", settings.warehouses)];
    if let Some((part, first, last)) = settings.slice {
        words.push(format!("-l {part} -m {first} -n {last}"));
    }
    if settings.seed != 0 {
        words.push(format!("--seed {}", settings.seed));
    }
    if !settings.foreign_keys {
        words.push("--foreign-keys off".to_owned());
    }
    words.join(" ")
}

fn parameters(settings: &LoadSettings) -> Vec<String> {
    let mut lines = vec!["<Parameters>".to_owned()];
    lines.extend(settings.server.lines());
    lines.push(format!("  [warehouse]: {}", settings.warehouses));
    if let Some((part, first, last)) = settings.slice {
        lines.push(format!("  [part(1-4)]: {part}"));
        lines.push(format!("     [MIN WH]: {first}"));
        lines.push(format!("     [MAX WH]: {last}"));
    }
    lines
}

/// Tables created by somebody else keep their own indexes and keys.
fn hint(dataset: &dyn Dataset, connector: &Connector, program: Program) {
    if let Ok(DatasetState::Ready { ours: false }) = dataset.inspect(connector) {
        program.write("the tables were there: their indexes and foreign keys are left to add_fkey_idx.sql");
    }
}

/// Progress: a dot for each 100,000 rows, and the position after fifty of them.
struct Dots {
    rows: u64,
    start: Instant,
    /// Rows that were loaded at the start.
    before: Option<u64>,
    printed: u64,
}

impl Dots {
    const ROWS: u64 = 100_000;

    fn show(&mut self, rows: u64) {
        let before = *self.before.get_or_insert_with(|| {
            self.printed = rows / Self::ROWS;
            let (all, there) = (figure::whole(i128::from(self.rows)), figure::whole(i128::from(rows)));
            let so_far = if rows > 0 { format!(", {there} are in already") } else { String::new() };
            exit::print(&format!("Loading about {all} rows{so_far}"));
            rows
        });
        let mut out = std::io::stdout().lock();
        while self.printed < rows / Self::ROWS {
            self.printed += 1;
            exit::written(out.write_all(b"."));
            if self.printed.is_multiple_of(50) {
                let per_second = (rows - before) as f64 / self.start.elapsed().as_secs_f64().max(1e-9);
                let left = figure::span(self.rows.saturating_sub(rows) as f64 / per_second.max(1.0));
                exit::written(writeln!(
                    out,
                    " {} rows, {left} left",
                    figure::whole(i128::from(self.printed * Self::ROWS))
                ));
            }
        }
        exit::written(out.flush());
    }
}
