//! `tenbin run plan.toml`.

use crate::args::Run;
use crate::execute::{execute, language};
use crate::exit::{self, Exit};
use std::path::Path;
use tenbin_lab::Request;
use tenbin_model::answer::Language;
use tenbin_model::plan::{Plan, expand};
use tenbin_model::problem::Problem;

pub fn run(a: &Run) -> Result<Exit, Problem> {
    let text = read(&a.plan)?;
    let Some(planned) = parsed(&text, &a.plan.display().to_string()) else { return Ok(Exit::Usage) };
    let asked = language(a.output.lang.as_deref())?;
    execute(&planned.request, &a.output, asked.or(planned.language))
}

/// A plan, ready to run.
pub struct Planned {
    pub request: Request,
    pub language: Option<Language>,
}

/// The plan file's text.
pub fn read(path: &Path) -> Result<String, Problem> {
    std::fs::read_to_string(path).map_err(|e| {
        Problem::new(format!("the plan {} cannot be read", path.display()))
            .evidence(e.to_string())
            .mend("tenbin plan example > plan.toml")
    })
}

/// Parses, expands and checks as far as no server is needed; complains of everything wrong at once.
pub fn parsed(text: &str, name: &str) -> Option<Planned> {
    let parsed = Plan::parse(text).and_then(|plan| {
        let trials = expand(&plan);
        let wrong: Vec<Problem> = tenbin_lab::check::options(&trials);
        if wrong.is_empty() { Ok((plan, trials)) } else { Err(wrong.into_iter().map(|p| plan.place(p)).collect()) }
    });
    match parsed {
        Ok((plan, trials)) => {
            let request = Request {
                tool: env!("TENBIN_VERSION").to_owned(),
                name: plan.name.clone(),
                plan: plan.text.clone(),
                passwords: plan.passwords.clone(),
                trials,
                workload: None,
            };
            let language = language(plan.lang.as_deref()).ok().flatten();
            plan.notes.iter().for_each(exit::remark);
            Some(Planned { request, language })
        }
        Err(problems) => {
            for problem in &problems {
                exit::complain(&Problem { what: format!("{name}: {}", problem.what), ..problem.clone() });
            }
            None
        }
    }
}
