//! The page in headless Chromium (with and without scripts, in both themes, printed, on a narrow screen), its content,
//! and the exports.

#[path = "suite/common/mod.rs"]
mod common;
#[path = "suite/variants.rs"]
mod variants;

use std::path::{Path, PathBuf};
use std::process::Command;
use tenbin_model::event::Event;
use tenbin_model::summary::Summary;
use tenbin_report::{export, page};
use tenbin_words::language::Language;
use tenbin_words::message::foreign;
use tenbin_words::problem::Problem;

fn summary() -> Summary {
    Summary::of(&common::events(common::PLAN))
}

/// The folder of the page's script, with what its tests need.
fn web() -> PathBuf {
    let web = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../web");
    // Each test may run in a process of its own; one of them installs.
    let lock = std::fs::File::create(Path::new(env!("CARGO_TARGET_TMPDIR")).join("npm.lock"));
    let lock = lock.expect("cargo made the directory");
    lock.lock().expect("files of ours can be locked");
    if !web.join("node_modules/playwright-core").exists() || !web.join("node_modules/typescript").exists() {
        run("npm", &["ci", "--ignore-scripts", "--no-audit", "--no-fund"], &web);
    }
    web
}

/// Runs a test of the web folder on the pages of some variants, and on other pages.
fn on_variants(test: &str, chosen: &[&str], others: &[&Path], web: &Path, folder: &Path) {
    let mut pages = vec![test.to_owned()];
    pages.extend(others.iter().map(|file| file.display().to_string()));
    for (name, events) in variants::each(|name| chosen.contains(&name)) {
        let file = folder.join(format!("{name}.html"));
        let text = page::file(&Summary::of(&events), &[], Language::English);
        std::fs::write(&file, text).unwrap_or_else(|e| panic!("{}: {e}", file.display()));
        pages.push(file.display().to_string());
    }
    assert_eq!(pages.len(), chosen.len() + others.len() + 1, "every variant is there");
    run("node", &pages.iter().map(String::as_str).collect::<Vec<_>>(), web);
}

fn run(program: &str, arguments: &[&str], folder: &Path) {
    let output = Command::new(program).args(arguments).current_dir(folder).output();
    let output = output.unwrap_or_else(|e| panic!("{program}: {e}; install Node.js and npm"));
    let text = [output.stdout, output.stderr].concat();
    assert!(output.status.success(), "{program} {}\n{}", arguments.join(" "), String::from_utf8_lossy(&text));
}

#[test]
fn the_page_has_no_errors_in_a_browser() {
    let web = web();
    run("npm", &["run", "--silent", "check"], &web);
    let folder = tempfile::tempdir().unwrap();
    let doubts = [Problem::new(foreign("something <is> missing"))];
    let written = |language: Language, name: &str| {
        let file = folder.path().join(name);
        std::fs::write(&file, page::file(&summary(), &doubts, language)).unwrap();
        file.display().to_string()
    };
    let (english, japanese) = (written(Language::English, "en.html"), written(Language::Japanese, "ja.html"));
    run("node", &["test/page.mjs", &english, &japanese], &web);
    let chosen = ["one-trial", "tpcc", "search", "two-axes", "harmful-names", "one-invalid"];
    on_variants("test/variants.mjs", &chosen, &[], &web, folder.path());
}

#[test]
fn pages_of_every_other_kind_have_no_errors_in_a_browser() {
    let folder = tempfile::tempdir().unwrap();
    let chosen = [
        "five-targets",
        "many-trials",
        "words",
        "failed",
        "doubts",
        "observed",
        "load-hosts",
        "all-invalid",
        "one-dead",
        "nothing-and-much",
    ];
    on_variants("test/variants.mjs", &chosen, &[], &web(), folder.path());
}

/// The sizes, the boxes and the pictures are recorded in `web/test/layout.txt`; `TENBIN_UPDATE_LAYOUT=1` writes it anew.
#[test]
fn the_first_screen_answers_and_looks_as_it_did() {
    let folder = tempfile::tempdir().unwrap();
    let chosen = [
        "plain",
        "one-trial",
        "forty-targets",
        "many-trials",
        "tpcc",
        "one-load",
        "twelve-targets",
        "search",
        "two-axes",
        "two-axes-alone",
        "harmful-names",
        "all-invalid",
        "one-dead",
        "nothing-and-much",
    ];
    on_variants("test/layout.mjs", &chosen, &[], &web(), folder.path());
}

#[test]
fn nothing_is_cut_at_the_edge_of_the_paper() {
    let folder = tempfile::tempdir().unwrap();
    // A table of others, of 30 numbers of clients.
    let clients = (1..=30).map(|n| format!("{}", n * 8)).collect::<Vec<_>>().join(",");
    let rows = ["a server with a long name,read only", "b,read only", "b,read and write"];
    let rows =
        rows.map(|row| format!("{row},{}", (1..=30).map(|n| format!("{}", n * 1003)).collect::<Vec<_>>().join(",")));
    let table = format!("server,workload,{clients}\n{}\n", rows.join("\n"));
    let published = tenbin_published::read(table.as_bytes(), "throughput.csv").unwrap();
    let audited = tenbin_published::audit(&published);
    let text = tenbin_report::published::page(&published, &audited, "0.0", Language::English);
    let file = folder.path().join("published.html");
    std::fs::write(&file, text).unwrap();
    on_variants("test/paper.mjs", &["words", "tpcc"], &[&file], &web(), folder.path());
}

#[test]
fn nothing_of_any_other_kind_of_page_is_cut_at_the_edge_of_the_paper() {
    let folder = tempfile::tempdir().unwrap();
    let chosen = ["five-targets", "forty-targets", "many-trials", "observed", "load-hosts", "harmful-names"];
    on_variants("test/paper.mjs", &chosen, &[], &web(), folder.path());
}

#[test]
fn nothing_from_outside_is_markup_and_nothing_is_fetched() {
    let text = page::render(&summary(), &[Problem::new(foreign("<img src=x>"))], Language::Japanese);
    for markup in ["<script>alert", "<img", "<b>ON</b>", "<i>marks</i>", "<cache>"] {
        assert!(!text.contains(markup), "{markup} reached the page unescaped");
    }
    assert!(text.contains("&lt;script&gt;alert(1)&lt;&#x2f;script&gt;"));
    let fetched = ["src=\"http", "href=\"http", "@import", "url(http", "<link", "<iframe"];
    for way in fetched {
        assert!(!text.contains(way), "{way}");
    }
    let addresses: Vec<&str> = text.match_indices("http").map(|(i, _)| &text[i..(i + 40).min(text.len())]).collect();
    let foreign = addresses.iter().filter(|a| a.starts_with("http://") || a.starts_with("https://"));
    let foreign: Vec<_> = foreign.filter(|a| !a.starts_with("http://www.w3.org/")).collect();
    assert!(foreign.is_empty(), "{foreign:?}");
}

#[test]
fn tpcc_results_are_labelled_as_derived_and_not_audited() {
    let events = variants::named("tpcc");
    let text = page::render(&Summary::of(&events), &[], Language::English);
    let sentence = tenbin_verdict::tpcc_result::sentence();
    let sentence = sentence.english();
    let (head, rest) = text.split_once("<h2>").unwrap();
    assert!(head.contains(sentence) && head.contains("Profile batched: "), "beside the answer");
    assert!(head.contains("the p99 of New-Orders"), "the card says whose response times it has");
    let section = rest.split("<h2>").find(|s| s.contains("TPC-C-derived results</span>")).unwrap();
    assert!(
        section.contains(sentence)
            && section.contains("NOPM")
            && section.contains("Profile batched: ")
            && section.contains("no full disclosure, no audit")
    );
    let lower = text.to_lowercase();
    assert!(!lower.contains("tpmc"), "the trademark is not used");
    assert!(!page::render(&summary(), &[], Language::English).contains(sentence), "and on no other page");
}

#[test]
fn replicas_network_and_statements_of_the_server_have_their_sections() {
    let events = variants::named("observed");
    let text = page::render(&Summary::of(&events), &[], Language::English);
    let section = |id: &str| {
        let (_, rest) = text.split_once(&format!("<section id=\"{id}\"")).unwrap_or_else(|| panic!("no {id}"));
        rest.split_once("</section>").unwrap().0
    };
    let sentences = |id: &str| -> Vec<String> {
        let items = section(id).split("<li>").skip(1).map(|item| item.split("</li>").next().unwrap());
        items.map(english).collect()
    };
    insta::assert_snapshot!(sentences("replicas").join("\n"), @"
    trial 1  source: Replica r1 falls behind by 0.500 seconds each second: 3.8 s at the end of the load
    trial 1  source: Replica replica-in-the-other-data-centre keeps up: at most 0.1 s behind
    trial 4  source: Replica r1 falls behind by 0.500 seconds each second: 3.8 s at the end of the load
    trial 4  source: Replica replica-in-the-other-data-centre keeps up: at most 0.1 s behind
    ");
    insta::assert_snapshot!(sentences("network").join("\n"), @"
    trial 1  source: received 90 Mbit/s (at most 90) and sent 20 Mbit/s (at most 20); 10 % of the TCP segments were sent again
    trial 2  クラウドのマネージド MySQL 8.4(4 vCPU): received 90 Mbit/s (at most 90) and sent 20 Mbit/s (at most 20); 10 % of the TCP segments were sent again
    trial 3  クラウドのマネージド MySQL 8.4(4 vCPU): received 90 Mbit/s (at most 90) and sent 20 Mbit/s (at most 20); 10 % of the TCP segments were sent again
    trial 4  source: received 90 Mbit/s (at most 90) and sent 20 Mbit/s (at most 20); 10 % of the TCP segments were sent again
    ");
    insta::assert_snapshot!(sentences("server-statements").join("\n"), @"
    source: a consumer &lt;is&gt; off – hint: UPDATE setup_consumers
    クラウドのマネージド MySQL 8.4(4 vCPU): a consumer &lt;is&gt; off – hint: UPDATE setup_consumers
    ");
    // Throughput, lag and binary logs of the two trials on the source, one below the other; the target without replicas
    // has none. Received and sent bits of both targets in two cells.
    assert_eq!((section("replicas").matches("<figure").count(), section("network").matches("<figure").count()), (6, 4));
    let digests = section("server-statements");
    // The section is folded, and says in another fold how it is read.
    assert_eq!(digests.matches("<details").count(), 2 + 4, "a table for each trial");
    assert!(digests.contains("60,000") && digests.contains("shop") && !digests.contains("<script>alert"));
}

/// The English text of markup in both languages.
fn english(markup: &str) -> String {
    let mut text = String::new();
    let mut rest = markup;
    while let Some((before, after)) = rest.split_once("<span lang=\"ja\">") {
        text += before;
        rest = after.split_once("</span>").map_or("", |(_, rest)| rest);
    }
    text += rest;
    let parts = text.split('<').enumerate();
    parts.map(|(at, part)| if at == 0 { part } else { part.split_once('>').map_or("", |(_, text)| text) }).collect()
}

#[test]
fn every_section_is_on_the_page_once() {
    let text = page::render(&summary(), &[], Language::English);
    let heads: Vec<&str> = text
        .split("<h2>")
        .skip(1)
        .filter_map(|t| t.split_once("<span lang=\"en\">")?.1.split_once("</span>"))
        .map(|(head, _)| head)
        .collect();
    insta::assert_snapshot!(heads.join("\n"), @"
    Overview
    Ratios
    Bottleneck
    Reliability
    Results by cell
    Response time distribution
    Timeline
    Statements
    Errors
    Trial timeline
    Transaction accounting
    Resource use
    Observer readings
    Machines
    Environment
    Target settings
    Notes
    Plan
    ");
}

#[test]
fn a_run_without_errors_says_so() {
    let mut events = common::events(common::PLAN);
    for event in &mut events {
        if let Event::Interval { tally, .. } = event {
            tally.accounting.scheduled -= tally.accounting.failed;
            tally.accounting.failed = 0;
            tally.transactions.values_mut().for_each(|t| t.failed = 0);
            tally.statements.values_mut().for_each(|s| s.errors.clear());
        }
    }
    let text = page::render(&Summary::of(&events), &[], Language::English);
    let (_, errors) = text.split_once("<section id=\"errors\"").expect("the section is there");
    assert!(errors.contains("No errors: none of"), "{}", &errors[..1000]);
    assert!(!text.contains("id=\"trust\""), "all trials are VALID, so nothing is said of reasons");
}

#[test]
fn csv_markdown_and_json_exports() {
    let lines: Vec<String> =
        export::trials(&summary(), None).csv().unwrap().lines().take(3).map(str::to_owned).collect();
    insta::assert_snapshot!(lines.join("\n"), @r#"
    run,trial,experiment,target,cell,repeat,load.clients,state,verdict,measured_s,tps,qps,tps_of,nopm,times_of,mean_ms,p50_ms,p95_ms,p99_ms,max_ms,begun_before,scheduled,completed,failed,skipped,open,carried,carried_failed,retries,reconnects,truncated,clients_at_end,unavailable_client_s,longest_standstill_s,workload,options,dataset,server_version,settings,profile,engine,durability,scale
    "sample (made up, not measured) 2026-11-21T01:31:00+09:00",1,threads,<script>alert(1)</script>,1,1,1,complete,DEGRADED,6.000,294.167,3235.833,all,,all,3.3858,3.2420,5.4845,7.7988,9.0358,0,1768,1765,3,0,0,0,0,0,0,no,1,0.000,0.000,oltp_read_write,{},"{""name"":""small"",""kind"":""sysbench"",""options"":{},""streams"":4}",11.4,{},,,not-known,
    "sample (made up, not measured) 2026-11-21T01:31:00+09:00",2,threads,flash,1,1,1,complete,VALID,6.000,190.667,2097.333,all,,all,5.2237,4.9234,8.6016,11.4688,14.3196,0,1144,1144,0,0,0,0,0,0,0,no,1,0.000,0.000,oltp_read_write,{},"{""name"":""small"",""kind"":""sysbench"",""options"":{},""streams"":4}",11.4,{},,,not-known,
    "#);
    insta::assert_snapshot!(export::markdown(&summary(), Language::English), @"
    # sample (made up, not measured)

    &lt;script&gt;alert(1)&lt;/script&gt; completed 1.53× the transactions per second of flash (95 % interval 1.51× to 1.54×, 6 pairs of runs). The p99 response time of &lt;script&gt;alert(1)&lt;/script&gt; was 0.65× that of flash (95 % interval 0.61× to 0.69×).

    flash, &lt;script&gt;alert(1)&lt;/script&gt;: there is not enough evidence to name the limit; tenbin show RUN --why says what is missing.

    oltp_read_write; 1, 8, 64 clients; closed loop; measured for 6.0 s, 2 times; MySQL 11.4; client and server on one machine; 2026-11-21

    | load.clients | target | repeats | TPS | spread | QPS | mean ms | p50 | p95 | p99 | max | failed | verdict |
    |---|---|---|---|---|---|---|---|---|---|---|---|---|
    | 1 | flash | 2 | 189 | 188–191 | 2,081 | 5.3 | 4.9 | 9.0 | 11.8 | 14.3 | 2 | DEGRADED |
    | 1 | &lt;script&gt;alert(1)&lt;/script&gt; | 2 | 292 | 290–294 | 3,213 | 3.4 | 3.2 | 5.6 | 7.6 | 9.0 | 5 | DEGRADED |
    | 8 | flash | 2 | 1,008 | 994–1,022 | 11,090 | 7.9 | 7.6 | 13.0 | 17.6 | 20.7 | 2 | DEGRADED |
    | 8 | &lt;script&gt;alert(1)&lt;/script&gt; | 2 | 1,532 | 1,524–1,540 | 16,853 | 5.2 | 5.0 | 8.5 | 11.6 | 14.5 | 4 | DEGRADED |
    | 64 | flash | 2 | 2,110 | 2,104–2,117 | 23,212 | 30.3 | 28.5 | 49.9 | 69.3 | 81.9 | 2 | DEGRADED |
    | 64 | &lt;script&gt;alert(1)&lt;/script&gt; | 2 | 3,214 | 3,192–3,237 | 35,357 | 19.9 | 18.9 | 33.3 | 44.3 | 53.1 | 5 | DEGRADED |

    DEGRADED — Tenbin 0.0.0, 2026-11-21T01:31:00+09:00
    ");
    let json: serde_json::Value = serde_json::from_str(&export::json(&summary(), None)).unwrap();
    insta::assert_snapshot!(json["conditions_ja"].as_str().unwrap(), @"oltp_read_write、1・8・64 クライアント、クローズドループ、計測 6.0 秒 × 2 回、MySQL 11.4、クライアントとサーバーは同一マシン、2026-11-21");
    assert_eq!(json["trials"].as_array().map(Vec::len), Some(12));
}

#[test]
fn readings_are_exported_row_by_row_and_with_their_figures() {
    let csv = export::readings(&summary(), None).csv().unwrap();
    let run = "\"sample (made up, not measured) 2026-11-21T01:31:00+09:00\",";
    let without_run = csv.lines().map(|line| line.strip_prefix(run).or(line.strip_prefix("run,")).unwrap());
    let of_second: Vec<&str> = without_run.filter(|l| l.starts_with("trial,") || l.starts_with("2,")).collect();
    // Two samples of the load phase, and eight while the clients run.
    insta::assert_snapshot!([&of_second[..1], &of_second[9..11], &of_second[19..24]].concat().join("\n"), @"
    trial,target,cell,repeat,observer,reading,kind,unit,whose,phase,at_s,window_s,source_time,value,per_second,scale
    2,flash,1,1,server.status,threads_running,gauge,,server,load,9.100,-2.400,2026-11-21T16:31:09.1Z,1,,
    2,flash,1,1,server.status,threads_running,gauge,,server,load,9.300,-2.200,2026-11-21T16:31:09.3Z,1,,
    2,flash,1,1,server.status,com_select,counter,,server,load,9.100,-2.400,2026-11-21T16:31:09.1Z,0,,
    2,flash,1,1,server.status,com_select,counter,,server,load,9.300,-2.200,2026-11-21T16:31:09.3Z,1000,5000.00,
    2,flash,1,1,server.status,com_select,counter,,server,warm-up,9.500,-2.000,2026-11-21T16:31:09.5Z,2000,5000.00,
    2,flash,1,1,server.status,com_select,counter,,server,warm-up,10.500,-1.000,2026-11-21T16:31:10.5Z,2120,120.000,
    2,flash,1,1,server.status,com_select,counter,,server,measure,11.500,0.000,2026-11-21T16:31:11.5Z,2200,80.0000,
    ");
    assert_eq!(of_second.len(), 1 + 8 + 3 * 10, "each value has its row");
    let json: serde_json::Value = serde_json::from_str(&export::json(&summary(), None)).unwrap();
    let readings = json["trials"][1]["readings"].as_array().unwrap();
    let lines: Vec<String> = readings.iter().map(ToString::to_string).collect();
    insta::assert_snapshot!(lines.join("\n"), @r#"
    {"observer":"client.host","name":"cpu_steal_s","kind":"counter","unit":"s","whose":"client","label":null,"change":0.0,"per_second":0.0,"seconds":5.0}
    {"observer":"server.status","name":"threads_running","kind":"gauge","unit":"","whose":"server","label":{"en":"threads at work","ja":"実行中のスレッド"},"mean":0.5,"min":0.0,"max":1.0}
    {"observer":"server.status","name":"com_select","kind":"counter","unit":"","whose":"server","label":null,"change":520.0,"per_second":104.0,"seconds":5.0}
    {"observer":"server.status","name":"innodb_data_written","kind":"counter","unit":"bytes","whose":"server","label":null,"change":2129920.0,"per_second":425984.0,"seconds":5.0}
    "#);
}

#[test]
fn the_page_stays_small_with_many_readings_of_many_trials() {
    let mut events = common::events(common::PLAN);
    for event in &mut events {
        if let Event::Observation { observer, values, .. } = event
            && observer == "server.status"
        {
            let done = values["com_select"];
            values.extend((0..300).map(|n| (format!("variable_{n}"), done * f64::from(n) + f64::from(n % 7))));
        }
    }
    let text = page::render(&Summary::of(&events), &[], Language::English);
    let size = |from: &str, to: &str| text.split_once(from).and_then(|t| t.1.split_once(to)).unwrap().0.len();
    // 303 readings of 12 trials, of 10 samples each.
    let (tables, charts) = (size("<section id=\"readings\">", "</section>"), size("id=\"chart-data\">", "</script>"));
    assert!(tables < 1_000_000 && charts < 1_200_000, "{tables} and {charts} bytes");
}

#[test]
fn the_x_axis_has_words_in_the_plans_order_if_no_axis_has_numbers() {
    let plan = common::PLAN
        .replace("\"load.clients\" = [1, 8, 64]", "\"load.workload\" = [\"oltp_read_write\", \"oltp_insert\"]");
    let text = page::render(&Summary::of(&common::events(&plan)), &[], Language::English);
    let (_, glance) = text.split_once("<section id=\"glance\"").expect("there is an overview");
    let (glance, _) = glance.split_once("</section>").expect("a section ends");
    let place = |word: &str| glance.find(word).unwrap_or_else(|| panic!("no {word}: {glance}"));
    assert!(place("oltp_read_write") < place("oltp_insert"), "{glance}");
}

#[test]
fn maps_of_response_times_count_every_transaction_and_are_few() {
    let events = common::events(common::PLAN);
    let summary = Summary::of(&events);
    for trial in &summary.trials {
        let completed = events.iter().filter_map(|event| match event {
            Event::Interval { trial: of, tally, .. } if *of == trial.trial.number => Some(tally.accounting.completed),
            _ => None,
        });
        let counted: u64 = trial.heat.columns().iter().flat_map(|column| column.counts).map(u64::from).sum();
        assert_eq!((counted, trial.heat.columns().len()), (completed.sum(), 8), "trial {}", trial.trial.number);
    }
    let text = page::render(&summary, &[], Language::English);
    let (_, section) = text.split_once("<section id=\"series\">").unwrap();
    let (section, _) = section.split_once("</section>").unwrap();
    assert_eq!(section.matches("<svg class=\"steps").count(), 2, "one for each target");
    assert!(section.contains("<path class=\"heat h8\""), "{section}");
    // A client that did not run makes times long that are not the server's.
    let mut halted = Summary::of(&events);
    let target = halted.trials[0].trial.target.name.clone();
    let of_it = halted.trials.iter_mut().filter(|trial| trial.trial.target.name == target);
    of_it.for_each(|trial| trial.client_halts.suspended_ns = trial.measured_ns());
    let text = page::render(&halted, &[], Language::English);
    assert_eq!(text.matches("<svg class=\"steps").count(), 1, "the other target has the only map");
}
