//! DB parameter groups of Amazon RDS: their parameters, changing and resetting them, and the reboot that some need.
//!
//! Source: <https://docs.aws.amazon.com/AmazonRDS/latest/APIReference/>, version 2014-10-31: DescribeDBParameters,
//! ModifyDBParameterGroup, ResetDBParameterGroup, RebootDBInstance.

use super::call::AwsClient;
use super::rds::{children, instance, query, read_instance, text};
use tenbin_words::problem::Problem;

/// A parameter of a group.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct RdsParameter {
    /// Its name, as RDS writes it: `innodb_buffer_pool_size`, `gtid-mode`.
    pub name: String,
    /// The value that a user has given it; `None`: that of the engine or the service, which it has after a reset.
    pub own: Option<String>,
    /// Whether a value takes effect without a reboot.
    pub is_dynamic: bool,
    /// Whether it can be changed at all.
    pub is_modifiable: bool,
    /// What it takes: `0-4294967295`, `ROW,STATEMENT,MIXED`; empty if RDS does not say.
    pub allowed: String,
}

/// What is done with a parameter.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ParameterChange {
    /// Its name, as RDS writes it.
    pub name: String,
    /// Its new value; `None`: that of the engine or the service.
    pub value: Option<String>,
    /// Whether that takes effect without a reboot.
    pub is_dynamic: bool,
}

/// The most parameters in one request.
const MOST_AT_ONCE: usize = 20;
/// The most pages of an answer that are read; RDS has about five hundred parameters, a hundred on a page.
const MOST_PAGES: usize = 1000;

/// All parameters of a group.
pub fn parameters(client: &mut AwsClient, group: &str) -> Result<Vec<RdsParameter>, Problem> {
    pages(client, "rds:DescribeDBParameters", &[("DBParameterGroupName", group)], |result| {
        let read = |node| {
            let of = |name: &str| text(node, name);
            RdsParameter {
                name: of("ParameterName"),
                own: (of("Source") == "user").then(|| of("ParameterValue")),
                is_dynamic: of("ApplyType") != "static",
                is_modifiable: of("IsModifiable") == "true",
                allowed: of("AllowedValues"),
            }
        };
        children(result, "Parameters", "Parameter").into_iter().map(read).collect()
    })
}

/// The instances that use a group.
pub fn users(client: &mut AwsClient, group: &str) -> Result<Vec<String>, Problem> {
    let all = pages(client, "rds:DescribeDBInstances", &[], |result| {
        children(result, "DBInstances", "DBInstance").into_iter().map(read_instance).collect()
    })?;
    let uses = |groups: &[(String, String)]| groups.iter().any(|(name, _)| name == group);
    Ok(all.into_iter().filter(|instance| uses(&instance.parameter_groups)).map(|instance| instance.name).collect())
}

/// Changes and resets parameters. Nothing is in effect yet.
pub fn change(client: &mut AwsClient, group: &str, changes: &[ParameterChange]) -> Result<(), Problem> {
    let (given, reset): (Vec<_>, Vec<_>) = changes.iter().partition(|change| change.value.is_some());
    for (permission, changes) in [("rds:ModifyDBParameterGroup", given), ("rds:ResetDBParameterGroup", reset)] {
        for part in changes.chunks(MOST_AT_ONCE) {
            let mut form = vec![("DBParameterGroupName".to_owned(), group)];
            for (n, change) in (1..).zip(part) {
                let mut field = |name: &str, value| form.push((format!("Parameters.Parameter.{n}.{name}"), value));
                field("ParameterName", &change.name);
                if let Some(value) = &change.value {
                    field("ParameterValue", value);
                }
                field("ApplyMethod", if change.is_dynamic { "immediate" } else { "pending-reboot" });
            }
            if permission == "rds:ResetDBParameterGroup" {
                form.push(("ResetAllParameters".to_owned(), "false"));
            }
            let form: Vec<(&str, &str)> = form.iter().map(|(name, value)| (name.as_str(), *value)).collect();
            query(client, permission, &form, |_| Some(()))?;
        }
    }
    Ok(())
}

/// Begins to reboot an instance.
pub fn reboot(client: &mut AwsClient, name: &str) -> Result<(), Problem> {
    let answer = query(client, "rds:RebootDBInstance", &[("DBInstanceIdentifier", name)], |_| Some(()));
    answer.or_else(|problem| match instance(client, name) {
        // A request that was sent again after its answer was lost.
        Ok(there) if there.status == "rebooting" => Ok(()),
        _ => Err(problem),
    })
}

/// The items of all pages of an answer.
fn pages<T>(
    client: &mut AwsClient,
    permission: &'static str,
    form: &[(&str, &str)],
    read: impl Fn(roxmltree::Node<'_, '_>) -> Vec<T>,
) -> Result<Vec<T>, Problem> {
    let (mut all, mut marker) = (Vec::new(), String::new());
    let result = format!("{}Result", permission.trim_start_matches("rds:"));
    for _ in 0..MOST_PAGES {
        let mut form = form.to_vec();
        form.push(("MaxRecords", "100"));
        if !marker.is_empty() {
            form.push(("Marker", &marker));
        }
        let (items, next) = query(client, permission, &form, |tree| {
            let node = tree.descendants().find(|node| node.tag_name().name() == result)?;
            Some((read(node), text(node, "Marker")))
        })?;
        all.extend(items);
        if next.is_empty() || next == marker {
            break;
        }
        marker = next;
    }
    Ok(all)
}
