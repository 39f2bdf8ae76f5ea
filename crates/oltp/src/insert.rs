//! `oltp_insert`: one row as SQL text per transaction, as in sysbench.

use super::COMMON;
use super::reconnect;
use super::session::Session;
use crate::sysbench::name_of;
use crate::sysbench::{C_FORM, PAD_FORM};
use std::collections::BTreeMap;
use std::sync::Arc;
use tenbin_driver::{Class, Connector, Error, Transport};
use tenbin_model::tally::StatementKind;
use tenbin_words::msg;
use tenbin_words::problem::Problem;
use tenbin_workload::distribution::{DistributionKind, Sampler, Unique};
use tenbin_workload::options::{OptionMap, OptionSpec, RANDOM, Resolved, ValueType, row};
use tenbin_workload::tables::dialect::Dialect;
use tenbin_workload::tables::engines;
use tenbin_workload::tables::mark;
use tenbin_workload::{
    BoxFuture, Client, MemoryRange, Random, SHARED, TargetReach, Template, TransactionContext, Workload, WorkloadEntry,
    digits,
};

pub(crate) const ENTRY: WorkloadEntry = WorkloadEntry {
    name: "oltp_insert",
    about: "one INSERT of one row, as SQL text",
    family: "sysbench",
    dataset: "sysbench",
    shared: SHARED,
    options: &[COMMON, AUTO_INC, RANDOM],
    ..WorkloadEntry::made_by(|name, options, connector| {
        Ok(Box::new(Insert { name, plan: Arc::new(InsertSettings::new(options, &connector)), connector }))
    })
};

const AUTO_INC: &[OptionSpec] =
    &[row("auto_inc", "on", ValueType::Switch, "the server assigns the id; off: a random one that is never repeated")];

#[derive(Debug)]
struct Insert {
    name: &'static str,
    plan: Arc<InsertSettings>,
    connector: Connector,
}

#[derive(Debug)]
struct InsertSettings {
    dialect: Dialect,
    auto_inc: bool,
    /// How many tables there are.
    count: u32,
    tables: Sampler,
    keys: Sampler,
    table_size: i64,
    reconnect: u32,
}

impl InsertSettings {
    fn new(options: &OptionMap, connector: &Connector) -> InsertSettings {
        let o = Resolved(options);
        InsertSettings {
            dialect: Dialect::of(connector.dsn().scheme),
            auto_inc: o.on("auto_inc"),
            count: o.count32("tables"),
            tables: DistributionKind::Uniform.over(1, o.count32("tables")),
            keys: o.shape().over(1, o.count32("table_size")),
            table_size: i64::from(o.count32("table_size")),
            reconnect: o.count32("reconnect"),
        }
    }

    /// An id that neither another client nor a loaded row has. (sysbench does not ensure this: it leaves its tables
    /// empty instead.)
    fn own_id(&self, unique: &mut Unique) -> i64 {
        loop {
            let id = i64::from(unique.draw()) - 2_147_483_648;
            if !(0..=self.table_size).contains(&id) {
                return id;
            }
        }
    }

    /// The next statement's text.
    fn write(&self, random: &mut Random, unique: &mut Unique, forms: &(Template, Template), out: &mut Vec<u8>) {
        out.clear();
        out.extend_from_slice(b"INSERT INTO sbtest");
        digits::push(out, self.tables.draw(random));
        let with_id = !self.auto_inc || self.dialect.zero_id_is_next();
        out.extend_from_slice(if with_id { b" (id, k, c, pad) VALUES (" } else { b" (k, c, pad) VALUES (" });
        if with_id {
            let id = if self.auto_inc { 0 } else { self.own_id(unique) };
            digits::push(out, id);
            out.extend_from_slice(b", ");
        }
        digits::push(out, self.keys.draw(random));
        for form in [&forms.0, &forms.1] {
            out.extend_from_slice(b", '");
            let at = out.len();
            out.resize(at + form.len(), 0);
            form.write(random, &mut out[at..]);
            out.push(b'\'');
        }
        out.push(b')');
    }
}

impl Insert {
    /// Its tables.
    fn names(&self) -> Vec<String> {
        (1..=self.plan.count).map(name_of).collect()
    }
}

impl Workload for Insert {
    fn name(&self) -> &str {
        self.name
    }

    fn unmarked(&self, _clients: u32, _coming: &[String]) -> Result<Vec<String>, Problem> {
        mark::without(&self.connector, &self.names())
    }

    fn tables(&self) -> Result<BTreeMap<String, String>, Problem> {
        engines::found(&self.connector, Some(&self.names()))
    }

    fn transactions(&self) -> Vec<String> {
        vec![self.name.to_owned()]
    }

    fn statements(&self) -> Vec<(String, StatementKind)> {
        vec![("insert".to_owned(), StatementKind::Write)]
    }

    fn prepared_per_connection(&self) -> u32 {
        0
    }

    fn reach(&self) -> TargetReach {
        self.connector.reach()
    }

    fn client(&self, number: u32, of: u32, seed: u64) -> Box<dyn Client> {
        let one = InsertClient {
            random: Random::new(seed, u64::from(number)),
            unique: Unique::new(number, of, seed),
            forms: (Template::new(C_FORM), Template::new(PAD_FORM)),
            text: Vec::with_capacity(300),
            plan: Arc::clone(&self.plan),
            session: Session::new(self.connector.clone(), Arc::default()),
        };
        reconnect::after(self.plan.reconnect, one)
    }
}

struct InsertClient {
    random: Random,
    unique: Unique,
    forms: (Template, Template),
    text: Vec<u8>,
    plan: Arc<InsertSettings>,
    session: Session,
}

impl Client for InsertClient {
    fn connect(&mut self, transport: Transport) -> BoxFuture<'_, ()> {
        Box::pin(self.session.open(transport))
    }

    fn transaction<'a>(&'a mut self, context: &'a mut TransactionContext) -> BoxFuture<'a, usize> {
        Box::pin(async move {
            self.plan.write(&mut self.random, &mut self.unique, &self.forms, &mut self.text);
            let text =
                std::str::from_utf8(&self.text).map_err(|_| Error::new(Class::Sql, msg!("statement-is-not-text")))?;
            context.time(0, self.session.query(text)).await?;
            Ok(0)
        })
    }

    fn memory(&self) -> Vec<MemoryRange> {
        self.session.memory()
    }

    fn recover(&mut self) -> BoxFuture<'_, ()> {
        self.session.roll_back()
    }

    fn close(&mut self) -> BoxFuture<'_, ()> {
        self.session.close()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tenbin_model::dsn::Dsn;

    fn text(dsn: &str, auto_inc: &str) -> String {
        let connector = Connector::new(Dsn::parse(dsn).unwrap(), None).unwrap();
        let given = [("auto_inc".to_owned(), auto_inc.to_owned())].into();
        let plan = InsertSettings::new(&ENTRY.resolve(&given).unwrap(), &connector);
        let mut out = Vec::new();
        let forms = (Template::new("##"), Template::new("#"));
        plan.write(&mut Random::new(1, 1), &mut Unique::new(0, 1, 1), &forms, &mut out);
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn the_id_is_the_servers_or_a_unique_one() {
        assert!(text("null:", "on").starts_with("INSERT INTO sbtest1 (id, k, c, pad) VALUES (0, "));
        assert!(text("sqlite:x", "on").starts_with("INSERT INTO sbtest1 (k, c, pad) VALUES ("));
        let own = text("null:", "off");
        let id: i64 = own.split(['(', ',']).nth(5).unwrap().trim().parse().unwrap();
        assert!((-2_147_483_648..=2_147_483_647).contains(&id) && id != 0, "{own}");
    }
}
