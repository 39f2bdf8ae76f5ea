//! The digits of the numbers in a column stand below one another: for the tables whose cells are texts or numbers.

use minijinja::Value;
use tenbin_words::figure;

/// A number for [`aligned`]; a dash for none.
pub(super) fn number(value: Option<f64>) -> Value {
    value.map_or_else(|| Value::from("–"), Value::from)
}

/// The rows with the numbers of each column as texts with equally many decimals. What is text already stays as it is.
pub(super) fn aligned(mut rows: Vec<Vec<Value>>) -> Vec<Vec<Value>> {
    for at in 0..rows.iter().map(Vec::len).max().unwrap_or(0) {
        let cells = rows.iter_mut().filter_map(|row| row.get_mut(at));
        let numbers: Vec<&mut Value> = cells.filter(|cell| cell.is_number()).collect();
        let texts = figure::alike_or_none(numbers.iter().map(|cell| f64::try_from((**cell).clone()).ok()));
        numbers.into_iter().zip(texts).for_each(|(cell, text)| *cell = Value::from(text));
    }
    rows
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_a_column_have_equally_many_decimals_and_texts_stay() {
        let rows = [[Some(13.04), None], [Some(8.71), Some(7.0)]].map(|row| row.map(number).to_vec());
        let rows = aligned([rows.to_vec(), vec![vec![Value::from("1 ?")]]].concat());
        let texts: Vec<String> =
            rows.iter().map(|row| row.iter().map(Value::to_string).collect::<Vec<_>>().join(" ")).collect();
        assert_eq!(texts, ["13.0 –", "8.7 7.00", "1 ?"]);
    }
}
