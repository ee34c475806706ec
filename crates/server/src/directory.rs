//! All tables by code: those in memory, and those that sleep in the journal.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use cluster::NodeId;
use journal::{Fault, Key};
use tokio::sync::oneshot;
use tokio::time::timeout;
use wire::{Code, Listing, Refusal, SeatedTable, Setup};

use crate::address::Subnet;
use crate::codes::fresh_code;
use crate::lesson::Lesson;
use crate::limits::lock;
use crate::outbox::Outbox;
use crate::shared_link::SharedLink;
use crate::tables::{
    Attendance, Describing, Handle, Joining, LoadError, OpenError, Shared, ToTable, load, open,
    open_for_strangers, open_lesson,
};
use table::{
    AnyMatch, BadLine, ConnId, Day, Founding, Input, Person, PersonId, Refused, TableState,
};

/// How often a table that falls asleep during a join is woken again before the join fails.
const WAKES_MOST: usize = 4;

/// How long a table may take to describe itself.
const DESCRIBED_WITHIN: Duration = Duration::from_secs(2);

/// Why a connection cannot join a table here.
#[derive(Debug)]
pub(crate) enum JoinError {
    /// It is told why.
    Refused(Refused),
    /// The table is at another node.
    Elsewhere(NodeId),
    /// Whether this node may have the table is not known yet.
    Contested,
}

impl From<Refused> for JoinError {
    fn from(refused: Refused) -> Self {
        Self::Refused(refused)
    }
}

impl From<LoadError> for JoinError {
    fn from(error: LoadError) -> Self {
        match error {
            LoadError::Elsewhere(node) => Self::Elsewhere(node),
            LoadError::Contested => Self::Contested,
            error => Self::Refused(error.into()),
        }
    }
}

/// Held while a table is opened or woken.
type Gate = Arc<tokio::sync::Mutex<()>>;

/// All tables.
pub(crate) struct Directory {
    shared: Arc<Shared>,
    awake: Mutex<HashMap<Code, Handle>>,
    /// One lock a code, held while its table is loaded: two tasks must not own the same table.
    /// Other tables do not wait.
    waking: Mutex<HashMap<Code, Gate>>,
}

impl Directory {
    pub(crate) fn new(shared: Arc<Shared>) -> Self {
        Self { shared, awake: Mutex::default(), waking: Mutex::default() }
    }

    /// Opens a new table under a code that no table has.
    pub(crate) async fn open(&self, founding: Founding, from: Subnet) -> Result<Code, Refused> {
        self.open_with(|code| open(self.shared.clone(), code, founding.clone(), from)).await
    }

    /// Opens a lesson for a person.
    pub(crate) async fn open_lesson(
        &self,
        lesson: &Lesson,
        person: &Person,
        from: Subnet,
    ) -> Result<Code, Refused> {
        self.open_with(|code| open_lesson(self.shared.clone(), code, lesson, person, from)).await
    }

    /// Opens a table for people who found each other by a search. Bots have the other seats.
    pub(crate) async fn open_for_strangers(
        &self,
        setup: Setup,
        people: &[Person],
        from: Subnet,
    ) -> Result<Code, Refused> {
        self.open_with(|code| open_for_strangers(self.shared.clone(), code, setup, people, from))
            .await
    }

    async fn open_with<F>(&self, open: impl Fn(Code) -> F) -> Result<Code, Refused>
    where
        F: Future<Output = Result<Handle, OpenError>>,
    {
        loop {
            let code = fresh_code(getrandom::fill)?;
            let gate = self.gate(code);
            let _one_at_a_time = gate.lock().await;
            if self.shared.codes.table_of(code).await.map_err(|fault| unread(&fault))?.is_some() {
                continue;
            }
            // Under a used code the first append is a conflict, so no table is overwritten.
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

    /// Joins a connection to a table, and wakes the table if it sleeps. Fails if there is no such
    /// table or it has no room.
    pub(crate) async fn join(
        &self,
        code: Code,
        conn: ConnId,
        person: &Person,
        from: Subnet,
        outbox: &Outbox,
        link: &Arc<SharedLink>,
    ) -> Result<Handle, JoinError> {
        for _ in 0..WAKES_MOST {
            let handle = self.find(code).await?;
            let by = code;
            let (joined, answer) = oneshot::channel();
            let (person, outbox, link) = (person.clone(), outbox.clone(), link.clone());
            let link_state = link.state(self.shared.stamp(), &self.shared.tuning);
            let origin = self.shared.origin_of(from);
            let joining =
                Joining { conn, person, by, from, origin, link_state, outbox, link, joined };
            if handle.send(ToTable::Join(joining)).await
                && let Ok(joined) = answer.await
            {
                return Ok(joined.map(|()| handle)?);
            }
        }
        Err(LoadError::Unknown(code).into())
    }

    /// The table that a code was drawn for: the one with this id, or the one that got the code
    /// later. It decides itself whether the code still leads there.
    async fn find(&self, code: Code) -> Result<Handle, LoadError> {
        match self.find_by_id(code).await {
            Err(LoadError::Unknown(_)) => {
                let id = self.shared.codes.table_of(code).await?;
                let found = self.find_by_id(id.ok_or(LoadError::Unknown(code))?).await;
                found.map_err(|error| match error {
                    error @ (LoadError::Elsewhere(_) | LoadError::Contested) => error,
                    _ => LoadError::Unknown(code),
                })
            }
            found => found,
        }
    }

    async fn find_by_id(&self, code: Code) -> Result<Handle, LoadError> {
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
        // A gate without another holder is not in use.
        waking.retain(|_, gate| Arc::strong_count(gate) > 1);
        waking.entry(code).or_default().clone()
    }

    /// The public tables with people at them, those with a free seat first.
    pub(crate) fn listings(&self, most: usize) -> Vec<Listing> {
        let awake = lock(&self.awake);
        let there = awake.values().filter(|handle| !handle.inbox.is_closed());
        let mut listings = there.filter_map(Handle::listing).collect::<Vec<_>>();
        drop(awake);
        listings.sort_by_key(|listing| (listing.playing, listing.taken == listing.chairs));
        listings.truncate(most);
        listings
    }

    /// The tables with a game on where a player has a seat, the one that changed last first.
    /// Wakes none of them.
    pub(crate) async fn seated_tables(
        &self,
        person: PersonId,
        most: usize,
    ) -> Result<Vec<SeatedTable>, Refused> {
        let mut tables = Vec::new();
        for code in self.shared.seats.tables_of(person, most) {
            match self.seated_table(code, person).await? {
                Some(table) => tables.push(table),
                None => self.shared.seats.remove(code, person),
            }
        }
        Ok(tables)
    }

    /// Whether a person looks at a table at this moment. Wakes no table.
    pub(crate) async fn is_here(&self, code: Code, person: PersonId) -> bool {
        let Some(handle) = self.awake(code) else { return false };
        let asking = handle.ask(|answer| ToTable::Find { person, answer });
        matches!(timeout(DESCRIBED_WITHIN, asking).await, Ok(Some(true)))
    }

    /// Whether a bot has a seat at a table for strangers that a person may take. Wakes no table.
    pub(crate) async fn has_seat_for_strangers(&self, code: Code) -> bool {
        let Some(handle) = self.awake(code) else { return false };
        let asking = handle.ask(ToTable::HasSeatForStrangers);
        matches!(timeout(DESCRIBED_WITHIN, asking).await, Ok(Some(true)))
    }

    async fn seated_table(
        &self,
        code: Code,
        person: PersonId,
    ) -> Result<Option<SeatedTable>, Refused> {
        if let Some(handle) = self.awake(code) {
            let asking = handle.ask(|answer| ToTable::Describe(Describing { person, answer }));
            // A table that is falling asleep is read from the journal.
            if let Ok(Some(table)) = timeout(DESCRIBED_WITHIN, asking).await {
                return Ok(table);
            }
        }
        let Ok(key) = code.as_str().parse::<Key>() else { return Ok(None) };
        let _turn = self.shared.reads.turn().await?;
        let lines = match self.shared.redacted.lines(&key).await {
            Ok(lines) => lines,
            Err(Fault::Damaged(_)) => return Ok(None),
            Err(fault) => return Err(unread(&fault)),
        };
        let read = tokio::task::spawn_blocking(move || {
            let state = TableState::<Box<dyn AnyMatch>>::read(&lines)?;
            Ok::<_, BadLine>(state.and_then(|it| it.seated_table(code, person, |_| false)))
        });
        match read.await {
            Ok(Ok(table)) => {
                self.shared.damaged.remove(code);
                Ok(table)
            }
            Ok(Err(bad)) => {
                self.shared.damaged.add(code, bad);
                Ok(None)
            }
            Err(_stopped) => Err(unread(&Fault::Closed)),
        }
    }

    /// Who looks at a table; `None` if it sleeps. Wakes no table.
    pub(crate) async fn attendance(&self, code: Code) -> Option<Attendance> {
        let handle = self.awake(code)?;
        match timeout(DESCRIBED_WITHIN, handle.ask(ToTable::Count)).await {
            Ok(attendance) => attendance,
            // It is busy, so it is awake.
            Err(_late) => Some(Attendance::default()),
        }
    }

    /// Sends everyone away from a table and puts it to sleep. Returns how many people were there;
    /// `None` if it slept.
    pub(crate) async fn close(&self, code: Code) -> Option<u64> {
        let gate = self.gate(code);
        // The table cannot be woken again before it sleeps.
        let _one_at_a_time = gate.lock().await;
        let handle = self.awake(code)?;
        let Attendance { people, .. } = self.attendance(code).await?;
        if !handle.input(Input::Dismissed).await {
            return None;
        }
        handle.inbox.closed().await;
        Some(people)
    }

    /// Whether a table is in memory.
    pub(crate) fn is_awake(&self, code: Code) -> bool {
        self.awake(code).is_some()
    }

    /// Keeps a sleeping table from being woken until the answer is dropped; `None` if it is awake.
    pub(crate) async fn keep_asleep(&self, code: Code) -> Option<tokio::sync::OwnedMutexGuard<()>> {
        let guard = self.gate(code).lock_owned().await;
        self.awake(code).is_none().then_some(guard)
    }

    /// Tells every table in memory that a person was deleted: afterwards none writes their name any
    /// more.
    pub(crate) async fn forget(&self, person: PersonId) {
        self.tell_all(|| Input::Forgotten(person)).await;
    }

    /// Tells every table in memory that the deals of a day are over: afterwards none plays them any
    /// more.
    pub(crate) async fn end_day(&self, day: Day) {
        self.tell_all(|| Input::DayOver(day)).await;
    }

    /// Hands an input to every table in memory, and waits until each has taken it in.
    async fn tell_all(&self, input: impl Fn() -> Input) {
        // A table that was read before may still be waking.
        let waking = lock(&self.waking).values().cloned().collect::<Vec<_>>();
        for gate in waking {
            drop(gate.lock().await);
        }
        let handles = lock(&self.awake).values().cloned().collect::<Vec<_>>();
        for handle in &handles {
            let _asleep_by_now = handle.input(input()).await;
        }
        for handle in handles {
            // The inbox is in order, and nothing is read from it while the journal writes.
            let _asleep_by_now = handle.ask(ToTable::Count).await;
        }
    }

    /// Drops every table as it is: another node may have it by now. What it was writing is stored
    /// or refused; each is read again when people come.
    pub(crate) fn abandon(&self) {
        for (_, handle) in lock(&self.awake).drain() {
            tokio::spawn(async move { handle.send(ToTable::Abandon).await });
        }
    }

    /// Puts every table to sleep after it has handled its inbox.
    pub(crate) async fn sleep(&self) {
        let handles = lock(&self.awake).drain().map(|(_, handle)| handle).collect::<Vec<_>>();
        for handle in &handles {
            let _asleep_by_now = handle.input(Input::Closing).await;
        }
        self.shared.tasks.close();
        self.shared.tasks.wait().await;
    }
}

fn unread(fault: &Fault) -> Refused {
    Refused::new(Refusal::NotKept, fault.to_string())
}
