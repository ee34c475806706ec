//! Which sockets have something to read, with timeouts finer than a millisecond.

use std::num::NonZeroU64;
use std::os::fd::{AsFd, OwnedFd};
use std::time::Duration;

use anyhow::Result;
use rustix::buffer::spare_capacity;
use rustix::event::Timespec;
use rustix::event::epoll::{self, CreateFlags, Event, EventData, EventFlags};
use rustix::io::Errno;

/// How many sockets are told of at a time.
const EVENTS_MOST: usize = 256;

/// A set of sockets (`epoll`). Each is told of once whenever something new happens to it.
pub struct Poll {
    epoll: OwnedFd,
    events: Vec<Event>,
}

/// A socket to which something happened.
#[derive(Clone, Copy)]
pub struct Ready {
    /// What it was added as.
    pub index: usize,
    /// Whether the other end is gone.
    pub hung_up: bool,
}

impl Poll {
    pub fn new() -> Result<Self> {
        // The kernel may wake a thread 50 µs late if it is not told otherwise.
        rustix::thread::set_current_timer_slack(NonZeroU64::new(1))?;
        let epoll = epoll::create(CreateFlags::CLOEXEC)?;
        Ok(Self { epoll, events: Vec::with_capacity(EVENTS_MOST) })
    }

    /// Adds a socket.
    pub fn add(&self, socket: impl AsFd, index: usize) -> Result<()> {
        let flags = EventFlags::IN | EventFlags::OUT | EventFlags::RDHUP | EventFlags::ET;
        epoll::add(&self.epoll, socket, EventData::new_u64(index as u64), flags)?;
        Ok(())
    }

    /// Waits until something happens, at most `most`.
    pub fn wait(&mut self, most: Duration) -> Result<()> {
        self.events.clear();
        let timeout = Timespec {
            tv_sec: i64::try_from(most.as_secs())?,
            tv_nsec: i64::from(most.subsec_nanos()),
        };
        match epoll::wait(&self.epoll, spare_capacity(&mut self.events), Some(&timeout)) {
            Ok(_) | Err(Errno::INTR) => Ok(()),
            Err(error) => Err(error.into()),
        }
    }

    /// What happened during the last wait.
    pub fn ready(&self) -> impl Iterator<Item = Ready> {
        let gone = EventFlags::RDHUP | EventFlags::HUP | EventFlags::ERR;
        self.events.iter().map(move |event| {
            let (flags, data) = (event.flags, event.data);
            Ready { index: data.u64() as usize, hung_up: flags.intersects(gone) }
        })
    }
}
