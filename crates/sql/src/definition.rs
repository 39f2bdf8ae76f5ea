//! What the texts of statements name: the columns of a table that is created, and the table that a statement needs.

use crate::language::Dialect;
use crate::statement::of_text;
use crate::words::{MOST_WORDS, is_of_word, words};

/// The columns of the table that a statement creates, if all of them stand in its text. The first words of constraints are among them.
pub(crate) fn columns_of(text: &[u8], dialect: Dialect) -> Option<Vec<String>> {
    let all = definitions_of(text, dialect)?;
    Some(all.into_iter().filter_map(|words| words.into_iter().next()).map(|name| name.replace('"', "")).collect())
}

/// The columns that a statement creates which every row must give a value: `NOT NULL`, and nothing in the definition that would give one.
pub(crate) fn columns_without_default(text: &[u8], dialect: Dialect) -> Vec<String> {
    const GIVES: [&str; 11] = [
        "DEFAULT",
        "AUTO_INCREMENT",
        "AUTOINCREMENT",
        "GENERATED",
        "AS",
        "IDENTITY",
        "SERIAL",
        "BIGSERIAL",
        "SMALLSERIAL",
        // MariaDB gives the first one the time of now.
        "TIMESTAMP",
        "VIRTUAL",
    ];
    let needs = |words: &Vec<String>| {
        let upper: Vec<String> = words.iter().map(|word| word.to_ascii_uppercase()).collect();
        let is_needed = upper.windows(2).any(|two| two[0] == "NOT" && two[1] == "NULL");
        // SQLite numbers its rows.
        let is_numbered =
            upper.get(1).is_some_and(|kind| kind == "INTEGER") && upper.iter().any(|word| word == "PRIMARY");
        let is_needed = is_needed && !is_numbered;
        is_needed && !upper.iter().skip(1).any(|word| GIVES.contains(&word.as_str()) || word.starts_with("SERIAL"))
    };
    // A check says NOT NULL too.
    let is_column = |words: &Vec<String>| {
        let first = words.first().map(|word| word.to_ascii_uppercase()).unwrap_or_default();
        !["CHECK", "CONSTRAINT", "PRIMARY", "FOREIGN", "UNIQUE", "KEY", "INDEX", "EXCLUDE"].contains(&first.as_str())
            && !words.iter().any(|word| word.eq_ignore_ascii_case("CHECK"))
    };
    let all = definitions_of(text, dialect).unwrap_or_default();
    all.into_iter()
        .filter(|words| is_column(words) && needs(words))
        .filter_map(|words| words.into_iter().next())
        .map(|name| name.replace('"', ""))
        .collect()
}

/// The words of each column and constraint of the table that a statement creates, if all of them stand in its text.
fn definitions_of(text: &[u8], dialect: Dialect) -> Option<Vec<Vec<String>>> {
    let words = words(text, dialect);
    let upper: Vec<String> = words.iter().map(|word| word.to_ascii_uppercase()).collect();
    // Columns of other tables, which are not seen.
    if upper.iter().any(|word| ["LIKE", "AS", "INHERITS", "OF", "SELECT"].contains(&word.as_str())) {
        return None;
    }
    let open = upper.iter().position(|word| word == "(")?;
    let (mut depth, mut begins, mut columns) = (0_usize, true, Vec::<Vec<String>>::new());
    for word in &words[open..] {
        match word.as_str() {
            "(" => depth += 1,
            ")" => depth = depth.checked_sub(1)?,
            "," => {
                begins |= depth == 1;
                continue;
            }
            _ if begins && depth == 1 => {
                columns.push(vec![word.clone()]);
                begins = false;
            }
            _ => columns.last_mut().into_iter().for_each(|words| words.push(word.clone())),
        }
        if depth == 0 {
            return Some(columns);
        }
    }
    None
}

/// The table of the connection's schema that a statement needs, if it is certain: it has no schema and no variable, and is no result of a function or
/// of another query.
pub(crate) fn named_table(text: &[u8], dialect: Dialect) -> Option<String> {
    let words = words(text, dialect);
    let upper: Vec<String> = words.iter().map(|word| word.to_ascii_uppercase()).collect();
    if words.len() >= MOST_WORDS {
        return None;
    }
    let what = of_text(text, dialect);
    let at = match what.verb.as_str() {
        "INSERT" | "UPDATE" | "DELETE" | "REPLACE" if what.sure => {
            let table = what.table.as_ref()?;
            words.iter().position(|word| word == table)?
        }
        "SELECT" => {
            let mut depth = 0_i32;
            let mut from = upper.iter().enumerate().filter(|(at, word)| {
                depth += i32::from(*word == "(") - i32::from(*word == ")");
                // `a IS DISTINCT FROM b` compares values.
                depth == 0 && *word == "FROM" && (*at == 0 || upper[at - 1] != "DISTINCT")
            });
            let (first, second) = (from.next()?.0, from.next());
            // One of them may be a column whose name is in quotes.
            if second.is_some() {
                return None;
            }
            first + 1
        }
        _ => return None,
    };
    let (name, next) = (words.get(at)?, words.get(at + 1).map(String::as_str));
    // `INSERT INTO t (a, b)` names columns.
    let is_call = next == Some("(") && what.verb == "SELECT";
    let lower = name.to_ascii_lowercase();
    // Rows of the server itself, functions of SQLite that need no arguments, and MariaDB's engine of sequences.
    let is_of_server = ["pg_", "sqlite_", "pragma_", "seq_"].iter().any(|prefix| lower.starts_with(prefix))
        || ["dual", "only", "lateral", "unnest", "table", "json_table", "select", "values", "dbstat"]
            .contains(&lower.as_str());
    let is_plain = name.bytes().all(|byte| is_of_word(byte) && byte != b'.' && byte != b':' && byte != b'@');
    (!name.is_empty() && is_plain && !is_call && !is_of_server).then(|| name.clone())
}

/// Whether tables may exist after a statement whose creation is not seen.
pub(crate) fn may_create(text: &[u8], dialect: Dialect) -> bool {
    let words = words(text, dialect);
    let upper: Vec<String> = words.iter().map(|word| word.to_ascii_uppercase()).collect();
    let verb = upper.first().map_or("", String::as_str);
    ["CALL", "DO", "EXECUTE", "PREPARE", "ATTACH", "RENAME", "ALTER"].contains(&verb)
        || (verb == "SELECT" && upper.iter().any(|word| word == "INTO"))
        || (verb == "CREATE"
            && upper.iter().take(6).any(|word| ["VIEW", "SCHEMA", "DATABASE"].contains(&word.as_str())))
        || (words.len() >= MOST_WORDS && !["INSERT", "REPLACE"].contains(&verb))
}
