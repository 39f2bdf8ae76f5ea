//! What is said of two runs of a plan that was edited between them.

use crate::common::trials::trials;
use tenbin_model::edits;
use tenbin_model::summary::{StoredRun, Summary, TrialResult};
use tenbin_model::trial::Trial;

const PLAN: &str = "
    schema = 1
    [targets.a]
    sandbox = \"mariadbd\"
    server.innodb_flush_log_at_trx_commit = \"1\"
    [datasets.d]
    kind = \"sysbench\"
    table_size = 1000
    [[experiment]]
    dataset = \"d\"
    measure = \"10s\"
    warmup = \"2s\"
    repeats = 1
    [experiment.load]
    workload = \"oltp_read_write\"
    rate = 100
";

const GROUPS: &str = "
    schema = 1
    [targets.a]
    dsn = \"mysql://u@h/a\"
    [[experiment]]
    repeats = 1
    [experiment.load]
    workload = \"sql\"
    [[experiment.load.group]]
    name = \"look\"
    scripts = \"look.sql\"
    clients = 4
    [[experiment.load.group]]
    name = \"pay\"
    scripts = \"pay.sql\"
    rate = 20
";

fn first(text: &str) -> Trial {
    trials(text).remove(0)
}

fn said(before: &str, now: &str) -> String {
    edits::between(&first(before), &first(now)).map_or_else(String::new, |what| what.english().to_owned())
}

/// Of a plan in which a line was replaced by others.
fn edited(plan: &str, line: &str, by: &str) -> String {
    assert!(plan.contains(line), "{line}");
    said(plan, &plan.replace(line, by))
}

#[test]
fn every_edit_that_changes_the_load_is_named() {
    let rate = |more: &str| edited(PLAN, "rate = 100\n", &format!("rate = 100\n{more}\n"));
    let own = |more: &str| edited(PLAN, "repeats = 1\n", &format!("repeats = 1\n{more}\n"));
    assert_eq!(said(PLAN, PLAN), "");
    assert_eq!(edited(PLAN, "rate = 100", "rate = 200"), "rate");
    assert_eq!(edited(PLAN, "rate = 100", ""), "rate");
    assert_eq!(rate("arrivals = \"even\""), "arrivals");
    assert_eq!(rate("overload = \"skip\""), "overload");
    assert_eq!(rate("drain = \"1s\""), "drain");
    assert_eq!(rate("workers = 2"), "workers");
    assert_eq!(rate("observe = \"ends\""), "observe");
    assert_eq!(rate("retries = 0"), "retries");
    assert_eq!(rate("on_lost = \"give-up\""), "on_lost");
    assert_eq!(rate("on_error = \"count\""), "on_error");
    assert_eq!(rate("transient = \"all\""), "transient");
    assert_eq!(rate("clients = 7"), "clients");
    assert_eq!(own("settle = \"3s\""), "settle");
    assert_eq!(edited(PLAN, "warmup = \"2s\"", "warmup = \"3s\""), "warmup");
    assert_eq!(edited(PLAN, "measure = \"10s\"", "measure = \"20s\""), "measure");
    assert_eq!(edited(PLAN, "table_size = 1000", "table_size = 2000"), "dataset");
    // What is done with the figures, and what does not reach the server.
    assert_eq!(own("interval = \"500ms\""), "");
    assert_eq!(rate("calibrate = \"never\""), "");
}

/// Twice the transactions per second would be taken for what the server has become.
#[test]
fn an_edit_of_one_group_of_clients_is_named_with_it() {
    assert_eq!(edited(GROUPS, "rate = 20", "rate = 2000"), "rate of the group pay");
    let clients = edited(GROUPS, "clients = 4", "clients = 8");
    assert_eq!(clients, "clients, clients of the group look, options of the workload");
    assert!(edited(GROUPS, "name = \"pay\"", "name = \"buy\"").starts_with("group, "));
}

#[test]
fn what_a_plan_sets_of_a_server_is_named_by_its_variables() {
    let server = |by: &str| edited(PLAN, "server.innodb_flush_log_at_trx_commit = \"1\"", by);
    assert_eq!(server("server.innodb_flush_log_at_trx_commit = \"2\""), "server.innodb_flush_log_at_trx_commit");
    assert_eq!(server(""), "server.innodb_flush_log_at_trx_commit");
    let many: String = (0..12).map(|n| format!("server.v{n:02} = \"1\"\n")).collect();
    assert!(server(&many).ends_with("server.v08, and 3 more"), "{}", server(&many));
    assert_eq!(edited(PLAN, "sandbox = \"mariadbd\"", "sandbox = \"/opt/new/mariadbd\""), "sandbox");
    assert_eq!(edited(PLAN, "sandbox = \"mariadbd\"", "sandbox = \"mariadbd\"\nlink = { delay = \"1ms\" }"), "link");
    // Where a server is does not say that it is another one.
    assert_eq!(edited(GROUPS, "u@h/a", "u@other/a"), "");
}

/// A target is compared with that of the same name; another target is what runs are compared for.
#[test]
fn stored_runs_that_are_compared_name_it_too() {
    let run = |label: &str, text: &str| {
        let planned = |trial| {
            let events = [tenbin_model::event::Event::TrialPlanned { planned: Box::new(trial), expected: 1 }];
            Summary::of(&events).trials
        };
        let trials: Vec<TrialResult> = trials(text).into_iter().flat_map(planned).collect();
        let mut summary = Summary::default();
        summary.trials = trials;
        StoredRun { label: label.to_owned(), summary }
    };
    let caution = |now: &str| {
        let of_stored = Summary::beside(vec![run("before", PLAN), run("now", now)]).of_stored_runs();
        of_stored.map(|what| what.english().to_owned()).unwrap_or_default()
    };
    let off = PLAN.replace("commit = \"1\"", "commit = \"0\"");
    assert!(caution(&off).contains("also differ in server.innodb_flush_log_at_trx_commit:"), "{}", caution(&off));
    assert!(!caution(&off.replace("targets.a", "targets.b")).contains("differ in"));
    assert!(!caution(PLAN).contains("differ in"), "{}", caution(PLAN));
    let even = PLAN.replace("rate = 100", "rate = 100\narrivals = \"even\"");
    assert!(caution(&even).contains("also differ in arrivals:"), "{}", caution(&even));
}
