//! What the doctor and a trial's preflight ask a PostgreSQL server.

use super::{Finding, Level, Needs, finding, pairs};
use crate::role;
use tenbin_driver::{Connection, Connector, Error};

/// Everything asked for, as one list of names and values.
const ASKED: &str = "SELECT name, setting FROM pg_settings \
     UNION ALL SELECT 'others', count(*)::text FROM pg_stat_activity \
       WHERE pid <> pg_backend_pid() AND (backend_type = 'client backend' OR backend_type IS NULL)";

/// What decides whether a commit survives a crash or a power failure, and what that costs.
const DURABLE: [&str; 5] =
    ["fsync", "synchronous_commit", "full_page_writes", "wal_level", "synchronous_standby_names"];

pub(super) async fn look(
    connector: &Connector,
    c: &mut Connection,
    needs: &Needs,
    whole: bool,
) -> Result<Vec<Finding>, Error> {
    let mut all = Vec::new();
    let settings = pairs(c, ASKED).await?;
    let text = |name: &str| settings.get(name).map_or("", String::as_str);
    let number = |name: &str| text(name).parse::<u64>().unwrap_or(0);

    // One more for the observer. Some are kept for administrators, whom we do not count as.
    let (wanted, others) = (u64::from(needs.clients) + u64::from(needs.observed), number("others"));
    let reserved = number("superuser_reserved_connections") + number("reserved_connections");
    let free = number("max_connections").saturating_sub(reserved + others);
    let seen = format!(
        "max_connections {}, {reserved} of them reserved, {others} in use by others, {wanted} wanted",
        text("max_connections")
    );
    all.push(if wanted > free {
        let mend = wanted + others + reserved + 10;
        finding(Level::Error, "the server does not allow so many connections")
            .evidence(seen)
            .mend(format!("ALTER SYSTEM SET max_connections = {mend}, and restart the server"))
    } else {
        finding(Level::Ok, "connections are enough").evidence(seen)
    });
    if others > 0 && whole {
        all.push(
            finding(Level::Note, "others are connected to the server")
                .evidence(format!("{others} connections besides ours"))
                .mend("SELECT * FROM pg_stat_activity"),
        );
    }
    all.extend(super::in_replication(&role::of(connector.dsn().scheme, c).await?, whole));
    if text("fsync") == "off" {
        all.push(
            finding(Level::Warning, "the server does not wait for its disk: a crash of the machine destroys the data")
                .evidence("fsync off")
                .mend("ALTER SYSTEM SET fsync = on, then SELECT pg_reload_conf(); for faster commits that lose no data but the last, synchronous_commit = off"),
        );
    }
    let durable: Vec<String> =
        DURABLE.iter().filter(|n| !text(n).is_empty()).map(|n| format!("{n} {}", text(n))).collect();
    all.push(finding(Level::Note, "durability as it is set").evidence(durable.join(", ")));
    if connector.dsn().is_local() {
        all.push(super::shared_machine(connector));
    }
    Ok(all)
}
