//! The labels of ticks below a horizontal axis.

use crate::bilingual::escape;
use std::fmt::Write;

/// The width of a character in the largest font size, which is that of narrow screens.
pub(super) const LETTER: f64 = 9.4;

/// The room that a label takes.
pub(super) fn room(label: &str) -> f64 {
    8.0 + LETTER * label.chars().count() as f64
}

/// The labels of `marks`, centred at their positions by `x` and at `y`, in a drawing that is `wide`. Those that would overlap are
/// left out; the first and the last do not extend beyond the drawing.
pub(super) fn labels(marks: &[(f64, String)], x: &dyn Fn(f64) -> f64, y: f64, wide: f64) -> String {
    let (mut out, mut last) = (String::new(), f64::NEG_INFINITY);
    for (value, label) in marks {
        let half = room(label) / 2.0;
        let at = x(*value).min(wide - half + 4.0).max(half - 4.0);
        if at - half < last {
            continue;
        }
        last = at + half;
        let text = escape(label);
        let _ = write!(out, "<text x=\"{at:.1}\" y=\"{y:.1}\">{text}</text>");
    }
    format!("<g class=\"tick\" text-anchor=\"middle\">{out}</g>")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_that_would_overlap_are_left_out_and_none_is_cut_off() {
        let marks: Vec<(f64, String)> = (0..=10).map(|n| (f64::from(n), format!("{n} min"))).collect();
        let shown = |wide: f64| -> Vec<f64> {
            let drawn = labels(&marks, &|v| v * wide / 10.0, 20.0, wide);
            drawn.split("x=\"").skip(1).filter_map(|part| part.split('"').next()?.parse().ok()).collect()
        };
        assert_eq!(shown(1000.0).len(), 11);
        let few = shown(200.0);
        assert!(few.len() < 6 && few.windows(2).all(|at| at[1] - at[0] >= room("0 min")), "{few:?}");
        let (first, last) = (few[0], few[few.len() - 1]);
        assert!(first >= room("0 min") / 2.0 - 4.0 && last <= 200.0 - room("0 min") / 2.0 + 4.0, "{few:?}");
    }
}
