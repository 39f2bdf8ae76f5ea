//! What is said of trials whose server changed: within a trial, between the trials of a run, and between stored runs.

use crate::common;
use crate::finished::finished;
use tenbin_verdict::judged_trial::JudgedTrial;

use std::collections::BTreeMap;
use std::sync::Arc;
use tenbin_model::changed_server::{between, differences, within};
use tenbin_model::event::{Event, Phase};
use tenbin_model::inspection::{Changes, Edge, Inspected, ServerInspection};
use tenbin_model::names::tables::{ENGINE, PARTS};
use tenbin_model::plan::{Plan, expand};
use tenbin_model::summary::{StoredRun, Summary};
use tenbin_model::tally::Tally;
use tenbin_verdict::durability::{difference, of_trial, sentence};

const SECOND: u64 = 1_000_000_000;

fn facts(all: &[(&str, &str)]) -> BTreeMap<String, String> {
    all.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect()
}

/// Trials of one target that sets a variable.
fn planned(repeats: u32) -> Summary {
    let plan = format!(
        "schema = 1\n[targets.a]\ndsn = \"mysql://u@h/d\"\nserver.innodb_flush_log_at_trx_commit = 0\n[datasets.d]\n\
         [[experiment]]\nrepeats = {repeats}\nload = {{ workload = \"oltp_insert\", clients = 1 }}\n"
    );
    let mut summary = Summary::default();
    for trial in expand(&Plan::parse(&plan, &common::catalog()).unwrap_or_else(|p| panic!("{p:?}"))) {
        summary.take(&Event::TrialPlanned { planned: Box::new(trial), expected: repeats });
    }
    summary
}

fn begin(summary: &mut Summary, trial: u32, read: &[(&str, &str)]) {
    summary.take(&Event::TrialStarted { trial, at_ns: u64::from(trial) * 100 * SECOND });
    if !read.is_empty() {
        summary.take(&Event::Facts { trial, about: "a".into(), facts: facts(read) });
    }
}

fn end(summary: &mut Summary, trial: u32) {
    let (from_ns, to_ns) = (SECOND, 11 * SECOND);
    let mut tally = Tally::default();
    (tally.accounting.scheduled, tally.accounting.completed) = (10, 10);
    let (phase, completions, per_client) = (Phase::Measure, None, Arc::default());
    summary.take(&Event::Interval { trial, phase, from_ns, to_ns, clients: 1, tally, completions, per_client });
    summary.take(&finished(trial, to_ns, (from_ns, to_ns)));
}

fn up() -> ServerInspection {
    ServerInspection {
        identity: "db 3306".into(),
        version: "10.11".into(),
        uptime_s: Some(1000.0),
        connections: Some(10),
        facts: facts(&[("variable.innodb_flush_log_at_trx_commit", "0")]),
        ..ServerInspection::default()
    }
}

/// What a server says of itself right before and right after the load.
type Around = (ServerInspection, Option<(ServerInspection, Changes)>);

/// The doubts about the server of a trial with these inspections.
fn doubts(before: ServerInspection, after: Option<(ServerInspection, Changes)>) -> String {
    doubts_of(vec![(None, (before, after))])
}

/// The same of several servers, the target and its replicas by their names.
fn doubts_of(servers: Vec<(Option<&str>, Around)>) -> String {
    let mut summary = planned(1);
    begin(&mut summary, 1, &[]);
    for (replica, (before, after)) in servers {
        let mut take = |edge, at_ns, inspection, changed| {
            let (replica, inspection) = (replica.map(str::to_owned), Box::new(inspection));
            summary.take(&Event::ServerInspected { trial: 1, at_ns, edge, replica, inspection, changed });
        };
        take(Edge::Before, SECOND, before, Changes::new());
        if let Some((after, changed)) = after {
            take(Edge::After, 12 * SECOND, after, changed);
        }
    }
    end(&mut summary, 1);
    let text_of = |d: &tenbin_model::doubt::Doubt| {
        let Some(evidence_text) = &d.problem.evidence else { return format!("{} {}", d.verdict.name(), d.code) };
        format!("{} {}: {}", d.verdict.name(), d.code, evidence_text.english())
    };
    let of_server = |d: &&tenbin_model::doubt::Doubt| {
        ["server-restarted", "another-server", "role-changed", "tables-changed"].contains(&d.code.as_str())
            || d.code.starts_with("settings")
    };
    summary.trials[0].doubts().iter().filter(of_server).map(text_of).collect::<Vec<_>>().join("\n")
}

#[test]
fn a_trial_is_doubted_by_what_changed_on_its_server() {
    let later = || ServerInspection { uptime_s: Some(1011.0), connections: Some(30), ..up() };
    let changed = |all: &[(&str, &str, &str)]| -> Changes {
        all.iter().map(|(n, a, b)| ((*n).to_owned(), [(*a).to_owned(), (*b).to_owned()])).collect()
    };
    assert_eq!(doubts(up(), Some((later(), Changes::new()))), "");
    let flush = changed(&[("variable.innodb_flush_log_at_trx_commit", "0", "1"), ("variable.a", "1", "2")]);
    let unlike = facts(&[]).into_iter().map(|(n, v)| (n, [v.clone(), v])).collect();
    let rounded = |request_of: &str| {
        let has =
            ["innodb_buffer_pool_size".to_owned()].map(|name| (name, [request_of.to_owned(), "134217728".to_owned()]));
        ServerInspection { unlike: has.into(), ..up() }
    };
    let set = |name: &str| ServerInspection { set: facts(&[(name, "12:00 dba@h")]), ..later() };
    let known = ServerInspection { set: set("sync_binlog").set, ..up() };
    let cases = [
        ("wanted", doubts(ServerInspection { unlike, ..up() }, Some((later(), flush.clone())))),
        ("durability", doubts(up(), Some((later(), changed(&[("variable.sync_binlog", "1", "0")]))))),
        ("another", doubts(up(), Some((later(), changed(&[("variable.slow_query_log", "OFF", "ON")]))))),
        ("restart", doubts(up(), Some((ServerInspection { uptime_s: Some(4.0), ..later() }, flush)))),
        ("server", doubts(up(), Some((ServerInspection { identity: "db2 3306".into(), ..later() }, Changes::new())))),
        ("version", doubts(up(), Some((ServerInspection { version: "11.4".into(), ..later() }, Changes::new())))),
        (
            "role",
            doubts(up(), Some((ServerInspection { role: vec!["read_only ON".into()], ..later() }, Changes::new()))),
        ),
        ("put back", doubts(up(), Some((set("sync_binlog"), Changes::new())))),
        ("put back, another", doubts(up(), Some((set("innodb_io_capacity"), Changes::new())))),
        ("set before", doubts(known, Some((set("sync_binlog"), Changes::new())))),
        ("reported", doubts(up(), Some((set("slow_query_log"), changed(&[("variable.slow_query_log", "OFF", "ON")]))))),
        ("read again", doubts(up(), Some((set("configuration"), Changes::new())))),
        (
            "tables",
            doubts(up(), Some((set("configuration"), changed(&[("tables.definition.t", "number 1", "number 2")])))),
        ),
        ("not asked", doubts(up(), None)),
        ("limited", doubts(rounded("100M"), Some((later(), Changes::new())))),
        ("rounded", doubts(rounded("125M"), Some((later(), Changes::new())))),
    ];
    let text = cases.map(|(case, doubts)| format!("{case}: {doubts}")).join("\n");
    insta::assert_snapshot!(text, @r"
    wanted: INVALID settings-changed: innodb_flush_log_at_trx_commit was 0 before the load, and 1 after it
    a was 1 before the load, and 2 after it
    durability: INVALID settings-changed: sync_binlog was 1 before the load, and 0 after it
    another: DEGRADED settings-changed: slow_query_log was OFF before the load, and ON after it
    restart: INVALID server-restarted: it was up for 1000.0 s before the load, and 11.0 s later for 4.0 s
    server: INVALID another-server: db 3306 → db2 3306
    version: INVALID another-server: 10.11 → 11.4
    role: INVALID role-changed: before: –; after: read_only ON
    put back: INVALID settings-put-back: sync_binlog was set at 12:00 dba@h, and has its former value
    put back, another: DEGRADED settings-put-back: innodb_io_capacity was set at 12:00 dba@h, and has its former value
    set before: 
    reported: DEGRADED settings-changed: slow_query_log was OFF before the load, and ON after it
    read again: DEGRADED settings-put-back: the server read its configuration again at 12:00 dba@h
    tables: INVALID tables-changed: t: before the load number 1; after it number 2
    DEGRADED settings-put-back: the server read its configuration again at 12:00 dba@h
    not asked: DEGRADED settings-not-read: it was asked for them before the load, and did not answer after it
    limited: DEGRADED settings-not-as-asked: innodb_buffer_pool_size = 100M was asked for, it is 134217728
    rounded: 
    ");
}

/// Each replica is looked at as the target is, and named.
#[test]
fn a_trial_is_doubted_by_what_changed_on_a_replica() {
    let later = || ServerInspection { uptime_s: Some(1011.0), connections: Some(30), ..up() };
    let same = || (up(), Some((later(), Changes::new())));
    let of = |replicas: Vec<(&'static str, Around)>| {
        let all = replicas.into_iter().map(|(name, around)| (Some(name), around));
        doubts_of([(None, same())].into_iter().chain(all).collect())
    };
    let flush =
        || Changes::from([("variable.innodb_flush_log_at_trx_commit".to_owned(), ["1", "0"].map(str::to_owned))]);
    let slow = || Changes::from([("variable.slow_query_log".to_owned(), ["OFF", "ON"].map(str::to_owned))]);
    let restarted = || ServerInspection { uptime_s: Some(4.0), ..later() };
    let unlike = [("sync_binlog".to_owned(), ["1".to_owned(), "0".to_owned()])].into();
    let cases = [
        ("none", of(vec![("r1", same())])),
        ("durability", of(vec![("r1", (up(), Some((later(), flush())))), ("r2", same())])),
        ("two", of(vec![("r1", (up(), Some((later(), slow())))), ("r2", (up(), Some((later(), flush()))))])),
        ("restart", of(vec![("r1", (up(), Some((restarted(), Changes::new()))))])),
        ("not asked", of(vec![("r1", (up(), None))])),
        ("unlike", of(vec![("r1", (ServerInspection { unlike, ..up() }, Some((later(), Changes::new()))))])),
    ];
    let text: Vec<String> = cases.iter().map(|(what, told)| format!("{what}: {told}")).collect();
    insta::assert_snapshot!(text.join("\n"), @"
    none: 
    durability: INVALID settings-changed: r1: innodb_flush_log_at_trx_commit was 1 before the load, and 0 after it
    two: INVALID settings-changed: r1: slow_query_log was OFF before the load, and ON after it
    r2: innodb_flush_log_at_trx_commit was 1 before the load, and 0 after it
    restart: INVALID server-restarted: r1: it was up for 1000.0 s before the load, and 11.0 s later for 4.0 s
    not asked: DEGRADED settings-not-read: r1: it was asked for them before the load, and did not answer after it
    unlike: INVALID settings-not-as-asked: r1: sync_binlog = 1 was asked for, it is 0
    ");
}

#[test]
fn a_trial_keeps_the_facts_that_its_server_had() {
    const FLUSH: &str = "variable.innodb_flush_log_at_trx_commit";
    let mut summary = planned(3);
    begin(&mut summary, 1, &[(FLUSH, "0"), ("version", "10.11"), ("variable.log_bin", "OFF")]);
    end(&mut summary, 1);
    begin(&mut summary, 2, &[]);
    end(&mut summary, 2);
    // What the plan asks for is 0.
    begin(&mut summary, 3, &[(FLUSH, "1"), ("variable.log_bin", "ON"), ("variable.port", "1")]);
    end(&mut summary, 3);
    let promises: Vec<&str> = summary.trials.iter().map(|t| of_trial(&summary, t).map_or("?", |p| p.code())).collect();
    assert_eq!(promises, ["none", "none", "power-failure"]);
    assert_eq!(summary.variable("a", "innodb_flush_log_at_trx_commit").as_deref(), Some("0, 1"));
    assert!(difference(&summary).is_none_or(|d| !sentence(&d).english().is_empty()));
    let text = within(&summary).unwrap_or_default();
    insta::assert_snapshot!(text.english(), @"The server of a was not the same in all trials (log_bin OFF → ON): their figures are of different systems.");
    let mut resized = planned(2);
    for (trial, threads) in [(1, "4"), (2, "16")] {
        begin(&mut resized, trial, &[("machine.threads", threads)]);
        end(&mut resized, trial);
    }
    let text = within(&resized).unwrap_or_default();
    assert!(text.contains("(machine.threads 4 → 16)"), "{}", text.english());
    // Trials 1 and 2 share their facts.
    let shared = |a: usize, b: usize| {
        let of = |n: usize| summary.trials[n].facts.clone().unwrap_or_default();
        Arc::ptr_eq(&of(a), &of(b))
    };
    assert!(shared(0, 1) && !shared(1, 2));
}

#[test]
fn a_role_that_changes_between_trials_is_told() {
    let mut summary = planned(3);
    for (trial, role) in [(1, "replica, read_only ON"), (2, "replica, read_only ON"), (3, "")] {
        begin(&mut summary, trial, &[("version", "10.11")]);
        let role = role.split(", ").filter(|word| !word.is_empty()).map(str::to_owned).collect();
        let inspection = Box::new(ServerInspection { role, ..up() });
        let (edge, replica, changed) = (Edge::Before, None, Changes::new());
        summary.take(&Event::ServerInspected { trial, at_ns: SECOND, edge, replica, inspection, changed });
        end(&mut summary, trial);
    }
    let sentence = within(&summary).unwrap_or_default();
    insta::assert_snapshot!(sentence.english(), @"The server of a was not the same in all trials (role in replication replica, read_only ON → –): their figures are of different systems.");
}

#[test]
fn tables_that_somebody_alters_between_trials_of_a_cell_are_told() {
    let told = |tables: &[&str]| {
        let mut summary = planned(3);
        for (trial, parts) in (1..).zip(tables.iter().copied()) {
            begin(&mut summary, trial, &[("version", "10.11")]);
            let inspection = Box::new(ServerInspection { facts: facts(&[(PARTS, parts)]), ..up() });
            let (edge, replica, changed) = (Edge::Before, None, Changes::new());
            summary.take(&Event::ServerInspected { trial, at_ns: SECOND, edge, replica, inspection, changed });
            end(&mut summary, trial);
        }
        within(&summary).map(|sentence| sentence.english().to_owned())
    };
    let (former, now) = ("sbtest column id; sbtest index k_", "sbtest column id; sbtest index k_; sbtest index of_bi");
    assert_eq!(told(&[former; 3]), None);
    insta::assert_snapshot!(told(&[former, former, now]).unwrap_or_default(), @"The server of a was not the same in all trials (tables – → sbtest index of_bi): their figures are of different systems.");
}

#[test]
fn targets_with_unlike_tables_are_told() {
    let told = |[one, other]: [&[(&str, &str)]; 2], targets: &str| {
        let plan = format!(
            "schema = 1\n[targets]\n{targets}\n[datasets.d]\n\
             [[experiment]]\nrepeats = 2\nload = {{ workload = \"oltp_insert\", clients = 1 }}\n"
        );
        let mut summary = Summary::default();
        for trial in expand(&Plan::parse(&plan, &common::catalog()).unwrap_or_else(|p| panic!("{p:?}"))) {
            let (number, read) = (trial.number, if trial.target.name == "a" { one } else { other });
            summary.take(&Event::TrialPlanned { planned: Box::new(trial), expected: 4 });
            begin(&mut summary, number, &[]);
            let inspection = Box::new(ServerInspection { facts: facts(read), ..up() });
            let (edge, replica, changed) = (Edge::Before, None, Changes::new());
            summary.take(&Event::ServerInspected { trial: number, at_ns: SECOND, edge, replica, inspection, changed });
            end(&mut summary, number);
        }
        tenbin_verdict::answer::weakened(&summary).iter().map(|told| told.english().to_owned()).collect::<Vec<_>>()
    };
    let two = "b = { dsn = \"mysql://u@h/d\" }\na = { dsn = \"mysql://u@g/d\", baseline = true }";
    let (own, more) = ("t column id (2); t index k_ (2)", "t column id (2); t index k_ (2); t index of_bi");
    assert_eq!(told([&[(PARTS, own)], &[(PARTS, own)]], two), [""; 0]);
    assert_eq!(told([&[(PARTS, own)], &[]], two), [""; 0], "it is not known of one of them");
    let of_other_kind = two.replace("mysql://u@h", "postgres://u@h");
    assert_eq!(told([&[(PARTS, own)], &[(PARTS, more)]], &of_other_kind), [""; 0], "it names them in its own way");
    let by_plan = two.replace("u@h/d\"", "u@h/d\", hooks.with_data = \"mariadb < index.sql\"");
    assert_eq!(told([&[(PARTS, own)], &[(PARTS, more)]], &by_plan), [""; 0], "it is what the plan compares");
    insta::assert_snapshot!(told([&[(ENGINE, "innodb"), (PARTS, own)], &[(ENGINE, "aria"), (PARTS, more)]], two).join("\n"), @"The tables of a and b are not alike (a: innodb; b: aria; a: –; b: t index of_bi): the ratio of their figures is not that of the servers alone.");
}

#[test]
fn stored_runs_of_a_server_that_changed_are_told_apart_from_those_of_two_servers() {
    let run = |read: &[(&str, &str)]| {
        let mut summary = planned(1);
        begin(&mut summary, 1, read);
        end(&mut summary, 1);
        StoredRun { label: format!("{read:?}"), summary }
    };
    let first = || run(&[("identity", "db 3306"), ("version", "10.11"), ("variable.sync_binlog", "1")]);
    let same =
        run(&[("identity", "db 3306"), ("version", "10.11"), ("variable.sync_binlog", "1"), ("variable.port", "2")]);
    assert_eq!(between(&[first(), same]), []);
    let changed =
        between(&[first(), run(&[("identity", "db 3306"), ("version", "10.11"), ("variable.sync_binlog", "0")])]);
    let changes = changed.iter().map(|c| (c.is_same, c.changes.keys().map(String::as_str).collect::<Vec<_>>()));
    assert_eq!(changes.collect::<Vec<_>>(), [(true, vec!["variable.sync_binlog"])]);
    let resized = |threads: &str| {
        run(&[("identity", "db 3306"), ("version", "10.11"), ("machine.threads", threads), ("machine.kernel", threads)])
    };
    let moved = between(&[resized("4"), resized("16")]);
    let changes = moved.iter().map(|c| (c.is_same, c.changes.keys().map(String::as_str).collect::<Vec<_>>()));
    assert_eq!(changes.collect::<Vec<_>>(), [(true, vec!["machine.threads"])]);
    assert_eq!(between(&[resized("4"), resized("4")]), []);
    let upgraded = between(&[first(), run(&[("identity", "db 3306"), ("version", "11.4")])]);
    assert_eq!(upgraded.iter().map(|c| c.is_same).collect::<Vec<_>>(), [false]);
    let other = between(&[first(), run(&[("identity", "db2 3306"), ("version", "11.4")])]);
    assert_eq!(other.iter().map(|c| c.is_same).collect::<Vec<_>>(), [false]);
    let by_build = |build: &str| {
        let mut run = first();
        run.summary.facts.insert("client".to_owned(), facts(&[("tenbin", build)]));
        run
    };
    let of_builds = |other: &str| Summary::beside(vec![by_build("0.1.0"), by_build(other)]).of_stored_runs();
    assert!(of_builds("0.2.0").unwrap_or_default().contains("the build of Tenbin"));
    assert!(!of_builds("0.1.0").unwrap_or_default().contains("the build of Tenbin"));
    let with_tables = |parts: &str| {
        let mut run = first();
        let inspection = ServerInspection { facts: facts(&[(PARTS, parts)]), ..up() };
        run.summary.trials[0].before = Some(Inspected { inspection, ..Inspected::default() });
        run
    };
    let of_tables = |other: &str| Summary::beside(vec![with_tables("t index k_"), with_tables(other)]).of_stored_runs();
    assert!(of_tables("t column id").unwrap_or_default().contains("columns, indexes or triggers of the tables"));
    assert!(!of_tables("t index k_").unwrap_or_default().contains("columns, indexes"));
    let beside = Summary::beside(vec![first(), run(&[("identity", "db 3306"), ("version", "11.4")])]);
    let sentence = beside.of_stored_runs().unwrap_or_default();
    assert!(
        sentence.english().contains("the server (its version, its machine, or variables that the plan does not set)"),
        "{}",
        sentence.english()
    );
}

#[test]
fn what_belongs_to_a_private_server_is_no_difference() {
    let before =
        facts(&[("identity", "a"), ("variable.port", "1"), ("variable.x", "1"), ("variable.gtid_executed", "")]);
    let now = facts(&[("identity", "b"), ("variable.port", "2"), ("variable.x", "2"), ("variable.gtid_executed", "1")]);
    let planned = ["x".to_owned()].into();
    assert!(differences(&before, &now, &planned, true).is_empty());
    assert_eq!(
        differences(&before, &now, &Default::default(), false).into_keys().collect::<Vec<_>>(),
        ["identity", "variable.x"]
    );
}
