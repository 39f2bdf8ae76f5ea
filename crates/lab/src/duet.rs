//! A duet: the trials of a pair, driven at the same time, so that what disturbs the client, the network or the cloud disturbs all of
//! them. They are prepared one after another, their clients start together, and they are concluded one after another.

use crate::around_trial::{before_trial, begin, finish, worse};
use crate::claims::Claims;
use crate::emitter::{EventEmitter, TrialError, Voice, both};
use crate::environment::Work;
use crate::hooks::RunHooks;
use crate::inspect::BeforeLoad;
use crate::test_bed::{TestBed, TestBeds};
use crate::trial::drive::{self, ClientsAtWork, Driven};
use crate::trial::prepare::{Prepared, prepare};
use crate::trial::{self, End};
use tenbin_engine::Drive;
use tenbin_model::event::{EndState, Severity};
use tenbin_model::stop::StopSignal;
use tenbin_model::trial::{Trial, Workers};
use tenbin_words::message::{Message, foreign};
use tenbin_words::msg;
use tenbin_words::problem::Problem;

/// One of the trials.
struct Member<'t> {
    trial: &'t Trial,
    /// What the emitter knows of it while another one speaks.
    voice: Voice,
    /// What its clients need; or why they do not start, which is nothing if a stop was asked for.
    ready: Result<Ready, Option<TrialError>>,
}

/// A trial whose clients may start.
struct Ready {
    test_bed: TestBed,
    workers: Workers,
    /// What its server said before the load.
    before: Option<Box<BeforeLoad>>,
}

/// Runs them; fails only if the run cannot go on.
pub fn run(
    together: &[Trial],
    hooks: &mut RunHooks<'_>,
    test_beds: &mut TestBeds<'_>,
    (claims, hung): (&mut Claims, &mut Vec<&'static str>),
    emitter: &mut EventEmitter,
    stop: &StopSignal,
) -> Result<EndState, TrialError> {
    let mut members: Vec<Member<'_>> = Vec::new();
    for trial in together {
        let alone = alone(&members, together.len());
        let (begun, prepared) = match begin(trial, emitter) {
            Ok(()) => (Some(trial), member(trial, alone, hooks, test_beds, (claims, hung), emitter, stop)),
            Err(lost) => (None, Err(lost)),
        };
        match prepared {
            Ok(member) => members.push(member),
            Err(lost) => {
                // The commands of the user after the trials that have begun are run in any case.
                let this = begun.map(|trial| (trial, Voice::default()));
                let (TrialError::Trial(why) | TrialError::Listener(why)) = &lost;
                let why = Problem::new(why.what.clone());
                let mut ended = Err(lost);
                let before = members.into_iter().map(|member| (member.trial, member.voice));
                for (trial, mut voice) in this.into_iter().chain(before) {
                    if emitter.trial != trial.number {
                        emitter.exchange(&mut voice);
                    }
                    let lost = Err(TrialError::Listener(why.clone()));
                    let of_trial = finish(trial, lost, (hooks, hung), test_beds, emitter, stop);
                    ended = both(ended, of_trial.map(drop));
                }
                return ended;
            }
        }
    }
    if let Some(alone) = alone(&members, together.len()) {
        for member in members.iter_mut().filter(|member| member.ready.is_ok()) {
            member.ready = Err(Some(TrialError::Trial(alone.clone())));
        }
    }
    let driven = driven(&mut members, emitter, stop);
    let without = without(&members, &driven).filter(|_| !stop.asked());
    let mut worst = Ok(EndState::Complete);
    // Those that failed first: that a server has ended is reported with the trial that is concluded next.
    let mut all: Vec<(Member<'_>, Option<Driven>)> = members.into_iter().zip(driven).collect();
    all.sort_by_key(|(_, driven)| is_whole(driven.as_ref()));
    for (mut member, driven) in all {
        emitter.exchange(&mut member.voice);
        let ended = concluded(member.trial, member.ready, (driven, without.as_ref()), claims, emitter, stop);
        worst = match (worst, finish(member.trial, ended, (hooks, hung), test_beds, emitter, stop)) {
            (Ok(worst), Ok(state)) => Ok(worse(worst, state)),
            (worst, finished) => both(worst, finished.map(drop)),
        };
    }
    worst
}

/// Why none of these trials is driven, if of `all` only one could be: a target by itself is not what was asked for.
fn alone(members: &[Member<'_>], all: usize) -> Option<Problem> {
    let mut failed = members.iter().filter(|member| matches!(member.ready, Err(Some(_))));
    let first = failed.next()?;
    (all - 1 - failed.count() < 2).then(|| {
        let target = &first.trial.target.name;
        Problem::new(msg!("duet-not-driven", target)).hint(msg!("duet-not-driven-hint"))
    })
}

/// Everything before the clients of a trial that has begun start. `refused`: why they do not.
fn member<'t>(
    trial: &'t Trial,
    refused: Option<Problem>,
    hooks: &mut RunHooks<'_>,
    test_beds: &mut TestBeds<'_>,
    (claims, hung): (&mut Claims, &[&'static str]),
    emitter: &mut EventEmitter,
    stop: &StopSignal,
) -> Result<Member<'t>, TrialError> {
    let prepared = match refused {
        Some(refused) => Err(TrialError::Trial(refused)),
        None => before_trial(trial, hooks, test_beds, emitter, stop)
            .and_then(|()| prepare(trial, test_beds, (claims, hooks, hung), emitter, stop)),
    };
    let done = prepared.and_then(|prepared| match prepared {
        Prepared::Stopped => Ok(None),
        Prepared::Ready { before, workers } => {
            let test_bed = test_beds.take_current().map_err(TrialError::Trial)?;
            Ok(Some(Ready { test_bed, workers, before }))
        }
    });
    let ready = match done {
        Ok(ready) => ready.ok_or(None),
        Err(TrialError::Listener(problem)) => return Err(TrialError::Listener(problem)),
        Err(refused) => Err(Some(refused)),
    };
    let mut voice = Voice::default();
    emitter.exchange(&mut voice);
    Ok(Member { trial, voice, ready })
}

/// Drives those whose clients may start, all at the same time; `None` of the others.
fn driven(members: &mut [Member<'_>], emitter: &mut EventEmitter, stop: &StopSignal) -> Vec<Option<Driven>> {
    let mut voices: Vec<Voice> = members.iter_mut().map(|member| std::mem::take(&mut member.voice)).collect();
    let of_member = |(place, member): (usize, &Member<'_>)| {
        let ready = member.ready.as_ref().ok()?;
        Some((place, drive::of_trial(member.trial, ready.workers, &ready.test_bed, emitter)))
    };
    let drives: Vec<(usize, Drive)> = members.iter().enumerate().filter_map(of_member).collect();
    let mut clients: Vec<ClientsAtWork<'_>> =
        drives.iter().map(|(place, drive)| ClientsAtWork::of(members[*place].trial, &drive.control)).collect();
    for ((place, _), clients) in drives.iter().zip(&clients) {
        emitter.exchange(&mut voices[*place]);
        clients.begin(emitter);
        emitter.exchange(&mut voices[*place]);
    }
    let works: Vec<Work<'_>> = drives
        .iter()
        .filter_map(|(place, drive)| {
            let member = &members[*place];
            Some(drive::work(member.trial, &member.ready.as_ref().ok()?.test_bed, drive))
        })
        .collect();
    let environment = emitter.environment;
    let ended = environment.drive_together(&works, stop, &mut |number, event| {
        let voice = &mut voices[drives[number].0];
        emitter.exchange(voice);
        let heard = clients[number].hear(event, emitter);
        emitter.exchange(voice);
        heard
    });
    let mut all: Vec<Option<Driven>> = voices.iter().map(|_| None).collect();
    for (((place, _), clients), ended) in drives.iter().zip(clients).zip(ended) {
        all[*place] = Some(clients.ended(ended.ended, ended.beside));
    }
    members.iter_mut().zip(voices).for_each(|(member, voice)| member.voice = voice);
    all
}

/// Whether a trial was driven to its end.
fn is_whole(driven: Option<&Driven>) -> bool {
    driven.is_some_and(Driven::is_whole)
}

/// The note of those that were driven to the end while others were not, or not at all: the conditions were not those of the plan.
fn without(members: &[Member<'_>], driven: &[Option<Driven>]) -> Option<Problem> {
    let all = || members.iter().zip(driven);
    let missing: Vec<_> = all()
        .filter(|(_, driven)| !is_whole(driven.as_ref()))
        .map(|(member, _)| foreign(&member.trial.target.name))
        .collect();
    let present = all().count() - missing.len();
    let targets = Message::list(missing.iter().cloned());
    (!missing.is_empty()).then(|| match present {
        0 | 1 => Problem::new(msg!("duet-driven-alone", targets)).hint(msg!("duet-driven-alone-hint")),
        _ => Problem::new(msg!("duet-driven-without", targets)).hint(msg!("duet-driven-alone-hint")),
    })
}

/// Everything after the clients of a trial have ended.
fn concluded(
    trial: &Trial,
    ready: Result<Ready, Option<TrialError>>,
    (driven, without): (Option<Driven>, Option<&Problem>),
    claims: &mut Claims,
    emitter: &mut EventEmitter,
    stop: &StopSignal,
) -> Result<End, TrialError> {
    let Ready { test_bed, before, .. } = match ready {
        Ok(ready) => ready,
        Err(Some(refused)) => return Err(refused),
        Err(None) => return Ok(trial::nothing_measured(EndState::Partial)),
    };
    let Some(driven) = driven else { return Ok(trial::nothing_measured(EndState::Partial)) };
    if let Some(without) = without.filter(|_| driven.is_whole()) {
        emitter.note(Severity::Warning, without.clone())?;
    }
    trial::conclude(trial, (&test_bed, before), driven, claims, emitter, stop)
}
