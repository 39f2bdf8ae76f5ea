//! Which transaction comes next (clause 5.2.4.2): a shuffled deck of cards for each terminal, a new one when it is used
//! up, so that the mix is exact by construction; or random draws by weight.
//!
//! The deck has 23 cards, or as many of each kind as requested. Only the remaining counts are kept: drawing one of
//! the remaining cards, all equally likely, is equivalent to shuffling them and taking the first.

use tenbin_model::tpcc::TransactionType;
use tenbin_workload::Random;
use tenbin_workload::options::Resolved;

/// The specification's deck.
pub(super) const DECK: [u64; 5] = [10, 10, 1, 1, 1];

/// How the mix is generated; counts in the order of [`TransactionType::ALL`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Mix {
    /// This many cards of each kind in a deck.
    Deck([u64; 5]),
    Weights([u64; 5]),
}

/// The words of the option `mix`.
pub(super) const MIXES: &[&str] = &["deck", "cards", "weights"];

impl Mix {
    pub(super) fn of(o: &Resolved<'_>) -> Mix {
        let counts = || TransactionType::ALL.map(|of| o.count(of.name()));
        match o.text("mix") {
            "weights" => Mix::Weights(counts()),
            "cards" => Mix::Deck(counts()),
            _ => Mix::Deck(DECK),
        }
    }

    /// Whether nothing can be drawn.
    pub(super) fn is_empty(self) -> bool {
        let (Mix::Deck(counts) | Mix::Weights(counts)) = self;
        counts == [0; 5]
    }
}

/// One terminal's cards.
#[derive(Debug)]
pub(super) struct Cards {
    mix: Mix,
    /// Cards of each kind that are left in the deck.
    left: [u64; 5],
}

impl Cards {
    pub(super) fn new(mix: Mix) -> Cards {
        Cards { mix, left: [0; 5] }
    }

    /// The next transaction.
    pub(super) fn draw(&mut self, random: &mut Random) -> TransactionType {
        match self.mix {
            Mix::Weights(weights) => TransactionType::ALL[drawn(&weights, random)],
            Mix::Deck(deck) => {
                if self.left == [0; 5] {
                    self.left = deck;
                }
                let at = drawn(&self.left, random);
                self.left[at] = self.left[at].saturating_sub(1);
                TransactionType::ALL[at]
            }
        }
    }
}

/// An index, with a probability proportional to its count.
fn drawn(counts: &[u64; 5], random: &mut Random) -> usize {
    let mut at = random.below(counts.iter().sum::<u64>().max(1));
    for (index, count) in counts.iter().enumerate() {
        if at < *count {
            return index;
        }
        at -= count;
    }
    0
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
        assert_eq!(counted(Mix::Deck(DECK), 2300), [1000, 1000, 100, 100, 100]);
        let (mut cards, mut random) = (Cards::new(Mix::Deck(DECK)), Random::new(1, 1));
        let mut draw = || (0..23).map(|_| cards.draw(&mut random)).collect::<Vec<_>>();
        assert_ne!(draw(), draw(), "shuffled anew");
    }

    #[test]
    fn a_deck_of_ones_own_is_played_to_its_end_before_the_next() {
        let (own, mut random) = ([45, 43, 0, 8, 4], Random::new(1, 1));
        let mut cards = Cards::new(Mix::Deck(own));
        for _ in 0..3 {
            let mut counts = [0; 5];
            (0..100).for_each(|_| counts[cards.draw(&mut random) as usize] += 1);
            assert_eq!(counts, own);
        }
    }

    #[test]
    fn every_place_of_a_deck_is_equally_likely() {
        // Of 20,000 decks 1/23 has its Stock-Level in each place: 870, with a standard deviation of 29.
        let (mut cards, mut random, mut places) = (Cards::new(Mix::Deck(DECK)), Random::new(7, 1), [0_u32; 23]);
        for _ in 0..20_000 {
            (0..23)
                .for_each(|index| places[index] += u32::from(cards.draw(&mut random) == TransactionType::StockLevel));
        }
        assert_eq!(places.iter().sum::<u32>(), 20_000);
        assert!(places.iter().all(|n| n.abs_diff(870) < 5 * 29), "{places:?}");
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
