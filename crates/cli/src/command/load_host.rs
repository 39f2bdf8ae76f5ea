//! `tenbin load-host`: executes the orders of the process that runs a plan, which starts it and speaks to it through its standard
//! input and output.

use std::sync::Arc;
use tenbin_hosts::{Served, Site, serve};
use tenbin_lab::LabSite;
use tenbin_terminal::exit::Exit;
use tenbin_words::msg;
use tenbin_words::problem::Problem;

pub fn load_host() -> Result<Exit, Problem> {
    let site: Arc<dyn Site> = Arc::new(LabSite { version: env!("TENBIN_VERSION").to_owned() });
    match serve(std::io::stdin(), std::io::stdout(), &site)? {
        Served::Dismissed => Ok(Exit::Ok),
        Served::Closed => Err(Problem::new(msg!("coordinator-closed-connection"))),
        Served::LeaseExpired => Err(Problem::new(msg!("coordinator-silent"))),
        Served::TooMuch => Err(Problem::new(msg!("coordinator-sends-too-much")).hint(msg!("load-host-is-started"))),
        Served::OrdersMissing => Err(Problem::new(msg!("coordinator-orders-missing"))),
    }
}
