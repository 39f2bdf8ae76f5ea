//! A run on a terminal: bars and colours where the terminal can draw them, and lines where it cannot.

use std::process::Command;
use tenbin_tests::{binary, output_of};

const PLAN: &str = "schema = 1\nname = \"p\"\n[targets.a]\ndsn = \"null:\"\n[[experiment]]\nmeasure = \"500ms\"\nwarmup = \"0s\"\n\
                    interval = \"100ms\"\nrepeats = 2\nload.clients = 1\nload.workload = \"oltp_point_select\"\n";

#[test]
fn a_terminal_that_cannot_move_its_cursor_gets_lines() {
    let dir = tempfile::tempdir().unwrap();
    std::fs::write(dir.path().join("plan.toml"), PLAN).unwrap();
    let shown = |term: Option<&str>, arguments: &str| {
        let line = format!("'{}' {arguments}", binary().display());
        let mut command = Command::new("script");
        command.args(["-qec", &line, "/dev/null"]).current_dir(dir.path()).env_remove("NO_COLOR").env("LANG", "C");
        match term {
            Some(term) => command.env("TERM", term),
            None => command.env_remove("TERM"),
        };
        output_of(&mut command).1
    };
    let run = "run plan.toml --runs runs";
    // Bars, and a coloured word.
    let (bars, coloured) = (shown(Some("xterm"), run), shown(Some("xterm"), "run no.toml"));
    assert!(bars.contains('\x1b') && coloured.contains("\x1b[1;31merror"), "{bars}{coloured}");
    for term in [Some("dumb"), Some(""), None] {
        let (lines, plain) = (shown(term, run), shown(term, "run no.toml"));
        assert!(!lines.contains('\x1b') && !plain.contains('\x1b'), "{term:?}: {lines:?}{plain:?}");
        assert!(plain.contains("error: "), "{term:?}: {plain}");
        // As without a terminal: the trials, one after the other, and the result.
        assert!(lines.contains("2/2") && lines.contains("saved    "), "{term:?}: {lines}");
    }
}
