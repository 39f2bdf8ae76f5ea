//! What `order = "duet"` needs: targets that do not share a machine, driven by this process for the same time.

use super::MatrixCell;
use super::source::Diagnostic;
use crate::dsn::Dsn;
use crate::trial::{Allow, HostAccess, Target};
use crate::workload::{Catalog, Ends};
use tenbin_words::message::Message;
use tenbin_words::msg;

/// The machine of this process.
const HERE: &str = "localhost";

/// Why these targets cannot be driven at the same time; `None`: they can.
pub fn refusal(
    targets: &[Target],
    cells: &[MatrixCell],
    searches_or_compares: bool,
    catalog: &Catalog,
) -> Option<Diagnostic> {
    let is_ended = |cell: &MatrixCell| {
        let spec = &cell.spec;
        let by_what_is_seen = spec.warmup_until.is_some() || spec.measure_until.is_some();
        by_what_is_seen || spec.load.operations.is_some() || ends_by_itself(cell, catalog)
    };
    let refused = |what: Message| Some(Diagnostic::new(what, msg!("duet-use-blocks")));
    if targets.len() < 2 {
        refused(msg!("duet-needs-targets"))
    } else if searches_or_compares {
        refused(msg!("duet-compares-targets"))
    } else if cells.iter().any(is_ended) {
        refused(msg!("duet-needs-equal-times"))
    } else if targets.iter().any(|target| target.client.is_some()) {
        Some(with_hosts())
    } else {
        pairs(targets).find_map(|(a, b)| same_server(a, b)).or_else(|| shared_machine(targets))
    }
}

/// The clients of all targets are driven by one process, which sees the same disturbances.
pub fn with_hosts() -> Diagnostic {
    Diagnostic::new(msg!("duet-with-hosts"), msg!("duet-use-blocks"))
}

fn pairs(targets: &[Target]) -> impl Iterator<Item = (&Target, &Target)> {
    targets.iter().enumerate().flat_map(|(at, b)| targets[..at].iter().map(move |a| (a, b)))
}

/// Whether the clients of a cell end by themselves, on each target at another time.
fn ends_by_itself(cell: &MatrixCell, catalog: &Catalog) -> bool {
    let load = &cell.spec.load;
    match catalog.find(&load.workload).map(|workload| workload.ends) {
        None | Some(Ends::Never) => false,
        Some(Ends::Always) => true,
        Some(Ends::With(counts)) => counts.names().any(|name| load.options.contains_key(name)),
    }
}

/// Trials on one server would use each other's tables, variables and memory, whatever is permitted.
fn same_server(a: &Target, b: &Target) -> Option<Diagnostic> {
    let of = |target: &Target| {
        let dsn = Dsn::parse(target.dsn.as_deref()?).ok()?;
        let kind = dsn.scheme.kind();
        let database = if kind.is_server { String::new() } else { dsn.database.clone() };
        let socket = dsn.options.get("socket").cloned();
        let port = dsn.port.or(kind.port);
        (kind.is_server || kind.is_file).then(|| (dsn.host.to_lowercase(), port, socket, database))
    };
    (of(a)? == of(b)?).then(|| {
        let what = msg!("duet-same-server", a = a.name, b = b.name);
        Diagnostic::new(what, msg!("duet-use-blocks"))
    })
}

/// Targets on one machine, or on that of the clients, disturb one another, unless that is permitted for all of them.
fn shared_machine(targets: &[Target]) -> Option<Diagnostic> {
    let is_permitted = |target: &Target| target.allow.contains(&Allow::SharedMachine);
    let refused = |what: Message| Some(Diagnostic::new(what, msg!("duet-allow-shared-machine")));
    for (a, b) in pairs(targets).filter(|(a, b)| !is_permitted(a) || !is_permitted(b)) {
        let of_a = machines(a);
        if let Some(machine) = machines(b).into_iter().find(|machine| of_a.contains(machine)) {
            return refused(msg!("duet-shared-machine", a = a.name, b = b.name, machine));
        }
    }
    let beside_clients =
        targets.iter().find(|target| !is_permitted(target) && machines(target).iter().any(|machine| machine == HERE));
    beside_clients.and_then(|target| refused(msg!("duet-beside-clients", target = target.name)))
}

/// The names of the machine of a target, as far as the plan says them. A private server and a local address are on this one, unless
/// its machine is looked at over ssh: then the address may be that of a tunnel.
fn machines(target: &Target) -> Vec<String> {
    // A try-out has a private server in the place of an address.
    let address = target.stands_for.as_ref().or(target.dsn.as_ref()).and_then(|dsn| Dsn::parse(dsn).ok());
    let of_address = address.filter(|dsn| !dsn.is_local()).map(|dsn| dsn.host.to_lowercase());
    let of_ssh = match &target.host {
        Some(HostAccess::Ssh(access)) => {
            let (place, _) = access.parts();
            Some(place.rsplit('@').next().unwrap_or(place).to_lowercase())
        }
        Some(HostAccess::Local) => Some(HERE.to_owned()),
        Some(HostAccess::None) | None => None,
    };
    let known: Vec<String> = of_address.into_iter().chain(of_ssh).collect();
    if known.is_empty() { vec![HERE.to_owned()] } else { known }
}
