//! Clients that execute a statement that does nothing, for the ceiling of the clients of a trial.

use tenbin_driver::{Class, Connection, Connector, Error, Prepared, Transport};
use tenbin_model::dsn::Scheme;
use tenbin_model::tally::StatementKind;
use tenbin_words::msg;
use tenbin_workload::{BoxFuture, Client, TargetReach, TransactionContext, Workload};

/// The statement that lets a server of this kind do nothing; `None` if there is no server.
pub fn statement(scheme: Scheme) -> Option<&'static str> {
    match scheme {
        Scheme::Mysql => Some("DO 0"),
        Scheme::Postgres => Some("SELECT 1"),
        Scheme::Sqlite | Scheme::Null | Scheme::Host => None,
    }
}

/// The statement as a workload that runs on the same threads as another one.
#[derive(Debug)]
pub struct RoundTrips {
    connector: Connector,
    statement: &'static str,
    prepared: bool,
    reach: TargetReach,
    contends: bool,
}

impl RoundTrips {
    /// With the protocol and the threads of `like`; `None` if there is no server.
    pub fn like(like: &dyn Workload, connector: &Connector) -> Option<RoundTrips> {
        Some(RoundTrips {
            statement: statement(connector.dsn().scheme)?,
            connector: connector.for_clients(),
            prepared: like.prepared_per_connection() > 0,
            reach: like.reach(),
            contends: like.contends(),
        })
    }
}

impl Workload for RoundTrips {
    fn name(&self) -> &'static str {
        "round-trips"
    }

    fn transactions(&self) -> Vec<String> {
        vec![self.name().to_owned()]
    }

    fn statements(&self) -> Vec<(String, StatementKind)> {
        vec![(self.statement.to_owned(), StatementKind::Other)]
    }

    fn prepared_per_connection(&self) -> u32 {
        self.prepared.into()
    }

    fn reach(&self) -> TargetReach {
        self.reach
    }

    fn contends(&self) -> bool {
        self.contends
    }

    fn client(&self, _number: u32, _of: u32, _seed: u64) -> Box<dyn Client> {
        let (connector, statement, prepare) = (self.connector.clone(), self.statement, self.prepared);
        Box::new(RoundTripClient { connector, statement, prepare, prepared: None, connection: None })
    }
}

struct RoundTripClient {
    connector: Connector,
    statement: &'static str,
    prepare: bool,
    prepared: Option<Prepared>,
    connection: Option<Connection>,
}

impl Client for RoundTripClient {
    fn connect(&mut self, transport: Transport) -> BoxFuture<'_, ()> {
        Box::pin(async move {
            let mut connection = self.connector.connect(transport).await?;
            self.prepared = match self.prepare {
                true => Some(connection.prepare(self.statement).await?),
                false => None,
            };
            self.connection = Some(connection);
            Ok(())
        })
    }

    fn transaction<'a>(&'a mut self, context: &'a mut TransactionContext) -> BoxFuture<'a, usize> {
        Box::pin(async move {
            let Some(connection) = &mut self.connection else {
                return Err(Error::new(Class::Lost, msg!("not-connected")));
            };
            match self.prepared {
                Some(prepared) => context.time(0, connection.execute(prepared, &[])).await?,
                None => context.time(0, connection.query(self.statement)).await?,
            };
            Ok(0)
        })
    }

    fn recover(&mut self) -> BoxFuture<'_, ()> {
        Box::pin(async { Ok(()) })
    }

    fn close(&mut self) -> BoxFuture<'_, ()> {
        Box::pin(async {
            if let Some(connection) = self.connection.take() {
                connection.close().await;
            }
            Ok(())
        })
    }
}
