//! Reads the server's messages in Rust.

use std::collections::HashMap;

use rules::extreme::Holding;
use rules::family::Cards;
use rules::kit::{BySeat, Seat, Viewer};
use serde::de::Error as _;
use serde::{Deserialize, Serialize};
use serde_json::{Error, Value};

use crate::code::Code;
use crate::replay::{Replay, SameDealGame};
use crate::server::ServerMessage;
use crate::table::Table;

/// Reads the messages of one connection and completes its updates.
///
/// An update leaves out the table while it is as it was, and views leave out what the table says.
/// The reader puts both back, so it has to be given every message of a connection in order.
///
/// ```
/// use wire::{Reader, ServerMessage};
///
/// let mut reader = Reader::default();
/// let first = r#"{"t":"update","code":"k3f9ab","you":"A","seq":0,"show_at":0.0,"table":{
///     "code":"k3f9ab","public":false,"host":null,"chairs":[],"spectator_count":0,"spectators":[],
///     "admission":{"locked":false,"hides_code":false,"players_only":false,"removed":[]},
///     "stage":"gathering","games":0,"talk":true,"deal":null,"setup":{"mind":{"players":2,"levels":12,"lives":2,
///     "stars":1,"blind_cost":"per-mistake","manners":{"photo_finish":false,
///     "tempo_report":"after-game","seeding":"fresh","export":false}}}}}"#;
/// reader.read(first)?;
/// let next = reader.read(r#"{"t":"update","code":"k3f9ab","seq":1,"show_at":1.5}"#)?;
/// assert!(matches!(next, ServerMessage::Update(next) if next.seq == 1 && next.table.is_some()));
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Reader {
    tables: HashMap<Code, LastTable>,
}

/// A table as the last update brought it.
#[derive(Clone, Debug)]
struct LastTable {
    table: Table,
    /// The table's set-up as JSON: views are completed with it.
    setup: Value,
    you: Option<Seat>,
}

impl Reader {
    /// Reads one message. An update has its table and seat, and its view is whole but for `since`,
    /// which is never sent.
    ///
    /// Fails if the text is not a message, or is an update without a table for a table that no
    /// earlier update brought.
    pub fn read(&mut self, text: &str) -> Result<ServerMessage, Error> {
        let mut message = serde_json::from_str::<Value>(text)?;
        if message["t"] != "update" {
            return serde_json::from_value(message);
        }
        let code = Code::deserialize(&message["code"])?;
        if let Some(table) = message.get("table") {
            let setup = table["setup"].clone();
            let you = Option::deserialize(&message["you"])?;
            self.tables.insert(code, LastTable { table: Table::deserialize(table)?, setup, you });
        }
        let last = self.tables.get(&code);
        let last = last.ok_or_else(|| Error::custom("nothing was said of this table before"))?;
        complete(message.get_mut("view"), &last.setup, last.you);
        let mut message = serde_json::from_value(message)?;
        if let ServerMessage::Update(update) = &mut message {
            update.table.get_or_insert_with(|| last.table.clone());
            update.you = last.you;
        }
        Ok(message)
    }
}

impl Replay {
    /// Reads a game that is over, each view of it whole but for `since`, which is never sent.
    pub fn read(text: &str) -> Result<Self, Error> {
        let mut replay = serde_json::from_str::<Value>(text)?;
        let setup = replay["table"]["setup"].clone();
        let frames = replay.get_mut("frames").and_then(Value::as_array_mut);
        for frame in frames.into_iter().flatten() {
            let seats = frame.get_mut("seats").and_then(Value::as_array_mut);
            for (index, shown) in seats.into_iter().flatten().enumerate() {
                complete(shown.get_mut("view"), &setup, Seat::new(index));
            }
            complete(frame.pointer_mut("/spectator/view"), &setup, None);
            complete(frame.pointer_mut("/open/view"), &setup, None);
        }
        serde_json::from_value(replay)
    }
}

impl SameDealGame {
    /// Reads a game with the same deal, its last view whole but for `since`.
    pub fn read(text: &str) -> Result<Self, Error> {
        let mut rerun = serde_json::from_str::<Value>(text)?;
        let setup = rerun["table"]["setup"].clone();
        complete(rerun.get_mut("end"), &setup, None);
        serde_json::from_value(rerun)
    }
}

/// Puts back what a view leaves out: the set-up, whose view it is, and that nothing is set aside.
/// Any other value stays as it is: the parser that reads it next refuses it.
fn complete(view: Option<&mut Value>, setup: &Value, you: Option<Seat>) {
    let view = view.and_then(Value::as_object_mut).and_then(|view| view.iter_mut().next());
    let Some((game, Value::Object(view))) = view else { return };
    let setup = &setup[game.as_str()];
    let me = you.map_or(Viewer::Spectator, Viewer::Seat);
    view.insert("me".into(), json(&me));
    let Some(Value::Object(public)) = view.get_mut("public") else { return };
    let players = setup["players"].as_u64().unwrap_or_default() as u8;
    let aside = match game.as_str() {
        "mind" => Some(json(&BySeat::new(players, |_| Cards::NONE))),
        "extreme" => Some(json(&BySeat::new(players, |_| Holding::NONE))),
        _ => None,
    };
    if let Some(aside) = aside {
        public.entry("aside").or_insert(aside);
    }
    public.insert("setup".into(), setup.clone());
}

fn json(value: &impl Serialize) -> Value {
    serde_json::to_value(value).unwrap_or_default()
}
