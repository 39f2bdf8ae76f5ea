//! Commands of pipelines where they cannot stand, found before the run: what depends on an `\if` is left to the run, which ends the transaction there.

use crate::language::{Command, CommandKind};
use tenbin_words::message::Message;
use tenbin_words::msg;

/// The first command that fails whenever the script is executed: its line and why.
pub(crate) fn first(commands: &[Command]) -> Option<(u32, Message)> {
    // Whether a pipeline is open and where it was opened; not known after an `\if` with such commands in it.
    let (mut open, mut known, mut depth) = (None, true, 0_u32);
    for command in commands {
        match &command.kind {
            CommandKind::If(_) => depth += 1,
            CommandKind::EndIf => depth = depth.saturating_sub(1),
            CommandKind::StartPipeline | CommandKind::EndPipeline if depth > 0 => known = false,
            // What was not known is known after a command that stands in every transaction.
            CommandKind::StartPipeline => match (known, open) {
                (true, Some(_)) => return Some((command.line, msg!("sql-pipeline-in-pipeline"))),
                _ => (open, known) = (Some(command.line), true),
            },
            CommandKind::EndPipeline | CommandKind::SyncPipeline if depth == 0 => {
                if known && open.is_none() {
                    return Some((command.line, msg!("sql-no-pipeline")));
                }
                if command.kind == CommandKind::EndPipeline {
                    (open, known) = (None, true);
                }
            }
            CommandKind::Sql(sql) if depth == 0 && known && open.is_some() && sql.store.is_some() => {
                return Some((command.line, msg!("sql-store-in-pipeline")));
            }
            _ => {}
        }
    }
    open.filter(|_| known).map(|line| (line, msg!("sql-pipeline-open-at-end")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::language::{Dialect, Names, Script};

    #[test]
    fn what_fails_in_every_transaction_is_known_beforehand() {
        let mistake = |text: &str| {
            let text = text.replace('/', "\n");
            let script = Script::parse("x.sql", text.as_bytes(), Dialect::Postgres, &mut Names::default()).unwrap();
            first(&script.commands).map_or_else(String::new, |(line, why)| format!("{line} {}", why.english()))
        };
        let (start, end) = ("\\startpipeline/", "\\endpipeline/");
        let maybe = |inner: &str| format!("\\if :x/{inner}\\endif/");
        for right in [
            format!("{start}SELECT 1;/\\syncpipeline/{end}SELECT 2 \\gset/{start}{end}"),
            // Whether one is open depends on the branch.
            format!("{}SELECT 1 \\gset/{start}", maybe(start)) + end,
            format!("{}{}", maybe(start), maybe(end)),
            format!("{start}{}", maybe("SELECT 1 \\gset/")) + end,
            format!("{start}{}", maybe(&format!("{end}{start}"))) + end,
        ] {
            assert_eq!(mistake(&right), "", "{right}");
        }
        for (wrong, what) in [
            (format!("{start}{start}{end}"), "2 a pipeline is open already"),
            (format!("{start}{end}{end}"), "3 no pipeline is open"),
            ("SELECT 1;/\\syncpipeline/".to_owned(), "2 no pipeline is open"),
            (format!("{start}SELECT 1 \\gset/{end}"), "2 \\gset and \\aset cannot stand in a pipeline"),
            (format!("{start}SELECT 1 \\aset/{end}"), "2 \\gset and \\aset cannot stand in a pipeline"),
            (format!("SELECT 1;/{start}SELECT 2;"), "2 the script ends with a pipeline open"),
            (format!("{}{start}{start}", maybe(start)), "5 a pipeline is open already"),
        ] {
            assert_eq!(mistake(&wrong), what, "{wrong}");
        }
    }
}
