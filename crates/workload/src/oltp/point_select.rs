//! `oltp_point_select`: one row by its key, on its own. As in sysbench the number of point selects is always one.

use super::COMMON;
use super::event::{Group, Verb};
use super::transaction::workload;
use crate::entry::{Entry, RunsOn, SHARED};
use crate::options::RANDOM;
use tenbin_model::workload::Ends;

pub(crate) const ENTRY: Entry = Entry {
    name: "oltp_point_select",
    about: "one SELECT of one row by id",
    family: "sysbench",
    runs_on: RunsOn::Database,
    dataset: "sysbench",
    shared: SHARED,
    reads_only: true,
    ends: Ends::Never,
    paces_with: None,
    settle: |_| {},
    options: &[COMMON, RANDOM],
    make: |name, options, connector| Ok(workload(name, options, connector, vec![Group::new(1, &[Verb::PointSelect])])),
};
