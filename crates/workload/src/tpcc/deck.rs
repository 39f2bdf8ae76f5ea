//! Which transaction comes next (clause 5.2.4.2): a deck of 23 cards for each terminal, shuffled when it is used up, so that
//! the mix is right by construction; or draws by weight.

use crate::Random;
use crate::options::Resolved;

/// A transaction by its place in [`NAMES`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(usize)]
pub(super) enum Kind {
    NewOrder,
    Payment,
    OrderStatus,
    Delivery,
    StockLevel,
}

/// The transactions' names.
pub(super) const NAMES: [&str; 5] = ["new_order", "payment", "order_status", "delivery", "stock_level"];

const ALL: [Kind; 5] = [Kind::NewOrder, Kind::Payment, Kind::OrderStatus, Kind::Delivery, Kind::StockLevel];

/// Cards of each kind in a deck.
const DECK: [usize; 5] = [10, 10, 1, 1, 1];

/// How the mix is made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Mix {
    Deck,
    /// Weights in the order of [`NAMES`].
    Weights([u64; 5]),
}

/// The words of the option `mix`.
pub(super) const MIXES: &[&str] = &["deck", "weights"];

impl Mix {
    pub(super) fn of(o: &Resolved<'_>) -> Mix {
        if o.text("mix") == MIXES[1] { Mix::Weights(NAMES.map(|name| o.count(name))) } else { Mix::Deck }
    }
}

/// One terminal's cards.
#[derive(Debug)]
pub(super) struct Cards {
    mix: Mix,
    deck: Vec<Kind>,
}

impl Cards {
    pub(super) fn new(mix: Mix) -> Cards {
        Cards { mix, deck: Vec::with_capacity(23) }
    }

    /// The next transaction.
    pub(super) fn draw(&mut self, random: &mut Random) -> Kind {
        if let Mix::Weights(weights) = self.mix {
            let mut at = random.below(weights.iter().sum());
            for (kind, weight) in ALL.into_iter().zip(weights) {
                if at < weight {
                    return kind;
                }
                at -= weight;
            }
        }
        if self.deck.is_empty() {
            for (kind, n) in ALL.into_iter().zip(DECK) {
                self.deck.extend(std::iter::repeat_n(kind, n));
            }
            for at in (1..self.deck.len()).rev() {
                self.deck.swap(at, random.below(at as u64 + 1) as usize);
            }
        }
        self.deck.pop().unwrap_or(Kind::NewOrder)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn counted(mix: Mix, draws: u32) -> [u32; 5] {
        let (mut cards, mut random, mut counts) = (Cards::new(mix), Random::new(1, 1), [0; 5]);
        (0..draws).for_each(|_| counts[cards.draw(&mut random) as usize] += 1);
        counts
    }

    #[test]
    fn every_23_cards_have_the_mix() {
        assert_eq!(counted(Mix::Deck, 2300), [1000, 1000, 100, 100, 100]);
        let (mut cards, mut random) = (Cards::new(Mix::Deck), Random::new(1, 1));
        let mut draw = || (0..23).map(|_| cards.draw(&mut random)).collect::<Vec<_>>();
        assert_ne!(draw(), draw(), "shuffled anew");
    }

    #[test]
    fn weights_are_kept_and_0_never_comes() {
        let counts = counted(Mix::Weights([45, 43, 4, 8, 0]), 100_000);
        assert_eq!(counts[4], 0);
        for (count, wanted) in counts.iter().zip([45_000, 43_000, 4_000, 8_000]) {
            assert!(count.abs_diff(wanted) < 700, "{counts:?}");
        }
    }
}
