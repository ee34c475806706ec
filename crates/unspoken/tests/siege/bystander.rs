//! A person at a table, who asks for its state ten times a second during all attacks.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use serde_json::json;

use crate::running::Running;

/// How often the table is asked for.
const EVERY: Duration = Duration::from_millis(100);

/// What the person has noticed of the attacks.
pub struct Bystander {
    longest_micros: Arc<AtomicU64>,
    is_over: Arc<AtomicBool>,
    watching: JoinHandle<()>,
}

impl Bystander {
    /// Two people sit at a table; one of them watches the time.
    pub fn join(server: &Running) -> Self {
        let cookies = [server.name("Ada"), server.name("Ben")];
        let table = server.open(&cookies[0]);
        let mut people = cookies.map(|cookie| server.connect(&cookie));
        let join = json!({"t": "join", "table": table});
        for (person, seat) in people.iter_mut().zip(["A", "B"]) {
            person.say(join.clone());
            person.say(json!({"t": "ask", "table": table, "id": 1, "request": {"sit": seat}}));
        }
        let (longest_micros, is_over) = <(Arc<AtomicU64>, Arc<AtomicBool>)>::default();
        let (longest, over) = (longest_micros.clone(), is_over.clone());
        // It panics when a connection breaks off.
        let watching = thread::spawn(move || {
            while !over.load(Ordering::Relaxed) {
                let asked = Instant::now();
                for person in &mut people {
                    person.say(join.clone());
                    while person.hear()["t"] != "update" {}
                }
                let micros = u64::try_from(asked.elapsed().as_micros()).unwrap_or(u64::MAX);
                longest.fetch_max(micros, Ordering::Relaxed);
                thread::sleep(EVERY);
            }
        });
        Self { longest_micros, is_over, watching }
    }

    /// Begins to measure anew.
    pub fn forget(&self) {
        self.longest_micros.store(0, Ordering::Relaxed);
    }

    /// How long the slowest answer took since then.
    pub fn longest(&self) -> Duration {
        Duration::from_micros(self.longest_micros.load(Ordering::Relaxed))
    }

    /// Ends; returns whether the connections never broke off.
    pub fn leave(self) -> bool {
        self.is_over.store(true, Ordering::Relaxed);
        self.watching.join().is_ok()
    }
}
