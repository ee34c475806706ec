//! Messages from the browser to the server.

use std::fmt;

use serde::de::{
    DeserializeSeed, Deserializer, EnumAccess, Error as _, MapAccess, VariantAccess, Visitor,
};
use serde::{Deserialize, Serialize};

use crate::audience::AudienceRequest;
use crate::code::Code;
use crate::game::{Command, Setup};
use crate::reaction::Reaction;
use crate::replay::GameId;
use crate::table::BotKind;
use rules::kit::Seat;

/// Defines the enum, and `Direct` with the same variants, which is read without its tag. Serde
/// reads a tagged enum by keeping the whole object first, as the tag may come last.
macro_rules! tagged {
    ($(#[$attribute:meta])* pub enum ClientMessage { $($variants:tt)* }) => {
        $(#[$attribute])*
        pub enum ClientMessage { $($variants)* }

        #[derive(Deserialize)]
        #[serde(remote = "ClientMessage", rename_all = "kebab-case", deny_unknown_fields)]
        enum Direct { $($variants)* }
    };
}

tagged! {
    /// A message from a browser. No message names the sender's seat: it comes from the session.
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    #[cfg_attr(feature = "ts", derive(ts_rs::TS))]
    #[serde(tag = "t", rename_all = "kebab-case", deny_unknown_fields)]
    pub enum ClientMessage {
        /// The first message of a connection.
        Hello {
            /// The protocol that the client speaks.
            protocol: u32,
            /// The page's own number, drawn at random when it is loaded: the `id`s of its messages
            /// count for it alone.
            client: u32,
        },
        /// Show me this table from now on; answered by one update that brings everything.
        Join {
            /// Which table.
            table: Code,
        },
        /// Show it no longer. A seat taken there is kept.
        Leave {
            /// Which table.
            table: Code,
        },
        /// A move in the game.
        Do {
            /// At which table.
            table: Code,
            /// The sender's own number for it: a repeat is answered, not repeated.
            id: u32,
            /// The `seq` of the update that the player was looking at.
            seq: u64,
            /// When the player pressed, in milliseconds of the server's clock.
            pressed: f64,
            /// What they do.
            command: Command,
        },
        /// What does your clock show? Answered at once by a `probed`.
        Probe {
            /// When it was sent, on the sender's own clock; it comes back as it is.
            sent: f64,
        },
        /// The page was hidden, or is seen again.
        Away {
            /// Whether the page is hidden.
            away: bool,
            /// Since when, in milliseconds of the server's clock.
            since: f64,
        },
        /// Something about the seats, the start or the end.
        Ask {
            /// At which table.
            table: Code,
            /// The sender's own number for it.
            id: u32,
            /// What.
            request: Request,
        },
        /// A chat message.
        Say {
            /// At which table.
            table: Code,
            /// The sender's own number for it.
            id: u32,
            /// What is said.
            text: String,
        },
        /// A sign to the others at the table.
        React {
            /// At which table.
            table: Code,
            /// The sender's own number for it.
            id: u32,
            /// Which sign.
            sign: Reaction,
        },
        /// Join the audience of a replay; answered by an `audience`.
        Attend {
            /// Which game.
            game: GameId,
            /// The sender's own number for it.
            id: u32,
            /// The key of a link to the replay, needed by people who neither played nor watched.
            key: Option<String>,
        },
        /// Leave the audience.
        Depart {
            /// Which game.
            game: GameId,
        },
        /// A request to the audience of a replay.
        AudienceRequest {
            /// Which game.
            game: GameId,
            /// The sender's own number for it.
            id: u32,
            /// What.
            request: AudienceRequest,
        },
    }
}

impl ClientMessage {
    /// Reads one message. Fails unless the text is a JSON object: serde alone would also accept an
    /// array of the fields in order.
    ///
    /// It costs less if `t` comes first, as it does in what this crate and the page write.
    pub fn read(text: &str) -> Result<Self, serde_json::Error> {
        if !text.starts_with('{') {
            return Err(serde_json::Error::custom("a message is an object and begins with {"));
        }
        // On failure serde's own reader reads again: its error names the fault best.
        Self::read_tag_first(text).or_else(|_| serde_json::from_str(text))
    }

    /// Reads a message whose first key is `t`, without keeping any part of it on the way.
    fn read_tag_first(text: &str) -> Result<Self, serde_json::Error> {
        let mut json = serde_json::Deserializer::from_str(text);
        let message = json.deserialize_map(TagFirst)?;
        json.end().map(|()| message)
    }
}

/// Reads an object that begins with its tag.
struct TagFirst;

impl<'de> Visitor<'de> for TagFirst {
    type Value = ClientMessage;

    fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str("a message")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<ClientMessage, A::Error> {
        match map.next_key()? {
            Some("t") => Direct::deserialize(Tagged(map)),
            _ => Err(A::Error::custom("the first key is not t")),
        }
    }
}

/// An object as a variant: the next value names it, and the rest are its fields.
struct Tagged<A>(A);

impl<'de, A: MapAccess<'de>> Deserializer<'de> for Tagged<A> {
    type Error = A::Error;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, A::Error> {
        visitor.visit_enum(self)
    }

    serde::forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf option
        unit unit_struct newtype_struct seq tuple tuple_struct map struct enum identifier
        ignored_any
    }
}

impl<'de, A: MapAccess<'de>> EnumAccess<'de> for Tagged<A> {
    type Error = A::Error;
    type Variant = Self;

    fn variant_seed<V: DeserializeSeed<'de>>(
        mut self,
        seed: V,
    ) -> Result<(V::Value, Self), A::Error> {
        Ok((self.0.next_value_seed(seed)?, self))
    }
}

/// Every message is an object with fields; there is no other kind of variant to read.
impl<'de, A: MapAccess<'de>> VariantAccess<'de> for Tagged<A> {
    type Error = A::Error;

    fn unit_variant(self) -> Result<(), A::Error> {
        Err(A::Error::custom("a message has fields"))
    }

    fn newtype_variant_seed<T: DeserializeSeed<'de>>(self, _: T) -> Result<T::Value, A::Error> {
        Err(A::Error::custom("a message has fields"))
    }

    fn tuple_variant<V: Visitor<'de>>(self, _: usize, _: V) -> Result<V::Value, A::Error> {
        Err(A::Error::custom("a message has fields"))
    }

    fn struct_variant<V: Visitor<'de>>(
        self,
        _fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, A::Error> {
        visitor.visit_map(self.0)
    }
}

/// A request about the seats, the start or the end of a game.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum Request {
    /// Take an empty seat.
    Sit(Seat),
    /// Give up the seat.
    Stand,
    /// Say that the next game may begin.
    Ready,
    /// Take that back.
    Unready,
    /// Ask for a little more time than the other players, or no longer. No reason is asked for.
    Unhurried(bool),
    /// Play this instead (host).
    Arrange(Setup),
    /// Put a bot into an empty seat (host).
    AddBot {
        /// Which seat.
        seat: Seat,
        /// Which bot.
        kind: BotKind,
    },
    /// Put a bot with a person's recorded tempo into a seat where no person sits (host).
    AddGhost {
        /// Which seat.
        seat: Seat,
        /// A game that the sender played or watched and in which the person played.
        game: GameId,
        /// The person's seat in it.
        of: Seat,
    },
    /// Remove a bot (host).
    RemoveBot(Seat),
    /// Remove a player: their seat is free, and they do not come back (host).
    Kick(Seat),
    /// Readmit a removed person, by the number in `removed` (host).
    Readmit(u32),
    /// Remove a spectator, by the number in `spectators` (host).
    RemoveSpectator(u32),
    /// Mute a spectator's chat, or let it through again (host).
    Mute {
        /// The number in `spectators`.
        spectator: u32,
        /// Whether their chat is kept back.
        muted: bool,
    },
    /// Admit only people who were at the table before (host).
    Lock(bool),
    /// Replace the table's code: the old one leads to no table (host).
    NewCode,
    /// Hide the code in the lobby and on the big screen (host).
    HideCode(bool),
    /// Admit no spectators (host).
    PlayersOnly(bool),
    /// Make another player the host (host).
    PassHost(Seat),
    /// Begin (host).
    Start,
    /// Play again with the same people (host).
    Rematch,
    /// Agree that bots hold the seats of missing players.
    Hold,
    /// Agree to end the game here.
    End,
    /// Withdraw the agreement.
    Wait,
    /// Agree to chat at a table for strangers, or withdraw that.
    AgreeToChat(bool),
}
