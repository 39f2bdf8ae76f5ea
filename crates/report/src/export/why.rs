//! What limited the targets, for JSON: what the run of a refuting plan shows, the diagnosis of each trial, and the sentence on each target.

use serde_json::{Value, json};
use tenbin_model::summary::{Summary, TrialResult};
use tenbin_verdict::why::{self, Diagnosis, Judgement, Proof, refutation};
use tenbin_words::language::Language;

/// The diagnosis of a trial; null if there is none.
pub(super) fn of_trial(summary: &Summary, t: &TrialResult) -> Option<Value> {
    why::of_trial(summary, t).as_ref().map(diagnosis)
}

/// The sentence on each target of each experiment.
pub(super) fn of_targets(summary: &Summary) -> Vec<Value> {
    let all = why::of_targets(summary);
    let one = all.iter().map(|target| {
        let sentence = target.sentence();
        json!({
            "experiment": target.experiment, "target": target.target, "cell": target.cell,
            "trial": target.diagnosis.trial, "limit": target.diagnosis.outcome.code(),
            "sentence": sentence.english(), "sentence_ja": sentence.text(Language::Japanese),
        })
    });
    one.collect()
}

/// What the run shows of the limit that its plan tests; null if it tests none.
pub(super) fn tested(summary: &Summary) -> Option<Value> {
    refutation::of_run(summary).map(|tested| {
        let (sentence, of) = (tested.sentence(), &tested.tested);
        json!({
            "limit": tested.limit().code(), "changes": of.changes, "expects": of.expects.to_string(),
            "run": of.run, "trial": of.trial, "outcome": tested.ruling.code(), "ratio": tested.ratio,
            "interval": tested.confidence.map(|of| [of.low, of.high]), "trials": tested.trials, "held": tested.held,
            "sentence": sentence.english(), "sentence_ja": sentence.text(Language::Japanese),
        })
    })
}

fn diagnosis(d: &Diagnosis) -> Value {
    let words = d.words();
    let parts = d.budget.parts.iter().map(|part| {
        json!({
            "part": part.kind.code(), "ms": 1e3 * part.seconds, "share": d.budget.share(part.kind),
            "how": part.how.english(), "how_ja": part.how.text(Language::Japanese),
        })
    });
    let costs = d.costs.iter().map(|cost| {
        json!({
            "cost": cost.code, "unit": cost.unit, "per_transaction": cost.per_operation,
            "per_second": cost.per_second, "readings": cost.readings,
        })
    });
    let missing = d.missing.iter().map(|missing| {
        json!({
            "what": missing.what.english(), "what_ja": missing.what.text(Language::Japanese),
            "how": missing.how.english(), "how_ja": missing.how.text(Language::Japanese),
        })
    });
    json!({
        "limit": d.outcome.code(), "sentence": words.english(), "sentence_ja": words.text(Language::Japanese),
        "proofs": d.proofs.iter().map(proof).collect::<Vec<_>>(),
        "runner_up": d.runner_up.as_ref().map(rule),
        "rules": d.judgements.iter().map(rule).collect::<Vec<_>>(),
        "missing": missing.collect::<Vec<_>>(),
        "latency_budget": {
            "response_ms": 1e3 * d.budget.response_s, "reduced": d.budget.reduced, "parts": parts.collect::<Vec<_>>(),
        },
        "costs": costs.collect::<Vec<_>>(),
        "experiment": d.experiment.as_ref().map(|experiment| json!({
            "changes": experiment.key, "expects": experiment.expects.english(),
            "expects_ja": experiment.expects.text(Language::Japanese), "plan": experiment.plan,
        })),
    })
}

fn rule(judgement: &Judgement) -> Value {
    json!({
        "limit": judgement.bottleneck.code(), "degree": judgement.degree(),
        "proofs": judgement.proofs.iter().map(proof).collect::<Vec<_>>(),
    })
}

fn proof(proof: &Proof) -> Value {
    let words = proof.words();
    json!({
        "words": words.english(), "words_ja": words.text(Language::Japanese), "value": proof.value,
        "limit": proof.limit,
    })
}
