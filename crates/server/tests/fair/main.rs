//! Fair time over real sockets and a network that takes its time.

#[path = "../common/mod.rs"]
mod common;

mod order;
mod pair;
mod referee;
