//! Why something was refused: one closed set for sockets and HTTP.

use rules::kit::{self, Reason, Seat};
use rules::{extreme, family, royale, soulmates};
use serde::{Deserialize, Serialize};

/// Why a message or request was refused. The sentence that goes with it says what to do; a page
/// has a text of its own for each of these, in the language of its player.
#[derive(
    Clone,
    Copy,
    Debug,
    PartialEq,
    Eq,
    Serialize,
    Deserialize,
    strum::IntoStaticStr,
    strum::VariantNames,
)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(tag = "code", rename_all = "kebab-case")]
#[strum(serialize_all = "kebab-case")]
pub enum Refusal {
    // What cannot be read.
    /// A message or request is not what the protocol describes.
    Malformed,
    /// A request's body is larger than the server accepts.
    TooLarge,
    /// A request's body is not JSON.
    NotJson,
    /// A name is too long, empty, or has characters that names may not have.
    Name,
    /// A set-up cannot be played.
    Setup,

    // Protocol.
    /// The first message of a connection is a hello.
    NoHello,
    /// The number of the message was used for another one.
    IdReused,
    /// The connection has not joined the table.
    NotJoined,
    /// The connection looks at as many tables and games as it may.
    Tables {
        /// How many.
        most: u32,
    },
    /// There is no such page.
    NoPage,
    /// The page is not asked for by this method.
    NoMethod,
    /// The request cannot become a WebSocket.
    NoUpgrade,
    /// The request did not arrive in time.
    RequestLate,
    /// The request comes from a page of another site.
    ForeignOrigin,

    // Limits.
    /// Too many requests came from one address.
    AddressRate,
    /// The person has opened too many tables lately.
    TableRate,
    /// Too many chat messages in a short time.
    ChatRate,
    /// Too many signs in a short time.
    ReactionRate,
    /// Too many codes that no table has came from one address.
    CodeRate,
    /// Many new people came from one address: one more has to show a proof of work.
    ///
    /// It is a number `nonce` below 2³² such that the SHA-256 of `challenge:nonce`, both written in
    /// decimal, begins with this number of zero bits.
    Proof {
        /// What the proof is for; it counts once and not for long.
        challenge: u32,
        /// How many zero bits are asked.
        bits: u32,
    },
    /// Too much was changed in a short time: at the table, by the person or from the address.
    ChangeRate,
    /// The server, the person or the address has as many connections as it may.
    TooManyConnections,
    /// Too many presses wait for their turn at the table.
    Crowded,
    /// Another request of the same kind is being carried out.
    Busy,

    // The server.
    /// The journal cannot store it at the moment.
    NotKept,
    /// What is stored cannot be read at the moment.
    Unreadable,
    /// The system has no randomness.
    NoRandomness,

    // People and tables.
    /// The request has no name: its sender is not known.
    NoName,
    /// The link that signs a device in has ended or was used.
    NoDeviceLink,
    /// No person has the recovery phrase.
    WrongPhrase,
    /// The person has as many devices as they may.
    TooManyDevices {
        /// How many.
        most: u32,
    },
    /// There is no such table.
    NoTable,
    /// The table has as many spectators as it may.
    TableFull {
        /// How many.
        most: u32,
    },
    /// The operator has blocked the person or their address.
    Blocked,
    /// The operator has closed the table; it opens again when a person joins.
    TableClosed,
    /// The host has removed the person from the table.
    Removed,
    /// The table is locked.
    Locked,
    /// The table has no spectators.
    NoSpectators,
    /// No spectator has that number.
    NoSpectator,
    /// No person was removed under that number.
    NotRemoved,
    /// The host has muted the spectator.
    Muted,
    /// The spectator's name looks like that of a player.
    NameAlike,
    /// The person has no seat.
    NotSeated,
    /// Only the host does that.
    NotHost,
    /// The table has no such seat.
    NoSuchSeat,
    /// Another player has the seat.
    SeatTaken,
    /// It is the host's own seat.
    OwnSeat,
    /// No person sits there.
    NoPerson,
    /// The player of that seat is not connected.
    NotHere,
    /// No bot sits there.
    NoBot,
    /// The bot does not play this game.
    BotOtherGame,
    /// The person does not lend their tempo.
    NotLent,
    /// The person has played too little for a bot with their tempo.
    TooFewPlays {
        /// How many plays there are.
        plays: u32,
        /// How many are needed.
        needed: u32,
    },
    /// More people are seated than the set-up is for.
    TooManyPeople,
    /// Some seats are free.
    EmptySeats,
    /// A game is on.
    GameOn,
    /// No game is on.
    NoGame,
    /// The last game is not over.
    NotOver,
    /// A player is missing.
    PlayerMissing,
    /// No player is missing.
    NoPlayerMissing,
    /// The table has changed since the player looked.
    Stale,
    /// A player could not see the table at that moment.
    Blind,
    /// The command belongs to another game.
    OtherGame,
    /// Players do not talk while a level is played.
    ChatClosed,
    /// Not all players of a table for strangers have agreed to chat.
    ChatNotAgreed,
    /// A level is being played: the seat can be taken after it.
    LevelOn,
    /// The person has played no game with such a person, or they are deleted.
    NoCompanion,
    /// A player has already seen the deal of the day.
    DealPlayed,
    /// The day of the deal is over.
    DayOver,
    /// The deal of the day is secret until the day is over.
    DayOn,
    /// The chat message is empty or too long.
    ChatLength {
        /// How many characters it may have.
        most: u32,
    },

    // Studies.
    /// There is no such study.
    NoStudy,
    /// The person is at another step of the study.
    StudyMoved,
    /// An answer is missing or does not fit its question; the text names the question.
    StudyAnswer,
    /// The table belongs to a study, where this is not possible.
    InStudy,

    // Games that are over.
    /// There is no such game.
    NoReplay,
    /// The game is still on.
    StillOn,
    /// The person neither played nor watched the game, and has no link to it.
    NotThere,
    /// The person has not played the game.
    NotPlayed,
    /// The times of the game are not for others.
    NotExported,
    /// The person has played no game with that team.
    NoTeam,
    /// The game has no tempo.
    NoTempo,
    /// The tempo is told after the game.
    TempoAfterGame,
    /// The tempo is told after the level.
    TempoLater,
    /// The game has no rows to judge.
    NoJudgement,
    /// Rows are judged after the game.
    JudgementAfterGame,
    /// The person does not watch the game.
    NotAttending,
    /// As many people watch the game together as may.
    AudienceFull {
        /// How many.
        most: u32,
    },
    /// Another person leads.
    Led,
    /// The person does not lead.
    NotLeading,
    /// The person has gone.
    NoMember,

    // The rules of all games.
    /// A spectator asked.
    Watching,
    /// The game is over.
    GameOver,

    // The Mind and its family.
    /// Play has not begun.
    NotPlaying,
    /// Hands are laid on the table between plays only.
    NotFocusing,
    /// The hand lies on the table already.
    AlreadyResting,
    /// The hand does not lie on the table.
    NotResting,
    /// The team has no star.
    NoStar,
    /// The hand is raised already.
    AlreadyRaised,
    /// The hand is not raised.
    NotRaised,
    /// The player does not hold the card.
    NotHeld,
    /// Another card of the player comes first.
    NotNext,
    /// There is nothing to agree to.
    NoOffer,
    /// The player has agreed already.
    AlreadyAgreed,
    /// The players choose cards for a star.
    ChoiceOpen,
    /// No star is being played.
    NoChoice,
    /// The player has chosen already.
    AlreadyChosen,
    /// The player holds no card of that colour.
    NoSuchColour {
        /// Which colour.
        colour: extreme::Colour,
    },
    /// The player holds no card.
    NoCards,
    /// The Seer looks at the cards first.
    SeerLooks {
        /// Who is the Seer.
        seer: Seat,
    },
    /// The Seer has looked already.
    NotLooking,
    /// The Seer gives the hints first.
    SeerWrites {
        /// Who is the Seer.
        seer: Seat,
    },
    /// Hints are given before the cards are dealt.
    NotHinting,
    /// Another player is the Seer.
    NotSeer {
        /// Who is the Seer.
        seer: Seat,
    },
    /// More hints than allowed.
    TooManyHints {
        /// How many were given.
        given: u8,
        /// How many are allowed.
        most: u8,
    },
    /// The Seer has not looked at that card.
    NotLookedAt,
    /// The card of the hint is not in play.
    NotInPlay,
    /// The card is on the slate already.
    AlreadyOnSlate,

    // Royale Mastermind.
    /// Another player hides the code.
    NotMaker {
        /// Who hides it.
        maker: Seat,
    },
    /// The player hides the code and does not break it.
    NotBreaker,
    /// The code is hidden already.
    NotChoosing,
    /// No code is hidden yet.
    NotBreaking {
        /// Who hides it.
        maker: Seat,
    },
    /// Another player asks in that zone.
    NotYourZone {
        /// Who asks there.
        breaker: Seat,
    },
    /// The zone is solved.
    ZoneSolved,
    /// The zone has no row left.
    ZoneSpent,
    /// A card of the code is covered.
    NotInPack,
    /// A covered card needs no mark.
    Covered,
    /// The card is marked already.
    AlreadyMarked,
    /// The card is not marked.
    NotMarked,
}

impl Refusal {
    /// The word that names it on the wire and in metrics.
    pub fn code(&self) -> &'static str {
        self.into()
    }
}

impl<R: Reason + Into<Self>> From<kit::Refusal<R>> for Refusal {
    fn from(refusal: kit::Refusal<R>) -> Self {
        match refusal {
            kit::Refusal::NoSuchSeat { .. } => Self::NoSuchSeat,
            kit::Refusal::Past { .. } => Self::Stale,
            kit::Refusal::Rule(reason) => reason.into(),
        }
    }
}

impl<C> From<family::Refusal<C>> for Refusal {
    fn from(refusal: family::Refusal<C>) -> Self {
        match refusal {
            family::Refusal::Watching => Self::Watching,
            family::Refusal::GameOver => Self::GameOver,
            family::Refusal::NotPlaying => Self::NotPlaying,
            family::Refusal::NotFocusing => Self::NotFocusing,
            family::Refusal::AlreadyResting => Self::AlreadyResting,
            family::Refusal::NotResting => Self::NotResting,
            family::Refusal::NoStar => Self::NoStar,
            family::Refusal::AlreadyRaised => Self::AlreadyRaised,
            family::Refusal::NotRaised => Self::NotRaised,
            family::Refusal::NotHeld(_) => Self::NotHeld,
            family::Refusal::NotNext { .. } => Self::NotNext,
            family::Refusal::NoOffer => Self::NoOffer,
            family::Refusal::AlreadyAgreed => Self::AlreadyAgreed,
        }
    }
}

impl From<extreme::Refusal> for Refusal {
    fn from(refusal: extreme::Refusal) -> Self {
        match refusal {
            extreme::Refusal::Family(refusal) => refusal.into(),
            extreme::Refusal::ChoiceOpen => Self::ChoiceOpen,
            extreme::Refusal::NoChoice => Self::NoChoice,
            extreme::Refusal::AlreadyChosen => Self::AlreadyChosen,
            extreme::Refusal::NoSuchColour(colour) => Self::NoSuchColour { colour },
            extreme::Refusal::NoCards => Self::NoCards,
        }
    }
}

impl From<soulmates::Refusal> for Refusal {
    fn from(refusal: soulmates::Refusal) -> Self {
        match refusal {
            soulmates::Refusal::Family(refusal) => refusal.into(),
            soulmates::Refusal::SeerLooks { seer } => Self::SeerLooks { seer },
            soulmates::Refusal::NotLooking => Self::NotLooking,
            soulmates::Refusal::SeerWrites { seer } => Self::SeerWrites { seer },
            soulmates::Refusal::NotHinting => Self::NotHinting,
            soulmates::Refusal::NotSeer { seer } => Self::NotSeer { seer },
            soulmates::Refusal::TooManyHints { given, most } => Self::TooManyHints { given, most },
            soulmates::Refusal::NotLookedAt(_) => Self::NotLookedAt,
            soulmates::Refusal::NotInPlay(_) => Self::NotInPlay,
            soulmates::Refusal::AlreadyOnSlate(_) => Self::AlreadyOnSlate,
        }
    }
}

impl From<royale::Refusal> for Refusal {
    fn from(refusal: royale::Refusal) -> Self {
        match refusal {
            royale::Refusal::Watching => Self::Watching,
            royale::Refusal::GameOver => Self::GameOver,
            royale::Refusal::NotMaker(maker) => Self::NotMaker { maker },
            royale::Refusal::NotBreaker => Self::NotBreaker,
            royale::Refusal::NotChoosing => Self::NotChoosing,
            royale::Refusal::NotBreaking(maker) => Self::NotBreaking { maker },
            royale::Refusal::NotYourZone { breaker, .. } => Self::NotYourZone { breaker },
            royale::Refusal::ZoneSolved(_) => Self::ZoneSolved,
            royale::Refusal::ZoneSpent(_) => Self::ZoneSpent,
            royale::Refusal::NotInPack(_) => Self::NotInPack,
            royale::Refusal::Covered(_) => Self::Covered,
            royale::Refusal::AlreadyMarked(_) => Self::AlreadyMarked,
            royale::Refusal::NotMarked(_) => Self::NotMarked,
        }
    }
}
