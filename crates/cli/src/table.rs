//! The result as a text table, with the verdict and the answer: the end of every run on a terminal.

use crate::words::TerminalWords;
use std::fmt::Write;
use tenbin_model::answer::{Language, answer, caution, footnote};
use tenbin_model::audit::Verdict;
use tenbin_model::axis;
use tenbin_model::conditions::conditions;
use tenbin_model::counted::truncated_cell;
use tenbin_model::figure;
use tenbin_model::histogram::Histogram;
use tenbin_model::statistics;
use tenbin_model::summary::{Cell, Summary};
use tenbin_model::tally::TransactionTally;

/// The width of a terminal. Tables omit columns that are on the page rather than being wrapped.
const WIDTH: usize = 80;

/// One row per cell and target, then the verdict with its reasons, then the answer and its conditions.
pub fn result(summary: &Summary, language: Language) -> String {
    let words = TerminalWords::new(language);
    let cells = summary.cells();
    let mut out = format!("\n{}", fitted(&columns(summary, &cells, &words)));
    out.push_str(if cells.iter().any(|c| c.tps.len() > 1) {
        words.pick(
            "(TPS: mean of n repeats; ±: half its 95 % interval; times in ms, percentiles\nover all repeats together)\n",
            "(TPS は n 回の平均、± は 95% 信頼区間の半幅。時間は ms、パーセンタイルは全繰り返しの合算)\n",
        )
    } else {
        words.pick("(times in ms)\n", "(時間は ms)\n")
    });
    if cells.iter().any(|cell| truncated_cell(summary, cell)) {
        out.push_str(words.pick(
            "(✂: truncated: cut off by time before its count was done)\n",
            "(✂: 決めた数に達する前に時間で打ち切り)\n",
        ));
    }
    if let Some(clocks) = clocks(&cells, &words) {
        out.push_str(&clocks);
    }
    if let Some(still) = footnote(summary, language) {
        let _ = writeln!(out, "({still})");
    }
    if cells.iter().any(|cell| !cell.left_out.is_empty()) {
        out.push_str(
            words.pick("(INVALID trials are not in these figures)\n", "(無効(INVALID)の試行は数値に含まれません)\n"),
        );
    }
    out.push_str(&crate::tpcc::results(summary, language));
    verdict(summary, &words, &mut out);
    if let Some(caution) = caution(summary, language) {
        let _ = write!(out, "\n{} {caution}", words.label("caution", "注意"));
    }
    let _ = write!(out, "\n{} {}", words.label("answer", "結論"), answer(summary, language));
    if let Some(conditions) = conditions(summary, language) {
        let _ = write!(out, "\n{} {conditions}", words.label("measured", "条件"));
    }
    out
}

/// A column of the table of results.
struct Column {
    head: String,
    cells: Vec<String>,
    /// Text is left-aligned, figures are right-aligned.
    left: bool,
    /// The higher, the sooner it is omitted if the line is too short; 0 never is.
    dispensable: u8,
}

/// A column's name in English and Japanese, how dispensable it is (see [`Column`]) and its figure of a cell.
type Figure<'t> = ((&'t str, &'t str), u8, &'t dyn Fn(&Cell, &Histogram) -> String);

fn columns(summary: &Summary, cells: &[Cell], words: &TerminalWords) -> Vec<Column> {
    let mut columns = places(cells, words);
    let ms = |ns: f64| figure::grouped(ns / 1e6);
    let at = |h: &Histogram, q: f64| if h.count() == 0 { "–".to_owned() } else { ms(h.quantile_ns(q) as f64) };
    let mut figures: Vec<Figure<'_>> = Vec::new();
    // With one repeat there is no spread to show.
    let repeated = cells.iter().any(|c| c.tps.len() > 1);
    let n = |c: &Cell, _: &Histogram| c.tps.len().to_string();
    let tps = |c: &Cell, _: &Histogram| statistics::mean(&c.tps).map_or("–".into(), figure::grouped);
    let spread = |c: &Cell, _: &Histogram| {
        statistics::mean_confidence(&c.tps).map_or("–".into(), |i| figure::grouped(i.high - i.value))
    };
    let mean = |_: &Cell, h: &Histogram| if h.count() == 0 { "–".to_owned() } else { ms(h.mean_ns()) };
    let p50 = |_: &Cell, h: &Histogram| at(h, 0.5);
    let p95 = |_: &Cell, h: &Histogram| at(h, 0.95);
    let p99 = |c: &Cell, h: &Histogram| format!("{}{}", at(h, 0.99), if c.standstill.is_some() { " ‡" } else { "" });
    let max = |_: &Cell, h: &Histogram| if h.count() == 0 { "–".to_owned() } else { ms(h.max_ns() as f64) };
    let failed = |c: &Cell, _: &Histogram| figure::whole(i128::from(c.tally.accounting.failed));
    if repeated {
        figures.push((("n", "n"), 2, &n));
    }
    figures.push((("TPS", "TPS"), 0, &tps));
    if repeated {
        figures.push((("±", "±"), 0, &spread));
    }
    figures.extend::<[Figure<'_>; 5]>([
        (("mean", "平均"), 1, &mean),
        (("p50", "p50"), 5, &p50),
        (("p95", "p95"), 4, &p95),
        (("p99", "p99"), 0, &p99),
        (("max", "最大"), 3, &max),
    ]);
    if cells.iter().any(|c| c.tally.accounting.failed > 0) {
        figures.push((("failed", "失敗"), 0, &failed));
    }
    let times: Vec<Histogram> = cells.iter().map(|c| c.tally.all_starts().response).collect();
    columns.extend(figures.into_iter().map(|((en, ja), dispensable, of)| Column {
        head: words.pick(en, ja).to_owned(),
        cells: cells.iter().zip(&times).map(|(c, t)| of(c, t)).collect(),
        left: false,
        dispensable,
    }));
    let verdict =
        |c: &Cell| format!("{}{}", c.verdict.word(words.language), if truncated_cell(summary, c) { " ✂" } else { "" });
    columns.push(Column {
        head: words.pick("verdict", "判定").to_owned(),
        cells: cells.iter().map(verdict).collect(),
        left: true,
        dispensable: 0,
    });
    columns
}

/// The columns for cell and target.
fn places(cells: &[Cell], words: &TerminalWords) -> Vec<Column> {
    let axes = cells.first().map(|c| c.axes.len()).unwrap_or(0);
    let mut columns: Vec<Column> = (0..axes)
        .map(|i| {
            let key = &cells[0].axes[i].0;
            let name = axis::name(key, words.language).filter(|_| words.language == Language::Japanese);
            Column {
                head: name.unwrap_or(key.rsplit('.').next().unwrap_or(key)).to_owned(),
                cells: cells.iter().map(|c| c.axes[i].1.clone()).collect(),
                left: true,
                dispensable: 0,
            }
        })
        .collect();
    columns.push(Column {
        head: words.pick("target", "対象").to_owned(),
        cells: cells.iter().map(|c| c.target.clone()).collect(),
        left: true,
        dispensable: 0,
    });
    columns
}

/// One of response time, service time and wait.
type Clock = fn(&TransactionTally) -> &Histogram;

/// Service time and wait next to the response time, if they differ: starts fell due while no client was free.
fn clocks(cells: &[Cell], words: &TerminalWords) -> Option<String> {
    let times: Vec<_> = cells.iter().map(|c| c.tally.all_starts()).collect();
    if !times.iter().any(|t| t.wait.mean_ns() > 0.01 * t.response.mean_ns()) {
        return None;
    }
    let mut columns = places(cells, words);
    let clocks: [(&str, &str, Clock); 3] =
        [("response", "応答", |t| &t.response), ("service", "サービス", |t| &t.service), ("wait", "待ち", |t| &t.wait)];
    for (en, ja, of) in clocks {
        for (what, what_ja, figure) in [
            ("mean", "平均", (|h| h.mean_ns()) as fn(&Histogram) -> f64),
            ("p99", "p99", |h| h.quantile_ns(0.99) as f64),
        ] {
            columns.push(Column {
                head: format!("{} {}", words.pick(en, ja), words.pick(what, what_ja)),
                cells: times.iter().map(|t| figure::grouped(figure(of(t)) / 1e6)).collect(),
                left: false,
                dispensable: u8::from(what == "mean"),
            });
        }
    }
    let note = words.pick(
        "(ms; response = wait for a free client, from the intended start + service)\n",
        "(ms。応答 = 予定した開始からの待ち + サービス)\n",
    );
    Some(format!("\n{}{note}", fitted(&columns)))
}

/// The verdict of the run, each reason once with the number of trials that it applies to.
fn verdict(summary: &Summary, words: &TerminalWords, out: &mut String) {
    let language = words.language;
    let _ = write!(out, "\n{} {}", words.label("verdict", "判定"), summary.verdict().word(language));
    let mut reasons: Vec<Reason> = Vec::new();
    let of_trials = summary.trials.iter().filter(|t| t.begun).flat_map(|t| t.doubts().iter().cloned());
    let of_cells = summary.cells().into_iter().flat_map(|c| c.doubts);
    for (doubt, of) in of_trials.map(|d| (d, ColumnKind::Trials)).chain(of_cells.map(|d| (d, ColumnKind::Cells))) {
        match reasons.iter_mut().find(|r| r.code == doubt.code) {
            Some(known) => known.found += 1,
            None => {
                let text = words.problem(&doubt.problem).replace('\n', "\n         ");
                reasons.push(Reason { verdict: doubt.verdict, code: doubt.code, text, of, found: 1 });
            }
        }
    }
    let not_run = summary.trials.iter().filter(|t| !t.begun).count();
    if not_run > 0 {
        let all = summary.trials.len();
        let _ = match language {
            Language::English => write!(out, "\n         {not_run} of {all} trials were not run"),
            Language::Japanese => write!(out, "\n         {all} 試行のうち {not_run} は実行されませんでした"),
        };
    }
    for Reason { verdict, text, of, found, .. } in reasons {
        let more = match (language, found, of) {
            (_, 0 | 1, _) => String::new(),
            (Language::English, n, ColumnKind::Trials) => format!("  (and in {} more trials)", n - 1),
            (Language::English, n, ColumnKind::Cells) => format!("  (and in {} more cells)", n - 1),
            (Language::Japanese, n, ColumnKind::Trials) => format!("(ほか {} 試行)", n - 1),
            (Language::Japanese, n, ColumnKind::Cells) => format!("(ほか {} 条件)", n - 1),
        };
        let _ = write!(out, "\n         {}: {text}{more}", verdict.word(language));
    }
}

/// A doubt, and the number of trials or cells in which it was found.
struct Reason {
    verdict: Verdict,
    code: String,
    text: String,
    of: ColumnKind,
    found: usize,
}

/// What a doubt concerns.
#[derive(Clone, Copy)]
enum ColumnKind {
    Trials,
    Cells,
}

/// The columns side by side; the most dispensable are omitted until a line fits into [`WIDTH`].
fn fitted(columns: &[Column]) -> String {
    let widest = |c: &Column| c.cells.iter().chain([&c.head]).map(|t| width(t)).max().unwrap_or(0);
    let mut kept: Vec<&Column> = columns.iter().collect();
    while kept.iter().map(|c| widest(c) + 2).sum::<usize>() > WIDTH + 2 {
        let Some((i, _)) =
            kept.iter().enumerate().filter(|(_, c)| c.dispensable > 0).max_by_key(|(_, c)| c.dispensable)
        else {
            break;
        };
        kept.remove(i);
    }
    let rows = kept.first().map_or(0, |c| c.cells.len());
    let line = |text: &dyn Fn(&Column) -> String| {
        let cells = kept.iter().map(|c| {
            let (text, pad) = (text(c), widest(c));
            let pad = " ".repeat(pad - width(&text));
            if c.left { format!("{text}{pad}") } else { format!("{pad}{text}") }
        });
        format!("{}\n", cells.collect::<Vec<_>>().join("  ").trim_end())
    };
    let body = (0..rows).map(|i| line(&|c| c.cells[i].clone()));
    std::iter::once(line(&|c| c.head.clone())).chain(body).collect()
}

/// Columns of a terminal that a text takes; a Japanese character takes two.
fn width(text: &str) -> usize {
    unicode_width::UnicodeWidthStr::width(text)
}

/// A left-aligned table of text.
pub fn words(rows: &[Vec<String>]) -> String {
    let columns = rows.iter().map(Vec::len).max().unwrap_or(0);
    let text = |row: &Vec<String>, i: usize| row.get(i).cloned().unwrap_or_default();
    let widths: Vec<usize> = (0..columns).map(|i| rows.iter().map(|r| width(&text(r, i))).max().unwrap_or(0)).collect();
    let line = |row: &Vec<String>| {
        let cells = row.iter().enumerate().map(|(i, cell)| format!("{cell}{}", " ".repeat(widths[i] - width(cell))));
        format!("{}\n", cells.collect::<Vec<_>>().join("  ").trim_end())
    };
    rows.iter().map(line).collect()
}
