//! What restoring from golden copies and from golden databases have in common: which data they contain, and work on another
//! thread while this one reports its progress.

use crate::emitter::{EventEmitter, TrialError};
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;
use tenbin_model::dsn::Scheme;
use tenbin_model::event::Phase;
use tenbin_model::trial::{Target, Trial};
use tenbin_servers::facts::Facts;
use tenbin_servers::golden::{self, Variant};
use tenbin_words::figure;
use tenbin_words::message::{Message, foreign};
use tenbin_words::msg;
use tenbin_words::problem::Problem;
use tenbin_words::text::visible;
use tenbin_workloads::sql;

/// The data of the trial on the series of its server.
pub fn variant(trial: &Trial, facts: &Facts) -> Variant {
    let layout = ["innodb_page_size", "lower_case_table_names", "innodb_data_file_path"];
    let layout =
        layout.iter().filter_map(|name| Some(((*name).to_owned(), facts.get(&format!("variable.{name}"))?.clone())));
    Variant {
        kind: trial.dataset.kind.clone(),
        options: with_files(trial),
        series: series(&trial.target, facts),
        layout: layout.collect::<BTreeMap<_, _>>(),
    }
}

/// The options of the data, and the digests of the files that make them: a copy is found by all of them.
fn with_files(trial: &Trial) -> BTreeMap<String, String> {
    let mut options = trial.dataset.options.clone();
    let digest = |path: &String| trial.files.iter().find(|file| file.path == *path).map(|file| file.sha256.clone());
    let create = options.get("create").and_then(digest);
    let words = if trial.dataset.kind == sql::NAME { sql::word_files(&options) } else { Vec::new() };
    let words: Vec<String> = words.iter().filter_map(digest).collect();
    options.extend(create.map(|sha256| ("create_sha256".to_owned(), sha256)));
    options.extend((!words.is_empty()).then(|| ("words_sha256".to_owned(), words.join(" "))));
    options
}

/// The series of a target's server.
pub fn series(target: &Target, facts: &Facts) -> String {
    let version = facts.get("version").map_or("", String::as_str);
    let vendor = match target.scheme() {
        Scheme::Postgres => "postgresql",
        Scheme::Sqlite => "sqlite",
        _ if version.contains("MariaDB") => "mariadb",
        _ => "mysql",
    };
    golden::series(vendor, version)
}

/// The kinds of parts of our tables that a golden copy or database is compared by. Others, such as views, privileges and policies, are objects of the server.
pub const PARTS_OF_TABLES: [&str; 8] =
    ["column", "index", "constraint", "foreign key", "parent", "comment", "trigger", "rule"];

/// The first few of these names, as evidence.
pub fn first_of(names: &[String]) -> Message {
    const MOST: usize = 5;
    let shown = names.iter().map(String::as_str).take(MOST).collect::<Vec<_>>().join(", ");
    let more = if names.len() > MOST { ", …" } else { "" };
    foreign(visible(&format!("{shown}{more}")))
}

/// A short time with two decimals, which [`figure::span`] would round.
pub fn span(time: Duration) -> String {
    let seconds = time.as_secs_f64();
    if seconds < 10.0 { format!("{seconds:.2} s") } else { figure::span(seconds) }
}

/// Does the work on another thread while this one reports its progress in bytes.
pub fn working<'a, T: Send>(
    emitter: &mut EventEmitter,
    total: u64,
    work: impl FnOnce(&(dyn Fn(u64) + Sync)) -> T + Send + 'a,
) -> Result<T, TrialError> {
    let environment = emitter.environment;
    let (done, mut worked, mut listener) = (AtomicU64::new(0), None, Ok(()));
    let start = environment.now();
    let working = Box::new(|| worked = Some(work(&|bytes| done.store(bytes, Ordering::Relaxed))));
    environment.beside(working, &mut || {
        let passed = environment.now().saturating_duration_since(start);
        if passed.as_millis() % 200 < 25 && listener.is_ok() {
            let bytes = done.load(Ordering::Relaxed);
            listener = emitter.progress(Phase::Restore, bytes, total.max(bytes), "bytes");
        }
    });
    listener?;
    worked.ok_or_else(|| TrialError::Trial(Problem::new(msg!("restoring-thread-panicked"))))
}

#[cfg(test)]
mod tests {
    use super::*;
    use tenbin_model::trial::UsedFile;

    #[test]
    fn a_copy_is_found_by_the_texts_of_the_files_that_make_its_data() {
        let text = "schema = 1\n[targets.a]\ndsn = \"null:\"\n[datasets.d]\nkind = \"sql\"\ncreate = \"c.sql\"\n\
                    fill.t = { rows = 1, c = 'file(\"w.txt\")' }\n[[experiment]]\nload.workload = \"cpu\"\n";
        let plan = tenbin_model::plan::Plan::parse(text, &tenbin_workloads::catalog()).unwrap();
        let mut trial = tenbin_model::plan::expand(&plan).remove(0);
        let mut options_with = |files: [(&str, &str); 2]| {
            let file = |(path, sha256): (&str, &str)| UsedFile { path: path.to_owned(), sha256: sha256.to_owned() };
            trial.files = files.map(file).to_vec();
            variant(&trial, &Facts::new()).options
        };
        let first = options_with([("c.sql", "1"), ("w.txt", "2")]);
        assert_eq!(first["create_sha256"], "1");
        assert_ne!(first, options_with([("c.sql", "3"), ("w.txt", "2")]));
        assert_ne!(first, options_with([("c.sql", "1"), ("w.txt", "3")]));
    }
}
