//! Response times whose unit nothing names are taken as milliseconds. Figures that agree with another unit do not contradict one another.

use crate::checks::{order, percentiles};
use crate::column::Column;
use crate::figure_kind::Measure;
use crate::published_audit::{PublishedAudit, PublishedDoubt};
use crate::result::{Meaning, Published};
use std::collections::BTreeSet;
use tenbin_model::doubt::Verdict;
use tenbin_words::msg;

/// Other units, as they are written, each in milliseconds.
const UNITS: [(&str, &str, f64); 3] = [("s", "s", 1e3), ("us", "µs", 1e-3), ("ns", "ns", 1e-6)];
/// The doubts that depend on units of time.
const OF_TIMES: [&str; 6] = ["littles-law", "exchanged", "percentile-and-mean", "order", "too-fast", "implied-mean"];

/// The only unit of time other than milliseconds that columns of a table name, if the response times beside it that name none contradict
/// it unless they are in it too.
pub(crate) fn named_beside(columns: &[Column], read: &Published) -> Option<&'static str> {
    let is_time =
        |c: &&Column| matches!(&c.meaning, Meaning::Figure(kind, _) if kind.measure() == Measure::Milliseconds);
    let units: BTreeSet<&'static str> = columns.iter().filter(is_time).filter_map(|column| column.unit).collect();
    let mut units = units.into_iter();
    let unit = units.next().filter(|_| units.next().is_none())?;
    let (.., factor) = UNITS.iter().find(|(name, ..)| *name == unit)?;
    let contradicts = |read: &Published| {
        !order::order(read).doubts.is_empty() || !percentiles::percentiles_and_mean(read).doubts.is_empty()
    };
    (contradicts(read) && !contradicts(&in_unit(read, *factor))).then_some(unit)
}

/// The same results with the times whose unit is not named in another one.
fn in_unit(read: &Published, factor: f64) -> Published {
    let mut other = read.clone();
    for result in &mut other.results {
        for kind in &result.without_unit {
            if let Some((quantity, _)) = result.figures.get_mut(kind) {
                *quantity = quantity.times(factor);
            }
        }
    }
    other
}

/// What is impossible in milliseconds, and not in another unit, is no proof if nothing names the unit. `as_read`: what is found in figures
/// whose units are known.
pub(crate) fn weigh(read: &Published, all: &mut PublishedAudit, as_read: fn(&Published) -> PublishedAudit) {
    let is_open = |doubt: &PublishedDoubt| {
        let is_without = |(at, kind): &(usize, crate::FigureKind)| {
            read.results.get(*at).is_some_and(|result| result.without_unit.contains(kind))
        };
        doubt.doubt.verdict == Verdict::Invalid
            && OF_TIMES.contains(&doubt.doubt.code.as_str())
            && doubt.touches.iter().any(is_without)
    };
    if !all.doubts.iter().any(is_open) {
        return;
    }
    let agrees = |(.., factor): &&(&str, &str, f64)| {
        let other = as_read(&in_unit(read, *factor));
        !other.doubts.iter().any(|found| OF_TIMES.contains(&found.doubt.code.as_str()))
    };
    let Some((_, unit, _)) = UNITS.iter().find(agrees) else { return };
    for found in all.doubts.iter_mut().filter(|found| is_open(found)) {
        found.doubt.verdict = Verdict::Degraded;
        found.doubt.problem = found.doubt.problem.clone().hint(msg!("doubt-published-unit-hint", unit = *unit));
    }
}

#[cfg(test)]
mod tests {
    use crate::{audit, read};

    fn of(text: &str) -> (Vec<String>, Vec<String>) {
        let read = read(text, "x.csv").unwrap();
        let doubts = audit(&read).doubts.into_iter();
        let remarks = read.remarks.iter().filter_map(|remark| remark.id().map(str::to_owned)).collect();
        (doubts.map(|found| format!("{} {}", found.doubt.code, found.doubt.verdict.name())).collect(), remarks)
    }

    #[test]
    fn times_without_a_unit_have_that_of_the_others_if_they_contradict_it_otherwise() {
        for text in [
            "threads,min,avg,max,p95 (us)\n8,400,500,2000,1000\n16,500,800,3000,1500\n",
            "| threads | avg | p95, sec |\n|--|--|--|\n| 8 | 0.5 | 1.0 |\n| 16 | 0.8 | 1.5 |\n",
            "threads,latency_avg,latency_p95_s,latency_max\n8,0.5,1.0,2.0\n16,0.8,1.5,2.5\n",
        ] {
            assert_eq!(of(text), (vec![], vec!["published-unit-beside".to_owned()]), "{text}");
        }
        // In milliseconds they agree.
        assert_eq!(of("threads,avg,p99 (s)\n8,200,1.5\n").1, ["published-taken-as-ms"]);
    }

    #[test]
    fn what_another_unit_explains_is_no_proof_where_none_is_named() {
        for (text, doubts) in [
            ("threads,tps,avg\n8,1000,8000\n", "littles-law DEGRADED"),
            ("threads,tps,avg (ms)\n8,1000,8000\n", "littles-law INVALID"),
            ("threads,tps,avg\n8,1000,80\n", "littles-law INVALID"),
            ("threads,avg,p95 (ms)\n8,0.5,1000\n", "percentile-and-mean DEGRADED"),
            ("threads,avg,p95\n8,0.5,1000\n", "percentile-and-mean INVALID"),
        ] {
            assert_eq!(of(text).0, [doubts], "{text}");
        }
    }
}
