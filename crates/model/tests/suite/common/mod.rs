//! Workloads for plans to name: some of those there are, as the crate `workload` would hand them in.

pub mod trials;

use tenbin_model::workload::{Catalog, Counts, DataSize, Ends, NO_DATA, WorkloadInfo};

/// The catalog.
pub fn catalog() -> Catalog {
    let plain = |name, reads_only| WorkloadInfo {
        name,
        family: "sysbench",
        dataset: "sysbench",
        shared: vec!["tables", "table_size"],
        table_per_client: false,
        has_groups: false,
        reads_only,
        ends: Ends::Never,
        paces_with: None,
    };
    let counts = Counts { total: "queries", per_client: "queries_per_client", others: &["once"] };
    let workloads = vec![
        plain("oltp_read_write", false),
        plain("oltp_read_only", true),
        plain("oltp_point_select", true),
        WorkloadInfo { dataset: "sysbench_0_4", shared: vec!["table_size"], ..plain("oltp", false) },
        WorkloadInfo { dataset: "bulk_insert", table_per_client: true, ..plain("bulk_insert", false) },
        WorkloadInfo { dataset: NO_DATA, shared: Vec::new(), ends: Ends::Always, ..plain("mutex", false) },
        WorkloadInfo { family: "sql", dataset: NO_DATA, shared: Vec::new(), has_groups: true, ..plain("sql", false) },
        WorkloadInfo {
            family: "slap",
            dataset: "slap",
            shared: vec!["schema"],
            ends: Ends::With(counts),
            ..plain("slap", false)
        },
        WorkloadInfo {
            family: "tpcc",
            dataset: "tpcc",
            shared: vec!["warehouses"],
            paces_with: Some(("mode", "paced")),
            ..plain("tpcc", false)
        },
    ];
    let size = |kind, option, default, least| DataSize { kind, option, default, least };
    let sizes = vec![size("sysbench", "table_size", "10000", 100), size("tpcc", "warehouses", "1", 1)];
    Catalog { workloads, default_dataset: "sysbench", sizes }
}
