//! Exports of a finished run: Markdown for documents, CSV for spreadsheets, JSON for programs.

mod columns;
mod github;
mod groups;
mod hdr;
mod hosts;
mod open_metrics;
mod parquet;
mod readings;
mod response;
mod run_name;
mod series;
mod table;
mod trials;
mod why;

pub use github::summary as github;
pub use groups::table as groups;
pub use hdr::log as hdr_log;
pub use open_metrics::text as open_metrics;
pub use readings::table as readings;
pub use series::table as series;
pub use table::{Column, ColumnType, Table, csv_of, harmless, quoted};
pub use trials::table as trials;

use crate::rows::{cells, group_table, head};
use response::json as response;
use run_name::RunName;
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::fmt::Write;
use std::path::Path;
use tenbin_model::absolute_limit::Limited;
use tenbin_model::counted::truncated_cell;
use tenbin_model::figures::{Figure, TIMES};
use tenbin_model::gate::RegressionLimit;
use tenbin_model::names::session;
use tenbin_model::plan::gate_limits;
use tenbin_model::promise::Promise;
use tenbin_model::question::Question;
use tenbin_model::summary::{Summary, TrialResult};
use tenbin_model::tally::Accounting;
use tenbin_model::tpcc;
use tenbin_verdict::answer::{self, answer, caution, footnotes};
use tenbin_verdict::clocks::{self, WaitCause};
use tenbin_verdict::compared::Compared;
use tenbin_verdict::comparison::Comparison;
use tenbin_verdict::conditions::conditions;
use tenbin_verdict::cost::costs;
use tenbin_verdict::durability;
use tenbin_verdict::judged::Judged;
use tenbin_verdict::judged_trial::JudgedTrial;
use tenbin_verdict::lag::{self, AfterLoad, ReplicaLag};
use tenbin_verdict::limit::{self, Level, Limit};
use tenbin_verdict::limit_ratio::{self, LimitLead};
use tenbin_verdict::machine;
use tenbin_verdict::network_path::{self, NetworkPath};
use tenbin_verdict::question;
use tenbin_verdict::scaling::{self, Scaling};
use tenbin_verdict::sessions::{self, ActiveSessions};
use tenbin_verdict::subset::{self, Subset};
use tenbin_verdict::tpcc_result;
use tenbin_verdict::why::sentences;
use tenbin_words::language::Language;
use tenbin_words::message::Message;
use tenbin_words::msg;
use tenbin_words::text::visible;

/// Answer, table and verdict as Markdown.
pub fn markdown(summary: &Summary, language: Language) -> String {
    let mut out = format!("# {}\n\n{}\n\n", escaped(&summary.name), escaped(&answer(summary).text(language)));
    for limit in sentences(summary) {
        let _ = write!(out, "{}\n\n", escaped(&limit.text(language)));
    }
    if let Some(conditions) = conditions(summary) {
        let _ = write!(out, "{}\n\n", escaped(&conditions.text(language)));
    }
    if let Some(caution) = caution(summary) {
        let _ = write!(out, "**{}**\n\n", escaped(&caution.text(language)));
    }
    let head: Vec<String> = head(summary).iter().map(|c| escaped(&c.text(language))).collect();
    let _ = writeln!(out, "| {} |", head.join(" | "));
    let _ = writeln!(out, "|{}", "---|".repeat(head.len()));
    for row in cells(summary) {
        let _ = writeln!(out, "| {} |", row.iter().map(|c| escaped(c)).collect::<Vec<_>>().join(" | "));
    }
    markdown_groups(summary, language, &mut out);
    if summary.cells().iter().any(|c| truncated_cell(summary, c)) {
        let _ = write!(out, "\n{}\n", msg!("cut-off-by-time").text(language));
    }
    for note in footnotes(summary) {
        let _ = write!(out, "\n{}\n", escaped(&note.text(language)));
    }
    for replica in lag::of(summary) {
        let (trial, sentence) = (replica.trial, replica.sentence());
        let _ = write!(out, "\n{}\n", escaped(&msg!("replica-in-trial", trial, sentence).text(language)));
    }
    for cost in costs(summary) {
        let _ = write!(out, "\n{}\n", escaped(&cost.sentence().text(language)));
    }
    for profile in profiles(summary) {
        let _ = write!(out, "\n{}\n", escaped(&tpcc_result::told_of(profile).text(language)));
    }
    let _ = write!(
        out,
        "\n{} — Tenbin {}, {}\n",
        summary.verdict().name(),
        escaped(&summary.tool),
        escaped(&summary.starts().join(", "))
    );
    out
}

/// A table of groups of clients, if there are any.
fn markdown_groups(summary: &Summary, language: Language, out: &mut String) {
    let (head, rows) = group_table(summary);
    if rows.is_empty() {
        return;
    }
    let head: Vec<String> = head.iter().map(|name| escaped(&name.text(language))).collect();
    let _ = write!(out, "\n| {} |\n|{}\n", head.join(" | "), "---|".repeat(head.len()));
    for row in rows {
        let _ = writeln!(out, "| {} |", row.iter().map(|c| escaped(c)).collect::<Vec<_>>().join(" | "));
    }
}

/// The profiles of the workload `tpcc` that were measured, without duplicates.
fn profiles(summary: &Summary) -> BTreeSet<&str> {
    summary.trials.iter().filter_map(|t| tpcc::profile(&t.trial)).collect()
}

/// Text escaped for Markdown: it is on one line, and contains no markup, links or HTML. Renderers make links of addresses too: those
/// with a scheme, with `www.`, and of mail (GitHub Flavored Markdown 0.29, section 6.9).
pub(crate) fn escaped(text: &str) -> String {
    let shown = visible(text);
    let mut out = String::with_capacity(shown.len());
    let mut before = ' ';
    let mut rest = shown.chars().peekable();
    while let Some(c) = rest.next() {
        // An underscore inside a word is no markup (CommonMark 0.31, section 6.2). It is not escaped, so that names of
        // workloads remain readable.
        let inside = before.is_alphanumeric() && rest.peek().is_some_and(|next| next.is_alphanumeric());
        match c {
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '&' => out.push_str("&amp;"),
            '|' | '`' | '*' | '[' | ']' | '\\' | '~' => out.extend(['\\', c]),
            // Escapes are undone before addresses of mail are looked for: only something else than text in between prevents a link.
            '@' if inside => out.push_str("\\@<!-- -->"),
            '#' | '!' | '@' => out.extend(['\\', c]),
            // `http://`, `mailto:`.
            ':' if rest.peek() == Some(&'/') || ends_with(&out, "mailto") || ends_with(&out, "xmpp") => {
                out.push_str("\\:")
            }
            '.' if ends_with(&out, "www") => out.push_str("\\."),
            '_' if !inside => out.push_str("\\_"),
            c => out.push(c),
        }
        before = c;
    }
    out
}

/// Whether a text ends with this word, in whatever case.
fn ends_with(text: &str, word: &str) -> bool {
    text.len() >= word.len() && text.as_bytes()[text.len() - word.len()..].eq_ignore_ascii_case(word.as_bytes())
}

/// All numbers, also those that are 0.
fn accounting(of: &Accounting) -> serde_json::Value {
    let Accounting { begun_before, scheduled, completed, failed, skipped, open, carried, carried_failed } = of;
    serde_json::json!({
        "begun_before": begun_before, "scheduled": scheduled, "completed": completed, "failed": failed, "skipped": skipped, "open": open, "carried": carried,
        "carried_failed": carried_failed,
    })
}

/// The durability of the trial's commits, as a code of [`Promise`], or `not-known`.
fn durability_code(summary: &Summary, t: &TrialResult) -> &'static str {
    durability::of_trial(summary, t).map_or("not-known", Promise::code)
}

/// All results as JSON, without histograms (which are in the run directory) and without single values of readings (see
/// [`readings()`]).
pub fn json(summary: &Summary, dir: Option<&Path>) -> String {
    let (answer, conditions, caution) = (answer(summary), conditions(summary), caution(summary));
    let english = |message: &Option<Message>| message.as_ref().map(|m| m.english().to_owned());
    let japanese = |message: &Option<Message>| message.as_ref().map(|m| m.text(Language::Japanese));
    let run = RunName::of(summary, dir);
    let value = json!({
        "name": summary.name,
        "labels": summary.labels,
        "tool": summary.tool,
        "started": summary.started,
        "dir": dir.map(Path::to_string_lossy),
        "digest": summary.record.digest,
        "record": summary.record.state,
        "scale": summary.scale(),
        "state": summary.state,
        "verdict": summary.verdict(),
        "answer": answer.english(),
        "answer_ja": answer.text(Language::Japanese),
        "conditions": english(&conditions),
        "conditions_ja": japanese(&conditions),
        "caution": english(&caution),
        "caution_ja": japanese(&caution),
        "machines": machine::all(summary).into_iter().map(|machine| (machine.about.to_owned(), json!(machine.values)))
            .collect::<serde_json::Map<_, _>>(),
        "run": run.as_str(),
        "trials": summary.trials.iter().map(|t| trial(summary, t, &run)).collect::<Vec<_>>(),
        "cells": summary.cells().iter().map(|c| json!({
            "cell": c.cell, "target": c.target, "trials": c.trials, "left_out": c.left_out, "tps": c.tps,
            "verdict": c.is_begun().then_some(c.verdict), "doubts": c.doubts,
        })).collect::<Vec<_>>(),
        "comparisons": comparisons(summary),
        "leaders": leaders(summary),
        "group_comparisons": groups::comparisons(summary),
        "limits": limit::of(summary).iter().map(limit_json).collect::<Vec<_>>(),
        "limit_comparisons": limit_ratio::leads(summary).iter().map(lead_json).collect::<Vec<_>>(),
        "scaling": scaling::of(summary).iter().map(scaling_json).collect::<Vec<_>>(),
        "costs": costs(summary).iter().map(|c| json!({
            "experiment": c.experiment, "target": c.target, "axes": axes(&c.axes), "price": c.price, "tps": c.per_second,
            "per_1000_transactions": c.price.as_ref().map(|price| price.of_thousand(c.per_second)),
        })).collect::<Vec<_>>(),
        "bottlenecks": why::of_targets(summary), "refutation": why::tested(summary),
        "gate": gate(summary), "notes": summary.notes,
    });
    serde_json::to_string_pretty(&value).unwrap_or_default()
}

/// The limits of the plan for `tenbin gate`; null if it has none.
fn gate(summary: &Summary) -> Option<Value> {
    let limits = gate_limits(&summary.plan);
    let regression = |limit: &RegressionLimit| json!({ "figure": limit.figure.code(), "limit": limit.share });
    let any = !(limits.check.is_empty() && limits.max_regression.is_empty());
    any.then(|| {
        json!({
            "check": limits.check.iter().map(ToString::to_string).collect::<Vec<_>>(),
            "max_regression": limits.max_regression.iter().map(regression).collect::<Vec<_>>(),
            "undecided_fails": limits.undecided_fails,
        })
    })
}

fn limit_json(l: &Limit) -> Value {
    let level = |level: &Level| {
        let time_ms = level.time_ns.map(|ns| ns / 1e6);
        json!({
            "level": level.level, "held": level.held, "failed": level.failed, "tps": level.tps, "time_ms": time_ms,
            "completed": level.completed, "needed": level.needed, "undecided": level.level.is_some() && level.is_undecided(),
        })
    };
    json!({
        "experiment": l.experiment, "target": l.target, "axes": axes(&l.axes), "vary": l.search.vary, "objective": l.search.until,
        "holds": l.holds, "fails": l.fails, "found": l.is_found, "undecided": l.undecided().is_some(),
        "levels": l.levels.iter().map(level).collect::<Vec<_>>(),
        "sentence": l.sentence().english(), "sentence_ja": l.sentence().text(Language::Japanese),
    })
}

fn lead_json(lead: &LimitLead) -> Value {
    json!({
        "experiment": lead.experiment, "axes": axes(&lead.axes), "a": lead.a.target, "b": lead.b.target, "ratio": lead.interval.value,
        "interval": { "low": lead.interval.low, "high": lead.b.fails.map(|_| lead.interval.high) }, "shows_difference": lead.is_decided(),
        "sentence": answer::lead(lead).english(), "sentence_ja": answer::lead(lead).text(Language::Japanese),
    })
}

fn scaling_json(s: &Scaling) -> Value {
    json!({
        "experiment": s.experiment, "target": s.target, "axes": axes(&s.axes), "fit": s.fit, "peak_clients": s.fit.peak(),
        "peak_clients_between": s.peak_between, "client_bound_cells": s.client_bound, "points": s.points,
        "sentence": s.sentence().english(), "sentence_ja": s.sentence().text(Language::Japanese),
    })
}

fn axes(all: &[(String, String)]) -> std::collections::BTreeMap<&str, &str> {
    all.iter().map(|(key, value)| (key.as_str(), value.as_str())).collect()
}

/// All comparisons: of each experiment, question, figure and target with the base. The first figure of a question answers it.
fn comparisons(summary: &Summary) -> Vec<Value> {
    let mut all = Vec::new();
    for experiment in summary.experiments() {
        for question in summary.questions(experiment) {
            let main = question.figure();
            for figure in std::iter::once(main).chain(TIMES.into_iter().filter(|figure| *figure != main)) {
                let comparisons = summary.comparisons(experiment, question, figure);
                let held = question.is_at_rate().then(|| summary.may_be_compared(experiment, question));
                let subset = subset_of(summary, experiment, question, figure);
                all.extend(
                    comparisons.iter().map(|c| comparison(experiment, c, subset.as_ref(), figure == main, held)),
                );
            }
        }
    }
    all
}

/// Of each experiment and question with several that are compared the best over the second, if both are better than the base.
fn leaders(summary: &Summary) -> Vec<Value> {
    let experiments = summary.experiments();
    let questions = experiments.iter().flat_map(|experiment| {
        let all = summary.questions(experiment).into_iter().filter(|of| summary.may_be_compared(experiment, *of));
        all.map(move |question| (*experiment, question))
    });
    let of = |(experiment, question): (&str, Question)| {
        let subset = subset_of(summary, experiment, question, question.figure());
        Some(comparison(experiment, &summary.leaders(experiment, question)?, subset.as_ref(), false, None))
    };
    questions.filter_map(of).collect()
}

/// Of which transactions a figure is that is compared; `None`: of all.
fn subset_of(summary: &Summary, experiment: &str, question: Question, figure: Figure) -> Option<Subset> {
    let asks = |t: &&TrialResult| t.trial.experiment == experiment && Question::of(t) == question;
    subset::of(summary.trials.iter().find(asks)?, Limited::Figure(figure))
}

/// `held`: of times at a rate, whether all trials held it. Times at a rate that was not held grow with the length of the run, and are no
/// answer.
fn comparison(experiment: &str, c: &Comparison, subset: Option<&Subset>, answers: bool, held: Option<bool>) -> Value {
    let cells: Vec<Value> = c
        .cells
        .iter()
        .map(|r| {
            json!({
                "cell": r.cell, "label": r.label, "ratio": r.ratio, "confidence": r.confidence,
                "confidence_among_cells": r.among_cells, "pairs": r.pairs,
            })
        })
        .collect();
    let sides = [&c.a, &c.b].into_iter().zip(&c.of_one_only);
    let of_one = |(of, cells): (&String, &Vec<Vec<(String, String)>>)| -> Vec<Value> {
        cells.iter().map(|cell| json!({ "of": of, "axes": axes(cell) })).collect()
    };
    let of_one_only: Vec<Value> = sides.flat_map(of_one).collect();
    let mut all = json!({
        "experiment": experiment, "figure": c.figure.code(), "subset": subset.map(Subset::code),
        "answers": answers && held != Some(false), "along": c.along, "a": c.a, "b": c.b, "ratio": c.ratio,
        "confidence": c.confidence, "pairs": c.pairs, "shows_difference": c.shows_difference(), "cells_differ": c.cells_differ,
        "more_repeats_for_5_percent": c.more_repeats, "cells": cells,
        "cells_of_one_only": of_one_only, "cells_without_pair": c.unpaired.iter().map(|cell| axes(cell)).collect::<Vec<_>>(),
    });
    if let Some(unit) = c.duet {
        all["duet"] = json!(unit.name());
    }
    if let Some(held) = held {
        all["held"] = json!(held);
    }
    all
}

fn replica(lag: &ReplicaLag) -> Value {
    let (caught_up_s, not_caught_up_s) = match lag.after {
        AfterLoad::CaughtUp(seconds) => (Some(seconds), None),
        AfterLoad::Not(seconds) => (None, Some(seconds)),
        AfterLoad::NotWaited => (None, None),
    };
    json!({
        "replica": lag.replica, "lag_mean_s": lag.mean_s, "lag_max_s": lag.max_s, "lag_end_s": lag.end_s,
        "lag_slope": lag.slope, "caught_up_s": caught_up_s, "not_caught_up_s": not_caught_up_s,
        "sentence": lag.sentence().english(), "sentence_ja": lag.sentence().text(Language::Japanese),
    })
}

fn network(path: &NetworkPath) -> Value {
    let mbit = |bits: f64| bits / 1e6;
    json!({
        "received_mbit_s": mbit(path.received.mean), "received_mbit_s_max": mbit(path.received.max),
        "sent_mbit_s": mbit(path.sent.mean), "sent_mbit_s_max": mbit(path.sent.max), "retransmitted": path.retransmitted,
        "sentence": path.sentence().english(), "sentence_ja": path.sentence().text(Language::Japanese),
    })
}

/// Without samples there is the sentence only.
fn active_sessions(sessions: &ActiveSessions) -> Value {
    let known = sessions.samples > 0;
    let class = |(class, mean): &(session::SessionClass, f64)| json!({ "class": class.name(), "mean": mean, "share": sessions.share(*mean) });
    json!({
        "samples": sessions.samples, "active_mean": known.then_some(sessions.active),
        "classes": sessions.classes.iter().map(class).collect::<Vec<_>>(), "in_transaction_mean": sessions.in_transaction,
        "of_others_mean": sessions.of_others, "longest_gap_s": sessions.gap_s,
        "sentence": sessions.sentence().english(), "sentence_ja": sessions.sentence().text(Language::Japanese),
    })
}

fn trial(summary: &Summary, t: &TrialResult, run: &RunName) -> Value {
    let judged = question::transactions(t);
    let row = trials::row(summary, t, &judged, run);
    let still = t.standstill();
    let statements: serde_json::Map<String, Value> = t
        .tally
        .statements
        .iter()
        .map(|(name, s)| {
            (
                name.clone(),
                json!({
                    "completed": s.completed, "rows": s.rows, "as_parameters": s.as_parameters, "as_text": s.as_text,
                    "service": response(&s.service), "errors": s.errors,
                }),
            )
        })
        .collect();
    let columns = trials::in_json().map(|column| (column.name.clone().into_owned(), column.json(&row)));
    let mut trial = Value::Object(columns.collect());
    let more = json!({
        "axes": axes(&t.trial.axes), "clients": t.trial.load.clients, "workers": t.workers, "state": t.state, "doubts": t.doubts(),
        "response": response(&judged.response), "service": response(&judged.service), "wait": response(&judged.wait),
        "wait_cause": clocks::of_trial(t).map(WaitCause::code), "unanswered": t.tally.unanswered.count(),
        "standstill": still.map(|s| json!({
            "longest_s": s.longest_ns as f64 / 1e9, "total_s": s.total_ns as f64 / 1e9, "count": s.count,
        })),
        "client_stopped_s": t.client_halts.not_running_ns() as f64 / 1e9,
        "client_suspended_s": t.client_halts.suspended_ns as f64 / 1e9,
        "accounting": t.is_measured().then(|| accounting(&t.tally.accounting)), "client_cpu_s": t.client_cpu_ns as f64 / 1e9,
        "statements": statements, "notes": t.notes, "sessions": sessions::of_trial(t).as_ref().map(active_sessions),
        "network": network_path::of_trial(t).as_ref().map(network), "why": why::of_trial(summary, t),
        "readings": readings::json(t), "server_statements": t.server_statements,
        "replicas": lag::of_trial(t).iter().map(replica).collect::<Vec<_>>(),
        "client_ceiling": client_ceiling(t), "hosts": hosts::json(t), "groups": groups::json(t),
    });
    if let (Value::Object(trial), Value::Object(more)) = (&mut trial, more) {
        trial.extend(more);
    }
    trial
}

/// How often the clients of a trial executed a statement that does nothing; null if that was not measured.
fn client_ceiling(t: &TrialResult) -> Value {
    t.ceiling.as_ref().map_or(Value::Null, |c| {
        json!({
            "statement": c.statement, "prepared": c.prepared, "clients": c.clients, "workers": c.workers,
            "per_s": c.per_s(), "client_cores": c.client_cores(), "share": t.share_of_ceiling(),
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markdown_has_no_live_link() {
        let of = [
            "see http://example.com/x",
            "HTTPS://example.com",
            "ftp://example.com",
            "www.example.com",
            "WWW.example.com",
            "dba@db-a.example.com",
            "mailto:dba@example.com",
            "mysql://root@127.0.0.1:3306/a",
            "[a](http://b) <http://b>",
            "limit: 3 at 10:20",
        ];
        let all: Vec<String> = of.into_iter().map(escaped).collect();
        insta::assert_snapshot!(all.join("\n"), @r"
        see http\://example.com/x
        HTTPS\://example.com
        ftp\://example.com
        www\.example.com
        WWW\.example.com
        dba\@<!-- -->db-a.example.com
        mailto\:dba\@<!-- -->example.com
        mysql\://root\@<!-- -->127.0.0.1:3306/a
        \[a\](http\://b) &lt;http\://b&gt;
        limit: 3 at 10:20
        ");
    }
}
