//! The output of HammerDB's timed driver of TPROC-C, and what `jobs` keeps of it (`jobs JOB result`, `resultdata`): NOPM and TPM of each
//! run.

use super::{LogFormat, lines, number, put};
use crate::figure_kind::FigureKind;
use crate::result::PublishedResult;

pub(super) const LOG: LogFormat =
    LogFormat { name: "HammerDB", signature: "TEST RESULT : System achieved", line: "Vuser 1:TEST RESULT", read };

fn read(text: &str) -> Vec<PublishedResult> {
    let (mut all, mut clients, mut seconds) = (Vec::new(), None, None);
    // `Vuser 1:` stands before what a virtual user says; in the answer of `jobs` it is in quotes, of which a line may have several.
    for (at, message) in lines(text).flat_map(|(at, line)| line.split('"').map(move |message| (at, message))) {
        let message = message.split_once("Vuser 1:").map_or(message, |(_, message)| message).trim();
        if message.ends_with("Active Virtual Users configured") {
            clients = number(message);
        } else if let Some(minutes) = message.strip_prefix("Timing test period of ") {
            seconds = number(minutes).map(|minutes| minutes.times(60.0));
        } else if let Some(rates) = message.strip_prefix("TEST RESULT : System achieved ") {
            let mut now =
                PublishedResult { line: at, workload: Some("TPROC-C".to_owned()), ..PublishedResult::default() };
            // `824 NOPM from 2436 MySQL TPM`; version 3 had `2436 MySQL TPM at 824 NOPM`.
            let mut last = None;
            for word in rates.split_whitespace() {
                match word {
                    "NOPM" => put(&mut now, FigureKind::Nopm, last),
                    "TPM" => put(&mut now, FigureKind::Tpm, last),
                    word => last = number(word).or(last),
                }
            }
            put(&mut now, FigureKind::Clients, clients);
            put(&mut now, FigureKind::Seconds, seconds);
            now.figures.retain(|_, (quantity, _)| quantity.value > 0.0);
            if now.get(FigureKind::Nopm).is_some() {
                all.push(now);
            }
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use crate::logs;

    #[test]
    fn results_of_several_runs_are_read() {
        let run = |users: u32, nopm: u32| {
            format!(
                "Vuser 1:{users} Active Virtual Users configured\nVuser 1:Timing test period of 2 in minutes\nVuser 1:TEST RESULT : System achieved {nopm} NOPM from {} MySQL TPM\n",
                nopm * 2
            )
        };
        let read = logs::read(&(run(4, 1000) + &run(8, 1500)), "x.log").unwrap();
        let of = |n: usize| read.results[n].figures.values().map(|(q, _)| q.value).collect::<Vec<_>>();
        let job = "[\n  \"69467B60646503E283231303\",\n  \"2025-12-20 10:33:04\",\n  \"3 Active Virtual Users configured\",\n  \"TEST RESULT : System achieved 3290 NOPM from 6828 Oracle TPM\"\n]\n";
        let on_one_line = job.split_whitespace().collect::<Vec<_>>().join(" ");
        for job in [job, &on_one_line, &on_one_line.replace("\", \"", "\",\"")] {
            let of_job = logs::read(job, "x.json").unwrap();
            let figures: Vec<f64> = of_job.results[0].figures.values().map(|(q, _)| q.value).collect();
            assert_eq!(figures, [3.0, 3290.0, 6828.0], "{job}");
        }
        let named = logs::read(&format!("[a]\n{}[b]\n{}", run(4, 1000), run(4, 1100)), "x.log").unwrap();
        assert_eq!(named.results.iter().map(|one| one.target_name()).collect::<Vec<_>>(), ["a", "b"]);
        assert_eq!((of(0), of(1)), (vec![4.0, 1000.0, 2000.0, 120.0], vec![8.0, 1500.0, 3000.0, 120.0]));
    }
}
