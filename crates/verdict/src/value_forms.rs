//! How the values of a workload's statements were sent: as parameters or as text, as far as the workload says.

use tenbin_model::tally::{StatementTally, Tally};
use tenbin_words::message::Message;
use tenbin_words::msg;

/// How the values of one statement were sent; `None` if it has none, or the workload does not say.
pub fn of_statement(statement: &StatementTally) -> Option<Message> {
    match (statement.as_parameters > 0, statement.as_text > 0) {
        (true, true) if mostly_parameters(statement) => Some(msg!("values-mostly-parameters", n = statement.as_text)),
        (true, true) => Some(msg!("values-both")),
        (true, false) => Some(msg!("values-parameters")),
        (false, true) => Some(msg!("values-text")),
        (false, false) => None,
    }
}

/// Whether as text were only a few: the first of each client, whose result is stored, because the names of its columns are asked for.
fn mostly_parameters(statement: &StatementTally) -> bool {
    statement.as_text.saturating_mul(FEW) <= statement.as_parameters
}

/// Less than one in this many are a few.
const FEW: u64 = 20;

/// In a sentence, for all statements of a trial or a cell.
pub fn sentence(tally: &Tally) -> Option<Message> {
    let named =
        |of: fn(&StatementTally) -> bool| tally.statements.iter().filter(move |(_, s)| of(s)).map(|(name, _)| name);
    let text: Vec<&String> = named(|s| s.as_text > 0 && !mostly_parameters(s)).collect();
    match (named(|s| s.as_parameters > 0).next().is_some(), text.is_empty()) {
        (false, true) => None,
        (true, true) => Some(msg!("values-sent-as-parameters")),
        (false, false) => Some(msg!("values-sent-as-text")),
        (true, false) => {
            let more = text.len().saturating_sub(MOST_NAMED);
            let statements = text.iter().take(MOST_NAMED).map(|name| name.as_str()).collect::<Vec<_>>().join(", ");
            Some(if more > 0 {
                msg!("values-sent-both-and-more", statements, more)
            } else {
                msg!("values-sent-both", statements)
            })
        }
    }
}

/// A sentence names no more statements than this.
const MOST_NAMED: usize = 6;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_sent_as_text_is_named() {
        let tally = |forms: &[(&str, u64, u64)]| {
            let of = |&(name, as_parameters, as_text): &(&str, u64, u64)| {
                (name.to_owned(), StatementTally { as_parameters, as_text, ..StatementTally::default() })
            };
            Tally { statements: forms.iter().map(of).collect(), ..Tally::default() }
        };
        let text =
            |forms: &[_]| sentence(&tally(forms)).map(|message| message.english().to_owned()).unwrap_or_default();
        assert_eq!(text(&[("a", 0, 0)]), "");
        assert_eq!(text(&[("a", 3, 0), ("b", 0, 0)]), "as parameters");
        assert_eq!(text(&[("a", 0, 3)]), "as text");
        assert_eq!(text(&[("a", 3, 0), ("b", 0, 1), ("c", 1, 1), ("d", 100, 3)]), "as parameters; as text in b, c");
        let many: Vec<(String, u64, u64)> = (0..8).map(|n| (format!("s{n}"), u64::from(n == 0), 1)).collect();
        let many: Vec<(&str, u64, u64)> = many.iter().map(|(name, a, b)| (name.as_str(), *a, *b)).collect();
        assert_eq!(text(&many), "as parameters; as text in s0, s1, s2, s3, s4, s5 and 2 more");
    }
}
