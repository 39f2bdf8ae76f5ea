//! Amazon RDS and Aurora by their Query protocol: forms in, XML out.
//!
//! Source: <https://docs.aws.amazon.com/AmazonRDS/latest/APIReference/>, version 2014-10-31.

use super::call::{AwsClient, AwsRequest};
use super::xml;
use percent_encoding::utf8_percent_encode;
use roxmltree::{Document, Node};
use std::fmt::Write;
use tenbin_model::dsn::UNRESERVED;
use tenbin_words::message::foreign;
use tenbin_words::msg;
use tenbin_words::problem::Problem;
use tenbin_words::text::{short, visible};

/// A DB instance.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct RdsInstance {
    /// Its identifier.
    pub name: String,
    /// `available`, or what is being done with it.
    pub status: String,
    /// `db.r5.large`.
    pub class: String,
    /// `mysql`, `aurora-mysql`, `postgres`, ….
    pub engine: String,
    /// The version of the engine.
    pub version: String,
    /// Its address and port.
    pub endpoint: Option<(String, u16)>,
    /// `gp3`, `io1`, `aurora`, ….
    pub storage: String,
    /// The size of its storage in GiB.
    pub storage_gib: String,
    /// Provisioned operations per second; empty if there are none.
    pub iops: String,
    /// Provisioned throughput, MiB/s; empty if there is none.
    pub throughput_mib_s: String,
    /// Whether it has a standby in another zone.
    pub multi_az: bool,
    /// Its zone.
    pub zone: String,
    /// The instance that it replicates; empty if it is no replica.
    pub source: String,
    /// The Aurora cluster to which it belongs; empty if it does not.
    pub cluster: String,
    /// Its parameter groups, and whether their values are in force: `in-sync`, `pending-reboot`, `applying`.
    pub parameter_groups: Vec<(String, String)>,
}

/// An Aurora cluster.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct AuroraCluster {
    /// Its addresses: of the instance that writes, of those that read, and the user's own.
    pub endpoints: Vec<String>,
    /// The identifier of the instance that writes.
    pub writer: Option<String>,
}

/// Describes an instance. Fails if there is none of that name.
pub fn instance(client: &mut AwsClient, name: &str) -> Result<RdsInstance, Problem> {
    let permission = "rds:DescribeDBInstances";
    query(client, permission, &[("DBInstanceIdentifier", name)], |tree| {
        tree.descendants().find(|node| node.tag_name().name() == "DBInstance").map(read_instance)
    })
}

/// Describes a cluster. Fails if there is none of that name.
pub fn cluster(client: &mut AwsClient, name: &str) -> Result<AuroraCluster, Problem> {
    query(client, "rds:DescribeDBClusters", &[("DBClusterIdentifier", name)], |tree| {
        let cluster = tree.descendants().find(|node| node.tag_name().name() == "DBCluster")?;
        let members = children(cluster, "DBClusterMembers", "DBClusterMember");
        let writer = members.iter().find(|member| text(**member, "IsClusterWriter") == "true");
        let own = ["Endpoint", "ReaderEndpoint"].map(|name| text(cluster, name)).into_iter();
        let custom = children(cluster, "CustomEndpoints", "member").into_iter();
        let custom = custom.filter_map(|node| node.text().map(str::to_owned));
        Some(AuroraCluster {
            endpoints: own.chain(custom).filter(|address| !address.is_empty()).collect(),
            writer: writer.map(|member| text(*member, "DBInstanceIdentifier")),
        })
    })
}

/// Sends an action and reads its answer. `permission` is `rds:` and the name of the action.
pub(super) fn query<T>(
    client: &mut AwsClient,
    permission: &'static str,
    parameters: &[(&str, &str)],
    read: impl FnOnce(&Document<'_>) -> Option<T>,
) -> Result<T, Problem> {
    let mut body = format!("Action={}&Version=2014-10-31", permission.trim_start_matches("rds:"));
    for (name, value) in parameters {
        let value = utf8_percent_encode(value, UNRESERVED);
        let _ = write!(body, "&{name}={value}");
    }
    let request = AwsRequest {
        service: "rds",
        permission,
        content_type: "application/x-www-form-urlencoded; charset=utf-8",
        target: None,
        body: &body,
    };
    let answer = client.call(&request)?;
    let address = client.access.address("rds");
    let garbage = |text: String| {
        Problem::new(msg!("cloud-answer-not-understood", permission))
            .evidence(foreign(short(&visible(&text), 200)))
            .hint(foreign(format_args!("curl -sS {address}")))
    };
    let tree = xml::parse(&answer.text).map_err(garbage)?;
    read(&tree).ok_or_else(|| garbage(answer.text.clone()))
}

pub(super) fn read_instance(node: Node<'_, '_>) -> RdsInstance {
    let of = |name: &str| text(node, name);
    let endpoint =
        child(node, "Endpoint").map(|at| (text(at, "Address"), text(at, "Port").parse().unwrap_or_default()));
    let groups = children(node, "DBParameterGroups", "DBParameterGroup").into_iter();
    RdsInstance {
        name: of("DBInstanceIdentifier"),
        status: of("DBInstanceStatus"),
        class: of("DBInstanceClass"),
        engine: of("Engine"),
        version: of("EngineVersion"),
        endpoint,
        storage: of("StorageType"),
        storage_gib: of("AllocatedStorage"),
        iops: of("Iops"),
        throughput_mib_s: of("StorageThroughput"),
        multi_az: of("MultiAZ") == "true",
        zone: of("AvailabilityZone"),
        source: of("ReadReplicaSourceDBInstanceIdentifier"),
        cluster: of("DBClusterIdentifier"),
        parameter_groups: groups
            .map(|group| (text(group, "DBParameterGroupName"), text(group, "ParameterApplyStatus")))
            .collect(),
    }
}

/// The namespace is not looked at: an imitation may have another one, or none.
fn child<'a, 'i>(node: Node<'a, 'i>, name: &str) -> Option<Node<'a, 'i>> {
    node.children().find(|child| child.tag_name().name() == name)
}

/// The elements of a list.
pub(super) fn children<'a, 'i>(node: Node<'a, 'i>, list: &str, name: &str) -> Vec<Node<'a, 'i>> {
    let nodes = child(node, list).into_iter().flat_map(|list| list.children());
    nodes.filter(|child| child.tag_name().name() == name).collect()
}

/// The text of an element, which is shown to the user; empty if there is none.
pub(super) fn text(node: Node<'_, '_>, name: &str) -> String {
    let text = child(node, name).and_then(|child| child.text()).map(str::trim);
    text.map(|text| visible(text).into_owned()).unwrap_or_default()
}
