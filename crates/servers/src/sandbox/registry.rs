//! The sandboxes that this process has started and not stopped yet. A signal stops all of them at any moment: a server
//! is spawned and registered under one lock, and after everything was stopped nothing more is spawned.

use super::ending;
use super::place;
use super::record::{self, KnownSandbox};
use std::process::Child;
use std::sync::{Mutex, MutexGuard, PoisonError};
use tenbin_words::message::foreign;
use tenbin_words::msg;
use tenbin_words::problem::Problem;

static RUNNING: Mutex<RunningSandbox> =
    Mutex::new(RunningSandbox { closed: false, known: Vec::new(), up: Vec::new(), left: Vec::new() });

struct RunningSandbox {
    /// Everything was stopped: nothing more may be started.
    closed: bool,
    known: Vec<KnownSandbox>,
    /// Names of those that have accepted connections: if one ends unexpectedly, its log is kept.
    up: Vec<String>,
    /// Why some could not be removed.
    left: Vec<Problem>,
}

fn running() -> MutexGuard<'static, RunningSandbox> {
    RUNNING.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Registers a sandbox that is about to be created, and writes its note; refuses a name that is in use.
pub(super) fn enter(known: &KnownSandbox) -> Result<(), Problem> {
    let mut running = running();
    if running.closed {
        return Err(stopped());
    }
    record::claim(&place::base()?, known)?;
    running.known.push(known.clone());
    Ok(())
}

/// Spawns a server and registers its process, here and in its note.
pub(super) fn spawn(
    known: &mut KnownSandbox,
    spawn: impl FnOnce() -> std::io::Result<Child>,
) -> Result<Child, Problem> {
    let mut running = running();
    if running.closed {
        return Err(stopped());
    }
    let mut child = spawn().map_err(|e| Problem::new(msg!("server-cannot-be-started")).evidence(foreign(e)))?;
    *known = known.clone().of_process(child.id());
    running.known.iter_mut().filter(|k| k.name == known.name).for_each(|k| *k = known.clone());
    let noted = place::base().and_then(|base| record::write(&base, known));
    if let Err(problem) = noted {
        // Otherwise the process would be unknown.
        let _ = child.kill();
        let _ = child.wait();
        return Err(problem);
    }
    Ok(child)
}

/// Records that a server accepts connections.
pub(super) fn is_up(known: &KnownSandbox) {
    running().up.push(known.name.clone());
}

/// Removes one that continues to run without us.
pub(super) fn release(known: &KnownSandbox) {
    let mut running = running();
    running.known.retain(|k| k.name != known.name);
    running.up.retain(|name| *name != known.name);
}

/// Held while one is stopped and removed: a second signal that comes meanwhile does not end this process in the middle of it.
static PUTTING_AWAY: Mutex<()> = Mutex::new(());

/// Stops one by its name and removes it, unless another thread has done so.
pub(super) fn put_away(name: &str) {
    let _only_one = PUTTING_AWAY.lock().unwrap_or_else(PoisonError::into_inner);
    let (known, up) = {
        let running = running();
        (running.known.iter().find(|k| k.name == name).cloned(), running.up.iter().any(|up| up == name))
    };
    if let Some(known) = known {
        // For a server that is starting, the waiting thread reads the log itself.
        let log = if up { ending::Log::KeepWhenItEndedByItself } else { ending::Log::Leave };
        // What cannot be removed keeps its note, and is in the list of sandboxes.
        if let Err(problem) = ending::end(&known, log) {
            running().left.push(problem);
        }
        release(&known);
    }
}

/// Why servers that were stopped could not be removed; each is told once.
pub fn left() -> Vec<Problem> {
    std::mem::take(&mut running().left)
}

/// Stops everything that this process has started: for signal handling, where nothing is dropped. Nothing can be
/// started afterwards.
pub fn stop_all() {
    let all = {
        let mut running = running();
        running.closed = true;
        running.known.clone()
    };
    all.iter().for_each(|known| put_away(&known.name));
}

fn stopped() -> Problem {
    Problem::new(msg!("stopped-while-sandbox-starts"))
}
