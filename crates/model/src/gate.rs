//! The limits of `tenbin gate`: by how much a figure may be worse than in a baseline.

use crate::figures::Figure;
use crate::question::Question;
use tenbin_words::message::Message;
use tenbin_words::msg;

/// The largest regression that is accepted of a figure.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RegressionLimit {
    /// The figure.
    pub figure: Figure,
    /// As a share: 0.05 for 5 %.
    pub share: f64,
}

impl RegressionLimit {
    /// Reads `p99 5%`: a figure (`tps`, `qps`, `nopm`, `seconds`, `mean`, `p50` to `p99.9`) and a percentage.
    pub fn parse(text: &str) -> Result<RegressionLimit, Message> {
        let unreadable = || msg!("limit-unreadable", limit = format_args!("{text:?}"));
        let (figure, share) = text.trim().split_once(char::is_whitespace).ok_or_else(unreadable)?;
        let figure = Figure::parse(figure).ok_or_else(unreadable)?;
        let percent: f64 = share.trim().strip_suffix('%').and_then(|p| p.trim().parse().ok()).ok_or_else(unreadable)?;
        if !(0.0..=1000.0).contains(&percent) {
            return Err(unreadable());
        }
        Ok(RegressionLimit { figure, share: percent / 100.0 })
    }

    /// Whether trials that ask this question have the figure, to be compared with another run.
    pub fn applies(self, question: Question) -> bool {
        match self.figure {
            // Of a search it is the limit found.
            Figure::Transactions => matches!(question, Question::Throughput | Question::Limit),
            Figure::Queries => question == Question::Throughput,
            // The levels of a search are others in each run.
            figure => question != Question::Limit && question.has(figure),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_are_read() {
        let of = |text: &str| {
            RegressionLimit::parse(text).map(|l| (l.figure.code(), l.share)).map_err(|e| e.english().to_owned())
        };
        assert_eq!(of("p99 5%"), Ok(("p99".to_owned(), 0.05)));
        assert_eq!(of(" p99.9  12.5 % "), Ok(("p999".to_owned(), 0.125)));
        assert_eq!(of("tps 0%"), Ok(("tps".to_owned(), 0.0)));
        assert_eq!(of("qps 3%"), Ok(("qps".to_owned(), 0.03)));
        for strange in
            ["", "p99", "5%", "p99 5", "p99 -1%", "p12 5%", "p100 5%", "latency 5%", "p99 five%", "tps 2000%"]
        {
            assert!(of(strange).is_err(), "{strange}");
        }
    }
}
