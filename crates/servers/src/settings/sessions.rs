//! Variables of MySQL and MariaDB that the sessions of an account have with other values than the server: its `init_connect` sets them in each
//! session, except in those of accounts that may administer connections. A load would run with them, whatever the server has.

use super::server::asking_on;
use std::collections::BTreeMap;
use tenbin_driver::{Connection, Connector, Error};
use tenbin_model::dsn::Scheme;
use tenbin_model::variables::canonical_name;
use tenbin_words::msg;
use tenbin_words::problem::Problem;

/// Those of these variables, each with the problem. What a client of ours sets itself, whose characters are UTF-8, is left out. Blocks the calling
/// thread.
pub fn set_at_connect<'n>(
    connector: &Connector,
    names: impl Iterator<Item = &'n String>,
) -> Result<Vec<(String, Problem)>, Problem> {
    let Scheme::Mysql = connector.dsn().scheme else { return Ok(Vec::new()) };
    let [server, session] = asking_on(connector, Connector::connect_for_settings, async |c| {
        let at_connect = c.rows_if_visible("SELECT @@GLOBAL.init_connect").await?.unwrap_or_default();
        if at_connect.into_iter().flatten().flatten().all(|text| text.trim().is_empty()) {
            return Ok([BTreeMap::new(), BTreeMap::new()]);
        }
        Ok([values(c, "GLOBAL").await?, values(c, "SESSION").await?])
    })?;
    let other = |name: &'n String| {
        let variable = canonical_name(name);
        let is_of_characters = ["character_set_", "collation_"].iter().any(|start| variable.starts_with(start));
        let differs = server.get(&variable).is_some_and(|value| session.get(&variable) != Some(value));
        (differs && !is_of_characters).then(|| {
            let problem = Problem::new(msg!("variable-set-for-sessions", variable, source = "init_connect"));
            (name.clone(), problem.hint(msg!("execute-as-administrator", sql = "SET GLOBAL init_connect = ''")))
        })
    };
    Ok(names.filter_map(other).collect())
}

async fn values(c: &mut Connection, whose: &str) -> Result<BTreeMap<String, String>, Error> {
    let rows = c.table(&format!("SHOW {whose} VARIABLES")).await?.rows;
    let value = |row: Vec<Option<String>>| {
        let [name, value] = <[_; 2]>::try_from(row).ok()?;
        Some((name?.to_lowercase(), value.unwrap_or_default()))
    };
    Ok(rows.into_iter().filter_map(value).collect())
}
