//! The settings of one experiment: defaults first, then its own keys, then those of a cell of the matrix.
//!
//! Each key has its setter beside it, in `keys`; `path.rs` finds it. [`Settings::resolve`] resolves everything.

use super::source::Diagnostic;
use super::value::{self, Value};
use crate::dsn::Scheme;
use crate::precision::{MeasureUntil, RepeatsUntil};
use crate::search::{Search, Varied};
use crate::trial::{Arrivals, ClientGroup, Load, Overload, Restore, Schedule, SettleLimits, TrialDataset};
use crate::warmup::{LEAST_INTERVALS, WarmupUntil};
use crate::workload::{Catalog, Ends, NO_DATA, SCRIPT_DATA, WorkloadInfo, is_script};
use std::collections::{BTreeMap, BTreeSet};
use tenbin_words::msg;
use tenbin_words::units;

/// How repeats, cells and targets are interleaved.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Order {
    /// Each repeat is a block with all cells in random order; the targets of a cell follow one another.
    RandomBlock,
    /// Cell by cell, with alternating order of targets: A B, B A, ….
    Abba,
    /// Target by target, cell by cell, repeat by repeat.
    Sequential,
    /// As in random blocks, but the targets of a cell at the same time.
    Duet,
}

/// What the trials of a cell have in common. Its defaults are those of a plan, unless they depend on other keys ([`Settings`]).
#[derive(Debug, Clone, PartialEq)]
pub struct LoadSpec {
    pub dataset: TrialDataset,
    pub load: Load,
    pub restore: Restore,
    pub settle_ms: u64,
    pub settle_until: Option<SettleLimits>,
    pub catch_up_ms: u64,
    pub warmup_ms: u64,
    pub warmup_until: Option<WarmupUntil>,
    pub measure_ms: u64,
    pub measure_until: Option<MeasureUntil>,
    pub interval_ms: u64,
    pub server: BTreeMap<String, String>,
    /// The same of single targets, which take precedence.
    pub target_server: BTreeMap<String, BTreeMap<String, String>>,
}

impl Default for LoadSpec {
    fn default() -> Self {
        LoadSpec {
            dataset: TrialDataset { name: NO_DATA.into(), kind: NO_DATA.into(), options: BTreeMap::new(), streams: 1 },
            load: Load::default(),
            restore: Restore::BeforeRun,
            settle_ms: 0,
            settle_until: None,
            catch_up_ms: 600_000,
            warmup_ms: 30_000,
            warmup_until: None,
            measure_ms: 300_000,
            measure_until: None,
            interval_ms: 1000,
            server: BTreeMap::new(),
            target_server: BTreeMap::new(),
        }
    }
}

/// The settings so far: those that are what they were given as, and those that depend on other keys and are resolved together.
#[derive(Debug, Clone)]
pub struct Settings {
    /// As far as it depends on nothing else.
    pub spec: LoadSpec,
    pub repeats: u32,
    pub repeats_until: Option<RepeatsUntil>,
    /// A search for a limit; its cell is decided when the plan is expanded.
    pub search: Option<Search>,
    pub order: Order,
    /// The name of the data set; `None`: the only one.
    pub dataset: Option<String>,
    /// Options of the data set that the matrix overrides.
    pub dataset_options: BTreeMap<String, String>,
    pub streams: Option<u32>,
    pub warmup_ms: Option<u64>,
    pub max_cell_ms: Option<u64>,
    pub restore: Option<Restore>,
    pub workload: Option<String>,
    pub rate: f64,
    pub arrivals: Arrivals,
    pub overload: Waiting,
    pub overload_limit: u64,
    pub operations_per_client: Option<u64>,
    /// Groups of clients with scripts and rates of their own.
    pub groups: Vec<GroupSpec>,
    /// Keys with an invalid value: no conclusions are drawn from their current values.
    pub refused: BTreeSet<&'static str>,
}

#[derive(Debug, Clone, Copy)]
pub enum Waiting {
    Queue,
    Skip,
    Stop,
}

impl Default for Settings {
    fn default() -> Self {
        Settings {
            spec: LoadSpec::default(),
            repeats: 3,
            repeats_until: None,
            search: None,
            order: Order::RandomBlock,
            dataset: None,
            dataset_options: BTreeMap::new(),
            streams: None,
            warmup_ms: None,
            max_cell_ms: None,
            restore: None,
            workload: None,
            rate: 0.0,
            arrivals: Arrivals::Poisson,
            overload: Waiting::Queue,
            overload_limit: 100_000,
            operations_per_client: None,
            groups: Vec::new(),
            refused: BTreeSet::new(),
        }
    }
}

/// A group as the plan describes it.
#[derive(Debug, Clone, PartialEq)]
pub struct GroupSpec {
    pub name: String,
    /// As the option `scripts` of a load.
    pub scripts: String,
    pub clients: u32,
    pub rate: f64,
}

impl Default for GroupSpec {
    fn default() -> Self {
        GroupSpec { name: String::new(), scripts: String::new(), clients: 1, rate: 0.0 }
    }
}

/// A data set as described by the plan.
#[derive(Debug, Clone, PartialEq)]
pub struct DatasetSpec {
    pub kind: String,
    pub options: BTreeMap<String, String>,
    pub streams: Option<u32>,
}

impl DatasetSpec {
    /// A data set of this kind with defaults.
    pub fn of_kind(kind: &str) -> Self {
        DatasetSpec { kind: kind.to_owned(), options: BTreeMap::new(), streams: None }
    }
}

/// Names that values may refer to: data sets of the plan, and the known workloads.
#[derive(Debug, Clone, Copy)]
pub struct Names<'n> {
    pub datasets: &'n [&'n str],
    pub catalog: &'n Catalog,
}

/// Connections that load concurrently, if the plan does not say.
const STREAMS: u32 = 4;
/// The longest duration.
pub const LONGEST_MS: u64 = 31 * 86_400_000;
const MOST_INTERVALS: u64 = 1_000_000;

impl Settings {
    /// Resolves everything as far as possible, and returns contradictions. `None`: there is no
    /// workload. `datasets` are those of the plan, in its order.
    pub fn resolve(
        &self,
        datasets: &[(String, DatasetSpec)],
        catalog: &Catalog,
    ) -> (Option<LoadSpec>, Vec<Diagnostic>) {
        let mut wrong = Vec::new();
        let mut refuse = |about: &[&str], refusal: Diagnostic| {
            if about.iter().all(|key| !self.refused.contains(key)) {
                wrong.push(refusal);
            }
        };
        let workload = self.workload.clone().unwrap_or_default();
        if workload.is_empty() {
            let what = msg!("workload-missing");
            let hint = msg!("add-load");
            refuse(&["workload", "kind"], Diagnostic::new(what, hint));
        }
        let operations = match (self.spec.load.operations, self.operations_per_client) {
            (Some(total), Some(_)) => {
                let what = msg!("operations-given-twice");
                refuse(&[], Diagnostic::new(what, msg!("keep-one-you-mean")));
                Some(total)
            }
            (total, each) => total.or_else(|| each.map(|n| n * u64::from(self.spec.load.clients))),
        };
        let info = catalog.find(&workload);
        let mut options = self.spec.load.options.clone();
        let counts = info.and_then(|w| if let Ends::With(counts) = w.ends { Some(counts) } else { None });
        let counting =
            |options: &BTreeMap<_, _>| counts.is_some_and(|c| c.names().any(|name| options.contains_key(name)));
        // Clients with a fixed amount of work each count by themselves.
        let operations = match (operations, counts.filter(|_| !counting(&options))) {
            (Some(total), Some(counts)) => {
                let (name, n) = self.operations_per_client.map_or((counts.total, total), |n| (counts.per_client, n));
                options.insert(name.into(), n.to_string());
                None
            }
            (total, _) => total,
        };
        let leaving = info.is_some_and(|w| w.ends == Ends::Always);
        let warmup_ms = match (self.warmup_ms, counting(&options)) {
            (Some(ms), true) if ms > 0 => {
                let what = msg!("warmup-takes-clients-part");
                refuse(&["warmup"], Diagnostic::new(what, msg!("write-warmup-zero")));
                0
            }
            (_, true) => 0,
            (None, false) if leaving => 0,
            (ms, false) => ms.unwrap_or(self.spec.warmup_ms),
        };
        let warmup_until = self.spec.warmup_until.filter(|_| warmup_ms > 0);
        if let Some(refusal) = warmup_until.and_then(|until| self.too_few_to_judge(until, warmup_ms)) {
            refuse(&["warmup", "interval"], refusal);
        }
        // Without a duration, only the count ends the trial.
        let counted = operations.is_some() || counting(&options) || leaving;
        let measure_ms = match (self.spec.measure_ms, counted) {
            (0, true) if self.max_cell_ms.is_none() => LONGEST_MS,
            (_, true) if self.max_cell_ms.is_some() => self.max_cell_ms.unwrap_or(LONGEST_MS),
            (0, false) => {
                let of = ["measure", "operations", "operations_per_client"];
                refuse(
                    &of,
                    Diagnostic::new(msg!("measure-zero"), msg!("write-key", key = "measure", value = "\"60s\"")),
                );
                0
            }
            (ms, _) => ms.min(self.max_cell_ms.unwrap_or(ms)),
        };
        if !counted && measure_ms / self.spec.interval_ms > MOST_INTERVALS {
            let what = msg!(
                "too-many-intervals",
                measure = units::write_duration(measure_ms),
                interval = units::write_duration(self.spec.interval_ms)
            );
            refuse(&["measure", "interval"], Diagnostic::new(what, msg!("choose-longer-interval")));
        }
        let dataset = self.dataset(datasets, catalog, info).unwrap_or_else(|refusal| {
            refuse(&["dataset"], refusal);
            self.spec.dataset.clone()
        });
        if !self.groups.is_empty() && (is_script(&workload) || info.is_some_and(|w| !w.has_groups)) {
            let what = msg!("workload-without-groups", workload);
            refuse(&["workload"], Diagnostic::new(what, msg!("write-key", key = "workload", value = "\"sql\"")));
        }
        if workload.is_empty() {
            return (None, wrong);
        }
        // A script with the name of a workload does the same.
        let read_only = catalog.find(workload.trim_end_matches(".lua")).is_some_and(|w| w.reads_only);
        let mut spec = self.spec.clone();
        (spec.dataset, spec.measure_ms) = (dataset, measure_ms);
        spec.restore = self.restore.unwrap_or(if read_only { Restore::Never } else { spec.restore });
        (spec.warmup_ms, spec.warmup_until) = (warmup_ms, warmup_until);
        spec.measure_until = spec.measure_until.filter(|_| !counted);
        let load = &mut spec.load;
        load.paced = info
            .and_then(|w| w.paces_with)
            .is_some_and(|(name, value)| options.get(name).is_some_and(|text| text.eq_ignore_ascii_case(value)));
        (load.workload, load.options, load.operations) = (workload, options, operations);
        load.schedule = self.schedule(self.rate);
        self.group_clients(load);
        (Some(spec), wrong)
    }

    /// A warm-up whose intervals are too few to tell when it ends.
    fn too_few_to_judge(&self, until: WarmupUntil, max_ms: u64) -> Option<Diagnostic> {
        let interval = units::write_duration(self.spec.interval_ms);
        let enough_ms = self.spec.interval_ms.saturating_mul(LEAST_INTERVALS as u64);
        // Enough for both.
        let longer = WarmupUntil { min_ms: until.min_ms.max(enough_ms) };
        let setting = longer.written(max_ms.max(longer.min_ms.saturating_mul(10)));
        if until.min_ms < self.spec.interval_ms {
            let what = msg!("warmup-shorter-than-interval", min = units::write_duration(until.min_ms), interval);
            return Some(Diagnostic::new(what, msg!("doubt-warming-hint", setting)));
        }
        (max_ms < enough_ms).then(|| {
            let max = units::write_duration(max_ms);
            let what = msg!("warmup-too-few-intervals", max, interval, least = LEAST_INTERVALS);
            Diagnostic::new(what, msg!("doubt-warming-hint", setting))
        })
    }

    /// The clients of the groups, numbered through, and what the workload needs to know of them.
    fn group_clients(&self, load: &mut Load) {
        if self.groups.is_empty() {
            return;
        }
        let group = |group: &GroupSpec| {
            let (name, schedule) = (group.name.clone(), self.schedule(group.rate));
            ClientGroup { name, clients: group.clients, schedule }
        };
        let written = |group: &GroupSpec| format!("{}*{}: {}", group.name, group.clients, group.scripts);
        load.groups = self.groups.iter().map(group).collect();
        load.clients = load.groups.iter().fold(0, |sum, group| group.clients.saturating_add(sum));
        let written: Vec<String> = self.groups.iter().map(written).collect();
        load.options.insert("groups".to_owned(), written.join("; "));
        // Closed as long as one of them is: what a server completes then is not given.
        let rates: f64 = self.groups.iter().map(|group| group.rate).sum();
        let closed = self.groups.iter().any(|group| group.rate <= 0.0);
        load.schedule = self.schedule(if closed { 0.0 } else { rates });
    }

    fn schedule(&self, rate: f64) -> Schedule {
        let limit = self.overload_limit;
        let overload = match self.overload {
            Waiting::Queue => Overload::Queue { limit },
            Waiting::Skip => Overload::Skip,
            Waiting::Stop => Overload::Stop { limit },
        };
        let rate = rate.max(if self.varies_rate() { 1.0 } else { 0.0 });
        match rate > 0.0 {
            true => Schedule::Open { rate, arrivals: self.arrivals, overload },
            false => Schedule::Closed,
        }
    }

    /// Whether a search decides on the rate.
    fn varies_rate(&self) -> bool {
        self.search.as_ref().is_some_and(|search| search.vary == Varied::Rate)
    }

    /// The data set of a plan without one: that of the workload, with the options given in the load.
    fn implied(&self, catalog: &Catalog, info: Option<&WorkloadInfo>) -> (String, DatasetSpec) {
        // A script with the name of a workload does the same, on the same tables.
        let info = info.or_else(|| catalog.find(self.workload_name().trim_end_matches(".lua")));
        if info.is_none() && is_script(self.workload_name()) {
            return self.prepared_by_script();
        }
        let mut spec = DatasetSpec::of_kind(info.map_or(catalog.default_dataset, |w| w.dataset));
        if let Some(info) = info {
            let options = info
                .shared
                .iter()
                .filter_map(|name| Some(((*name).to_owned(), self.spec.load.options.get(*name)?.clone())));
            spec.options.extend(options);
            if info.table_per_client {
                spec.options.insert("tables".to_owned(), self.spec.load.clients.to_string());
            }
        }
        (spec.kind.clone(), spec)
    }

    fn workload_name(&self) -> &str {
        self.workload.as_deref().unwrap_or_default()
    }

    /// The data that the script of the load prepares itself, with all options of the load, because only the script knows which of
    /// them matter to its tables.
    fn prepared_by_script(&self) -> (String, DatasetSpec) {
        let mut spec = DatasetSpec::of_kind(SCRIPT_DATA);
        spec.options.clone_from(&self.spec.load.options);
        spec.options.insert("script".to_owned(), self.workload_name().to_owned());
        (SCRIPT_DATA.to_owned(), spec)
    }

    fn dataset(
        &self,
        datasets: &[(String, DatasetSpec)],
        catalog: &Catalog,
        info: Option<&WorkloadInfo>,
    ) -> Result<TrialDataset, Diagnostic> {
        let (name, mut spec) = match (&self.dataset, datasets) {
            (Some(name), all) => match all.iter().find(|(n, _)| n == name) {
                Some((name, spec)) => (name.clone(), spec.clone()),
                None if name == SCRIPT_DATA => self.prepared_by_script(),
                None => (NO_DATA.into(), DatasetSpec::of_kind(NO_DATA)),
            },
            (None, []) => self.implied(catalog, info),
            (None, [(name, spec)]) => (name.clone(), spec.clone()),
            (None, several) => {
                let names: Vec<_> = several.iter().map(|(n, _)| n.as_str()).collect();
                return Err(Diagnostic::new(
                    msg!("dataset-missing", names = names.join(", ")),
                    msg!("write-dataset", dataset = format_args!("{:?}", names[0])),
                ));
            }
        };
        spec.options.extend(self.dataset_options.clone());
        Ok(TrialDataset {
            name,
            kind: spec.kind,
            options: spec.options,
            streams: self.streams.or(spec.streams).unwrap_or(STREAMS),
        })
    }
}

/// A server variable's value; true and false as ON and OFF. Sizes are kept until the server is known.
pub fn server_value(name: &str, value: &Value<'_>) -> Result<String, Diagnostic> {
    let text = value::option(name, value)?;
    if let Some(flag) = value.get_ref().as_bool() {
        return Ok(if flag { "ON" } else { "OFF" }.into());
    }
    Ok(text)
}

/// A server variable's value for this family of server: sizes in bytes, except for PostgreSQL, which would take them
/// for pages.
pub fn for_server(scheme: Scheme, text: &str) -> String {
    let sized = ["KiB", "MiB", "GiB", "TiB"].iter().any(|unit| text.ends_with(unit));
    match (units::bytes(text), scheme) {
        (Ok(bytes), Scheme::Postgres) if sized && bytes % 1024 == 0 => format!("{}kB", bytes / 1024),
        (Ok(bytes), Scheme::Postgres) if sized => format!("{bytes}B"),
        (Ok(bytes), _) if sized => bytes.to_string(),
        _ => text.to_owned(),
    }
}
