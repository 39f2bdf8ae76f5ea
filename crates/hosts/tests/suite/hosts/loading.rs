//! Load hosts load a data set together, each a slice.

use super::fake::{Fake, SLICE, Threads, drive, load, said, start, trial, what};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;
use tenbin_hosts::Served;
use tenbin_model::load_host::IfLost;

/// How many rows have been inserted. No rows are inserted any more.
fn at_rest(fake: &Fake) -> u64 {
    let begun = fake.begun.load(Ordering::SeqCst);
    std::thread::sleep(Duration::from_millis(300));
    assert_eq!(fake.begun.load(Ordering::SeqCst), begun, "somebody still inserts rows");
    begun
}

#[test]
fn all_load_a_slice_and_their_progress_is_one() {
    let launcher = Threads::default();
    let mut hosts = start(&launcher, 3, IfLost::Stop);
    for _ in 0..2 {
        let (steps_before, steps) = (AtomicU64::new(0), AtomicU64::new(0));
        let loaded = load(&mut hosts, |rows, _| {
            let before = steps_before.swap(rows, Ordering::SeqCst);
            assert!(before <= rows && rows <= 3 * SLICE, "{before} {rows}");
            steps.fetch_add(u64::from(rows > before), Ordering::SeqCst);
        });
        assert_eq!((loaded.unwrap(), steps_before.into_inner()), (3 * SLICE, 3 * SLICE));
        assert!(steps.into_inner() > 2, "it was reported meanwhile");
    }
    assert_eq!(launcher.fake.begun.load(Ordering::SeqCst), 6 * SLICE);
    let outcome = drive(&mut hosts, &launcher.fake, &what(trial(6).load, 0, 500, 500), |_, _| {});
    assert_eq!(outcome.cut_short(), "", "and then they drive the load");
}

#[test]
fn a_slice_that_fails_ends_all_by_name() {
    for (panics, why) in [(false, "the disk is full: on load host host 2"), (true, "on load host host 2")] {
        let fake = Fake { bad_slice: Some((1, panics)), ..Fake::default() };
        let launcher = Threads { fake, ..Threads::default() };
        let mut hosts = start(&launcher, 3, IfLost::Continue);
        let problem = load(&mut hosts, |_, _| {}).unwrap_err();
        assert!(said(&problem).ends_with(why), "{}", said(&problem));
        assert!(at_rest(&launcher.fake) < 2 * SLICE + 19, "the others were stopped");
        assert!(hosts.ready().is_ok(), "the hosts are there for the next trial");
    }
}

#[test]
fn a_host_that_is_cut_off_while_it_loads_ends_all_and_stops_by_itself() {
    let launcher = Threads::default();
    let mut hosts = start(&launcher, 3, IfLost::Continue);
    // It is noticed after the others have loaded their slices; no other host takes over the rest.
    let cable = launcher.cables.lock().unwrap()[1].clone();
    let problem = load(&mut hosts, |rows, _| cable.cut.store(rows > 20, Ordering::SeqCst)).unwrap_err();
    assert!(said(&problem).starts_with("load host host 2 was lost"), "{}", said(&problem));
    assert!(hosts.ready().is_err() && load(&mut hosts, |_, _| {}).is_err(), "it is not replaced");
    launcher.wait_until_stopped(1, &mut hosts);
    drop(hosts);
    let served: Vec<Served> = launcher.served.lock().unwrap().drain(..).map(|host| host.join().unwrap()).collect();
    assert_eq!(served, [Served::Dismissed, Served::LeaseExpired, Served::Dismissed]);
    at_rest(&launcher.fake);
}

#[test]
fn the_user_stops_all() {
    let launcher = Threads::default();
    let mut hosts = start(&launcher, 2, IfLost::Stop);
    let problem = load(&mut hosts, |rows, stop| {
        if rows > 0 && !stop.asked() {
            stop.ask();
        }
    });
    assert_eq!(said(&problem.unwrap_err()), "stopped while loading: ");
    assert!(at_rest(&launcher.fake) < 2 * SLICE);
}
