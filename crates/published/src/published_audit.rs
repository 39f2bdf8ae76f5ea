//! What the checks of published results find: doubts with the figures that they are about, and what holds.

use crate::figure_kind::FigureKind;
use crate::result::{CellPlace, Published};
use std::collections::{BTreeMap, BTreeSet};
use tenbin_model::doubt::Doubt;
use tenbin_model::doubt::Verdict;
use tenbin_words::message::Message;
use tenbin_words::msg;

/// A doubt, and the figures that it is about: index of the result and kind.
#[derive(Debug, Clone, PartialEq)]
pub struct PublishedDoubt {
    /// The reason.
    pub doubt: Doubt,
    /// The figures that it is about.
    pub touches: Vec<(usize, FigureKind)>,
}

/// What the checks found.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct PublishedAudit {
    /// Reasons for doubt, the most serious first.
    pub doubts: Vec<PublishedDoubt>,
    /// What was checked and holds, each with its figure.
    pub confirmed: Vec<Message>,
    /// What could not be checked, each with what it wants.
    pub not_checked: Vec<Message>,
}

impl PublishedAudit {
    /// The most serious verdict; VALID if there is no doubt, and `None` if no check could be made: figures in which nothing could
    /// have been found wrong are not right for that reason.
    pub fn verdict(&self) -> Option<Verdict> {
        let worst = self.doubts.iter().map(|doubt| doubt.doubt.verdict).max();
        // That there are repeats could not have been found wrong.
        let is_check = |confirmed: &Message| !confirmed.is("published-repeated");
        worst.or(self.confirmed.iter().any(is_check).then_some(Verdict::Valid))
    }

    /// The verdict in words.
    pub fn verdict_word(&self) -> Message {
        self.verdict().map_or_else(|| msg!("verdict-unchecked"), |verdict| verdict.word())
    }

    /// The verdict as one word, for programs: `UNCHECKED` if there is none.
    pub fn verdict_name(&self) -> &'static str {
        self.verdict().map_or("UNCHECKED", Verdict::name)
    }

    /// The numbers of the doubts, from 1, about each cell: table, row and column.
    pub fn marks(&self, published: &Published) -> BTreeMap<CellPlace, BTreeSet<usize>> {
        let mut all: BTreeMap<_, BTreeSet<usize>> = BTreeMap::new();
        for (number, doubt) in self.doubts.iter().enumerate() {
            for (at, kind) in &doubt.touches {
                let Some(result) = published.results.get(*at) else { continue };
                if let Some((_, Some(cell))) = result.figures.get(kind) {
                    all.entry(*cell).or_default().insert(number + 1);
                }
            }
        }
        all
    }

    /// The figures that are doubted.
    pub fn touched(&self) -> BTreeSet<(usize, FigureKind)> {
        self.doubts.iter().flat_map(|doubt| doubt.touches.iter().copied()).collect()
    }
}
