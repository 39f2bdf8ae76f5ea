//! Access to a private server: the password that is generated for it, the files that contain it, and a first login that
//! verifies the address.

use super::files::closed_file;
use std::io::Read;
use std::path::{Path, PathBuf};
use tenbin_driver::{Connection, Connector, Error, Transport, event_loop};
use tenbin_model::dsn::{Dsn, Scheme};
use tenbin_words::hex::hex;
use tenbin_words::message::foreign;
use tenbin_words::msg;
use tenbin_words::problem::Problem;

/// The password file of the sandbox in this directory.
pub fn file(dir: &Path) -> PathBuf {
    dir.join("password")
}

/// Generates a password and stores it for its owner only. It has letters of both cases, digits and a special character,
/// as required by servers that validate passwords, and nothing that would need quoting.
pub fn draw(dir: &Path) -> Result<String, Problem> {
    let mut bytes = [0; 16];
    std::fs::File::open("/dev/urandom")
        .and_then(|mut random| random.read_exact(&mut bytes))
        .map_err(|e| Problem::new(msg!("no-password-can-be-drawn")).evidence(msg!("dev-urandom", error = e)))?;
    let word = hex(&bytes);
    let password = format!("{word}-Tb1");
    closed_file(&file(dir), &format!("{password}\n"))?;
    Ok(password)
}

/// The password of the sandbox in this directory.
pub fn read(dir: &Path) -> Result<String, Problem> {
    let path = file(dir);
    let text = tenbin_intake::text(&path, tenbin_intake::SMALL)
        .map_err(|e| Problem::new(msg!("file-unreadable", file = path.display())).evidence(foreign(e)))?;
    Ok(text.trim_end().to_owned())
}

/// The port in a sandbox's address.
pub fn port(dsn: &str) -> Result<u16, Problem> {
    Dsn::parse(dsn)?.port.ok_or_else(|| Problem::new(msg!("address-without-port", dsn)))
}

/// Queries a server, each time on a new connection.
pub struct SandboxClient {
    connector: Connector,
    runtime: tokio::runtime::Runtime,
}

impl SandboxClient {
    pub fn new(dsn: &str) -> Result<SandboxClient, Problem> {
        let runtime = event_loop()?;
        Ok(SandboxClient { connector: Connector::new(Dsn::parse(dsn)?, None)?, runtime })
    }

    pub fn ask<T>(&self, what: impl AsyncFnOnce(&mut Connection) -> Result<T, Error>) -> Result<T, Error> {
        self.runtime.block_on(async {
            let mut c = match self.connector.dsn().scheme {
                // A plan may limit the sessions of its server.
                Scheme::Mysql => self.connector.connect_ready().await?,
                _ => self.connector.connect(Transport::Shared).await?,
            };
            let answer = what(&mut c).await?;
            c.leave().await;
            Ok(answer)
        })
    }

    /// Checks that a login succeeds.
    pub fn enters(&self) -> Result<(), Error> {
        self.ask(async |_| Ok(()))
    }
}
