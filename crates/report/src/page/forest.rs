//! A table that draws a row for each figure: its value and its interval on one ruler, with the numbers beside. Rows of ratios are a
//! forest plot. It is text and borders, so that it can be read at any width, in print and without scripts.

use super::columns::aligned;
use super::width::width;
use crate::bilingual;
use crate::chart::{ROOM, ROOM_IF_NARROW, Ruler};
use minijinja::{Value, context};

/// A row.
pub(super) struct ForestRow {
    /// What it is about.
    pub label: Value,
    /// Its colour: the position of a target in the plan.
    pub style: usize,
    /// The value; nothing is drawn if there is none.
    pub value: Option<f64>,
    /// Its interval.
    pub ends: Option<(f64, f64)>,
    /// Single values that it summarizes.
    pub dots: Vec<f64>,
    /// The texts and numbers left of the drawing; narrow screens leave them out.
    pub before: Vec<Value>,
    /// The texts and numbers right of it, the value first.
    pub texts: Vec<Value>,
    /// How it is drawn.
    pub kind: RowKind,
}

/// How a row is drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum RowKind {
    /// A filled mark in the colour of the row.
    Shown,
    /// A hollow grey mark: the interval contains "none".
    Undecided,
    /// A diamond: all rows together.
    Whole,
    /// The same, hollow and grey.
    WholeUndecided,
}

/// A table of rows.
pub(super) struct Forest {
    /// The headings: of the labels, of the texts before the drawing, and of those behind it.
    pub heads: (Value, Vec<Value>, Vec<Value>),
    /// The rows, from the top.
    pub rows: Vec<ForestRow>,
    /// The scale.
    pub ruler: Ruler,
    /// A value that the rows are compared with.
    pub reference: Option<f64>,
    /// What the ruler shows.
    pub caption: Value,
    /// The most rows that are not folded.
    pub most: usize,
    /// Whether it stands in a grid, with little room for the ruler.
    pub is_narrow: bool,
}

impl Forest {
    /// The table as markup.
    pub fn html(self) -> Value {
        let Forest { heads: (label, before, after), rows, ruler, reference, caption, most, is_narrow } = self;
        let left = aligned(rows.iter().map(|row| row.before.clone()).collect());
        let right = aligned(rows.iter().map(|row| row.texts.clone()).collect());
        let position = |v: f64| format!("{:.1}", ruler.place(v));
        let row = |(r, (before, texts)): (&ForestRow, (Vec<Value>, Vec<Value>))| {
            let ends = r.ends.filter(|(low, high)| low.is_finite() && high.is_finite()).map(|(low, high)| {
                let wide = (ruler.place(high) - ruler.place(low)).max(0.3);
                let cut = (ruler.beyond(low).0, ruler.beyond(high).1);
                context! { left => position(low), wide => format!("{wide:.1}"), cut_low => cut.0, cut_high => cut.1 }
            });
            let dots = r.dots.iter().filter(|v| v.is_finite()).map(|v| position(*v)).collect::<Vec<_>>();
            context! {
                label => r.label.clone(), style => r.style % 8, ends, dots, before, texts,
                at => r.value.filter(|v| v.is_finite()).map(position),
                class => match r.kind { RowKind::Shown => "", RowKind::Undecided => "undecided", RowKind::Whole => "whole", RowKind::WholeUndecided => "whole undecided" },
            }
        };
        let widest = |texts: &mut dyn Iterator<Item = &Value>| texts.map(width).max().unwrap_or(0);
        let of_texts = (0..after.len()).map(|at| widest(&mut right.iter().filter_map(|row| row.get(at))));
        let beside = widest(&mut rows.iter().map(|row| &row.label)) + of_texts.sum::<usize>();
        let of_heads = before.iter().map(|head| width(head).min(WIDEST_HEAD)).sum::<usize>();
        let (is_long, is_wide) = (beside > MOST_BESIDE, beside + of_heads > MOST_ON_HALF);
        let rows: Vec<Value> = rows.iter().zip(left.into_iter().zip(right)).map(row).collect();
        let room = if is_narrow { ROOM_IF_NARROW } else { ROOM };
        // On narrow screens, those that are nearer to each other are not shown.
        let ticks = ruler.ticks(reference, room);
        let distant = ruler.fewer(&ticks, reference, ROOM_IF_NARROW);
        let ticks = ticks.into_iter().map(|tick| {
            context! { dense => !distant.contains(&tick), at => format!("{:.1}", tick.0), label => tick.1 }
        });
        let columns = 2 + before.len() + after.len();
        bilingual::part(
            "forest",
            context! {
                label, before, after, rows, most, ticks => ticks.collect::<Vec<_>>(), caption, columns, is_long, is_wide,
                reference => reference.map(position),
            },
        )
    }
}

/// The widest label and texts, in Latin letters, that a phone can show beside the drawing; wider labels stand above it.
const MOST_BESIDE: usize = 30;

/// The same with the texts before the drawing, where half of a screen of 1280 pixels can show them; wider ones are left out there.
const MOST_ON_HALF: usize = 52;
/// The style sheet shortens longer headings.
const WIDEST_HEAD: usize = 18;
