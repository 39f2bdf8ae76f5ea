//! Writes made-up runs and their pages into a folder, for work on the page: `cargo run -p tenbin-report --example
//! sample_page -- DIR`. The run directories are in `runs` there, for the commands that show runs.
#![expect(clippy::print_stdout, reason = "an example tells where it wrote")]

#[path = "../tests/suite/common/mod.rs"]
mod common;
#[path = "../tests/suite/variants.rs"]
#[expect(dead_code, reason = "tests look at single runs")]
mod variants;

use std::path::PathBuf;
use tenbin_model::event::Sink;
use tenbin_model::summary::Summary;
use tenbin_report::page;
use tenbin_report::store::Store;
use tenbin_words::language::Language;
use tenbin_words::message::foreign;
use tenbin_words::problem::Problem;

fn main() -> Result<(), Problem> {
    let root = std::env::args().nth(1).map_or_else(std::env::temp_dir, PathBuf::from);
    for (name, events) in variants::each(|_| true) {
        let file = root.join(format!("{name}.html"));
        let text = page::file(&Summary::of(&events), &[], Language::English);
        std::fs::write(&file, text).map_err(|e| Problem::new(foreign(format!("{}: {e}", file.display()))))?;
        let mut store = Store::create(&root.join("runs"), name)?;
        for event in &events {
            store.receive(event)?;
        }
        store.close()?;
        println!("{}", file.display());
    }
    Ok(())
}
