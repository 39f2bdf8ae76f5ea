//! The workload `tpcc` and its client: a terminal with a set of tables, a home warehouse and district, which draws one
//! card after the other.

use super::deck::Cards;
use super::deferred::{Desk, deliverers, deliverers_of};
use super::delivery;
use super::found;
use super::input::Input;
use super::new_order;
use super::order_status;
use super::pacing;
use super::payment::{self, Buffers};
use super::pool::{self, Pool, brings};
use super::profile::Profile;
use super::session::Session;
use super::set::Set;
use super::settings::{self, OPTIONS, TpccSettings};
use super::stock_level;
use super::text::between;
use super::tpcc_mysql::{self, Scratch};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;
use std::sync::{Arc, Mutex, OnceLock, PoisonError, Weak};
use std::time::Duration;
use tenbin_driver::{Class, Connector, Error, Transport};
use tenbin_model::tally::StatementKind;
use tenbin_model::tpcc;
use tenbin_model::tpcc::Counter as C;
use tenbin_model::tpcc::TransactionType;
use tenbin_words::msg;
use tenbin_words::problem::Problem;
use tenbin_workload::{BoxFuture, Client, Random, TargetReach, TransactionContext, Workload, WorkloadEntry};

pub(crate) const ENTRY: WorkloadEntry = WorkloadEntry {
    name: tpcc::WORKLOAD,
    about: "derived from TPC-C: five transactions of a wholesale supplier, not comparable with published results",
    family: "tpcc",
    dataset: super::ENTRY.kind,
    shared: &["tables", "numbered", "warehouses"],
    paces_with: Some(("mode", "paced")),
    settle: settings::settle,
    options: &[OPTIONS],
    ..WorkloadEntry::made_by(|name, options, connector| {
        let plan = Arc::new(TpccSettings::new(options, &connector)?);
        let (desk, part, on_host) = (Mutex::new(Weak::new()), OnceLock::new(), OnceLock::new());
        Ok(Box::new(Tpcc { name, plan, connector, desk, part, on_host }))
    })
};

#[derive(Debug)]
struct Tpcc {
    name: &'static str,
    plan: Arc<TpccSettings>,
    connector: Connector,
    /// Where the current terminals queue their deliveries.
    desk: Mutex<Weak<Desk>>,
    /// Which part of its terminals this process drives, and of how many.
    part: OnceLock<(u32, u32)>,
    /// The terminals of one of several load hosts that open a connection for all of it, by their numbers; and the most threads for them.
    on_host: OnceLock<(BTreeSet<u32>, u32)>,
}

impl Tpcc {
    /// The desk of all terminals; the first one opens it.
    fn desk(&self, terminals: u32, seed: u64) -> Arc<Desk> {
        let mut known = self.desk.lock().unwrap_or_else(PoisonError::into_inner);
        known.upgrade().unwrap_or_else(|| {
            let number = deliverers_of(deliverers(&self.plan, terminals.into()), self.part(), &self.plan);
            let desk = Arc::new(Desk::open(&self.plan, &self.connector, number, seed));
            *known = Arc::downgrade(&desk);
            desk
        })
    }

    /// Which part this process drives, and of how many: all of it, unless load hosts divide it.
    fn part(&self) -> (u32, u32) {
        self.part.get().copied().unwrap_or((0, 1))
    }

    /// The terminals on each of `hosts` load hosts, by set of tables, with whether each opens a connection for all.
    fn on_hosts(&self, terminals: u32, hosts: u32) -> BTreeMap<(Set, u32), Vec<(u32, bool)>> {
        let host = |number: u32| self.group(number, terminals) % hosts.max(1);
        pool::on_hosts(terminals, self.plan.pool, &self.plan.sets, &host)
    }

    /// Those of this load host that open one, and the most threads for its terminals: half as many as the set with the fewest connections has.
    fn on_this_host(&self, terminals: u32) -> &(BTreeSet<u32>, u32) {
        self.on_host.get_or_init(|| {
            let (part, hosts) = self.part();
            let (mut open, mut fewest) = (BTreeSet::new(), u32::MAX);
            for ((_, host), all) in self.on_hosts(terminals, hosts) {
                if host == part {
                    let own = all.into_iter().filter(|(_, opens)| *opens).map(|(number, _)| number);
                    let before = open.len();
                    open.extend(own);
                    fewest = fewest.min((open.len() - before) as u32);
                }
            }
            (open, (fewest / 2).max(1))
        })
    }
}

impl Workload for Tpcc {
    fn name(&self) -> &str {
        self.name
    }

    fn transactions(&self) -> Vec<String> {
        TransactionType::ALL.map(|of| of.name().to_owned()).to_vec()
    }

    fn statements(&self) -> Vec<(String, StatementKind)> {
        self.plan.profile.list().iter().map(|(name, kind)| ((*name).to_owned(), *kind)).collect()
    }

    fn counters(&self) -> Vec<String> {
        C::ALL.iter().map(|counter| counter.name().to_owned()).collect()
    }

    fn unmarked(&self, _clients: u32, _coming: &[String]) -> Result<Vec<String>, Problem> {
        if self.plan.null { Ok(Vec::new()) } else { found::unmarked(&self.connector, &self.plan.sets) }
    }

    fn tables(&self) -> Result<BTreeMap<String, String>, Problem> {
        if self.plan.null { Ok(BTreeMap::new()) } else { found::found(&self.connector, &self.plan.sets) }
    }

    fn paces(&self) -> bool {
        self.plan.pace.is_some()
    }

    fn connections(&self, clients: u32) -> u32 {
        let of_terminals = match u32::try_from(self.plan.pool) {
            Ok(0) | Err(_) => clients,
            Ok(pool) => pool.min(clients),
        };
        let of_others = if self.plan.deferred { deliverers(&self.plan, clients.into()) } else { 0 };
        of_terminals.saturating_add(u32::try_from(of_others).unwrap_or(u32::MAX))
    }

    fn prepared_per_connection(&self) -> u32 {
        self.plan.profile.prepared()
    }

    fn session_statements(&self) -> u32 {
        self.plan.setup.len() as u32
    }

    fn reach(&self) -> TargetReach {
        self.connector.reach()
    }

    // For the rows of warehouses and districts, of which there are far fewer than terminals at work.
    fn contends(&self) -> bool {
        true
    }

    // Half as many as there are connections for each set, so that each thread's part of the terminals brings one, however it is cut.
    fn most_threads(&self, clients: u32) -> Option<u32> {
        let of_set = self.plan.pool / (self.plan.sets.len() as u64).max(1);
        (self.plan.pool > 0).then(|| match self.part() {
            (_, 0 | 1) => u32::try_from(of_set / 2).unwrap_or(u32::MAX).max(1),
            _ => self.on_this_host(clients).1,
        })
    }

    fn drives_part(&self, number: u32, of: u32) {
        // A workload that is made for a trial drives one part of it.
        self.part.get_or_init(|| (number, of));
    }

    fn may_be_divided(&self, clients: u32, hosts: u32) -> bool {
        self.plan.pool == 0
            || self.on_hosts(clients, hosts).values().all(|on_host| on_host.iter().any(|(_, opens)| *opens))
    }

    // The terminals of a warehouse, in all sets of tables.
    fn group(&self, number: u32, of: u32) -> u32 {
        let (_, mine, there) = Set::of_client(number.into(), of.into(), &self.plan.sets);
        u32::try_from(home(mine, there, self.plan.warehouses).0 - 1).unwrap_or(number)
    }

    fn client(&self, number: u32, of: u32, seed: u64) -> Box<dyn Client> {
        let (set, mine, there) = Set::of_client(number.into(), of.into(), &self.plan.sets);
        let (w, d) = home(mine, there, self.plan.warehouses);
        let pool = set.share(self.plan.pool, self.plan.sets.len() as u64);
        Box::new(TpccTerminal {
            set,
            w,
            d,
            seed,
            random: Random::new(seed, u64::from(number)),
            cards: Cards::new(self.plan.mix),
            card: None,
            last: None,
            input: None,
            buffers: Buffers::default(),
            scratch: Scratch::default(),
            session: None,
            // A client is created on the thread that runs it.
            pool: (self.plan.pool > 0).then(|| Pool::of(self.plan.id, set)),
            owes: match self.part() {
                _ if self.plan.pool == 0 => true,
                (_, 0 | 1) => brings(mine, there, pool),
                _ => self.on_this_host(of).0.contains(&number),
            },
            brought: false,
            desk: self.plan.deferred.then(|| self.desk(of, seed)),
            plan: Arc::clone(&self.plan),
            connector: self.connector.clone(),
        })
    }
}

/// A terminal's warehouse and district: as evenly over the warehouses as possible.
fn home(number: u64, of: u64, warehouses: u64) -> (u64, u64) {
    if of < warehouses {
        (number * warehouses / of + 1, number % 10 + 1)
    } else {
        (number % warehouses + 1, number / warehouses % 10 + 1)
    }
}

struct TpccTerminal {
    /// The set of tables that all its transactions are on.
    set: Set,
    w: u64,
    d: u64,
    seed: u64,
    random: Random,
    cards: Cards,
    /// Drawn beforehand, for the pause before it.
    card: Option<TransactionType>,
    last: Option<TransactionType>,
    input: Option<Input>,
    buffers: Buffers,
    scratch: Scratch,
    session: Option<Session>,
    pool: Option<Rc<Pool>>,
    /// Whether it still has to open a connection: its own, or one for the pool.
    owes: bool,
    brought: bool,
    /// Where its deliveries are queued, unless it executes them itself.
    desk: Option<Arc<Desk>>,
    plan: Arc<TpccSettings>,
    connector: Connector,
}

impl TpccTerminal {
    fn draw(&mut self) -> Option<Input> {
        let TpccTerminal { plan, random, d, .. } = self;
        let ground = plan.known()?;
        let w = if plan.home_fixed { self.w } else { between(random, 1, plan.warehouses) };
        let kind = self.card.take().unwrap_or_else(|| self.cards.draw(random));
        let input = match kind {
            TransactionType::NewOrder => Input::NewOrder(new_order::draw(plan, ground, w, random)),
            TransactionType::Payment => Input::Payment(payment::draw(plan, ground, w, random)),
            TransactionType::OrderStatus => Input::OrderStatus(order_status::draw(ground, w, random)),
            TransactionType::Delivery => Input::Delivery(delivery::draw(w, random)),
            TransactionType::StockLevel => Input::StockLevel(stock_level::draw(w, *d, random)),
        };
        Some(match plan.profile {
            Profile::Batched => input,
            Profile::TpccMysql => tpcc_mysql::typed(input, ground, random),
        })
    }

    async fn run(&mut self, context: &mut TransactionContext) -> Result<usize, Error> {
        if context.attempt == 0 || self.input.is_none() {
            self.input = self.draw();
        }
        if let (Some(desk), Some(Input::Delivery(delivery))) = (&self.desk, &self.input) {
            // The terminal's part ends here: "Delivery has been queued" (clause 2.7.3.3).
            (context.transaction, self.last) = (TransactionType::Delivery as usize, Some(TransactionType::Delivery));
            desk.queue(*delivery, self.set);
            context.count(C::DeferredQueued as usize, 1);
            desk.collect(context);
            return Ok(TransactionType::Delivery as usize);
        }
        if self.session.is_none()
            && let Some(pool) = &self.pool
        {
            self.session = Some(pool.take().await?);
        }
        let (Some(input), Some(session)) = (&self.input, &mut self.session) else {
            return Err(Error::new(Class::Lost, msg!("not-connected")));
        };
        let kind = match input {
            Input::NewOrder(_) => TransactionType::NewOrder,
            Input::Payment(_) => TransactionType::Payment,
            Input::OrderStatus(_) => TransactionType::OrderStatus,
            Input::Delivery(_) => TransactionType::Delivery,
            Input::StockLevel(_) => TransactionType::StockLevel,
        };
        (context.transaction, self.last) = (kind as usize, Some(kind));
        let done = match input {
            input if self.plan.profile == Profile::TpccMysql => {
                tpcc_mysql::run(input, &mut self.scratch, session, context).await
            }
            Input::NewOrder(order) => new_order::run(order, session, context).await.map(|_shown| ()),
            Input::Payment(payment) => payment::run(payment, &mut self.buffers, session, context).await,
            Input::OrderStatus(wanted) => order_status::run(wanted, &mut self.buffers, session, context).await,
            Input::Delivery(delivery) => delivery::run(delivery, session, context).await,
            Input::StockLevel(wanted) => stock_level::run(wanted, session, context).await,
        };
        match done {
            Ok(()) => {
                self.give_back();
                if let Some(desk) = &self.desk {
                    desk.collect(context);
                }
            }
            Err(error) => {
                if error.class() == Class::Lost {
                    self.session = None;
                    self.owes = true;
                }
                return Err(error);
            }
        }
        Ok(kind as usize)
    }

    /// Returns the connection to the pool if it is shared.
    fn give_back(&mut self) {
        if let Some(pool) = &self.pool
            && let Some(session) = self.session.take()
        {
            pool.give_back(session);
        }
    }
}

impl Client for TpccTerminal {
    fn connect(&mut self, transport: Transport) -> BoxFuture<'_, ()> {
        Box::pin(async move {
            if self.pool.is_some() && transport == Transport::Alone {
                return Err(Error::new(Class::Limit, msg!("threads-cannot-share")).hint(msg!("set-workers-to-number")));
            }
            if !self.owes {
                return Ok(());
            }
            self.session = None;
            let session = Session::open(&self.connector, transport, &self.plan, self.set, self.seed).await?;
            match &self.pool {
                Some(pool) => {
                    if self.brought {
                        pool.give_back(session)
                    } else {
                        pool.add(session)
                    }
                    (self.brought, self.owes) = (true, false);
                }
                None => self.session = Some(session),
            }
            Ok(())
        })
    }

    fn pause(&mut self) -> Duration {
        let card = self.cards.draw(&mut self.random);
        self.card = Some(card);
        pacing::pause(self.last, card, self.plan.pace.unwrap_or(0.0), &mut self.random)
    }

    fn transaction<'a>(&'a mut self, context: &'a mut TransactionContext) -> BoxFuture<'a, usize> {
        Box::pin(self.run(context))
    }

    fn recover(&mut self) -> BoxFuture<'_, ()> {
        Box::pin(async move {
            let recovered = match &mut self.session {
                Some(session) => session.recover().await,
                None => Ok(()),
            };
            if recovered.is_ok() {
                self.give_back();
            } else {
                self.session = None;
                self.owes = true;
            }
            recovered
        })
    }

    fn close(&mut self) -> BoxFuture<'_, ()> {
        Box::pin(async move {
            let shared = self.pool.as_ref().filter(|_| self.brought).and_then(|p| p.retire());
            for session in self.session.take().into_iter().chain(shared) {
                session.close().await;
            }
            Ok(())
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn homes_are_spread_evenly_with_ten_districts_each() {
        let mut homes: BTreeMap<(u64, u64), u32> = BTreeMap::new();
        (0..40).for_each(|n| *homes.entry(home(n, 40, 4)).or_default() += 1);
        assert_eq!(homes.len(), 40, "each terminal its own district: {homes:?}");
        let few: Vec<u64> = (0..4).map(|n| home(n, 4, 100).0).collect();
        assert_eq!(few, [1, 26, 51, 76]);
        assert!((0..7).all(|n| home(n, 7, 100).0 <= 100));
    }
}
