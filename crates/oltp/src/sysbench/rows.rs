//! Generates a row from a seed, a table and a number: any stream can generate any range, in any order, with the same
//! bytes.

use super::Tables;
use super::{C_FORM, PAD_FORM};
use tenbin_workload::distribution::Sampler;
use tenbin_workload::{Random, Template, digits};

/// Generates the rows of one table.
pub struct Rows {
    /// Those of sysbench 0.4: all equal.
    alike: bool,
    seed: u64,
    keys: Sampler,
    c_form: Template,
    pad_form: Template,
    pub k: u32,
    pub c: [u8; C_FORM.len()],
    pub pad: [u8; PAD_FORM.len()],
}

impl Rows {
    pub fn new(tables: &Tables, seed: u64, table: u32) -> Rows {
        Rows {
            alike: table == 0,
            // Different tables must have different rows.
            seed: seed ^ u64::from(table).wrapping_mul(0xA24B_AED4_963E_E407),
            keys: tables.shape.over(1, tables.table_size),
            c_form: Template::new(C_FORM),
            pad_form: Template::new(PAD_FORM),
            k: 0,
            c: [0; C_FORM.len()],
            pad: [0; PAD_FORM.len()],
        }
    }

    /// Generates row `id` (from 1) in place.
    pub fn make(&mut self, id: u32) {
        if self.alike {
            return;
        }
        let mut random = Random::new(self.seed, u64::from(id));
        self.k = self.keys.draw(&mut random);
        self.c_form.write(&mut random, &mut self.c);
        self.pad_form.write(&mut random, &mut self.pad);
    }

    /// The row's `c`.
    pub fn c(&self) -> &[u8] {
        if self.alike { b" " } else { &self.c }
    }

    /// The row's `pad`.
    pub fn pad(&self) -> &[u8] {
        if self.alike { PAD_OF_0_4.as_bytes() } else { &self.pad }
    }

    /// Appends row `id` as a line of `LOAD DATA` with tabs between the fields; digits and dashes need no escape.
    pub fn line(&mut self, id: u32, out: &mut Vec<u8>) {
        self.make(id);
        digits::push(out, id);
        out.push(b'\t');
        digits::push(out, self.k);
        out.push(b'\t');
        out.extend_from_slice(self.c());
        out.push(b'\t');
        out.extend_from_slice(self.pad());
        out.push(b'\n');
    }

    /// Appends row `id` as a tuple of a multi-row INSERT.
    pub fn tuple(&mut self, id: u32, out: &mut Vec<u8>) {
        self.make(id);
        out.push(b'(');
        digits::push(out, id);
        out.push(b',');
        digits::push(out, self.k);
        out.extend_from_slice(b",'");
        out.extend_from_slice(self.c());
        out.extend_from_slice(b"','");
        out.extend_from_slice(self.pad());
        out.extend_from_slice(b"')");
    }
}

/// `pad` of every row of sysbench 0.4's.
pub const PAD_OF_0_4: &str = "qqqqqqqqqqwwwwwwwwwweeeeeeeeeerrrrrrrrrrtttttttttt";

/// Bytes of the longest line or tuple.
pub const LONGEST: usize = 10 + 10 + C_FORM.len() + PAD_FORM.len() + 16;

#[cfg(test)]
mod tests {
    use super::*;
    use tenbin_model::dsn::Scheme;

    #[test]
    fn rows_depend_on_seed_table_and_number_alone() {
        let tables = Tables::new(&super::super::ENTRY.resolve(&Default::default()).unwrap(), Scheme::Mysql);
        let line = |seed, table, id| {
            let mut out = Vec::new();
            Rows::new(&tables, seed, table).line(id, &mut out);
            String::from_utf8(out).unwrap()
        };
        let mut forth = Vec::new();
        let mut rows = Rows::new(&tables, 1, 1);
        (1..=3).for_each(|id| rows.line(id, &mut forth));
        assert_eq!(String::from_utf8(forth).unwrap(), line(1, 1, 1) + &line(1, 1, 2) + &line(1, 1, 3));
        assert_ne!(line(1, 1, 5)[1..], line(1, 2, 5)[1..]);
        assert_ne!(line(1, 1, 5), line(2, 1, 5));
        let fields: Vec<String> = line(1, 1, 4_000_000_000).trim_end().split('\t').map(str::to_owned).collect();
        assert_eq!((fields.len(), fields[0].as_str(), fields[2].len(), fields[3].len()), (4, "4000000000", 119, 59));
        assert!((1..=10_000).contains(&fields[1].parse::<u32>().unwrap()));
        assert!(line(1, 1, u32::MAX).len() <= LONGEST);
    }
}
