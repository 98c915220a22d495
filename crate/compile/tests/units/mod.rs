//! Single modules of the compiler. A binary for unit tests inside of the crate would compile all of
//! it a second time: these are called from outside, and modules that are private are included, with
//! the tests in them.

mod guard;
mod index;
mod prelude;
mod printed;
mod source;

#[allow(dead_code)]
#[path = "../../src/cluster/meetings.rs"]
mod meetings;
#[allow(dead_code)]
#[path = "../../src/fuse/order.rs"]
mod order;
#[allow(dead_code)]
#[path = "../../src/tune/table.rs"]
mod table;

// What the table's module expects beside it.
use weft_compile::tune::Key;
