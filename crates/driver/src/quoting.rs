//! Names and texts in SQL: the only place that quotes them.

use tenbin_model::dsn::Scheme;

/// How a database reads quoted names and texts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Quoting {
    name: char,
    backslash: Backslash,
}

/// What a backslash in a text is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Backslash {
    /// The letter.
    Letter,
    /// An escape character, so that the letter is written twice.
    Escape,
    /// Depends on a setting (`standard_conforming_strings`); the form `E'…'`, in which it is an escape character, does not.
    Depends,
}

impl Quoting {
    /// MySQL and MariaDB, unless `sql_mode` contains `NO_BACKSLASH_ESCAPES`.
    pub const MYSQL: Quoting = Quoting { name: '`', backslash: Backslash::Escape };
    /// MySQL and MariaDB with that mode.
    pub const MYSQL_WITHOUT_ESCAPES: Quoting = Quoting { name: '`', backslash: Backslash::Letter };
    /// PostgreSQL, whatever its settings.
    pub const POSTGRES: Quoting = Quoting { name: '"', backslash: Backslash::Depends };
    /// SQLite.
    pub const SQLITE: Quoting = Quoting { name: '"', backslash: Backslash::Letter };

    /// That of a kind of database with its usual settings. A connection knows those in force (`Connection::quoting`).
    pub fn of(scheme: Scheme) -> Quoting {
        match scheme {
            Scheme::Mysql | Scheme::Null | Scheme::Host => Quoting::MYSQL,
            Scheme::Postgres => Quoting::POSTGRES,
            Scheme::Sqlite => Quoting::SQLITE,
        }
    }

    /// A name between quotes.
    pub fn name(self, name: &str) -> String {
        let mut sql = String::with_capacity(name.len() + 2);
        sql.push(self.name);
        for c in name.chars() {
            sql.extend(std::iter::repeat_n(c, 1 + usize::from(c == self.name)));
        }
        sql.push(self.name);
        sql
    }

    /// A text between quotes.
    pub fn text(self, text: &str) -> String {
        let escapes = self.backslash == Backslash::Depends && text.contains('\\');
        let mut sql = String::with_capacity(text.len() + 2);
        sql.push_str(if escapes { "E'" } else { "'" });
        for c in text.chars() {
            let doubled = c == '\'' || c == '\\' && (escapes || self.backslash == Backslash::Escape);
            sql.extend(std::iter::repeat_n(c, 1 + usize::from(doubled)));
        }
        sql.push('\'');
        sql
    }

    /// Texts between quotes, separated by commas.
    pub fn texts(self, texts: impl IntoIterator<Item = impl AsRef<str>>) -> String {
        texts.into_iter().map(|text| self.text(text.as_ref())).collect::<Vec<_>>().join(", ")
    }

    /// Appends a text between quotes to a statement that is built byte by byte, without the form `E'…'`.
    #[inline]
    pub fn push_text(self, text: &[u8], out: &mut Vec<u8>) {
        out.push(b'\'');
        for &byte in text {
            if byte == b'\'' || byte == b'\\' && self.backslash == Backslash::Escape {
                out.push(byte);
            }
            out.push(byte);
        }
        out.push(b'\'');
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_have_the_quotes_of_their_dialect_doubled() {
        let all = [Quoting::MYSQL, Quoting::POSTGRES, Quoting::SQLITE].map(|of| of.name("a`b\"c"));
        assert_eq!(all, ["`a``b\"c`", "\"a`b\"\"c\"", "\"a`b\"\"c\""]);
    }

    #[test]
    fn a_text_is_read_back_as_it_was() {
        let all = [Quoting::MYSQL, Quoting::MYSQL_WITHOUT_ESCAPES, Quoting::POSTGRES, Quoting::SQLITE];
        assert_eq!(all.map(|of| of.text("it's")), ["'it''s'"; 4]);
        assert_eq!(all.map(|of| of.text("C:\\n")), ["'C:\\\\n'", "'C:\\n'", "E'C:\\\\n'", "'C:\\n'"]);
        assert_eq!(Quoting::SQLITE.texts(["a", "b'"]), "'a', 'b'''");
        let pushed = |of: Quoting| {
            let mut out = Vec::new();
            of.push_text(b"it's \\", &mut out);
            String::from_utf8(out).unwrap()
        };
        assert_eq!(all.map(pushed), ["'it''s \\\\'", "'it''s \\'", "'it''s \\'", "'it''s \\'"]);
    }
}
