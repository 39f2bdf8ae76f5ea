//! A limit of a figure that needs no baseline: `p99 < 20ms`, `errors < 0.1%`, `tps > 500`.

use crate::figures::{Figure, or_equal};
use crate::question::Question;
use std::fmt;
use tenbin_words::message::Message;
use tenbin_words::msg;
use tenbin_words::units;

/// What has a limit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Limited {
    /// A figure that is compared, too.
    Figure(Figure),
    /// The longest response time.
    Longest,
    /// Failed transactions as a share of all.
    Errors,
}

/// A limit of a figure.
#[derive(Debug, Clone, PartialEq)]
pub struct AbsoluteLimit {
    /// What has it.
    pub of: Limited,
    /// The limit: nanoseconds of response times, a share of errors, else the figure's own unit.
    pub bound: f64,
    /// Whether the figure must be below it, and not above.
    pub is_below: bool,
    /// Whether it may be exactly that: `<=`, `>=`.
    pub may_equal: bool,
    /// As it was written.
    text: String,
}

impl AbsoluteLimit {
    /// Reads `p99 < 20ms`.
    pub fn parse(text: &str) -> Result<AbsoluteLimit, Message> {
        let unreadable = || msg!("check-unreadable", text = format_args!("{text:?}"));
        let (is_below, sides) = match (text.split_once('<'), text.split_once('>')) {
            (Some(sides), None) => (true, sides),
            (None, Some(sides)) => (false, sides),
            _ => return Err(unreadable()),
        };
        let (name, (may_equal, value)) = (sides.0.trim(), or_equal(sides.1));
        let of = match name {
            "errors" => Limited::Errors,
            "max" => Limited::Longest,
            figure => Limited::Figure(Figure::parse(figure).ok_or_else(unreadable)?),
        };
        let bound = bound(of, value).filter(|bound| *bound >= 0.0 && bound.is_finite()).ok_or_else(unreadable)?;
        // What is better when it is higher has a least value, everything else a greatest one.
        let is_better_below =
            !matches!(of, Limited::Figure(Figure::Transactions | Figure::Queries | Figure::NewOrders));
        if is_below != is_better_below {
            return Err(msg!("check-wrong-side", text = format_args!("{text:?}"), figure = name));
        }
        // Nothing is below nothing.
        if is_below && bound == 0.0 && !may_equal {
            return Err(msg!("check-below-nothing", text = format_args!("{text:?}"), figure = name));
        }
        Ok(AbsoluteLimit { of, bound, is_below, may_equal, text: text.trim().to_owned() })
    }

    /// Whether a load that asks this has the figure.
    pub fn applies(&self, question: Question) -> bool {
        match self.of {
            Limited::Figure(figure @ (Figure::NewOrders | Figure::Seconds)) => question.has(figure),
            // The levels of a search are above what was held, too.
            _ => question != Question::Limit,
        }
    }

    /// Whether a load at a rate is within it only if it holds the rate: what is limited is what that rate leads to, and not how much is done.
    pub fn needs_rate(&self) -> bool {
        match self.of {
            Limited::Figure(figure) => figure.is_time(),
            Limited::Longest | Limited::Errors => true,
        }
    }

    /// Whether a value is within it.
    pub fn holds(&self, value: f64) -> bool {
        let is_within = if self.is_below { value < self.bound } else { value > self.bound };
        is_within || (self.may_equal && value == self.bound)
    }
}

fn bound(of: Limited, value: &str) -> Option<f64> {
    match of {
        Limited::Errors => value.strip_suffix('%')?.trim().parse::<f64>().ok().map(|percent| percent / 100.0),
        Limited::Figure(Figure::Transactions | Figure::Queries | Figure::NewOrders) => value.parse().ok(),
        Limited::Figure(Figure::Seconds) => {
            Some(units::microseconds(value.ends_with('s').then_some(value)?).ok()? as f64 / 1e6)
        }
        // A number without a unit could be meant as milliseconds or as seconds.
        _ => Some(units::microseconds(value.ends_with('s').then_some(value)?).ok()? as f64 * 1e3),
    }
}

impl fmt::Display for AbsoluteLimit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_are_read_with_their_units() {
        let of = |text: &str| AbsoluteLimit::parse(text).map(|l| (l.of, l.bound, l.is_below));
        assert_eq!(of("p99 < 20ms"), Ok((Limited::Figure(Figure::Percentile(990)), 20e6, true)));
        assert_eq!(of("p99.9<=1.5s"), Ok((Limited::Figure(Figure::Percentile(999)), 1.5e9, true)));
        assert_eq!(of("errors < 0.1%"), Ok((Limited::Errors, 0.001, true)));
        assert_eq!(of("errors <= 0%"), Ok((Limited::Errors, 0.0, true)));
        assert_eq!(of("tps > 500"), Ok((Limited::Figure(Figure::Transactions), 500.0, false)));
        assert_eq!(of("qps > 9000"), Ok((Limited::Figure(Figure::Queries), 9000.0, false)));
        assert_eq!(of("nopm > 1000"), Ok((Limited::Figure(Figure::NewOrders), 1000.0, false)));
        assert_eq!(of("seconds < 2s"), Ok((Limited::Figure(Figure::Seconds), 2.0, true)));
        assert_eq!(of("max < 1s"), Ok((Limited::Longest, 1e9, true)));
        for strange in [
            "",
            "p99",
            "p99 < 20",
            "p99 20ms",
            "tps > -1",
            "tps > many",
            "errors < 1",
            "latency < 1ms",
            "p12 < 1ms",
            "a < b > c",
        ] {
            assert!(of(strange).is_err(), "{strange}");
        }
        assert!(of("tps < 500").is_err() && of("p99 > 20ms").is_err(), "the wrong side");
    }

    #[test]
    fn a_value_that_is_the_limit_holds_if_the_limit_says_so() {
        let holds = |text: &str, value: f64| AbsoluteLimit::parse(text).map(|limit| limit.holds(value));
        assert_eq!([holds("errors <= 0%", 0.0), holds("errors <= 0%", 1e-9)], [Ok(true), Ok(false)]);
        assert_eq!([holds("p99 <= 20ms", 20e6), holds("p99 < 20ms", 20e6)], [Ok(true), Ok(false)]);
        assert_eq!([holds("tps >= 500", 500.0), holds("tps > 500", 500.0)], [Ok(true), Ok(false)]);
        assert_eq!(holds("tps >= 0", 0.0), Ok(true));
        assert_eq!(AbsoluteLimit::parse("p99<=20ms").map(|limit| limit.to_string()), Ok("p99<=20ms".to_owned()));
        // Nothing is below nothing.
        for impossible in ["errors < 0%", "p99 < 0ms", "errors <0.0 %", "seconds < 0s"] {
            let refused = AbsoluteLimit::parse(impossible).map_err(|what| what.english().to_owned());
            assert!(refused.as_ref().is_err_and(|what| what.contains("can never hold")), "{refused:?}");
        }
        for strange in ["p99 <== 20ms", "p99 = 20ms", "p99 =< 20ms", "errors <= 0"] {
            assert!(AbsoluteLimit::parse(strange).is_err(), "{strange}");
        }
    }
}
