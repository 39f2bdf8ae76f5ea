//! `tenbin bundle RUN`: a run in one file.

use crate::args::Bundle;
use serde_json::json;
use tenbin_report::store::{self, Bundled};
use tenbin_terminal::exit::{self, Exit};
use tenbin_words::message::foreign;
use tenbin_words::msg;
use tenbin_words::problem::Problem;
use tenbin_words::text::visible;

/// The most files that a note names.
const MOST_NAMES: usize = 8;

pub fn bundle(a: &Bundle) -> Result<Exit, Problem> {
    let Bundled { file, verification, left_out } = store::write_bundle(&a.run, a.file.as_deref())?;
    if !left_out.is_empty() {
        let first = left_out.iter().take(MOST_NAMES).map(|name| visible(name)).collect::<Vec<_>>().join(", ");
        let more = if left_out.len() > MOST_NAMES { ", …" } else { "" };
        let names = foreign(format_args!("{first}{more}"));
        exit::remark(&Problem::new(msg!("bundle-left-out", n = left_out.len(), names)));
    }
    if a.json {
        let (run, bundle, record) = (a.run.to_string_lossy(), file.to_string_lossy(), &verification.record);
        let about = json!({
            "run": run, "bundle": bundle, "state": record.state, "digest": record.digest, "left_out": left_out,
        });
        exit::print(&serde_json::to_string_pretty(&about).unwrap_or_default());
    } else {
        exit::print(&file.display().to_string());
    }
    // The bundle of a run that was altered is of use to someone who looks into that, and not to be published.
    let altered = verification.problem(None, &a.run);
    altered.iter().for_each(exit::complain);
    Ok(if altered.is_some() { Exit::Invalid } else { Exit::Ok })
}
