//! What CloudWatch learns of an instance, from the real server that stands for it: moto gets the means of each minute, as
//! Amazon RDS reports them.

use crate::Moto;
use crate::moto::Figures;
use crate::sql::{on, open, query};
use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{JoinHandle, sleep};
use std::time::{Duration, SystemTime};

/// Reports until it is dropped.
pub struct RdsFigures {
    ended: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

impl RdsFigures {
    /// Looks at these servers every second: the identifier of the instance, and the address of the server.
    pub fn report(moto: &Moto, servers: &[(&str, String)]) -> RdsFigures {
        let figures = moto.figures();
        let servers: Vec<(String, String)> =
            servers.iter().map(|(name, dsn)| ((*name).to_owned(), dsn.clone())).collect();
        let ended = Arc::new(AtomicBool::new(false));
        let end = ended.clone();
        let thread = std::thread::spawn(move || watch(figures, &servers, &end));
        RdsFigures { ended, thread: Some(thread) }
    }
}

impl Drop for RdsFigures {
    fn drop(&mut self) {
        self.ended.store(true, Ordering::Relaxed);
        let _ = self.thread.take().map(JoinHandle::join);
    }
}

fn unix_s() -> i64 {
    SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).map_or(0, |since| since.as_secs() as i64)
}

/// Sums and numbers of samples in the present minute, by instance and metric.
type Minute = BTreeMap<(String, &'static str), (f64, f64)>;

fn watch(figures: Figures, servers: &[(String, String)], ended: &AtomicBool) {
    let (mut minute, mut sums) = (unix_s() / 60, Minute::new());
    let mut written: BTreeMap<String, (i64, f64)> = BTreeMap::new();
    // The first minute is not a whole one.
    let mut is_whole = false;
    while !ended.load(Ordering::Relaxed) {
        let now = unix_s();
        if now / 60 != minute {
            for ((instance, metric), (sum, samples)) in std::mem::take(&mut sums) {
                if is_whole {
                    figures.put(&instance, metric, 60 * minute, sum / samples);
                }
            }
            (minute, is_whole) = (now / 60, true);
        }
        for (instance, dsn) in servers {
            let mut add = |metric, value| {
                let entry = sums.entry((instance.clone(), metric)).or_insert((0.0, 0.0));
                *entry = (entry.0 + value, entry.1 + 1.0);
            };
            let status =
                |name: &str| query(dsn, &format!("SHOW GLOBAL STATUS LIKE '{name}'"))[0][1].parse().unwrap_or(f64::NAN);
            add("DatabaseConnections", status("Threads_connected"));
            let writes = status("Innodb_data_writes") + status("Innodb_log_writes");
            if let Some((at, before)) = written.insert(instance.clone(), (now, writes)).filter(|(at, _)| *at < now) {
                add("WriteIOPS", (writes - before) / (now - at) as f64);
            }
            let logs = query(dsn, "SHOW BINARY LOGS");
            add("BinLogDiskUsage", logs.iter().filter_map(|row| row[1].parse::<f64>().ok()).sum());
            add("ReplicaLag", behind_s(dsn));
        }
        sleep(Duration::from_secs(1));
    }
}

/// Seconds behind the source; -1 if it does not replicate.
fn behind_s(dsn: &String) -> f64 {
    let table = on(async {
        let mut c = open(dsn).await;
        let table = c.table("SHOW SLAVE STATUS").await.unwrap_or_else(|e| panic!("SHOW SLAVE STATUS: {e}"));
        c.close().await;
        table
    });
    let at = table.columns.iter().position(|name| name == "Seconds_Behind_Master");
    let value = table.rows.into_iter().next().zip(at).and_then(|(row, at)| row.into_iter().nth(at)?);
    value.and_then(|seconds| seconds.parse().ok()).unwrap_or(-1.0)
}
