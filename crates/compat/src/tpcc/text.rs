//! The output of tpcc-mysql, line by line in its format. Pure.

use std::fmt::Write;
use tenbin_model::histogram::Histogram;
use tenbin_model::tally::Tally;
use tenbin_model::tpcc::TransactionType;
use tenbin_verdict::tpcc_result;

/// The transactions as printed.
const TITLES: [&str; 5] = {
    let [a, b, c, d, e] = TransactionType::ALL;
    [a.title(), b.title(), c.title(), d.title(), e.title()]
};

/// The formats of its lines.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum IntervalForm {
    /// Count, late ones, 90th percentile in steps of 0.2 s.
    Y2008,
    /// The same in steps of 10 ms.
    Y2011,
    /// Count, late ones, 99th percentile and maximum, in milliseconds.
    Y2012,
    /// 95th and 99th percentile of New-Order, maxima of all, in milliseconds.
    Y2016,
}

impl IntervalForm {
    /// The format of a year; by default the last one.
    pub fn named(year: &str) -> IntervalForm {
        match year {
            "2008" => IntervalForm::Y2008,
            "2011" => IntervalForm::Y2011,
            "2012" => IntervalForm::Y2012,
            _ => IntervalForm::Y2016,
        }
    }

    /// Steps per second in the histograms that it prints; 0 if it prints none.
    fn steps(self) -> u64 {
        match self {
            IntervalForm::Y2008 => 5,
            IntervalForm::Y2011 => 100,
            IntervalForm::Y2012 | IntervalForm::Y2016 => 0,
        }
    }
}

/// The line that identifies Tenbin and states that the figures are not audited.
pub fn version(program: &str) -> String {
    format!("{program}, answered by Tenbin {}. {}", env!("CARGO_PKG_VERSION"), tpcc_result::sentence().english())
}

/// The banner with the title, and the identifying line.
pub fn banner(program: &str, title: &str) -> String {
    let stars = "*".repeat(title.len());
    format!("{stars}\n{title}\n{stars}\n{}", version(program))
}

/// tpcc_load's title.
pub const LOADER: &str = "*** TPCC-mysql Data Loader        ***";

/// tpcc_start's.
pub const GENERATOR: &str = "*** ###easy### TPC-C Load Generator ***";

/// One transaction's counts.
#[derive(Debug, Clone, Default, PartialEq)]
struct Counted {
    in_time: u64,
    late: u64,
    retries: u64,
    failed: u64,
    response: Histogram,
}

impl Counted {
    fn done(&self) -> u64 {
        self.in_time + self.late
    }
}

fn counted(tally: &Tally, limits_ms: &[u64; 5]) -> [Counted; 5] {
    let mut limits = limits_ms.iter();
    TransactionType::ALL.map(|of| {
        let limit_ns = limits.next().map_or(0, |ms| ms * 1_000_000);
        let Some(t) = tally.transactions.get(of.name()) else { return Counted::default() };
        let late = t.response.buckets().filter(|(ns, _)| *ns >= limit_ns).map(|(_, n)| n).sum();
        Counted {
            in_time: t.completed.saturating_sub(late),
            late,
            retries: t.retries,
            failed: t.failed,
            response: t.response.clone(),
        }
    })
}

/// A progress line; `second` is its end.
pub fn interval(form: IntervalForm, second: u64, tally: &Tally, limits_ms: &[u64; 5]) -> String {
    let all = counted(tally, limits_ms);
    let ms = |ns: u64| ns as f64 / 1e6;
    let mut line = format!("{second:>4}");
    if form == IntervalForm::Y2016 {
        let [first, others @ ..] = &all;
        let q = |quantile: f64| ms(first.response.quantile_ns(quantile));
        let (done, max) = (first.done(), ms(first.response.max_ns()));
        let _ = write!(line, ", trx: {done}, 95%: {:.3}, 99%: {:.3}, max_rt: {max:.3}", q(0.95), q(0.99));
        others.iter().for_each(|t| line += &format!(", {}|{:.3}", t.done(), ms(t.response.max_ns())));
        return line;
    }
    for t in &all {
        let _ = write!(line, ", {}({}):", t.done(), t.late);
        let _ = match form {
            IntervalForm::Y2008 => write!(line, "{:.1}", edge_s(&t.response, form)),
            IntervalForm::Y2011 => write!(line, "{:.2}", edge_s(&t.response, form)),
            _ => write!(line, "{:.3}|{:.3}", ms(t.response.quantile_ns(0.99)), ms(t.response.max_ns())),
        };
    }
    line
}

/// The first step beyond which at most a tenth lies.
fn edge(response: &Histogram, form: IntervalForm) -> u64 {
    let steps = steps(response, form);
    let total: u64 = steps.iter().sum();
    let (mut beyond, mut edge) = (0, steps.len());
    for (i, n) in steps.iter().enumerate().rev() {
        beyond += n;
        if beyond * 10 > total {
            break;
        }
        edge = i;
    }
    edge as u64
}

fn edge_s(response: &Histogram, form: IntervalForm) -> f64 {
    edge(response, form) as f64 / form.steps() as f64
}

/// How many lie in each step of the form.
fn steps(response: &Histogram, form: IntervalForm) -> Vec<u64> {
    let mut steps = Vec::new();
    for (ns, n) in response.buckets() {
        let at = (ns as u128 * u128::from(form.steps()) / 1_000_000_000) as usize;
        if steps.len() <= at {
            steps.resize(at + 1, 0);
        }
        steps[at] += n;
    }
    steps
}

/// Everything after the threads have stopped.
pub fn results(form: IntervalForm, tally: &Tally, limits_ms: &[u64; 5], measured_ns: u64) -> String {
    let all = counted(tally, limits_ms);
    let mut text = if form.steps() == 0 { String::new() } else { histograms(form, &all) };
    text += "\n<Raw Results>\n";
    for (i, (t, limit)) in all.iter().zip(limits_ms).enumerate() {
        let Counted { in_time, late, retries, failed, response } = t;
        let _ = match form {
            IntervalForm::Y2016 => writeln!(
                text,
                "  [{i}] sc:{in_time} lt:{late}  rt:{retries}  fl:{failed} avg_rt: {:.1} ({limit})",
                response.mean_ns() / 1e6
            ),
            _ => writeln!(text, "  [{i}] sc:{in_time}  lt:{late}  rt:{retries}  fl:{failed} "),
        };
    }
    let seconds = measured_ns as f64 / 1e9;
    let _ = writeln!(text, " in {seconds:.0} sec.\n\n<Raw Results2(sum ver.)>");
    for (i, t) in all.iter().enumerate() {
        let _ = writeln!(text, "  [{i}] sc:{}  lt:{}  rt:{}  fl:{} ", t.in_time, t.late, t.retries, t.failed);
    }
    text += "\n<Constraint Check> (all must be [OK])\n [transaction percentage]\n";
    let total: u64 = all.iter().map(Counted::done).sum();
    let per_cent = |part: u64, of: u64| if of == 0 { 0.0 } else { 100.0 * part as f64 / of as f64 };
    let ok = |is: bool| if is { "[OK]" } else { "[NG] *" };
    for ((name, t), least) in TITLES.iter().zip(&all).skip(1).zip([43.0, 4.0, 4.0, 4.0]) {
        let share = per_cent(t.done(), total);
        let _ = writeln!(text, "{name:>15}: {share:.2}% (>={least:>4.1}%) {}", ok(share >= least));
    }
    text += " [response time (at least 90% passed)]\n";
    for (name, t) in TITLES.iter().zip(&all) {
        let passed = per_cent(t.in_time, t.done());
        let _ = writeln!(text, "{name:>15}: {passed:.2}%  {}", ok(passed >= 90.0));
    }
    let per_minute = if seconds > 0.0 { all[0].done() as f64 * 60.0 / seconds } else { 0.0 };
    let _ = write!(text, "\n<TpmC>\n                 {per_minute:.3} TpmC");
    text
}

/// The blocks that only the first two formats have.
fn histograms(form: IntervalForm, all: &[Counted; 5]) -> String {
    let mut text = "\n<RT Histogram>\n".to_owned();
    for (i, (name, t)) in TITLES.iter().zip(all).enumerate() {
        let _ = writeln!(text, "\n{}.{name}\n", i + 1);
        let (steps, most) = (steps(&t.response, form), edge(&t.response, form) as usize * 4);
        for at in 0..=most {
            let (second, n) = ((at + 1) as f64 / form.steps() as f64, steps.get(at).copied().unwrap_or(0));
            let _ = writeln!(text, "{second:.2}, {n:>6}");
        }
        text.push('\n');
    }
    text += "\n<90th Percentile RT (MaxRT)>\n";
    for (name, t) in TITLES.iter().zip(all) {
        let max_s = t.response.max_ns() as f64 / 1e9;
        let _ = writeln!(text, "{name:>12} : {:.2}  ({max_s:.2})", edge_s(&t.response, form));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use tenbin_model::tally::TransactionTally;

    const LIMITS: [u64; 5] = [5_000, 5_000, 5_000, 80_000, 20_000];

    /// 1,000 New-Orders of 1 to 1,000 ms and 20 late ones, payments of 5 ms, few of the others.
    fn tally() -> Tally {
        let mut tally = Tally::default();
        let mut put = |name: &str, times_ms: Vec<u64>, retries, failed| {
            let mut t = TransactionTally { completed: times_ms.len() as u64, retries, failed, ..Default::default() };
            times_ms.iter().for_each(|ms| t.response.record(ms * 1_000_000));
            tally.transactions.insert(name.into(), t);
        };
        put("new_order", (1..=1000).chain([6000; 20]).collect(), 3, 1);
        put("payment", vec![5; 1000], 0, 0);
        put("order_status", vec![7; 100], 0, 0);
        put("delivery", vec![70; 100], 0, 0);
        tally
    }

    #[test]
    fn progress_lines_of_four_generations() {
        let all = [IntervalForm::Y2008, IntervalForm::Y2011, IntervalForm::Y2012, IntervalForm::Y2016];
        let lines = all.map(|form| interval(form, 10, &tally(), &LIMITS)).join("\n");
        insta::assert_snapshot!(lines, @r"
        10, 1020(20):1.0, 1000(0):0.2, 100(0):0.2, 100(0):0.2, 0(0):0.0
        10, 1020(20):0.92, 1000(0):0.01, 100(0):0.01, 100(0):0.08, 0(0):0.00
        10, 1020(20):6002.049|6002.049, 1000(0):5.001|5.001, 100(0):7.000|7.000, 100(0):70.058|70.058, 0(0):0.000|0.000
        10, trx: 1020, 95%: 969.409, 99%: 6002.049, max_rt: 6002.049, 1000|5.001, 100|7.000, 100|70.058, 0|0.000
        ");
        assert_eq!(
            interval(IntervalForm::Y2016, 10_000, &Tally::default(), &LIMITS),
            "10000, trx: 0, 95%: 0.000, 99%: 0.000, max_rt: 0.000, 0|0.000, 0|0.000, 0|0.000, 0|0.000"
        );
    }

    #[test]
    fn results_of_the_last_generation() {
        insta::assert_snapshot!(results(IntervalForm::Y2016, &tally(), &LIMITS, 60_000_000_000), @r"
        <Raw Results>
          [0] sc:1000 lt:20  rt:3  fl:1 avg_rt: 608.3 (5000)
          [1] sc:1000 lt:0  rt:0  fl:0 avg_rt: 5.0 (5000)
          [2] sc:100 lt:0  rt:0  fl:0 avg_rt: 7.0 (5000)
          [3] sc:100 lt:0  rt:0  fl:0 avg_rt: 70.0 (80000)
          [4] sc:0 lt:0  rt:0  fl:0 avg_rt: 0.0 (20000)
         in 60 sec.

        <Raw Results2(sum ver.)>
          [0] sc:1000  lt:20  rt:3  fl:1 
          [1] sc:1000  lt:0  rt:0  fl:0 
          [2] sc:100  lt:0  rt:0  fl:0 
          [3] sc:100  lt:0  rt:0  fl:0 
          [4] sc:0  lt:0  rt:0  fl:0 

        <Constraint Check> (all must be [OK])
         [transaction percentage]
                Payment: 45.05% (>=43.0%) [OK]
           Order-Status: 4.50% (>= 4.0%) [OK]
               Delivery: 4.50% (>= 4.0%) [OK]
            Stock-Level: 0.00% (>= 4.0%) [NG] *
         [response time (at least 90% passed)]
              New-Order: 98.04%  [OK]
                Payment: 100.00%  [OK]
           Order-Status: 100.00%  [OK]
               Delivery: 100.00%  [OK]
            Stock-Level: 0.00%  [NG] *

        <TpmC>
                         1020.000 TpmC
        ");
    }

    #[test]
    fn results_of_the_first_ones_begin_with_histograms() {
        let text = results(IntervalForm::Y2008, &tally(), &LIMITS, 60_000_000_000);
        let (head, tail) = text.split_once("\n<Constraint").unwrap();
        assert!(head.starts_with("\n<RT Histogram>\n\n1.New-Order\n\n0.20,    199\n0.40,    200\n"), "{head}");
        let (payment, rest) = head.split_once("\n2.Payment").unwrap().1.split_once("\n3.Order-Status\n").unwrap();
        let (_, rest) = rest.split_once("\n5.Stock-Level\n").unwrap();
        insta::assert_snapshot!(format!("{payment}{rest}"), @r"
        0.20,   1000
        0.40,      0
        0.60,      0
        0.80,      0
        1.00,      0


        0.20,      0


        <90th Percentile RT (MaxRT)>
           New-Order : 1.00  (6.00)
             Payment : 0.20  (0.01)
        Order-Status : 0.20  (0.01)
            Delivery : 0.20  (0.07)
         Stock-Level : 0.00  (0.00)

        <Raw Results>
          [0] sc:1000  lt:20  rt:3  fl:1 
          [1] sc:1000  lt:0  rt:0  fl:0 
          [2] sc:100  lt:0  rt:0  fl:0 
          [3] sc:100  lt:0  rt:0  fl:0 
          [4] sc:0  lt:0  rt:0  fl:0 
         in 60 sec.

        <Raw Results2(sum ver.)>
          [0] sc:1000  lt:20  rt:3  fl:1 
          [1] sc:1000  lt:0  rt:0  fl:0 
          [2] sc:100  lt:0  rt:0  fl:0 
          [3] sc:100  lt:0  rt:0  fl:0 
          [4] sc:0  lt:0  rt:0  fl:0
        ");
        assert!(
            results(IntervalForm::Y2016, &tally(), &LIMITS, 60_000_000_000).ends_with(tail),
            "the rest is the same"
        );
    }

    #[test]
    fn a_limit_is_reached_at_its_millisecond() {
        let at = |limit| counted(&tally(), &[1, limit, 1, 1, 1])[1].late;
        assert_eq!([at(4), at(5), at(6)], [1000, 1000, 0], "finished at the limit is late");
        let nothing = results(IntervalForm::Y2016, &Tally::default(), &LIMITS, 0);
        assert!(nothing.contains("0.00% (>=43.0%) [NG] *") && nothing.ends_with(" 0.000 TpmC"), "{nothing}");
        assert!(!nothing.contains("NaN"));
    }
}
