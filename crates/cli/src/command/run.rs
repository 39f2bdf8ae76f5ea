//! `tenbin run plan.toml`.

use crate::args::{AllowedChange, RunArgs};
use crate::execute::execute;
use std::sync::Arc;
use tenbin_lab::check::Scripts;
use tenbin_lab::forecast::Look;
use tenbin_lab::{EarlierRun, Resumed, plan_paths};
use tenbin_model::event::Event;
use tenbin_model::inspection::ServerFacts;
use tenbin_model::trial::Trial;
use tenbin_report::store::EarlierTrials;
use tenbin_terminal::exit::Exit;
use tenbin_terminal::language::language;
use tenbin_terminal::runnable::{read, trials};
use tenbin_verdict::agenda;
use tenbin_words::msg;
use tenbin_words::problem::Problem;

pub fn run(a: &RunArgs) -> Result<Exit, Problem> {
    let Some(mut planned) = read(&a.plan, a.scale, Scripts::Run, Look::Servers)? else { return Ok(Exit::Usage) };
    let language = language(a.output.lang.as_deref())?;
    if let Some(hosts) = &a.hosts.hosts {
        planned.place_on(hosts, a.hosts.hosts_count)?;
    }
    if let Some(dir) = &a.resume {
        let earlier = EarlierTrials::open(dir)?;
        if a.redo && agenda::is_open_ended(&planned.request.trials) {
            return Err(Problem::new(msg!("redo-of-open-ended")).hint(msg!("run-without-redo")));
        }
        if !a.redo {
            earlier.is_unfinished()?;
        }
        // A run that was continued with `--redo` has the repeats of the plan several times.
        let times = earlier.planned().div_ceil(planned.request.trials.len().max(1)) as u32;
        planned.request.trials = trials(&planned.plan, times.max(1) + u32::from(a.redo));
        planned.request.resumed = Some(Resumed(Arc::new(Earlier(earlier))));
        planned.request.folder = plan_paths::folder(&a.plan);
        planned.request.allows_changed_server = a.allow.contains(&AllowedChange::ChangedServer);
        planned.request.allows_changed_files = a.allow.contains(&AllowedChange::ChangedFiles);
    }
    execute(&planned.request, &a.output, language.or(planned.language), Some(&a.plan), Some(&a.live))
}

/// An interrupted run.
struct Earlier(EarlierTrials);

impl EarlierRun for Earlier {
    fn place(&self) -> String {
        self.0.dir().display().to_string()
    }

    fn count(&self) -> usize {
        self.0.count()
    }

    fn finished(&self, number: u32) -> Option<&Trial> {
        self.0.finished(number)
    }

    fn replay(&self, number: u32, each: &mut dyn FnMut(Event) -> Result<(), Problem>) -> Result<(), Problem> {
        self.0.replay(number, each)
    }

    fn facts(&self, number: u32) -> Option<Arc<ServerFacts>> {
        self.0.facts(number)
    }

    fn server(&self, target: &str, server: Option<&ServerFacts>) -> Option<(Arc<ServerFacts>, Vec<String>)> {
        self.0.server(target, server)
    }

    fn client(&self) -> Option<ServerFacts> {
        self.0.client().cloned()
    }

    fn notes_of_client(&self) -> Vec<Problem> {
        self.0.notes_of_client().to_vec()
    }

    fn last_ns(&self) -> u64 {
        self.0.last_ns()
    }
}
