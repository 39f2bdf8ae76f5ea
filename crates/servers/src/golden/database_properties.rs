//! Properties of a PostgreSQL database that a copy does not get from its template: its owner, privileges, settings, comment, …;
//! and why a database cannot be restored from a template.

use crate::list_setting;
use std::collections::BTreeMap;
use tenbin_driver::{Connection, Error, Quoting};
use tenbin_words::message::foreign;
use tenbin_words::msg;
use tenbin_words::problem::Problem;
use tenbin_words::text::visible;

/// The properties of a database.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Properties {
    pub owner: String,
    /// The most connections; -1: no limit.
    pub limit: String,
    pub comment: Option<String>,
    /// Privileges as the server lists them, `None` for the default ones.
    privileges: Option<Vec<DatabasePrivilege>>,
    /// Settings: the role, empty for all roles, and `name=value`.
    settings: Vec<(String, String)>,
}

/// One privilege on a database.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
struct DatabasePrivilege {
    /// Empty: everybody.
    role: String,
    name: String,
    grantable: bool,
}

/// Reads them; empty if there is no such database.
pub async fn read(c: &mut Connection, database: &str) -> Result<Properties, Error> {
    let name = literal(database);
    let head = format!(
        "SELECT pg_get_userbyid(d.datdba), d.datconnlimit, shobj_description(d.oid, 'pg_database'), \
         (d.datacl IS NULL)::int FROM pg_database d WHERE d.datname = {name}"
    );
    let head = c.table(&head).await?.rows.into_iter().next().unwrap_or_default();
    let [owner, limit, comment, default] = <[_; 4]>::try_from(head).unwrap_or_default();
    let privileges = format!(
        "SELECT CASE a.grantee WHEN 0 THEN '' ELSE pg_get_userbyid(a.grantee) END, a.privilege_type, a.is_grantable::int \
         FROM pg_database d, aclexplode(d.datacl) a WHERE d.datname = {name} ORDER BY 1, 2"
    );
    let privileges = c.table(&privileges).await?.rows.into_iter().filter_map(|row| {
        let [role, name, grantable] = <[_; 3]>::try_from(row).ok()?.map(Option::unwrap_or_default);
        Some(DatabasePrivilege { role, name, grantable: grantable == "1" })
    });
    let privileges = privileges.collect();
    let settings = format!(
        "SELECT CASE s.setrole WHEN 0 THEN '' ELSE pg_get_userbyid(s.setrole) END, unnest(s.setconfig) \
         FROM pg_db_role_setting s JOIN pg_database d ON d.oid = s.setdatabase WHERE d.datname = {name} ORDER BY 1, 2"
    );
    let settings = c.table(&settings).await?.rows.into_iter().filter_map(|row| {
        let [role, setting] = <[_; 2]>::try_from(row).ok()?.map(Option::unwrap_or_default);
        Some((role, setting))
    });
    Ok(Properties {
        owner: owner.unwrap_or_default(),
        limit: limit.unwrap_or_default(),
        comment,
        privileges: (default.as_deref() != Some("1")).then_some(privileges),
        settings: settings.collect(),
    })
}

/// Gives a copy the privileges and settings of the database, and reads them back.
pub async fn give(c: &mut Connection, present: &Properties, copy: &str) -> Result<Result<(), Problem>, Error> {
    for sql in statements(present, copy) {
        c.query(&sql).await?;
    }
    let given = read(c, copy).await?;
    if (&given.privileges, &given.settings) == (&present.privileges, &present.settings) {
        return Ok(Ok(()));
    }
    let differ = format!(
        "{:?} {:?}; {:?} {:?}",
        present.privileges.as_deref().unwrap_or_default(),
        present.settings,
        given.privileges.as_deref().unwrap_or_default(),
        given.settings
    );
    Ok(Err(Problem::new(msg!("database-properties-differ"))
        .evidence(foreign(visible(&differ)))
        .hint(msg!("restore-by-reload"))))
}

/// The statements that give a copy these privileges and settings.
fn statements(present: &Properties, copy: &str) -> Vec<String> {
    let (copy, mut all) = (identifier(copy), Vec::new());
    let role = |name: &str| if name.is_empty() { "PUBLIC".to_owned() } else { identifier(name) };
    if let Some(privileges) = &present.privileges {
        all.push(format!("REVOKE ALL ON DATABASE {copy} FROM PUBLIC, {}", identifier(&present.owner)));
        all.extend(privileges.iter().map(|p| {
            let option = if p.grantable { " WITH GRANT OPTION" } else { "" };
            format!("GRANT {} ON DATABASE {copy} TO {}{option}", p.name, role(&p.role))
        }));
    }
    all.extend(present.settings.iter().map(|(of, setting)| {
        let (name, value) = setting.split_once('=').unwrap_or((setting, ""));
        let list = list_setting::is_list(name).then(|| list_setting::written(name, value)).flatten();
        let value = list.unwrap_or_else(|| literal(value));
        let (name, whose) = (identifier(name), role(of));
        match of.as_str() {
            "" => format!("ALTER DATABASE {copy} SET {name} TO {value}"),
            _ => format!("ALTER ROLE {whose} IN DATABASE {copy} SET {name} TO {value}"),
        }
    }));
    all
}

/// What a golden database must share with the database that we are connected to.
pub async fn layout(c: &mut Connection) -> Result<BTreeMap<String, String>, Error> {
    // What is in the database besides tables would otherwise be brought back to what it was when another one was copied.
    let sql = "SELECT current_user, pg_get_userbyid(d.datdba), \
        pg_encoding_to_char(d.encoding) || ' ' || d.datcollate || ' ' || d.datctype, \
        (SELECT spcname FROM pg_tablespace WHERE oid = d.dattablespace), \
        (SELECT string_agg(extname || ' ' || extversion, ', ' ORDER BY extname) FROM pg_extension), \
        (SELECT string_agg(nspname || ' ' || pg_get_userbyid(nspowner) || ' ' || coalesce(nspacl::text, ''), ', ' \
         ORDER BY nspname) FROM pg_namespace WHERE nspname !~ '^pg_' AND nspname <> 'information_schema'), \
        (SELECT string_agg(pg_get_userbyid(defaclrole) || ' ' || defaclnamespace::regnamespace || ' ' || defaclobjtype::text \
         || ' ' || defaclacl::text, ', ' ORDER BY oid) FROM pg_default_acl) \
        FROM pg_database d WHERE d.datname = current_database()";
    let names = ["account", "owner", "encoding", "tablespace", "extensions", "schemas", "default privileges"];
    let row = c.table(sql).await?.rows.into_iter().next().unwrap_or_default();
    let pairs = names.iter().zip(row).filter_map(|(name, value)| Some(((*name).to_owned(), value?)));
    Ok(pairs.collect())
}

/// Why a database cannot be restored from a template.
pub async fn obstacles(c: &mut Connection, database: &str) -> Result<Vec<Problem>, Error> {
    let name = literal(database);
    let sql = format!(
        "SELECT current_user, (r.rolsuper OR r.rolcreatedb)::int, (r.rolsuper OR pg_has_role(d.datdba, 'USAGE'))::int, \
         pg_get_userbyid(d.datdba), pg_is_in_recovery()::int, r.rolsuper::int, d.datistemplate::int, \
         (SELECT string_agg('replication slot ' || slot_name, ', ') FROM pg_replication_slots WHERE database = d.datname), \
         (SELECT string_agg('subscription ' || subname, ', ') FROM pg_subscription WHERE subdbid = d.oid), \
         (SELECT string_agg('prepared transaction ' || gid, ', ') FROM pg_prepared_xacts WHERE database = d.datname), \
         (SELECT string_agg('security label of ' || provider, ', ') FROM pg_shseclabel \
          WHERE objoid = d.oid AND classoid = 'pg_database'::regclass), \
         (SELECT string_agg(DISTINCT 'privileges granted by ' || pg_get_userbyid(a.grantor), ', ') \
          FROM aclexplode(d.datacl) a WHERE a.grantor <> d.datdba) \
         FROM pg_database d, pg_roles r WHERE d.datname = {name} AND r.rolname = current_user"
    );
    let row = c.table(&sql).await?.rows.into_iter().next().unwrap_or_default();
    let Ok([account, creates, owns, owner, recovers, rules, template, kept @ ..]) =
        <[Option<String>; 12]>::try_from(row)
    else {
        return Ok(vec![Problem::new(msg!("database-unseen", database)).hint(msg!("restore-by-reload"))]);
    };
    let (account, owner) = (account.unwrap_or_default(), owner.unwrap_or_default());
    let is = |flag: &Option<String>| flag.as_deref() == Some("1");
    let mut problems = Vec::new();
    if is(&recovers) {
        problems.push(Problem::new(msg!("database-of-replica", database)).hint(msg!("give-address-of-primary")));
        return Ok(problems);
    }
    if !is(&creates) {
        let sql = format!("ALTER ROLE {} CREATEDB", identifier(&account));
        let problem = Problem::new(msg!("account-creates-no-databases", account));
        problems.push(problem.hint(msg!("execute-as-administrator", sql)));
    }
    if !is(&owns) {
        let sql = format!("ALTER DATABASE {} OWNER TO {}", identifier(database), identifier(&account));
        let problem = Problem::new(msg!("account-is-not-owner", account, database));
        problems.push(problem.evidence(msg!("owner-of-database", owner)).hint(msg!("execute-as-administrator", sql)));
    }
    let kept: Vec<String> = kept.into_iter().flatten().chain(is(&template).then(|| "IS_TEMPLATE".to_owned())).collect();
    if !kept.is_empty() {
        let problem = Problem::new(msg!("database-cannot-be-replaced", database));
        problems.push(problem.evidence(foreign(visible(&kept.join(", ")))).hint(msg!("restore-by-reload")));
    }
    if !is(&rules) {
        problems.extend(unsettable(c, database, &account).await?);
    }
    Ok(problems)
}

/// Settings of a database that the account cannot set again on its copy.
async fn unsettable(c: &mut Connection, database: &str, account: &str) -> Result<Option<Problem>, Error> {
    let present = read(c, database).await?;
    let names: Vec<String> =
        present.settings.iter().filter_map(|(_, setting)| Some(literal(setting.split_once('=')?.0))).collect();
    if names.is_empty() {
        return Ok(None);
    }
    let number = c.table("SHOW server_version_num").await?.scalar().and_then(|n| n.parse::<u32>().ok());
    let granted = match number {
        Some(number) if number >= 150_000 => " AND NOT has_parameter_privilege(name, 'SET')",
        _ => "",
    };
    let sql = format!(
        "SELECT name FROM pg_settings WHERE context LIKE 'superuser%' AND name IN ({}){granted}",
        names.join(", ")
    );
    let protected: Vec<String> =
        c.table(&sql).await?.rows.into_iter().filter_map(|row| row.into_iter().next()?).collect();
    let refused = |(role, setting): &&(String, String)| {
        let name = setting.split_once('=').map_or(setting.as_str(), |(name, _)| name);
        !(role.is_empty() || role == account) || protected.iter().any(|other| other == name)
    };
    let all: Vec<String> = present.settings.iter().filter(refused).map(|(_, setting)| setting.clone()).collect();
    if all.is_empty() {
        return Ok(None);
    }
    let problem = Problem::new(msg!("database-settings-of-superuser", account, database));
    Ok(Some(problem.evidence(foreign(visible(&all.join(", ")))).hint(msg!("use-superuser-or-reload"))))
}

/// A name in SQL.
pub fn identifier(name: &str) -> String {
    Quoting::POSTGRES.name(name)
}

/// A text in SQL.
pub fn literal(text: &str) -> String {
    Quoting::POSTGRES.text(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_copy_gets_privileges_and_settings() {
        let present = Properties {
            owner: "bench".into(),
            privileges: Some(vec![
                DatabasePrivilege { role: String::new(), name: "CONNECT".into(), grantable: false },
                DatabasePrivilege { role: "ro".into(), name: "CONNECT".into(), grantable: true },
            ]),
            settings: vec![
                (String::new(), "search_path=\"$user\", public, \"Odd, \"\"name\"".into()),
                ("ro".into(), "work_mem=8MB".into()),
            ],
            ..Properties::default()
        };
        insta::assert_snapshot!(statements(&present, "new").join("\n"), @r#"
        REVOKE ALL ON DATABASE "new" FROM PUBLIC, "bench"
        GRANT CONNECT ON DATABASE "new" TO PUBLIC
        GRANT CONNECT ON DATABASE "new" TO "ro" WITH GRANT OPTION
        ALTER DATABASE "new" SET "search_path" TO '$user', 'public', 'Odd, "name'
        ALTER ROLE "ro" IN DATABASE "new" SET "work_mem" TO '8MB'
        "#);
        assert_eq!(statements(&Properties::default(), "new"), Vec::<String>::new(), "nothing to keep");
    }
}
