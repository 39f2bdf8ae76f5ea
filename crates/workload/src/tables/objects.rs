//! What a server has besides the rows of tables: accounts, views, functions, events and the like, each with its definition. What a golden copy had of
//! them is compared with what is there before the copy takes their place: what is new or was changed since would be lost.

use crate::tables::admin::with_connection;
use crate::tables::others;
use std::collections::BTreeMap;
use tenbin_driver::{Connection, Connector, Error};
use tenbin_model::dsn::Scheme;
use tenbin_words::msg;
use tenbin_words::problem::Problem;

/// Definitions by name, by kind. A kind that the account cannot look at is left out. What is in another database of PostgreSQL is a kind of
/// its own, with `@` and the name of the database.
pub type Objects = BTreeMap<String, BTreeMap<String, String>>;

/// All that the account can see. Blocks the calling thread.
pub fn all(connector: &Connector) -> Result<Objects, Problem> {
    let mut objects = Objects::new();
    let queries = match connector.dsn().scheme {
        Scheme::Mysql => MYSQL,
        Scheme::Postgres => SHARED_OF_POSTGRES,
        Scheme::Sqlite => SQLITE,
        Scheme::Null | Scheme::Host => return Ok(objects),
    };
    with_connection(connector, msg!("looking-whose-tables"), async |c| {
        take(c, queries, "", &mut objects).await?;
        match c {
            Connection::Mysql(_) => accounts(c, &mut objects).await?,
            Connection::Postgres(_) => {
                roles(c, &mut objects).await?;
                take(c, POSTGRES, "", &mut objects).await?;
            }
            _ => {}
        }
        Ok(Ok(()))
    })?;
    for database in others::beside(connector) {
        // One that cannot be looked into is told by the tables of others.
        let _ = with_connection(&connector.at_database(database)?, msg!("looking-whose-tables"), async |c| {
            take(c, POSTGRES, database, &mut objects).await.map(Ok)
        });
    }
    Ok(objects)
}

/// A kind, and what selects its names and definitions: the first column and all others.
type Query = (&'static str, &'static str);

/// Adds what the queries find, of the database, if it is another than that of the connection.
async fn take(c: &mut Connection, queries: &[Query], database: &str, objects: &mut Objects) -> Result<(), Error> {
    if let Connection::Postgres(_) = c {
        // Definitions have names with or without schemas, according to the path.
        c.query("SET search_path = pg_catalog").await?;
    }
    for (kind, sql) in queries {
        let (kind, prefix) = match database {
            "" => ((*kind).to_owned(), String::new()),
            _ => (format!("{kind}@{database}"), format!("{database}.")),
        };
        if let Some(rows) = c.rows_if_visible(sql).await? {
            add(objects.entry(kind).or_default(), &prefix, rows);
        }
    }
    Ok(())
}

/// Several rows of one name are one definition.
fn add(objects: &mut BTreeMap<String, String>, prefix: &str, rows: Vec<Vec<Option<String>>>) {
    for row in rows {
        let mut cells = row.into_iter();
        let Some(name) = cells.next().flatten() else { continue };
        let definition = objects.entry(format!("{prefix}{name}")).or_default();
        for cell in cells {
            definition.push_str(cell.as_deref().unwrap_or("\u{1}"));
            definition.push('\0');
        }
    }
}

/// What another statement with the same password may change of an account.
const VOLATILE: [&str; 3] = ["password_last_changed", "authentication_string", "auth_or"];

/// Accounts and roles of MySQL and MariaDB, with all that is granted to them.
async fn accounts(c: &mut Connection, objects: &mut Objects) -> Result<(), Error> {
    // Statements at the start of the server may set passwords, and with them what is random or a time.
    let starts = c
        .rows_if_visible("SELECT @@global.init_file")
        .await?
        .is_some_and(|rows| rows.iter().flatten().any(Option::is_some));
    let volatile = if starts { &VOLATILE[..] } else { &[] };
    let privileges = match volatile {
        [] => "priv".to_owned(),
        names => format!("JSON_REMOVE(priv, '$.{}')", names.join("', '$.")),
    };
    let of_mariadb = format!("SELECT CONCAT(user, '@', host), {privileges} FROM mysql.global_priv");
    let known = match c.rows_if_visible(&of_mariadb).await? {
        Some(rows) => Some(rows),
        None => {
            let columns = "SELECT column_name FROM information_schema.columns WHERE table_schema = 'mysql' AND table_name = 'user' ORDER BY 1";
            let columns = c.table(columns).await?.rows.into_iter().flatten().flatten();
            let columns: Vec<String> = columns
                .filter(|name| !volatile.contains(&name.as_str()))
                .map(|name| format!("u.{}", c.quoting().name(&name)))
                .collect();
            let columns = if columns.is_empty() { "u.*".to_owned() } else { columns.join(", ") };
            c.rows_if_visible(&format!("SELECT CONCAT(u.user, '@', u.host), {columns} FROM mysql.user u ORDER BY 1"))
                .await?
        }
    };
    let Some(rows) = known else { return Ok(()) };
    // Others see none of them.
    let tables = "SELECT CONCAT('mysql.', table_name) FROM information_schema.tables WHERE table_schema = 'mysql'";
    take(c, &[("table", tables)], "", objects).await?;
    let accounts = objects.entry("account".to_owned()).or_default();
    add(accounts, "", rows);
    for (table, account) in [
        ("db", "t.user, '@', t.host"),
        ("tables_priv", "t.user, '@', t.host"),
        ("columns_priv", "t.user, '@', t.host"),
        ("procs_priv", "t.user, '@', t.host"),
        ("proxies_priv", "t.user, '@', t.host"),
        ("roles_mapping", "t.user, '@', t.host"),
        ("role_edges", "t.to_user, '@', t.to_host"),
        ("default_roles", "t.user, '@', t.host"),
        ("global_grants", "t.user, '@', t.host"),
    ] {
        let sql = format!("SELECT CONCAT({account}), t.* FROM mysql.{table} t ORDER BY 1, 2, 3, 4, 5");
        // Neither MySQL nor MariaDB has all of them, and some have fewer columns.
        let rows = match c.rows_if_visible(&sql).await? {
            Some(rows) => Some(rows),
            None => c.rows_if_visible(&sql.replace(", 4, 5", "")).await?,
        };
        add(accounts, "", rows.unwrap_or_default());
    }
    Ok(())
}

/// What belongs to the schemas of the server changes when the server is upgraded, and is left out.
const MYSQL: &[Query] = &[
    (
        "schema",
        "SELECT schema_name, default_character_set_name, default_collation_name FROM information_schema.schemata \
         WHERE LOWER(schema_name) NOT IN ('mysql', 'information_schema', 'performance_schema', 'sys')",
    ),
    (
        "view",
        "SELECT CONCAT(table_schema, '.', table_name), view_definition, definer, security_type FROM information_schema.views \
         WHERE LOWER(table_schema) NOT IN ('mysql', 'information_schema', 'performance_schema', 'sys')",
    ),
    (
        "routine",
        "SELECT CONCAT(routine_schema, '.', routine_name, '()'), routine_type, routine_definition, dtd_identifier, definer, \
         security_type FROM information_schema.routines \
         WHERE LOWER(routine_schema) NOT IN ('mysql', 'information_schema', 'performance_schema', 'sys') ORDER BY 1, 2",
    ),
    (
        "routine",
        "SELECT CONCAT(specific_schema, '.', specific_name, '()'), routine_type, ordinal_position, parameter_mode, parameter_name, \
         dtd_identifier FROM information_schema.parameters \
         WHERE LOWER(specific_schema) NOT IN ('mysql', 'information_schema', 'performance_schema', 'sys') ORDER BY 1, 2, 3",
    ),
    (
        "trigger",
        "SELECT CONCAT(trigger_schema, '.', trigger_name), event_object_table, event_manipulation, action_timing, action_statement, \
         definer FROM information_schema.triggers \
         WHERE LOWER(trigger_schema) NOT IN ('mysql', 'information_schema', 'performance_schema', 'sys')",
    ),
    (
        "event",
        "SELECT CONCAT(event_schema, '.', event_name), event_definition, execute_at, interval_value, interval_field, starts, ends, \
         status, definer FROM information_schema.events",
    ),
    ("function", "SELECT name, dl FROM mysql.func"),
    ("plugin", "SELECT name, dl FROM mysql.plugin"),
    ("server", "SELECT server_name, host, db, username, port, wrapper FROM mysql.servers"),
];

/// Roles of PostgreSQL, with their passwords if the account may see these.
async fn roles(c: &mut Connection, objects: &mut Objects) -> Result<(), Error> {
    let select = |from: &str| {
        format!(
            "SELECT rolname, rolsuper, rolinherit, rolcreaterole, rolcreatedb, rolcanlogin, rolreplication, rolconnlimit, \
             extract(epoch FROM rolvaliduntil), rolbypassrls, rolpassword, (SELECT string_agg(concat(datname, ' ', setconfig), ' ' \
             ORDER BY datname) FROM pg_db_role_setting LEFT JOIN pg_database d ON d.oid = setdatabase WHERE setrole = r.oid), \
             (SELECT string_agg(concat(roleid::regrole, ' ', admin_option), ' ' ORDER BY roleid::regrole::text) \
             FROM pg_auth_members WHERE member = r.oid) FROM {from} r WHERE rolname !~ '^pg_'"
        )
    };
    if let Some(rows) = c.rows_if_visible(&select("pg_authid")).await? {
        add(objects.entry("role".to_owned()).or_default(), "", rows);
    } else if let Some(rows) = c.rows_if_visible(&select("pg_roles")).await? {
        // They have another definition than with their passwords.
        add(objects.entry("role@outside".to_owned()).or_default(), "", rows);
    }
    Ok(())
}

/// What all databases of a server of PostgreSQL have in common.
const SHARED_OF_POSTGRES: &[Query] = &[
    (
        "settings of database",
        "SELECT datname, setconfig FROM pg_db_role_setting s JOIN pg_database d ON d.oid = s.setdatabase WHERE setrole = 0",
    ),
    ("replication slot", "SELECT slot_name, plugin, database FROM pg_replication_slots WHERE NOT temporary"),
    ("subscription", "SELECT subname, datname FROM pg_subscription JOIN pg_database d ON d.oid = subdbid"),
];

/// What a database of PostgreSQL has, without the parts of extensions.
const POSTGRES: &[Query] = &[
    (
        "schema",
        "SELECT nspname, pg_get_userbyid(nspowner) FROM pg_namespace o WHERE nspname !~ '^pg_' AND nspname <> 'information_schema' \
         AND NOT EXISTS (SELECT FROM pg_depend p WHERE p.objid = o.oid AND p.classid = o.tableoid AND p.deptype = 'e')",
    ),
    ("extension", "SELECT extname, extversion FROM pg_extension"),
    (
        "view",
        "SELECT n.nspname || '.' || o.relname, pg_get_viewdef(o.oid) FROM pg_class o JOIN pg_namespace n ON n.oid = o.relnamespace \
         WHERE o.relkind IN ('v', 'm') AND n.nspname !~ '^pg_' AND n.nspname <> 'information_schema' \
         AND NOT EXISTS (SELECT FROM pg_depend p WHERE p.objid = o.oid AND p.classid = o.tableoid AND p.deptype = 'e')",
    ),
    (
        "sequence",
        "SELECT n.nspname || '.' || o.relname FROM pg_class o JOIN pg_namespace n ON n.oid = o.relnamespace \
         WHERE o.relkind = 'S' AND n.nspname !~ '^pg_' AND n.nspname <> 'information_schema' \
         AND NOT EXISTS (SELECT FROM pg_depend p WHERE p.objid = o.oid AND p.classid = o.tableoid AND p.deptype IN ('e', 'a', 'i'))",
    ),
    (
        "function",
        "SELECT n.nspname || '.' || o.proname || '(' || pg_get_function_identity_arguments(o.oid) || ')', o.prosrc, o.probin, \
         o.prorettype::regtype, o.proconfig FROM pg_proc o JOIN pg_namespace n ON n.oid = o.pronamespace \
         WHERE n.nspname !~ '^pg_' AND n.nspname <> 'information_schema' \
         AND NOT EXISTS (SELECT FROM pg_depend p WHERE p.objid = o.oid AND p.classid = o.tableoid AND p.deptype IN ('e', 'a', 'i'))",
    ),
    (
        "type",
        "SELECT n.nspname || '.' || o.typname, (SELECT string_agg(enumlabel, ' ' ORDER BY enumsortorder) FROM pg_enum \
         WHERE enumtypid = o.oid) FROM pg_type o JOIN pg_namespace n ON n.oid = o.typnamespace LEFT JOIN pg_class r ON r.oid = o.typrelid \
         WHERE (o.typtype IN ('d', 'e', 'r') OR r.relkind = 'c') AND n.nspname !~ '^pg_' AND n.nspname <> 'information_schema' \
         AND NOT EXISTS (SELECT FROM pg_depend p WHERE p.objid = o.oid AND p.classid = o.tableoid AND p.deptype = 'e')",
    ),
    (
        "trigger",
        "SELECT t.tgrelid::regclass || '.' || t.tgname, pg_get_triggerdef(t.oid), t.tgenabled FROM pg_trigger t \
         WHERE NOT t.tgisinternal",
    ),
    (
        "rule",
        "SELECT schemaname || '.' || tablename || '.' || rulename, definition FROM pg_rules \
         WHERE schemaname !~ '^pg_' AND schemaname <> 'information_schema'",
    ),
    (
        "policy",
        "SELECT polrelid::regclass || '.' || polname, polcmd, pg_get_expr(polqual, polrelid), pg_get_expr(polwithcheck, polrelid) \
         FROM pg_policy",
    ),
    ("event trigger", "SELECT evtname, evtevent, evtfoid::regproc, evtenabled FROM pg_event_trigger"),
    ("publication", "SELECT pubname, puballtables FROM pg_publication"),
    ("foreign server", "SELECT srvname, srvoptions FROM pg_foreign_server"),
    ("user mapping", "SELECT srvname || '.' || usename, umoptions FROM pg_user_mappings"),
    (
        "collation",
        "SELECT n.nspname || '.' || o.collname, collcollate, collctype FROM pg_collation o JOIN pg_namespace n ON n.oid = o.collnamespace \
         WHERE n.nspname !~ '^pg_' AND n.nspname <> 'information_schema' \
         AND NOT EXISTS (SELECT FROM pg_depend p WHERE p.objid = o.oid AND p.classid = o.tableoid AND p.deptype = 'e')",
    ),
    (
        "text search configuration",
        "SELECT n.nspname || '.' || o.cfgname FROM pg_ts_config o JOIN pg_namespace n ON n.oid = o.cfgnamespace \
         WHERE n.nspname !~ '^pg_' AND n.nspname <> 'information_schema' \
         AND NOT EXISTS (SELECT FROM pg_depend p WHERE p.objid = o.oid AND p.classid = o.tableoid AND p.deptype = 'e')",
    ),
    (
        "text search dictionary",
        "SELECT n.nspname || '.' || o.dictname, dictinitoption FROM pg_ts_dict o JOIN pg_namespace n ON n.oid = o.dictnamespace \
         WHERE n.nspname !~ '^pg_' AND n.nspname <> 'information_schema' \
         AND NOT EXISTS (SELECT FROM pg_depend p WHERE p.objid = o.oid AND p.classid = o.tableoid AND p.deptype = 'e')",
    ),
    (
        "operator",
        "SELECT n.nspname || '.' || o.oprname, oprcode::regprocedure FROM pg_operator o JOIN pg_namespace n ON n.oid = o.oprnamespace \
         WHERE n.nspname !~ '^pg_' AND n.nspname <> 'information_schema' \
         AND NOT EXISTS (SELECT FROM pg_depend p WHERE p.objid = o.oid AND p.classid = o.tableoid AND p.deptype = 'e')",
    ),
    (
        "statistics",
        "SELECT n.nspname || '.' || o.stxname, stxrelid::regclass, stxkeys FROM pg_statistic_ext o JOIN pg_namespace n ON n.oid = o.stxnamespace \
         WHERE n.nspname !~ '^pg_' AND n.nspname <> 'information_schema' \
         AND NOT EXISTS (SELECT FROM pg_depend p WHERE p.objid = o.oid AND p.classid = o.tableoid AND p.deptype = 'e')",
    ),
    (
        "foreign-data wrapper",
        "SELECT o.fdwname, o.fdwoptions FROM pg_foreign_data_wrapper o \
         WHERE NOT EXISTS (SELECT FROM pg_depend p WHERE p.objid = o.oid AND p.classid = o.tableoid AND p.deptype = 'e')",
    ),
    (
        "table of publication",
        "SELECT p.pubname || ' ' || r.prrelid::regclass FROM pg_publication_rel r JOIN pg_publication p ON p.oid = r.prpubid",
    ),
    // Default privileges give new tables theirs.
    (
        "privileges",
        "SELECT n.nspname || '.' || o.relname, o.relacl FROM pg_class o JOIN pg_namespace n ON n.oid = o.relnamespace \
         WHERE o.relacl IS NOT NULL AND NOT EXISTS (SELECT FROM pg_default_acl) AND n.nspname !~ '^pg_' AND n.nspname <> 'information_schema' \
         AND NOT EXISTS (SELECT FROM pg_depend p WHERE p.objid = o.oid AND p.classid = o.tableoid AND p.deptype = 'e')",
    ),
];

/// What a file of SQLite has. A value of 0 is that of every new file.
const SQLITE: &[Query] = &[
    ("view", "SELECT name, sql FROM sqlite_master WHERE type = 'view'"),
    ("trigger", "SELECT name, sql FROM sqlite_master WHERE type = 'trigger'"),
    ("pragma", "SELECT 'user_version', user_version FROM pragma_user_version WHERE user_version <> 0"),
    ("pragma", "SELECT 'application_id', application_id FROM pragma_application_id WHERE application_id <> 0"),
];
