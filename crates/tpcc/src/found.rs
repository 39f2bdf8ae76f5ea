//! What a run finds in its tables, no matter who created and filled them: the widths of the columns in which layouts differ,
//! and who loaded the rows. The result derives its deviations from the specification from it.

use super::metadata;
use super::schema::TABLES;
use super::set::Set;
use std::collections::BTreeMap;
use tenbin_driver::{Connection, Connector, Error};
use tenbin_model::tpcc::found::{LIMIT_DECIMALS, LOADED_BY, OTHER, RATE_DECIMALS, TENBIN, WAREHOUSE_BITS};
use tenbin_words::msg;
use tenbin_words::problem::Problem;
use tenbin_workload::tables::admin::with_connection;
use tenbin_workload::tables::dialect::Dialect;
use tenbin_workload::tables::engines;
use tenbin_workload::tables::mark;

/// Reads it over a separate connection; nothing if no database answers.
pub(super) fn found(connector: &Connector, sets: &[Set]) -> Result<BTreeMap<String, String>, Problem> {
    let set = sets.first().copied().unwrap_or(Set::ALONE);
    let names: Vec<String> = sets.iter().flat_map(|set| TABLES.iter().map(|table| set.named(table.name))).collect();
    let dialect = Dialect::of(connector.dsn().scheme);
    with_connection(connector, msg!("looking-at-tables"), async |c| {
        if c.server_version().contains("null-server") {
            return Ok(Ok(BTreeMap::new()));
        }
        let mut all = columns(dialect, set, c).await?;
        let kept = engines::of(connector.dsn().scheme, Some(&names), c).await?;
        let loaded_by = if metadata::read(c).await?.is_some() { TENBIN } else { OTHER };
        all.push((LOADED_BY, loaded_by.to_owned()));
        Ok(Ok(all.into_iter().map(|(name, value)| (name.to_owned(), value)).chain(kept).collect()))
    })
}

/// The existing tables that were not given to Tenbin: neither created by it, nor empty when it had to fill
/// them (`adopt`).
pub(super) fn unmarked(connector: &Connector, sets: &[Set]) -> Result<Vec<String>, Problem> {
    let given =
        with_connection(connector, msg!("looking-at-tables"), async |c| Ok(Ok(metadata::read(c).await?.is_some())))?;
    // Items are only read.
    let written = TABLES.iter().filter(|table| table.name != "item");
    let names: Vec<String> = sets.iter().flat_map(|set| written.clone().map(|table| set.named(table.name))).collect();
    if given { Ok(Vec::new()) } else { mark::without(connector, &names) }
}

async fn columns(dialect: Dialect, set: Set, c: &mut Connection) -> Result<Vec<(&'static str, String)>, Error> {
    let schema = match dialect {
        Dialect::Mysql => "DATABASE()",
        Dialect::Postgres => "current_schema()",
        // Whole cents, whole 1/10,000 and 64 bits, in every layout.
        Dialect::Sqlite => {
            return Ok([(RATE_DECIMALS, "4"), (LIMIT_DECIMALS, "2"), (WAREHOUSE_BITS, "64")]
                .map(|(name, value)| (name, value.to_owned()))
                .into());
        }
    };
    let tables = ["warehouse", "district", "customer"].map(|name| format!("'{}'", set.named(name))).join(", ");
    let sql = format!(
        "SELECT column_name, data_type, numeric_scale FROM information_schema.columns WHERE table_schema={schema} \
         AND table_name IN ({tables}) AND column_name IN ('w_id', 'w_tax', 'd_tax', 'c_discount', 'c_credit_lim')"
    );
    let mut sizes: BTreeMap<&'static str, u64> = BTreeMap::new();
    for row in c.table(&sql).await?.rows {
        let [Some(column), Some(kind), scale] = &row[..] else { continue };
        let (name, value) = match column.to_ascii_lowercase().as_str() {
            "w_id" => (WAREHOUSE_BITS, bits(&kind.to_ascii_lowercase())),
            "c_credit_lim" => (LIMIT_DECIMALS, decimals(scale)),
            _ => (RATE_DECIMALS, decimals(scale)),
        };
        let Some(value) = value else { continue };
        // The narrowest of several columns.
        sizes.entry(name).and_modify(|least| *least = value.min(*least)).or_insert(value);
    }
    Ok(sizes.into_iter().map(|(name, value)| (name, value.to_string())).collect())
}

/// None for a number without fixed decimals.
fn decimals(scale: &Option<String>) -> Option<u64> {
    scale.as_deref()?.parse().ok()
}

fn bits(kind: &str) -> Option<u64> {
    let known = [("tinyint", 8), ("smallint", 16), ("mediumint", 24), ("bigint", 64), ("int", 32), ("integer", 32)];
    known.iter().find(|(name, _)| *name == kind).map(|(_, bits)| *bits)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types_of_the_two_catalogues() {
        let all = ["smallint", "int", "integer", "bigint", "decimal"].map(bits);
        assert_eq!(all, [Some(16), Some(32), Some(32), Some(64), None]);
        assert_eq!([Some("2".to_owned()), None].map(|s| decimals(&s)), [Some(2), None]);
    }
}
