//! `tenbin show DIR`: a finished run as at its end; with `--why` what limited each target.

use crate::args::Show;
use crate::command::report::{is_no_input, language_of, print_or_write};
use crate::command::stored_runs;
use crate::{table, tested_by, why};
use tenbin_report::export;
use tenbin_report::store::{self, Recording};
use tenbin_terminal::exit::{self, Exit};
use tenbin_terminal::words::TerminalWords;
use tenbin_verdict::why::{RefutingExperiment, of_targets};
use tenbin_words::msg;
use tenbin_words::problem::Problem;

pub fn show(a: &Show) -> Result<Exit, Problem> {
    is_no_input(a.plan.as_deref(), [&a.dir])?;
    let Recording { summary, doubts } = store::read(&a.dir)?;
    stored_runs::complain(None, &doubts);
    let language = language_of(&summary, a.lang.as_deref())?;
    if a.json {
        exit::print(&export::json(&summary, Some(&a.dir)));
    } else if a.why {
        let words = TerminalWords::new(language);
        exit::print(why::whole(&summary, &words).trim_end());
        for tested in tested_by::beside(&a.dir, &summary) {
            let sentence = tested.refutation.sentence();
            exit::print(&words.text(msg!("why-tested-by", run = tested.dir.display(), sentence)));
        }
    } else {
        exit::print(table::result(&summary, language).trim_end());
    }
    if let Some(file) = &a.plan {
        let first = of_targets(&summary).into_iter().find_map(|target| target.diagnosis.experiment);
        let none = || Problem::new(msg!("why-no-experiment")).hint(msg!("look-at-report", dir = a.dir.display()));
        let RefutingExperiment { plan, .. } = first.ok_or_else(none)?;
        print_or_write(Some(file), &plan)?;
    }
    Ok(match exit::of(&summary, false, a.strict) {
        Exit::Ok if !doubts.is_empty() => Exit::Errors,
        exit => exit,
    })
}
