//! The argument that names a workload: any text is accepted (it may be a script's path), and shell completions list the
//! known workloads.

use clap::builder::{PossibleValue, StringValueParser, TypedValueParser};
use std::ffi::OsStr;

/// Parses a workload's name or a script's path.
#[derive(Debug, Clone, Copy)]
pub struct WorkloadName;

impl TypedValueParser for WorkloadName {
    type Value = String;

    fn parse_ref(
        &self,
        command: &clap::Command,
        argument: Option<&clap::Arg>,
        value: &OsStr,
    ) -> Result<String, clap::Error> {
        StringValueParser::new().parse_ref(command, argument, value)
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(Box::new(tenbin_workloads::workloads().into_iter().map(|w| PossibleValue::new(w.name).help(w.about))))
    }
}
