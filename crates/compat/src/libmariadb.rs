//! What MariaDB's client library says of a server to which there is no connection.

use tenbin_words::message::Message;
use tenbin_words::msg;

/// The number of the library's error and its text, if the server did not answer; `None` if it was not that.
pub fn refusal(what: &Message) -> Option<(u32, String)> {
    let of = |message: &Message, name: &str| message.arg(name).map_or("", Message::english).to_owned();
    let errno = |message: &Message| {
        let error = of(message, "error");
        let number = error.rsplit_once("(os error ").map(|(_, number)| number.trim_end_matches(')').to_owned());
        // It connects without blocking, and has the number of that when it learns that the port is closed.
        number.map_or_else(|| "110".to_owned(), |number| if number == "111" { "115".to_owned() } else { number })
    };
    if let Some(nothing) = what.find("nothing-answers-at-socket") {
        let path = of(nothing, "path");
        return Some((2002, format!("Can't connect to local server through socket '{path}' ({})", errno(nothing))));
    }
    if let Some(nothing) = what.find("nothing-answers-at-port") {
        return Some((2002, format!("Can't connect to server on '{}' ({})", of(nothing, "host"), errno(nothing))));
    }
    let unknown = what.find("host-unknown")?;
    Some((2005, format!("Unknown server host '{}' (-2)", of(unknown, "host"))))
}

/// What was said of a server that did not answer, if only its text is left: in an error that a script has thrown.
pub fn of_text(why: &str) -> Option<Message> {
    let (at, error) = why.split_once(": ")?;
    if let Some(path) = at.strip_prefix("nothing answers at the socket ") {
        return Some(msg!("nothing-answers-at-socket", path, error));
    }
    if let Some((host, port)) = at.strip_prefix("nothing answers at ").and_then(|at| at.rsplit_once(':')) {
        return Some(msg!("nothing-answers-at-port", host, port, error));
    }
    let host = at.strip_prefix("the host ")?.strip_suffix(" is not known")?;
    Some(msg!("host-unknown", host, error))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_script_throws_is_what_was_said() {
        let error = "Connection refused (os error 111)";
        for said in [
            msg!("nothing-answers-at-port", host = "127.0.0.1", port = 9, error),
            msg!("nothing-answers-at-port", host = "::1", port = 9, error),
            msg!("nothing-answers-at-socket", path = "/run/s", error = "No such file or directory (os error 2)"),
            msg!("host-unknown", host = "nosuch.invalid", error = "failed to look it up: Name or service not known"),
        ] {
            let of_text = of_text(said.english()).unwrap();
            assert_eq!((of_text.english(), refusal(&of_text)), (said.english(), refusal(&said)));
        }
        assert!(of_text("Access denied for user 'x': no").is_none());
    }
}
