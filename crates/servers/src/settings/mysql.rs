//! Variables of MySQL and MariaDB: read, tried beforehand, set, and waited for.

use super::{FormerValue, Present};
use std::collections::BTreeMap;
use std::time::{Duration, Instant};
use tenbin_driver::{Class, Connection, Error, Quoting};
use tenbin_model::stop::StopSignal;
use tenbin_model::variables::in_bytes;
use tenbin_words::message::foreign;
use tenbin_words::msg;

/// How long a change that the server makes in the background may take: a buffer pool of hundreds of GB.
const PATIENCE: Duration = Duration::from_secs(1800);
/// How often the server is asked whether it has ended.
const LOOK: Duration = Duration::from_millis(50);

/// What identifies a server.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Identifier {
    /// MySQL from 5.6 on: it is stored with its data.
    Stored(String),
    /// MariaDB from 10.11 on: a digest of its port and of the hardware address of its machine.
    OfMachine(String),
    /// Neither.
    None,
}

/// Host name, port and data directory of a server, and what identifies it.
pub async fn identity(c: &mut Connection) -> Result<(String, Identifier), Error> {
    let own = c.table("SELECT CONCAT_WS(' ', @@hostname, @@port, @@datadir)").await?;
    let own = own.scalar().unwrap_or_default().to_owned();
    for (variable, identifier) in
        [("server_uuid", Identifier::Stored as fn(String) -> Identifier), ("server_uid", Identifier::OfMachine)]
    {
        match c.table(&format!("SELECT @@{variable}")).await {
            Ok(table) => {
                if let Some(value) = table.scalar().filter(|value| !value.is_empty()) {
                    return Ok((own, identifier(value.to_owned())));
                }
            }
            Err(e) if e.class() == Class::Lost => return Err(e),
            // It has no such variable.
            Err(_) => {}
        }
    }
    Ok((own, Identifier::None))
}

/// All global variables.
pub async fn present(c: &mut Connection) -> Result<BTreeMap<String, Present>, Error> {
    let rows = c.table("SHOW GLOBAL VARIABLES").await?.rows;
    let value = |row: Vec<Option<String>>| {
        let [name, value] = <[_; 2]>::try_from(row).ok()?;
        Some((name?.to_lowercase(), Present::of(value.unwrap_or_default())))
    };
    Ok(rows.into_iter().filter_map(value).collect())
}

/// How long the server is up, seconds.
pub async fn uptime_s(c: &mut Connection) -> Result<u64, Error> {
    let row = c.table("SHOW GLOBAL STATUS LIKE 'Uptime'").await?.rows.into_iter().next();
    Ok(row.and_then(|row| row.into_iter().nth(1)?).and_then(|seconds| seconds.parse().ok()).unwrap_or_default())
}

/// Values that `SET PERSIST` has stored for the next start; nothing if the server does not know it.
pub async fn stored(c: &mut Connection) -> BTreeMap<String, String> {
    let table = c.table("SELECT VARIABLE_NAME, VARIABLE_VALUE FROM performance_schema.persisted_variables").await;
    let rows = table.map(|table| table.rows).unwrap_or_default();
    rows.into_iter()
        .filter_map(|row| {
            let [name, value] = <[_; 2]>::try_from(row).ok()?;
            Some((name?.to_lowercase(), value.unwrap_or_default()))
        })
        .collect()
}

/// Whether a variable could be set, without setting it: the value fails when it is calculated, which the server does
/// after everything else was checked. The error is that of the first check that fails, `None` if all pass.
pub async fn tried(c: &mut Connection, name: &str, persist: bool) -> Option<Error> {
    const SEVERAL_ROWS: &str = "1242";
    const OTHER_TYPE: &str = "1232";
    let verb = verb(persist);
    // Numbers, and texts for variables that take no numbers.
    for values in ["SELECT 1 UNION ALL SELECT 2", "SELECT 'a' UNION ALL SELECT 'b'"] {
        let error = c.query(&format!("{verb} {name} = ({values})")).await.err()?;
        if !error.is(OTHER_TYPE) {
            return (!error.is(SEVERAL_ROWS)).then_some(error);
        }
    }
    // Whether it takes a value of another type is seen when it is set.
    None
}

/// Sets a variable. Returns the server's warning, if it has one.
pub async fn set(c: &mut Connection, name: &str, value: &str, persist: bool) -> Result<Option<String>, Error> {
    let value = literal(value, c.quoting());
    c.query(&format!("{} {name} = {value}", verb(persist))).await?;
    let warnings = c.table("SHOW WARNINGS").await?.rows;
    Ok(warnings.into_iter().next().and_then(|row| row.into_iter().nth(2).flatten()))
}

/// Sets a variable to a value that the server has shown. An empty text may stand for NULL, and the word for the default is no text.
pub async fn set_shown(c: &mut Connection, name: &str, shown: &str) -> Result<(), Error> {
    let refusal = match set(c, name, shown, false).await {
        Ok(_) => return Ok(()),
        Err(error) => error,
    };
    let word = match shown {
        "" => "NULL",
        "DEFAULT" => "DEFAULT",
        _ => return Err(refusal),
    };
    c.query(&format!("SET GLOBAL {name} = {word}")).await.map(drop).map_err(|_| refusal)
}

/// Variables that are commands: what they have done is not in their value, and cannot be put back by it.
pub fn is_command(name: &str) -> bool {
    const NAMES: [&str; 4] =
        ["innodb_monitor_enable", "innodb_monitor_disable", "innodb_monitor_reset", "innodb_monitor_reset_all"];
    NAMES.contains(&name)
}

/// Puts back what `SET PERSIST` has stored.
pub async fn unstore(c: &mut Connection, name: &str, former: &FormerValue) -> Result<(), Error> {
    match &former.stored {
        // It sets the value in force as well, which is put back next.
        Some(stored) => {
            let stored = literal(stored, c.quoting());
            c.query(&format!("SET PERSIST {name} = {stored}")).await?
        }
        None => c.query(&format!("RESET PERSIST IF EXISTS {name}")).await?,
    };
    Ok(())
}

/// Waits for changes that the server makes in the background: the sizes of the buffer pool and of the redo log.
pub async fn wait(c: &mut Connection, stop: &StopSignal) -> Result<(), Error> {
    let since = Instant::now();
    loop {
        let rows = c.table("SHOW GLOBAL STATUS LIKE 'Innodb%resize_status'").await?.rows;
        let states: Vec<String> = rows.into_iter().filter_map(|row| row.into_iter().nth(1).flatten()).collect();
        if let Some(failed) = states.iter().find(|text| failed(text)) {
            return Err(Error::new(Class::Sql, foreign(failed)));
        }
        if !states.iter().any(|text| busy(text)) {
            return Ok(());
        }
        if stop.asked() || since.elapsed() > PATIENCE {
            return Err(Error::new(Class::Sql, msg!("resize-not-ended", said = states.join("; "))));
        }
        tokio::time::sleep(LOOK).await;
    }
}

/// Whether a status text says that the server is still at it. Each message of `buf_resize_status` in InnoDB's
/// `buf0buf.cc` that is not one of the end; the redo log's is `OK` then.
fn busy(text: &str) -> bool {
    const ENDS: [&str; 4] = ["Completed", "Size did not change", "OK", "not started"];
    !text.is_empty() && !ENDS.iter().any(|end| text.starts_with(end))
}

fn failed(text: &str) -> bool {
    let text = text.to_lowercase();
    ["fail", "cannot", "could not", "aborted"].iter().any(|word| text.contains(word))
}

fn verb(persist: bool) -> &'static str {
    if persist { "SET PERSIST" } else { "SET GLOBAL" }
}

/// A value in a statement: sizes as option files have them (`16M`) are numbers, everything else that is no number is a
/// text.
fn literal(value: &str, quoting: Quoting) -> String {
    let unsigned = value.strip_prefix('-').unwrap_or(value);
    let parts: Vec<&str> = unsigned.splitn(2, '.').collect();
    if parts.iter().all(|part| !part.is_empty() && part.bytes().all(|b| b.is_ascii_digit())) {
        return value.to_owned();
    }
    match (in_bytes(value), value.to_ascii_lowercase().as_str()) {
        (Some(bytes), _) => bytes.to_string(),
        (None, "true" | "yes") => "'ON'".to_owned(),
        (None, "false" | "no") => "'OFF'".to_owned(),
        _ => quoting.text(value),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_written_as_the_server_reads_them() {
        for (value, written) in [
            ("1", "1"),
            ("-1", "-1"),
            ("0.5", "0.5"),
            ("16M", "16777216"),
            ("1.2.3.4", "'1.2.3.4'"),
            ("on", "'on'"),
            ("true", "'ON'"),
            ("", "''"),
            ("a'b\\c", "'a''b\\\\c'"),
            ("1; DROP TABLE t", "'1; DROP TABLE t'"),
        ] {
            assert_eq!(literal(value, Quoting::MYSQL), written);
        }
    }

    #[test]
    fn the_end_of_a_resize_is_recognised() {
        for text in [
            "",
            "Completed resizing buffer pool at 261122 19:19:38.",
            "OK",
            "Size did not change (old size = new size = 1. Nothing to do.",
        ] {
            assert!(!busy(text) && !failed(text), "{text}");
        }
        for text in [
            "Withdrawing blocks to be shrunken.",
            "Requested to resize buffer pool. (new size: 1 bytes)",
            "Resizing hash tables.",
        ] {
            assert!(busy(text) && !failed(text), "{text}");
        }
        assert!(failed("Resizing buffer pool failed, see error log"));
    }
}
