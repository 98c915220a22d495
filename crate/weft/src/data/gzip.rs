//! The gzip envelope (RFC 1952) round a deflated file: header, checksum and length are checked here, inflating is miniz's.

use super::format_error;
use miniz_oxide::inflate::TINFLStatus;
use miniz_oxide::inflate::core::{DecompressorOxide, decompress, inflate_flags};
use weft_ir::Result;

/// Enough of a file to tell how long it will be.
const START: usize = 4 + 4 * 255;

/// Bits of the header's flags: a checksum of the header, extra data, a name, a comment.
const HEADER_CRC: u8 = 2;
const EXTRA: u8 = 4;
const NAME: u8 = 8;
const COMMENT: u8 = 16;

/// Whether the bytes begin as a gzipped file does.
pub fn is_gzip(bytes: &[u8]) -> bool {
    bytes.starts_with(&[0x1F, 0x8B])
}

/// The inflated file. `length` says from its first bytes how long it must become, `None` if they are too few.
///
/// Errors with `Format` when anything does not fit, and as `length` does.
pub fn inflate(bytes: &[u8], length: impl Fn(&[u8]) -> Result<Option<usize>>) -> Result<Vec<u8>> {
    let body = &bytes[body_start(bytes)?..];
    let mut start = vec![0; START];
    let (_, _, written) = run(body, &mut start);
    start.truncate(written);
    let Some(length) = length(&start)? else {
        return Err(format_error(format!("the gzipped data ends after {written} bytes, within the header")));
    };
    // Deflate packs at most 1032 bytes into one (a run of the longest matches at two bits each).
    if length / 1032 > body.len() {
        return Err(format_error(format!("{} gzipped bytes cannot hold the {length} announced", body.len())));
    }
    let mut plain = vec![0; length];
    let (status, read, written) = run(body, &mut plain);
    match status {
        TINFLStatus::Done if written == length => {}
        TINFLStatus::Done => {
            return Err(format_error(format!("expected {length} bytes, the gzipped data holds {written}")));
        }
        TINFLStatus::HasMoreOutput => {
            return Err(format_error(format!("expected {length} bytes, the gzipped data holds more")));
        }
        TINFLStatus::NeedsMoreInput | TINFLStatus::FailedCannotMakeProgress => {
            return Err(format_error(format!("the gzipped data ends after {written} of {length} bytes")));
        }
        _ => {
            return Err(format_error(format!(
                "the gzipped data is corrupt after {written} of {length} bytes"
            )));
        }
    }
    check_trailer(&body[read..], &plain)?;
    Ok(plain)
}

fn run(body: &[u8], out: &mut [u8]) -> (TINFLStatus, usize, usize) {
    let flags = inflate_flags::TINFL_FLAG_USING_NON_WRAPPING_OUTPUT_BUF;
    decompress(&mut DecompressorOxide::new(), body, out, 0, flags)
}

/// Where the deflated data begins.
fn body_start(bytes: &[u8]) -> Result<usize> {
    let short = || format_error(format!("the gzip header is cut short: the file has {} bytes", bytes.len()));
    let header = bytes.first_chunk::<10>().ok_or_else(short)?;
    let (method, flags) = (header[2], header[3]);
    if method != 8 {
        return Err(format_error(format!("expected gzip's method 8 (deflate), found {method}")));
    }
    let mut at = 10;
    if flags & EXTRA != 0 {
        let length = bytes.get(at..at + 2).ok_or_else(short)?;
        at += 2 + usize::from(u16::from_le_bytes([length[0], length[1]]));
    }
    for flag in [NAME, COMMENT] {
        if flags & flag != 0 {
            let text = bytes.get(at..).ok_or_else(short)?;
            at += 1 + text.iter().position(|&b| b == 0).ok_or_else(short)?;
        }
    }
    if flags & HEADER_CRC != 0 {
        at += 2;
    }
    if at > bytes.len() { Err(short()) } else { Ok(at) }
}

fn check_trailer(rest: &[u8], plain: &[u8]) -> Result<()> {
    let Some((trailer, after)) = rest.split_first_chunk::<8>() else {
        return Err(format_error("the gzip checksum is cut short"));
    };
    if !after.is_empty() {
        return Err(format_error(format!("{} bytes follow the gzipped data", after.len())));
    }
    let [a, b, c, d, ..] = *trailer;
    let (expected, found) = (u32::from_le_bytes([a, b, c, d]), crc32(plain));
    if expected != found {
        return Err(format_error(format!(
            "the checksum is {found:08x}, expected {expected:08x}: the data is corrupt"
        )));
    }
    let [.., a, b, c, d] = *trailer;
    let length = u32::from_le_bytes([a, b, c, d]);
    if length != plain.len() as u32 {
        return Err(format_error(format!("gzip says {length} bytes, there are {}", plain.len())));
    }
    Ok(())
}

/// CRC-32 as of RFC 1952, §8, by a table of all bytes.
fn crc32(bytes: &[u8]) -> u32 {
    const TABLE: [u32; 256] = {
        let mut table = [0; 256];
        let mut n = 0;
        while n < 256 {
            let mut c = n as u32;
            let mut bit = 0;
            while bit < 8 {
                c = if c & 1 == 1 { 0xEDB8_8320 ^ (c >> 1) } else { c >> 1 };
                bit += 1;
            }
            table[n] = c;
            n += 1;
        }
        table
    };
    !bytes.iter().fold(!0, |crc: u32, &b| TABLE[((crc ^ u32::from(b)) & 0xFF) as usize] ^ (crc >> 8))
}

#[cfg(test)]
mod tests {
    use super::super::idx;
    use super::*;

    /// `[3]` of bytes 1, 2, 3 as IDX, gzipped in a stored block, with a name in the header.
    fn sample() -> Vec<u8> {
        let plain = [0u8, 0, 8, 1, 0, 0, 0, 3, 1, 2, 3];
        let mut file = vec![0x1F, 0x8B, 8, NAME, 0, 0, 0, 0, 0, 255];
        file.extend(b"three.idx\0");
        file.extend([1, 11, 0, 0xF4, 0xFF]);
        file.extend(plain);
        file.extend(crc32(&plain).to_le_bytes());
        file.extend(11u32.to_le_bytes());
        file
    }

    fn message(bytes: &[u8]) -> String {
        idx(bytes).unwrap_err().to_string()
    }

    #[test]
    fn a_gzipped_file_reads_as_the_plain_one() {
        assert_eq!(idx(&sample()).unwrap().to_i32(), [1, 2, 3]);
    }

    #[test]
    fn the_checksum_is_the_standard_one() {
        assert_eq!(crc32(b"123456789"), 0xCBF4_3926);
    }

    #[test]
    fn every_truncation_is_an_error() {
        let whole = sample();
        for length in 2..whole.len() {
            assert!(message(&whole[..length]).starts_with("idx: "), "{length}");
        }
    }

    #[test]
    fn every_flipped_bit_of_the_data_is_noticed() {
        let whole = sample();
        for byte in 21..whole.len() {
            for bit in 0..8 {
                let mut broken = whole.clone();
                broken[byte] ^= 1 << bit;
                assert!(idx(&broken).is_err(), "byte {byte} bit {bit}");
            }
        }
    }

    #[test]
    fn what_follows_is_an_error() {
        let longer = [sample(), vec![0]].concat();
        assert_eq!(message(&longer), "idx: 1 bytes follow the gzipped data");
    }
}
