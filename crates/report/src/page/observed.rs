//! The resources that client and server used in the measured window, trial by trial.

use super::Section;
use super::context::PageContext;
use crate::bilingual;
use minijinja::{Value, context};
use tenbin_words::figure;
use tenbin_words::msg;

pub(super) const SECTION: Section = Section {
    id: "observed",
    heading: || msg!("section-observed"),
    values,
    template: include_str!("../../templates/observed.html"),
};

fn values(m: &PageContext<'_>) -> Option<Value> {
    let measured = m.summary.trials.iter().filter(|t| t.measured_ns() > 0);
    let rows: Vec<Value> = measured
        .map(|t| {
            let seconds = t.measured_ns() as f64 / 1e9;
            let rate = |observer: &str, name: &str| t.observed_rate(observer, name);
            let cores = |v: Option<f64>| v.map_or("–".to_owned(), |v| format!("{v:.2}"));
            // On another machine the server's process is observed over ssh.
            let process =
                |name: &str| rate("server.process", name).or_else(|| rate("server.host", &format!("process_{name}")));
            let server = process("cpu_user_s").zip(process("cpu_system_s")).map(|(u, s)| u + s);
            let disk = process("disk_write_bytes");
            let fsyncs = rate("server.status", "innodb_data_fsyncs");
            let figures = [
                cores(Some(t.client_cpu_ns as f64 / 1e9 / seconds)),
                t.workers.to_string(),
                t.ceiling.as_ref().map_or("–".to_owned(), |c| figure::grouped(c.per_s())),
                t.share_of_ceiling().map_or("–".to_owned(), |share| format!("{:.0} %", share * 100.0)),
                cores(server),
                cores(rate("client.host", "cpu_steal_s")),
                disk.map_or("–".to_owned(), |v| format!("{}/s", figure::bytes(v))),
                fsyncs.map_or("–".to_owned(), figure::grouped),
            ];
            context! {
                trial => t.trial.number, target => m.target(&t.trial.target.name),
                cell => bilingual::cell(&t.trial.axes), figures,
            }
        })
        .collect();
    (!rows.is_empty()).then(|| context! { rows })
}
