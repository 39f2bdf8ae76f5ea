//! Headings of tables of variables: which stand above names and values, and which beside them.

/// Rows of cells; the first one may have headings.
pub(super) type Rows = Vec<Vec<String>>;

/// The headings that are known, each with what it stands above.
const HEADINGS: &str = include_str!("headings.txt");
/// In pg_settings the value; in some tables the name, if no other heading is one.
const SETTING: &str = "setting";

/// Whether a heading stands above names, values, what is beside them, or remarks.
pub(super) fn is_above(what: &str, head: &str) -> bool {
    HEADINGS.lines().filter_map(|line| line.split_once(": ")).any(|known| known == (what, head))
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
