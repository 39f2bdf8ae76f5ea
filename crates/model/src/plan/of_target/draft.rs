//! A target whose keys are being read.

use crate::dsn::Dsn;
use crate::exporter::{Exporter, ExporterUrl};
use crate::trial::{Apply, Replica, Target};
use std::ops::Range;

/// A target whose keys are being read.
pub struct TargetDraft {
    pub target: Target,
    /// The address, with its position.
    pub dsn: Option<(Dsn, Range<usize>)>,
    /// Options of the address that have keys of their own, with their positions.
    pub tls: Vec<(&'static str, String, Range<usize>)>,
    /// How server variables are set, with its position.
    pub apply: Option<(ApplyDraft, Range<usize>)>,
    pub replicas: Vec<ReplicaDraft>,
    /// Prometheus exporters, with their addresses and the positions of these.
    pub exporters: Vec<(Exporter, ExporterUrl, Range<usize>)>,
}

/// A replica whose keys were read.
pub struct ReplicaDraft {
    pub replica: Replica,
    /// The address, with its position.
    pub dsn: Option<(Dsn, Range<usize>)>,
    /// The position of its name.
    pub span: Range<usize>,
    /// Whether it is started as a private server.
    pub is_private: bool,
}

impl TargetDraft {
    /// A target of this name, of which nothing else is known.
    pub fn named(name: &str, place: u32) -> TargetDraft {
        let (tls, replicas, exporters) = (Vec::new(), Vec::new(), Vec::new());
        TargetDraft { target: Target::named(name, place), dsn: None, tls, apply: None, replicas, exporters }
    }
}

/// `apply` as it was written. What it needs of other keys is not known yet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ApplyDraft {
    /// By statements.
    Statements(Apply),
    /// By an option file and a command.
    Restart { file: Option<String>, restart: String },
    /// By the parameter group of the managed instance.
    ParameterGroup { timeout_ms: u64 },
}
