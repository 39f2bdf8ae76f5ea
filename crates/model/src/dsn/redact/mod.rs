//! Redacts passwords in text of the user: a line of a plan, an address or a command that is shown with an error or stored with a run.

use super::{Dsn, options, unescape};

/// The text with all passwords redacted, so that it can be stored and shown; TOML remains valid TOML.
pub fn redact(text: &str) -> String {
    text.split('\n').map(redact_line).collect::<Vec<_>>().join("\n")
}

/// Redacts the password of every address in the line, and the value of everything that is named like a password. A line
/// may be as long as a plan, so the time is linear in its length.
pub fn redact_line(line: &str) -> String {
    let mut out = String::with_capacity(line.len());
    let mut done = 0;
    let mut quotes = Quotes::default();
    for span in addresses(line) {
        if span.mark < done || span.colon.is_some_and(|colon| colon < done) {
            continue;
        }
        let start = span.start.max(done);
        let quote = quotes.open_at(line, start);
        let string = &line[start..start + closing_quote(&line[start..], quote)];
        let begins = start == 0 || quote.is_some_and(|quote| line[..start].ends_with(quote));
        // What stands after `dsn =` is an address and nothing else.
        let is_value = begins && quote.is_some() && span.mark < span.start;
        let is_open = !begins && quotes.inner.is_none();
        let end = start + if is_value { string.len() } else { length(string, begins, is_open) };
        out.push_str(&line[done..start]);
        out.push_str(&without_password(&line[start..end]));
        done = end;
    }
    out.push_str(&line[done..]);
    redact_commands(&redact_headers(&redact_statements(&redact_named(&out))))
}

/// The names in queries of addresses of the web that are no secrets: what Prometheus exporters are asked for, and ours.
const OF_THE_WEB: [&str; 10] =
    ["collect[]", "collect", "exclude[]", "name[]", "match[]", "module", "target", "auth_module", "format", "resource"];

/// An address of the web without its password, and without the values in its query that may be secrets.
pub fn redact_web(address: &str) -> String {
    let (base, query) = address.split_once('?').map_or((address, None), |(base, query)| (base, Some(query)));
    let begin = base.find("://").map_or(0, |at| at + 3);
    let end = base[begin..].find(['/', '#']).map_or(base.len(), |at| begin + at);
    let shown = match base[begin..end].rsplit_once('@') {
        Some((account, host)) => format!("{}@{host}", account.split(':').next().unwrap_or_default()),
        None => base[begin..end].to_owned(),
    };
    let query = query.map(|query| format!("?{}", values_of_the_web(query))).unwrap_or_default();
    format!("{}{shown}{}{query}", &base[..begin], &base[end..])
}

/// A query with the values that are known to be no secrets, and contain no account.
fn values_of_the_web(query: &str) -> String {
    let one = |pair: &str| match pair.split_once('=') {
        Some((name, value)) => {
            let is_plain = OF_THE_WEB.contains(&unescape(name).as_str()) && !unescape(value).contains('@');
            if is_plain { pair.to_owned() } else { format!("{name}=…") }
        }
        // A token may stand there alone.
        None if pair.is_empty() => String::new(),
        None => "…".to_owned(),
    };
    query.split('&').map(one).collect::<Vec<_>>().join("&")
}

/// Schemes whose addresses contain accounts.
const SCHEMES: [&str; 5] = ["mysql:", "mariadb:", "postgres:", "postgresql:", "sqlite:"];

/// Where an address may start, and the position of the colon that it requires.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct AddressSpan {
    start: usize,
    mark: usize,
    colon: Option<usize>,
}

/// The addresses in their order, whatever follows the scheme; also values of address keys without a scheme.
fn addresses(line: &str) -> Vec<AddressSpan> {
    let lower = line.to_ascii_lowercase();
    let at = |start, mark| AddressSpan { start, mark, colon: None };
    let mut all: Vec<AddressSpan> =
        SCHEMES.iter().flat_map(|s| lower.match_indices(s)).map(|(place, _)| at(place, place)).collect();
    all.extend(["dsn", "url"].into_iter().flat_map(|name| lower.match_indices(name)).filter_map(|(place, name)| {
        let after = lower[place + name.len()..].trim_start_matches(['"', '\'', ' ', '\t']).strip_prefix('=')?;
        let value = after.trim_start_matches([' ', '\t', '"', '\'']);
        (!value.is_empty()).then(|| at(lower.len() - value.len(), place))
    }));
    // The start of the scheme before `//`, and of the word before `@`, because the scheme may be missing:
    // `user:password@host`.
    let (mut scheme, mut word, mut colon, mut stroke) = (0, 0, None, None);
    for (place, c) in lower.char_indices() {
        let next = place + c.len_utf8();
        let first = stroke.take();
        match (c, first) {
            ('/', Some(from)) => {
                let (from, is_scheme) = scheme_start(&lower, from, place - 1);
                if is_scheme {
                    // Its colon is not the one before a password, and what stands before it (`NAME=`, `--dsn=`) not an account.
                    (word, colon) = (from, None);
                }
                all.push(at(from, place - 1));
            }
            ('/', None) => stroke = Some(scheme),
            ('@', _) => all.extend(colon.map(|colon| AddressSpan { start: word, mark: place, colon: Some(colon) })),
            (':', _) => colon = Some(place),
            _ => {}
        }
        if !(c.is_ascii_alphanumeric() || "+-.:".contains(c)) {
            scheme = next;
        }
        if c.is_whitespace() || matches!(c, '"' | '\'') {
            (word, colon) = (next, None);
        }
    }
    all.sort_unstable();
    all
}

/// Where the scheme begins of an address whose `//` is at `strokes`, after a word that begins at `from`; and whether it is one. A variable of a
/// shell may stand before it, as in `${URL:-mysql://…}`.
fn scheme_start(lower: &str, from: usize, strokes: usize) -> (usize, bool) {
    if is_scheme(&lower[from..strokes]) {
        return (from, true);
    }
    let known =
        SCHEMES.iter().copied().chain(["http:", "https:"]).filter(|scheme| lower[from..strokes].ends_with(scheme));
    known.map(|scheme| (strokes - scheme.len(), true)).min().unwrap_or((from, false))
}

/// Tracks which quote is open while going through a line once.
#[derive(Default)]
struct Quotes {
    at: usize,
    quote: Option<char>,
    /// The one within it, as of a command in a string.
    inner: Option<char>,
    escaped: bool,
}

impl Quotes {
    fn open_at(&mut self, line: &str, place: usize) -> Option<char> {
        for c in line[self.at..place].chars() {
            match self.quote {
                Some(_) if self.escaped => {
                    self.escaped = false;
                    self.meet_inner(c);
                }
                Some('"') if c == '\\' => self.escaped = true,
                Some(q) if c == q => (self.quote, self.inner) = (None, None),
                Some(_) => self.meet_inner(c),
                None if matches!(c, '"' | '\'') => self.quote = Some(c),
                _ => {}
            }
        }
        self.at = place;
        self.quote
    }

    fn meet_inner(&mut self, c: char) {
        match self.inner {
            Some(q) if c == q => self.inner = None,
            None if matches!(c, '"' | '\'') => self.inner = Some(c),
            _ => {}
        }
    }
}

/// The end of the string that `opened` started; the end of the line if it is not closed.
fn closing_quote(text: &str, opened: Option<char>) -> usize {
    let mut escaped = false;
    for (i, c) in text.char_indices() {
        if Some(c) == opened && !escaped {
            return i;
        }
        escaped = c == '\\' && !escaped && opened == Some('"');
    }
    text.len()
}

/// Where the address ends with which the text begins: at a blank or a quote, unless its password goes on behind that. `begins`: a string
/// begins with it, so that it may be written as people write addresses, with a password as it is. Elsewhere it is in a sentence or a command;
/// `is_open`: there not in quotes, so that behind its account it ends where a word of a shell does.
fn length(text: &str, begins: bool, is_open: bool) -> usize {
    let ends = |text: &str| text.find(|c: char| c.is_whitespace() || "\"'`<>".contains(c)).unwrap_or(text.len());
    let scheme = scheme_length(text);
    let body = &text[scheme..];
    let head = ends(body);
    let goes_on = !is_of_the_web(&text[..scheme]) && begins_a_password(&body[..head], begins);
    let at = match goes_on {
        true if begins => body.rfind('@'),
        true if !body[..head].contains('@') => body.find('@'),
        _ => None,
    };
    let mut end = at.filter(|at| *at > head).map_or(head, |at| at + ends(&body[at..]));
    // The stroke before a quote belongs to the quote.
    if body[end..].starts_with('"') && body[..end].ends_with('\\') {
        end -= 1;
    }
    let account = body[..end].rfind('@');
    if !is_open || account.is_none() && goes_on {
        return scheme + end;
    }
    let behind = account.unwrap_or(0);
    let word = body[behind..end].find([';', ')', '|', '}']).map_or(end, |at| behind + at);
    // A password in the query may have such a character, if it is not the last.
    let pair = body[behind..word].rsplit(['?', '&']).next().unwrap_or_default();
    let is_secret = called_password(&pair.to_ascii_lowercase(), 0).is_some() && word + 1 < end;
    scheme + if is_secret { end } else { word }
}

/// Whether a password may have begun in this beginning of an address, `user:pass`. Digits are a port.
fn begins_a_password(head: &str, begins: bool) -> bool {
    let host = if head.starts_with('[') { head.find(']').unwrap_or(0) } else { 0 };
    let Some((_, behind)) = head[host..].split_once(':') else { return false };
    let word = &behind[..behind.find(['/', '?', '#', '@']).unwrap_or(behind.len())];
    match word.is_empty() {
        true => begins,
        false => !word.trim_end_matches([',', '.', ')', ';']).bytes().all(|b| b.is_ascii_digit()),
    }
}

/// The length of `mysql://`, `jdbc:mysql://`, `mysql:`; any other `//` is inside the address.
fn scheme_length(address: &str) -> usize {
    let lower = address.to_ascii_lowercase();
    let scheme = SCHEMES.iter().find(|s| lower.starts_with(**s)).map_or(0, |s| s.len());
    match address.split_once("//") {
        Some((before, _)) if scheme == before.len() || is_scheme(before) => before.len() + 2,
        _ => scheme,
    }
}

/// Whether these addresses are of the web, where `@` and `:` may stand in a path: only what is before the path is an account.
fn is_of_the_web(scheme: &str) -> bool {
    ["http://", "https://", "ftp://", "ws://", "wss://"].iter().any(|web| scheme.eq_ignore_ascii_case(web))
}

/// An address as it may be shown. If it cannot be parsed, everything in the position of a password is removed.
fn without_password(address: &str) -> String {
    match Dsn::parse(address) {
        Ok(dsn) if dsn.password.is_none() => return address.to_owned(),
        Ok(dsn) => return without_that_of_account(address, &dsn).unwrap_or_else(|| dsn.to_string()),
        Err(_) => {}
    }
    let (head, rest) = address.split_at(scheme_length(address));
    if is_of_the_web(head) {
        return redact_web(address);
    }
    let Some(colon) = rest.find(':') else { return head.to_owned() + &values_hidden(rest) };
    let behind = &rest[colon..];
    if let Some(at) = behind.rfind('@') {
        return format!("{head}{}{}", &rest[..colon], values_hidden(&behind[at..]));
    }
    // A port, or a password if the host is missing.
    let end = behind.find(['/', '?']).unwrap_or(behind.len());
    let port = behind[1..end].bytes().all(|b| b.is_ascii_digit());
    let port = if port { &behind[..end] } else { ":…" };
    format!("{head}{}{port}{}", &rest[..colon], values_hidden(&behind[end..]))
}

/// The address as it is written but for the password of its account, if it has no other: a command that reads it may know other options than we
/// write.
fn without_that_of_account(address: &str, dsn: &Dsn) -> Option<String> {
    let (head, rest) = address.split_at(scheme_length(address));
    let (colon, at) = (rest.find(':')?, rest.rfind('@')?);
    let shown = format!("{head}{}{}", rest.get(..colon)?, rest.get(at..)?);
    let is_same =
        Dsn::parse(&shown).is_ok_and(|other| other.password.is_none() && other.to_string() == dsn.to_string());
    (colon < at && is_same).then_some(shown)
}

/// Whether this is a scheme such as `mysql:`, and not an account that contains the word.
fn is_scheme(text: &str) -> bool {
    let word = text.strip_prefix("jdbc:").unwrap_or(text).strip_suffix(':');
    word.is_some_and(|word| word.bytes().all(|b| b.is_ascii_alphanumeric() || b"+-.".contains(&b)))
}

/// Redacts the value of every option that is not one of ours.
fn values_hidden(rest: &str) -> String {
    let Some((base, query)) = rest.split_once('?') else { return rest.to_owned() };
    let one = |pair: &str| match pair.split_once('=') {
        Some((name, _)) if !options::is_known(&unescape(name)) => format!("{name}=…"),
        _ => pair.to_owned(),
    };
    format!("{base}?{}", query.split('&').map(one).collect::<Vec<_>>().join("&"))
}

/// Redacts x in `password = "x"` and `mysql_password = x`, but not the values of `password_env` and `password_file`.
fn redact_named(line: &str) -> String {
    let lower = line.to_ascii_lowercase();
    let mut out = String::with_capacity(line.len());
    let mut done = 0;
    while let Some(at) = called_password(&lower, done) {
        let word = &lower[at..];
        let name_end =
            at + word.find(|c: char| !c.is_ascii_alphanumeric() && c != '_' && c != '-').unwrap_or(word.len());
        out.push_str(&line[done..name_end]);
        done = name_end;
        let after = line[name_end..].trim_start_matches(['"', '\'', ' ', '\t']);
        // Names of variables and of files.
        let is_no_secret = ["_env", "_file", "passfile"].iter().any(|end| lower[..name_end].ends_with(end));
        if is_no_secret || !after.starts_with('=') {
            continue;
        }
        let value = line.len() - after.len() + 1;
        out.push_str(&line[name_end..value]);
        let bare = line[value..].trim_start();
        let from = line.len() - bare.len();
        out.push_str(&line[value..from]);
        match bare.chars().next() {
            Some(quote @ ('"' | '\'')) => {
                out.extend([quote, '…']);
                done = from + 1 + closing_quote(&bare[1..], Some(quote));
            }
            _ => {
                out.push('…');
                done = from + bare.find(['"', '\'', '&', ',', ' ', '}']).unwrap_or(bare.len());
            }
        }
    }
    out.push_str(&line[done..]);
    out
}

/// Redacts the literals of SQL that are passwords: `PASSWORD 'x'`, `IDENTIFIED BY 'x'`, `IDENTIFIED VIA … USING PASSWORD('x')`,
/// `SET PASSWORD FOR … = 'x'`.
fn redact_statements(line: &str) -> String {
    let lower = line.to_ascii_lowercase();
    let names = ["password", "identified", "set password for"].into_iter();
    let mut literals: Vec<(usize, char)> = names
        .flat_map(|name| lower.match_indices(name))
        .filter_map(|(at, name)| literal_of(line, at + name.len(), name))
        .collect();
    literals.sort_unstable();
    let (mut out, mut done, mut quotes) = (String::with_capacity(line.len()), 0, Quotes::default());
    for (at, quote) in literals {
        // One that ends a text begins none.
        if at < done || quotes.open_at(line, at) == Some(quote) {
            continue;
        }
        let (from, length) = (at + 1, closing_quote(&line[at + 1..], Some(quote)));
        if from + length < line.len() {
            out.push_str(&line[done..from]);
            out.push('…');
            done = from + length;
        }
    }
    out.push_str(&line[done..]);
    out
}

/// The most characters between these words and the literal.
const LONGEST_CLAUSE: usize = 200;

/// Where the literal begins that belongs to these words, which end at `from`, and its quote.
fn literal_of(line: &str, from: usize, words: &str) -> Option<(usize, char)> {
    let next = |from: usize, what: &[char]| {
        let mut near = line[from..].char_indices().take(LONGEST_CLAUSE);
        Some(from + near.find(|(_, c)| what.contains(c))?.0)
    };
    let from = match words {
        // Behind the account.
        "set password for" => next(from, &['='])? + 1,
        _ => from,
    };
    let at = next(from, &['\'', '"'])?;
    let between = &line[from..at];
    let is_word = |c: char| words == "identified" && (c.is_ascii_alphanumeric() || c == '_');
    let joins = !between.is_empty() && between.chars().all(|c| c.is_ascii_whitespace() || c == '(' || is_word(c));
    let quote = line[at..].chars().next()?;
    (joins || words == "set password for" && between.trim().is_empty()).then_some((at, quote))
}

/// Headers of HTTP that are logins, and the ends of the names of those that others have invented for it.
const LOGIN_HEADERS: [&str; 7] = ["authorization:", "cookie:", "-token:", "api-key:", "apikey:", "-auth:", "-key:"];

/// Redacts what follows `Authorization:` and the like, up to the quote that ends it.
fn redact_headers(line: &str) -> String {
    let lower = line.to_ascii_lowercase();
    let starts = LOGIN_HEADERS.iter().flat_map(|name| lower.match_indices(name).map(|(at, name)| at + name.len()));
    let mut starts: Vec<usize> = starts.collect();
    starts.sort_unstable();
    let (mut out, mut done, mut looked, mut quote) = (String::with_capacity(line.len()), 0, 0, None);
    for from in starts.into_iter().filter(|from| !line[*from..].trim_start().is_empty()) {
        if from < done {
            continue;
        }
        quote = line[looked..from].chars().rev().find(|c| matches!(c, '"' | '\'')).or(quote);
        looked = from;
        out.push_str(&line[done..from]);
        out.push_str(" …");
        done = from + quote.and_then(|quote| line[from..].find(quote)).unwrap_or(line.len() - from);
    }
    out.push_str(&line[done..]);
    out
}

/// Redacts the passwords among the words of commands: `-u user:password` of curl, and `-ppassword` of the programs of MySQL.
fn redact_commands(line: &str) -> String {
    let of_mysql = ["mysql", "mariadb"].iter().any(|name| line.contains(name));
    if !line.contains("-u") && !line.contains("--user") && !of_mysql {
        return line.to_owned();
    }
    let (mut out, mut is_account) = (String::with_capacity(line.len()), false);
    let (mut at, mut quotes, mut quoted) = (0, Quotes::default(), None);
    for part in line.split_inclusive([' ', '\t', '"', '\'', ';', '|', '&', ')']) {
        let word = part.trim_end_matches([' ', '\t', '"', '\'', ';', '|', '&', ')']);
        let behind = &part[word.len()..];
        at += part.len();
        // A password in quotes, up to the one that ends it.
        if let Some(quote) = quoted {
            if behind.contains(quote) {
                out.push('…');
                out.push_str(behind);
                quoted = None;
            }
            continue;
        }
        let account = if is_account { Some(word) } else { word.strip_prefix("--user=") };
        match account.and_then(|account| account.split_once(':')) {
            // The user and the group of a container are numbers.
            Some((_, secret))
                if !secret.is_empty() && !secret.bytes().all(|b| b.is_ascii_digit()) && !secret.starts_with('$') =>
            {
                out.push_str(&word[..word.len() - secret.len()]);
                out.push('…');
            }
            _ => match word.strip_prefix("-p").filter(|_| of_mysql) {
                Some(secret) if is_attached(secret) => out.push_str("-p…"),
                _ => out.push_str(word),
            },
        }
        out.push_str(behind);
        let begins = behind.chars().next().filter(|c| of_mysql && word == "-p" && matches!(c, '"' | '\''));
        // One that ends the text around the command begins nothing.
        quoted = begins
            .filter(|quote| quotes.open_at(line, at - behind.len()) != Some(*quote) && line[at..].contains(*quote));
        is_account = (["-u", "--user"].contains(&word) || (word.is_empty() && is_account))
            && !behind.contains([';', '|', '&', ')']);
    }
    out
}

/// Whether this follows `-p` as a password does: no port, path, variable, or part of another option.
fn is_attached(secret: &str) -> bool {
    !secret.is_empty() && !secret.bytes().all(|b| b.is_ascii_digit()) && !secret.starts_with(['/', '$', '-', '…', '`'])
}

/// The position from `from` on at which a name contains a word for a password.
fn called_password(lower: &str, from: usize) -> Option<usize> {
    const WORDS: [&[u8]; 4] = [b"pass", b"pasw", b"pwd", b"secret"];
    let bytes = &lower.as_bytes()[from..];
    let begins = |rest: &[u8]| WORDS.iter().any(|word| rest.starts_with(word));
    (0..bytes.len()).find(|at| matches!(bytes[*at], b'p' | b's') && begins(&bytes[*at..])).map(|at| from + at)
}

#[cfg(test)]
mod tests;
