//! The server over real sockets: one program for all of its tests, because each program takes half a
//! minute to build.

mod common;

mod devices;
mod fair;
mod faults;
mod hostile;
mod journals;
mod leaks;
mod limits;
mod lobby;
mod meeting;
mod metrics;
mod openapi;
mod operating;
mod reads;
mod record;
mod replays;
mod secrets;
