//! `tenbin doctor [DSN]`: checks whether this machine and a server are ready to be measured.

use crate::args::Doctor;
use crate::command::target::target;
use serde_json::json;
use std::collections::BTreeMap;
use tenbin_lab::hint;
use tenbin_servers::doctor::{self, Needs};
use tenbin_servers::finding::{Finding, Level};
use tenbin_terminal::exit::{self, Exit};
use tenbin_terminal::words::TerminalWords;
use tenbin_words::message::{Message, foreign};
use tenbin_words::msg;
use tenbin_words::problem::Problem;

pub fn doctor(a: &Doctor) -> Result<Exit, Problem> {
    let mut findings = doctor::client();
    if let Some(dsn) = &a.dsn {
        let connector = tenbin_lab::connector(&target(dsn, &a.secret), &BTreeMap::new())?.existing()?;
        // The maximum that a usual workload prepares on one table.
        // Beside the clients: three observers, and the lock of the schema.
        let needs = Needs { clients: a.clients, beside: 4, prepared_per_client: 11, ..Needs::default() };
        let server_findings = doctor::server(&connector, &needs).into_iter().map(|finding| {
            let target = target(dsn, &a.secret);
            let completed = |hint: Message| hint::complete(Problem::new(foreign("")).hint(hint), &target, None).hint;
            Finding { hint: finding.hint.and_then(completed), ..finding }
        });
        findings.extend(server_findings);
    }
    if a.json {
        let all: Vec<_> = findings.iter().map(|f| as_json(f, word(f.level))).collect();
        exit::print(&serde_json::to_string_pretty(&all).unwrap_or_default());
    } else {
        let words = exit::words();
        findings.iter().for_each(|f| exit::print(&as_text(f, words)));
        let count = |level| findings.iter().filter(|f| f.level == level).count();
        let counts = [Level::Ok, Level::Note, Level::Warning, Level::Error].map(count);
        let [ok, notes, warnings, errors] = counts;
        let counts = msg!("findings-counted", ok, notes, warnings, errors);
        exit::print(&format!("\n{}", counts.text(words.language)));
    }
    Ok(if findings.iter().any(|f| f.level == Level::Error) { Exit::Usage } else { Exit::Ok })
}

/// The word for a level in JSON and on the terminal.
pub fn word(level: Level) -> &'static str {
    match level {
        Level::Ok => "ok",
        Level::Note => "note",
        Level::Warning => "warning",
        Level::Error => "error",
    }
}

/// A finding on the terminal.
pub fn as_text(f: &Finding, words: TerminalWords) -> String {
    let level = match f.level {
        Level::Ok => msg!("level-ok"),
        Level::Note => msg!("level-note"),
        Level::Warning => msg!("level-warning"),
        Level::Error => msg!("level-error"),
    };
    let language = words.language;
    let mut text = format!("{} {}", words.label(level), f.title.text(language));
    if let Some(evidence) = &f.evidence {
        text += &format!("\n           {}", evidence.text(language).replace('\n', "\n           "));
    }
    if let Some(hint) = &f.hint {
        let hint = hint.text(language).replace('\n', "\n           ");
        text += &format!("\n           {}: {hint}", words.text(msg!("label-hint")));
    }
    text
}

/// A finding as JSON, with the word for its level.
pub fn as_json(f: &Finding, level: &str) -> serde_json::Value {
    let english = |part: &Option<Message>| part.as_ref().map(|part| part.english().to_owned());
    json!({"level": level, "title": f.title.english(), "evidence": english(&f.evidence), "hint": english(&f.hint)})
}
