//! Files of tensors: IDX, the format of MNIST and its relatives, gzip included, and decompression
//! for archives.
//!
//! A file that is corrupt, cut short or too long is an error of kind `Format` that says what was
//! expected and what was found.
//!
//! Deferred: few programs read compressed files.

mod deflate;
mod gzip;

pub use deflate::{Inflated, inflate};

use std::borrow::Cow;
use weft_ir::{DType, Error, ErrorKind, Result, Shape};

/// What an IDX file holds: extents and elements in row-major order.
#[derive(Clone, PartialEq, Debug)]
pub struct Idx {
    /// Extents, outermost first.
    pub shape: Shape,
    /// The elements.
    pub values: IdxValues,
}

/// Elements of an IDX file, in the type the file has.
#[derive(Clone, PartialEq, Debug)]
pub enum IdxValues {
    /// Type 0x08.
    U8(Vec<u8>),
    /// Type 0x09.
    I8(Vec<i8>),
    /// Type 0x0B.
    I16(Vec<i16>),
    /// Type 0x0C.
    I32(Vec<i32>),
    /// Type 0x0D.
    F32(Vec<f32>),
    /// Type 0x0E.
    F64(Vec<f64>),
}

impl Idx {
    /// The dtype of the tensor this makes: f32 for floats, i32 for integers.
    pub fn dtype(&self) -> DType {
        match self.values {
            IdxValues::F32(_) | IdxValues::F64(_) => DType::F32,
            _ => DType::I32,
        }
    }

    /// The elements as f32.
    pub fn to_f32(&self) -> Vec<f32> {
        match &self.values {
            IdxValues::U8(v) => v.iter().map(|&x| f32::from(x)).collect(),
            IdxValues::I8(v) => v.iter().map(|&x| f32::from(x)).collect(),
            IdxValues::I16(v) => v.iter().map(|&x| f32::from(x)).collect(),
            IdxValues::I32(v) => v.iter().map(|&x| x as f32).collect(),
            IdxValues::F32(v) => v.clone(),
            IdxValues::F64(v) => v.iter().map(|&x| x as f32).collect(),
        }
    }

    /// The elements as i32; floats truncate.
    pub fn to_i32(&self) -> Vec<i32> {
        match &self.values {
            IdxValues::U8(v) => v.iter().map(|&x| i32::from(x)).collect(),
            IdxValues::I8(v) => v.iter().map(|&x| i32::from(x)).collect(),
            IdxValues::I16(v) => v.iter().map(|&x| i32::from(x)).collect(),
            IdxValues::I32(v) => v.clone(),
            IdxValues::F32(v) => v.iter().map(|&x| x as i32).collect(),
            IdxValues::F64(v) => v.iter().map(|&x| x as i32).collect(),
        }
    }
}

pub(crate) fn format_error(message: impl Into<String>) -> Error {
    Error::new(ErrorKind::Format, "idx", message)
}

/// Bytes that a compressed file may have when it is unpacked, unless its reader allows more.
pub const UNPACKED: usize = 512 << 20;

/// Reads an IDX file, gzipped or plain. A gzipped one may take up to [`UNPACKED`] bytes. Errors
/// with `Format`.
pub fn idx(bytes: &[u8]) -> Result<Idx> {
    idx_within(bytes, UNPACKED)
}

/// Reads an IDX file, gzipped or plain. A gzipped one may take up to `max_bytes` when it is
/// unpacked. Errors with `Format`, and with `OutOfMemory` where there is no memory for its
/// elements.
pub fn idx_within(bytes: &[u8], max_bytes: usize) -> Result<Idx> {
    let plain = if gzip::is_gzip(bytes) {
        // The header tells the length, so no more than that is ever inflated.
        let length = |start: &[u8]| match header(start)? {
            Some(header) if header.length() > max_bytes => Err(format_error(format!(
                "unpacked the file has {length} bytes, more than {max_bytes}: if you trust it, give {length} as maxBytes",
                length = header.length()
            ))),
            header => Ok(header.map(|header| header.length())),
        };
        Cow::Owned(gzip::inflate(bytes, length)?)
    } else {
        Cow::Borrowed(bytes)
    };
    let header = header(&plain)?.ok_or_else(|| {
        format_error(format!(
            "expected a header of {}, the file has {} bytes",
            header_words(&plain),
            plain.len()
        ))
    })?;
    if plain.len() != header.length() {
        let what = format!(
            "{} of {} bytes each make a file of {} bytes, this one has {}",
            header.shape,
            header.width,
            header.length(),
            plain.len()
        );
        return Err(format_error(what));
    }
    let body = &plain[header.start..];
    macro_rules! numbers {
        ($ty:ty) => {{
            let mut numbers = room(header.shape.size())?;
            let chunks = body.chunks_exact(size_of::<$ty>());
            numbers.extend(
                chunks.map(|c| <$ty>::from_be_bytes(c.try_into().expect("chunks have the number's width"))),
            );
            numbers
        }};
    }
    let values = match header.code {
        // Unpacked bytes are shifted in place, not copied.
        0x08 => IdxValues::U8(match plain {
            Cow::Owned(mut file) => {
                file.drain(..header.start);
                file
            }
            Cow::Borrowed(_) => numbers!(u8),
        }),
        0x09 => IdxValues::I8(numbers!(i8)),
        0x0B => IdxValues::I16(numbers!(i16)),
        0x0C => IdxValues::I32(numbers!(i32)),
        0x0D => IdxValues::F32(numbers!(f32)),
        _ => IdxValues::F64(numbers!(f64)),
    };
    Ok(Idx { shape: header.shape, values })
}

/// An empty vector with room for `count` elements. Errors with `OutOfMemory`.
fn room<T>(count: usize) -> Result<Vec<T>> {
    let mut vector = Vec::new();
    vector.try_reserve_exact(count).map_err(|_| {
        let bytes = count as u64 * size_of::<T>() as u64;
        Error::new(ErrorKind::OutOfMemory, "idx", format!("there is no memory left for {bytes} bytes"))
    })?;
    Ok(vector)
}

struct Header {
    code: u8,
    width: usize,
    shape: Shape,
    /// Where the elements begin.
    start: usize,
}

impl Header {
    /// Bytes of the whole file.
    fn length(&self) -> usize {
        self.start + self.width * self.shape.size()
    }
}

fn header_words(bytes: &[u8]) -> String {
    match bytes.get(3) {
        Some(&rank) => format!("{} bytes for rank {rank}", 4 + 4 * usize::from(rank)),
        None => "at least 4 bytes".to_owned(),
    }
}

/// The header, or `None` when there are too few bytes to tell.
fn header(bytes: &[u8]) -> Result<Option<Header>> {
    let Some(&[zero, nil, code, rank]) = bytes.first_chunk::<4>() else { return Ok(None) };
    if (zero, nil) != (0, 0) {
        return Err(format_error(format!(
            "expected two zero bytes and a type, found {zero:02x} {nil:02x} {code:02x} {rank:02x}: not an IDX file"
        )));
    }
    let width = match code {
        0x08 | 0x09 => 1,
        0x0B => 2,
        0x0C | 0x0D => 4,
        0x0E => 8,
        other => {
            return Err(format_error(format!("expected a type of 08, 09 or 0b to 0e, found {other:02x}")));
        }
    };
    let start = 4 + 4 * usize::from(rank);
    let Some(extents) = bytes.get(4..start) else { return Ok(None) };
    let extents: Vec<usize> =
        extents.chunks_exact(4).map(|c| u32::from_be_bytes([c[0], c[1], c[2], c[3]]) as usize).collect();
    let shape = Shape::checked("idx", &extents).map_err(|e| format_error(e.message.clone()))?;
    if shape.size().checked_mul(width).and_then(|n| n.checked_add(start)).is_none() {
        return Err(format_error(format!("{shape} is too large")));
    }
    Ok(Some(Header { code, width, shape, start }))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(code: u8, extents: &[u32], body: &[u8]) -> Vec<u8> {
        let mut bytes = vec![0, 0, code, extents.len() as u8];
        extents.iter().for_each(|e| bytes.extend(e.to_be_bytes()));
        bytes.extend(body);
        bytes
    }

    fn message(bytes: &[u8]) -> String {
        let error = idx(bytes).unwrap_err();
        assert_eq!(error.kind, ErrorKind::Format);
        error.to_string()
    }

    #[test]
    fn every_type_is_read_big_endian() {
        let bytes = idx(&file(0x08, &[2, 2], &[0, 1, 254, 255])).unwrap();
        assert_eq!((bytes.shape.clone(), bytes.dtype()), ([2, 2].into(), DType::I32));
        assert_eq!(bytes.to_f32(), [0.0, 1.0, 254.0, 255.0]);
        assert_eq!(idx(&file(0x09, &[2], &[255, 1])).unwrap().to_i32(), [-1, 1]);
        assert_eq!(idx(&file(0x0B, &[1], &[0xFF, 0xFE])).unwrap().to_i32(), [-2]);
        assert_eq!(idx(&file(0x0C, &[1], &[0, 0, 1, 0])).unwrap().to_i32(), [256]);
        assert_eq!(idx(&file(0x0D, &[1], &1.5f32.to_be_bytes())).unwrap().to_f32(), [1.5]);
        assert_eq!(idx(&file(0x0E, &[], &2.5f64.to_be_bytes())).unwrap().to_f32(), [2.5]);
        assert_eq!(idx(&file(0x08, &[0, 28], &[])).unwrap().shape, [0, 28].into());
    }

    #[test]
    fn what_is_wrong_is_said() {
        assert_eq!(message(&[]), "idx: expected a header of at least 4 bytes, the file has 0 bytes");
        assert_eq!(
            message(&[0, 0, 8, 3, 0]),
            "idx: expected a header of 16 bytes for rank 3, the file has 5 bytes"
        );
        assert!(message(b"\x89PNG").contains("found 89 50 4e 47: not an IDX file"));
        assert!(message(&file(0x0A, &[1], &[1])).contains("found 0a"));
        assert_eq!(
            message(&file(8, &[3], &[1])),
            "idx: [3] of 1 bytes each make a file of 11 bytes, this one has 9"
        );
        assert_eq!(
            message(&file(8, &[1], &[1, 2])),
            "idx: [1] of 1 bytes each make a file of 9 bytes, this one has 10"
        );
        assert!(message(&file(8, &[u32::MAX, u32::MAX], &[])).contains("2^31"));
    }
}
