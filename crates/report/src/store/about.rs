//! `run.json`: what a run is, and what it found, so that a list of runs needs not read all of them. It has a digest of itself.

use super::files::Folder;
use super::{foreign, sums};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::io;
use tenbin_model::doubt::Verdict;
use tenbin_model::event::EndState;
use tenbin_model::summary::Summary;
use tenbin_verdict::answer::answer;
use tenbin_verdict::judged::Judged;
use tenbin_words::language::Language;

/// The name of the file.
pub(super) const NAME: &str = "run.json";

/// The content of `run.json`.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub(super) struct About {
    pub format: u32,
    pub name: String,
    pub tool: String,
    pub started: String,
    /// `None` until the run ends.
    pub state: Option<EndState>,
    pub trials: u32,
    /// The verdict and the answer, in English and Japanese, of a run that was written to its end.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub outcome: Option<Outcome>,
    /// The SHA-256 of the file without this key. It is replaced during the run, so its digest is not among those of other files.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub check: Option<String>,
}

impl About {
    /// Writes it, in the place of what was written before.
    pub fn write(&self, folder: &Folder) -> io::Result<()> {
        let mut about = About { check: None, ..self.clone() };
        about.check = Some(sums::digest(&serde_json::to_vec_pretty(&about)?));
        folder.replace(NAME, &serde_json::to_vec_pretty(&about)?)
    }

    /// Whether it has a digest: the version that wrote it wrote digests of all files.
    pub fn has_check(&self) -> bool {
        self.check.is_some()
    }
}

/// Whether this is `run.json` as it was written.
pub(super) fn is_whole(text: &[u8]) -> bool {
    let Ok(mut about) = serde_json::from_slice::<Value>(text) else { return false };
    let pretty = |about: &Value| serde_json::to_vec_pretty(about).unwrap_or_default();
    let same = pretty(&about) == text;
    let stated = about.as_object_mut().and_then(|keys| keys.shift_remove("check"));
    same && stated.is_some_and(|stated| stated == sums::digest(&pretty(&about)))
}

/// What a run found, so that a list of runs needs not read all of them.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Outcome {
    /// The verdict on the run.
    pub verdict: Verdict,
    /// The answer.
    pub answer: String,
    /// The same in Japanese.
    pub answer_ja: String,
    /// By what the data and the time of the plan were multiplied, if it was a try-out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub scale: Option<f64>,
}

impl Outcome {
    /// Of a finished run.
    pub fn of(summary: &Summary) -> Outcome {
        let answer = answer(summary);
        let (verdict, answer_ja) = (summary.verdict(), answer.text(Language::Japanese));
        Outcome { verdict, answer: answer.english().to_owned(), answer_ja, scale: summary.scale() }
    }
}

/// The content for a list of runs, which does not look at other files: without what the run found if it is not as it was written. Recordings
/// of older versions have no digest.
pub(super) fn listed(text: &[u8]) -> Option<About> {
    let mut about: About = foreign::parse(text).ok()?;
    if about.has_check() && !is_whole(text) {
        about.outcome = None;
    }
    Some(about)
}
