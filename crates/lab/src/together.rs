//! Several drives at the same time: each has a thread that waits for its clients, and all report to the calling thread, which also
//! reads at the edges of each window how much processor time the clients of each drive have taken.

use crate::environment::{EndedBeside, TogetherListener, Work};
use std::sync::mpsc::{SyncSender, sync_channel};
use std::time::{Duration, Instant};
use tenbin_engine::{Drive, DriveControl, EngineEvent};
use tenbin_hosts::{HostEvent, HostsEnded};
use tenbin_model::event::{ClientsBeside, Phase};
use tenbin_model::stop::StopSignal;
use tenbin_servers::own_threads;
use tenbin_words::msg;
use tenbin_words::problem::Problem;

/// From the moment at which all clients are connected to their common start: all threads have been woken by then.
const NOTICE: Duration = Duration::from_millis(50);

/// The answer of the listener to an event, for which the drive waits.
type Answer = SyncSender<Result<(), Problem>>;
/// What a drive reports; nothing at its end.
type Report = (usize, Option<(EngineEvent, Answer)>);

/// Drives all of them, from a common start on.
pub fn drive(works: &[Work<'_>], stop: &StopSignal, listener: TogetherListener<'_>) -> Vec<EndedBeside> {
    // Each drive waits for its answer, so that there is never more than one report of it.
    let (reports, received) = sync_channel::<Report>(works.len().max(1));
    let mut times = ThreadTimes::of(works.len());
    let ended: Vec<Result<HostsEnded, Problem>> = std::thread::scope(|scope| {
        let of_work = |(place, work): (usize, &Work<'_>)| {
            let control = DriveControl { number: Some(number(place)), ..work.drive.control.clone() };
            let drive = Drive { control, ..work.drive.clone() };
            let (workload, reports) = (work.workload.clone(), reports.clone());
            scope.spawn(move || {
                let mut report = |event| reported(place, event, &reports);
                let ended = tenbin_engine::drive(&drive, &workload, stop, &mut report);
                let _ = reports.send((place, None));
                ended.map(|ended| HostsEnded { ended, parts: Vec::new() })
            })
        };
        let threads: Vec<_> = works.iter().enumerate().map(of_work).collect();
        drop(reports);
        let (mut waiting, mut ended): (Vec<Answer>, usize) = (Vec::new(), 0);
        while let Ok((place, report)) = received.recv() {
            match report {
                None => ended += 1,
                Some((event, answer)) => {
                    times.take(place, &event);
                    let is_connected = matches!(event, EngineEvent::Connected);
                    match listener(place, HostEvent::Together(event)) {
                        Ok(()) if is_connected => waiting.push(answer),
                        heard => _ = answer.send(heard),
                    }
                }
            }
            if !waiting.is_empty() && waiting.len() + ended >= works.len() {
                let start = Instant::now() + NOTICE;
                works.iter().for_each(|work| _ = work.drive.control.start.set(start));
                waiting.drain(..).for_each(|answer| _ = answer.send(Ok(())));
            }
        }
        threads.into_iter().map(|thread| thread.join().unwrap_or_else(|_| Err(gone()))).collect()
    });
    times.shared_out(ended)
}

/// Hands an event over, and waits until it has been heard.
fn reported(place: usize, event: EngineEvent, reports: &SyncSender<Report>) -> Result<(), Problem> {
    let (answer, answered) = sync_channel(1);
    reports.send((place, Some((event, answer)))).map_err(|_| gone())?;
    answered.recv().unwrap_or_else(|_| Err(gone()))
}

fn gone() -> Problem {
    Problem::new(msg!("duet-thread-gone"))
}

/// The numbers of drives count from 1.
fn number(place: usize) -> u32 {
    place as u32 + 1
}

/// The processor time of the clients of all drives, nanoseconds, at the edges of the window of each.
struct ThreadTimes {
    names: Vec<String>,
    /// As they were read last: threads that have ended are not there any more.
    now: Vec<u64>,
    /// At the beginning of the window of each drive, and at its end.
    edges: Vec<[Vec<u64>; 2]>,
}

impl ThreadTimes {
    fn of(drives: usize) -> ThreadTimes {
        let none = vec![0; drives];
        ThreadTimes {
            names: (0..drives).map(|place| DriveControl::threads_of(number(place))).collect(),
            edges: vec![[none.clone(), none.clone()]; drives],
            now: none,
        }
    }

    fn take(&mut self, place: usize, event: &EngineEvent) {
        let EngineEvent::Phase { phase, .. } = event else { return };
        let edge = match phase {
            Phase::Measure => 0,
            Phase::CoolDown => 1,
            _ => return,
        };
        let read = own_threads::cpu_ns(&self.names);
        self.now.iter_mut().zip(read).for_each(|(now, read)| *now = read.max(*now));
        self.edges[place][edge].clone_from(&self.now);
    }

    /// The processor time of this process, which each drive has seen, without that of the clients of the others.
    fn shared_out(&self, ended: Vec<Result<HostsEnded, Problem>>) -> Vec<EndedBeside> {
        let workers: Vec<u32> = ended.iter().map(|one| one.as_ref().map_or(0, |all| all.ended.workers)).collect();
        let of_drive = |(place, ended): (usize, Result<HostsEnded, Problem>)| {
            let [from, to] = &self.edges[place];
            let others = || (0..workers.len()).filter(|other| *other != place);
            let cpu_ns = others().map(|other| to[other].saturating_sub(from[other])).sum();
            let beside = ClientsBeside { cpu_ns, workers: others().map(|other| workers[other]).sum() };
            let ended = ended.map(|mut all| {
                all.ended.client_cpu_ns = all.ended.client_cpu_ns.saturating_sub(cpu_ns);
                all
            });
            EndedBeside { ended, beside }
        };
        ended.into_iter().enumerate().map(of_drive).collect()
    }
}
