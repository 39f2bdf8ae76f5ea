//! Schemas that belong to the server itself: nothing is created, loaded or dropped in them, under any name and with any
//! option.

use crate::dataset::{
    Checked, Dataset, DatasetSlice, DatasetState, Examined, LoadSlices, PartState, Progress, Steps, When,
};
use crate::tables::admin::with_connection;
use std::path::PathBuf;
use tenbin_driver::Connector;
use tenbin_model::dsn::{Scheme, is_system_schema};
use tenbin_model::stop::StopSignal;
use tenbin_words::msg;
use tenbin_words::problem::Problem;

/// Fails if the schema of the address belongs to the server itself. Blocks the calling thread.
pub fn refuse_system_schema(connector: &Connector) -> Result<(), Problem> {
    let dsn = connector.dsn();
    match dsn.scheme {
        Scheme::Mysql if is_system_schema(dsn.scheme, &dsn.database) => Err(refused(&dsn.database)),
        // New databases are copied from it.
        Scheme::Postgres if ["template0", "template1"].contains(&dsn.database.as_str()) => Err(refused(&dsn.database)),
        Scheme::Postgres => with_connection(connector, msg!("looking-which-schema"), async |c| {
            let schema = c.table("SELECT current_schema()").await?;
            Ok(match schema.scalar() {
                Some(name) if is_system_schema(Scheme::Postgres, name) => Err(refused(name)),
                _ => Ok(()),
            })
        }),
        _ => Ok(()),
    }
}

/// The problem.
pub fn refused(schema: &str) -> Problem {
    Problem::new(msg!("system-schema", schema))
        .evidence(msg!("nothing-was-changed"))
        .hint(msg!("create-database-sbtest"))
}

/// A data set that refuses the server's own schemas.
pub struct Outside(pub Box<dyn Dataset>);

impl Dataset for Outside {
    fn kind(&self) -> &str {
        self.0.kind()
    }

    fn rows(&self) -> u64 {
        self.0.rows()
    }

    fn prepared_by(&self) -> Option<&str> {
        self.0.prepared_by()
    }

    fn unit(&self) -> &'static str {
        self.0.unit()
    }

    fn bytes(&self) -> u64 {
        self.0.bytes()
    }

    fn directory(&self, connector: &Connector) -> Option<PathBuf> {
        self.0.directory(connector)
    }

    fn statements(&self) -> Vec<String> {
        self.0.statements()
    }

    fn creates(&self) -> Option<Vec<String>> {
        self.0.creates()
    }

    fn schema(&self) -> Option<&str> {
        self.0.schema()
    }

    fn in_parts(&self) -> bool {
        self.0.in_parts()
    }

    fn is_loaded(&self) -> Result<bool, Problem> {
        self.0.is_loaded()
    }

    fn inspect(&self, connector: &Connector) -> Result<DatasetState, Problem> {
        self.0.inspect(connector)
    }

    fn load(
        &self,
        connector: &Connector,
        streams: u32,
        seed: u64,
        progress: Progress<'_>,
        stop: &StopSignal,
    ) -> Result<Vec<Problem>, Problem> {
        refuse_system_schema(connector)?;
        self.0.load(connector, streams, seed, progress, stop)
    }

    fn streams_used(&self, connector: &Connector, streams: u32) -> u32 {
        self.0.streams_used(connector, streams)
    }

    fn has_slices(&self) -> bool {
        self.0.has_slices()
    }

    fn load_around(
        &self,
        connector: &Connector,
        streams: u32,
        seed: u64,
        rows: LoadSlices<'_>,
        stop: &StopSignal,
    ) -> Result<Vec<Problem>, Problem> {
        refuse_system_schema(connector)?;
        self.0.load_around(connector, streams, seed, rows, stop)
    }

    fn load_slice(
        &self,
        connector: &Connector,
        streams: u32,
        seed: u64,
        slice: DatasetSlice,
        progress: Progress<'_>,
        stop: &StopSignal,
    ) -> Result<u64, Problem> {
        refuse_system_schema(connector)?;
        self.0.load_slice(connector, streams, seed, slice, progress, stop)
    }

    fn load_named(
        &self,
        connector: &Connector,
        seed: u64,
        tell: &dyn Fn(PartState, &str),
        stop: &StopSignal,
    ) -> Result<u64, Problem> {
        refuse_system_schema(connector)?;
        self.0.load_named(connector, seed, tell, stop)
    }

    fn load_each(
        &self,
        connector: &Connector,
        streams: u32,
        seed: u64,
        tell: Steps<'_>,
        stop: &StopSignal,
    ) -> Result<(), Problem> {
        refuse_system_schema(connector)?;
        self.0.load_each(connector, streams, seed, tell, stop)
    }

    fn after(&self, connector: &Connector) -> Result<(), Problem> {
        self.0.after(connector)
    }

    fn drop_ours(&self, connector: &Connector) -> Result<(), Problem> {
        refuse_system_schema(connector)?;
        self.0.drop_ours(connector)
    }

    fn drop_named(&self, connector: &Connector, tell: &dyn Fn(&str)) -> Result<(), Problem> {
        refuse_system_schema(connector)?;
        self.0.drop_named(connector, tell)
    }

    fn warm(&self, connector: &Connector, tell: &dyn Fn(&str)) -> Result<(), Problem> {
        self.0.warm(connector, tell)
    }

    fn checks(&self) -> When {
        self.0.checks()
    }

    fn check(
        &self,
        connector: &Connector,
        streams: u32,
        fresh: bool,
        progress: Examined<'_>,
        stop: &StopSignal,
    ) -> Result<Vec<Checked>, Problem> {
        self.0.check(connector, streams, fresh, progress, stop)
    }
}
