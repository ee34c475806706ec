//! Writes updates as JSON text from cached parts: a part that several viewers share is serialized
//! once.

use rules::kit::Seat;
use serde::Serialize;

use crate::code::Code;
use crate::game::{Help, Options};
use crate::quality::PhotoFinish;
use crate::table::Table;

/// A value with its JSON text: an equal value is copied, not serialized again.
#[derive(Clone, Debug)]
pub struct CachedText<T> {
    value: Option<T>,
    text: Vec<u8>,
}

impl<T> Default for CachedText<T> {
    fn default() -> Self {
        Self { value: None, text: Vec::new() }
    }
}

impl<T: Serialize + Clone + PartialEq> CachedText<T> {
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
pub(crate) fn write<T: Serialize + ?Sized>(value: &T, out: &mut Vec<u8>) {
    let _infallible = serde_json::to_writer(out, value);
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

/// The fields of an update beside the view and the sights.
#[derive(Clone, Copy, Debug)]
pub struct UpdateHead<'a> {
    /// Which table.
    pub code: Code,
    /// The text of the table, if that is new to the viewer.
    pub table: Option<&'a TableText>,
    /// Where the viewer sits; it is told with the table.
    pub you: Option<Seat>,
    /// Counts everything that this viewer could notice.
    pub seq: u64,
    /// The sender's number of the message that this answers.
    pub ack: Option<u32>,
    /// What the viewer may do.
    pub options: Option<&'a Options>,
    /// The aids that the set-up gives the viewer.
    pub help: Option<Help>,
    /// Two plays that were too close to tell apart.
    pub photo_finish: Option<PhotoFinish>,
    /// When to show it, in milliseconds of the server's clock.
    pub show_at: f64,
}

/// Writes the updates of one game and caches their parts.
pub struct UpdateWriter<V: WriteView, S> {
    view: V::Parts,
    /// The sights that were written last, and their text.
    sights: (Vec<S>, Vec<u8>),
}

impl<V: WriteView, S> Default for UpdateWriter<V, S> {
    fn default() -> Self {
        Self { view: V::Parts::default(), sights: (Vec::new(), Vec::new()) }
    }
}

impl<V: WriteView, S: Serialize + Clone + PartialEq> UpdateWriter<V, S> {
    /// Writes an update to the end of a text: what serde writes for the same
    /// [`Update`](crate::Update).
    pub fn write(
        &mut self,
        game: &str,
        view: &V,
        sights: &[S],
        around: &UpdateHead,
        out: &mut Vec<u8>,
    ) {
        out.extend_from_slice(b"{\"t\":\"update\",\"code\":\"");
        out.extend_from_slice(around.code.as_str().as_bytes());
        out.push(b'"');
        if let Some(TableText(table)) = around.table {
            out.extend_from_slice(b",\"table\":");
            out.extend_from_slice(table);
        }
        field(out, "you", around.you.filter(|_| around.table.is_some()).as_ref());
        field(out, "seq", Some(&around.seq));
        field(out, "ack", around.ack.as_ref());
        if !sights.is_empty() {
            out.extend_from_slice(b",\"sights\":");
            self.write_sights(game, sights, out);
        }
        out.extend_from_slice(b",\"view\":{\"");
        out.extend_from_slice(game.as_bytes());
        out.extend_from_slice(b"\":");
        view.write(&mut self.view, out);
        out.push(b'}');
        field(out, "options", around.options);
        field(out, "help", around.help.as_ref());
        field(out, "photo_finish", around.photo_finish.as_ref());
        field(out, "show_at", Some(&around.show_at));
        out.push(b'}');
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
