//! What MariaDB's client library says of a server to which there is no connection.

use tenbin_words::message::Message;

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
