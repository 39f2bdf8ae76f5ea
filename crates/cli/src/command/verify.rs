//! `tenbin verify RUN …`: are the files of runs as they were written? Its exit code says.

use crate::args::Verify;
use serde_json::{Value, json};
use std::path::Path;
use tenbin_model::record::RecordState;
use tenbin_report::store::{self, FileState, Verification};
use tenbin_terminal::exit::{self, Exit};
use tenbin_terminal::language::{language, language_of_environment};
use tenbin_terminal::words::TerminalWords;
use tenbin_words::message::{Message, foreign};
use tenbin_words::msg;
use tenbin_words::problem::Problem;
use tenbin_words::text::visible;

/// The most files with a line of their own, and the most trials that are named; JSON has all.
const MOST_FILES: usize = 100;
const MOST_TRIALS: usize = 30;

pub fn verify(a: &Verify) -> Result<Exit, Problem> {
    let words = TerminalWords::new(language(a.lang.as_deref())?.unwrap_or_else(language_of_environment));
    let mut reports: Vec<Value> = Vec::new();
    let mut worst = Exit::Ok;
    for run in &a.runs {
        let exit = match store::verify(run) {
            Ok(verification) if a.json => {
                reports.push(as_json(run, &verification));
                exit_of(&verification)
            }
            Ok(verification) => {
                exit::print(&text(run, &verification, &words));
                exit_of(&verification)
            }
            Err(problem) => {
                exit::complain(&problem);
                Exit::Usage
            }
        };
        worst = [worst, exit].into_iter().max_by_key(|exit| rank(*exit)).unwrap_or(worst);
    }
    if a.json {
        exit::print(&serde_json::to_string_pretty(&reports).unwrap_or_default());
    }
    Ok(worst)
}

fn exit_of(verification: &Verification) -> Exit {
    match verification.record.state {
        RecordState::Altered => Exit::Invalid,
        RecordState::WithoutDigest => Exit::Errors,
        RecordState::Unchanged | RecordState::Unfinished | RecordState::NotRead => Exit::Ok,
    }
}

/// Of several runs, the exit code is that of the worst.
fn rank(exit: Exit) -> u8 {
    match exit {
        Exit::Ok => 0,
        Exit::Errors => 1,
        Exit::Usage => 2,
        _ => 3,
    }
}

fn text(run: &Path, verification: &Verification, words: &TerminalWords) -> String {
    let Verification { record, files } = verification;
    let run = foreign(visible(&run.display().to_string()));
    let of_run = files.values().filter(|state| !matches!(state, FileState::Ignored | FileState::Free)).count();
    let altered = verification.altered().count();
    let sentence = match record.state {
        RecordState::Unchanged => msg!("verify-unchanged", run, n = of_run),
        RecordState::Altered => msg!("verify-altered", run, altered, n = of_run),
        RecordState::Unfinished => msg!("verify-unfinished", run, n = of_run),
        RecordState::WithoutDigest | RecordState::NotRead => msg!("verify-without-digest", run),
    };
    let mut lines = vec![words.text(sentence)];
    if let Some(digest) = &record.digest {
        lines.push(format!("  {} {digest}", words.label(msg!("label-digest"))));
    }
    if altered > 0 {
        lines.push(format!("  {}", words.text(trials(verification))));
    }
    let listed: Vec<_> = files.iter().filter(|(_, state)| is_told(state)).collect();
    let first = listed.iter().take(MOST_FILES);
    lines.extend(first.map(|(file, state)| format!("  {}: {}", visible(file), words.text(state.words()))));
    if listed.len() > MOST_FILES {
        lines.push(format!("  {}", words.text(msg!("and-more-files", n = listed.len() - MOST_FILES))));
    }
    lines.join("\n")
}

/// Whether a file has a line: it is not simply unchanged.
fn is_told(state: &FileState) -> bool {
    !matches!(state, FileState::Unchanged | FileState::Free | FileState::WithoutDigest)
}

/// The trials whose figures are not to be used.
fn trials(verification: &Verification) -> Message {
    let numbers = verification.altered_trials();
    if verification.is_run_altered() || numbers.is_empty() {
        return msg!("verify-all-trials");
    }
    let first: Vec<String> = numbers.iter().take(MOST_TRIALS).map(u32::to_string).collect();
    let more = if numbers.len() > MOST_TRIALS { ", …" } else { "" };
    msg!("verify-trials", numbers = foreign(format_args!("{}{more}", first.join(", "))))
}

fn as_json(run: &Path, verification: &Verification) -> Value {
    let Verification { record, files } = verification;
    let file = |(name, state): (&String, &FileState)| {
        let mut value = json!({ "file": name });
        if let (Some(keys), Ok(Value::Object(state))) = (value.as_object_mut(), serde_json::to_value(state)) {
            keys.extend(state);
            keys.insert("altered".to_owned(), files[name].is_altered().into());
        }
        value
    };
    json!({
        "run": run.to_string_lossy(), "state": record.state, "digest": record.digest,
        "altered_trials": verification.altered_trials(), "altered_for_all_trials": verification.is_run_altered(),
        "files": files.iter().map(file).collect::<Vec<_>>(),
    })
}
