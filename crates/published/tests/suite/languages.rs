//! Tables in many languages: words of headings, letters with accents, and the comma as the decimal sign.

use crate::reading::{agree, shown};
use tenbin_published::read;

#[test]
fn headings_of_more_languages_are_known() {
    for heads in [
        "Hilos;Transacciones por segundo;Latencia media (ms);Percentil 95 (ms)",
        "Número de conexiones;TPS;Tiempo de respuesta promedio (ms);95.º percentil (ms)",
        "Usuarios concurrentes;Transacciones/s;Latencia promedio (ms);P95 (ms)",
        "Clients;Transactions par seconde;Latence moyenne (ms);95e centile (ms)",
        "Nombre de threads;Débit (TPS);Temps de réponse moyen (ms);95ème percentile (ms)",
        "Utilisateurs simultanés;Transactions/seconde;Temps moyen de réponse (ms);Centile 95 (ms)",
        "Threads;Transações por segundo;Latência média (ms);Percentil 95 (ms)",
        "Conexões simultâneas;Vazão (TPS);Tempo médio de resposta (ms);95º percentil (ms)",
        "Anzahl Threads;Transaktionen/s;Ø Latenz (ms);95. Perzentil (ms)",
        "Thread;Transazioni al secondo;Latenza media (ms);95° percentile (ms)",
        "客户端并发;每秒交易數;平均延遲 (ms);95百分位延遲 (ms)",
        "同時実行ユーザー数;1秒あたりの処理件数;平均応答時間(ms);95パーセンタイル(ms)",
        "동시 접속자 수;초당 처리 건수;평균 지연(ms);95% 지연(ms)",
        "Conc.;Commits/s;Avg latency (ms);95% latency (ms)",
    ] {
        let text = format!("{heads}\n8;1.000,5;8,0;12,5\n16;1.500,5;10,66;19,5\n");
        agree(&[(
            &text,
            "clients 8 tps 1000.5 mean_ms 8 p95_ms 12.5; clients 16 tps 1500.5 mean_ms 10.66 p95_ms 19.5",
        )]);
    }
    agree(&[
        (
            "Hilos;Consultas por segundo;Latencia mínima (ms);Latencia máxima (ms)\n8;2500;1,5;40\n",
            "clients 8 qps 2500 min_ms 1.5 max_ms 40",
        ),
        (
            "Utilisateurs;Requêtes par seconde;Latence minimale (ms);Latence maximale (ms)\n8;2500;1,5;40\n",
            "clients 8 qps 2500 min_ms 1.5 max_ms 40",
        ),
        (
            "Usuários;Requisições por segundo;Latência mínima (ms);Latência máxima (ms)\n8;2500;1,5;40\n",
            "clients 8 qps 2500 min_ms 1.5 max_ms 40",
        ),
        ("Base de datos;Hilos;TPS;Mejora\nA;8;2500;-\nB;8;2750;+10 %\n", "A clients 8 tps 2500; B clients 8 tps 2750"),
        (
            "Serveur;Threads;TPS;Erreurs\nA;8;2500;0\nB;8;2750;3\n",
            "A clients 8 tps 2500 failed 0; B clients 8 tps 2750 failed 3",
        ),
        ("Banco de dados;Threads;TPS;Ganho\nA;8;2500;-\nB;8;2750;10%\n", "A clients 8 tps 2500; B clients 8 tps 2750"),
    ]);
}

#[test]
fn numbers_behind_words_for_times_are_percentiles() {
    for heading in ["latency_ms_95", "lat95 (ms)", "latency95_ms", "Latency 95 (ms)", "rt_95 (ms)"] {
        agree(&[(&format!("threads,tps,{heading}\n8,1000,12.5\n"), "clients 8 tps 1000 p95_ms 12.5")]);
    }
    agree(&[
        (
            "threads,5.7 avg (ms),5.7 95%,8.0 avg (ms),8.0 95%\n8,8,12,7,11\n",
            "5.7 clients 8 mean_ms 8 p95_ms 12; 8.0 clients 8 mean_ms 7 p95_ms 11",
        ),
        // A version, and no percentile.
        (
            "threads,Latency 5.7 (µs),Latency 8.0 (us)\n8,8000,7000\n",
            "5.7 clients 8 mean_ms 8; 8.0 clients 8 mean_ms 7",
        ),
    ]);
}

#[test]
fn parts_and_statistics_in_more_languages_are_no_figures_of_the_whole() {
    for heading in [
        "Latencia de lectura (ms)",
        "Latence d'écriture (ms)",
        "Latência de leitura (ms)",
        "Máx. conexiones",
        "TPS máximo",
        "TPS por núcleo",
        "Tasa de errores",
        "Taux d'erreur",
        "Uso de CPU (%)",
    ] {
        let text = format!("threads;TPS;avg (ms);{heading}\n8;1000;8,0;4\n16;1500;10,7;6\n");
        agree(&[(&text, "clients 8 tps 1000 mean_ms 8; clients 16 tps 1500 mean_ms 10.7")]);
    }
}

#[test]
fn further_words_of_headings_are_understood() {
    for clients in ["コネクション数", "thr", "Thd", "Nb threads"] {
        agree(&[(&format!("{clients},TPS\n8,1000\n16,1500\n"), "clients 8 tps 1000; clients 16 tps 1500")]);
    }
    for (heading, kind) in [
        ("レイテンシ平均", "mean_ms"),
        ("最大レスポンス", "max_ms"),
        ("レスポンスタイム中央値", "p50_ms"),
        ("平均响应", "mean_ms"),
        ("最长响应时间", "max_ms"),
        ("中位延迟", "p50_ms"),
        ("응답속도", "mean_ms"),
        ("95 perc.", "p95_ms"),
        ("95%点", "p95_ms"),
    ] {
        agree(&[(&format!("threads,TPS,{heading}\n8,1000,8\n"), &format!("clients 8 tps 1000 {kind} 8"))]);
    }
    agree(&[("threads,events per second\n8,1000\n", "clients 8 tps 1000")]);
}

#[test]
fn headings_name_their_figures_in_many_words() {
    let with = |heading: &str, rest: &str| format!("{heading},{rest}\n8,1000,8.0\n16,1500,10.67\n");
    for clients in [
        "numthreads",
        "clients (-c)",
        "VUsers",
        "並列クライアント",
        "セッション数",
        "并发级别",
        "压测线程数",
        "連線數",
        "会话数",
        "사용자",
        "가상 사용자 수",
        "세션 수",
        "Пользователи",
        "Сессий",
        "Nutzer",
        "Clients (gleichzeitig)",
    ] {
        let read = shown(&with(clients, "TPS,avg (ms)"));
        assert_eq!(read, "clients 8 tps 1000 mean_ms 8; clients 16 tps 1500 mean_ms 10.67", "{clients}");
    }
    for rate in [
        "txs/s",
        "Sum TPS",
        "Aggregate TPS",
        "TPS值",
        "平均TPS値",
        "TPS平均値",
        "事务吞吐量",
        "处理能力(TPS)",
        "処理性能(TPS)",
        "1秒あたりのトランザクション数",
        "tps (without initial connection time)",
        "tps(excluding)",
        "Transaktionen pro Sek.",
    ] {
        let read = shown(&with("threads", &format!("{rate},avg (ms)")));
        assert_eq!(read, "clients 8 tps 1000 mean_ms 8; clients 16 tps 1500 mean_ms 10.67", "{rate}");
    }
    for mean in [
        "AvgLatency(ms)",
        "平响(ms)",
        "响应时间均值(ms)",
        "平均回應時間 (ms)",
        "處理時間平均(ms)",
        "平均時間(ms)",
        "レスポンス平均(ms)",
        "평균 대기시간(ms)",
        "Средний отклик (мс)",
    ] {
        let read = shown(&with("threads", &format!("TPS,{mean}")));
        assert_eq!(read, "clients 8 tps 1000 mean_ms 8; clients 16 tps 1500 mean_ms 10.67", "{mean}");
    }
    for other in ["95百分位响应时间(ms)", "95パーセンタイル応答時間 (ms)", "95%延時(ms)", "時延P95(ms)"]
    {
        assert!(
            shown(&with("threads", &format!("TPS,{other}"))).starts_with("clients 8 tps 1000 p95_ms 8;"),
            "{other}"
        );
    }
    for queries in ["stmts/s", "SQL/s", "QPS値", "查询吞吐量(QPS)", "每秒SQL数", "秒間クエリー数"] {
        assert!(shown(&with("threads", &format!("{queries},p95 (ms)"))).contains("qps 1000"), "{queries}");
    }
    assert!(shown(&with("threads", "TPS,最大延时(ms)")).starts_with("clients 8 tps 1000 max_ms 8;"));
    // Ten thousand.
    let text = "框架 | 线程数 | QPS | 平响\n--|--|--|--\nA | 60 | 6.9w | 0.9ms\nB | 60 | 30w | 0.2ms\n";
    assert_eq!(shown(text), "A clients 60 qps 69000 mean_ms 0.9; B clients 60 qps 300000 mean_ms 0.2");
    let unread = "Name | QPS | Wait\n--|--|--\nA | 12 apples | 0.9ms\nB | 30 apples | 0.2ms\n";
    assert!(read(unread.as_bytes(), "x").is_err(), "{}", shown(unread));
}

#[test]
fn words_for_clients_stand_above_numbers_of_them_too() {
    for words in ["동시 접속자 수", "并发用户数", "Parallele Clients", "Número de conexiones"] {
        let text = format!("{words};16;128\nTPS;1000;1600\nTP95 (ms);20;100\n");
        agree(&[(&text, "clients 16 tps 1000 p95_ms 20; clients 128 tps 1600 p95_ms 100")]);
    }
}

#[test]
fn words_above_a_table_may_be_one_of_several_without_blanks() {
    let table = "|server|1 thread|8 threads|\n|-|-|-|\n|A|1000|6000|\n";
    let right = "A clients 1 unstated 1000; A clients 8 unstated 6000";
    agree(&[
        (&format!("点查询性能对比\n\n{table}"), right),
        (&format!("读写混合测试结果\n\n{table}"), right),
        // What was measured may be of the disk, and an unknown word may say anything.
        (&format!("磁盘性能对比\n\n{table}"), "nothing"),
        (&format!("复制延迟对比\n\n{table}"), "nothing"),
    ]);
}

#[test]
fn scenarios_are_workloads() {
    for heading in ["시나리오", "Szenario", "シナリオ", "场景", "Сценарий", "Scénario"] {
        let text = format!("|{heading}|threads|TPS|\n|-|-|-|\n|일반 조회|8|450|\n|피크 부하|16|380|\n");
        let read = read(text.as_bytes(), "x").unwrap();
        let workloads: Vec<Option<&str>> = read.results.iter().map(|result| result.workload.as_deref()).collect();
        assert_eq!(workloads, [Some("일반 조회"), Some("피크 부하")], "{heading}");
    }
}
