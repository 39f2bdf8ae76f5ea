//! What tests say to a server themselves, past the binary: connections of our own driver, and what they ask and load.

use crate::{NullServer, Phoenix};
use std::collections::BTreeMap;
use tenbin_driver::{Connection, Connector, Source, Transport};
use tenbin_model::dsn::Dsn;
use tenbin_servers::sandbox::Sandbox;

/// Both ways in which a connection waits on its socket.
pub const BOTH: [Transport; 2] = [Transport::Shared, Transport::Alone];

/// Runs this to its end on a runtime of its own.
pub fn on<T>(work: impl Future<Output = T>) -> T {
    tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime starts").block_on(work)
}

/// Whatever has an address: a server, or the address itself.
pub trait Address {
    /// The address, with an account and a schema.
    fn dsn(&self) -> String;
}

impl Address for str {
    fn dsn(&self) -> String {
        self.to_owned()
    }
}

impl Address for String {
    fn dsn(&self) -> String {
        self.clone()
    }
}

impl Address for Sandbox {
    fn dsn(&self) -> String {
        self.dsn()
    }
}

impl Address for Phoenix {
    fn dsn(&self) -> String {
        self.dsn()
    }
}

impl Address for NullServer {
    fn dsn(&self) -> String {
        self.dsn()
    }
}

/// What opens connections to it.
pub fn connector(at: &(impl Address + ?Sized)) -> Connector {
    let dsn = at.dsn();
    let parsed = Dsn::parse(&dsn).unwrap_or_else(|p| panic!("{dsn}: {p}"));
    Connector::new(parsed, None).unwrap_or_else(|p| panic!("{dsn}: {p}"))
}

/// A connection that is alone in its thread.
pub async fn open(at: &(impl Address + ?Sized)) -> Connection {
    open_as(at, Transport::Alone).await
}

/// A connection of this kind.
pub async fn open_as(at: &(impl Address + ?Sized), transport: Transport) -> Connection {
    connector(at).connect(transport).await.unwrap_or_else(|e| panic!("{}: {e}", at.dsn()))
}

/// The rows of an answer, on a connection of its own; NULL is `NULL`.
pub fn query(at: &(impl Address + ?Sized), sql: &str) -> Vec<Vec<String>> {
    on(async {
        let mut c = open(at).await;
        let table = c.table(sql).await.unwrap_or_else(|e| panic!("{sql}: {e}"));
        c.close().await;
        let value = |v: Option<String>| v.unwrap_or_else(|| "NULL".into());
        table.rows.into_iter().map(|row| row.into_iter().map(value).collect()).collect()
    })
}

/// Options of a workload or data set, as a plan gives them.
pub fn given(pairs: &[(&str, &str)]) -> BTreeMap<String, String> {
    pairs.iter().map(|(k, v)| ((*k).to_owned(), (*v).to_owned())).collect()
}

/// This many lines to load: the number still to come and a word, with a tab between.
#[derive(Debug)]
pub struct Lines(pub u32);

impl Source for Lines {
    fn fill(&mut self, out: &mut Vec<u8>) {
        for _ in 0..self.0.min(5000) {
            out.extend_from_slice(format!("{}\tline\n", self.0).as_bytes());
            self.0 -= 1;
        }
    }
}
