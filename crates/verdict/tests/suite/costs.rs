//! What transactions cost, where the loads of an experiment are unlike.

use crate::answers::run;
use tenbin_model::trial::Trial;
use tenbin_verdict::cost::costs;

/// The easy load is 100 times as quick; of the other, b completes a tenth of what a does.
fn had(t: &Trial) -> (f64, f64, f64) {
    let tps = match (t.load.workload.as_str(), t.target.name.as_str()) {
        ("oltp_point_select", "a") => 10_000.0,
        ("oltp_point_select", _) => 9_000.0,
        (_, "a") => 100.0,
        _ => 10.0,
    };
    (tps * f64::from(t.load.clients), 5.0, 9.0)
}

const TARGETS: &str = "schema = 1\n[targets.a]\ndsn = \"mysql://u@h/a\"\nprice = \"1 USD/h\"\n[targets.b]\ndsn = \"mysql://u@h/b\"\nprice = \"0.5 USD/h\"\n";

fn told(plan: &str) -> Vec<String> {
    costs(&run(&format!("{TARGETS}{plan}"), &had)).iter().map(|cost| cost.sentence().english().to_owned()).collect()
}

#[test]
fn each_kind_of_load_has_a_cost_of_its_own() {
    let plan = "[[experiment]]\nrepeats = 1\nmeasure = \"10s\"\nmatrix.load.workload = [\"oltp_read_write\", \"oltp_point_select\"]\n\
                matrix.load.clients = [1, 2]\nload = { workload = \"oltp_read_write\" }\n";
    assert_eq!(
        told(plan),
        [
            "a costs 1 USD per hour: at 200 per second (oltp_read_write, 2 clients), 0.00139 USD per 1,000 transactions.",
            "a costs 1 USD per hour: at 20,000 per second (oltp_point_select, 2 clients), 0.0000139 USD per 1,000 transactions.",
            "b costs 0.500 USD per hour: at 20 per second (oltp_read_write, 2 clients), 0.00694 USD per 1,000 transactions.",
            "b costs 0.500 USD per hour: at 18,000 per second (oltp_point_select, 2 clients), 0.00000772 USD per 1,000 transactions.",
        ]
    );
}

#[test]
fn of_several_experiments_each_cost_names_its_own() {
    let one = |name: &str, load: &str| {
        format!(
            "[[experiment]]\nname = \"{name}\"\nrepeats = 1\nmeasure = \"10s\"\ntargets = [\"a\"]\nload = {{ workload = \"{load}\" }}\n"
        )
    };
    let plan = one("point", "oltp_point_select") + &one("write", "oltp_write_only");
    assert_eq!(
        told(&plan),
        [
            "point: a costs 1 USD per hour: at 10,000 per second, 0.0000278 USD per 1,000 transactions.",
            "write: a costs 1 USD per hour: at 100 per second, 0.00278 USD per 1,000 transactions.",
        ]
    );
}

/// A rate is what was asked, whatever the target could do.
#[test]
fn beside_cells_at_a_rate_the_others_have_a_cost() {
    let plan = "[[experiment]]\nrepeats = 1\nmeasure = \"10s\"\nmatrix.load.rate = [0, 50]\ntargets = [\"a\"]\n\
                load = { workload = \"oltp_read_write\" }\n";
    let all = told(plan);
    assert_eq!(all.len(), 1, "{all:?}");
    assert!(all[0].contains("at 100 per second"), "{all:?}");
}
