//! The checks of a PostgreSQL server, for the doctor and for a trial's preflight.

use super::limits::{self, ConnectionsInUse, Raise};
use super::{LOOK, LOOKS, Needs, pairs, privileges};
use crate::finding::{Finding, Level, finding};
use crate::{machine, role};
use std::collections::BTreeMap;
use tenbin_driver::{Connection, Connector, Error};
use tenbin_words::msg;

/// All settings that are needed, as one list of names and values.
const ASKED: &str = "SELECT name, setting FROM pg_settings \
     UNION ALL SELECT 'others', count(*)::text FROM pg_stat_activity \
       WHERE pid <> pg_backend_pid() AND (backend_type = 'client backend' OR backend_type IS NULL)";

/// Settings of replication, which durability may depend on.
const REPLICATED: &[&str] = &["wal_level", "synchronous_standby_names"];

pub(super) async fn check(
    connector: &Connector,
    c: &mut Connection,
    needs: &Needs,
    whole: bool,
) -> Result<Vec<Finding>, Error> {
    let mut settings = pairs(c, ASKED).await?;
    settings.extend(needs.planned());
    let taken = |settings: &BTreeMap<String, String>| {
        let others = settings.get("others").and_then(|n| n.parse().ok()).unwrap_or(0);
        ConnectionsInUse { connections: u64::saturating_sub(others, u64::from(needs.open)), prepared: 0 }
    };
    let mut all = limits::postgres(&settings, taken(&settings), needs, Raise::OnServer);
    // Connections that a load or an earlier trial has just closed are still counted for a moment.
    let mut looks = 0;
    while !whole && looks < LOOKS && taken(&settings).connections > 0 && all.iter().any(|f| f.level == Level::Error) {
        tokio::time::sleep(LOOK).await;
        settings = pairs(c, ASKED).await?;
        settings.extend(needs.planned());
        all = limits::postgres(&settings, taken(&settings), needs, Raise::OnServer);
        looks += 1;
    }
    let others = taken(&settings).connections;
    let text = |name: &str| settings.get(name).map_or("", String::as_str);
    if others > 0 && whole {
        all.push(
            finding(Level::Note, msg!("others-connected"))
                .evidence(msg!("connections-besides-ours", connections = others))
                .hint(msg!("select-pg-stat-activity")),
        );
    }
    all.extend(privileges::check(connector, c, needs).await?);
    all.extend(super::in_replication(&role::of(connector.dsn().scheme, c).await?, whole));
    if text("fsync") == "off" {
        all.push(
            finding(Level::Warning, msg!("server-does-not-sync"))
                .evidence(msg!("fsync-off"))
                .hint(msg!("set-fsync-on")),
        );
    }
    all.push(super::as_durable(connector, c, &settings, REPLICATED, whole).await);
    if connector.dsn().is_local() || machine::process_here(connector).is_some() {
        all.push(super::shared_machine(connector));
    }
    Ok(all)
}
