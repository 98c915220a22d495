//! Replays a recorded subgraph: each step of a loop has an optimizer, or a ledger, write the same
//! graph as the step before. See [`weft_ir::replay`].

use crate::device::tensor::Tensor;
use std::cell::RefCell;
use weft_ir::Result;
use weft_ir::replay::RecordedGraph;

/// Larger graphs are not remembered.
const MOST_NODES: usize = 256;

/// What was made last.
#[derive(Default)]
pub(crate) struct Replay(RefCell<Option<RecordedGraph>>);

impl Replay {
    /// What `make` makes of `given`, one at least, and of nothing else but what is always the same.
    /// It is asked only where these are not like those of the last time. Errors as it does, and in
    /// the name of `name` for tensors that are gone.
    pub fn make(
        &self,
        name: &str,
        given: &[&Tensor],
        make: &dyn Fn() -> Result<Vec<Tensor>>,
    ) -> Result<Vec<Tensor>> {
        let device = given[0].device();
        let node = |x: &Tensor| device.node(name, x);
        let given = given.iter().map(|x| node(x)).collect::<Result<Vec<_>>>()?;
        // `make` may be a caller's code: nothing is borrowed while it runs.
        let known = self.0.take();
        let fits = |recorded: &RecordedGraph| {
            recorded.fits(&device.graph(), &given, &mut device.inner.walks.borrow_mut().places)
        };
        if let Some(recorded) = known.filter(fits) {
            device.make_room()?;
            let made = recorded.make(&mut device.graph(), &given);
            self.0.replace(Some(recorded));
            return Ok(made.into_iter().map(|id| device.adopt(id)).collect());
        }
        let made = make()?;
        let results = made.iter().map(node).collect::<Result<Vec<_>>>()?;
        let places = &mut device.inner.walks.borrow_mut().places;
        self.0.replace(RecordedGraph::of(&device.graph(), &given, &results, MOST_NODES, places));
        Ok(made)
    }
}
