//! Whether one address leads to one server: behind a balancer of connections the figures of several would pass for one's.
//!
//! A few connections are held open at once and each is asked who is there, before anything is measured.

use super::{Finding, Level, finding};
use std::collections::BTreeMap;
use tenbin_driver::{Connection, Connector, Transport};
use tenbin_model::dsn::Scheme;
use tenbin_model::message::foreign;
use tenbin_model::msg;
use tenbin_model::text::short;

/// Connections that are asked, with the one that is open already. A balancer that takes turns, or the server with the
/// fewest connections, shows its second server at the second.
const ASKED: usize = 4;

/// The finding when more than one server answers at the address; nothing where several were named, or who answers is not known.
pub(super) async fn check(connector: &Connector, c: &mut Connection) -> Option<Finding> {
    let dsn = connector.dsn();
    let named = dsn.options.contains_key("hosts") || dsn.options.contains_key("socket");
    if named || !matches!(dsn.scheme, Scheme::Mysql | Scheme::Postgres) || c.server_version().contains("null-server") {
        return None;
    }
    let mut found: BTreeMap<String, usize> = BTreeMap::new();
    *found.entry(who(dsn.scheme, c).await?).or_default() += 1;
    let mut open = Vec::new();
    for _ in 1..ASKED {
        // One that is refused is the concern of others.
        let Ok(mut another) = connector.connect(Transport::Shared).await else { break };
        if let Some(who) = who(dsn.scheme, &mut another).await {
            *found.entry(who).or_default() += 1;
        }
        open.push(another);
    }
    for another in open {
        another.close().await;
    }
    let seen: Vec<String> = found.iter().map(|(who, n)| format!("{n} × {who}")).collect();
    (found.len() > 1).then(|| {
        finding(Level::Warning, msg!("many-servers"))
            .evidence(foreign(seen.join("; ")))
            .hint(msg!("give-address-of-one-server"))
    })
}

/// What is another on another server: its identity as it calls it, and since when it runs.
async fn who(scheme: Scheme, c: &mut Connection) -> Option<String> {
    let sql = match scheme {
        Scheme::Mysql => {
            "SHOW GLOBAL VARIABLES WHERE Variable_name IN ('hostname', 'port', 'server_id', 'server_uuid', 'server_uid')"
        }
        _ => {
            "SELECT 'port', current_setting('port') UNION ALL SELECT 'started', pg_postmaster_start_time()::text \
             UNION ALL SELECT 'address', coalesce(host(inet_server_addr()), 'local')"
        }
    };
    let rows = c.table(sql).await.ok()?.rows;
    let told: BTreeMap<String, String> = rows
        .into_iter()
        .filter_map(|row| {
            let mut fields = row.into_iter().flatten();
            Some((fields.next()?, short(&fields.next()?, 80)))
        })
        .collect();
    let text: Vec<String> = told.iter().map(|(name, value)| format!("{name} {value}")).collect();
    (!text.is_empty()).then(|| text.join(", "))
}
