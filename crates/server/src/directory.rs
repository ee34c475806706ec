//! Which tables there are: those in memory by their code, the others in the journal.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};

use tokio::sync::oneshot;
use wire::{Code, Listing};

use crate::lesson::Lesson;
use crate::limits::lock;
use crate::line::Line;
use crate::outbox::Outbox;
use crate::tables::{
    Handle, Joining, LoadError, OpenError, Shared, ToTable, load, open, open_lesson,
};
use table::{ConnId, Founding, Input, Person, PersonId, Refused};

/// How often a table that is just going to sleep is woken again before one gives up.
const WAKES_MOST: usize = 4;

/// Held while a table is opened or woken.
type Gate = Arc<tokio::sync::Mutex<()>>;

/// All tables.
pub(crate) struct Directory {
    shared: Arc<Shared>,
    awake: Mutex<HashMap<Code, Handle>>,
    /// One at a time for each code: two wakings of the same table would be two owners of one
    /// match. Other tables do not wait.
    waking: Mutex<HashMap<Code, Gate>>,
}

impl Directory {
    pub(crate) fn new(shared: Arc<Shared>) -> Self {
        Self { shared, awake: Mutex::default(), waking: Mutex::default() }
    }

    /// Opens a new table under a code that no table has.
    pub(crate) async fn open(&self, founding: Founding) -> Result<Code, Refused> {
        self.open_with(|code| open(self.shared.clone(), code, founding.clone())).await
    }

    /// Opens a table where somebody learns a game.
    pub(crate) async fn open_lesson(
        &self,
        lesson: &Lesson,
        person: &Person,
    ) -> Result<Code, Refused> {
        self.open_with(|code| open_lesson(self.shared.clone(), code, lesson, person)).await
    }

    async fn open_with<F>(&self, open: impl Fn(Code) -> F) -> Result<Code, Refused>
    where
        F: Future<Output = Result<Handle, OpenError>>,
    {
        loop {
            let code = fresh_code()?;
            let gate = self.gate(code);
            let _one_at_a_time = gate.lock().await;
            // A code that was used before makes the first line a conflict: nothing is overwritten.
            match open(code).await {
                Ok(handle) => {
                    self.keep(handle);
                    return Ok(code);
                }
                Err(OpenError::Taken) => {}
                Err(OpenError::Refused(refused)) => return Err(refused),
            }
        }
    }

    /// Takes somebody to a table, waking it if need be. `None` if the table has no room, which it
    /// has told them.
    pub(crate) async fn join(
        &self,
        code: Code,
        conn: ConnId,
        person: &Person,
        outbox: &Outbox,
        line: &Arc<Line>,
    ) -> Result<Handle, Refused> {
        for _ in 0..WAKES_MOST {
            let handle = self.find(code).await?;
            let (joined, answer) = oneshot::channel();
            let (person, outbox, line) = (person.clone(), outbox.clone(), line.clone());
            let link = line.state(self.shared.stamp(), &self.shared.tuning);
            let joining = Joining { conn, person, link, outbox, line, joined };
            if handle.inbox.send(ToTable::Join(Box::new(joining))).await.is_ok()
                && let Ok(joined) = answer.await
            {
                return joined.map(|()| handle);
            }
        }
        Err(LoadError::Unknown(code).into())
    }

    async fn find(&self, code: Code) -> Result<Handle, LoadError> {
        if let Some(handle) = self.awake(code) {
            return Ok(handle);
        }
        let gate = self.gate(code);
        let _one_at_a_time = gate.lock().await;
        if let Some(handle) = self.awake(code) {
            return Ok(handle);
        }
        let handle = load(self.shared.clone(), code).await?;
        self.keep(handle.clone());
        Ok(handle)
    }

    fn awake(&self, code: Code) -> Option<Handle> {
        lock(&self.awake).get(&code).filter(|handle| !handle.inbox.is_closed()).cloned()
    }

    fn keep(&self, handle: Handle) {
        let mut awake = lock(&self.awake);
        awake.retain(|_, other| !other.inbox.is_closed());
        awake.insert(handle.code, handle);
    }

    fn gate(&self, code: Code) -> Gate {
        let mut waking = lock(&self.waking);
        // A gate that nobody else holds stands open and is not needed.
        waking.retain(|_, gate| Arc::strong_count(gate) > 1);
        waking.entry(code).or_default().clone()
    }

    /// The public tables where somebody is, those with a free seat first.
    pub(crate) fn listings(&self, most: usize) -> Vec<Listing> {
        let awake = lock(&self.awake);
        let there = awake.values().filter(|handle| !handle.inbox.is_closed());
        let mut listings = there.filter_map(Handle::listing).collect::<Vec<_>>();
        drop(awake);
        listings.sort_by_key(|listing| (listing.playing, listing.taken == listing.chairs));
        listings.truncate(most);
        listings
    }

    /// Tells every table in memory that a person is no longer known.
    pub(crate) async fn forget(&self, person: PersonId) {
        let handles = lock(&self.awake).values().cloned().collect::<Vec<_>>();
        for handle in handles {
            let _asleep_by_now = handle.input(Input::Forgotten(person)).await;
        }
    }

    /// Puts every table to sleep, when it has done what it was told before.
    pub(crate) async fn sleep(&self) {
        let handles = lock(&self.awake).drain().map(|(_, handle)| handle).collect::<Vec<_>>();
        for handle in &handles {
            let _asleep_by_now = handle.input(Input::Closing).await;
        }
        self.shared.tasks.close();
        self.shared.tasks.wait().await;
    }
}

fn fresh_code() -> Result<Code, Refused> {
    // The largest multiple of the number of codes below 2⁶⁴: what lies beyond is drawn again.
    let fair = u64::MAX - u64::MAX % Code::ALL;
    loop {
        let mut bytes = [0; 8];
        let none = |_| Refused::new("no-luck", "the server has no randomness, try again");
        getrandom::fill(&mut bytes).map_err(none)?;
        let number = u64::from_le_bytes(bytes);
        if number < fair {
            return Ok(Code::of(number % Code::ALL));
        }
    }
}
