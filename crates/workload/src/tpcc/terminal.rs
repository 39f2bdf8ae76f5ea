//! The workload `tpcc` and its client: a terminal with a home warehouse and district, which draws one card after the other.

use super::counters;
use super::deck::{Cards, Kind, NAMES};
use super::delivery::{self, Delivery};
use super::new_order::{self, Order};
use super::order_status::{self, OrderStatus};
use super::payment::{self, Buffers, Payment};
use super::plan::{Ground, OPTIONS, Plan};
use super::session::{PREPARED, Session};
use super::statements::LIST;
use super::stock_level::{self, StockLevel};
use super::text::between;
use crate::Random;
use crate::client::{Client, Step, Turn, Workload};
use crate::list::Entry;
use std::sync::Arc;
use tenbin_driver::{Class, Connector, Error, Transport};
use tenbin_model::tally::StatementKind;

pub(crate) const ENTRY: Entry = Entry {
    name: "tpcc",
    about: "derived from TPC-C: five transactions of a wholesale supplier, not comparable with published results",
    dataset: "tpcc",
    options: &[OPTIONS],
    make: |name, options, connector| {
        let plan = Arc::new(Plan::new(options, &connector)?);
        Ok(Box::new(Tpcc { name, plan, connector }))
    },
};

#[derive(Debug)]
struct Tpcc {
    name: &'static str,
    plan: Arc<Plan>,
    connector: Connector,
}

impl Workload for Tpcc {
    fn name(&self) -> &str {
        self.name
    }

    fn transactions(&self) -> Vec<String> {
        NAMES.map(str::to_owned).to_vec()
    }

    fn statements(&self) -> Vec<(String, StatementKind)> {
        LIST.iter().map(|(name, kind)| ((*name).to_owned(), *kind)).collect()
    }

    fn counters(&self) -> Vec<String> {
        counters::NAMES.map(str::to_owned).to_vec()
    }

    fn prepared_per_connection(&self) -> u32 {
        PREPARED
    }

    fn blocks(&self) -> bool {
        self.connector.blocks()
    }

    fn local(&self) -> bool {
        self.connector.dsn().is_local()
    }

    fn client(&self, number: u32, of: u32, seed: u64) -> Box<dyn Client> {
        let (w, d) = home(number.into(), of.into(), self.plan.warehouses);
        Box::new(Terminal {
            w,
            d,
            seed,
            random: Random::new(seed, u64::from(number)),
            cards: Cards::new(self.plan.mix),
            input: None,
            buffers: Buffers::default(),
            ground: None,
            session: None,
            plan: Arc::clone(&self.plan),
            connector: self.connector.clone(),
        })
    }
}

/// A terminal's warehouse and district: as evenly over the warehouses as can be.
fn home(number: u64, of: u64, warehouses: u64) -> (u64, u64) {
    if of < warehouses {
        (number * warehouses / of + 1, number % 10 + 1)
    } else {
        (number % warehouses + 1, number / warehouses % 10 + 1)
    }
}

/// What was typed into the terminal; the same again when a transaction is tried again.
#[derive(Debug, Clone, Copy)]
#[expect(clippy::large_enum_variant, reason = "each terminal has one, in place; a box would be got for each order")]
enum Input {
    NewOrder(Order),
    Payment(Payment),
    OrderStatus(OrderStatus),
    Delivery(Delivery),
    StockLevel(StockLevel),
}

struct Terminal {
    w: u64,
    d: u64,
    seed: u64,
    random: Random,
    cards: Cards,
    input: Option<Input>,
    buffers: Buffers,
    ground: Option<Ground>,
    session: Option<Session>,
    plan: Arc<Plan>,
    connector: Connector,
}

impl Terminal {
    fn draw(&mut self) -> Option<Input> {
        let Terminal { plan, random, d, .. } = self;
        let ground = self.ground.as_ref()?;
        let w = if plan.home_fixed { self.w } else { between(random, 1, plan.warehouses) };
        Some(match self.cards.draw(random) {
            Kind::NewOrder => Input::NewOrder(new_order::draw(plan, ground, w, random)),
            Kind::Payment => Input::Payment(payment::draw(plan, ground, w, random)),
            Kind::OrderStatus => Input::OrderStatus(order_status::draw(ground, w, random)),
            Kind::Delivery => Input::Delivery(delivery::draw(w, random)),
            Kind::StockLevel => Input::StockLevel(stock_level::draw(w, *d, random)),
        })
    }

    async fn run(&mut self, turn: &mut Turn) -> Result<usize, Error> {
        if turn.attempt == 0 || self.input.is_none() {
            self.input = self.draw();
        }
        let (Some(input), Some(session)) = (&self.input, &mut self.session) else {
            return Err(Error::new(Class::Lost, "not connected"));
        };
        let kind = match input {
            Input::NewOrder(_) => Kind::NewOrder,
            Input::Payment(_) => Kind::Payment,
            Input::OrderStatus(_) => Kind::OrderStatus,
            Input::Delivery(_) => Kind::Delivery,
            Input::StockLevel(_) => Kind::StockLevel,
        };
        turn.transaction = kind as usize;
        match input {
            Input::NewOrder(order) => new_order::run(order, session, turn).await.map(|_shown| ()),
            Input::Payment(payment) => payment::run(payment, &mut self.buffers, session, turn).await,
            Input::OrderStatus(wanted) => order_status::run(wanted, &mut self.buffers, session, turn).await,
            Input::Delivery(delivery) => delivery::run(delivery, session, turn).await,
            Input::StockLevel(wanted) => stock_level::run(wanted, session, turn).await,
        }
        .map(|()| kind as usize)
    }
}

impl Client for Terminal {
    fn connect(&mut self, transport: Transport) -> Step<'_, ()> {
        Box::pin(async move {
            self.session = None;
            let mut session = Session::open(&self.connector, transport, &self.plan, self.seed).await?;
            self.ground = Some(session.ground(&self.plan, self.seed).await?);
            self.session = Some(session);
            Ok(())
        })
    }

    fn transaction<'a>(&'a mut self, turn: &'a mut Turn) -> Step<'a, usize> {
        Box::pin(self.run(turn))
    }

    fn recover(&mut self) -> Step<'_, ()> {
        Box::pin(async move {
            match &mut self.session {
                Some(session) => session.recover().await,
                None => Ok(()),
            }
        })
    }

    fn close(&mut self) -> Step<'_, ()> {
        Box::pin(async move {
            if let Some(session) = self.session.take() {
                session.close().await;
            }
            Ok(())
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;

    #[test]
    fn homes_are_spread_evenly_with_ten_districts_each() {
        let mut seen: BTreeMap<(u64, u64), u32> = BTreeMap::new();
        (0..40).for_each(|n| *seen.entry(home(n, 40, 4)).or_default() += 1);
        assert_eq!(seen.len(), 40, "each terminal its own district: {seen:?}");
        let few: Vec<u64> = (0..4).map(|n| home(n, 4, 100).0).collect();
        assert_eq!(few, [1, 26, 51, 76]);
        assert!((0..7).all(|n| home(n, 7, 100).0 <= 100));
    }
}
