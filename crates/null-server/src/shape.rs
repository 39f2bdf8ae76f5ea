//! What a statement's text asks for, seen from its outside: no grammar, only first words, the list of columns, and how
//! many rows.

/// What is asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StatementShape<'a> {
    /// INSERT, UPDATE, DELETE, REPLACE: one row changed.
    Write,
    /// BEGIN, COMMIT, SET, CREATE, …: done, no row.
    Done,
    /// A SELECT from a table.
    Rows {
        /// The text between SELECT and FROM.
        columns: &'a str,
        /// How many rows.
        rows: HowMany,
    },
    /// A SELECT without FROM: the text of its expressions.
    Expressions(&'a str),
    /// A SELECT from the catalogue.
    Catalogue {
        /// The text between SELECT and FROM.
        columns: &'a str,
        /// The table asked about; empty when none is named.
        table: &'a str,
    },
    /// SHOW …: what stands after it.
    Show(&'a str),
    /// LOAD DATA LOCAL INFILE: the file's name.
    LoadLocal(&'a str),
    /// `RESET NULL_SERVER`.
    Reset,
}

/// Rows of a SELECT.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum HowMany {
    /// By a key, or an aggregate.
    One,
    /// As many as `--rows` says.
    Range,
    /// As many as stand in `IN (…)` or after LIMIT.
    Listed(u32),
}

/// More than this many rows are not made, whatever LIMIT says.
const MOST_ROWS: u32 = 10_000;

/// Looks at a statement.
pub fn shape(sql: &str) -> StatementShape<'_> {
    let sql = sql.trim_matches(|c: char| c.is_whitespace() || c == ';' || c == '(');
    let (word, rest) = first_word(sql);
    if is(word, "SELECT") {
        return select(rest);
    }
    if ["INSERT", "UPDATE", "DELETE", "REPLACE"].iter().any(|w| is(word, w)) {
        return StatementShape::Write;
    }
    if is(word, "SHOW") {
        return StatementShape::Show(rest);
    }
    if is(word, "LOAD") {
        return load(rest);
    }
    if is(word, "RESET") && is(first_word(rest).0, "NULL_SERVER") {
        return StatementShape::Reset;
    }
    StatementShape::Done
}

fn select(rest: &str) -> StatementShape<'_> {
    let Some(from) = find(rest, " FROM ") else { return StatementShape::Expressions(rest) };
    let (columns, tail) = (rest[..from].trim(), &rest[from + 6..]);
    if starts(tail.trim_start(), "information_schema.") {
        let name = find(tail, "TABLE_NAME='").map(|at| &tail[at + 12..]);
        return StatementShape::Catalogue { columns, table: name.and_then(|n| n.split('\'').next()).unwrap_or("") };
    }
    let parts = tail.matches(" UNION ALL ").count() as u32;
    let rows = if split(columns).any(is_aggregate) {
        HowMany::One
    } else if parts > 0 {
        // One of each part.
        HowMany::Listed((parts + 1).min(MOST_ROWS))
    } else if let Some(at) = find(tail, " LIMIT ") {
        let digits = tail[at + 7..].trim_start();
        let end = digits.find(|c: char| !c.is_ascii_digit()).unwrap_or(digits.len());
        HowMany::Listed(digits[..end].parse().unwrap_or(1).min(MOST_ROWS))
    } else if find(tail, "BETWEEN ").is_some() || find(tail, " WHERE ").is_none() {
        HowMany::Range
    } else if let Some(at) = find(tail, " IN (") {
        HowMany::Listed((tail[at..].matches(',').count() as u32 + 1).min(MOST_ROWS))
    } else {
        HowMany::One
    };
    StatementShape::Rows { columns, rows }
}

fn load(rest: &str) -> StatementShape<'_> {
    let name = find(rest, "LOCAL INFILE").map(|at| rest[at + 12..].trim_start());
    let name = name.and_then(|n| n.strip_prefix(['\'', '"'])).and_then(|n| n.split(['\'', '"']).next());
    name.map_or(StatementShape::Done, StatementShape::LoadLocal)
}

/// Splits a list at the commas outside parentheses and quotes.
pub fn split(list: &str) -> impl Iterator<Item = &str> {
    let (mut depth, mut quote) = (0i32, None);
    list.split(move |c: char| {
        match (quote, c) {
            (Some(q), _) if c == q => quote = None,
            (Some(_), _) => {}
            (None, '\'' | '"' | '`') => quote = Some(c),
            (None, '(') => depth += 1,
            (None, ')') => depth -= 1,
            (None, ',') => return depth == 0,
            _ => {}
        }
        false
    })
    .map(str::trim)
}

/// Whether an expression makes one row of many.
pub fn is_aggregate(expression: &str) -> bool {
    ["COUNT(", "SUM(", "AVG(", "MIN(", "MAX("].iter().any(|f| starts(expression, f))
}

/// The number of parameters: `?` outside quotes.
pub fn parameters(sql: &str) -> u16 {
    let mut quote = None;
    let marks = sql.chars().filter(|c| match quote {
        Some(q) => {
            if *c == q {
                quote = None;
            }
            false
        }
        None if matches!(c, '\'' | '"' | '`') => {
            quote = Some(*c);
            false
        }
        None => *c == '?',
    });
    marks.count().min(u16::MAX.into()) as u16
}

/// Where `needle` (upper case) stands, ignoring case.
pub fn find(text: &str, needle: &str) -> Option<usize> {
    let (text, needle) = (text.as_bytes(), needle.as_bytes());
    text.windows(needle.len()).position(|w| w.eq_ignore_ascii_case(needle))
}

/// Whether the text starts with `prefix`, ignoring case.
pub fn starts(text: &str, prefix: &str) -> bool {
    text.as_bytes().get(..prefix.len()).is_some_and(|t| t.eq_ignore_ascii_case(prefix.as_bytes()))
}

/// The first word and what follows it.
pub fn first_word(text: &str) -> (&str, &str) {
    let text = text.trim_start();
    let end = text.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(text.len());
    (&text[..end], text[end..].trim())
}

fn is(word: &str, keyword: &str) -> bool {
    word.eq_ignore_ascii_case(keyword)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn statements_of_the_oltp_workloads() {
        let rows = |columns, rows| StatementShape::Rows { columns, rows };
        for (sql, expected) in [
            ("SELECT c FROM sbtest1 WHERE id=?", rows("c", HowMany::One)),
            ("SELECT c FROM sbtest1 WHERE id BETWEEN ? AND ?", rows("c", HowMany::Range)),
            ("SELECT SUM(k) FROM sbtest1 WHERE id BETWEEN ? AND ?", rows("SUM(k)", HowMany::One)),
            (
                "select distinct c from sbtest1 where id between 5 and 104 order by c",
                rows("distinct c", HowMany::Range),
            ),
            ("SELECT id, k, c, pad FROM sbtest1 WHERE k IN (?, ?, ?)", rows("id, k, c, pad", HowMany::Listed(3))),
            ("SELECT id FROM sbtest1 ORDER BY id LIMIT 7", rows("id", HowMany::Listed(7))),
            ("(SELECT id FROM a LIMIT 1) UNION ALL (SELECT id FROM a LIMIT 1)", rows("id", HowMany::Listed(2))),
            (
                "SELECT count(*) FROM information_schema.TABLES WHERE TABLE_SCHEMA=DATABASE() AND TABLE_NAME='t'",
                StatementShape::Catalogue { columns: "count(*)", table: "t" },
            ),
            ("UPDATE sbtest1 SET k=k+1 WHERE id=?", StatementShape::Write),
            ("insert into sbtest1 (id, k) values (1, 2)", StatementShape::Write),
            ("BEGIN", StatementShape::Done),
            ("CREATE TABLE t(id int)", StatementShape::Done),
            (" select @@version_comment limit 1;", StatementShape::Expressions("@@version_comment limit 1")),
            ("SHOW VARIABLES LIKE 'max%'", StatementShape::Show("VARIABLES LIKE 'max%'")),
            ("LOAD DATA LOCAL INFILE 'stream' INTO TABLE t", StatementShape::LoadLocal("stream")),
            ("reset null_server", StatementShape::Reset),
            ("", StatementShape::Done),
        ] {
            assert_eq!(shape(sql), expected, "{sql}");
        }
    }

    #[test]
    fn question_marks_in_quotes_are_no_parameters() {
        assert_eq!(parameters("SELECT '?', \"?\", `?` FROM t WHERE a=? AND b='it''s?' AND c=?"), 2);
    }

    #[test]
    fn commas_in_parentheses_do_not_split() {
        let parts: Vec<&str> = split("a, IF(b, c, d), 'x,y'").collect();
        assert_eq!(parts, ["a", "IF(b, c, d)", "'x,y'"]);
    }
}
