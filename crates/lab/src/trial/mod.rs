//! One trial: preflight → restore → load → settle → warm up → measure → cool down → replicas catch up.
//!
//! [`mod@prepare`] brings server and data into the state that the trial needs, [`mod@drive`] has the clients at work, and [`mod@conclude`] waits
//! for what comes after them and says how it ended.

mod conclude;
pub mod drive;
pub mod prepare;

use crate::claims::Claims;
use crate::emitter::{EventEmitter, TrialError};
use crate::hooks::RunHooks;
use crate::inspect::BeforeLoad;
use crate::test_bed::{TestBed, TestBeds};
use drive::Driven;
use prepare::Prepared;
use tenbin_model::event::{ClientsBeside, EndState, Halts};
use tenbin_model::stop::StopSignal;
use tenbin_model::tally::PerClient;
use tenbin_model::trial::Trial;

/// How a trial ended.
pub struct End {
    pub state: EndState,
    pub measured_ns: (u64, u64),
    pub client_cpu_ns: u64,
    pub workers: u32,
    pub per_client: PerClient,
    pub halts: Halts,
    pub oldest_open_ns: Option<u64>,
    pub beside: ClientsBeside,
}

/// The end of a trial that never reached its measured window.
pub fn nothing_measured(state: EndState) -> End {
    End {
        state,
        measured_ns: (0, 0),
        client_cpu_ns: 0,
        workers: 0,
        per_client: PerClient::default(),
        halts: Halts::default(),
        oldest_open_ns: None,
        beside: ClientsBeside::default(),
    }
}

pub fn run(
    trial: &Trial,
    test_beds: &mut TestBeds<'_>,
    (claims, hooks, hung): (&mut Claims, &RunHooks<'_>, &[&str]),
    emitter: &mut EventEmitter,
    stop: &StopSignal,
) -> Result<End, TrialError> {
    let Prepared::Ready { before, workers } = prepare::prepare(trial, test_beds, (claims, hooks, hung), emitter, stop)?
    else {
        return Ok(nothing_measured(EndState::Partial));
    };
    let test_bed = test_beds.current().map_err(TrialError::Trial)?;
    let driven = drive::drive(trial, workers, test_bed, emitter, stop);
    conclude(trial, (test_bed, before), driven, claims, emitter, stop)
}

/// Everything after the clients have ended. `before`: what the server said before them.
pub fn conclude(
    trial: &Trial,
    (test_bed, before): (&TestBed, Option<Box<BeforeLoad>>),
    driven: Driven,
    claims: &mut Claims,
    emitter: &mut EventEmitter,
    stop: &StopSignal,
) -> Result<End, TrialError> {
    let beside = driven.beside;
    let ended = conclude::after_load(trial, test_bed, before, driven, emitter, stop)?;
    let end = conclude::conclude(trial, test_bed, ended, emitter, stop)?;
    let end = conclude::still_locked(end, trial, test_bed, claims, emitter)?;
    Ok(End { beside, ..end })
}
