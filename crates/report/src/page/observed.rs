//! The resources that client and server used in the measured window, trial by trial.

use super::Section;
use super::columns::{aligned, number};
use super::context::PageContext;
use super::table::{self, SectionTable};
use minijinja::Value;
use tenbin_model::names::observer;
use tenbin_model::summary::TrialResult;
use tenbin_words::figure;
use tenbin_words::message::{Message, foreign};
use tenbin_words::msg;

pub(super) const SECTION: Section =
    Section { id: "observed", heading: || msg!("section-observed"), values, template: table::TEMPLATE };

fn values(m: &PageContext<'_>) -> Option<Value> {
    let measured: Vec<&TrialResult> = m.summary.trials.iter().filter(|t| t.measured_ns() > 0).collect();
    let all = aligned(measured.iter().map(|t| figures(t)).collect());
    let heads: [Message; 8] = [
        msg!("column-client-cpu"),
        msg!("column-workers"),
        msg!("column-ceiling"),
        msg!("column-share-of-ceiling"),
        msg!("column-server-cpu"),
        msg!("column-steal"),
        msg!("column-server-disk-writes"),
        foreign("fsync/s"),
    ];
    // What was observed nowhere has no column.
    let shown: Vec<usize> = (0..heads.len()).filter(|at| all.iter().any(|row| row[*at] != Value::from("–"))).collect();
    let columns = shown.iter().map(|at| table::column(&heads[*at]));
    let mut table = SectionTable::new(40, table::trial_columns(m, columns));
    for (t, row) in measured.iter().zip(&all) {
        let figures = shown.iter().map(|at| table::figure(row[*at].clone()));
        table.rows.push((false, table::trial_cells(m, t, figures)));
    }
    table.values(&[], &msg!("about-observed"))
}

/// The figures of a trial, `–` where it was not observed.
fn figures(t: &TrialResult) -> Vec<Value> {
    let seconds = t.measured_ns() as f64 / 1e9;
    let rate = |observer: &str, name: &str| t.observed_rate(observer, name);
    let text = |text: Option<String>| Value::from(text.unwrap_or_else(|| "–".to_owned()));
    let cores = |v: Option<f64>| text(v.map(|v| format!("{v:.2}")));
    // On another machine the server's process is observed over ssh.
    let process = |name: &str| {
        rate(observer::SERVER_PROCESS, name).or_else(|| rate(observer::SERVER_HOST, &format!("process_{name}")))
    };
    let server = process("cpu_user_s").zip(process("cpu_system_s")).map(|(u, s)| u + s);
    let fsyncs = rate(observer::SERVER_STATUS, "innodb_data_fsyncs");
    vec![
        cores(Some(t.client_cpu_ns as f64 / 1e9 / seconds)),
        text(Some(t.workers.to_string())),
        number(t.ceiling.as_ref().map(|c| c.per_s())),
        text(t.share_of_ceiling().map(|share| format!("{:.0} %", share * 100.0))),
        cores(server),
        cores(rate(observer::CLIENT_HOST, "cpu_steal_s")),
        text(process("disk_write_bytes").map(|v| format!("{}/s", figure::bytes(v)))),
        number(fsyncs),
    ]
}
