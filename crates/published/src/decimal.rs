//! Whether the comma or the point of a table is the decimal sign: one cell that leaves no choice settles it for all of them.

use crate::quantity::{self, CellContent};
use crate::result::PublishedRow;

/// What the cells of a table say of its decimal sign.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum DecimalSign {
    /// The comma: `0,500`, `9,5`, `5.000,25`.
    Comma,
    /// The point, or no cell that could be read in two ways.
    Point,
    /// `1,250` may be 1250 or 1.25, and no other cell says which, or some say this and some that.
    Open,
}

/// What a cell says of it.
#[derive(Clone, Copy, PartialEq)]
enum CellEvidence {
    Comma,
    Point,
    Open(char),
    Nothing,
}

/// The decimal sign of the cells in these columns. `by_semicolon`: whether semicolons separate the cells, which files have whose decimal
/// sign is the comma; then a number above 999 without a separator shows that commas separate no thousands.
pub fn sign(rows: &[PublishedRow], is_of_numbers: &[bool], by_semicolon: bool) -> DecimalSign {
    let cells = || {
        let of_row = |row| cells_of(row, is_of_numbers).map(|(_, cell)| cell);
        rows.iter().flat_map(of_row)
    };
    let says = |wanted: CellEvidence| cells().any(|cell| said(cell) == wanted);
    let has_no_thousands = || {
        let is_large = |cell: &str| cell.len() > 3 && cell.bytes().all(|b| b.is_ascii_digit());
        cells().any(|cell| is_large(cell.trim()))
    };
    match (says(CellEvidence::Comma), says(CellEvidence::Point)) {
        (true, false) => DecimalSign::Comma,
        (false, true) if cells().all(is_no_point_of_number) && mixes_whole(rows, is_of_numbers) => DecimalSign::Open,
        // One author writes both: `409,18` beside a share of `2.94`.
        (true, true) if says(CellEvidence::Open(',')) || says(CellEvidence::Open('.')) => DecimalSign::Open,
        (_, true) => DecimalSign::Point,
        (false, false) if by_semicolon && says(CellEvidence::Open(',')) && has_no_thousands() => DecimalSign::Comma,
        (false, false) if says(CellEvidence::Open(',')) || says(CellEvidence::Open('.')) => DecimalSign::Open,
        (false, false) => DecimalSign::Point,
    }
}

/// Whether a cell is no number that shows that the point is the decimal sign; a share may be written otherwise than the numbers beside it.
fn is_no_point_of_number(cell: &str) -> bool {
    said(cell) != CellEvidence::Point || matches!(quantity::read(cell), CellContent::Share(_))
}

/// Whether a column has whole numbers beside some with exactly three digits behind a point, as thousands have: `463`, `9.462`.
fn mixes_whole(rows: &[PublishedRow], is_of_numbers: &[bool]) -> bool {
    let columns = rows.iter().map(|row| row.cells.len()).max().unwrap_or(0);
    let of_column = |at: usize| rows.iter().filter_map(move |row| row.cells.get(at)).map(|cell| cell.trim());
    let is_whole = |cell: &str| !cell.is_empty() && cell.bytes().all(|b| b.is_ascii_digit());
    let mixes =
        |at: usize| of_column(at).any(is_whole) && of_column(at).any(|cell| said(cell) == CellEvidence::Open('.'));
    (0..columns).any(|at| is_of_numbers.get(at).copied().unwrap_or(true) && mixes(at))
}

/// The same rows with points for decimal commas, and without points that separate thousands, wherever a cell could be read in two ways.
pub fn with_points(rows: &[PublishedRow], is_of_numbers: &[bool]) -> Vec<PublishedRow> {
    let one = |row: &PublishedRow| {
        let mut row = row.clone();
        let open: Vec<(usize, char)> = cells_of(&row, is_of_numbers)
            .filter_map(|(at, cell)| if let CellEvidence::Open(sign) = said(cell) { Some((at, sign)) } else { None })
            .collect();
        for (at, sign) in open {
            row.cells[at] = row.cells[at].replacen(sign, if sign == ',' { "." } else { "" }, 1);
        }
        row
    };
    rows.iter().map(one).collect()
}

/// The first cell whose comma or point, `sign`, may be of either kind.
pub fn with_open(rows: &[PublishedRow], column: usize, sign: char) -> Option<&str> {
    let cells = rows.iter().filter_map(|row| row.cells.get(column));
    { cells }.map(String::as_str).find(|cell| said(cell) == CellEvidence::Open(sign))
}

fn cells_of<'r>(row: &'r PublishedRow, is_of_numbers: &'r [bool]) -> impl Iterator<Item = (usize, &'r str)> {
    let all = row.cells.iter().enumerate().map(|(at, cell)| (at, cell.as_str()));
    all.filter(|(at, _)| is_of_numbers.get(*at).copied().unwrap_or(true))
}

fn said(cell: &str) -> CellEvidence {
    let number = cell.trim().trim_start_matches(['+', '-']);
    let end = number.find(|c: char| !c.is_ascii_digit() && !".,".contains(c)).unwrap_or(number.len());
    let number = &number[..end];
    if !number.contains(['.', ',']) || !matches!(quantity::read(cell), CellContent::Number(..) | CellContent::Share(_))
    {
        return CellEvidence::Nothing;
    }
    let of = |sign| if sign == ',' { CellEvidence::Comma } else { CellEvidence::Point };
    let (whole, places) = number.rsplit_once(['.', ',']).unwrap_or((number, ""));
    let sign = if number[whole.len()..].starts_with(',') { ',' } else { '.' };
    let other = if sign == ',' { '.' } else { ',' };
    if whole.contains(sign) {
        // Several of them separate thousands.
        return of(other);
    }
    let is_decimal = whole.contains(other) || places.len() != 3 || whole.starts_with('0') || whole.len() > 3;
    match is_decimal {
        true => of(sign),
        false if whole.is_empty() => CellEvidence::Nothing,
        false => CellEvidence::Open(sign),
    }
}
