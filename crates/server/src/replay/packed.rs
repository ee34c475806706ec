//! Answers that are made when they are asked for, compressed as the browser likes it.

use std::io::{self, Write};

use axum::http::{HeaderMap, HeaderValue, header};
use axum::response::{IntoResponse, Response};
use brotli::CompressorWriter;
use flate2::Compression;
use flate2::write::GzEncoder;

use crate::page::takes;

/// How hard brotli tries, of 11. From 6 on it takes three times as long for a few percent.
const BROTLI_QUALITY: u32 = 5;
/// The power of two that brotli looks back: frames repeat most of those before them.
const BROTLI_WINDOW: u32 = 20;
const BUFFER_BYTES: usize = 16 * 1_024;

/// How an answer travels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Coding {
    /// The smallest.
    Brotli,
    /// The one that everything understands.
    Gzip,
    /// As it is.
    Plain,
}

impl Coding {
    /// The smallest that the browser takes.
    pub(crate) fn of(headers: &HeaderMap) -> Self {
        let taken = headers.get_all(header::ACCEPT_ENCODING);
        let taken = taken.iter().filter_map(|value| value.to_str().ok());
        let taken = taken.collect::<Vec<_>>().join(",");
        if takes(&taken, "br") {
            Self::Brotli
        } else if takes(&taken, "gzip") {
            Self::Gzip
        } else {
            Self::Plain
        }
    }

    fn name(self) -> Option<&'static str> {
        match self {
            Self::Brotli => Some("br"),
            Self::Gzip => Some("gzip"),
            Self::Plain => None,
        }
    }

    /// What `write` writes, compressed.
    pub(crate) fn pack<E: From<io::Error>>(
        self,
        write: impl FnOnce(&mut dyn Write) -> Result<(), E>,
    ) -> Result<Packed, E> {
        let bytes = match self {
            Self::Brotli => {
                let mut out =
                    CompressorWriter::new(Vec::new(), BUFFER_BYTES, BROTLI_QUALITY, BROTLI_WINDOW);
                write(&mut out)?;
                out.into_inner()
            }
            Self::Gzip => {
                let mut out = GzEncoder::new(Vec::new(), Compression::default());
                write(&mut out)?;
                out.finish()?
            }
            Self::Plain => {
                let mut out = Vec::new();
                write(&mut out)?;
                out
            }
        };
        Ok(Packed { coding: self, bytes })
    }
}

/// What is sent.
#[derive(Debug)]
pub(crate) struct Packed {
    coding: Coding,
    bytes: Vec<u8>,
}

impl Packed {
    /// The answer, which is of that kind.
    pub(crate) fn answer(self, kind: &'static str) -> Response {
        let mut response = self.bytes.into_response();
        let headers = response.headers_mut();
        headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(kind));
        headers.insert(header::VARY, HeaderValue::from_static("accept-encoding, cookie"));
        if let Some(coding) = self.coding.name() {
            headers.insert(header::CONTENT_ENCODING, HeaderValue::from_static(coding));
        }
        response
    }
}

#[cfg(test)]
mod tests {
    use std::io::Read;

    use super::*;

    fn pack(coding: Coding) -> Vec<u8> {
        let text = "one card after another, ".repeat(1_000);
        coding.pack(|out| out.write_all(text.as_bytes())).unwrap().bytes
    }

    #[test]
    fn what_was_packed_can_be_unpacked() {
        let plain = pack(Coding::Plain);
        let (gzip, brotli) = (pack(Coding::Gzip), pack(Coding::Brotli));
        assert!(brotli.len() < gzip.len() && gzip.len() < plain.len() / 10);
        let mut read = Vec::new();
        flate2::read::GzDecoder::new(&gzip[..]).read_to_end(&mut read).unwrap();
        assert_eq!(read, plain);
        read.clear();
        brotli::Decompressor::new(&brotli[..], BUFFER_BYTES).read_to_end(&mut read).unwrap();
        assert_eq!(read, plain);
    }
}
