//! A try-out works if its trials did their work, whatever its figures.

use crate::trust::{SECOND, TrialShape, doubts, run, silent, sound};
use tenbin_model::tally::StatementTally;
use tenbin_verdict::try_out;

#[test]
fn a_try_out_works_if_its_trials_did_their_work_whatever_its_figures() {
    let tried = |shape: &[TrialShape]| {
        let mut summary = run("", shape);
        summary.trials.iter_mut().for_each(|t| t.trial.scale = Some(0.001));
        try_out::works(&summary)
    };
    assert_eq!(try_out::works(&run("", &[sound()])), None);
    assert_eq!(tried(&[sound()]), Some(true));
    let failing = |code: &str, failed: u64| {
        let mut shape = sound();
        (shape.more.accounting.failed, shape.more.accounting.scheduled) = (failed, failed);
        let mut update = StatementTally::default();
        update.errors.insert(code.into(), failed);
        shape.more.statements.insert("update".into(), update);
        shape
    };
    // A deadlock of few transactions, and of enough that the result is INVALID.
    assert_eq!(tried(&[failing("1213", 1)]), Some(true));
    assert!(doubts("", failing("1213", 10_000)).contains("INVALID errors"));
    assert_eq!(tried(&[failing("1213", 10_000)]), Some(true));
    assert_eq!(tried(&[failing("40P01", 1)]), Some(true));
    // A table that is missing, a server that is gone, and one on which nothing ever completes.
    assert_eq!(tried(&[failing("1146", 1)]), Some(false));
    let mut killed = silent(sound(), 2, 10);
    killed.seconds[2..].iter_mut().for_each(|s| s.1 = 0);
    killed.more.unavailable_ns = 64 * SECOND;
    assert_eq!(tried(&[killed]), Some(false));
    let nothing = silent(failing("1213", 8), 0, 10);
    assert_eq!(tried(std::slice::from_ref(&nothing)), Some(false));
    assert_eq!(tried(&[sound(), nothing]), Some(true));
    assert_eq!(tried(&[sound(), silent(sound(), 0, 10)]), Some(false));
}
