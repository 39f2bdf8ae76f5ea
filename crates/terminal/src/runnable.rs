//! Plans that are read and checked, ready to run: from files, and from the text that a command line was turned into.

use crate::exit;
use crate::language::language;
use crate::version::version;
use std::collections::BTreeMap;
use std::io::ErrorKind;
use std::path::Path;
use tenbin_lab::check::Scripts;
use tenbin_lab::forecast::{self, Look};
use tenbin_lab::option_files::{self, OptionFileTexts};
use tenbin_lab::plan_paths;
use tenbin_lab::{Checks, Request};
use tenbin_model::load_host::LoadHostsSpec;
use tenbin_model::plan::{Plan, PlanScale, Reading, expand_times};
use tenbin_model::stop::StopSignal;
use tenbin_model::trial::Trial;
use tenbin_words::copied;
use tenbin_words::language::Language;
use tenbin_words::message::{Message, foreign};
use tenbin_words::msg;
use tenbin_words::problem::Problem;
use tenbin_words::shell;

/// A plan, ready to run.
#[derive(Debug)]
pub struct RunnablePlan {
    /// What the laboratory is to do.
    pub request: Request,
    /// The plan that it comes from.
    pub plan: Plan,
    /// The language that the plan names.
    pub language: Option<Language>,
}

impl RunnablePlan {
    /// Lets load hosts drive its trials: where they are, and how many of them.
    ///
    /// # Errors
    /// If the hosts cannot be understood, or do not go with the plan.
    pub fn place_on(&mut self, hosts: &[String], count: Option<u32>) -> Result<(), Problem> {
        let hosts = LoadHostsSpec::new(hosts, None, count);
        self.plan.set_hosts(hosts.map_err(|(what, hint)| Problem::new(what).hint(hint))?)?;
        self.request.trials = trials(&self.plan, 1);
        Ok(())
    }
}

/// Larger than any plan; protects against endless files.
const LONGEST: u64 = 4 << 20;

/// Reads a plan file, parses, expands and checks it as far as no server is needed; reports all mistakes at once.
/// `look`: what may be looked at for the further mistakes of a plan that has some.
pub fn read(
    path: &Path,
    scale: Option<PlanScale>,
    scripts: Scripts,
    look: Look,
) -> Result<Option<RunnablePlan>, Problem> {
    let name = path.display().to_string();
    let refuse = |evidence: Message, hint: Message| {
        Problem::new(msg!("plan-cannot-be-read", plan = name)).evidence(evidence).hint(hint)
    };
    let bytes = tenbin_intake::file(path, LONGEST).map_err(|e| match tenbin_intake::is_too_long(&e) {
        true => refuse(msg!("longer-than-4-mib"), msg!("give-a-plan")),
        false => refuse(foreign(&e), hint_to_read(path, &e)),
    })?;
    let text = String::from_utf8_lossy(&bytes);
    let mut reading = Reading::scaled(&text, &tenbin_workloads::catalog(), scale);
    let written = fresh(path);
    let convert = format!("iconv -f LATIN1 -t UTF-8 {} > {}", shell::word(&name), shell::word(&written));
    reading.not_utf8(&bytes, &foreign(convert));
    reading.copied_from_a_page(&text, &foreign(copied::mending(&name)));
    Ok(planned(reading, &name, &text, scripts, look))
}

/// A hint for a plan file that cannot be opened; it overwrites no existing file.
fn hint_to_read(path: &Path, error: &std::io::Error) -> Message {
    let name = shell::word(&path.display().to_string());
    match error.kind() {
        ErrorKind::NotFound => msg!("give-path-or-begin-plan", name),
        ErrorKind::PermissionDenied => msg!("ls-tells-who-may-read", name),
        ErrorKind::IsADirectory => msg!("give-plan-in-it", name),
        _ => msg!("look-at-file", name),
    }
}

/// A similar file name that does not exist.
fn fresh(path: &Path) -> String {
    let beside = |n: u32| path.with_extension(if n == 0 { "utf8.toml".into() } else { format!("utf8-{n}.toml") });
    let free = (0..1000).map(beside).find(|p| !p.exists());
    free.unwrap_or_else(|| beside(1000)).display().to_string()
}

/// The arguments for the keys of a plan that was generated from a command line.
pub type TypedKeys = BTreeMap<String, String>;

/// The same for the text of a generated plan: errors refer to what was typed, not to the plan's lines.
pub fn parsed(text: &str, typed: &TypedKeys) -> Option<RunnablePlan> {
    let mut reading = Reading::of(text, &tenbin_workloads::catalog());
    tenbin_lab::check::options(&mut reading, Scripts::Run);
    concluded(reading.finish_typed(typed).map(|plan| (plan, OptionFileTexts::new())), None)
}

/// The same without printing the mistakes, for command lines that have words of their own.
pub fn read_generated(text: &str) -> Result<RunnablePlan, Vec<Problem>> {
    let mut reading = Reading::of(text, &tenbin_workloads::catalog());
    tenbin_lab::check::options(&mut reading, Scripts::Run);
    reading.finish_typed(&TypedKeys::new()).map(|plan| runnable(plan, OptionFileTexts::new()))
}

fn planned(mut reading: Reading<'_>, name: &str, text: &str, scripts: Scripts, look: Look) -> Option<RunnablePlan> {
    let elsewhere = plan_paths::from_folder_of(Path::new(name), &mut reading);
    if !elsewhere.is_empty() {
        let mistakes = reading.finish().err().unwrap_or_default();
        return concluded(Err(mistakes.into_iter().chain(elsewhere).collect()), Some(name));
    }
    tenbin_lab::check::options(&mut reading, scripts);
    let understood = reading.is_refused().then(|| reading.trials());
    let read = reading.finish();
    let mut besides = Vec::new();
    if let (Err(problems), Some(mut trials)) = (&read, understood) {
        // A target that is not described has been reported.
        trials.retain(|trial| trial.target.is_reachable());
        let plan = tenbin_model::dsn::redact(text);
        let request = Request { name: name.to_owned(), plan, trials, ..Request::default() };
        // The servers of a plan that cannot be run are left alone.
        let look = if look == Look::Servers { Look::Programs } else { look };
        besides = forecast::besides(&request, problems, look, &StopSignal::new());
    }
    let read = read.and_then(|mut plan| option_files::fill(&mut plan).map(|texts| (plan, texts)));
    let planned = concluded(read, Some(name));
    besides.iter().for_each(exit::complain);
    planned
}

/// The trials of the plan, with all repeats `times` times.
pub fn trials(plan: &Plan, times: u32) -> Vec<Trial> {
    let mut trials = expand_times(plan, times);
    if plan.scale.is_some() {
        tenbin_lab::on_private_servers(&mut trials);
    }
    trials
}

fn runnable(plan: Plan, option_files: OptionFileTexts) -> RunnablePlan {
    let trials = trials(&plan, 1);
    let request = Request {
        tool: version().to_owned(),
        name: plan.name.clone(),
        plan: plan.text.clone(),
        passwords: plan.passwords.clone(),
        trials,
        option_files,
        workload: None,
        checks: Checks::EachTrial,
        folder: None,
        resumed: None,
        allows_changed_server: false,
        allows_changed_files: false,
    };
    let language = language(plan.lang.as_deref()).ok().flatten();
    language.into_iter().for_each(exit::speak);
    plan.notes.iter().for_each(exit::remark);
    RunnablePlan { request, plan, language }
}

fn concluded(read: Result<(Plan, OptionFileTexts), Vec<Problem>>, of: Option<&str>) -> Option<RunnablePlan> {
    match read {
        Ok((plan, option_files)) => Some(runnable(plan, option_files)),
        Err(problems) => {
            for problem in problems {
                let what = match of {
                    Some(file) => msg!("in-file", file, what = problem.what),
                    None => problem.what,
                };
                exit::complain(&Problem { what, ..problem });
            }
            None
        }
    }
}
