//! A round trip as this machine's kernel measures it.

use std::time::Duration;

/// For so long a kernel may wait with an acknowledgement for something to send with it. A client
/// can bring that about, so it is no sign of a longer path.
pub(super) const LATE_ACKNOWLEDGEMENT: Duration = Duration::from_millis(45);

/// A round trip as this machine's kernel measures it, from bytes that it sent to their
/// acknowledgement. The other kernel acknowledges by itself, so a client that answers pings late
/// does not make it longer. Unknown behind a proxy, where it would be the way to the proxy.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KernelTrip {
    /// The smoothed round trip.
    pub mean: Duration,
    /// How far single ones are from it.
    pub deviation: Duration,
}

impl KernelTrip {
    /// The time that a device may take to hand a press from the page to its network.
    const PROCESSING: Duration = Duration::from_millis(3);

    /// The longest round trip of a client that answers as it should. `least` is the smallest mean
    /// of late: a client that brings about late acknowledgements makes means and deviations grow,
    /// but by no more than these are late.
    pub(super) fn most(self, least: Duration) -> Duration {
        let surely = least.max(self.mean.saturating_sub(LATE_ACKNOWLEDGEMENT));
        self.mean + self.deviation.min(surely / 7) * 4 + Self::PROCESSING
    }
}
