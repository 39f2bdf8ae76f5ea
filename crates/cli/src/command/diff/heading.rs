//! Headings of tables of variables: which stand above names and values, and which beside them.

use std::collections::HashSet;
use std::sync::LazyLock;

/// Rows of cells; the first one may have headings.
pub(super) type Rows = Vec<Vec<String>>;

/// What is known of headings: what one stands above, and the heading.
static HEADINGS: LazyLock<HashSet<(&str, &str)>> =
    LazyLock::new(|| include_str!("headings.txt").lines().filter_map(|line| line.split_once(": ")).collect());
/// In pg_settings the value; in some tables the name, if no other heading is one.
const SETTING: &str = "setting";

/// Whether a heading stands above names, values, what is beside them, or remarks.
pub(super) fn is_above(what: &str, head: &str) -> bool {
    HEADINGS.contains(&(what, head))
}

pub(super) fn heading(cell: &str) -> String {
    cell.trim().trim_matches(['`', '*']).to_lowercase()
}

/// Whether a heading is one above names of variables.
pub(super) fn is_heading_of_names(cell: &str) -> bool {
    is_above("name", &heading(cell))
}

/// The place of the names: that of the first of the headings that are not also one above values.
pub(super) fn place_of_names(heads: &[String]) -> Option<usize> {
    let of = |setting: bool| heads.iter().position(|head| is_above("name", head) && (head == SETTING) == setting);
    of(false).or_else(|| of(true))
}
