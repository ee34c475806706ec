//! Fair time: the order in which people pressed, whatever their packets did on the way.
//!
//! Nothing in here reads a clock or a socket: time is handed in as a [`Stamp`]. The table
//! runs it on live connections, and `unspoken fairness` on simulated ones.
//!
//! ```
//! use std::time::Duration;
//! use table::fair::{Claim, Link, Order, Peer, Stamp, Tuning};
//!
//! let (tuning, ms) = (Tuning::default(), Duration::from_millis);
//! // Two connections, measured by pings: one of 20 ms, one of 200 ms.
//! let link = |rtt: u64| {
//!     let mut link = Link::default();
//!     for second in 0..20 {
//!         let sent = Stamp::from_millis(1_000 * second);
//!         let ping = link.pinged(sent);
//!         link.ponged(ping, sent.after(ms(rtt)));
//!     }
//!     link.lag()
//! };
//! let (near, far) = (link(20), link(200));
//! let peers = ['n', 'f'].map(|who| Peer::new(who, if who == 'n' { near } else { far }));
//!
//! // The far player presses 80 ms before the near one, and is heard 10 ms after them.
//! let pressed = Stamp::from_millis(60_000);
//! let mut order = Order::default();
//! let heard_near = pressed.after(ms(80 + 10));
//! order.take('n', Claim::judge(heard_near, pressed.after(ms(80)), near, &tuning), "35");
//! assert!(order.release(heard_near, &peers, &tuning, None).is_none());
//! let heard_far = pressed.after(ms(100));
//! order.take('f', Claim::judge(heard_far, pressed, far, &tuning), "34");
//! let later = heard_far.after(ms(200));
//! let mut left = std::iter::from_fn(|| order.release(later, &peers, &tuning, None));
//! assert_eq!(left.next().map(|released| released.play.item), Some("34"));
//! assert_eq!(left.next().map(|released| released.play.item), Some("35"));
//! ```

mod claim;
mod kernel_trip;
mod lag;
mod link;
mod micros;
mod order;
mod photo;
mod show;
mod stamp;
mod tuning;

pub use claim::{Claim, Fit};
pub use kernel_trip::KernelTrip;
pub use lag::Lag;
pub use link::{Health, Link, Ping};
pub use micros::Micros;
pub use order::{Order, Peer, PhotoCost, Released, Waiting};
pub use photo::Finish;
pub use show::lead;
pub use stamp::Stamp;
pub use tuning::Tuning;
