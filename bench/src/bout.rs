//! Points × repeats × two sides, interleaved: the loop that all measurements share.

use crate::options::Options;
use crate::paired::{Figures, Pair, Point, peer_first};
use crate::tool::{Tool, both};
use std::io;

/// Runs `one` for both sides of every pair. Repeats are the outer loop, so that a point's pairs lie far apart in time while
/// the two sides of a pair lie close together.
pub fn fight<P>(
    options: &Options,
    points: &[(String, P)],
    mut one: impl FnMut(&Tool, &P) -> io::Result<Figures>,
) -> io::Result<Vec<Point>> {
    let [peer, ours] = both(options)?;
    let mut result: Vec<Point> =
        points.iter().map(|(name, _)| Point { name: name.clone(), pairs: Vec::new() }).collect();
    for repeat in 1..=options.repeats() {
        for (i, (name, what)) in points.iter().enumerate() {
            let peer_first = peer_first(options.seed, i, repeat);
            let mut side = |tool: &Tool| {
                let figures = one(tool, what).map_err(|e| io::Error::other(format!("{name}, {}: {e}", tool.name)))?;
                told(&format!("{name}, {repeat} of {}", options.repeats()), tool, &figures);
                Ok::<_, io::Error>(figures)
            };
            let (a, b) = if peer_first { (&peer, &ours) } else { (&ours, &peer) };
            let (a, b) = (side(a)?, side(b)?);
            let (peer, ours) = if peer_first { (a, b) } else { (b, a) };
            result[i].pairs.push(Pair { repeat, peer_first, peer, ours });
        }
    }
    Ok(result)
}

#[expect(clippy::print_stderr, reason = "progress of a run of many minutes")]
fn told(what: &str, tool: &Tool, figures: &Figures) {
    let figures: Vec<String> = figures.iter().map(|(name, x)| format!("{name} {x:.2}")).collect();
    eprintln!("  {what:<40} {:<16} {}", tool.name, figures.join("  "));
}
