//! The output of mysqlslap for a cell: the Benchmark block and the CSV line, in the same format. Pure.

use super::settings::Settings;
use std::fmt::Write;

/// One engine and concurrency, over its iterations.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct CellBlock {
    pub engine: String,
    /// As it was typed.
    pub load_type: String,
    pub clients: u32,
    /// Nanoseconds of each iteration, without connecting.
    pub took_ns: Vec<u64>,
    pub queries_per_client: u64,
    /// Errors, one line each; mysqlslap has no such lines.
    pub wrong: Vec<String>,
}

impl CellBlock {
    /// Before its first iteration; `engine` may have options of tables behind its name.
    pub fn begin(settings: &Settings, engine: &str, clients: u32) -> CellBlock {
        CellBlock {
            engine: engine.split(':').next().unwrap_or("").to_owned(),
            load_type: settings.load_label.clone(),
            clients,
            took_ns: Vec::new(),
            queries_per_client: match (settings.queries, settings.execute) {
                (0, 0) => settings.list.unwrap_or(0),
                (0, each) => each,
                (all, _) => all / u64::from(clients),
            },
            wrong: Vec::new(),
        }
    }

    /// Average, minimum, maximum; whole milliseconds, as in mysqlslap.
    fn times(&self) -> [String; 3] {
        let ms: Vec<u64> = self.took_ns.iter().map(|ns| ns / 1_000_000).collect();
        let average = ms.iter().sum::<u64>() / (ms.len() as u64).max(1);
        let ends = (ms.iter().min().copied().unwrap_or(0), ms.iter().max().copied().unwrap_or(0));
        [average, ends.0, ends.1].map(|ms| format!("{}.{:03}", ms / 1000, ms % 1000))
    }

    /// The block, with its empty line.
    pub fn block(&self) -> String {
        let mut text = String::from("Benchmark\n");
        if !self.engine.is_empty() {
            let _ = writeln!(text, "\tRunning for engine {}", self.engine);
        }
        for (word, time) in ["Average", "Minimum", "Maximum"].iter().zip(self.times()) {
            let _ = writeln!(text, "\t{word} number of seconds to run all queries: {time} seconds");
        }
        let _ = writeln!(text, "\tNumber of clients running queries: {}", self.clients);
        let _ = writeln!(text, "\tAverage number of queries per client: {}", self.queries_per_client);
        for line in &self.wrong {
            let _ = writeln!(text, "\tNOT COMPLETE: {line}");
        }
        text
    }

    /// The line, with errors in a separate field.
    pub fn csv(&self) -> String {
        let [average, min, max] = self.times();
        let CellBlock { engine, load_type, clients, queries_per_client, .. } = self;
        let wrong = match self.wrong.is_empty() {
            true => String::new(),
            false => format!(",\"NOT COMPLETE: {}\"", self.wrong.join("; ").replace('"', "\"\"")),
        };
        format!("{engine},{load_type},{average},{min},{max},{clients},{queries_per_client}{wrong}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_forms_are_mysqlslaps() {
        let cell = CellBlock {
            engine: "innodb".into(),
            load_type: "mixed".into(),
            clients: 4,
            took_ns: vec![14_999_999, 36_000_000, 1_014_000_000],
            queries_per_client: 10,
            wrong: Vec::new(),
        };
        insta::assert_snapshot!(cell.block(), @r"
        Benchmark
        	Running for engine innodb
        	Average number of seconds to run all queries: 0.354 seconds
        	Minimum number of seconds to run all queries: 0.014 seconds
        	Maximum number of seconds to run all queries: 1.014 seconds
        	Number of clients running queries: 4
        	Average number of queries per client: 10
        ");
        assert_eq!(cell.csv(), "innodb,mixed,0.354,0.014,1.014,4,10");
        let failed = CellBlock { wrong: vec!["1 statement failed (error 1064)".into()], engine: String::new(), ..cell };
        assert!(failed.block().ends_with("client: 10\n\tNOT COMPLETE: 1 statement failed (error 1064)\n"));
        assert!(!failed.block().contains("engine"));
        assert_eq!(failed.csv(), ",mixed,0.354,0.014,1.014,4,10,\"NOT COMPLETE: 1 statement failed (error 1064)\"");
    }
}
