//! What a plan loads to each disk, and whether it has the room for it.

use super::trial_group::TrialGroup;
use crate::room;
use std::collections::BTreeMap;
use std::path::PathBuf;
use tenbin_driver::Connector;
use tenbin_model::trial::Target;
use tenbin_servers::disk::{self, Room};
use tenbin_servers::finding::{Finding, Level};
use tenbin_servers::{sandbox, sandbox_directory};
use tenbin_words::figure;
use tenbin_words::message::foreign;
use tenbin_words::msg;

/// Where the data of a private server will lie.
fn place_of_data(target: &Target) -> PathBuf {
    target.data_directory.as_ref().map_or_else(sandbox_directory::intended, PathBuf::from)
}

/// What is loaded to each disk, by all servers that exist at the same time: sandboxes keep running until the run ends.
#[derive(Default)]
pub(super) struct Disks {
    known: BTreeMap<u64, Filled>,
    unknown: Vec<Finding>,
}

struct Filled {
    room: Room,
    /// Whether the plan names the directory.
    is_named: bool,
    /// What private servers take before anything is loaded, bytes.
    servers: u64,
    /// Target, bytes, and bytes with logs.
    parts: Vec<(String, u64, u64)>,
}

impl Disks {
    pub(super) fn of_server(
        &mut self,
        target: &Target,
        groups: &[TrialGroup<'_>],
        connector: Option<&Connector>,
        offline: bool,
    ) {
        // Tables of the same kind have the same names: of several data sets only the largest counts.
        let mut most: BTreeMap<&str, (u64, &TrialGroup<'_>)> = BTreeMap::new();
        for group in groups {
            let Some(dataset) = group.dataset.as_deref().filter(|_| group.first_step().creates()) else {
                continue;
            };
            let largest = most.entry(&group.trials[0].dataset.kind).or_insert((0, group));
            if dataset.bytes() >= largest.0 {
                *largest = (dataset.bytes(), group);
            }
        }
        if target.sandbox.is_some() {
            self.take_server(target);
        }
        for (bytes, group) in most.into_values().filter(|(bytes, _)| *bytes > 0) {
            let scheme = target.scheme();
            let outcome = match (&target.sandbox, connector, group.dataset.as_deref()) {
                (Some(_), ..) => {
                    let directory = place_of_data(target);
                    let why = || msg!("cannot-be-looked-at", place = directory.display());
                    disk::room(&directory).map(|room| (room, 0)).ok_or_else(why)
                }
                (None, Some(connector), Some(dataset)) if !offline || scheme.kind().is_embedded => {
                    room::of_data(dataset, connector, None)
                }
                (None, Some(_), _) => Err(msg!("target-not-looked")),
                // The failure to connect has been reported.
                (None, None, _) => continue,
            };
            match outcome {
                Ok((room, there)) => {
                    let wanted = room::more(bytes, group.first_step(), there);
                    self.filled(target, room).parts.push((
                        target.name.clone(),
                        wanted,
                        room::with_logs(wanted, scheme),
                    ));
                }
                Err(why) => {
                    let unknown = room::unknown(bytes, &why);
                    let title = msg!("of-target", target = target.name, what = unknown.title);
                    self.unknown.push(Finding { title, ..unknown });
                }
            }
        }
    }

    /// A private server itself, with the data it has before anything is loaded.
    pub(super) fn take_server(&mut self, target: &Target) {
        let bytes = target.sandbox.as_ref().map_or(0, |binary| sandbox::own_bytes(binary, &target.server));
        let Some(room) = disk::room(&place_of_data(target)).filter(|_| bytes > 0) else { return };
        let filled = self.filled(target, room);
        filled.servers = filled.servers.saturating_add(bytes);
    }

    fn filled(&mut self, target: &Target, room: Room) -> &mut Filled {
        let is_named = target.data_directory.is_some();
        self.known.entry(room.file_system).or_insert(Filled { room, is_named, servers: 0, parts: Vec::new() })
    }

    pub(super) fn findings(self) -> Vec<Finding> {
        let known = self.known.into_values().filter_map(|Filled { room, is_named, servers, parts }| {
            if room.free < servers {
                return Some(Finding::of(Level::Error, sandbox::no_room_for(servers, &room, is_named)));
            }
            if parts.is_empty() {
                return None;
            }
            let room = Room { free: room.free - servers, ..room };
            let sum = |of: fn(&(String, u64, u64)) -> u64| parts.iter().map(of).fold(0, u64::saturating_add);
            let each = parts.iter().map(|(name, bytes, _)| format!("{name} {}", figure::bytes(*bytes as f64)));
            let each = if parts.len() > 1 {
                msg!("bytes-per-target", each = each.collect::<Vec<_>>().join(", "))
            } else {
                foreign("")
            };
            Some(room::fits(sum(|p| p.1), sum(|p| p.2), room.free, &room.place, each))
        });
        known.chain(self.unknown).collect()
    }
}
