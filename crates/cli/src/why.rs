//! What limited each target, as text: what the run of a refuting plan shows, the diagnosis with its figures, the limit that would be next, the latency budget, what
//! one transaction cost, what is missing, and the experiment that would refute it.

use crate::{screen, table, wrap};
use std::fmt::Write;
use tenbin_model::summary::Summary;
use tenbin_terminal::words::TerminalWords;
use tenbin_verdict::judged_trial::JudgedTrial;
use tenbin_verdict::why::{self, Diagnosis, TargetDiagnosis, refutation};
use tenbin_words::figure;
use tenbin_words::message::foreign;
use tenbin_words::msg;

/// All of it.
pub fn whole(summary: &Summary, words: &TerminalWords) -> String {
    let all = why::of_targets(summary);
    if all.is_empty() {
        // A database within the client has no processes, waits and lines of its own that could be looked at.
        return words.text(match summary.trials.iter().any(|t| t.counts() && t.on_host()) {
            _ if why::within_client(summary) => msg!("why-embedded"),
            true => msg!("why-on-host"),
            false => msg!("why-invalid"),
        });
    }
    let tested = refutation::of_run(summary).map(|tested| format!("{}\n", words.text(tested.sentence())));
    let parts = tested.into_iter().chain(all.iter().map(|target| of_target(target, words)));
    // Sentences begin at the left; the text of the other lines begins behind their label.
    let indent = |line: &str| if line.starts_with(' ') { 11 } else { 2 };
    wrap::lines(&parts.collect::<Vec<_>>().join("\n"), screen::columns(), indent)
}

fn of_target(target: &TargetDiagnosis, words: &TerminalWords) -> String {
    let sentence = target.sentence();
    let d = &target.diagnosis;
    let mut out = format!("{}\n", words.text(sentence));
    let mut line = |label, text: String| {
        let _ = writeln!(out, "  {} {text}", words.label(label));
    };
    if let Some(next) = d.runner_up_words() {
        line(msg!("label-next-limit"), words.text(next));
    }
    for missing in &d.missing {
        let how = words.text(msg!("problem-with-hint", what = missing.what.clone(), hint = missing.how.clone()));
        line(msg!("label-missing"), how);
    }
    if let Some(experiment) = &d.experiment {
        let text = msg!("why-experiment", key = experiment.key, expects = experiment.expects.clone());
        line(msg!("label-experiment"), words.text(text));
    }
    let _ = write!(out, "\n{}\n{}", budget(d, words), costs(d, words));
    out
}

fn budget(d: &Diagnosis, words: &TerminalWords) -> String {
    let ms = |seconds: f64| format!("{} ms", figure::grouped(1e3 * seconds));
    let mut rows = vec![vec![words.text(msg!("budget-whole")), ms(d.budget.response_s), String::new(), String::new()]];
    rows.extend(d.budget.parts.iter().map(|part| {
        let share = format!("{:.0} %", 100.0 * d.budget.share(part.kind));
        vec![format!("  {}", words.text(part.kind.label())), ms(part.seconds), share, words.text(part.how.clone())]
    }));
    let mut out = table::words(&rows);
    if d.budget.reduced < 1.0 {
        let factor = format!("{:.2}", d.budget.reduced);
        let _ = writeln!(out, "  ({})", words.text(msg!("budget-reduced", factor)));
    }
    out
}

fn costs(d: &Diagnosis, words: &TerminalWords) -> String {
    if d.costs.is_empty() {
        return String::new();
    }
    let head = [msg!("costs-head"), msg!("costs-per-transaction"), msg!("costs-per-second"), foreign("")];
    let mut rows = vec![head.map(|text| words.text(text)).to_vec()];
    rows.extend(d.costs.iter().map(|cost| {
        let figures = [cost.per_operation, cost.per_second].map(figure::grouped);
        let [each, per_second] = figures;
        vec![format!("  {}", words.text(cost.label.clone())), each, per_second, cost.unit.to_owned()]
    }));
    table::words(&rows)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::made_up;
    use tenbin_model::plan::{Plan, expand};
    use tenbin_words::language::Language;

    /// A trial of a second on this target, in which a thousand transactions of a millisecond each completed.
    fn of(dsn: &str, workload: &str) -> String {
        let text = format!(
            "schema = 1\n[targets.t]\ndsn = \"{dsn}\"\n[[experiment]]\nrepeats = 1\nwarmup = \"0s\"\nmeasure = \"1s\"\n\
             load = {{ workload = \"{workload}\", clients = 1 }}\n"
        );
        let plan = Plan::parse(&text, &tenbin_workloads::catalog()).unwrap_or_else(|problems| panic!("{problems:?}"));
        let mut summary = Summary::default();
        made_up::completed(&mut summary, expand(&plan).remove(0), 1);
        whole(&summary, &TerminalWords::new(Language::English))
    }

    #[test]
    fn a_test_of_the_machine_is_no_database_within_the_client() {
        assert!(of("host:", "cpu").starts_with("the machine itself was tested"));
        assert!(of("sqlite:/tmp/x.db", "oltp_point_select").starts_with("the database runs within the client"));
    }
}
