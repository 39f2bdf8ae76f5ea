//! Headings and names of rows that say in words what their abbreviation counts: `TPS (transactions per second)` beside `QPS (queries per second)` are
//! two figures of one server.

use crate::reading::agree;
use tenbin_published::{audit, read};

/// Headings of clients, transactions, queries and mean response times in a second, as they are published.
const HEADINGS: &[[&str; 4]] = &[
    ["Threads", "TPS (transactions per second)", "QPS (queries per second)", "Avg latency (ms)"],
    ["threads", "TPS (Transactions/s)", "QPS (Queries/s)", "Avg latency"],
    ["threads", "TPS [tx/s]", "QPS [q/s]", "Avg latency"],
    ["Threads", "TPS (tx/sec)", "QPS (q/sec)", "Latency ms (avg)"],
    ["threads", "Transactions/s (TPS)", "Queries/s (QPS)", "Avg latency"],
    ["Threads", "Transaction TPS", "Query QPS", "Avg (ms)"],
    ["Threads", "tps(transactions)", "qps(queries)", "lat avg"],
    ["线程数", "TPS（每秒事务数）", "QPS（每秒查询数）", "平均响应时间（毫秒）"],
    ["线程数", "TPS(事务数/秒)", "QPS(查询数/秒)", "平均延迟"],
    ["线程数", "TPS (每秒交易数)", "QPS (每秒查询率)", "平均RT（ms）"],
    ["线程数", "TPS（每秒处理事务数）", "QPS（每秒请求数）", "平均延迟"],
    ["线程数", "TPS(笔/秒)", "QPS(次/秒)", "平均延迟(ms)"],
    ["线程数", "吞吐量(TPS)", "查询量(QPS)", "平均延迟"],
    ["线程数", "事务 TPS", "查询 QPS", "平均延迟"],
    ["线程数", "TPS 事务", "QPS 查询", "平均延迟"],
    ["スレッド数", "TPS(毎秒トランザクション数)", "QPS(毎秒クエリ数)", "平均応答時間"],
    ["スレッド数", "TPS（トランザクション／秒）", "QPS（クエリ／秒）", "平均応答時間（ミリ秒）"],
    ["スレッド数", "TPS(件/秒)", "QPS(件/秒)", "平均応答時間"],
    ["スレッド数", "トランザクション数(TPS)", "クエリ数(QPS)", "平均応答時間"],
    ["スレッド", "トランザクションTPS", "クエリQPS", "平均(ms)"],
    ["스레드", "TPS(초당 트랜잭션)", "QPS(초당 쿼리)", "평균 지연"],
    ["스레드", "초당 트랜잭션 수(TPS)", "초당 쿼리 수(QPS)", "평균 지연"],
    ["스레드", "TPS (건/초)", "QPS (건/초)", "평균 지연"],
    ["Потоки", "TPS (транзакций в секунду)", "QPS (запросов в секунду)", "Средняя задержка"],
    ["Потоки", "TPS (транз/с)", "QPS (запр/с)", "Задержка avg (мс)"],
    ["Threads", "TPS (Transaktionen/s)", "QPS (Abfragen/s)", "mittlere Latenz"],
    ["Hilos", "TPS (transacciones/s)", "QPS (consultas/s)", "Latencia media"],
    ["Threads", "TPS (transactions/s)", "QPS (requêtes/s)", "Latence moyenne"],
    ["Threads", "TPS (transações/s)", "QPS (consultas/s)", "Latência média"],
];
/// Transactions, queries of which one is ten times as high, and response times.
const ROWS: [[&str; 4]; 3] =
    [["8", "1000", "20000", "8"], ["16", "1500", "300000", "10.67"], ["32", "1600", "32000", "20"]];
const RESULTS: &str = "clients 8 tps 1000 qps 20000 mean_ms 8; clients 16 tps 1500 qps 300000 mean_ms 10.67; clients 32 tps 1600 qps 32000 mean_ms 20";

fn markdown(rows: &[Vec<&str>]) -> String {
    let line = |row: &Vec<&str>| format!("| {} |\n", row.join(" | "));
    let rule = format!("|{}\n", "--|".repeat(rows[0].len()));
    let mut lines: Vec<String> = rows.iter().map(line).collect();
    lines.insert(1, rule);
    lines.concat()
}

fn queries_are_doubted(text: &str) -> bool {
    let audited = audit(&read(text.as_bytes(), "x.md").unwrap_or_else(|why| panic!("{why:?}: {text}")));
    audited.doubts.iter().any(|finding| finding.doubt.problem.code() == Some("doubt-published-queries"))
}

#[test]
fn columns_that_say_a_rate_twice_are_of_one_server() {
    for headings in HEADINGS {
        let rows: Vec<Vec<&str>> = std::iter::once(headings).chain(&ROWS).map(|row| row.to_vec()).collect();
        let text = markdown(&rows);
        agree(&[(&text, RESULTS)]);
        assert!(queries_are_doubted(&text), "{text}");
    }
}

#[test]
fn rows_that_say_a_rate_twice_are_of_one_server() {
    for headings in HEADINGS {
        let row = |at: usize| std::iter::once(headings[at]).chain(ROWS.iter().map(move |row| row[at])).collect();
        let text = markdown(&(0..4).map(row).collect::<Vec<Vec<&str>>>());
        let head = text.lines().next().unwrap_or_default();
        assert!(queries_are_doubted(&text), "{head}\n{text}");
    }
}

#[test]
fn names_of_servers_beside_them_stay() {
    agree(&[
        (
            "| Threads | MySQL TPS (transactions per second) | PG TPS (transactions per second) |\n|--|--|--|\n| 8 | 1000 | 1200 |\n",
            "MySQL clients 8 tps 1000; PG clients 8 tps 1200",
        ),
        ("Threads,MySQL TPS,MySQL QPS\n8,1000,20000\n", "MySQL clients 8 tps 1000 qps 20000"),
        (
            "Threads,Server S TPS,Server T TPS\n8,1000,1200\n",
            "Server S clients 8 tps 1000; Server T clients 8 tps 1200",
        ),
        ("warehouses,tpmC (transactions per minute)\n100,45000\n", "warehouses=100 nopm 45000"),
        ("Threads,p95 (95th percentile),TPS\n8,12,1000\n", "clients 8 tps 1000 p95_ms 12"),
        ("Threads,5.7 TPS,8.0 TPS\n16,1500,1800\n", "5.7 clients 16 tps 1500; 8.0 clients 16 tps 1800"),
    ]);
}
