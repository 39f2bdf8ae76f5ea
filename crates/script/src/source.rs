//! Where the text of a script is, and what can be said of it without running it.

use super::{own, quotes};
use std::path::Path;
use tenbin_model::promise;
use tenbin_words::copied;
use tenbin_words::message::foreign;
use tenbin_words::msg;
use tenbin_words::problem::Problem;

/// Where a script's text is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Source {
    File(String),
    /// Found by Lua's `require`.
    Module(String),
    /// Standard input, read once for all states.
    Text(String),
}

impl Source {
    pub(super) fn find(name: &str) -> Result<Source, Problem> {
        if name == "-" {
            return match tenbin_intake::text_of(std::io::stdin(), tenbin_intake::SMALL) {
                Ok(text) if text.starts_with('#') => Ok(Source::Text(format!("--{text}"))),
                Ok(text) => Ok(Source::Text(text)),
                Err(e) => Err(Problem::new(msg!("script-unreadable-from-stdin")).evidence(tenbin_intake::why(&e))),
            };
        }
        if Path::new(name).is_file() {
            return Ok(Source::File(name.to_owned()));
        }
        if let Some(module) = own::module(name) {
            return Ok(Source::Module(module.to_owned()));
        }
        if name.contains('/') || name.ends_with(".lua") {
            return Err(Problem::new(msg!("script-not-found", script = name))
                .evidence(msg!("looked-in", dsn = std::env::current_dir().unwrap_or_default().display()))
                .hint(msg!("give-path-of-lua-file")));
        }
        Ok(Source::Module(name.to_owned()))
    }

    /// Its name in messages.
    pub(super) fn shown(&self) -> &str {
        match self {
            Source::File(name) | Source::Module(name) => name,
            Source::Text(_) => "(standard input)",
        }
    }

    /// Refuses a text that was copied from a page of the web, which shows typographic quotes in place of those of programs. To
    /// LuaJIT they are letters of a name, so that it may run such a text and compare with nothing.
    pub(super) fn without_typographic_quotes(&self, text_of: impl Fn(&str) -> Option<Vec<u8>>) -> Result<(), Problem> {
        let text = match self {
            Source::File(path) => text_of(path).unwrap_or_default(),
            Source::Text(text) => text.clone().into_bytes(),
            Source::Module(_) => return Ok(()),
        };
        let Some((line, quote)) = quotes::typographic(&String::from_utf8_lossy(&text)) else { return Ok(()) };
        let hint = match self {
            Source::File(path) => foreign(copied::mending(path)),
            Source::Module(_) | Source::Text(_) => msg!("correct-line"),
        };
        let problem = Problem::new(msg!("script-cannot-be-run", script = self.shown()));
        Err(problem.evidence(msg!("script-typographic-quotes", line, quote = quote.to_string())).hint(hint))
    }

    /// The directory that contains it, and possibly its modules.
    pub(super) fn folder(&self) -> Option<String> {
        let Source::File(path) = self else { return None };
        let folder = Path::new(path).parent()?.to_str()?;
        (!folder.is_empty()).then(|| folder.to_owned())
    }

    /// The text, or the name of a module of ours; empty if it can no longer be read.
    pub(super) fn text(&self) -> Vec<u8> {
        match self {
            Source::File(path) => tenbin_intake::file(Path::new(path), tenbin_intake::SMALL).unwrap_or_default(),
            Source::Module(text) | Source::Text(text) => text.clone().into_bytes(),
        }
    }

    /// The first line that may set what the commits of its session survive, with its number. What other modules say is not read.
    pub(super) fn sets_durability(&self) -> Option<String> {
        let text = self.text();
        let text = String::from_utf8_lossy(&text);
        let mut lines = text.lines().map(str::trim).enumerate();
        let set = lines.find(|(_, line)| !line.starts_with("--") && promise::is_set_by(line));
        set.map(|(at, line)| format!("{}: {line}", at + 1))
    }

    /// Whether it may send TRUNCATE. What other modules send is not read.
    pub(super) fn truncates(&self) -> bool {
        String::from_utf8_lossy(&self.text()).to_ascii_lowercase().contains("truncate")
    }
}
