//! The random numbers and texts of one script's thread, as `sysbench.rand` has them.

use tenbin_workload::distribution::{DistributionKind, Sampler, Unique};
use tenbin_workload::options::Resolved;
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

/// sysbench's distributions, each with its parameters from the options, whichever of them is the default.
#[derive(Debug, Clone, Copy)]
pub(super) struct ScriptDistributions {
    default: DistributionKind,
    gaussian: DistributionKind,
    special: DistributionKind,
    pareto: DistributionKind,
    zipfian: DistributionKind,
}

impl ScriptDistributions {
    /// Those that the options of random numbers describe.
    pub(super) fn of(options: Resolved<'_>) -> ScriptDistributions {
        let [gaussian, special, pareto, zipfian] =
            ["gaussian", "special", "pareto", "zipfian"].map(|name| options.shape_named(name));
        ScriptDistributions { default: options.shape(), gaussian, special, pareto, zipfian }
    }

    fn shape(&self, kind: Kind) -> DistributionKind {
        match kind {
            Kind::Default => self.default,
            Kind::Uniform => DistributionKind::Uniform,
            Kind::Gaussian => self.gaussian,
            Kind::Special => self.special,
            Kind::Pareto => self.pareto,
            Kind::Zipfian => self.zipfian,
        }
    }
}

/// One thread's generator, and what it has prepared for the ranges and texts that were requested before.
#[derive(Debug)]
pub(super) struct Draws {
    pub(super) random: Random,
    pub(super) unique: Unique,
    shapes: ScriptDistributions,
    samplers: [Option<Prepared>; 8],
    templates: Vec<Template>,
}

/// A distribution over bounds that were asked for.
#[derive(Debug)]
struct Prepared {
    kind: Kind,
    low: u32,
    high: u32,
    /// Added to each value, modulo 2^32.
    base: u32,
    sampler: Sampler,
}

impl Draws {
    /// Those of thread `number` of `of`.
    pub(super) fn new(shapes: ScriptDistributions, (number, of): (u32, u32), seed: u64) -> Draws {
        Draws {
            random: Random::new(seed, u64::from(number)),
            unique: Unique::new(number, of, seed),
            shapes,
            samplers: std::array::from_fn(|_| None),
            templates: Vec::new(),
        }
    }

    /// A value of `low..=high`. As in sysbench all is computed modulo 2^32: with `low` above `high` the values go on from 2^32 − 1 to 0, and if
    /// that is all of them, their number is 0, and the value `low`.
    #[inline]
    pub(super) fn draw(&mut self, kind: Kind, low: u32, high: u32) -> u32 {
        let index = (low ^ high.wrapping_mul(31) ^ kind as u32) as usize % self.samplers.len();
        let slot = &mut self.samplers[index];
        if let Some(p) = slot
            && (p.kind, p.low, p.high) == (kind, low, high)
        {
            return p.base.wrapping_add(p.sampler.draw(&mut self.random));
        }
        let (shape, span) = (self.shapes.shape(kind), high.wrapping_sub(low));
        let (base, sampler) = match shape {
            // It is computed without the number of values.
            DistributionKind::Special { .. } if low > high => (low, shape.over(0, span)),
            DistributionKind::Special { .. } => (0, shape.over(low, high)),
            _ if span == u32::MAX => (low, shape.over(0, 0)),
            _ if low > high => (low, shape.over(0, span)),
            _ => (0, shape.over(low, high)),
        };
        let value = base.wrapping_add(sampler.draw(&mut self.random));
        *slot = Some(Prepared { kind, low, high, base, sampler });
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

#[cfg(test)]
mod tests {
    use super::*;
    use tenbin_workload::options::{OptionMap, RANDOM, resolve};

    fn shapes(given: &[(&str, &str)]) -> ScriptDistributions {
        let given: OptionMap = given.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
        let rows: Vec<_> = RANDOM.iter().collect();
        let all = resolve(&tenbin_words::message::foreign("the script"), &rows, &given).unwrap();
        ScriptDistributions::of(Resolved(&all))
    }

    /// As in sysbench, where they are global.
    #[test]
    fn the_parameters_hold_for_each_function_whatever_the_default_is() {
        let given = [
            ("rand_spec_iter", "2"),
            ("rand_spec_pct", "20"),
            ("rand_spec_res", "50"),
            ("rand_pareto_h", "0.5"),
            ("rand_zipfian_exp", "1.5"),
        ];
        for default in ["uniform", "gaussian", "special", "pareto", "zipfian"] {
            let shapes = shapes(&[[("rand_type", default)].as_slice(), &given].concat());
            let gaussian = DistributionKind::Gaussian { iterations: 2 };
            let special = DistributionKind::Special { iterations: 2, percent: 20, share: 50 };
            assert_eq!(
                [Kind::Gaussian, Kind::Special].map(|kind| shapes.shape(kind)),
                [gaussian, special],
                "{default}"
            );
            assert_eq!(shapes.shape(Kind::Pareto), DistributionKind::Pareto { h: 0.5 }, "{default}");
            assert_eq!(shapes.shape(Kind::Zipfian), DistributionKind::Zipfian { exponent: 1.5 }, "{default}");
            assert_eq!(shapes.shape(Kind::Uniform), DistributionKind::Uniform, "{default}");
        }
    }

    /// As sysbench 1.0.20 computes them.
    #[test]
    fn bounds_in_the_wrong_order_go_round() {
        let mut draws = Draws::new(shapes(&[("rand_type", "uniform")]), (0, 1), 7);
        let mut all = |kind, low: i64, high: i64| -> Vec<u32> {
            (0..2000).map(|_| draws.draw(kind, low as u32, high as u32)).collect()
        };
        for kind in [Kind::Uniform, Kind::Gaussian, Kind::Pareto, Kind::Zipfian] {
            assert!(all(kind, 1, 0).iter().all(|n| *n == 1), "{kind:?}");
            assert!(all(kind, 0, 4_294_967_295).iter().all(|n| *n == 0), "{kind:?}");
            assert!(all(kind, 10, 1).iter().all(|n| !(2..10).contains(n)), "{kind:?}");
            let mut around: Vec<i32> = all(kind, -5, 5).iter().map(|n| *n as i32).collect();
            around.sort_unstable();
            assert!(
                around[0] >= -5 && around[around.len() - 1] <= 5 && around[0] != around[around.len() - 1],
                "{kind:?}"
            );
        }
        assert!(all(Kind::Uniform, 10, 1).iter().any(|n| *n > 1 << 31));
        let around = all(Kind::Special, -5, 5);
        assert!(around.iter().all(|n| (-5..=5).contains(&(*n as i32))), "{around:?}");
        assert!(all(Kind::Special, 1, 0).iter().any(|n| *n > 1 << 30));
    }
}
