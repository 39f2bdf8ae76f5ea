//! Both languages are complete: of all synthetic runs, the Japanese page contains no English sentence of Tenbin and the
//! English page no Japanese one, and every doubt has both texts.

#![expect(clippy::unwrap_used, reason = "a test may")]

use crate::variants;
use tenbin_verdict::judged::Judged;
use tenbin_verdict::judged_trial::JudgedTrial;

use std::collections::{BTreeMap, BTreeSet};
use tenbin_model::summary::Summary;
use tenbin_report::page;
use tenbin_verdict::answer::answer;
use tenbin_words::language::Language;
use tenbin_words::message::{Message, foreign};
use tenbin_words::problem::Problem;
use tenbin_words::text::short;

/// Texts of the synthetic servers that are inserted into sentences of Tenbin.
const SEEN: [&str; 2] =
    ["mysql://bench@127.0.0.1:3306/sbtest", "Access denied for user 'bench'@'localhost' (using password: YES)"];

/// Latin words that are used in both languages: units, names, technical terms.
const SHARED: &[&str] = &[
    "TPS",
    "QPS",
    "CPU",
    "OS",
    "Tenbin",
    "VALID",
    "DEGRADED",
    "INVALID",
    "KiB",
    "MiB",
    "GiB",
    "Mbit",
    "PostgreSQL",
    "Sen",
    "TCP",
    "Theil",
    "Gunther",
    "Universal",
    "Scalability",
    "Law",
    "ms",
    "min",
    "fsync",
    "cgroup",
    "steal",
    "NOPM",
    "batched",
    "SIGSTOP",
    "SHOW",
    "PROCESSLIST",
    "dmesg",
    "tenbin",
    // A key of an address.
    "passfile",
];

/// The texts of Tenbin on a page that are visible if the language `hidden` is hidden: without scripts, styles, code and
/// what is marked as text from outside.
fn ours(page: &str, hidden: &str) -> Vec<String> {
    const VOID: [&str; 6] = ["meta", "br", "wbr", "hr", "input", "link"];
    let mut texts = Vec::new();
    let mut open: Vec<(String, bool)> = Vec::new();
    let mut rest = page;
    while let Some(at) = rest.find('<') {
        let silent = open.iter().any(|o| o.1);
        if !silent && !rest[..at].trim().is_empty() {
            texts.push(rest[..at].trim().to_owned());
        }
        let end = at + rest[at..].find('>').unwrap();
        let tag = &rest[at + 1..end];
        rest = &rest[end + 1..];
        if tag.starts_with('!') {
            continue;
        }
        if let Some(name) = tag.strip_prefix('/') {
            let (opened, _) = open.pop().unwrap_or_else(|| panic!("</{name}> closes nothing"));
            assert_eq!(opened, name, "elements overlap");
            continue;
        }
        let name = tag.split([' ', '/']).next().unwrap().to_owned();
        let silent = ["script", "style", "code", "title"].contains(&name.as_str())
            || tag.contains("translate=\"no\"")
            || tag.contains(&format!(" lang=\"{hidden}\"")) && name != "html";
        if name == "script" || name == "style" {
            rest = &rest[rest.find(&format!("</{name}>")).unwrap()..];
        }
        if !VOID.contains(&name.as_str()) && !tag.ends_with('/') {
            open.push((name, silent));
        }
    }
    assert!(open.is_empty(), "never closed: {open:?}");
    texts
}

/// The English words in a text for Japanese readers. Names with `_`, `-` or `.` (options, keys of a plan) do not count.
fn english(text: &str) -> Vec<&str> {
    let words = text.split(|c: char| !c.is_ascii_alphanumeric() && !"_-.".contains(c)).map(|w| w.trim_matches('.'));
    words
        .filter(|w| {
            !w.contains(['_', '-', '.'])
                && w.chars().filter(char::is_ascii_alphabetic).count() > 1
                && !SHARED.contains(w)
        })
        .collect()
}

fn japanese(text: &str) -> bool {
    text.chars().any(|c| ('\u{3040}'..='\u{30ff}').contains(&c) || ('\u{4e00}'..='\u{9fff}').contains(&c))
}

#[test]
fn the_helpers_of_these_tests_find_texts_and_words() {
    let page = "<html lang=\"ja\"><p>A stray sentence.</p><p lang=\"en\">hidden</p><p translate=\"no\">a name</p><p>訳文<br>TPS</p></html>";
    assert_eq!(ours(page, "en"), ["A stray sentence.", "訳文", "TPS"]);
    assert_eq!(english("A stray sentence."), ["stray", "sentence"]);
    assert!(english("訳文 12 ms TPS").is_empty() && japanese("訳文") && !japanese("words — ÷"));
}

#[test]
fn each_page_has_only_sentences_of_its_language() {
    // Problems of a damaged run directory.
    let doubts = [
        Problem::new(foreign("trial 3 is not there: it was not begun, or its folder is lost")),
        Problem::new(foreign("2 of 9 lines of runs/x/events.jsonl cannot be read and are left out"))
            .evidence(foreign("the first is line 4: expected value")),
    ];
    // These have the same texts as other runs and take long; names made to harm stand in other forms in sentences.
    for (name, events) in
        variants::each(|name| !["many-trials", "twelve-targets", "two-axes", "harmful-names"].contains(&name))
    {
        let summary = Summary::of(&events);
        let page = page::render(&summary, &doubts, Language::Japanese);
        let address = page.find("http://").or_else(|| page.find("https://"));
        assert_eq!(address.map(|at| &page[at..page.len().min(at + 40)]), None, "{name}: the page names an address");
        assert!(page.contains("<section id=\"plan\">"), "{name}: {}", &page[..600.min(page.len())]);
        let targets: Vec<String> = summary.targets();
        // Sentences of the answer contain names of targets, and of experiments if there are several.
        let experiments = summary.experiments().into_iter().filter(|_| summary.experiments().len() > 1).map(escaped);
        let names: Vec<String> = targets
            .iter()
            .flat_map(|t| [escaped(t), escaped(&short(t, 24))])
            .chain(SEEN.map(escaped))
            .chain(["p99 &lt; 20ms".to_owned()])
            .chain(experiments)
            // Values of axes are names, too.
            .chain(summary.trials.iter().flat_map(|t| &t.trial.axes).map(|(_, value)| escaped(value)))
            .collect();
        let without_names = |text: String| names.iter().fold(text, |text, name| text.replace(name, ""));
        let stray: BTreeMap<String, Vec<String>> = ours(&page, "en")
            .into_iter()
            .map(without_names)
            .map(|t| (t.clone(), english(&t).into_iter().map(str::to_owned).collect::<Vec<_>>()))
            .filter(|(_, words)| !words.is_empty())
            .collect();
        assert!(stray.is_empty(), "{name}: English on the Japanese page: {stray:#?}");
        let stray: Vec<String> =
            ours(&page, "ja").into_iter().map(without_names).filter(|t| japanese(t) && t != "Tenbin 天秤").collect();
        assert!(stray.is_empty(), "{name}: Japanese on the English page: {stray:#?}");
    }
}

/// Published results with every doubt that a table or a log can have; target, workload and headings are text from outside.
const PUBLISHED: &[&str] = &[
    "threads,target,workload,tps,qps,avg_ms,p99_ms,max_ms\n1,甲,x,226.95,4539,42.39,44.51,50\n1,乙,x,23.59,471.8,4.4,4.64,5\n\
     8,甲,x,1639.6,32792,49.33,71.37,80\n8,乙,x,162.16,3000,4.88,5.33,5\n",
    "threads,tps,avg_ms,min_ms,p99_ms,price\n1,100,10,11,5,-\n8,800,5,1,900,7\n16,1600,20,-1,x,1\n16,1600,20,-1,30,1\n",
    "clients,queries_per_client,avg_s,min_s,max_s\n1,1000,0.616,0.598,0.641\n1,10000,0.5,0.4,0.6\n",
    "target,total,avg_per_10s,stddev,note\na,2288758,8445.6,245.7,3600 s; from 100 s on\nb,2284535,8445.6,1,\n",
    "target,total,avg_per_10s,note\na,2288758,8445.6,3600 s; from 100 s on\n",
    "metric,value\nthreads,16\ntime_s,7200\nread,14\nwrite,4\nother,2\ntotal,21\ntransactions,500\ntps,1\nqps,20\nerrors,90\nodd,1\n",
    "metric,value\nthreads,16\nread,14\nwrite,4\nother,2\ntotal,20\ntransactions,1\nerrors,1\np99_ms,5\n",
    "threads,target,tps,qps\n8,a,255.31,5106.2\n8,b,255.31,5106.2\n",
    "threads,target,tps\n8,a,255.31\n8,a,251.02\n",
    "threads,tps,qps,max_ms\n8,100,50,1\n16,150,60,1\n",
    "threads,tps,max_ms\n8,100,81\n16,150,200\n",
    "variable,a,b\nsync_binlog,0,1\n",
    "[connection]: 4\n10, trx: 0, 95%: 9\n20, trx: 9, 95%: 9\n30, trx: 9, 9\n40, trx: 9, 9\n50, trx: 9, 9\n<Raw Results>\n[0] sc:60 lt:40  rt:0  fl:0\n\
     <Constraint Check>\nNew-Order: 60.00%  [NG] *\n<TpmC>\n600.000 TpmC\n",
    "[connection]: 4\n10, trx: 90, 95%: 9\n20, trx: 90, 9\n30, trx: 90, 9\n40, trx: 90, 9\n50, trx: 90, 9\n60, trx: 10, 9\n70, trx: 10, 9\n80, trx: 10, 9\n\
     90, trx: 10, 9\n100, trx: 10, 9\n<Raw Results>\n[0] sc:500 lt:0  rt:0  fl:0\n<TpmC>\n300.000 TpmC\n",
];

#[test]
fn pages_of_published_results_have_only_sentences_of_their_language() {
    let mut codes = BTreeSet::new();
    for text in PUBLISHED {
        let published = tenbin_published::read(text.as_bytes(), "x.csv").unwrap_or_else(|e| panic!("{e}: {text}"));
        let audited = tenbin_published::audit(&published);
        codes.extend(audited.doubts.iter().map(|finding| finding.doubt.code.clone()));
        let page = tenbin_report::published::page(&published, &audited, "0.0", Language::Japanese);
        assert!(page.contains("<section id=\"checks\">"), "{}", &page[..600.min(page.len())]);
        // Names of targets and columns stand within sentences.
        let outside = ["price", "odd", "of ", "New-Order", "Tenbin", "diff", "sysbench"];
        let ja =
            ours(&page, "en").into_iter().map(|text| outside.iter().fold(text, |text, name| text.replace(name, "")));
        let stray: Vec<String> = ja.filter(|text| !english(text).is_empty()).collect();
        assert_eq!(stray, Vec::<String>::new(), "English on the Japanese page");
        let en = ours(&page, "ja").into_iter().map(|text| text.replace(['甲', '乙'], ""));
        let stray: Vec<String> = en.filter(|text| japanese(text) && text != "Tenbin 天秤").collect();
        assert_eq!(stray, Vec::<String>::new(), "Japanese on the English page");
        let markdown = tenbin_report::published::markdown(&published, &audited, Language::English);
        assert!(!japanese(&markdown.replace(['甲', '乙'], "")), "{markdown}");
    }
    let codes: Vec<&str> = codes.iter().map(String::as_str).collect();
    assert_eq!(
        codes,
        [
            "copies",
            "errors",
            "exchanged",
            "few-samples",
            "growth",
            "implied-mean",
            "littles-law",
            "mean-of-periods",
            "negative",
            "order",
            "own-check",
            "part-and-whole",
            "percentile-and-mean",
            "periods",
            "queries-per-transaction",
            "standstill",
            "step",
            "sum",
            "too-fast",
            "total"
        ]
    );
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

#[test]
fn every_doubt_has_text_in_both_languages() {
    let mut codes = BTreeSet::new();
    for (_, events) in variants::each(|_| true) {
        let summary = Summary::of(&events);
        let of_trials = summary.trials.iter().filter(|t| t.begun).flat_map(|t| t.doubts().iter().cloned());
        for d in of_trials.chain(summary.cells().iter().flat_map(|c| c.doubts.iter().cloned())) {
            let p = &d.problem;
            let ja = |part: &Message| part.text(Language::Japanese);
            assert!(japanese(&ja(&p.what)) && !japanese(p.what.english()), "{p:?}");
            assert!(p.evidence.iter().chain(&p.hint).all(|part| japanese(&ja(part))), "{p:?}");
            codes.insert(d.code);
        }
    }
    let codes: Vec<&str> = codes.iter().map(String::as_str).collect();
    assert_eq!(
        codes,
        [
            "accounting",
            "client-busy",
            "client-stopped",
            "client-suspended",
            "clients-lost",
            "clients-waiting",
            "errors",
            "failed",
            "few-samples",
            "host-lost",
            "littles-law",
            "long-transactions",
            "not-measured",
            "others-busy",
            "partial",
            "rate",
            "scatter",
            "server-gone",
            "silent-at-end",
            "standstill",
            "statement-times",
            "statements-in-flight",
            "steal",
            "unavailable",
            "warming"
        ]
    );
}

#[test]
fn answers_of_the_synthetic_runs() {
    let answers: Vec<String> =
        variants::each(|name| ["one-target", "five-targets", "failed", "noisy", "partial"].contains(&name))
            .flat_map(|(name, events)| {
                let summary = Summary::of(&events);
                [Language::English, Language::Japanese].map(|l| format!("{name}: {}", answer(&summary).text(l)))
            })
            .collect();
    insta::assert_snapshot!(answers.join("\n"), @"
    one-target: only completed 2,440 transactions per second at 512 clients (95 % interval ± 76, 3 repeats), with a p99 response time of 453 ms. By the fitted curve it is flat, within 5 % of its highest, from 155 clients on (95 % of fits to runs drawn anew: 141 to 156).
    one-target: only は、512 クライアントのとき毎秒 2,440 トランザクションを処理しました(95% 信頼区間 ± 76、繰り返し 3 回)。応答時間の p99 は 453 ms です。当てはめた曲線では、155 クライアント以上で頭打ち(最大値との差が 5% 以内)です(実行を再抽出した当てはめの 95%: 141〜156)。
    five-targets: Transactions per second compared with MariaDB 11.4 on the old machines, InnoDB with a buffer pool of 12 GiB: percona 5.60× (5.45× to 5.75×); pg 3.63× (3.55× to 3.71×); クラウドのマネージド MySQL 8.4(4 vCPU、16 GiB、プロビジョンド IOPS 3,000) 2.37× (2.34× to 2.39×); mysql-8.4.3-innodb-doublewrite-detect-and-recover-on-nvme-raid10-xfs 1.54× (1.51× to 1.58×) (95 % intervals of 4 comparisons together). Of the first two: percona completed 1.54× the transactions per second of pg (95 % interval 1.51× to 1.57×, 8 pairs of runs).
    five-targets: MariaDB 11.4 on the old machines, InnoDB with a buffer pool of 12 GiB と比べた毎秒トランザクション数: percona は 5.60 倍(5.45〜5.75 倍)、pg は 3.63 倍(3.55〜3.71 倍)、クラウドのマネージド MySQL 8.4(4 vCPU、16 GiB、プロビジョンド IOPS 3,000) は 2.37 倍(2.34〜2.39 倍)、mysql-8.4.3-innodb-doublewrite-detect-and-recover-on-nvme-raid10-xfs は 1.54 倍(1.51〜1.58 倍)(4 個の比較全体での 95% 信頼区間)。上位 2 つの比較: percona の毎秒トランザクション数は pg の 1.54 倍です(95% 信頼区間 1.51〜1.57 倍、8 組)。
    partial: <script>alert(1)</script> completed 1.52× (64 clients) to 1.54× (1 client) the transactions per second of flash (one repeat only: how much of this is chance is not known). The p99 response time of <script>alert(1)</script> was 0.66× (64 clients) to 0.68× (1 client) that of flash. At 8 clients there is no result of <script>alert(1)</script>. 7 of 12 trials were not run.
    partial: <script>alert(1)</script> の毎秒トランザクション数は flash の 1.52 倍(64 クライアント)〜1.54 倍(1 クライアント)です(繰り返しが 1 回のため、偶然の差かどうかは判断できません)。<script>alert(1)</script> の応答時間の p99 は flash の 0.66 倍(64 クライアント)〜0.68 倍(1 クライアント)です。8 クライアントでは <script>alert(1)</script> の結果がありません。12 試行のうち 7 試行は実行されていません。
    failed: Nothing was measured: connecting to mysql://bench@127.0.0.1:3306/sbtest failed: Access denied for user 'bench'@'localhost' (using password: YES) (error 1045).
    failed: 計測値がありません。原因: mysql://bench@127.0.0.1:3306/sbtest への接続に失敗しました: Access denied for user 'bench'@'localhost' (using password: YES) (エラー 1045)
    noisy: These runs cannot tell before and after apart: after completed 1.03× the transactions per second of before, but anything from 0.86× to 1.23× would fit (95 % interval, 15 pairs of runs). About 51 more repeats would narrow it to ±5 %. The p99 response time of after was 0.65× that of before (95 % interval 0.63× to 0.67×).
    noisy: 今回の試行では before と after の優劣を判断できません。after の毎秒トランザクション数は before の 1.03 倍ですが、95% 信頼区間は 0.86〜1.23 倍に及びます(15 組)。信頼区間を ±5% に狭めるには、繰り返しがあと 51 回ほど必要です。after の応答時間の p99 は before の 0.65 倍です(95% 信頼区間 0.63〜0.67 倍)。
    ");
}
