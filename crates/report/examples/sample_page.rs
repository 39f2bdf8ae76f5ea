//! Writes a made-up run and its page into a folder, for work on the page: `cargo run -p tenbin-report --example sample_page -- DIR`.
#![expect(clippy::print_stdout, reason = "an example tells where it wrote")]

#[path = "../tests/common/mod.rs"]
mod sample;

use std::path::PathBuf;
use tenbin_model::answer::Language;
use tenbin_model::event::Sink;
use tenbin_model::problem::Problem;
use tenbin_report::{page, store};

fn main() -> Result<(), Problem> {
    let root = std::env::args().nth(1).map_or_else(std::env::temp_dir, PathBuf::from);
    let mut store = store::Store::create(&root, "sample")?;
    for event in sample::events(sample::PLAN) {
        store.receive(&event)?;
    }
    println!("{}", page::write(&store.close()?, Language::English)?.display());
    Ok(())
}
