//! The random numbers and texts of one script's thread, as `sysbench.rand` has them.

use tenbin_workload::distribution::{DistributionKind, Sampler, Unique};
use tenbin_workload::{Random, Template};

/// Which of sysbench's distributions a script asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub(super) enum Kind {
    Default,
    Uniform,
    Gaussian,
    Special,
    Pareto,
    Zipfian,
}

/// One thread's generator, and what it has prepared for the ranges and texts that were requested before.
#[derive(Debug)]
pub(super) struct Draws {
    pub(super) random: Random,
    pub(super) unique: Unique,
    /// The distribution of [`Kind::Default`].
    default: DistributionKind,
    samplers: [Option<(Kind, u32, u32, Sampler)>; 8],
    templates: Vec<Template>,
}

impl Draws {
    /// Those of thread `number` of `of`.
    pub(super) fn new(default: DistributionKind, (number, of): (u32, u32), seed: u64) -> Draws {
        Draws {
            random: Random::new(seed, u64::from(number)),
            unique: Unique::new(number, of, seed),
            default,
            samplers: std::array::from_fn(|_| None),
            templates: Vec::new(),
        }
    }

    /// A value of `low..=high`.
    #[inline]
    pub(super) fn draw(&mut self, kind: Kind, low: u32, high: u32) -> u32 {
        let place = (low ^ high.wrapping_mul(31) ^ kind as u32) as usize % self.samplers.len();
        let slot = &mut self.samplers[place];
        if let Some((k, l, h, sampler)) = slot
            && (*k, *l, *h) == (kind, low, high)
        {
            return sampler.draw(&mut self.random);
        }
        let sampler = shape(kind, self.default).over(low.min(high), low.max(high));
        let value = sampler.draw(&mut self.random);
        *slot = Some((kind, low, high, sampler));
        value
    }

    /// The index of a template of random text, for [`Self::write_text`].
    pub(super) fn template(&mut self, form: &str) -> usize {
        // A script that uses a new template each time must not fill the memory: then only the last is kept.
        if self.templates.len() >= 256 {
            self.templates.truncate(255);
        }
        self.templates.push(Template::new(form));
        self.templates.len() - 1
    }

    /// Writes a random text to the beginning of `out`, as far as there is room; returns its length.
    #[inline]
    pub(super) fn write_text(&mut self, template: usize, out: &mut [u8]) -> usize {
        let Some(template) = self.templates.get(template) else { return 0 };
        if template.len() <= out.len() {
            template.write(&mut self.random, out);
            return template.len();
        }
        let mut whole = vec![0; template.len()];
        template.write(&mut self.random, &mut whole);
        out.copy_from_slice(&whole[..out.len()]);
        out.len()
    }
}

/// The distribution of this name, with the parameters from the options, or the defaults.
fn shape(kind: Kind, default: DistributionKind) -> DistributionKind {
    match (kind, default) {
        (Kind::Default, _) => default,
        (Kind::Uniform, _) => DistributionKind::Uniform,
        (Kind::Gaussian, DistributionKind::Gaussian { .. }) | (Kind::Special, DistributionKind::Special { .. }) => {
            default
        }
        (Kind::Pareto, DistributionKind::Pareto { .. }) | (Kind::Zipfian, DistributionKind::Zipfian { .. }) => default,
        (Kind::Gaussian, _) => DistributionKind::Gaussian { iterations: 12 },
        (Kind::Special, _) => DistributionKind::Special { iterations: 12, percent: 1, share: 75 },
        (Kind::Pareto, _) => DistributionKind::Pareto { h: 0.2 },
        (Kind::Zipfian, _) => DistributionKind::Zipfian { exponent: 0.8 },
    }
}
