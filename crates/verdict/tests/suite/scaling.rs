//! The scalability law: what is said of a peak, and between which numbers of clients it lies.

use crate::answers::run;
use tenbin_model::trial::Trial;
use tenbin_verdict::scaling::{self, Scaling};

/// The fit to two repeats with these numbers of clients. They follow the law with its peak at 100 clients, but for the last number of
/// clients, with which they differ by this share in either direction.
fn fitted(spread: f64) -> Scaling {
    let plan = "schema = 1\n[targets.a]\ndsn = \"mysql://u@h/a\"\n[[experiment]]\nname = \"e\"\nrepeats = 2\nmeasure = \"10s\"\n\
                matrix.load.clients = [1, 2, 4, 8, 16, 32, 64]\nload = { workload = \"oltp_read_write\" }\n";
    let had = |t: &Trial| {
        let n = f64::from(t.load.clients);
        let law = 1000.0 * n / (1.0 + 0.05 * (n - 1.0) + 0.95e-4 * n * (n - 1.0));
        let off = if t.load.clients == 64 { spread } else { 0.002 };
        let tps = law * if t.repeat == 1 { 1.0 + off } else { 1.0 - off };
        (tps, 1.0, 2.0)
    };
    scaling::of(&run(plan, &had)).remove(0)
}

#[test]
fn a_peak_has_the_interval_of_the_fits_to_runs_drawn_anew() {
    let sure = fitted(0.002);
    assert!(matches!(sure.peak_between, Some((Some(low), Some(high))) if low > 80.0 && high < 120.0), "{sure:?}");
    assert!(sure.sentence().english().contains("fits to runs drawn anew: "), "{}", sure.sentence().english());
}

/// A fourth of the fits has no peak. That the upper end is not known is said, and not left out.
#[test]
fn a_peak_that_some_fits_do_not_have_is_one_or_more_or_none() {
    let doubtful = fitted(0.15);
    assert!(matches!(doubtful.peak_between, Some((Some(_), None))), "{doubtful:?}");
    let text = doubtful.sentence().english().to_owned();
    assert!(text.contains(" peaks at ") && text.contains(" or more, or none)"), "{text}");
    // Of a peak that hardly any fit has, none is said.
    let hardly = Scaling { peak_between: Some((None, None)), ..doubtful };
    assert!(hardly.peak().is_none() && hardly.sentence().english().contains("no peak up to 64 clients"), "{hardly:?}");
}
