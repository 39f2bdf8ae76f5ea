//! Changes of the data directory of a server that is stopped for it, and started again on the result.

use std::path::Path;
use std::time::{Duration, Instant};
use tenbin_words::message::Message;
use tenbin_words::msg;
use tenbin_words::problem::Problem;

/// A change of the data directory of a stopped server. A closure is one that cannot be undone, or need not.
pub trait DataChange {
    /// Makes the change: in the data directory, or in the database file of SQLite. If it fails it leaves what was there.
    fn make(&mut self, data: &Path) -> Result<(), Problem>;

    /// The directory from which a change that was interrupted can be finished, if there is one.
    fn source(&self) -> Option<&Path> {
        None
    }

    /// Whether a change that failed has left data on which no server may start.
    fn is_half_made(&self, _data: &Path) -> bool {
        false
    }

    /// Undoes it, because the server does not start on the result. `None` if there is nothing to undo.
    fn undo(&mut self) -> Option<Result<(), Problem>> {
        None
    }
}

impl<F: FnMut(&Path) -> Result<(), Problem>> DataChange for F {
    fn make(&mut self, data: &Path) -> Result<(), Problem> {
        self(data)
    }
}

/// A server that is stopped.
pub(crate) trait Stopped {
    /// Starts it and waits until it accepts connections.
    fn start(&mut self) -> Result<(), Problem>;
    /// Ends what a failed start has left running; fails if something still uses the data.
    fn end(&mut self) -> Result<(), Problem>;
}

/// Makes the change and starts the server, also if the change fails, unless that has left half of the data. Returns how long
/// the start took.
///
/// If the server does not start on changed data the change is undone and the server started again. The problem is then
/// that of the first start, and its evidence says what became of the server.
pub(crate) fn changed(server: &mut dyn Stopped, data: &Path, change: &mut dyn DataChange) -> Result<Duration, Problem> {
    let made = change.make(data);
    if let Err(problem) = &made
        && change.is_half_made(data)
    {
        let left = msg!("server-left-stopped", data = data.display());
        let evidence = Message::joined(problem.evidence.clone().into_iter().chain([left]), "\n");
        return Err(problem.clone().evidence(evidence));
    }
    let start = Instant::now();
    let Err(problem) = server.start() else {
        return made.map(|()| start.elapsed());
    };
    let became = match server.end().map(|()| change.undo()) {
        Ok(None) => return Err(problem),
        Ok(Some(Ok(()))) => match server.start() {
            Ok(()) => msg!("runs-on-former-data"),
            Err(why) => msg!("former-data-but-no-start", why),
        },
        Ok(Some(Err(why))) | Err(why) => msg!("data-not-brought-back", why),
    };
    let evidence = Message::joined(problem.evidence.clone().into_iter().chain([became]), "\n");
    Err(problem.evidence(evidence))
}

#[cfg(test)]
mod tests {
    use super::*;
    use tenbin_words::message::foreign;

    /// A server that starts only on data that hold `good`.
    struct Choosy<'a> {
        data: &'a Path,
        used: bool,
        starts: u32,
    }

    impl Stopped for Choosy<'_> {
        fn start(&mut self) -> Result<(), Problem> {
            self.starts += 1;
            let text = std::fs::read_to_string(self.data).unwrap_or_default();
            if text == "good" { Ok(()) } else { Err(Problem::new(foreign(format!("it cannot read {text}")))) }
        }

        fn end(&mut self) -> Result<(), Problem> {
            if self.used { Err(Problem::new(foreign("process 7 uses them"))) } else { Ok(()) }
        }
    }

    /// Writes `0`; undone by writing `1`, if there is one.
    struct Write(&'static str, Option<Result<&'static str, &'static str>>, std::path::PathBuf);

    impl DataChange for Write {
        fn make(&mut self, data: &Path) -> Result<(), Problem> {
            self.2 = data.to_owned();
            std::fs::write(data, self.0).map_err(|e| Problem::new(foreign(e)))
        }

        fn undo(&mut self) -> Option<Result<(), Problem>> {
            Some(match self.1? {
                Ok(former) => std::fs::write(&self.2, former).map_err(|e| Problem::new(foreign(e))),
                Err(why) => Err(Problem::new(foreign(why))),
            })
        }
    }

    #[test]
    fn what_a_server_does_not_start_on_is_undone() {
        let dir = tempfile::tempdir().unwrap();
        let data = dir.path().join("data");
        let outcome = |change: &mut dyn DataChange, used| {
            std::fs::write(&data, "good").unwrap();
            let mut server = Choosy { data: &data, used, starts: 0 };
            let outcome = changed(&mut server, &data, change).map(|_| "it runs");
            let starts = server.starts;
            outcome
                .map_or_else(|problem| format!("{starts}: {problem}"), |ok| format!("{starts}: {ok}"))
                .replace('\n', " | ")
        };
        let write = |text, undo| Write(text, undo, Default::default());
        let mut refuses = |_: &Path| Err(Problem::new(foreign("no room")));
        let all = [
            outcome(&mut write("good", None), false),
            outcome(&mut refuses, false),
            outcome(&mut write("bad", Some(Ok("good"))), false),
            outcome(&mut write("bad", Some(Ok("worse"))), false),
            outcome(&mut write("bad", Some(Err("they are gone"))), false),
            outcome(&mut write("bad", None), false),
            outcome(&mut write("bad", Some(Ok("good"))), true),
        ];
        insta::assert_snapshot!(all.join("\n"), @"
        1: it runs
        1: no room
        2: it cannot read bad |   evidence  its former data were brought back, and it runs on them
        2: it cannot read bad |   evidence  its former data were brought back, but it does not start on them either: it cannot read worse
        1: it cannot read bad |   evidence  its former data were not brought back: they are gone
        1: it cannot read bad
        1: it cannot read bad |   evidence  its former data were not brought back: process 7 uses them
        ");
    }
}
