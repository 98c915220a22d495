//! Sorting, in one copy: the standard library writes its sort out anew for every type, and a page
//! downloads each.

use std::collections::BinaryHeap;

/// Sorts by a key; equal keys stay in the order they had.
pub fn sort_by_key<T: Copy>(list: &mut [T], key: impl Fn(T) -> u64) {
    let sorted = order(list.iter().map(|&item| key(item)).collect());
    let before = list.to_vec();
    for (item, place) in list.iter_mut().zip(sorted) {
        *item = before[place];
    }
}

/// The places of keys, the least first. A heap sorts them: its code is a sixth of the standard
/// library's sort.
#[inline(never)]
fn order(keys: Vec<u64>) -> Vec<usize> {
    let placed: Vec<(u64, usize)> = keys.into_iter().zip(0..).collect();
    BinaryHeap::from(placed).into_sorted_vec().into_iter().map(|(_, place)| place).collect()
}

/// Sorts numbers.
pub fn sort(list: &mut [usize]) {
    sort_by_key(list, |number| number as u64);
}

#[cfg(test)]
mod tests {
    use super::{sort, sort_by_key};

    #[test]
    fn lists_are_sorted_and_equal_keys_keep_their_order() {
        let mut list: Vec<usize> = (0..100).map(|i| i * 37 % 101).collect();
        let mut expected = list.clone();
        expected.sort_unstable();
        sort(&mut list);
        assert_eq!(list, expected);
        sort_by_key(&mut list, |i| (i % 3) as u64);
        expected.sort_by_key(|i| i % 3);
        assert_eq!(list, expected);
    }
}
