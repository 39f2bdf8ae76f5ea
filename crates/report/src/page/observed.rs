//! The resources that client and server used in the measured window, trial by trial.

use super::Section;
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
    let all: Vec<[String; 8]> = measured.iter().map(|t| figures(t)).collect();
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
    let shown: Vec<usize> = (0..heads.len()).filter(|at| all.iter().any(|row| row[*at] != "–")).collect();
    let columns = shown.iter().map(|at| table::column(&heads[*at]));
    let mut table = SectionTable::new(40, table::trial_columns(m, columns));
    for (t, row) in measured.iter().zip(&all) {
        let figures = shown.iter().map(|at| table::figure(row[*at].clone()));
        table.rows.push((false, table::trial_cells(m, t, figures)));
    }
    table.values(&[], &msg!("about-observed"))
}

/// The figures of a trial, `–` where it was not observed.
fn figures(t: &TrialResult) -> [String; 8] {
    let seconds = t.measured_ns() as f64 / 1e9;
    let rate = |observer: &str, name: &str| t.observed_rate(observer, name);
    let cores = |v: Option<f64>| v.map_or("–".to_owned(), |v| format!("{v:.2}"));
    // On another machine the server's process is observed over ssh.
    let process = |name: &str| {
        rate(observer::SERVER_PROCESS, name).or_else(|| rate(observer::SERVER_HOST, &format!("process_{name}")))
    };
    let server = process("cpu_user_s").zip(process("cpu_system_s")).map(|(u, s)| u + s);
    let fsyncs = rate(observer::SERVER_STATUS, "innodb_data_fsyncs");
    [
        cores(Some(t.client_cpu_ns as f64 / 1e9 / seconds)),
        t.workers.to_string(),
        t.ceiling.as_ref().map_or("–".to_owned(), |c| figure::grouped(c.per_s())),
        t.share_of_ceiling().map_or("–".to_owned(), |share| format!("{:.0} %", share * 100.0)),
        cores(server),
        cores(rate(observer::CLIENT_HOST, "cpu_steal_s")),
        process("disk_write_bytes").map_or("–".to_owned(), |v| format!("{}/s", figure::bytes(v))),
        fsyncs.map_or("–".to_owned(), figure::grouped),
    ]
}
