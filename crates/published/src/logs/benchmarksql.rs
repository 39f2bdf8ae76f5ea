//! The end of a run of BenchmarkSQL 4 and 5: tpmC and tpmTOTAL, with the settings that it prints at the start.

use super::{LogFormat, lines, number, put};
use crate::figure_kind::FigureKind;
use crate::result::PublishedResult;

pub(super) const LOG: LogFormat =
    LogFormat { name: "BenchmarkSQL", signature: "Measured tpmC (NewOrders)", line: "", read };

/// What a line of its log says, behind the time, the thread and the name of the terminal.
fn said(line: &str) -> &str {
    let after_class = line.split_once("jTPCC :").map_or(line, |(_, message)| message).trim();
    after_class.split_once("Term-00,").map_or(after_class, |(_, message)| message).trim()
}

fn read(text: &str) -> Vec<PublishedResult> {
    let mut all = Vec::new();
    let (mut clients, mut warehouses, mut seconds, mut target) = (None, None, None, None);
    for (at, line) in lines(text) {
        let message = said(line);
        if let Some((name, value)) = message.split_once('=') {
            let (name, value) = (name.trim(), value.trim());
            match name {
                "terminals" => clients = number(value),
                "warehouses" => warehouses = number(value),
                "runMins" => seconds = number(value).map(|minutes| minutes.times(60.0)).filter(|s| s.value > 0.0),
                "db" => target = Some(value.to_owned()),
                "Measured tpmC (NewOrders)" => {
                    let mut now = PublishedResult {
                        line: at,
                        target: target.clone(),
                        workload: Some("TPC-C".to_owned()),
                        ..PublishedResult::default()
                    };
                    put(&mut now, FigureKind::Nopm, number(value));
                    put(&mut now, FigureKind::Clients, clients);
                    put(&mut now, FigureKind::Warehouses, warehouses);
                    put(&mut now, FigureKind::Seconds, seconds);
                    all.push(now);
                }
                "Measured tpmTOTAL" => {
                    if let Some(now) = all.last_mut() {
                        put(now, FigureKind::Tpm, number(value));
                    }
                }
                "Transaction Count" => {
                    if let Some(now) = all.last_mut() {
                        put(now, FigureKind::Transactions, number(value));
                    }
                }
                _ => {}
            }
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use crate::FigureKind::{Clients, Nopm, Tpm, Transactions};
    use crate::logs;

    #[test]
    fn the_end_of_a_run_is_read() {
        let head = "11:37:29,000 [main] INFO   jTPCC : Term-00, ";
        let tail = "11:42:29,000 [Thread-3] INFO   jTPCC : Term-00, ";
        let text = format!(
            "{head}db=postgres\n{head}warehouses=10\n{head}terminals=16\n{head}runMins=5\n{tail}\n{tail}Measured tpmC (NewOrders) = 11234.56\n{tail}Measured tpmTOTAL = 24934.1\n{tail}Session Start     = 2024-01-02 11:37:29\n{tail}Transaction Count = 124671\n"
        );
        let read = logs::read(&text, "x.log").unwrap();
        let result = &read.results[0];
        assert_eq!((result.get(Nopm), result.get(Tpm)), (Some(11234.56), Some(24934.1)));
        assert_eq!((result.get(Clients), result.get(Transactions)), (Some(16.0), Some(124_671.0)));
        assert!(crate::audit(&read).doubts.is_empty(), "{:?}", crate::audit(&read).doubts);
    }
}
