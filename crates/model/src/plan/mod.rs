//! Plan files: TOML in, trials out.
//!
//! [`Plan::parse`] resolves a plan completely, or reports all mistakes at once,
//! each with its line, the nearest valid key and a hint. A [`Reading`] is a plan as far as it can be
//! understood, to which checks of workloads and their options can add mistakes. [`expand()`] puts the
//! trials in their order and [`outline()`] computes their number and duration. All keys are listed in
//! [`keys`]. The known workloads are passed in as a [`Catalog`].

mod compare;
mod duet;
mod expand;
mod experiment;
mod gate;
mod group;
mod hosts;
mod instead;
pub mod keys;
mod matrix;
mod meant;
pub mod names;
mod of_target;
mod one_trial;
mod outline;
mod path;
mod range;
mod reading;
mod refutes;
mod scale;
mod sections;
mod settings;
mod source;
mod spelling;
mod tables;
mod target;
mod value;
mod variable_line;
mod written;

pub use expand::{expand, expand_times};
pub use gate::{gate_limits, regression_limits};
pub use matrix::MOST_TRIALS;
pub use one_trial::{TrialPlan, again_with, quoted};
pub use outline::{Outline, driven_ms, outline};
pub use reading::{PathsOf, Reading};
pub use refutes::tested_limit;
pub use scale::{PlanScale, reduced_memory};
pub use settings::Order;
pub use source::Part;
pub use variable_line::line_of_variable;

use crate::compared_axis::ComparedAxis;
use crate::dsn::Password;
use crate::gate_limits::GateLimits;
use crate::load_host::LoadHostsSpec;
use crate::precision::RepeatsUntil;
use crate::search::Search;
use crate::tested_limit::TestedLimit;
use crate::trial::Target;
use crate::workload::Catalog;
use keys::{Setter, Table};
use sections::PlanContext;
use settings::LoadSpec;
use source::{Diagnostic, Diagnostics};
use std::collections::BTreeMap;
use tenbin_words::msg;
use tenbin_words::problem::Problem;
use toml::Spanned;
use toml::de::DeValue;

/// A plan in which everything is spec.
#[derive(Debug, Clone)]
pub struct Plan {
    /// The name of the run.
    pub name: String,
    /// All randomness comes from it.
    pub seed: u64,
    /// The language of the page, `en` or `ja`; `None`: the environment's.
    pub lang: Option<String>,
    /// The plan as given, with passwords redacted: it may be stored and shown.
    pub text: String,
    /// Passwords from addresses, by target; the addresses no longer contain them.
    pub passwords: BTreeMap<String, Password>,
    /// What is run, in order.
    pub experiments: Vec<Experiment>,
    /// Notes on what is valid but questionable.
    pub notes: Vec<Problem>,
    /// The limits of `tenbin gate` for its runs.
    pub gate: GateLimits,
    /// The limit that its run puts to the test.
    pub refutes: Option<TestedLimit>,
    /// The load hosts that drive its trials together; `None`: this process does.
    pub hosts: Option<LoadHostsSpec>,
    /// By what its data and time were multiplied, for a try-out.
    pub scale: Option<PlanScale>,
}

/// One `[[experiment]]`.
#[derive(Debug, Clone, PartialEq)]
pub struct Experiment {
    /// Its name.
    pub name: String,
    /// The targets, in the order in which the experiment names them.
    pub targets: Vec<Target>,
    /// The axis of the matrix along which it compares; `None`: it compares targets.
    pub compare: Option<ComparedAxis>,
    /// How repeats, cells and targets are interleaved.
    pub order: Order,
    /// How often each cell is run on each target.
    pub repeats: u32,
    /// What ends the repeats before the last; `None`: they are counted.
    pub repeats_until: Option<RepeatsUntil>,
    /// The search for a limit in each cell.
    pub search: Option<Search>,
    cells: Vec<MatrixCell>,
}

/// One combination of an experiment's matrix.
#[derive(Debug, Clone, PartialEq)]
struct MatrixCell {
    /// Its values by field, in the plan's order.
    axes: Vec<(String, String)>,
    /// Cells with equal values here share data.
    data: Vec<usize>,
    /// Cells with equal values here share servers.
    servers: Vec<usize>,
    spec: LoadSpec,
}

impl Plan {
    /// Reads a plan that may name the workloads of `catalog`. Returns all problems, in the order of the text and
    /// without passwords.
    pub fn parse(text: &str, catalog: &Catalog) -> Result<Plan, Vec<Problem>> {
        Reading::of(text, catalog).finish()
    }
}

/// Passwords shorter than this (in bytes) are not searched for in the whole text, because they may be parts of ordinary
/// words.
const SHORTEST_SOUGHT: usize = 6;

/// Reads the sections in the order of their dependencies, whatever their order in the text.
fn read_sections(
    text: &str,
    document: Spanned<DeValue<'_>>,
    catalog: &Catalog,
    scale: Option<PlanScale>,
    complaints: &mut Diagnostics<'_>,
) -> Plan {
    let mut plan = Plan {
        name: String::new(),
        seed: 1,
        lang: None,
        text: crate::dsn::redact(text),
        passwords: BTreeMap::new(),
        experiments: Vec::new(),
        notes: Vec::new(),
        gate: GateLimits::default(),
        refutes: None,
        hosts: None,
        scale,
    };
    let mut sections = BTreeMap::new();
    sections::each(Table::Top, &document, complaints, |key, _, value, complaints| {
        let Some(key) = key else { return };
        let outcome = match key.set {
            Setter::Plan(set) => set(&mut plan, key.name, value),
            _ => {
                sections.insert(key.name, value);
                return;
            }
        };
        if let Err(refusal) = outcome {
            complaints.add(value.span(), refusal);
        }
    });
    let has = |name: &str| document.get_ref().get(name).is_some();
    if !has("schema") {
        complaints.missing(0..0, Diagnostic::new(msg!("plan-schema-missing"), msg!("begin-with-schema")));
    }

    let mut known = PlanContext::new(catalog, scale);
    if let Some(value) = sections.get("defaults") {
        sections::defaults(value, Table::Defaults, &mut known, complaints);
    }
    if let Some(value) = sections.get("metrics") {
        sections::defaults(value, Table::Metrics, &mut known, complaints);
    }
    match sections.get("targets") {
        Some(value) => target::targets(value, &mut known, complaints),
        None => {
            let hint = msg!("add-a-target");
            complaints.missing(0..0, Diagnostic::new(msg!("plan-has-no-targets"), hint));
        }
    }
    if let Some(value) = sections.get("datasets") {
        sections::datasets(value, &mut known, complaints);
    }
    match sections.get("experiment") {
        Some(value) => plan.experiments = experiment::experiments(value, &known, complaints),
        None => {
            let hint = msg!("add-experiment-with-load");
            complaints.missing(0..0, Diagnostic::new(msg!("plan-has-no-experiment"), hint));
        }
    }
    if let Some(value) = sections.get("gate") {
        plan.gate = gate::gate(value, &plan.experiments, complaints);
    }
    if let Some(value) = sections.get("refutes") {
        refutes::refutes(value, &mut plan.refutes, complaints);
    }
    if let Some(value) = sections.get("hosts") {
        hosts::hosts(value, &mut plan, complaints);
    }
    plan.passwords = known.passwords;
    // However they are written: with TOML escapes, or over several lines.
    for password in plan.passwords.values().map(Password::reveal).filter(|p| p.len() >= SHORTEST_SOUGHT) {
        plan.text = plan.text.replace(password, "…");
    }
    if plan.name.is_empty() {
        plan.name = plan.experiments.first().map_or_else(|| "plan".into(), run_name);
    }
    if let Some(scale) = scale {
        // The run directory shows it too.
        plan.name = format!("{}-scale-{scale}", plan.name);
    }
    plan
}

/// The most workloads in the name of a run.
const MOST_NAMED: usize = 3;

/// The name of a run: that of its first experiment; of one that is called by its workload, and has several, these.
fn run_name(first: &Experiment) -> String {
    let mut workloads: Vec<&str> = Vec::new();
    for cell in &first.cells {
        let workload = cell.spec.load.workload.as_str();
        if !workloads.contains(&workload) {
            workloads.push(workload);
        }
    }
    if workloads.len() < 2 || workloads[0] != first.name {
        return first.name.clone();
    }
    let more = workloads.len().saturating_sub(MOST_NAMED);
    workloads.truncate(MOST_NAMED);
    let named = workloads.join("+");
    if more > 0 { format!("{named}+{more}") } else { named }
}
