//! Threads that cannot be made (`ulimit -u`, a limit of a container): the standard library panics then, wherever the thread was to be
//! started. Here that becomes one error, after everything on the way has been cleaned up.

use std::any::Any;
use std::panic::{self, AssertUnwindSafe};
use std::sync::Once;
use tenbin_terminal::exit::{self, Exit};
use tenbin_words::message::foreign;
use tenbin_words::msg;
use tenbin_words::problem::Problem;

/// What such a panic says: in the standard library, and in the runtime that resolves names on threads.
const SAYS: [&str; 2] = ["failed to spawn thread", "OS can't spawn"];

/// Does the work. If a thread cannot be made, this is said once, and the work has failed.
pub fn or_said(work: impl FnOnce() -> Result<Exit, Problem>) -> Result<Exit, Problem> {
    let others = panic::take_hook();
    panic::set_hook(Box::new(move |info| match about_threads(info.payload()) {
        Some(why) => say(&why),
        None => others(info),
    }));
    panic::catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|payload| match about_threads(&*payload) {
        Some(_) => Ok(Exit::Usage),
        None => panic::resume_unwind(payload),
    })
}

/// The first one says it all.
fn say(why: &str) {
    static SAID: Once = Once::new();
    SAID.call_once(|| {
        let problem = Problem::new(msg!("no-more-threads")).evidence(foreign(why));
        exit::complain(&problem.hint(msg!("raise-limit-of-processes")));
    });
}

/// The text of a panic because of a thread that could not be made.
fn about_threads(payload: &(dyn Any + Send)) -> Option<String> {
    let text = payload.downcast_ref::<String>().map(String::as_str);
    let text = text.or_else(|| payload.downcast_ref::<&str>().copied())?;
    SAYS.iter().any(|says| text.contains(says)).then(|| text.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_panics_about_threads_are_errors() {
        let of = |text: &str| about_threads(&text.to_owned());
        assert!(of("failed to spawn thread: Os { code: 11, kind: WouldBlock }").is_some());
        assert!(of("OS can't spawn worker thread: Resource temporarily unavailable").is_some());
        assert_eq!(of("index out of bounds"), None);
        assert_eq!(about_threads(&7), None);
    }
}
