//! What others find of a table: its line in the public list, and the note beside its journal.

use wire::{Code, Listing};

use crate::effect::Note;
use crate::entry::Entry;
use crate::events::Events;
use crate::refused::Refused;
use crate::stage::Stage;
use crate::state::TableState;

impl<E: Events> TableState<E> {
    /// The table's line in the public list.
    pub fn listing(&self, code: Code) -> Listing {
        Listing {
            code,
            game: self.setup().game(),
            taken: self.seating().taken(),
            chairs: self.seating().chairs.len() as u8,
            playing: self.is_playing(),
        }
    }

    /// The note of the table as it stands.
    pub fn note(&self, code: Code) -> Result<Note, Refused> {
        Note::new(&self.listing(code), self.is_public(), matches!(self.stage(), Stage::Over(..)))
    }

    /// The note of the table once these entries are written. Events leave it as it is, so they
    /// need not be among them.
    pub(crate) fn note_after(
        &self,
        code: Code,
        entries: &[Entry],
    ) -> Result<Option<Note>, Refused> {
        let mut listing = self.listing(code);
        let mut ended = matches!(self.stage(), Stage::Over(..));
        let mut changed = false;
        for entry in entries {
            match entry {
                Entry::Opened { .. } => {}
                Entry::Seated { seating, .. } => listing.taken = seating.taken(),
                Entry::Arranged { setup, seating, .. } => {
                    listing.game = setup.game();
                    listing.taken = seating.taken();
                    listing.chairs = setup.players();
                    ended = false;
                }
                Entry::Started { .. } | Entry::Resumed => {
                    (listing.playing, ended) = (true, false);
                }
                Entry::Event(_) | Entry::Admission { .. } | Entry::Takeover { .. } => continue,
                Entry::Ended { .. } => (listing.playing, ended) = (false, true),
            }
            changed = true;
        }
        changed.then(|| Note::new(&listing, self.is_public(), ended)).transpose()
    }
}
