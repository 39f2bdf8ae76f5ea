//! `[[experiment.load.group]]`: what becomes of it, and what is refused; and lists of scripts and statements.

use crate::common;
use crate::common::trials::trials;

use tenbin_model::counted;
use tenbin_model::plan::{Plan, expand};
use tenbin_model::tally::CountedBy;
use tenbin_model::trial::{Schedule, Trial};

/// A plan with these lines in its load, its groups, and at its end.
fn parsed(load: &str, groups: &str, end: &str) -> Result<Trial, String> {
    let text = format!(
        "schema = 1\n[targets.a]\ndsn = \"null:\"\n[[experiment]]\nrepeats = 1\n{end}\n[experiment.load]\n{load}\n{groups}\n"
    );
    let shown = |problems: Vec<tenbin_words::problem::Problem>| {
        problems.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n")
    };
    Plan::parse(&text, &common::catalog()).map(|plan| expand(&plan).remove(0)).map_err(shown)
}

fn group(lines: &str) -> String {
    format!("[[experiment.load.group]]\n{lines}\n")
}

const OLTP: &str = "name = \"oltp\"\nscripts = [\"pay.sql@30\", \"look.sql@70\"]\nclients = 16";
const REPORT: &str = "name = \"report\"\nscripts = \"report.sql\"\nrate = 0.5";

#[test]
fn groups_become_clients_with_schedules_of_their_own() {
    let trial = parsed("workload = \"sql\"", &(group(OLTP) + &group(REPORT)), "").expect("a plan");
    let load = &trial.load;
    assert_eq!(load.options["groups"], "oltp*16: pay.sql@30, look.sql@70; report*1: report.sql");
    assert_eq!((load.clients, load.schedule, load.is_closed()), (17, Schedule::Closed, false));
    let shown: Vec<String> =
        load.groups.iter().map(|g| format!("{} {} {}", g.name, g.clients, g.schedule == Schedule::Closed)).collect();
    assert_eq!(shown, ["oltp 16 true", "report 1 false"]);
    let by: Vec<CountedBy> = load.groups.iter().map(|group| counted::group_by(load, group)).collect();
    assert_eq!(by, [CountedBy::End, CountedBy::Start]);
    let both = group(&format!("{OLTP}\nrate = 100")) + &group(REPORT);
    let rated = parsed("workload = \"sql\"", &both, "").expect("a plan");
    let Schedule::Open { rate, .. } = rated.load.schedule else { panic!("all groups have a rate") };
    assert!((rate - 100.5).abs() < 1e-9, "{rate}");
}

#[test]
fn what_cannot_be_is_refused_where_it_stands() {
    let both = group(OLTP) + &group(REPORT);
    let twice = group(OLTP) + &group(OLTP);
    let many: String = (0..9).map(|n| group(&format!("name = \"g{n}\"\nscripts = \"a.sql\""))).collect();
    let (nameless, scriptless) = (group("scripts = \"a.sql\""), group("name = \"a\""));
    let cases: &[(&str, &str, &str, &str)] = &[
        ("workload = \"sql\"", &scriptless, "", "the group \"a\" has no scripts"),
        ("workload = \"sql\"", &nameless, "", "has no name"),
        ("workload = \"sql\"", &twice, "", "two groups of clients are called \"oltp\""),
        ("workload = \"sql\"", &group("name = \"a b\"\nscripts = \"a.sql\""), "", "name cannot be \"a b\""),
        (
            "workload = \"sql\"",
            &group("name = \"a\"\nscripts = \"a.sql\"\nworkers = 2"),
            "",
            "\"workers\" is not a key of [[experiment.load.group]]",
        ),
        ("workload = \"sql\"", &group("name = \"a\"\nscripts = \"a.sql\"\nclients = 0"), "", "clients cannot be 0"),
        ("workload = \"sql\"", &many, "", "8"),
        ("workload = \"sql\"\nclients = 4", &both, "", "clients is given beside groups"),
        ("workload = \"sql\"\nrate = 4", &both, "", "rate is given beside groups"),
        ("workload = \"sql\"\nscripts = \"a.sql\"", &both, "", "scripts is given beside groups"),
        ("workload = \"sql\"\noperations = 4", &both, "", "operations is not possible with groups"),
        ("workload = \"sql\"", &both, "matrix.\"load.clients\" = [1, 2]", "clients is given beside groups"),
        ("workload = \"sql\"", &both, "search = \"p99 < 20ms\"", "search is not possible with groups"),
        ("workload = \"oltp_read_only\"", &both, "", "oltp_read_only has no groups of clients"),
        ("workload = \"own.lua\"", &both, "", "own.lua has no groups of clients"),
    ];
    for (load, groups, end, wanted) in cases {
        let text = parsed(load, groups, end).expect_err(wanted);
        assert!(text.contains(wanted), "{wanted}:\n{text}");
    }
    assert!(parsed("workload = \"sql\"\ngroup = 3", "", "").is_err());
}

#[test]
fn items_of_lists_stay_whole() {
    let scripts = "workload = \"sql\"\nscripts = [\"x, y.sql@2\", \"a;b.sql\"]";
    let load = parsed(scripts, "", "").expect("a plan").load;
    assert_eq!(load.options["scripts"], "x\\, y.sql@2, a\\;b.sql");
    let data = "[datasets.d]\nkind = \"none\"\nafter_load = [\"CREATE INDEX i1 ON t (a) -- by owner\", \"CREATE INDEX i2 ON t (b)\"]";
    let trial = parsed("workload = \"sql\"\nscripts = \"a.sql\"", data, "dataset = \"d\"").expect("a plan");
    let wanted = "CREATE INDEX i1 ON t (a) -- by owner\n;\nCREATE INDEX i2 ON t (b)";
    assert_eq!(trial.dataset.options["after_load"], wanted);
}

/// Lists of statements and of scripts are alternatives as single ones are: each has its own name, can be compared, left out and taken for a base.
#[test]
fn a_list_as_a_value_of_an_axis_is_shown_as_it_is_written() {
    let head = "schema = 1\n[targets.a]\ndsn = \"null:\"\n[datasets.d]\nkind = \"none\"\n[[experiment]]\ndataset = \"d\"\nrepeats = 1\n\
                load = { workload = \"sql\", scripts = \"a.sql\" }\n";
    let all = |rest: &str| trials(&format!("{head}{rest}"));
    let labels = |rest: &str| all(rest).iter().map(|t| t.axes[0].1.clone()).collect::<Vec<_>>();
    let scripts = "[experiment.matrix]\n\"load.scripts\" = [[\"own.sql\"], [\"own.sql@1\", \"look.sql@2\"]]\n";
    assert_eq!(labels(scripts), ["[\"own.sql\"]", "[\"own.sql@1\", \"look.sql@2\"]"]);
    let matrix = "[experiment.matrix]\n\"dataset.after_load\" = [\"\", [\"CREATE INDEX a1 ON t (a)\", \"CREATE INDEX a2 ON t (b)\"]]\n";
    let [none, both] = ["\"\"", "[\"CREATE INDEX a1 ON t (a)\", \"CREATE INDEX a2 ON t (b)\"]"];
    assert_eq!(labels(matrix), [none, both]);
    let two = matrix.replace("\"\",", "[\"CREATE INDEX z ON t (c)\"],");
    let compared = all(&format!("compare = {{ axis = \"dataset.after_load\", base = {both} }}\n{two}"));
    assert_eq!(
        compared.iter().map(|t| t.axes[0].1.as_str()).collect::<Vec<_>>(),
        ["[\"CREATE INDEX z ON t (c)\"]", both]
    );
    assert_eq!(compared[0].compare.as_ref().and_then(|along| along.base.as_deref()), Some(both));
    assert_eq!(
        labels(&format!("{two}exclude = [{{ \"dataset.after_load\" = {both} }}]\n")),
        ["[\"CREATE INDEX z ON t (c)\"]"]
    );
}
