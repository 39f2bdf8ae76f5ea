//! Writes the page of a run directory to a file, to measure how long that takes, and how much memory: `cargo run --release -p
//! tenbin-report --example page_of_run -- runs/2026-11-21T0131-large page.html`.

use tenbin_report::{page, store};
use tenbin_words::language::Language;
use tenbin_words::message::foreign;
use tenbin_words::problem::Problem;

fn main() -> Result<(), Problem> {
    let [dir, to] = [1, 2].map(|n| std::env::args().nth(n).unwrap_or_default());
    let recording = store::read(dir.as_ref())?;
    let text = page::file(&recording.summary, &recording.doubts, Language::English);
    std::fs::write(to, text).map_err(|e| Problem::new(foreign(e)))
}
