//! Things that JavaScript names by numbers; a number is not used again.

/// Things by number.
pub struct Numbered<T> {
    /// The number of the first in the list.
    first: u32,
    list: Vec<Option<T>>,
}

impl<T> Default for Numbered<T> {
    fn default() -> Self {
        Numbered { first: 0, list: Vec::new() }
    }
}

impl<T> Numbered<T> {
    /// Takes a thing in and gives its number.
    pub fn add(&mut self, thing: T) -> u32 {
        self.list.push(Some(thing));
        self.first + self.list.len() as u32 - 1
    }

    /// The thing of a number, unless it was let go.
    pub fn get(&self, number: u32) -> Option<&T> {
        self.list.get(number.checked_sub(self.first)? as usize)?.as_ref()
    }

    /// Takes the thing of a number out.
    pub fn remove(&mut self, number: u32) -> Option<T> {
        self.list.get_mut(number.checked_sub(self.first)? as usize)?.take()
    }

    /// Takes everything out. Numbers stay taken.
    pub fn take(&mut self) -> Numbered<T> {
        let list = std::mem::take(&mut self.list);
        let first = self.first;
        self.first += list.len() as u32;
        Numbered { first, list }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_is_not_used_again() {
        let mut things = Numbered::default();
        assert_eq!([things.add("a"), things.add("b")], [0, 1]);
        assert_eq!(things.remove(0), Some("a"));
        let taken = things.take();
        assert_eq!((taken.get(0), taken.get(1)), (None, Some(&"b")));
        assert_eq!(things.add("c"), 2);
        assert_eq!(things.remove(1), None);
        assert_eq!((things.get(1), things.get(2), things.get(3)), (None, Some(&"c"), None));
    }
}
