//! Fair time over real sockets and a network that takes its time.

mod order;
mod pair;
mod referee;
