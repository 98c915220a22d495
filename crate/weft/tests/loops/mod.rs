//! Loops and branches.

mod branch_not_taken;
mod checkpointed_loops;
mod control;
mod control_gradients;
mod draws;
mod limited;
mod unlimited;
