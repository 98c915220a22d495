//! Streaming decompression of deflated data (RFC 1951): neither side has to be in memory as a
//! whole.

use miniz_oxide::inflate::TINFLStatus;
use miniz_oxide::inflate::core::{DecompressorOxide, decompress, inflate_flags};

/// Bytes of a piece, at least the 32 KiB that matches reach back.
const PIECE: usize = 1 << 16;

/// How inflating ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Inflated {
    /// All of it was written.
    Whole,
    /// The writer took no more.
    Stopped,
    /// What was read is not deflated data, or ends before that does.
    Corrupt,
}

/// Inflates what `read` fills a piece with, telling how many bytes; 0 at the end. `write` takes
/// each piece of the plain data, and says whether it wants more.
pub fn inflate(mut read: impl FnMut(&mut [u8]) -> usize, mut write: impl FnMut(&[u8]) -> bool) -> Inflated {
    let mut state = Box::<DecompressorOxide>::default();
    let (mut packed, mut window) = (vec![0; PIECE], vec![0; PIECE]);
    let (mut filled, mut used, mut position) = (0, 0, 0);
    loop {
        if used == filled {
            filled = read(&mut packed);
            used = 0;
        }
        let flags = if filled > 0 { inflate_flags::TINFL_FLAG_HAS_MORE_INPUT } else { 0 };
        let (status, taken, made) =
            decompress(&mut state, &packed[used..filled], &mut window, position, flags);
        used += taken;
        if made > 0 && !write(&window[position..position + made]) {
            return Inflated::Stopped;
        }
        position = (position + made) % PIECE;
        match status {
            TINFLStatus::Done => return Inflated::Whole,
            TINFLStatus::HasMoreOutput | TINFLStatus::NeedsMoreInput if filled > 0 || made > 0 => {}
            _ => return Inflated::Corrupt,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use miniz_oxide::deflate::compress_to_vec;

    /// What is inflated of `packed`, of which each read gives at most `step` bytes, until `most`
    /// were written.
    fn unpacked(packed: &[u8], step: usize, most: usize) -> (Inflated, Vec<u8>) {
        let (mut at, mut plain) = (0, Vec::new());
        let read = |into: &mut [u8]| {
            let length = step.min(into.len()).min(packed.len() - at);
            into[..length].copy_from_slice(&packed[at..at + length]);
            at += length;
            length
        };
        let end = inflate(read, |piece| {
            plain.extend_from_slice(piece);
            plain.len() <= most
        });
        (end, plain)
    }

    fn sample() -> Vec<u8> {
        (0..300_000u32).map(|n| (n.wrapping_mul(2_654_435_761) >> (8 + n % 13)) as u8).collect()
    }

    #[test]
    fn pieces_of_any_size_make_the_same() {
        let plain = sample();
        let packed = compress_to_vec(&plain, 6);
        for step in [1, 7, 1000, PIECE] {
            assert!(unpacked(&packed, step, usize::MAX) == (Inflated::Whole, plain.clone()), "{step}");
        }
        assert_eq!(unpacked(&compress_to_vec(&[], 6), 9, 0), (Inflated::Whole, Vec::new()));
    }

    #[test]
    fn the_writer_ends_it() {
        // A run of zeros, packed a thousand times.
        let packed = compress_to_vec(&vec![0; 50_000_000], 9);
        let (end, plain) = unpacked(&packed, PIECE, 100_000);
        assert_eq!(end, Inflated::Stopped);
        assert!(plain.len() < 300_000);
    }

    #[test]
    fn every_truncation_is_corrupt() {
        let packed = compress_to_vec(&sample()[..200], 6);
        for length in 0..packed.len() {
            assert_eq!(unpacked(&packed[..length], PIECE, usize::MAX).0, Inflated::Corrupt, "{length}");
        }
    }

    #[test]
    fn noise_ends() {
        let noise = sample();
        for start in 0..2000 {
            unpacked(&noise[start..start + 300], PIECE, 1 << 20);
        }
    }
}
