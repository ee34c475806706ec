//! Updates as text, put together from parts: what is the same for several viewers is written once.

use rules::kit::Seat;
use rules::{extreme, family, mind, royale, soulmates};
use serde::Serialize;

use crate::code::Code;
use crate::game::{Help, Options};
use crate::quality::PhotoFinish;
use crate::table::Table;

/// A value as it was written last. Written again, it is copied.
#[derive(Clone, Debug)]
pub struct Last<T> {
    value: Option<T>,
    text: Vec<u8>,
}

impl<T> Default for Last<T> {
    fn default() -> Self {
        Self { value: None, text: Vec::new() }
    }
}

impl<T: Serialize + Clone + PartialEq> Last<T> {
    /// Writes a value to the end of a text.
    pub fn write(&mut self, value: &T, out: &mut Vec<u8>) {
        if self.value.as_ref() != Some(value) {
            self.text.clear();
            write(value, &mut self.text);
            self.value = Some(value.clone());
        }
        out.extend_from_slice(&self.text);
    }
}

/// A view that is written from parts, some of which are the same for other viewers. The text is
/// the one that serde writes for the view.
pub trait WriteView: Serialize {
    /// The parts as they were written last.
    type Parts: Default + Send;

    /// Writes the view to the end of a text.
    fn write(&self, parts: &mut Self::Parts, out: &mut Vec<u8>);
}

/// Writes plain data, which cannot fail in memory.
fn write<T: Serialize + ?Sized>(value: &T, out: &mut Vec<u8>) {
    let _infallible = serde_json::to_writer(out, value);
}

impl WriteView for mind::View {
    type Parts = (Last<mind::Public>, Last<family::SeenPile>);

    fn write(&self, (public, pile): &mut Self::Parts, out: &mut Vec<u8>) {
        out.extend_from_slice(b"{\"public\":");
        public.write(&self.public, out);
        out.extend_from_slice(b",\"hands\":");
        write(&self.hands, out);
        out.extend_from_slice(b",\"pile\":");
        pile.write(&self.pile, out);
        out.push(b'}');
    }
}

impl WriteView for extreme::View {
    type Parts = (Last<extreme::Public>, Last<extreme::ByColour<family::SeenPile>>);

    fn write(&self, (public, piles): &mut Self::Parts, out: &mut Vec<u8>) {
        out.extend_from_slice(b"{\"public\":");
        public.write(&self.public, out);
        out.extend_from_slice(b",\"hands\":");
        write(&self.hands, out);
        out.extend_from_slice(b",\"piles\":");
        piles.write(&self.piles, out);
        if let Some(choice) = &self.choice {
            out.extend_from_slice(b",\"choice\":");
            write(choice, out);
        }
        out.push(b'}');
    }
}

impl WriteView for soulmates::View {
    type Parts = (Last<soulmates::Public>, Last<family::SeenPile>);

    fn write(&self, (public, pile): &mut Self::Parts, out: &mut Vec<u8>) {
        out.extend_from_slice(b"{\"public\":");
        public.write(&self.public, out);
        out.extend_from_slice(b",\"vision\":");
        write(&self.vision, out);
        out.extend_from_slice(b",\"hands\":");
        write(&self.hands, out);
        out.extend_from_slice(b",\"pile\":");
        pile.write(&self.pile, out);
        out.push(b'}');
    }
}

/// Its rounds are no race, so its views are written as they are.
impl WriteView for royale::View {
    type Parts = ();

    fn write(&self, (): &mut Self::Parts, out: &mut Vec<u8>) {
        write(self, out);
    }
}

/// A table as text, which is the same for all viewers.
#[derive(Clone, Debug)]
pub struct TableText(Vec<u8>);

impl TableText {
    /// The text that serde writes for the table.
    pub fn of(table: &Table) -> Self {
        // Large enough for five people with long names.
        let mut text = Vec::with_capacity(1_024);
        write(table, &mut text);
        Self(text)
    }
}

/// What an update says beside the game.
#[derive(Clone, Copy, Debug)]
pub struct Around<'a> {
    /// Which table.
    pub code: Code,
    /// The text of the table, if that is new to the viewer.
    pub table: Option<&'a TableText>,
    /// Where the viewer sits; it is told with the table.
    pub you: Option<Seat>,
    /// Grows with everything that this viewer could notice.
    pub seq: u64,
    /// The sender's number of the message that this answers.
    pub ack: Option<u32>,
    /// What the viewer may do.
    pub options: Option<&'a Options>,
    /// What the table works out for the viewer.
    pub help: Option<Help>,
    /// Two plays that were too close to tell apart.
    pub photo_finish: Option<PhotoFinish>,
    /// When to show it, in milliseconds of the server's clock.
    pub show_at: f64,
}

/// The parts of the updates of one game as they were written last.
pub struct Updates<V: WriteView, S> {
    view: V::Parts,
    /// The sights that were written last, and their text.
    sights: (Vec<S>, Vec<u8>),
}

impl<V: WriteView, S> Default for Updates<V, S> {
    fn default() -> Self {
        Self { view: V::Parts::default(), sights: (Vec::new(), Vec::new()) }
    }
}

impl<V: WriteView, S: Serialize + Clone + PartialEq> Updates<V, S> {
    /// An update as text: what serde writes for the same [`Update`](crate::Update).
    pub fn text(&mut self, game: &str, view: &V, sights: &[S], around: &Around) -> Vec<u8> {
        // Large enough that the text is not copied while it grows.
        let mut out =
            Vec::with_capacity(512 + around.table.map_or(0, |TableText(table)| table.len()));
        out.extend_from_slice(b"{\"t\":\"update\",\"code\":\"");
        out.extend_from_slice(around.code.as_str().as_bytes());
        out.push(b'"');
        if let Some(TableText(table)) = around.table {
            out.extend_from_slice(b",\"table\":");
            out.extend_from_slice(table);
        }
        field(&mut out, "you", around.you.filter(|_| around.table.is_some()).as_ref());
        field(&mut out, "seq", Some(&around.seq));
        field(&mut out, "ack", around.ack.as_ref());
        if !sights.is_empty() {
            out.extend_from_slice(b",\"sights\":");
            self.write_sights(game, sights, &mut out);
        }
        out.extend_from_slice(b",\"view\":{\"");
        out.extend_from_slice(game.as_bytes());
        out.extend_from_slice(b"\":");
        view.write(&mut self.view, &mut out);
        out.push(b'}');
        field(&mut out, "options", around.options);
        field(&mut out, "help", around.help.as_ref());
        field(&mut out, "photo_finish", around.photo_finish.as_ref());
        field(&mut out, "show_at", Some(&around.show_at));
        out.push(b'}');
        out
    }

    /// A list of sights, each under the name of its game.
    fn write_sights(&mut self, game: &str, sights: &[S], out: &mut Vec<u8>) {
        let (last, text) = &mut self.sights;
        if *last != sights {
            text.clear();
            for (place, sight) in sights.iter().enumerate() {
                text.extend_from_slice(if place == 0 { b"[{\"" } else { b",{\"" });
                text.extend_from_slice(game.as_bytes());
                text.extend_from_slice(b"\":");
                write(sight, text);
                text.push(b'}');
            }
            text.push(b']');
            *last = sights.to_vec();
        }
        out.extend_from_slice(text);
    }
}

/// One more field of an object, if there is a value for it.
fn field<T: Serialize + ?Sized>(out: &mut Vec<u8>, name: &str, value: Option<&T>) {
    if let Some(value) = value {
        out.extend_from_slice(b",\"");
        out.extend_from_slice(name.as_bytes());
        out.extend_from_slice(b"\":");
        write(value, out);
    }
}
