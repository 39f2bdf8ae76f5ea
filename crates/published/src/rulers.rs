//! The letters of the columns and the numbers of the rows around a sheet, as pages of spreadsheets show them: they are no part of a table.

use crate::heading::{self, HeadingMeaning};
use crate::quantity::{self, CellContent};
use crate::raw_table::RawTable;

/// Takes them off a table below whose letters headings stand: letters above numbers alone may be names of what was compared.
pub(crate) fn without(table: &mut RawTable) {
    let [(_, letters), (_, heads), ..] = table.rows.as_slice() else { return };
    let are_letters = letters.len() > 2
        && letters[0].is_empty()
        && (0u8..26).zip(&letters[1..]).all(|(at, cell)| cell.as_bytes() == [b'A' + at])
        && letters.len() <= 27;
    let is_number = |cell: &String| matches!(quantity::read(cell), CellContent::Number(..));
    let heads = heads.get(1..).unwrap_or_default();
    let are_heads = !heads.iter().any(is_number)
        && heads.iter().any(|cell| !matches!(heading::read(cell), HeadingMeaning::Unknown));
    let numbers: Option<Vec<u64>> =
        table.rows[1..].iter().map(|(_, cells)| cells.first().and_then(|cell| cell.parse().ok())).collect();
    let are_counted = numbers.is_some_and(|all| all.windows(2).all(|two| two[0] < two[1]));
    if are_letters && are_heads && are_counted {
        table.rows.remove(0);
        table.rows.iter_mut().for_each(|(_, cells)| _ = cells.remove(0));
    }
}

#[cfg(test)]
mod tests {
    use crate::read;

    fn shown(text: &str) -> String {
        let read = read(text.as_bytes(), "x.csv").unwrap();
        let one = |result: &crate::PublishedResult| {
            let figures = result.figures.iter().map(|(kind, (q, _))| format!("{} {}", kind.name(), q.value));
            format!("{} {}", result.target_name(), figures.collect::<Vec<_>>().join(" "))
        };
        read.results.iter().map(one).collect::<Vec<_>>().join("; ")
    }

    #[test]
    fn letters_and_numbers_around_a_sheet_are_no_cells() {
        let sheet = ",A,B,C\n1,Threads,old TPS,new TPS\n2,8,1000,1100\n3,16,1800,1950\n";
        let wanted = "old clients 8 tps 1000; new clients 8 tps 1100; old clients 16 tps 1800; new clients 16 tps 1950";
        assert_eq!(shown(sheet), wanted);
        assert_eq!(shown("threads,A,B\n1,100,110\n2,190,200\n").split(';').count(), 4, "names of what was compared");
    }
}
