//! Sorting, in one copy: the standard library writes its sort out anew for every type, and a page
//! downloads each.

/// Sorts by a key; equal keys stay in the order they had.
pub fn sort_by_key<T: Copy>(list: &mut [T], key: impl Fn(T) -> u64) {
    let mut keyed: Vec<(u64, usize)> = (0..list.len()).map(|place| (key(list[place]), place)).collect();
    keyed.sort_unstable();
    let sorted: Vec<T> = keyed.into_iter().map(|(_, place)| list[place]).collect();
    list.copy_from_slice(&sorted);
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
