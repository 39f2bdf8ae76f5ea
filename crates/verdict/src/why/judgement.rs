//! What a rule says of one possible limit: how near it is, with the figures, or what would be needed to know it.

pub use tenbin_model::bottleneck::Bottleneck;
use tenbin_words::message::Message;
use tenbin_words::msg;

/// A figure and its limit.
#[derive(Debug, Clone, PartialEq)]
pub struct Proof {
    /// The figure in words, without the limit.
    pub what: Message,
    /// Its value.
    pub value: f64,
    /// From this value on it is a limit; `None`: it stands beside another figure.
    pub limit: Option<f64>,
    /// Whether both are shares, and shown in percent.
    pub is_share: bool,
}

impl Proof {
    /// A share with its limit.
    pub(super) fn share(what: Message, value: f64, limit: f64) -> Proof {
        Proof { what, value, limit: Some(limit), is_share: true }
    }

    /// A figure that stands beside another one.
    pub(super) fn beside(what: Message, value: f64) -> Proof {
        Proof { what, value, limit: None, is_share: false }
    }

    /// The value over the limit; 0 if it has none.
    pub fn degree(&self) -> f64 {
        self.limit.filter(|limit| *limit > 0.0).map_or(0.0, |limit| self.value / limit)
    }

    /// The figure with its limit.
    pub fn words(&self) -> Message {
        match self.limit {
            Some(limit) if self.is_share => {
                msg!("proof-share", what = self.what.clone(), limit = format!("{:.0}", 100.0 * limit))
            }
            Some(limit) => msg!("proof-limit", what = self.what.clone(), limit = tenbin_words::figure::grouped(limit)),
            None => self.what.clone(),
        }
    }
}

/// Something that was not observed.
#[derive(Debug, Clone, PartialEq)]
pub struct MissingEvidence {
    /// What is not known.
    pub what: Message,
    /// How it would be.
    pub how: Message,
}

/// What a rule says.
#[derive(Debug, Clone, PartialEq)]
pub struct Judgement {
    /// Of what.
    pub bottleneck: Bottleneck,
    /// The figures, the one nearest to its limit (or furthest beyond it) first.
    pub proofs: Vec<Proof>,
    /// What is missing to judge it, if there are no figures; with figures, what would make it more certain.
    pub missing: Vec<MissingEvidence>,
    /// Whether more than half of the response time is spent there, so that what is not known of others changes nothing.
    pub is_decisive: bool,
}

impl Judgement {
    /// Of these figures, those that are known; and what is missing if there are none.
    pub(super) fn of(bottleneck: Bottleneck, proofs: Vec<Option<Proof>>, missing: Vec<MissingEvidence>) -> Judgement {
        let mut proofs: Vec<Proof> = proofs.into_iter().flatten().collect();
        proofs.sort_by(|a, b| b.degree().total_cmp(&a.degree()));
        Judgement { bottleneck, proofs, missing, is_decisive: false }
    }

    /// The same, decisive if this share of the response time is spent there.
    #[must_use]
    pub(super) fn decisive(self, share: Option<f64>) -> Judgement {
        Judgement { is_decisive: share.is_some_and(|share| share >= 0.5), ..self }
    }

    /// How near it is: from 1 on it is the limit. `None`: that is not known.
    pub fn degree(&self) -> Option<f64> {
        self.proofs.iter().filter(|proof| proof.limit.is_some()).map(Proof::degree).max_by(f64::total_cmp)
    }

    /// Whether it is the limit.
    pub fn is_limit(&self) -> bool {
        self.degree().is_some_and(|degree| degree >= 1.0)
    }
}

/// A share in percent without the sign.
pub(super) fn percent(share: f64) -> String {
    format!("{:.0}", 100.0 * share)
}
