//! The gzip envelope (RFC 1952): header, checksum and length are checked here, miniz inflates.

use super::{format_error, room};
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

/// The inflated file, of one member or several (RFC 1952, §2.2). `length` says from its first bytes
/// how long it must become, `None` if they are too few.
///
/// Errors with `Format` when anything does not fit, with `OutOfMemory` where there is no memory for
/// the file, and as `length` does.
pub fn inflate(bytes: &[u8], length: impl Fn(&[u8]) -> Result<Option<usize>>) -> Result<Vec<u8>> {
    let mut start = vec![0; START];
    let beginning = members(bytes, &mut start);
    start.truncate(beginning.written);
    let Some(length) = length(&start)? else {
        beginning.whole?;
        return Err(format_error(format!(
            "the gzipped data ends after {} bytes, within the header",
            beginning.written
        )));
    };
    // Deflate packs at most 1032 bytes into one (a run of the longest matches at two bits each).
    if length / 1032 > bytes.len() {
        return Err(format_error(format!(
            "{} gzipped bytes cannot hold the {length} announced",
            bytes.len()
        )));
    }
    let mut plain = room(length)?;
    plain.resize(length, 0);
    let unpacked = members(bytes, &mut plain);
    if !unpacked.whole? {
        return Err(format_error(format!("expected {length} bytes, the gzipped data holds more")));
    }
    if unpacked.written != length {
        return Err(format_error(format!(
            "expected {length} bytes, the gzipped data holds {}",
            unpacked.written
        )));
    }
    Ok(plain)
}

/// What was inflated of a file.
struct Unpacked {
    /// How many bytes.
    written: usize,
    /// Whether that is all of it.
    whole: Result<bool>,
}

/// Inflates member after member for as long as `out` has room.
fn members(mut file: &[u8], out: &mut [u8]) -> Unpacked {
    let checksum = Checksum::new();
    let mut written = 0;
    loop {
        let (made, rest) = member(&checksum, file, &mut out[written..], written);
        written += made;
        match rest {
            // Tapes and some tools fill up with zeros, which gzip passes over.
            Ok(Some(rest)) if rest.iter().all(|&byte| byte == 0) => {
                return Unpacked { written, whole: Ok(true) };
            }
            Ok(Some(rest)) if is_gzip(rest) => file = rest,
            Ok(Some(rest)) => {
                let what = format!("{} bytes follow the gzipped data", rest.len());
                return Unpacked { written, whole: Err(format_error(what)) };
            }
            Ok(None) => return Unpacked { written, whole: Ok(false) },
            Err(error) => return Unpacked { written, whole: Err(error) },
        }
    }
}

/// Inflates one member, which begins `before` bytes into the plain file: how many bytes it made,
/// and what follows it, `None` if it holds more than `out`.
fn member<'a>(
    checksum: &Checksum,
    file: &'a [u8],
    out: &mut [u8],
    before: usize,
) -> (usize, Result<Option<&'a [u8]>>) {
    let body = match body_start(file) {
        Ok(start) => &file[start..],
        Err(error) => return (0, Err(error)),
    };
    let (status, read, made) = run(body, out);
    let after = before + made;
    let rest = match status {
        TINFLStatus::Done => check_trailer(checksum, &body[read..], &out[..made]).map(Some),
        TINFLStatus::HasMoreOutput => Ok(None),
        TINFLStatus::NeedsMoreInput | TINFLStatus::FailedCannotMakeProgress => {
            Err(format_error(format!("the gzipped data ends after {after} bytes")))
        }
        _ => Err(format_error(format!("the gzipped data is corrupt after {after} bytes"))),
    };
    (made, rest)
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

/// What follows the trailer of a member, if that fits what the member holds.
fn check_trailer<'a>(checksum: &Checksum, rest: &'a [u8], plain: &[u8]) -> Result<&'a [u8]> {
    let Some((trailer, after)) = rest.split_first_chunk::<8>() else {
        return Err(format_error("the gzip checksum is cut short"));
    };
    let [a, b, c, d, ..] = *trailer;
    let (expected, found) = (u32::from_le_bytes([a, b, c, d]), checksum.of(plain));
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
    Ok(after)
}

/// CRC-32 as of RFC 1952, §8, eight bytes at a time (Kounavis and Berry, 2005). Its tables are made
/// when they are needed: in the WebAssembly they would be downloaded by everyone.
struct Checksum {
    /// What each byte adds, with none to seven bytes behind it.
    tables: Vec<[u32; 256]>,
}

impl Checksum {
    fn new() -> Checksum {
        let byte = |n: u32| (0..8).fold(n, |c, _| if c & 1 == 1 { 0xEDB8_8320 ^ (c >> 1) } else { c >> 1 });
        let mut tables = vec![std::array::from_fn(|n| byte(n as u32))];
        for behind in 1..8 {
            let next = |c: u32| tables[0][(c & 0xFF) as usize] ^ (c >> 8);
            tables.push(tables[behind - 1].map(next));
        }
        Checksum { tables }
    }

    fn of(&self, bytes: &[u8]) -> u32 {
        let (eights, rest) = bytes.as_chunks::<8>();
        let crc = eights.iter().fold(!0, |crc: u32, &[a, b, c, d, e, f, g, h]| {
            let [i, j, k, l] = (crc ^ u32::from_le_bytes([a, b, c, d])).to_le_bytes();
            let places = [h, g, f, e, l, k, j, i];
            places.iter().zip(&self.tables).fold(0, |sum, (&byte, table)| sum ^ table[usize::from(byte)])
        });
        !rest.iter().fold(crc, |crc, &b| self.tables[0][((crc ^ u32::from(b)) & 0xFF) as usize] ^ (crc >> 8))
    }
}

#[cfg(test)]
mod tests {
    use super::super::{idx, idx_within};
    use super::*;

    /// `[3]` of bytes 1, 2, 3 as IDX.
    const PLAIN: [u8; 11] = [0, 0, 8, 1, 0, 0, 0, 3, 1, 2, 3];

    fn sample() -> Vec<u8> {
        gzipped(&PLAIN)
    }

    /// A member with a stored block, and a name in the header.
    fn gzipped(plain: &[u8]) -> Vec<u8> {
        let length = plain.len() as u16;
        let mut file = vec![0x1F, 0x8B, 8, NAME, 0, 0, 0, 0, 0, 255];
        file.extend(b"three.idx\0");
        file.push(1);
        file.extend(length.to_le_bytes());
        file.extend((!length).to_le_bytes());
        file.extend(plain);
        file.extend(Checksum::new().of(plain).to_le_bytes());
        file.extend(u32::from(length).to_le_bytes());
        file
    }

    #[test]
    fn members_read_as_one_file_wherever_it_is_cut() {
        for cut in 0..=PLAIN.len() {
            let (start, end) = PLAIN.split_at(cut);
            let file = [gzipped(start), gzipped(&[]), gzipped(end)].concat();
            assert_eq!(idx(&file).unwrap().to_i32(), [1, 2, 3], "{cut}");
            assert!(message(&file[..file.len() - 1]).contains("checksum is cut short"));
        }
        let longer = [sample(), gzipped(&[4])].concat();
        assert_eq!(message(&longer), "idx: expected 11 bytes, the gzipped data holds more");
    }

    #[test]
    fn what_is_unpacked_is_bounded_before_it_is_taken() {
        // The header of 2^31 - 1 doubles.
        let header = [[0u8, 0, 0x0E, 1].as_slice(), &0x7FFF_FFFFu32.to_be_bytes()].concat();
        let message = message(&gzipped(&header));
        assert!(message.starts_with("idx: unpacked the file has 17179869184 bytes"), "{message}");
        assert!(message.contains("maxBytes"), "{message}");
        assert!(idx_within(&sample(), 10).unwrap_err().to_string().contains("has 11 bytes, more than 10"));
        assert!(idx_within(&sample(), 11).is_ok());
        // An allowance does not replace data: the bytes must be there.
        let allowed = idx_within(&gzipped(&header), usize::MAX).unwrap_err().to_string();
        assert!(allowed.contains("gzipped bytes cannot hold"), "{allowed}");
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
        let checksum = Checksum::new();
        assert_eq!(checksum.of(b"123456789"), 0xCBF4_3926);
        assert_eq!(checksum.of(b"The quick brown fox jumps over the lazy dog"), 0x414F_A339);
        assert_eq!(checksum.of(&[]), 0);
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
        let longer = [sample(), vec![7]].concat();
        assert_eq!(message(&longer), "idx: 1 bytes follow the gzipped data");
        assert_eq!(idx(&[sample(), vec![0; 600]].concat()).unwrap().to_i32(), [1, 2, 3]);
    }
}
