//! Servers that a provider manages: Amazon RDS and Aurora. What they are there, whether they are ready, and what CloudWatch
//! has about them.
//!
//! The database itself is reached like any other. No SDK is used: three small protocols are, over [`call`].

mod call;
mod credentials;
pub mod metrics;
pub mod parameters;
mod rds;
mod sign;
mod xml;

pub use call::AwsClient;
pub use rds::{AuroraCluster, RdsInstance, instance};

use crate::facts::Facts;
use crate::finding::{Finding, Level};
use tenbin_model::cloud::CloudAccess;
use tenbin_model::dsn::Dsn;
use tenbin_model::names::machine_facts::PREFIX;
use tenbin_model::stop::StopSignal;
use tenbin_words::message::foreign;
use tenbin_words::msg;
use tenbin_words::problem::Problem;

/// A managed server as its provider describes it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ManagedServer {
    /// The instance.
    pub instance: RdsInstance,
    /// The cluster to which it belongs, if the plan names one.
    pub cluster: Option<AuroraCluster>,
}

/// Asks the provider what a server is. Fails if it cannot be asked, or has no server of that name.
pub fn describe(access: &CloudAccess, stop: &StopSignal) -> Result<ManagedServer, Problem> {
    look(&mut AwsClient::new(access, stop)?)
}

/// The same with a client of one's own.
pub fn look(client: &mut AwsClient) -> Result<ManagedServer, Problem> {
    let access = &client.access.clone();
    let cluster = access.cluster.as_ref().map(|name| rds::cluster(client, name)).transpose()?;
    let writer = || cluster.as_ref().and_then(|cluster| cluster.writer.clone());
    let Some(name) = access.instance.clone().or_else(writer) else {
        let what = msg!("cloud-cluster-without-writer", name = access.name());
        let rest = format!("rds describe-db-clusters --db-cluster-identifier {}", access.name());
        return Err(Problem::new(what).hint(foreign(access.command(&rest))));
    };
    Ok(ManagedServer { instance: rds::instance(client, &name)?, cluster })
}

/// The name of the fact about a replica of a target.
pub fn fact_of_replica(name: &str) -> String {
    format!("{PREFIX}cloud_replica_{name}")
}

/// The facts about a server in one line.
pub fn in_one_line(facts: &Facts) -> String {
    let names = ["cloud_instance", "cloud_class", "cloud_engine", "cloud_storage", "cloud_zone"];
    let values = names.iter().filter_map(|name| facts.get(&format!("{PREFIX}{name}")).map(String::as_str));
    values.collect::<Vec<_>>().join("; ")
}

/// In these states an instance serves its clients, but works beside.
pub(crate) const BUSY: [&str; 5] = [
    "backing-up",
    "storage-optimization",
    "configuring-enhanced-monitoring",
    "configuring-log-exports",
    "configuring-iam-database-auth",
];

impl ManagedServer {
    /// Whether it is ready to be measured, and the one at that address.
    pub fn findings(&self, access: &CloudAccess, dsn: &Dsn) -> Vec<Finding> {
        let RdsInstance { name, status, class, engine, version, .. } = &self.instance;
        let what = msg!("cloud-instance-seen", name, region = access.region, engine, version, class);
        let storage = Some(self.storage()).filter(|storage| !storage.is_empty()).map(foreign);
        let mut all = vec![Finding { level: Level::Ok, title: what, evidence: storage, hint: None }];
        if status != "available" {
            let level = if BUSY.contains(&status.as_str()) { Level::Warning } else { Level::Error };
            let rest = format!("rds wait db-instance-available --db-instance-identifier {name}");
            let title = msg!("cloud-instance-not-available", name);
            let hint = Some(foreign(access.command(&rest)));
            all.push(Finding { level, title, evidence: Some(msg!("cloud-instance-status", status)), hint });
        }
        for (group, state) in &self.instance.parameter_groups {
            if !["in-sync", ""].contains(&state.as_str()) {
                let title = msg!("cloud-parameters-not-in-force", group, name);
                let evidence = Some(msg!("cloud-parameters-status", status = state));
                let rest = format!("rds reboot-db-instance --db-instance-identifier {name}");
                all.push(Finding {
                    level: Level::Warning,
                    title,
                    evidence,
                    hint: Some(foreign(access.command(&rest))),
                });
            }
        }
        let own = self.instance.endpoint.as_ref().map(|(address, _)| address);
        let known = own.into_iter().chain(self.cluster.iter().flat_map(|cluster| &cluster.endpoints));
        if !known.clone().any(|address| address.eq_ignore_ascii_case(&dsn.host)) {
            let title = msg!("cloud-address-differs", name);
            let there = known.map(String::as_str).collect::<Vec<_>>().join(", ");
            let evidence = Some(msg!("cloud-addresses", there, ours = dsn.host));
            let hint = Some(msg!("cloud-compare-addresses", command = format_args!("getent hosts {}", dsn.host)));
            all.push(Finding { level: Level::Warning, title, evidence, hint });
        }
        all
    }

    /// Facts for the table of machines.
    pub fn facts(&self, access: &CloudAccess) -> Facts {
        let RdsInstance { name, class, engine, version, multi_az, zone, source, cluster, .. } = &self.instance;
        let groups = self.instance.parameter_groups.iter().map(|(group, state)| format!("{group} ({state})"));
        let all = [
            ("cloud_instance", name.clone()),
            ("cloud_cluster", access.cluster.as_ref().unwrap_or(cluster).clone()),
            ("cloud_class", class.clone()),
            ("cloud_engine", format!("{engine} {version}")),
            ("cloud_storage", self.storage()),
            ("cloud_zone", if zone.is_empty() { access.region.clone() } else { zone.clone() }),
            ("cloud_multi_az", if *multi_az { "yes" } else { "no" }.to_owned()),
            ("cloud_source", source.clone()),
            ("cloud_parameter_group", groups.collect::<Vec<_>>().join(", ")),
        ];
        let kept = all.into_iter().filter(|(_, value)| !value.is_empty());
        kept.map(|(name, value)| (format!("{PREFIX}{name}"), value)).collect()
    }

    /// `io1, 100 GiB, 3000 IOPS`.
    fn storage(&self) -> String {
        let RdsInstance { storage, storage_gib, iops, throughput_mib_s, .. } = &self.instance;
        let part = |value: &str, unit: &str| {
            let none = ["", "0"].contains(&value);
            (!none).then(|| format!("{value}{unit}"))
        };
        let size = if storage == "aurora" { None } else { part(storage_gib, " GiB") };
        let all = [part(storage, ""), size, part(iops, " IOPS"), part(throughput_mib_s, " MiB/s")];
        all.into_iter().flatten().collect::<Vec<_>>().join(", ")
    }
}
