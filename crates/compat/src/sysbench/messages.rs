//! Messages beside the report, by level, and errors in sysbench's form.

use super::failure;
use crate::hint::{HintWords, refused_value};
use crate::option::canonical;
use std::sync::{Mutex, PoisonError};
use tenbin_driver::{Class, Error};
use tenbin_model::tally::Tally;
use tenbin_script::SentAs;
use tenbin_terminal::exit;
use tenbin_words::problem::Problem;

/// Levels of messages.
pub const FATAL: u8 = 0;
pub const WARNING: u8 = 2;
pub const NOTICE: u8 = 3;
pub const INFO: u8 = 4;
pub const DEBUG: u8 = 5;

/// Prints a message of this level if `verbosity` permits. sysbench logs to standard output.
pub fn print(verbosity: u8, level: u8, line: &str) {
    match level {
        FATAL => {
            REPEATED.lock().unwrap_or_else(PoisonError::into_inner).take(line).iter().for_each(|line| exit::print(line))
        }
        _ if level <= verbosity => {
            finish();
            exit::print(line);
        }
        _ => {}
    }
}

/// Says how often the last error was repeated, if it was: before anything else is printed, and at the end.
pub fn finish() {
    let repeated = REPEATED.lock().unwrap_or_else(PoisonError::into_inner).end();
    repeated.iter().for_each(|line| exit::print(line));
}

/// The lines of errors, from whatever thread.
static REPEATED: Mutex<Repeated> = Mutex::new(Repeated { last: String::new(), times: 0 });

/// sysbench's rule for a line that is the same as the last one: it is counted, and the number is printed when another follows.
struct Repeated {
    last: String,
    times: u64,
}

impl Repeated {
    /// What is to be printed of these lines.
    fn take(&mut self, lines: &str) -> Vec<String> {
        let mut printed = Vec::new();
        for line in lines.split('\n') {
            if line == self.last {
                self.times += 1;
                continue;
            }
            printed.extend(self.end());
            line.clone_into(&mut self.last);
            printed.push(line.to_owned());
        }
        printed
    }

    /// The number of repetitions, if there were any; the next line is another one.
    fn end(&mut self) -> Option<String> {
        self.last.clear();
        let times = std::mem::take(&mut self.times);
        (times > 0).then(|| format!("(last message repeated {times} times)"))
    }
}

/// What is said before the clients connect.
pub fn threads_begin(verbosity: u8, threads: u32) {
    print(verbosity, NOTICE, "Initializing worker threads...\n");
    for thread in 0..threads {
        print(verbosity, DEBUG, &format!("DEBUG: Worker thread (#{thread}) started"));
    }
}

/// A problem as the lines after `FATAL: `, with a hint in sysbench's terms.
pub fn told(words: &HintWords, problem: &Problem) -> String {
    if let Some((option, value)) = refused_value(problem) {
        let wanted = problem.hint.as_ref().map_or_else(String::new, |hint| format!("\nFATAL: {}", hint.english()));
        let option = words.typed.get(&option).cloned().unwrap_or_else(|| canonical(&option));
        return format!("Invalid value for the '{option}' option: '{value}'{wanted}");
    }
    let mut lines = failure::lines(words, problem);
    if lines.is_empty() {
        lines.push(problem.what.english().to_owned());
    }
    // A statement that was refused stands in the lines already.
    let evidence = problem.evidence.as_ref().map_or_else(Vec::new, |evidence| {
        let of_statement = ["refused-statement", "refused-prepared-statement"];
        match of_statement.iter().any(|id| evidence.find(id).is_some()) {
            true => ["server-hint", "end-of-clients"].iter().filter_map(|id| evidence.find(id).cloned()).collect(),
            false => vec![evidence.clone()],
        }
    });
    let more = evidence.into_iter().chain(words.hint(problem));
    lines.extend(more.map(|part| part.english().to_owned()));
    lines.join("\nFATAL: ")
}

/// For an error that does not concern an option.
pub fn complain(line: &str) {
    print(FATAL, FATAL, &format!("FATAL: {line}"));
}

/// For an error that a script has caught, with the statement that failed.
pub fn tell_caught(error: &Error, sent: &str, sent_as: SentAs) {
    failure::of_caught(error, sent, sent_as).iter().for_each(|line| complain(line));
    let number = error.number().filter(|_| error.class() == Class::Lost);
    CAUGHT_LOSSES.lock().unwrap_or_else(PoisonError::into_inner).extend(number);
}

/// The numbers of the errors with which connections were lost, of those that scripts have caught.
static CAUGHT_LOSSES: Mutex<Vec<u32>> = Mutex::new(Vec::new());

/// The lines about the connections that were lost in an interval, but for what scripts have caught.
pub fn losses(words: &HintWords, tally: &Tally) -> Vec<String> {
    failure::of_losses(words, tally, &mut CAUGHT_LOSSES.lock().unwrap_or_else(PoisonError::into_inner))
}

#[cfg(test)]
mod tests {
    use super::*;
    use tenbin_driver::Connector;
    use tenbin_model::dsn::Dsn;

    /// As sysbench 1.0.20 prints them.
    #[test]
    fn an_error_that_is_repeated_is_counted() {
        let mut lines = Repeated { last: String::new(), times: 0 };
        let mut all: Vec<String> =
            ["a", "a", "a", "b", "a\nb", "a\nb"].iter().flat_map(|line| lines.take(line)).collect();
        all.extend(lines.end());
        assert_eq!(all, ["a", "(last message repeated 2 times)", "b", "a", "b", "a", "b"]);
        assert_eq!(lines.take("b\nb"), ["b"], "something else was printed between");
        assert_eq!((lines.end().as_deref(), lines.end()), (Some("(last message repeated 1 times)"), None));
    }

    #[test]
    fn a_refused_value_is_told_by_the_name_of_its_option() {
        let null = Connector::new(Dsn::parse("null:").unwrap(), None).unwrap();
        let given = [("table_size".to_owned(), "0".to_owned())].into();
        let problem = tenbin_workloads::workload("oltp_read_only", &given, null).err().unwrap();
        assert_eq!(
            told(&HintWords::default(), &problem),
            "Invalid value for the 'table-size' option: '0'\n\
             FATAL: give a whole number from 1 to 4294967295, for example 10000"
        );
    }
}
