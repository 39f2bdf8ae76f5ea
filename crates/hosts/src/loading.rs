//! Loading the rows of a data set on all load hosts, each a slice.
//!
//! The coordinator has created the tables, and does what follows after all rows. If one host fails or is lost, all are stopped: rows
//! that are missing would be noticed late, or never.

use crate::coordinator::{LoadHosts, of_host};
use crate::fleet::LOOK;
use crate::protocol::{Order, Report, SliceAssignment};
use std::time::Duration;
use tenbin_model::stop::StopSignal;
use tenbin_words::msg;
use tenbin_words::problem::Problem;

/// How long hosts that are stopped may take to report it: a server may have to roll back.
const LATE_END: Duration = Duration::from_secs(15);
/// How long a host may report no further row: a server that stands still for this long does not load any more.
const STANDSTILL: Duration = Duration::from_secs(1800);

/// How far a host has come.
#[derive(Debug, Clone, Copy, Default)]
struct SliceState {
    rows: u64,
    is_over: bool,
    /// When the last of its rows was reported.
    at_ns: u64,
}

impl LoadHosts {
    /// Fails if a host was lost.
    pub fn ready(&mut self) -> Result<(), Problem> {
        self.fleet.keep(Duration::ZERO);
        self.fleet.follow();
        self.fleet.any_lost()
    }

    /// Lets each host load a slice; returns how many rows all of them have inserted. `assign` creates the assignment of a slice, and
    /// `progress` is called with the rows of all. Whatever happens, no host is at work any more when it returns, unless `stop` was
    /// requested twice.
    pub fn load(
        &mut self,
        assign: &dyn Fn(u32) -> SliceAssignment,
        progress: &(dyn Fn(u64) + Sync),
        stop: &StopSignal,
    ) -> Result<u64, Problem> {
        self.ready()?;
        self.drives += 1;
        let number = self.drives;
        self.fleet.send_each(|host| Order::LoadSlice { drive: number, assignment: Box::new(assign(host as u32)) });
        let begun = SliceState { at_ns: self.fleet.now_ns(), ..SliceState::default() };
        let mut slices = vec![begun; self.fleet.hosts().len()];
        let (mut failed, mut stopped_ns): (Option<Problem>, Option<u64>) = (None, None);
        loop {
            if stop.asked() {
                failed.get_or_insert_with(|| Problem::new(msg!("stopped-while-loading")));
            }
            for (host, report) in self.fleet.hear(LOOK) {
                let slice = &mut slices[host];
                match report {
                    Report::Progress { drive, rows } if drive == number && rows > slice.rows => {
                        (slice.rows, slice.at_ns) = (rows, self.fleet.now_ns());
                    }
                    Report::Loaded { drive, rows } if drive == number => {
                        (slice.rows, slice.is_over) = (rows, true);
                    }
                    Report::Failed { drive, problem } if drive == number => {
                        slice.is_over = true;
                        failed.get_or_insert_with(|| of_host(problem, &self.fleet.hosts()[host].name));
                    }
                    // Of a drive that is over.
                    _ => {}
                }
            }
            for host in self.fleet.follow() {
                failed = failed.or_else(|| self.fleet.hosts()[host].lost.clone());
            }
            progress(rows_of(&slices));
            let now_ns = self.fleet.now_ns();
            for (host, slice) in slices.iter().enumerate() {
                if !slice.is_over && u128::from(now_ns.saturating_sub(slice.at_ns)) > STANDSTILL.as_nanos() {
                    self.fleet.give_up(host, msg!("host-does-not-load", minutes = STANDSTILL.as_secs() / 60));
                }
            }
            if failed.is_some() && stopped_ns.is_none() {
                stopped_ns = Some(now_ns);
                self.fleet.send_each(|_| Order::Abort { drive: number });
            }
            let hosts = self.fleet.hosts().iter().zip(&slices).enumerate();
            let at_work = hosts.filter(|(_, (host, slice))| host.lost.is_none() && !slice.is_over);
            let at_work: Vec<usize> = at_work.map(|(number, _)| number).collect();
            if at_work.is_empty() || stop.at_once() {
                break;
            }
            if stopped_ns.is_some_and(|at_ns| u128::from(now_ns - at_ns) > LATE_END.as_nanos()) {
                for host in at_work {
                    self.fleet.give_up(host, msg!("host-does-not-stop", seconds = LATE_END.as_secs()));
                }
            }
        }
        failed.map_or_else(|| Ok(rows_of(&slices)), Err)
    }
}

fn rows_of(slices: &[SliceState]) -> u64 {
    slices.iter().fold(0, |sum, slice| sum.saturating_add(slice.rows))
}
