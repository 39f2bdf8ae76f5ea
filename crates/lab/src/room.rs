//! Whether the data to be loaded fit on the disk.

use crate::data::DataAction;
use std::path::Path;
use tenbin_driver::Connector;
use tenbin_model::dsn::Scheme;
use tenbin_servers::disk::{self, Room};
use tenbin_servers::finding::{Finding, Level};
use tenbin_words::figure;
use tenbin_words::message::{Message, foreign};
use tenbin_words::msg;
use tenbin_words::problem::Problem;
use tenbin_workload::Dataset;

/// A disk, and how many bytes of the data set may exist there already; or why it is unknown.
pub type RoomLookup = Result<(Room, u64), Message>;

/// The disk on which a data set is stored. `pid` is the server's process if it is known.
pub fn of_data(dataset: &dyn Dataset, connector: &Connector, pid: Option<u32>) -> RoomLookup {
    match dataset.directory(connector) {
        None => disk::of_database(connector, pid),
        Some(directory) => {
            let room =
                disk::room(&directory).ok_or_else(|| msg!("cannot-be-looked-at", place = directory.display()))?;
            Ok((room, disk::bytes_of_files(&directory)))
        }
    }
}

/// Whether one data set of this many bytes fits.
pub fn enough(bytes: u64, step: DataAction, scheme: Scheme, lookup: &RoomLookup) -> Option<Finding> {
    match lookup {
        Ok((room, there)) => {
            let wanted = more(bytes, step, *there);
            Some(fits(wanted, with_logs(wanted, scheme), room.free, &room.place, foreign("")))
        }
        Err(why) => (bytes > 0).then(|| unknown(bytes, why)),
    }
}

/// A warning before a load: the disk does not have enough space, or may become full. `fresh`: none of the data
/// exist.
pub fn warning(dataset: &dyn Dataset, connector: &Connector, fresh: bool) -> Option<Problem> {
    let step = if fresh { DataAction::Load } else { DataAction::Replace };
    let finding = enough(dataset.bytes(), step, connector.dsn().scheme, &of_data(dataset, connector, None))?;
    matches!(finding.level, Level::Error | Level::Warning).then(|| finding.problem())
}

/// How much additional space a data set needs: data that are dropped first free their space.
pub fn more(bytes: u64, step: DataAction, there: u64) -> u64 {
    match step {
        DataAction::Use | DataAction::Command => 0,
        DataAction::Load => bytes,
        DataAction::Replace => bytes.saturating_sub(there),
    }
}

/// Including what servers write in addition while loading (binary log or write-ahead log, sorting for an index): half
/// as much again here, and up to the same amount if all of it is kept.
pub fn with_logs(bytes: u64, scheme: Scheme) -> u64 {
    match scheme {
        Scheme::Mysql | Scheme::Postgres => bytes.saturating_add(bytes / 2),
        Scheme::Sqlite | Scheme::Null | Scheme::Host => bytes,
    }
}

/// Whether this many bytes, and this many with logs, fit into the free space. `parts`: their composition.
pub fn fits(wanted: u64, with_logs: u64, free: u64, place: &Path, parts: Message) -> Finding {
    let amount = |n: u64| figure::bytes(n as f64);
    let (load, place, free_there) = (amount(wanted), place.display(), amount(free));
    let evidence = msg!("load-and-free", load, place, parts, free = free_there);
    if wanted > free {
        return Finding {
            level: Level::Error,
            title: msg!("no-room-for-load"),
            evidence: Some(evidence),
            hint: Some(msg!("make-data-smaller", room = amount(wanted - free))),
        };
    }
    if with_logs > free {
        return Finding {
            level: Level::Warning,
            title: msg!("disk-may-become-full"),
            evidence: Some(msg!("load-and-free-with-logs", load, place, parts, free = free_there)),
            hint: Some(foreign(format_args!("df -h {place}"))),
        };
    }
    Finding { level: Level::Ok, title: msg!("disk-has-room"), evidence: Some(evidence), hint: None }
}

/// The finding that it is unknown whether this many bytes fit.
pub fn unknown(bytes: u64, why: &Message) -> Finding {
    Finding {
        level: Level::Note,
        title: msg!("room-unknown"),
        evidence: Some(msg!("load-and-why", load = figure::bytes(bytes as f64), why)),
        hint: Some(msg!("df-on-server")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_figures_stand_in_what_is_told() {
        let directory = Path::new("/var/lib/mysql");
        let report = |wanted: u64, scheme, free| {
            let f = fits(wanted, with_logs(wanted, scheme), free, directory, foreign(""));
            format!(
                "{:?} {}\n  {}\n  {}",
                f.level,
                f.title.english(),
                f.evidence.unwrap_or_default().english(),
                f.hint.unwrap_or(foreign("-")).english()
            )
        };
        let all = [
            report(21 << 40, Scheme::Mysql, 60 << 30),
            report(50 << 30, Scheme::Postgres, 60 << 30),
            report(50 << 30, Scheme::Sqlite, 60 << 30),
            report(40 << 30, Scheme::Mysql, 60 << 30),
        ];
        insta::assert_snapshot!(all.join("\n"), @r"
        Error the disk has no room for what is to be loaded
          about 21 TiB to load into /var/lib/mysql; 60 GiB are free there
          make the data smaller (table_size, tables, warehouses), or free 20.9 TiB there
        Warning the disk may become full while the data are loaded
          about 50 GiB to load into /var/lib/mysql; 60 GiB are free there; logs and the sorting for indexes may take half as much again
          df -h /var/lib/mysql
        Ok the disk has room
          about 50 GiB to load into /var/lib/mysql; 60 GiB are free there
          -
        Ok the disk has room
          about 40 GiB to load into /var/lib/mysql; 60 GiB are free there
          -
        ");
    }

    #[test]
    fn what_is_there_already_needs_no_room() {
        let room = Room { place: "/d".into(), free: 10, file_system: 1 };
        let level =
            |bytes, step, there| enough(bytes, step, Scheme::Sqlite, &Ok((room.clone(), there))).map(|f| f.level);
        assert_eq!(level(11, DataAction::Load, 1), Some(Level::Error), "what is there stays");
        assert_eq!(level(11, DataAction::Replace, 1), Some(Level::Ok), "what is there is dropped");
        assert_eq!(level(10, DataAction::Load, 0), Some(Level::Ok));
        let unseen = Err(msg!("server-on-another-machine"));
        assert_eq!(enough(1, DataAction::Load, Scheme::Mysql, &unseen).map(|f| f.level), Some(Level::Note));
        assert_eq!(enough(0, DataAction::Load, Scheme::Mysql, &unseen), None, "nothing to load needs no room");
    }
}
