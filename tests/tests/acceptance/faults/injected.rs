//! Faults made on purpose by the null server, seen through the command line: errors, lost connections, stalls,
//! slowness, and clients in numbers.

#![expect(clippy::unwrap_used, reason = "a test may")]

use serde_json::Value;
use tenbin_tests::{NullServer, balanced, output_of, tenbin, tenbin_through};

/// `tenbin bench oltp_point_select` against it; exit code, the first trial, standard error.
fn bench(server: &NullServer, options: &[&str]) -> (i32, Value, String) {
    let dir = tempfile::tempdir().unwrap();
    let mut command = tenbin();
    command.args(["bench", "oltp_point_select", &server.dsn(), "--json", "--runs"]).arg(dir.path()).args(options);
    let (code, out, err) = output_of(&mut command);
    let json: Value = serde_json::from_str(&out).unwrap_or_else(|e| panic!("{e}\n{out}\n{err}"));
    balanced(&json);
    (code, json["trials"][0].clone(), err)
}

fn count(trial: &Value, name: &str) -> u64 {
    trial["accounting"][name].as_u64().unwrap_or_else(|| panic!("{name} in {}", trial["accounting"]))
}

fn codes(trial: &Value) -> Vec<&str> {
    trial["doubts"].as_array().unwrap().iter().map(|d| d["code"].as_str().unwrap()).collect()
}

#[test]
fn deadlocks_are_tried_again_and_every_one_is_counted() {
    let server = NullServer::start(&["--error-rate", "0.02", "--error-code", "1213"]);
    let (code, trial, err) = bench(&server, &["--threads", "4", "--events", "5000", "--time", "60"]);
    assert!([0, 3].contains(&code), "{code} {err}");
    assert_eq!((count(&trial, "completed"), count(&trial, "failed")), (5000, 0), "{err}");
    let (retries, errors) =
        (trial["retries"].as_u64().unwrap(), &trial["statements"]["point_select"]["errors"]["1213"]);
    assert_eq!(errors.as_u64(), Some(retries), "one error, one retry");
    assert!((50..=160).contains(&retries), "two in a hundred of 5000: {retries}");
}

#[test]
fn an_error_that_is_the_clients_ends_the_trial_with_its_statement() {
    let server = NullServer::start(&["--error-rate", "0.01", "--error-code", "1064"]);
    let (code, trial, err) = bench(&server, &["--threads", "2", "--time", "5"]);
    assert_eq!((code, &trial["state"]), (2, &"failed".into()), "{err}");
    assert!(err.contains("statement point_select of client") && err.contains("(error 1064)"), "{err}");
    assert!(err.contains("on_error = \"count\""), "{err}");
    assert!(count(&trial, "failed") >= 1 && codes(&trial).contains(&"errors"), "{trial}");
}

#[test]
fn dropped_connections_are_opened_again_one_for_one() {
    let server = NullServer::start(&["--drop-every", "500"]);
    let (code, trial, err) = bench(&server, &["--threads", "4", "--events", "20000", "--time", "60"]);
    assert!([2, 3].contains(&code), "{code} {err}");
    let (failed, reconnects) = (count(&trial, "failed"), trial["reconnects"].as_u64().unwrap());
    assert_eq!(count(&trial, "completed") + failed, 20_000, "as many as asked for, those that failed among them");
    assert!((30..=50).contains(&failed), "one in five hundred, preparing included: {failed}");
    // The end of the trial may come before the last ones are back.
    assert!(reconnects <= failed && reconnects + 4 >= failed, "{reconnects} of {failed}");
    assert_eq!(trial["statements"]["point_select"]["errors"]["2013"].as_u64(), Some(failed));
}

#[test]
fn a_stall_is_in_the_response_times_of_all_who_would_have_come() {
    // Half a second in every two; 200 starts per second: a quarter of them meets the stall or its queue.
    let server = NullServer::start(&["--stall-every", "2s", "--stall-for", "500ms"]);
    let (_, open, err) = bench(
        &server,
        &["--threads", "8", "--time", "6", "--rate", "200", "--arrivals", "even", "--overload", "queue"],
    );
    assert!(open["response"]["max_ms"].as_f64().unwrap() > 400.0, "{err}");
    assert!(open["response"]["p99_ms"].as_f64().unwrap() > 200.0, "coordinated omission: {}", open["response"]);
    let (closed_code, closed, _) = bench(&server, &["--threads", "1", "--time", "6"]);
    assert!(closed_code == 0 || closed_code == 3);
    let far = closed["response"]["p99_ms"].as_f64().unwrap();
    assert!(far < 100.0, "a closed loop of one client hardly sees it, as is known: {far}");
}

#[test]
fn a_rate_is_kept_and_every_intended_start_accounted_for() {
    let server = NullServer::start(&[]);
    for arrivals in ["even", "poisson"] {
        let rate = ["--threads", "16", "--time", "4", "--rate", "1000", "--arrivals", arrivals];
        let (_, trial, err) = bench(&server, &rate);
        let scheduled = count(&trial, "scheduled");
        // Even arrivals are exact but for the window's edges; of random ones 4000 ± 5 standard deviations.
        let within = if arrivals == "even" { 3990..=4010 } else { 3684..=4316 };
        assert!(within.contains(&scheduled), "{arrivals}: {scheduled} of 4000\n{err}");
        assert_eq!(count(&trial, "failed") + count(&trial, "skipped"), 0, "{trial}");
        // What fell due in the last moment is open, and no more: a thread may get no processor for a part of a second.
        assert!(count(&trial, "completed") * 10 >= scheduled * 9, "{}", trial["accounting"]);
    }
}

#[test]
fn a_rate_that_cannot_be_kept_is_no_valid_result() {
    // Two clients of a server that takes 20 ms can do a hundred per second.
    let server = NullServer::start(&["--delay", "20ms"]);
    let options = ["--threads", "2", "--time", "3", "--rate", "500", "--arrivals", "even"];
    let (code, trial, err) = bench(&server, &options);
    assert!(codes(&trial).contains(&"rate") && trial["verdict"] != "VALID", "{code} {:?} {err}", codes(&trial));
    assert!(count(&trial, "scheduled") >= 1490 && trial["accounting"]["open"].as_i64().unwrap() > 1000, "{trial}");
    let (_, trial, err) = bench(&server, &[&options[..], &["--overload", "skip"]].concat());
    assert!(count(&trial, "skipped") > 1000 && trial["accounting"]["open"].as_i64().unwrap() <= 2, "{trial}\n{err}");
}

#[test]
fn ten_thousand_clients_in_one_process_and_too_few_open_files_told_beforehand() {
    let server = NullServer::start(&[]);
    let limited = |files: u32, threads: &str, more: &str| {
        let script = format!(
            "ulimit -n {files} && exec \"$0\" bench oltp_point_select {} --threads {threads} {more}",
            server.dsn()
        );
        output_of(&mut tenbin_through("bash", &["-c", &script]))
    };
    let (code, out, err) = limited(10_300, "10000", "--events 20000 --time 120 --json");
    let json: Value = serde_json::from_str(&out).unwrap_or_else(|e| panic!("{e}\n{err}"));
    assert!(code == 0 || code == 3, "{code} {err}");
    assert_eq!(balanced(&json)["completed"], 20_000, "{err}");
    assert_eq!(json["trials"][0]["clients"], 10_000);
    assert_eq!((count(&json["trials"][0], "failed"), &json["trials"][0]["state"]), (0, &"complete".into()), "{err}");

    let (code, _, err) = limited(200, "512", "--time 1");
    // What is open already, and one event loop.
    let others: usize =
        err.split(" connections and ").nth(1).and_then(|rest| rest.split(' ').next()?.parse().ok()).unwrap();
    assert!((10..60).contains(&others), "{err}");
    let words = ["512 clients need more open files", "ulimit"].map(str::to_owned);
    let numbers = [format!("make {}; the limit is 200", 512 + others), format!("at most {} clients", 200 - others)];
    assert!(code == 1 && words.iter().chain(&numbers).all(|w| err.contains(w)), "{code} {err}");
}

#[test]
fn a_plan_of_too_many_connections_for_our_open_files_is_refused_by_plan_check() {
    let server = NullServer::start(&[]);
    let dir = tempfile::tempdir().unwrap();
    let plan = dir.path().join("plan.toml");
    let check = |load: &str| {
        let text = format!(
            "schema = 1\n[targets.a]\ndsn = \"{}\"\n[[experiment]]\nrestore = \"never\"\nload = {{ {load} }}\nmatrix = {{ load.clients = [1, 512] }}\n",
            server.dsn()
        );
        std::fs::write(&plan, text).unwrap();
        let script = "ulimit -n 200; exec \"$0\" plan check \"$1\"";
        let (code, out, err) = output_of(tenbin_through("bash", &["-c", script]).arg(&plan));
        (code, out + &err)
    };
    for load in ["workload = \"oltp_point_select\"", "workload = \"tpcc\", pool = 300"] {
        let (code, output) = check(load);
        assert!(code != 0 && output.contains("clients need more open files"), "{load}: {output}");
    }
    // Terminals may share connections: what is opened counts, not who shares it.
    let (code, output) = check("workload = \"tpcc\", pool = 8");
    assert!(code == 0 && !output.contains("open files"), "{output}");
}

/// Throughput of a closed loop against the truth: without pauses, clients ÷ mean delay, for delays that are all alike and for such with a
/// long tail, also where the window is no longer than one of them.
#[test]
fn throughput_is_that_of_the_delays_however_long_and_unlike() {
    // Delay, shape of its distribution, clients, warm-up and window in seconds; how far below and above the truth throughput may
    // be: above it is only by chance, four standard errors (one transaction: 0.89 of the mean), below also by the client's own
    // time: all 512 receive their rows at once.
    let cases = [
        ("1ms", None, 1, "1", "2", 0.35, 0.005),
        ("100ms", None, 512, "1", "2", 0.15, 0.005),
        ("20ms", Some("2.5"), 16, "1", "4", 0.10, 0.064),
        ("200ms", Some("2.5"), 64, "2", "4", 0.12, 0.10),
    ];
    // These keep no processor busy, and run beside the others.
    let slow = [("1s", None, 4, "2.5", "1", 0.0, 0.0), ("3s", None, 2, "4.5", "3", 0.0, 0.0)];
    std::thread::scope(|beside| {
        let _ = beside.spawn(|| slow.iter().for_each(measured_against_the_truth));
        cases.iter().for_each(measured_against_the_truth);
    });
}

fn measured_against_the_truth(case: &(&str, Option<&str>, u32, &str, &str, f64, f64)) {
    let (delay, tail, clients, warmup, window, below, above) = *case;
    let mut options = vec!["--delay", delay];
    options.extend(tail.into_iter().flat_map(|shape| ["--delay-tail", shape]));
    let server = NullServer::start(&options);
    let count = clients.to_string();
    let (_, trial, err) = bench(&server, &["--threads", &count, "--warmup", warmup, "--time", window]);
    let delay_s = match delay.strip_suffix("ms") {
        Some(ms) => ms.parse::<f64>().unwrap() / 1e3,
        None => delay.trim_end_matches('s').parse().unwrap(),
    };
    let (tps, window_s) = (trial["tps"].as_f64().unwrap(), window.parse::<f64>().unwrap());
    let [mean_s, longest_s] = ["mean_ms", "max_ms"].map(|name| trial["response"][name].as_f64().unwrap() / 1e3);
    let (truth, clients) = (f64::from(clients) / delay_s, f64::from(clients));
    let case = format!("{delay} {tail:?}, {clients} clients: {tps}, mean {mean_s} s; the truth is {truth}\n{err}");
    // Whatever else runs: never more than the server allows, and what a client does without a pause is all there.
    assert!(tps <= truth * (1.0 + above) + 1e-9, "{case}");
    assert!(tps * window_s + 1e-9 >= clients * (window_s / longest_s * 0.999).floor(), "{case}");
    // A histogram's mean is within half of a thousandth.
    assert!(mean_s >= delay_s * (1.0 - above) * 0.9995, "{case}");
    if window_s > 5.0 * longest_s {
        // Clients whose times are alike end together, so that the window may have one round more than its share.
        let most = clients * (1.0 + longest_s / window_s);
        assert!((0.9 * clients..=most).contains(&(tps * mean_s)), "{case}");
    }
    if !err.contains("something else is running") {
        assert!(tps >= truth * (1.0 - below) - 1e-9, "{case}");
        assert!(mean_s <= delay_s / (1.0 - below) * (1.0 + above) + 0.02, "{case}");
    }
}
