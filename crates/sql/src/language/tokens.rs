//! The words of an expression.

use super::error::ScriptErrorCode;
use super::names::is_name_byte;
use super::number;

/// One of them.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Token<'a> {
    Int(i64),
    /// 9223372036854775808, which is a number only with a minus sign.
    MinusMinimum,
    Double(f64),
    Variable(&'a str),
    /// The name of a function.
    Name(&'a str),
    Keyword(Keyword),
    Symbol(&'static str),
    End,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Keyword {
    And,
    Or,
    Not,
    Is,
    IsNull,
    NotNull,
    Null,
    True,
    False,
    Case,
    When,
    Then,
    Else,
    End,
}

const KEYWORDS: &[(&str, Keyword)] = &[
    ("and", Keyword::And),
    ("or", Keyword::Or),
    ("not", Keyword::Not),
    ("is", Keyword::Is),
    ("isnull", Keyword::IsNull),
    ("notnull", Keyword::NotNull),
    ("null", Keyword::Null),
    ("true", Keyword::True),
    ("false", Keyword::False),
    ("case", Keyword::Case),
    ("when", Keyword::When),
    ("then", Keyword::Then),
    ("else", Keyword::Else),
    ("end", Keyword::End),
];

/// Longer ones first.
const SYMBOLS: &[&str] =
    &["<=", ">=", "<>", "!=", "<<", ">>", "+", "-", "*", "/", "%", "&", "|", "#", "~", "<", ">", "=", "(", ")", ","];

/// Reads tokens from left to right.
#[derive(Debug)]
pub(super) struct Tokens<'a> {
    text: &'a str,
    /// The end of the last token.
    pub(super) at: usize,
}

impl<'a> Tokens<'a> {
    pub(super) fn new(text: &'a str) -> Tokens<'a> {
        Tokens { text, at: 0 }
    }

    /// The next one.
    pub(super) fn next(&mut self) -> Result<Token<'a>, ScriptErrorCode> {
        self.skip_space();
        let rest = &self.text[self.at..];
        let Some(first) = rest.bytes().next() else { return Ok(Token::End) };
        if first == b':' && rest[1..].bytes().next().is_some_and(is_name_byte) {
            let name = self.take_while(1, is_name_byte);
            return Ok(Token::Variable(&name[1..]));
        }
        if first.is_ascii_digit() || (first == b'.' && rest[1..].starts_with(|c: char| c.is_ascii_digit())) {
            return self.number();
        }
        if is_name_byte(first) && !first.is_ascii_digit() {
            let name = self.take_while(0, is_name_byte);
            let keyword = KEYWORDS.iter().find(|(word, _)| word.eq_ignore_ascii_case(name));
            return Ok(keyword.map_or(Token::Name(name), |(_, keyword)| Token::Keyword(*keyword)));
        }
        if let Some(symbol) = SYMBOLS.iter().find(|symbol| rest.starts_with(**symbol)) {
            self.at += symbol.len();
            return Ok(Token::Symbol(symbol));
        }
        let character = rest.chars().next().unwrap_or(' ');
        self.at += character.len_utf8();
        Err(ScriptErrorCode::UnexpectedCharacter(character))
    }

    /// White space, and the ends of lines that a backslash continues.
    fn skip_space(&mut self) {
        loop {
            let rest = &self.text[self.at..];
            let trimmed = rest.trim_start_matches(|c: char| c.is_ascii_whitespace() || c == '\u{b}');
            self.at += rest.len() - trimmed.len();
            match ["\\\n", "\\\r\n"].into_iter().find(|end| trimmed.starts_with(end)) {
                Some(end) => self.at += end.len(),
                None => return,
            }
        }
    }

    fn take_while(&mut self, from: usize, accept: impl Fn(u8) -> bool) -> &'a str {
        let rest = &self.text[self.at..];
        let length = rest.bytes().skip(from).take_while(|byte| accept(*byte)).count() + from;
        self.at += length;
        &rest[..length]
    }

    fn number(&mut self) -> Result<Token<'a>, ScriptErrorCode> {
        let start = self.at;
        let digits = |tokens: &mut Self| !tokens.take_while(0, |byte| byte.is_ascii_digit()).is_empty();
        digits(self);
        let mut whole = true;
        if self.text[self.at..].starts_with('.') {
            self.at += 1;
            digits(self);
            whole = false;
        }
        let exponent = &self.text[self.at..];
        if exponent.starts_with(['e', 'E']) {
            let sign = usize::from(exponent[1..].starts_with(['+', '-']));
            if exponent[1 + sign..].starts_with(|c: char| c.is_ascii_digit()) {
                self.at += 1 + sign;
                digits(self);
                whole = false;
            }
        }
        let text = &self.text[start..self.at];
        if text == "9223372036854775808" {
            return Ok(Token::MinusMinimum);
        }
        if whole {
            return text.parse().map(Token::Int).map_err(|_| ScriptErrorCode::IntOverflow(text.to_owned()));
        }
        let value = number::read_double(text.as_bytes());
        value.map(Token::Double).ok_or_else(|| ScriptErrorCode::DoubleOverflow(text.to_owned()))
    }
}
