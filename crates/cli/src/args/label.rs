//! What can be said about a run: with the commands that measure, and afterwards by `tenbin label`.

use super::stored::stored_run;
use clap::Args;
use std::path::PathBuf;
use tenbin_model::labels::RunLabels;

#[derive(Debug, Clone, Default, Args)]
pub struct LabelArgs {
    /// What the run is called, beside the name of its plan
    #[arg(long, value_name = "NAME")]
    pub name: Option<String>,
    /// A word by which the run is found again; may be repeated
    #[arg(long = "tag", value_name = "WORD")]
    pub tags: Vec<String>,
    /// A sentence for readers of the result
    #[arg(long, value_name = "TEXT")]
    pub note: Option<String>,
}

impl LabelArgs {
    /// Whether nothing is said.
    pub fn is_empty(&self) -> bool {
        self.labels().is_empty()
    }

    /// As they are stored.
    pub fn labels(&self) -> RunLabels {
        let filled = |text: &Option<String>| text.clone().filter(|text| !text.trim().is_empty());
        RunLabels { name: filled(&self.name), tags: self.tags.clone(), note: filled(&self.note) }
    }
}

#[derive(Debug, Args)]
#[command(after_help = "Examples:
  tenbin label runs/2026-11-21T0131-demo --name 'before the upgrade' --tag 8.0
  tenbin label runs/2026-11-21T0131-demo                                 print them")]
pub struct Label {
    /// The run directory
    #[arg(value_parser = stored_run())]
    pub dir: PathBuf,
    #[command(flatten)]
    pub label: LabelArgs,
    /// Print them as JSON
    #[arg(long)]
    pub json: bool,
    /// Language of the output [default: LANG]
    #[arg(long, value_name = "en|ja")]
    pub lang: Option<String>,
}
