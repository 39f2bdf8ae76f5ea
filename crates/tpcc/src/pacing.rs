//! Keying and think times (clause 5.2.5): a terminal's user types before a transaction and reads after it. The engine's
//! timers wait for the sum of both; the response time starts at the end of typing.

use std::time::Duration;
use tenbin_model::tpcc::TransactionType;
use tenbin_workload::Random;

/// Seconds of typing, by kind (clause 5.2.5.7).
const KEYING_S: [f64; 5] = [18.0, 3.0, 2.0, 2.0, 2.0];

/// Mean seconds of thinking, by kind.
const THINKING_S: [f64; 5] = [12.0, 12.0, 10.0, 5.0, 5.0];

/// Think times are limited to this many times their mean (clause 5.2.5.4).
const THINKING_MOST: f64 = 10.0;

/// The mean cycle of a terminal with response times of zero, in seconds; the starts of terminals are spread over it.
const CYCLE_S: f64 = 21.0;

/// The pause before a transaction of kind `next` after one of kind `last`; `factor` 1 is as in the clause.
pub(super) fn pause(
    last: Option<TransactionType>,
    next: TransactionType,
    factor: f64,
    random: &mut Random,
) -> Duration {
    let thinking = match last {
        Some(last) => random.exponential().min(THINKING_MOST) * THINKING_S[last as usize],
        None => random.unit() * CYCLE_S,
    };
    Duration::from_secs_f64((thinking + KEYING_S[next as usize]) * factor)
}

#[cfg(test)]
mod tests {
    use super::super::deck::{Cards, DECK, Mix};
    use super::*;

    #[test]
    fn a_terminal_makes_what_the_clause_allows_at_most() {
        // Ten terminals of a warehouse with response times of zero: 12.605 New-Orders per minute with the deck of 23
        // cards.
        let (mut random, mut cards, mut last) = (Random::new(1, 1), Cards::new(Mix::Deck(DECK)), None);
        let (mut seconds, mut orders) = (0.0, 0);
        for _ in 0..230_000 {
            let next = cards.draw(&mut random);
            seconds += pause(last, next, 1.0, &mut random).as_secs_f64();
            orders += u32::from(next == TransactionType::NewOrder);
            last = Some(next);
        }
        let per_minute = f64::from(orders) / seconds * 60.0 * 10.0;
        assert!((per_minute - 12.605).abs() < 0.08, "{per_minute}");
    }

    #[test]
    fn thinking_is_cut_and_typing_is_not() {
        let mut random = Random::new(2, 2);
        let pauses: Vec<f64> = (0..200_000)
            .map(|_| pause(Some(TransactionType::Delivery), TransactionType::NewOrder, 1.0, &mut random).as_secs_f64())
            .collect();
        let (least, most) = pauses.iter().fold((f64::MAX, 0.0f64), |(l, m), p| (l.min(*p), m.max(*p)));
        assert!(least >= 18.0 && most <= 18.0 + 50.0, "{least} {most}");
        assert_eq!(pause(None, TransactionType::Payment, 0.0, &mut random), Duration::ZERO);
    }
}
