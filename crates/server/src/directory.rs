//! Which tables there are: those in memory by their code, the others in the journal.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};

use tokio::sync::oneshot;
use wire::{Code, Listing, Setup};

use crate::limits::lock;
use crate::outbox::Outbox;
use crate::person::{Person, PersonId};
use crate::room::Refused;
use crate::table::{ConnId, Handle, LoadError, Shared, ToTable, load, open};

/// How often a table that is just going to sleep is woken again before one gives up.
const WAKES_MOST: usize = 4;

/// How many tables can be opened or woken at the same time.
const DOORS: usize = 64;

/// All tables.
pub(crate) struct Directory {
    shared: Arc<Shared>,
    awake: Mutex<HashMap<Code, Handle>>,
    /// One at a time for each table: two wakings of the same one would be two owners of one match.
    /// A table goes by its own door, so that it seldom waits for the disk on behalf of another.
    doors: [tokio::sync::Mutex<()>; DOORS],
}

impl Directory {
    pub(crate) fn new(shared: Arc<Shared>) -> Self {
        let doors = std::array::from_fn(|_| tokio::sync::Mutex::default());
        Self { shared, awake: Mutex::default(), doors }
    }

    /// Opens a new table under a code that no table has.
    pub(crate) async fn open(&self, setup: Setup, public: bool) -> Result<Code, Refused> {
        let code = fresh_code()?;
        let _one_at_a_time = self.door(code).lock().await;
        // A code that was used before makes the first line a conflict: nothing is overwritten.
        let handle = open(self.shared.clone(), code, setup, public).await?;
        self.keep(handle);
        Ok(code)
    }

    /// Takes somebody to a table, waking it if need be.
    pub(crate) async fn join(
        &self,
        code: Code,
        conn: ConnId,
        person: &Person,
        outbox: &Outbox,
    ) -> Result<Handle, LoadError> {
        for _ in 0..WAKES_MOST {
            let handle = self.find(code).await?;
            let (joined, answer) = oneshot::channel();
            let (person, outbox) = (person.clone(), outbox.clone());
            let message = ToTable::Join { conn, person, outbox, joined };
            if handle.inbox.send(message).await.is_ok() && answer.await.is_ok() {
                return Ok(handle);
            }
        }
        Err(LoadError::Unknown(code))
    }

    async fn find(&self, code: Code) -> Result<Handle, LoadError> {
        if let Some(handle) = self.awake(code) {
            return Ok(handle);
        }
        let _one_at_a_time = self.door(code).lock().await;
        if let Some(handle) = self.awake(code) {
            return Ok(handle);
        }
        let handle = load(self.shared.clone(), code).await?;
        self.keep(handle.clone());
        Ok(handle)
    }

    fn door(&self, code: Code) -> &tokio::sync::Mutex<()> {
        let number = code.as_str().bytes().fold(0, |sum, byte| sum * 31 + usize::from(byte));
        &self.doors[number % DOORS]
    }

    fn awake(&self, code: Code) -> Option<Handle> {
        lock(&self.awake).get(&code).filter(|handle| !handle.inbox.is_closed()).cloned()
    }

    fn keep(&self, handle: Handle) {
        let mut awake = lock(&self.awake);
        awake.retain(|_, other| !other.inbox.is_closed());
        awake.insert(handle.code, handle);
        self.shared.metrics.tables.set(awake.len().try_into().unwrap_or(i64::MAX));
    }

    /// The public tables where somebody is, those with a free seat first.
    pub(crate) fn listings(&self, most: usize) -> Vec<Listing> {
        let awake = lock(&self.awake);
        let mut listings = awake.values().filter_map(Handle::listing).collect::<Vec<_>>();
        drop(awake);
        listings.sort_by_key(|listing| (listing.playing, listing.taken == listing.chairs));
        listings.truncate(most);
        listings
    }

    /// Tells every table in memory that a person is no longer known.
    pub(crate) async fn forget(&self, person: PersonId) {
        let handles = lock(&self.awake).values().cloned().collect::<Vec<_>>();
        for handle in handles {
            let _asleep_by_now = handle.inbox.send(ToTable::Forget { person }).await;
        }
    }
}

fn fresh_code() -> Result<Code, Refused> {
    // The largest multiple of the number of codes below 2⁶⁴: what lies beyond is drawn again.
    let fair = u64::MAX - u64::MAX % Code::ALL;
    loop {
        let mut bytes = [0; 8];
        getrandom::fill(&mut bytes).map_err(|_| Refused {
            code: "no-luck",
            text: "the server has no randomness, try again".to_owned(),
        })?;
        let number = u64::from_le_bytes(bytes);
        if number < fair {
            return Ok(Code::of(number % Code::ALL));
        }
    }
}
