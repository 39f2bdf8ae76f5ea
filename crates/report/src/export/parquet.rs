//! The CSV exports as Parquet: the same rows and columns, with types. A column of numbers is DOUBLE or INT64, everything else is
//! text; an empty field is NULL.

use parquet::basic::{Compression, ConvertedType, Repetition, Type as Physical};
use parquet::data_type::{ByteArray, ByteArrayType, DoubleType, Int64Type};
use parquet::errors::ParquetError;
use parquet::file::properties::WriterProperties;
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::types::Type;
use std::sync::Arc;
use tenbin_words::message::foreign;
use tenbin_words::msg;
use tenbin_words::problem::Problem;

/// The values of a column.
enum Column {
    Whole(Vec<Option<i64>>),
    Number(Vec<Option<f64>>),
    Text(Vec<Option<String>>),
}

/// A CSV export as a Parquet file. Fails if the CSV has no head, which is a fault of Tenbin.
pub fn of_csv(csv: &str) -> Result<Vec<u8>, Problem> {
    let fault = |error: &dyn std::fmt::Display| Problem::new(msg!("parquet-not-written")).evidence(foreign(error));
    let mut reader = csv::Reader::from_reader(csv.as_bytes());
    let names: Vec<String> = reader.headers().map_err(|e| fault(&e))?.iter().map(str::to_owned).collect();
    let mut fields: Vec<Vec<Option<String>>> = vec![Vec::new(); names.len()];
    for row in reader.records() {
        let row = row.map_err(|e| fault(&e))?;
        for (column, field) in fields.iter_mut().zip(row.iter()) {
            column.push((!field.is_empty()).then(|| field.to_owned()));
        }
    }
    write(&names, fields.into_iter().map(typed).collect()).map_err(|e| fault(&e))
}

/// The narrowest type that holds all values.
fn typed(fields: Vec<Option<String>>) -> Column {
    fn all<T: std::str::FromStr>(fields: &[Option<String>]) -> Option<Vec<Option<T>>> {
        fields
            .iter()
            .map(|field| field.as_ref().map(|text| text.parse().ok()).map_or(Some(None), |v| v.map(Some)))
            .collect()
    }
    if fields.iter().all(Option::is_none) {
        return Column::Text(fields);
    }
    match (all(&fields), all(&fields)) {
        (Some(whole), _) => Column::Whole(whole),
        (None, Some(numbers)) => Column::Number(numbers),
        _ => Column::Text(fields),
    }
}

fn write(names: &[String], columns: Vec<Column>) -> Result<Vec<u8>, ParquetError> {
    let field = |(name, column): (&String, &Column)| {
        let (physical, converted) = match column {
            Column::Whole(_) => (Physical::INT64, ConvertedType::NONE),
            Column::Number(_) => (Physical::DOUBLE, ConvertedType::NONE),
            Column::Text(_) => (Physical::BYTE_ARRAY, ConvertedType::UTF8),
        };
        let of = Type::primitive_type_builder(name, physical).with_repetition(Repetition::OPTIONAL);
        of.with_converted_type(converted).build().map(Arc::new)
    };
    let fields: Result<Vec<_>, _> = names.iter().zip(&columns).map(field).collect();
    let schema = Arc::new(Type::group_type_builder("schema").with_fields(fields?).build()?);
    let properties = Arc::new(WriterProperties::builder().set_compression(Compression::SNAPPY).build());
    let mut bytes = Vec::new();
    let mut file = SerializedFileWriter::new(&mut bytes, schema, properties)?;
    let mut rows = file.next_row_group()?;
    for column in columns {
        let Some(mut writer) = rows.next_column()? else { break };
        match column {
            Column::Whole(all) => {
                _ = writer.typed::<Int64Type>().write_batch(&known(&all), Some(&levels(&all)), None)?
            }
            Column::Number(all) => {
                _ = writer.typed::<DoubleType>().write_batch(&known(&all), Some(&levels(&all)), None)?;
            }
            Column::Text(all) => {
                let texts: Vec<ByteArray> = all.iter().flatten().map(|text| text.as_str().into()).collect();
                _ = writer.typed::<ByteArrayType>().write_batch(&texts, Some(&levels(&all)), None)?;
            }
        }
        writer.close()?;
    }
    rows.close()?;
    file.close()?;
    Ok(bytes)
}

fn known<T: Copy>(all: &[Option<T>]) -> Vec<T> {
    all.iter().flatten().copied().collect()
}

/// 1 where there is a value, 0 where there is none.
fn levels<T>(all: &[Option<T>]) -> Vec<i16> {
    all.iter().map(|value| i16::from(value.is_some())).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use parquet::file::reader::{FileReader, SerializedFileReader};
    use parquet::record::RowAccessor;

    #[test]
    fn numbers_are_numbers_and_nothing_is_null() {
        let bytes = of_csv("trial,target,tps,scale\n1,\"a, b\",12.5,\n2,日本,13,\n").unwrap();
        let file = SerializedFileReader::new(bytes::Bytes::from(bytes)).unwrap();
        let rows: Vec<_> = file.get_row_iter(None).unwrap().map(Result::unwrap).collect();
        assert_eq!(rows.len(), 2);
        assert_eq!((rows[0].get_long(0).unwrap(), rows[1].get_double(2).unwrap()), (1, 13.0));
        assert_eq!(rows[1].get_string(1).unwrap(), "日本");
        assert_eq!(rows[0].get_column_iter().nth(3).unwrap().1.to_string(), "null");
        assert!(of_csv("trial,target\n").is_ok(), "a run without trials");
    }
}
