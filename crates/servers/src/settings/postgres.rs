//! Settings of PostgreSQL: read, set by `ALTER SYSTEM`, and compared in their units.

use super::{FormerValue, Present};
use crate::rights::{dressed_as, opened};
use crate::{list_setting, state};
use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;
use std::io::{self, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;
use tenbin_driver::{Class, Connection, Error, Quoting};
use tenbin_model::postgres_units::scale_in_any_case;
use tenbin_model::variables;
use tenbin_words::msg;

/// The identifier of its cluster, which its copies share, and its port and data directory, if the account may know them.
pub async fn identity(c: &mut Connection) -> Result<(String, Option<String>), Error> {
    let own = c.table("SELECT system_identifier FROM pg_control_system()").await?;
    let sql = "SELECT current_setting('port') || ' ' || setting FROM pg_settings WHERE name = 'data_directory'";
    let location = c.table(sql).await?;
    Ok((own.scalar().unwrap_or_default().to_owned(), location.scalar().map(str::to_owned)))
}

/// All settings.
pub async fn present(c: &mut Connection) -> Result<BTreeMap<String, Present>, Error> {
    let rows = c.table("SELECT name, setting, unit, context, source FROM pg_settings").await?.rows;
    let value = |row: Vec<Option<String>>| {
        let [name, value, unit, context, source] = <[_; 5]>::try_from(row).ok()?;
        let (name, value, unit) = (name?.to_lowercase(), value.unwrap_or_default(), unit.unwrap_or_default());
        let is_list = list_setting::is_list(&name);
        Some((name, Present { value, unit, context: context?, source: source?, is_list }))
    };
    Ok(rows.into_iter().filter_map(value).collect())
}

/// The values that sessions begin with, as they were given: some settings are shown in another form.
pub async fn kept(c: &mut Connection) -> Result<BTreeMap<String, String>, Error> {
    let rows = c.table("SELECT name, reset_val FROM pg_settings").await?.rows;
    let value = |row: Vec<Option<String>>| {
        let [name, value] = <[_; 2]>::try_from(row).ok()?;
        Some((name?.to_lowercase(), value?))
    };
    Ok(rows.into_iter().filter_map(value).collect())
}

/// The values in `postgresql.auto.conf`.
pub async fn stored(c: &mut Connection) -> Result<BTreeMap<String, String>, Error> {
    let sql = "SELECT name, setting FROM pg_file_settings WHERE sourcefile LIKE '%/postgresql.auto.conf' AND name IS NOT NULL";
    let rows = c.table(sql).await?.rows;
    let value = |row: Vec<Option<String>>| {
        let [name, value] = <[_; 2]>::try_from(row).ok()?;
        Some((name?.to_lowercase(), value.unwrap_or_default()))
    };
    Ok(rows.into_iter().filter_map(value).collect())
}

/// Whether the account may set it (every version has superusers; from 15 on it can be granted).
pub async fn permitted(c: &mut Connection, name: &str) -> Result<bool, Error> {
    let superuser = c.table("SELECT rolsuper::text FROM pg_roles WHERE rolname = current_user").await?;
    if superuser.scalar() == Some("true") {
        return Ok(true);
    }
    let name = Quoting::POSTGRES.text(name);
    let sql = format!(
        "SELECT (has_parameter_privilege({name}, 'ALTER SYSTEM') AND \
         has_function_privilege('pg_reload_conf()', 'EXECUTE') AND has_table_privilege('pg_file_settings', 'SELECT'))::text"
    );
    Ok(c.table(&sql).await.is_ok_and(|table| table.scalar() == Some("true")))
}

/// Stores a value for the next reload or start. No statement stores an empty list: then nothing is stored, if the setting is empty without it.
pub async fn set(c: &mut Connection, name: &str, value: &str) -> Result<(), Error> {
    let written = match is_list(c, name).await? {
        true => list_setting::written(name, value),
        false => Some(Quoting::POSTGRES.text(value)),
    };
    match written {
        Some(written) => c.query(&format!("ALTER SYSTEM SET {name} = {written}")).await.map(drop),
        None if is_empty_by_itself(c, name).await? => reset(c, name).await,
        None => Err(Error::new(Class::Sql, msg!("list-cannot-be-empty", variable = name))),
    }
}

async fn reset(c: &mut Connection, name: &str) -> Result<(), Error> {
    c.query(&format!("ALTER SYSTEM RESET {name}")).await.map(drop)
}

/// Whether the value of a setting is a list to this server: that of the directories of sockets is one from PostgreSQL 14 on.
async fn is_list(c: &mut Connection, name: &str) -> Result<bool, Error> {
    if name != "unix_socket_directories" {
        return Ok(list_setting::is_list(name));
    }
    let version = c.table("SHOW server_version_num").await?.scalar().and_then(|number| number.parse::<u32>().ok());
    Ok(version.is_none_or(|number| number >= 140_000))
}

/// Whether one of these values is an empty list that the server cannot be given.
pub async fn cannot_be_empty<'v>(
    c: &mut Connection,
    name: &str,
    mut values: impl Iterator<Item = &'v String>,
) -> Result<bool, Error> {
    let is_empty = values.any(|value| list_setting::is_list(name) && list_setting::written(name, value).is_none());
    Ok(is_empty && is_list(c, name).await? && !is_empty_by_itself(c, name).await?)
}

/// Whether a setting is empty if nothing is stored for it: by the other files of settings, or by default.
async fn is_empty_by_itself(c: &mut Connection, name: &str) -> Result<bool, Error> {
    let name = Quoting::POSTGRES.text(name);
    let sql = format!(
        "SELECT coalesce((SELECT setting FROM pg_file_settings WHERE lower(name) = {name} \
         AND sourcefile NOT LIKE '%/postgresql.auto.conf' ORDER BY seqno DESC LIMIT 1), \
         (SELECT boot_val FROM pg_settings WHERE lower(name) = {name}))"
    );
    Ok(c.table(&sql).await?.scalar().is_none_or(|value| value.trim().is_empty()))
}

/// Puts back what was stored.
pub async fn unset(c: &mut Connection, name: &str, former: &FormerValue) -> Result<(), Error> {
    match &former.stored {
        Some(stored) => set(c, name, stored).await,
        None => reset(c, name).await,
    }
}

/// Makes the server read what is stored.
pub async fn reload(c: &mut Connection) -> Result<(), Error> {
    c.query("SELECT pg_reload_conf()").await.map(drop)
}

/// In a file of settings a backslash is always an escape character.
const ESCAPED: Quoting = Quoting::MYSQL;

/// The text of `postgresql.auto.conf` with former values: for a server that does not start, so that `ALTER SYSTEM`
/// cannot be used.
pub fn stored_text(text: &str, former: &BTreeMap<String, FormerValue>) -> String {
    let name = |line: &str| line.split('=').next().unwrap_or_default().trim().to_lowercase();
    let mut lines: Vec<String> =
        text.lines().filter(|line| !former.contains_key(&name(line))).map(str::to_owned).collect();
    for (name, former) in former {
        lines.extend(former.stored.as_ref().map(|value| format!("{name} = {}", ESCAPED.text(value))));
    }
    lines.join("\n") + "\n"
}

/// The file with stored values of a server on this machine.
pub fn stored_file(data_directory: &str) -> std::path::PathBuf {
    Path::new(data_directory).join("postgresql.auto.conf")
}

/// Its text; a link in its place is not followed.
pub fn stored_file_text(file: &Path) -> io::Result<String> {
    tenbin_intake::text_of(opened(file, File::options().read(true))?, MOST_STORED)
}

/// Replaces it by a file with this text, whole or not at all, with the owner and the mode of the former one.
pub fn write_stored_file(file: &Path, text: &str) -> io::Result<()> {
    let former = opened(file, File::options().read(true))?.metadata()?;
    let fresh = file.with_extension(format!("conf.{}.tenbin", std::process::id()));
    let mut out = File::options().create_new(true).write(true).mode(0o600).open(&fresh)?;
    let written = dressed_as(&out, &former).and_then(|()| out.write_all(text.as_bytes())).and_then(|()| out.sync_all());
    let replaced = written.and_then(|()| std::fs::rename(&fresh, file)).inspect_err(|_| {
        let _ = std::fs::remove_file(&fresh);
    });
    replaced.and_then(|()| file.parent().map_or(Ok(()), state::keep_names))
}

/// The most of it that is read, bytes.
const MOST_STORED: u64 = 16 << 20;

/// Whether a value that was asked for is that of `pg_settings`, which is a number of its own units, and a word for all that mean the same.
pub fn same(name: &str, wanted: &str, present: &Present) -> bool {
    if present.is_list {
        return list_setting::are_same(wanted, &present.value);
    }
    // The blank at the end of `log_line_prefix` belongs to it.
    if wanted == present.value || variables::mean_same(name, wanted, &present.value) && present.unit.is_empty() {
        return true;
    }
    let (wanted, shown) = (wanted.trim().to_lowercase(), present.value.to_lowercase());
    let is_switch = ["on", "off"].contains(&shown.as_str()) && switch(&wanted).is_some();
    if wanted == shown || is_switch && switch(&wanted) == switch(&shown) {
        return true;
    }
    if name == "datestyle" {
        let (styles_wanted, shown) = (styles(&wanted), styles(&shown));
        return !styles_wanted.is_empty() && styles_wanted.is_subset(&shown);
    }
    let (Some((amount, unit)), Ok(shown)) = (split(&wanted), shown.parse::<f64>()) else { return false };
    if unit.is_empty() {
        // As C reads whole numbers.
        let octal = wanted.strip_prefix('0').and_then(|digits| u32::from_str_radix(digits, 8).ok());
        return amount == shown || octal.is_some_and(|octal| f64::from(octal) == shown);
    }
    // A unit of pg_settings may have a number: 8kB.
    scale_in_any_case(unit)
        .zip(scale_in_any_case(&present.unit))
        .is_some_and(|(scale, own)| amount * scale == shown * own)
}

/// A number, as C reads it, and what follows it.
fn split(text: &str) -> Option<(f64, &str)> {
    if let Some(digits) = text.strip_prefix("0x") {
        let end = digits.find(|c: char| !c.is_ascii_hexdigit()).unwrap_or(digits.len());
        return Some((u64::from_str_radix(&digits[..end], 16).ok()? as f64, digits[end..].trim()));
    }
    let end = text.find(|c: char| !c.is_ascii_digit() && c != '.' && c != '-').unwrap_or(text.len());
    if text.starts_with(|c: char| c.is_ascii_digit() || "+-.".contains(c))
        && let Ok(number) = text.parse()
    {
        return Some((number, ""));
    }
    Some((text[..end].parse().ok()?, text[end..].trim()))
}

/// A truth value, which may be the beginning of its word (PostgreSQL manual 19.1.1).
fn switch(text: &str) -> Option<bool> {
    let begins = |word: &str, least: usize| text.len() >= least && word.starts_with(text);
    match text {
        "1" => Some(true),
        "0" => Some(false),
        _ if begins("true", 1) || begins("yes", 1) || begins("on", 2) => Some(true),
        _ if begins("false", 1) || begins("no", 1) || begins("off", 2) => Some(false),
        _ => None,
    }
}

/// The words of a style of dates, in small letters: what is not named of it stays as it is (PostgreSQL manual 8.5.2).
fn styles(text: &str) -> BTreeSet<&str> {
    let words = text.split([',', ' ']).filter(|word| !word.is_empty());
    let usual = words.map(|word| match word {
        "us" | "noneuro" | "noneuropean" => "mdy",
        "euro" | "european" => "dmy",
        "postgresql" => "postgres",
        word => word,
    });
    usual.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_compared_in_their_units() {
        let of = |value: &str, unit: &str| Present { unit: unit.into(), ..Present::of(value.into()) };
        for (wanted, value, unit) in [
            ("262144kB", "32768", "8kB"),
            ("256MB", "32768", "8kB"),
            ("32768", "32768", "8kB"),
            ("16MB", "16384", "kB"),
            ("5min", "300", "s"),
            ("300s", "300", "s"),
            ("1.5", "1.5", ""),
            ("on", "on", ""),
            ("true", "on", ""),
            ("replica", "replica", ""),
            ("%m [%p] ", "%m [%p] ", ""),
            ("f", "off", ""),
            ("of", "off", ""),
            ("0x10", "16", ""),
            ("1e3", "1000", ""),
        ] {
            assert!(same("x", wanted, &of(value, unit)), "{wanted} {value} {unit}");
        }
        for (wanted, value, unit) in [
            ("256MB", "16384", "8kB"),
            ("5min", "5", "s"),
            ("on", "off", ""),
            ("1", "2", ""),
            ("o", "off", ""),
            ("t", "off", ""),
            ("0x10", "10", ""),
        ] {
            assert!(!same("x", wanted, &of(value, unit)), "{wanted} {value} {unit}");
        }
        for (name, wanted, value, is_same) in [
            ("wal_compression", "on", "pglz", true),
            ("wal_compression", "on", "lz4", false),
            ("log_min_messages", "debug", "debug2", true),
            ("datestyle", "ISO", "ISO, MDY", true),
            ("datestyle", "european", "ISO, DMY", true),
            ("datestyle", "ISO, DMY", "ISO, MDY", false),
        ] {
            assert_eq!(same(name, wanted, &of(value, "")), is_same, "{name}: {wanted} {value}");
        }
        let libraries = |value: &str| Present { is_list: true, ..of(value, "") };
        assert!(same("x", "auto_explain,pg_stat_statements", &libraries("auto_explain, pg_stat_statements")));
        assert!(!same("x", "auto_explain,pg_stat_statements", &libraries("\"auto_explain,pg_stat_statements\"")));
    }

    #[test]
    fn the_file_of_stored_values_is_replaced_as_a_whole() {
        use std::os::unix::fs::{MetadataExt, PermissionsExt};
        let dir = tempfile::tempdir().unwrap();
        let file = stored_file(&dir.path().display().to_string());
        std::fs::write(&file, "work_mem = '8MB'\n").unwrap();
        std::fs::set_permissions(&file, PermissionsExt::from_mode(0o640)).unwrap();
        // A process that reads it meanwhile has the whole former one.
        let reader = opened(&file, File::options().read(true)).unwrap();
        write_stored_file(&file, "work_mem = '4MB'\n").unwrap();
        assert_eq!(tenbin_intake::text_of(reader, MOST_STORED).unwrap(), "work_mem = '8MB'\n");
        assert_eq!(stored_file_text(&file).unwrap(), "work_mem = '4MB'\n");
        assert_eq!(file.metadata().unwrap().mode() & 0o777, 0o640);
        assert_eq!(std::fs::read_dir(dir.path()).unwrap().count(), 1);
        let link = dir.path().join("link");
        std::os::unix::fs::symlink(&file, &link).unwrap();
        assert!(write_stored_file(&link, "").is_err(), "a link is not followed");
    }

    #[test]
    fn stored_values_are_put_back_into_their_file() {
        let text = "# Do not edit this file manually!\nwork_mem = '8MB'\nshared_buffers = '1TB'\n";
        let former = |stored: Option<&str>| FormerValue { value: String::new(), stored: stored.map(str::to_owned) };
        let put_back =
            BTreeMap::from([("shared_buffers".to_owned(), former(None)), ("work_mem".to_owned(), former(Some("4MB")))]);
        assert_eq!(stored_text(text, &put_back), "# Do not edit this file manually!\nwork_mem = '4MB'\n");
    }
}
