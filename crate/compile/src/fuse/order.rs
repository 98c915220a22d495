//! An order in which clusters can run, kept while clusters and dependencies are added: whether one
//! depends on another is then decided by looking only at those between them. After D. J. Pearce and
//! P. H. J. Kelly, "A Dynamic Topological Sort Algorithm for Directed Acyclic Graphs" (ACM JEA 11,
//! 2006).

use weft_ir::{HashSet, order};

/// Clusters that one search looks at. One that would need more is refused, so that no search grows
/// with the program.
const MOST_VISITED: usize = 1024;

/// The clusters' order and what each depends on.
#[derive(Default)]
pub struct Order {
    /// The position of each cluster.
    place: Vec<usize>,
    depends: Vec<Vec<usize>>,
    /// The same as pairs, for a cluster may depend on many.
    known: HashSet<(usize, usize)>,
    readers: Vec<Vec<usize>>,
    /// The search in which each was last seen.
    seen: Vec<usize>,
    searches: usize,
}

impl Order {
    /// Adds a cluster at the end.
    pub fn open(&mut self) {
        self.place.push(self.place.len());
        self.depends.push(Vec::new());
        self.readers.push(Vec::new());
        self.seen.push(0);
    }

    /// What each cluster depends on.
    pub fn into_depends(self) -> Vec<Vec<usize>> {
        self.depends
    }

    /// Whether `cluster` may depend on `on` too: that makes no cycle, and is known without a long
    /// search.
    pub fn allows(&mut self, cluster: usize, on: usize) -> bool {
        if self.place[on] <= self.place[cluster] {
            return true;
        }
        let before = self.search(on, self.place[cluster], false);
        before.len() < MOST_VISITED
            && !before.contains(&cluster)
            && self.search(cluster, self.place[on], true).len() < MOST_VISITED
    }

    /// Makes `cluster` depend on `on`, which [`Order::allows`].
    pub fn depend(&mut self, cluster: usize, on: usize) {
        if cluster == on || !self.known.insert((cluster, on)) {
            return;
        }
        self.depends[cluster].push(on);
        self.readers[on].push(cluster);
        if self.place[on] < self.place[cluster] {
            return;
        }
        // What `on` depends on comes before what depends on `cluster`, in the places that both
        // have.
        let mut before = self.search(on, self.place[cluster], false);
        let mut after = self.search(cluster, self.place[on], true);
        order::sort_by_key(&mut before, |c| self.place[c] as u64);
        order::sort_by_key(&mut after, |c| self.place[c] as u64);
        before.append(&mut after);
        let mut places: Vec<usize> = before.iter().map(|&c| self.place[c]).collect();
        order::sort(&mut places);
        for (c, place) in before.into_iter().zip(places) {
            self.place[c] = place;
        }
    }

    /// `from` and what depends on it (`forward`), or what it depends on, as far as the place
    /// `limit`; no more than [`MOST_VISITED`].
    fn search(&mut self, from: usize, limit: usize, forward: bool) -> Vec<usize> {
        self.searches += 1;
        self.seen[from] = self.searches;
        let mut found = vec![from];
        let mut at = 0;
        while at < found.len() {
            let next = if forward { &self.readers[found[at]] } else { &self.depends[found[at]] };
            for &c in next {
                let inside = if forward { self.place[c] <= limit } else { self.place[c] >= limit };
                if inside && self.seen[c] != self.searches && found.len() < MOST_VISITED {
                    self.seen[c] = self.searches;
                    found.push(c);
                }
            }
            at += 1;
        }
        found
    }
}

#[cfg(test)]
mod tests {
    use super::Order;

    #[test]
    fn dependencies_are_refused_where_they_would_make_a_cycle_and_only_there() {
        let mut state = 1u64;
        let mut random = |below: usize| {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (state >> 33) as usize % below
        };
        let mut order = Order::default();
        let count = 40;
        (0..count).for_each(|_| order.open());
        let mut reaches = vec![vec![false; count]; count];
        for _ in 0..600 {
            let (cluster, on) = (random(count), random(count));
            if cluster == on {
                continue;
            }
            let cyclic = reaches[on][cluster];
            assert_eq!(order.allows(cluster, on), !cyclic, "{cluster} on {on}");
            if !cyclic {
                order.depend(cluster, on);
                for a in 0..count {
                    for b in 0..count {
                        let by_this = (a == cluster || reaches[a][cluster]) && (b == on || reaches[on][b]);
                        reaches[a][b] |= by_this;
                    }
                }
            }
        }
    }
}
