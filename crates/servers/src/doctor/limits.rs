//! Compares the limits of a server with what a run needs. Pure: for a server whose variables were read, and for a
//! private one that is only planned.

use super::Needs;
use crate::finding::{Finding, Level, finding};
use std::collections::BTreeMap;
use tenbin_words::message::Message;
use tenbin_words::msg;
use tenbin_words::units;

/// Names to values, as the server writes them.
pub type Variables = BTreeMap<String, String>;

/// How a limit is raised.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Raise {
    /// By a statement on the running server.
    OnServer,
    /// In the plan, which starts the server.
    InPlan,
}

/// How much of the limits others are using already.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct ConnectionsInUse {
    /// Connections, without ours.
    pub connections: u64,
    /// Prepared statements.
    pub prepared: u64,
}

/// The limits of MySQL and MariaDB.
pub fn mysql(variables: &Variables, taken: ConnectionsInUse, needs: &Needs, raise: Raise) -> Vec<Finding> {
    let number = |name: &str| variables.get(name).and_then(|text| units::binary_amount(text));
    let mut all = Vec::new();
    if let Some(limit) = number("max_connections") {
        let wanted = needs.connections();
        let evidence =
            msg!("connections-wanted", variable = "max_connections", limit, connections = taken.connections, wanted);
        let enough = wanted + taken.connections + SPARE;
        all.push(if wanted > limit.saturating_sub(taken.connections) {
            finding(Level::Error, msg!("too-few-connections"))
                .evidence(evidence)
                .hint(raise.mysql("max_connections", enough))
        } else {
            finding(Level::Ok, msg!("connections-are-enough")).evidence(evidence)
        });
    }
    if let Some(limit) = number("max_prepared_stmt_count") {
        let wanted = u64::from(needs.clients) * u64::from(needs.prepared_per_client);
        let used = taken.prepared;
        let evidence = msg!(
            "prepared-statements-wanted",
            variable = "max_prepared_stmt_count",
            limit,
            used,
            clients = needs.clients,
            each = needs.prepared_per_client,
            wanted
        );
        all.push(if wanted > limit.saturating_sub(used) {
            finding(Level::Error, msg!("too-many-prepared-statements")).evidence(evidence).hint(msg!(
                "or-ps-mode-disable",
                raise = raise.mysql("max_prepared_stmt_count", wanted + used + 10 * SPARE)
            ))
        } else {
            finding(Level::Ok, msg!("prepared-statements-are-enough")).evidence(evidence)
        });
    }
    if let Some(limit) = number("max_allowed_packet").filter(|_| needs.statement > 0) {
        let evidence =
            msg!("statement-size-wanted", variable = "max_allowed_packet", limit, statement = needs.statement);
        // The server's limit is on the whole message: the command's byte and the text (MySQL manual B.3.2.8).
        all.push(if needs.statement >= limit {
            let enough = (needs.statement + 1).next_multiple_of(1 << 20);
            let what = msg!("statements-too-long");
            finding(Level::Error, what).evidence(evidence).hint(raise.mysql("max_allowed_packet", enough))
        } else {
            finding(Level::Ok, msg!("statements-are-short-enough")).evidence(evidence)
        });
    }
    all
}

/// The limits of PostgreSQL. Some connections are reserved for administrators.
pub fn postgres(settings: &Variables, taken: ConnectionsInUse, needs: &Needs, raise: Raise) -> Vec<Finding> {
    let number = |name: &str| settings.get(name).and_then(|text| units::binary_amount(text));
    let Some(limit) = number("max_connections") else { return Vec::new() };
    let reserved = number("superuser_reserved_connections").unwrap_or(0) + number("reserved_connections").unwrap_or(0);
    let (wanted, others) = (needs.connections(), taken.connections);
    let evidence =
        msg!("connections-wanted-of-reserved", variable = "max_connections", limit, reserved, others, wanted);
    vec![if wanted > limit.saturating_sub(reserved + others) {
        let enough = wanted + others + reserved + SPARE;
        finding(Level::Error, msg!("too-few-connections")).evidence(evidence).hint(match raise {
            Raise::OnServer => msg!("raise-max-connections-postgresql", enough),
            Raise::InPlan => in_plan("max_connections", enough),
        })
    } else {
        finding(Level::Ok, msg!("connections-are-enough")).evidence(evidence)
    }]
}

/// How many more than needed a hint suggests, so that an administrator can still connect.
const SPARE: u64 = 10;

impl Raise {
    fn mysql(self, name: &str, value: u64) -> Message {
        match self {
            Raise::OnServer => msg!("set-global", variable = name, value),
            Raise::InPlan => in_plan(name, value),
        }
    }
}

fn in_plan(name: &str, value: u64) -> Message {
    msg!("set-in-plan", variable = name, value)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn variables(all: &[(&str, &str)]) -> Variables {
        all.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect()
    }

    fn said(findings: &[Finding]) -> String {
        let line = |f: &Finding| {
            format!(
                "{:?} {}: {} -> {}",
                f.level,
                f.title.english(),
                f.evidence.as_deref().unwrap_or(""),
                f.hint.as_deref().unwrap_or("-")
            )
        };
        findings.iter().map(line).collect::<Vec<_>>().join("\n")
    }

    #[test]
    fn limits_count_our_own_connections_and_those_of_others() {
        let needs = Needs { clients: 64, beside: 2, prepared_per_client: 11, statement: 524_288, ..Needs::default() };
        let tight =
            variables(&[("max_connections", "70"), ("max_prepared_stmt_count", "704"), ("max_allowed_packet", "512K")]);
        let (none, some) = (ConnectionsInUse::default(), ConnectionsInUse { connections: 5, prepared: 1 });
        let reserved = variables(&[("max_connections", "68"), ("superuser_reserved_connections", "3")]);
        let all = [
            said(&mysql(&tight, none, &needs, Raise::InPlan)),
            said(&mysql(&tight, some, &needs, Raise::OnServer)),
            said(&mysql(&variables(&[("max_allowed_packet", "524289")]), none, &needs, Raise::OnServer)),
            said(&postgres(&reserved, none, &needs, Raise::InPlan)),
            said(&postgres(
                &variables(&[("max_connections", "69"), ("reserved_connections", "3")]),
                none,
                &needs,
                Raise::OnServer,
            )),
            said(&mysql(&Variables::new(), some, &needs, Raise::OnServer)),
        ];
        assert_eq!(
            all.join("\n"),
            "Ok connections are enough: max_connections 70, 0 in use by others, 66 wanted -> -
Ok prepared statements are enough: max_prepared_stmt_count 704, 0 in use; 64 clients × 11 statements = 704 -> -
Error the server does not take statements as long as the workload sends: max_allowed_packet 524288, statements of up to 524288 bytes -> set server.max_allowed_packet = 1048576 in the plan
Error the server does not allow so many connections: max_connections 70, 5 in use by others, 66 wanted -> SET GLOBAL max_connections = 81
Error the server does not allow so many prepared statements: max_prepared_stmt_count 704, 1 in use; 64 clients × 11 statements = 704 -> SET GLOBAL max_prepared_stmt_count = 805 (or ps_mode = \"disable\")
Error the server does not take statements as long as the workload sends: max_allowed_packet 524288, statements of up to 524288 bytes -> SET GLOBAL max_allowed_packet = 1048576
Ok statements are short enough: max_allowed_packet 524289, statements of up to 524288 bytes -> -
Error the server does not allow so many connections: max_connections 68, 3 of them reserved, 0 in use by others, 66 wanted -> set server.max_connections = 79 in the plan
Ok connections are enough: max_connections 69, 3 of them reserved, 0 in use by others, 66 wanted -> -
"
        );
    }
}
