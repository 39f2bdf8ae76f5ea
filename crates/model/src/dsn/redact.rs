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
    redact_commands(&redact_headers(&redact_named(&out)))
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
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn no_password_survives() {
        let shown = redact(concat!(
            "dsn = \"mysql://bench:s3cret@host:3306/x\" # mysql://a:s3cret@b\n",
            "dsn = 'mysql://bench:s3:c@ret@[::1]:3306'\n",
            "dsn = \"mysql://bench@host?password=s3cret\"\n",
            "dsn = \"mysql:bench:s3cret@host/x\"\n",
            "dsn = \"mysql://bench@host:3306/x?tls=required\"\n",
            "dsn = \"mysql://bench:s3cret\"\n",
            "dsn = \"mysql://bench@host:99999/x?tsl=required&tls=required\"\n",
            "password_env = \"THE_ENV\"\n",
            "a = { password = \"s3\\\"cret\", b = 1 }\n",
            "dsn = \"mysql://bench:my s3cr\\\"et@host\"\n",
        ));
        insta::assert_snapshot!(shown, @r#"
        dsn = "mysql://bench@host:3306/x" # mysql://a@b
        dsn = 'mysql://bench@[::1]:3306'
        dsn = "mysql://bench@host"
        dsn = "mysql:bench@host/x"
        dsn = "mysql://bench@host:3306/x?tls=required"
        dsn = "mysql://bench:…"
        dsn = "mysql://bench@host:99999/x?tsl=…&tls=required"
        password_env = "THE_ENV"
        a = { password = "…", b = 1 }
        dsn = "mysql://bench@host"
        "#);
    }

    #[test]
    fn what_is_no_address_stays_as_it_is() {
        for line in [
            "# see https://example.com/a and mail bench@example.com",
            "note = \"see https://example.com:8080/x and ask me@example.com\"",
            "# https://example.com/a:b/@user/x, me@example.com",
            "# mysql://db:3306/x is slow, ask me@example.com",
            "note = 'mysql://db:3306 is slow, ask me@example.com'",
            "# connect to mysql://db: ask me@example.com",
            "# mysql://[::1]:3306/x, ask me@example.com",
            "start = \"curl http://h/ready && mail -s 'a: b' me@example.com\"",
            "# mysql://app@db, postgres://app@db, and me@example.com at 12:30",
            "a = \"x // b: c\" # me@example.com",
            "see <https://example.com> or \"https://example.com\": me@example.com",
        ] {
            assert_eq!(redact(line), line);
        }
    }

    #[test]
    fn a_password_in_a_sentence_is_hidden_and_the_sentence_stays() {
        for (line, shown) in [
            ("# mysql://a:s3cret@b is slow, ask me@x.org", "# mysql://a@b is slow, ask me@x.org"),
            ("# a:s3cret@b is slow, ask me@x.org", "# a@b is slow, ask me@x.org"),
            ("run = 'x mysql://a:my s3cret@b && mail me@x.org'", "run = 'x mysql://a@b && mail me@x.org'"),
            ("# https://a:s3cret@b/c, ask me@x.org", "# https://a@b/c, ask me@x.org"),
            ("r1 = \"mysql://a:p@s3cret s3cret@b\" # me@x.org", "r1 = \"mysql://a@b\" # me@x.org"),
            ("mysql://a:p@s3cret s3cret@b", "mysql://a@b"),
        ] {
            assert_eq!(redact(line), shown);
        }
    }

    #[test]
    fn what_is_a_secret_in_commands_and_addresses_of_the_web_is_hidden() {
        for (line, shown) in [
            (
                "http://u:Zq9@db:9104/metrics?token=Zq9&collect[]=standard",
                "http://u@db:9104/metrics?token=…&collect[]=standard",
            ),
            ("https://db/probe?module=a&target=db:3306", "https://db/probe?module=a&target=db:3306"),
            ("https://db/probe?target=u:Zq9@db:3306", "https://db/probe?target=…"),
            ("https://db/probe?Zq9", "https://db/probe?…"),
            ("curl -H \"Authorization: Bearer Zq9\" https://h/x", "curl -H \"Authorization: …\" https://h/x"),
            ("curl -H 'X-Vault-Token: Zq9' -H 'x-api-key: Zq9' h", "curl -H 'X-Vault-Token: …' -H 'x-api-key: …' h"),
            ("curl -u bench:Zq9 --user=a:Zq9 h", "curl -u bench:… --user=a:… h"),
            ("mysql -ubench -pZq9 -P3306 d", "mysql -ubench -p… -P3306 d"),
            ("mariadb -u bench -p'Zq9 & x' d", "mariadb -u bench -p'…' d"),
            ("mariadb -u bench -p\"Zq9\" d", "mariadb -u bench -p\"…\" d"),
        ] {
            assert_eq!(redact(line), shown);
        }
        for line in [
            "docker run -u 1000:1000 mysql:8 -p 3306:3306",
            "mysql -u bench -p$PW && mkdir -p /tmp/x; psql -p5432",
            "curl -u \"$LOGIN\" https://h/x",
            "run = \"mysql -u bench -p\" # as \"root\"",
        ] {
            assert_eq!(redact(line), line);
        }
    }

    /// A plan is recorded so, and run again from there.
    #[test]
    fn addresses_in_commands_stay_and_lose_their_password_only() {
        for (before, behind) in [
            ("before_run = \"./w.sh --dsn=mysql://bench", "@db.example/app?tls=required; true\""),
            ("before_run = \"DATABASE_URL=postgres://bench", "@db/app?sslmode=require; echo x\""),
            ("DATABASE_URL=postgres://bench", "@db/app?sslmode=require; echo x"),
            ("before_run = 'psql postgres://bench", "@db/app?sslmode=require; true'"),
            ("x = \"(psql postgres://bench", "@db/app?sslmode=require)|cat\""),
            ("x = \"psql ${URL:-postgres://bench", "@db/app?sslmode=require} -c 'SELECT 1'\""),
            ("dsn=mysql://u", "@h/d"),
            ("--url=http://me", "@host/hook; true"),
        ] {
            let line = format!("{before}{behind}");
            assert_eq!(redact(&line), line);
            assert_eq!(redact(&format!("{before}:Zq;9|Zq9{behind}")), line);
        }
        for (line, shown) in [
            ("curl -s http://me@host/hook?x=1; true", "curl -s http://me@host/hook?x=…; true"),
            ("run = \"curl 'http://h/x?key=a;Zq9'; true\"", "run = \"curl 'http://h/x?key=…'; true\""),
            ("run = \"curl \\\"http://h/x?key=a;Zq9\\\"; true\"", "run = \"curl \\\"http://h/x?key=…\\\"; true\""),
            ("a = u:Zq9://x@h", "a = u@h"),
            ("# mysql://u@h/x?password=a;Zq9 is slow", "# mysql://u@h/x is slow"),
            ("x='psql postgres://u@h/d?password=Zq9; true'", "x='psql postgres://u@h/d; true'"),
            ("x='psql postgres://u@h/d?passfile=/p; true'", "x='psql postgres://u@h/d?passfile=/p; true'"),
        ] {
            assert_eq!(redact(line), shown);
        }
    }

    /// Positions in an address where a password may be written, valid or not.
    const PLACES: &[&str] = &[
        "mysql://u:SECRET@h/x",
        "mysql:u:SECRET@h/x",
        "mariadb:u:SECRET@h/x",
        "mysql://:SECRET@h",
        "mysql://u:SECRET@",
        "mysql://u:SECRET",
        "mysql://u:SECRET/x",
        "mysql://u:a/SECRET@h",
        "mysql://u:a?SECRET@h",
        "mysql://u:a@SECRET@h",
        "mysql://u:SECRET@h:99999999/x",
        "mysql://u:SECRET@[::1/x",
        "MYSQL://u:SECRET@h",
        "mysqll://u:SECRET@h",
        "u:SECRET@h/x",
        "jdbc:mysql://h/x?user=a&password=SECRET",
        "mysql+pymysql://u:SECRET@h/x",
        "mysql://u:SECRET@h/x?tsl=1",
        "mysql://u:SECRET@h/x?tls=required&tls=disabled",
        "mysql://u@h/x?password=SECRET",
        "mysql://u@h/x?passwd=SECRET&tls=required",
        "mysql://u@h/x?pwd=SECRET",
        "mysql://u@h/x?pass=SECRET",
        "mysql://u@h/x?PassWord=SECRET",
        "mysql://u@h/x?p%61ssword=SECRET",
        "mysql://u@h/x?my_password=SECRET",
        "mysql://u@h/x?sslpassword=SECRET",
        "mysql://u@h/x?token=SECRET",
        "postgres://u:SECRET@h/x",
        "postgresql:u:SECRET@h/x",
        "postgresql:///x?host=/run&user=a&password=SECRET",
        "postgres://u@h/x?pwd=SECRET&port=x",
        "postgres://u@h/x?sslpassword=SECRET",
        "postgresql:u:SECRET@ql://du:p@",
        "mysql:u:SECRET//x@h",
        "sqlite:/x?key=SECRET",
        "sqlite:/x?password=SECRET",
    ];

    proptest! {
        /// What is written around an address is shown, and a password with blanks, quotes and strokes is not.
        #[test]
        fn words_around_an_address_stay_and_no_password_does(
            before in "[a-z ,;.]{0,20}",
            after in "( [a-z]{1,6}(@[a-z]{1,5}\\.org)?[,;.]?){0,5}",
            account in "[a-z]{1,6}",
            secret in "[a-zA-Z][a-zA-Z0-9 /?#@'!$*+,;~^.|-]{4,10}Zq9",
            scheme in proptest::sample::select(vec!["mysql://", "postgres://", "mariadb:", "mysql+pymysql://"]),
        ) {
            let before = format!("# {before}");
            let in_sentence = secret.replace(['@', '\''], "_");
            let shown = redact(&format!("{before} {scheme}{account}:{in_sentence}@host{after}"));
            prop_assert!(shown.starts_with(&before) && shown.ends_with(&after), "{}", shown);
            prop_assert!(!shown.contains("Zq9"), "{}", shown);
            let plain = format!("{before} https://example.com:8080/{account}{after}");
            prop_assert_eq!(redact(&plain), plain);
            for key in ["dsn", "r1"] {
                let shown = redact(&format!("{key} = \"{scheme}{account}:{secret}@host\" #{after}"));
                prop_assert!(shown.ends_with(&format!("\" #{after}")) && !shown.contains("Zq9"), "{}", shown);
            }
        }

        /// Whatever an address looks like, nothing that parses or shows it reveals the password.
        #[test]
        fn a_password_comes_out_nowhere(
            place in proptest::sample::select(PLACES),
            secret in "[a-zA-Z0-9]{2}[a-zA-Z0-9!$*+,;~^.|-]{4,10}Zq9",
            coded: bool,
            quote in proptest::sample::select(vec!['"', '\'']),
        ) {
            let written: String = match coded {
                true => secret.bytes().map(|b| format!("%{b:02x}")).collect(),
                false => secret.clone(),
            };
            let address = place.replace("SECRET", &written);
            let read = Dsn::parse(&address);
            let mut texts = vec![format!("{read:?}")];
            match read {
                Ok(dsn) => texts.extend([dsn.to_string(), dsn.without_password()]),
                Err(p) => texts.push(p.to_string()),
            }
            let line = format!("dsn = {quote}{address}{quote} # {address}");
            texts.extend([redact(&line), redact(&address)]);
            let plan = format!("schema = 1\n[targets.a]\n{line}\n[[experiment]]\ntargets = [\"a\"]\n[experiment.load]\nworkload = \"cpu\"\n");
            match crate::plan::Plan::parse(&plan, &crate::workload::Catalog::EMPTY) {
                Ok(plan) => {
                    texts.push(plan.text.clone());
                    texts.extend(plan.notes.iter().map(ToString::to_string));
                    texts.push(format!("{plan:?}"));
                }
                Err(all) => texts.extend(all.iter().map(ToString::to_string)),
            }
            for text in texts {
                prop_assert!(!text.contains(&secret) && !text.contains(&written), "{} in {}", secret, text);
            }
        }
    }
}
