//! Working memory of walks over the live graph, kept so that a step of a loop allocates none.

use crate::device::overwrite::ReplaceableBuffers;
use weft_ir::order_cache::OrderCache;
use weft_ir::replay::Places;

#[derive(Default)]
pub(crate) struct Walks {
    /// The orders in which flushes find nodes.
    pub orders: OrderCache,
    /// Positions of nodes in a graph that is compared with a recorded one.
    pub places: Places,
    /// Readers that each node loses in a flush.
    pub replaceable: ReplaceableBuffers,
}
