//! Bytes as hexadecimal digits.

/// What is returned for a text that is not the hexadecimal digits it should be.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("these are not the hexadecimal digits that belong there")]
pub struct NotHex;

/// Small hexadecimal digits.
pub fn hex(bytes: &[u8]) -> String {
    let digit = |half: u8| char::from_digit(u32::from(half), 16).unwrap_or('0');
    bytes.iter().flat_map(|byte| [digit(byte >> 4), digit(byte & 15)]).collect()
}

/// The bytes of this many lowercase hexadecimal digits.
pub fn unhex<const N: usize>(text: &str) -> Result<[u8; N], NotHex> {
    let digit = |byte: u8| match byte {
        b'0'..=b'9' => Ok(byte - b'0'),
        b'a'..=b'f' => Ok(byte - b'a' + 10),
        _ => Err(NotHex),
    };
    if text.len() != 2 * N {
        return Err(NotHex);
    }
    let mut bytes = [0; N];
    for (byte, pair) in bytes.iter_mut().zip(text.as_bytes().chunks_exact(2)) {
        *byte = digit(pair[0])? << 4 | digit(pair[1])?;
    }
    Ok(bytes)
}

/// Lets a type of bytes be JSON in hexadecimal digits, by `serde(into = "String", try_from =
/// "String")`.
#[macro_export]
macro_rules! hex_in_json {
    ($bytes:ty) => {
        impl ::std::convert::From<$bytes> for String {
            fn from(value: $bytes) -> Self {
                $crate::hex(&value.0)
            }
        }

        impl ::std::convert::TryFrom<String> for $bytes {
            type Error = $crate::NotHex;

            fn try_from(text: String) -> Result<Self, $crate::NotHex> {
                $crate::unhex(&text).map(Self)
            }
        }
    };
}

/// The same for a type that is written by `Display` and read by `FromStr`.
#[macro_export]
macro_rules! text_in_json {
    ($value:ty) => {
        impl ::std::convert::From<$value> for String {
            fn from(value: $value) -> Self {
                value.to_string()
            }
        }

        impl ::std::convert::TryFrom<String> for $value {
            type Error = <$value as ::std::str::FromStr>::Err;

            fn try_from(text: String) -> Result<Self, Self::Error> {
                text.parse()
            }
        }
    };
}
