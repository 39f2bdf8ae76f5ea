//! `tenbin doctor [DSN]`: is this machine, and that server, fit to be measured?

use crate::args::Doctor;
use crate::command::bench::target;
use crate::exit::{self, Exit};
use serde_json::json;
use std::collections::BTreeMap;
use tenbin_lab::hint;
use tenbin_model::problem::Problem;
use tenbin_target::doctor::{self, Finding, Level, Needs};

pub fn doctor(a: &Doctor) -> Result<Exit, Problem> {
    let mut findings = doctor::client();
    if let Some(dsn) = &a.dsn {
        let connector = tenbin_lab::connector(&target(dsn, &a.secret), &BTreeMap::new())?;
        // What the costliest of the usual workloads keeps prepared on one table.
        let needs = Needs { clients: a.clients, beside: 1, prepared_per_client: 11, ..Needs::default() };
        let told = doctor::server(&connector, &needs).into_iter().map(|finding| {
            let asked = target(dsn, &a.secret);
            let told = |mend| hint::complete(Problem::new("").mend(mend), &asked, None).mend;
            Finding { mend: finding.mend.and_then(told), ..finding }
        });
        findings.extend(told);
    }
    if a.json {
        let all: Vec<_> = findings.iter().map(as_json).collect();
        exit::say(&serde_json::to_string_pretty(&all).unwrap_or_default());
    } else {
        findings.iter().for_each(|f| exit::say(&as_text(f)));
        let count = |level| findings.iter().filter(|f| f.level == level).count();
        exit::say(&format!(
            "\n{} ok, {} notes, {} warnings, {} errors",
            count(Level::Ok),
            count(Level::Note),
            count(Level::Warning),
            count(Level::Error)
        ));
    }
    Ok(if findings.iter().any(|f| f.level == Level::Error) { Exit::Usage } else { Exit::Ok })
}

fn word(level: Level) -> &'static str {
    match level {
        Level::Ok => "ok",
        Level::Note => "note",
        Level::Warning => "warning",
        Level::Error => "error",
    }
}

fn as_text(f: &Finding) -> String {
    let mut text = format!("{:<9}{}", word(f.level), f.title);
    if let Some(evidence) = &f.evidence {
        text += &format!("\n           {}", evidence.replace('\n', "\n           "));
    }
    if let Some(mend) = &f.mend {
        text += &format!("\n           mend: {}", mend.replace('\n', "\n           "));
    }
    text
}

fn as_json(f: &Finding) -> serde_json::Value {
    json!({"level": word(f.level), "title": f.title, "evidence": f.evidence, "mend": f.mend})
}
