//! What we doubt about a result: VALID, DEGRADED or INVALID, with reasons.
//!
//! One function per doubt and one list of them; each looks at a finished trial and answers with a reason or nothing.
//! Thresholds are those of the field's practice (steal 1 %, client 85 %, Little's law 5 %, rate 99 %, others a tenth of a machine that is full;
//! repeats 10 %, as pyperf has it). Time in which nothing was measured (the server stood still, clients had no connection, we ourselves did
//! not run) makes a result wrong by its share of the window: from 1 % on it is told, from [`LOST`] on the result is INVALID.

use crate::answer::Language;
use crate::counted;
use crate::durability;
use crate::event::State;
use crate::figure;
use crate::phrase;
use crate::problem::Problem;
use crate::standstill::LEAST_NS;
use crate::statistics;
use crate::summary::{Cell, TrialResult};
use crate::tpcc;
use crate::trial::Schedule;
use serde::{Deserialize, Serialize};

/// How far a result can be trusted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "UPPERCASE")]
pub enum Verdict {
    /// Nothing found that would weaken it.
    Valid,
    /// It stands, with the reasons named.
    Degraded,
    /// It must not be used as a measurement of the target.
    Invalid,
}

impl Verdict {
    /// The word as users read it in their language.
    pub fn word(self, language: Language) -> &'static str {
        match (self, language) {
            (_, Language::English) => self.name(),
            (Verdict::Valid, Language::Japanese) => "有効",
            (Verdict::Degraded, Language::Japanese) => "要注意",
            (Verdict::Invalid, Language::Japanese) => "無効",
        }
    }

    /// The fixed word, for machines and for every terminal.
    pub fn name(self) -> &'static str {
        match self {
            Verdict::Valid => "VALID",
            Verdict::Degraded => "DEGRADED",
            Verdict::Invalid => "INVALID",
        }
    }
}

/// One reason for less than VALID.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Doubt {
    /// How much it weighs.
    pub verdict: Verdict,
    /// A short fixed name for machines: `errors`, `client-busy`, ….
    pub code: String,
    /// What, evidence, way out.
    pub problem: Problem,
    /// The same in Japanese; a server's own words stay as they came.
    pub problem_ja: Problem,
}

impl Doubt {
    /// What, evidence and way out in the reader's language.
    pub fn told(&self, language: Language) -> &Problem {
        match language {
            Language::English => &self.problem,
            Language::Japanese => &self.problem_ja,
        }
    }
}

type Look = fn(&TrialResult) -> Option<Doubt>;

/// The list of doubts, gravest first.
const DOUBTS: &[Look] = &[
    not_measured,
    unbalanced,
    cut_short,
    server_gone,
    clients_gone,
    client_stopped,
    client_suspended,
    silent_at_end,
    standstill,
    unavailable,
    no_transactions,
    errors,
    rate_not_reached,
    littles_law,
    client_busy,
    steal,
    others_busy,
    many_servers,
    few_samples,
];

/// Everything we doubt about one finished trial.
pub fn doubts(trial: &TrialResult) -> Vec<Doubt> {
    DOUBTS.iter().filter_map(|look| look(trial)).collect()
}

/// What we doubt about the repeats of a cell as a whole.
pub fn doubts_of_cell(cell: &Cell) -> Vec<Doubt> {
    scatter(cell).into_iter().collect()
}

/// The gravest of them; VALID when there is none.
pub fn verdict(doubts: &[Doubt]) -> Verdict {
    doubts.iter().map(|d| d.verdict).max().unwrap_or(Verdict::Valid)
}

fn doubt(verdict: Verdict, code: &str, problem: Problem, problem_ja: Problem) -> Option<Doubt> {
    Some(Doubt { verdict, code: code.to_owned(), problem, problem_ja })
}

fn not_measured(t: &TrialResult) -> Option<Doubt> {
    if t.state.is_some() && t.measured_ns() > 0 && t.tally.accounting.completed > 0 {
        return None;
    }
    let mut problem = Problem::new("nothing was measured")
        .mend("read the notes of this trial, mend the cause and run the plan again");
    let mut problem_ja = Problem::new("何も測定されていません")
        .mend("この試行の注記を読み、原因を取り除いてから、もう一度実行してください");
    (problem.evidence, problem_ja.evidence) = match t.state {
        None => (
            Some("the record of the trial has no end: the run was killed, or its last lines are lost".into()),
            Some("試行の記録に終わりがありません。実行が強制終了されたか、記録の末尾が失われています".into()),
        ),
        Some(_) => (t.failure().map(in_english), t.failure().map(in_japanese)),
    };
    doubt(Verdict::Invalid, "not-measured", problem, problem_ja)
}

fn in_english(problem: &Problem) -> String {
    let Problem { what, evidence, mend } = problem;
    let parts = [Some(what.clone()), evidence.clone(), mend.as_ref().map(|m| format!("way out: {m}"))];
    parts.into_iter().flatten().collect::<Vec<_>>().join("; ")
}

fn in_japanese(problem: &Problem) -> String {
    let Problem { what, evidence, mend } = phrase::problem(problem, Language::Japanese);
    let parts = [Some(what), evidence.map(|e| format!("根拠: {e}")), mend.map(|m| format!("対処: {m}"))];
    parts.into_iter().flatten().collect::<Vec<_>>().join("。")
}

fn unbalanced(t: &TrialResult) -> Option<Doubt> {
    let a = &t.tally.accounting;
    if a.balances() {
        return None;
    }
    doubt(
        Verdict::Invalid,
        "accounting",
        Problem::new("transactions are missing from the record").evidence(format!(
            "scheduled {} ≠ completed {} + failed {} + skipped {} + open {}",
            a.scheduled, a.completed, a.failed, a.skipped, a.open
        )),
        Problem::new("記録から漏れたトランザクションがあります").evidence(format!(
            "予定 {} ≠ 完了 {} + 失敗 {} + 見送り {} + 実行中 {}",
            a.scheduled, a.completed, a.failed, a.skipped, a.open
        )),
    )
}

fn cut_short(t: &TrialResult) -> Option<Doubt> {
    if t.measured_ns() == 0 {
        // Said already.
        return None;
    }
    let measured_s = t.measured_ns() as f64 / 1e9;
    let planned_s = t.trial.measure_ms as f64 / 1e3;
    let seen = format!("measured {measured_s:.1} s of {planned_s:.1} s");
    let seen_ja = format!("{planned_s:.1} 秒のうち {measured_s:.1} 秒を測定");
    match t.state? {
        State::Complete => None,
        State::Partial => doubt(
            Verdict::Degraded,
            "partial",
            Problem::new("the trial was stopped before its end").evidence(seen),
            Problem::new("試行は予定より前に停止されました").evidence(seen_ja),
        ),
        State::Failed => doubt(
            Verdict::Invalid,
            "failed",
            Problem::new("the trial ended with an error")
                .evidence(t.failure().map_or(seen.clone(), |p| format!("{seen}; {}", in_english(p)))),
            Problem::new("試行はエラーで終わりました")
                .evidence(t.failure().map_or(seen_ja.clone(), |p| format!("{seen_ja}。{}", in_japanese(p)))),
        ),
    }
}

/// Time in which nothing was measured is told from this share of the window on …
const TOLD: f64 = 0.01;
/// … and from this on the result is INVALID.
const LOST: f64 = 0.25;
/// The same for silence at the window's end, longer than any answer took: what would have come is not known.
const LOST_AT_END: f64 = 0.1;

fn grade(share: f64) -> Option<Verdict> {
    match share {
        s if s >= LOST => Some(Verdict::Invalid),
        s if s >= TOLD => Some(Verdict::Degraded),
        _ => None,
    }
}

/// Nanoseconds as seconds for evidence.
fn s(ns: u64) -> String {
    format!("{:.1} s", ns as f64 / 1e9)
}

fn s_ja(ns: u64) -> String {
    format!("{:.1} 秒", ns as f64 / 1e9)
}

fn share(t: &TrialResult, ns: u64) -> f64 {
    ns as f64 / t.measured_ns().max(1) as f64
}

fn server_gone(t: &TrialResult) -> Option<Doubt> {
    (t.measured_ns() > 0 && t.lost_sight("server.process")).then_some(())?;
    doubt(
        Verdict::Invalid,
        "server-gone",
        Problem::new("the server's process ended before the measurement did")
            .evidence("the process that was observed is no longer there")
            .mend("find out from the server's error log and the kernel's (dmesg) why it ended, and measure again"),
        Problem::new("測定が終わる前に、サーバーのプロセスが終了しました")
            .evidence("観測していたプロセスがなくなりました")
            .mend("サーバーのエラーログとカーネルのログ(dmesg)で終了の原因を調べ、もう一度測定してください"),
    )
}

fn clients_gone(t: &TrialResult) -> Option<Doubt> {
    let (connected, asked) = (t.clients_at_end()?, t.trial.load.clients);
    (t.state.is_some() && connected < asked).then_some(())?;
    doubt(
        Verdict::Invalid,
        "clients-lost",
        Problem::new("at the end fewer clients were connected than asked for")
            .evidence(format!("{connected} of {asked} clients"))
            .mend("see in the server's error log why it closed connections or takes no new ones, and measure again"),
        Problem::new("測定終了時に接続していたクライアントが、指定より少なくなっていました")
            .evidence(format!("{asked} クライアントのうち {connected}"))
            .mend("サーバーが接続を閉じた、または新しい接続を受け付けない原因をエラーログで調べ、もう一度測定してください"),
    )
}

/// That we were stopped shows in our own clock, and in that nobody completed anything meanwhile.
fn stopped_ns(t: &TrialResult) -> u64 {
    let stopped = t.client_halts.stopped_ns;
    // A thread that waits for a processor while the others go on has stopped nothing.
    if stopped > t.measured_ns() / 2 { stopped } else { stopped.min(t.standstill().map_or(0, |s| s.total_ns)) }
}

fn client_stopped(t: &TrialResult) -> Option<Doubt> {
    let (ns, window) = (stopped_ns(t), t.measured_ns());
    let verdict = grade(share(t, ns))?;
    doubt(
        verdict,
        "client-stopped",
        Problem::new("Tenbin itself did not run for a part of the measurement")
            .evidence(format!(
                "for {} of {}: it was stopped (SIGSTOP, Ctrl-Z, a debugger), or got no processor",
                s(ns),
                s(window)
            ))
            .mend("measure again without stopping it, on a machine that has a processor for it"),
        Problem::new("測定の一部の間、Tenbin 自身が動いていませんでした")
            .evidence(format!(
                "{}のうち {}。停止されたか(SIGSTOP、Ctrl-Z、デバッガー)、CPU を割り当てられませんでした",
                s_ja(window),
                s_ja(ns)
            ))
            .mend("停止させずに、CPU に余裕のあるマシンで、もう一度測定してください"),
    )
}

fn client_suspended(t: &TrialResult) -> Option<Doubt> {
    let (ns, window) = (t.client_halts.suspended_ns, t.measured_ns());
    let verdict = grade(share(t, ns))?;
    doubt(
        verdict,
        "client-suspended",
        Problem::new("the client's machine was suspended during the measurement")
            .evidence(format!("for {}, which the {} measured do not contain", s(ns), s(window)))
            .mend("keep the machine awake (systemd-inhibit tenbin …), and measure again"),
        Problem::new("測定中に、クライアントマシンがサスペンドしました")
            .evidence(format!("{}。測定した {} には含まれません", s_ja(ns), s_ja(window)))
            .mend("マシンをサスペンドさせずに(systemd-inhibit tenbin …)、もう一度測定してください"),
    )
}

fn silent_at_end(t: &TrialResult) -> Option<Doubt> {
    let (silent, window) = (t.silent_at_end_ns(), t.measured_ns());
    let all = t.tally.all_transactions();
    let longest = all.response.max_ns().max(all.failed_service.max_ns());
    let intervals = t.trial.interval_ms.saturating_mul(3_000_000).min((window as f64 * LOST) as u64);
    let hangs =
        silent >= LEAST_NS.max(intervals) && share(t, silent) >= LOST_AT_END && silent as f64 > 1.5 * longest as f64;
    (t.tally.accounting.completed > 0 && hangs && stopped_ns(t) < silent / 2).then_some(())?;
    let open = t.tally.accounting.open;
    doubt(
        Verdict::Invalid,
        "silent-at-end",
        Problem::new("nothing completed any more before the end: the server hung or was gone")
            .evidence(format!("no transaction completed in the last {} of {}; {open} were under way", s(silent), s(window)))
            .mend("look what the server waits for (SHOW PROCESSLIST, pg_stat_activity, its error log), and measure again"),
        Problem::new("終了前に何も完了しなくなりました。サーバーが応答しないか、停止しています")
            .evidence(format!("{}のうち最後の {}に完了したトランザクションがありません。実行中 {open} 件", s_ja(window), s_ja(silent)))
            .mend("サーバーが何を待っているかを調べ(SHOW PROCESSLIST、pg_stat_activity、エラーログ)、もう一度測定してください"),
    )
}

/// The code of the doubt that is told beside percentiles.
pub const STANDSTILL: &str = "standstill";

fn standstill(t: &TrialResult) -> Option<Doubt> {
    let (still, window) = (t.standstill()?, t.measured_ns());
    // Told already, with its cause.
    (stopped_ns(t) < still.total_ns / 2 && silent_at_end(t).is_none()).then_some(())?;
    let told = grade(share(t, still.total_ns))?;
    let verdict = if share(t, still.longest_ns) >= LOST { Verdict::Invalid } else { told.min(Verdict::Degraded) };
    let p99_ms = t.tally.all_starts().response.quantile_ns(0.99) as f64 / 1e6;
    let (longest, total, n) = (still.longest_ns, still.total_ns, still.count);
    let (all, all_ja) = match n {
        1 => (String::new(), String::new()),
        _ => (format!(" ({n} such times, {} in all)", s(total)), format!("(計 {n} 回、合わせて {})", s_ja(total))),
    };
    doubt(
        verdict,
        STANDSTILL,
        Problem::new("for some time no transaction completed, and percentiles hardly show it")
            .evidence(format!("none completed for {}{all}, of {} measured; p99 is {p99_ms:.3} ms", s(longest), s(window)))
            .mend("look what the server did then (checkpoints, locks, its error log); a rate (load.rate) brings such waits into the percentiles"),
        Problem::new("しばらくの間トランザクションが一件も完了しませんでした。パーセンタイルにはほとんど表れません")
            .evidence(format!("{}の測定のうち {}の間、完了なし{all_ja}。p99 は {p99_ms:.3} ms", s_ja(window), s_ja(longest)))
            .mend("その間のサーバーの動作(チェックポイント、ロック、エラーログ)を調べてください。レート(load.rate)を指定すると、待ち時間がパーセンタイルに表れます"),
    )
}

fn unavailable(t: &TrialResult) -> Option<Doubt> {
    let (ns, clients) = (t.tally.unavailable_ns, t.trial.load.clients);
    (ns > 0 && t.measured_ns() > 0).then_some(())?;
    let all = t.measured_ns() as f64 * f64::from(clients.max(1));
    let share = ns as f64 / all;
    let percent = share * 100.0;
    let reconnects = t.tally.reconnects;
    doubt(
        if share >= LOST_AT_END { Verdict::Invalid } else { Verdict::Degraded },
        "unavailable",
        Problem::new("clients spent time without a connection after losing it")
            .evidence(format!("{} of client time, {percent:.2} % of {clients} clients × {}; {reconnects} connections were opened again", s(ns), s(t.measured_ns())))
            .mend("see in the server's error log why it closes connections"),
        Problem::new("クライアントが、切断後に接続のない状態で過ごした時間があります")
            .evidence(format!("クライアント時間で {}({clients} クライアント × {} の {percent:.2}%)。再接続 {reconnects} 回", s_ja(ns), s_ja(t.measured_ns())))
            .mend("サーバーが接続を閉じる原因をエラーログで調べてください"),
    )
}

/// The standard deviation of repeats may be this share of their mean (pyperf calls a benchmark beyond it unstable).
const SCATTER: f64 = 0.1;

fn scatter(cell: &Cell) -> Option<Doubt> {
    let (mean, deviation) = (statistics::mean(&cell.tps)?, statistics::deviation(&cell.tps)?);
    (deviation > SCATTER * mean).then_some(())?;
    let each = |of: fn(f64, f64) -> f64| figure::grouped(cell.tps.iter().copied().reduce(of).unwrap_or(0.0));
    let (low, high, n, percent) = (each(f64::min), each(f64::max), cell.tps.len(), 100.0 * deviation / mean);
    doubt(
        Verdict::Degraded,
        "scatter",
        Problem::new("the repeats differ from one another more than repeats of the same should")
            .evidence(format!("{low} to {high} TPS in {n} repeats: the standard deviation is {percent:.0} % of the mean"))
            .mend("find out what differed (other programs, the data's state, caches), measure longer, or repeat more often"),
        Problem::new("同じ条件の繰り返しにしては、結果の差が大きすぎます")
            .evidence(format!("{n} 回の繰り返しで {low}〜{high} TPS。標準偏差は平均の {percent:.0}%"))
            .mend("何が違ったのか(ほかのプログラム、データの状態、キャッシュ)を調べ、測定時間を長くするか、繰り返しを増やしてください"),
    )
}

/// TPC-C on tables that cannot roll back: one New-Order in a hundred is, and its rows stay.
fn no_transactions(t: &TrialResult) -> Option<Doubt> {
    let engines = durability::without_transactions(durability::engine(t).unwrap_or(""));
    (t.trial.load.workload == tpcc::WORKLOAD && !engines.is_empty()).then_some(())?;
    let engines = engines.join(", ");
    doubt(
        Verdict::Invalid,
        "no-transactions",
        Problem::new("the tables have no transactions, and TPC-C is made of them: what it rolls back stays")
            .evidence(format!("storage engine {engines}"))
            .mend("load the tables with an engine that has transactions: tenbin load tpcc … -o mysql_storage_engine=innodb"),
        Problem::new("テーブルにトランザクションがなく、TPC-C が成り立ちません(ロールバックしても行が残ります)")
            .evidence(format!("ストレージエンジン {engines}"))
            .mend("トランザクションのあるエンジンでロードしてください: tenbin load tpcc … -o mysql_storage_engine=innodb"),
    )
}

fn errors(t: &TrialResult) -> Option<Doubt> {
    let a = &t.tally.accounting;
    if a.failed == 0 || a.completed == 0 {
        return None;
    }
    let share = a.failed as f64 / (a.failed + a.completed) as f64;
    let percent = share * 100.0;
    let verdict = if share > 0.01 { Verdict::Invalid } else { Verdict::Degraded };
    let codes: Vec<String> = t.tally.errors().iter().map(|(code, n)| format!("{n} × {code}")).collect();
    let codes = codes.join(", ");
    let all = a.failed + a.completed;
    doubt(
        verdict,
        "errors",
        Problem::new("some transactions failed")
            .evidence(format!("{} of {all} ({percent:.2} %); statement errors by code: {codes}", a.failed)),
        Problem::new("失敗したトランザクションがあります")
            .evidence(format!("{all} 件のうち {} 件({percent:.2}%)。文のエラー(コード別): {codes}", a.failed)),
    )
}

fn rate_not_reached(t: &TrialResult) -> Option<Doubt> {
    let Schedule::Open { rate, .. } = t.trial.load.schedule else { return None };
    let a = &t.tally.accounting;
    let (offered, reached) = (a.scheduled, a.completed);
    if t.state != Some(State::Complete) || reached as f64 >= 0.99 * offered as f64 {
        return None;
    }
    let mut problem = Problem::new("the asked rate was not reached: percentiles are a lower bound").evidence(format!(
        "asked {rate} per second; due {offered}, completed {reached}, skipped {}, open {}",
        a.skipped, a.open
    ));
    let mut problem_ja = Problem::new("指定レートに届きませんでした。パーセンタイルは下限値です").evidence(format!(
        "指定は毎秒 {rate} 件。予定 {offered}、完了 {reached}、見送り {}、実行中 {}",
        a.skipped, a.open
    ));
    if t.tps() > 0.0 {
        problem = problem.mend(format!("ask for less than {:.0} per second, or give more clients", t.tps()));
        problem_ja = problem_ja
            .mend(format!("毎秒 {:.0} 件より低いレートを指定するか、クライアントを増やしてください", t.tps()));
    }
    doubt(Verdict::Degraded, "rate", problem, problem_ja)
}

/// In a closed loop clients = throughput × response time (Little 1961). Published tables with swapped columns fail it.
fn littles_law(t: &TrialResult) -> Option<Doubt> {
    let all = t.tally.all_transactions();
    let window_ns = t.measured_ns() as f64;
    // Transactions under way at the edges blur it: judge only what is long enough. Who rests is no client meanwhile.
    if t.trial.load.schedule != Schedule::Closed
        || counted::asked(&t.trial.load).is_some()
        || t.trial.load.paced
        || tpcc::paced(&t.trial)
        || all.response.count() < 1000
        || window_ns < 20.0 * all.response.mean_ns()
        // Its events may be shorter than what counting them costs; the field's figures are with that cost.
        || t.on_host()
    {
        return None;
    }
    // Failed transactions took their time too. How long a client was without a connection is in the response time of the
    // transaction that it did next; where it came to no other, that transaction is open.
    let failed_ns = all.failed_service.mean_ns() * all.failed_service.count() as f64;
    let product = t.tps() * all.response.mean_ns() / 1e9 + failed_ns / window_ns;
    let clients = f64::from(t.trial.load.clients);
    // Between two transactions a client spends a little time in the engine, so slightly below is sound.
    ((product - clients).abs() / clients > 0.05).then_some(())?;
    let (tps, mean_ms, open) = (t.tps(), all.response.mean_ns() / 1e6, t.tally.accounting.open);
    let failed = failed_ns / window_ns;
    let (and_failed, and_failed_ja) = match all.failed {
        0 => (String::new(), String::new()),
        n => (format!(" + {failed:.2} for {n} failed"), format!(" + 失敗 {n} 件の {failed:.2}")),
    };
    doubt(
        Verdict::Degraded,
        "littles-law",
        Problem::new("throughput × mean response time does not give the number of clients").evidence(format!(
            "{tps:.1}/s × {mean_ms:.3} ms{and_failed} = {product:.2}, clients {clients}: the rest of their time went into {open} transactions that did not end in the window, or into Tenbin itself"
        )),
        Problem::new("スループット × 平均応答時間が、クライアント数と合いません").evidence(format!(
            "{tps:.1}/秒 × {mean_ms:.3} ms{and_failed_ja} = {product:.2}、クライアント数 {clients}。差は、計測区間内に終わらなかった {open} 件か、Tenbin 自身の処理に費やされました"
        )),
    )
}

fn client_busy(t: &TrialResult) -> Option<Doubt> {
    // The embedded database runs inside our own process: its work is the target's.
    if t.embedded() || t.measured_ns() == 0 {
        return None;
    }
    let cores = t.client_cores()?;
    let used = t.client_cpu_ns as f64 / t.measured_ns() as f64;
    let reachable = f64::from(t.workers).min(cores);
    (used > 0.85 * reachable).then_some(())?;
    doubt(
        Verdict::Degraded,
        "client-busy",
        Problem::new("the client was the limit, or close to it")
            .evidence(format!("Tenbin used {used:.2} of the {reachable:.0} cores its {} workers can use", t.workers))
            .mend("drive from a machine of its own, give it more cores, or set load.workers"),
        Problem::new("クライアント側が上限か、その近くに達していました")
            .evidence(format!(
                "Tenbin は、{} ワーカーで使える {reachable:.0} コアのうち {used:.2} コアを使いました",
                t.workers
            ))
            .mend("負荷を専用のマシンからかける、コアを増やす、または load.workers を設定してください"),
    )
}

fn steal(t: &TrialResult) -> Option<Doubt> {
    let stolen_s = t.observed_change("client.host", "cpu_steal_s")?;
    let cores = t.client_cores()?;
    let share = stolen_s / (cores * t.measured_ns() as f64 / 1e9);
    (share > 0.01).then_some(())?;
    let percent = share * 100.0;
    doubt(
        Verdict::Degraded,
        "steal",
        Problem::new("the hypervisor took processor time away from the client's machine")
            .evidence(format!("steal {percent:.1} % of {cores:.0} cores in the measured window")),
        Problem::new("ハイパーバイザーが、クライアントマシンの CPU 時間を奪っていました")
            .evidence(format!("計測区間のスティールは {cores:.0} コアの {percent:.1}%")),
    )
}

/// Work of others is a doubt where it took more than a tenth of a machine that had less than a tenth left.
const OTHERS: f64 = 0.1;
/// Shorter windows say too little: the machine's figures come in steps of 10 ms.
const OTHERS_LEAST_NS: u64 = 500_000_000;
/// Of the time that our threads were ready to run they may wait so much for a processor, on a machine that others use too.
const WAITED: f64 = 0.5;

fn others_busy(t: &TrialResult) -> Option<Doubt> {
    (t.measured_ns() >= OTHERS_LEAST_NS).then_some(())?;
    let cores = |names: &[&str]| {
        names.iter().map(|name| t.observed_rate("client.host", &format!("cpu_{name}_s"))).sum::<Option<f64>>()
    };
    let (busy, left) = (cores(&["user", "nice", "system", "irq", "softirq"])?, cores(&["idle", "iowait"])?);
    let all = busy + left + t.observed_rate("client.host", "cpu_steal_s").unwrap_or(0.0);
    let server = if t.embedded() || !t.beside_client() {
        0.0
    } else {
        // One that nobody looks into cannot be told from others.
        let of = |name| t.observed_rate("server.process", name);
        of("cpu_user_s")? + of("cpu_system_s")?
    };
    let client = t.client_cpu_ns as f64 / t.measured_ns() as f64;
    let others = busy - server - client;
    // We may be kept to a few of the cores, so that the machine is not full and we wait all the same.
    let waited = t.observed_rate("client.process", "run_delay_s");
    let starved = waited.is_some_and(|waited| waited > WAITED * (waited + client));
    (others > OTHERS * all && (left < OTHERS * all || starved)).then_some(())?;
    let threads = waited.map_or(String::new(), |w| format!("; Tenbin's threads waited {w:.2} s in each second"));
    let threads_ja = waited.map_or(String::new(), |w| format!("。Tenbin のスレッドの待ちは毎秒 {w:.2} 秒"));
    doubt(
        Verdict::Degraded,
        "others-busy",
        Problem::new("other programs took processor time that this measurement needed")
            .evidence(format!(
                "of the {all:.0} cores of the client's machine others used {others:.2}, Tenbin {client:.2}, the server {server:.2}; {left:.2} were left{threads}"
            ))
            .mend("stop what else runs there (top shows it), and measure again"),
        Problem::new("ほかのプログラムが、この測定に必要な CPU 時間を使っていました")
            .evidence(format!(
                "クライアントマシンの {all:.0} コアのうち、ほかのプログラムが {others:.2}、Tenbin が {client:.2}、サーバーが {server:.2} を使い、空きは {left:.2} でした{threads_ja}"
            ))
            .mend("そこで動いているほかのものを止めて、もう一度測定してください"),
    )
}

/// What was found before the trial: a balancer of connections, and not one server, was measured.
fn many_servers(t: &TrialResult) -> Option<Doubt> {
    let (_, found) = t.notes.iter().find(|(_, p)| p.what == MANY_SERVERS)?;
    doubt(Verdict::Degraded, "many-servers", found.clone(), phrase::problem(found, Language::Japanese))
}

/// The note's sentence, as `target::doctor` writes it.
const MANY_SERVERS: &str = "the address leads to more than one server";

fn few_samples(t: &TrialResult) -> Option<Doubt> {
    let n = t.tally.accounting.completed;
    // A percentile p wants 10/(1−p) samples: 1,000 for p99.
    (n > 0 && n < 1000).then_some(())?;
    doubt(
        Verdict::Degraded,
        "few-samples",
        Problem::new("too few transactions for a p99")
            .evidence(format!("{n} completed; p99 wants 1,000"))
            .mend("measure longer"),
        Problem::new("p99 を求めるにはトランザクションが足りません")
            .evidence(format!("完了 {n} 件。p99 には 1,000 件が必要です"))
            .mend("測定時間を長くしてください"),
    )
}
