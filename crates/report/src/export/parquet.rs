//! A table as a Parquet file. The schema is the definition of the table; units are in the metadata `unit.<column>`.

use super::table::{Column, ColumnType, Table, Value};
use parquet::basic::{Compression, ConvertedType, Repetition, Type as Physical};
use parquet::data_type::{BoolType, ByteArray, ByteArrayType, DataType, DoubleType, Int64Type};
use parquet::errors::ParquetError;
use parquet::file::metadata::KeyValue;
use parquet::file::properties::WriterProperties;
use parquet::file::writer::{SerializedColumnWriter, SerializedFileWriter};
use parquet::schema::types::Type;
use std::sync::Arc;
use tenbin_words::message::foreign;
use tenbin_words::msg;
use tenbin_words::problem::Problem;

impl<R> Table<R> {
    /// The table as a Parquet file.
    pub fn parquet(&self) -> Result<Vec<u8>, Problem> {
        file(self).map_err(|error| Problem::new(msg!("table-not-written")).evidence(foreign(error)))
    }
}

fn file<R>(table: &Table<R>) -> Result<Vec<u8>, ParquetError> {
    let fields: Result<Vec<_>, _> = table.columns.iter().map(field).collect();
    let schema = Arc::new(Type::group_type_builder("schema").with_fields(fields?).build()?);
    let with_unit = table.columns.iter().filter(|column| !column.unit.is_empty());
    let units =
        with_unit.map(|column| KeyValue::new(format!("unit.{}", column.name), column.unit.to_owned())).collect();
    let properties =
        WriterProperties::builder().set_compression(Compression::SNAPPY).set_key_value_metadata(Some(units)).build();
    let mut bytes = Vec::new();
    let mut file = SerializedFileWriter::new(&mut bytes, schema, Arc::new(properties))?;
    let mut rows = file.next_row_group()?;
    for column in &table.columns {
        let Some(mut writer) = rows.next_column()? else { break };
        values(column, &table.rows, &mut writer)?;
        writer.close()?;
    }
    rows.close()?;
    file.close()?;
    Ok(bytes)
}

fn field<R>(column: &Column<R>) -> Result<Arc<Type>, ParquetError> {
    let (physical, converted) = match column.column_type() {
        ColumnType::Whole => (Physical::INT64, ConvertedType::NONE),
        ColumnType::Number => (Physical::DOUBLE, ConvertedType::NONE),
        ColumnType::Flag => (Physical::BOOLEAN, ConvertedType::NONE),
        ColumnType::Text => (Physical::BYTE_ARRAY, ConvertedType::UTF8),
    };
    let builder = Type::primitive_type_builder(&column.name, physical).with_repetition(Repetition::OPTIONAL);
    builder.with_converted_type(converted).build().map(Arc::new)
}

fn values<R>(column: &Column<R>, rows: &[R], writer: &mut SerializedColumnWriter<'_>) -> Result<(), ParquetError> {
    let cells = rows.iter().map(|row| column.value(row));
    match column.column_type() {
        ColumnType::Whole => {
            batch::<Int64Type>(writer, cells, |v| if let Value::Whole(n) = v { Some(n) } else { None })
        }
        ColumnType::Number => {
            batch::<DoubleType>(writer, cells, |v| if let Value::Number(n) = v { Some(n) } else { None })
        }
        ColumnType::Flag => {
            batch::<BoolType>(writer, cells, |v| if let Value::Flag(yes) = v { Some(yes) } else { None })
        }
        ColumnType::Text => batch::<ByteArrayType>(writer, cells, |v| match v {
            Value::Text(text) => Some(ByteArray::from(&*text)),
            Value::Object(object) => Some(ByteArray::from(object.to_string().as_str())),
            _ => None,
        }),
    }
}

/// Writes the values that there are, and for each row whether there is one (the definition level).
fn batch<'r, T: DataType>(
    writer: &mut SerializedColumnWriter<'_>,
    cells: impl Iterator<Item = Option<Value<'r>>>,
    of: impl Fn(Value<'r>) -> Option<T::T>,
) -> Result<(), ParquetError> {
    let cells: Vec<Option<T::T>> = cells.map(|cell| cell.and_then(&of)).collect();
    let levels: Vec<i16> = cells.iter().map(|cell| i16::from(cell.is_some())).collect();
    let values: Vec<T::T> = cells.into_iter().flatten().collect();
    writer.typed::<T>().write_batch(&values, Some(&levels), None).map(|_| ())
}
