//! `tenbin label RUN`: a name, tags and a note of a stored run.

use crate::args::Label;
use tenbin_model::labels::RunLabels;
use tenbin_report::store;
use tenbin_terminal::exit::{self, Exit};
use tenbin_words::msg;
use tenbin_words::problem::Problem;
use tenbin_words::text::visible;

pub fn label(a: &Label) -> Result<Exit, Problem> {
    let labels = if a.label.is_empty() { store::labels(&a.dir)? } else { store::add_labels(&a.dir, a.label.labels())? };
    if a.json {
        exit::print(&serde_json::to_string_pretty(&labels).unwrap_or_default());
        return Ok(Exit::Ok);
    }
    let words = exit::words();
    let RunLabels { name, tags, note } = labels;
    let all = [
        (msg!("column-name"), name.unwrap_or_default()),
        (msg!("column-tags"), tags.join(", ")),
        (msg!("column-note"), note.unwrap_or_default()),
    ];
    for (label, text) in all {
        exit::print(&format!("{} {}", words.label(label), visible(&text)));
    }
    Ok(Exit::Ok)
}
