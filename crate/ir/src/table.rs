//! The hash tables of everything that runs at each step. The standard library's hash resists chosen
//! collisions, which costs a tenth of a step; who chooses what is in these tables is who waits for
//! them. FxHash is the Rust compiler's own.

use rustc_hash::FxBuildHasher;

/// A hash map. Made by `HashMap::default()`.
pub type HashMap<K, V> = std::collections::HashMap<K, V, FxBuildHasher>;

/// A hash set. Made by `HashSet::default()`.
pub type HashSet<K> = std::collections::HashSet<K, FxBuildHasher>;
