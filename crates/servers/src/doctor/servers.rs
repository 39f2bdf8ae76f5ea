//! Whether an address leads to a single server: behind a load balancer the figures of several would be taken for those
//! of one.
//!
//! Several connections are opened at the same time and the server of each is identified, before anything is measured.

use crate::finding::{Finding, Level, finding};
use std::collections::BTreeMap;
use tenbin_driver::{Connection, Connector};
use tenbin_model::dsn::Scheme;
use tenbin_words::message::foreign;
use tenbin_words::msg;
use tenbin_words::text::short;

/// The number of connections, including the one that is open already. A balancer with round robin or least connections
/// uses its second server for the second connection.
const ASKED: usize = 4;

/// The finding if more than one server answers at the address; nothing if several were named, or the servers cannot be
/// identified.
pub(super) async fn check(connector: &Connector, c: &mut Connection) -> Option<Finding> {
    let dsn = connector.dsn();
    let named = dsn.options.contains_key("hosts") || dsn.options.contains_key("socket");
    if named || !dsn.scheme.kind().is_server || c.server_version().contains("null-server") {
        return None;
    }
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    *counts.entry(who(dsn.scheme, c).await?).or_default() += 1;
    let mut open = Vec::new();
    for _ in 1..ASKED {
        // A refused connection is reported elsewhere.
        let Ok(mut another) = connector.connect_ready().await else { break };
        if let Some(who) = who(dsn.scheme, &mut another).await {
            *counts.entry(who).or_default() += 1;
        }
        open.push(another);
    }
    for another in open {
        another.leave().await;
    }
    let servers: Vec<String> = counts.iter().map(|(who, n)| format!("{n} × {who}")).collect();
    (counts.len() > 1).then(|| {
        finding(Level::Warning, msg!("many-servers"))
            .evidence(foreign(servers.join("; ")))
            .hint(msg!("give-address-of-one-server"))
    })
}

/// The identity of the server: its own identifier, and its start time.
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
    let values: BTreeMap<String, String> = rows
        .into_iter()
        .filter_map(|row| {
            let mut fields = row.into_iter().flatten();
            Some((fields.next()?, short(&fields.next()?, 80)))
        })
        .collect();
    let text: Vec<String> = values.iter().map(|(name, value)| format!("{name} {value}")).collect();
    (!text.is_empty()).then(|| text.join(", "))
}
