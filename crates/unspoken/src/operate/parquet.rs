//! Tables of data as Parquet files: typed columns, with missing values as nulls.

use std::sync::Arc;

use anyhow::{Context, Result};
use parquet::data_type::{BoolType, ByteArray, ByteArrayType, DoubleType, Int64Type};
use parquet::file::properties::WriterProperties;
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::parser::parse_message_type;
use study::{Column, DataTable, Kind, Value};

/// The table as a Parquet file. The same table gives the same bytes.
pub fn parquet(table: &DataTable) -> Result<Vec<u8>> {
    let fields = table.columns.iter().map(field).collect::<String>();
    let schema = parse_message_type(&format!("message {} {{ {fields}}}", table.name))?;
    let program = concat!("unspoken version ", env!("CARGO_PKG_VERSION")).to_owned();
    let properties = WriterProperties::builder().set_created_by(program).build();
    let mut file = SerializedFileWriter::new(Vec::new(), Arc::new(schema), Arc::new(properties))?;
    let mut group = file.next_row_group()?;
    for (index, column) in table.columns.iter().enumerate() {
        let mut writer = group.next_column()?.context("a column has no place in the file")?;
        let values = table.rows.iter().filter_map(|row| row.get(index));
        match column.kind {
            Kind::Text => {
                let (values, there) = split(values, |value| match value {
                    Value::Text(text) => Some(ByteArray::from(text.as_str())),
                    _ => None,
                });
                writer.typed::<ByteArrayType>().write_batch(&values, Some(&there), None)?;
            }
            Kind::Whole => {
                let (values, there) = split(values, |value| match value {
                    Value::Whole(number) => Some(*number),
                    _ => None,
                });
                writer.typed::<Int64Type>().write_batch(&values, Some(&there), None)?;
            }
            Kind::Real => {
                let (values, there) = split(values, |value| match value {
                    Value::Real(number) => Some(*number),
                    _ => None,
                });
                writer.typed::<DoubleType>().write_batch(&values, Some(&there), None)?;
            }
            Kind::Flag => {
                let (values, there) = split(values, |value| match value {
                    Value::Flag(flag) => Some(*flag),
                    _ => None,
                });
                writer.typed::<BoolType>().write_batch(&values, Some(&there), None)?;
            }
        }
        writer.close()?;
    }
    group.close()?;
    Ok(file.into_inner()?)
}

/// A column in the language of Parquet's schemas.
fn field(column: &Column) -> String {
    let (kind, text) = match column.kind {
        Kind::Text => ("binary", " (UTF8)"),
        Kind::Whole => ("int64", ""),
        Kind::Real => ("double", ""),
        Kind::Flag => ("boolean", ""),
    };
    format!("optional {kind} {}{text}; ", column.name)
}

/// The values that are there, and for each row whether it has one.
fn split<'a, T>(
    values: impl Iterator<Item = &'a Value>,
    read: impl Fn(&Value) -> Option<T>,
) -> (Vec<T>, Vec<i16>) {
    let (mut found, mut there) = (Vec::new(), Vec::new());
    for value in values {
        let value = read(value);
        there.push(i16::from(value.is_some()));
        found.extend(value);
    }
    (found, there)
}

#[cfg(test)]
mod tests {
    use parquet::file::reader::{FileReader, SerializedFileReader};
    use parquet::record::RowAccessor as _;

    use super::*;

    #[test]
    fn a_file_reads_back_as_it_was_written() {
        let mut table = DataTable::new(
            "presses",
            "one move",
            &[
                ("group", Kind::Text, "The group."),
                ("at_us", Kind::Whole, "When."),
                ("scale", Kind::Real, "How large."),
                ("hidden", Kind::Flag, "Whether hidden."),
            ],
        );
        let text = Value::text("a,\"ü\"");
        table.rows.push(vec![text, Value::Whole(-7), Value::Missing, Value::Flag(true)]);
        table.rows.push(vec![Value::Missing, Value::Missing, Value::Real(1.5), Value::Flag(false)]);
        let bytes = parquet(&table).unwrap();
        assert_eq!(bytes, parquet(&table).unwrap());
        let reader = SerializedFileReader::new(bytes::Bytes::from(bytes)).unwrap();
        let rows = reader.get_row_iter(None).unwrap().map(Result::unwrap).collect::<Vec<_>>();
        assert_eq!(rows.len(), 2);
        assert_eq!(rows[0].get_string(0).unwrap(), "a,\"ü\"");
        assert_eq!(rows[0].get_long(1).unwrap(), -7);
        assert!(rows[0].get_double(2).is_err() && rows[1].get_string(0).is_err());
        assert!((rows[1].get_double(2).unwrap() - 1.5).abs() < f64::EPSILON);
        assert!(rows[0].get_bool(3).unwrap() && !rows[1].get_bool(3).unwrap());
    }

    #[test]
    fn a_table_may_be_empty() {
        let table = DataTable::new("notes", "one note", &[("at_ms", Kind::Real, "When.")]);
        let bytes = parquet(&table).unwrap();
        let reader = SerializedFileReader::new(bytes::Bytes::from(bytes)).unwrap();
        assert_eq!(reader.get_row_iter(None).unwrap().count(), 0);
    }
}
