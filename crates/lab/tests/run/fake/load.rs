//! Data and clients that need no server.

use super::{Shared, locked};
use std::sync::Arc;
use std::time::Duration;
use tenbin_driver::{Class, Connector, Error, Reply, Transport};
use tenbin_model::stop::StopSignal;
use tenbin_model::tally::StatementKind;
use tenbin_words::message::foreign;
use tenbin_words::problem::Problem;
use tenbin_workload::{
    BoxFuture, Client, Dataset, DatasetState, LoadSlices, Progress, TargetReach, TransactionContext, Workload,
};

/// A hundred rows, loaded in 400 ms and dropped in 50.
pub struct FakeData(pub Arc<Shared>);

impl Dataset for FakeData {
    fn kind(&self) -> &str {
        "fake"
    }

    fn rows(&self) -> u64 {
        100
    }

    fn bytes(&self) -> u64 {
        0
    }

    fn statements(&self) -> Vec<String> {
        Vec::new()
    }

    fn inspect(&self, connector: &Connector) -> Result<DatasetState, Problem> {
        self.0.up(connector)?;
        let there = locked(&self.0.loaded).contains(&connector.dsn().host);
        Ok(if there { DatasetState::Ready { ours: true } } else { DatasetState::Nothing })
    }

    fn load(
        &self,
        connector: &Connector,
        _streams: u32,
        _seed: u64,
        progress: Progress<'_>,
        stop: &StopSignal,
    ) -> Result<Vec<Problem>, Problem> {
        for quarter in 1..=4 {
            self.0.work(Duration::from_millis(100));
            self.0.up(connector)?;
            if stop.asked() {
                return Err(Problem::new(foreign("stopped while loading")));
            }
            progress(25 * quarter);
        }
        locked(&self.0.loaded).insert(connector.dsn().host.clone());
        Ok(Vec::new())
    }

    fn has_slices(&self) -> bool {
        true
    }

    fn load_around(
        &self,
        connector: &Connector,
        _streams: u32,
        _seed: u64,
        rows: LoadSlices<'_>,
        _stop: &StopSignal,
    ) -> Result<Vec<Problem>, Problem> {
        self.0.line("  tables");
        let rows = rows()?;
        self.0.line(&format!("  indexes of {rows} rows"));
        locked(&self.0.loaded).insert(connector.dsn().host.clone());
        Ok(Vec::new())
    }

    fn drop_ours(&self, connector: &Connector) -> Result<(), Problem> {
        self.0.work(Duration::from_millis(50));
        self.0.up(connector)?;
        locked(&self.0.loaded).remove(&connector.dsn().host);
        Ok(())
    }
}

/// Transactions that take this long, as long as the server is up.
#[derive(Clone)]
pub struct FakeWorkload {
    pub shared: Arc<Shared>,
    pub connector: Connector,
    pub service: Duration,
}

impl Workload for FakeWorkload {
    fn name(&self) -> &str {
        "fake"
    }

    fn transactions(&self) -> Vec<String> {
        vec!["fake".into()]
    }

    fn statements(&self) -> Vec<(String, StatementKind)> {
        vec![("only".into(), StatementKind::Read)]
    }

    fn prepared_per_connection(&self) -> u32 {
        0
    }

    fn reach(&self) -> TargetReach {
        TargetReach { shares_cores: true, ..TargetReach::default() }
    }

    fn client(&self, _number: u32, _of: u32, _seed: u64) -> Box<dyn Client> {
        Box::new(FakeClient(self.clone()))
    }
}

struct FakeClient(FakeWorkload);

impl FakeClient {
    fn up(&self, class: Class) -> Result<(), Error> {
        self.0.shared.up(&self.0.connector).map_err(|problem| Error::new(class, problem.what))
    }
}

impl Client for FakeClient {
    fn connect(&mut self, _: Transport) -> BoxFuture<'_, ()> {
        Box::pin(async move { self.up(Class::Refused) })
    }

    fn transaction<'a>(&'a mut self, turn: &'a mut TransactionContext) -> BoxFuture<'a, usize> {
        Box::pin(async move {
            let work = async {
                tokio::time::sleep(self.0.service).await;
                self.up(Class::Lost).map(|()| Reply { rows: 1, ..Reply::default() })
            };
            turn.time(0, work).await?;
            Ok(0)
        })
    }

    fn recover(&mut self) -> BoxFuture<'_, ()> {
        Box::pin(async { Ok(()) })
    }

    fn close(&mut self) -> BoxFuture<'_, ()> {
        Box::pin(async { Ok(()) })
    }
}
