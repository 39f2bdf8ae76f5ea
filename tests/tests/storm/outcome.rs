//! How a program ended, and what must hold however it ended: no panic, no hang, nothing on the terminal but text.

use serde_json::Value;
use std::io::Read;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// Far longer than anything here takes, on a busy machine too.
const PATIENCE: Duration = Duration::from_secs(180);

/// Exit code and words of a program that has ended.
#[derive(Debug)]
pub struct Outcome {
    /// `None`: a signal ended it.
    pub code: Option<i32>,
    /// Standard output.
    pub out: String,
    /// Standard error.
    pub err: String,
}

/// A program under way, its output being read.
pub struct Running {
    pub child: Child,
    out: std::thread::JoinHandle<Vec<u8>>,
    err: std::thread::JoinHandle<Vec<u8>>,
}

impl Running {
    /// Starts it.
    pub fn start(command: &mut Command) -> Running {
        let mut child = command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let (out, err) = (reader(child.stdout.take().unwrap()), reader(child.stderr.take().unwrap()));
        Running { child, out, err }
    }

    /// Waits for its end and checks what always must hold.
    pub fn end(mut self) -> Outcome {
        let start = Instant::now();
        let status = loop {
            if let Some(status) = self.child.try_wait().unwrap() {
                break status;
            }
            if start.elapsed() > PATIENCE {
                let _ = self.child.kill();
                panic!("it hung\n{}", String::from_utf8_lossy(&self.err.join().unwrap()));
            }
            std::thread::sleep(Duration::from_millis(20));
        };
        let text = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).into_owned();
        let outcome =
            Outcome { code: status.code(), out: text(self.out.join().unwrap()), err: text(self.err.join().unwrap()) };
        outcome.sound();
        outcome
    }
}

fn reader(mut stream: impl Read + Send + 'static) -> std::thread::JoinHandle<Vec<u8>> {
    std::thread::spawn(move || {
        let mut all = Vec::new();
        let _ = stream.read_to_end(&mut all);
        all
    })
}

impl Outcome {
    /// Runs a program to its end.
    pub fn of(command: &mut Command) -> Outcome {
        Running::start(command).end()
    }

    fn sound(&self) {
        assert!(self.code != Some(101) && !self.err.contains("panicked at"), "it panicked: {self:?}");
        let control = |c: char| c.is_control() && c != '\n';
        for text in [&self.out, &self.err] {
            let character = text.chars().find(|c| control(*c) || ('\u{202a}'..='\u{202e}').contains(c));
            assert_eq!(character, None, "what is foreign reached the terminal as it came: {self:?}");
        }
    }

    /// How it ended, and the first error that it printed.
    pub fn end(&self) -> String {
        let code = self.code.map_or("a signal".to_owned(), |code| format!("exit {code}"));
        let printed = [&self.err, &self.out].into_iter().flat_map(|text| text.lines());
        let error = printed.into_iter().find_map(|line| line.trim().strip_prefix("error:"));
        error.map_or(code.clone(), |error| format!("{code}:{}", error.chars().take(110).collect::<String>()))
    }

    /// The result that `--json` prints; `None` where there was none.
    pub fn json(&self) -> Option<Value> {
        serde_json::from_str(&self.out).ok()
    }

    /// The verdict of the first trial; `None` where no result was reported.
    pub fn verdict(&self) -> Option<String> {
        Some(self.json()?["trials"][0]["verdict"].as_str()?.to_owned())
    }
}
