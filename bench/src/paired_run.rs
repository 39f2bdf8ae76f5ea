//! Points × repeats × two sides, interleaved: the loop that all measurements share.

use crate::options::Options;
use crate::paired::{Figures, Pair, Point, peer_first};
use crate::tool::{Tool, both};
use std::io;

/// Runs `one` for both sides of every pair: sysbench and Tenbin, or whom the options name.
pub fn run_pairs<P>(
    options: &Options,
    points: &[(String, P)],
    one: impl FnMut(&Tool, &P) -> io::Result<Figures>,
) -> io::Result<Vec<Point>> {
    let [peer, ours] = both(options)?;
    run_pairs_between(options, [(peer.name, &peer), (ours.name, &ours)], points, one)
}

/// The same between any two sides with their names, the peer first. Repeats are the outer loop, so that a point's pairs
/// lie far apart in time while the two sides of a pair lie close together.
pub fn run_pairs_between<S: ?Sized, P>(
    options: &Options,
    [peer, ours]: [(&str, &S); 2],
    points: &[(String, P)],
    mut one: impl FnMut(&S, &P) -> io::Result<Figures>,
) -> io::Result<Vec<Point>> {
    let mut result: Vec<Point> =
        points.iter().map(|(name, _)| Point { name: name.clone(), pairs: Vec::new() }).collect();
    for repeat in 1..=options.repeats() {
        for (i, (name, what)) in points.iter().enumerate() {
            let peer_first = peer_first(options.seed, i, repeat);
            let mut side = |(side, with): (&str, &S)| {
                let figures = one(with, what).map_err(|e| io::Error::other(format!("{name}, {side}: {e}")))?;
                print_side(&format!("{name}, {repeat} of {}", options.repeats()), side, &figures);
                Ok::<_, io::Error>(figures)
            };
            let (a, b) = if peer_first { (peer, ours) } else { (ours, peer) };
            let (a, b) = (side(a)?, side(b)?);
            let (peer, ours) = if peer_first { (a, b) } else { (b, a) };
            result[i].pairs.push(Pair { repeat, peer_first, peer, ours });
        }
    }
    Ok(result)
}

#[expect(clippy::print_stderr, reason = "progress of a run of many minutes")]
pub fn print_side(what: &str, side: &str, figures: &Figures) {
    let figures: Vec<String> = figures.iter().map(|(name, x)| format!("{name} {x:.2}")).collect();
    eprintln!("  {what:<40} {side:<16} {}", figures.join("  "));
}

/// Tells that a comparison cannot be made on this machine, and what mends it.
#[expect(clippy::print_stderr, reason = "progress of a run of many minutes")]
pub fn left_out(what: &str, how: &str) {
    eprintln!("  left out: {what}; {how}");
}
