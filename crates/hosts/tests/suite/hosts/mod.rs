//! Load hosts that act as one client: in one process, with the real engine and the real protocol, and a workload that only waits.

#![expect(clippy::unwrap_used, reason = "a test may")]

mod fake;
mod loading;

use fake::{Fake, Threads, Told, VERSION, drive, said, start, trial, what};
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Write};
use std::os::unix::net::UnixStream;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};
use tenbin_hosts::launch::{HostProcess, Launcher, LocalProcesses, PlacedHost};
use tenbin_hosts::network::{Arrival, Arrived};
use tenbin_hosts::protocol::{Numbered, Order, PartEnded, Report, ServerAssignment};
use tenbin_hosts::{ExaminedHost, LEASE, LoadHosts, Network, Served};
use tenbin_model::load_host::IfLost;
use tenbin_model::stop::StopSignal;
use tenbin_model::tally::Tally;
use tenbin_model::trial::{Arrivals, Load, Overload, Schedule};
use tenbin_words::message::foreign;
use tenbin_words::problem::Problem;

fn load(clients: u32) -> Load {
    trial(clients).load
}

#[test]
fn hosts_act_as_one_client() {
    let launcher = Threads::default();
    let mut hosts = start(&launcher, 3, IfLost::Stop);
    // Two trials on the same hosts.
    for _ in 0..2 {
        let drive_this = what(load(7), 300, 1200, 300);
        let outcome = drive(&mut hosts, &launcher.fake, &drive_this, |_, _| {});
        let ended = outcome.ended();
        assert_eq!(outcome.cut_short(), "");
        assert_eq!(outcome.intervals.len(), 5, "one of warm-up, four of measure");
        assert!(outcome.intervals.windows(2).all(|pair| pair[0].1 == pair[1].0), "{:?}", outcome.intervals);
        assert!(outcome.intervals.iter().all(|interval| interval.2 == 7), "all clients: {:?}", outcome.intervals);
        assert_eq!(ended.ended.measured_to_ns - ended.ended.measured_from_ns, 1_200_000_000);
        let mut sum = Tally::default();
        outcome.parts.iter().for_each(|part| sum.merge(part));
        assert_eq!(sum, outcome.together, "the whole is the sum of the parts, bucket by bucket");
        assert_eq!(ended.parts.iter().map(|part| part.clients).collect::<Vec<_>>(), [3, 2, 2]);
        // Client n waits 5 + n ms: each has its own number.
        let done = &ended.ended.per_client.completed;
        assert!(done.iter().enumerate().all(|(n, done)| *done > 0 && *done <= 1200 / (5 + n as u64) + 1), "{done:?}");
        let least = &ended.ended.per_client.min_ns;
        assert!(least.iter().enumerate().all(|(n, ns)| *ns >= (5 + n as u64) * 1_000_000), "{least:?}");
        assert!(ended.parts.iter().all(|part| part.offset_error_ns > 0
            && part.lost.is_none()
            && part.machine == "this one"
            && part.cores == Some(3.0)));
        for host in 0..3 {
            for observer in ["client.host", "client.process"] {
                assert!(outcome.observers.contains(&(host, observer.to_owned())), "{:?}", outcome.observers);
            }
        }
    }
    drop(hosts);
    let served: Vec<Served> = launcher.served.lock().unwrap().drain(..).map(|host| host.join().unwrap()).collect();
    assert_eq!(served, [Served::Dismissed; 3]);
}

#[test]
fn the_rate_is_that_of_all_hosts_together() {
    let schedule =
        Schedule::Open { rate: 200.0, arrivals: Arrivals::Poisson, overload: Overload::Queue { limit: 1_000_000 } };
    let load = Load { schedule, ..load(40) };
    let counts = |hosts| {
        let launcher = Threads::default();
        let mut hosts = start(&launcher, hosts, IfLost::Stop);
        drive(&mut hosts, &launcher.fake, &what(load.clone(), 0, 1500, 500), |_, _| {}).together.accounting.scheduled
    };
    let one = counts(1);
    assert!((200..420).contains(&one), "{one}");
    assert_eq!(counts(4), one, "the same starts, dealt out");
}

#[test]
fn a_drive_ends_early_on_all_hosts_with_the_same_interval() {
    let launcher = Threads::default();
    let mut hosts = start(&launcher, 2, IfLost::Stop);
    let enough = what(load(4), 0, 60_000, 400);
    let control = enough.control.clone();
    let outcome = drive(&mut hosts, &launcher.fake, &enough, |n, _| {
        if n == 2 {
            control.enough.ask();
        }
    });
    assert_eq!(outcome.cut_short(), "", "it is complete");
    // Of 150; which it is depends on how long the reports take.
    assert!((3..=50).contains(&outcome.intervals.len()), "{:?}", outcome.intervals);
    assert!(outcome.intervals.iter().all(|interval| interval.2 == 4 && interval.1 - interval.0 == 400_000_000));

    let stops = [("stopped by the user: ", 1), ("stopped at once by the user: ", 2)];
    for (why, times) in stops {
        let begun = Instant::now();
        let outcome = drive(&mut hosts, &launcher.fake, &what(load(4), 0, 60_000, 400), |n, stop| {
            (0..times).filter(|_| n == 1).for_each(|_| stop.ask());
        });
        assert_eq!(outcome.cut_short(), why);
        assert!(outcome.together.accounting.completed > 0, "what was counted is kept");
        assert!(begun.elapsed() < Duration::from_secs(50));
    }
}

/// A warm-up of a minute at most that is steady when the fourth interval has been reported, and a window of 1.2 s.
fn warmed_up(launcher: &Threads, load: Load) -> Told {
    let mut hosts = start(launcher, 3, IfLost::Continue);
    let steady = what(load, 60_000, 1200, 300);
    let control = steady.control.clone();
    drive(&mut hosts, &launcher.fake, &steady, |n, _| {
        if n == 4 {
            control.steady.ask();
        }
    })
}

#[test]
fn hosts_begin_to_measure_with_the_same_interval() {
    // Of 7 clients each host has three at most, which claim starts up to 1.5 s ahead.
    let (rate, arrivals) = (6.0, Arrivals::Poisson);
    let slow = Schedule::Open { rate, arrivals, overload: Overload::Queue { limit: 1000 } };
    for schedule in [Schedule::Closed, slow] {
        let launcher = Threads::default();
        let outcome = warmed_up(&launcher, Load { schedule, ..load(7) });
        assert_eq!((outcome.cut_short().as_str(), outcome.measured), ("", 4));
        let ended = &outcome.ended().ended;
        assert_eq!(ended.measured_to_ns - ended.measured_from_ns, 1_200_000_000);
        let (first, last) = (outcome.intervals[0].0, outcome.intervals.last().unwrap().1);
        assert_eq!((ended.measured_from_ns - first) % 300_000_000, 0, "the grid remains");
        assert_eq!(ended.measured_to_ns, last);
        assert!(outcome.intervals.windows(2).all(|pair| pair[0].1 == pair[1].0), "{:?}", outcome.intervals);
        assert!(outcome.intervals.iter().all(|interval| interval.2 == 7), "all clients: {:?}", outcome.intervals);
        let warmed_up_ns = ended.measured_from_ns - first;
        assert!((3_000_000_000..40_000_000_000).contains(&warmed_up_ns), "{warmed_up_ns}");
    }
}

#[test]
fn a_host_that_learns_too_late_when_to_measure_fails_the_trial_by_name() {
    let launcher = Threads { late: Some((2, "measure-from", Duration::from_secs(5))), ..Threads::default() };
    let outcome = warmed_up(&launcher, load(6));
    let why = "a load host did not begin to measure with the same interval as the others: on load host host 2";
    assert_eq!(outcome.cut_short(), why);
}

#[test]
fn what_a_host_does_after_the_end_is_left_out() {
    let launcher = Threads { late: Some((2, "end-with", Duration::from_secs(2))), ..Threads::default() };
    let mut hosts = start(&launcher, 2, IfLost::Stop);
    let enough = what(load(4), 0, 60_000, 400);
    let control = enough.control.clone();
    let outcome = drive(&mut hosts, &launcher.fake, &enough, |n, _| {
        if n == 2 {
            control.enough.ask();
        }
    });
    assert_eq!(outcome.cut_short(), "", "it is complete");
    let text = "load host host 2 learned too late that the trial ended; what it did after that is left out: ";
    assert_eq!(outcome.noted, [(1, text.to_owned())], "once");
    assert!(outcome.intervals.iter().all(|interval| interval.2 == 4), "of both hosts: {:?}", outcome.intervals);
    let mut sum = Tally::default();
    outcome.parts.iter().for_each(|part| sum.merge(part));
    assert_eq!(sum, outcome.together);
}

#[test]
fn a_host_that_is_cut_off_is_given_up_and_stops_by_itself() {
    for if_lost in [IfLost::Stop, IfLost::Continue] {
        let launcher = Threads::default();
        let mut hosts = start(&launcher, 3, if_lost);
        // Where the others stop, long before the planned end.
        let measure_ms = if if_lost == IfLost::Stop { 60_000 } else { 7_000 };
        let (mut cut, mut healed) = (None, false);
        let cable = launcher.cables.lock().unwrap()[1].clone();
        let driven = drive(&mut hosts, &launcher.fake, &what(load(6), 0, measure_ms, 500), |n, _| {
            if n == 2 {
                cable.cut.store(true, Ordering::SeqCst);
                cut = Some(Instant::now());
            } else if cut.is_some_and(|cut| cut.elapsed() > LEASE + Duration::from_secs(1)) && !healed {
                // Whatever it still wants to report comes too late.
                cable.cut.store(false, Ordering::SeqCst);
                healed = true;
            }
        });
        let ended = driven.ended();
        assert_eq!(ended.parts[1].lost.as_ref().unwrap().what, "load host host 2 was lost");
        assert!(ended.parts[0].lost.is_none() && ended.parts[2].lost.is_none());
        assert!(driven.parts[1].accounting.completed > 0, "what it reported before is kept");
        match if_lost {
            IfLost::Stop => {
                assert!(driven.cut_short().starts_with("load host host 2 was lost"), "{}", driven.cut_short());
                let waited_ns = ended.ended.measured_to_ns - ended.ended.measured_from_ns;
                assert!(waited_ns < 30_000_000_000, "the others stop soon: {waited_ns}");
            }
            IfLost::Continue => {
                assert_eq!((driven.cut_short().as_str(), driven.noted.len(), driven.noted[0].0), ("", 1, 1));
                assert!(driven.noted[0].1.starts_with("load host host 2 was lost"), "{:?}", driven.noted);
                assert_eq!(ended.ended.measured_to_ns - ended.ended.measured_from_ns, 7_000_000_000);
                assert_eq!(driven.intervals.last().unwrap().2, 4, "the clients of the others");
            }
        }
        let again = drive(&mut hosts, &launcher.fake, &what(load(6), 0, 500, 500), |_, _| {});
        assert!(again.outcome.is_err(), "a lost host is not replaced");
        launcher.wait_until_stopped(1, &mut hosts);
        drop(hosts);
        let served: Vec<Served> = launcher.served.lock().unwrap().drain(..).map(|host| host.join().unwrap()).collect();
        assert_eq!(served[0], Served::Dismissed);
        assert_eq!(served[1], Served::LeaseExpired, "it had stopped by itself");
    }
}

#[test]
fn an_error_on_one_host_ends_the_drive_of_all() {
    let fake = Fake { panic_after: Some((3, 40)), ..Fake::default() };
    let launcher = Threads { fake, ..Threads::default() };
    let mut hosts = start(&launcher, 2, IfLost::Stop);
    let begun = Instant::now();
    let outcome = drive(&mut hosts, &launcher.fake, &what(load(4), 0, 60_000, 400), |_, _| {});
    assert!(begun.elapsed() < Duration::from_secs(50), "{:?}", begun.elapsed());
    assert!(outcome.cut_short().contains("on load host host 2"), "{}", outcome.cut_short());
    assert!(outcome.together.accounting.completed > 0, "what was counted is kept");
}

#[test]
fn the_end_of_the_coordinator_stops_all() {
    let launcher = Threads::default();
    let mut hosts = start(&launcher, 2, IfLost::Stop);
    let outcome = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
        drive(&mut hosts, &launcher.fake, &what(load(4), 0, 60_000, 300), |_, _| panic!("the coordinator dies"))
    }));
    assert!(outcome.is_err());
    // As if it was killed: no host may leave, the connections are closed.
    launcher.cables.lock().unwrap().iter().for_each(|cable| cable.cut.store(true, Ordering::SeqCst));
    drop(hosts);
    let served: Vec<Served> = launcher.served.lock().unwrap().drain(..).map(|host| host.join().unwrap()).collect();
    assert!(served.iter().all(|served| matches!(served, Served::Closed | Served::LeaseExpired)), "{served:?}");
    let begun = launcher.fake.begun.load(Ordering::SeqCst);
    std::thread::sleep(Duration::from_millis(300));
    assert_eq!(launcher.fake.begun.load(Ordering::SeqCst), begun, "no host loads the server any longer");
}

fn refused(outcome: Result<LoadHosts, Problem>) -> String {
    said(&outcome.err().expect("refused"))
}

#[test]
fn what_cannot_be_driven_is_refused() {
    let launcher = Threads::default();
    let mut hosts = start(&launcher, 3, IfLost::Stop);
    let driven = drive(&mut hosts, &launcher.fake, &what(load(2), 0, 500, 500), |_, _| {});
    assert_eq!(driven.outcome.unwrap_err().what, "3 load hosts cannot share 2 clients");

    let fake = Fake { refuse_from: Some(5), ..Fake::default() };
    let launcher = Threads { fake, ..Threads::default() };
    let mut hosts = start(&launcher, 2, IfLost::Stop);
    let problem = drive(&mut hosts, &launcher.fake, &what(load(6), 0, 500, 500), |_, _| {}).outcome.unwrap_err();
    assert!(problem.evidence.as_ref().unwrap().contains("on load host host 2"), "{problem:?}");
    let record = drive(&mut hosts, &launcher.fake, &what(load(4), 0, 500, 500), |_, _| {});
    assert_eq!(record.cut_short(), "", "the hosts are there for the next trial");
}

/// A host that says what it was given to say.
struct Says(&'static str);

struct Gone;

impl HostProcess for Gone {
    fn ended(&mut self, _: std::time::Duration) -> Option<String> {
        None
    }
}

impl Launcher for Says {
    fn place(&self, _: u32, _: &StopSignal) -> Result<Vec<PlacedHost>, Problem> {
        let (orders, reports) = (Box::new(std::io::sink()), Box::new(std::io::Cursor::new(self.0)));
        Ok(vec![PlacedHost { name: "a".into(), orders, reports, process: Box::new(Gone) }])
    }

    fn is_confidential(&self) -> bool {
        true
    }
}

/// What a host reports after an order.
type Answer = Box<dyn FnMut(Order) -> Vec<Report> + Send>;

/// A new host.
type Make = fn() -> Answer;

/// Hosts that only answer, by their names.
struct Answering(Vec<(&'static str, Make)>);

impl Launcher for Answering {
    fn place(&self, _: u32, _: &StopSignal) -> Result<Vec<PlacedHost>, Problem> {
        let place = |(name, make): &(&'static str, Make)| {
            let (orders, far_orders) = UnixStream::pair().unwrap();
            let (mut far_reports, reports) = UnixStream::pair().unwrap();
            let mut answer = make();
            std::thread::spawn(move || {
                let mut number = 0;
                for line in BufReader::new(far_orders).lines().map_while(Result::ok) {
                    let order = serde_json::from_str(&line).unwrap();
                    let joined = |protocol, version| Report::Joined {
                        protocol,
                        version,
                        machine: "m".into(),
                        facts: BTreeMap::new(),
                    };
                    let reports = match order {
                        Order::Join { protocol, version, .. } => vec![joined(protocol, version)],
                        Order::Prepare { drive, .. } => vec![Report::Connected { drive }],
                        other => answer(other),
                    };
                    for message in reports {
                        far_reports.write_all(&Numbered { number, message }.line().unwrap()).unwrap();
                        number += 1;
                    }
                }
            });
            let (orders, reports) = (Box::new(orders), Box::new(reports));
            PlacedHost { name: (*name).into(), orders, reports, process: Box::new(Gone) }
        };
        Ok(self.0.iter().map(place).collect())
    }

    fn is_confidential(&self) -> bool {
        false
    }
}

/// A host that has an observer which can read nothing, and reports about a drive that is over.
fn blind() -> Answer {
    Box::new(|order| match order {
        Order::Probe { sent_ns } => vec![Report::Probed { sent_ns, host_ns: sent_ns }],
        Order::Start { drive, .. } => {
            let noted = |drive| Report::Noted { drive, problem: Problem::new(foreign("no such file")) };
            vec![noted(drive), noted(drive + 1), Report::Ended { drive, ended: PartEnded::default() }]
        }
        _ => Vec::new(),
    })
}

/// A host whose clock is 7 s ahead, and stepped by `step_ns` 0.7 s after the order to start; it drives for 2 s.
fn with_clock(step_ns: i64) -> Answer {
    let began = Instant::now();
    let mut started = None;
    let mut driving = None;
    Box::new(move |order| match order {
        Order::Probe { sent_ns } => {
            // Also after the drive's end: the clock stays as it was set.
            let since = started.map(|at: Instant| at.elapsed()).unwrap_or_default();
            let stepped = if since > Duration::from_millis(700) { step_ns } else { 0 };
            let shown = began.elapsed() + Duration::from_secs(7);
            let probed = Report::Probed { sent_ns, host_ns: (shown.as_nanos() as i64 + stepped) as u64 };
            let ended = driving.take_if(|_| since > Duration::from_secs(2));
            let ended = ended.map(|drive| Report::Ended { drive, ended: PartEnded::default() });
            [probed].into_iter().chain(ended).collect()
        }
        Order::Start { drive, .. } => {
            (started, driving) = (Some(Instant::now()), Some(drive));
            Vec::new()
        }
        _ => Vec::new(),
    })
}

#[test]
fn a_clock_that_is_stepped_during_a_drive_is_told_by_the_name_of_its_host() {
    let hosts: Vec<(_, Make)> = vec![
        ("steady", || with_clock(0)),
        ("forward", || with_clock(4_000_000_000)),
        ("back", || with_clock(-4_000_000_000)),
    ];
    let mut hosts = LoadHosts::start(&Answering(hosts), 3, IfLost::Stop, VERSION, &StopSignal::new()).unwrap();
    let outcome = drive(&mut hosts, &Fake::default(), &what(load(3), 0, 2000, 1000), |_, _| {});
    let noted: BTreeMap<_, _> = outcome.noted.iter().map(|(host, what)| (*host, what.as_str())).collect();
    assert!(
        noted.len() == 2 && outcome.noted.len() == 2,
        "each once, and not that of which the clock is right: {noted:?}"
    );
    assert!(noted[&1].starts_with("the clock of load host forward was stepped: by +"), "{noted:?}");
    assert!(noted[&2].starts_with("the clock of load host back was stepped: by -"), "{noted:?}");
    let steps: Vec<_> = outcome.ended().parts.iter().map(|part| part.clock_steps).collect();
    assert_eq!(steps.iter().map(|steps| steps.count).collect::<Vec<_>>(), [0, 1, 1]);
    // As far as the round trips of a busy machine let it be known.
    assert!((2_000_000_000..=4_000_000_000).contains(&steps[1].largest_ns), "{steps:?}");
    assert!((-4_000_000_000..=-2_000_000_000).contains(&steps[2].largest_ns), "{steps:?}");
}

#[test]
fn what_an_observer_of_a_host_cannot_read_is_told() {
    let mut hosts =
        LoadHosts::start(&Answering(vec![("a", blind)]), 1, IfLost::Stop, VERSION, &StopSignal::new()).unwrap();
    assert!(!hosts.is_confidential());
    let outcome = drive(&mut hosts, &Fake::default(), &what(load(2), 0, 300, 300), |_, _| {});
    assert_eq!(outcome.noted, [(0, "no such file: on load host a".to_owned())], "once, and not of another drive");
}

#[test]
fn hosts_that_are_something_else_are_refused() {
    let text_of = |says| refused(LoadHosts::start(&Says(says), 1, IfLost::Stop, VERSION, &StopSignal::new()));
    assert_eq!(text_of(""), "load host a was lost: its connection was closed");
    assert_eq!(
        text_of("bash: tenbin: command not found\n"),
        "load host a was lost: it reported something that is not understood: bash: tenbin: command not found"
    );
    let two_missing =
        "{\"report\":\"joined\",\"number\":2,\"protocol\":2,\"version\":\"0\",\"machine\":\"m\",\"facts\":{}}\n";
    assert_eq!(text_of(two_missing), "load host a was lost: 2 of its reports did not arrive");
    let older = "{\"report\":\"joined\",\"protocol\":2,\"version\":\"0.0.9\",\"machine\":\"m\",\"facts\":{}}\n";
    assert!(
        text_of(older).starts_with("load host a has another version of Tenbin: it has version 0.0.9"),
        "{}",
        text_of(older)
    );

    let other_commit = format!(
        "{{\"report\":\"joined\",\"number\":0,\"protocol\":2,\"version\":\"{}\",\"machine\":\"m\",\"facts\":{{}}}}\n",
        "0.1.0 (ba9876543210)"
    );
    let other_commit = text_of(other_commit.leak());
    assert!(
        other_commit.contains("it has version 0.1.0 (ba9876543210), and this is 0.1.0 (0123456789ab)"),
        "{other_commit}"
    );

    let missing = LocalProcesses { program: "/nonexistent/tenbin".into(), arguments: Vec::new() };
    assert!(
        refused(LoadHosts::start(&missing, 2, IfLost::Stop, VERSION, &StopSignal::new()))
            .contains("could not be started")
    );
    let fails =
        LocalProcesses { program: "sh".into(), arguments: vec!["-c".into(), "echo no such option >&2; exit 2".into()] };
    let output = refused(LoadHosts::start(&fails, 2, IfLost::Stop, VERSION, &StopSignal::new()));
    assert!(output.contains("no such option") || output.contains("closed"), "{output}");
}

#[test]
fn hosts_are_examined_and_a_lost_one_says_so() {
    let launcher = Threads::default();
    let mut hosts = start(&launcher, 2, IfLost::Stop);
    let trial = trial(4);
    let assign = |host: u32| {
        let (target, address) = (trial.target.clone(), format!("address {host}"));
        vec![ServerAssignment { target, clients: 2, address, password: None }]
    };
    let text_of = |hosts: &mut LoadHosts| {
        let examined = hosts.examine(&assign, &StopSignal::new()).unwrap();
        let titles =
            |host: &ExaminedHost| host.findings.iter().map(|f| f.title.english().to_owned()).collect::<Vec<_>>();
        examined.iter().map(titles).collect::<Vec<_>>()
    };
    assert_eq!(
        text_of(&mut hosts),
        [["its clock can be followed", "address 0 2"], ["its clock can be followed", "address 1 2"]]
    );
    launcher.cables.lock().unwrap()[1].cut.store(true, Ordering::SeqCst);
    let with_lost = text_of(&mut hosts);
    assert_eq!(with_lost[0].len(), 2);
    assert_eq!(with_lost[1], ["its clock can be followed", "load host host 2 was lost"]);
}

/// A host that joins, and then says what `next` makes, without end.
fn joined_then(orders: impl std::io::Read + Send + 'static, mut reports: UnixStream, next: fn(u64) -> Report) {
    // The connection stays open.
    let mut orders = BufReader::new(orders).lines();
    let order = orders.next().unwrap().unwrap();
    let Order::Join { protocol, version, .. } = serde_json::from_str::<Numbered<Order>>(&order).unwrap().message else {
        panic!("{order}");
    };
    let joined = Report::Joined { protocol, version, machine: "m".into(), facts: BTreeMap::new() };
    reports.write_all(b"Welcome to this machine.\n\nLast login: never ").unwrap();
    reports.write_all(&Numbered { number: 0, message: joined }.line().unwrap()).unwrap();
    for number in 1.. {
        if reports.write_all(&Numbered { number, message: next(number) }.line().unwrap()).is_err() {
            break;
        }
    }
    drop(orders);
}

struct Flooding(fn(u64) -> Report);

impl Launcher for Flooding {
    fn place(&self, _: u32, _: &StopSignal) -> Result<Vec<PlacedHost>, Problem> {
        let (orders, far_orders) = UnixStream::pair().unwrap();
        let (far_reports, reports) = UnixStream::pair().unwrap();
        let next = self.0;
        std::thread::spawn(move || joined_then(far_orders, far_reports, next));
        let (orders, reports) = (Box::new(orders), Box::new(reports));
        Ok(vec![PlacedHost { name: "a".into(), orders, reports, process: Box::new(Gone) }])
    }

    fn is_confidential(&self) -> bool {
        true
    }
}

#[test]
fn a_host_that_floods_is_given_up_after_its_greeting_was_skipped() {
    let flood: fn(u64) -> Report = |_| Report::Progress { drive: 1, rows: 1 };
    let outcome = LoadHosts::start(&Flooding(flood), 1, IfLost::Stop, VERSION, &StopSignal::new());
    // It may have joined before it was noticed.
    let problem = outcome.and_then(|mut hosts| {
        let begun = Instant::now();
        while begun.elapsed() < Duration::from_secs(60) {
            hosts.ready()?;
            std::thread::sleep(Duration::from_millis(10));
        }
        Ok(())
    });
    let problem = problem.unwrap_err();
    assert_eq!(problem.what.english(), "load host a was lost");
    assert_eq!(problem.evidence.unwrap().english(), "it sent more than a load host does");
}

/// A host that is there and never reports its clients connected, in its own time.
struct Mute {
    began: Instant,
    now_ns: u64,
    arrivals: RefCell<Vec<Report>>,
    reports: u64,
}

impl Network for Mute {
    fn names(&self) -> Vec<String> {
        vec!["a".to_owned()]
    }

    fn now_ns(&self) -> u64 {
        self.now_ns
    }

    fn instant(&self, at_ns: u64) -> Instant {
        self.began + Duration::from_nanos(at_ns)
    }

    fn send(&self, _: usize, order: Order) {
        if let Order::Join { protocol, version, .. } = order {
            let joined = Report::Joined { protocol, version, machine: "m".into(), facts: BTreeMap::new() };
            self.arrivals.borrow_mut().push(joined);
        }
    }

    fn probe(&self, _: usize) {
        self.arrivals.borrow_mut().push(Report::Probed { sent_ns: self.now_ns, host_ns: self.now_ns });
    }

    fn receive(&mut self, patience: Duration) -> Vec<Arrival> {
        let sent = std::mem::take(&mut *self.arrivals.borrow_mut());
        if sent.is_empty() {
            self.now_ns += patience.as_nanos() as u64;
        }
        let numbers = self.reports..;
        self.reports += sent.len() as u64;
        let report = |(number, message)| Arrived::Report(Box::new(Numbered { number, message }));
        let arrival = |what| Arrival { host: 0, at_ns: self.now_ns, what };
        numbers.zip(sent).map(report).map(arrival).collect()
    }

    fn heard_ns(&self, _: usize) -> u64 {
        self.now_ns
    }

    fn last_words(&mut self, _: usize, _: Duration) -> Option<String> {
        None
    }

    fn close(&mut self, _: usize) {}
}

#[test]
fn a_host_that_never_reports_its_clients_connected_is_given_up() {
    let network = Mute { began: Instant::now(), now_ns: 0, arrivals: RefCell::default(), reports: 0 };
    let mut hosts = LoadHosts::over(Box::new(network), IfLost::Stop, true, VERSION, &StopSignal::new()).unwrap();
    let problem = drive(&mut hosts, &Fake::default(), &what(load(2), 0, 300, 300), |_, _| {}).outcome.unwrap_err();
    assert_eq!(problem.what.english(), "load host a was lost");
    let why = problem.evidence.unwrap().english().to_owned();
    assert_eq!(why, "it is there, but did not report its clients connected within 60 s");
}
